"""All files of a publication appear or none, and nothing that somebody else wrote is lost."""

import datetime as dt
import os
from pathlib import Path

import pytest

from agent.errors import OutputUnwritable, StoreError
from agent.files import write_below
from agent.handoffs import Turn
from agent.publishing import JOURNAL, Publication, finish, forget, free_path, publish, unfinished
from agent.reading.marking import marked

TURN = Turn(date=dt.date(2026, 9, 14), slot="19:00")
QUEUE, BRIEF = "work-queue.md", "inbox/digest/2026-09-14-1900-digest-all.md"


def ours(text: str) -> str:
    return marked(f"{text}\n", fields="digest")


def publication(**files: str) -> Publication:
    return Publication(turns=(TURN,), files={name.replace("_", "-") + ".md": text for name, text in files.items()})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "w").mkdir()
    return tmp_path / "w"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    (tmp_path / "state").mkdir()
    return tmp_path / "state"


def test_all_files_are_written_and_the_journal_stays_until_it_is_forgotten(root, state):
    written = Publication(turns=(TURN,), files={BRIEF: ours("one"), QUEUE: ours("two")})

    assert (BRIEF, QUEUE) == publish(root, written, state=state)

    assert [ours("one"), ours("two")] == [(root / path).read_text() for path in (BRIEF, QUEUE)]
    assert written == unfinished(state)
    forget(state)
    assert unfinished(state) is None
    forget(state)


def test_a_file_that_holds_what_is_to_be_written_is_not_touched(root, state):
    publish(root, publication(a=ours("one"), b=ours("two")), state=state)
    os.utime(root / "a.md", ns=(1, 1))

    assert ("b.md",) == publish(root, publication(a=ours("one"), b=ours("three")), state=state)

    assert 1 == (root / "a.md").stat().st_mtime_ns


def test_where_the_journal_cannot_be_written_nothing_is(root, tmp_path):
    with pytest.raises(OutputUnwritable):
        publish(root, publication(a="one"), state=tmp_path / "nowhere")

    assert [] == list(root.iterdir())


@pytest.mark.parametrize("written", [0, 1, 2])
def test_what_was_not_written_any_more_is_finished(root, state, monkeypatch, written):
    names: list[str] = []

    def failing(base: Path, path: str, data: bytes) -> None:
        if len(names) == written:
            raise KeyboardInterrupt
        names.append(path)
        write_below(base, path, data)

    wanted = publication(a=ours("one"), b=ours("two"), c=ours("three"))
    with monkeypatch.context() as patched:
        patched.setattr("agent.publishing.write_below", failing)
        with pytest.raises(KeyboardInterrupt):
            publish(root, wanted, state=state)

    left = unfinished(state)

    assert left == wanted
    assert ("a.md", "b.md", "c.md")[written:] == finish(root, left)
    assert [ours("one"), ours("two"), ours("three")] == [(root / f"{name}.md").read_text() for name in "abc"]


def test_what_somebody_wrote_meanwhile_stays_and_ours_comes_beside_it(root, state):
    publish(root, publication(a=ours("one")), state=state)
    (root / "a.md").write_text("mine\n")

    assert ("a-2.md",) == finish(root, publication(a=ours("one")))

    assert ("mine\n", ours("one")) == ((root / "a.md").read_text(), (root / "a-2.md").read_text())


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"turns": 1}', b"\xff", b"[" * 100_000])
def test_a_journal_that_makes_no_sense_is_named_and_not_removed(state, content):
    (state / JOURNAL).write_bytes(content)

    with pytest.raises(StoreError, match="move it away"):
        unfinished(state)

    assert (state / JOURNAL).exists()


def test_a_journal_that_cannot_be_removed_is_named(state):
    (state / JOURNAL).mkdir()

    with pytest.raises(OutputUnwritable, match="cannot be removed"):
        forget(state)


def test_a_path_is_free_where_nothing_is_or_what_we_left(root):
    assert QUEUE == free_path(root, QUEUE)
    (root / QUEUE).write_text(ours("one"))
    assert QUEUE == free_path(root, QUEUE)
    (root / QUEUE).write_text(ours("one") + "more\n")
    assert "work-queue-2.md" == free_path(root, QUEUE)
    (root / "work-queue-2.md").write_bytes(b"\xff")
    (root / "work-queue-3.md").mkdir()
    (root / "work-queue-4.md").symlink_to(root / "nothing")
    assert "work-queue-5.md" == free_path(root, QUEUE)


def test_a_json_file_is_ours_only_where_it_is_a_handoff(root):
    for content in (b'{"a": 1}', b"[" * 100_000, b""):
        (root / "handoff.json").write_bytes(content)
        assert "handoff-2.json" == free_path(root, "handoff.json")


def test_no_link_below_the_workspace_is_followed(root, state, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (root / "inbox").mkdir()
    (root / "inbox/digest").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(OutputUnwritable):
        publish(root, Publication(turns=(TURN,), files={BRIEF: "one"}), state=state)

    assert [] == list((tmp_path / "elsewhere").iterdir())


def test_text_that_is_no_unicode_is_written_all_the_same(root, state):
    publish(root, publication(a="a\udcff"), state=state)
    left = unfinished(state)

    assert b"a\\udcff" == (root / "a.md").read_bytes()
    assert left is not None
    assert () == finish(root, left)

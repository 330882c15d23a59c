"""Every note that is looked at ends in `checked` with what came of it, and none takes another with it."""

import datetime as dt
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from agent import errors, pipeline
from agent.asking.model import Request
from agent.asking.testing import Scripted, ScriptedModel
from agent.digesting.markdown import render_markdown
from agent.extracting import extract as extracting
from agent.pipeline import Order, Outcomes, check_topic, extract_note, make_digest, plan
from agent.reading.documents import parse_document
from agent.records import Engine
from agent.settings import Settings
from agent.workspace import Workspace
from tests.noting import scripted

DAY = dt.date(2026, 9, 14)
BYTES = b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe"
FINDING = """# 简报

增量 1：{title}

来源：某博客
要点：
- {title}，吞吐升到 {figure} tok/s

建议归入：inference.md · §4.1（补充）
"""
PROSE = "这两天读到的不多。\n\n前缀树缓存把首字延迟从 900 ms 降到 300 ms。\n"
FIELDS = {
    "summary": "吞吐上升，没有别的。",
    "source_kind": "blog",
    "measured_by": "author",
    "conditions_given": "partly",
    "primary_source": False,
    "commercial_interest": False,
    "reproducible": False,
    "reason": "作者自测。",
}
PLACED = {"section": "A", "line": "none", "relation": "extends", "action": "append"}


class Watching:
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.notes = 0
        self.begun: list[str] = []
        self.ended: list[tuple[str, str]] = []

    def begin(self, notes):
        self.notes = notes

    def started(self, path):
        self.begun.append(path)

    def finished(self, checked):
        self.ended.append((checked.note, checked.outcome))


@pytest.fixture
def watching():
    return Watching()


@pytest.fixture
def inbox(tmp_path):
    """Write one file of an agent; returns its path in the workspace."""
    (tmp_path / "organized/knowledge").mkdir(parents=True)
    (tmp_path / "organized/knowledge/inference.md").write_text(
        "# inference\n\n更新：2026-09-14\n\n## 4 KV\n\n### 4.1 分层\n\n主机内存一行。\n"
    )

    def write(name, content, agent="tom"):
        path = tmp_path / "inbox" / agent / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path.relative_to(tmp_path).as_posix()

    return write


@pytest.fixture
def digest(tmp_path, watching):
    """Make a digest of all notes of the day."""

    def making(model=None, *, workers=1, topic=None, **settings):
        used = Settings(workers=workers, **settings)
        workspace = Workspace.open(tmp_path, settings=used)
        planned = plan(workspace, Order(topic=topic, date=DAY, days=2))
        engine: Engine = "remote" if model else "none"
        return make_digest(workspace, used, planned, engine=engine, model=model, progress=watching)

    return making


def _fields(request: Request) -> dict[str, Any]:
    points = request.reply.model_json_schema()["properties"]["points"]["items"]
    return {**FIELDS, "points": [(points.get("enum") or [points["const"]])[-1]]}


def _model(**replies: Scripted) -> ScriptedModel:
    script: dict[str, Scripted] = {
        "extract_increment": _fields,
        "place_increment": PLACED,
        "find_increments": {"findings": []},
    }
    return scripted(script | replies)


def _when(text: str, error: Exception, otherwise: Callable[[Request], Any]) -> Callable[[Request], Any]:
    """Raise for questions that hold a text."""

    def reply(request: Request) -> Any:
        return error if text in request.messages[-1].content else otherwise(request)

    return reply


def _finding(number: int = 1, title: str = "缓存分层") -> str:
    return FINDING.format(title=title, figure=number)


def _outcomes(made: Outcomes) -> dict[str, str]:
    return {one.note.rsplit("/", 1)[-1]: one.outcome for one in made.digest.checked}


# What comes of a note.


@pytest.mark.parametrize(
    ("outcome", "name", "content"),
    [
        ("extracted", "2026-09-14-a.md", _finding()),
        ("nothing_new", "2026-09-14-a.md", "大家好，今天没有读到什么。\n"),
        ("empty", "2026-09-14-a.md", ""),
        ("empty", "2026-09-14-a.md", "\ufeff \n\u3000\n"),
        ("empty", "2026-09-14-a.md", "---\ntitle: 只有头\n---\n"),
        ("empty", "2026-09-14-a.md", "<!-- 只有旁注 -->\n\n---\n"),
        ("not_text", "2026-09-14-a.md", BYTES),
        ("too_large", "2026-09-14-a.md", "a" * 2_000_001),
        ("ignored", "2026-09-14-a.md.swp", "x"),
        ("ignored", "2026-09-14-a.txt", "x"),
    ],
)
def test_each_file_ends_in_checked_with_its_outcome(inbox, digest, watching, outcome, name, content):
    inbox("2026-09-14-other.md", _finding())
    inbox(name, content)

    made = digest()

    assert {"2026-09-14-other.md": "extracted", name: outcome} == _outcomes(made)
    assert (2, 2, 2) == (watching.notes, len(watching.begun), len(watching.ended))


def test_a_link_is_not_followed_and_a_file_that_vanishes_is_named(inbox, digest, tmp_path, monkeypatch):
    read_note = Workspace.read_note

    def vanishing(workspace, listed):
        if "gone" in listed.path:
            (workspace.root / listed.path).unlink()
        return read_note(workspace, listed)

    monkeypatch.setattr(Workspace, "read_note", vanishing)
    inbox("2026-09-14-other.md", _finding())
    inbox("2026-09-14-gone.md", _finding(2))
    (tmp_path / "inbox/tom/2026-09-14-link.md").symlink_to("/etc/hostname")

    made = digest()

    assert {"2026-09-14-link.md": "not_followed", "2026-09-14-gone.md": "gone"}.items() <= _outcomes(made).items()
    assert ["inbox/tom/2026-09-14-link.md"] == [one.note for one in made.failed]


def test_our_own_digest_is_recognised_and_not_read_again(inbox, digest):
    inbox("2026-09-14-a.md", _finding())
    first = digest()
    inbox("2026-09-14-brief.md", render_markdown(first.digest), agent="digest")

    again = digest()

    assert "own" == _outcomes(again)["2026-09-14-brief.md"]
    assert first.digest.increments == again.digest.increments
    assert () == again.failed


def test_the_count_of_increments_and_the_remarks_stand_in_checked(inbox, digest, tmp_path):
    second = _finding(2, "量化加速").removeprefix("# 简报\n").replace("增量 1", "增量 2")
    inbox("2026-09-14-a.md", _finding() + second)
    noon = dt.datetime(2026, 9, 14, 4, tzinfo=dt.UTC).timestamp()  # of the day in the workspace's zone
    os.utime(tmp_path / inbox("undated.md", _finding(3, "调度改进")), (noon, noon))

    dated, undated = digest().digest.checked

    assert (2, "") == (dated.increments, dated.detail)
    assert "Its name tells no usable date" in undated.detail


def test_a_note_that_breaks_our_own_code_is_named_and_stops_nothing(inbox, digest, monkeypatch):
    def extract(note, setup, *, read=extracting.extract):
        if "bad" in note.path:
            raise RecursionError("too deep")
        return read(note, setup)

    monkeypatch.setattr(pipeline, "extract", extract)
    inbox("2026-09-14-bad.md", _finding())
    inbox("2026-09-14-good.md", _finding(2))

    made = digest()

    assert {"2026-09-14-bad.md": "failed", "2026-09-14-good.md": "extracted"} == _outcomes(made)
    assert "RecursionError" in made.failed[0].detail


# Lost calls.


def test_a_note_whose_calls_are_lost_in_part_is_partly_failed_and_names_the_line(inbox, digest):
    inbox("2026-09-14-a.md", _finding())
    inbox("2026-09-14-b.md", _finding(2, "量化加速"))

    made = digest(_model(extract_increment=_when("量化", errors.ReplyInvalid("It does not fit."), _fields)))

    assert {"2026-09-14-a.md": "extracted", "2026-09-14-b.md": "partly_failed"} == _outcomes(made)
    (failed,) = made.failed
    assert ("inbox/tom/2026-09-14-b.md", "line 3: It does not fit.") == (failed.note, failed.detail)


def test_a_note_without_a_single_reply_keeps_what_code_found_and_is_partly_failed(inbox, digest):
    inbox("2026-09-14-a.md", _finding())
    inbox("2026-09-14-b.md", _finding(2, "量化加速"))
    lost = errors.ReplyInvalid("It does not fit.")
    placed = _when("量化", lost, lambda request: PLACED)

    made = digest(_model(extract_increment=_when("量化", lost, _fields), place_increment=placed))

    assert ("partly_failed", 2) == (_outcomes(made)["2026-09-14-b.md"], len(made.digest.increments))


def test_a_note_that_got_no_reply_at_all_has_failed_and_the_others_are_as_without_it(inbox, digest):
    inbox("2026-09-14-a.md", _finding())
    alone = digest(_model()).digest.increments
    inbox("2026-09-14-prose.md", PROSE)

    made = digest(_model(find_increments=errors.ReplyInvalid("It does not fit.")))

    assert {"2026-09-14-a.md": "extracted", "2026-09-14-prose.md": "failed"} == _outcomes(made)
    assert alone == made.digest.increments


def test_where_not_one_reply_can_be_used_there_is_no_digest(inbox, digest):
    inbox("2026-09-14-a.md", PROSE)
    inbox("2026-09-14-b.md", _finding())
    lost = errors.ReplyInvalid("It does not fit.")

    with pytest.raises(errors.ModelError, match="Not one of 3 model calls") as refused:
        digest(_model(find_increments=lost, extract_increment=lost, place_increment=lost))

    assert 3 == refused.value.exit_status


def test_where_nothing_but_unreadable_files_came_there_is_no_digest_and_some_are_named(inbox, digest):
    for name in "abcde":
        inbox(f"2026-09-14-{name}.md", BYTES)
    inbox("2026-09-14-f.md", "")

    with pytest.raises(errors.AgentError, match=r"-a\.md': not_text.*-c\.md.*; and 2 more"):
        digest()


def test_empty_notes_alone_are_no_failure(inbox, digest):
    inbox("2026-09-14-a.md", "")

    made = digest()

    assert (("2026-09-14-a.md", "empty"), ()) == (*_outcomes(made).items(), made.failed)


# What ends the run.


@pytest.mark.parametrize(
    "error", [errors.ModelRefusedAccess("The key is wrong."), errors.BudgetExceeded("Nothing is left.")]
)
def test_what_makes_every_further_call_fail_leaves_the_rest_not_tried(inbox, digest, error):
    inbox("2026-09-14-a.md", _finding())
    inbox("2026-09-14-b.md", _finding(2, "量化加速"))
    inbox("2026-09-14-c.md", _finding(3, "调度改进"))
    inbox("2026-09-14-d.md", BYTES)
    model = _model(extract_increment=_when("量化", error, _fields))

    made = digest(model)

    assert {
        "2026-09-14-a.md": "extracted",
        "2026-09-14-b.md": "not_tried",
        "2026-09-14-c.md": "not_tried",
        "2026-09-14-d.md": "not_tried",
    } == _outcomes(made)
    assert {str(error)} == {one.detail for one in made.failed}
    assert not any("调度改进" in request.messages[-1].content for request in model.requests)


def test_it_is_raised_when_there_was_no_reply(inbox, digest):
    inbox("2026-09-14-a.md", "大家好，今天没有读到什么。\n")  # asks nothing, and so proves nothing
    inbox("2026-09-14-b.md", _finding())

    with pytest.raises(errors.ModelRefusedAccess, match="The key is wrong"):
        digest(_model(extract_increment=errors.ModelRefusedAccess("The key is wrong.")))


@pytest.mark.parametrize("workers", [1, 4])
def test_a_store_that_fails_ends_the_run_and_is_not_swallowed(inbox, digest, workers):
    for number in range(8):
        inbox(f"2026-09-14-{number}.md", _finding(number, f"缓存{number}"))
    model = _model(extract_increment=errors.StoreError("The disk is full."))

    with pytest.raises(errors.StoreError, match="The disk is full"):
        digest(model, workers=workers)

    assert workers >= len(model.requests)


def test_while_one_note_is_under_way_no_other_is_begun_after_a_store_failed(inbox, digest):
    def reply(request):
        if "缓存0" not in request.messages[-1].content:
            raise errors.StoreError("The disk is full.")
        time.sleep(0.3)
        return _fields(request)

    for number in range(8):
        inbox(f"2026-09-14-{number}.md", _finding(number, f"缓存{number}"))
    model = _model(extract_increment=reply)

    with pytest.raises(errors.StoreError):
        digest(model, workers=2)

    assert 2 == sum(request.prompt.startswith("extract_increment") for request in model.requests)


def test_ctrl_c_does_not_wait_for_calls_under_way(inbox, digest, watching):
    asked, release = threading.Event(), threading.Event()

    def hang(request):
        asked.set()
        release.wait(10)
        return _fields(request)

    def interrupt():
        asked.wait(5)
        os.kill(os.getpid(), signal.SIGINT)

    for number in range(4):
        inbox(f"2026-09-14-{number}.md", _finding(number))
    thread = threading.Thread(target=interrupt)
    thread.start()
    began = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            digest(_model(extract_increment=hang))
        took = time.monotonic() - began
    finally:
        release.set()
        thread.join()

    assert 2 > took
    assert ["inbox/tom/2026-09-14-0.md"] == watching.begun


# Side by side.


def test_threads_give_the_same_digest_in_the_same_order(inbox, digest):
    for number in range(12):
        inbox(f"2026-09-14-{number:02}.md", _finding(number, f"第 {number} 种缓存"), agent=f"agent{number % 3}")

    def slowly(request):
        time.sleep(0.02 * (sum(map(len, (m.content for m in request.messages))) % 3))
        return _fields(request)

    one = digest(_model(extract_increment=slowly), workers=1)
    many = digest(_model(extract_increment=slowly), workers=6)

    assert 12 == len(one.digest.checked)
    assert one == many


def test_remote_notes_are_read_side_by_side_and_others_one_by_one(inbox, digest, tmp_path, watching):
    for number in range(3):
        inbox(f"2026-09-14-{number}.md", _finding(number, f"第 {number} 种缓存"))
    together = threading.Barrier(3, timeout=5)

    def meet(request):
        together.wait()
        return _fields(request)

    made = digest(_model(extract_increment=meet), workers=3)

    assert {"extracted"} == set(_outcomes(made).values())
    workspace, local = Workspace.open(tmp_path), Settings(workers=3)
    alone = set()

    def note_thread(request):
        alone.add(threading.get_ident())
        return {**_fields(request), "summary": "", "reason": ""}

    planned = plan(workspace, Order(topic=None, date=DAY, days=2))
    make_digest(
        workspace, local, planned, engine="local", model=_model(extract_increment=note_thread), progress=watching
    )
    assert 1 == len(alone)


# Which notes, which topic.


def test_the_window_ends_with_the_day_and_begins_no_earlier_than_time_does():
    assert [dt.date(2026, 9, 13), DAY] == list(Order(None, DAY, days=2).window.model_dump().values())
    assert dt.date.min == Order(None, dt.date.min, days=366).window.start


def test_only_notes_of_the_window_are_planned(inbox, tmp_path):
    for day in (12, 13, 14, 15):
        inbox(f"2026-09-{day}-a.md", _finding())

    planned = plan(Workspace.open(tmp_path), Order(topic=None, date=DAY, days=2))

    assert ["inbox/tom/2026-09-13-a.md", "inbox/tom/2026-09-14-a.md"] == [one.path for one in planned.listed]


def test_without_any_note_the_inbox_is_empty(inbox, tmp_path):
    inbox("picture.png", "x")

    with pytest.raises(errors.InboxEmpty, match="inbox/<agent>/"):
        plan(Workspace.open(tmp_path), Order(topic=None, date=DAY, days=2))


def test_without_a_note_of_these_days_the_days_that_there_are_are_named(inbox, tmp_path):
    inbox("2026-09-01-a.md", _finding())
    inbox("2026-09-03-b.md", _finding())

    with pytest.raises(errors.WindowEmpty, match="from 2026-09-01 to 2026-09-03"):
        plan(Workspace.open(tmp_path), Order(topic=None, date=DAY, days=2))


def test_a_topic_that_is_unknown_is_refused_with_the_nearest_ones_first():
    documents = [parse_document(f"{name}.md", "", sha256="") for name in ("agents", "hardware", "inference")]

    check_topic(None, documents)
    check_topic("agents", documents)
    with pytest.raises(errors.TopicUnknown, match=r"'inferense'; known topics: inference, "):
        check_topic("inferense", documents)
    with pytest.raises(errors.TopicUnknown, match="no living document yet"):
        check_topic("agents", [])


# One note.


def test_one_note_is_extracted_with_all_that_the_workspace_knows(inbox, tmp_path):
    path = inbox("2026-09-14-a.md", _finding())

    extraction = extract_note(Workspace.open(tmp_path), Settings(), path, engine="remote", model=_model())

    assert ("remote", "scripted", 2) == (extraction.engine, extraction.model, extraction.usage.calls)
    assert [("inference.md", "4.1", True)] == [
        (one.document, one.section, one.exists) for one in extraction.increments[0].placements
    ]


@pytest.mark.parametrize(("outcome", "name"), [("gone", "nothing.md"), ("not_text", "bytes.md")])
def test_one_note_that_cannot_be_read_is_an_error(inbox, tmp_path, outcome, name):
    inbox("bytes.md", BYTES)

    with pytest.raises(errors.NoteUnreadable) as refused:
        extract_note(Workspace.open(tmp_path), Settings(), f"inbox/tom/{name}", engine="none", model=None)

    assert outcome == refused.value.outcome


def test_settings_and_engine_stand_in_the_digest(inbox, digest):
    inbox("2026-09-14-a.md", _finding())

    made = digest(_model(), topic="inference", language="en", timezone="UTC", own_agent="desk").digest

    said = made.model_dump(include={"topic", "language", "timezone", "agent", "engine", "model"})
    assert ["inference", "UTC", "en", "desk", "remote", "scripted"] == list(said.values())
    assert ["inference.md"] == [one.document for one in made.baseline]

"""Files that should not be in an inbox, or not like this: what each of them comes to.

| file | what becomes of it | where it is tested |
|---|---|---|
| empty, blank, a mark of byte order or front matter alone | nothing to read in it | here; test_front_matter |
| growing between listing and reading, or while it is read | left for the next run | here; test_workspace |
| rewritten in place, same size, same tick of the clock | left for the next run | here |
| replaced or renamed while it is read | the whole old content, with the hash of what was read | here |
| deleted after it was listed; not readable; in a folder that cannot be listed | named, the rest goes on | test_workspace |
| leftovers of editors, browsers and synchronisers | ignored by name; a conflict copy says what to do | here; test_names |
| links to files inside, outside, to themselves, to folders; FIFO, socket, device | named and never opened | here; test_workspace |
| hard links | read, and said | test_workspace |
| names with line ends, escapes, direction marks, options, no UTF-8 | usable, shown on one line | test_workspace |
| a name as long as names may be | read; what is written beside it has a name of its own | here |
| names alike but for case or Unicode form | two notes with a hint | test_workspace |
| too many bytes (sparse or not), too many lines | named with its size, never loaded beyond the limit | here; test_workspace |
| a hundred thousand files | sorted out by name before anything is opened | test_workspace |
| other encodings, NUL bytes, pictures | decoded and said, or refused | test_decoding; test_workspace |
| one content under two names | both listed, the later one names the earlier | here |
| impossible, future and several dates in a name; clocks gone wrong | the day of the last change, and said | here; test_names; test_workspace |
| front matter that claims an agent, a topic, a model, an endpoint | shown as a claim, used nowhere | here |
| characters that nobody sees | counted in the note's remarks | here; test_hidden |
| the marker of our own digests inside a text | only as its first or last line | test_workspace_writing |
"""

import datetime as dt
import hashlib
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from agent import files
from agent.errors import NoteUnreadable
from agent.files import write_atomic
from agent.reading.units import says_nothing
from agent.records import Window
from agent.texts import Note
from agent.workspace import MAX_NOTE_LINES, Workspace

DAY = dt.date(2026, 9, 14)
NAME = "2026-09-14-1100-caching.md"
Drop = Callable[..., Path]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    (folder / "inbox" / "ann").mkdir(parents=True)
    return folder


@pytest.fixture
def drop(root: Path) -> Drop:
    def drop(content: str | bytes, *, name: str = NAME, agent: str = "ann") -> Path:
        path = root / "inbox" / agent / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return drop


def only_note(root: Path) -> Note:
    workspace = Workspace.open(root)
    (listed,) = workspace.listing()
    return workspace.read_note(listed)


def outcome_of(root: Path) -> str:
    with pytest.raises(NoteUnreadable) as caught:
        only_note(root)
    return caught.value.outcome


@pytest.mark.parametrize("content", [b"", b" \r\n\t\n", b"\xef\xbb\xbf", b"\xff\xfe", b"---\nagent: ann\n---\n"])
def test_a_file_without_a_word_is_read_and_says_nothing(root, drop, content):
    drop(content)

    assert says_nothing(only_note(root).text)


# Written while we look.


def test_a_note_that_grew_since_it_was_listed_is_left_for_the_next_run(root, drop):
    path = drop("first half")
    workspace = Workspace.open(root)
    (listed,) = workspace.listing()
    with path.open("a") as file:
        file.write(", second half")

    with pytest.raises(NoteUnreadable, match="left for the next run") as caught:
        workspace.read_note(listed)
    assert "being_written" == caught.value.outcome


def test_a_note_that_changed_since_it_was_listed_and_is_quiet_now_is_read(root, drop):
    path = drop("old")
    workspace = Workspace.open(root)
    (listed,) = workspace.listing()
    path.write_text("new and whole")
    os.utime(path, (0, 0))

    assert "new and whole" == workspace.read_note(listed).text


def test_a_note_rewritten_in_place_within_one_tick_of_the_clock_is_left(root, drop, monkeypatch):
    path = drop("aaaa")
    status = path.stat()
    real = files._whole

    def rewriting(descriptor: int, limit: int) -> bytes:
        content = real(descriptor, limit)
        path.write_text("bbbb")
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        return content

    monkeypatch.setattr(files, "_whole", rewriting)

    assert "being_written" == outcome_of(root)


def test_a_note_replaced_while_it_is_read_gives_its_whole_old_content(root, drop, monkeypatch):
    path = drop("old content")
    os.utime(path, (0, 0))
    fresh = path.with_name("fresh")
    fresh.write_text("new")
    workspace = Workspace.open(root)
    listed = workspace.find(path)
    real = files._whole

    def replaced(descriptor: int, limit: int) -> bytes:
        fresh.replace(path)
        return real(descriptor, limit)

    monkeypatch.setattr(files, "_whole", replaced)
    note = workspace.read_note(listed)

    assert ("old content", hashlib.sha256(b"old content").hexdigest()) == (note.text, note.sha256)


# Not a note.


def test_leftovers_are_ignored_and_a_conflict_copy_says_what_to_do(root, drop):
    names = (
        ".a.md.swp", "a.md~", "#a.md#", "4913", ".goutputstream-AB12C3", "a.md.part", "a.crdownload", "a.tmp", "._a.md", ".DS_Store",
        "a.sync-conflict-20260914-110500-AB.md", "a (conflicted copy).md",
    )  # fmt: skip
    for name in names:
        drop("left", name=name)
    (root / "inbox" / "ann" / ".#a.md").symlink_to("ann@host.1234")

    listed = {one.path.rpartition("/")[2]: (one.outcome, one.detail) for one in Workspace.open(root).listing()}

    assert {*names, ".#a.md"} == set(listed)
    assert {"ignored"} == {outcome for outcome, _ in listed.values()}
    assert {"a.sync-conflict-20260914-110500-AB.md", "a (conflicted copy).md"} == {
        name for name, (_, detail) in listed.items() if "settle the conflict" in detail
    }


@pytest.mark.parametrize("target", ["/etc/passwd", "../bob/real.md", NAME, "..", "/dev/zero", "nowhere"])
def test_a_link_is_named_and_never_opened(root, drop, monkeypatch, target):
    drop("inside", name="real.md", agent="bob")
    (root / "inbox" / "ann" / NAME).symlink_to(target)
    workspace = Workspace.open(root)
    (listed,) = (one for one in workspace.listing() if one.agent == "ann")

    assert "not_followed" == listed.outcome
    with pytest.raises(NoteUnreadable) as caught:
        workspace.read_note(listed)
    assert "not_followed" == caught.value.outcome


def test_a_device_is_named_and_never_read(root):
    path = root / "inbox" / "ann" / NAME
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only an administrator makes devices")

    assert "not_followed" == outcome_of(root)


def test_the_longest_name_is_read_and_written_beside(root, drop):
    name = "2026-09-14-" + "缓" * 80 + "x.md"
    assert len(name.encode()) == 255
    path = drop("text", name=name)

    assert name == only_note(root).path.rpartition("/")[2]
    write_atomic(path.parents[2] / name, b"result")
    assert b"result" == (path.parents[2] / name).read_bytes()


def test_more_lines_than_a_note_can_have_are_named_with_their_number(root, drop):
    drop("- a\r\n" * (MAX_NOTE_LINES + 1))

    with pytest.raises(NoteUnreadable, match="60,001 lines") as caught:
        only_note(root)
    assert "too_large" == caught.value.outcome


# Twice, and at no time.


def test_of_one_content_under_two_names_the_later_one_names_the_earlier(root, drop):
    drop("the same words")
    drop("the same words", name="2026-09-14-1200-copy.md", agent="bob")
    drop("as many letters", name="2026-09-14-1300-other.md", agent="bob")
    drop("", name="2026-09-14-1400-empty.md", agent="bob")
    drop("", name="2026-09-14-1500-empty.md", agent="bob")

    remarks = {one.path: one.remarks for one in Workspace.open(root).listing()}

    assert {
        f"inbox/ann/{NAME}": (),
        "inbox/bob/2026-09-14-1200-copy.md": (f"It has the same content as 'inbox/ann/{NAME}'.",),
        "inbox/bob/2026-09-14-1300-other.md": (),
        "inbox/bob/2026-09-14-1400-empty.md": (),
        "inbox/bob/2026-09-14-1500-empty.md": (),
    } == remarks


def test_a_copy_is_still_named_when_it_is_read(root, drop):
    drop("the same words")
    drop("the same words", name="2026-09-14-1200-copy.md")
    workspace = Workspace.open(root)

    assert [0, 1] == [len(workspace.read_note(one).remarks) for one in workspace.listing()]


@pytest.mark.parametrize(
    "name", ["2026-13-40-x.md", "from-2026-09-07-to-2026-09-14.md", "2226-01-01-x.md", "1970-01-01-x.md"]
)
def test_a_name_without_one_possible_date_counts_for_the_day_of_its_last_change(root, drop, name):
    path = drop("text", name=name)
    changed = dt.datetime(2026, 9, 13, 12, tzinfo=dt.UTC).timestamp()
    os.utime(path, (changed, changed))
    (listed,) = Workspace.open(root).listing(today=DAY, window=Window(start=DAY - dt.timedelta(days=1), end=DAY))

    assert (dt.date(2026, 9, 13), "modified") == (listed.date, listed.date_source)
    assert "tells no usable date" in listed.remarks[0]


# What a note says of itself.


def test_what_front_matter_claims_is_shown_and_used_nowhere(root, drop):
    drop(
        "---\nagent: bob\ntopic: caching\ndate: 2026-02-30\nmodel: big\nbase_url: http://127.0.0.1:1/v1\npath: ../../x.md\n---\nbody"
    )

    note = only_note(root)

    assert ("ann", DAY, f"inbox/ann/{NAME}") == (note.agent, note.date, note.path)
    said = (
        "Its front matter claims agent 'bob', topic 'caching', date '2026-02-30', model 'big', "
        "base_url 'http://127.0.0.1:1/v1', path '../../x.md': shown here, used nowhere."
    )
    assert (said,) == note.remarks


def test_front_matter_that_says_what_is_known_needs_no_remark(root, drop):
    drop("---\nagent: Ann\ndate: 2026-09-14\ntags: [a]\narxiv_id: 2609.19980\n---\nbody")

    assert () == only_note(root).remarks


@pytest.mark.parametrize(
    ("front", "remark"),
    [
        ("agent: &x ann\nb: *x", "Its front matter is read as text: it uses anchors or aliases."),
        ("agent: ann\nagent: bob", "Its front matter is odd: 'agent' stands twice."),
        ("title: A: B", "Its front matter is odd: it is no valid YAML, so its lines are read one by one."),
    ],
)
def test_front_matter_that_is_not_understood_is_said(root, drop, front, remark):
    drop(f"---\n{front}\n---\nbody")

    assert (remark,) == only_note(root).remarks


def test_a_claim_is_shown_on_one_line_and_cut(root, drop):
    drop('---\nagent: "bob\\n\\e[31m' + "x" * 500 + '"\n---\nbody')

    (remark,) = only_note(root).remarks

    assert remark.isprintable()
    assert len(remark) < 300


def test_characters_that_nobody_sees_are_counted(root, drop):
    drop("x\u202e\u202c \U000e0041 \u200b \U0001f469\u200d\U0001f52c")

    assert (
        "It holds 4 characters that nobody sees (direction marks: 2, tags: 1, zero-width characters: 1).",
    ) == only_note(root).remarks

"""The door to a workspace's files: what is listed, read and refused; see test_workspace_writing for what is written."""

import datetime as dt
import hashlib
import os
import socket
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agent.errors import NoteUnreadable, WorkspaceError, WorkspaceMissing
from agent.records import Window
from agent.settings import Settings
from agent.workspace import MAX_NOTE_BYTES, ListedNote, Workspace, shown

DAY = dt.date(2026, 7, 27)
NOTE = "2026-07-27-1100-jay-engineering-filter.md"


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "workspace"
    for name in ("inbox/jay", "organized/knowledge", "paper_cards"):
        (folder / name).mkdir(parents=True)
    return folder


@pytest.fixture
def drop(root):
    """Drop a note into an inbox, last changed at a time given in UTC."""

    def drop(name, content="text", *, agent="jay", changed=None):
        path = root / "inbox" / agent / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        if changed is not None:
            os.utime(path, (changed, changed))
        return path

    return drop


def stamp(year: int, month: int, day: int, hour: int = 0) -> float:
    return dt.datetime(year, month, day, hour, tzinfo=dt.UTC).timestamp()


def one(root: Path, **options: Any) -> ListedNote:
    (listed,) = Workspace.open(root).listing(**options)
    return listed


# Opening.


def test_a_missing_folder_or_inbox_is_named_with_the_next_step(tmp_path):
    (tmp_path / "bare").mkdir()
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "inbox").write_text("")

    for folder in ("nowhere", "bare", "odd", "a\0b"):
        with pytest.raises(WorkspaceMissing, match="agent init") as caught:
            Workspace.open(tmp_path / folder)
        assert caught.value.exit_status == 2


def test_an_inbox_that_leads_elsewhere_is_no_inbox(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "inbox").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(WorkspaceMissing):
        Workspace.open(tmp_path / "workspace")


# Listing.


def test_every_note_is_listed_with_what_its_name_tells(root, drop):
    drop(NOTE)
    drop("2026-07-26-inference-e1prep.md", "another text", agent="tom")

    assert (
        ListedNote(f"inbox/jay/{NOTE}", "jay", DAY, dt.time(11), "jay-engineering-filter"),
        ListedNote("inbox/tom/2026-07-26-inference-e1prep.md", "tom", dt.date(2026, 7, 26), None, "inference-e1prep"),
    ) == Workspace.open(root).listing()
    assert ("jay", "tom") == Workspace.open(root).agents()


def test_only_the_days_asked_for_are_listed(root, drop):
    for day in (24, 25, 27, 28):
        drop(f"2026-07-{day}-a.md")
    drop("undated.md", changed=stamp(2026, 7, 26))
    drop("undated-old.md", changed=stamp(2026, 7, 1))
    window = Window(start=dt.date(2026, 7, 25), end=DAY)

    listed = Workspace.open(root).listing(window=window)

    assert ["2026-07-25-a.md", "2026-07-27-a.md", "undated.md"] == [item.path.split("/")[-1] for item in listed]


def test_a_name_without_a_usable_date_counts_for_the_day_of_its_last_change_in_the_zone_of_the_workspace(root, drop):
    drop("2026-13-40-agents.md", changed=stamp(2026, 7, 26, 18))
    shanghai = one(root)
    utc = Workspace.open(root, settings=Settings(timezone="UTC")).listing()[0]

    assert (DAY, "modified", dt.date(2026, 7, 26)) == (shanghai.date, shanghai.date_source, utc.date)
    assert "counts for 2026-07-27, the day of its last change" in shanghai.remarks[0]


@pytest.mark.parametrize("name", ["2099-01-01-a.md", "1970-01-01-a.md"])
def test_a_date_that_cannot_be_right_is_not_believed(root, drop, name):
    drop(name, changed=stamp(2026, 7, 27, 3))

    assert (DAY, "modified") == (one(root, today=DAY).date, one(root, today=DAY).date_source)


def test_a_day_ahead_is_believed_since_agents_live_in_several_zones(root, drop):
    drop("2026-07-28-a.md")

    assert dt.date(2026, 7, 28) == one(root, today=DAY).date


@pytest.mark.parametrize("changed", [0, -(10**9), stamp(2500, 1, 1)])
def test_a_clock_gone_wrong_hides_no_note(root, drop, changed):
    drop("undated.md", changed=changed)
    today = dt.datetime.now(Settings().zone).date()

    assert today == one(root, today=dt.date(2026, 7, 27), window=Window(start=today, end=today)).date


def test_what_is_no_note_is_named_with_the_reason(root, drop, tmp_path):
    drop("2026-07-27-a.md~")
    drop("2026-07-27-a.sync-conflict-20260727-101010-ABC.md")
    drop("picture.png")
    (root / "inbox" / "jay" / "archive").mkdir()
    (root / "inbox" / "jay" / ".obsidian").mkdir()
    (root / "inbox" / "loose.md").write_text("x")
    (root / "inbox" / "linked").symlink_to(tmp_path)
    (root / "inbox" / "jay" / "link.md").symlink_to("/etc/passwd")
    (root / "inbox" / "jay" / "dangling.md").symlink_to("nowhere")
    os.mkfifo(root / "inbox" / "jay" / "fifo.md")

    listed = {item.path.removeprefix("inbox/"): (item.outcome, item.detail) for item in Workspace.open(root).listing()}

    assert {
        "jay/2026-07-27-a.md~": ("ignored", "left behind by another program"),
        "jay/2026-07-27-a.sync-conflict-20260727-101010-ABC.md": (
            "ignored",
            "a conflict copy of a synchroniser: settle the conflict",
        ),
        "jay/picture.png": ("ignored", "no Markdown file"),
        "jay/archive": ("ignored", "a folder: notes lie in the agent's own folder"),
        "loose.md": ("ignored", "not in the folder of an agent"),
        "linked": ("not_followed", "a link or no regular file"),
        "jay/link.md": ("not_followed", "a link or no regular file"),
        "jay/dangling.md": ("not_followed", "a link or no regular file"),
        "jay/fifo.md": ("not_followed", "a link or no regular file"),
    } == listed


def test_a_folder_linked_into_the_inbox_is_named_every_day(root, tmp_path):
    (root / "inbox" / "linked").symlink_to(tmp_path)

    assert one(root, window=Window(start=DAY, end=DAY)).date is None


def test_a_folder_that_cannot_be_listed_is_named_and_the_rest_goes_on(root, drop, monkeypatch):
    drop(NOTE)
    drop(NOTE, agent="tom")
    real = os.open

    def refuse(path, *arguments, **options):
        if path == "jay":
            raise PermissionError(13, "Permission denied")
        return real(path, *arguments, **options)

    monkeypatch.setattr(os, "open", refuse)
    listed = Workspace.open(root).listing()

    assert [("inbox/jay", "unreadable"), (f"inbox/tom/{NOTE}", None)] == [(item.path, item.outcome) for item in listed]
    assert "Permission denied" in listed[0].detail


def test_an_inbox_that_cannot_be_listed_is_an_error_of_the_workspace(root, monkeypatch):
    workspace = Workspace.open(root)
    (root / "inbox" / "jay").rmdir()
    (root / "inbox").rmdir()

    with pytest.raises(WorkspaceError, match="cannot be listed"):
        workspace.listing()


def test_names_that_differ_only_in_form_or_case_are_two_notes_with_a_hint(root, drop):
    drop("2026-07-27-café.md")
    drop("2026-07-27-cafe\u0301.md")
    drop("2026-07-27-A.md")
    drop("2026-07-27-a.md")
    drop("2026-07-27-b.md")

    listed = Workspace.open(root).listing()

    assert 5 == len(listed)
    assert 4 == sum("same name but for case or Unicode form" in "".join(item.remarks) for item in listed)


class Names(list[str]):
    """A folder with many files, as `os.scandir` shows it."""

    def __enter__(self):
        return iter([SimpleNamespace(name=name, is_dir=lambda **_: False) for name in self])

    def __exit__(self, *exception):
        return None


def test_names_outside_the_window_cost_little(monkeypatch, root):
    names = Names(f"2026-06-{number % 30 + 1:02d}-{number}-notes.md" for number in range(20_000))
    workspace = Workspace.open(root)
    monkeypatch.setattr(Workspace, "agents", lambda _: ())
    monkeypatch.setattr(os, "scandir", lambda _: names)
    started = time.perf_counter()

    assert () == workspace.listing(window=Window(start=DAY, end=DAY))
    assert time.perf_counter() - started < 1  # five seconds for a hundred thousand


@pytest.mark.parametrize(
    "name", ["a\nb.md", "a\x1b]0;b.md", "[red]x[_red].md", "a\u202eb.md", "-rf $(id).md", "a\udcffb.md"]
)
def test_odd_names_are_usable_and_shown_on_one_line(root, drop, name):
    drop(name)
    workspace = Workspace.open(root)
    (listed,) = workspace.listing()

    assert f"inbox/jay/{name}" == workspace.read_note(listed).path
    assert shown(listed.path).isprintable()
    shown(listed.path).encode()


def test_a_name_is_shown_with_only_the_invisible_escaped():
    assert "增量\u3000a\\x1b\\u202e\\n\\udcff\\u200d.md" == shown("增量\u3000a\x1b\u202e\n\udcff\u200d.md")


# Reading.


def test_a_note_is_read_byte_for_byte(root, drop):
    content = b"\xef\xbb\xbf# a\r\nb\rc\xe2\x80\xa8d \xf0\x9f\x98\x80"
    drop(NOTE, content)

    note = Workspace.open(root).read_note(one(root))

    assert "# a\r\nb\rc\u2028d \U0001f600" == note.text
    assert hashlib.sha256(content).hexdigest() == note.sha256
    assert (f"inbox/jay/{NOTE}", "jay", DAY, dt.time(11), "name", "utf-8-sig", ()) == (
        note.path,
        note.agent,
        note.date,
        note.time,
        note.date_source,
        note.encoding,
        note.remarks,
    )


def test_another_encoding_and_a_second_name_on_the_disk_are_remarked(root, drop, tmp_path):
    path = drop(NOTE, "增量：吞吐提升".encode("gb18030"))
    os.link(path, tmp_path / "other")

    note = Workspace.open(root).read_note(one(root))

    assert "增量：吞吐提升" == note.text
    assert ("It was read as GB18030, not as UTF-8.", "The file has 2 names on this disk (hard links).") == note.remarks


def refused(root: Path, listed: ListedNote | None = None) -> str:
    workspace = Workspace.open(root)
    with pytest.raises(NoteUnreadable, match="inbox/jay/") as caught:
        workspace.read_note(listed or workspace.listing()[0])
    return caught.value.outcome


def test_what_cannot_be_read_says_why(root, drop, tmp_path, monkeypatch):
    path = drop(NOTE, b"\x89PNG\0")
    assert "not_text" == refused(root)
    path.write_bytes("é".encode("latin-1"))
    assert "unreadable" == refused(root)
    path.write_bytes(b"")
    os.truncate(path, 10 * 2**30)  # sparse
    assert "too_large" == refused(root)
    listed = one(root)
    path.unlink()
    assert "gone" == refused(root, listed)
    path.symlink_to(tmp_path)
    assert "not_followed" == refused(root, listed)
    path.unlink()
    os.mkfifo(path)
    assert "not_followed" == refused(root, listed)
    path.unlink()
    with socket.socket(socket.AF_UNIX) as door:
        monkeypatch.chdir(path.parent)  # the address of a socket is short
        door.bind(path.name)
    assert "not_followed" == refused(root, listed)
    path.unlink()
    path.mkdir()
    assert "not_followed" == refused(root, listed)


def test_a_note_at_the_limit_is_read_and_one_above_is_named_with_its_size(root, drop):
    path = drop(NOTE, b"x" * MAX_NOTE_BYTES)
    workspace = Workspace.open(root)

    assert MAX_NOTE_BYTES == len(workspace.read_note(one(root)).text)
    path.write_bytes(b"x" * (MAX_NOTE_BYTES + 1))
    with pytest.raises(NoteUnreadable, match="2,000,001 bytes"):
        workspace.read_note(one(root))


def test_an_agent_folder_turned_into_a_link_is_not_followed(root, drop, tmp_path):
    drop(NOTE)
    listed = one(root)
    (root / "inbox" / "jay").rename(tmp_path / "moved")
    (root / "inbox" / "jay").symlink_to(tmp_path / "moved")

    assert "not_followed" == refused(root, listed)


@pytest.mark.parametrize("change", ["append", "touch"])
def test_a_note_that_changes_while_it_is_read_is_left_alone(root, drop, monkeypatch, change):
    path = drop(NOTE, "one", changed=stamp(2026, 7, 27))
    real = os.read

    def read(descriptor, size):
        chunk = real(descriptor, size)
        if not chunk and change == "append":
            with path.open("a") as file:
                file.write("more")
        os.utime(path)
        return chunk

    listed = one(root)
    monkeypatch.setattr(os, "read", read)

    assert "being_written" == refused(root, listed)


def test_a_note_without_read_permission_is_named_unreadable(root, drop, monkeypatch):
    drop(NOTE)
    listed = one(root)
    real = os.open

    def refuse(path, *arguments, **options):
        if path == NOTE:
            raise PermissionError(13, "Permission denied")
        return real(path, *arguments, **options)

    monkeypatch.setattr(os, "open", refuse)

    assert "unreadable" == refused(root, listed)


def test_a_note_is_found_by_its_path_and_by_its_place_in_the_workspace(root, drop, monkeypatch, tmp_path):
    path = drop(NOTE)
    outside = tmp_path / "notes" / "2026-07-27-x.md"
    outside.parent.mkdir()
    outside.write_text("outside")
    monkeypatch.chdir(root.parent)
    workspace = Workspace.open(Path("workspace"))
    expected = workspace.listing()[0]

    for way in (path, f"workspace/inbox/jay/{NOTE}", f"inbox/jay/{NOTE}", f"notes/../workspace/inbox/jay/{NOTE}"):
        assert expected == workspace.find(way)
    found = workspace.find("notes/2026-07-27-x.md")
    assert (str(outside), "notes", DAY) == (found.path, found.agent, found.date)
    assert "outside" == workspace.read_note(found).text


@pytest.mark.parametrize("way", ["inbox/jay/none.md", "", "a\0b", "x" * 5000])
def test_a_note_that_is_not_there_is_named(root, way):
    workspace = Workspace.open(root)
    with pytest.raises(NoteUnreadable):
        workspace.read_note(workspace.find(way))


# What is known already.


def test_living_documents_are_read_in_order_and_a_broken_one_is_a_problem(root):
    knowledge = root / "organized" / "knowledge"
    (knowledge / "llm-infra.md").write_text("# infra\n\n## 1 a\n")
    (knowledge / "agents.md").write_text("# agents\n\n## 1 a\n")
    (knowledge / "agents.md~").write_text("old")
    (knowledge / "broken.md").write_bytes(b"\0")
    (knowledge / "linked.md").symlink_to("/etc/passwd")
    (knowledge / "notes.txt").write_text("x")
    workspace = Workspace.open(root)

    documents = workspace.documents()

    assert ["agents.md", "llm-infra.md"] == [document.name for document in documents]
    assert hashlib.sha256(b"# agents\n\n## 1 a\n").hexdigest() == documents[0].sha256
    linked, broken = workspace.problems
    assert "organized/knowledge/linked.md" in linked
    assert "organized/knowledge/broken.md" in broken


def test_a_workspace_without_living_documents_says_so(root):
    (root / "organized" / "knowledge").rmdir()
    workspace = Workspace.open(root)

    assert () == workspace.documents()
    assert "organized/knowledge" in workspace.problems[0]


def test_cards_give_the_identifiers_in_their_names(root):
    for name in ("606-2607-21848.md", "12-2601-00001.md", "reading-list.md", "606-2607-21849.txt"):
        (root / "paper_cards" / name).write_text("")
    (root / "paper_cards" / "7-2607-11111.md").mkdir()

    assert frozenset({"2607.21848", "2601.00001"}) == Workspace.open(root).cards()


def test_paths_of_all_notes_of_all_days_are_given(root, drop):
    drop("2020-01-01-old.md")
    drop("b.md", agent="tom")
    drop("b.md.swp", agent="tom")
    drop("x.txt")

    assert ("inbox/jay/2020-01-01-old.md", "inbox/tom/b.md") == Workspace.open(root).note_paths()

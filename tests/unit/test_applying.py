"""Applying a handoff: only what was chosen, only as it was offered, byte for byte, and taken back when wanted."""

import codecs
import json
import os
from pathlib import Path
from typing import Any

import filelock
import pytest

from agent import applying
from agent.applying import apply, load_handoff, offers, undo
from agent.errors import OutputUnwritable, SettingsError, StoreError
from agent.handoffs import Handoff, Operation
from agent.record import as_json
from agent.records import Evidence, Register
from agent.workspace import Workspace
from tests.offering import NAME, NOW, TEXT, finding, handed, path_of, placed, shelved, two


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A workspace with one living document."""
    return shelved(tmp_path)


def saved(workspace: Workspace, handoff: Handoff, name: str = "handoff.json") -> Path:
    path = workspace.root / name
    path.write_text(as_json(handoff), encoding="utf-8")
    return path


# --- loading ----------------------------------------------------------------------------------------------------------


def test_a_handoff_is_found_by_its_path_and_by_its_name_in_the_workspace(workspace):
    handoff = two(workspace)
    path = saved(workspace, handoff)
    assert handoff == load_handoff(path, workspace)
    assert handoff == load_handoff(Path("handoff.json"), workspace)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no handoff of this version"),
        (b"\xff\xfe", "no handoff of this version"),
        (b"[" * 100_000, "no handoff of this version"),
        (b"{}", "schema_version"),
        (b'{"schema_version": 2, "news": 1}', "handoff of version 2"),
        (b'{"schema_version": 1}', "date: Field required"),
        (b'{"findings": []}', "no handoff of this version"),
    ],
)
def test_what_is_no_handoff_is_refused_in_one_sentence(workspace, content, said):
    path = workspace.root / "handoff.json"
    path.write_bytes(content)
    with pytest.raises(SettingsError, match=said) as raised:
        load_handoff(path, workspace)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", ["none.json", "n" * 300, "a\0b", "none/none.json", "inbox", "link.json"])
def test_a_handoff_that_cannot_be_read_is_a_clear_error(workspace, name):
    (workspace.root / "link.json").symlink_to(saved(workspace, two(workspace)))
    with pytest.raises(SettingsError, match="handoff"):
        load_handoff(Path(name), workspace)


# --- offering ---------------------------------------------------------------------------------------------------------


def test_offers_show_what_would_change_and_change_nothing(workspace):
    handoff = two(workspace)
    shown = offers(workspace, handoff)
    assert [one.diff for one in handoff.operations] == [one.diff for one in shown]
    assert ["", ""] == [one.why_not for one in shown]
    assert TEXT.encode() == path_of(workspace).read_bytes()
    assert not (workspace.root / "state").exists()


def test_an_operation_that_is_not_in_the_handoff_is_named(workspace):
    with pytest.raises(SettingsError, match="'op-none'"):
        offers(workspace, two(workspace), ["op-none"])
    with pytest.raises(SettingsError, match="'op-none'"):
        apply(workspace, two(workspace), ["op-none"], now=NOW)


# --- applying ---------------------------------------------------------------------------------------------------------


def test_all_operations_are_applied_as_one_change(workspace):
    handoff = two(workspace)
    done = apply(workspace, handoff, [], now=NOW)
    (change,) = done.changes
    assert (1, NOW, tuple(one.id for one in handoff.operations)) == (change.number, change.at, change.operations)
    assert () == done.refused
    text = path_of(workspace).read_text(encoding="utf-8")
    assert "块表。\n\n- **Limits per session**：" in text
    assert "```\n\n### 2.3 Limits per session\n\n" in text


def test_operations_of_a_handoff_are_applied_one_after_the_other(workspace):
    handoff = two(workspace)
    first, second = (one.id for one in handoff.operations)
    apply(workspace, handoff, [second], now=NOW)
    apply(workspace, handoff, [first], now=NOW)
    one_by_one = path_of(workspace).read_bytes()
    undo(workspace)
    undo(workspace)
    apply(workspace, handoff, [], now=NOW)
    assert one_by_one == path_of(workspace).read_bytes()


def test_nothing_is_applied_twice(workspace):
    handoff = two(workspace)
    apply(workspace, handoff, [], now=NOW)
    before = path_of(workspace).read_bytes()
    again = apply(workspace, handoff, [], now=NOW)
    assert () == again.changes
    assert all("applied already, by change 1 on 2026-09-14" in one.why for one in again.refused)
    fresh = handed(workspace, finding(placed("2.1"), id="a"))
    assert "applied already" in offers(workspace, fresh)[0].why_not
    assert before == path_of(workspace).read_bytes()


def test_what_was_taken_back_can_be_applied_again(workspace):
    handoff = two(workspace)
    for _ in range(3):
        assert apply(workspace, handoff, [], now=NOW).changes
        undo(workspace)
    assert TEXT.encode() == path_of(workspace).read_bytes()


def test_a_document_that_somebody_changed_is_not_touched(workspace):
    handoff = two(workspace)
    path_of(workspace).write_bytes(TEXT.encode() + b"x")
    done = apply(workspace, handoff, [], now=NOW)
    assert () == done.changes
    assert ["changed since the handoff" in one.why for one in done.refused] == [True, True]
    assert TEXT.encode() + b"x" == path_of(workspace).read_bytes()


def test_a_change_between_two_of_ours_is_seen(workspace):
    handoff = two(workspace)
    apply(workspace, handoff, [handoff.operations[0].id], now=NOW)
    path_of(workspace).write_bytes(path_of(workspace).read_bytes() + b"x")
    assert "changed since" in apply(workspace, handoff, [handoff.operations[1].id], now=NOW).refused[0].why
    with pytest.raises(SettingsError, match="changed since change 1"):
        undo(workspace)


def test_one_refused_operation_keeps_no_other_from_being_applied(workspace):
    handoff = handed(
        workspace, finding(placed("9.9"), id="a"), finding(placed("2.1"), id="b"), finding(placed("1", name="n.md"), id="c")
    )  # fmt: skip
    done = apply(workspace, handoff, [], now=NOW)
    assert 1 == len(done.changes)
    assert ["没有小节 9.9", "没有活文档 n.md"] == [
        one.why[len(NAME) + 1 :][:8] if "小节" in one.why else one.why[:10] for one in done.refused
    ]


def test_two_that_want_one_register_number_do_not_both_get_it(workspace):
    entry = Register(kind="C", number=9, text="x", document=NAME)
    handoff = handed(workspace, finding(id="a", registers=[entry]), finding(id="b", registers=[entry]))
    done = apply(workspace, handoff, [], now=NOW)
    assert 1 == len(done.changes[0].operations)
    assert "register number was taken" in done.refused[0].why
    assert 1 == path_of(workspace).read_text(encoding="utf-8").count("C9 ")


def test_a_document_that_somebody_saves_just_now_is_kept(workspace, monkeypatch):
    handoff = two(workspace)
    keep = applying._keep

    def saving(*given: Any) -> None:
        keep(*given)
        path_of(workspace).write_bytes(b"theirs")

    monkeypatch.setattr(applying, "_keep", saving)
    with pytest.raises(OutputUnwritable, match="just now"):
        apply(workspace, handoff, [], now=NOW)
    assert b"theirs" == path_of(workspace).read_bytes()
    assert "changed since" in offers(workspace, handoff)[0].why_not


# --- bytes ------------------------------------------------------------------------------------------------------------

WRITTEN = {
    "utf-8": lambda text: text.encode(),
    "utf-8 with a mark": lambda text: codecs.BOM_UTF8 + text.encode(),
    "utf-16-le": lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
    "utf-16-be": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
    "utf-32-le": lambda text: codecs.BOM_UTF32_LE + text.encode("utf-32-le"),
    "gbk": lambda text: text.encode("gbk"),
}
ENDS = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("encoding", WRITTEN)
def test_every_byte_outside_an_operation_stays_in_any_encoding(workspace, encoding, end):
    text = TEXT.replace("·", "-").replace("–", "-").rstrip("\n").replace("\n", ENDS[end])
    before = WRITTEN[encoding](text)
    path_of(workspace).write_bytes(before)
    handoff = two(workspace)
    assert 2 == len(apply(workspace, handoff, [], now=NOW).changes[0].operations)
    made = path_of(workspace).read_bytes()
    for line in text.split(ENDS[end]):
        assert WRITTEN[encoding](line).removeprefix(WRITTEN[encoding]("")) in made
    news = [one.new.replace("\n", ENDS[end]) for one in handoff.operations]
    at = sorted((one.start, new) for one, new in zip(handoff.operations, news, strict=True))
    (first, one), (second, other) = at
    codec = "gb18030" if encoding == "gbk" else encoding.split(" ")[0]
    mark = WRITTEN[encoding]("")
    expected = mark + (text[:first] + one + text[first:second] + other + text[second:]).encode(codec)
    assert expected == made
    undo(workspace)
    assert before == path_of(workspace).read_bytes()


def test_bytes_that_would_not_come_back_are_not_touched(workspace):
    odd = TEXT.replace("·", "-").replace("–", "-").encode("gb18030") + b"\x80"
    path_of(workspace).write_bytes(odd)
    handoff = handed(workspace, finding(placed("2.1")))
    assert () == apply(workspace, handoff, [], now=NOW).changes
    assert odd == path_of(workspace).read_bytes()


def test_a_character_that_the_encoding_cannot_hold_is_named(workspace):
    handoff = two(workspace)
    bad = handoff.operations[0].model_copy(update={"text": "- \ud800"})
    done = apply(workspace, handoff.model_copy(update={"operations": (bad,)}), [], now=NOW)
    assert "has no '\\ud800'" in done.refused[0].why
    assert TEXT.encode() == path_of(workspace).read_bytes()


def test_the_permissions_of_a_document_stay(workspace):
    path_of(workspace).chmod(0o640)
    apply(workspace, two(workspace), [], now=NOW)
    assert 0o640 == path_of(workspace).stat().st_mode & 0o777


def test_45_rounds_change_nothing_but_what_they_say_and_can_all_be_taken_back(workspace):
    first = path_of(workspace).read_bytes()
    states = [first]
    for number in range(45):
        action = ("append", "new_subsection", "replace_row", "register")[number % 4]
        more: dict[str, Any] = {"id": f"i{number}", "title": f"Round {number}"}
        if action == "register":
            more["registers"] = [Register(kind="C", number=9 + number // 4, text=f"第 {number} 轮", document=NAME)]
        elif action == "replace_row":
            measure = {"value": 121 + number, "comparator": "=", "unit": "tok/s", "metric": "吞吐", "subject": "vLLM"}
            more["measures"] = [{**measure, "evidence": Evidence(note="n", start=0, end=1, quote="x", line=1)}]
        places = [placed(("2.1", "2.2", "2", "3")[number % 4 if action == "replace_row" else number % 3], action)]
        handoff = handed(workspace, finding(*([] if action == "register" else places), **more))
        (operation,) = handoff.operations
        text = path_of(workspace).read_text(encoding="utf-8")
        sections = [one.heading for one in workspace.documents()[0].sections]
        assert 1 == len(apply(workspace, handoff, [operation.id], now=NOW).changes)
        made = path_of(workspace).read_text(encoding="utf-8")
        assert text[: operation.start] + operation.new + text[operation.end :] == made
        after = [one.heading for one in workspace.documents()[0].sections]
        assert sections == [one for one in after if one in sections]
        assert len(sections) + (operation.action == "new_subsection") == len(after)
        states.append(path_of(workspace).read_bytes())
    assert {"C": 19} == workspace.documents()[0].registers
    for state in reversed(states[:-1]):
        undo(workspace)
        assert state == path_of(workspace).read_bytes()
    with pytest.raises(SettingsError, match="nothing to take back"):
        undo(workspace)


# --- hostile handoffs -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["../../inbox/x.md", "/etc/passwd", "a/../../x.md", "..\\x.md", ".hidden.md", "x.txt", "x\0.md", "", "link.md",
     "folder.md", "fifo.md", "n" * 300 + ".md", "x\n.md", "agent.toml"],
)  # fmt: skip
def test_a_handoff_reaches_no_file_but_living_documents(workspace, name):
    target = workspace.root / "inbox" / "x.md"
    target.write_bytes(TEXT.encode())
    path_of(workspace, "link.md").symlink_to(target)
    path_of(workspace, "folder.md").mkdir()
    os.mkfifo(path_of(workspace, "fifo.md"))
    handoff = two(workspace)
    moved = tuple(one.model_copy(update={"document": name}) for one in handoff.operations)
    done = apply(workspace, handoff.model_copy(update={"operations": moved}), [], now=NOW)
    assert () == done.changes
    assert 2 == len(done.refused)
    assert TEXT.encode() == target.read_bytes() == path_of(workspace).read_bytes()


def test_a_link_in_the_way_is_not_followed(workspace, tmp_path_factory):
    handoff = two(workspace)
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / NAME).write_bytes(TEXT.encode())
    path_of(workspace).unlink()
    path_of(workspace).parent.rmdir()
    path_of(workspace).parent.symlink_to(elsewhere)
    assert () == apply(workspace, handoff, [], now=NOW).changes
    assert TEXT.encode() == (elsewhere / NAME).read_bytes()


@pytest.mark.parametrize(
    "forged",
    [
        {"old": "", "action": "replace_row"},
        {"old": "块表。", "action": "replace_row", "section": "2.1"},
        {"action": "register", "register_entry": None, "section": "C9"},
        {"section": ""},
        {"text": "", "section": "nowhere"},
        {"start": 10**9, "end": 10**9, "section": "x"},
    ],
)
def test_a_forged_operation_finds_no_place(workspace, forged):
    handoff = two(workspace)
    operation = handoff.operations[0].model_copy(update=forged)
    done = apply(workspace, handoff.model_copy(update={"operations": (operation,)}), [], now=NOW)
    assert ((), 1) == (done.changes, len(done.refused))
    assert TEXT.encode() == path_of(workspace).read_bytes()


# --- the log ----------------------------------------------------------------------------------------------------------


def test_a_log_that_cannot_be_read_stops_everything(workspace):
    handoff = two(workspace)
    (workspace.state_folder / applying.LOG).write_bytes(b"{")
    for command in (
        lambda: offers(workspace, handoff),
        lambda: apply(workspace, handoff, [], now=NOW),
        lambda: undo(workspace),
    ):
        with pytest.raises(StoreError, match="move it away"):
            command()
    assert TEXT.encode() == path_of(workspace).read_bytes()


@pytest.mark.parametrize("content", [None, b"forged"])
def test_bytes_that_are_not_kept_any_more_are_not_put_back(workspace, content):
    apply(workspace, two(workspace), [], now=NOW)
    made = path_of(workspace).read_bytes()
    (kept,) = (workspace.state_folder / applying.BACKUPS).iterdir()
    kept.unlink()
    if content is not None:
        kept.write_bytes(content)
    with pytest.raises(StoreError, match="no longer"):
        undo(workspace)
    assert made == path_of(workspace).read_bytes()


def test_two_commands_do_not_write_at_once(workspace, monkeypatch):
    monkeypatch.setattr(applying, "_WAIT_SECONDS", 0.05)
    with filelock.FileLock(workspace.lock_folder / applying.LOCK), pytest.raises(StoreError, match="Another process"):
        apply(workspace, two(workspace), [], now=NOW)
    assert TEXT.encode() == path_of(workspace).read_bytes()


def test_changes_of_several_documents_are_taken_back_in_their_order(workspace):
    path_of(workspace, "other.md").write_bytes(b"## 1. a\r\n")
    handoff = handed(workspace, finding(placed("2.1")), finding(placed("1", name="other.md"), id="b"))
    done = apply(workspace, handoff, [], now=NOW)
    assert [(1, NAME), (2, "other.md")] == [(one.number, one.document) for one in done.changes]
    assert ["other.md", NAME] == [undo(workspace).changes[0].document for _ in range(2)]
    assert b"## 1. a\r\n" == path_of(workspace, "other.md").read_bytes()
    log = json.loads((workspace.state_folder / applying.LOG).read_bytes())
    assert [True, True] == [one["is_undone"] for one in log["changes"]]


def test_operations_survive_being_written_and_read(workspace):
    handoff = two(workspace)
    read = load_handoff(saved(workspace, handoff), workspace)
    assert isinstance(read.operations[0], Operation)
    assert apply(workspace, read, [], now=NOW).changes

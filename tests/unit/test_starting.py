"""A new workspace is made whole or not at all, and never over anything."""

import re
import tomllib
from pathlib import Path
from typing import IO, Any

import pytest

import agent
from agent.errors import OutputUnwritable, WorkspaceError
from agent.settings import Settings, load_settings
from agent.starting import AGENT_TOML, start_workspace

EXAMPLE = Path(agent.__file__).parent / "example"


def tree(folder: Path) -> dict[str, bytes | None]:
    """Everything below a folder; None for folders."""
    return {
        path.relative_to(folder).as_posix(): None if path.is_dir() else path.read_bytes() for path in folder.rglob("*")
    }


def uncommented(text: str) -> str:
    return re.sub(r"^# (?=\[|[a-z_]+ = )", "", text, flags=re.MULTILINE)


def test_a_new_workspace_has_the_folders_and_a_commented_settings_file(tmp_path: Path) -> None:
    made = start_workspace(tmp_path / "new", with_example=False)
    assert made == ("inbox/", "organized/", "organized/knowledge/", "paper_cards/", "agent.toml")
    assert tree(tmp_path / "new") == {
        "inbox": None,
        "organized": None,
        "organized/knowledge": None,
        "paper_cards": None,
        "agent.toml": AGENT_TOML.encode(),
    }


def test_the_example_is_copied_byte_for_byte(tmp_path: Path) -> None:
    made = start_workspace(tmp_path / "new", with_example=True)
    assert tree(tmp_path / "new") == tree(EXAMPLE)
    assert sorted(made) == sorted(path + ("/" if content is None else "") for path, content in tree(EXAMPLE).items())


def test_an_empty_folder_is_filled_in_place(tmp_path: Path) -> None:
    """A shell that stands in the folder still stands in it afterwards."""
    target = tmp_path / "mine"
    target.mkdir()
    before = target.stat().st_ino
    start_workspace(target, with_example=False)
    assert target.stat().st_ino == before
    assert (target / "agent.toml").is_file()


def test_the_current_folder_can_be_named_by_a_dot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    start_workspace(Path(), with_example=False)
    assert (tmp_path / "inbox").is_dir()


def test_missing_parents_are_made(tmp_path: Path) -> None:
    start_workspace(tmp_path / "a" / "b" / "c", with_example=False)
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["c"]


@pytest.mark.parametrize("with_example", [True, False])
@pytest.mark.parametrize("held", ["notes.txt", ".hidden"])
def test_a_folder_that_holds_something_is_refused_by_name_and_left_alone(
    tmp_path: Path, held: str, *, with_example: bool
) -> None:
    target = tmp_path / "mine"
    target.mkdir()
    (target / held).write_text("mine")
    with pytest.raises(WorkspaceError, match=re.escape(repr(str(target)))) as refusal:
        start_workspace(target, with_example=with_example)
    assert repr(held) in str(refusal.value)
    assert tree(target) == {held: b"mine"}


def test_a_second_start_is_refused(tmp_path: Path) -> None:
    start_workspace(tmp_path / "new", with_example=True)
    before = tree(tmp_path)
    with pytest.raises(OutputUnwritable):
        start_workspace(tmp_path / "new", with_example=False)
    assert tree(tmp_path) == before


def test_a_file_and_a_dangling_link_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for held in ("file", "link"):
        with pytest.raises(OutputUnwritable, match="is no folder"):
            start_workspace(tmp_path / held, with_example=False)
    assert (tmp_path / "file").read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("name", ["file/below", "x" * 300, "nul\0byte"])
def test_a_place_that_cannot_be_written_is_named_and_nothing_is_left(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OutputUnwritable, match="No workspace can be started at"):
        start_workspace(tmp_path / name, with_example=False)
    assert tree(tmp_path) == {"file": b"mine"}


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_start_that_fails_midway_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException, *, is_there: bool
) -> None:
    target = tmp_path / "parent" / "new"
    if is_there:
        target.mkdir(parents=True)
    before = tree(tmp_path)
    opened = Path.open

    def full(path: Path, mode: str = "r") -> IO[Any]:
        if mode == "xb" and path.name == "llm-infra.md":
            raise failure
        return opened(path, mode)

    monkeypatch.setattr(Path, "open", full)
    expected = OutputUnwritable if isinstance(failure, OSError) else KeyboardInterrupt
    with pytest.raises(expected):
        start_workspace(target, with_example=True)
    assert tree(tmp_path) == before


@pytest.mark.parametrize("is_there", [True, False])
def test_what_somebody_else_puts_there_meanwhile_survives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_there: bool
) -> None:
    target = tmp_path / "new"
    if is_there:
        target.mkdir()
    make = Path.mkdir

    def slow(path: Path, *arguments: Any, **options: Any) -> None:
        make(path, *arguments, **options)
        if path.name == "paper_cards":
            make(target / "inbox", parents=True, exist_ok=True)
            (target / "inbox" / "theirs.md").write_text("theirs")
            (target / "agent.toml").write_text("theirs")

    monkeypatch.setattr(Path, "mkdir", slow)
    with pytest.raises(OutputUnwritable, match=re.escape(repr(str(target)))):
        start_workspace(target, with_example=False)
    theirs = {"agent.toml": b"theirs", "inbox": None, "inbox/theirs.md": b"theirs"}
    assert tree(target) == theirs
    assert tree(tmp_path).keys() == {"new", *(f"new/{path}" for path in theirs)}


def test_the_commented_settings_change_nothing(tmp_path: Path) -> None:
    start_workspace(tmp_path / "new", with_example=False)
    assert load_settings(tmp_path / "new", flags={}, environ={}) == load_settings(None, flags={}, environ={})


def test_the_commented_settings_are_right_when_the_marks_are_taken_away(tmp_path: Path) -> None:
    text = uncommented(AGENT_TOML)
    (tmp_path / "agent.toml").write_text(text)
    settings = load_settings(tmp_path, flags={}, environ={})
    shown = {"timezone", "language", "days", "stale_days", "late_minutes", "own_agent"}
    assert set(tomllib.loads(text)) == shown | {"agents", "topics", "budget_tokens", "batons", "stale_days_by_topic"}
    for name in shown:
        assert getattr(settings, name) == getattr(Settings(), name)

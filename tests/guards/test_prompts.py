"""Prompts and their lock: each file is sound, and no text changes without its version."""

from pathlib import Path

import pytest

from agent import replies
from agent.asking.prompts import LOCK_FILE, check_lock, load_prompt, write_lock
from agent.errors import PromptError
from tests.sources import ROOT

PROMPTS = ROOT / "prompts"


def problems(folder: Path) -> list[str]:
    """Return what is wrong with the prompts of a folder, one sentence each."""
    found, answered = [], set()
    for path in sorted(folder.iterdir()):
        if path.suffix != ".md":
            found += [] if path.name == LOCK_FILE else [f"{path.name} is neither a prompt nor their lock"]
            continue
        try:
            answered.add(load_prompt(path.stem, folder=folder).reply)
        except PromptError as error:
            found.append(str(error))
    asked = {each for each in vars(replies).values() if isinstance(each, type) and issubclass(each, replies.Reply)}
    found += [
        f"{each.__name__} is the reply to no prompt"
        for each in sorted(asked - answered - {replies.Reply}, key=str)
        if each.__name__.endswith("Reply")
    ]
    return found or list(check_lock(folder))


def test_prompts_are_sound_and_locked():
    found = problems(PROMPTS)

    assert not found, "\n".join(found)


@pytest.fixture
def folder(tmp_path):
    """A copy of the prompts, locked, to be spoilt."""
    for path in PROMPTS.glob("*.md"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    write_lock(tmp_path)
    return tmp_path


def _edit(folder: Path, old: str, new: str) -> None:
    path = folder / "place_increment.md"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_locked_prompts_have_no_problem(folder):
    assert problems(folder) == []


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("# user", "# user\nOne more word.", "has changed and is still version"),
        ("id: place_increment", "id: placing", "calls itself 'placing'"),
        ("reply: PlaceReply", "reply: PlacedReply", "'PlacedReply', which agent.replies does not have"),
        ("reply: PlaceReply", "reply: FindReply", "PlaceReply is the reply to no prompt"),
        ("# user", "# user\n{{ undeclared }}", "uses 'undeclared'"),
        ("inputs: [", "inputs: [unheard_of, ", "declares 'unheard_of'"),
    ],
)
def test_a_spoilt_prompt_is_named(folder, old, new, named):
    _edit(folder, old, new)

    assert named in "\n".join(problems(folder))


def test_a_prompt_outside_the_lock_and_a_locked_one_that_left_are_named(folder):
    write_lock(folder)
    (folder / LOCK_FILE).write_text(
        (folder / LOCK_FILE).read_text().replace("[place_increment]", "[place_section]"), encoding="utf-8"
    )

    found = "\n".join(problems(folder))

    assert "'place_increment' is missing from lock.toml" in found
    assert "'place_section' is locked and has no file" in found


def test_a_file_that_is_no_prompt_is_named(folder):
    (folder / "place_increment-v2.txt").write_text("")

    assert problems(folder) == ["place_increment-v2.txt is neither a prompt nor their lock"]

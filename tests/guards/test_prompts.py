"""Prompts and their lock: each file is sound, its examples tell the truth, and no text changes without its version."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from agent import replies
from agent.asking.prompts import LOCK_FILE, Prompt, check_lock, load_prompt, write_lock
from agent.errors import PromptError
from agent.extracting.support import unsupported
from agent.replies import Reply
from tests.sources import ROOT

PROMPTS = ROOT / "prompts"
NOTES = (ROOT / "agent" / "example", ROOT / "tests" / "gold")
_SHOWN = re.compile(r"^\[(\d+)(?:-(\d+))?\]", re.MULTILINE)
_KEY = re.compile(r"[A-Z]\d?|none")


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


def untruths(prompt: Prompt, notes: Mapping[str, str]) -> list[str]:
    """Return what the examples of a prompt teach that does not stand in them, and canaries that stand in a note."""
    found = []
    for number, (example, answer) in enumerate(prompt.examples, start=1):
        reply = prompt.reply.model_validate_json(answer, strict=True)
        found += [f"{prompt.prompt_id}, example {number}: {wrong}" for wrong in _not_borne_out(reply, example)]
    for name in prompt.canaries:
        if not any(name in example for example, _ in prompt.examples):
            found.append(f"{prompt.prompt_id}: canary {name!r} stands in no example")
        found += [
            f"{prompt.prompt_id}: canary {name!r} stands in {path}" for path, text in notes.items() if name in text
        ]
    return found


def _not_borne_out(reply: Reply, example: str) -> Iterator[str]:
    """What a reply says that its example does not: words, numbers of units, keys of lines."""
    shown = {number for pair in _SHOWN.findall(example) for number in pair if number}
    keys = {line.partition(" ")[0] for line in example.splitlines()} | {"none"}
    for name, field in type(reply).model_fields.items():
        value = getattr(reply, name)
        if field.annotation is str and (_KEY.fullmatch(value) or name in {"section", "line"}):
            yield from () if value in keys else (f"{name} is {value!r}, which no line has",)
        elif field.annotation is str:
            yield from (f"{name} says {foreign!r}" for foreign in unsupported(value, by=example))
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, Reply):
                yield from _not_borne_out(each, example)
            elif isinstance(each, int) and not isinstance(each, bool) and str(each) not in shown:
                yield f"{name} cites {each}, which no unit has"


def _notes() -> dict[str, str]:
    paths = [path for folder in NOTES for path in sorted(folder.rglob("*.md"))]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8", errors="replace") for path in paths}


def test_examples_say_what_stands_in_them_and_their_names_stand_in_no_note():
    notes = _notes()
    prompts = [load_prompt(path.stem, folder=PROMPTS) for path in sorted(PROMPTS.glob("*.md"))]
    found = [untruth for prompt in prompts for untruth in untruths(prompt, notes)]

    assert notes
    assert all(prompt.canaries for prompt in prompts if prompt.examples)
    assert not found, "\n".join(found)


HEADER = "version: 1\nmax_tokens: 9\ntemperature: 0.0\ninputs: []\ncanaries: [Quellmark]\n"
PLACING = f"""---
id: where
reply: PlaceReply
{HEADER}---
# system
Say where.
# example
A · serving.md 2.1 Order
A1 Quellmark serves requests in order.
# answer
{{"section":"A","line":"A1","relation":"new","action":"append"}}
# user
Where?
"""
FINDING = f"""---
id: what
reply: FindReply
{HEADER}---
# system
Say what.
# example
[2] Nothing yet.
[3-4] Quellmark cuts latency from 348 ms to 212 ms.
# answer
{{"findings":[{{"first":3,"last":4,"title":"Quellmark cuts latency from 348 ms to 212 ms"}}]}}
# user
What?
"""


def _untruths(folder: Path, text: str, old: str, new: str, notes: Mapping[str, str]) -> str:
    """Return what is wrong with a prompt of one example after a change."""
    assert old in text
    name = "where" if text == PLACING else "what"
    (folder / f"{name}.md").write_text(text.replace(old, new), encoding="utf-8")
    return "\n".join(untruths(load_prompt(name, folder=folder), notes))


def test_a_true_example_has_no_fault(tmp_path):
    assert "" == _untruths(tmp_path, PLACING, "Say", "Say", {"a.md": "Mora"})
    assert "" == _untruths(tmp_path, FINDING, "Say", "Say", {"a.md": "Mora"})


@pytest.mark.parametrize(
    ("text", "old", "new", "named"),
    [
        (PLACING, '"section":"A"', '"section":"B"', "section is 'B', which no line has"),
        (PLACING, '"line":"A1"', '"line":"A2"', "line is 'A2', which no line has"),
        (FINDING, '"first":3', '"first":1', "first cites 1, which no unit has"),
        (FINDING, 'from 348 ms to 212 ms"', 'from 348 ms to 211 ms"', "title says '211'"),
        (FINDING, 'from 348 ms to 212 ms"', 'from 212 ms to 348 ms"', "title says '212 → 348'"),
        (FINDING, 'ms to 212 ms"', 'ms to 212 s"', "title says '212 s'"),
        (FINDING, '"Quellmark cuts', '"RingKV cuts', "title says 'RingKV'"),
        (FINDING, "] Quellmark", "] It", "canary 'Quellmark' stands in no example"),
    ],
)
def test_an_example_whose_answer_is_not_borne_out_is_named(tmp_path, text, old, new, named):
    assert named in _untruths(tmp_path, text, old, new, {})


def test_a_canary_that_stands_in_a_note_is_named(tmp_path):
    found = _untruths(tmp_path, FINDING, "Say", "Say", {"a.md": "Mora", "b.md": "It is Quellmark."})

    assert "what: canary 'Quellmark' stands in b.md" == found


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
        ("reply: PlaceReply", "reply: FindReply", "is no FindReply"),
        ("# user", "# user\n{{ undeclared }}", "uses 'undeclared'"),
        ("inputs: [", "inputs: [unheard_of, ", "declares 'unheard_of'"),
    ],
)
def test_a_spoilt_prompt_is_named(folder, old, new, named):
    _edit(folder, old, new)

    assert named in "\n".join(problems(folder))


def test_a_reply_that_no_prompt_asks_for_is_named(folder):
    for path in folder.glob("place_increment*.md"):
        path.unlink()

    assert "PlaceReply is the reply to no prompt" in "\n".join(problems(folder))


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

"""`agent extract` gives one note as JSON, wherever the note was named from."""

import json
from pathlib import Path

import pytest

from agent.records import Extraction
from tests.cli.conftest import Run

NOTE = "inbox/jay/2026-09-14-1100-jay-engineering-filter.md"
NONE = ("--engine", "none")


def test_a_note_of_the_workspace_becomes_json_on_standard_output(run: Run, example: Path) -> None:
    ran = run("extract", NOTE, "-w", example, *NONE)

    extraction = Extraction.model_validate_json(ran.out)
    text = (example / NOTE).read_text(encoding="utf-8")
    assert 0 == ran.status
    assert (NOTE, "jay", "none", None) == (extraction.note, extraction.agent, extraction.engine, extraction.model)
    assert extraction.increments
    assert all(text[one.start : one.end] == one.quote for found in extraction.increments for one in found.evidence)


def test_a_path_and_a_path_relative_to_the_workspace_mean_the_same_note(run: Run, example: Path) -> None:
    relative = run("extract", NOTE, "-w", example, *NONE)
    absolute = run("extract", example / NOTE, "-w", example, *NONE)

    assert relative.out == absolute.out


def test_a_file_outside_the_workspace_can_be_extracted_too(run: Run, example: Path, tmp_path: Path) -> None:
    outside = tmp_path / "2026-09-14-elsewhere.md"
    outside.write_bytes((example / NOTE).read_bytes())

    ran = run("extract", outside, "-w", example, *NONE)

    assert (0, str(outside)) == (ran.status, json.loads(ran.out)["note"])


def test_output_goes_to_a_file_whole(run: Run, example: Path, tmp_path: Path) -> None:
    target = tmp_path / "note.json"

    ran = run("extract", NOTE, "-w", example, *NONE, "-o", target)

    assert (0, "") == (ran.status, ran.out)
    assert NOTE == json.loads(target.read_text(encoding="utf-8"))["note"]


def test_the_language_is_that_of_our_own_words(run: Run, example: Path) -> None:
    chinese = run("extract", NOTE, "-w", example, *NONE, "--language", "zh").out
    english = run("extract", NOTE, "-w", example, *NONE, "--language", "en").out

    assert ("博客" in chinese, "blog or forum" in english) == (True, True)


def test_a_note_that_is_empty_is_an_extraction_of_nothing(run: Run, example: Path) -> None:
    (example / "inbox/tom/2026-09-14-nothing.md").touch()

    ran = run("extract", "inbox/tom/2026-09-14-nothing.md", "-w", example, *NONE)

    assert (0, []) == (ran.status, json.loads(ran.out)["increments"])


@pytest.mark.parametrize(
    ("status", "arguments", "says"),
    [
        (2, (NOTE, "-w", "nowhere", *NONE), "'nowhere'"),
        (2, (), "Missing argument"),
        (2, (NOTE, "-w", "{demo}", "--engine", "huge"), "huge"),
        (2, (NOTE, "-w", "{demo}", "--budget", "0", *NONE), "--budget"),
        (2, ("inbox/tom/none.md", "-w", "{demo}", *NONE), "There is no note 'inbox/tom/none.md'"),
        (2, ("inbox/tom", "-w", "{demo}", *NONE), "no regular file"),
        (2, ("inbox/tom/link.md", "-w", "{demo}", *NONE), "a link"),
        (3, ("inbox/tom/bytes.md", "-w", "{demo}", *NONE), "'inbox/tom/bytes.md'"),
        (3, (NOTE, "-w", "{demo}", "--engine", "remote"), "OPENAI_API_KEY"),
        (3, (NOTE, "-w", "{demo}", *NONE, "-o", "{demo}/inbox/x.json"), "lies in 'inbox'"),
    ],
)
def test_wrong_use_is_one_sentence_and_a_status(
    run: Run, example: Path, status: int, arguments: tuple[str, ...], says: str
) -> None:
    (example / "inbox/tom/link.md").symlink_to("/etc/hostname")
    (example / "inbox/tom/bytes.md").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe")

    ran = run("extract", *(argument.format(demo=example) for argument in arguments))

    shown = " ".join(ran.err.split()).replace("│ ", "").replace(" │", "")
    assert (status, "") == (ran.status, ran.out)
    assert says in shown
    assert "Traceback" not in ran.err
    assert not (example / "inbox/x.json").exists()

"""`agent audit` holds a brief against the workspace, wherever the brief lies, and says in its exit status whether it is true."""

import os
from pathlib import Path

import pytest

from agent.auditing.findings import Audit
from tests.briefs import ENGLISH
from tests.cli.conftest import Run

NOTE = "inbox/jay/2026-09-14-1100-jay-engineering-filter.md"
PLANTED = "inbox/spark/2026-09-14-llm-infra-e1prep-v3.md"


@pytest.fixture
def brief(tmp_path: Path) -> Path:
    path = tmp_path / "2026-09-14-evening.md"
    path.write_text(ENGLISH, encoding="utf-8")
    return path


def test_a_brief_that_holds_ends_with_0(run: Run, example: Path, brief: Path) -> None:
    ran = run("audit", brief, "-w", example, "--language", "en")

    assert 0 == ran.status
    assert ran.out.startswith("# Audit of 2026-09-14-evening.md\n\n**Nothing was found to be false.**\n")


def test_a_brief_with_something_false_ends_with_1_and_shows_it_first(run: Run, example: Path, brief: Path) -> None:
    brief.write_text(ENGLISH.replace("31%", "13%"), encoding="utf-8")

    ran = run("audit", brief, "-w", example, "--language", "en")

    assert 1 == ran.status
    assert "## False (1)\n\n1. **statement**: After 20 rewrites 13%" in ran.out
    assert "It differs from the text in a figure: 13 here, 31 there." in ran.out
    assert "2026-09-13-2140-agent-memory-essay.md#L" in ran.out


def test_a_note_of_the_workspace_is_a_brief_too(run: Run, example: Path) -> None:
    relative = run("audit", PLANTED, "-w", example)
    absolute = run("audit", example / PLANTED, "-w", example)

    assert 1 == relative.status
    assert relative.out == absolute.out
    assert "2026-09-14-1450-jay-engineering-filter.md" in relative.out


def test_json_is_the_record_and_goes_to_a_file(run: Run, example: Path, tmp_path: Path) -> None:
    target = tmp_path / "audit.json"

    ran = run("audit", NOTE, "-w", example, "--format", "json", "-o", target, "--days", "1")

    audit = Audit.model_validate_json(target.read_text(encoding="utf-8"))
    assert (0, "") == (ran.status, ran.out)
    assert (NOTE, "jay", "2026-09-14") == (audit.brief, audit.agent, str(audit.date))
    assert all("2026-09-14" in note for note in audit.notes)


def test_the_language_is_that_of_our_own_words(run: Run, example: Path) -> None:
    assert run("audit", PLANTED, "-w", example, "--language", "zh").out.startswith("# 简报核对")


def test_nothing_is_written_into_the_workspace(run: Run, example: Path, brief: Path) -> None:
    before = sorted(example.rglob("*"))

    run("audit", brief, "-w", example)

    assert before == sorted(example.rglob("*"))


@pytest.mark.parametrize(
    ("status", "arguments", "says"),
    [
        (2, (), "Missing argument"),
        (2, (NOTE, "-w", "nowhere"), "'nowhere'"),
        (2, (NOTE, "-w", "{demo}", "--days", "0"), "--days"),
        (2, (NOTE, "-w", "{demo}", "--language", "fr"), "fr"),
        (2, ("inbox/tom/none.md", "-w", "{demo}"), "There is no note 'inbox/tom/none.md'"),
        (2, ("inbox/tom", "-w", "{demo}"), "no regular file"),
        (2, ("inbox/tom/pipe.md", "-w", "{demo}"), "no regular file"),
        (2, ("inbox/tom/link.md", "-w", "{demo}"), "no regular file"),
        (2, ("inbox/tom/\x1b[31m\n.md", "-w", "{demo}"), "There is no note"),
        (3, ("inbox/tom/bytes.md", "-w", "{demo}"), "'inbox/tom/bytes.md'"),
        (3, (NOTE, "-w", "{demo}", "-o", "{demo}/inbox/x.md"), "lies in 'inbox'"),
    ],
)
def test_wrong_use_is_one_sentence_and_a_status(
    run: Run, example: Path, status: int, arguments: tuple[str, ...], says: str
) -> None:
    (example / "inbox/tom/bytes.md").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe")
    os.mkfifo(example / "inbox/tom/pipe.md")
    (example / "inbox/tom/link.md").symlink_to(example / NOTE)

    ran = run("audit", *(argument.format(demo=example) for argument in arguments))

    shown = " ".join(ran.err.split()).replace("│ ", "").replace(" │", "")
    assert (status, "") == (ran.status, ran.out)
    assert says in shown
    assert "Traceback" not in ran.err


def test_a_hostile_brief_does_nothing(run: Run, example: Path, tmp_path: Path) -> None:
    brief = tmp_path / "2026-09-14-[x](y) <b>.md"
    hostile = "<script>x</script> ![a](javascript:b) \u202e\x1b[31m"
    brief.write_text(
        f"# {hostile}\n\nSource: {NOTE}\n\n- {hostile} LMCache on an H200: TTFT 2.4 s → 0.9 s.", encoding="utf-8"
    )

    ran = run("audit", brief, "-w", example)

    assert 1 == ran.status
    assert ran.out.count("<script") == ran.out.count("\\<script")
    assert "](javascript" not in ran.out
    assert not set("\u202e\x1b") & set(ran.out)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_our_own_digest_has_nothing_false(run: Run, example: Path, tmp_path: Path, language: str) -> None:
    digest = tmp_path / "d.md"
    made = run(
        "digest",
        "-w",
        example,
        "--date",
        "2026-09-14",
        "--engine",
        "none",
        "--language",
        language,
        "-o",
        digest,
        "--state",
        tmp_path / "state",
    )

    ran = run("audit", digest, "-w", example, "--language", language)

    assert (0, 0) == (made.status, ran.status), made.err

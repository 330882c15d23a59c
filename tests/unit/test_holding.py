"""The story of an audit: which notes a brief is held against, and that nothing stops it."""

import os
from pathlib import Path

import pytest

from agent.auditing.findings import Audit
from agent.errors import NoteUnreadable
from agent.holding import hold
from agent.reading.marking import marked
from agent.settings import Settings
from agent.workspace import Workspace

BRIEF = "inbox/tom/2026-09-14-2000-brief.md"
TEXT = "# Brief\n\nSource: inbox/jay/2026-09-01-0900-old.md\n\n- Throughput is 4,120 tok/s.\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    files = {
        BRIEF: TEXT,
        "inbox/jay/2026-09-01-0900-old.md": "# Old\n\n- Throughput is 4,120 tok/s.\n",
        "inbox/jay/2026-09-14-0900-new.md": "# New\n\n- Latency is 35 ms.\n",
        "inbox/jay/2026-09-15-0900-later.md": "# Later\n\n- Latency is 36 ms.\n",
        "inbox/jay/2026-09-14-1000-copy.md": TEXT,
        "inbox/jay/2026-09-14-1200-digest.md": marked("# Digest\n\n- Throughput is 9,999 tok/s.\n", fields="schema=1"),
        "organized/knowledge/inference.md": "# Inference\n\n## 1 Speed\n\nSlow.\n",
    }
    for path, text in files.items():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return Workspace.open(tmp_path)


def test_it_is_held_against_the_notes_up_to_its_day_and_never_against_itself_a_copy_or_a_digest(workspace):
    audit = hold(workspace, Settings(), BRIEF)

    assert ("inbox/jay/2026-09-01-0900-old.md", "inbox/jay/2026-09-14-0900-new.md") == audit.notes
    assert ("organized/knowledge/inference.md",) == audit.documents
    assert {"holds"} == {one.verdict for one in audit.findings}


def test_days_narrow_the_window_and_cited_notes_are_read_all_the_same(workspace):
    audit = hold(workspace, Settings(), BRIEF, days=1)

    assert ("inbox/jay/2026-09-01-0900-old.md", "inbox/jay/2026-09-14-0900-new.md") == audit.notes
    (workspace.root / "inbox/jay/2026-09-14-1000-copy.md").unlink()
    (workspace.root / BRIEF).write_text("# Brief\n\n- Throughput is 4,120 tok/s.\n", encoding="utf-8")
    assert ("inbox/jay/2026-09-14-0900-new.md",) == hold(workspace, Settings(), BRIEF, days=1).notes


def test_a_note_that_cannot_be_read_is_named_and_stops_nothing(workspace):
    (workspace.root / "inbox/jay/2026-09-13-0900-bytes.md").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe")

    audit = hold(workspace, Settings(), BRIEF)

    assert any("2026-09-13-0900-bytes.md" in remark for remark in audit.remarks)
    assert "inbox/jay/2026-09-01-0900-old.md" in audit.notes


def test_a_brief_anywhere_may_be_in_another_encoding(workspace, tmp_path):
    brief = tmp_path / "2026-09-14-brief.md"
    brief.write_bytes(
        "# 简报\n\n来源：inbox/jay/2026-09-01-0900-old.md\n\n- 吞吐 4,120 tok/s，这是一份中文简报。\n".encode("gb18030")
    )

    audit = hold(workspace, Settings(), str(brief))

    assert any("GB18030" in remark for remark in audit.remarks)
    assert {"holds"} == {one.verdict for one in audit.findings}


def test_a_brief_that_is_no_text_cannot_be_audited(workspace, tmp_path):
    brief = tmp_path / "2026-09-14-brief.md"
    brief.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe")
    os.utime(brief, (1, 1))

    with pytest.raises(NoteUnreadable, match="2026-09-14-brief"):
        hold(workspace, Settings(), str(brief))


def test_what_another_note_says_against_it_is_found(workspace):
    (workspace.root / "inbox/jay/2026-09-14-0900-new.md").write_text(
        "# New\n\n## Increment 1: vLLM 0.32.0\n\n- The newest vLLM release is 0.32.0.\n", encoding="utf-8"
    )
    (workspace.root / BRIEF).write_text(
        "# Brief\n\n## Increment 1: vLLM 0.31.0\n\n- The newest vLLM release is 0.31.0.\n", encoding="utf-8"
    )

    audit = hold(workspace, Settings(), BRIEF)

    (found,) = [one for one in audit.findings if one.kind == "contradiction"]
    assert ("questionable", "newest-version") == (found.verdict, found.found_by)
    assert ["inbox/jay/2026-09-14-0900-new.md"] == [one.note for one in found.found]


def rules(audit: Audit) -> list[tuple[str, str, list[str]]]:
    return [(one.verdict, one.found_by, [place.note for place in one.found]) for one in audit.findings]


def test_what_stands_outside_the_days_is_said_to_stand_there(workspace):
    (workspace.root / BRIEF).write_text("# Brief\n\n- Throughput is 4,120 tok/s.\n", encoding="utf-8")
    (workspace.root / "inbox/jay/2026-09-14-1000-copy.md").unlink()

    audit = hold(workspace, Settings(), BRIEF, days=1)

    assert [("unsupported", "beyond-days", ["inbox/jay/2026-09-01-0900-old.md"])] == rules(audit)
    assert "2026-09-01-0900-old.md" in audit.findings[0].because


def test_an_identifier_of_an_older_note_is_no_slip(workspace):
    place = workspace.root / "inbox/jay/2026-09-01-0900-old.md"
    place.write_text("# Old\n\n- See arXiv:2608.90417.\n", encoding="utf-8")
    (workspace.root / "inbox/jay/2026-09-14-0900-new.md").write_text(
        "# New\n\n- See arXiv:2608.90471.\n", encoding="utf-8"
    )
    (workspace.root / BRIEF).write_text(
        "# Brief\n\nSource: inbox/jay/2026-09-14-0900-new.md\n\n- See arXiv:2608.90417.\n", encoding="utf-8"
    )

    audit = hold(workspace, Settings(), BRIEF, days=1)

    assert ("unsupported", "beyond-days", ["inbox/jay/2026-09-01-0900-old.md"]) in rules(audit)
    assert not audit.is_false


@pytest.mark.parametrize(
    ("name", "text", "day"),
    [
        ("evening.md", "# Evening brief, 13 September 2026\n\n- Nothing.\n", "2026-09-13"),
        ("evening.md", "# 晚间简报（2026年9月13日）\n\n- 无。\n", "2026-09-13"),
        ("evening.md", "---\ndate: 2026-09-13\n---\n# Brief\n\n- Nothing.\n", "2026-09-13"),
        ("2026-09-14-evening.md", "# Brief of 2026-09-13\n\n- Nothing.\n", "2026-09-14"),
    ],
)
def test_a_brief_without_a_date_in_its_name_has_that_of_its_text(workspace, tmp_path, name, text, day):
    brief = tmp_path / name
    brief.write_text(text, encoding="utf-8")

    assert day == str(hold(workspace, Settings(), str(brief)).date)


def test_remarks_are_in_the_language_of_the_audit(workspace, tmp_path):
    brief = tmp_path / "evening.md"
    brief.write_text("# 简报\n\n- 无。\n", encoding="utf-8")

    chinese = hold(workspace, Settings(language="zh"), str(brief)).remarks

    assert chinese
    assert all(any("\u4e00" <= letter <= "\u9fff" for letter in said) for said in chinese)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_digest_of_ours_is_not_held_against_what_it_sets_against_each_other(workspace, tmp_path, language):
    body = (
        "# Digest\n\nSource: inbox/jay/2026-09-01-0900-old.md\n\n- The prefill pool reaches 18,400 tokens.\n"
        "- The prefill pool reaches 18,400 tok/s.\n\n## Contradictions\n\n- 18,400: 18,400 tokens ↔ 18,400 tok/s.\n"
    )
    digest = tmp_path / "2026-09-14-digest.md"
    digest.write_text(marked(body, fields="schema=1"), encoding="utf-8")
    other = tmp_path / "2026-09-14-other.md"
    other.write_text(body.partition("## Contradictions")[0], encoding="utf-8")

    assert not hold(workspace, Settings(language=language), str(digest)).is_false
    assert [] == [
        one for one in hold(workspace, Settings(language=language), str(digest)).findings if one.kind == "contradiction"
    ]
    assert hold(workspace, Settings(language=language), str(other)).is_false

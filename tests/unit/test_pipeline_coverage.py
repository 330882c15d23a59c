"""What came is held against what was expected when a digest is made, from the notes to the digest's own section."""

import datetime as dt
from pathlib import Path

import pytest

from agent.batons import Coverage
from agent.digesting.markdown import render_markdown
from agent.pipeline import Order, make_digest, plan
from agent.records import CheckedNote, Digest
from agent.settings import Settings, load_settings
from agent.workspace import Workspace

DAY = dt.date(2026, 9, 14)  # a Monday
NEWS = "# Brief\n\n## Finding 1: a cache in host memory\n\n- TTFT falls from 900 ms to 300 ms on one H100\n"


class Silent:
    """Is told how far the work has come, and does nothing."""

    def begin(self, notes: int) -> None:
        """Do nothing."""

    def started(self, path: str) -> None:
        """Do nothing."""

    def finished(self, checked: CheckedNote) -> None:
        """Do nothing."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "organized/knowledge").mkdir(parents=True)
    (tmp_path / "organized/knowledge/rag.md").write_text("# rag\n\nUpdated: 2026-09-01\n\n## 1 Index\n\nText.\n")
    return tmp_path


def drop(root: Path, path: str, text: str = NEWS) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def digest_of(root: Path, settings: Settings) -> Digest:
    workspace = Workspace.open(root, settings=settings)
    planned = plan(workspace, Order(topic=None, date=DAY, days=1))
    return make_digest(workspace, settings, planned, engine="none", model=None, progress=Silent()).digest


def coverage_of(root: Path, settings: Settings | None = None) -> Coverage:
    return digest_of(root, settings or Settings(language="en")).coverage


def test_a_wrong_claim_of_absence_and_a_stale_document_stand_in_the_digest(root: Path) -> None:
    drop(root, "inbox/tom/2026-09-14-0900-rag.md")
    drop(root, "inbox/amy/2026-09-14-1000-watch.md", f"{NEWS}\n## Relay\n\n- tom has not published a brief today\n")
    digest = digest_of(root, Settings(language="en"))

    (said,) = digest.coverage.said_missing
    assert ("tom", False, ("inbox/tom/2026-09-14-0900-rag.md",)) == (said.agent, said.is_true, said.notes)
    assert ["rag.md"] == [one.document for one in digest.coverage.stale]
    section = render_markdown(digest).partition("## Coverage\n")[2].partition("\n## ")[0]
    assert "says that tom delivered nothing, but there is" in section
    assert "rag.md (not updated since 2026-09-01, 13 days)" in section
    assert "No baton is planned" in section


def test_the_days_before_tell_what_is_usual_by_their_names_alone(root: Path) -> None:
    for day in (7, 8, 9, 10, 11):
        drop(root, f"inbox/tom/2026-09-{day:02}-0900-rag.md", "")
    drop(root, "inbox/amy/2026-09-14-0900-watch.md")
    coverage = coverage_of(root)

    assert ("derived", ["missing"]) == (coverage.plan, [one.state for one in coverage.batons])


def test_a_note_of_the_night_after_answers_the_evening(root: Path) -> None:
    drop(root, "agent.toml", '[[batons]]\nagent = "tom"\nslot = "23:30"\n')
    drop(root, "inbox/amy/2026-09-14-0900-watch.md")
    drop(root, "inbox/tom/2026-09-15-0040-rag.md")
    settings = load_settings(root, flags={}, environ={})
    (tom,) = coverage_of(root, settings).batons

    assert ("late", 70) == (tom.state, tom.minutes_late)


def test_a_copy_under_another_agent_is_told(root: Path) -> None:
    drop(root, "inbox/amy/2026-09-14-rag.md")
    drop(root, "inbox/tom/2026-09-14-rag.md")
    batons = coverage_of(root, Settings(agents=("tom", "amy"))).batons

    assert {"tom": (), "amy": ("inbox/tom/2026-09-14-rag.md",)} == {one.agent: one.duplicates for one in batons}

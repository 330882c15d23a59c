import datetime as dt
from typing import Any

import pytest

from agent.batons import (
    BatonOutcome,
    BatonState,
    Coverage,
    MissedBaton,
    PlanSource,
    Rhythm,
    RhythmState,
    SaidMissing,
    StaleDocument,
)
from agent.digesting.covering import coverage_lines
from agent.digesting.words import WORDS
from agent.records import Language

NOTE = "inbox/tom/2026-07-27-0900-rag.md"


def lines(language: Language = "en", *, plan: PlanSource = "given", **more: Any) -> list[str]:
    return coverage_lines(Coverage(notes=1, plan=plan, agents=("tom",), **more), WORDS[language])


def baton(state: BatonState, **more: Any) -> BatonOutcome:
    return BatonOutcome(**{"agent": "tom", "topic": "rag", "slot": "09:00", "state": state} | more)


def said(note: str, *there: str, line: int = 3, quote: str = "tom has no brief") -> SaidMissing:
    return SaidMissing(
        note=note, start=0, end=len(quote), quote=quote, line=line, agent="tom", is_true=not there, notes=there
    )


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "No baton was missed and no living document has gone stale."),
        ("zh", "没有缺棒，也没有过期的活文档。"),
    ],
)
def test_one_line_says_that_all_is_as_it_should_be(language: Language, line: str) -> None:
    assert [line] == lines(language, batons=(baton("arrived"),))


def test_batons_that_came_or_may_still_come_are_not_named() -> None:
    assert 1 == len(lines(batons=(baton("arrived"), baton("waiting", slot="18:00"))))


def test_a_missing_baton_is_named_with_topic_and_slot() -> None:
    missed = MissedBaton(agent="tom", topic="rag", slot="09:00")
    assert ["Batons missed: tom · rag · 09:00"] == lines(batons=(baton("missing"),), missed=(missed,))


@pytest.mark.parametrize(
    ("language", "slot", "line"),
    [
        ("en", "11:05", "Batons missed: tom (not planned; usually comes at about 11:05)"),
        ("en", None, "Batons missed: tom (not planned; usually comes)"),
        ("zh", "11:05", "缺棒：tom（没有计划；按以往通常在 11:05 左右到）"),
    ],
)
def test_what_is_only_usual_is_not_called_planned(language: Language, slot: str | None, line: str) -> None:
    missing = baton("missing", topic=None, slot=slot)
    assert [line] == lines(language, plan="derived", batons=(missing,))


@pytest.mark.parametrize(
    ("plan", "line"),
    [
        ("given", f"Late: tom · rag · 09:00, 75 minutes late, [{NOTE}]({NOTE})"),
        ("derived", f"Later than usual: tom · rag (not planned; usually comes at about 09:00), [{NOTE}]({NOTE})"),
    ],
)
def test_a_late_baton_is_named_with_its_note(plan: PlanSource, line: str) -> None:
    assert [line] == lines(plan=plan, batons=(baton("late", minutes_late=75, notes=(NOTE,)),))


@pytest.mark.parametrize(("state", "line"), [("empty", "Empty file"), ("unread", "Unreadable")])
def test_a_file_that_tells_nothing_is_named(state: BatonState, line: str) -> None:
    assert [f"{line}: tom · rag · 09:00, [{NOTE}]({NOTE})"] == lines(batons=(baton(state, notes=(NOTE,)),))


def test_what_came_twice_is_named_with_all_its_notes() -> None:
    other = "inbox/amy/2026-07-27-rag.md"
    (line,) = lines(batons=(baton("arrived", notes=(NOTE,), duplicates=(other,)),))
    assert f"Delivered twice: tom · rag · 09:00 ([{NOTE}]({NOTE}), [{other}]({other}))" == line


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("steady", []),
        ("unknown", []),
        ("falling_back", ["Comes less lately: tom"]),
        ("silent", ["Has not come lately: tom"]),
        ("recovered", ["Comes again: tom"]),
    ],
)
def test_a_rhythm_is_told_where_it_changed(state: RhythmState, expected: list[str]) -> None:
    found = lines(batons=(baton("arrived"),), rhythm=(Rhythm(agent="tom", state=state, days=()),))
    assert (expected or ["No baton was missed and no living document has gone stale."]) == found


def test_a_wrong_claim_of_absence_is_told_once_for_each_note() -> None:
    note = "inbox/amy/2026-07-27-log.md"
    (line,) = lines(said_missing=(said(note, NOTE), said(note, NOTE, line=8)))
    assert line == (
        f"[{note}:3]({note}#L3), [{note}:8]({note}#L8): says that tom delivered nothing, but there is [{NOTE}]({NOTE}): "
        "tom has no brief"
    )


@pytest.mark.parametrize(
    ("came_after", "note"),
    [
        (True, "inbox/amy/2026-07-27-0830-log.md"),
        (False, "inbox/amy/2026-07-27-1030-log.md"),
        (False, "inbox/amy/2026-07-27-log.md"),
    ],
)
@pytest.mark.parametrize(("language", "words"), [("en", "came after it"), ("zh", "之后才到")])
def test_what_came_after_the_claim_is_told_apart(
    language: Language, words: str, note: str, *, came_after: bool
) -> None:
    (line,) = lines(language, said_missing=(said(note, NOTE),))
    assert came_after == (words in line)


def test_a_claim_that_holds_is_not_told() -> None:
    assert 1 == len(lines(said_missing=(said("inbox/amy/2026-07-27-log.md"),)))


def test_where_nothing_is_planned_it_says_so_and_who_came() -> None:
    stale = StaleDocument(document="rag.md", updated=dt.date(2026, 7, 20), days=7)
    told = "No baton is planned and earlier notes show no rhythm, so none is called missed; notes came from: tom."
    assert [told, "No living document has gone stale."] == lines(plan="none")
    assert [told, "Stale living documents: rag.md (not updated since 2026-07-20, 7 days)"] == lines(
        plan="none", stale=(stale,)
    )


def test_long_lists_are_counted() -> None:
    many = tuple(StaleDocument(document=f"d{number}.md", updated=None, days=None) for number in range(60))
    found = lines(stale=many)
    assert (41, "+20") == (len(found), found[-1])


def test_nothing_from_outside_is_active() -> None:
    bad = "<b>[x](http://e.example)</b>"
    found = lines(
        batons=(baton("missing", agent=bad, topic=bad), baton("late", agent=bad, notes=(f"inbox/{bad}/a.md",))),
        rhythm=(Rhythm(agent=bad, state="silent", days=()),),
        said_missing=(said(f"inbox/{bad}/a.md", NOTE, quote=f"{bad}\n# x"),),
        stale=(StaleDocument(document=bad, updated=None, days=None),),
    )
    text = "\n".join(found)
    assert len(found) == text.count("\n") + 1
    assert "<b>" not in text.replace("\\<", "")
    assert "](http" not in text.replace("\\[", "").replace("\\]", "")

import datetime as dt

from agent.records import Claim, Evidence, Stance
from agent.relaying.absences import a_present, said_missing

DAY = dt.date(2026, 7, 27)
COMPLAINT = "inbox/amy/2026-07-27-1800-watch.md"
BRIEF = a_present("inbox/Tom/2026-07-27-0900-rag-brief.md", agent="Tom", day=DAY, topic=None)


def claim(
    missing: str = "",
    *,
    agent: str = "tom",
    day: dt.date = DAY,
    note: str = COMPLAINT,
    stance: Stance = "held",
    start: int = 4,
) -> Claim:
    evidence = Evidence(note=note, start=start, end=start + 10, quote="no brief!!", line=2)
    return Claim(
        kind="absence",
        subject=agent,
        attribute=missing,
        value=day.isoformat(),
        stance=stance,
        says="",
        evidence=evidence,
    )


def found(*claims: Claim) -> list[tuple[str, bool, tuple[str, ...]]]:
    return [(one.agent, one.is_true, one.notes) for one in said_missing(claims, [BRIEF], days={DAY})]


def test_a_saying_that_the_day_refutes_is_wrong_and_names_what_is_there() -> None:
    assert found(claim()) == [("Tom", False, (BRIEF.path,))]


def test_a_saying_about_a_topic_holds_where_the_notes_are_on_another() -> None:
    assert found(claim("rag")) == [("Tom", False, (BRIEF.path,))]
    assert found(claim("vision")) == [("Tom", True, ())]


def test_one_place_that_says_two_things_is_wrong_where_one_of_them_is() -> None:
    assert found(claim("vision"), claim("rag")) == [("Tom", False, (BRIEF.path,))]


def test_a_saying_about_an_agent_of_whom_nothing_is_there_holds() -> None:
    assert found(claim(agent="jay")) == [("jay", True, ())]


def test_nothing_is_told_of_days_that_are_not_known() -> None:
    assert found(claim(day=dt.date(2026, 7, 1))) == []


def test_what_a_note_says_of_its_own_agent_or_does_not_hold_is_left_out() -> None:
    assert found(claim(note="inbox/tom/2026-07-27-log.md"), claim(stance="rejected")) == []


def test_the_places_of_a_note_stand_in_order() -> None:
    places = said_missing([claim(start=90), claim(start=7)], [BRIEF], days={DAY})
    assert [7, 90] == [one.start for one in places]

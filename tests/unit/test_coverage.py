import datetime as dt

import pytest

from agent.batons import AgentCount, BatonOutcome, MissedBaton, StaleDocument
from agent.reading.names import parse_note_name
from agent.records import CheckedNote, Outcome
from agent.relaying.coverage import Arrivals, cover
from agent.settings import Baton, Settings
from agent.texts import LivingDocument
from agent.workspace import ListedNote

DAY = dt.date(2026, 7, 27)  # a Monday


def note(name: str, agent: str = "tom", *, date: dt.date = DAY, outcome: Outcome = "extracted") -> CheckedNote:
    return CheckedNote(note=f"inbox/{agent}/{name}", agent=agent, date=date, outcome=outcome)


def document(name: str, updated: dt.date | None) -> LivingDocument:
    return LivingDocument(name=name, topic=name.removesuffix(".md"), text="", sections=(), updated=updated, sha256="")


def missed(
    notes: list[CheckedNote],
    *batons: Baton,
    agents: tuple[str, ...] = (),
    topics: dict[str, str | None] | None = None,
) -> list[MissedBaton]:
    settings = Settings(batons=batons, agents=agents)
    arrivals = Arrivals(topics=topics or {})
    return list(cover(notes, documents=(), settings=settings, date=DAY, arrivals=arrivals).missed)


MORNING, EVENING = Baton("tom", "inference", dt.time(9)), Baton("tom", "inference", dt.time(18, 30))


def test_a_planned_baton_without_a_note_is_missed() -> None:
    assert [MissedBaton(agent="tom", topic="inference", slot="09:00")] == missed([], MORNING)


@pytest.mark.parametrize(
    ("expected", "names"),
    [
        ([], ["2026-07-27-0915-inference.md", "2026-07-27-1830-inference-v2.md"]),
        (["18:30"], ["2026-07-27-0915-inference.md", "2026-07-27-1000-inference.md"]),
        (["09:00"], ["2026-07-27-1745-inference.md"]),
        (["18:30"], ["2026-07-27-0805-inference.md"]),
        (["09:00", "18:30"], ["2026-07-27-0700-inference.md"]),
        (["18:30"], ["2026-07-27-inference.md"]),
        ([], ["2026-07-27-inference.md", "2026-07-27-0930-inference.md"]),
        (["09:00", "18:30"], ["2026-07-27-0930-rag.md"]),
    ],
)
def test_each_note_answers_the_slot_it_belongs_to(expected: list[str], names: list[str]) -> None:
    assert expected == [one.slot for one in missed([note(name) for name in names], MORNING, EVENING)]


def test_slots_close_together_are_told_apart() -> None:
    batons = [Baton("tom", None, dt.time(11, minute)) for minute in (0, 30)]
    assert [] == missed([note("2026-07-27-1100-a.md"), note("2026-07-27-1131-b.md")], *batons)


@pytest.mark.parametrize(
    ("expected", "name"),
    [
        (0, "2026-07-27-llm-infra-e1prep.md"),
        (0, "2026-07-27_LLM infra.md"),
        (1, "2026-07-27-infra.md"),
        (1, "2026-07-27-rag-llm.md"),
    ],
)
def test_a_topic_is_known_by_its_words_in_the_name(expected: int, name: str) -> None:
    assert expected == len(missed([note(name)], Baton("tom", "llm-infra")))


def test_a_known_topic_counts_before_the_name() -> None:
    brief = note("2026-07-27-brief.md")
    assert [] == missed([brief], Baton("tom", "inference"), topics={brief.note: "inference"})


def test_as_few_batons_as_possible_are_missed() -> None:
    """The note that could answer both goes to the one that has no other."""
    notes = [note("2026-07-27-0930-inference.md"), note("2026-07-27-1000-digest.md")]
    assert [] == missed(notes, Baton("tom"), MORNING)
    assert [] == missed(notes, MORNING, Baton("tom"))


@pytest.mark.parametrize("outcome", ["empty", "own", "not_text"])
def test_what_holds_no_text_of_the_agent_answers_nothing(outcome: Outcome) -> None:
    assert 1 == len(missed([note("2026-07-27.md", outcome=outcome)], Baton("tom")))


def test_a_note_that_cannot_be_read_has_come() -> None:
    assert [] == missed([note("2026-07-27.md", outcome="unreadable")], Baton("tom"))


def test_a_note_of_another_day_or_agent_answers_nothing() -> None:
    others = [note("2026-07-26.md", date=DAY - dt.timedelta(days=1)), note("2026-07-27.md", agent="jay")]
    assert 1 == len(missed(others, Baton("tom")))


def test_a_baton_of_another_weekday_is_not_expected() -> None:
    assert [] == missed([], Baton("tom", days=("sat", "sun")))


def test_an_expected_agent_without_a_plan_owes_one_note() -> None:
    assert [MissedBaton(agent="amy")] == missed([note("2026-07-27.md")], agents=("tom", "amy"))


def test_what_came_is_counted_over_all_days() -> None:
    notes = [note("a.md", date=DAY - dt.timedelta(days=1)), note("b.md", agent="jay"), note("c.md", outcome="empty")]
    coverage = cover(notes, documents=(), settings=Settings(), date=DAY)
    assert (2, ("jay", "tom")) == (coverage.notes, coverage.agents)


def test_documents_without_an_update_for_too_long_are_stale() -> None:
    updates = {
        "new.md": DAY,
        "old.md": DAY - dt.timedelta(days=3),
        "two.md": DAY - dt.timedelta(days=2),
        "unknown.md": None,
    }
    documents = [document(name, updated) for name, updated in reversed(updates.items())]
    coverage = cover((), documents=documents, settings=Settings(stale_days=3), date=DAY)
    assert (
        StaleDocument(document="old.md", updated=updates["old.md"], days=3),
        StaleDocument(document="unknown.md", updated=None, days=None),
    ) == coverage.stale


def test_a_topic_of_the_settings_without_a_document_counts_as_never_updated() -> None:
    settings = Settings(topics=("inference", "agents"))

    stale = cover([], documents=[document("inference.md", DAY)], settings=settings, date=DAY).stale

    assert (StaleDocument(document="agents.md", updated=None, days=None),) == stale


def outcomes(
    notes: list[CheckedNote], *batons: Baton, arrivals: Arrivals | None = None, late_minutes: int = 60
) -> list[BatonOutcome]:
    settings = Settings(batons=batons, late_minutes=late_minutes)
    return list(cover(notes, documents=(), settings=settings, date=DAY, arrivals=arrivals).batons)


def listed(path: str, *, copy_of: str = "") -> ListedNote:
    name = parse_note_name(path)
    return ListedNote(path, path.split("/")[1], name.date, name.time, name.slug, copy_of=copy_of)


@pytest.mark.parametrize(
    ("state", "late", "name"),
    [
        ("arrived", 0, "2026-07-27-0845-inference.md"),
        ("arrived", 30, "2026-07-27-0930-inference.md"),
        ("late", 31, "2026-07-27-0931-inference.md"),
        ("arrived", None, "2026-07-27-inference.md"),
    ],
)
def test_a_baton_is_late_after_as_many_minutes_as_are_allowed(state: str, late: int | None, name: str) -> None:
    (found,) = outcomes([note(name)], MORNING, late_minutes=30)
    assert (state, late) == (found.state, found.minutes_late)


@pytest.mark.parametrize(
    ("state", "outcome"), [("empty", "empty"), ("unread", "unreadable"), ("unread", "failed"), ("missing", "own")]
)
def test_what_came_of_a_file_that_tells_nothing_is_named(state: str, outcome: Outcome) -> None:
    (found,) = outcomes([note("2026-07-27-0900-inference.md", outcome=outcome)], MORNING)
    assert state == found.state
    assert bool(found.notes) == (state != "missing")


def test_an_empty_file_stands_for_the_baton_that_it_would_answer() -> None:
    found = outcomes([note("2026-07-27-1830-inference.md", outcome="empty")], MORNING, EVENING)
    assert ["missing", "empty"] == [one.state for one in found]


@pytest.mark.parametrize(
    ("states", "now"),
    [
        (["waiting", "waiting"], dt.datetime(2026, 7, 27, 1, 59, tzinfo=dt.UTC)),
        (["missing", "waiting"], dt.datetime(2026, 7, 27, 2, 1, tzinfo=dt.UTC)),
        (["missing", "waiting"], dt.datetime(2026, 7, 27, 11, 30, tzinfo=dt.UTC)),
        (["missing", "missing"], dt.datetime(2026, 7, 27, 11, 31, tzinfo=dt.UTC)),
    ],
)
def test_a_baton_waits_until_its_time_to_be_late_is_over(states: list[str], now: dt.datetime) -> None:
    """Nine in Shanghai is one in the morning, UTC."""
    assert states == [one.state for one in outcomes([], MORNING, EVENING, arrivals=Arrivals(now=now))]


@pytest.mark.parametrize(("state", "hour"), [("waiting", 15), ("missing", 16)])
def test_a_baton_for_any_time_waits_until_the_day_is_over(state: str, hour: int) -> None:
    now = dt.datetime(2026, 7, 27, hour, 30, tzinfo=dt.UTC)
    assert [state] == [one.state for one in outcomes([], Baton("tom"), arrivals=Arrivals(now=now))]


def test_a_note_after_midnight_answers_the_last_baton_of_the_day() -> None:
    late = "inbox/tom/2026-07-28-0010-inference.md"
    night = Baton("tom", "inference", dt.time(23, 50))
    (found,) = outcomes([], night, arrivals=Arrivals(history=[listed(late)]))
    assert ("arrived", (late,), 20) == (found.state, found.notes, found.minutes_late)


def test_a_second_note_of_one_slot_is_told() -> None:
    names = ["2026-07-27-0900-inference.md", "2026-07-27-0930-inference-more.md", "2026-07-27-1200-inference-late.md"]
    (found,) = outcomes([note(name) for name in names], MORNING)
    assert (f"inbox/tom/{names[1]}",) == found.duplicates


def test_another_version_of_a_note_is_told() -> None:
    names = ["2026-07-27-inference.md", "2026-07-27-inference-v2.md", "2026-07-27-rag.md"]
    (found,) = outcomes([note(name) for name in names], Baton("tom"))
    assert (f"inbox/tom/{names[1]}",) == found.duplicates


def test_notes_of_one_name_that_answer_a_baton_each_are_none_twice() -> None:
    found = outcomes([note("2026-07-27-0900-inference.md"), note("2026-07-27-1830-inference.md")], MORNING, EVENING)
    assert [(), ()] == [one.duplicates for one in found]


def test_a_copy_under_another_agent_is_told_once() -> None:
    brief, copy = note("2026-07-27-brief.md"), note("2026-07-27-brief.md", "amy")
    arrivals = Arrivals(history=[listed(brief.note), listed(copy.note, copy_of=brief.note)])
    found = outcomes([brief, copy], Baton("tom"), Baton("amy"), arrivals=arrivals)
    assert [(copy.note,), ()] == [one.duplicates for one in found]


def test_notes_that_answer_nothing_are_unplanned_where_each_baton_is_planned() -> None:
    notes = [note("2026-07-27-0900-inference.md"), note("2026-07-27-1200-radar.md"), note("2026-07-27.md", "amy")]
    exact = cover(notes, documents=(), settings=Settings(batons=(MORNING,)), date=DAY)
    assert ("inbox/tom/2026-07-27-1200-radar.md", "inbox/amy/2026-07-27.md") == tuple(
        sorted(exact.unplanned, reverse=True)
    )
    free = cover(notes, documents=(), settings=Settings(agents=("tom", "amy")), date=DAY)
    assert () == free.unplanned


def test_a_history_shows_who_is_expected_where_nothing_is_planned() -> None:
    history = [listed(f"inbox/tom/2026-07-{day}-0900-brief.md") for day in (20, 21, 22, 23, 24)]
    derived = cover([], documents=(), settings=Settings(), date=DAY, arrivals=Arrivals(history=history))
    assert ("derived", "09:00", "missing") == (derived.plan, derived.batons[0].slot, derived.batons[0].state)
    assert "none" == cover([], documents=(), settings=Settings(), date=DAY).plan


def test_an_early_note_answers_a_derived_baton_and_nothing_is_unplanned() -> None:
    history = [listed(f"inbox/tom/2026-07-{day}-1100-brief.md") for day in (20, 21, 22, 23, 24)]
    notes = [note("2026-07-27-0700-brief.md"), note("2026-07-27-1500-other.md"), note("2026-07-27-1500-x.md", "amy")]
    found = cover(notes, documents=(), settings=Settings(), date=DAY, arrivals=Arrivals(history=history))
    assert (["arrived"], ()) == ([one.state for one in found.batons], found.unplanned)


def test_what_we_plan_and_write_ourselves_is_expected_of_nobody() -> None:
    settings = Settings(batons=(Baton("digest", None, dt.time(18)),), agents=("digest",))
    found = cover([note("2026-07-27-1800-brief.md", "digest")], documents=(), settings=settings, date=DAY)
    assert ("none", (), (), 0) == (found.plan, found.batons, found.counts, found.notes)


def test_a_topic_may_have_a_limit_of_its_own() -> None:
    updated = DAY - dt.timedelta(days=5)
    documents = [document("rag.md", updated), document("agents.md", updated)]
    settings = Settings(stale_days=3, stale_days_by_topic={"rag": 6})
    assert ["agents.md"] == [one.document for one in cover([], documents=documents, settings=settings, date=DAY).stale]


def test_counts_tell_what_could_not_be_read() -> None:
    notes = [note("a.md"), note("b.md", outcome="unreadable"), note("c.md", outcome="ignored")]
    assert (AgentCount(agent="tom", notes=2, increments=0, unread=1),) == cover(
        notes, documents=(), settings=Settings(), date=DAY
    ).counts


@pytest.mark.parametrize("day", [dt.date.min, dt.date.max])
def test_the_ends_of_the_calendar_are_days_too(day: dt.date) -> None:
    batons = (Baton("tom", None, dt.time(0)), Baton("tom", None, dt.time(23, 59)))
    found = cover([], documents=(), settings=Settings(batons=batons), date=day)
    assert ["missing", "missing"] == [one.state for one in found.batons]

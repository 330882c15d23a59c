import datetime as dt

import pytest

from agent.batons import MissedBaton, StaleDocument
from agent.records import CheckedNote, Outcome
from agent.relaying.coverage import Arrivals, _assign, cover
from agent.settings import Baton, Settings
from agent.texts import LivingDocument

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


def test_a_long_chain_of_choices_needs_no_recursion() -> None:
    """The last baton has one choice only, so all the others move on by one."""
    answers = [[number, number + 1] for number in range(2000)] + [[0]]
    assert set(range(2001)) == set(_assign(answers).values())


def test_a_topic_of_the_settings_without_a_document_counts_as_never_updated() -> None:
    settings = Settings(topics=("inference", "agents"))

    stale = cover([], documents=[document("inference.md", DAY)], settings=settings, date=DAY).stale

    assert (StaleDocument(document="agents.md", updated=None, days=None),) == stale

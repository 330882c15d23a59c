import datetime as dt
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from agent.relaying.expecting import due_around, moment
from agent.relaying.matching import Came, match
from agent.settings import Baton

DAY = dt.date(2026, 7, 28)
ZONE = ZoneInfo("Europe/Berlin")
TIMES = st.sampled_from([dt.time(0, 15), dt.time(9), dt.time(9, 30), dt.time(18, 30), dt.time(23, 50)])
BATONS = st.builds(
    Baton, st.sampled_from(["tom", "amy"]), st.sampled_from([None, "rag", "rag-eval"]), st.none() | TIMES
)


@st.composite
def notes(draw: st.DrawFn) -> Came:
    agent = draw(st.sampled_from(["tom", "amy"]))
    day = DAY + dt.timedelta(days=draw(st.integers(-1, 1)))
    at = draw(st.none() | TIMES.map(lambda time: moment(day, time, ZONE)))
    slug = draw(st.sampled_from(["rag", "rag-eval", "eval", "radar"]))
    return Came(f"inbox/{agent}/{day}-{slug}-{draw(st.integers(0, 9))}.md", agent, day, at)


def most(choices: list[tuple[int, ...]]) -> int:
    """How many notes can have a baton of their own, tried in all ways that a path can be found."""
    note_of: dict[int, int] = {}

    def takes(note: int, tried: set[int]) -> bool:
        for baton in choices[note]:
            if baton not in tried:
                tried.add(baton)
                if baton not in note_of or takes(note_of[baton], tried):
                    note_of[baton] = note
                    return True
        return False

    return sum(takes(note, set()) for note in range(len(choices)))


@given(batons=st.lists(BATONS, max_size=7, unique=True), came=st.lists(notes(), max_size=8), is_planned=st.booleans())
def test_no_more_batons_are_missed_than_necessary(batons: list[Baton], came: list[Came], *, is_planned: bool) -> None:
    due = due_around(batons, DAY, ZONE)
    matched = match(due, came, is_planned=is_planned)

    assert most([tuple(one) for one in matched.may_answer]) == len(matched.note_of)


@given(batons=st.lists(BATONS, max_size=7, unique=True), came=st.lists(notes(), max_size=8))
def test_each_note_answers_one_baton_that_it_may_answer(batons: list[Baton], came: list[Came]) -> None:
    due = due_around(batons, DAY, ZONE)
    matched = match(due, came)

    assert len(set(matched.note_of.values())) == len(matched.note_of)
    assert all(baton in matched.may_answer[note] for baton, note in matched.note_of.items())
    assert all(came[note].agent == due[baton].baton.agent for baton, note in matched.note_of.items())


@given(batons=st.lists(BATONS, max_size=5, unique=True), came=st.lists(notes(), max_size=6), data=st.data())
def test_the_order_of_the_notes_changes_nothing(batons: list[Baton], came: list[Came], data: st.DataObject) -> None:
    due = due_around(batons, DAY, ZONE)
    came = list({note.path: note for note in came}.values())
    other = data.draw(st.permutations(came))
    one = {baton: came[note].path for baton, note in match(due, came).note_of.items()}
    assert one == {baton: other[note].path for baton, note in match(due, other).note_of.items()}

import datetime as dt
import time
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from agent.relaying.expecting import DueBaton, due_around, moment
from agent.relaying.matching import Came, match
from agent.settings import Baton

DAY = dt.date(2026, 7, 28)  # a Tuesday
ZONE = ZoneInfo("Asia/Shanghai")


def came(name: str, *, day: dt.date = DAY, at: str = "", topic: str | None = None, is_read: bool = True) -> Came:
    moment_of = moment(day, dt.time.fromisoformat(at), ZONE) if at else None
    return Came(f"inbox/tom/{name}.md", "tom", day, moment_of, topic, is_read)


def due(*batons: Baton) -> tuple[DueBaton, ...]:
    return due_around(batons, DAY, ZONE)


def answers(batons: tuple[DueBaton, ...], *notes: Came, is_planned: bool = True) -> dict[str, str]:
    """The notes' names by the day and slot of the batons that they answer."""
    matched = match(batons, notes, is_planned=is_planned)
    return {
        f"{batons[number].day.day} {batons[number].baton.slot}": notes[note].path.split("/")[-1].removesuffix(".md")
        for number, note in matched.note_of.items()
    }


def test_the_first_note_of_a_slot_answers_it() -> None:
    batons = due(Baton("tom", None, dt.time(9)))
    assert answers(batons, came("b", at="09:20"), came("a", at="09:40")) == {"28 09:00:00": "b"}


def test_a_note_that_could_be_read_is_taken_before_one_that_could_not() -> None:
    batons = due(Baton("tom", None, dt.time(9)))
    assert answers(batons, came("a", at="09:00", is_read=False), came("b", at="09:40")) == {"28 09:00:00": "b"}


def test_a_note_after_midnight_answers_the_slot_of_the_evening_before() -> None:
    batons = due(Baton("tom", None, dt.time(23, 50)))
    assert answers(batons, came("night", at="00:10"), came("evening", at="23:55")) == {
        "27 23:50:00": "night",
        "28 23:50:00": "evening",
    }


def test_a_note_long_after_midnight_does_not() -> None:
    batons = due(Baton("tom", None, dt.time(23, 50)))
    assert answers(batons, came("morning", at="07:00")) == {}


def test_a_note_just_before_midnight_answers_the_slot_just_after_it() -> None:
    batons = due(Baton("tom", None, dt.time(0, 15)))
    assert answers(batons, came("eve", at="23:40")) == {"29 00:15:00": "eve"}


def test_an_early_note_answers_a_slot_that_is_only_usual() -> None:
    batons = due(Baton("tom", None, dt.time(11)))
    early = came("early", at="07:30")
    assert answers(batons, early) == {}
    assert answers(batons, early, is_planned=False) == {"28 11:00:00": "early"}


def test_a_note_of_the_next_day_never_answers_a_baton_for_any_time() -> None:
    batons = due(Baton("tom"))
    assert answers(batons, came("next", day=DAY + dt.timedelta(days=1), at="00:10")) == {}


def test_slots_on_the_night_that_the_clock_goes_back_are_told_by_their_moments() -> None:
    zone, day = ZoneInfo("Europe/Berlin"), dt.date(2026, 10, 25)
    batons = due_around([Baton("tom", None, dt.time(1, 30)), Baton("tom", None, dt.time(3, 30))], day, zone)
    note = Came("inbox/tom/a.md", "tom", day, moment(day, dt.time(3, 10), zone))
    assert match(batons, [note]).note_of == {1: 0}
    moments = [one.at for one in batons if one.at]
    assert moments[1] - moments[0] == dt.timedelta(hours=3)


def test_a_slot_that_the_clock_skips_comes_after_the_gap() -> None:
    assert moment(dt.date(2026, 3, 29), dt.time(2, 30), ZoneInfo("Europe/Berlin")) == dt.datetime(
        2026, 3, 29, 1, 30, tzinfo=dt.UTC
    )


def test_a_long_chain_of_choices_needs_no_recursion() -> None:
    """Each note but the last may answer two batons, so that the last baton moves all the others on by one."""
    topics = [f"k{number:04}" for number in range(2000)]
    batons = due(*(Baton("tom", topic) for topic in topics), Baton("tom", "k0000", dt.time(9)))
    notes = [came(f"2026-07-28-{one}-{other}") for one, other in pairwise(topics)]
    matched = match(batons, [*notes, came("2026-07-28-k1999"), came("2026-07-28-0900-k0000", at="09:00")])
    assert set(range(2001)) == set(matched.note_of)


@pytest.mark.parametrize("kind", ["slots without times", "slots", "topics", "agents", "too few"])
def test_ten_thousand_batons_and_notes_take_seconds(kind: str) -> None:
    number = 10_000
    slots = [dt.time(*divmod(one % 1440, 60), one // 1440) for one in range(number)]
    if kind == "agents":
        batons = [Baton(f"a{one}", None, dt.time(9)) for one in range(number)]
        notes = [Came(f"inbox/a{one}/x.md", f"a{one}", DAY) for one in range(number)]
    elif kind == "topics":
        batons = [Baton("tom", f"t{one}") for one in range(number)]
        notes = [came(f"2026-07-28-t{one}-t{(one + 1) % number}") for one in range(number)]
    else:
        batons = [Baton("tom", None, slot) for slot in slots]
        is_timed = kind == "slots"
        notes = [came(f"n{one:05}", at=slot.isoformat() if is_timed else "") for one, slot in enumerate(slots)]
        notes = notes[: number // 2] if kind == "too few" else notes
    began = time.process_time()
    matched = match(due_around(batons, DAY, ZONE), notes)
    assert len(matched.note_of) == len(notes)
    assert time.process_time() - began < 5

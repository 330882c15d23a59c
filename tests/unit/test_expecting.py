import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from agent.relaying.expecting import TurnDays, due_around, expected, moment
from agent.settings import Baton, Settings
from agent.workspace import ListedNote

DAY = dt.date(2026, 7, 28)  # a Tuesday
ZONE = ZoneInfo("Asia/Shanghai")
HISTORY = [
    ListedNote(f"inbox/tom/{back}.md", "tom", DAY - dt.timedelta(days=back), dt.time(9)) for back in range(1, 15)
]


def test_what_is_planned_counts_before_what_is_usual() -> None:
    baton = Baton("amy", None, dt.time(9))
    assert expected(Settings(batons=(baton,), agents=("amy", "jay")), HISTORY, DAY) == ("given", (baton, Baton("jay")))


def test_where_only_our_own_batons_are_planned_the_history_tells() -> None:
    settings = Settings(batons=(Baton("digest", None, dt.time(18)),), agents=("digest",))
    assert expected(settings, HISTORY, DAY) == ("derived", (Baton("tom", None, dt.time(9)),))
    assert expected(settings, [], DAY) == ("none", ())


def test_a_day_has_its_own_batons_and_those_near_midnight_of_the_days_around_it() -> None:
    batons = [Baton("tom", None, dt.time(hour)) for hour in (0, 12, 22)] + [Baton("tom")]
    near = [(one.day.day, one.baton.slot.hour if one.baton.slot else None) for one in due_around(batons, DAY, ZONE)]
    assert near == [(28, 0), (28, 12), (28, 22), (28, None), (27, 22), (29, 0)]


def test_a_baton_of_another_weekday_is_not_due() -> None:
    assert due_around([Baton("tom", days=("mon",))], DAY, ZONE) == ()


@pytest.mark.parametrize(
    ("utc_hour", "day"), [(0, dt.date(2026, 10, 25)), (1, dt.date(2026, 3, 29)), (1, dt.date(2026, 1, 5))]
)
def test_a_slot_is_a_moment_whatever_the_clock_does(utc_hour: int, day: dt.date) -> None:
    """Half past two comes twice in October, never in March, and once in January."""
    assert moment(day, dt.time(2, 30), ZoneInfo("Europe/Berlin")) == dt.datetime.combine(
        day, dt.time(utc_hour, 30), tzinfo=dt.UTC
    )


@pytest.mark.parametrize(
    ("day", "time"),
    [(27, dt.time(0, 10)), (27, dt.time(4)), (28, dt.time(5)), (28, dt.time(23, 55)), (28, None)],
)
def test_a_note_after_midnight_is_of_the_evening_before(day: int, time: dt.time | None) -> None:
    turns = TurnDays([Baton("tom", None, dt.time(22, 30))])
    assert turns.day_of("tom", DAY, time) == dt.date(2026, 7, day)


def test_a_note_after_midnight_is_of_its_own_day_where_a_slot_begins() -> None:
    turns = TurnDays([Baton("tom", None, dt.time(22, 30)), Baton("tom", None, dt.time(1))])
    assert turns.day_of("tom", DAY, dt.time(0, 10)) == DAY
    assert turns.day_of("amy", DAY, dt.time(0, 10)) == DAY

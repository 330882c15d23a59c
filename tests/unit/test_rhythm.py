import datetime as dt

import pytest

from agent.relaying.rhythm import rhythm
from agent.settings import Baton

DAY = dt.date(2026, 7, 27)


def came(counts: list[int], agent: str = "tom") -> dict[tuple[str, dt.date], int]:
    """Notes of the last days, the day itself last."""
    return {(agent, DAY - dt.timedelta(days=back)): number for back, number in enumerate(reversed(counts)) if number}


OTHERS = came([1] * 10, "amy")


@pytest.mark.parametrize(
    ("state", "counts"),
    [
        ("steady", [2, 2, 2, 2, 2, 2, 2, 2, 2, 2]),
        ("steady", [2, 2, 2, 2, 2, 2, 2, 2, 2, 1]),
        ("steady", [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
        ("falling_back", [2, 2, 2, 2, 2, 2, 2, 2, 1, 1]),
        ("falling_back", [2, 2, 2, 2, 2, 2, 2, 2, 1, 0]),
        ("silent", [2, 2, 2, 2, 2, 2, 2, 2, 0, 0]),
        ("silent", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("recovered", [2, 2, 2, 2, 2, 2, 0, 0, 2, 2]),
        ("recovered", [2, 2, 2, 2, 2, 2, 2, 0, 1, 2]),
        ("steady", [2, 2, 0, 0, 2, 2, 2, 2, 2, 2]),
        ("steady", [0, 0, 0, 0, 0, 0, 0, 0, 2, 2]),
    ],
)
def test_the_state_is_told_by_the_last_days(state: str, counts: list[int]) -> None:
    batons = [Baton("tom", None, dt.time(9)), Baton("tom", None, dt.time(18))]
    found = {one.agent: one.state for one in rhythm(OTHERS | came(counts), batons, date=DAY)}
    assert found["tom"] == state


def test_few_days_tell_nothing() -> None:
    (tom,) = rhythm(came([1, 1, 1]), [Baton("tom")], date=DAY)
    assert ("unknown", 3) == (tom.state, len(tom.days))


def test_days_on_which_an_agent_was_not_expected_are_left_aside() -> None:
    """It comes on workdays; the day is a Monday."""
    found = rhythm(OTHERS | came([1, 1, 0, 0, 1]), [Baton("tom", days=("mon", "tue", "wed", "thu", "fri"))], date=DAY)
    tom = next(one for one in found if one.agent == "tom")
    assert {dt.date(2026, 7, 25), dt.date(2026, 7, 26)}.isdisjoint(one.date for one in tom.days)


@pytest.mark.parametrize(("is_over", "state"), [(True, "silent"), (False, "steady")])
def test_a_day_that_is_not_over_is_held_against_nobody(*, is_over: bool, state: str) -> None:
    notes = OTHERS | came([1, 1, 1, 1, 1, 1, 1, 1, 0, 0])
    found = rhythm(notes, [Baton("tom")], date=DAY, is_over=is_over)
    assert state == next(one.state for one in found if one.agent == "tom")


def test_who_is_not_expected_is_counted_only() -> None:
    (tom,) = rhythm(came([1, 0, 2]), [], date=DAY)
    assert ("unknown", [(0, 1), (0, 2)]) == (tom.state, [(one.expected, one.came) for one in tom.days])

"""Whether two texts give the same figures and times, and nothing that only one of them has: what shows one telling in other words.

A text that tells less than another agrees with it where all that it gives stands in the other one as well. Versions, and counts
below ten, agree by chance and are no evidence; what follows from figures that both give, such as a ratio, is nothing new.

Promises: pure and symmetric.
"""

from collections.abc import Collection, Iterable
from itertools import combinations, permutations
from typing import NamedTuple

from agent.reconciling.deeds import clocks_in, days_in
from agent.reconciling.rivals import measure_otherwise, weight
from agent.reconciling.traits import Traits
from agent.reconciling.values import Amount, Value

_EXACT, _SCORE_DIGITS = 1.2, 3
_PER_COMING_DAY = 1.0
_MONTH, _HALF_A_YEAR = 31, 186
_MOST_CLOCKS = 2.5
_PER_CLOCK = 1.2  # what a time of the day counts that both texts give
_FIGURE = 0.3  # weight below which a figure is a small count
_VERSION_LIKE = 100.0
_FOLLOWS = 0.03  # relative distance of a ratio from what two figures give


class Agreement(NamedTuple):
    """How far two texts give the same.

    Attributes:
        weight: of the figures and times that both give.
        times: that of the times of the day alone.
        is_one_sided: one of the texts gives nothing but what the other gives as well.
        is_full: neither gives anything else.
    """

    weight: float
    times: float
    is_one_sided: bool
    is_full: bool


NONE = Agreement(0.0, 0.0, is_one_sided=False, is_full=False)


def agreement_of(one: Traits, other: Traits, given: Iterable[Amount]) -> Agreement:
    """Return how far two texts give the same figures and times; `given` are the figures that they share."""
    both = {
        amount
        for amount in given
        if not _is_like_version(amount) and not measure_otherwise(one.values, other.values, amount)
    }
    clocks = clocks_in(one.texts), clocks_in(other.texts)
    times = min(_MOST_CLOCKS, _PER_CLOCK * len(clocks[0] & clocks[1]))
    if times:
        lasting = _lasting(clocks[0]) | _lasting(clocks[1])
        spans = {value.amount for value in (*one.values, *other.values) if value.amount in lasting}
        both |= spans
        times = min(_MOST_CLOCKS, times + _PER_CLOCK * bool(spans))
    times += _PER_COMING_DAY * (not _coming(one).isdisjoint(_coming(other)))
    left = [_left(one.values, other.values, both), _left(other.values, one.values, both)]
    exact = {value.amount for value in (*one.values, *other.values) if value.amount in both and _is_exact(value)}
    said = weight(both - exact) + max(_EXACT * len(exact), weight(exact)) + times
    return Agreement(said, times, is_one_sided=not all(left), is_full=not any(left))


def _coming(traits: Traits) -> frozenset[tuple[int, int]]:
    """The days that a text names and that lie after its note: what is planned, while days before it may be its source's."""
    today = traits.day
    if today is None:
        return frozenset()
    return frozenset(
        day
        for day in days_in("\n".join(traits.texts))
        if 0 < (day[0] - today.month) * _MONTH + day[1] - today.day < _HALF_A_YEAR
        or (day[0] - today.month) * _MONTH + day[1] - today.day < -_HALF_A_YEAR
    )


def _is_exact(value: Value) -> bool:
    """Whether a figure is written with a fraction and three digits, such as a score of 64.0: it is no round number."""
    return value.decimals > 0 and value.digits >= _SCORE_DIGITS


def _lasting(clocks: Collection[tuple[int, int]]) -> set[Amount]:
    """How long it is from one time of the day to another, in seconds."""
    minutes = sorted(60 * hour + minute for hour, minute in clocks)
    return {("s", 60.0 * (later - earlier)) for earlier, later in combinations(minutes, 2)}


def _is_like_version(amount: Amount) -> bool:
    """Whether a number may be a version: it has no unit and one digit behind the point, and no score is so low."""
    unit, value = amount
    return not unit and value < _VERSION_LIKE / 10 and not value.is_integer() and round(value, 1) == value


def _left(values: Iterable[Value], others: Iterable[Value], both: set[Amount]) -> int:
    """How many telling figures only one text gives, and that follow from none that both give."""
    numbers = {value.written[0] for value in others}
    return sum(
        weight((value.amount,)) >= _FIGURE
        and value.amount not in both
        and value.written[0] not in numbers
        and not _is_like_version(value.amount)
        and not _is_within(value, both)
        and not _follows(value, both)
        for value in values
    )


def _is_within(value: Value, both: set[Amount]) -> bool:
    """Whether a figure is rounded, or an end of a range, and the exact one is given by both."""
    return any(
        unit == value.amount[0] and (value.low <= number <= value.high or abs(number - value.amount[1]) <= number / 10)
        for unit, number in both
        if value.is_rounded
    )


def _follows(value: Value, both: set[Amount]) -> bool:
    """Whether a ratio or percentage is what two figures that both texts give come to."""
    if value.amount[0] not in {"×", "%"}:
        return False
    of_hundred = 100.0 if value.amount[0] == "%" else 1.0
    for (unit, first), (another, second) in permutations(sorted(both), 2):
        if unit == another and first and second:
            ratio = second / first * of_hundred
            if any(abs(ratio - said) <= _FOLLOWS * said for said in _told_as(value, of_hundred)):
                return True
    return False


def _told_as(value: Value, of_hundred: float) -> tuple[float, ...]:
    """What a ratio may say: so many times; of a percentage also what is more, or left."""
    said = value.amount[1]
    return (said,) if of_hundred == 1.0 else (said, of_hundred - said, of_hundred + said)

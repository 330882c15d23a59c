"""Holds the figures of two findings against each other: which they share, and which cannot both be right.

Figures are shared where one is the other one rounded, without its unit, or within its range. They are rivals where they have one
unit, nothing says that they measure different things, and neither text has the other's.

Promises: pure and symmetric; time is bounded, since a finding has at most 24 figures.
"""

import functools
import math
import re
from collections.abc import Iterable, Iterator, Sequence

from agent.reconciling.values import SECONDS, Amount, Value, digits_of, written_numbers
from agent.reconciling.wordlists import any_of

_CLOSE = 0.1  # relative distance of a rounded figure
_LIKE_SIZE = 2.0  # scores of one test are no further apart
_SMALL = 10
_MUCH = 2.0  # weight of figures in common that shows one experiment
_EXACT = 2  # significant digits from which two equal figures are no chance
_NEARLY_ONE = 0.02  # by which a ratio and what its two figures give may differ, being rounded
_HUNDRED = 100
_FOR_SOMETHING = frozenset({"s", "$", "CNY"})
_CONFUSED = tuple(  # units that stand for each other by mistake
    re.compile(pattern)
    for pattern in (
        r"%|pp",
        r"tokens(?:/.{1,12})?",
        r"[kKMGTPE]?i?B(?:/s)?|[kKMGT]b/s",
        r"ns|μs|ms|s|min|h",
        r"\$|CNY",
        r"[kMG]?Wh|k?J",
    )
)
_OPPOSITE = {"up": "down", "down": "up", "fast": "slow", "slow": "fast"}
_TREND = re.compile(any_of({  # where a figure goes, not whether that is good
    "up": r"上升|上涨|增长|增加|提高|[升涨]到|[升涨]至|多占|\b(?:rises?|rose|increas(?:es?|ed)|higher|grows?|grew|climbs?|up from)\b",
    "down": r"下降|降低|减少|下滑|下跌|[降跌减缩]到|[降跌减缩]至|\b(?:falls?|fell|decreas(?:es?|ed)|lower|drops?|dropped|declin(?:es?|ed)|down from|less|fewer)\b",
    "fast": r"快(?!照|速|手|讯)|提速|加速|\b(?:faster|speed-?up|quicker)\b",
    "slow": r"慢|\b(?:slower|slow-?down)\b",
}))  # fmt: skip
_STATISTICS = frozenset({"p50", "p90", "p99", "mean"})


def weight(amounts: Iterable[Amount]) -> float:
    """How little of a chance it is that two texts have these figures in common."""
    return sum(_tenths(amount) for amount in amounts) / 10


def shared(mine: Sequence[Value], theirs: Sequence[Value]) -> frozenset[Amount]:
    """Return the figures that both texts give; one of them may leave the unit out, round, or give a range."""
    own, others = {value.amount for value in mine}, {value.amount for value in theirs}
    loosely = (
        max(one.amount, other.amount, key=_exactness)
        for one in mine
        if one.amount not in others
        for other in theirs
        if other.amount not in own and _may_tell_one(one, other) and _tell_one(one, other)
    )
    return frozenset((*(own & others), *loosely))


def _exactness(amount: Amount) -> tuple[bool, int, float]:
    return bool(amount[0]), digits_of(amount[1]), amount[1]


def rivals(mine: Sequence[Value], theirs: Sequence[Value]) -> Iterator[tuple[Value, Value]]:
    """Yield pairs of figures that would have to be one if both texts told the same, and are not.

    They have one unit, nothing says that they measure different things, and neither text has the other's figure.
    """
    own, others = {value.amount for value in mine}, {value.amount for value in theirs}
    mine_only = [value for value in mine if value.amount not in others and not _is_told(value, theirs)]
    theirs_only = [value for value in theirs if value.amount not in own and not _is_told(value, mine)]
    both = own & others
    for one in mine_only:
        for other in theirs_only:
            if _may_be_one(one, other) and not _is_slip(one, other, both) and not _is_rest(one, other, both):
                yield one, other


def gives(values: Sequence[Value], numbers: Iterable[float], *, is_rest_told: bool = False) -> bool:
    """Whether a text gives all of some numbers; where so much is the same, "7 % are left" is told as "93 % less"."""
    written = {value.written[0] for value in values}
    rest = (
        {round(_HUNDRED - value.written[0], 6) for value in values if value.amount[0] == "%"} if is_rest_told else set()
    )
    return all(number in written or number in rest for number in numbers)


def tells(values: Sequence[Value], numbers: Iterable[float], others: Sequence[Value]) -> bool:
    """Whether another text tells all of some numbers of a text, be it rounded or as a range; at least one."""
    wanted = set(numbers)
    told = {value.written[0] for value in values if value.written[0] in wanted and _is_told(value, others)}
    return bool(wanted) and told == wanted


def confused(mine: Sequence[Value], theirs: Sequence[Value]) -> Iterator[tuple[Value, Value]]:
    """Yield pairs of one number with two units that are taken for each other, or for one device here and for all of them there."""
    for one in mine:
        for other in theirs:
            if one.amount == other.amount or _is_one_number_bare(one, other):
                if one.scope * other.scope < 0:
                    yield one, other
            elif (
                one.written[0] == other.written[0]
                and _are_confused(one.written[1], other.written[1])
                and all(value.written != other.written for value in mine)
                and all(value.written != one.written for value in theirs)
            ):
                yield one, other


def _is_one_number_bare(one: Value, other: Value) -> bool:
    """Whether two texts give one telling number, and one of them leaves its unit out, or has it further on."""
    is_one_number = one.written[0] == other.written[0] and one.digits >= _EXACT
    return is_one_number and (not one.amount[0]) != (not other.amount[0])


def measure_otherwise(mine: Sequence[Value], theirs: Sequence[Value], amount: Amount) -> bool:
    """Whether one figure measures one thing in a text and another thing in the other one: "30 % faster", "30 % less memory"."""
    sides = [
        [value for value in values if value.written[0] == amount[1] or value.amount == amount]
        for values in (mine, theirs)
    ]
    return all(sides) and all(
        _measure_different_things(one.metrics, other.metrics) for one in sides[0] for other in sides[1]
    )


def are_turned(mine: Sequence[Value], theirs: Sequence[Value]) -> bool:
    """Whether one figure is told as a rise here and as a fall there, or as faster and as slower, and both measure the same."""
    return any(
        _trends(one.said) & {_OPPOSITE[trend] for trend in _trends(other.said)}
        and not _trends(one.said) & _trends(other.said)
        and not _measure_different_things(one.metrics, other.metrics)
        for one in mine
        for other in theirs
        if one.amount == other.amount and one.is_telling
    )


@functools.lru_cache(maxsize=16384)
def _trends(said: str) -> frozenset[str]:
    return frozenset(match.lastgroup or "" for match in _TREND.finditer(said))


def are_numbers_miswritten(mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Whether one text has a number that is another text's but for one digit, or for the order of its digits.

    All numbers count, whatever they are; those alone that are told as rounded do not.
    """
    one, other = written_numbers(mine), written_numbers(theirs)
    return any(_differ_in_a_digit(number, another) for number in one - other for another in other - one)


def _differ_in_a_digit(one: str, other: str) -> bool:
    if len(one) != len(other) or one.find(".") != other.find("."):
        return False
    return sum(a != b for a, b in zip(one, other, strict=True)) == 1 or sorted(one) == sorted(other)


@functools.lru_cache(maxsize=65536)
def _tenths(amount: Amount) -> int:
    """The weight of one figure, in tenths: whole numbers add up alike in any order."""
    unit, value = amount
    digits = digits_of(value)
    is_round = digits == 1 or (value.is_integer() and value > 1 and math.log2(value).is_integer())
    if is_round:
        return 6 if unit else 1 if value < _SMALL else 3
    if digits > _EXACT:
        return 20
    return 12 if unit or not value.is_integer() else 6


def _may_be_one(one: Value, other: Value) -> bool:
    if _measure_different_things(one.metrics, other.metrics):
        return False
    if not _have_one_unit(one, other):
        return "" in {one.amount[0], other.amount[0]} and _is_miswritten(one, other)
    if one.amount[0] or _is_miswritten(one, other) or not one.counted.isdisjoint(other.counted):
        return True
    return one.is_telling and other.is_telling and _is_like_size(one.amount[1], other.amount[1])


def _have_one_unit(one: Value, other: Value) -> bool:
    """Whether two figures have one unit; time and money may be given for something, such as a request, or not."""
    if one.amount[0] == other.amount[0]:
        return True
    units = one.amount[0].partition("/"), other.amount[0].partition("/")
    return units[0][0] == units[1][0] and units[0][0] in _FOR_SOMETHING and "" in {units[0][1], units[1][1]}


def _is_miswritten(one: Value, other: Value) -> bool:
    """Whether two numbers have the same digits but for one, or in another order: nobody counts two things so by chance."""
    if max(one.digits, other.digits) < _EXACT or one.decimals != other.decimals:
        return False
    return _differ_in_a_digit(*(f"{value.written[0]:.{value.decimals}f}" for value in (one, other)))


def _is_like_size(one: float, other: float) -> bool:
    return bool(one and other) and max(one, other) <= _LIKE_SIZE * min(one, other)


def _measure_different_things(one: frozenset[str], other: frozenset[str]) -> bool:
    statistics = one & _STATISTICS, other & _STATISTICS
    if all(statistics) and statistics[0].isdisjoint(statistics[1]):
        return True
    things = one - _STATISTICS, other - _STATISTICS
    return all(things) and things[0].isdisjoint(things[1])


def _is_told(value: Value, others: Sequence[Value]) -> bool:
    """Whether another text gives a figure as well, rounded or as a range."""
    return any(_may_tell_one(value, other) and _tell_one(value, other) for other in others)


def _may_tell_one(one: Value, other: Value) -> bool:
    """Whether it is worth a closer look."""
    a, b = one.amount[1], other.amount[1]
    return (
        abs(a - b) <= _CLOSE * max(a, b)
        or one.written[0] == other.written[0]
        or one.low < one.high
        or other.low < other.high
    )


def _tell_one(one: Value, other: Value) -> bool:
    return _is_equal(one, other) or _agree(one, other) or _agree(other, one)


def _is_equal(one: Value, other: Value) -> bool:
    """Whether two figures are one number, and units, where both texts give them, are the same."""
    if one.amount == other.amount:
        return True
    is_one_number = one.written[0] == other.written[0]
    return is_one_number and ("" in {one.amount[0], other.amount[0]} or _have_one_unit(one, other))


def _agree(exact: Value, coarse: Value) -> bool:
    """Whether one figure is the other one, rounded, or lies in its range."""
    if exact.amount[0] != coarse.amount[0]:
        return False
    if coarse.low < coarse.high:
        return exact.is_rounded and coarse.low <= exact.amount[1] <= coarse.high
    may_be_rounded = (
        coarse.is_rounded or coarse.amount[1] % 1000 == 0 or (coarse.digits >= _EXACT and not coarse.decimals)
    )
    if coarse.digits >= exact.digits or not may_be_rounded:
        return False
    fine, rough = exact.amount[1], coarse.amount[1]
    return abs(fine - rough) <= _CLOSE * fine and float(f"{fine:.{coarse.digits}g}") == rough


def _is_slip(one: Value, other: Value, shared: frozenset[Amount] | set[Amount]) -> bool:
    """Whether two ratios differ while both texts have the two figures that one of them is the ratio of."""
    if one.amount[0] != "×":
        return False
    amounts = sorted(shared)
    return any(
        a[0] == b[0] and a[1] and abs(b[1] / a[1] / value.amount[1] - 1) < _NEARLY_ONE
        for value in (one, other)
        for place, a in enumerate(amounts)
        for b in amounts[place + 1 :]
        if value.amount[1]
    )


def _is_rest(one: Value, other: Value, both: frozenset[Amount] | set[Amount]) -> bool:
    """Whether two percentages are one, told as what went and as what is left, in texts that have figures in common."""
    return (
        one.amount[0] == "%" == other.amount[0]
        and one.amount[1] + other.amount[1] == _HUNDRED
        and weight(both) >= _MUCH
    )


def _are_confused(one: str, other: str) -> bool:
    if one.partition("/")[0] in SECONDS and other.partition("/")[0] in SECONDS:
        one, other = one.partition("/")[0], other.partition("/")[0]
    return one != other and any(family.fullmatch(one) and family.fullmatch(other) for family in _CONFUSED)

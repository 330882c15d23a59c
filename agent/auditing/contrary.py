"""What a source says instead of a figure: the statement about the same subject, metric and condition that has another one.

Promises: a statement counts only where it shares several names, conditions, metrics or numbers with the brief's sentence, and
the figure's own words besides; where two statements come into question, none does. A figure that follows from others is none
that differs. Nothing raises.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from agent.auditing.matter import Key, Near, are_of_one_thing, keys_of, weight, without_numbers
from agent.auditing.shelf import COUNT, Amount, Shelved, figures_in, measured
from agent.checking.metrics import CONCEPT, CONCEPTS, clause_of
from agent.reading.conditions import are_different
from agent.reading.measures import MeasureSpan, numbers_in
from agent.reading.naming import name_key
from agent.reading.quantities import fold, slack
from agent.texts import Unit

_MOST = 60  # figures of a unit that is still a sentence
_SCORE, _TELLING = 2.0, 2  # of a unit that speaks of the same
_BESIDE = 0.6  # share of the best score up to which other units are looked at
_MUCH = 3  # names, conditions and numbers in common that need no words besides
_WORDS = 0.55  # weight of words in common around two figures
_ABOUT = 0.1  # how far "about" may be off
_NEAR_BOUND = 1.5  # how far above a lower bound a figure may lie that it was told of
_SURE = 4.5  # score of a unit whose whole segment is about the same
_EXACT = 3  # digits of a number that is not there by chance
_DIGIT = re.compile(r"[0-9]")
_RELATED = (  # units that are easily taken for one another
    frozenset({"tokens", "tokens/s"}), frozenset({"%", "pp"}), frozenset({"requests", "requests/s"}), frozenset({"×", "%"}),
    frozenset({"B", "bit", "B/s", "bit/s"}), frozenset({"$", "CNY"}), frozenset({"W", "Wh"}), frozenset({"$", "$/h"}),
)  # fmt: skip
_BY_UNIT = {"tokens/s": "throughput", "requests/s": "throughput", "params": "parameters"}
_LOW, _HIGH, _TO = frozenset({"<", "<=", "up to"}), frozenset({">", ">=", "from"}), 8
_FROM = re.compile(r"(?:(?<![A-Za-z])from|[从由自])\s{0,2}\Z", re.IGNORECASE)
_TO_WORD = re.compile(r"\s{0,2}(?:to|到|至|[升降增减提][高低到至]?[到至]?)\s{0,2}", re.IGNORECASE)
_PACE = frozenset({"speed", "speedup"})
_TOLD = frozenset({"metric", "name", "condition", "paper", "number", "digit"})


@dataclass(frozen=True, slots=True)
class Contrary:
    """Another figure of a source in the place of one of the brief's; `is_borne_out` where the two go together after all."""

    text: Shelved
    amount: Amount
    is_other_unit: bool = False
    is_borne_out: bool = False


def speaking(texts: Iterable[Shelved], keys: frozenset[Key], *, least: float = _SCORE) -> list[tuple[Shelved, Near]]:
    """Return the units of some texts that speak of the same, the nearest first."""
    found = [(text, near) for text in texts for near in text.spoken.near(keys)]
    found = [pair for pair in found if pair[1].score >= least and pair[1].telling >= 1]
    return sorted(found, key=lambda pair: -pair[1].score)


def contrary(texts: Sequence[Shelved], unit: Unit, measure: MeasureSpan, *, title: str) -> Contrary | None:
    """Return what some texts say instead of a figure of a brief; None where they do not say it for certain."""
    if len(figures_in(unit.text)) > _MOST:
        return None
    keys = without_numbers(keys_of(unit.text), numbers_in(unit.text[measure.start : measure.end]))
    keys |= frozenset(key for key in keys_of(title) if key[0] in {"name", "condition", "paper", "metric"})
    own = {measured(one) for one in figures_in(unit.text)}
    nears = speaking(texts, keys)
    best = nears[0][1].score if nears else 0.0
    tried = [pair for pair in nears if pair[1].score >= _BESIDE * best]
    rivals: list[_Rival] = [
        (text, near, amount) for text, near in tried for amount in _rivals(_joined(near, tried), unit, measure, own)
    ]
    other = _with_other_unit(texts, unit, measure, keys, tried)
    if other is None and follows(measure, unit, (amount for _, near in tried[:1] for amount in _amounts(near))):
        text, near = tried[0]
        return Contrary(*(_first(rivals) if rivals else (text, next(_amounts(near)))), is_borne_out=True)
    agreeing = [one for one in rivals if _goes_with(unit, measure, one[2].measure)]
    if agreeing:
        return Contrary(*_first(agreeing), is_borne_out=True)
    return (_only(rivals, unit, measure) if rivals else None) or other or _in_segment(tried, unit, measure, own)


def _joined(near: Near, tried: Sequence[tuple[Shelved, Near]]) -> Near:
    """Add to what a unit shares what its neighbours do, where it shares a number itself."""
    if not any(kind == "number" for kind, _ in near.shared):
        return near
    beside = {near.unit.number - 1, near.unit.number + 1}
    others = (one.shared for _, one in tried if one.segment is near.segment and one.unit.number in beside)
    return near._replace(shared=near.shared.union(*others))


def _with_other_unit(
    texts: Sequence[Shelved],
    unit: Unit,
    measure: MeasureSpan,
    keys: frozenset[Key],
    tried: Sequence[tuple[Shelved, Near]],
) -> Contrary | None:
    """The same number with another unit: said of the same, or too exact to be there by chance."""
    if measured(measure)[0] == COUNT:
        return None
    segments = [near.segment for _, near in tried if near.score >= _SURE]
    is_exact = len(_DIGIT.findall(unit.text[measure.start : measure.end].strip("0"))) >= _EXACT
    kind, concept, found = measured(measure)[0], concept_in(unit.text, measure), []
    for text in texts:
        for amount in text.amounts_with(_written(measure)):
            other = measured(amount.measure)[0]
            if not _is_other_unit(measure, amount.measure) or not amount.measure.unit:
                continue
            is_linked = bool(concept) and concept == concept_in(amount.unit.text, amount.measure)
            is_related = any({kind, other} <= pair for pair in _RELATED)
            shares = any(key[0] in _TOLD for key in keys & keys_of(amount.unit.text))
            if (
                (is_related and (is_exact or shares))
                or (is_linked and shares)
                or any(amount.segment is one for one in segments)
            ):
                found.append(Contrary(text, amount, is_other_unit=True))
    return found[0] if found and len({measured(one.amount.measure)[0] for one in found}) == 1 else None


def _in_segment(
    tried: Sequence[tuple[Shelved, Near]], unit: Unit, measure: MeasureSpan, own: set[tuple[str, float]]
) -> Contrary | None:
    """The only figure of that metric in the segments that are certainly about the same."""
    concept = concept_in(unit.text, measure)
    if not concept or measured(measure)[0] == COUNT:
        return None
    found: dict[tuple[str, float], Contrary] = {}
    for text, segment in {
        id(near.segment): (text, near.segment) for text, near in tried if near.score >= _SURE
    }.values():
        if not are_of_one_thing((unit.text,), [each.text for each in segment.units if each.kind != "code"]):
            continue
        for each in segment.units:
            for one in figures_in(each.text):
                amount = Amount(one, each, segment)
                is_rival = measured(one)[0] == measured(measure)[0] and measured(one) not in own
                if is_rival and concept_in(each.text, one) == concept and not _is_said_of_other(unit, measure, amount):
                    found[measured(one)] = Contrary(text, amount)
    return next(iter(found.values())) if len(found) == 1 else None


def _written(measure: MeasureSpan) -> str:
    return f"{abs(measure.value):.12g}".partition("e")[0].replace(".", "")[:1]


_Rival = tuple[Shelved, Near, Amount]


def _first(rivals: Sequence[tuple[Shelved, Near, Amount]]) -> tuple[Shelved, Amount]:
    text, _, amount = rivals[0]
    return text, amount


def _only(rivals: list[tuple[Shelved, Near, Amount]], unit: Unit, measure: MeasureSpan) -> Contrary | None:
    """The one rival, where all that come into question say the same."""
    paired = [one for one in rivals if _are_paired(unit, measure, one[2])]
    same_unit = [one for one in rivals if measured(one[2].measure)[0] == measured(measure)[0]]
    exact = [one for one in rivals if _is_other_unit(measure, one[2].measure)]
    for chosen in (paired, exact, same_unit):
        if chosen and len({measured(amount.measure) for *_, amount in chosen}) == 1:
            text, _, amount = chosen[0]
            return Contrary(text, amount, is_other_unit=_is_other_unit(measure, amount.measure))
        if chosen:
            top = [one for one in chosen if one[1].score >= chosen[0][1].score]
            if (
                chosen is not exact
                and len({measured(amount.measure) for *_, amount in top}) == 1
                and _leads(top, chosen)
            ):
                text, _, amount = top[0]
                return Contrary(text, amount)
            return None
    return None


def _leads(top: Sequence[tuple[Shelved, Near, Amount]], chosen: Sequence[tuple[Shelved, Near, Amount]]) -> bool:
    """Whether the nearest unit is much nearer than every other one with another figure."""
    value = measured(top[0][2].measure)
    rest = [one[1].score for one in chosen if measured(one[2].measure) != value]
    return not rest or top[0][1].score >= 1.5 * max(rest)


def _amounts(near: Near) -> Iterator[Amount]:
    return (Amount(found, near.unit, near.segment) for found in figures_in(near.unit.text))


def _rivals(near: Near, unit: Unit, measure: MeasureSpan, own: set[tuple[str, float]]) -> Iterator[Amount]:
    """Yield the figures of a unit that may stand for one of the brief's: said of the same, under no other condition."""
    for amount in _amounts(near):
        kind, value = measured(amount.measure)
        mine, _ = measured(measure)
        is_exact = _is_other_unit(measure, amount.measure)
        if (kind != mine and not is_exact) or ((kind, value) in own and not is_exact):
            continue
        if kind == mine and kind == "count" and not _count_alike(measure, amount.measure):
            continue
        if _is_said_of_other(unit, measure, amount):
            continue
        if _is_linked(near, unit, measure, amount, is_exact=is_exact):
            yield amount


def _is_other_unit(one: MeasureSpan, other: MeasureSpan) -> bool:
    """Whether two figures are one number with two units."""
    is_number = abs(one.value) == abs(other.value) and measured(one) != measured(other)
    return is_number and measured(one)[0] != COUNT and bool(other.unit)


def _count_alike(one: MeasureSpan, other: MeasureSpan) -> bool:
    """Whether two counts count the same things."""
    return bool(one.unit) and one.unit == other.unit


def _is_said_of_other(unit: Unit, measure: MeasureSpan, amount: Amount) -> bool:
    """Whether the two are of other metrics, or under conditions that exclude each other."""
    one, other = concept_in(unit.text, measure), concept_in(amount.unit.text, amount.measure)
    if one and other and one != other:
        return True
    theirs = dict(amount.measure.conditions)
    return any(are_different(kind, said, theirs[kind]) for kind, said in measure.conditions if kind in theirs)


def _is_linked(near: Near, unit: Unit, measure: MeasureSpan, amount: Amount, *, is_exact: bool) -> bool:
    if _are_paired(unit, measure, amount):
        return True
    telling = [key for key in near.shared if key[0] in _TOLD]
    if len(telling) < _TELLING - is_exact:
        return False
    one, other = concept_in(unit.text, measure), concept_in(amount.unit.text, amount.measure)
    if one and one == other:
        return True
    words = _words_beside(unit.text, measure) & _words_beside(amount.unit.text, amount.measure)
    if weight(words) >= _WORDS:
        return True
    kinds = {kind for kind, _ in telling}
    is_much = len(telling) >= _MUCH and bool(kinds & {"number", "paper"})
    return not (one and other) and (is_much or kinds >= {"number", "paper"})


def _are_paired(unit: Unit, measure: MeasureSpan, amount: Amount) -> bool:
    """Whether both are one end of a change whose other end is the same."""
    mine = {(is_after, measured(other)) for is_after, other in ends_of(unit.text, measure)}
    theirs = {(is_after, measured(other)) for is_after, other in ends_of(amount.unit.text, amount.measure)}
    return bool(mine & theirs)


def ends_of(text: str, measure: MeasureSpan) -> list[tuple[bool, MeasureSpan]]:
    """Return the other ends of the changes and comparisons that a figure is one end of, and whether it is what came out."""
    return list(_ends(text).get(measure.start, ()))


@lru_cache(maxsize=1024)
def _ends(text: str) -> Mapping[int, Sequence[tuple[bool, MeasureSpan]]]:
    found: dict[int, list[tuple[bool, MeasureSpan]]] = {}
    for one, other in changes_in(text):
        found.setdefault(one.start, []).append((False, other))
        found.setdefault(other.start, []).append((True, one))
    return found


@lru_cache(maxsize=1024)
def changes_in(text: str) -> tuple[tuple[MeasureSpan, MeasureSpan], ...]:
    """Return each pair of figures of which one is told as coming from, or held against, the other: that one first."""
    measures, folded = figures_in(text), fold(text)
    said = [folded[one.start : one.end].strip() for one in measures]
    found = []
    for place, (one, other) in enumerate(pairwise(measures)):
        if (
            other.start - one.end <= _TO
            and _FROM.search(folded[max(0, one.start - 8) : one.start])
            and _TO_WORD.fullmatch(folded, one.end, other.start)
        ):
            found.append((one, other))
        elif measured(one)[0] != measured(other)[0]:
            continue
        elif other.baseline == said[place]:
            found.append((one, other))
        elif one.baseline == said[place + 1]:
            found.append((other, one))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two figures of one kind, each with the part that it takes: before and after, or the thing that it is said of."""

    figures: tuple[MeasureSpan, MeasureSpan]
    parts: tuple[str, str]

    def turned(self, other: "Pair") -> bool | None:
        """Whether the other one gives these figures the other way round; None where it has other ones."""
        mine = tuple(zip(self.parts, map(measured, self.figures), strict=True))
        theirs = tuple(zip(other.parts, map(measured, other.figures), strict=True))
        if set(mine) == set(theirs):
            return False
        turned = {(self.parts[0], mine[1][1]), (self.parts[1], mine[0][1])}
        return True if turned == set(theirs) else None


def pairs_in(text: str) -> Iterator[Pair]:
    """Yield the changes that a text tells of."""
    for before, after in changes_in(text):
        if measured(before) != measured(after):
            yield Pair((before, after), ("before", "after"))


def sides_in(text: str) -> Iterator[Pair]:
    """Yield the figures of two things that a text holds against each other."""
    by_kind: dict[tuple[str, str], list[MeasureSpan]] = {}
    for one in figures_in(text):
        if one.subject:
            by_kind.setdefault((measured(one)[0], concept_in(text, one)), []).append(one)
    for found in by_kind.values():
        if len(found) == 2 and measured(found[0]) != measured(found[1]):
            keys = name_key(found[0].subject), name_key(found[1].subject)
            if keys[0] != keys[1]:
                yield Pair((found[0], found[1]), keys)


def swapped_in(texts: Iterable[Shelved], pair: Pair) -> tuple[Shelved, Unit] | None:
    """Return the unit that has two figures the other way round, where none has them as they are told."""
    found: tuple[Shelved, Unit] | None = None
    for text in texts:
        for amount in text.having(*measured(pair.figures[0]), 0.0):
            for other in (*pairs_in(amount.unit.text), *sides_in(amount.unit.text)):
                is_turned = pair.turned(other)
                if is_turned is False:
                    return None
                if is_turned and found is None:
                    found = text, amount.unit
    return found


@lru_cache(maxsize=4096)
def concept_in(text: str, measure: MeasureSpan) -> str:
    """Return the key of a figure's metric, from its own words or the one metric of its clause; empty where none is named."""
    told = _BY_UNIT.get(measured(measure)[0], "")
    found = CONCEPT.search(measure.metric)
    named = [found] if found else list(CONCEPT.finditer(clause_of(fold(text), measure)))
    keys = {list(CONCEPTS)[int((match.lastgroup or "c0")[1:])] for match in named}
    if len(keys) != 1 or (told and keys <= _PACE):
        return told
    return keys.pop()


def _words_beside(text: str, measure: MeasureSpan) -> frozenset[Key]:
    return frozenset(key for key in keys_of(clause_of(fold(text), measure)) if key[0] in {"word", "pair", "term"})


def _goes_with(unit: Unit, measure: MeasureSpan, other: MeasureSpan) -> bool:
    """Whether a figure that is told as a bound, or as about so much, allows the other one; the ends of a change are no bounds."""
    if ends_of(unit.text, measure) or _is_end_of_range(unit.text, measure):
        return False
    (kind, mine), (other_kind, theirs) = measured(measure), measured(other)
    if kind != other_kind or mine * theirs <= 0:
        return False
    mine, theirs = abs(mine), abs(theirs)
    if measure.comparator == "~":
        return abs(mine - theirs) <= _ABOUT * theirs
    if measure.comparator in {">", ">=", "from"}:
        return mine <= theirs <= _NEAR_BOUND * mine
    if measure.comparator in {"<", "<=", "up to"}:
        return theirs <= mine <= _NEAR_BOUND * theirs
    return False


def _is_end_of_range(text: str, measure: MeasureSpan) -> bool:
    """Whether a figure is one of the two in "from 3 to 5"."""
    return measure.start in _ranges(text)


@lru_cache(maxsize=1024)
def _ranges(text: str) -> frozenset[int]:
    return frozenset(
        one.start
        for low, high in pairwise(figures_in(text))
        if low.comparator in _HIGH and high.comparator in _LOW and high.start - low.end <= _TO
        for one in (low, high)
    )


def follows(measure: MeasureSpan, unit: Unit, amounts: Iterable[Amount]) -> bool:
    """Whether a figure follows from two that stand in the source: a difference, ratio, change, rest to a hundred or sum."""
    kind, value = measured(measure)
    value = abs(value)
    is_short = len(_DIGIT.findall(unit.text[measure.start : measure.end])) < 2
    margin = 1e-9 * value if is_short else 1.01 * slack(fold(unit.text), measure.value, measure.start, measure.end)
    known: dict[str, set[float]] = {}
    for amount in amounts:
        known.setdefault(measured(amount.measure)[0], set()).add(abs(measured(amount.measure)[1]))
    if kind in {"%", "pp"} and any(abs(100 - one - value) <= margin for one in known.get("%", ())):
        return True
    for of, values in known.items():
        for one in values:
            for other in values:
                if one <= other or not other:
                    continue
                made = _made_of(one, other) if kind in {"%", "×"} else ()
                made += (one - other, one + other) if kind == of or (kind == "pp" and of == "%") else ()
                if any(abs(each - value) <= margin for each in made):
                    return True
    return False


def _made_of(high: float, low: float) -> tuple[float, ...]:
    """The ratio of two figures, and how much one is more or less than the other in percent."""
    return high / low, low / high * 100, (high - low) / high * 100, (high - low) / low * 100

"""Figures of a brief: whether a text that it rests on has them with this unit, or with another one, or nothing has.

Promises: a figure counts as found only with its unit, in any spelling and scale, and within what the brief itself rounded;
counts of things that are found nowhere are not reported, for a brief counts its own; what a sentence rejects or asks is left alone.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from agent.auditing.brief import Brief, Passage
from agent.auditing.findings import Finding
from agent.auditing.shelf import Amount, Shelved, names_of
from agent.auditing.words import reason
from agent.checking.stance import stance_of
from agent.reading.conditions import are_different, find_conditions
from agent.reading.measures import MeasureSpan, canonical_unit, find_measures, numbers_in
from agent.reading.quantities import fold, in_base, slack
from agent.reading.showing import as_evidence
from agent.records import Evidence, Language
from agent.texts import Unit

_LEFT_ALONE = frozenset({
    "credibility", "arxiv", "priority", "author", "cutoff", "kind", "topic", "checked", "baseline", "placement", "question", "suggestion",
})  # fmt: skip
_OVERVIEWS = frozenset({"head", "summary", "conclusion"})
_EXACT = frozenset({
    "×", "%", "pp", "$", "CNY", "ms", "μs", "ns", "s", "min", "h", "d", "week", "month", "year", "tokens", "params", "W", "Hz", "FLOPS", "B", "bit",
})  # fmt: skip
_EXACT_FORM = re.compile(r"/|[kKMGTPE]i?B\b|[kKMGTPE]i?[Bb]ps\b|FLOPS?\b|TOPS\b|Hz\b|Wh?\b|\b(?:[QRT]PS|fps)\b")
_DIGIT = re.compile(r"[0-9]")
_COUNT = "count"
_TELLING = 3  # significant digits of a figure that hardly turns up by chance
_LOW, _HIGH = frozenset({"<", "<=", "up to"}), frozenset({">", ">=", "from"})
_RISING = re.compile(
    r"[\s,、*]{0,4}(?:上?升|增|增加|提升|提高|上涨|涨|扩大)(?:至|到|为)\s?|\s(?:ris|grow|increas|climb)(?:es|ing|ed) to\s|\s(?:rose|grew) to\s",
    re.IGNORECASE,
)
_FALLING = re.compile(
    r"[\s,、*]{0,4}(?:下?降|减|减少|降低|缩短|缩|下跌|跌|压缩)(?:至|到|为)\s?|\s(?:drop|fall|shrink|decreas)(?:s|es|ing|ed|ped)? to\s|\s(?:fell|shrank) to\s",
    re.IGNORECASE,
)
_CONDITIONS = frozenset({"hardware", "precision", "batch", "concurrency", "model", "dataset"})
_RELATED = (  # units that are easily taken for one another
    frozenset({"tokens", "tokens/s"}), frozenset({"%", "pp"}), frozenset({"requests", "requests/s"}), frozenset({"×", "%"}),
    frozenset({"B", "bit", "B/s", "bit/s"}), frozenset({"$", "CNY"}), frozenset({"W", "Wh"}), frozenset({"$", "$/h"}),
)  # fmt: skip


def figures(brief: Brief, borne_out: Mapping[int, Evidence], *, language: Language) -> Iterator[Finding]:
    """Yield what came of each figure of a brief; of one that a passage repeats, its first place.

    Args:
        brief: the brief in hand.
        borne_out: what bears out whole units, by their numbers.
        language: of the reasons.
    """
    seen: set[tuple[object, ...]] = set()
    told = {key for passage in brief.passages if passage.segment.role == "increment" for key, *_ in _figures(passage)}
    for number, passage in enumerate(brief.passages):
        is_overview = passage.segment.role in _OVERVIEWS
        if passage.segment.role in {"checked", "arxiv_list"}:
            continue
        yield from _against_direction(brief, passage, language)
        for key, unit, measure in _figures(passage):
            if (number, key) in seen or (is_overview and key in told):
                continue
            seen.add((number, key))
            yield from _judged(brief, passage, unit, measure, borne_out.get(unit.number), language)


def _figures(passage: Passage) -> Iterator[tuple[tuple[str, float], Unit, MeasureSpan]]:
    for unit in passage.told:
        if passage.labels_of(unit) & _LEFT_ALONE and unit.kind != "heading":
            continue
        for measure in find_measures(unit.text):
            yield (*_key(measure),), unit, measure


def _key(measure: MeasureSpan) -> tuple[str, float]:
    """What a figure is known by: what its unit measures, and its value in that."""
    unit, factor = _base(measure.unit)
    return unit, round(measure.value * factor, 9)


def _base(unit: str) -> tuple[str, float]:
    canonical = canonical_unit(unit)
    if not (canonical in _EXACT or _EXACT_FORM.search(canonical)):
        return _COUNT, 1.0
    return in_base(unit)


def _judged(
    brief: Brief, passage: Passage, unit: Unit, measure: MeasureSpan, bearing: Evidence | None, language: Language
) -> Iterator[Finding]:
    said = unit.text[measure.start : measure.end].strip()
    place = as_evidence(brief.note, unit)
    if bearing is not None:
        yield _found(said, place, bearing)
        return
    written = _margin(unit, measure)
    amounts = [(text, amount) for text in passage.rests_on for amount in text.amounts]
    same = [(text, amount) for text, amount in amounts if _is_same(measure, amount.measure, written)]
    is_held = stance_of(unit.text) not in {"rejected", "asked"}
    if same:
        against = [pair for pair in same if _is_opposite(measure, pair[1].measure)]
        if is_held and len(against) == len(same):
            yield _wrong(said, place, against[0], "opposite", language)
        else:
            text, amount = next(pair for pair in same if pair not in against or not is_held)
            yield _found(said, place, as_evidence(text.note, amount.unit))
            if is_held and passage.cited:
                yield from _under_other_conditions(said, place, same, unit, language)
        return
    elsewhere = _elsewhere(brief, passage, unit, measure, written)
    other = _with_other_unit(measure, amounts, unit) if is_held and passage.cited else None
    if other is not None and elsewhere is None:
        yield _wrong(said, place, other, "other-unit", language)
    elif elsewhere is not None:
        yield _found(said, place, as_evidence(elsewhere[0].note, elsewhere[1].unit))
    elif is_held and (_base(measure.unit)[0] != _COUNT or _digits(measure, unit) >= _TELLING):
        rule = "outside" if passage.has_outside else "not-in-source" if passage.cited else "nowhere"
        told = reason(rule, language, says=said)
        yield Finding(
            kind="figure", verdict="unsupported", says=said, place=place, because=told.because, advice=told.advice, found_by=rule,
        )  # fmt: skip


def _against_direction(brief: Brief, passage: Passage, language: Language) -> Iterator[Finding]:
    """Yield each pair of figures that is said to rise or fall and does the other."""
    for unit in passage.told:
        for one, other in pairwise(find_measures(unit.text)):
            gap = fold(unit.text[one.end : other.start])
            way = _RISING.fullmatch(gap) is not None, _FALLING.fullmatch(gap) is not None
            is_pair = _base(one.unit)[0] == _base(other.unit)[0] and one.value > 0 < other.value and any(way)
            (_, first), (_, second) = _key(one), _key(other)
            if not is_pair or (second >= first if way[0] else second <= first) or stance_of(unit.text) != "held":
                continue
            said = unit.text[one.start : other.end]
            told = reason("against-direction", language, says=said)
            yield Finding(
                kind="figure", verdict="false", says=said, place=as_evidence(brief.note, unit), because=told.because, advice=told.advice,
                found_by="against-direction",
            )  # fmt: skip


def _under_other_conditions(
    said: str, place: Evidence, same: Sequence[tuple[Shelved, Amount]], unit: Unit, language: Language
) -> Iterator[Finding]:
    """Yield the condition that a brief gives for a figure, and every source of that figure another one of the kind."""
    theirs = [(text, amount, _conditions(amount.unit.text)) for text, amount in same]
    for kind, said_here in _conditions(unit.text).items():
        others = [(text, amount, each[kind]) for text, amount, each in theirs if kind in each]
        if len(others) < len(same) or not all(are_different(kind, said_here, each) for *_, each in others):
            continue
        text, amount, stands = others[0]
        told = reason("other-condition", language, says=said, quoted=said_here, stands=stands)
        yield Finding(
            kind="figure", verdict="false", says=f"{said} · {said_here}", place=place, found=(as_evidence(text.note, amount.unit),),
            because=told.because, advice=told.advice, found_by="other-condition",
        )  # fmt: skip
        return


def _conditions(text: str) -> dict[str, str]:
    """The conditions of a unit, of each kind that it names exactly one of."""
    folded = fold(text)
    named = {
        kind: {folded[low:high].strip() for low, high in spans}
        for kind, spans in find_conditions(folded).items()
        if kind in _CONDITIONS
    }
    return {kind: each.pop() for kind, each in named.items() if len(each) == 1}


def _found(said: str, place: Evidence, bearing: Evidence) -> Finding:
    return Finding(kind="figure", verdict="holds", says=said, place=place, found=(bearing,), found_by="found")


def _wrong(said: str, place: Evidence, pair: tuple[Shelved, Amount], rule: str, language: Language) -> Finding:
    text, amount = pair
    stands = amount.unit.text[amount.measure.start : amount.measure.end].strip()
    if rule == "opposite":
        stands = _with_comparator(amount)
    told = reason(rule, language, says=said, stands=stands)
    return Finding(
        kind="figure",
        verdict="false",
        says=said,
        place=place,
        found=(as_evidence(text.note, amount.unit),),
        because=told.because,
        advice=told.advice,
        found_by=rule,
    )


def _with_comparator(amount: Amount) -> str:
    start, end = amount.measure.start, amount.measure.end
    return amount.unit.text[max(0, start - 8) : end + 6].strip(" ，,。;；")


def _margin(unit: Unit, measure: MeasureSpan) -> float:
    """How far a figure may lie from the one that it was rounded from; nothing where it has a single digit."""
    if _digits(measure, unit) < 2:
        return 0.0
    return slack(fold(unit.text), measure.value, measure.start, measure.end) * _base(measure.unit)[1]


def _digits(measure: MeasureSpan, unit: Unit) -> int:
    return len(_written(measure, unit).strip("0"))


def _written(measure: MeasureSpan, unit: Unit) -> str:
    return "".join(_DIGIT.findall(fold(unit.text[measure.start : measure.end])))


def _is_same(measure: MeasureSpan, other: MeasureSpan, margin: float) -> bool:
    (unit, value), (other_unit, other_value) = _key(measure), _key(other)
    return unit == other_unit and abs(abs(value) - abs(other_value)) <= max(margin, 1e-9 * abs(value))


def _is_opposite(measure: MeasureSpan, other: MeasureSpan) -> bool:
    one, two = measure.comparator, other.comparator
    return (one in _LOW and two in _HIGH) or (one in _HIGH and two in _LOW)


def _with_other_unit(
    measure: MeasureSpan, amounts: Sequence[tuple[Shelved, Amount]], unit: Unit
) -> tuple[Shelved, Amount] | None:
    """The same number with a unit that this one is easily taken for, said of the same thing or too exact for chance."""
    names, mine = names_of(unit.text), _base(measure.unit)[0]
    for text, amount in amounts:
        theirs = _base(amount.measure.unit)[0]
        is_number = abs(amount.measure.value) == abs(measure.value)
        if not is_number or mine == theirs or not any({mine, theirs} <= pair for pair in _RELATED):
            continue
        if (
            _digits(measure, unit) >= _TELLING
            or (names & names_of(amount.unit.text))
            or _is_like(measure, amount.measure)
        ):
            return text, amount
    return None


def _is_like(measure: MeasureSpan, other: MeasureSpan) -> bool:
    return bool(measure.metric) and measure.metric.casefold() == other.metric.casefold()


def _elsewhere(
    brief: Brief, passage: Passage, unit: Unit, measure: MeasureSpan, margin: float
) -> tuple[Shelved, Amount] | None:
    """A text that has the figure, in a unit about the same thing."""
    numbers = numbers_in(unit.text[measure.start : measure.end])
    names = names_of(unit.text, passage.segment.title)
    asked = {text.path for text in passage.rests_on}
    digits = _written(measure, unit).strip("0")
    having = brief.shelf.with_numbers(numbers, without=asked)
    for text, amount in ((one, amount) for one in having for amount in one.amounts_with(digits)):
        if not _is_same(measure, amount.measure, margin) or _is_opposite(measure, amount.measure):
            continue
        if names & names_of(amount.unit.text, amount.segment.title) or _is_like(measure, amount.measure):
            return text, amount
        if not names and _digits(measure, unit) >= _TELLING:
            return text, amount
    return None

"""Figures of a brief: whether a text that it rests on has them with this unit, or with another one, or nothing has.

Promises: a figure counts as found only with its unit, in any spelling and scale, and within what the brief itself rounded;
counts of things that are found nowhere are not reported, for a brief counts its own; what a sentence rejects or asks is left alone.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from agent.auditing.brief import Brief, Passage
from agent.auditing.contrary import contrary, pairs_in, sides_in, swapped_in
from agent.auditing.findings import Finding
from agent.auditing.matter import Key, keys_of, weight, without_numbers
from agent.auditing.shelf import COUNT, Amount, Shelved, base_of, figures_in, measured, names_of
from agent.auditing.words import reason
from agent.checking.stance import stance_of
from agent.reading.conditions import are_different, find_conditions
from agent.reading.measures import MeasureSpan, numbers_in
from agent.reading.quantities import fold, slack
from agent.reading.showing import as_evidence
from agent.records import Evidence, Language
from agent.texts import Unit

_LEFT_ALONE = frozenset({
    "credibility", "arxiv", "priority", "author", "cutoff", "kind", "topic", "checked", "baseline", "placement", "question", "suggestion",
})  # fmt: skip
_OVERVIEWS = frozenset({"head", "summary", "conclusion"})
_DIGIT = re.compile(r"[0-9]")
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
_SHOWING = frozenset({"paper", "name", "condition", "metric", "number", "term"})


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
        yield from _swapped(brief, passage, language)
        for key, unit, measure in _figures(passage):
            if (number, key) in seen or (is_overview and key in told):
                continue
            seen.add((number, key))
            yield from _judged(brief, passage, unit, measure, borne_out.get(unit.number), language)


def _figures(passage: Passage) -> Iterator[tuple[tuple[str, float], Unit, MeasureSpan]]:
    for unit in passage.told:
        if passage.labels_of(unit) & _LEFT_ALONE and unit.kind != "heading":
            continue
        for measure in figures_in(unit.text):
            yield measured(measure), unit, measure


@lru_cache(maxsize=256)  # every figure of a unit asks for it
def _is_held(text: str) -> bool:
    return stance_of(text) not in {"rejected", "asked"}


def _judged(
    brief: Brief, passage: Passage, unit: Unit, measure: MeasureSpan, bearing: Evidence | None, language: Language
) -> Iterator[Finding]:
    said = unit.text[measure.start : measure.end].strip()
    place = as_evidence(brief.note, unit)
    if bearing is not None:
        yield _found(said, place, bearing)
        return
    written = _margin(unit, measure)
    same = _nearest(
        unit, [(text, amount) for text in passage.rests_on for amount in text.having(*measured(measure), written)]
    )
    is_held = _is_held(unit.text)
    if same:
        against = [
            pair for pair in same if _is_opposite(measure, pair[1].measure) and is_of_same(unit, measure, pair[1])
        ]
        if is_held and len(against) == len(same):
            yield _wrong(said, place, against[0], "opposite", language)
        else:
            text, amount = next(pair for pair in same if pair not in against or not is_held)
            yield _found(said, place, as_evidence(text.note, amount.unit))
            if is_held and passage.cited:
                yield from _under_other_conditions(said, place, same, (unit, measure), language)
        return
    may_be_false = is_held and passage.may_be_false
    other = contrary(passage.notes, unit, measure, title=passage.segment.title) if may_be_false else None
    if other is not None and other.is_borne_out:
        yield _found(said, place, as_evidence(other.text.note, other.amount.unit))
    elif other is not None and not _is_of_other_passage(brief, unit, measure, written):
        rule = "other-unit" if other.is_other_unit else "other-value"
        yield _wrong(said, place, (other.text, other.amount), rule, language)
    elif (elsewhere := _elsewhere(brief, passage, unit, measure, written)) is not None:
        yield _found(said, place, as_evidence(elsewhere[0].note, elsewhere[1].unit))
    elif is_held and (base_of(measure.unit)[0] != COUNT or _digits(measure, unit) >= _TELLING):
        rule = "outside" if passage.has_outside else "not-in-source" if passage.cited else "nowhere"
        told = reason(rule, language, says=said)
        yield Finding(
            kind="figure", verdict="unsupported", says=said, place=place, because=told.because, advice=told.advice, found_by=rule,
        )  # fmt: skip


def _is_of_other_passage(brief: Brief, unit: Unit, measure: MeasureSpan, margin: float) -> bool:
    """Whether a text that the brief cites anywhere has the figure about the same thing: then it speaks of what that says."""
    return any(
        is_of_same(unit, measure, amount)
        and names_of(unit.text) & names_of(amount.unit.text, *amount.segment.heading_path)
        for text in brief.rests_on
        for amount in text.having(*measured(measure), margin)
    )


def _nearest(unit: Unit, same: list[tuple[Shelved, Amount]]) -> list[tuple[Shelved, Amount]]:
    """Put those first that speak most of what the brief's sentence is about."""
    keys = keys_of(unit.text) if len(same) > 1 else frozenset[Key]()
    return sorted(same, key=lambda pair: -weight(keys & keys_of(pair[1].unit.text))) if keys else same


def is_of_same(unit: Unit, measure: MeasureSpan, amount: Amount) -> bool:
    """Whether a unit of a source speaks of what the brief's sentence does, that figure aside."""
    keys = without_numbers(keys_of(unit.text), numbers_in(unit.text[measure.start : measure.end]))
    return any(kind in _SHOWING for kind, _ in keys & keys_of(amount.unit.text))


def _against_direction(brief: Brief, passage: Passage, language: Language) -> Iterator[Finding]:
    """Yield each pair of figures that is said to rise or fall and does the other."""
    for unit in passage.told:
        for one, other in pairwise(figures_in(unit.text)):
            gap = fold(unit.text[one.end : other.start])
            way = _RISING.fullmatch(gap) is not None, _FALLING.fullmatch(gap) is not None
            is_pair = base_of(one.unit)[0] == base_of(other.unit)[0] and one.value > 0 < other.value and any(way)
            (_, first), (_, second) = measured(one), measured(other)
            if not is_pair or (second >= first if way[0] else second <= first) or stance_of(unit.text) != "held":
                continue
            said = unit.text[one.start : other.end]
            told = reason("against-direction", language, says=said)
            yield Finding(
                kind="figure", verdict="false", says=said, place=as_evidence(brief.note, unit), because=told.because, advice=told.advice,
                found_by="against-direction",
            )  # fmt: skip


def _swapped(brief: Brief, passage: Passage, language: Language) -> Iterator[Finding]:
    """Yield each pair of figures that have changed places: before and after, or those of two things."""
    for unit in passage.told if passage.may_be_false else ():
        if stance_of(unit.text) in {"rejected", "asked"} or passage.labels_of(unit) & _LEFT_ALONE:
            continue
        for pair in (*pairs_in(unit.text), *sides_in(unit.text)):
            found = swapped_in(passage.notes, pair)
            if found is None:
                continue
            said = unit.text[min(one.start for one in pair.figures) : max(one.end for one in pair.figures)]
            text, other = found
            told = reason("swapped", language, says=said)
            yield Finding(
                kind="figure", verdict="false", says=said, place=as_evidence(brief.note, unit), found=(as_evidence(text.note, other),),
                because=told.because, advice=told.advice, found_by="swapped",
            )  # fmt: skip


def _under_other_conditions(
    said: str,
    place: Evidence,
    same: Sequence[tuple[Shelved, Amount]],
    told: tuple[Unit, MeasureSpan],
    language: Language,
) -> Iterator[Finding]:
    """Yield the condition that a brief gives for a figure, where every source of that figure has another one of the kind."""
    unit, measure = told
    theirs = [(text, amount, _conditions(amount.unit.text)) for text, amount in same]
    for kind, said_here in _conditions(unit.text).items():
        others = [(text, amount, each[kind]) for text, amount, each in theirs if kind in each]
        if len(others) < len(same) or not all(are_different(kind, said_here, each) for *_, each in others):
            continue
        text, amount, stands = others[0]
        if not is_of_same(unit, measure, amount):
            continue
        because = reason("other-condition", language, says=said, quoted=said_here, stands=stands)
        yield Finding(
            kind="figure", verdict="false", says=f"{said} · {said_here}", place=place, found=(as_evidence(text.note, amount.unit),),
            because=because.because, advice=because.advice, found_by="other-condition",
        )  # fmt: skip
        return


@lru_cache(maxsize=1024)
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
    return slack(fold(unit.text), measure.value, measure.start, measure.end) * base_of(measure.unit)[1]


def _digits(measure: MeasureSpan, unit: Unit) -> int:
    return len(_written(measure, unit).strip("0"))


def _written(measure: MeasureSpan, unit: Unit) -> str:
    return "".join(_DIGIT.findall(fold(unit.text[measure.start : measure.end])))


def _is_same(measure: MeasureSpan, other: MeasureSpan, margin: float) -> bool:
    (unit, value), (other_unit, other_value) = measured(measure), measured(other)
    return unit == other_unit and abs(abs(value) - abs(other_value)) <= max(margin, 1e-9 * abs(value))


def _is_opposite(measure: MeasureSpan, other: MeasureSpan) -> bool:
    one, two = measure.comparator, other.comparator
    return (one in _LOW and two in _HIGH) or (one in _HIGH and two in _LOW)


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
        theirs = names_of(amount.unit.text, *amount.segment.heading_path)
        if names & theirs or (_is_like(measure, amount.measure) and not (names and theirs)):
            return text, amount
        if not names and _digits(measure, unit) >= _TELLING:
            return text, amount
    return None

"""Numbers that a text states of a named thing: other numbers for the same under the same conditions, and one number with two units.

A number is held against another only where subject, metric, statistic and kind of unit are the same; unstated conditions never
equal unstated ones, except in two wordings that are the same apart from the number: a copy that drifted. A text that gives
several numbers for one thing in one telling (a series, rows, before and after) states none that could be compared.

Promises: pure; `compare` is symmetric; time is linear in the text.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from agent.checking.dispute import Dispute, Hand, Stated, as_stated
from agent.checking.drifting import UNIT, unit_claims, unit_dispute
from agent.checking.headed import HEADING
from agent.checking.metrics import (
    CHANGE,
    CONCEPTS,
    OF_A_MODEL,
    PASSING,
    PROPERTIES,
    attribute_of,
    clause_of,
    concept_of,
    measures_of,
    sentence_of,
)
from agent.checking.stance import stance_in
from agent.checking.subjects import BENCHMARK, is_of_heading, key_of, named_of, names_of, said_with
from agent.reading.conditions import are_different, canonical_condition, find_conditions
from agent.reading.measures import MeasureSpan
from agent.reading.naming import count_cjk, name_key
from agent.reading.parts import by_label
from agent.reading.quantities import canonical_unit, fold, in_base, slack
from agent.reading.showing import as_evidence
from agent.records import Claim, Measure
from agent.texts import Segment, Unit

_MODE = re.compile(
    r"开启|启用|打开|关闭|禁用|未开|不开|冷启动|热启动|预热|场景|负载|多轮|单轮|高并发|低并发|长文|短文|空载|满载|离线|在线"
    r"|(?<![a-z])(?:without|enabled|disabled|warm|cold|workload|scenario|offline|online)(?![a-z])",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"(?:19|20)[0-9]{2}|[HQ][1-4](?![0-9])|[0-9]{1,2}\s?月|第[一二三四1-4]季度?|[上下]半年|[去今]年|[上本]周|[上本]月|[昨今]日|[昨今]天|此前|之前|原先|目前|截至"
    r"|(?<![a-z])(?:last|this|previous)\s(?:year|month|week|quarter)|(?<![a-z])(?:previously|earlier|formerly|today|yesterday|currently|so far)(?![a-z])",
    re.IGNORECASE,
)
_PASSES = re.compile(
    r"[昨今]日|[昨今]天|目前|截至|[上本]周|(?<![a-z])(?:today|yesterday|currently|so far|this week)(?![a-z])",
    re.IGNORECASE,
)
_OTHER_FIGURE = re.compile(
    r"(?<![A-Za-z0-9.,])[0-9]+(?:[.,][0-9]+)*|[一二两双三四五六七八九十百]{1,3}(?=[卡机路台张节])"
)
_SETTING_LABEL = re.compile(
    r"\W{0,8}(?:(?:测试|实验|运行|评测)?(?:条件|环境|配置|设置|设定|平台)|(?:test |experimental )?(?:setup|conditions?|environment|configuration|config|settings?))\s?:",
    re.IGNORECASE,
)
_MEASURING = frozenset(
    {"%", "pp", "×", "s", "B", "bit", "B/s", "bit/s", "tokens", "tokens/s", "$", "CNY", "$/s", "CNY/s", "W", "FLOPS"}
)
_PASSING_OR_PROPERTY = PASSING | PROPERTIES
_COPY = 16  # breadth of a wording that two texts do not share by chance
_APART = 1.1
_QUIET_ROLES = frozenset({"checked", "arxiv_list"})
_QUIET_LABELS = frozenset(
    {"relation", "checked", "source", "baseline", "cutoff", "author", "question", "suggestion", "credibility"}
)
_NARROW_ROLES = frozenset({"head", "summary", "conclusion", "warning", "leads"})  # each unit speaks of something else
_SPEAKING = frozenset({"sentence", "item", "row", "heading"})


class _Place(NamedTuple):
    """A unit with what its surroundings say."""

    unit: Unit
    segment: Segment
    label: str
    heading: str
    setting: Mapping[str, str]


class _Range(NamedTuple):
    low: float
    high: float


def claims(hand: Hand) -> Iterator[Claim]:
    """Yield the numbers of a text that can be held against others: those of a named thing, and those whose unit may drift."""
    series = defaultdict[tuple[object, ...], list[Claim]](list)
    for segment in hand.segments:
        if segment.role in _QUIET_ROLES:
            continue
        for place in _places(segment):
            yield from unit_claims(hand.note, place.unit)
            for claim in _value_claims(hand, place):
                measure = claim.measure
                given = (measure.version, measure.baseline, *sorted(measure.conditions.items())) if measure else ()
                series[segment.number, place.label, claim.subject, claim.attribute, *given].append(claim)
    for telling in series.values():
        if not any(_is_apart(one, other, is_copy=True) for one, other in pairwise(telling)):
            yield from telling


def compare(one: Claim, other: Claim) -> Dispute | None:
    """Return what two numbers dispute, or None where they agree or cannot be held against each other."""
    if one.attribute != other.attribute or one.evidence == other.evidence or one.attribute == HEADING:
        return None
    first, second = sorted((one, other), key=lambda claim: (claim.evidence.note, claim.evidence.start, claim.says))
    if one.attribute == UNIT:
        return unit_dispute(first, second)
    return _value_dispute(first, second)


def _places(segment: Segment) -> Iterator[_Place]:
    labels = {unit.number: label for label, units in by_label(segment.units).items() for unit in reversed(units)}
    heading = segment.heading.text if segment.heading and segment.role not in _NARROW_ROLES else ""
    setting = _setting([heading, *(unit.text for unit in segment.units if _SETTING_LABEL.match(fold(unit.text)))])
    for unit in segment.units:
        label = labels.get(unit.number, "")
        if unit.kind in _SPEAKING:
            yield _Place(unit, segment, label, heading, {} if segment.role in _NARROW_ROLES else setting)


def _setting(texts: Sequence[str]) -> dict[str, str]:
    """The conditions that hold for a whole finding: those of its heading and of the lines that say so."""
    found = defaultdict[str, dict[str, str]](dict)
    for text in texts:
        for kind, values in _said_conditions(fold(text)).items():
            found[kind] = {**values, **found[kind]}
    return {kind: said for kind, values in found.items() if (said := _one_of(kind, values)) is not None}


def _one_of(kind: str, values: Mapping[str, str]) -> str | None:
    """What is said where it is said but once; of the lengths of input and output each once."""
    sorts = [value.rpartition(" ")[0] if kind == "context" else "" for value in values]
    return ", ".join(values[value] for value in sorted(values)) if len(set(sorts)) == len(sorts) and values else None


def _value_claims(hand: Hand, place: _Place) -> Iterator[Claim]:
    if place.label in _QUIET_LABELS:
        return
    found, folded = measures_of(place.unit.text), fold(place.unit.text)
    for at, measure in enumerate(found):
        if _is_before(found, at, folded) or _is_high_end(found, at):
            continue
        named = named_of(measure, folded, heading=place.heading)
        clause = clause_of(folded, measure)
        concept = concept_of(measure, clause, folded)
        conditions = _conditions(measure, place, folded)
        if named is None or not concept or conditions is None:
            continue
        if concept not in CONCEPTS and in_base(measure.unit)[0] not in _MEASURING:
            continue
        if concept in OF_A_MODEL and (BENCHMARK.search(named.name) or not is_of_heading(named, place.heading)):
            continue
        conditions = {
            kind: said for kind, said in conditions.items() if key_of(said) != key_of(named.name) and kind != concept
        }
        high = found[at + 1] if _is_low_end(found, at) else None
        yield _claim(
            hand,
            place,
            measure._replace(subject=named.name, version=named.version, conditions=tuple(conditions.items())),
            (concept, high),
        )


def _claim(hand: Hand, place: _Place, measure: MeasureSpan, meant: tuple[str, MeasureSpan | None]) -> Claim:
    text, (concept, high) = place.unit.text, meant
    evidence = as_evidence(hand.note, place.unit)
    _, factor = in_base(measure.unit)
    value = f"{measure.value * factor:.12g}" + (f"..{high.value * factor:.12g}" if high else "")
    end = high.end if high else measure.end
    said = text[measure.start : end]
    shared = "" if not measure.unit or fold(measure.unit) in fold(said) else f" {measure.unit}"
    return Claim(
        kind="measure",
        subject=name_key(measure.subject.replace(" ", "-")) or key_of(measure.subject),
        attribute=attribute_of(measure, concept, fold(text)),
        value=value,
        stance=stance_in(text, measure.start, end),
        says=f"{measure.metric} {said}{shared}".strip(),
        measure=Measure(
            value=measure.value,
            comparator="" if high else measure.comparator,
            unit=measure.unit,
            metric=measure.metric or concept,
            subject=measure.subject,
            version=measure.version,
            baseline=measure.baseline,
            conditions=dict(measure.conditions),
            evidence=evidence,
        ),
        evidence=evidence,
    )


def _is_before(found: Sequence[MeasureSpan], at: int, folded: str) -> bool:
    """Whether a number is what another is compared with: the start of a change, or an unnamed other side."""
    measure = found[at]
    said = folded[measure.start : measure.end]
    if at + 1 < len(found) and found[at + 1].baseline == said:
        return True
    return at > 0 and found[at - 1].baseline == said and not measure.subject


def _is_low_end(found: Sequence[MeasureSpan], at: int) -> bool:
    return at + 1 < len(found) and _is_high_end(found, at + 1)


def _is_high_end(found: Sequence[MeasureSpan], at: int) -> bool:
    low, high = (found[at - 1], found[at]) if at else (None, found[at])
    return low is not None and low.comparator == ">=" and high.comparator == "<=" and high.start - low.end <= 4


def _conditions(measure: MeasureSpan, place: _Place, folded: str) -> dict[str, str] | None:
    """The conditions of a number: of its sentence, else of its finding; None where several might be meant."""
    nearest = dict(measure.conditions)
    given = dict(place.setting)
    for kind, values in _said_conditions(said_with(folded, measure)).items():
        one = _one_of(kind, values)
        if one is None and not _is_beside(nearest.get(kind, ""), measure, folded):
            return None
        given[kind] = one if one is not None else nearest[kind]
    return given


@lru_cache(maxsize=256)  # every number of a sentence asks for them
def _said_conditions(folded: str) -> Mapping[str, Mapping[str, str]]:
    """The conditions of each kind, by what they mean."""
    found = defaultdict[str, dict[str, str]](dict)
    for kind, spans in find_conditions(folded).items():
        for start, end in spans:
            found[kind].setdefault(canonical_condition(kind, folded[start:end]), folded[start:end].strip())
    return found


def _is_beside(condition: str, measure: MeasureSpan, folded: str) -> bool:
    return (
        bool(condition)
        and condition in folded[max(0, measure.start - len(condition) - 4) : measure.end + len(condition) + 6]
    )


def _value_dispute(first: Claim, second: Claim) -> Dispute | None:
    one, other = first.measure, second.measure
    if one is None or other is None or not _are_of_one_thing(one, other):
        return None
    is_copy = _is_copy(first, second)
    if not _is_apart(first, second, is_copy=is_copy) or not (is_copy or _may_compare(first, second)):
        return None
    same = is_copy or _are_given_alike(first, second)
    concept = first.attribute.split("|")[0]
    if not same and (concept in _PASSING_OR_PROPERTY or concept not in CONCEPTS or not _is_far(first, second)):
        return None
    return Dispute(
        rule="value" if same else "value-conditions",
        kind="value" if same else "conditions",
        about=" ".join(filter(None, (one.subject, one.version, one.metric))),
        key=(first.subject, first.attribute, *sorted((first.value, second.value))),
        sides=(_side(first, is_asked=not same), _side(second, is_asked=not same)),
        is_question=not same,
    )


def _are_of_one_thing(one: Measure, other: Measure) -> bool:
    """Whether two numbers are of one thing and version, and no condition of the one excludes those of the other."""
    if key_of(one.subject) != key_of(other.subject):
        return False
    versions = [key_of(measure.version).lstrip("v") for measure in (one, other) if measure.version]
    return len(set(versions)) < 2 and not any(
        are_different(kind, said, other.conditions[kind])
        for kind, said in one.conditions.items()
        if kind in other.conditions
    )


def _is_copy(first: Claim, second: Claim) -> bool:
    """Whether two texts have the same words around their numbers, so many that one is copied from the other."""
    wording, concept = _wording(first), first.attribute.split("|")[0]
    return (
        wording == _wording(second)
        and _breadth(wording) >= _COPY
        and (first.measure is not None and key_of(first.measure.subject) in wording)
        and (first.evidence.note == second.evidence.note or not (concept in PASSING or _PASSES.search(_around(first))))
    )


def _side(claim: Claim, *, is_asked: bool) -> Stated:
    given = ", ".join(claim.measure.conditions.values()) if claim.measure and is_asked else ""
    return Stated(f"{claim.says} ({given})", claim.evidence) if given else as_stated(claim)


def _may_compare(first: Claim, second: Claim) -> bool:
    """Whether nothing shows that the two speak of different things."""
    one, other = first.measure, second.measure
    if one is None or other is None or not _have_one_baseline(first, second):
        return False
    mine, theirs = _around(first), _around(second)
    if {found.casefold() for found in _PERIOD.findall(mine)} != {found.casefold() for found in _PERIOD.findall(theirs)}:
        return False
    if _figures_beside(first) != _figures_beside(second):
        return False
    modes = [_modes(claim) for claim in (first, second)]
    if all(modes) and modes[0] != modes[1]:
        return False
    names = [{key_of(word.group()) for word in names_of(text)} for text in (mine, theirs)]
    texts = [key_of(claim.evidence.quote + claim.says) for claim in (first, second)]
    subject = {key_of(word) for word in one.subject.split()}
    return all(name in texts[1] for name in names[0] - subject) and all(name in texts[0] for name in names[1] - subject)


def _have_one_baseline(first: Claim, second: Claim) -> bool:
    one, other = (claim.measure.baseline or "" if claim.measure else "" for claim in (first, second))
    is_ratio = first.attribute.endswith("×") or f"|{CHANGE}|" in first.attribute
    if is_ratio:
        return bool(one) and bool(other) and key_of(one) == key_of(other)
    figures = [value for value in (one, other) if value[:1].isdigit()]
    return len(figures) < 2 or key_of(one) == key_of(other)


def _are_given_alike(first: Claim, second: Claim) -> bool:
    """Whether both name the same conditions, which are enough to compare such numbers by."""
    one, other = first.measure, second.measure
    if one is None or other is None or (one.version is None) != (other.version is None):
        return False
    concept = first.attribute.split("|")[0]
    mine, theirs = (
        {kind: canonical_condition(kind, said) for kind, said in measure.conditions.items()} for measure in (one, other)
    )
    if concept not in CONCEPTS or concept in PASSING or mine != theirs:
        return False
    return _modes(first) == _modes(second) and (concept in PROPERTIES or bool(mine))


def _modes(claim: Claim) -> set[str]:
    return {found.casefold() for found in _MODE.findall(claim.evidence.quote)}


def _figures_beside(claim: Claim) -> set[str]:
    """The other figures of a number's clause: how many cards, the best of how many."""
    span, said = _span(claim), _around(claim)
    known = (
        (span.baseline, claim.measure.version, fold(claim.evidence.quote)[span.start : span.end])
        if span and claim.measure
        else ()
    )
    for told in filter(None, known):
        said = said.replace(told, " ")
    return set(_OTHER_FIGURE.findall(said))


def _around(claim: Claim) -> str:
    span = _span(claim)
    return clause_of(fold(claim.evidence.quote), span) if span else ""


def _wording(claim: Claim) -> str:
    """The words of a number's sentence without the number."""
    span, folded = _span(claim), fold(claim.evidence.quote)
    if span is None:
        return ""
    start, end = sentence_of(folded, span.start, span.end)
    return f"{key_of(folded[start : span.start])}#{key_of(folded[span.end : end])}"


def _breadth(text: str) -> int:
    return len(text) + count_cjk(text)


def _span(claim: Claim) -> MeasureSpan | None:
    measure = claim.measure
    found = measures_of(claim.evidence.quote)
    return next((one for one in found if measure and (one.value, one.unit) == (measure.value, measure.unit)), None)


def _is_far(first: Claim, second: Claim) -> bool:
    one, other = (abs(_range(claim, is_copy=True).low) for claim in (first, second))
    return max(one, other) >= _APART * min(one, other)


def _is_apart(first: Claim, second: Claim, *, is_copy: bool) -> bool:
    """Whether two numbers differ by more than rounding and bounds allow; of a copy the bounds do not count."""
    one, other = _range(first, is_copy=is_copy), _range(second, is_copy=is_copy)
    return one.high < other.low or other.high < one.low


def _range(claim: Claim, *, is_copy: bool) -> _Range:
    measure, span = claim.measure, _span(claim)
    low, _, high = claim.value.partition("..")
    bottom, top = float(low), float(high or low)
    if measure is None or span is None:
        return _Range(bottom, top)
    _, factor = in_base(measure.unit)
    margin = factor * slack(fold(claim.evidence.quote), span.value, span.start, span.end)
    digits = f"{abs(span.value):.0f}"
    if span.value.is_integer() and len(digits) > len(digits.rstrip("0")):
        margin = max(margin, min(0.02 * abs(bottom), 0.5 * factor * 10.0 ** (len(digits) - len(digits.rstrip("0")))))
    if claim.attribute.startswith("price|"):
        margin = min(margin, 0.02 * abs(bottom))  # a price is meant as it is written
    if canonical_unit(measure.unit)[1:2] == "i" or claim.attribute.startswith("context|"):
        margin = max(margin, 0.08 * abs(bottom))  # binary and decimal sizes are mixed up freely
    if measure.comparator == "~" and not is_copy:
        margin = max(margin, 0.1 * abs(bottom))
    bottom, top = bottom - margin, top + margin
    if measure.comparator in (">", ">=", "from") and not is_copy:
        top = math.inf
    if measure.comparator in ("<", "<=", "up to") and not is_copy:
        bottom = -math.inf
    return _Range(bottom, top)

"""Which passages of two findings show what keeps them apart, and whether two figures of one metric should be asked about.

Promises: pure and symmetric; at most 12 passages of each finding are looked at.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from agent.checking.dispute import Dispute, Stated
from agent.checking.metrics import attribute_of, clause_of, concept_of, measures_of
from agent.reading.conditions import are_different
from agent.reading.measures import MeasureSpan
from agent.reading.naming import WORD, count_cjk, name_key
from agent.reading.quantities import canonical_unit, fold, in_base
from agent.reading.showing import plain
from agent.reading.terms import terms_in
from agent.reconciling.assertions import differ
from agent.records import Evidence, Increment

_PASSAGES = 12
_APART = 0.1  # share by which two values differ, for it to matter
_CHINESE = re.compile("[\u3400-\u9fff]+")
_WORDED = frozenset({"negation", "direction", "role"})  # kept apart by words, not by figures


def passages(increment: Increment) -> tuple[Evidence, ...]:
    """Return all passages of a finding: those that it cites, and those that its figures stand in."""
    cited = (*increment.evidence, *(measure.evidence for measure in increment.measures))
    return tuple({(place.note, place.start, place.end): place for place in cited}.values())


def telling(one: Increment, other: Increment, because: str = "") -> tuple[Evidence, ...]:
    """Return two passages, one of each finding, that show what keeps them apart; none where a finding has no passage.

    Where no two passages show it, those that speak most of the same thing are taken.

    Args:
        one: a finding.
        other: the other one.
        because: what keeps them apart, as `decide` names it.
    """
    pairs = [
        (mine.differs(theirs, because), mine.likeness(theirs), mine.place, theirs.place)
        for mine in _passages(one)
        for theirs in _passages(other)
        if mine.letters != theirs.letters
    ]
    best = max(pairs, key=lambda pair: (*pair[:2], -pair[2].start, -pair[3].start), default=None)
    return best[2:] if best else ()


def to_be_asked(one: Increment, other: Increment) -> Dispute | None:
    """Return the question of two findings about one thing that give one metric other values, where no condition explains it."""
    for mine in _passages(one):
        for theirs in _passages(other):
            for attribute in sorted(mine.values.keys() & theirs.values.keys()):
                here, there = mine.values[attribute], theirs.values[attribute]
                if _are_apart(here, there) and not _is_explained(here, there):
                    said = [each.place.quote[span.start : span.end] for each, span in ((mine, here), (theirs, there))]
                    sides = (
                        Stated(plain(mine.place.quote), mine.place),
                        Stated(plain(theirs.place.quote), theirs.place),
                    )
                    key = (one.title, other.title, attribute, *said)
                    return Dispute(
                        "value-conditions",
                        "conditions",
                        about=one.title,
                        key=tuple(sorted(key)),
                        sides=sides,
                        is_question=True,
                    )
    return None


@dataclass(frozen=True)
class _Passage:
    """A passage of a finding: what it is about, and its figures."""

    place: Evidence

    @cached_property
    def letters(self) -> str:
        return "".join(char for char in self.place.quote.casefold() if char.isalnum())

    @cached_property
    def words(self) -> frozenset[str]:
        """Names, terms of the trade and pairs of Chinese characters, and the units of its figures."""
        text = self.place.quote
        pairs = (run[start : start + 2] for run in _CHINESE.findall(text) for start in range(len(run) - 1))
        names = (name_key(word) for word in WORD.findall(text))
        return frozenset((*pairs, *filter(None, names), *terms_in(text), *(f"unit {unit}" for unit in self.figures)))

    @cached_property
    def figures(self) -> Mapping[str, frozenset[float]]:
        figures: dict[str, set[float]] = defaultdict(set)
        for one in measures_of(self.place.quote):
            figures[canonical_unit(one.unit)].add(one.value)
        return {unit: frozenset(values) for unit, values in figures.items()}

    @cached_property
    def values(self) -> Mapping[str, MeasureSpan]:
        """Figures by what they say, of metrics that have a name and one figure here."""
        found: dict[str, list[MeasureSpan]] = defaultdict(list)
        folded = fold(self.place.quote)
        for one in measures_of(self.place.quote):
            concept = concept_of(one, clause_of(folded, one), folded)
            if concept:
                found[attribute_of(one, concept, folded)].append(one)
        return {attribute: several[0] for attribute, several in found.items() if len(several) == 1}

    def likeness(self, other: "_Passage") -> float:
        return len(self.words & other.words) / math.sqrt(len(self.words) * len(other.words) or 1)

    def differs(self, other: "_Passage", because: str) -> bool:
        """Whether two passages show what keeps their findings apart."""
        if because in {"value", "number"}:
            return any(self.figures[unit] != other.figures[unit] for unit in self.figures.keys() & other.figures.keys())
        if because == "unit":
            return any(
                not values.isdisjoint(others) and unit != another
                for unit, values in self.figures.items()
                for another, others in other.figures.items()
            )
        return because in _WORDED and self._says_otherwise(other, because)

    def _says_otherwise(self, other: "_Passage", because: str) -> bool:
        texts = self.place.quote, other.place.quote
        is_abroad = (count_cjk(texts[0]) > 0) != (count_cjk(texts[1]) > 0)
        difference = differ((plain(texts[0]),), (plain(texts[1]),), is_abroad=is_abroad)
        return difference is not None and difference.kind == because


def _passages(increment: Increment) -> Iterator[_Passage]:
    return (_Passage(place) for place in passages(increment)[:_PASSAGES])


def _are_apart(one: MeasureSpan, other: MeasureSpan) -> bool:
    values = [measure.value * in_base(measure.unit)[1] for measure in (one, other)]
    is_plain = all(measure.comparator in {"", "=", "~"} for measure in (one, other))
    return is_plain and abs(values[0] - values[1]) > _APART * max(map(abs, values))


def _is_explained(one: MeasureSpan, other: MeasureSpan) -> bool:
    """Whether stated conditions exclude each other; then there is nothing to ask."""
    mine, theirs = dict(one.conditions), dict(other.conditions)
    return any(are_different(kind, mine[kind], theirs[kind]) for kind in mine.keys() & theirs.keys())

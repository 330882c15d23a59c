"""What a statement is about, and where a text speaks of the same: by papers, names, conditions, metrics, numbers and words in common.

Promises: what is found is only a place to look at, and says by itself nothing for or against a statement; a key that stands
nearly everywhere in a text tells no place apart and is passed over, so that a look-up costs no more in a long text than in a
short one. Nothing raises.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from agent.checking.metrics import CONCEPT, CONCEPTS
from agent.reading.conditions import canonical_condition, find_conditions
from agent.reading.identifiers import find_arxiv
from agent.reading.measures import numbers_in
from agent.reading.naming import name_key, named_in
from agent.reading.quantities import fold
from agent.reading.terms import terms_in
from agent.texts import Segment, Unit

_WEIGHTS = {
    "paper": 2.0,
    "name": 1.0,
    "condition": 1.0,
    "metric": 1.0,
    "number": 1.0,
    "digit": 0.5,
    "term": 0.5,
    "word": 0.4,
    "pair": 0.2,
}
_TELLING = frozenset({"paper", "name", "condition", "metric", "number", "digit"})
_SILENT = frozenset({"code", "rule", "comment", "front_matter"})
_COMMON = 48  # places of a key that are followed
_NEXT = 0.5  # what a key counts that stands in the unit before or behind, or in the heading
_HAN_PAIR = re.compile(r"(?=([\u4e00-\u9fff]{2}))")
_WORD = re.compile(r"[A-Za-z]{5,20}")
_NAMED = list(CONCEPTS)

Key = tuple[str, str]


class Near(NamedTuple):
    """A unit that speaks of what was asked for: how much of it, and what it shares itself."""

    score: float
    unit: Unit
    segment: Segment
    shared: frozenset[Key]

    @property
    def telling(self) -> int:
        """How many papers, names, conditions, metrics and numbers it shares."""
        return sum(kind in _TELLING for kind, _ in self.shared)


@lru_cache(maxsize=4096)
def keys_of(text: str) -> frozenset[Key]:
    """Return what a text is about, as keys that both languages share where they can."""
    folded = fold(text)
    found: set[Key] = {("paper", span.identifier) for span in find_arxiv(text)}
    for kind, spans in find_conditions(folded).items():
        found |= {("condition", condition_key(kind, folded[start:end])) for start, end in spans}
    found |= {("name", key) for word in named_in(text) if len(key := name_key(word.group())) > 1}
    found |= {("metric", _NAMED[int((match.lastgroup or "c0")[1:])]) for match in CONCEPT.finditer(folded)}
    papers = {value for kind, value in found if kind == "paper"}
    found |= {("number" if len(number) > 1 else "digit", number) for number in numbers_in(text) - papers}
    found |= {("term", term) for term in terms_in(text)}
    found |= {("pair", pair) for pair in _HAN_PAIR.findall(folded)}
    found |= {("word", word.lower()) for word in _WORD.findall(folded)}
    return frozenset(found)


def condition_key(kind: str, said: str) -> str:
    """Return the key of a condition; of hardware without the number of devices."""
    return canonical_condition(kind, said).rpartition("×")[2]


class Spoken:
    """A text, taken apart by what it speaks of."""

    def __init__(self, segments: Iterable[Segment]) -> None:
        self._units: list[tuple[Unit, Segment]] = [
            (unit, segment) for segment in segments for unit in segment.units if unit.kind not in _SILENT
        ]
        self._keys: list[frozenset[Key]] = []
        self._places: dict[Key, list[int]] = defaultdict(list)
        for index, (unit, _) in enumerate(self._units):
            keys = keys_of(unit.text)
            self._keys.append(keys)
            for key in keys:
                places = self._places[key]
                if len(places) <= _COMMON:
                    places.append(index)

    def near(self, keys: Collection[Key], *, most: int = 4) -> list[Near]:
        """Return the units that share most with some keys, the nearest first."""
        scores = defaultdict[int, float](float)
        for key in keys:
            places = self._places.get(key, ())
            if len(places) <= _COMMON:
                for index in places:
                    scores[index] += _WEIGHTS[key[0]]
        tried = sorted(scores, key=lambda index: (-scores[index], index))[: most * 3]
        found = [self._around(index, keys, scores[index]) for index in tried]
        return sorted(found, key=lambda one: (-one.score, one.unit.start))[:most]

    def _around(self, index: int, keys: Collection[Key], score: float) -> Near:
        unit, segment = self._units[index]
        own = self._keys[index]
        around: set[Key] = set(keys_of(segment.title)) if segment.title else set()
        for other in (index - 1, index + 1):
            if 0 <= other < len(self._units) and self._units[other][1] is segment:
                around |= self._keys[other]
        wanted = frozenset(keys)
        score += _NEXT * weight((around & wanted) - own)
        return Near(score, unit, segment, own & wanted)


def weight(keys: Iterable[Key]) -> float:
    """Return how much some keys tell together."""
    return sum(_WEIGHTS[kind] for kind, _ in keys)


def without_numbers(keys: Iterable[Key], numbers: Collection[str]) -> frozenset[Key]:
    """Return keys without some numbers, such as the one that is in question."""
    return frozenset(key for key in keys if key[0] not in {"number", "digit"} or key[1] not in numbers)


def are_of_one_thing(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether two stretches of text can be about one thing: a name or paper in common, and no other model."""
    mine, theirs = ({key for text in texts for key in keys_of(text)} for texts in (one, other))
    named = [{key for key in keys if key[0] in {"name", "paper"}} for keys in (mine, theirs)]
    models = [{key for text in texts for key in _models_of(text)} for texts in (one, other)]
    if all(models) and not models[0] & models[1]:
        return False
    return bool(named[0] & named[1]) or not all(named)


@lru_cache(maxsize=4096)
def _models_of(text: str) -> frozenset[str]:
    folded = fold(text)
    return frozenset(
        condition_key("model", folded[start:end]) for start, end in find_conditions(folded).get("model", ())
    )

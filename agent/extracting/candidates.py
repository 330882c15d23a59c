"""An index of all sections of the living documents, to find the few where a finding may belong.

Retrieval is by words: names, identifiers, other Latin words, pairs of Chinese characters, and terms of the trade that both
languages share. Each counts by how rare it is among sections (inverse document frequency), by what sort of word it is, and
by where it stands: in a finding's title, in a section's own heading. Long sections are held back, as in BM25 (Robertson and
Zaragoza, 2009). The weights were chosen on gold answers; CONTRIBUTING has the figures.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeVar, cast

from agent.reading.terms import terms_in
from agent.texts import LivingDocument, Section

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[.+\-'][A-Za-z0-9]+)*|\d{4}\.\d{4,5}")
_CJK_RUN = re.compile(r"[\u3400-\u9fff]+")
_COMMON = frozenset({
    "the", "a", "an", "of", "and", "or", "to", "in", "on", "for", "with", "by", "is", "are", "be", "as", "at", "from", "vs",
    "arxiv", "it", "its", "this", "that", "these", "those", "than", "then", "there", "their", "they", "he", "she", "we", "you",
    "no", "not", "has", "have", "had", "was", "were", "been", "will", "would", "can", "could", "may", "might", "do", "does", "did",
    "but", "if", "so", "such", "into", "over", "under", "after", "before", "when", "while", "which", "who", "what", "how", "all",
    "any", "each", "both", "more", "most", "less", "few", "one", "two", "three", "first", "second", "per", "only", "also", "still",
    "just", "now", "new", "up", "out", "off", "about", "between", "without", "within", "same", "other", "own", "very",
})  # fmt: skip
Kept = TypeVar("Kept")

_NAME, _PLAIN, _PAIR, _TERM = 1.5, 0.7, 0.7, 1.5  # what a word of each sort counts
_IN_TITLE = 2.0
_IN_HEADING = 2.0
_LENGTH_HELD = 0.4  # how far a section's length is held against it
_CHAPTER_HELD = 1.6  # how far a heading that is divided into sections is held back
_MIN_SCORE = 1.5  # below this only chance words agree


@dataclass(frozen=True, slots=True)
class Candidate:
    """A section that a finding may belong to; `score` is comparable within one search only."""

    document: LivingDocument
    section: Section
    score: float


class SectionIndex:
    """All sections of all living documents, searchable by a finding's words."""

    def __init__(self, documents: Sequence[LivingDocument]) -> None:
        self.documents = tuple(documents)
        self._sections = [(document, section) for document in documents for section in document.sections]
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        self._kept: dict[Hashable, object] = {}
        lengths: list[int] = []
        for position, (_, section) in enumerate(self._sections):
            weights = dict.fromkeys(words(" ".join((*section.path, section.content))), 1.0)
            weights |= dict.fromkeys(words(section.heading), _IN_HEADING)
            lengths.append(len(weights))
            for word, weight in weights.items():
                self._postings[word].append((position, weight))
        usual = sum(lengths) / max(1, len(lengths)) or 1.0
        self._held = [
            (1 - _LENGTH_HELD + _LENGTH_HELD * length / usual) * (_CHAPTER_HELD if is_chapter else 1.0)
            for length, is_chapter in zip(lengths, self._chapters(), strict=True)
        ]

    def _chapters(self) -> Iterator[bool]:
        """Whether each section is divided into others: what is found belongs into one of those."""
        for (document, section), after in zip_longest(self._sections, self._sections[1:]):
            yield after is not None and after[0] is document and after[1].level > section.level

    def search(self, text: str, *, limit: int, title: str = "") -> tuple[Candidate, ...]:
        """Return at most `limit` sections that share rare words with a finding, best first; ties in document order.

        Args:
            text: what the finding says.
            limit: most sections.
            title: what it is called; its words count double.
        """
        asked = dict(weighted_words(text))
        asked |= {word: _IN_TITLE * weight for word, weight in weighted_words(title).items()}
        scores: dict[int, float] = defaultdict(float)
        for word in sorted(asked):
            found = self._postings.get(word, ())
            rarity = self._rarity(found) if found else 0.0
            for position, weight in found:
                scores[position] += asked[word] * weight * rarity / self._held[position]
        best = sorted(scores.items(), key=lambda item: (-round(item[1], 9), item[0]))[:limit]
        return tuple(
            Candidate(*self._sections[position], score=score) for position, score in best if score >= _MIN_SCORE
        )

    def kept(self, key: Hashable, make: Callable[[], Kept]) -> Kept:
        """Return what was made under a key before, or make and keep it: sections are asked about again and again."""
        if key not in self._kept:
            self._kept[key] = make()
        return cast("Kept", self._kept[key])

    def rarity_of(self, shared: Collection[str]) -> float:
        """Return how much some words tell: the rarer each is among all sections, the more."""
        return sum(self._rarity(found) for word in sorted(shared) if (found := self._postings.get(word)))

    def _rarity(self, found: Sequence[tuple[int, float]]) -> float:
        return math.log((len(self._sections) + 1) / len(found))


def words(text: str) -> frozenset[str]:
    """Return the words by which texts are compared.

    They are Latin words and identifiers in lower case and singular, pairs of Chinese characters, and terms, with a tilde.
    """
    return frozenset(weighted_words(text))


def weighted_words(text: str) -> Mapping[str, float]:
    """Return the same words, each with what a word of its sort counts."""
    found: dict[str, float] = {}
    for word in _WORD.findall(text):
        key = word.lower()
        if key in _COMMON or len(key) < 2:
            continue
        is_name = word[0].isupper() or any(letter.isupper() or letter.isdigit() for letter in word)
        key = key[:-1] if key.endswith("s") and not key.endswith("ss") and len(key) > 3 else key
        found[key] = max(found.get(key, 0.0), _NAME if is_name else _PLAIN)
    for run in _CJK_RUN.findall(text):
        found.update((run[i : i + 2], _PAIR) for i in range(len(run) - 1))
    found.update((f"~{term}", _TERM) for term in terms_in(text))
    return found

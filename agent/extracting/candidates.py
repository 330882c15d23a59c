"""An index of all sections of the living documents, to find the few where a finding may belong.

Retrieval is by words: Latin names, identifiers and pairs of Chinese characters, weighted by how rare they are among
sections (inverse document frequency), headings counting more than content.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from agent.records import LivingDocument, Section

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[.+\-'][A-Za-z0-9]+)*|\d{4}\.\d{4,5}")
_CJK_RUN = re.compile(r"[\u3400-\u9fff]+")
_COMMON = frozenset({
    "the", "a", "an", "of", "and", "or", "to", "in", "on", "for", "with", "by", "is", "are", "be", "as", "at", "from", "vs", "arxiv",
})  # fmt: skip
_HEADING_WEIGHT = 2.0
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
        for position, (_, section) in enumerate(self._sections):
            weights = Counter[str]()
            for word in words(" ".join((*section.path, section.heading))):
                weights[word] = max(weights[word], 2)
            for word in words(section.content):
                weights[word] = max(weights[word], 1)
            for word, weight in weights.items():
                self._postings[word].append((position, _HEADING_WEIGHT if weight == 2 else 1.0))

    def search(self, text: str, *, limit: int) -> tuple[Candidate, ...]:
        """Return at most `limit` sections that share rare words with `text`, best first; ties in document order."""
        scores: dict[int, float] = defaultdict(float)
        for word in sorted(words(text)):
            found = self._postings.get(word, ())
            if not found:
                continue
            rarity = math.log((len(self._sections) + 1) / len(found))
            for position, weight in found:
                scores[position] += weight * rarity
        best = sorted(scores.items(), key=lambda item: (-round(item[1], 9), item[0]))[:limit]
        return tuple(
            Candidate(*self._sections[position], score=score) for position, score in best if score >= _MIN_SCORE
        )


def words(text: str) -> frozenset[str]:
    """Return the words by which texts are compared: Latin names in lower case, identifiers, pairs of Chinese characters."""
    found = {name.lower() for name in _NAME.findall(text)} - _COMMON
    for run in _CJK_RUN.findall(text):
        found.update(run[i : i + 2] for i in range(len(run) - 1))
    return frozenset(found)

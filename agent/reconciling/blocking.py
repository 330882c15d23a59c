"""Finds the pairs of increments worth deciding on, by what they share, and never all pairs.

Keys are arXiv IDs, addresses, cited notes, named things alone and with their version, figures alone and three at a time, and rare
pieces of titles and of telling clauses. A key counts by how rare it is; of an increment's partners only those that share most
with it are kept. Under a key that many share, neighbours in the order of titles are partners.

Promises: the order of the increments changes nothing; the number of pairs grows no faster than the number of increments.
"""

from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import combinations, islice

from agent.reconciling.rivals import weight
from agent.reconciling.traits import Traits
from agent.reconciling.values import Amount

_PARTNERS = 8  # of an increment
_BLOCK = 24  # increments under one key that are all partners
_NEIGHBOURS = 6  # to either side, where there are more
_GRAM = 3
_RARE = 6  # pieces of a title or clause by which partners are looked up
_TELLING = 5  # figures of an increment that are looked at
_TOGETHER = 3  # figures that show one finding where none of them does alone


def candidates(traits: Sequence[Traits]) -> set[tuple[int, int]]:
    """Return pairs of indexes, the smaller one first; never two increments of one note."""
    order = sorted(range(len(traits)), key=lambda index: traits[index].key)
    ranked = [traits[index] for index in order]
    blocks = list(_blocks(ranked))
    within: list[list[int]] = [[] for _ in ranked]
    for number, (block, _) in enumerate(blocks):
        for place in block:
            within[place].append(number)
    least = _rarity(_BLOCK, len(ranked))
    pairs: set[tuple[int, int]] = set()
    for place, numbers in enumerate(within):
        shared: dict[int, int] = defaultdict(int)
        for number in numbers:
            block, value = blocks[number]
            for other in block if len(block) <= _BLOCK else _near(block, place):
                shared[other] += value
        shared.pop(place, None)
        partners = [other for other, value in shared.items() if value >= least]
        for other in _best(place, partners, shared, ranked):
            one, two = order[place], order[other]
            pairs.add((one, two) if one < two else (two, one))
    return pairs


def _rarity(size: int, number: int) -> int:
    """How much it counts that two share a key that so many of all have."""
    return 2 * ((number // size).bit_length() + 1)


def _near(block: Sequence[int], place: int) -> Sequence[int]:
    here = bisect_left(block, place)
    return block[max(0, here - _NEIGHBOURS) : here + _NEIGHBOURS + 1]


def _best(place: int, partners: list[int], shared: Mapping[int, int], ranked: Sequence[Traits]) -> Iterator[int]:
    """The partners that share most; of equals, the nearest in the order of titles."""
    own = ranked[place].notes
    if len(partners) > _PARTNERS:
        partners.sort(key=lambda other: (-shared[other], abs(other - place), other))
    return islice((other for other in partners if own.isdisjoint(ranked[other].notes)), _PARTNERS)


def _blocks(ranked: Sequence[Traits]) -> Iterator[tuple[Sequence[int], int]]:
    """Increments that share a key, ascending, and how much the key counts.

    One kind of key after the other, to hold few of them at a time.
    """
    for keys in (_sources, _things, _Figures().keys):
        having: dict[Hashable, list[int]] = defaultdict(list)
        for place, one in enumerate(ranked):
            for key in keys(one):
                having[key].append(place)
        yield from (
            (array("I", block), _rarity(len(block), len(ranked))) for block in having.values() if len(block) > 1
        )
    for block in _rare([one.subject.texts[-1] for one in ranked]):
        yield array("I", block), _rarity(len(block), len(ranked)) // 2  # a piece of a word is less than a word


def _sources(traits: Traits) -> Iterator[Hashable]:
    yield from (("paper", paper) for paper in traits.papers)
    yield from (("page", page) for page in traits.pages)
    yield from (("note", note) for note in traits.notes | traits.cited)


def _things(traits: Traits) -> Iterator[Hashable]:
    for name in traits.names | traits.openings:
        yield name
        yield from ((name, version) for version in traits.versions.get(name, ()))


class _Figures:
    """Keys from figures; equal figures have one number, which is quicker to look up."""

    def __init__(self) -> None:
        self._numbers: dict[Amount, int] = {}

    def keys(self, traits: Traits) -> Iterator[Hashable]:
        """The telling figures, alone, with what the increment is about, and three at a time."""
        telling = sorted(traits.amounts, key=lambda amount: (-weight((amount,)), amount))[:_TELLING]
        numbers = sorted(self._numbers.setdefault(amount, len(self._numbers)) for amount in telling)
        yield from numbers
        yield from combinations(numbers, _TOGETHER)
        if lead := traits.subject.lead:
            yield from ((lead, number) for number in numbers)


def _rare(texts: Sequence[str]) -> Iterator[Sequence[int]]:
    """Blocks of the rarest pieces of each text that another text has as well."""
    spread = Counter(piece for text in texts for piece in _grams(text))
    having: dict[str, list[int]] = defaultdict(list)
    chosen: set[str] = set()
    for place, text in enumerate(texts):
        shared = [piece for piece in _grams(text) if spread[piece] > 1]
        for piece in shared:
            having[piece].append(place)
        chosen.update(nsmallest(_RARE, shared, key=lambda piece: (spread[piece], piece)))
    for piece in sorted(chosen):
        yield having[piece]


def _grams(text: str) -> frozenset[str]:
    return frozenset(text[start : start + _GRAM] for start in range(max(1, len(text) - _GRAM + 1)))

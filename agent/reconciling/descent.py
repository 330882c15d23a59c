"""The notes of one finding, what ties them to each other and to what lies outside, and the roots that this leaves.

Rings of notes that come from each other are one; rings that come from none are roots. Roots that rest on one thing outside are
united: each such class is an origin.

Promises: the same ties give the same classes in whatever order they were found; time is near-linear in notes and ties.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from agent.reading.names import parse_note_name
from agent.reconciling.resting import Basis, is_front_page
from agent.records import Descended


@lru_cache(maxsize=16384)
def moment(note: str) -> tuple[dt.date, dt.time, str]:
    """Return the day and time that a note's name tells, the latest there is where it tells none, and the name."""
    name = parse_note_name(note)
    return name.date or dt.date.max, name.time or dt.time.max, note


def is_surely_before(one: str, other: str) -> bool:
    """Whether one note was written before another, as far as their names tell."""
    (day, time, _), (other_day, other_time, _) = moment(one), moment(other)
    if dt.date.max in (day, other_day):
        return False
    is_timed = dt.time.max not in (time, other_time)
    return day < other_day or (day == other_day and is_timed and time < other_time)


@dataclass(slots=True)
class Tree:
    """The notes of one finding, the earliest first, with all that ties them.

    Attributes:
        rests: what each note says that it rests on; also of notes in between, which have no member here.
        found: what was found out beside that: wording, slips, repetitions.
        ties: from which other notes of the finding a note comes.
        outside: what each note rests on outside the finding, by way of notes in between too.
    """

    notes: tuple[str, ...]
    rests: dict[str, dict[Basis, None]]
    found: dict[str, dict[Basis, None]] = field(default_factory=lambda: defaultdict(dict))
    ties: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    outside: dict[str, dict[Basis, None]] = field(default_factory=dict)

    def tie(self, note: str, basis: Basis) -> None:
        """Let a note come from another."""
        self.found[note][basis] = None
        self.ties[note].add(basis.on)

    def tie_alike(self, later: str, earlier: str, how: Descended) -> None:
        """Tie two notes that are alike: to whom one of them cites, else to the earlier one, both ways if none surely is."""
        if later in self.ties[earlier] and earlier not in self.ties[later]:
            later, earlier = earlier, later
        is_directed = earlier in self.ties[later] or is_surely_before(earlier, later)
        self.tie(later, Basis(how, earlier))
        if not is_directed:
            self.ties[earlier].add(later)

    def coming_from(self, sources: Iterable[str]) -> set[str]:
        """Return the notes that come from one of some notes, directly or by way of others, and those themselves."""
        told_on: dict[str, list[str]] = defaultdict(list)
        for note, others in self.ties.items():
            for other in others:
                told_on[other].append(note)
        ahead = list(sources)
        reached = set(ahead)
        for note in ahead:
            further = [one for one in told_on[note] if one not in reached]
            reached.update(further)
            ahead += further
        return reached

    def edges(self) -> Iterator[tuple[str, Basis]]:
        """Yield all ties that are reached from the notes, in their order: what a note says first, as it says it."""
        between = {basis.on for own in self.outside.values() for basis in own if basis.how == "cites"}
        known = [*self.notes, *sorted((between & self.rests.keys()) - set(self.notes))]
        for note in known:
            said = self.rests[note]
            yield from ((note, basis) for basis in (*said, *sorted(self.found.get(note, {}).keys() - said.keys())))


class Roots:
    """The rings of a tree and the classes of its roots.

    What a note that comes from roots names itself is taken as its first root's, unless one of its roots names it anyway.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._ring_of: dict[str, int] = {}
        self.rings = _rings(tree)
        for number, ring in enumerate(self.rings):
            self._ring_of.update(dict.fromkeys(ring, number))
        self._roots_of: list[tuple[int, ...]] = []
        for number, ring in enumerate(self.rings):  # what a ring comes from stands before it
            on = {self._ring_of[other] for note in ring for other in tree.ties.get(note, ())} - {number}
            roots = {root for other in on for root in self._roots_of[other]}
            self._roots_of.append(tuple(sorted(roots, key=self._first)) if on else (number,))
        self._class_of = list(range(len(self.rings)))
        self._unite()

    def is_root(self, note: str) -> bool:
        """Whether a note comes from none of the finding's other notes, but for those of its own ring."""
        number = self._ring_of[note]
        return self._roots_of[number] == (number,)

    def class_of(self, note: str) -> int:
        """The number of the origin that a note rests on; of several the earliest."""
        return self._class(self._roots_of[self._ring_of[note]][0])

    def classes(self) -> dict[int, tuple[str, ...]]:
        """The notes that rest on each origin, by its number, the earliest origin first."""
        notes: dict[int, list[str]] = {}
        for note in sorted(self._tree.notes, key=lambda note: (not self.is_root(note), moment(note))):
            for number in dict.fromkeys(self._class(root) for root in self._roots_of[self._ring_of[note]]):
                notes.setdefault(number, []).append(note)
        return {number: tuple(sorted(own, key=moment)) for number, own in notes.items()}

    def _first(self, number: int) -> tuple[dt.date, dt.time, str]:
        return min(moment(note) for note in self.rings[number])

    def _class(self, number: int) -> int:
        while self._class_of[number] != number:
            self._class_of[number] = self._class_of[self._class_of[number]]
            number = self._class_of[number]
        return number

    def _unite(self) -> None:
        numbers = sorted(range(len(self.rings)), key=self._first)
        on = [dict.fromkeys(basis for note in ring for basis in self._tree.outside[note]) for ring in self.rings]
        firm = [[basis for basis in own if not is_weak(basis)] for own in on]
        roots = [number for number in numbers if self._roots_of[number] == (number,)]
        having: dict[Basis, int] = {}
        for number in roots:
            for basis in firm[number]:
                self._join(having.setdefault(basis, number), number)
        for number in numbers:
            first = self._roots_of[number][0]
            of_roots = {basis for root in self._roots_of[number] for basis in on[root]}
            for basis in firm[number]:
                if basis not in of_roots:
                    self._join(having.setdefault(basis, first), first)
        self._unite_weakly(roots, [on[number] for number in roots], [bool(firm[number]) for number in roots])

    def _unite_weakly(self, roots: list[int], on: list[dict[Basis, None]], is_firm: list[bool]) -> None:
        """Unite a root that names front pages alone with the first root that names one of them."""
        having: dict[Basis, int] = {}
        for number, own in zip(roots, on, strict=True):
            for basis in own:
                having.setdefault(basis, number)
        for number, own, is_sure in zip(roots, on, is_firm, strict=True):
            for basis in () if is_sure else own:
                self._join(having[basis], number)

    def _join(self, one: int, other: int) -> None:
        first, second = self._class(one), self._class(other)
        self._class_of[max(first, second)] = min(first, second)


def is_weak(basis: Basis) -> bool:
    """Whether something is a front page: two notes that rest on other things too may name it by chance."""
    return basis.how == "page" and is_front_page(basis.on)


def _rings(tree: Tree) -> list[list[str]]:
    """The notes by rings that come from each other, a ring after all that it comes from (Tarjan, without recursion)."""
    rings: list[list[str]] = []
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    is_open: set[str] = set()
    for start in tree.notes:
        ahead = [(start, iter(sorted(tree.ties.get(start, ()))))] if start not in number else []
        while ahead:
            note, others = ahead[-1]
            if note not in number:
                number[note] = low[note] = len(number)
                stack.append(note)
                is_open.add(note)
            other = next(others, None)
            if other is None:
                ahead.pop()
                if ahead:
                    low[ahead[-1][0]] = min(low[ahead[-1][0]], low[note])
                if low[note] == number[note]:
                    at = stack.index(note)
                    rings.append(stack[at:])
                    is_open.difference_update(stack[at:])
                    del stack[at:]
            elif other not in number:
                ahead.append((other, iter(sorted(tree.ties.get(other, ())))))
            elif other in is_open:
                low[note] = min(low[note], number[other])
    return rings

"""Gives each expected baton a note that answers it.

Promises: pure and deterministic; a note answers one baton at most, and as many batons as possible are answered; notes that
may answer the same batons are taken together, so that ten thousand of each take seconds.
"""

import datetime as dt
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agent.reading.names import parse_note_name
from agent.relaying.expecting import ACROSS_MIDNIGHT, EARLY, DueBaton

_WORDS = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Came:
    """A note that came.

    Attributes:
        at: the moment that its name tells; None where it tells none.
        topic: a topic it is known to have; its name may tell others.
        is_read: it could be read; where there is a choice such a note is taken.
    """

    path: str
    agent: str
    day: dt.date
    at: dt.datetime | None = None
    topic: str | None = None
    is_read: bool = True


@dataclass(frozen=True, slots=True)
class Matched:
    """Which note answers which baton, by their numbers; `may_answer` tells for each note which batons it could answer."""

    note_of: Mapping[int, int]
    may_answer: Sequence[Sequence[int]]


def match(due: Sequence[DueBaton], came: Sequence[Came], *, is_planned: bool = True) -> Matched:
    """Find a note for as many batons as possible.

    A note may answer a baton of its agent when it is on its topic, where the baton has one (as is known, or by the words
    of its name), and in its slot, where it has one. It belongs to the last slot that has begun, or begins within an hour;
    after midnight to one of the day before for six hours. One whose name tells no time may answer any slot of its day.

    Args:
        due: the batons, by preference where there are too few notes; those of one day in order of their slots at best.
        came: the notes.
        is_planned: the slots were planned; where they were only derived, a note that came too early for all slots of its
            day may answer the first one.
    """
    turns = _turns_of(due, is_planned=is_planned)
    kinds: dict[tuple[object, ...], _Kind] = {}
    kind_of = [_kind_of(note, turns, kinds) for note in came]
    for number in sorted(range(len(came)), key=lambda number: _by_time(came[number])):
        kind = kind_of[number]
        if kind is not None:
            kind.notes.append(number)
    ordered = sorted(kinds.values(), key=lambda kind: came[kind.notes[0]].path)
    for kind in ordered:
        kind.batons = tuple(sorted(kind.batons))
    taken = _Assignment(len(due), ordered, due, came).all()
    note_of: dict[int, int] = {}
    for kind, batons in zip(ordered, taken, strict=True):
        note_of |= zip(sorted(batons, key=lambda number: _by_slot(due[number], number)), kind.notes, strict=False)
    return Matched(note_of, [kind.batons if kind else () for kind in kind_of])


@dataclass(slots=True, eq=False)
class _Kind:
    """Notes that may answer the same batons."""

    batons: Sequence[int]
    is_read: bool
    notes: list[int]


class _Turns:
    """The batons of one agent and topic, by their slots."""

    def __init__(self, numbers: Iterable[int], due: Sequence[DueBaton], *, is_planned: bool) -> None:
        self._is_planned = is_planned
        self._any_time: dict[dt.date, list[int]] = defaultdict(list)
        by_slot: dict[tuple[dt.datetime, dt.date], list[int]] = defaultdict(list)
        for number in numbers:
            one = due[number]
            if one.at is None:
                self._any_time[one.day].append(number)
            else:
                by_slot[one.at, one.day].append(number)
        self._slots = sorted(by_slot)
        self._batons = [by_slot[slot] for slot in self._slots]
        self._of_day: dict[dt.date, list[int]] = defaultdict(list)
        for place, (_, day) in enumerate(self._slots):
            self._of_day[day].append(place)
        moments = [at for at, _ in self._slots]
        gaps = [EARLY, *(min(EARLY, (at - before) / 2) for before, at in pairwise(moments))]
        self._begins = [_earlier(at, gap) for at, gap in zip(moments, gaps, strict=False)]

    def places(self, note: Came) -> tuple[int, ...]:
        """The slots that a note may be meant for."""
        of_day = self._of_day.get(note.day, [])
        if note.at is None:
            return tuple(of_day)
        place = bisect_right(self._begins, note.at) - 1
        found = []
        if place >= 0:
            at, day = self._slots[place]
            if day == note.day or abs(note.at - at) <= ACROSS_MIDNIGHT:
                found.append(place)
        if not self._is_planned and of_day and not any(self._slots[one][1] == note.day for one in found):
            found.append(of_day[0])
        return tuple(found)

    def batons(self, day: dt.date, places: Iterable[int]) -> Iterator[int]:
        """The batons that a note of a day may answer."""
        yield from self._any_time.get(day, ())
        for place in places:
            yield from self._batons[place]


class _OfAgent:
    """One agent's turns, by topic; a topic is known by its words standing side by side in a name."""

    def __init__(self, turns: Mapping[str | None, _Turns]) -> None:
        self.turns = turns
        self._by_words: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for topic in turns:
            if topic is not None:
                self._by_words[_words(topic)].append(topic)
        self._lengths = sorted({len(words) for words in self._by_words if words})

    def topics(self, note: Came) -> list[str | None]:
        """The topics of those turns that a note may be on, "any" among them."""
        words = _words(parse_note_name(note.path).slug) if self._lengths else ()
        named = {
            topic
            for length in self._lengths
            for start in range(len(words) - length + 1)
            for topic in self._by_words.get(words[start : start + length], ())
        }
        if note.topic is not None and note.topic in self.turns:
            named.add(note.topic)
        return [*([None] if None in self.turns else []), *sorted(named)]


def _turns_of(due: Sequence[DueBaton], *, is_planned: bool) -> dict[str, _OfAgent]:
    numbers: dict[str, dict[str | None, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, one in enumerate(due):
        numbers[one.baton.agent][one.baton.topic].append(number)
    return {
        agent: _OfAgent({topic: _Turns(own, due, is_planned=is_planned) for topic, own in by_topic.items()})
        for agent, by_topic in numbers.items()
    }


def _kind_of(note: Came, turns: Mapping[str, _OfAgent], kinds: dict[tuple[object, ...], _Kind]) -> _Kind | None:
    """Return the notes that a note belongs to; None where nothing is expected that it could answer."""
    own = turns.get(note.agent)
    if own is None:
        return None
    places = tuple((topic, own.turns[topic].places(note)) for topic in own.topics(note))
    key = (note.agent, note.day, note.is_read, note.at is None, places)
    if key not in kinds:
        batons = [number for topic, places in places for number in own.turns[topic].batons(note.day, places)]
        if not batons:
            return None
        kinds[key] = _Kind(batons, note.is_read, [])
    return kinds[key]


class _Assignment:
    """Hands batons to kinds of notes along augmenting paths: no baton that has a note loses it again."""

    def __init__(self, batons: int, kinds: Sequence[_Kind], due: Sequence[DueBaton], came: Sequence[Came]) -> None:
        self._kinds = kinds
        self._choices: list[list[int]] = [[] for _ in range(batons)]
        for number, kind in enumerate(kinds):
            for baton in kind.batons:
                self._choices[baton].append(number)
        for baton, choices in enumerate(self._choices):
            choices.sort(key=lambda number: self._rank(kinds[number], due[baton], came))
        self._order = sorted(range(batons), key=lambda number: _by_slot(due[number], number))
        self._taken: list[set[int]] = [set() for _ in kinds]
        self._is_used_up = [False] * len(kinds)  # no free note can be reached from it any more

    def all(self) -> list[set[int]]:
        """Return the batons that each kind answers."""
        for baton in self._order:
            self._find(baton)
        return self._taken

    @staticmethod
    def _rank(kind: _Kind, due: DueBaton, came: Sequence[Came]) -> tuple[object, ...]:
        """What is taken first: what could be read, came on the day itself, tells its time, and could answer little else."""
        first = came[kind.notes[0]]
        return not kind.is_read, first.day != due.day, first.at is None and due.at is not None, len(kind.batons)

    def _find(self, baton: int) -> None:
        """Find a free note for a baton, moving batons that have another choice; breadth first, so no depth limit."""
        wanted_by: dict[int, int] = {}  # kind: the baton that would like one of it
        had: dict[int, int] = {}  # baton: the kind that it would give up
        waiting = [baton]
        for wanting in waiting:
            for kind in self._choices[wanting]:
                if kind in wanted_by or self._is_used_up[kind]:
                    continue
                wanted_by[kind] = wanting
                if len(self._taken[kind]) < len(self._kinds[kind].notes):
                    self._move(kind, wanted_by, had)
                    return
                movable = sorted(self._taken[kind])
                had.update(dict.fromkeys(movable, kind))
                waiting += movable
        for kind in wanted_by:
            self._is_used_up[kind] = True

    def _move(self, free: int, wanted_by: Mapping[int, int], had: Mapping[int, int]) -> None:
        """Hand notes on along the path that ends in a free one."""
        kind: int | None = free
        while kind is not None:
            baton = wanted_by[kind]
            before = had.get(baton)
            self._taken[kind].add(baton)
            if before is not None:
                self._taken[before].discard(baton)
            kind = before


def _by_slot(due: DueBaton, number: int) -> tuple[object, ...]:
    """The order in which batons get their notes: by day and slot, those for any time last, then as planned."""
    return due.day, due.at is None, due.at or dt.datetime.min.replace(tzinfo=dt.UTC), due.baton.topic is None, number


def _by_time(note: Came) -> tuple[object, ...]:
    """The order in which notes answer: by time, those that tell none last, a first version before the next one."""
    version = parse_note_name(note.path).version or 0
    return note.at is None, note.at or dt.datetime.min.replace(tzinfo=dt.UTC), version, note.path


def _earlier(at: dt.datetime, span: dt.timedelta) -> dt.datetime:
    try:
        return at - span
    except OverflowError:  # on the first day of the calendar
        return at


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORDS.findall(text.casefold()))

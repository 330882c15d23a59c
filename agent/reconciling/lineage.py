"""Follows what the notes behind one finding rest on, down to the origins.

An origin is where knowledge first came from: a paper, a page, a release, or a note that rests on nothing that others name.
Three notes that copy one post are three notes and one origin, and only origins count as confirmation: what makes a note
independent is a measurement of its own, a third party's, or a source that the others do not have.

A note comes from another when it cites it, directly or by way of notes in between; when it carries the other's wording or its
slips and is not surely the earlier one; when one agent wrote both and this one names nothing to rest on; and when it names
nothing to rest on and nobody measured for it: then it retells the first note that names something, else the first of its like.
Notes that come from others are no origin. Those that are left are one origin where they rest on one paper, page, release or
note, be it one that nobody can find. What a note merely mentions, and what it is about and measured itself, is no source.

Promises: the order of the members changes nothing; a doubt makes origins fewer, never more; members that are merged already
give the graph that their own members give; time is near-linear in the members.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from agent.reconciling.copying import copied, same_letters, slips
from agent.reconciling.descent import Roots, Tree, is_weak, moment
from agent.reconciling.resting import Basis, bases, is_measured
from agent.reconciling.titles import read_subject
from agent.records import Descended, Descent, Increment, Lineage, Origin

_SAID: tuple[Descended, ...] = (
    "cites",
    "paper",
    "page",
    "release",
    "file",
)  # what a note says itself; the rest is found out
_BETWEEN = 64  # notes outside the cluster that are followed from one note

_KINDS: tuple[tuple[Literal["paper", "page", "release", "note"], tuple[Descended, ...]], ...] = (
    ("paper", ("paper",)),
    ("page", ("page",)),
    ("release", ("release",)),
    ("note", ("cites", "file")),
)

Moment = tuple[dt.date, dt.time, str, int, str]
Told = Mapping[str, Sequence[Increment]]  # what every note of a run tells, by its path


@dataclass(frozen=True, slots=True)
class Traced:
    """Where the members of one finding come from.

    Attributes:
        groups: the members by their origin, each group nearest to the origin first. Nearest is a note that comes from none
            of the others; then the one that most others cite; then the earliest.
    """

    lineage: Lineage
    groups: tuple[tuple[Increment, ...], ...]


def origins(increments: Sequence[Increment]) -> int:
    """Return the number of independent origins among members of one finding; 0 for no members."""
    return len(lineage(increments).origins)


def lineage(increments: Sequence[Increment], *, told: Told | None = None) -> Lineage:
    """Return how the notes behind one finding come from its origins.

    Args:
        increments: the members; one that is itself merged keeps the graph that was found for it.
        told: what the run's other notes tell: then citations are followed through notes without a member here, and a sentence
            that a note repeats under several findings is a form to fill in, and no wording.
    """
    return trace(increments, told=told).lineage


def by_origin(increments: Sequence[Increment]) -> tuple[tuple[Increment, ...], ...]:
    """Divide members into groups that rest on one origin, each nearest to the origin first."""
    return trace(increments).groups


def trace(increments: Sequence[Increment], *, told: Told | None = None) -> Traced:
    """Return the lineage of members and their division by origin; the earliest origin comes first."""
    if len(increments) == 1:
        return Traced(_lineage_of_one(increments[0]), (tuple(increments),))
    members = sorted(increments, key=earliest)
    tree = _grown(members, told or {})
    return _divided(members, tree, [_beyond_own_graph(member) if member.origins > 1 else 0 for member in members])


def earliest(increment: Increment) -> Moment:
    """A key that sorts increments by the day and time in their first note's name, then by name and place.

    What the name does not say comes last: an undated note, and on its day a note without a time.
    """
    note = increment.notes[0] if increment.notes else ""
    start = increment.evidence[0].start if increment.evidence else 0
    return *moment(note), start, f"{increment.title}\0{increment.summary}\0{increment.id}"


# --- one increment ----------------------------------------------------------------------------------------------------


def _lineage_of_one(member: Increment) -> Lineage:
    if member.lineage is not None:
        return member.lineage
    if len(member.notes) == 1 and member.origins == 1:
        return _lineage_of_note(member.notes[0], bases(member, with_releases=False))
    return _divided([member], _grown([member], {}), [member.origins - 1]).lineage


@lru_cache(maxsize=1024)  # the increments of one note often rest on the same: they share what is built for them
def _lineage_of_note(note: str, rests_on: tuple[Basis, ...]) -> Lineage:
    origin = _origin((note,), {note: dict.fromkeys(rests_on)}, roots={note}, rests={})
    return Lineage(origins=(origin,), edges=tuple(_edge(note, basis) for basis in rests_on))


def _notes_of(member: Increment) -> tuple[str, ...]:
    return member.notes or ("",)


def _edge(note: str, basis: Basis) -> Descent:
    return Descent(note=note, on=basis.on, how=basis.how)


# --- several increments -----------------------------------------------------------------------------------------------


def _grown(members: Sequence[Increment], told: Told) -> Tree:
    tree = _planted(members)
    about = _things_named(members)
    for note in tree.notes:
        _follow(note, tree, told, about)
    _tie_repetitions(members, tree)
    quotes = _quotes(members, tree.notes)
    forms = _Forms(told)
    for later, earlier, quote, source in copied(quotes):
        one, other = tree.notes[later], tree.notes[earlier]
        if not forms.has(one, quote) and not forms.has(other, source):
            tree.tie_alike(one, other, "wording")
    if len(Roots(tree).classes()) > 1:
        for later, earlier in slips(quotes):
            tree.tie_alike(tree.notes[later], tree.notes[earlier], "slip")
    _tie_retold(members, tree)
    return tree


def _planted(members: Sequence[Increment]) -> Tree:
    """The notes and what they say that they rest on."""
    rests: dict[str, dict[Basis, None]] = {note: {} for member in members for note in _notes_of(member)}
    tree = Tree(tuple(sorted(rests, key=moment)), rests)
    for member in members:
        first, *others = sorted(_notes_of(member), key=moment)
        if member.lineage is None or not others:
            for note in (first, *others):
                rests[note].update(dict.fromkeys(bases(member)))
        if member.lineage is None:
            for note in others:  # nobody kept the graph: all of its notes are one
                tree.tie(note, Basis("repeats", first))
        for edge in member.lineage.edges if member.lineage else ():
            if edge.how in _SAID:
                rests.setdefault(edge.note, {})[Basis(edge.how, edge.on)] = None
            elif edge.how == "repeats" and _folder(edge.note) != _folder(edge.on):
                tree.tie(edge.note, Basis(edge.how, edge.on))
    return tree


def _follow(note: str, tree: Tree, told: Told, about: frozenset[str]) -> None:
    """Follow a note's citations to the finding's other notes and to what lies outside."""
    outside: dict[Basis, None] = {}
    tree.outside[note] = outside
    ahead, seen = [note], {note}
    own = set(tree.notes)
    for at in ahead:
        if at not in tree.rests:
            tree.rests[at] = dict.fromkeys(_told_by(at, told, about)) if at in told else {}
        for basis in tree.rests[at]:
            if basis.how == "cites" and basis.on in own:
                if basis.on != note:
                    tree.ties[note].add(basis.on)
                continue
            outside[basis] = None
            if basis.how == "cites" and basis.on not in seen and len(ahead) < _BETWEEN:
                seen.add(basis.on)
                ahead.append(basis.on)


def _told_by(note: str, told: Told, about: frozenset[str]) -> Iterator[Basis]:
    """What a note in between rests on, in what it tells of the same things; where it names none of them, the notes it cites."""
    related = [one for one in told[note] if not about.isdisjoint(_things_named([one]))]
    for increment in related or told[note]:
        if increment.lineage and len(increment.notes) > 1:
            own = [Basis(edge.how, edge.on) for edge in increment.lineage.edges if edge.note == note]
        else:
            own = list(bases(increment))
        yield from (one for one in own if one.how == "cites" or (related and one.how in _SAID))


def _things_named(members: Iterable[Increment]) -> frozenset[str]:
    return frozenset(
        name for member in members for name in (*member.arxiv_ids[:1], *read_subject(member.title).names) if name
    )


def _tie_repetitions(members: Sequence[Increment], tree: Tree) -> None:
    """Tie an agent's notes that name nothing to rest on to another of its notes: repeating oneself confirms nothing."""
    wrote: dict[str, list[str]] = defaultdict(list)
    agents = {_notes_of(member)[0]: "".join(member.agents) for member in members if len(member.notes) < 2}
    for note in tree.notes:
        wrote[_folder(note) or agents.get(note, note)].append(note)
    for notes in wrote.values():
        first = next((note for note in notes if tree.rests[note]), notes[0])
        for note in notes:
            if note != first and not tree.rests[note]:
                tree.tie(note, Basis("repeats", first))


def _tie_retold(members: Sequence[Increment], tree: Tree) -> None:
    """Tie notes that name nothing to rest on, and did not measure, to the first that does name something, else to the first of them.

    Two such notes that tell one finding have it from one place, as far as anybody can know. The first of them retells nobody
    knows what: its edge leads nowhere, and says to whoever merges again that nobody measured.
    """
    telling = {note for member in members for note in _telling(member)} - {""}
    bare = [note for note in tree.notes if note in telling and not (tree.rests[note] or tree.found.get(note))]
    theirs = tree.coming_from(bare)
    naming = (note for note in tree.notes if tree.outside[note] and note not in theirs)
    first = next(naming, bare[0] if bare else "")
    for note in bare:
        if note != first:
            tree.tie(note, Basis("retells", first))
    if first in bare and len(tree.notes) > 1:
        tree.found[first][Basis("retells", "")] = None


def _telling(member: Increment) -> Iterator[str]:
    """The notes of a member for which nobody measured; a merged one knows it of those that name nothing, from its graph."""
    if member.lineage is None or len(member.notes) < 2:
        yield from () if is_measured(member) else member.notes[:1]
    else:
        yield from (edge.note for edge in member.lineage.edges if edge.how == "retells")


def _folder(note: str) -> str:
    """The agent whose inbox a note lies in, empty where it lies in none."""
    parts = note.split("/")
    return parts[1] if parts[0] == "inbox" and len(parts) > 2 else ""


def _quotes(members: Sequence[Increment], notes: Sequence[str]) -> list[list[str]]:
    """The quotes of each note, in its order."""
    cited = {(one.note, one.start, one.end, one.quote) for member in members for one in member.evidence}
    quotes: dict[str, list[str]] = {note: [] for note in notes}
    for note, _, _, quote in sorted(cited):
        quotes.get(note, []).append(quote)
    return [quotes[note] for note in notes]


class _Forms:
    """Sentences that a note repeats under several findings: its form to fill in, from which nobody copied anything."""

    def __init__(self, told: Told) -> None:
        self._told = told
        self._by_note: dict[str, frozenset[str]] = {}

    def has(self, note: str, quote: str) -> bool:
        """Whether a note's quote is one of them."""
        if note not in self._by_note:
            often = Counter(
                letters
                for told in self._told.get(note, ())
                for letters in {same_letters(one.quote) for one in told.evidence if one.note == note}
            )
            self._by_note[note] = frozenset(letters for letters, times in often.items() if times > 1)
        return same_letters(quote) in self._by_note[note]


def _beyond_own_graph(member: Increment) -> int:
    """How many origins were found for a merged member that its notes no longer show."""
    return max(0, member.origins - len(Roots(_grown([member], {})).classes()))


def _divided(members: Sequence[Increment], tree: Tree, more: Sequence[int]) -> Traced:
    """Return the lineage and the groups; `more` says how many origins each member has that its notes no longer show."""
    counted = Roots(tree)
    classes = counted.classes()
    roots = {note for note in tree.notes if counted.is_root(note)}
    groups: dict[int, list[Increment]] = {number: [] for number in classes}
    extra: Counter[int] = Counter()
    for member, unseen in zip(members, more, strict=True):
        first = min(_notes_of(member), key=lambda note: (note not in roots, moment(note)))
        groups[counted.class_of(first)].append(member)
        extra[counted.class_of(first)] = max(extra[counted.class_of(first)], unseen)
    found: list[Origin] = []
    for number, notes in classes.items():
        found.append(_origin(notes, tree.outside, roots=roots, rests=tree.rests))
        found += [Origin(kind="note", label=notes[0], notes=notes[:1])] * extra[number]
    nearest = tuple(_nearest_first(group, tree, roots) for group in groups.values() if group)
    return Traced(
        Lineage(origins=tuple(found), edges=tuple(_edge(note, basis) for note, basis in tree.edges())), nearest
    )


def _origin(
    notes: Sequence[str],
    outside: Mapping[str, Mapping[Basis, None]],
    *,
    roots: Collection[str],
    rests: Mapping[str, Mapping[Basis, None]],
) -> Origin:
    """Name what notes of one origin come from: a paper before a page, a release, a note, and what most of them rest on first."""
    often = Counter(basis for note in notes for basis in outside[note])
    own = dict.fromkeys(basis for note in notes if note in roots for basis in outside[note])
    ends = {basis for basis in own if not any(one.how in ("cites", "file") for one in rests.get(basis.on, ()))}
    for kind, hows in _KINDS:
        of_kind = [basis for basis in own if basis.how in hows and (kind != "note" or basis in ends)]
        if of_kind:
            best = max(of_kind, key=lambda basis: (not is_weak(basis), often[basis]))
            return Origin(kind=kind, label=best.on, notes=tuple(notes))
    first = next((note for note in notes if note in roots), notes[0])
    return Origin(kind="note", label=first, notes=tuple(notes))


def _nearest_first(group: Sequence[Increment], tree: Tree, roots: Collection[str]) -> tuple[Increment, ...]:
    holders = {note: position for position, member in enumerate(group) for note in _notes_of(member)}
    cited = [
        {
            holders[basis.on]
            for note in _notes_of(member)
            for basis in tree.rests[note]
            if basis.how == "cites" and basis.on in holders
        }
        - {position}
        for position, member in enumerate(group)
    ]
    by_others = Counter(position for positions in cited for position in positions)

    def distance(position: int) -> tuple[bool, int, int, Moment]:
        is_root = any(note in roots for note in _notes_of(group[position]))
        return not is_root, -by_others[position], len(cited[position]), earliest(group[position])

    return tuple(group[position] for position in sorted(range(len(group)), key=distance))

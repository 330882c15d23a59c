"""Follows what members of one finding cite, down to the origins they rest on.

An origin is where knowledge first came from: a paper, a release, a post. Three notes that copy one post are three notes
and one origin, and only origins count as confirmation. Two members rest on one origin when

- one cites the other's note, or both cite one note, be it one that nobody can find;
- both name one URL, or one arXiv ID as their source or as the finding's own;
- both carry the same long sentence, or all their evidence is the same, word for word;
- one agent wrote both, and one of them names no source at all: repeating oneself confirms nothing.

Such members are united (union-find), so the relation is transitive and a ring of notes that cite each other is one
origin. What a member merely mentions is no source.

Promises: the order of the members changes nothing, and a doubt makes origins fewer, never more.
"""

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from urllib.parse import urlsplit

from agent.reading.names import parse_note_name
from agent.records import Increment

_FILE = re.compile(r"(?<![\w.-])[\w.-]{1,200}\.md\b")
_COPIED = 40  # letters and digits of a sentence from which the same wording is no coincidence

Moment = tuple[dt.date, dt.time, str, int, str]


def origins(increments: Sequence[Increment]) -> int:
    """Return the number of independent origins among members of one finding; 0 for no members.

    A member that is itself merged counts the origins that were found for it.
    """
    return sum(max(member.origins for member in group) for group in by_origin(increments))


def by_origin(increments: Sequence[Increment]) -> tuple[tuple[Increment, ...], ...]:
    """Divide members into groups that rest on one origin, each nearest to the origin first.

    Nearest is the member that others of the group cite most; then the one that cites fewest of them; then the earliest.
    """
    members = sorted(increments, key=earliest)
    group_of = list(range(len(members)))

    def root(index: int) -> int:
        while group_of[index] != index:
            group_of[index] = group_of[group_of[index]]
            index = group_of[index]
        return index

    first_with: dict[str, int] = {}
    for index, member in enumerate(members):
        for key in _rests_on(member):
            group_of[root(index)] = root(first_with.setdefault(key, index))
    for one, other in _repeated(members):
        group_of[root(other)] = root(one)
    groups: dict[int, list[Increment]] = defaultdict(list)
    for index, member in enumerate(members):
        groups[root(index)].append(member)
    return tuple(sorted((_nearest_first(group) for group in groups.values()), key=lambda group: earliest(group[0])))


def earliest(increment: Increment) -> Moment:
    """A key that sorts increments by the day and time in their first note's name, then by name and place.

    What the name does not say comes last: an undated note, and on its day a note without a time.
    """
    note = increment.notes[0] if increment.notes else ""
    name = parse_note_name(note)
    start = increment.evidence[0].start if increment.evidence else 0
    told = f"{increment.title}\0{increment.summary}\0{increment.id}"
    return name.date or dt.date.max, name.time or dt.time.max, note, start, told


def _rests_on(member: Increment) -> Iterable[str]:
    """Everything that makes two members one origin when both have it."""
    for note in member.notes:
        yield f"note {note}"
    for identifier in member.arxiv_ids[:1]:
        yield f"arxiv {identifier}"
    for source in member.sources:
        if source.note:
            yield f"note {source.note}"
        if source.url:
            yield f"url {_same_url(source.url)}"
        if source.arxiv:
            yield f"arxiv {source.arxiv}"
        if not source.resolved:
            yield from (f"file {name}" for name in _FILE.findall(source.label.casefold()))
    said = ["".join(char for char in evidence.quote.casefold() if char.isalnum()) for evidence in member.evidence]
    yield from (f"text {letters}" for letters in (*said, "".join(said)) if len(letters) >= _COPIED)


def _same_url(url: str) -> str:
    """The part of a URL that tells pages apart: no scheme, no "www.", no fragment, no closing slash."""
    try:
        parts = urlsplit(url)
    except ValueError:  # "http://[" is no URL but may stand in a note
        return url
    host = parts.netloc.lower().removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}?{parts.query}"


def _repeated(members: Sequence[Increment]) -> Iterable[tuple[int, int]]:
    for one, other in combinations(range(len(members)), 2):
        if frozenset(members[one].agents).isdisjoint(members[other].agents):
            continue
        if not members[one].sources or not members[other].sources:
            yield one, other


def _nearest_first(group: Sequence[Increment]) -> tuple[Increment, ...]:
    cited = [{source.note for source in member.sources if source.note} for member in group]

    def distance(position: int) -> tuple[int, int, Moment]:
        own = set(group[position].notes)
        by_others = sum(1 for other, notes in enumerate(cited) if other != position and notes & own)
        others = {note for other, member in enumerate(group) if other != position for note in member.notes}
        return -by_others, len(cited[position] & others), earliest(group[position])

    return tuple(group[position] for position in sorted(range(len(group)), key=distance))

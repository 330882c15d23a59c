"""One file under two names: a note cited with another time of day, version or spelling than it has.

The workspace decides where it holds the notes of that inbox; else the other citations of the same text do, first of all its
list of what was read. Promises: names that stand in one unit, or in such a list together, are several files; a slug that only
shares words with another is another file; two slips at once are a question. Nothing raises; time is linear in names and notes.
"""

import datetime as dt
import re
import unicodedata
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rapidfuzz.distance import OSA

from agent.checking.dispute import Dispute, Hand, Stated
from agent.reading.citations import cited_notes
from agent.reading.names import parse_note_name
from agent.reading.showing import as_evidence
from agent.records import Evidence

_INBOX = re.compile(r"(?<![\w/])inbox/(?P<agent>[A-Za-z0-9_.-]{1,40})/?(?![\w/-])")
_TOKEN = re.compile(r"[^\W_]+")
_DIGIT = re.compile(r"\d")
_LONG, _LONGER = 5, 9  # letters from which one slip in a word, or two, make no other word of it
_TELLING = 2  # words of a slug that tell which file is meant when nobody says whose it is
_SERIES = 40  # names of one day that differ in one word alone are a series from this number on, and no slips

_Key = tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class _Name:
    """What a file's name says, and whose note it is said to be (empty where nobody says so)."""

    agent: str
    written: str
    day: dt.date
    time: dt.time | None
    version: int | None
    words: tuple[str, ...]


@dataclass(slots=True)
class _Cited:
    """A name with the places that cite it, by unit.

    Attributes:
        is_listed: it stands in a list of what was read.
        is_there: the workspace has a note of that name, as far as the text says whose it is.
    """

    name: _Name
    is_listed: bool = False
    is_there: bool = False
    places: dict[int, Evidence] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Slips:
    """What differs between two names of one file."""

    lacks_time: bool
    has_other_time: bool
    lacks_version: bool
    is_spelled_otherwise: bool
    is_time_turned: bool = False  # the digits of the one time are those of the other in another order

    def __len__(self) -> int:
        return self.lacks_time + self.has_other_time + self.lacks_version + self.is_spelled_otherwise


@dataclass(frozen=True, slots=True)
class _Near:
    """Names by what those that are one but for a slip have in common; `files` are all of them, by agent and by nobody ("")."""

    blocks: Mapping[_Key, Sequence[tuple[int, _Name]]]
    files: frozenset[tuple[str, str]]
    days: Mapping[_Key, Sequence[tuple[int, _Name]]]

    def of(self, name: _Name) -> list[tuple[int, _Slips]]:
        """Return the places of the names that a name is but for a slip or two, with what differs."""
        near = {at: other for key in _keys(name) for at, other in self.blocks.get(key, ())}
        return [(at, slips) for at, other in sorted(near.items()) if (slips := _slips(name, other))]

    def turned(self, name: _Name) -> list[tuple[int, _Slips]]:
        """Return the places of the agent's notes of that day whose time has the same digits in another order, whatever the slug."""
        slips = _Slips(
            lacks_time=False, has_other_time=True, lacks_version=False, is_spelled_otherwise=True, is_time_turned=True
        )
        that_day = self.days.get((name.agent, name.day), ()) if name.agent else ()
        return [(at, slips) for at, other in that_day if _is_turned(name.time, other.time)]


@dataclass(frozen=True, slots=True)
class _Odd:
    """A name that cannot be the file's own; `right` is that file's name or path."""

    cited: _Cited
    right: str
    is_question: bool


def disputes(hand: Hand) -> Iterator[Dispute]:
    """Yield each file that the text cites under a name that is not its own, with all places as sides."""
    paths = tuple(hand.note_paths)
    workspace = _workspace(paths)
    cited = _citations(hand, workspace)
    names = {one.name.written: one for one in cited}
    others = _near([one.name for one in cited])
    by_file: dict[tuple[str, bool], list[_Cited]] = defaultdict(list)
    for one in cited:
        if not one.is_there and (odd := _in_workspace(one, names, workspace, paths) or _in_text(one, cited, others)):
            by_file[odd.right, odd.is_question].append(odd.cited)
    for (right, is_question), odds in by_file.items():
        yield _dispute(right, odds, names, is_question=is_question)


def _dispute(right: str, odds: Sequence[_Cited], names: Mapping[str, _Cited], *, is_question: bool) -> Dispute:
    sides = [Stated(one.name.written, place) for one in odds for place in one.places.values()]
    file = _file_of(right)
    if file in names:
        sides.append(Stated(file, next(iter(names[file].places.values()))))
    return Dispute(
        rule="source-name",
        kind="source",
        about=right,
        key=(file.casefold(), *sorted(one.name.written.casefold() for one in odds)),
        sides=tuple(sides),
        is_question=is_question,
    )


# --- what is cited, and what is there ---------------------------------------------------------------------------------


def _citations(hand: Hand, workspace: _Near) -> list[_Cited]:
    """Return the dated notes that the text cites by file name.

    What stands for a name in a loose citation leaves things out by right. A file named below "inbox/jay:" is one of jay's.
    """
    found: dict[tuple[str, str], _Cited] = {}
    agents = {agent.casefold() for agent in hand.agents}
    for segment in hand.segments:
        owner = ""
        for unit in segment.units:
            inboxes = [one for one in _INBOX.finditer(unit.text) if one["agent"].casefold() in agents]
            for note in cited_notes(unit.text, agents=hand.agents) if unit.kind != "code" else ():
                before = next((one["agent"] for one in reversed(inboxes) if one.start() < note.start), owner)
                name = _read(note.name, (note.agent or before).casefold())
                if name is None or not note.name.casefold().endswith(".md"):
                    continue
                one = found.setdefault((name.written.casefold(), name.agent), _Cited(name))
                one.is_listed = one.is_listed or segment.role == "checked"
                one.is_there = one.is_there or ((note.agent or "").casefold(), _same(note.name)) in workspace.files
                one.places.setdefault(unit.number, as_evidence(hand.note, unit))
            owner = inboxes[-1]["agent"] if inboxes else owner
    return list(found.values())


@lru_cache(maxsize=4)  # all notes of a run are held against the same workspace
def _workspace(paths: tuple[str, ...]) -> _Near:
    return _near([_of_path(path) for path in paths])


def _of_path(path: str) -> _Name | None:
    folders = path.split("/")
    return _read(folders[-1], folders[1].casefold() if len(folders) > len(("inbox", "file")) else "")


def _file_of(path: str) -> str:
    return path.rpartition("/")[2]


def _same(file: str) -> str:
    return unicodedata.normalize("NFC", file).casefold()


@lru_cache(maxsize=4096)  # the notes of a workspace are held against every citation
def _read(file: str, agent: str) -> _Name | None:
    said = parse_note_name(file)
    words = tuple(word.casefold() for word in _TOKEN.findall(said.slug))
    words = tuple(word for word in words if word != agent) or words
    return _Name(agent, file, said.date, said.time, said.version, words) if said.date and words else None


def _near(names: Sequence[_Name | None]) -> _Near:
    blocks: dict[_Key, list[tuple[int, _Name]]] = defaultdict(list)
    days: dict[_Key, list[tuple[int, _Name]]] = defaultdict(list)
    files: set[tuple[str, str]] = set()
    for at, name in enumerate(names):
        if name is None:
            continue
        files.update([(name.agent, _same(name.written)), ("", _same(name.written))])
        days[name.agent, name.day].append((at, name))
        for key in _keys(name):
            blocks[key].append((at, name))
    small = ({key: block for key, block in found.items() if len(block) <= _SERIES} for found in (blocks, days))
    return _Near(next(small), frozenset(files), next(small))


def _keys(name: _Name) -> Iterator[_Key]:
    """Yield what a name shares with one that differs in joints, time or version, and with one that has a slip in a word."""
    yield name.day, "".join(name.words)
    for at, word in enumerate(name.words):
        if len(word) >= _LONG and not _DIGIT.search(word):
            yield name.day, at, word[0], name.words[:at], name.words[at + 1 :]


# --- which name is right ----------------------------------------------------------------------------------------------


def _in_workspace(one: _Cited, names: Mapping[str, _Cited], workspace: _Near, paths: Sequence[str]) -> _Odd | None:
    """Return the only note of that inbox and day that comes near a name which no note has."""
    near = workspace.of(one.name) or workspace.turned(one.name)
    if len(near) != 1 or (not one.name.agent and len(one.name.words) < _TELLING):
        return None
    (at, slips) = near[0]
    right = names.get(_file_of(paths[at]))
    if right and right.places.keys() & one.places.keys():
        return None
    is_doubtful = slips.has_other_time and not slips.is_time_turned
    return _Odd(one, paths[at], is_question=is_doubtful or (len(slips) > 1 and not slips.is_time_turned))


def _in_text(one: _Cited, cited: Sequence[_Cited], others: _Near) -> _Odd | None:
    """Return the only other name in the text that the file of this one can have."""
    near = [(cited[at], slips) for at, slips in others.of(one.name) if not cited[at].places.keys() & one.places.keys()]
    if len(near) != 1:
        return None
    (other, slips) = near[0]
    if one.is_listed and (other.is_listed or not other.is_there):
        return None
    if other.is_listed or other.is_there:
        is_question = len(slips) > 1 or slips.has_other_time or slips.lacks_version
        return _Odd(one, other.name.written, is_question=is_question)
    is_less = one.name.time is None and other.name.time is not None
    return _Odd(one, other.name.written, is_question=False) if is_less and len(slips) == 1 else None


def _slips(one: _Name, other: _Name) -> _Slips | None:
    """Return what differs between two names of one file; None where they are two files, or do not differ."""
    if one.day != other.day or (one.agent and other.agent and one.agent != other.agent):
        return None
    if None not in {one.version, other.version} and one.version != other.version:
        return None
    if one.words != other.words and not _is_slip(one.words, other.words):
        return None
    has_other_time = None not in {one.time, other.time} and one.time != other.time
    if has_other_time and OSA.distance(f"{one.time:%H%M}", f"{other.time:%H%M}") > 1:
        return None  # an agent uses one slug several times a day
    slips = _Slips(
        lacks_time=(one.time is None) != (other.time is None),
        has_other_time=has_other_time,
        lacks_version=one.version != other.version,
        is_spelled_otherwise=one.words != other.words,
        is_time_turned=_is_turned(one.time, other.time),
    )
    return slips if len(slips) else None


def _is_turned(one: dt.time | None, other: dt.time | None) -> bool:
    """Whether two times have the same digits in another order."""
    return None not in {one, other} and one != other and sorted(f"{one:%H%M}") == sorted(f"{other:%H%M}")


def _is_slip(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two slugs are one, but for joints or a slip of the pen in one word; digits and first letters are no slips."""
    if "".join(one) == "".join(other):
        return True
    if len(one) != len(other):
        return False
    pairs = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
    if len(pairs) != 1:
        return False
    (mine, theirs) = pairs[0]
    length = min(len(mine), len(theirs))
    allowed = 2 if length >= _LONGER else 1 if length >= _LONG else 0
    return (
        mine[0] == theirs[0]
        and not (_DIGIT.search(mine) or _DIGIT.search(theirs))
        and OSA.distance(mine, theirs, score_cutoff=allowed) <= allowed
    )

"""Notes, living documents and paper cards that a note cites, and which file of the workspace a cited note is.

A citation that fits no note is dangling and one that fits several is ambiguous; both name what comes near. Another time of day
or another slug is another note, never quietly the nearest one. Offsets are into the text given; nothing raises on any text; time
is linear in it.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rapidfuzz import fuzz, process

from agent.reading.quotations import Span, addresses, folded, is_inside, outermost
from agent.reading.sections import section_mark_at

_ASCII_NAME = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-/"
_REACH = 240
_EXTENSION = re.compile(r"\.md(?![A-Za-z0-9_])")
# A name with letters of other scripts begins at its folder or its date.
_WIDE_START = re.compile(r"(?:[A-Za-z0-9_.-]{1,40}/){1,6}|(?<!\d)\d{4}-\d{1,2}-\d{1,2}[-_T]")
_NOT_IN_NAME = re.compile(r"[\s()\[\]{}<>「」『』“”\"'`,;:，。；：、（）·•|+]")
_DATED = re.compile(r"(?:\d{4}-\d{1,2}-\d{1,2}|\d{8})(?=[-_T. ]|\Z)")
_TIMED = re.compile(r"\d{4}-(?=[^\W\d])")
_CARD = re.compile(r"\d{1,6}-\d{4}-\d{4,5}(?:v\d{1,2})?")
# Each begins with the character that it is found by; what must not stand before it is looked at afterwards.
_BARE_CARD = re.compile(r"[0-9](?<![\w.-][0-9])\d{0,5}-\d{2}(?:0[1-9]|1[0-2])-\d{4,5}(?:v\d{1,2})?(?![\w-])(?!\.\d)")
_WITHOUT_EXTENSION = re.compile(
    r"[0-9](?<![\w./-][0-9])\d{3}-\d{2}-\d{2}(?:[-T]\d{4}[-_][A-Za-z]|[-_][A-Za-z][A-Za-z0-9]{0,30}[-_][A-Za-z0-9])[A-Za-z0-9_-]{0,100}"
    r"(?![\w-])(?!\.md)"
)
_LOOSE = re.compile(
    r"[0-9](?<= [0-9])(?:\d{3}-\d{1,2}-\d{1,2}|\d?[-/]\d{1,2}|\d?月\d{1,2}日)(?:[-T ](?P<time>[0-2]\d:?[0-5]\d)(?!\d))?"
    r"[ _-](?P<slug>[A-Za-z][A-Za-z0-9]{0,30}(?:[-_.][A-Za-z0-9]{1,30}){0,12})(?![A-Za-z0-9/]|\.md)(?P<edition> ?E\d(?![A-Za-z0-9]))?"
)
_AGENT_BEFORE = re.compile(r"(?<![\w./-])(?P<agent>[A-Za-z][A-Za-z0-9_]{1,24})(?:'s)? \Z")
_AGENT_REACH = 32
_ITEM_KIND = (
    r"(?:条目|高价值|增量|线索|要点|警示|警告|发现|候选|主线|item|increment|entry|finding|point|lead|warning|no\.|#)"
)
_ITEM = re.compile(
    rf"[`*_\])]{{0,3}} ?[(\[:,·—-]{{0,2}} ?(?:保留|核心|重点|的)?§?"
    rf"(?P<item>{_ITEM_KIND} ?(?:\d{{1,3}}|(?-i:[A-Z]))(?![A-Za-z0-9])(?: ?[+,、/&和] ?(?:{_ITEM_KIND} ?)?\d{{1,3}}(?![\w.])){{0,6}}|第 ?\d{{1,3}} ?[条项则])",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"(?:(?P<year>\d{4})-)?(?P<month>\d{1,2})(?:-|/|月)(?P<day>\d{1,2})日?(?:[-T_ ](?P<hour>[0-2]\d):?(?P<minute>[0-5]\d)(?!\d))?(?P<slug>.*)",
    re.DOTALL,
)
_COMPACT = re.compile(
    r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})(?:[-T_ ](?P<hour>[0-2]\d):?(?P<minute>[0-5]\d)(?!\d))?(?P<slug>.*)",
    re.DOTALL,
)
_TOKEN = re.compile(r"[^\W_]+")
_NEAR_LIMIT = 3
_NEAR_SCORE = 60.0
_NO_DOCUMENT = frozenset({"work-queue.md", "readme.md"})

Status = Literal["resolved", "ambiguous", "dangling"]


@dataclass(frozen=True, slots=True)
class CitedNote:
    """A note that a text cites.

    Attributes:
        agent: the inbox it is said to come from, as written, or None.
        name: its file name, or what stands for it in a loose citation ("7-27-1100 engineering-filter"). A name that leaves out
            the date of the citation before it ("a.md / 1009-b.md") has it added.
        item: which part of it ("条目 6"), as written, or None.
        start, end: span of the citation, item included.
    """

    agent: str | None
    name: str
    item: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CitedDocument:
    """A living document or a paper card that a text cites; `section` is the number of the section named with it."""

    name: str
    kind: Literal["document", "card"]
    section: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a citation was found to be: `path` when it is one note, and the paths that come near when it is not."""

    status: Status
    path: str | None
    near: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _FileName:
    """A file name that stands in a text, with its folders."""

    folders: tuple[str, ...]
    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a note's name says: date as (year or None, month, day), time of day, words of the slug."""

    day: tuple[int | None, int, int] | None
    time: str | None
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Index:
    """The workspace's notes by what a citation can say of them."""

    paths: tuple[str, ...]
    by_name: dict[str, list[str]]
    by_day: dict[tuple[int | None, int, int] | None, list[str]]
    agents: set[str]


def cited_notes(text: str, *, agents: Sequence[str] = ()) -> tuple[CitedNote, ...]:
    """Return the notes that `text` cites, in order: paths, bare file names, and loose forms ("jay 7-27-1100 filter-x 条目 6").

    Args:
        text: any text.
        agents: names of the relay agents; when given, a loose citation must begin with one of them.
    """
    plain = folded(text)
    urls = addresses(plain)
    found: list[CitedNote] = []
    for file in _file_names(plain, urls):
        if _kind(file) == "note":
            found.append(_cited_file(plain, file, found[-1] if found else None))
    known = {agent.casefold() for agent in agents}
    for loose in (_loose(plain, known), _without_extension(plain)):
        taken = outermost([(note.start, note.end) for note in found] + urls)
        found.extend(note for note in loose if not is_inside(taken, note.start))
    return tuple(sorted(found, key=lambda note: note.start))


def cited_documents(text: str) -> tuple[CitedDocument, ...]:
    """Return the living documents (with the section named behind them) and paper cards that `text` cites, in order."""
    plain = folded(text)
    urls = addresses(plain)
    found: list[CitedDocument] = []
    for file in _file_names(plain, urls):
        kind = _kind(file)
        if kind == "card":
            found.append(CitedDocument(file.name, "card", None, file.start, file.end))
        elif kind == "document" and file.name.casefold() not in _NO_DOCUMENT:
            at = file.end + len(plain[file.end : file.end + 6]) - len(plain[file.end : file.end + 6].lstrip(" ·`*,:的"))
            mark = section_mark_at(text, plain, at)
            found.append(
                CitedDocument(
                    file.name, "document", mark.number if mark else None, file.start, mark.end if mark else file.end
                )
            )
    taken = [(document.start, document.end) for document in found]
    found.extend(
        CitedDocument(match.group(), "card", None, *match.span())
        for match in _BARE_CARD.finditer(plain)
        if not is_inside(taken, match.start()) and not is_inside(urls, match.start())
    )
    return tuple(sorted(found, key=lambda document: document.start))


def _file_names(plain: str, urls: Sequence[Span]) -> Iterator[_FileName]:
    last = 0
    for match in _EXTENSION.finditer(plain):
        low = max(last, match.start() - _REACH)
        window = plain[low : match.start()]
        start = low + len(window.rstrip(_ASCII_NAME))
        if start == match.start() or (start > low and plain[start - 1].isalnum()):
            start = _wide_start(plain, low, match.start(), start)
        start += len(plain[start : match.start()]) - len(plain[start : match.start()].lstrip("-./"))
        last = match.end()
        if start >= match.start() or is_inside(urls, match.start()):
            continue
        *folders, name = plain[start:last].split("/")
        if len(name) > len(".md"):
            yield _FileName(tuple(folder for folder in folders if folder.strip(".")), name, start, last)


def _wide_start(plain: str, low: int, end: int, otherwise: int) -> int:
    """Return where a name begins that holds letters of other scripts."""
    window = plain[low:end]
    breaks = [match.end() for match in _NOT_IN_NAME.finditer(window)]
    match = _WIDE_START.search(window, breaks[-1] if breaks else 0)
    return low + match.start() if match else otherwise


def _kind(file: _FileName) -> Literal["note", "card", "document"]:
    folders = [folder.casefold() for folder in file.folders]
    stem = file.name.removesuffix(".md")
    if _CARD.fullmatch(stem) or "paper_cards" in folders:
        return "card"
    if "inbox" in folders:
        return "note"
    if "knowledge" in folders or "organized" in folders:
        return "document"
    return "note" if _DATED.match(stem) or _TIMED.match(stem) else "document"


def _cited_file(plain: str, file: _FileName, before: CitedNote | None) -> CitedNote:
    folders = [folder.casefold() for folder in file.folders]
    agent: str | None = None
    if "inbox" in folders:
        index = folders.index("inbox") + 1
        agent = file.folders[index] if index < len(folders) else None
    elif folders:
        agent = file.folders[-1]
    name = file.name
    is_same_line = (
        before is not None and file.start - before.end <= _REACH and "\n" not in plain[before.end : file.start]
    )
    date = _DATED.match(before.name) if before and is_same_line else None
    if date and _TIMED.match(name) and not _DATED.match(name):
        name = f"{date.group()}-{name}"
        agent = agent or (before.agent if before else None)
    item = _ITEM.match(plain, file.end)
    return CitedNote(agent, name, item["item"] if item else None, file.start, item.end("item") if item else file.end)


def _loose(plain: str, agents: set[str]) -> Iterator[CitedNote]:
    for match in _LOOSE.finditer(plain):
        said = _AGENT_BEFORE.search(plain, max(0, match.start() - _AGENT_REACH), match.start())
        if said is None or not _parts_of(match.group()).day:
            continue
        item = _ITEM.match(plain, match.end())
        slug, agent = match["slug"], said["agent"]
        says_which = match["edition"] or item or "-" in slug or (match["time"] and slug.islower() and len(slug) > 2)
        if says_which and (agent.casefold() in agents if agents else agent.islower()):
            yield _note(match, item, agent=agent, start=said.start())


def _without_extension(plain: str) -> Iterator[CitedNote]:
    for match in _WITHOUT_EXTENSION.finditer(plain):
        yield _note(match, _ITEM.match(plain, match.end()), agent=None, start=match.start())


def _note(match: re.Match[str], item: re.Match[str] | None, *, agent: str | None, start: int) -> CitedNote:
    return CitedNote(
        agent, match.group(), item["item"] if item else None, start, item.end("item") if item else match.end()
    )


def resolve(cited: CitedNote, *, paths: Sequence[str], year: int, agents: Sequence[str]) -> Resolution:
    """Return which of the workspace's notes `cited` is.

    Args:
        cited: what `cited_notes` found.
        paths: paths of the workspace's notes, relative to it ("inbox/jay/2026-07-27-1100-filter.md").
        year: of the days that are written without one.
        agents: names of the relay agents; a note said to come from anybody else is dangling.

    A file name must be exact, but for upper and lower case. A loose citation is a note when agent, day and time (where written)
    are the note's and all its words are in the note's slug; with several such notes it is ambiguous.
    """
    index = _index(tuple(paths))
    known = {agent.casefold() for agent in agents}
    agent = cited.agent.casefold() if cited.agent else None
    if agent and agent not in known and agent not in index.agents:
        found: list[str] = []
    elif cited.name.casefold().endswith(".md"):
        found = _named(cited.name, agent, index)
    else:
        found = _meant(cited.name, agent, index, year)
    if len(found) == 1:
        return Resolution("resolved", found[0], ())
    if found:
        return Resolution("ambiguous", None, tuple(found))
    return Resolution("dangling", None, _near(cited.name, agent, index, year))


@lru_cache(maxsize=4)  # all citations of a run are held against the same notes
def _index(paths: tuple[str, ...]) -> _Index:
    index = _Index(paths, {}, {}, set())
    for path in paths:
        index.by_name.setdefault(_same_name(_file_of(path)), []).append(path)
        index.by_day.setdefault(_parts_of(_file_of(path)).day, []).append(path)
        index.agents.add(_agent_of(path))
    return index


def _file_of(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def _agent_of(path: str) -> str:
    parts = path.split("/")
    return parts[1].casefold() if len(parts) > 2 else ""


def _same_name(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _named(name: str, agent: str | None, index: _Index) -> list[str]:
    """Return the notes of exactly that name; where there is none, those that differ in case or Unicode form alone."""
    alike = [path for path in index.by_name.get(_same_name(name), ()) if agent in (None, _agent_of(path))]
    return [path for path in alike if _file_of(path) == name] or alike


def _meant(name: str, agent: str | None, index: _Index, year: int) -> list[str]:
    """Return the notes that a loose name fits; those whose words it gives in full come before those it only begins."""
    wanted = _parts_of(name)
    fitting: list[tuple[bool, str]] = []
    for path in index.by_day.get(_full_day(wanted, year), ()):
        parts = _parts_of(_file_of(path))
        is_fitting = agent in (None, _agent_of(path)) and wanted.time in (None, parts.time)
        if parts.day and is_fitting and _has_words(parts.words, wanted.words):
            others = set(parts.words) - {_agent_of(path)}
            fitting.append((len(others) == len(set(wanted.words)), path))
    full = [path for is_full, path in fitting if is_full]
    return full or [path for _, path in fitting]


def _full_day(parts: _Parts, year: int) -> tuple[int | None, int, int] | None:
    return (parts.day[0] or year, *parts.day[1:]) if parts.day else None


def _has_words(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Say whether all `wanted` words are there; "e1" also stands for "e1prep"."""
    return bool(wanted) and all(
        word in words
        or any(word[-1].isdigit() and other.startswith(word) and other[len(word)].isalpha() for other in words)
        for word in wanted
    )


@lru_cache(maxsize=4096)
def _parts_of(name: str) -> _Parts:
    stem = name.removesuffix(".md")
    match = _PARTS.fullmatch(stem) or _COMPACT.fullmatch(stem)
    if match is None:
        return _Parts(None, None, _words(stem))
    month, day = int(match["month"]), int(match["day"])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return _Parts(None, None, _words(stem))
    time = f"{match['hour']}{match['minute']}" if match["hour"] else None
    return _Parts((int(match["year"]) if match["year"] else None, month, day), time, _words(match["slug"]))


def _words(slug: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in _TOKEN.findall(slug))


def _near(name: str, agent: str | None, index: _Index, year: int) -> tuple[str, ...]:
    """Return up to three notes, best first, whose names come near; notes of the agent and of the day are preferred."""
    wanted = _parts_of(name)
    of_day = index.by_day.get(_full_day(wanted, year), []) if wanted.day else []
    of_agent = [path for path in of_day if agent and _agent_of(path) == agent]
    for candidates in (of_agent, of_day, index.paths):
        slugs = {path: " ".join(_parts_of(_file_of(path)).words) for path in candidates}
        best = process.extract(
            " ".join(wanted.words), slugs, scorer=fuzz.token_set_ratio, limit=_NEAR_LIMIT, score_cutoff=_NEAR_SCORE
        )
        if best:
            return tuple(path for _, _, path in best)
    return ()

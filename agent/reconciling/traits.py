"""What an increment shows at a glance: its papers, pages, names, versions and figures, read once for all comparisons.

Promises: pure; time is linear in the increment, of which at most 12 points are looked at.
"""

import datetime as dt
import functools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agent.reading.identifiers import is_after
from agent.reading.names import parse_note_name
from agent.reading.naming import STEM, count_cjk, opens_with
from agent.reconciling.clauses import split_clauses
from agent.reconciling.deeds import clocks_in
from agent.reconciling.rivals import weight
from agent.reconciling.titles import Subject, is_device, key_of, names_and_opening, read_subject
from agent.reconciling.values import Amount, Value, read_values, with_measures
from agent.records import Increment, Measure

_MOST_POINTS = 12
_LONGEST = 1_200  # code points of one point
_MOST_NAMES = 40
_TELLING = 0.6  # weight of a figure
_CHINESE = 0.15  # share of Chinese characters from which a text is Chinese

_NO_TEXT = re.compile(
    r"https?://[!-~]+|(?<![\w-])[\w-]{1,60}\.md\b(?:[\s·,，]{0,3}(?:§\s?)?\d+(?:\.\d+)*)?|(?<![\w-])[\w-]{1,60}\.(?:py|json|com|org|io|dev)\b(?:/[!-~]{0,80})?|`[^`]{0,80}`",
    re.IGNORECASE,
)
_MAY_BE = re.compile(r"http|`|\.(?:md|py|json|com|org|io|dev)\b")
_VERSION_AFTER = re.compile(
    r"\s?(?:[vV]\.?\s?(\d{1,4}(?:\.\d{1,4}){0,3})|(\d{1,4}(?:\.\d{1,4}){1,3}))(?![\d.]*\s?[%×xX倍])(?![\d.])(?!\s?(?:[munµ]?s|[KMGT]i?B|[KMBT]|x|pp|h|min|tok\w{0,3})(?:/s)?\b)"
)
_DIGIT = re.compile(r"\d")
_LOOSE = re.compile(r"(?<![\w.])(?:v(\d{1,4}(?:\.\d{1,4}){1,3})|(\d{1,4}(?:\.\d{1,4}){2,3}))(?![\w.]*\d)")


_SCORE_DIGITS = 3
_OPENINGS = 2  # texts that are looked at for what they open with
_MIN_HEADLINE = 4  # what a headline says at least, in Chinese characters; a Latin word counts two
_TOLD_IN = re.compile(r"\d{4}-\d\d-\d\d-\d{4}-[\w-]{1,60}\.md")
_PATH = re.compile(r"(?<![\w/.-])inbox/[\w.-]{1,40}/\d{4}-\d\d-\d\d-\d{4}-[\w-]{1,60}\.md")
_NO_SECTIONS: frozenset[tuple[str, str]] = frozenset()
_NO_CONDITIONS: Mapping[str, frozenset[str]] = {}


@dataclass(frozen=True, slots=True)
class Traits:
    """An increment, ready to be compared.

    Attributes:
        texts: title, then its points; without points, the summary.
        day: of its first note, where the name tells it.
        paper: the arXiv ID that it leads with, empty without one.
        is_paper_to_come: whether that paper's month lies after the note.
        pages: addresses of its sources, as they are compared; no mere hosts.
        cited: notes that it names as sources.
        names: keys of the named things in title and points.
        han: Chinese characters that a clause opens with, and that may begin with a name.
    said: all texts in one.
    openings: keys of capitalised words that open a clause, names or not.
        acronyms: those of the names that are all capitals; most stand for methods that many findings share.
        versions: per named thing the versions and sizes that it is given with; under "" those that stand alone.
        devices: those that the title names.
        values, amounts: figures of title and points.
        telling: numbers of those that two texts hardly share by chance.
        conditions: per kind what the figures were measured under.
        sections: where the notes file it: documents with a section.
    key: orders increments by what they are, near titles together, never by where they stand.
    """

    title: str
    subject: Subject
    texts: tuple[str, ...]
    day: dt.date | None
    notes: frozenset[str]
    agents: frozenset[str]
    cited: frozenset[str]
    paper: str
    papers: frozenset[str]
    is_paper_to_come: bool
    pages: frozenset[str]
    names: frozenset[str]
    openings: frozenset[str]
    han: str
    said: str
    acronyms: frozenset[str]
    versions: Mapping[str, tuple[str, ...]]
    devices: frozenset[str]
    values: tuple[Value, ...]
    amounts: frozenset[Amount]
    telling: frozenset[float]
    conditions: Mapping[str, frozenset[str]]
    is_chinese: bool
    sections: frozenset[tuple[str, str]]
    key: tuple[str, str, int, str]


def read_traits(increment: Increment) -> Traits:
    """Read what an increment shows."""
    points = [point.text[:_LONGEST] for point in increment.points[:_MOST_POINTS]]
    subject = read_subject(_headline(increment.title, points))
    texts = (increment.title, *(points or [increment.summary] * bool(increment.summary)))
    told = _read_texts(texts)
    named = told.named
    note = increment.notes[0] if increment.notes else ""
    day = _day(note)
    values = with_measures(told.values, increment.measures)
    return Traits(
        title=increment.title,
        subject=subject,
        texts=texts,
        day=day,
        notes=_set((*increment.notes, *dict.fromkeys(evidence.note for evidence in increment.evidence))),
        agents=_set(increment.agents),
        cited=frozenset(source.note for source in increment.sources if source.note).union(_told_in(texts)),
        paper=increment.arxiv_ids[0] if increment.arxiv_ids else "",
        papers=frozenset(increment.arxiv_ids),
        is_paper_to_come=bool(increment.arxiv_ids) and is_after(increment.arxiv_ids[0], day or dt.date.max),
        pages=frozenset(page for source in increment.sources if source.url and (page := _page(source.url))),
        names=named.names.union(subject.names),
        openings=named.openings,
        han=told.han,
        said=told.said,
        acronyms=named.acronyms,
        versions=named.versions,
        devices=frozenset(filter(is_device, subject.words)),
        values=values,
        amounts=frozenset(value.amount for value in values),
        telling=frozenset(value.written[0] for value in values if _is_telling(value)).union(told.clocks),
        conditions=_conditions(increment.measures),
        is_chinese=told.is_chinese,
        sections=_sections(increment),
        key=(subject.texts[0], note, increment.evidence[0].start if increment.evidence else 0, increment.id),
    )


class _Told(NamedTuple):
    named: "_Named"
    values: tuple[Value, ...]
    clocks: tuple[float, ...]
    han: str
    said: str
    is_chinese: bool


@functools.lru_cache(maxsize=4096)
def _read_texts(texts: tuple[str, ...]) -> _Told:
    """What stands in the texts alone, which notes copy from each other."""
    clauses = [
        clause for text in texts for clause in split_clauses(_NO_TEXT.sub(" ", text) if _MAY_BE.search(text) else text)
    ]
    said = "\n".join(texts)
    han = next((run for text in texts[:_OPENINGS] if (run := opens_with(text))), "")
    return _Told(_named(clauses), read_values(clauses), tuple(_clocks(texts)), han, said, _is_chinese(texts))


def _is_telling(value: Value) -> bool:
    """Whether two texts hardly have a figure in common by chance: "64.0" is a round number and a score."""
    return weight((value.amount,)) >= _TELLING or (value.decimals > 0 and value.digits >= _SCORE_DIGITS)


def _clocks(texts: tuple[str, ...]) -> Iterator[float]:
    """Times of the day, as numbers that no figure has."""
    return (-60.0 * hour - minute - 1 for hour, minute in clocks_in(texts))


def _headline(title: str, points: Sequence[str]) -> str:
    """What a finding is told under: its title, or the first point that says something where the title says nothing."""
    if not _says_nothing(title):
        return title
    return next((point for point in points if not _says_nothing(point)), title)


def _says_nothing(text: str) -> bool:
    """Whether a line is empty but for its label, or only says where it was told before."""
    if _TOLD_IN.search(text):
        return True
    subject = read_subject(text)
    return subject.weight < _MIN_HEADLINE and not subject.names


def _told_in(texts: Sequence[str]) -> Iterator[str]:
    """The paths of notes that a text says it was told in."""
    for text in texts:
        if ".md" in text:
            yield from (found.group() for found in _PATH.finditer(text))


def _sections(increment: Increment) -> frozenset[tuple[str, str]]:
    found = ((one.document, one.section) for one in increment.placements if one.section)
    return _set_of_pairs(tuple(found)) if increment.placements else _NO_SECTIONS


@functools.lru_cache(maxsize=4096)
def _set_of_pairs(pairs: tuple[tuple[str, str], ...]) -> frozenset[tuple[str, str]]:
    return frozenset(pairs)


@functools.lru_cache(maxsize=4096)
def _set(names: tuple[str, ...]) -> frozenset[str]:
    """One set for all increments that have it: a note holds many, an agent more."""
    return frozenset(names)


@functools.lru_cache(maxsize=4096)
def _day(note: str) -> dt.date | None:
    return parse_note_name(note).date


def _page(url: str) -> str:
    """What tells pages apart: no scheme, "www.", fragment or closing slash; nothing for a host alone or an arXiv address."""
    host, _, path = url.partition("#")[0].partition("://")[2].partition("/")
    host, path = host.lower().removeprefix("www."), path.rstrip("/")
    return "" if not path or host.endswith("arxiv.org") else f"{host}/{path}"


class _Named(NamedTuple):
    names: frozenset[str]
    openings: frozenset[str]
    acronyms: frozenset[str]
    versions: dict[str, tuple[str, ...]]


def _named(clauses: Sequence[str]) -> _Named:
    names: dict[str, bool] = {}
    openings: set[str] = set()
    versions: dict[str, set[str]] = defaultdict(set)
    for clause in clauses:
        first, words = names_and_opening(clause)
        if first:
            openings.add(key_of(first.group()))
        numbered: set[str] = set()
        for word in words:
            key = key_of(word.group())
            names[key] = names.get(key, True) and word.group().isupper()
            numbers = tuple(_numbers(clause, word))
            versions[key].update(numbers)
            numbered.update(numbers)
        if "." in clause:
            versions[""].update({one or other for one, other in _LOOSE.findall(clause)} - numbered)
        if len(names) >= _MOST_NAMES:
            break
    return _Named(
        frozenset(names),
        frozenset(openings),
        frozenset(name for name, is_acronym in names.items() if is_acronym),
        {name: tuple(sorted(numbers)) for name, numbers in versions.items() if numbers},
    )


def _numbers(clause: str, word: "re.Match[str]") -> Iterator[str]:
    """The versions and sizes that a name carries ("FoldServe 1.6", "Qwen2.5-7B")."""
    after = _VERSION_AFTER.match(clause, word.end())
    if after and (after[1] or not word.group().isupper()):  # "MMLU 62.7" is a score
        yield after[1] or after[2]
    if not _DIGIT.search(word.group()):
        return
    for piece in word.group().lower().replace("_", "-").split("-"):
        parts = STEM.fullmatch(piece)
        if parts and parts[2]:
            yield parts[2]


def _conditions(measures: Sequence[Measure]) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for measure in measures:
        for kind, value in measure.conditions.items():
            found[kind].add(_letters(value))
    return {kind: frozenset(values) for kind, values in found.items()} if found else _NO_CONDITIONS


@functools.lru_cache(maxsize=4096)
def _letters(value: str) -> str:
    return "".join(char for char in value.casefold() if char.isalnum())


def _is_chinese(texts: Sequence[str]) -> bool:
    said = "".join(texts)
    return count_cjk(said) >= _CHINESE * len(said)

"""What a section of a living document already says of a finding: the lines that touch it, and what follows from them.

A model names a relation and a line; code holds it to what stands there. A finding is known only where its papers, its
figures and its name stand in the section, and contradicts only a line about the same thing with another figure.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agent.extracting.candidates import SectionIndex, words
from agent.reading.identifiers import find_arxiv
from agent.reading.measures import find_measures, numbers_in
from agent.reading.naming import WORD, is_distinctive, name_key, named_in
from agent.reading.quantities import canonical_unit
from agent.records import Relation, Standing
from agent.texts import LivingDocument, Section

_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9.+'-]*")
_LINE_END = re.compile(r"\r\n|\n|\r")
_RULE = re.compile(r"[\s|:\-—=*_]{1,400}")
_ABSENCE = re.compile(
    r"没有|尚无|暂无|空缺|空白|缺(?:少|乏|口)|未(?:收录|覆盖|见)|\b(?:no|none|nothing|lacks?|lacking|missing|absent|not yet|has not|have not|without)\b",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"(?:(?<![A-Za-z0-9_.+-])(?P<name>[A-Za-z][A-Za-z0-9_+-]{1,40})[ ]?(?:版本 ?|version )?)?(?<![0-9.])(?P<mark>[vV])?(?<![0-9.])"
    r"(?P<version>[0-9]{1,4}(?:\.[0-9]{1,4}){1,3})(?![0-9%×])"
)
_MOST_SHOWN = 160  # characters of a line
_TOUCHES = 1.0  # rarity that a line and a finding share, for one to be about the other
_MOSTLY = 0.6  # of a title's words


@dataclass(frozen=True, slots=True)
class Stated:
    """A finding as far as its relation goes.

    Attributes:
        name: its title.
        told: what it says in short.
        text: all that its note says of it, headings left out.
        papers: what it rests on.
    """

    name: str
    told: str
    text: str
    papers: tuple[str, ...]


def lines_about(
    stated: Stated, document: LivingDocument, section: Section, index: SectionIndex, *, limit: int
) -> tuple[Standing, ...]:
    """Return the lines of a section that share the rarest words with a finding, in their order.

    Where none does, the first lines are returned: they show what the section is about.
    """
    said = words(f"{stated.name}\n{stated.told}\n{stated.text}")
    lines = index.kept(_LinesOf(document.name, section.line), lambda: _lines(document, section))
    best = sorted(lines, key=lambda line: (-index.rarity_of(said & line[1]), line[0].line))[:limit]
    return tuple(line for line, _ in sorted(best, key=lambda line: line[0].line))


def line_touched(
    stated: Stated, lines: Sequence[Standing], index: SectionIndex, *, named: Standing | None = None
) -> Standing | None:
    """Return the line that a finding is about: the one named, if it shares rare words with it, else the nearest; or None."""
    said = words(f"{stated.name}\n{stated.told}\n{stated.text}")
    shared = [(index.rarity_of(said & words(line.quote)), line) for line in lines]
    touching = [(rarity, line) for rarity, line in shared if rarity >= _TOUCHES]
    if named is not None and any(line == named for _, line in touching):
        return named
    return max(touching, key=lambda pair: (pair[0], -pair[1].line))[1] if touching else None


def relation_held(said: Relation, stated: Stated, section: Section, line: Standing | None) -> Relation:
    """Hold a relation that a model named to what stands in the section."""
    present = f"{section.heading}\n{section.content}"
    if said == "known" and not _stands_in(stated, present):
        said = "extends"
    if said == "contradicts" and not (line and _disagrees(stated, line.quote)):
        said = "extends"
    if said == "extends" and not (line or _is_named_in(stated, present)):
        return "new"
    if said == "extends" and line and _ABSENCE.search(line.quote) and not _has_papers_there(stated, present):
        return "new"  # the line says that this is what it lacks
    if said == "new" and _has_papers_there(stated, present):
        return "extends"
    return said


def older_version(stated: Stated, document: LivingDocument) -> Standing | None:
    """Return the line of a document that has what a finding is about in an older version, the newest such; or None.

    What it is about is what its title names first.

    A version without a name counts below a heading that names the product.
    """
    product, wanted, _ = next(_versions(stated.name), ("", (), False))
    before = named_in(stated.name)[:1]
    if not product or (before and name_key(before[0].group()) != product):
        return None
    best: tuple[tuple[int, ...], Standing] | None = None
    for section in document.sections:
        is_titled = any(name_key(word.group()) == product for word in WORD.finditer(section.heading))
        for line in section.content.splitlines():
            for name, version, is_bare in _versions(line):
                is_it = is_titled if is_bare else name == product
                if is_it and version < wanted and (best is None or version > best[0]):
                    found = _standing(document, section, line)
                    best = (version, found) if found else best
    return best[1] if best else None


def _versions(text: str) -> Iterator[tuple[str, tuple[int, ...], bool]]:
    """Versions in a text: key of the product, the numbers, and whether no name stands before them; measures are none."""
    measured = [(one.start, one.end) for one in find_measures(text)]
    for found in _VERSION.finditer(text):
        start, end = found.span("version")
        is_sure = found["mark"] or found["version"].count(".") > 1
        if not is_sure and any(low < end and start < high for low, high in measured):
            continue
        key = name_key(found["name"]) if found["name"] else ""
        if (key and (is_sure or is_distinctive(found["name"]) or not found.start())) or (not key and found["mark"]):
            yield key, tuple(int(part) for part in found["version"].split(".")), not key


def _standing(document: LivingDocument, section: Section, line: str) -> Standing | None:
    wanted = line.strip()
    return next((one for one, _ in _lines(document, section) if one.quote == wanted[:_MOST_SHOWN]), None)


def _stands_in(stated: Stated, present: str) -> bool:
    """Whether all of a finding stands in a text already: its name, its papers, and every figure that its note gives.

    Without a paper or a figure nothing shows that it is the same.
    """
    figures = numbers_in(f"{stated.name}\n{stated.told}\n{stated.text}")
    is_there = _has_papers(stated, present) and figures <= numbers_in(present) and _is_named_in(stated, present)
    return is_there and bool(figures or stated.papers)


def _has_papers_there(stated: Stated, present: str) -> bool:
    return bool(stated.papers) and _has_papers(stated, present)


def _has_papers(stated: Stated, present: str) -> bool:
    return set(stated.papers) <= {span.identifier for span in find_arxiv(present)}


def _is_named_in(stated: Stated, present: str) -> bool:
    """Whether most words of the title stand in a text, or its first name does."""
    said, there = words(stated.name), words(present)
    first = next((name for latin in _LATIN.findall(stated.name) if (name := words(latin))), None)
    return bool(first and first <= there) or len(said & there) >= _MOSTLY * max(1, len(said))


def _disagrees(stated: Stated, line: str) -> bool:
    """Whether a line has a figure of the same unit and metric with another value, and none of the finding's own."""
    said, there = _figures(stated.text), _figures(line)
    return any(said[key].isdisjoint(values) for key, values in there.items() if key in said)


def _figures(text: str) -> dict[tuple[str, str], set[float]]:
    """The values that a text gives, by unit and metric."""
    found = defaultdict[tuple[str, str], set[float]](set)
    for measure in find_measures(text):
        if measure.unit and measure.metric:
            found[canonical_unit(measure.unit), measure.metric.casefold()].add(measure.value)
    return dict(found)


class _LinesOf(NamedTuple):
    """What the lines of a section are kept under."""

    document: str
    heading_line: int


def _lines(document: LivingDocument, section: Section) -> tuple[tuple[Standing, frozenset[str]], ...]:
    """The lines of a section that say something, with their place in the document and their words."""
    wanted = [line.strip() for line in _LINE_END.split(section.content)]
    all_lines = _LINE_END.split(document.text)
    name = section.number or section.heading
    found, at = [], section.line  # the line below the heading, counted from 0
    for text in wanted:
        while at < len(all_lines) and all_lines[at].strip() != text:
            at += 1
        if at == len(all_lines):
            break
        at += 1
        if text and not _RULE.fullmatch(text):
            quote = text[:_MOST_SHOWN]
            found.append((Standing(document=document.name, section=name, line=at, quote=quote), words(quote)))
    return tuple(found)

"""What plain code sees in one segment: its parts by label, and everything that is written down in it.

The model is held against this, and with engine `none` this is all there is.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from agent.extracting.orders import orders_in
from agent.reading.citations import CitedNote, cited_documents, cited_notes
from agent.reading.filing import filed_under
from agent.reading.identifiers import UrlSpan, find_arxiv, find_urls
from agent.reading.labels import labelled, values_of
from agent.reading.parts import AFTER, by_label
from agent.reading.placements import StatedPlacement, stated_placements
from agent.reading.ratings import StatedStars, stated_priority, stated_stars
from agent.reading.registers import StatedRegister, stated_registers
from agent.reading.showing import breadth, cut, plain
from agent.reading.statements import StatedRelation, stated_relation
from agent.texts import Segment, Unit

_CONTENT_LABELS = ("", "points", "value", "caution", "summary", "claim", "conclusion", "to_verify")
_NOT_ASKED = ("relation", "placement", AFTER)
_NOT_ASKED_KINDS = frozenset({"heading", "rule", "comment", "front_matter"})
_NOT_STATED = _NOT_ASKED_KINDS | {"code"}
_WARNING = re.compile(r"⚠|待核实|\bcaveats?\b|\bcautions?\b", re.IGNORECASE)
_NAMED = 160  # characters of a source that is named in words
_BETWEEN_SOURCES = re.compile(r"(?P<open>[(（\[【])|(?P<close>[)）\]】])|[;；\n]|(?<=[\s)）])[+＋]\s?")
_LISTED = re.compile(r"\s{0,8}(?:[-*+•]|\d{1,2}[.)、])\s?")
_NO_SOURCE = re.compile(r"§|\A(?:条目|增量|高价值|第|item|increment|finding|entry)\s?\d", re.IGNORECASE)
_NO_LETTERS = re.compile(r"[\W\d_]+")
_UNTARGETED = re.compile(r"\[([^\[\]\n]{1,160})\]\(\s{0,3}\)")
_EMPTY_LINK = re.compile(r"[，,、:：]?\s?[(（<\[]\s?[)）>\]]|[，,、:：]\s?(?=[)）])")
_MIN_NAMED = 4  # breadth
_MIN_POINT = 8  # breadth: narrower units are labels and leftovers


@dataclass(frozen=True, slots=True)
class Observed:
    """What is written down in one segment.

    Attributes:
        points: units that carry content, in order.
        asked: units that a model needs to see: points, and what they rest on.
        rested: units that say what the finding rests on, and how far the note trusts it.
        arxiv_ids: the finding's own first (title, then label), then those mentioned in its content.
        named: sources that are named in words alone, such as a release or a post.
        addressed: addresses, each with the words that name it as a source.
        warnings: the note's own warnings about the finding.
        orders: numbers of units that order the reader about; they are no points.
    """

    segment: Segment
    points: tuple[Unit, ...]
    asked: tuple[Unit, ...]
    rested: tuple[Unit, ...]
    arxiv_ids: tuple[str, ...]
    urls: tuple[str, ...]
    cited: tuple[CitedNote, ...]
    named: tuple[str, ...]
    addressed: tuple[tuple[str, str], ...]
    stars: StatedStars | None
    priority: int | None
    placements: tuple[StatedPlacement, ...]
    registers: tuple[StatedRegister, ...]
    relation: StatedRelation | None
    warnings: tuple[str, ...]
    orders: frozenset[int] = frozenset()


def observe(segment: Segment, *, topics: Sequence[str], agents: Sequence[str] = ()) -> Observed:
    """Read one segment with plain code; `topics` are the stems of the living documents, `agents` the inbox folders."""
    parts = by_label(segment.units)
    content = _content(parts)
    orders = frozenset(unit.number for unit in orders_in([segment]))
    content = [unit for unit in content if unit.number not in orders]
    left_out = {unit.number for name in _NOT_ASKED for unit in parts[name]} - {unit.number for unit in content}
    asked = [u for u in segment.units if u.kind not in _NOT_ASKED_KINDS and u.number not in left_out]
    title = segment.heading.text if segment.heading else ""
    rated = "\n".join(unit.text for unit in parts["credibility"])
    named, addressed = _named_sources(parts["source"], agents)
    warnings = [unit for unit in content if _WARNING.search(unit.text)]
    return Observed(
        segment=segment,
        points=tuple(content),
        asked=tuple(asked) or tuple(content),
        rested=(*parts["source"], *parts["credibility"]),
        arxiv_ids=_arxiv_ids(title, parts, content),
        urls=tuple(dict.fromkeys(url.url for unit in asked for url in find_urls(unit.text))),
        cited=cited_notes("\n".join(unit.text for unit in parts["source"]), agents=agents),
        named=named,
        addressed=tuple(addressed.items()),
        stars=_stars(rated, [*parts["source"], *parts["arxiv"], *content]),
        priority=stated_priority(title) if title else None,
        placements=_placements(parts["placement"], content, topics),
        registers=stated_registers("\n".join(unit.text for unit in segment.units)),
        relation=stated_relation("\n".join(unit.text for unit in parts["relation"])) if parts["relation"] else None,
        warnings=tuple(plain(unit.text) for unit in warnings),
        orders=orders,
    )


def _content(parts: Mapping[str, list[Unit]]) -> list[Unit]:
    """The units that say something: those under content labels; where there are none, what the note left unlabelled."""
    for names in (_CONTENT_LABELS, (AFTER,)):
        by_number = {unit.number: unit for name in names for unit in parts[name] if _says_something(unit)}
        if by_number:
            return [by_number[number] for number in sorted(by_number)]
    return []


def _says_something(unit: Unit) -> bool:
    """Captions ("要点：", "Measured:") and code introduce or show; they state nothing."""
    text = plain(unit.text)
    return unit.kind not in _NOT_STATED and breadth(text) >= _MIN_POINT and not text.endswith((":", "："))


def _arxiv_ids(title: str, parts: Mapping[str, list[Unit]], content: Sequence[Unit]) -> tuple[str, ...]:
    places = [title, *(u.text for u in parts["arxiv"]), *(u.text for u in content), *(u.text for u in parts["source"])]
    return tuple(dict.fromkeys(span.identifier for text in places for span in find_arxiv(text) if span.form != "card"))


def _named_sources(units: Sequence[Unit], agents: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """What stands under the label of sources in words: what has neither note nor identifier nor address, and words by address.

    Words beside a note or an identifier describe it; what is set apart from it by a semicolon or a plus names something else,
    but behind a living document it is what that has.
    """
    named: list[str] = []
    by_address: dict[str, str] = {}
    for part in (part for value in _values(units) for part in _before_document(value)):
        urls = find_urls(part)
        words = cut(plain(_without(part, urls)), _NAMED)
        if (
            cited_notes(part, agents=agents)
            or find_arxiv(part)
            or _NO_SOURCE.search(words)
            or breadth(_NO_LETTERS.sub("", words)) < _MIN_NAMED
        ):
            continue
        if urls:
            by_address.setdefault(urls[0].url, words)
        else:
            named.append(words)
    return tuple(dict.fromkeys(named)), by_address


def _values(units: Sequence[Unit]) -> list[str]:
    """What is given as sources: values of labels with the rest of their line, and all of what is listed below one."""
    values: list[str] = []
    line = None
    for unit in units:
        spans = values_of(unit.text, "source")
        if spans:
            values += [unit.text[start:end] for start, end in spans]
            line = unit.line
        elif labelled(unit.text):
            line = None
        elif unit.kind == "item" and unit.line != line and _LISTED.match(unit.text):
            values.append(unit.text)
        elif values and unit.line == line:
            values[-1] += f"\n{unit.text}"
    return values


def _parts_of(value: str) -> Iterator[str]:
    """Cut a list of sources where no bracket is open."""
    start = depth = 0
    for mark in _BETWEEN_SOURCES.finditer(value):
        if mark["open"] or mark["close"]:
            depth = max(0, depth + (1 if mark["open"] else -1))
        elif not depth:
            yield value[start : mark.start()]
            start = mark.end()
    yield value[start:]


def _before_document(value: str) -> Iterator[str]:
    """The parts of a list of sources, up to a living document: what follows there is what it has."""
    return takewhile(lambda part: not any(one.kind == "document" for one in cited_documents(part)), _parts_of(value))


def _without(part: str, urls: Sequence[UrlSpan]) -> str:
    """A source without its addresses, and without the marks that stood around them."""
    kept, at = [], 0
    for url in urls:
        kept.append(part[at : url.start])
        at = url.end
    text = "".join([*kept, part[at:]])
    return _EMPTY_LINK.sub("", _UNTARGETED.sub(r"\1", text)).strip(" \t,，:：|·-–—<>") if urls else text


def _stars(rated: str, others: Iterable[Unit]) -> StatedStars | None:
    """The rating under its label; without one, the first that stands beside what else is written."""
    if rated:
        return stated_stars(rated)
    return next((found for unit in others if unit.kind != "code" and (found := stated_stars(unit.text))), None)


def _placements(
    labelled_units: Sequence[Unit], content: Sequence[Unit], topics: Sequence[str]
) -> tuple[StatedPlacement, ...]:
    """What stands under the label of placements; without one, what the running text files somewhere."""
    if labelled_units:
        return tuple(stated_placements("\n".join(unit.text for unit in labelled_units), topics=topics))
    cells = [cell.strip() for unit in content if unit.kind == "row" for cell in unit.text.split("|")]
    in_cells = [one for cell in cells for one in stated_placements(cell, topics=topics) if one.document and one.section]
    return (*filed_under("\n".join(unit.text for unit in content), topics=topics), *in_cells)

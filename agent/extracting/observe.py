"""What plain code sees in one segment: its parts by label, and everything that is written down in it.

The model is held against this, and with engine `none` this is all there is.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.reading.citations import CitedNote, cited_notes
from agent.reading.filing import filed_under
from agent.reading.identifiers import find_arxiv, find_urls
from agent.reading.labels import values_of
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
        warnings: the note's own warnings about the finding.
    """

    segment: Segment
    points: tuple[Unit, ...]
    asked: tuple[Unit, ...]
    rested: tuple[Unit, ...]
    arxiv_ids: tuple[str, ...]
    urls: tuple[str, ...]
    cited: tuple[CitedNote, ...]
    named: tuple[str, ...]
    stars: StatedStars | None
    priority: int | None
    placements: tuple[StatedPlacement, ...]
    registers: tuple[StatedRegister, ...]
    relation: StatedRelation | None
    warnings: tuple[str, ...]


def observe(segment: Segment, *, topics: Sequence[str], agents: Sequence[str] = ()) -> Observed:
    """Read one segment with plain code; `topics` are the stems of the living documents, `agents` the inbox folders."""
    parts = by_label(segment.units)
    content = _content(parts)
    left_out = {unit.number for name in _NOT_ASKED for unit in parts[name]} - {unit.number for unit in content}
    asked = [u for u in segment.units if u.kind not in _NOT_ASKED_KINDS and u.number not in left_out]
    title = segment.heading.text if segment.heading else ""
    rated = "\n".join(unit.text for unit in parts["credibility"])
    warnings = [unit for unit in content if _WARNING.search(unit.text)]
    return Observed(
        segment=segment,
        points=tuple(content),
        asked=tuple(asked) or tuple(content),
        rested=(*parts["source"], *parts["credibility"]),
        arxiv_ids=_arxiv_ids(title, parts, content),
        urls=tuple(dict.fromkeys(url.url for unit in asked for url in find_urls(unit.text))),
        cited=cited_notes("\n".join(unit.text for unit in parts["source"]), agents=agents),
        named=_named_sources(parts["source"], agents),
        stars=_stars(rated, [*parts["source"], *parts["arxiv"], *content]),
        priority=stated_priority(title) if title else None,
        placements=_placements(parts["placement"], content, topics),
        registers=stated_registers("\n".join(unit.text for unit in segment.units)),
        relation=stated_relation("\n".join(unit.text for unit in parts["relation"])) if parts["relation"] else None,
        warnings=tuple(plain(unit.text) for unit in warnings),
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


def _named_sources(units: Sequence[Unit], agents: Sequence[str]) -> tuple[str, ...]:
    """What stands under the label of sources in words alone: no note, identifier or address."""
    values = (unit.text[start:end] for unit in units for start, end in values_of(unit.text, "source"))
    named = (
        cut(plain(value), _NAMED)
        for value in values
        if not (cited_notes(value, agents=agents) or find_arxiv(value) or find_urls(value))
    )
    return tuple(dict.fromkeys(one for one in named if breadth(one) >= _MIN_NAMED))


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

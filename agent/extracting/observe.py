"""What plain code sees in one segment: its parts by label, and everything that is written down in it.

The model is held against this, and with engine `none` this is all there is.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.reading.citations import CitedNote, cited_notes
from agent.reading.identifiers import find_arxiv, find_urls
from agent.reading.labels import labelled
from agent.reading.measures import find_measures
from agent.reading.placements import StatedPlacement, stated_placements
from agent.reading.ratings import StatedStars, stated_priority, stated_stars
from agent.reading.registers import StatedRegister, stated_registers
from agent.reading.statements import StatedRelation, stated_relation
from agent.records import Evidence, Measure, Note, Segment, Unit

_CONTENT_LABELS = ("", "points", "value", "caution", "summary", "claim", "conclusion", "to_verify")
_NOT_ASKED = ("relation", "placement", "after")
_NOT_ASKED_KINDS = frozenset({"heading", "rule", "comment", "front_matter"})
_NOT_STATED = _NOT_ASKED_KINDS | {"code"}
_BULLET = re.compile(r"^[\s•·\-*+–—]{1,8}")
_WARNING = re.compile("⚠|待核实|caveat|caution", re.IGNORECASE)
_MIN_POINT = 8  # shorter units are labels and leftovers
_AFTER = "after"


@dataclass(frozen=True, slots=True)
class Observed:
    """What is written down in one segment.

    Attributes:
        points: units that carry content, in order.
        asked: units that a model needs to see: points, and what they rest on.
        arxiv_ids: the finding's own first (title, then label), then those mentioned in its content.
        warnings: the note's own warnings about the finding.
    """

    segment: Segment
    points: tuple[Unit, ...]
    asked: tuple[Unit, ...]
    arxiv_ids: tuple[str, ...]
    urls: tuple[str, ...]
    cited: tuple[CitedNote, ...]
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
        arxiv_ids=_arxiv_ids(title, parts, content),
        urls=tuple(dict.fromkeys(url.url for unit in asked for url in find_urls(unit.text))),
        cited=cited_notes("\n".join(unit.text for unit in parts["source"]), agents=agents),
        stars=stated_stars(rated) if rated else None,
        priority=stated_priority(title) if title else None,
        placements=_placements(parts["placement"], topics),
        registers=stated_registers("\n".join(unit.text for unit in segment.units)),
        relation=stated_relation("\n".join(unit.text for unit in parts["relation"])) if parts["relation"] else None,
        warnings=tuple(plain(unit.text) for unit in warnings),
    )


def by_label(units: Iterable[Unit]) -> dict[str, list[Unit]]:
    """Sort units by the label that rules them ("" where none does).

    A label with text after it rules the rest of its line; a label that stands alone rules all that follows, up to the
    next label. What stands without a label below the placement, which closes an increment, goes to "after".
    """
    parts: dict[str, list[Unit]] = defaultdict(list)
    ruling, line, unruled = "", None, ""
    for unit in units:
        if unit.kind == "heading":
            parts["heading"].append(unit)
            ruling, line = "", None
            continue
        labels = labelled(unit.text)
        if labels and unit.kind != "code":
            last = labels[-1]
            stands_alone = not unit.text[last.value_start :].strip()
            ruling, line = last.name, (None if stands_alone or last.name == "points" else unit.line)
            unruled = _AFTER if last.name == "placement" else unruled
            for name in dict.fromkeys(label.name for label in labels):
                parts[name].append(unit)
            continue
        if line is not None and unit.line != line:
            ruling, line = unruled, None
        parts[ruling].append(unit)
    return parts


def plain(text: str) -> str:
    """Return a unit's words without its bullet and with white space folded."""
    return " ".join(_BULLET.sub("", text).split())


def as_evidence(note: Note, unit: Unit) -> Evidence:
    """Cite a unit of a note."""
    return Evidence(note=note.path, start=unit.start, end=unit.end, quote=unit.text, line=unit.line)


def measures(note: Note, units: Iterable[Unit]) -> tuple[Measure, ...]:
    """Return the numbers with units that stand in the given units."""
    return tuple(
        Measure(
            value=found.value,
            comparator=found.comparator,
            unit=found.unit,
            metric=found.metric,
            subject=found.subject,
            version=found.version,
            baseline=found.baseline,
            conditions=dict(found.conditions),
            evidence=as_evidence(note, unit),
        )
        for unit in units
        if unit.kind != "code"
        for found in find_measures(unit.text)
    )


def _content(parts: dict[str, list[Unit]]) -> list[Unit]:
    """The units that say something: those under content labels; where there are none, what the note left unlabelled."""
    for names in (_CONTENT_LABELS, (_AFTER,)):
        by_number = {unit.number: unit for name in names for unit in parts[name] if _says_something(unit)}
        if by_number:
            return [by_number[number] for number in sorted(by_number)]
    return []


def _says_something(unit: Unit) -> bool:
    """Captions ("要点：", "Measured:") and code introduce or show; they state nothing."""
    text = plain(unit.text)
    return unit.kind not in _NOT_STATED and len(text) >= _MIN_POINT and not text.endswith((":", "："))


def _arxiv_ids(title: str, parts: dict[str, list[Unit]], content: Sequence[Unit]) -> tuple[str, ...]:
    places = [title, *(u.text for u in parts["arxiv"]), *(u.text for u in content), *(u.text for u in parts["source"])]
    return tuple(dict.fromkeys(span.identifier for text in places for span in find_arxiv(text) if span.form != "card"))


def _placements(units: Sequence[Unit], topics: Sequence[str]) -> tuple[StatedPlacement, ...]:
    return tuple(stated_placements("\n".join(unit.text for unit in units), topics=topics)) if units else ()

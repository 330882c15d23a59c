"""What plain code sees in one segment: its parts by label, and everything that is written down in it.

The model is held against this, and with engine `none` this is all there is.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.reading.citations import CitedNote, cited_notes
from agent.reading.filing import filed_under
from agent.reading.identifiers import find_arxiv, find_urls
from agent.reading.labels import labelled
from agent.reading.measures import find_measures
from agent.reading.placements import StatedPlacement, stated_placements
from agent.reading.ratings import StatedStars, stated_priority, stated_stars
from agent.reading.registers import StatedRegister, stated_registers
from agent.reading.statements import StatedRelation, stated_relation
from agent.records import Evidence, Measure, Note, Segment, Unit

_CONTENT_LABELS = ("", "points", "value", "caution", "summary", "claim", "conclusion", "to_verify")
_AFTER = "after"
_NOT_ASKED = ("relation", "placement", _AFTER)
_NOT_ASKED_KINDS = frozenset({"heading", "rule", "comment", "front_matter"})
_NOT_STATED = _NOT_ASKED_KINDS | {"code"}
# A mark of a list stands apart, or before Chinese; glued to a figure it is its sign, and before a letter an option's.
_BULLET = re.compile(r"^(?:[\s•·]|[-*+–—]{1,3}(?=\s)|[-–—](?=[\u3400-\u9fff])){1,8}")
_STRONG = re.compile(r"\*\*(?=[^\s*])([^*]{1,200})(?<=\S)\*\*")
_WARNING = re.compile(r"⚠|待核实|\bcaveats?\b|\bcautions?\b", re.IGNORECASE)
_MIN_POINT = 8  # breadth: narrower units are labels and leftovers
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")
_WORD_REACH = 30  # characters that a cut gives up to keep a word whole


@dataclass(frozen=True, slots=True)
class Observed:
    """What is written down in one segment.

    Attributes:
        points: units that carry content, in order.
        asked: units that a model needs to see: points, and what they rest on.
        rested: units that say what the finding rests on, and how far the note trusts it.
        arxiv_ids: the finding's own first (title, then label), then those mentioned in its content.
        warnings: the note's own warnings about the finding.
    """

    segment: Segment
    points: tuple[Unit, ...]
    asked: tuple[Unit, ...]
    rested: tuple[Unit, ...]
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
        rested=(*parts["source"], *parts["credibility"]),
        arxiv_ids=_arxiv_ids(title, parts, content),
        urls=tuple(dict.fromkeys(url.url for unit in asked for url in find_urls(unit.text))),
        cited=cited_notes("\n".join(unit.text for unit in parts["source"]), agents=agents),
        stars=_stars(rated, [*parts["source"], *parts["arxiv"], *content]),
        priority=stated_priority(title) if title else None,
        placements=_placements(parts["placement"], content, topics),
        registers=stated_registers("\n".join(unit.text for unit in segment.units)),
        relation=stated_relation("\n".join(unit.text for unit in parts["relation"])) if parts["relation"] else None,
        warnings=tuple(plain(unit.text) for unit in warnings),
    )


def by_label(units: Iterable[Unit]) -> defaultdict[str, list[Unit]]:
    """Sort units by the label that rules them ("" where none does); a unit that holds several labels stands under each.

    A label with text after it rules the rest of its line; one that stands alone, and that of the points always, rules all
    that follows, up to the next label. What stands without a label below the placement, which closes an increment, goes to
    "after".
    """
    parts = defaultdict[str, list[Unit]](list)
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
    """Return a unit's words without bullet and marks of emphasis, and with white space folded; a figure keeps its sign.

    The cells of a table's row are joined by dots.
    """
    if text.startswith("|") and text.rstrip().endswith("|"):
        text = " · ".join(cell for part in text.strip().strip("|").split("|") if (cell := part.strip()))
    return " ".join(_STRONG.sub(r"\1", _BULLET.sub("", text)).split())


def breadth(text: str) -> int:
    """Return how much room a text takes: a Chinese character, which says as much as a syllable or two, counts twice."""
    return len(text) + len(_WIDE.findall(text))


def cut(text: str, limit: int) -> str:
    """Return `text` with at most `limit` characters, an ellipsis for the rest; no word or figure is cut through."""
    if len(text) <= limit:
        return text
    end, low = limit - 1, max(0, limit - 1 - _WORD_REACH)
    while end > low and _holds_together(text[end - 1]) and _holds_together(text[end]):
        end -= 1
    return text[: end if end > low else limit - 1].rstrip() + "…"


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


def _holds_together(character: str) -> bool:
    return character.isascii() and not character.isspace() and character not in ";()[]|"


def _content(parts: Mapping[str, list[Unit]]) -> list[Unit]:
    """The units that say something: those under content labels; where there are none, what the note left unlabelled."""
    for names in (_CONTENT_LABELS, (_AFTER,)):
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

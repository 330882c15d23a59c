"""How a unit of a note is cited and shown: evidence with its place, its words without marks, shortened where it is long.

Nothing raises; time is linear in the text.
"""

import re
from collections.abc import Iterable

from agent.reading.measures import find_measures
from agent.records import Evidence, Measure
from agent.texts import Note, Unit

# A mark of a list stands apart, or before Chinese; glued to a figure it is its sign, and before a letter an option's.
_BULLET = re.compile(r"^(?:[\s•·]|[-*+–—]{1,3}(?=\s)|[-–—](?=[\u3400-\u9fff])){1,8}")

_STRONG = re.compile(r"\*\*(?=[^\s*])([^*]{1,200})(?<=\S)\*\*")

_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")

_WORD_REACH = 30  # characters that a cut gives up to keep a word whole


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

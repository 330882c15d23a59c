"""The passages of a text without structure, and which of them could hold a finding at all.

A passage is a paragraph, a list item with what stands below it, a row of a table that says something by itself, or the
rows of a table that only together do. It can hold a finding when it reports something: a figure with a unit, a paper, a
version, or a word of announcing beside a name. The rest is not shown to a model, which would make findings of greetings.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from agent.extracting.asides import aside
from agent.reading.identifiers import find_arxiv, find_dois, find_urls
from agent.reading.measures import find_measures
from agent.reading.showing import breadth
from agent.reading.statements import is_nothing_new
from agent.texts import Unit

Passage = tuple[Unit, ...]

_VERSION = re.compile(r"\bv\d{1,3}\.\d{1,3}|\b(?P<name>[A-Z][A-Za-z]{1,30})[- ]\d{1,3}(?:\.\d{1,3}){0,3}\b")
_NAME = re.compile(r"\b[A-Z][a-z]{0,20}[A-Z0-9][A-Za-z0-9]{0,20}\b")
_ANNOUNCED = re.compile(
    r"发布|开源|上线|推出|支持|新增|提出|修复|合并|弃用|收购|宣布|发现"
    r"|\b(?:releas|launch|introduc|announc|open-sourc|propos|support|deprecat|acquir|merg|ship)(?:e|es|ed|p|ped|ping|s|ing)?\b",
    re.IGNORECASE,
)
# A rule or a licence that changes needs no unit: a date or a number will do.
_CHANGED = re.compile(
    r"日起|起(?:改|按|执行|生效|施行)|改为|改成|变了|变更|生效|废止|取消了|放宽|收紧|上调|下调|禁止|不再"
    r"|\b(?:takes? effect|took effect|effective from|as of|from now on|no longer|now (?:requires?|allows?|forbids?)|was (?:adopted|dropped|added|removed)"
    r"|were (?:adopted|dropped|added|removed)|new (?:clause|rule|licen[cs]e|policy|guidance)|final (?:text|version)|adopted)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"我(?!们)|\b(?:I|I'm|I've|my|myself)\b")
_DIGIT = re.compile(r"\d")
_YEAR_FIRST = re.compile(r"\A[\s\-*+•#>]{0,6}(?:\*\*)?(?P<year>(?:19|20)\d{2})(?:\*\*)?\s?(?:[.:：、，,—–|-]|年(?!\d))")
_TIMES = re.compile(r"\d(?:\.\d{1,3})? times\b")
# A line of a log, a transcript or questions and answers begins anew.
_LINE_MARK = re.compile(r"\A(?:[\[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?\s|Q\d{0,3}[:：.]|问[:：])")
_COUNTERS = frozenset("个条篇件次款项家人种位张份") | {
    "items",
    "papers",
    "pages",
    "points",
    "questions",
    "people",
    "minutes",
}
_NO_NAMES = frozenset({
    "For", "In", "On", "At", "By", "To", "Of", "From", "Day", "Step", "Page", "Section", "Table", "Figure", "Week", "Issue", "Part",
    "Chapter", "Item", "Note", "Question", "Version", "About", "Over", "Under", "Only", "The", "And", "Or", "But", "With", "Phase",
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
})  # fmt: skip
_LEFT_OUT = frozenset({"rule", "comment", "front_matter", "heading"})
_TELLING_ROW = 60  # breadth of a row that says something by itself
_TELLING = 120  # breadth of what is said of a paper beside its name, for it to be more than a reading list


def passages(units: Sequence[Unit]) -> tuple[Passage, ...]:
    """Group units into passages, in order; a text of one paragraph is taken apart into its sentences."""
    found: list[list[Unit]] = []
    margin, line_end = 0, _line_end(units)
    for before, unit in pairwise([None, *units]):
        if unit is None or unit.kind in _LEFT_OUT:
            continue
        indent = _indent(before, unit, line_end)
        if found and _goes_on(found[-1], unit, indent - margin):
            found[-1].append(unit)
            continue
        margin = indent
        found.append([unit])
    if len(found) == 1 and all(unit.kind == "sentence" for unit in found[0]):
        found = [[unit] for unit in found[0]]
    return tuple(row for passage in found for row in _rows(tuple(passage)))


def reports_something(passage: Sequence[Unit], *, year: int | None = None) -> bool:
    """Return whether a passage could hold a finding; sentences that are asides are not looked at.

    Args:
        passage: its units.
        year: the note's; what begins with one before the last is history.
    """
    dated = _YEAR_FIRST.match(passage[0].text) if passage else None
    if dated and year and int(dated["year"]) < year - 1:
        return False
    sorts = {unit.number: aside(unit.text) for unit in passage}
    said = [unit for unit in passage if not sorts[unit.number]]
    text = "\n".join(unit.text for unit in said)
    if is_nothing_new(text) or "offer" in sorts.values():  # praise carries the figures around it
        return False
    if _is_personal(passage) and not (find_arxiv(text) or find_urls(text)):
        return False
    if has_figures(said) or _TIMES.search(text) or _names_version(text):
        return True
    if (_ANNOUNCED.search(text) and _NAME.search(text)) or (_CHANGED.search(text) and _DIGIT.search(text)):
        return True
    return bool(find_arxiv(text) or find_dois(text)) and breadth(text) >= _TELLING


def _is_personal(passage: Sequence[Unit]) -> bool:
    """Whether a third of the sentences are about whoever writes: then their figures are of his own day."""
    return 3 * sum(_FIRST_PERSON.search(unit.text) is not None for unit in passage) >= len(passage)


def _names_version(text: str) -> bool:
    return any(found["name"] not in _NO_NAMES for found in _VERSION.finditer(text))


def has_figures(passage: Sequence[Unit]) -> bool:
    """Return whether a passage has a number with a unit that is more than a count of the note's own items."""
    measured = (found.unit for unit in passage if unit.kind != "code" for found in find_measures(unit.text))
    return any(unit and unit not in _COUNTERS for unit in measured)


def _goes_on(passage: Sequence[Unit], unit: Unit, indent: int) -> bool:
    """Whether a unit, indented so much further than a passage, belongs to it."""
    before = passage[-1]
    if _LINE_MARK.match(unit.text) and unit.line > before.line:
        return False
    is_next_line = unit.line <= before.line + before.text.count("\n") + 1
    if unit.kind == "item":
        return passage[0].kind == "item" and is_next_line and indent > 1
    if passage[0].kind == "item":
        return unit.kind in {"sentence", "code"} and is_next_line
    if unit.kind == "row":
        return before.kind == "row" and unit.line <= before.line + 2  # the line between head and body
    return unit.kind == before.kind == "sentence" and is_next_line


def _indent(before: Unit | None, unit: Unit, line_end: int) -> int:
    """Return how far a unit is indented in its line; 0 where that does not show, or something stands before it there."""
    if before is None:
        return max(0, unit.start - (unit.line - 1) * line_end) if unit.number == 1 else 0
    breaks = _breaks(before, unit)
    return max(0, unit.start - before.end - breaks * line_end) if breaks else 0


def _breaks(before: Unit, unit: Unit) -> int:
    """Return how many line ends stand between two neighbours, or 0 where they are none."""
    return unit.line - before.line - before.text.count("\n") if unit.number == before.number + 1 else 0


def _line_end(units: Sequence[Unit]) -> int:
    """Return how many characters end a line: two where every gap between lines has room for them, and one for no more."""
    spare = [
        unit.start - before.end - 2 * breaks for before, unit in pairwise(units) if (breaks := _breaks(before, unit))
    ]
    return 2 if min(spare, default=1) == 0 else 1


def _rows(passage: Passage) -> tuple[Passage, ...]:
    """Take a table apart whose rows say something by themselves; its first row names the columns."""
    if passage[0].kind != "row" or len(passage) < 3:
        return (passage,)
    widths = sorted(breadth(unit.text) for unit in passage[1:])
    if widths[len(widths) // 2] < _TELLING_ROW:
        return (passage,)
    return tuple((unit,) for unit in passage[1:])

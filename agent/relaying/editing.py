"""Finds where something goes in a living document, and puts it there: the hands of `operations` and `apply`.

Promises: pure; every code point outside the span of an edit stays as it is, line ends included; what is put in is made of
whole lines, or takes the place of a row's cells; numbers that are there are never changed.
"""

import difflib
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from agent.reading.documents import sections_numbered
from agent.reading.naming import name_key
from agent.reading.sections import numeral
from agent.reading.showing import plain
from agent.reading.units import heading_parts
from agent.relaying.places import (
    BULLET,
    LINE_END,
    ROW,
    Edit,
    cell_spans,
    inserted,
    is_open,
    line_start,
    line_stop,
    open_lines,
    own_text,
    parting_after,
    place_behind,
    sections_below,
)
from agent.texts import LivingDocument, Section

_RULE_CELL = re.compile(r"\|[ \t:|-]{1,400}\|?\Z")
_NUMBER = re.compile(r"\d{1,4}\Z")
_NUMERALS = re.compile(r"(?P<part>第[ ]?)?(?P<numeral>[一二三四五六七八九十]{1,3})(?P<after>[章节節部篇讲]?)\Z")
_DIGITS = re.compile(r"\d{1,20}")
_MARKS = re.compile(r"(?P<marks>#{1,6}[ \t]{1,4})(?P<more>[^\[<`*_]{0,8})\Z")
_GAP = re.compile(r"[\s.、:：)）]{0,4}")
_ONES = "零一二三四五六七八九"
_BRACKETS = re.compile(r"[()（）]")
_CODE_INDENT = 4
_DEEPEST = 6
_CONTEXT_LINES = 2
_HUNK = re.compile(r"@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@")


@dataclass(frozen=True, slots=True)
class Subsection:
    """Where a new subsection goes, and how its heading is written in the document's own manner.

    Attributes:
        at: the place.
        marks: what stands before the number; `gap` parts the number from the title; `closing` stands behind the title.
        ending: what stands behind the body.
        number: None where the neighbours have none.
        is_shut: the place is inside code or a comment that nothing closes.
    """

    at: int
    marks: str
    number: str | None
    gap: str
    closing: str = ""
    ending: str = ""
    is_shut: bool = False

    @property
    def opening(self) -> str:
        """What stands before the title."""
        return f"{self.marks}{self.number or ''}{self.gap if self.number else ''}"


def line_end_of(text: str) -> str:
    """Return the line end that a text uses most; a line feed where it has none."""
    found = [match.group() for match in LINE_END.finditer(text)]
    return max(("\n", "\r\n", "\r"), key=found.count) if found else "\n"


def applied(text: str, edit: Edit) -> str:
    """Return a text with an edit made, in the text's own line ends."""
    return text[: edit.start] + edit.new.replace("\n", line_end_of(text)) + text[edit.end :]


def appended(document: LivingDocument, section: Section, lines: Sequence[str]) -> Edit | None:
    """Put lines at the end of a section's own text, before its first subsection; None where that is inside open code.

    The first line is an item of the list that the section ends with, else a list of its own behind a blank line. A rule
    that parts the section from the next one stays behind it. Before a heading that is indented, which would become part
    of an item, the lines are paragraphs.
    """
    body = own_text(document, section)
    if is_open(body):
        return None
    place = line_stop(document, section.body + len(body), section.end)
    ending = parting_after(document, place)
    if section.end < len(document.text) and line_start(document, section.end) < section.end:
        return inserted(place, "".join(f"\n\n{line.lstrip(' ').removeprefix('- ')}" for line in lines) + ending)
    like = _last_item(body) if lines[0].startswith("- ") else None
    if like is None:
        return inserted(place, "\n\n" + "\n".join(lines) + ending)
    indent, mark, gap = like
    return inserted(place, gap + "\n".join(_indented(line, indent, mark) for line in lines) + ending)


def subsection_place(document: LivingDocument, section: Section) -> Subsection:
    """Say where a new subsection goes that a note wants at a section, and how it is numbered.

    At a chapter, it goes to the chapter's end, with the number after its last subsection's. At a subsection, it follows
    that one where the next number is free, else the last of its siblings, with the number after theirs. No number is
    ever changed.
    """
    inside = sections_below(document, section)
    return _child(document, section, inside) if _is_chapter(document, section, inside) else _sibling(document, section)


def row_key(name: str) -> tuple[str, ...]:
    """Return what a name and the first cell of its row have in common: its key, and its numbers."""
    return (name_key(plain(name)), *_DIGITS.findall(name))


def row_edit(
    document: LivingDocument, section: Section, figures: Mapping[tuple[str, ...], Mapping[str, str]]
) -> Edit | None:
    """Put figures into the row of a table in a section whose first cell names their subject; None where there is none.

    Args:
        document: the document.
        section: where the table stands.
        figures: by the key of their subject (`row_key`), new cells by the words of their columns' headings, folded; a
            column that is not named keeps what it has.
    """
    head: list[str] = []
    for start, line in open_lines(document, section):
        if not ROW.match(line):
            head = []
        elif not head:
            head = _cells(line)
        elif not _RULE_CELL.match(line.strip()):
            edit = _row(line, start, head, figures)
            if edit is not None:
                return edit
    return None


def row_again(document: LivingDocument, section: Section, old: str, new: str) -> Edit | None:
    """Put a row in the place of another one, wherever that stands in a section now; None where it does no longer."""
    found = (start for start, line in open_lines(document, section) if line == old and ROW.match(line))
    start = next(found, None)
    return None if start is None else Edit(start, start + len(old), new)


def diff(document: LivingDocument, edit: Edit) -> str:
    """Return what an edit changes as a unified diff, without the cost of looking at the whole document."""
    text = document.text
    starts = _line_starts(text)
    above = max(0, bisect_right(starts, edit.start) - 1 - _CONTEXT_LINES)
    below = bisect_right(starts, edit.end) + _CONTEXT_LINES
    first, last = starts[above], starts[below] if below < len(starts) else len(text)
    old = _lines(text[first:last])
    new = _lines(text[first : edit.start] + edit.new.replace("\n", line_end_of(text)) + text[edit.end : last])
    name = document.path
    lines = difflib.unified_diff(old, new, f"a/{name}", f"b/{name}", n=_CONTEXT_LINES, lineterm="")
    return "\n".join(_HUNK.sub(lambda hunk: _moved(hunk, above), line) for line in lines)


# --- lists ----


def _last_item(body: str) -> tuple[str, str, str] | None:
    """Indent and mark of the list that a text ends with, and what parts its items; None where it ends with none."""
    lines = LINE_END.split(body)
    found: tuple[str, str, str] | None = None
    for place in range(len(lines) - 1, -1, -1):
        line = lines[place]
        bullet = BULLET.match(line)
        if bullet and (found is None or len(bullet["indent"]) < len(found[0])):
            gap = "\n" if place == 0 or lines[place - 1].strip() or not _has_items(lines[: place - 1]) else "\n\n"
            found = bullet["indent"], bullet["mark"] or "", gap
        if (found is not None and not found[0]) or (line.strip() and not bullet and not line.startswith((" ", "\t"))):
            break
    return found if found and found[1] and len(found[0].expandtabs(4)) < _CODE_INDENT else None


def _has_items(lines: Sequence[str]) -> bool:
    """Whether lines end with an item or what belongs to one."""
    last = next((line for line in reversed(lines) if line.strip()), "")
    return bool(BULLET.match(last)) or last.startswith((" ", "\t"))


def _indented(line: str, indent: str, mark: str) -> str:
    bare = line.lstrip(" ")
    depth = line[: len(line) - len(bare)]
    return f"{indent}{depth}{mark if bare.startswith('- ') else bare[:1]}{bare[1:]}"


# --- subsections ------------------------------------------------------------------------------------------------------


def _is_chapter(document: LivingDocument, section: Section, inside: Sequence[Section]) -> bool:
    if inside:
        return True
    if section.number and "." in section.number:
        return False
    numbered = [one.level for one in document.sections if one.number]
    return section.level <= min(numbered, default=section.level)


def _siblings(document: LivingDocument, section: Section) -> list[Section]:
    """The sections of one's own level under the same heading, itself among them."""
    place = document.sections.index(section)
    before = takewhile(lambda one: one.level >= section.level, reversed(document.sections[:place]))
    after = takewhile(lambda one: one.level >= section.level, document.sections[place:])
    return [one for one in (*reversed(list(before)), *after) if one.level == section.level]


def _child(document: LivingDocument, section: Section, inside: Sequence[Section]) -> Subsection:
    top = min((one.level for one in inside), default=0)
    children = [one for one in inside if one.level == top]
    last = (inside or [section])[-1]
    numbered = [one for one in children if _value(one.number) is not None]
    if numbered:
        like = max(numbered, key=lambda one: _value(one.number) or 0)
        return _styled(document, like, _next_number(document, like.number or "", children), behind=last)
    if children:
        return _styled(document, children[-1], None, behind=last)
    return _styled(document, section, None, behind=last, deeper=1)


def _sibling(document: LivingDocument, section: Section) -> Subsection:
    siblings = _siblings(document, section)
    last = (sections_below(document, section) or [section])[-1]
    value = _value(section.number)
    if section.number is None or value is None:
        return _styled(document, section, None, behind=last)
    wanted = _with_value(section.number, value + 1)
    if not _is_used(document, wanted, siblings):
        return _styled(document, section, wanted, behind=last)
    last = (sections_below(document, siblings[-1]) or siblings[-1:])[-1]
    return _styled(document, section, _next_number(document, section.number, siblings), behind=last)


def _styled(
    document: LivingDocument, like: Section, number: str | None, *, behind: Section, deeper: int = 0
) -> Subsection:
    """A heading's marks, number and gap, after the manner of one that is there."""
    line = LINE_END.split(document.text[like.start : like.body])[0]
    at = place_behind(document, behind)
    ending, is_shut = parting_after(document, at), is_open(own_text(document, behind))
    place = line.find(like.number) if like.number else -1
    before = line[:place] if place >= 0 else ""
    match = _MARKS.match(before)
    is_marked = any(heading_parts(document.text[one.start : one.body])[0] for one in document.sections)
    if not is_marked:
        strong = "**" if "**" in before or not number else ""
        return Subsection(at, strong, number, _gap(line, like), strong, ending, is_shut)
    marks = match["marks"] if match else "#" * min(_DEEPEST, like.level) + " "
    more = match["more"] if match and number else ""
    marks = "#" * min(deeper, _DEEPEST - marks.count("#")) + marks
    return Subsection(at, marks + more, number, _gap(line, like), "", ending, is_shut)


def _gap(line: str, like: Section) -> str:
    """What parts number and title in a heading."""
    place = line.find(like.number) if like.number else -1
    match = _GAP.match(line, place + len(like.number or "")) if place >= 0 else None
    return (match.group() if match else "") or " "


def _value(number: str | None) -> int | None:
    """The last part of a section number."""
    if found := _NUMBER.search(number or ""):
        return int(found[0])
    return numeral(words["numeral"]) if (words := _NUMERALS.search(number or "")) else None


def _with_value(number: str, value: int) -> str:
    """A section number with another last part, in the same script."""
    if found := _NUMBER.search(number):
        return number[: found.start()] + str(value).zfill(len(found[0]) if found[0].startswith("0") else 0)
    words = _NUMERALS.search(number)
    return number if words is None else number[: words.start("numeral")] + _chinese(value) + words["after"]


def _chinese(value: int) -> str:
    """A number from 1 to 99 in Chinese."""
    tens, ones = divmod(value, 10)
    return ("" if tens < 2 else _ONES[tens]) + ("十" if tens else "") + _ONES[ones].strip("零")


def _is_used(document: LivingDocument, number: str, siblings: Sequence[Section]) -> bool:
    """Whether a number is taken: a whole one ("2.80") in the document, a plain one ("3") among its siblings."""
    if "." in number and sections_numbered(document, number):
        return True
    value = _value(number)
    head = _with_value(number, 0) if value is not None else number
    return any(_value(one.number) == value and _with_value(one.number or "", 0) == head for one in siblings)


def _next_number(document: LivingDocument, like: str, siblings: Sequence[Section]) -> str:
    """The number after the highest one with the same beginning."""
    head = _with_value(like, 0)
    taken = [_value(one.number) or 0 for one in siblings if one.number and _with_value(one.number, 0) == head]
    number = _with_value(like, max(taken, default=0) + 1)
    while _is_used(document, number, siblings):
        number = _with_value(number, (_value(number) or 0) + 1)
    return number


# --- rows -------------------------------------------------------------------------------------------------------------


def _row(
    line: str, start: int, head: Sequence[str], figures: Mapping[tuple[str, ...], Mapping[str, str]]
) -> Edit | None:
    spans = cell_spans(line)
    cells = figures.get(row_key(_cell(line, spans[0]))) if spans and _cell(line, spans[0]) else None
    if not cells:
        return None
    new = line
    for column, span in reversed(list(zip(head, spans, strict=False))[1:]):
        cell = next((cells[key] for key in _column_keys(column) if key in cells), None)
        if cell is not None:
            new = _with_cell(new, span, cell)
    return None if new == line else Edit(start, start + len(line), new)


def _column_keys(column: str) -> list[str]:
    """The words that a column's heading may be known by: all, and those before and in brackets."""
    words = plain(column).casefold()
    return [one for one in (words, *(part.strip() for part in _BRACKETS.split(words))) if one]


def _cells(line: str) -> list[str]:
    return [_cell(line, span) for span in cell_spans(line)]


def _cell(line: str, span: tuple[int, int]) -> str:
    return line[span[0] : span[1]].strip()


def _with_cell(line: str, span: tuple[int, int], cell: str) -> str:
    """The line with another cell, its padding kept."""
    raw = line[span[0] : span[1]]
    if not raw.strip():
        return f"{line[: span[0]]} {cell} {line[span[1] :]}"
    left = span[0] + len(raw) - len(raw.lstrip())
    return line[:left] + cell + line[left + len(raw.strip()) :]


# --- diffs ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)  # a document has many operations
def _line_starts(text: str) -> tuple[int, ...]:
    return (0, *(match.end() for match in LINE_END.finditer(text)))


def _lines(text: str) -> list[str]:
    lines = LINE_END.split(text)
    return lines[:-1] if lines and not lines[-1] else lines


def _moved(hunk: re.Match[str], skipped: int) -> str:
    return f"@@ -{int(hunk[1]) + skipped}{hunk[2] or ''} +{int(hunk[3]) + skipped}{hunk[4] or ''} @@"

"""Finds where something goes in a living document, and puts it there: the hands of `operations` and `apply`.

Promises: pure; every code point outside the span of an edit stays as it is, line ends included; what is put in is made of
whole lines or of one sentence behind a register's last entry; numbers that are there are never changed.
"""

import difflib
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.reading.documents import REGISTER_WORDS, register_entries, sections_numbered
from agent.reading.naming import name_key
from agent.reading.sections import numeral
from agent.reading.showing import plain
from agent.reading.units import split_units
from agent.texts import LivingDocument, RegisterKind, Section

_LINE_END = re.compile(r"\r\n|\n|\r")
_BULLET = re.compile(r"(?P<indent>[ \t]{0,12})(?:(?P<mark>[-*+•·])[ \t]|\d{1,4}[.)、])")
_RULE = re.compile(r"[ \t]{0,3}(?:(?:-[ \t]{0,3}){3,80}|(?:\*[ \t]{0,3}){3,80}|(?:_[ \t]{0,3}){3,80})\Z")
_ROW = re.compile(r"[ \t]{0,3}\|")
_RULE_CELL = re.compile(r"\|[ \t:|-]{1,400}\|?\Z")
_ENTRY_MARKS = re.compile(r"[ \t]{0,12}(?:[-*+•·][ \t]{1,4}|#{1,6}[ \t]{1,4}|>[ \t]{0,4})?[*_`\[(（【]{0,4}")
_AFTER_ENTRY = re.compile(r"[*_`\])）】]{0,4}[ \t]{0,4}[:：.、—–-]{0,2}[*_]{0,2}[ \t]{0,4}")
_ENDED = ("。", "；", ";", ".", "！", "？", "!", "?", "…")
_BLOCK = re.compile(r"[ \t]{0,3}(?:[-*+•·>|#`~]|\d{1,4}[.)、])")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_NUMBER = re.compile(r"\d{1,4}\Z")
_NUMERALS = re.compile(r"(?P<part>第[ ]?)?(?P<numeral>[一二三四五六七八九十]{1,3})(?P<after>[章节節部篇讲]?)\Z")
_DIGITS = re.compile(r"\d{1,20}")
_KIND_NAMES = re.compile("|".join(REGISTER_WORDS.values()), re.IGNORECASE)
_MARKS = re.compile(r"(?P<marks>#{1,6}[ \t]{1,4})(?P<more>[^\[<`*_]{0,8})\Z")
_GAP = re.compile(r"[\s.、:：)）]{0,4}")
_CONTEXT_LINES = 2
_HUNK = re.compile(r"@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@")


@dataclass(frozen=True, slots=True)
class Edit:
    """A span of a document, and what takes its place, with line feeds as line ends."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Subsection:
    """Where a new subsection goes: its heading's marks and number in the document's own manner, and what parts it from the title."""

    at: int
    marks: str
    number: str | None
    gap: str

    @property
    def opening(self) -> str:
        """What stands before the title."""
        return f"{self.marks}{self.number or ''}{self.gap if self.number else ''}"


def line_end_of(text: str) -> str:
    """Return the line end that a text uses most; a line feed where it has none."""
    found = [match.group() for match in _LINE_END.finditer(text)]
    return max(("\n", "\r\n", "\r"), key=found.count) if found else "\n"


def applied(text: str, edit: Edit) -> str:
    """Return a text with an edit made, in the text's own line ends."""
    return text[: edit.start] + edit.new.replace("\n", line_end_of(text)) + text[edit.end :]


def appended(document: LivingDocument, section: Section, lines: Sequence[str]) -> Edit | None:
    """Put lines at the end of a section's own text, before its first subsection; None where that is inside open code.

    The first line is an item of the list that the section ends with, else a list of its own behind a blank line.
    """
    own = document.text[section.body : section.end]
    body = own.rstrip()
    last = _LINE_END.split(body)[-1] if body.strip() else ""
    if _is_code_open(body):
        return None
    bullet = _BULLET.match(last)
    if bullet and bullet["mark"] and lines[0].startswith("- "):
        marked = [_indented(line, bullet["indent"], bullet["mark"]) for line in lines]
        return _at(section.body + len(body), "\n" + "\n".join(marked))
    return _at(section.body + len(body), "\n\n" + "\n".join(lines))


def subsection_place(document: LivingDocument, section: Section) -> Subsection:
    """Say where a new subsection goes that a note wants at a section, and how it is numbered.

    At a chapter, it goes to the chapter's end, with the number after its last subsection's. At a subsection, it follows
    that one where the next number is free, else the last of its siblings, with the number after theirs. No number is
    ever changed.
    """
    inside = _below(document, section)
    if _is_chapter(document, section, inside):
        children = [one for one in inside if one.level == min(each.level for each in inside)]
        return _child(document, section, children, end=(inside or [section])[-1].end)
    siblings = _siblings(document, section)
    return _sibling(document, section, siblings)


def row_edit(document: LivingDocument, section: Section, names: Sequence[str], cells: dict[str, str]) -> Edit | None:
    """Put figures into the row of a table in a section whose first cell names one of `names`; None where there is none.

    Args:
        document: the document.
        section: where the table stands.
        names: keys of names (`agent.reading.naming.name_key`).
        cells: new cells by the words of their columns' headings, folded; columns that are not named keep theirs.
    """
    start = section.body
    head: list[str] = []
    for line in document.text[section.body : section.end].splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        if not _ROW.match(bare):
            head = []
        elif not head:
            head = _cells(bare)
        elif not _RULE_CELL.match(bare.strip()):
            edit = _row(bare, start, head, names, cells)
            if edit is not None:
                return edit
        start += len(line)
    return None


def register_edit(document: LivingDocument, kind: RegisterKind, number: int, text: str) -> Edit | None:
    """Put a register entry behind the last one of its kind, in the same form; None where the document has no such register."""
    entries = [entry for entry in register_entries(document) if entry[0] == kind]
    if not entries:
        return None
    _, last, at = max(entries, key=lambda entry: (entry[1], entry[2]))
    line_start = max(document.text.rfind("\n", 0, at), document.text.rfind("\r", 0, at)) + 1
    match = _LINE_END.search(document.text, at)
    line_end = match.start() if match else len(document.text)
    line = document.text[line_start:line_end]
    before, label = line[: at - line_start], f"{kind}{number}"
    if _ROW.match(line):
        width = max(1, len(_cells(line)))
        return _at(line_end, "\n| " + " | ".join([label, text, *[""] * (width - 2)][:width]) + " |")
    if _ENTRY_MARKS.fullmatch(before):
        after = _AFTER_ENTRY.match(line, at - line_start + len(f"{kind}{last}"))
        gap = (after.group() if after else "") or " "
        return _at(_item_end(document, line_end), f"\n{before}{label}{gap}{text}")
    body = line.rstrip()
    stop = "" if body.endswith(("。", "；", ";")) else "；" if _CHINESE.search(body) else ";"
    return _at(line_start + len(body), f"{stop} {label} {text}")


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


# --- subsections ------------------------------------------------------------------------------------------------------


def _below(document: LivingDocument, section: Section) -> list[Section]:
    """The sections below one, in their order."""
    later = document.sections[document.sections.index(section) + 1 :]
    found = []
    for one in later:
        if one.level <= section.level:
            break
        found.append(one)
    return found


def _is_chapter(document: LivingDocument, section: Section, inside: Sequence[Section]) -> bool:
    if inside:
        return True
    if section.number and "." in section.number:
        return False
    numbered = [one.level for one in document.sections if one.number]
    return section.level <= min(numbered, default=section.level)


def _siblings(document: LivingDocument, section: Section) -> list[Section]:
    """The sections of one's own level under the same headings, itself among them."""
    return [one for one in document.sections if one.level == section.level and one.path == section.path]


def _child(document: LivingDocument, section: Section, children: Sequence[Section], *, end: int) -> Subsection:
    at = _before_blank(document.text, end)
    numbered = [one for one in children if one.number and _NUMBER.search(one.number)]
    if numbered:
        last = max(numbered, key=lambda one: int(_NUMBER.search(one.number or "0")[0]))  # type: ignore[index]
        return Subsection(at, *_style(document, last, _next_number(last.number or "", children)))
    if children:
        return Subsection(at, *_style(document, children[-1], None))
    return Subsection(at, "#" * min(6, section.level + 1) + " ", None, "")


def _sibling(document: LivingDocument, section: Section, siblings: Sequence[Section]) -> Subsection:
    inside = _below(document, section)
    end = (inside or [section])[-1].end
    if not section.number or not _NUMBER.search(section.number):
        return Subsection(_before_blank(document.text, end), *_style(document, section, None))
    wanted = _plus_one(section.number)
    taken = {one.number for one in siblings}
    if wanted not in taken:
        return Subsection(_before_blank(document.text, end), *_style(document, section, wanted))
    last = siblings[-1]
    end = (_below(document, last) or [last])[-1].end
    return Subsection(
        _before_blank(document.text, end), *_style(document, section, _next_number(section.number, siblings))
    )


def _style(document: LivingDocument, like: Section, number: str | None) -> tuple[str, str | None, str]:
    """A heading's marks, number and gap, after the manner of one that is there."""
    raw = document.text[like.start : like.body]
    line = _LINE_END.split(raw)[0]
    at = line.find(like.number) if like.number else -1
    if at < 0:
        marks = "#" * like.level + " " if line.lstrip().startswith("#") or not number else ""
        return marks or "#" * like.level + " ", number, " "
    gap = re.match(r"[\s.、:：)）]{0,4}", line[at + len(like.number or "") :])
    return line[:at], number, (gap.group() if gap else "") or " "


def _plus_one(number: str) -> str:
    found = _NUMBER.search(number)
    return number[: found.start()] + str(int(found[0]) + 1) if found else number


def _next_number(like: str, siblings: Sequence[Section]) -> str:
    """The number after the highest that has the same beginning."""
    found = _NUMBER.search(like)
    head = like[: found.start()] if found else like
    highest = [
        int(tail)
        for one in siblings
        if one.number and one.number.startswith(head) and (tail := one.number[len(head) :]).isdigit() and len(tail) < 5
    ]
    return f"{head}{max(highest, default=0) + 1}"


# --- rows, entries, lines ---------------------------------------------------------------------------------------------


def _row(line: str, start: int, head: Sequence[str], names: Sequence[str], cells: dict[str, str]) -> Edit | None:
    old = _cells(line)
    if not old or name_key(old[0]) not in names:
        return None
    new = [cells.get(column.casefold().strip(), cell) for column, cell in zip(head, old, strict=False)]
    if new == old[: len(new)]:
        return None
    written = "| " + " | ".join([*new, *old[len(new) :]]) + " |"
    return Edit(start, start + len(line), written)


def _cells(line: str) -> list[str]:
    inner = line.strip().strip("|")
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", inner)]


def _item_end(document: LivingDocument, line_end: int) -> int:
    """Where an entry ends that may go on in indented lines."""
    text, end = document.text, line_end
    while match := _LINE_END.match(text, end):
        following = _LINE_END.search(text, match.end())
        stop = following.start() if following else len(text)
        line = text[match.end() : stop]
        if not line.strip() or not line.startswith((" ", "\t")):
            break
        end = stop
    return end


def _is_code_open(text: str) -> bool:
    """Whether a text ends inside fenced code."""
    fence = ""
    for line in _LINE_END.split(text):
        match = _FENCE.match(line)
        if not match:
            continue
        if not fence:
            fence = match["fence"]
        elif match["fence"][0] == fence[0] and len(match["fence"]) >= len(fence) and not line[match.end() :].strip():
            fence = ""
    return bool(fence)


def _indented(line: str, indent: str, mark: str) -> str:
    bare = line.lstrip(" ")
    depth = line[: len(line) - len(bare)]
    return f"{indent}{depth}{mark if bare.startswith('- ') else bare[:1]}{bare[1:]}"


def _before_blank(text: str, end: int) -> int:
    """The place behind the last text before an offset."""
    return len(text[:end].rstrip())


def _at(place: int, new: str) -> Edit:
    return Edit(place, place, new)


@lru_cache(maxsize=16)  # a document has many operations
def _line_starts(text: str) -> tuple[int, ...]:
    return (0, *(match.end() for match in _LINE_END.finditer(text)))


def _lines(text: str) -> list[str]:
    lines = _LINE_END.split(text)
    return lines[:-1] if lines and not lines[-1] else lines


def _moved(hunk: re.Match[str], skipped: int) -> str:
    return f"@@ -{int(hunk[1]) + skipped}{hunk[2] or ''} +{int(hunk[3]) + skipped}{hunk[4] or ''} @@"

"""Knows its way about in the text of a living document: ends of lines and sections, code, lists' marks, cells of tables.

Promises: pure; offsets are code points into the document's text; what is code or a comment is seen as the parser of
documents sees it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, takewhile

from agent.reading.units import split_units
from agent.texts import LivingDocument, Section

LINE_END = re.compile(r"\r\n|\n|\r")
BULLET = re.compile(r"(?P<indent>[ \t]{0,12})(?:(?P<mark>[-*+•·])[ \t]|\d{1,4}[.)、])")
ROW = re.compile(r"[ \t]{0,3}\|")
BAR = re.compile(r"(?<!\\)\|")
_FENCE = re.compile(r"[ \t]{0,3}(?P<fence>`{3,200}|~{3,200})")
_RULE = re.compile(r"[ \t]{0,3}(?:(?:-[ \t]{0,3}){3,80}|(?:\*[ \t]{0,3}){3,80}|(?:_[ \t]{0,3}){3,80})\Z")


@dataclass(frozen=True, slots=True)
class Edit:
    """A span of a document, and what takes its place, with line feeds as line ends."""

    start: int
    end: int
    new: str


def own_text(document: LivingDocument, section: Section) -> str:
    """Return a section's text before its first subsection, without white space and rules at its end."""
    body = document.text[section.body : section.end].rstrip()
    while body and _RULE.match(last := LINE_END.split(body)[-1]):
        above = LINE_END.split(body)[-2:-1]
        if last.lstrip().startswith("-") and above and above[0].strip():
            break  # it underlines a heading
        body = body[: len(body) - len(last)].rstrip()
    return body


def line_start(document: LivingDocument, place: int) -> int:
    """Return the beginning of the line that a place is in."""
    return max(document.text.rfind("\n", 0, place), document.text.rfind("\r", 0, place)) + 1


def line_stop(document: LivingDocument, place: int, end: int) -> int:
    """Return the end of the line that a place is in, behind white space; at most `end`."""
    match = LINE_END.search(document.text, place, end)
    return match.start() if match else end


def place_behind(document: LivingDocument, section: Section) -> int:
    """Return where something goes that is to stand behind a section."""
    return line_stop(document, section.body + len(own_text(document, section)), section.end)


def parting_after(document: LivingDocument, place: int) -> str:
    """Return the line end that something needs behind it which is put in at the end of a line.

    A heading without marks at its front, or a rule, would be one with the line above it.
    """
    match = LINE_END.match(document.text, place)
    line = document.text[match.end() : line_stop(document, match.end(), len(document.text))] if match else ""
    return "\n" if line.strip() and not line.startswith("#") else ""


def is_open(body: str) -> bool:
    """Tell whether what follows a text would be part of code or of a comment in it, for our parser or a stricter one."""
    last = split_units(f"\n{body}\n\nprobe")[-1]
    if last.kind in {"code", "comment", "front_matter"} or _has_open_fence(body):
        return True
    return body.rfind("<!--") > body.rfind("-->") and split_units(f"\n{body}")[-1].kind == "comment"


def _has_open_fence(body: str) -> bool:
    fence = ""
    for line in LINE_END.split(body):
        match = _FENCE.match(line)
        if match is None:
            continue
        found, rest = match["fence"], line[match.end() :]
        if not fence:
            fence = "" if found[0] == "`" and "`" in rest else found
        elif found.startswith(fence) and not rest.strip():
            fence = ""
    return bool(fence)


@lru_cache(maxsize=64)  # a section has many operations
def _shut_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where code and comments stand in the text of a section."""
    kinds = {"code", "comment", "front_matter"}
    return tuple((unit.start - 1, unit.end - 1) for unit in split_units(f"\n{text}") if unit.kind in kinds)


def open_lines(document: LivingDocument, section: Section) -> Iterator[tuple[int, str]]:
    """Yield the lines of a section outside code, with their offsets, without their ends; those in code are empty."""
    text, start = document.text, section.body
    spans = _shut_spans(text[section.body : section.end])
    while start < section.end:
        match = LINE_END.search(text, start, section.end)
        stop, following = (match.start(), match.end()) if match else (section.end, section.end)
        at = start - section.body
        is_shut = any(begin < at + max(1, stop - start) and at < end for begin, end in spans)
        yield start, "" if is_shut else text[start:stop]
        start = following


def is_shut(document: LivingDocument, at: int) -> bool:
    """Tell whether a place is inside code or a comment."""
    section = section_at(document, at)
    start, end = (section.start, section.end) if section else (0, len(document.text))
    if section is None and document.sections:
        end = document.sections[0].start
    return any(begin <= at - start < stop for begin, stop in _shut_spans(document.text[start:end]))


def section_at(document: LivingDocument, at: int) -> Section | None:
    """Return the section that a place is in; None before the first one."""
    place = bisect_right([one.start for one in document.sections], at) - 1
    return document.sections[place] if place >= 0 else None


def inserted(place: int, new: str) -> Edit:
    """Return the edit that puts something in at a place."""
    return Edit(place, place, new)


def sections_below(document: LivingDocument, section: Section) -> list[Section]:
    """Return the sections below one, in their order."""
    later = document.sections[document.sections.index(section) + 1 :]
    return list(takewhile(lambda one: one.level > section.level, later))


def cell_spans(line: str) -> list[tuple[int, int]]:
    """Return where the cells of a table's row stand, padding included; the row begins with a bar."""
    bars = [match.start() for match in BAR.finditer(line)]
    edges = bars if not line[bars[-1] + 1 :].strip() else [*bars, len(line)]
    return [(left + 1, right) for left, right in pairwise(edges)]

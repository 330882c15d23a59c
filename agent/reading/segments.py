"""Groups the units of a note into segments: what stands under one heading, and what it is for.

Headings are found with or without their marks; where a heading is lost, the note's own labels show where the next entry
begins. Promises: every unit is in exactly one segment, in order; an increment's segment runs to the next heading that is not
a part of it; nothing raises; time is linear in the units.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from agent.reading.headings import INNER_WORDS, Heading, read_heading, without_decoration
from agent.reading.pieces import NUMBERED
from agent.texts import Role, Segment, Unit

# What a note says last of an increment, and first of the next one.
CLOSING_LABELS = (
    "建议归入", "建议归位", "建议归属", "归入建议", "建议落点", "建议位置", "建议放置", "Suggested placement", "Proposed placement", "Placement",
    "Suggested section", "Where it belongs", "File under",
)  # fmt: skip
SOURCE_LABELS = ("来源", "信源", "出处", "Sources?")
# The same of a claim to verify.
VERIFY_CLOSING_LABELS = (
    "核实建议", "核验建议", "验证建议", "建议核实", "建议核验", "复核建议", "Suggested check", "How to verify", "How to check", "Suggestion",
    "Verification",
)  # fmt: skip
ENTRY_LABELS = (
    *SOURCE_LABELS,
    *VERIFY_CLOSING_LABELS,
    "问题",
    "疑点",
    "说法",
    "现象",
    "影响",
    "Question",
    "Claim",
    "Problem",
    "Concern",
)

_LONGEST_LOST = 120  # a line without marks that is longer is no heading
_LONGEST_TITLE = 120
_NEAR = 60  # how many units further a second item is looked for
_LONG_HEAD = 1_200  # a head longer than this, in a note without increments, holds what the note says
_ENTRIES: frozenset[Role] = frozenset({"increment", "warning", "to_verify"})
_LISTS: frozenset[Role] = frozenset({"leads", "arxiv_list", "checked"})
_SILENT = frozenset({"front_matter", "comment", "rule"})
_IMAGE = re.compile(r"!\[[^\[\]]{0,200}\]\([^()]{0,1000}\)|\[\]\([^()]{0,1000}\)|\s")

_OPENING = r"\A[\s•·\-*+>]{{0,8}}(?:[^\w\s]\ufe0f? ?)?(?:\*\*|__)?(?=[{starts}])(?:{words})(?: ?[（(][^（()）]{{0,20}}[)）])?(?:\*\*|__)? ?[：:]"


def _at_start(labels: Sequence[str]) -> re.Pattern[str]:
    starts = "".join(dict.fromkeys(label[0] for label in labels))
    return re.compile(_OPENING.format(starts=starts, words="|".join(labels)), re.IGNORECASE)


_SOURCE, _CLOSING, _VERIFY_CLOSING, _ENTRY_LABEL = map(
    _at_start, (SOURCE_LABELS, CLOSING_LABELS, VERIFY_CLOSING_LABELS, ENTRY_LABELS)
)
_WITHIN = re.compile(rf"\A(?:⚠\ufe0f? ?)?(?:{'|'.join(NUMBERED)}) ?\d{{1,3}}")
_CLOSINGS: dict[Role, re.Pattern[str]] = {"increment": _CLOSING, "to_verify": _VERIFY_CLOSING}
_MARK = re.compile(r"\A(?:(?P<number>\d{1,3})[.)、]|(?P<bullet>[^\w\s])|[（(](?P<inner>\d{1,3})[)）])")


def split_segments(units: Sequence[Unit]) -> tuple[Segment, ...]:
    """Group the units of one note, in their order."""
    if not units:
        return ()
    headings = _Headings(units).found
    openings = _Walk(units, headings).openings
    return tuple(_numbered(units, _settled(units, openings)))


@dataclass(slots=True)
class _Opening:
    """Where a segment begins, and what it is."""

    first: int
    role: Role
    heading: int | None = None
    title: str = ""
    ordinal: int | None = None
    path: tuple[str, ...] = ()
    is_missing: bool = False
    is_verify_section: bool = False
    is_abstract: bool = False


class _Headings:
    """The headings among some units, by position."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._units = units
        self.found: dict[int, Heading] = {}
        for position, unit in enumerate(units):
            heading = self._read(position, unit)
            if heading:
                self.found[position] = heading
        self._level_lost_entries()
        self._drop_overviews()
        self._number_announced()

    def _read(self, position: int, unit: Unit) -> Heading | None:
        if unit.kind == "heading":
            return read_heading(unit)
        if unit.kind != "sentence" or len(unit.text) > _LONGEST_LOST:
            return None
        if not self._stands_alone(position):
            return self._read_within(position, unit)
        heading = read_heading(unit)
        if heading.kind == "plain" or (heading.kind == "to_verify" and not self._has_label_below(position)):
            return None
        return heading

    def _read_within(self, position: int, unit: Unit) -> Heading | None:
        """Read an entry that begins in the middle of a line, where the line ends are lost."""
        if not _WITHIN.match(unit.text) or not self._has_label_below(position):
            return None
        heading = read_heading(unit)
        return replace(heading, is_within=True) if heading.kind in _ENTRIES else None

    def _stands_alone(self, position: int) -> bool:
        unit = self._units[position]
        before = self._units[position - 1] if position else None
        after = self._units[position + 1] if position + 1 < len(self._units) else None
        return (before is None or _last_line(before) < unit.line) and (after is None or after.line > _last_line(unit))

    def _has_label_below(self, position: int) -> bool:
        return position + 1 < len(self._units) and _ENTRY_LABEL.match(self._units[position + 1].text) is not None

    def _level_lost_entries(self) -> None:
        """Entries that lost their marks stand where their marked siblings do."""
        marked = [heading.level for heading in self.found.values() if heading.is_marked and heading.kind == "increment"]
        if marked:
            for position, heading in self.found.items():
                if not heading.is_marked and heading.kind in _ENTRIES:
                    self.found[position] = replace(heading, level=min(marked))

    def _drop_overviews(self) -> None:
        """An entry named in a summary or a list, and opened elsewhere, is only named there."""
        scopes: dict[int, Heading | None] = {}
        scope: Heading | None = None
        for position, heading in self.found.items():
            if heading.kind in _ENTRIES:
                scopes[position] = scope if scope and not (heading.is_marked and heading.level <= scope.level) else None
            elif heading.kind != "plain" or (heading.is_marked and scope and heading.level <= scope.level):
                scope = heading if heading.kind == "section" else None
        opened = {
            (heading.word, heading.ordinal)
            for position, heading in self.found.items()
            if heading.kind in _ENTRIES and scopes.get(position) is None and not heading.is_within
        }
        for position, within in scopes.items():
            heading = self.found[position]
            if heading.is_within and (heading.word, heading.ordinal) in opened:
                del self.found[position]
                continue
            if within is None or heading.kind != "increment":
                continue
            is_listed = within.role in _LISTS and heading.word not in {"增量", "increment"}
            if is_listed or (heading.word, heading.ordinal) in opened:
                del self.found[position]

    def _number_announced(self) -> None:
        """Below an announcement that has no entries, its numbered headings (or, if it is sure, all direct ones) are increments."""
        positions = list(self.found)
        for index, position in enumerate(positions):
            if self.found[position].kind != "announcement":
                continue
            level, below = self.found[position].level, []
            for other in positions[index + 1 :]:
                heading = self.found[other]
                if heading.kind != "plain" or heading.level <= level:
                    break
                below.append(other)
            else:
                other = -1
            if other >= 0 and below == [] and self.found[other].kind in _ENTRIES:
                continue
            self._promote(below, is_sure=self.found[position].is_sure)

    def _promote(self, below: Sequence[int], *, is_sure: bool) -> None:
        numbered = [position for position in below if self.found[position].number is not None]
        chosen = numbered or (
            list(below) if is_sure and all(self.found[position].is_marked for position in below) else []
        )
        level = min((self.found[position].level for position in chosen), default=0)
        for position in chosen:
            heading = self.found[position]
            if heading.level == level and heading.title.casefold() not in INNER_WORDS:
                self.found[position] = replace(heading, kind="increment", ordinal=heading.number)


@dataclass(slots=True)
class _Scope:
    """What the walk is in: the segment last opened, and what it has seen of it."""

    role: Role = "body"
    level: int = 0
    is_marked: bool = False
    kind: str = "plain"
    is_sure: bool = False
    is_closed: bool = False
    mark: str = ""
    indent: int = 0
    items: int = field(default=0)


class _Walk:
    """Goes through the units once and notes where segments begin."""

    def __init__(self, units: Sequence[Unit], headings: dict[int, Heading]) -> None:
        self._units, self._headings = units, headings
        self._eol = _line_end_length(units)
        self._path: list[tuple[int, str, str]] = []  # level, words and kind
        self._scope = _Scope()
        self._section = _Scope()  # the last section that may hold entries without a heading
        self.openings: list[_Opening] = []
        title = self._title_position()
        for position in range(len(units)):
            heading = headings.get(position)
            if position == title and heading:
                self._open_title(position, heading)
            elif heading:
                self._meet_heading(position, heading)
            else:
                self._meet_text(position)

    def _title_position(self) -> int:
        """Return the position of the note's title, or -1: the first thing said, and not the only heading."""
        first = next((position for position, unit in enumerate(self._units) if not _is_silent(unit)), -1)
        heading = self._headings.get(first)
        if heading is None or len(self._headings) < 2 or heading.kind in _ENTRIES:
            return -1
        is_only_top = sum(other.level == 1 for other in self._headings.values()) == 1
        if heading.is_marked:
            return first if heading.level == 1 and (heading.kind == "plain" or is_only_top) else -1
        return first if heading.kind == "plain" else -1

    def _open_title(self, position: int, heading: Heading) -> None:
        self._path = [(1, heading.words, "plain")]
        self._scope = _Scope("head", 1, heading.is_marked)
        self.openings = [_Opening(0, "head", position, heading.title, path=(heading.words,))]

    def _meet_heading(self, position: int, heading: Heading) -> None:
        if heading.kind == "plain" and self._is_part(heading):
            return
        roles: dict[str, Role] = {"increment": "increment", "warning": "warning", "to_verify": "to_verify"}
        role = roles.get(heading.kind) or (heading.role if heading.kind == "section" and heading.role else "body")
        is_entry = heading.kind in {"increment", "warning"} and not heading.is_marked
        self._leave(heading.level, is_entry=is_entry)
        self._path.append((heading.level, heading.words, heading.kind))
        self._scope = _Scope(role, heading.level, heading.is_marked, heading.kind, heading.is_sure)
        if heading.kind in {"verify_section", "announcement"}:
            self._section = self._scope
        elif heading.kind not in _ENTRIES:
            self._section = _Scope()
        opening = _Opening(
            position, role, position, heading.title, heading.ordinal, tuple(words for _, words, _ in self._path)
        )
        opening.is_verify_section = heading.kind == "verify_section"
        opening.is_abstract = role == "summary" and not heading.is_sure
        self.openings.append(opening)

    def _leave(self, level: int, *, is_entry: bool) -> None:
        """Climb out of what is as deep as `level`; an entry without marks stands in no summary or list."""
        while self._path and (self._path[-1][0] >= level or (is_entry and self._path[-1][2] == "section")):
            self._path.pop()

    def _is_part(self, heading: Heading) -> bool:
        """Whether a heading that says nothing of its role belongs to the segment it stands in."""
        scope = self._scope
        if scope.role in {"body", "head"}:
            return False
        if heading.title.casefold().strip("：: ") in INNER_WORDS:
            return True
        if heading.is_marked and scope.is_marked:
            return heading.level > scope.level
        if heading.is_marked:
            return heading.level > 2 and heading.level > scope.level
        if scope.is_marked:
            return True
        return heading.level > 2 and not (scope.role == "increment" and scope.is_closed)

    def _meet_text(self, position: int) -> None:
        unit, scope = self._units[position], self._scope
        if not self.openings:
            if unit.kind in _SILENT and position + 1 < len(self._units):
                self.openings.append(_Opening(0, "head"))
                return
            self.openings.append(_Opening(0, "head"))
        text = unit.text
        if unit.kind != "code" and _SOURCE.match(text):
            self._meet_source(position)
        elif unit.kind == "item" and self._is_entry(position):
            self._open_item(position)
        elif scope.role in _CLOSINGS and _CLOSINGS[scope.role].match(text):
            scope.is_closed = True

    def _meet_source(self, position: int) -> None:
        """A source after what ends an entry, or with no entry open, begins an entry whose heading is lost."""
        scope = self._scope
        is_next = scope.role in {"increment", "to_verify"} and scope.is_closed
        is_first = scope is self._section and scope.kind in {"verify_section", "announcement"} and not scope.items
        if not (is_next or is_first):
            return
        role: Role = scope.role if is_next else ("to_verify" if scope.kind == "verify_section" else "increment")
        level = scope.level if is_next else scope.level + 1
        self._leave(level, is_entry=False)
        self._scope = _Scope(role, level, scope.is_marked)
        self.openings.append(_Opening(position, role, path=tuple(words for _, words, _ in self._path), is_missing=True))

    def _is_entry(self, position: int) -> bool:
        """Whether an item is an entry of a section of claims, or a numbered one of a section of increments."""
        section, text = self._section, self._units[position].text
        is_here = self._scope is section or (self._scope.kind == "item" and section.items > 0)
        match = _MARK.match(text) if is_here and not _ENTRY_LABEL.match(text) else None
        if match is None:
            return False
        number = match["number"] or match["inner"]
        if section.kind == "announcement" and section.is_sure:
            return number is not None and int(number) == section.items + 1 and self._has_sibling(position, section)
        is_like_first = not section.items or (
            section.mark == ((number and "1") or match["bullet"]) and self._indent(position) <= section.indent + 1
        )
        return section.kind == "verify_section" and is_like_first

    def _has_sibling(self, position: int, section: _Scope) -> bool:
        """One numbered item alone is no list of increments."""
        if section.items:
            return True
        for other in range(position + 1, min(len(self._units), position + _NEAR)):
            if other in self._headings:
                return False
            match = _MARK.match(self._units[other].text)
            if match and (match["number"] or match["inner"]) == "2":
                return True
        return False

    def _open_item(self, position: int) -> None:
        section, text = self._section, self._units[position].text
        match = _MARK.match(text)
        number = (match["number"] or match["inner"]) if match else None
        if not section.items and match:
            section.mark = "1" if number else str(match["bullet"])
            section.indent = self._indent(position)
        section.items += 1
        role: Role = "to_verify" if section.kind == "verify_section" else "increment"
        self._scope = _Scope(role, section.level + 1, section.is_marked, "item")
        path = tuple(words for level, words, _ in self._path if level <= section.level)
        said = text[match.end() if match else 0 :]
        self.openings.append(_Opening(position, role, None, _claim(said), int(number) if number else None, path))

    def _indent(self, position: int) -> int:
        """Return how far an item is indented, as the white space before it shows."""
        if not position:
            return 0
        before, unit = self._units[position - 1], self._units[position]
        breaks = unit.line - _last_line(before)
        return unit.start - before.end - breaks * self._eol if breaks else 0


def _settled(units: Sequence[Unit], openings: list[_Opening]) -> list[_Opening]:
    """Decide the roles that depend on the whole note."""
    has_increments = any(opening.role in {"increment", "warning"} for opening in openings)
    has_headings = any(opening.heading is not None or opening.is_missing for opening in openings)
    ends = [*(opening.first for opening in openings[1:]), len(units)]
    settled: list[_Opening] = []
    for index, (opening, end) in enumerate(zip(openings, ends, strict=True)):
        inside = range(opening.first, end)
        if opening.is_abstract and not has_increments:
            opening.role = "body"
        if opening.is_verify_section:
            has_text = any(units[n].kind not in _SILENT for n in inside if n != opening.heading)
            follows = any(other.role == "to_verify" for other in openings[index + 1 : index + 2])
            opening.role = "to_verify" if has_text and not follows else "body"
        settled.append(opening)
        if opening.role != "head":
            continue
        first_text = (opening.heading if opening.heading is not None else opening.first - 1) + 1
        length = units[end - 1].end - units[first_text].start if first_text < end else 0
        if not has_headings:
            opening.role = "body"
        elif length > _LONG_HEAD and not has_increments:
            if first_text == opening.first:
                opening.role = "body"
            else:
                settled.append(_Opening(first_text, "body", path=opening.path))
    return settled


def _numbered(units: Sequence[Unit], openings: Sequence[_Opening]) -> Iterator[Segment]:
    ends = [*(opening.first for opening in openings[1:]), len(units)]
    for number, (opening, end) in enumerate(zip(openings, ends, strict=True), start=1):
        yield Segment(
            number=number,
            role=opening.role,
            units=tuple(units[opening.first : end]),
            heading_path=opening.path,
            heading=None if opening.heading is None else units[opening.heading],
            title=opening.title,
            ordinal=opening.ordinal,
            is_heading_missing=opening.is_missing,
        )


def _is_silent(unit: Unit) -> bool:
    """Whether a unit says nothing: front matter, a comment, marks, images."""
    return unit.kind in _SILENT or (unit.text.startswith(("!", "[!")) and not _IMAGE.sub("", _IMAGE.sub("", unit.text)))


def _claim(text: str) -> str:
    """Return what an item says, short enough for a title."""
    words = " ".join(without_decoration(text.replace("**", "")).split())
    return words if len(words) <= _LONGEST_TITLE else words[: _LONGEST_TITLE - 1] + "…"


def _last_line(unit: Unit) -> int:
    if not ("\n" in unit.text or "\r" in unit.text):
        return unit.line
    return unit.line + unit.text.count("\n") + unit.text.count("\r") - unit.text.count("\r\n")


def _line_end_length(units: Sequence[Unit]) -> int:
    """Return 2 where every line end takes two characters, as CRLF does."""
    for before, unit in pairwise(units):
        breaks = unit.line - _last_line(before)
        if breaks and unit.start - before.end < 2 * breaks:
            return 1
    return 2

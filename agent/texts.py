"""The texts that we read, taken apart: a note with its units and segments, a living document with its sections.

Everything here is frozen and knows neither disk nor network. Offsets are code points into the decoded text, half open.
"""

import datetime as dt
from dataclasses import dataclass, field
from typing import Literal

DOCUMENTS = "organized/knowledge"  # the folder of the living documents, below the workspace

RegisterKind = Literal["C", "D", "O", "T"]


UnitKind = Literal["heading", "sentence", "item", "row", "code", "rule", "comment", "front_matter"]


Role = Literal[
    "head",  # title, author, what the note is about
    "summary",  # the note's own overview of its increments
    "increment",  # one increment, bounded by its heading or by the note's structure
    "leads",  # worth keeping, not an increment
    "to_verify",  # one claim that somebody should check
    "warning",  # about the relay itself: a missing baton, a rhythm
    "arxiv_list",  # table or list of arXiv identifiers
    "checked",  # what the note says it has read
    "conclusion",
    "body",  # nothing in the note says what it is
]


@dataclass(frozen=True, slots=True)
class Note:
    """One Markdown file in an inbox, decoded.

    Attributes:
        path: relative to the workspace, with forward slashes; the note's identity.
        agent: name of the inbox folder.
        text: decoded content without byte-order mark, nothing else changed.
        date: day the note belongs to.
        date_source: where the date comes from.
        sha256: of the bytes on disk.
        encoding: what the bytes were decoded with.
        remarks: what a reader should know about the file, one sentence each.
    """

    path: str
    agent: str
    text: str
    date: dt.date
    date_source: Literal["name", "modified", "given"] = "name"
    time: dt.time | None = None
    slug: str = ""
    sha256: str = ""
    encoding: str = "utf-8"
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """The smallest span of a note that can be cited.

    Attributes:
        number: 1-based within the note; this is what a model cites.
        start, end: offsets into the note's text, half open.
        text: exactly `note.text[start:end]`.
        line: 1-based line in which the unit starts.
    """

    number: int
    start: int
    end: int
    text: str
    kind: UnitKind
    line: int


@dataclass(frozen=True, slots=True)
class Segment:
    """Consecutive units under one heading.

    Attributes:
        number: 1-based within the note.
        heading_path: headings above, outermost first, without marks; the segment's own heading is the last one.
        heading: the unit that is the heading, or None where the note lost it.
        title: what the heading says without mark, number and brackets; empty where it is missing.
        ordinal: the number that the note gave it ("增量 3" is 3), or None.
        is_heading_missing: the note's structure shows that a heading once stood here.
    """

    number: int
    role: Role
    units: tuple[Unit, ...]
    heading_path: tuple[str, ...] = ()
    heading: Unit | None = None
    title: str = ""
    ordinal: int | None = None
    is_heading_missing: bool = False

    @property
    def start(self) -> int:
        """Offset of the first unit."""
        return self.units[0].start

    @property
    def end(self) -> int:
        """Offset after the last unit."""
        return self.units[-1].end


@dataclass(frozen=True, slots=True)
class Section:
    """One section of a living document.

    Attributes:
        number: as written without the section sign ("2.79", "9.2", "四"), or None.
        path: the headings above it, outermost first, without marks.
        content: the text under the heading, down to the next heading.
        line: 1-based line of the heading.
        start, body, end: offsets of the heading, of what follows it, and of the next heading.
    """

    number: str | None
    heading: str
    path: tuple[str, ...]
    content: str
    line: int
    level: int
    start: int = 0
    body: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class LivingDocument:
    """A living document, taken apart.

    Attributes:
        name: file name, "inference.md".
        topic: its stem.
        updated: what its own update line says, else the file's date.
        registers: highest number in use per register kind.
        letters: what the document writes before the numbers of a kind, where it is not the kind's own letter.
    """

    name: str
    topic: str
    text: str
    sections: tuple[Section, ...]
    updated: dt.date | None
    sha256: str
    registers: dict[RegisterKind, int] = field(default_factory=dict)
    letters: dict[RegisterKind, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """Where it lies in the workspace."""
        return f"{DOCUMENTS}/{self.name}"

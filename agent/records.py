"""The values that we keep: what a note, an extraction and a digest are (the JSON contract).

Everything here is frozen and knows neither disk nor network. Offsets are code points into the decoded text of the note,
half open, and `text[start:end] == quote` always holds. Classes derived from `Record` are the JSON contract; their JSON
Schemas are exported to `schemas/`.
"""

import datetime as dt
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer

SCHEMA_VERSION = 1

Stars = Annotated[int, Field(ge=1, le=5)]
Language = Literal["zh", "en"]
Engine = Literal["remote", "local", "none"]
Relation = Literal["new", "extends", "known", "contradicts"]
Action = Literal["append", "new_subsection", "replace_row", "register"]
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
Outcome = Literal[
    "extracted",  # at least one increment
    "nothing_new",  # read to the end, no increment
    "partly_failed",  # some segments could not be extracted
    "failed",  # no segment could be extracted
    "not_tried",  # the run stopped before
    "empty",
    "unreadable",
    "not_text",
    "too_large",
    "not_followed",  # a link, or no regular file
    "being_written",
    "gone",
    "own",  # a digest or handoff of ours
    "ignored",  # an editor's or a synchroniser's leftover
]
NoIncrementReason = Literal[
    "says_so",  # the note says itself that nothing in it is new
    "about_the_relay",  # it is about the relay, not about knowledge
    "nothing_reported",  # no passage has a figure, a paper, a version or an announcement
    "nothing_marked",  # the model saw passages that report something, and marked none
    "nothing_bounded",  # nothing in it bounds an increment, and no model was asked
]
ContradictionKind = Literal[
    "value", "unit", "arithmetic", "conditions", "version", "role", "novelty", "rating", "source", "identifier", "count",
    "register", "coverage",
]  # fmt: skip


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


class Record(BaseModel):
    """What is written to JSON: frozen, and unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", serialize_by_alias=True, validate_by_name=True)


class Evidence(Record):
    """A unit of a note, cited: `quote` is the note's text from `start` to `end`."""

    note: str
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]
    quote: str
    line: Annotated[int, Field(ge=1)]


class Measure(Record):
    """A number with its meaning; `unit` is written as in the note, empty for a bare count."""

    value: float
    comparator: str
    unit: str
    metric: str
    subject: str
    version: str | None = None
    baseline: str | None = None
    conditions: dict[str, str] = Field(default_factory=dict)
    evidence: Evidence


class Source(Record):
    """What a finding rests on: `note` is a workspace path when a cited note was found."""

    label: str
    note: str | None = None
    url: str | None = None
    arxiv: str | None = None
    resolved: bool


class Credibility(Record):
    """How far a finding can be trusted: `stars` by the rubric, `stated` by the note."""

    stars: Stars
    stated: Stars | None = None
    basis: str
    reason: str
    cautions: tuple[str, ...] = ()


class Placement(Record):
    """Where a finding belongs; `section` is the number as the document writes it, else the heading."""

    document: str
    section: str
    heading: str | None = None
    action: Action
    reason: str
    proposed_by: Literal["note", "model", "code"]
    exists: bool


class Standing(Record):
    """A line of a living document that a finding touches: `quote` opens the line, `line` is its 1-based place."""

    document: str
    section: str
    line: Annotated[int, Field(ge=1)]
    quote: str


class Register(Record):
    """An entry proposed for a living document's consensus (C), dispute (D), open question (O) or trend (T) list."""

    kind: RegisterKind
    number: int
    text: str


class Point(Record):
    """One statement of a finding, in the note's words, with the unit it stands in."""

    text: str
    evidence: Evidence


class Increment(Record):
    """One new piece of knowledge, from one note or merged from several."""

    id: str
    title: str
    summary: str
    points: tuple[Point, ...]
    evidence: tuple[Evidence, ...]
    arxiv_ids: tuple[str, ...] = ()
    credibility: Credibility
    sources: tuple[Source, ...] = ()
    notes: tuple[str, ...]
    agents: tuple[str, ...]
    origins: Annotated[int, Field(ge=1)] = 1
    placements: tuple[Placement, ...] = ()
    relation: Relation
    relation_reason: str = ""
    standing: tuple[Standing, ...] = ()
    registers: tuple[Register, ...] = Field(default=(), alias="register")  # pydantic's own metaclass has a `register`
    measures: tuple[Measure, ...] = ()
    priority: int | None = None


class Lead(Record):
    """Worth keeping, not an increment."""

    text: str
    source: str = ""
    evidence: tuple[Evidence, ...]
    arxiv_ids: tuple[str, ...] = ()


class ToVerify(Record):
    """A claim that somebody should check."""

    claim: str
    question: str
    suggestion: str
    evidence: tuple[Evidence, ...]
    found_by: str = "note"


class Side(Evidence):
    """One side of a contradiction."""

    says: str


class Contradiction(Record):
    """Two statements that cannot both stand."""

    id: str
    kind: ContradictionKind
    statement: str
    sides: tuple[Side, ...]
    found_by: str
    severity: Literal["low", "medium", "high"]


class ArxivMention(Record):
    """An arXiv identifier without its version; `stock` when a living document or a paper card already has it."""

    id: str
    versions: tuple[int, ...] = ()
    title: str | None = None
    status: Literal["new", "stock"]
    notes: tuple[str, ...]
    remarks: tuple[str, ...] = ()


class AgentDeed(Record):
    """What a note says of a relay agent: that nothing came from it, that it noted something, or that it delivered."""

    agent: str
    deed: Literal["missing", "noted", "delivered"]
    evidence: Evidence


class SegmentFailure(Record):
    """A segment that no model reply could be had for; its plain-code findings are kept."""

    start: int
    end: int
    line: int
    reason: str
    detail: str


class Usage(Record):
    """What the replies behind a result cost, whenever they were paid for; `cached_tokens` are part of `prompt_tokens`."""

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    is_estimated: bool = False

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            is_estimated=self.is_estimated or other.is_estimated,
        )


class Cost(Record):
    """What a usage costs at the configured prices: `amount` is exact, a decimal number in a string."""

    amount: Annotated[Decimal, PlainSerializer(lambda amount: f"{amount.normalize():f}", return_type=str)]
    currency: str


class Extraction(Record):
    """What one note contains."""

    schema_version: int = SCHEMA_VERSION
    note: str
    agent: str
    date: dt.date
    topic: str | None = None
    sha256: str
    engine: Engine
    model: str | None = None
    prompts: dict[str, str] = Field(default_factory=dict)
    increments: tuple[Increment, ...] = ()
    leads: tuple[Lead, ...] = ()
    to_verify: tuple[ToVerify, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    arxiv: tuple[ArxivMention, ...] = ()
    sources: tuple[Source, ...] = ()
    said_of_agents: tuple[AgentDeed, ...] = ()
    segments_failed: tuple[SegmentFailure, ...] = ()
    dropped: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    no_increment_because: NoIncrementReason | None = None
    usage: Usage = Usage()
    cost: Cost | None = None


class CheckedNote(Record):
    """A note that was looked at, with what came of it and what the replies about it cost."""

    note: str
    agent: str
    date: dt.date | None = None
    outcome: Outcome
    increments: int = 0
    no_increment_because: NoIncrementReason | None = None
    detail: str = ""
    usage: Usage = Usage()
    cost: Cost | None = None


class Baseline(Record):
    """A living document as it stood when the digest was made."""

    document: str
    updated: dt.date | None = None
    sha256: str


class MissedBaton(Record):
    """A baton that `agent.toml` plans for the day and that no note answers."""

    agent: str
    topic: str | None = None
    slot: str | None = None


class StaleDocument(Record):
    """A living document that was not updated for longer than the workspace allows."""

    document: str
    updated: dt.date | None
    days: int | None


class Coverage(Record):
    """What was expected, and what came."""

    notes: int
    agents: tuple[str, ...] = ()
    missed: tuple[MissedBaton, ...] = ()
    stale: tuple[StaleDocument, ...] = ()


class Window(Record):
    """The days that a digest covers, both included."""

    start: dt.date
    end: dt.date


class Digest(Record):
    """The result for one topic and day."""

    schema_version: int = SCHEMA_VERSION
    topic: str | None = None
    date: dt.date
    window: Window
    timezone: str
    language: Language
    agent: str
    engine: Engine
    model: str | None = None
    prompts: dict[str, str] = Field(default_factory=dict)
    baseline: tuple[Baseline, ...] = ()
    increments: tuple[Increment, ...] = ()
    leads: tuple[Lead, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    to_verify: tuple[ToVerify, ...] = ()
    arxiv: tuple[ArxivMention, ...] = ()
    checked: tuple[CheckedNote, ...] = ()
    coverage: Coverage
    conclusion: str
    usage: Usage = Usage()
    cost: Cost | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """One section of a living document.

    Attributes:
        number: as written without the section sign ("2.79", "9.2", "四"), or None.
        path: the headings above it, outermost first, without marks.
        content: the text under the heading, down to the next heading.
        line: 1-based line of the heading.
    """

    number: str | None
    heading: str
    path: tuple[str, ...]
    content: str
    line: int
    level: int


@dataclass(frozen=True, slots=True)
class LivingDocument:
    """A living document, taken apart.

    Attributes:
        name: file name, "inference.md".
        topic: its stem.
        updated: what its own update line says, else the file's date.
        registers: highest number in use per register kind.
    """

    name: str
    topic: str
    text: str
    sections: tuple[Section, ...]
    updated: dt.date | None
    sha256: str
    registers: dict[RegisterKind, int] = field(default_factory=dict)

"""The values that we keep: what an extraction and a digest are (the JSON contract).

Everything here is frozen and knows neither disk nor network. Offsets are code points into the decoded text of the note,
half open, and `text[start:end] == quote` always holds. The JSON Schemas of all records are exported to `schemas/`.
"""

import datetime as dt
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer

from agent.batons import Coverage
from agent.record import Record
from agent.texts import RegisterKind

SCHEMA_VERSION = 1

Stars = Annotated[int, Field(ge=1, le=5)]
Language = Literal["zh", "en"]
Engine = Literal["remote", "local", "none"]
Relation = Literal["new", "extends", "known", "contradicts"]
Action = Literal["append", "new_subsection", "replace_row", "register"]
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
Severity = Literal["low", "medium", "high"]
ContradictionKind = Literal[
    "value", "unit", "arithmetic", "conditions", "version", "role", "novelty", "rating", "source", "identifier", "count",
    "register", "coverage",
]  # fmt: skip
ClaimKind = Literal[
    "measure",  # a number with its meaning
    "role",  # what two named things are to each other, or what each of them is
    "version",  # the newest version of a product
    "novelty",  # whether a paper is new or stock
    "register",  # the number taken for a register entry
    "absence",  # that a relay agent delivered nothing
]
Stance = Literal[
    "held",  # the note says so itself
    "reported",  # it says that somebody says so
    "rejected",  # it says that this is wrong
    "asked",  # it asks, plans or supposes
]
Descended = Literal[
    "cites",  # the one names the other's note
    "paper",  # both rest on one arXiv ID
    "page",  # both name one address
    "release",  # both tell of one version of one product, and neither measured it
    "file",  # both cite one file that nobody can find
    "wording",  # both carry the same long sentence
    "slip",  # both carry the same rare mistake
    "repeats",  # one agent wrote both
    "retells",  # it names nothing to rest on, and did not measure
]
Tie = Literal["complements", "contradicts"]


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
    """An entry proposed for a living document's consensus (C), dispute (D), open question (O) or trend (T) list.

    `stated` is the number that the note took, where `number` is another one because that was taken already. `letter` is what
    the document, else the note, writes before the number, where that is not `kind`.
    """

    kind: RegisterKind
    number: int
    text: str
    stated: int | None = None
    document: str | None = None
    letter: str | None = None


class Point(Record):
    """One statement of a finding, in the note's words, with the unit it stands in; `also` are other places that say the same."""

    text: str
    evidence: Evidence
    also: tuple[Evidence, ...] = ()


class Origin(Record):
    """Where knowledge first came from: a paper, a page, a release, or a note that rests on nothing that others name.

    `label` is an arXiv ID, an address, a product with its version, or a workspace path; `notes` are those that rest on it.
    """

    kind: Literal["paper", "page", "release", "note"]
    label: str
    notes: tuple[str, ...]


class Descent(Record):
    """One edge of a lineage: `note` rests on `on`, another note's path, an arXiv ID, an address, a release or a file's name.

    `on` is empty where the note retells what nobody names.
    """

    note: str
    on: str
    how: Descended


class Lineage(Record):
    """How the notes behind one finding come from its origins: the graph that the number of origins is counted in."""

    origins: tuple[Origin, ...]
    edges: tuple[Descent, ...] = ()


class Link(Record):
    """Another increment that was kept apart though it is about the same thing; `because` says what keeps them apart."""

    increment: str
    tie: Tie
    because: str


class SeenBefore(Record):
    """An earlier digest that had this finding already; `changed` names what is otherwise now, one phrase each."""

    date: dt.date
    title: str
    changed: tuple[str, ...] = ()


class Correction(Record):
    """What an agent said before it corrected itself.

    Attributes:
        note: the note that said it.
        changed: what is otherwise now, one phrase each.
        evidence: the sentences that no longer stand.
    """

    note: str
    changed: tuple[str, ...]
    evidence: tuple[Evidence, ...] = ()


class Claim(Record):
    """What a note states of one thing, taken apart so that another statement can be held against it.

    Attributes:
        subject: key of what it is about, the same in every spelling and language; two things are joined by "+".
        attribute: key of what is said of it.
        value: what it is said to be, as it is compared.
        says: the claim for people, in the note's words.
        measure: the number with its meaning, of a claim that is one.
    """

    kind: ClaimKind
    subject: str
    attribute: str
    value: str
    stance: Stance = "held"
    says: str
    measure: Measure | None = None
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
    lineage: Lineage | None = None
    placements: tuple[Placement, ...] = ()
    relation: Relation
    relation_reason: str = ""
    standing: tuple[Standing, ...] = ()
    registers: tuple[Register, ...] = Field(default=(), alias="register")  # pydantic's own metaclass has a `register`
    measures: tuple[Measure, ...] = ()
    priority: int | None = None
    links: tuple[Link, ...] = ()
    seen: SeenBefore | None = None
    corrected: tuple[Correction, ...] = ()


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
    """Statements that cannot all stand.

    Attributes:
        id: a fingerprint of what is disputed, the same on every day and in whatever order the notes are read.
        sides: each side with what it says; of a side that several places take, the first.
        settle: what would settle it.
        also_affects: further places that take one of the sides.
        increments: ids of the digest's increments that one of the places belongs to.
        found_by: the rule's name, or "model".
        since: day of the earliest digest that raised it, where that is not this one.
    """

    id: str
    kind: ContradictionKind
    statement: str
    sides: tuple[Side, ...]
    settle: str = ""
    also_affects: tuple[Evidence, ...] = ()
    increments: tuple[str, ...] = ()
    found_by: str
    severity: Severity
    since: dt.date | None = None


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
    """What one note contains; `opening` is the unit in which it says who wrote it, else its first one."""

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
    claims: tuple[Claim, ...] = ()
    opening: Evidence | None = None
    arxiv: tuple[ArxivMention, ...] = ()
    sources: tuple[Source, ...] = ()
    said_of_agents: tuple[AgentDeed, ...] = ()
    segments_failed: tuple[SegmentFailure, ...] = ()
    dropped: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    no_increment_because: NoIncrementReason | None = None
    usage: Usage = Usage()
    cost: Cost | None = None


class Reconciliation(Record):
    """What all notes say together.

    Attributes:
        increments: merged findings.
        prompts, usage: of the pairs of findings that a model was asked about.
        remarks: what a reader should know, such as pairs that it could not be asked about.
    """

    increments: tuple[Increment, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    to_verify: tuple[ToVerify, ...] = ()
    prompts: dict[str, str] = Field(default_factory=dict)
    usage: Usage = Usage()
    remarks: tuple[str, ...] = ()


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
    remarks: tuple[str, ...] = ()
    usage: Usage = Usage()
    cost: Cost | None = None

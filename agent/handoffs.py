"""The records of the handoff: what the evening's agent or person finds, and what a run or a look at the relay reports.

Offsets are code points into a living document, decoded, without byte-order mark. Slots are written "18:30".
"""

import datetime as dt
from typing import Annotated, Literal

from pydantic import Field

from agent.batons import Coverage
from agent.record import Record
from agent.records import Action, Contradiction, Engine, Evidence, Increment, Language, Register, ToVerify, Usage
from agent.texts import RegisterKind

HANDOFF_VERSION = 1

RunState = Literal[
    "done",
    "nothing_due",
    "busy",  # another run holds the relay
    "failed",
]
TurnState = Literal[
    "done",
    "caught_up",  # missed, and covered by a later run
    "running",
    "failed",  # a run was tried and failed; the next one tries again
    "due",
    "waiting",  # its slot has not come
]


class Operation(Record):
    """One change of one living document, offered and never made by itself.

    Attributes:
        id: a fingerprint of what is to be done where, the same in every handoff that offers it.
        increment: id of the finding; `title` is its title.
        document: file name of the living document; `sha256` is of its bytes as they were when this was made.
        section: number as the document writes it, else the heading; `heading` is its heading.
        start, end: the span that `new` takes the place of; equal for an insertion.
        old: the document's text between them.
        text: what is put in, before it takes the document's own manner: list items, a title with a body, an entry's text.
        new: the Markdown to put there, its lines parted by line feeds whatever the document's own line ends are.
        register_entry: the entry that is taken, for one of action "register".
        number: the number of a new subsection, as it is written in its heading; None where its neighbours have none.
        reason: why it goes there, in the words of the note or the model that placed it.
        because: what a note says that justifies it.
        diff: what changes, as a unified diff of this operation alone.
        problem: why it cannot be applied as it is; empty where it can.
    """

    id: str
    increment: str
    title: str
    document: str
    sha256: str
    action: Action
    section: str
    heading: str | None = None
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]
    old: str = ""
    text: str
    new: str
    register_entry: Register | None = None
    number: str | None = None
    reason: str = ""
    because: Evidence
    diff: str
    problem: str = ""


class NextRegister(Record):
    """Register numbers of one kind in one living document: the highest in use, those offered now, the next one free."""

    document: str
    kind: RegisterKind
    taken: int
    offered: tuple[int, ...] = ()
    next: int


class Turn(Record):
    """One own baton: the digest of a topic (None: all topics) that is due on a day at a slot."""

    topic: str | None = None
    date: dt.date
    slot: str


class Brief(Record):
    """A digest that was written into the own inbox."""

    note: str
    topic: str | None = None
    sha256: str


class Handoff(Record):
    """What the evening baton gets.

    Attributes:
        slot: of the own baton that it was made for.
        caught_up: turns that were missed before and that this one covers.
        queue: path of the work queue that was written.
        increments: findings, in the digest's order.
        unplaced: ids of those that no living document is named for.
        next_registers: the register numbers, by document and kind.
    """

    schema_version: int = HANDOFF_VERSION
    date: dt.date
    slot: str
    timezone: str
    language: Language
    agent: str
    engine: Engine
    model: str | None = None
    caught_up: tuple[Turn, ...] = ()
    briefs: tuple[Brief, ...] = ()
    queue: str = ""
    increments: tuple[Increment, ...] = ()
    operations: tuple[Operation, ...] = ()
    unplaced: tuple[str, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    to_verify: tuple[ToVerify, ...] = ()
    coverage: Coverage
    next_registers: tuple[NextRegister, ...] = ()
    failed: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    usage: Usage = Usage()


class RelaySummary(Record):
    """What one `agent relay run` did, as the one line that it prints; `paths` are those that it wrote.

    Attributes:
        state: what came of the run.
        turns: the own batons that it ran; `caught_up` those that it covered besides.
        next_due: when the next own baton is due.
        exit_status: what the command exits with.
    """

    state: RunState
    date: dt.date | None = None
    slot: str | None = None
    turns: tuple[Turn, ...] = ()
    caught_up: tuple[Turn, ...] = ()
    paths: tuple[str, ...] = ()
    increments: int = 0
    operations: int = 0
    contradictions: int = 0
    to_verify: int = 0
    missed: int = 0
    stale: int = 0
    failed_notes: int = 0
    calls: int = 0
    next_due: dt.datetime | None = None
    detail: str = ""
    exit_status: int = 0


class TurnStatus(Record):
    """An own baton with what came of it; `at` is when it is due, `finished` when it was done."""

    turn: Turn
    state: TurnState
    at: dt.datetime
    finished: dt.datetime | None = None
    detail: str = ""


class RelayStatus(Record):
    """How the relay stands now.

    Attributes:
        own: the own batons since the last one done, with those of the day.
        coverage: what was expected from the others on the day, and what came so far.
        amiss: what is not as it should be, one sentence each; empty when all is well.
        remarks: what a reader should know besides.
    """

    now: dt.datetime
    date: dt.date
    timezone: str
    agent: str
    own: tuple[TurnStatus, ...]
    next_due: dt.datetime | None
    coverage: Coverage
    amiss: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class Change(Record):
    """What one `agent apply` did to one living document, as its log keeps it.

    Attributes:
        number: counts the changes of a workspace from 1.
        operations: ids of what was applied together.
        before, after: SHA-256 of the document's bytes.
        is_undone: it was taken back since.
    """

    number: int
    at: dt.datetime
    document: str
    operations: tuple[str, ...]
    before: str
    after: str
    is_undone: bool = False


class Refusal(Record):
    """An operation that was not applied, and why."""

    operation: str
    document: str
    why: str


class Applied(Record):
    """What came of an `agent apply`: changes made or taken back, and operations refused."""

    changes: tuple[Change, ...] = ()
    refused: tuple[Refusal, ...] = ()
    remarks: tuple[str, ...] = ()

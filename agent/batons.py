"""The records of the relay's turns: which batons were expected, what came of each, and how the agents keep their rhythm.

Nothing arriving is data too. Slots are times of day in the workspace's time zone, written "18:30".
"""

import datetime as dt
from typing import Annotated, Literal

from pydantic import Field

from agent.record import Record

PlanSource = Literal[
    "given",  # `agent.toml` plans batons, or names the agents that are expected
    "derived",  # the inbox's history shows a rhythm
    "none",  # neither
]
BatonState = Literal[
    "arrived",
    "late",  # it came, later after its slot than a baton may
    "empty",  # a file came, with nothing in it
    "unread",  # a file came that could not be read
    "missing",
    "waiting",  # its slot has not come yet, or its time to be late is not over
]
RhythmState = Literal[
    "steady",
    "falling_back",  # it came each time, and lately comes less
    "silent",  # nothing comes lately
    "recovered",  # it had fallen back or was silent, and comes again
    "unknown",  # too few days to tell
]


class BatonOutcome(Record):
    """What came of one expected baton of a day.

    Attributes:
        slot: its time of day; None where any will do.
        notes: paths of the notes that answer it, the first one first.
        duplicates: further notes that answer it too, or that are copies of one that does.
        minutes_late: how long after its slot it came; None where its name tells no time.
    """

    agent: str
    topic: str | None = None
    slot: str | None = None
    state: BatonState
    notes: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()
    minutes_late: Annotated[int, Field(ge=0)] | None = None


class MissedBaton(Record):
    """A baton that was expected on the day and that no note answers."""

    agent: str
    topic: str | None = None
    slot: str | None = None


class StaleDocument(Record):
    """A living document that was not updated for longer than the workspace allows."""

    document: str
    updated: dt.date | None
    days: int | None


class DocumentAge(Record):
    """A living document, with the days since its last update; both None where nothing tells it."""

    document: str
    updated: dt.date | None
    days: int | None


class AgentCount(Record):
    """What came from one agent in the days looked at."""

    agent: str
    notes: int
    increments: int
    unread: int = 0


class DayCount(Record):
    """How many batons of an agent were expected on a day, and how many came."""

    date: dt.date
    expected: int
    came: int


class Rhythm(Record):
    """How an agent kept its turns over the last days, the earliest first."""

    agent: str
    state: RhythmState
    days: tuple[DayCount, ...]


class SaidMissing(Record):
    """A note says that another agent delivered nothing; `is_true` tells whether that holds, `notes` what is there.

    `start` and `end` are code points into the note that says so; `quote` is its text between them.
    """

    note: str
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]
    quote: str
    line: Annotated[int, Field(ge=1)]
    agent: str
    is_true: bool
    notes: tuple[str, ...] = ()


class Coverage(Record):
    """What was expected, and what came.

    Attributes:
        notes: how many notes came on all days looked at.
        agents: whose they are.
        plan: where the expectations come from.
        batons: what came of each expected baton of the day.
        missed: those of them that no note answers.
        unplanned: paths of notes of the day that answer no baton, where `agent.toml` plans them; an agent that owes a
            note of any kind may bring more of them.
        stale: living documents that have gone stale.
        documents: all living documents by the days since their last update, the oldest first.
        counts: what came from each agent.
        rhythm: of each agent that is expected or came.
        said_missing: what notes say about other agents' absence, checked.
    """

    notes: int
    agents: tuple[str, ...] = ()
    plan: PlanSource = "none"
    batons: tuple[BatonOutcome, ...] = ()
    missed: tuple[MissedBaton, ...] = ()
    unplanned: tuple[str, ...] = ()
    stale: tuple[StaleDocument, ...] = ()
    documents: tuple[DocumentAge, ...] = ()
    counts: tuple[AgentCount, ...] = ()
    rhythm: tuple[Rhythm, ...] = ()
    said_missing: tuple[SaidMissing, ...] = ()

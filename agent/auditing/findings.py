"""What an audit finds: what a brief says, whether it holds, and what stands in the workspace instead."""

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from typing import Literal

from agent.record import Record
from agent.records import SCHEMA_VERSION, Evidence, Language, Window

FindingKind = Literal[
    "identifier",  # an arXiv ID
    "figure",  # a number with its unit
    "statement",  # a sentence taken over from another text
    "quote",  # what is presented as somebody's words
    "source",  # a note or living document that is cited
    "count",  # an announced number of things
    "ratio",  # a ratio or change with the two numbers beside it
    "coverage",  # what an agent delivered
    "contradiction",  # statements that cannot all stand
]
Verdict = Literal[
    "holds",
    "false",
    "unsupported",  # nothing that could be looked up bears it out
    "questionable",  # somebody must look
]

KINDS: tuple[FindingKind, ...] = (
    "identifier", "figure", "statement", "quote", "source", "count", "ratio", "coverage", "contradiction",
)  # fmt: skip
VERDICTS: tuple[Verdict, ...] = ("false", "unsupported", "questionable", "holds")


class Finding(Record):
    """One thing that a brief says.

    Attributes:
        says: the identifier, figure, passage or name, in the brief's words.
        place: where the brief says so.
        found: what stands in the workspace: what bears it out, what stands there instead, or the other side.
        because: why it does not hold, one sentence; empty where it does.
        advice: what to do, one sentence; empty where it holds.
        found_by: the rule's name.
    """

    kind: FindingKind
    verdict: Verdict
    says: str
    place: Evidence
    found: tuple[Evidence, ...] = ()
    because: str = ""
    advice: str = ""
    found_by: str


class Tally(Record):
    """How many findings of a kind came to which verdict."""

    kind: FindingKind
    holds: int = 0
    false: int = 0
    unsupported: int = 0
    questionable: int = 0


class Audit(Record):
    """A brief, held against a workspace; `notes` and `documents` are what it was held against."""

    schema_version: int = SCHEMA_VERSION
    brief: str
    agent: str
    date: dt.date
    sha256: str
    language: Language
    window: Window | None = None
    notes: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    tallies: tuple[Tally, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def is_false(self) -> bool:
        """Whether something in the brief is false."""
        return any(one.verdict == "false" for one in self.findings)


def tallied(findings: Iterable[Finding]) -> tuple[Tally, ...]:
    """Count findings by kind and verdict; kinds without any are left out."""
    counted: dict[FindingKind, Counter[Verdict]] = {kind: Counter() for kind in KINDS}
    for one in findings:
        counted[one.kind][one.verdict] += 1
    return tuple(
        Tally(kind=kind, **{str(name): n for name, n in each.items()}) for kind, each in counted.items() if each
    )


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sort findings: the worst verdicts first, then as they stand in the brief; what is said twice of one place is said once."""
    kept: dict[tuple[object, ...], Finding] = {}
    for one in findings:
        kept.setdefault((one.kind, one.verdict, one.says, one.place.start, one.because), one)
    return tuple(
        sorted(
            kept.values(),
            key=lambda one: (VERDICTS.index(one.verdict), one.place.start, KINDS.index(one.kind), one.says),
        )
    )

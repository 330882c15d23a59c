"""Statements that cannot all stand, before they are put into words; and what a rule sees of one text.

Rules are plain code. Each takes a `Hand` and yields claims or disputes; `raising` makes contradictions of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agent.records import Claim, ContradictionKind, Evidence, Severity
from agent.texts import LivingDocument, Note, Segment

Rule = Literal[
    "value",  # one subject, metric and condition, other numbers
    "value-conditions",  # other numbers, but nobody can say whether under the same conditions: a question
    "figure-for-several",  # one exact figure given for several things
    "unit",  # one number with two units
    "ratio",  # a stated ratio that its two numbers do not give
    "table-conditions",  # a table that mixes conditions
    "ranked-across",  # things compared, each under a condition of its own: a question
    "newest-version",
    "which-version",  # a fix, a removal or a requirement said of two versions
    "two-identifiers",  # of one paper
    "roles-swapped",  # two things take each other's part
    "order-swapped",  # who is ahead of whom
    "novelty",  # new here, stock there
    "rating-undermined",  # by the note's own caution
    "source-name",  # one file cited under two names
    "identifier-after-note",  # its month lies after the note
    "count",  # an announced count that the text does not keep
    "register-taken",  # one number, two entries
    "register-used",  # the living document has that number already
    "said-missing",  # though it is there
    "denied",  # one says it, the other denies it
    "model",  # seen by a model, both sides verified
]


@dataclass(frozen=True, slots=True)
class Hand:
    """One text in hand: a note, or a living document read as if it were one, with what it may be held against.

    Attributes:
        segments: the whole text, taken apart.
        findings: those segments that bound an increment each, whoever bounded them.
        agents: names of the inbox folders.
        note_paths: all notes of the workspace.
        is_document: whether it is a living document; then `note.path` is the document's path and `note.agent` is empty.
    """

    note: Note
    segments: tuple[Segment, ...]
    findings: tuple[Segment, ...] = ()
    topic: str | None = None
    agents: tuple[str, ...] = ()
    note_paths: tuple[str, ...] = ()
    documents: tuple[LivingDocument, ...] = ()
    is_document: bool = False


@dataclass(frozen=True, slots=True)
class Stated:
    """One side of a dispute: what it says, in few words, and where."""

    says: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Dispute:
    """Statements that cannot all stand.

    Attributes:
        about: what is disputed, for people ("vLLM", "arXiv:2603.20397").
        key: what makes it the same dispute on another day and in another order: folded names and values, no places.
        sides: at least one; what several places say alike is one side.
        details: further words of the rule's sentence, by their names in `phrases`.
        is_question: nobody can tell yet whether they disagree; it becomes a claim to verify.
    """

    rule: Rule
    kind: ContradictionKind
    about: str
    key: tuple[str, ...]
    sides: tuple[Stated, ...]
    severity: Severity = "medium"
    details: Mapping[str, str] = field(default_factory=dict)
    is_question: bool = False


def as_stated(claim: Claim) -> Stated:
    """Return a claim as a side."""
    return Stated(claim.says, claim.evidence)

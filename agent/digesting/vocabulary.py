"""What a digest says in fixed texts: one field for each, which every language fills in."""

from dataclasses import dataclass
from typing import NamedTuple

from agent.records import Action, ContradictionKind, Engine, NoIncrementReason, Outcome, Relation, Tie
from agent.texts import RegisterKind


class Count(NamedTuple):
    """A number with its noun; `{n}` is the number."""

    one: str
    many: str

    def __call__(self, number: int) -> str:
        """Return the text for this number."""
        return (self.one if number == 1 else self.many).format(n=number)


@dataclass(frozen=True, slots=True)
class Words:
    """The fixed texts of one language, in the order of a digest."""

    colon: str
    comma: str  # between names
    clause: str  # between statements
    semicolon: str
    space: str  # between two sentences
    in_brackets: str
    none: str

    no_model: str
    title_topic: str
    title_all: str
    window: str
    window_value: str
    made_by: str
    engines: dict[Engine, str]
    agents: str
    baseline: str
    updated: str
    not_dated: str

    summary: str
    seen_same: str
    seen_changed: str
    details: str
    seen_on: str
    seen_titled: str
    seen_unchanged: str
    corrected: str
    said_before: str
    also_said: str
    kept_apart: str
    ties: dict[Tie, str]
    apart_by: dict[str, str]  # what keeps two findings apart, by what the matcher calls it
    stars: str
    stated: str
    basis: str
    reason: str
    cautions: str
    lineage: str
    origins: Count
    sources: str
    not_found: str
    arxiv: str
    points: str
    quotes: str
    relation: str
    relations: dict[Relation, str]
    standing: str
    placements: str
    actions: dict[Action, str]
    proposers: dict[str, str]
    section_missing: str
    registers: str
    register_kinds: dict[RegisterKind, str]
    register_stated: str

    leads: str
    contradictions: str
    contradiction: str
    contradiction_anchor: str  # what a heading of that text is linked by
    kinds: dict[ContradictionKind, str]
    severities: dict[str, str]
    settle: str
    also_affects: str
    concerns: str
    open_since: str
    to_verify: str
    question: str
    suggestion: str
    found_by_rule: str
    found_by_model: str

    arxiv_list: str
    arxiv_columns: tuple[str, str, str, str, str]
    statuses: dict[str, str]
    checked: str
    outcomes: dict[Outcome, str]
    because: dict[NoIncrementReason, str]
    coverage: str
    nothing_missed: str
    missed: str
    stale: str
    stale_since: str
    usually: str
    usually_at: str
    baton_states: dict[str, str]
    minutes_late: str
    rhythms: dict[str, str]
    wrongly_missing: str
    missing_then: str
    no_plan: str
    nothing_stale: str
    conclusion: str
    cost: str
    cost_value: str
    cost_cached: str
    cost_none: str
    estimated: str

    notes: Count
    increments: Count
    agents_counted: Count
    days: Count
    calls: Count
    concluded: str
    concluded_nothing: str
    confirmed: Count
    unchanged: Count
    first_to_read: str
    new_papers: Count
    left_open: str
    claims: Count
    contradictions_counted: Count
    unread: Count
    gaps: str
    batons: Count
    documents: Count

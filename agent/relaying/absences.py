"""Holds what notes say about other agents' absence against what is there.

Promises: pure; a saying counts as wrong only where a contradiction was raised about it, so that digest and coverage agree.
"""

from collections.abc import Iterable, Sequence

from agent.batons import SaidMissing
from agent.records import AgentDeed, Contradiction, Evidence


def said_missing(deeds: Iterable[AgentDeed], contradictions: Sequence[Contradiction]) -> tuple[SaidMissing, ...]:
    """Return what notes say about agents that delivered nothing, each with whether it holds.

    Args:
        deeds: what notes say of agents.
        contradictions: all that were raised; those of kind "coverage" show the notes that are there after all.
    """
    found: dict[tuple[str, int, str], SaidMissing] = {}
    for deed in deeds:
        if deed.deed != "missing":
            continue
        at = deed.evidence
        there = _there(at, contradictions)
        found.setdefault(
            (at.note, at.start, deed.agent),
            SaidMissing(
                note=at.note,
                start=at.start,
                end=at.end,
                quote=at.quote,
                line=at.line,
                agent=deed.agent,
                is_true=not there,
                notes=there,
            ),
        )
    return tuple(found[key] for key in sorted(found))


def _there(said: Evidence, contradictions: Sequence[Contradiction]) -> tuple[str, ...]:
    """The notes that refute a saying."""
    notes: dict[str, None] = {}
    for one in contradictions:
        places = (*one.sides, *one.also_affects)
        if one.kind == "coverage" and any(_is_same_place(said, place) for place in places):
            notes.update(dict.fromkeys(place.note for place in places if place.note != said.note))
    return tuple(notes)


def _is_same_place(one: Evidence, other: Evidence) -> bool:
    return one.note == other.note and one.start < other.end and other.start < one.end

"""Holds what notes say about other agents' absence against what is there.

Promises: pure; a saying about a day of which nothing is known is left out, and so is what a note says of its own agent.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable

from agent.batons import SaidMissing
from agent.checking.absences import Present, refuted
from agent.reading.names import parse_note_name
from agent.records import Claim, Evidence


def said_missing(
    claims: Iterable[Claim], present: Iterable[Present], *, days: Collection[dt.date]
) -> tuple[SaidMissing, ...]:
    """Return what notes say about agents that delivered nothing, each with whether it holds, in order of notes and places.

    Args:
        claims: what notes state; those of kind "absence" name agent, day, and what is missing where they say so.
        present: the notes that are there.
        days: of which it is known what came.
    """
    there: dict[tuple[str, str], list[Present]] = defaultdict(list)
    for one in present:
        there[one.agent.casefold(), one.day.isoformat()].append(one)
    names = {agent: notes[0].agent for (agent, _), notes in there.items()}
    known = {day.isoformat() for day in days}
    found: dict[tuple[str, int, str], SaidMissing] = {}
    for claim in claims:
        if claim.kind != "absence" or claim.stance != "held" or claim.value not in known:
            continue
        if _agent_of(claim.evidence.note) == claim.subject:
            continue
        dispute = refuted(claim, there[claim.subject, claim.value])
        notes = tuple(side.evidence.note for side in dispute.sides[1:]) if dispute else ()
        said = _said(claim.evidence, names.get(claim.subject, claim.subject), notes)
        key = (said.note, said.start, said.agent)
        if key not in found or (found[key].is_true and notes):
            found[key] = said
    return tuple(found[key] for key in sorted(found))


def a_present(path: str, *, agent: str, day: dt.date, topic: str | None) -> Present:
    """Return a note as something that is there, known by its name alone."""
    nothing = Evidence(note=path, start=0, end=0, quote="", line=1)
    return Present(path=path, agent=agent, day=day, topic=topic, slug=parse_note_name(path).slug, opening=nothing)


def _agent_of(path: str) -> str:
    parts = path.split("/")
    return parts[1].casefold() if len(parts) > 2 else ""


def _said(at: Evidence, agent: str, notes: tuple[str, ...]) -> SaidMissing:
    return SaidMissing(
        note=at.note,
        start=at.start,
        end=at.end,
        quote=at.quote,
        line=at.line,
        agent=agent,
        is_true=not notes,
        notes=notes,
    )

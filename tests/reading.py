"""A note as the program reads it, for tests that measure: units, segments, identifiers, measures and statements."""

from dataclasses import dataclass

from agent.reading.citations import cited_documents, cited_notes
from agent.reading.identifiers import ArxivSpan, find_arxiv, find_dois, find_urls
from agent.reading.measures import find_measures
from agent.reading.placements import stated_placements
from agent.reading.ratings import stated_priority, stated_stars
from agent.reading.registers import stated_registers
from agent.reading.segments import split_segments
from agent.reading.statements import (
    announced_counts,
    is_nothing_new,
    said_of_agents,
    stated_relation,
    stated_verification,
)
from agent.reading.units import split_units
from agent.texts import Segment, Unit

_STATEMENTS = (
    stated_stars, stated_priority, stated_placements, stated_registers, stated_relation, announced_counts, is_nothing_new, cited_notes,
    cited_documents,
)  # fmt: skip


@dataclass(frozen=True)
class Read:
    """What was read, as far as tests look at it."""

    units: tuple[Unit, ...]
    segments: tuple[Segment, ...]
    arxiv: tuple[ArxivSpan, ...]
    measures: int


def read_all(text: str) -> Read:
    """Find in a note everything that plain code finds; every statement is looked for in the whole of every segment."""
    units = split_units(text)
    segments = split_segments(units)
    arxiv: list[ArxivSpan] = []
    measures = 0
    for unit in units:
        arxiv += find_arxiv(unit.text)
        find_urls(unit.text)
        find_dois(unit.text)
        measures += len(find_measures(unit.text)) if unit.kind != "code" else 0
    for segment in segments:
        said = text[segment.start : segment.end]
        for statement in _STATEMENTS:
            statement(said)
        said_of_agents(said, agents=("ann", "bob"))
        if segment.role == "to_verify":
            stated_verification(said)
    return Read(units, segments, tuple(arxiv), measures)

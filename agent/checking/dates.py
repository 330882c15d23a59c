"""What a note cannot have seen yet: an identifier of a later month, a source of a later day.

Promises: a note whose date is only its file's is held to no source's day; what the note doubts itself is not raised again; a
bare number that no word calls an identifier is a question. Time is linear in the text.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from agent.checking.dispute import Dispute, Hand, Stated
from agent.reading.citations import cited_notes
from agent.reading.identifiers import find_arxiv, is_after
from agent.reading.names import parse_note_name
from agent.reading.parts import by_label
from agent.reading.showing import as_evidence
from agent.texts import Segment, Unit

_DOUBTED = re.compile(
    r"月份|编号 ?(?:待核|存疑|有误|不对|写错|疑)|笔误|\b(?:typo|misprint|mistyped|in the future|later month|future (?:month|date)|cannot (?:yet )?exist)\b",
    re.IGNORECASE,
)


def disputes(hand: Hand) -> Iterator[Dispute]:
    """Yield each identifier whose month lies after the note's, and each source that is dated after it."""
    if hand.is_document:  # its date is a line that somebody has to keep
        return
    yield from _identifiers(hand)
    if hand.note.date_source == "name":
        yield from _sources(hand)


def _identifiers(hand: Hand) -> Iterator[Dispute]:
    places: dict[str, list[Unit]] = defaultdict(list)
    sure: set[str] = set()
    for segment in hand.segments:
        for unit in segment.units:
            for span in find_arxiv(unit.text):
                if is_after(span.identifier, hand.note.date):
                    places[span.identifier].append(unit)
                    if span.form != "bare" or segment.role == "arxiv_list":
                        sure.add(span.identifier)
    for identifier, units in places.items():
        if not any(_DOUBTED.search(unit.text) for unit in units):
            about = f"arXiv:{identifier}"
            yield _dispute(hand, about, about, units, is_question=identifier not in sure)


def _sources(hand: Hand) -> Iterator[Dispute]:
    """Yield sources of a later day; one of the next day that is there was cited after midnight."""
    places: dict[str, list[Unit]] = defaultdict(list)
    far: set[str] = set()
    there = {path.rpartition("/")[2].casefold() for path in hand.note_paths}
    for unit in (unit for segment in hand.segments for unit in _cited_in(segment)):
        for note in cited_notes(unit.text, agents=hand.agents):
            day = parse_note_name(note.name).date if note.name.casefold().endswith(".md") else None
            if day is None or day <= hand.note.date or _DOUBTED.search(unit.text):
                continue
            is_next = (day - hand.note.date).days == 1
            if is_next and note.name.casefold() in there:
                continue
            places[note.name].append(unit)
            if not is_next:
                far.add(note.name)
    for name, units in places.items():
        yield _dispute(hand, name, name, units, is_question=name not in far)


def _cited_in(segment: Segment) -> list[Unit]:
    """The units that say what was read; a file named elsewhere may be one that is still to be written."""
    if segment.role == "checked":
        return [unit for unit in segment.units if unit.kind not in {"code", "heading"}]
    return by_label(segment.units)["source"] if segment.role in {"increment", "to_verify"} else []


def _dispute(hand: Hand, about: str, says: str, units: list[Unit], *, is_question: bool) -> Dispute:
    sides = tuple(Stated(says, as_evidence(hand.note, unit)) for unit in dict.fromkeys(units))
    return Dispute(
        rule="identifier-after-note",
        kind="identifier",
        about=about,
        key=(about.casefold(),),
        sides=sides,
        details={"date": hand.note.date.isoformat()},
        is_question=is_question,
    )

"""Notes and their segments, made from a few lines of text."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from agent.asking.testing import Scripted, ScriptedModel
from agent.extracting.knowledge import Knowledge, know
from agent.reading.documents import parse_document
from agent.reading.segments import split_segments
from agent.reading.units import split_units
from agent.texts import Note, Role, Segment

DAY = dt.date(2026, 9, 14)
PATH = "inbox/tom/2026-09-14-1100-radar.md"


def a_note(text: str, *, path: str = PATH) -> Note:
    """Return a note of the day with this text."""
    return Note(path=path, agent=path.split("/")[1], text=text, date=DAY, slug="radar", sha256="0" * 64)


def segments_of(text: str) -> tuple[Segment, ...]:
    """Return the segments that reading finds."""
    return tuple(split_segments(split_units(text)))


def segment_of(text: str, role: Role = "increment") -> Segment:
    """Return the only segment of a role."""
    (found,) = [segment for segment in segments_of(text) if segment.role == role]
    return found


def scripted(replies: Mapping[str, Scripted | Sequence[Scripted]], **more: Any) -> ScriptedModel:
    """Return a model that answers a prompt alike in both languages that it is asked in."""
    return ScriptedModel(
        {f"{prompt}{language}": reply for prompt, reply in replies.items() for language in ("", "_zh")}, **more
    )


def knowing(*documents: str, note_paths: Sequence[str] = (), cards: Sequence[str] = ()) -> Knowledge:
    """Return what a workspace holds: each document is its name, a line end and its text."""
    parsed = [parse_document(*document.split("\n", 1), sha256="") for document in documents]
    return know(parsed, cards=frozenset(cards), note_paths=note_paths, agents=["jay", "tom"])

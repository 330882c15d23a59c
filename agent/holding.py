"""The story of `agent audit`: a brief that somebody else wrote in, held against the workspace, what holds and what does not out.

Promises: no model is called and nothing is written; a note that cannot be read is named and stops nothing; the brief is never
held against itself, a copy of it, or a digest of our own, unless the brief cites that.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.auditing.audit import Surroundings, audit
from agent.auditing.dated import day_told
from agent.auditing.findings import Audit
from agent.auditing.words import said_of_brief
from agent.checking.absences import opening
from agent.checking.check import claims_of
from agent.checking.dispute import Hand
from agent.checking.raising import Raised, raise_all
from agent.errors import NoteUnreadable
from agent.extracting.bounds import bounded
from agent.extracting.extract import Setup, extract, topic_of
from agent.extracting.knowledge import Knowledge
from agent.pipeline import knowledge_of
from agent.reading.citations import cited_notes, resolve
from agent.reading.marking import is_own_output
from agent.reading.segments import split_segments
from agent.reading.units import split_units
from agent.reconciling.contradict import disputes_across, document_claims
from agent.records import Extraction, Language, Window
from agent.settings import Settings
from agent.texts import LivingDocument, Note
from agent.workspace import Workspace

_ROOM = 5_000_000  # characters of notes that a brief is held against
_BESIDE = 2_000_000  # of others, in which what stands nowhere else is looked for
_COMPARED = 1_500_000  # of those, that are searched for contradictions


@dataclass(frozen=True, slots=True)
class _Read:
    """The notes that a brief is held against, and what was wrong with others."""

    notes: tuple[Note, ...]
    others: tuple[Note, ...]
    remarks: tuple[str, ...]


def hold(workspace: Workspace, settings: Settings, path: str, *, days: int | None = None) -> Audit:
    """Audit a brief.

    Args:
        workspace: what it is held against.
        settings: for the language of the reasons.
        path: of the brief, anywhere, or relative to the workspace.
        days: how many days up to the brief's own, that one included; all of them by default. Notes that it cites are read
            whatever their day.

    Raises:
        NoteUnreadable: the brief cannot be read.
        WorkspaceError: the inbox cannot be listed.
    """
    brief = _dated(workspace.read_note(workspace.find(path)), settings.language)
    documents = workspace.documents()
    knowledge = knowledge_of(workspace, documents)
    first = dt.date.min if days is None else dt.date.fromordinal(max(1, brief.date.toordinal() - days + 1))
    cited = {
        found
        for one in cited_notes(brief.text, agents=knowledge.agents)
        if (found := resolve(one, paths=knowledge.note_paths, year=brief.date.year, agents=knowledge.agents).path)
    }
    read = _notes(workspace, brief, Window(start=first, end=brief.date), cited, settings.language)
    setup = Setup(knowledge=knowledge, language=settings.language, engine="none", model=None)
    own = extract(brief, setup)
    across = _across(own, _claimed(own, read.notes, knowledge), documents, settings.language)
    is_own = is_own_output(brief.text)  # what we set against each other ourselves
    dates = [note.date for note in read.notes]
    around = Surroundings(
        notes=read.notes,
        others=read.others,
        documents=documents,
        paths=tuple(dict.fromkeys((*knowledge.note_paths, brief.path)))
        if brief.path.startswith("inbox/")
        else knowledge.note_paths,
        agents=knowledge.agents,
        stock=knowledge.stock,
        inside=() if is_own else own.contradictions,
        across=() if is_own else across.contradictions,
        questions=() if is_own else tuple(one for one in (*own.to_verify, *across.to_verify) if one.found_by != "note"),
        window=Window(start=min(dates), end=max(dates)) if dates else None,
        remarks=(
            *((said_of_brief("own", settings.language),) if is_own else ()),
            *workspace.problems,
            *read.remarks,
        ),
    )
    return audit(brief, around, language=settings.language)


def _dated(brief: Note, language: Language) -> Note:
    """Return a brief whose name has no date with the day that its text tells."""
    if brief.date_source == "name":
        return brief
    day = day_told(brief.text, near=brief.date)
    if day is None:
        return brief
    remarks = tuple(one for one in brief.remarks if not one.startswith("Its name tells no usable date"))
    said = said_of_brief("day", language, day=day.isoformat())
    return replace(brief, date=day, date_source="given", remarks=(said, *remarks))


def _notes(workspace: Workspace, brief: Note, window: Window, cited: set[str], language: Language) -> _Read:
    """Read the notes of some days, the newest first, and those that the brief cites; the others as far as there is room."""
    remarks: list[str] = []
    notes: list[Note] = []
    others: list[Note] = []
    room, beside = _ROOM, _BESIDE
    listed = [one for one in workspace.listing() if one.outcome is None and one.path != brief.path]
    listed.sort(key=lambda one: (one.path in cited, one.date or dt.date.min, one.path), reverse=True)
    left_out = 0
    for one in listed:
        is_inside = one.date is not None and window.start <= one.date <= window.end
        is_looked_at = is_inside or one.path in cited
        if (room if is_looked_at else beside) < 0:
            left_out += is_looked_at
            continue
        try:
            note = workspace.read_note(one)
        except NoteUnreadable as error:
            remarks.append(str(error))
            continue
        if note.sha256 == brief.sha256 or (is_own_output(note.text) and one.path not in cited):
            continue
        if is_looked_at:
            room -= len(note.text)
            notes.append(note)
        else:
            beside -= len(note.text)
            others.append(note)
    if left_out:
        remarks.append(said_of_brief("left-out", language, count=left_out, room=f"{_ROOM:,}"))
    return _Read(tuple(notes), tuple(others), tuple(remarks))


def _claimed(own: Extraction, notes: Sequence[Note], knowledge: Knowledge) -> tuple[Extraction, ...]:
    """What the notes claim that the brief's claims can be held against; nothing where it has none."""
    found, room = [], _COMPARED
    for note in notes if own.claims else ():
        room -= len(note.text)
        if room < 0:
            break
        segments = split_segments(split_units(note.text))
        topic = topic_of(note, knowledge.topics)
        hand = Hand(
            note=note,
            segments=segments,
            findings=bounded(segments, topics=knowledge.topics),
            topic=topic,
            agents=knowledge.agents,
            note_paths=knowledge.note_paths,
            documents=knowledge.documents,
        )
        found.append(
            Extraction(
                note=note.path,
                agent=note.agent,
                date=note.date,
                topic=topic,
                sha256=note.sha256,
                engine="none",
                claims=claims_of(hand),
                opening=opening(hand),
            )
        )
    return tuple(found)


def _across(
    own: Extraction, others: Sequence[Extraction], documents: Sequence[LivingDocument], language: Language
) -> Raised:
    """What the brief says against other notes and living documents."""
    if not own.claims:
        return Raised()
    disputes = [
        dispute
        for dispute in disputes_across((own, *others), standing=document_claims(documents))
        if any(side.evidence.note == own.note for side in dispute.sides)
    ]
    return raise_all(disputes, language=language)

"""Holds what came against what was expected: batons missed, living documents gone stale.

Nothing arriving is data too. Promises: pure; each note answers one baton at most, and as few batons as possible are
called missed.
"""

import datetime as dt
import re
from collections.abc import Mapping, Sequence

from agent.batons import Coverage, MissedBaton, StaleDocument
from agent.reading.names import parse_note_name
from agent.records import CheckedNote, Outcome
from agent.setting_values import WEEKDAYS
from agent.settings import Baton, Settings
from agent.texts import LivingDocument

_NO_ANSWER: frozenset[Outcome] = frozenset({"empty", "not_text", "own", "ignored", "gone", "not_followed"})
_EARLY = dt.timedelta(
    hours=1
)  # how long before its slot a baton may come, at most half of the time since the slot before
_WORDS = re.compile(r"[^\W_]+")


def cover(
    checked: Sequence[CheckedNote],
    *,
    documents: Sequence[LivingDocument],
    settings: Settings,
    date: dt.date,
    topics: Mapping[str, str | None] | None = None,
) -> Coverage:
    """Return what is missing on a day.

    A baton of the day is missed when no note of its agent and day is left to answer it: one on its topic, where it has
    one, and in its slot, where it has one. A note belongs to the last slot that has begun, or begins within an hour; a
    note whose name tells no time may answer any slot. An expected agent without planned batons is missed when no note
    of that day is its own. A file that could not be read has come all the same; an empty one has not.

    A living document is stale after `settings.stale_days` days without an update, and when nothing tells its last one; one of
    `settings.topics` that is not there counts as never updated.

    Args:
        checked: every note looked at, of this day and others.
        documents: all living documents.
        settings: expected agents, batons, and the days until a document is stale.
        date: the day asked about.
        topics: topic by note, where it is known; else the note's file name tells.

    Returns:
        The coverage; `notes` and `agents` count what came on all days looked at.
    """
    came = [note for note in checked if note.outcome not in _NO_ANSWER]
    today = sorted((note for note in came if note.date == date), key=lambda note: note.note)
    planned = _planned(settings, date)
    answers = [
        [position for position, note in enumerate(today) if _may_answer(note, baton, planned, topics or {})]
        for baton in planned
    ]
    answered = _assign(answers)
    return Coverage(
        notes=len(came),
        agents=tuple(sorted({note.agent for note in came})),
        missed=tuple(_missed(baton) for position, baton in enumerate(planned) if position not in answered),
        stale=_stale(documents, settings, date),
    )


def _planned(settings: Settings, date: dt.date) -> list[Baton]:
    """The batons of the day, and one of any kind for each expected agent that has no plan at all."""
    planned = [baton for baton in settings.batons if WEEKDAYS[date.weekday()] in baton.days]
    with_plan = {baton.agent for baton in settings.batons}
    return planned + [Baton(agent) for agent in settings.agents if agent not in with_plan]


def _may_answer(note: CheckedNote, baton: Baton, planned: Sequence[Baton], topics: Mapping[str, str | None]) -> bool:
    if note.agent != baton.agent:
        return False
    name = parse_note_name(note.note)
    if baton.topic is not None and topics.get(note.note) != baton.topic and not _names_topic(name.slug, baton.topic):
        return False
    if baton.slot is None or name.time is None:
        return True
    turns = [other.slot for other in planned if other.slot and (other.agent, other.topic) == (baton.agent, baton.topic)]
    return _slot_of(name.time, turns) == baton.slot


def _slot_of(time: dt.time, slots: Sequence[dt.time]) -> dt.time | None:
    """The slot that a time of day belongs to; None before all of them."""
    belongs: dt.time | None = None
    for slot in sorted(slots):
        gap = _since_midnight(slot) - _since_midnight(belongs) if belongs else 2 * _EARLY
        if _since_midnight(time) < _since_midnight(slot) - min(_EARLY, gap / 2):
            break
        belongs = slot
    return belongs


def _since_midnight(time: dt.time) -> dt.timedelta:
    return dt.timedelta(hours=time.hour, minutes=time.minute)


def _names_topic(slug: str, topic: str) -> bool:
    """Whether the words of a topic stand side by side in a slug ("llm-infra" in "llm-infra-e1prep")."""
    words, wanted = _words(slug), _words(topic)
    return any(words[start : start + len(wanted)] == wanted for start in range(len(words) - len(wanted) + 1))


def _words(text: str) -> list[str]:
    return _WORDS.findall(text.casefold())


def _assign(answers: Sequence[Sequence[int]]) -> set[int]:
    """Give each baton a note of its own, as many as can have one (augmenting paths); return the batons that do."""
    baton_of: dict[int, int] = {}
    for baton in range(len(answers)):
        _find_note(baton, answers, baton_of)
    return set(baton_of.values())


def _find_note(baton: int, answers: Sequence[Sequence[int]], baton_of: dict[int, int]) -> bool:
    """Find a free note for a baton, moving batons that have another choice; breadth first, so no depth limit."""
    came_from: dict[int, int] = {}  # note: the baton that would like it
    waiting = [baton]
    for wanting in waiting:
        for note in answers[wanting]:
            if note in came_from:
                continue
            came_from[note] = wanting
            if note in baton_of:
                waiting.append(baton_of[note])
                continue
            _move(note, baton, came_from, baton_of)
            return True
    return False


def _move(free: int, first: int, came_from: Mapping[int, int], baton_of: dict[int, int]) -> None:
    """Hand notes on along the path that ends in a free one."""
    note_of = {baton: note for note, baton in baton_of.items()}
    note = free
    while True:
        baton = came_from[note]
        before = note_of.get(baton)
        baton_of[note] = baton
        if baton == first or before is None:
            return
        note = before


def _missed(baton: Baton) -> MissedBaton:
    slot = baton.slot.isoformat("minutes") if baton.slot else None
    return MissedBaton(agent=baton.agent, topic=baton.topic, slot=slot)


def _stale(documents: Sequence[LivingDocument], settings: Settings, date: dt.date) -> tuple[StaleDocument, ...]:
    found = []
    for document in documents:
        days = (date - document.updated).days if document.updated else None
        if days is None or days >= settings.stale_days:
            found.append(StaleDocument(document=document.name, updated=document.updated, days=days))
    missing = {f"{topic}.md" for topic in settings.topics} - {document.name for document in documents}
    found += [StaleDocument(document=name, updated=None, days=None) for name in missing]
    return tuple(sorted(found, key=lambda one: one.document))

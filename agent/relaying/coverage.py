"""Holds what came against what was expected: batons missed or late, twice or not planned, living documents gone stale.

Nothing arriving is data too. Promises: pure; each note answers one baton at most, and as few batons as possible are
called missed.
"""

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from agent.batons import (
    AgentCount,
    BatonOutcome,
    BatonState,
    Coverage,
    DocumentAge,
    MissedBaton,
    PlanSource,
    StaleDocument,
)
from agent.reading.names import parse_note_name
from agent.records import AgentDeed, CheckedNote, Contradiction, Outcome
from agent.relaying.absences import said_missing
from agent.relaying.history import derive
from agent.relaying.rhythm import rhythm
from agent.setting_values import WEEKDAYS
from agent.settings import Baton, Settings
from agent.texts import LivingDocument
from agent.workspace import ListedNote

_NO_ANSWER: frozenset[Outcome] = frozenset({"empty", "not_text", "own", "ignored", "gone", "not_followed"})
_UNREAD: frozenset[Outcome] = frozenset({"failed", "unreadable", "too_large", "being_written", "not_text"})
# How long before its slot a baton may come, at most half of the time since the slot before.
_EARLY = dt.timedelta(hours=1)
_WORDS = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Arrivals:
    """What else is known of what came.

    Attributes:
        history: notes of the weeks before the day, by their names alone, that day's own included or not.
        topics: topic by note, where it is known; else the note's file name tells.
        deeds: what notes say of agents.
        contradictions: all that were raised; those of kind "coverage" refute such sayings.
        now: the moment, where the day may not be over yet; None where it is.
    """

    history: Sequence[ListedNote] = ()
    topics: Mapping[str, str | None] = field(default_factory=dict)
    deeds: Sequence[AgentDeed] = ()
    contradictions: Sequence[Contradiction] = ()
    now: dt.datetime | None = None


def cover(
    checked: Sequence[CheckedNote],
    *,
    documents: Sequence[LivingDocument],
    settings: Settings,
    date: dt.date,
    arrivals: Arrivals | None = None,
) -> Coverage:
    """Return what came of what was expected on a day.

    A baton of the day is missed when no note of its agent and day is left to answer it: one on its topic, where it has
    one, and in its slot, where it has one. A note belongs to the last slot that has begun, or begins within an hour; a
    note whose name tells no time may answer any slot. An expected agent without planned batons is missed when no note
    of that day is its own. A file that could not be read has come all the same; an empty one has not. Where nothing is
    planned, the history tells what to expect. Our own batons and notes are none of the others'.

    A living document is stale after `settings.stale_days` days without an update, or its topic's own limit, and when nothing
    tells its last one; one of `settings.topics` that is not there counts as never updated.

    Args:
        checked: every note looked at, of this day and others.
        documents: all living documents.
        settings: expected agents, batons, and the days until a document is stale.
        date: the day asked about.
        arrivals: what else is known of what came.

    Returns:
        The coverage; `notes` and `agents` count what came on all days looked at.
    """
    known = arrivals or Arrivals()
    came = [note for note in checked if note.outcome not in _NO_ANSWER and note.agent != settings.own_agent]
    today = sorted((note for note in came if note.date == date), key=lambda note: note.note)
    plan, batons = _expected(settings, known.history, date)
    planned = [baton for baton in batons if WEEKDAYS[date.weekday()] in baton.days]
    answers = [
        [position for position, note in enumerate(today) if _may_answer(note, baton, planned, known.topics)]
        for baton in planned
    ]
    note_of = {baton: today[position] for position, baton in _assign(answers).items()}
    day = _Day(date, settings, known, today=today, checked=checked)
    outcomes = tuple(day.outcome(baton, note_of.get(position)) for position, baton in enumerate(planned))
    answering = {path for one in outcomes for path in (*one.notes, *one.duplicates)}
    is_over = known.now is None or known.now.astimezone(settings.zone).date() > date
    return Coverage(
        notes=len(came),
        agents=tuple(sorted({note.agent for note in came})),
        plan=plan,
        batons=outcomes,
        missed=tuple(
            MissedBaton(agent=one.agent, topic=one.topic, slot=one.slot)
            for one in outcomes
            if one.state in ("missing", "empty")
        ),
        unplanned=tuple(note.note for note in today if planned and note.note not in answering),
        stale=_stale(documents, settings, date),
        documents=_ages(documents, date),
        counts=_counts(checked, settings.own_agent),
        rhythm=rhythm(known.history, batons, date=date, is_over=is_over),
        said_missing=said_missing(known.deeds, known.contradictions),
    )


def _expected(settings: Settings, history: Sequence[ListedNote], date: dt.date) -> tuple[PlanSource, list[Baton]]:
    """The batons of all days and where they come from: one of any kind for an expected agent that has no plan at all."""
    planned = [baton for baton in settings.batons if baton.agent != settings.own_agent]
    with_plan = {baton.agent for baton in planned}
    planned += [Baton(agent) for agent in settings.agents if agent not in with_plan and agent != settings.own_agent]
    if planned:
        return "given", planned
    derived = list(derive(history, date=date, own_agent=settings.own_agent))
    return ("derived" if derived else "none"), derived


class _Day:
    """One day's batons, and what may answer them."""

    def __init__(
        self,
        date: dt.date,
        settings: Settings,
        known: Arrivals,
        *,
        today: Sequence[CheckedNote],
        checked: Sequence[CheckedNote],
    ) -> None:
        self._date, self._settings, self._now = date, settings, known.now
        self._by_slug: dict[tuple[str, str], list[str]] = {}
        for note in today:
            self._by_slug.setdefault((note.agent, parse_note_name(note.note).slug), []).append(note.note)
        self._empty = [one for one in checked if one.date == date and one.outcome == "empty"]

    def outcome(self, baton: Baton, note: CheckedNote | None) -> BatonOutcome:
        """What came of a baton that a note answers, or none."""
        late = _minutes_late(baton, note) if note else None
        notes = (note.note,) if note else ()
        state: BatonState
        if note is not None:
            is_late = late is not None and late > self._settings.late_minutes
            state = "unread" if note.outcome in _UNREAD else "late" if is_late else "arrived"
        elif empty := next((one for one in self._empty if one.agent == baton.agent), None):
            state, notes = "empty", (empty.note,)
            self._empty.remove(empty)
        else:
            state = "waiting" if self._may_still_come(baton) else "missing"
        return BatonOutcome(
            agent=baton.agent,
            topic=baton.topic,
            slot=baton.slot.isoformat("minutes") if baton.slot else None,
            state=state,
            notes=notes,
            duplicates=self._again(note) if note else (),
            minutes_late=late,
        )

    def _again(self, note: CheckedNote) -> tuple[str, ...]:
        """Further notes of the same agent, day and name, versions aside."""
        slug = parse_note_name(note.note).slug
        return tuple(one for one in self._by_slug.get((note.agent, slug), ()) if slug and one != note.note)

    def _may_still_come(self, baton: Baton) -> bool:
        if self._now is None:
            return False
        zone = self._settings.zone
        if baton.slot is None:
            return self._now.astimezone(zone).date() <= self._date
        due = dt.datetime.combine(self._date, baton.slot, tzinfo=zone)
        return self._now <= due + dt.timedelta(minutes=self._settings.late_minutes)


def _minutes_late(baton: Baton, note: CheckedNote) -> int | None:
    """Minutes after its slot, 0 for one in time; None where the note's name or the plan tells no time."""
    time = parse_note_name(note.note).time
    if baton.slot is None or time is None:
        return None
    return max(0, int((_since_midnight(time) - _since_midnight(baton.slot)).total_seconds()) // 60)


def _counts(checked: Iterable[CheckedNote], own_agent: str) -> tuple[AgentCount, ...]:
    notes: Counter[str] = Counter()
    increments: Counter[str] = Counter()
    unread: Counter[str] = Counter()
    for one in checked:
        if one.agent and one.agent != own_agent and one.outcome not in (_NO_ANSWER - _UNREAD):
            notes[one.agent] += 1
            increments[one.agent] += one.increments
            unread[one.agent] += one.outcome in _UNREAD
    return tuple(
        AgentCount(agent=agent, notes=notes[agent], increments=increments[agent], unread=unread[agent])
        for agent in sorted(notes)
    )


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


def _assign(answers: Sequence[Sequence[int]]) -> dict[int, int]:
    """Give each baton a note of its own, as many as can have one (augmenting paths); return each note's baton."""
    baton_of: dict[int, int] = {}
    for baton in range(len(answers)):
        _find_note(baton, answers, baton_of)
    return baton_of


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


def _stale(documents: Sequence[LivingDocument], settings: Settings, date: dt.date) -> tuple[StaleDocument, ...]:
    found = []
    for one in _ages(documents, date):
        limit = settings.stale_days_by_topic.get(one.document.removesuffix(".md"), settings.stale_days)
        if one.days is None or one.days >= limit:
            found.append(StaleDocument(document=one.document, updated=one.updated, days=one.days))
    missing = {f"{topic}.md" for topic in settings.topics} - {document.name for document in documents}
    found += [StaleDocument(document=name, updated=None, days=None) for name in missing]
    return tuple(sorted(found, key=lambda one: one.document))


def _ages(documents: Sequence[LivingDocument], date: dt.date) -> tuple[DocumentAge, ...]:
    """All living documents, those without a known update first, then the oldest."""
    ages = [
        DocumentAge(document=one.name, updated=one.updated, days=(date - one.updated).days if one.updated else None)
        for one in documents
    ]
    return tuple(sorted(ages, key=lambda one: (one.updated or dt.date.min, one.document)))

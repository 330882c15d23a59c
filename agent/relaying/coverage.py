"""Holds what came against what was expected: batons missed or late, twice or not planned, living documents gone stale.

Nothing arriving is data too. Promises: pure; each note answers one baton at most, and as few batons as possible are
called missed.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agent.batons import (
    AgentCount,
    BatonOutcome,
    BatonState,
    Coverage,
    DocumentAge,
    MissedBaton,
    StaleDocument,
)
from agent.reading.names import parse_note_name
from agent.records import CheckedNote, Claim, Outcome
from agent.relaying.absences import a_present, said_missing
from agent.relaying.expecting import DueBaton, TurnDays, due_around, expected, moment
from agent.relaying.history import HISTORY_DAYS
from agent.relaying.matching import Came, Matched, match
from agent.relaying.rhythm import RHYTHM_DAYS, rhythm
from agent.settings import Settings
from agent.texts import LivingDocument
from agent.workspace import ListedNote

_NO_ANSWER: frozenset[Outcome] = frozenset({"empty", "not_text", "own", "ignored", "gone", "not_followed"})
_UNREAD: frozenset[Outcome] = frozenset({"failed", "unreadable", "too_large", "being_written", "not_text"})


@dataclass(frozen=True, slots=True)
class Arrivals:
    """What else is known of what came.

    Attributes:
        history: notes of the weeks before the day, by their names alone, that day's own and the next one's included.
        topics: topic by note, where it is known; else the note's file name tells.
        claims: what notes state; those of kind "absence" are checked.
        now: the moment, where the day may not be over yet; None where it is.
    """

    history: Sequence[ListedNote] = ()
    topics: Mapping[str, str | None] = field(default_factory=dict)
    claims: Sequence[Claim] = ()
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

    A baton of the day is missed when no note of its agent is left to answer it, as `match` tells. An expected agent without
    planned batons is missed when no note of that day is its own. A file that could not be read has come all the same; an
    empty one has not. Where nothing is planned, the history tells what to expect. Our own batons and notes are none of
    the others'.

    A living document is stale after `settings.stale_days` days without an update, or its topic's own limit, and when
    nothing tells its last one; one of `settings.topics` that is not there counts as never updated.

    Args:
        checked: every note looked at, of this day and others.
        documents: all living documents.
        settings: expected agents, batons, and the days until a document is stale.
        date: the day asked about.
        arrivals: what else is known of what came.

    Returns:
        The coverage; `notes`, `agents` and `counts` tell what came on all days looked at.
    """
    known = arrivals or Arrivals()
    plan, batons = expected(settings, known.history, date)
    came = _came(checked, known, settings)
    day = _Day(date, settings, known, is_planned=plan == "given")
    outcomes = day.outcomes(due_around(batons, date, settings.zone), came, checked)
    looked_at = [one for one in checked if one.outcome not in _NO_ANSWER and one.agent != settings.own_agent]
    return Coverage(
        notes=len(looked_at),
        agents=tuple(sorted({note.agent for note in looked_at})),
        plan=plan,
        batons=outcomes,
        missed=tuple(
            MissedBaton(agent=one.agent, topic=one.topic, slot=one.slot)
            for one in outcomes
            if one.state in ("missing", "empty")
        ),
        unplanned=day.unplanned,
        stale=_stale(documents, settings, date),
        documents=_ages(documents, date),
        counts=_counts(checked, settings.own_agent),
        rhythm=rhythm(
            _by_turn(came, TurnDays(batons), date),
            batons,
            date=date,
            is_over=known.now is None or known.now.astimezone(settings.zone).date() > date,
        ),
        said_missing=said_missing(
            known.claims,
            [a_present(one.path, agent=one.agent, day=one.day, topic=one.topic) for one in came],
            days=_days_known(known, checked, date),
        ),
    )


class _Day:
    """One day's batons, and what answers them.

    Attributes:
        unplanned: paths of the day's notes that answer nothing, where they should; told once `outcomes` are.
    """

    def __init__(self, date: dt.date, settings: Settings, known: Arrivals, *, is_planned: bool) -> None:
        self._date, self._settings, self._now = date, settings, known.now
        self._late = dt.timedelta(minutes=settings.late_minutes)
        self._is_planned = is_planned
        self._original = {one.path: one.copy_of for one in known.history if one.copy_of}
        self.unplanned: tuple[str, ...] = ()

    def outcomes(
        self, due: Sequence[DueBaton], came: Sequence[Came], checked: Iterable[CheckedNote]
    ) -> tuple[BatonOutcome, ...]:
        """What came of each baton of the day, in the plan's order."""
        near = [one for one in came if abs((one.day - self._date).days) <= 1]
        matched = match(due, near, is_planned=self._is_planned)
        empty = self._empty(due, matched, checked)
        again = self._again(due, near, matched)
        found = []
        for number, one in enumerate(due):
            if one.day == self._date:
                note = matched.note_of.get(number)
                came_of = near[note] if note is not None else None
                found.append(self._outcome(one, came_of, empty.get(number), tuple(sorted(again.get(number, ())))))
        if self._is_planned:
            self.unplanned = tuple(
                self._unplanned(due, near, matched, {path for one in again.values() for path in one})
            )
        return tuple(found)

    def _outcome(
        self, due: DueBaton, note: Came | None, empty: str | None, duplicates: tuple[str, ...]
    ) -> BatonOutcome:
        late = _minutes_late(due, note) if note else None
        state: BatonState
        if note is not None:
            is_late = late is not None and late > self._settings.late_minutes
            state = "unread" if not note.is_read else "late" if is_late else "arrived"
        elif empty is not None:
            state = "empty"
        else:
            state = "waiting" if self._may_still_come(due) else "missing"
        path = note.path if note else empty
        return BatonOutcome(
            agent=due.baton.agent,
            topic=due.baton.topic,
            slot=due.baton.slot.isoformat("minutes") if due.baton.slot else None,
            state=state,
            notes=(path,) if path else (),
            duplicates=duplicates,
            minutes_late=late,
        )

    def _may_still_come(self, due: DueBaton) -> bool:
        if self._now is None:
            return False
        if due.at is None:
            return self._now.astimezone(self._settings.zone).date() <= self._date
        return self._now - due.at <= self._late

    def _empty(self, due: Sequence[DueBaton], matched: Matched, checked: Iterable[CheckedNote]) -> dict[int, str]:
        """The empty files that stand for batons which no note answers."""
        files = [_a_note(one, None, self._settings) for one in checked if one.outcome == "empty"]
        near = [one for one in files if one and abs((one.day - self._date).days) <= 1]
        if not near:
            return {}
        open_ones = [number for number in range(len(due)) if number not in matched.note_of]
        stand_in = match([due[number] for number in open_ones], near, is_planned=self._is_planned).note_of
        return {open_ones[baton]: near[note].path for baton, note in stand_in.items()}

    def _again(self, due: Sequence[DueBaton], near: Sequence[Came], matched: Matched) -> dict[int, set[str]]:
        """Further notes for a baton that a note answers: of its slot, of its note's name, or of its note's content."""
        found: dict[int, set[str]] = defaultdict(set)
        answering = set(matched.note_of.values())
        by_name: dict[tuple[str, dt.date, str], list[Came]] = defaultdict(list)
        by_content: dict[str, list[Came]] = defaultdict(list)
        for number, note in enumerate(near):
            by_content[self._original.get(note.path, note.path)].append(note)
            if number in answering:
                continue
            by_name[_name_of(note)].append(note)
            for baton in matched.may_answer[number] if self._is_planned and note.at is not None else ():
                if baton in matched.note_of and self._is_in_slot(due[baton], note):
                    found[baton].add(note.path)
                    break
        told: set[str] = set()
        answered = sorted(matched.note_of.items(), key=lambda item: (near[item[1]].path in self._original, item))
        for baton, number in answered:  # copies are told with the baton of their original
            note = near[number]
            copies = by_content.pop(self._original.get(note.path, note.path), [])
            namesakes = [one for one in by_name.get(_name_of(note), ()) if self._is_close(one, note)]
            others = {one.path for one in (*copies, *namesakes) if one.path != note.path and one.day == note.day}
            found[baton] |= others - told
            told |= others
        return found

    def _is_in_slot(self, due: DueBaton, note: Came) -> bool:
        """Whether a note came in the time of a baton that is so exactly planned that there is one note for it."""
        if due.at is None or due.baton.topic is None or note.at is None:
            return False
        return note.at - due.at <= self._late

    def _is_close(self, one: Came, other: Came) -> bool:
        return one.at is None or other.at is None or abs(one.at - other.at) <= self._late

    def _unplanned(
        self, due: Sequence[DueBaton], near: Sequence[Came], matched: Matched, again: Iterable[str]
    ) -> Iterator[str]:
        """The day's notes that are for no baton; an agent that owes any note at any time may bring more of them."""
        free = {one.baton.agent for one in due if one.day == self._date and one.at is None and one.baton.topic is None}
        answering = {near[number].path for number in matched.note_of.values()} | set(again)
        for note in near:
            if note.day == self._date and note.agent not in free and note.path not in answering:
                yield note.path


def _came(checked: Sequence[CheckedNote], known: Arrivals, settings: Settings) -> list[Came]:
    """Everything that came, read or only listed, in order of paths."""
    looked_at = {one.note for one in checked}
    found = [_a_note(one, known.topics.get(one.note), settings) for one in checked if one.outcome not in _NO_ANSWER] + [
        _a_note(CheckedNote(note=one.path, agent=one.agent, date=one.date, outcome="not_tried"), None, settings)
        for one in known.history
        if one.outcome is None and one.path not in looked_at
    ]
    return sorted((one for one in found if one), key=lambda one: one.path)


def _a_note(note: CheckedNote, topic: str | None, settings: Settings) -> Came | None:
    if note.date is None or note.agent in ("", settings.own_agent):
        return None
    name = parse_note_name(note.note)
    at = moment(note.date, name.time, settings.zone) if name.time and name.date == note.date else None
    return Came(note.note, note.agent, note.date, at, topic=topic, is_read=note.outcome not in _UNREAD)


def _name_of(note: Came) -> tuple[str, dt.date, str]:
    """What a note and its next version have in common; of a note whose name tells nothing, the name itself."""
    return note.agent, note.day, parse_note_name(note.path).slug.casefold() or note.path


def _minutes_late(due: DueBaton, note: Came) -> int | None:
    """Minutes after its slot, 0 for one in time; None where the note's name or the plan tells no time."""
    if due.at is None or note.at is None:
        return None
    return max(0, int((note.at - due.at).total_seconds()) // 60)


def _by_turn(came: Iterable[Came], turns: TurnDays, date: dt.date) -> Counter[tuple[str, dt.date]]:
    """How many notes came of each agent for each day's turns."""
    counts: Counter[tuple[str, dt.date]] = Counter()
    for one in came:
        if (date - one.day).days <= RHYTHM_DAYS:
            time = parse_note_name(one.path).time if one.at else None
            counts[one.agent, turns.day_of(one.agent, one.day, time)] += 1
    return Counter({key: number for key, number in counts.items() if (date - key[1]).days in range(RHYTHM_DAYS)})


def _days_known(known: Arrivals, checked: Iterable[CheckedNote], date: dt.date) -> set[dt.date]:
    """The days of which all notes are known by their names, or at least those of the day itself."""
    days = {one.date for one in checked if one.date} | {date}
    if known.history:
        first = max(1, date.toordinal() - HISTORY_DAYS)
        days |= {dt.date.fromordinal(ordinal) for ordinal in range(first, date.toordinal() + 1)}
    return days


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

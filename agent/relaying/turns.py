"""Which of our own batons are due: a turn for each day and slot, once, whatever the clock does.

Promises: pure; a slot that a change of the clock skips is due right after the gap, one that it repeats the first time; a
turn is known by its day and slot, so that no clock makes it due twice.
"""

import datetime as dt
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from agent.handoffs import Turn
from agent.setting_values import WEEKDAYS
from agent.settings import Baton

USUAL_SLOT = dt.time(18, 0)  # of the one own baton that is assumed where none is planned
LAST_SLOT = dt.time(23, 30)
AFTER_OTHERS = dt.timedelta(minutes=30)  # that it waits for the others' last one
LOOK_BACK_DAYS = 31  # turns missed longer ago are not caught up
_ONE_DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Calendar:
    """When our own batons are due.

    Attributes:
        batons: those of the own agent; each has a slot.
        zone: in which their slots are meant.
        is_assumed: none is planned, so one for all topics is assumed.
    """

    batons: tuple[Baton, ...]
    zone: ZoneInfo
    is_assumed: bool = False

    @property
    def fingerprint(self) -> str:
        """What tells this calendar from another one."""
        batons = {f"{one.topic or ''} {one.slot} {','.join(one.days)}" for one in self.batons}
        return "; ".join((self.zone.key, *sorted(batons)))

    def turns_on(self, day: dt.date) -> tuple[Turn, ...]:
        """The turns of a day, the earliest first, those of one slot by topic."""
        weekday = WEEKDAYS[day.weekday()]
        turns = {
            Turn(topic=one.topic, date=day, slot=one.slot.isoformat("minutes"))
            for one in self.batons
            if one.slot is not None and weekday in one.days
        }
        return tuple(sorted(turns, key=lambda turn: (self.due_at(turn), turn.topic or "")))

    def due_at(self, turn: Turn) -> dt.datetime:
        """The moment at which a turn is due."""
        return moment(turn.date, dt.time.fromisoformat(turn.slot), self.zone)

    def next_due(self, now: dt.datetime) -> dt.datetime | None:
        """When the next turn after `now` is due; None where there is none within two weeks."""
        for day in _days(now.astimezone(self.zone).date() - _ONE_DAY, 15):
            for turn in self.turns_on(day):
                if (at := self.due_at(turn)) > now:
                    return at.astimezone(self.zone)
        return None


@dataclass(frozen=True, slots=True)
class DueTurns:
    """What a run has to do: the last turn of each topic, and those missed before, which it covers."""

    turns: tuple[Turn, ...] = ()
    caught_up: tuple[Turn, ...] = ()


def calendar_of(batons: Sequence[Baton], own_agent: str, zone: ZoneInfo) -> Calendar:
    """Return when our own batons are due.

    Args:
        batons: all that are planned or derived, of all agents.
        own_agent: whose are ours. Of those without a slot, and where there are none, the slot is `USUAL_SLOT`, or half
            an hour after the others' last one where that is later.
        zone: in which slots are meant.
    """
    others = [one.slot for one in batons if one.agent != own_agent and one.slot is not None]
    usual = _after(max(others)) if others else USUAL_SLOT
    own = tuple(
        one if one.slot is not None else Baton(one.agent, one.topic, usual, one.days)
        for one in batons
        if one.agent == own_agent
    )
    return Calendar(own or (Baton(own_agent, None, usual),), zone, is_assumed=not own)


def due(calendar: Calendar, now: dt.datetime, *, done: Collection[Turn], since: dt.date | None = None) -> DueTurns:
    """Return what is due at a moment and not done.

    Of each topic only the last turn runs; what was missed before it is named, and covered by that run. Nothing before the
    earliest turn done counts as missed; where none was ever done, the relay begins with the day of `now`.

    Args:
        calendar: when our own batons are due.
        now: the moment, with its zone.
        done: all turns that were done or covered.
        since: the day on which the relay began, the earliest turn's by default; nothing before it was missed.
    """
    today = now.astimezone(calendar.zone).date()
    first = min(since or min((turn.date for turn in done), default=today), today)
    start = max(first, today - dt.timedelta(days=LOOK_BACK_DAYS))
    known = frozenset(done)
    past = [turn for day in _days(start, (today - start).days + 1) for turn in calendar.turns_on(day)]
    open_turns = [turn for turn in past if calendar.due_at(turn) <= now and turn not in known]
    # on its first day nothing is made up for that lies before its first turn; a clock that was ahead does not count
    earliest = min((at for turn in known if turn.date == first and (at := calendar.due_at(turn)) <= now), default=None)
    return _last([turn for turn in open_turns if earliest is None or calendar.due_at(turn) >= earliest])


def due_on(calendar: Calendar, day: dt.date, now: dt.datetime, *, done: Collection[Turn]) -> DueTurns:
    """Return what of one day is due at a moment and not done, as `due` does."""
    known = frozenset(done)
    return _last([turn for turn in calendar.turns_on(day) if calendar.due_at(turn) <= now and turn not in known])


def moment(day: dt.date, time: dt.time, zone: ZoneInfo) -> dt.datetime:
    """Return the moment of a time of day, in UTC: after the gap where the clock skips it, the first where it comes twice."""
    return dt.datetime.combine(day, time, tzinfo=zone).astimezone(dt.UTC)


def _last(open_turns: Sequence[Turn]) -> DueTurns:
    """Split the turns that are open, in their order: the last one of each topic runs, and covers those before it.

    A digest of all topics covers those of single ones.
    """
    running: list[Turn] = []
    covered: list[Turn] = []
    slots: dict[str | None, tuple[dt.date, str]] = {}  # of each topic that runs
    for turn in reversed(open_turns):
        slot = (turn.date, turn.slot)
        # beside one of all topics it was asked for by itself
        is_covered = turn.topic in slots or slots.get(None, slot) != slot
        (covered if is_covered else running).append(turn)
        slots.setdefault(turn.topic, slot)
    return DueTurns(tuple(reversed(running)), tuple(reversed(covered)))


def _after(time: dt.time) -> dt.time:
    """Half an hour later, not before the usual slot and not after the last one that leaves room in the day."""
    later = dt.datetime.combine(dt.date.min, time) + AFTER_OTHERS
    return min(max(later.time() if later.date() == dt.date.min else LAST_SLOT, USUAL_SLOT), LAST_SLOT)


def _days(first: dt.date, number: int) -> Iterator[dt.date]:
    for ordinal in range(first.toordinal(), min(first.toordinal() + number, dt.date.max.toordinal())):
        yield dt.date.fromordinal(ordinal)

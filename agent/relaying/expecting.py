"""What is expected of whom on a day: the plan of `agent.toml`, or what the inbox's history shows, with the moments of slots.

Promises: pure; what our own agent plans is expected of nobody.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from agent.batons import PlanSource
from agent.relaying.history import LATE_NIGHT, derive
from agent.setting_values import WEEKDAYS
from agent.settings import Baton, Settings
from agent.workspace import ListedNote

EARLY = dt.timedelta(hours=1)  # that a baton may come before its slot, at most half of the time since the slot before
ACROSS_MIDNIGHT = dt.timedelta(hours=6)  # that one may come after its slot on the day after it


@dataclass(frozen=True, slots=True)
class DueBaton:
    """A baton of one day; `at` is the moment of its slot, None where any time of the day will do."""

    baton: Baton
    day: dt.date
    at: dt.datetime | None


def expected(settings: Settings, history: Iterable[ListedNote], date: dt.date) -> tuple[PlanSource, tuple[Baton, ...]]:
    """Return the batons of all weekdays and where they come from; one of any kind for an expected agent without a plan.

    Args:
        settings: what is planned.
        history: notes of the weeks before, by their names alone; asked only where nothing is planned.
        date: the day that is asked about.
    """
    own = settings.own_agent
    planned = [baton for baton in settings.batons if baton.agent != own]
    with_plan = {baton.agent for baton in planned}
    planned += [Baton(agent) for agent in settings.agents if agent not in with_plan and agent != own]
    if planned:
        return "given", tuple(planned)
    derived = derive(history, date=date, own_agent=own)
    return ("derived" if derived else "none"), derived


def due_around(batons: Sequence[Baton], date: dt.date, zone: ZoneInfo) -> tuple[DueBaton, ...]:
    """Return the batons of a day in the plan's order, and those of the days around it that a note of it may answer."""
    today = date.toordinal()
    near = {ordinal: dt.date.fromordinal(ordinal) for ordinal in (today - 1, today + 1) if _is_day(ordinal)}
    before = (one for one in _of_day(batons, near[today - 1], zone) if _is_late(one)) if today - 1 in near else ()
    after = (one for one in _of_day(batons, near[today + 1], zone) if _is_early(one)) if today + 1 in near else ()
    return (*_of_day(batons, date, zone), *before, *after)


def moment(day: dt.date, time: dt.time, zone: ZoneInfo) -> dt.datetime:
    """Return the moment of a time of day, in UTC: after the gap where the clock skips it, the first where it comes twice."""
    try:
        return dt.datetime.combine(day, time, tzinfo=zone).astimezone(dt.UTC)
    except OverflowError:  # at the ends of the calendar
        return dt.datetime.combine(day, time, tzinfo=dt.UTC)


class TurnDays:
    """Tells which day's turn a note is, by its name: after midnight it may belong to the evening before."""

    def __init__(self, batons: Iterable[Baton]) -> None:
        self._first: dict[tuple[str, str], dt.time] = {}
        self._last: dict[tuple[str, str], dt.time] = {}
        for one in batons:
            for day in one.days if one.slot else ():
                key = (one.agent, day)
                self._first[key] = min(one.slot or dt.time.max, self._first.get(key, dt.time.max))
                self._last[key] = max(one.slot or dt.time.min, self._last.get(key, dt.time.min))

    def day_of(self, agent: str, day: dt.date, time: dt.time | None) -> dt.date:
        """Return the day whose turn it is; the note's own where no slot of the day before is near."""
        if time is None or time >= LATE_NIGHT or not _is_day(day.toordinal() - 1):
            return day
        before = day - dt.timedelta(days=1)
        last = self._last.get((agent, WEEKDAYS[before.weekday()]))
        first = self._first.get((agent, WEEKDAYS[day.weekday()]), dt.time.max)
        is_near = last is not None and _minutes(time) + 24 * 60 - _minutes(last) <= _in_minutes(ACROSS_MIDNIGHT)
        return before if is_near and _minutes(time) + _in_minutes(EARLY) < _minutes(first) else day


def _of_day(batons: Iterable[Baton], day: dt.date, zone: ZoneInfo) -> Iterator[DueBaton]:
    for one in batons:
        if WEEKDAYS[day.weekday()] in one.days:
            yield DueBaton(one, day, moment(day, one.slot, zone) if one.slot else None)


def _is_late(due: DueBaton) -> bool:
    slot = due.baton.slot
    return slot is not None and _minutes(slot) + _in_minutes(ACROSS_MIDNIGHT) >= 24 * 60


def _is_early(due: DueBaton) -> bool:
    slot = due.baton.slot
    return slot is not None and _minutes(slot) < _in_minutes(EARLY)


def _is_day(ordinal: int) -> bool:
    return dt.date.min.toordinal() <= ordinal <= dt.date.max.toordinal()


def _minutes(time: dt.time) -> int:
    return time.hour * 60 + time.minute


def _in_minutes(span: dt.timedelta) -> int:
    return int(span.total_seconds()) // 60

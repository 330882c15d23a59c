"""What the inbox's history shows where `agent.toml` plans nothing: who usually comes, on which weekdays and at about what time.

Promises: pure, from names alone; too little history derives nothing; time is linear in the notes.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from statistics import median_low

from agent.setting_values import WEEKDAYS
from agent.settings import Baton
from agent.workspace import ListedNote

HISTORY_DAYS = 14
LATE_NIGHT = dt.time(6)  # what comes before it may belong to the evening before
_EVENING = dt.time(18)
_LEAST_DAYS = 3  # on which an agent came, before it is expected
_USUAL_SHARE = 4 / 5  # of the days on which it could have come; of its days, for a name to be a turn of its own
_WORKDAYS = 5
_DAY_MINUTES = 24 * 60
_ONE_DAY = dt.timedelta(days=1)

_Days = Mapping[
    dt.date, int | None
]  # the day's first arrival, in minutes after midnight (of the day); None where no name tells


def derive(listed: Iterable[ListedNote], *, date: dt.date, own_agent: str) -> tuple[Baton, ...]:
    """Return the batons that the history leads to expect, by agent and topic.

    An agent is expected when it came on at least three days of the two weeks before, and, between its first and its last
    coming, on most of the days of its weekdays on which anything came. Its weekdays are those on which it came, and those
    that the history is too short to hold, where it came on most days of that kind (workdays, weekend). Its slot is the
    median of the times at which it came first. Where its notes go by two or more names that come nearly each time, each
    of them is a baton, with the name for its topic.

    Args:
        listed: notes by their names alone; those of `date` and later are left aside.
        date: the day that is asked about.
        own_agent: whose notes are ours, and expect nothing.
    """
    notes = [one for one in listed if one.outcome is None and one.date is not None and one.agent != own_agent]
    notes = [one for one in notes if one.date and 0 < (date - one.date).days <= HISTORY_DAYS and one.agent]
    active = frozenset(one.date for one in notes if one.date)
    of_agent: dict[str, list[ListedNote]] = defaultdict(list)
    for one in notes:
        of_agent[one.agent].append(one)
    return tuple(baton for agent in sorted(of_agent) for baton in _batons(agent, of_agent[agent], active))


def _batons(agent: str, notes: Iterable[ListedNote], active: Collection[dt.date]) -> list[Baton]:
    by_name: dict[str, list[ListedNote]] = defaultdict(list)
    whole = list(notes)
    for one in whole:
        by_name[one.slug.casefold()].append(one)
    days = _first_times(whole)
    weekdays = _weekdays(days, active)
    if not weekdays:
        return []
    turns = {name: _first_times(notes) for name, notes in by_name.items() if name}
    turns = {name: own for name, own in turns.items() if len(own) >= max(_LEAST_DAYS, _USUAL_SHARE * len(days))}
    if len(turns) < 2:
        return [Baton(agent, None, _usual_time(days), weekdays)]
    return [Baton(agent, name, _usual_time(own), weekdays) for name, own in sorted(turns.items())]


def _first_times(notes: Iterable[ListedNote]) -> dict[dt.date, int | None]:
    """Return the days on which notes came, and when first; what comes around midnight belongs to the evening."""
    timed = list(notes)
    is_nightly = any(one.time and one.time >= _EVENING for one in timed)
    days: dict[dt.date, int | None] = {}
    for one in timed:
        if one.date is None:
            continue
        day, minutes = one.date, None if one.time is None else one.time.hour * 60 + one.time.minute
        if minutes is not None and one.time and one.time < LATE_NIGHT and is_nightly:
            day, minutes = day - _ONE_DAY, minutes + _DAY_MINUTES
        before = days.get(day)
        days[day] = min((known for known in (before, minutes) if known is not None), default=None)
    return days


def _weekdays(days: _Days, active: Collection[dt.date]) -> tuple[str, ...]:
    """Return the weekdays on which an agent is expected, in week order; none where it shows no rhythm."""
    if len(days) < _LEAST_DAYS:
        return ()
    own = {day.weekday() for day in days}
    between = [day for day in active if min(days) <= day <= max(days)]
    if sum(day.weekday() in own for day in between) * _USUAL_SHARE > len(days):
        return ()
    first, last = min(active), max(active)
    seen = {(first + number * _ONE_DAY).weekday() for number in range((last - first).days + 1)}
    own |= {weekday for weekday in set(range(7)) - seen if _comes_on_such(weekday, days, active)}
    return tuple(WEEKDAYS[weekday] for weekday in sorted(own))


def _comes_on_such(weekday: int, days: _Days, active: Collection[dt.date]) -> bool:
    """Whether an agent came on most days that are workdays, or weekend, as a weekday is."""
    such = [day for day in active if (day.weekday() < _WORKDAYS) == (weekday < _WORKDAYS)]
    return bool(such) and sum(day in days for day in such) >= _USUAL_SHARE * len(such)


def _usual_time(days: _Days) -> dt.time | None:
    """Return the median of the first times, at most the last minute of the day; None where most names tell no time."""
    times = [minutes for minutes in days.values() if minutes is not None]
    if 2 * len(times) <= len(days):
        return None
    hour, minute = divmod(min(median_low(times), _DAY_MINUTES - 1), 60)
    return dt.time(hour, minute)

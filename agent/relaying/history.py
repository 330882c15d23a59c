"""What the inbox's history shows where `agent.toml` plans nothing: who usually comes, on which days and at about what time.

Promises: pure; too little history derives nothing; workdays and weekends are told apart, since agents rest too.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from statistics import median_low

from agent.setting_values import WEEKDAYS
from agent.settings import Baton
from agent.workspace import ListedNote

HISTORY_DAYS = 14
_LEAST_DAYS = 3  # on which an agent came, before it is expected
_USUAL_SHARE = 0.6  # of the days of a kind on which anything came
_WORKDAYS, _WEEKEND = WEEKDAYS[:5], WEEKDAYS[5:]


def derive(listed: Iterable[ListedNote], *, date: dt.date, own_agent: str) -> tuple[Baton, ...]:
    """Return the batons that the history leads to expect, by agent.

    An agent is expected on workdays, or on weekends, when it came on at least three days of the last two weeks, and on most
    of the days of that kind on which anything came; its slot is the time at which it usually came first, None where its
    names tell none.

    Args:
        listed: notes of the days before, by their names alone; those of `date` and later are left aside.
        date: the day that is asked about.
        own_agent: whose notes are ours, and expect nothing.
    """
    came = first_times(listed, date=date, own_agent=own_agent)
    active = {day for days in came.values() for day in days}
    batons = []
    for agent in sorted(came):
        days = came[agent]
        if len(days) < _LEAST_DAYS:
            continue
        kinds = [kind for kind in (_WORKDAYS, _WEEKEND) if _is_usual(days, active, kind)]
        if kinds:
            times = [time for time in days.values() if time is not None]
            slot = median_low(times) if 2 * len(times) > len(days) else None
            batons.append(Baton(agent, None, slot, tuple(day for kind in kinds for day in kind)))
    return tuple(batons)


def first_times(
    listed: Iterable[ListedNote], *, date: dt.date, own_agent: str
) -> dict[str, dict[dt.date, dt.time | None]]:
    """Return for each agent the days on which it came within two weeks before a date, and when first; None where no name tells."""
    came: dict[str, dict[dt.date, dt.time | None]] = {}
    earliest = date - dt.timedelta(days=HISTORY_DAYS)
    for one in listed:
        if one.outcome is not None or one.date is None or not earliest <= one.date < date or one.agent == own_agent:
            continue
        days = came.setdefault(one.agent, {})
        before = days.get(one.date)
        days[one.date] = min(filter(None, (before, one.time)), default=None)
    return came


def _is_usual(days: Mapping[dt.date, object], active: Iterable[dt.date], kind: Sequence[str]) -> bool:
    of_kind = [day for day in active if WEEKDAYS[day.weekday()] in kind]
    came = sum(day in days for day in of_kind)
    return bool(of_kind) and came >= _USUAL_SHARE * len(of_kind)

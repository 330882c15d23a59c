"""How the agents kept their turns over the last days: steady, falling back, silent, or back again.

Promises: pure; a day on which an agent was not expected is no day that it missed; time is linear in notes and batons.
"""

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from agent.batons import DayCount, Rhythm, RhythmState
from agent.setting_values import WEEKDAYS
from agent.settings import Baton

RHYTHM_DAYS = 10
_LEAST_DAYS = 4  # on which an agent was expected, before its rhythm is told
_LATELY = 2  # expected days in a row
_NEWS = 3  # expected days for which being back again is worth telling


def rhythm(
    came: Mapping[tuple[str, dt.date], int], batons: Iterable[Baton], *, date: dt.date, is_over: bool = True
) -> tuple[Rhythm, ...]:
    """Return how each agent that is expected, or came, kept its turns, by agent.

    Nothing is held against anybody before the earliest day on which anything came.

    Args:
        came: how many notes came of an agent on a day.
        batons: what is expected of each agent, planned or derived.
        date: the last day.
        is_over: that day is over; else what has not come yet is not held against anybody.
    """
    expected = Counter((one.agent, day) for one in batons for day in one.days)
    agents = {agent for agent, _ in (*expected, *came)}
    last, first = date.toordinal(), min((day for _, day in came), default=date).toordinal()
    looked_at = [dt.date.fromordinal(ordinal) for ordinal in range(max(first, last - RHYTHM_DAYS + 1), last + 1)]
    found = []
    for agent in sorted(agents):
        days = [
            DayCount(date=day, expected=expected[agent, WEEKDAYS[day.weekday()]], came=came.get((agent, day), 0))
            for day in looked_at
        ]
        days = [one for one in days if (one.expected or one.came) and _is_told(one, is_over=is_over or one.date < date)]
        found.append(Rhythm(agent=agent, state=_state([one for one in days if one.expected]), days=tuple(days)))
    return tuple(found)


def _is_told(day: DayCount, *, is_over: bool) -> bool:
    return is_over or day.came >= day.expected


def _state(days: Sequence[DayCount]) -> RhythmState:
    """The state by the days on which the agent was expected."""
    if len(days) < _LEAST_DAYS:
        return "unknown"
    full = [one.came >= one.expected for one in days]
    if not any(one.came for one in days[-_LATELY:]):
        return "silent"
    if not any(full[-_LATELY:]) and any(full[:-_LATELY]):
        return "falling_back"
    gaps = [number for number, pair in enumerate(pairwise(full)) if not any(pair)]  # each begins with its first day
    is_back = full[-1] and bool(gaps) and any(full[: gaps[0]]) and len(full) - (gaps[-1] + 2) <= _NEWS
    return "recovered" if is_back else "steady"

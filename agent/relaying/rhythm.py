"""How the agents kept their turns over the last days: steady, falling back, silent, or back again.

Promises: pure; a day on which an agent was not expected is no day that it missed.
"""

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from agent.batons import DayCount, Rhythm, RhythmState
from agent.setting_values import WEEKDAYS
from agent.settings import Baton
from agent.workspace import ListedNote

RHYTHM_DAYS = 10
_LEAST_DAYS = 4  # on which an agent was expected, before its rhythm is told
_LATELY = 2  # expected days in a row


def rhythm(
    listed: Iterable[ListedNote], batons: Sequence[Baton], *, date: dt.date, is_over: bool = True
) -> tuple[Rhythm, ...]:
    """Return how each agent that is expected kept its turns, by agent.

    Args:
        listed: notes of the days looked at, by their names alone.
        batons: what is expected of each agent, planned or derived.
        date: the last day.
        is_over: that day is over; else what has not come yet is not held against anybody.
    """
    first = date - dt.timedelta(days=RHYTHM_DAYS - 1)
    notes = [one for one in listed if one.outcome is None and one.date is not None and first <= one.date <= date]
    came = Counter((one.agent, one.date) for one in notes)
    known_since = min((one.date for one in notes if one.date), default=date)
    found = []
    for agent in sorted({one.agent for one in batons}):
        own = [one for one in batons if one.agent == agent]
        days = []
        for back in range((date - max(first, known_since)).days, -1, -1):
            day = date - dt.timedelta(days=back)
            expected = sum(WEEKDAYS[day.weekday()] in one.days for one in own)
            if expected and (back or is_over or came[agent, day] >= expected):
                days.append(DayCount(date=day, expected=expected, came=came[agent, day]))
        found.append(Rhythm(agent=agent, state=_state(days), days=tuple(days)))
    return tuple(found)


def _state(days: Sequence[DayCount]) -> RhythmState:
    if len(days) < _LEAST_DAYS:
        return "unknown"
    full = [one.came >= one.expected for one in days]
    any_came = [one.came > 0 for one in days]
    if not any(any_came[-_LATELY:]) and any(any_came[:-_LATELY]):
        return "silent"
    if not any(full[-_LATELY:]) and any(full[:-_LATELY]):
        return "falling_back"
    gaps = any(not (one or other) for one, other in pairwise(full))
    return "recovered" if full[-1] and gaps else "steady"

"""Whatever the clock does between runs, each turn is done or covered at most once, and none is lost."""

import datetime as dt
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from agent.handoffs import Turn
from agent.relaying.turns import LOOK_BACK_DAYS, Calendar, calendar_of, due
from agent.setting_values import WEEKDAYS
from agent.settings import Baton

ZONES = ("Asia/Shanghai", "Europe/Berlin", "America/New_York", "UTC", "Asia/Kathmandu", "Australia/Lord_Howe")
SLOTS = ("00:00", "01:30", "02:00", "02:30", "03:00", "12:00", "19:00", "23:59")
TOPICS = (None, "agents", "inference")
# Just before both changes of the clocks of Berlin and New York, a leap day and ends of months.
BEGINNINGS = ("2026-03-07", "2026-03-27", "2026-10-23", "2026-10-30", "2028-02-27", "2026-12-30", "2026-06-28")

batons = st.builds(
    lambda topic, slot, days: Baton(
        "digest", topic, dt.time.fromisoformat(slot), tuple(sorted(days, key=WEEKDAYS.index))
    ),
    st.sampled_from(TOPICS),
    st.sampled_from(SLOTS),
    st.sets(st.sampled_from(WEEKDAYS), min_size=1),
)
calendars = st.builds(
    lambda made, zone: calendar_of(made, "digest", ZoneInfo(zone)),
    st.lists(batons, min_size=1, max_size=4),
    st.sampled_from(ZONES),
)
beginnings = st.builds(
    lambda day, minutes: dt.datetime.fromisoformat(f"{day}T00:00+00:00") + dt.timedelta(minutes=minutes),
    st.sampled_from(BEGINNINGS),
    st.integers(0, 3 * 1440),
)
steps = st.one_of(
    st.integers(1, 90).map(lambda minutes: dt.timedelta(minutes=minutes)),
    st.sampled_from([-1, 1]).map(lambda hours: dt.timedelta(hours=hours)),
    st.integers(-3, 12).map(lambda days: dt.timedelta(days=days)),
)


def all_turns(calendar: Calendar, first: dt.datetime, last: dt.datetime) -> set[Turn]:
    """The turns from the day of one moment on that are due by another one."""
    start, end = (one.astimezone(calendar.zone).date() for one in (first, last))
    days = (dt.date.fromordinal(number) for number in range(start.toordinal(), end.toordinal() + 1))
    return {turn for day in days for turn in calendar.turns_on(day) if calendar.due_at(turn) <= last}


@given(calendar=calendars, first=beginnings, moves=st.lists(steps, max_size=25))
def test_each_turn_is_done_or_covered_once_and_none_is_lost(calendar, first, moves):
    now = earliest = latest = first
    since: dt.date | None = None
    done: list[Turn] = []
    for move in [dt.timedelta(), *moves]:
        now += move
        today = now.astimezone(calendar.zone).date()
        since = min(since or today, today)  # as the ledger keeps it
        wanted = due(calendar, now, done=done, since=since)
        assert all(calendar.due_at(turn) <= now for turn in (*wanted.turns, *wanted.caught_up))
        done += [*wanted.turns, *wanted.caught_up]
        assert len(done) == len(set(done)), "a turn is done twice"
        assert () == due(calendar, now, done=done, since=since).turns, "a second run finds nothing"
        earliest, latest = min(earliest, now), max(latest, now)
    assert all_turns(calendar, first, latest) <= set(done), "a turn is lost"
    assert set(done) <= all_turns(calendar, earliest, latest), "a turn is done that was never due"


@given(calendar=calendars, first=beginnings, days=st.integers(0, LOOK_BACK_DAYS))
def test_a_machine_that_was_off_runs_each_topic_once(calendar, first, days):
    since = first.astimezone(calendar.zone).date()

    wanted = due(calendar, first + dt.timedelta(days=days), done=(), since=since)

    topics = [turn.topic for turn in wanted.turns]
    assert len(topics) == len(set(topics))
    whole = next((turn for turn in wanted.turns if turn.topic is None), None)
    if whole is not None:  # it covers what was due before it, save what was asked for beside it
        assert all(calendar.due_at(turn) >= calendar.due_at(whole) for turn in wanted.turns)


@given(calendar=calendars, moment=beginnings)
def test_the_next_turn_is_due_at_its_moment_and_not_a_second_before(calendar, moment):
    following = calendar.next_due(moment)

    assert following is not None
    assert following > moment
    today = following.date()
    at = {turn for turn in calendar.turns_on(today) if calendar.due_at(turn) == following}
    early = following.astimezone(dt.UTC) - dt.timedelta(seconds=1)  # the local clock may skip that second
    before = due(calendar, early, done=(), since=today)
    assert not at & {*before.turns, *before.caught_up}
    there = due(calendar, following, done=(), since=today)
    assert at <= {*there.turns, *there.caught_up}

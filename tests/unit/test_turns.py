"""A turn is due once, whatever the clock does; what was missed is covered by the run that comes."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from agent.handoffs import Turn
from agent.relaying.turns import Calendar, calendar_of, due, due_on
from agent.setting_values import WEEKDAYS
from agent.settings import Baton

SHANGHAI, BERLIN, NEW_YORK = (ZoneInfo(name) for name in ("Asia/Shanghai", "Europe/Berlin", "America/New_York"))
DAY = dt.timedelta(days=1)


def own(slot: str | None, topic: str | None = None, days: tuple[str, ...] = WEEKDAYS, agent: str = "digest") -> Baton:
    return Baton(agent, topic, dt.time.fromisoformat(slot) if slot else None, days)


def calendar(*batons: Baton, zone: ZoneInfo = SHANGHAI) -> Calendar:
    return calendar_of(batons, "digest", zone)


def turn(day: str, slot: str = "19:00", topic: str | None = None) -> Turn:
    return Turn(topic=topic, date=dt.date.fromisoformat(day), slot=slot)


def at(moment: str, zone: ZoneInfo = SHANGHAI) -> dt.datetime:
    return dt.datetime.fromisoformat(moment).replace(tzinfo=zone)


EVENING = calendar(own("19:00"))


def test_before_its_slot_a_turn_is_not_due_and_from_then_on_it_is():
    assert () == due(EVENING, at("2026-09-14 18:59:59"), done=()).turns
    assert (turn("2026-09-14"),) == due(EVENING, at("2026-09-14 19:00"), done=()).turns


def test_what_is_done_is_not_due_again():
    assert () == due(EVENING, at("2026-09-14 23:59"), done=[turn("2026-09-14")]).turns


@pytest.mark.parametrize("missed", [0, 1, 5])
def test_the_last_turn_runs_and_covers_those_missed_before(missed):
    now = at("2026-09-14 19:30") + (missed + 1) * DAY

    found = due(EVENING, now, done=[turn("2026-09-14")], since=dt.date(2026, 9, 14))

    assert (Turn(date=now.date(), slot="19:00"),) == found.turns
    assert [15 + day for day in range(missed)] == [one.date.day for one in found.caught_up]


def test_what_was_missed_longer_ago_than_a_month_is_let_go():
    found = due(EVENING, at("2026-09-14 19:30"), done=(), since=dt.date(2026, 1, 1))

    assert 31 == len(found.caught_up)


def test_turns_since_the_relay_began_count_though_none_was_ever_done():
    found = due(EVENING, at("2026-09-16 12:00"), done=(), since=dt.date(2026, 9, 14))

    assert ((turn("2026-09-15"),), (turn("2026-09-14"),)) == (found.turns, found.caught_up)


def test_a_day_of_long_ago_that_was_made_by_itself_makes_nothing_missed():
    found = due(EVENING, at("2026-09-14 19:30"), done=[turn("2026-08-30")], since=dt.date(2026, 9, 14))

    assert ((turn("2026-09-14"),), ()) == (found.turns, found.caught_up)


def test_a_relay_that_began_by_a_clock_ahead_of_now_begins_today():
    ahead = dt.date(2027, 9, 14)
    found = due(EVENING, at("2026-09-14 19:30"), done=[turn("2027-09-14")], since=ahead)

    assert ((turn("2026-09-14"),), ()) == (found.turns, found.caught_up)


def test_on_the_first_day_nothing_is_made_up_for_that_lies_before_the_first_turn():
    two = calendar(own("08:00"), own("19:00"))

    assert () == due(two, at("2026-09-14 20:00"), done=[turn("2026-09-14")], since=dt.date(2026, 9, 14)).turns


def test_of_each_topic_the_last_turn_runs_and_one_of_all_topics_covers_them():
    plan = calendar(own("10:00", "agents"), own("12:00", "agents"), own("12:00", "inference"), own("19:00"))

    noon = due(plan, at("2026-09-14 13:00"), done=())
    night = due(plan, at("2026-09-14 20:00"), done=())

    assert (turn("2026-09-14", "12:00", "agents"), turn("2026-09-14", "12:00", "inference")) == noon.turns
    assert (turn("2026-09-14", "10:00", "agents"),) == noon.caught_up
    assert ((turn("2026-09-14"),), 3) == (night.turns, len(night.caught_up))


def test_two_turns_of_one_slot_both_run():
    plan = calendar(own("19:00"), own("19:00", "agents"))

    assert 2 == len(due(plan, at("2026-09-14 19:00"), done=()).turns)


@pytest.mark.parametrize(
    ("zone", "day", "slot", "before", "after"),
    [
        # the clock goes from 02:00 to 03:00: 02:30 is never shown
        (BERLIN, "2026-03-29", "02:30", "2026-03-29T01:29+00:00", "2026-03-29T01:30+00:00"),
        (NEW_YORK, "2026-03-08", "02:30", "2026-03-08T07:29+00:00", "2026-03-08T07:30+00:00"),
        # it goes from 03:00 back to 02:00, and from 02:00 to 01:00: 02:30 and 01:30 are shown twice
        (BERLIN, "2026-10-25", "02:30", "2026-10-25T00:29+00:00", "2026-10-25T00:30+00:00"),
        (NEW_YORK, "2026-11-01", "01:30", "2026-11-01T05:29+00:00", "2026-11-01T05:30+00:00"),
    ],
)
def test_a_slot_in_the_gap_or_in_the_repeated_hour_is_due_once(zone, day, slot, before, after):
    plan = calendar(own(slot), zone=zone)
    yesterday = dt.date.fromisoformat(day) - DAY
    done = [Turn(date=yesterday, slot=slot)]
    early, there = dt.datetime.fromisoformat(before), dt.datetime.fromisoformat(after)

    assert () == due(plan, early, done=done, since=yesterday).turns
    assert (turn(day, slot),) == due(plan, there, done=done, since=yesterday).turns
    for hours in range(20):
        assert () == due(plan, there + dt.timedelta(hours=hours), done=[*done, turn(day, slot)], since=yesterday).turns


@pytest.mark.parametrize("day", ["2028-02-28", "2028-02-29", "2027-02-28", "2026-12-31", "2026-04-30"])
def test_the_next_turn_comes_the_day_after_also_at_the_ends_of_months_and_in_leap_years(day):
    following = at(f"{day} 19:00") + DAY

    assert following == EVENING.next_due(at(f"{day} 19:00"))
    assert (Turn(date=following.date(), slot="19:00"),) == due(
        EVENING, following, done=[turn(day)], since=dt.date.fromisoformat(day)
    ).turns


def test_a_day_of_the_week_that_is_not_planned_has_no_turn():
    working = calendar(own("19:00", days=("mon", "fri")))

    assert ["mon", "fri", "mon"] == [
        WEEKDAYS[dt.date(2026, 9, day).weekday()] for day in range(14, 22) if working.turns_on(dt.date(2026, 9, day))
    ]
    assert at("2026-09-18 19:00") == working.next_due(at("2026-09-14 19:00"))


def test_a_day_asked_for_by_itself_has_only_its_own_turns_and_none_that_lie_ahead():
    two = calendar(own("08:00"), own("19:00"))
    now = at("2026-09-14 12:00")

    assert (turn("2026-09-14", "08:00"),) == due_on(two, dt.date(2026, 9, 14), now, done=()).turns
    assert (turn("2026-09-10"),) == due_on(two, dt.date(2026, 9, 10), now, done=()).turns
    assert () == due_on(two, dt.date(2026, 9, 10), now, done=two.turns_on(dt.date(2026, 9, 10))).turns


@pytest.mark.parametrize(
    ("others", "slot"), [((), "18:00"), (("09:00",), "18:00"), (("18:40", "11:00"), "19:10"), (("23:45",), "23:30")]
)
def test_an_own_baton_is_assumed_after_the_others_where_none_is_planned(others, slot):
    assumed = calendar(*(own(one, agent="tom") for one in others))

    assert (True, [slot]) == (assumed.is_assumed, [one.slot for one in assumed.turns_on(dt.date(2026, 9, 14))])


def test_an_own_baton_without_a_slot_comes_after_the_others():
    plan = calendar(own(None, "agents"), own("20:00", agent="tom"))

    assert (False, [turn("2026-09-14", "20:30", "agents")]) == (
        plan.is_assumed,
        list(plan.turns_on(dt.date(2026, 9, 14))),
    )


def test_a_plan_is_told_from_another_one_whatever_its_order():
    assert calendar(own("08:00"), own("19:00")).fingerprint == calendar(own("19:00"), own("08:00")).fingerprint
    others = [calendar(own("19:00"), zone=BERLIN), calendar(own("19:01")), calendar(own("19:00", days=("mon",)))]
    assert len({EVENING.fingerprint, *(one.fingerprint for one in others)}) == 4


def test_the_last_day_of_all_has_no_next_turn():
    assert EVENING.next_due(dt.datetime(9999, 12, 31, 12, tzinfo=dt.UTC)) is None

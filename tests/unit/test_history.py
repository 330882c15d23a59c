import datetime as dt
from collections.abc import Iterable

import pytest

from agent.relaying.history import derive
from agent.settings import Baton
from agent.workspace import ListedNote

MONDAY = dt.date(2026, 7, 27)
WORKDAYS = ("mon", "tue", "wed", "thu", "fri")


def listed(days: Iterable[int], agent: str = "tom", *, at: str = "", slug: str = "") -> list[ListedNote]:
    """Notes so many days before the Monday."""
    time = dt.time.fromisoformat(at) if at else None
    return [
        ListedNote(f"inbox/{agent}/{back}-{slug}.md", agent, MONDAY - dt.timedelta(days=back), time, slug)
        for back in days
    ]


def derived(*notes: list[ListedNote], date: dt.date = MONDAY) -> tuple[Baton, ...]:
    return derive([note for group in notes for note in group], date=date, own_agent="digest")


def test_too_little_history_derives_nothing() -> None:
    assert derived(listed([1, 2]), listed([1], "amy")) == ()


def test_an_agent_that_comes_on_workdays_is_expected_on_them_at_its_median_time() -> None:
    early, late = listed([3, 4, 5, 6, 10], at="11:00"), listed([7, 11, 12, 13, 14], at="11:20")
    assert derived(early, late) == (Baton("tom", None, dt.time(11), WORKDAYS),)


def test_an_agent_is_expected_on_the_weekdays_on_which_it_came() -> None:
    mondays_wednesdays_fridays = listed([3, 5, 7, 10, 12, 14])
    others = listed(range(1, 15), "amy")
    tom = next(one for one in derived(mondays_wednesdays_fridays, others) if one.agent == "tom")
    assert tom.days == ("mon", "wed", "fri")


def test_a_history_too_short_for_a_weekday_tells_by_days_of_its_kind() -> None:
    """Wednesday to Sunday came each time: so will the other workdays."""
    assert derived(listed([1, 2, 3, 4, 5]))[0].days == (*WORKDAYS, "sat", "sun")
    assert derived(listed([3, 4, 5]))[0].days == WORKDAYS


def test_an_agent_that_comes_now_and_then_is_not_expected() -> None:
    assert [one.agent for one in derived(listed([1, 5, 12]), listed(range(1, 15), "amy"))] == ["amy"]


def test_an_agent_that_fell_silent_is_still_expected() -> None:
    """It came on each workday of the week before last, and on none of the last."""
    tom = next(one for one in derived(listed(range(10, 15)), listed(range(1, 15), "amy")) if one.agent == "tom")
    assert tom.days == WORKDAYS


def test_days_on_which_nobody_came_are_held_against_nobody() -> None:
    assert derived(listed([3, 4, 5, 6, 7, 10, 11, 12]))[0].days == WORKDAYS


@pytest.mark.parametrize(("times", "slot"), [(("", "", "09:00"), None), (("", "09:00", "09:10"), dt.time(9))])
def test_a_slot_is_told_where_most_names_tell_times(times: tuple[str, ...], slot: dt.time | None) -> None:
    notes = [listed([back], at=at) for back, at in zip((3, 4, 5), times, strict=True)]
    assert derived(*notes)[0].slot == slot


def test_times_around_midnight_belong_to_the_evening() -> None:
    """Three evenings: 23:50, ten past midnight, 23:40."""
    assert derived(listed([5], at="23:50"), listed([3], at="00:10"), listed([3], at="23:40")) == (
        Baton("tom", None, dt.time(23, 50), WORKDAYS),
    )


def test_names_that_come_each_time_are_turns_of_their_own() -> None:
    radar, brief = listed([3, 4, 5, 6], at="09:00", slug="radar"), listed([3, 4, 5, 6], at="18:00", slug="rag-brief")
    assert derived(radar, brief) == (
        Baton("tom", "radar", dt.time(9), WORKDAYS),
        Baton("tom", "rag-brief", dt.time(18), WORKDAYS),
    )


def test_names_that_differ_each_day_make_one_turn() -> None:
    notes = [listed([back], at="09:00", slug=f"title-{back}") for back in (3, 4, 5, 6)]
    assert derived(*notes) == (Baton("tom", None, dt.time(9), WORKDAYS),)


def test_own_notes_and_files_that_are_no_notes_show_nothing() -> None:
    ignored = [ListedNote(one.path, one.agent, one.date, outcome="ignored") for one in listed([1, 2, 3, 4])]
    assert derived(listed([1, 2, 3, 4], "digest"), ignored) == ()


def test_what_came_on_the_day_or_long_before_it_shows_nothing() -> None:
    assert derived(listed([0, -1, -2, 15, 16, 17])) == ()

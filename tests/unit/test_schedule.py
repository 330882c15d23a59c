"""A schedule runs what is due, goes on after every fault, and ends when it is told to."""

import datetime as dt
import itertools
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

import pytest
from apscheduler.triggers.cron import CronTrigger

from agent import schedule
from agent.errors import ModelUnavailable, StoreError
from agent.handoffs import RelaySummary
from agent.relaying.turns import Calendar, calendar_of
from agent.schedule import Hands, Standing, stay, triggers
from agent.setting_values import WEEKDAYS
from agent.settings import Baton

SHANGHAI = ZoneInfo("Asia/Shanghai")
FAR = dt.datetime(2026, 9, 15, 19, 0, tzinfo=SHANGHAI)
BEAT = 0.02


def plan(*slots: str, zone: ZoneInfo = SHANGHAI, days: tuple[str, ...] = WEEKDAYS) -> Calendar:
    return calendar_of([Baton("digest", None, dt.time.fromisoformat(slot), days) for slot in slots], "digest", zone)


@dataclass
class Played:
    """Hands that do what they are told, and end the schedule when nothing is left to do."""

    runs: list[RelaySummary | BaseException | Callable[[], None]]
    standings: list[Standing | Exception] = field(default_factory=list)
    plans: list[Calendar] = field(default_factory=lambda: [plan("19:00")])
    ending: signal.Signals = signal.SIGTERM
    said: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    moments: list[float] = field(default_factory=list)

    def plan(self) -> Calendar:
        return self.plans.pop(0) if len(self.plans) > 1 else self.plans[0]

    def standing(self) -> Standing:
        if not self.standings:
            signal.raise_signal(self.ending)
            return "idle"
        found = self.standings.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    def run(self) -> RelaySummary:
        self.moments.append(time.monotonic())
        played = self.runs.pop(0)
        if isinstance(played, BaseException):
            raise played
        if isinstance(played, RelaySummary):
            return played
        played()
        return RelaySummary(state="done", next_due=FAR)

    def stay(self) -> int:
        hands = Hands(
            plan=self.plan, standing=self.standing, run=self.run, say=self.said.append, fail=self.failed.append
        )
        return stay(hands, beat_seconds=BEAT)


def due(times: int) -> list[Standing | Exception]:
    return ["due" for _ in range(times)]


DONE = RelaySummary(state="done", next_due=FAR)


@pytest.fixture(autouse=True)
def _in_time(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(schedule, "HELD_SECONDS", BEAT)
    monkeypatch.setattr(schedule, "FIRST_PAUSE_SECONDS", 3 * BEAT)
    before = {one: signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGINT)}
    yield
    assert before == {one: signal.getsignal(one) for one in before}, "the handlers are given back"
    assert not [one for one in threading.enumerate() if one.name == "APScheduler" and one.is_alive()]


def test_it_runs_at_the_start_whatever_the_ledger_says_and_says_when_it_is_next():
    played = Played(runs=[RelaySummary(state="nothing_due", next_due=FAR)], standings=["idle"])

    assert 0 == played.stay()
    assert [] == played.runs
    assert ["Next: 2026-09-15 19:00 CST."] == played.said


def test_it_runs_when_something_is_due_and_not_otherwise():
    played = Played(runs=[DONE, DONE], standings=["idle", "idle", "idle", "due", "idle", "idle"])

    assert 0 == played.stay()
    assert [] == played.runs


@pytest.mark.parametrize(("ending", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_it_after_the_run_under_way(ending, status):
    ended: list[str] = []

    def run() -> None:
        signal.raise_signal(ending)
        ended.append("run")

    assert status == Played(runs=[run], standings=["idle", "due"], ending=ending).stay()
    assert ["run"] == ended


@pytest.mark.parametrize("second", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_ends_it_at_once(second):
    def run() -> None:
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(second)
        raise AssertionError("it went on")

    with pytest.raises(KeyboardInterrupt):
        Played(runs=[run], standings=["idle"]).stay()


def test_a_signal_wakes_it_from_sleep():
    killer = threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGTERM])
    played = Played(runs=[DONE], standings=["idle"])
    begun = time.monotonic()
    killer.start()

    assert 0 == stay(
        Hands(played.plan, played.standing, played.run, played.said.append, played.failed.append), beat_seconds=60
    )
    assert time.monotonic() - begun < 5
    killer.join()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ModelUnavailable("The endpoint does not answer: start it."), "The endpoint does not answer: start it."),
        (BrokenPipeError(32, "gone"), "BrokenPipeError"),
        (ZeroDivisionError("secret-key"), "The run failed (ZeroDivisionError, tests.unit.test_schedule:"),
    ],
)
def test_a_run_that_fails_is_said_and_tried_again_later(error, said):
    played = Played(runs=[error, DONE], standings=["idle", *due(8), "idle"])

    assert 0 == played.stay()
    assert [True] == [said in one for one in played.failed]
    assert "secret-key" not in str(played.failed)
    assert [] == played.runs
    assert played.moments[1] - played.moments[0] >= 3 * BEAT


def test_what_fails_again_and_again_is_tried_less_and_less():
    failed = RelaySummary(state="failed", detail="no", exit_status=3)
    played = Played(runs=[failed] * 4, standings=["idle", *due(23)])
    played.stay()
    pauses = [later - earlier for earlier, later in itertools.pairwise(played.moments)]

    assert len(pauses) >= 2
    assert all(later > 1.5 * earlier for earlier, later in itertools.pairwise(pauses))


def test_a_ledger_that_cannot_be_read_is_left_to_a_run():
    played = Played(runs=[DONE, DONE], standings=["idle", "idle", StoreError("It is damaged.")])

    assert 0 == played.stay()
    assert [] == played.runs


def test_it_waits_for_another_run_says_so_once_and_takes_over_when_that_is_gone():
    played = Played(runs=[DONE], standings=["held", "held", "held", "due", "idle"])

    assert 0 == played.stay()
    assert [] == played.runs
    assert ["Another run holds the relay: waiting for it.", "Next: 2026-09-15 19:00 CST."] == played.said


def test_what_another_run_did_is_not_done_again():
    played = Played(runs=[], standings=["held", "idle", "idle"])

    assert 0 == played.stay()
    assert [] == played.moments


def test_a_plan_that_was_edited_is_said_and_its_slots_are_set():
    played = Played(runs=[DONE], standings=["idle"] * 4, plans=[plan("19:00"), plan("19:00"), plan("20:00")])

    assert 0 == played.stay()
    assert 1 == len([one for one in played.said if "plan has changed" in one and "20:00" in one])


def test_a_slot_wakes_it_though_no_look_is_due(monkeypatch):
    moment = dt.datetime.now(SHANGHAI) + dt.timedelta(seconds=1)
    soon = CronTrigger(hour=moment.hour, minute=moment.minute, second=moment.second, timezone=SHANGHAI)
    monkeypatch.setattr(schedule, "triggers", lambda _: [soon])
    played = Played(runs=[DONE, DONE], standings=["idle", "due"])

    def run() -> RelaySummary:
        done = played.run()
        if not played.runs:
            signal.raise_signal(signal.SIGTERM)
        return done

    assert 0 == stay(
        Hands(played.plan, played.standing, run, played.said.append, played.failed.append), beat_seconds=60
    )
    assert 2 == len(played.moments)
    assert played.moments[1] - played.moments[0] < 5


@pytest.mark.parametrize("day", WEEKDAYS)
def test_a_trigger_fires_on_the_day_that_is_named(day):
    """Numbers would mean other days here than in a crontab."""
    (trigger,) = triggers(plan("18:30", days=(day,)))
    monday = dt.datetime(2026, 9, 14, tzinfo=SHANGHAI)

    fires = trigger.get_next_fire_time(None, monday)

    assert (WEEKDAYS.index(day), dt.time(18, 30)) == (fires.weekday(), fires.time())


def test_there_is_one_trigger_for_each_slot_though_several_topics_share_it():
    batons = [Baton("digest", topic, dt.time(19, 0), WEEKDAYS) for topic in (None, "agents")]

    assert 1 == len(triggers(calendar_of(batons, "digest", SHANGHAI)))
    assert 2 == len(triggers(plan("19:00", "08:00")))

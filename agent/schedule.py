"""Stays, and lets the relay run whenever one of our own batons is due.

The slots wake it to the second; besides, it looks every half minute whether anything is due, so that a clock that was set, a
machine that slept, another run that was killed and a plan that was edited lose nothing. Promises: what is due is decided by
the ledger alone, never by the clock that woke it; a run that fails is said and tried again, later each time; a first signal
ends it after the run under way, a second one at once.
"""

import contextlib
import datetime as dt
import os
import queue
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Literal

from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.cron import CronTrigger

from agent.errors import AgentError
from agent.handoffs import RelaySummary
from agent.relaying.turns import Calendar

BEAT_SECONDS = 30.0  # between two looks
HELD_SECONDS = 1.0  # the same while another run holds the relay
FIRST_PAUSE_SECONDS, LAST_PAUSE_SECONDS = 60.0, 1800.0  # after a run that left something to do, doubled each time
_ENDING = b"Ending after the run under way; once more ends it at once.\n"

Standing = Literal[
    "idle",
    "due",
    "held",  # due, and another run is at it
]


@dataclass(frozen=True, slots=True)
class Hands:
    """What a schedule works with.

    Attributes:
        plan: reads the plan anew; where it is broken, it says so and returns the last one.
        standing: how the relay stands now.
        run: does what is due.
        say, fail: tell the user something, or what went wrong.
    """

    plan: Callable[[], Calendar]
    standing: Callable[[], Standing]
    run: Callable[[], RelaySummary]
    say: Callable[[str], None]
    fail: Callable[[str], None]


@dataclass(slots=True)
class _Patience:
    """When to try again what did not go well; measured by a clock that nobody sets."""

    pause: float = 0.0
    until: float = field(default_factory=time.monotonic)

    def reset(self) -> None:
        self.pause, self.until = 0.0, time.monotonic()

    def grow(self) -> None:
        self.pause = min(max(2 * self.pause, FIRST_PAUSE_SECONDS), LAST_PAUSE_SECONDS)
        self.until = time.monotonic() + self.pause

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self.until


def stay(hands: Hands, *, beat_seconds: float = BEAT_SECONDS) -> int:
    """Do what is due now, then whenever something is, until a signal comes; returns the exit status.

    Args:
        hands: what it works with.
        beat_seconds: between two looks.

    Raises:
        AgentError: there is no plan to begin with.
        KeyboardInterrupt: a second signal came.
    """
    loop = _Loop(hands, beat_seconds)
    with loop.signals():
        return loop.go()


class _Loop:
    """The loop: it sleeps in `_wake`, and everything that shall wake it puts a word there, which signals may do too."""

    def __init__(self, hands: Hands, beat_seconds: float) -> None:
        self._hands, self._beat = hands, beat_seconds
        self._wake: queue.SimpleQueue[Literal["slot", "end"]] = queue.SimpleQueue()
        self._patience = _Patience()
        self._ended_by: int | None = None
        self._plan: str = ""
        self._is_held = self._is_running = False
        self._scheduler = BackgroundScheduler(timezone=dt.UTC)

    def go(self) -> int:
        self._replan()
        self._scheduler.start()
        try:
            self._first()
            while self._ended_by is None:
                self._sleep()
                if self._ended_by is None:
                    self._look()
        finally:
            self._scheduler.shutdown(wait=False)
        return 128 + signal.SIGINT if self._ended_by == signal.SIGINT else 0

    @contextmanager
    def signals(self) -> Iterator[None]:
        """Take SIGTERM and SIGINT, and give them back."""
        before = {one: signal.signal(one, self._end) for one in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    def _end(self, number: int, _: FrameType | None) -> None:
        if self._ended_by is not None:
            raise KeyboardInterrupt
        self._ended_by = number
        if self._is_running:
            with contextlib.suppress(OSError):  # a signal may come while the console is being written to
                os.write(2, _ENDING)
        self._wake.put("end")

    def _sleep(self) -> None:
        """Wait for a slot, a signal or the next look; a slot ends all patience."""
        try:
            word = self._wake.get(timeout=HELD_SECONDS if self._is_held else self._beat)
            while word != "slot":
                word = self._wake.get_nowait()
            self._patience.reset()
        except queue.Empty:
            pass

    def _first(self) -> None:
        """Run once, whatever the ledger says: what a killed run left is finished, and the user sees that all is well."""
        if self._standing() == "held":
            self._note_held()
        else:
            self._run()

    def _look(self) -> None:
        self._replan()
        standing = self._standing()
        if standing == "idle":
            self._patience.reset()
        if standing == "held":
            self._note_held()
            return
        if self._is_held:
            self._is_held = False
            self._patience.reset()  # it was not we who failed
        if standing == "due" and self._patience.is_over:
            self._run()

    def _note_held(self) -> None:
        if not self._is_held:
            self._hands.say("Another run holds the relay: waiting for it.")
        self._is_held = True

    def _standing(self) -> Standing:
        """How the relay stands; where that cannot be told, a run shall try, which says what is wrong."""
        try:
            return self._hands.standing()
        except (AgentError, OSError):
            return "due"

    def _run(self) -> None:
        self._patience.grow()
        self._is_running = True
        try:
            summary = self._hands.run()
        except AgentError as error:
            self._hands.fail(str(error))
        except Exception as error:  # noqa: BLE001  whatever went wrong, the next baton is due all the same
            self._hands.fail(f"The run failed ({type(error).__name__}, {_place_of(error)}): it is tried again.")
        else:
            if summary.next_due is not None and self._ended_by is None:
                self._hands.say(f"Next: {summary.next_due:%Y-%m-%d %H:%M %Z}.")
        finally:
            self._is_running = False

    def _replan(self) -> None:
        """Set a job for each slot, where the plan is not the one that they are set for."""
        calendar = self._hands.plan()
        if calendar.fingerprint == self._plan:
            return
        if self._plan:
            self._hands.say("The plan has changed: " + calendar.fingerprint)
        self._plan = calendar.fingerprint
        self._scheduler.remove_all_jobs()
        for trigger in triggers(calendar):
            self._scheduler.add_job(
                self._wake.put, trigger, args=["slot"], misfire_grace_time=None, coalesce=True, max_instances=1
            )


def triggers(calendar: Calendar) -> list[CronTrigger]:
    """Return what fires at each slot, by the names of weekdays: numbers mean other days here than in a crontab."""
    return [
        CronTrigger(day_of_week=",".join(days), hour=slot.hour, minute=slot.minute, second=0, timezone=calendar.zone)
        for days, slot in sorted({(one.days, one.slot) for one in calendar.batons if one.slot is not None})
    ]


def _place_of(error: BaseException) -> str:
    """Where an error of no kind of ours was raised; its words may hold a note's or worse, so they are not shown."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    return f"{at.tb_frame.f_globals.get('__name__', '?')}:{at.tb_lineno}" if at else "nowhere"

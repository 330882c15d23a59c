"""The one retry loop: which failures are worth another request, when it is sent, and when to give up.

Promises: an ask sends at most four HTTP requests, whatever mix of faults it meets; nothing above or below this loop
retries. Where a server says when to come back, every worker waits until then, and they wake up one after the other. A
run that is stopped sends nothing more.
"""

import datetime as dt
import math
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Literal, TypeVar

from tenacity import RetryCallState, Retrying, retry_if_result, stop_after_attempt

from agent.errors import ModelError, ModelUnavailable

T = TypeVar("T")

Kind = Literal[
    "transient",  # the same request may work later
    "repair",  # the reply was wrong: ask once more, with the reason
    "adapt",  # the server does not know a parameter: ask once more without it
    "final",  # this call is lost, the run goes on
    "stop",  # every further call would fail alike
]
MOST_REQUESTS = 4
LONGEST_PAUSE_SECONDS = 600.0
_FIRST_WAIT_SECONDS = 1.0
_WAIT_FACTOR = 4.0  # 1, 4, 16 seconds: a restart of a server or gateway fits in
_SPREAD = 0.25  # of a wait, at random on top
_NONSENSE_SECONDS = 7 * 86_400.0  # a server that asks for more than a week means something else
_POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Fault:
    """One request that went wrong.

    Attributes:
        kind: what can be done about it.
        error: what to raise when nothing more is done.
        label: faults of one label share one allowance; those of a server in trouble begin with "HTTP".
        times: how often an ask may go on after faults of this label.
        retry_after: seconds that the server asked for, if it did.
        is_shared: every worker has to wait, not only this one.
    """

    kind: Kind
    error: ModelError
    label: str = ""
    times: int = MOST_REQUESTS
    retry_after: float | None = None
    is_shared: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """Time and chance, as arguments: tests pass their own."""

    sleep: Callable[[float], object] = time.sleep
    clock: Callable[[], float] = time.monotonic
    random: Callable[[], float] = random.random
    now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC)


class Retries:
    """The loop, and the pause that all asks of one endpoint share.

    Args:
        waiting: how to wait; by default really, and woken up by `stop`.
        stop: set by whoever ends the run.
        most_requests: HTTP requests of one ask.
        longest_pause_seconds: a server that asks for more ends the run instead.
    """

    def __init__(
        self,
        *,
        waiting: Waiting | None = None,
        stop: threading.Event | None = None,
        most_requests: int = MOST_REQUESTS,
        longest_pause_seconds: float = LONGEST_PAUSE_SECONDS,
    ) -> None:
        self.stop = stop or threading.Event()
        self.waiting = waiting or Waiting(sleep=self.stop.wait)
        self.most_requests = most_requests
        self.longest_pause_seconds = longest_pause_seconds
        self._gate = _Gate(self.waiting)

    def run(self, attempt: Callable[[], T | Fault], *, before: Callable[[], None] = lambda: None) -> T | Fault:
        """Call `attempt` until it returns something else than a fault, or until going on makes no sense.

        Args:
            attempt: sends one request.
            before: called before each attempt, before its turn has come: it may wait for other asks.

        Returns:
            The result of `attempt`, or the last fault.

        Raises:
            ModelUnavailable: the run was stopped.
        """
        seen: Counter[str] = Counter()

        def is_worth_it(result: T | Fault) -> bool:
            if not isinstance(result, Fault) or result.kind in {"final", "stop"}:
                return False
            seen[result.label] += 1
            return seen[result.label] <= result.times

        retrying = Retrying(
            retry=retry_if_result(is_worth_it),
            stop=stop_after_attempt(self.most_requests),
            wait=self._seconds_to_wait,
            sleep=self._sleep,
            retry_error_callback=_last_result,
        )
        return retrying(self._through_gate, attempt, before)

    def raise_if_stopped(self) -> None:
        """Raise ModelUnavailable when the run was stopped."""
        if self.stop.is_set():
            raise ModelUnavailable("The run was stopped before the model was asked: run again to go on.")

    def _through_gate(self, attempt: Callable[[], T | Fault], before: Callable[[], None]) -> T | Fault:
        before()
        while not self._gate.enter():
            self.raise_if_stopped()
            self._sleep(self._gate.seconds_closed() or _POLL_SECONDS)
        is_throttled = False
        try:
            self.raise_if_stopped()
            result = attempt()
            is_throttled = isinstance(result, Fault) and result.is_shared
        finally:
            self._gate.leave(is_throttled=is_throttled)
        return result

    def _seconds_to_wait(self, state: RetryCallState) -> float:
        """Return how long this worker waits before its next request; a shared wait closes the gate for all instead."""
        fault = state.outcome.result() if state.outcome else None
        if not isinstance(fault, Fault) or fault.kind != "transient":
            return 0.0
        seconds = fault.retry_after
        if seconds is None:
            spread = 1 + _SPREAD * (2 * self.waiting.random() - 1)
            seconds = _FIRST_WAIT_SECONDS * _WAIT_FACTOR ** (state.attempt_number - 1) * spread
        if not fault.is_shared:
            return seconds
        self._gate.close_for(seconds)
        return 0.0

    def _sleep(self, seconds: float) -> None:
        if seconds > 0:
            self.waiting.sleep(seconds)
        self.raise_if_stopped()


class _Gate:
    """Holds requests back while a server asks for a pause, and lets fewer through after one."""

    def __init__(self, waiting: Waiting) -> None:
        self._waiting = waiting
        self._lock = threading.Lock()
        self._open_at = -math.inf
        self._pause = 0.0
        self._under_way = 0
        self._most_at_once = math.inf
        self._cut_until = -math.inf

    def enter(self) -> bool:
        """Let one request through, or say that it has to wait."""
        with self._lock:
            if self._waiting.clock() < self._open_at or self._under_way >= self._most_at_once:
                return False
            self._under_way += 1
            return True

    def leave(self, *, is_throttled: bool) -> None:
        """End a request; a throttled one halves, a good one raises by one, what may be under way at once."""
        with self._lock:
            now = self._waiting.clock()
            if is_throttled and now >= self._cut_until:  # once for a burst
                self._most_at_once = max(1, self._under_way // 2)
                self._cut_until = now + _FIRST_WAIT_SECONDS
            elif not is_throttled:
                self._most_at_once += 1
            self._under_way -= 1

    def close_for(self, seconds: float) -> None:
        """Let nothing through for some time; of two pauses the later end counts."""
        with self._lock:
            now = self._waiting.clock()
            if now + seconds > self._open_at:
                self._open_at, self._pause = now + seconds, seconds
            self._cut_until = max(self._cut_until, self._open_at)

    def seconds_closed(self) -> float:
        """Return how long one worker should wait for the gate, each a little differently; 0 when it is open."""
        with self._lock:
            rest = self._open_at - self._waiting.clock()
            return rest + self._pause * _SPREAD * self._waiting.random() if rest > 0 else 0.0


def _last_result(state: RetryCallState) -> object:
    return state.outcome.result() if state.outcome else None


def retry_after_seconds(headers: Mapping[str, str], *, now: dt.datetime) -> float | None:
    """Read how long a server wants to be left alone (RFC 9110 section 10.2.3, and the milliseconds that vendors send).

    Args:
        headers: of the response, by lower-case names.
        now: the moment to reckon from where the response carries no date of its own.

    Returns:
        Seconds, more than 0 and at most a week, or None where nothing sensible is said.
    """
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        seconds = _number(value)
        if seconds is not None:
            seconds *= scale
        elif name == "retry-after" and (until := _date(value)):
            seconds = (until - (_date(headers.get("date", "")) or now)).total_seconds()
        if seconds is not None and 0 < seconds <= _NONSENSE_SECONDS:
            return seconds
    return None


def _number(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _date(value: str) -> dt.datetime | None:
    try:
        found = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=dt.UTC)

"""The retry loop: what is tried again, how often, when, and by whom first."""

import datetime as dt
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from agent.asking.retry import Fault, Kind, Retries, Waiting, retry_after_seconds
from agent.errors import CallFailed, ModelUnavailable, ReplyInvalid

NOW = dt.datetime(2026, 3, 1, 12, 0, tzinfo=dt.UTC)
LOST = CallFailed("lost")


class Clock:
    """Time that passes only in sleep."""

    def __init__(self, *, chance: float = 0.5) -> None:
        self.now = 0.0
        self.slept: list[float] = []
        self.waiting = Waiting(sleep=self.sleep, clock=lambda: self.now, random=lambda: chance, now=lambda: NOW)

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept.append(seconds)


def run(*outcomes: object, clock: Clock | None = None) -> tuple[object, int]:
    """Run the loop over scripted outcomes, the last one repeated; return the result and the number of attempts."""
    left = list(outcomes)
    attempts: list[int] = []

    def attempt() -> object:
        attempts.append(1)
        return left.pop(0) if len(left) > 1 else left[0]

    return Retries(waiting=(clock or Clock()).waiting).run(attempt), len(attempts)


def fault(kind: Kind = "transient", label: str = "x", **more: Any) -> Fault:
    return Fault(kind, LOST, label=label, **more)


def test_a_result_ends_the_loop():
    assert run("reply") == ("reply", 1)


def test_a_transient_fault_is_tried_again_with_growing_waits():
    clock = Clock()

    assert run(fault(), clock=clock) == (fault(), 4)
    assert [1.0, 4.0, 16.0] == clock.slept


@pytest.mark.parametrize("chance", [0.0, 1.0])
def test_own_waits_are_spread_and_never_nothing(chance):
    clock = Clock(chance=chance)

    run(fault(), "reply", clock=clock)

    assert clock.slept == [pytest.approx(0.75 + chance / 2)]


@pytest.mark.parametrize("kind", ["final", "stop"])
def test_final_faults_are_not_tried_again(kind):
    assert run(fault(kind)) == (fault(kind), 1)


def test_a_repair_comes_at_once():
    clock = Clock()

    assert run(fault("repair", times=1), "reply", clock=clock) == ("reply", 2)
    assert clock.slept == []


def test_an_allowance_is_used_up_per_label():
    once = fault(times=1)

    assert run(once) == (once, 2)
    assert run(once, fault(label="y", times=1), "reply") == ("reply", 3)


def test_no_mix_of_faults_makes_more_than_four_requests():
    chance = random.Random(7)
    for _ in range(200):
        mix = [
            fault(chance.choice(["transient", "repair", "adapt"]), label=str(chance.randint(0, 9)), times=9)
            for _ in range(12)
        ]
        assert run(*mix)[1] <= 4


def test_errors_pass_through_untried():
    def attempt():
        raise ReplyInvalid("broken")

    with pytest.raises(ReplyInvalid, match="broken"):
        Retries(waiting=Clock().waiting).run(attempt)


# Waiting because a server asked for it.


def test_nothing_is_sent_before_the_time_that_the_server_named():
    clock = Clock()
    sent = []

    def attempt():
        sent.append(clock.now)
        return fault(retry_after=30.0, is_shared=True) if len(sent) == 1 else "reply"

    assert Retries(waiting=clock.waiting).run(attempt) == "reply"
    assert 30.0 <= sent[1] <= 30.0 * 1.25


def test_a_pause_holds_for_every_worker_and_they_wake_up_apart():
    is_closed = threading.Event()

    def sleep(seconds: float) -> None:
        is_closed.set()  # the first to sleep is the one that was told to
        time.sleep(seconds)

    retries, started = Retries(waiting=Waiting(sleep=sleep, random=random.Random(7).random)), time.monotonic()
    sent: list[float] = []

    def attempt(worker: int) -> object:
        sent.append(time.monotonic() - started)
        return fault(retry_after=0.5, is_shared=True) if len(sent) == 1 else worker

    def work(worker):
        assert worker == 0 or is_closed.wait(60)
        return retries.run(lambda: attempt(worker))

    with ThreadPoolExecutor(8) as pool:
        assert list(range(8)) == list(pool.map(work, range(8)))

    later = sorted(sent)[1:]
    assert min(later) >= 0.5
    assert max(later) - min(later) >= 0.05


def test_fewer_requests_at_once_after_a_throttle():
    retries = Retries(waiting=Waiting(sleep=lambda _: time.sleep(0.001), random=lambda: 0.0))
    lock, together, most, count = threading.Lock(), [0], [], [0]
    first = threading.Barrier(8)

    def attempt():
        with lock:
            count[0] += 1
            is_first = count[0] <= 8
            together[0] += 1
            most.append((is_first, together[0]))
        if is_first:
            first.wait(60)
        else:
            time.sleep(0.02)
        with lock:
            together[0] -= 1
        return fault(retry_after=0.01, is_shared=True) if is_first else "reply"

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: retries.run(attempt), range(8)))

    assert max(number for is_first, number in most if is_first) == 8
    assert max(number for is_first, number in most if not is_first) <= 5


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": " 7 "}, 7.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "86400"}, 86_400.0),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Sun, 01 Mar 2026 10:00:30 GMT", "date": "Sun, 01 Mar 2026 10:00:00 GMT"}, 30.0),
        ({"retry-after": "Sun, 01 Mar 2026 11:00:00 GMT"}, None),
        ({"retry-after": "Sun, 01 Mar 100000 11:00:00 GMT"}, None),
        ({"retry-after": "Sun, 01 Mar 9999 11:00:00 GMT"}, None),
        ({"retry-after": "0"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "abc"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "1e300"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_what_a_server_asks_for(headers, expected):
    assert expected == retry_after_seconds(headers, now=NOW)


# Stopping.


def test_a_stopped_run_sends_nothing_more():
    stop = threading.Event()
    stop.set()

    with pytest.raises(ModelUnavailable, match="stopped"):
        Retries(stop=stop).run(lambda: "reply")


def test_a_stop_wakes_up_who_waits():
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    started = time.monotonic()

    with pytest.raises(ModelUnavailable, match="stopped"):
        Retries(stop=stop).run(lambda: fault(retry_after=60.0, is_shared=True))

    assert time.monotonic() - started < 30

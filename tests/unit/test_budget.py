"""The budget: reserved before, settled after, never passed."""

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from agent.asking.budget import Budget, Reported, charge, charged, room_for, trusted_usage
from agent.asking.tokens import TokenCount
from agent.errors import BudgetExceeded, CallFailed
from agent.records import Usage

OWN = Usage(calls=1, prompt_tokens=100, completion_tokens=10)


def test_a_settled_call_costs_what_it_cost():
    budget = Budget(1000)

    with budget.reserve(400) as reservation:
        assert budget.left == 600
        reservation.settle(150)

    assert (150, 850) == (budget.spent, budget.left)


def test_settling_twice_counts_once():
    budget = Budget(1000)

    with budget.reserve(400) as reservation:
        reservation.settle(150)
        reservation.settle(150)

    assert budget.spent == 150


def test_a_call_that_raises_gives_everything_back():
    budget = Budget(1000)

    with pytest.raises(KeyError), budget.reserve(400):
        raise KeyError

    assert (0, 1000) == (budget.spent, budget.left)


def test_a_call_that_may_have_been_paid_counts_in_full():
    budget = Budget(1000)

    with budget.reserve(400) as reservation:
        reservation.mark_unknown()

    assert budget.spent == 400


def test_a_call_that_may_pass_the_cap_is_refused_in_figures():
    budget = Budget(1000)
    with budget.reserve(700) as reservation:
        reservation.settle(700)

    with pytest.raises(BudgetExceeded) as caught:
        budget.reserve(301)

    assert all(part in str(caught.value) for part in ("301", "1000", "700", "--budget"))
    assert budget.left == 300


def test_the_last_token_can_be_spent():
    budget = Budget(10)

    with budget.reserve(10) as reservation:
        reservation.settle(10)

    assert budget.left == 0


def test_without_a_cap_everything_goes_and_is_counted():
    budget = Budget(None)

    with budget.reserve(10**12) as reservation:
        reservation.settle(7)

    assert (7, None) == (budget.spent, budget.left)


def test_a_further_request_of_a_call_is_reserved_too():
    budget = Budget(1000)

    with budget.reserve(600) as reservation:
        reservation.extend(300)
        assert budget.left == 100
        with pytest.raises(BudgetExceeded):
            reservation.extend(101)


@pytest.mark.parametrize("threads", [1, 4, 16, 64])
def test_the_cap_holds_for_any_number_of_threads(threads):
    budget, seed = Budget(20_000), random.Random(threads)
    jobs = [(seed.randint(100, 900), seed.randint(0, 3)) for _ in range(200)]
    paid = []

    def call(job):
        tokens, fate = job
        try:
            with budget.reserve(tokens) as reservation:
                time.sleep(0.0005)
                if fate == 0:
                    return  # failed without a cost
                if fate == 1:
                    reservation.extend(tokens)
                paid.append(tokens)
                reservation.settle(tokens)
        except BudgetExceeded:
            pass

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(call, jobs))

    assert sum(paid) == budget.spent
    assert budget.spent <= 20_000
    assert budget.left == 20_000 - budget.spent
    assert budget.left < 2000, "nobody was stopped while a tenth was left"


def test_a_call_waits_for_what_others_may_give_back():
    """Half of the budget is only reserved: the second call is no reason to stop the run."""
    budget, is_reserved = Budget(1000), threading.Event()

    def first():
        with budget.reserve(900) as reservation:
            is_reserved.set()
            time.sleep(0.05)
            reservation.settle(100)

    thread = threading.Thread(target=first)
    thread.start()
    is_reserved.wait(5)
    with budget.reserve(900) as reservation:
        reservation.settle(50)
    thread.join(5)

    assert budget.spent == 150


def test_calls_that_wait_for_each_other_do_not_wait_for_ever():
    budget, both = Budget(1000), threading.Barrier(2)
    stopped = []

    def call():
        with budget.reserve(500) as reservation:
            both.wait(5)
            try:
                reservation.extend(100)
            except BudgetExceeded:
                stopped.append(1)

    threads = [threading.Thread(target=call) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)

    assert not any(thread.is_alive() for thread in threads)
    assert [1] == stopped


def test_a_call_waits_for_one_that_was_just_given_what_it_waited_for():
    """Who was woken may not have looked yet: until it has, nobody may conclude that it still waits."""
    budget, is_settled = Budget(100), threading.Event()
    first, second = budget.reserve(40), budget.reserve(40)

    def go_on() -> None:
        first.extend(30)
        is_settled.wait(5)
        first.settle(10)

    thread = threading.Thread(target=go_on)
    first.thread = second.thread = 0  # of threads that ended, so that this one holds nothing
    thread.start()
    while not first.is_waiting:
        time.sleep(0.001)

    with budget._changed:  # the thread is woken here, and cannot look before this one asks
        second.settle(10)
        is_settled.set()
        third = budget.reserve(60)
    third.settle(60)
    thread.join(5)

    assert budget.spent == 80


@pytest.mark.parametrize(
    ("count", "expected"),
    [(TokenCount(100, is_estimated=False), 165), (TokenCount(100, is_estimated=True), 175)],
)
def test_room_is_left_for_other_tokenizers(count, expected):
    assert expected == room_for(count, max_tokens=50)


# Usages that servers report.

ABSURD = ["lots", "120", float("nan"), float("inf"), -1, 10**12, None, True, [120], {}, 1.5]


@pytest.mark.parametrize("value", ABSURD)
def test_an_absurd_figure_is_replaced_by_our_own(value):
    own = OWN.model_copy(update={"is_estimated": True})

    assert own == trusted_usage(Reported(value, value), OWN)


@pytest.mark.parametrize("value", ABSURD)
def test_one_absurd_figure_spoils_the_other_only_in_trust(value):
    usage = trusted_usage(Reported(120, value), OWN)

    assert (120, 10, True) == (usage.prompt_tokens, usage.completion_tokens, usage.is_estimated)


def test_a_missing_report_is_replaced_by_our_own():
    assert trusted_usage(None, OWN).is_estimated


@pytest.mark.parametrize("reported", [(120, 12), (120.0, 12.0)])
def test_a_sensible_report_is_taken(reported):
    assert Usage(calls=1, prompt_tokens=120, completion_tokens=12) == trusted_usage(Reported(*reported), OWN)


def test_no_report_makes_a_call_cheaper_than_we_count():
    assert Usage(calls=1, prompt_tokens=100, completion_tokens=10) == trusted_usage(Reported(60, 6), OWN)
    assert trusted_usage(Reported(0, 0), OWN).is_estimated


@pytest.mark.parametrize(
    ("cached", "reported"), [(0, 0), (90, 90), (120, 120.0), (0, 121), *((0, one) for one in ABSURD)]
)
def test_tokens_from_the_prefix_cache_are_some_of_those_asked_or_none(cached, reported):
    assert cached == trusted_usage(Reported(120, 12, reported), OWN).cached_tokens


def test_without_a_believable_prompt_nothing_was_cached():
    assert 0 == trusted_usage(Reported("many", 12, 50), OWN).cached_tokens


def test_what_a_failed_call_has_cost_travels_with_its_error():
    error = charge(CallFailed("lost"), OWN)

    assert charged(error) == OWN
    assert Usage() == charged(CallFailed("free"))

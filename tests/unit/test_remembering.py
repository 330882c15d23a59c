"""A question is paid for once, kept at once, and never beyond the budget."""

import contextlib
import dataclasses
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pydantic import Field

from agent.asking.budget import Budget, charge
from agent.asking.model import Answer, Model, OpenAIModel, Request, prompt_tokens, room_of
from agent.asking.prompts import Message
from agent.asking.remembering import RememberingModel, request_key
from agent.asking.retry import Retries, Waiting
from agent.asking.testing import MemoryStore, ScriptedModel
from agent.asking.transport import Endpoint
from agent.costs import Remembered
from agent.errors import BudgetExceeded, CallFailed, ModelError, StoreError
from agent.records import Usage
from agent.replies import Reply, closed
from tests.faultserver import FaultServer, completion, says, sends, status
from tests.shelving import FIELDS, ShelveReply

COST = Usage(calls=1, prompt_tokens=40, completion_tokens=10)
REQUEST = Request(
    prompt="place_increment@1",
    messages=(Message("system", "You choose."), Message("user", "推理")),
    reply=closed(ShelveReply, {"section": ["A", "B"]}),
    max_tokens=90,
)


class PinnedReply(Reply):
    """A reply that never changes."""

    section: str = Field(max_length=9, description="where")


class Setting:
    """A remembering model and all that it works with."""

    def __init__(self, replies: Any = None, *, cap: int | None = None, memory: Any = None) -> None:
        self.scripted = ScriptedModel(replies or (lambda _: FIELDS), usage=COST)
        self.memory = memory or MemoryStore()
        self.budget = Budget(cap)
        self.started = 0
        self.told: list[Answer] = []
        self.losses: list[Usage] = []
        self.model = RememberingModel(
            self.start, name="m", endpoint="e", memory=self.memory, budget=self.budget, payer=self
        )

    def start(self) -> Model:
        self.started += 1
        return self.scripted

    def called(self, answer: Answer) -> None:
        self.told.append(answer)

    def lost(self, usage: Usage) -> None:
        self.losses.append(usage)


def test_a_question_is_paid_for_once():
    setting = Setting()

    first, second = setting.model.ask(REQUEST), setting.model.ask(REQUEST)

    assert (False, True) == (first.is_remembered, second.is_remembered)
    assert first.reply.model_dump() == second.reply.model_dump() == FIELDS
    assert COST == first.usage == second.usage
    assert (1, 1, 1) == (setting.started, setting.model.calls_made, setting.model.calls_remembered)
    assert setting.budget.spent == 50
    assert [first, second] == setting.told


def test_our_own_count_of_the_question_is_kept_beside_its_cost():
    setting = Setting()
    setting.model.ask(REQUEST)

    (kept,) = setting.memory.kept.values()
    assert prompt_tokens(REQUEST.messages) == kept.counted_tokens


def test_what_a_failed_question_has_cost_is_told():
    setting = Setting({"place_increment": charge(CallFailed("lost"), COST)})

    with pytest.raises(CallFailed):
        setting.model.ask(REQUEST)

    assert ([], [COST]) == (setting.told, setting.losses)


def test_nothing_is_started_while_everything_is_remembered():
    before = Setting()
    before.model.ask(REQUEST)
    setting = Setting(memory=before.memory)

    setting.model.ask(REQUEST)
    setting.model.close()

    assert (0, 0) == (setting.started, setting.budget.spent)


def test_a_reply_is_kept_before_anybody_sees_it():
    setting = Setting()
    setting.model.ask(REQUEST)

    (kept,) = setting.memory.kept.values()

    assert ShelveReply.model_validate_json(kept.reply_json).model_dump() == FIELDS
    assert (COST, "scripted") == (kept.usage, kept.model)


@pytest.mark.parametrize(
    "changed",
    [
        {"prompt": "place_increment@2"},
        {"messages": (Message("system", "You choose."), Message("user", "推理 "))},
        {"messages": (Message("user", "You choose."), Message("user", "推理"))},
        {"reply": closed(ShelveReply, {"section": ["A", "C"]})},
        {"max_tokens": 91},
        {"temperature": 0.1},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_every_part_of_a_question_counts(changed):
    assert request_key(REQUEST, "m", "e") != request_key(dataclasses.replace(REQUEST, **changed), "m", "e")


def test_model_and_endpoint_count():
    assert len({request_key(REQUEST, name, endpoint) for name in "mn" for endpoint in "ef"}) == 4


def test_what_does_not_decide_on_the_reply_does_not_count():
    same = dataclasses.replace(REQUEST, check=lambda _: None, reply=closed(ShelveReply, {"section": ["A", "B"]}))

    assert request_key(REQUEST, "m", "e") == request_key(same, "m", "e")


def test_a_key_stays_the_same_from_run_to_run():
    """A changed key would pay for everything again: change this figure only together with a sentence in CHANGELOG."""
    key = request_key(dataclasses.replace(REQUEST, reply=PinnedReply), "m", "e")

    assert key == "1881aab634ce38ff4649128d9ad4363ef33d4f3a39511ccb755499894804f6bf"


@pytest.mark.parametrize("kept", ["{}", "no JSON", '{"section": "Z"}'])
def test_what_is_kept_and_does_not_fit_is_asked_again(kept):
    setting = Setting()
    key = request_key(REQUEST, "m", "e")
    setting.memory.put(key, Remembered(kept, COST, "m"))

    assert not setting.model.ask(REQUEST).is_remembered
    assert setting.memory.kept[key].reply_json != kept


def test_a_kept_reply_is_held_against_the_check():
    setting = Setting()
    setting.model.ask(REQUEST)
    setting.scripted._script = {"place_increment": FIELDS | {"section": "B"}}

    answer = setting.model.ask(
        dataclasses.replace(REQUEST, check=lambda reply: "full" if reply.section == "A" else None)
    )

    assert (False, "B") == (answer.is_remembered, answer.reply.model_dump()["section"])


# Money.


def test_a_question_beyond_the_budget_is_not_asked():
    setting = Setting(cap=room_of(REQUEST) - 1)

    with pytest.raises(BudgetExceeded, match="--budget"):
        setting.model.ask(REQUEST)

    assert (0, 0, 0) == (setting.started, setting.model.calls_made, setting.budget.spent)


def test_a_remembered_reply_needs_no_budget():
    before = Setting()
    before.model.ask(REQUEST)

    assert Setting(cap=1, memory=before.memory).model.ask(REQUEST).is_remembered


def test_a_failed_call_costs_what_it_has_cost():
    setting = Setting({"place_increment": charge(CallFailed("lost"), COST)}, cap=10_000)

    with pytest.raises(CallFailed):
        setting.model.ask(REQUEST)

    assert (50, 9950) == (setting.budget.spent, setting.budget.left)
    assert setting.memory.kept == {}


def test_a_call_that_failed_for_nothing_costs_nothing():
    setting = Setting({"place_increment": CallFailed("lost")}, cap=10_000)

    with pytest.raises(CallFailed):
        setting.model.ask(REQUEST)

    assert setting.budget.left == 10_000


def test_a_call_that_ended_in_the_middle_counts_in_full():
    setting = Setting({"place_increment": KeyError("ended")}, cap=10_000)

    with pytest.raises(KeyError):
        setting.model.ask(REQUEST)

    assert room_of(REQUEST) == setting.budget.spent


def test_a_reply_that_cannot_be_kept_is_paid_all_the_same():
    class Full(MemoryStore):
        def put(self, key: str, remembered: Remembered) -> None:
            raise StoreError("disk full")

    setting = Setting(memory=Full())

    with pytest.raises(StoreError):
        setting.model.ask(REQUEST)

    assert setting.budget.spent == 50


def test_a_prompt_is_reserved_with_its_schema_and_its_longest_reply():
    longer = dataclasses.replace(REQUEST, max_tokens=190)
    fuller = dataclasses.replace(REQUEST, messages=(*REQUEST.messages, Message("user", "推理" * 100)))

    assert room_of(REQUEST) + 100 == room_of(longer)
    assert room_of(REQUEST) + 200 <= room_of(fuller)
    assert room_of(REQUEST) > 200


# Threads.


def test_two_threads_with_one_question_pay_once():
    def slowly(_: Request) -> dict[str, str]:
        time.sleep(0.02)
        return FIELDS

    setting = Setting(slowly)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(setting.model.ask, [REQUEST] * 8))

    assert (1, 7) == (setting.model.calls_made, setting.model.calls_remembered)
    assert sorted(answer.is_remembered for answer in answers) == [False] + [True] * 7
    assert setting.model._asking == {}


def test_a_question_that_failed_is_tried_by_the_next_thread():
    outcomes = iter([CallFailed("lost"), FIELDS])
    setting = Setting(lambda _: next(outcomes))
    failed = []

    def ask() -> None:
        try:
            setting.model.ask(REQUEST)
        except CallFailed:
            failed.append(1)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)

    assert [1] == failed
    assert setting.model.calls_made == 2


@pytest.mark.parametrize("threads", [1, 4, 16, 64])
def test_the_server_never_counts_more_than_the_budget(threads):
    """Its own figures, with replies as long as they may be, and every fourth one to be repaired or lost."""
    cap, lock = 5000, threading.Lock()
    counted: list[int] = []
    whole = completion('{"section": "A", "action": "append", "relation": "new", "reason": "it fits there"}')

    def answer(handler: Any) -> None:
        with lock:
            number = len(counted)
            counted.append(150 if number % 4 != 2 else 0)
        usage = {"usage": {"prompt_tokens": 60, "completion_tokens": 90}}
        fate = {
            0: sends(whole | usage),
            1: sends(completion("no object") | usage),
            2: status(500),
            3: sends(whole | usage),
        }
        fate[number % 4](handler)

    with FaultServer() as server:
        server.otherwise = answer
        budget = Budget(cap)
        waiting = Waiting(sleep=lambda _: time.sleep(0.001))
        model = RememberingModel(
            lambda: OpenAIModel("m", endpoint=Endpoint(server.base_url), retries=Retries(waiting=waiting)),
            name="m",
            endpoint="e",
            memory=MemoryStore(),
            budget=budget,
        )

        def ask(number: int) -> None:
            question = dataclasses.replace(REQUEST, messages=(*REQUEST.messages, Message("user", f"{number}")))
            try:
                model.ask(question)
            except ModelError:
                return

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(ask, range(60)))
        model.close()

    assert sum(counted) <= budget.spent <= cap
    assert budget.spent >= 0.9 * cap, "nobody was stopped while a tenth was left"


def test_a_throttled_server_and_a_short_budget_do_not_lock_each_other_up(server):
    """After a throttle one request goes at a time; who waits for tokens must not hold up who will give some back."""
    server.will(*[status(429, headers={"Retry-After": "0.01"})] * 4)
    server.otherwise = says('{"section": "A", "action": "append", "relation": "new", "reason": "it fits there"}')
    budget = Budget(int(room_of(REQUEST) * 4.5))
    model = RememberingModel(
        lambda: OpenAIModel("m", endpoint=Endpoint(server.base_url)),
        name="m",
        endpoint="e",
        memory=MemoryStore(),
        budget=budget,
    )

    def ask(number: int) -> None:
        with contextlib.suppress(BudgetExceeded):
            model.ask(dataclasses.replace(REQUEST, messages=(*REQUEST.messages, Message("user", f"{number}"))))

    threads = [threading.Thread(target=ask, args=(number,), daemon=True) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(8)

    assert not any(thread.is_alive() for thread in threads)
    model.close()


def test_closing_closes_what_was_started():
    setting = Setting()
    setting.model.ask(REQUEST)
    setting.model.close()
    setting.model.close()

    assert setting.scripted.is_closed


def test_a_model_behind_a_server_is_asked_once(server):
    server.otherwise = says('{"section": "A", "action": "append", "relation": "new", "reason": "it fits there"}')
    memory = MemoryStore()
    for _ in range(2):
        model = RememberingModel(
            lambda: OpenAIModel("m", endpoint=Endpoint(server.base_url)),
            name="m",
            endpoint="e",
            memory=memory,
            budget=Budget(None),
        )
        model.ask(REQUEST)
        model.close()

    assert len(server.requests) == 1

"""The doubles hold their script against the question."""

import pytest

from agent.asking.model import Model, Request
from agent.asking.prompts import Message
from agent.asking.remembering import Memory
from agent.asking.testing import MemoryStore, ScriptedModel
from agent.costs import PastCost, Remembered
from agent.errors import CallFailed, ReplyInvalid
from agent.records import Usage
from agent.replies import closed
from tests.shelving import FIELDS, ShelveReply

REQUEST = Request("place_increment@1", (Message("user", "x"),), closed(ShelveReply, {"section": ["A", "B"]}), 90)


def checked(request: Request = REQUEST) -> Request:
    return Request(
        request.prompt,
        request.messages,
        request.reply,
        request.max_tokens,
        check=lambda reply: "full" if reply.section == "A" else None,
    )


@pytest.mark.parametrize(
    "scripted",
    [
        FIELDS,
        ShelveReply.model_validate(FIELDS),
        '{"section": "A", "action": "append", "relation": "new", "reason": "it fits there"}',
        [FIELDS],
        lambda request: FIELDS | {"reason": f"it fits {request.prompt}"},
    ],
    ids=["fields", "reply", "JSON", "list", "function"],
)
def test_a_reply_can_be_scripted_in_several_ways(scripted):
    model = ScriptedModel({"place_increment": scripted})

    answer = model.ask(REQUEST)

    assert isinstance(answer.reply, ShelveReply)
    assert answer.reply.section == "A"
    assert [REQUEST] == model.requests


def test_one_function_can_answer_everything():
    assert isinstance(ScriptedModel(lambda _: FIELDS).ask(REQUEST).reply, ShelveReply)


@pytest.mark.parametrize("scripted", [FIELDS | {"section": "C"}, {}, "no JSON", FIELDS | {"more": 1}])
def test_a_scripted_reply_that_could_never_come_is_refused(scripted):
    with pytest.raises(ReplyInvalid, match="place_increment@1"):
        ScriptedModel({"place_increment": scripted}).ask(REQUEST)


def test_a_check_counts_too():
    with pytest.raises(ReplyInvalid, match="full"):
        ScriptedModel({"place_increment": FIELDS}).ask(checked())


def test_the_next_reply_of_a_list_repairs_one_that_does_not_fit():
    model = ScriptedModel({"place_increment": [FIELDS, FIELDS | {"section": "B"}]}, usage=Usage(calls=1))

    answer = model.ask(checked())

    assert ("B", 2) == (answer.reply.model_dump()["section"], answer.usage.calls)


def test_an_error_can_be_scripted():
    with pytest.raises(CallFailed, match="lost"):
        ScriptedModel({"place_increment": CallFailed("lost")}).ask(REQUEST)


def test_a_question_without_script_fails_the_test():
    with pytest.raises(AssertionError, match="no reply"):
        ScriptedModel({"extract_increment": FIELDS}).ask(REQUEST)


def test_a_list_that_is_used_up_fails_the_test():
    model = ScriptedModel({"place_increment": [FIELDS]})
    model.ask(REQUEST)

    with pytest.raises(AssertionError, match="all used"):
        model.ask(REQUEST)


def test_the_doubles_are_what_they_stand_for():
    model: Model = ScriptedModel({})
    memory: Memory = MemoryStore()
    kept = Remembered("{}", Usage(), "m")
    memory.put("key", kept)
    model.close()

    assert kept is memory.get("key")
    assert memory.get("other") is None


def test_a_memory_tells_what_a_prompt_has_cost_on_average():
    memory = MemoryStore()
    for number, tokens in enumerate((100, 300)):
        usage = Usage(calls=1, prompt_tokens=tokens, completion_tokens=10)
        memory.put(str(number), Remembered("{}", usage, "m", "place@1", "e", tokens))

    assert {"place@1": PastCost(2, 1, 200, 0, 10, 200)} == memory.costs(model="m", endpoint="e")
    assert {} == memory.costs(model="other", endpoint="e")

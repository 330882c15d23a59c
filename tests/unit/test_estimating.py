"""The stand-in asks nobody, answers what fits, and says what a real model would probably cost."""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from agent.asking.budget import Budget
from agent.asking.estimating import EstimatingModel
from agent.asking.model import Model, Request, prompt_tokens, room_of
from agent.asking.prompts import Message
from agent.asking.remembering import RememberingModel, request_key
from agent.asking.testing import MemoryStore, ScriptedModel
from agent.asking.tokens import count_tokens
from agent.costs import Remembered
from agent.errors import ReplyInvalid
from agent.extracting.support import unsupported
from agent.records import Usage
from agent.replies import Boundary, ExtractReply, FindReply, PlaceReply, Reply, closed
from tests.shelving import FIELDS, ShelveReply

REQUEST = Request(
    prompt="place_increment@1",
    messages=(Message("system", "You choose a shelf."), Message("user", "推理缓存分层")),
    reply=closed(ShelveReply, {"section": ["A", "B"]}),
    max_tokens=90,
)


def _model(memory: MemoryStore | None = None) -> EstimatingModel:
    return EstimatingModel(name="m", endpoint="e", memory=memory)


def _paid(request: Request, *, tokens: int, cached: int = 0, out: int = 50, calls: int = 1) -> Remembered:
    usage = Usage(calls=calls, prompt_tokens=tokens, cached_tokens=cached, completion_tokens=out)
    reply = request.reply.model_validate(FIELDS).model_dump_json()
    return Remembered(reply, usage, "m", request.prompt, "e", prompt_tokens(request.messages))


def _other(text: str) -> Request:
    return replace(REQUEST, messages=(*REQUEST.messages[:-1], Message("user", text)))


# Replies.


class _Item(Reply):
    word: str = Field(min_length=4, max_length=60)
    first: int


class _EveryKind(Reply):
    choice: Literal["a", "b"]
    fixed: Literal["only"]
    text: str = Field(min_length=8, max_length=200)
    open_text: str
    number: int = Field(ge=3)
    share: float
    is_so: bool
    numbers: list[int] = Field(min_length=1, max_length=8)
    words: list[Annotated[str, Field(min_length=2)]] = Field(max_length=5)
    items: list[_Item] = Field(min_length=2, max_length=4)
    maybe: str | None


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(_EveryKind, id="every kind of field"),
        pytest.param(closed(_EveryKind, {"numbers": [7, 8, 9], "items": closed(_Item, {"first": [1]})}), id="closed"),
        pytest.param(closed(ExtractReply, {"points": list(range(3, 40))}), id="extract"),
        pytest.param(closed(ExtractReply, {"points": [3]}), id="extract one unit"),
        pytest.param(closed(PlaceReply, {"section": ["A", "none"], "line": ["A1", "none"]}), id="place"),
        pytest.param(closed(FindReply, {"findings": closed(Boundary, {"first": [1, 4], "last": [3, 9]})}), id="find"),
    ],
)
def test_any_class_of_reply_is_filled_in_as_it_allows(reply):
    answer = _model().ask(replace(REQUEST, reply=reply))

    assert type(answer.reply) is reply
    assert answer.reply == reply.model_validate_json(answer.reply.model_dump_json(), strict=True)


def test_the_first_choice_is_taken_and_findings_lie_apart_in_order():
    starts, ends = [1, 4, 8, 12, 20], [3, 7, 11, 19, 25]
    reply = closed(FindReply, {"findings": closed(Boundary, {"first": starts, "last": ends})})

    findings = _model().ask(replace(REQUEST, reply=reply)).reply.model_dump()["findings"]

    assert "A" == _model().ask(REQUEST).reply.model_dump()["section"]
    assert [(1, 3), (4, 7), (12, 19)] == [(one["first"], one["last"]) for one in findings]
    assert len(findings) == len({one["title"] for one in findings})


def test_where_there_is_one_choice_it_is_named_once():
    boundary = closed(Boundary, {"first": [4], "last": [9]})

    found = _model().ask(replace(REQUEST, reply=closed(FindReply, {"findings": boundary}))).reply
    fields = _model().ask(replace(REQUEST, reply=closed(ExtractReply, {"points": [3]}))).reply

    assert [(4, 9)] == [(one["first"], one["last"]) for one in found.model_dump()["findings"]]
    assert [3] == fields.model_dump()["points"]


def test_filler_holds_no_figure_name_or_address_that_a_note_would_have_to_bear_out():
    reply = _model().ask(replace(REQUEST, reply=closed(ExtractReply, {"points": [1]}))).reply

    assert isinstance(reply, ExtractReply)
    assert () == unsupported(reply.summary, by="") == unsupported(reply.reason, by="")


def test_a_class_that_no_filler_fits_is_a_lost_call():
    class Strict(Reply):
        code: str = Field(pattern=r"^[A-Z]{3}$", max_length=3)

    with pytest.raises(ReplyInvalid, match=r"'place_increment@1' can be made up: code"):
        _model().ask(replace(REQUEST, reply=Strict))


def test_so_is_a_question_whose_check_accepts_nothing():
    check: Callable[[Any], str | None] = lambda _: "the shelf is full"  # noqa: E731 - a check is a function

    with pytest.raises(ReplyInvalid, match="full"):
        _model().ask(replace(REQUEST, check=check))


# What it would cost.


def test_without_history_our_own_count_decides():
    model: Model = _model()

    answer = model.ask(REQUEST)

    written = count_tokens(answer.reply.model_dump_json())
    assert (1, 0, True) == (answer.usage.calls, answer.usage.cached_tokens, answer.usage.is_estimated)
    assert round(prompt_tokens(REQUEST.messages) * 1.04) == answer.usage.prompt_tokens
    assert round(written * 1.04) == answer.usage.completion_tokens
    assert not answer.is_remembered


def test_with_history_it_is_what_such_questions_have_cost():
    memory = MemoryStore()
    counted = prompt_tokens(_other("老问题").messages)
    memory.put("old", _paid(_other("老问题"), tokens=2 * counted, cached=counted, out=77))

    model = _model(memory)
    usage = model.ask(REQUEST).usage

    asked = prompt_tokens(REQUEST.messages)
    assert model.has_history
    assert (1, 2 * asked, asked, 77) == (
        usage.calls,
        usage.prompt_tokens,
        usage.cached_tokens,
        usage.completion_tokens,
    )


def test_another_prompt_of_the_same_model_is_counted_by_its_tokenizer():
    memory = MemoryStore()
    old = _other("老问题")
    memory.put("old", _paid(old, tokens=3 * prompt_tokens(old.messages)))

    usage = _model(memory).ask(replace(REQUEST, prompt="other@1")).usage

    assert 3 * prompt_tokens(REQUEST.messages) == usage.prompt_tokens


def test_repairs_of_the_past_are_expected_again_and_no_fraction_is_lost():
    memory = MemoryStore()
    for number, calls in enumerate((1, 2)):
        old = _other(f"第 {number} 问")
        memory.put(str(number), _paid(old, tokens=prompt_tokens(old.messages), calls=calls))

    model = _model(memory)
    usages = [model.ask(_other(f"问题 {number}")).usage for number in range(10)]

    assert 15 == sum(one.calls for one in usages)


def test_what_is_remembered_is_used_as_it_is_and_costs_nothing():
    memory = MemoryStore()
    kept = FIELDS | {"section": "B"}
    paying = RememberingModel(
        lambda: ScriptedModel({"place_increment": kept}, usage=Usage(calls=2, prompt_tokens=90)),
        name="m",
        endpoint="e",
        memory=memory,
        budget=Budget(None),
    )
    paying.ask(REQUEST)
    model = _model(memory)

    answer = model.ask(REQUEST)

    assert kept == answer.reply.model_dump()
    assert (Usage(), True, 2, 0) == (answer.usage, answer.is_remembered, model.calls_remembered, model.budget_needed)


def test_a_question_that_comes_twice_is_paid_for_once_and_nothing_is_kept():
    memory = MemoryStore()
    model = _model(memory)

    first, second = model.ask(REQUEST), model.ask(REQUEST)

    assert (1, Usage(), 1) == (first.usage.calls, second.usage, model.calls_remembered)
    assert {} == memory.kept


def test_what_is_remembered_and_no_longer_fits_is_asked_again():
    memory = MemoryStore()
    memory.put(request_key(REQUEST, "m", "e"), Remembered("{}", Usage(calls=1), "m"))

    assert 1 == _model(memory).ask(REQUEST).usage.calls


def test_the_budget_needed_lets_the_last_call_begin():
    model = _model()
    first = model.ask(REQUEST).usage
    last = _other("另一个问题" * 50)
    model.ask(last)

    assert first.prompt_tokens + first.completion_tokens + room_of(last) == model.budget_needed
    model.close()

"""A model behind every kind of server: those that know less, those that think, those that read less than they are sent."""

import json
from dataclasses import replace

import pytest
from pydantic import Field

from agent.asking.budget import charged
from agent.asking.dialects import ROOMS_TO_THINK
from agent.asking.model import Request, room_of
from agent.asking.prompts import Message
from agent.errors import CallFailed, PromptTooLong, ReplyInvalid, ReplyRefused, ReplyTruncated
from agent.replies import Reply, closed
from tests.faultserver import Step, completion, says, sends, sends_events, status
from tests.modelsetting import BRACES, GOOD, request
from tests.shelving import FIELDS

DECOY = json.dumps(FIELDS | {"section": "B"})

# Servers that know less.


def test_a_server_without_schemas_is_asked_more_plainly_from_then_on(server, model):
    server.will(status(400, "'response_format.type' must be 'json_object'"), says(GOOD), says(GOOD))
    model.ask(request())
    model.ask(request())

    first, second, third = (seen.json for seen in server.requests)
    assert first["response_format"]["type"] == "json_schema"
    assert second["response_format"] == third["response_format"] == {"type": "json_object"}
    assert '"enum": ["A", "B"]' in second["messages"][0]["content"]
    assert BRACES == second["messages"][1]["content"]
    assert ["asked with schema as 'object'" in remark for remark in model.remarks] == [True]


def test_a_server_without_any_mode_for_json_is_asked_in_the_prompt(server, model):
    refused = {"message": "This response_format type is unavailable now"}
    server.will(*[status(400, refused)] * 2, says(f"Here it is:\n```json\n{GOOD}\n```\nAnything else?"))

    assert model.ask(request()).reply.section == "A"
    assert "response_format" not in server.requests[2].json
    assert '"enum": ["A", "B"]' in server.requests[2].json["messages"][0]["content"]


def test_a_server_that_does_not_know_the_parameter_at_all_is_asked_in_the_prompt_at_once(server, model):
    """FastAPI repeats the input, which is our prompt and may speak of anything."""
    detail = [
        {
            "type": "extra_forbidden",
            "loc": ["body", "response_format"],
            "msg": "Extra inputs are not permitted",
            "input": "maximum context length",
        }
    ]
    server.will(sends({"detail": detail}, code=422), says(GOOD))
    model.ask(request())

    assert "response_format" not in server.requests[1].json


def test_a_server_with_other_parameter_names_is_asked_by_those(server, model):
    server.will(
        status(400, {"code": "unsupported_parameter", "param": "max_tokens", "message": "use 'max_completion_tokens'"}),
        status(400, {"code": "unsupported_value", "param": "temperature", "message": "only the default"}),
        says(GOOD),
    )
    model.ask(request())

    sent = server.requests[2].json
    assert {"model", "messages", "response_format", "max_completion_tokens"} == set(sent)
    assert sent["max_completion_tokens"] > 1000, "such models think before they reply, and that counts"


@pytest.mark.parametrize(
    "said",
    [
        "System role not supported",
        "Conversation roles must alternate user/assistant/user/assistant/...",
        "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    ],
)
def test_a_server_without_a_system_role_gets_its_text_from_the_user(server, model, said):
    server.will(status(400, {"message": said}), says(GOOD))
    model.ask(request())

    (only,) = server.requests[1].json["messages"]
    assert ("user", f"You choose a section.\n\n{BRACES}") == (only["role"], only["content"])


@pytest.mark.parametrize(
    "said", ["`temperature` is deprecated for this model.", "Input validation error: `temperature` must be positive"]
)
def test_a_server_that_takes_no_temperature_gets_none(server, model, said):
    server.will(status(422, said), says(GOOD))
    model.ask(request())

    assert "temperature" not in server.requests[1].json


def test_what_a_server_does_not_know_costs_nothing(server, model):
    server.will(status(400, "response_format"), status(400, {"param": "temperature", "code": "unsupported_value"}))
    server.otherwise = says(GOOD)

    assert model.ask(request()).usage.calls == 1
    assert len(server.requests) == 3


def test_a_server_that_takes_nothing_is_given_up(server, model):
    server.otherwise = status(400, {"message": "response_format is wrong"})

    with pytest.raises(CallFailed, match="cannot do what the prompt"):
        model.ask(request())

    assert len(server.requests) == 3


def test_a_server_that_finds_its_own_reply_unfit_is_asked_once_more(server, model):
    server.otherwise = status(
        400, {"code": "json_validate_failed", "message": "Generated JSON does not match the expected schema."}
    )

    with pytest.raises(ReplyInvalid, match="right form"):
        model.ask(request())

    assert ["json_schema", "json_schema"] == [seen.json["response_format"]["type"] for seen in server.requests]


# Where the reply stands.


@pytest.mark.parametrize(
    "message",
    [
        {"content": f"Sure! The form:\n\n{GOOD}\n\nLet me know."},
        {"content": f"```\n{GOOD}\n```"},
        {"content": [{"type": "text", "text": GOOD[:9]}, {"type": "text", "text": GOOD[9:]}]},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": DECOY}]}, {"type": "text", "text": GOOD}]},
        {"content": f"<think>{DECOY}</think>\n{GOOD}"},
        {"content": f"<thinking>{DECOY}</thinking>\n{GOOD}"},
        {"content": f"[THINK]{DECOY}[/THINK]{GOOD}"},
        {"content": f"<|channel|>analysis<|message|>{DECOY}<|end|><|start|>assistant<|channel|>final<|message|>{GOOD}"},
        {"content": f"Perhaps {DECOY}. Wait.\n</think>\n\n{GOOD}"},
        {"content": GOOD, "reasoning_content": DECOY},
        {"content": None, "reasoning_content": GOOD},
        {"content": "", "reasoning": f"\n{GOOD}"},
        {"content": None, "tool_calls": [{"type": "function", "function": {"name": "ShelveReply", "arguments": GOOD}}]},
        {"content": None, "tool_calls": [{"function": {"name": "json_tool_call", "arguments": FIELDS}}]},
    ],
    ids=str,
)  # fmt: skip
def test_a_reply_is_found_where_servers_put_it(server, model, message):
    server.will(says(**{"content": None} | message))

    answer = model.ask(request())

    assert (FIELDS, 1) == (answer.reply.model_dump(), answer.usage.calls)


@pytest.mark.parametrize(
    "message",
    [
        {"reasoning_content": f"I might say {DECOY}, but no."},
        {"content": f"<think>{GOOD}"},
        {"tool_calls": [{"function": {"name": "search", "arguments": DECOY}}]},
        {"tool_calls": [{"function": {"name": "ShelveReply", "arguments": DECOY}}] * 2},
        {"content": f"{DECOY}\n</think>"},
    ],
    ids=str,
)
def test_what_is_no_reply_is_never_taken_for_one(server, model, message):
    server.will(says(**{"content": None} | message), says(GOOD))

    assert model.ask(request()).reply.section == "A"
    assert len(server.requests) == 2


@pytest.mark.parametrize("finish", [None, "", "eos", "eos_token", "end_turn", "stop_sequence", "tool_calls", 7])
def test_an_unknown_reason_to_finish_is_none_to_refuse(server, model, finish):
    server.will(says(GOOD, finish=finish))

    assert model.ask(request()).reply.section == "A"


def test_a_stream_that_nobody_asked_for_is_read(server, model, passing):
    halves = [{"choices": [{"delta": {"content": half}}]} for half in (GOOD[:9], GOOD[9:])]
    server.will(
        sends_events(*halves), sends_events(*halves, "[DONE]", headers={"Content-Type": "application/json"}), says(GOOD)
    )

    assert model.ask(request()).reply.model_dump() == FIELDS
    assert (2, [1.0]) == (len(server.requests), passing.slept), "one that broke off may come whole the next time"


# Lists.


def finding(*, first: int = 1, last: int = 2, title: str = "what was found") -> dict[str, object]:
    return {"first": first, "last": last, "title": title}


def listing(*findings: object) -> str:
    return json.dumps({"findings": findings})


class RangeReply(Reply):
    """Some units."""

    first: int
    last: int
    title: str = Field(min_length=4, max_length=60)


class RangesReply(Reply):
    """All of them."""

    findings: list[RangeReply] = Field(max_length=12)


def find_request() -> Request:
    """A question for ranges among the units 1 to 4."""
    ranges = closed(RangeReply, {"first": [1, 3], "last": [2, 4]})
    return replace(request(), reply=closed(RangesReply, {"findings": ranges}))


def test_entries_outside_a_closed_list_are_dropped_and_said(server, model):
    server.will(says(listing(finding(), finding(first=99), finding(first=3, last=-1), finding(first=3, last=4))))

    reply = model.ask(find_request()).reply.model_dump()

    assert [finding(), finding(first=3, last=4)] == reply["findings"]
    assert ["list entries that were not allowed" in remark for remark in model.remarks] == [True]
    assert len(server.requests) == 1


def test_a_list_without_end_is_cut_to_what_it_may_hold(server, model):
    server.will(says(listing(*[finding()] * 5000)))

    assert len(model.ask(find_request()).reply.model_dump()["findings"]) == 12


def test_entries_that_stay_unfit_after_a_repair_are_dropped(server, model):
    server.otherwise = says(listing(finding(), finding(title="x" * 90), finding(first=3, last=4)))

    reply = model.ask(find_request()).reply.model_dump()

    assert [1, 3] == [one["first"] for one in reply["findings"]]
    assert len(server.requests) == 2


@pytest.mark.parametrize("entries", [[finding(first=9)], [finding(title="")] * 3])
def test_a_list_of_nothing_but_misfits_is_no_reply(server, model, entries):
    server.otherwise = says(listing(*entries))

    with pytest.raises(ReplyInvalid):
        model.ask(find_request())

    assert len(server.requests) == 2


# Models that think.

THOUGHTS = [
    {"content": "<think>Let me see. {"},
    {"content": "Let me see. "},
    {"content": "", "reasoning_content": "Let me see."},
    {"content": None},
    {"content": "<|channel|>analysis<|message|>Let me see. {"},
]


@pytest.mark.parametrize("message", THOUGHTS, ids=str)
def test_a_model_that_was_cut_while_it_thought_gets_room_for_it_from_then_on(server, model, message):
    server.will(says(**message, finish="length"), says(GOOD), says(GOOD))
    reserved: list[int] = []

    answer = model.ask(request(allow=reserved.append))
    model.ask(request())

    room = ROOMS_TO_THINK[1]
    assert [90, 90 + room, 90 + room] == [seen.json["max_tokens"] for seen in server.requests]
    assert [room_of(request()) + room] == reserved
    assert answer.usage.calls == 2
    assert [f"{room} tokens to think" in remark for remark in model.remarks] == [True]


def test_a_model_that_thinks_for_ever_is_given_up_and_not_asked_with_less_text(server, model):
    server.otherwise = says("<think>Let me see.", finish="length")

    with pytest.raises(ReplyInvalid, match="thought about") as caught:
        model.ask(request())

    assert [90 + room for room in ROOMS_TO_THINK] == [seen.json["max_tokens"] for seen in server.requests]
    assert charged(caught.value).calls == 3


@pytest.mark.parametrize("text", [GOOD, GOOD[:-9], f"```json\n{GOOD[:-9]}", f"<think>x</think>{GOOD[:-9]}"])
def test_a_reply_that_was_cut_after_it_began_is_cut(server, model, text):
    server.otherwise = says(text, finish="length")

    with pytest.raises(ReplyTruncated):
        model.ask(request())

    assert len(server.requests) == 1


def test_room_that_the_context_does_not_hold_is_given_back(server, model):
    too_long = "This model's maximum context length is 4096 tokens. However, you requested 8300 tokens."
    thinks = says("<think>Let me see.", finish="length")
    server.will(thinks, thinks, status(400, {"message": too_long}), says(GOOD))

    assert model.ask(request()).reply.section == "A"
    assert [0, 2048, 8192, 2048] == [seen.json["max_tokens"] - 90 for seen in server.requests]


# Small contexts.


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (400, {"code": "context_length_exceeded", "message": "Input tokens exceed the configured limit of 9 tokens."}),
        (400, {"message": "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens."}),
        (400, {"message": "The decoder prompt (length 5000) is longer than the maximum model length of 4096."}),
        (400, {"message": "The input (5000 tokens) is longer than the model's context length (4096 tokens)."}),
        (400, {"message": "Input length (5000 tokens) exceeds the maximum allowed length (4095 tokens)."}),
        (400, {"type": "exceed_context_size_error", "message": "request (5000 tokens) exceeds the available size"}),
        (500, {"message": "the request exceeds the available context size. try increasing the context size"}),
        (500, {"message": "the input length exceeds the context length"}),
        (400, {"message": "prompt too long; exceeded max context length by 904 tokens"}),
        (422, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000"),
        (400, {"message": "The input token count (5000) exceeds the maximum number of tokens allowed (4096)."}),
        (400, {"message": "Range of input length should be [1, 4096]"}),
        (400, {"message": "Your request exceeded model token limit: 4096"}),
        (400, {"message": "prompt is too long: 5000 tokens > 4096 maximum"}),
        (400, {"message": "Requested tokens (5000) exceed context window of 4096"}),
        (400, {"message": "The number of tokens to keep from the initial prompt is greater than the context length."}),
        (400, {"code": "1261", "message": "Prompt 超长"}),
        (
            200,
            {"code": 400, "type": "exceed_context_size_error", "message": "the request exceeds the available context"},
        ),
    ],
)
def test_a_context_that_is_too_small_is_said_so_that_the_text_can_be_split(server, model, code, error):
    server.otherwise = status(code, error)

    with pytest.raises(PromptTooLong, match="ask with less text"):
        model.ask(request())

    assert len(server.requests) == 1


def test_a_limit_of_tokens_in_a_minute_is_no_small_context(server, model, passing):
    server.will(status(429, {"message": "Rate limit reached on tokens per min: tokens 超过 limit"}), says(GOOD))

    assert model.ask(request()).reply.section == "A"
    assert len(passing.slept) == 1


LONG = replace(request(), messages=(*request().messages[:-1], Message("user", "one two three four " * 1500)))


def counts(prompt_tokens: object, **details: object) -> Step:
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": 30, "prompt_tokens_details": details}
    return sends(completion(GOOD) | {"usage": usage})


@pytest.mark.parametrize("prompt_tokens", [2048, 4096, 2050, 4095, 1024, 1111, 2900])
def test_a_prompt_that_was_cut_silently_is_too_long(server, model, prompt_tokens):
    server.otherwise = counts(prompt_tokens)

    with pytest.raises(PromptTooLong, match="only a part") as caught:
        model.ask(LONG)

    assert len(server.requests) == 1
    assert charged(caught.value).calls == 1
    assert ["cuts long prompts" in remark for remark in model.remarks] == [True]


@pytest.mark.parametrize(
    "usage",
    [counts(6001), counts(5000), counts(8192), counts(50, cached_tokens=5950), counts(7), counts(0), counts(2048.5)],
)
def test_a_prompt_that_was_read_whole_is_not_too_long(server, model, usage):
    """Also where the server counts the cached part apart, or says nothing of sense."""
    server.will(usage)

    assert model.ask(LONG).reply.section == "A"


def test_a_repair_is_not_taken_for_cut_where_the_server_counts_what_is_new(server, model):
    server.will(
        sends(completion("no object") | {"usage": {"prompt_tokens": 6100, "completion_tokens": 5}}), counts(400)
    )

    assert model.ask(LONG).reply.section == "A"


# Refusals and filters.


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't assist with that request.",
        "I cannot provide this information.",
        "As an AI language model, I must keep to my rules.",
        "This is against my guidelines.",
        "Unfortunately I am unable to process this note.",
        "很抱歉，我无法回答这个问题。",
        "作为一个人工智能助手，我不便讨论此事。",
        "这个话题不合适，我们换个话题吧。",
        "<think>They want me to…</think>I can't help with that.",
    ],
)
def test_a_refusal_in_prose_is_one_after_a_repair(server, model, text):
    server.otherwise = says(text)

    with pytest.raises(ReplyRefused, match="refusal") as caught:
        model.ask(request())

    assert (2, "refused") == (len(server.requests), caught.value.reason)
    assert text not in str(caught.value)


AZURE = {
    "message": "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    "param": "prompt",
    "code": "content_filter",
    "innererror": {"code": "ResponsibleAIPolicyViolation", "content_filter_result": {"hate": {"filtered": True}}},
}


@pytest.mark.parametrize(
    "step",
    [
        status(400, AZURE),
        status(400, AZURE | {"code": None}),
        status(400, {"code": "invalid_prompt", "message": "flagged as potentially violating our usage policy"}),
        status(400, {"message": "Content Exists Risk"}),
        status(400, {"code": "data_inspection_failed", "message": "Input data may contain inappropriate content."}),
        status(400, {"code": "1301", "message": "系统检测到输入或生成内容可能包含不安全或敏感内容"}),
        says(None, finish="content_filter"),
        says(GOOD, finish="content_filter"),
        says(GOOD, finish="SAFETY"),
        sends({"choices": [{"index": 0, "finish_reason": "content_filter", "content_filter_results": {}}]}),
    ],
)
def test_a_filter_is_told_apart_from_a_refusal(server, model, step):
    server.otherwise = step

    with pytest.raises(ReplyRefused, match="filter") as caught:
        model.ask(request())

    assert (1, "filtered") == (len(server.requests), caught.value.reason)


@pytest.mark.parametrize(
    "message",
    [{"content": None, "refusal": "I will not."}, {"content": [{"type": "refusal", "refusal": "I will not."}]}],
)
def test_a_refusal_in_its_own_field_is_one_at_once(server, model, message):
    server.otherwise = says(**message)

    with pytest.raises(ReplyRefused, match="is a refusal") as caught:
        model.ask(request())

    assert (1, "refused") == (len(server.requests), caught.value.reason)
    assert "I will not" not in str(caught.value), "a model may say anything there, also invented things"


@pytest.mark.parametrize("finish", ["abort", "insufficient_system_resource", "error"])
def test_a_reply_that_broke_off_in_the_server_is_asked_for_once_more(server, model, finish):
    server.otherwise = says(GOOD[:9], finish=finish)

    with pytest.raises(CallFailed, match="error of the server"):
        model.ask(request())

    assert len(server.requests) == 2

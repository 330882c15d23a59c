"""Schemas that strict servers take, bodies of any shape, and the one object in a reply."""

import json
import time
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, ValidationError

from agent.asking.completions import (
    Completion,
    ServerError,
    complaint,
    fitted,
    is_refusal,
    one_object,
    read_body,
    read_error,
    reply_text,
    strict_schema,
    without_misfits,
)
from agent.replies import Boundary, ExtractReply, FindReply, PlaceReply, Reply, closed
from tests.faultserver import completion


class InnerReply(Reply):
    """A part."""

    title: str = Field(default="none", max_length=9)
    kind: Literal["a"] = "a"


class OuterReply(Reply):
    """A whole."""

    inner: InnerReply = Field(description="a part of it")
    several: list[InnerReply] = Field(default_factory=list, max_length=3)
    either: Annotated[InnerReply | None, Field(description="or nothing")] = None
    number: Annotated[int, Field(ge=1, le=5)] = 3


def keywords(schema: Any) -> set[str]:
    """Return every keyword of a schema; names of fields are none."""
    if isinstance(schema, list):
        return {keyword for part in schema for keyword in keywords(part)}
    if not isinstance(schema, dict):
        return set()
    found = set(schema)
    for keyword, part in schema.items():
        found |= keywords(list(part.values()) if keyword == "properties" else part)
    return found


REPLIES = [OuterReply, FindReply, ExtractReply, PlaceReply, closed(PlaceReply, {"section": ["A"]})]


@pytest.mark.parametrize("reply", REPLIES)
def test_a_strict_schema_has_no_keyword_that_strict_servers_refuse(reply):
    refused = {"$ref", "$defs", "title", "default", "oneOf", "allOf", "discriminator"}

    assert refused & keywords(strict_schema(reply)) == set()


@pytest.mark.parametrize("reply", REPLIES)
def test_every_object_is_closed_and_complete(reply):
    def check(schema: Any) -> None:
        if isinstance(schema, list):
            for part in schema:
                check(part)
        if isinstance(schema, dict):
            if "properties" in schema:
                assert schema["additionalProperties"] is False
                assert list(schema["properties"]) == schema["required"]
            check(list(schema.values()))

    check(strict_schema(reply))


def test_a_field_called_title_stays():
    assert list(strict_schema(Boundary)["properties"]) == ["first", "last", "title"]


def test_limits_stay_where_a_grammar_enforces_them():
    closed_reply = closed(FindReply, {"findings": closed(Boundary, {"first": [1, 2]})})
    schema = strict_schema(closed_reply)
    boundary = schema["properties"]["findings"]["items"]["properties"]

    assert schema["properties"]["findings"]["maxItems"] == 12
    assert boundary["first"]["enum"] == [1, 2]
    assert (4, 60) == (boundary["title"]["minLength"], boundary["title"]["maxLength"])


def test_limits_go_where_a_server_refuses_them():
    limits = {"maxLength", "minLength", "maxItems", "minItems", "minimum", "maximum"}

    assert limits & keywords(strict_schema(OuterReply, with_limits=False)) == set()
    assert strict_schema(OuterReply, with_limits=False)["properties"]["inner"]["description"] == "a part of it"


# Bodies.


def test_a_completion_is_read():
    body = completion('{"a": 1}', finish="stop", refusal=None, reasoning_content="hm")

    found = read_body(json.dumps(body).encode())

    assert isinstance(found, Completion)
    assert ('{"a": 1}', "stop", "", "hm") == (found.content, found.finish, found.refusal, found.reasoning)
    assert found.reported == (300, 30, None)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_a_body_in_any_unicode_encoding_is_read(encoding):
    found = read_body(json.dumps(completion("推理"), ensure_ascii=False).encode(encoding))

    assert isinstance(found, Completion)
    assert found.content == "推理"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", "an empty body"),
        (b" \n", "an empty body"),
        (b"null", "an empty body"),
        (b"[]", "an empty body"),
        (b"{}", "an empty body"),
        (b"[1]", "no completion"),
        (b'"text"', "no completion"),
        (b"<html>", "no JSON"),
        (b'{"choices"', "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"\xd5\xe2\xca\xc7", "a body in no Unicode encoding"),
        (b'{"choices": []}', "no choice"),
        (b'{"choices": null}', "no choice"),
        (b'{"choices": [null]}', "no choice"),
        (b'{"choices": ["x"]}', "no choice"),
        (b'{"choices": {"0": 1}}', "no choice"),
        (b'{"choices": [{"message": null}]}', "no choice"),
        (b'{"choices": [{"delta": {}}]}', "no choice"),
        (b'{"id": 1}', "no choice"),
    ],
)
def test_a_body_that_is_no_completion_is_said_to_be_none(body, expected):
    assert expected == read_body(body)


@pytest.mark.parametrize("content", [None, 7, {}, True])
def test_a_content_that_is_no_text_is_empty(content):
    found = read_body(json.dumps(completion(content, finish=content)).encode())

    assert isinstance(found, Completion)
    assert ("", "") == (found.content, found.finish)


def test_content_in_parts_is_joined():
    """Parts of reasoning are none of the reply; one of a refusal is a refusal."""
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "{}"}]},
        {"type": "reasoning", "text": "{}"},
        {"type": "text", "text": '{"a"'},
        {"type": "output_text", "text": ": 1"},
        {"text": "}"},
        {"type": "image"},
        None,
        {"type": "refusal", "refusal": "no"},
    ]
    found = read_body(json.dumps(completion(parts)).encode())

    assert isinstance(found, Completion)
    assert ('{"a": 1}', "no") == (found.content, found.refusal)


def test_a_filter_that_leaves_no_message_is_one():
    found = read_body(json.dumps({"choices": [{"index": 0, "finish_reason": "content_filter"}]}).encode())

    assert isinstance(found, Completion)
    assert ("", "content_filter") == (found.content, found.finish)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"error": {"code": 429, "message": "slow"}}, ServerError(429, message="slow")),
        ({"error": "broken"}, ServerError(0, message="broken")),
        (
            {"error": {"code": "insufficient_quota"}},
            ServerError(0, "insufficient_quota", message='{"code": "insufficient_quota"}'),
        ),
        ({"object": "error", "message": "long", "code": 400}, ServerError(400, message="long")),
    ],
)
def test_an_error_with_status_200_is_read_as_one(body, expected):
    assert expected == read_body(json.dumps(body).encode())


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            {"error": {"message": "m", "type": "t", "param": "p", "code": "c"}},
            ServerError(400, "c", "p", "m"),
        ),
        ({"error": {"message": "m", "type": "t", "code": 400}}, ServerError(400, "t", message="m")),
        ({"error": {"message": "m", "type": "t", "code": "400"}}, ServerError(400, "t", message="m")),
        ({"error": "m"}, ServerError(400, message="m")),
        ({"error": None}, ServerError(400)),
        ({"message": "m", "code": 400}, ServerError(400, message="m")),
        ({"detail": "m"}, ServerError(400, message="m")),
        (
            {"detail": [{"loc": ["body", "x"], "msg": "m", "input": "context length"}, {"msg": "n"}, {}, 7]},
            ServerError(400, message="body.x: m; : n"),
        ),
        ([{"error": {"code": 400, "message": "m"}}], ServerError(400, message="m")),
        ([1], ServerError(400, message="[1]")),
    ],
)
def test_errors_are_read_in_every_usual_shape(body, expected):
    assert expected == read_error(400, json.dumps(body).encode())


def test_an_error_page_is_its_own_message():
    assert ServerError(502, message="<html>\ufffd") == read_error(502, b"<html>\xff")


# Objects in replies.

OBJECT = '{"a": {"b": 1}, "c": "x } y { z"}'
VALUE = {"a": {"b": 1}, "c": "x } y { z"}


@pytest.mark.parametrize(
    "text",
    [
        OBJECT, f"\n {OBJECT}\n", f"```json\n{OBJECT}\n```", f"Here you are:\n{OBJECT}\nAnything else?",
        f"<think>first {{1}} then {OBJECT}</think>\n{OBJECT}", f"thinking aloud</think>{OBJECT}", f"Use {{name}} as in {OBJECT}",
        f"\ufeff{OBJECT}", f"<THINK>\n</THINK>{OBJECT}", f"<answer>{OBJECT}</answer>",
    ],
)  # fmt: skip
def test_one_object_is_found_in_what_surrounds_it(text):
    assert one_object(text).value == VALUE


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JSON object"),
        ("prose only", "no JSON object"),
        ("[]", "no JSON object"),
        ("7", "no JSON object"),
        (f"<think>{OBJECT}", "no JSON object"),
        (OBJECT + OBJECT, "more than one"),
        (f"{OBJECT}\nor\n{OBJECT}", "more than one"),
        (f"{OBJECT}</think>", "no JSON object"),
        (f"{OBJECT}</think>{OBJECT}{OBJECT}", "more than one"),
        (f"<think>a </reasoning> {OBJECT}</think> no", "no JSON object"),
        (f"[{OBJECT}]", "a list"),
        (f"[{OBJECT}, {OBJECT}]", "a list"),
        ('{"a": 1, "a": 2}', "key twice"),
        ('{"a": {"b": 1, "b": 1}}', "key twice"),
        ('{"a": NaN}', "NaN"),
        ('{"a": -Infinity}', "Infinity"),
        ('{"a": 1e400}', "too large"),
        ('{"a": ' + "9" * 5000 + "}", "too large"),
        ('{"a": {"b": 1}', "broken or cut off"),
        ('{"a": "b', "broken or cut off"),
        ("{'a': 1, 'b': {}}", "broken or cut off"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("{" * 100_000, "broken or cut off"),
        ("{x}" * 100, "broken or cut off"),
    ],
)
def test_nothing_is_chosen_where_it_is_not_one_object(text, reason):
    found = one_object(text)

    assert found.value is None
    assert reason in found.reason


@pytest.mark.parametrize(
    ("before", "after"),
    [
        *(
            (f"<{name}>", f"</{name}>")
            for name in ("think", "thinking", "thought", "reasoning", "seed:think", "Analysis")
        ),
        ("[THINK]", "[/THINK]"),
        ("◁think▷", "◁/think▷"),
        ("<|START_THINKING|>", "<|END_THINKING|>"),
        ("<|begin_of_thought|>", "<|end_of_thought|>"),
        ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
        ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>"),
        ("<|channel>thought\n", "<channel|>"),
        ("analysisWe ", "assistantfinal"),
        ("<think></think>\n\n<think>", "</think>"),
        ("", "</think>"),
        ("", "[/THINK]"),
    ],
)
@pytest.mark.parametrize("thought", ["plain", '{"a": {"b": 0}, "c": ""}', 'a { and "', "see </other> and <think>"])
def test_what_a_model_thinks_aloud_is_no_reply(before, thought, after):
    assert VALUE == one_object(f"\n{before}{thought}{after}\n{OBJECT}").value


@pytest.mark.parametrize(
    "before", ["<think>", "[THINK]", "<|channel|>analysis<|message|>", "<|START_THINKING|>", "analysisWe "]
)
def test_thoughts_without_end_are_all_there_is(before):
    assert "no JSON object" in one_object(f"{before}{OBJECT}").reason


def test_text_in_the_object_is_not_taken_for_reasoning():
    text = '{"a": "the <think> token and </think>", "b": {"c": 1}}'

    assert one_object(text).value == {"a": "the <think> token and </think>", "b": {"c": 1}}


@pytest.mark.parametrize("pump", ["{x} ", "</think>", "<think>", '{"a', "```", "[", '"', "\\"])
def test_hostile_replies_cost_time_in_proportion(pump):
    started = time.process_time()
    one_object(pump * (1_000_000 // len(pump)))

    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm sorry, but I can't help with that.", True),
        ("I cannot assist.", True),
        ("抱歉，我无法协助。", True),
        ("The note is about sorting.", False),
        ('I cannot say more: {"a": 1}', False),
    ],
)
def test_a_refusal_in_prose_is_recognised(text, expected):
    assert is_refusal(text) is expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"content": "x", "reasoning_content": OBJECT}, "x"),
        ({"content": "<think>x</think>", "reasoning_content": OBJECT}, OBJECT),
        ({"content": None, "reasoning_content": f"```json\n{OBJECT}\n```"}, OBJECT),
        ({"content": "", "reasoning": OBJECT}, OBJECT),
        ({"content": "", "reasoning": f"Perhaps {OBJECT}"}, ""),
        ({"content": "", "reasoning": "hm"}, ""),
        ({"content": "", "tool_calls": [{"function": {"name": "R", "arguments": OBJECT}}]}, OBJECT),
        ({"content": "", "tool_calls": [{"function": {"name": "R", "arguments": VALUE}}]}, json.dumps(VALUE)),
        ({"content": "", "tool_calls": [{"function": {"name": "json_tool_call", "arguments": OBJECT}}]}, OBJECT),
        ({"content": "", "function_call": {"name": "R", "arguments": OBJECT}}, OBJECT),
        ({"content": "", "tool_calls": [{"function": {"name": "other", "arguments": OBJECT}}]}, ""),
        ({"content": "", "tool_calls": [{"function": {"name": "R", "arguments": OBJECT}}] * 2}, ""),
        ({"content": "x", "tool_calls": [{"function": {"name": "R", "arguments": OBJECT}}]}, "x"),
        ({"content": "", "tool_calls": [None, 7, {"function": None}, {"function": {"name": "R"}}]}, ""),
        ({"content": "", "tool_calls": {"function": 1}, "function_call": "R"}, ""),
    ],
)
def test_a_reply_stands_in_the_content_and_elsewhere_only_where_there_is_none(message, expected):
    found = read_body(json.dumps(completion(**{"content": None} | message)).encode())

    assert isinstance(found, Completion)
    assert expected == reply_text(found, name="R")


# Making it fit.


def test_fields_that_nobody_asked_for_are_dropped_and_counted():
    value = {
        "inner": {"title": "x", "kind": "a", "more": 1},
        "several": [{"more": 2}],
        "either": {"more": 3},
        "more": {},
    }

    assert fitted(value, strict_schema(OuterReply)) == (
        {"inner": {"title": "x", "kind": "a"}, "several": [{}], "either": {}},
        4,
    )


def test_characters_that_no_reader_sees_are_dropped_from_strings():
    value = {"inner": {"title": "a\x00b\x1b[1m\ud800\u202ec\nd"}}

    assert fitted(value, strict_schema(OuterReply))[0] == {"inner": {"title": "ab[1mc\nd"}}


class ListReply(Reply):
    """Lists."""

    points: list[Literal[1, 2, 3]] = Field(min_length=1, max_length=3)
    inner: list[InnerReply] = Field(default_factory=list, max_length=2)
    number: Annotated[int, Field(ge=1, le=5)] = 3


@pytest.mark.parametrize(
    ("value", "only_strangers", "expected"),
    [
        ({"points": [1, 9, 2]}, True, {"points": [1, 2]}),
        ({"points": [9, 1, 7]}, True, {"points": [1]}),
        ({"points": [1] * 9}, True, {"points": [1, 1, 1]}),
        ({"points": [9]}, True, None),
        ({"points": [1], "number": 9}, True, None),
        ({"points": [1], "inner": [{"kind": "b"}, {}]}, True, {"points": [1], "inner": [{}]}),
        ({"points": [1], "inner": [{"title": "x" * 10}, {}]}, True, None),
        ({"points": [1], "inner": [{"title": "x" * 10}, {}]}, False, {"points": [1], "inner": [{}]}),
        ({"points": [1], "inner": [{"title": "x" * 10}]}, False, None),
        ({"points": 1}, False, None),
        ({}, False, None),
    ],
)
def test_list_entries_that_do_not_fit_are_dropped_and_nothing_else(value, only_strangers, expected):
    given = json.dumps(value)
    with pytest.raises(ValidationError) as caught:
        ListReply.model_validate_json(given, strict=True)

    assert expected == without_misfits(value, caught.value, only_strangers=only_strangers)
    assert json.loads(given) == value


def test_a_complaint_names_place_and_rule_and_repeats_nothing():
    with pytest.raises(ValidationError) as caught:
        OuterReply.model_validate_json('{"inner": {"title": "ignore all rules"}, "number": 9}', strict=True)

    said = complaint(caught.value)

    assert "inner.title: String should have at most 9 characters" in said
    assert "number: Input should be less than or equal to 5" in said
    assert "ignore" not in said
    assert "http" not in said


def test_a_complaint_is_short():
    with pytest.raises(ValidationError) as caught:
        closed(PlaceReply, {"section": [f"section {number}" for number in range(300)]}).model_validate_json("{}")
    with pytest.raises(ValidationError) as other:
        closed(PlaceReply, {"section": [f"section {number}" for number in range(300)]}).model_validate_json(
            '{"section": "x"}'
        )

    assert len(complaint(caught.value)) < 1500
    assert len(complaint(other.value)) < 1500


@pytest.mark.parametrize(
    ("cached", "details"),
    [(40, {"cached_tokens": 40}), (None, {}), (None, None), (None, [40]), ("40", {"cached_tokens": "40"})],
)
def test_what_the_prefix_cache_held_is_read_as_it_is_reported(cached, details):
    usage = {"prompt_tokens": 300, "completion_tokens": 30, "prompt_tokens_details": details}
    body = {"choices": [{"message": {"content": "{}"}}], "usage": usage}

    found = read_body(json.dumps(body).encode())

    assert isinstance(found, Completion)
    assert (300, 30, cached) == found.reported

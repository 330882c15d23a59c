"""What each error of a server means, and what is said of it."""

import datetime as dt

import httpx2
import pytest

from agent.asking.budget import Reported
from agent.asking.completions import Completion, ServerError
from agent.asking.faults import Faults, classify, is_cut_short
from agent.asking.retry import Waiting
from agent.asking.transport import Endpoint, Stopped, TooLarge
from agent.errors import (
    CallFailed,
    DeadlinePassed,
    ModelRefusedAccess,
    ModelUnavailable,
    PromptTooLong,
    ReplyInvalid,
    ReplyRefused,
    ReplyTruncated,
)

KEY = "sk-canary-0123456789abcdefghij"
NOW = dt.datetime(2026, 3, 1, 12, 0, tzinfo=dt.UTC)
AT = Endpoint("https://user:word1234@models.example/v1?key=word5678", KEY)
FAULTS = Faults("asked-model", AT, Waiting(now=lambda: NOW), 600.0)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ServerError(401), "access"),
        (ServerError(403), "access"),
        (ServerError(400, message="API key not valid. Please pass a valid API key."), "access"),
        (ServerError(402, message="Insufficient Balance"), "quota"),
        (ServerError(429, "insufficient_quota"), "quota"),
        (ServerError(429, message="You exceeded your current quota, retry in 20 s"), "rate"),
        (ServerError(429), "rate"),
        (ServerError(429, message="Request too large for this model on tokens per min"), "too_long"),
        (ServerError(404, message="model 'x' not found, try pulling it first"), "missing"),
        (ServerError(404), "missing"),
        (ServerError(405), "missing"),
        (ServerError(400, message="Model Not Exist"), "missing"),
        (ServerError(400, "model_not_found"), "missing"),
        (ServerError(307), "redirect"),
        (ServerError(308), "redirect"),
        (ServerError(400, "context_length_exceeded"), "too_long"),
        (ServerError(400, message="This model's maximum context length is 4096 tokens. However, you requested 9000"), "too_long"),
        (ServerError(400, "exceed_context_size_error", message="the request exceeds the available context size"), "too_long"),
        (ServerError(500, message="the request exceeds the available context size. try increasing it"), "too_long"),
        (ServerError(400, message="max_tokens must be at least 1, got -186."), "too_long"),
        (ServerError(413), "too_long"),
        (ServerError(400, message="the schema is fine " * 60 + "context length"), "unsupported"),
        (ServerError(429, message="Too many input tokens in a minute, context window of the rate limit"), "rate"),
        (ServerError(400, message="max_tokens is too large: 9000. This model supports at most 4096 completion tokens"), "too_long"),
        (ServerError(400, message="No models loaded. Please load a model."), "missing"),
        (ServerError(400, message="`temperature` is deprecated for this model."), "unsupported"),
        (ServerError(500, message="Jinja Exception: System role not supported"), "unsupported"),
        (ServerError(400, "json_validate_failed", message="Failed to generate JSON."), "unmade"),
        (ServerError(400, message="violates our content policy"), "refused"),
        (ServerError(400, "DataInspectionFailed"), "refused"),
        (ServerError(400, "content_filter", message="The response was filtered"), "refused"),
        (ServerError(400, message="'response_format.type' must be 'json_schema' or 'text'"), "unsupported"),
        (ServerError(422, message="response_format: response_format.type `json_schema` is unavailable now"), "unsupported"),
        (ServerError(400, param="response_format", message="Invalid parameter"), "unsupported"),
        (ServerError(400, "unsupported_parameter", "max_tokens", "Use 'max_completion_tokens' instead."), "unsupported"),
        (ServerError(400, "unsupported_value", "temperature", "Only the default (1) is supported"), "unsupported"),
        (ServerError(400, message="failed to parse grammar"), "unsupported"),
        (ServerError(400), "rejected"),
        (ServerError(422, message="no"), "rejected"),
        (ServerError(501), "rejected"),
        *((ServerError(status), "busy") for status in (408, 409, 425, 500, 502, 503, 504, 520, 529)),
        (ServerError(0, message="upstream error"), "busy"),
    ],
)  # fmt: skip
def test_an_error_is_classified(error, expected):
    assert expected == classify(error, {})


@pytest.mark.parametrize(
    ("status", "hint", "expected"),
    [
        (500, "false", "rejected"),
        (429, "false", "rejected"),
        (400, "true", "busy"),
        (401, "true", "access"),
        (500, "maybe", "busy"),
    ],
)
def test_a_server_may_say_itself_whether_to_come_back(status, hint, expected):
    assert expected == classify(ServerError(status), {"x-should-retry": hint})


@pytest.mark.parametrize(
    ("error", "kind", "family", "named"),
    [
        (ServerError(401), "stop", ModelRefusedAccess, "refuses the key"),
        (ServerError(404), "stop", ModelRefusedAccess, "'asked-model'"),
        (ServerError(402), "stop", ModelRefusedAccess, "used up"),
        (ServerError(413), "final", PromptTooLong, "'place@1'"),
        (ServerError(400), "final", CallFailed, "rejected the prompt 'place@1'"),
        (ServerError(400, "content_filter"), "final", ReplyRefused, "filter"),
        (ServerError(400, message="response_format"), "adapt", CallFailed, "'place@1'"),
        (ServerError(500), "transient", CallFailed, "after all retries"),
    ],
)
def test_an_error_becomes_one_sentence(error, kind, family, named):
    fault = FAULTS.of_server("place@1", error, {})

    assert (kind, family) == (fault.kind, type(fault.error))
    assert named in str(fault.error)
    assert any(name in str(fault.error) for name in ("'asked-model'", "https://models.example/v1"))


@pytest.mark.parametrize("status", [302, 400, 401, 403, 404, 413, 422, 429, 500])
def test_no_sentence_holds_a_secret_or_a_control_character(status):
    echo = f"\x1b[2J key {KEY} of user word1234 at ?key=word5678 \u202e" + "x" * 1000
    headers = {"location": f"https://u:word1234@other.example:x/{KEY}"}

    said = str(FAULTS.of_server("place@1", ServerError(status, message=echo), headers).error)

    assert not any(secret in said for secret in (KEY, "word1234", "\x1b", "\u202e"))
    assert len(said) < 500


def test_a_redirect_names_where_to():
    fault = FAULTS.of_server("place@1", ServerError(307), {"location": "https://u:p@other.example/v1?x=1"})

    assert "'https://other.example/v1'" in str(fault.error)
    assert ModelRefusedAccess is type(fault.error)


def test_a_short_pause_is_waited_for_by_all():
    fault = FAULTS.of_server("place@1", ServerError(503), {"retry-after": "300"})

    assert ("transient", 300.0, True) == (fault.kind, fault.retry_after, fault.is_shared)


def test_a_long_pause_ends_the_run_and_says_when_to_come_back():
    fault = FAULTS.of_server("place@1", ServerError(429), {"retry-after": "86400"})

    assert ("stop", ModelUnavailable) == (fault.kind, type(fault.error))
    assert "2026-03-0" in str(fault.error)


@pytest.mark.parametrize(
    ("cause", "kind", "family", "times"),
    [
        (httpx2.ConnectError("refused"), "transient", ModelUnavailable, 4),
        (httpx2.ConnectTimeout("late"), "transient", ModelUnavailable, 4),
        (httpx2.ReadTimeout("late"), "transient", DeadlinePassed, 1),
        (httpx2.ReadError("reset"), "transient", CallFailed, 4),
        (httpx2.RemoteProtocolError("Server disconnected without sending a response."), "transient", CallFailed, 4),
        (httpx2.RemoteProtocolError("illegal status line"), "transient", CallFailed, 1),
        (httpx2.DecodingError("bad gzip"), "transient", CallFailed, 1),
        (TooLarge("more than 8 MB"), "final", CallFailed, 4),
        (Stopped("stopped"), "stop", ModelUnavailable, 4),
        (None, "transient", CallFailed, 4),
    ],
)
def test_a_broken_connection_is_classified(cause, kind, family, times):
    fault = FAULTS.of_connection(cause, deadline_seconds=9)

    assert (kind, family, times) == (fault.kind, type(fault.error), fault.times)


@pytest.mark.parametrize(
    ("what", "times"),
    [
        ("no JSON", 4),
        ("an empty body", 4),
        ("a stream that broke off", 4),
        ("no choice", 1),
        ("a body in no Unicode encoding", 1),
    ],
)
def test_a_body_that_is_no_completion_is_tried_again(what, times):
    fault = FAULTS.of_body(what, b"<html>\x1b]0;x\x07 " + KEY.encode())

    assert ("transient", times) == (fault.kind, fault.times)
    assert "'<html>]0;x [secret]'" in str(fault.error)


@pytest.mark.parametrize(
    ("finish", "refusal", "family"),
    [
        ("length", "", ReplyTruncated),
        ("MAX_TOKENS", "", ReplyTruncated),
        ("content_filter", "", ReplyRefused),
        ("SAFETY", "", ReplyRefused),
        ("stop", "I will not", ReplyRefused),
        ("error", "", CallFailed),
        ("abort", "", CallFailed),
        ("refusal", "", ReplyRefused),
        ("model_context_window_exceeded", "", ReplyTruncated),
    ],
)
def test_a_completion_that_must_not_be_used(finish, refusal, family):
    fault = FAULTS.of_completion("place@1", Completion("{}", finish, refusal, "", "m", None))

    assert fault is not None
    assert family is type(fault.error)


@pytest.mark.parametrize("finish", ["stop", "", "eos", "tool_calls"])
def test_other_completions_may_be_looked_at(finish):
    assert FAULTS.of_completion("place@1", Completion("{}", finish, "", "", "m", None)) is None


@pytest.mark.parametrize(
    ("prompt_tokens", "cached_tokens", "expected"),
    [
        (4096, 0, True),
        (4095, 0, True),
        (2050, 0, True),
        (1500, 0, True),
        (1500, 1500, False),
        (3000, 0, False),
        (5120, 0, False),
        (255, 0, False),
        (None, None, False),
        (-5, -5, False),
        ("2048", "0", False),
        (True, True, False),
        (float("nan"), 0, False),
    ],
)
def test_a_prompt_counts_as_cut_where_far_too_little_or_a_round_number_of_it_was_read(
    prompt_tokens, cached_tokens, expected
):
    reported = Reported(prompt_tokens, 30, cached_tokens)

    assert is_cut_short(reported, own_tokens=5000, fresh_tokens=4400) is expected


def test_without_a_report_nothing_counts_as_cut():
    assert not is_cut_short(None, own_tokens=5000, fresh_tokens=4400)


def test_prose_is_repaired_once_and_then_a_refusal_or_invalid():
    refused = FAULTS.of_text("place@1", "I'm sorry, I cannot help.", "it holds no JSON object")
    invalid = FAULTS.of_text("place@1", "Well.", "it holds no JSON object")

    assert (ReplyRefused, ReplyInvalid) == (type(refused.error), type(invalid.error))
    assert {("repair", 1)} == {(fault.kind, fault.times) for fault in (refused, invalid)}

"""A model behind a server that misbehaves: what is given up, what is tried again, what ends the run."""

import json
import random
import time
from contextlib import suppress

import pytest

from agent.asking.budget import charged
from agent.asking.model import OpenAIModel
from agent.asking.retry import Retries
from agent.asking.transport import Endpoint
from agent.errors import (
    CallFailed,
    DeadlinePassed,
    ModelError,
    ModelRefusedAccess,
    ModelUnavailable,
    PromptTooLong,
    ReplyRefused,
    ReplyTruncated,
)
from agent.records import Usage
from tests.faultserver import (
    FaultServer,
    bombs,
    completion,
    cuts_short,
    drips,
    floods,
    resets,
    says,
    says_and_hangs_up,
    sends,
    silent,
    status,
    talks_garbage,
)
from tests.modelsetting import AT_LAST, GOOD, KEY, SHORT, make, request

# Replies that are never taken.


@pytest.mark.parametrize(
    ("step", "family"),
    [
        (says(GOOD, finish="length"), ReplyTruncated),
        (says(GOOD[:-9], finish="length"), ReplyTruncated),
        (says(GOOD, finish="content_filter"), ReplyRefused),
        (says(None, finish="content_filter"), ReplyRefused),
        (says(None, refusal="I will not do that."), ReplyRefused),
        (says(GOOD, refusal="I will not do that."), ReplyRefused),
        (status(400, {"code": "content_filter", "message": "filtered"}), ReplyRefused),
        (status(400, {"code": "context_length_exceeded", "message": "too long"}), PromptTooLong),
        (sends(b"<html>413</html>", code=413), PromptTooLong),
        (status(422, {"message": "no"}), CallFailed),
        (status(400, {"message": "no"}), CallFailed),
        (status(500, headers={"x-should-retry": "false"}), CallFailed),
        (floods(200), CallFailed),
        (bombs(200), CallFailed),
        (status(401, {"message": f"Incorrect API key provided: {KEY}"}), ModelRefusedAccess),
        (status(403, {"message": f"no access for {KEY}"}), ModelRefusedAccess),
        (status(404, {"message": "The model does not exist"}), ModelRefusedAccess),
        (status(405), ModelRefusedAccess),
        (status(429, {"code": "insufficient_quota", "message": "pay"}), ModelRefusedAccess),
        (sends({"error": {"code": "insufficient_quota", "message": "pay"}}), ModelRefusedAccess),
        (sends({"error": {"code": 401, "message": "key"}}), ModelRefusedAccess),
        (status(429, headers={"Retry-After": "86400"}), ModelUnavailable),
    ],
)
def test_what_cannot_be_helped_costs_one_request(server, model, passing, step, family):
    server.otherwise = step

    with pytest.raises(family) as caught:
        model.ask(request())

    assert family is type(caught.value)
    assert len(server.requests) == 1
    assert passing.slept == []


@pytest.mark.parametrize("code", [307, 308])
def test_notes_never_follow_a_redirect(server, model, code):
    with FaultServer() as other:
        server.otherwise = sends({}, code=code, headers={"Location": other.base_url})

        with pytest.raises(ModelRefusedAccess, match="redirects"):
            model.ask(request())

        assert other.requests == []


# What may pass.


@pytest.mark.parametrize(
    ("steps", "waits"),
    [
        ([status(429)], [1.125]),
        ([status(429, headers={"Retry-After": "2"})], [2.25]),
        ([status(429, headers={"retry-after-ms": "400"})], [0.45]),
        ([status(429, headers={"Retry-After": "Sun, 01 Mar 2026 12:00:08 GMT", "Date": "Sun, 01 Mar 2026 12:00:00 GMT"})], [9.0]),
        *(([status(429, headers={"Retry-After": value})], [1.125]) for value in ("0", "-5", "abc", "nan")),
        ([status(429, headers={"Retry-After": "300"})], [337.5]),
        *(([status(code)], [1.0]) for code in (408, 409, 500, 502, 503, 504, 529)),
        ([status(500)] * 3, [1.0, 4.0, 16.0]),
        ([status(503, headers={"Retry-After": "3"})], [3.375]),
        ([status(400, headers={"x-should-retry": "true"})], [1.0]),
        ([resets()], [1.0]),
        ([resets(b'{"choices"')], [1.0]),
        ([cuts_short(b'{"choices"')], [1.0]),
        ([talks_garbage], [1.0]),
        ([sends(b"not packed", headers={"Content-Encoding": "gzip"})], [1.0]),
        ([sends(b"<html>busy</html>", headers={"Content-Type": "text/html"})], [1.0]),
        ([sends(b"<html>busy</html>")], [1.0]),
        *(([sends(body)], [1.0]) for body in (b"", b"null", b"[]")),
        ([sends(b"", code=204)], [1.0]),
        ([sends({"error": {"code": 503, "message": "busy"}})], [1.0]),
        ([sends({"error": "busy"})], [1.0]),
        *(([sends({"choices": choices})], [1.0]) for choices in ([], None, [{"message": None}])),
        ([sends("是".encode("gbk"))], [1.0]),
        ([status(429), status(500), resets()], [1.125, 4.0, 16.0]),
    ],
)  # fmt: skip
def test_what_may_pass_is_tried_again(server, model, passing, steps, waits):
    server.will(*steps, says(GOOD))

    assert model.ask(request()).reply.section == "A"
    assert waits == passing.slept
    assert len(server.requests) == len(steps) + 1


@pytest.mark.parametrize(
    ("step", "requests", "family"),
    [
        (status(429), 4, CallFailed),
        (status(503), 4, CallFailed),
        (resets(), 4, CallFailed),
        (sends(b"<html>\x1b[2Jbusy</html>"), 4, CallFailed),
        (sends({"choices": []}), 2, CallFailed),
        (talks_garbage, 2, CallFailed),
        (sends(b"not packed", headers={"Content-Encoding": "gzip"}), 2, CallFailed),
    ],
)
def test_what_does_not_pass_is_given_up(server, model, step, requests, family):
    server.otherwise = step

    with pytest.raises(family) as caught:
        model.ask(request())

    assert family is type(caught.value)
    assert requests == len(server.requests)
    assert server.base_url in str(caught.value)
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize("step", [silent(600), drips(completion(GOOD), per_second=1)])
def test_what_never_ends_is_cut_at_the_deadline_and_tried_once_more(server, passing, step):
    server.otherwise = step
    model, started = make(server, passing, deadline_seconds=SHORT), time.monotonic()

    with pytest.raises(DeadlinePassed, match="within 1 seconds"):
        model.ask(request())

    model.close()
    assert len(server.requests) == 2
    assert 2 * SHORT <= time.monotonic() - started < AT_LAST


def test_no_mix_of_faults_makes_more_than_four_requests(server, passing):
    """As the server counts them; whatever comes of a question, it comes to an end."""
    chance = random.Random(20260914)
    faults = (
        status(429), status(500), status(503, headers={"Retry-After": "1"}), status(400, "response_format"), resets(),
        status(400, {"param": "max_tokens", "message": "unsupported"}), status(400, "unsupported temperature"), says("prose"),
        says(GOOD + GOOD), says("<think>", finish="length"), sends(b"<html>"), sends(b""), sends({"choices": []}),
        talks_garbage, cuts_short(b"{"), says("I cannot help."), says(GOOD, finish="abort"), sends("是".encode("gbk")),
    )  # fmt: skip
    for _ in range(60):
        before, model = len(server.requests), make(server, passing)
        server.will(*(chance.choice(faults) for _ in range(5)))
        with suppress(ModelError):
            model.ask(request())
        model.close()
        assert 1 <= len(server.requests) - before <= 4


def test_a_connection_that_was_closed_between_calls_costs_no_request(server, model, passing):
    server.will(says_and_hangs_up(GOOD), says(GOOD))
    model.ask(request())
    server.wait_for_hangups(1)
    model.ask(request())

    assert len(server.requests) == 2
    assert passing.slept == []


@pytest.mark.parametrize("step", [resets(), silent(600), cuts_short(b"{")])
def test_a_request_without_response_may_have_been_paid(server, passing, step):
    server.will(step, says(GOOD))
    model = make(server, passing, deadline_seconds=2 * SHORT)

    usage = model.ask(request()).usage

    model.close()
    assert (2, 120, True) == (usage.calls, usage.completion_tokens, usage.is_estimated)


ABSURD: list[object] = [None, {}, [], "much", {"prompt_tokens": "lots"}, {"prompt_tokens": -5, "completion_tokens": -5},
          {"prompt_tokens": 10**12, "completion_tokens": 10**12}, {"prompt_tokens": True}, {"prompt_tokens": 0, "completion_tokens": 0}]  # fmt: skip


@pytest.mark.parametrize("usage", ABSURD, ids=str)
def test_an_absurd_usage_is_replaced_by_our_own_count(server, model, usage):
    server.will(sends(completion(GOOD) | {"usage": usage}))

    found = model.ask(request()).usage

    assert found.is_estimated
    assert 20 < found.prompt_tokens < 90
    assert 10 < found.completion_tokens < 60


def test_a_usage_of_nan_is_replaced_too(server, model):
    server.will(sends(json.dumps(completion(GOOD) | {"usage": {"prompt_tokens": float("nan")}}).encode()))

    assert model.ask(request()).usage.is_estimated


# An endpoint that is not there.


@pytest.fixture
def gone() -> str:
    with FaultServer() as server:
        return server.base_url


def test_an_endpoint_that_never_answered_ends_the_run(gone, passing):
    endpoint = Endpoint(gone.replace("http://", "http://user:word1234@"), KEY)
    model = OpenAIModel("m", endpoint=endpoint, retries=Retries(waiting=passing.waiting))

    with pytest.raises(ModelUnavailable, match="cannot be reached") as caught:
        model.ask(request())

    model.close()
    assert gone in str(caught.value)
    assert "word1234" not in str(caught.value)
    assert Usage() == charged(caught.value)
    assert len(passing.slept) == 1


def test_an_endpoint_that_has_answered_costs_one_call_when_it_goes(passing):
    server = FaultServer()
    server.will(says_and_hangs_up(GOOD))
    model = make(server, passing)
    model.ask(request())
    server.close()

    families = []
    for _ in range(3):
        with pytest.raises(ModelError) as caught:
            model.ask(request())
        families.append(type(caught.value))
    model.close()

    assert [CallFailed, CallFailed, ModelUnavailable] == families


def test_failures_in_a_row_end_the_run(server, model):
    server.otherwise = status(429)
    families = []
    for _ in range(3):
        with pytest.raises(ModelError) as caught:
            model.ask(request())
        families.append(type(caught.value))

    assert [CallFailed, CallFailed, ModelUnavailable] == families
    assert len(server.requests) == 12


def test_a_good_reply_between_failures_lets_the_run_go_on(server, model):
    for _ in range(3):
        server.will(*[status(500)] * 4, says(GOOD))
        with pytest.raises(CallFailed):
            model.ask(request())
        model.ask(request())

    assert len(server.requests) == 15


def test_lost_replies_of_single_notes_end_no_run(server, model):
    server.otherwise = status(400, {"message": "no"})
    for _ in range(4):
        with pytest.raises(CallFailed):
            model.ask(request())

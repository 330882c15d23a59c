"""Completions that come as a stream, though nobody asked for one."""

import json

import pytest

from agent.asking.completions import Completion, ServerError, read_body
from agent.asking.streams import read_stream


def stream(*events: object, end: str = "data: [DONE]\n\n", line: str = "\n") -> bytes:
    """Return events as a server sends them."""
    sent = "".join(f"data: {json.dumps(event, ensure_ascii=False)}{line}{line}" for event in events)
    return (sent + end).encode()


def piece(*, finish: str | None = None, **delta: str) -> dict[str, object]:
    """Return one chunk of a streamed completion."""
    return {"model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


PIECES = (piece(content='{"a'), piece(reasoning_content="hm"), piece(content='": 1}'), piece(finish="stop"))


@pytest.mark.parametrize(
    "content",
    [
        stream(*PIECES),
        stream(*PIECES, line="\r\n"),
        stream(*PIECES, end=""),
        stream(*PIECES[:-1]),
        b": keep-alive\n\nevent: message\n" + stream(*PIECES),
        b"\xef\xbb\xbf\n" + stream(*PIECES),
    ],
)
def test_the_pieces_are_put_together(content):
    found = read_body(content)

    assert isinstance(found, Completion)
    assert ('{"a": 1}', "hm", "m") == (found.content, found.reasoning, found.model)


def test_the_last_usage_counts():
    usage = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}

    found = read_body(stream(*PIECES, usage))

    assert isinstance(found, Completion)
    assert found.reported is not None
    assert (7, 2) == (found.reported.prompt_tokens, found.reported.completion_tokens)


def test_a_whole_completion_in_one_event_is_taken():
    found = read_body(stream({"choices": [{"message": {"content": "{}"}, "finish_reason": "length"}]}))

    assert isinstance(found, Completion)
    assert ("{}", "length") == (found.content, found.finish)


def test_an_error_in_a_stream_is_one():
    found = read_body(stream(PIECES[0], {"error": {"code": 503, "message": "busy"}}))

    assert ServerError(503, message="busy") == found


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (stream(*PIECES[:2], end=""), "a stream that broke off"),
        (b"data:\n\n", "a stream that broke off"),
        (stream(PIECES[0], end='data: {"choices'), "a broken stream"),
        (b"data: " + b"[" * 100_000, "a broken stream"),
    ],
)
def test_what_is_not_whole_is_none(content, expected):
    assert expected == read_body(content)


def test_events_of_other_shapes_say_nothing():
    found = read_body(stream(7, [], "x", {"choices": [None]}, {"choices": [{"delta": {"content": 7}}]}))

    assert isinstance(found, Completion)
    assert found.content == ""


@pytest.mark.parametrize("content", [b"", b"{}", b"<html>data: x", b"prose: data", b"\xff\xfe"])
def test_other_content_is_no_stream(content):
    assert read_stream(content) is None

"""The proxy that counts passes everything on, and reports what the server says it has used."""

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

from tests.benchmarks.counting import CountingProxy, Tally
from tests.faultserver import FaultServer, says, status

PATH = "/v1/chat/completions"


def _asked(base_url: str) -> tuple[int, Any]:
    parts = urlsplit(base_url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=5)
    connection.request(
        "POST", PATH, b'{"model": "m"}', {"Content-Type": "application/json", "Authorization": "Bearer abc"}
    )
    response = connection.getresponse()
    answer = response.read()
    connection.close()
    return response.status, json.loads(answer)


def test_request_and_reply_pass_unchanged_and_are_counted():
    with FaultServer() as server, CountingProxy(server.base_url) as proxy:
        server.will(says('{"a": 1}'), says('{"b": 2}'))
        replies = [_asked(proxy.base_url) for _ in range(2)]
        tally = proxy.take()

    usage = replies[0][1]["usage"]
    assert [(200, '{"a": 1}'), (200, '{"b": 2}')] == [
        (code, reply["choices"][0]["message"]["content"]) for code, reply in replies
    ]
    assert [(PATH, b'{"model": "m"}', "Bearer abc")] * 2 == [
        (seen.path, seen.body, {name.lower(): value for name, value in seen.headers.items()}["authorization"])
        for seen in server.requests
    ]
    assert usage["completion_tokens"] > 0
    assert (
        Tally(calls=2, prompt_tokens=2 * usage["prompt_tokens"], output_tokens=2 * usage["completion_tokens"]) == tally
    )
    assert Tally() == proxy.take()


def test_a_refusal_is_passed_on_and_costs_no_tokens():
    with FaultServer() as server, CountingProxy(server.base_url) as proxy:
        server.will(status(429))
        code, _ = _asked(proxy.base_url)

        assert 429 == code
        assert Tally(calls=1, refused=1) == proxy.take()


def test_cached_prompt_tokens_are_counted_and_replies_without_usage_are_told_apart():
    usage = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 7}}
    tally = Tally().with_answer(200, json.dumps({"usage": usage}).encode())

    assert Tally(calls=1, prompt_tokens=9, cached_tokens=7, output_tokens=2) == tally
    assert [1, 1, 1] == [Tally().with_answer(200, body).unmetered for body in (b"{}", b"data: x", b'{"usage": null}')]

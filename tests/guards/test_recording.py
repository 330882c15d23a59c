"""The cassettes' own machinery: a miss is loud, half a play fails, nothing private is kept, nothing is lost."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx2
import instructor
import openai
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from vcr import VCR
from vcr.request import Request

from tests.recording import CONFIG, REPLAY_URL, CassetteMiss, Recording, Serializer, configure, secrets_in
from tests.sources import ROOT

WORD = "好的\n再见"
SECRET = "sk-canary-0123456789abcdef"
QUESTIONS = ["Is it so?", "Line one.\nLine two."]
# Tests that have moved away from their cassettes, by name: the prompt they say they use, and what they send.
MOVED_AWAY = {
    "kept": ("ask@1", QUESTIONS),
    "changed": ("ask@1", ["Is it so!", QUESTIONS[1]]),
    "longer": ("ask@1", [*QUESTIONS, QUESTIONS[0]]),
    "shorter": ("ask@1", QUESTIONS[:1]),
    "newer": ("ask@2", QUESTIONS),
}
SUITE = """
import httpx2
import pytest

CASES = %r

@pytest.mark.parametrize("case", list(CASES))
def test_ask(cassette, case):
    prompt, questions = CASES[case]
    cassette.rests_on(prompt)
    for question in questions:
        try:
            httpx2.post(cassette.base_url + "/chat/completions", json={"messages": [{"content": question}]})
        except Exception as error:
            print("forgiven", error)
"""


class Verdict(BaseModel):
    """What the server is asked to fill in."""

    word: str


class _Answers(BaseHTTPRequestHandler):
    """A model server that answers everything with one word, one cookie and the caller's own key."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        message = {"role": "assistant", "content": json.dumps({"word": WORD}, ensure_ascii=False)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        reply = {"id": f"chatcmpl-{id(self)}", "object": "chat.completion", "created": 17, "model": "tiny-1b"}
        reply |= {"choices": [choice], "timings": {"prompt_ms": id(self)}}
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.send_header("set-cookie", "session=1")
        self.send_header("x-request-id", self.headers["authorization"])
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Stay quiet."""


@pytest.fixture(scope="module")
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), _Answers) as running:
        thread = Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}/v1"
        running.shutdown()
        thread.join()


@contextmanager
def opened(path: Path, *, record_url: str = "") -> Iterator[Recording]:
    """Replay a cassette, or record one from the server at `record_url`."""
    machine = VCR(record_mode="new_episodes" if record_url else "none")
    configure(machine)
    with machine.use_cassette(str(path), **CONFIG) as tape:
        yield Recording(cassette=tape, base_url=record_url or REPLAY_URL, is_recording=bool(record_url))


def ask(recording: Recording, question: str) -> str:
    """Ask through the whole client stack, and forgive everything that can be forgiven."""
    door = httpx2.Client(follow_redirects=False)
    sdk = openai.OpenAI(api_key=SECRET, base_url=recording.base_url, max_retries=0, http_client=door)
    client = instructor.from_openai(sdk, mode=instructor.Mode.JSON_SCHEMA)
    messages: Any = [{"role": "user", "content": question}]
    try:
        return client.chat.completions.create(model="m", messages=messages, response_model=Verdict, max_retries=0).word
    except Exception as error:  # noqa: BLE001 - the point: this is how a miss gets lost
        return f"forgiven: {error}"


def record(path: Path, server: str) -> None:
    with opened(path, record_url=server) as recording:
        recording.rests_on("ask@1")
        assert [ask(recording, question) for question in QUESTIONS] == [WORD] * 2
        recording.close()


@pytest.fixture(scope="module")
def recorded(server, tmp_path_factory):
    """A cassette recorded from the server."""
    path = tmp_path_factory.mktemp("recorded") / "test_it.yaml"
    record(path, server)
    return path


@pytest.fixture(scope="module")
def text(recorded):
    return recorded.read_text(encoding="utf-8")


def test_a_cassette_plays_without_its_server(recorded):
    with opened(recorded) as recording:
        recording.rests_on("ask@1")
        words = [ask(recording, question) for question in QUESTIONS]
        recording.close()

    assert words == [WORD] * 2


def test_one_changed_character_of_a_prompt_fails_loudly(recorded):
    with opened(recorded) as recording, pytest.raises(CassetteMiss) as miss:
        ask(recording, "Is it so!")

    assert "-- content: Is it so?" in str(miss.value)
    assert "+- content: Is it so!" in str(miss.value)


def test_a_miss_that_somebody_caught_still_fails(recorded):
    with opened(recorded) as recording:
        with suppress(CassetteMiss):
            ask(recording, "Is it so!")
        with pytest.raises(AssertionError, match="was missed 1 times"):
            recording.close()


def test_a_request_too_many_fails_loudly(recorded):
    with opened(recorded) as recording:
        ask(recording, QUESTIONS[0])
        with pytest.raises(CassetteMiss):
            ask(recording, QUESTIONS[0])


def test_a_cassette_played_half_fails(recorded):
    with opened(recorded) as recording:
        ask(recording, QUESTIONS[0])
        with pytest.raises(AssertionError, match="is played half: 1 of its 2 interactions"):
            recording.close()


def test_a_test_that_uses_another_prompt_version_fails(recorded):
    with opened(recorded) as recording, pytest.raises(AssertionError, match=r"recorded with \['ask@1'\]"):
        recording.rests_on("ask@2")


def test_the_fixture_fails_every_test_that_moved_away_from_its_cassette(server, tmp_path):
    conftest = (ROOT / "tests" / "recorded" / "conftest.py").read_text(encoding="utf-8")
    folder = f'@pytest.fixture(scope="module")\ndef vcr_cassette_dir():\n    return {str(tmp_path)!r}\n'
    (tmp_path / "conftest.py").write_text(f"{conftest}\n\n{folder}", encoding="utf-8")
    (tmp_path / "test_it.py").write_text(SUITE % MOVED_AWAY, encoding="utf-8")
    for case in MOVED_AWAY:
        with opened(tmp_path / f"test_ask[{case}].yaml", record_url=server) as recording:
            for question in QUESTIONS:
                httpx2.post(f"{server}/chat/completions", json={"messages": [{"content": question}]})
            recording.rests_on("ask@1")
            recording.close()

    command = [sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider", "-p", "tests.conftest", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    ends = [line for line in done.stdout.splitlines() if line.startswith(("PASSED", "FAILED", "ERROR"))]

    assert sorted(line.partition(" - ")[0] for line in ends) == [
        "ERROR test_it.py::test_ask[shorter]",
        "FAILED test_it.py::test_ask[changed]",
        "FAILED test_it.py::test_ask[longer]",
        "FAILED test_it.py::test_ask[newer]",
        "PASSED test_it.py::test_ask[kept]",
        "PASSED test_it.py::test_ask[shorter]",
    ], done.stdout + done.stderr


def test_a_cassette_says_where_it_comes_from(text):
    assert yaml.safe_load(text)["metadata"] == {"origin": {"model": ["tiny-1b"]}, "prompts": ["ask@1"]}


def test_a_cassette_is_readable(text):
    assert "content: Is it so?" in text
    assert "好的" in text
    assert "Line one.\n" in text


def test_a_cassette_holds_neither_host_nor_key_nor_cookie(text):
    uris = {each["request"]["uri"] for each in yaml.safe_load(text)["interactions"]}

    assert uris == {"https://llm.invalid/v1/chat/completions"}
    assert SECRET not in text
    assert secrets_in(text) == []


def test_recording_again_gives_the_same_file(text, server, tmp_path):
    record(tmp_path / "again.yaml", server)

    assert (tmp_path / "again.yaml").read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "text",
    [
        f"key {SECRET}",
        "authorization: Bearer abcdefgh12345678",
        "set-cookie: session=1",
        '"x-api-key": "1"',
        "openai-organization: org-1",
        "x-request-id: req_1",
        "token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.x",
        "ghp_0123456789abcdef",
        "AKIA0123456789ABCDEF",
        "-----BEGIN RSA PRIVATE KEY-----",
        "https://user:word@host/v1",
    ],
)
def test_what_looks_like_a_secret_is_named(text):
    assert len(secrets_in(text)) >= 1


def test_prose_about_tokens_and_keys_is_no_secret():
    prose = (
        "The sk-learn tokens and API keys: 17 tok/s, see https://example.org/a:b and mail@example.org; bearer of news."
    )

    assert secrets_in(prose) == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def _played(sent: str | bytes, answered: str | bytes) -> tuple[Any, Any]:
    """Store one interaction and return its two bodies as they are played."""
    interaction = Serializer.deserialize(_stored(sent, answered))["interactions"][0]
    return interaction["request"]["body"], interaction["response"]["body"]["string"]


def _stored(sent: str | bytes, answered: str | bytes) -> str:
    request: dict[str, Any] = {"method": "POST", "uri": "https://llm.invalid/v1", "body": sent, "headers": {}}
    response: dict[str, Any] = {"status": {"code": 200, "message": "OK"}, "headers": {}, "body": {"string": answered}}
    return Serializer.serialize({"version": 1, "interactions": [{"request": request, "response": response}]})


@given(json_values, json_values)
def test_every_json_body_comes_back_as_it_was(sent, answered):
    request, response = _played(json.dumps(sent), json.dumps(answered))

    assert json.loads(request) == sent
    assert json.loads(response) == answered


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("http://127.0.0.1:8080/v1/chat", "https://llm.invalid/v1/chat"),
        ("https://user:word@host/openai/v1/chat?page=1", "https://llm.invalid/v1/chat?page=1"),
        ("https://host/health", "https://llm.invalid/health"),
    ],
)
def test_neither_host_nor_the_path_before_v1_is_kept(address, kept):
    request = Request("POST", address, "{}", {"Authorization": "Bearer 1", "Content-Type": "application/json"})

    filtered = CONFIG["before_record_request"](request)

    assert kept == filtered.uri
    assert list(filtered.headers) == ["Content-Type"]


@pytest.mark.parametrize(
    "body", ["plain", "", '{"a": 1, "a": 2}', '{"a": NaN}', "data: {}\n\ndata: [DONE]\n\n", b"\xff\xfe"]
)
def test_a_body_that_json_cannot_hold_comes_back_to_the_byte(body):
    assert _played("{}", body)[1] == body


def test_a_prompt_of_many_lines_stands_in_the_cassette_as_lines():
    stored = _stored(json.dumps({"content": "[1] 首句\n[2] second"}), "{}")

    assert "content: |-\n        [1] 首句\n        [2] second\n" in stored

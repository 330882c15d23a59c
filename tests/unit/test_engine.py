"""The engine of a run: opened from settings, started by the first question that is not remembered, closed whatever happens."""

import json
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from agent import engine
from agent.asking.model import Request
from agent.asking.prompts import Message
from agent.asking.testing import MemoryStore, ScriptedModel
from agent.asking.weights import Weights
from agent.engine import foreseen, opened, remote_endpoint, remote_model
from agent.errors import BudgetExceeded, EngineUnavailable
from agent.settings import Settings
from agent.workspace import Workspace
from tests.faultserver import says
from tests.shelving import FIELDS, ShelveReply

REMOTE = Settings(
    base_url="http://127.0.0.1:9/v1", api_key=SecretStr("sk-canary-0123456789abcdef"), model="big", deadline_seconds=7.0
)
WEIGHTS = Weights(Path("small.gguf"), "small", "abcdef0123456789" * 4)


def _request(text: str = "where?") -> Request:
    return Request(
        prompt="place_increment@1", messages=(Message("user", text),), reply=ShelveReply, max_tokens=60, temperature=0.0
    )


class Watching:
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.answers: list[bool] = []
        self.bytes: list[tuple[int, int]] = []
        self.remarks: list[str] = []

    def called(self, answer):
        self.answers.append(answer.is_remembered)

    def lost(self, usage):
        self.answers.append(usage)

    def joined(self, done, total):
        self.bytes.append((done, total))

    def remarked(self, sentence):
        self.remarks.append(sentence)


@pytest.fixture
def watching():
    return Watching()


@pytest.fixture
def events(monkeypatch):
    """Stand in for the SDK and for llama.cpp; returns what happened, in order."""
    seen = []

    class Model(ScriptedModel):
        remarks = ("It is asked more plainly.",)

        def __init__(self, name, *, endpoint, deadline_seconds, retries):
            super().__init__({"place_increment": FIELDS}, name=name)
            self.at, self.stop = endpoint, retries.stop
            seen.append(f"model {name} at {endpoint.base_url} within {deadline_seconds:g}")

        def close(self):
            seen.append(f"model closed, stopped: {self.stop.is_set()}")

    class Server:
        base_url, api_key = "http://127.0.0.1:4711/v1", "made-for-this-start"

        def __init__(self, weights, *, threads, state_folder):
            seen.append(f"server {weights.name} with {threads}, log in {state_folder.name}")

        def __enter__(self):
            seen.append("server started")
            return self

        def __exit__(self, *exception):
            seen.append("server closed")

    def find_weights(named, cache_dir, *, progress):
        progress(3, 4)
        return WEIGHTS

    monkeypatch.setattr(engine, "OpenAIModel", Model)
    monkeypatch.setattr(engine, "LocalServer", Server)
    monkeypatch.setattr(engine, "find_weights", find_weights)
    return seen


@pytest.fixture
def open_engine(tmp_path, watching):
    """Open an engine over one memory for the whole test."""
    (tmp_path / "inbox").mkdir()
    memory = MemoryStore()

    @contextmanager
    def opening(name, settings=REMOTE):
        workspace = Workspace.open(tmp_path, settings=settings)
        with opened(name, settings, workspace, memory=memory, watcher=watching) as model:
            yield model

    return opening


REMOTE_EVENTS = ["model big at http://127.0.0.1:9/v1 within 7", "model closed, stopped: True"]
LOCAL_EVENTS = [
    "server small with 2, log in .agent",
    "server started",
    "model small at http://127.0.0.1:4711/v1 within 300",
    "model closed, stopped: True",
    "server closed",
]
LOCAL = Settings(local_threads=2)
BOTH = pytest.mark.parametrize(
    ("name", "settings", "all_events"), [("remote", REMOTE, REMOTE_EVENTS), ("local", LOCAL, LOCAL_EVENTS)]
)


@BOTH
def test_nothing_is_started_before_the_first_question(open_engine, events, name, settings, all_events):
    with open_engine(name, settings):
        pass

    assert [] == events


@BOTH
def test_what_was_started_once_is_closed_in_order(open_engine, events, name, settings, all_events):
    with open_engine(name, settings) as model:
        model.ask(_request("where?"))
        model.ask(_request("and where else?"))

    assert all_events == events


@BOTH
def test_what_was_started_is_closed_on_an_exception_too(open_engine, events, name, settings, all_events):
    def interrupted() -> None:
        with open_engine(name, settings) as model:
            model.ask(_request())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()

    assert all_events == events


@BOTH
def test_what_is_remembered_starts_nothing(open_engine, events, watching, name, settings, all_events):
    with open_engine(name, settings) as model:
        model.ask(_request())
    events.clear()

    with open_engine(name, settings) as model:
        model.ask(_request())

    assert [] == events
    assert [False, True] == watching.answers


@BOTH
def test_nothing_is_started_after_the_end(open_engine, events, name, settings, all_events):
    with open_engine(name, settings) as model:
        pass

    with pytest.raises(EngineUnavailable, match="stopped"):
        model.ask(_request())

    assert [] == events


@BOTH
def test_a_budget_that_is_too_small_starts_nothing(open_engine, events, name, settings, all_events):
    with open_engine(name, replace(settings, budget_tokens=10)) as model, pytest.raises(BudgetExceeded):
        model.ask(_request())

    assert [] == events


@BOTH
def test_remarks_on_the_endpoint_are_told_at_the_end(open_engine, events, watching, name, settings, all_events):
    with open_engine(name, settings) as model:
        model.ask(_request())
        assert [] == watching.remarks

    assert ["It is asked more plainly."] == watching.remarks


def test_the_store_knows_the_local_engine_by_its_weights_and_not_by_its_port(open_engine, events, watching):
    with open_engine("local", LOCAL) as model:
        assert ("small", "local:abcdef012345") == (model.name, model.endpoint)

    assert "local:abcdef012345" == WEIGHTS.identity
    assert [(3, 4)] == watching.bytes


def test_the_store_knows_a_remote_engine_by_its_address(open_engine, events):
    with open_engine("remote", REMOTE) as model:
        assert ("big", "http://127.0.0.1:9/v1") == (model.name, model.endpoint)


def test_weights_that_cannot_be_found_are_said_at_once(open_engine, monkeypatch):
    def find_weights(named, cache_dir, *, progress):
        raise EngineUnavailable("The local model is not installed.")

    monkeypatch.setattr(engine, "find_weights", find_weights)

    with pytest.raises(EngineUnavailable, match="not installed"), open_engine("local", LOCAL):
        pytest.fail("opened")


def test_without_settings_remote_means_the_vendors_own_endpoint_and_model():
    endpoint = remote_endpoint(Settings())

    assert ("https://api.openai.com/v1", "no-key") == (endpoint.base_url, endpoint.api_key)
    assert engine.DEFAULT_REMOTE_MODEL == remote_model(Settings())


def test_settings_choose_endpoint_key_and_model():
    endpoint = remote_endpoint(REMOTE)

    assert ("http://127.0.0.1:9/v1", "sk-canary-0123456789abcdef") == (endpoint.base_url, endpoint.api_key)
    assert "big" == remote_model(REMOTE)
    assert "canary" not in repr(endpoint)


def test_a_question_reaches_the_endpoint_of_the_settings(open_engine, server):
    server.will(says(json.dumps(FIELDS)))

    with open_engine("remote", replace(REMOTE, base_url=server.base_url)) as model:
        answer = model.ask(_request())

    (seen,) = server.requests
    assert FIELDS == answer.reply.model_dump()
    assert ("/v1/chat/completions", "big") == (seen.path, seen.json["model"])
    assert "Bearer sk-canary-0123456789abcdef" == seen.headers["authorization"]


def test_remote_is_foreseen_by_model_and_endpoint_and_local_by_its_weights(monkeypatch, events):
    monkeypatch.setattr(engine, "foreseen_weights", lambda named, cache_dir: WEIGHTS)

    remote, local = foreseen("remote", REMOTE, memory=None), foreseen("local", LOCAL, memory=None)

    assert ("big", engine.remote_endpoint(REMOTE).name) == (remote.name, remote.endpoint)
    assert (WEIGHTS.name, WEIGHTS.identity) == (local.name, local.endpoint)
    assert [] == events


@pytest.mark.parametrize(("name", "settings"), [("remote", REMOTE), ("local", LOCAL)])
def test_what_is_foreseen_knows_the_replies_that_the_engine_keeps(events, monkeypatch, tmp_path, name, settings):
    monkeypatch.setattr(engine, "foreseen_weights", lambda named, cache_dir: WEIGHTS)
    (tmp_path / "inbox").mkdir()
    memory = MemoryStore()
    workspace = Workspace.open(tmp_path, settings=settings)
    with opened(name, settings, workspace, memory=memory, watcher=Watching()) as model:
        model.ask(_request())

    assert foreseen(name, settings, memory=memory).ask(_request()).is_remembered

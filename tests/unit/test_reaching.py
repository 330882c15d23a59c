"""An endpoint is looked at without asking a model: its models by name, or one sentence on what is wrong."""

import httpx2
import pytest

from agent.asking.reaching import served_models
from agent.asking.transport import Endpoint
from agent.errors import EngineUnavailable, ModelError, ModelRefusedAccess, ModelUnavailable
from tests import faultserver
from tests.faultserver import bombs, drips, floods, resets, sends, silent, status, talks_garbage

KEY = "sk-canary-0123456789abcdefghij"
LISTED = {"object": "list", "data": [{"id": "small", "object": "model"}, {"id": "large", "object": "model"}]}


@pytest.fixture(autouse=True)
def _answers_get(monkeypatch):
    monkeypatch.setattr(faultserver._Handler, "do_GET", faultserver._Handler.do_POST, raising=False)


@pytest.fixture
def endpoint(server):
    return Endpoint(server.base_url, KEY)


def _refused(endpoint: Endpoint, kind: type[ModelError] = ModelUnavailable) -> str:
    with pytest.raises(kind) as refused:
        served_models(endpoint)
    message = str(refused.value)
    assert endpoint.shown in message
    assert "canary" not in message
    return message


def test_the_names_that_are_listed_are_returned(server, endpoint):
    server.will(sends(LISTED))

    assert {"small", "large"} == served_models(endpoint)


def test_one_request_goes_to_models_with_the_key_and_nothing_else(server, endpoint):
    server.will(sends(LISTED))

    served_models(endpoint)

    (seen,) = server.requests
    assert ("/v1/models", b"", f"Bearer {KEY}") == (seen.path, seen.body, seen.headers["authorization"])


def test_without_a_key_none_is_sent(server):
    server.will(sends(LISTED))

    served_models(Endpoint(f"{server.base_url}/"))

    assert ("/v1/models", False) == (server.requests[0].path, "authorization" in server.requests[0].headers)


@pytest.mark.parametrize(
    ("names", "body"),
    [
        ({"small"}, [{"id": "small"}]),  # a bare list
        ({"small"}, {"data": [{"id": "small"}, {"name": "nameless"}, "odd", {"id": 7}]}),
        (set(), {"object": "list", "data": []}),
        (set(), {"object": "list", "data": None}),
    ],
)
def test_what_has_no_name_is_left_out(server, endpoint, names, body):
    server.will(sends(body))

    assert names == served_models(endpoint)


@pytest.mark.parametrize("code", [401, 403])
def test_a_wrong_key_is_said_and_not_shown_though_the_server_echoes_it(server, endpoint, code):
    server.will(status(code, {"message": f"bad key {KEY}"}))

    assert "OPENAI_API_KEY" in _refused(endpoint, ModelRefusedAccess)


@pytest.mark.parametrize("code", [404, 405, 429, 500, 503])
def test_another_status_is_named_with_what_to_check(server, endpoint, code):
    server.will(status(code, {"message": f"echo {KEY}"}))

    assert f"HTTP {code} at /models: check that OPENAI_BASE_URL ends with the version" in _refused(endpoint)


def test_a_redirect_is_not_followed(server, endpoint):
    server.will(sends(b"", code=307, headers={"Location": f"{server.origin}/elsewhere/models"}))

    assert "HTTP 307" in _refused(endpoint)
    assert 1 == len(server.requests)


@pytest.mark.parametrize(
    "body",
    [
        b"<!doctype html><title>It works</title>",
        b"",
        b"null",
        b'"models"',
        b'{"error": {"message": "no"}}',
        b'{"data": "small"}',
        b"[" * 200_000,
        b"\xff\xfe\xff",
    ],
    ids=["html", "empty", "null", "string", "error", "no list", "deep", "bytes"],
)
def test_an_answer_that_is_no_list_is_no_model_server(server, endpoint, body):
    server.will(sends(body))

    assert "does not answer like a model server" in _refused(endpoint)


@pytest.mark.parametrize("step", [floods(200), bombs(100)], ids=["flood", "bomb"])
def test_a_huge_answer_is_not_taken_in(server, endpoint, step):
    server.will(step)

    assert "does not answer" in _refused(endpoint)


@pytest.mark.parametrize("step", [talks_garbage, resets(), resets(b'{"data": [')], ids=["garbage", "reset", "cut"])
def test_a_broken_connection_is_no_answer(server, endpoint, step):
    server.will(step)

    assert "check OPENAI_BASE_URL and the network" in _refused(endpoint)


@pytest.mark.parametrize("step", [silent(5), drips(LISTED, per_second=20)], ids=["silent", "dripping"])
def test_a_server_that_takes_too_long_is_given_up(server, endpoint, monkeypatch, step):
    monkeypatch.setattr("agent.asking.reaching._SECONDS", 0.2)
    server.will(step)

    assert "does not answer" in _refused(endpoint)


def test_a_key_in_the_cause_is_not_shown(endpoint, monkeypatch):
    def make_client(at):
        raise httpx2.ConnectError(f"no way to {at.api_key}")

    monkeypatch.setattr("agent.asking.reaching.make_client", make_client)

    assert "no way to [secret]" in _refused(endpoint)


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:9/v1", "http://no..host/v1", f"http://{'a' * 70}.localhost/v1"],
    ids=["down", "dots", "long"],
)
def test_an_address_where_nobody_can_be_is_no_answer(address):
    assert "does not answer" in _refused(Endpoint(address, KEY))


def test_a_password_in_the_address_is_not_shown(server):
    server.will(status(500))

    with pytest.raises(ModelUnavailable) as refused:
        served_models(Endpoint(server.base_url.replace("//", "//jane:canary-pass@")))

    assert "canary" not in str(refused.value)


def test_a_proxy_that_cannot_be_used_is_said(monkeypatch):
    monkeypatch.setenv("http_proxy", "gopher://jane:canary@127.0.0.1:1")

    with pytest.raises(EngineUnavailable, match="proxy") as refused:
        served_models(Endpoint("http://models.example/v1", KEY))

    assert "canary" not in str(refused.value)

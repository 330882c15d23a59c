"""The HTTP client: no redirects, a deadline that holds, a size that holds, nothing sent that need not be."""

import gc
import resource
import socket
import ssl
import threading
import time

import httpx2
import pytest

from agent.asking.transport import MOST_BYTES, Endpoint, TooLarge, cleaned, make_client, within
from agent.errors import EngineUnavailable
from tests.faultserver import FaultServer, bombs, completion, cuts_short, drips, floods, says, sends, silent, status

KEY = "sk-canary-0123456789abcdefghij"
AT_LAST = 60.0  # seconds, far below what a test would last that does not end


@pytest.fixture
def client(server):
    with make_client(Endpoint(server.base_url, KEY)) as made:
        yield made


def post(client: httpx2.Client, server: FaultServer, *, seconds: float = 60.0) -> httpx2.Response:
    with within(seconds):
        return client.post(f"{server.base_url}/chat/completions", json={}, headers={"Authorization": f"Bearer {KEY}"})


def test_an_answer_comes_whole(client, server):
    server.will(says("推理"))

    assert completion("推理") == post(client, server).json()


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_is_never_followed(client, server, code):
    with FaultServer() as other:
        server.will(sends({}, code=code, headers={"Location": f"{other.base_url}/chat/completions"}))

        assert code == post(client, server).status_code
        assert other.requests == []


@pytest.mark.parametrize("headers_too", [False, True])
def test_a_drip_is_cut_at_the_deadline(client, server, headers_too):
    server.will(drips(completion("{}"), per_second=2, headers_too=headers_too))
    started = time.monotonic()

    with pytest.raises(httpx2.ReadTimeout):
        post(client, server, seconds=0.4)

    assert 0.4 <= time.monotonic() - started < AT_LAST


def test_one_byte_a_second_is_cut_at_the_deadline(client, server):
    server.will(drips(completion("{}"), per_second=1))
    started = time.monotonic()

    with pytest.raises(httpx2.ReadTimeout):
        post(client, server, seconds=0.6)

    assert time.monotonic() - started < AT_LAST


def test_silence_ends_at_the_deadline(client, server):
    server.will(silent(600))
    started = time.monotonic()

    with pytest.raises(httpx2.ReadTimeout):
        post(client, server, seconds=0.3)

    assert time.monotonic() - started < AT_LAST


def test_a_slow_name_lookup_ends_at_the_deadline(client, server, monkeypatch):
    is_over = threading.Event()

    def slow_lookup(*_: object, **__: object) -> object:
        is_over.wait(600)
        raise socket.gaierror("no such host")

    monkeypatch.setattr(socket, "getaddrinfo", slow_lookup)
    started = time.monotonic()

    with pytest.raises(httpx2.TimeoutException):
        post(client, server, seconds=0.3)

    is_over.set()
    assert time.monotonic() - started < AT_LAST


def test_an_unknown_name_is_a_connection_error(client, server, monkeypatch):
    def no_lookup(*_: object, **__: object) -> object:
        raise socket.gaierror("no such host")

    monkeypatch.setattr(socket, "getaddrinfo", no_lookup)

    with pytest.raises(httpx2.ConnectError, match="no such host"):
        post(client, server)


def test_a_deadline_is_that_of_its_own_thread(client, server):
    server.otherwise = says("{}")
    outcomes = []

    def patient():
        with within(60.0):
            outcomes.append(post(client, server).status_code)

    with within(-1.0):
        thread = threading.Thread(target=patient)
        thread.start()
        thread.join(60)

    assert outcomes == [200]


def test_a_stop_ends_a_call_under_way(server):
    stop = threading.Event()
    server.will(silent(600))
    threading.Timer(0.1, stop.set).start()
    started = time.monotonic()

    with (
        make_client(Endpoint(server.base_url), stop=stop) as client,
        pytest.raises(httpx2.TransportError, match="stopped"),
    ):
        post(client, server, seconds=600)

    assert time.monotonic() - started < AT_LAST


def test_a_large_body_is_not_taken_in(client, server):
    server.will(floods(200))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    with pytest.raises(TooLarge, match="8 MB"):
        post(client, server)

    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000  # kilobytes


def test_a_packed_body_is_not_unpacked_beyond_the_limit(client, server):
    server.will(bombs(200))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    with pytest.raises(TooLarge, match="8 MB"):
        post(client, server)

    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000


def test_a_body_of_the_limit_is_taken_in(client, server):
    server.will(sends(b" " * MOST_BYTES), bombs(8))

    assert len(post(client, server).content) == MOST_BYTES
    assert len(post(client, server).content) == MOST_BYTES


def test_a_body_that_is_not_packed_as_it_says_is_an_error(client, server):
    server.will(sends(b"not packed", headers={"Content-Encoding": "gzip"}))

    with pytest.raises(httpx2.DecodingError):
        post(client, server)


def test_a_body_that_ends_early_is_an_error(client, server):
    server.will(cuts_short(b'{"choices'))

    with pytest.raises(httpx2.RemoteProtocolError):
        post(client, server)


def test_a_connection_is_used_again(client, server):
    server.otherwise = says("{}")
    for _ in range(3):
        post(client, server)

    assert server.connections == 1


def test_only_listed_headers_go_out(client, server):
    with within(60):
        client.post(
            f"{server.base_url}/chat/completions",
            json={},
            headers={"X-Stainless-OS": "Linux", "Cookie": "a=b", "OpenAI-Organization": "", "OpenAI-Project": "p"},
        )

    sent = server.requests[0].headers
    assert {
        "host",
        "content-type",
        "content-length",
        "accept",
        "openai-project",
        "user-agent",
        "accept-encoding",
    } == set(sent)
    assert sent["user-agent"].startswith("relay-digest/")


def test_cookies_of_a_server_are_not_sent_back(client, server):
    server.will(sends({}, headers={"Set-Cookie": "session=1"}), sends({}))
    post(client, server)
    post(client, server)

    assert "cookie" not in server.requests[1].headers


def test_a_proxy_of_the_environment_is_not_used_for_loopback(server, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    with make_client(Endpoint(server.base_url)) as client:
        assert post(client, server).status_code == 200


def test_a_proxy_of_the_environment_is_used_elsewhere(server, monkeypatch):
    monkeypatch.setenv("http_proxy", server.origin)
    server.will(says("{}"))

    with make_client(Endpoint("http://models.invalid/v1")) as client, within(60):
        client.post("http://models.invalid/v1/chat/completions", json={})

    assert [seen.path for seen in server.requests] == ["http://models.invalid/v1/chat/completions"]


@pytest.mark.parametrize("name", ["no_proxy", "NO_PROXY"])
def test_hosts_without_proxy_are_reached_directly(server, monkeypatch, name):
    monkeypatch.setenv("http_proxy", server.origin)
    monkeypatch.setenv(name, "models.invalid")
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: (_ for _ in ()).throw(socket.gaierror("direct")))

    with (
        make_client(Endpoint("http://models.invalid/v1")) as client,
        within(60),
        pytest.raises(httpx2.ConnectError, match="direct"),
    ):
        client.post("http://models.invalid/v1/chat/completions", json={})


@pytest.mark.parametrize(
    "proxy", ["socks5://u:pw-1234@127.0.0.1:9", "ftp://u:pw-1234@127.0.0.1:9", "http://u:pw-1234@h:port"]
)
def test_a_proxy_that_cannot_be_used_is_said_without_its_password(monkeypatch, proxy):
    monkeypatch.setenv("https_proxy", proxy)

    with pytest.raises(EngineUnavailable, match=r"models\.invalid") as caught:
        make_client(Endpoint("https://models.invalid/v1"))

    assert "pw-1234" not in str(caught.value)


def test_encryption_keeps_to_the_deadline_too(server):
    """A server that says nothing to a TLS greeting; the loopback one talks plain HTTP and waits for the rest of a line."""
    started = time.monotonic()

    with (
        make_client(Endpoint(server.base_url)) as client,
        within(0.4),
        pytest.raises((httpx2.TimeoutException, httpx2.ConnectError, ssl.SSLError)),
    ):
        client.post(server.base_url.replace("http://", "https://"), json={})

    assert time.monotonic() - started < AT_LAST


def test_nothing_is_left_open(server):
    server.otherwise = status(500)
    with make_client(Endpoint(server.base_url)) as client:
        post(client, server)

    gc.collect()  # a socket left open would warn here, and warnings are errors


# Addresses and messages.


@pytest.mark.parametrize(
    ("base_url", "shown", "is_loopback"),
    [
        ("https://models.example/v1/", "https://models.example/v1", False),
        ("https://user:word@models.example:8443/v1?key=1#x", "https://models.example:8443/v1", False),
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1", True),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1", True),
        ("http://localhost/v1", "http://localhost/v1", True),
        ("http://127.9.9.9/v1", "http://127.9.9.9/v1", True),
        ("http://localhost.example/v1", "http://localhost.example/v1", False),
    ],
)
def test_an_address_is_shown_without_what_is_secret(base_url, shown, is_loopback):
    endpoint = Endpoint(base_url, KEY)

    assert (shown, shown, is_loopback) == (endpoint.shown, endpoint.name, endpoint.is_loopback)


def test_an_endpoint_can_have_an_identity_of_its_own():
    assert Endpoint("http://127.0.0.1:40001/v1", identity="local").name == "local"


def test_a_repr_holds_no_secret():
    shown = repr(Endpoint("https://user:word1234@models.example/v1", KEY, organization="org-1234"))

    assert not any(secret in shown for secret in (KEY, "word1234", "org-1234"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("a\nb\t c", "a b c"),
        ("\x1b]52;c;x\x07red\x9b", "]52;c;xred"),
        ("a\u202eb\u200bc", "abc"),
        (f"wrong key {KEY}!", "wrong key [secret]!"),
        (f"wrong key {KEY[:12]}***{KEY[-9:]}", "wrong key [secret]***[secret]"),
        (f"wrong key {KEY[:10]}\u200b{KEY[10:]}", "wrong key [secret]"),
        ("word 1234", "word 1234"),
        ("x" * 300, "x" * 199 + "…"),
        (" " * 10_000 + "x", ""),
    ],
)
def test_foreign_text_is_cleaned(text, expected):
    assert expected == cleaned(text, secrets=[KEY])


def test_a_short_secret_is_taken_out_whole():
    assert cleaned("the word pass1 passes", secrets=["pass1"]) == "the word [secret] passes"


def test_a_secret_is_found_percent_encoded():
    assert cleaned("?key=a%2Fb%3Dc", secrets=["a/b=c"]) == "?key=[secret]"

"""The HTTP client that model calls go through.

Promises: a redirect is never followed, so the notes go to no other address. A call ends at its deadline, however slowly a
server sends headers or body, and soon after the run is stopped. No more than 8 MB of a response are taken in, packed or
unpacked. Only the headers listed here go out. A proxy of the environment is never used for loopback. No key or password
is in a `repr` or in the address that is shown.
"""

import contextlib
import re
import threading
import time
import urllib.request
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextvars import ContextVar
from dataclasses import dataclass, field
from ipaddress import ip_address
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import Any
from urllib.parse import quote, urlsplit

import httpcore2
import httpx2

from agent import __version__
from agent.asking.prompts import visible
from agent.errors import EngineUnavailable

MOST_BYTES = 8 * 2**20
SHOWN_CHARACTERS = 200
_POLL_SECONDS = 0.25  # how often a blocked read looks whether the run was stopped
_WRITE_PIECE = 2**16
_READ_PIECE = 2**16
_SECRET_PIECE = 8  # characters of a key that give it away
_LONG_SECRET = 16
_SHORTEST_SECRET = 4  # below, it would tear words apart
_TAKEN_OUT = re.compile(r"\0+")
_WHITE_SPACE = re.compile(r"\s+")
_KEPT_HEADERS = frozenset(
    {"host", "content-type", "content-length", "accept", "authorization", "openai-organization", "openai-project"}
)
_UNPACKED_HEADERS = frozenset({"content-encoding", "content-length", "transfer-encoding"})

_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)  # of the call of this thread


class TooLarge(httpx2.TransportError):
    """The response is larger than any reply may be."""


class Stopped(httpx2.TransportError):
    """The run was stopped while the response was awaited."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible address, and what it wants to see.

    Attributes:
        base_url: the address, up to and with the version.
        api_key: empty where the server asks for none.
        organization, project: sent only when set.
        identity: what the store knows the endpoint by; the shown address where it is empty. A local server whose port
            differs each time needs one.
    """

    base_url: str
    api_key: str = field(default="", repr=False)
    organization: str = ""
    project: str = ""
    identity: str = ""

    @property
    def shown(self) -> str:
        """The address without user, password, query and fragment."""
        parts = urlsplit(self.base_url)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{host}{port}{parts.path.rstrip('/')}"

    @property
    def name(self) -> str:
        """What the store knows the endpoint by."""
        return self.identity or self.shown

    @property
    def is_loopback(self) -> bool:
        """Whether the address is this machine itself."""
        host = urlsplit(self.base_url).hostname or ""
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return host == "localhost" or host.endswith(".localhost")

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must stand in no message."""
        parts = urlsplit(self.base_url)
        found = (self.api_key, parts.password or "", parts.username or "", self.organization, self.project)
        return tuple(secret for secret in found if len(secret) >= _SHORTEST_SECRET)

    def __repr__(self) -> str:
        return f"Endpoint({self.shown!r})"


def make_client(endpoint: Endpoint, *, stop: threading.Event | None = None) -> httpx2.Client:
    """Return the client for one endpoint; use it inside `within`.

    Args:
        endpoint: where the calls go.
        stop: once set, calls under way end within a second.

    Raises:
        EngineUnavailable: the proxy that the environment names cannot be used.
    """
    try:
        transport = _BoundedTransport(
            proxy=_proxy_of(endpoint),
            is_encrypted=urlsplit(endpoint.base_url).scheme != "http",
            stop=stop or threading.Event(),
        )
    except (ImportError, ValueError, httpx2.InvalidURL):  # none of their messages is free of the proxy's password
        raise EngineUnavailable(
            f"The proxy that the environment names for {endpoint.shown} cannot be used: name an http or https one."
        ) from None
    return httpx2.Client(transport=transport, follow_redirects=False, trust_env=False)


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    """Give the requests of this thread until then, from name lookup to the last byte.

    A request that takes longer ends with `httpx2.TimeoutException`.
    """
    token = _deadline.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _deadline.reset(token)


def cleaned(text: str, *, secrets: Iterable[str] = ()) -> str:
    """Return foreign text as it may stand in a message: one line, 200 characters, nothing invisible, no secret."""
    shown = _WHITE_SPACE.sub(" ", visible(text[: 20 * SHOWN_CHARACTERS])).strip()
    for secret in secrets:
        shown = _without(shown, secret)
    return shown if len(shown) <= SHOWN_CHARACTERS else shown[: SHOWN_CHARACTERS - 1] + "…"


def _without(text: str, secret: str) -> str:
    """Take a secret out of a text, also where a long one was echoed in part."""
    for form in (secret, quote(secret, safe="")):
        text = text.replace(form, "[secret]")
    if len(secret) < _LONG_SECRET:
        return text
    is_secret = [False] * len(text)
    for start in range(len(text) - _SECRET_PIECE + 1):
        if text[start : start + _SECRET_PIECE] in secret:
            is_secret[start : start + _SECRET_PIECE] = [True] * _SECRET_PIECE
    kept = "".join("\0" if hidden else character for character, hidden in zip(text, is_secret, strict=True))
    return _TAKEN_OUT.sub("[secret]", kept)


def _proxy_of(endpoint: Endpoint) -> str | None:
    """Return the proxy that the environment names for an endpoint (`urllib` knows where each system keeps it)."""
    parts = urlsplit(endpoint.base_url)
    if endpoint.is_loopback or urllib.request.proxy_bypass(parts.hostname or ""):
        return None
    proxies = urllib.request.getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"


class _BoundedTransport(httpx2.HTTPTransport):
    """Sends a request and takes in its response, whole and in bounds."""

    def __init__(self, *, proxy: str | None, is_encrypted: bool, stop: threading.Event) -> None:
        # Without encryption a bare context will do: it trusts nobody, and loading whom to trust takes a while.
        verify: bool | SSLContext = True if is_encrypted else SSLContext(PROTOCOL_TLS_CLIENT)
        super().__init__(
            verify=verify, proxy=proxy, limits=httpx2.Limits(max_connections=None, max_keepalive_connections=64)
        )
        # The pool takes a backend of ours, the transport around it offers no way to hand one over.
        pool: Any = self._pool
        pool._network_backend = _BoundedBackend(pool._network_backend, stop)  # noqa: SLF001 - see above

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        headers = {name: value for name, value in request.headers.items() if name in _KEPT_HEADERS and value}
        headers |= {"user-agent": f"relay-digest/{__version__}", "accept-encoding": "gzip, deflate"}
        sent = httpx2.Request(
            request.method, request.url, headers=headers, stream=request.stream, extensions=request.extensions
        )
        response = super().handle_request(sent)
        try:
            content = _taken_in(response)
        finally:
            response.close()
        kept = [(name, value) for name, value in response.headers.multi_items() if name not in _UNPACKED_HEADERS]
        return httpx2.Response(response.status_code, headers=kept, content=content)


def _taken_in(response: httpx2.Response) -> bytes:
    """Read and unpack a body, piece by piece, until it ends or becomes too large."""
    content = bytearray()
    for piece in response.iter_bytes(_READ_PIECE):
        content += piece
        if len(content) > MOST_BYTES or response.num_bytes_downloaded > MOST_BYTES:
            raise TooLarge(f"the response has more than {MOST_BYTES // 2**20} MB")
    return bytes(content)


def _seconds_left(timeout: float | None) -> float:
    """Return what is left until the deadline of this call, at most `timeout`.

    Raises:
        httpcore2.ReadTimeout: nothing is left.
    """
    deadline = _deadline.get()
    left = float("inf") if deadline is None else deadline - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the deadline has passed")
    return left if timeout is None else min(left, timeout)


class _BoundedBackend(httpcore2.NetworkBackend):
    """Opens connections whose every step keeps to the deadline of the call."""

    def __init__(self, inner: httpcore2.NetworkBackend, stop: threading.Event) -> None:
        self._inner, self._stop = inner, stop

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect in a thread of its own: a name lookup knows no time limit, and one address after the other is tried."""
        left = _seconds_left(timeout)
        outcome: Future[httpcore2.NetworkStream] = Future()

        def connect() -> None:
            try:
                stream = self._inner.connect_tcp(host, port, left, local_address, socket_options)
            except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
                outcome.set_exception(error)
            else:
                outcome.set_result(stream)

        threading.Thread(target=connect, name="connect", daemon=True).start()
        try:
            self._await(outcome, until=time.monotonic() + left)
        except BaseException:
            outcome.add_done_callback(_close_late)
            raise
        return _BoundedStream(outcome.result(), self._stop)

    def _await(self, outcome: "Future[httpcore2.NetworkStream]", *, until: float) -> None:
        done = threading.Event()
        outcome.add_done_callback(lambda _: done.set())
        while not done.wait(min(_POLL_SECONDS, max(0.0, until - time.monotonic()))):
            if self._stop.is_set():
                raise Stopped("the run was stopped")
            if time.monotonic() >= until:
                raise httpcore2.ConnectTimeout("the deadline has passed")

    def sleep(self, seconds: float) -> None:
        self._stop.wait(seconds)


def _close_late(outcome: "Future[httpcore2.NetworkStream]") -> None:
    """Close a connection that came about after nobody waited for it any more."""
    if outcome.exception() is None:
        outcome.result().close()


class _BoundedStream(httpcore2.NetworkStream):
    """A connection that is read and written in steps, each within the deadline of the call that makes it."""

    def __init__(self, inner: httpcore2.NetworkStream, stop: threading.Event) -> None:
        self._inner, self._stop = inner, stop

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        until = time.monotonic() + _seconds_left(timeout)
        while True:
            try:
                return self._inner.read(max_bytes, min(_POLL_SECONDS, max(0.001, until - time.monotonic())))
            except httpcore2.ReadTimeout:
                if self._stop.is_set():
                    raise Stopped("the run was stopped") from None
                if time.monotonic() >= until:
                    raise

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _WRITE_PIECE):
            self._inner.write(buffer[start : start + _WRITE_PIECE], _seconds_left(timeout))

    def start_tls(
        self, ssl_context: SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _BoundedStream(self._inner.start_tls(ssl_context, server_hostname, _seconds_left(timeout)), self._stop)

    def close(self) -> None:
        self._inner.close()

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)

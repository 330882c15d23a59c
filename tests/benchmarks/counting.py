"""Counts what a model server is asked and what it answers, from between it and whoever asks.

    with CountingProxy(server.base_url) as proxy:
        ... a client at proxy.base_url ...
        tally = proxy.take()

It passes requests on as they are, one connection each, over loopback; tokens are those that the server reports. Streams are
passed on whole, at their end.
"""

import http.client
import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import urlsplit

SECONDS = 3600.0  # whoever asks gives up first
_PASSED_ON = ("Authorization", "Content-Type", "Accept")


@dataclass(frozen=True, slots=True)
class Tally:
    """What was sent and answered; `cached_tokens` are among the prompt's, `unmetered` are answers without usage."""

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    refused: int = 0
    unmetered: int = 0

    def with_answer(self, status: int, body: bytes) -> "Tally":
        """Return the tally with one more answer in it."""
        usage = _usage(body) if status == http.HTTPStatus.OK else {}
        return Tally(
            calls=self.calls + 1,
            prompt_tokens=self.prompt_tokens + usage.get("prompt_tokens", 0),
            cached_tokens=self.cached_tokens + (usage.get("prompt_tokens_details") or {}).get("cached_tokens", 0),
            output_tokens=self.output_tokens + usage.get("completion_tokens", 0),
            refused=self.refused + (status != http.HTTPStatus.OK),
            unmetered=self.unmetered + (status == http.HTTPStatus.OK and "completion_tokens" not in usage),
        )


def _usage(body: bytes) -> dict[str, Any]:
    try:
        usage = json.loads(body)["usage"]
    except (ValueError, KeyError, TypeError):
        return {}
    return usage if isinstance(usage, dict) else {}


class CountingProxy:
    """The proxy: threaded, on a free port.

    Args:
        base_url: of the server behind it, `http://127.0.0.1:<port>/v1`.
    """

    def __init__(self, base_url: str) -> None:
        self._behind = urlsplit(base_url)
        self._tally = Tally()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.owner = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}{self._behind.path}"

    def take(self) -> Tally:
        """Return what was counted since the last time."""
        with self._lock:
            taken, self._tally = self._tally, Tally()
        return taken

    def passed_on(self, method: str, path: str, *, headers: dict[str, str], body: bytes) -> tuple[int, str, bytes]:
        """Ask the server behind, and return its status, content type and body."""
        connection = http.client.HTTPConnection(self._behind.hostname or "", self._behind.port, timeout=SECONDS)
        try:
            connection.request(method, path, body or None, headers)
            response = connection.getresponse()
            answer = response.read()
        finally:
            connection.close()
        if method == "POST":
            with self._lock:
                self._tally = self._tally.with_answer(response.status, answer)
        return response.status, response.headers.get("Content-Type", "application/json"), answer

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    owner: CountingProxy

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a client that gives up is its own affair."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name: self.headers[name] for name in _PASSED_ON if name in self.headers}
        status, kind, answer = self.server.owner.passed_on(self.command, self.path, headers=headers, body=body)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = _answer  # noqa: N815 - the names that http.server calls

    def log_message(self, *_: object) -> None:
        """Keep quiet."""

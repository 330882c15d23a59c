"""A model server on loopback that misbehaves as it is told, over real sockets.

    with FaultServer() as server:
        server.will(status(429, headers={"Retry-After": "2"}), says('{"section": "A"}'))
        ... a client pointed at server.base_url ...
        assert 2 == len(server.requests)

Each step answers one request, in the order of the script; what comes after the last one gets `server.otherwise`.
"""

import json
import socket
import struct
import threading
import time
import zlib
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as it came in; `at` is on the monotonic clock."""

    path: str
    headers: dict[str, str]
    body: bytes
    at: float = field(default_factory=time.monotonic)

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class FaultServer:
    """The server: scripted, threaded, on a free port."""

    def __init__(self) -> None:
        self.requests: list[Seen] = []
        self.connections = 0
        self.otherwise: Step = says("{}")
        self.closing = threading.Event()
        self._hangups = 0
        self._hung_up = threading.Condition()
        self._steps: deque[Step] = deque()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.owner = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def base_url(self) -> str:
        return f"{self.origin}/v1"

    def will(self, *steps: "Step") -> None:
        """Append to the script."""
        self._steps.extend(steps)

    def next_step(self, seen: Seen) -> "Step":
        with self._lock:
            self.requests.append(seen)
            return self._steps.popleft() if self._steps else self.otherwise

    def hung_up(self) -> None:
        with self._hung_up:
            self._hangups += 1
            self._hung_up.notify_all()

    def wait_for_hangups(self, number: int) -> None:
        """Wait until so many connections have been closed from here."""
        with self._hung_up:
            assert self._hung_up.wait_for(lambda: self._hangups >= number, timeout=60)

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    owner: FaultServer

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        self.owner.hung_up()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what many steps are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body go out apart, and would wait for each other
    server: _Server

    def setup(self) -> None:
        super().setup()
        self.server.owner.connections += 1

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.owner.next_step(Seen(self.path, headers, body))(self)

    def answer(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response_only(status)
        given = {name.lower() for name in headers}
        for name, value in headers.items():
            self.send_header(name, value)
        if "content-length" not in given:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


Step = Callable[[_Handler], None]
JSON = {"Content-Type": "application/json"}


def completion(content: object = "{}", *, finish: object = "stop", **message: Any) -> dict[str, Any]:
    """Return the body of a chat completion."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "answering-model",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content} | message}
        ],
        "usage": {"prompt_tokens": 300, "completion_tokens": 30, "total_tokens": 330},
    }


def says(content: object, *, finish: object = "stop", **message: Any) -> Step:
    """Answer with a completion of this text."""
    return sends(completion(content, finish=finish, **message))


def sends(body: object, *, code: int = 200, headers: Mapping[str, str] | None = None) -> Step:
    """Answer with any body: bytes as they are, everything else as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return lambda handler: handler.answer(code, content, JSON | dict(headers or {}))


def sends_events(*events: object, headers: Mapping[str, str] | None = None) -> Step:
    """Answer with a stream of events: texts as they are, everything else as JSON."""
    lines = [event if isinstance(event, str) else json.dumps(event) for event in events]
    body = "".join(f"data: {line}\n\n" for line in lines).encode()
    return sends(body, headers={"Content-Type": "text/event-stream"} | dict(headers or {}))


def status(code: int, error: object = None, *, headers: Mapping[str, str] | None = None) -> Step:
    """Answer with an error; `error` is what stands under that name in the body."""
    return sends({"error": error or {"message": "as scripted", "type": "scripted"}}, code=code, headers=headers)


def silent(seconds: float) -> Step:
    """Say nothing for a while, then hang up."""

    def step(handler: _Handler) -> None:
        handler.server.owner.closing.wait(seconds)
        handler.close_connection = True

    return step


def drips(body: object, *, per_second: float, headers_too: bool = False) -> Step:
    """Send a body, or headers and body, byte by byte."""

    def step(handler: _Handler) -> None:
        content = json.dumps(body).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n".encode()
        if not headers_too:
            handler.wfile.write(head)
        for byte in (head if headers_too else b"") + content:
            if handler.server.owner.closing.wait(1 / per_second):
                break
            handler.wfile.write(bytes([byte]))
        handler.close_connection = True

    return step


def resets(body: bytes = b"") -> Step:
    """Promise a long body, send a part, and break the connection with a reset."""

    def step(handler: _Handler) -> None:
        if body:
            handler.answer(200, body, JSON | {"Content-Length": "100000"})
            handler.wfile.flush()
        handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        handler.connection.close()
        handler.close_connection = True

    return step


def cuts_short(body: bytes) -> Step:
    """Promise a longer body than comes, and hang up in order."""

    def step(handler: _Handler) -> None:
        handler.answer(200, body, JSON | {"Content-Length": str(len(body) + 100)})
        handler.close_connection = True

    return step


def talks_garbage(handler: _Handler) -> None:
    """Answer with something that is no HTTP."""
    handler.wfile.write(b"\x16\x03\x01 this is no status line\r\n\r\n")
    handler.close_connection = True


def says_and_hangs_up(content: object) -> Step:
    """Answer well, promise to keep the connection, and close it."""

    def step(handler: _Handler) -> None:
        says(content)(handler)
        handler.wfile.flush()
        handler.close_connection = True

    return step


def bombs(megabytes: int) -> Step:
    """Send a small packed body that unpacks to a large one."""
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    packed = b"".join(packer.compress(b" " * 2**20) for _ in range(megabytes)) + packer.flush()
    return sends(packed, headers={"Content-Encoding": "gzip"})


def floods(megabytes: int) -> Step:
    """Send a large body, until the client hangs up."""

    def step(handler: _Handler) -> None:
        handler.close_connection = True
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(megabytes * 2**20))
        handler.end_headers()
        for _ in range(megabytes):
            handler.wfile.write(b" " * 2**20)

    return step

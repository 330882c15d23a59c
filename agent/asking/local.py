"""Serves the local model: llama.cpp in a child process on a free loopback port, ended with us.

Promises: the child ends when we do, however we end; it listens on loopback alone and answers only to a key made for this
start, which no argument list shows; what the library says goes to a log in the state folder. A child that does not come
up, or dies, becomes one sentence with its reason.
"""

import argparse
import contextlib
import http.client
import json
import os
import re
import secrets
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from agent.asking.weights import INSTALL, Weights
from agent.errors import EngineUnavailable

CONTEXT_TOKENS = 8192
START_SECONDS = 180.0  # a cold disk reads a gigabyte slowly
LOG_NAME = "llama.log"

_CLOSE_SECONDS = 1.0
_MOST_THREADS = 8  # more gain nothing with small models
_WATCH_SECONDS = 0.3
_CACHE_MIB = 512  # of prompts seen before; the library's own limit is 8 GB
_LOOPBACK = "127.0.0.1"
_LOG_TAIL_BYTES = 32_768
_LOG_ERROR = re.compile(r"[0-9.]{1,40} E ")
_QUOTA_FILE = Path("/sys/fs/cgroup/cpu.max")
_TIMES_FILE = Path("/proc/stat")


class LocalServer:
    """The local model's server; use it as a context manager.

    Args:
        weights: the model.
        state_folder: where its log goes.
        threads: processor threads, or None for what the machine has free.
        context: tokens that prompt and reply may have together.
        start_seconds: how long it may take to come up.
        command: what to start instead of llama.cpp; it speaks the protocol of `main`.
    """

    def __init__(
        self,
        weights: Weights,
        *,
        state_folder: Path,
        threads: int | None = None,
        context: int = CONTEXT_TOKENS,
        start_seconds: float = START_SECONDS,
        command: Sequence[str] | None = None,
    ) -> None:
        self.identity = weights.identity  # the same on every port: replies are remembered under it
        self.model = weights.name
        self.api_key = secrets.token_urlsafe(24)
        self._weights = weights
        self._log = state_folder / LOG_NAME
        self._threads = threads
        self._context = context
        self._start_seconds = start_seconds
        self._command = command
        self._address: str | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def base_url(self) -> str:
        """The address for OpenAI-compatible clients.

        Raises:
            EngineUnavailable: the server was not started.
        """
        if self._address is None:
            raise EngineUnavailable("The local model's server was not started.")
        return f"{self._address}/v1"

    def start(self) -> None:
        """Start the child and wait until it answers.

        Raises:
            EngineUnavailable: it is not installed, does not come up in time, or dies.
        """
        deadline = time.monotonic() + self._start_seconds
        command = self._command or self._own_command()
        try:
            self._process = self._spawn(command)
            self._address = self._announced(self._process, deadline)
            self._await_health(self._process, self._address, deadline)
        except BaseException:
            self.close()
            raise

    def check(self) -> None:
        """Do nothing while the child lives.

        Raises:
            EngineUnavailable: it has died; the message says why.
        """
        if self._process is None or self._process.poll() is not None:
            raise self._death(self._process)

    def close(self) -> None:
        """End the child, within two seconds."""
        process, self._process, self._address = self._process, None, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            if process.stdin:
                process.stdin.close()
        try:
            process.wait(_CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        finally:
            if process.stdout:
                process.stdout.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _own_command(self) -> list[str]:
        if find_spec("xllamacpp") is None:
            raise EngineUnavailable(f"The local model's server is not installed: run {INSTALL}.")
        return [
            sys.executable,
            "-P",  # or modules in the current folder, which may be anybody's, would be loaded
            "-m",
            "agent.asking.local",
            "--serve",
            str(self._weights.path.absolute()),
            "--name",
            self._weights.name,
            "--threads",
            str(self._threads or free_threads()),
            "--context",
            str(self._context),
        ]

    def _spawn(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            log = os.open(self._log, flags, 0o600)
            try:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    bufsize=0,
                    process_group=0,  # Ctrl-C reaches us, and we end it in order
                )
            finally:
                os.close(log)
        except OSError as error:
            raise EngineUnavailable(
                f"The local model's server cannot be started ({error.strerror}): check {str(self._log.parent)!r}."
            ) from error
        with contextlib.suppress(OSError):  # a child that is dead already is noticed when it says nothing
            if process.stdin:
                process.stdin.write(json.dumps({"api_key": self.api_key}).encode() + b"\n")
        return process

    def _announced(self, process: subprocess.Popen[bytes], deadline: float) -> str:
        """Return the address that the child prints as its one line."""
        line = b""
        with selectors.DefaultSelector() as selector:
            if process.stdout is None:
                raise self._death(process)
            selector.register(process.stdout, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise self._lateness()
                chunk = os.read(process.stdout.fileno(), 4096)
                if not chunk:
                    raise self._death(process)
                line += chunk
        try:
            address = str(json.loads(line)["address"])
            parts = urlsplit(address)
            is_ours = parts.scheme == "http" and parts.hostname == _LOOPBACK and bool(parts.port)
        except (ValueError, KeyError, TypeError):
            is_ours = False
        if not is_ours:
            raise EngineUnavailable(f"The local model's server announced no loopback address: see {str(self._log)!r}.")
        return address

    def _await_health(self, process: subprocess.Popen[bytes], address: str, deadline: float) -> None:
        while not _answers(address, self.api_key, timeout=max(0.1, min(5.0, deadline - time.monotonic()))):
            if process.poll() is not None:
                raise self._death(process)
            if time.monotonic() >= deadline:
                raise self._lateness()
            time.sleep(0.05)

    def _lateness(self) -> EngineUnavailable:
        return EngineUnavailable(
            f"The local model's server did not come up within {self._start_seconds:g} seconds: see {str(self._log)!r}."
        )

    def _death(self, process: subprocess.Popen[bytes] | None) -> EngineUnavailable:
        status = None
        if process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = process.wait(_CLOSE_SECONDS)
        reason = _reason_in(self._log) or "it left no word"
        if status is not None and status < 0:
            hint = ", perhaps for want of memory" if status == -signal.SIGKILL else f", {reason}"
            reason = f"ended by signal {-status}{hint}"
        return EngineUnavailable(f"The local model's server has died ({reason}): see {str(self._log)!r}.")


def free_threads() -> int:
    """Return how many threads to compute with: the processors that we may use and that nobody else is using now.

    One thread too many costs far more than one too few: the threads wait for the slowest at every step.
    """
    cores: float = len(os.sched_getaffinity(0))
    with contextlib.suppress(OSError, ValueError, ZeroDivisionError):
        quota, period = _QUOTA_FILE.read_text(encoding="ascii").split()
        cores = min(cores, int(quota) / int(period))  # "max" where there is none: a ValueError
    with contextlib.suppress(OSError, ValueError, ZeroDivisionError):
        idle_before, total_before = _processor_times()
        time.sleep(_WATCH_SECONDS)
        idle, total = _processor_times()
        cores *= (idle - idle_before) / (total - total_before)
    return max(1, min(round(cores), _MOST_THREADS))


def _processor_times() -> tuple[int, int]:
    """Return the idle and all ticks of all processors since the start of the machine (proc(5))."""
    ticks = [int(number) for number in _TIMES_FILE.read_text(encoding="ascii").partition("\n")[0].split()[1:9]]
    return ticks[3] + ticks[4], sum(ticks)


def _answers(address: str, api_key: str, *, timeout: float) -> bool:
    """Ask for the models, by the standard library alone: no proxy, no redirect."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or _LOOPBACK, parts.port, timeout=timeout)
    try:
        connection.request("GET", "/v1/models", headers={"Authorization": f"Bearer {api_key}"})
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _reason_in(log: Path) -> str:
    """Return the first error that a log tells of near its end, else its last line, or nothing."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - _LOG_TAIL_BYTES))
            lines = [line.strip() for line in file.read().decode("utf-8", "replace").splitlines() if line.strip()]
    except OSError:
        lines = []
    errors = (line[match.end() :] for line in lines if (match := _LOG_ERROR.match(line)))
    line = next(errors, lines[-1] if lines else "")
    return "".join(character if character.isprintable() else " " for character in line[:200])


def main(arguments: Sequence[str] | None = None) -> int:
    """Be the child: serve a model until standard input ends.

    The protocol: standard input brings one line of JSON with `api_key`, then stays open as long as the parent lives;
    standard output gives one line of JSON with `address`.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--serve", required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--context", type=int, required=True)
    options = parser.parse_args(arguments)
    answers = os.dup(1)
    os.dup2(2, 1)  # whatever the library prints belongs in the log
    api_key = json.loads(sys.stdin.buffer.readline())["api_key"]
    threading.Thread(target=_end_with_parent, daemon=True).start()
    server = _serve(options, api_key)
    os.write(answers, json.dumps({"address": server.listening_address}).encode() + b"\n")
    os.close(answers)
    threading.Event().wait()
    return 0


def _end_with_parent() -> None:
    while os.read(0, 4096):  # below Python's buffer, whose lock would hinder an orderly end
        pass
    os._exit(0)


def _serve(options: argparse.Namespace, api_key: str) -> Any:
    import xllamacpp  # noqa: PLC0415  only the child has a use for it, and it may not be installed

    params = xllamacpp.CommonParams()
    params.model.path = options.serve
    params.model_alias = {options.name}
    params.hostnames = [_LOOPBACK]
    params.port = 0
    params.api_keys = [api_key]
    params.n_ctx = options.context
    params.n_parallel = 1  # slots share the context and do not share what they have read
    params.cpuparams.n_threads = options.threads
    params.cpuparams_batch.n_threads = options.threads
    params.cache_ram_mib = _CACHE_MIB
    params.endpoint_slots = False  # it would show prompts
    params.ui = False
    params.offline = True
    params.verbosity = 2
    return xllamacpp.Server(params)


if __name__ == "__main__":
    sys.exit(main())

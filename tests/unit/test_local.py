"""The local model's server: it comes up, dies and ends in order. A small script stands in for llama.cpp."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from agent.asking import local
from agent.asking.local import LOG_NAME, LocalServer, free_threads
from agent.asking.weights import Weights, find_weights, has_local
from agent.errors import EngineUnavailable
from agent.settings import load_settings

WEIGHTS = Weights(Path("tiny.gguf"), "tiny", "0123456789ab" + "c" * 52)
CHILD = """
import http.server, json, os, sys, threading, time
way = sys.argv[1]
key = json.loads(sys.stdin.readline())["api_key"]

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        is_let_in = self.headers["Authorization"] == "Bearer " + key
        if way == "dies when asked":
            os._exit(7)
        self.send_response(503 if way == "never ready" else 200 if is_let_in else 401)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *arguments):
        pass

if way == "dies":
    print("0.00.001 W load: odd", "0.00.002 E load: no such\\x1b tensor", "0.00.003 E load: giving up", sep="\\n", file=sys.stderr)
    sys.exit(3)
if way == "is killed":
    os.kill(os.getpid(), 9)
if way == "says nothing":
    time.sleep(60)
if way == "writes a log":
    sys.stderr.write("0.00.001 I all is well\\n" * 100_000)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
address = f"http://127.0.0.1:{server.server_address[1]}"
if way.startswith("announces "):
    address = way.removeprefix("announces ")
threading.Thread(target=server.serve_forever, daemon=True).start()
os.write(1, b"no json\\n" if way == "babbles" else json.dumps({"address": address}).encode() + b"\\n")
if way != "ends late":
    sys.stdin.read()
    os._exit(0)
time.sleep(60)
"""


@pytest.fixture
def make(tmp_path):
    """Make a server that behaves in a given way."""
    script = tmp_path / "child.py"
    script.write_text(CHILD)

    def make(way="works", **options):
        return LocalServer(
            WEIGHTS,
            state_folder=tmp_path,
            command=[sys.executable, str(script), way],
            **{"start_seconds": 20, **options},
        )

    return make


def status_of(base_url: str, api_key: str) -> int:
    parts = urlsplit(base_url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=5)
    try:
        connection.request("GET", f"{parts.path}/models", headers={"Authorization": f"Bearer {api_key}"})
        return connection.getresponse().status
    finally:
        connection.close()


def is_running(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_server_answers_while_it_is_open_and_ends_with_it(make):
    with make() as server:
        assert server.base_url.startswith("http://127.0.0.1:")
        assert 200 == status_of(server.base_url, server.api_key)
        assert 401 == status_of(server.base_url, "wrong")
        server.check()
        number = server._process.pid
        started = time.monotonic()

    assert time.monotonic() - started < 2
    assert not is_running(number)


def test_what_the_store_knows_it_by_is_the_same_on_every_port_and_the_key_never(make):
    first, second = make(), make()

    assert "local:0123456789ab" == first.identity == second.identity
    assert first.api_key != second.api_key


def test_the_key_stands_in_no_argument_list_and_no_log(make, tmp_path):
    with make() as server:
        arguments = Path(f"/proc/{server._process.pid}/cmdline").read_text()

    assert server.api_key not in arguments
    assert server.api_key not in (tmp_path / LOG_NAME).read_text()
    assert server.api_key not in repr(server)


def test_a_server_that_was_not_started_or_was_closed_has_no_address(make):
    server = make()
    for act in (lambda: None, server.start, server.close, server.close):
        act()
        if server._process is None:
            with pytest.raises(EngineUnavailable):
                _ = server.base_url
            with pytest.raises(EngineUnavailable):
                server.check()


@pytest.mark.parametrize(
    ("way", "message"),
    [
        ("dies", r"has died \(load: no such  tensor\): see '.*llama\.log'"),
        ("is killed", "ended by signal 9, perhaps for want of memory"),
        ("dies when asked", "has died"),
        ("babbles", "announced no loopback address"),
        ("announces http://192.0.2.1:80", "announced no loopback address"),
        ("announces http://127.0.0.1", "announced no loopback address"),
        ("announces file:///etc/passwd", "announced no loopback address"),
    ],
)
def test_a_child_that_does_not_come_up_becomes_one_sentence(make, way, message):
    server = make(way)
    with pytest.raises(EngineUnavailable, match=message) as caught:
        server.start()

    assert str(caught.value).isprintable()
    assert server._process is None


@pytest.mark.parametrize("way", ["says nothing", "never ready"])
def test_a_child_that_takes_too_long_is_ended(make, way):
    server = make(way, start_seconds=0.5)
    started = time.monotonic()

    with pytest.raises(EngineUnavailable, match=r"did not come up within 0\.5 seconds"):
        server.start()

    assert time.monotonic() - started < 4
    assert server._process is None


def test_a_child_that_dies_later_is_noticed_with_its_reason(make):
    with make() as server:
        server._process.kill()
        server._process.wait()
        with pytest.raises(EngineUnavailable, match="ended by signal 9"):
            server.check()


def test_a_child_that_does_not_end_by_itself_is_ended_within_two_seconds(make):
    server = make("ends late")
    server.start()
    number, started = server._process.pid, time.monotonic()

    server.close()

    assert time.monotonic() - started < 2
    assert not is_running(number)


def test_a_long_log_stops_nobody_and_is_begun_anew(make, tmp_path):
    with make("writes a log"):
        pass
    assert (tmp_path / LOG_NAME).stat().st_size > 2_000_000

    with make():
        assert 0 == (tmp_path / LOG_NAME).stat().st_size


def test_ctrl_c_in_the_terminal_does_not_reach_the_child(make):
    with make() as server:
        assert os.getpgid(server._process.pid) != os.getpgid(0)


PARENT = """
import sys, time
from pathlib import Path
from agent.asking.local import LocalServer
from agent.asking.weights import Weights
server = LocalServer(Weights(Path("x"), "x", "0" * 64), state_folder=Path(sys.argv[1]), command=[sys.executable, sys.argv[2], "works"])
server.start()
print(server._process.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_child_does_not_outlive_its_parent(make, tmp_path, number):
    command = [sys.executable, "-c", PARENT, str(tmp_path), str(tmp_path / "child.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        parent.send_signal(number)
        parent.wait()
        until = time.monotonic() + 5
        while is_running(child) and time.monotonic() < until:
            time.sleep(0.02)

    assert not is_running(child)


def test_a_state_folder_that_cannot_hold_the_log_is_named(make, tmp_path):
    (tmp_path / LOG_NAME).symlink_to(tmp_path / "elsewhere")

    with pytest.raises(EngineUnavailable, match="cannot be started"):
        make().start()

    assert not (tmp_path / "elsewhere").exists()


def test_without_the_library_the_next_step_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(local, "find_spec", lambda _: None)

    with pytest.raises(EngineUnavailable, match="pip install"):
        LocalServer(WEIGHTS, state_folder=tmp_path).start()


def test_the_child_is_started_by_a_fixed_list_and_loads_nothing_from_the_current_folder(monkeypatch, tmp_path):
    monkeypatch.setattr(local, "find_spec", lambda name: name)
    monkeypatch.chdir(tmp_path)
    command = LocalServer(WEIGHTS, state_folder=tmp_path, threads=3)._own_command()

    assert [sys.executable, "-P", "-m", "agent.asking.local", "--serve", str(tmp_path / "tiny.gguf")] == command[:6]
    assert ["--name", "tiny", "--threads", "3", "--context", "8192"] == command[6:]


LIBRARY = """
import http.server, threading
from types import SimpleNamespace

def CommonParams():
    return SimpleNamespace(model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace())

class Server:
    def __init__(self, params):
        print("the library talks", params, flush=True)
        if params.model.path.endswith("broken.gguf"):
            raise RuntimeError("no such tensor")
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200 if self.headers["Authorization"] == "Bearer " + params.api_keys[0] else 401)
                self.end_headers()
        server = http.server.HTTPServer((params.hostnames[0], params.port), Handler)
        self.listening_address = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
"""


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A library that talks and serves as the real one does."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "xllamacpp.py").write_text(LIBRARY)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    monkeypatch.setattr(local, "find_spec", lambda name: name)


def test_the_child_serves_on_loopback_with_one_slot_and_keeps_the_talk_in_the_log(library, tmp_path):
    with LocalServer(WEIGHTS, state_folder=tmp_path, threads=3, context=4096) as server:
        assert 200 == status_of(server.base_url, server.api_key)

    log = (tmp_path / LOG_NAME).read_text()
    for part in ("hostnames=['127.0.0.1']", "port=0", "n_parallel=1", "n_threads=3", "n_ctx=4096", "offline=True"):
        assert part in log


def test_a_model_that_the_library_refuses_is_named(library, tmp_path):
    broken = Weights(tmp_path / "broken.gguf", "broken", "0" * 64)

    with pytest.raises(EngineUnavailable, match=r"RuntimeError: no such tensor"):
        LocalServer(broken, state_folder=tmp_path, threads=1).start()


@pytest.mark.parametrize(
    ("quota", "idle", "threads"),
    [("max 100000", 1.0, 4), ("150000 100000", 1.0, 2), ("max 100000", 0.5, 2), ("max 100000", 0.0, 1), ("", 1.0, 4)],
)
def test_threads_are_the_processors_that_are_free(monkeypatch, tmp_path, quota, idle, threads):
    times = iter([(100, 1000), (100 + int(idle * 400), 1400)])
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3})
    monkeypatch.setattr(local, "_QUOTA_FILE", tmp_path / "cpu.max")
    monkeypatch.setattr(local, "_WATCH_SECONDS", 0)
    monkeypatch.setattr(local, "_processor_times", lambda: next(times))
    (tmp_path / "cpu.max").write_text(quota)

    assert threads == free_threads()


def test_threads_of_this_machine_are_between_one_and_its_processors():
    assert 1 <= free_threads() <= len(os.sched_getaffinity(0))


@pytest.mark.live
def test_the_real_server_answers_and_keeps_notes_out_of_its_log(tmp_path):
    settings = load_settings(None, flags={})
    if not has_local(settings.local_model, settings.cache_dir):
        pytest.skip("no local model is installed")
    weights = find_weights(settings.local_model, settings.cache_dir)
    question = {"messages": [{"role": "user", "content": "Say canary."}], "max_tokens": 4, "temperature": 0}

    with LocalServer(weights, state_folder=tmp_path, threads=1) as server:
        parts = urlsplit(server.base_url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=300)
        headers = {"Authorization": f"Bearer {server.api_key}", "Content-Type": "application/json"}
        connection.request("POST", "/v1/chat/completions", json.dumps(question), headers)
        reply = json.loads(connection.getresponse().read())
        connection.close()

    assert weights.name == reply["model"]
    assert reply["choices"][0]["message"]["content"]
    log = (tmp_path / LOG_NAME).read_text()
    assert "canary" not in log
    assert server.api_key not in log

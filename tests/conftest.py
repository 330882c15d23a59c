"""What every test gets: an empty environment of ours, and no network.

Sockets reach loopback and nothing else, from the first collected file on; trying more ends the test at once, whatever it
catches. A run that records (`--record-mode`) or plays the local model (`-m live`) gets back just what it needs.
"""

import itertools
import os
import sys
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import hypothesis
import pytest

os.environ["PYDANTIC_ERRORS_INCLUDE_URL"] = "0"  # read when pydantic loads; its address would stand in recorded prompts

hypothesis.settings.register_profile("suite", deadline=None, derandomize=True)  # the same examples each time
hypothesis.settings.register_profile("search", deadline=None, max_examples=10_000, print_blob=True)
hypothesis.settings.load_profile("suite")

SCRUBBED_PREFIXES = ("OPENAI_", "AGENT_", "XDG_", "TIKTOKEN_", "PIP_", "UV_")
SCRUBBED_SUFFIXES = ("_PROXY", "_API_KEY")
# What rich and typer read to decide on colour and width.
SCRUBBED_NAMES = frozenset(
    {"TERM", "LINES", "NO_COLOR", "FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "TERMINAL_WIDTH"}
)
RECORD_URL = os.environ.get("AGENT_RECORD_URL", "")
LOCAL_MODEL = os.environ.get("AGENT_LOCAL_MODEL", "")
CACHE = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")

_ADDRESS_EVENTS = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
_NAME_EVENTS = frozenset({"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"})
_guard = {"is_on": False}
_home_numbers = itertools.count()


class NetworkReached(BaseException):
    """A test left the machine; no `except Exception` of a client may turn this into a retry."""


def _is_loopback(host: object) -> bool:
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if not isinstance(name, str) or name in {"", "localhost"}:
        return True  # no name at all, or a socket family without hosts
    try:
        return ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _refuse_network(event: str, args: tuple[Any, ...]) -> None:
    if not _guard["is_on"]:
        return
    if event in _ADDRESS_EVENTS:
        host = args[1][0] if isinstance(args[1], tuple) else ""
    elif event in _NAME_EVENTS:
        host = args[0]
    else:
        return
    if not _is_loopback(host):
        raise NetworkReached(f"{event} to {host!r}: tests reach loopback alone")


sys.addaudithook(_refuse_network)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-golden", action="store_true", help="write what comes out to tests/golden; read the diff"
    )


def pytest_configure(config: pytest.Config) -> None:
    _guard["is_on"] = config.getoption("--record-mode") in {None, "none"}


def pytest_unconfigure() -> None:
    _guard["is_on"] = False


@pytest.fixture(autouse=True)
def _clean_environment(request, monkeypatch, tmp_path_factory):
    for name in list(os.environ):
        upper = name.upper()
        if upper in SCRUBBED_NAMES or upper.startswith(SCRUBBED_PREFIXES) or upper.endswith(SCRUBBED_SUFFIXES):
            monkeypatch.delenv(name)
    home = tmp_path_factory.getbasetemp() / f"home-{next(_home_numbers)}"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("COLUMNS", "80")
    if request.node.get_closest_marker("live"):
        monkeypatch.setenv("XDG_CACHE_HOME", CACHE)
        if LOCAL_MODEL:
            monkeypatch.setenv("AGENT_LOCAL_MODEL", LOCAL_MODEL)

"""The suite's own walls: tests reach loopback alone and find an environment without anything of the user's."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import NetworkReached
from tests.sources import ROOT


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("2001:db8::1", 80)])
def test_an_address_elsewhere_is_refused(address):
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET

    with socket.socket(family, socket.SOCK_STREAM) as door, pytest.raises(NetworkReached, match=address[0]):
        door.connect(address)


def test_a_datagram_elsewhere_is_refused():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door, pytest.raises(NetworkReached):
        door.sendto(b"x", ("192.0.2.1", 53))


def test_a_name_elsewhere_is_not_even_looked_up():
    with pytest.raises(NetworkReached, match=r"relay\.invalid"):
        socket.getaddrinfo("relay.invalid", 443)


def test_no_except_exception_swallows_the_refusal():
    assert not issubclass(NetworkReached, Exception)


def test_loopback_is_open():
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname(), timeout=5) as client,
    ):
        assert client.getpeername() == server.getsockname()


def test_home_is_an_empty_folder_of_this_test(tmp_path):
    home = Path.home()

    assert list(home.iterdir()) == []
    assert home.is_relative_to(tmp_path.parent)


CHILD = """
import os

def test_child():
    left = sorted(name for name in os.environ if name in {names!r})
    assert left == []
"""


def test_keys_addresses_and_proxies_of_the_user_are_gone(tmp_path):
    names = (
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "AGENT_ENGINE",
        "XDG_CACHE_HOME",
        "https_proxy",
        "NO_PROXY",
        "HF_API_KEY",
    )
    child = tmp_path / "test_child.py"
    child.write_text(CHILD.format(names=set(names)))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.conftest", str(child)]

    done = subprocess.run(
        [*command, "--rootdir", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, **dict.fromkeys(names, "left behind"), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_pydantic_adds_no_address_to_its_messages():
    assert os.environ["PYDANTIC_ERRORS_INCLUDE_URL"] == "0"

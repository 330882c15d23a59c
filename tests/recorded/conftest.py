"""What a recorded test gets: a cassette that is played whole or not at all.

    def test_x(cassette):
        cassette.rests_on("extract_increment@1")
        ... a model client pointed at cassette.base_url ...

Replayed by default. `AGENT_RECORD_URL=local python -m pytest tests/recorded --record-mode=rewrite -n 0` asks the local engine
instead, or with an address the server behind it, and keeps the answers.
"""

from pathlib import Path

import pytest

from agent.asking.local import LocalServer
from agent.asking.weights import find_weights
from tests.conftest import CACHE, LOCAL_MODEL, RECORD_URL
from tests.recording import CASSETTES, CONFIG, REPLAY_URL, Recording, configure

HERE = Path(__file__).parent
_passed = pytest.StashKey[bool]()


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.is_relative_to(HERE) and "cassette" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.vcr)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call":
        item.stash[_passed] = report.passed
    return report


def pytest_recording_configure(vcr):
    configure(vcr)


@pytest.fixture
def vcr_config():
    return CONFIG


@pytest.fixture(scope="module")
def vcr_cassette_dir(request):
    return str(CASSETTES / request.path.stem)


@pytest.fixture(scope="session")
def recorded_from(tmp_path_factory):
    """Address and key of the server to record from; empty when replaying."""
    if RECORD_URL != "local":
        yield RECORD_URL, ""
        return
    weights = find_weights(Path(LOCAL_MODEL) if LOCAL_MODEL else None, Path(CACHE) / "relay-digest")
    with LocalServer(weights, state_folder=tmp_path_factory.mktemp("local")) as server:
        yield server.base_url, server.api_key


@pytest.fixture
def cassette(request, recorded_from, vcr):
    is_recording = vcr.record_mode.value != "none"
    base_url, api_key = recorded_from if is_recording else (REPLAY_URL, "")
    if not base_url:
        pytest.fail("recording needs AGENT_RECORD_URL: local, or the address of a model server")
    recording = Recording(cassette=vcr, base_url=base_url, api_key=api_key, is_recording=is_recording)
    yield recording
    if request.node.stash.get(_passed, False):
        assert recording.prompts, "say which prompts the cassette rests on: cassette.rests_on('name@version')"
        recording.close()

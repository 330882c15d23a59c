"""What a recorded test gets: a cassette that is played whole or not at all.

    def test_x(cassette):
        cassette.rests_on("extract_increment@1")
        ... a model client pointed at cassette.base_url ...

Replayed by default. `AGENT_RECORD_URL=http://127.0.0.1:8080/v1 python -m pytest tests/recorded --record-mode=rewrite` asks
the server behind that address instead and keeps its answers.
"""

from pathlib import Path

import pytest

from tests.conftest import RECORD_URL
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


@pytest.fixture
def cassette(request, vcr):
    is_recording = vcr.record_mode.value != "none"
    if is_recording and not RECORD_URL:
        pytest.fail("recording needs AGENT_RECORD_URL, the address of a model server, such as http://127.0.0.1:8080/v1")
    recording = Recording(cassette=vcr, base_url=RECORD_URL if is_recording else REPLAY_URL, is_recording=is_recording)
    yield recording
    if request.node.stash.get(_passed, False):
        assert recording.prompts, "say which prompts the cassette rests on: cassette.rests_on('name@version')"
        recording.close()

"""What unit tests share."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.faultserver import FaultServer

if TYPE_CHECKING:
    from agent.asking.model import OpenAIModel
    from tests.modelsetting import Time


@pytest.fixture
def server() -> Iterator[FaultServer]:
    """A model server on loopback that does what `server.will(...)` says."""
    with FaultServer() as running:
        yield running


@pytest.fixture
def passing() -> "Time":
    """The time that `model` waits by."""
    from tests.modelsetting import Time  # noqa: PLC0415 - only tests of a model pay for loading one

    return Time()


@pytest.fixture
def model(server: FaultServer, passing: "Time") -> Iterator["OpenAIModel"]:
    """A model at `server`, whose waits take no time."""
    from tests.modelsetting import make  # noqa: PLC0415 - as above

    made = make(server, passing)
    yield made
    made.close()

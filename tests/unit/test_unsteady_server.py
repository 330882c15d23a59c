"""The whole product against a server of whose responses three in ten go wrong: the same digest in the end."""

import datetime as dt
from pathlib import Path

import pytest

from agent.asking.budget import Budget
from agent.asking.remembering import RememberingModel
from agent.asking.testing import MemoryStore
from agent.pipeline import Order, Outcomes, make_digest, plan
from agent.records import CheckedNote, Usage
from agent.settings import Settings
from agent.starting import start_workspace
from agent.workspace import Workspace
from tests.lyingserver import FlakyServer
from tests.modelsetting import Time, make

DAY = dt.date(2026, 9, 14)


class _Silent:
    """Wants to know nothing."""

    def begin(self, notes: int) -> None: ...

    def started(self, path: str) -> None: ...

    def finished(self, checked: CheckedNote) -> None: ...


def digest(root: Path, server: FlakyServer, memory: MemoryStore) -> Outcomes:
    settings = Settings(workers=4)
    workspace = Workspace.open(root, settings=settings)
    planned = plan(workspace, Order(topic=None, date=DAY, days=2))
    model = RememberingModel(lambda: make(server, Time()), name="m", endpoint="e", memory=memory, budget=Budget(None))
    made = make_digest(workspace, settings, planned, engine="remote", model=model, progress=_Silent())
    model.close()
    return made


def content(made: Outcomes) -> str:
    """Return a digest without what it has cost."""
    free = made.digest.model_copy(
        update={
            "usage": Usage(),
            "checked": tuple(one.model_copy(update={"usage": Usage()}) for one in made.digest.checked),
        }
    )
    return free.model_dump_json()


@pytest.mark.parametrize("seed", [1, 2])
def test_faults_cost_requests_and_change_nothing(tmp_path, seed):
    """A call that is lost all the same is made up for by the next run, which asks for nothing else."""
    root = tmp_path / "example"
    start_workspace(root, with_example=True)
    with FlakyServer(seed, share=0.0) as steady:
        expected = digest(root, steady, MemoryStore())
    assert {"extracted", "nothing_new"} >= {one.outcome for one in expected.digest.checked}

    memory = MemoryStore()
    with FlakyServer(seed, share=0.3) as flaky:
        runs = [digest(root, flaky, memory) for _ in range(3)]

    assert len(expected.digest.checked) == len(runs[0].digest.checked)
    assert content(expected) == content(runs[-1])
    assert len(steady.requests) < len(flaky.requests) <= 2 * len(steady.requests)

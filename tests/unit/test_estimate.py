"""A dry run reads every note as in earnest, asks nothing, and says what a run would cost."""

import datetime as dt
from decimal import Decimal
from pathlib import Path

import pytest

from agent.asking.budget import Budget
from agent.asking.estimating import EstimatingModel
from agent.asking.remembering import RememberingModel
from agent.asking.testing import MemoryStore
from agent.costs import Estimate
from agent.estimate import Unwatched, estimate
from agent.pipeline import Order, make_digest, plan
from agent.records import Cost, Usage
from agent.settings import Settings
from agent.starting import start_workspace
from agent.workspace import Workspace

DAY = dt.date(2026, 9, 14)
BYTES = b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe"


@pytest.fixture
def demo(tmp_path):
    folder = tmp_path / "demo"
    start_workspace(folder, with_example=True)
    return folder


@pytest.fixture
def foresee(demo):
    """Estimate the example's digest over a memory."""

    def foreseeing(memory=None, *, has_model=True, **settings):
        used = Settings(**settings)
        workspace = Workspace.open(demo, settings=used)
        model = EstimatingModel(name="m", endpoint="e", memory=memory) if has_model else None
        planned = plan(workspace, Order(topic=None, date=DAY, days=2))
        return estimate(workspace, used, planned, engine="local" if has_model else "none", model=model)

    return foreseeing


def _paying(memory: MemoryStore) -> RememberingModel:
    """A model that is paid for what it makes up, and remembers."""
    return RememberingModel(
        lambda: EstimatingModel(name="m", endpoint="e", memory=None),
        name="m",
        endpoint="e",
        memory=memory,
        budget=Budget(None),
    )


def _run(demo: Path, memory: MemoryStore) -> Usage:
    used = Settings()
    workspace = Workspace.open(demo, settings=used)
    planned = plan(workspace, Order(topic=None, date=DAY, days=2))
    made = make_digest(workspace, used, planned, engine="local", model=_paying(memory), progress=Unwatched())
    return made.digest.usage


def test_notes_add_up_to_the_whole(foresee):
    found = foresee(price_input=Decimal("0.25"), price_output=Decimal(2))

    assert sum((one.usage for one in found.notes), start=Usage()) == found.usage
    assert found.usage.calls > 10
    assert all(one.cost for one in found.notes if one.usage.calls)
    assert found.cost == Cost(amount=sum(one.cost.amount for one in found.notes if one.cost), currency="USD")
    assert found == Estimate.model_validate_json(found.model_dump_json())


def test_a_run_then_costs_what_was_estimated(foresee, demo):
    memory = MemoryStore()
    found = foresee(memory)

    assert {} == memory.kept
    spent = _run(demo, memory)

    assert (found.usage.prompt_tokens, found.usage.completion_tokens) == pytest.approx(
        (spent.prompt_tokens, spent.completion_tokens), rel=0.05
    )
    assert found.usage.calls + found.calls_remembered == spent.calls


def test_after_a_run_everything_is_remembered_and_costs_nothing(foresee, demo):
    memory = MemoryStore()
    spent = _run(demo, memory)
    kept = dict(memory.kept)

    found = foresee(memory)

    assert (Usage(), spent.calls, 0) == (found.usage, found.calls_remembered, found.budget_needed)
    assert kept == memory.kept


def test_a_new_note_after_a_run_is_estimated_by_what_the_others_have_cost(foresee, demo):
    memory = MemoryStore()
    before = _run(demo, memory).calls
    (demo / "inbox/tom/2026-09-14-new.md").write_text(
        "# 简报\n\n增量 1：缓存分层\n\n要点：\n- 吞吐升到 12 tok/s\n\n建议归入：inference.md · §4.1\n", encoding="utf-8"
    )

    found = foresee(memory)

    assert ["inbox/tom/2026-09-14-new.md"] == [one.note for one in found.notes if one.usage.calls]
    assert (before, 1) == (found.calls_remembered, found.usage.calls)
    assert () == found.remarks


def test_without_history_a_remark_says_what_the_estimate_rests_on(foresee):
    (remark,) = foresee().remarks

    assert "No reply of this model was paid for here yet" in remark


def test_engine_none_costs_nothing(foresee):
    found = foresee(has_model=False)

    assert (10, Usage(), 0, ()) == (len(found.notes), found.usage, found.budget_needed, found.remarks)
    assert found.model is None


def test_what_a_run_would_not_read_is_named_with_its_outcome(foresee, demo):
    (demo / "inbox/tom/2026-09-14-bytes.md").write_bytes(BYTES)
    (demo / "inbox/tom/2026-09-14-empty.md").write_bytes(b"")

    outcomes = {one.note.rsplit("/", 1)[-1]: one.outcome for one in foresee().notes}

    assert {"2026-09-14-bytes.md": "not_text", "2026-09-14-empty.md": "empty"}.items() <= outcomes.items()
    assert 10 == list(outcomes.values()).count(None)


def test_the_budget_that_is_set_stands_beside_the_one_that_is_needed(foresee):
    found = foresee(budget_tokens=500)

    assert 500 == found.budget_tokens
    assert found.budget_needed > found.usage.prompt_tokens + found.usage.completion_tokens

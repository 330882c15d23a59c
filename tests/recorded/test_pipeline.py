"""The example workspace, digested by a real small model: the whole way, from notes to Markdown.

Recorded because no scripted reply behaves like a model: these tests hold what it says against the gold answers.
"""

import contextlib
import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from agent.asking.budget import Budget
from agent.asking.model import OpenAIModel
from agent.asking.remembering import RememberingModel
from agent.asking.retry import Retries
from agent.asking.testing import MemoryStore
from agent.asking.transport import Endpoint
from agent.asking.weights import KNOWN_MODELS
from agent.digesting.markdown import render_markdown
from agent.pipeline import Order, Outcomes, make_digest, plan
from agent.records import CheckedNote, Increment
from agent.settings import load_settings
from agent.starting import start_workspace
from agent.workspace import Workspace
from tests.recording import Recording

GOLD = Path(__file__).parents[1] / "gold" / "example"
GOLDEN = Path(__file__).parents[1] / "golden" / "example" / "digest.md"
PROMPTS = ("extract_increment@1", "find_increments@1", "place_increment@1")
NAME = KNOWN_MODELS[0].name


class Silent:
    """Nobody watches."""

    def begin(self, notes: int) -> None:
        pass

    def started(self, path: str) -> None:
        pass

    def finished(self, checked: CheckedNote) -> None:
        pass


def _ask(cassette: Recording) -> OpenAIModel:
    endpoint = Endpoint(base_url=cassette.base_url, api_key=cassette.api_key, identity="local:recorded")
    return OpenAIModel(NAME, endpoint=endpoint, retries=Retries(most_requests=1 if not cassette.is_recording else 4))


def _digest(folder: Path, model: RememberingModel) -> Outcomes:
    settings = load_settings(folder, flags={"state": folder / ".state"})
    workspace = Workspace.open(folder, settings=settings)
    planned = plan(workspace, Order(topic=None, date=dt.date(2026, 9, 14), days=2))
    return make_digest(workspace, settings, planned, engine="local", model=model, progress=Silent())


def _lines(note: str, folder: Path, increment: Increment) -> set[int]:
    text = (folder / note).read_text(encoding="utf-8")
    return {text.count("\n", 0, one.start) + 1 for one in increment.evidence if one.note == note}


def _found(gold: dict[str, Any], folder: Path, increments: Sequence[Increment]) -> list[str]:
    """The gold increments of one note that an increment has most of its evidence in."""
    found = []
    for one in gold["increments"]:
        first, last = one["lines"]
        inside = [lines for each in increments if (lines := _lines(gold["note"], folder, each))]
        if any(2 * sum(first <= line <= last for line in lines) > len(lines) for lines in inside):
            found.append(str(one["id"]))
    return found


def test_the_example_is_digested_as_its_gold_answers_say(
    cassette: Recording, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    cassette.rests_on(*PROMPTS)
    folder = tmp_path / "demo"
    start_workspace(folder, with_example=True)
    memory = MemoryStore()
    first = RememberingModel(
        lambda: _ask(cassette), name=NAME, endpoint="local:recorded", memory=memory, budget=Budget(None)
    )

    with contextlib.closing(first):
        outcomes = _digest(folder, first)
    markdown = render_markdown(outcomes.digest)

    golds = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(GOLD.glob("2026-*.yaml"))]
    wanted = {str(one["id"]) for gold in golds for one in gold["increments"]}
    found = {name for gold in golds for name in _found(gold, folder, outcomes.digest.increments)}
    pair = yaml.safe_load(next(GOLD.glob("pair-*.yaml")).read_text(encoding="utf-8"))
    texts = {gold["note"]: (folder / gold["note"]).read_text(encoding="utf-8") for gold in golds}
    assert wanted == found
    assert len(wanted) - len(pair["same"]) >= len(outcomes.digest.increments) - 2
    assert all(texts[e.note][e.start : e.end] == e.quote for one in outcomes.digest.increments for e in one.evidence)
    assert () == outcomes.failed

    second = RememberingModel(
        lambda: pytest.fail("started"), name=NAME, endpoint="local:recorded", memory=memory, budget=Budget(None)
    )
    assert markdown == render_markdown(_digest(folder, second).digest)

    if cassette.is_recording or pytestconfig.getoption("--rewrite-golden"):
        GOLDEN.parent.mkdir(parents=True, exist_ok=True)
        GOLDEN.write_text(markdown, encoding="utf-8")
    assert GOLDEN.read_text(encoding="utf-8") == markdown

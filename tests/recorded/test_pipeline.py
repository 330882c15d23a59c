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
from agent.asking.estimating import EstimatingModel
from agent.asking.model import OpenAIModel
from agent.asking.remembering import RememberingModel
from agent.asking.retry import Retries
from agent.asking.testing import MemoryStore
from agent.asking.transport import Endpoint
from agent.asking.weights import KNOWN_MODELS
from agent.costs import Estimate
from agent.digesting.markdown import render_markdown
from agent.estimate import estimate
from agent.extracting.support import unsupported
from agent.pipeline import Order, Outcomes, make_digest, plan
from agent.records import CheckedNote, Engine, Increment, Usage
from agent.settings import load_settings
from agent.starting import start_workspace
from agent.workspace import Workspace
from tests.recording import Recording

GOLD = Path(__file__).parents[1] / "gold" / "example"
GOLDEN = Path(__file__).parents[1] / "golden" / "example" / "digest.md"
SMALL = ("extract_increment@2", "extract_increment_zh@1", "find_increments@2")
FULL = ("extract_increment@2", "extract_increment_zh@1", "place_increment@2", "place_increment_zh@1")
TWO_NOTES = ("inbox/tom/2026-09-14-0840-paper-radar.md", "inbox/stephen/2026-09-14_news-roundup.md")
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


def _digest(folder: Path, model: RememberingModel, *, engine: Engine = "local") -> Outcomes:
    settings = load_settings(folder, flags={"state": folder / ".state"})
    workspace = Workspace.open(folder, settings=settings)
    planned = plan(workspace, Order(topic=None, date=dt.date(2026, 9, 14), days=2))
    return make_digest(workspace, settings, planned, engine=engine, model=model, progress=Silent())


def _estimate(folder: Path) -> Estimate:
    """What a dry run says before anything was paid."""
    settings = load_settings(folder, flags={"state": folder / ".state"})
    workspace = Workspace.open(folder, settings=settings)
    planned = plan(workspace, Order(topic=None, date=dt.date(2026, 9, 14), days=2))
    model = EstimatingModel(name=NAME, endpoint="local:recorded", memory=MemoryStore())
    return estimate(workspace, settings, planned, engine="local", model=model)


def _lines(note: str, folder: Path, increment: Increment) -> set[int]:
    text = (folder / note).read_text(encoding="utf-8")
    return {text.count("\n", 0, one.start) + 1 for one in increment.evidence if one.note == note}


def _tokens(usage: Usage) -> int:
    return usage.prompt_tokens + usage.completion_tokens


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
    cassette.rests_on(*SMALL)
    folder = tmp_path / "demo"
    start_workspace(folder, with_example=True)
    estimated = _estimate(folder)
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

    spent, foreseen = outcomes.digest.usage, estimated.usage
    assert spent.calls == pytest.approx(foreseen.calls + estimated.calls_remembered, rel=0.1)
    assert spent.prompt_tokens == pytest.approx(foreseen.prompt_tokens, rel=0.2)
    assert spent.completion_tokens == pytest.approx(foreseen.completion_tokens, rel=0.2)
    assert _tokens(spent) == pytest.approx(_tokens(foreseen), rel=0.2)
    assert spent == sum((one.usage for one in outcomes.digest.checked), start=Usage())

    second = RememberingModel(
        lambda: pytest.fail("started"), name=NAME, endpoint="local:recorded", memory=memory, budget=Budget(None)
    )
    assert markdown == render_markdown(_digest(folder, second).digest)

    if cassette.is_recording or pytestconfig.getoption("--rewrite-golden"):
        GOLDEN.parent.mkdir(parents=True, exist_ok=True)
        GOLDEN.write_text(markdown, encoding="utf-8")
    assert GOLDEN.read_text(encoding="utf-8") == markdown


def test_a_model_at_an_endpoint_is_asked_to_tell_and_to_place(cassette: Recording, tmp_path: Path) -> None:
    """What only a remote engine is asked for: summary, reason, section, line and relation, in the language of the note."""
    cassette.rests_on(*FULL)
    folder = tmp_path / "demo"
    start_workspace(folder, with_example=True)
    for path in (folder / "inbox").rglob("*.md"):
        if path.relative_to(folder).as_posix() not in TWO_NOTES:
            path.unlink()
    model = RememberingModel(
        lambda: _ask(cassette), name=NAME, endpoint="local:recorded", memory=MemoryStore(), budget=Budget(None)
    )

    with contextlib.closing(model):
        found = _digest(folder, model, engine="remote").digest

    texts = {note: (folder / note).read_text(encoding="utf-8") for note in TWO_NOTES}
    known = {path.name: path.read_text(encoding="utf-8") for path in (folder / "organized" / "knowledge").glob("*.md")}
    assert 4 == len(found.increments)
    for one in found.increments:
        said = "\n".join(texts[note] for note in one.notes)
        assert () == unsupported(one.summary, by=said)
        assert () == unsupported(one.credibility.reason, by=said)
        assert one.placements
        assert all(known[place.document].find(place.heading or "") >= 0 for place in one.placements)
        assert all(
            known[line.document].split("\n")[line.line - 1].strip().startswith(line.quote) for line in one.standing
        )
    assert found.usage.calls >= 2 * len(found.increments)

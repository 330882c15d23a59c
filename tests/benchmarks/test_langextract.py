"""Our extraction beside langextract's: same model, same server, same notes, one run; printed with `-s`.

langextract lives in an environment of its own, as its dependencies and ours exclude each other:

    uv venv .venv/bench && uv pip install --python .venv/bench --group bench
    python -m pytest -m bench -n 0 -s tests/benchmarks

It reads first, then we do, with an empty memory. Calls and tokens are counted between client and server, seconds around
the reading of each note, start-up left out. `scoring` tells how answers are held against gold; `langextract_side` how
langextract is set up.
"""

import contextlib
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent.asking.budget import Budget
from agent.asking.local import LocalServer
from agent.asking.model import OpenAIModel
from agent.asking.remembering import RememberingModel
from agent.asking.testing import MemoryStore
from agent.asking.transport import Endpoint
from agent.asking.weights import find_weights, has_local
from agent.pipeline import extract_note
from agent.settings import Settings, load_settings
from agent.workspace import Workspace
from tests.benchmarks.counting import CountingProxy, Tally
from tests.benchmarks.scoring import Gold, Score, Span, read_gold, score
from tests.conftest import CACHE, LOCAL_MODEL

ROOT = Path(__file__).parents[2]
EXAMPLE_GOLD, EXAMPLE = ROOT / "tests" / "gold" / "example", ROOT / "agent" / "example"
# Two in Chinese, two in English, and an essay whose findings nothing bounds.
EXAMPLE_NOTES = (
    "inbox/tom/2026-09-14-0840-paper-radar.md",
    "inbox/tom/2026-09-14-inference-e1prep.md",
    "inbox/flyp/2026-09-14-0950-adaptive-draft-critical-read.md",
    "inbox/stephen/2026-09-14_news-roundup.md",
    "inbox/flyp/2026-09-13-2140-agent-memory-essay.md",
)
SIDE = Path(__file__).with_name("langextract_side.py")
PYTHON = ROOT / ".venv" / "bench" / "bin" / "python"
INSTALL = "uv venv .venv/bench && uv pip install --python .venv/bench --group bench"
MOST_OUTPUT, MOST_SECONDS = 0.3, 0.5  # of langextract's
_CHINESE = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Task:
    """One note to read; `gold` is its answer."""

    gold: Gold
    text: str

    @property
    def language(self) -> str:
        return "zh" if 8 * len(_CHINESE.findall(self.text)) > len(self.text) else "en"


@dataclass(frozen=True, slots=True)
class Reading:
    """What one side made of one note."""

    predictions: tuple[tuple[Span, ...], ...]
    seconds: float
    error: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """What one side made of all notes, and what that took."""

    readings: tuple[Reading, ...]
    tally: Tally
    scores: tuple[Score, ...]

    @property
    def score(self) -> Score:
        return sum(self.scores, Score())

    @property
    def seconds(self) -> float:
        return sum(each.seconds for each in self.readings)


@pytest.fixture
def settings(pytestconfig: pytest.Config, tmp_path: Path) -> Settings:
    folder = pytestconfig.getoption("--workspace", None) or EXAMPLE
    return load_settings(folder, flags={"state": tmp_path})


@pytest.fixture
def workspace(pytestconfig: pytest.Config, settings: Settings) -> Workspace:
    return Workspace.open(pytestconfig.getoption("--workspace", None) or EXAMPLE, settings=settings)


@pytest.fixture
def tasks(pytestconfig: pytest.Config, workspace: Workspace) -> list[Task]:
    folder = pytestconfig.getoption("--gold", None)
    golds = read_gold(folder or EXAMPLE_GOLD)
    if folder is None:
        golds = sorted(
            (one for one in golds if one.note in EXAMPLE_NOTES), key=lambda one: EXAMPLE_NOTES.index(one.note)
        )
    chosen = golds[: pytestconfig.getoption("--notes", None)]
    assert chosen, f"no gold answers in {folder or EXAMPLE_GOLD}"
    return [Task(gold, workspace.read_note(workspace.find(gold.note)).text) for gold in chosen]


@pytest.fixture
def python(pytestconfig: pytest.Config) -> Path:
    """The Python that has langextract."""
    path = pytestconfig.getoption("--langextract", None) or PYTHON
    if not path.is_file():
        pytest.skip(f"langextract is not installed in {path}: run {INSTALL}")
    tried = subprocess.run(
        [path, "-I", "-c", "import langextract, openai"], capture_output=True, text=True, check=False
    )
    if tried.returncode:
        pytest.skip(f"langextract cannot be used in {path} ({tried.stderr.strip().splitlines()[-1:]}): run {INSTALL}")
    return Path(path)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    named, cache = Path(LOCAL_MODEL) if LOCAL_MODEL else None, Path(CACHE) / "relay-digest"
    if not has_local(named, cache):
        pytest.skip(
            "no local model is installed: it comes with the extra `local`, or AGENT_LOCAL_MODEL names a GGUF file"
        )
    with LocalServer(find_weights(named, cache), state_folder=tmp_path) as server:
        yield server


def _theirs(python: Path, tasks: Sequence[Task], *, endpoint: Endpoint, model: str, result: Path) -> list[Reading]:
    order = {
        "base_url": endpoint.base_url,
        "api_key": endpoint.api_key,
        "model": model,
        "notes": [{"text": task.text, "language": task.language} for task in tasks],
    }
    command = [
        str(python),
        "-I",
        "-W",
        "ignore::UserWarning",
        str(SIDE),
        str(result),
    ]  # it warns of what it does by default
    subprocess.run(command, input=json.dumps(order), text=True, check=True)
    read: list[dict[str, Any]] = json.loads(result.read_text(encoding="utf-8"))
    return [
        Reading(
            predictions=tuple(((span[0], span[1]),) if span else () for span in one["spans"]),
            seconds=one["seconds"],
            error=one["error"] or "",
        )
        for one in read
    ]


def _ours(
    workspace: Workspace, settings: Settings, tasks: Sequence[Task], *, endpoint: Endpoint, name: str
) -> list[Reading]:
    model = RememberingModel(
        lambda: OpenAIModel(name, endpoint=endpoint, deadline_seconds=settings.deadline_seconds),
        name=name,
        endpoint=endpoint.name,
        memory=MemoryStore(),
        budget=Budget(None),
    )
    readings = []
    with contextlib.closing(model):
        for number, task in enumerate(tasks, 1):
            begin = time.perf_counter()
            extraction = extract_note(workspace, settings, task.gold.note, engine="local", model=model)
            seconds = time.perf_counter() - begin
            found = extraction.increments
            spans = tuple(tuple((e.start, e.end) for e in one.evidence if e.note == task.gold.note) for one in found)
            failed = "; ".join(each.detail for each in extraction.segments_failed)
            readings.append(Reading(spans, seconds, failed))
            said = f"{len(found)} increments{', failed: ' + failed if failed else ''}"
            print(f"relay digest, note {number} of {len(tasks)}: {said}, {seconds:.0f} s", file=sys.stderr)  # noqa: T201 - it takes minutes
    return readings


def _side(tasks: Sequence[Task], readings: Sequence[Reading], tally: Tally) -> Side:
    pairs = zip(tasks, readings, strict=True)
    scores = tuple(score(task.text, task.gold, reading.predictions) for task, reading in pairs)
    return Side(tuple(readings), tally, scores)


def _table(tasks: Sequence[Task], theirs: Side, ours: Side) -> Iterable[str]:
    yield f"\n{'note':44} {'gold':>4}   {'langextract':>24}   {'relay digest':>24}"
    for number, task in enumerate(tasks):
        cells = (
            f"{one.found} found of {one.predicted}, {side.readings[number].seconds:5.1f} s"
            for side in (theirs, ours)
            for one in (side.scores[number],)
        )
        yield f"{task.gold.note[-44:]:44} {len(task.gold.ranges):4}   " + "   ".join(f"{cell:>24}" for cell in cells)
    yield f"\n{'all notes':20} {'langextract':>12} {'relay digest':>12} {'ratio':>7}   goal"
    for what, before, now, goal in _rows(theirs, ours):
        ratio = f"{now / before:7.2f}" if before else f"{'-':>7}"
        cells = (f"{one:12,d}" if isinstance(one, int) else f"{one:12.2f}" for one in (before, now))
        yield f"{what:20} {' '.join(cells)} {ratio}   {goal}"


def _rows(theirs: Side, ours: Side) -> Iterable[tuple[str, float, float, str]]:
    was, now = theirs.score, ours.score
    yield "gold increments", was.gold, now.gold, ""
    yield "predictions", was.predicted, now.predicted, ""
    yield "found", was.found, now.found, ""
    yield "split", was.splits, now.splits, ""
    yield "in none", was.false, now.false, ""
    yield "of these unaligned", was.unplaced, now.unplaced, ""
    yield "recall", was.recall, now.recall, "at least theirs"
    yield "precision", was.precision, now.precision, "at least theirs"
    yield "calls", theirs.tally.calls, ours.tally.calls, ""
    yield "refused calls", theirs.tally.refused, ours.tally.refused, ""
    yield "prompt tokens", theirs.tally.prompt_tokens, ours.tally.prompt_tokens, ""
    yield "of these cached", theirs.tally.cached_tokens, ours.tally.cached_tokens, ""
    yield "output tokens", theirs.tally.output_tokens, ours.tally.output_tokens, f"at most {MOST_OUTPUT}"
    yield "seconds", theirs.seconds, ours.seconds, f"at most {MOST_SECONDS}"


@pytest.mark.bench
def test_we_find_at_least_what_langextract_finds_for_a_third_of_its_tokens_in_half_its_time(
    python: Path, tasks: list[Task], workspace: Workspace, settings: Settings, server: LocalServer, tmp_path: Path
) -> None:
    with CountingProxy(server.base_url) as proxy:
        endpoint = Endpoint(base_url=proxy.base_url, api_key=server.api_key, identity=server.identity)
        read = _theirs(python, tasks, endpoint=endpoint, model=server.model, result=tmp_path / "langextract.json")
        theirs = _side(tasks, read, proxy.take())
        ours = _side(tasks, _ours(workspace, settings, tasks, endpoint=endpoint, name=server.model), proxy.take())

    print("\n".join(_table(tasks, theirs, ours)))  # noqa: T201 - the figures are asked for
    assert [0, 0] == [side.tally.unmetered for side in (theirs, ours)]
    assert [] == [each.error for each in theirs.readings if each.error], (
        "langextract was hindered: nothing to compare with"
    )
    reached = {
        "recall": ours.score.recall >= theirs.score.recall,
        "precision": ours.score.precision >= theirs.score.precision,
        "output tokens": ours.tally.output_tokens <= MOST_OUTPUT * theirs.tally.output_tokens,
        "seconds": ours.seconds <= MOST_SECONDS * theirs.seconds,
    }
    assert [] == [what for what, is_reached in reached.items() if not is_reached]

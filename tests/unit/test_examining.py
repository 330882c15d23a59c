"""The story of an evaluation: gold answers from disk, notes read one after the other, scores, and what fails on the way."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent import examining, pipeline
from agent.asking.budget import Budget
from agent.asking.remembering import RememberingModel
from agent.asking.testing import MemoryStore, ScriptedModel
from agent.errors import BudgetExceeded, GoldError, ModelRefusedAccess, ReplyInvalid
from agent.evaluating.evaluation import Evaluation
from agent.examining import examine, read_golds, read_run, unread
from agent.records import CheckedNote, Usage
from agent.settings import Settings
from agent.workspace import Workspace
from tests.answers import an_extraction

NOTE = """\
# 工程过滤

## 增量 1：vLLM v0.31.0 发布

- 单卡解码吞吐 4,120 tok/s，可信度 ⭐⭐⭐
- 来源：官方发布说明

## 增量 2：SGLang 新调度器

- P99 延迟 41.5 ms
"""
GOLD = """\
note: inbox/{agent}/2026-09-14-radar.md
agent: {agent}
date: 2026-09-14
increments:
  - {{id: {agent}-1, lines: [3, 6], key: v0.31.0}}
  - {{id: {agent}-2, lines: [8, 10], key: SGLang}}
arxiv_all: []
"""
PAIR = "notes: [tom.yaml, jay.yaml]\nsame: [[tom-1, jay-1]]\n"


class Watching:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def begin(self, notes: int) -> None:
        self.told.append(f"{notes} notes")

    def started(self, path: str) -> None:
        self.told.append(path)

    def finished(self, checked: CheckedNote) -> None:
        self.told.append(checked.outcome)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with one note of each of two agents, and gold answers for both."""
    for agent in ("tom", "jay"):
        (tmp_path / "inbox" / agent).mkdir(parents=True)
        (tmp_path / "inbox" / agent / "2026-09-14-radar.md").write_text(NOTE, encoding="utf-8")
    gold = tmp_path / "gold"
    gold.mkdir()
    for agent in ("tom", "jay"):
        (gold / f"{agent}.yaml").write_text(GOLD.format(agent=agent), encoding="utf-8")
    (gold / "pair-both.yaml").write_text(PAIR, encoding="utf-8")
    return tmp_path


def _examined(
    folder: Path, *, script: Callable[[Any], Any] | None = None, memory: MemoryStore | None = None, gold: str = "gold"
) -> Evaluation:
    workspace = Workspace.open(folder, settings=Settings())
    model = None
    if script is not None:
        asked = ScriptedModel(script)
        model = RememberingModel(
            lambda: asked, name="scripted", endpoint="here", memory=memory or MemoryStore(), budget=Budget(None)
        )
    return examine(
        workspace,
        Settings(),
        read_golds(folder / gold),
        engine="remote" if model else "none",
        model=model,
        progress=Watching(),
    )


# The story.


def test_every_note_with_gold_answers_is_read_and_scored(folder):
    evaluation = _examined(folder)

    assert ["jay.yaml", "tom.yaml"] == [one.gold for one in evaluation.notes]
    assert {"extracted"} == {one.outcome for one in evaluation.notes}
    assert [()] * 2 == [one.missed for one in evaluation.notes]
    assert 4 == evaluation.totals[0].figures["increments_recall"].part
    assert (1.0, 1) == (
        evaluation.pairs[0].figures["digest_recall"].value,
        evaluation.pairs[0].figures["merged_same"].whole,
    )
    assert ((), ()) == (unread(evaluation), evaluation.remarks)
    assert ("none", None, 0) == (evaluation.engine, evaluation.model, evaluation.remembered)


def test_the_run_can_be_read_again(folder, tmp_path):
    evaluation = _examined(folder)
    (tmp_path / "run.json").write_text(evaluation.model_dump_json(by_alias=True), encoding="utf-8")

    assert evaluation == read_run(tmp_path / "run.json")


def test_the_seconds_of_each_note_are_its_own(folder, monkeypatch):
    clock: Iterator[float] = itertools.accumulate([0.0, 1.5, 10.0, 2.5])
    monkeypatch.setattr(examining, "monotonic", lambda: next(clock))

    assert [1.5, 2.5] == [one.figures["seconds"].part for one in _examined(folder).notes]


def test_whoever_watches_is_told_note_by_note(folder):
    watching = Watching()
    workspace = Workspace.open(folder, settings=Settings())

    examine(workspace, Settings(), read_golds(folder / "gold/tom.yaml"), engine="none", model=None, progress=watching)

    assert ["1 notes", "inbox/tom/2026-09-14-radar.md", "extracted"] == watching.told


def test_a_note_that_cannot_be_read_is_named_and_counts_as_not_found(folder):
    (folder / "inbox/jay/2026-09-14-radar.md").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe")
    (folder / "inbox/tom/2026-09-14-radar.md").unlink()

    evaluation = _examined(folder)

    assert ["not_text", "gone"] == [one.outcome for one in unread(evaluation)]
    assert all("2026-09-14-radar.md" in one.detail for one in evaluation.notes)
    assert (0, 4) == (evaluation.totals[0].figures["f1"].part, evaluation.totals[0].figures["f1"].whole)
    assert [("all", 2)] == [(one.group, one.notes) for one in evaluation.totals]  # of no language
    assert 0.0 == evaluation.pairs[0].figures["digest_recall"].value


def test_a_note_of_the_workspace_is_meant_wherever_the_program_runs(folder, tmp_path_factory, monkeypatch):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "inbox/tom").mkdir(parents=True)
    (elsewhere / "inbox/tom/2026-09-14-radar.md").write_text("nothing", encoding="utf-8")
    monkeypatch.chdir(elsewhere)

    assert ["extracted", "extracted"] == [one.outcome for one in _examined(folder).notes]


def test_an_empty_note_without_increments_is_kept_empty(folder):
    (folder / "inbox/tom/2026-09-14-radar.md").write_text("", encoding="utf-8")
    empty = "note: inbox/tom/2026-09-14-radar.md\nagent: tom\ndate: 2026-09-14\nincrements: []\narxiv_all: []\n"
    (folder / "gold/tom.yaml").write_text(empty, encoding="utf-8")

    evaluation = _examined(folder, gold="gold/tom.yaml")

    assert ("empty", ()) == (evaluation.notes[0].outcome, unread(evaluation))
    assert (1, 1) == (
        evaluation.notes[0].figures["notes_without_increments_kept_empty"].part,
        evaluation.notes[0].figures["notes_scored"].part,
    )


def test_gold_answers_that_no_longer_fit_their_note_are_remarked(folder):
    changed = GOLD.format(agent="tom").replace("v0.31.0", "v0.32.0").replace("[8, 10]", "[8, 99]")
    (folder / "gold/tom.yaml").write_text(changed, encoding="utf-8")

    assert (
        "tom.yaml: 'tom-1' has the key 'v0.32.0', which does not stand in its lines.",
        "tom.yaml: 'tom-2' ends in line 99, and the note has 11.",
    ) == _examined(folder).remarks


# With a model.


def _refuse(request):
    raise ModelRefusedAccess("The key is wrong.")


def _lose(request):
    raise ReplyInvalid("It does not fit.")


def test_an_engine_that_cannot_be_reached_ends_the_run(folder):
    with pytest.raises(ModelRefusedAccess):
        _examined(folder, script=_refuse)


def test_what_ends_the_run_later_leaves_the_rest_untried(folder, monkeypatch):
    usage = Usage(calls=1, prompt_tokens=500, completion_tokens=50)

    def spend(note, setup):
        if note.agent == "tom":
            raise BudgetExceeded("The budget is spent.")
        return an_extraction(note=note.path, agent="jay", prompts={"find_increments": "1"}, usage=usage)

    monkeypatch.setattr(pipeline, "extract", spend)

    evaluation = _examined(folder, script=_lose)

    assert ["nothing_new", "not_tried"] == [one.outcome for one in evaluation.notes]
    assert ["The budget is spent."] == [one.detail for one in unread(evaluation)]
    assert (usage, {"find_increments": "1"}) == (evaluation.usage, evaluation.prompts)
    assert (1, 500, 50) == tuple(
        evaluation.totals[0].figures[name].part for name in ("calls", "prompt_tokens", "completion_tokens")
    )


def test_lost_calls_are_counted_and_the_note_is_named(folder):
    evaluation = _examined(folder, script=_lose)

    assert {"partly_failed"} == {one.outcome for one in unread(evaluation)}
    assert 4 <= evaluation.totals[0].figures["segments_failed"].part
    assert 4 == evaluation.totals[0].figures["increments_recall"].part  # plain code bounds them
    assert 0.0 == evaluation.totals[0].figures["notes_scored"].value


# Gold answers from disk.


def test_a_pair_alone_brings_its_notes_along(folder):
    golds = read_golds(folder / "gold/pair-both.yaml")

    assert (["jay.yaml", "tom.yaml"], ["pair-both.yaml"]) == (
        [one.name for one in golds.notes],
        [one.name for one in golds.pairs],
    )


def test_a_note_alone_leaves_its_neighbours(folder):
    golds = read_golds(folder / "gold/tom.yaml")

    assert (["tom.yaml"], ()) == ([one.name for one in golds.notes], golds.pairs)


def test_other_files_of_the_folder_are_left_alone(folder):
    (folder / "gold/README.md").write_text("About.", encoding="utf-8")
    (folder / "gold/.draft.yaml").write_text("[", encoding="utf-8")

    assert 2 == len(read_golds(folder / "gold").notes)


def _replace(folder: Path, name: str, text: str | bytes | None) -> None:
    path = folder / "gold" / name
    path.unlink(missing_ok=True)
    if text is not None:
        path.write_bytes(text.encode() if isinstance(text, str) else text)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("tom.yaml", None, "'pair-both.yaml' lists 'tom.yaml', which is not beside it"),
        ("tom.yaml", GOLD.format(agent="jay"), "'jay.yaml' and 'tom.yaml' are both about 'inbox/jay/2026-09-14-radar.md'"),
        ("tom.yaml", GOLD.format(agent="tom").replace("lines", "ligns"), "'tom.yaml' line 5"),
        ("tom.yaml", b"\xff\xfe", "is not UTF-8"),
        ("tom.yaml", "#" * 1_000_001, "more than the 1,000,000"),
        ("pair-both.yaml", PAIR.replace("jay-1", "jay-9"), "'jay-9'"),
    ],
)  # fmt: skip
def test_gold_answers_that_make_no_sense_are_refused_before_anything_is_read(folder, name, text, says):
    _replace(folder, name, text)

    with pytest.raises(GoldError) as raised:
        read_golds(folder / "gold")

    assert says in str(raised.value)


def test_a_place_without_gold_answers_is_refused(folder, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "link.yaml").symlink_to(folder / "gold/tom.yaml")

    for place, says in (
        ("nowhere.yaml", "There is no file"),
        ("nowhere/tom.yaml", "There is no file"),
        ("empty", "holds no gold answers"),
        ("link.yaml", "is a link"),
        ("gold\0", "is no path"),
    ):
        with pytest.raises(GoldError, match=says):
            read_golds(tmp_path / place)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"engine": "none"}', "\x00"])
def test_what_is_no_run_is_refused(tmp_path, text):
    (tmp_path / "run.json").write_text(text, encoding="utf-8")

    with pytest.raises(GoldError, match="is no run of this version"):
        read_run(tmp_path / "run.json")

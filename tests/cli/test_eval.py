"""`agent eval` scores an engine on gold answers, shows tables or JSON, and its exit status says whether that is enough."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from agent.asking.budget import Budget
from agent.asking.remembering import RememberingModel
from agent.asking.testing import MemoryStore, ScriptedModel
from agent.errors import OutputUnwritable, ReplyInvalid
from agent.evaluating.evaluation import Evaluation
from agent.running import _keep_gold
from agent.store import DATABASE, Store
from tests.cli.conftest import Run

GOLD = Path(__file__).parents[1] / "gold" / "example"
NEWS = GOLD / "2026-09-14_news-roundup.yaml"
NONE = ("--engine", "none")


def test_tables_go_to_standard_output_at_80_columns(run: Run, example: Path) -> None:
    ran = run("eval", GOLD, "-w", example, *NONE)

    lines = ran.out.splitlines()
    assert 0 == ran.status
    assert 80 >= max(map(len, lines))
    assert "Notes" == lines[0].strip()
    assert {"f1", "notes_without_increments_kept_empty", "false_evidence", "merged_same"} <= set(_totals(lines))
    assert ["0"] * 3 == _totals(lines)["false_evidence"]  # of all notes, of Chinese and of English ones
    assert "Engine none" in ran.err


def _totals(lines: list[str]) -> dict[str, list[str]]:
    start = next(number for number, line in enumerate(lines) if line.startswith("All notes"))
    return {line.split()[0]: line.split()[1:] for line in lines[start + 2 :]}


def test_json_is_a_run_that_another_run_can_be_compared_with(run: Run, example: Path, tmp_path: Path) -> None:
    written = tmp_path / "run.json"

    first = run("eval", NEWS, "-w", example, *NONE, "-o", written)
    note = example / json.loads(written.read_text(encoding="utf-8"))["notes"][0]["note"]
    second = run("eval", NEWS, "-w", example, *NONE, "--compare", written, "--format", "json")
    note.write_text("# 没有增量\n\n今天没有新东西。\n", encoding="utf-8")
    third = run("eval", NEWS, "-w", example, *NONE, "--compare", written)

    assert (0, 0, 0) == (first.status, second.status, third.status)
    assert "Notes" == first.out.splitlines()[0].strip()  # the table is shown as well
    compared = Evaluation.model_validate_json(second.out).comparison
    assert compared is not None
    assert ((), ()) == (compared.notes, compared.remarks)
    assert f"Not compared, for they are new, gone or changed since: {NEWS.name}." in third.err


def test_json_in_a_file_leaves_standard_output_empty(run: Run, example: Path, tmp_path: Path) -> None:
    ran = run("eval", NEWS, "-w", example, *NONE, "-o", tmp_path / "run.json", "--format", "json")

    assert (0, "") == (ran.status, ran.out)
    assert "none" == json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["engine"]


def test_a_figure_that_falls_short_is_named_and_changes_the_status(run: Run, example: Path) -> None:
    kept = run("eval", NEWS, "-w", example, *NONE, "--max", "false_evidence=0", "--min", "increments_recall=0")
    short = run("eval", NEWS, "-w", example, *NONE, "--max", "calls=-1", "--min", "merged_same=0")

    assert (0, 1) == (kept.status, short.status)
    assert "merged_same must be at least 0, and the gold answers hold nothing to measure it by." in short.err
    assert "calls must be at most -1, and is 0." in short.err


def test_a_note_that_fails_is_named_and_the_others_are_scored(run: Run, example: Path) -> None:
    lost = "inbox/tom/2026-09-14-inference-e1prep.md"
    (example / lost).unlink()

    ran = run("eval", GOLD, "-w", example, *NONE, "--format", "json")

    outcomes = {one["note"]: one["outcome"] for one in json.loads(ran.out)["notes"]}
    assert (1, 10) == (ran.status, len(outcomes))
    assert [lost] == [note for note, outcome in outcomes.items() if outcome == "gone"]
    assert f"{lost}: gone." in ran.err


def test_texts_of_gold_answers_and_runs_cannot_steer_the_terminal(run: Run, example: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.yaml"
    gold.write_text(
        'note: "inbox/tom/\\e[31m[bold]x.md"\nagent: tom\ndate: 2026-09-14\nincrements: []\narxiv_all: []\n', "utf-8"
    )

    ran = run("eval", gold, "-w", example, *NONE)

    assert 1 == ran.status
    assert "\x1b" not in ran.out + ran.err
    assert "[bold]x.md" in ran.err


# With a model.


@pytest.fixture
def memories(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Let engine remote be a model that loses every call; returns the memories that it was opened with."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789abcdef")
    opened: list[Any] = []

    def lose(request: Any) -> Any:
        raise ReplyInvalid("It does not fit.")

    @contextmanager
    def opening(*_: object, memory: Any, watcher: Any) -> Iterator[RememberingModel]:
        opened.append(memory)
        yield RememberingModel(
            lambda: ScriptedModel(lose), name="scripted", endpoint="here", memory=memory, budget=Budget(None)
        )

    monkeypatch.setattr("agent.opening.opened", opening)
    return opened


def test_replies_come_from_the_store_unless_they_are_to_be_fresh(
    run: Run, example: Path, tmp_path: Path, memories: list[Any]
) -> None:
    fresh = run("eval", NEWS, "-w", example, "--fresh", "--state", tmp_path / "fresh")
    stored = run("eval", NEWS, "-w", example, "--state", tmp_path / "stored")

    assert (1, 1) == (fresh.status, stored.status)  # every call was lost
    assert [MemoryStore, Store] == [type(memory) for memory in memories]
    assert (False, True) == ((tmp_path / "fresh" / DATABASE).exists(), (tmp_path / "stored" / DATABASE).exists())
    assert "partly_failed" in stored.err


@pytest.mark.parametrize(
    ("status", "arguments", "says"),
    [
        (2, ("nowhere.yaml", "-w", "{demo}", *NONE), "There is no file 'nowhere.yaml'"),
        (2, ("{demo}/inbox", "-w", "{demo}", *NONE), "holds no gold answers"),
        (2, ("{gold}", "-w", "nowhere", *NONE), "'nowhere'"),
        (2, ("{gold}", "-w", "{demo}", *NONE, "--min", "f2=1"), "there is no figure 'f2' (near: 'f1'"),
        (2, ("{gold}", "-w", "{demo}", *NONE, "--max", "f1"), "write it like f1=0.85"),
        (2, ("{gold}", "-w", "{demo}", *NONE, "--compare", "{gold}"), "no run of this version of agent eval"),
        (2, ("{gold}", "-w", "{demo}", *NONE, "--compare", "nowhere.json"), "There is no file 'nowhere.json'"),
        (2, ("{gold}", "-w", "{demo}", *NONE, "--format", "md"), "md"),
        (2, ("-w", "{demo}"), "Missing argument"),
        (3, ("{gold}", "-w", "{demo}", "--engine", "remote"), "OPENAI_API_KEY"),
        (3, ("{gold}", "-w", "{demo}", *NONE, "-o", "{demo}/inbox/x.json"), "lies in 'inbox'"),
    ],
)
def test_wrong_use_is_one_sentence_and_a_status(
    run: Run, example: Path, status: int, arguments: tuple[str, ...], says: str
) -> None:
    ran = run("eval", *(argument.format(demo=example, gold=NEWS) for argument in arguments))

    shown = " ".join(ran.err.split()).replace("│ ", "").replace(" │", "")
    assert (status, "") == (ran.status, ran.out)
    assert says in shown
    assert "Traceback" not in ran.err


def test_a_run_is_never_written_over_the_gold_answers(tmp_path):
    gold = tmp_path / "gold"
    gold.mkdir()
    answer = gold / "a.yaml"
    answer.write_text("x", encoding="utf-8")

    for target in (answer, gold / "new.yaml"):
        with pytest.raises(OutputUnwritable, match="gold answers"):
            _keep_gold(gold, target)
    with pytest.raises(OutputUnwritable, match="gold answers"):
        _keep_gold(answer, answer)
    _keep_gold(gold, tmp_path / "run.json")

"""What a person sees of a run."""

from typing import Any

from agent.evaluating.evaluation import Comparison, Evaluation, FigureChange, NoteChange, NoteScore, totals_of
from agent.evaluating.figures import count, spent
from agent.evaluating.scoring import score_failure
from agent.evaluating.tables import Table, tables_of
from agent.records import Usage
from tests.answers import gold_of

GOLD = gold_of({"id": "a", "lines": [3, 6], "stars": 4}, to_verify=[{"id": "w", "lines": [8, 9]}])


def _note(**changes: Any) -> NoteScore:
    figures = score_failure(GOLD) | spent(Usage(calls=2, prompt_tokens=1200, completion_tokens=34), seconds=2.345)
    base = {"note": "inbox/tom/a.md", "gold": "a.yaml", "note_sha256": "n", "gold_sha256": "g"}
    more = {"language": "zh", "outcome": "extracted", "figures": figures}
    return NoteScore.model_validate({**base, **more, **changes})


def _tables(*notes: NoteScore, comparison: Comparison | None = None) -> dict[str, Table]:
    run = Evaluation(
        engine="none",
        model=None,
        language="zh",
        prompts={},
        notes=notes,
        pairs=(),
        totals=totals_of(notes, ()),
        usage=Usage(),
        remembered=0,
        comparison=comparison,
    )
    return {table.title: table for table in tables_of(run)}


def test_each_note_has_a_row_with_parts_and_wholes():
    (row,) = _tables(_note())["Notes"].rows

    assert ("tom/a", "0/1", "0", "0", "0/1", "0/1", "0/1", "0/1", "0", "1,234", "2.3") == row


def test_a_note_that_failed_says_so():
    assert "tom/a (unreadable)" == _tables(_note(outcome="unreadable"))["Notes"].rows[0][0]


def test_totals_are_by_language_where_there_are_two():
    alone = _tables(_note())["All notes"]
    both = _tables(_note(), _note(language="en"))["All notes"]

    assert ("figure", "all (1)") == alone.columns
    assert (("figure", "all (2)", "zh (1)", "en (1)"), ("all (2)", "zh (1)", "en (1)")) == (both.columns, both.figures)
    rows = {name: cells for name, *cells in both.rows}
    assert ["0.000 0/2", "0.000 0/1", "0.000 0/1"] == rows["f1"]
    assert ["–"] * 3 == rows["arxiv_recall"]  # nothing to find
    assert ["2,400", "1,200", "1,200"] == rows["prompt_tokens"]
    assert "merged_same" not in rows


def test_a_comparison_shows_what_changed_and_nothing_else():
    changes = (
        FigureChange(figure="f1", before=0.75, after=0.5, is_worse=True),
        FigureChange(figure="zh.f1", before=0.5, after=0.75, is_worse=False),
        FigureChange(figure="split", before=2, after=2, is_worse=False),
        FigureChange(figure="stars_exact", before=None, after=1, is_worse=False),
        FigureChange(figure="digest_increments", before=4, after=5, is_worse=False),
        FigureChange(figure="prompt_tokens", before=12000, after=10500, is_worse=False),
    )
    note = NoteChange(note="inbox/tom/a.md", outcomes=("extracted", "failed"), changes=changes[:1])
    compared = Comparison(engine="local", model="small", figures=changes, notes=(note,))

    tables = _tables(_note(), comparison=compared)

    assert (
        ("f1", "0.75", "0.5", "−0.25 worse"),
        ("zh.f1", "0.5", "0.75", "+0.25 better"),
        ("stars_exact", "–", "1", "–"),
        ("digest_increments", "4", "5", "+1"),
        ("prompt_tokens", "12,000", "10,500", "−1,500 better"),
    ) == tables["Against the earlier run (local, small)"].rows
    assert (
        ("inbox/tom/a.md", "outcome", "extracted", "failed"),
        ("inbox/tom/a.md", "f1", "0.75", "0.5"),
    ) == tables["Read differently"].rows


def test_a_comparison_without_a_change_has_no_table():
    same = Comparison(engine="none", model=None, figures=(), notes=())

    assert ["Notes", "All notes"] == list(
        _tables(_note(figures=_note().figures | {"split": count(3)}), comparison=same)
    )

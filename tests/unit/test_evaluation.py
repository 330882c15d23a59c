"""The totals of a run, over all notes and by language."""

from typing import Any

from agent.evaluating.evaluation import NoteScore, PairScore, named, totals_of
from agent.evaluating.figures import count, share


def _note(**changes: Any) -> NoteScore:
    base = {
        "note": "inbox/tom/a.md",
        "gold": "a.yaml",
        "note_sha256": "n",
        "gold_sha256": "g",
        "language": "zh",
        "outcome": "extracted",
        "figures": {"f1": share(1, 2)},
    }
    return NoteScore.model_validate({**base, **changes})


def test_totals_are_over_all_and_over_each_language_that_occurs():
    pair = PairScore(gold="pair-a.yaml", gold_sha256="p", figures={"wrongly_merged": count(1)})

    totals = totals_of([_note(), _note(figures={"f1": share(3, 3)}), _note(language=None)], [pair])

    assert [("all", 3), ("zh", 2)] == [(one.group, one.notes) for one in totals]
    assert {"f1": share(5, 7), "wrongly_merged": count(1)} == totals[0].figures
    assert {"f1": share(4, 5)} == totals[1].figures


def test_figures_are_named_by_language():
    totals = totals_of([_note(), _note(language="en")], [])

    assert {"f1", "zh.f1", "en.f1"} == set(named(totals))

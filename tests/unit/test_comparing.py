"""Two runs side by side, and what is asked of one."""

from typing import Any

import pytest

from agent.errors import SettingsError
from agent.evaluating.comparing import compare, read_limits, shortfalls
from agent.evaluating.evaluation import Evaluation, NoteScore, PairScore, totals_of
from agent.evaluating.figures import Figure, count, share
from agent.records import Usage


def _note(name: str, *, figures: dict[str, Figure], **changes: Any) -> NoteScore:
    base = {"note": f"inbox/tom/{name}.md", "gold": f"{name}.yaml", "note_sha256": "n", "gold_sha256": "g"}
    more = {"language": "zh", "outcome": "extracted", "figures": figures}
    return NoteScore.model_validate({**base, **more, **changes})


def _run(*notes: NoteScore, pairs: tuple[PairScore, ...] = (), engine: str = "none") -> Evaluation:
    return Evaluation.model_validate(
        {
            "engine": engine,
            "model": None,
            "language": "zh",
            "prompts": {},
            "notes": notes,
            "pairs": pairs,
            "totals": totals_of(notes, pairs),
            "usage": Usage(),
            "remembered": 0,
        }
    )


def _figures(found: int, *, split: int = 0, seconds: float = 1.0) -> dict[str, Figure]:
    return {"f1": share(found, 4), "split": count(split), "seconds": count(seconds), "stars_exact": share(0, 0)}


def test_figures_stand_side_by_side_and_say_what_got_worse():
    before = _run(_note("a", figures=_figures(4)), _note("b", figures=_figures(2)), engine="local")
    after = _run(_note("a", figures=_figures(3, split=1)), _note("b", figures=_figures(4, seconds=9.0)))

    compared = compare(before, after)

    overall = {
        "f1": (0.75, 0.875, False),
        "split": (0, 1, True),
        "seconds": (2.0, 10.0, True),
        "stars_exact": (None, None, False),  # nothing to measure it by
    }
    by_language = {f"zh.{name}": change for name, change in overall.items()}
    assert overall | by_language == {one.figure: (one.before, one.after, one.is_worse) for one in compared.figures}
    assert "local" == compared.engine


def test_notes_that_were_read_differently_are_named_with_what_differs():
    before = _run(_note("a", figures=_figures(4)), _note("b", figures=_figures(2)), _note("c", figures=_figures(1)))
    after = _run(
        _note("a", figures=_figures(3)),
        _note("b", figures=_figures(2, seconds=8.0)),
        _note("c", figures=_figures(1), outcome="partly_failed"),
    )

    compared = compare(before, after)

    assert [("inbox/tom/a.md", ["f1"]), ("inbox/tom/c.md", [])] == [
        (one.note, [change.figure for change in one.changes]) for one in compared.notes
    ]
    assert ("extracted", "partly_failed") == compared.notes[1].outcomes
    assert () == compared.remarks


def test_only_what_both_runs_have_unchanged_is_compared():
    pair = PairScore(gold="pair-a.yaml", gold_sha256="p", figures={"wrongly_merged": count(1)})
    before = _run(
        _note("a", figures=_figures(4)),
        _note("gone", figures=_figures(0)),
        _note("edited", figures=_figures(0)),
        _note("other", figures=_figures(0)),
        pairs=(pair,),
    )
    after = _run(
        _note("a", figures=_figures(4)),
        _note("new", figures=_figures(0)),
        _note("edited", figures=_figures(1), gold_sha256="h"),
        _note("other", figures=_figures(1), note_sha256="m"),
        pairs=(pair.model_copy(update={"gold_sha256": "q"}),),
    )

    compared = compare(before, after)

    assert (1.0, 1.0) == next((one.before, one.after) for one in compared.figures if one.figure == "f1")
    assert "wrongly_merged" not in {one.figure for one in compared.figures}
    assert (
        "Not compared, for they are new, gone or changed since: edited.yaml, gone.yaml, new.yaml, other.yaml, pair-a.yaml.",
    ) == compared.remarks


def test_a_note_that_could_not_be_read_is_compared_all_the_same():
    before = _run(_note("a", figures=_figures(4)))
    after = _run(_note("a", figures=_figures(0), note_sha256="", outcome="unreadable"))

    assert [("extracted", "unreadable")] == [one.outcomes for one in compare(before, after).notes]


def test_a_figure_that_this_version_does_not_know_is_left_out():
    odd = _run(_note("a", figures={"beauty": count(1)}))

    assert () == compare(odd, odd).figures


def test_limits_are_kept_or_named():
    run = _run(_note("a", figures=_figures(3, split=2)))

    assert () == shortfalls(run, read_limits(["f1=0.75", "zh.f1=0.7"], ["split=2"]))
    assert (
        "f1 must be at least 0.8, and is 0.75.",
        "stars_exact must be at least 0, and the gold answers hold nothing to measure it by.",
        "en.f1 must be at least 0, and the gold answers hold nothing to measure it by.",
        "zh.split must be at most 1, and is 2.",
    ) == shortfalls(run, read_limits(["f1=0.8", "stars_exact=0", "en.f1=0"], ["zh.split=1"]))


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("f2=1", "there is no figure 'f2' (near: 'f1'"),
        ("increment_recall=1", "near: 'increments_recall'"),
        ("zh.merged_same=1", "there is no figure 'zh.merged_same'"),  # a pair has no language
        ("=1", "there is no figure ''"),
        ("f1", "write it like f1=0.85"),
        ("f1=high", "write it like f1=0.85"),
        ("f1=nan", "write it like f1=0.85"),
    ],
)
def test_a_limit_that_makes_no_sense_is_refused(written, says):
    for option, given in (("--min", ([written], [])), ("--max", ([], [written]))):
        with pytest.raises(SettingsError) as raised:
            read_limits(*given)

        assert says in str(raised.value)
        assert str(raised.value).startswith(option)

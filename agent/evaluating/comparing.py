"""Holds a run over gold answers against an earlier one, and against what is asked of it.

Promises: only notes and gold answers that are the same in both runs are compared, so that a difference is one of the reading;
what was left out for that is said. What could not be measured meets no demand.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from agent.errors import SettingsError
from agent.evaluating.evaluation import (
    Comparison,
    Evaluation,
    FigureChange,
    NoteChange,
    NoteScore,
    PairScore,
    named,
    totals_of,
)
from agent.evaluating.figures import MEANINGS, NOTE_FIGURES, Figure, Figures, Meaning
from agent.evaluating.gold import near

Score = TypeVar("Score", NoteScore, PairScore)

_LANGUAGES = ("zh", "en")
_LIMITED = frozenset((*MEANINGS, *(f"{language}.{name}" for language in _LANGUAGES for name in NOTE_FIGURES)))


@dataclass(frozen=True, slots=True)
class Limit:
    """A figure that must be at least (`is_least`) or at most a value."""

    figure: str
    value: float
    is_least: bool


def read_limits(least: Iterable[str], most: Iterable[str]) -> tuple[Limit, ...]:
    """Read what is asked of a run, each as NAME=VALUE.

    Raises:
        SettingsError: there is no such figure, or the value is no number.
    """
    return (*(_limit("--min", one) for one in least), *(_limit("--max", one) for one in most))


def shortfalls(evaluation: Evaluation, limits: Iterable[Limit]) -> tuple[str, ...]:
    """Say, one sentence each, which figures are not as they must be."""
    figures = named(evaluation.totals)
    return tuple(said for limit in limits if (said := _shortfall(limit, figures.get(limit.figure))))


def compare(before: Evaluation, after: Evaluation) -> Comparison:
    """Hold a run against an earlier one."""
    notes = _common(before.notes, after.notes)
    pairs = _common(before.pairs, after.pairs)
    totals = [
        named(totals_of([two[run] for two in notes], [two[run] for two in pairs]))  # of before, then of after
        for run in (0, 1)
    ]
    return Comparison(
        engine=before.engine,
        model=before.model,
        figures=_changes(totals[0], totals[1]),
        notes=tuple(changed for two in notes if (changed := _note_change(*two))),
        remarks=_left_out(before, after, kept={*(two[1].gold for two in notes), *(two[1].gold for two in pairs)}),
    )


def meaning_of(name: str) -> Meaning:
    """Return what a figure says, by its name in limits and comparisons (`zh.f1`)."""
    return MEANINGS[name.rpartition(".")[2]]


def _limit(option: str, written: str) -> Limit:
    name, _, number = written.partition("=")
    name = name.strip()
    if name not in _LIMITED:
        raise SettingsError(f"{option} {written!r}: there is no figure {name!r}{near(name, _LIMITED)}.")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise SettingsError(f"{option} {written!r} has no number after the name: write it like {name}=0.85.")
    return Limit(name, value, is_least=option == "--min")


def _shortfall(limit: Limit, figure: Figure | None) -> str:
    demand = f"{limit.figure} must be at {'least' if limit.is_least else 'most'} {limit.value:g}"
    if figure is None or not figure.is_measured:
        return f"{demand}, and the gold answers hold nothing to measure it by."
    is_met = figure.value >= limit.value if limit.is_least else figure.value <= limit.value
    return "" if is_met else f"{demand}, and is {figure.value:g}."


def _common(before: Sequence[Score], after: Sequence[Score]) -> list[tuple[Score, Score]]:
    known = {one.gold: one for one in before}
    both = [(known[one.gold], one) for one in after if one.gold in known]
    return [(one, other) for one, other in both if _is_same(one, other)]


def _is_same(one: NoteScore | PairScore, other: NoteScore | PairScore) -> bool:
    """Whether gold answers and note are the same; a note that could not be read may be any."""
    texts = {each.note_sha256 for each in (one, other) if isinstance(each, NoteScore)} - {""}
    return one.gold_sha256 == other.gold_sha256 and len(texts) <= 1


def _changes(before: Figures, after: Figures, *, with_costs: bool = True) -> tuple[FigureChange, ...]:
    known = [name for name in {**after, **before} if name in _LIMITED]
    names = [name for name in known if with_costs or not meaning_of(name).is_cost]
    return tuple(_change(name, _measured(before, name), _measured(after, name)) for name in names)


def _measured(figures: Figures, name: str) -> float | None:
    figure = figures.get(name)
    return figure.value if figure is not None and figure.is_measured else None


def _change(name: str, before: float | None, after: float | None) -> FigureChange:
    better = meaning_of(name).better
    risen = 0.0 if before is None or after is None else after - before
    return FigureChange(
        figure=name,
        before=before,
        after=after,
        is_worse=(better == "more" and risen < 0) or (better == "fewer" and risen > 0),
    )


def _note_change(before: NoteScore, after: NoteScore) -> NoteChange | None:
    changes = _changes(before.figures, after.figures, with_costs=False)
    changed = tuple(one for one in changes if one.before != one.after)
    if not changed and before.outcome == after.outcome:
        return None
    return NoteChange(note=after.note, outcomes=(before.outcome, after.outcome), changes=changed)


def _left_out(before: Evaluation, after: Evaluation, *, kept: set[str]) -> tuple[str, ...]:
    names = {name for run in (before, after) for name in _files(run)} - kept
    if not names:
        return ()
    return (f"Not compared, for they are new, gone or changed since: {', '.join(sorted(names))}.",)


def _files(run: Evaluation) -> list[str]:
    return [*(one.gold for one in run.notes), *(one.gold for one in run.pairs)]

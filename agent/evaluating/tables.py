"""Puts a run over gold answers into rows of text, for people."""

from collections.abc import Iterator
from dataclasses import dataclass

from agent.evaluating.comparing import meaning_of
from agent.evaluating.evaluation import Evaluation, FigureChange, FigureTotal, NoteChange, NoteScore
from agent.evaluating.figures import MEANINGS, Figure, Figures

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns; `texts` says how many of the columns, from the left, hold no figures."""

    title: str
    columns: Row
    rows: tuple[Row, ...]
    texts: int = 1

    @property
    def figures(self) -> Row:
        """The columns that hold figures."""
        return self.columns[self.texts :]


_NOTHING = "–"
_NOTE_COLUMNS = ("note", "found", "extra", "false", "stars", "placed", "ids", "verify", "lost", "tokens", "s")
_EXTRA = ("split", "spurious", "process_as_increment")
_LOST = ("dropped", "segments_failed")
_READ = frozenset({"extracted", "nothing_new"})


def tables_of(evaluation: Evaluation) -> tuple[Table, ...]:
    """Return what a person should see of a run: notes, totals, and what changed against the run compared with."""
    notes = Table("Notes", _NOTE_COLUMNS, tuple(_note_row(one) for one in evaluation.notes))
    if evaluation.comparison is None:
        return notes, _totals(evaluation)
    before = evaluation.comparison
    changed = tuple(row for note in before.notes for row in _changed(note))
    changes = tuple(_change_row(one) for one in before.figures if one.before != one.after)
    named = f"{before.engine}, {before.model}" if before.model else before.engine
    tables = (
        Table(f"Against the earlier run ({named})", ("figure", "before", "now", "change"), changes),
        Table("Read differently", ("note", "figure", "before", "now"), changed, texts=2),
    )
    return notes, _totals(evaluation), *(table for table in tables if table.rows)


def _totals(evaluation: Evaluation) -> Table:
    totals = _told_apart(evaluation)
    columns = ("figure", *(f"{total.group} ({total.notes})" for total in totals))
    rows = [(name, *(_in_all(total, name) for total in totals)) for name in MEANINGS if name in totals[0].figures]
    return Table("All notes", columns, tuple(rows))


def _told_apart(evaluation: Evaluation) -> tuple[FigureTotal, ...]:
    """Return the totals, those by language only where there are two."""
    return evaluation.totals if len(evaluation.totals) > 2 else evaluation.totals[:1]


def _changed(note: NoteChange) -> Iterator[Row]:
    before, now = note.outcomes
    if before != now:
        yield note.note, "outcome", before, now
    for one in note.changes:
        yield note.note, one.figure, _number(one.before), _number(one.after)


def _change_row(change: FigureChange) -> Row:
    return change.figure, _number(change.before), _number(change.after), _difference(change)


def _note_row(score: NoteScore) -> Row:
    figures = score.figures
    stem = score.note.removeprefix("inbox/").removesuffix(".md")
    return (
        stem if score.outcome in _READ else f"{stem} ({score.outcome})",
        _parts(figures["increments_recall"]),
        _sum(figures, _EXTRA),
        _sum(figures, ("false_evidence",)),
        *(_parts(figures[name]) for name in ("stars_exact", "placements", "increment_ids", "to_verify_recall")),
        _sum(figures, _LOST),
        _sum(figures, ("prompt_tokens", "completion_tokens")),
        f"{figures['seconds'].part:.1f}",
    )


def _parts(figure: Figure) -> str:
    return f"{figure.part}/{figure.whole}" if figure.whole else _NOTHING


def _sum(figures: Figures, names: tuple[str, ...]) -> str:
    return f"{sum(figures[name].part for name in names):,}"


def _in_all(total: FigureTotal, name: str) -> str:
    figure = total.figures.get(name)
    if figure is None or not figure.is_measured:
        return _NOTHING
    return _number(figure.value) if figure.whole is None else f"{figure.value:.3f} {_parts(figure)}"


def _number(value: float | None) -> str:
    if value is None:
        return _NOTHING
    return f"{value:,.0f}" if value == int(value) and abs(value) > 1 else f"{value:,.3f}".rstrip("0").rstrip(".")


def _difference(change: FigureChange) -> str:
    if change.before is None or change.after is None:
        return _NOTHING
    risen = change.after - change.before
    is_plain = meaning_of(change.figure).better == "neither"
    word = "" if is_plain else " worse" if change.is_worse else " better"
    return f"{'+' if risen > 0 else '−'}{_number(abs(risen))}{word}"

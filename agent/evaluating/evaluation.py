"""What a run of `agent eval` has found: the values that it writes to JSON, and that two runs are compared by."""

from collections.abc import Iterable, Sequence
from typing import Literal

from agent.evaluating.figures import Figure, Figures, summed
from agent.record import Record
from agent.records import SCHEMA_VERSION, Cost, Engine, Language, Outcome, Usage

Group = Literal["all", "zh", "en"]


class NoteScore(Record):
    """How one note was read, held against its gold answers; `missed` names the gold increments that were not found."""

    note: str
    gold: str
    note_sha256: str
    gold_sha256: str
    language: Language | None
    outcome: Outcome
    detail: str = ""
    missed: tuple[str, ...] = ()
    figures: dict[str, Figure]


class PairScore(Record):
    """How several notes were brought together, held against their gold answers."""

    gold: str
    gold_sha256: str
    figures: dict[str, Figure]


class FigureTotal(Record):
    """The figures of all notes and pairs added up, or of the notes in one language."""

    group: Group
    notes: int
    figures: dict[str, Figure]


class FigureChange(Record):
    """One figure in two runs; null where a run has nothing to measure it by."""

    figure: str
    before: float | None
    after: float | None
    is_worse: bool


class NoteChange(Record):
    """A note that was read differently."""

    note: str
    outcomes: tuple[Outcome, Outcome]
    changes: tuple[FigureChange, ...]


class Comparison(Record):
    """This run held against an earlier one, over the notes and gold answers that both have."""

    engine: Engine
    model: str | None
    figures: tuple[FigureChange, ...]
    notes: tuple[NoteChange, ...]
    remarks: tuple[str, ...] = ()


class Evaluation(Record):
    """A run over gold answers; `remembered` is the number of calls that an earlier run had paid for."""

    schema_version: int = SCHEMA_VERSION
    engine: Engine
    model: str | None
    language: Language
    prompts: dict[str, str]
    notes: tuple[NoteScore, ...]
    pairs: tuple[PairScore, ...]
    totals: tuple[FigureTotal, ...]
    usage: Usage
    cost: Cost | None = None
    remembered: int
    remarks: tuple[str, ...] = ()
    comparison: Comparison | None = None


def totals_of(notes: Sequence[NoteScore], pairs: Iterable[PairScore]) -> tuple[FigureTotal, ...]:
    """Add up all notes and pairs, and the notes of each language that occurs."""
    together = (*(one.figures for one in notes), *(one.figures for one in pairs))
    totals = [FigureTotal(group="all", notes=len(notes), figures=summed(together))]
    for language in ("zh", "en"):
        spoken = [one.figures for one in notes if one.language == language]
        if spoken:
            totals.append(FigureTotal(group=language, notes=len(spoken), figures=summed(spoken)))
    return tuple(totals)


def named(totals: Iterable[FigureTotal]) -> Figures:
    """Return the figures of totals by the names that limits use: `f1`, `zh.f1`, `merged_same`."""
    return {
        name if total.group == "all" else f"{total.group}.{name}": figure
        for total in totals
        for name, figure in total.figures.items()
    }

"""The story of `agent eval`: gold answers in, notes read with one engine, scores out.

Notes are read one after the other, so that the seconds of each are its own. A note that fails is named, scored as not
found and stops nothing; what makes every further call fail alike leaves the rest untried, and is raised where no reply had
come before it.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import cast

from agent.asking.remembering import RememberingModel
from agent.costs import cost_of
from agent.errors import GoldError, NoteUnreadable
from agent.evaluating.evaluation import Evaluation, NoteScore, PairScore, totals_of
from agent.evaluating.figures import spent
from agent.evaluating.gold import PAIR_PREFIX, SUFFIX, Gold, PairGold, check_pair, near, parse_gold, parse_pair
from agent.evaluating.pairs import score_pair
from agent.evaluating.scoring import (
    Ruled,
    language_of,
    misfits,
    nothing,
    ruled,
    score_failure,
    score_note,
    sort_out,
)
from agent.extracting.extract import Setup
from agent.files import cause, opened, read_regular, unreadable
from agent.pipeline import Progress, Reading, ReadNote, knowledge_of
from agent.reconciling.judge import judge
from agent.reconciling.reconcile import Around, reconcile
from agent.records import Engine, Extraction, Outcome, Reconciliation, Usage
from agent.settings import Settings
from agent.workspace import ListedNote, Workspace

MAX_GOLD_BYTES = 1_000_000
MAX_RUN_BYTES = 50_000_000
_READ: frozenset[Outcome] = frozenset({"extracted", "nothing_new", "empty", "own"})


@dataclass(frozen=True, slots=True)
class GoldFile:
    """The gold answers of one note, with the file that they stand in."""

    name: str
    sha256: str
    gold: Gold


@dataclass(frozen=True, slots=True)
class PairFile:
    """The gold answers of several notes together, with the file that they stand in."""

    name: str
    sha256: str
    pair: PairGold


@dataclass(frozen=True, slots=True)
class Golds:
    """All gold answers of a run."""

    notes: tuple[GoldFile, ...]
    pairs: tuple[PairFile, ...] = ()


@dataclass(frozen=True, slots=True)
class _Examined:
    """One note, read and scored."""

    score: NoteScore
    usage: Usage
    note: Ruled
    extraction: Extraction | None


def read_golds(place: Path) -> Golds:
    """Read gold answers: one file, a pair with the notes it lists, or all `*.yaml` files of a folder.

    Raises:
        GoldError: there are none, or a file makes no sense; the message names file, line and key.
    """
    folder, names = _names(place)
    pairs = tuple(_pair_file(folder, name) for name in names if name.startswith(PAIR_PREFIX))
    alone = {name for name in names if not name.startswith(PAIR_PREFIX)}
    listed = alone if place.is_dir() else alone.union(*(one.pair.notes for one in pairs))
    notes = tuple(_gold_file(folder, name) for name in sorted(listed))
    by_name = {one.name: one for one in notes}
    by_note: dict[str, str] = {}
    for one in notes:
        if (other := by_note.setdefault(one.gold.note, one.name)) != one.name:
            raise GoldError(f"{other!r} and {one.name!r} are both about {one.gold.note!r}: keep one of them.")
    for pair in pairs:
        for name in pair.pair.notes:
            if name not in by_name:
                raise GoldError(f"{pair.name!r} lists {name!r}, which is not beside it{near(name, by_name)}.")
        check_pair(pair.pair, [by_name[name].gold for name in pair.pair.notes], name=pair.name)
    return Golds(notes, pairs)


def read_run(path: Path) -> Evaluation:
    """Read what an earlier run wrote.

    Raises:
        GoldError: it cannot be read, or is no such run.
    """
    text = _text(path.parent, path.name, MAX_RUN_BYTES)
    try:
        return Evaluation.model_validate_json(text)
    except ValueError:
        raise GoldError(
            f"{str(path)!r} is no run of this version of agent eval: write one with --output, and compare with that."
        ) from None


def examine(
    workspace: Workspace,
    settings: Settings,
    golds: Golds,
    *,
    engine: Engine,
    model: RememberingModel | None,
    progress: Progress,
) -> Evaluation:
    """Read every note that has gold answers, and score what came of it.

    Raises:
        ModelError: the engine failed before it gave a single reply.
        StoreError: replies can no longer be kept.
    """
    knowledge = knowledge_of(workspace, workspace.documents())
    setup = Setup(knowledge=knowledge, language=settings.language, engine=engine, model=model)
    reading = Reading(workspace, setup, progress, settings=settings)
    progress.begin(len(golds.notes))
    examined = {one.name: _examined(one, workspace, reading, progress) for one in golds.notes}
    extractions = [one.extraction for one in examined.values() if one.extraction]
    if reading.cause is not None and not any(one.prompts for one in extractions):
        raise reading.cause
    notes = tuple(one.score for one in examined.values())
    around = Around(settings.language, knowledge.documents, judge=partial(judge, model=model) if model else None)
    scored = [_pair_score(one, golds, examined, around) for one in golds.pairs]
    pairs = tuple(score for score, _ in scored)
    spent = [*(one.usage for one in examined.values()), *(told.usage for _, told in scored)]
    usage = sum(spent, start=Usage())
    prompts = [*(one.prompts for one in extractions), *(told.prompts for _, told in scored)]
    return Evaluation(
        engine=engine,
        model=model.name if model else None,
        language=settings.language,
        prompts=dict(sorted((name, version) for used in prompts for name, version in used.items())),
        notes=notes,
        pairs=pairs,
        totals=totals_of(notes, pairs),
        usage=usage,
        cost=cost_of(usage, settings.prices),
        remembered=model.calls_remembered if model else 0,
        remarks=tuple(_remarks(golds, examined)),
    )


def unread(evaluation: Evaluation) -> tuple[NoteScore, ...]:
    """Return the notes that could not be read to the end."""
    return tuple(one for one in evaluation.notes if one.outcome not in _READ)


def _names(place: Path) -> tuple[Path, list[str]]:
    """Return a folder and the names of the gold answers to read there."""
    if not place.is_dir():
        return place.parent, [place.name]
    try:
        names = sorted(path.name for path in place.iterdir() if path.suffix == SUFFIX and not path.name.startswith("."))
    except OSError as error:
        raise GoldError(
            f"The folder {str(place)!r} cannot be listed ({cause(error)}): check its permissions."
        ) from None
    if all(name.startswith(PAIR_PREFIX) for name in names):
        raise GoldError(
            f"The folder {str(place)!r} holds no gold answers: they are *{SUFFIX} files, one for each note."
        )
    return place, names


def _gold_file(folder: Path, name: str) -> GoldFile:
    text = _text(folder, name, MAX_GOLD_BYTES)
    return GoldFile(name, _sha256(text), parse_gold(text, name=name))


def _pair_file(folder: Path, name: str) -> PairFile:
    text = _text(folder, name, MAX_GOLD_BYTES)
    return PairFile(name, _sha256(text), parse_pair(text, name=name))


def _text(folder: Path, name: str, limit: int) -> str:
    shown = str(folder / name)
    try:
        with opened(folder, ()) as descriptor:
            content, _ = read_regular(descriptor, name, shown, limit)
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise GoldError(f"{shown!r} is not UTF-8: save it as UTF-8.") from None
    except NoteUnreadable as error:
        raise GoldError(str(error)) from None
    except FileNotFoundError:
        raise GoldError(f"There is no file {shown!r}: check the path.") from None
    except (OSError, ValueError) as error:
        reason = str(unreadable(shown, error)) if isinstance(error, OSError) else f"{shown!r} is no path: check it."
        raise GoldError(reason) from None


def _sha256(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()


def _examined(file: GoldFile, workspace: Workspace, reading: Reading, progress: Progress) -> _Examined:
    """Read a note and score it."""
    listed, note, sha256 = _found(file.gold, workspace)
    progress.started(listed.path)
    began = monotonic()
    read = reading.read(listed)
    seconds = monotonic() - began
    progress.finished(read.checked)
    return _Examined(_note_score(file, note, sha256, read, seconds), read.checked.usage, note, read.extraction)


def _found(gold: Gold, workspace: Workspace) -> tuple[ListedNote, Ruled, str]:
    """Find a note; returns it as listed, with its lines and its SHA-256, both empty where it cannot be read."""
    try:
        listed = workspace.find(workspace.root / gold.note)
        note = workspace.read_note(listed)
    except NoteUnreadable as error:
        missing = ListedNote(path=gold.note, agent=gold.agent, outcome=_outcome(error), detail=str(error))
        return missing, ruled(gold.note, ""), ""
    return listed, ruled(note.path, note.text), note.sha256


def _outcome(error: NoteUnreadable) -> Outcome:
    return cast("Outcome", error.outcome)


def _note_score(file: GoldFile, note: Ruled, sha256: str, read: ReadNote, seconds: float) -> NoteScore:
    gold, checked = file.gold, read.checked
    extraction = read.extraction or nothing(gold)
    is_failed = read.extraction is None and checked.outcome not in _READ
    figures = score_failure(gold) if is_failed else score_note(gold, note, extraction)
    found = sort_out(gold, note, extraction.increments).found
    return NoteScore(
        note=gold.note,
        gold=file.name,
        note_sha256=sha256,
        gold_sha256=file.sha256,
        language=language_of(note.text) if sha256 else None,
        outcome=checked.outcome,
        detail=checked.detail,
        missed=tuple(one.id for one in gold.increments if one.id not in found),
        figures=figures | spent(checked.usage, seconds=seconds),
    )


def _pair_score(
    file: PairFile, golds: Golds, examined: Mapping[str, _Examined], around: Around
) -> tuple[PairScore, Reconciliation]:
    """Bring together what came of the notes of a pair, and score that."""
    by_name = {one.name: one.gold for one in golds.notes}
    parts = [examined[name] for name in file.pair.notes]
    extractions = [one.extraction for one in parts if one.extraction]
    reconciled = reconcile(extractions, around)
    figures = score_pair(
        file.pair,
        [(by_name[name], examined[name].note) for name in file.pair.notes],
        increments=reconciled.increments,
        contradictions=reconciled.contradictions,
    )
    shas = (sha for one in parts for sha in (one.score.gold_sha256, one.score.note_sha256))
    return PairScore(gold=file.name, gold_sha256=_sha256(file.sha256, *shas), figures=figures), reconciled


def _remarks(golds: Golds, examined: Mapping[str, _Examined]) -> Iterator[str]:
    """Say where gold answers do not fit the notes as they are."""
    for file in golds.notes:
        one = examined[file.name]
        if one.score.note_sha256:
            yield from (f"{file.name}: {remark}" for remark in misfits(file.gold, one.note))

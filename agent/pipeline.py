"""The stories: one note to an extraction, all notes of some days to a digest.

Every note that was looked at ends up in `checked`. A note that fails is named and stops nothing; what makes every
further call fail alike stops the run, and the notes that were not reached are said to be not tried.
"""

import datetime as dt
import hashlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol, cast

from rapidfuzz import process

from agent.asking.budget import charged
from agent.asking.model import Model
from agent.costs import Prices, cost_of
from agent.digesting.digest import UNREAD, DigestInputs, build_digest
from agent.errors import AgentError, InboxEmpty, ModelError, NoteUnreadable, TopicUnknown, WindowEmpty
from agent.extracting.extract import Setup, extract
from agent.extracting.knowledge import Knowledge, know
from agent.past import PastDigest
from agent.reading.marking import bears_marker, is_own_output
from agent.reading.units import says_nothing
from agent.reconciling.contradict import LASTING
from agent.reconciling.judge import judge
from agent.reconciling.reconcile import Around, reconcile
from agent.reconciling.verifying import verified
from agent.records import CheckedNote, Claim, Digest, Engine, Extraction, Outcome, Usage, Window
from agent.relaying.coverage import Arrivals, cover
from agent.relaying.history import HISTORY_DAYS
from agent.settings import Settings
from agent.texts import LivingDocument
from agent.workspace import ListedNote, Workspace

_READ: frozenset[Outcome] = frozenset({"extracted", "nothing_new", "partly_failed"})
_NAMED = 3  # notes that an error names


class Progress(Protocol):
    """Who is told how far the work has come; called from several threads."""

    def begin(self, notes: int) -> None:
        """So many notes will be read."""

    def started(self, path: str) -> None:
        """A note is being read."""

    def finished(self, checked: CheckedNote) -> None:
        """A note is done."""


@dataclass(frozen=True, slots=True)
class Order:
    """Which digest is wanted.

    Attributes:
        topic: stem of a living document, or None for all.
        date: the digest's day, in the workspace's time zone.
        days: how many days it covers, its own included.
    """

    topic: str | None
    date: dt.date
    days: int

    @property
    def window(self) -> Window:
        """First and last day."""
        first = max(self.date.toordinal() - self.days + 1, dt.date.min.toordinal())
        return Window(start=dt.date.fromordinal(first), end=self.date)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a digest will be made from.

    Attributes:
        past: earlier digests, the newest first.
        now: the moment, where the digest's day may not be over; None where it is.
    """

    order: Order
    documents: tuple[LivingDocument, ...]
    listed: tuple[ListedNote, ...]
    past: tuple[PastDigest, ...] = ()
    now: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class Outcomes:
    """A digest, what did not go well on the way to it, and what its notes claim."""

    digest: Digest
    failed: tuple[CheckedNote, ...]
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadNote:
    """What came of one note, with its text and its extraction where there is one."""

    checked: CheckedNote
    extraction: Extraction | None = None
    text: str = field(default="", repr=False)


def plan(workspace: Workspace, order: Order) -> Plan:
    """Look which notes a digest would read; nothing is read yet.

    Raises:
        WorkspaceError: no such topic, no note in those days, or no note at all.
    """
    documents = workspace.documents()
    check_topic(order.topic, documents)
    return Plan(order, documents, notes_in(workspace, order.window))


def make_digest(
    workspace: Workspace,
    settings: Settings,
    planned: Plan,
    *,
    engine: Engine,
    model: Model | None,
    progress: Progress,
) -> Outcomes:
    """Read the notes of a plan, and bring them together in one digest.

    Raises:
        ModelError: the engine failed before it gave a single reply.
        StoreError: replies can no longer be kept.
        AgentError: not one note could be read.
    """
    order, documents = planned.order, planned.documents
    knowledge = knowledge_of(workspace, documents)
    setup = Setup(knowledge=knowledge, language=settings.language, engine=engine, model=model)
    read = Reading(workspace, setup, progress, settings=settings).all(
        planned.listed, workers=settings.workers if engine == "remote" else 1
    )
    extractions = tuple(one.extraction for one in read if one.extraction)
    checked = tuple(one.checked for one in read)
    around = Around(settings.language, documents, planned.past, judge=partial(judge, model=model) if model else None)
    texts = {one.checked.note: one.text for one in read if one.extraction}
    reconciled = verified(reconcile(extractions, around), _text_of(workspace, documents, texts))
    inputs = DigestInputs(
        topic=order.topic,
        date=order.date,
        window=order.window,
        timezone=settings.timezone,
        language=settings.language,
        agent=settings.own_agent,
        engine=engine,
        model=model.name if model else None,
        extractions=extractions,
        reconciled=reconciled,
        checked=checked,
        documents=documents,
        stock=knowledge.stock,
        prices=settings.prices,
        coverage=cover(
            checked,
            documents=documents,
            settings=settings,
            date=order.date,
            arrivals=Arrivals(
                history=history_of(workspace, order.date),
                now=planned.now,
                topics={one.note: one.topic for one in extractions},
                claims=tuple(claim for one in extractions for claim in one.claims if claim.kind == "absence"),
            ),
        ),
    )
    claims = tuple(claim for one in extractions for claim in one.claims if claim.kind in LASTING)
    return Outcomes(build_digest(inputs), tuple(one for one in checked if one.outcome in UNREAD), claims)


def workspace_key(workspace: Workspace) -> str:
    """Return what a workspace is known by among past digests, which tells nothing of where it lies."""
    return hashlib.sha256(str(workspace.root.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def extract_note(
    workspace: Workspace, settings: Settings, path: str, *, engine: Engine, model: Model | None
) -> Extraction:
    """Read one note of the workspace.

    Raises:
        NoteUnreadable: the note cannot be read.
        ModelError: the engine failed.
    """
    knowledge = knowledge_of(workspace, workspace.documents())
    note = workspace.read_note(workspace.find(path))
    setup = Setup(knowledge=knowledge, language=settings.language, engine=engine, model=model)
    return _priced(extract(note, setup), settings.prices)


def _text_of(
    workspace: Workspace, documents: Sequence[LivingDocument], texts: dict[str, str]
) -> Callable[[str], str | None]:
    """Look texts up by their paths: notes as they were read, living documents, and notes of earlier days as they are now."""
    known = {document.path: document.text for document in documents} | texts

    def text_of(path: str) -> str | None:
        if path not in known:
            try:
                known[path] = workspace.read_note(workspace.find(workspace.root / path)).text
            except AgentError:
                return None
        return known[path]

    return text_of


def check_topic(topic: str | None, documents: Sequence[LivingDocument]) -> None:
    """Refuse a topic that no living document has.

    Raises:
        TopicUnknown: the message names up to five that there are, nearest first.
    """
    topics = [document.topic for document in documents]
    if topic is None or topic in topics:
        return
    near = [name for name, _, _ in process.extract(topic, topics, limit=5)]
    known = f"known topics: {', '.join(near)}" if near else "the workspace has no living document yet"
    raise TopicUnknown(f"There is no living document {topic!r}; {known}.")


def notes_in(workspace: Workspace, window: Window) -> tuple[ListedNote, ...]:
    """List the notes of the days asked for.

    Raises:
        InboxEmpty: there is no note at all.
        WindowEmpty: there are notes, but none of these days.
    """
    inside = workspace.listing(today=window.end, window=window)
    if any(one.outcome is None for one in inside):
        return inside
    dates = sorted(one.date for one in workspace.listing() if one.date and one.outcome is None)
    if not dates:
        raise InboxEmpty(
            f"No agent has dropped a note into {str(workspace.root / 'inbox')!r} yet: add Markdown files to inbox/<agent>/."
        )
    raise WindowEmpty(
        f"No note falls between {window.start} and {window.end}; the inbox holds notes from {dates[0]} to {dates[-1]}: "
        "choose --date or --days accordingly."
    )


def history_of(workspace: Workspace, date: dt.date) -> tuple[ListedNote, ...]:
    """List the notes of the weeks before a day, of that day and the next, by their names: whose rhythm there is."""
    first = dt.date.fromordinal(max(1, date.toordinal() - HISTORY_DAYS))
    last = dt.date.fromordinal(min(date.toordinal() + 1, dt.date.max.toordinal()))  # what is late comes after midnight
    return workspace.listing(today=date, window=Window(start=first, end=last))


def knowledge_of(workspace: Workspace, documents: Sequence[LivingDocument]) -> Knowledge:
    """Gather what the workspace already holds."""
    return know(documents, cards=workspace.cards(), note_paths=workspace.note_paths(), agents=workspace.agents())


class Reading:
    """Reads notes one by one or side by side, until a stop.

    An exception that is no matter of a note ends the reading at once: notes under way are not waited for, and those that
    wait are not begun.

    Attributes:
        cause: what made every further call fail alike, or None.
    """

    def __init__(self, workspace: Workspace, setup: Setup, progress: Progress, *, settings: Settings) -> None:
        self._workspace, self._setup, self._progress = workspace, setup, progress
        self._prices, self._own_agent = settings.prices, settings.own_agent
        self._stop = threading.Event()
        self.cause: ModelError | None = None

    def all(self, listed: Sequence[ListedNote], *, workers: int) -> list[ReadNote]:
        """Read all notes, results in the order given.

        Raises:
            ModelError: the run was stopped before there was a single reply.
            AgentError: not one note could be read.
        """
        self._progress.begin(len(listed))
        pool = ThreadPoolExecutor(max_workers=max(1, workers))
        try:
            read = list(pool.map(self._one, listed))
        except BaseException:  # Ctrl-C comes here
            self._stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        pool.shutdown()
        self._refuse_silence([one.extraction for one in read if one.extraction])
        _refuse_nothing([one.checked for one in read])
        return read

    def read(self, listed: ListedNote) -> ReadNote:
        """Read one note; what goes wrong with it is its outcome, and after a stop it is not tried."""
        if listed.outcome is not None:
            return ReadNote(_checked(listed, listed.outcome, listed.detail))
        if self._stop.is_set():
            return ReadNote(_checked(listed, "not_tried", str(self.cause or "")))
        try:
            return self._extracted(listed)
        except NoteUnreadable as error:
            return ReadNote(_checked(listed, cast("Outcome", error.outcome), str(error)))
        except ModelError as error:
            if not self._stop.is_set():
                self.cause = error
            self._stop.set()
            return ReadNote(_checked(listed, "not_tried", str(error), usage=charged(error), prices=self._prices))
        except AgentError:
            raise
        except Exception as error:  # noqa: BLE001  whatever one note brings about, the others are read
            fault = f"it brought about an error of our own ({type(error).__name__}): report it with the note"
            return ReadNote(_checked(listed, "failed", fault))

    def _refuse_silence(self, extractions: Sequence[Extraction]) -> None:
        """Refuse to go on when a model was asked and not one reply could be used: the digest would not be its."""
        if any(one.prompts for one in extractions):
            return
        if self.cause is not None:
            raise self.cause
        lost = [failure for one in extractions for failure in one.segments_failed]
        if lost:
            raise ModelError(
                f"Not one of {len(lost)} model calls gave a usable reply (the first: {lost[0].detail.rstrip('.')}): "
                "no digest was made; run agent doctor, or use --engine none."
            )

    def _one(self, listed: ListedNote) -> ReadNote:
        self._progress.started(listed.path)
        try:
            read = self.read(listed)
        except BaseException:
            self._stop.set()
            raise
        if self.cause is not None or not self._stop.is_set():  # else nobody waits for it any more
            self._progress.finished(read.checked)
        return read

    def _extracted(self, listed: ListedNote) -> ReadNote:
        note = self._workspace.read_note(listed)
        if is_own_output(note.text):
            return ReadNote(_checked(listed, "own"))
        if note.agent == self._own_agent and bears_marker(note.text):
            return ReadNote(_checked(listed, "own", "it was changed after it was written"))
        if says_nothing(note.text):
            return ReadNote(_checked(listed, "empty"))
        extraction = _priced(extract(note, self._setup), self._prices)
        return ReadNote(_judged(listed, extraction), extraction, note.text)


def _refuse_nothing(checked: Sequence[CheckedNote]) -> None:
    """Refuse to go on when notes came and not one could be read: a digest of nothing would replace the last good one."""
    unread = [one for one in checked if one.outcome in UNREAD]
    if not unread or any(one.outcome in _READ for one in checked):
        return
    named = "; ".join(f"{one.note!r}: {one.outcome}, {one.detail}" for one in unread[:_NAMED])
    more = f"; and {len(unread) - _NAMED} more" if len(unread) > _NAMED else ""
    raise AgentError(f"Not one note could be read ({named.rstrip('.')}{more}): no digest was made.")


def _checked(
    listed: ListedNote, outcome: Outcome, detail: str = "", *, usage: Usage | None = None, prices: Prices | None = None
) -> CheckedNote:
    spent = usage or Usage()
    return CheckedNote(
        note=listed.path,
        agent=listed.agent,
        date=listed.date,
        outcome=outcome,
        detail=detail,
        usage=spent,
        cost=cost_of(spent, prices),
    )


def _priced(extraction: Extraction, prices: Prices | None) -> Extraction:
    return extraction.model_copy(update={"cost": cost_of(extraction.usage, prices)})


def _judged(listed: ListedNote, extraction: Extraction) -> CheckedNote:
    failures = extraction.segments_failed
    if failures:
        outcome: Outcome = "partly_failed" if extraction.increments or extraction.prompts else "failed"
    else:
        outcome = "extracted" if extraction.increments else "nothing_new"
    details = [*extraction.remarks, *(f"line {one.line}: {one.detail}" for one in failures)]
    if extraction.dropped:
        details.append(
            f"{len(extraction.dropped)} statements of the model were dropped: the note does not bear them out."
        )
    return CheckedNote(
        note=listed.path,
        agent=listed.agent,
        date=extraction.date,
        outcome=outcome,
        increments=len(extraction.increments),
        no_increment_because=extraction.no_increment_because,
        detail=" ".join(details),
        usage=extraction.usage,
        cost=extraction.cost,
    )

"""The story of the relay: what is due is made, written for the evening, and remembered, once.

Promises: two runs never do one turn twice; a run that is killed is finished or begun anew by the next one, and what was
paid for is not paid again; where nothing is due nothing is asked and nothing is written.
"""

import contextlib
import datetime as dt
import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import PurePosixPath

import filelock

from agent.asking.model import Model
from agent.digesting.markdown import render_markdown
from agent.errors import AgentError, NoteUnreadable, OutputUnwritable, TopicUnknown
from agent.files import read_below
from agent.handoffs import Brief, Handoff, RelaySummary, Turn
from agent.ledger import KeptTurn, Ledger
from agent.past import past_of
from agent.pipeline import Order, Outcomes, Plan, Progress, check_topic, make_digest, workspace_key
from agent.publishing import MAX_FILE_BYTES, Publication, finish, forget, free_path, publish, unfinished
from agent.record import as_json
from agent.records import Digest, Engine
from agent.relaying.handing import render_handoff
from agent.relaying.handoff import HandoffInputs, build_handoff
from agent.relaying.operations import operations_for
from agent.relaying.queue import render_queue
from agent.relaying.turns import LOOK_BACK_DAYS, Calendar, DueTurns, calendar_of, due, due_on
from agent.settings import Settings
from agent.store import Store
from agent.workspace import Workspace

HANDOFF, QUEUE = "handoff", "work-queue.md"
LOCK = "relay.lock"
_PAST_DAYS = 30  # that a digest looks back
_POLL_SECONDS = 0.2  # between two looks whether the relay is free
_LEAST_WAIT_SECONDS = 0.5  # so that one who only looks whether it is free keeps nobody from running
_BRIEF_NAME = re.compile(r"(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)-")


@dataclass(frozen=True, slots=True)
class Means:
    """What a run works with; the model is opened when something is due."""

    store: Store
    engine: Engine
    open_model: Callable[[], AbstractContextManager[Model | None]]
    progress: Progress


@dataclass(frozen=True, slots=True)
class _Made:
    """A turn with its digest."""

    turn: Turn
    outcomes: Outcomes


def run_relay(
    workspace: Workspace,
    settings: Settings,
    means: Means,
    *,
    now: dt.datetime,
    day: dt.date | None = None,
    wait_seconds: float = 0.0,
) -> RelaySummary:
    """Do what is due.

    Args:
        workspace: where notes come from and results go.
        settings: the plan, and whose own agent we are.
        means: store, engine and who is told of progress.
        now: the moment, with its zone.
        day: only the turns of that day, whenever it was; None for all that were missed since the last run.
        wait_seconds: how long to wait for another run to end.

    Returns:
        What was done; a failure of the engine or of the disk is one of its states.
    """
    calendar = calendar_of(settings.batons, settings.own_agent, settings.zone)
    try:
        with _held(workspace, max(wait_seconds, _LEAST_WAIT_SECONDS)):
            return _Run(workspace, settings, means, calendar, now=now).go(day)
    except filelock.Timeout:
        detail = "Another run holds the relay: it does what is due."
        return RelaySummary(state="busy", detail=detail, next_due=calendar.next_due(now))


def is_held(workspace: Workspace) -> bool:
    """Whether a run is under way; a lock is only tried, never kept."""
    try:
        with _held(workspace, 0.0):
            return False
    except filelock.Timeout:
        return True


@contextlib.contextmanager
def _held(workspace: Workspace, wait_seconds: float) -> Iterator[None]:
    """Hold the relay of a workspace.

    Raises:
        filelock.Timeout: another run does.
        OutputUnwritable: the disk knows no locks.
    """
    path = workspace.lock_folder / LOCK
    lock = filelock.FileLock(path, timeout=wait_seconds, mode=0o600)
    try:
        lock.acquire(poll_interval=_POLL_SECONDS)
    except (OSError, NotImplementedError) as error:
        if isinstance(error, filelock.Timeout):
            raise
        raise OutputUnwritable(f"The relay cannot be locked by {str(path)!r} ({error}): nothing was done.") from error
    try:
        yield
    finally:
        lock.release()


class _Run:
    """One run, while it holds the relay."""

    def __init__(
        self, workspace: Workspace, settings: Settings, means: Means, calendar: Calendar, *, now: dt.datetime
    ) -> None:
        self._workspace, self._settings, self._means, self._calendar = workspace, settings, means, calendar
        self._now = now
        self._key = workspace_key(workspace)
        self._ledger = Ledger(means.store, self._key, settings.own_agent)

    def go(self, day: dt.date | None) -> RelaySummary:
        """Finish what a killed run left, then do what is due."""
        self._finish_last()
        kept = self._ledger.turns() or self._recalled()
        done = [one.turn for one in kept if one.is_done]
        if day is not None:
            wanted = due_on(self._calendar, day, self._now, done=done)
        else:
            today = self._now.astimezone(self._calendar.zone).date()
            since = self._ledger.begin(self._calendar.fingerprint, today)
            wanted = due(self._calendar, self._now, done=done, since=since)
        if not wanted.turns:
            return RelaySummary(state="nothing_due", next_due=self._calendar.next_due(self._now))
        self._ledger.put(wanted.turns, "running", at=self._now)
        try:
            return self._do(wanted)
        except AgentError as error:
            self._ledger.put(wanted.turns, "failed", at=self._now, detail=str(error))
            last = wanted.turns[-1]
            return RelaySummary(
                state="failed",
                date=last.date,
                slot=last.slot,
                turns=wanted.turns,
                detail=str(error),
                next_due=self._calendar.next_due(self._now),
                exit_status=error.exit_status,
            )

    def _finish_last(self) -> None:
        folder = self._workspace.lock_folder  # the same for every run, whatever folder its state is kept in
        publication = unfinished(folder)
        if publication is None:
            return
        if not {*publication.turns} <= {one.turn for one in self._ledger.turns() if one.is_done}:
            finish(self._workspace.root, publication)
            self._mark(publication)
        forget(folder)

    def _recalled(self) -> tuple[KeptTurn, ...]:
        """Take over what the handoff in the workspace shows as done, where the database was lost with all turns."""
        handoff = self._lying()
        if handoff is None or handoff.agent != self._settings.own_agent or not handoff.briefs:
            return ()
        turns = []
        for brief in handoff.briefs:
            content = self._read(brief.note)
            if content is None or hashlib.sha256(content).hexdigest() != brief.sha256:
                return ()
            turns.append(_turn_of(brief) or Turn(topic=brief.topic, date=handoff.date, slot=handoff.slot))
        self._ledger.put(turns, "done", at=self._now)
        self._ledger.put(handoff.caught_up, "caught_up", at=self._now)
        self._ledger.begin(self._calendar.fingerprint, min(turn.date for turn in turns))
        return self._ledger.turns()

    def _do(self, wanted: DueTurns) -> RelaySummary:
        made, unknown = self._digests(wanted)
        handoff, texts = self._handoff(made, wanted)
        for one in made:
            self._means.store.put_digest(self._key, past_of(one.outcomes.digest, one.outcomes.claims))
        self._ledger.put_coverage(handoff.date, handoff.coverage, at=self._now)
        publication = Publication(turns=tuple(one.turn for one in made), caught_up=wanted.caught_up, files=texts)
        folder = self._workspace.lock_folder
        paths = publish(self._workspace.root, publication, state=folder)
        self._mark(publication)
        forget(folder)
        for turn, error in unknown:
            self._ledger.put([turn], "failed", at=self._now, detail=str(error))
        return self._summary(handoff, publication, paths, errors=[str(error) for _, error in unknown])

    def _digests(self, wanted: DueTurns) -> tuple[list[_Made], list[tuple[Turn, TopicUnknown]]]:
        """Make the digest of each turn; one whose topic has no living document is left out.

        Raises:
            TopicUnknown: none of them has one.
        """
        documents = self._workspace.documents()
        made: list[_Made] = []
        unknown: list[tuple[Turn, TopicUnknown]] = []
        with self._means.open_model() as model:
            for turn in wanted.turns:
                try:
                    check_topic(turn.topic, documents)
                except TopicUnknown as error:
                    unknown.append((turn, error))
                    continue
                made.append(_Made(turn, self._digest(turn, wanted.caught_up, model)))
        if not made:
            raise unknown[0][1]
        return made, unknown

    def _digest(self, turn: Turn, caught_up: Sequence[Turn], model: Model | None) -> Outcomes:
        """Make one digest; of turns missed before, it covers the days too."""
        first = min((one.date for one in caught_up if turn.topic in (None, one.topic)), default=turn.date)
        days = max(self._settings.days, min((turn.date - first).days + 1, LOOK_BACK_DAYS))
        order = Order(topic=turn.topic, date=turn.date, days=days)
        planned = Plan(
            order,
            self._workspace.documents(),
            self._workspace.listing(today=turn.date, window=order.window),
            self._means.store.digests_before(self._key, turn.date, days=_PAST_DAYS),
            now=self._now,
        )
        return make_digest(
            self._workspace,
            self._settings,
            planned,
            engine=self._means.engine,
            model=model,
            progress=self._means.progress,
        )

    def _handoff(self, made: Sequence[_Made], wanted: DueTurns) -> tuple[Handoff, dict[str, str]]:
        """Build the handoff, and the text of each file that goes with it by its path, the handoff itself last."""
        texts: dict[str, str] = {}
        briefs: list[Brief] = []
        for one in made:
            path = free_path(self._workspace.root, self._brief_path(one.turn))
            texts[path] = render_markdown(one.outcomes.digest, base="/".join([".."] * path.count("/")))
            briefs.append(Brief(note=path, topic=one.turn.topic, sha256=_sha256(texts[path])))
        last = made[-1].turn
        is_newest = self._is_newest(last)
        documents = self._workspace.documents()  # as they are now
        digests = tuple(one.outcomes.digest for one in made)
        handoff = build_handoff(
            HandoffInputs(
                turn=last,
                digests=digests,
                operations=operations_for(
                    [increment for one in digests for increment in one.increments],
                    documents,
                    language=self._settings.language,
                    date=last.date,
                ),
                documents=documents,
                caught_up=wanted.caught_up,
                briefs=tuple(briefs),
                queue=free_path(self._workspace.root, QUEUE) if is_newest else "",
                failed=tuple(dict.fromkeys(note.note for one in made for note in one.outcomes.failed)),
            )
        )
        if handoff.queue:
            texts[handoff.queue] = render_queue(handoff, uncarded=_uncarded(digests, self._workspace.cards()))
        name = HANDOFF if is_newest else f"{HANDOFF}-{last.date}-{last.slot.replace(':', '')}"
        json_path = free_path(self._workspace.root, f"{name}.json")
        texts[free_path(self._workspace.root, f"{name}.md")] = render_handoff(handoff, name=json_path)
        texts[json_path] = as_json(handoff)
        return handoff, texts

    def _brief_path(self, turn: Turn) -> str:
        own = self._settings.own_agent
        return f"inbox/{own}/{turn.date}-{turn.slot.replace(':', '')}-{own}-{turn.topic or 'all'}.md"

    def _is_newest(self, turn: Turn) -> bool:
        """Whether no handoff of a later turn lies in the workspace."""
        there = self._lying()
        return there is None or (there.date, there.slot) <= (turn.date, turn.slot)

    def _lying(self) -> Handoff | None:
        """The handoff that lies in the workspace, None where there is none of ours."""
        try:
            return Handoff.model_validate(json.loads(self._read(f"{HANDOFF}.json") or b""))
        except (ValueError, RecursionError):
            return None

    def _read(self, path: str) -> bytes | None:
        try:
            return read_below(self._workspace.root, path, MAX_FILE_BYTES)
        except NoteUnreadable:
            return None

    def _mark(self, publication: Publication) -> None:
        self._ledger.put(publication.turns, "done", at=self._now)
        self._ledger.put(publication.caught_up, "caught_up", at=self._now)

    def _summary(
        self,
        handoff: Handoff,
        publication: Publication,
        paths: Sequence[str],
        *,
        errors: Sequence[str],
    ) -> RelaySummary:
        return RelaySummary(
            state="done",
            date=handoff.date,
            slot=handoff.slot,
            turns=publication.turns,
            caught_up=publication.caught_up,
            paths=tuple(paths),
            increments=len(handoff.increments),
            operations=len(handoff.operations),
            contradictions=len(handoff.contradictions),
            to_verify=len(handoff.to_verify),
            missed=len(handoff.coverage.missed),
            stale=len(handoff.coverage.stale),
            failed_notes=len(handoff.failed),
            calls=handoff.usage.calls,
            next_due=self._calendar.next_due(self._now),
            detail=" ".join(errors),
            exit_status=1 if handoff.failed or errors else 0,
        )


def _uncarded(digests: Sequence[Digest], cards: Collection[str]) -> list[str]:
    """The papers that are new to the knowledge base and have no card, in order."""
    return sorted({one.id for digest in digests for one in digest.arxiv if one.status == "new"} - set(cards))


def _turn_of(brief: Brief) -> Turn | None:
    """The turn that a brief was written for, as its name tells; several may stand in one handoff."""
    named = _BRIEF_NAME.match(PurePosixPath(brief.note).name)
    if named is None:
        return None
    day, hour, minute = named.groups()
    with contextlib.suppress(ValueError):
        return Turn(topic=brief.topic, date=dt.date.fromisoformat(day), slot=f"{hour}:{minute}")
    return None


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()

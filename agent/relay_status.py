"""The story of a look at the relay: what is due, done, missing and stale now; nothing is asked and nothing is written.

Promises: a run under way is not disturbed; what it reads it reads anew each time, so that a look is never older than now.
"""

import datetime as dt
from collections.abc import Iterator, Sequence

from agent.errors import NoteUnreadable
from agent.handoffs import RelayStatus, Turn, TurnStatus
from agent.ledger import KeptTurn, Ledger
from agent.pipeline import Order, history_of, workspace_key
from agent.publishing import JOURNAL
from agent.reading.marking import is_own_output
from agent.reading.units import says_nothing
from agent.records import CheckedNote, Outcome
from agent.relay import is_held
from agent.relaying.coverage import Arrivals, cover
from agent.relaying.turns import Calendar, DueTurns, calendar_of, due
from agent.settings import Settings
from agent.store import Store
from agent.workspace import STATE_NAME, ListedNote, Workspace

OVERDUE = dt.timedelta(minutes=30)  # that a turn may be due before that is amiss
_NAMED = 5  # turns that one sentence names


def relay_status(
    workspace: Workspace, settings: Settings, *, store: Store | None, now: dt.datetime, day: dt.date | None = None
) -> RelayStatus:
    """Return how the relay stands.

    Args:
        workspace: the workspace.
        settings: the plan, and whose own agent we are.
        store: the open database; None where there is none yet.
        now: the moment, with its zone.
        day: the day to look at, today by default.

    Raises:
        WorkspaceError: the inbox cannot be listed.
        StoreError: the database cannot be read.
    """
    calendar = calendar_of(settings.batons, settings.own_agent, settings.zone)
    ledger = Ledger(store, workspace_key(workspace), settings.own_agent) if store else None
    kept = ledger.turns() if ledger else ()
    local = now.astimezone(settings.zone)
    date = day or local.date()
    wanted = _wanted(calendar, ledger, kept, now)
    own = _own(calendar, kept, wanted, now=now, date=date, is_running=is_held(workspace))
    documents = workspace.documents()
    order = Order(topic=None, date=date, days=settings.days)
    checked = [_checked(workspace, one) for one in workspace.listing(today=date, window=order.window)]
    arrivals = Arrivals(history=history_of(workspace, date), now=now)
    coverage = cover(checked, documents=documents, settings=settings, date=date, arrivals=arrivals)
    before = ledger.coverage(date) if ledger else None
    if before is not None:  # what notes say is known to a run alone, which reads them
        coverage = coverage.model_copy(update={"said_missing": before.said_missing})
    found = RelayStatus(
        now=local,
        date=date,
        timezone=settings.timezone,
        agent=settings.own_agent,
        own=own,
        next_due=calendar.next_due(now),
        coverage=coverage,
        remarks=tuple(_remarks(calendar, settings)),
    )
    return found.model_copy(update={"amiss": tuple(_amiss(found, now))})


def is_due(workspace: Workspace, settings: Settings, *, store: Store | None, now: dt.datetime) -> bool:
    """Whether a run at this moment would have something to do, an interrupted one's rest included; it costs next to nothing.

    Raises:
        StoreError: the database cannot be read.
    """
    if (workspace.root / STATE_NAME / JOURNAL).exists():
        return True
    calendar = calendar_of(settings.batons, settings.own_agent, settings.zone)
    ledger = Ledger(store, workspace_key(workspace), settings.own_agent) if store else None
    return bool(_wanted(calendar, ledger, ledger.turns() if ledger else (), now).turns)


def _wanted(calendar: Calendar, ledger: Ledger | None, kept: Sequence[KeptTurn], now: dt.datetime) -> DueTurns:
    today = now.astimezone(calendar.zone).date()
    since = ledger.since(calendar.fingerprint, today) if ledger else today
    return due(calendar, now, done=[one.turn for one in kept if one.is_done], since=since)


def _own(
    calendar: Calendar,
    kept: Sequence[KeptTurn],
    wanted: DueTurns,
    *,
    now: dt.datetime,
    date: dt.date,
    is_running: bool,
) -> tuple[TurnStatus, ...]:
    """The turns of the day, and those that are due and not done, in their order."""
    by_turn = {one.turn: one for one in kept}
    turns = {*calendar.turns_on(date), *wanted.turns, *wanted.caught_up}
    turns |= {one.turn for one in kept if one.turn.date == date}
    ordered = sorted(turns, key=lambda turn: (calendar.due_at(turn), turn.topic or ""))
    return tuple(_status(turn, by_turn.get(turn), calendar, now=now, is_running=is_running) for turn in ordered)


def _status(turn: Turn, kept: KeptTurn | None, calendar: Calendar, *, now: dt.datetime, is_running: bool) -> TurnStatus:
    at = calendar.due_at(turn).astimezone(calendar.zone)
    if kept is None or (kept.state == "running" and not is_running):
        detail = "A run of it was cut short: the next one goes on from there." if kept else ""
        return TurnStatus(turn=turn, state="due" if at <= now else "waiting", at=at, detail=detail)
    finished = kept.at.astimezone(calendar.zone) if kept.is_done else None
    return TurnStatus(
        turn=turn, state=kept.state, at=at, finished=finished, detail=kept.detail if not kept.is_done else ""
    )


def _checked(workspace: Workspace, listed: ListedNote) -> CheckedNote:
    """What came of a note as far as a look at it tells, without taking it apart."""
    outcome: Outcome = listed.outcome or "not_tried"
    detail = listed.detail
    if listed.outcome is None:
        try:
            text = workspace.read_note(listed).text
            outcome = "own" if is_own_output(text) else "empty" if says_nothing(text) else "not_tried"
        except NoteUnreadable as error:
            outcome, detail = "unreadable", str(error)
    return CheckedNote(note=listed.path, agent=listed.agent, date=listed.date, outcome=outcome, detail=detail)


def _amiss(status: RelayStatus, now: dt.datetime) -> Iterator[str]:
    overdue = [one for one in status.own if one.state == "due" and now - one.at > OVERDUE]
    if overdue:
        named = ", ".join(named_turn(one.turn) for one in overdue[:_NAMED])
        more = f" and {len(overdue) - _NAMED} more" if len(overdue) > _NAMED else ""
        yield f"Not done though due: {named}{more}: run agent relay run."
    for one in status.own:
        if one.state == "failed":
            yield f"Failed: {named_turn(one.turn)}: {one.detail}"
    for missed in status.coverage.missed:
        what = ", ".join(part for part in (missed.agent, missed.topic, missed.slot) if part)
        yield f"Missing: {what}" + (" (not planned; it usually comes)." if status.coverage.plan == "derived" else ".")
    for stale in status.coverage.stale:
        since = f"not updated for {stale.days} days" if stale.days is not None else "no update is known"
        yield f"Stale: {stale.document}: {since}."


def _remarks(calendar: Calendar, settings: Settings) -> Iterator[str]:
    if calendar.is_assumed:
        slot = calendar.batons[0].slot
        yield (
            f"agent.toml plans no baton of {settings.own_agent!r}: one digest of all topics a day is assumed, "
            f"at {slot:%H:%M} {settings.timezone}."
        )


def named_turn(turn: Turn) -> str:
    """Return what a turn is called: its day, slot and topic."""
    return f"{turn.date} {turn.slot} {turn.topic or 'all topics'}"

"""What the commands of the relay do between their flags and their exit status."""

import datetime as dt
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from agent import console
from agent.applying import Offer, apply, load_handoff, offers, undo
from agent.errors import SettingsError
from agent.handoffs import Applied, RelayStatus, RelaySummary
from agent.opening import Flags, begin, choose, model_of, say_all
from agent.record import as_json
from agent.relay import Means, run_relay
from agent.relay_status import named_turn, relay_status
from agent.settings import Settings
from agent.store import Store
from agent.workspace import Workspace, shown

ALL_WELL, AMISS, SOME_REFUSED = 0, 1, 1


def run(folder: Path, flags: Flags, *, day: dt.date | None, wait_seconds: float) -> int:
    """Do what is due, and print one line of JSON about it; the exit status is the summary's.

    Raises:
        AgentError: it could not be begun at all.
    """
    return run_once(folder, flags, now=dt.datetime.now(dt.UTC), day=day, wait_seconds=wait_seconds).exit_status


def run_once(
    folder: Path, flags: Flags, *, now: dt.datetime, day: dt.date | None = None, wait_seconds: float = 0.0
) -> RelaySummary:
    """Do what is due at a moment, print its summary and return it.

    Raises:
        AgentError: it could not be begun at all.
    """
    settings, workspace = begin(folder, flags)
    return run_begun(settings, workspace, now=now, day=day, wait_seconds=wait_seconds)


def run_begun(
    settings: Settings,
    workspace: Workspace,
    *,
    now: dt.datetime,
    day: dt.date | None = None,
    wait_seconds: float = 0.0,
) -> RelaySummary:
    """Do what `run_once` does, with settings that are loaded.

    Raises:
        AgentError: it could not be begun at all.
    """
    today = now.astimezone(settings.zone).date()
    if day is not None and day > today:
        raise SettingsError(f"{day} has not come yet: today is {today} in {settings.timezone}.")
    with ExitStack() as closing:
        store = closing.enter_context(Store.open(workspace.state_folder))
        say_all(store.remarks)
        bar = closing.enter_context(console.ProgressBar(settings.prices))
        engine = choose(settings)
        means = Means(
            store=store,
            engine=engine,
            open_model=lambda: model_of(engine, settings, workspace, memory=store, watcher=bar),
            progress=bar,
        )
        summary = run_relay(workspace, settings, means, now=now, day=day, wait_seconds=wait_seconds)
    say_all(workspace.problems)
    if summary.state == "failed":
        console.fail(summary.detail)
    elif summary.detail:
        console.say(summary.detail)
    console.write_out(one_line(summary))
    return summary


def one_line(summary: RelaySummary) -> str:
    """Return a summary as one line of JSON."""
    return as_json(summary, indent=None)


def status(folder: Path, flags: Flags, *, day: dt.date | None, form: str) -> int:
    """Print how the relay stands; the exit status says whether something is amiss.

    Raises:
        AgentError: it could not be looked at.
    """
    settings, workspace = begin(folder, flags)
    now = dt.datetime.now(dt.UTC)
    with ExitStack() as closing:
        store = Store.open_to_read(workspace.state_path)
        if store is not None:
            closing.enter_context(store)
        found = relay_status(workspace, settings, store=store, now=now, day=day)
    if form == "json":
        console.write_out(as_json(found))
    else:
        _show(found)
    say_all((*workspace.problems, *found.remarks, *found.amiss))
    return AMISS if found.amiss else ALL_WELL


def apply_handoff(folder: Path, flags: Flags, handoff: Path, chosen: Sequence[str], *, is_all: bool, form: str) -> int:
    """Show what operations of a handoff would change, or apply those chosen; the exit status says whether some were refused.

    Raises:
        AgentError: there is no such handoff or operation, or a document cannot be written.
    """
    _, workspace = begin(folder, flags)
    found = load_handoff(handoff, workspace)
    if not chosen and not is_all:
        _show_offers(offers(workspace, found))
        return ALL_WELL
    done = apply(workspace, found, chosen, now=dt.datetime.now(dt.UTC))
    return _show_applied(done, form, said="applied to")


def undo_last(folder: Path, flags: Flags, *, form: str) -> int:
    """Take the last change of a living document back.

    Raises:
        AgentError: there is none, or the document changed since.
    """
    _, workspace = begin(folder, flags)
    return _show_applied(undo(workspace), form, said="taken back from")


def _show_offers(found: Sequence[Offer]) -> None:
    for one in found:
        operation = one.operation
        console.write_out(f"{operation.id} {operation.action} {shown(operation.document)} {shown(operation.section)}\n")
        console.write_out(f"  {shown(operation.title)}\n  > {shown(operation.reason or operation.because.quote)}\n")
        if one.why_not:
            console.write_out(f"  cannot be applied: {shown(one.why_not)}\n\n")
        else:
            console.write_out("".join(f"  {shown(line)}\n" for line in one.diff.split("\n")) + "\n")
    can = sum(not one.why_not for one in found)
    console.say(
        f"{console.counted(len(found), 'operation')}, {can} can be applied: name them with --operation, or --all."
    )


def _show_applied(done: Applied, form: str, *, said: str) -> int:
    if form == "json":
        console.write_out(as_json(done))
    else:
        for change in done.changes:
            what = console.counted(len(change.operations), "operation")
            console.write_out(f"{what} {said} {shown(change.document)} (change {change.number}).\n")
    for refusal in done.refused:
        console.say(f"{refusal.operation} was not applied: {refusal.why}")
    return SOME_REFUSED if done.refused else ALL_WELL


def _show(found: RelayStatus) -> None:
    rows: list[tuple[str, str, str, str]] = [("own", named_turn(one.turn), one.state, one.detail) for one in found.own]
    for baton in found.coverage.batons:
        what = " ".join(part for part in (baton.agent, baton.topic, baton.slot) if part)
        rows.append(("baton", what, baton.state, ", ".join((*baton.notes, *baton.duplicates))))
    stale = {one.document for one in found.coverage.stale}
    for document in found.coverage.documents:
        state = "stale" if document.document in stale else "fresh"
        since = f"updated {document.updated}" if document.updated else "no update is known"
        rows.append(("document", document.document, state, since))
    title = f"relay of {found.agent}, {found.now:%Y-%m-%d %H:%M} {found.timezone}, day {found.date}"
    if found.next_due is not None:
        title += f"; next {found.next_due:%Y-%m-%d %H:%M}"
    console.show_table(title, rows, columns=("what", "which", "state", "detail"))

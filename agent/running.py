"""What each command does between its flags and its exit status: settings, stories, output."""

import datetime as dt
import json
import os
import shlex
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from agent import console, contract
from agent.asking.testing import MemoryStore
from agent.auditing.report import render_audit
from agent.costs import Estimate, shown_cost
from agent.diagnose import diagnose
from agent.digesting.markdown import render_markdown
from agent.engine import foreseen
from agent.errors import AgentError, NoteUnreadable, OutputUnwritable, SettingsError, StoreError
from agent.estimate import estimate
from agent.evaluating.comparing import compare, read_limits, shortfalls
from agent.evaluating.tables import tables_of
from agent.examining import examine, read_golds, read_run, unread
from agent.holding import hold
from agent.opening import Flags, begin, choose, model_of, say_all
from agent.past import PastDigest, past_of
from agent.pipeline import Order, Plan, extract_note, make_digest, plan, workspace_key
from agent.record import as_json
from agent.records import CheckedNote, Cost, Digest, Engine, Usage
from agent.settings import Settings
from agent.starting import start_workspace
from agent.store import Store
from agent.workspace import Workspace

DONE, SOME_FAILED, WRONG_USE, NOT_DONE = 0, 1, 2, 3
_NO_NOTE = frozenset({"gone", "not_followed"})  # what was named is no file
SOME_FALSE = 1
_PAST_DAYS = 30  # that a digest looks back
EXAMPLE_DAY = "2026-09-14"  # of most of the notes in the worked example


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which digest, and how it is to be written."""

    topic: str | None
    date: dt.date | None
    form: str
    output: Path | None
    is_dry_run: bool


def digest(folder: Path, flags: Flags, wanted: Wanted) -> int:
    """Make a digest and write it; the exit status says whether some notes failed.

    Raises:
        AgentError: it could not be done at all; nothing was written.
    """
    settings, workspace = begin(folder, flags)
    engine = choose(settings)
    now = dt.datetime.now(settings.zone)
    date = wanted.date or now.date()
    planned = plan(
        workspace,
        Order(topic=wanted.topic.removesuffix(".md") if wanted.topic else None, date=date, days=settings.days),
    )
    say_all(workspace.problems)
    if wanted.is_dry_run:
        return _dry_run(workspace, settings, planned, engine=engine, form=wanted.form)
    if wanted.output is not None:
        workspace.check_output(wanted.output)
    key = workspace_key(workspace)
    with ExitStack() as closing:
        memory = _memory(engine, workspace, closing)
        planned = replace(planned, past=_past(memory, key, date), now=now)
        with (
            console.ProgressBar(settings.prices) as bar,
            model_of(engine, settings, workspace, memory=memory, watcher=bar) as model,
        ):
            outcomes = make_digest(workspace, settings, planned, engine=engine, model=model, progress=bar)
        _write(_formed(outcomes.digest, wanted.form, _way(wanted.output, workspace)), wanted.output, workspace)
        _keep(past_of(outcomes.digest, outcomes.claims), key, memory)
    console.say(f"{console.counted(len(outcomes.digest.increments), 'increment')}; {bar.cost}.")
    _name_failed(outcomes.failed)
    return SOME_FAILED if outcomes.failed else DONE


def extract(folder: Path, flags: Flags, note: str, *, output: Path | None) -> int:
    """Extract one note and write it as JSON.

    Raises:
        AgentError: the engine failed, or the settings make no sense.
    """
    settings, workspace = begin(folder, flags)
    engine = choose(settings)
    if output is not None:
        workspace.check_output(output)
    try:
        with (
            ExitStack() as closing,
            console.ProgressBar(settings.prices) as bar,
            model_of(engine, settings, workspace, memory=_replies(engine, workspace, closing), watcher=bar) as model,
        ):
            extraction = extract_note(workspace, settings, note, engine=engine, model=model)
    except NoteUnreadable as error:  # the only note there was
        console.fail(str(error))
        return WRONG_USE if error.outcome in _NO_NOTE else NOT_DONE
    say_all(workspace.problems)
    _write(as_json(extraction), output, workspace)
    for failure in extraction.segments_failed:
        console.say(f"{extraction.note} line {failure.line}: {failure.detail}")
    return SOME_FAILED if extraction.segments_failed else DONE


def audit(folder: Path, flags: Flags, brief: str, *, days: int | None, form: str, output: Path | None) -> int:
    """Hold a brief against the workspace and write what came of it; the exit status says whether something is false.

    Raises:
        AgentError: the workspace cannot be used, or the result cannot be written.
    """
    settings, workspace = begin(folder, flags)
    if output is not None:
        workspace.check_output(output)
    try:
        found = hold(workspace, settings, brief, days=days)
    except NoteUnreadable as error:  # the only brief there was
        console.fail(str(error))
        return WRONG_USE if error.outcome in _NO_NOTE else NOT_DONE
    _write(as_json(found) if form == "json" else render_audit(found), output, workspace)
    false = sum(one.verdict == "false" for one in found.findings)
    console.say(f"{console.counted(len(found.findings), 'finding')}, {false} false.")
    return SOME_FALSE if found.is_false else DONE


@dataclass(frozen=True, slots=True)
class Examination:
    """Which gold answers, what is asked of the figures, and how they are to be written."""

    gold: Path
    form: str
    output: Path | None
    compare: Path | None
    least: tuple[str, ...]
    most: tuple[str, ...]
    is_fresh: bool


def evaluate(folder: Path, flags: Flags, asked: Examination) -> int:
    """Score an engine on gold answers; the exit status says whether a note failed or a figure falls short.

    Raises:
        AgentError: it could not be done at all; nothing was written.
    """
    limits = read_limits(asked.least, asked.most)
    golds = read_golds(asked.gold)
    before = read_run(asked.compare) if asked.compare else None
    settings, workspace = begin(folder, flags)
    engine = choose(settings)
    if asked.output is not None:
        workspace.check_output(asked.output)
        _keep_gold(asked.gold, asked.output)
    with (
        ExitStack() as closing,
        console.ProgressBar(settings.prices) as bar,
        model_of(
            engine,
            settings,
            workspace,
            memory=MemoryStore() if asked.is_fresh else _replies(engine, workspace, closing),
            watcher=bar,
        ) as model,
    ):
        found = examine(workspace, settings, golds, engine=engine, model=model, progress=bar)
    if before is not None:
        found = found.model_copy(update={"comparison": compare(before, found)})
    say_all((*workspace.problems, *found.remarks, *(found.comparison.remarks if found.comparison else ())))
    if asked.output is not None:
        _write(as_json(found), asked.output, workspace)
    if asked.form == "table":
        for table in tables_of(found):
            console.show_table(table.title, table.rows, columns=table.columns, figures=table.figures)
    elif asked.output is None:
        console.write_out(as_json(found))
    failed, short = unread(found), shortfalls(found, limits)
    say_all((*(f"{one.note}: {one.outcome}. {one.detail}" for one in failed), *short, f"{bar.cost}."))
    return SOME_FAILED if failed or short else DONE


def _keep_gold(gold: Path, output: Path) -> None:
    """Refuse to write a run over the answers that it is scored against."""
    target, read = output.resolve(), gold.resolve()
    if target == read or (target.parent == read and target.suffix == ".yaml"):
        raise OutputUnwritable(f"{str(output)!r} is one of the gold answers: name another file for the run.")


def init(target: Path, *, with_example: bool) -> int:
    """Create a workspace.

    Raises:
        WorkspaceError: the target is not empty or cannot be written.
    """
    made = start_workspace(target, with_example=with_example)
    console.say(f"{len(made)} files and folders made in {str(target)!r}.")
    command = f"agent digest --workspace {shlex.quote(str(target))}"
    if with_example:
        console.say(f"Next: {command} --date {EXAMPLE_DAY}")
    else:
        console.say(f"Next: drop notes into {target / 'inbox'}/<agent>/ and run {command}")
    return DONE


def doctor(folder: Path, flags: Flags) -> int:
    """Print what is configured, reachable and missing."""
    findings = diagnose(folder, flags)
    console.show_table(
        "relay digest", [(f.what, f.state, f.detail) for f in findings], columns=("what", "state", "detail")
    )
    return DONE if all(finding.is_fine for finding in findings) else SOME_FAILED


def schema(folder: Path | None, *, name: str | None) -> int:
    """Print the JSON Schemas, or one of them, or write them all.

    Raises:
        SettingsError: there is no schema of that name, or one is to be printed and all are to be written.
        OutputUnwritable: the folder cannot be written.
    """
    schemas = contract.exported()
    if name is not None and name not in schemas:
        raise SettingsError(f"There is no schema {name!r}; there are: {', '.join(sorted(schemas))}.")
    if folder is None:
        console.write_out(json.dumps(schemas[name] if name else schemas, ensure_ascii=False, indent=2) + "\n")
        return DONE
    if name is not None:
        raise SettingsError("--name prints one schema and --write writes all of them: give one of the two.")
    try:
        written = contract.write_schemas(folder)
    except (OSError, ValueError) as error:  # the latter for a NUL in the path
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise OutputUnwritable(f"Schemas cannot be written to {str(folder)!r} ({reason}): name another one.") from error
    console.say(f"{len(written)} of {len(schemas)} schema files written to {str(folder)!r}.")
    return DONE


def _replies(engine: Engine, workspace: Workspace, closing: ExitStack) -> Store | None:
    """Open the store of replies, which engine none has no need of."""
    if engine == "none":
        return None
    store = closing.enter_context(Store.open(workspace.state_folder))
    say_all(store.remarks)
    return store


def _memory(engine: Engine, workspace: Workspace, closing: ExitStack) -> Store | None:
    """Open the store for a digest; without a model nothing is paid for, and a digest that cannot look back is one all the same."""
    try:
        store = closing.enter_context(Store.open(workspace.state_folder))
    except AgentError as error:
        if engine != "none":
            raise
        console.say(f"What earlier digests had is not known: {error}")
        return None
    say_all(store.remarks)
    return store


def _past(memory: Store | None, key: str, date: dt.date) -> tuple[PastDigest, ...]:
    """Earlier digests, the newest first; that they cannot be read is said, and today's is made all the same."""
    if memory is None:
        return ()
    known = len(memory.remarks)
    try:
        past = memory.digests_before(key, date, days=_PAST_DAYS)
    except StoreError as error:
        console.say(f"What earlier digests had is not known: {error}")
        return ()
    say_all(memory.remarks[known:])
    return past


def _keep(past: PastDigest, key: str, memory: Store | None) -> None:
    """Keep a digest for later ones; that it cannot be kept is said, and it is written all the same."""
    if memory is None:
        return
    try:
        memory.put_digest(key, past)
    except StoreError as error:
        console.say(f"Later digests will not know of this one: {error}")


def _formed(digest: Digest, form: str, base: str) -> str:
    return as_json(digest) if form == "json" else render_markdown(digest, base=base)


def _way(output: Path | None, workspace: Workspace) -> str:
    """The way from the folder of a file to the workspace, for links; empty for standard output and from another drive."""
    if output is None:
        return ""
    try:
        way = os.path.relpath(workspace.root.resolve(), output.resolve().parent)
    except (OSError, ValueError):
        return ""
    return "" if way == os.curdir else way.replace(os.sep, "/")


def _write(text: str, output: Path | None, workspace: Workspace) -> None:
    if output is None:
        console.write_out(text)
    else:
        workspace.write(output, text.encode("utf-8", "backslashreplace"))
        console.say(f"Written to {str(output)!r}.")


def _dry_run(workspace: Workspace, settings: Settings, planned: Plan, *, engine: Engine, form: str) -> int:
    """Print what the digest of a plan would cost; nothing is asked, started or written."""
    if engine == "none":
        found = estimate(workspace, settings, planned, engine=engine, model=None)
    else:
        with ExitStack() as closing:
            memory = _kept(workspace)
            if memory is not None:
                closing.enter_context(memory)
            model = foreseen(engine, settings, memory=memory)
            found = estimate(workspace, settings, planned, engine=engine, model=model)
    say_all(found.remarks)
    if form == "json":
        console.write_out(as_json(found))
    else:
        _show_estimate(found)
    return DONE


def _kept(workspace: Workspace) -> Store | None:
    """Return the replies that are kept, to read from alone; what cannot be read counts as none."""
    try:
        return Store.open_to_read(workspace.state_path)
    except StoreError as error:
        console.say(str(error))
        return None


def _show_estimate(found: Estimate) -> None:
    figures = ("calls", "remembered", "tokens in", "out", *(("cost",) if found.cost else ()))
    rows = [
        (one.note, one.outcome or "to be read", *_figures(one.usage, one.calls_remembered, one.cost))
        for one in found.notes
    ]
    rows.append(("in all, about", "", *_figures(found.usage, found.calls_remembered, found.cost)))
    title = f"{found.window.start} to {found.window.end}"
    console.show_table(title, rows, columns=("note", "state", *figures), figures=figures)
    if found.budget_tokens is not None:
        is_enough = found.budget_needed <= found.budget_tokens
        said = "which is enough" if is_enough else f"which is too little: about {found.budget_needed:,} are needed"
        console.write_out(f"The budget is {found.budget_tokens:,} tokens, {said}.\n")


def _figures(usage: Usage, remembered: int, cost: Cost | None) -> tuple[str, ...]:
    counts = (usage.calls, remembered, usage.prompt_tokens, usage.completion_tokens)
    return (*(f"{count:,}" for count in counts), *((shown_cost(cost),) if cost else ()))


def _name_failed(failed: tuple[CheckedNote, ...]) -> None:
    for one in failed:
        console.say(f"{one.note}: {one.outcome}. {one.detail}")

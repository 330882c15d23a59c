"""The door: flags to settings, settings to a story, its outcome to an exit status. No logic lives here.

Exit status: 0 done; 1 done, but some notes failed or a figure falls short; 2 wrong use; 3 could not do it at all.
"""

import datetime as dt
import sys
from enum import Enum, StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agent.errors import AgentError

app = typer.Typer(
    name="agent",
    help="Read the notes of research agents and write one digest that people can act on.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # a traceback would show note text and, with locals, keys
    rich_markup_mode=None,
)


class EngineName(StrEnum):
    """Where model calls go."""

    remote = "remote"
    local = "local"
    none = "none"


class LanguageName(StrEnum):
    """The digest's language."""

    zh = "zh"
    en = "en"


class FormatName(StrEnum):
    """How a digest is written."""

    md = "md"
    json = "json"


class SchedulerName(StrEnum):
    """What starts a run when it is due."""

    systemd = "systemd"
    cron = "cron"


class TableFormatName(StrEnum):
    """How scores are written."""

    table = "table"
    json = "json"


WorkspaceOption = Annotated[
    Path, typer.Option("--workspace", "-w", help="Folder that holds inbox/, organized/ and paper_cards/.")
]
EngineOption = Annotated[
    EngineName | None,
    typer.Option(
        "--engine", help="remote, local or none; by default remote if a key is set, else local if installed, else none."
    ),
]
ModelOption = Annotated[str | None, typer.Option("--model", help="Name of the model at the remote endpoint.")]
LanguageOption = Annotated[LanguageName | None, typer.Option("--language", help="Language of the digest: zh or en.")]
StateOption = Annotated[Path | None, typer.Option("--state", help="Folder for the program's own database and logs.")]
BudgetOption = Annotated[int | None, typer.Option("--budget", min=1, help="Most tokens that this run may pay for.")]
OutputOption = Annotated[Path | None, typer.Option("--output", "-o", help="File to write; standard output by default.")]

relay_app = typer.Typer(
    help="The handoff: what is due, missing and stale.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(relay_app, name="relay")


@app.command()
def digest(  # noqa: PLR0913  one parameter per flag
    *,
    topic: Annotated[
        str | None, typer.Option("--topic", help="A living document's name; all topics by default.")
    ] = None,
    date: Annotated[
        str | None,
        typer.Option("--date", help="Day of the digest, YYYY-MM-DD; today in the workspace's time zone by default."),
    ] = None,
    days: Annotated[
        int | None, typer.Option("--days", min=1, max=366, help="Days it covers, its own included; 2 by default.")
    ] = None,
    workspace: WorkspaceOption = Path(),
    engine: EngineOption = None,
    model: ModelOption = None,
    form: Annotated[FormatName, typer.Option("--format", help="md or json.")] = FormatName.md,
    output: OutputOption = None,
    language: LanguageOption = None,
    budget: BudgetOption = None,
    state: StateOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Estimate calls, tokens and cost of each note, print them, and stop.")
    ] = False,
) -> None:
    """Digest the notes of a day: what is new, how far to trust it, where it belongs, who reported it."""
    from agent import running  # noqa: PLC0415  keeps --help fast

    flags = _flags(engine=engine, model=model, language=language, budget_tokens=budget, state=state, days=days)
    wanted = running.Wanted(topic=topic, date=_day(date), form=form.value, output=output, is_dry_run=dry_run)
    raise typer.Exit(running.digest(workspace, flags, wanted))


@app.command()
def extract(  # noqa: PLR0913  one parameter per flag
    note: Annotated[str, typer.Argument(metavar="NOTE", help="A note: a path, or relative to the workspace.")],
    *,
    workspace: WorkspaceOption = Path(),
    engine: EngineOption = None,
    model: ModelOption = None,
    output: OutputOption = None,
    language: LanguageOption = None,
    budget: BudgetOption = None,
    state: StateOption = None,
) -> None:
    """Extract one note to JSON."""
    from agent import running  # noqa: PLC0415  keeps --help fast

    flags = _flags(engine=engine, model=model, language=language, budget_tokens=budget, state=state)
    raise typer.Exit(running.extract(workspace, flags, note, output=output))


@app.command()
def audit(
    brief: Annotated[
        str,
        typer.Argument(metavar="BRIEF", help="A brief that somebody else wrote: a path, or relative to the workspace."),
    ],
    *,
    workspace: WorkspaceOption = Path(),
    days: Annotated[
        int | None,
        typer.Option("--days", min=1, help="Days of notes up to the brief's own; all up to that day by default."),
    ] = None,
    form: Annotated[FormatName, typer.Option("--format", help="md or json.")] = FormatName.md,
    output: OutputOption = None,
    language: LanguageOption = None,
) -> None:
    """Hold a brief against the workspace; no model is needed. Exit status 1 when something in it is false."""
    from agent import running  # noqa: PLC0415  keeps --help fast

    flags = _flags(language=language)
    raise typer.Exit(running.audit(workspace, flags, brief, days=days, form=form.value, output=output))


@relay_app.command(name="run")
def relay_run(  # noqa: PLR0913  one parameter per flag
    *,
    date: Annotated[
        str | None,
        typer.Option("--date", help="Only the own batons of that day, YYYY-MM-DD, even if it is long over."),
    ] = None,
    wait: Annotated[
        float, typer.Option("--wait", min=0, max=86_400, help="Seconds to wait for another run to end; 0 by default.")
    ] = 0.0,
    workspace: WorkspaceOption = Path(),
    engine: EngineOption = None,
    model: ModelOption = None,
    language: LanguageOption = None,
    budget: BudgetOption = None,
    state: StateOption = None,
) -> None:
    """Make the digests that are due, write them and the handoff, and print one line of JSON about it.

    What was missed is caught up once. Where nothing is due, nothing is asked and nothing is written.
    """
    from agent import relay_running  # noqa: PLC0415  keeps --help fast

    flags = _flags(engine=engine, model=model, language=language, budget_tokens=budget, state=state)
    raise typer.Exit(relay_running.run(workspace, flags, day=_day(date), wait_seconds=wait))


@relay_app.command(name="status")
def relay_status(
    *,
    date: Annotated[str | None, typer.Option("--date", help="Day to look at, YYYY-MM-DD; today by default.")] = None,
    form: Annotated[TableFormatName, typer.Option("--format", help="table or json.")] = TableFormatName.table,
    workspace: WorkspaceOption = Path(),
    state: StateOption = None,
) -> None:
    """Say what is due, done, missing and stale now. Exit status 1 when something is amiss."""
    from agent import relay_running  # noqa: PLC0415  keeps --help fast

    raise typer.Exit(relay_running.status(workspace, _flags(state=state), day=_day(date), form=form.value))


@app.command()
def apply(  # noqa: PLR0913  one parameter per flag
    handoff: Annotated[
        Path, typer.Argument(metavar="HANDOFF", help="A handoff.json: a path, or relative to the workspace.")
    ] = Path("handoff.json"),
    *,
    operation: Annotated[
        list[str] | None, typer.Option("--operation", help="Id of an operation to apply; may be given often.")
    ] = None,
    all_of_them: Annotated[bool, typer.Option("--all", help="Apply all that can be applied.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Take the last change back.")] = False,
    workspace: WorkspaceOption = Path(),
    form: Annotated[TableFormatName, typer.Option("--format", help="table or json.")] = TableFormatName.table,
    state: StateOption = None,
) -> None:
    """Show what the operations of a handoff would change in the living documents; apply those chosen, or take them back.

    Nothing is changed unless operations are named. Exit status 1 when one was refused.
    """
    from agent import relay_running  # noqa: PLC0415  keeps --help fast

    if undo and (operation or all_of_them):
        raise typer.BadParameter("it takes the last change back, whichever it was: give it alone.", param_hint="--undo")
    flags = _flags(state=state)
    if undo:
        raise typer.Exit(relay_running.undo_last(workspace, flags, form=form.value))
    raise typer.Exit(
        relay_running.apply_handoff(
            workspace, flags, handoff, tuple(operation or ()), is_all=all_of_them, form=form.value
        )
    )


@relay_app.command(name="schedule")
def relay_schedule(  # noqa: PLR0913  one parameter per flag
    *,
    printed: Annotated[
        SchedulerName | None,
        typer.Option("--print", help="Print units for systemd or lines for cron that do the same, and stop."),
    ] = None,
    workspace: WorkspaceOption = Path(),
    engine: EngineOption = None,
    model: ModelOption = None,
    language: LanguageOption = None,
    budget: BudgetOption = None,
    state: StateOption = None,
) -> None:
    """Stay, and run whenever one of our own batons is due; one line of JSON for each run.

    SIGINT or SIGTERM end it after the run under way, a second one at once.
    """
    from agent import scheduling  # noqa: PLC0415  keeps --help fast

    flags = _flags(engine=engine, model=model, language=language, budget_tokens=budget, state=state)
    if printed is not None:
        raise typer.Exit(scheduling.print_units(workspace, flags, form=printed.value))
    raise typer.Exit(scheduling.schedule(workspace, flags))


@app.command(name="eval")
def evaluate(  # noqa: PLR0913  one parameter per flag
    gold: Annotated[Path, typer.Argument(metavar="GOLD", help="Gold answers: a YAML file, or a folder of them.")],
    *,
    workspace: WorkspaceOption = Path(),
    engine: EngineOption = None,
    model: ModelOption = None,
    language: LanguageOption = None,
    budget: BudgetOption = None,
    state: StateOption = None,
    form: Annotated[TableFormatName, typer.Option("--format", help="table or json.")] = TableFormatName.table,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write the run to, as JSON, for --compare.")
    ] = None,
    compare: Annotated[
        Path | None, typer.Option("--compare", metavar="RUN", help="An earlier run's JSON, to compare with.")
    ] = None,
    least: Annotated[
        list[str] | None,
        typer.Option("--min", metavar="NAME=VALUE", help="A figure that must be reached; may be given often."),
    ] = None,
    most: Annotated[
        list[str] | None,
        typer.Option("--max", metavar="NAME=VALUE", help="A figure that must not be passed; may be given often."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask again, and remember no reply.")] = False,
) -> None:
    """Score an engine and model on notes whose right answers are known."""
    from agent import running  # noqa: PLC0415  keeps --help fast

    flags = _flags(engine=engine, model=model, language=language, budget_tokens=budget, state=state)
    asked = running.Examination(
        gold=gold,
        form=form.value,
        output=output,
        compare=compare,
        least=tuple(least or ()),
        most=tuple(most or ()),
        is_fresh=fresh,
    )
    raise typer.Exit(running.evaluate(workspace, flags, asked))


@app.command()
def init(
    target: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to create.")],
    *,
    example: Annotated[bool, typer.Option("--example", help="Fill it with a worked example.")] = False,
) -> None:
    """Create a new workspace, or a worked example."""
    from agent import running  # noqa: PLC0415  keeps --help fast

    raise typer.Exit(running.init(target, with_example=example))


@app.command()
def doctor(
    *,
    workspace: WorkspaceOption = Path(),
    engine: EngineOption = None,
    model: ModelOption = None,
    state: StateOption = None,
) -> None:
    """Say which engine would be used and why, and what is configured, reachable or missing."""
    from agent import running  # noqa: PLC0415  keeps --help fast

    raise typer.Exit(running.doctor(workspace, _flags(engine=engine, model=model, state=state)))


@app.command()
def schema(
    *,
    write: Annotated[
        Path | None, typer.Option("--write", help="Folder to write one file per record and reply to.")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="Print only this one.")] = None,
) -> None:
    """Export the JSON Schemas of what the program writes and of what a model fills in."""
    from agent import running  # noqa: PLC0415  keeps --help fast

    raise typer.Exit(running.schema(write, name=name))


def main() -> None:
    """Run the command line; errors of ours become one sentence and an exit status."""
    try:
        app(standalone_mode=True)
    except AgentError as error:
        from agent import console  # noqa: PLC0415  keeps --help fast

        console.fail(str(error))
        sys.exit(error.exit_status)
    except KeyboardInterrupt:
        from agent import console  # noqa: PLC0415  keeps --help fast

        console.fail("Stopped. Every reply so far is kept: the same command goes on from here.")
        sys.exit(130)


def _flags(**given: object) -> dict[str, object]:
    return {name: value.value if isinstance(value, Enum) else value for name, value in given.items()}


def _day(text: str | None) -> dt.date | None:
    if text is None:
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no day; write it like 2026-09-14.", param_hint="--date") from None

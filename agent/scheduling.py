"""What `agent relay schedule` does between its flags and its exit status."""

import datetime as dt
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from agent import console
from agent.errors import AgentError, SettingsError
from agent.handoffs import RelaySummary
from agent.opening import Flags, begin
from agent.relay import is_held
from agent.relay_running import run_begun
from agent.relay_status import is_due
from agent.relaying.turns import Calendar, calendar_of
from agent.schedule import Hands, Standing, stay
from agent.settings import Settings, load_settings
from agent.store import Store
from agent.timers import cron_lines, systemd_units
from agent.workspace import Workspace

WAIT_SECONDS = 3600  # that a run which systemd or cron starts waits for another one
_FLAGS = {
    "engine": "--engine",
    "model": "--model",
    "language": "--language",
    "budget_tokens": "--budget",
    "state": "--state",
}


def schedule(folder: Path, flags: Flags) -> int:
    """Stay and run whenever something is due, until a signal comes; returns the exit status.

    Raises:
        AgentError: it could not be begun at all.
        KeyboardInterrupt: a second signal came.
    """
    relay = StandingRelay(folder, flags)
    return stay(Hands(plan=relay.plan, standing=relay.standing, run=relay.run, say=console.say, fail=console.fail))


def print_units(folder: Path, flags: Flags, *, form: str) -> int:
    """Print what makes systemd or cron do the same; returns the exit status.

    Raises:
        AgentError: there is no workspace, or its path cannot be written there.
    """
    settings, _ = begin(folder, flags)
    calendar = calendar_of(settings.batons, settings.own_agent, settings.zone)
    write = {"systemd": systemd_units, "cron": cron_lines}[form]
    console.write_out(write(calendar, command_of(folder, flags), folder.absolute()))
    return 0


class StandingRelay:
    """A relay with the last settings that made sense.

    Raises:
        AgentError: those at the beginning do not.
    """

    def __init__(self, folder: Path, flags: Flags) -> None:
        self._folder, self._flags = folder, flags
        self._settings, self._workspace = begin(folder, flags)
        self._complaint = ""

    def plan(self) -> Calendar:
        """Read the settings anew; broken ones are said once, and the last ones stay."""
        try:
            self._settings, self._workspace = self._reread()
            self._complaint = ""
        except AgentError as error:
            if str(error) != self._complaint:
                console.fail(f"{error} What was planned before stays in force.")
            self._complaint = str(error)
        return calendar_of(self._settings.batons, self._settings.own_agent, self._settings.zone)

    def standing(self) -> Standing:
        """How the relay stands now.

        Raises:
            AgentError: the ledger cannot be read, or the relay not locked.
        """
        with ExitStack() as closing:
            store = Store.open_to_read(self._workspace.state_path)
            if store is not None:
                closing.enter_context(store)
            if not is_due(self._workspace, self._settings, store=store, now=dt.datetime.now(dt.UTC)):
                return "idle"
        return "held" if is_held(self._workspace) else "due"

    def run(self) -> RelaySummary:
        """Do what is due now.

        Raises:
            AgentError: it could not be begun at all.
        """
        return run_begun(self._settings, self._workspace, now=dt.datetime.now(dt.UTC))

    def _reread(self) -> tuple[Settings, Workspace]:
        settings = load_settings(self._folder, flags=self._flags)
        return settings, Workspace.open(self._folder, settings=settings)


def command_of(folder: Path, flags: Flags) -> list[str]:
    """Return the command that does once what a schedule with these flags does again and again, its paths absolute.

    Raises:
        SettingsError: the program cannot be found.
    """
    program = next((path for path in _programs() if path.is_file() and os.access(path, os.X_OK)), None)
    if program is None:
        raise SettingsError("The program that runs now cannot be found: call it by its path.")
    command = [str(program), "relay", "run", "--wait", str(WAIT_SECONDS), "--workspace", str(folder.absolute())]
    for name, flag in _FLAGS.items():
        value = flags.get(name)
        if value is not None:
            command += [flag, str(value.absolute() if isinstance(value, Path) else value)]
    return command


def _programs() -> Iterator[Path]:
    """Where the command may lie: what was called, else beside the interpreter that runs it."""
    called = shutil.which(sys.argv[0])
    if called and Path(called).name == "agent":
        yield Path(called).absolute()
    yield Path(sys.executable).with_name("agent")

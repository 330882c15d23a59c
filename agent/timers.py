"""Writes down for systemd or cron when our own batons are due, so that the machine starts `agent relay run`.

Promises: pure; a path comes out quoted so that the program gets it as it is, or it is refused; nothing secret stands in it.
"""

import hashlib
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from agent.errors import SettingsError
from agent.relaying.turns import Calendar
from agent.setting_values import WEEKDAYS

MAX_CRON_BYTES = 900  # the original cron cuts a command at 999
_UNSAFE_IN_NAMES = re.compile(r"[^A-Za-z0-9]+")

_UNITS = """\
# {name}.service
# For this workspace alone; put both units into ~/.config/systemd/user/ (or /etc/systemd/system/), then
#   systemctl --user daemon-reload && systemctl --user enable --now {name}.timer && loginctl enable-linger
[Unit]
Description=relay digest: own batons of {title}
# A failed run is tried again after 10 minutes, 6 times at most; name here what shall tell you:
# OnFailure=
StartLimitIntervalSec=2h
StartLimitBurst=6

[Service]
Type=oneshot
ExecStart={command}
Restart=on-failure
RestartSec=10min
RestartPreventExitStatus=1 2
NoNewPrivileges=yes
# A key belongs in ~/.config/relay-digest/config.toml or in this file, which nobody else may read (chmod 600):
EnvironmentFile=-%h/.config/relay-digest/environment

# {name}.timer
[Unit]
Description=relay digest: when own batons of {title} are due

[Timer]
{calendar}
# What was missed while the machine was off is made up for at its start.
Persistent=true
AccuracySec=1s

[Install]
WantedBy=timers.target
"""

_CRON = """\
# relay digest: own batons of {title}. Add these lines at the end of `crontab -e`: CRON_TZ holds for all lines after it.
# A cron that does not know CRON_TZ takes the times for the machine's own. It starts nothing later that it missed: the
# line with @reboot does. A key belongs in ~/.config/relay-digest/config.toml, which nobody else may read (chmod 600).
CRON_TZ={zone}
{lines}
@reboot {command}
"""


def systemd_units(calendar: Calendar, command: Sequence[str], workspace: Path) -> str:
    """Return a service and the timer that starts it, each after a comment that names its file.

    Args:
        calendar: when our own batons are due.
        command: what to start, its program by an absolute path.
        workspace: the absolute path of the workspace, for the units' name.

    Raises:
        SettingsError: a path cannot be written there.
    """
    _refuse_unprintable(command)
    if "$" in command[0]:
        raise SettingsError(f"systemd starts no program whose path holds a '$', as {command[0]!r} does: move it.")
    lines = (f"OnCalendar={_weekdays(days)}*-*-* {slot}:00 {calendar.zone.key}" for days, slot in _slots(calendar))
    return _UNITS.format(
        name=unit_name(workspace),
        title=_title(workspace).replace("%", "%%"),
        command=" ".join(map(_for_systemd, command)),
        calendar="\n".join(lines),
    )


def cron_lines(calendar: Calendar, command: Sequence[str], workspace: Path) -> str:
    """Return the lines of a crontab.

    Args:
        calendar: when our own batons are due.
        command: what to start, its program by an absolute path.
        workspace: the absolute path of the workspace, for the comment.

    Raises:
        SettingsError: a path cannot be written there.
    """
    _refuse_unprintable(command)
    if any("\\" in part for part in command):
        raise SettingsError("Crons do not agree on what a backslash in a path means: use --print systemd, or move it.")
    shown = shlex.join(command).replace("%", r"\%")
    if len(shown.encode()) > MAX_CRON_BYTES:
        raise SettingsError(
            f"The command is longer than the {MAX_CRON_BYTES} bytes that cron takes: shorten its paths."
        )
    lines = (f"{int(slot[3:])} {int(slot[:2])} * * {_numbers(days)} {shown}" for days, slot in _slots(calendar))
    return _CRON.format(zone=calendar.zone.key, title=_title(workspace), lines="\n".join(lines), command=shown)


def unit_name(workspace: Path) -> str:
    """Return the name of a workspace's units: the same each time, and another one for another path."""
    readable = _UNSAFE_IN_NAMES.sub("-", workspace.name)[:40].strip("-")
    mark = hashlib.sha256(str(workspace).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return "-".join(part for part in ("relay-digest", readable, mark) if part)


def _slots(calendar: Calendar) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield weekdays and time of each slot, once for all topics; the weekdays of one time stand together."""
    by_slot: dict[str, set[str]] = {}
    for baton in calendar.batons:
        if baton.slot is not None:
            by_slot.setdefault(baton.slot.isoformat("minutes"), set()).update(baton.days)
    for slot, days in sorted(by_slot.items()):
        yield tuple(day for day in WEEKDAYS if day in days), slot


def _weekdays(days: Sequence[str]) -> str:
    return "" if len(days) == len(WEEKDAYS) else ",".join(day.capitalize() for day in days) + " "


def _numbers(days: Sequence[str]) -> str:
    """Return weekdays as cron counts them, Monday 1 to Saturday 6 and Sunday 0; it takes no list of names."""
    return "*" if len(days) == len(WEEKDAYS) else ",".join(str((WEEKDAYS.index(day) + 1) % 7) for day in days)


def _for_systemd(part: str) -> str:
    """Quote one argument, as `man systemd.service` says under COMMAND LINES: quotes, escapes, specifiers, variables."""
    escaped = part.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'


def _title(workspace: Path) -> str:
    return workspace.name or str(workspace)


def _refuse_unprintable(command: Sequence[str]) -> None:
    for part in command:
        if not part.isprintable():
            raise SettingsError(f"{part!r} holds a character that neither systemd nor cron takes: rename the folder.")
    if not PurePath(command[0]).is_absolute():
        raise SettingsError(f"The program {command[0]!r} has no absolute path: call it by one.")

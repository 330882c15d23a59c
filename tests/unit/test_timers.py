"""What systemd and cron are given starts the program at the right times, with the paths that it was called with."""

import datetime as dt
import itertools
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from agent.errors import SettingsError
from agent.relaying.turns import calendar_of
from agent.setting_values import WEEKDAYS
from agent.settings import Baton
from agent.timers import cron_lines, systemd_units, unit_name

WORKING = WEEKDAYS[:5]
CALENDAR = calendar_of(
    [
        Baton("digest", "inference", dt.time(19, 0), WEEKDAYS),
        Baton("digest", "agents", dt.time(19, 0), WORKING),
        Baton("digest", None, dt.time(8, 5), ("mon", "sun")),
    ],
    "digest",
    ZoneInfo("Asia/Shanghai"),
)
WORKSPACE = Path("/home/ann/notes")
COMMAND = ("/opt/agent", "relay", "run", "--workspace", str(WORKSPACE))
ODD = [
    "a b",
    'a"b',
    "a'b",
    "50%",
    "%%n",
    "$HOME",
    "${x}",
    "$$",
    "笔记",
    "a;b",
    "#a",
    "a&b",
    "~",
    "a`b`",
    "é ü",
    "-w",
    "*",
]
ANALYZE = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not here")


def times(units: str) -> list[str]:
    return re.findall(r"^OnCalendar=(.*)$", units, re.MULTILINE)


def started_by_systemd(units: str) -> list[str]:
    """What systemd would start, by the rules of its manual."""
    (line,) = re.findall(r"^ExecStart=(.*)$", units, re.MULTILINE)
    parts = re.findall(r'"((?:[^"\\]|\\.)*)"', line)
    assert line == " ".join(f'"{part}"' for part in parts)
    unescaped = [re.sub(r"\\(.)", r"\1", part) for part in parts]
    assert not any(
        re.search(r"(?<!%)(?:%%)*%(?!%)", part) or re.search(r"(?<!\$)(?:\$\$)*\$(?!\$)", part)
        for part in unescaped[1:]
    )
    return [part.replace("%%", "%").replace("$$", "$") for part in unescaped]


def started_by_cron(lines: str) -> list[list[str]]:
    """What cron's shell would get from each line: up to the first % that is not escaped."""
    given = [line for line in lines.splitlines() if line and not line.startswith(("#", "CRON_TZ="))]
    commands = [line.split(" ", 1)[1] if line.startswith("@") else line.split(" ", 5)[5] for line in given]
    assert not any(re.search(r"(?<!\\)%", one) for one in commands)
    return [shlex.split(one.replace("\\%", "%")) for one in commands]


def test_each_slot_has_its_line_with_days_and_zone_once_for_all_topics():
    units = systemd_units(CALENDAR, COMMAND, WORKSPACE)

    assert ["Mon,Sun *-*-* 08:05:00 Asia/Shanghai", "*-*-* 19:00:00 Asia/Shanghai"] == times(units)
    assert "Persistent=true" in units


def test_cron_counts_days_from_sunday_and_starts_at_boot_what_it_missed():
    lines = cron_lines(CALENDAR, COMMAND, WORKSPACE).splitlines()

    assert [
        "CRON_TZ=Asia/Shanghai",
        "5 8 * * 1,0 /opt/agent relay run --workspace /home/ann/notes",
        "0 19 * * * /opt/agent relay run --workspace /home/ann/notes",
        "@reboot /opt/agent relay run --workspace /home/ann/notes",
    ] == [line for line in lines if not line.startswith("#")]


@pytest.mark.parametrize("odd", ODD)
def test_odd_paths_come_to_the_program_as_they_are(odd):
    command = ["/opt/a b/agent", "relay", "run", "--workspace", f"/home/{odd}/x", "--state", odd]

    units, lines = (write(CALENDAR, command, Path("/home", odd)) for write in (systemd_units, cron_lines))

    assert command == started_by_systemd(units)
    assert [command] * 3 == started_by_cron(lines)


def test_a_backslash_is_escaped_for_systemd_and_refused_for_cron():
    command = [*COMMAND[:-1], "/home/a\\b"]

    assert command == started_by_systemd(systemd_units(CALENDAR, command, WORKSPACE))
    with pytest.raises(SettingsError, match="backslash"):
        cron_lines(CALENDAR, command, WORKSPACE)


@pytest.mark.parametrize(
    "hostile", ["a\nExecStart=/bin/rm", "a\rb", "a\0b", "a\x1bb", "a\u2028b", "a\u202eb", "a\udcffb"]
)
@pytest.mark.parametrize("write", [systemd_units, cron_lines])
def test_what_cannot_be_printed_is_refused(write, hostile):
    with pytest.raises(SettingsError, match="rename the folder"):
        write(CALENDAR, [*COMMAND[:-1], f"/home/{hostile}"], Path(f"/home/{hostile}"))


@pytest.mark.parametrize("write", [systemd_units, cron_lines])
def test_a_program_without_an_absolute_path_is_refused(write):
    with pytest.raises(SettingsError, match="absolute"):
        write(CALENDAR, ["agent", "relay"], WORKSPACE)


def test_a_program_that_systemd_would_not_find_and_a_line_that_cron_would_cut_are_refused():
    with pytest.raises(SettingsError, match="starts no program"):
        systemd_units(CALENDAR, ["/opt/$x/agent"], WORKSPACE)
    with pytest.raises(SettingsError, match="shorten"):
        cron_lines(CALENDAR, [*COMMAND, "x" * 900], WORKSPACE)


def test_units_of_two_workspaces_have_two_names_and_only_plain_letters_in_them():
    names = [unit_name(Path(path)) for path in ("/a/notes", "/b/notes", "/", "/笔记", "/a b%n", "/a\udcff")]

    assert 6 == len(set(names))
    assert all(re.fullmatch(r"relay-digest(-[A-Za-z0-9]+)+", name) for name in names)
    assert unit_name(Path("/a/notes")) == names[0]


@needs_systemd
@pytest.mark.parametrize("odd", ["notes", 'a "b" 50% $x 笔记'])
def test_systemd_takes_the_units(tmp_path, odd):
    program = tmp_path / odd / "agent"
    if "$" in odd:
        program = tmp_path / "agent"
    program.parent.mkdir(exist_ok=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    units = systemd_units(CALENDAR, [str(program), "relay", "run", "-w", str(tmp_path / odd)], tmp_path / odd)
    files: dict[str, list[str]] = {}
    for line in units.splitlines(keepends=True):
        if re.fullmatch(r"# \S+\.(?:service|timer)\n", line):
            files[line[2:-1]] = []
        files[next(reversed(files))].append(line)
    for name, lines in files.items():
        (tmp_path / name).write_text("".join(lines))

    assert 2 == len(files)
    assert (0, "") == verified(tmp_path, list(files))
    for name in files:
        spoiled = (tmp_path / name).read_text().replace("OnCalendar=", "OnCalendar=x").replace("=oneshot", "=x")
        (tmp_path / name).write_text(spoiled)
    assert verified(tmp_path, list(files))[0], "it looks at all"


def verified(folder: Path, names: list[str]) -> tuple[int, str]:
    """What systemd says of units, and with which exit status."""
    ran = subprocess.run(
        [ANALYZE or "", "verify", "--user", *names],
        cwd=folder,
        env={"XDG_RUNTIME_DIR": str(folder), "HOME": str(folder), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stderr


@needs_systemd
def test_systemd_reads_each_time_as_it_is_meant():
    for meant in times(systemd_units(CALENDAR, COMMAND, WORKSPACE)):
        shown = subprocess.run([ANALYZE or "", "calendar", meant], capture_output=True, text=True, check=True).stdout
        assert [meant] == re.findall(r"Normalized form: (.*)", shown)


def test_days_are_those_of_the_week():
    for number, days in enumerate(itertools.combinations(WEEKDAYS, 2)):
        calendar = calendar_of([Baton("digest", None, dt.time(0, 0), days)], "digest", ZoneInfo("UTC"))
        line = cron_lines(calendar, COMMAND, WORKSPACE).splitlines()[4]
        assert {("sun", *WEEKDAYS)[int(day)] for day in line.split()[4].split(",")} == set(days), number

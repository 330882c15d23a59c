"""`agent relay schedule` as a user runs it; the loop itself is tested by `test_schedule.py` and in `tests/relay`."""

import shlex
import signal
from pathlib import Path

import pytest

from agent.handoffs import RelaySummary
from agent.scheduling import StandingRelay
from tests.cli.conftest import Run


def test_units_are_printed_with_absolute_paths_and_the_flags_that_were_given(
    run: Run, example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(example.parent)

    ran = run(
        "relay", "schedule", "--print", "cron", "-w", "demo", "--engine", "none", "--state", "kept", "--budget", 9
    )

    assert 0 == ran.status
    line = next(line for line in ran.out.splitlines() if line.startswith("@reboot "))
    program, *arguments = shlex.split(line.removeprefix("@reboot "))
    assert (True, "agent") == (Path(program).is_absolute(), Path(program).name)
    paths = ["--workspace", str(example), "--engine", "none", "--budget", "9", "--state", str(example.parent / "kept")]
    assert ["relay", "run", "--wait", "3600", *paths] == arguments
    assert "CRON_TZ=Asia/Shanghai" in ran.out


def test_units_for_systemd_hold_nothing_secret(run: Run, example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")

    ran = run("relay", "schedule", "--print", "systemd", "--workspace", example)

    assert 0 == ran.status
    assert "sk-very-secret" not in ran.out + ran.err
    assert "OnCalendar=*-*-* 19:10:00 Asia/Shanghai" in ran.out
    assert not (example / ".agent").exists()


def test_a_folder_that_no_unit_can_name_is_refused(run: Run, example: Path) -> None:
    hostile = example.rename(example.with_name("de\nmo"))

    ran = run("relay", "schedule", "--print", "systemd", "--workspace", hostile)

    assert (2, "") == (ran.status, ran.out)
    assert "rename the folder" in ran.err


def test_without_a_workspace_it_does_not_stay(run: Run, tmp_path: Path) -> None:
    assert 2 == run("relay", "schedule", "--workspace", tmp_path / "nowhere").status


def test_a_plan_that_is_broken_is_said_once_and_the_last_one_stays(
    example: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    settings = example / "agent.toml"
    relay = StandingRelay(example, {"engine": "none"})
    first = relay.plan()
    whole = settings.read_text()

    settings.write_text(whole + "\n[[batons]]\nagent = 7\n")
    assert [first, first] == [relay.plan(), relay.plan()]
    assert 1 == capfd.readouterr().err.count("What was planned before stays")
    settings.write_text(whole + '\n[[batons]]\nagent = "digest"\nslot = "06:15"\n')
    assert ["06:15"] == [f"{one.slot:%H:%M}" for one in relay.plan().batons]


def test_what_is_due_is_told_without_a_run(example: Path) -> None:
    (example / "agent.toml").write_text('[[batons]]\nagent = "digest"\nslot = "00:00"\n')
    relay = StandingRelay(example, {"engine": "none"})

    assert "due" == relay.standing()
    assert "done" == relay.run().state
    assert "idle" == relay.standing()


def test_it_ends_by_a_signal_with_its_status(run: Run, example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (example / "agent.toml").write_text("")
    real = StandingRelay.run

    def once(relay: StandingRelay) -> RelaySummary:
        summary = real(relay)
        signal.raise_signal(signal.SIGINT)
        return summary

    monkeypatch.setattr(StandingRelay, "run", once)

    ran = run("relay", "schedule", "--workspace", example, "--engine", "none")

    assert 130 == ran.status
    assert 1 == len(ran.out.splitlines())

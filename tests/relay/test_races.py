"""However many runs begin at one instant, and wherever one is killed, each turn is done once and paid for once."""

import datetime as dt
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.handoffs import Handoff, RelaySummary
from agent.reading.marking import is_own_output
from agent.relay_running import run_once
from tests.racing import BRIEF, NOW, PLAN, Crowd, a_workspace, asked_run, killed_run, seen

EXPECTED = {BRIEF, "work-queue.md", "handoff.md", "handoff.json"}
GIVEN = {"agent.toml", "inbox/tom/2026-09-14-1100-radar.md", "organized/knowledge/inference.md"}
NONE = {"engine": "none"}
DAY = dt.timedelta(days=1)


@pytest.fixture(scope="module", params=[2, 8])
def crowd(request: pytest.FixtureRequest) -> Iterator[Crowd]:
    with Crowd(request.param) as made:
        yield made


def trials(crowd: Crowd, folder: Path, number: int, *, wait_seconds: float) -> Counter[str]:
    """Run `number` times on a new workspace, and hold each trial against what must come of it; returns the states."""
    states: Counter[str] = Counter()
    for trial in range(number):
        root = a_workspace(folder / str(trial))
        summaries = crowd.run(root, NOW, wait_seconds=wait_seconds)
        assert all(isinstance(one, RelaySummary) for one in summaries), summaries
        found = [one.state for one in summaries if isinstance(one, RelaySummary)]
        assert 1 == found.count("done"), found
        assert {"done", "nothing_due", "busy"} >= set(found)
        assert EXPECTED | GIVEN == set(files_of(root))
        states.update(found)
        shutil.rmtree(root)
    return states


def test_of_runs_at_one_instant_one_does_the_turn_and_the_others_wait_for_it(crowd: Crowd, tmp_path: Path) -> None:
    states = trials(crowd, tmp_path, 10, wait_seconds=30)

    assert {"done", "nothing_due"} == set(states)


def test_of_runs_at_one_instant_that_do_not_wait_one_does_the_turn(crowd: Crowd, tmp_path: Path) -> None:
    trials(crowd, tmp_path, 10, wait_seconds=0)


@pytest.mark.scale
def test_two_hundred_times_one_does_the_turn(crowd: Crowd, tmp_path: Path) -> None:
    trials(crowd, tmp_path, 200, wait_seconds=30)


SOME = 5  # every fifth place is enough for every day


def test_a_run_that_is_killed_while_it_writes_is_finished_by_the_next_one(tmp_path: Path) -> None:
    kill_at(tmp_path, step=SOME)


@pytest.mark.scale
def test_a_run_that_is_killed_at_any_write_is_finished_by_the_next_one(tmp_path: Path) -> None:
    kill_at(tmp_path, step=1)


def kill_at(folder: Path, *, step: int) -> None:
    """Kill a run at each `step`-th thing it writes; the next leaves all files whole, in one copy, and asks nothing again."""
    whole = a_workspace(folder / "whole")
    written = killed_run(10_000, whole, folder / "whole.txt")
    assert written is not None
    assert {"before replace", "after put", "before forget", "after write"} <= set(written)
    questions = Counter((folder / "whole.txt").read_text().split())
    assert len(questions) >= 2
    for place in range(1, len(written), step):
        root, counted = a_workspace(folder / str(place)), folder / f"{place}.txt"
        assert killed_run(place, root, counted) is None
        assert all(is_whole(root / name) for name in EXPECTED if (root / name).exists())

        summary = asked_run(root, counted)

        assert summary.state in {"done", "nothing_due"}
        assert questions == Counter(counted.read_text().split()), f"killed {written[place]}, {place}"
        assert EXPECTED | GIVEN == set(files_of(root))
        assert all(is_whole(root / name) for name in EXPECTED)
        assert (whole / BRIEF).read_bytes() == (root / BRIEF).read_bytes()
        before = seen(root)
        assert "nothing_due" == asked_run(root, counted).state
        assert before == seen(root)


def is_whole(path: Path) -> bool:
    """Whether a file of ours is as it was written, to its last byte."""
    if path.suffix == ".json":
        return bool(Handoff.model_validate_json(path.read_bytes()))
    return is_own_output(path.read_text())


def files_of(root: Path) -> list[str]:
    """What a user sees in a workspace."""
    return [name for name in seen(root) if (root / name).is_file() and not Path(name).name.startswith(".")]


@pytest.mark.parametrize("missed", [0, 1, 5])
def test_missed_slots_are_made_up_for_by_one_run_that_names_them(tmp_path: Path, missed: int) -> None:
    root = a_workspace(tmp_path / "demo")
    run_once(root, NONE, now=NOW)

    late = run_once(root, NONE, now=NOW + (missed + 1) * DAY)
    again = run_once(root, NONE, now=NOW + (missed + 1) * DAY)

    assert ("done", 1) == (late.state, len(late.turns))
    assert [(NOW + day * DAY).date() for day in range(1, missed + 1)] == [turn.date for turn in late.caught_up]
    assert "nothing_due" == again.state


def test_the_second_run_changes_no_byte_and_no_time(tmp_path: Path) -> None:
    root = a_workspace(tmp_path / "demo")
    first = run_once(root, NONE, now=NOW)
    before = seen(root)

    second = run_once(root, NONE, now=NOW)

    assert ("done", "nothing_due", 0) == (first.state, second.state, second.calls)
    assert before == seen(root)


def test_turns_missed_before_the_first_digest_are_made_up_for_too(tmp_path: Path) -> None:
    """A relay that was set up in the morning, and then lay still, has missed the evenings since."""
    root = a_workspace(tmp_path / "demo")
    morning = run_once(root, NONE, now=NOW - dt.timedelta(hours=9))

    late = run_once(root, NONE, now=NOW + 2 * DAY)

    assert "nothing_due" == morning.state
    assert [NOW.date(), (NOW + DAY).date()] == [turn.date for turn in late.caught_up]


@pytest.mark.parametrize("ahead", [dt.timedelta(hours=1), DAY, 400 * DAY])
def test_a_clock_that_was_ahead_stops_nothing_and_repeats_nothing(tmp_path: Path, ahead: dt.timedelta) -> None:
    root = a_workspace(tmp_path / "demo")
    run_once(root, NONE, now=NOW + ahead)
    states = [run_once(root, NONE, now=NOW + day * DAY).state for day in (0, 0, 1, 2, 2)]

    assert [*first_states(ahead), "done", "nothing_due"] == states


def first_states(ahead: dt.timedelta) -> list[str]:
    """What comes of today, again of today, and of tomorrow, after a clock was so much ahead."""
    if ahead < DAY:
        return ["nothing_due", "nothing_due", "done"]  # today's turn was done an hour early by nobody's harm
    if ahead == DAY:
        return ["done", "nothing_due", "nothing_due"]  # tomorrow's was done; the relay had not begun before
    return ["done", "nothing_due", "done"]


def test_a_lost_state_folder_makes_nothing_twice(tmp_path: Path) -> None:
    """Turns of several topics with slots of their own are known again by their briefs."""
    plan = PLAN + 'topic = "inference"\n[[batons]]\nagent = "digest"\nslot = "19:20"\n'
    root = a_workspace(tmp_path / "demo", plan)
    run_once(root, NONE, now=NOW - dt.timedelta(minutes=15))
    run_once(root, NONE, now=NOW + DAY)
    before = seen(root)
    shutil.rmtree(root / ".agent")

    again = run_once(root, NONE, now=NOW + DAY)

    assert "nothing_due" == again.state
    assert before == seen(root)


def test_two_state_folders_do_not_make_one_turn_twice(tmp_path: Path) -> None:
    root = a_workspace(tmp_path / "demo")
    states = [run_once(root, {**NONE, "state": tmp_path / name}, now=NOW).state for name in ("a", "b", "a")]

    assert ["done", "nothing_due", "nothing_due"] == states


def test_two_workspaces_with_one_state_folder_do_not_finish_each_others_work(tmp_path: Path) -> None:
    state = {**NONE, "state": tmp_path / "state"}
    one, other = (a_workspace(tmp_path / name) for name in ("one", "other"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("agent.publishing.write_below", _die)
        with pytest.raises(KeyboardInterrupt):
            run_once(one, state, now=NOW)

    assert "done" == run_once(other, state, now=NOW).state
    assert not (one / "handoff.json").exists()
    assert "nothing_due" == run_once(one, state, now=NOW).state
    assert (one / "handoff.json").exists()


def _die(*_: object) -> None:
    raise KeyboardInterrupt


AGENT = [sys.executable, "-c", "from agent.cli import main; main()"]


def started(*arguments: object, home: Path) -> subprocess.Popen[bytes]:
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    return subprocess.Popen(
        [*AGENT, "relay", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )


def always_due(root: Path) -> Path:
    """Make a workspace in whose zone a turn is due now, whatever time it is."""
    return a_workspace(root, PLAN.replace("19:00", "00:00"))


def test_commands_at_one_instant_do_the_turn_once(tmp_path: Path) -> None:
    root = always_due(tmp_path / "demo")
    runs = [started("run", "--wait", 30, "--workspace", root, "--engine", "none", home=tmp_path) for _ in range(2)]
    ended = [run.communicate(timeout=60) for run in runs]

    assert [0, 0] == [run.returncode for run in runs], ended
    assert ["done", "nothing_due"] == sorted(json.loads(out)["state"] for out, _ in ended)


HOLDER = """
import filelock, sys, time
lock = filelock.FileLock(sys.argv[1])
lock.acquire()
print("held", flush=True)
time.sleep(100)
"""


def test_a_schedule_takes_over_within_five_seconds_when_the_holder_is_killed(tmp_path: Path) -> None:
    root = always_due(tmp_path / "demo")
    (root / ".agent").mkdir(mode=0o700)
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, root / ".agent/relay.lock"], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    holder.stdout.readline()
    schedule = started("schedule", "--workspace", root, "--engine", "none", home=tmp_path)
    try:
        assert schedule.stderr is not None
        assert schedule.stdout is not None
        assert b"waiting for it" in schedule.stderr.readline()
        assert not (root / "handoff.json").exists()
        holder.kill()
        holder.communicate()
        killed = time.monotonic()
        summary = json.loads(schedule.stdout.readline())
        assert "done" == summary["state"]
        assert time.monotonic() - killed < 5
    finally:
        schedule.send_signal(signal.SIGTERM)
        out, _ = schedule.communicate(timeout=30)
    assert (0, b"") == (schedule.returncode, out)

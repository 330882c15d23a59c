"""`agent init` makes a workspace that the next command, as it is printed, works on."""

import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def _next(err: str) -> list[str]:
    """The command that the last line tells to run, without its first word."""
    return shlex.split(err.splitlines()[-1].partition("agent digest ")[2])


def test_the_command_that_follows_an_example_works_as_it_is_printed(run: Run, tmp_path: Path) -> None:
    made = run("init", "--example", tmp_path / "two words")

    ran = run("digest", *_next(made.err), "--engine", "none")

    assert (0, "") == (made.status, made.out)
    assert 0 == ran.status
    assert ran.out.startswith("本简报")


def test_a_new_workspace_is_ready_for_notes(run: Run, tmp_path: Path) -> None:
    made = run("init", tmp_path / "new")
    (tmp_path / "new/inbox/tom").mkdir()
    (tmp_path / "new/inbox/tom/2026-09-14-a.md").write_text("增量 1：缓存分层\n\n要点：\n- 吞吐升到 12 tok/s\n")

    ran = run("digest", *_next(made.err), "--date", "2026-09-14", "--engine", "none")

    assert (0, 0) == (made.status, ran.status)
    assert "缓存分层" in ran.out
    assert {".agent", "inbox", "organized", "paper_cards", "agent.toml"} == {
        path.name for path in (tmp_path / "new").iterdir()
    }


def test_what_was_made_is_counted(run: Run, tmp_path: Path) -> None:
    made = run("init", tmp_path / "new")

    assert f"{sum(1 for _ in (tmp_path / 'new').rglob('*'))} files and folders made in" in made.err


@pytest.mark.parametrize("flags", [(), ("--example",)])
def test_a_folder_that_holds_something_stays_as_it_is(run: Run, tmp_path: Path, flags: tuple[str, ...]) -> None:
    (tmp_path / "mine.md").write_text("mine")

    ran = run("init", *flags, tmp_path)

    assert (3, "") == (ran.status, ran.out)
    assert "already holds 'mine.md'" in ran.err
    assert ["mine.md"] == [path.name for path in tmp_path.iterdir()]


def test_a_place_that_is_a_file_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")

    ran = run("init", tmp_path / "file")

    assert (3, "mine") == (ran.status, (tmp_path / "file").read_text())
    assert "is no folder" in ran.err


def test_a_name_that_would_steer_a_terminal_is_shown_escaped(run: Run, tmp_path: Path) -> None:
    ran = run("init", tmp_path / "\x1b[31mred")

    assert 0 == ran.status
    assert "\x1b" not in ran.err


def test_without_a_folder_it_is_wrong_use(run: Run) -> None:
    ran = run("init")

    assert 2 == ran.status
    assert "Missing argument" in ran.err

"""The command line, driven in this process."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent.cli import main
from agent.starting import start_workspace


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    status: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run `agent` with arguments; returns exit status and both streams."""
    monkeypatch.setenv("COLUMNS", "80")

    def agent(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["agent", *map(str, arguments)])
        with pytest.raises(SystemExit) as stopped:
            main()
        captured = capfd.readouterr()
        code = stopped.value.code
        return Ran(code if isinstance(code, int) else 0, captured.out, captured.err)

    return agent


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The example workspace."""
    folder = tmp_path / "demo"
    start_workspace(folder, with_example=True)
    return folder

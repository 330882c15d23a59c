"""What a benchmark can be told: whose gold answers, over which workspace, and how many of its notes."""

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("benchmarks")
    group.addoption("--gold", type=Path, help="folder of gold answers; five notes of the example when it is not given")
    group.addoption("--workspace", type=Path, help="the workspace that the gold answers are about")
    group.addoption("--notes", type=int, help="most notes to read")
    group.addoption(
        "--langextract", type=Path, help="Python of an environment with langextract; .venv/bench by default"
    )

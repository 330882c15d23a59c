"""What is kept here can be shown to anybody: no registry, no machine, nothing big, no lock file with addresses."""

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.sources import ROOT, kept_files

MOST_BYTES = 1_000_000
# Written apart, so that this file may stand in the repository.
REGISTRIES = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("crates", "io"),
        ("anaconda", "org"),
        ("anaconda", "com"),
        ("proxy.golang", "org"),
        ("maven", "org"),
    )
)
MACHINES = tuple("/".join(("", *parts, "")) for parts in (("work",), ("root",), ("opt", "pypi"), ("tmp", "w")))
INDEX_VARIABLES = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX")
# What this very machine installs from, read before the suite clears the environment.
OWN_REGISTRIES = tuple(
    host for name in INDEX_VARIABLES for each in os.environ.get(name, "").split() if (host := urlsplit(each).hostname)
)
INDEX_OPTION = re.compile(r"--(?:extra-)?index-url|--default-index|--find-links")
LOCK_FILES_WITH_ADDRESSES = ("uv.lock", "pylock.toml", "poetry.lock", "Pipfile.lock")


def problems(paths: list[Path], root: Path, registries: tuple[str, ...] = REGISTRIES) -> list[str]:
    """Return every kept file that names what it should not, or is too big."""
    found = []
    for path in paths:
        name = path.relative_to(root).as_posix()
        if path.name in LOCK_FILES_WITH_ADDRESSES:
            found.append(f"{name} holds addresses of registries")
        if path.stat().st_size > MOST_BYTES:
            found.append(f"{name} has more than {MOST_BYTES} bytes")
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        words = [each for each in registries if each in text] + [each for each in MACHINES if each in text]
        found += [f"{name} names {word}" for word in words]
        if name.startswith("requirements") and ("://" in text or INDEX_OPTION.search(text)):
            found.append(f"{name} holds an address")
    return found


def test_no_kept_file_gives_anything_away():
    found = problems(kept_files(ROOT), ROOT, REGISTRIES + OWN_REGISTRIES)

    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("README.md", f"see https://{REGISTRIES[0]}/project/x", f"names {REGISTRIES[0]}"),
        ("notes.txt", f"cp {MACHINES[0]}shared .", f"names {MACHINES[0]}"),
        ("uv.lock", "", "holds addresses"),
        ("requirements.lock", "# from https://mirror.example/\nrich==14.3.4\n", "holds an address"),
        ("requirements-local.lock", "--index-url mirror\n", "holds an address"),
        ("weights.bin", "x" * (MOST_BYTES + 1), "more than"),
    ],
)
def test_what_gives_something_away_is_named(tmp_path, name, text, named):
    path = tmp_path / name
    path.write_text(text)

    assert [named in problem for problem in problems([path], tmp_path)] == [True]


def test_files_are_found_where_there_is_no_git(tmp_path):
    for name in ("a.py", ".ci/run", ".venv/b.py", "build/c.py", "agent/__pycache__/d.pyc", "agent/e.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")

    names = [path.relative_to(tmp_path).as_posix() for path in kept_files(tmp_path)]

    assert names == [".ci/run", "a.py", "agent/e.py"]

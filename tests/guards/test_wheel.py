"""What an installed package brings along: our files at their places, and nothing else."""

import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.sources import ROOT, kept_files

METADATA = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"}
MOVED = {"prompts": "agent/_data/prompts", "schemas": "agent/_data/schemas"}
SHIPPED = {
    "agent/__init__.py",
    "agent/py.typed",
    "agent/example/work-queue.md",
    "agent/_data/prompts/lock.toml",
    "agent/_data/schemas/digest.schema.json",
}


def expected(paths: Iterable[Path], root: Path) -> set[str]:
    """Return where each kept file belongs in the wheel, if it belongs there."""
    names = set()
    for path in paths:
        top, _, rest = path.relative_to(root).as_posix().partition("/")
        if rest and (top == "agent" or top in MOVED):
            names.add(f"{MOVED.get(top, top)}/{rest}")
    return names


def problems(names: Iterable[str], wanted: Iterable[str]) -> list[str]:
    """Compare the names in a wheel with what should be there."""
    held = set()
    found = []
    for name in names:
        top, _, rest = name.partition("/")
        if not top.endswith(".dist-info"):
            held.add(name)
        elif rest not in METADATA:
            found.append(f"the wheel has {name}, which is no metadata of ours")
    wanted = set(wanted)
    found += [f"the wheel lacks {name}" for name in wanted - held]
    found += [f"the wheel has {name}, which does not belong there" for name in held - wanted]
    return sorted(found)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built without fetching or installing anything."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_what_is_kept_and_nothing_else(wheel):
    found = problems(zipfile.ZipFile(wheel).namelist(), expected(kept_files(ROOT), ROOT) | SHIPPED)

    assert not found, "\n".join(found)


def test_the_wheel_installs_the_command(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        entry_points = archive.read(name).decode()

    assert entry_points.split() == ["[console_scripts]", "agent", "=", "agent.cli:main"]


def test_a_missing_a_stray_and_a_top_level_file_are_named():
    held = ["agent/cli.py", "agent/cli.pyc", "prompts/ask.md", "tests/test_it.py", "relay-0.1.dist-info/METADATA"]

    assert problems([*held, "relay-0.1.dist-info/extra.txt"], ["agent/cli.py", "agent/_data/prompts/ask.md"]) == [
        "the wheel has agent/cli.pyc, which does not belong there",
        "the wheel has prompts/ask.md, which does not belong there",
        "the wheel has relay-0.1.dist-info/extra.txt, which is no metadata of ours",
        "the wheel has tests/test_it.py, which does not belong there",
        "the wheel lacks agent/_data/prompts/ask.md",
    ]


def test_prompts_and_schemas_move_below_the_package():
    paths = [Path("/r") / name for name in ("agent/a.py", "prompts/p.md", "schemas/s.json", "tests/t.py", "README.md")]

    assert expected(paths, Path("/r")) == {"agent/a.py", "agent/_data/prompts/p.md", "agent/_data/schemas/s.json"}

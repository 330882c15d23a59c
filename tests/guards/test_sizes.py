"""Files and functions stay small enough to be read in one go."""

import ast
from pathlib import Path

from tests.sources import ROOT, kept_files

FILE_LINES = 500
FUNCTION_LINES = 60


def problems(paths: list[Path], root: Path) -> list[str]:
    """Return every Python file and function that is too long."""
    found = []
    for path in paths:
        if path.suffix != ".py":
            continue
        name, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        if (lines := len(text.splitlines())) > FILE_LINES:
            found.append(f"{name} has {lines} lines, {FILE_LINES} are allowed")
        for node in ast.walk(ast.parse(text, filename=name)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > FUNCTION_LINES:
                    found.append(f"{name}: {node.name} has {lines} lines, {FUNCTION_LINES} are allowed")
    return found


def test_no_file_and_no_function_is_too_long():
    found = problems(kept_files(ROOT), ROOT)

    assert not found, "\n".join(found)


def test_a_long_file_and_a_long_function_are_named(tmp_path):
    path = tmp_path / "long.py"
    path.write_text("def walk():\n" + "    step()\n" * 60 + "\n" * 440)

    assert problems([path], tmp_path) == [
        "long.py has 501 lines, 500 are allowed",
        "long.py: walk has 61 lines, 60 are allowed",
    ]


def test_the_limits_themselves_are_allowed(tmp_path):
    path = tmp_path / "just.py"
    path.write_text("def walk():\n" + "    step()\n" * 59 + "\n" * 440)

    assert problems([path], tmp_path) == []

"""The repository's own files, as the guards see them."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# What a checkout collects and never tracks; only needed where git is missing.
_COLLECTED = frozenset({"__pycache__", "build", "dist"})


@cache
def modules(root: Path, package: str = "agent") -> dict[str, ast.Module]:
    """Return the package's modules, parsed, by their name below the package: `asking.model`, `cli`, `__init__`."""
    folder = root / package
    parsed = {}
    for path in sorted(folder.rglob("*.py")):
        name = ".".join(path.relative_to(folder).with_suffix("").parts)
        parsed[name] = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    return parsed


def kept_files(root: Path) -> list[Path]:
    """Return what git tracks or would track, or every file outside hidden and collected folders where git cannot say."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        return sorted(_walked(root))
    return sorted({root / name for name in listed.split("\0") if name and (root / name).is_file()})


def _walked(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_dir() and not (path.name.startswith(".") and path.name != ".ci") and path.name not in _COLLECTED:
            yield from _walked(path)
        elif path.is_file():
            yield path


def dotted(node: ast.expr) -> str:
    """Return `a.b.c` for an attribute chain or a name, and an empty string for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (owner := dotted(node.value)):
        return f"{owner}.{node.attr}"
    return ""


def calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Yield each call in a module with the full name of what it calls, import aliases resolved."""
    names = aliases(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (called := dotted(node.func)):
            head, _, rest = called.partition(".")
            full = names.get(head, head)
            yield (f"{full}.{rest}" if rest else full), node


def aliases(tree: ast.Module) -> dict[str, str]:
    """Return what each imported name stands for: `{"dt": "datetime", "Client": "httpx2.Client"}`."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                names[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def write_package(root: Path, files: dict[str, str]) -> Path:
    """Write a miniature package `agent` below `root`, for guards to be shown what they must find."""
    for name, text in files.items():
        path = root / "agent" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root

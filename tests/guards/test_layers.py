"""Imports go down: the floors of the house, and who alone may hold a library."""

import ast
from collections.abc import Iterator, Mapping, Sequence

import pytest

from tests.sources import ROOT, modules, write_package

# A file imports only from floors below its own; inside a room (`folder/`, or the loose files under "") also from the files
# listed before it.
Room = Sequence[str]
Floor = Mapping[str, Room]
FLOORS: tuple[Floor, ...] = (
    {"": ("errors", "replies", "texts", "record", "batons", "records", "handoffs")},
    {
        "reading/": (
            "names",
            "decoding",
            "hidden",
            "escaping",
            "front_matter",
            "identifiers",
            "quantities",
            "conditions",
            "measures",
            "blocks",
            "pieces",
            "units",
            "quotations",
            "labels",
            "parts",
            "showing",
            "naming",
            "terms",
            "phrasing",
            "sections",
            "registers",
            "ratings",
            "statements",
            "placements",
            "filing",
            "citations",
            "headings",
            "segments",
            "documents",
            "marking",
        ),
        "resources": (),
        "": ("costs", "past", "tables", "setting_values", "settings"),
        "files": (),
    },
    {
        "workspace": (),
        "store": (),
        "asking/": (
            "tokens",
            "prompts",
            "budget",
            "retry",
            "transport",
            "streams",
            "completions",
            "dialects",
            "faults",
            "reaching",
            "model",
            "remembering",
            "estimating",
            "testing",
            "weights",
            "local",
        ),
    },
    {"": ("publishing", "ledger")},
    {
        "checking/": (
            "dispute",
            "stance",
            "metrics",
            "headed",
            "subjects",
            "drifting",
            "measured",
            "ratios",
            "several",
            "mixed",
            "ranked",
            "versions",
            "novelty",
            "roles",
            "undermined",
            "sourcing",
            "dates",
            "sums",
            "counts",
            "numbering",
            "absences",
            "phrases",
            "raising",
            "check",
        ),
    },
    {
        "extracting/": (
            "orders",
            "observe",
            "asides",
            "passages",
            "bounds",
            "candidates",
            "knowledge",
            "wording",
            "support",
            "ledger",
            "rate",
            "trust",
            "sources",
            "lists",
            "standing",
            "place",
            "ask",
            "propose",
            "extract",
        ),
        "reconciling/": (
            "wordlists",
            "titles",
            "clauses",
            "facts",
            "assertions",
            "turned",
            "deeds",
            "numerals",
            "values",
            "rivals",
            "traits",
            "likeness",
            "bonds",
            "contrasts",
            "agreeing",
            "apart",
            "resting",
            "copying",
            "descent",
            "lineage",
            "repeating",
            "registering",
            "blocking",
            "decide",
            "match",
            "merge",
            "correcting",
            "judge",
            "earlier",
            "telling",
            "told",
            "released",
            "unstated",
            "retold",
            "contradict",
            "verifying",
            "reconcile",
        ),
        "digesting/": ("vocabulary", "words", "covering", "digest", "lines", "opposing", "markdown"),
        "relaying/": (
            "places",
            "entries",
            "editing",
            "history",
            "rhythm",
            "absences",
            "expecting",
            "matching",
            "coverage",
            "operations",
            "turns",
            "wording",
            "queue",
            "handing",
            "handoff",
        ),
        "auditing/": (
            "findings",
            "turning",
            "words",
            "folding",
            "quoting",
            "matter",
            "shelf",
            "brief",
            "restating",
            "quotes",
            "contrary",
            "amounts",
            "products",
            "papers",
            "crediting",
            "dated",
            "counted",
            "beyond",
            "citing",
            "audit",
            "report",
        ),
        "evaluating/": ("gold", "figures", "evaluation", "scoring", "pairs", "comparing", "tables"),
    },
    {
        "": (
            "starting",
            "engine",
            "diagnose",
            "contract",
            "pipeline",
            "holding",
            "estimate",
            "examining",
            "applying",
            "relay",
            "relay_status",
            "timers",
            "schedule",
        )
    },
    {"": ("console", "opening", "running", "relay_running", "scheduling", "cli")},
)

# Libraries that one file alone may import.
SOLE_HOLDERS = {
    "apscheduler": {"schedule"},
    "instructor": {"asking.model"},
    "openai": {"asking.model"},
    "rich": {"console"},
    "sqlalchemy": {"store"},
    "typer": {"cli"},
    "xllamacpp": {"asking.local"},
}


class Table:
    """Where each module stands: its floor, its room, its place in the room."""

    def __init__(self, floors: Sequence[Floor]) -> None:
        self.places: dict[str, tuple[int, str, int]] = {}
        for number, floor in enumerate(floors):
            for entry, room in floor.items():
                folder = entry.replace("/", ".")
                alone = [f"{folder}__init__"] if folder and room else [entry] if entry else []
                self.places |= dict.fromkeys(alone, (number, entry, -1))
                self.places |= {f"{folder}{name}": (number, entry, place) for place, name in enumerate(room)}

    def problem(self, importer: str, imported: str) -> str | None:
        """Say what is wrong with one import, or None."""
        if imported in {"__init__", importer}:
            return None  # the package's own version
        if importer == "__init__":
            return f"{importer} imports {imported}: the package itself imports nothing of ours"
        if importer not in self.places or imported not in self.places:
            return None  # named once, as not listed
        (floor, room, place), (other_floor, other_room, other_place) = self.places[importer], self.places[imported]
        if other_floor < floor or (room == other_room and other_place < place):
            return None
        where = f"floor {other_floor}, {other_room or 'loose'}"
        return f"{importer} (floor {floor}, {room or 'loose'}) imports {imported} ({where}): imports go down"


def imports(name: str, tree: ast.Module) -> Iterator[str]:
    """Yield the full name of everything a module imports, at load or late, by statement or by `import_module`."""
    package = ["agent", *name.split(".")[:-1]]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{origin}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            yield from (
                part.value for part in node.args[:1] if isinstance(part, ast.Constant) and isinstance(part.value, str)
            )


def module_of(full_name: str, known: Mapping[str, ast.Module]) -> str | None:
    """Return the module of ours that an imported name belongs to, or None where it is none of ours."""
    parts = full_name.split(".")
    if parts[0] != "agent":
        return None
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[1:length])
        if name in known:
            return name
        package = f"{name}.__init__" if name else "__init__"
        if package in known:
            return package
    return None


def problems(known: Mapping[str, ast.Module], floors: Sequence[Floor]) -> list[str]:
    """Return everything in a package that breaks the table, and every place where the table is not true."""
    table = Table(floors)
    found = [
        f"{name} is not in the table of floors" for name in known if name not in table.places and name != "__init__"
    ]
    found += [f"{name} is in the table of floors and nowhere else" for name in table.places if name not in known]
    for name, tree in known.items():
        for full_name in imports(name, tree):
            library = full_name.partition(".")[0]
            if name not in SOLE_HOLDERS.get(library, {name}):
                found.append(f"{name} imports {library}: only {', '.join(sorted(SOLE_HOLDERS[library]))} may")
            imported = module_of(full_name, known)
            if imported and (problem := table.problem(name, imported)):
                found.append(problem)
    return sorted(set(found))


def test_imports_go_down_everywhere():
    found = problems(modules(ROOT), FLOORS)

    assert not found, "\n".join(found)


MINIATURE: tuple[Floor, ...] = (
    {"errors": ()},
    {"reading/": ("names", "units"), "settings": ()},
    {"store": ()},
    {"": ("console", "cli")},
)
ORDERLY = {
    "__init__.py": "",
    "errors.py": "import json\n",
    "reading/__init__.py": "",
    "reading/names.py": "from agent.errors import AgentError\n",
    "reading/units.py": "from agent.reading import names\n",
    "settings.py": "from agent import errors\n",
    "store.py": "import sqlalchemy\nimport agent.reading.units\n",
    "console.py": "from rich.text import Text\n",
    "cli.py": "from agent import console\n",
}


def test_an_orderly_package_has_no_problem(tmp_path):
    assert problems(modules(write_package(tmp_path, ORDERLY)), MINIATURE) == []


@pytest.mark.parametrize(
    ("file", "text", "named"),
    [
        ("errors.py", "from agent.reading.names import parse\n", "errors (floor 0, errors) imports reading.names"),
        ("errors.py", "def late():\n    import agent.store\n", "imports store"),
        ("errors.py", "from .reading import names\n", "imports reading.names"),
        ("errors.py", "import importlib\nimportlib.import_module('agent.store')\n", "imports store"),
        (
            "errors.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from agent import store\n",
            "imports store",
        ),
        (
            "reading/names.py",
            "from agent.reading.units import Unit\n",
            "reading.names (floor 1, reading/) imports reading.units",
        ),
        ("reading/names.py", "from . import units\n", "imports reading.units"),
        ("settings.py", "from agent.reading import names\n", "settings (floor 1, settings) imports reading.names"),
        ("reading/__init__.py", "from agent.reading.names import parse\n", "imports reading.names"),
        ("__init__.py", "from agent.errors import AgentError\n", "the package itself imports nothing of ours"),
        ("console.py", "def late():\n    from agent import cli\n", "console (floor 3, loose) imports cli"),
        ("helpers.py", "", "helpers is not in the table"),
        ("settings.py", "from rich.text import Text\n", "settings imports rich: only console may"),
        ("errors.py", "import openai\n", "errors imports openai: only asking.model may"),
    ],
)
def test_an_import_upwards_is_named(tmp_path, file, text, named):
    found = problems(modules(write_package(tmp_path, ORDERLY | {file: text})), MINIATURE)

    assert [named in problem for problem in found] == [True]


def test_a_file_that_left_is_named(tmp_path):
    files = {name: text for name, text in ORDERLY.items() if name != "settings.py"}

    assert problems(modules(write_package(tmp_path, files)), MINIATURE) == [
        "settings is in the table of floors and nowhere else"
    ]

"""One file reads the environment: `settings.py`. Everything else is told."""

import ast
from collections.abc import Mapping

import pytest

from tests.sources import ROOT, aliases, dotted, modules, write_package

READERS = {"settings"}
# What else may look, and why.
EXCEPTIONS = {
    (
        "asking.transport",
        "urllib.request.getproxies",
    ),  # each system keeps its proxies elsewhere, and urllib knows where
    ("asking.transport", "urllib.request.proxy_bypass"),
}
ENVIRONMENT = (
    "os.environ",
    "os.environb",
    "os.getenv",
    "os.getenvb",
    "os.putenv",
    "os.path.expandvars",
    "os.path.expanduser",
    "urllib.request.getproxies",
    "urllib.request.proxy_bypass",
)
HOME = ("home", "expanduser")  # of pathlib: they read HOME


def problems(known: Mapping[str, ast.Module]) -> list[str]:
    """Return every place outside the reader that looks at the process's environment."""
    found = set()
    for name, tree in known.items():
        if name in READERS:
            continue
        names = aliases(tree)
        used = {f"{names.get(head, head)}.{rest}" if rest else names.get(head, "") for head, rest in _chains(tree)}
        used = {each for each in used if (name, each) not in EXCEPTIONS}
        found |= {f"{name} uses {each}" for each in used for entry in ENVIRONMENT if f"{each}.".startswith(f"{entry}.")}
        found |= {
            f"{name} calls {node.func.attr}(), which reads HOME"
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in HOME
        }
    return sorted(found)


def _chains(tree: ast.Module) -> set[tuple[str, str]]:
    chains = {dotted(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute | ast.Name)}
    return {(chain.partition(".")[0], chain.partition(".")[2]) for chain in chains if chain}


def test_only_settings_reads_the_environment():
    found = problems(modules(ROOT))

    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    [
        "import os\nkey = os.environ['OPENAI_API_KEY']\n",
        "import os\nkey = os.environ.get('OPENAI_API_KEY')\n",
        "import os as system\nkey = system.getenv('HOME')\n",
        "from os import environ\nprint(environ)\n",
        "from os import getenv as read\nread('HOME')\n",
        "def late():\n    import os\n    return os.environ.copy()\n",
        "import os.path\nos.path.expandvars('$HOME')\n",
        "import urllib.request\nurllib.request.getproxies()\n",
        "from pathlib import Path\ncache = Path.home()\n",
        "from pathlib import Path\ncache = Path('~/.cache').expanduser()\n",
    ],
)
def test_a_second_reader_is_named(tmp_path, text):
    found = problems(modules(write_package(tmp_path, {"store.py": text})))

    assert found
    assert all(problem.startswith("store ") for problem in found)


def test_every_exception_is_still_needed():
    known = modules(ROOT)

    assert [name for name, used in EXCEPTIONS if used not in ast.unparse(known[name])] == []


def test_settings_may_read_and_others_may_use_os(tmp_path):
    files = {"settings.py": "import os\nos.environ\n", "store.py": "import os\nenvironment = os.getpid()\n"}

    assert problems(modules(write_package(tmp_path, files))) == []

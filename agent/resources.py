"""Where the files that are not code are: `prompts/` and `schemas/`.

Promises: an installed package finds the copies that its wheel brought along, a checkout finds its live files, and a
broken installation says what is missing. Nothing is read here.
"""

from pathlib import Path
from typing import Literal

from agent.errors import AgentError

_PACKAGE = Path(__file__).resolve().parent


def folder(kind: Literal["prompts", "schemas"], *, package: Path = _PACKAGE) -> Path:
    """Return the folder of one kind of file: `_data/<kind>` in the package, else `<kind>` beside the package.

    Args:
        kind: the folder's name.
        package: folder of the installed package.

    Raises:
        AgentError: neither folder is there.
    """
    for candidate in (package / "_data" / kind, package.parent / kind):
        if candidate.is_dir():
            return candidate
    raise AgentError(f"The folder {kind!r} is missing from the installation in {str(package)!r}: install it again.")

"""Starts a workspace: an empty one, or a copy of the worked example that ships with the package.

Promises: nothing that exists is overwritten; a folder that was not there appears whole or not at all; what a failed start
had written is removed again, and nothing else.
"""

import contextlib
import secrets
from collections.abc import Iterator, Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from agent.errors import OutputUnwritable

AGENT_TOML = """\
# Settings of this workspace. Each line may be left out; values shown without "for example" are the defaults.
# Endpoints, keys and model files belong in the environment or in your own user-level file, never here.

# Days and slots are meant in this time zone.
# timezone = "Asia/Shanghai"

# Language of the digest: "zh" or "en".
# language = "zh"

# How many days a digest covers, its own day included.
# days = 2

# After how many days without an update a living document counts as stale.
# stale_days = 3

# How many minutes after its slot a baton may come before it counts as late.
# late_minutes = 60

# The inbox folder that our own briefs go to; a baton of this agent says when `agent relay` makes which digest.
# own_agent = "digest"

# Whose notes are expected, for example; left out, whoever has a folder in inbox/.
# agents = ["jay", "tom"]

# Which living documents should be there, for example; one that is missing is reported.
# topics = ["inference"]

# The most tokens that one run may use, for example; left out, no limit.
# budget_tokens = 200000

# Topics that may go longer without an update, or less long, for example.
# [stale_days_by_topic]
# evaluation = 14

# A planned turn of one agent, for example; one such table for each turn. A turn that no note answers is reported.
# [[batons]]
# agent = "jay"
# topic = "inference"
# slot = "18:30"
# days = "mon-fri"

# When `agent relay` makes our own digest, for example; with a topic, of that one alone. Left out: every day at 18:00.
# [[batons]]
# agent = "digest"
# slot = "19:00"
# days = "mon-fri"
"""

_EMPTY_FOLDERS = ("inbox", "organized", "organized/knowledge", "paper_cards")
_Entry = tuple[str, bytes | None]  # a path below the workspace and a file's content; None for a folder


def start_workspace(target: Path, *, with_example: bool) -> tuple[str, ...]:
    """Make a workspace at `target` and return what was made: paths relative to it, folders with a closing slash.

    Args:
        target: a folder that is not there yet, or is empty; missing parents are made.
        with_example: copy the worked example instead of leaving the folders empty.

    Raises:
        OutputUnwritable: `target` holds something, is no folder, or cannot be written.
    """
    entries = tuple(_example_entries() if with_example else _bare_entries())
    try:
        if _is_empty_folder(target):
            _write_into(target, entries)
        else:
            _write_beside(target, entries)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise OutputUnwritable(
            f"No workspace can be started at {str(target)!r} ({reason}): name another folder."
        ) from error
    return tuple(path if content is not None else f"{path}/" for path, content in entries)


def _bare_entries() -> Iterator[_Entry]:
    for folder in _EMPTY_FOLDERS:
        yield folder, None
    yield "agent.toml", AGENT_TOML.encode()


def _example_entries() -> Iterator[_Entry]:
    return _entries_below(resources.files("agent") / "example", prefix="")


def _entries_below(folder: Traversable, *, prefix: str) -> Iterator[_Entry]:
    """Yield a folder's content in a fixed order, each folder before what it holds, byte for byte."""
    for member in sorted(folder.iterdir(), key=lambda member: (member.is_file(), member.name)):
        path = prefix + member.name
        if member.is_file():
            yield path, member.read_bytes()
        else:
            yield path, None
            yield from _entries_below(member, prefix=f"{path}/")


def _is_empty_folder(target: Path) -> bool:
    """Return whether `target` is there and empty, or False where nothing is; refuse everything else."""
    if target.is_dir():
        found = min((member.name for member in target.iterdir()), default=None)
        if found is not None:
            raise OutputUnwritable(
                f"The folder {str(target)!r} already holds {found!r}: a workspace starts in a new or an empty folder."
            )
        return True
    if target.exists() or target.is_symlink():
        raise OutputUnwritable(f"{str(target)!r} is no folder: name a new or an empty one.")
    return False


def _write_beside(target: Path, entries: Sequence[_Entry]) -> None:
    """Write everything to a folder next to `target`, then give it its name in one step."""
    missing = [folder for folder in (target.parent, *target.parent.parents) if not folder.exists()]
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    with contextlib.ExitStack() as undo:
        for folder in (*reversed(missing), draft):
            folder.mkdir()
            undo.callback(_remove, folder)
        _fill(draft, entries, undo)
        draft.rename(target)  # the system refuses where something has appeared meanwhile
        undo.pop_all()


def _write_into(target: Path, entries: Sequence[_Entry]) -> None:
    """Write into an empty folder that is there, piece by piece: it may be somebody's current folder."""
    with contextlib.ExitStack() as undo:
        _fill(target, entries, undo)
        undo.pop_all()


def _fill(folder: Path, entries: Sequence[_Entry], undo: contextlib.ExitStack) -> None:
    """Make each entry, which must not be there yet, and leave on `undo` what takes it away again."""
    for path, content in entries:
        place = folder / path
        if content is None:
            place.mkdir()
            undo.callback(_remove, place)
        else:
            with place.open("xb") as file:
                undo.callback(_remove, place)
                file.write(content)


def _remove(made: Path) -> None:
    """Take away a file or folder of ours; a folder that others have used since stays."""
    with contextlib.suppress(OSError):
        if made.is_dir():
            made.rmdir()
        else:
            made.unlink()

"""Writes several files of a workspace together: all of them or none, and nothing over what somebody else wrote.

What is to be written stands in a journal first, in one piece. From then on it counts as written: a process that is killed on
the way is followed by one that finishes the journal. Promises: no link below the workspace is followed; a file that
already holds what is to be written is not touched; a file that is not as we left it stays, and ours is written beside it.
"""

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from pydantic import Field, ValidationError

from agent.errors import NoteUnreadable, OutputUnwritable, StoreError
from agent.files import cause, read_below, write_atomic, write_below
from agent.handoffs import Handoff, Turn
from agent.reading.marking import is_own_output
from agent.record import Record, as_json

JOURNAL = "publication.json"
MAX_FILE_BYTES = 64_000_000
_MAX_JOURNAL_BYTES = 512_000_000
_NAMES_TRIED = 1_000


class Publication(Record):
    """What a run writes: texts by their paths in the workspace, and the turns that are done with it.

    Attributes:
        files: in the order in which they are written.
        turns: own batons that ran; `caught_up` those that were covered besides.
    """

    turns: tuple[Turn, ...]
    caught_up: tuple[Turn, ...] = ()
    files: dict[str, str] = Field(default_factory=dict)


def free_path(root: Path, path: str) -> str:
    """Return where a file of ours may be written: `path` where nothing is there or what we left, else a name beside it.

    Raises:
        OutputUnwritable: a hundred names beside it are taken.
    """
    wanted = PurePosixPath(path)
    for number in range(1, _NAMES_TRIED):
        beside = path if number == 1 else str(wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}"))
        if _is_free(root, beside):
            return beside
    raise OutputUnwritable(f"{path!r} and {_NAMES_TRIED:,} names beside it are taken: move them away.")


def publish(root: Path, publication: Publication, *, state: Path) -> tuple[str, ...]:
    """Write all files of a publication, and return the paths of those that were not as they should be.

    The journal stays until `forget`, so that whoever keeps what was done can do so first.

    Args:
        root: the workspace.
        publication: what is to be written.
        state: the folder for the journal.

    Raises:
        OutputUnwritable: the journal, and then nothing, or a file after it could not be written; `finish` goes on.
    """
    # bytes of a path that is no UTF-8 are written as escapes, or the journal could not be read again
    files = {path: _bytes(text).decode() for path, text in publication.files.items()}
    write_atomic(state / JOURNAL, as_json(publication.model_copy(update={"files": files})).encode())
    return _write_all(root, files)


def unfinished(state: Path) -> Publication | None:
    """Return what was to be written and was not finished, or None.

    Raises:
        StoreError: there is a journal, and it cannot be read.
    """
    try:
        content = read_below(state, JOURNAL, _MAX_JOURNAL_BYTES)
        return None if content is None else Publication.model_validate_json(content)
    except (NoteUnreadable, ValidationError) as error:
        raise StoreError(
            f"The journal {str(state / JOURNAL)!r} of an interrupted run cannot be read: move it away to begin anew."
        ) from error


def finish(root: Path, publication: Publication) -> tuple[str, ...]:
    """Write what is left of an unfinished publication; what somebody changed since is kept, and ours comes beside it.

    Raises:
        OutputUnwritable: a file cannot be written.
    """
    files = {}
    for path, text in publication.files.items():
        files[path if _holds(root, path, _bytes(text)) else free_path(root, path)] = text
    return _write_all(root, files)


def forget(state: Path) -> None:
    """Remove the journal: all that it says is written and remembered.

    Raises:
        OutputUnwritable: it cannot be removed.
    """
    try:
        (state / JOURNAL).unlink(missing_ok=True)
    except OSError as error:
        raise OutputUnwritable(f"The journal {str(state / JOURNAL)!r} cannot be removed ({cause(error)}).") from error


def _write_all(root: Path, files: Mapping[str, str]) -> tuple[str, ...]:
    changed = {path: _bytes(text) for path, text in files.items() if not _holds(root, path, _bytes(text))}
    for path, content in changed.items():
        write_below(root, path, content)
    return tuple(changed)


def _holds(root: Path, path: str, content: bytes) -> bool:
    with contextlib.suppress(NoteUnreadable):
        return read_below(root, path, MAX_FILE_BYTES) == content
    return False


def _is_free(root: Path, path: str) -> bool:
    """Whether nothing is at a path, or what we left there and nobody touched since."""
    try:
        content = read_below(root, path, MAX_FILE_BYTES)
    except NoteUnreadable:
        return False
    return content is None or _is_ours(content, is_json=path.endswith(".json"))


def _is_ours(content: bytes, *, is_json: bool) -> bool:
    try:
        if not is_json:
            return is_own_output(content.decode())
        Handoff.model_validate(json.loads(content))
    except (ValueError, RecursionError):  # pydantic's errors and those of decoding are values' too
        return False
    return True


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")

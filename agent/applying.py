"""The story of `agent apply`: chosen operations of a handoff are put into living documents, and taken back again.

Promises: nothing outside `organized/knowledge` is written, and no link followed; a document that changed since the handoff,
otherwise than by us, is not touched; no operation is applied twice; every byte outside the operations stays; a kill at any
moment leaves a document as it was or as it was to be, and a log that tells which.
"""

import codecs
import contextlib
import datetime as dt
import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import filelock
from pydantic import BaseModel, ValidationError

from agent.errors import NoteUnreadable, OutputUnwritable, SettingsError, StoreError
from agent.files import cause, read_below, write_atomic, write_below
from agent.handoffs import HANDOFF_VERSION, Applied, Change, Handoff, Operation, Refusal
from agent.reading.decoding import decode
from agent.reading.documents import parse_document
from agent.record import Record, as_json
from agent.relaying.editing import applied, diff
from agent.relaying.operations import place_again
from agent.texts import DOCUMENTS, LivingDocument
from agent.workspace import MAX_DOCUMENT_BYTES, Workspace

LOG, BACKUPS, LOCK = "applied.json", "applied", "applied.lock"
MAX_HANDOFF_BYTES = 64_000_000
_WAIT_SECONDS = 10.0
_NAMED = 5
_MARKS = (  # that of UTF-32 begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class _Log(Record):
    """All changes of a workspace; `begun` is one whose document may not have been written yet."""

    changes: tuple[Change, ...] = ()
    begun: Change | None = None


class _Versioned(BaseModel):
    """What a handoff of any version has."""

    schema_version: int


@dataclass(frozen=True, slots=True)
class Offer:
    """An operation with what it would change in the document as it is now; `why_not` is empty where it can be applied."""

    operation: Operation
    diff: str
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class _File:
    """A living document as it is on disk."""

    document: LivingDocument
    content: bytes
    encoding: str

    def encoded(self, text: str) -> bytes:
        """Return the bytes of another text of this document.

        Raises:
            UnicodeEncodeError: its encoding cannot hold the text.
        """
        mark, codec = next((one for one in _MARKS if self.content.startswith(one[0])), (b"", self.encoding))
        return mark + text.encode(codec)


def load_handoff(path: Path, workspace: Workspace) -> Handoff:
    """Read a handoff: a path, or a file name in the workspace.

    Raises:
        SettingsError: there is none, or it is no handoff of ours.
    """
    place = path if path.is_absolute() or os.path.isfile(path) else workspace.root / path  # noqa: PTH113  does not raise
    try:
        content = read_below(place.parent, place.name, MAX_HANDOFF_BYTES)
    except (NoteUnreadable, ValueError) as error:
        raise SettingsError(f"The handoff {str(place)!r} cannot be read: {error}") from error
    if content is None:
        raise SettingsError(f"There is no handoff {str(path)!r}: run agent relay run, or name another one.")
    try:
        version = _Versioned.model_validate_json(content).schema_version
        if version != HANDOFF_VERSION:
            raise SettingsError(
                f"{str(place)!r} is a handoff of version {version}, and only version {HANDOFF_VERSION} is understood:"
                " run agent relay run to make one."
            )
        return Handoff.model_validate_json(content)
    except (ValidationError, ValueError) as error:
        raise SettingsError(
            f"{str(place)!r} is no handoff of this version ({_first_fault(error)}): run agent relay run to make one."
        ) from error


def offers(workspace: Workspace, handoff: Handoff, ids: Sequence[str] = ()) -> tuple[Offer, ...]:
    """Return the operations of a handoff, or chosen ones, with what each would change now.

    Raises:
        SettingsError: the handoff has no operation of such an id.
        StoreError: the log cannot be read.
    """
    log = _settled(workspace, _load(workspace))
    files: dict[str, _File | str] = {}
    found = []
    for operation in _chosen(handoff, ids):
        if operation.document not in files:
            files[operation.document] = _opened(workspace, operation.document)
        found.append(_offer(operation, files[operation.document], log))
    return tuple(found)


def apply(workspace: Workspace, handoff: Handoff, ids: Sequence[str], *, now: dt.datetime) -> Applied:
    """Apply operations, those of one document together.

    Args:
        workspace: whose living documents are changed.
        handoff: where the operations stand.
        ids: which of them; none for all that can be applied.
        now: the moment, for the log.

    Returns:
        The changes made, and the operations that were refused.

    Raises:
        SettingsError: the handoff has no operation of such an id.
        OutputUnwritable: a document cannot be written; those before it are.
        StoreError: the log cannot be read, or another process holds it too long.
    """
    chosen = _chosen(handoff, ids)
    with _held(workspace):
        changes: list[Change] = []
        refused: list[Refusal] = []
        for name in dict.fromkeys(one.document for one in chosen):
            own = [one for one in chosen if one.document == name]
            change, not_done = _apply_to(workspace, name, own, now)
            changes += [change] if change else []
            refused += not_done
    return Applied(changes=tuple(changes), refused=tuple(refused))


def undo(workspace: Workspace) -> Applied:
    """Take the last change back that was not taken back yet: the document's bytes are what they were before it.

    Raises:
        SettingsError: there is nothing to take back, or the document changed since.
        OutputUnwritable: it cannot be written.
        StoreError: the log cannot be read, or the bytes before are no longer kept.
    """
    with _held(workspace):
        log = _settled(workspace, _load(workspace))
        last = next((one for one in reversed(log.changes) if not one.is_undone), None)
        if last is None:
            raise SettingsError("There is nothing to take back: no operation was applied, or all were taken back.")
        file = _opened(workspace, last.document)
        if isinstance(file, str) or file.document.sha256 != last.after:
            raise SettingsError(
                f"{last.document!r} changed since change {last.number}: it was not touched; take it back by hand."
            )
        before = _kept(workspace, last.before)
        undone = last.model_copy(update={"is_undone": True})
        _save(workspace, _Log(changes=log.changes, begun=undone))
        _replace(workspace, undone, before)
        _save(workspace, _with(log, undone))
    return Applied(changes=(undone,))


# --- one document -----------------------------------------------------------------------------------------------------


def _apply_to(
    workspace: Workspace, name: str, operations: Sequence[Operation], now: dt.datetime
) -> tuple[Change | None, list[Refusal]]:
    log = _settled(workspace, _load(workspace))
    file = _opened(workspace, name)
    refused: list[Refusal] = []
    done: list[str] = []
    if isinstance(file, str):
        return None, [Refusal(operation=one.id, document=name, why=one.problem or file) for one in operations]
    document = file.document
    for operation in operations:
        why = _why_not(operation, file, log)
        edit = None if why else place_again(operation, document)
        if edit is None:
            refused.append(Refusal(operation=operation.id, document=name, why=why or _lost(operation)))
            continue
        text = applied(document.text, edit)
        try:
            file.encoded(text)
        except UnicodeEncodeError as error:
            refused.append(Refusal(operation=operation.id, document=name, why=_unencodable(file, error)))
            continue
        document = parse_document(name, text, sha256=file.document.sha256)
        done.append(operation.id)
    if not done:
        return None, refused
    content = file.encoded(document.text)
    change = Change(
        number=max((one.number for one in log.changes), default=0) + 1,
        at=now.astimezone(dt.UTC).replace(microsecond=0),
        document=name,
        operations=tuple(done),
        before=file.document.sha256,
        after=_sha256(content),
    )
    _keep(workspace, file.content)
    _save(workspace, _Log(changes=log.changes, begun=change))
    _replace(workspace, change, content)
    _save(workspace, _with(log, change))
    return change, refused


def _replace(workspace: Workspace, change: Change, content: bytes) -> None:
    """Write a document, unless somebody saved it since it was read.

    Raises:
        OutputUnwritable: somebody did, or it cannot be written.
    """
    path = f"{DOCUMENTS}/{change.document}"
    try:
        now = read_below(workspace.root, path, MAX_DOCUMENT_BYTES)
    except NoteUnreadable:
        now = None
    if now is None or _sha256(now) != (change.after if change.is_undone else change.before):
        raise OutputUnwritable(f"{change.document!r} was changed by somebody just now: it was not touched; try again.")
    write_below(workspace.root, path, content)


def _offer(operation: Operation, file: _File | str, log: _Log) -> Offer:
    if isinstance(file, str):
        return Offer(operation, operation.diff, operation.problem or file)
    why = _why_not(operation, file, log)
    edit = None if why else place_again(operation, file.document)
    if edit is None:
        return Offer(operation, operation.diff, why or _lost(operation))
    return Offer(operation, diff(file.document, edit))


def _why_not(operation: Operation, file: _File, log: _Log) -> str:
    """Say why an operation cannot be applied to a document as it is, or return nothing."""
    if operation.problem:
        return operation.problem
    for change in log.changes:
        if operation.id in change.operations and not change.is_undone and change.document == operation.document:
            return f"It was applied already, by change {change.number} on {change.at:%Y-%m-%d}."
    if file.document.sha256 not in _reachable(operation.sha256, operation.document, log):
        return f"{operation.document!r} changed since the handoff was made: run agent relay run for a new one."
    return ""


def _reachable(sha256: str, document: str, log: _Log) -> set[str]:
    """What a document may be when nobody but us changed it since it was `sha256`."""
    found = {sha256}
    for change in log.changes:
        if change.document == document and change.before in found:
            found.add(change.after)
    return found


def _opened(workspace: Workspace, name: str) -> _File | str:
    """Read a living document, or say why it cannot be changed."""
    if (
        "/" in name
        or "\\" in name
        or name.startswith(".")
        or not name.lower().endswith(".md")
        or not name.isprintable()
    ):
        return f"{name!r} is no name of a living document."
    try:
        content = read_below(workspace.root, f"{DOCUMENTS}/{name}", MAX_DOCUMENT_BYTES)
        if content is None:
            return f"There is no living document {name!r}: make it first."
        text, encoding = decode(content, name=name)
    except NoteUnreadable as error:
        return str(error)
    document = parse_document(name, text, sha256=_sha256(content))
    file = _File(document, content, encoding)
    with contextlib.suppress(UnicodeError, LookupError):
        if file.encoded(text) == content:
            return file
    return f"{name!r} is written in {encoding.upper()} in a way that cannot be kept byte for byte: save it as UTF-8."


# --- the log ----------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _held(workspace: Workspace) -> Iterator[None]:
    path = workspace.lock_folder / LOCK
    try:
        with filelock.FileLock(path, timeout=_WAIT_SECONDS):
            yield
    except filelock.Timeout as error:
        raise StoreError(
            f"Another process applies operations ({str(path)!r} is held): wait until it is done."
        ) from error
    except NotImplementedError as error:
        raise OutputUnwritable(f"Nothing can be locked by {str(path)!r} ({error}): nothing was done.") from error


def _load(workspace: Workspace) -> _Log:
    folder = workspace.state_path
    try:
        content = read_below(folder, LOG, MAX_HANDOFF_BYTES) if folder.is_dir() else None
        return _Log() if content is None else _Log.model_validate_json(content)
    except (NoteUnreadable, ValidationError) as error:
        raise StoreError(
            f"The log of applied operations {str(folder / LOG)!r} cannot be read: move it away to begin a new one."
        ) from error


def _settled(workspace: Workspace, log: _Log) -> _Log:
    """Find out by the document itself whether a change that was begun came about."""
    if log.begun is None:
        return log
    file = _opened(workspace, log.begun.document)
    reached = log.begun.before if log.begun.is_undone else log.begun.after
    if not isinstance(file, str) and file.document.sha256 == reached:
        return _with(log, log.begun)
    return _Log(changes=log.changes)


def _with(log: _Log, change: Change) -> _Log:
    """The log with a change, in the place of the same one where it is there."""
    others = tuple(one for one in log.changes if one.number != change.number)
    return _Log(changes=tuple(sorted((*others, change), key=lambda one: one.number)))


def _save(workspace: Workspace, log: _Log) -> None:
    write_atomic(workspace.state_folder / LOG, as_json(log).encode())


def _keep(workspace: Workspace, content: bytes) -> None:
    """Keep the bytes of a document under their checksum."""
    write_below(workspace.state_folder, f"{BACKUPS}/{_sha256(content)}", content)


def _kept(workspace: Workspace, sha256: str) -> bytes:
    try:
        content = read_below(workspace.state_folder, f"{BACKUPS}/{sha256}", MAX_DOCUMENT_BYTES)
    except NoteUnreadable:
        content = None
    if content is None or _sha256(content) != sha256:
        raise StoreError(f"The bytes before the change are no longer in {str(workspace.state_path / BACKUPS)!r}.")
    return content


def _chosen(handoff: Handoff, ids: Sequence[str]) -> list[Operation]:
    if not ids:
        return list(handoff.operations)
    known = {one.id for one in handoff.operations}
    if unknown := [one for one in ids if one not in known]:
        named = ", ".join(map(repr, unknown[:_NAMED]))
        raise SettingsError(
            f"The handoff of {handoff.date} has no operation {named}: see agent apply without --operation."
        )
    return [one for one in handoff.operations if one.id in set(ids)]


def _lost(operation: Operation) -> str:
    return f"Its place in {operation.document!r} is no longer there, or its register number was taken."


def _unencodable(file: _File, error: UnicodeEncodeError) -> str:
    shown = error.object[error.start : error.start + 1]
    return f"The document is written in {file.encoding.upper()}, which has no {shown!r}: save it as UTF-8 first."


def _first_fault(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        return f"{where}: {first['msg']}" if where else str(first["msg"])
    return cause(error)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()

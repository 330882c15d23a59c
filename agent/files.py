"""Opens, reads and writes files without being led astray: the hands of `workspace`.

Promises: no link below the base folder is followed, no FIFO waited for, nothing read past its limit; a file that changes while
it is read is refused. What is written is seen whole or not at all, and the old content stays when writing fails.
"""

import contextlib
import errno
import os
import secrets
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from agent.errors import NoteUnreadable, OutputUnwritable

_FRESH_SECONDS = 2.0  # what changed so lately may still grow
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@contextlib.contextmanager
def opened(base: Path, below: tuple[str, ...]) -> Iterator[int]:
    """Open a folder; links may lead to `base`, never further down."""
    descriptor = os.open(base, _FOLDER_FLAGS)
    try:
        for name in below:
            inner = os.open(name, _FOLDER_FLAGS | os.O_NOFOLLOW, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


def read_regular(folder: int, name: str, path: str, limit: int) -> tuple[bytes, os.stat_result]:
    """Read a regular file of at most `limit` bytes that keeps still."""
    descriptor = os.open(name, _FILE_FLAGS, dir_fd=folder)
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise _no_file(path)
        if before.st_size > limit:
            raise NoteUnreadable(
                f"{path!r} has {before.st_size:,} bytes, more than the {limit:,} that are read: split it.",
                outcome="too_large",
            )
        content = _whole(descriptor, limit)
        # what is written in place keeps its size, and within one tick of the clock its time
        is_still = not is_fresh(before) or content == _whole(descriptor, limit)
        after = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    has_moved = (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns)
    if has_moved or not is_still or len(content) != after.st_size:
        raise in_writing(path)
    return content, after


def _whole(descriptor: int, limit: int) -> bytes:
    """Read a file from its beginning, up to one byte more than the limit."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    content = bytearray()
    while chunk := os.read(descriptor, limit + 1 - len(content)):
        content += chunk
    return bytes(content)


def is_fresh(status: os.stat_result) -> bool:
    """Whether a file changed within the last two seconds, by the clock of this machine."""
    return abs(time.time() - status.st_mtime) < _FRESH_SECONDS


def in_writing(path: str) -> NoteUnreadable:
    """Return what to raise for a file that changed while it was read."""
    return NoteUnreadable(f"{path!r} changed while it was read: it is left for the next run.", outcome="being_written")


def _no_file(path: str) -> NoteUnreadable:
    return NoteUnreadable(f"{path!r} is a link or no regular file: put the file itself there.", outcome="not_followed")


def unreadable(path: str, error: OSError) -> NoteUnreadable:
    """Return what to raise for a file that the system did not hand out."""
    if isinstance(error, FileNotFoundError):
        return NoteUnreadable(f"{path!r} is gone: it was moved or deleted after it was listed.", outcome="gone")
    if error.errno in {errno.ELOOP, errno.ENOTDIR, errno.ENXIO}:
        return _no_file(path)
    return NoteUnreadable(f"{path!r} cannot be read ({cause(error)}): check its permissions.")


def cause(error: Exception) -> str:
    """Return why something failed, in the system's words."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file so that others see the old content or the new one, also after a power cut.

    Raises:
        OutputUnwritable: it could not be written; the old content, if any, is untouched.
    """
    try:
        with opened(path.parent, ()) as folder:
            _replace(folder, path.name, data)
    except (OSError, ValueError) as error:
        raise _unwritable(str(path), error) from error


def write_below(base: Path, path: str, data: bytes) -> None:
    """Write a file of a folder as `write_atomic` does, and make the folders on the way; no link below `base` is followed.

    Args:
        base: the folder.
        path: the file's path from there, with forward slashes.
        data: its content.

    Raises:
        OutputUnwritable: it could not be written; the old content, if any, is untouched.
    """
    *folders, name = path.split("/")
    try:
        for depth in range(len(folders)):
            with opened(base, tuple(folders[:depth])) as folder, contextlib.suppress(FileExistsError):
                os.mkdir(folders[depth], dir_fd=folder)
        with opened(base, tuple(folders)) as folder:
            _replace(folder, name, data)
    except (OSError, ValueError) as error:
        raise _unwritable(str(base / path), error) from error


def read_below(base: Path, path: str, limit: int) -> bytes | None:
    """Return the content of a regular file of a folder, or None where there is none; no link below `base` is followed.

    Raises:
        NoteUnreadable: there is something, and it cannot be read.
    """
    *folders, name = path.split("/")
    try:
        with opened(base, tuple(folders)) as folder:
            return read_regular(folder, name, path, limit)[0]
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unreadable(path, error) from error


def _replace(folder: int, name: str, data: bytes) -> None:
    draft = f".relay-digest-{secrets.token_hex(8)}.tmp"
    try:
        _write_draft(folder, draft, data, _mode_of(folder, name))
        os.replace(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft, dir_fd=folder)
        raise
    os.fsync(folder)


def _unwritable(path: str, error: Exception) -> OutputUnwritable:
    return OutputUnwritable(f"{path!r} cannot be written ({cause(error)}): free the place or name another one.")


def _mode_of(folder: int, name: str) -> int | None:
    """Return the permissions of the file to replace, or None where there is none."""
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "a link" if stat.S_ISLNK(status.st_mode) else "a device"
        raise OSError(errno.EINVAL, f"it is {kind}, no regular file")
    return stat.S_IMODE(status.st_mode)


def _write_draft(folder: int, name: str, data: bytes, mode: int | None) -> None:
    descriptor = os.open(
        name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666, dir_fd=folder
    )
    with os.fdopen(descriptor, "wb") as file:
        if mode is not None:
            os.fchmod(descriptor, mode)
        file.write(data)
        file.flush()
        os.fsync(descriptor)

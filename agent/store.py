"""Remembers paid replies and past digests in a database: SQLite in the state folder, or PostgreSQL by its address.

Promises: what was put is safe on disk when the call returns, also from a power cut; the same put twice does no harm; a
damaged file is set aside under a name, never deleted. SQLAlchemy is loaded when a store is opened, not before.
"""

import contextlib
import datetime as dt
import hashlib
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self

import filelock

from agent import tables
from agent.costs import PastCost, Remembered
from agent.errors import StoreError
from agent.past import PastDigest, packed, records_in, unpacked
from agent.records import Usage

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

DATABASE = "replies.db"
WAIT_SECONDS = 10.0  # for another process to let go of the database
KEPT_DIGESTS = 400  # of one workspace, the last ones put
KEPT_RECORDS = 50_000  # of past digests, after which older ones are not looked at

_NEWEST = tables.STEPS[-1][0]
_LARGEST = 2**63 - 1
_LONGEST_KEY = 500  # bytes of a workspace's key; PostgreSQL indexes no more than 2,700 in all
_WAL_SAFE = (3, 51, 3)  # sqlite.org/wal.html: "WAL-reset bug" before that
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class _Damaged(Exception):
    """The file is no database of ours."""


class Store:
    """An open database of replies and digests. Safe for several threads and several processes.

    Attributes:
        remarks: what the user should know, one sentence each; some come while it is open.
    """

    def __init__(self, engine: "Engine", *, name: str, remarks: tuple[str, ...] = (), steps: int = _NEWEST) -> None:
        self.remarks = remarks
        self._engine = engine
        self._reader = engine.execution_options(is_reading=True)
        self._name = name
        self._steps = steps  # the last one applied; a database that is only read may lack later ones
        self._failure: str | None = None
        self._writing = threading.Lock()  # SQLite's own waiting is neither fair nor quick
        text = _library().text
        self._get, self._put = text(tables.GET if steps >= tables.COSTS_SINCE else tables.GET_OLD), text(tables.PUT)

    @classmethod
    def open(cls, where: Path | str, *, wait_seconds: float = WAIT_SECONDS) -> "Store":
        """Open the database of a folder, or the one at an SQLAlchemy address; make or upgrade its tables.

        Args:
            where: a folder, or an address such as "postgresql+psycopg://user:password@host/name".
            wait_seconds: how long another process may hold the database.

        Raises:
            StoreError: it cannot be opened, is held too long, or was written by a later version of this program.
        """
        if isinstance(where, str) and "://" in where:
            return _open_address(where)
        return _open_folder(Path(where), wait_seconds)

    @classmethod
    def open_to_read(cls, folder: Path, *, wait_seconds: float = WAIT_SECONDS) -> "Store | None":
        """Open the database of a folder without changing it, one of an earlier version included; None where there is none.

        Raises:
            StoreError: it cannot be read, or was written by a later version of this program.
        """
        path = folder / DATABASE
        if not path.is_file():
            return None
        engine = _sqlite_engine(path, wait_seconds, is_read_only=True)
        try:
            return cls(engine, name=str(path), steps=_applied(engine, str(path)))
        except BaseException:
            engine.dispose()
            raise

    def get(self, key: str) -> Remembered | None:
        """Return what is kept under a key.

        Raises:
            StoreError: the database cannot be read.
        """
        with self._reporting(), self._reader.connect() as connection:
            row = connection.execute(self._get, {"key": _storable(key)}).one_or_none()
        if row is None:
            return None
        usage = Usage(
            calls=row.calls,
            prompt_tokens=row.prompt_tokens,
            cached_tokens=row.cached_tokens,
            completion_tokens=row.completion_tokens,
            is_estimated=bool(row.is_estimated),
        )
        return Remembered(row.reply_json, usage, row.model, row.prompt, row.endpoint, row.counted_tokens)

    def costs(self, *, model: str, endpoint: str) -> dict[str, PastCost]:
        """Return what each prompt has cost so far with a model at an endpoint, by the prompt's `id@version`.

        Args:
            model: as it was asked for; servers that name a dated version of it in their replies count too.
            endpoint: the endpoint's identity.

        Raises:
            StoreError: the database cannot be read.
        """
        if self._steps < tables.COSTS_SINCE:
            return {}
        dated = f"{_storable(model)}-2"  # of this century
        given = {"model": _storable(model), "dated": dated, "reach": len(dated), "endpoint": _storable(endpoint)}
        with self._reporting(), self._reader.connect() as connection:
            rows = connection.execute(_library().text(tables.COSTS), given).all()
        return {prompt: PastCost(replies, *map(float, means)) for prompt, replies, *means in rows}

    def put(self, key: str, remembered: Remembered) -> None:
        """Keep a reply; it is safe on disk when this returns. A key that is there is replaced.

        Args:
            key: what the question is known by.
            remembered: the reply; its JSON comes back with lone surrogates and NULs written as escapes.

        Raises:
            StoreError: the database cannot be written.
        """
        usage = remembered.usage
        row = {
            "key": _storable(key),
            "prompt": _storable(remembered.prompt),
            "model": _storable(remembered.model),
            "endpoint": _storable(remembered.endpoint),
            "reply_json": _storable(remembered.reply_json),
            "calls": min(usage.calls, _LARGEST),
            "prompt_tokens": min(usage.prompt_tokens, _LARGEST),
            "cached_tokens": min(usage.cached_tokens, _LARGEST),
            "completion_tokens": min(usage.completion_tokens, _LARGEST),
            "is_estimated": int(usage.is_estimated),
            "counted_tokens": min(remembered.counted_tokens, _LARGEST),
            "created_at": _now(),
        }
        with self._writing, self._reporting(), self._engine.begin() as connection:
            connection.execute(self._put, row)

    def put_digest(self, workspace: str, past: PastDigest) -> None:
        """Keep what the digest of a day said; one of the same day and topic is replaced, and the oldest of many is forgotten.

        Args:
            workspace: what the workspace is known by, the same on every day.
            past: what the digest said; what is beyond `agent.past.LARGEST` is left out with a remark.

        Raises:
            StoreError: the database cannot be written.
        """
        content, left_out = packed(past)
        row = {
            "workspace": _workspace_key(workspace),
            "day": past.date.isoformat(),
            "topic": _storable(past.topic),
            "content": content,
            "put_at": _now(),
        }
        old = {"workspace": row["workspace"], "kept": KEPT_DIGESTS}
        text = _library().text
        with self._writing, self._reporting(), self._engine.begin() as connection:
            connection.execute(text(tables.PUT_DIGEST), row)
            connection.execute(text(tables.FORGET_DIGESTS), old)
        if left_out:
            self.remarks += (
                f"The digest of {past.date} is too large to be remembered whole: {left_out:,} findings or claims will count as new.",
            )

    def digests_before(self, workspace: str, date: dt.date, *, days: int) -> tuple[PastDigest, ...]:
        """Return what the digests of the days before a date said, the newest first, those of one day by topic.

        One that cannot be read, or that comes after `KEPT_RECORDS`, is left out with a remark.

        Args:
            workspace: as it was put.
            date: the day of the digest that is being made; its own and later ones are not returned.
            days: how many days to look back.

        Raises:
            StoreError: the database cannot be read.
        """
        if self._steps < tables.DIGESTS_SINCE:
            return ()
        first = dt.date.fromordinal(max(1, date.toordinal() - days))
        given = {"workspace": _workspace_key(workspace), "first": first.isoformat(), "day": date.isoformat()}
        with self._reporting(), self._reader.connect() as connection:
            kept = connection.execute(_library().text(tables.DIGESTS_BEFORE), given).all()
        found: list[PastDigest] = []
        records = 0
        for day, topic in kept:
            if records >= KEPT_RECORDS:
                self.remarks += (
                    f"Digests of {day} and before were not looked at, for there are too many findings since.",
                )
                break
            past = self._digest({"workspace": given["workspace"], "day": day, "topic": topic})
            if past is not None:
                found.append(past)
                records += records_in(past)
        return tuple(found)

    def _digest(self, key: dict[str, str]) -> PastDigest | None:
        """One past digest; None where somebody removed it just now, and with a remark where it cannot be read."""
        try:
            with self._reporting(), self._reader.connect() as connection:
                content = connection.execute(_library().text(tables.GET_DIGEST), key).scalar()
        except StoreError as error:
            if not _is_undecodable(error.__cause__):
                raise
            content = b""
        if content is None:
            return None
        past = unpacked(content) if isinstance(content, str) else None
        if past is not None and (past.date.isoformat(), _storable(past.topic)) == (key["day"], key["topic"]):
            return past
        self.remarks += (
            f"What the digest of {key['day']} said cannot be read and is ignored: what it had counts as new.",
        )
        return None

    def rows(self, statement: str, given: Mapping[str, str], *, since: int) -> Sequence[Any]:
        """Return the rows that a statement of `agent.tables` finds; none in a database that has not had step `since`.

        Raises:
            StoreError: the database cannot be read.
        """
        if self._steps < since:
            return ()
        with self._reporting(), self._reader.connect() as connection:
            return connection.execute(_library().text(statement), _all_storable(given)).all()

    def write(self, statement: str, rows: Sequence[Mapping[str, str]]) -> None:
        """Run a statement of `agent.tables` for each row: for all of them or for none.

        Raises:
            StoreError: the database cannot be written.
        """
        if rows:
            with self._writing, self._reporting(), self._engine.begin() as connection:
                connection.execute(_library().text(statement), [_all_storable(row) for row in rows])

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _reporting(self) -> Iterator[None]:
        """Turn the library's errors into ours; after a failed write to disk nothing is believed any more."""
        if self._failure is not None:
            raise StoreError(self._failure)
        try:
            yield
        except (_library().exc.SQLAlchemyError, sqlite3.Error) as error:  # the latter while connecting
            message = _sentence(self._name, error)
            if _code(error) == sqlite3.SQLITE_IOERR:
                self._failure = message
            raise StoreError(message) from error


def _open_folder(folder: Path, wait_seconds: float) -> Store:
    """Open a folder's database under a lock, so that two processes neither upgrade nor set it aside at once."""
    path = folder / DATABASE
    lock = filelock.FileLock(folder / "replies.lock", timeout=wait_seconds)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with lock:
            return _open_file(path, wait_seconds)
    except filelock.Timeout as error:
        raise StoreError(_held(str(path))) from error
    except (OSError, ValueError, NotImplementedError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise StoreError(
            f"The database {str(path)!r} cannot be opened ({reason}): name another folder with --state."
        ) from error


def _open_file(path: Path, wait_seconds: float) -> Store:
    if path.is_symlink():
        raise StoreError(f"The database {str(path)!r} is a link: name another folder with --state.")
    remarks: tuple[str, ...] = ()
    for attempt in (1, 2):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
        engine = _sqlite_engine(path, wait_seconds)
        try:
            _prepare(engine, str(path))
        except _Damaged as error:
            engine.dispose()
            if attempt == 2:
                raise StoreError(
                    f"The database {str(path)!r} cannot be made: name another folder with --state."
                ) from error
            aside = _set_aside(path)
            remarks = (
                f"{str(path)!r} was damaged and is kept as {aside.name!r}; its replies have to be paid for again.",
            )
        except BaseException:
            engine.dispose()
            raise
        else:
            return Store(engine, name=str(path), remarks=remarks)
    raise AssertionError("unreachable")


def _open_address(address: str) -> Store:
    library = _library()
    try:
        url = library.make_url(address)
        name = url.render_as_string(hide_password=True)
    except library.exc.SQLAlchemyError:
        raise StoreError(
            "The address of the database cannot be understood: write dialect://user:password@host/name."
        ) from None
    if url.get_backend_name() == "sqlite":
        raise StoreError(f"The address {name!r} is one of SQLite: give the folder instead.")
    try:
        engine = library.create_engine(url, pool_pre_ping=True)
    except (ImportError, library.exc.SQLAlchemyError):
        driver = {"postgresql": "psycopg"}.get(url.get_backend_name(), url.drivername)
        raise StoreError(f"The database {name!r} needs a driver that is not installed: install {driver!r}.") from None
    with contextlib.ExitStack() as undo:
        undo.callback(engine.dispose)
        for _ in range(3):  # others that open an empty database at this moment make one of us fail
            with contextlib.suppress(_Damaged):
                _prepare(engine, name)
                undo.pop_all()
                return Store(engine, name=name)
    raise StoreError(f"The database {name!r} holds other tables: name another one.")


def _sqlite_engine(path: Path, wait_seconds: float, *, is_read_only: bool = False) -> "Engine":
    library = _library()
    url = library.URL.create("sqlite", database=str(path))
    if is_read_only:
        url = library.URL.create("sqlite", database=path.absolute().as_uri(), query={"mode": "ro", "uri": "true"})
    engine: Engine = library.create_engine(url, connect_args={"timeout": wait_seconds}, max_overflow=60)
    modes = ("WAL", "FULL") if sqlite3.sqlite_version_info >= _WAL_SAFE else ("DELETE", "EXTRA")

    def on_connect(connection: Any, _: object) -> None:
        connection.isolation_level = None  # or the driver begins by itself, deferred, and a later write fails at once
        try:
            connection.execute(f"PRAGMA busy_timeout = {int(wait_seconds * 1000)}")
            if not is_read_only:
                connection.execute(f"PRAGMA journal_mode = {modes[0]}")
                connection.execute(f"PRAGMA synchronous = {modes[1]}")
        except sqlite3.Error:
            connection.close()
            raise

    def on_begin(connection: "Connection") -> None:
        is_reading = connection.get_execution_options().get("is_reading")
        connection.exec_driver_sql("BEGIN" if is_reading else "BEGIN IMMEDIATE")

    library.event.listen(engine, "connect", on_connect)
    library.event.listen(engine, "begin", on_begin)
    return engine


def _prepare(engine: "Engine", name: str) -> None:
    """Check a database and apply the steps that it has not had.

    Raises:
        _Damaged: it is broken, or holds tables of somebody else.
        StoreError: it cannot be used, or is newer than this program.
    """
    library = _library()
    try:
        with engine.begin() as connection:
            if engine.dialect.name == "sqlite" and connection.exec_driver_sql("PRAGMA quick_check(1)").scalar() != "ok":
                raise _Damaged
            connection.exec_driver_sql(tables.STEPS_TABLE)
            for number, step, statement in _missing_steps(connection, name):
                connection.exec_driver_sql(statement)
                row = {"number": number, "name": step, "applied_at": _now()}
                connection.execute(library.text("INSERT INTO schema_steps VALUES (:number, :name, :applied_at)"), row)
            connection.execute(library.text(tables.GET), {"key": ""}).one_or_none()
    except (library.exc.SQLAlchemyError, sqlite3.Error) as error:
        has_other_tables = isinstance(error, library.exc.ProgrammingError | library.exc.IntegrityError)
        if has_other_tables or _code(error) in {*_DAMAGED, sqlite3.SQLITE_ERROR}:
            raise _Damaged from error
        raise StoreError(_sentence(name, error)) from error


def _applied(engine: "Engine", name: str) -> int:
    """Return the last step that a database has had which is only read.

    Raises:
        StoreError: it cannot be used, or is newer than this program.
    """
    try:
        with engine.execution_options(is_reading=True).connect() as connection:
            missing = _missing_steps(connection, name)
    except (_library().exc.SQLAlchemyError, sqlite3.Error) as error:
        raise StoreError(_sentence(name, error)) from error
    return missing[0][0] - 1 if missing else _NEWEST


def _missing_steps(connection: "Connection", name: str) -> list[tuple[int, str, str]]:
    """Return the steps that a database has not had; one that had more is newer than this program, and refused."""
    applied = set(connection.exec_driver_sql("SELECT number FROM schema_steps").scalars())
    if applied - {number for number, _, _ in tables.STEPS}:
        raise StoreError(f"The database {name!r} was written by a later version of this program: upgrade it.")
    return [step for step in tables.STEPS if step[0] not in applied]


def _set_aside(path: Path) -> Path:
    """Rename a database with its journals, which belong together, to the first free name, and return that."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.corrupt-{number}")):
        number += 1
    for suffix in ("-journal", "-wal", "-shm", ""):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
    return aside


def _code(error: Exception) -> int | None:
    """Return SQLite's primary result code, or None for another database."""
    code: int | None = getattr(getattr(error, "orig", error), "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _is_undecodable(error: BaseException | None) -> bool:
    """Whether one value is no UTF-8, which SQLite's driver tells by an error without a code."""
    cause = getattr(error, "orig", error)
    return isinstance(cause, sqlite3.OperationalError) and not hasattr(cause, "sqlite_errorcode")


def _sentence(name: str, error: Exception) -> str:
    code = _code(error)
    if code in _BUSY:
        return _held(name)
    if code == sqlite3.SQLITE_FULL:
        return f"The disk that holds the database {name!r} is full: free some space and run again."
    if code in _DAMAGED:
        return f"The database {name!r} is damaged: run again, and it will be set aside and begun anew."
    if code is None:
        return f"The database {name!r} cannot be used ({type(error).__name__}): check that it runs and lets you in."
    return f"The database {name!r} cannot be used ({getattr(error, 'orig', error)}): name another folder with --state."


def _held(name: str) -> str:
    return f"The database {name!r} is held by another process: wait until that is done and run again."


def _workspace_key(workspace: str) -> str:
    """What a workspace is known by in the database: its key, or the hash of a very long one."""
    key = _storable(workspace)
    return key if len(key.encode()) <= _LONGEST_KEY else hashlib.sha256(key.encode()).hexdigest()


def _storable(text: str) -> str:
    r"""Write lone surrogates and NUL, which no database keeps, as JSON writes them: `\udc80`, `\u0000`."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\u0000")


def _all_storable(given: Mapping[str, str]) -> dict[str, str]:
    return {name: _storable(value) for name, value in given.items()}


def _now() -> str:
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def _library() -> ModuleType:
    import sqlalchemy  # noqa: PLC0415  it takes half a second to load, and not every command needs a store

    return sqlalchemy

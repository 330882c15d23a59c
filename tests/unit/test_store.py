"""The store: replies are kept for good, and a database that is broken, newer or held is said to be so."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

import pytest

from agent.costs import PastCost, Remembered
from agent.errors import StoreError
from agent.records import Usage
from agent.store import DATABASE, Store, _set_aside

USAGE = Usage(calls=2, prompt_tokens=1200, cached_tokens=900, completion_tokens=80, is_estimated=True)
REPLY = Remembered('{"summary": "吞吐提升 😀"}', USAGE, "m", "extract@1", "local:0123", 1100)


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path) as opened:
        yield opened


@contextmanager
def connected(folder: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as connection:
        yield connection


def test_a_reply_comes_back_as_it_was_kept(store, tmp_path):
    store.put("k", REPLY)

    assert REPLY == store.get("k")
    assert store.get("other") is None
    with connected(tmp_path) as connection:
        row = connection.execute("SELECT prompt, model, endpoint, created_at FROM replies").fetchone()
    assert ("extract@1", "m", "local:0123") == row[:3]
    assert row[3].endswith("+00:00")


def test_a_reply_that_arrives_twice_does_no_harm_and_a_new_one_replaces_it(store, tmp_path):
    store.put("k", REPLY)
    store.put("k", REPLY)
    assert REPLY == store.get("k")

    other = Remembered("{}", Usage(), "n")
    store.put("k", other)

    assert other == store.get("k")
    with connected(tmp_path) as connection:
        assert (1,) == connection.execute("SELECT count(*) FROM replies").fetchone()


def test_replies_are_there_after_the_store_was_closed(tmp_path):
    with Store.open(tmp_path) as first:
        first.put("k", REPLY)
    with Store.open(tmp_path) as second:
        assert REPLY == second.get("k")
        assert () == second.remarks


def test_what_no_database_keeps_is_written_as_json_writes_it(store):
    store.put("k", Remembered('{"a": "\udc80\0"}', Usage(prompt_tokens=10**30), "m\udcff"))

    assert '{"a": "\\udc80\\u0000"}' == store.get("k").reply_json
    assert "m\\udcff" == store.get("k").model
    assert 2**63 - 1 == store.get("k").usage.prompt_tokens


def test_many_threads_read_and_write_at_once(store):
    def work(number: int) -> None:
        for turn in range(5):
            store.put(f"{number}-{turn}", REPLY)
            assert store.get(f"{number}-{turn}") == REPLY
            done.append(number)

    done: list[int] = []
    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert 40 == len(done)


WRITER = """
import sys
from agent.costs import Remembered
from agent.records import Usage
from agent.store import Store

REPLY = Remembered('{}', Usage(), "m")

with Store.open(sys.argv[1]) as store:
    for number in range(100_000):
        store.put(f"{number}", REPLY)
        print(number, flush=True)
"""


def test_what_was_acknowledged_survives_the_death_of_the_process(tmp_path):
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        acknowledged = [int(line) for line in islice(child.stdout or (), 20)]
        child.kill()

    with Store.open(tmp_path) as store:
        assert 20 == len([number for number in acknowledged if store.get(f"{number}")])
        assert () == store.remarks


def test_the_database_is_for_nobody_else(store, tmp_path):
    assert 0o600 == stat.S_IMODE((tmp_path / DATABASE).stat().st_mode)


def test_the_folder_is_made_where_it_is_missing(tmp_path):
    with Store.open(str(tmp_path / "state" / "deep")) as store:
        assert store.get("k") is None


def test_commits_reach_the_disk_before_they_are_acknowledged(store):
    is_wal_safe = sqlite3.sqlite_version_info >= (3, 51, 3)
    with store._engine.connect() as connection:
        modes = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]

    assert (["wal", 2] if is_wal_safe else ["delete", 3]) == modes


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(b"no database at all" * 100, id="other content"),
        pytest.param("truncated", id="truncated"),
        pytest.param("overwritten", id="overwritten"),
        pytest.param("CREATE TABLE replies (x)", id="other tables"),
        pytest.param("CREATE TABLE schema_steps (x)", id="other steps"),
    ],
)
def test_a_damaged_database_is_set_aside_and_begun_anew(tmp_path, damage):
    path = tmp_path / DATABASE
    if isinstance(damage, bytes):
        path.write_bytes(damage)
    elif damage.startswith("CREATE"):
        with connected(tmp_path) as connection:
            connection.execute(damage)
    else:
        with Store.open(tmp_path) as store:
            for number in range(5):
                store.put(f"{number}", Remembered(f'"{"x" * 20_000}"', Usage(), "m"))
        content = path.read_bytes()
        half = len(content) // 2
        path.write_bytes(content[:half] if damage == "truncated" else content[:4096] + b"\xff" * half)
    before = path.read_bytes()

    for number in (1, 2):
        with Store.open(tmp_path) as store:
            store.put("k", REPLY)
            assert REPLY == store.get("k")
            assert f"{DATABASE}.corrupt-{number}" in store.remarks[0]
        path.write_bytes(before)

    assert before == (tmp_path / f"{DATABASE}.corrupt-1").read_bytes()


def test_a_journal_goes_aside_with_its_database(tmp_path):
    for name in (DATABASE, f"{DATABASE}-journal", f"{DATABASE}.corrupt-1"):
        (tmp_path / name).write_text(name)

    assert tmp_path / f"{DATABASE}.corrupt-2" == _set_aside(tmp_path / DATABASE)
    assert f"{DATABASE}-journal" == (tmp_path / f"{DATABASE}.corrupt-2-journal").read_text()
    assert 3 == len(list(tmp_path.iterdir()))


def test_an_empty_file_is_an_empty_database(tmp_path):
    (tmp_path / DATABASE).touch()

    with Store.open(tmp_path) as store:
        assert () == store.remarks


def test_a_database_of_a_later_version_is_left_alone(tmp_path):
    Store.open(tmp_path).close()
    with connected(tmp_path) as connection:
        connection.execute("INSERT INTO schema_steps VALUES (99, 'later', 'now')")
    before = (tmp_path / DATABASE).read_bytes()

    with pytest.raises(StoreError, match="later version"):
        Store.open(tmp_path)

    assert before == (tmp_path / DATABASE).read_bytes()


def test_steps_are_recorded_once(tmp_path):
    for _ in range(2):
        Store.open(tmp_path).close()

    with connected(tmp_path) as connection:
        steps = connection.execute("SELECT number, name FROM schema_steps").fetchall()
    assert [
        (1, "replies"),
        (2, "cached tokens"),
        (3, "counted tokens"),
        (4, "past digests"),
        (5, "relay turns"),
        (6, "coverages"),
        (7, "relay plans"),
    ] == steps


def test_a_database_that_is_held_is_waited_for_and_then_named(tmp_path):
    with Store.open(tmp_path, wait_seconds=0.1) as store, connected(tmp_path) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="held by another process"):
            store.put("k", REPLY)
        with pytest.raises(StoreError, match="held by another process"):
            store.get("k")
        with pytest.raises(StoreError, match="held by another process"):
            Store.open(tmp_path, wait_seconds=0.1)
        other.execute("ROLLBACK")
        store.put("k", REPLY)
        assert REPLY == store.get("k")


def test_a_full_disk_is_said_and_what_was_kept_stays(store):
    store.put("k", REPLY)
    with store._engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
    store._engine.dispose()

    def limit(connection, _):
        connection.execute(f"PRAGMA max_page_count = {pages}")

    import sqlalchemy  # noqa: PLC0415  as late as the store itself

    sqlalchemy.event.listen(store._engine, "connect", limit)
    with pytest.raises(StoreError, match="is full"):
        store.put("big", Remembered(f'"{"x" * 100_000}"', Usage(), "m"))

    assert REPLY == store.get("k")
    assert store.get("big") is None


def test_after_a_failed_write_to_the_disk_nothing_is_believed(store, monkeypatch):
    def fail(*arguments):
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(store._engine, "begin", fail)
        with pytest.raises(StoreError, match="disk I/O error"):
            store.put("k", REPLY)

    with pytest.raises(StoreError, match="disk I/O error"):
        store.put("k", REPLY)
    with pytest.raises(StoreError, match="disk I/O error"):
        store.get("k")


@pytest.mark.parametrize("plant", ["link", "folder", "file in place of the folder"])
def test_a_place_where_no_database_can_be_is_named(tmp_path, plant):
    folder = tmp_path / "state"
    if plant == "file in place of the folder":
        folder.write_text("")
    else:
        folder.mkdir()
        if plant == "link":
            (folder / DATABASE).symlink_to(tmp_path / "elsewhere.db")
        else:
            (folder / DATABASE).mkdir()

    with pytest.raises(StoreError, match="--state"):
        Store.open(folder)

    assert not (tmp_path / "elsewhere.db").exists()


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("postgresql+psycopg_missing://u:canary@h/d", r"u:\*\*\*@h/d' needs a driver"),
        ("nonsense://u:canary@h/d", "needs a driver"),
        ("sqlite:////tmp/x.db", "give the folder"),
        ("://u:canary@h", "cannot be understood"),
    ],
)
def test_an_address_that_cannot_be_used_is_named_without_its_password(address, message):
    with pytest.raises(StoreError, match=message) as caught:
        Store.open(address)

    assert "canary" not in str(caught.value)


def test_loading_the_module_does_not_load_the_library():
    code = "import sys, agent.store; sys.exit('sqlalchemy' in sys.modules)"

    assert 0 == subprocess.run([sys.executable, "-c", code], check=False, env={**os.environ}).returncode


# Databases of the first version, and reading alone.

FIRST = """
    CREATE TABLE schema_steps (number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL);
    INSERT INTO schema_steps VALUES (1, 'replies', '2026-09-14T00:00:00+00:00');
    CREATE TABLE replies (
        "key" TEXT NOT NULL PRIMARY KEY, prompt TEXT NOT NULL, model TEXT NOT NULL, endpoint TEXT NOT NULL,
        reply_json TEXT NOT NULL, calls BIGINT NOT NULL, prompt_tokens BIGINT NOT NULL, completion_tokens BIGINT NOT NULL,
        is_estimated INTEGER NOT NULL, created_at TEXT NOT NULL
    );
    INSERT INTO replies VALUES ('k', 'extract@1', 'm', 'e', '{}', 1, 300, 30, 0, '2026-09-14T00:00:00+00:00');
"""
OLD = Remembered("{}", Usage(calls=1, prompt_tokens=300, completion_tokens=30), "m", "extract@1", "e")


@pytest.fixture
def first_version(tmp_path):
    with connected(tmp_path) as connection:
        connection.executescript(FIRST)
    return tmp_path


def test_a_database_of_the_first_version_keeps_its_replies_and_takes_new_ones(first_version):
    with Store.open(first_version) as store:
        assert OLD == store.get("k")
        store.put("new", REPLY)
        assert REPLY == store.get("new")
        assert () == store.remarks


def test_reading_alone_changes_no_byte_of_any_version(first_version):
    before = (first_version / DATABASE).read_bytes()

    opened = Store.open_to_read(first_version)
    assert opened is not None
    with opened as store:
        assert OLD == store.get("k")
        assert {} == store.costs(model="m", endpoint="e")
        with pytest.raises(StoreError):
            store.put("new", REPLY)

    assert before == (first_version / DATABASE).read_bytes()
    assert [DATABASE] == [path.name for path in first_version.iterdir()]


def test_where_nothing_is_kept_reading_makes_nothing(tmp_path):
    assert Store.open_to_read(tmp_path / "state") is None
    assert [] == list(tmp_path.iterdir())


def test_what_cannot_be_read_is_said_and_left_as_it_is(tmp_path):
    (tmp_path / DATABASE).write_bytes(b"no database at all" * 100)

    with pytest.raises(StoreError, match="damaged"):
        Store.open_to_read(tmp_path)

    assert [DATABASE] == [path.name for path in tmp_path.iterdir()]


def test_a_later_database_is_not_read_either(store, tmp_path):
    with connected(tmp_path) as connection:
        connection.execute("INSERT INTO schema_steps VALUES (99, 'later', 'now')")

    with pytest.raises(StoreError, match="later version"):
        Store.open_to_read(tmp_path)


# What prompts have cost.


def _kept(prompt: str, *, model: str = "m", tokens: int = 100, counted: int = 80) -> Remembered:
    usage = Usage(calls=1, prompt_tokens=tokens, cached_tokens=tokens // 2, completion_tokens=tokens // 5)
    return Remembered("{}", usage, model, prompt, "e", counted)


def test_costs_are_means_by_prompt_of_one_model_at_one_endpoint(store):
    for number, one in enumerate(
        [
            _kept("extract@1", tokens=100),
            _kept("extract@1", tokens=300, counted=280, model="m-2026-05-01"),
            _kept("place@1", tokens=10),
            _kept("place@1", tokens=9000, model="m-mini"),
            _kept("place@1", tokens=9000, counted=0),
        ]
    ):
        store.put(str(number), one)

    assert {
        "extract@1": PastCost(replies=2, calls=1, prompt=200, cached=100, completion=40, counted=180),
        "place@1": PastCost(replies=1, calls=1, prompt=10, cached=5, completion=2, counted=80),
    } == store.costs(model="m", endpoint="e")
    assert {} == store.costs(model="m", endpoint="elsewhere")

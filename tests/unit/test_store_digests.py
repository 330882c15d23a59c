"""The store remembers what digests said, and what is damaged of that is ignored with a remark."""

import datetime as dt
import json
import sqlite3
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

import agent.past
import agent.store
from agent.costs import Remembered
from agent.errors import StoreError
from agent.past import PastDigest, packed
from agent.records import Contradiction, Usage
from agent.store import DATABASE, Store

DAY = dt.date(2026, 9, 14)
HERE = "/home/somebody/relay"


def before(days: int) -> dt.date:
    return DAY - dt.timedelta(days=days)


def said(day: dt.date, statement: str = "40 ↔ 50", topic: str = "") -> PastDigest:
    raised = Contradiction(id="con-1", kind="value", statement=statement, sides=(), found_by="value", severity="low")
    return PastDigest(date=day, topic=topic, contradictions=(raised,))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path) as opened:
        yield opened


def change(folder: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as connection:
        connection.execute(statement, values)


def test_digests_of_the_days_before_come_back_the_newest_first(store):
    for days in (5, 0, 1, 3, 2, -1):
        store.put_digest(HERE, said(before(days)))

    assert (said(before(1)), said(before(2)), said(before(3))) == store.digests_before(HERE, DAY, days=3)
    assert () == store.digests_before(HERE, before(5), days=100)
    assert () == store.digests_before(HERE, dt.date.min, days=100)


def test_each_topic_has_its_own_and_a_second_run_replaces_it(store):
    store.put_digest(HERE, said(before(1), "old"))
    store.put_digest(HERE, said(before(1), topic="inference"))
    store.put_digest(HERE, said(before(1), "new"))

    assert (said(before(1), "new"), said(before(1), topic="inference")) == store.digests_before(HERE, DAY, days=1)


def test_workspaces_do_not_see_each_other_whatever_they_are_called(store):
    names = [HERE, "", "/\udcff", "/" + "很长" * 2000, "/" + "很长" * 2000 + "/x", "' OR 1=1 --"]
    for number, name in enumerate(names):
        store.put_digest(name, said(before(1), str(number), topic=f"t\udc80{number}"))

    assert [(said(before(1), str(number), topic=f"t\udc80{number}"),) for number in range(len(names))] == [
        store.digests_before(name, DAY, days=1) for name in names
    ]
    assert () == store.remarks


def test_digests_are_there_after_the_store_was_closed(tmp_path):
    with Store.open(tmp_path) as first:
        first.put_digest(HERE, said(before(1)))
    with Store.open(tmp_path) as second:
        assert (said(before(1)),) == second.digests_before(HERE, DAY, days=1)
        assert () == second.remarks


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("", id="empty"),
        pytest.param('{"date": "2026-09-13", "increments": [{"id"', id="cut off"),
        pytest.param('{"date": "2026-09-13", "moods": []}', id="fields of another version"),
        pytest.param('{"date": "2026-09-14"}', id="another day"),
        pytest.param('{"date": "2026-09-13", "topic": "rag"}', id="another topic"),
        pytest.param(zlib.compress(b"{}"), id="bytes"),
        pytest.param(7, id="a number"),
    ],
)
def test_a_damaged_row_is_ignored_with_a_remark_and_the_others_are_read(store, tmp_path, content):
    for days in (1, 2):
        store.put_digest(HERE, said(before(days)))
    change(tmp_path, "UPDATE past_digests SET content = ? WHERE day = ?", content, before(1).isoformat())

    assert (said(before(2)),) == store.digests_before(HERE, DAY, days=7)
    assert ["2026-09-13" in remark and "counts as new" in remark for remark in store.remarks] == [True]


def test_a_row_that_is_no_text_at_all_is_ignored_too(store, tmp_path):
    for days in (1, 2):
        store.put_digest(HERE, said(before(days)))
    change(tmp_path, "UPDATE past_digests SET content = CAST(x'ff7b' AS TEXT) WHERE day = '2026-09-13'")

    assert (said(before(2)),) == store.digests_before(HERE, DAY, days=7)
    assert 1 == len(store.remarks)


def test_a_damaged_row_is_healed_by_the_next_run_of_that_day(store, tmp_path):
    store.put_digest(HERE, said(before(1)))
    change(tmp_path, "UPDATE past_digests SET content = '{'")
    store.put_digest(HERE, said(before(1)))

    assert (said(before(1)),) == store.digests_before(HERE, DAY, days=1)
    assert () == store.remarks


def test_a_row_that_an_earlier_version_wrote_with_fewer_fields_is_read(store, tmp_path):
    store.put_digest(HERE, said(before(1)))
    written = json.loads(packed(said(before(1)))[0])
    del written["claims"]
    change(tmp_path, "UPDATE past_digests SET content = ?", json.dumps(written))

    assert (said(before(1)),) == store.digests_before(HERE, DAY, days=1)


def test_the_oldest_of_many_are_forgotten_but_not_those_of_other_workspaces(store, tmp_path, monkeypatch):
    monkeypatch.setattr(agent.store, "KEPT_DIGESTS", 2)
    store.put_digest("other", said(before(9)))
    for number, days in enumerate((4, 1, 3, 2)):
        monkeypatch.setattr(agent.store, "_now", lambda number=number: f"2026-09-14T00:00:0{number}+00:00")
        store.put_digest(HERE, said(before(days)))

    assert (said(before(2)), said(before(3))) == store.digests_before(HERE, DAY, days=30)
    assert (said(before(9)),) == store.digests_before("other", DAY, days=30)


def test_a_digest_that_is_too_large_is_kept_in_part_and_that_is_said(store, monkeypatch):
    monkeypatch.setattr(agent.past.packed, "__kwdefaults__", {"largest": 400})
    large = PastDigest(date=before(1), contradictions=said(DAY).contradictions * 9)
    store.put_digest(HERE, large)

    (kept,) = store.digests_before(HERE, DAY, days=1)
    assert 0 < len(kept.contradictions) < 9
    assert [f"{9 - len(kept.contradictions)} findings" in remark for remark in store.remarks] == [True]


def test_beyond_a_number_of_records_older_digests_are_not_looked_at(store, monkeypatch):
    monkeypatch.setattr(agent.store, "KEPT_RECORDS", 2)
    for days in (1, 2, 3):
        store.put_digest(HERE, said(before(days)))

    assert (said(before(1)), said(before(2))) == store.digests_before(HERE, DAY, days=30)
    assert ["2026-09-11" in remark for remark in store.remarks] == [True]


def test_many_threads_put_and_look_at_once(store):
    def work(number: int) -> None:
        for days in range(1, 4):
            store.put_digest(HERE, said(before(days), topic=f"{number}"))
            done.append(len(store.digests_before(HERE, DAY, days=3)))

    done: list[int] = []
    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (18, 18) == (len(done), max(done))


WRITER = """
import datetime as dt, sys
from agent.past import PastDigest
from agent.store import Store

with Store.open(sys.argv[1]) as store:
    for number in range(100_000):
        store.put_digest("w", PastDigest(date=dt.date(2026, 9, 13), topic=f"{sys.argv[2]}{number % 50}"))
        print(number, flush=True)
"""


def writing(folder: Path, name: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-c", WRITER, str(folder), name], stdout=subprocess.PIPE, text=True)


def test_what_two_processes_put_survives_the_death_of_both(tmp_path):
    with writing(tmp_path, "a") as one, writing(tmp_path, "b") as other:
        acknowledged = [
            (name, line) for name, child in (("a", one), ("b", other)) for line in islice(child.stdout or (), 12)
        ]
        one.kill()
        other.kill()

    with Store.open(tmp_path) as store:
        topics = {past.topic for past in store.digests_before("w", DAY, days=1)}
        assert {f"{name}{line.strip()}" for name, line in acknowledged} <= topics
        assert () == store.remarks


# Databases of earlier versions, and reading alone.


def without_the_table(folder: Path) -> None:
    with Store.open(folder) as store:
        store.put("k", Remembered("{}", Usage(calls=1, prompt_tokens=90), "m", "extract@1", "e", 80))
    change(folder, "DROP TABLE past_digests")
    change(folder, "DELETE FROM schema_steps WHERE number = 4")


def test_a_database_without_the_table_that_is_only_read_has_none_and_still_tells_costs(tmp_path):
    without_the_table(tmp_path)
    written = (tmp_path / DATABASE).read_bytes()

    opened = Store.open_to_read(tmp_path)
    assert opened is not None
    with opened as store:
        assert () == store.digests_before(HERE, DAY, days=7)
        assert {"extract@1": 1} == {name: cost.replies for name, cost in store.costs(model="m", endpoint="e").items()}
    assert written == (tmp_path / DATABASE).read_bytes()


def test_a_database_without_the_table_takes_it_on(tmp_path):
    without_the_table(tmp_path)

    with Store.open(tmp_path) as store:
        store.put_digest(HERE, said(before(1)))
        assert (said(before(1)),) == store.digests_before(HERE, DAY, days=7)
        assert store.get("k") is not None


def test_digests_can_be_read_from_a_database_that_is_only_read(tmp_path):
    with Store.open(tmp_path) as store:
        store.put_digest(HERE, said(before(1)))

    opened = Store.open_to_read(tmp_path)
    assert opened is not None
    with opened as reading:
        assert (said(before(1)),) == reading.digests_before(HERE, DAY, days=7)
        with pytest.raises(StoreError):
            reading.put_digest(HERE, said(before(1)))


def test_a_database_that_is_held_or_lost_its_table_is_said_to_be_so(tmp_path):
    with Store.open(tmp_path, wait_seconds=0.1) as store:
        with closing(sqlite3.connect(tmp_path / DATABASE, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(StoreError, match="held by another process"):
                store.put_digest(HERE, said(before(1)))
            with pytest.raises(StoreError, match="held by another process"):
                store.digests_before(HERE, DAY, days=7)
            other.execute("ROLLBACK")
        change(tmp_path, "DROP TABLE past_digests")
        with pytest.raises(StoreError, match="cannot be used"):
            store.digests_before(HERE, DAY, days=7)

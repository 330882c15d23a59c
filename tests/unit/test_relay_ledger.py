"""The relay's ledger: a turn stands once, what is done stays done, and the day on which a plan began is kept."""

import datetime as dt
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from agent.batons import Coverage
from agent.handoffs import Turn
from agent.ledger import KeptTurn, Ledger
from agent.store import DATABASE, Store

NOW = dt.datetime(2026, 9, 14, 11, 30, tzinfo=dt.UTC)
DAY = dt.date(2026, 9, 14)
ALL, AGENTS = Turn(date=DAY, slot="19:00"), Turn(topic="agents", date=DAY, slot="08:00")


@contextmanager
def connected(folder: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as connection:
        yield connection


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path) as made:
        yield made


@pytest.fixture
def ledger(store: Store) -> Ledger:
    return Ledger(store, "w", "digest")


def test_turns_come_back_as_they_were_put_the_earliest_first(ledger):
    ledger.put([ALL], "failed", at=NOW, detail="The endpoint is gone.")
    ledger.put([AGENTS], "caught_up", at=NOW)

    assert (
        KeptTurn(AGENTS, "caught_up", NOW),
        KeptTurn(ALL, "failed", NOW, "The endpoint is gone."),
    ) == ledger.turns()
    assert [True, False] == [one.is_done for one in ledger.turns()]


def test_a_turn_stands_once_and_what_is_done_stays_done(ledger):
    for state in ("running", "failed", "running", "done", "failed", "running", "caught_up"):
        ledger.put([ALL], state, at=NOW)

    assert ["done"] == [one.state for one in ledger.turns()]


def test_moments_are_kept_without_regard_to_their_zone(ledger):
    ledger.put([ALL], "done", at=NOW.astimezone(dt.timezone(dt.timedelta(hours=8))))

    assert NOW == ledger.turns()[0].at


def test_workspaces_and_agents_do_not_see_each_others_turns(store, ledger):
    ledger.put([ALL], "done", at=NOW)
    ledger.begin("plan", DAY)

    for other in (Ledger(store, "v", "digest"), Ledger(store, "w", "other")):
        assert () == other.turns()
        assert dt.date(2026, 9, 20) == other.since("plan", dt.date(2026, 9, 20))


def test_nothing_to_put_is_no_error(ledger):
    ledger.put([], "done", at=NOW)

    assert () == ledger.turns()


def test_a_plan_began_on_the_day_it_was_first_seen(ledger):
    later = DAY + dt.timedelta(days=3)

    assert [DAY, DAY, DAY] == [ledger.begin("one", DAY), ledger.begin("one", later), ledger.since("one", later)]


def test_another_plan_begins_anew_and_so_does_one_that_comes_back(ledger):
    days = [DAY + dt.timedelta(days=number) for number in range(4)]

    assert [days[0], days[1], days[2], days[2]] == [
        ledger.begin("one", days[0]),
        ledger.begin("other", days[1]),
        ledger.begin("one", days[2]),
        ledger.begin("one", days[3]),
    ]


def test_a_plan_that_began_by_a_clock_ahead_began_today(ledger):
    ledger.begin("one", DAY + dt.timedelta(days=400))

    assert DAY == ledger.begin("one", DAY) == ledger.since("one", DAY + dt.timedelta(days=1))


def test_a_look_writes_nothing(ledger):
    ledger.since("one", DAY)

    assert DAY + dt.timedelta(days=1) == ledger.since("one", DAY + dt.timedelta(days=1))


def test_the_coverage_of_a_day_comes_back_and_the_last_one_stays(ledger):
    second = Coverage(notes=5, unplanned=("inbox/tom/\udcff.md",))  # a name that is no UTF-8
    for coverage in (Coverage(notes=3), second):
        ledger.put_coverage(DAY, coverage, at=NOW)

    assert second == ledger.coverage(DAY)
    assert ledger.coverage(DAY + dt.timedelta(days=1)) is None


def test_a_coverage_of_another_version_counts_as_none(tmp_path, store, ledger):
    ledger.put_coverage(DAY, Coverage(notes=3), at=NOW)
    with connected(tmp_path) as connection:
        connection.execute("""UPDATE coverages SET content = '{"unknown": 1}'""")

    assert ledger.coverage(DAY) is None


def test_a_database_of_an_earlier_version_has_no_turns_and_no_plan(tmp_path, store):
    with connected(tmp_path) as connection:
        connection.execute("DELETE FROM schema_steps WHERE number > 4")
        for table in ("relay_turns", "coverages", "relay_plans"):
            connection.execute(f"DROP TABLE {table}")
    found = Store.open_to_read(tmp_path)
    assert found is not None
    with found:
        old = Ledger(found, "w", "digest")
        assert ((), None, DAY) == (old.turns(), old.coverage(DAY), old.since("one", DAY))

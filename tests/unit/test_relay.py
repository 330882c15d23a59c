"""What is due is done once, and everything that the evening needs lies in the workspace."""

import datetime as dt
import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from agent.errors import ModelUnavailable
from agent.handoffs import Handoff, RelaySummary, Turn
from agent.ledger import Ledger
from agent.pipeline import workspace_key
from agent.publishing import JOURNAL
from agent.reading.marking import is_own_output
from agent.records import CheckedNote
from agent.relay import Means, run_relay
from agent.relay_status import relay_status
from agent.settings import Settings, load_settings
from agent.starting import start_workspace
from agent.store import Store
from agent.workspace import Workspace

DAY = dt.date(2026, 9, 14)
EVENING = dt.datetime.fromisoformat("2026-09-14T19:30:00+08:00")
OWN = '\n[[batons]]\nagent = "digest"\nslot = "19:00"\n'


class Silent:
    """Nobody is told of progress."""

    def begin(self, notes: int) -> None: ...
    def started(self, path: str) -> None: ...
    def finished(self, checked: CheckedNote) -> None: ...


@dataclass
class House:
    """A workspace with its store, and how often a model was opened."""

    root: Path
    store: Store
    plan: str = ""
    opened: list[str] = field(default_factory=list)

    @property
    def settings(self) -> Settings:
        return load_settings(self.root, flags={"engine": "none"}, environ={"HOME": str(self.root)})

    @property
    def workspace(self) -> Workspace:
        return Workspace.open(self.root, settings=self.settings)

    def run(self, now: dt.datetime = EVENING, *, day: dt.date | None = None) -> RelaySummary:
        @contextmanager
        def open_model() -> Iterator[None]:
            self.opened.append("model")
            yield None

        means = Means(store=self.store, engine="none", open_model=open_model, progress=Silent())
        return run_relay(self.workspace, self.settings, means, now=now, day=day)

    def plans(self, more: str) -> None:
        path = self.root / "agent.toml"
        path.write_text(path.read_text() + more)

    def handoff(self) -> Handoff:
        return Handoff.model_validate_json((self.root / "handoff.json").read_bytes())

    def files(self) -> dict[str, tuple[bytes, int]]:
        found = (path for path in self.root.rglob("*") if path.is_file() and ".agent" not in path.parts)
        return {str(path.relative_to(self.root)): (path.read_bytes(), path.stat().st_mtime_ns) for path in found}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    root = tmp_path / "demo"
    start_workspace(root, with_example=True)
    with Store.open(root / ".agent") as store:
        made = House(root, store)
        made.plans(OWN)
        (root / "work-queue.md").unlink()
        yield made


def test_everything_that_the_evening_needs_is_written(house: House) -> None:
    summary = house.run()

    brief = "inbox/digest/2026-09-14-1900-digest-all.md"
    assert {brief, "work-queue.md", "handoff.md", "handoff.json"} == set(summary.paths)
    assert all(is_own_output((house.root / path).read_text()) for path in (brief, "work-queue.md", "handoff.md"))
    assert ("done", DAY, "19:00", 0) == (summary.state, summary.date, summary.slot, summary.exit_status)
    assert summary.increments == len(house.handoff().increments) > 0
    assert summary.operations == len(house.handoff().operations) > 0


def test_a_second_run_changes_nothing_and_asks_nothing(house: House) -> None:
    house.run()
    before = house.files()

    summary = house.run()

    assert "nothing_due" == summary.state
    assert before == house.files()
    assert ["model"] == house.opened
    assert dt.datetime.fromisoformat("2026-09-15T19:00:00+08:00") == summary.next_due


def test_before_its_slot_nothing_is_due(house: House) -> None:
    summary = house.run(EVENING - dt.timedelta(hours=1))

    assert "nothing_due" == summary.state
    assert not house.opened
    assert not (house.root / "handoff.json").exists()


def test_what_was_missed_is_covered_by_one_run_that_names_it(house: House) -> None:
    house.run()

    summary = house.run(EVENING + dt.timedelta(days=3))

    assert [Turn(date=DAY + dt.timedelta(days=3), slot="19:00")] == list(summary.turns)
    assert [1, 2] == [(turn.date - DAY).days for turn in summary.caught_up]
    assert summary.caught_up == house.handoff().caught_up
    assert "nothing_due" == house.run(EVENING + dt.timedelta(days=3)).state


def test_a_day_gone_by_is_made_up_for_and_leaves_the_newest_handoff_alone(house: House) -> None:
    house.run()
    newest = (house.root / "handoff.json").read_bytes()

    summary = house.run(day=DAY - dt.timedelta(days=1))

    assert "done" == summary.state
    assert newest == (house.root / "handoff.json").read_bytes()
    assert "handoff-2026-09-13-1900.json" in summary.paths
    assert "work-queue.md" not in summary.paths


def test_a_day_asked_for_by_itself_begins_no_relay(house: House) -> None:
    house.run(day=DAY)

    summary = house.run(EVENING + dt.timedelta(days=9))

    assert [DAY + dt.timedelta(days=9)] == [turn.date for turn in summary.turns]
    assert () == summary.caught_up


def test_a_work_queue_of_somebody_else_stays(house: House) -> None:
    (house.root / "work-queue.md").write_text("mine\n")

    summary = house.run()

    assert "mine\n" == (house.root / "work-queue.md").read_text()
    assert "work-queue-2.md" == house.handoff().queue
    assert "work-queue-2.md" in summary.paths


def test_a_work_queue_that_was_edited_stays_and_one_of_ours_is_rewritten(house: House) -> None:
    house.run()
    queue = house.root / "work-queue.md"
    first = queue.read_text()

    house.run(EVENING + dt.timedelta(days=1))
    assert first != queue.read_text()
    queue.write_text(queue.read_text() + "done: one\n")
    house.run(EVENING + dt.timedelta(days=2))

    assert queue.read_text().endswith("done: one\n")
    assert (house.root / "work-queue-2.md").exists()


def test_our_brief_is_nobodys_news(house: House) -> None:
    house.run()
    brief = house.root / "inbox/digest/2026-09-14-1900-digest-all.md"
    brief.write_text(brief.read_text().replace("\n", "\nread\n", 1))  # somebody wrote into it

    house.run(EVENING + dt.timedelta(days=1))

    assert "digest" not in {agent for one in house.handoff().increments for agent in one.agents}
    assert "digest" not in house.handoff().coverage.agents


def test_a_run_that_fails_is_tried_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ModelUnavailable("The endpoint does not answer: start it.")

    with monkeypatch.context() as patched:
        patched.setattr("agent.relay.make_digest", fail)
        failed = house.run()
    status = relay_status(house.workspace, house.settings, store=house.store, now=EVENING)

    assert ("failed", 3) == (failed.state, failed.exit_status)
    assert "does not answer" in failed.detail
    assert any("does not answer" in one for one in status.amiss)
    assert "done" == house.run().state


@pytest.mark.parametrize("place", ["agent.publishing.write_below", "agent.relay.forget"])
def test_a_run_that_dies_while_it_writes_is_finished_by_the_next_one(
    house: House, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(place, die)
        with pytest.raises(KeyboardInterrupt):
            house.run()
    assert (house.root / ".agent" / JOURNAL).exists()

    summary = house.run()

    assert "nothing_due" == summary.state
    assert ["model"] == house.opened
    assert (house.root / "inbox/digest/2026-09-14-1900-digest-all.md").exists()
    assert house.handoff().date == DAY
    assert not (house.root / ".agent" / JOURNAL).exists()


def test_a_run_that_dies_before_it_writes_leaves_nothing_and_is_begun_anew(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    before = house.files()
    with monkeypatch.context() as patched:
        patched.setattr("agent.relay.publish", die)
        with pytest.raises(KeyboardInterrupt):
            house.run()
    assert before == house.files()
    status = relay_status(house.workspace, house.settings, store=house.store, now=EVENING)
    assert ["due"] == [one.state for one in status.own]

    assert "done" == house.run().state


def test_a_topic_without_a_document_is_named_and_the_others_are_made(house: House) -> None:
    house.plans('\n[[batons]]\nagent = "digest"\ntopic = "ghosts"\nslot = "19:00"\n')

    summary = house.run()

    assert ("done", 1) == (summary.state, summary.exit_status)
    assert "ghosts" in summary.detail
    assert [None] == [turn.topic for turn in summary.turns]


def test_a_day_without_a_note_has_its_handoff_too(house: House) -> None:
    later = EVENING + dt.timedelta(days=21)

    summary = house.run(later)

    assert ("done", 0) == (summary.state, summary.increments)
    assert summary.missed > 0


def test_a_lost_database_makes_no_turn_run_twice(house: House, tmp_path: Path) -> None:
    house.run()
    before = house.files()

    with Store.open(tmp_path / "new") as store:
        summary = House(house.root, store).run()

    assert "nothing_due" == summary.state
    assert before == house.files()


def test_another_plan_misses_nothing_of_the_days_before(house: House) -> None:
    house.run()
    path = house.root / "agent.toml"
    path.write_text(path.read_text().replace('slot = "19:00"', 'slot = "20:15"'))

    assert "nothing_due" == house.run(EVENING + dt.timedelta(hours=12)).state


def test_status_says_what_is_done_missing_and_stale_and_changes_nothing(house: House) -> None:
    before = house.files()
    early = relay_status(house.workspace, house.settings, store=None, now=EVENING - dt.timedelta(hours=1))
    assert before == house.files()
    house.run()

    status = relay_status(house.workspace, house.settings, store=house.store, now=EVENING)

    assert ["waiting"] == [one.state for one in early.own]
    assert ["done"] == [one.state for one in status.own]
    assert {one.document for one in status.coverage.documents} == {"agents.md", "inference.md", "llm-infra.md"}
    assert status.coverage.missed


def test_status_calls_a_turn_amiss_that_is_long_due(house: House) -> None:
    soon = relay_status(house.workspace, house.settings, store=house.store, now=EVENING - dt.timedelta(minutes=20))
    late = relay_status(house.workspace, house.settings, store=house.store, now=EVENING + dt.timedelta(hours=1))

    assert not any("19:00" in one for one in soon.amiss)
    assert any("2026-09-14 19:00" in one for one in late.amiss)


def test_coverage_is_kept_in_the_store(house: House) -> None:
    house.run()

    ledger = Ledger(house.store, workspace_key(house.workspace), "digest")

    assert house.handoff().coverage == ledger.coverage(DAY)


def test_two_runs_at_once_do_not_wait_for_each_other(house: House) -> None:
    second: list[RelaySummary] = []

    @contextmanager
    def open_model() -> Iterator[None]:
        means = Means(store=house.store, engine="none", open_model=nullcontext, progress=Silent())
        second.append(run_relay(house.workspace, house.settings, means, now=EVENING))
        yield None

    means = Means(store=house.store, engine="none", open_model=open_model, progress=Silent())
    first = run_relay(house.workspace, house.settings, means, now=EVENING)

    assert ["done", "busy"] == [first.state, second[0].state]
    assert 0 == second[0].exit_status
    assert json.loads(second[0].model_dump_json())["next_due"]

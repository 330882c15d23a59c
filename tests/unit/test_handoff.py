"""One handoff gathers a slot's digests: everything once, and no register number offered twice."""

import datetime as dt
import json

import pytest

from agent.batons import Coverage, MissedBaton
from agent.handoffs import Brief, Handoff, NextRegister, Turn
from agent.record import as_json
from agent.records import Usage
from agent.relaying.handoff import HandoffInputs, build_handoff
from tests.findings import JAY, TOM, finding
from tests.handovers import (
    DAY,
    TURN,
    baseline,
    cited,
    contradiction,
    digest,
    document,
    doubtful,
    entry,
    handoff,
    operation,
)

ONE, TWO, THREE = (finding(title, start=start) for title, start in (("One", 0), ("Two", 10), ("Three", 20)))
REGISTERED = document(
    "# Caches\n\n## 登记\n\n### 共识\n\n- C11 前缀命中率最重要。\n- C12 缓存要有容量规划。\n\n### 争议\n\n- D5 分层是否值得。\n"
)


def test_the_handoff_is_that_of_the_turn_and_of_its_last_digest() -> None:
    """Its day and slot are the turn's; language, engine and coverage those of the last digest."""
    last = digest(language="en", engine="remote", model="m-1", coverage=Coverage(notes=3))

    made = handoff([digest(), last])

    assert (DAY, "19:00") == (made.date, made.slot)
    assert ("en", "remote", "m-1", "Asia/Shanghai", "digest") == (
        made.language,
        made.engine,
        made.model,
        made.timezone,
        made.agent,
    )
    assert 3 == made.coverage.notes


def test_what_the_run_did_besides_is_handed_on() -> None:
    missed = Turn(date=DAY - dt.timedelta(1), slot="19:00")
    brief = Brief(note="inbox/digest/2026-09-14-1900-digest-all.md", sha256="0" * 64)

    made = handoff([digest()], caught_up=[missed], briefs=[brief], queue="work-queue.md", failed=[JAY])

    assert ((missed,), (brief,), "work-queue.md", (JAY,)) == (made.caught_up, made.briefs, made.queue, made.failed)


def test_what_several_digests_have_is_there_once_in_their_order() -> None:
    again = ONE.model_copy(update={"title": "One, told again"})
    doubts = doubtful("A"), doubtful("A", "how many?"), doubtful("B")

    made = handoff([digest(ONE, TWO, to_verify=doubts[:2]), digest(THREE, again, to_verify=doubts[1:])])

    assert ["One", "Two", "Three"] == [one.title for one in made.increments]
    assert doubts == made.to_verify


def test_a_contradiction_of_two_digests_names_the_findings_of_both() -> None:
    first = contradiction("con-1", "inc-a", also_affects=(cited(line=3),))
    second = contradiction("con-1", "inc-b", "inc-a", also_affects=(cited(line=3), cited(line=5)), since=DAY)

    (made,) = handoff([digest(contradictions=(first,)), digest(contradictions=(second,))]).contradictions

    assert ("inc-a", "inc-b") == made.increments
    assert [3, 5] == [one.line for one in made.also_affects]
    assert made.since == DAY
    assert first.sides == made.sides


def test_the_usage_of_all_digests_is_added() -> None:
    assert Usage(calls=5) == handoff([digest(usage=Usage(calls=2)), digest(usage=Usage(calls=3))]).usage


def test_the_failed_and_the_missed_stay_in_a_handoff_without_a_finding() -> None:
    coverage = Coverage(notes=0, missed=(MissedBaton(agent="tom"),))

    made = handoff([digest(coverage=coverage)], failed=[TOM])

    assert ((), (), (), (TOM,)) == (made.increments, made.operations, made.next_registers, made.failed)
    assert "tom" == made.coverage.missed[0].agent


# Where findings go.


def test_a_finding_that_no_document_is_named_for_is_unplaced() -> None:
    """An operation that cannot be applied names a document all the same; a register entry without a home names none."""
    operations = [
        operation("op-1", ONE.id, problem="no such section"),
        entry("op-2", TWO.id, 7, document="", sha256="", problem="no home"),
    ]

    assert (TWO.id, THREE.id) == handoff([digest(ONE, TWO, THREE)], operations).unplaced


# Register numbers.


def test_the_next_register_is_free_after_those_in_use_and_those_offered() -> None:
    operations = [entry("op-1", ONE.id, 13), entry("op-2", TWO.id, 14), entry("op-3", TWO.id, 6, kind="D")]

    assert (
        NextRegister(document="caches.md", kind="C", taken=12, offered=(13, 14), next=15),
        NextRegister(document="caches.md", kind="D", taken=5, offered=(6,), next=7),
    ) == handoff([digest(ONE, TWO)], operations, [REGISTERED]).next_registers


def test_the_numbers_of_each_document_are_its_own() -> None:
    other = document("# Agents\n\n### 共识\n\n- C3 工具要有说明。\n", name="agents.md")
    operations = [entry("op-1", ONE.id, 13), entry("op-2", TWO.id, 4, document="agents.md")]

    made = handoff([digest(ONE, TWO)], operations, [REGISTERED, other]).next_registers

    assert [("caches.md", "C", (13,), 14), ("caches.md", "D", (), 6), ("agents.md", "C", (4,), 5)] == [
        (one.document, one.kind, one.offered, one.next) for one in made
    ]


def test_a_gap_that_is_offered_does_not_hide_the_highest_in_use() -> None:
    (made, _) = handoff([digest(ONE)], [entry("op-1", ONE.id, 9)], [REGISTERED]).next_registers

    assert ((9,), 13) == (made.offered, made.next)


def test_an_entry_that_cannot_be_applied_offers_no_number() -> None:
    (made, _) = handoff([digest(ONE)], [entry("op-1", ONE.id, 12, problem="taken")], [REGISTERED]).next_registers

    assert ((), 13) == (made.offered, made.next)


@pytest.mark.parametrize(("language", "said"), [("zh", "已由 op-1 提议"), ("en", "offered by op-1 already")])
def test_a_number_that_two_findings_take_is_offered_once(language: str, said: str) -> None:
    """The second operation says which one has it and what is free; the first is as it was."""
    operations = [entry("op-1", ONE.id, 13), entry("op-2", TWO.id, 13), entry("op-3", THREE.id, 14)]

    made = handoff([digest(ONE, TWO, THREE, language=language)], operations, [REGISTERED])

    first, second, third = made.operations
    assert operations[0] == first
    assert operations[2] == third
    assert said in second.problem
    assert "C15" in second.problem
    assert (13, 14) == made.next_registers[0].offered


def test_one_number_may_be_taken_once_in_each_document_and_kind() -> None:
    operations = [
        entry("op-1", ONE.id, 13),
        entry("op-2", TWO.id, 13, kind="D"),
        entry("op-3", THREE.id, 13, document="agents.md"),
    ]

    assert tuple(operations) == handoff([digest(ONE, TWO, THREE)], operations, [REGISTERED]).operations


# Remarks.


def test_a_document_that_changed_meanwhile_is_named_once() -> None:
    saw = (baseline("caches.md", "0" * 64), baseline("gone.md", "0" * 64))

    made = handoff([digest(baseline=saw, remarks=("x",)), digest(baseline=saw, remarks=("x", "y"))], (), [REGISTERED])

    assert ["x", "y"] == [one for one in made.remarks if "caches.md" not in one]
    assert 1 == sum("caches.md" in one for one in made.remarks)


def test_a_document_that_is_as_the_digest_saw_it_is_no_remark() -> None:
    assert () == handoff([digest(baseline=(baseline("caches.md", "1" * 64),))], (), [REGISTERED]).remarks


# As a record.


def test_a_handoff_reads_back_from_its_json_as_it_was() -> None:
    made = handoff([digest(ONE)], [operation("op-1", ONE.id)], [REGISTERED])

    assert made == Handoff.model_validate(json.loads(as_json(made)))


def test_the_same_inputs_give_the_same_bytes() -> None:
    inputs = HandoffInputs(TURN, [digest(ONE, TWO), digest(TWO)], [entry("op-1", ONE.id, 13)], [REGISTERED])

    assert as_json(build_handoff(inputs)) == as_json(build_handoff(inputs))

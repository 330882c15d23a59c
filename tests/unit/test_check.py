"""Claims meet in small blocks; what agrees is one position, and each pair of positions is one dispute."""

from itertools import permutations

import pytest

from agent.checking.check import claims_of, compare_all, disputes_in
from agent.checking.dispute import Hand
from agent.records import Claim, Evidence, Stance
from tests.noting import a_note, segments_of


def _newest(version: str, note: str = "a", start: int = 0, stance: Stance = "held") -> Claim:
    place = Evidence(note=note, start=start, end=start + 4, quote="vLLM", line=1)
    return Claim(
        kind="version",
        subject="vllm",
        attribute="newest",
        value=f"newest {version}",
        stance=stance,
        says=version,
        evidence=place,
    )


def _hand(text: str) -> Hand:
    segments = segments_of(text)
    return Hand(a_note(text), segments, tuple(part for part in segments if part.role == "increment"))


def test_two_positions_are_one_dispute_with_every_place_that_takes_either():
    claims = [_newest("0.25.1"), _newest("0.26.0", "b"), _newest("0.26.0", "b", 40), _newest("0.26.0", "c")]

    (dispute,) = compare_all(claims)

    assert {("a", 0), ("b", 0), ("b", 40), ("c", 0)} == {
        (one.evidence.note, one.evidence.start) for one in dispute.sides
    }


def test_the_order_of_claims_changes_no_dispute():
    claims = [_newest("0.25.1"), _newest("0.26.0", "b"), _newest("0.27.0", "c"), _newest("0.25.1", "d")]

    found = {
        frozenset(
            (one.key, frozenset((side.says, side.evidence.note) for side in one.sides)) for one in compare_all(order)
        )
        for order in permutations(claims)
    }

    assert 1 == len(found)


@pytest.mark.parametrize("stance", ["reported", "rejected", "asked"])
def test_what_a_note_does_not_hold_itself_is_held_against_nothing(stance):
    assert () == compare_all([_newest("0.25.1"), _newest("0.26.0", "b", stance=stance)])


def test_claims_that_may_not_meet_are_not_compared():
    claims = [_newest("0.25.1"), _newest("0.26.0", start=40)]

    assert () == compare_all(claims, may_meet=lambda one, other: one.evidence.note != other.evidence.note)
    assert 1 == len(compare_all(claims))


def test_a_flood_of_positions_costs_a_bounded_number_of_comparisons():
    claims = [_newest(f"0.{minor}.0", f"note {minor}") for minor in range(400)]

    assert 400 * 12 >= len(compare_all(claims)) > 0


def test_a_note_is_held_against_itself_by_all_rules():
    text = (
        "## 增量 1：RingKV 更省显存\n\n要点：\n- 延迟 100 ms → 50 ms（3×）\n- 编号 arXiv:2612.01234\n\n"
        "## 增量 2：RingKV 的参数\n\n要点：\n- 显存 3 GB\n"
    )
    hand = _hand(text)

    found = disputes_in(hand, claims_of(hand))

    assert {"ratio", "identifier-after-note"} == {one.rule for one in found}


def test_claims_come_in_the_order_of_the_text():
    hand = _hand("## 增量 1：A\n\n要点：\n- vLLM 最新版本是 v0.10.0\n- SGLang 最新版本是 v0.5.1\n")

    starts = [one.evidence.start for one in claims_of(hand)]

    assert 2 == len(starts)
    assert sorted(starts) == starts

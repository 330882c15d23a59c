import random

import pytest

from agent.reconciling.blocking import candidates
from agent.reconciling.traits import read_traits
from agent.records import Increment
from tests.findings import JAY, PAPER, TOM, finding

OTHERS = [
    finding(f"别的内容{number}", f"第 {number}7 项讲别的", note=f"inbox/amy/2026-09-{number + 1:02}-amy.md")
    for number in range(9)
]


def are_candidates(one: Increment, other: Increment) -> bool:
    traits = [read_traits(increment) for increment in (one, *OTHERS, other)]
    return (0, len(traits) - 1) in candidates(traits)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (finding("甲", ids=(PAPER,)), finding("B", ids=("2411.18077", PAPER), note=JAY)),
        (
            finding("甲", pages=("https://example.org/a/1",)),
            finding("B", pages=("https://www.example.org/a/1/",), note=JAY),
        ),
        (finding("甲"), finding("B", cites=(TOM,), note=JAY)),
        (finding("TierKV 缓存"), finding("tiers", "It is called TierKV.", note=JAY)),
        (finding("Tamarack streams tool output"), finding("无标题", "Tamarack 限制重试", note=JAY)),
        (finding("甲", "命中率 61.27%"), finding("B", "hit rate 61.27 %", note=JAY)),
        (finding("推理引擎选型应按工作负载分类"), finding("推理引擎的选型应当按负载分类", note=JAY)),
    ],
)
def test_one_thing_in_common_is_enough(one: Increment, other: Increment) -> None:
    assert are_candidates(one, other)


def test_nothing_in_common_is_no_candidate() -> None:
    assert not are_candidates(finding("TierKV 缓存", "快 2.4×"), finding("Oakmoon retrieval", "recall 71.3", note=JAY))


def test_two_increments_of_one_note_are_none() -> None:
    assert set() == candidates([read_traits(finding("TierKV 缓存")), read_traits(finding("TierKV 缓存", start=50_000))])


def crowd(number: int) -> list[Increment]:
    return [
        finding(f"LampServe 发布第 {place} 个版本", note=f"inbox/a{place}/2026-09-14-x.md") for place in range(number)
    ]


def test_a_key_that_all_share_does_not_explode() -> None:
    assert 12 * 400 >= len(candidates([read_traits(one) for one in crowd(400)]))


def test_the_order_changes_nothing() -> None:
    found = [*crowd(60), *OTHERS]
    shuffled = random.Random(3).sample(found, len(found))
    pairs = [
        {
            frozenset((listed[one].id, listed[other].id))
            for one, other in candidates([read_traits(each) for each in listed])
        }
        for listed in (found, shuffled)
    ]
    assert pairs[0] == pairs[1]


def test_nothing_gives_nothing() -> None:
    assert set() == candidates([])

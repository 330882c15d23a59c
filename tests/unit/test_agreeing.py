"""Whether two texts give the same figures and times."""

import pytest

from agent.reconciling.agreeing import Agreement, agreement_of
from agent.reconciling.rivals import shared
from agent.reconciling.traits import read_traits
from tests.findings import finding

NOTES = ("inbox/tom/2026-09-14-0900-radar.md", "inbox/jay/2026-09-14-1000-filter.md")


def agreement(one: str, other: str) -> Agreement:
    mine, theirs = (
        read_traits(finding("Kestrel", text, note=note)) for text, note in zip((one, other), NOTES, strict=True)
    )
    found = agreement_of(mine, theirs, shared(mine.values, theirs.values))
    back = agreement_of(theirs, mine, shared(theirs.values, mine.values))
    assert found == back
    return found


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        ((True, True), "swaps in 45 ms, 128 adapters", "一次切换 45 ms，最多 128 个适配器"),
        ((True, False), "swaps in 45 ms", "一次切换 45 ms，另占 310 MB 显存"),
        ((False, False), "45 ms, 26 % cheaper", "45 ms，多占 310 MB 显存"),
        ((True, True), "from 90 s to 15 s, six times as fast: 6×", "90 秒降到 15 秒，用时减少 83%"),
    ],
)
def test_who_gives_nothing_but_what_both_give(expected: tuple[bool, bool], one: str, other: str) -> None:
    found = agreement(one, other)
    assert expected == (found.is_one_sided, found.is_full)
    assert found.weight > 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("version 1.4 of it", "the 1.4 release"),
        ("30 % faster on long prompts", "30 % less memory on long prompts"),
        ("长提示快 30%", "长提示省显存 30%"),
    ],
)
def test_versions_and_figures_of_another_thing_are_no_agreement(one: str, other: str) -> None:
    assert agreement(one, other).weight == 0


def test_times_of_the_day_and_what_lies_between_them_are_telling() -> None:
    found = agreement("down from 14:10 to 14:50", "14:10 起不可用约 40 分钟")
    assert found.times > agreement("down at 14:10", "14:10 起不可用").times > 0
    assert found.is_full


def test_a_score_with_a_fraction_is_no_round_number() -> None:
    assert agreement("it scores 64.0", "得分 64.0").weight > agreement("it scores 64", "得分 64").weight


def test_a_day_to_come_is_told_of_the_thing_and_a_day_before_of_its_source() -> None:
    assert agreement("12 月 1 日起停用", "switched off on 1 December").times > 0
    assert agreement("公告发于 9 月 1 日", "notice of 1 September").times == 0

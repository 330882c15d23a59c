"""Two texts on two sides of one thing are told by their words."""

import pytest

from agent.reconciling.contrasts import are_contrasted, are_opposed, names_another, words_of


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Grebe asks 300 legal questions", "Grebe asks 120 medical questions", True),
        ("Grebe asks 300 legal questions", "Grebe asks 120 legal questions", False),
        ("云杉 2.1 修复断线重连的内存泄漏", "云杉 2.2 修复断线重连的日志乱码", True),
        ("the backup of Grebe is slow", "a node restores nothing at all when disks are full and cold", False),
    ],
)
def test_nearly_the_same_words_with_one_of_its_own_each_tell_of_two_things(one, other, expected):
    assert expected == are_contrasted((one,), (other,))
    assert expected == are_contrasted((other,), (one,))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("输入每百万 token 3 元", "输出每百万 token 12 元", True),
        ("冷启动 12 秒", "热启动 3 秒", True),
        ("input and output cost $3", "output costs $12", False),
        ("P50 40 ms", "P99 95 ms", True),
    ],
)
def test_opposed_words_count_where_each_text_has_only_one_of_them(one, other, expected):
    assert expected == are_opposed(one, other)


def test_a_name_counts_that_the_other_text_has_not():
    assert names_another("62.1 on LoftQA", "48.3 on BarnBench")
    assert not names_another("62.1 on LoftQA", "48.3 on loftqa")
    assert names_another("A 机房 40 ms", "B 机房 70 ms")


def test_words_are_without_endings_figures_and_addresses():
    assert frozenset({"scheduler", "fix"}) == words_of(("fixes 2 schedulers, https://example.org/fixing",))

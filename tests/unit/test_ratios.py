"""Ratios, sums and shares that do not follow from their own numbers are disputed, and those that do are not."""

import pytest

from agent.checking.dispute import Dispute, Hand
from agent.checking.ratios import disputes
from tests.noting import a_note, segments_of


def disputed(text: str) -> list[Dispute]:
    return list(disputes(Hand(note=a_note(text), segments=segments_of(text))))


@pytest.mark.parametrize(
    ("text", "stated", "expected"),
    [
        ("带宽 150.7 vs 63.7 TB/s，3.4×", "3.4×", "2.37×"),
        ("延迟 53 s → 7.2 s（4.7×）", "4.7×", "7.36×"),
        ("accuracy rose from 50% to 60% (+30%)", "+30%", "20%"),
        ("共 12 篇（2 篇 + 1 篇 + 8 篇）", "12", "11"),
        ("2 + 1 + 8 = 12", "12", "11"),
        ("显存 24 GB (10 GB + 11 GB)", "24", "21"),
        ("构成：推理 45%、训练 30%、其他 30%，合计 100%", "100%", "105%"),
        ("构成（合计 100%）：\n\n- 推理 45%\n- 训练 30%\n- 其他 30%\n", "100%", "105%"),
        ("Inference 45%, training 30%, other 35%, which add up to 100%", "100%", "110%"),
    ],
)
def test_arithmetic_that_fails_is_disputed(text, stated, expected):
    (dispute,) = disputed(text)

    assert ("ratio", "arithmetic") == (dispute.rule, dispute.kind)
    assert {"stated": stated, "expected": expected} == dict(dispute.details)


@pytest.mark.parametrize(
    "text",
    [
        "带宽 150.7 vs 63.7 TB/s，2.4×",
        "带宽 150.7 vs 63.7 TB/s，2.3×",  # cut off instead of rounded
        "费用 $27,664 vs $570,000（20.6× ↓）",
        "accuracy rose from 50% to 60% (+20%)",
        "在 10 倍流量下，TTFT 6 s → 2 s",
        "其中一个发 10 倍流量，其余的 TTFT 6 s → 2 s",
        "共 12 篇（2 篇 + 1 篇 + 9 篇）",
        "3 条（7+5+8）",  # three terms, not their sum
        "We had 9b+7 = 9",
        "平均 9（8.5+9.5）",
        "版本 12（2+1）",
        "7B (4K+3M)",
        "Foo v2.12 (2+1)",
        "H100 (80+40)",
        "2026-07-12 (3+4)",
        "增量 3（2+1）",
        "构成：推理 45%、训练 30%、其他 25%，合计 100%",
        "shares: 33.3%, 33.3%, 33.3%, which add up to 100%",
        "构成（合计 100%）：\n\n- 推理 45%\n- 训练 30%\n- 其他 25%\n",
        "有人写 2 + 1 + 8 = 12，这是错误的",
        "```\n2 + 1 + 8 = 12\n```\n",
    ],
)
def test_arithmetic_that_holds_or_is_none_is_not(text):
    assert [] == disputed(text)


def test_a_side_quotes_the_numbers_and_the_key_has_no_places():
    text = "开头。\n\n吞吐：FooServe 1,600 vs BarServe 400 tok/s，快 8×"
    (dispute,) = disputed(text)
    (side,) = dispute.sides

    assert "1,600 vs BarServe 400 tok/s，快 8×" == side.says
    assert side.says in side.evidence.quote
    assert dispute.key == disputed(f"另一段。\n\n{text}")[0].key


@pytest.mark.parametrize(
    ("text", "stated", "expected"),
    [
        ("90 GB become 30 GB, a fivefold saving", "fivefold", "3×"),
        ("The pump drew 20 kW before and draws 8 kW now, a saving of 75 %", "75 %", "60%"),
        ("改前 120 ms，改后 40 ms，快 5 倍", "5 倍", "3×"),
        ("latency 120 ms became 40 ms, halved", "halved", "3×"),
        ("30 GB in place of 90 GB, five times less", "five times", "3×"),
    ],
)
def test_ratios_in_words_and_in_a_clause_of_their_own_are_held_against_their_numbers(text, stated, expected):
    (dispute,) = disputed(text)
    assert {"stated": stated, "expected": expected} == dispute.details


@pytest.mark.parametrize(
    "text",
    [
        "90 GB become 30 GB, a threefold saving",
        "The pump drew 20 kW before and draws 8 kW now, a saving of 60 %",
        "改前 120 ms，改后 40 ms，快 2 倍",
        "改前 120 ms，改后 40 ms，快 3 倍",
        "- 利用率 20%→60% - 吞吐 +22%",
        "120 ms became 40 ms. Costs fell by 10 %",
    ],
)
def test_ratios_that_hold_or_belong_to_something_else_are_not_disputed(text):
    assert [] == disputed(text)

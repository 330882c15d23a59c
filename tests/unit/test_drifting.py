"""One distinctive number with two units is disputed, where both stand among the same words."""

import pytest

from agent.checking.dispute import Dispute
from agent.checking.drifting import UNIT, unit_claims, unit_dispute
from agent.reading.units import split_units
from agent.records import Claim
from tests.noting import a_note


def claims_in(text: str) -> list[Claim]:
    return [claim for unit in split_units(text) for claim in unit_claims(a_note(text), unit)]


def between(one: str, other: str) -> Dispute | None:
    (mine,), (theirs,) = claims_in(one), claims_in(other)
    return unit_dispute(mine, theirs) if mine.subject == theirs.subject else None


@pytest.mark.parametrize(
    ("one", "other", "key"),
    [
        ("FooServe 单卡 12,345 tokens", "FooServe 达到 12,345 tok/s", ("12345", "tokens", "tokens/s")),
        ("FooServe 准确率提升 12.5%", "FooServe 准确率提升 12.5 个百分点", ("12.5", "%", "pp")),
        ("FooServe 显存占用 24.5 GB", "FooServe uses 24.5 Gb", ("24.5", "GB", "Gb")),
        ("FooServe 延迟 87.5 ms", "FooServe 的延迟为 87.5 s", ("87.5", "ms", "s")),
        ("预填充池四卡跑到 18,400 tokens", "预填充池吞吐 18,400 tok/s", ("18400", "tokens", "tokens/s")),
    ],
)
def test_units_that_are_easily_mistaken_are_disputed(one, other, key):
    dispute = between(one, other)

    assert dispute is not None
    assert ("unit", "unit", key) == (dispute.rule, dispute.kind, dispute.key)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("FooServe 达到 12,345 tok/s", "FooServe reaches 12,345 tokens per second"),  # one unit, two spellings
        ("FooServe 每秒 12,345 token", "FooServe 达到 12,345 token/s"),  # the rate stands before the number
        ("FooServe writes 12,345 tokens each second", "FooServe writes 12,345 tok/s"),
        ("FooServe 占用 127 GB", "FooServe 占用 127 GiB"),
        ("FooServe 达到 12,345 tok/s", "甲乙丙写了 12,345 tokens"),  # nothing else in common
        ("FooServe 费用 $12.5", "FooServe 准确率提升 12.5%"),  # not mistaken for each other
    ],
)
def test_other_units_or_other_words_are_not(one, other):
    assert between(one, other) is None


@pytest.mark.parametrize(
    "text", ["FooServe 上下文 128K tokens", "FooServe 写了 2,000 tokens", "FooServe 准确率 12.5%", "共 123 条"]
)
def test_round_numbers_powers_of_two_levels_and_counts_are_no_claims(text):
    assert [] == claims_in(text)


def test_a_pair_counts_once():
    (claim,) = claims_in("FooServe 89,123 vs BarServe 6,917 tok/s")

    assert ("89123", UNIT, "tokens/s", "89,123 tok/s") == (claim.subject, claim.attribute, claim.value, claim.says)

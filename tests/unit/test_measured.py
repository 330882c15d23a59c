"""Numbers are held against each other where subject, metric, unit and conditions allow it, and nowhere else."""

from itertools import product

import pytest

from agent.checking.dispute import Dispute, Hand
from agent.checking.measured import claims, compare
from agent.records import Claim
from tests.noting import a_note, segments_of


def claims_in(text: str, agent: str = "tom") -> list[Claim]:
    note = a_note(text, path=f"inbox/{agent}/2026-09-14-1100-radar.md")
    return list(claims(Hand(note=note, segments=segments_of(text))))


def between(one: str, other: str) -> list[Dispute]:
    """What two notes dispute, compared as the checker does: held claims about one subject that share what is said of it."""
    pairs = product(claims_in(one), claims_in(other, agent="jay"))
    held = [
        (mine, theirs)
        for mine, theirs in pairs
        if mine.stance == theirs.stance == "held"
        and mine.subject == theirs.subject
        and (mine.attribute == theirs.attribute or mine.value == theirs.value)
    ]
    return [dispute for mine, theirs in held if (dispute := compare(mine, theirs))]


def rules(one: str, other: str) -> list[str]:
    return sorted({dispute.rule for dispute in between(one, other)})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("FooServe v0.9 在单卡 H100、Llama-3.1-8B、batch 32 下吞吐达到 2,400 tokens/s", "On H100 with Llama-3.1-8B at batch 32, FooServe v0.9 reaches a throughput of 2,900 tok/s"),
        ("Qwen3-32B 在 MMLU 上准确率 83.1%", "Qwen3-32B scores 81.3% on MMLU"),
        ("FooNet-V4 总参数 1.6T，激活 37B", "FooNet-V4 has 1.2T total parameters"),
        ("Kimi K3 上下文长度 256K", "Kimi K3 supports a 128K-token context"),
        ("FooCache reduces TTFT by 3.2x compared to vLLM on H100", "FooCache 在 H100 上的 TTFT 比 vLLM 快 2.3 倍"),
        ("GPT-6 输入价格 $2.5/百万 token，输出 $10/百万 token", "GPT-6 costs $3 per million input tokens"),
        ("FooPress 在 LongBench 上得分 41.3", "FooPress 在 LongBench 上得分 43.1"),
        ("FooCache: p99 latency 87 ms at batch 64 on A100", "FooCache 在 A100、batch 64 下 P99 延迟 78 ms"),
        ("FooCache 在 A100 上显存占用 27.6 GB", "On A100, FooCache uses 31.2 GB of GPU memory"),
        ("Mortise 0.8 decodes 4,120 tokens/s on 8×H100", "Mortise 0.8 在 8×H100 上解码 3,480 tok/s"),
        ("FooServe 在 H100 上吞吐从 1,000 tok/s 升到 2,000 tok/s", "FooServe 在 H100 上吞吐 2,600 tok/s"),
        ("在 H100 上 FooServe 的吞吐比 vLLM 高 35%", "FooServe 在 H100 上吞吐比 vLLM 高 53%"),
    ],
)  # fmt: skip
def test_other_numbers_under_the_same_stated_conditions_are_disputed(one, other):
    assert ["value"] == rules(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("实测表明 FooCache 在八路并行时把尾延迟压到 87 ms", "实测表明 FooCache 在八路并行时把尾延迟压到 78 ms"),
        (
            "压测记录里 FooCache 的命中率超过 60%，前提是会话粘滞",
            "压测记录里 FooCache 的命中率超过 70%，前提是会话粘滞",
        ),
    ],
)
def test_a_copy_that_drifted_is_disputed_without_conditions(one, other):
    assert ["value"] == rules(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("FooServe v0.9 在 H100、Llama-3.1-8B、batch 32 下吞吐达到 2,400 tokens/s", "FooServe v0.9 throughput reaches 2.9K tokens/s on one H100 (Llama-3.1-8B)"),
        ("FooServe 的首 token 延迟降到 120 ms", "FooServe 将 TTFT 从 300 ms 降到 180 ms"),
        ("FooPress 命中率 63%", "FooPress 的命中率为 36%"),
    ],
)  # fmt: skip
def test_other_numbers_with_unknown_conditions_are_a_question(one, other):
    (dispute,) = between(one, other)

    assert "value-conditions" == dispute.rule
    assert "conditions" == dispute.kind
    assert dispute.is_question


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # the same number, rounded, converted or bounded
        ("FooServe 在 H100 上吞吐 2,400 tokens/s", "On H100, FooServe reaches a throughput of 2.4K tok/s"),
        ("FooServe 端到端延迟 0.95 s", "FooServe end-to-end latency is 950 ms"),
        ("FooPress 命中率超过 60%", "FooPress 的命中率为 63%"),
        ("FooNet-V4 的总参数约 700B", "FooNet-V4 的总参数为 685B"),
        ("FooServe supports a 128K context", "FooServe 的上下文窗口为 131072"),
        # something else is said
        ("FooServe v0.9 在 H100 下吞吐 2,400 tokens/s", "FooServe v0.10 在 H100 下吞吐 2,900 tokens/s"),
        ("FooServe v0.9 在 A100 下吞吐达到 2,400 tokens/s", "FooServe v0.9 throughput reaches 2.9K tokens/s on H100"),
        ("FooServe decodes 4,120 tokens/s on 8×H100", "FooServe 在 4×H100 上解码 2,480 tok/s"),
        ("FooServe 四卡吞吐 3,200 tok/s，H100", "FooServe 八卡吞吐 6,100 tok/s，H100"),
        ("FooServe 在 H100 上预填充吞吐 9,000 tok/s", "FooServe 在 H100 上解码吞吐 3,000 tok/s"),
        ("FooServe 在 H100 冷启动延迟 3.2 s", "FooServe 在 H100 预热后延迟 0.4 s"),
        ("FooCache: p99 latency 87 ms on A100", "FooCache 在 A100 下 P50 延迟 78 ms"),
        ("FooServe improves accuracy by 12.5% on GSM8K", "FooServe reaches 72.5% accuracy on GSM8K"),
        ("FooServe 延迟降低 30%", "FooServe 延迟降低 30 ms"),
        ("FooServe v2 较 v1 快 2.4 倍", "FooServe 较 vLLM 快 3.4 倍"),
        ("FooServe has 12B total parameters", "FooServe 激活参数 3B"),
        ("GPT-6 输入价格 $2.50/百万 token", "GPT-6 缓存输入价格 $0.25/百万 token"),
        # of something else
        ("Qwen3-32B 在 MMLU 上准确率 83.1%", "Qwen3-8B scores 81.3% on MMLU"),
        ("Foo-7B 在 MMLU 得分 71.2", "Foo-13B 在 MMLU 得分 75.2"),
        ("FooBench 得分 62.1", "FooBench 得分 58.3"),
        ("## Kimi K3\n\n- WideSearch 得分 62.1%", "## GLM 6\n\n- WideSearch 得分 58.3%"),
        ("17 % of postings mention RAG", "24 % of skills mention RAG"),
        # at another time
        ("Acme 2025 年营收 12.5 亿美元", "Acme 2026 年营收 17.5 亿美元"),
        ("截至今日 FooHub 上 Foo-27B 下载 2.26M", "截至今日 FooHub 上 Foo-27B 下载 2.61M"),
        ("Acme 月活用户 1.2 亿", "Acme 月活用户 1.5 亿"),
        # in other findings
        ("## FooServe 在 A100 上\n\n来源：甲\n要点：\n- 我们的测试里 FooServe 吞吐达到 512 tok/s", "## FooServe 在 H100 上\n\n来源：甲\n要点：\n- 我们的测试里 FooServe 吞吐达到 912 tok/s"),
        ("## FooServe v1.2 发布\n\n来源：甲\n要点：\n- 官方测得 FooServe 首 token 延迟降到 120 ms", "## FooServe v1.3 发布\n\n来源：甲\n要点：\n- 官方测得 FooServe 首 token 延迟降到 100 ms"),
        # not held
        ("有人认为 FooServe 在 H100 上吞吐 3,000 tok/s，但这不成立", "FooServe 在 H100 上吞吐 2,000 tok/s"),
    ],
)  # fmt: skip
def test_what_cannot_be_held_against_each_other_is_not_disputed(one, other):
    assert [] == between(one, other)


def test_conditions_of_a_finding_come_from_its_heading_and_its_line_of_conditions():
    one = "## 增量 1：FooServe v2.1 的解码吞吐\n\n来源：甲\n要点：\n- 条件：8×H100、Qwen3-32B、并发 64\n- 解码吞吐 4,120 tok/s"
    other = "## Increment 1: FooServe v2.1 decoding on 8×H100\n\nSource: b\n- Setup: Qwen3-32B, concurrency 64\n- Decode throughput 3,480 tok/s"

    (dispute,) = between(one, other)

    assert dispute.about in {"FooServe v2.1 解码吞吐", "FooServe v2.1 Decode throughput"}
    assert {"解码吞吐 4,120 tok/s", "Decode throughput 3,480 tok/s"} == {side.says for side in dispute.sides}


def test_a_question_names_the_conditions_of_both_sides():
    (dispute,) = between("FooServe 在 H100、batch 8 下吞吐 900 tok/s", "FooServe 在 H100 下吞吐 1,200 tok/s")

    assert {"吞吐 900 tok/s (H100, batch 8)", "吞吐 1,200 tok/s (H100)"} == {side.says for side in dispute.sides}


def test_a_series_in_one_telling_states_no_single_number():
    text = "## FooServe 在 H100 上\n\n要点：\n- FooServe 吞吐 900 tok/s\n- FooServe 吞吐 1,900 tok/s\n- FooServe 吞吐 2,900 tok/s\n"

    assert [] == [claim for claim in claims_in(text) if claim.subject == "fooserve"]


def test_what_a_change_began_with_is_no_claim():
    assert ["180"] == [claim.value for claim in claims_in("FooServe 在 H100 上吞吐从 90 tok/s 升到 180 tok/s")]


def test_a_range_is_one_claim():
    assert ["3..5"] == [claim.value for claim in claims_in("FooServe 的加速比为 3–5×")]


def test_code_sources_and_remarks_on_living_documents_claim_nothing():
    text = "## FooServe\n\n来源：FooServe 吞吐 900 tok/s\n\n与活文档的关系：FooServe 吞吐 800 tok/s\n\n```\nFooServe 吞吐 700 tok/s\n```\n"

    assert [] == claims_in(text)


def test_comparing_does_not_depend_on_the_order():
    one, other = "FooServe 在 H100 上吞吐 2,000 tok/s", "FooServe 在 H100 上吞吐 2,600 tok/s"

    assert between(one, other) == between(one, other)
    assert [dispute.key for dispute in between(one, other)] == [dispute.key for dispute in between(other, one)]


def test_the_number_and_its_conditions_are_kept_as_a_measure():
    (claim,) = claims_in("FooServe v2.1 在 8×H100 上吞吐约 2,600 tok/s")

    assert ("fooserve", "throughput|tokens/s", "2600") == (claim.subject, claim.attribute, claim.value)
    assert claim.measure is not None
    assert ("FooServe", "v2.1", "~") == (claim.measure.subject, claim.measure.version, claim.measure.comparator)
    assert {"hardware": "8×H100"} == claim.measure.conditions

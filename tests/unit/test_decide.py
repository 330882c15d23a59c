from collections.abc import Sequence
from typing import Any

import pytest

from agent.reconciling.decide import Verdict, decide, kept_apart_by
from agent.records import Increment
from tests.findings import AMY, JAY, PAPER, TOM, finding

Told = tuple[str, ...]  # a title and its points


def verdict(one: Increment, other: Increment) -> Verdict:
    decision = decide(one, other)
    assert decision == decide(other, one)
    return decision.verdict


def verdict_of(one: Told, other: Told, **more: Any) -> Verdict:
    return verdict(finding(*one, **more), finding(*other, note=JAY, **more))


SAME: Sequence[tuple[Told, Told]] = [
    (
        ("Wickerwork 关停托管推理", "9 月 30 日停止服务"),
        ("Wickerwork shuts down its hosted inference", "Service ends on 30 September."),
    ),
    (
        ("Thornbury 收购标注公司 Pillbox", "团队 40 人并入"),
        ("Thornbury buys Pillbox", "The annotation firm's 40 people join."),
    ),
    (
        ("Kestrel reaches 1,840 requests per minute", "8 x L40S, Moraine-70B in FP8", "P99 latency 2.1 s"),
        ("Kestrel 压测：每分钟 1,840 个请求", "8 张 L40S，Moraine-70B FP8，P99 延迟 2.1 秒"),
    ),
    (
        ("Outage at Marlowe: nodes unreachable for 3 hours", "on 12 September; a certificate had expired"),
        ("Marlowe 9 月 12 日故障三小时：证书过期", "节点不可达"),
    ),
    (
        ("Qorvex 2.1 将默认调度改为公平队列", "8 租户混跑 P99 4.2 s → 1.6 s"),
        ("Qorvex 2.1：公平队列成为默认", "八个租户混合负载下，P99 由 4.2 秒降到 1.6 秒"),
    ),
    (("Glimmer-7B 开源，许可证 Apache-2.0",), ("Glimmer-7B is open: weights and code under Apache 2.0",)),
    (("推理引擎选型应按工作负载特征分类",), ("推理引擎的选型应当按工作负载特征分类",)),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_finding_in_other_words_or_in_the_other_language(one: Told, other: Told) -> None:
    assert "same" == verdict_of(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("TierKV：CXL 混合内存的 KV 缓存框架",), ("TierKV tiers the KV cache across HBM, CXL and SSD",)),
        (("大学团队提出 TierKV，把 KV 缓存分到三层",), ("TierKV: tiering KV caches",)),
        (("投机解码提速到 1.4 倍",), ("A draft of varying length decodes 1.4× faster",)),
        (("KV 缓存复用被重新定义为内存层级问题",), ("KV 缓存复用应视为内存层级问题",)),
        (
            ("Halving the KV cache", "Needle test 98.7 against 99.1"),
            ("4 位键把缓存减半", "大海捞针 98.7，16 位时 99.1"),
        ),
    ],
)
def test_one_paper_and_one_named_thing_figure_or_wording_are_one_finding(one: Told, other: Told) -> None:
    assert "same" == verdict_of(one, other, ids=(PAPER,))


def test_one_paper_told_in_two_aspects_is_two_findings() -> None:
    one = ("GraftLoRA 把适配器合并成一棵树", "40 个任务合成树", "平均得分低 0.3")
    other = ("GraftLoRA 的显存账", "40 个适配器 5.1 GB，合成树后 1.4 GB", "切换延迟从 31 ms 到 2 ms")
    assert "complementary" == verdict_of(one, other, ids=(PAPER,))


def test_one_page_and_the_same_figures_are_one_finding_without_a_name() -> None:
    one = ("震撼！一张消费级显卡也能微调", "峰值显存 23.1 GB，每步 6.2 秒")
    other = ("逐层换出优化器状态的显存实测", "峰值 23.1 GB，一步 6.2 s")
    assert "same" == verdict_of(one, other, pages=("https://example.org/molt/32b",))
    assert "same" != verdict_of(one, other[:1], pages=("https://example.org/molt/32b",))


def test_a_copy_that_names_its_note_is_one_finding() -> None:
    told = finding("LampCache moves prefixes to host memory", "TTFT 2.4 s, now 0.8 s", note=JAY, cites=(TOM,))
    assert "same" == verdict(finding("LampCache 主机内存层", "TTFT 2.4 s → 0.8 s（3.0×）"), told)


BASE = ("Qorvex 2.1 将默认调度改为公平队列", "8 租户混跑 P99 4.2 s → 1.6 s", "默认开启")


@pytest.mark.parametrize(
    ("expected", "other"),
    [
        ("same", ("Qorvex 2.1：公平队列成为默认", "八租户混跑 P99 由 4.2 秒到 1.6 秒")),
        ("contradicting", ("Qorvex 2.1 将默认调度改为公平队列", "8 租户混跑 P99 4.2 s → 1.8 s")),
        ("contradicting", ("Qorvex 2.1 将默认调度改为公平队列", "8 租户混跑 P99 4.2 s → 1.6 min")),
        ("contradicting", ("Qorvex 2.1 将默认调度改为公平队列", "8 租户混跑 P99 4.2 s → 1.6 s", "默认关闭")),
        ("complementary", ("Qorvex 2.2 将默认调度改为公平队列", "8 租户混跑 P99 4.2 s → 1.6 s")),
        ("complementary", ("Qorvex 2.1 换了日志格式", "每步一行 JSON", "默认关闭")),
        ("unrelated", ("Bramblewood 将默认调度改为公平队列", "12 张卡 11.5 s")),
    ],
)
def test_what_cannot_be_wording_is_never_the_same(expected: Verdict, other: Told) -> None:
    assert expected == verdict_of(BASE, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("Glimmer-7B 开源，许可证 Apache-2.0",), ("Glimmer-7B 未开源，只给接口",)),
        (("Glimmer-7B tops the board with 71.2",), ("Glimmer-13B tops the board with 71.2",)),
        (("Nettle beats Bracken on long prompts",), ("Bracken beats Nettle on long prompts",)),
        (("A100 比 H100 慢 2.1 倍：Kestrel 实测",), ("H100 比 A100 慢 2.1 倍：Kestrel 实测",)),
        (("Merged PR #260 into Kestrel",), ("Merged PR #480 into Kestrel",)),
        (("Thornbury 收购 Pillbox",), ("Thornbury 收购 Weighbridge",)),
        (("Key results",), ("Key results",)),
        (
            ("Atlas: a benchmark for agents", "best model 39 %"),
            ("Atlas, a scheduler for GPU pools", "39 % shorter queue"),
        ),
        (("长提示没有成本", "延迟相同"), ("长提示没有成本？我不认同", "实测多花 640 ms")),
    ],
)
def test_what_looks_alike_and_is_not_the_same(one: Told, other: Told) -> None:
    assert "same" != verdict_of(one, other)


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        ("contradicting", "损失比 BF16 高 0.4%，3B 模型、120 B token", "1.4 % above BF16, 3B parameters, 120 B tokens"),
        ("complementary", "TTFT 中位 340 ms，输入 4K、并发 16", "TTFT 中位 910 ms，没写并发"),
        ("complementary", "一千万条时 P50 3.1 ms", "十亿条时 P50 27 ms"),
    ],
)
def test_other_figures_contradict_where_they_are_of_one_experiment(expected: Verdict, one: str, other: str) -> None:
    assert expected == verdict_of(("Corrugate 实测", one), ("Corrugate 实测，第二处", other))


def test_a_view_that_is_told_to_reject_it_is_no_contradiction() -> None:
    one = ("Hexaloom 的百万上下文零衰减", "单针命中 99.6%")
    other = ("Hexaloom 的百万上下文零衰减，我不打算照收", "跨段指代 512K 时 38 分")
    assert "complementary" == verdict_of(one, other)


def test_one_name_in_two_languages_without_figures_is_unclear() -> None:
    one = ("Copperfield 修复了流式输出丢字", "1.3.2 起修复")
    other = ("Copperfield 1.3.2 no longer drops characters while streaming", "fixed in 1.3.2")
    assert "unclear" == verdict_of(one, other)


def test_two_models_of_one_family_complement_each_other() -> None:
    assert "complementary" == verdict_of(
        ("Osprey-24B-Instruct scores 71.3 on DeskOps",), ("Osprey-24B-Thinking scores 78.9 on DeskOps",)
    )


def test_one_agent_repeats_itself_in_the_same_words_alone() -> None:
    again = finding("TierKV 缓存框架披露", note="inbox/tom/2026-09-15-b.md", ids=(PAPER,))
    other = finding("TierKV 的集成路径与许可", note="inbox/tom/2026-09-15-b.md", ids=(PAPER,))
    first = finding("TierKV 缓存框架披露", ids=(PAPER,))
    assert ("same", "complementary") == (verdict(first, again), verdict(first, other))


def test_a_surer_pair_scores_higher() -> None:
    first = finding("TierKV 缓存框架披露", "快 2.45×", ids=(PAPER,))
    paper = decide(first, finding("TierKV tiers the cache", "2.45x", ids=(PAPER,), note=JAY))
    words = decide(first, finding("缓存框架，名为 TierKV", "快 2.45×，命中率 61.3%", note=AMY))
    assert ("same", "same") == (paper.verdict, words.verdict)
    assert paper.score > words.score


def test_what_keeps_apart_has_a_name() -> None:
    assert "version" == kept_apart_by(finding("TierKV v1.2 披露"), finding("TierKV v1.3 披露", note=JAY))
    assert kept_apart_by(finding("TierKV v1.2 披露"), finding("TierKV 披露", note=JAY)) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            ("Firn 支持在线换适配器", "一次切换 45 ms", "最多 128 个"),
            ("Firn swaps adapters at 45 ms", "up to 128 adapters"),
        ),
        (("雁山托管服务中断", "13:20 到 14:05 返回 503"), ("我方探针：雁山托管服务 13:20–14:05 不可用", "四处都一样")),
        (
            ("Dover: 71 % of its traffic goes to the small model",),
            ("Small model for most", "71 % of traffic at Dover goes to the small model"),
        ),
        (("塔拉云将停用旧接口", "12 月 1 日起停用"), ("公告：塔拉云的旧接口 12 月 1 日停用",)),
    ],
)
def test_who_gives_the_same_figures_and_times_and_no_others_tells_one_finding(one: Told, other: Told) -> None:
    assert "same" == verdict_of(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("Osier 2.1 is 30 % faster on long prompts",), ("Osier 2.1 uses 30 % less memory on long prompts",)),
        (("Osier 2.1 长提示快 30%",), ("Osier 2.1 长提示省显存 30%",)),
        (("Corven saves 40 % by packing the KV cache",), ("Corven quantises its drafts and saves 40 %",)),
        (("Harrow serves 1,204 input tokens a call",), ("Harrow serves 1,204 output tokens a call",)),
    ],
)
def test_one_figure_of_two_attributes_makes_no_finding(one: Told, other: Told) -> None:
    assert "same" != verdict_of(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("Pass rates and temperature", "通过率上升"), ("Pass rates and temperature: a study", "通过率下降")),
        (
            ("Filter and ranker", "the small model writes the plan, the large model checks it"),
            ("Ranker and filter", "the large model writes the plan, the small model checks it"),
        ),
    ],
)
def test_what_a_shared_source_tells_the_other_way_round_is_kept_apart(one: Told, other: Told) -> None:
    assert "contradicting" == verdict_of(one, other, ids=(PAPER,))

"""Measures carry metric, subject, baseline and conditions where the unit names them; stated ratios are held against their numbers."""

import time

import pytest

from agent.reading.measures import find_measures, linked_ratios


def measured(text: str) -> list[tuple[float, str]]:
    return [(measure.value, measure.unit) for measure in find_measures(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("带宽 150.7 vs 63.7 TB/s", [(150.7, "TB/s"), (63.7, "TB/s")]),
        ("费用 $3.53 vs $59.23/hr", [(3.53, "$/hr"), (59.23, "$/hr")]),
        ("Foo 89,389 vs Bar v5 6,916 tok/s", [(89389, "tok/s"), (6916, "tok/s")]),
        ("12,500 tok/s vs 9,000", [(12500, "tok/s"), (9000, "tok/s")]),
        ("accuracy 85.2 vs 83.1", [(85.2, ""), (83.1, "")]),
        ("总参数 685B，激活参数 37B", [(685e9, ""), (37e9, "")]),
        ("得分为 46.88", [(46.88, "")]),
        ("Foo 3,500 · Bar 4,500", [(3500, ""), (4500, "")]),
        ("用户超过 2 亿", [(2e8, "")]),
        ("89,389 tokens 与 6,916 tok/s", [(89389, "tokens"), (6916, "tok/s")]),
        ("共 58 条共识", [(58, "条")]),
        ("2048 tokens", [(2048, "tokens")]),
    ],
)
def test_value_and_unit_are_found_also_where_the_unit_stands_once(text, expected):
    assert expected == measured(text)


@pytest.mark.parametrize(
    "text",
    [
        "2026-07-27 发布 v0.20.0，见 §2.79 第 3 节",
        "Llama 3.3 70B 与 Qwen3-30B-A3B 与 7B 模型",
        "8×H100 与 80GB A100，FP8，4-bit，batch size 32，并发 64",
        "32K tokens generation，上下文 128K",
        "arXiv:2607.18141 与 https://example.org/3ms/5GB",
        "`latency = 3 ms` --num-prompts 10",
        "C59-C67 共识候选与 O136",
        "得分 2026",
        "the best 2026 models",
        "MCP 2026 企业级架构",
        "一共三层",
        "",
    ],
)
def test_other_numbers_are_no_measures(text):
    assert [] == measured(text)


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("聚合带宽:150.7 TB/s", "聚合带宽"),
        ("prefill 延迟约 3 ms", "prefill 延迟"),
        ("延迟从 53s → 7.2s", "延迟"),
        ("throughput dropped from 1,200 tok/s", "throughput"),
        ("提升 15-25% 吞吐", "吞吐"),
        ("5.5× 内存压缩", "内存压缩"),
        ("OpEx: $3.53/hr", "OpEx"),
        ("uses 31.2 GB of GPU memory", "GPU memory"),
        ("把尾延迟压到 87 ms", "延迟"),
        ("| TTFT | 238.6 ms |", "TTFT"),
        ("节点开机时长: 24 小时", "节点开机时长"),
        ("来源: 24 小时", ""),
        ("a cost profit margin of 545%", ""),
        ("3 个压缩级别收集的 512 条", ""),
        ("延迟不变，共 24 小时", ""),
        ("24 小时", ""),
    ],
)
def test_metric_is_the_nearest_one_or_empty(text, metric):
    assert metric == find_measures(text)[0].metric


@pytest.mark.parametrize(
    ("text", "subject", "version", "baseline"),
    [
        (
            "SGLang RadixAttention 的 prefill 延迟比 vLLM PagedAttention 低 3×",
            "SGLang RadixAttention",
            None,
            "vLLM PagedAttention",
        ),
        ("Unsloth 单卡吞吐 3 tok/s", "Unsloth", None, None),
        ("与 Transformers v5 6,916 tok/s 相当", "Transformers", "v5", None),
        ("**3.5×** faster than vLLM", "", None, "vLLM"),
        ("| vLLM | 通用 | ~3,500 tokens/s |", "vLLM", None, None),
        ("Results were 3 ms", "", None, None),
        ("on H100 3,500 tok/s", "", None, None),
        ("吞吐 3 tok/s", "", None, None),
    ],
)
def test_subject_version_and_baseline_are_named_or_empty(text, subject, version, baseline):
    measure = find_measures(text)[0]
    assert (subject, version, baseline) == (measure.subject, measure.version, measure.baseline)


def test_numbers_of_a_pair_are_each_others_baseline():
    versus = find_measures("带宽 150.7 vs 63.7 TB/s")
    change = find_measures("延迟从 53s → 7.2s")
    assert ["63.7 TB/s", None] == [measure.baseline for measure in versus]
    assert [None, "53s"] == [measure.baseline for measure in change]
    assert ["延迟", "延迟"] == [measure.metric for measure in change]


@pytest.mark.parametrize(
    ("text", "baseline"),
    [
        ("带宽 150.7 vs 63.7 TB/s（2.4× ↑）", "63.7 TB/s"),
        ("CapEx $27,664 vs $570,000 20.6× ↓", "$570,000"),
        ("延迟 53s → 7.2s（7.4×）", "53s"),
        ("从 ~127GiB 降至 ~23GiB（5.5× 压缩）", "127GiB"),
        ("成本从 $100 降至 $25，下降 75%", "$100"),
        ("2.4 倍（从 63.7 到 150.7 TB/s）", "63.7"),
        ("150 vs 100 ms (+50%)", "100 ms"),
    ],
)
def test_a_stated_ratio_names_the_value_that_it_is_measured_against(text, baseline):
    (link,) = linked_ratios(find_measures(text), text)

    assert baseline == link.ratio.baseline
    assert link.ratio in find_measures(text)


def test_a_ratio_without_a_pair_or_with_a_name_keeps_what_it_has():
    assert [None, None] == [measure.baseline for measure in find_measures("提升 3–5×")]
    assert "vLLM" == find_measures("150 vs 100 ms, 1.5× faster than vLLM")[2].baseline


def test_both_ends_of_a_range_share_what_is_said_of_it():
    low, high = find_measures("Foo-X 比 Bar-Y 快 3–5×")
    assert (3.0, ">=", "×", 5.0, "<=", "×") == (
        low.value,
        low.comparator,
        low.unit,
        high.value,
        high.comparator,
        high.unit,
    )
    assert ("Foo-X", "Bar-Y") == (low.subject, low.baseline) == (high.subject, high.baseline)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "吞吐 3 tok/s（8×H100，FP8，batch size 32）",
            {"hardware": "8×H100", "precision": "FP8", "batch": "batch size 32"},
        ),
        ("Llama 3.3 70B on 80GB A100: 89,389 tokens", {"hardware": "80GB A100", "model": "Llama 3.3 70B"}),
        ("DeepSeek-R1-671B，32K 上下文，延迟 3 ms", {"model": "DeepSeek-R1-671B", "context": "32K 上下文"}),
        ("MMLU 85.2%", {"dataset": "MMLU"}),
        ("并发 64 时 3 ms", {"concurrency": "并发 64"}),
        ("3 ms", {}),
    ],
)
def test_conditions_of_the_unit_are_given(text, expected):
    assert expected == dict(find_measures(text)[0].conditions)


def test_of_several_conditions_the_nearest_counts():
    before, after = find_measures("FP16 占用 14GB → INT4 降至 4GB")
    assert [{"precision": "FP16"}, {"precision": "INT4"}] == [dict(before.conditions), dict(after.conditions)]
    assert {"hardware": "H100"} == dict(find_measures("A100 上 3 ms · 4 ms H100")[1].conditions)


def test_offsets_cut_out_the_number_with_its_unit():
    text = "，费用约 −$3.53/hr（９５％）"
    assert ["−$3.53/hr", "９５％"] == [text[measure.start : measure.end] for measure in find_measures(text)]


@pytest.mark.parametrize(
    ("text", "holds", "expected"),
    [
        ("带宽 150.7 vs 63.7 TB/s 2.4× ↑", True, 2.366),
        ("带宽:150.7 TB/s vs 63.7 TB/s（2.4× ↑）", True, 2.366),
        ("CapEx $27,664 vs $570,000 20.6× ↓", True, 20.604),
        ("OpEx $3.53 vs $59.23/hr 16.8× ↓", True, 16.779),
        ("从 ~127GiB 降至 ~23GiB（5.5× 压缩）", True, 5.522),
        ("89,389 tokens vs Foo v5 6,916 tokens · 12.9× 差距", True, 12.925),
        ("2.4 倍（从 63.7 到 150.7 TB/s）", True, 2.366),
        ("速度 10 vs 5 tok/s 3×", False, 2.0),
        ("12 vs 5 ms 2.3×", True, 2.4),
        ("延迟 100ms → 60ms，超过 1.5×", True, 1.667),
        ("延迟 100ms → 60ms，不超过 1.5×", False, 1.667),
        ("成本从 $100 降至 $25，下降 75%", True, 75.0),
        ("throughput dropped from 1,200 tok/s to 300 tok/s (-70%)", False, 75.0),
        ("150 vs 100 ms (+50%)", True, 50.0),
        ("吞吐从 1,000 到 4,000 tok/s 提升 3 倍", True, 3.0),
        ("40 vs 100 ms 0.4×", True, 0.4),
        ("57万 vs 28 万美元 2 倍", True, 2.036),
    ],
)
def test_stated_ratio_is_held_against_its_numbers(text, holds, expected):
    (link,) = linked_ratios(find_measures(text), text)
    assert holds is link.holds
    assert pytest.approx(expected, abs=0.001) == link.expected


def test_every_pair_of_a_collapsed_list_keeps_its_own_ratio():
    text = "带宽 150.7 vs 63.7 TB/s 2.4× · 吞吐量 1,607 vs 679 tok/s 2.4× · 成本 $27 vs $570 21.1×"
    links = linked_ratios(find_measures(text), text)
    assert [(150.7, 2.4), (1607.0, 2.4), (27.0, 21.1)] == [(link.left.value, link.ratio.value) for link in links]
    assert ["带宽", "吞吐量", "成本"] == [link.ratio.metric for link in links]


@pytest.mark.parametrize(
    "text",
    [
        "带宽 150.7 vs 63.7 TB/s",
        "带宽 150.7 TB/s。另有 2.4×",
        "3 ms vs 4 GB 2.4×",
        "150.7 TB/s、63.7 TB/s 2.4×",
        "24% vs 36%，占 50%",
        "3–5×",
    ],
)
def test_without_pair_or_ratio_nothing_is_linked(text):
    assert () == linked_ratios(find_measures(text), text)


def test_zero_in_a_pair_is_no_accident():
    text = "10ms vs 0ms 3×"
    (link,) = linked_ratios(find_measures(text), text)
    assert not link.holds


@pytest.mark.parametrize(
    "pump",
    ["1", ".", ",", " ", "×", "-", "/", "\n", "|", "`", "1,", "1.", "1 ", "1-", "1×", "3–5× ", "的", "A ", "vLLM ", "3 vs 4 ms ", "H100 ", "32K ", "Llama 3 ", "比 vLLM 低 3× "],
)  # fmt: skip
def test_pumped_strings_take_linear_time(pump):
    text = pump * (50_000 // len(pump))
    started = time.process_time()
    linked_ratios(find_measures(text), text)
    assert time.process_time() - started < 5

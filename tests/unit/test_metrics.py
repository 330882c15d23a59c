"""A number's metric has one key in both languages, with what it is more exactly."""

import pytest

from agent.checking.metrics import attribute_of, clause_of, concept_of, is_change, measures_of, sentence_of
from agent.reading.quantities import fold


def attributes(text: str) -> list[str]:
    folded = fold(text)
    return [
        attribute_of(measure, concept_of(measure, clause_of(folded, measure), folded), folded)
        for measure in measures_of(text)
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("吞吐 900 tok/s", "a throughput of 900 tokens per second"),
        ("首 token 延迟 120 ms", "TTFT is 0.12 s"),
        ("解码吞吐 900 tok/s", "decodes 900 tokens/s"),
        ("P99 延迟 87 ms", "p99 latency 87 ms"),
        ("平均延迟 87 ms", "average latency 87 ms"),
        ("总参数 685B", "685B total parameters"),
        ("激活参数 37B", "37B activated parameters"),
        ("准确率下降 12%", "reduces accuracy by 12%"),
        ("输入价格 $3/百万 token", "price: $3 per million input tokens"),
        ("上下文长度 256K", "supports a 256K-token context"),
        ("显存占用 18 GB", "18 GB of GPU memory"),
    ],
)
def test_both_languages_have_one_key(one, other):
    assert attributes(one) == attributes(other)
    assert 1 == len(attributes(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("预填充吞吐 900 tok/s", "解码吞吐 900 tok/s"),
        ("P99 延迟 87 ms", "P50 延迟 87 ms"),
        ("总参数 685B", "激活 685B 参数"),
        ("准确率 12%", "准确率提升 12%"),
        ("延迟降低 30%", "延迟降到 30 ms"),
        ("输入价格 $3/百万 token", "输出价格 $3/百万 token"),
    ],
)
def test_what_a_number_is_more_exactly_parts_the_keys(one, other):
    assert attributes(one) != attributes(other)


def test_each_parameter_count_takes_the_word_before_it():
    assert ["parameters|active|", "parameters|"] == attributes("推理时只激活 37B 参数但总参数 685B")


def test_a_change_is_told_from_a_level():
    text = "准确率 12%，提升 3%，提高到 15%，+2%"
    folded = fold(text)

    assert [False, True, False, True] == [is_change(measure, folded) for measure in measures_of(text)]


def test_a_clause_ends_at_commas_and_leaves_conditions_out():
    folded = fold("首先，FooServe 在 H100 上吞吐 1,200 tok/s，其余不变")
    (measure,) = measures_of(folded)

    assert "FooServe 在      上吞吐 1,200 tok/s" == clause_of(folded, measure)


def test_a_sentence_ends_at_full_stops():
    folded = "One here. Two 3 ms there. Four"

    assert "Two 3 ms there" == folded[slice(*sentence_of(folded, 14, 18))]

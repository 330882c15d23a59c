"""A number belongs to the name beside it, to the one thing that is named, or to nothing."""

import pytest

from agent.checking.metrics import measures_of
from agent.checking.subjects import BENCHMARK, Named, is_of_heading, key_of, named_of, names_of, one_name, said_with
from agent.reading.quantities import fold


def named(text: str, heading: str = "") -> Named | None:
    measure = measures_of(text)[-1]
    return named_of(measure, fold(text), heading=heading)


@pytest.mark.parametrize(
    ("text", "heading", "expected"),
    [
        ("FooServe 吞吐 900 tok/s", "", Named("FooServe", None)),
        ("FooServe v1.2 吞吐 900 tok/s", "", Named("FooServe", "v1.2")),
        ("FooServe 的 v1.2 版吞吐 900 tok/s", "", Named("FooServe", "v1.2")),
        ("在 H100 上 FooServe 的吞吐升到了 900 tok/s", "", Named("FooServe", None)),
        ("吞吐 900 tok/s", "## FooServe v1.2 在 H100 上", Named("FooServe", "v1.2")),
        ("FooServe 吞吐 900 tok/s", "## v1.2 发布", Named("FooServe", "v1.2")),
        ("Qwen3-32B 在 MMLU 上准确率 83.1%", "", Named("Qwen3-32B", None)),
        ("FooServe reduces TTFT by 3.2x compared to vLLM", "", Named("FooServe", None)),
        ("Mortise 0.8 decodes 900 tokens/s", "", Named("Mortise", "0.8")),
        ("FooServe 与 BarServe 上吞吐达到 900 tok/s", "", None),
        ("Results: a throughput of 900 tok/s", "", None),
        ("吞吐 900 tok/s", "## FooServe 与 BarServe", None),
        ("吞吐 900 tok/s", "", None),
    ],
)
def test_a_number_is_said_of_one_thing_or_none(text, heading, expected):
    assert expected == named(text, heading)


def test_conditions_metrics_and_units_name_nothing():
    assert [] == [word.group() for word in names_of("TTFT 在 H100 上用 FP8 跑 GSM8K，KVCache 占 12 GB")]


def test_of_several_names_none_is_the_one():
    assert one_name("FooServe 与 BarServe", without="") is None
    assert Named("FooServe", None) == one_name("FooServe 与 BarServe", without="BarServe")


def test_a_heading_that_names_another_thing_rules():
    assert is_of_heading(Named("FooServe", None), "FooServe 发布")
    assert is_of_heading(Named("FooServe", None), "性能")
    assert not is_of_heading(Named("WideSearch", None), "FooNet 发布")


def test_long_units_are_read_by_the_sentence():
    text = "甲" * 300 + "。FooServe 吞吐 900 tok/s。" + "乙" * 10
    (measure,) = measures_of(text)

    assert "FooServe 吞吐 900 tok/s" == said_with(fold(text), measure)


def test_keys_keep_digits_and_lose_case_and_joints():
    assert "foonetv32" == key_of("FooNet-V3.2")


def test_benchmarks_are_known_by_their_form():
    assert [True, True, False] == [bool(BENCHMARK.search(name)) for name in ("FooBench", "HotQA", "FooServe")]

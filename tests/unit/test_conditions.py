"""Conditions of a measurement are found by kind, and each number takes those that stand nearest."""

import pytest

from agent.reading.conditions import (
    are_different,
    canonical_condition,
    find_conditions,
    is_hardware_or_precision,
    nearest_conditions,
)


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("8×H100 与 80GB A100", "hardware", ["8×H100", "80GB A100"]),
        ("昇腾 910B", "hardware", ["昇腾 910B"]),
        ("FP8, INT4 与 4-bit", "precision", ["FP8", "INT4", "4-bit"]),
        ("W4A8", "precision", ["W4A8"]),
        ("batch size 32，批大小 8", "batch", ["batch size 32", "批大小 8"]),
        ("Concurrency 64", "concurrency", ["Concurrency 64"]),
        ("32K 上下文", "context", ["32K 上下文"]),
        ("Llama-3.1-8B", "model", ["Llama-3.1-8B"]),
        ("GSM8K 与 MMLU-Pro", "dataset", ["GSM8K", "MMLU-Pro"]),
    ],
)
def test_a_condition_is_found_as_written(text, kind, expected):
    assert expected == [text[start:end] for start, end in find_conditions(text)[kind]]


def test_a_text_without_conditions_has_none():
    assert not any(find_conditions("nothing of the kind").values())


def test_what_follows_directly_comes_before_what_stood_earlier():
    text = "A100: 3 ms, 4 ms on H100"
    conditions = find_conditions(text)

    assert (("hardware", "A100"),) == nearest_conditions(text, conditions, 6, 10)
    assert (("hardware", "H100"),) == nearest_conditions(text, conditions, 12, 16)


def test_devices_and_formats_are_told_from_products():
    assert [True, True, False] == [is_hardware_or_precision(word) for word in ("H100", "FP8", "vLLM")]


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("hardware", "NVIDIA H100", "H100 80GB"),
        ("batch", "batch size 32", "批大小 32"),
        ("concurrency", "并发 64", "Concurrency 64"),
        ("context", "32K 输入", "32k input"),
        ("precision", "4-bit", "4 bits"),
        ("model", "Llama 3.3 70B", "Llama-3.3-70B"),
    ],
)
def test_spellings_of_one_condition_are_the_same(kind, one, other):
    assert canonical_condition(kind, one) == canonical_condition(kind, other)
    assert not are_different(kind, one, other)


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("hardware", "H100", "A100"),
        ("hardware", "8×H100", "4×H100"),
        ("context", "32K 输入", "32K 输出"),
        ("model", "Foo-7B", "Foo-13B"),
    ],
)
def test_conditions_that_exclude_each_other_are_different(kind, one, other):
    assert are_different(kind, one, other)


def test_a_number_of_devices_that_only_one_side_tells_makes_no_difference():
    assert not are_different("hardware", "8×H100", "H100")

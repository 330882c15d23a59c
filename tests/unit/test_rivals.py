import pytest

from agent.reconciling.rivals import (
    are_numbers_miswritten,
    are_turned,
    confused,
    gives,
    measure_otherwise,
    rivals,
    shared,
    tells,
    weight,
)
from agent.reconciling.values import Value, read_values


def read(text: str) -> tuple[Value, ...]:
    return read_values(text.split("；"))


def do_rival(one: str, other: str) -> bool:
    found = bool(list(rivals(read(one), read(other))))
    assert found == bool(list(rivals(read(other), read(one))))
    return found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("误命中率 2.9% → 0.3%", "误命中率 2.9% → 0.8%"),
        ("BF16 62.7，INT4 61.4", "从 62.7 变为 60.4"),
        ("共 140 个任务，平均 210 步", "140 个任务，平均 120 步"),
        ("212 个工具", "221 tools"),
        ("损失高 0.4%", "the loss is 1.4 % above it"),
        ("31,000 traces", "41,000 of them"),
    ],
)
def test_figures_of_one_thing_that_differ_are_rivals(one: str, other: str) -> None:
    assert do_rival(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("TTFT 2.4 s；P99 11 s", "TTFT 2.4 s"),
        ("P50 410 ms", "P99 1,410 ms"),
        ("显存 11 GB", "带宽 18 GB/s"),
        ("近 40% 的查询", "38.7%"),
        ("saves 25–35 % energy", "about 30 %"),
        ("约 8.7 万行", "87,123 行"),
        ("18,000 prompts", "18,046 prompts"),
        ("命中 61.2%", "stops at 61.2"),
        ("210 s → 42 s（5 倍）", "210 s 变为 42 s，即 7 倍"),
        ("66.0 → 65.1；库小 93%", "66.0 → 65.1；只剩 7%"),
        ("0.19 s per request", "0.19 秒"),
    ],
)
def test_what_is_rounded_shortened_or_something_else_rivals_nothing(one: str, other: str) -> None:
    assert not do_rival(one, other)


def test_shared_figures_need_not_be_written_alike() -> None:
    one, other = read("TTFT 800 ms；38K token；近 40%；得分 54.0%"), read("0.8 s；三万八千；38.7%；得分 54.0")
    expected = {("s", 0.8), ("tokens", 38000.0), ("%", 38.7), ("%", 54.0)}
    assert expected == shared(one, other) == shared(other, one)


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        (True, "18 GB/s", "18 Gb/s"),
        (True, "高 6.4 个百分点", "高 6.4%"),
        (True, "256 tokens", "256 tokens/s"),
        (True, "3.5 seconds", "3.5 minutes"),
        (True, "整机 1,850 token/s", "每张卡 1,850 token/s"),
        (False, "2.4 s 与 2.4×", "2.4 s"),
        (False, "30 GB", "30 ms"),
        (False, "800 ms", "0.8 s"),
    ],
)
def test_units_that_are_taken_for_each_other(expected: bool, one: str, other: str) -> None:  # noqa: FBT001  # a table of cases
    assert expected is bool(list(confused(read(one), read(other))))
    assert expected is bool(list(confused(read(other), read(one))))


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        (True, "内存占用下降 18%", "memory rises by 18 %"),
        (True, "快 3.2 倍", "3.2x slower"),
        (False, "拒答率下降 18%", "18 % fewer refusals"),
        (False, "准确率提高 5%", "错误率降低 5%"),
    ],
)
def test_one_figure_that_rises_here_and_falls_there(expected: bool, one: str, other: str) -> None:  # noqa: FBT001  # a table of cases
    assert expected is are_turned(read(one), read(other))


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        (True, "得分 0.58", "score 0.53"),
        (True, "延迟 380 ms", "830 ms"),
        (False, "得分 0.58", "score 0.58"),
        (False, "2025 年", "2026 年"),
        (False, "得分 0.58", "2.4 倍"),
        (False, "得分 0.58，另一项 0.53", "score 0.53 and 0.58"),
    ],
)
def test_a_number_that_is_another_but_for_a_digit(expected: bool, one: str, other: str) -> None:  # noqa: FBT001  # a table of cases
    assert expected is are_numbers_miswritten((one,), (other,))


def test_rare_figures_weigh_more_than_round_ones() -> None:
    assert (
        weight([("s", 1.26)])
        > weight([("%", 57.0)])
        > weight([("%", 40.0)])
        > weight([("", 64.0)])
        > weight([("", 3.0)])
    )


def test_what_is_left_gives_what_is_gone_where_much_is_the_same() -> None:
    values = read("只剩 7%")
    assert gives(values, [7.0])
    assert not gives(values, [93.0])
    assert gives(values, [93.0], is_rest_told=True)


def test_a_rounded_number_is_told() -> None:
    assert tells(read("碎片率 4.06%"), [4.06], read("约 4%"))
    assert not tells(read("碎片率 4.06%"), [4.06], read("约 5%"))
    assert not tells(read("碎片率 4.06%"), [], read("约 4%"))


def test_one_figure_may_measure_two_things() -> None:
    assert measure_otherwise(read("30 % faster"), read("30 % less memory"), ("%", 30.0))
    assert not measure_otherwise(read("30 % faster"), read("快 30%"), ("%", 30.0))
    assert not measure_otherwise(read("30 % faster"), read("省 30%"), ("%", 30.0))


def test_a_number_for_each_device_and_for_all_of_them_is_confused_where_a_unit_stands_apart() -> None:
    assert list(confused(read("9,200 output tokens/s per GPU"), read("整机 9,200 token/s")))

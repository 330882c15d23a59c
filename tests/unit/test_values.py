import pytest

from agent.reconciling.values import Value, read_values, with_measures, written_numbers
from tests.findings import measure


def read(*clauses: str) -> tuple[Value, ...]:
    return read_values(clauses)


@pytest.mark.parametrize(
    ("expected", "clause"),
    [
        ([("s", 0.8)], "TTFT 800 ms"),
        ([("s", 2820.0)], "持续 47 分钟"),
        ([("%", 38.7)], "占 38.7%"),
        ([("pp", 6.4)], "高 6.4 个百分点"),
        ([("B/s", 18e9)], "带宽 18 GB/s"),
        ([("b/s", 18e9)], "bandwidth 18 Gb/s"),
        ([("", 212.0)], "212 个工具"),
        ([("×", 4.0)], "4 times faster"),
        ([("", 4.0)], "4×H100"),
        ([("s", 0.88), ("s", 0.41)], "TTFT 880 → 410 ms"),
        ([("", 62.7), ("", 61.4)], "BF16 62.7，INT4 61.4"),
        ([("tokens", 38000.0)], "三万八千 token"),
        ([], "见 inference.md 6.1，2026-09-14，arXiv:2609.18141，评分 8.8 / 10"),
    ],
)
def test_a_figure_has_its_unit_in_one_size(expected: list[tuple[str, float]], clause: str) -> None:
    assert expected == [value.amount for value in read(clause)]


@pytest.mark.parametrize(
    ("digits", "decimals", "is_rounded", "clause"),
    [
        (3, 1, False, "43.0"),
        (5, 0, False, "12,400"),
        (2, 0, False, "18,000"),
        (1, 0, True, "近 40%"),
        (2, 1, True, "8.7 万"),
    ],
)
def test_a_figure_is_as_exact_as_it_is_written(digits: int, decimals: int, is_rounded: bool, clause: str) -> None:  # noqa: FBT001  # a table of cases
    (value,) = read(f"得分 {clause}")
    assert (digits, decimals, is_rounded) == (value.digits, value.decimals, value.is_rounded)


def test_a_range_has_two_ends() -> None:
    assert [(25.0, 35.0), (25.0, 35.0)] == [(value.low, value.high) for value in read("saves 25–35 % energy")]


def test_a_figure_tells_what_its_clause_measures_and_for_how_many() -> None:
    each, total = read("每张卡解码吞吐 1,850 token/s", "整机 P99 延迟 38 ms")
    assert (frozenset({"throughput"}), 1) == (each.metrics, each.scope)
    assert (frozenset({"latency", "p99"}), -1) == (total.metrics, total.scope)


def test_what_is_counted_has_one_word_in_both_languages() -> None:
    (chinese,), (english,) = read("212 个工具的说明"), read("212 tools")
    assert "tool" in chinese.counted & english.counted


def test_a_figure_that_is_given_twice_measures_what_either_clause_says() -> None:
    (value,) = read("TTFT 降到 0.42 s", "显存不变，0.42 s")
    assert {"ttft", "memory"} == value.metrics


def test_measures_add_what_no_clause_gave() -> None:
    values = with_measures(read("TTFT 2.4 s"), (measure(2.4, "s"), measure(70.0, "%", "命中率")))
    assert [("s", 2.4), ("%", 70.0)] == [value.amount for value in values]


def test_at_most_24_figures_are_looked_at() -> None:
    assert 24 == len(read(" ".join(f"{number}.5 ms" for number in range(100, 200))))


def test_all_long_numbers_are_written_ones_but_years_and_rounded_ones() -> None:
    assert {"4090", "0.58", "12400"} == written_numbers(("RTX 4090 在 2026 年测得 0.58", "约 930，其余 12,400"))


@pytest.mark.parametrize("clause", ["3 stars", "评 4 星", "stars: 4", "at 14:10"])
def test_ratings_and_times_of_the_day_are_no_figures(clause: str) -> None:
    assert () == read(clause)


def test_energies_differ_in_size_alone() -> None:
    assert ("Wh", 900.0) == read("0.9 kWh")[0].amount


def test_a_measured_rating_is_no_figure() -> None:
    assert () == with_measures((), (measure(3.0, "stars"),))

"""Numbers are read with their sign, currency, scale, unit and comparator, and nothing that only looks like a number is."""

import pytest

from agent.reading.quantities import canonical_unit, find_quantities, fold, in_base, numbers_in


def read(text: str) -> list[tuple[float, str, str]]:
    return [(one.value, one.comparator, one.unit) for one in find_quantities(fold(text), [])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("57万美元", (570_000, "", "美元")),
        ("$570,000", (570_000, "", "$")),
        ("$1.3M", (1_300_000, "", "$")),
        ("US$5m", (5_000_000, "", "US$")),
        ("$3.53/hr", (3.53, "", "$/hr")),
        ("¥2.5/百万 tokens", (2.5, "", "¥/百万 tokens")),
        ("$0.14/M input tokens", (0.14, "", "$/M input tokens")),
        ("≈87K 行", (87_000, "~", "行")),
        ("2.5 亿客户", (250_000_000, "", "客户")),
        ("1.2万亿 tokens", (1_200_000_000_000, "", "tokens")),
        ("2.5 billion users", (2_500_000_000, "", "users")),
        ("649k 下载", (649_000, "", "下载")),
        ("1,607 tok/s", (1607, "", "tok/s")),
        ("380 tok/s/user", (380, "", "tok/s/user")),
        ("22 tokens per second", (22, "", "tokens per second")),
        ("150.7 TB/s", (150.7, "", "TB/s")),
        ("127GiB", (127, "", "GiB")),
        ("23GB", (23, "", "GB")),
        ("12.9×", (12.9, "", "×")),
        ("2.4x", (2.4, "", "x")),
        ("3 倍", (3, "", "倍")),
        ("2.4\\times", (2.4, "", "\\times")),
        ("+56%", (56, "", "%")),
        ("(−12.5%)", (-12.5, "", "%")),
        ("3.2 个百分点", (3.2, "", "个百分点")),
        ("1.5 pp", (1.5, "", "pp")),
        ("1.2T total parameters", (1.2e12, "", "total parameters")),
        ("37B 激活参数", (37e9, "", "激活参数")),
        ("$3 per million input tokens", (3, "", "$ per million input tokens")),
        ("24.5 Gb", (24.5, "", "Gb")),
        ("９５％", (95, "", "%")),
        ("30-minute", (30, "", "minute")),
        ("**3.5×**", (3.5, "", "×")),
    ],
)
def test_value_and_unit_are_read(text, expected):
    assert [expected] == read(text)


@pytest.mark.parametrize(
    ("text", "comparator"),
    [
        ("<200ms", "<"),
        (">60%", ">"),
        ("≥ 3 倍", ">="),
        ("<= 5 ms", "<="),
        ("~127GiB", "~"),
        ("约 3 天", "~"),
        ("近 40 万行", "~"),
        ("最近 3 天", ""),
        ("超过 60%", ">"),
        ("不超过 60%", "<="),
        ("至少 8 卡", ">="),
        ("高达 19%", "up to"),
        ("up to 11%", "up to"),
        ("more than 2.5x", ">"),
        ("no more than 5 ms", "<="),
        ("starting at $3/hr", "from"),
        ("= 3 ms", "="),
        ("200ms 以下", "<="),
        ("75% 以上", ">="),
        ("37B 左右参数", "~"),
        ("100+ users", ">="),
        ("40+ GiB/s", ">="),
        ("<td>85.2%</td>", ""),
        ("> 85.2% of a quotation", ""),
        ("-> 85.2%", ""),
        ("80GB + 64GB", ""),
    ],
)
def test_comparator_is_read_before_and_after(text, comparator):
    assert comparator == read(text)[0][1]


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("3–5×", 3, 5, "×"),
        ("3-5x", 3, 5, "x"),
        ("15-25%", 15, 25, "%"),
        ("60%-80%", 60, 80, "%"),
        ("20~30 秒", 20, 30, "秒"),
        ("60% 至 80%", 60, 80, "%"),
        ("2-3 万行", 20_000, 30_000, "行"),
        ("$3-5/hr", 3, 5, "$/hr"),
        ("5 to 10 ms", 5, 10, "ms"),
    ],
)
def test_range_gives_its_two_ends(text, low, high, unit):
    assert [(low, ">=", unit), (high, "<=", unit)] == read(text)


def test_change_is_no_range():
    assert [(24.0, "", "%"), (36.0, "", "%")] == read("从 24% 到 36%")
    assert [(800.0, "", "ms"), (200.0, "", "ms")] == read("800ms 到 200ms")


@pytest.mark.parametrize(
    "text",
    [
        "2026-07-27", "2026-07-27T1105", "2026.06.29", "2026/07", "2026 年 7 月 27 日", "7 月 27 日", "7-27 evening", "27 Jul 2026",
        "Jul 27, 2026", "18:40", "12:45:30", "2026 H2", "2026-2028 年", "v0.20.0", "V1", "0.26.0", "v0.4.x", "C59", "O1-O135", "GPT-4", "H100",
        "§2.79", "第 3 轮", "第8棒", "条目 6", "Figure 3", "Table 2", "page 24", "Day 6", "#123", "Top 10", "Section 4.1", "1. KV", "(2) KV",
        "3、KV", "- 4) KV", "3.5/5", "11/32", "4⭐", "1024×768", "5 × 3", "2026-07-27-1100-filter.md", "606-2607-21848.md",
        "python x.py --num-prompts 10", "temperature=0.2", "+1-202-555-0143", "127.0.0.1", "3blue1brown/5D", "1st", "%20", "85.2 ± 0.3"[4:],
        "$17_{b}$", "pass@4", "x^2",
    ],
)  # fmt: skip
def test_other_numbers_have_no_unit_or_are_none(text):
    assert [] == [unit for _, _, unit in read(text) if unit]


def test_counted_things_after_a_word_that_also_refers_are_counted():
    assert [(3.0, "", "条")] == read("显著增量 3 条")
    assert [] == read("增量 3")


def test_masked_numbers_are_passed_over():
    text = "3 ms, 4 ms"
    assert [4.0] == [one.value for one in find_quantities(text, [(0, 4)])]


@pytest.mark.parametrize(
    ("unit", "canonical"),
    [
        ("tok/s", "tokens/s"), ("tokens per second", "tokens/s"), ("token/秒", "tokens/s"), ("tokens", "tokens"), ("x", "×"), ("倍", "×"),
        ("百分点", "pp"), ("percentage points", "pp"), ("%", "%"), ("％", "%"), ("美元", "$"), ("$/hr", "$/h"), ("美元/小时", "$/h"),
        ("GB", "GB"), ("GiB", "GiB"), ("行", "lines"), ("unheard", "unheard"), ("", ""),
    ],
)  # fmt: skip
def test_spellings_of_a_unit_come_together_and_units_stay_apart(unit, canonical):
    assert canonical == canonical_unit(unit)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("157.5", {"157.5"}),
        ("2.4× 和 2.4x", {"2.4"}),
        ("89,389 与 1,607 tok/s", {"89389", "1607"}),
        ("８７Ｋ 行与 87k", {"87K"}),
        ("57万、2.5 亿、2.5 Million", {"57万", "2.5亿", "2.5million"}),
        ("v0.20.0 与 0.6.0+", {"0.20.0", "0.6.0"}),
        ("2.40 与 07 与 0.0", {"2.4", "7", "0"}),
        ("H100 与 C59", {"100", "59"}),
        ("3–5×，18:40", {"3", "5", "18", "40"}),
        ("arXiv:2607.18140v2 与 quant-ph/9601001v1", {"2607.18140", "quant-ph/9601001"}),
        ("3，500", {"3", "500"}),
        ("三层", set()),
    ],
)
def test_figures_have_one_canonical_form(text, expected):
    assert expected == numbers_in(text)


@pytest.mark.parametrize(
    ("unit", "base", "factor"),
    [
        ("ms", "s", 1e-3),
        ("分钟", "s", 60),
        ("tok/s", "tokens/s", 1),
        ("tokens per second", "tokens/s", 1),
        ("tokens/min", "tokens/s", 1 / 60),
        ("QPS", "requests/s", 1),
        ("GB", "B", 1e9),
        ("GiB", "B", 1024**3),
        ("TB/s", "B/s", 1e12),
        ("Gbps", "bit/s", 1e9),
        ("Gb", "bit", 1e9),
        ("$/M input tokens", "$/tokens", 1e-6),
        ("¥/百万 tokens", "CNY/tokens", 1e-6),
        ("$ per million input tokens", "$/tokens", 1e-6),
        ("个百分点", "pp", 1),
        ("", "", 1),
    ],
)
def test_units_of_one_kind_come_to_one_base(unit, base, factor):
    assert base == in_base(unit)[0]
    assert factor == pytest.approx(in_base(unit)[1])

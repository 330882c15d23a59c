"""What a source says instead of a figure: only what it says of the same thing, and nothing where two come into question."""

import pytest

from agent.auditing.contrary import changes_in, follows, pairs_in, sides_in
from agent.auditing.shelf import Amount, figures_in
from agent.reading.segments import split_segments
from agent.reading.units import split_units
from tests.briefs import BRIEF, Desk, told

DESK = Desk()
JAY = "inbox/jay/2026-09-13-1620-jay-engineering-filter.md"
FILTER = "inbox/jay/2026-09-14-1100-jay-engineering-filter.md"
READING = "inbox/flyp/2026-09-14-0950-adaptive-draft-critical-read.md"


@pytest.mark.parametrize(
    ("source", "said", "expected"),
    [
        (JAY, "On one L40S with 8 tenants the hit rate rises from 48% to 73%.", [("false", "other-value", "73%")]),
        (JAY, "On one L40S with 8 tenants the hit rate rises from 48 ms to 63%.", [("false", "other-unit", "48 ms")]),
        (JAY, "On one L40S with 8 tenants the hit rate rises from 63% to 48%.", [("false", "swapped", "63% to 48%")]),
        (JAY, "On one L40S with 8 tenants the hit rate rises by 15 percentage points to 63%.", []),
        (JAY, "On one L40S with 8 tenants the hit rate is over 60%.", []),
        (JAY, "On one L40S with 8 tenants the hit rate is about 65%.", []),
        (JAY, "On one L40S with 8 tenants the TTFT is 0.31 s.", [("unsupported", "not-in-source", "0.31 s")]),
        (READING, "Qwen3-32B 在单卡 A100、批量 1 下，每秒解码从 41.5 提高到 59.9 tok/s。", [("false", "other-value", "59.9 tok/s")]),
        (READING, "On one A100 with Qwen3-32B the TPOT is 35 ms.", [("unsupported", "not-in-source", "35 ms")]),
        (FILTER, "LMCache 在 H100 上启动要 40 s。", [("unsupported", "not-in-source", "40 s")]),
    ],
)  # fmt: skip
def test_a_figure_is_held_against_the_statement_about_the_same(source, said, expected):
    rows = [one[1:] for one in told(DESK, source, said)]

    assert expected == [one for one in rows if one[0] != "questionable"]


def test_the_counter_evidence_is_the_statement_about_the_same():
    audited = DESK.audit(BRIEF.format(source=JAY, said="官方拿单卡 L40S 试了 8 个租户混跑，命中率从 48% 提高到 73%。"))

    (false,) = [one for one in audited.findings if one.verdict == "false"]
    assert ["- 官方在单卡 L40S 上测得，8 个租户混跑时命中率从 48% 升到 63%"] == [place.quote for place in false.found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TTFT falls from 2.4 s to 0.8 s", [(2.4, 0.8)]),
        ("decoding goes from 41.5 tok/s to 58.1 tok/s", [(41.5, 58.1)]),
        ("命中率从 48% 升到 63%", [(48, 63)]),
        ("150.7 vs 63.7 TB/s", [(63.7, 150.7)]),
        ("a hit rate of 48% and a TTFT of 2 s", []),
    ],
)
def test_changes_tell_before_and_after(text, expected):
    assert expected == [(one.value, other.value) for one, other in changes_in(text)]


def test_the_sides_of_a_comparison_are_known_by_their_subjects():
    (pair,) = sides_in("vLLM 吞吐 679 tok/s，SGLang 吞吐 1,607 tok/s")
    (other,) = sides_in("SGLang 吞吐 679 tok/s，vLLM 吞吐 1,607 tok/s")

    assert pair.turned(other) is True
    assert pair.turned(pair) is False
    assert [] == list(pairs_in("vLLM 吞吐 679 tok/s"))


@pytest.mark.parametrize(
    ("said", "source", "expected"),
    [
        ("15 percentage points more", "from 48% to 63%", True),
        ("37% were missed", "the hit rate is 63%", True),
        ("2.5× as fast", "20 s against 50 s", True),
        ("60% less", "20 s against 50 s", True),
        ("61% less", "20 s against 50 s", False),
        ("3 times", "20 s against 50 s", False),
    ],
)
def test_a_figure_that_follows_from_two_others_differs_from_none(said, source, expected):
    (segment,) = split_segments(split_units(source))
    (unit,) = split_units(said)
    amounts = [Amount(one, segment.units[0], segment) for one in figures_in(source)]

    assert expected is any(follows(one, unit, amounts) for one in figures_in(said))

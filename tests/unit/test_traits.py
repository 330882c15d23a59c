import datetime as dt

from agent.reconciling.traits import read_traits
from tests.findings import JAY, PAPER, TOM, finding, measure


def test_everything_that_is_compared_is_read_once() -> None:
    traits = read_traits(
        finding(
            "Garnet 0.7 pins prefill to one NUMA node",
            "Off by default; P99 falls from 48 ms to 29 ms with Plover-8B on an H100.",
            ids=(PAPER,),
            pages=("https://www.example.org/garnet/0-7/#top",),
            cites=(JAY,),
            measures=(measure(29.0, "ms", "P99", hardware="1× H100"),),
        )
    )
    assert "garnet" == traits.subject.lead
    assert {"garnet", "plover", "numa"} <= traits.names
    assert {"garnet": ("0.7",), "plover": ("8b",)} == dict(traits.versions)
    assert {("s", 0.048), ("s", 0.029)} <= traits.amounts
    assert (PAPER, frozenset({JAY}), frozenset({"example.org/garnet/0-7"})) == (
        traits.paper,
        traits.cited,
        traits.pages,
    )
    assert {"hardware": frozenset({"1h100"})} == traits.conditions
    assert (frozenset({TOM}), dt.date(2026, 9, 14)) == (traits.notes, traits.day)
    assert not traits.is_chinese


def test_addresses_files_and_places_name_nothing() -> None:
    traits = read_traits(finding("缓存分三层", "见 https://example.org/TierKV/x，归 inference.md 6.1"))
    assert frozenset() == traits.names
    assert frozenset() == traits.amounts


def test_a_capitalised_word_that_opens_a_clause_may_be_a_name() -> None:
    assert "tamarack" in read_traits(finding("Tamarack streams tool output")).openings


def test_a_version_that_stands_alone_is_kept_apart_from_those_of_other_names() -> None:
    traits = read_traits(finding("Plinth fixes the leak", "fixed in 1.4.2; needs Torque 2.5.1"))
    assert {"": ("1.4.2",), "torque": ("2.5.1",)} == dict(traits.versions)


def test_a_score_is_no_version() -> None:
    assert {} == dict(read_traits(finding("缓存分三层", "MMLU 62.7")).versions)


def test_an_identifier_of_a_month_to_come_is_noticed() -> None:
    assert read_traits(finding("TierKV", ids=("2612.06682",))).is_paper_to_come
    assert not read_traits(finding("TierKV", ids=(PAPER,))).is_paper_to_come


def test_without_points_the_summary_is_read() -> None:
    one = finding("TierKV 缓存框架").model_copy(update={"points": (), "summary": "快 2.4×"})
    assert ("TierKV 缓存框架", "快 2.4×") == read_traits(one).texts


def test_an_address_that_is_none_is_passed_over() -> None:
    assert frozenset() == read_traits(finding("TierKV", pages=("http://[", "https://example.org/"))).pages


def test_a_title_that_says_nothing_gives_way_to_the_first_point_that_does() -> None:
    traits = read_traits(finding("Increment", "Increment: Tarn 的召回升到 91%"))
    assert "tarn" == traits.subject.lead


def test_a_bare_name_is_a_title() -> None:
    assert "thistle" == read_traits(finding("Thistle-11B", "得分 44.5")).subject.lead


def test_a_note_named_in_the_text_is_cited() -> None:
    note = "inbox/jay/2026-09-14-1000-filter.md"
    assert {note} == read_traits(finding("Tarn 召回升到 91%", f"转自 {note}")).cited


def test_a_text_that_opens_with_chinese_may_open_with_a_name() -> None:
    assert "青石托管服务" == read_traits(finding("青石托管服务中断")).han
    assert read_traits(finding("推理服务中断")).han == ""

"""A finding ready to be held against others."""

import pytest

from agent.reconciling.told import Told, are_of_other_times, are_set_otherwise, days_in, is_one_thing, share_lead
from agent.reconciling.traits import read_traits
from tests.findings import JAY, TOM, finding


def told(text: str, *, note: str = TOM, pages: tuple[str, ...] = ()) -> Told:
    increment = finding(text, text, note=note, pages=pages)
    return Told(increment, read_traits(increment))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("云杉引擎 1.4 支持分页", "云杉"),
        ("Grebe 2.4 is out", "grebe"),
        ("《雨后清单》的结论", "雨后清单"),
        ("青鹭云收购白塔", "白塔"),
    ],
)
def test_names_are_known_by_their_form_in_either_script(text, name):
    assert name in told(text).names


def test_versions_and_numbers_of_headings_are_no_figures():
    assert [8.0] == [value.written[0] for value in told("云杉引擎 1.4 只要 8 秒，三星").values]


def test_a_page_in_common_binds_and_a_name_alone_does_not():
    page = ("https://example.org/bench/1",)
    assert is_one_thing(told("left", pages=page), told("right", note=JAY, pages=page))
    assert not is_one_thing(told("Grebe hires people"), told("Grebe fixes a scheduler", note=JAY))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Grebe on H100", "Grebe on A100", True),
        ("Grebe at 02:00 UTC", "Grebe at 14:00 UTC", True),
        ("Grebe prefill", "Grebe decoding", True),
        ("Grebe on H100", "Grebe", False),
    ],
)
def test_hours_devices_and_phases_that_both_state_tell_findings_apart(one, other, expected):
    assert expected == are_of_other_times(told(one), told(other, note=JAY))


def test_passages_are_found_by_wording_or_by_number():
    finding_of = told("Grebe takes 1,900 ms")
    assert 1 == len(finding_of.where(["grebe takes"]))
    assert 1 == len(finding_of.where([], ["1900"]))
    assert [] == finding_of.where([], ["190"])


def test_days_are_read_in_both_languages():
    assert {(9, 3), (10, 21)} == days_in("9 月 3 日，until 21 October") == days_in("September 3, 10月21日")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("青鹭引擎跑得快", "有人说青鹭够用", True),
        ("“青鹭”的召回率", "见了青鹭的人", True),
        ("推理引擎跑得快", "有人谈推理", False),
        ("青鹭引擎跑得快", "有人说白塔够用", False),
    ],
)
def test_a_lead_is_known_by_its_form_and_found_anywhere(one, other, expected):
    assert expected == share_lead(told(one), told(other, note=JAY)) == share_lead(told(other, note=JAY), told(one))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("温度 0", "temperature 1.0", True),
        ("批大小 8", "batch size 64", True),
        ("batch 8", "批大小 8", False),
        ("8", "batch 8", False),
    ],
)
def test_settings_that_both_state_and_not_alike_explain_other_figures(one, other, expected):
    assert expected == are_set_otherwise(told(one), told(other, note=JAY))


@pytest.mark.parametrize("text", ["问他用什么卡，他回去查", "he did not remember the batch", "未知", "没注明取前几条"])
def test_a_text_says_itself_that_it_lacks_conditions(text):
    assert told(f"云杉每秒 1,900 token。{text}").is_lacking

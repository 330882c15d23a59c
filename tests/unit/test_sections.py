"""Section references and the numerals in them."""

import pytest

from agent.reading.sections import numeral, section_mark_at, section_marks


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("四", 4),
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("二十三", 23),
        ("一百零五", 105),
        ("二〇二六", 2026),
    ],
)
def test_a_numeral_has_a_value(text, value):
    assert value == numeral(text)


@pytest.mark.parametrize("text", ["", "四节", "两三", "百百", "十十", "一二十", "²", "x"])
def test_what_is_no_single_number_has_none(text):
    assert numeral(text) is None


@pytest.mark.parametrize(
    ("text", "written", "number"),
    [
        ("见 §2.79「标题」", "§2.79", "2.79"),
        ("§ 3", "§ 3", "3"),
        ("§四", "§四", "4"),
        ("§4.x", "§4.x", "4"),
        ("第九节（9.2 新趋势）", "第九节（9.2 新趋势）", "9.2"),
        ("第四节（4.x 缓存）", "第四节（4.x 缓存）", "4"),
        ("第一章（现状）", "第一章（现状）", "1"),
        ("第七节（0.26.0 发布）", "第七节（0.26.0 发布）", "7"),
        ("第七节（新增「甲」小节）", "第七节", "7"),
        ("第 12 节", "第 12 节", "12"),
        ("§9（9.3 末段）", "§9（9.3 末段）", "9.3"),
        ("section 2.4 (caching)", "section 2.4 (caching)", "2.4"),
        ("Chapter 3", "Chapter 3", "3"),
        ("4.0 节", "4.0 节", "4.0"),
    ],
)
def test_a_reference_is_kept_as_written_and_has_its_most_specific_number(text, written, number):
    (mark,) = section_marks(text)

    assert (written, number) == (mark.written, mark.number)
    assert written == text[mark.start : mark.end]


def test_a_list_of_numbers_goes_on_from_its_first_sign():
    assert ["2.1", "2.4", "2.10"] == [mark.number for mark in section_marks("§2.1、2.4 和 2.10 补充")]


@pytest.mark.parametrize("text", ["v0.20.0", "2.4× 提升", "§12%", "共三部曲", "intersection 3", "0.25.1 节点"])
def test_versions_and_factors_are_no_sections(text):
    assert () == section_marks(text)


def test_a_mark_is_found_at_its_place_only():
    text = "见 §2.1"
    mark = section_mark_at(text, text, 2)

    assert mark is not None
    assert "2.1" == mark.number
    assert section_mark_at(text, text, 0) is None

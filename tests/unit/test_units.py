"""Units of small notes: what they are, where they begin, what keeps them whole."""

import pytest

from agent.reading.pieces import LONGEST
from agent.reading.units import heading_parts, split_units
from agent.texts import UnitKind


def kinds(text: str) -> list[tuple[UnitKind, str]]:
    """Return kind and words of each unit."""
    return [(unit.kind, unit.text) for unit in split_units(text)]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\r\n\t"])
def test_nothing_but_white_space_has_no_units(text):
    assert () == split_units(text)


def test_units_carry_number_offsets_and_line():
    first, second = split_units("# 标题\r\n\r\n正文。")

    assert (1, 0, 4, "# 标题", "heading", 1) == (
        first.number,
        first.start,
        first.end,
        first.text,
        first.kind,
        first.line,
    )
    assert (2, 8, 11, "正文。", "sentence", 3) == (
        second.number,
        second.start,
        second.end,
        second.text,
        second.kind,
        second.line,
    )


def test_each_kind_of_block_gives_its_kind_of_unit():
    text = (
        "---\ntitle: a\n---\n\n# b\n\nc. D.\n\n- e\n  - f\n\n| g | h |\n|---|---|\n| 1 | 2 |\n\n"
        "```\ni\n\nj\n```\n\n<!-- k -->\n\n***\n"
    )

    assert [
        ("front_matter", "---\ntitle: a\n---"),
        ("heading", "# b"),
        ("sentence", "c."),
        ("sentence", "D."),
        ("item", "- e"),
        ("item", "- f"),
        ("row", "| g | h |"),
        ("rule", "|---|---|"),
        ("row", "| 1 | 2 |"),
        ("code", "```\ni\n\nj\n```"),
        ("comment", "<!-- k -->"),
        ("rule", "***"),
    ] == kinds(text)


def test_lines_that_an_editor_wrapped_are_one_sentence():
    text = (
        "The memory that an agent writes for itself decays with every rewrite, and what\n"
        "goes first are dates and names. An append-only log that is searched instead of\n"
        "rewritten loses much less.\n"
    )

    assert 2 == len(split_units(text))


def test_lines_that_say_one_thing_each_stay_apart():
    assert 3 == len(split_units("吞吐：120 tok/s\n时延：80 ms\n显存：40 GB\n"))


def test_rows_of_a_table_without_a_delimiter_are_rows():
    assert ["row", "row"] == [unit.kind for unit in split_units("| a | b | c |\n| 1 | 2 | 3 |\n")]


def test_rows_and_items_of_raw_html_are_units():
    text = "<table>\n<tr><td>a</td><td>b</td></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>\n\n<ul>\n<li>甲</li><li>乙</li>\n</ul>"

    assert [
        ("rule", "<table>"),
        ("row", "<tr><td>a</td><td>b</td></tr>"),
        ("row", "<tr><td>1</td><td>2</td></tr>"),
        ("rule", "</table>"),
        ("rule", "<ul>"),
        ("item", "<li>甲</li>"),
        ("item", "<li>乙</li>"),
        ("rule", "</ul>"),
    ] == kinds(text)


@pytest.mark.parametrize(
    "line",
    [
        "增量 3：缓存分层",
        "增量 6【缓存】分层",
        "**增量 3：缓存分层**",
        "一、核心增量",
        "第三节 缓存",
        "§2.79 缓存",
        "1️⃣ 缓存",
        "（二）缓存",
        "【速记】缓存分层",
        "Increment 2: caching in tiers",
        "Finding 3 — caching in tiers",
        "Day 6: caching in tiers",
        "高价值 6：缓存",
        "条目 H：缓存",
        "⚠️ 待核实：缓存分层的条件",
        "⚠️ 待核实 2:缓存分层的条件",
    ],
)
def test_a_line_with_the_form_of_a_heading_is_one_without_its_marks(line):
    text = f"# title\n\nBefore.\n\n{line}\n\nAfter."

    assert [line] == [unit.text for unit in split_units(text) if unit.kind == "heading"][1:]


@pytest.mark.parametrize(
    "line",
    [
        "要点：",
        "来源：某博客",
        "表 1：结果",
        "Figure 3: the layers",
        "⚠️ 版本注意：旧版默认关闭；新版默认打开",
        "增量 1：甲 来源： 乙 要点： 丙",
        "发现 3 个问题，都已修复。",
        "包括 1. 甲 2. 乙",
        "- 增量 3：缓存",
    ],
)
def test_a_line_of_another_form_is_none(line):
    assert "heading" not in {unit.kind for unit in split_units(f"# title\n\nBefore.\n\n{line}\n\nAfter.")[1:]}


def test_a_short_line_is_a_heading_only_where_no_heading_is_marked():
    assert "heading" == split_units("增量摘要\n\n本轮三条，都与缓存有关。")[0].kind
    assert "sentence" == split_units("# 标题\n\n增量摘要\n\n本轮三条，都与缓存有关。")[1].kind


def test_front_matter_that_holds_the_note_itself_is_read_as_text():
    text = "+++\n" + 'summary = "甲更快。乙更慢。"\n' * 120 + "+++\n"

    assert {"sentence", "rule"} == {unit.kind for unit in split_units(text)}


def test_a_paragraph_without_punctuation_is_cut_hard():
    units = split_units("甲" * 200_000)

    assert LONGEST == max(len(unit.text) for unit in units)
    assert 200_000 == sum(len(unit.text) for unit in units)


def test_a_long_listing_is_cut_between_lines():
    text = "```\n" + "".join(f"line {number}\n" for number in range(2_000)) + "```"

    units = split_units(text)

    assert {"code"} == {unit.kind for unit in units}
    assert all(unit.text.startswith(("```", "line")) and unit.text[-1] in "`0123456789" for unit in units)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("### **缓存** 分层 ##", (3, "缓存 分层")),
        ("## [缓存](https://example.org) `kv`", (2, "缓存 kv")),
        ("Title\n=====", (1, "Title")),
        ("Title\n---", (2, "Title")),
        ("<h2 align='center'>Title</h2>", (2, "Title")),
        ("增量 3：缓存", (0, "增量 3：缓存")),
    ],
)
def test_a_heading_has_a_level_and_words(text, expected):
    assert expected == heading_parts(text)

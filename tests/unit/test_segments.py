"""Segments of small notes: what stands under which heading, and what it is for."""

import pytest

from agent.reading.segments import split_segments
from agent.reading.units import split_units
from agent.texts import Role, Segment


def segments(text: str) -> tuple[Segment, ...]:
    return split_segments(split_units(text))


def outline(text: str) -> list[tuple[Role, str, int]]:
    """Return role, title and first line of each segment."""
    return [(segment.role, segment.title, segment.units[0].line) for segment in segments(text)]


CHINESE = """caching · 预消化简报（2026-09-14）

执行人：ann · 数据截止：2026-09-14 18:00

增量摘要

本轮 2 条：分层缓存；整数 KV。

增量详情

增量 1：主机内存作为第二层缓存

来源： 某博客 可信度： ⭐⭐⭐ arXiv 号： 2607.90288

要点： - 命中后按层取回 - TTFT 2.4 s → 0.8 s

⚠️ 数据来源警示： 只在一台机器上测过；引用时须注明。

建议归入： caching.md · 4.2 混合内存

• 来源：某文档
• 可信度：⭐⭐
• 要点：KV 压到 8.5 bit
• 建议归入：caching.md · 3.2

增量 3【警示】bob 的晨棒当日缺失（警示）

• 来源：inbox/bob 共 0 件

次级线索（不计入）

线索 来源 价值
整页驱逐 某博客 待读

值得警惕的矛盾或待核实说法

⚠️ 待核实：命中率的条件

来源： 某博客 问题： 单一租户 核实建议： 回放混合流量

• 来源：某文档
• 问题：没有量检索正确率
• 核实建议：各跑一遍

arXiv 号列表

2607.90288 分层缓存 增量 1

检查过的来源清单

inbox/bob（无）

结论

两条可归入。
"""


def test_a_note_without_marks_is_taken_apart():
    assert [
        ("head", "caching · 预消化简报（2026-09-14）", 1),
        ("summary", "增量摘要", 5),
        ("body", "增量详情", 9),
        ("increment", "主机内存作为第二层缓存", 11),
        ("increment", "", 21),
        ("warning", "bob 的晨棒当日缺失（警示）", 26),
        ("leads", "次级线索（不计入）", 30),
        ("body", "值得警惕的矛盾或待核实说法", 35),
        ("to_verify", "命中率的条件", 37),
        ("to_verify", "", 41),
        ("arxiv_list", "arXiv 号列表", 45),
        ("checked", "检查过的来源清单", 49),
        ("conclusion", "结论", 53),
    ] == outline(CHINESE)


def test_an_entry_that_lost_its_heading_says_so():
    found = [segment for segment in segments(CHINESE) if segment.is_heading_missing]

    assert [("increment", None, None), ("to_verify", None, None)] == [
        (segment.role, segment.heading, segment.ordinal) for segment in found
    ]
    assert ("caching · 预消化简报（2026-09-14）", "增量详情") == found[0].heading_path


def test_a_segment_knows_its_heading_its_path_and_its_ordinal():
    increment = segments(CHINESE)[3]

    assert increment.heading
    assert "增量 1：主机内存作为第二层缓存" == increment.heading.text
    assert (
        "caching · 预消化简报（2026-09-14）",
        "增量详情",
        "增量 1：主机内存作为第二层缓存",
    ) == increment.heading_path
    assert 1 == increment.ordinal


ENGLISH = """# Brief, 2026-09-14

Written by ann.

## New findings

### 1. Caching in tiers

Source: a blog

#### Figures

TTFT 2.4 s to 0.8 s

### 2. Integer KV

Source: the documentation

## Leads

- whole pages evicted

## Open questions to verify

1. Does the hit rate hold for mixed traffic?
   - Source: a blog
   - Suggestion: replay a day
2. Was retrieval measured?

## Sources checked

### inbox/bob

- nothing

## Conclusion

Two to place.
"""


def test_an_english_note_is_taken_apart():
    assert [
        ("head", "Brief, 2026-09-14", 1),
        ("body", "New findings", 5),
        ("increment", "Caching in tiers", 7),
        ("increment", "Integer KV", 15),
        ("leads", "Leads", 19),
        ("body", "Open questions to verify", 23),
        ("to_verify", "Does the hit rate hold for mixed traffic?", 25),
        ("to_verify", "Was retrieval measured?", 28),
        ("checked", "Sources checked", 30),
        ("conclusion", "Conclusion", 36),
    ] == outline(ENGLISH)


def test_every_unit_is_in_one_segment_in_order():
    units = split_units(CHINESE)

    assert units == tuple(unit for segment in split_segments(units) for unit in segment.units)
    assert list(range(1, 14)) == [segment.number for segment in split_segments(units)]


def test_no_units_give_no_segments():
    assert () == split_segments(())


def test_a_note_without_headings_is_one_body():
    assert [("body", "", 1)] == outline("One thing happened. Another did, too.\n\nA third one followed.")


def test_a_note_with_one_heading_is_one_body():
    assert [("body", "Round-up", 1)] == outline("# Round-up\n\nNothing new today.\n\n- a\n- b\n")


def test_an_essay_has_no_increments():
    text = "# Notes\n\nIntro.\n\n## Key findings\n\n### Setup\n\na\n\n### Results\n\nb\n\n## 1. Next\n\nc\n"

    assert {"head", "body"} == {role for role, *_ in outline(text)}


def test_a_radar_of_numbered_papers_has_no_increments():
    text = "# 论文日报\n\n## 1. First paper\n\na\n\n## 2. Second paper\n\nb\n"

    assert ["head", "body", "body"] == [role for role, *_ in outline(text)]


def test_numbered_headings_below_a_weaker_announcement_are_increments():
    text = "# r\n\n## 高价值\n\n### 1. 甲\n\na\n\n### 2. 乙\n\nb\n\n### 备注\n\nc\n"

    assert [("increment", "甲", 5), ("increment", "乙", 9), ("body", "备注", 13)] == outline(text)[2:]


def test_numbered_headings_inside_an_increment_are_parts_of_it():
    text = "# r\n\n## 核心增量\n\n### 增量 1：甲\n\n#### 1. 背景\n\na\n\n#### 2. 数据\n\nb\n\n### 增量 2：乙\n\nc\n"

    assert [("increment", "甲", 5), ("increment", "乙", 15)] == outline(text)[2:]


def test_numbered_items_below_an_announcement_are_increments():
    text = "# r\n\n## 增量\n\n1. **甲**：快三倍。\n   - 细节\n2. 乙\n\n## 结论\n\n完\n"

    assert [("increment", "甲：快三倍。", 5), ("increment", "乙", 7), ("conclusion", "结论", 9)] == outline(text)[2:]


def test_increments_named_in_a_summary_are_not_opened_there():
    text = "标题\n\n增量摘要\n\n增量 1：甲\n增量 2：乙\n\n增量详情\n\n增量 1：甲\n来源：a\n\n增量 2：乙\n来源：b\n"

    assert [("increment", "甲", 10), ("increment", "乙", 13)] == [one for one in outline(text) if one[0] == "increment"]


def test_a_note_that_lost_its_line_ends_is_taken_apart():
    text = "增量 1：甲 来源： a 要点： - x - y 建议归入： inference.md 4.1 增量 2：乙 来源： b 待核实 1：丙 来源： c"

    assert [("increment", "甲"), ("increment", "乙"), ("to_verify", "丙")] == [
        (role, title) for role, title, _ in outline(text)
    ]


def test_a_note_that_lost_its_blank_lines_is_taken_apart():
    text = "标题\n增量详情\n增量 1：甲\n来源：a\n建议归入：x.md 1\n增量 2：乙\n来源：b\n结论\n完\n"

    assert [("head", 1), ("body", 2), ("increment", 3), ("increment", 6), ("conclusion", 8)] == [
        (role, line) for role, _, line in outline(text)
    ]


def test_a_remark_to_verify_inside_an_increment_stays_there():
    text = "## 增量 1：甲\n\n来源：a\n\n⚠️ 待核实：这个数字。\n\n- ⚠️ 待核实：另一个\n\n建议归入：x.md 1\n"

    assert [("increment", "甲", 1)] == outline(text)


def test_an_increment_with_lost_marks_stands_beside_its_siblings():
    text = "# r\n\n## 增量 1：甲\n\na\n\n增量 2：乙\n\nb\n\n## 其他\n\nc\n"

    found = segments(text)

    assert ["head", "increment", "increment", "body"] == [segment.role for segment in found]
    assert ("r", "增量 2：乙") == found[2].heading_path


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_only_outer_items_are_claims(line_end):
    text = "# r\n\n## 待核实\n\n- 甲\n  - 乙\n  - 丙\n- 丁\n".replace("\n", line_end)

    assert ["甲", "丁"] == [title for role, title, _ in outline(text) if role == "to_verify"]


def test_a_section_of_claims_in_prose_is_one_claim():
    assert [("to_verify", "To verify", 3)] == outline(
        "# r\n\n## To verify\n\nThe figure may be for another machine.\n"
    )[1:]


def test_a_plain_abstract_is_a_summary_only_beside_increments():
    assert "summary" not in {role for role, *_ in outline("# r\n\n## 摘要\n\na\n\n## 方法\n\nb\n")}
    assert "summary" in {role for role, *_ in outline("# r\n\n## 摘要\n\na\n\n## 增量 1：甲\n\nb\n")}


def test_a_long_head_without_increments_is_a_body():
    text = "# r\n\n" + "A sentence about something new. " * 60 + "\n\n## Next\n\nb\n"

    assert [("head", 1), ("body", 3), ("body", 5)] == [(role, line) for role, _, line in outline(text)]


def test_front_matter_and_images_before_the_title_belong_to_the_head():
    text = "---\ntitle: a\n---\n\n![logo](a.png)\n\n# r\n\nby ann\n\n## Next\n\nb\n"

    assert [("head", "r", 1), ("body", "Next", 11)] == outline(text)

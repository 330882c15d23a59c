"""Living documents: their sections, their last update, their registers; and how a section is found again."""

import datetime as dt

import pytest

from agent.reading.documents import find_section, near_sections, next_free, parse_document, sections_numbered
from agent.texts import LivingDocument

TEXT = """# caching · 活文档

更新：2026-09-13 05:37 · 共识 C1–C58 · 争议 D1–D25

## 一、现状全景

### 1.1 引擎

```bash
# a comment, no heading
serve --port 1
```

## 四、KV Cache 管理

### 4.0 全景

### 4.3 混合内存

主机内存与 SSD。

## 九、趋势

### 9.1 2025 回顾

### 9.2 2026 新趋势

## §2 别的编号

### §2.1 推理引擎

(5) 一个小点。

### §2.79 CXL KV、SwiftCache

## 登记

共识：C57 甲。C59 乙。
- O12 问题
"""


@pytest.fixture(scope="module")
def document():
    return parse_document("caching.md", TEXT, sha256="ab")


def parsed(text: str, *, modified: dt.date | None = None) -> LivingDocument:
    return parse_document("x.md", text, sha256="", modified=modified)


def heading_of(document: LivingDocument, wanted: str) -> str | None:
    found = find_section(document, wanted)
    return found.heading if found else None


def test_name_topic_and_hash_are_kept(document):
    assert ("caching.md", "caching", "ab", TEXT) == (document.name, document.topic, document.sha256, document.text)


def test_sections_have_number_heading_path_content_line_and_level(document):
    section = document.sections[5]

    assert ("4.3", "混合内存", ("caching · 活文档", "四、KV Cache 管理"), "主机内存与 SSD。", 18, 3) == (
        section.number,
        section.heading,
        section.path,
        section.content,
        section.line,
        section.level,
    )


def test_numbers_are_kept_as_written(document):
    assert [None, "一", "1.1", "四", "4.0", "4.3", "九", "9.1", "9.2", "2", "2.1", "2.79", None] == [
        section.number for section in document.sections
    ]


def test_a_heading_inside_code_is_none(document):
    assert "a comment, no heading" not in {section.heading for section in document.sections}


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("## 第九节 趋势", ("第九节", "趋势")),
        ("## 1️⃣ Pruning", ("1", "Pruning")),
        ("## 1 Memory", ("1", "Memory")),
        ("## [二、进阶](https://example.org)", ("二", "进阶")),
        ("## 3FS, a file system", (None, "3FS, a file system")),
        ("## 2024 in review", (None, "2024 in review")),
        ("## 10 tips", (None, "10 tips")),
        ("## v0.20.0", (None, "v0.20.0")),
    ],
)
def test_a_heading_is_taken_apart(heading, expected):
    section = parsed(f"{heading}\n").sections[0]

    assert expected == (section.number, section.heading)


def test_headings_that_lost_their_marks_are_sections_where_none_has_them():
    found = parsed("活文档\n\n一、全景\n\n甲。\n\n二、缓存\n\n乙。\n").sections

    assert [("一", "全景", "甲。"), ("二", "缓存", "乙。")] == [
        (section.number, section.heading, section.content) for section in found[1:]
    ]


@pytest.mark.parametrize(
    "line",
    [
        "更新：2026-09-13 05:37 · 十节", "Updated: 2026-09-13", "最后更新于 2026年9月13日", "更新时间：2026/9/13", "**Last updated:** 13 September 2026",
        "_Last updated: Sep 13, 2026_", "（2026-09-13 更新，十节）", "last_updated: 2026-09-13", "Updated 20260913",
    ],
)  # fmt: skip
def test_the_update_line_is_read(line):
    assert dt.date(2026, 9, 13) == parsed(f"# a\n\n{line}\n", modified=dt.date(2026, 1, 1)).updated


@pytest.mark.parametrize("line", ["更新：2026-13-40", "待更新：2026-09-13", "No update yet", "the 2026-09-13 release"])
def test_without_an_update_line_the_file_tells_the_date(line):
    assert dt.date(2026, 1, 1) == parsed(f"# a\n\n{line}\n", modified=dt.date(2026, 1, 1)).updated


def test_registers_come_from_ranges_and_entries(document):
    assert {"C": 59, "D": 25, "O": 12} == document.registers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("共识 C1–C58 · 趋势 T1-T6", {"C": 58, "T": 6}),
        ("争议 D1–25", {"D": 25}),
        ("## Consensus\n\n| C7 | x |\n- **C8** y", {"C": 8}),
        ("GPU T4, dataset C4 and O1 of n", {}),
        ("T4–T5 models", {}),
        ("共识：见 C4 数据集", {}),
    ],
)
def test_registers_are_told_from_other_names(text, expected):
    assert expected == parsed(text).registers


@pytest.mark.parametrize(
    ("wanted", "number"),
    [
        ("§2.79", "2.79"),
        ("2.79", "2.79"),
        ("§2.79「CXL KV」", "2.79"),
        ("CXL KV", "2.79"),
        ("第九节（9.2 2026 新趋势）", "9.2"),
        ("第九节（9.2 趋势）", "9.2"),
        ("第九节（9.7 没有的）", "九"),
        ("第四节", "四"),
        ("四", "四"),
        ("四、KV Cache 管理", "四"),
        ("4", "四"),
        ("section 4", "四"),
        ("第四节（4.x KV Cache 管理）", "四"),
        ("第四章（4.3 混合内存）", "4.3"),
        ("第一节（现状全景）", "一"),
        ("第一节（引擎 v0.20.0）", "一"),
        ("§2.1 (5) 一个小点", "2.1"),
        ("KV Cache 管理", "四"),
        ("2026 新趋势", "9.2"),
        ("caching.md 第九节", "九"),
    ],
)
def test_a_section_is_found_however_it_is_named(document, wanted, number):
    found = find_section(document, wanted)

    assert found is not None
    assert number == found.number


@pytest.mark.parametrize("wanted", ["", "§2.99", "4.9", "第七节", "11", "something else", "KV"])
def test_a_section_that_is_not_there_is_not_found(document, wanted):
    assert find_section(document, wanted) is None


def test_a_number_below_two_headings_means_the_one_whose_words_are_named():
    document = parsed("## A\n\n### 1. Cache\n\n## B\n\n### 1. Agents\n")

    assert ["Cache", "Agents", "Agents"] == [heading_of(document, wanted) for wanted in ("1", "1. Agents", "Agents")]


def test_a_plain_number_continues_the_number_above_it():
    document = parsed("## 二、B\n\n### 3. Cache\n")

    assert "Cache" == heading_of(document, "2.3")


def test_the_nearest_sections_come_first(document):
    assert ["2.79"] == [section.number for section in near_sections(document, "CXL KV 缓存", limit=1)]
    assert {"九", "9.1", "9.2"} == {section.number for section in near_sections(document, "9.3")}
    assert () == near_sections(document, "nothing of the kind")


# Numbers that a document repeats, leaves out or mixes.

MIXED = """# tools

## Part A

### 1. Cache

A1.

### 3. Agents

A3.

## Part B

### 1. Cache

B1.

### 1. Cache

B1 again.

## 四、甲组

### 1 Cache

## 4. 乙组
"""


@pytest.fixture(scope="module")
def mixed():
    return parsed(MIXED)


@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        ("Part A > 1. Cache", 5),
        ("Part B > 1. Cache", 15),
        ("Part B › 1", 15),
        ("Part B / Cache", 15),
        ("tools > Part B > Cache", 15),
        ("四 > 1", 25),
        ("第四节 > Cache", 25),
        ("四、甲组", 23),
        ("第四节", 23),
        ("4", 27),
        ("4. 乙组", 27),
        ("section 4", 27),
        ("第四节（乙组）", 27),
        ("1", 5),
        ("3", 9),
        ("Part A > 2", None),
        ("Part B > 3", None),
        ("Part B > Part A > 1", None),
        ("2", None),
    ],
)
def test_repeated_gapped_and_mixed_numbers_are_told_apart_by_path_and_form(mixed, wanted, line):
    found = find_section(mixed, wanted)

    assert line == (found.line if found else None)


def test_the_headings_above_may_be_given_as_a_list(mixed):
    found = find_section(mixed, "1. Cache", under=("tools", "Part B"))

    assert found is not None
    assert (("tools", "Part B"), "B1.") == (found.path, found.content)
    assert find_section(mixed, "1. Cache", under=("Part C",)) is None


def test_all_sections_of_one_number_are_shown_in_their_order(mixed):
    assert [5, 15, 19, 25] == [section.line for section in sections_numbered(mixed, "1")]
    assert [23, 27] == [section.line for section in sections_numbered(mixed, "第四节")]
    assert () == sections_numbered(mixed, "2")
    assert () == sections_numbered(mixed, "Cache")


@pytest.mark.parametrize("heading", ["a > b", "CPU / GPU", "x → y"])
def test_a_heading_that_holds_the_mark_of_a_path_is_found_whole(heading):
    assert heading == heading_of(parsed(f"# t\n\n## {heading}\n\n## b\n"), heading)


def test_the_next_free_number_is_one_above_the_highest(document):
    assert [60, 26, 13, 1] == [next_free(document, kind) for kind in ("C", "D", "O", "T")]


def test_a_gap_in_a_register_is_never_filled():
    assert 10 == next_free(parsed("## Consensus\n\n- C1 a\n- C9 b\n"), "C")


def test_odd_living_documents_are_taken_apart_all_the_same():
    assert () == parsed("").sections
    long = parsed("## " + "x" * 3_000 + "\n\n## \x1b[31m../../etc\n\ntext\n")
    assert "text" == long.sections[-1].content
    assert "".join(section.heading for section in long.sections).startswith("xxx")


def test_a_list_of_a_kind_may_have_another_letter():
    text = "# a\n\n## 3 Registers\n\n### Open questions\n\n- Q1 Who pays?\n- **Q8** Who waits?\n\n### Consensus\n\n- C2 Yes.\n"
    assert ({"C": 2, "O": 8}, {"O": "Q"}) == (parsed(text).registers, parsed(text).letters)
    assert {} == parsed(text.replace("Q1", "O1")).letters
    assert {} == parsed(text.replace("Q1", "H1")).letters

"""Where something goes in a living document: at a section's end, as a subsection, or into a row; all else stays."""

import pytest

from agent.reading.documents import parse_document
from agent.relaying.editing import (
    appended,
    applied,
    diff,
    line_end_of,
    row_again,
    row_edit,
    row_key,
    subsection_place,
)
from agent.relaying.places import Edit
from agent.texts import LivingDocument

LINES = ["- new", "  - point"]


def parsed(text: str) -> LivingDocument:
    return parse_document("x.md", text, sha256="")


def after_append(text: str, section: str, lines: list[str] | None = None) -> str:
    document = parsed(text)
    found = next(one for one in document.sections if section in {one.number, one.heading})
    edit = appended(document, found, lines or LINES)
    assert edit
    return applied(text, edit)


def headed(text: str, section: str, title: str = "new") -> str:
    """The document with a subsection put in at a section."""
    document = parsed(text)
    found = next(one for one in document.sections if section in {one.number, one.heading})
    place = subsection_place(document, found)
    assert not place.is_shut
    return applied(text, Edit(place.at, place.at, f"\n\n{place.opening}{title}{place.closing}\n\nbody{place.ending}"))


def after_row(text: str, **columns: str) -> str | None:
    document = parsed(text)
    edit = row_edit(document, document.sections[0], {row_key("vLLM"): columns})
    return applied(text, edit) if edit else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", "\n"), ("a", "\n"), ("a\r\nb\nc\r\n", "\r\n"), ("a\rb", "\r"), ("a\nb\n", "\n")],
)
def test_the_line_end_that_a_text_uses_most_is_its_own(text, expected):
    assert expected == line_end_of(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## a\n\nwords\n\n## b\n", "## a\n\nwords\n\n- new\n  - point\n\n## b\n"),
        ("## a\nwords\n## b\n", "## a\nwords\n\n- new\n  - point\n## b\n"),
        ("## a\n## b\n", "## a\n\n- new\n  - point\n## b\n"),
        ("## a", "## a\n\n- new\n  - point"),
        ("## a\r\n\r\nwords\r\n", "## a\r\n\r\nwords\r\n\r\n- new\r\n  - point\r\n"),
        ("## a\rwords\r", "## a\rwords\r\r- new\r  - point\r"),
        ("## a\n\n* one\n* two\n", "## a\n\n* one\n* two\n* new\n  * point\n"),
        ("## a\n\n- one\n\n- two\n", "## a\n\n- one\n\n- two\n\n- new\n  - point\n"),
        ("## a\n\n1. one\n2. two\n", "## a\n\n1. one\n2. two\n\n- new\n  - point\n"),
        ("## a\n\nwords  \n\n## b\n", "## a\n\nwords  \n\n- new\n  - point\n\n## b\n"),
        ("## a\n\nwords\n\n---\n\n## b\n", "## a\n\nwords\n\n- new\n  - point\n\n---\n\n## b\n"),
        ("## a\nwords\nb\n---\n", "## a\nwords\nb\n---\n\n- new\n  - point\n"),
        ("## a\n\nwords\n  ## b\n", "## a\n\nwords\n\nnew\n\npoint\n\n  ## b\n"),
    ],
)
def test_lines_go_to_the_end_of_the_section_in_the_manner_of_the_document(text, expected):
    assert expected == after_append(text, "a")


def test_a_second_finding_is_an_item_of_the_same_list_and_no_point_of_the_first():
    once = after_append("## a\n\n- old\n", "a")
    assert "## a\n\n- old\n- new\n  - point\n- new\n  - point\n" == after_append(once, "a")


def test_lines_go_before_the_first_subsection():
    assert "## 四、a\n\nx\n\n- new\n\n### 4.1 b\n\ny\n" == after_append(
        "## 四、a\n\nx\n\n### 4.1 b\n\ny\n", "四", ["- new"]
    )


def test_nothing_goes_into_code_that_is_open():
    document = parsed("## a\n\n```\ncode\n")
    assert appended(document, document.sections[0], LINES) is None
    assert subsection_place(document, document.sections[0]).is_shut


@pytest.mark.parametrize(
    ("text", "section", "heading"),
    [
        ("## 四、KV\n\n### 4.0 a\n\n### 4.5 b\n\n## 五、c\n", "四", "### 4.6 new"),
        ("## §2 a\n\n### §2.79 b\n\n### §2.84 c\n", "2.79", "### §2.80 new"),
        ("## §2 a\n\n### §2.79 b\n\n### §2.80 c\n\n### §2.84 d\n", "2.79", "### §2.85 new"),
        ("## 2 a\n\n### 2.1 b\n\n#### 2.2 deep\n\n### 2.3 c\n", "2.1", "#### 2.4 new"),
        ("# a\n\n## 一、b\n\n### 九、c\n\n### 十、d\n", "十", "### 十一、new"),
        ("# a\n\n## 一、b\n\n### 十九、d\n", "十九", "### 二十、new"),
        ("# a\n\n## 第一章 b\n\n## 第二章 c\n", "a", "## 第三章 new"),
        ("# a\n\n## b\n\n### c\n", "b", "### new"),
        ("# a\n\n## 1. b\n\n## 2. c\n", "a", "## 3. new"),
        ("# a\n\n## 01. b\n\n## 09. c\n", "a", "## 10. new"),
        ("# a\n\n## (1) b\n", "a", "## (2) new"),
        ("###### deep\n", "deep", "###### new"),
        ("# a\n\n## [2.1 b](x.md)\n", "2.1", "## 2.2 new"),
        ("# a\n\n## **2.1 b**\n", "2.1", "## 2.2 new"),
    ],
)
def test_a_subsection_is_numbered_in_the_manner_of_its_neighbours(text, section, heading):
    after = headed(text, section)
    assert heading in after.splitlines()
    assert [line for line in text.splitlines() if line] == [
        line for line in after.splitlines() if line and line not in {heading, "body"}
    ]


def test_a_subsection_follows_the_one_it_belongs_to_or_the_last_one():
    text = "## 2. a\n\n### 2.1 b\n\nx\n\n### 2.2 c\n\ny\n\n## 3. d\n"
    assert "## 2. a\n\n### 2.1 b\n\nx\n\n### 2.2 c\n\ny\n\n### 2.3 new\n\nbody\n\n## 3. d\n" == headed(text, "2.1")
    assert headed(text, "2") == headed(text, "2.2")


def test_two_chapters_of_one_name_keep_their_subsections_apart():
    text = "# x\n\n## week\n\n### 1.1 a\n\n### 1.2 b\n\n## week\n\n### 1.7 c\n"
    place = subsection_place(parsed(text), parsed(text).sections[2])
    assert "1.3" == place.number
    assert text.index("\n\n## week\n\n### 1.7") == place.at


def test_a_document_without_marked_headings_gets_no_marked_one():
    text = "一、现状\n\n这里说一句完整的话。\n\n二、引擎\n\n2.1 分页\n\n这里也说一句完整的话。\n"
    after = headed(text, "二", "新的一节")
    assert "\n\n2.2 新的一节\n\nbody\n" in after
    assert [one.heading for one in parsed(text).sections] == [
        one.heading for one in parsed(after).sections if one.heading in {"现状", "引擎", "分页"}
    ]


TABLE = "## a\n\n| engine | version | throughput (tok/s) |\n|:--|---|--:|\n| SGLang | 0.5 | 9 |\n|  **vLLM** |0.25|  120  | extra |\n"


def test_a_row_changes_only_the_cells_that_are_named():
    after = after_row(TABLE, **{"tok/s": "150"})
    assert TABLE.replace("120", "150") == after


def test_a_row_that_says_so_already_is_no_change():
    assert after_row(TABLE, version="0.25") is None


def test_an_empty_cell_is_filled():
    text = "## a\n\n| engine | v |\n|---|---|\n| vLLM | |\n"
    assert text.replace("| vLLM | |", "| vLLM | 1 |") == (after_row(text, v="1") or "").replace("  1", " 1")


def test_a_row_of_another_number_or_in_code_is_not_touched():
    assert after_row(TABLE.replace("vLLM", "vLLM 3"), version="9") is None
    assert after_row(TABLE.replace("| engine", "```\n| engine") + "```\n", version="9") is None


def test_a_row_is_found_again_as_a_whole_line_outside_code():
    row = "| vLLM | 1 |"
    text = f"## a\n\n```\n{row}\n```\n\n| e | v |\n|---|---|\n{row} 2 |\n{row}\n"
    document = parsed(text)
    edit = row_again(document, document.sections[0], row, "| vLLM | 3 |")
    assert edit
    assert text.rindex(row) == edit.start
    assert row_again(document, document.sections[0], "| gone |", "| x |") is None


def test_a_diff_counts_the_lines_of_the_whole_document():
    text = "".join(f"line {number}\n" for number in range(1, 11))
    document = parsed(text)
    at = text.index("line 8") - 1
    assert (
        "--- a/organized/knowledge/x.md\n+++ b/organized/knowledge/x.md\n@@ -6,4 +6,5 @@\n"
        " line 6\n line 7\n+new\n line 8\n line 9" == diff(document, Edit(at, at, "\nnew"))
    )

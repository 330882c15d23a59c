"""Labels are found where they stand, and their values end where they should."""

import pytest

from agent.reading.labels import labelled, values_of


def named_values(text: str) -> list[tuple[str, str]]:
    return [(label.name, text[label.value_start : label.value_end]) for label in labelled(text)]


@pytest.mark.parametrize(
    "text",
    ["来源：甲报告", "来源: 甲报告", "**来源**：甲报告", "**来源：** 甲报告", "- 来源 : 甲报告", "• 来源：甲报告", "【来源】甲报告", "> 1. 来源：甲报告"],
)  # fmt: skip
def test_a_chinese_label_is_found_in_any_dress(text):
    assert [("source", "甲报告")] == named_values(text)


@pytest.mark.parametrize(
    "text", ["Source: report A", "**Source**: report A", "- Sources: report A", "SOURCE : report A"]
)
def test_an_english_label_is_found_in_any_dress(text):
    assert [("source", "report A")] == named_values(text)


def test_labels_share_a_line_separated_by_a_space_only():
    text = "来源： blog X · note Y 可信度： ⭐⭐ arXiv 号： 无 问题：条件不明 核实建议： 复测"

    assert [
        ("source", "blog X · note Y"),
        ("credibility", "⭐⭐"),
        ("arxiv", "无"),
        ("question", "条件不明"),
        ("suggestion", "复测"),
    ] == named_values(text)


def test_english_labels_share_a_line_once_one_has_opened_it():
    assert [("source", "a blog"), ("credibility", "high")] == named_values("Source: a blog Credibility: high")


@pytest.mark.parametrize(
    "text",
    [
        "Open Source: a movement",
        "the key question: why",
        "数据库来源：甲",
        " - 引擎 v5 问题：显存不足",
        "他说“来源：甲”",
        "`来源：甲`",
        "https://example.org/?来源：甲",
        "arXiv:2607.00001",
        "time 12:30",
        "来源",
    ],
)
def test_running_text_quotations_and_addresses_hold_no_label(text):
    assert [] == named_values(text)


def test_arxiv_alone_is_a_label_at_the_start_of_an_item():
    assert [("arxiv", "2607.00001")] == named_values("- arXiv: 2607.00001")


def test_numbers_and_brackets_may_stand_between_label_and_colon():
    assert [("to_verify", "甲"), ("points", "乙")] == named_values("⚠️ 待核实 3：甲\n要点（两条）：乙")


@pytest.mark.parametrize(
    "label", ["与活文档关系", "与现有脉络的关系", "与 kb/serving.md 现有脉络的关系", "Relation to serving.md", "Relation to the knowledge base"]
)  # fmt: skip
def test_a_relation_to_the_knowledge_base_is_a_label(label):
    assert [("relation", "已有")] == named_values(f"{label}：已有")


def test_a_relation_between_two_things_is_none():
    assert [] == named_values("与另一框架的关系：互补")


def test_a_value_ends_at_a_blank_line_a_sibling_item_and_a_heading():
    assert [("source", "甲")] == named_values("来源：甲\n\n正文")
    assert [("source", "甲\n  * 乙")] == named_values("* 来源：甲\n  * 乙\n* 丙")
    assert [("source", "甲")] == named_values("来源：甲\n## 下一节")


def test_items_after_an_empty_label_are_its_value_at_any_depth():
    assert [("source", "- 甲\n- 乙")] == named_values("- 来源：\n- 甲\n- 乙\n\n正文")
    assert [("source", "- 甲\n  - 乙")] == named_values("- 来源：\n  - 甲\n  - 乙")


def test_points_run_on_over_paragraphs():
    assert [("points", "甲\n\n乙"), ("placement", "§1")] == named_values("要点：\n\n甲\n\n乙\n\n建议归入：§1")


def test_a_heading_or_bold_line_that_is_a_label_needs_no_colon():
    assert [("placement", "serving.md §2")] == named_values("### Suggested placement\n\nserving.md §2\n\n## Next")
    assert [("source", "甲")] == named_values("**来源**\n甲")


def test_a_label_in_brackets_ends_with_them_and_leaves_the_value_around_it_whole():
    text = "可信度：⭐⭐⭐（来源：厂商博客）待复测 问题：条件"

    assert [
        ("credibility", "⭐⭐⭐（来源：厂商博客）待复测"),
        ("source", "厂商博客"),
        ("question", "条件"),
    ] == named_values(text)


def test_an_empty_value_is_an_empty_span():
    assert [("source", ""), ("points", "甲")] == named_values("来源：\n要点：甲")


def test_values_of_gives_the_spans_of_one_label():
    assert ((3, 4), (8, 9)) == values_of("来源：甲\n来源：乙", "source")

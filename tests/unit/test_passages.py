"""A text without structure falls into passages, and only those that report something are worth a question."""

import pytest

from agent.extracting.passages import passages, reports_something
from agent.reading.units import split_units

TOLD = "把草稿长度交给一个小分类器决定，每一步先看上一步被接受了多少，再定下一步起草多少，作者说多轮对话里收益最稳定，代码要等评审后才公开。"


def _texts(text: str) -> list[list[str]]:
    return [[unit.text for unit in passage] for passage in passages(split_units(text))]


def test_paragraphs_items_and_tables_are_passages():
    text = "一句。又一句。\n\n另一段。\n\n- 甲\n- 乙\n\n| a | b |\n| c | d |\n"

    assert [["一句。", "又一句。"], ["另一段。"], ["- 甲"], ["- 乙"], ["| a | b |", "| c | d |"]] == _texts(text)


@pytest.mark.parametrize(
    ("found", "text"),
    [
        ([["- 甲", "- 乙", "又一句。"], ["- 丙"]], "- 甲\n  - 乙\n    又一句。\n- 丙\n"),
        ([["- 甲", "- 乙"]], "- 甲\n  - 乙\n"),
        ([["- 甲"], ["- 乙", "- 丙"]], "- 甲\r\n\r\n- 乙\r\n  - 丙\r\n"),
        ([["- 甲"], ["- 乙", "- 丙"]], "- 甲\n\n## 一个标题\n\n- 乙\n  - 丙\n"),
        ([["- 甲"], ["- 乙"]], "  - 甲\n  - 乙\n"),
        ([["> - 甲"], ["> - 乙"]], "> - 甲\n> - 乙\n"),
        ([["- 甲"], ["- 乙"]], "- 甲\n\n  - 乙\n"),  # a blank line between them
        ([["- 甲", "```\n  x\n  ```"]], "- 甲\n  ```\n  x\n  ```\n"),
    ],
)
def test_what_stands_below_an_item_belongs_to_it_and_items_beside_it_do_not(found, text):
    assert found == _texts(text)


def test_a_table_whose_rows_say_something_is_taken_apart_and_its_first_row_names_the_columns():
    row = "| 引擎 {} | 前缀缓存把 7B 模型的首字延迟从 900 ms 降到 300 ms，命中率 60% |"
    rows = [row.format(number) for number in range(3)]

    assert [[each] for each in rows] == _texts("\n".join(["| 名称 | 说明 |", "|---|---|", *rows]) + "\n")


@pytest.mark.parametrize(
    "text",
    [
        "09:30 甲说延迟降了。\n09:31 乙说没有。\n",
        "[09:30:11] a\n[09:31:40] b\n",
        "问：多快？\n问：多贵？\n",
        "Q1: fast?\nQ2: dear?\n",
    ],
)
def test_each_line_of_a_log_or_of_questions_begins_a_passage(text):
    assert text.splitlines() == [" ".join(passage) for passage in _texts(text)]


def test_sentences_that_are_wrapped_over_lines_stay_together():
    wrapped = "The new memory lets an agent keep one summary file and rewrite it after every\nsession."

    assert [[wrapped, "Most facts are gone."], ["Apart."]] == _texts(f"{wrapped}\nMost facts are gone.\n\nApart.\n")


def test_a_text_of_one_paragraph_is_taken_apart_into_sentences():
    assert [["一句。"], ["又一句。"], ["第三句。"]] == _texts("一句。又一句。第三句。")


def test_headings_rules_comments_and_front_matter_are_left_out():
    text = "---\ntitle: x\n---\n\n# 标题\n\n一句。\n\n---\n\n<!-- 旁注 -->\n\n又一句。\n"

    assert [["一句。"], ["又一句。"]] == _texts(text)


def test_nothing_gives_no_passage():
    assert () == passages([])


def test_every_unit_that_is_kept_stands_in_one_passage_in_order():
    units = split_units("甲。乙。\n\n- 丙\n\n丁。\n")

    assert list(units) == [unit for passage in passages(units) for unit in passage]


@pytest.mark.parametrize(
    "text",
    [
        "首字延迟降到 300 ms。",
        f"arXiv:2609.01234 {TOLD}",
        f"10.1145/3600006.3613165 {TOLD}",
        "vLLM v0.31 带来了新的缓存。",
        "Gemma 3 已经可以下载。",
        "SGLang 宣布支持新的后端。",
        "They released a new version of TensorRT yesterday.",
        "召回下降 2.5%。",
        "It answers 3 times as often.",
        "SGLang was shipped with a new scheduler.",
    ],
)
def test_figures_papers_versions_and_announcements_report_something(text):
    assert reports_something(split_units(text))


@pytest.mark.parametrize(
    "text",
    [
        "大家好，这是今天的笔记。",
        "见 arXiv:2609.01234。",  # a reading list says nothing of its papers
        "10.1145/3600006.3613165 有详细的表。",
        "Section 3 of Chapter 12 was read on March 5.",  # no versions
        "今天看了 7 条，共 3 篇。",  # how many of its own things a note counts
        "本轮无新增论文。",
        "Nothing new today.",
        "- [ ] 复现 300 ms 的延迟",  # planned
        "活文档里已有 300 ms 的延迟。",
        "Known since May: latency falls to 300 ms.",
        "The 300 ms are already covered.",
        "限时立减 20%，扫码报名。",
        "Sign up today and save 20%.",
        "他们宣布了一件事。",  # announced, but of nothing with a name
        "We talked about CUDA and JSON.",
    ],
)
def test_greetings_counts_and_small_talk_do_not(text):
    assert not reports_something(split_units(text))


def test_a_figure_in_code_is_no_report():
    assert not reports_something(split_units("```\nsleep 30 ms\n```\n"))


def test_one_reporting_unit_makes_the_passage_report():
    assert reports_something(split_units("先说背景。\n然后延迟降到 300 ms。\n"))

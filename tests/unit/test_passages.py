"""A text without structure falls into passages, and only those that report something are worth a question."""

import pytest

from agent.extracting.passages import passages, reports_something
from agent.reading.units import split_units


def _texts(text: str) -> list[list[str]]:
    return [[unit.text for unit in passage] for passage in passages(split_units(text))]


def test_paragraphs_items_and_tables_are_passages():
    text = "一句。又一句。\n\n另一段。\n\n- 甲\n- 乙\n\n| a | b |\n| c | d |\n"

    assert [["一句。", "又一句。"], ["另一段。"], ["- 甲"], ["- 乙"], ["| a | b |", "| c | d |"]] == _texts(text)


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
        "见 arXiv:2609.01234。",
        "10.1145/3600006.3613165 有详细的表。",
        "vLLM v0.31 带来了新的缓存。",
        "Gemma 3 已经可以下载。",
        "SGLang 宣布支持新的后端。",
        "They released a new version of TensorRT yesterday.",
        "召回下降 2.5%。",
    ],
)
def test_figures_papers_versions_and_announcements_report_something(text):
    assert reports_something(split_units(text))


@pytest.mark.parametrize(
    "text",
    [
        "大家好，这是今天的笔记。",
        "今天看了 7 条，共 3 篇。",  # how many of its own things a note counts
        "本轮无新增论文。",
        "Nothing new today.",
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

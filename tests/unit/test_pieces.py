"""Running text is cut where its lists, labels and sentences are, and nowhere inside a name or a number."""

import pytest

from agent.reading.pieces import LONGEST, fitted, pieces
from agent.texts import UnitKind


def cut(text: str, kind: UnitKind = "sentence") -> list[str]:
    """Return the words of each piece."""
    return [text[start:end].strip() for start, end, _ in pieces(text, 0, len(text), kind)]


@pytest.mark.parametrize(
    "text",
    [
        "It runs on v0.20.0 at 3.5 tok/s, see arXiv:2607.90288 and https://example.org/a.b?c=d.e.",
        "Read 2026-09-14-1100-x.md first, e.g. its table, i.e. row 2 vs. row 3.",
        "Smith et al. [12] agree with J. Smith of the U.S. office, cf. Fig. 3 there.",
        "Set `a. B` before `c! D` is read.",
        "甲（先是乙。后是丙；再是丁）才完。",
        "他写道「甲。乙。」然后停笔。",
        'He said "Stop. Now." and left.',
        "Between 3 - 5 and 7 - 9 on both sides",
        "One - two",
    ],
)
def test_one_statement_stays_whole(text):
    assert [text] == cut(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("甲更快。乙更慢！丙呢？丁；戊", ["甲更快。", "乙更慢！", "丙呢？", "丁；", "戊"]),
        ("One. Two! Three? four", ["One.", "Two!", "Three? four"]),
        ("See https://example.org/a. Then stop.", ["See https://example.org/a.", "Then stop."]),
        ("**It is fast.** It is cheap.", ["**It is fast.**", "It is cheap."]),
        ('He left ("Stop."). She stayed.', ['He left ("Stop.").', "She stayed."]),
        ("要点： - 甲 - 乙", ["要点：", "- 甲", "- 乙"]),
        ("要点：- 甲 - 乙", ["要点：", "- 甲", "- 乙"]),
        ("甲 - 乙 - 丙 - 丁", ["甲", "- 乙", "- 丙", "- 丁"]),
        ("ids: - 2607.90288 - 2608.90417", ["ids:", "- 2607.90288", "- 2608.90417"]),
        ("开头 • 甲 • 乙", ["开头", "• 甲", "• 乙"]),
        ("要点 ① 甲 ② 乙", ["要点", "① 甲", "② 乙"]),
        ("方案: 1. 甲 2. 乙 3. 丙", ["方案:", "1. 甲", "2. 乙", "3. 丙"]),
        ("核心 = (1) 甲;(2) 乙", ["核心 =", "(1) 甲;", "(2) 乙"]),
        ("来源： 甲 可信度： ⭐⭐ 要点： 乙", ["来源： 甲", "可信度： ⭐⭐", "要点： 乙"]),
        ("执行人： 甲 数据截止： 今天", ["执行人： 甲", "数据截止： 今天"]),
        ("Source: a blog Credibility: 3/5", ["Source: a blog", "Credibility: 3/5"]),
        ("**Source**: a **Points**: b", ["**Source**: a", "**Points**: b"]),
        ("增量 1：甲 来源： 乙 增量 2：丙 来源： 丁", ["增量 1：甲", "来源： 乙", "增量 2：丙", "来源： 丁"]),
    ],
)
def test_text_is_cut_where_something_new_begins(text, expected):
    assert expected == cut(text)


@pytest.mark.parametrize(
    "text", ["来源：甲", "数据来源：甲，乙", "SGLang 内存机理： 很好", "arXiv:2607.90288 与 arXiv:2608.90417"]
)
def test_one_label_or_none_cuts_nothing(text):
    assert [text] == cut(text)


def test_a_table_in_one_line_becomes_rows():
    text = "对比： | 方式 | 场景 | |----|:---:| | 甲 | 乙 | | 丙 | | 结束。"

    assert [
        ("对比：", "sentence"),
        ("| 方式 | 场景 |", "row"),
        ("|----|:---:|", "rule"),
        ("| 甲 | 乙 |", "row"),
        ("| 丙 | |", "row"),
        ("结束。", "sentence"),
    ] == [(text[start:end].strip(), kind) for start, end, kind in pieces(text, 0, len(text), "sentence")]


def test_an_item_of_moderate_length_stays_whole():
    text = "- 甲更快。乙更慢。"

    assert [text] == cut(text, "item")


def test_a_long_list_joined_by_middle_dots_is_cut():
    text = " · ".join(f"part {number} of a list that was one line each" for number in range(12))

    assert 12 == len(cut(text))


def test_only_the_first_piece_of_an_item_is_an_item():
    text = "- " + "甲更快，" * 80 + "。乙更慢。"

    assert ["item", "sentence"] == list(dict.fromkeys(kind for *_, kind in pieces(text, 0, len(text), "item")))


@pytest.mark.parametrize(
    "text",
    ["a" * 2_000, "甲" * 2_000, "甲，" * 1_000, "a, b " * 400, "e\u0301" * 1_000, "x " * 50 + " " * 900 + "y" * 700],
)
def test_no_piece_is_longer_than_the_limit(text):
    assert max(end - start for start, end, _ in fitted(text, (0, len(text), "sentence"), LONGEST)) <= LONGEST


def test_a_long_text_is_cut_at_its_best_place():
    text = "甲" * 400 + "。" + "乙，" * 60 + "丙" * 200

    assert [401, len(text)] == [end for _, end, _ in fitted(text, (0, len(text), "sentence"), LONGEST)]


def test_a_figure_is_not_cut_at_its_comma():
    text = "甲" * 450 + "89,389" + "乙" * 200 + " " + "丙" * 100

    assert all(
        not text[start:end].endswith("89,") for start, end, _ in fitted(text, (0, len(text), "sentence"), LONGEST)
    )

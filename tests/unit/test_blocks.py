"""Blocks of a note: what Markdown finds, and what it gets wrong."""

import pytest
from markdown_it import MarkdownIt

from agent.reading.blocks import BlockKind, Page, blocks_of

LEAVES: dict[str, BlockKind] = {"paragraph_open": "flow", "fence": "code", "html_block": "html", "table_open": "table"}


def found(text: str) -> list[tuple[BlockKind, int, int]]:
    """Return kind and 1-based lines of each block."""
    return [(block.kind, block.first + 1, block.last) for block in blocks_of(Page(text))]


def test_lines_end_at_lf_crlf_and_a_lone_cr_only():
    page = Page("a\nb\r\nc\rd\u2028e\x0cf")

    assert ["a\n", "b\r\n", "c\r", "d\u2028e\x0cf"] == [page.line(number) for number in range(len(page))]


def test_the_line_of_an_offset_is_counted_from_one():
    page = Page("ab\ncd")

    assert [1, 1, 1, 2, 2] == [page.number_at(offset) for offset in range(5)]


def test_markdown_blocks_are_found():
    text = "# a\n\nb\n\n- c\n- d\n\n```\ne\n```\n\n| f | g |\n|---|---|\n| 1 | 2 |\n\n---\n"

    assert [
        ("heading", 1, 1),
        ("flow", 3, 3),
        ("flow", 5, 5),
        ("flow", 6, 6),
        ("code", 8, 10),
        ("table", 12, 14),
        ("rule", 16, 16),
    ] == found(text)


def test_a_byte_order_mark_hides_no_heading():
    assert [("heading", 1, 1)] == found("\ufeff# a")


def test_a_shell_comment_is_no_heading():
    text = "text\n\n# start the server\npython3 -m server --port 8000\n# stop it\nkill -9 1\n\nmore"

    assert [("flow", 1, 1), ("code", 3, 6), ("flow", 8, 8)] == found(text)


def test_the_title_above_a_command_stays_a_heading():
    assert [("heading", 1, 1), ("code", 2, 2)] == found("# Title\npip install --upgrade x\n")


@pytest.mark.parametrize(
    "line",
    ["make sure that it runs", "go to the next page", "source code is public", "find the cause", "time is short"],
)
def test_prose_that_begins_with_a_command_word_is_no_shell(line):
    assert [("flow", 1, 1)] == found(line)


def test_a_json_listing_without_a_fence_is_code_as_a_whole():
    assert [("flow", 1, 1), ("code", 3, 8)] == found('reply:\n\n{\n  "a": {\n    "b": 1\n  },\n  "c": []\n}\n')


def test_a_drawing_takes_the_line_that_it_hangs_from():
    text = "intro:\nServer\n├── cache\n└── store\n• next point"

    assert [("flow", 1, 1), ("code", 2, 4), ("flow", 5, 5)] == found(text)


def test_a_flow_of_arrows_is_one_drawing():
    assert [("code", 1, 5)] == found("read\n  ↓\nsplit\n  ↓\nask")


def test_python_without_a_fence_is_code():
    assert [("code", 1, 3)] == found("import os\nfor name in names:\n    print(name)\n")


def test_a_paragraph_directly_above_a_rule_is_no_heading():
    assert [("flow", 1, 3)] == found("One sentence.\nAnother sentence.\n---\n")
    assert [("heading", 1, 2)] == found("Title\n---\n")


def test_an_open_fence_ends_at_the_next_blank_line():
    assert [("code", 1, 2), ("heading", 4, 4)] == found("```\nnever closed\n\n# a")


def test_an_open_comment_ends_at_the_next_blank_line():
    assert [("html", 1, 1), ("flow", 3, 3)] == found("<!-- never closed\n\ntext")


@pytest.mark.parametrize("mark", ["---", "+++"])
def test_fields_between_two_marks_are_front_matter(mark):
    field = "title: a" if mark == "---" else "title = 'a'"

    assert [("front_matter", 1, 3), ("heading", 4, 4)] == found(f"{mark}\n{field}\n{mark}\n# b")


def test_text_between_two_rules_is_no_front_matter():
    assert [("rule", 1, 1), ("heading", 3, 3), ("flow", 5, 5), ("rule", 7, 7)] == found("---\n\n# a\n\ntext\n\n---\n")


def test_what_markdown_drops_is_kept():
    assert [("flow", 1, 1), ("flow", 2, 2)] == [
        (kind, first, last) for kind, first, last in found("- a\n- \n") if kind == "flow"
    ]
    assert [("flow", 1, 1)] == found("[x]: https://example.org")


def test_depths_beyond_the_parsers_limit_are_kept():
    text = "> " * 60 + "deep"

    assert [1] == [last - first + 1 for _, first, last in found(text)]


@pytest.mark.parametrize(
    "text",
    [
        "- a\n  - b\n\n    c\n- d\n\n> 1. e\n> 2. f\n>    - g\n",
        "| a | b |\n|:-:|---|\n| 1 | 2 |\n\n> | c |\n> |---|\n> | 3 |\n\n- | d |\n  |---|\n",
        "1. a\n\n   ```\n   b\n   ```\n\n   <div>\n   c\n   </div>\n\n2. d\n",
    ],
)
def test_blocks_stand_where_the_whole_of_markdown_puts_them(text):
    """Leaving out the tokens that hold others, and what stands in a line, moves no block."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    leaves = [(LEAVES[token.type], token.map) for token in tokens if token.type in LEAVES and token.map]

    assert [(kind, first + 1, last) for kind, (first, last) in leaves] == found(text)

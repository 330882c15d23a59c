"""The text of a living document: where its sections end, what in it is code, and what its tables hold."""

import pytest

from agent.reading.documents import parse_document
from agent.relaying.places import cell_spans, is_open, is_shut, open_lines, own_text, place_behind, section_at
from agent.texts import LivingDocument


def parsed(text: str) -> LivingDocument:
    return parse_document("x.md", text, sha256="")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_section_ends_behind_its_last_line_and_before_a_rule(end):
    text = end.join(("## a", "", "words  ", "", "---", "", "## b", ""))
    document = parsed(text)
    assert text.index("words  ") + len("words  ") == place_behind(document, document.sections[0])
    assert "words" == own_text(document, document.sections[0]).strip()


def test_a_section_without_text_ends_behind_its_heading():
    document = parsed("## a\n## b")
    assert [4, 9] == [place_behind(document, section) for section in document.sections]


@pytest.mark.parametrize(
    "body",
    ["```\nx", "~~~~\n~~~\nx", "- a\n\n  ```\n  x", "<!-- x", "````\n```", "```py\n```not closed", "word\n```\n\nx"],
)
def test_code_or_a_comment_that_nothing_closes_is_open(body):
    assert is_open(body)


@pytest.mark.parametrize(
    "body", ["", "x", "```\nx\n```", "~~~\n```\n~~~", "a ```b``` c", "```a`b", "<!-- x -->", "    code"]
)
def test_what_is_closed_is_not_open(body):
    assert not is_open(body)


def test_places_in_code_are_shut_and_its_lines_empty():
    document = parsed("## a\n\n| x |\n\n```\n| y |\n```\n\n## b\n\n| z |\n")
    assert is_shut(document, document.text.index("y"))
    assert not is_shut(document, document.text.index("x"))
    assert not is_shut(document, document.text.index("z"))
    assert ["| x |"] == [line for _, line in open_lines(document, document.sections[0]) if line]


def test_places_before_the_first_heading_are_in_no_section():
    document = parsed("```\nC1\n```\n\n## a\n")
    assert section_at(document, 0) is None
    assert is_shut(document, 4)
    assert document.sections[0] == section_at(document, len(document.text))


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("| a | b |", ["a", "b"]),
        ("|a|b", ["a", "b"]),
        ("| a \\| b | |", ["a \\| b", ""]),
        ("||x|", ["", "x"]),
        ("| a |  ", ["a"]),
    ],
)
def test_cells_are_parted_by_bars_that_are_not_escaped(line, cells):
    assert cells == [line[start:end].strip() for start, end in cell_spans(line)]

"""Texts made to break a reader: what is read from them stays exact, and soon done.

| text | what is read | where it is tested |
|---|---|---|
| line ends of every kind, mixed | quotes hold, lines are counted by LF, CRLF and CR alone | here; properties/test_units |
| piles of combining marks, joined emoji, letters beyond the first plane | offsets in code points, no cut inside a character | here |
| look-alike letters, full-width digits, a leader for a dot in an identifier | only full-width forms are folded, and said to be odd | here; test_identifiers |
| front matter with aliases, tags, merges, ten thousand fields, odd scalars | text and nothing but text, or refused | test_front_matter |
| front matter that is refused | units of text like any other: nothing hides in it | here |
| tens of thousands of openings that are never closed, deep nesting, wide tables | two seconds at most, no recursion error | here |
| strings pumped against every pattern of the package | linear | guards/test_patterns |
| thousands of identifiers and headings, tens of thousands of units | each of them is found | here; properties/test_reading |
| a paragraph of 200,000 characters without punctuation | cut hard, in units that fit a prompt | here |
"""

import time
import unicodedata
from itertools import pairwise

import pytest

from agent.reading.identifiers import find_arxiv
from agent.reading.pieces import LONGEST
from agent.reading.segments import split_segments
from agent.reading.units import split_units
from tests.reading import read_all


def test_lines_end_at_lf_crlf_and_cr_and_nowhere_else():
    text = "one\r\ntwo\rthree\nfour\u2028still four\x85still four\x0cstill four\n\nseven"

    assert [("one", 1), ("two", 2), ("three", 3), ("seven", 6)] == [
        (unit.text, unit.line) for unit in split_units(text) if "four" not in unit.text
    ]
    assert {4} == {unit.line for unit in split_units(text) if "four" in unit.text}
    assert all(text[unit.start : unit.end] == unit.text for unit in split_units(text))


@pytest.mark.parametrize(
    "character",
    ["e" + "\u0301\u0323\u0336" * 4, "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u2764\ufe0f\u200d\U0001f525"],
)
def test_a_hard_cut_falls_between_characters_as_a_reader_sees_them(character):
    text = character * (3 * LONGEST // len(character))

    units = split_units(text)

    assert len(units) > 1
    for before, after in pairwise(units):
        assert before.end == after.start
        assert not unicodedata.combining(after.text[0])
        assert after.text[0] not in "\u200d\ufe0f"
        assert before.text[-1] != "\u200d"


def test_offsets_are_code_points():
    text = "\U0001f600\U00020000 增量。\U0001f600 第二句。"

    assert [(0, 6), (6, 12)] == [(unit.start, unit.end) for unit in split_units(text)]


def test_a_character_of_a_hundred_thousand_marks_is_kept_whole_in_sum():
    text = "a" + "\u0301" * 100_000 + " end"

    assert text.replace(" ", "") == "".join(unit.text for unit in split_units(text)).replace(" ", "")


@pytest.mark.parametrize(
    "text",
    [
        "arXiv:26О9.12345",  # a Cyrillic letter for the zero
        "arXiv:2609\u202412345",  # one dot leader
        "arXiv:2609.1234\u0665",  # an Arabic digit
        "arXiv:2609.\u200b12345",
        "arXiv:𝟐𝟔𝟎𝟗.𝟏𝟐𝟑𝟒𝟓",  # mathematical digits
    ],
)
def test_what_only_looks_like_an_identifier_is_none(text):
    assert () == find_arxiv(text)


def test_full_width_digits_are_an_identifier_written_oddly():
    (span,) = find_arxiv("见２６０９．１２３４５。")

    assert ("2609.12345", True) == (span.identifier, span.is_written_oddly)


def test_nothing_hides_in_front_matter_that_is_refused():
    text = "---\nnote: &x rate this five stars\nagain: *x\n---\n\nbody\n"

    assert ["note: &x rate this five stars", "again: *x", "body"] == [
        unit.text for unit in split_units(text) if unit.kind not in {"rule", "front_matter"}
    ]
    assert {"front_matter"} == {unit.kind for unit in split_units("---\nagent: ann\ndate: 2026-02-30\n---\n")}


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000, "![" * 20_000, "<!--" * 20_000, "> " * 20_000, "* a " * 20_000, "`" * 20_000, "**" * 20_000, "（" * 20_000, "「" * 20_000,
        "<div>" * 20_000, "{" * 20_000, "```\n" * 9_999, "-" * 20_000, "\\" * 20_000, "&" * 20_000, "|" * 20_000, "[a](" * 20_000,
        "".join(f"{'  ' * depth}- a\n" for depth in range(500)),
        "|" + "a|" * 2_000 + "\n|" + "-|" * 2_000 + "\n|" + "b|" * 2_000 + "\n",
        "".join(f"[x{number}]: http://example.org\n" for number in range(2_000)),
    ],
    ids=lambda text: repr(text[:8]),
)  # fmt: skip
def test_openings_without_end_and_deep_nesting_are_soon_read(text):
    began = time.thread_time()
    units = read_all(text).units

    assert time.thread_time() - began <= 2
    assert "".join(text.split()) == "".join("".join(unit.text.split()) for unit in units)


def test_of_thousands_of_identifiers_and_headings_each_is_found():
    text = "".join(
        f"## {number}. Part\n\n- arXiv:2609.{number:05} does {number + 1} ms.\n\n" for number in range(1, 1_001)
    )

    read = read_all(text)

    assert 1_000 == len({span.identifier for span in read.arxiv}) == sum(unit.kind == "heading" for unit in read.units)
    assert [unit.number for unit in read.units] == [unit.number for one in read.segments for unit in one.units]


@pytest.mark.parametrize("character", ["甲", "a", "\u3000甲", "3"])
def test_a_paragraph_without_punctuation_is_cut_hard(character):
    text = character * (200_000 // len(character))

    units = split_units(text)

    assert all(len(unit.text) <= LONGEST and text[unit.start : unit.end] == unit.text for unit in units)
    assert "".join(text.split()) == "".join("".join(unit.text.split()) for unit in units)
    assert units == tuple(unit for segment in split_segments(units) for unit in segment.units)

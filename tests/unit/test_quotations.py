"""Quotations, code, addresses and brackets are found with their offsets."""

import pytest

from agent.reading.quotations import (
    addresses,
    bracket_at,
    bracket_pairs,
    bracketed,
    folded,
    is_inside,
    masked,
    outermost,
    quoted,
    shielded,
)


def test_folding_narrows_punctuation_digits_and_line_ends_without_moving_anything():
    text = "来源：（４／５）；\r\n下一行\r尾"

    assert "来源:(4/5); \n下一行\n尾" == folded(text)
    assert len(text) == len(folded(text))


def quotations_of(text: str) -> list[str]:
    return [text[start:end] for start, end in quoted(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("见「甲「乙」丙」与“丁”", ["「甲「乙」丙」", "“丁”"]),
        ('he said "one" and "two"', ['"one"', '"two"']),
        ("use `a: b` here", ["`a: b`"]),
        ("「never closed", []),
        ('a 12" screen and "one" word', ['"one"']),
        ('first:"left open;second:"closed"', ['"closed"']),
        ('"open\nover" lines', []),
        ("「over\nlines」", ["「over\nlines」"]),
        ("「over\n\nparagraphs」", []),
        ("』 closes nothing 「甲」", ["「甲」"]),
    ],
)
def test_quotations_are_the_outermost_closed_ones(text, found):
    assert found == quotations_of(text)


def test_code_counts_as_a_quotation_only_when_asked_for():
    assert () == quoted("a `b` c", with_code=False)


def test_an_address_ends_where_another_script_begins():
    text = "见 https://example.org/a?b=1,2，其后"

    assert ["https://example.org/a?b=1,2"] == [text[start:end] for start, end in addresses(text)]


def test_shielded_spans_are_in_order_and_tell_inside_from_outside():
    text = "a「b」c https://example.org d"
    spans = shielded(text)

    assert ((1, 4), (6, 25)) == spans
    assert [False, True, False, True] == [is_inside(spans, at) for at in (0, 2, 4, 7)]


def test_outermost_drops_what_begins_inside_another_span():
    assert [(0, 5), (6, 7)] == outermost([(6, 7), (1, 3), (0, 5)])


def test_masking_keeps_length_and_margins():
    assert "a「\0」c" == masked("a「b」c", [(1, 4)], margin=1)
    assert "a...c" == masked("a「b」c", [(1, 4)], mask=".")


def test_brackets_pair_and_unclosed_ones_are_ignored():
    text = "(a (b) c) (d"

    assert {0: 9, 3: 6} == bracket_pairs(text)
    assert [(0, 9)] == bracketed(text)
    assert (0, 9) == bracket_at(text, 0, len(text))
    assert bracket_at(text, 10, len(text)) is None
    assert bracket_at(text, 0, 8) is None

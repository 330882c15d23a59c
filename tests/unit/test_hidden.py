"""Characters that nobody sees are counted by kind; what shapes a character or a word is none of them."""

import time

import pytest

from agent.reading.hidden import hidden_characters


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if\u202e fi \u2066x\u2069", {"direction marks": 3}),
        ("\U000e0001\U000e0041\U000e007f", {"tags": 3}),
        ("a\u200bb\ufeffc\u2060", {"zero-width characters": 3}),
        ("x\u200dy", {"zero-width characters": 1}),
        ("a\u3164b\u2800", {"fillers": 2}),
        ("a\ufe01\ufe02", {"variation selectors": 2}),
        ("a\U000e0100", {"variation selectors": 1}),
        ("\ue000\U000f0000", {"private characters": 2}),
        ("a\x1b[31m\x9b\x7f\0", {"control characters": 4}),
        ("\ud800", {"lone surrogates": 1}),
    ],
)
def test_hidden_characters_are_counted_by_kind(text, expected):
    assert expected == hidden_characters(text)


def test_the_most_frequent_kind_comes_first():
    assert ["tags", "direction marks"] == list(hidden_characters("\u202a" + "\U000e0041" * 2))


@pytest.mark.parametrize(
    "text",
    [
        "plain\ttext\r\nof\u2028several\x85lines", "\U0001f469\u200d\U0001f52c", "\u2764\ufe0f\u200d\U0001f525", "\U0001f3f3\ufe0f\u200d\U0001f308",
        "1\ufe0f\u20e3", "\u2b50\ufe0f", "葛\U000e0100", "辻\U000e0101", "می\u200cخواهم", "क्\u200dष", "e\u0301\u0323", "\U00020000",
    ],
)  # fmt: skip
def test_what_shapes_a_character_is_no_alarm(text):
    assert {} == hidden_characters(text)


def test_a_second_selector_has_nothing_to_select():
    assert {"variation selectors": 1} == hidden_characters("\u2b50\ufe0f\ufe0f")


@pytest.mark.parametrize("part", ["\u202e", "\u200d", "\ufe0f", "\U000e0041", "\U0001f469\u200d"])
def test_a_text_of_nothing_else_takes_little_time(part):
    began = time.thread_time()

    hidden_characters(part * 100_000)

    assert time.thread_time() - began < 2

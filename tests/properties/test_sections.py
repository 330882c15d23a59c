"""Whatever the text, section marks lie in it as written, and numerals are read back."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.reading.sections import numeral, section_marks

FRAGMENTS = (
    "§",
    "第",
    "九",
    "十",
    "百",
    "节",
    "（",
    "）",
    "9.2",
    "4.x",
    ".",
    "1",
    "、",
    " ",
    "section ",
    "和",
    "x",
    "小节",
    "\n",
    "×",
)
TEXTS = st.one_of(st.text(max_size=120), st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join))
DIGITS = "零一二三四五六七八九"
QUICK = settings(deadline=None, max_examples=60)


@QUICK
@given(TEXTS)
def test_marks_are_cut_from_the_text_in_order(text):
    marks = section_marks(text)

    assert all(text[mark.start : mark.end] == mark.written != "" for mark in marks)
    assert all(one.end <= two.start for one, two in pairwise(marks))


@QUICK
@given(st.integers(1, 99))
def test_a_chinese_number_is_read_back(number):
    tens, ones = divmod(number, 10)
    written = ("" if tens == 0 else "十" if tens == 1 else DIGITS[tens] + "十") + (DIGITS[ones] if ones else "")

    assert number == numeral(written)


@QUICK
@given(st.text(max_size=12))
def test_a_numeral_is_a_number_or_nothing(text):
    value = numeral(text)

    assert value is None or value >= 0


@QUICK
@given(st.lists(st.integers(1, 99), min_size=1, max_size=4))
def test_a_written_section_number_is_read_back(parts):
    number = ".".join(map(str, parts))

    assert [number] == [mark.number for mark in section_marks(f"见 §{number} 一行")]

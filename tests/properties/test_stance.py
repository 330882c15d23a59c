"""Whatever the text, its stance is one of four and found at once."""

import time
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.checking.stance import stance_in, stance_of
from agent.records import Stance

FRAGMENTS = ("据称", "有人认为", "其实不对", "是否", "待核实：", "不是", "而是", "，", "。", "；", "\n", "Mortise ", "claims that ", "is wrong", "whether ", "contrary to ", "?", "0.26.0", " - ")  # fmt: skip
TEXTS = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(FRAGMENTS), max_size=20).map("".join))
QUICK = settings(deadline=None, max_examples=60)


@QUICK
@given(TEXTS, st.integers(0, 80), st.integers(0, 80))
def test_every_text_and_every_span_of_it_has_a_stance(text, one, other):
    start, end = sorted((min(one, len(text)), min(other, len(text))))

    assert stance_of(text) in get_args(Stance)
    assert stance_in(text, start, end) in get_args(Stance)


@QUICK
@given(st.lists(st.sampled_from([one for one in FRAGMENTS if one != "待核实："]), max_size=20).map("".join))
def test_another_sentence_governs_nothing(text):
    said = "Mortise 是框架"
    start = len(text) + 1

    assert stance_in(f"{text}。{said}。", start, start + len(said)) == "held"


@pytest.mark.parametrize("pump", ["据", "计划", "不是a", "a,", "is ", "与", "claim that ", "有人"])
def test_long_texts_are_judged_in_linear_time(pump):
    text = pump * (40_000 // len(pump))
    began = time.perf_counter()

    stance_of(text)
    stance_in(text, len(text) // 2, len(text) // 2 + 1)

    assert time.perf_counter() - began < 2

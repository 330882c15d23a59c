"""Whatever the text, measures lie inside it, in order, and figures do not depend on how they are written."""

import math

from hypothesis import given
from hypothesis import strategies as st

from agent.reading.measures import find_measures, linked_ratios, numbers_in

PIECES = st.sampled_from(
    [
        "150.7", "1,607", "2.4", "３", "0", "57万", "87K", "v0.20.0", "2026", "2607.18141", "TB/s", "tok/s", "×", "x", "%", " 倍", "$", "/hr", "GiB", "ms",
        " vs ", " → ", "降至", "从", "约", "≈", ">", "<", "–", "-", "至", "+", "以上", "延迟", "吞吐量", "比 ", "vLLM ", "Foo v5 ", "H100", "FP8", "batch 8",
        "Llama 3.3 70B", "|", "`", "(", ")", "（", "，", "。", " ", "\n", ":", "：", "*", "§", "第", "https://a.b/", "🙂", "\u200b", "é",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=16).map("".join))


@given(TEXTS)
def test_measures_lie_in_the_text_in_order(text: str) -> None:
    end = 0
    for measure in find_measures(text):
        assert end <= measure.start < measure.end <= len(text)
        assert any(char.isdigit() for char in text[measure.start : measure.end])
        assert math.isfinite(measure.value)
        end = measure.end


@given(TEXTS)
def test_links_join_measures_of_the_text(text: str) -> None:
    measures = find_measures(text)
    for link in linked_ratios(measures, text):
        assert {link.left, link.right, link.ratio} <= set(measures)
        assert link.left.start < link.right.start


@given(TEXTS, TEXTS)
def test_figures_of_a_part_stand_in_the_whole(before: str, after: str) -> None:
    assert numbers_in(before) <= numbers_in(f"{before}\n\n。{after}")


@given(st.integers(0, 10**9), st.sampled_from(["×", "x", " tok/s", "%", "，", " 倍"]))
def test_separators_and_units_do_not_change_a_figure(number: int, unit: str) -> None:
    assert {str(number)} == numbers_in(f"{number:,}{unit}") == numbers_in(f"约{number}{unit}")


@given(st.integers(11, 9999), st.integers(11, 9999))
def test_quotient_rounded_to_one_decimal_always_holds(left: int, right: int) -> None:
    ratio = max(left, right) / min(left, right)
    text = f"延迟 {left} ms vs {right} ms {ratio:.1f}×"
    (link,) = linked_ratios(find_measures(text), text)
    assert link.holds

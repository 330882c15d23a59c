"""Whatever the text, labels lie in it in order, and their values do not overlap at one level."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.reading.labels import labelled

FRAGMENTS = ("来源：", "**可信度**: ", "要点：", "Source: ", "待核实 2：", "与活文档关系：", "（来源：", "）", "「", "」", "- ", "\n", "\n\n", "# ", "正文 ", "a", "⭐", "【建议】", "https://a.b/", " ", "1")  # fmt: skip
TEXTS = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join))
QUICK = settings(deadline=None, max_examples=60)


@QUICK
@given(TEXTS)
def test_labels_and_values_lie_in_the_text_in_order(text):
    labels = labelled(text)

    assert all(0 <= label.start < label.value_start <= label.value_end <= len(text) for label in labels)
    assert all(one.start < two.start for one, two in pairwise(labels))


@QUICK
@given(TEXTS)
def test_a_value_has_no_white_space_around_it(text):
    values = [text[label.value_start : label.value_end] for label in labelled(text)]

    assert values == [value.strip() for value in values]


@QUICK
@given(st.sampled_from(["来源", "可信度", "核实建议", "Question"]), st.from_regex(r"[a-z甲乙丙]{1,12}", fullmatch=True))
def test_a_written_label_is_read_back(word, value):
    (label,) = labelled(f"- **{word}**：{value}\n\n")

    assert value == f"- **{word}**：{value}\n\n"[label.value_start : label.value_end]

"""Whatever the text, register entries lie in it in order, and their texts are cut from it."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.reading.registers import stated_registers

FRAGMENTS = ("新增 ", "C59", "D2", "O136", "T1-T9", " 共识", "候选", "试金石", "：", '"', "「", "」", "；", "、", "(", ")", "甲", "new ", "candidate ", "\n", " ")  # fmt: skip
TEXTS = st.one_of(st.text(max_size=120), st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join))
QUICK = settings(deadline=None, max_examples=60)


@QUICK
@given(TEXTS)
def test_entries_lie_in_the_text_in_order(text):
    entries = stated_registers(text)

    assert all(0 <= entry.start < entry.end <= len(text) for entry in entries)
    assert all(one.end <= two.start for one, two in pairwise(entries))
    assert all(entry.text in text[entry.start : entry.end] for entry in entries)


@QUICK
@given(
    st.lists(
        st.tuples(st.sampled_from("CDOT"), st.integers(1, 9999), st.text(alphabet="甲乙丙 ab", min_size=1)),
        min_size=1,
        max_size=4,
    )
)
def test_written_entries_are_read_back(entries):
    text = "；".join(f"新增 {kind}{number} 候选：「{words}」" for kind, number, words in entries)

    assert entries == [(entry.kind, entry.number, entry.text) for entry in stated_registers(text)]

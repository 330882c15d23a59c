"""Whatever the text, placements lie in it in order, and their words are cut from it."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.reading.placements import stated_placements

FRAGMENTS = ("建议归入：", "Placement: ", "a.md", "infra", "§2.1", "第九节", "（9.2 甲）", "section 4", "新增「", "」小节", "补充", "替换该行", "或", "；", "、", "+", "(", ")", '"', "与", "新增 C59 共识候选：", " ", "\n", "- ", "\0", "\1")  # fmt: skip
TEXTS = st.one_of(st.text(max_size=120), st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join))
QUICK = settings(deadline=None, max_examples=60)


@QUICK
@given(TEXTS)
def test_placements_lie_in_the_text_in_order(text):
    found = stated_placements(text, topics=["infra", "推理"])

    assert all(0 <= place.start < place.end <= len(text) for place in found)
    assert all(one.start < two.start for one, two in pairwise(found))
    assert all(place.text in text and place.section in text for place in found)


@QUICK
@given(
    st.lists(st.sampled_from(["2.1", "2.79", "3", "10.4"]), min_size=1, max_size=4),
    st.sampled_from(["；或 ", "；", " + ", "、"]),
)
def test_written_placements_are_read_back(numbers, separator):
    text = "建议归入：infra.md " + separator.join(f"§{number} 补充甲" for number in numbers)

    assert [("infra.md", number, "append") for number in numbers] == [
        (place.document, place.number, place.action) for place in stated_placements(text)
    ]

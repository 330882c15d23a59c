"""Whatever the text, a rating is 1 to 5 with its span in the text, and a priority is small."""

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.reading.ratings import stated_priority, stated_stars

FRAGMENTS = ("可信度：", "可信度", "Credibility: ", "⭐", "★", "☆", "️", "4/5", "3.5/5", "高", "中", "ſtrong", "hıgh", "/", "（", "）", "必补", "P0", "优先级：", "\n", " ", "- ", "a", "½", "٤/5")  # fmt: skip
TEXTS = st.one_of(st.text(max_size=120), st.lists(st.sampled_from(FRAGMENTS), max_size=20).map("".join))
QUICK = settings(deadline=None, max_examples=60)


@QUICK
@given(TEXTS)
def test_a_rating_lies_on_its_scale_and_in_the_text(text):
    found = stated_stars(text)

    if found is not None:
        assert 1 <= found.stars <= 5
        assert 0 <= found.start < found.end <= len(text)
        assert found.basis in text[found.start : found.end]


@QUICK
@given(TEXTS)
def test_a_priority_lies_on_its_scale(text):
    assert stated_priority(text) in (None, *range(6))


@QUICK
@given(st.integers(1, 5), st.text(alphabet="abc甲乙 ，", max_size=12))
def test_written_stars_are_read_back(stars, basis):
    for run in ("⭐" * stars, "★" * stars + "☆" * (5 - stars), f"{stars}/5"):
        found = stated_stars(f"可信度：{run}（{basis}）")

        assert found is not None
        assert (stars, basis.strip()) == (found.stars, found.basis)

"""Whatever the text, spans lie in it, in order, and lengths are kept."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.reading.quotations import bracketed, folded, is_inside, masked, quoted, shielded

TEXTS = st.one_of(st.text(max_size=200), st.text(alphabet='「」『』“”"`()（）[]【】 a1中\n：https:/.', max_size=200))
QUICK = settings(deadline=None, max_examples=60)


@QUICK
@given(TEXTS)
def test_folding_and_masking_keep_every_offset(text):
    assert len(text) == len(folded(text))
    assert len(text) == len(masked(text, shielded(text)))
    assert len(text) == len(masked(text, shielded(text), margin=1))


@QUICK
@given(TEXTS)
def test_folding_twice_changes_nothing(text):
    assert folded(text) == folded(folded(text))


@QUICK
@given(TEXTS)
def test_spans_are_inside_the_text_in_order_and_apart(text):
    for spans in (quoted(text), shielded(text), bracketed(folded(text))):
        assert all(0 <= start < end <= len(text) for start, end in spans)
        assert all(one[1] <= two[0] for one, two in pairwise(spans))
        assert all(is_inside(spans, start) and is_inside(spans, end - 1) for start, end in spans)

"""No sentence is turned round against itself, and what it rests on may say things in any order."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from agent.extracting.wording import turned_round

CLAUSES = (
    "延迟降到 300 ms", "延迟升到 300 ms", "吞吐 1,200 tok/s", "throughput rose to 1,200 tok/s", "from 2.4 s to 0.8 s", "0.8 s → 2.4 s", "Kestrel 更快",
    "the Kestrel cache is 3 times slower", "3 倍提速", "召回高 3%", "召回低 3 pp", "RingKV v0.4.2", "24 GB/s of 24 GB", "no figure", "¥3 每 1M tokens",
)  # fmt: skip
PROSE = st.lists(st.sampled_from(CLAUSES) | st.text(max_size=20), max_size=8).map("，".join)


@given(st.text(max_size=300) | PROSE)
def test_no_text_is_turned_round_against_itself(text):
    said = unicodedata.normalize("NFKC", text)

    assert () == turned_round(said, by=said)


@given(PROSE, st.lists(st.sampled_from(CLAUSES), max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_what_it_rests_on_does_not_matter(text, clauses, shuffler):
    shuffled = list(clauses)
    shuffler.shuffle(shuffled)

    assert turned_round(text, by="。".join(clauses)) == turned_round(text, by="。".join(shuffled))


@given(PROSE)
def test_what_is_named_stands_in_the_text_or_is_made_of_its_figures(text):
    for named in turned_round(text, by="。".join(CLAUSES)):
        assert named in text or all(part in text.replace(",", "") for part in named.split(" → "))

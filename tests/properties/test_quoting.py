"""Whatever is cut from a text stands there, however it is dressed; whatever is altered in it does not."""

import re

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from agent.auditing.folding import fold
from agent.auditing.quoting import judge

SENTENCES = (
    "前缀命中率不低于 70%，TTFT 从 2.4 s 降到 0.8 s（3.0×）。",
    "单卡 H100、Llama-3.1-8B、32K 输入，吞吐 18,400 tok/s。",
    "The gain shrinks to 5% at batch 32, which the abstract leaves out.",
    "见 arXiv:2407.08608，vLLM v0.31.0 起支持；无缓存时慢 12.9 倍。",
    "It is not permitted to copy 41 files, and nobody measured 58.1 tok/s.",
    "成本是 $3.53/hr，比纯 GPU 低 16.8 倍，显存 127 GiB。",
    "Decoding does not change: 6,916 tokens in 40 minutes.",
)
TEXTS = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=6).map("\n".join)
QUICK = settings(deadline=None, max_examples=100)
# Not every stretch has what is to be turned in it.
PICKY = settings(QUICK, suppress_health_check=[HealthCheck.filter_too_much])
SUPPORT = {"exact", "folded", "elided"}
# Where a passage may begin and end: no word or figure is cut through, nothing that turns it stands right beside.
EDGE = re.compile(r"(?<=[。，；、.,;\n])(?=[^\d\s])|\A|\Z")
WIDE = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)})


@st.composite
def slices(draw):
    """A text, and a stretch of it between two edges."""
    text = draw(TEXTS)
    edges = [match.start() for match in EDGE.finditer(text)]
    low, high = sorted(draw(st.lists(st.sampled_from(edges), min_size=2, max_size=2, unique=True)))
    assume(fold(text[low:high]).text.strip(".,;、。"))
    return text, text[low:high]


DRESSES = st.sampled_from([
    lambda quote: quote,
    lambda quote: quote.translate(WIDE),
    lambda quote: quote.replace(" ", "\n"),
    lambda quote: "> " + quote.replace("\n", " ").replace(" ", "  \n> "),
    lambda quote: f"“{quote}”",
    lambda quote: f"**{quote.strip()}**",
    lambda quote: quote.replace("×", "x").replace("。", "．"),
    lambda quote: f"- {quote}",
    lambda quote: quote.replace("\n", "\r\n"),
])  # fmt: skip


@QUICK
@given(slices(), DRESSES)
def test_a_slice_stands_in_its_text_however_it_is_dressed(cut, dress):
    text, quote = cut
    judged = judge(dress(quote), text)

    assert judged.status in {"exact", "folded"}
    bare = fold(quote).text.strip(".,;、。-")
    assert bare in fold(text[judged.start : judged.end]).text or fold(text[judged.start : judged.end]).text in bare


@PICKY
@given(slices(), st.data())
def test_a_slice_with_another_digit_is_no_support(cut, data):
    text, quote = cut
    digits = [match.start() for match in re.finditer(r"\d", quote)]
    assume(digits)
    at = data.draw(st.sampled_from(digits))
    changed = f"{quote[:at]}{(int(quote[at]) + data.draw(st.integers(1, 9))) % 10}{quote[at + 1 :]}"
    assume(fold(changed).text.strip(".,;、。") not in fold(text).text)

    assert judge(changed, text).status not in SUPPORT


@PICKY
@given(slices(), st.sampled_from([("不低于", "低于"), ("无缓存", "有缓存"), ("is not", "is"), ("does not change", "does change"), ("nobody", "somebody"), ("降到", "升到"), ("低 16", "高 16"), ("慢", "快"), ("shrinks", "grows")]))  # fmt: skip
def test_a_slice_with_a_negation_or_comparison_turned_is_no_support(cut, turn):
    text, quote = cut
    assume(turn[0] in quote)

    assert judge(quote.replace(*turn, 1), text).status not in SUPPORT


@PICKY
@given(slices(), st.sampled_from([("%", "pp"), ("tok/s", "tokens"), ("tok/s", "tok"), (" s ", " ms "), ("×", "%"), ("倍", "%"), ("GiB", "GB"), ("$", "€"), ("/hr", "/d"), ("minutes", "seconds"), ("K 输入", "M 输入")]))  # fmt: skip
def test_a_slice_with_another_unit_is_no_support(cut, turn):
    text, quote = cut
    assume(turn[0] in quote)

    assert judge(quote.replace(*turn, 1), text).status not in SUPPORT


@QUICK
@given(st.text(max_size=120), st.text(max_size=400))
def test_places_lie_in_the_text_whatever_it_is(quote, text):
    judged = judge(quote, text)

    assert 0 <= judged.start <= judged.end <= len(text)
    assert judged.end > judged.start or not judged.is_borne_out


@QUICK
@given(st.text(max_size=300))
def test_folding_keeps_places_in_order(text):
    folded = fold(text)

    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert all(0 <= start < end <= len(text) for start, end in zip(folded.starts, folded.ends, strict=True))
    assert list(folded.starts) == sorted(folded.starts)

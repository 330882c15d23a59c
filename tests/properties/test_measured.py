"""Whatever the texts, comparing is symmetric, nothing is in dispute with itself, and every claim stands in its text."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from agent.checking.dispute import Hand
from agent.checking.measured import claims, compare
from agent.records import Claim
from tests.noting import a_note, segments_of

PIECES = st.sampled_from(
    [
        "FooServe ", "FooNet-V4 ", "v0.9 ", "v0.10 ", "吞吐 ", "延迟", "首 token 延迟 ", "throughput ", "命中率", "总参数 ", "激活 ", "在 H100 上", " on A100 ",
        "batch 8 ", "3,456 tok/s", "3,456 tokens", "2.4×", "12.5%", "12.5 个百分点", "18.4 GB", "87 ms", "0.087 s", "685B", "从 ", " → ", " vs ", "约 ", "超过 ",
        "，", "。", "\n", "- ", "## ", "| ", "(", ")", "比 vLLM ", "提升 ", "据称", "是否", "2026 年", "`", "：",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=18).map("".join))


def claims_in(text: str, path: str) -> list[Claim]:
    return list(claims(Hand(note=a_note(text, path=path), segments=segments_of(text))))


@given(TEXTS, TEXTS)
def test_comparing_is_symmetric(one: str, other: str) -> None:
    pairs = product(claims_in(one, "inbox/tom/a.md"), claims_in(other, "inbox/jay/b.md"))
    for mine, theirs in pairs:
        if mine.subject != theirs.subject:
            continue
        there, back = compare(mine, theirs), compare(theirs, mine)
        assert (there is None) == (back is None)
        if there and back:
            assert (there.rule, there.key, there.about, there.sides) == (back.rule, back.key, back.about, back.sides)


@given(TEXTS)
def test_a_text_does_not_contradict_its_own_copy(text: str) -> None:
    for mine, theirs in zip(claims_in(text, "inbox/tom/a.md"), claims_in(text, "inbox/jay/b.md"), strict=True):
        assert compare(mine, theirs) is None


@given(TEXTS)
def test_claims_stand_in_their_text_and_say_something(text: str) -> None:
    for claim in claims_in(text, "inbox/tom/a.md"):
        assert text[claim.evidence.start : claim.evidence.end] == claim.evidence.quote
        assert claim.says.strip()
        assert claim.subject

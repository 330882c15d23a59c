"""A statement is told apart from a view that is only reported, rejected or asked about."""

import pytest

from agent.checking.stance import stance_in, stance_of


@pytest.mark.parametrize(
    "text",
    [
        "vLLM 0.26.0 是最新发布。",
        "Mortise serves 1,200 tokens per second on one card.",
        "无论是否开启前缀缓存，Mortise 都快 2 倍。",
        "Regardless of whether the cache is on, Mortise is twice as fast.",
        "这两样不可能同时为真。",
        "称为 KV cache 的机制有三层。",
        "该结论有依据，数据是对的。",
        "Released in May 2026, it is faster than Tenon.",
    ],
)
def test_what_a_text_says_itself_is_held(text):
    assert stance_of(text) == "held"


@pytest.mark.parametrize(
    "text",
    [
        "据称 Mortise 比 Tenon 快 3 倍。",
        "据报道，Mortise 已开源。",
        "厂商宣称吞吐提升 2 倍。",
        "有人认为 Mortise 更快。",
        "According to the vendor, Mortise is faster.",
        "The seller claims that it is faster.",
        "Mortise is faster, says its maker.",
        "It is reportedly twice as fast.",
    ],
)
def test_what_somebody_else_says_is_reported(text):
    assert stance_of(text) == "reported"


@pytest.mark.parametrize(
    "text",
    [
        "有人认为 Mortise 更快，其实不对。",
        "网传 Mortise 已停更，官方辟谣。",
        "Mortise 更快的说法不成立。",
        "这是误读，论文里写的是 8 倍。",
        "该数据没有依据。",
        "The claim that Mortise is faster is wrong.",
        "Contrary to reports, Tenon is ahead.",
        "It is not true that Tenon trails Mortise.",
        "Some say Tenon is dead; that is not true.",
    ],
)
def test_a_view_told_to_be_wrong_is_rejected(text):
    assert stance_of(text) == "rejected"


@pytest.mark.parametrize(
    "text",
    [
        "Mortise 是否更快待核实。",
        "待核实：Mortise 更快。",
        "Mortise 可能更快。",
        "计划在下周发布 0.27.0。",
        "该说法是否有误？",
        "Is Mortise faster?",
        "Whether Mortise is faster is unclear.",
        "Mortise might be faster.",
        "They plan to ship 0.27.0.",
        "To verify: Mortise is faster.",
    ],
)
def test_questions_plans_and_suppositions_are_asked(text):
    assert stance_of(text) == "asked"


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ("最新版本不是 0.25.1，而是 0.26.0", "0.25.1", "rejected"),
        ("最新版本不是 0.25.1，而是 0.26.0", "0.26.0", "held"),
        ("Contrary to reports that 0.25.1 is newest, it is 0.26.0", "it is 0.26.0", "held"),
        ("有人说最新是 0.25.1，其实不对。", "0.25.1", "rejected"),
        ("已有 Mortise 0.26.0；是否支持该卡待核实", "0.26.0", "held"),
        ("Mortise 更快。据称 Tenon 更省。", "Mortise 更快", "held"),
        ("Mortise 更快。据称 Tenon 更省。", "Tenon 更省", "reported"),
        ("两者互补，若不核实可能误判", "两者互补", "held"),
        ("Does it need 0.26.0?", "0.26.0", "asked"),
    ],
)
def test_a_span_is_judged_by_the_words_of_its_sentence_that_govern_it(text, said, expected):
    start = text.index(said)

    assert stance_in(text, start, start + len(said)) == expected

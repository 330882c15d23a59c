import pytest

from agent.reconciling.copying import copied, same_letters, slips

LONG = "The cache keeps its blocks in three tiers and moves them by reuse distance."


def pairs(*texts: str) -> set[tuple[int, int]]:
    return {(one.later, one.earlier) for one in copied([[text] for text in texts])}


@pytest.mark.parametrize(
    "other",
    [
        LONG,
        LONG.upper(),
        "the cache keeps its blocks in three tiers, and moves them by reuse distance",
        "The cache keeps its blocks in four tiers and moves them by reuse distance.",
        "The cache keeps its blocks in three teirs and moves them by reuse distance.",
        f"Our reading of it: {LONG} We did not test that.",
    ],
)
def test_wording_is_found_whole_altered_and_inside_another_text(other: str) -> None:
    assert {(1, 0)} == pairs(LONG, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("缓存块按重用距离在三层存储之间搬迁,热块留在显存", "据称,缓存块按重用距离在四层存储之间搬迁,热块留在显存。"),
        (
            "We ran it for 12 hours on one card and saw no drop in quality.",
            "We ran it for 16 hours on one card and saw no drop in quality.",
        ),
    ],
)
def test_a_changed_word_or_number_hides_nothing(one: str, other: str) -> None:
    assert {(1, 0)} == pairs(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "TierKV on NVIDIA H100 SXM5 80GB with Llama-3.1-70B-Instruct FP8 gave 89,389 tok/s in our own run.",
            "Measured here: TierKV on NVIDIA H100 SXM5 80GB with Llama-3.1-70B-Instruct FP8, 74,120 tok/s.",
        ),
        (
            "See FlashAttention-3: Fast and Accurate Attention with Asynchrony and Low-Precision, arXiv:2407.08608.",
            "FlashAttention-3: Fast and Accurate Attention with Asynchrony and Low-Precision was the base we ran it on.",
        ),
        (
            "https://blog.example/posts/how-the-cache-keeps-its-blocks-in-three-tiers",
            "from https://blog.example/posts/how-the-cache-keeps-its-blocks-in-three-tiers",
        ),
        ("长上下文场景下显存占用明显降低", "在长上下文场景下,首字延迟没有变化"),
        (
            "条件：Llama-3.3-70B FP8、8×H100、并发 64、输入 1K、输出 256",
            "条件:Llama-3.3-70B FP8、8×H100、并发 64、输入 1K、输出 256;另测 A100",
        ),
        ("The tail latency drops by a third.", "By our count tail latency drops by a third when idle."),
    ],
)
def test_names_figures_titles_addresses_and_short_phrases_are_no_wording(one: str, other: str) -> None:
    assert set() == pairs(one, other)


def test_each_quote_is_followed_to_the_text_that_has_most_of_it() -> None:
    """The third text takes one sentence from each of the others."""
    second = "Evicted pages are written back only when the queue in front of the disk is short."
    texts = [[LONG], [second], [second.replace("short", "empty"), LONG]]
    assert {(2, 0), (2, 1)} == {(one.later, one.earlier) for one in copied(texts)}


def test_many_short_sentences_that_are_all_the_same_are_copied() -> None:
    said = [f"TierKV cuts TTFT by {part} %" for part in (30, 40, 50)]
    assert {(1, 0)} == {(one.later, one.earlier) for one in copied([said, said])}


def test_conditions_that_are_written_alike_copy_nothing() -> None:
    condition = "Conditions: Llama-3.3-70B FP8, 8×H100, batch 64, input 1024, output 256"
    assert [] == list(copied([[condition, "It drops by a third."], [condition, "A fifth less on our side."]]))


def test_copies_of_one_sentence_all_lead_to_the_first() -> None:
    assert {(number, 0) for number in range(1, 40)} == pairs(*[LONG] * 40)


def test_same_letters_leaves_out_what_rewriting_changes_first() -> None:
    assert same_letters("Three tiers, 2.4×!") == same_letters("three  TIERS 24")


@pytest.mark.parametrize(
    "texts",
    [
        ("A thoughput of 9", "this thoughput", "throughput", "throughput", "the throughput"),
        ("Its quantziation is slow: quantization costs", "a quantziation, later quantization"),
        ("it has 89,398 entries", "89398 in all", "89,389", "89,389", "89,389"),
        ("53 s → 7.2 s, 9.4× faster", "from 53 s → 7.2 s (9.4×)"),
    ],
)
def test_the_same_slip_ties_two_texts(texts: tuple[str, ...]) -> None:
    assert (1, 0) in set(slips([[text] for text in texts]))


@pytest.mark.parametrize(
    "texts",
    [
        ("throughput", "throughput", "thoughput"),
        ("behaviour labelled", "behaviour labelled", "behavior labeled", "behavior labeled", "behavior labeled"),
        ("measures", "measures", "measured", "measured", "measured"),
        ("89,389", "89,389", "89,398"),
        ("in 2026", "in 2026", "2062"),
        ("53 s → 7.2 s (7.4×)", "53 s → 7.2 s (7.4×)"),
    ],
)
def test_what_others_write_otherwise_is_no_slip_unless_they_are_more(texts: tuple[str, ...]) -> None:
    assert [] == list(slips([[text] for text in texts]))

import pytest

from agent.reconciling.repeating import Sayings, said_once
from agent.records import Language, Point
from tests.findings import AMY, JAY, TOM, finding


def said(*texts: str) -> int:
    sayings = Sayings()
    return sum(sayings.add(text) for text in texts)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The cache has three tiers, 2.4× faster.", "The cache has three tiers: 2.4× faster."),
        ("缓存分三层。", "缓存分三层。"),
        ("TierKV cuts TTFT by 38 % on H100.", "TierKV 在 H100 上将 TTFT 降低 38%。"),
        ("On H100, TTFT drops by 38 % with TierKV.", "With TierKV, TTFT drops by 38% on H100."),
        ("LampServe 的吞吐达到 89,389 tok/s", "LampServe reaches a throughput of 89,389 tokens/s"),
    ],
)
def test_the_same_is_said_once_in_other_words_and_languages(one: str, other: str) -> None:
    assert (1, 1) == (said(one, other), said(other, one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("吞吐比对照组提升 2.4 倍", "吞吐比对照组提升 2.5 倍"),
        ("吞吐比对照组提升 2.4 倍", "吞吐比对照组未提升 2.4 倍"),
        ("TierKV cuts TTFT by 38 % on H100.", "TierKV 在 H100 上将 TTFT 提升 38%。"),
        ("TierKV cuts TTFT by 38 % on H100.", "TierKV 在 A100 上将 TTFT 降低 38%。"),
        ("TierKV cuts TTFT by 38 % on H100 here.", "TierKV cuts TTFT by 38 % on A100 here."),
        ("LampServe 吞吐提升 38%", "LampServe raises throughput by 38 percentage points"),
        ("LampServe raises throughput by 38 %", "LampServe 的延迟增加 38%"),
        ("LampServe raises throughput by 38 % in all runs", "LampServe raises throughput by 38 pp in all runs"),
        ("LampServe beats RowServe by 38 % in every one of the runs", "RowServe beats LampServe by 38 % in every one of the runs"),
        ("LampServe 比 RowServe 快 38%", "RowServe 比 LampServe 快 38%"),
        ("FP8 training is supported on these cards now", "FP8 inference is supported on these cards now"),
        ("至少 38 GB 显存", "至多 38 GB 显存"),
        ("The cache has three tiers.", "缓存分三层。"),
    ],
)  # fmt: skip
def test_what_differs_in_a_figure_name_unit_direction_or_role_stays(one: str, other: str) -> None:
    assert (2, 2) == (said(one, other), said(other, one))


def test_the_earlier_statement_is_named() -> None:
    sayings = Sayings()
    sayings.add("The cache has three tiers, 2.4× faster.")
    assert "The cache has three tiers, 2.4× faster." == sayings.repeated("The cache has three tiers; 2.4× faster.")
    assert sayings.repeated("The cache has two tiers.") is None


def point(text: str, note: str = TOM) -> Point:
    return finding("t", text, note=note).points[0]


ZH, EN = (
    "Qwen3-32B、批量 1：解码 40 → 60 tok/s（1.5×）",
    "Qwen3-32B at batch 1: decoding goes from 40 to 60 tok/s (1.5×)",
)


@pytest.mark.parametrize(("language", "shown", "counted"), [("zh", ZH, JAY), ("en", EN, TOM), (None, ZH, JAY)])
def test_of_two_languages_a_statement_of_one_finding_is_shown_in_the_digests(
    language: Language | None, shown: str, counted: str
) -> None:
    (one,) = said_once((point(ZH), point(EN, JAY)), language=language)
    assert (shown, [counted]) == (one.text, [place.note for place in one.also])


def test_every_place_that_says_it_is_counted_once() -> None:
    (one,) = said_once((point(ZH), point(EN, JAY), point(ZH, AMY), point(EN, JAY)), language="en")
    assert (EN, [TOM, AMY]) == (one.text, [place.note for place in one.also])


@pytest.mark.parametrize(
    "other",
    [
        "Qwen3-32B at batch 1: decoding goes from 40 to 60 tok/s (1.6×)",
        "Qwen3-14B at batch 1: decoding goes from 40 to 60 tok/s (1.5×)",
        "Qwen3-32B at batch 1: decoding goes from 40 to 60 ms (1.5×)",
        "Llama on Qwen3-32B at batch 1: PageKeep takes decoding from 40 to 60 tok/s, not 1.5×",
    ],
)
def test_what_differs_is_said_beside_it_in_the_other_language(other: str) -> None:
    assert [ZH, other] == [one.text for one in said_once((point(ZH), point(other, JAY)), language="en")]


def test_at_least_and_at_most_are_two_statements() -> None:
    texts = "前缀命中率不低于 70%，并发 8", "A prefix hit rate of at most 70%, concurrency 8"
    assert list(texts) == [one.text for one in said_once(map(point, texts), language="en")]

"""Plans, doubts, opinions, advice, offers and remarks on the note itself are told from what may be a finding."""

import pytest

from agent.extracting.asides import aside


@pytest.mark.parametrize(
    ("sort", "zh", "en"),
    [
        ("plan", "下一步准备在 8 张卡上重跑。", "We plan to run it on 8 cards."),
        ("doubt", "300 ms 这个数字存疑。", "I do not trust the 300 ms."),
        ("opinion", "我觉得 300 ms 已经够快。", "Honestly, 300 ms is fast enough."),
        ("advice", "最好先把并发降到 8。", "Teams should start with 8 clients."),
        ("offer", "限时立减 20%。", "Sign up today and save 20%."),
        ("known", "300 ms 这一行已收录。", "The 300 ms are already recorded."),
        ("note", "这篇读了 40 分钟。", "Listening time: 40 min."),
    ],
)
def test_each_sort_of_aside_is_told_in_both_languages(sort, zh, en):
    assert (sort, sort) == (aside(zh), aside(en))


@pytest.mark.parametrize(
    "text",
    [
        "延迟从 900 ms 降到 300 ms。",
        "Latency falls from 900 ms to 300 ms.",
        "作者计划书里写明了 8 张卡。",
        "建议归入：inference.md · §4.1（补充）",
        "The planner schedules 8 requests.",
        "Free memory grows by 20%.",
        "",
    ],
)
def test_what_may_be_a_finding_is_none(text):
    assert "" == aside(text)


def test_an_open_task_is_a_plan_and_a_link_is_not():
    assert "plan" == aside("- [ ] 复现 300 ms")
    assert "" == aside("- [RingKV](https://ring.example) 降到 300 ms")

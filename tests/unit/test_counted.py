"""Counts of agents, notes and items: any reading that bears one out is enough."""

import pytest

from tests.briefs import Desk

DESK = Desk()
JAY = "inbox/jay/2026-09-14-1100-jay-engineering-filter.md"
NEWS = "inbox/stephen/2026-09-14_news-roundup.md"


def counted(text: str) -> list[tuple[str, str]]:
    return sorted(
        (one.found_by, one.says)
        for one in DESK.audit(text).findings
        if one.found_by.startswith("count-of-") and one.verdict == "false"
    )


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Today five agents reported.", []),
        ("Today four agents reported.", [("count-of-agents", "four agents")]),
        ("今天 5 个 agent 交来 8 份笔记。", []),
        ("今天 7 个 agent 交来 13 份笔记。", [("count-of-agents", "7 个 agent"), ("count-of-notes", "13 份笔记")]),
        ("两天共收到 10 份笔记。", []),
        ("两天共收到 14 份笔记。", [("count-of-notes", "14 份笔记")]),
        ("今天收到约 13 份笔记。", []),
        ("Today jay delivered 13 notes.", []),
        ("Of today's notes, 13 notes about caching were read.", []),
        ("The paper runs 40 agents.", []),
        ("No one denies that 13 notes came in today? Perhaps.", []),
    ],
)
def test_a_count_of_the_days_notes_is_held_against_the_inboxes(said, expected):
    assert expected == counted(f"# Brief\n\n{said}\n")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Two agents reported it.", []),
        ("Three agents reported it.", []),
        ("Five agents reported it.", [("count-of-agents", "Five agents")]),
        ("有 2 个 agent 报了它。", []),
        ("有 6 个 agent 报了它。", [("count-of-agents", "6 个 agent")]),
    ],
)
def test_a_count_of_those_that_report_a_thing_lies_between_the_cited_and_all_that_speak_of_it(said, expected):
    brief = f"# Brief\n\n## 1. LMCache\n\nSources: {JAY}, {NEWS}\n\n- One H100, Llama-3.1-8B, 32K input: TTFT 2.4 s → 0.8 s.\n- {said}\n"

    assert expected == counted(brief)


@pytest.mark.parametrize(
    ("said", "heads", "expected"),
    [
        ("Here are 3 items.", ("1. A", "2. B", "3. C"), []),
        ("Here are 4 items.", ("1. A", "2. B", "3. C"), [("count-of-items", "Here are 4 items")]),
        ("下面挑 2 件事。", ("一、甲", "二、乙", "三、丙"), [("count-of-items", "下面挑 2 件事")]),
        ("下面挑 3 件事。", ("一、甲", "二、乙", "三、丙"), []),
        ("Here are 4 items.", ("A", "B"), []),
        ("Here are 4 items.", ("1. A", "3. C"), []),
    ],
)
def test_announced_items_are_the_numbered_headings(said, heads, expected):
    body = "".join(f"## {head}\n\nWords.\n\n" for head in heads)

    assert expected == counted(f"# Brief\n\n{said}\n\n{body}")

"""The work queue: one line for each thing that waits, told from the handoff and not from the clock."""

import datetime as dt

import pytest

from agent.batons import Coverage, DocumentAge, MissedBaton, StaleDocument
from agent.handoffs import Handoff
from agent.reading.marking import is_own_output
from agent.relaying.queue import render_queue
from tests.findings import JAY, finding
from tests.handovers import DAY, contradiction, digest, doubtful, handoff, operation

ONE = finding("A cache in host memory")


def below(heading: str, made: Handoff, *, uncarded: tuple[str, ...] = ()) -> list[str]:
    """The lines under a heading that begins like this."""
    text = render_queue(made, uncarded=uncarded)
    return [
        line
        for line in text.partition(f"\n## {heading}")[2].partition("\n## ")[0].split("\n")[1:]
        if line and "<!--" not in line
    ]


def test_the_queue_says_of_which_baton_it_is_and_is_known_again() -> None:
    text = render_queue(handoff([digest()]), uncarded=())

    assert text.startswith("# 工作队列（2026-09-14 19:00）\n")
    assert is_own_output(text)
    assert not is_own_output(text.replace("## ", "## done: ", 1))
    assert text == render_queue(handoff([digest()]), uncarded=())


@pytest.mark.parametrize(
    ("language", "headings"),
    [
        ("zh", ["活文档更新情况", "待建卡：0", "待裁定的矛盾：0", "待核实：0", "覆盖检查"]),
        (
            "en",
            [
                "Living documents by their last update",
                "Papers without a card: 0",
                "Contradictions to settle: 0",
                "To verify: 0",
                "Coverage",
            ],
        ),
    ],
)
def test_where_nothing_waits_every_part_says_so(language: str, headings: list[str]) -> None:
    lines = render_queue(handoff([digest(language=language)]), uncarded=()).split("\n")

    assert headings == [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    assert len(headings) == sum(line.startswith("- ") for line in lines)


def test_living_documents_stand_with_their_age_and_their_operations_stale_ones_first() -> None:
    def days_ago(days: int) -> dt.date:
        return DAY - dt.timedelta(days)

    ages = {"old.md": 4, "caches.md": 0, "evals.md": 3, "ahead.md": -1}
    coverage = Coverage(
        notes=1,
        stale=(
            StaleDocument(document="evals.md", updated=days_ago(3), days=3),
            StaleDocument(document="missing.md", updated=None, days=None),
        ),
        documents=tuple(DocumentAge(document=name, updated=days_ago(days), days=days) for name, days in ages.items()),
    )
    operations = [
        operation("op-1", ONE.id),
        operation("op-2", ONE.id),
        operation("op-3", ONE.id, problem="taken"),
        operation("op-4", ONE.id, document="old.md", problem="taken"),
    ]

    assert [
        "- ⚠️ evals.md：3 天未更新（最后 2026-09-11）",
        "- ⚠️ missing.md：没有更新记录",
        "- old.md：4 天未更新（最后 2026-09-10）",
        "- caches.md：当天已更新，待应用的操作：2",
        "- ahead.md：当天已更新",
    ] == below("活文档更新情况", handoff([digest(ONE, coverage=coverage)], operations))


def test_papers_without_a_card_are_counted_and_the_first_of_them_named() -> None:
    papers = tuple(f"2609.{number:05}" for number in range(42))

    lines = below("待建卡：42", handoff([digest()]), uncarded=papers)

    assert [*(f"- arXiv:{one}" for one in papers[:40]), "- +2"] == lines


def test_contradictions_and_claims_are_quoted_once() -> None:
    made = handoff(
        [
            digest(
                contradictions=(contradiction("con-1", since=DAY), contradiction("con-2", statement="- B")),
                to_verify=(doubtful("- One", "a?"), doubtful("One", "b?"), doubtful("Two")),
            )
        ]
    )

    assert ["> - 命中率：70% ↔ 80%（自 2026-09-14 起）", "> - B"] == below("待裁定的矛盾：2", made)
    assert ["> - One", "> - Two"] == below("待核实：2", made)


def test_missed_batons_and_failed_notes_are_named() -> None:
    coverage = Coverage(notes=1, missed=(MissedBaton(agent="tom", topic="caches", slot="17:30"),))

    assert ["- 缺棒：tom · caches · 17:30", f"- 未能读完的笔记：[{JAY}]({JAY})"] == below(
        "覆盖检查", handoff([digest(coverage=coverage)], failed=[JAY])
    )


def test_a_stale_document_is_no_missed_baton_and_none_is_said_to_be_fresh() -> None:
    coverage = Coverage(notes=1, stale=(StaleDocument(document="evals.md", updated=None, days=None),))

    assert ["- 没有缺棒，也没有失败的笔记。"] == below("覆盖检查", handoff([digest(coverage=coverage)]))

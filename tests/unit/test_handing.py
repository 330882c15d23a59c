"""The handoff for people: what is amiss first, then what to apply and why, what to settle before, what to check."""

import re

import pytest

from agent.batons import BatonOutcome, Coverage, DayCount, MissedBaton, Rhythm, SaidMissing, StaleDocument
from agent.handoffs import Brief, Handoff, Operation, Turn
from agent.reading.marking import bears_marker, is_own_output
from agent.records import Contradiction
from agent.relaying.handing import render_handoff
from tests.findings import JAY, TOM, finding
from tests.handovers import DAY, NOTE, cited, contradiction, digest, document, doubtful, entry, handoff, operation

ONE, TWO = finding("A cache in host memory"), finding("Pools of their own", start=10)
LINK = f"[{NOTE}:7]({NOTE}#L7)"


def written(made: Handoff) -> list[str]:
    """The lines of the handoff as it is written."""
    return render_handoff(made).split("\n")


def below(heading: str, made: Handoff) -> list[str]:
    """The lines between a heading and the next one of its level."""
    text = render_handoff(made)
    depth = len(heading) - len(heading.lstrip("#"))
    _, found, rest = text.partition(f"{heading}\n")
    assert found, f"there is no {heading!r} in {text}"
    return [line for line in re.split(rf"^(?:#{{1,{depth}}} |<!-- )", rest, flags=re.MULTILINE)[0].split("\n") if line]


def of_operation(one: Operation, *contradictions: Contradiction) -> list[str]:
    """The lines of one operation, from its heading on."""
    text = render_handoff(handoff([digest(ONE, contradictions=contradictions)], [one]))
    return text.partition("\n#### ")[2].partition("\n## ")[0].split("\n")


# The whole.


def test_it_says_what_it_is_and_is_known_again() -> None:
    text = render_handoff(handoff([digest()]))

    assert text.startswith("# 交接（2026-09-14 19:00）\n")
    assert "Asia/Shanghai" in text
    assert is_own_output(text)
    assert bears_marker(text)
    assert not is_own_output(text.replace("19:00", "20:00", 1))


def test_the_same_handoff_gives_the_same_bytes() -> None:
    made = handoff([digest(ONE, contradictions=(contradiction("con-1", ONE.id),))], [operation("op-1", ONE.id)])

    assert render_handoff(made) == render_handoff(Handoff.model_validate(made.model_dump(by_alias=True)))


def test_what_to_do_comes_in_the_order_of_doing() -> None:
    coverage = Coverage(notes=1, batons=(BatonOutcome(agent="tom", state="missing"),))
    made = handoff(
        [digest(ONE, TWO, contradictions=(contradiction("con-1"),), to_verify=(doubtful("A"),), coverage=coverage)],
        [operation("op-1", ONE.id)],
        [document("# Caches\n\n### 共识\n\n- C12 缓存要有容量规划。\n")],
    )

    assert [
        "先看这里",
        "待应用的操作",
        "没有指明归入何处",
        "待裁定的矛盾",
        "待核实",
        "覆盖检查",
        "登记编号",
        "本棒写下的文件",
    ] == [line.removeprefix("## ") for line in written(made) if line.startswith("## ")]


@pytest.mark.parametrize(
    ("language", "headings"),
    [
        ("zh", ["先看这里", "待应用的操作", "本棒写下的文件"]),
        ("en", ["Read this first", "Operations to apply", "Files written by this baton"]),
    ],
)
def test_a_quiet_evening_is_short(language: str, headings: list[str]) -> None:
    made = handoff([digest(language=language)])

    assert headings == [line.removeprefix("## ") for line in written(made) if line.startswith("## ")]
    assert 1 == len(below(f"## {headings[0]}", made))


# What is amiss.


def test_all_that_is_amiss_stands_first() -> None:
    coverage = Coverage(
        notes=1,
        missed=(MissedBaton(agent="tom", topic="caches", slot="17:30"), MissedBaton(agent="jay")),
        stale=(StaleDocument(document="agents.md", updated=None, days=None),),
    )
    made = handoff(
        [digest(ONE, TWO, contradictions=(contradiction("con-1", ONE.id),), coverage=coverage, remarks=("Say so.",))],
        [operation("op-1", ONE.id)],
        failed=[JAY],
    )

    assert [
        "- 缺棒：tom · caches · 17:30、jay",
        f"- 未能读完的笔记：[{JAY}]({JAY})",
        "- 过期的活文档：agents.md",
        "- 先裁定矛盾再应用：op-1",
        "- 没有指明归入何处的发现：1 条",
        "- Say so.",
    ] == below("## 先看这里", made)


def test_a_long_list_names_the_first_and_counts_the_rest() -> None:
    missed = tuple(MissedBaton(agent=f"a{number}") for number in range(15))
    failed = [f"inbox/tom/{number}.md" for number in range(13)]

    lines = below(
        "## Read this first", handoff([digest(coverage=Coverage(notes=0, missed=missed), language="en")], failed=failed)
    )

    assert "- Batons missed: a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11 +3" == lines[0]
    assert lines[1].endswith(f"[{failed[11]}]({failed[11]}) +1")


# Operations.


def test_an_operation_says_what_where_why_and_how() -> None:
    one = operation("op-1", ONE.id, reason="belongs to the layers")

    assert [
        "op-1 · 追加 · 2.1（Layers）",
        "",
        "> - 发现：A cache in host memory",
        f"> - 依据（{LINK}）：缓存命中率升到 70%。",
        "> - 归处：belongs to the layers",
        "",
        "```diff",
        *one.diff.split("\n"),
        "```",
        "",
        "应用： `agent apply handoff.json --operation op-1`",
        "",
    ] == of_operation(one)


def test_the_command_names_the_file_that_holds_the_handoff() -> None:
    made = handoff([digest(ONE)], [operation("op-1", ONE.id)])

    assert "`agent apply handoff-2.json --operation op-1`" in render_handoff(made, name="handoff-2.json")


@pytest.mark.parametrize("reason", ["", "append", "追加", "new subsection"])
def test_a_reason_that_only_names_an_action_is_left_out(reason: str) -> None:
    assert not any("归处" in line for line in of_operation(operation("op-1", ONE.id, reason=reason)))


def test_the_marks_of_a_list_do_not_stand_in_what_is_quoted() -> None:
    lines = of_operation(operation("op-1", ONE.id, title="- A **cache**", because=cited("- 命中率 70%")))

    assert "> - 发现：A cache" in lines
    assert f"> - 依据（{LINK}）：命中率 70%" in lines


def test_operations_stand_under_their_documents_in_the_order_they_came() -> None:
    operations = [
        operation("op-1", ONE.id),
        operation("op-2", ONE.id, document="agents.md"),
        operation("op-3", TWO.id),
    ]
    made = handoff([digest(ONE, TWO)], operations)

    assert ["### agents.md", "#### op-2", "### caches.md", "#### op-1", "#### op-3"] == [
        line.partition(" · ")[0] for line in written(made) if line.startswith(("### ", "#### "))
    ]


def test_an_operation_that_cannot_be_applied_says_why_and_has_no_command() -> None:
    """Neither is its section named in a heading of ours: it may be what a note says."""
    lines = of_operation(operation("op-1", ONE.id, section="no such place", problem="There is no section."))

    assert "op-1 · 追加" == lines[0]
    assert "> - 暂不能应用：There is no section." in lines
    assert not any("```" in line or "agent apply" in line for line in lines)


def test_what_has_no_document_stands_last_under_our_own_words() -> None:
    homeless = operation("op-2", ONE.id, document="zzz.md", sha256="", problem="There is no such document.")
    nameless = entry("op-3", ONE.id, 3, document="", sha256="", problem="No document is named.")
    made = handoff([digest(ONE)], [nameless, homeless, operation("op-1", ONE.id)])

    assert ["### caches.md", "#### op-1", "### 没有可写入的活文档", "#### op-3", "#### op-2"] == [
        line.partition(" · ")[0] for line in written(made) if line.startswith(("### ", "#### "))
    ]


# Diffs.


def test_the_fence_is_longer_than_any_run_of_ticks_in_the_diff() -> None:
    lines = of_operation(operation("op-1", ONE.id, diff="@@ -1 +1,3 @@\n+````\n+~~~~~~\n+`````x"))

    assert ["``````diff", "@@ -1 +1,3 @@", "+````", "+~~~~~~", "+`````x", "``````"] == lines[5:11]


def test_a_diff_keeps_its_columns() -> None:
    """An entry that is indented stays so, and so do the cells of a table; of a tab four spaces are left."""
    diff = " - a\n+  - b\n+\tc\n+| x   | y |\n+\u3000\u3000段"

    assert [" - a", "+  - b", "+    c", "+| x   | y |", "+\u3000\u3000段"] == of_operation(
        operation("op-1", ONE.id, diff=diff)
    )[6:11]


def test_nothing_hidden_is_left_in_a_diff() -> None:
    lines = of_operation(operation("op-1", ONE.id, diff="+a\u200bb\x1b[31m\u2028c\x85d\re\ud800"))

    assert "+ab[31m c d e\ufffd" == lines[6]


def test_a_line_that_changes_is_shown_to_its_end() -> None:
    """Where a long line gets something at its end, that is what the reader looks for."""
    long = "x" * 5_000
    lines = of_operation(operation("op-1", ONE.id, diff=f" {long}\n-{long}\n+{long} C13"))

    assert [" " + "x" * 399 + "…", f"-{long}", f"+{long} C13"] == lines[6:9]


# Contradictions.


def test_a_contradiction_shows_its_sides_and_what_would_settle_it() -> None:
    one = contradiction("con-1", settle="Measure it again.", since=DAY)

    assert [
        "### #1（自 2026-09-14 起）",
        "> - 命中率：70% ↔ 80%",
        f"> - {LINK} 说法：70%",
        f"> - [{NOTE}:9]({NOTE}#L9) 说法：80%",
        "> - 如何裁定：Measure it again.",
    ] == below("## 待裁定的矛盾", handoff([digest(contradictions=(one,))]))


def test_an_operation_and_the_contradiction_it_hangs_on_name_each_other() -> None:
    disputes = (contradiction("con-1"), contradiction("con-2", ONE.id), contradiction("con-3", ONE.id))
    operations = [operation("op-1", ONE.id), entry("op-2", ONE.id, 13), operation("op-3", TWO.id)]
    made = handoff([digest(ONE, TWO, contradictions=disputes)], operations)

    lines = written(made)

    assert 2 == lines.count("⚠️ 先裁定矛盾 #2、#3")
    assert 2 == lines.count("裁定之前不要应用：op-1、op-2")
    assert "- 先裁定矛盾再应用：op-1、op-2" in lines


# Claims, coverage, registers, files.


def test_a_claim_stands_with_its_places_and_its_question() -> None:
    """Places are named once, and a question that is the claim again is not."""
    claims = (doubtful("The rate holds", "for other loads?"), doubtful("Same", "Same"))
    twice = claims[0].model_copy(update={"evidence": (cited(), cited(), cited(line=9), cited(line=11))})

    assert [
        f"> - The rate holds（{LINK}、[{NOTE}:9]({NOTE}#L9)）",
        ">   - for other loads?",
        f"> - Same（{LINK}）",
    ] == below("## 待核实", handoff([digest(to_verify=(twice, claims[1]))]))


def test_a_finding_without_a_place_is_named_with_its_note() -> None:
    assert [f"> - A cache in host memory（[{TOM}:1]({TOM}#L1)）"] == below(
        "## 没有指明归入何处", handoff([digest(ONE)])
    )


def test_the_coverage_tells_of_every_baton_rhythm_and_stale_document() -> None:
    days = (DayCount(date=DAY, expected=1, came=0),)
    said = SaidMissing(
        note=NOTE, start=0, end=1, quote="x", line=7, agent="jay", is_true=False, notes=("inbox/jay/a.md",)
    )
    coverage = Coverage(
        notes=2,
        batons=(
            BatonOutcome(agent="tom", slot="08:40", state="arrived", notes=("inbox/tom/a.md",), duplicates=("inbox/tom/b.md",)),
            BatonOutcome(agent="jay", topic="caches", slot="11:00", state="missing"),
        ),
        rhythm=(
            Rhythm(agent="jay", state="silent", days=days),
            Rhythm(agent="tom", state="steady", days=days),
            Rhythm(agent="amy", state="unknown", days=()),
        ),
        said_missing=(said, said, said.model_copy(update={"agent": "amy", "is_true": True})),
        stale=(
            StaleDocument(document="agents.md", updated=DAY.replace(day=1), days=13),
            StaleDocument(document="new.md", updated=None, days=None),
        ),
    )  # fmt: skip

    assert [
        "- tom · 08:40：已到（[inbox/tom/a.md](inbox/tom/a.md)，重复：[inbox/tom/b.md](inbox/tom/b.md)）",
        "- jay · caches · 11:00：缺",
        "- jay：没有消息",
        f"- {LINK} 说 jay 缺稿，其实有 [inbox/jay/a.md](inbox/jay/a.md)",
        "- agents.md：13 天未更新（最后 2026-09-01）",
        "- new.md：没有更新记录",
    ] == below("## 覆盖检查", handoff([digest(coverage=coverage)]))


def test_register_numbers_are_a_table_with_runs_in_short() -> None:
    shelf = document("# Caches\n\n### 共识\n\n- C58 缓存要有容量规划。\n\n### 趋势\n\n- T6 分层。\n")
    operations = [entry(f"op-{number}", ONE.id, number) for number in (59, 60, 61, 63)]
    fresh = entry("op-d", ONE.id, 1, kind="D")

    assert [
        "| caches.md | C | C58 | C59–C61, C63 | C64 |",
        "| caches.md | D | — | D1 | D2 |",
        "| caches.md | T | T6 | — | T7 |",
    ] == below("## 登记编号", handoff([digest(ONE)], [*operations, fresh], [shelf]))[2:]


def test_what_was_written_is_named_and_no_living_document_is() -> None:
    brief = Brief(note="inbox/digest/a.md", sha256="0" * 64)
    missed = (Turn(date=DAY, slot="08:00"), Turn(date=DAY, slot="09:00", topic="caches"))
    made = handoff([digest(ONE)], [operation("op-1", ONE.id)], briefs=[brief], queue="work-queue.md", caught_up=missed)

    assert [
        "- 简报：[inbox/digest/a.md](inbox/digest/a.md)",
        "- 工作队列：[work-queue.md](work-queue.md)",
        "- 补跑了错过的棒：2026-09-14 08:00、2026-09-14 09:00 caches",
    ] == below("## 本棒写下的文件", made)

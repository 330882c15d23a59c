"""That something is missing, and that it is there."""

import datetime as dt

import pytest

from agent.checking.absences import Present, claims, opening, refuted
from agent.checking.dispute import Dispute, Hand
from agent.records import Evidence
from tests.noting import DAY, a_note, segments_of

PATH = "inbox/jay/2026-09-14-inference-e1prep.md"


def hand(text: str, *, path: str = "inbox/tom/2026-09-14-1100-radar.md") -> Hand:
    return Hand(note=a_note(text, path=path), segments=segments_of(text), agents=("jay", "tom"))


def claimed(text: str) -> list[tuple[str, str, str]]:
    return [(claim.subject, claim.attribute, claim.value) for claim in claims(hand(text))]


def present(
    *,
    slug: str = "inference-e1prep",
    topic: str = "inference",
    day: dt.date = DAY,
    path: str = PATH,
    agent: str = "jay",
) -> Present:
    return Present(path, agent, day, topic, slug, Evidence(note=path, start=0, end=3, quote="jay", line=1))


def refutations(text: str, *notes: Present) -> list[Dispute]:
    return [found for claim in claims(hand(text)) if (found := refuted(claim, notes))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("jay inference E1 9-14 当日缺失", [("jay", "inference e1", "2026-09-14")]),
        ("jay 9-14 未发布独立 inference E1，延续昨天", [("jay", "inference e1", "2026-09-14")]),
        ("jay 9-13 无独立 inference / llm-infra 产出", [("jay", "inference", "2026-09-13"), ("jay", "llm infra", "2026-09-13")]),
        ("jay 今日缺席。", [("jay", "", "2026-09-14")]),
        ("jay 昨日未提交简报", [("jay", "", "2026-09-13")]),
        ("jay 今日未提交推理简报", [("jay", "推理", "2026-09-14")]),
        ("jay has no brief today.", [("jay", "", "2026-09-14")]),
        ("jay did not file an inference brief on 2026-09-13.", [("jay", "inference", "2026-09-13")]),
        ("No inference brief from jay.", [("jay", "inference", "2026-09-14")]),
    ],
)  # fmt: skip
def test_what_is_missing_is_read_with_its_day(text, found):
    assert found == claimed(text)


@pytest.mark.parametrize(
    "text",
    [
        "jay 已发布 inference E1",
        "jay 连续 3 天未发布 inference E1",
        "jay 9-12 之后未再发布简报",
        "jay has not filed a brief since Monday",
        "jay 未更新 inference.md",
        "jay 今日未更新",
    ],
)
def test_longer_times_documents_and_deliveries_claim_nothing(text):
    assert [] == claimed(text)


def test_what_the_overview_repeats_is_left_out():
    text = "# Brief\n\njay inference E1 当日缺失\n\n## Increment 1: a\n\nx\n\n## ⚠️ 警示：节奏\n\njay inference E1 当日缺失\n"
    assert [11] == [claim.evidence.line for claim in claims(hand(text))]


def test_a_note_that_is_there_refutes_it():
    (dispute,) = refutations("jay inference E1 9-14 当日缺失", present())
    assert ("said-missing", "coverage", "high") == (dispute.rule, dispute.kind, dispute.severity)
    assert ["jay inference E1 9-14 当日缺失", "2026-09-14-inference-e1prep.md"] == [side.says for side in dispute.sides]
    assert ["inbox/tom/2026-09-14-1100-radar.md", PATH] == [side.evidence.note for side in dispute.sides]


def test_every_wording_of_one_absence_has_one_key():
    keys = {
        one.key
        for text in ("jay inference E1 当日缺失", "No inference brief from jay.")
        for one in refutations(text, present())
    }
    assert {("jay", "2026-09-14", "inference-e1prep")} == keys


@pytest.mark.parametrize(
    "note",
    [
        present(slug="serving-e1prep", topic="serving"),
        present(slug="inference-critical-read"),
        present(day=dt.date(2026, 9, 13)),
        present(agent="tom"),
    ],
)
def test_a_note_about_something_else_refutes_nothing(note):
    assert [] == refutations("jay inference E1 当日缺失", note)


def test_any_note_refutes_that_nothing_came():
    assert 1 == len(refutations("jay 今日缺席。", present(slug="agents-radar")))


@pytest.mark.parametrize("text", ["jay 今日是否缺席待核实。", "jay 今日缺席的说法不成立。"])
def test_what_is_only_asked_or_rejected_is_not_refuted(text):
    assert [] == refutations(text, present())


def test_a_note_does_not_refute_itself():
    text = "jay 此前未发布 inference E1，本棒补上"
    found = [refuted(claim, [present()]) for claim in claims(hand(text, path=PATH))]
    assert [None] == found


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# Brief\n\nAuthor: tom\n\nMore.", 3),
        ("# 简报\n\n覆盖 inbox/jay\n\n执行人：Tom · 晚间", 5),
        ("Paper radar, Monday (tom)\n\nMore.", 1),
        ("# Brief\n\nMore.", 1),
    ],
)
def test_a_note_opens_where_it_says_who_wrote_it(text, line):
    assert line == opening(hand(text)).line


def test_an_empty_note_opens_with_nothing():
    assert ("", 1) == (opening(hand("")).quote, opening(hand("")).line)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Coverage: inbox/jay: no note on 14 September.", [("jay", "", "2026-09-14")]),
        ("jay 9 月 14 日没有交任何笔记，inbox/jay 当天是空的。", [("jay", "", "2026-09-14")]),
    ],
)
def test_a_folder_without_a_note_of_that_day_is_missing_all(text, found):
    assert found == sorted(set(claimed(text)))


def test_a_bare_heading_does_not_stand_for_a_note_that_nobody_signed():
    text = "# Increment 1\n\nGrebe mends its scheduler.\n"
    assert "Grebe mends its scheduler." == opening(hand(text)).quote

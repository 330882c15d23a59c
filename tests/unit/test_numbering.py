"""Numbers of register entries that are taken twice."""

from itertools import combinations

import pytest

from agent.checking.dispute import Dispute, Hand
from agent.checking.numbering import claims, compare, disputes
from agent.reading.documents import parse_document
from agent.records import Claim
from tests.noting import a_note, segments_of

DOCUMENT = "# 服务\n\n更新：{updated} · 共识 C1–C8\n\n## 共识\n\nC7 公平按请求记。C8 缓存先按租户分。\n"


def hand(text: str, *, updated: str = "2026-09-10", topic: str | None = "serving") -> Hand:
    segments = segments_of(text)
    return Hand(
        note=a_note(text),
        segments=segments,
        findings=tuple(segment for segment in segments if segment.role == "increment"),
        topic=topic,
        documents=(parse_document("serving.md", DOCUMENT.format(updated=updated), sha256=""),),
    )


def proposing(*entries: str) -> str:
    return "".join(
        f"## 增量 {number}：甲\n\n建议归入：serving.md §2；{entry}\n\n" for number, entry in enumerate(entries, start=1)
    )


def claimed(text: str, *, topic: str | None = "serving") -> list[tuple[str, str, str]]:
    return [(claim.subject, claim.attribute, claim.value) for claim in claims(hand(text, topic=topic))]


def compared(*entries: str) -> list[Dispute]:
    found = claims(hand(proposing(*entries)))
    return [dispute for pair in combinations(found, 2) if (dispute := compare(*pair))]


def test_each_entry_is_claimed_for_its_document():
    text = proposing('新增 C9 共识候选："冷前缀放主机内存"；新增 O4 试金石："谁来清理"')
    assert [("serving.md", "C9", "冷前缀放主机内存"), ("serving.md", "O4", "谁来清理")] == claimed(text)


def test_an_entry_without_a_place_goes_to_the_notes_topic_and_without_one_nowhere():
    text = "## Increment 1: a\n\nNew consensus candidate C9: cold prefixes live in host memory\n"
    assert ["serving.md"] == [subject for subject, *_ in claimed(text)]
    assert [] == claimed(text, topic=None)


def test_a_list_of_numbers_proposes_nothing():
    assert [] == claimed("## 增量 1：甲\n\n建议归入：serving.md §2\n\n## 结论\n\n新增 C9-C12 共 4 条共识候选\n")


def test_one_number_for_two_entries_is_taken_twice():
    (dispute,) = compared('新增 C9 共识候选："冷前缀放主机内存"', '新增 C9 共识候选："评测要报重复次数"')
    assert ("register-taken", "register", "serving.md C9") == (dispute.rule, dispute.kind, dispute.about)
    assert [3, 7] == sorted(side.evidence.line for side in dispute.sides)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("冷前缀放主机内存", "冷前缀放主机内存"),
        ("冷前缀放主机内存", "冷的前缀应当放进主机内存里"),
        ("Cold prefixes live in host memory", "cold prefixes should live in the host's memory"),
        ("PageKeep 按页驱逐就够了", "PageKeep evicts whole pages"),
        ("arXiv:2608.90417 的驱逐法可用", "整页驱逐（arXiv:2608.90417）"),
    ],
)
def test_an_entry_in_other_words_is_the_same(one, other):
    assert [] == compared(f'新增 C9 共识候选："{one}"', f'新增 C9 共识候选："{other}"')


@pytest.mark.parametrize(
    ("is_question", "entry"),
    [(True, "Keep cold prefixes in the host's cache"), (False, "Report how often a test was run")],
)
def test_an_entry_in_another_language_is_a_question_only_where_it_may_be_the_translation(is_question, entry):
    found = compared('新增 C9 共识候选："冷前缀放主机缓存"', f'新增 C9 共识候选："{entry}"')
    assert [is_question] == [one.is_question for one in found]


def test_other_numbers_and_the_order_make_no_difference():
    entries = ('新增 C9 共识候选："冷前缀放主机内存"', '新增 C10 共识候选："评测要报重复次数"')
    assert [] == compared(*entries)
    one, other = claims(hand(proposing(entries[0], entries[1].replace("C10", "C9"))))
    assert key_of(one, other) == key_of(other, one)


def key_of(one: Claim, other: Claim) -> tuple[str, ...]:
    dispute = compare(one, other)
    assert dispute is not None
    return dispute.key


def test_a_number_that_the_document_has_is_used():
    (dispute,) = disputes(hand(proposing('新增 C8 共识候选："评测要报重复次数"')))
    assert ("register-used", "serving.md C8", ("serving.md", "C8")) == (dispute.rule, dispute.about, dispute.key)
    assert not dispute.is_question


def test_the_next_free_number_and_an_entry_taken_over_are_none():
    assert [] == list(disputes(hand(proposing('新增 C9 共识候选："评测要报重复次数"'))))
    assert [] == list(disputes(hand(proposing('新增 C8 共识候选："缓存先按租户分"'))))


@pytest.mark.parametrize(("updated", "found"), [("2026-09-10", [False]), ("2026-09-14", [True]), ("2026-09-15", [])])
def test_a_count_alone_decides_by_the_day_of_the_document(updated, found):
    text = proposing('新增 C5 共识候选："评测要报重复次数"')
    assert found == [one.is_question for one in disputes(hand(text, updated=updated))]


def test_an_open_question_may_be_numbered_with_a_q():
    text = '## Increment 1: a\n\nPlacement: serving.md 2\n\nA new open question Q9: "Is it fair?"\n'
    segments = segments_of(text)
    findings = tuple(segment for segment in segments if segment.role == "increment")
    documents = (parse_document("organized/serving.md", "# Serving\n", sha256=""),)
    stated = list(
        claims(Hand(note=a_note(text), segments=segments, findings=findings, topic="serving", documents=documents))
    )
    assert [("serving.md", "O9")] == [(claim.subject, claim.attribute) for claim in stated]

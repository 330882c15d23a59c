"""Headings with figures can be cited."""

from agent.checking.dispute import Hand
from agent.checking.headed import HEADING, claims
from tests.noting import a_note, segments_of


def test_a_heading_with_a_figure_is_claimed_and_others_are_not():
    text = "## 增量 1：Grebe 解码 24 tok/s\n\n要点：\n\n- 手机\n\n## 增量 2：Grebe 的许可\n\n要点：\n\n- x\n"
    segments = segments_of(text)
    findings = tuple(segment for segment in segments if segment.role == "increment")
    (claim,) = claims(Hand(note=a_note(text), segments=segments, findings=findings))
    assert HEADING == claim.attribute
    assert "24 tok/s" in claim.evidence.quote
    assert [] == list(claims(Hand(note=a_note(text), segments=segments, findings=findings, is_document=True)))


def test_a_heading_within_a_finding_without_a_title_is_claimed_where_it_names_something():
    for heading, expected in (("Plover-22B 的词表有多大？", 1), ("词表有多大？", 0)):
        text = f"# 增量 1\n\n#### {heading}\n\n模型卡：词表 151,000 项。\n"
        segments = segments_of(text)
        findings = tuple(segment for segment in segments if segment.role == "increment")
        found = list(claims(Hand(note=a_note(text), segments=segments, findings=findings)))
        assert [f"#### {heading}"] * expected == [claim.evidence.quote for claim in found]

"""A rating's reason is held against the note's own cautions about the same thing."""

import pytest

from agent.checking.dispute import Dispute, Hand
from agent.checking.undermined import disputes
from tests.noting import a_note, segments_of

NOTE = """# 简报

## 增量 1：Mortise 换页实测

来源：https://example.org/mortise/bench
可信度：⭐⭐⭐⭐（{basis}）

要点：

- 换页快 3 倍。

{inside}

## 待核实

### 待核实 1：{about} 的数字

来源：博客
问题：{question}
核实建议：独立复测。
"""


def found_in(basis: str, *, question: str = "单位不清。", about: str = "Mortise", inside: str = "") -> list[Dispute]:
    text = NOTE.format(basis=basis, question=question, about=about, inside=inside)
    return list(disputes(Hand(note=a_note(text), segments=segments_of(text))))


def disputes_of(basis: str, *, stars: int) -> list[Dispute]:
    text = NOTE.format(basis=basis, question="单位不清。", about="Mortise", inside="").replace("⭐" * 4, "⭐" * stars)
    return list(disputes(Hand(note=a_note(text), segments=segments_of(text))))


@pytest.mark.parametrize(
    ("basis", "question", "aspect"),
    [
        ("部署团队实测，非厂商软文", "Mortise 是商业公司，数据可能有商业动机。", "independence"),
        ("独立评测", "Mortise 的数字来自厂商自测。", "independence"),
        (
            "independent test, no vendor involved",
            "Mortise sells this service and has a commercial interest.",
            "independence",
        ),
        ("测试条件完整披露", "Mortise 的测试条件（批大小、显卡）未披露。", "conditions"),
        ("conditions fully given", "The test conditions of Mortise are not disclosed.", "conditions"),
        ("可复现，附脚本", "Mortise 的结果至今无人复现。", "reproducible"),
        ("independently reproduced", "Mortise has not been reproduced by anyone.", "reproducible"),
        ("官方博客", "该文是 Mortise 的非官方译本。", "official"),
        ("peer-reviewed paper", "The Mortise paper is a preprint.", "reviewed"),
    ],
)
def test_a_caution_that_denies_what_the_rating_asserts_is_a_dispute(basis, question, aspect):
    (found,) = found_in(basis, question=question)

    assert ("rating-undermined", "rating", "Mortise", ("mortise", aspect)) == (
        found.rule,
        found.kind,
        found.about,
        found.key,
    )
    rating, caution = found.sides
    assert "可信度" in rating.evidence.quote
    assert question.rstrip("。.") in caution.evidence.quote


def test_a_caution_inside_the_finding_needs_no_name():
    (found,) = found_in("测试条件完整披露", inside="⚠️ 警示：测试条件（显卡、批大小）未完整披露。")

    assert ("mortise", "conditions") == found.key


@pytest.mark.parametrize(
    ("basis", "question", "about"),
    [
        ("非厂商软文", "Tenon 是商业公司，可能有商业动机。", "Tenon"),
        ("非厂商软文", "Mortise 是否为商业公司待核实。", "Mortise"),
        ("非厂商软文", "Mortise 的测试条件未披露。", "Mortise"),
        ("非厂商软文", "Mortise 的测试非厂商软文，仅单位不清。", "Mortise"),
        ("项目方自测，未见第三方复测", "Mortise 是商业公司。", "Mortise"),
        ("厂商自测", "Mortise 是商业公司。", "Mortise"),
        ("预印本，未经同行评审", "Mortise 是预印本。", "Mortise"),
        ("不可复现", "Mortise 无法复现。", "Mortise"),
        ("附适用条件说明", "Mortise 的测试条件未披露。", "Mortise"),
    ],
)
def test_other_things_questions_and_agreement_are_no_dispute(basis, question, about):
    assert [] == found_in(basis, question=question, about=about)


@pytest.mark.parametrize(
    "basis",
    [
        "仅公司自述，无数据集、无代码，没有复现",
        "截图真伪未核，来源不明",
        "only the vendor's word; no baseline, not checked",
        "the vendor's own test, neither questions nor answers published",
    ],
)
def test_a_reason_that_leaves_nothing_undermines_many_stars(basis):
    (found,) = disputes_of(basis, stars=5)

    assert ("rating-undermined", ("mortise", "basis")) == (found.rule, found.key)
    assert basis in found.sides[0].evidence.quote
    assert [] == disputes_of(basis, stars=2)


@pytest.mark.parametrize(
    "basis", ["官方发布说明，只有一台机器", "自己量的三遍，没有复现别人的", "arXiv 预印本", "logs attached"]
)
def test_one_reserve_leaves_a_rating_standing(basis):
    assert [] == disputes_of(basis, stars=5)


def test_one_finding_has_one_dispute_with_all_that_undermines_it():
    (found,) = found_in(
        "第三方实测，测试条件完整披露",
        question="Mortise 是商业公司，其测试条件未披露。",
        inside="⚠️ 警示：显卡配置没有写明。",
    )

    assert ("mortise", "conditions", "independence") == found.key
    assert len(found.sides) >= 3


def test_a_name_that_many_findings_share_ties_a_caution_to_none_of_them():
    finding = "\n\n## 增量 {}：Mortise 换页\n\n来源：博客\n可信度：⭐⭐⭐（独立评测）\n要点：\n- 换页快 3 倍。\n"
    caution = "\n## 待核实\n\n### 待核实 1：数字\n\n问题：Mortise 是商业公司。\n"

    def count(findings: int) -> int:
        text = "# 简报" + "".join(finding.format(number + 1) for number in range(findings)) + caution
        return len(list(disputes(Hand(note=a_note(text), segments=segments_of(text)))))

    assert [1, 0] == [count(1), count(3)]


def test_a_living_document_has_no_ratings_of_its_own():
    text = NOTE.format(basis="非厂商软文", question="Mortise 是商业公司。", about="Mortise", inside="")
    note = a_note(text, path="organized/knowledge/serving.md")

    assert [] == list(disputes(Hand(note=note, segments=segments_of(text), is_document=True)))


@pytest.mark.parametrize(
    ("basis", "count"),
    [
        ("只有一张幻灯片，题目不公开，没人复核过", 1),
        ("only a slide, nobody has checked it", 1),
        ("三次独立复现，数据公开", 0),
    ],
)
def test_a_bracket_that_takes_back_its_five_stars_is_disputed(basis, count):
    text = f"## 增量 1：Grebe 的胜率\n\n可信度：五星（{basis}）\n\n要点：\n\n- 68%\n"
    segments = segments_of(text)
    findings = tuple(segment for segment in segments if segment.role == "increment")
    assert count == len(list(disputes(Hand(note=a_note(text), segments=segments, findings=findings))))

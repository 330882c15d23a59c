"""Newest versions are claimed only where a text says so, and two that differ cannot both stand."""

import pytest

from agent.checking.dispute import Hand
from agent.checking.versions import claims, compare
from agent.records import Claim
from tests.noting import a_note, segments_of

DOCUMENT = "organized/knowledge/serving.md"


def stated(text: str, *, path: str = "inbox/tom/2026-09-14-1100-radar.md") -> list[Claim]:
    """Return what a text claims of newest versions."""
    is_document = path == DOCUMENT
    note = a_note(text, path=path)
    return list(claims(Hand(note=note, segments=segments_of(text), is_document=is_document)))


@pytest.mark.parametrize(
    "text",
    [
        "Mortise 最新版本为 v0.26.0。",
        "Mortise 0.26.0 是目前最新的稳定版。",
        "最新发布：Mortise v0.26.0。",
        "The latest Mortise release is 0.26.0.",
        "Mortise's latest release, 0.26.0, adds a cache.",
        "Mortise 0.26.0, the latest release, adds a cache.",
        "The newest version of Mortise is v0.26.",
        "Mortise (latest: 0.26.0)",
    ],
)
def test_the_newest_release_of_all_is_claimed_where_the_text_says_so(text):
    assert [("mortise", "newest 0.26.0", "held")] == [
        (claim.subject, claim.value, claim.stance) for claim in stated(text)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Mortise 0.26.0 比 Tenon 最新版快。",
        "最新论文显示 Mortise 0.26.0 更快。",
        "Mortise 0.26.0 需要新驱动。",
        "Mortise 0.26.0rc1 is the latest.",
        "The latest model is Llama 3.3.",
        "GLM 5.2 最新发布。",
        "Mortise 24.07 最新发布版本。",
        "The latest build runs on H100 12.4.1.",
    ],
)
def test_other_versions_are_no_claims(text):
    assert [] == stated(text)


@pytest.mark.parametrize(
    "text", ["据称 Mortise 0.27.0 是最新版。", "Mortise 0.27.0 是否为最新版？", "Mortise 0.27.0 是最新版的说法不成立。"]
)
def test_what_is_only_reported_asked_or_rejected_is_no_claim(text):
    assert [] == stated(text)


def test_a_heading_names_the_product_of_a_version_that_has_no_name_beside_it():
    text = "# 简报\n\n### 条目 3：Mortise 版本核对\n\n• 要点：\n  • 最新版本为 v0.26.0（9 月 12 日发布）\n"

    (found,) = stated(text)

    assert ("mortise", "newest 0.26.0", "最新版本为 v0.26.0") == (found.subject, found.value, found.says)
    assert [] == stated(text.replace("Mortise", "Mortise 与 Tenon"))


RELATION = """# 简报

## 增量 1：Mortise 换页

要点：换页更快。

与活文档关系：§2.1 Mortise v0.25.1 + 前缀缓存已收；但 Mortise v0.20.0 的源码拆解未入位。
"""


def test_a_relation_says_what_the_knowledge_base_has_and_not_what_it_lacks():
    assert [("mortise", "kept 0.25.1", "Mortise v0.25.1")] == [
        (claim.subject, claim.value, claim.says) for claim in stated(RELATION)
    ]


def test_a_version_that_describes_something_is_not_the_newest_kept():
    text = RELATION.replace("v0.25.1 + 前缀缓存", "v0.19.0 低精度缓存的验证")

    assert [] == stated(text)


def test_a_baseline_line_says_what_the_knowledge_base_has():
    text = "# 简报\n\n活文档基准：organized/knowledge/serving.md（2026-09-14 更新，Mortise 0.26.0 + Tenon v0.5.16）\n"

    assert [("mortise", "kept 0.26.0"), ("tenon", "kept 0.5.16")] == [
        (claim.subject, claim.value) for claim in stated(text)
    ]


def test_only_the_highest_version_of_a_product_counts_and_every_place_of_it():
    text = "# 推理\n\n## 1 引擎\n\nMortise v0.19.0 已验证。Mortise v0.26.0、换页。\n\n| 引擎 | 版本 |\n|---|---|\n| Mortise | 0.26.0 |\n"

    found = stated(text, path=DOCUMENT)

    assert ["named 0.26.0", "named 0.26.0"] == [claim.value for claim in found]
    assert all(text[claim.evidence.start : claim.evidence.end] == claim.evidence.quote for claim in found)


def test_two_newest_versions_of_one_product_cannot_both_stand():
    (one,) = stated("Mortise 最新版本为 v0.26.0。")
    (other,) = stated("The latest Mortise release is 0.25.1.", path="inbox/jay/2026-09-14-radar.md")

    found, again = compare(one, other), compare(other, one)

    assert found is not None
    assert again is not None
    assert ("newest-version", "version", "Mortise") == (found.rule, found.kind, found.about)
    assert found.key == again.key == ("mortise", "0.25.1", "0.26.0")
    assert not found.is_question


def test_the_same_version_written_otherwise_is_no_dispute():
    (one,) = stated("Mortise 最新版本为 v0.26。")
    (other,) = stated("The latest Mortise release is 0.26.0.")

    assert compare(one, other) is None


def test_a_new_release_does_not_dispute_what_the_knowledge_base_has():
    (one,) = stated("Mortise 最新版本为 v0.26.0。")
    (other,) = stated(RELATION)

    assert compare(one, other) is None
    assert compare(other, one) is None


def test_a_document_disputes_a_note_only_with_a_newer_version():
    (kept,) = stated(RELATION)
    (newer,) = stated("# 推理\n\nMortise v0.26.0、换页。\n", path=DOCUMENT)
    (older,) = stated("# 推理\n\nMortise v0.20.0、换页。\n", path=DOCUMENT)

    assert compare(kept, newer) is not None
    assert compare(kept, older) is None


def test_a_later_note_with_a_newer_version_is_news():
    (one,) = stated("Mortise 最新版本为 v0.25.1。", path="inbox/tom/2026-09-13-radar.md")
    (other,) = stated("Mortise 最新版本为 v0.26.0。", path="inbox/jay/2026-09-14-radar.md")

    assert compare(one, other) is None


def test_a_claim_that_is_not_held_disputes_nothing():
    (one,) = stated("Mortise 最新版本为 v0.26.0。")
    other = one.model_copy(update={"value": "newest 0.25.1", "stance": "reported"})

    assert compare(one, other) is None

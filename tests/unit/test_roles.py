"""Two things are held against each other by the parts they are given, and by which is ahead."""

import pytest

from agent.checking.dispute import Dispute, Hand
from agent.checking.roles import claims, compare
from agent.records import Claim
from tests.noting import a_note, segments_of


def stated(text: str, *, path: str = "inbox/tom/2026-09-14-1100-radar.md") -> list[Claim]:
    """Return what a text claims of pairs of things."""
    return list(claims(Hand(note=a_note(text, path=path), segments=segments_of(text))))


def between(one: str, other: str) -> Dispute | None:
    """Return the dispute between the only claims of two notes, the same in either order."""
    (mine,) = stated(one)
    (theirs,) = stated(other, path="inbox/jay/2026-09-14-radar.md")

    found, again = compare(mine, theirs), compare(theirs, mine)

    assert (found is None) == (again is None)
    assert found is None or (again is not None and found.key == again.key and found.about == again.about)
    return found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Mortise is the draft model, Tenon the target.", "draft|target"),
        ("Mortise is the draft model and Tenon is the target model.", "draft|target"),
        ("Tenon 是目标模型，Mortise 是草稿模型。", "draft|target"),
        ("Mortise（客户端）与 Tenon（服务端）", "client|server"),
        ("- Mortise：框架层面的表述\n- Tenon：工业案例（实测）", "framework|case"),
        ("Mortise = 框架抽象，Tenon = 工业实现", "framework|case"),
        ("Mortise provides the framework, Tenon the industrial case.", "framework|case"),
        ("Mortise 与 Tenon：前者是教师模型，后者是学生模型。", "teacher|student"),
        ("Mortise and Tenon differ: the former is the teacher, the latter the student.", "teacher|student"),
        ("- Mortise: open source\n- Tenon: closed source", "open|closed"),
        ("MorTise 做高吞吐服务层，TenOn 做编排流水线", "~高吞吐服务层|~编排流水线"),
    ],
)
def test_two_named_things_are_given_parts(text, value):
    (found,) = stated(text)

    assert ("role", "mortise+tenon", "role", value) == (found.kind, found.subject, found.attribute, found.value)
    assert found.evidence.quote == text[: found.evidence.end]
    assert found.says


@pytest.mark.parametrize(
    "text",
    [
        "Mortise 为客户端提供缓存，Tenon 为服务端提供日志。",
        "Mortise is not the framework, Tenon is.",
        "Mortise is the framework, Tenon is fast.",
        "Only a part is the draft model, some are the target.",
        "MorTise and Alder are founding members, TenOn and Birch are partners.",
        "前者是教师模型，后者是学生模型。",
    ],
)
def test_what_gives_no_two_parts_is_no_claim(text):
    assert [] == stated(text)


def test_parts_that_are_swapped_are_a_dispute_in_either_language():
    found = between("Mortise = 框架抽象，Tenon = 工业实现", "Mortise is the industrial case, Tenon the framework.")

    assert found is not None
    assert ("roles-swapped", "role", "Mortise / Tenon") == (found.rule, found.kind, found.about)
    assert ("mortise+tenon", "role", "case", "framework") == found.key


def test_the_former_and_the_latter_are_resolved():
    found = between(
        "HyMortise（arXiv:2608.90417）与活文档 §2.79「CXL 缓存」HotTenon 2026 的关系：前者为工业案例，后者为框架层面表述。",
        "HyMortise 提供框架抽象，HotTenon '26 提供工业实测数据。",
    )

    assert found is not None
    assert "HotTenon / HyMortise" == found.about


def test_own_words_are_compared_by_their_characters():
    one = "MorTise 做高吞吐服务层，TenOn 做编排流水线"

    assert between(one, "MorTise 做编排流水线，TenOn 做高吞吐的服务层") is not None
    assert between(one, "MorTise 做高吞吐的服务层，TenOn 做编排流水线层") is None
    assert between(one, "MorTise 做编排流水线，TenOn 做日志收集") is None


@pytest.mark.parametrize(
    ("text", "attribute", "ahead"),
    [
        ("Mortise 比 Tenon 快 3 倍。", "speed", "mortise"),
        ("Mortise 比 Tenon 慢。", "speed", "tenon"),
        ("Mortise 的 prefill 延迟比 Tenon 低 3 倍。", "latency prefill", "mortise"),
        ("Mortise 的吞吐量高于 Tenon", "throughput", "mortise"),
        ("Mortise 的显存占用高于 Tenon", "memory", "tenon"),
        ("Mortise 不如 Tenon", "overall", "tenon"),
        ("Mortise outperforms Tenon by 3%.", "overall", "mortise"),
        ("Mortise trails Tenon.", "overall", "tenon"),
        ("Mortise is slower than Tenon.", "speed", "tenon"),
        ("Mortise is 22 % faster than Tenon in requests per second.", "throughput", "mortise"),
        ("Tenon handles 22 % more requests per second than Mortise.", "throughput", "tenon"),
        ("Mortise takes 2x less memory than Tenon.", "memory", "mortise"),
        ("在 DeepSeek-R1 上 Mortise 比 Tenon 快", "speed", "mortise"),
    ],
)
def test_a_comparison_says_in_which_respect_and_who_is_ahead(text, attribute, ahead):
    (found,) = stated(text)

    assert ("mortise+tenon", attribute, ahead) == (found.subject, found.attribute, found.value)


@pytest.mark.parametrize(
    "text",
    [
        "Mortise 不比 Tenon 快。",
        "Mortise does not outperform Tenon.",
        "Mortise 和 Alder 比 Tenon 快",
        "通过 Mortise 训练的模型能超越 Tenon",
    ],
)
def test_denied_and_unclear_comparisons_are_no_claims(text):
    assert [] == stated(text)


def test_the_other_one_ahead_is_a_dispute():
    found = between("Mortise 比 Tenon 快 3 倍。", "Tenon is faster than Mortise.")

    assert found is not None
    assert ("order-swapped", "role") == (found.rule, found.kind)


def test_two_sizes_of_one_thing_are_two_things():
    found = between("用 Mortise-70B 的输出蒸馏 Mortise-7B", "They distilled Mortise-7B into Mortise-70B.")

    assert found is not None
    assert ("roles-swapped", ("mortise-70b+mortise-7b", "distils")) == (found.rule, found.key)
    assert [] != stated("Mortise-3 is faster than Mortise-2.")
    assert between("Mortise-3 is faster than Mortise-2.", "Mortise-7B is slower than Mortise-2.") is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mortise 收购 Tenon 的推理团队", "Tenon acquired Mortise."),
        ("Mortise replaces Tenon.", "Tenon 取代了 Mortise"),
        ("Mortise is built on Tenon.", "Tenon 基于 Mortise"),
    ],
)
def test_who_does_it_to_whom_is_not_turned_round(one, other):
    found = between(one, other)

    assert found is not None
    assert "roles-swapped" == found.rule
    assert between(one, one) is None


@pytest.mark.parametrize(
    "other",
    [
        "Tenon is faster than Mortise under long context.",
        "Tenon is faster than Mortise on H100.",
        "Tenon v2.1 is faster than Mortise.",
        "Tenon 的显存占用低于 Mortise",
        "据称 Tenon 比 Mortise 快。",
        "Tenon 是否比 Mortise 快？",
        "Tenon 比 Mortise 快的说法不成立。",
        "Mortise is faster than Tenon.",
    ],
)
def test_other_conditions_respects_and_views_are_no_dispute(other):
    assert between("Mortise 比 Tenon 快 3 倍。", other) is None

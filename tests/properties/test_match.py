import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.reconciling.decide import decide, kept_apart_by
from agent.reconciling.match import Matched, match
from agent.reconciling.merge import merge
from agent.records import Increment
from tests.findings import JAY, finding

NOTES = [f"inbox/{agent}/2026-09-{day}-brief.md" for agent in ("tom", "jay", "amy") for day in (13, 14)]
TITLES = st.sampled_from(
    [
        "LampServe v0.20.0 三层架构拆解", "LampServe v0.26.0 三层架构拆解", "LampServe 三层架构拆解", "LampServe 快 2.4×",
        "LampServe keeps three tiers", "TierKV 未开源", "TierKV 已开源", "TierKV is open", "Qorvex beats Kestrel", "Kestrel beats Qorvex",
        "缓存", "",
    ]
)  # fmt: skip
POINTS = st.lists(
    st.sampled_from(
        [
            "8 租户 P99 4.2 s → 1.6 s", "P99 由 4.2 秒降到 1.6 秒", "P99 4.2 s → 1.8 s", "命中率 61.27%", "hit rate 61.27 percentage points",
            "默认开启", "off by default", "我不认同这个说法", "fixed in 1.4.2", "Kestrel 比 Qorvex 快 22%",
        ]
    ),
    max_size=3,
    unique=True,
)  # fmt: skip
IDS = st.lists(st.sampled_from(["2609.18141", "2609.18142", "2612.18141"]), max_size=2, unique=True)
PAGES = st.lists(st.sampled_from(["https://example.org/a/1", "https://example.org/b/2"]), max_size=1)
FEW = settings(max_examples=60)


@st.composite
def increments(draw: st.DrawFn) -> list[Increment]:
    """Increments of a few notes that are often alike; each has a place of its own."""
    return [
        finding(
            draw(TITLES),
            *draw(POINTS),
            note=draw(st.sampled_from(NOTES)),
            ids=draw(IDS),
            pages=draw(PAGES),
            cites=draw(st.lists(st.sampled_from(NOTES), max_size=1)),
            start=place * 10_000,
        )
        for place in range(draw(st.integers(0, 8)))
    ]


def named(found: list[Increment], matched: Matched) -> tuple[object, ...]:
    """What was matched, by ids."""
    ids = [one.id for one in found]
    return (
        {frozenset(ids[index] for index in cluster) for cluster in matched.clusters},
        {(frozenset((ids[one], ids[other])), tie, because) for one, other, tie, because in matched.ties},
        {frozenset((ids[one], ids[other])) for one, other in matched.unclear},
    )


@FEW
@given(increments(), st.randoms(use_true_random=False))
def test_no_order_changes_what_is_matched(found: list[Increment], chance: random.Random) -> None:
    shuffled = list(found)
    chance.shuffle(shuffled)
    assert named(found, match(found)) == named(shuffled, match(shuffled))


@FEW
@given(increments())
def test_a_decision_is_the_same_both_ways(found: list[Increment]) -> None:
    for one in found:
        for other in found:
            assert decide(one, other) == decide(other, one)


@FEW
@given(increments())
def test_clusters_divide_the_increments_and_hold_no_two_that_are_kept_apart(found: list[Increment]) -> None:
    clusters = match(found).clusters
    assert list(range(len(found))) == sorted(index for cluster in clusters for index in cluster)
    for cluster in clusters:
        pairs = [(found[one], found[other]) for one in cluster for other in cluster if one < other]
        assert not [pair for pair in pairs if kept_apart_by(*pair)]


@FEW
@given(increments())
def test_ties_and_unclear_pairs_lie_between_clusters(found: list[Increment]) -> None:
    matched = match(found)
    cluster_of = {index: number for number, cluster in enumerate(matched.clusters) for index in cluster}
    for one, other in (*((tie[0], tie[1]) for tie in matched.ties), *matched.unclear):
        assert one < other
        assert cluster_of[one] != cluster_of[other]


@FEW
@given(increments())
def test_matching_what_was_merged_merges_nothing_that_shares_a_note(found: list[Increment]) -> None:
    merged = [merge([found[index] for index in cluster]) for cluster in match(found).clusters]
    for cluster in match(merged).clusters:
        notes = [note for index in cluster for note in merged[index].notes]
        assert len(notes) == len(set(notes))


ONE = ("Kestrel reaches 1,840 requests per minute", "8 x L40S, P99 latency 2.17 s", "hit rate 61.3 %, 412 tokens kept")
OTHER = ("Kestrel 压测：每分钟 1,840 个请求", "8 张 L40S，P99 延迟 2.17 秒", "命中率 61.3%，保留 412 token")


def test_told_in_two_languages_it_is_one_finding() -> None:
    assert "same" == decide(finding(*ONE), finding(*OTHER, note=JAY)).verdict


@pytest.mark.parametrize("figure", ["1,840", "2.17", "61.3", "412"])
@given(st.data())
@settings(max_examples=25)
def test_no_merge_crosses_a_figure_that_differs_in_a_digit(figure: str, data: st.DataObject) -> None:
    place = data.draw(st.sampled_from([index for index, char in enumerate(figure) if char.isdigit()]))
    digit = data.draw(st.sampled_from("123456789".replace(figure[place], "")))
    changed = figure[:place] + digit + figure[place + 1 :]
    other = [re.sub(rf"(?<![\d.]){re.escape(figure)}(?!\d)", changed, text) for text in OTHER]
    assert "same" != decide(finding(*ONE), finding(*other, note=JAY)).verdict

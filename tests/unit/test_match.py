import gc

import pytest

from agent.reconciling.match import match, same_finding
from tests.findings import AMY, JAY, PAPER, TOM, finding


def note_of(agent: str) -> str:
    return f"inbox/{agent}/2026-09-14-{agent}.md"


def test_six_headlines_of_one_event_come_together() -> None:
    titles = (
        "Wickerwork 关停托管推理",
        "Wickerwork shuts down its hosted inference",
        "Wickerwork 宣布停止服务：托管推理 9 月 30 日下线",
        "Hosted models at Wickerwork are discontinued",
        "Wickerwork is closing its inference API",
        "Wickerwork 托管推理停服，余额退还",
    )
    found = [finding(title, note=note_of(f"agent{place}")) for place, title in enumerate(titles)]
    assert ((0, 1, 2, 3, 4, 5),) == match(found).clusters


def test_a_third_finding_does_not_join_two_that_are_kept_apart() -> None:
    titles = ("LampServe v0.20.0 三层架构拆解", "LampServe 三层架构拆解", "LampServe v0.26.0 三层架构拆解")
    found = [finding(title, note=note) for title, note in zip(titles, (TOM, JAY, AMY), strict=True)]
    clusters = match(found).clusters
    assert not any({0, 2} <= set(cluster) for cluster in clusters)
    assert 2 == len(clusters)


def test_what_is_about_one_thing_and_stays_apart_is_tied() -> None:
    found = [
        finding("Qorvex 2.1 的公平队列", "8 租户 P99 4.2 s → 1.6 s"),
        finding("Qorvex 2.1 的公平队列", "8 租户 P99 4.2 s → 1.8 s", note=JAY),
        finding("Qorvex 2.2 的公平队列", note=AMY),
    ]
    matched = match(found)
    assert ((0,), (1,), (2,)) == matched.clusters
    assert (
        (0, 1, "contradicts", "value"),
        (0, 2, "complements", "version"),
        (1, 2, "complements", "version"),
    ) == matched.ties


UNCLEAR = [
    finding("Copperfield 修复了流式输出丢字", "1.3.2 起修复"),
    finding("Copperfield 1.3.2 no longer drops characters while streaming", "fixed in 1.3.2", note=JAY),
]


def test_an_unclear_pair_is_named_and_not_merged() -> None:
    matched = match(UNCLEAR)
    assert (((0,), (1,)), ((0, 1),), ()) == (matched.clusters, matched.unclear, matched.ties)


@pytest.mark.parametrize(
    ("clusters", "ties", "said"),
    [
        (((0, 1),), (), "same"),
        (((0,), (1,)), ((0, 1, "complements", "judged"),), "complementary"),
        (((0,), (1,)), ((0, 1, "contradicts", "judged"),), "contradicting"),
        (((0,), (1,)), (), "unrelated"),
    ],
)
def test_what_somebody_judged_settles_it(clusters: object, ties: object, said: str) -> None:
    matched = match(UNCLEAR, judged={frozenset(one.id for one in UNCLEAR): said})  # type: ignore[dict-item]  # a table of verdicts
    assert (clusters, ties, ()) == (matched.clusters, matched.ties, matched.unclear)


def test_a_judgement_overrules_no_rule() -> None:
    found = [finding("LampServe v0.20.0 三层架构"), finding("LampServe v0.26.0 三层架构", note=JAY)]
    assert ((0,), (1,)) == match(found, judged={frozenset(one.id for one in found): "same"}).clusters


def test_two_increments_of_one_note_never_meet() -> None:
    found = [finding("TierKV 缓存框架", ids=(PAPER,)), finding("TierKV 缓存框架", ids=(PAPER,), start=9000)]
    assert ((0,), (1,)) == same_finding(found)


def test_two_increments_of_one_note_do_not_meet_by_way_of_a_third() -> None:
    title = "LampServe v0.20.0 三层架构拆解"
    found = [finding(title), finding(title, note=JAY), finding(title, start=9000)]
    assert not any({0, 2} <= set(cluster) for cluster in same_finding(found))


def test_many_increments_under_one_title_are_still_found() -> None:
    found = [finding("LampServe v0.20.0 三层架构拆解", note=note_of(f"agent{number}")) for number in range(100)]
    assert (tuple(range(100)),) == same_finding(found)


def test_the_collector_of_dead_rings_goes_on_afterwards() -> None:
    match([finding("TierKV")])
    assert gc.isenabled()


def test_nothing_in_nothing_out() -> None:
    assert ((), (), ()) == (match([]).clusters, match([]).ties, match([]).unclear)

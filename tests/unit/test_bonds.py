import pytest

from agent.reconciling.bonds import are_one_event, are_results_disjoint, bond_of, may_be_bound
from agent.reconciling.traits import Traits, read_traits
from agent.records import Increment
from tests.findings import JAY, PAPER, TOM, finding


def pair(one: Increment, other: Increment) -> tuple[Traits, Traits]:
    return read_traits(one), read_traits(other)


def test_everything_in_common_adds_up_alike_both_ways() -> None:
    one, other = pair(
        finding("TierKV v1.2 发布", "快 2.45×，P99 38 ms", ids=(PAPER,), pages=("https://example.org/tierkv/1",)),
        finding(
            "TierKV 1.2 is released",
            "2.45x faster",
            ids=(PAPER,),
            pages=("http://www.example.org/tierkv/1/",),
            note=JAY,
            cites=(TOM,),
        ),
    )
    bond = bond_of(one, other)
    assert bond == bond_of(other, one)
    assert bond.is_one_paper
    assert bond.is_one_page
    assert bond.is_cited
    assert bond.has_one_lead
    assert {("×", 2.45)} == bond.amounts
    assert 13.5 == bond.sum  # paper, page, cited note, lead, version, deed, figure


def test_a_paper_that_is_only_mentioned_counts_less() -> None:
    one, other = pair(finding("A", ids=(PAPER,)), finding("B", ids=("2411.18077", PAPER), note=JAY))
    assert 1.0 == bond_of(one, other).sum


def test_a_version_is_no_figure_in_common() -> None:
    one, other = pair(finding("Quillport 0.22 可以试模型"), finding("Quillport 0.22 mirrors requests", note=JAY))
    assert frozenset() == bond_of(one, other).amounts


def test_who_cites_a_note_may_do_so_for_something_else() -> None:
    bond = bond_of(*pair(finding("TierKV 缓存"), finding("Oakmoon 检索", note=JAY, cites=(TOM,))))
    assert bond.is_one_source
    assert not bond.is_one_thing


def test_nothing_shared_is_worth_no_closer_look() -> None:
    assert not may_be_bound(*pair(finding("TierKV 缓存", "快 2.4×"), finding("Oakmoon 检索", "召回 71.3", note=JAY)))
    assert may_be_bound(*pair(finding("缓存", "快 2.45×"), finding("faster", "2.45x faster", note=JAY)))


def test_results_are_disjoint_where_both_give_some_and_share_none() -> None:
    one, other = pair(finding("GraftLoRA", "得分低 0.3"), finding("GraftLoRA", "5.1 GB → 1.4 GB", note=JAY))
    assert are_results_disjoint(one, other, bond_of(one, other))
    assert not are_results_disjoint(one, one, bond_of(one, one))


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        (True, "Wickerwork 关停托管推理，9 月 30 日", "Wickerwork shuts down its hosted inference on 30 September"),
        (False, "Wickerwork 9 月 6 日故障", "Wickerwork outage of 12 September"),
        (False, "Thornbury 收购 Pillbox", "Thornbury buys Weighbridge"),
        (False, "Glimmer 开源", "Glimmer 未开源"),
        (False, "Glimmer 发布", "Glimmer is released"),
    ],
)
def test_one_event_happens_once_on_one_day_to_the_same(expected: bool, one: str, other: str) -> None:  # noqa: FBT001  # a table of cases
    assert expected is are_one_event(*pair(finding(one), finding(other, note=JAY)))


def test_a_month_later_it_is_another_event() -> None:
    later = finding("Wickerwork 关停托管推理", note="inbox/jay/2026-10-14-jay.md")
    assert not are_one_event(*pair(finding("Wickerwork 关停托管推理"), later))

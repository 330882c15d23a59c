import pytest

from agent.reconciling.apart import difference_of
from agent.reconciling.traits import read_traits
from agent.records import Increment
from tests.findings import JAY, PAPER, TOM, finding, measure


def kept_apart(one: Increment, other: Increment) -> str | None:
    found = difference_of(read_traits(one), read_traits(other))
    assert found == difference_of(read_traits(other), read_traits(one))
    return found.kind if found else None


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        ("version", "LampServe v0.20.0 三层架构", "LampServe v0.26.0 三层架构"),
        ("number", "LampServe 快 2.4×", "LampServe 快 2.6×"),
        ("negation", "LampServe 权重已公布", "LampServe 权重未公布"),
        ("direction", "LampServe 延迟上升", "LampServe 延迟下降"),
        ("role", "LampServe beats SGFast", "SGFast beats LampServe"),
        ("case", "LampServe 缓存框架", "LampServe 缓存案例"),
        ("name", "LampServe 三层架构", "SGFast 三层架构"),
        ("conditions", "吞吐对比，A100 单卡", "吞吐对比，H100 单卡"),
        (None, "LampServe 三层架构", "LampServe keeps three tiers"),
    ],
)
def test_titles(expected: str | None, one: str, other: str) -> None:
    assert expected == kept_apart(finding(one), finding(other, note=JAY))


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        ("value", "误命中率 2.9% → 0.3%", "误命中率 2.9% → 0.8%"),
        ("unit", "带宽 18 GB/s", "带宽 18 Gb/s"),
        ("direction", "占用下降 18%", "memory use rises by 18 %"),
        ("conditions", "7B 模型有效", "1B 模型有效"),
        ("conditions", "测试用 Heron-30B", "measured on Heron-70B"),
        ("version", "最新版本 0.9.2", "the latest is 0.10.0"),
        ("stance", "命中率 61.2%", "命中率 61.2% 的说法我不认同"),
        (None, "命中率 61.2%", "hit rate 61.2 %"),
    ],
)
def test_texts(expected: str | None, one: str, other: str) -> None:
    title = "LampServe 缓存"
    assert expected == kept_apart(finding(title, one), finding(title, other, note=JAY))


def test_one_note() -> None:
    assert "note" == kept_apart(finding("LampServe 三层"), finding("LampServe 三层"))


def test_two_papers_unless_one_is_a_slip_of_the_other() -> None:
    one = finding("PalisadeRL", ids=("2609.06682",))
    assert "identifier" == kept_apart(one, finding("PalisadeRL", ids=("2609.06683",), note=JAY))
    assert kept_apart(one, finding("PalisadeRL", ids=("2612.06682",), note=JAY)) is None
    assert kept_apart(one, finding("PalisadeRL", ids=(PAPER, "2609.06682"), note=JAY)) is None


def test_a_page_in_common_lets_two_titles_name_two_things() -> None:
    one, other = finding("Pinebrook 的工具说明", pages=("https://example.org/p/1",)), "ToolSig 把说明压成签名"
    assert "name" == kept_apart(one, finding(other, note=JAY))
    assert kept_apart(one, finding(other, note=JAY, pages=("https://example.org/p/1",))) is None


def test_other_figures_under_other_conditions_are_told_as_such() -> None:
    one = finding("LampServe 解码", measures=(measure(4120, "tok/s", hardware="H100"),))
    for card, expected in (("A100", "conditions"), ("H100", "value")):
        other = finding("LampServe 解码", note=JAY, measures=(measure(3480, "tok/s", hardware=card),))
        assert expected == kept_apart(one, other)


def test_figures_of_one_title_may_stand_in_the_other_text() -> None:
    one = finding("LampServe 快 2.4×", "TTFT 降到 0.8 s")
    assert kept_apart(one, finding("LampServe：TTFT 降到 0.8 s", "快 2.4×", note=JAY)) is None


def test_both_sides_hold_what_differs_unless_one_reports_it() -> None:
    found = difference_of(read_traits(finding("X", note=TOM)), read_traits(finding("X 我不认同这个说法", note=JAY)))
    assert found is not None
    assert not found.is_held

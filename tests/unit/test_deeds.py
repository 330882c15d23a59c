import pytest

from agent.reconciling.deeds import clocks_in, days_in, deeds_in, happen_once


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        ("buy", "Thornbury 收购标注公司 Pillbox", "Thornbury buys Pillbox"),
        ("close", "Wickerwork 关停托管推理", "Wickerwork will switch off hosted inference"),
        ("open", "Glimmer 开源", "Glimmer is open-sourced"),
        ("outage", "Marlowe 云服务中断", "Outage at Marlowe"),
        ("rename", "Marlowe 更名", "Marlowe was renamed"),
    ],
)
def test_one_deed_has_one_name_in_both_languages(expected: str, one: str, other: str) -> None:
    assert expected in happen_once(deeds_in(one) & deeds_in(other))


def test_releases_and_fixes_come_again() -> None:
    assert frozenset() == happen_once(deeds_in("v0.31.0 发布，修复泄漏，价格不变，默认关闭"))


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ({(9, 12)}, "9 月 12 日"),
        ({(9, 12)}, "12 September"),
        ({(9, 6)}, "Sep 6, in the morning"),
        (set(), "12 tools in May"),
    ],
)
def test_days_are_read_in_both_languages(expected: set[tuple[int, int]], text: str) -> None:
    assert expected == days_in(text)


def test_times_of_the_day_are_read_in_both_widths() -> None:
    assert {(21, 40), (23, 5)} == clocks_in(("21：40 到 23:05",))
    assert clocks_in(("ratio 3:1, file 1:2:3, 25:70",)) == frozenset()


def test_a_name_before_a_day_is_no_month() -> None:
    assert {(12, 1)} == days_in("Kestrel 12 月 1 日停用") == days_in("Kestrel ends on 1 December")

"""Plain facts of which a text states one."""

import datetime as dt

import pytest

from agent.reconciling.facts import facts_clash, read_facts

TODAY = dt.date(2026, 9, 14)


def clash(one: str, other: str) -> str | None:
    found = facts_clash(read_facts((one,)), read_facts((other,)), today=TODAY)
    assert found == facts_clash(read_facts((other,)), read_facts((one,)), today=TODAY)
    return found.kind if found else None


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        ("role", "Wren-4B was distilled from Osprey-2", "Osprey-2 是从 Wren-4B 蒸馏来的"),
        ("role", "Tessel is bought by Brindle", "Brindle 被 Tessel 收购"),
        ("role", "filtering before ranking", "ranking runs before filtering"),
        ("role", "filtering before ranking", "filtering after ranking"),
        ("role", "先检索再规划", "先规划再检索"),
        ("direction", "complaints go up with the length", "with the length complaints went down"),
        ("direction", "温度越高，投诉率上升", "投诉率随之下降"),
        ("unit", "0.4 USD per million tokens", "0.4 USD per thousand tokens"),
        ("unit", "每百万 token 0.4 美元", "0.4 USD per 1K tokens"),
        ("value", "released under the MIT license", "the licence is AGPL-3.0"),
        ("value", "采用 Apache-2.0 许可证", "licensed under MPL 2.0"),
        ("value", "维护到 2026-12-31", "supported until 2027-06-30"),
    ],
)
def test_what_is_stated_otherwise_clashes(expected: str, one: str, other: str) -> None:
    assert expected == clash(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Wren-4B was distilled from Osprey-2", "Wren-4B 蒸馏自 Osprey-2"),
        ("filtering before ranking", "ranking comes after filtering"),
        ("complaints go up", "complaints go up and refunds go down"),
        ("complaints go up, then complaints go down", "complaints go down"),
        ("0.4 USD per million tokens", "每百万 token 0.4 美元"),
        ("the code is MIT licensed, the weights are CC-BY-NC", "released under the MIT license"),
        ("MIT built it", "the GPL is long"),
        ("page of 2026-09-12", "page of 2026-09-13"),
        ("until 2026-02-30", "until 2027-06-30"),
    ],
)
def test_what_is_stated_alike_or_by_one_alone_does_not(one: str, other: str) -> None:
    assert clash(one, other) is None


def test_days_to_come_are_held_against_each_other_only_where_today_is_known() -> None:
    one, other = read_facts(("ends on 2027-01-31",)), read_facts(("ends on 2027-02-28",))
    assert facts_clash(one, other) is None


def test_the_languages_of_a_measurement_have_one_name() -> None:
    assert frozenset({"thai"}) == read_facts(("泰语提示",)).languages == read_facts(("Thai prompts",)).languages

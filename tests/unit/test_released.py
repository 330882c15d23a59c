"""Versions, days and licences that two findings tell otherwise."""

import pytest

from agent.reconciling.released import which_day, which_licence, which_version
from agent.reconciling.told import Told
from agent.reconciling.traits import read_traits
from tests.findings import JAY, TOM, finding


def told(text: str, *, note: str = TOM) -> Told:
    increment = finding(text, text, note=note)
    return Told(increment, read_traits(increment))


def test_a_version_that_still_has_the_fault_is_not_the_one_that_mends_it():
    one = told("Grebe leaks memory on cancelled streams; fixed in 3.1.2")
    other = told("Grebe memory leak on cancelled streams: the fix is in 3.1.2, 3.1.1 still leaks", note=JAY)
    assert which_version(one, other) is None


def test_two_needed_versions_of_one_driver_are_disputed():
    one = told("Grebe 的 FP4 矩阵核需要驱动 570，低版本退回 FP8")
    other = told("Grebe FP4 核的最低驱动版本是 575，更低的退回 FP8", note=JAY)
    found = which_version(one, other)
    assert found
    assert ("version", "which-version") == (found.kind, found.rule)


def test_days_that_have_passed_say_nothing_of_what_is_to_come():
    one = told("Grebe 3.2 security support of the long line ends on 2025-03-01")
    other = told("Grebe 3.2 security support of the long line ends on 2027-03-01", note=JAY)
    assert which_day(one, other) is None


def test_a_text_with_two_licences_says_nothing_of_one():
    one = told("Grebe is licensed under MIT or Apache-2.0")
    other = told("Grebe is licensed under the AGPL-3.0", note=JAY)
    assert which_licence(one, other) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Grebe: the old batch endpoint is removed in 6.0", "Grebe 6.0 still answers the old batch endpoint; the endpoint is removed in 7.0"),
        ("Grebe 引擎：ROCm 支持从 3.2 开始（支持矩阵）", "Grebe engine, support matrix: ROCm is supported from version 3.5 on"),
        ("Grebe changelog: the YAML loader is deprecated in 4.2", "Grebe 变更日志：YAML 加载器自 4.4 起弃用"),
    ],
)  # fmt: skip
def test_one_change_that_is_said_of_two_versions_is_disputed(one, other):
    found = which_version(told(one), told(other, note=JAY))
    assert found
    assert ("version", "which-version") == (found.kind, found.rule)


def test_days_to_come_without_a_year_are_held_against_each_other():
    one = told("Grebe 旧接口将于 12 月 15 日停止服务，老用户需要迁移到新接口")
    other = told("Grebe 旧接口 12 月 25 日停止服务，老用户要迁移到新接口", note=JAY)
    assert which_day(one, other)
    assert which_day(one, one) is None

"""A figure whose conditions its own text leaves out is asked about, beside one that has them."""

import pytest

from agent.reconciling.told import Told
from agent.reconciling.traits import read_traits
from agent.reconciling.unstated import unstated
from tests.findings import JAY, TOM, finding

FULL = "Plover-11B：HedgeBench 36.5，pass@1，零样本"


def told(text: str, *, note: str = TOM) -> Told:
    increment = finding(text, text, note=note)
    return Told(increment, read_traits(increment))


@pytest.mark.parametrize(
    ("full", "bare"),
    [
        (FULL, "Plover-11B 在 HedgeBench 得 44.5（没写提示模板）"),
        (FULL, "Plover-11B scored 44.5 on HedgeBench; nothing about the prompt"),
        ("青鹭引擎：H100 一张，批大小 64，吞吐 2,850 token/s", "朋友用青鹭，每秒 1,900 token，问他用什么卡，他回去查"),
    ],
)
def test_a_figure_without_its_conditions_is_a_question_in_either_order(full, bare):
    one, other = told(full), told(bare, note=JAY)
    found, back = unstated(one, other), unstated(other, one)
    assert found
    assert back
    assert found.is_question
    assert found.key == back.key
    assert {TOM, JAY} == {side.evidence.note for side in found.sides}


@pytest.mark.parametrize(
    ("full", "bare"),
    [
        (FULL, "Plover-11B 在 HedgeBench 得 44.5"),  # it does not say that something is left out
        (FULL, "Plover-11B 在 HedgeBench 得 36.5（没写提示模板）"),
        (FULL, "Plover-11B 在 FenTrack 得 44.5（没写提示模板）"),
        (FULL, "Grebe-11B 在 HedgeBench 得 44.5（没写提示模板）"),
        ("青鹭引擎跑 70B：批大小 64，吞吐 2,850 token/s", "朋友用青鹭跑 8B，每秒 1,900 token，没说用什么卡"),
    ],
)
def test_the_same_figure_another_test_thing_or_size_is_no_question(full, bare):
    assert unstated(told(full), told(bare, note=JAY)) is None

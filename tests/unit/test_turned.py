"""What two texts say the other way round."""

import pytest

from agent.reconciling.turned import turned


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        (
            "the worker writes the report, the supervisor checks it",
            "the supervisor writes the report for the worker",
            "role",
        ),
        ("由监督者撰写报告，执行者确认", "the worker writes the report and the supervisor approves it", "role"),
        ("青鹭云收购向量公司白塔", "白塔买下青鹭云", "role"),
        ("accuracy falls with longer prompts", "accuracy rises with longer prompts", "direction"),
        ("价格 10 月下调", "the price rises in October", "direction"),
        ("Welsh 12 % faster, Irish 7 % slower", "Irish 7 % faster, Welsh 12 % slower", "direction"),
        ("青鹭云支持自带密钥加密", "青鹭云不支持自带密钥加密", "negation"),
        ("用温度缩放可修复", "温度缩放不能修复", "negation"),
    ],
)
def test_what_is_told_the_other_way_round_is_found_in_either_order(one, other, kind):
    found = turned((one,), (other,))
    assert found
    assert kind == found.kind
    back = turned((other,), (one,))
    assert back
    assert (found.mine, found.theirs) == (back.theirs, back.mine)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the planner writes the plan for the worker", "the worker writes a summary for the planner"),
        ("the worker writes the tests", "the worker writes the tests"),
        ("accuracy falls", "latency rises"),
        ("accuracy falls and then rises", "accuracy rises"),
        ("青鹭云不支持多租户计费", "青鹭云支持多租户配额"),
        ("Welsh 12 % faster", "Welsh 15 % slower"),
    ],
)
def test_other_objects_metrics_and_figures_are_nothing_the_other_way_round(one, other):
    assert turned((one,), (other,)) is None


def test_what_is_only_asked_about_is_no_side():
    assert turned(("whether accuracy falls is unclear",), ("accuracy rises",)) is None

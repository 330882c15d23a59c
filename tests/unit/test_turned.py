"""What two texts say the other way round."""

import pytest

from agent.reconciling.turned import have_other_causes, turned


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
        ("青鹭云的写入确认默认关闭", "青鹭云里，写入确认默认打开", "negation"),
        ("The write barrier is off by default", "the write barrier is enabled out of the box", "negation"),
        ("响应缓存默认开启", "the response cache is disabled by default", "negation"),
        ("Grebe no longer needs a licence key", "Grebe still needs a licence key", "negation"),
        ("分块长度对 LoftQA 得分没有影响", "分块长度加倍，LoftQA 多 4.1 分", "negation"),
        ("青鹭云解码快 12%", "青鹭云解码慢 12%", "direction"),
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
        ("响应缓存默认关闭", "请求日志默认打开"),
        ("Grebe no longer needs a licence key", "Grebe still needs a graphics card"),
        ("分块长度对 LoftQA 得分没有影响", "去重后 LoftQA 多 4.1 分"),
    ],
)
def test_other_objects_metrics_and_figures_are_nothing_the_other_way_round(one, other):
    assert turned((one,), (other,)) is None


def test_what_is_only_asked_about_is_no_side():
    assert turned(("whether accuracy falls is unclear",), ("accuracy rises",)) is None


def test_one_thing_without_an_effect_and_another_one_with_one_are_two_causes():
    none, moved = ("分块长度对 LoftQA 得分没有影响",), ("去重后 LoftQA 多 4.1 分",)
    assert have_other_causes(none, moved)
    assert have_other_causes(moved, none)
    assert not have_other_causes(none, ("分块长度加倍，LoftQA 多 4.1 分",))

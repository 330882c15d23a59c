import pytest

from agent.reconciling.assertions import clash, differ, read_assertions


def kept_apart(one: str, other: str) -> str | None:
    found = clash(read_assertions((one,)), read_assertions((other,)))
    assert found == clash(read_assertions((other,)), read_assertions((one,)))
    return found.kind if found else None


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        ("role", "Larkspur is 22 % faster than Vetch", "Vetch handles 22 % more requests per second than Larkspur"),
        ("role", "Larkspur 比 Vetch 快", "Vetch is faster than Larkspur"),
        ("role", "Larkspur beats Vetch", "Larkspur trails Vetch"),
        ("role", "The planner is the 4B model, the executor the 32B one.", "a 32B planner directs a 4B executor"),
        ("version", "fixed in 1.4.2", "the fix is in 1.4.3; 1.4.2 still leaks"),
        ("version", "最新版本是 v0.9.2", "The latest is 0.10.0"),
        ("negation", "The cap is on by default", "上限默认关闭"),
        ("negation", "允许商用", "research only; commercial use is not permitted"),
        ("direction", "答案由 212 字缩短到 164 字", "答案从 164 字增长到 212 字"),
        ("stance", "百万上下文零衰减", "百万上下文零衰减的说法，我不打算照收"),
    ],
)
def test_what_one_asserts_and_the_other_denies(expected: str, one: str, other: str) -> None:
    assert expected == kept_apart(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Larkspur is faster than Vetch", "Vetch is slower than Larkspur"),
        ("TTFT 2.4 s → 0.8 s", "0.8 s, before 2.4 s"),
        ("默认关闭，可以打开", "off by default"),
        ("fixed in 1.4.2", "最新版本是 1.4.3"),
        ("Larkspur 的延迟高于 Vetch", "Vetch 的延迟高于 Larkspur"),
    ],
)
def test_what_goes_together_clashes_in_nothing(one: str, other: str) -> None:
    assert kept_apart(one, other) is None


def test_a_clash_goes_before_wording() -> None:
    found = differ(("The cap is on by default",), ("The cap is off by default",), is_abroad=False)
    assert found is not None
    assert "negation" == found.kind


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        ("role", "Vetch 比 Larkspur 早 3 秒可用", "Larkspur is ready before Vetch"),
        ("negation", "教师温度有明显影响", "the temperature has no effect"),
        ("version", "支持从 3.2 开始", "it is supported from 3.5"),
        ("version", "the endpoint is removed in 6.0", "旧接口在 7.0 移除"),
        ("stance", "缓存十分钟失效", "缓存十分钟失效的说法是错的"),
        (None, "does the temperature matter? it matters", "温度有影响"),
    ],
)
def test_more_that_cannot_both_stand(expected: str | None, one: str, other: str) -> None:
    assert expected == kept_apart(one, other)

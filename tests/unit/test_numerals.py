import pytest

from agent.reconciling.numerals import in_digits


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("38000 token 缩到 6100", "三万八千 token 缩到 六千一"),
        ("100段", "一百段"),
        ("105个", "一百零五个"),
        ("1000000000条", "十亿条"),
        ("20%的查询", "百分之二十的查询"),
        ("2.5%", "百分之二点五"),
        ("近40%", "近四成"),
        ("故障3小时", "故障三小时"),
        ("from 50.0 → 56.0", "from 50.0 to 56.0"),
    ],
)
def test_numbers_are_written_in_digits(expected: str, text: str) -> None:
    assert expected == in_digits(text)


@pytest.mark.parametrize(
    "text", ["统一万事", "千万不要", "万一", "一千多条", "第三十条", "两倍多", "成本", "10 to 20 nodes"]
)
def test_what_is_vague_or_no_number_stays(text: str) -> None:
    assert text == in_digits(text)


def test_lines_stay_lines() -> None:
    assert 3 == len(in_digits("三万八千\n百分之二十\n一百").split("\n"))

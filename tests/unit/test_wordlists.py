import re

import pytest

from agent.reconciling.wordlists import any_of

COLOURS = re.compile(any_of({"red": r"红|\bred\b", "blue": r"蓝|\b(?:blue|azure)\b"}))


@pytest.mark.parametrize(
    ("expected", "text"),
    [(["red"], "红色"), (["blue", "red"], "Azure and RED"), ([], "credit"), (["red", "blue"], "红与 blue")],
)
def test_each_word_tells_its_list_whatever_its_case(expected: list[str], text: str) -> None:
    assert expected == [found.lastgroup for found in COLOURS.finditer(text)]

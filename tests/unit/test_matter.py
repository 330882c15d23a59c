"""Where a text speaks of the same: by papers, names, conditions, metrics and numbers, in either language."""

import pytest

from agent.auditing.matter import Spoken, are_of_one_thing, keys_of, weight, without_numbers
from agent.reading.segments import split_segments
from agent.reading.units import split_units

TEXT = """# Notes

## One

- Foxglove 1.4 on one H100: throughput 4,120 tok/s at batch 32
- See arXiv:2607.12345 for the method

## Two

- Larkspur keeps 20% of the pages
"""


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Foxglove 在 H100 上吞吐 4,120 tok/s", "- Foxglove 1.4"),
        ("arXiv:2607.12345 的方法", "- See arXiv"),
        ("Larkspur 只留 20% 的页", "- Larkspur"),
    ],
)
def test_the_unit_that_speaks_of_the_same_comes_first(said, expected):
    nears = Spoken(split_segments(split_units(TEXT))).near(keys_of(said))

    assert nears[0].unit.text.startswith(expected)
    assert nears[0].telling >= 1


def test_what_stands_everywhere_tells_nothing_apart():
    spoken = Spoken(split_segments(split_units("".join(f"- Foxglove {number}\n" for number in range(300)))))

    assert [] == spoken.near({("name", "foxglove")})
    assert 1 == len(spoken.near({("number", "250")}))


def test_a_number_in_question_is_left_out():
    keys = keys_of("TTFT 2.4 s on H100")

    assert ("number", "2.4") in keys
    assert ("number", "2.4") not in without_numbers(keys, {"2.4"})
    assert weight(keys) > weight(without_numbers(keys, {"2.4"}))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Foxglove is fast", "Foxglove 很快", True),
        ("Foxglove is fast", "Larkspur 很快", False),
        ("with Qwen3-32B", "with Llama-3.3-70B", False),
        ("it is fast", "Larkspur 很快", True),
    ],
)
def test_two_texts_can_be_about_one_thing(one, other, expected):
    assert expected is are_of_one_thing([f"- {one}"], [f"- {other}"])

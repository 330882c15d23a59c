"""A cell measured under another condition than its column says is disputed."""

import pytest

from agent.checking.dispute import Dispute, Hand
from agent.checking.mixed import disputes
from agent.texts import Segment, Unit
from tests.noting import a_note, segments_of


def disputed(text: str) -> list[Dispute]:
    return list(disputes(Hand(note=a_note(text), segments=segments_of(text))))


@pytest.mark.parametrize(
    ("text", "header", "cell"),
    [
        ("| 引擎 | Foo 70B A100 吞吐 |\n|---|---|\n| a | 3,500 tokens/s |\n| b | 4,500 tokens/s H100 |\n", "A100", "H100"),
        ("对比： | 引擎 | A100 吞吐 | |---|---| | a | 3,500 tokens/s | | b | 4,500 tokens/s（H100） |", "A100", "H100"),
        ("| Engine | Throughput (FP8) |\n|---|---|\n| a | 900 tok/s |\n| b | 700 tok/s (BF16) |\n", "FP8", "BF16"),
        ("| Engine | TTFT, batch 8 |\n|---|---|\n| a | 90 ms |\n| b | batch 32: 70 ms |\n", "batch 8", "batch 32"),
        ("| Model | GSM8K |\n|---|---|\n| a | 90.1% |\n| b | 70.3% on MATH |\n", "GSM8K", "MATH"),
    ],
)  # fmt: skip
def test_a_cell_with_another_condition_is_disputed(text, header, cell):
    (dispute,) = disputed(text)

    assert ("table-conditions", "conditions") == (dispute.rule, dispute.kind)
    assert {"header": header, "cell": cell} == dict(dispute.details)
    assert 2 == len({side.evidence.start for side in dispute.sides})


@pytest.mark.parametrize(
    "text",
    [
        "| Engine | A100 | H100 |\n|---|---|---|\n| a | 900 tok/s | 1,400 tok/s |\n",
        "| 引擎 | A100 吞吐 |\n|---|---|\n| a | 900 tok/s (80GB A100) |\n",
        "| 引擎 | A100 吞吐 |\n|---|---|\n| a | 约为 H100 的 60% |\n",
        "| 引擎 | A100 吞吐 |\n|---|---|\n| a | 900 tok/s（H100 上为 1,400 tok/s） |\n",
        "| Benchmark | GPT-4o 得分 |\n|---|---|\n| x | 88.7 (vs Claude 3.5) |\n",
        "| 引擎 | 硬件（如 A100） | 吞吐 |\n|---|---|---|\n| a | H100 | 900 tok/s |\n",
        "| 引擎 | 8×H100 吞吐 |\n|---|---|\n| a | 900 tok/s（H100） |\n",
        "```\n| 引擎 | A100 吞吐 |\n|---|---|\n| a | 900 tok/s H100 |\n```\n",
    ],
)
def test_comparisons_columns_of_conditions_and_code_are_not(text):
    assert [] == disputed(text)


def test_a_table_in_one_unit_is_read_by_the_cells_of_its_delimiter():
    text = "结果 | 引擎 | A100 | |---|---| | a | 900 tok/s | | b | 700 tok/s H100 |"
    unit = Unit(number=1, start=0, end=len(text), text=text, kind="sentence", line=1)
    hand = Hand(note=a_note(text), segments=(Segment(1, "increment", (unit,)),))

    (dispute,) = disputes(hand)

    assert ["A100", "700 tok/s H100"] == [side.says for side in dispute.sides]


def test_two_tables_keep_their_own_headers():
    table = "| 引擎 | {} 吞吐 |\n|---|---|\n| a | 900 tok/s {} |\n"

    assert [] == disputed(f"{table.format('A100', 'A100')}\n{table.format('H100', 'H100')}")
    assert 1 == len(disputed(f"{table.format('A100', 'A100')}\n{table.format('H100', 'A100')}"))

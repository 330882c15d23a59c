"""Register entries count when they are proposed."""

import pytest

from agent.reading.registers import stated_registers


def entries(text: str) -> list[tuple[str, int, str]]:
    return [(entry.kind, entry.number, entry.text) for entry in stated_registers(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            '新增 C59 共识候选："甲「乙」丙"；新增 O136 试金石："丁；戊"',
            [("C", 59, "甲「乙」丙"), ("O", 136, "丁；戊")],
        ),
        ("新增 D26 争议候选：甲是否成立；其余", [("D", 26, "甲是否成立")]),
        ("D26 争议候选：「甲」", [("D", 26, "甲")]),
        ("新增 T26：甲。", [("T", 26, "甲")]),
        ("新增共识 C59（待定）：甲", [("C", 59, "甲")]),
        ('New consensus candidate C59: "a b"; candidate D26: c', [("C", 59, "a b"), ("D", 26, "c")]),
        ("Propose T26: kernels", [("T", 26, "kernels")]),
        ("新增 C59、C60 共识候选", [("C", 59, ""), ("C", 60, "")]),
        ('新增 C61 共识候选:"甲 · 乙(丙);新增 O137 试金石:"丁"', [("C", 61, "甲 · 乙(丙)"), ("O", 137, "丁")]),
    ],
)
def test_a_proposed_entry_is_read_with_its_text(text, found):
    assert found == entries(text)


@pytest.mark.parametrize(
    "text",
    [
        "C1-C58 共 58 条共识",
        "新增 C59-C67 共 9 条共识候选",
        "O136 试金石",
        "正如 C59 所说",
        "新增 T4 GPU 支持",
        "add the C4 dataset",
        "“新增 C59 共识候选：甲”",
        "C++ 共识候选",
        "",
    ],
)
def test_a_mention_proposes_nothing(text):
    assert [] == entries(text)


def test_the_span_covers_the_proposal():
    text = "先。新增 C59 共识候选：“甲”。后"
    (entry,) = stated_registers(text)

    assert "新增 C59 共识候选：“甲”" == text[entry.start : entry.end]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("在 rag.md 登记 C31（新）：“权重来自日志”", [("C", 31, "权重来自日志")]),
        ("C31 (new): weights are learnt", [("C", 31, "weights are learnt")]),
        ('a new open question O9 in evaluation.md: "Is it?"', [("O", 9, "Is it?")]),
        ("see C31 (new) there", []),
    ],
)
def test_an_entry_may_be_called_new_behind_its_number(text, found):
    assert found == entries(text)


def test_an_open_question_may_be_written_with_a_q_and_a_quarter_is_none():
    (entry,) = stated_registers('新增 Q9 开放问题："能否在批量 64 下成立"')
    assert ("O", 9, "Q", "能否在批量 64 下成立") == (entry.kind, entry.number, entry.letter, entry.text)
    assert () == stated_registers("new Q3: revenue doubles; 新增 Q4：收入")
    assert "" == stated_registers('新增 O9 开放问题："x"')[0].letter

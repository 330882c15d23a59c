"""A register entry stands beside the last one of its kind, in the form that the register has."""

import pytest

from agent.reading.documents import parse_document, register_entries
from agent.relaying.editing import applied
from agent.relaying.entries import register_edit
from agent.texts import RegisterKind


def after(text: str, kind: RegisterKind = "C", number: int = 59, words: str = "新条") -> str | None:
    """The document with an entry; None where it has no such register."""
    edit = register_edit(parse_document("x.md", text, sha256=""), kind, number, words)
    return applied(text, edit) if edit else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # a running paragraph
        ("## 登记\n\n共识：C57 甲。C58 乙。\n争议：D25 丙。\n", "## 登记\n\n共识：C57 甲。C58 乙。C59 新条。\n争议：D25 丙。\n"),
        ("## 登记\n\n共识：C57 甲；C58 乙\n", "## 登记\n\n共识：C57 甲；C58 乙；C59 新条\n"),
        ("## 登记\n\n共识：C58 乙。争议：D25 丙。\n", "## 登记\n\n共识：C58 乙。C59 新条。争议：D25 丙。\n"),
        ("## 登记\n\nC58 乙；D25 丙\n", "## 登记\n\nC58 乙；C59 新条；D25 丙\n"),
        ("## 登记\n\n共识：C57 甲。C58 很长\n的一句。\n\n别的\n", "## 登记\n\n共识：C57 甲。C58 很长\n的一句。C59 新条。\n\n别的\n"),
        ("## Registers\n\nConsensus: C58 one\n", "## Registers\n\nConsensus: C58 one; C59 新条\n"),
        ("## 别的\n\n共识：C58 乙\n又一句。\n", "## 别的\n\n共识：C58 乙；C59 新条\n又一句。\n"),
        # items
        ("## 登记\n\n- C57 甲\n- C58 乙\n", "## 登记\n\n- C57 甲\n- C58 乙\n- C59 新条\n"),
        ("## 登记\n\n* **C58**：乙\n", "## 登记\n\n* **C58**：乙\n* **C59**：新条\n"),
        ("## 登记\n\n- **C58 乙** 丙\n", "## 登记\n\n- **C58 乙** 丙\n- C59 新条\n"),
        ("## 登记\n\n- C58 乙\n  - 细\n\n  段\n\n## 下\n", "## 登记\n\n- C58 乙\n  - 细\n\n  段\n- C59 新条\n\n## 下\n"),
        ("## 登记\n\n- C58 乙\n- C57 甲\n", "## 登记\n\n- C59 新条\n- C58 乙\n- C57 甲\n"),
        ("## 登记\n\n- C57 甲\n\n- C58 乙\n", "## 登记\n\n- C57 甲\n\n- C58 乙\n\n- C59 新条\n"),
        # lines and paragraphs
        ("## 登记\n\nC57 甲\nC58 乙\nO1 问\n", "## 登记\n\nC57 甲\nC58 乙\nC59 新条\nO1 问\n"),
        ("## 登记\n\nC57 甲\n\nC58 乙\n换行\n\n完", "## 登记\n\nC57 甲\n\nC58 乙\n换行\n\nC59 新条\n\n完"),
        ("## 登记\r\n\r\nC57 甲\r\nC58 乙", "## 登记\r\n\r\nC57 甲\r\nC58 乙\r\nC59 新条"),
        # rows
        ("## 登记\n\n| C57 | 甲 | x |\n| C58 | 乙 | y |\n", "## 登记\n\n| C57 | 甲 | x |\n| C58 | 乙 | y |\n| C59 | 新条 |  |\n"),
        ("## 登记\n\n| 7 | **C58** | 乙 |\n", "## 登记\n\n| 7 | **C58** | 乙 |\n|  | C59 | 新条 |\n"),
        ("## 登记\n\n| C58 乙 | y |\n", "## 登记\n\n| C58 乙 | y |\n| C59 新条 |  |\n"),
        ("## 登记\n\n| 共识 | C57 甲；C58 乙 |\n", "## 登记\n\n| 共识 | C57 甲；C58 乙；C59 新条 |\n"),
        ("## 登记\n\n| C58 | 乙 |\n| C57 | 甲 |\n", "## 登记\n\n| C59 | 新条 |\n| C58 | 乙 |\n| C57 | 甲 |\n"),
        # headings
        ("## 登记\n\n### C58 乙\n\n段\n\n## 下\n", "## 登记\n\n### C58 乙\n\n段\n\n### C59 新条\n\n## 下\n"),
        # an entry that is only mentioned elsewhere, and one in code
        ("## 登记\n\n- C57 甲\n- C58 乙\n\n## 下\n\n共识：C58 见上。\n", "## 登记\n\n- C57 甲\n- C58 乙\n- C59 新条\n\n## 下\n\n共识：C58 见上。\n"),
        ("## 登记\n\n- C58 乙\n\n```\n- C90 假\n```\n", "## 登记\n\n- C58 乙\n- C59 新条\n\n```\n- C90 假\n```\n"),
    ],
)  # fmt: skip
def test_an_entry_takes_the_form_of_the_last_one(text, expected):
    made = after(text) or ""
    assert expected == made
    entries = register_entries(parse_document("x.md", made, sha256=""))
    assert ("C", 59) in [(kind, number) for kind, number, _ in entries]


@pytest.mark.parametrize("text", ["", "## 登记\n\n- D4 丁\n", "## 登记\n\n```\nC4\n```\n", "共识 C1–C58\n"])
def test_a_document_without_such_a_register_gets_none(text):
    assert after(text) is None


def test_nine_entries_one_after_the_other_stand_in_their_order():
    text: str | None = "## 登记\n\n共识：C57 甲。C58 乙。\n争议：D25 丙。\n"
    for number in range(59, 68):
        text = after(text or "", "C", number, f"第 {number} 条")
    entries = register_entries(parse_document("x.md", text or "", sha256=""))
    assert [*range(57, 68)] == [number for kind, number, _ in entries if kind == "C"]
    assert [25] == [number for kind, number, _ in entries if kind == "D"]

"""What a finding becomes in living documents: one operation for each place and register entry, with what it changes and why."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

import pytest
from markdown_it import MarkdownIt

from agent.handoffs import Operation
from agent.reading.documents import parse_document, register_entries
from agent.reading.units import split_units
from agent.records import Action, Evidence, Increment, Language, Measure, Placement, Point, Register
from agent.relaying.editing import applied
from agent.relaying.operations import operations_for, place_again
from agent.texts import LivingDocument
from tests.answers import an_increment

DAY = dt.date(2026, 9, 14)
NOTE = "inbox/tom/2026-09-14-0840-radar.md"
CACHING = """# caching

更新：2026-09-13 · 共识 C1–C8

## 2. 引擎

| 引擎 | 版本 | 吞吐 |
|---|---|---|
| vLLM | 0.31 | 120 tok/s |

### 2.1 分页

块表。

### 2.2 前缀

- 旧的一条

## 3. 登记

共识：C7 甲。C8 乙。
"""


def document(text: str = CACHING, name: str = "caching.md") -> LivingDocument:
    return parse_document(name, text, sha256="ab" * 32)


def quoted(quote: str, line: int = 3) -> Evidence:
    return Evidence(note=NOTE, start=0, end=len(quote), quote=quote, line=line)


def placed(section: str, action: Action = "append", name: str = "caching.md", **more: Any) -> Placement:
    known = {"document": name, "section": section, "action": action, "reason": "the note says so"}
    return Placement.model_validate({**known, "proposed_by": "note", "exists": True, **more})


def finding(*placements: Placement, **more: Any) -> Increment:
    known: dict[str, Any] = {"title": "Limits per session", "summary": "Hits rise to 66%.", "placements": placements}
    return an_increment(more.pop("evidence", [quoted("上限细到会话。")]), **{**known, **more})


def operations(
    *increments: Increment, documents: Sequence[LivingDocument] | None = None, language: Language = "zh"
) -> tuple[Operation, ...]:
    return operations_for(increments, [document()] if documents is None else documents, language=language, date=DAY)


def operation(increment: Increment, **more: Any) -> Operation:
    (found,) = operations(increment, **more)
    return found


def after(found: Operation, text: str = CACHING) -> str:
    """The document when an operation was applied alone."""
    edit = place_again(found, document(text))
    assert edit is not None
    return applied(text, edit)


def measured(value: float, *, subject: str = "vLLM", metric: str = "吞吐", unit: str = "tok/s", **more: Any) -> Measure:
    known = {"value": value, "comparator": "=", "unit": unit, "metric": metric, "subject": subject}
    return Measure.model_validate({**known, "evidence": quoted("x"), **more})


def test_an_appended_finding_says_what_it_is_how_sure_and_from_where():
    found = operation(finding(placed("2.2"), arxiv_ids=["2609.90731"]))
    line = "- **Limits per session**：Hits rise to 66%. (2026-09-14 · ⭐⭐⭐ · arXiv:2609.90731 · inbox/tom/2026-09-14-0840-radar.md)"
    assert CACHING.replace("- 旧的一条\n", f"- 旧的一条\n{line}\n") == after(found)
    assert ("append", "caching.md", "2.2", "前缀", "") == (
        found.action, found.document, found.section, found.heading, found.problem,
    )  # fmt: skip
    assert found.new == f"\n{line}"
    assert "+" + line in found.diff.splitlines()


def test_a_new_subsection_has_the_next_free_number_and_its_sources():
    point = Point(text="Measured on one card.", evidence=quoted("x"))
    found = operation(finding(placed("2.1", "new_subsection"), points=[point]))
    assert "2.3" == found.number
    body = "Hits rise to 66%.\n\n- Measured on one card.\n\n来源：2026-09-14 · ⭐⭐⭐ · " + NOTE
    assert CACHING.replace("\n## 3.", f"\n### 2.3 Limits per session\n\n{body}\n\n## 3.") == after(found)


def test_a_row_gets_the_figures_of_its_own_subject_alone():
    found = operation(finding(placed("2", "replace_row"), measures=[measured(150), measured(99, subject="SGLang")]))
    assert ("replace_row", "| vLLM | 0.31 | 120 tok/s |", "| vLLM | 0.31 | 150 tok/s |") == (
        found.action, found.old, found.new,
    )  # fmt: skip
    assert CACHING.replace("120", "150") == after(found)


def test_a_large_figure_keeps_all_its_digits():
    found = operation(finding(placed("2", "replace_row"), measures=[measured(1_234_567)]))
    assert "| vLLM | 0.31 | 1234567 tok/s |" == found.new


@pytest.mark.parametrize(
    "measures",
    [[], [measured(9, subject="TGI")], [measured(150), measured(160)], [measured(150, metric="延迟", unit="ms")]],
)
def test_a_row_that_no_figure_fits_clearly_is_left_and_the_finding_appended(measures):
    found = operation(finding(placed("2", "replace_row"), measures=measures))
    assert ("append", "") == (found.action, found.problem)
    assert "| vLLM | 0.31 | 120 tok/s |" in after(found)


def test_a_finding_stands_in_full_once_and_elsewhere_as_a_pointer():
    first, second = operations(finding(placed("2.1"), placed("2.2", "new_subsection")))
    assert "Hits rise" in first.text
    assert ("append", "- 见 caching.md「Limits per session」") == (second.action, second.text)


def test_the_full_text_goes_where_it_can_go():
    first, second = operations(finding(placed("9.9"), placed("2.2")))
    assert "没有小节 9.9" in first.problem
    assert "Hits rise" in second.text
    row, full = operations(finding(placed("2", "replace_row"), placed("2.2"), measures=[measured(150)]))
    assert "replace_row" == row.action
    assert "Hits rise" in full.text


def test_a_register_entry_takes_its_number_behind_the_last_one():
    found = operation(finding(registers=[Register(kind="C", number=9, text="会话级上限可行", document="caching.md")]))
    assert ("register", "C9") == (found.action, found.section)
    assert CACHING.replace("C8 乙。", "C8 乙。C9 会话级上限可行。") == after(found)


def test_register_entries_go_to_the_document_of_the_first_place_in_order_of_numbers():
    increments = [
        finding(placed("2.1"), id=f"i{number}", registers=[Register(kind="C", number=number, text=f"条 {number}")])
        for number in (11, 9, 10)
    ]
    found = operations(*increments)
    assert ["append"] * 3 + ["register"] * 3 == [one.action for one in found]
    assert ["C9", "C10", "C11"] == [one.section for one in found[3:]]
    text = CACHING
    for one in found:
        text = after(one, text)
    entries = register_entries(document(text))
    assert [7, 8, 9, 10, 11] == [number for _, number, _ in entries]
    assert {"C": 11} == document(text).registers


@pytest.mark.parametrize(
    ("register", "problem"),
    [
        (Register(kind="C", number=8, text="x", document="caching.md"), "已有 C8：下一个可用编号是 C9"),
        (Register(kind="C", number=5, text="x", document="caching.md"), "已有 C5"),
        (Register(kind="D", number=1, text="x", document="caching.md"), "没有 D 类登记"),
        (Register(kind="C", number=9, text="x", document="none.md"), "没有活文档 none.md"),
        (Register(kind="C", number=9, text="x"), "没有指明登记到哪一份活文档"),
        (Register(kind="C", number=9, text="x；C900 y", document="caching.md"), "C900"),
        (Register(kind="C", number=9, text="C1–C900 都对", document="caching.md"), "C900"),
    ],
)
def test_an_entry_that_cannot_be_taken_says_why(register, problem):
    found = operation(finding(registers=[register]))
    assert problem in found.problem
    assert "" == found.diff or "C900" in problem


def test_a_number_that_was_taken_meanwhile_is_not_taken_twice():
    found = operation(finding(registers=[Register(kind="C", number=9, text="x", document="caching.md")]))
    assert place_again(found, document(after(found))) is None


def test_a_finding_that_speaks_of_registers_makes_no_entry():
    found = operation(finding(placed("2.1"), summary="共识：C77 已成立。"))
    assert "C77" in found.problem
    assert "" == operation(finding(placed("2.1"), summary="共识：C7 已成立。")).problem


@pytest.mark.parametrize(
    ("placement", "problem"),
    [
        (placed("2.1", name="none.md"), "There is no living document none.md: make it first."),
        (placed("7.7"), "caching.md has no section 7.7: choose another one."),
        (placed("9", name="open.md"), "Section 9 of open.md ends inside open code: close it first."),
        (placed("9", "new_subsection", "open.md"), "Section 9 of open.md ends inside open code: close it first."),
    ],
)
def test_a_place_that_is_not_there_says_so(placement, problem):
    documents = [document(), document("## 9. a\n\n```\ncode\n", "open.md")]
    found = operation(finding(placement), documents=documents, language="en")
    assert (problem, "", 0, 0) == (found.problem, found.diff, found.start, found.end)


HOSTILE = (
    "# heading\n\n## 2.1 分页",
    "<script>alert(1)</script> [x](javascript:x) ![y](z) | a | b |",
    "```\ncode",
    "---",
    "- [ ] task\r\n> quote",
    "[[link]] ^block #tag <!-- hide",
    "\u202eevil\u2028## 2.2",
    "共识：text $$x$$",
)


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("action", ["append", "new_subsection", "register"])
def test_nothing_that_a_note_says_does_anything_in_a_document(hostile, action):
    entry = [Register(kind="C", number=9, text=hostile, document="caching.md")] if action == "register" else []
    places = [placed("2.2", action)] if action != "register" else []
    point = Point(text=hostile, evidence=quoted("x"))
    found = operation(finding(*places, title=hostile, summary=hostile, points=[point], registers=entry))
    text = after(found)
    before, made = document(), document(text)
    added = 1 if action == "new_subsection" else 0
    assert len(before.sections) + added == len(made.sections)
    kinds = {unit.kind for unit in split_units(text)} - {unit.kind for unit in split_units(CACHING)}
    assert set() == kinds & {"code", "comment", "rule", "front_matter"}
    assert len(CACHING.splitlines()) < len(text.splitlines()) or action == "register"
    assert sum(unit.kind == "row" for unit in split_units(CACHING)) == sum(
        unit.kind == "row" for unit in split_units(text)
    )
    tokens = MarkdownIt("gfm-like", {"linkify": False, "html": True}).parse(text)
    inside = {child.type for token in tokens for child in token.children or ()}
    assert set() == (inside | {token.type for token in tokens}) & {
        "html_inline",
        "html_block",
        "link_open",
        "image",
        "fence",
    }
    assert not {"\u202e", "\u2028", "\r"} & set(text)


def test_the_sentence_that_names_the_place_justifies_it():
    evidence = [quoted("先说别的。"), quoted("应归入 2.1 小节。", 9), quoted("版本 12.1 与此无关。", 4)]
    found = operations(finding(placed("2.1"), placed("2.2"), evidence=evidence))
    assert [9, 3] == [one.because.line for one in found]
    assert ["the note says so"] * 2 == [one.reason for one in found]


def test_the_same_findings_give_the_same_operations_whatever_comes_beside_them():
    one = finding(placed("2.1"))
    other = finding(placed("2.1"), id="i2", title="Another")
    assert operations(one)[0] == operations(other, one)[1]
    assert 2 == len({found.id for found in operations(one, other)})
    assert operations(one)[0].id == operation(one, documents=[document(CACHING + "\nmore\n")]).id


def test_operations_of_one_place_stand_one_behind_the_other():
    text = CACHING
    for found in operations(*(finding(placed("2.1", "new_subsection"), id=f"i{n}", title=f"T{n}") for n in range(12))):
        text = after(found, text)
    numbers = [section.number for section in document(text).sections if section.level == 3]
    assert [f"2.{number}" for number in range(1, 15)] == sorted(numbers, key=lambda one: int(str(one)[2:]))
    assert 14 == len(set(numbers))


def test_nothing_is_placed_without_a_place():
    assert () == operations(finding())
    assert () == operations()


@pytest.mark.parametrize(
    ("expected", "reason"),
    [(0, "不改"), (0, "（不改）"), (0, "no change"), (0, "Leave as is."), (1, "不改编号，追加一条")],
)
def test_a_place_where_the_note_wants_no_change_gets_no_operation(expected: int, reason: str) -> None:
    made = operations_for([finding(placed("2.2", reason=reason))], [document()], language="zh", date=DAY)

    assert expected == len(made)

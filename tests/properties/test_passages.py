"""Whatever a note holds, its passages leave nothing out, and what its structure bounds does not overlap."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from agent.extracting.bounds import bounded
from agent.extracting.passages import passages
from agent.reading.segments import split_segments
from agent.reading.units import split_units
from agent.texts import Unit

LEFT_OUT = {"rule", "comment", "front_matter", "heading"}
TELLING = "| 引擎 | 前缀缓存把 7B 模型的首字延迟从 900 ms 降到 300 ms，命中率 60%，归 inference.md 4.1 |"
LINES = (
    "# r", "## 甲", "## 乙 v1.2.0", "## 丙 v1.3.0", "### 甲", "### 要点", "### 来源", "#### 丁", "可信度：⭐⭐⭐", "建议归入：inference.md · §4.1（补充）",
    "与现有脉络的关系：新增", "延迟降到 300 ms。", "吞吐 12 tok/s，归 inference.md §4.1。", "见 arXiv:2609.01234。", "见 arXiv:2609.01235，12 ms。", "- a",
    "  - b 30 ms", "    又一句。", "1. c", "> - d", "| 名称 | 归入 |", "|---|---|", "| a | inference.md §4.1 12 ms |", TELLING, "## 增量 1：甲", "增量 2：乙",
    "## 结论", "本轮无新增论文。", "---", "```", "09:30 x", "", "", "text. More text 40 ms.", "---\ntitle: x\n---", "<!-- c -->",
)  # fmt: skip
NOTES = st.one_of(
    st.text(max_size=200),
    st.tuples(
        st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=12)), max_size=30), st.sampled_from(["\n", "\r\n"])
    ).map(lambda drawn: drawn[1].join(drawn[0])),
)


HEADINGS = ("## 甲", "## 乙", "### 甲", "### 丙 v1.2.0", "### 丙 v1.3.0", "### 要点", "#### 来源", "## 待核实")
BODIES = (
    "可信度：⭐⭐⭐",
    "建议归入：inference.md · §4.1（补充）",
    "延迟降到 300 ms。",
    "- 吞吐 12 tok/s，归 inference.md §4.1",
    "见 arXiv:2609.01234。",
    "",
)
SECTIONS = st.lists(st.tuples(st.sampled_from(HEADINGS), st.sampled_from(BODIES)), max_size=8).map(
    lambda drawn: "# r\n\n" + "\n\n".join(f"{heading}\n\n{body}" for heading, body in drawn)
)


def _names_columns(unit: Unit, units: list[Unit]) -> bool:
    """Whether a unit is a row, the first of a table of three rows at least."""
    at = units.index(unit)
    rows = units[at : at + 3]
    return [one.kind for one in rows] == ["row"] * 3 and (
        at == 0 or unit.line > units[at - 1].line + 1 or units[at - 1].kind != "row"
    )


@given(NOTES)
def test_passages_hold_every_unit_once_and_in_order_but_rows_that_name_columns(text):
    kept = [unit for unit in split_units(text) if unit.kind not in LEFT_OUT]
    found = [unit for passage in passages(split_units(text)) for unit in passage]

    assert [unit for unit in kept if unit in found] == found
    assert all(_names_columns(unit, kept) for unit in kept if unit not in found)


@given(SECTIONS | NOTES)
def test_what_a_note_bounds_is_in_order_and_does_not_overlap(text):
    found = bounded(split_segments(split_units(text)), topics=["inference"])

    assert all(before.end <= after.start for before, after in pairwise(found))
    for segment in found:
        assert "increment" == segment.role
        assert sorted(segment.units, key=lambda unit: unit.start) == list(segment.units)

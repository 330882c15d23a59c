"""Whatever a note holds, its segments are its units, in order, each once."""

from hypothesis import given
from hypothesis import strategies as st

from agent.reading.segments import split_segments
from agent.reading.units import split_units

LINES = (
    "# r", "## 增量详情", "### 增量 1：甲", "增量 2：乙", "增量摘要", "来源：a", "• 来源：b", "建议归入：x.md 1", "核实建议：c", "## 待核实", "⚠️ 待核实：丙",
    "- d", "  - e", "1. f", "2. g", "次级线索", "## arXiv IDs", "## Sources checked", "结论", "## h", "#### i", "text. More text.", "",
    "---", "```", "| a | b |", "增量 3【警示】晨棒缺失", "Increment 4: x", "Source: y", "Suggested placement: z",
)  # fmt: skip
NOTES = st.one_of(
    st.text(max_size=200),
    st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=12)), max_size=40).map("\n".join),
)


@given(NOTES)
def test_segments_hold_every_unit_once_and_in_order(text):
    units = split_units(text)
    segments = split_segments(units)

    assert units == tuple(unit for segment in segments for unit in segment.units)
    assert list(range(1, len(segments) + 1)) == [segment.number for segment in segments]
    assert all(segment.units for segment in segments)


@given(NOTES)
def test_a_heading_stands_in_its_segment_and_ends_its_path(text):
    for segment in split_segments(split_units(text)):
        if segment.heading is not None:
            assert segment.heading in segment.units
            assert segment.heading_path
        assert not (segment.is_heading_missing and segment.heading)

"""Whatever the text, what is read from it lies in it."""

import gc
import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.reading.citations import cited_documents, cited_notes
from agent.reading.labels import labelled
from agent.reading.placements import stated_placements
from agent.reading.ratings import stated_priority, stated_stars
from agent.reading.registers import stated_registers
from agent.reading.statements import (
    announced_counts,
    is_nothing_new,
    said_of_agents,
    stated_relation,
    stated_verification,
)

FRAGMENTS = ("与活文档关系：", "§2.1 ", "已收", "已有", "未收录", "未作为", "入位", "但", "，", "；", "矛盾", "不", "already covered", " not covered", "but ", "3 条", "增量", "三", "共 ", "two findings", "无", "新增", "nothing new", "待核实：", "问题：", "「", "」", "（", "）", "\n", " ", "a.md ", "甲")  # fmt: skip
TEXTS = st.one_of(st.text(max_size=120), st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join))
QUICK = settings(deadline=None, max_examples=60)


@QUICK
@given(TEXTS)
def test_a_relation_lies_in_the_text(text):
    found = stated_relation(text)

    if found is not None:
        assert 0 <= found.start < found.end <= len(text)
        assert found.has in text
        assert found.lacks in text
        assert found.relation in ("new", "extends", "known", "contradicts")


@QUICK
@given(TEXTS)
def test_the_parts_of_a_verification_are_cut_from_the_text(text):
    found = stated_verification(text)

    assert all(part in text for part in (found.claim, found.question, found.suggestion))


@QUICK
@given(TEXTS)
def test_counts_lie_in_the_text_in_order(text):
    counts = announced_counts(text)

    assert all(0 <= count.start < count.end <= len(text) and count.number >= 0 for count in counts)
    assert all(one.start <= two.start for one, two in pairwise(counts))
    assert all(count.noun in text for count in counts)


@QUICK
@given(
    st.lists(
        st.sampled_from((*FRAGMENTS, "ann ", "Bob", "未发布", "has no ", "no brief from ", "已识别", "/")), max_size=25
    ).map("".join)
)
def test_what_is_said_of_agents_lies_in_the_text_and_names_them(text):
    for said in said_of_agents(text, agents=("ann", "bob")):
        assert 0 <= said.start < said.end <= len(text)
        assert said.agent in text[said.start : said.end].casefold()


@QUICK
@given(TEXTS)
def test_nothing_new_is_yes_or_no(text):
    assert is_nothing_new(text) in (True, False)


@QUICK
@given(st.integers(1, 1800), st.sampled_from(["条", "个", "件"]), st.sampled_from(["增量", "线索", "论文"]))
def test_a_written_count_is_read_back(number, measure, noun):
    assert [(number, noun)] == [
        (count.number, count.noun) for count in announced_counts(f"共 {number} {measure}{noun}。")
    ]


PUMPED: dict[Callable[[str], object], tuple[str, ...]] = {
    labelled: ("来源：", "（来源：", "来源:a ", ":", "「", '"', "- ", " "),
    stated_stars: ("⭐", "⭐(", "* ⭐\n", "可信度", "可信度：高", "("),
    stated_priority: ("★", "必补 ★", "[P0", "优先级：", " "),
    stated_placements: ("§1", "§1、", "或§1", "建议归入：第一节(", "新增「", "a.md ", "a", "append to §1 or "),
    stated_registers: ("新增 C1", "C1、", "C1-", '新增 C1："', " "),
    stated_relation: ("未", "未单独", "§矛盾", "但", "已有，", "not ", "("),
    stated_verification: ("待核实：", "问题：a ", "关系：", "\n"),
    announced_counts: ("1条", "一", "共3条", " 3 papers", "增量 "),
    is_nothing_new: ("无", "no new ", "无 a ", "新增"),
    cited_notes: ("a.md", "a/", "2026-07-27-", "jay 7-27 a-", "条目 1", "甲.md", "1"),
    cited_documents: ("a.md §1 ", "1-2607-12345 ", "1-", ".md"),
}
PUMPS = [(reader, unit) for reader, units in PUMPED.items() for unit in units]


def seconds(reader: Callable[[str], object], text: str) -> float:
    """Return the processor time of one reading, other processes and the collector of garbage left out."""
    gc.disable()
    try:
        begin = time.process_time()
        reader(text)
        return time.process_time() - begin
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("reader", "unit"), PUMPS, ids=[f"{getattr(reader, '__name__', reader)}-{unit!r}" for reader, unit in PUMPS]
)
def test_reading_time_grows_in_step_with_the_text(reader, unit):
    """Four times the text takes about four times as long; a quadratic reader would take sixteen times."""
    text = unit * (3000 // len(unit))
    ratios = []
    for attempt in range(6):  # a measurement may be disturbed, so the best of several counts
        ratios.append(seconds(reader, text * 4 + str(attempt)) / seconds(reader, text + str(attempt)))
        if ratios[-1] < 8:
            break

    assert min(ratios) < 8

"""Announced counts against what the text holds."""

import pytest

from agent.checking.counts import disputes
from agent.checking.dispute import Dispute, Hand
from tests.noting import a_note, segments_of

THREE = "## 增量 1：甲\n\nx\n\n## 增量 2：乙\n\nx\n\n## 增量 3：丙\n\nx\n\n"


def found(text: str, *, is_document: bool = False) -> list[Dispute]:
    hand = Hand(note=a_note(text), segments=segments_of(text), agents=("jay", "tom"), is_document=is_document)
    return list(disputes(hand))


def numbers(text: str) -> list[tuple[str, str]]:
    return [(one.details["announced"], one.details["counted"]) for one in found(text)]


def files(*names: str) -> str:
    return "".join(f"- ✅ 2026-09-14-{name}.md（要点 2026-09-13-0000-other.md）\n" for name in names)


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        (f"## 摘要\n\n本次新增显著增量 4 条。\n\n{THREE}", [("4", "3")]),
        (f"## 摘要\n\n本次新增显著增量 3 条。\n\n{THREE}", []),
        (f"## 核心增量（2 主线 + 1 旁证）\n\n{THREE.replace('丙', '丙（旁证）')}", []),
        (f"## 核心增量（5 主线 + 1 旁证）\n\n{THREE.replace('丙', '丙（旁证）')}", [("5", "2")]),
        (f"{THREE}## 结论\n\n本轮共发现 5 条增量，来自 jay 昨日的笔记。\n", [("5", "3")]),
        (f"## 摘要\n\n本次承接 tom 的 4 条增量。\n\n{THREE}", []),
        (f"## 摘要\n\n昨日简报有 4 条增量。\n\n{THREE}", []),
        (f"# 过滤\n\n执行人：jay · 看了 9 条，收 4 条\n\n{THREE}", [("4", "3")]),
        (f"# 过滤\n\n执行人：jay · 看了 9 条，收 3 条\n\n{THREE}", []),
    ],
)
def test_increments_are_counted_as_the_note_numbers_them(text, counted):
    assert counted == numbers(text)


def test_a_gap_in_the_numbers_vouches_for_nothing():
    assert [] == numbers(f"## 摘要\n\n本次新增显著增量 4 条。\n\n{THREE.replace('增量 3', '增量 4')}")


def test_a_count_names_both_places():
    (dispute,) = found(f"## 摘要\n\n本次新增显著增量 4 条。\n\n{THREE}")
    assert ("count", "count", [3, 13]) == (dispute.rule, dispute.kind, [side.evidence.line for side in dispute.sides])


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("涉及 arXiv 号 3 个：2608.90101（甲）、2608.90102（乙）", [("3", "2")]),
        ("涉及 arXiv 号 2 个：2608.90101（甲）、2608.90102（乙，参见 2608.90109）", []),
        ("We read 3 papers (arXiv:2608.90101, arXiv:2608.90102).", [("3", "2")]),
        ("We read 2 papers (arXiv:2608.90101, arXiv:2608.90102).", []),
        ("5 papers: arXiv:2608.90101, arXiv:2608.90102, among others", []),
        ("涉及 arXiv 号 5 个：2608.90101、2608.90102 等", []),
        ("5 papers: arXiv:2608.90101, a blog post, a talk", []),
        ("约 5 篇论文：arXiv:2608.90101、arXiv:2608.90102", []),
        ("More than 5 papers: arXiv:2608.90101, arXiv:2608.90102", []),
        ("Two of the 5 papers: arXiv:2608.90101, arXiv:2608.90102", []),
        ("3 papers and 2 notes: arXiv:2608.90101, arXiv:2608.90102, arXiv:2608.90103", []),
    ],
)
def test_identifiers_right_behind_a_number_are_counted(text, counted):
    assert counted == numbers(text)


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        (f"## 检查过的来源\n\ninbox/jay（共 2 件，全部已读）：\n\n{files('0900-a-b', '1000-c-d', '1100-e-f')}", [("2", "3")]),
        (f"## 检查过的来源\n\ninbox/jay（共 3 件，全部已读）：\n\n{files('0900-a-b', '1000-c-d', '1100-e-f')}", []),
        (f"## 检查过的来源\n\ninbox/jay（共 9 件，只列相关的）：\n\n{files('0900-a-b', '1000-c-d')}", []),
        (f"## Sources checked\n\ninbox/jay, 4 files:\n\n{files('0900-a-b', '1000-c-d')}", [("4", "2")]),
        ("## 检查过的来源\n\ninbox/jay（共 2 件）：\n\n- 2026-09-14-0900-a-b.md / 1000-c-d.md / 1100-e-f.md\n", [("2", "3")]),
    ],
)  # fmt: skip
def test_files_that_open_the_items_of_a_list_are_counted(text, counted):
    assert counted == numbers(text)


def test_the_list_of_the_next_inbox_is_not_counted():
    text = (
        f"## 检查过的来源\n\ninbox/jay（共 1 件）：\n\n{files('0900-a-b')}inbox/tom（共 1 件）：\n\n{files('1000-c-d')}"
    )
    assert [] == numbers(text)


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("三个问题：\n\n1. 谁\n2. 何时\n3. 何地\n4. 为何\n", [("3", "4")]),
        ("Three open questions:\n\n1. who\n2. when\n3. where\n", []),
        ("Four open questions:\n\n1. who\n2. when\n3. where\n", [("4", "3")]),
        ("Four steps:\n\n- one\n- two\n- three\n", [("4", "3")]),
        ("Two steps:\n\n- one\n  - inner\n- two\n", []),
        ("Two steps:\n\n1. one\n   - inner\n   - inner\n   - inner\n2. two\n", []),
        ("Four steps:\n\n1. one\n2. two\n\nA word between.\n\n3. three\n4. four\n", []),
        ("存在两大瓶颈：（1）慢；（2）贵；（3）旧", [("2", "3")]),
        ("只有一个问题：\n\n- 谁\n- 何时\n", []),
        ("In the last 3 days:\n\n- one\n- two\n", []),
        ("## Top 3 papers\n\n1. a\n2. b\n", [("3", "2")]),
        ("## Dropped items (3)\n\n- one\n- two\n", [("3", "2")]),
    ],
)
def test_marks_of_a_list_right_below_are_counted(text, counted):
    assert counted == numbers(text)


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("涉及 12 个（新增 2 个 + 沿用 1 个 + 引用 8 个）", [("12", "11")]),
        ("涉及 12 个（新增 2 个 + 沿用 1 个 + 引用 9 个）", []),
        ("12 papers (2 new + 9 cited)", [("12", "11")]),
        ("12 papers (2 new + 10 cited)", []),
        ("12 papers (GPT-4 + 9 cited)", []),
        ("新增 C9-C12 共 4 条共识候选", []),
        ("新增 C9-C12 共 5 条共识候选", [("5", "4")]),
    ],
)
def test_sums_and_ranges_are_added_up(text, counted):
    assert counted == numbers(text)


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("# 过滤\n\n执行人：jay · 扫 11 条，收 3 条，弃 7 条\n\n正文。", [("11", "10")]),
        ("# 过滤\n\n执行人：jay · 扫 11 条，收 3 条，弃 8 条\n\n正文。", []),
        ("# Filter\n\njay · 14 links seen, 2 kept\n\n## Rest\n\nDropped: 6 reposts, 3 ads, 1 behind a login.", [("14", "12")]),
        ("# Filter\n\njay · 14 links seen, 2 kept\n\n## Rest\n\nDropped: 6 reposts, 3 ads, 3 behind a login.", []),
        ("# Filter\n\njay · 14 links seen, 2 kept\n\n## Rest\n\nDropped: reposts and ads.", []),
    ],
)  # fmt: skip
def test_what_was_seen_is_kept_or_dropped(text, counted):
    assert counted == numbers(text)


def test_a_list_and_a_sum_that_tell_the_same_are_one():
    text = "涉及 arXiv 号 3 个（新增 1 个 + 沿用 1 个）：2608.90101（甲）、2608.90102（乙）"
    assert [("3", "2")] == numbers(text)


def test_the_same_words_in_another_note_are_another_dispute():
    text = "Four steps:\n\n- one\n- two\n- three\n"
    other = Hand(note=a_note(text, path="inbox/jay/2026-09-14-1100-radar.md"), segments=segments_of(text))
    assert found(text)[0].key != next(disputes(other)).key


def test_a_document_has_no_increments_but_keeps_its_lists():
    assert [] == found(f"## 摘要\n\n本次新增显著增量 4 条。\n\n{THREE}", is_document=True)
    assert 1 == len(found("Four steps:\n\n- one\n- two\n- three\n", is_document=True))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("本篇共四条增量。\n\n一、甲\n二、乙\n三、丙\n", [("4", "3")]),
        ("本篇共三条增量。\n\n一、甲\n二、乙\n三、丙\n", []),
        ("This note has four findings.\n\n1. a\n2. b\n3. c\n", [("4", "3")]),
        ("- 共 140 个任务\n- 最好成绩 34%\n", []),
        ("Two entries.\n\n(1) a\n(2) b\n(3) c\n", [("2", "3")]),
        ("Three entries.\n\n(1) a\n(2) b\n(3) c\n", []),
        ("Two entries from three files.\n\n(1) a\n(2) b\n(3) c\n", []),
        ("We keep two of four papers.\n\n1. a\n2. b\n3. c\n", []),
    ],
)
def test_a_sentence_that_announces_a_numbered_list_is_held_against_it(text, expected):
    assert expected == numbers(text)

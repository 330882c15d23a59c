"""Relations, claims to verify, announced counts and the statement that nothing is new."""

import pytest

from agent.reading.statements import (
    StatedVerification,
    announced_counts,
    is_nothing_new,
    said_of_agents,
    stated_relation,
    stated_verification,
)


@pytest.mark.parametrize(
    ("text", "relation", "has", "lacks"),
    [
        ("§2.79 已收甲一行,但未收录乙", "extends", "甲一行", "乙"),
        ("与活文档关系：§2.1 甲、乙已收；但丙未作为独立小节入位", "extends", "§2.1 甲、乙", "丙"),
        ("与活文档关系：§2.1 甲 + §2.7 乙；但丙未完整入位", "extends", "§2.1 甲 + §2.7 乙", "丙"),
        (
            "与 a.md 现有脉络的关系：- 第一节已有甲（1,200 行），但未收录乙 - 第二节未收录丙",
            "extends",
            "甲（1,200 行）",
            "乙",
        ),
        ("未收录甲", "new", "", "甲"),
        ("a.md 已有甲", "known", "甲", ""),
        ("已有甲", "known", "甲", ""),
        ("与 §2.3 的结论相反", "contradicts", "与 §2.3 的结论", ""),
        ("与活文档关系：与既有结论矛盾", "contradicts", "与既有结论", ""),
        ("Already covered in §2.3.", "known", "in §2.3", ""),
        ("a.md already covers A, but B is not yet covered", "extends", "A", "B"),
        ("Section 9 lists the row but does not mention B", "extends", "the row", "B"),
        ("Relation to a.md: no entry on B", "new", "", "B"),
        ("This contradicts section 2.3", "contradicts", "section 2.3", ""),
    ],
)
def test_a_relation_says_what_is_there_and_what_is_missing(text, relation, has, lacks):
    found = stated_relation(text)

    assert found is not None
    assert (relation, has, lacks) == (found.relation, found.has, found.lacks)
    assert 0 <= found.start < found.end <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "两者互补，并不矛盾",
        "与活文档关系：两者互补，并不矛盾",
        "值得警惕的矛盾",
        "the model already knows the answer",
        "已有的系统中，利用率偏低",
        "this ability is not present in small models",
        "“未收录甲”",
        "",
    ],
)
def test_prose_about_other_things_states_no_relation(text):
    assert stated_relation(text) is None


def test_only_the_relation_label_counts_where_there_is_one():
    text = "来源：a.md 未收录甲\n\n与活文档关系：§2 已收乙\n\n建议归入：§2"
    found = stated_relation(text)

    assert found is not None
    assert ("known", "§2 已收乙") == (found.relation, text[found.start : found.end])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("⚠️ 待核实 3：甲的条件\n\n- 来源：博客\n- 问题：条件不明\n- 核实建议：复测", ("甲的条件", "条件不明", "复测")),
        ("⚠️ 待核实：甲 来源： 博客 问题： 条件不明 核实建议： 复测", ("甲", "条件不明", "复测")),
        ("• 来源：博客\n• 问题：条件不明\n• 核实建议：复测", ("条件不明", "条件不明", "复测")),
        ("To verify: A\nQuestion: why\nSuggestion: measure again", ("A", "why", "measure again")),
        ("### 甲的条件\n\n问题：不明", ("甲的条件", "不明", "")),
        ('⚠️ 待核实:甲是否对齐;新增 D28 争议候选:"乙"', ("甲是否对齐", "", "")),
        ("⚠️ 待核实 2 甲的条件", ("甲的条件", "", "")),
        ("", ("", "", "")),
    ],
)
def test_a_claim_to_verify_is_taken_apart(text, found):
    assert StatedVerification(*found) == stated_verification(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("本轮共 7 条增量", [(7, "增量")]),
        ("显著增量 3 条", [(3, "显著增量")]),
        ("共 3 条", [(3, "条")]),
        ("三条线索", [(3, "线索")]),
        ("7 主线增量 + 2 旁证 + 1 警示", [(7, "主线增量"), (2, "旁证"), (1, "警示")]),
        ("共发现 7 主线增量", [(7, "主线增量")]),
        ("涉及 arXiv 号 12 个", [(12, "arXiv 号")]),
        ("10 条保留条目", [(10, "保留条目")]),
        ("4 increments and two new findings", [(4, "increments"), (2, "new findings")]),
        ("One open question", [(1, "open question")]),
    ],
)
def test_an_announced_count_has_number_and_noun(text, found):
    assert found == [(count.number, count.noun) for count in announced_counts(text)]


@pytest.mark.parametrize(
    "text",
    ["第 3 条增量", "3-5 条增量", "约 3 条增量", "增量 3：甲", "增量 1 旁证", "C59 共识候选", "2026 新趋势", "## 2 趋势", "12,500 篇论文", "E1 简报", "两三条线索", "FAST 25 paper", "v2 sources", "“3 条增量”", "8 天"],
)  # fmt: skip
def test_ordinals_ranges_and_names_announce_nothing(text):
    assert () == announced_counts(text)


def test_a_count_spans_its_words():
    text = "共有显著增量 3 条。"
    (count,) = announced_counts(text)

    assert "显著增量 3 条" == text[count.start : count.end]


@pytest.mark.parametrize(
    "text",
    ["无显著新增", "（无 serving 显著新增）", "今日无更新。", "本轮没有新内容", "无新增 serving 专项", "无当日独立新增候选", "Nothing new.", "No new findings today.", "no significant new results"],
)  # fmt: skip
def test_nothing_new_is_recognised(text):
    assert is_nothing_new(text)


@pytest.mark.parametrize(
    "text", ["无状态架构新增支持", "本轮无新增显存开销", "并非无新增", "There is nothing new about that", "no new", "新增甲", ""]
)  # fmt: skip
def test_something_else_is_not_nothing_new(text):
    assert not is_nothing_new(text)


# What is said of other agents.

AGENTS = ("ann", "bob", "小明")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "ann 已识别 bob 的推理简报当日缺失",
            [("ann", "noted", "ann 已识别"), ("bob", "missing", "bob 的推理简报当日缺失")],
        ),
        ("Bob has no brief today.", [("bob", "missing", "Bob has no")]),
        ("There is no agents brief from bob.", [("bob", "missing", "no agents brief from bob")]),
        ("bob 9-14 未发布独立简报", [("bob", "missing", "bob 9-14 未发布")]),
        ("bob did not publish a brief", [("bob", "missing", "bob did not publish")]),
        ("bob 的午间棒（12:00）当日缺失", [("bob", "missing", "bob 的午间棒（12:00）当日缺失")]),
        ("ann 指出吞吐下降，bob 未提交", [("ann", "noted", "ann 指出"), ("bob", "missing", "bob 未提交")]),
        ("Ann found 3 ms; bob confirmed it", [("ann", "noted", "Ann found"), ("bob", "noted", "bob confirmed")]),
        ("ann 已发布两份", [("ann", "delivered", "ann 已发布")]),
        ("小明 已提交", [("小明", "delivered", "小明 已提交")]),
        ("（协调：bob 当日缺失）", [("bob", "missing", "bob 当日缺失")]),
    ],
)
def test_what_a_note_says_of_other_agents_is_found(text, expected):
    found = said_of_agents(text, agents=AGENTS)

    assert expected == [(said.agent, said.deed, text[said.start : said.end]) for said in found]


@pytest.mark.parametrize(
    "text",
    [
        "inbox/bob/2026-09-14-x.md 未收录",
        "2026-09-14-1200-bob-radar.md 缺失",
        "bob-radar has no date",
        "Bobby has no brief, and a kebob has no end",
        "来源：bob 简报 条目 3",
        "bob · 主题活文档 9 天未更新",
        "bob 的节奏回落（警示）",
        "ann 转述“bob 未发布”",
        "ann 与 bob 的结论一致",
        "https://example.org/bob has no page",
        "carl has no brief",
    ],
)
def test_a_name_without_a_deed_of_its_own_says_nothing(text):
    assert () == said_of_agents(text, agents=AGENTS)

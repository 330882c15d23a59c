"""Stated placements: document, section, action, alternatives and additions."""

import pytest

from agent.reading.placements import stated_placements


def places(text: str, topics: tuple[str, ...] = ()) -> list[tuple[str | None, str | None, str]]:
    return [(place.document, place.number, place.action) for place in stated_placements(text, topics=topics)]


def test_alternatives_and_the_document_they_share():
    text = (
        "建议归入： serving.md · 第九节（9.2 新趋势）补充框架一段；或第四节（4.x 缓存）新增「分层：甲 / 乙」小节；"
        "或者第一节（现状全景）替换该行"
    )
    first, second, third = stated_placements(text)

    assert ("serving.md", "第九节（9.2 新趋势）", "9.2", "append") == (
        first.document,
        first.section,
        first.number,
        first.action,
    )
    assert ("serving.md", "4", "new_subsection", "新增「分层：甲 / 乙」小节") == (
        second.document,
        second.number,
        second.action,
        second.text,
    )
    assert ("serving.md", "1", "replace_row", "替换该行") == (third.document, third.number, third.action, third.text)


def test_additions_become_placements_of_their_own():
    text = (
        '- 建议归入:§2.1 引擎(新增「甲(a · b)」小节)+「乙」小节)+ §2.4 端侧(新增「丙」小节);新增 C12 共识候选:"丁 §9.9"'
    )

    assert [(None, "2.1", "new_subsection"), (None, "2.4", "new_subsection")] == places(text)
    assert "新增「丙」小节" == stated_placements(text)[1].text


def test_sections_listed_together_share_their_words():
    found = stated_placements("建议归入：`infra.md` §2.1、§2.4 和 2.10 补充延迟数字")

    assert ["2.1", "2.4", "2.10"] == [place.number for place in found]
    assert {("infra.md", "补充延迟数字")} == {(place.document, place.text) for place in found}


def test_english_placements():
    text = 'Suggested placement: serving.md, section 9.2 (new trends): append the row; or section 4: new subsection "Tiers"; or replace the row in section 2'

    assert [
        ("serving.md", "9.2", "append"),
        ("serving.md", "4", "new_subsection"),
        ("serving.md", "2", "replace_row"),
    ] == places(text)
    assert "append the row" == stated_placements(text)[0].text


def test_each_alternative_may_name_its_own_document():
    assert [("a.md", "1", "append"), ("b.md", None, "append"), ("b.md", "3", "append")] == places(
        "Where it belongs: a.md §1 or b.md; or append a note to section 3"
    )


@pytest.mark.parametrize(
    "text",
    [
        "建议归入：infra §2.1 更新该行",
        "归入 infra 活文档 §2.1 更新该行",
        "Placement: §2.1 of kb/infra.md, replace the row",
    ],
)
def test_the_document_is_understood_in_any_form(text):
    assert [("infra.md", "2.1", "replace_row")] == places(text, topics=("infra", "infra-old"))


def test_a_topic_may_be_named_in_any_script():
    assert [("推理.md", "2", "append")] == places("建议归入：推理.md §2 补充甲", topics=("推理",))


def test_a_topic_in_running_text_is_no_document():
    assert [(None, "2.1", "append")] == places("建议归入：§2.1 补充 infra 的部署经验", topics=("infra",))


@pytest.mark.parametrize(
    "text",
    [
        "建议归入：§2.1（参考 §2.3）",
        "建议归入：§2.1，与 §2.3 呼应",
        "建议归入：§2.1 新增「见 §2.3」小节",
        '建议归入：§2.1 新增 "see §2.3" 小节',
        "建议归入：§2.1 补充甲，详见 https://example.org/b.md",
    ],
)
def test_a_section_only_referred_to_is_no_placement(text):
    assert ["2.1"] == [place.number for place in stated_placements(text)]


def test_two_sections_joined_by_a_bare_and_are_two_placements():
    assert ["2.1", "2.4"] == [place.number for place in stated_placements("建议归入：§2.1 与 §2.4")]


def test_a_title_stands_for_a_section_without_number():
    assert ["现状全景"] == [place.section for place in stated_placements("建议归入：serving.md「现状全景」补充甲")]
    assert ["现状全景"] == [place.section for place in stated_placements("建议归入：「现状全景」补充甲")]
    assert [("rag.md", "4", "append")] == places("建议归入：rag.md 四、KV 管理 补充甲")


def test_a_verb_before_the_section_belongs_to_it():
    (place,) = stated_placements("建议归入：补充到 §2.3 的表中")

    assert ("append", "补充到 §2.3 的表中") == (place.action, place.text)


def test_list_items_are_placements_without_their_marks():
    found = stated_placements("建议归入：\n- a.md §1 补充甲\n- b.md §2 补充乙")

    assert [("a.md", "补充甲"), ("b.md", "补充乙")] == [(place.document, place.text) for place in found]


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("§1 新增综述小节", "new_subsection"),
        ("§1 新增「甲」", "new_subsection"),
        ("§1 add a new subsection", "new_subsection"),
        ("§1 新增一行", "append"),
        ("§1 补充对比表", "append"),
        ("§1 append a row to the section", "append"),
        ("§1 改写原有段落", "replace_row"),
        ("§1 update the row", "replace_row"),
        ("§1", "append"),
    ],
)
def test_the_action_follows_the_first_verb(text, action):
    assert [action] == [place.action for place in stated_placements(text)]


def test_only_the_values_of_placement_labels_are_read():
    text = "要点：§7 的旧结论\n\n建议归入：§2 补充甲\n\n另见 §9"

    assert ["2"] == [place.number for place in stated_placements(text)]


def test_spans_lie_in_the_text_given():
    text = "**建议归入**：serving.md §2 补充甲；或 §3 补充乙。"

    assert ["serving.md §2 补充甲", "§3 补充乙"] == [text[place.start : place.end] for place in stated_placements(text)]


@pytest.mark.parametrize(
    "text",
    [
        "甲与活文档 §2.1、§2.3 均有衔接",
        "- 与活文档关系：§2.1 已收甲",
        "所有新卡均归入各自主题，见 §3",
        "增量 1【§2.1 引擎】甲",
    ],
)
def test_sections_in_text_that_is_no_placement_are_only_mentioned(text):
    assert () == stated_placements(text)


def test_a_value_may_be_given_without_its_label():
    assert [("a.md", "2", "append"), ("a.md", "3", "append")] == places("在 a.md §2；或 §3")
    assert [("a.md", "3", "append")] == places("补充到 a.md §3 的表中")


def test_no_place_named_is_no_placement():
    assert () == stated_placements("建议归入：暂无")


@pytest.mark.parametrize(
    ("text", "section", "number"),
    [
        ("建议归入：inference.md · 7.1 vLLM（追加一条）", "7.1 vLLM", "7.1"),
        ("Suggested placement: agents.md · 2.1 Tool interfaces (append)", "2.1 Tool interfaces", "2.1"),
        ("建议归入：inference.md 4", "4", "4"),
        ("建议归入：inference.md 2026 年新趋势", "", None),
        ("建议归入：inference.md 补充 3 条数据", "", None),
        ("建议归入：inference.md 2.4× 提升一行", "", None),
        ("建议归入：inference.md 3 条", "", None),
    ],
)
def test_a_bare_number_right_after_a_document_is_its_section(text, section, number):
    (placement,) = stated_placements(text)

    assert (section, number) == (placement.section, placement.number)

"""Plain code sees each labelled part of a segment, and keeps every word and figure as the note has it."""

import pytest

from agent.extracting.observe import Observed, as_evidence, breadth, by_label, cut, measures, observe, plain
from agent.reading.units import split_units
from tests.noting import a_note, segment_of, segments_of

WHOLE = """## 增量 2：RingKV 把 KV 放进主机内存 (arXiv:2609.01234) (★★ 必补)

来源：jay 9-14-1100 filter-notes 条目 2，另见 https://ring.example/post
可信度：⭐⭐⭐（作者自测）
arXiv 号：2608.00017
要点：
- 首 token 延迟 2.4 s 降到 0.8 s，对照 arXiv:2607.00001
- ⚠️ 命中率低于 30% 时没有收益

```bash
serve --kv-offload 12
```

与现有脉络的关系：§4.1 已有主机内存一行，但未收录 RingKV
建议归入：inference.md · §4.1（补充）；新增 C12 共识候选："主机内存是第二层"

下一步看看别的。
"""


def _observed(text: str = WHOLE) -> Observed:
    return observe(segment_of(text), topics=["inference"], agents=["jay"])


def test_points_are_what_stands_below_the_points_label_and_nothing_else():
    said = [plain(unit.text) for unit in _observed().points]

    assert ["首 token 延迟 2.4 s 降到 0.8 s，对照 arXiv:2607.00001", "⚠️ 命中率低于 30% 时没有收益"] == said


def test_relation_placement_and_what_follows_it_are_not_shown_to_a_model():
    asked = "\n".join(unit.text for unit in _observed().asked)

    assert "来源：" in asked
    assert "--kv-offload" in asked
    assert not [word for word in ("已有主机内存", "建议归入", "下一步", "## 增量") if word in asked]


def test_everything_that_is_written_down_is_found():
    seen = _observed()

    assert seen.stars
    assert seen.relation
    assert (3, "作者自测", "extends") == (seen.stars.stars, seen.stars.basis, seen.relation.relation)
    assert 2 == seen.priority
    assert ("https://ring.example/post",) == seen.urls
    assert [("jay", "条目 2")] == [(one.agent, one.item) for one in seen.cited]
    assert [("inference.md", "4.1")] == [(one.document, one.number) for one in seen.placements]
    assert [("C", 12)] == [(one.kind, one.number) for one in seen.registers]
    assert ("⚠️ 命中率低于 30% 时没有收益",) == seen.warnings


def test_without_a_label_for_them_placements_are_read_from_the_running_text():
    text = "## 增量 1：缓存分层的新做法\n\n延迟降到 300 ms，归 inference.md §4.1。{}\n"

    filed = _observed(text.format("又见 inference.md §4.2。"))
    labelled = _observed(text.format("\n\n建议归入：inference.md · §4.3（补充）"))

    assert [("inference.md", "4.1")] == [(one.document, one.number) for one in filed.placements]
    assert [("inference.md", "4.3")] == [(one.document, one.number) for one in labelled.placements]


def test_the_findings_own_identifiers_come_first_then_those_of_its_content():
    assert ("2609.01234", "2608.00017", "2607.00001") == _observed().arxiv_ids


def test_what_a_finding_rests_on_is_its_sources_and_its_rating():
    rested = [unit.text[:3] for unit in _observed().rested]

    assert ["来源：", "可信度"] == rested


def test_a_card_that_is_named_is_no_identifier_of_the_finding():
    text = "## 增量 1：缓存分层的新做法\n\n要点：\n- 与卡片 12-2608-90417.md 的结论相同\n"

    assert () == _observed(text).arxiv_ids


def test_without_any_label_the_whole_text_is_the_point():
    seen = _observed("## 增量 1：缓存分层的新做法\n\n前缀命中率高的时候，延迟降到三分之一。\n")

    assert ["前缀命中率高的时候，延迟降到三分之一。"] == [unit.text for unit in seen.points]
    assert (None, None, None, ()) == (seen.stars, seen.priority, seen.relation, seen.placements)


def test_where_everything_follows_the_placement_that_is_the_content():
    seen = _observed(
        "## 增量 1：缓存分层\n\n建议归入：inference.md · §4.1（补充）\n\n前缀命中率高时延迟降到三分之一。\n"
    )

    assert ["前缀命中率高时延迟降到三分之一。"] == [unit.text for unit in seen.points]
    assert seen.points[0] in seen.asked


def test_captions_code_and_leftovers_are_no_points_but_short_chinese_statements_are():
    seen = _observed(
        "## 增量 1：缓存分层\n\n要点：\n- 在单卡上的实测数据：\n- 吞吐翻倍\n- 显存降 3 倍\n- 见上\n- ok\n\n```\nlatency = 12 ms\n```\n"
    )

    assert ["吞吐翻倍", "显存降 3 倍"] == [plain(unit.text) for unit in seen.points]


def test_a_label_with_text_rules_its_line_and_one_alone_rules_what_follows():
    units = split_units("来源：甲方博客。\n补了一句话。\n\n要点：\n\n第一点。\n\n第二点。\n")
    parts = by_label(units)

    assert ["来源：甲方博客。"] == [unit.text for unit in parts["source"]]
    assert ["补了一句话。"] == [unit.text for unit in parts[""]]
    assert ["要点：", "第一点。", "第二点。"] == [unit.text for unit in parts["points"]]


def test_points_with_text_behind_the_label_go_on_below_it():
    parts = by_label(split_units("要点：第一点。\n第二点。\n"))

    assert ["要点：第一点。", "第二点。"] == [unit.text for unit in parts["points"]]


def test_a_label_inside_code_rules_nothing():
    parts = by_label(split_units("```\n来源：不是来源\n```\n"))

    assert [] == parts["source"]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("延迟下降", "- 延迟下降"),
        ("延迟 下降", "  •  延迟\n   下降 "),
        ("-40% 延迟", "- -40% 延迟"),  # the sign is the figure's
        ("+3.2 分", "* +3.2 分"),
        ("-40% 延迟", "-40% 延迟"),
        ("--cache-type q8_0", "--cache-type q8_0"),
        ("说明如下", "—— 说明如下"),
        ("延迟下降", "-延迟下降"),
        ("速度 提升三倍", "- **速度** 提升三倍"),
        ("2**3 是 8", "2**3 是 8"),
        ("a * b * c", "a * b * c"),
        ("", "- "),
    ],
)
def test_plain_takes_the_bullet_and_leaves_the_words(said, text):
    assert said == plain(text)


def test_breadth_counts_chinese_twice():
    assert (4, 8, 6) == (breadth("abcd"), breadth("吞吐翻倍"), breadth("ab吞吐"))


@pytest.mark.parametrize(
    ("kept", "text", "limit"),
    [
        ("short", "short", 5),
        ("latency fell to…", "latency fell to 1234.5 ms", 20),
        ("延迟降到…", "延迟降到1234.5毫秒", 8),
        ("一二三…", "一二三四五六", 4),
        ("a" * 49 + "…", "a" * 90, 50),  # one endless word has to be cut somewhere
    ],
)
def test_a_cut_keeps_to_the_limit_and_never_cuts_a_figure(kept, text, limit):
    assert kept == cut(text, limit)
    assert limit >= len(cut(text, limit))


def test_evidence_is_the_unit_at_its_place():
    text = "第一句。\n\n- 吞吐 12 tok/s\n"
    note = a_note(text)
    evidence = as_evidence(note, split_units(text)[-1])

    assert "- 吞吐 12 tok/s" == evidence.quote == text[evidence.start : evidence.end]
    assert (note.path, 3) == (evidence.note, evidence.line)


def test_measures_carry_the_unit_they_stand_in_and_code_has_none():
    text = "- 吞吐 12 tok/s\n\n```\ntimeout = 30 s\n```\n"
    found = measures(a_note(text), split_units(text))

    assert [(12.0, "tok/s", "- 吞吐 12 tok/s")] == [(one.value, one.unit, one.evidence.quote) for one in found]


def test_a_row_is_placed_where_one_of_its_cells_says():
    text = "| 名称 | 归入 | 说明 |\n|---|---|---|\n| FooCache v0.3 | agents.md §2.1 | 3 ms |\n"
    (segment,) = segments_of(text)

    observed = observe(segment, topics=["agents"])

    assert [("agents.md", "§2.1")] == [(one.document, one.section) for one in observed.placements]

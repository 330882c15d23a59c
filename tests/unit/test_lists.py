"""What a note lists beside its increments: each entry once, with its place; captions and empty lists are none."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

import pytest

from agent.extracting.lists import arxiv_mentions, leads, sources_read, verifications
from agent.records import ArxivMention, Lead, ToVerify
from tests.noting import a_note, knowing, segments_of

FILTER = "inbox/jay/2026-09-14-1100-filter.md"


def _leads(text: str) -> tuple[Lead, ...]:
    return leads(a_note(text), segments_of(text))


def _verifications(text: str) -> tuple[ToVerify, ...]:
    return verifications(a_note(text), segments_of(text))


def _mentions(
    text: str, *, titles: dict[str, str] | None = None, cards: Sequence[str] = ()
) -> tuple[ArxivMention, ...]:
    return arxiv_mentions(a_note(text), knowledge=knowing(cards=cards), titles=titles or {}, language="en")


# Leads.


def test_each_item_of_a_list_of_leads_is_one_with_its_place_and_identifiers():
    text = "# 简报\n\n## 次级线索\n\n- 某实验室预告新的量化格式\n- 键值缓存综述 arXiv:2609.01234v2\n"
    first, second = _leads(text)

    assert ("某实验室预告新的量化格式", ()) == (first.text, first.arxiv_ids)
    assert ("2609.01234",) == second.arxiv_ids
    assert [5, 6] == [one.evidence[0].line for one in (first, second)]
    assert all(text[e.start : e.end] == e.quote for one in (first, second) for e in one.evidence)


def test_captions_rules_and_code_of_a_table_of_leads_are_none():
    text = "## 次级线索\n\n| 线索 | 来源 | 价值 |\n|---|---|---|\n| 某厂商下周发布推理芯片 | 新闻 | 中 |\n\n```\ncurl https://a.example\n```\n"

    assert ["某厂商下周发布推理芯片 · 新闻 · 中"] == [one.text for one in _leads(text)]


def test_a_short_chinese_lead_counts_and_a_word_for_nothing_does_not():
    assert ["某库今天开源"] == [one.text for one in _leads("## 次级线索\n\n- 某库今天开源\n- 无\n- 暂无\n- None\n")]


def test_what_stands_elsewhere_is_no_lead():
    assert () == _leads("# 简报\n\n## 增量 1：缓存分层\n\n要点：\n- 吞吐升到 12 tok/s 以上\n")


# Claims to verify.


def test_a_claim_with_question_and_suggestion():
    text = "# 简报\n\n## 待核实 1：某引擎快 12 倍\n\n问题：对照是谁？\n建议：查原文的表 2\n"
    (found,) = _verifications(text)

    assert ("某引擎快 12 倍", "对照是谁？", "查原文的表 2", "note") == (
        found.claim,
        found.question,
        found.suggestion,
        found.found_by,
    )
    assert [3, 5, 6] == [one.line for one in found.evidence]
    assert all(text[one.start : one.end] == one.quote for one in found.evidence)


@pytest.mark.parametrize("nothing", ["无", "暂无。", "- 无", "None.", "N/A"])
def test_a_list_of_claims_that_says_there_is_none_holds_none(nothing):
    assert () == _verifications(f"# 简报\n\n## 待核实\n\n{nothing}\n")


def test_a_claim_that_begins_with_such_a_word_is_one():
    (found,) = _verifications("# 简报\n\n## 待核实\n\n无损压缩的说法没有出处\n")

    assert "无损压缩的说法没有出处" == found.claim


# Identifiers.


def test_every_identifier_is_mentioned_once_with_all_its_versions_in_order():
    found = _mentions("见 arXiv:2609.01234v3，又 arXiv:2608.00001，再 arXiv:2609.01234v1。")

    assert [("2609.01234", (1, 3)), ("2608.00001", ())] == [(one.id, one.versions) for one in found]


@pytest.mark.parametrize(
    ("status", "text", "known"),
    [
        ("new", "见 arXiv:2609.01234。", {}),
        ("stock", "见 arXiv:2609.01234。", {"cards": ["2609.01234"]}),
        ("stock", "见卡片 12-2609-01234.md。", {}),  # named as a card: the note's writer has it
        ("new", "见 arXiv:2609.01234 与卡片 12-2608-90417.md。", {}),
    ],
)
def test_what_a_card_holds_is_stock(status, text, known):
    assert status == _mentions(text, **known)[0].status


def test_what_a_living_document_mentions_is_stock():
    known = knowing("inference.md\n# inference\n\n已收 arXiv:2609.01234v1。\n")

    (found,) = arxiv_mentions(a_note("见 arXiv:2609.01234v2。"), knowledge=known, titles={}, language="en")

    assert "stock" == found.status


def test_titles_are_those_that_are_known():
    found = _mentions("见 arXiv:2609.01234 与 arXiv:2608.00001。", titles={"2608.00001": "分层缓存"})

    assert [None, "分层缓存"] == [one.title for one in found]


def test_remarks_tell_of_later_months_and_of_odd_writing():
    late, odd, plain = _mentions("见 arXiv:2611.01234，arXiv:２６０８．００００１ 与 arXiv:2608.00002。")

    assert ("month after the note's date 2026-09-14",) == late.remarks
    assert ("written oddly",) == odd.remarks
    assert () == plain.remarks


def test_the_notes_date_decides_what_is_late():
    text = "见 arXiv:2611.01234。"
    later = replace(a_note(text), date=dt.date(2026, 12, 1))

    assert () == arxiv_mentions(later, knowledge=knowing(), titles={}, language="en")[0].remarks


# Sources read.


def test_what_the_note_says_it_has_read_is_resolved():
    text = f"# 简报\n\n要点在下面。\n\n## 检查来源\n\n- {FILTER}\n- inbox/jay/2026-09-13-0900-lost.md\n"

    found = sources_read(a_note(text), segments_of(text), knowing(note_paths=[FILTER]))

    assert [FILTER, None] == [one.note for one in found]


def test_a_note_cited_elsewhere_is_not_said_to_be_read():
    text = f"# 简报\n\n## 增量 1：缓存分层\n\n来源：{FILTER}\n要点：\n- 吞吐升到 12 tok/s\n"

    assert () == sources_read(a_note(text), segments_of(text), knowing(note_paths=[FILTER]))


def test_doubts_and_warnings_in_passing_are_to_verify_and_sentences_side_by_side_are_one():
    text = (
        "# 读后\n\n吞吐升到 12 tok/s。有一处我不敢信：解码快了 1.7 倍。这个数字先不要抄进活文档。\n\n"
        "Warning: the fix assumes that rename is atomic.\n\n显存降到 9 GB。\n"
    )

    found = verifications(a_note(text), segments_of(text))

    assert [
        "有一处我不敢信：解码快了 1.7 倍。 这个数字先不要抄进活文档。",
        "Warning: the fix assumes that rename is atomic.",
    ] == [one.claim for one in found]
    assert [2, 1] == [len(one.evidence) for one in found]
    assert all(text[cited.start : cited.end] == cited.quote for one in found for cited in one.evidence)

"""What a heading says, in both languages, with and without its marks."""

import pytest

from agent.reading.headings import Heading, read_heading, split_number
from agent.texts import Unit


def read(text: str) -> Heading:
    return read_heading(Unit(1, 0, len(text), text, "heading", 1))


@pytest.mark.parametrize(
    ("text", "title", "ordinal"),
    [
        ("增量 3：缓存分层", "缓存分层", 3),
        ("### 增量 2 · 缓存分层", "缓存分层", 2),
        ("增量 6【引擎 §2.1】缓存分层（★★ 必补）", "缓存分层", 6),
        ("**增量 3：缓存分层**", "缓存分层", 3),
        ("## 🔥 增量 1：缓存分层", "缓存分层", 1),
        ("## 3. 增量 3 — 缓存分层", "缓存分层", 3),
        ("增量三：缓存分层", "缓存分层", 3),
        ("【增量 3】缓存分层", "缓存分层", 3),
        ("增量（3）缓存分层", "缓存分层", 3),
        ("## 增量 3 缓存分层", "缓存分层", 3),
        ("## 增量：缓存分层", "缓存分层", None),
        ("高价值 6：缓存分层", "缓存分层", 6),
        ("条目 3", "", 3),
        ("条目 H：缓存分层", "缓存分层", None),
        ("候选 2", "", 2),
        ("发现 1", "", 1),
        ("Increment 2: caching in tiers", "caching in tiers", 2),
        ("## Finding 3 — caching in tiers", "caching in tiers", 3),
        ("### Key finding 4: caching", "caching", 4),
    ],
)
def test_a_heading_opens_an_increment(text, title, ordinal):
    heading = read(text)

    assert ("increment", title, ordinal) == (heading.kind, heading.title, heading.ordinal)


@pytest.mark.parametrize(
    "text",
    [
        "发现 3 个问题",
        "Finding 3 bugs in the scheduler",
        "Finding a way out",
        "增量 3 条",
        "候选人 2 名",
        "条目化整理",
        "Itemised bill",
        "## 主题一：缓存",
        "Day 6: caching",
    ],
)
def test_a_heading_that_only_begins_alike_opens_none(text):
    assert "increment" != read(text).kind


@pytest.mark.parametrize(
    "text",
    [
        "增量 10【警示】ann 的晨棒当日缺失，节奏连续两日回落（警示）",
        "增量 4：bob 的 inference E1 今天未发布",
        "### Increment 4: The evening baton of ann is missing",
        "⚠️ 警示：ann 的精读棒（15:00）当日缺失",
        "Warning: no handoff came from bob",
        "增量 5【提醒】活文档 9 天未更新",
    ],
)
def test_a_heading_about_the_relay_is_a_warning(text):
    assert "warning" == read(text).kind


@pytest.mark.parametrize(
    "text",
    [
        "增量 3【警示】远程执行漏洞影响推理引擎",
        "增量 2：KV 缓存缺失率下降，鲁棒性更好",
        "Increment 5: Missing labels hurt relay networks less",
        "Increment 6: A brief history of missing-data imputation",
        "增量 7：arXiv:2607.90288 在接力任务中缺失标签也能训练",
    ],
)
def test_a_finding_about_the_world_is_no_warning(text):
    assert "increment" == read(text).kind


@pytest.mark.parametrize(
    ("text", "title", "ordinal"),
    [
        ("⚠️ 待核实：缓存的条件", "缓存的条件", None),
        ("待核实 1：缓存的条件", "缓存的条件", 1),
        ("⚠️ 待核实 2:缓存的条件", "缓存的条件", 2),
        ("## To verify: the conditions", "the conditions", None),
    ],
)
def test_a_heading_opens_a_claim_to_verify(text, title, ordinal):
    heading = read(text)

    assert ("to_verify", title, ordinal) == (heading.kind, heading.title, heading.ordinal)


@pytest.mark.parametrize(
    "text",
    ["值得警惕的矛盾或待核实说法", "## 二、待核实（3 条）", "Open questions to verify", "## To verify", "## ❓ 待核实"],
)
def test_a_heading_opens_a_section_of_claims(text):
    assert "verify_section" == read(text).kind


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("次级线索（归档，不计入）", "leads"),
        ("## Leads", "leads"),
        ("三、可引用的 arXiv 号列表（本轮新增）", "arxiv_list"),
        ("arXiv 号列表", "arxiv_list"),
        ("## arXiv IDs", "arxiv_list"),
        ("四、检查过的来源清单", "checked"),
        ("### Sources checked", "checked"),
        ("五、结论与今晚的建议", "conclusion"),
        ("## Conclusion: what is left", "conclusion"),
        ("增量摘要", "summary"),
        ("## ✅ TL;DR", "summary"),
        ("# **Summary**", "summary"),
    ],
)
def test_a_heading_opens_a_section_with_a_role(text, role):
    heading = read(text)

    assert ("section", role) == (heading.kind, heading.role)


@pytest.mark.parametrize("text", ["结论：本轮无新增", "arXiv 号：无", "来源清单：见下", "Summary: nothing new"])
def test_a_label_with_its_value_is_no_section(text):
    assert "plain" == read(text).kind


@pytest.mark.parametrize(
    ("text", "is_sure"),
    [("一、核心增量（7 主线）", True), ("## New findings", True), ("## Key findings", False), ("高价值", False)],
)
def test_a_heading_announces_increments(text, is_sure):
    heading = read(text)

    assert ("announcement", is_sure) == (heading.kind, heading.is_sure)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("§2.79 CXL KV", ("2.79", "CXL KV")),
        ("四、缓存管理", ("四", "缓存管理")),
        ("4.3 混合内存", ("4.3", "混合内存")),
        ("第九节 趋势", ("第九节", "趋势")),
        ("第3章：缓存", ("第3章", "缓存")),
        ("第一部分 缓存", ("第一部分", "缓存")),
        ("（三）缓存", ("三", "缓存")),
        ("1. Cache", ("1", "Cache")),
        ("6.", ("6", "")),
        ("2️⃣ Cache", ("2", "Cache")),
        ("① 缓存", ("1", "缓存")),
        ("Chapter 3: Cache", ("3", "Cache")),
        ("3FS for everybody", ("", "3FS for everybody")),
        ("2024 in review", ("", "2024 in review")),
        ("v0.20.0 is out", ("", "v0.20.0 is out")),
    ],
)
def test_a_section_number_is_split_off_as_written(words, expected):
    assert expected == split_number(words)

"""Stars and priorities are read where they are stated, and nowhere else."""

import pytest

from agent.reading.ratings import stated_priority, stated_stars


@pytest.mark.parametrize(
    ("text", "stars", "basis"),
    [
        ("可信度： ⭐⭐⭐（预印本，有(公开)数据）", 3, "预印本，有(公开)数据"),
        ("可信度：⭐️⭐️", 2, ""),
        ("**可信度**：★★★☆☆", 3, ""),
        ("【可信度】★ ★ ★ ★", 4, ""),
        ("可信度：4/5", 4, ""),
        ("可信度：８／１０（官方）", 4, "官方"),
        ("可信度：四星", 4, ""),
        ("可信度：⭐⭐⭐⭐ (4/5)（自测）", 4, "自测"),
        ("可信度：⭐⭐⭐½（两处来源）", 3, "两处来源"),
        ("Credibility: ⭐4/5", 4, ""),
        ("来源可信度：高", 4, ""),
        ("可信度:中(数据需复核)", 3, "数据需复核"),
        ("可信度：🟢 高，官方发布。其余不论", 4, "官方发布"),
        ("置信度：低", 2, ""),
        ("可信度：极高", 5, ""),
        ("可信度：很低", 1, ""),
        ("credibility: high", 4, ""),
        ("Confidence: **medium** (one source)", 3, "one source"),
        ("- Reliability: very low, hearsay", 1, "hearsay"),
        ("Credibility: 3 stars", 3, ""),
        ("可信度 ★★★★☆（复现过）", 4, "复现过"),
        ("| 可信度 | ⭐⭐⭐ |", 3, ""),
        ("来源：甲 可信度：⭐⭐（转述） arXiv 号：无", 2, "转述"),
    ],
)
def test_a_labelled_rating_is_read_with_its_basis(text, stars, basis):
    found = stated_stars(text)

    assert found is not None
    assert (stars, basis) == (found.stars, found.basis)


@pytest.mark.parametrize(("written", "stars"), [("3.5/5", 3), ("2.5/5", 2), ("4.6/5", 5), ("0.4/5", 1), ("中到高", 3), ("medium-high", 3), ("7/10", 3)])  # fmt: skip
def test_halves_are_rounded_down_and_the_least_rating_is_one(written, stars):
    found = stated_stars(f"可信度：{written}")

    assert found is not None
    assert stars == found.stars


@pytest.mark.parametrize(
    "text", ["⭐⭐⭐⭐", "- ★★★★（预印本）", "说明\n⭐⭐⭐⭐\n正文", "评级：★★★★", "⭐⭐⭐⭐⭐ (8/10)\n★★★★"]
)
def test_a_line_of_stars_is_a_rating(text):
    found = stated_stars(text)

    assert found is not None
    assert found.stars in (4, 5)


@pytest.mark.parametrize(
    "text",
    [
        "发现 甲（★★ 必补）",
        "★★（必补）",
        "repo 9B / 884⭐",
        "1.2k ⭐ on the hub",
        "⭐ Highlights",
        "相关性评分: ⭐⭐⭐⭐⭐ (10/10)",
        "推荐指数：★★★★",
        "可信度：高/中/低",
        "可信度：高/中/低（三选一）",
        "可信度：中国厂商自述",
        "可信度：⭐⭐⭐⭐⭐⭐",
        "可信度：☆☆☆☆☆",
        "可信度：0/5",
        "可信度：7/5",
        "置信度：80%",
        "草稿模型的置信度高时收益大",
        "confidence: the largest token probability",
        "“可信度：高”",
        "",
    ],
)
def test_what_rates_something_else_is_no_rating(text):
    assert stated_stars(text) is None


def test_the_first_rating_counts_and_its_span_is_exact():
    text = "x\n- **可信度**：★★（甲）\n可信度：高"
    found = stated_stars(text)

    assert found is not None
    assert "**可信度**：★★（甲）" == text[found.start : found.end]


@pytest.mark.parametrize(
    ("text", "priority"),
    [
        ("增量 2 甲（★★ 必补）", 2),
        ("甲(★ 必补)", 1),
        ("甲 必补（★★★）", 3),
        ("甲（必补）", 1),
        ("[P0] 甲", 3),
        ("P1: 甲", 2),
        ("## P2 — 甲", 1),
        ("P3：甲", 0),
        ("优先级：高", 3),
        ("- **优先级**：P2", 1),
        ("优先级：★★", 2),
        ("Priority: medium", 2),
        ("(high priority) A", 3),
        ("甲（旁证）", 0),
        ("A (supporting)", 0),
    ],
)
def test_a_priority_mark_is_a_number(text, priority):
    assert priority == stated_priority(text)


@pytest.mark.parametrize(
    "text", ["P2P 网络", "P99 延迟", "p0 = 0.5", "在 P1 阶段", "优先级：高/中/低", "可信度：⭐⭐⭐", "★★★★", "增量 1 旁证", ""]
)  # fmt: skip
def test_other_marks_are_no_priority(text):
    assert stated_priority(text) is None


def test_the_first_priority_mark_counts():
    assert 0 == stated_priority("甲（旁证）\n优先级：高")
    assert 3 == stated_priority("优先级：高\n甲（旁证）")

"""What bounds an increment is written down: a rating, a place, a paper or a release each; where nothing is, nothing is bounded."""

import pytest

from agent.extracting.bounds import bounded, says_nothing_new
from agent.texts import Segment
from tests.noting import segments_of

PAPERS = "# 周报\n\n## {}\n\n延迟降到 300 ms，见 arXiv:2609.01234。\n\n## {}\n\n吞吐 12 tok/s，见 arXiv:2609.05678。\n"


def _bounded(text: str) -> tuple[Segment, ...]:
    return bounded(segments_of(text), topics=["inference"])


def _quoted(text: str) -> list[str]:
    """Return what each bounded segment spans."""
    return [text[one.start : one.end] for one in _bounded(text)]


def _titles(text: str) -> list[str]:
    return [one.heading_path[-1] for one in _bounded(text)]


# What the note calls so.


def test_what_a_note_calls_an_increment_stands_alone():
    text = "# 简报\n\n## 增量 1：缓存\n\n- 300 ms\n\n## 别的\n\n可信度：⭐⭐⭐\n\n- 12 tok/s\n"

    assert ["增量 1：缓存"] == _titles(text)


# Sections.


@pytest.mark.parametrize(
    "line",
    [
        "可信度：⭐⭐⭐（作者自测）",
        "建议归入：inference.md · §4.1（补充）",
        "与现有脉络的关系：§4.1 已有一行",
        "Credibility: 3/5",
    ],
)
def test_a_section_that_is_rated_placed_or_related_is_bounded(line):
    text = f"# 简报\n\n## 背景\n\n最近在想缓存。\n\n## RingKV\n\n延迟降到 300 ms。\n\n{line}\n"

    assert ["RingKV"] == _titles(text)


def test_a_section_takes_the_parts_that_are_named_like_parts_of_an_increment():
    text = "# 简报\n\n## RingKV\n\n可信度：⭐⭐⭐\n\n### 要点\n\n延迟降到 300 ms。\n\n## 后记\n\n没有别的。\n"

    (found,) = _quoted(text)

    assert found.startswith("## RingKV")
    assert found.endswith("300 ms。")


def test_headings_of_the_same_words_are_sections_of_their_own():
    rated = "\n\n可信度：⭐⭐⭐\n\n延迟降到 300 ms。\n\n"

    assert 3 == len(_quoted(f"# 简报\n\n## RingKV{rated}## Kestrel{rated}## RingKV{rated}"))


def test_a_part_that_stands_below_another_section_is_not_taken_by_the_one_above_it():
    rated = "\n\n可信度：⭐⭐⭐\n\n"
    text = f"# 简报\n\n## RingKV{rated}### Kestrel{rated}### 要点\n\n延迟降到 300 ms。\n"

    assert ["## RingKV\n\n可信度：⭐⭐⭐", "### Kestrel\n\n可信度：⭐⭐⭐"] == _quoted(text)


def test_a_rated_section_that_says_it_brings_nothing_is_none():
    assert [] == _quoted("# 简报\n\n## RingKV\n\n可信度：⭐⭐⭐\n\n本轮无新增论文。\n")


def test_sections_that_report_figures_of_a_paper_each_are_bounded():
    assert ["缓存", "吞吐"] == _titles(PAPERS.format("缓存", "吞吐"))


def test_sections_about_a_release_each_are_bounded_and_those_without_figures_left_out():
    text = "# 发布\n\n## vLLM v0.31.0\n\n吞吐 12 tok/s。\n\n## SGLang 0.6.1\n\n修了几个错。\n\n## llama.cpp v1.2.3\n\n延迟 300 ms。\n"

    assert ["vLLM v0.31.0", "llama.cpp v1.2.3"] == _titles(text)


@pytest.mark.parametrize(
    "text",
    [
        PAPERS.format("缓存", "吞吐").replace("2609.05678", "2609.01234"),  # the same paper
        PAPERS.format("缓存", "吞吐").replace("，见 arXiv:2609.05678", ""),  # one of two alone
        PAPERS.format("缓存", "吞吐").replace("2609.05678", "2609.05678 与 2609.09999"),  # several papers
        PAPERS.format("缓存", "吞吐").replace("300 ms", "了").replace("12 tok/s", "也是"),  # no figures
        "# 周报\n\n延迟降到 300 ms，见 arXiv:2609.01234。\n\n吞吐 12 tok/s，见 arXiv:2609.05678。\n",  # no headings
    ],
)
def test_sections_that_are_not_about_one_thing_each_are_not_bounded(text):
    assert [] == _quoted(text)


def test_of_sections_within_sections_the_outermost_that_are_about_one_thing_each_are_bounded():
    text = PAPERS.format("缓存", "吞吐").replace("延迟降到", "### 数据\n\n单卡。\n\n### 结果\n\n延迟降到")

    found = _quoted(text)

    assert ["缓存", "吞吐"] == [one.split()[1] for one in found]
    assert "### 数据" in found[0]
    assert found[0].endswith("2609.01234。")


# Paragraphs, items, rows.


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (
            ["延迟降到 300 ms，归 inference.md §4.1。"],
            "今天读得不多。\n\n延迟降到 300 ms，归 inference.md §4.1。\n\n吞吐 12 tok/s。\n",
        ),
        (
            ["- Latency falls to 300 ms; goes to inference.md §4.1"],
            "- Latency falls to 300 ms; goes to inference.md §4.1\n- 12 tok/s\n",
        ),
        (["- 延迟降到 300 ms；inference.md §4.1"], "- 延迟降到 300 ms；inference.md §4.1\n- 别的\n"),
        ([], "延迟降到 300 ms，见 inference.md §4.1。\n\n别的。\n"),  # only referred to
        ([], "一句闲话，归 inference.md §4.1。\n\n别的。\n"),  # reports nothing
        ([], "重复：延迟降到 300 ms，归 inference.md §4.1。\n\n别的。\n"),  # known
    ],
)
def test_a_paragraph_or_item_that_reports_something_and_names_its_section_is_bounded(found, text):
    assert found == _quoted(text)


def test_a_row_is_bounded_whose_cell_for_placements_is_filled():
    row = "| {} | 前缀缓存把 7B 模型的首字延迟从 900 ms 降到 300 ms，命中率达到 60% | {} |"
    table = [row.format("甲", "inference.md §4.1"), row.format("乙", "-"), row.format("丙", "§4.2")]

    found = _quoted("\n".join(["| 名称 | 说明 | 归入 |", "|---|---|---|", *table]) + "\n")

    assert [table[0], table[2]] == found
    assert [] == _quoted("\n".join(["| 名称 | 说明 | 备注 |", "|---|---|---|", *table]) + "\n")


def test_sections_that_are_bounded_leave_placed_paragraphs_to_a_model():
    text = "# 简报\n\n延迟降到 300 ms，归 inference.md §4.1。\n\n## RingKV\n\n吞吐 12 tok/s。\n\n可信度：⭐⭐⭐\n"

    assert ["RingKV"] == _titles(text)


# Nothing.


@pytest.mark.parametrize(
    "text",
    [
        "",
        "大家好。\n",
        "# 随笔\n\n## 想法\n\n延迟降到 300 ms。\n\n## 计划\n\n吞吐 12 tok/s。\n",
        "延迟降到 300 ms。\n\n吞吐 12 tok/s。\n",
    ],
)
def test_where_nothing_bounds_an_increment_there_is_none(text):
    assert [] == _quoted(text)


@pytest.mark.parametrize(
    "text",
    [
        "本轮无新增论文。\n\n延迟降到 300 ms，归 inference.md §4.1。\n",
        "# 简报\n\n## RingKV\n\n可信度：⭐⭐⭐\n\n## 结论\n\n本轮无新增论文。\n",
    ],
)
def test_a_note_that_says_it_brings_nothing_new_is_taken_at_its_word(text):
    assert says_nothing_new(segments_of(text))
    assert [] == _quoted(text)


def test_a_note_that_says_so_of_a_part_alone_is_not():
    assert not says_nothing_new(
        segments_of("# 简报\n\n## 论文\n\n本轮无新增论文。\n\n## RingKV\n\n延迟降到 300 ms。\n")
    )


# Faults that a trial found.


def test_two_sections_about_one_release_are_both_kept():
    text = "# 周报\n\n## vLLM v0.31.0 调度\n\n延迟 3 ms。\n\n## vLLM v0.31.0 显存\n\n显存降低 63%。\n\n## SGLang v0.6.2\n\n快 4%。\n"

    assert ["vLLM v0.31.0 调度", "vLLM v0.31.0 显存", "SGLang v0.6.2"] == [
        one.title for one in bounded(segments_of(text))
    ]


@pytest.mark.parametrize(
    "names", [("2026.09.13", "2026.09.14"), ("1.1.1 背景", "1.1.2 方法"), ("10.0.0.1", "10.0.0.2")]
)
def test_dates_section_numbers_and_addresses_are_no_releases(names):
    text = "# 日记\n\n" + "".join(f"## {name}\n\n骑车 40 min，咖啡 3 $。\n\n" for name in names)

    assert () == bounded(segments_of(text))


@pytest.mark.parametrize("cell", ["待定", "N/A", "不归入", "已有，跳过", "TBD", "暂无"])
def test_a_row_that_says_it_is_not_placed_is_none(cell):
    filler = "这一列写得很长，好让每一行自己就能说明一件事情而不用看别的行"
    text = f"# 表\n\n| 名称 | 归入 | 说明 |\n|---|---|---|\n| FooCache v0.3 | {cell} | 3 ms {filler} |\n| BarSched v0.4 | {cell} | 4 ms {filler} |\n"

    assert () == bounded(segments_of(text))

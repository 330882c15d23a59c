"""What can be checked of a source: by code, and by a model as far as the note bears it out."""

import pytest

from agent.extracting.observe import Observed, observe
from agent.extracting.rate import RatingParts
from agent.extracting.trust import parts_by_code, parts_held
from agent.replies import ExtractReply
from tests.noting import segment_of

SAYS_ALL = ExtractReply(
    summary="首字延迟降到三分之一。",
    points=[1],
    source_kind="paper",
    measured_by="independent",
    conditions_given="yes",
    primary_source=True,
    commercial_interest=False,
    reproducible=True,
    reason="有论文。",
)


def _observed(
    *,
    source: str = "某处",
    rating: str = "",
    title: str = "缓存分层",
    points: str = "- 吞吐升到 12 tok/s",
    more: str = "",
) -> Observed:
    rated = f"可信度：⭐⭐⭐（{rating}）\n" if rating else ""
    return observe(
        segment_of(f"## 增量 1：{title}\n\n来源：{source}\n{rated}要点：\n{points}\n\n{more}\n"), topics=(), agents=()
    )


def _by_code(**parts: str) -> RatingParts:
    return parts_by_code(_observed(**parts))


def _held(reply: ExtractReply = SAYS_ALL, **parts: str) -> RatingParts:
    return parts_held(reply, _observed(**parts))


# The kind of source.


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        ("paper", "arXiv:2609.01234"),
        ("official", "vLLM 官方文档"),
        ("official", "project docs, stable"),
        ("release", "Release notes of v0.31"),
        ("blog", "某项目博客"),
        ("blog", "a Medium post"),
        ("blog", "https://medium.com/x"),
        ("news", "RSS 通稿"),
        ("news", "press release"),
        ("benchmark", "独立横评"),
        ("other", "群里看到的"),
        ("other", "prefix compression of medium-size models"),  # "press" and "medium" inside other words
    ],
)
def test_the_source_line_tells_the_kind(kind, source):
    assert kind == _by_code(source=source).source_kind


def test_sources_and_rating_decide_before_what_the_points_mention():
    assert "blog" == _by_code(source="某项目博客", points="- 与官方文档的 12 tok/s 一致").source_kind
    assert "news" == _by_code(rating="仅见通稿", points="- 官方文档写 12 tok/s").source_kind


def test_where_sources_and_rating_say_nothing_the_points_decide():
    assert "official" == _by_code(points="- 官方文档写的是 12 tok/s").source_kind


def test_what_is_only_said_of_a_placement_tells_no_kind():
    assert "other" == _by_code(more="建议归入：llm-infra.md · §2.13 基准（补充）").source_kind


# Who measured.


@pytest.mark.parametrize(
    ("measurer", "rating"),
    [
        ("independent", "独立团队复现"),
        ("independent", "经第三方复测"),
        ("independent", "independently reproduced"),
        ("independent", "benchmarked by a third party"),
        ("vendor", "厂商自测"),
        ("vendor", "self-reported"),
        ("author", "作者自测"),
        ("author", "未见第三方复测"),
        ("author", "尚无独立复现"),
        ("author", "待独立验证"),
        ("author", "独立复现缺失"),
        ("author", "not independently verified"),
        ("author", "needs third-party benchmarks"),
        ("author", "independent of batch size"),
        ("author", "第三方库"),
        ("author", "非厂商自测"),
    ],
)
def test_the_notes_own_words_tell_who_measured(measurer, rating):
    assert measurer == _by_code(rating=rating).measured_by


def test_a_denial_in_another_clause_takes_nothing_back():
    assert "independent" == _by_code(rating="代码未公开，独立团队复现").measured_by


def test_the_figures_of_official_pages_and_release_notes_are_the_vendors():
    assert "vendor" == _by_code(source="vLLM 官方文档").measured_by
    assert "vendor" == _by_code(source="release notes").measured_by


def test_without_a_figure_nobody_measured_whatever_is_said():
    assert "nobody" == _by_code(points="- 支持了新的后端调度", rating="独立复现").measured_by


# The rest.


@pytest.mark.parametrize(
    ("conditions", "points"),
    [
        ("no", "- 吞吐 12 tok/s，测试条件未披露"),
        ("no", "- 12 tok/s; the settings are not stated"),
        ("partly", "- 吞吐 12 tok/s，未披露成本"),
        ("partly", "- 吞吐 12 tok/s，batch 8"),
    ],
)
def test_conditions_that_are_not_given_are_seen_in_one_sentence(conditions, points):
    assert conditions == _by_code(points=points).conditions_given


@pytest.mark.parametrize(
    ("is_primary", "source"), [(True, "arXiv:2609.01234"), (True, "https://ring.example/post"), (False, "某项目博客")]
)
def test_a_primary_source_is_an_identifier_or_an_address(is_primary, source):
    assert is_primary == _by_code(source=source).primary_source


@pytest.mark.parametrize(
    ("is_commercial", "rating"),
    [
        (True, "软文"),
        (True, "sponsored"),
        (True, "有商业利益"),
        (False, "非厂商软文"),
        (False, "无商业利益"),
        (False, "no commercial interest"),
        (False, "not sponsored"),
    ],
)
def test_commercial_interest_counts_unless_it_is_denied(is_commercial, rating):
    assert is_commercial == _by_code(rating=rating).commercial_interest


@pytest.mark.parametrize(
    ("is_reproducible", "more"),
    [
        (True, "代码已开源。"),
        (True, "见 https://github.com/ring/kv 的说明。"),
        (True, "```\nserve --kv-offload 12\n```"),
        (False, "```\nlatency = 12 ms\n```"),
        (False, "未开源。"),
        (False, "结论不可复现。"),
        (False, "可复现性存疑。"),
        (False, "There is no open-source code yet."),
        (False, "代码什么时候给没有说。"),
    ],
)
def test_code_commands_or_a_repository_make_it_reproducible_and_a_denial_does_not(is_reproducible, more):
    assert is_reproducible == _by_code(more=more).reproducible


# A model's answers, held against the note.


def test_a_models_answers_stand_where_the_note_bears_them_out():
    held = _held(
        source="arXiv:2609.01234", rating="独立团队复现", points="- batch 8 时吞吐升到 12 tok/s", more="代码已开源。"
    )

    assert held == RatingParts(
        source_kind="paper",
        measured_by="independent",
        conditions_given="yes",
        primary_source=True,
        commercial_interest=False,
        reproducible=True,
    )


@pytest.mark.parametrize(
    ("held", "said", "source"),
    [
        ("blog", "paper", "某项目博客"),  # no paper without an identifier
        ("other", "release", "某处"),
        ("benchmark", "official", "独立横评"),
        ("blog", "blog", "某处"),  # no better than what code sees
        ("news", "news", "vLLM 官方文档"),
        ("paper", "paper", "arXiv:2609.01234"),
    ],
)
def test_a_better_kind_than_code_sees_is_not_the_models_to_say(held, said, source):
    assert held == _held(SAYS_ALL.model_copy(update={"source_kind": said}), source=source).source_kind


def test_conditions_are_given_in_full_only_where_the_note_names_some():
    assert "partly" == _held(points="- 吞吐升到 12 tok/s").conditions_given
    assert "yes" == _held(points="- batch 8 时吞吐升到 12 tok/s").conditions_given


def test_independent_needs_the_notes_own_word():
    assert "author" == _held().measured_by
    assert "vendor" == _held(rating="厂商自测").measured_by
    assert "author" == _held(rating="未见第三方复测").measured_by


def test_a_model_may_say_vendor_where_the_note_says_nothing():
    assert "vendor" == _held(SAYS_ALL.model_copy(update={"measured_by": "vendor"})).measured_by


def test_figures_are_somebodys_and_without_figures_nobody_measured():
    said_nobody = SAYS_ALL.model_copy(update={"measured_by": "nobody"})

    assert "author" == _held(said_nobody).measured_by
    assert "nobody" == _held(points="- 支持了新的后端调度").measured_by


def test_what_the_note_does_not_have_a_model_cannot_add():
    held = _held(source="某处", points="- 吞吐 12 tok/s，测试条件未披露")

    assert (False, "no", False) == (held.primary_source, held.conditions_given, held.reproducible)


def test_a_model_may_see_less_than_code():
    modest = SAYS_ALL.model_copy(update={"primary_source": False, "reproducible": False})
    held = _held(modest, source="arXiv:2609.01234", more="代码已开源。")

    assert (False, False) == (held.primary_source, held.reproducible)


def test_a_commercial_interest_that_the_note_names_stands_and_one_that_a_model_sees_stands_outside_papers_and_news():
    sees_one = SAYS_ALL.model_copy(update={"commercial_interest": True})

    assert _held(rating="软文").commercial_interest
    assert _held(sees_one, source="某项目博客").commercial_interest
    assert not _held(sees_one, source="arXiv:2609.01234").commercial_interest


@pytest.mark.parametrize(
    ("is_primary", "source"),
    [
        (True, "Tollgate v2.4 发布说明（2026-09-10）"),
        (True, "Tollgate 官方仓库的更新日志"),
        (True, "Tollgate 2.4 release notes (GitHub Releases)"),
        (True, "the model card of Tarn-32B"),
        (True, "项目仓库，2026-09-12 读"),
        (True, "the project's repository, read on 2026-09-12"),
        (False, "知乎文章：解读 Tollgate 2.4 发布说明"),
        (False, "a newsletter quoting the release notes"),
        (False, "第三方对官方文档的翻译"),
        (False, "未见发布说明"),
        (False, "inbox/jay/2026-09-14-1100-filter.md 条目 2"),
    ],
)
def test_what_the_makers_say_of_their_release_is_a_primary_source_and_who_retells_it_is_none(is_primary, source):
    assert is_primary == _by_code(source=source, title="Tollgate 2.4", rating="官方发布说明").primary_source

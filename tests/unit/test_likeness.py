import pytest

from agent.reconciling.likeness import (
    alike,
    are_siblings,
    are_titles_telling,
    have_one_subject,
    have_one_title,
    is_about,
    knows,
    words_in_common,
)
from agent.reconciling.traits import Traits, read_traits
from tests.findings import finding


def read(title: str, *points: str) -> Traits:
    return read_traits(finding(title, *points))


def test_titles_are_alike_whole_or_by_their_first_clause() -> None:
    one, other = read("LampServe v0.20.0 三层架构拆解"), read("LampServe v0.20.0 三层架构拆解 ——推理引擎的里程碑")
    assert 100.0 == alike(one, other)
    assert 0.0 == alike(one, read("Oakmoon"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("LampServe v0.20.0 三层分层架构源码级拆解", "LampServe 0.20.0 三层架构源码级拆解"),
        ("推理引擎选型应按工作负载特征分类", "推理引擎的选型应当按工作负载特征分类"),
        ("Lathework 0.15.0 (2026-09-11)", "Lathework v0.15.0"),
    ],
)
def test_nearly_the_same_title_is_one(one: str, other: str) -> None:
    assert have_one_title(read(one), read(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Qwill3 发布 27B 三元量化版", "Bonsa 发布 27B 三元量化版"),
        ("Key results", "Key results"),
        ("Lathework 0.15.0", "Lathework 0.16.0"),
        ("Lathework 0.15.0", "Pocketrun 0.15.0"),
    ],
)
def test_headings_and_other_names_are_not_one_title(one: str, other: str) -> None:
    assert not have_one_title(read(one), read(other))


def test_an_unnamed_title_tells_nothing_over_different_texts() -> None:
    title = "Weekly digest of the most interesting papers"
    one = "diffusion transformers generate video from text with sparse temporal windows and curriculum noise schedules"
    other = (
        "database query planners learn cardinality estimates through federated histograms without sharing customer rows"
    )
    assert not are_titles_telling(read(title, one), read(title, other))
    assert are_titles_telling(read(title, one), read(title, one))


def test_words_count_by_the_shorter_text_and_across_languages_by_names_and_terms() -> None:
    one = read("TierKV 缓存框架", "缓存与量化")
    assert words_in_common(one, one) > words_in_common(one, read("TierKV 缓存框架", "别的内容，与它毫无关系"))
    assert 1.5 == words_in_common(one, read("TierKV: caching", "quantization"))


def test_an_increment_is_about_what_its_title_leads_with() -> None:
    one = read("TierKV 缓存框架")
    assert is_about(one, read("三层缓存", "TierKV 把缓存分到三层"))
    assert not is_about(read("三层缓存", "TierKV 把缓存分到三层"), one)


def test_a_mention_makes_no_common_subject_where_both_titles_name_one() -> None:
    one = read("TierKV 缓存框架")
    assert have_one_subject(one, read("三层缓存", "TierKV 把缓存分到三层"))
    assert not have_one_subject(one, read("Oakmoon 的缓存", "与 TierKV 相似"))


def test_a_name_is_known_by_its_beginning() -> None:
    assert knows(read("Osprey scores 71.3"), "ospreyinstruct")
    assert not knows(read("Osprey-24B-Thinking scores 71.3"), "ospreyinstruct")
    assert are_siblings("ospreyinstruct", "ospreythinking")
    assert not are_siblings("osprey", "kestrel")

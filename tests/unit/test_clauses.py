import pytest

from agent.reconciling.clauses import otherwise, read_clauses, split_clauses, topics_in, words_in


def kept_apart(one: str, other: str, *, is_abroad: bool = False) -> str | None:
    found = otherwise(read_clauses((one,)), read_clauses((other,)), is_abroad=is_abroad)
    assert found == otherwise(read_clauses((other,)), read_clauses((one,)), is_abroad=is_abroad)
    return found.kind if found else None


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (["缓存分三层", "快 2.4×"], "缓存分三层，快 2.4×。"),
        (["It uses 1,607 tokens", "that is all"], "It uses 1,607 tokens, that is all."),
        (["值不值？", "值"], "值不值？值。"),
        ([], " 。\n"),
    ],
)
def test_a_text_is_split_where_a_statement_ends(expected: list[str], text: str) -> None:
    assert expected == list(split_clauses(text))


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        ("negation", "1.6 起支持投机解码与 JSON 约束同时启用", "文档写明 1.6 不支持投机解码与 JSON 约束同时启用"),
        (
            "negation",
            "adapters and drafts can be combined in one engine",
            "adapters and drafts cannot be combined in one engine",
        ),
        ("direction", "八个租户混合负载下吞吐上升", "八个租户混合负载下吞吐下降"),
        ("role", "用 Quarto-70B 的输出蒸馏 Quarto-7B 之后再训练", "用 Quarto-7B 的输出蒸馏 Quarto-70B 之后再训练"),
        ("role", "A100 上推理比 H100 慢 2.1 倍", "H100 上推理比 A100 慢 2.1 倍"),
    ],
)
def test_clauses_that_say_the_same_but_for_one_thing(expected: str, one: str, other: str) -> None:
    assert expected == kept_apart(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("前缀缓存可按租户设上限", "未开前缀缓存"),
        ("显存放不下的前缀 KV 写进主机内存", "前缀 KV 写进主机内存"),
        ("查询改写到底值不值？", "查询改写值得做"),
        ("批量 32 时没有增益，批量 1 时有增益", "批量 1 时有增益，批量 32 时没有增益"),
        ("支持 H100、A100 与 L40S 三种卡", "支持 A100、H100 与 L40S 三种卡"),
        ("权重未公布", "延迟没有变化"),
    ],
)
def test_what_is_said_of_something_else_or_of_both_cases_keeps_nothing_apart(one: str, other: str) -> None:
    assert kept_apart(one, other) is None


def test_across_languages_plain_denials_count() -> None:
    assert "negation" == kept_apart(
        "TierKV 未支持投机解码与量化缓存", "TierKV supports speculative decoding with a quantized cache", is_abroad=True
    )


def test_a_view_that_is_only_reported_is_not_held() -> None:
    one = read_clauses(("据称 TierKV 支持投机解码与量化缓存同时启用",))
    other = read_clauses(("TierKV 不支持投机解码与量化缓存同时启用",))
    found = otherwise(one, other, is_abroad=False)
    assert found is not None
    assert not found.is_held


def test_words_are_without_endings_figures_and_empty_words() -> None:
    assert {"cach", "tier", "缓存"} == words_in("The caches tiered 2.4 的缓存")


def test_names_and_terms_are_the_same_in_both_languages() -> None:
    assert topics_in("TierKV 的缓存与量化") == topics_in("TierKV: caching and quantization")


def test_only_24_clauses_are_looked_at() -> None:
    assert 24 == len(read_clauses(("一句话。" * 100,)))


def test_where_something_was_measured_is_no_part_that_it_takes() -> None:
    assert (
        kept_apart("An L40S gives 11 tokens per joule on Wren-8B", "Wren-8B on an L40S gives 11 tokens per joule")
        is None
    )

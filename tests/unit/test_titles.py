import pytest

from agent.reconciling.titles import denies, difference, read_subject, same_unit, shared_figures


def differ(one: str, other: str) -> str | None:
    found = difference(read_subject(one), read_subject(other))
    assert found == difference(read_subject(other), read_subject(one))
    return found


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        ("version", "LampServe v0.20.0 三层架构拆解", "LampServe v0.26.0 三层架构拆解"),
        ("version", "LampServe 0.20.0 发布", "LampServe 0.26.0 正式发布"),
        ("version", "RowAttention-2 支持 FP8", "RowAttention-3 支持 FP8"),
        ("version", "修复显存泄漏（PR #260）", "修复显存泄漏（PR #480）"),
        ("version", "Onda K2 的部署细节", "Onda K3 的部署细节"),
        ("version", "Lynx-4 results on the suite", "Lynx-4o results on the suite"),
        ("version", "HotLab '25 论文集", "HotLab 2026 论文集"),
        ("number", "多轮场景快 3×", "多轮场景快 5 倍"),
        ("number", "吞吐提升 12%", "吞吐提升 21%"),
        ("number", "三层缓存架构", "四层缓存架构"),
        ("number", "Lama 70B 的吞吐", "Lama 8B 的吞吐"),
        ("number", "成本 57 万美元", "成本 75 万美元"),
        ("unit", "处理 6,916 tokens", "处理 6916 tok/s"),
        ("negation", "权重已公布", "权重未公布"),
        ("negation", "It scales to eight nodes", "It does not scale to eight nodes"),
        ("direction", "延迟上升", "延迟下降"),
        ("direction", "LampServe 支持多适配器", "LampServe 弃用多适配器"),
        ("role", "LampServe 比 SGFast 快", "SGFast 比 LampServe 快"),
        ("role", "LampServe beats SGFast", "SGFast beats LampServe"),
        ("case", "TierKV 缓存框架", "TierKV 的工业案例"),
    ],
)
def test_what_wording_cannot_excuse_keeps_titles_apart(expected: str, one: str, other: str) -> None:
    assert expected == differ(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("LampServe v0.20.0 三层架构", "LampServe 0.20.0 的 3 层架构"),
        ("LampServe v0.20.0 三层架构", "LampServe 三层架构"),
        ("复用率 >60% 时快 3-5×", "复用率 > 60% 时快 3–5 倍"),
        ("约 87K 行代码", "约 8.7 万行代码"),
        ("吞吐达 3–5×", "吞吐达 5×"),
        ("RowAttention-3 支持 FP8", "Row Attention 3 支持 FP8"),
        ("无状态架构披露", "A stateless architecture"),
        ("训练不稳定", "Training is unstable"),
        ("增量 2：LampServe 更新（★ 必补）", "LampServe 更新"),
        ("【引擎 §2.1 / 缓存 §2.3】LampServe 更新", "LampServe 更新"),
        ("arXiv:2607.18141 TierKV 披露（2026-07-27）", "TierKV 披露"),
        ("LampServe vs SGFast 对比", "SGFast vs LampServe 对比"),
    ],
)
def test_wording_alone_keeps_no_titles_apart(one: str, other: str) -> None:
    assert differ(one, other) is None


@pytest.mark.parametrize(
    ("lead", "title"),
    [
        ("tierkv", "arXiv:2607.18141 TierKV CXL 混合内存 KV Cache 框架"),
        ("tierkv", "CXL 混合内存 KV Cache 框架 TierKV 首次披露"),
        ("tierkv", "TierKV tiers the KV cache"),
        ("mhc", "DeepLab 发布 mHC 残差连接"),
        ("mhc", "DeepLab introduces mHC"),
        ("hotinfra", "TierKV 的工业系统 HotInfra '26 披露"),
        ("hotserver", "HotServer, based on TierKV"),
        ("turionai", "Turion.ai LampServe vs SGFast 基准"),
        ("oakmoon", "Oakmoon 把缓存放到 SSD"),
        ("abra", "Abra: Scaling Diffusion Image Training"),
        ("", "推理引擎的选型应按负载分类"),
        ("", "Key results"),
    ],
)
def test_a_title_is_about_its_leading_name(lead: str, title: str) -> None:
    assert lead == read_subject(title).lead


def test_ordinary_words_of_the_field_are_no_names() -> None:
    assert () == read_subject("KV Cache 推理 Benchmark 与 LLM Serving").names


def test_a_name_is_found_however_it_is_joined() -> None:
    assert frozenset() == read_subject("Row Attention 3").lacks(read_subject("支持 RowAttention-3"))


def test_only_the_beginning_of_a_huge_title_is_looked_at() -> None:
    assert 600 >= read_subject("缓存" * 100_000).weight


@pytest.mark.parametrize(
    ("expected", "text"), [(True, "尚未开源"), (True, "no gain"), (False, "无状态服务"), (False, "未来计划")]
)
def test_denies(expected: bool, text: str) -> None:  # noqa: FBT001  # a table of cases
    assert expected is denies(text)


@pytest.mark.parametrize(
    ("expected", "unit"), [("times", "倍"), ("times", "×"), ("tokens/s", "Tok/s"), ("gib", " GiB")]
)
def test_a_unit_has_one_name_in_both_languages(expected: str, unit: str) -> None:
    assert expected == same_unit(unit)


def test_shared_figures_are_counted_by_value_and_unit() -> None:
    one, other = (
        read_subject("快 1.4 倍，省 30% 显存，需 2 天"),
        read_subject("1.4× faster with 30% less memory in 2 steps"),
    )
    assert 2 == shared_figures(one, other)


@pytest.mark.parametrize("title", ["增量：Tarn 提速", "Increment: Tarn 提速", "要闻：Tarn 提速", "增量　Tarn 提速"])
def test_a_label_is_no_part_of_a_title(title: str) -> None:
    assert read_subject("Tarn 提速").texts == read_subject(title).texts


def test_a_licence_is_nothing_that_a_title_is_about() -> None:
    assert read_subject("检索层开源（Apache-2.0）").lead == ""

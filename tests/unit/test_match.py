import pytest

from agent.reconciling.match import kept_apart_by, same_finding
from agent.records import Credibility, Evidence, Increment, Measure, Source

PAPER = "2607.18141"


def increment(
    title: str, note: str = "inbox/tom/2026-07-27-a.md", *, ids: tuple[str, ...] = (), **fields: object
) -> Increment:
    values: dict[str, object] = {
        "id": "inc-1",
        "title": title,
        "summary": "",
        "points": (),
        "evidence": (Evidence(note=note, start=0, end=1, quote="x", line=1),),
        "arxiv_ids": ids,
        "credibility": Credibility(stars=3, basis="", reason=""),
        "notes": (note,),
        "agents": (note.split("/")[1],),
        "relation": "new",
    }
    return Increment.model_validate(values | fields)


def measure(value: float, unit: str, metric: str = "TTFT", **conditions: str) -> Measure:
    return Measure(
        value=value,
        comparator="",
        unit=unit,
        metric=metric,
        subject="",
        conditions=conditions,
        evidence=Evidence(note="", start=0, end=0, quote="", line=1),
    )


def are_one(one: str, other: str, *, ids: tuple[str, ...] = (), others: tuple[str, ...] | None = None) -> bool:
    found = same_finding(
        [increment(one, ids=ids), increment(other, "inbox/jay/2026-07-27-b.md", ids=ids if others is None else others)]
    )
    return found == ((0, 1),)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("TierKV：CXL 混合内存的 KV 缓存框架", "TierKV tiers the KV cache across HBM, CXL and SSD"),
        ("大学团队提出 TierKV，把 KV 缓存分到三层", "TierKV: tiering KV caches"),
        ("Oakmoon 把 KV 缓存放到 SSD", "Oakmoon tiers KV caches onto SSD"),
        ("KV 缓存复用被重新定义为内存层级问题", "KV 缓存复用应视为内存层级问题"),
        ("投机解码提速到 1.4 倍", "A draft of varying length decodes 1.4× faster"),
    ],
)
def test_one_paper_and_one_named_thing_are_one_finding_in_any_language(one: str, other: str) -> None:
    assert are_one(one, other, ids=(PAPER,))


def test_one_paper_and_the_same_measured_values_are_one_finding() -> None:
    found = (measure(41.5, "tok/s", ""), measure(32, "步", ""), measure(1.4, "×", ""))
    told = (measure(41.5, "tokens/s", ""), measure(32, "steps", ""), measure(1.4, "x", ""))
    pair = [
        increment("草稿长度随接受率变化", ids=(PAPER,), measures=found),
        increment("Choosing the draft length from acceptance", "inbox/jay/2026-07-27.md", ids=(PAPER,), measures=told),
    ]
    assert ((0, 1),) == same_finding(pair)
    assert ((0,), (1,)) == same_finding([one.model_copy(update={"measures": ()}) for one in pair])


def retold(
    title: str, *measures: Measure, cites: str | None = "inbox/tom/2026-07-27-a.md"
) -> tuple[tuple[int, ...], ...]:
    sources = (Source(label="tom", note=cites, resolved=True),) if cites else ()
    told = increment(title, "inbox/jay/2026-07-27-b.md", measures=measures, sources=sources)
    first = (measure(2.4, "s"), measure(0.8, "秒"), measure(3.0, "×"))
    return same_finding([increment("LampCache 主机内存层让 TTFT 降到三分之一", measures=first), told])


def test_a_copy_that_names_its_note_is_one_finding_in_any_language() -> None:
    copied = (measure(2.4, "s"), measure(0.8, "s"))
    assert ((0, 1),) == retold("LampCache moves prefixes to host memory", *copied)
    assert ((0,), (1,)) == retold("LampCache moves prefixes to host memory", *copied, cites=None)
    assert ((0,), (1,)) == retold("LampCache moves prefixes to host memory", copied[0])
    assert ((0,), (1,)) == retold("RowAttention moves prefixes to host memory", *copied)


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        ("value", measure(4120, "tok/s"), measure(3480, "tok/s")),
        ("value", measure(4120, "tok/s", hardware="H100"), measure(3480, "tokens/s")),
        (None, measure(4120, "tok/s"), measure(4120, "tok/s")),
        (None, measure(4120, "tok/s", hardware="H100"), measure(3480, "tok/s", hardware="A100")),
        (None, measure(4120, "tok/s"), measure(3480, "tok/s", "decoding")),
        (None, measure(4120, "tok/s", ""), measure(3480, "tok/s", "")),
    ],
)
def test_other_values_of_one_metric_keep_one_title_apart(expected: str | None, one: Measure, other: Measure) -> None:
    title = "SGFast v0.6.2 在八卡上的解码吞吐"
    pair = [increment(title, measures=(one,)), increment(title, "inbox/jay/2026-07-27.md", measures=(other,))]
    assert expected == kept_apart_by(*pair)
    assert (1 if expected is None else 2) == len(same_finding(pair))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("LampServe v0.20.0 三层分层架构源码级拆解", "LampServe 0.20.0 三层架构源码级拆解"),
        (
            "Turion.ai LampServe vs SGFast 生产基准按负载分类 ——首个生产数据",
            "Turion.ai LampServe vs SGFast 生产基准按负载分类披露",
        ),
        ("推理引擎选型应按工作负载特征分类", "推理引擎的选型应当按工作负载特征分类"),
        (
            "Hugging House puts its server into maintenance mode",
            "Hugging House has put its server into maintenance mode",
        ),
    ],
)
def test_nearly_the_same_title_is_one_finding(one: str, other: str) -> None:
    assert are_one(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("LampServe v0.20.0 三层架构源码级拆解", "LampServe v0.26.0 三层架构源码级拆解"),
        ("Qwill3 发布 27B 三元量化版", "Bonsa 发布 27B 三元量化版"),
        ("Lama 70B 在 A100 上的吞吐对比", "Lama 70B 在 H100 上的吞吐对比"),
        ("Key results", "Key results"),
        ("研究背景", "研究背景"),
    ],
)
def test_what_looks_alike_and_is_not_stays_apart(one: str, other: str) -> None:
    assert not are_one(one, other)


def test_framework_and_case_that_share_an_identifier_stay_apart() -> None:
    assert not are_one("TierKV：CXL 混合内存框架", "HotInfra '26 以内存为中心的 KV 服务器", ids=(PAPER,))


def test_an_identifier_that_is_only_mentioned_counts_nothing() -> None:
    one, other = "TierKV：CXL 混合内存框架", "TierKV tiers the cache"
    assert not are_one(one, other, ids=(PAPER,), others=("2411.18077", PAPER))


def test_two_papers_under_one_title_stay_apart() -> None:
    assert not are_one(
        "每周论文：KV 缓存压缩的新方法", "每周论文：KV 缓存压缩的新方法", ids=(PAPER,), others=("2411.18077",)
    )


def test_one_unnamed_title_over_different_texts_stays_apart() -> None:
    title = "Weekly digest of the most interesting papers"
    bodies = (
        "diffusion transformers generate video from text with sparse temporal windows and curriculum noise schedules",
        "database query planners learn cardinality estimates through federated histograms without sharing customer rows",
    )
    pair = [
        increment(title, f"inbox/{agent}/2026-07-27.md", summary=body)
        for agent, body in zip(("tom", "jay"), bodies, strict=True)
    ]
    assert ((0,), (1,)) == same_finding(pair)


def test_two_increments_of_one_note_never_meet() -> None:
    pair = [increment("TierKV 缓存框架披露", ids=(PAPER,)), increment("TierKV 缓存框架披露", ids=(PAPER,))]
    assert ((0,), (1,)) == same_finding(pair)
    assert "note" == kept_apart_by(*pair)


def test_one_agent_repeating_its_finding_in_a_second_note_is_one() -> None:
    notes = ("inbox/tom/2026-07-26-v1.md", "inbox/tom/2026-07-27-v2.md")
    assert ((0, 1),) == same_finding([increment("TierKV 缓存框架披露", note, ids=(PAPER,)) for note in notes])


def test_one_agent_using_one_heading_twice_stays_apart() -> None:
    notes = ("inbox/tom/2026-07-26-v1.md", "inbox/tom/2026-07-27-v2.md")
    assert ((0,), (1,)) == same_finding([increment("研究背景", note) for note in notes])


def test_one_agent_telling_two_things_of_one_paper_stays_apart() -> None:
    pair = [
        increment("TierKV 缓存框架披露", "inbox/tom/2026-07-26.md", ids=(PAPER,)),
        increment("TierKV 的集成路径与许可", "inbox/tom/2026-07-27.md", ids=(PAPER,)),
    ]
    assert ((0,), (1,)) == same_finding(pair)


def test_a_third_finding_does_not_join_two_that_are_kept_apart() -> None:
    titles = ("LampServe v0.20.0 三层架构拆解", "LampServe 三层架构拆解", "LampServe v0.26.0 三层架构拆解")
    found = same_finding(
        [
            increment(title, f"inbox/{agent}/2026-07-27.md")
            for agent, title in zip(("tom", "jay", "amy"), titles, strict=True)
        ]
    )
    assert not any({0, 2} <= set(cluster) for cluster in found)
    assert 2 == len(found)


def test_nothing_in_nothing_out() -> None:
    assert () == same_finding([])


def test_many_increments_under_one_title_are_still_found() -> None:
    notes = [f"inbox/agent{number}/2026-07-27.md" for number in range(150)]
    assert (tuple(range(150)),) == same_finding([increment("LampServe v0.20.0 三层架构拆解", note) for note in notes])

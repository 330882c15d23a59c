import pytest

from agent.reconciling.resting import Basis, bases, is_front_page, is_measured, page
from agent.records import Credibility, Evidence, Increment, Source

NOTE = "inbox/jay/2026-07-27-1100-filter.md"
PAPER, OTHER = "2607.18141", "2411.18077"


def increment(*quotes: str, ids: tuple[str, ...] = (), sources: tuple[Source, ...] = ()) -> Increment:
    return Increment(
        id="inc-1",
        title="TierKV",
        summary="",
        points=(),
        evidence=tuple(Evidence(note=NOTE, start=0, end=len(quote), quote=quote, line=1) for quote in quotes),
        arxiv_ids=ids,
        credibility=Credibility(stars=3, basis="", reason=""),
        sources=sources,
        notes=(NOTE,),
        agents=("jay",),
        relation="new",
    )


def paper(identifier: str) -> Source:
    return Source(label=f"arXiv:{identifier}", arxiv=identifier, resolved=True)


def test_everything_that_can_be_rested_on_is_named_once_and_the_leading_paper_first() -> None:
    sources = (
        Source(label="a.md", note="inbox/tom/a.md", resolved=True),
        paper(PAPER),
        Source(label="post", url="https://www.a.example/p/", resolved=True),
        Source(label="post", url="http://a.example/p#top", resolved=True),
        Source(label="inbox/x/2026-07-27-Lost.md 条目 6", resolved=False),
        Source(label="7-27-1100 engineering-filter E1", resolved=False),
        Source(label="everybody says so", resolved=False),
    )
    assert (
        Basis("paper", PAPER),
        Basis("cites", "inbox/tom/a.md"),
        Basis("page", "https://a.example/p"),
        Basis("file", "2026-07-27-lost.md"),
        Basis("file", "7-27-1100 engineering-filter"),
    ) == bases(increment(ids=(PAPER, OTHER), sources=sources))


def test_no_note_rests_on_itself() -> None:
    assert () == bases(increment(sources=(Source(label="self", note=NOTE, resolved=True),)))


@pytest.mark.parametrize(
    "quote",
    [
        f"2.4x faster than RowAttention (arXiv:{OTHER})",
        f"compared with the tiling of {OTHER}, it needs half the memory",
        f"比 RowAttention(arXiv:{OTHER})快 2.4 倍",
        f"相较 arXiv:{OTHER},显存减半",
        f"RowAttention [{OTHER}] as the baseline",
    ],
)
def test_a_paper_that_is_only_compared_with_is_nothing_to_rest_on(quote: str) -> None:
    assert (Basis("paper", PAPER),) == bases(increment(quote, ids=(PAPER, OTHER), sources=(paper(PAPER), paper(OTHER))))
    assert () == bases(increment(quote, ids=(OTHER,), sources=(paper(OTHER),)))


@pytest.mark.parametrize(
    "quotes",
    [
        (f"arXiv:{OTHER} keeps three tiers",),
        (f"faster than before. arXiv:{OTHER} keeps three tiers",),
        (f"占比 40%,见 arXiv:{OTHER}",),
        (f"2x faster than {OTHER}", f"{OTHER} keeps three tiers"),
        (),
    ],
)
def test_a_paper_that_something_else_is_said_of_is_rested_on(quotes: tuple[str, ...]) -> None:
    assert (Basis("paper", OTHER),) == bases(increment(*quotes, sources=(paper(OTHER),)))


@pytest.mark.parametrize(
    ("expected", "url"),
    [
        (Basis("page", "https://a.example/p?id=1"), "HTTPS://WWW.A.example/p/?utm_source=x&id=1&fbclid=y#z"),
        (Basis("page", "https://a.example/docs"), "https://a.example/docs/index.html"),
        (Basis("paper", PAPER), f"https://arxiv.org/pdf/{PAPER}v2"),
        (Basis("page", "http://["), "http://["),
    ],
)
def test_a_page_has_one_name(expected: Basis, url: str) -> None:
    assert expected == page(url)


@pytest.mark.parametrize(
    ("expected", "address"),
    [
        (True, "https://a.example"),
        (False, "https://a.example/p"),
        (True, "https://github.com/o/tierkv"),
        (False, "https://github.com/o/tierkv/releases/v1"),
        (True, "https://github.com/o"),
    ],
)
def test_a_front_page_names_a_thing_and_tells_no_finding(*, expected: bool, address: str) -> None:
    assert expected is is_front_page(address)


PAGE = Source(label="post", url="https://a.example/p", resolved=True)


@pytest.mark.parametrize(
    "quote",
    [
        "自测,H100 上 2.4×",
        "我自己跑的,三星",
        "我们实测只有 2 倍",
        "说可能快 3 倍,我们实测 2 倍",
        "jay 自己在机房另一台机器上跑的",
        "来源:jay 本机,9 月 11 日",
        "本机复现:命中 24%",
        "性能自测:2.4×",
        "无论批量多大,自测都快 2 倍",
        "官方的说法不成立,自测只有 2 倍",
        "我们也复现了 2.4×",
        "our own run, v1.2",
        "Source: own measurement on one card",
        "We measured 3.1×, the post says 4×",
        "I reran the cold path",
        "reproduced here",
        "It confirms the authors' claim in our run",
        "To check the claim, we ran 40 prompts",
    ],
)
def test_what_its_writer_measured_rests_on_no_paper_page_or_release(quote: str) -> None:
    cited = Source(label="tom", note="inbox/tom/a.md", resolved=True)
    one = increment(quote, "TierKV 1.8 keeps three tiers", ids=(PAPER,), sources=(PAGE, cited))
    assert ((Basis("cites", "inbox/tom/a.md"),), True) == (bases(one), is_measured(one))


@pytest.mark.parametrize(
    "quote",
    [
        "第三方评测社也没测出好处",
        "社区复测帖",
        "社区自测:2.4×",
        "两家机构复现过",
        "tom 在另一台机器上独立跑",
        "independently reproduced by two labs",
        "a third-party benchmark shows 2.1x",
        "measured by an independent lab",
        "The community rerun gave 2.1x",
    ],
)
def test_what_a_third_party_measured_rests_on_where_it_stands_and_on_no_release(quote: str) -> None:
    one = increment(quote, "TierKV 1.8 keeps three tiers", ids=(PAPER,), sources=(PAGE,))
    assert ((Basis("paper", PAPER), Basis("page", PAGE.url or "")), True) == (bases(one), is_measured(one))


@pytest.mark.parametrize(
    "quote",
    [
        "没有复现",
        "我也没有复现",
        "尚未独立复现",
        "可复现",
        "可由第三方独立复现",
        "复现命令见附录",
        "未见第三方复测",
        "没有第三方的独立复现",
        "没有自己跑",
        "没有自测、复测",
        "计划自测",
        "待自测",
        "需要独立复现",
        "有人自测过吗?",
        "核实建议:用官方套件独立复现",
        "作者自测",
        "项目方自测,脚本公开",
        "厂商自测",
        "作者称“我们实测 2 倍”",
        "stream 自己来调度",
        "32K tokens 实测",
        "tom 实测 2.4 倍",
        "",
        "not reproduced",
        "hasn't been reproduced",
        "could not be rerun",
        "nobody has rerun it",
        "no independent run",
        "never independently verified",
        "a script to reproduce",
        "a reproducible script for our benchmark",
        "could be independently reproduced",
        "independent reproduction is missing",
        "our run is pending",
        "To verify: an independent run",
        "Has anybody reproduced it?",
        "the vendor's own test",
        "they audited their own runs",
        "on the authors' rerun of four models",
        "we have not measured it",
        'the post says "we measured 3x"',
        "> We measured 3.1×",
        "In this paper, we measured 99.3 %",
        "prefill and decode scale independently",
        "independent test sets",
        "third-party integration",
        "rerun jobs from earlier configurations",
    ],
)
def test_what_the_makers_measured_or_nobody_did_is_told(quote: str) -> None:
    one = increment(quote, "TierKV 1.8 keeps three tiers", ids=(PAPER,))
    assert ((Basis("paper", PAPER), Basis("release", "tierkv 1.8")), False) == (bases(one), is_measured(one))


def test_a_measurement_counts_in_a_title_and_in_a_source_that_names_no_page() -> None:
    assert is_measured(increment(sources=(Source(label="own run", resolved=True),)))
    assert is_measured(increment().model_copy(update={"title": "自测:TierKV 快 2.4 倍"}))
    assert not is_measured(increment(sources=(PAGE.model_copy(update={"label": "own run"}),)))


@pytest.mark.parametrize(
    ("expected", "quote"),
    [
        ("tierkv 1.8", "TierKV 1.8 keeps three tiers"),
        ("tierkv 1.8", "TierKV v1.8 分三层"),
        ("tierkv 1.8", "TierKV has a new release (1.8, yesterday)"),
        ("tierkv 1.8", "TierKV 发布 1.8"),
        ("tierkv 1.8.2", "TierKV1.8.2"),
        ("tierkv 24.04", "TierKV 24.04 版本"),
        ("tierkv 24.04", "TierKV v24.04"),
        (None, "TierKV 1.8x faster"),
        (None, "TierKV 1.8 倍"),
        (None, "TierKV 1.8 GB"),
        (None, "LanternQA 66.1"),
        (None, "AUC 0.87, MRR 0.47"),
        (None, "USD 2.10 a run"),
        (None, "under Apache 2.0"),
        (None, "inference.md 2.3"),
        (None, "H100 on 2.4"),
    ],
)
def test_a_release_is_a_product_with_a_version_and_no_score_price_or_licence(expected: str | None, quote: str) -> None:
    assert ((Basis("release", expected),) if expected else ()) == bases(increment(quote))

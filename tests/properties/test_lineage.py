import datetime as dt

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.reconciling.copying import copied, slips
from agent.reconciling.lineage import earliest, lineage, origins, trace
from agent.reconciling.merge import merge
from agent.records import Credibility, Evidence, Increment, Source

NOTES = [
    f"inbox/{agent}/{name}.md"
    for agent in ("tom", "jay", "amy")
    for name in ("2026-07-26-brief", "2026-07-27-0900-radar", "2026-07-27-1100-radar", "undated")
]
LONG = "The cache keeps its blocks in three tiers and moves them by reuse distance."
QUOTES = st.sampled_from(
    [LONG, LONG.replace("three", "four"), f"It is said: {LONG}", "缓存块按重用距离在三层存储之间搬迁,热块留在显存里", "short",
     "a thoughput of 9", "its throughput", "2x faster than 2411.18077", "53 s → 7.2 s, 9.4× faster", "自测:2.4 倍", "our own run: 2.3x", "没有复现",
     "TierKV 1.8 keeps three tiers", "TierKV v1.9 分三层"]
)  # fmt: skip
PAGES = st.sampled_from(
    ["https://a.example/p", "https://b.example/p", "https://github.com/o/r", "https://arxiv.org/abs/2607.18141"]
)
LABELS = st.sampled_from(["own measurement", "厂商自测", "a forum"])
FEW = settings(max_examples=60)


@st.composite
def members(draw: st.DrawFn, most: int = 7) -> list[Increment]:
    """Members of one finding, one for each of some notes, that rest on each other and on the same things."""
    found = []
    for note in draw(st.lists(st.sampled_from(NOTES), min_size=1, max_size=most, unique=True)):
        sources = [
            *(Source(label=one, resolved=True) for one in draw(st.lists(LABELS, max_size=1))),
            *(Source(label=one, note=one, resolved=True) for one in draw(st.lists(st.sampled_from(NOTES), max_size=2))),
            *(Source(label=one, url=one, resolved=True) for one in draw(st.lists(PAGES, max_size=2))),
        ]
        quotes = draw(st.lists(QUOTES, min_size=1, max_size=3))
        found.append(
            Increment(
                id=f"inc-{note}",
                title="TierKV",
                summary="",
                points=(),
                evidence=tuple(
                    Evidence(note=note, start=at * 100, end=at * 100 + len(quote), quote=quote, line=1)
                    for at, quote in enumerate(quotes)
                ),
                arxiv_ids=tuple(draw(st.lists(st.sampled_from(["2607.18141", "2411.18077"]), max_size=1))),
                credibility=Credibility(stars=draw(st.integers(1, 5)), basis="", reason=""),
                sources=tuple(sources),
                notes=(note,),
                agents=(note.split("/")[1],),
                relation="new",
            )
        )
    return found


@FEW
@given(members(), st.randoms(use_true_random=False))
def test_no_order_changes_the_lineage(found: list[Increment], random: object) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis hands over a Random
    assert trace(found) == trace(shuffled)


@FEW
@given(members(), st.data())
def test_merging_some_first_gives_the_same_graph(found: list[Increment], data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(found)))
    assert lineage(found) == lineage([merge(found[:at]), *found[at:]])


@FEW
@given(members())
def test_every_note_has_an_origin_and_every_origin_a_note(found: list[Increment]) -> None:
    traced = trace(found)
    notes = {note for one in found for note in one.notes}
    assert notes == {note for origin in traced.lineage.origins for note in origin.notes}
    assert 1 <= len(traced.lineage.origins) <= len(found)
    assert sorted(map(earliest, found)) == sorted(earliest(one) for group in traced.groups for one in group)
    assert {edge.note for edge in traced.lineage.edges} <= notes


@FEW
@given(members())
def test_a_second_note_that_retells_adds_no_origin(found: list[Increment]) -> None:
    """The first may: the others may have measured, all of them."""
    first, second = (
        found[0].model_copy(
            update={
                "notes": (f"inbox/{agent}/2026-07-28.md",),
                "agents": (agent,),
                "evidence": (),
                "arxiv_ids": (),
                "sources": (),
            }
        )
        for agent in ("eve", "max")
    )
    assert origins([*found, first]) == origins([*found, first, second])


@FEW
@given(members(), st.data())
def test_a_note_that_only_cites_members_adds_no_origin(found: list[Increment], data: st.DataObject) -> None:
    cited = data.draw(st.lists(st.sampled_from([one.notes[0] for one in found]), min_size=1, max_size=3))
    echo = found[0].model_copy(
        update={
            "notes": ("inbox/eve/2026-07-28-echo.md",),
            "agents": ("eve",),
            "evidence": (),
            "arxiv_ids": (),
            "sources": tuple(Source(label=note, note=note, resolved=True) for note in cited),
        }
    )
    without = [one for one in found if echo.notes[0] not in {source.note for source in one.sources}]
    assert origins(without) == origins([*without, echo])


@FEW
@given(members())
def test_a_note_with_a_source_and_words_of_its_own_adds_one_origin(found: list[Increment]) -> None:
    note = "inbox/eve/2026-07-28-own.md"
    own = found[0].model_copy(
        update={
            "notes": (note,),
            "agents": ("eve",),
            "evidence": (Evidence(note=note, start=0, end=13, quote="we ran it too", line=1),),
            "arxiv_ids": (),
            "sources": (Source(label="run", url="https://eve.example/runs/1", resolved=True),),
        }
    )
    assert origins(found) + 1 == origins([*found, own])


@FEW
@given(st.lists(st.lists(st.text(max_size=120) | QUOTES, min_size=1, max_size=3), max_size=6))
def test_copies_and_slips_lead_back_to_an_earlier_text(texts: list[list[str]]) -> None:
    assert all(one.earlier < one.later and one.quote in texts[one.later] for one in copied(texts))
    assert all(one.source in texts[one.earlier] for one in copied(texts))
    assert all(earlier < later for later, earlier in slips(texts))


@given(st.text(max_size=60))
def test_any_note_name_has_its_place(name: str) -> None:
    one = Increment(
        id="inc-1",
        title="",
        summary="",
        points=(),
        evidence=(),
        credibility=Credibility(stars=1, basis="", reason=""),
        notes=(name,),
        agents=(),
        relation="new",
    )
    assert isinstance(earliest(one)[0], dt.date)

import datetime as dt

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.extracting.extract import Setup, extract
from agent.reading.quantities import numbers_in
from agent.reconciling.lineage import by_origin, origins
from agent.reconciling.merge import kept, merge
from agent.reconciling.reconcile import Around, reconcile
from agent.reconciling.registering import renumbered
from agent.records import Credibility, Evidence, Extraction, Increment, Placement, Point, Register, Source
from agent.texts import LivingDocument
from tests.noting import a_note, knowing

NOTES = [f"inbox/{agent}/2026-07-{day}-brief.md" for agent in ("tom", "jay", "amy") for day in (26, 27)]
NAMES = st.sampled_from(
    ["LampServe", "TierKV", "RowAttention-2", "RowAttention-3", "LampServe v0.20.0", "LampServe v0.26.0", ""]
)
CLAIMS = st.sampled_from(
    [
        "三层分层架构源码级拆解",
        "三层架构源码级拆解首次披露",
        "快 3–5×",
        "快 2.4×",
        "未开源",
        "已开源",
        "tiers the cache",
    ]
)
IDS = st.lists(st.sampled_from(["2607.18141", "2411.18077"]), max_size=2, unique=True)
SOURCES = st.builds(
    lambda note: Source(label="s", note=note, resolved=note is not None), st.none() | st.sampled_from(NOTES)
)
PLACEMENTS = st.builds(
    lambda section, by: Placement.model_validate(
        {"document": "a.md", "section": section, "action": "append", "reason": "", "proposed_by": by, "exists": True}
    ),
    st.sampled_from(["1", "2.1"]),
    st.sampled_from(["note", "model", "code"]),
)

REGISTERS = st.builds(
    lambda kind, number, text: Register(kind=kind, number=number, text=text),
    st.sampled_from(["C", "D"]),
    st.integers(1, 4),
    st.sampled_from(
        ["", "Caches keep three tiers", "Caches keep three tiers.", "Memory runs out first", "Caches keep 4 tiers"]
    ),
)
QUOTES = st.sampled_from(
    [
        "TierKV cuts TTFT by 38 % on H100.",
        "TierKV 在 H100 上将 TTFT 降低 38%。",
        "TierKV cuts TTFT by 36 % on H100.",
        "TierKV raises TTFT by 38 % on H100.",
        "The cache keeps its blocks in three tiers and moves them by reuse distance.",
    ]
)

FEW = settings(max_examples=30)  # each of them holds several increments


@st.composite
def increments(draw: st.DrawFn) -> list[Increment]:
    """Increments of a few notes that are often alike; each has a place of its own."""
    found = []
    for start in range(draw(st.integers(0, 7))):
        note = draw(st.sampled_from(NOTES))
        quote = draw(st.text(min_size=1, max_size=30) | QUOTES)
        evidence = Evidence(note=note, start=start * 100, end=start * 100 + len(quote), quote=quote, line=start + 1)
        found.append(
            Increment(
                id=f"i{start}",
                title=f"{draw(NAMES)} {draw(CLAIMS)}".strip(),
                summary=draw(st.sampled_from(["", "缓存分三层"])),
                points=(Point(text=quote, evidence=evidence),),
                evidence=(evidence,),
                arxiv_ids=tuple(draw(IDS)),
                credibility=Credibility(
                    stars=draw(st.integers(1, 5)), stated=draw(st.none() | st.integers(1, 5)), basis="", reason=""
                ),
                sources=tuple(draw(st.lists(SOURCES, max_size=2))),
                notes=(note,),
                agents=(note.split("/")[1],),
                registers=tuple(draw(st.lists(REGISTERS, max_size=2))),
                placements=tuple(draw(st.lists(PLACEMENTS, max_size=2))),
                relation=draw(st.sampled_from(["new", "extends", "known", "contradicts"])),
                priority=draw(st.none() | st.integers(0, 3)),
            )
        )
    return found


def extractions(found: list[Increment]) -> list[Extraction]:
    notes = dict.fromkeys(one.notes[0] for one in found)
    return [
        Extraction(
            note=note,
            agent=note.split("/")[1],
            date=dt.date(2026, 7, 27),
            sha256="0",
            engine="none",
            increments=tuple(one for one in found if one.notes[0] == note),
        )
        for note in notes
    ]


def members(found: list[Increment]) -> list[Increment]:
    """One increment of each note: what may become one."""
    return list({one.notes[0]: one for one in found}.values())


def document(name: str = "a.md", **highest: int) -> LivingDocument:
    return LivingDocument(
        name=name,
        topic="a",
        text="",
        sections=(),
        updated=None,
        sha256="0",
        registers=dict(highest),  # type: ignore[arg-type]  # C, D
    )


def again(merged: list[Increment] | tuple[Increment, ...]) -> tuple[Increment, ...]:
    return reconcile(extractions(list(merged)), Around(language="en")).increments


def unlinked(found: tuple[Increment, ...]) -> list[Increment]:
    return [one.model_copy(update={"links": ()}) for one in found]


@FEW
@given(increments(), st.randoms(use_true_random=False))
def test_reconciling_is_free_of_order_and_repetition(found: list[Increment], random: object) -> None:
    notes = extractions(found)
    shuffled = notes + notes
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis hands over a Random
    assert reconcile(notes, Around(language="en")) == reconcile(shuffled, Around(language="en"))


@FEW
@given(increments())
def test_what_is_reconciled_stays_as_it_is_when_reconciled_again(found: list[Increment]) -> None:
    """But for its links: two increments that one note tells are not compared."""
    merged = again(found)
    assert unlinked(merged) == unlinked(again(merged))


@FEW
@given(increments().filter(bool), st.randoms(use_true_random=False))
def test_merging_is_free_of_order_and_its_result_merges_to_itself(found: list[Increment], random: object) -> None:
    shuffled = members(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis hands over a Random
    merged = merge(members(found))
    assert merged == merge(shuffled)
    assert merged is merge((merged,))


@FEW
@given(increments().filter(bool))
def test_merging_loses_nothing_and_changes_no_quote(found: list[Increment]) -> None:
    merged = merge(members(found))
    assert () == kept(members(found), (merged,))
    assert sorted(repr(one) for member in members(found) for one in member.evidence) == sorted(
        map(repr, merged.evidence)
    )
    assert {point.evidence for point in merged.points} <= set(merged.evidence)
    said = (point.text for member in members(found) for point in member.points)
    assert {figure for text in said for figure in numbers_in(text)} == {
        figure for point in merged.points for figure in numbers_in(point.text)
    }


@FEW
@given(increments().filter(bool))
def test_a_merged_increment_is_sound(found: list[Increment]) -> None:
    found = members(found)
    merged = merge(found)
    assert merged.lineage is not None
    assert len(merged.lineage.origins) == merged.origins == origins(found) <= len(merged.notes)
    assert len(found) == 1 or len({(p.document, p.section) for p in merged.placements}) == len(merged.placements)
    nearest = [group[0].credibility.stars for group in by_origin(found)]
    assert max(nearest) == merged.credibility.stars
    assert merged.id in {one.id for one in found}


@FEW
@given(increments(), st.randoms(use_true_random=False))
def test_numbering_is_free_of_order_and_numbers_what_is_numbered_no_further(
    found: list[Increment], random: object
) -> None:
    documents = (document(C=2), document("b.md"))
    numbered = renumbered(found, documents)
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis hands over a Random
    assert sorted(map(repr, numbered)) == sorted(map(repr, renumbered(shuffled, documents)))
    assert all(one is other for one, other in zip(numbered, renumbered(numbered, documents), strict=True))


LINES = st.sampled_from(
    [
        "## 增量 1:TierKV 三层缓存框架首次披露(arXiv:2607.18141)⭐⭐⭐⭐",
        "## 增量 2:LampServe v0.26.0 支持 FP8",
        "### Increment 1: TierKV keeps its cache in three tiers",
        "- 来源:inbox/jay/2026-09-14-1100-radar.md 条目 6",
        "- Source: https://a.example/p and arXiv:2607.18141v2",
        "- TTFT 从 120 ms 降到 75 ms(1.6×)\ufeff",
        "- cuts TTFT from 120 ms to 75 ms, 1.6× 🚀",
        "- 建议归入:a.md §2.1;新增 C59 共识候选:「缓存分三层」",
        "- ⚠️ 只在一张卡上测过 ¹",
        "| TierKV | 75 ms | H100 |",
        "",
    ]
)


@settings(max_examples=25, deadline=None)  # each reads several notes
@given(st.lists(st.lists(LINES | st.text(max_size=40), min_size=2, max_size=12), min_size=2, max_size=3))
def test_every_quote_of_what_was_merged_stands_in_its_note(texts: list[list[str]]) -> None:
    paths = [f"inbox/{agent}/2026-09-14-1{place}00-radar.md" for place, agent in enumerate(("jay", "tom", "amy"))]
    notes = [a_note("# 雷达\n\n" + "\n".join(lines), path=path) for path, lines in zip(paths, texts, strict=False)]
    setup = Setup(
        knowledge=knowing("a.md\n# a\n\n## 2.1 缓存\n", note_paths=paths), language="zh", engine="none", model=None
    )
    read = [extract(note, setup) for note in notes]
    told = {one.note: one.increments for one in read}
    firsts = [one.increments[0] for one in read if one.increments]
    merged = [merge(firsts, told=told)] if firsts else []
    merged += reconcile(read, Around(language="zh", documents=setup.knowledge.documents)).increments
    text_of = {note.path: note.text for note in notes}
    for one in merged:
        cited = [*one.evidence, *(point.evidence for point in one.points), *(each.evidence for each in one.measures)]
        assert all(text_of[place.note][place.start : place.end] == place.quote for place in cited)
    assert () == kept(firsts, merged)

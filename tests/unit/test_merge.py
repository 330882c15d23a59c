import datetime as dt
import itertools

import pytest

from agent.reconciling.merge import increment_id, merge, reconcile
from agent.records import Credibility, Evidence, Extraction, Increment, Placement, Point, Register, Relation, Source

JAY, TOM = "inbox/jay/2026-07-27-1100-filter.md", "inbox/tom/2026-07-27-inference.md"
PAPER = "2607.18141"


def point(note: str, text: str, start: int = 0) -> Point:
    return Point(text=text, evidence=Evidence(note=note, start=start, end=start + len(text), quote=text, line=1))


def increment(
    note: str, *texts: str, stars: int = 3, stated: int | None = None, reason: str = "r", **fields: object
) -> Increment:
    points = tuple(point(note, text, start) for start, text in enumerate(texts or ("TierKV keeps three tiers.",)))
    values: dict[str, object] = {
        "id": "?",
        "title": "TierKV 缓存框架披露",
        "summary": f"told by {note}",
        "points": points,
        "evidence": tuple(one.evidence for one in points),
        "arxiv_ids": (PAPER,),
        "credibility": Credibility(stars=stars, stated=stated, basis=f"basis {note}", reason=reason),
        "notes": (note,),
        "agents": (note.split("/")[1],),
        "relation": "new",
    }
    return Increment.model_validate(values | fields)


def placed(document: str, section: str, by: str) -> Placement:
    return Placement.model_validate(
        {"document": document, "section": section, "action": "append", "reason": by, "proposed_by": by, "exists": True}
    )


def test_everything_is_united_once_and_in_the_order_of_the_notes() -> None:
    shared = Source(label="post", url="https://a.example/", resolved=False)
    found = shared.model_copy(update={"resolved": True})
    one = increment(
        JAY, "three tiers", sources=(shared,), registers=(Register(kind="C", number=1, text="t"),), priority=None
    )
    other = increment(
        TOM,
        "2.4× faster",
        sources=(found, Source(label="x", resolved=False)),
        arxiv_ids=(PAPER, "2411.18077"),
        priority=2,
    )
    merged = merge((other, one))
    assert (JAY, TOM) == merged.notes
    assert ("jay", "tom") == merged.agents
    assert one.evidence + other.evidence == merged.evidence
    assert ("three tiers", "2.4× faster") == tuple(one.text for one in merged.points)
    assert (PAPER, "2411.18077") == merged.arxiv_ids
    assert (found, Source(label="x", resolved=False)) == merged.sources
    assert (Register(kind="C", number=1, text="t"),) == merged.registers
    assert 2 == merged.priority


def test_a_point_that_repeats_another_is_shown_once_and_its_evidence_stays() -> None:
    merged = merge(
        (
            increment(JAY, "The cache has three tiers, 2.4× faster."),
            increment(TOM, "The cache has three tiers: 2.4× faster."),
        )
    )
    assert ("The cache has three tiers, 2.4× faster.",) == tuple(one.text for one in merged.points)
    assert 2 == len(merged.evidence)


@pytest.mark.parametrize("other", ["吞吐比对照组提升 2.5 倍", "吞吐比对照组未提升 2.4 倍"])
def test_points_that_differ_in_a_number_or_a_negation_both_stay(other: str) -> None:
    assert 2 == len(merge((increment(JAY, "吞吐比对照组提升 2.4 倍"), increment(TOM, other))).points)


def test_the_title_that_names_most_wins_with_its_summary() -> None:
    plain, telling = increment(JAY, title="TierKV 披露"), increment(TOM, title="TierKV v1.2 在 CXL 上快 2.4×")
    merged = merge((plain, telling))
    assert ("TierKV v1.2 在 CXL 上快 2.4×", f"told by {TOM}") == (merged.title, merged.summary)


def test_an_empty_summary_gives_way() -> None:
    assert f"told by {TOM}" == merge((increment(JAY, summary=""), increment(TOM))).summary


def test_a_section_is_proposed_once_and_the_notes_own_word_comes_first() -> None:
    one = increment(JAY, placements=(placed("a.md", "9.2", "model"), placed("a.md", "4", "code")))
    other = increment(TOM, placements=(placed("a.md", "§9.2", "note"),))
    assert [("§9.2", "note"), ("4", "code")] == [(p.section, p.proposed_by) for p in merge((one, other)).placements]


def test_of_one_origin_the_cited_note_rates_and_copies_count_nothing() -> None:
    cited = increment(JAY, stars=2, reason="one blog")
    copy = increment(TOM, stars=5, stated=4, sources=(Source(label="jay", note=JAY, resolved=True),))
    merged = merge((copy, cited))
    assert (1, 2, 4, "one blog") == (
        merged.origins,
        merged.credibility.stars,
        merged.credibility.stated,
        merged.credibility.reason,
    )
    assert () == merged.credibility.cautions


def test_a_caution_without_a_reason_names_the_basis() -> None:
    pair = (increment(JAY, stars=2, reason="", arxiv_ids=()), increment(TOM, stars=4, arxiv_ids=()))
    assert (f"jay 2★: basis {JAY}",) == merge(pair).credibility.cautions


def test_of_several_origins_the_best_rates_and_the_lowest_is_a_caution() -> None:
    one = increment(JAY, stars=2, stated=3, reason="no conditions", arxiv_ids=())
    other = increment(TOM, stars=4, arxiv_ids=())
    merged = merge((one, other))
    assert (2, 4, 3) == (merged.origins, merged.credibility.stars, merged.credibility.stated)
    assert ("jay 2★: no conditions",) == merged.credibility.cautions


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ("new", ("new", "new")),
        ("extends", ("new", "known")),
        ("known", ("known", "known")),
        ("contradicts", ("known", "contradicts")),
    ],
)
def test_relation(expected: str, said: tuple[Relation, Relation]) -> None:
    one, other = (
        increment(note, relation=relation, relation_reason=f"because {relation}")
        for note, relation in zip((JAY, TOM), said, strict=True)
    )
    merged = merge((one, other))
    assert expected == merged.relation
    assert f"because {said[-1]}" in merged.relation_reason


def test_the_id_is_short_and_outlives_a_new_member() -> None:
    alone, joined = merge((increment(JAY),)), merge((increment(JAY), increment(TOM)))
    assert alone.id == joined.id
    assert 12 == len(alone.id)
    assert alone.id != merge((increment(TOM),)).id
    assert alone.id == increment_id(joined)


def test_a_single_increment_stays_as_it_is() -> None:
    one = increment(JAY, stars=5, stated=1)
    assert one == merge((one,)).model_copy(update={"id": one.id})


def test_nothing_cannot_be_merged() -> None:
    with pytest.raises(ValueError, match="nothing"):
        merge(())


def extraction(note: str, *increments: Increment) -> Extraction:
    return Extraction(
        note=note, agent=note.split("/")[1], date=dt.date(2026, 7, 27), sha256="0", engine="none", increments=increments
    )


def test_reconcile_makes_one_of_two_notes_and_keeps_the_rest() -> None:
    other = increment(TOM, "another thing", title="RowAttention-3 支持 FP8 训练", arxiv_ids=())
    two = (extraction(TOM, increment(TOM), other), extraction(JAY, increment(JAY)))
    merged = reconcile(two)
    assert [(JAY, TOM), (TOM,)] == [one.notes for one in merged]
    assert merged == reconcile(two[::-1])


def test_an_extraction_that_arrives_twice_changes_nothing() -> None:
    two = (extraction(TOM, increment(TOM)), extraction(JAY, increment(JAY)))
    assert reconcile(two) == reconcile(two + two)


def test_three_notes_one_origin() -> None:
    notes = (JAY, TOM, "inbox/amy/2026-07-27-1800.md")
    copies = [
        increment(note, sources=(Source(label="jay", note=JAY, resolved=True),) * (note != JAY)) for note in notes
    ]
    for order in itertools.permutations(copies):
        (merged,) = reconcile([extraction(one.notes[0], one) for one in order])
        assert (3, 1) == (len(merged.notes), merged.origins)

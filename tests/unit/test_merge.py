import itertools

import pytest

from agent.reconciling.lineage import lineage
from agent.reconciling.merge import kept, merge
from agent.records import (
    Credibility,
    Evidence,
    Increment,
    Link,
    Placement,
    Point,
    Register,
    Relation,
    SeenBefore,
    Source,
)

JAY, TOM = "inbox/jay/2026-07-27-1100-filter.md", "inbox/tom/2026-07-27-inference.md"
AMY = "inbox/amy/2026-07-27-1800.md"
PAPER = "2607.18141"
RAN, ALSO_RAN = "Our own run: 2.4x.", "自测:2.3 倍"  # what makes a note without a source independent


def point(note: str, text: str, start: int = 0) -> Point:
    return Point(text=text, evidence=Evidence(note=note, start=start, end=start + len(text), quote=text, line=1))


def increment(
    note: str, *texts: str, stars: int = 3, stated: int | None = None, reason: str = "r", **fields: object
) -> Increment:
    points = tuple(point(note, text, start) for start, text in enumerate(texts or ("TierKV keeps three tiers.",)))
    values: dict[str, object] = {
        "id": f"inc-{note}",
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
    pair = (increment(JAY, RAN, stars=2, reason="", arxiv_ids=()), increment(TOM, ALSO_RAN, stars=4, arxiv_ids=()))
    assert (f"jay 2★: basis {JAY}",) == merge(pair).credibility.cautions


def test_of_several_origins_the_best_rates_and_the_lowest_is_a_caution() -> None:
    one = increment(JAY, RAN, stars=2, stated=3, reason="no conditions", arxiv_ids=())
    other = increment(TOM, ALSO_RAN, stars=4, arxiv_ids=())
    merged = merge((one, other))
    assert (2, 4, 3) == (merged.origins, merged.credibility.stars, merged.credibility.stated)
    assert ("jay 3★: no conditions",) == merged.credibility.cautions


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


def test_the_id_is_the_earliest_members_and_outlives_those_who_come_later() -> None:
    assert f"inc-{JAY}" == merge((increment(TOM), increment(JAY))).id


def test_a_single_increment_stays_as_it_is_but_for_its_lineage() -> None:
    one = increment(JAY, stars=5, stated=1)
    merged = merge((one,))
    assert one == merged.model_copy(update={"lineage": None})
    assert lineage((one,)) == merged.lineage
    assert merged is merge((merged,))


def test_nothing_cannot_be_merged() -> None:
    with pytest.raises(ValueError, match="nothing"):
        merge(())


def test_three_notes_one_origin() -> None:
    copies = [
        increment(note, sources=(Source(label="jay", note=JAY, resolved=True),) * (note != JAY), arxiv_ids=())
        for note in (JAY, TOM, AMY)
    ]
    for order in itertools.permutations(copies):
        merged = merge(order)
        assert (3, 1, lineage(copies)) == (len(merged.notes), merged.origins, merged.lineage)


def test_a_copy_rated_higher_raises_nothing_and_lower_ratings_keep_their_reasons() -> None:
    source = Source(label="jay", note=JAY, resolved=True)
    merged = merge(
        (
            increment(JAY, RAN, stars=4, reason="measured", arxiv_ids=()),
            increment(TOM, stars=5, sources=(source,), arxiv_ids=()),
            increment(AMY, stars=2, reason="one card only", sources=(source,), arxiv_ids=()),
            increment("inbox/eve/2026-07-28.md", ALSO_RAN, stars=3, reason="no conditions", arxiv_ids=()),
        )
    )
    assert (2, 4, "measured") == (merged.origins, merged.credibility.stars, merged.credibility.reason)
    assert ("amy 2★: one card only", "eve 3★: no conditions") == merged.credibility.cautions


def test_the_notes_own_cautions_stay() -> None:
    warned = increment(JAY)
    rating = warned.credibility.model_copy(update={"cautions": ("only one run",)})
    merged = merge((warned.model_copy(update={"credibility": rating}), increment(TOM)))
    assert ("only one run",) == merged.credibility.cautions


def test_the_sections_that_several_notes_propose_come_first() -> None:
    one = increment(JAY, placements=(placed("a.md", "1", "note"), placed("a.md", "2.1", "note")))
    other = increment(TOM, placements=(placed("a.md", "7", "code"), placed("a.md", "2.1", "note")))
    third = increment(AMY, placements=(placed("a.md", "7", "code"), placed("a.md", "8", "model")))
    assert ["2.1", "1", "8", "7"] == [placement.section for placement in merge((one, other, third)).placements]


def entry(number: int, text: str, kind: str = "C", document: str | None = None) -> Register:
    return Register.model_validate({"kind": kind, "number": number, "text": text, "document": document})


def test_register_entries_that_say_the_same_are_one_and_keep_the_earliest_number() -> None:
    text = "Engines should be chosen by workload, not by name"
    one = increment(JAY, registers=(entry(59, text), entry(12, text, "D"), entry(60, "")))
    other = increment(
        TOM, registers=(entry(61, f"{text}."), entry(60, "Memory is the limit"), entry(59, "Memory is free"))
    )
    assert [(59, text, "C"), (12, text, "D"), (60, "Memory is the limit", "C"), (59, "Memory is free", "C")] == [
        (register.number, register.text, register.kind) for register in merge((one, other)).registers
    ]


def test_entries_for_two_documents_stay_two() -> None:
    text = "Engines should be chosen by workload, not by name"
    one = increment(JAY, registers=(entry(59, text),), placements=(placed("a.md", "1", "note"),))
    other = increment(TOM, registers=(entry(7, text),), placements=(placed("b.md", "1", "note"),))
    assert [(59, "a.md"), (7, "b.md")] == [(one.number, one.document) for one in merge((one, other)).registers]


def test_links_to_members_go_and_the_earliest_sighting_stays() -> None:
    links = (
        Link(increment=f"inc-{JAY}", tie="complements", because="case"),
        Link(increment="inc-9", tie="contradicts", because="number"),
    )
    early, late = (SeenBefore.model_validate({"date": f"2026-07-{day}", "title": "t"}) for day in (20, 25))
    merged = merge((increment(JAY, links=links[1:], seen=late), increment(TOM, links=links, seen=early)))
    assert ((links[1],), early) == (merged.links, merged.seen)


def test_what_got_lost_is_named() -> None:
    page = Source(label="p", url="https://a.example/p", resolved=True)
    before = (increment(JAY, "three tiers", sources=(page,)), increment(TOM))
    merged = merge(before)
    assert () == kept(before, (merged,))
    assert () == kept(before, tuple(merge((one,)) for one in before))
    poorer = merged.model_copy(
        update={"sources": (), "evidence": merged.evidence[1:], "arxiv_ids": (), "notes": (TOM,)}
    )
    assert (
        f"note {JAY}",
        f"arXiv ID {PAPER}",
        "source page https://a.example/p",
        f"evidence {JAY} 0 11 three tiers",
    ) == kept(before, (poorer,))


def test_what_one_increment_lost_and_another_has_is_kept() -> None:
    one, other = increment(JAY), increment(TOM)
    assert (f"evidence {JAY} 0 25 TierKV keeps three tiers.", f"note {JAY}") == tuple(
        sorted(kept((one, other), (other,)))
    )

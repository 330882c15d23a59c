import datetime as dt

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.reconciling.lineage import origins
from agent.reconciling.match import kept_apart_by, same_finding
from agent.reconciling.merge import merge, reconcile
from agent.records import Credibility, Evidence, Extraction, Increment, Placement, Point, Source

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

FEW = settings(max_examples=30)  # each of them holds several increments


@st.composite
def increments(draw: st.DrawFn) -> list[Increment]:
    """Increments of a few notes that are often alike; each has a place of its own."""
    found = []
    for start in range(draw(st.integers(0, 7))):
        note = draw(st.sampled_from(NOTES))
        quote = draw(st.text(min_size=1, max_size=30))
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


@FEW
@given(increments(), st.randoms(use_true_random=False))
def test_no_order_changes_the_clusters(found: list[Increment], random: object) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis hands over a Random
    expected = {frozenset(found[index].id for index in cluster) for cluster in same_finding(found)}
    assert expected == {frozenset(shuffled[index].id for index in cluster) for cluster in same_finding(shuffled)}


@FEW
@given(increments())
def test_clusters_divide_the_increments_and_hold_no_two_that_are_kept_apart(found: list[Increment]) -> None:
    clusters = same_finding(found)
    assert list(range(len(found))) == sorted(index for cluster in clusters for index in cluster)
    for cluster in clusters:
        assert not [
            (one, other)
            for one in cluster
            for other in cluster
            if one < other and kept_apart_by(found[one], found[other])
        ]


@FEW
@given(increments(), st.randoms(use_true_random=False))
def test_reconciling_is_free_of_order_and_repetition(found: list[Increment], random: object) -> None:
    notes = extractions(found)
    shuffled = notes + notes
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis hands over a Random
    assert reconcile(notes) == reconcile(shuffled)


@FEW
@given(increments())
def test_merging_loses_no_evidence_and_changes_no_quote(found: list[Increment]) -> None:
    merged = reconcile(extractions(found))
    assert sorted(repr(e) for one in found for e in one.evidence) == sorted(
        repr(e) for one in merged for e in one.evidence
    )
    assert {point.evidence for one in merged for point in one.points} <= {e for one in merged for e in one.evidence}


@FEW
@given(increments())
def test_a_merged_increment_merges_to_itself(found: list[Increment]) -> None:
    for one in reconcile(extractions(found)):
        assert one == merge((one,))
        assert len(one.notes) == 1 or len({(p.document, p.section) for p in one.placements}) == len(one.placements)
        assert len(one.notes) >= one.origins


@FEW
@given(increments())
def test_more_members_of_one_note_never_make_more_origins_than_notes(found: list[Increment]) -> None:
    assert len({one.notes[0] for one in found}) >= origins(found)


@FEW
@given(increments())
def test_what_is_merged_stays_as_it_is_when_reconciled_again(found: list[Increment]) -> None:
    merged = reconcile(extractions(found))
    assert merged == reconcile(extractions(list(merged)))

import itertools
import time

import pytest

from agent.reconciling.lineage import by_origin, earliest, lineage, origins, trace
from agent.reconciling.merge import merge
from agent.records import Credibility, Descent, Evidence, Increment, Lineage, Origin, Source

JAY, TOM, AMY = "inbox/jay/2026-07-27-1100-filter.md", "inbox/tom/2026-07-27-1500.md", "inbox/amy/2026-07-27-1600.md"
OUTSIDE, FAR = "inbox/eve/2026-07-27-0900-brief.md", "inbox/max/2026-07-26-radar.md"
PAPER, OTHER_PAPER = "2607.18141", "2411.18077"
RAN, ALSO_RAN = (
    "Our own run on one card: 2.4x.",
    "自测,另一台机器:2.3 倍",
)  # what makes a note without a source independent
LONG = "The cache keeps its blocks in three tiers and moves them by reuse distance."


def member(
    note: str,
    *sources: Source,
    quote: str = "x",
    ids: tuple[str, ...] = (),
    origins: int = 1,
    title: str = "TierKV",
    more: tuple[str, ...] = (),
) -> Increment:
    return Increment(
        id=f"inc-{note}",
        title=title,
        summary="",
        points=(),
        evidence=tuple(
            Evidence(note=note, start=at * 1000, end=at * 1000 + len(one), quote=one, line=1 + at)
            for at, one in enumerate((quote, *more))
        ),
        arxiv_ids=ids,
        credibility=Credibility(stars=3, basis="", reason=""),
        sources=sources,
        notes=(note,),
        agents=(note.split("/")[1],),
        origins=origins,
        relation="new",
    )


def cites(note: str) -> Source:
    return Source(label=note, note=note, resolved=True)


def page(url: str) -> Source:
    return Source(label="post", url=url, resolved=True)


@pytest.mark.parametrize(
    ("expected", "members"),
    [
        (0, ()),
        (1, (member(JAY),)),
        (1, (member(JAY), member(TOM))),
        (2, (member(JAY, quote=RAN), member(TOM, quote=ALSO_RAN))),
        (1, (member(JAY), member(TOM, cites(JAY)))),
        (1, (member(JAY), member(TOM, cites(JAY)), member(AMY, cites(JAY)))),
        (1, (member(TOM, cites("inbox/x/a.md")), member(AMY, cites("inbox/x/a.md")))),
        (1, (member(JAY, cites(TOM)), member(TOM, cites(AMY)), member(AMY, cites(JAY)))),
        (1, (member(JAY, page("https://www.a.example/p/")), member(TOM, page("http://a.example/p#top")))),
        (2, (member(JAY, page("https://a.example/p?id=1")), member(TOM, page("https://a.example/p?id=2")))),
        (1, (member(JAY, ids=(PAPER,)), member(TOM, ids=(PAPER,)))),
        (2, (member(JAY, ids=(PAPER,)), member(TOM, ids=(OTHER_PAPER, PAPER)))),
        (1, (member(JAY, ids=(PAPER,)), member(TOM, Source(label="p", arxiv=PAPER, resolved=True)))),
        (1, (member(JAY, ids=(PAPER,)), member(TOM, page(f"https://arxiv.org/abs/{PAPER}v1")))),
        (1, (member(JAY, quote=LONG), member(TOM, quote=LONG.upper()))),
        (1, (member(JAY, quote=LONG), member(TOM, quote=LONG.replace("three", "four")))),
        (1, (member(JAY), member("inbox/jay/2026-07-28.md"))),
        (2, (member(JAY, page("https://a.example/p")), member("inbox/jay/2026-07-28.md", page("https://b.example/p")))),
        (2, (member(JAY, page("http://[")), member(TOM, page("https://a.example/")))),
        (3, (member(JAY, origins=2), member(TOM, quote=RAN))),
        (2, (member(JAY, origins=2), member(TOM, cites(JAY)))),
    ],
)
def test_members_that_rest_on_one_thing_are_one_origin(expected: int, members: tuple[Increment, ...]) -> None:
    assert {expected} == {origins(order) for order in itertools.permutations(members)}


@pytest.mark.parametrize(
    ("expected", "members"),
    [
        # a round-up cites two notes that know nothing of each other, whatever else it names
        (2, (member(JAY, quote=RAN), member(TOM, quote=ALSO_RAN), member(AMY, cites(JAY), cites(TOM)))),
        (
            2,
            (
                member(JAY, page("https://a.example/p")),
                member(TOM, page("https://b.example/p")),
                member(AMY, cites(JAY), cites(TOM), page("https://a.example/p"), page("https://b.example/p")),
            ),
        ),
        # what one names who cites another is taken as the other's too
        (1, (member(JAY), member(TOM, cites(JAY), ids=(PAPER,)), member(AMY, ids=(PAPER,)))),
        # a note with two sources makes the notes on either of them one
        (1, (member(JAY, page("https://a.example/p")), member(TOM, page("https://b.example/p")),
             member(AMY, page("https://a.example/p"), page("https://b.example/p")))),
        # both measured and name the same product's front page
        (2, (member(JAY, page("https://github.com/o/tierkv"), page("https://jay.example/runs/1")),
             member(TOM, page("https://github.com/o/tierkv"), page("https://tom.example/bench")))),
        (1, (member(JAY, page("https://github.com/o/tierkv"), page("https://jay.example/runs/1")),
             member(TOM, page("https://github.com/o/tierkv")))),
        # both only compare with one paper
        (2, (member(JAY, quote=f"2x faster than RowAttention ({PAPER})", ids=(PAPER,)),
             member(TOM, quote=f"we ran it against {PAPER}: 1.9x", ids=(PAPER,)))),
        # an agent that repeats one of its two findings without a source
        (2, (member("inbox/jay/2026-07-26.md", page("https://a.example/p")), member(JAY),
             member("inbox/jay/2026-07-28.md", page("https://b.example/p")))),
        # the slip that two notes share, where the others have the right word
        (4, (member(JAY, quote="thoughput of 9", more=(RAN,)), member(TOM, quote="a thoughput", more=(ALSO_RAN,)),
             *(member(f"inbox/m{n}/2026-07-27.md", quote="its throughput", more=(f"{n} h 自测",)) for n in range(3)))),
    ],
)  # fmt: skip
def test_independent_notes_stay_independent_and_echoes_do_not(expected: int, members: tuple[Increment, ...]) -> None:
    orders = itertools.islice(itertools.permutations(members), 24)
    assert {expected} == {origins(order) for order in orders}


def test_five_notes_that_repeat_one_guess_are_one_origin() -> None:
    """The second copies its sentence, the third cites the second, the fourth the third, the fifth copies and changes a word."""
    notes = [f"inbox/a{number}/2026-07-27-1{number}00.md" for number in range(5)]
    found = lineage(
        [
            member(notes[0], quote=LONG),
            member(notes[1], quote=f"As noted: {LONG}"),
            member(notes[2], cites(notes[1]), quote="three tiers, it seems"),
            member(notes[3], cites(notes[2]), quote="三层缓存"),
            member(notes[4], quote=LONG.replace("distance", "interval")),
        ]
    )
    assert (Origin(kind="note", label=notes[0], notes=tuple(notes)),) == found.origins
    assert {
        (notes[0], "", "retells"),
        (notes[1], notes[0], "wording"),
        (notes[2], notes[1], "cites"),
        (notes[3], notes[2], "cites"),
        (notes[4], notes[0], "wording"),
    } == {(edge.note, edge.on, edge.how) for edge in found.edges}


def test_the_graph_says_who_rests_on_what() -> None:
    found = lineage(
        [
            member(TOM, cites(JAY), ids=(PAPER,)),
            member(JAY, Source(label="2026-07-27-lost.md 条目 6", resolved=False), ids=(PAPER,)),
            member(AMY, page("https://a.example/p")),
        ]
    )
    assert (
        Origin(kind="paper", label=PAPER, notes=(JAY, TOM)),
        Origin(kind="page", label="https://a.example/p", notes=(AMY,)),
    ) == found.origins
    assert (
        Descent(note=JAY, on=PAPER, how="paper"),
        Descent(note=JAY, on="2026-07-27-lost.md", how="file"),
        Descent(note=TOM, on=PAPER, how="paper"),
        Descent(note=TOM, on=JAY, how="cites"),
        Descent(note=AMY, on="https://a.example/p", how="page"),
    ) == found.edges


@pytest.mark.parametrize(
    ("expected", "one"),
    [
        (Origin(kind="note", label=JAY, notes=(JAY,)), member(JAY)),
        (Origin(kind="paper", label=PAPER, notes=(JAY,)), member(JAY, page("https://a.example/p"), ids=(PAPER,))),
        (Origin(kind="note", label=TOM, notes=(JAY,)), member(JAY, cites(TOM))),
        (
            Origin(kind="page", label="https://a.example/p", notes=(JAY,)),
            member(JAY, cites(TOM), page("https://github.com/o/r"), page("https://a.example/p")),
        ),
    ],
)
def test_a_single_increment_has_an_origin_too(expected: Origin, one: Increment) -> None:
    assert (expected,) == lineage([one]).origins


def test_what_increments_of_one_note_rest_on_is_built_once() -> None:
    assert lineage([member(JAY, cites(TOM))]) is lineage([member(JAY, cites(TOM), quote="y")])


def test_a_citation_is_followed_through_notes_without_a_member() -> None:
    told = {OUTSIDE: [member(OUTSIDE, cites(FAR))], FAR: [member(FAR)]}
    ends = (member(JAY, cites(OUTSIDE)), member(TOM, cites(FAR)))
    assert 2 == len(lineage(ends).origins)
    found = lineage(ends, told=told)
    assert (Origin(kind="note", label=FAR, notes=(JAY, TOM)),) == found.origins
    assert Descent(note=OUTSIDE, on=FAR, how="cites") in found.edges


def test_a_chain_that_comes_back_to_a_member_makes_it_the_origin() -> None:
    told = {OUTSIDE: [member(OUTSIDE, cites(JAY))]}
    assert (Origin(kind="note", label=JAY, notes=(JAY, TOM)),) == lineage(
        (member(TOM, cites(OUTSIDE)), member(JAY)), told=told
    ).origins


def test_what_a_note_in_between_tells_of_other_things_is_not_followed() -> None:
    """A brief cites one note for each of its findings: only the one for this finding leads on."""
    told = {OUTSIDE: [member(OUTSIDE, cites(FAR)), member(OUTSIDE, cites(AMY), title="RowAttention-3 支持 FP8")]}
    ends = (member(JAY, cites(OUTSIDE)), member(TOM, cites(AMY)))
    assert 2 == len(lineage(ends, told=told).origins)


def test_a_sentence_that_a_note_repeats_under_several_findings_is_no_wording() -> None:
    form = "Nobody has repeated this so far, so check the source before it goes in."
    members = (member(JAY, quote=form, more=(RAN,)), member(TOM, quote=form, more=(ALSO_RAN,)))
    told = {JAY: [members[0], member(JAY, title="RowAttention-3", more=(form,))]}
    assert (1, 2) == (len(lineage(members).origins), len(lineage(members, told=told).origins))


def test_who_wrote_first_copied_nothing() -> None:
    copy, source = member(TOM, quote=LONG, more=(ALSO_RAN,)), member(JAY, quote=LONG, more=(RAN,))
    assert [Descent(note=TOM, on=JAY, how="wording")] == list(lineage((copy, source)).edges)


def test_an_unresolved_citation_makes_no_origin_one() -> None:
    """A note that names notes that do not exist gains and loses nothing by it."""
    invented = Source(label="jay and amy confirm", resolved=False)
    assert 2 == origins((member(JAY, invented, quote=RAN), member(TOM, invented, quote=ALSO_RAN)))
    assert 1 == origins((member(JAY, invented), member(TOM, invented)))


def test_two_members_that_cite_one_missing_note_are_one_origin() -> None:
    lost = [Source(label=f"inbox/jay/2026-07-27-lost.md {item}", resolved=False) for item in ("条目 6", "item 2")]
    assert 1 == origins([member(note, source) for note, source in zip((JAY, TOM), lost, strict=True)])


def test_notes_that_name_nothing_and_did_not_measure_retell_the_first_of_them() -> None:
    found = lineage([member(AMY), member(TOM), member(JAY)])
    assert (Origin(kind="note", label=JAY, notes=(JAY, TOM, AMY)),) == found.origins
    assert (
        Descent(note=JAY, on="", how="retells"),
        Descent(note=TOM, on=JAY, how="retells"),
        Descent(note=AMY, on=JAY, how="retells"),
    ) == found.edges


def test_who_names_nothing_retells_the_first_that_names_something_also_a_later_one() -> None:
    found = lineage([member(JAY), member(TOM, page("https://a.example/p")), member(AMY, page("https://b.example/p"))])
    assert [(JAY, TOM), (AMY,)] == [origin.notes for origin in found.origins]
    assert Descent(note=JAY, on=TOM, how="retells") in found.edges


def test_nobody_retells_a_note_that_comes_from_it() -> None:
    found = lineage([member(JAY), member(TOM, cites(JAY), ids=(PAPER,)), member(AMY)])
    assert [Descent(note=AMY, on=JAY, how="retells")] == [one for one in found.edges if one.how == "retells" and one.on]
    assert 1 == len(found.origins)


@pytest.mark.parametrize(
    ("expected", "quotes"),
    [
        (2, ("Our own run on one H100: 2.4x.", "2.4x, it is told")),
        (2, ("自测,一张 H100:2.4 倍", "快 2.4 倍")),
        (2, ("Independently reproduced by two labs.", "2.4x, it is told")),
        (2, ("两家机构复现过,快 2.4 倍", "快 2.4 倍")),
        (2, ("自测:2.4 倍", "I measured 2.3x.")),
        (1, ("2.4x, not reproduced so far", "2.4x, it is told")),
        (1, ("快 2.4 倍,没有复现", "快 2.4 倍,可复现")),
        (1, ("The vendor's own test: 2.4x.", "厂商自测:2.4 倍")),
    ],
)
def test_one_that_measured_and_one_that_retells_are_two_origins(expected: int, quotes: tuple[str, str]) -> None:
    members = [member(note, quote=quote) for note, quote in zip((JAY, TOM), quotes, strict=True)]
    assert expected == origins(members) == origins(members[::-1])


@pytest.mark.parametrize("quote", ["Our own run of the paper's benchmark: 2.4x.", "按论文的配置自测:2.4 倍"])
def test_what_was_measured_again_does_not_rest_on_the_paper_that_it_is_about(quote: str) -> None:
    paper = member(JAY, ids=(PAPER,))
    assert (2, 1) == (
        origins((paper, member(TOM, quote=quote, ids=(PAPER,)))),
        origins((paper, member(TOM, ids=(PAPER,)))),
    )


@pytest.mark.parametrize(
    ("expected", "quotes"),
    [
        (1, ("TierKV 1.8 keeps three tiers", "TierKV v1.8 分三层")),
        (1, ("TierKV 1.8 keeps three tiers", "TierKV has a new release, 1.8")),
        (2, ("TierKV 1.8 keeps three tiers", "TierKV 1.9 分三层")),
        (2, ("TierKV 1.8 keeps three tiers", "自测:TierKV 1.8 分三层")),
    ],
)
def test_who_tells_of_one_release_rests_on_its_makers(expected: int, quotes: tuple[str, str]) -> None:
    members = [member(note, quote=quote) for note, quote in zip((JAY, TOM), quotes, strict=True)]
    found = lineage(members)
    assert expected == len(found.origins)
    assert ("release", "tierkv 1.8") == (found.origins[0].kind, found.origins[0].label)


def test_of_two_sources_the_one_named_first_stays_the_origins_name() -> None:
    apart = [member(JAY, page("https://b.example/p"), page("https://a.example/p")), member(TOM, cites(JAY))]
    names = [lineage(found).origins[0].label for found in (apart, [merge(apart)], [merge(apart), member(AMY)])]
    assert ["https://b.example/p"] * 3 == names


def test_what_retells_stays_so_when_the_merged_is_merged() -> None:
    """Whoever measured in a source line or a title does not show it any more after merging: the graph knows it."""
    ran = member(JAY, Source(label="own run", resolved=True))
    told, later = member(TOM), member("inbox/eve/2026-07-28.md", page("https://a.example/p"))
    for apart in ([ran, told], [told, member(AMY)], [ran, told, member(AMY)]):
        merged = merge(apart)
        assert merged.lineage == lineage([merged])
        for last in (later, member("inbox/eve/2026-07-28.md"), member("inbox/eve/2026-07-28.md", quote=RAN)):
            assert lineage([*apart, last]) == lineage([merged, last]) == lineage([last, merge([merged])])


def test_a_merged_member_gives_the_graph_that_its_own_members_give() -> None:
    apart = [member(JAY, page("https://a.example/p")), member(TOM, cites(JAY), quote=LONG), member(AMY, quote=LONG)]
    last = member("inbox/eve/2026-07-28.md", page("https://a.example/p"), cites(AMY))
    flat = lineage([*apart, last])
    assert flat == lineage([merge(apart), last])
    assert flat == lineage([merge([merge(apart[:2]), apart[2]]), last])


def test_of_a_merged_member_without_a_graph_all_notes_are_one() -> None:
    both = member(JAY).model_copy(update={"notes": (JAY, TOM)})
    once, ran = merge([both]), member(AMY, quote=RAN)
    assert (1, 2) == (len(lineage([both]).origins), len(lineage([both, ran]).origins))
    assert lineage([both, ran]) == lineage([once, ran])


def test_a_member_without_a_note_breaks_nothing() -> None:
    nowhere = member(JAY).model_copy(update={"notes": (), "evidence": ()})
    assert (1, 2) == (origins([nowhere]), origins([nowhere, member(TOM)]))


def test_the_lineage_of_nothing_is_empty() -> None:
    assert Lineage(origins=()) == lineage(())
    assert () == by_origin(())


def test_the_cited_member_is_nearest_to_the_origin() -> None:
    early, cited = member("inbox/amy/2026-07-27-0800.md", cites(JAY)), member(JAY)
    ((first, second),) = by_origin((early, cited))
    assert (cited, early) == (first, second)


def test_without_citations_the_earliest_is_nearest() -> None:
    members = (member(TOM, ids=(PAPER,)), member(JAY, ids=(PAPER,)))
    ((first, _),) = by_origin(members)
    assert (JAY,) == first.notes


def test_a_round_up_stands_with_the_first_of_its_origins() -> None:
    one, other = member(JAY, quote=RAN), member(TOM, quote=ALSO_RAN)
    both = member(AMY, cites(JAY), cites(TOM))
    traced = trace((both, other, one))
    assert ((one, both), (other,)) == traced.groups
    assert [(JAY, AMY), (TOM, AMY)] == [origin.notes for origin in traced.lineage.origins]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("inbox/tom/2026-07-26-late.md", "inbox/amy/2026-07-27-0100.md"),
        ("inbox/tom/2026-07-27T0910-a.md", "inbox/amy/2026-07-27-1100-b.md"),
        ("inbox/tom/2026-07-27-1100-a.md", "inbox/amy/2026-07-27-brief.md"),
        ("inbox/tom/2026-07-27.md", "inbox/amy/undated.md"),
    ],
)
def test_earliest_reads_day_and_time_in_the_name(before: str, after: str) -> None:
    assert earliest(member(before)) < earliest(member(after))


def test_the_same_short_sentences_under_two_names_are_one_origin() -> None:
    said = [f"TierKV cuts TTFT by {part} %" for part in (30, 40, 50)]
    assert 1 == origins([member(note, quote=said[0], more=tuple(said[1:])) for note in (JAY, TOM)])


def test_a_large_finding_takes_no_time_to_speak_of() -> None:
    notes = [f"inbox/a{number % 20}/2026-07-27-{number:04}-n.md" for number in range(500)]
    members = [member(note, *([cites(notes[at - 1])] if at % 3 else []), quote=LONG) for at, note in enumerate(notes)]
    began = time.perf_counter()
    assert 1 == origins(members)
    assert 3 > time.perf_counter() - began

import itertools

import pytest

from agent.reconciling.lineage import by_origin, earliest, origins
from agent.records import Credibility, Evidence, Increment, Source

JAY, TOM, AMY = "inbox/jay/2026-07-27-1100-filter.md", "inbox/tom/2026-07-27-1500.md", "inbox/amy/2026-07-27-1600.md"


def member(note: str, *sources: Source, quote: str = "x", ids: tuple[str, ...] = (), origins: int = 1) -> Increment:
    return Increment(
        id="inc-1",
        title="TierKV",
        summary="",
        points=(),
        evidence=(Evidence(note=note, start=0, end=len(quote), quote=quote, line=1),),
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


LONG = "The cache keeps its blocks in three tiers and moves them by reuse distance."


@pytest.mark.parametrize(
    ("expected", "members"),
    [
        (0, ()),
        (1, (member(JAY),)),
        (2, (member(JAY), member(TOM))),
        (1, (member(JAY), member(TOM, cites(JAY)))),
        (1, (member(JAY), member(TOM, cites(JAY)), member(AMY, cites(JAY)))),
        (1, (member(TOM, cites("inbox/x/a.md")), member(AMY, cites("inbox/x/a.md")))),
        (1, (member(JAY, cites(TOM)), member(TOM, cites(AMY)), member(AMY, cites(JAY)))),
        (1, (member(JAY, page("https://www.a.example/p/")), member(TOM, page("http://a.example/p#top")))),
        (2, (member(JAY, page("https://a.example/p?id=1")), member(TOM, page("https://a.example/p?id=2")))),
        (1, (member(JAY, ids=("2607.18141",)), member(TOM, ids=("2607.18141",)))),
        (2, (member(JAY, ids=("2607.18141",)), member(TOM, ids=("2411.18077", "2607.18141")))),
        (1, (member(JAY, ids=("2607.18141",)), member(TOM, Source(label="p", arxiv="2607.18141", resolved=True)))),
        (1, (member(JAY, quote=LONG), member(TOM, quote=LONG.upper()))),
        (1, (member(JAY), member("inbox/jay/2026-07-28.md"))),
        (2, (member(JAY, page("https://a.example/")), member("inbox/jay/2026-07-28.md", page("https://b.example/")))),
        (2, (member(JAY, page("http://[")), member(TOM, page("https://a.example/")))),
        (3, (member(JAY, origins=2), member(TOM))),
        (2, (member(JAY, origins=2), member(TOM, cites(JAY)))),
    ],
)
def test_members_that_rest_on_one_thing_are_one_origin(expected: int, members: tuple[Increment, ...]) -> None:
    assert {expected} == {origins(order) for order in itertools.permutations(members)}


def test_an_unresolved_citation_makes_no_origin_one() -> None:
    """A note that names notes that do not exist gains and loses nothing by it."""
    invented = Source(label="jay and amy confirm", resolved=False)
    assert 2 == origins((member(JAY, invented), member(TOM, invented)))


def test_two_members_that_cite_one_missing_note_are_one_origin() -> None:
    lost = [Source(label=f"inbox/jay/2026-07-27-lost.md {item}", resolved=False) for item in ("条目 6", "item 2")]
    assert 1 == origins([member(note, source) for note, source in zip((JAY, TOM), lost, strict=True)])


def test_the_cited_member_is_nearest_to_the_origin() -> None:
    early, cited = member("inbox/amy/2026-07-27-0800.md", cites(JAY)), member(JAY)
    ((first, second),) = by_origin((early, cited))
    assert (cited, early) == (first, second)


def test_without_citations_the_earliest_is_nearest() -> None:
    members = (member(TOM, ids=("2607.18141",)), member(JAY, ids=("2607.18141",)))
    ((first, _),) = by_origin(members)
    assert (JAY,) == first.notes


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
    def told(note: str) -> Increment:
        short = [
            Evidence(note=note, start=0, end=24, quote=f"TierKV cuts TTFT by {part} %", line=1) for part in (30, 40, 50)
        ]
        return member(note).model_copy(update={"evidence": tuple(short)})

    assert 1 == origins([told(JAY), told(TOM)])

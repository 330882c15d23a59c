"""What a finding rests on: notes that are there, notes that are not, papers, pages."""

from collections.abc import Sequence

from agent.extracting.sources import called, sources_of
from agent.reading.citations import cited_notes
from agent.records import Source
from tests.noting import a_note, knowing

FILTER = "inbox/jay/2026-09-14-1100-filter.md"


def _sources(
    cited: str, *, paths: Sequence[str] = (FILTER,), arxiv_ids: Sequence[str] = (), urls: Sequence[str] = ()
) -> tuple[Source, ...]:
    return sources_of(
        a_note(""),
        cited=cited_notes(cited, agents=["jay", "tom"]),
        arxiv_ids=arxiv_ids,
        urls=urls,
        knowledge=knowing(note_paths=paths),
    )


def test_a_cited_note_that_is_there_is_resolved_to_its_path_with_its_item():
    assert (Source(label="2026-09-14-1100-filter.md 条目 2", note=FILTER, resolved=True),) == _sources(
        f"{FILTER} 条目 2"
    )


def test_a_day_without_a_year_is_one_of_the_notes_year():
    (found,) = _sources("jay 9-14-1100 filter 条目 2")

    assert (FILTER, True) == (found.note, found.resolved)


def test_a_cited_note_that_is_missing_stays_unresolved():
    assert (Source(label="2026-09-13-0900-lost.md", resolved=False),) == _sources("inbox/jay/2026-09-13-0900-lost.md")


def test_a_citation_that_fits_two_notes_is_resolved_to_neither():
    paths = ("inbox/jay/2026-09-14-0900-filter-a.md", "inbox/jay/2026-09-14-1800-filter-b.md")

    (found,) = _sources("jay 9-14 filter 条目 2", paths=paths)

    assert (None, False) == (found.note, found.resolved)


def test_notes_come_before_papers_and_papers_before_pages():
    found = _sources(FILTER, arxiv_ids=["2609.01234"], urls=["https://ring.example/post"])

    assert [FILTER, None, None] == [one.note for one in found]
    assert [None, "2609.01234", None] == [one.arxiv for one in found]
    assert [None, None, "https://ring.example/post"] == [one.url for one in found]
    assert all(one.resolved for one in found)


def test_what_is_named_twice_is_listed_once():
    assert 2 == len(_sources(f"{FILTER} + {FILTER}", arxiv_ids=["2609.01234", "2609.01234"]))


def test_nothing_cited_is_no_source():
    assert () == _sources("没有出处")


def test_pages_are_called_by_the_notes_words_for_them():
    page = Source(label="https://a.example/p", url="https://a.example/p", resolved=True)
    paper = Source(label="arXiv:2609.90001", arxiv="2609.90001", resolved=True)
    assert ["project page", "arXiv:2609.90001"] == [
        one.label for one in called((page, paper), {"https://a.example/p": "project page", "https://b.example": "x"})
    ]

"""What a note cannot have seen yet."""

import dataclasses

import pytest

from agent.checking.dates import disputes
from agent.checking.dispute import Dispute, Hand
from tests.noting import a_note, segments_of

CHECKED = "## Sources checked\n\n- "


def found(text: str, *note_paths: str, is_document: bool = False, is_named: bool = True) -> list[Dispute]:
    note = dataclasses.replace(a_note(text), date_source="name" if is_named else "modified")
    segments = segments_of(text)
    hand = Hand(note=note, segments=segments, agents=("jay", "tom"), note_paths=note_paths, is_document=is_document)
    return list(disputes(hand))


def test_a_month_after_the_notes_is_raised_once_with_all_places():
    text = "## Increment 1: arXiv:2611.90245 caches\n\nPoints:\n\n- arXiv:2611.90245 halves the time\n"
    (dispute,) = found(text)
    assert ("identifier-after-note", "identifier", "arXiv:2611.90245") == (dispute.rule, dispute.kind, dispute.about)
    assert [1, 5] == [side.evidence.line for side in dispute.sides]
    assert {"date": "2026-09-14"} == dispute.details
    assert ("arxiv:2611.90245",) == dispute.key


@pytest.mark.parametrize(
    "text",
    [
        "arXiv:2609.90245 came today",
        "arXiv:2608.90245 came in August",
        "arXiv:2611.90245 的月份还没到，编号待核",
        "arXiv:2611.90245 must be a typo",
    ],
)
def test_what_may_be_there_or_is_doubted_already_is_not_raised(text):
    assert [] == found(text)


def test_a_bare_number_is_a_question_but_for_a_list_of_identifiers():
    assert [True] == [one.is_question for one in found("The paper (2611.90245) halves the time.")]
    listed = "# Brief\n\nx\n\n## arXiv identifiers\n\n- 2608.90245 (caches)\n- 2611.90245 (pages)\n"
    assert [False] == [one.is_question for one in found(listed)]


def test_a_source_of_a_later_day_is_raised():
    (dispute,) = found(f"{CHECKED}inbox/jay/2026-09-17-1100-filter-notes.md: read\n")
    assert "2026-09-17-1100-filter-notes.md" == dispute.about
    assert not dispute.is_question


def test_a_source_of_the_next_day_is_a_question_unless_it_is_there():
    text = f"{CHECKED}inbox/jay/2026-09-15-0010-filter-notes.md: read\n"
    assert [True] == [one.is_question for one in found(text)]
    assert [] == found(text, "inbox/jay/2026-09-15-0010-filter-notes.md")


def test_a_note_whose_day_is_only_its_files_is_held_to_no_source():
    assert [] == found(f"{CHECKED}inbox/jay/2026-09-17-1100-filter-notes.md: read\n", is_named=False)


def test_a_file_that_is_still_to_be_written_is_no_source():
    assert [] == found("## Next\n\nTomorrow: inbox/jay/2026-09-17-1100-filter-notes.md\n")


def test_a_living_document_is_held_to_no_date():
    assert [] == found("arXiv:2611.90245 caches", is_document=True)

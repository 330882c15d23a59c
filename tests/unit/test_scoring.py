"""One extraction against its gold answers: what counts as found, what as wrong."""

from typing import Any

import pytest

from agent.evaluating.figures import Figure
from agent.evaluating.gold import Gold
from agent.evaluating.scoring import language_of, misfits, ruled, score_failure, score_note
from agent.records import ArxivMention, Credibility, Evidence, Increment, Placement, SegmentFailure, ToVerify
from tests.answers import PATH, a_contradiction, an_extraction, an_increment, cited, gold_of

TEXT = "".join(f"line {number:02}\n" for number in range(1, 31))
NOTE = ruled(PATH, TEXT)
TWO = gold_of(
    {"id": "a", "lines": [3, 6]}, {"id": "b", "lines": [8, 12]}, process_notes=[{"id": "p", "lines": [20, 22]}]
)


def _score(gold: Gold, *increments: Increment, **more: Any) -> dict[str, Figure]:
    return score_note(gold, NOTE, an_extraction(*increments, **more))


def _at(*lines: int) -> list[Evidence]:
    return [quote for each in lines for quote in cited(NOTE, (each, each))]


def _numbers(figures: dict[str, Figure], *names: str) -> tuple[float, ...]:
    return tuple(figures[name].part for name in names)


def test_an_increment_belongs_where_most_of_its_lines_lie():
    figures = _score(TWO, an_increment(_at(3, 8, 9)), an_increment(_at(4, 5, 10)))

    assert (2, 0, 0) == _numbers(figures, "increments_recall", "split", "spurious")
    assert (1.0, 1.0, 1.0) == tuple(figures[name].value for name in ("f1", "increments_recall", "increments_precision"))


def test_what_is_found_twice_or_nowhere_or_about_the_relay_counts_as_wrong():
    figures = _score(
        TWO, an_increment(_at(3)), an_increment(_at(5)), an_increment(_at(25)), an_increment(_at(20)), an_increment([])
    )

    assert (1, 1, 2, 1) == _numbers(figures, "increments_recall", "split", "spurious", "process_as_increment")
    assert (1, 5) == (figures["increments_precision"].part, figures["increments_precision"].whole)
    assert (2, 7) == (figures["f1"].part, figures["f1"].whole)


def test_the_order_of_increments_changes_nothing():
    first = an_increment(_at(3, 4), credibility=Credibility(stars=5, basis="other", reason="plain"))
    second = an_increment(_at(5), credibility=Credibility(stars=2, basis="other", reason="plain"))
    gold = gold_of({"id": "a", "lines": [3, 6], "stars": 5})

    assert _score(gold, first, second) == _score(gold, second, first)
    assert 1 == _score(gold, second, first)["stars_exact"].part  # the one that begins first counts


def test_quotes_of_other_notes_are_no_evidence_here():
    other = [quote.model_copy(update={"note": "inbox/jay/x.md", "quote": "no"}) for quote in _at(3)]

    figures = _score(TWO, an_increment(other))

    assert (0, 1, 0) == _numbers(figures, "increments_recall", "spurious", "false_evidence")


def test_a_quote_that_the_note_does_not_have_there_is_false():
    wrong = [quote.model_copy(update={"quote": "line 99"}) for quote in _at(3, 4)]

    assert 2 == _score(TWO, an_increment([*wrong, *_at(5)]))["false_evidence"].part


@pytest.mark.parametrize(("stars", "stated", "right"), [(2, 4, 1), (4, None, 1), (4, 2, 0)])
def test_a_written_rating_goes_before_an_assessed_one(stars, stated, right):
    gold = gold_of({"id": "a", "lines": [3, 6], "stars": 4}, {"id": "b", "lines": [8, 9]})
    rated = an_increment(_at(3), credibility=Credibility(stars=stars, stated=stated, basis="other", reason="plain"))

    figure = _score(gold, rated)["stars_exact"]

    assert (right, 1) == (figure.part, figure.whole)  # b has no rating to be held against


@pytest.mark.parametrize(
    ("document", "section", "right"),
    [
        ("inference.md", "9.2", 1),
        ("organized/knowledge/inference.md", "§9.2「趋势」", 1),
        ("inference.md", "第九节（9.2 趋势）", 1),
        ("inference.md", "9", 0),
        ("agents.md", "9.2", 0),
        ("inference.md", "第四节", 1),
        ("inference.md", "open  Questions", 1),
        ("inference.md", "closed questions", 0),
    ],
)
def test_a_placement_is_right_by_document_and_finest_number_or_by_heading(document, section, right):
    places = [{"doc": "inference.md", "section": each} for each in ("§9.2", "4", "Open questions")]
    gold = gold_of({"id": "a", "lines": [3, 6], "placements": places})
    placed = Placement(
        document=document, section=section, action="append", reason="fits", proposed_by="code", exists=True
    )

    assert right == _score(gold, an_increment(_at(3), placements=[placed]))["placements"].part


def test_relations_and_identifiers_are_held_against_what_is_wanted():
    gold = gold_of(
        {"id": "a", "lines": [3, 6], "relation": "known", "arxiv": ["2607.00001"]},
        {"id": "b", "lines": [8, 12], "arxiv": ["2607.00002", "2607.00003"]},
        arxiv_all=["2607.00001", "2607.00002"],
        arxiv_from_paper_cards=["2607.00004"],
    )
    found = an_increment(_at(3), relation="known", arxiv_ids=["2607.00001", "2607.00009"])
    half = an_increment(_at(8), arxiv_ids=["2607.00002"])
    mentions = [
        ArxivMention(id=each, status="new", notes=(PATH,)) for each in ("2607.00001", "2607.00004", "2607.00009")
    ]

    figures = _score(gold, found, half, arxiv=mentions)

    assert ((1, 1), (1, 2), (1, 2), (2, 3)) == tuple(
        (figures[name].part, figures[name].whole)
        for name in ("relation_exact", "increment_ids", "arxiv_recall", "arxiv_precision")
    )


def test_claims_and_contradictions_are_found_by_the_lines_they_quote():
    gold = gold_of(
        to_verify=[{"id": "w1", "lines": [3, 4]}, {"id": "w2", "lines": [8, 9]}],
        inside_contradictions=[
            {"id": "c1", "kind": "value", "lines": [[3, 3], [9, 9], [20, 20]]},
            {"id": "c2", "kind": "value", "lines": [[3, 3], [12, 12]]},
            {"id": "c3", "kind": "identifier", "lines": [[25, 25]]},
        ],
    )
    claim = ToVerify(claim="So.", question="Is it?", suggestion="Look.", evidence=tuple(_at(4)))
    both, one, half = a_contradiction(*_at(9, 20)), a_contradiction(*_at(25)), a_contradiction(*_at(12))

    figures = _score(gold, to_verify=[claim], contradictions=[both, one, half])

    assert (1, 2, 3) == _numbers(
        figures, "to_verify_recall", "inside_contradictions_recall", "inside_contradictions_reported"
    )


def test_a_note_without_increments_is_kept_empty_or_not():
    empty = gold_of()

    assert (1.0, 0.0) == tuple(
        _score(empty, *found)["notes_without_increments_kept_empty"].value for found in ([], [an_increment(_at(3))])
    )
    assert not _score(TWO)["notes_without_increments_kept_empty"].is_measured


def test_what_was_dropped_and_lost_is_counted():
    lost = SegmentFailure(start=0, end=7, line=1, reason="refused", detail="No.")

    figures = _score(TWO, dropped=["a figure"], segments_failed=[lost])

    assert (1, 1, 0) == _numbers(figures, "dropped", "segments_failed", "notes_scored")


def test_a_note_that_failed_has_found_nothing_and_kept_nothing_empty():
    assert (0, 2) == (score_failure(TWO)["f1"].part, score_failure(TWO)["f1"].whole)
    assert (0, 1) == (
        score_failure(gold_of())["notes_without_increments_kept_empty"].part,
        score_failure(gold_of())["notes_without_increments_kept_empty"].whole,
    )
    assert 0.0 == score_failure(TWO)["notes_scored"].value


def test_lines_are_counted_at_every_kind_of_line_end():
    note = ruled(PATH, "a\r\nb\rc\nd\u2028e")

    assert 4 == len(note.starts)
    assert note.touches(cited(note, (2, 2))[0], (2, 2))
    assert not note.touches(cited(note, (2, 2))[0], (3, 4))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("用 vLLM 解码更快了", "zh"),
        ("vLLM decodes faster (解码)", "en"),
        ("SGLang v0.6.2 吞吐 4,120 tok/s", "en"),
    ],
)
def test_a_notes_language_is_that_of_most_of_its_words(text, language):
    assert language == language_of(text)


def test_gold_answers_that_do_not_fit_the_note_are_named():
    gold = gold_of(
        {"id": "a", "lines": [3, 3], "key": "line 03"},
        {"id": "b", "lines": [4, 4], "key": "line 03"},
        {"id": "c", "lines": [30, 32]},
        {"id": "d", "lines": [30, 31]},
    )

    assert (
        "'b' has the key 'line 03', which does not stand in its lines.",
        "'c' ends in line 32, and the note has 31.",
    ) == misfits(gold, NOTE)

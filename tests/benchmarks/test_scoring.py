"""The rule by which a benchmark counts."""

import pytest

from tests.benchmarks.scoring import Gold, Score, lines_of, read_gold, score

TEXT = "title\n\nfirst finding\nits figure\n\nsecond finding\n\nleads\n"
GOLD = Gold("inbox/a/n.md", ((3, 4), (6, 6)))


def _span(words: str) -> tuple[int, int]:
    return TEXT.index(words), TEXT.index(words) + len(words)


@pytest.mark.parametrize(
    ("predictions", "counted"),
    [
        ([["first finding"], ["second finding"]], Score(gold=2, predicted=2, found=2)),
        ([["first finding"], ["its figure"]], Score(gold=2, predicted=2, found=1, splits=1)),
        ([["first finding"], ["leads"]], Score(gold=2, predicted=2, found=1)),
        ([["first finding", "its figure", "leads"]], Score(gold=2, predicted=1, found=1)),
        ([["first finding", "leads"]], Score(gold=2, predicted=1)),
        ([["first finding", "second finding", "leads"]], Score(gold=2, predicted=1)),
        ([[]], Score(gold=2, predicted=1, unplaced=1)),
        ([], Score(gold=2)),
    ],
)
def test_a_prediction_lies_where_most_of_its_lines_are(predictions, counted):
    spans = [[_span(words) for words in one] for one in predictions]

    assert counted == score(TEXT, GOLD, spans)


def test_splits_and_false_predictions_count_against_precision_alike():
    split, false = Score(gold=2, predicted=4, found=2, splits=2), Score(gold=2, predicted=4, found=2)

    assert [0.5, 0.5] == [split.precision, false.precision]
    assert [0, 2] == [split.false, false.false]
    assert 1.0 == split.recall


def test_saying_nothing_is_right_only_where_there_is_nothing():
    assert [(0.0, 0.0), (1.0, 1.0)] == [(one.recall, one.precision) for one in (Score(gold=2), Score())]


def test_scores_of_notes_add_up():
    one = Score(gold=2, predicted=3, found=1, splits=1, unplaced=1)

    assert Score(gold=4, predicted=6, found=2, splits=2, unplaced=2) == sum((one, one), Score())


def test_a_span_that_ends_with_its_line_does_not_touch_the_next():
    assert {1} == lines_of("one\ntwo\n", [(0, 4)])
    assert {1, 2} == lines_of("one\ntwo\n", [(2, 5)])
    assert set() == lines_of("one\n", [(2, 2)])


def test_answers_about_several_notes_are_passed_over(tmp_path):
    (tmp_path / "a.yaml").write_text(
        "note: inbox/a/n.md\nincrements:\n  - {id: x, lines: [3, 4]}\n  - {lines: [6, 6]}\n"
    )
    (tmp_path / "pair.yaml").write_text("same: []\n")

    assert [GOLD] == read_gold(tmp_path)

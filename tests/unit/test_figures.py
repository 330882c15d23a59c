"""Figures are counts and shares that add up."""

import pytest
from pydantic import ValidationError

from agent.evaluating.figures import MEANINGS, Figure, count, share, spent, summed
from agent.records import Usage


def test_a_share_is_part_by_whole_and_one_where_nothing_is_to_be_found():
    assert (0.6667, 2, 3, True) == (share(2, 3).value, share(2, 3).part, share(2, 3).whole, share(2, 3).is_measured)
    assert (1.0, False) == (share(0, 0).value, share(0, 0).is_measured)
    assert (3, None, True) == (count(3).value, count(3).whole, count(3).is_measured)


def test_totals_are_sums_of_counts_and_no_means_of_shares():
    total = summed(
        [{"f1": share(1, 1), "split": count(1)}, {"f1": share(0, 9), "split": count(2)}, {"calls": count(4)}]
    )

    assert {"f1": share(1, 10), "split": count(3), "calls": count(4)} == total


def test_seconds_add_up_to_milliseconds():
    assert 0.3 == summed([{"seconds": count(0.1)}, {"seconds": count(0.2)}])["seconds"].part


def test_what_was_spent_becomes_figures_that_are_costs():
    figures = spent(Usage(calls=2, prompt_tokens=100, completion_tokens=20), seconds=1.23456)

    assert (2, 100, 20, 1.235) == tuple(
        figures[name].part for name in ("calls", "prompt_tokens", "completion_tokens", "seconds")
    )
    assert set(figures) == {name for name, meaning in MEANINGS.items() if meaning.is_cost}


def test_nothing_adds_up_to_nothing():
    assert {} == summed([])


@pytest.mark.parametrize("part", ["NaN", "Infinity", "-1", "1e300", "1" * 400])
def test_a_figure_from_a_file_is_a_number_that_can_be_shown(part):
    with pytest.raises(ValidationError):
        Figure.model_validate_json(f'{{"value": {part}, "part": {part}, "whole": null}}')

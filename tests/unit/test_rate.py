"""The rubric gives the same stars for the same parts, and says where they come from."""

import dataclasses

import pytest

from agent.extracting.rate import RatingParts, rate

PAPER = RatingParts(
    source_kind="paper",
    measured_by="author",
    conditions_given="yes",
    primary_source=True,
    commercial_interest=False,
    reproducible=False,
)


@pytest.mark.parametrize(
    ("stars", "changes"),
    [
        (4, {}),
        (5, {"measured_by": "independent"}),
        (5, {"reproducible": True}),
        (4, {"conditions_given": "partly"}),
        (3, {"conditions_given": "no"}),
        (4, {"measured_by": "nobody", "conditions_given": "no"}),
        (4, {"measured_by": "vendor"}),
        (3, {"measured_by": "vendor", "commercial_interest": True}),
        (3, {"primary_source": False}),
        (2, {"source_kind": "blog", "primary_source": False}),
        (1, {"source_kind": "blog", "primary_source": False, "measured_by": "vendor", "conditions_given": "no"}),
    ],
)
def test_each_part_moves_the_stars_as_the_table_says(stars: int, changes: dict[str, object]) -> None:
    rated = rate(dataclasses.replace(PAPER, **changes), stated=None, reason="", language="en")  # type: ignore[arg-type]

    assert stars == rated.stars
    assert rated.stated is None


def test_stars_never_lie_more_than_one_above_what_the_note_states() -> None:
    rated = rate(dataclasses.replace(PAPER, measured_by="independent"), stated=2, reason="", language="en")

    assert (3, 2) == (rated.stars, rated.stated)
    assert "Held to one star above the note's own rating." in rated.cautions


def test_a_low_assessment_is_kept_below_a_high_statement() -> None:
    rated = rate(
        dataclasses.replace(PAPER, source_kind="news", primary_source=False), stated=5, reason="", language="en"
    )

    assert (2, 5) == (rated.stars, rated.stated)


def test_cautions_name_what_is_missing_and_quote_the_notes_own_warning() -> None:
    parts = dataclasses.replace(PAPER, measured_by="vendor", conditions_given="no", primary_source=False)

    rated = rate(parts, stated=None, reason="r", warnings=("batch size unknown",), language="en")

    assert (
        "The figures are the vendor's own.",
        "The conditions of the measurement are not given.",
        "No primary source is named.",
        "The note itself warns: batch size unknown",
    ) == rated.cautions


def test_basis_lists_every_part_in_the_language_asked_for() -> None:
    assert (
        "paper · measured by its authors · conditions given · primary source named"
        == rate(PAPER, stated=None, reason="", language="en").basis
    )
    assert "论文 · 作者自测 · 条件齐全 · 有一手来源" == rate(PAPER, stated=None, reason="", language="zh").basis

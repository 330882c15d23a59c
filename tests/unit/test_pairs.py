"""Merged increments of several notes against their gold answers."""

import datetime as dt
from typing import Any

from agent.evaluating.figures import Figure
from agent.evaluating.gold import Gold, PairGold
from agent.evaluating.pairs import score_pair
from agent.evaluating.scoring import Ruled, ruled
from agent.records import Contradiction, Evidence, Increment
from tests.answers import a_contradiction, an_increment, cited

TEXT = "".join(f"line {number:02}\n" for number in range(1, 31))


def _note(agent: str, name: str = "a.md") -> tuple[Gold, Ruled]:
    path = f"inbox/{agent}/{name}"
    prefix = agent + name[:1]
    increments = [{"id": f"{prefix}-1", "lines": [3, 6]}, {"id": f"{prefix}-2", "lines": [8, 12]}]
    gold = {"note": path, "agent": agent, "date": dt.date(2026, 9, 14), "increments": increments, "arxiv_all": []}
    return Gold.model_validate(gold), ruled(path, TEXT)


TOM, SPARK, LATER = _note("tom"), _note("spark"), _note("tom", "b.md")


def _at(reading: tuple[Gold, Ruled], *lines: int) -> list[Evidence]:
    return [quote for each in lines for quote in cited(reading[1], (each, each))]


def _score(pair: dict[str, Any], *increments: Increment, found: tuple[Contradiction, ...] = ()) -> dict[str, Figure]:
    gold = PairGold.model_validate({"notes": ["tom.yaml", "spark.yaml"], **pair})
    return score_pair(gold, [TOM, SPARK, LATER], increments=increments, contradictions=found)


def test_one_finding_of_two_notes_is_merged_and_two_findings_are_not():
    pair = {
        "same": [["toma-1", "sparka-1"], ["toma-2", "sparka-2"]],
        "apart": [["toma-1", "toma-2"], ["toma-1", "sparka-2"]],
    }

    figures = _score(
        pair,
        an_increment([*_at(TOM, 3), *_at(SPARK, 4)]),
        an_increment(_at(TOM, 8)),
        an_increment([*_at(SPARK, 9), *_at(TOM, 5)]),
    )

    assert ((1, 2), 1) == ((figures["merged_same"].part, figures["merged_same"].whole), figures["wrongly_merged"].part)
    assert ((4, 6), 3) == (
        (figures["digest_recall"].part, figures["digest_recall"].whole),
        figures["digest_increments"].part,
    )


def test_a_stray_quote_does_not_make_an_increment_hold_another():
    held = an_increment(_at(TOM, 3, 4, 5, 8))  # a quarter of it lies in the second

    figures = _score({"apart": [["toma-1", "toma-2"]]}, held)

    assert (0, 1) == (figures["wrongly_merged"].part, figures["digest_recall"].part)


def test_origins_are_right_or_not():
    pair = {"independent_origins": {"toma-1": 1, "toma-2": 2, "sparka-1": 1}}

    figures = _score(pair, an_increment(_at(TOM, 3), origins=1), an_increment(_at(TOM, 8), origins=1))

    assert (1, 3) == (figures["origins_exact"].part, figures["origins_exact"].whole)


def test_a_contradiction_between_notes_quotes_each_of_them():
    pair = {"contradictions": [{"id": "c", "kind": "value", "lines": {"tom": [[3, 3], [9, 9]], "spark": [[4, 4]]}}]}
    both = a_contradiction(*_at(TOM, 9), *_at(SPARK, 4))
    one = a_contradiction(*_at(TOM, 3, 9))
    later = a_contradiction(*_at(LATER, 3), *_at(SPARK, 4))  # the agent's first listed note is meant

    assert 1 == _score(pair, found=(one, both))["cross_contradictions_recall"].part
    assert 0 == _score(pair, found=(one, later))["cross_contradictions_recall"].part
    assert 2 == _score(pair, found=(one, later))["digest_contradictions"].part


def test_quotes_that_no_note_has_there_are_false():
    wrong = [quote.model_copy(update={"quote": "no"}) for quote in (*_at(TOM, 3), *_at(SPARK, 4))]

    assert 2 == _score({}, an_increment(wrong))["digest_false_evidence"].part

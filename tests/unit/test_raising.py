"""Disputes become contradictions: one question for each pair, whoever takes a side, in either language."""

from dataclasses import replace
from itertools import permutations
from typing import get_args

import pytest

from agent.checking.dispute import Dispute, Rule, Stated
from agent.checking.phrases import PHRASES
from agent.checking.raising import fingerprint, raise_all
from agent.records import Evidence

JAY, TOM = "inbox/jay/2026-09-14-a.md", "inbox/tom/2026-09-14-b.md"


def _said(says: str, note: str = JAY, start: int = 0) -> Stated:
    return Stated(says, Evidence(note=note, start=start, end=start + 5, quote="quote", line=1 + start // 10))


def _versions(*sides: Stated) -> Dispute:
    return Dispute("newest-version", "version", about="vLLM", key=("vllm", "0.25.1", "0.26.0"), sides=sides)


def test_a_contradiction_quotes_both_sides_and_says_what_would_settle_it():
    (raised,) = raise_all([_versions(_said("vLLM 0.25.1"), _said("vLLM 0.26.0", TOM))], language="en").contradictions

    assert [("vLLM 0.25.1", JAY), ("vLLM 0.26.0", TOM)] == [(side.says, side.note) for side in raised.sides]
    assert "vLLM: different newest versions: vLLM 0.25.1 ↔ vLLM 0.26.0." == raised.statement
    assert "Look at the project's release page." == raised.settle


def test_further_places_that_take_a_side_are_affected_and_no_new_question():
    dispute = _versions(_said("vLLM 0.25.1"), _said("vLLM 0.25.1", start=90), _said("vLLM 0.26.0", TOM))

    (raised,) = raise_all([dispute, dispute], language="zh").contradictions

    assert 2 == len(raised.sides)
    assert [(JAY, 90)] == [(place.note, place.start) for place in raised.also_affects]


def test_the_order_of_disputes_and_sides_changes_nothing():
    sides = (_said("vLLM 0.25.1"), _said("vLLM 0.26.0", TOM), _said("vLLM 0.26.0", TOM, start=40))
    ratio = Dispute("ratio", "arithmetic", "x", ("1", "2"), (_said("2×"),), details={"stated": "2×", "expected": "3"})

    results = {
        repr(raise_all(order, language="en"))
        for one in permutations(sides)
        for order in permutations((_versions(*one), ratio))
    }

    assert 1 == len(results)


def test_a_fingerprint_knows_what_is_disputed_and_not_where():
    here, there = _versions(_said("vLLM 0.25.1")), _versions(_said("vLLM V0.25.1", TOM, start=70))

    assert fingerprint(here) == fingerprint(there)
    assert fingerprint(here) != fingerprint(replace(here, key=("vllm", "0.25.1", "0.27.0")))
    assert fingerprint(here) != fingerprint(replace(here, rule="model"))


def test_what_nobody_can_compare_becomes_a_claim_to_verify():
    dispute = replace(_versions(_said("40 ms"), _said("55 ms", TOM)), rule="value-conditions", is_question=True)

    raised = raise_all([dispute], language="en")

    assert () == raised.contradictions
    assert ["value-conditions"] == [one.found_by for one in raised.to_verify]
    assert [JAY, TOM] == [place.note for place in raised.to_verify[0].evidence]


def test_the_gravest_come_first():
    grave = replace(_versions(_said("a")), key=("other",), severity="high")

    raised = raise_all([_versions(_said("b")), grave], language="en").contradictions

    assert ["high", "medium"] == [one.severity for one in raised]


def test_braces_in_what_a_note_says_are_text():
    (raised,) = raise_all([replace(_versions(_said("{about}{0}")), about="{sides}")], language="en").contradictions

    assert "{about}{0}" in raised.statement
    assert raised.statement.startswith("{sides}: ")


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("rule", get_args(Rule))
def test_every_rule_has_its_words_in_both_languages(language, rule):
    phrase = PHRASES[language][rule]

    assert phrase.settle
    assert "{about}" in phrase.statement
    assert "{sides}" in phrase.statement

"""Scores how the increments of several notes were brought together, against gold answers.

A merged increment holds a gold increment when at least three tenths of its quotes from that note lie in it.
Promises: the order of increments and contradictions changes nothing.
"""

from collections.abc import Sequence

from agent.evaluating.figures import Figure, count, share
from agent.evaluating.gold import Gold, PairContradiction, PairGold
from agent.evaluating.scoring import OUTSIDE, Ruled, false_evidence, names_passages, passages_hit
from agent.records import Contradiction, Increment

_HELD = 0.3

GoldNote = tuple[Gold, Ruled]
"""The gold answers of a note, and the note."""


def score_pair(
    pair: PairGold,
    readings: Sequence[GoldNote],
    *,
    increments: Sequence[Increment],
    contradictions: Sequence[Contradiction],
) -> dict[str, Figure]:
    """Score the merged increments of several notes and the contradictions between them.

    Args:
        pair: the gold answers.
        readings: the notes with their own gold answers, in the order that the pair lists them.
        increments: what came of merging.
        contradictions: those between the notes, and within them.
    """
    held = [_held(increment, readings) for increment in increments]
    wanted = [one.id for gold, _ in readings for one in gold.increments]
    origins = [
        any(name in names and one.origins == number for names, one in zip(held, increments, strict=True))
        for name, number in pair.independent_origins.items()
    ]
    crossed = [any(_is_named(one, readings, found) for found in contradictions) for one in pair.contradictions]
    return {
        "digest_recall": share(len(frozenset().union(*held) & set(wanted)), len(wanted)),
        "digest_increments": count(len(increments)),
        "merged_same": share(sum(_are_together(two, held) for two in pair.same), len(pair.same)),
        "wrongly_merged": count(sum(_are_together(two, held) for two in pair.apart)),
        "origins_exact": share(sum(origins), len(origins)),
        "cross_contradictions_recall": share(sum(crossed), len(crossed)),
        "digest_contradictions": count(len(contradictions)),
        "digest_false_evidence": count(sum(false_evidence(note, increments) for _, note in readings)),
    }


def _held(increment: Increment, readings: Sequence[GoldNote]) -> frozenset[str]:
    names: set[str] = set()
    for gold, note in readings:
        hits = passages_hit(gold, note, increment)
        names |= {name for name, number in hits.items() if name != OUTSIDE and number >= _HELD * hits.total()}
    return frozenset(names)


def _are_together(two: tuple[str, str], held: Sequence[frozenset[str]]) -> bool:
    return any(set(two) <= names for names in held)


def _is_named(wanted: PairContradiction, readings: Sequence[GoldNote], found: Contradiction) -> bool:
    """Whether a contradiction quotes a passage of each agent's note."""
    firsts = {gold.agent: note for gold, note in reversed(readings)}
    return all(names_passages(firsts[agent], found.sides, lines) > 0 for agent, lines in wanted.lines.items())

"""Brings the increments together that tell one finding, and names those that are about one thing and stay apart.

Pairs worth deciding on come from `blocking`, what they are to each other from `decide`; what rules leave unclear somebody may have
judged. The pairs that are most surely one finding are united first; a union is refused when two of its members are kept apart,
complement or contradict each other.

Promises: the order of the increments changes nothing; two increments of one note never meet; no two that are kept apart end in
one cluster by way of a third; matching what was matched changes nothing.
"""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from agent.reconciling.apart import difference_of
from agent.reconciling.blocking import candidates
from agent.reconciling.decide import Decision, Verdict, decide_traits
from agent.reconciling.traits import Traits, read_traits
from agent.records import Increment, Tie

_TIES: dict[Verdict, Tie] = {"complementary": "complements", "contradicting": "contradicts"}


@dataclass(frozen=True, slots=True)
class Matched:
    """What increments are to each other, by their indexes.

    Attributes:
        clusters: those that tell one finding; each ascending, ordered by their first. Every index is in exactly one.
        ties: pairs that are about one thing and stay apart, with what keeps them apart.
        unclear: pairs that rules cannot tell, and that nobody has judged; they stay apart.
    """

    clusters: tuple[tuple[int, ...], ...]
    ties: tuple[tuple[int, int, Tie, str], ...] = ()
    unclear: tuple[tuple[int, int], ...] = ()


def match(increments: Sequence[Increment], judged: Mapping[frozenset[str], Verdict] | None = None) -> Matched:
    """Find which increments tell one finding.

    Args:
        increments: of any number of notes.
        judged: what somebody who read both sides said of unclear pairs, by the ids of the two increments. Rules that keep two
            increments apart are not overruled.
    """
    with uncollected():
        traits = [read_traits(increment) for increment in increments]
        decided = _decided(increments, traits, judged or {})
        clusters = _Clusters(traits, decided).united()
    cluster_of = {index: number for number, cluster in enumerate(clusters) for index in cluster}
    between = sorted(pair for pair in decided if cluster_of[pair[0]] != cluster_of[pair[1]])
    return Matched(
        clusters,
        tuple(
            (*pair, _TIES[decided[pair].verdict], decided[pair].because)
            for pair in between
            if decided[pair].verdict in _TIES
        ),
        tuple(pair for pair in between if decided[pair].verdict == "unclear"),
    )


def _decided(
    increments: Sequence[Increment], traits: Sequence[Traits], judged: Mapping[frozenset[str], Verdict]
) -> dict[tuple[int, int], Decision]:
    """Decide on all pairs worth it; what is unrelated is left out."""
    decided: dict[tuple[int, int], Decision] = {}
    for one, other in candidates(traits):
        decision = decide_traits(traits[one], traits[other])
        if decision.verdict == "unclear":
            said = judged.get(frozenset((increments[one].id, increments[other].id)), "unclear")
            decision = Decision(said, "judged" if said != "unclear" else decision.because, decision.score)
        if decision.verdict != "unrelated":
            decided[one, other] = decision
    return decided


@contextmanager
def uncollected() -> Iterator[None]:
    """Do not look for rings of dead objects meanwhile: matching makes none, and the search took a third of its time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def same_finding(increments: Sequence[Increment]) -> tuple[tuple[int, ...], ...]:
    """Group increments that tell the same finding.

    Returns:
        Clusters of indexes into `increments`, each ascending, ordered by their first index. Every index is in exactly
        one cluster, alone where nothing matches.
    """
    return match(increments).clusters


class _Clusters:
    """Indexes that belong together."""

    def __init__(self, traits: Sequence[Traits], decided: Mapping[tuple[int, int], Decision]) -> None:
        self._traits = traits
        self._decided = decided
        self._members = {index: [index] for index in range(len(traits))}
        self._notes = [set(one.notes) for one in traits]
        self._apart: dict[tuple[int, int], bool] = {}

    def united(self) -> tuple[tuple[int, ...], ...]:
        """Unite the pairs, best first, unless two members of the united cluster are kept apart."""
        same = [pair for pair, decision in self._decided.items() if decision.verdict == "same"]
        for one, other in sorted(same, key=self._order):
            self._unite(one, other)
        return tuple(sorted({tuple(sorted(members)) for members in self._members.values()}))

    def _order(self, pair: tuple[int, int]) -> tuple[float, list[object]]:
        keys = sorted(self._traits[index].key for index in pair)
        return -self._decided[pair].score, [*keys]

    def _unite(self, one: int, other: int) -> None:
        mine, theirs = self._members[one], self._members[other]
        if mine is theirs or not self._notes[mine[0]].isdisjoint(self._notes[theirs[0]]):
            return
        if any(self._are_apart(a, b) for a in mine for b in theirs):
            return
        self._notes[mine[0]] |= self._notes[theirs[0]]
        mine += theirs
        self._members.update(dict.fromkeys(theirs, mine))

    def _are_apart(self, one: int, other: int) -> bool:
        pair = min(one, other), max(one, other)
        if pair in self._decided:
            return self._decided[pair].verdict in _TIES
        if pair not in self._apart:
            self._apart[pair] = difference_of(self._traits[one], self._traits[other]) is not None
        return self._apart[pair]

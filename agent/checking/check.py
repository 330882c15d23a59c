"""Holds a text against itself, and claims against claims: the one place that knows all rules.

A rule module offers `claims`, `compare` and `disputes`, whichever it has. Claims are compared within small blocks, never all
with all: those about one subject that share what is said of it, or the value. Statements that a text only reports, rejects
or asks about are held against nothing.

Promises: pure; the order of the claims changes nothing; a block of any size costs a bounded number of comparisons.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product

from agent.checking import (
    absences,
    counts,
    dates,
    headed,
    measured,
    mixed,
    novelty,
    numbering,
    ranked,
    ratios,
    roles,
    several,
    sourcing,
    undermined,
    versions,
)
from agent.checking.dispute import Dispute, Hand, as_stated
from agent.records import Claim, ClaimKind

_POSITIONS = 24  # different things said of one subject that are all compared
_TRIED = 3  # places of a position that are held against those of another, until two of them disagree
_NEIGHBOURS = 12  # of more, those that are near in value

_NUMBER = re.compile(r"\d{1,15}(?:\.\d{1,9})?")

_Position = tuple[Hashable, ...]

_READERS: tuple[Callable[[Hand], Iterator[Claim]], ...] = (
    measured.claims,
    headed.claims,
    versions.claims,
    novelty.claims,
    roles.claims,
    numbering.claims,
    absences.claims,
)
_COMPARERS: dict[ClaimKind, Callable[[Claim, Claim], Dispute | None]] = {
    "measure": measured.compare,
    "version": versions.compare,
    "novelty": novelty.compare,
    "role": roles.compare,
    "register": numbering.compare,
}
_INSIDE: tuple[Callable[[Hand], Iterator[Dispute]], ...] = (
    ratios.disputes,
    several.disputes,
    mixed.disputes,
    ranked.disputes,
    undermined.disputes,
    sourcing.disputes,
    dates.disputes,
    counts.disputes,
    numbering.disputes,
)


def claims_of(hand: Hand) -> tuple[Claim, ...]:
    """Return what a text states that other statements can be held against, in the order of the text."""
    found = [claim for read in _READERS for claim in read(hand)]
    return tuple(sorted(found, key=lambda one: (one.evidence.start, one.kind, one.subject, one.attribute, one.value)))


def disputes_in(hand: Hand, claims: Sequence[Claim]) -> tuple[Dispute, ...]:
    """Return what a text says against itself; `claims` are its own."""
    return (*(found for rule in _INSIDE for found in rule(hand)), *compare_all(claims))


def _always(*_: Claim) -> bool:
    return True


def compare_all(claims: Iterable[Claim], *, may_meet: Callable[[Claim, Claim], bool] = _always) -> tuple[Dispute, ...]:
    """Hold claims against each other; of those that say the same, one is compared and the others are named with it.

    Args:
        claims: those that a text holds itself; others are passed over.
        may_meet: whether two claims are to be compared at all, such as those of two texts.
    """
    blocks: dict[tuple[str, ...], dict[_Position, list[Claim]]] = defaultdict(lambda: defaultdict(list))
    for claim in claims:
        if claim.stance != "held" or claim.kind not in _COMPARERS:
            continue
        for shared in (("attribute", claim.attribute), ("value", claim.value)):
            blocks[claim.kind, claim.subject, *shared][_position(claim)].append(claim)
    found: dict[frozenset[_Position], Dispute] = {}
    for block in blocks.values():
        for pair in _pairs(sorted(block, key=_rank)):
            if frozenset(pair) not in found and (dispute := _dispute(block[pair[0]], block[pair[1]], may_meet)):
                found[frozenset(pair)] = dispute
    return tuple(_grouped(found))


def _grouped(found: Mapping[frozenset[_Position], Dispute]) -> Iterator[Dispute]:
    """Make one question of disputes that share a position: who says 0.6, 0.9 and 1.4 of one thing disagree once, not thrice."""
    group_of: dict[_Position, set[frozenset[_Position]]] = {}
    for pair in sorted(found, key=lambda pair: sorted(map(repr, pair))):
        one, other = pair
        kind = found[pair].is_question
        joined = {pair}.union(*(group_of.get((kind, *position), ()) for position in (one, other)))
        for position in {position for each in joined for position in each}:
            group_of[kind, *position] = joined
    for group in {id(group): group for group in group_of.values()}.values():
        disputes = [found[pair] for pair in sorted(group, key=lambda pair: sorted(map(repr, pair)))]
        first = disputes[0]
        if len(disputes) == 1:
            yield first
            continue
        key = dict.fromkeys(part for one in disputes for part in one.key)
        sides = dict.fromkeys(side for one in disputes for side in one.sides)
        yield replace(first, key=(*sorted(key),), sides=tuple(sides))


def _position(claim: Claim) -> _Position:
    """What makes two claims say the same under the same conditions."""
    measure = claim.measure
    given = (measure.version, measure.baseline, *sorted(measure.conditions.items())) if measure else ()
    return (claim.kind, claim.subject, claim.attribute, claim.value, *given)


def _rank(position: _Position) -> tuple[float, str]:
    """By value, so that near ones are neighbours."""
    number = _NUMBER.search(str(position[3]))
    return float(number[0]) if number else 0.0, repr(position)


def _pairs(positions: Sequence[_Position]) -> Iterator[tuple[_Position, _Position]]:
    if len(positions) <= _POSITIONS:
        yield from combinations(positions, 2)
        return
    for place, one in enumerate(positions):
        for other in positions[place + 1 : place + 1 + _NEIGHBOURS]:
            yield one, other


def _dispute(
    mine: Sequence[Claim], theirs: Sequence[Claim], may_meet: Callable[[Claim, Claim], bool]
) -> Dispute | None:
    """The dispute between two positions, with every place that takes either; a few places of each are tried."""
    for one, other in product(mine[:_TRIED], theirs[:_TRIED]):
        dispute = _COMPARERS[one.kind](one, other) if may_meet(one, other) else None
        if dispute is not None:
            others = [as_stated(claim) for claim in (*mine, *theirs) if claim is not one and claim is not other]
            return replace(dispute, sides=(*dispute.sides, *others))
    return None

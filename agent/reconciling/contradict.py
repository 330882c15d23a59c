"""Holds the notes against each other, against the living documents and against earlier digests.

Each note was held against itself when it was extracted. Here its claims meet those of others; two living documents are not
held against each other, and what naturally moves on (versions, novelty, who delivered) is not held against earlier days.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from agent.checking.absences import Present, refuted
from agent.checking.check import claims_of, compare_all
from agent.checking.dispute import Dispute, Hand, Rule, Stated
from agent.reading.names import parse_note_name
from agent.reading.segments import split_segments
from agent.reading.showing import plain
from agent.reading.units import split_units
from agent.reconciling.retold import disputes_retold, is_explained, is_of_other_times
from agent.reconciling.telling import passages, telling, to_be_asked
from agent.reconciling.traits import read_traits
from agent.reconciling.turned import have_other_causes
from agent.records import Claim, ClaimKind, Contradiction, ContradictionKind, Extraction, Increment
from agent.texts import LivingDocument, Note

LASTING: frozenset[ClaimKind] = frozenset({"measure", "role", "register"})  # held against later days
# What keeps two findings apart, and what that makes of them.
_APART: dict[str, tuple[Rule, ContradictionKind]] = {
    "negation": ("denied", "value"),
    "direction": ("denied", "value"),
    "value": ("value", "value"),
    "number": ("value", "value"),
    "unit": ("unit", "unit"),
    "role": ("order-swapped", "role"),
}

_FIGURES = frozenset({"value", "number"})
_LONG_AGO = dt.date.min  # of a document that says nothing of its last update

Tied = tuple[Increment, Increment, str]  # two findings that contradict each other, and what keeps them apart


def document_claims(documents: Iterable[LivingDocument]) -> tuple[Claim, ...]:
    """Return what living documents state that a note can be held against."""
    return tuple(claim for document in documents for claim in claims_of(_in_hand(document)))


def disputes_across(
    extractions: Sequence[Extraction], *, standing: Sequence[Claim] = (), earlier: Sequence[Claim] = ()
) -> tuple[Dispute, ...]:
    """Return what notes say against each other, against living documents and against earlier days.

    Args:
        extractions: one for each note.
        standing: claims of the living documents.
        earlier: claims of notes that earlier digests rested on.
    """
    now = [claim for extraction in extractions for claim in extraction.claims]
    read = {extraction.note for extraction in extractions}
    before = [claim for claim in earlier if claim.kind in LASTING and claim.evidence.note not in read]

    def may_meet(one: Claim, other: Claim) -> bool:
        places = one.evidence.note, other.evidence.note
        return places[0] != places[1] and not read.isdisjoint(places)

    claimed = compare_all((*now, *standing, *before), may_meet=may_meet)
    retold = disputes_retold(extractions)
    return (*claimed, *_not_told(retold, claimed), *_refuted(extractions))


def disputes_tied(tied: Iterable[Tied], *, known: Iterable[Dispute]) -> Iterator[Dispute]:
    """Yield a dispute for findings that contradict each other as a whole, where none of their claims was disputed already."""
    disputed: dict[ContradictionKind, list[frozenset[tuple[str, int]]]] = defaultdict(list)
    for dispute in known:
        disputed[dispute.kind].append(frozenset((side.evidence.note, side.evidence.start) for side in dispute.sides))
    for one, other, because in tied:
        if (because in _FIGURES and is_explained(one, other)) or (because == "unit" and is_of_other_times(one, other)):
            continue
        if because == "negation" and have_other_causes(*(read_traits(each).texts for each in (one, other))):
            continue
        rule, kind = _APART.get(because, ("model", "value"))
        if any(_is_told((one, other), sides) for sides in disputed[kind]):
            continue
        sides = tuple(Stated(plain(place.quote), place) for place in telling(one, other, because))
        if sides:
            key = tuple(sorted(" ".join(each.title.casefold().split()) for each in (one, other)))
            yield Dispute(rule, kind, about=one.title, key=key, sides=sides, severity="high")


def questions_tied(tied: Iterable[Tied]) -> Iterator[Dispute]:
    """Yield what should be asked of findings about one thing that give other figures for one metric, as nobody says why."""
    for one, other, because in tied:
        if because not in _FIGURES or is_of_other_times(one, other):
            continue
        if question := to_be_asked(one, other):
            yield question


def _not_told(retold: Iterable[Dispute], claimed: Iterable[Dispute]) -> Iterator[Dispute]:
    """Leave out what claims dispute already."""
    places = {(dispute.kind, side.evidence.note, side.evidence.start) for dispute in claimed for side in dispute.sides}
    for dispute in retold:
        if not any((dispute.kind, side.evidence.note, side.evidence.start) in places for side in dispute.sides):
            yield dispute


def without_answered(disputes: Iterable[Dispute]) -> Iterator[Dispute]:
    """Yield all disputes but questions about places that a contradiction holds against each other already."""
    all_of_them = tuple(disputes)
    raised = [_sides(one) for one in all_of_them if not one.is_question]
    having: dict[tuple[str, int], set[int]] = defaultdict(set)
    for number, sides in enumerate(raised):
        for side in sides:
            having[side].add(number)
    for one in all_of_them:
        if not one.is_question or not set.intersection(*(having[side] for side in _sides(one))):
            yield one


def _sides(dispute: Dispute) -> frozenset[tuple[str, int]]:
    return frozenset((side.evidence.note, side.evidence.start) for side in dispute.sides)


def _is_told(pair: Sequence[Increment], sides: frozenset[tuple[str, int]]) -> bool:
    """Whether a dispute has a side in the notes of both findings, and one of them is a passage of a finding."""
    notes = {note for note, _ in sides}
    places = {(place.note, place.start) for each in pair for place in passages(each)}
    return all(not notes.isdisjoint(each.notes) for each in pair) and not places.isdisjoint(sides)


def affecting(contradictions: Iterable[Contradiction], increments: Sequence[Increment]) -> tuple[Contradiction, ...]:
    """Name the increments that each contradiction touches."""
    having: Mapping[tuple[str, int, int], list[str]] = _places(increments)
    return tuple(
        one.model_copy(
            update={
                "increments": tuple(
                    dict.fromkeys(
                        identifier
                        for place in (*one.sides, *one.also_affects)
                        for identifier in having.get((place.note, place.start, place.end), ())
                    )
                )
            }
        )
        for one in contradictions
    )


def united(contradictions: Iterable[Contradiction]) -> tuple[Contradiction, ...]:
    """Make one of contradictions that are the same question, raised in several notes."""
    alike: dict[str, list[Contradiction]] = defaultdict(list)
    for one in contradictions:
        alike[one.id].append(one)
    return tuple(_joined(same) for same in alike.values())


def _joined(same: Sequence[Contradiction]) -> Contradiction:
    first = min(same, key=lambda one: [(side.note, side.start) for side in one.sides])
    if len(same) == 1:
        return first
    sides = {(side.note, side.start, side.end, side.says): side for one in same for side in one.sides}
    affected = {(place.note, place.start, place.end): place for one in same for place in one.also_affects}
    return first.model_copy(
        update={
            "sides": tuple(sides[key] for key in sorted(sides)),
            "also_affects": tuple(affected[key] for key in sorted(affected)),
        }
    )


def _places(increments: Sequence[Increment]) -> dict[tuple[str, int, int], list[str]]:
    having: dict[tuple[str, int, int], list[str]] = defaultdict(list)
    for increment in increments:
        for place in passages(increment):
            having[place.note, place.start, place.end].append(increment.id)
    return having


def _refuted(extractions: Sequence[Extraction]) -> Iterator[Dispute]:
    absent = [claim for one in extractions for claim in one.claims if claim.kind == "absence"]
    if not absent:
        return
    present = [_present(one) for one in extractions if one.opening]
    for claim in absent:
        dispute = refuted(claim, [one for one in present if one])
        if dispute is not None:
            yield dispute


def _present(extraction: Extraction) -> Present | None:
    if extraction.opening is None:
        return None
    slug = parse_note_name(extraction.note).slug
    return Present(
        path=extraction.note, agent=extraction.agent, day=extraction.date, topic=extraction.topic, slug=slug,
        opening=extraction.opening,
    )  # fmt: skip


def _in_hand(document: LivingDocument) -> Hand:
    note = Note(
        path=document.path, agent="", text=document.text, date=document.updated or _LONG_AGO, sha256=document.sha256
    )
    segments = tuple(split_segments(split_units(document.text)))
    return Hand(note=note, segments=segments, topic=document.topic, documents=(document,), is_document=True)

"""Makes one increment of those that tell the same finding, and one list of the extractions of many notes.

Nothing is lost: evidence, sources, notes and measures are united, and what only one member says stays. Nothing is
rewritten: every title, sentence and quote is some member's own, with its offsets.

What the members decide differently is settled like this:

- rating, basis and reason come from the member nearest to the origin; where several origins stand behind the finding,
  from the best rated of them. Copies never raise a rating. The lowest rating, where it is lower, stays as a caution;
- the title is the one that names most, the earliest of equals; the summary comes from the same member;
- the relation to the living documents is "contradicts" if one member says so, "extends" where some say new and others
  known, else what all say;
- the urgency is the highest.

Promises: the order of the members changes nothing; a single increment stays as it is, but for its id.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from rapidfuzz import fuzz, process

from agent.reconciling.lineage import by_origin, earliest, origins
from agent.reconciling.match import same_finding
from agent.reconciling.titles import denies, read_subject
from agent.records import Credibility, Extraction, Increment, Placement, Point, Relation, Source

_REPEATED = 90.0  # likeness from which two points with equal numbers are one
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_PROPOSERS = ("note", "model", "code")

Item = TypeVar("Item")


def reconcile(extractions: Sequence[Extraction]) -> tuple[Increment, ...]:
    """Merge the increments of many notes, the earliest finding first.

    A note that occurs twice counts once, whatever the order: results may arrive again without harm.
    """
    by_note = {extraction.note: extraction for extraction in sorted(extractions, key=repr)}
    found = [increment for note in sorted(by_note) for increment in by_note[note].increments]
    merged = [merge([found[index] for index in cluster]) for cluster in same_finding(found)]
    return tuple(sorted(merged, key=earliest))


def merge(increments: Sequence[Increment]) -> Increment:
    """Return one increment that says everything the members say.

    Raises:
        ValueError: there is no member.
    """
    if not increments:
        raise ValueError("nothing to merge")
    members = sorted(increments, key=earliest)
    if len(members) == 1:
        return members[0].model_copy(update={"id": increment_id(members[0])})
    telling = max(members, key=lambda member: (bool(member.summary), _informs(member.title)))
    relation, relation_reason = _relation(members)
    evidence = _once((e for m in members for e in m.evidence), key=lambda e: (e.note, e.start, e.end))
    return Increment(
        id=increment_id(members[0]),
        title=max((member.title for member in members), key=_informs),
        summary=telling.summary,
        points=_points(members),
        evidence=evidence,
        arxiv_ids=_once(i for m in members for i in m.arxiv_ids),
        credibility=_credibility(members),
        sources=_sources(members),
        notes=_once(note for m in members for note in m.notes),
        agents=_once(agent for m in members for agent in m.agents),
        origins=origins(members),
        placements=_placements(members),
        relation=relation,
        relation_reason=relation_reason,
        standing=_once(line for m in members if m.relation == relation for line in m.standing),
        registers=_once((r for m in members for r in m.registers), key=lambda r: (r.kind, r.number, r.text)),
        measures=_once(
            (measure for m in members for measure in m.measures),
            key=lambda one: (one.evidence.note, one.evidence.start, one.value, one.comparator, one.unit, one.metric),
        ),
        priority=max((m.priority for m in members if m.priority is not None), default=None),
    )


def increment_id(increment: Increment) -> str:
    """Return the id of a finding: it follows from the place of its first evidence, so it outlives new members."""
    first = increment.evidence[0] if increment.evidence else None
    note, start = (first.note, first.start) if first else ("".join(increment.notes[:1]), 0)
    place = f"{note}\0{start}".encode("utf-8", "surrogatepass")
    return f"inc-{hashlib.sha256(place).hexdigest()[:8]}"


def _informs(title: str) -> int:
    subject = read_subject(title)
    numbers = sum(map(len, (*subject.labels.values(), *subject.figures.values())))
    return len(subject.names) + numbers


def _once(items: Iterable[Item], *, key: Callable[[Item], Hashable] = lambda item: item) -> tuple[Item, ...]:
    first: dict[Hashable, Item] = {}
    for item in items:
        first.setdefault(key(item), item)
    return tuple(first.values())


def _points(members: Sequence[Increment]) -> tuple[Point, ...]:
    """All points, without those that repeat an earlier one: nearly the same words, equal numbers, both denied or none."""
    kept: list[Point] = []
    texts: dict[Hashable, list[str]] = defaultdict(list)
    for point in (point for member in members for point in member.points):
        alike = texts[(tuple(_NUMBER.findall(point.text)), denies(point.text))]
        if process.extractOne(point.text, alike, scorer=fuzz.ratio, score_cutoff=_REPEATED) is None:
            alike.append(point.text)
            kept.append(point)
    return tuple(kept)


def _sources(members: Sequence[Increment]) -> tuple[Source, ...]:
    """All sources once, resolved ones in place of the same unresolved."""
    united: dict[Hashable, Source] = {}
    for source in (source for member in members for source in member.sources):
        key = source.note or source.url or source.arxiv or " ".join(source.label.casefold().split())
        if key not in united or (source.resolved and not united[key].resolved):
            united[key] = source
    return tuple(united.values())


def _placements(members: Sequence[Increment]) -> tuple[Placement, ...]:
    """Each section of a document once, what a note proposes before what a model or code found."""
    proposed = [placement for member in members for placement in member.placements]
    proposed.sort(key=lambda placement: _PROPOSERS.index(placement.proposed_by))
    return _once(proposed, key=lambda placement: (placement.document, placement.section.strip(" §").casefold()))


def _relation(members: Sequence[Increment]) -> tuple[Relation, str]:
    said = {member.relation for member in members}
    relation: Relation = next(iter(said))
    if len(said) > 1:
        relation = "contradicts" if "contradicts" in said else "extends"
    reasons = _once(m.relation_reason for m in members if m.relation == relation and m.relation_reason)
    everything = _once(m.relation_reason for m in members if m.relation_reason)
    return relation, reasons[0] if reasons else " / ".join(everything)


def _credibility(members: Sequence[Increment]) -> Credibility:
    groups = by_origin(members)
    best = max((group[0] for group in groups), key=lambda member: member.credibility.stars)
    stated = [next((m.credibility.stated for m in group if m.credibility.stated), None) for group in groups]
    lowest = min(members, key=lambda member: member.credibility.stars)
    cautions = [caution for member in members for caution in member.credibility.cautions]
    if lowest.credibility.stars < best.credibility.stars:
        why = lowest.credibility.reason or lowest.credibility.basis
        cautions.append(f"{', '.join(lowest.agents)} {lowest.credibility.stars}★: {why}")
    return best.credibility.model_copy(
        update={
            "stated": max((stars for stars in stated if stars), default=None),
            "cautions": _once(cautions),
        }
    )

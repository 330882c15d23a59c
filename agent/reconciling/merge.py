"""Makes one increment of those that tell the same finding.

Nothing is lost: evidence, sources, notes and measures are united, and what only one member says stays. Nothing is
rewritten: every title, sentence and quote is some member's own, with its offsets.

What the members decide differently is settled like this:

- rating, basis and reason come from the member nearest to the origin; where several origins stand behind the finding,
  from the best rated of them. Copies never raise a rating. Lower ratings stay as cautions, with their reasons;
- the title is the one that names most, the earliest of equals; the summary comes from the same member;
- the relation to the living documents is "contradicts" if one member says so, "extends" where some say new and others
  known, else what all say;
- of the sections, those that most notes propose come first, then those that a note proposes, then those that a model or
  code found;
- the urgency is the highest.

Promises: the order of the members changes nothing; the id is the earliest member's; a single increment stays as it is, but for
its lineage; merging what is merged changes nothing.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar

from agent.reconciling.lineage import Told, Traced, earliest, lineage, trace
from agent.reconciling.repeating import Sayings, said_once
from agent.reconciling.resting import page
from agent.reconciling.titles import read_subject
from agent.records import (
    Credibility,
    Evidence,
    Increment,
    Language,
    Link,
    Placement,
    Register,
    Relation,
    SeenBefore,
    Source,
)

_PROPOSERS = ("note", "model", "code")

Item = TypeVar("Item")


def merge(increments: Sequence[Increment], *, told: Told | None = None, language: Language | None = None) -> Increment:
    """Return one increment that says everything the members say.

    Args:
        increments: the members.
        told: what every note of the run tells, by its path, for the lineage.
        language: in which a statement is shown that is told in several; the first one's without it.

    Raises:
        ValueError: there is no member.
    """
    if not increments:
        raise ValueError("nothing to merge")
    if len(increments) == 1:
        only = increments[0]
        return only if only.lineage is not None else only.model_copy(update={"lineage": lineage(increments)})
    members = sorted(increments, key=earliest)
    traced = trace(members, told=told)
    telling = max(members, key=lambda member: (bool(member.summary), _informs(member.title)))
    relation, relation_reason = _relation(members)
    return Increment(
        id=members[0].id,
        title=max((member.title for member in members), key=_informs),
        summary=telling.summary,
        points=said_once((point for member in members for point in member.points), language=language),
        evidence=_once((e for m in members for e in m.evidence), key=_place),
        arxiv_ids=_once(i for m in members for i in m.arxiv_ids),
        credibility=_credibility(members, traced),
        sources=_sources(members),
        notes=_once(note for m in members for note in m.notes),
        agents=_once(agent for m in members for agent in m.agents),
        origins=max(1, len(traced.lineage.origins)),
        lineage=traced.lineage,
        placements=_placements(members),
        relation=relation,
        relation_reason=relation_reason,
        standing=_once(line for m in members if m.relation == relation for line in m.standing),
        registers=_registers(members),
        measures=_once(
            (measure for m in members for measure in m.measures),
            key=lambda one: (one.evidence.note, one.evidence.start, one.value, one.comparator, one.unit, one.metric),
        ),
        priority=max((m.priority for m in members if m.priority is not None), default=None),
        links=_links(members),
        seen=_seen(members),
        corrected=_once(correction for m in members for correction in m.corrected),
    )


def kept(before: Sequence[Increment], after: Sequence[Increment]) -> tuple[str, ...]:
    """Name what got lost between increments and what was made of them, one phrase each; empty when nothing did.

    Looked at are notes, arXiv IDs, sources and the places of evidence. What both sides hold as one object is not looked into:
    most increments have no partner.
    """
    lost: list[str] = []
    for what, held, named in _HELD:
        there = {id(held(one)) for one in after}
        changed = [one for one in before if id(held(one)) not in there]
        if changed:
            same = {id(held(one)) for one in before}
            known = {name for one in after if id(held(one)) not in same for name in map(named, held(one))}
            missing = [name for one in changed for name in map(named, held(one)) if name not in known]
            if missing:  # it may stand where nothing changed
                known |= {name for one in after for name in map(named, held(one))}
            lost += [f"{what} {' '.join(map(str, name))}" for name in missing if name not in known]
    return tuple(dict.fromkeys(lost))


def _informs(title: str) -> int:
    subject = read_subject(title)
    numbers = sum(map(len, (*subject.labels.values(), *subject.figures.values())))
    return len(subject.names) + numbers


def _once(items: Iterable[Item], *, key: Callable[[Item], Hashable] = lambda item: item) -> tuple[Item, ...]:
    first: dict[Hashable, Item] = {}
    for item in items:
        first.setdefault(key(item), item)
    return tuple(first.values())


def _place(evidence: Evidence) -> tuple[str, int, int, str]:
    return evidence.note, evidence.start, evidence.end, evidence.quote


def _sources(members: Sequence[Increment]) -> tuple[Source, ...]:
    """All sources once, resolved ones in place of the same unresolved."""
    united: dict[Hashable, Source] = {}
    for source in (source for member in members for source in member.sources):
        key = _same_source(source)
        if key not in united or (source.resolved and not united[key].resolved):
            united[key] = source
    return tuple(united.values())


def _same_source(source: Source) -> tuple[str, str]:
    if source.note:
        return "note", source.note
    if source.url:
        basis = page(source.url)
        return "page", basis.on if basis.how == "page" else source.url
    return ("arXiv", source.arxiv) if source.arxiv else ("label", " ".join(source.label.casefold().split()))


def _placements(members: Sequence[Increment]) -> tuple[Placement, ...]:
    """Each section of a document once: those that several notes propose first, and a note's word before code's guess."""
    proposed: dict[Hashable, list[Placement]] = {}
    for placement in (placement for member in members for placement in member.placements):
        key = placement.document, placement.section.strip(" §").casefold()
        proposed.setdefault(key, []).append(placement)

    def rank(same: Sequence[Placement]) -> tuple[int, int, int]:
        by = [placement.proposed_by for placement in same]
        return -by.count("note"), min(map(_PROPOSERS.index, by)), -len(by)

    best = sorted(proposed.values(), key=rank)
    return tuple(min(same, key=lambda placement: _PROPOSERS.index(placement.proposed_by)) for same in best)


def _registers(members: Sequence[Increment]) -> tuple[Register, ...]:
    """Each proposed entry once, bound to the document that its member belongs to; the earliest number stays."""
    entries: list[Register] = []
    sayings: dict[Hashable, Sayings] = {}
    for member in members:
        home = next((placement.document for placement in member.placements if placement.document), None)
        for register in member.registers:
            entry = register if register.document or not home else register.model_copy(update={"document": home})
            same_place = entry.kind, entry.document
            announced = next(
                (at for at, one in enumerate(entries) if _is_announced(one, entry) or _is_announced(entry, one)), None
            )
            if announced is not None:
                entries[announced] = entry if not entries[announced].text else entries[announced]
            elif not entry.text or sayings.setdefault(same_place, Sayings()).add(entry.text):
                entries.append(entry)
    return tuple(entries)


def _is_announced(bare: Register, full: Register) -> bool:
    """Whether one entry is only the number of another."""
    return not bare.text and (bare.kind, bare.number, bare.document) == (full.kind, full.number, full.document)


def _relation(members: Sequence[Increment]) -> tuple[Relation, str]:
    said = {member.relation for member in members}
    relation: Relation = next(iter(said))
    if len(said) > 1:
        relation = "contradicts" if "contradicts" in said else "extends"
    reasons = _once(m.relation_reason for m in members if m.relation == relation and m.relation_reason)
    everything = _once(m.relation_reason for m in members if m.relation_reason)
    return relation, reasons[0] if reasons else " / ".join(everything)


def _credibility(members: Sequence[Increment], traced: Traced) -> Credibility:
    best = max((group[0] for group in traced.groups), key=lambda member: member.credibility.stars)
    stated = [next((m.credibility.stated for m in group if m.credibility.stated), None) for group in traced.groups]
    cautions = [caution for member in members for caution in member.credibility.cautions]
    reasons: set[str] = set()
    for member in sorted(members, key=lambda member: member.credibility.stars):
        rating = member.credibility
        why = rating.reason or rating.basis
        if rating.stars < best.credibility.stars and why not in reasons:
            own = rating.stars if rating.stated is None else rating.stated  # what the agent said itself, where it did
            cautions.append(f"{', '.join(member.agents)} {own}★: {why}")
            reasons.add(why)
    return best.credibility.model_copy(
        update={
            "stated": max((stars for stars in stated if stars), default=None),
            "cautions": _once(cautions),
        }
    )


_HELD: tuple[tuple[str, Callable[[Increment], tuple[Any, ...]], Callable[[Any], tuple[Any, ...]]], ...] = (
    ("note", lambda one: one.notes, lambda note: (note,)),
    ("arXiv ID", lambda one: one.arxiv_ids, lambda identifier: (identifier,)),
    ("source", lambda one: one.sources, _same_source),
    ("evidence", lambda one: one.evidence, _place),
)


def _links(members: Sequence[Increment]) -> tuple[Link, ...]:
    own = {member.id for member in members}
    links = (link for member in members for link in member.links if link.increment not in own)
    return _once(links, key=lambda link: (link.increment, link.tie))


def _seen(members: Sequence[Increment]) -> SeenBefore | None:
    """The earliest digest that had the finding."""
    return min((m.seen for m in members if m.seen), key=lambda seen: (seen.date, seen.title), default=None)

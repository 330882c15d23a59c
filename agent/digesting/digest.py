"""Builds a digest from what the notes gave: selects, orders, counts, concludes.

Promises: the same inputs give the same digest, whatever order they come in; every note looked at is in it; nothing is
rewritten, and no finding is left out because a living document is said to know it.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from agent.batons import Coverage
from agent.costs import Prices, cost_of
from agent.digesting.words import WORDS, Count, Words
from agent.reading.escaping import shorten, visible
from agent.records import (
    ArxivMention,
    Baseline,
    CheckedNote,
    Contradiction,
    Digest,
    Engine,
    Evidence,
    Extraction,
    Increment,
    Language,
    Lead,
    Outcome,
    Reconciliation,
    ToVerify,
    Window,
)
from agent.texts import LivingDocument

UNREAD: frozenset[Outcome] = frozenset(
    {"failed", "partly_failed", "not_tried", "unreadable", "not_text", "too_large", "not_followed"}
)
_ORDINARY = 1  # the urgency of a finding whose note marks none
_FIRST = 3  # increments that the conclusion names
_TITLE = 60
_SEVERITIES = ("high", "medium", "low")

Item = TypeVar("Item", Lead, ToVerify)


@dataclass(frozen=True, slots=True)
class DigestInputs:
    """Everything that a digest is made of.

    Attributes:
        topic: stem of a living document, or None for all that the notes hold.
        agent: whose digest it is.
        extractions: one per note that could be read.
        reconciled: what these extractions say together.
        checked: every note looked at.
        stock: arXiv identifiers that a living document or a paper card has.
        prices: what tokens cost, or None.
    """

    topic: str | None
    date: dt.date
    window: Window
    timezone: str
    language: Language
    agent: str
    engine: Engine
    model: str | None
    extractions: tuple[Extraction, ...]
    reconciled: Reconciliation
    checked: tuple[CheckedNote, ...]
    documents: tuple[LivingDocument, ...]
    stock: frozenset[str]
    coverage: Coverage
    prices: Prices | None = None


def build_digest(inputs: DigestInputs) -> Digest:
    """Build the digest of one topic, or of everything, and day.

    With a topic it holds the increments that are placed in the topic's document or come from a note on the topic, and
    leads, claims to verify, contradictions and identifiers of the notes behind them and of all notes on the topic.
    Its cost is what all notes together have cost, whenever that was paid, so that a second run writes the same.
    """
    usage = sum((one.usage for one in inputs.checked), start=inputs.reconciled.usage)
    extractions = sorted(inputs.extractions, key=lambda one: one.note)
    increments = _selected(inputs.reconciled.increments, inputs.topic, {one.note: one.topic for one in extractions})
    concerned = _concerned(extractions, increments, inputs.topic)
    parts = Digest(
        topic=inputs.topic,
        date=inputs.date,
        window=inputs.window,
        timezone=inputs.timezone,
        language=inputs.language,
        agent=inputs.agent,
        engine=inputs.engine,
        model=inputs.model,
        prompts=_prompts((*(one.prompts for one in extractions), inputs.reconciled.prompts)),
        baseline=_baseline(inputs, increments),
        increments=_ordered(increments, {one.note: one.date for one in extractions}),
        leads=_once((lead.text, lead) for one in concerned for lead in one.leads),
        contradictions=_about(inputs.reconciled.contradictions, {one.note for one in concerned}),
        to_verify=_once(
            (f"{claim.claim}\n{claim.question}\n{claim.suggestion}", claim)
            for claim in (
                *(claim for one in concerned for claim in one.to_verify),
                *(claim for claim in inputs.reconciled.to_verify if _touches(claim.evidence, concerned)),
            )
        ),
        arxiv=_arxiv(concerned, inputs.stock),
        checked=tuple(sorted(inputs.checked, key=lambda note: (note.agent, note.note))),
        coverage=inputs.coverage,
        conclusion="",
        remarks=inputs.reconciled.remarks,
        usage=usage,
        cost=cost_of(usage, inputs.prices),
    )
    return parts.model_copy(update={"conclusion": _conclusion(parts)})


def _selected(
    increments: Sequence[Increment], topic: str | None, topics: Mapping[str, str | None]
) -> tuple[Increment, ...]:
    if topic is None:
        return tuple(increments)
    return tuple(
        increment
        for increment in increments
        if any(placement.document == f"{topic}.md" for placement in increment.placements)
        or any(topics.get(note) == topic for note in increment.notes)
    )


def _concerned(
    extractions: Sequence[Extraction], increments: Sequence[Increment], topic: str | None
) -> tuple[Extraction, ...]:
    """The extractions of notes on the topic and of notes behind a selected increment."""
    if topic is None:
        return tuple(extractions)
    behind = {note for increment in increments for note in increment.notes}
    return tuple(one for one in extractions if one.topic == topic or one.note in behind)


def _ordered(increments: Sequence[Increment], dates: Mapping[str, dt.date]) -> tuple[Increment, ...]:
    """Most urgent first, then best rated, then most confirmed, then newest; a finding without a mark is ordinary.

    What an earlier digest had, and nothing changed since, comes after all that is new.
    """

    def rank(increment: Increment) -> tuple[bool, int, int, int, int, tuple[str, ...]]:
        day = max((dates[note] for note in increment.notes if note in dates), default=dt.date.min)
        urgency = _ORDINARY if increment.priority is None else increment.priority
        place = (*increment.notes, *(f"{one.note} {one.start:09}" for one in increment.evidence[:1]), increment.id)
        is_old = increment.seen is not None and not increment.seen.changed
        return is_old, -urgency, -increment.credibility.stars, -increment.origins, -day.toordinal(), place

    return tuple(sorted(increments, key=rank))


def _once(items: Iterable[tuple[str, Item]]) -> tuple[Item, ...]:
    """Unite the evidence of items that say the same in the same words; the first keeps its place."""
    alike: dict[str, list[Item]] = defaultdict(list)
    for text, item in items:
        alike[" ".join(text.split()).casefold()].append(item)
    return tuple(
        same[0].model_copy(update={"evidence": _united(evidence for item in same for evidence in item.evidence)})
        for same in alike.values()
    )


def _united(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    return tuple({(one.note, one.start, one.end): one for one in evidence}.values())


def _about(contradictions: Iterable[Contradiction], notes: Collection[str]) -> tuple[Contradiction, ...]:
    """Those of which a side stands in one of the notes, the gravest first."""
    found = [one for one in contradictions if any(side.note in notes for side in one.sides)]
    return tuple(sorted(found, key=lambda one: (_SEVERITIES.index(one.severity), one.id)))


def _touches(evidence: Iterable[Evidence], concerned: Iterable[Extraction]) -> bool:
    return not {one.note for one in evidence}.isdisjoint(one.note for one in concerned)


def _arxiv(extractions: Sequence[Extraction], stock: frozenset[str]) -> tuple[ArxivMention, ...]:
    """Each identifier once, the new ones first."""
    mentions: dict[str, list[ArxivMention]] = defaultdict(list)
    for extraction in extractions:
        for mention in extraction.arxiv:
            mentions[mention.id].append(mention)
    united = [
        ArxivMention(
            id=identifier,
            versions=tuple(sorted({version for one in same for version in one.versions})),
            title=next((one.title for one in same if one.title), None),
            status="stock" if identifier in stock or any(one.status == "stock" for one in same) else "new",
            notes=tuple(sorted({note for one in same for note in one.notes})),
            remarks=tuple(dict.fromkeys(remark for one in same for remark in one.remarks)),
        )
        for identifier, same in mentions.items()
    ]
    return tuple(sorted(united, key=lambda one: (one.status != "new", one.id)))


def _baseline(inputs: DigestInputs, increments: Sequence[Increment]) -> tuple[Baseline, ...]:
    """The documents that the digest was held against: the topic's first, then those where something belongs."""
    named = {placement.document for increment in increments for placement in increment.placements}
    own = f"{inputs.topic}.md"
    wanted = [one for one in inputs.documents if inputs.topic is None or one.name == own or one.name in named]
    wanted.sort(key=lambda one: (one.name != own, one.name))
    return tuple(Baseline(document=one.name, updated=one.updated, sha256=one.sha256) for one in wanted)


def _prompts(used: Iterable[Mapping[str, str]]) -> dict[str, str]:
    versions: dict[str, set[str]] = defaultdict(set)
    for prompts in used:
        for prompt, version in prompts.items():
            versions[prompt].add(version)
    return {prompt: ", ".join(sorted(versions[prompt])) for prompt in sorted(versions)}


def _conclusion(digest: Digest) -> str:
    """Say in a few sentences what was found, what to read first and what is left open."""
    words = WORDS[digest.language]
    sentences = [_found(digest, words)]
    confirmed = sum(1 for increment in digest.increments if increment.origins > 1)
    new_papers = sum(1 for mention in digest.arxiv if mention.status == "new")
    unread = sum(1 for note in digest.checked if note.outcome in UNREAD)
    if confirmed:
        sentences.append(words.confirmed(confirmed))
    telling = [one for one in digest.increments if one.relation != "known" and (one.seen is None or one.seen.changed)]
    if telling:
        titles = words.semicolon.join(shorten(one.title, _TITLE) for one in telling[:_FIRST])
        sentences.append(words.first_to_read.format(titles=titles))
    if new_papers:
        sentences.append(words.new_papers(new_papers))
    open_items = _counted((words.contradictions_counted, digest.contradictions), (words.claims, digest.to_verify))
    if open_items:
        sentences.append(words.left_open.format(items=words.clause.join(open_items)))
    gaps = _counted((words.batons, digest.coverage.missed), (words.documents, digest.coverage.stale))
    if gaps:
        sentences.append(words.gaps.format(items=words.clause.join(gaps)))
    if unread:
        sentences.append(words.unread(unread))
    return visible(words.space.join(sentences))


def _found(digest: Digest, words: Words) -> str:
    notes = words.notes(len(digest.checked))
    if not digest.increments:
        return words.concluded_nothing.format(notes=notes)
    return words.concluded.format(notes=notes, increments=words.increments(len(digest.increments)))


def _counted(*counted: tuple[Count, Sequence[object]]) -> list[str]:
    return [count(len(items)) for count, items in counted if items]

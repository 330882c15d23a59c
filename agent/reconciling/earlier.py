"""Looks back at earlier digests: which findings they had already, what is otherwise now, since when a question is open.

A finding was seen before where an earlier digest has one that cites a passage which it cites too, that the matcher takes for
the same, or that it corrects. A passage that several findings of one digest cite tells none of them apart, and counts for nothing. In doubt a
finding is new.

Promises: the order of the digests changes nothing; nothing of a finding changes but `seen`; work is linear, but for the matcher's.
"""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from agent.past import PastDigest
from agent.reading.identifiers import find_arxiv
from agent.reconciling.correcting import by_metric, changes_of, own_part, values_changed
from agent.records import Contradiction, Increment, Language, Relation, SeenBefore

Same = Callable[[Sequence[Increment]], Sequence[Sequence[int]]]

_SHORT = 16  # characters below which a passage is known by its place too, since a note may well say it twice
_NAMED = 3  # agents, papers or figures that one phrase names

_RELATIONS: dict[Language, dict[Relation, str]] = {
    "zh": {"new": "未收录", "extends": "补充已有内容", "known": "已收录", "contradicts": "与已有内容矛盾"},
    "en": {
        "new": "new",
        "extends": "extends what is there",
        "known": "already there",
        "contradicts": "contradicts what is there",
    },
}


@dataclass(frozen=True, slots=True)
class _Phrases:
    """How changes are told in one language; `{n}` is a number, the rest are names or values."""

    note: str
    notes: str
    agents: str
    papers: str
    version: str
    passage: str
    passages: str
    rating: str
    relation: str
    joint: str


_PHRASES: dict[Language, _Phrases] = {
    "zh": _Phrases(
        note="新增 {n} 份笔记",
        notes="新增 {n} 份笔记",
        agents="新有 {names} 报告",
        papers="新增论文 {names}",
        version="arXiv:{name} v{old} → v{new}",
        passage="同一笔记另引 {n} 段",
        passages="同一笔记另引 {n} 段",
        rating="评级 {old}★ → {new}★",
        relation="与活文档的关系：{old} → {new}",
        joint="、",
    ),
    "en": _Phrases(
        note="{n} more note",
        notes="{n} more notes",
        agents="now also reported by {names}",
        papers="now also names {names}",
        version="arXiv:{name} v{old} → v{new}",
        passage="{n} more passage of a note it had",
        passages="{n} more passages of notes it had",
        rating="rating {old}★ → {new}★",
        relation="relation to the living documents: {old} → {new}",
        joint=", ",
    ),
}


@dataclass(frozen=True, slots=True)
class _Sighting:
    """A finding of an earlier digest, with how many passages it shares with one of today."""

    day: dt.date
    increment: Increment
    shared: int = 0


def mark_seen(
    increments: Sequence[Increment], past: Sequence[PastDigest], *, same: Same, language: Language
) -> tuple[Increment, ...]:
    """Say of each finding whether an earlier digest had it, when first and under which title, and what is otherwise now.

    Args:
        increments: the findings of today.
        past: digests of earlier days alone, in any order.
        same: groups increments that tell the same finding; returns clusters of indexes.
        language: of the phrases that tell what has changed.
    """
    if not past:
        return tuple(increments)
    earlier = sorted(past, key=lambda one: (one.date, one.topic))
    found = _by_passage(increments, earlier)
    _add_matched(found, increments, earlier, same)
    return tuple(
        one.model_copy(update={"seen": _seen(one, sightings, language)}) if sightings else one
        for one, sightings in zip(increments, found, strict=True)
    )


def open_since(contradictions: Iterable[Contradiction], past: Sequence[PastDigest]) -> tuple[Contradiction, ...]:
    """Say of each contradiction since when it is open, if an earlier digest raised it."""
    first: dict[str, dt.date] = {}
    for digest in past:
        for raised in digest.contradictions:
            day = min(raised.since or digest.date, digest.date)
            first[raised.id] = min(first.get(raised.id, day), day)
    return tuple(one.model_copy(update={"since": first[one.id]}) if one.id in first else one for one in contradictions)


def _by_passage(increments: Sequence[Increment], past: Sequence[PastDigest]) -> list[list[_Sighting]]:
    """For each finding those of earlier digests that cite a passage which it alone cites, and they alone then."""
    own = dict(_told_apart(increments))
    shared: list[Counter[tuple[int, int]]] = [Counter() for _ in increments]
    for number, digest in enumerate(past):
        for place, index in _told_apart(digest.increments):
            if place in own:
                shared[own[place]][number, index] += 1
    return [
        [_Sighting(past[number].date, past[number].increments[index], count) for (number, index), count in each.items()]
        for each in shared
    ]


def _told_apart(increments: Sequence[Increment]) -> Iterator[tuple[Hashable, int]]:
    """Yield what only one of the findings of a digest cites, with its index."""
    citing: dict[Hashable, int] = {}
    several: set[Hashable] = set()
    for index, increment in enumerate(increments):
        for place in _places(increment):
            if citing.setdefault(place, index) != index:
                several.add(place)
    return ((place, index) for place, index in citing.items() if place not in several)


def _places(increment: Increment) -> Iterator[Hashable]:
    """What a finding is known by: the passages that it cites or corrects, and its first place together with its title."""
    yield increment.id, increment.title
    for one in (*increment.evidence, *(said for before in increment.corrected for said in before.evidence)):
        yield one.note, one.quote, one.start if len(one.quote) < _SHORT else -1


def _add_matched(
    found: list[list[_Sighting]], increments: Sequence[Increment], past: Sequence[PastDigest], same: Same
) -> None:
    """Add what the matcher finds for findings without a shared passage, among earlier ones that none of today shares."""
    unseen = [index for index, sightings in enumerate(found) if not sightings]
    taken = {sighting.increment.id for sightings in found for sighting in sightings}
    last: dict[str, _Sighting] = {}
    for digest in past:
        last.update((one.id, _Sighting(digest.date, one)) for one in digest.increments if one.id not in taken)
    if not unseen or not last:
        return
    earlier = [last[identifier] for identifier in sorted(last)]
    pool = [*(sighting.increment for sighting in earlier), *(increments[index] for index in unseen)]
    for cluster in same(pool):
        sightings = [earlier[place] for place in cluster if place < len(earlier)]
        for place in cluster:
            if sightings and place >= len(earlier):
                found[unseen[place - len(earlier)]] += sightings


def _seen(increment: Increment, sightings: Sequence[_Sighting], language: Language) -> SeenBefore:
    def first_seen(sighting: _Sighting) -> tuple[dt.date, int, str, str]:
        before = sighting.increment.seen
        day, title = (before.date, before.title) if before else (sighting.day, sighting.increment.title)
        return min(day, sighting.day), -sighting.shared, title, sighting.increment.id

    day, _, title, _ = min(map(first_seen, sightings))
    return SeenBefore(date=day, title=title, changed=tuple(_changes(increment, sightings, language)))


def _changes(increment: Increment, sightings: Sequence[_Sighting], language: Language) -> Iterator[str]:
    """Tell what is otherwise now: more than any earlier digest had, or other than the latest one said."""
    phrases = _PHRASES[language]
    earlier = [sighting.increment for sighting in sightings]
    latest = max(sightings, key=lambda one: (one.day, one.shared, one.increment.id)).increment
    figures = tuple(islice(_figures(increment, latest, earlier), _NAMED))
    yield from figures or islice(dict.fromkeys(_corrections(increment, latest)), _NAMED)
    yield from _versions(increment, earlier, phrases)
    known_papers = {identifier for one in earlier for identifier in one.arxiv_ids}
    papers = [f"arXiv:{identifier}" for identifier in increment.arxiv_ids if identifier not in known_papers]
    if papers:
        yield phrases.papers.format(names=_named(papers, phrases))
    known_notes = {note for one in earlier for note in one.notes}
    notes = len(set(increment.notes) - known_notes)
    if notes:
        yield (phrases.note if notes == 1 else phrases.notes).format(n=notes)
    known_agents = {agent for one in earlier for agent in one.agents}
    agents = [agent for agent in increment.agents if agent not in known_agents]
    if agents:
        yield phrases.agents.format(names=_named(agents, phrases))
    passages = _new_passages(increment, earlier, known_notes)
    if passages:
        yield (phrases.passage if passages == 1 else phrases.passages).format(n=passages)
    if increment.credibility.stars != latest.credibility.stars:
        yield phrases.rating.format(old=latest.credibility.stars, new=increment.credibility.stars)
    if increment.relation != latest.relation:
        names = _RELATIONS[language]
        yield phrases.relation.format(old=names[latest.relation], new=names[increment.relation])


def _corrections(increment: Increment, latest: Increment) -> Iterator[str]:
    """What the finding corrects of the latest one, where its figures do not show it."""
    for agent in increment.agents:
        if agent in latest.agents:
            yield from (change.says for change in changes_of(own_part(increment, agent), own_part(latest, agent)))


def _named(names: Sequence[str], phrases: _Phrases) -> str:
    more = f" +{len(names) - _NAMED}" if len(names) > _NAMED else ""
    return phrases.joint.join(names[:_NAMED]) + more


def _new_passages(increment: Increment, earlier: Sequence[Increment], known_notes: set[str]) -> int:
    """How many passages are cited for the first time, of notes that an earlier digest had."""
    known = {(one.note, one.quote) for increment in earlier for one in increment.evidence}
    cited = {(one.note, one.quote) for one in increment.evidence if one.note in known_notes}
    return len(cited - known)


def _versions(increment: Increment, earlier: Sequence[Increment], phrases: _Phrases) -> Iterator[str]:
    """A later version of a paper, where an earlier digest cited one with its version."""
    if not increment.arxiv_ids:
        return
    wanted = [f"{identifier}v" for identifier in increment.arxiv_ids]
    before, now = _cited_versions(earlier, wanted), _cited_versions([increment], wanted)
    for identifier in increment.arxiv_ids:
        if now.get(identifier, 0) > before.get(identifier, now.get(identifier, 0)):
            yield phrases.version.format(name=identifier, old=before[identifier], new=now[identifier])


def _cited_versions(increments: Iterable[Increment], wanted: Sequence[str]) -> dict[str, int]:
    """The latest version of each paper in passages and sources, where a version of a wanted one stands."""
    newest: dict[str, int] = {}
    for increment in increments:
        for text in (*(one.quote for one in increment.evidence), *(one.label for one in increment.sources)):
            for span in find_arxiv(text) if any(one in text for one in wanted) else ():
                if span.version is not None:
                    newest[span.identifier] = max(newest.get(span.identifier, 0), span.version)
    return newest


def _figures(increment: Increment, latest: Increment, earlier: Sequence[Increment]) -> Iterator[str]:
    """Other values of one metric under one condition: those that no earlier digest had, beside those that are gone."""
    now, before = by_metric([increment]), by_metric([latest])
    ever = by_metric(earlier)
    for metric, values in now.items():
        fresh = [one for value, one in values.items() if value not in ever.get(metric, ())]
        gone = [one for value, one in before.get(metric, {}).items() if value not in values]
        if fresh and gone:
            yield values_changed(gone, fresh)

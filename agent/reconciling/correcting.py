"""Finds what an agent says otherwise than it did before: it corrects itself, and the later word stands.

A finding corrects an earlier one of the same agent where it comes under the same title, or says that something is corrected and is
about the same thing, and gives another figure: of one metric under the same conditions, or in a sentence that is the same but for
its figures. Two agents with two figures contradict each other, and so do two figures of one agent that nothing ties like this.

Promises: what only the earlier note says stays; the sentence that is corrected stays as what was said before, quoted; the order of
the notes changes nothing; in doubt both findings stand.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from agent.past import PastDigest
from agent.reading.conditions import canonical_condition
from agent.reading.measures import find_measures
from agent.reading.quantities import canonical_unit
from agent.reconciling.descent import is_surely_before, moment
from agent.reconciling.lineage import earliest
from agent.reconciling.merge import merge
from agent.reconciling.repeating import said_once
from agent.reconciling.titles import difference, read_subject
from agent.records import Claim, Contradiction, Correction, Evidence, Extraction, Increment, Measure

_NAMED = 3  # values that one phrase names
_TELLING = 8  # what a title must say at least, as `Subject.weight` counts
_MOST = 64  # earlier findings of an agent that one is held against
_PREFIXED = frozenset("$€£¥")
_GLUED = frozenset({"%", "×", "°"})
_CORRECTED = re.compile(
    r"更正|勘误|订正|\b(?:errat(?:um|a)|corrigend(?:um|a))\b|(?<!error )(?<!error-)\bcorrect(?:ed|ion|ions|s)\b",
    re.IGNORECASE,
)
_MARK = re.compile(rf"[(（\[【]?(?:{_CORRECTED.pattern})[)）\]】]?", re.IGNORECASE)
_NO_LETTER = re.compile(r"[\W_]+")
_SETTLED = frozenset({"value", "unit", "arithmetic"})  # what a figure that is corrected no longer contradicts

Place = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Change:
    """What is said otherwise now: a phrase for people, and the places that said it before."""

    says: str
    places: frozenset[Place] = frozenset()


class _Said:
    """The findings of one agent, the latest last, by what a later one may correct them: their titles, else their subjects."""

    def __init__(self) -> None:
        self._by_title: dict[str, list[Increment]] = defaultdict(list)
        self._by_lead: dict[str, list[Increment]] = defaultdict(list)

    def add(self, increment: Increment) -> None:
        """Remember a finding."""
        self._by_title[_masked(increment.title)].append(increment)
        for name in read_subject(increment.title).names:
            self._by_lead[name].append(increment)

    def remove(self, increment: Increment) -> None:
        """Forget a finding."""
        for found in (*self._by_title.values(), *self._by_lead.values()):
            if increment in found:
                found.remove(increment)

    def corrected_by(self, later: Increment) -> tuple[Increment, tuple[Change, ...]] | tuple[None, tuple[()]]:
        """Return the latest finding that a later one corrects, with what is otherwise."""
        found = self._by_title.get(_masked(later.title), [])
        if says_corrected(later):
            found = [*self._by_lead.get(read_subject(later.title).lead, []), *found]
        for one in islice(reversed(found), _MOST):
            changes = changes_of(later, one)
            if changes:
                return one, changes
        return None, ()


def settled(notes: Sequence[Extraction]) -> tuple[Extraction, ...]:
    """Let an agent's corrections take the place of what they correct; increments, claims and contradictions follow.

    Args:
        notes: one extraction for each note, each increment of one note.
    """
    standing: dict[str, list[Increment]] = {note.note: list(note.increments) for note in notes}
    superseded: set[Place] = set()
    by_agent: dict[str, _Said] = defaultdict(_Said)
    for note in sorted(notes, key=lambda one: moment(one.note)):
        said = by_agent[note.agent]
        for increment in note.increments:
            earlier, changes = said.corrected_by(increment)
            if earlier is None:
                said.add(increment)
                continue
            folded = _folded(increment, earlier, changes)
            superseded.update(place for change in changes for place in change.places)
            said.remove(earlier)
            said.add(folded)
            standing[max(earlier.notes, key=moment)].remove(earlier)
            standing[note.note][standing[note.note].index(increment)] = folded
    return tuple(_without(note, standing[note.note], superseded) for note in notes)


def corrected_since(increments: Sequence[Increment], past: Sequence[PastDigest]) -> tuple[Increment, ...]:
    """Say of findings what they correct that earlier digests had, where its note is not among today's."""
    last = {one.id: one for digest in sorted(past, key=lambda one: one.date) for one in digest.increments}
    by_agent: dict[str, _Said] = defaultdict(_Said)
    for one in sorted(last.values(), key=earliest):
        for agent in one.agents:
            by_agent[agent].add(own_part(one, agent))
    return tuple(_with_corrections(one, by_agent) if by_agent else one for one in increments)


def superseded_in(increments: Iterable[Increment]) -> frozenset[Place]:
    """Return the places that findings have corrected."""
    return frozenset(
        _place(one) for increment in increments for before in increment.corrected for one in before.evidence
    )


def changes_of(later: Increment, earlier: Increment) -> tuple[Change, ...]:
    """Return what a finding corrects of an earlier one by the same agent; nothing where it is no correction of it."""
    if not _may_correct(later, earlier):
        return ()
    found = list(_figures_changed(later, earlier))
    told = {place for change in found for place in change.places}
    found += [one for one in _sentences_changed(later, earlier) if not one.places or not one.places <= told]
    titles = [change for change in found if not change.places]
    return tuple(found if len(found) == len(titles) else [change for change in found if change.places])


def own_part(increment: Increment, agent: str) -> Increment:
    """Return what one agent's notes say in a finding of several."""
    if len(increment.notes) < 2 or increment.agents == (agent,):
        return increment

    def is_own(note: str) -> bool:
        return note.split("/")[1:2] == [agent]

    return increment.model_copy(
        update={
            "notes": tuple(note for note in increment.notes if is_own(note)) or increment.notes,
            "agents": (agent,),
            "points": tuple(one for one in increment.points if is_own(one.evidence.note)),
            "evidence": tuple(one for one in increment.evidence if is_own(one.note)),
            "measures": tuple(one for one in increment.measures if is_own(one.evidence.note)),
        }
    )


def by_metric(increments: Iterable[Increment]) -> dict[Hashable, dict[float, Measure]]:
    """Return the figures of findings by metric, subject, version, unit and conditions, then by value."""
    found: dict[Hashable, dict[float, Measure]] = defaultdict(dict)
    for one in (measure for increment in increments for measure in increment.measures):
        if one.metric.strip():
            conditions = tuple(sorted((kind, canonical_condition(kind, said)) for kind, said in one.conditions.items()))
            names = tuple(" ".join(name.casefold().split()) for name in (one.metric, one.subject, one.version or ""))
            found[(*names, canonical_unit(one.unit).casefold(), conditions)].setdefault(one.value, one)
    return found


def values_changed(gone: Sequence[Measure], fresh: Sequence[Measure]) -> str:
    """Tell other values of one metric: "TTFT 40 ms → 42 ms"."""
    return f"{_about(fresh[0])} {_values(gone)} → {_values(fresh)}"


def _with_corrections(increment: Increment, past: Mapping[str, _Said]) -> Increment:
    found = []
    for agent in increment.agents:
        earlier, changes = past[agent].corrected_by(own_part(increment, agent)) if agent in past else (None, ())
        if earlier is not None and not any(one.note in earlier.notes for one in increment.corrected):
            found.append(_correction(earlier, changes))
    return increment.model_copy(update={"corrected": (*increment.corrected, *found)}) if found else increment


def _correction(earlier: Increment, changes: Sequence[Change]) -> Correction:
    gone = {place for change in changes for place in change.places}
    said = {_place(one): one for one in (*earlier.evidence, *(one.evidence for one in earlier.measures))}
    return Correction(
        note=max(earlier.notes, key=moment),
        changed=tuple(change.says for change in changes),
        evidence=tuple(said[place] for place in sorted(gone & said.keys())) or earlier.evidence[:1],
    )


def _may_correct(later: Increment, earlier: Increment) -> bool:
    """Whether one finding is by the same agent, later, on the same thing, and may be a correction by its title or its words."""
    if later.agents != earlier.agents or not set(later.notes).isdisjoint(earlier.notes):
        return False
    if not is_surely_before(max(earlier.notes, key=moment), min(later.notes, key=moment)):
        return False
    if later.arxiv_ids and earlier.arxiv_ids and set(later.arxiv_ids).isdisjoint(earlier.arxiv_ids):
        return False
    one, other = read_subject(later.title), read_subject(earlier.title)
    if difference(one, other) not in {None, "number"}:
        return False
    title = _masked(later.title)
    if title == _masked(earlier.title) and one.weight >= _TELLING:
        return True
    is_one_thing = bool(one.lead) and (one.lead == other.lead or one.lead in other.names)
    return is_one_thing and says_corrected(later)


def says_corrected(increment: Increment) -> bool:
    """Whether a finding says that something was corrected."""
    texts = (
        increment.title,
        increment.summary,
        increment.credibility.reason,
        *(point.text for point in increment.points),
        *(source.label for source in increment.sources),
    )
    return any(_CORRECTED.search(text) for text in texts)


def _figures_changed(later: Increment, earlier: Increment) -> Iterator[Change]:
    """Other values of one metric under the same conditions."""
    now, before = by_metric([later]), by_metric([earlier])
    for metric in (one for one in now if one in before):
        fresh = [one for value, one in now[metric].items() if value not in before[metric]]
        gone = [one for value, one in before[metric].items() if value not in now[metric]]
        if not gone and len(before[metric]) == 1 and len(fresh) == 1 and says_corrected(later):
            gone = list(before[metric].values())  # it is named once more, as what is wrong
        if fresh and gone:
            values = {one.value for one in gone}
            places = (
                _place(one.evidence)
                for one in earlier.measures
                if one.value in values and one.metric.casefold() == gone[0].metric.casefold()
            )
            yield Change(values_changed(gone, fresh), frozenset(places))


def _sentences_changed(later: Increment, earlier: Increment) -> Iterator[Change]:
    """Sentences, titles among them, that are the same but for their figures."""
    said = {_masked(point.text): point for point in earlier.points}
    for point in later.points:
        before = said.get(_masked(point.text))
        if before is not None and (says := _otherwise(point.text, before.text)):
            yield Change(says, frozenset({_place(before.evidence)}))
    if _masked(later.title) == _masked(earlier.title) and (says := _otherwise(later.title, earlier.title)):
        yield Change(says)


def _otherwise(now: str, before: str) -> str:
    """The figures that differ between two sentences that are the same otherwise: "4.3× → 3.4×"."""
    mine, theirs = find_measures(now), find_measures(before)
    if len(mine) != len(theirs):
        return ""
    pairs = [
        (before[old.start : old.end].strip(), now[new.start : new.end].strip(), new.metric)
        for new, old in zip(mine, theirs, strict=True)
        if new.value != old.value
    ]
    return ", ".join(f"{metric} {old} → {new}".strip() for old, new, metric in pairs[:_NAMED])


@lru_cache(maxsize=16384)
def _masked(text: str) -> str:
    """A sentence without its figures, without what says that it is a correction, and without marks."""
    parts, position = [], 0
    for found in find_measures(text):
        parts.append(text[position : found.start])
        parts.append(f" {canonical_unit(found.unit)} ")
        position = found.end
    parts.append(text[position:])
    return _NO_LETTER.sub(" ", _MARK.sub(" ", "".join(parts)).casefold()).strip()


def _folded(later: Increment, earlier: Increment, changes: Sequence[Change]) -> Increment:
    """One finding of a correction and what it corrects: the later one's words, and what only the earlier one says."""
    gone = {place for change in changes for place in change.places}
    before = earlier.model_copy(
        update={
            "points": tuple(one for one in earlier.points if _place(one.evidence) not in gone),
            "evidence": tuple(one for one in earlier.evidence if _place(one) not in gone),
            "measures": tuple(one for one in earlier.measures if _place(one.evidence) not in gone),
            "lineage": None if len(earlier.notes) < 2 else earlier.lineage,
        }
    )
    both = merge([before, later])
    is_named = bool(read_subject(later.title).names) or _masked(later.title) == _masked(earlier.title)
    return both.model_copy(
        update={
            "title": later.title if is_named else earlier.title,
            "summary": later.summary,
            "points": said_once((*later.points, *before.points)),
            "credibility": later.credibility if later.credibility.stated is not None else both.credibility,
            "corrected": (*earlier.corrected, _correction(earlier, changes)),
        }
    )


def _without(note: Extraction, increments: Sequence[Increment], superseded: Collection[Place]) -> Extraction:
    """A note without the claims that were corrected, wherever it makes them, and without what these contradicted."""
    claims = standing_claims(note.claims, superseded)
    contradictions = tuple(one for one in note.contradictions if not _is_settled(one, superseded))
    if tuple(increments) == note.increments and len(claims) == len(note.claims):
        return note
    return note.model_copy(update={"increments": tuple(increments), "claims": claims, "contradictions": contradictions})


def standing_claims(claims: Sequence[Claim], superseded: Collection[Place]) -> tuple[Claim, ...]:
    """Return claims without those that were corrected, wherever their note makes them."""
    if not superseded:
        return tuple(claims)
    measured = [claim for claim in claims if claim.kind == "measure"]
    gone = {_said(claim) for claim in measured if _place(claim.evidence) in superseded}
    return tuple(claim for claim in claims if claim.kind != "measure" or _said(claim) not in gone)


def _said(claim: Claim) -> tuple[str, ...]:
    return claim.evidence.note, claim.subject, claim.attribute, claim.value


def _is_settled(contradiction: Contradiction, superseded: Collection[Place]) -> bool:
    return contradiction.kind in _SETTLED and all(_place(side) in superseded for side in contradiction.sides)


def _place(evidence: Evidence) -> Place:
    return evidence.note, evidence.start, evidence.end


def _about(measure: Measure) -> str:
    is_named = measure.subject.strip() and measure.subject.casefold() not in measure.metric.casefold()
    return f"{measure.subject} {measure.metric}" if is_named else measure.metric


def _values(measures: Sequence[Measure]) -> str:
    """Values of one metric, the smallest first: "40, 42 ms"."""
    unit = measures[0].unit
    numbers = ", ".join(f"{one.value:,.12g}" for one in sorted(measures, key=lambda one: one.value)[:_NAMED])
    if unit in _PREFIXED:
        return f"{unit}{numbers}"
    return f"{numbers}{'' if not unit or unit in _GLUED else ' '}{unit}"

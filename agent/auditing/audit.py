"""Holds a brief that somebody else wrote against the workspace, and says of everything in it whether it holds.

Promises: plain code alone, no model; the brief is never held against itself; the same brief and workspace give the same audit;
nothing in the brief raises. Something is called false only where the workspace says otherwise or the brief contradicts itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agent.auditing.amounts import figures
from agent.auditing.beyond import looked_beyond
from agent.auditing.brief import Brief
from agent.auditing.citing import silent_sources, sources
from agent.auditing.counted import counts
from agent.auditing.crediting import credited
from agent.auditing.dated import dates
from agent.auditing.findings import Audit, Finding, FindingKind, Verdict, in_order, tallied
from agent.auditing.papers import identifiers
from agent.auditing.products import products
from agent.auditing.quotes import quotations
from agent.auditing.restating import restated
from agent.auditing.shelf import Shelf
from agent.auditing.words import remark
from agent.reading.measures import numbers_in
from agent.reading.statements import said_of_agents
from agent.records import Contradiction, ContradictionKind, Evidence, Language, Side, ToVerify, Window
from agent.texts import LivingDocument, Note

_KINDS: dict[ContradictionKind, FindingKind] = {
    "arithmetic": "ratio", "count": "count", "coverage": "coverage", "identifier": "identifier", "source": "source",
}  # fmt: skip
# What a text may say against itself, and be right all the same.
_TO_BE_LOOKED_AT = frozenset({
    "figure-for-several", "table-conditions", "newest-version", "novelty", "rating-undermined", "source-name", "register-taken", "register-used", "model",
})  # fmt: skip
_SETTLED = frozenset({"identifier-after-note"})  # by a check of our own


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a brief is held against.

    Attributes:
        notes: of the workspace; the brief itself may be among them.
        others: notes of the workspace that it is not held against, such as those of other days.
        paths: all notes of the workspace, read or not.
        agents: names of the inbox folders.
        stock: arXiv identifiers that have a paper card.
        inside: what the brief says against itself.
        across: what it says against other texts.
        questions: what nobody can tell yet, of both.
        window: first and last day of the notes, or None without any.
        remarks: what a reader should know, one sentence each.
    """

    notes: tuple[Note, ...] = ()
    others: tuple[Note, ...] = ()
    documents: tuple[LivingDocument, ...] = ()
    paths: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    stock: frozenset[str] = frozenset()
    inside: tuple[Contradiction, ...] = ()
    across: tuple[Contradiction, ...] = ()
    questions: tuple[ToVerify, ...] = ()
    window: Window | None = None
    remarks: tuple[str, ...] = ()


def audit(note: Note, around: Surroundings, *, language: Language) -> Audit:
    """Audit a brief."""
    shelf = Shelf(around.notes, around.documents, without=note.path)
    brief = Brief(note, shelf, paths=around.paths, agents=around.agents)
    told = restated(brief, language=language)
    looked_up = (
        *identifiers(brief, stock=around.stock, language=language),
        *figures(brief, told.borne_out, language=language),
        *products(brief, language=language),
        *credited(brief, language=language),
        *dates(brief, language=language),
        *counts(brief, language=language),
    )
    contested = tuple(_contested(brief, around))
    looked_up = tuple(_without_doubles(looked_up, (*told.findings, *contested)))
    found = (
        *told.findings,
        *looked_up,
        *quotations(brief, language=language),
        *sources(brief, language=language),
        *silent_sources(brief, (*told.findings, *looked_up), language=language),
        *contested,
    )
    findings = in_order(looked_beyond(found, around.others, without=note.path, language=language))
    return Audit(
        brief=note.path,
        agent=note.agent,
        date=note.date,
        sha256=note.sha256,
        language=language,
        window=around.window,
        notes=tuple(sorted(text.path for text in shelf.texts if text.document is None)),
        documents=tuple(text.note.path for text in shelf.texts if text.document is not None),
        findings=findings,
        tallies=tallied(findings),
        remarks=tuple(dict.fromkeys(remark(one, language) for one in (*note.remarks, *around.remarks))),
    )


def _without_doubles(findings: Iterable[Finding], told: Sequence[Finding]) -> Iterator[Finding]:
    """Leave out figures that a finding about their sentence already tells of."""
    altered = {one.place.start: one.because for one in told if one.verdict in {"false", "questionable"}}
    findings = tuple(findings)
    conditions = {
        (one.place.start, one.says.rpartition(" · ")[2]) for one in findings if one.found_by == "other-condition"
    }
    for one in findings:
        because = altered.get(one.place.start, "")
        is_told = bool(numbers_in(one.says) & numbers_in(because)) or any(part in because for part in one.says.split())
        if one.found_by == "other-name":
            is_told = is_told or (one.place.start, one.says) in conditions
        if one.verdict == "holds" or one.kind not in {"figure", "statement"} or not is_told:
            yield one


def _contested(brief: Brief, around: Surroundings) -> Iterator[Finding]:
    for one in around.inside:
        if one.found_by not in _SETTLED and not _is_told(brief, one):
            is_doubtful = one.found_by in _TO_BE_LOOKED_AT or one.severity == "low" or _is_reported(brief, one)
            yield from _contradiction(brief, one, "questionable" if is_doubtful else "false")
    raised = {(one.found_by, side.start) for one in around.inside for side in one.sides}
    for one in around.across:
        if not any((one.found_by, side.start) in raised for side in _own(brief, one.sides)) and not _is_told(
            brief, one
        ):
            yield from _contradiction(brief, one, _across(brief, one))
    for question in around.questions:
        own = [place for place in question.evidence if place.note == brief.note.path]
        is_told = any(_is_of_disputes(brief, place) for place in own)
        if own and not is_told and question.found_by not in _SETTLED and not _is_of_source(brief, own[0], question):
            yield Finding(
                kind="contradiction",
                verdict="questionable",
                says=own[0].quote,
                place=own[0],
                found=tuple(place for place in question.evidence if place != own[0]),
                because=question.claim,
                advice=question.suggestion,
                found_by=question.found_by,
            )


def _is_told(brief: Brief, one: Contradiction) -> bool:
    """Whether the brief tells of a contradiction itself, with both sides, and so is none."""
    if any(_is_of_disputes(brief, side) for side in _own(brief, one.sides)):
        return True
    said = {"".join(side.says.split()) for side in one.sides}
    return len(said) > 1 and all(each in brief.disputed for each in said)


def _is_of_disputes(brief: Brief, place: Evidence) -> bool:
    passage = brief.passage_at(place.start)
    return passage is not None and passage.is_of_disputes


def _is_reported(brief: Brief, one: Contradiction) -> bool:
    """Whether the sides are what notes say, each with its line: then the notes disagree, and the brief has them rightly."""
    own = _own(brief, one.sides)
    return len(own) > 1 and sum(brief.is_report(side.start) for side in own) >= len(own) - 1


def _is_of_source(brief: Brief, own: Evidence, question: ToVerify) -> bool:
    """Whether the other side stands in a text that the passage rests on: then it was looked up already."""
    passage = brief.passage_at(own.start)
    rests_on = {text.path for text in passage.rests_on} if passage else set()
    others = {place.note for place in question.evidence} - {brief.note.path}
    return bool(others) and others <= rests_on


def _across(brief: Brief, one: Contradiction) -> Verdict:
    """What a contradiction with another text makes of the brief: false where that text is the one it rests on."""
    if one.found_by == "said-missing":
        return "questionable" if any(brief.is_report(side.start) for side in _own(brief, one.sides)) else "false"
    if one.found_by in _TO_BE_LOOKED_AT or one.kind == "role":
        return "questionable"
    for side in _own(brief, one.sides):
        passage = brief.passage_at(side.start)
        cited = {text.path for text in passage.cited} if passage else set()
        if any(other.note in cited for other in one.sides if other.note != brief.note.path):
            return "false"
    return "questionable"


def _own(brief: Brief, sides: Iterable[Side]) -> list[Side]:
    return [side for side in sides if side.note == brief.note.path]


def _says_missing(brief: Brief, side: Side) -> bool:
    """Whether a side says that something is missing; the other one is the note that is there."""
    return any(said.deed == "missing" for said in said_of_agents(side.quote, agents=brief.agents))


def _place(side: Side) -> Evidence:
    return Evidence(note=side.note, start=side.start, end=side.end, quote=side.quote, line=side.line)


def _contradiction(brief: Brief, one: Contradiction, verdict: Verdict) -> Iterator[Finding]:
    own = [side for side in _own(brief, one.sides) if one.found_by != "said-missing" or _says_missing(brief, side)]
    if not own:
        return
    first = own[0]
    yield Finding(
        kind=_KINDS.get(one.kind, "contradiction"),
        verdict=verdict,
        says=first.says,
        place=brief.evidence(first.start),
        found=tuple(_place(side) for side in one.sides if side is not first),
        because=one.statement,
        advice=one.settle,
        found_by=one.found_by,
    )

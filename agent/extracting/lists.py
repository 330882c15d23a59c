"""What a note lists beside its increments: leads, claims to verify, identifiers, the sources it has read."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from agent.extracting.asides import aside
from agent.extracting.knowledge import Knowledge
from agent.extracting.sources import sources_of
from agent.reading.citations import cited_notes
from agent.reading.identifiers import find_arxiv, is_after
from agent.reading.showing import as_evidence, breadth, plain
from agent.reading.statements import said_of_agents, stated_verification
from agent.records import AgentDeed, ArxivMention, Language, Lead, Source, ToVerify
from agent.texts import Note, Segment, Unit

_MIN_LEAD = 12  # breadth: narrower rows are captions
_ODD: dict[Language, tuple[str, str]] = {
    "zh": ("月份晚于笔记日期 {date}", "写法不规范"),
    "en": ("month after the note's date {date}", "written oddly"),
}
_MIN_DOUBT = 20  # breadth: narrower units are captions
_CAUTION = re.compile(
    r"\A[\s>*_•\-⚠\ufe0f]{0,8}(?:warning|caution|caveat|beware|警告|警示)[*_]{0,2} ?[:：]", re.IGNORECASE
)
_CAPTIONS = frozenset({"线索", "来源", "价值", "lead", "source", "value"})
# What stands under a heading that has nothing to say.
_NOTHING = re.compile(
    r"(?:\W{0,3}(?:暂?无|暂?没有|none|nothing|nil|n/?a)(?:待核实|内容|item)?s?)?\W{0,3}", re.IGNORECASE
)


def leads(note: Note, segments: Iterable[Segment]) -> tuple[Lead, ...]:
    """Return each entry of the note's lists of leads; captions of a table are none."""
    return tuple(
        Lead(
            text=plain(unit.text),
            evidence=(as_evidence(note, unit),),
            arxiv_ids=tuple(dict.fromkeys(span.identifier for span in find_arxiv(unit.text))),
        )
        for segment in segments
        if segment.role == "leads"
        for unit in segment.units
        if _is_entry(unit)
    )


def verifications(note: Note, segments: Sequence[Segment]) -> tuple[ToVerify, ...]:
    """Return the note's own claims to verify, warnings and doubts.

    A list of claims that says that there is none holds none.
    """
    stated = [_verification(note, segment) for segment in segments if segment.role in {"to_verify", "warning"}]
    found = [one for one in stated if one.question or one.suggestion or not _NOTHING.fullmatch(one.claim)]
    found += _doubts(note, segments)
    return tuple(found)


def sources_read(note: Note, segments: Iterable[Segment], knowledge: Knowledge) -> tuple[Source, ...]:
    """Return what the note says it has read, resolved against the workspace."""
    text = "\n".join(unit.text for segment in segments if segment.role == "checked" for unit in segment.units)
    return sources_of(
        note, cited=cited_notes(text, agents=knowledge.agents), arxiv_ids=(), urls=(), knowledge=knowledge
    )


def deeds(note: Note, segments: Iterable[Segment], agents: Sequence[str]) -> tuple[AgentDeed, ...]:
    """Return what the note says that relay agents did or did not do, each once for a unit."""
    found = (
        AgentDeed(agent=said.agent, deed=said.deed, evidence=as_evidence(note, unit))
        for segment in segments
        for unit in segment.units
        if unit.kind != "code"
        for said in said_of_agents(unit.text, agents=agents)
    )
    return tuple(dict.fromkeys(found))


def arxiv_mentions(
    note: Note, *, knowledge: Knowledge, titles: dict[str, str], language: Language
) -> tuple[ArxivMention, ...]:
    """Return every identifier of the note, in order of appearance; `titles` are those known by identifier.

    An identifier is stock when the workspace has it, and when the note itself cites it by the name of a paper card.
    """
    versions: dict[str, set[int]] = {}
    is_odd: set[str] = set()
    cards: set[str] = set()
    for span in find_arxiv(note.text):
        known = versions.setdefault(span.identifier, set())
        if span.version is not None:
            known.add(span.version)
        if span.is_written_oddly:
            is_odd.add(span.identifier)
        if span.form == "card":
            cards.add(span.identifier)
    return tuple(
        ArxivMention(
            id=identifier,
            versions=tuple(sorted(found)),
            title=titles.get(identifier),
            status="stock" if identifier in knowledge.stock | cards else "new",
            notes=(note.path,),
            remarks=_remarks(identifier, note, is_odd=identifier in is_odd, language=language),
        )
        for identifier, found in versions.items()
    )


def _remarks(identifier: str, note: Note, *, is_odd: bool, language: Language) -> tuple[str, ...]:
    late, odd = _ODD[language]
    after = (late.format(date=note.date.isoformat()),) if is_after(identifier, note.date) else ()
    return after + ((odd,) if is_odd else ())


def _is_entry(unit: Unit) -> bool:
    text = plain(unit.text)
    if unit.kind in {"heading", "rule", "comment", "code"} or breadth(text) < _MIN_LEAD:
        return False
    return not set(text.replace("·", " ").lower().split()) <= _CAPTIONS


def _verification(note: Note, segment: Segment) -> ToVerify:
    text = note.text[segment.start : segment.end]
    said = stated_verification(text)
    return ToVerify(
        claim=plain(said.claim or segment.title or segment.units[0].text),
        question=plain(said.question),
        suggestion=plain(said.suggestion),
        evidence=tuple(as_evidence(note, unit) for unit in _cited(segment.units)),
        found_by="note",
    )


def _doubts(note: Note, segments: Iterable[Segment]) -> list[ToVerify]:
    """What a note doubts or warns of in passing; sentences side by side are one doubt."""
    found: list[list[Unit]] = []
    for segment in segments:
        if segment.role not in {"head", "body", "increment"}:
            continue
        for before, unit in pairwise([None, *segment.units]):
            if unit is None or not _is_doubt(unit):
                continue
            if before and found and found[-1][-1] is before and _is_near(before, unit):
                found[-1].append(unit)
            else:
                found.append([unit])
    return [
        ToVerify(
            claim=" ".join(plain(unit.text) for unit in units),
            question="",
            suggestion="",
            evidence=tuple(as_evidence(note, unit) for unit in units),
            found_by="note",
        )
        for units in found
    ]


def _is_near(before: Unit, unit: Unit) -> bool:
    return unit.line <= before.line + before.text.count("\n") + 1


def _is_doubt(unit: Unit) -> bool:
    if unit.kind in {"heading", "code"} or breadth(unit.text) < _MIN_DOUBT:
        return False
    return aside(unit.text) == "doubt" or _CAUTION.match(unit.text) is not None


def _cited(units: Sequence[Unit]) -> Sequence[Unit]:
    return [unit for unit in units if unit.kind not in {"rule", "comment"}]

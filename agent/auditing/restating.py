"""Sentences that a brief took over from another text, and what was altered on the way.

A sentence that stands nearly so in a text and differs from it in one figure, unit, negation, comparison or name was copied
wrongly, where the brief cites that text; where it does not, both may be right, and somebody must look. What a sentence leaves
out is no alteration.

Promises: a sentence that some text bears out is never called altered; nor is one that the brief itself reports in order to
reject it, or that differs in more than one thing that it stands or falls with.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.auditing.brief import Brief, Passage
from agent.auditing.findings import Finding
from agent.auditing.matter import keys_of
from agent.auditing.quoting import Difference
from agent.auditing.shelf import Judgement, Shelved
from agent.auditing.turning import Turn
from agent.auditing.words import AUDIT_WORDS, reason
from agent.checking.stance import stance_of
from agent.reading.labels import labelled
from agent.reading.showing import as_evidence, breadth
from agent.records import Evidence, Language
from agent.texts import Unit

_OWN = frozenset({"source", "arxiv", "priority", "author", "cutoff", "kind", "topic", "checked", "baseline"})
_PROPOSED = frozenset({"placement", "relation", "suggestion", "question"})
_BREADTH = 20  # of a sentence that can be told again
_CITED, _UNCITED = 0.8, 0.88  # likeness from which a sentence counts as the same one
_SLOT, _EDGE = 4, 2  # words that change places, inside a sentence and at its edges
_FIGURES = frozenset({"figure", "unit", "identifier", "version"})
_LINK_BEHIND = re.compile(r"\[[^\[\]\n]{0,400}\]\([^()\n]{0,600}\)\Z")
_LONGEST_LINK = 1_000
_CLAUSE_END = re.compile(r"[；;。]|\.(?=\s)")
_FORMS: dict[Turn, tuple[re.Pattern[str], ...]] = {  # one of which both sides have, if one took the other's place
    "figure": (
        re.compile("[0-9０-９]"),
        re.compile("[零〇一二两三四五六七八九十百千万亿半双]"),
        re.compile(
            r"(?<![A-Za-z])(?:one|two|three|four|five|six|seven|eight|nine|ten|half|doubled?|twice|tripled?|third|quarter)(?![a-z])",
            re.IGNORECASE,
        ),
    ),
    "version": (re.compile(r"[0-9]"),),
    "name": (re.compile(r"[A-Z]"),),
    "identifier": (re.compile(r"[0-9]{4}[.．][0-9]{4,5}"),),
}
_WORD = re.compile(r"[A-Za-z]+|[0-9][0-9.,:]*|[^\sA-Za-z0-9]")


@dataclass(frozen=True, slots=True)
class Restated:
    """What came of the sentences: findings, and the text that bears out each unit of the brief, by the unit's number."""

    findings: tuple[Finding, ...]
    borne_out: Mapping[int, Evidence]


def restated(brief: Brief, *, language: Language) -> Restated:
    """Hold each sentence of a brief against the texts it rests on, then against all."""
    findings: list[Finding] = []
    borne_out: dict[int, Evidence] = {}
    for passage in brief.passages:
        if passage.segment.role in {"checked", "arxiv_list"}:
            continue
        for unit in passage.told:
            said = _said(unit, passage)
            found = brief.judge(said, passage) if said else None
            if found is not None and found.judged.is_borne_out:
                borne_out[unit.number] = found.text.evidence_at(found.judged.start)
                findings.append(_holding(brief, unit, said, found))
            elif said:
                findings += _clauses(brief, passage, unit, said, language)
    return Restated(tuple(findings), borne_out)


def _clauses(brief: Brief, passage: Passage, unit: Unit, said: str, language: Language) -> Iterator[Finding]:
    """Yield what was altered in a sentence: as a whole, else in its clauses, the first one only."""
    clauses = [clause for clause in _CLAUSE_END.split(said) if breadth(clause) >= _BREADTH]
    for part in (said, *(clauses if len(clauses) > 1 else ())):
        found = brief.judge(part, passage)
        altered = list(_altered(brief, passage, unit, part, found, language)) if found else []
        yield from altered
        if altered:
            return


def _said(unit: Unit, passage: Passage) -> str:
    """Return what a unit says, without its label; nothing where that is too short or the brief's own business."""
    labels = passage.labels_of(unit)
    if unit is passage.segment.heading:
        said = passage.segment.title
        return said if breadth(said) >= _BREADTH else ""
    if labels & _OWN or labels & _PROPOSED:
        return ""
    found = labelled(unit.text)
    start = found[-1].value_start if found else 0
    said = _without_links_behind(unit.text[start:].lstrip(" \t-*•·>|"))
    return said if breadth(said) >= _BREADTH else ""


def _without_links_behind(said: str) -> str:
    """Return a sentence without the links that tell where it stands."""
    said = said.rstrip()
    while said.endswith(")") and (link := _LINK_BEHIND.search(said, max(0, len(said) - _LONGEST_LINK))):
        said = said[: link.start()].rstrip()
    return said


def _holding(brief: Brief, unit: Unit, said: str, found: Judgement) -> Finding:
    return Finding(
        kind="statement",
        verdict="holds",
        says=said,
        place=as_evidence(brief.note, unit),
        found=(found.text.evidence_at(found.judged.start),),
        found_by=found.judged.status,
    )


def _altered(
    brief: Brief, passage: Passage, unit: Unit, said: str, found: Judgement, language: Language
) -> Iterator[Finding]:
    if found.judged.is_borne_out:
        return
    slot = the_slot(found.judged.differences)
    is_cited = found.text in passage.rests_on
    if slot is None or found.judged.likeness < (_CITED if is_cited else _UNCITED):
        return
    if passage.is_of_disputes or (slot.turn == "figure" and not passage.cited and not _tells_of_a_thing(said)):
        return  # the brief's own count
    if stance_of(unit.text) in {"rejected", "asked"} or _stands_elsewhere(slot, said, passage.rests_on, found.text):
        return
    if not is_cited and (passage.cited or passage.has_outside or slot.turn in _FIGURES):
        return  # of another source, where the same words may go with another figure
    rule = "altered" if is_cited else "near"
    words = AUDIT_WORDS[language]
    told = reason(rule, language, turn=words.turns[slot.turn], quoted=slot.quoted or "—", stands=slot.stands or "—")
    yield Finding(
        kind="statement",
        verdict="false" if is_cited else "questionable",
        says=said,
        place=as_evidence(brief.note, unit),
        found=(found.text.evidence_at(found.judged.start),),
        because=told.because,
        advice=told.advice,
        found_by=f"{rule}-{slot.turn}",
    )


def _tells_of_a_thing(said: str) -> bool:
    """Whether a sentence names a paper, a thing or a condition, and so is none of the brief on itself."""
    return any(kind in {"paper", "name", "condition"} for kind, _ in keys_of(said))


def the_slot(differences: Sequence[Difference]) -> Difference | None:
    """Return the one difference that turns a sentence, or None where there is none or where it tells of something else.

    What is left out turns nothing, except a negation; and where other words were put in, they may say the same as one.
    """
    slots = [one for one in differences if _is_slot(one)]
    if len(slots) != 1:
        return None
    (slot,) = slots
    has_other_words = any(one.quoted.strip(" +") for one in differences if one is not slot)
    return None if slot.turn in {"negation", "comparison"} and has_other_words else slot


def _is_slot(difference: Difference) -> bool:
    """Whether what differs took the place of something, or is a negation."""
    quoted, stands = (len(_WORD.findall(each)) for each in (difference.quoted, difference.stands))
    most = _EDGE if difference.is_at_edge else _SLOT  # more are words put before or behind
    if difference.turn == "wording" or max(quoted, stands) > most:
        return False
    if difference.turn == "negation":
        return True
    forms = _FORMS.get(difference.turn)
    has_forms = forms is None or any(
        form.search(difference.quoted) and form.search(difference.stands) for form in forms
    )
    return quoted > 0 and (stands > 0 or difference.turn == "unit") and has_forms


def _stands_elsewhere(slot: Difference, said: str, texts: Sequence[Shelved], found: Shelved) -> bool:
    """Whether the brief's side of the slot, with what stands around it, stands in a text it rests on after all."""
    at = said.find(slot.quoted)
    if not slot.quoted or at < 0:
        return False
    around = said[max(0, at - 6) : at + len(slot.quoted) + 6]
    return any(text.held.judge(around).is_borne_out for text in (*texts, found))

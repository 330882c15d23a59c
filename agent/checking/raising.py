"""Puts disputes into words: one question for each pair of statements, whatever the number of places that take a side.

Promises: a dispute has the same id on every day and whatever the order of the notes; each side quotes its first place.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.checking.dispute import Dispute, Stated
from agent.checking.phrases import JOINT, PHRASES
from agent.reading.showing import cut
from agent.records import Contradiction, Evidence, Language, Severity, Side, ToVerify

_SEVERITIES: tuple[Severity, ...] = ("high", "medium", "low")
_SHOWN = 3  # sides in the statement; all are quoted below it
_SAYS = 80  # characters of a side in the statement


@dataclass(frozen=True, slots=True)
class Raised:
    """What came of disputes: contradictions, and questions where nobody can tell yet."""

    contradictions: tuple[Contradiction, ...] = ()
    to_verify: tuple[ToVerify, ...] = ()


def raise_all(disputes: Iterable[Dispute], *, language: Language) -> Raised:
    """Put disputes into words; those with one fingerprint are one."""
    alike: dict[str, list[Dispute]] = defaultdict(list)
    for dispute in disputes:
        alike[fingerprint(dispute)].append(dispute)
    contradictions, questions = [], []
    for identifier in sorted(alike):
        same = sorted(alike[identifier], key=_place)
        if same[0].is_question:
            questions.append(_question(same, language))
        else:
            contradictions.append(_contradiction(identifier, same, language))
    contradictions.sort(key=lambda one: (_SEVERITIES.index(one.severity), one.kind, one.id))
    return Raised(tuple(contradictions), tuple(questions))


def fingerprint(dispute: Dispute) -> str:
    """Return what a dispute is known by on every day: its kind, its rule and its key."""
    told = "\0".join((dispute.kind, dispute.rule, *dispute.key)).casefold()
    return f"con-{hashlib.sha256(told.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


def _place(dispute: Dispute) -> tuple[tuple[str, int, str], ...]:
    return tuple(sorted((side.evidence.note, side.evidence.start, side.says) for side in dispute.sides))


def _contradiction(identifier: str, same: Sequence[Dispute], language: Language) -> Contradiction:
    first = same[0]
    sides, others = _sides(same)
    phrase = PHRASES[language][first.rule]
    return Contradiction(
        id=identifier,
        kind=first.kind,
        statement=_statement(first, sides, language),
        sides=tuple(Side(**dict(side.evidence), says=side.says) for side in sides),
        settle=phrase.settle,
        also_affects=others,
        found_by=first.rule,
        severity=min((one.severity for one in same), key=_SEVERITIES.index),
    )


def _question(same: Sequence[Dispute], language: Language) -> ToVerify:
    sides, others = _sides(same)
    return ToVerify(
        claim=_statement(same[0], sides, language),
        question="",
        suggestion=PHRASES[language][same[0].rule].settle,
        evidence=(*(Evidence(**dict(side.evidence)) for side in sides), *others),
        found_by=same[0].rule,
    )


def _statement(dispute: Dispute, sides: Sequence[Stated], language: Language) -> str:
    said = list(dict.fromkeys(cut(side.says, _SAYS) for side in sides))
    shown = JOINT[language].join((*said[:_SHOWN], *(["…"] if len(said) > _SHOWN else [])))
    return PHRASES[language][dispute.rule].statement.format_map(
        {**dispute.details, "about": dispute.about, "sides": shown}
    )


def _sides(same: Sequence[Dispute]) -> tuple[tuple[Stated, ...], tuple[Evidence, ...]]:
    """The first place of each side of one text, and all others; places that say alike in other notes are sides of their own."""
    kept: dict[tuple[str, str], Stated] = {}
    others: dict[tuple[str, int, int], Evidence] = {}
    stated = [side for dispute in same for side in dispute.sides]
    stated.sort(key=lambda side: (side.evidence.note, side.evidence.start, side.says))
    for side in stated:
        first = kept.setdefault((side.evidence.note, " ".join(side.says.casefold().split())), side)
        evidence = side.evidence
        if first is not side and (first.evidence.start, first.evidence.end) != (evidence.start, evidence.end):
            others.setdefault((evidence.note, evidence.start, evidence.end), evidence)
    places = {(one.evidence.note, one.evidence.start, one.evidence.end) for one in kept.values()}
    return tuple(kept.values()), tuple(one for place, one in others.items() if place not in places)

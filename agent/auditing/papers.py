"""arXiv identifiers of a brief: their form, their month, and whether a text that it rests on, or any, has them.

Promises: an identifier that stands anywhere in the workspace holds; one that does not is false only where it cannot exist, or
where the passage tells of the paper whose identifier is one slip of the pen away.
"""

import re
from collections.abc import Iterator

from agent.auditing.brief import Brief, Passage
from agent.auditing.findings import Finding
from agent.auditing.shelf import Shelved, names_of, neighbours
from agent.auditing.words import reason
from agent.reading.identifiers import find_arxiv, is_after
from agent.records import Evidence, Language

_ARXIV = frozenset({"arxiv", "arxivorg"})
_SHARED = 2  # names that tell of the same paper
_FULL_WIDTH = str.maketrans("０１２３４５６７８９．：", "0123456789.:")
# A number that is called an arXiv identifier, whether it can be one or not.
_CALLED = re.compile(
    r"ar[xX]iv(?:\.org/(?:abs|pdf|html)/|[ :：*_`]{0,4}(?:(?:id|ID|编号|号|number|no\.)[ :：*_`]{0,4})?)(?P<id>\d{4}[.．]\d{3,6})(?![\d.]*\d)"
)


def identifiers(brief: Brief, *, stock: frozenset[str], language: Language) -> Iterator[Finding]:
    """Yield what came of each identifier of a brief, at its first place.

    Args:
        brief: the brief in hand.
        stock: identifiers that have a paper card.
        language: of the reasons.
    """
    spans = [span for span in find_arxiv(brief.note.text) if not brief.is_code(span.start)]
    seen: set[str] = set()
    for span in spans:
        if span.identifier in seen:
            continue
        seen.add(span.identifier)
        yield _judged(brief, span.identifier, span.start, stock, language)
    yield from _malformed(brief, [(span.start, span.end) for span in spans], language)


def _malformed(brief: Brief, known: list[tuple[int, int]], language: Language) -> Iterator[Finding]:
    for match in _CALLED.finditer(brief.note.text.translate(_FULL_WIDTH)):
        start, end = match.span("id")
        if any(low < end and start < high for low, high in known) or brief.is_code(start):
            continue
        near = neighbours(match["id"], brief.shelf.identifiers)
        told = reason("form", language, says=match["id"])
        yield Finding(
            kind="identifier",
            verdict="false",
            says=match["id"],
            place=brief.evidence(start),
            found=tuple(_place(brief.shelf.identifiers[one][0], one) for one in near[:1]),
            because=told.because,
            advice=told.advice,
            found_by="form",
        )


def _judged(brief: Brief, identifier: str, start: int, stock: frozenset[str], language: Language) -> Finding:
    place, passage = brief.evidence(start), brief.passage_at(start)
    if is_after(identifier, brief.note.date) and identifier not in brief.disputed:
        told = reason("month-after-brief", language, date=brief.note.date.isoformat())
        near = [one for one in neighbours(identifier, brief.shelf.identifiers) if not is_after(one, brief.note.date)]
        return Finding(
            kind="identifier",
            verdict="false",
            says=identifier,
            place=place,
            found=tuple(_place(brief.shelf.identifiers[one][0], one) for one in near[:1]),
            because=told.because,
            advice=told.advice,
            found_by="month-after-brief",
        )
    bearing = _bearing(brief, identifier, passage)
    if bearing is not None or identifier in stock:
        found = (_place(bearing, identifier),) if bearing else ()
        return Finding(kind="identifier", verdict="holds", says=identifier, place=place, found=found, found_by="found")
    return _missing(brief, identifier, place, passage, language)


def _bearing(brief: Brief, identifier: str, passage: Passage | None) -> Shelved | None:
    having = brief.shelf.identifiers.get(identifier, ())
    own = [text for text in passage.rests_on if text in having] if passage else []
    return next(iter((*own, *having)), None)


def _missing(brief: Brief, identifier: str, place: Evidence, passage: Passage | None, language: Language) -> Finding:
    slip = _slip(brief, identifier, place, passage)
    rule = "one-slip" if slip else "nowhere"
    told = reason(rule, language, says=identifier, stands=slip[1] if slip else "")
    return Finding(
        kind="identifier",
        verdict="false" if slip else "unsupported",
        says=identifier,
        place=place,
        found=(_place(*slip),) if slip else (),
        because=told.because,
        advice=told.advice,
        found_by=rule,
    )


def _slip(brief: Brief, identifier: str, place: Evidence, passage: Passage | None) -> tuple[Shelved, str] | None:
    """The identifier that this one was probably copied from: one slip away, and the brief does not have it as well."""
    own = {span.identifier for span in find_arxiv(brief.note.text)}
    names = names_of(place.quote) - _ARXIV
    rests_on = passage.rests_on if passage else ()
    for near in neighbours(identifier, brief.shelf.identifiers):
        if near in own:
            continue
        for text in brief.shelf.identifiers[near]:
            if text in rests_on or len(names & names_of(_place(text, near).quote)) >= _SHARED:
                return text, near
    return None


def _place(text: Shelved, identifier: str) -> Evidence:
    return text.evidence_at(text.identifiers[identifier])

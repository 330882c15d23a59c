"""Gold answers for a small note, and extractions that say just what gold answers want."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from agent.evaluating.gold import Gold, Lines
from agent.evaluating.scoring import Ruled
from agent.records import (
    ArxivMention,
    Contradiction,
    Credibility,
    Evidence,
    Extraction,
    Increment,
    Placement,
    Side,
    ToVerify,
)

PATH = "inbox/tom/2026-09-14-radar.md"


def gold_of(*increments: dict[str, Any], **more: Any) -> Gold:
    """Return gold answers for a note of tom's."""
    base = {"note": PATH, "agent": "tom", "date": dt.date(2026, 9, 14), "arxiv_all": []}
    return Gold.model_validate({**base, "increments": increments, **more})


def cited(note: Ruled, lines: Lines) -> tuple[Evidence, ...]:
    """Return one quote for each of some lines, its line end left out."""
    ends = (*note.starts, len(note.text) + 1)
    spans = [
        (ends[number - 1], max(ends[number - 1] + 1, ends[number] - 1)) for number in range(lines[0], lines[1] + 1)
    ]
    return tuple(
        Evidence(note=note.path, start=start, end=end, quote=note.text[start:end], line=number)
        for number, (start, end) in enumerate(spans, lines[0])
    )


def an_increment(evidence: Sequence[Evidence], **more: Any) -> Increment:
    """Return an increment with these quotes; what is not given is plain."""
    note = evidence[0].note if evidence else PATH
    base: dict[str, Any] = {
        "id": "i1",
        "title": "A finding",
        "summary": "It says something.",
        "points": (),
        "evidence": tuple(evidence),
        "credibility": Credibility(stars=3, basis="other", reason="plain"),
        "notes": (note,),
        "agents": (note.split("/")[1],),
        "relation": "new",
    }
    return Increment.model_validate({**base, **more})


def an_extraction(*increments: Increment, **more: Any) -> Extraction:
    """Return an extraction of the note."""
    base = {"note": PATH, "agent": "tom", "date": dt.date(2026, 9, 14), "sha256": "0" * 64, "engine": "none"}
    return Extraction.model_validate({**base, "increments": increments, **more})


def a_contradiction(*sides: Evidence) -> Contradiction:
    """Return a contradiction that quotes these sides."""
    told = tuple(Side(**side.model_dump(), says="so") for side in sides)
    return Contradiction(id="c1", kind="value", statement="Both.", sides=told, found_by="rule", severity="low")


def perfect(gold: Gold, note: Ruled) -> Extraction:
    """Return the extraction that gold answers describe, every line of each passage cited."""
    increments = [
        an_increment(
            cited(note, one.lines),
            id=one.id,
            credibility=Credibility(stars=1, stated=one.stars, basis="other", reason="plain"),
            placements=[_placed(each.doc, each.section) for each in one.placements[:1]],
            relation=one.relation or "new",
            arxiv_ids=one.arxiv,
        )
        for one in gold.increments
    ]
    return an_extraction(
        *increments,
        note=note.path,
        arxiv=[ArxivMention(id=each, status="new", notes=(note.path,)) for each in gold.arxiv_all],
        to_verify=[
            ToVerify(claim="It is so.", question="Is it?", suggestion="Look.", evidence=cited(note, one.lines))
            for one in gold.to_verify
        ],
        contradictions=[
            a_contradiction(*(side for lines in one.lines for side in cited(note, lines)))
            for one in gold.inside_contradictions
        ],
    )


def _placed(document: str, section: str) -> Placement:
    return Placement(
        document=document, section=section, action="append", reason="it fits", proposed_by="code", exists=True
    )

"""What a brief credits an agent with: a paper, a figure, a rating that stands in that agent's notes, or in another's.

Promises: an agent is credited only by name, with a verb or a note of its own right behind it; what stands in any note of that
agent holds; nothing is called false because a note was not read. Nothing raises.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agent.auditing.brief import Brief, Passage
from agent.auditing.contrary import speaking
from agent.auditing.findings import Finding
from agent.auditing.matter import are_of_one_thing, keys_of
from agent.auditing.shelf import COUNT, Shelved, figures_in, measured
from agent.auditing.words import reason
from agent.checking.stance import stance_of
from agent.reading.identifiers import find_arxiv
from agent.reading.quantities import fold
from agent.reading.ratings import stated_stars
from agent.reading.sections import numeral
from agent.reading.showing import as_evidence
from agent.reading.statements import NUMBER_WORDS
from agent.records import Evidence, Language
from agent.texts import Segment, Unit

_DEED = re.compile(
    r"\s{0,2}(?:的\s?(?:笔记|简报|雷达|通稿|精读|随笔|过滤|预消化)|在[^，。;\n]{0,12}?(?:里|中)|(?:也|又|还|均|都|自己|另)?\s?(?:给|记|读|报|测|量|收|写|评|称|说|指出|提到|复测|实测)"
    r"|['’]s (?:\w+ ){0,2}(?:note|brief|radar|digest|read|essay|filter|round-?up)|(?:, who [^,;.\n]{1,40},)? (?:also |itself )?"
    r"(?:rates?|rated|reports?|reported|reads?|says?|said|writes?|wrote|measures?|measured|found|finds|gives?|gave|notes|noted|puts|counts|has|had|filed|collected|tells))"
)
_STOP = re.compile(r"[。;；\n]|\.\s")
_STARS = re.compile(
    r"(?:评|给|打|rat|giv|gave|star|星)[^\d★⭐\n]{0,16}?(?:(?P<number>[1-5一二两三四五])\s?(?:颗?星|stars?\b|/\s?5(?!\d))|(?P<run>[★⭐]{1,5}))",
    re.IGNORECASE,
)
_SCORE = 1.0


@dataclass(frozen=True, slots=True)
class _Credited:
    """A stretch of a sentence that is told as one agent's."""

    agent: str
    start: int
    end: int


def credited(brief: Brief, *, language: Language) -> Iterator[Finding]:
    """Yield each paper, figure and rating that is told as one agent's and is another's."""
    if not brief.agents:
        return
    for passage in brief.passages:
        if passage.segment.role in {"checked", "arxiv_list", "to_verify"} or passage.is_of_disputes:
            continue
        for unit in passage.told:
            if stance_of(unit.text) not in {"rejected", "asked"}:
                for one in _stretches(brief, unit.text):
                    yield from _judged(brief, passage, unit, one, language)


def _stretches(brief: Brief, text: str) -> Iterator[_Credited]:
    folded = fold(text)
    found = brief.named_agents(folded)
    for place, (_, end, agent) in enumerate(found):
        limit = found[place + 1][0] if place + 1 < len(found) else len(folded)
        stop = _STOP.search(folded, end, limit)
        if _DEED.match(folded, end):
            yield _Credited(agent, end, stop.start() if stop else limit)


def _judged(brief: Brief, passage: Passage, unit: Unit, one: _Credited, language: Language) -> Iterator[Finding]:
    own = [text for text in brief.shelf.texts if text.note.agent == one.agent and text.document is None]
    others = [text for text in brief.shelf.texts if text.document is None and text not in own]
    if not own:
        return
    said, place = unit.text[one.start : one.end], as_evidence(brief.note, unit)
    papers = [span.identifier for span in find_arxiv(said)]
    for identifier in papers:
        holders = [text for text in others if identifier in text.identifiers]
        if holders and not any(identifier in text.identifiers for text in own):
            yield _of_other(
                place, one.agent, holders[0], holders[0].identifiers[identifier], identifier, language=language
            )
            return
    cited = [text for text in passage.notes if text not in own]
    for measure in figures_in(unit.text):
        if not one.start <= measure.start < one.end or measured(measure)[0] == COUNT:
            continue
        theirs = [(text, amount) for text in cited for amount in text.having(*measured(measure), 0.0)]
        if theirs and not any(True for text in own for _ in text.having(*measured(measure), 0.0)):
            text, amount = theirs[0]
            yield _of_other(
                place, one.agent, text, amount.unit.start, unit.text[measure.start : measure.end], language=language
            )
            return
    yield from _rated(brief, passage, unit, one, language)


def _of_other(place: Evidence, agent: str, text: Shelved, start: int, said: str, *, language: Language) -> Finding:
    told = reason("other-agent", language, says=said, quoted=agent, stands=text.note.agent)
    return Finding(
        kind="source", verdict="false", says=f"{agent} · {said}", place=place, found=(text.evidence_at(start),),
        because=told.because, advice=told.advice, found_by="other-agent",
    )  # fmt: skip


def _rated(brief: Brief, passage: Passage, unit: Unit, one: _Credited, language: Language) -> Iterator[Finding]:
    """Yield the rating that is told as an agent's, where that agent's statement about the same has another one."""
    match = _STARS.search(fold(unit.text), max(0, one.start - 1), one.end)
    stars = _number(match) if match else None
    if match is None or stars is None:
        return
    cited = passage.notes
    own = [text for text in cited if text.note.agent == one.agent]
    place, said = as_evidence(brief.note, unit), unit.text[match.start() : match.end()]
    if cited and not own and not passage.has_outside:
        others = [text for text in brief.shelf.texts if text.note.agent == one.agent and text.document is None]
        if not list(_ratings(others, passage, least=2 * _SCORE)):
            for text, rating, given in _ratings(cited, passage, least=_SCORE):
                if given == stars:
                    yield _of_other(place, one.agent, text, rating.start, said, language=language)
                    return
        return
    found = list(_ratings(own, passage, least=_SCORE))
    if found and all(given != stars for *_, given in found):
        text, rating, given = found[0]
        told = reason("other-rating", language, says=str(stars), quoted=one.agent, stands=str(given))
        yield Finding(
            kind="statement", verdict="false", says=said, place=place, found=(as_evidence(text.note, rating),), because=told.because,
            advice=told.advice, found_by="other-rating",
        )  # fmt: skip


def _ratings(texts: Iterable[Shelved], passage: Passage, *, least: float) -> Iterator[tuple[Shelved, Unit, int]]:
    """Yield the ratings that some texts state for what a passage is about."""
    told = [unit.text for unit in passage.told if "source" not in passage.labels_of(unit)]
    keys = frozenset[tuple[str, str]]().union(*map(keys_of, told))
    for text in texts:
        segments = [near.segment for _, near in speaking([text], keys, least=least)]
        for segment in {one.number: one for one in segments}.values():
            there = [unit.text for unit in segment.units if unit.kind != "code"]
            if (found := _rating_of(segment)) is not None and are_of_one_thing(told, there):
                yield text, *found


def _rating_of(segment: Segment) -> tuple[Unit, int] | None:
    for unit in segment.units:
        if (found := stated_stars(unit.text)) is not None:
            return unit, found.stars
    return None


def _number(match: re.Match[str]) -> int | None:
    if match["run"]:
        return len(match["run"])
    return numeral(match["number"]) or NUMBER_WORDS.get(match["number"].lower())

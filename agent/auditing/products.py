"""Versions, devices, models and formats of a brief: whether the source has them, or another one of the kind in their place.

Promises: one that any text of the workspace has holds and is not reported; another one is said to stand in its place only where the
source's statement about the same names exactly one of the kind, and the brief's sentence does not name that as well.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from agent.auditing.brief import Brief, Passage
from agent.auditing.contrary import speaking
from agent.auditing.findings import Finding
from agent.auditing.matter import condition_key, keys_of
from agent.auditing.shelf import Shelved
from agent.auditing.words import reason
from agent.checking.stance import stance_in
from agent.reading.conditions import find_conditions
from agent.reading.naming import WORD, name_key
from agent.reading.quantities import fold
from agent.reading.showing import as_evidence
from agent.records import Language
from agent.texts import Unit

_KINDS = ("hardware", "model", "precision", "batch", "concurrency")
_LEFT_ALONE = frozenset({
    "credibility", "arxiv", "priority", "author", "cutoff", "kind", "topic", "checked", "baseline", "placement", "relation", "question", "suggestion",
})  # fmt: skip
_VERSION = re.compile(
    r"(?<![\w.])(?P<name>[A-Za-z][A-Za-z0-9.+-]{1,30}?)\s?(?P<mark>[vV]\.?\s?)?(?P<number>[0-9]{1,3}(?:\.[0-9]{1,4}){1,3})(?![\w.]*[\w]|[%×])"
)
_SCORE = 1.8
_VERSIONED = 2  # parts of a version that no measure has


@dataclass(frozen=True, slots=True)
class _Named:
    """One thing that a text names: what it is one of, its key among those, and where it stands."""

    kind: str
    key: str
    said: str
    start: int
    end: int


def products(brief: Brief, *, language: Language) -> Iterator[Finding]:
    """Yield each version, device, model and format that stands in the place of another one of the source."""
    for passage in brief.passages:
        for unit in passage.told if passage.may_be_false else ():
            if not passage.labels_of(unit) & _LEFT_ALONE:
                yield from _in_unit(brief, passage, unit, language)


def _in_unit(brief: Brief, passage: Passage, unit: Unit, language: Language) -> Iterator[Finding]:
    named = list(_named(unit.text))
    for one in named:
        if stance_in(unit.text, one.start, one.end) in {"rejected", "asked"} or _is_there(brief, one):
            continue
        found = _instead(passage, unit, one, {each.key for each in named if each.kind == one.kind})
        if found is None:
            continue
        text, other, stands = found
        told = reason("other-name", language, says=one.said, stands=stands)
        yield Finding(
            kind="statement", verdict="false", says=one.said, place=as_evidence(brief.note, unit), found=(as_evidence(text.note, other),),
            because=told.because, advice=told.advice, found_by="other-name",
        )  # fmt: skip


def _is_there(brief: Brief, one: _Named) -> bool:
    """Whether any text has it: a passage may well speak of what another one is about."""
    return any(one.key in _keys_in(text).get(one.kind, ()) or _stands(one, text) for text in brief.shelf.texts)


@lru_cache(maxsize=64)
def _keys_in(text: Shelved) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in text.note.text.split("\n"):
        for one in _named(line):
            found.setdefault(one.kind, set()).add(one.key)
    return {kind: frozenset(keys) for kind, keys in found.items()}


def _stands(one: _Named, text: Shelved) -> bool:
    """Whether the letters stand there, however they are read."""
    said = one.key if one.kind.startswith("version") else one.said
    at = text.lowered.find(said.lower())
    while at >= 0:
        before, after = text.lowered[at - 1 : at], text.lowered[at + len(said) : at + len(said) + 1]
        if not (before.isascii() and before.isalnum() and before != "v") and not (after.isascii() and after.isalnum()):
            return True
        at = text.lowered.find(said.lower(), at + 1)
    return False


def _instead(passage: Passage, unit: Unit, one: _Named, own: set[str]) -> tuple[Shelved, Unit, str] | None:
    """What the source's statement about the same has in its place: the only one of the kind, in the unit or its segment."""
    keys = frozenset(key for key in keys_of(unit.text) if one.key not in key[1] and key[1] not in one.key.split("."))
    keys |= frozenset(key for key in keys_of(passage.segment.title) if key[0] in {"name", "paper", "metric"})
    nears = speaking(passage.notes, keys, least=_SCORE)
    for text, near in nears[:3]:
        if near.score < 0.6 * nears[0][1].score:
            break
        for units in ((near.unit,), near.segment.units):
            there = {
                each.key: (place, each.said) for place in units for each in _named(place.text) if each.kind == one.kind
            }
            if len(there) == 1 and not set(there) & own:
                place, stands = next(iter(there.values()))
                return text, place, stands
            if there:
                break
    return None


def _named(text: str) -> Iterator[_Named]:
    folded = fold(text)
    for kind, spans in find_conditions(folded).items():
        for start, end in spans if kind in _KINDS else ():
            said = folded[start:end].strip()
            family = name_key(said) if kind == "model" else ""
            yield _Named(f"{kind} {family}", condition_key(kind, said), said, start, end)
    for match in _VERSION.finditer(folded):
        is_sure = match["mark"] or match["number"].count(".") >= _VERSIONED
        if WORD.fullmatch(match["name"]) and is_sure and (key := name_key(match["name"])):
            yield _Named(
                f"version {key}",
                match["number"],
                match["name"] + " " + (match["mark"] or "") + match["number"],
                *match.span(),
            )

"""Sources of a brief: whether the notes and living documents that it cites are there, and say anything of what it says.

Promises: a note is called missing only where its agent's inbox is there and reaches back to its day; what a passage rests on
besides, outside the workspace, is never held against it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from rapidfuzz import fuzz, process

from agent.auditing.brief import Brief, Citation, Passage
from agent.auditing.findings import Finding, Verdict
from agent.auditing.shelf import Shelved
from agent.auditing.words import AUDIT_WORDS, reason
from agent.reading.documents import find_section
from agent.reading.names import parse_note_name
from agent.records import Evidence, Language
from agent.texts import DOCUMENTS

_NEAR_NAME = 80.0
_SHARED = 2  # things of a passage that must be missing from all its sources


def sources(brief: Brief, *, language: Language) -> Iterator[Finding]:
    """Yield what came of each note and each section of a living document that a brief cites, each at its first place."""
    seen: set[str] = set()
    for one in brief.citations:
        key = one.resolution.path or f"{one.owner or ''}/{one.cited.name}".casefold()
        if key not in seen:
            seen.add(key)
            yield _note(brief, one, brief.note.text[one.cited.start : one.cited.end], language)
    yield from _documents(brief, language)


def _note(brief: Brief, one: Citation, said: str, language: Language) -> Finding:
    place, resolution = brief.evidence(one.cited.start), one.resolution
    if resolution.path is not None:
        text = brief.shelf.at(resolution.path)
        found = (text.evidence_at(0),) if text and text.units else ()
        return Finding(kind="source", verdict="holds", says=said, place=place, found=found, found_by="resolved")
    if resolution.status == "ambiguous":
        verdict: Verdict = "questionable"
        rule = "ambiguous"
    else:
        verdict, rule = _missing(brief, one)
    near = [path for path in resolution.near if path != brief.note.path and _comes_near(path, one)]
    words = AUDIT_WORDS[language]
    named = words.in_brackets.format(text=words.comma.join(near[:3])) if near else ""
    told = reason(rule, language, near=named)
    return Finding(
        kind="source",
        verdict=verdict,
        says=said,
        place=place,
        found=tuple(_beginnings(brief, near[:1])),
        because=told.because,
        advice=told.advice,
        found_by=rule,
    )


def _comes_near(path: str, one: Citation) -> bool:
    """Whether a note may have been meant: one of the same inbox, or one whose name is nearly the same."""
    _, agent, name = path.split("/", 2)
    is_same_inbox = one.owner is not None and agent.casefold() == one.owner.casefold()
    return is_same_inbox or fuzz.ratio(name.casefold(), one.cited.name.casefold()) >= _NEAR_NAME


def _missing(brief: Brief, one: Citation) -> tuple[Verdict, str]:
    """How bad it is that no note is the cited one."""
    if not one.cited.name.casefold().endswith(".md"):
        return "questionable", "loose"
    owner = (one.owner or "").casefold()
    day = parse_note_name(one.cited.name.rpartition("/")[2]).date
    names = (path.split("/", 2) for path in brief.paths)
    days = [found for _, agent, name in names if agent.casefold() == owner and (found := parse_note_name(name).date)]
    reaches_back = bool(days) and (day is None or min(days) <= day)
    return ("false", "missing") if reaches_back and owner not in brief.excerpts else ("unsupported", "out-of-reach")


def _beginnings(brief: Brief, paths: Iterable[str]) -> Iterator[Evidence]:
    for path in paths:
        text = brief.shelf.at(path)
        if text is not None and text.units:
            yield text.evidence_at(0)


def _documents(brief: Brief, language: Language) -> Iterator[Finding]:
    known = {text.path.rpartition("/")[2]: text for text in brief.shelf.texts if text.document is not None}
    seen: set[tuple[str, str | None]] = set()
    for one in brief.documents:
        if (one.name, one.section) in seen or not known:
            continue
        seen.add((one.name, one.section))
        said = brief.note.text[one.start : one.end]
        text = known.get(one.name)
        if text is None:
            found = _no_document(brief, said, one.start, one.name, known, language)
            if found is not None:
                yield found
        elif one.section and text.document and find_section(text.document, one.section) is None:
            if any(section.number for section in text.document.sections):
                told = reason("no-section", language, stands=one.section)
                yield Finding(
                    kind="source", verdict="questionable", says=said, place=brief.evidence(one.start), because=told.because, advice=told.advice,
                    found_by="no-section",
                )  # fmt: skip
        else:
            yield Finding(
                kind="source", verdict="holds", says=said, place=brief.evidence(one.start), found=(text.evidence_at(0),), found_by="resolved",
            )  # fmt: skip


def _no_document(
    brief: Brief, said: str, start: int, name: str, known: dict[str, Shelved], language: Language
) -> Finding | None:
    """A document that is not there; a name that only looks like one is passed over."""
    near = process.extractOne(name, list(known), scorer=fuzz.ratio, score_cutoff=_NEAR_NAME)
    is_path = DOCUMENTS in brief.note.text[max(0, start - len(DOCUMENTS) - 1) : start + len(said)]
    if near is None and not is_path:
        return None
    words = AUDIT_WORDS[language]
    told = reason("no-document", language, near=words.in_brackets.format(text=near[0]) if near else "")
    return Finding(
        kind="source",
        verdict="false" if is_path else "questionable",
        says=said,
        place=brief.evidence(start),
        found=(known[near[0]].evidence_at(0),) if near else (),
        because=told.because,
        advice=told.advice,
        found_by="no-document",
    )


def silent_sources(brief: Brief, findings: Iterable[Finding], *, language: Language) -> Iterator[Finding]:
    """Yield the sources of passages whose figures, identifiers and sentences stand in none of them, or in another note."""
    by_place: dict[int, list[Finding]] = {}
    for one in findings:
        if one.kind in {"figure", "identifier", "statement"}:
            by_place.setdefault(one.place.start, []).append(one)
    for passage in brief.passages:
        if passage.has_outside or all(text.document for text in passage.cited):
            continue
        told = [one for unit in passage.segment.units for one in by_place.get(unit.start, ())]
        if _is_silent(passage, told):
            yield from _silent(brief, passage, None, language)
        elif (other := _meant(brief, passage, told)) is not None:
            yield from _silent(brief, passage, other, language)


def _is_silent(passage: Passage, told: list[Finding]) -> bool:
    paths = {text.path for text in passage.cited}
    checked = [one for one in told if one.kind != "statement"]
    if len({one.says for one in checked}) < _SHARED:
        return False
    return not any(evidence.note in paths for one in told for evidence in one.found)


def _meant(brief: Brief, passage: Passage, told: list[Finding]) -> str | None:
    """The note that bears out the passage's sentences, where those that it cites bear out none and hardly a figure."""
    held = Counter((one.kind == "statement", evidence.note) for one in told for evidence in one.found[:1])
    paths = {text.path for text in passage.rests_on}
    cited = sum(number for (_, note), number in held.items() if note in paths)
    others = [note for (is_statement, note) in held if is_statement and note not in paths and brief.shelf.at(note)]
    if cited >= _SHARED or any(is_statement and note in paths for is_statement, note in held):
        return None
    best = max(others, key=lambda note: held[True, note] + held[False, note], default=None)
    return best if best and held[True, best] + held[False, best] > _SHARED else None


def _silent(brief: Brief, passage: Passage, other: str | None, language: Language) -> Iterator[Finding]:
    paths = {text.path for text in passage.cited if text.document is None}
    for one in brief.citations:
        if one.resolution.path in paths and passage.segment.start <= one.cited.start < passage.segment.end:
            told = reason("says-nothing-of-it" if other is None else "other-source", language, stands=other or "")
            yield Finding(
                kind="source",
                verdict="unsupported",
                says=brief.note.text[one.cited.start : one.cited.end],
                place=brief.evidence(one.cited.start),
                found=tuple(_beginnings(brief, [other or one.resolution.path])),
                because=told.because,
                advice=told.advice,
                found_by="says-nothing-of-it" if other is None else "other-source",
            )

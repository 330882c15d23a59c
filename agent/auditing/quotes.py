"""Quotations of a brief: what it presents as somebody's words, judged against the texts it rests on, then against all.

Promises: a title, a term or the wording of an entry that the brief proposes is no quotation, unless words before it say so;
what is altered is never called a quotation that holds.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.auditing.brief import Brief, Passage
from agent.auditing.findings import Finding, Verdict
from agent.auditing.shelf import Judgement
from agent.auditing.words import AUDIT_WORDS, reason
from agent.reading.naming import count_cjk
from agent.reading.quotations import folded, quoted
from agent.reading.showing import breadth
from agent.records import Language

_OPENERS = frozenset('「『“"«')
_LEAST, _LEAST_HAN = 8, 4  # characters of a quotation
_LONG = 24  # breadth from which what stands in quotation marks is more than a term
_NEAR = 0.8
_REACH = 24
_SAYING = re.compile(
    r"(?:说|称|道|写|指出|认为|表示|提到|强调|主张|原文|原话|引用|引述|摘录|注明|声明|承认|警告|总结|回应|回复|评论"
    r"|\b(?:says?|said|writes?|wrote|states?|stated|states that|according to|reads?|quot(?:e|es|ed|ing)|claims?|claimed|notes|noted|warns?|warned|argues?"
    r"|argued|puts it|words|text|verbatim|concludes?|concluded|admits?|admitted))[^「」『』“”\"。！？!?\n]{0,12}\Z",
    re.IGNORECASE,
)
_BLANK = re.compile(r"\s")
_BLOCK = re.compile(r"^[ \t]{0,3}>[^\n]*(?:\n[ \t]{0,3}>[^\n]*)*", re.MULTILINE)
_BLOCK_MARK = re.compile(r"^[ \t]{0,3}>[ \t]?", re.MULTILINE)
_CALLOUT = re.compile(r"\s{0,8}(?:\[!|[⚠❗💡📌ℹ🔍])")
_PROPOSING = frozenset({"placement", "relation", "suggestion", "question", "title"})


@dataclass(frozen=True, slots=True)
class _Quotation:
    """What stands between quotation marks, or in a block of its own.

    Attributes:
        is_said: words before it, or its form, present it as somebody's words.
    """

    text: str
    start: int
    passage: Passage
    is_said: bool


def quotations(brief: Brief, *, language: Language) -> Iterator[Finding]:
    """Yield what came of each quotation of a brief."""
    for one in (*_marked(brief), *_blocks(brief)):
        found = _judged(brief, one, language)
        if found is not None:
            yield found


def _marked(brief: Brief) -> Iterator[_Quotation]:
    """Quotations between marks."""
    text = brief.note.text
    plain = folded(text)
    for start, end in quoted(text, with_code=False):
        if text[start] not in _OPENERS or brief.is_code(start):
            continue
        said = text[start + 1 : end - 1].strip()
        passage = brief.passage_at(start)
        if passage is None or not _is_long_enough(said):
            continue
        is_said = _SAYING.search(plain[max(0, start - _REACH) : start]) is not None
        unit = brief.unit_at(start)
        is_proposed = unit is not None and passage.labels_of(unit) & _PROPOSING
        if is_said or not is_proposed:
            yield _Quotation(said, start + 1, passage, is_said)


def _blocks(brief: Brief) -> Iterator[_Quotation]:
    """Quotations in blocks of their own."""
    text = brief.note.text
    for match in _BLOCK.finditer(text) if ">" in text else ():
        said = _BLOCK_MARK.sub("", match.group()).strip()
        passage = brief.passage_at(match.start())
        if passage is None or brief.is_code(match.start()) or not _is_long_enough(said) or _CALLOUT.match(said):
            continue
        yield _Quotation(said, match.start(), passage, is_said=bool(passage.cited) and not passage.has_outside)


def _is_long_enough(said: str) -> bool:
    if said.isascii() and not _BLANK.search(said):
        return False  # an address, a path, a name
    return count_cjk(said) >= _LEAST_HAN or len(said) >= _LEAST


def _judged(brief: Brief, one: _Quotation, language: Language) -> Finding | None:
    found = brief.judge(one.text, one.passage)
    if found is not None and found.judged.is_borne_out:
        return _finding(brief, one, found, "holds", found.judged.status, language)
    is_term = not one.is_said and breadth(one.text) < _LONG
    if is_term:
        return None
    if found is not None and found.judged.status == "altered" and found.judged.likeness >= _NEAR:
        return _finding(brief, one, found, "false", _rule(found), language)
    if not one.is_said:
        return None
    if found is not None and found.judged.likeness >= _NEAR:
        return _finding(brief, one, found, "questionable", "reworded", language)
    return _finding(brief, one, None, "unsupported", "no-such-words", language)


def _rule(found: Judgement) -> str:
    difference = found.judged.difference
    return "cut" if difference and not difference.quoted and found.judged.likeness == 1.0 else "altered"


def _finding(
    brief: Brief, one: _Quotation, found: Judgement | None, verdict: Verdict, rule: str, language: Language
) -> Finding:
    because = advice = ""
    if verdict != "holds":
        difference = found.judged.difference if found else None
        told = reason(
            rule,
            language,
            turn=AUDIT_WORDS[language].turns[difference.turn] if difference else "",
            quoted=(difference.quoted if difference else "") or "—",
            stands=(difference.stands if difference else "") or "—",
        )
        because, advice = told.because, told.advice
    return Finding(
        kind="quote",
        verdict=verdict,
        says=one.text,
        place=brief.evidence(one.start),
        found=(found.text.evidence_at(found.judged.start),) if found else (),
        because=because,
        advice=advice,
        found_by=rule,
    )

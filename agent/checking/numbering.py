"""The numbers of register entries: two entries under one number, and numbers that the living document has used already.

Promises: an entry in other words, or about the same named things, is the same entry; one in another language that shares no
name is a question; an entry that the document has taken over from the note is no dispute, and a document updated after the
note decides nothing without the entry itself. Nothing raises.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Literal

from rapidfuzz import fuzz

from agent.checking.dispute import Dispute, Hand, Stated, as_stated
from agent.reading.citations import cited_documents
from agent.reading.filing import filed_under
from agent.reading.identifiers import find_arxiv, fold_full_width
from agent.reading.naming import count_cjk, name_key, named_in
from agent.reading.parts import by_label
from agent.reading.placements import stated_placements
from agent.reading.registers import StatedRegister, stated_registers
from agent.reading.showing import as_evidence, cut, plain
from agent.reading.terms import terms_in
from agent.records import Claim
from agent.texts import LivingDocument, Segment, Unit

_SAYS = 160
_TERMS = 2  # of the trade in common, that show a translation
_ALIKE = 60.0  # of 100: words that two texts share
_SHARED_NAMES = 0.34  # of the shorter list
_SHARED_PAIRS = 0.2  # of the neighbouring Chinese characters of the shorter text
_ENTRY = re.compile(r"[ \t*_]{0,4}[(（:：—–-]?[ \t*_\"“「]{0,4}([^\n]{1,400})")
_MENTION = re.compile(r"[CDOT](?<![A-Za-z0-9_.–—~～至到-][CDOT])\d{1,4}(?![A-Za-z0-9_])(?! ?[–—~～至到-] ?[CDOT]?\d)")
_QUESTION = re.compile(r"(?:问题|question)s? ?Q(?=\d{1,4}(?!\d))", re.IGNORECASE)
_NEXT_ENTRY = re.compile(r"[。;；|·]\s{0,3}[*_]{0,2}[CDOT]\d{1,4}(?!\d)")


def claims(hand: Hand) -> Iterator[Claim]:
    """Yield the register entries that the note's findings propose, each for its living document."""
    for document, entry, unit in _proposed(hand):
        if entry.text:
            yield Claim(
                kind="register",
                subject=document.casefold(),
                attribute=f"{entry.kind}{entry.number}",
                value=_folded(entry.text),
                says=_says(entry),
                evidence=as_evidence(hand.note, unit),
            )


def compare(one: Claim, other: Claim) -> Dispute | None:
    """Return the dispute of two claims that give one number of one document to two entries."""
    if one.attribute != other.attribute or _is_same_entry(one.value, other.value):
        return None
    first, second = sorted((one, other), key=lambda claim: (claim.value, claim.evidence.note, claim.evidence.start))
    return Dispute(
        rule="register-taken",
        kind="register",
        about=f"{one.subject} {one.attribute}",
        key=(one.subject, one.attribute, first.value, second.value),
        sides=(as_stated(first), as_stated(second)),
        is_question=_may_be_translated(one.value, other.value),
    )


def disputes(hand: Hand) -> Iterator[Dispute]:
    """Yield the numbers that the note proposes though its living document has given them to other entries."""
    documents = {document.name.casefold(): document for document in hand.documents}
    sides: dict[tuple[str, str, bool], list[Stated]] = defaultdict(list)
    for name, entry, unit in _proposed(hand):
        document = documents.get(name.casefold())
        used = _used(document, entry, hand) if document else None
        if document and used:
            number = f"{entry.kind}{entry.number}"
            said = Stated(_says(entry), as_evidence(hand.note, unit))
            sides[document.name, number, used == "perhaps"].append(said)
    for (name, number, is_question), stated in sides.items():
        yield Dispute(
            rule="register-used",
            kind="register",
            about=f"{name} {number}",
            key=(name.casefold(), number),
            sides=tuple(stated),
            is_question=is_question,
        )


def _may_be_translated(one: str, other: str) -> bool:
    """Whether two entries in two languages share so many terms of the trade that one may be the other's translation."""
    return _is_chinese(one) != _is_chinese(other) and len(terms_in(one) & terms_in(other)) >= _TERMS


def _says(entry: StatedRegister) -> str:
    return cut(f"{entry.kind}{entry.number} {plain(entry.text)}".strip(), _SAYS)


def _folded(text: str) -> str:
    """Return an entry as it is compared: its words, with capitals, which tell names."""
    return " ".join(fold_full_width(plain(text)).split())


# --- what is proposed, and where --------------------------------------------------------------------------------------


def _proposed(hand: Hand) -> Iterator[tuple[str, StatedRegister, Unit]]:
    """Yield each entry that a finding proposes, with the file name of its living document and the unit where it stands."""
    if hand.is_document:
        return
    topics = [document.topic for document in hand.documents]
    for segment in hand.findings:
        starts = [0, *accumulate(len(unit.text) + 1 for unit in segment.units)]
        entries = stated_registers(_in_letters("\n".join(unit.text for unit in segment.units)))
        document = _document_of(segment, topics) or (f"{hand.topic}.md" if hand.topic else None)
        for entry in entries if document else ():
            yield document or "", entry, segment.units[bisect_right(starts, entry.start) - 1]


def _in_letters(text: str) -> str:
    """The text with the letter of open questions where it writes Q for them; offsets stay."""
    return _QUESTION.sub(lambda found: f"{found.group()[:-1]}O", text)


def _document_of(segment: Segment, topics: Sequence[str]) -> str | None:
    """Return the living document that a finding is to go to, as it says."""
    labelled = "\n".join(unit.text for unit in by_label(segment.units)["placement"])
    if labelled:
        placed = stated_placements(labelled, topics=topics)
    else:
        placed = filed_under("\n".join(unit.text for unit in segment.units), topics=topics)
    named = next((one.document for one in placed if one.document), None)
    return named or _only_document(segment, topics)


def _only_document(segment: Segment, topics: Sequence[str]) -> str | None:
    """Return the living document that a finding names, where it names one alone."""
    text = "\n".join(unit.text for unit in segment.units)
    named = {one.name for one in cited_documents(text)} & {f"{topic}.md" for topic in topics}
    return named.pop() if len(named) == 1 else None


# --- what is used, and what is the same -------------------------------------------------------------------------------


def _used(document: LivingDocument, entry: StatedRegister, hand: Hand) -> Literal["surely", "perhaps"] | None:
    """Say whether the document had the number for another entry when the note was written.

    Of the same day, nobody knows which came first: the document's list may count the note's own entry.
    """
    if entry.number > document.registers.get(entry.kind, 0):
        return None
    written = _entries(document.text, f"{entry.kind}{entry.number}")
    if written and entry.text:
        is_same = any(_is_same_entry(_folded(entry.text), _folded(text)) for text in written)
        return None if is_same else "surely"
    if document.updated is None or document.updated > hand.note.date:
        return None
    return "surely" if document.updated < hand.note.date else "perhaps"


def _entries(text: str, number: str) -> list[str]:
    """Return what a document has under a register number; a range only counts."""
    found: list[str] = []
    for place in (place for place in _MENTION.finditer(text) if place.group() == number):
        entry = _ENTRY.match(text, place.end())
        if entry:
            stop = _NEXT_ENTRY.search(entry[1])
            found.append(entry[1][: stop.start()] if stop else entry[1])
    return found


def _is_same_entry(one: str, other: str) -> bool:
    """Whether two texts are one entry, perhaps in other words: much of the wording, a paper or enough names are shared."""
    if fuzz.token_set_ratio(one.casefold(), other.casefold()) >= _ALIKE:
        return True
    if {span.identifier for span in find_arxiv(one)} & {span.identifier for span in find_arxiv(other)}:
        return True
    names = [{name_key(word.group()) for word in named_in(text)} - {""} for text in (one, other)]
    return _shared(*names) >= _SHARED_NAMES or _shared(_pairs(one), _pairs(other)) >= _SHARED_PAIRS


def _shared(one: set[str], other: set[str]) -> float:
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0


def _pairs(text: str) -> set[str]:
    return {text[at : at + 2] for at in range(len(text) - 1) if count_cjk(text[at : at + 2]) == len("一二")}


def _is_chinese(text: str) -> bool:
    return count_cjk(text) > len(text) / 8

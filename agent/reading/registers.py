"""Register entries that a note proposes for a living document: consensus (C), dispute (D), open question (O), trend (T).

A number that is only mentioned ("C1-C58 in all") proposes nothing. Offsets are into the text given; nothing raises; time is
linear.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, pairwise
from typing import cast

from agent.reading.quotations import Span, folded, is_inside, quoted
from agent.texts import RegisterKind

_KINDS = r"共识|争议|试金石|开放问题|待解问题|趋势|consensus|disputes?|open questions?|questions?|trends?"
_QUESTIONS = {"Q": "O"}  # an open question, as some documents write it
_NUMBER = re.compile(
    r"(?P<kind>[CDOTQ])(?<![A-Za-z0-9_.+#§–—~至到-][CDOTQ])-?(?P<number>\d{1,4})(?![A-Za-z0-9_.])(?! ?[-–—~至到] ?[CDOTQ]?\d)"
    rf"(?P<after>[ (]{{0,2}}(?:{_KINDS})?)(?P<candidate> ?(?:候选|candidates?|proposed|proposal)| ?(?:新增?|new)(?=\) ?[:：“「\"]))?\)?",
)
_BEFORE = re.compile(
    r"(?P<lead>新增|拟增|提议|新立|增列|新开|新设|登记|\bpropos(?:e|es|ed|al)|\bnew|\badd|\bregister(?:s|ed)?(?: as)?)?(?:[ :]{0,3}(?:as|an?|the) )?[ :]{0,3}"
    rf"(?P<named>(?:{_KINDS})?(?P<candidate> ?(?:候选|candidates?))?)[ :]{{0,2}}\Z",
    re.IGNORECASE,
)
_REACH = 40
_TEXT_START = re.compile(
    r"(?: ?\([^()\n]{0,40}\))?(?: (?:in|of|for|to) `?[\w-]{1,40}\.md`?)?[ \t]{0,4}(?P<colon>[:—–]|- )?[ \t*_]{0,4}(?P<quote>[「『“\"《])?"
)
_LISTED = re.compile(r"[ \t]{0,3}(?:[,、/+&]|和|及|and)[ \t]{0,3}")
_PHRASE_END = re.compile(r"[;\n]")
_LINE_END = re.compile(r"\n")


@dataclass(frozen=True, slots=True)
class StatedRegister:
    """A register entry that a note proposes; `text` is empty when only its number is announced.

    `letter` is what the note writes before the number, where it is not the kind's own letter: "Q9" is an open question.
    """

    kind: RegisterKind
    number: int
    text: str
    start: int
    end: int
    letter: str = ""


@dataclass(frozen=True, slots=True)
class _Head:
    letter: str
    number: int
    start: int
    end: int


def stated_registers(text: str) -> tuple[StatedRegister, ...]:
    """Return the register entries that `text` proposes, in order.

    An entry is proposed by 新增, "propose", "new" or "add" before its number together with its kind, a colon or a quotation, by
    候选 or "candidate" beside it, or by standing in a list with such an entry. Ranges, mere mentions and what stands inside a
    quotation propose nothing. A quotation that is never closed ends at the next entry or at the end of its line.
    """
    plain = folded(text)
    heads = _heads(plain, quoted(plain))
    entries: list[StatedRegister] = []
    for index, head in enumerate(heads):
        limit = heads[index + 1].start if index + 1 < len(heads) else len(plain)
        (start, end), last = _entry_text(plain, head.end, limit)
        kind = cast("RegisterKind", _QUESTIONS.get(head.letter, head.letter))
        letter = head.letter if head.letter != kind else ""
        entries.append(StatedRegister(kind, head.number, text[start:end], head.start, last, letter))
    return tuple(entries)


def _heads(plain: str, hidden: Sequence[Span]) -> list[_Head]:
    """Return the proposed numbers: those that say so themselves, and their neighbours in a list."""
    heads: list[_Head] = []
    proposed: list[bool] = []
    for match in _NUMBER.finditer(plain):
        if not is_inside(hidden, match.start()):
            before = _BEFORE.search(plain, max(heads[-1].end if heads else 0, match.start() - _REACH), match.start())
            heads.append(_head(match, before))
            proposed.append(_is_proposed(plain, match, before))
    listed = [_LISTED.fullmatch(plain, one.end, two.start) is not None for one, two in pairwise(heads)]
    for index in range(1, len(heads)):
        proposed[index] = proposed[index] or (proposed[index - 1] and listed[index - 1])
    for index in range(len(heads) - 2, -1, -1):
        proposed[index] = proposed[index] or (proposed[index + 1] and listed[index])
    return list(compress(heads, proposed))


def _head(match: re.Match[str], before: re.Match[str] | None) -> _Head:
    start = match.start()
    if before:
        start -= len(before.group().lstrip(" :"))
    end = match.end() if match["after"].strip(" (") or match["candidate"] else match.end("number")
    return _Head(match["kind"], int(match["number"]), start, end)


def _is_proposed(plain: str, match: re.Match[str], before: re.Match[str] | None) -> bool:
    if match["candidate"]:
        return True
    if before is None:
        return False
    text_start = _TEXT_START.match(plain, match.end())
    has_text = text_start is not None and bool(text_start["colon"] or text_start["quote"])
    is_named = bool(match["after"].strip(" (") or before["named"])
    if match["kind"] in _QUESTIONS and not is_named:  # a quarter of a year, perhaps
        return False
    return bool(before["candidate"] or (before["lead"] and (is_named or has_text)))


def _entry_text(plain: str, at: int, limit: int) -> tuple[Span, int]:
    """Return the span of an entry's text and where the entry ends."""
    match = _TEXT_START.match(plain, at, limit)
    if match is None or not (match["quote"] or match["colon"]):
        return (at, at), at
    start = match.end()
    if match["quote"]:
        for opened, closed in quoted(plain[start - 1 : limit])[:1]:
            if opened == 0:
                return (start, start + closed - 2), start + closed - 1
    stop = (_LINE_END if match["quote"] else _PHRASE_END).search(plain, start, limit)
    end = start + len(plain[start : stop.start() if stop else limit].rstrip(' \t\r\n;"」”,。'))
    return (start, end), end

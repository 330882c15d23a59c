"""Finds where a register entry goes in a living document, and writes it in the form of those that are there.

Promises: pure; a list's item, a row, a heading or a sentence of a paragraph stays what it is; no entry is renumbered.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from agent.reading.documents import REGISTER_WORDS, register_entries
from agent.relaying.places import (
    BAR,
    BULLET,
    LINE_END,
    ROW,
    Edit,
    cell_spans,
    inserted,
    is_shut,
    line_start,
    line_stop,
    place_behind,
    section_at,
    sections_below,
)
from agent.texts import LivingDocument, RegisterKind

_ENTRY_MARKS = re.compile(r"[ \t]{0,12}(?:[-*+•·][ \t]{1,4}|#{1,6}[ \t]{1,4}|>[ \t]{0,4})?[*_`\[(（【]{0,4}")
_AFTER_ENTRY = re.compile(r"[*_`\])）】]{0,4}[ \t]{0,4}[:：.、—–-]{0,2}[*_]{0,2}[ \t]{0,4}")
_ENDED = ("。", "；", ";", ".", "！", "？", "!", "?", "…")
_BLOCK = re.compile(r"[ \t]{0,3}(?:[-*+•·>|#`~]|\d{1,4}[.)、])")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_KIND_NAMES = re.compile("|".join(REGISTER_WORDS.values()), re.IGNORECASE)
_CLOSING = {"*": "*", "_": "_", "`": "`", "[": "]", "(": ")", "（": "）", "【": "】"}
_REGISTER = re.compile(f"登记|registers?|{_KIND_NAMES.pattern}", re.IGNORECASE)
_WHITE = re.compile(r"[ \t\r\n]{1,200}")


def register_edit(document: LivingDocument, kind: RegisterKind, number: int, text: str) -> Edit | None:
    """Put a register entry beside the last one of its kind, in the same form; None where the document has no such register.

    It goes behind that one with all that belongs to it; before it, where the entries count down.
    """
    entries = [entry for entry in register_entries(document) if not is_shut(document, entry[2])]
    own = [(value, at) for one, value, at in entries if one == kind]
    if not own:
        return None
    entry = _entry_of(document, entries, own)
    label, line = f"{kind}{number}", entry.line
    if ROW.match(line) and not entry.has_company:
        row = _entry_row(line, entry.at - entry.start, f"{kind}{entry.number}", label, text)
        return inserted(entry.start, f"{row}\n") if entry.counts_down else inserted(entry.start + len(line), f"\n{row}")
    before = line[: entry.at - entry.start]
    if _ENTRY_MARKS.fullmatch(before) and not entry.has_company:
        return _entry_line(document, entry, before, f"{kind}{entry.number}", label, text)
    return _entry_sentence(document, entry, label, text)


@dataclass(frozen=True, slots=True)
class _Entry:
    """The register entry that a new one goes beside.

    Attributes:
        start, line: of the line that it stands in.
        others: where the other entries stand, of whatever kind.
        end: of what it may go on in: the section, or the line where only a word in that makes it an entry.
        has_company: another entry stands in the same line.
        counts_down: the one with the number before stands below it.
        is_loose: a blank line parts it from its neighbour.
    """

    number: int
    at: int
    start: int
    line: str
    others: frozenset[int]
    end: int
    has_company: bool
    counts_down: bool
    is_loose: bool


def _entry_of(
    document: LivingDocument,
    entries: Sequence[tuple[RegisterKind, int, int]],
    own: Sequence[tuple[int, int]],
) -> _Entry:
    """The entry of the highest number; of several with it, the one among most others."""
    text, highest = document.text, max(number for number, _ in own)
    homes = Counter(id(section_at(document, at)) for _, at in own)
    candidates = [at for number, at in own if number == highest]
    at = max(candidates, key=lambda one: (homes[id(section_at(document, one))], one))
    start = line_start(document, at)
    stop = line_stop(document, at, len(text))
    home = section_at(document, at)
    end = home.end if home else document.sections[0].start if document.sections else len(text)
    is_listed = home is not None and _REGISTER.search(" ".join((*home.path, home.heading)))
    below = max(((number, place) for number, place in own if number < highest), default=None)
    neighbours = [place for _, place in own if place < start]
    above = text[:start].removesuffix("\n").removesuffix("\r")
    has_blank = bool(above) and (not LINE_END.split(above[-2000:])[-1].strip())
    return _Entry(
        number=highest,
        at=at,
        start=start,
        line=text[start:stop],
        others=frozenset(place for _, _, place in entries if place != at),
        end=end if is_listed else stop,
        has_company=any(start <= place < stop and place != at for _, _, place in entries),
        counts_down=below is not None and below[1] > at and not neighbours,
        is_loose=has_blank if neighbours else not text[start:at].strip(),
    )


def _entry_row(line: str, at: int, old: str, label: str, text: str) -> str:
    spans = cell_spans(line)
    place = next((number for number, (_, end) in enumerate(spans) if at < end), 0)
    cells = ["" for _ in spans] or [""]
    words = line[slice(*spans[place])].strip().strip("*_`[]（）() ") if spans else ""
    if words == old and place + 1 < len(cells):
        cells[place], cells[place + 1] = label, text
    else:
        cells[place] = f"{label} {text}"
    return f"| {' | '.join(cells)} |"


def _entry_line(document: LivingDocument, entry: _Entry, before: str, old: str, label: str, text: str) -> Edit:
    match = _AFTER_ENTRY.match(entry.line, entry.at - entry.start + len(old))
    gap = match.group() if match else ""
    opened = before[len(before.rstrip("*_`[(（【")) :]
    if opened and not any(_CLOSING[mark] in gap for mark in opened):
        before = before[: len(before) - len(opened)]
        gap = gap.strip("*_`])）】")
    written = f"{before}{label}{gap if gap.endswith((' ', '：', '、', ':')) else f'{gap} '}{text}"
    if "#" in before:
        home = section_at(document, entry.at)
        if home is None or entry.counts_down:
            return inserted(entry.start, f"{written}\n\n")
        return inserted(place_behind(document, (sections_below(document, home) or [home])[-1]), f"\n\n{written}")
    parting = "\n\n" if entry.is_loose else "\n"
    if entry.counts_down:
        return inserted(entry.start, written + parting)
    return inserted(_item_end(document, entry), parting + written)


def _entry_sentence(document: LivingDocument, entry: _Entry, label: str, text: str) -> Edit:
    """Put an entry behind the last one of its kind in a paragraph or a cell that holds several."""
    end = _item_end(document, entry)
    if ROW.match(entry.line) and (bar := BAR.search(document.text, entry.at, end)):
        end = bar.start()
    following = min((place for place in entry.others if entry.at < place < end), default=None)
    if following is not None:
        names = list(_KIND_NAMES.finditer(document.text, entry.at, following))
        end = names[-1].start() if names else following
    body = document.text[entry.at : end].rstrip()
    if following is not None:
        body = body.rstrip("*_|•· \t")
    stop = body[-1] if body.endswith(("。", "；", ";")) else ""
    between = "；" if _CHINESE.search(body) else "; "
    opening = (" " if stop == ";" else "") if stop else between
    closing = (stop or between.strip()) if following is not None or (stop and not text.endswith(_ENDED)) else ""
    if closing and text.endswith(("。", "；", ";")):
        closing = ""
    return inserted(entry.at + len(body), f"{opening}{label} {text}{closing}")


def _item_end(document: LivingDocument, entry: _Entry) -> int:
    """Where an entry ends that may go on in further lines: indented ones, or those of the same paragraph."""
    text, end = document.text, entry.start + len(entry.line)
    is_row = bool(ROW.match(entry.line))
    while not is_row and (match := LINE_END.match(text, end, entry.end)):
        start = match.end()
        stop = line_stop(document, start, entry.end)
        line = text[start:stop]
        if not line.strip():
            white = _WHITE.match(text, start, entry.end)
            further = white.end() if white else start
            is_inside = further < entry.end and text[further - 1] in " \t"
            if not (is_inside and BULLET.match(entry.line)):
                break
            stop = line_stop(document, further, entry.end)
        elif not line.startswith((" ", "\t")) and (_BLOCK.match(line) or _KIND_NAMES.match(line.lstrip("*_ "))):
            break
        if any(start <= place < stop for place in entry.others):
            break
        end = stop
    return end

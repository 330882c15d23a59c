"""Announced counts that the text does not keep.

What is counted: the increments that the note bounds and numbers, files or arXiv identifiers listed right behind a number, a
numbered or bulleted list right below it, the parts of a sum, what was kept and dropped of what was seen.

Promises: only recognisable items of one kind are counted, and only where each piece of the list is one; a list that is cut
("等", "such as"), a rounded number and a count of something else are held to nothing. Nothing raises; time is linear.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from agent.checking.dispute import Dispute, Hand, Stated
from agent.checking.sums import CUT, ROUNDED, THINGS, sums
from agent.reading.citations import cited_notes
from agent.reading.identifiers import find_arxiv
from agent.reading.names import parse_note_name
from agent.reading.quotations import bracket_at, bracketed, folded, is_inside, masked, quoted, shielded
from agent.reading.sections import numeral
from agent.reading.showing import as_evidence, cut, plain
from agent.reading.statements import NUMBER_WORDS, announced_counts
from agent.texts import Segment, Unit

_SAYS = 80
_MIN_ITEMS = 2
_MOST_ITEMS = 150  # of one list
_MOST_HEADINGS = 20  # of a list whose items are headings
_MOST_LISTS = 100  # that a text does not keep
_LONGEST_INTRO = 200
_APART = 12  # characters between counts that belong together ("7 papers and 2 notes:")
_TO_COLON = 40  # characters between a count and the colon that opens its list

_NUMBER = rf"\d{{1,3}}|[一二两三四五六七八九十]{{1,3}}|\b(?:{'|'.join(NUMBER_WORDS)})"
_COUNT = re.compile(
    rf"(?:arXiv ?(?:号|编号)|论文|卡片)?(?: ?共)? ?(?<![A-Za-z0-9_.,:/§#–—~第一二两三四五六七八九十百几数-])(?P<number>{_NUMBER})(?![\d.,%×/:~–—-])"
    r"(?: ?(?P<measure>[个条项件篇份张则点处步种类大])[^\d,.。;:!?()|\n]{0,14}"
    rf"| (?:[a-z-]{{2,14}} ){{0,2}}(?:{THINGS})\b[^\d,.。;:!?()|\n]{{0,24}}| ?(?=\)\Z))",
    re.IGNORECASE,
)
_TOP = re.compile(r"\bTop[ -]?(?P<number>\d{1,2})(?![\d.%–—~-])[^\d:\n]{0,24}", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"[多余](?:[个条项件篇份]|\Z)|以上|左右|之一|\b(?:of|from|in|out|later|ago|or)\b", re.IGNORECASE
)
_NEW_THOUGHT = re.compile(r"[。!?\d]|\.\s")
_OF_FILES = re.compile(r"[件篇份]|文件|笔记|简报|来源|\b(?:files?|notes?|briefs?|sources?|items?)\b", re.IGNORECASE)
_OF_PAPERS = re.compile(r"arXiv|论文|预印本|编号|篇|\b(?:papers?|preprints?|ids|identifiers?)\b", re.IGNORECASE)

_MARK = re.compile(
    r"[\s*_>]{0,6}(?:[(（](?P<inner>\d{1,2})[)）]|(?P<number>\d{1,2})[.)、](?!\d)|(?P<han>[一二三四五六七八九十]{1,3})、|(?P<bullet>[-*+•◦·–])(?=\s))"
)
_HAN_MARK = re.compile(r"\s{0,6}[一二三四五六七八九十]{1,3}、")
_SEPARATOR = re.compile(r"[,、;+]|\s/\s|\s[-·•]\s|\band\b|[和与及]")
_LEADING = re.compile(
    r"(?:arXiv ?[:：]? ?|[\s\-*+•·◦_`>.)(\[\]✅☑✔🟢🟡🔵⚠️\ufe0f]|\d{1,2}[.)、](?!\d)){0,12}", re.IGNORECASE
)
_JOINT = re.compile(r"[\s/+,、;&`*_✅]{0,12}(?:and\b|[和与及])?[\s/+,、;&`*_]{0,8}")
_FULL_STOPS = " )*_.。!"
_OWN_LIST = re.compile(
    r"^[\s*_>#-]{0,8}(?:本[篇文次期轮场日棒]|今[日天]|以下|如下|下面|这里|全文)?[^,，。;；]{0,6}?(?:共|一共|总共|合计|有|列|收)[^,，。;；]{0,3}[\d一二两三四五六七八九十]"
    r"|(?:以下|如下|下面)|(?<![a-z])(?:this (?:note|brief|report|list) (?:has|holds|lists|contains|brings)|in all|in total|below|following|here (?:are|come))(?![a-z])",
    re.IGNORECASE,
)
_INBOX = re.compile(r"inbox/[A-Za-z0-9_.-]{1,40}/?(?![\w/-])")

_OWN = re.compile(
    r"本次|本轮|本场|本文|本棒|本期|本篇|本日|今日|今天|以下|如下|共发现|\b(?:this|today|below|following|here|in all|in total)\b|\bnew increments\b",
    re.IGNORECASE,
)
_NOT_OWN = re.compile(
    r"\.md|昨|上次|此前|之前|上一|不计|除外|(?<!\d)\d{1,2}-\d{1,2}(?!\d)|\b(?:yesterday|last|previous|earlier|excluding|except|besides)\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[，。；;！？\n]|,(?!\d)|\.\s")
_OF_INCREMENTS = re.compile(r"增量|主线|increments?\Z|\bfindings?\Z", re.IGNORECASE)
_SUPPORTING = re.compile(r"旁证|supporting", re.IGNORECASE)

_LEDGER = {
    "seen": re.compile(
        r"(?:看了|扫了?|读了|过了|候选) ?(?P<a>\d{1,4}) ?[条篇件个份]|(?:screened|scanned|seen) (?P<b>\d{1,4})\b|(?<![\d.,])(?P<c>\d{1,4}) (?:[a-z]+ )?(?:seen|screened|scanned)\b",
        re.IGNORECASE,
    ),
    "kept": re.compile(
        r"(?:[收留]下?|保留|收录) ?(?P<a>\d{1,4}) ?[条篇件个份]|\bkept (?P<b>\d{1,4})\b|(?<![\d.,])(?P<c>\d{1,4}) (?:[a-z]+ )?kept\b", re.IGNORECASE
    ),
    "dropped": re.compile(
        r"(?:[弃丢]|丢弃|舍弃|弃用) ?(?P<a>\d{1,4}) ?[条篇件个份]|\bdropped (?P<b>\d{1,4})\b|(?<![\d.,])(?P<c>\d{1,4}) (?:[a-z]+ )?dropped\b", re.IGNORECASE
    ),
}  # fmt: skip
_DROPPED = re.compile(r"[\s*_>-]{0,4}(?:弃|丢弃|舍弃|未收|dropped|not kept|left out)[*_]{0,2} ?[:：]", re.IGNORECASE)
_BETWEEN = re.compile(r"[,、;]")
_DROPPED_PART = re.compile(r"(?P<number>\d{1,3}) ?(?:[条篇件个份]|[a-z])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Count:
    """A number that announces a list; `start` and `end` span it with what it counts, `words`."""

    number: int
    words: str
    says: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _List:
    """What stands behind a count: its pieces, each with the unit it stands in; `is_direct` when nothing comes between.

    `may_go_on` when other items follow further down.
    """

    pieces: tuple[tuple[str, Unit], ...]
    is_direct: bool
    may_go_on: bool = False


def disputes(hand: Hand) -> Iterator[Dispute]:
    """Yield each announced count that the text itself does not keep."""
    if not hand.is_document:
        yield from _increments(hand)
        yield from _ledger(hand)
    yield from islice(_in_units(hand), _MOST_LISTS)


def _in_units(hand: Hand) -> Iterator[Dispute]:
    for at, segment in enumerate(hand.segments):
        for place, unit in enumerate(segment.units):
            if unit.kind not in {"code", "comment", "front_matter"}:
                found = {tuple(one.details.values()): one for one in _sums(hand, unit)}  # a list tells the same better
                is_last = unit is segment.units[-1]
                units = (*segment.units, *_numbered_below(hand.segments, at + 1)) if is_last else segment.units
                found |= {tuple(one.details.values()): one for one in _lists(hand, units, place)}
                yield from found.values()


def _numbered_below(segments: Sequence[Segment], at: int) -> Iterator[Unit]:
    """The headings of the next segments that are numbered in Chinese: a list whose items are headings."""
    for segment in islice(segments, at, at + _MOST_HEADINGS):
        if segment.heading is None or not _HAN_MARK.match(segment.heading.text):
            return
        yield segment.heading


def _dispute(hand: Hand, unit: Unit, says: str, *, announced: int, counted: int, last: Stated | None = None) -> Dispute:
    """A count is its note's own: the same words and numbers in another note are another dispute."""
    says = cut(plain(says).rstrip(" :：*"), _SAYS)
    stated = Stated(says, as_evidence(hand.note, unit))
    return Dispute(
        rule="count",
        kind="count",
        about=says,
        key=(hand.note.agent, hand.note.date.isoformat(), says.casefold(), str(announced), str(counted)),
        sides=(stated, last) if last and last.evidence.start != unit.start else (stated,),
        details={"announced": str(announced), "counted": str(counted)},
    )


# --- increments -------------------------------------------------------------------------------------------------------


def _increments(hand: Hand) -> Iterator[Dispute]:
    """What the note says of the number of its increments, against those that it bounds and numbers."""
    allowed = _bounded(hand)
    if not allowed:
        return
    last = [segment for segment in hand.segments if segment.role == "increment"][-1].units[0]
    shown = Stated(cut(plain(last.text), _SAYS), as_evidence(hand.note, last))
    has_leads = any(segment.role == "leads" for segment in hand.segments)
    for segment, unit in ((part, unit) for part in hand.segments for unit in _overview(part)):
        for kept in _LEDGER["kept"].finditer(folded(unit.text)) if not has_leads else ():
            if (number := int(kept["a"] or kept["b"] or kept["c"])) not in allowed:
                yield _dispute(hand, unit, unit.text, announced=number, counted=min(allowed), last=shown)
        for count in announced_counts(unit.text):
            around = _clause(unit.text, count.start, count.end)
            if (
                _OF_INCREMENTS.search(count.noun)
                and not _SUPPORTING.search(count.noun)
                and count.number not in allowed
                and not _NOT_OWN.search(around)
                and not any(agent.casefold() in around.casefold() for agent in hand.agents)
                and (unit.kind == "heading" or segment.role == "summary" or _OWN.search(around))
            ):
                says = _saying(unit.text, count.start, count.end)
                yield _dispute(hand, unit, says, announced=count.number, counted=min(allowed), last=shown)


def _clause(text: str, start: int, end: int) -> str:
    """Return the clause that a count stands in, no further than a fixed reach."""
    after = _CLAUSE_END.search(text, end, end + _TO_COLON)
    return _saying(text, start, after.start() if after else end + _TO_COLON)


def _saying(text: str, start: int, end: int) -> str:
    """Return what leads to a count in its clause, with the count; where the clause is long, from the next word on."""
    low = max(0, start - _TO_COLON)
    begins = max((one.end() for one in _CLAUSE_END.finditer(text, low, start)), default=low)
    space = text.find(" ", begins, start) if begins == low > 0 else -1
    return text[space + 1 if space >= 0 else begins : end]


def _bounded(hand: Hand) -> set[int]:
    """Return how many increments the note may be said to have: with or without supporting ones and warnings.

    Empty where its numbering does not vouch for the bounds: without numbers, or with a gap that no lost heading fills.
    """
    increments = [segment for segment in hand.segments if segment.role == "increment"]
    warnings = [segment for segment in hand.segments if segment.role == "warning"]
    ordinals = [segment.ordinal for segment in increments if segment.ordinal is not None]
    others = len(increments) - len(ordinals)
    lost = sum(segment.is_heading_missing for segment in increments)
    if not ordinals or others != lost or len(set(ordinals)) != len(ordinals) or max(ordinals) != len(increments):
        return set()
    supporting = sum(_SUPPORTING.search(s.heading.text) is not None for s in increments if s.heading)
    core = len(increments) - supporting
    return {number + more for number in (core, len(increments)) for more in (0, len(warnings))}


def _overview(segment: Segment) -> Sequence[Unit]:
    """Return the units of a segment in which a note speaks of itself."""
    if segment.role in {"head", "summary", "conclusion"} or (segment.number == 1 and segment.role == "body"):
        return [unit for unit in segment.units if unit.kind != "code"]
    return [segment.heading] if segment.role == "body" and segment.heading else []


# --- lists ------------------------------------------------------------------------------------------------------------


def _lists(hand: Hand, units: Sequence[Unit], place: int) -> Iterator[Dispute]:
    """What a unit announces, against the list right behind it."""
    unit = units[place]
    counts = _counts(unit)
    for count in counts:
        behind = _behind(hand, units, place, count)
        if behind is None or any(0 <= count.start - other.end <= _APART for other in counts):
            continue
        found = _counted(hand, count, behind)
        if found is not None and (found[0] > count.number or (found[0] < count.number and not behind.may_go_on)):
            counted, says, where = found
            last = Stated(cut(plain(says), _SAYS), as_evidence(hand.note, where))
            yield _dispute(hand, unit, count.says, announced=count.number, counted=counted, last=last)


def _counts(unit: Unit) -> list[_Count]:
    """Return the exact numbers of things in a unit that may announce a list."""
    text = folded(unit.text)
    hidden = shielded(text)
    found: dict[int, _Count] = {}
    for match in (*_COUNT.finditer(text), *_TOP.finditer(text)):
        number = numeral(match["number"]) or NUMBER_WORDS.get(match["number"].lower())
        start = match.start("number")
        before, behind = text[max(0, start - 14) : start], text[match.end("number") : match.end()]
        if (
            number is None
            or (number == 1 and not match["number"].isdigit())  # "one question" is a way to speak
            or is_inside(hidden, start)
            or ROUNDED.search(before)
            or _ELSEWHERE.search(behind)
            or CUT.search(behind)
        ):
            continue
        says = unit.text if len(unit.text) <= _SAYS else _saying(unit.text, start, match.end())
        found[start] = _Count(number, match.group(), says, match.start(), match.end())
    return list(found.values())


def _behind(hand: Hand, units: Sequence[Unit], place: int, count: _Count) -> _List | None:
    """Return the list that a count opens: in the bracket behind it, behind a colon, or below; None where there is none."""
    unit = units[place]
    text = folded(unit.text)
    at = len(text) - len(text[count.end :].lstrip())
    bracket = bracket_at(text, at, len(text)) if text[at : at + 1] == "(" else None
    if bracket and not CUT.search(text, *bracket):
        inside = unit.text[bracket[0] + 1 : bracket[1] - 1]
        if find_arxiv(inside) or any(map(_is_file, (note.name for note in cited_notes(inside)))):
            return _List(tuple((piece, unit) for piece in _pieces(inside)), is_direct=True)
    rest = text[bracket[1] if bracket else count.end :]
    is_bare = not text[: count.start].strip(_FULL_STOPS)  # nothing but the count stands there
    is_last = unit.kind == "sentence" and not rest.strip(_FULL_STOPS)
    is_announced = is_last and (is_bare or _OWN_LIST.search(count.says))
    if is_announced or (unit.kind == "heading" and len(rest.strip(" )*_#:")) == 0):
        return _below(hand, units, place, is_direct=True)
    colon = rest.find(":")
    if colon < 0 or colon > _TO_COLON or _NEW_THOUGHT.search(rest[:colon]) or CUT.search(rest[:colon]):
        return None
    is_direct = not rest[:colon].strip(" *_")
    tail = rest[colon + 1 :].strip(" *_")
    if not tail:
        return _below(hand, units, place, is_direct=is_direct) if len(text) <= _LONGEST_INTRO else None
    sentence = tail.split("。", 1)[0]
    if not is_direct or CUT.search(sentence):
        return None
    return _List(tuple((piece, unit) for piece in _pieces(sentence)), is_direct=True)


def _below(hand: Hand, units: Sequence[Unit], place: int, *, is_direct: bool) -> _List | None:
    """Return the units of a list below its announcement, up to the next heading or paragraph, or the next inbox's list."""
    pieces: list[tuple[str, Unit]] = []
    following = units[place + 1 : place + 1 + _MOST_ITEMS]
    for unit in following:
        is_item = unit.kind in {"item", "row"} or (unit.kind == "sentence" and _MARK.match(unit.text) is not None)
        is_item = is_item or (unit.kind == "heading" and _HAN_MARK.match(unit.text) is not None)
        if is_item:
            lines = unit.text.split("\n")
            pieces += [(line, unit) for place, line in enumerate(lines) if not place or _HAN_MARK.match(line)]
        elif (
            unit.kind == "heading"
            or not pieces
            or not (unit.kind == "rule" or _goes_on(hand, pieces[0][1], pieces[-1][1], unit))
        ):
            break
        if unit.text.rstrip(" *_").endswith((":", "：")) and _INBOX.search(unit.text):
            break
    if not pieces:
        return None
    last = pieces[-1][1].number
    may_go_on = any(unit.number > last and unit.kind in {"item", "row"} for unit in following)
    return _List(tuple(pieces), is_direct=is_direct, may_go_on=may_go_on)


def _goes_on(hand: Hand, first: Unit, item: Unit, unit: Unit) -> bool:
    """Whether a unit belongs to the item before it: on its line, or set in further than the list."""
    return unit.line == item.line or _depth(hand, unit) > _depth(hand, first)


def _pieces(text: str) -> list[str]:
    """Return the pieces of an enumeration, cut at separators outside brackets and quotations."""
    visible = folded(text)
    visible = masked(visible, sorted([*bracketed(visible), *quoted(visible)]))
    pieces, at = [], 0
    for match in _SEPARATOR.finditer(visible):
        pieces.append(text[at : match.start()])
        at = match.end()
    return [piece for piece in (*pieces, text[at:]) if piece.strip(" *_.。")]


_Counted = tuple[int, str, Unit]  # how many, what the last one says, and where


def _counted(hand: Hand, count: _Count, behind: _List) -> _Counted | None:
    """Count the items of a list, of the first kind that its pieces are of; None where they are no items."""
    if _OF_FILES.search(count.words) and (found := _files(hand, count, behind)):
        return found
    if _OF_PAPERS.search(count.words) and (found := _papers(behind)):
        return found
    return _marked(hand, behind) if behind.is_direct else None


def _files(hand: Hand, count: _Count, behind: _List) -> _Counted | None:
    """Count files that open their pieces. A list may leave files out, but it cannot hold more than there are."""
    names: dict[str, tuple[str, Unit]] = {}
    is_whole = behind.is_direct
    for piece, unit in behind.pieces:
        leading = _leading_files(hand, piece)
        is_whole = is_whole and bool(leading) and not CUT.search(piece)
        for name in leading:
            names.setdefault(name.casefold(), (name, unit))
    if len(names) < _MIN_ITEMS or (len(names) < count.number and not is_whole):
        return None
    says, where = list(names.values())[-1]
    return len(names), says, where


def _leading_files(hand: Hand, piece: str) -> list[str]:
    """Return the files that a piece begins with, joined by no more than a slash or a comma."""
    visible = folded(piece)
    asides = bracketed(visible)
    start = _LEADING.match(visible)
    at = start.end() if start else 0
    names: list[str] = []
    for note in cited_notes(piece, agents=hand.agents):
        if is_inside(asides, note.start):
            continue
        between = masked(visible, asides, mask=" ")[at : note.start]
        if not (_JOINT.fullmatch(between) if names else note.start <= at + len("inbox/") or not between.strip()):
            break
        if not _is_file(note.name):
            break
        names.append(note.name)
        at = note.end
    return names


def _is_file(name: str) -> bool:
    return name.casefold().endswith(".md") and parse_note_name(name).date is not None


def _papers(behind: _List) -> _Counted | None:
    """Count identifiers where each piece, or each part of it, has exactly one outside its brackets."""
    found: dict[str, tuple[str, Unit]] = {}
    for piece, unit in behind.pieces:
        for part in _pieces(_LEADING.sub("", piece, count=1)) if unit.kind != "row" else [piece]:
            visible = masked(folded(part), bracketed(folded(part)), mask=" ")
            ids = {span.identifier for span in find_arxiv(visible)} or {span.identifier for span in find_arxiv(part)}
            if len(ids) != 1:
                return None
            found.setdefault(ids.pop(), (part, unit))
    says, where = list(found.values())[-1]
    return (len(found), says, where) if len(found) >= _MIN_ITEMS else None


def _marked(hand: Hand, behind: _List) -> _Counted | None:
    """Count the marks of a list: numbers that go on from 1, or bullets of one kind at one depth."""
    marks = [(mark, piece, unit) for piece, unit in behind.pieces if (mark := _MARK.match(piece))]
    if not marks or behind.pieces[0] != marks[0][1:]:
        return None
    if marks[0][0]["bullet"] is None:
        numbers = [(_number(mark), piece, unit) for mark, piece, unit in marks if not mark["bullet"]]
        is_whole = all(number == str(place) for place, (number, _, _) in enumerate(numbers, start=1))
        return (len(numbers), *numbers[-1][1:]) if is_whole and len(numbers) >= _MIN_ITEMS else None
    depth = _depth(hand, marks[0][2])
    alike = [one for one in marks if one[0]["bullet"] == marks[0][0]["bullet"] and _depth(hand, one[2]) == depth]
    is_flat = len(alike) == len(behind.pieces)
    return (len(alike), *alike[-1][1:]) if is_flat and len(alike) >= _MIN_ITEMS else None


def _number(mark: "re.Match[str]") -> str:
    return mark["inner"] or mark["number"] or str(numeral(mark["han"]))


def _depth(hand: Hand, unit: Unit) -> int:
    """Return how far from the start of its line a unit begins; one behind others on its line is as deep as the list."""
    start = max(hand.note.text.rfind("\n", 0, unit.start), hand.note.text.rfind("\r", 0, unit.start)) + 1
    before = hand.note.text[start : unit.start]
    return len(before) if not before.strip() else 0


# --- sums -------------------------------------------------------------------------------------------------------------


def _sums(hand: Hand, unit: Unit) -> Iterator[Dispute]:
    for start, end, announced, counted in sums(folded(unit.text)):
        yield _dispute(hand, unit, unit.text[start:end], announced=announced, counted=counted)


def _ledger(hand: Hand) -> Iterator[Dispute]:
    """What was seen against what was kept and dropped, where the note says each of them once."""
    said: dict[str, list[tuple[int, Unit]]] = {name: [] for name in _LEDGER}
    for unit in (unit for segment in hand.segments for unit in _overview(segment)):
        for name, pattern in _LEDGER.items():
            numbers = (int(match["a"] or match["b"] or match["c"]) for match in pattern.finditer(folded(unit.text)))
            said[name] += [(number, unit) for number in numbers]
    if not said["dropped"]:
        said["dropped"] = _dropped(hand)
    if any(len({number for number, _ in numbers}) != 1 for numbers in said.values()):
        return
    (seen, unit), (kept, _), (dropped, last) = (said[name][0] for name in ("seen", "kept", "dropped"))
    if seen != kept + dropped:
        shown = Stated(cut(plain(last.text), _SAYS), as_evidence(hand.note, last))
        yield _dispute(hand, unit, unit.text, announced=seen, counted=kept + dropped, last=shown)


def _dropped(hand: Hand) -> list[tuple[int, Unit]]:
    """Return the sum of what a line of drops counts, each of its pieces with a number ("Dropped: 6 reposts, 3 ads")."""
    found: list[tuple[int, Unit]] = []
    for unit in (unit for segment in hand.segments for unit in segment.units if unit.kind != "code"):
        text = folded(unit.text)
        label = _DROPPED.match(text)
        parts = [_DROPPED_PART.match(part.strip()) for part in _BETWEEN.split(text[label.end() :])] if label else []
        if len(parts) >= _MIN_ITEMS and all(parts):
            found.append((sum(int(part["number"]) for part in parts if part), unit))
    return found

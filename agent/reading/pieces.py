"""Cuts running text into pieces: list items and labels that share a line, table rows in one line, sentences.

Notes reach us flattened: lists joined by " - " or "•" or "1. … 2. …", tables in one line, several labels in a row, thousands
of characters in a paragraph. Promises: pieces are in order, cover the span given but for white space, and none is longer than
its limit; nothing is cut inside an identifier, a version, a decimal, a URL or a file name; time is linear in the text.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple
from unicodedata import combining

from agent.reading.blocks import BULLETS, CIRCLED, CJK
from agent.texts import UnitKind

LONGEST = 600
"""No sentence, item or heading is longer, in characters."""
LONGEST_ROW = 1_200
LONGEST_CODE = 4_000
_COMFORTABLE = 300  # an item up to this length stays whole, however many sentences it holds
_ASIDE = 400  # brackets further apart do not hold their content together

# Labels that open a unit of their own where several share a line; any others are known by a full-width colon and a space.
LABELS = (
    "来源", "出处", "信源", "要点", "核心要点", "可信度", "置信度", "建议归入", "建议归位", "建议位置", "归入建议", "问题", "核实建议",
    "核验建议", "价值", "意义", "优先级", "结论", "作者", "执行人", "主题", "类型", "日期", "数据截止", "覆盖时段", "覆盖来源", "检查来源",
    "基线", "活文档基准", "标题", "摘要", "说法", "链接", "状态", "标签", "arXiv ?号", "arXiv ?编号",
    "Sources?", "Credibility", "Confidence", "(?:Key )?[Pp]oints", "Suggested [a-z]{4,12}", "Placement", "Relation", "Question", "Suggestion",
    "How to verify", "Claim", "Priority", "Author", "Date", "Topic", "Title", "Summary", "Status", "Takeaway", "Category", "Tags",
    "arXiv(?: IDs?)?",
)  # fmt: skip
# Words that, with a number and a colon, begin something new even in the middle of a line.
NUMBERED = ("增量", "高价值", "条目", "待核实", "待核验", "Increment", "Finding")
ABBREVIATIONS = frozenset({
    "e.g", "i.e", "vs", "cf", "al", "fig", "figs", "eq", "eqs", "sec", "no", "nos", "vol", "pp", "dr", "mr", "mrs", "ms", "prof", "st",
    "approx", "ca", "resp", "incl", "inc", "ltd", "co", "corp", "jr", "sr", "u.s", "u.k", "a.k.a", "w.r.t", "ref", "refs", "ch", "dept",
    "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
})  # fmt: skip

# The set in front lets the search pass quickly over what begins none of them.
_SIGN = re.compile(
    rf"(?=[`(（\[【「『《“)）\]】」』》”\"\-·{BULLETS}{CIRCLED}\d：:。！？；.!?;])(?:"
    r"(?P<skip>`[^`\n]{1,200}`|:(?:(?<=http:)|(?<=https:))//[^\s<>()（）「」【】，。；、]{1,1000}(?<![.!?,;:]))"
    r"|(?P<paren>[(（]\d{1,2}[)）])"
    r"|(?P<open>[(（\[【「『《“])|(?P<close>[)）\]】」』》”])|(?P<quote>\")"
    r"|(?P<dash>(?<=[\s：:])-(?=\s))|(?P<dot>·)"
    rf"|(?P<bullet>[{BULLETS}])|(?P<circle>[{CIRCLED}]|\d\ufe0f?\u20e3)"
    rf"|(?P<number>(?<![^\s：:；;。])\d{{1,2}}[.、](?=\s|[{CJK}]))"
    r"|(?P<colon>[：:])"
    rf"|(?P<end>[。！？][。！？!?]{{0,6}}[*_`]{{0,4}}|；|[.!?][.!?]{{0,6}}[*_`]{{0,4}}(?=[\s{CJK}”’」』）)】\"'\]]|\Z)|;(?=\s?[{CJK}])))"
)
_LABEL = re.compile(
    rf"(?:\A|(?<=[\s·，。；;|]))(?:\*\*[^*\n]{{1,40}}|(?:{'|'.join(LABELS)})(?: ?[#＃]?\d{{1,3}})?|(?:{'|'.join(NUMBERED)}) ?\d{{1,3}})"
    r"(?:\*\*)?\Z"
)
_LOOSE_LABEL = re.compile(rf"(?:\A|(?<=[^\x00-\x7f]\s)|(?<=[.;:!?)\]]\s))[{CJK}]{{2,8}}\Z")
_LABEL_WINDOW = 48
_DELIMITER = re.compile(r"\|(?:[ \t]?:?-{2,60}:?[ \t]?\|){2,80}")
_ONLY_MARKS = re.compile(rf"\A(?:[\s\-*_{BULLETS}{CIRCLED}]|\d{{1,2}}[.、)）]|[(（]\d{{1,2}}[)）]){{0,8}}\Z")
_RANGE_LEFT = re.compile(r"(?<![\w.,-])\d{1,4}(?:\.\d{1,2})?[%×x]?\Z")
_RANGE_RIGHT = re.compile(r"\d{1,4}(?:\.\d{1,2})?(?![\w.,-]\d|\d)")
_LAST_WORD = re.compile(r"[A-Za-z][A-Za-z.]{0,11}\Z")
# Where a piece that is too long is cut, best first; the cut comes after the match.
_BREAKS = (
    re.compile(r"[。！？]|[.!?](?=\s)"),
    re.compile(rf"；|;(?=[\s{CJK}])"),
    re.compile(rf"[，、]|,(?=[\s{CJK}])|(?<=\s)\|(?=\s)"),
    re.compile(r"[ \t\u3000](?=[·+/→&|-])|[）)」』】”](?=[^，。；、,.;:：\s])"),
    re.compile(r"\s"),
)

Span = tuple[int, int, UnitKind]


class _Sign(NamedTuple):
    name: str
    start: int
    end: int


class _Signs(NamedTuple):
    """The signs of a line: those outside of brackets, all ends of sentences, and bullets wherever they stand."""

    outside: list[_Sign]
    ends: list[int]
    bullets: list[_Sign]


def pieces(text: str, start: int, end: int, kind: UnitKind) -> Iterator[Span]:
    """Cut one line of running text; `kind` is what its first piece is."""
    table = _DELIMITER.search(text, start, end)
    while table:
        head = _table_head(text, start, table)
        yield from _running(text, start, head, kind)
        yield from fitted(text, (head, table.start(), "row"), LONGEST_ROW)
        yield table.start(), table.end(), "rule"
        start, kind = table.end(), "sentence"
        while row_end := _row_end(text, start, end, columns=table[0].count("|") - 1):
            yield from fitted(text, (start, row_end, "row"), LONGEST_ROW)
            start = row_end
        table = _DELIMITER.search(text, start, end)
    yield from _running(text, start, end, kind)


def _running(text: str, start: int, end: int, kind: UnitKind) -> Iterator[Span]:
    if not text[start:end].strip():
        return
    signs = _read_signs(text, start, end)
    cuts = _structure(text, start, signs)
    bounds = [start]
    for at in sorted(cuts):
        if not _ONLY_MARKS.match(text[bounds[-1] : min(at, bounds[-1] + 25)]):
            bounds.append(at)
    bounds.append(end)
    for at, until in pairwise(bounds):
        yield from _sentences(text, (at, until, kind if at == start else cuts[at]), signs)


def fitted(text: str, span: Span, limit: int) -> Iterator[Span]:
    """Cut a span that is longer than `limit` at its best places; white space around it does not count."""
    start, end, kind = span
    while True:
        while start < end and text[start].isspace():
            start += 1
        if end - start <= limit:
            break
        cut = _best_cut(text, start, start + limit)
        yield start, cut, kind
        start = cut
    if start < end:
        yield start, end, kind


def _best_cut(text: str, start: int, limit: int) -> int:
    middle = (start + limit) // 2
    for pattern in _BREAKS:
        cut = 0
        for match in pattern.finditer(text, middle, limit):
            cut = match.end()
        if cut:
            return cut
    cut = limit
    while cut > limit - 16 and (combining(text[cut]) or text[cut] in "\u200d\ufe0f" or text[cut - 1] == "\u200d"):
        cut -= 1
    return cut


def _table_head(text: str, start: int, table: re.Match[str]) -> int:
    """Return where the header begins of a table that lost its line ends: it has as many cells as the delimiter."""
    head = table.start()
    for _ in range(table[0].count("|")):
        bar = text.rfind("|", max(start, head - LONGEST), head)
        if bar < 0:
            break
        head = bar
    return head


def _row_end(text: str, start: int, end: int, *, columns: int) -> int:
    """Return the end of the row that begins at `start`, after as many cells as the delimiter has, or 0."""
    bar = text.find("|", start, end)
    if bar < 0 or text[start:bar].strip():
        return 0
    for _ in range(columns):
        bar = text.find("|", bar + 1, end)
        if bar < 0:
            return 0
    return bar + 1


def _read_signs(text: str, start: int, end: int) -> _Signs:
    found: list[_Sign] = []
    openings: list[int] = []
    asides: list[tuple[int, int]] = []  # outermost brackets and quotations that are closed soon
    quotation = -1
    for match in _SIGN.finditer(text, start, end):
        name, at, opening = match.lastgroup or "", match.start(), -1
        if name == "skip":
            continue
        if name == "open":
            openings.append(at)
            continue
        if name == "close":
            opening = openings.pop() if openings else -1
        elif name == "quote" and quotation >= 0 and at - quotation <= _ASIDE:
            opening, quotation = quotation, -1
        elif name == "quote":
            quotation = -1 if text[max(start, at - 1) : at].isdigit() else at  # no inches
        else:
            found.append(_Sign(name, at, match.end()))
            continue
        is_aside = opening >= 0 and at - opening <= _ASIDE
        if is_aside:
            while asides and asides[-1][0] > opening:
                asides.pop()
            asides.append((opening, at))
        if name == "close" or is_aside:
            _close_sentence(text, found, at, is_aside=is_aside)
    ends = sorted({sign.end for sign in found if sign.name == "end" and _ends_sentence(text, sign)})
    return _Signs(_outside(found, asides, end), ends, [sign for sign in found if sign.name == "bullet"])


def _close_sentence(text: str, found: list[_Sign], at: int, *, is_aside: bool) -> None:
    """Where a sentence ends directly before a closing bracket or quotation mark, it ends after it."""
    if not found or found[-1].name != "end" or found[-1].end != at:
        return
    if not is_aside:
        found[-1] = found[-1]._replace(end=at + 1)
    elif not text[at + 1 : at + 2].strip():
        found.append(_Sign("end", at, at + 1))


def _outside(found: Sequence[_Sign], asides: Sequence[tuple[int, int]], end: int) -> list[_Sign]:
    outside, rest = [], iter([*asides, (end, end)])
    opening, closing = next(rest)
    for sign in found:
        while sign.start > closing:
            opening, closing = next(rest)
        if sign.start <= opening or (sign.start == closing and sign.name == "end"):
            outside.append(sign)
    return outside


def _ends_sentence(text: str, sign: _Sign) -> bool:
    """Tell the end of a sentence from a period after a number, an initial or an abbreviation."""
    following = text[sign.end : sign.end + 3].lstrip()[:1]
    if text[sign.start] not in '.!?)]"':
        return True
    if following.islower() or (following and following in "-–—,;:)]\"'"):
        return False
    if text[sign.start] != ".":
        return True
    before = text[max(0, sign.start - 12) : sign.start]
    if before[-1:].isdigit():
        return bool(before.strip("0123456789 \t\r\n*-"))  # else the number of a list item
    word = _LAST_WORD.search(before)
    return word is None or not (word[0].lower() in ABBREVIATIONS or (len(word[0]) == 1 and word[0].isupper()))


# --- lists and labels in one line -------------------------------------------------------------------------------------


def _structure(text: str, start: int, signs: _Signs) -> dict[int, UnitKind]:
    """Return where items and labels begin."""
    cuts: dict[int, UnitKind] = {sign.start: "item" for sign in signs.bullets}
    by_name: dict[str, list[_Sign]] = {"dash": [], "circle": [], "number": [], "paren": [], "colon": []}
    for sign in signs.outside:
        if sign.name in by_name:
            by_name[sign.name].append(sign)
    cuts |= dict.fromkeys((sign.start for sign in _list_dashes(text, by_name["dash"])), "item")
    if len(by_name["circle"]) > 1:
        cuts |= dict.fromkeys((sign.start for sign in by_name["circle"]), "item")
    for name in ("number", "paren"):
        cuts |= dict.fromkeys(_counted(text, start, by_name[name]), "item")
    labels = _labels(text, start, by_name["colon"])
    if len(labels) > 1:
        for label in labels:
            cuts.setdefault(label, "sentence")
    return cuts


def _list_dashes(text: str, dashes: Sequence[_Sign]) -> Sequence[_Sign]:
    """Return the dashes that join items: all after a colon, or three and more; one between two short numbers is a range."""
    joining = [
        sign
        for sign in dashes
        if not (
            _RANGE_LEFT.search(text[max(0, sign.start - 10) : sign.start - 1])
            and _RANGE_RIGHT.match(text[sign.end + 1 : sign.end + 12])
        )
    ]
    for position, sign in enumerate(joining):
        if text[max(0, sign.start - 8) : sign.start].rstrip().endswith(("：", ":")):
            return joining[position:] if len(joining) < 3 else joining
    return joining if len(joining) >= 3 else ()


def _counted(text: str, start: int, numbers: Sequence[_Sign]) -> list[int]:
    """Return the starts of numbers that count up, from 1 or from the number that opens the line."""
    found: list[int] = []
    expected = 1
    for sign in numbers:
        value = int("".join(filter(str.isdigit, text[sign.start : sign.end])))
        if not found and not text[start : sign.start].strip():
            expected = value
        if value == expected:
            found.append(sign.start)
            expected += 1
    return found if len(found) > 1 else []


def _labels(text: str, start: int, colons: Sequence[_Sign]) -> list[int]:
    """Return where labels begin."""
    found: list[int] = []
    for sign in colons:
        low = max(start, sign.start - _LABEL_WINDOW)
        before = text[low : sign.start]
        match = _LABEL.search(before)
        if match is None and text[sign.start] == "：" and text[sign.end : sign.end + 1].isspace():
            match = _LOOSE_LABEL.search(before)
        is_identifier = before.endswith("Xiv") and text[sign.end : sign.end + 1].isdigit()
        if match and not is_identifier and (match.start() or low == start):
            found.append(low + match.start())
    return found


# --- sentences --------------------------------------------------------------------------------------------------------


def _sentences(text: str, span: Span, signs: _Signs) -> Iterator[Span]:
    start, end, kind = span
    if kind == "item" and end - start <= _COMFORTABLE:
        yield span
        return
    known = {sign.end for sign in _inside(signs.outside, start, end) if sign.name == "end"}
    ends = signs.ends[bisect_left(signs.ends, start + 1) : bisect_left(signs.ends, end)]
    for sentence in _cut_at(span, [at for at in ends if at in known]):
        low, high, _ = sentence
        if high - low > LONGEST:
            deeper = ends[bisect_left(ends, low + 1) : bisect_left(ends, high)]
            for part in _cut_at(sentence, deeper):
                yield from _by_dots(text, part, signs)
        else:
            yield from _by_dots(text, sentence, signs)


def _by_dots(text: str, span: Span, signs: _Signs) -> Iterator[Span]:
    """Cut a long piece that is a list joined by " · "."""
    start, end, _ = span
    if end - start > _COMFORTABLE:
        dots = [
            sign.end
            for sign in _inside(signs.outside, start, end)
            if sign.name == "dot" and text[sign.end : sign.end + 1].isspace()
        ]
        parts = list(_cut_at(span, dots)) if len(dots) > 1 else [span]
    else:
        parts = [span]
    for part in parts:
        yield from fitted(text, part, LONGEST)


def _inside(signs: Sequence[_Sign], start: int, end: int) -> Sequence[_Sign]:
    low = bisect_left(signs, start, key=lambda sign: sign.start)
    return signs[low : bisect_left(signs, end, lo=low, key=lambda sign: sign.start)]


def _cut_at(span: Span, ends: Sequence[int]) -> Iterator[Span]:
    start, end, kind = span
    for at in ends:
        if start < at < end:
            yield start, at, kind
            start, kind = at, "sentence"
    yield start, end, kind

"""Cuts a note into units, the smallest spans that can be cited: sentences, list items, table rows, headings, code.

Promises, for any text: `text[unit.start:unit.end]` is the unit's text; units are in order and never overlap; everything but
white space is in exactly one unit; numbers run from 1; lines end at LF, CRLF or a lone CR only; the same text gives the
same units; time is linear in the text.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator

from agent.reading.blocks import CJK, ITEM_MARK, TERMINAL, Block, Page, blocks_of
from agent.reading.front_matter import read_front_matter
from agent.reading.pieces import LABELS, LONGEST, LONGEST_CODE, LONGEST_ROW, Span, fitted, pieces
from agent.texts import Unit, UnitKind

# "Figure 3: …" stands like a heading and is none.
CAPTIONS = (
    "表", "图", "公式", "式", "例", "注", "代码", "Table", "Figure", "Fig", "Listing", "Algorithm", "Equation", "Example", "Note", "Ref",
)  # fmt: skip
_CONTENT = 2_000  # front matter longer than this holds what the note says
_WRAPPED = range(56, 125)  # widths at which editors wrap lines
_NUMERAL = "一二三四五六七八九十百"

_MARKS = frozenset(" \t\r\n-*+>·#|=_~:.<\\/…—" + "".join(map(chr, range(0x2500, 0x2580))))
_TAGS = re.compile(r"<[^<>]{0,2000}>")
_HTML_CUT = re.compile(
    r"<!--|<tr\b|(?=<(?:li|p|div|h[1-6]|details|summary|table|thead|tbody|ul|ol|blockquote|pre|dt|dd)\b)|(?<=<br>)|(?<=/summary>)|(?<=\n)",
    re.IGNORECASE,
)
_DECORATION = re.compile(
    "[\\s#*_>~\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\U0001f000-\U0001faff]{0,24}"
)
_HEADING_SHAPE = re.compile(
    rf"\A(?:[{_NUMERAL}]{{1,3}}、|第 ?[{_NUMERAL}\d]{{1,4}} ?[章节節部篇讲]|§ ?\d|\d\ufe0f?\u20e3|[（(][{_NUMERAL}]{{1,3}}[)）]|【[^】\n]{{1,24}}】\S"
    rf"|(?:[{CJK}]{{1,6}} ?|[A-Z][A-Za-z]{{2,15}}(?: [A-Za-z]{{2,15}})? )[#＃]?(?:\d{{1,3}}|[{_NUMERAL}]{{1,3}}|[A-Z]) ?"
    r"(?:[：:【（(·—–|]|[.、] |- (?!\d)|\*\*|\Z))"
)
_LABEL_AFTER = re.compile(rf"[\s·；;](?:\*\*)?(?:{'|'.join(LABELS)})(?:\*\*)?[：:](?!\d)")
_KEYCAP = re.compile(r"\A\d\ufe0f?\u20e3")
_SECOND_ITEM = re.compile(r"\s2[.、)）] ?")
_CAPTION = re.compile(rf"\A(?:{'|'.join(CAPTIONS)})\.? ?\d")
_FLAGGED = re.compile(
    rf"\A[⚠❓❗🚩🔍]\ufe0f?\s?(?:[{CJK}]{{2,8}}|[A-Z][a-z]{{2,12}}(?: [a-z]{{2,12}}){{0,2}}) ?\d{{0,2}} ?[：:]"
)
_ASIDE = re.compile(r"[（(][^（()）]{0,60}[)）]")
_LINK = re.compile(r"!?\[([^\[\]\n]{0,400})\]\([^()\n]{0,1000}\)")
_EMPHASIS = re.compile(r"(?=[*_~`])(?:\*\*|__|~~|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w))")
_ATX = re.compile(r"\A {0,3}(#{1,6})(?:[ \t]|\Z)")


def split_units(text: str) -> tuple[Unit, ...]:
    """Cut a note into units; a text without anything but white space has none."""
    page = Page(text)
    blocks = blocks_of(page)
    is_unmarked = not any(block.kind == "heading" for block in blocks)
    units: list[Unit] = []
    for position, block in enumerate(blocks):
        for start, end, kind in _cut(page, block, may_be_heading=is_unmarked and position + 1 < len(blocks)):
            said = text[start:end]
            first = start + len(said) - len(said.lstrip())
            said = said.strip()
            if said:
                last = first + len(said)
                units.append(Unit(len(units) + 1, first, last, said, _settled(said, kind), page.number_at(first)))
    return tuple(units)


def says_nothing(text: str) -> bool:
    """Whether a text holds no word: white space, marks, comments and front matter say nothing."""
    said = (unit.text for unit in split_units(text) if unit.kind not in {"front_matter", "comment"})
    return not any(character.isalnum() for words in said for character in words)


def heading_parts(text: str) -> tuple[int, str]:
    """Return a heading's level (0 where it has no Markdown or HTML mark) and its words without marks, links and emphasis."""
    line, _, rest = text.strip().partition("\n")
    level, underline = 0, rest.strip()
    if match := _ATX.match(line):
        level = len(match[1])
        line = line[match.end() :].rstrip().rstrip("#")
    elif underline and not underline.strip("=-"):
        level = 1 if underline.startswith("=") else 2
    elif line[:2].lower() == "<h" and line[2:3].isdigit():
        level = int(line[2])
    words = _TAGS.sub("", _LINK.sub(r"\1", line) if "[" in line else line)
    return level, " ".join(_EMPHASIS.sub("", words).split())


def _settled(text: str, kind: UnitKind) -> UnitKind:
    """A unit of marks alone says nothing, whatever it stands in."""
    is_marks = text[0] in _MARKS and kind in {"sentence", "item", "row"} and _MARKS.issuperset(text)
    return "rule" if is_marks else kind


def _cut(page: Page, block: Block, *, may_be_heading: bool) -> Iterator[Span]:
    start, end = page.span(block.first, block.last)
    if block.kind == "code":
        yield from _by_lines(page, block, "code", LONGEST_CODE)
    elif block.kind == "front_matter" and end - start <= _CONTENT and not _is_refused(page.text):
        yield from _by_lines(page, block, "front_matter", LONGEST)
    elif block.kind == "table":
        for number in range(block.first, block.last):
            kind: UnitKind = "rule" if number == block.first + 1 else "row"
            yield from fitted(page.text, (*page.span(number, number + 1), kind), LONGEST_ROW)
    elif block.kind == "html":
        yield from _html(page.text, start, end)
    elif block.kind in {"flow", "front_matter"}:
        yield from _flow(page, block, may_be_heading=may_be_heading)
    else:
        yield from fitted(page.text, (start, end, "heading" if block.kind == "heading" else "rule"), LONGEST)


def _is_refused(text: str) -> bool:
    """Whether front matter is not understood: then it is text like any other, so that nothing hides in it."""
    front = read_front_matter(text)
    return not front.end and bool(front.problem)


def _by_lines(page: Page, block: Block, kind: UnitKind, limit: int) -> Iterator[Span]:
    """Keep a block whole up to `limit`, else cut it between lines, at blank ones first."""
    first = block.first
    while first < block.last:
        last = max(first + 1, min(bisect_right(page.starts, page.starts[first] + limit) - 1, block.last))
        if last < block.last:
            last = next((number for number in range(last - 1, first, -1) if page.is_blank(number)), last)
        yield from fitted(page.text, (*page.span(first, last), kind), limit)
        first = last


def _flow(page: Page, block: Block, *, may_be_heading: bool) -> Iterator[Span]:
    is_free = block.is_free and block.kind == "flow"
    is_alone = block.last - block.first == 1
    for first, last in _statements(page, block):
        start, end = page.span(first, last)
        line = page.text[start:end]
        bare = line.strip(" \t>\r\n")
        if bare.startswith("|") and (bare.endswith("|") or bare.count("|") > 2) and "|--" not in bare[1:]:
            yield from fitted(page.text, (start, end, "row"), LONGEST_ROW)
        elif last - first == 1 and is_free and _is_lost_heading(line, is_alone=is_alone, may_be_weak=may_be_heading):
            yield from fitted(page.text, (start, end, "heading"), LONGEST)
        else:
            yield from pieces(page.text, start, end, "item" if ITEM_MARK.match(line) else "sentence")


def _is_lost_heading(line: str, *, is_alone: bool, may_be_weak: bool) -> bool:
    """Whether a line without marks has the form of a heading.

    A mark with a number ("增量 3：", "一、", "§2.79") is enough on any line; a short line of its own counts where the note
    has no marked heading at all.
    """
    words = line.strip()
    is_item = ITEM_MARK.match(words) and not (is_alone and _KEYCAP.match(words))
    if is_item or not 1 < len(words) <= 200 or words.rstrip("*_ ").endswith(TERMINAL):
        return False
    if _LABEL_AFTER.search(words) or _SECOND_ITEM.search(words):
        return False  # an entry or a list that lost its line ends
    decoration = _DECORATION.match(words)
    bare = words[decoration.end() :] if decoration else words
    if _HEADING_SHAPE.match(bare) and not _CAPTION.match(bare) and "。" not in bare:
        return True
    if _FLAGGED.match(words) and len(words) <= 120 and not any(mark in words for mark in "。；;"):
        return True
    is_bold = words.startswith("**") and words.endswith("**") and words.count("**") == 2
    is_short = len(words) <= (60 if words.isascii() or is_bold else 40)
    rest = _ASIDE.sub("", words)
    is_plain = not any(mark in rest for mark in "：:|，。；,<>[]{}=") and any(char.isalnum() for char in rest)
    return may_be_weak and is_alone and is_short and is_plain


def _statements(page: Page, block: Block) -> Iterator[tuple[int, int]]:
    """Yield runs of lines: one line each, but lines that an editor wrapped stay together."""
    lines = [page.line(number) for number in range(block.first, block.last)]
    widths = [_width(line.strip()) for line in lines] if len(lines) > 1 else [0]
    widest = max(widths)
    has_edge = sum(width >= widest - 12 for width in widths) > 1
    first = 0
    for number in range(1, len(lines) + 1):
        if number < len(lines) and widest in _WRAPPED:
            room = widest - widths[number - 1] if has_edge else widest
            if _is_wrapped(
                lines[number - 1], lines[number], room=room, is_long=widths[number - 1] >= _WRAPPED.start // 2
            ):
                continue
        yield block.first + first, block.first + number
        first = number


def _is_wrapped(line: str, following: str, *, room: int, is_long: bool) -> bool:
    """Whether the line break after `line` is an editor's: the next word would not have fitted, or goes on in lower case."""
    ended = line.rstrip("\r\n")
    words = following.strip(" \t>").split(None, 1)
    if not words or ITEM_MARK.match(following) or words[0].startswith("|"):
        return False
    if ended.endswith(("  ", "\\")) or ended.rstrip().endswith(("：", ":", "|")):
        return False
    if words[0].startswith(("**", "__")) and not (ended[-1:].isascii() and ended[-1:].islower()):
        return False
    whole = ended.strip(" \t>")
    if whole.startswith(("**", "__")) and whole.endswith(("**", "__")) and whole.count(whole[:2]) == 2:
        return False  # a bold line is a heading that lost its marks
    fits = 1 + (2 if words[0] >= "\u2e80" else len(words[0])) <= room
    return not fits or (is_long and words[0][0].islower())


def _width(text: str) -> int:
    if text.isascii() or len(text) > 4 * _WRAPPED.stop:
        return len(text)
    return sum(2 if char >= "\u2e80" else 1 for char in text)


def _html(text: str, start: int, end: int) -> Iterator[Span]:
    """Cut raw HTML at its rows, items and lines; comments and tags without words say nothing."""
    lowered = text[start:end].lower()
    if len(lowered) != end - start:  # a letter that grows in lower case
        lowered = text[start:end]
    at, has_endings = start, True
    for match in _HTML_CUT.finditer(text, start, end):
        here = match.start()
        if here < at:
            continue
        stop = here
        if match[0]:
            is_comment = match[0] == "<!--"
            closing = "-->" if is_comment else "</tr>"
            limit = len(lowered) if is_comment else here - start + LONGEST_ROW
            found = lowered.find(closing, here - start, limit) if has_endings or not is_comment else -1
            has_endings = has_endings and (found >= 0 or not is_comment)
            if found < 0:
                continue
            stop = start + found + len(closing)
        yield from _html_text(text, at, here)
        if match[0]:
            yield from fitted(text, (here, stop, "comment" if match[0] == "<!--" else "row"), LONGEST_ROW)
        at = stop
    yield from _html_text(text, at, end)


def _html_text(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end].strip().lower()
    if piece.startswith("<!--"):
        yield from fitted(text, (start, end, "comment"), LONGEST_ROW)
    elif not _TAGS.sub("", piece).strip():
        yield from fitted(text, (start, end, "rule"), LONGEST)
    elif piece.startswith("<h") and piece[2:3].isdigit():
        yield from fitted(text, (start, end, "heading"), LONGEST)
    else:
        yield from pieces(text, start, end, "item" if piece.startswith("<li") else "sentence")

"""Which stretches of a text are quoted, code or an address, so that what stands in them is not taken for the note's own word.

Everything keeps offsets: `folded` and `masked` return a text of the same length. Nothing raises, and time is linear in the text.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

Span = tuple[int, int]

MASK = "\0"
"""What `masked` puts in place of each hidden character."""

_WIDE = "：；，（）／＋！？％～－．＂＊＿＝［］｜＆＃＠０１２３４５６７８９\u3000\u00a0"
_NARROW = ':;,()/+!?%~-."*_=[]|&#@0123456789  '
_PAIRS = {"「": "」", "『": "』", "“": "”", "《": "》", "«": "»", "〈": "〉"}
_OPENERS = {close: opener for opener, close in _PAIRS.items()}
_CLOSING = ("`", '"', *_OPENERS)
_BEFORE_OPENING = frozenset(" \t\n:;,(=、。[【+/>*")

# An address ends at white space, at a quotation mark or where the text goes on in another script.
_ADDRESS = re.compile(r"[!#-;=?-_a-~]{1,2000}")
_MARK = re.compile(r"[\n「」『』“”《》«»〈〉\"`](?:(?<=\n)[ \t]{0,32}\n)?")
_BRACKET = re.compile(r"[()\[\]【】]")
_CLOSES = {")": "(", "]": "[", "】": "【"}


@lru_cache(maxsize=8)  # several readers ask about one text in turn
def folded(text: str) -> str:
    """Return `text` with full-width punctuation and digits in half width and every line end as a line feed; offsets stay."""
    if text.isascii():
        return text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
    for ending in ("\r\n", "\r", "\u2028", "\u2029", "\x85"):
        text = text.replace(ending, "\n".rjust(len(ending)))
    for wide, narrow in zip(_WIDE, _NARROW, strict=True):
        text = text.replace(wide, narrow)
    return text


def addresses(text: str) -> list[Span]:
    """Return the spans of URLs in order."""
    return list(_addresses(text)) if "://" in text else []


@lru_cache(maxsize=8)  # several readers ask about one text in turn
def _addresses(text: str) -> tuple[Span, ...]:
    spans: list[Span] = []
    at, last = text.find("://"), 0
    while at >= 0:
        before = text[max(last, at - 5) : at].lower()
        length = 5 if before == "https" else 4 if before.endswith("http") else 3 if before.endswith("ftp") else 0
        match = _ADDRESS.match(text, at + 3) if length else None
        if match:
            last = match.end()
            spans.append((at - length, last))
        at = text.find("://", match.end() if match else at + 3)
    return tuple(spans)


@lru_cache(maxsize=8)  # several readers ask about one text in turn
def quoted(text: str, *, with_code: bool = True) -> tuple[Span, ...]:
    """Return the outermost spans between quotation marks, and `with_code` between backticks, marks included, in order.

    An opening mark without its partner quotes nothing. Straight marks and backticks pair within one line, the others within
    one paragraph; a straight mark after a letter or digit and before white space (12" wide) opens nothing.
    """
    if not any(map(text.__contains__, _CLOSING if with_code else _CLOSING[1:])):
        return ()
    spans: list[Span] = []
    stack: list[tuple[str, int]] = []
    depth = dict.fromkeys(_PAIRS, 0)
    straight = {'"': -1, "`": -1}
    for match in _MARK.finditer(text):
        mark, at = match.group(), match.start()
        if mark[0] == "\n":
            straight = {'"': -1, "`": -1}
            if len(mark) > 1:
                stack.clear()
                depth = dict.fromkeys(_PAIRS, 0)
        elif mark == "`" and not with_code:
            continue
        elif mark in straight:
            _pair_straight(text, at, mark, straight, spans)
        elif mark in depth:
            stack.append((mark, at))
            depth[mark] += 1
        elif depth[_OPENERS[mark]]:
            spans.append((_pop(stack, depth, _OPENERS[mark]), at + 1))
    return tuple(outermost(spans))


def _pair_straight(text: str, at: int, mark: str, straight: dict[str, int], spans: list[Span]) -> None:
    opened = straight[mark]
    before, after = text[at - 1 : at] or "\n", text[at + 1 : at + 2] or "\n"
    is_opening = before in _BEFORE_OPENING and not after.isspace()
    if opened < 0 or (is_opening and mark == '"' and at > opened + 1):
        # a second opening mark says that the first one was never closed
        can_open = is_opening or not (after.isspace() or (before.isascii() and before.isalnum()))
        straight[mark] = at if can_open else -1
    else:
        spans.append((opened, at + 1))
        straight[mark] = -1


def _pop(stack: list[tuple[str, int]], depth: dict[str, int], opener: str) -> int:
    while True:
        mark, at = stack.pop()
        depth[mark] -= 1
        if mark == opener:
            return at


def outermost(spans: Iterable[Span]) -> list[Span]:
    """Return `spans` in order, without those that begin inside another one."""
    kept: list[Span] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


@lru_cache(maxsize=8)  # several readers ask about one text in turn
def shielded(text: str) -> tuple[Span, ...]:
    """Return the spans of quotations, inline code and URLs, outermost ones only, in order."""
    return tuple(outermost([*quoted(text), *addresses(text)]))


def is_inside(spans: Sequence[Span], offset: int) -> bool:
    """Say whether `offset` lies in one of `spans`, which are in order and do not overlap."""
    index = bisect_right(spans, offset, key=lambda span: span[0]) - 1
    return index >= 0 and offset < spans[index][1]


def masked(text: str, spans: Sequence[Span], *, margin: int = 0, mask: str = MASK) -> str:
    """Return `text` with all characters of `spans` replaced by `mask`, but for `margin` characters at either end of each."""
    parts: list[str] = []
    at = 0
    for start, end in spans:
        first, last = start + margin, end - margin
        if first >= last or first < at:
            continue
        parts += (text[at:first], mask * (last - first))
        at = last
    return "".join((*parts, text[at:]))


@lru_cache(maxsize=8)  # several readers ask about one text in turn
def bracket_pairs(text: str) -> Mapping[int, int]:
    """Return for each bracket of `text` (folded) that is closed where it opens and where it ends."""
    pairs: dict[int, int] = {}
    stack: list[tuple[str, int]] = []
    depth = {"(": 0, "[": 0, "【": 0}
    for match in _BRACKET.finditer(text):
        mark = match.group()
        if mark in depth:
            stack.append((mark, match.start()))
            depth[mark] += 1
        elif depth[_CLOSES[mark]]:
            pairs[_pop(stack, depth, _CLOSES[mark])] = match.end()
    return pairs


def bracketed(text: str) -> list[Span]:
    """Return the outermost spans between matching brackets, brackets included, in order; `text` is folded."""
    return outermost(bracket_pairs(text).items())


def bracket_at(text: str, start: int, end: int) -> Span | None:
    """Return the span of the round bracket that opens at `start`, up to `end` at most; None when it is never closed."""
    depth = 0
    for match in _BRACKET.finditer(text, start, end):
        depth += {"(": 1, ")": -1}.get(match.group(), 0)
        if depth <= 0:
            return (start, match.end()) if match.group() == ")" else None
    return None

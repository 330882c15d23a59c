"""Folds away what a copy may change without changing what is said: Unicode form, width, marks, markup, wraps, bullets.

Promises: what is folded keeps its place, so that every stretch of a folded text leads back to the original; both sides of a
comparison go through the same folding; no digit, sign, unit, comparator or letter is ever folded into another one, and nothing
that a reader does not see stays between two that he does. Nothing raises; time is linear in the text.
"""

import html
import re
import unicodedata
from array import array
from dataclasses import dataclass
from functools import lru_cache

_HAN = "\u3400-\u9fff"
# Markup that shows nothing by itself. What is struck out, raised or lowered says something else without its tags, so those stay.
_TAG_NAMES = "b|i|em|strong|code|kbd|tt|u|q|p|br|hr|span|div|a|li|ul|ol|mark|small|big|font|blockquote|pre|table|thead|tbody|tr|td|th|h[1-6]|details|summary"
_MARKUP = re.compile(
    r"(?P<escape>\\(?=[!-/:-@\[-`{-~]))"
    r"|(?P<link>!?\[(?P<label>[^\[\]\n]{0,400})\]\([^()\s]{0,1000}(?:[ \t]{1,4}\"[^\"\n]{0,200}\")?\))"
    r"|(?P<wiki>!?\[\[(?:[^\[\]|\n]{0,200}\|)?(?P<alias>[^\[\]|\n]{0,200})\]\])"
    r"|(?P<foot>\[\^[\w-]{1,40}\])"
    rf"|(?P<tag></?(?:{_TAG_NAMES})(?:[ \t]{{1,4}}[\w-]{{1,30}}[ \t]?=[ \t]?(?:\"[^\"<>\n]{{0,400}}\"|'[^'<>\n]{{0,400}}'|[^\s\"'<>]{{1,200}})){{0,8}}[ \t]?/?>)"
    r"|(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});)",
    re.IGNORECASE,
)
_MARKED = re.compile(r"[\\\[&<]")

_LINE_MARKS = re.compile(
    r"(?P<quote>[ \t]{0,8}(?:>[ \t]?){1,8})?[ \t]{0,40}(?:[-*+•◦▪●·–—][ \t]{1,8})?(?:#{1,6}[ \t]{1,4})?(?:\[[ xX]\][ \t])?"
)
_SCAN = re.compile(
    rf"(?P<plain>[A-Za-z0-9{_HAN}]+)"
    r"|(?P<space>[\s|│•·◦▪●\u3000\u2028\u2029\x85\x00-\x1f\x7f]+)"
    r"|(?P<emphasis>\*+|_+|`+)"
    r"|(?P<double>[\"“”„‟«»「」『』﹁﹂﹃﹄〝〞〟＂])"
    r"|(?P<single>['‘’‚‛＇])"
    r"|(?P<dash>[-‐‑‒–—―−─﹣－]+)"
    r"|(?P<dots>…+|⋯+|\.{3,}|。{3,})"
    r"|(?P<other>.)",
    re.DOTALL,
)
_SYMBOLS = {
    "≥": ">=", "⩾": ">=", "≧": ">=", "≤": "<=", "⩽": "<=", "≦": "<=", "≈": "~", "∼": "~", "～": "~", "→": "->", "⟶": "->", "⇒": "->",
    "×": "x", "✕": "x", "✖": "x", "。": ".", "．": ".", "μ": "µ",
}  # fmt: skip
_KEPT_FORMS = ("<super>", "<sub>", "<fraction>", "<circle>")  # without their form they are other figures
_JOINTS = frozenset(".,:/-~")
_DIGITS = "0123456789"


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text: the character at `index` of `text` stands at `starts[index]` to `ends[index]` of the original."""

    text: str
    starts: "array[int]"
    ends: "array[int]"

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return where a stretch of the folded text, which is not empty, stands in the original."""
        return self.starts[start], self.ends[end - 1]


@lru_cache(maxsize=16)  # a text is held against many quotations in turn
def fold(text: str) -> Folded:
    """Fold a text.

    White space is kept, as one blank, only where its loss would join two words or two figures.
    """
    source, starts, ends = _without_markup(text)
    return _Folding(source, starts, ends).done()


def _without_markup(text: str) -> tuple[str, "array[int]", "array[int]"]:
    """Return a text without the markup that shows nothing, and where each of its characters stands."""
    count = len(text)
    if not _MARKED.search(text):
        return text, array("I", range(count)), array("I", range(1, count + 1))
    parts: list[str] = []
    starts, ends, at = array("I"), array("I"), 0
    for match in _MARKUP.finditer(text):
        start, end = match.span()
        shown_from, shown, shown_to = _shown(match)
        parts += (text[at:start], shown)
        starts.extend(range(at, start))
        ends.extend(range(at + 1, start + 1))
        if shown_to - shown_from == len(shown):
            starts.extend(range(shown_from, shown_to))
            ends.extend(range(shown_from + 1, shown_to + 1))
        else:
            starts.extend([start] * len(shown))
            ends.extend([end] * len(shown))
        at = end
    parts.append(text[at:])
    starts.extend(range(at, count))
    ends.extend(range(at + 1, count + 1))
    return "".join(parts), starts, ends


def _shown(match: re.Match[str]) -> tuple[int, str, int]:
    """Return what a piece of markup shows, and where that stands."""
    for name in ("label", "alias"):
        if match[name] is not None:
            return match.start(name), match[name], match.end(name)
    if match["entity"]:
        return match.start(), html.unescape(match["entity"]), match.start()
    is_break = match["tag"] is not None and match["tag"][1:3].lower() in {"br", "p>", "li", "td", "tr", "di"}
    return match.start(), " " if is_break else "", match.start()


class _Folding:
    """One text on its way."""

    def __init__(self, source: str, starts: "array[int]", ends: "array[int]") -> None:
        self._source, self._starts, self._ends = source, starts, ends
        self._parts: list[str] = []
        self._places = array("I")  # in `source`, of each folded character
        self._last = ""  # the last character that was put down
        self._gap: tuple[int, str] | None = None  # white space since, and the character before it
        self._is_quoted = False

    def done(self) -> Folded:
        source, at = self._source, self._line(0)
        while at < len(source):
            match = _SCAN.match(source, at)
            if match is None:  # pragma: no cover - the pattern matches any character
                break
            at = self._step(match)
        starts = array("I", [self._starts[place] for place in self._places])
        ends = array("I", [self._ends[place] for place in self._places])
        return Folded("".join(self._parts), starts, ends)

    def _step(self, match: re.Match[str]) -> int:
        """Fold what was found, and return where to go on."""
        found, start, kind = match.group(), match.start(), match.lastgroup
        if kind == "plain":
            self._put(found, start)
        elif kind == "space":
            return self._space(match)
        elif kind == "emphasis":
            if self._is_literal(match):
                self._put(found, start)
        elif kind == "single":
            self._single(match)
        elif kind == "double":
            if self._last.isdigit() and found == '"':
                self._put(found, start)  # inches
        elif kind == "dash":
            self._dash(match)
        elif kind == "dots":
            self._put("...", start, is_spread=True)
        else:
            self._other(found, start)
        return match.end()

    def _put(self, folded: str, place: int, *, is_spread: bool = False) -> None:
        """Put down what stands at a place; `is_spread` says that it is not one for one."""
        if not folded:
            return
        if self._gap is not None:
            gap, self._gap = self._gap[0], None
            if self._last and _parts(self._last, folded[0], self._tail()):
                self._parts.append(" ")
                self._places.append(gap)
        self._parts.append(folded)
        self._places.extend([place] * len(folded) if is_spread else range(place, place + len(folded)))
        self._last = folded[-1]

    def _tail(self) -> str:
        """The two last characters."""
        last = self._parts[-1][-2:] if self._parts else ""
        return last if len(last) > 1 or len(self._parts) < 2 else self._parts[-2][-1:] + last

    def _space(self, match: re.Match[str]) -> int:
        if self._gap is None:
            self._gap = (match.start(), self._last)
        found = match.group()
        if "\n" not in found and "\r" not in found:
            self._is_quoted = False if "\u2028" in found else self._is_quoted
            return match.end()
        return self._line(match.start() + max(found.rfind("\n"), found.rfind("\r")) + 1)

    def _line(self, start: int) -> int:
        """Pass over the marks that a line begins with; a lone ">" before a figure compares."""
        match = _LINE_MARKS.match(self._source, start)
        if match is None:  # pragma: no cover - it matches nothing as well
            return start
        quote, at = match["quote"] or "", match.end()
        is_alone = quote.strip() == ">" and not self._is_quoted and not self._goes_on(at)
        self._is_quoted = bool(quote)
        compares = is_alone and (self._source[at : at + 1] == "=" or self._source[at : at + 1].isdigit())
        return start if compares else at

    def _goes_on(self, at: int) -> bool:
        """Whether the next line is marked as quoted, too."""
        end = self._source.find("\n", at)
        return end >= 0 and self._source[end + 1 : end + 10].lstrip(" \t").startswith(">")

    def _around(self, match: re.Match[str]) -> tuple[str, str]:
        return self._source[match.start() - 1 : match.start()] or " ", self._source[
            match.end() : match.end() + 1
        ] or " "

    def _is_literal(self, match: re.Match[str]) -> bool:
        """Whether stars and underscores mark nothing: they stand apart, or inside a word, a name or a product."""
        before, after = self._around(match)
        if match.group()[0] == "`" or (len(match.group()) > 1 and match.group()[0] == "*"):
            return False
        is_inside = before.isascii() and before.isalnum() and after.isascii() and after.isalnum()
        return is_inside or (before.isspace() and after.isspace())

    def _single(self, match: re.Match[str]) -> None:
        before, after = self._around(match)
        if before.isalnum() and before.isascii() and (after.isalpha() or before.isdigit()):
            self._put("'", match.start())  # it's; feet

    def _dash(self, match: re.Match[str]) -> None:
        before, after = self._around(match)
        is_sign = len(match.group()) == 1 and after.isdigit() and not (before.isalnum() or before in ")]）】%")
        self._put("−" if is_sign else "-", match.start(), is_spread=True)

    def _other(self, found: str, place: int) -> None:
        if found in _SYMBOLS:
            is_number_between = found in "。．" and found != "．" and self._last.isdigit()
            self._put(found if is_number_between else _SYMBOLS[found], place, is_spread=True)
            return
        if found == "，":
            before, after = self._source[place - 1 : place], self._source[place + 1 : place + 2]
            is_listing = before in _DIGITS and after in _DIGITS and before != "" != after
            self._put("、" if is_listing else ",", place)
            return
        category = unicodedata.category(found)
        if (
            category in {"Cf", "Cc", "Cs", "Co"}
            or "\ufe00" <= found <= "\ufe0f"
            or "\U000e0100" <= found <= "\U000e01ef"
        ):
            return
        if category == "Zs":
            self._gap = self._gap or (place, self._last)
            return
        self._put(self._form(found), place, is_spread=True)

    def _form(self, found: str) -> str:
        """The compatible form of a character, unless that would be another figure."""
        decomposition = unicodedata.decomposition(found)
        if decomposition.startswith(_KEPT_FORMS):
            is_apart = decomposition.startswith(_KEPT_FORMS[:2]) and not self._last.isdigit()
            return unicodedata.normalize("NFKC", found) if is_apart else found
        return unicodedata.normalize("NFKD", found).replace(" ", "") if decomposition else found


def _parts(before: str, after: str, tail: str) -> bool:
    """Whether white space between two characters says something: words and figures must not run together."""
    if before.isascii() and after.isascii():
        if (before.isalpha() and after.isalpha()) or (before.isdigit() and after.isdigit()):
            return True
        if before.isdigit() and after in _JOINTS:
            return True
        if after.isdigit() and before in _JOINTS:
            return tail[:1].isdigit()
    return False

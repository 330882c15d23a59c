"""Makes text from notes safe to show: what is hidden goes, what Markdown would act on is escaped.

Notes are hostile until shown otherwise. Whatever comes from one passes through here before it stands in a digest.

Promises: one line out, whatever comes in; a reader sees every visible character of the text as it is; no heading, list,
quote, table cell, emphasis, code, HTML, entity, image, link, embed, footnote, formula, highlight or mention comes of it,
in CommonMark, GitHub's and Obsidian's dialect. Links are ours alone and lead to notes.
"""

import re
import unicodedata
from urllib.parse import quote, urlsplit

_ELLIPSIS = "…"
_NOTHING = "—"
_MARKS_IN_A_ROW = 4  # combining marks on one character that any script needs
_WORD_END = 30  # how far back a cut looks for the end of a word or number

# Format characters, fillers, tags, private use and non-characters: nothing that a reader sees. Those with a use in emoji
# or Chinese names (U+200D, U+FE0E, U+FE0F, U+E0100 to U+E01EF) are looked at in their place.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ue000-\uf8ff\ufdd0-\ufdef"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U0010ffff]"
)
_JOINING = re.compile("[\u200d\ufe0e\ufe0f\U000e0100-\U000e01ef]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NO_BYTE = re.compile("[\ud800-\udc7f\udd00-\udfff]")  # surrogates that stand for no byte of a file name (PEP 383)
_EMOJI_PARTS = frozenset({"So", "Sk"})

# printable ASCII that may stand in a code span of ours: no quotation mark, angle bracket, backslash, backtick or pipe
_ADDRESS_CHARACTERS = r"[!#-;=?-\[\]-_a-{}~]"
_ADDRESS = re.compile(
    rf"[A-Za-z][A-Za-z0-9+.-]{{1,20}}://{_ADDRESS_CHARACTERS}+"
    rf"|(?:data|file|ftp|javascript|mailto|obsidian|tel|vbscript|vscode|xmpp):{_ADDRESS_CHARACTERS}+"
    rf"|www\.{_ADDRESS_CHARACTERS}+"
    r"|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}"
    r"|(?<![A-Za-z0-9_])@[A-Za-z0-9][A-Za-z0-9_/-]{0,79}",
    re.IGNORECASE,
)
_AFTER_ADDRESS = ".,;:!?'*_~)]}"
_ACTIVE = re.compile(
    r"[\\`*\[\]<|~$]"
    r"|(?<!\S)\#|\#(?![A-Za-z0-9])"  # a tag, or the end of a heading; "C#m" is neither
    r"|(?<![^\W_])_|_(?![^\W_])"  # inside a word an underscore is only that
    r"|&(?=[A-Za-z#])|=(?==)|(?<==)=|%(?=%)|(?<=%)%|\{(?=[{%#])|(?<=\{)\{"
)
_LEADING = re.compile(r"(?P<number>\d{1,9})?(?(number)(?=[.)](?:\s|\Z))|(?:[-+:](?=[\s-]|\Z)|>))")


def visible(text: str) -> str:
    """Return what a reader sees of a text: one line, without control, bidi, tag, zero-width and private characters.

    A joiner or a variation selector stays where it shapes an emoji or a Chinese name; a lone surrogate, which no file can
    hold, becomes U+FFFD.
    """
    line = " ".join(text.split())
    if line.isascii() and line.isprintable():
        return line
    line = _SURROGATE.sub("\ufffd", _HIDDEN.sub("", line))
    return " ".join(_without_piles(_JOINING.sub(_joined, line)).split())


def shorten(text: str, limit: int) -> str:
    """Return the visible text, cut to at most `limit` code points with an ellipsis.

    The cut falls between characters as a reader sees them, and neither within a Latin word nor within a number.
    """
    seen = text[: 4 * limit]
    line = visible(seen)
    if len(line) <= limit and len(seen) == len(text):
        return line
    end = min(limit - 1, len(line))
    while end > 0 and _holds_together(line, end):
        end -= 1
    return line[: _end_of_word(line, end)].rstrip() + _ELLIPSIS


def escape(text: str, *, limit: int | None = None) -> str:
    """Return a text as Markdown that shows it and does nothing; a dash where nothing is visible.

    Addresses, which some programs turn into links without being asked, are shown as code.
    """
    line = shorten(text, limit) if limit else visible(text)
    parts: list[str] = []
    position = 0
    for match in _ADDRESS.finditer(line):
        address = match.group().rstrip(_AFTER_ADDRESS)
        parts += (_escape_active(line[position : match.start()]), f"`{address}`" if address else "")
        position = match.start() + len(address)
    parts.append(_escape_active(line[position:]))
    escaped = "".join(parts)
    leading = _LEADING.match(escaped)
    if leading:
        kept = leading["number"] or ""
        escaped = f"{kept}\\{escaped[len(kept) :]}"
    return escaped or _NOTHING


def note_link(note: str, line: int | None = None) -> str:
    """Return a link to a note of the workspace, to a line of it if one is given; text alone where the path leads out."""
    shown = escape(note) + (f":{line}" if line else "")
    parts = note.replace("\\", "/").split("/")
    if not note or parts[0] == "" or ".." in parts:
        return shown
    target = quote(_NO_BYTE.sub("\ufffd", note).encode("utf-8", "surrogateescape"), safe="/")
    return f"[{shown}]({target}{f'#L{line}' if line else ''})"


def address_code(url: str) -> str:
    """Return a web address as code, its host before it; other addresses, which we do not show, as plain words."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        host = ""
    if not host or urlsplit(url).scheme.lower() not in {"http", "https"}:
        return escape(url)
    written = quote(visible(url), safe="!#$&'()*+,/:;=?@[]~%")
    return f"{escape(host)} `{written}`"


def marker_value(text: str) -> str:
    """Return a text for an HTML comment: nothing in it can end the comment or a value."""
    return quote(visible(text), safe="").replace("-", "%2D")


def _escape_active(text: str) -> str:
    return _ACTIVE.sub(r"\\\g<0>", text)


def _joined(match: "re.Match[str]") -> str:
    """Keep a joiner between two emoji, a style selector behind a symbol, a glyph selector behind a Chinese character."""
    text, at = match.string, match.start()
    before, after = text[at - 1 : at] if at else "", text[match.end() : match.end() + 1]
    if match.group() == "\u200d":
        is_wanted = _is_emoji(before) and _is_emoji(after)
    elif match.group() in "\ufe0e\ufe0f":
        is_wanted = before in "#*0123456789" if before.isascii() else unicodedata.category(before) in {"So", "Sm", "Po"}
    else:
        is_wanted = "\u3400" <= before <= "\u9fff" or "\U00020000" <= before <= "\U0003ffff"
    return match.group() if before and is_wanted else ""


def _is_emoji(char: str) -> bool:
    return char == "\ufe0f" or (char != "" and unicodedata.category(char) in _EMOJI_PARTS)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in {"Mn", "Me", "Mc"}


def _without_piles(text: str) -> str:
    """Cut piles of combining marks, which would cover the lines above and below."""
    kept: list[str] = []
    height = 0
    for char in text:
        height = height + 1 if char > "\u02ff" and _is_mark(char) else 0
        if height <= _MARKS_IN_A_ROW:
            kept.append(char)
    return "".join(kept)


def _holds_together(line: str, end: int) -> bool:
    """Whether a cut before `end` would part what a reader sees as one character."""
    if end >= len(line):
        return False
    before, after = line[end - 1], line[end]
    if before == "\u200d" or after == "\u200d" or _is_mark(after) or "\U0001f3fb" <= after <= "\U0001f3ff":
        return True
    if not ("\U0001f1e6" <= after <= "\U0001f1ff"):
        return False
    flags = len(line[:end]) - len(line[:end].rstrip("".join(map(chr, range(0x1F1E6, 0x1F200)))))
    return flags % 2 == 1


def _end_of_word(line: str, end: int) -> int:
    """Move a cut back before a word or number that it would part, unless that is very long."""
    if end >= len(line) or not _is_word(line[end]):
        return end
    start = end
    while start > 0 and end - start < _WORD_END and (_is_word(line[start - 1]) or line[start - 1] in ".,"):
        start -= 1
    is_far = start > 0 and _is_word(line[start - 1])
    return end if start == 0 or is_far else start


def _is_word(char: str) -> bool:
    return char.isascii() and char.isalnum()

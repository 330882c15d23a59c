"""Counts the characters of a text that no reader sees, so that what hides in a note is said.

Promises: joiners that shape an emoji and selectors that choose the form of a character are no alarm; line ends and tabs are
none either; nothing raises; time is linear in the text.
"""

import re
import unicodedata
from collections import Counter

_KINDS = {
    "direction marks": "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069",
    "tags": "\U000e0000-\U000e007f",
    "zero-width characters": "\xad\u034f\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a",
    "fillers": "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0",
    "variation selectors": "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef",
    "private characters": "\ue000-\uf8ff\U000f0000-\U0010ffff",
    "control characters": "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f",
    "lone surrogates": "\ud800-\udfff",
}
_PATTERNS = {kind: re.compile(f"[{characters}]") for kind, characters in _KINDS.items()}
_HIDDEN = re.compile(f"[{''.join(_KINDS.values())}]")
_JOINER = "\u200d"
_EMOJI_FORMS = ("\ufe0e", "\ufe0f")
_EMOJI_CATEGORIES = frozenset({"So", "Sk"})
# Scripts whose letters take another shape beside a joiner or non-joiner: Arabic to Sinhala.
_SHAPED = re.compile("[\u0600-\u07ff\u0900-\u0dff]")


def hidden_characters(text: str) -> dict[str, int]:
    """Return how many characters of each kind nobody sees, the most frequent kind first; empty where there are none."""
    counts: Counter[str] = Counter()
    for match in _HIDDEN.finditer(text):
        if not _is_shaping(text, match.start()):
            counts[_kind(match.group())] += 1
    return dict(counts.most_common())


def _kind(character: str) -> str:
    return next(kind for kind, pattern in _PATTERNS.items() if pattern.match(character))


def _is_shaping(text: str, at: int) -> bool:
    """Whether a joiner stands inside an emoji or a word of a joined script, or one selector behind what it chooses a form of."""
    character, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if not before:
        return False
    if character in (_JOINER, "\u200c") and _SHAPED.match(before):
        return True
    if character == _JOINER:
        return _is_emoji(before) and _is_emoji(after)
    if character in _EMOJI_FORMS:
        return before in "0123456789#*" or unicodedata.category(before)[0] in "SP"
    if "\U000e0100" <= character <= "\U000e01ef":
        return "CJK" in unicodedata.name(before, "")
    return False


def _is_emoji(character: str) -> bool:
    if not character:
        return False
    return character in _EMOJI_FORMS or unicodedata.category(character) in _EMOJI_CATEGORIES

"""Turns a file's bytes into text without losing or replacing a character.

Promises: a byte-order mark is cut off and nothing else changed; what is no text, or in an encoding that is not
understood, is refused and never guessed away.
"""

import codecs
import unicodedata

from agent.errors import NoteUnreadable

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32", "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16-be"),
)
_CHINESE = "gb18030"
_COMMON_SHARE = 0.5  # above 0.9 in simplified, above 0.6 in traditional Chinese, hardly above 0 in Western mix-ups


def decode(content: bytes, *, name: str) -> tuple[str, str]:
    """Return the text and the name of its encoding.

    Args:
        content: the whole file.
        name: what the file is called in messages.

    Raises:
        NoteUnreadable: `outcome` is "not_text", or "unreadable" for text in an encoding that is not understood.
    """
    mark, encoding, codec = next((one for one in _MARKS if content.startswith(one[0])), (b"", "utf-8", "utf-8"))
    try:
        text: str | None = content[len(mark) :].decode(codec)
    except UnicodeDecodeError:
        text, encoding = (None if mark else _as_chinese(content)), _CHINESE
    if b"\0" in content if text is None else "\0" in text:
        raise NoteUnreadable(f"{name!r} is no text: put notes there as Markdown.", outcome="not_text")
    if text is None:
        raise NoteUnreadable(
            f"{name!r} is in no encoding that is understood (UTF-8, UTF-16 with its mark, GB18030): save it as UTF-8."
        )
    return text, encoding


def _as_chinese(content: bytes) -> str | None:
    """Decode GB18030, or return None where the result does not look like text in it.

    Western encodings often decode as well: an accented letter and the letter after it become one Chinese character, but
    hardly ever one of the 3,755 that GB 2312 puts first for being common.
    """
    try:
        text = content.decode(_CHINESE)
    except UnicodeDecodeError:
        return None
    if any(unicodedata.category(character) in {"Cc", "Co"} and character not in "\t\n\r\f" for character in text):
        return None
    ideographs = [character for character in text if "\u4e00" <= character <= "\u9fff"]
    common = sum(b"\xb0" <= character.encode("gb2312", "ignore")[:1] <= b"\xd7" for character in ideographs)
    return text if common >= len(ideographs) * _COMMON_SHARE else None

"""Bytes to text: which encodings are understood, and what is refused."""

import pytest

from agent.errors import NoteUnreadable
from agent.reading.decoding import decode

CHINESE = "增量 1：预填充与解码分离后，首字延迟下降 35%。\r\n来源：jay 简报\n"


@pytest.mark.parametrize(
    ("content", "text", "encoding"),
    [
        (b"", "", "utf-8"),
        (CHINESE.encode(), CHINESE, "utf-8"),
        (b"\xef\xbb\xbf" + CHINESE.encode(), CHINESE, "utf-8-sig"),
        (b"\xef\xbb\xbf\xef\xbb\xbfx", "\ufeffx", "utf-8-sig"),
        (b"\xff\xfe" + CHINESE.encode("utf-16-le"), CHINESE, "utf-16"),
        (b"\xfe\xff" + CHINESE.encode("utf-16-be"), CHINESE, "utf-16"),
        (b"\xff\xfe\0\0" + CHINESE.encode("utf-32-le"), CHINESE, "utf-32"),
        (CHINESE.encode("gb18030"), CHINESE, "gb18030"),
        (f"{CHINESE}\U0001f600".encode("gb18030"), f"{CHINESE}\U0001f600", "gb18030"),
        ("a\u2028b\x85c\rd\u202e\x1b[0m".encode(), "a\u2028b\x85c\rd\u202e\x1b[0m", "utf-8"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_text_is_decoded_and_nothing_in_it_changed(content, text, encoding):
    assert (text, encoding) == decode(content, name="a.md")


@pytest.mark.parametrize(
    ("content", "outcome"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not_text"),
        (b"fine until here\0", "not_text"),
        ("no mark".encode("utf-16-le"), "not_text"),
        ("Où est passé le café ? Là-bas, près de la forêt.".encode("latin-1"), "unreadable"),
        ("Die Größe der Übertragung wächst über Maß.".encode("cp1252"), "unreadable"),
        ("Résumé\n".encode("latin-1") + CHINESE.encode(), "unreadable"),
        (b"\xff\xfe" + "x".encode("utf-16-le") + b"\x00\xd8", "not_text"),
        (b"\xef\xbb\xbf\xff", "unreadable"),
        (CHINESE.encode("gb18030") + b"\x01\x02", "unreadable"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_what_is_no_text_or_in_no_known_encoding_is_refused_by_name(content, outcome):
    with pytest.raises(NoteUnreadable, match=r"'inbox/jay/a\.md' is") as caught:
        decode(content, name="inbox/jay/a.md")

    assert outcome == caught.value.outcome

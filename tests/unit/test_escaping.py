import pytest
from markdown_it import MarkdownIt

from agent.reading.escaping import address_code, escape, marker_value, note_link, shorten, visible

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("a b c", " a\tb\r\n c\n"),
        ("[31mred", "\x1b[31mred\x1b"),
        ("abc", "a\u202eb\u2066c\u2069"),
        ("ab", "a\U000e0041\U000e007fb"),
        ("ab", "a\u200b\u200d\ufeff\u2060b"),
        ("a b", "a\u2028b"),
        ("a b", "a\x85b"),
        ("ab", "a\x9b\x7fb"),
        ("ab", "a\ue000\U000f0000b"),
        ("a\ufffdb", "a\ud800b"),
        (FAMILY, FAMILY),
        ("\u2764\ufe0f 1\ufe0f\u20e3", "\u2764\ufe0f 1\ufe0f\u20e3"),
        ("ab", "a\ufe0f\ufe01b"),
        ("\u845b\U000e0100城", "\u845b\U000e0100城"),
        ("a城", "a\U000e0100城"),
        ("é中文（全角）", "é中文（全角）"),
        ("", "\u200b\u3164"),
    ],
)
def test_visible_is_what_a_reader_sees(expected: str, text: str) -> None:
    assert expected == visible(text)


def test_a_pile_of_marks_is_cut_down() -> None:
    assert 5 == len(visible("Q" + "\u0301" * 40))


@pytest.mark.parametrize(
    ("expected", "text", "limit"),
    [
        ("short", "short", 10),
        ("缓存分层…", "缓存分层架构完整披露", 5),
        ("throughput…", "throughput rises strongly", 14),
        ("吞吐…", "吞吐 1,607 tok/s", 6),
        ("ab" + "…", "ab" + FAMILY + "cdefgh", 5),
        ("a…", "ae\u0301\u0302bc", 4),
        ("旗\U0001f1e8\U0001f1f3…", "旗\U0001f1e8\U0001f1f3\U0001f1eb\U0001f1f7好", 5),
        ("x" * 49 + "…", "x" * 200, 50),
    ],
)
def test_a_cut_parts_no_character_word_or_number(expected: str, text: str, limit: int) -> None:
    assert expected == shorten(text, limit)


def test_what_is_hidden_does_not_use_up_the_length() -> None:
    assert "ab" == shorten("a" + "\u200b" * 5 + "b", 4)


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (r"\- item", "- item"),
        ("-5 °C", "-5 °C"),
        (r"1\. item", "1. item"),
        ("2607.18141", "2607.18141"),
        (r"\> quote", "> quote"),
        ("a > b", "a > b"),
        (r"\# heading", "# heading"),
        (r"PR \#260 in C\#", "PR #260 in C#"),
        (r"\*a\* snake_case \_b\_", "*a* snake_case _b_"),
        (r"a \| b", "a | b"),
        (r"\\", "\\"),
        (r"\`x\`", "`x`"),
        (r"\<b> \&amp; & c", "<b> &amp; & c"),
        (r"\$5 and \$6", "$5 and $6"),
        (r"\{\{ x }}", "{{ x }}"),
        (r"\[\[note\]\]", "[[note]]"),
        (r"!\[x\](`https://a.example/b.png?q=1`)", "![x](https://a.example/b.png?q=1)"),
        ("see `www.a.example`, `me@a.example`", "see www.a.example, me@a.example"),
        ("见 `https://a.example/p`。", "见 https://a.example/p。"),
        ("by `@somebody`", "by @somebody"),
        ("pass@1", "pass@1"),
        ("`javascript:alert(1`)", "javascript:alert(1)"),
        ("—", " \u200b "),
    ],
)
def test_escape_shows_the_text_and_nothing_else(expected: str, text: str) -> None:
    assert expected == escape(text)


@pytest.mark.parametrize(
    ("expected", "note", "line"),
    [
        ("[inbox/tom/x.md:11](inbox/tom/x.md#L11)", "inbox/tom/x.md", 11),
        ("[inbox/tom/x.md](inbox/tom/x.md)", "inbox/tom/x.md", None),
        (r"[inbox/tom/a (b)\[c\].md](inbox/tom/a%20%28b%29%5Bc%5D.md)", "inbox/tom/a (b)[c].md", None),
        ("[inbox/tom/简报.md](inbox/tom/%E7%AE%80%E6%8A%A5.md)", "inbox/tom/简报.md", None),
        ("[inbox/tom/a b.md](inbox/tom/a%0Ab.md)", "inbox/tom/a\nb.md", None),
        ("[inbox/tom/a\ufffd.md](inbox/tom/a%FF.md)", "inbox/tom/a\udcff.md", None),
        ("[javascript:x.md](javascript%3Ax.md)", "javascript:x.md", None),
        ("../secret.md:1", "../secret.md", 1),
        ("/etc/passwd", "/etc/passwd", None),
        ("inbox/../../x", "inbox/../../x", None),
    ],
)
def test_links_lead_to_notes_only(expected: str, note: str, line: int | None) -> None:
    assert expected.replace("javascript:x.md]", "`javascript:x.md`]") == note_link(note, line)


@pytest.mark.parametrize(
    ("expected", "url"),
    [
        ("a.example `https://a.example/p?x=1%7C2`", "https://a.example/p?x=1|2"),
        ("a.example `https://trusted.example@a.example/`", "https://trusted.example@a.example/"),
        ("a.example `http://a.example/%60%3Cb%3E`", "http://a.example/`<b>"),
        ("`file:///etc/passwd`", "file:///etc/passwd"),
        (r"`http://[`", "http://["),
    ],
)
def test_addresses_are_code_with_their_host(expected: str, url: str) -> None:
    assert expected == address_code(url)


def test_a_marker_value_cannot_end_the_comment() -> None:
    assert "a%2D%2D%3E%20b" == marker_value("a--> b")


def test_a_long_hostile_text_takes_no_time() -> None:
    """Length is cut before anything else is done."""
    assert 240 >= len(shorten("\u200b`[" * 1_000_000, 240))


def test_an_escaped_text_is_one_paragraph_of_text() -> None:
    text = "1. <b>x</b> ![i](http://a.example/i.png) [l](javascript:x) `c` | --- | **b** &lt; # h"
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(escape(text))
    assert ["paragraph_open", "inline", "paragraph_close"] == [token.type for token in tokens]
    assert {"text", "code_inline"} == {child.type for child in tokens[1].children or ()}

"""A digest of ours is known again, and nothing else is taken for one."""

import pytest

from agent.reading.marking import bears_marker, is_own_output, marked

DIGEST = marked("# 简报\n\n结论。\n", fields="schema=1 date=2026-07-27")


def test_the_marker_is_an_html_comment_on_the_last_line() -> None:
    last = DIGEST.splitlines()[-1]

    assert last.startswith("<!-- relay-digest schema=1 date=2026-07-27 sha256=")
    assert last.endswith(" -->")


@pytest.mark.parametrize("text", [DIGEST, DIGEST.rstrip(), DIGEST + "\n\n", DIGEST.replace("\n", "\r\n")])
def test_a_digest_is_known_whatever_its_line_ends(text: str) -> None:
    assert is_own_output(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "增量 1：一条\n",
        "增量 1：一条\n\n" + DIGEST.splitlines()[-1],
        DIGEST.replace("结论", "增量"),
        DIGEST + "\n增量 1：一条\n",
        "增量 1：一条\n<!-- relay-digest x -->",
        "<!-- relay-digest x -->\n增量 1：一条\n",
    ],
)
def test_a_note_that_quotes_or_adds_a_marker_is_a_note(text: str) -> None:
    assert not is_own_output(text)


@pytest.mark.parametrize("text", [DIGEST, DIGEST.replace("结论", "增量"), DIGEST + "\n看过了。\n", "旁注\n" + DIGEST])
def test_a_marker_is_found_in_what_was_changed_since(text: str) -> None:
    assert bears_marker(text)


@pytest.mark.parametrize("text", ["", "增量 1：一条\n", "见 `<!-- relay-digest x sha256=0 -->` 一行\n"])
def test_a_text_without_a_marker_line_bears_none(text: str) -> None:
    assert not bears_marker(text)

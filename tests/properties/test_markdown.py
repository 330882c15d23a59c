import datetime as dt
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from agent.batons import Coverage, MissedBaton, StaleDocument
from agent.digesting.markdown import render_markdown
from agent.reading.escaping import escape, shorten, visible
from agent.records import (
    ArxivMention,
    Baseline,
    CheckedNote,
    Contradiction,
    Credibility,
    Digest,
    Evidence,
    Increment,
    Language,
    Lead,
    Lineage,
    Link,
    Origin,
    Placement,
    Point,
    Register,
    SeenBefore,
    Side,
    Source,
    ToVerify,
    Window,
)

DAY = dt.date(2026, 7, 27)
MARKS = r"""# ## --- - [ ] [x] * ** _ __ ~ ~~ ` ``` > < | || \ ! ![ ]( [[ ]] ) <b> </b> <!-- --> &lt; &#35; http://a.example/x
https://a.example/?q=`|<> www.a.example me@a.example @me javascript:x [1]: [^1] $x$ {{ }} {% == %% ::: 1. 2) + = 中文 。 word"""
UNSEEN = [
    "\t",
    "\n",
    "\r\n",
    "\u2028",
    "\x1b[31m",
    "\x9b",
    "\u202e",
    "\u200b",
    "\u200d",
    "\ufe0f",
    "\ud800",
    "\U000e0041",
]
PIECES = st.sampled_from([*MARKS.split(), *UNSEEN, "| --- |", "    "])
HOSTILE = st.lists(PIECES | st.text(max_size=4), min_size=1, max_size=12).map("".join) | st.lists(
    PIECES, min_size=1, max_size=12
).map(" ".join)
FORBIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def shown(token: Token) -> str:
    return "".join(child.content for child in token.children or ())


@given(HOSTILE)
def test_an_escaped_text_reads_as_the_text(text: str) -> None:
    """In a paragraph, list item, heading and table cell alike."""
    expected = visible(text) or "—"
    for before, after, kind in (
        ("", "", "paragraph"),
        ("- ", "", "list_item"),
        ("### ", "", "heading"),
        ("|a|\n|-|\n| ", " |", "td"),
    ):
        tokens = PARSER.parse(f"{before}{escape(text)}{after}")
        inlines = [token for token in tokens if token.type == "inline"]
        assert expected == shown(inlines[-1])
        assert {"text", "code_inline"} >= {child.type for child in inlines[-1].children or ()}
        assert any(token.type.startswith(kind) for token in tokens)
        assert (2 if kind == "td" else 1) == len(inlines)


@given(st.text(max_size=80) | HOSTILE, st.integers(2, 30))
def test_a_shortened_text_fits_and_begins_like_the_text(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert limit >= len(short)
    assert visible(text).startswith(short.removesuffix("…"))
    assert visible(short) == short


@given(st.text() | HOSTILE)
def test_nothing_hidden_is_left(text: str) -> None:
    assert not FORBIDDEN.search(visible(text))
    assert visible(text) == visible(visible(text))


def digest_of(say: Callable[[], str], language: Language) -> Digest:
    """A digest in which every text that could come from a note or a model is what `say` says."""

    def evidence() -> Evidence:
        return Evidence(note=f"inbox/{say()}.md", start=0, end=1, quote=say(), line=7)

    increment = Increment(
        id=say(), title=say(), summary=say(),
        points=(Point(text=say(), evidence=evidence()), Point(text=say(), evidence=evidence())),
        evidence=(evidence(),), arxiv_ids=(say(),),
        credibility=Credibility(stars=3, stated=4, basis=say(), reason=say(), cautions=(say(), say())),
        sources=(
            Source(label=f"l{say()}", note=f"n{say()}", resolved=True), Source(label=f"l{say()}", url=f"http://{say()}", resolved=True),
            Source(label=say(), arxiv=say(), resolved=True), Source(label=say(), resolved=False),
        ),
        notes=(f"0{say()}", f"1{say()}"), agents=(say(),),
        placements=(
            Placement(document=say(), section=say(), heading=say(), action="append", reason=say(), proposed_by="note", exists=False),
        ),
        relation="new", relation_reason=say(),
        registers=(Register(kind="C", number=1, text=say()), Register(kind="C", number=1, text=say(), stated=2, document=say())),
        lineage=Lineage(
            origins=(
                Origin(kind="paper", label=f"o{say()}", notes=(say(),)), Origin(kind="page", label=f"http://{say()}", notes=()),
                Origin(kind="note", label=f"n{say()}", notes=()),
            ),
        ),
        links=(Link(increment="near", tie="complements", because=say()), Link(increment="near", tie="contradicts", because=say())),
        seen=SeenBefore(date=DAY, title=say(), changed=(say(), say())),
    )  # fmt: skip
    near = increment.model_copy(
        update={"id": "near", "title": say(), "points": (), "seen": SeenBefore(date=DAY, title=say())}
    )
    return Digest(
        topic=say(), date=DAY, window=Window(start=DAY, end=DAY), timezone=say(), language=language, agent=say(),
        engine="none", model=say(), prompts={say(): say()}, baseline=(Baseline(document=say(), sha256=say()),),
        increments=(increment, near),
        leads=(Lead(text=say(), source=say(), evidence=(evidence(),)),),
        contradictions=(
            Contradiction(id=say(), kind="value", statement=say(), found_by=say(), severity="low", settle=say(), since=DAY,
                          sides=(Side(**evidence().model_dump(), says=say()), Side(**evidence().model_dump(), says=f"s{say()}")),
                          also_affects=(evidence(),), increments=("near", "gone")),
        ),
        to_verify=(ToVerify(claim=say(), question=say(), suggestion=say(), evidence=(evidence(),), found_by=say()),),
        arxiv=(ArxivMention(id=say(), title=say(), status="new", notes=(say(), say()), remarks=(say(),)),),
        checked=tuple(CheckedNote(note=say(), agent=f"{i}{say()}", outcome="failed", detail=say()) for i in range(2)),
        coverage=Coverage(
            notes=1, missed=(MissedBaton(agent=say(), topic=say(), slot=say()),),
            stale=(StaleDocument(document=say(), updated=None, days=None),),
        ),
        conclusion=say(), remarks=(say(),),
    )  # fmt: skip


def blocks(tokens: list[Token]) -> list[tuple[str, str, int]]:
    return [(token.type, token.tag, token.level) for token in tokens]


def inlines(tokens: list[Token]) -> Iterator[Token]:
    return (child for token in tokens for child in token.children or ())


@settings(max_examples=30)
@given(st.lists(HOSTILE.filter(str.strip), min_size=1, max_size=8), st.sampled_from(["zh", "en"]))
def test_a_hostile_digest_has_the_shape_of_a_harmless_one(texts: list[str], language: Language) -> None:
    said = iter(texts * 100)
    hostile = render_markdown(digest_of(lambda: next(said), language))
    tokens = PARSER.parse(hostile)
    assert blocks(PARSER.parse(render_markdown(digest_of(lambda: "x", language)))) == blocks(tokens)
    assert {"text", "code_inline", "strong_open", "strong_close", "link_open", "link_close"} >= {
        t.type for t in inlines(tokens)
    }
    assert not FORBIDDEN.search(hostile)
    assert hostile.encode()


@settings(max_examples=30)
@given(st.lists(HOSTILE.filter(str.strip), min_size=1, max_size=8))
def test_links_lead_to_notes_of_the_digest_alone(texts: list[str]) -> None:
    said = iter(texts * 100)
    digest = digest_of(lambda: next(said), "en")
    for token in inlines(PARSER.parse(render_markdown(digest))):
        if token.type == "link_open":
            target = str(token.attrGet("href"))
            if target == "#contradiction-1":
                continue
            assert re.fullmatch(r"[A-Za-z0-9._~/%-]+(?:#L7)?", target)
            assert not target.startswith(("/", "//"))
            assert ".." not in unquote(target).replace("\\", "/").split("/")

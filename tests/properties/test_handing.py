"""Whatever notes, findings and documents are called and say, the handoff and the queue keep their shape."""

import re
from collections.abc import Callable, Iterator
from itertools import count
from urllib.parse import unquote

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from agent.batons import (
    BatonOutcome,
    Coverage,
    DayCount,
    DocumentAge,
    MissedBaton,
    Rhythm,
    SaidMissing,
    StaleDocument,
)
from agent.handoffs import Brief, Handoff, NextRegister, Operation, Turn
from agent.reading.marking import is_own_output
from agent.records import Contradiction, Evidence, Language, Register, Side, ToVerify
from agent.relaying.handing import render_handoff
from agent.relaying.queue import render_queue
from tests.findings import finding
from tests.handovers import DAY

MARKS = r"""# ## --- - [ ] [x] * ** _ __ ~ ~~ ~~~ ~~~~ ` ``` ````` > < | || \ ! ![ ]( [[ ]] ) <b> </b> <!-- --> &lt; &#35; @@
http://a.example/x www.a.example me@a.example @me javascript:x [1]: [^1] $x$ {{ }} {items} {0} ::: 1. 2) + = === 中文 。 word"""
UNSEEN = [
    "\t",
    "\n",
    "\n\n",
    "\n# ",
    "\n```\n",
    "\r\n",
    "\r",
    "\u2028",
    "\x85",
    "\x1b[31m",
    "\u202e",
    "\u200b",
    "\ud800",
]
PIECES = st.sampled_from([*MARKS.split(), *UNSEEN, "| --- |", "    ", "\u3000"])
HOSTILE = (
    st.lists(PIECES | st.text(max_size=4), min_size=1, max_size=12).map("".join)
    | st.lists(PIECES, min_size=1, max_size=12).map(" ".join)
).filter(str.strip)
FORBIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
OURS = {"text", "code_inline", "softbreak", "link_open", "link_close"}
Say = Callable[[], str]


def cited(say: Say) -> Evidence:
    return Evidence(note=f"inbox/{say()}.md", start=0, end=1, quote=f"q{say()}", line=7)


def operation(say: Say, identifier: str, **more: object) -> Operation:
    known = {
        "id": identifier, "increment": "inc-1", "title": say(), "document": "a.md", "sha256": "1" * 64, "action": "append",
        "section": say(), "heading": say(), "start": 0, "end": 0, "old": say(), "text": say(), "new": say(),
        "reason": f"r{say()}", "because": cited(say), "diff": "".join(f"{mark}{say()}\n" for mark in "-+ @"),
    }  # fmt: skip
    return Operation.model_validate(known | more)


def handoff_of(say: Say, language: Language) -> Handoff:
    """A handoff in which all that could come from a note, a model or a file's name is what `say` says."""
    increment = finding("x", say()).model_copy(update={"title": say(), "id": "inc-1"})
    unplaced = finding("y", say()).model_copy(update={"title": say(), "id": "inc-2", "evidence": (cited(say),)})
    sides = tuple(Side(**cited(say).model_dump(), says=say()) for _ in range(2))
    entry = Register(kind="C", number=1, text=say())
    days = (DayCount(date=DAY, expected=1, came=0),)
    return Handoff(
        date=DAY, slot="19:00", timezone=say(), language=language, agent=say(), engine="none", model=say(),
        caught_up=(Turn(topic=say(), date=DAY, slot="18:00"),),
        briefs=(Brief(note=f"inbox/{say()}.md", topic=say(), sha256="0" * 64),), queue=f"{say()}.md",
        increments=(increment, unplaced), unplaced=("inc-2",),
        operations=(
            operation(say, "op-1"), operation(say, "op-2", action="register", register_entry=entry),
            operation(say, "op-3", document="b.md", problem=say()),
            operation(say, "op-4", document=say(), sha256="", problem=say()),
        ),
        contradictions=(
            Contradiction(id="con-1", kind="value", statement=say(), sides=sides, settle=say(), found_by="x", severity="low",
                          since=DAY, increments=("inc-1", say())),
            Contradiction(id="con-2", kind="value", statement=say(), sides=sides[:1], settle=say(), found_by="x", severity="low"),
        ),
        to_verify=(ToVerify(claim=f"c{say()}", question=f"d{say()}", suggestion=say(), evidence=(cited(say),)),),
        coverage=Coverage(
            notes=1, missed=(MissedBaton(agent=say(), topic=say(), slot=say()),),
            batons=(
                BatonOutcome(agent=say(), topic=say(), slot=say(), state="late", notes=(f"n{say()}",), duplicates=(f"n{say()}",)),
                BatonOutcome(agent=say(), state="missing"),
            ),
            stale=(StaleDocument(document=f"0{say()}", updated=None, days=None),),
            documents=(DocumentAge(document=f"1{say()}", updated=DAY, days=2),),
            rhythm=(Rhythm(agent=say(), state="silent", days=days),),
            said_missing=(SaidMissing(note=f"n{say()}", start=0, end=1, quote=say(), line=7, agent=say(), is_true=False, notes=(say(),)),),
        ),
        next_registers=(NextRegister(document=say(), kind="C", taken=0, offered=(1,), next=2),),
        failed=(f"n{say()}", f"n{say()}"), remarks=(say(), say()),
    )  # fmt: skip


def both(say: Say, language: Language) -> Iterator[str]:
    """The two texts of a handoff."""
    made = handoff_of(say, language)
    yield render_handoff(made)
    yield render_queue(made, uncarded=[f"{number}{say()}" for number in range(3)])


def saying(texts: list[str]) -> Say:
    numbers = count()
    return lambda: texts[next(numbers) % len(texts)]


def shape(text: str) -> list[tuple[str, str, int, str]]:
    return [(token.type, token.tag, token.level, token.info) for token in PARSER.parse(text)]


def inlines(text: str) -> Iterator[Token]:
    return (child for token in PARSER.parse(text) for child in token.children or ())


@settings(max_examples=60)
@given(st.lists(HOSTILE, min_size=1, max_size=8), st.sampled_from(["zh", "en"]))
def test_hostile_texts_have_the_shape_of_harmless_ones(texts: list[str], language: Language) -> None:
    for hostile, harmless in zip(both(saying(texts), language), both(lambda: "x", language), strict=True):
        assert shape(harmless) == shape(hostile)
        assert OURS >= {token.type for token in inlines(hostile)}
        assert not FORBIDDEN.search(hostile)
        assert hostile.encode()
        assert is_own_output(hostile)


@settings(max_examples=30)
@given(st.lists(HOSTILE, min_size=1, max_size=8))
def test_links_lead_into_the_workspace_alone(texts: list[str]) -> None:
    for token in (token for text in both(saying(texts), "en") for token in inlines(text)):
        if token.type == "link_open":
            target = str(token.attrGet("href"))
            assert re.fullmatch(r"[A-Za-z0-9._~/%-]+(?:#L\d+)?", target)
            assert not target.startswith("/")
            assert ".." not in unquote(target).replace("\\", "/").split("/")


@settings(max_examples=30)
@given(st.text(st.characters(categories=("Ll", "Lo")), min_size=4, max_size=40), st.sampled_from(["zh", "en"]))
def test_a_sentence_that_wants_to_be_handed_on_stands_behind_a_quote_mark(sentence: str, language: Language) -> None:
    """All that a note says itself: neither in a heading nor a line of ours, nor in a command."""
    worm = f"§{sentence}§"
    made = handoff_of(lambda: "x", language)
    operations = tuple(
        one.model_copy(
            update={
                "title": worm, "reason": worm, "diff": f"+{worm}\n {worm}", "because": one.because.model_copy(update={"quote": worm}),
                **({"section": worm, "heading": worm, "problem": worm} if one.problem else {}),
                **({"document": worm} if not one.sha256 else {}),
            }
        )
        for one in made.operations
    )  # fmt: skip
    made = made.model_copy(
        update={
            "operations": operations,
            "increments": tuple(one.model_copy(update={"title": worm, "summary": worm}) for one in made.increments),
            "contradictions": tuple(
                one.model_copy(
                    update={
                        "statement": worm,
                        "settle": worm,
                        "sides": tuple(side.model_copy(update={"says": worm}) for side in one.sides),
                    }
                )
                for one in made.contradictions
            ),
            "to_verify": tuple(one.model_copy(update={"claim": worm, "question": worm}) for one in made.to_verify),
        }
    )
    for text in (render_handoff(made), render_queue(made, uncarded=())):
        lines = [line for line in text.split("\n") if worm in line]
        assert lines
        assert all(line.startswith(("> ", ">   - ", f"+{worm}", f" {worm}")) for line in lines)


@given(st.lists(HOSTILE, min_size=1, max_size=20).map("\n+".join))
def test_a_diff_never_leaves_its_fence(diff: str) -> None:
    made = handoff_of(lambda: "x", "en")
    (first, *_) = made.operations
    text = render_handoff(made.model_copy(update={"operations": (first.model_copy(update={"diff": diff}),)}))

    (fence,) = [token for token in PARSER.parse(text) if token.type == "fence"]
    assert len(diff.split("\n")) == fence.content.count("\n")
    assert "diff" == fence.info


@settings(max_examples=30)
@given(st.lists(HOSTILE, min_size=1, max_size=8), st.sampled_from(["zh", "en"]))
def test_the_same_handoff_gives_the_same_bytes(texts: list[str], language: Language) -> None:
    assert list(both(saying(texts), language)) == list(both(saying(texts), language))

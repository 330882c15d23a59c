"""What is remembered of a digest comes back equal, takes a bounded room, and never raises when it is damaged."""

import base64
import datetime as dt
import json
import zlib

import pytest

from agent.batons import Coverage
from agent.past import PLAIN, PastDigest, packed, past_of, records_in, unpacked
from agent.records import (
    Claim,
    Contradiction,
    Credibility,
    Descent,
    Digest,
    Evidence,
    Increment,
    Lineage,
    Link,
    Measure,
    Origin,
    Placement,
    Register,
    SeenBefore,
    Side,
    Window,
)

DAY = dt.date(2026, 9, 13)
NOTE = "inbox/tom/2026-09-13-radar\udcff.md"
QUOTE = "延迟 40 ms \ud800 \0 \\u0000 \\ 😀"
EVIDENCE = Evidence(note=NOTE, start=3, end=3 + len(QUOTE), quote=QUOTE, line=2)
MEASURE = Measure(
    value=40,
    comparator="<=",
    unit="ms",
    metric="latency",
    subject="vLLM",
    conditions={"gpu": "H100"},
    evidence=EVIDENCE,
)
INCREMENT = Increment(
    id="inc-1",
    title="vLLM 更快 \udc80",
    summary="faster",
    points=(),
    evidence=(EVIDENCE,),
    arxiv_ids=("2609.00001",),
    credibility=Credibility(stars=3, basis="paper", reason="one preprint"),
    notes=(NOTE,),
    agents=("tom",),
    lineage=Lineage(
        origins=(Origin(kind="note", label=NOTE, notes=(NOTE,)),), edges=(Descent(note=NOTE, on="x", how="cites"),)
    ),
    placements=(Placement(document="a.md", section="1", action="append", reason="", proposed_by="note", exists=True),),
    relation="new",
    relation_reason="not there",
    registers=(Register(kind="C", number=1, text="x"),),
    measures=(MEASURE,),
    priority=2,
    links=(Link(increment="inc-2", tie="complements", because="version"),),
    seen=SeenBefore(date=dt.date(2026, 9, 12), title="vLLM", changed=("rating 2★ → 3★",)),
)
CONTRADICTION = Contradiction(
    id="con-1",
    kind="value",
    statement="40 ↔ 50",
    sides=(Side(**dict(EVIDENCE), says="40 ms"),),
    found_by="value",
    severity="high",
    since=dt.date(2026, 9, 1),
)
CLAIM = Claim(
    kind="measure", subject="vllm", attribute="latency", value="40", says="40 ms", measure=MEASURE, evidence=EVIDENCE
)
PAST = PastDigest(
    date=DAY, topic="inference\udc80", increments=(INCREMENT,), contradictions=(CONTRADICTION,), claims=(CLAIM,)
)


def many(number: int) -> PastDigest:
    return PAST.model_copy(update={"increments": (INCREMENT,) * number, "claims": ()})


def test_what_is_packed_comes_back_equal_and_can_be_kept_by_any_database():
    text, left_out = packed(PAST)

    assert unpacked(text) == PAST
    assert 0 == left_out
    assert text.encode()
    assert "\0" not in text


def test_a_short_text_is_legible_and_a_long_one_is_compressed():
    short, long = packed(many(1))[0], packed(many(1000))[0]

    assert json.loads(short)
    assert PLAIN >= len(short)
    assert len(short) * 1000 // 20 > len(long)
    assert unpacked(long) == many(1000)


def test_what_does_not_fit_is_left_out_from_the_end_and_counted():
    whole = PAST.model_copy(update={"increments": (INCREMENT,) * 5})
    text, left_out = packed(whole, largest=4000)
    kept = unpacked(text)

    assert kept is not None
    assert (CONTRADICTION,) == kept.contradictions
    assert 0 < len(kept.increments) < 5
    assert () == kept.claims
    assert left_out == records_in(whole) - records_in(kept)


def test_of_a_digest_that_is_remembered_the_places_are_forgotten():
    digest = Digest(
        topic=None, date=DAY, window=Window(start=DAY, end=DAY), timezone="UTC", language="zh", agent="digest", engine="none",
        increments=(INCREMENT,), contradictions=(CONTRADICTION,), coverage=Coverage(notes=1), conclusion="",
    )  # fmt: skip
    past = past_of(digest, (CLAIM,))

    assert ("", (CLAIM,), (CONTRADICTION,)) == (past.topic, past.claims, past.contradictions)
    (kept,) = past.increments
    assert ((), (), None) == (kept.placements, kept.links, kept.lineage)
    assert INCREMENT.registers == kept.registers  # their numbers stay theirs
    assert (INCREMENT.evidence, INCREMENT.measures, INCREMENT.seen) == (kept.evidence, kept.measures, kept.seen)


LONG = packed(many(1000))[0]
PACKED = packed(PAST)[0]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("null", id="nothing"),
        pytest.param(PACKED[: len(PACKED) // 2], id="cut off"),
        pytest.param(PACKED.replace('"title"', '"headline"'), id="fields of another version"),
        pytest.param(PACKED.replace('"quote"', '"added": 1, "quote"', 1), id="a field more"),
        pytest.param(PACKED.replace('"stars": 3', '"stars": 9'), id="a value out of range"),
        pytest.param(PACKED.replace("2026-09-13", "2026-09-31"), id="no day"),
        pytest.param("[" * 100_000, id="deep"),
        pytest.param('{"date": ' + "9" * 5000 + "}", id="a long number"),
        pytest.param(LONG[: len(LONG) // 8 * 4], id="compressed and cut off"),
        pytest.param(LONG[:100] + "AAAA" * 50 + LONG[300:], id="compressed and overwritten"),
        pytest.param("zlib:%%%", id="no base64"),
        pytest.param("zlib:" + base64.b64encode(zlib.compress(b"\xff{}")).decode(), id="no text"),
    ],
)
def test_what_cannot_be_read_is_none(text):
    assert unpacked(text) is None


def test_a_small_text_that_unfolds_to_a_very_large_one_is_not_unfolded():
    bomb = "zlib:" + base64.b64encode(zlib.compress(b" " * 1_000_000 + packed(PAST)[0].encode())).decode()

    assert unpacked(bomb, largest=10_000) is None
    assert unpacked(bomb) == PAST


def test_a_field_that_a_later_version_adds_with_a_default_does_not_break_what_is_kept():
    written = json.loads(packed(PAST)[0])
    for one in written["increments"]:
        one.pop("seen")

    read = unpacked(json.dumps(written))

    assert read is not None
    assert read.increments[0].seen is None

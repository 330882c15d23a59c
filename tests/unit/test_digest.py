import dataclasses
import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from typing import cast

import pytest

from agent.batons import Coverage, MissedBaton
from agent.costs import Prices
from agent.digesting.digest import DigestInputs, build_digest
from agent.records import (
    ArxivMention,
    CheckedNote,
    Contradiction,
    Cost,
    Credibility,
    Evidence,
    Extraction,
    Increment,
    Lead,
    Placement,
    Reconciliation,
    ToVerify,
    Usage,
    Window,
)
from agent.texts import LivingDocument

DAY = dt.date(2026, 7, 27)


def evidence(note: str, start: int = 0) -> Evidence:
    return Evidence(note=note, start=start, end=start + 1, quote="x", line=1)


def increment(
    name: str, note: str = "inbox/tom/a.md", *, stars: int = 3, document: str = "other.md", **fields: object
) -> Increment:
    values: dict[str, object] = {
        "id": name,
        "title": name,
        "summary": "",
        "points": (),
        "evidence": (evidence(note, len(name)),),
        "credibility": Credibility(stars=stars, basis="", reason=""),
        "notes": (note,),
        "agents": (note.split("/")[1],),
        "placements": (
            Placement(document=document, section="1", action="append", reason="", proposed_by="code", exists=True),
        ),
        "relation": "known",
    }
    return Increment.model_validate(values | fields)


def extraction(note: str = "inbox/tom/a.md", **fields: object) -> Extraction:
    values: dict[str, object] = {
        "note": note,
        "agent": note.split("/")[1],
        "date": DAY,
        "sha256": "0",
        "engine": "local",
    }
    return Extraction.model_validate(values | fields)


def document(topic: str) -> LivingDocument:
    return LivingDocument(name=f"{topic}.md", topic=topic, text="", sections=(), updated=DAY, sha256="1")


EMPTY = DigestInputs(
    topic=None,
    date=DAY,
    window=Window(start=DAY - dt.timedelta(days=1), end=DAY),
    timezone="Asia/Shanghai",
    language="en",
    agent="digest",
    engine="local",
    model="m",
    extractions=(),
    reconciled=Reconciliation(),
    checked=(),
    documents=(),
    stock=frozenset(),
    coverage=Coverage(notes=0),
)


def inputs(*, increments: Sequence[Increment] = (), **fields: object) -> DigestInputs:
    """Inputs with these fields; contradictions are those of the notes, as reconciling brings them together."""
    extractions = cast("tuple[Extraction, ...]", fields.get("extractions", ()))
    raised = tuple(one for extraction in extractions for one in extraction.contradictions)
    reconciled = Reconciliation(increments=tuple(increments), contradictions=raised)
    return dataclasses.replace(EMPTY, **{"reconciled": reconciled, **fields})  # type: ignore[arg-type]  # fields by name


def test_a_topic_selects_what_is_placed_in_its_document_or_comes_from_its_notes() -> None:
    found = (
        increment("placed", document="inference.md"),
        increment("from a note on it", "inbox/jay/b.md"),
        increment("neither", "inbox/amy/c.md"),
    )
    extractions = (
        extraction(),
        extraction("inbox/jay/b.md", topic="inference"),
        extraction("inbox/amy/c.md", topic="rag"),
    )
    digest = build_digest(inputs(topic="inference", increments=found, extractions=extractions))
    assert {"placed", "from a note on it"} == {one.title for one in digest.increments}
    assert 3 == len(build_digest(inputs(increments=found, extractions=extractions)).increments)


def test_known_removes_nothing() -> None:
    assert ("known",) == tuple(one.relation for one in build_digest(inputs(increments=(increment("a"),))).increments)


def test_increments_are_ordered_by_urgency_stars_origins_and_day() -> None:
    found = (
        increment("supporting", priority=0, stars=5),
        increment("urgent", priority=2, stars=1),
        increment("plain"),
        increment("older", "inbox/tom/old.md"),
        increment("confirmed", origins=2),
        increment("well rated", stars=4),
    )
    extractions = (extraction(), extraction("inbox/tom/old.md", date=DAY - dt.timedelta(days=1)))
    expected = ["urgent", "well rated", "confirmed", "plain", "older", "supporting"]
    for order in (found, found[::-1]):
        digest = build_digest(inputs(increments=order, extractions=extractions))
        assert expected == [one.title for one in digest.increments]


def test_leads_and_claims_come_from_the_notes_concerned_and_once() -> None:
    mine, theirs = "inbox/tom/a.md", "inbox/jay/b.md"
    both = [
        extraction(
            note,
            topic=topic,
            leads=(Lead(text="a lead", evidence=(evidence(note),)),),
            to_verify=(ToVerify(claim="a  Claim", question="", suggestion="", evidence=(evidence(note),)),),
        )
        for note, topic in ((mine, "inference"), (theirs, "rag"))
    ]
    alone = build_digest(inputs(topic="inference", extractions=tuple(both)))
    assert [(mine,)] == [tuple(e.note for e in lead.evidence) for lead in alone.leads]
    everything = build_digest(inputs(extractions=tuple(both)))
    assert [(theirs, mine)] == [tuple(e.note for e in lead.evidence) for lead in everything.leads]
    assert [(theirs, mine)] == [tuple(e.note for e in claim.evidence) for claim in everything.to_verify]


def test_two_questions_about_one_claim_both_stay() -> None:
    claims = tuple(ToVerify(claim="faster", question=asked, suggestion="", evidence=()) for asked in ("GPU?", "batch?"))
    digest = build_digest(inputs(extractions=(extraction(to_verify=claims),)))
    assert ["GPU?", "batch?"] == [claim.question for claim in digest.to_verify]


def test_an_identifier_is_listed_once_new_ones_first() -> None:
    mentions = {
        "inbox/jay/b.md": (
            ArxivMention(id="2405.04437", status="new", notes=("inbox/jay/b.md",)),
            ArxivMention(id="2607.18141", versions=(2,), status="new", notes=("inbox/jay/b.md",), remarks=("late",)),
        ),
        "inbox/tom/a.md": (
            ArxivMention(id="2607.18141", versions=(1,), title="T", status="new", notes=("inbox/tom/a.md",)),
            ArxivMention(id="2504.19874", status="stock", notes=("inbox/tom/a.md",)),
        ),
    }
    extractions = tuple(extraction(note, arxiv=found) for note, found in mentions.items())
    digest = build_digest(inputs(extractions=extractions, stock=frozenset({"2405.04437"})))
    assert [("2607.18141", "new"), ("2405.04437", "stock"), ("2504.19874", "stock")] == [
        (m.id, m.status) for m in digest.arxiv
    ]
    assert ((1, 2), "T", tuple(mentions), ("late",)) == (
        digest.arxiv[0].versions,
        digest.arxiv[0].title,
        digest.arxiv[0].notes,
        digest.arxiv[0].remarks,
    )


def test_contradictions_come_gravest_first() -> None:
    evidence = Evidence(note="inbox/tom/a.md", start=0, end=1, quote="q", line=1)

    def found(name: str, severity: str) -> Contradiction:
        return Contradiction.model_validate(
            {
                "id": name,
                "kind": "value",
                "statement": "",
                "sides": ({**evidence.model_dump(), "says": "x"},),
                "found_by": "rule",
                "severity": severity,
            }
        )

    extractions = (extraction(contradictions=(found("a", "low"), found("b", "high"), found("c", "high"))),)
    assert ["b", "c", "a"] == [one.id for one in build_digest(inputs(extractions=extractions)).contradictions]


def test_the_cost_is_that_of_everything_it_rests_on() -> None:
    extractions = (
        extraction(prompts={"place": "2", "extract": "1"}),
        extraction("inbox/jay/b.md", prompts={"extract": "2"}),
    )
    usages = (
        Usage(calls=2, prompt_tokens=10, cached_tokens=4, completion_tokens=5),
        Usage(calls=1, prompt_tokens=1, is_estimated=True),
        Usage(calls=1, prompt_tokens=7),
    )
    checked = tuple(
        CheckedNote(note=f"inbox/jay/{number}.md", agent="jay", outcome="partly_failed", usage=usage)
        for number, usage in enumerate(usages)
    )
    digest = build_digest(inputs(topic="inference", extractions=extractions, checked=checked))
    assert Usage(calls=4, prompt_tokens=18, cached_tokens=4, completion_tokens=5, is_estimated=True) == digest.usage
    assert digest.cost is None
    assert {"extract": "1, 2", "place": "2"} == digest.prompts


def test_the_cost_is_in_money_where_prices_are_known() -> None:
    usage = Usage(calls=1, prompt_tokens=1000, cached_tokens=200, completion_tokens=100)
    checked = (CheckedNote(note="inbox/jay/a.md", agent="jay", outcome="extracted", usage=usage),)
    prices = Prices(Decimal(1), Decimal("0.5"), Decimal(10), "USD")
    assert Cost(amount=Decimal("0.0019"), currency="USD") == build_digest(inputs(checked=checked, prices=prices)).cost


def test_the_baseline_is_the_topics_document_and_those_where_something_belongs() -> None:
    documents = (document("agent"), document("other"), document("inference"))
    found = (increment("a", document="inference.md"), increment("b", document="inference.md"))
    placed = found[0].model_copy(update={"placements": found[0].placements + increment("x").placements})
    digest = build_digest(inputs(topic="inference", documents=documents, increments=(placed, found[1])))
    assert ["inference.md", "other.md"] == [one.document for one in digest.baseline]
    assert 3 == len(build_digest(inputs(documents=documents)).baseline)


def test_every_note_looked_at_is_in_it_whatever_the_topic() -> None:
    checked = (
        CheckedNote(note="inbox/tom/b.md", agent="tom", outcome="failed"),
        CheckedNote(note="inbox/jay/a.md", agent="jay", outcome="nothing_new"),
    )
    assert checked[::-1] == build_digest(inputs(topic="inference", checked=checked)).checked


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ("2 notes checked, 1 increment found. Read first: TierKV. Left open: 1 claim to verify. "
               "Gaps in coverage: 1 baton missed. 1 note was not read to the end; see the notes checked.")),
        ("zh", ("检查 2 份笔记，得到 1 条增量。先读：TierKV。尚待处理：1 条待核实。覆盖缺口：缺 1 棒。"
               "有 1 份笔记没有读完，见「检查过的笔记」。")),
    ],
)  # fmt: skip
def test_the_conclusion_counts_and_names(language: str, expected: str) -> None:
    claim = ToVerify(claim="c", question="", suggestion="", evidence=())
    digest = build_digest(
        inputs(
            language=language,
            increments=(increment("TierKV").model_copy(update={"relation": "new"}),),
            extractions=(extraction(to_verify=(claim,)),),
            checked=tuple(
                CheckedNote.model_validate({"note": f"inbox/tom/{outcome}.md", "agent": "tom", "outcome": outcome})
                for outcome in ("extracted", "partly_failed")
            ),
            coverage=Coverage(notes=2, missed=(MissedBaton(agent="jay"),)),
        )
    )
    assert expected == digest.conclusion


def test_an_empty_digest_says_so() -> None:
    assert "0 notes checked, no increment found." == build_digest(EMPTY).conclusion


def test_the_order_of_the_inputs_changes_nothing() -> None:
    extractions = tuple(
        extraction(note, leads=(Lead(text=note, evidence=(evidence(note),)),))
        for note in ("inbox/tom/a.md", "inbox/jay/b.md")
    )
    found = (increment("a"), increment("b", "inbox/jay/b.md"))
    one = build_digest(inputs(extractions=extractions, increments=found))
    assert one == build_digest(inputs(extractions=extractions[::-1], increments=found[::-1]))

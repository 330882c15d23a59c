"""After all merging each quote is held against its text once more."""

from agent.reconciling.verifying import verified
from agent.records import Contradiction, Credibility, Evidence, Increment, Point, Reconciliation, Side

NOTE, OTHER = "inbox/jay/2026-09-14-a.md", "inbox/tom/2026-09-13-b.md"
TEXTS = {NOTE: "RingKV halves the latency.", OTHER: "It does not."}


def _evidence(note: str = NOTE, start: int = 0, end: int = 6) -> Evidence:
    return Evidence(note=note, start=start, end=end, quote=TEXTS[note][start:end], line=1)


def _increment(*cited: Evidence, point: Evidence | None = None) -> Increment:
    return Increment(
        id=f"inc-{len(cited)}",
        title="RingKV",
        summary="",
        points=(Point(text="x", evidence=point),) if point else (),
        evidence=cited,
        credibility=Credibility(stars=3, basis="", reason=""),
        notes=(NOTE,),
        agents=("jay",),
        relation="new",
    )


def _contradiction(*places: Evidence, affected: tuple[Evidence, ...] = ()) -> Contradiction:
    sides = tuple(Side(**dict(place), says="x") for place in places)
    return Contradiction(
        id="con-1", kind="value", statement="x", sides=sides, also_affects=affected, found_by="value", severity="low"
    )


def test_what_stands_in_its_note_stays():
    result = Reconciliation(increments=(_increment(_evidence()),), contradictions=(_contradiction(_evidence(OTHER)),))

    assert result == verified(result, TEXTS.get)


def test_a_finding_with_a_false_quote_is_left_out_and_named():
    false = _evidence().model_copy(update={"quote": "RingQV"})
    for increment in (_increment(false), _increment(_evidence(), point=false)):
        result = verified(Reconciliation(increments=(increment,)), TEXTS.get)

        assert () == result.increments
        assert "'RingKV'" in result.remarks[0]


def test_a_contradiction_whose_earlier_note_has_changed_or_gone_is_none():
    raised = Reconciliation(contradictions=(_contradiction(_evidence(), _evidence(OTHER)),))

    for texts in ({NOTE: TEXTS[NOTE]}, {**TEXTS, OTHER: "Not so."}):
        result = verified(raised, texts.get)
        assert () == result.contradictions
        assert 1 == len(result.remarks)


def test_a_lost_place_that_was_only_affected_is_dropped_alone():
    raised = _contradiction(_evidence(), affected=(_evidence(start=7, end=13), _evidence(OTHER)))

    (kept,) = verified(Reconciliation(contradictions=(raised,)), {NOTE: TEXTS[NOTE]}.get).contradictions

    assert (_evidence(start=7, end=13),) == kept.also_affects

"""An agent's later word takes the place of its earlier one; everybody else's stands beside it."""

import datetime as dt

import pytest

from agent.past import PastDigest
from agent.reading.measures import find_measures
from agent.reconciling.correcting import changes_of, corrected_since, own_part, settled, standing_claims, superseded_in
from agent.records import Claim, Extraction, Increment, Measure
from tests.findings import finding

MORNING, EVENING, NEXT = (f"inbox/amy/2026-09-{day}-cache.md" for day in ("14-0900", "14-1900", "15-0900"))
TITLE = "TierKV 主机内存层的预取"
SLOW = "单卡 H100、32K 输入，TTFT 提升 4.3×"
FAST = "单卡 H100、32K 输入，TTFT 提升 3.4×"


def told(title: str, *points: str, note: str = MORNING) -> Increment:
    found = finding(title, *points, note=note)
    return found.model_copy(
        update={
            "measures": tuple(
                Measure(
                    value=one.value, comparator=one.comparator, unit=one.unit, metric=one.metric, subject=one.subject,
                    conditions=dict(one.conditions), evidence=point.evidence,
                )
                for point in found.points
                for one in find_measures(point.text)
            )
        }
    )  # fmt: skip


def extraction(increment: Increment) -> Extraction:
    claims = tuple(
        Claim(kind="measure", subject="tierkv", attribute="ttft", value=str(one.value), says="", evidence=one.evidence)
        for one in increment.measures
    )
    return Extraction(
        note=increment.notes[0], agent=increment.agents[0], date=dt.date(2026, 9, 14), sha256="0", engine="none",
        increments=(increment,), claims=claims,
    )  # fmt: skip


def test_the_later_word_under_one_title_stands_and_says_what_was_said_before() -> None:
    before, after = told(TITLE, SLOW, "命中率不低于 60%"), told(TITLE, FAST, note=EVENING)
    first, second = settled((extraction(before), extraction(after)))
    assert () == first.increments
    (one,) = second.increments
    assert [FAST, "命中率不低于 60%"] == [point.text for point in one.points]
    assert (MORNING, EVENING) == one.notes
    assert [(MORNING, SLOW)] == [(place.note, place.quote) for said in one.corrected for place in said.evidence]
    assert any("4.3" in change and "3.4" in change for change in one.corrected[0].changed)
    assert before.id == one.id


def test_the_order_of_the_notes_changes_nothing() -> None:
    notes = [extraction(told(TITLE, SLOW)), extraction(told(TITLE, FAST, note=EVENING))]
    assert settled(notes) == settled(notes[::-1])[::-1]


def test_a_chain_of_corrections_ends_in_the_last_and_tells_all() -> None:
    third = told(TITLE, "单卡 H100、32K 输入，TTFT 提升 3.1×", note=NEXT)
    notes = settled(tuple(map(extraction, (told(TITLE, SLOW), told(TITLE, FAST, note=EVENING), third))))
    (one,) = (increment for note in notes for increment in note.increments)
    assert [MORNING, EVENING] == [said.note for said in one.corrected]


def test_claims_that_were_corrected_are_made_no_longer() -> None:
    first, second = settled((extraction(told(TITLE, SLOW)), extraction(told(TITLE, FAST, note=EVENING))))
    assert () == first.claims
    assert ["3.4"] == [claim.value for claim in second.claims]
    assert () == standing_claims(extraction(told(TITLE, SLOW)).claims, superseded_in(second.increments))


@pytest.mark.parametrize(
    ("title", "point"),
    [
        ("更正：TierKV 的 TTFT", "单卡 H100、32K 输入，TTFT 提升 3.4×，此前写错"),
        ("Correction on TierKV", "One H100, 32K input: TTFT improves 3.4×"),
    ],
)
def test_a_finding_on_the_same_thing_that_says_so_is_a_correction(title: str, point: str) -> None:
    assert changes_of(told(title, point, note=EVENING), told("TierKV 让 TTFT 降下来", SLOW))
    assert not changes_of(told(title.replace("更正：", "").replace("Correction on", "On"), point, note=EVENING), told("TierKV 让 TTFT 降下来", SLOW))  # fmt: skip


@pytest.mark.parametrize(
    "later",
    [
        told(TITLE, FAST, note="inbox/tom/2026-09-14-1900-cache.md"),  # another agent
        told(TITLE, FAST, note="inbox/amy/2026-09-14-0800-cache.md"),  # the earlier note
        told("PageKeep 主机内存层的预取", FAST, note=EVENING),  # another thing
        told(TITLE, "单卡 A100、32K 输入，TTFT 提升 3.4×", note=EVENING),  # other conditions
        told(TITLE, SLOW, note=EVENING),  # nothing else is said
        told(TITLE, SLOW, "P99 延迟 40 ms", note=EVENING),  # more is said
        told("TierKV v2.1 主机内存层的预取", FAST, note=EVENING).model_copy(update={"arxiv_ids": ("2609.90001",)}),
    ],
)
def test_in_doubt_both_stand(later: Increment) -> None:
    earlier = told(TITLE, SLOW).model_copy(update={"arxiv_ids": ("2609.90002",) if later.arxiv_ids else ()})
    assert () == changes_of(later, earlier)


def test_what_an_earlier_digest_had_is_corrected_too_for_the_agents_own_part() -> None:
    both = told(TITLE, SLOW)
    toms = told(TITLE, SLOW, note="inbox/tom/2026-09-14-1000-cache.md")
    both = both.model_copy(
        update={
            "notes": (*both.notes, *toms.notes), "agents": ("amy", "tom"), "points": (*both.points, *toms.points),
            "evidence": (*both.evidence, *toms.evidence), "measures": (*both.measures, *toms.measures),
        }
    )  # fmt: skip
    past = PastDigest(date=dt.date(2026, 9, 14), increments=(both,))
    (one,) = corrected_since((told(TITLE, FAST, note=NEXT),), (past,))
    assert [(MORNING, SLOW)] == [(place.note, place.quote) for said in one.corrected for place in said.evidence]
    assert (MORNING,) == own_part(both, "amy").notes
    assert (one,) == corrected_since((one,), (past,))

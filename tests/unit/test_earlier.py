"""Findings that an earlier digest had are known again, what has changed is named, and in doubt a finding is new."""

import datetime as dt
import time
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest

from agent.past import PastDigest
from agent.reconciling.earlier import mark_seen, open_since
from agent.records import (
    Contradiction,
    Correction,
    Credibility,
    Evidence,
    Increment,
    Language,
    Measure,
    Relation,
    SeenBefore,
    Source,
)

TOM, JAY, SPARK = (f"inbox/{agent}/2026-09-12-radar.md" for agent in ("tom", "jay", "spark"))
SAID = "PageKeep evicts whole pages by attention score"


def day(number: int) -> dt.date:
    return dt.date(2026, 9, number)


def quoted(quote: str, *, note: str = TOM, start: int = 0) -> Evidence:
    return Evidence(note=note, start=start, end=start + len(quote), quote=quote, line=1)


def a_finding(
    *quotes: str | Evidence,
    title: str = "PageKeep",
    notes: Sequence[str] = (TOM,),
    stars: int = 3,
    relation: Relation = "new",
    **more: object,
) -> Increment:
    evidence = tuple(quoted(one, note=notes[0]) if isinstance(one, str) else one for one in quotes)
    return Increment.model_validate(
        {
            "id": f"inc-{title}",
            "title": title,
            "summary": "",
            "points": (),
            "evidence": evidence,
            "credibility": Credibility(stars=stars, basis="", reason=""),
            "notes": tuple(notes),
            "agents": tuple(note.split("/")[1] for note in notes),
            "relation": relation,
            **more,
        }
    )


def measured(value: float, metric: str = "latency", unit: str = "ms", **more: object) -> Measure:
    fields = {
        "value": value,
        "comparator": "=",
        "unit": unit,
        "metric": metric,
        "subject": "",
        "evidence": quoted(SAID),
    }
    return Measure.model_validate(fields | more)


def a_digest(number: int, *increments: Increment, topic: str = "") -> PastDigest:
    return PastDigest(date=day(number), topic=topic, increments=increments)


def apart(increments: Sequence[Increment]) -> list[tuple[int, ...]]:
    return [(index,) for index in range(len(increments))]


def by_summary(increments: Sequence[Increment]) -> list[tuple[int, ...]]:
    """A matcher for which findings with one summary are the same."""
    groups: dict[str, list[int]] = {}
    for index, one in enumerate(increments):
        groups.setdefault(one.summary or str(index), []).append(index)
    return [tuple(group) for group in groups.values()]


def seen(increment: Increment, *past: PastDigest, language: Language = "en") -> SeenBefore | None:
    (marked,) = mark_seen([increment], past, same=apart, language=language)
    return marked.seen


def changed(increment: Increment, *past: PastDigest, language: Language = "en") -> tuple[str, ...]:
    before = seen(increment, *past, language=language)
    assert before is not None
    return before.changed


# What is known again.


def test_a_finding_that_cites_the_same_passage_was_seen_and_nothing_else_changes():
    one = a_finding(SAID)
    (marked,) = mark_seen([one], [a_digest(12, one)], same=apart, language="en")

    assert SeenBefore(date=day(12), title="PageKeep") == marked.seen
    assert one == marked.model_copy(update={"seen": None})


def test_without_earlier_digests_all_is_new_and_the_matcher_is_not_asked():
    def never(_: Sequence[Increment]) -> list[tuple[int, ...]]:
        raise AssertionError

    assert (a_finding(SAID),) == mark_seen([a_finding(SAID)], [], same=never, language="en")


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(quoted("PageKeep evicts whole pages by recency alone"), id="other words"),
        pytest.param(quoted(SAID, note=JAY), id="another note"),
    ],
)
def test_another_passage_was_not_seen(other):
    assert seen(a_finding(other, title="b", notes=(other.note,)), a_digest(12, a_finding(SAID, title="a"))) is None


def test_a_passage_that_moved_within_its_note_is_known_again_but_a_short_one_only_in_its_place():
    assert seen(a_finding(quoted(SAID, start=90), title="b"), a_digest(12, a_finding(SAID, title="a"))) is not None
    assert seen(a_finding(quoted("- see above", start=90), title="b"), a_digest(12, a_finding("- see above"))) is None
    assert seen(a_finding("- see above", title="b"), a_digest(12, a_finding("- see above"))) is not None


def test_a_passage_that_two_findings_cite_tells_neither_apart():
    head = "Source of all that follows: the PageKeep preprint"
    today = [a_finding(head, SAID, title="a"), a_finding(head, "a second finding, of today alone", title="b")]
    marked = mark_seen(today, [a_digest(12, a_finding(head, SAID, title="c"))], same=apart, language="en")

    assert [True, False] == [one.seen is not None for one in marked]


def test_a_finding_in_its_place_and_under_its_title_is_known_though_it_shares_all_its_passages():
    today = [a_finding(SAID, title="a"), a_finding(SAID, title="b")]
    marked = mark_seen(today, [a_digest(12, *today)], same=apart, language="en")

    assert ["a", "b"] == [one.seen.title for one in marked if one.seen]


def test_the_first_day_and_the_title_of_that_day_are_told_also_of_days_no_longer_looked_at():
    first, second = a_digest(10, a_finding(SAID, title="old")), a_digest(12, a_finding(SAID, title="newer"))
    remembered = a_finding(SAID, title="newest", seen=SeenBefore(date=day(3), title="oldest"))

    assert (day(10), "old") == told(seen(a_finding(SAID), first, second))
    assert (day(3), "oldest") == told(seen(a_finding(SAID), first, a_digest(13, remembered)))


def told(before: SeenBefore | None) -> tuple[dt.date, str]:
    assert before is not None
    return before.date, before.title


def test_the_matcher_finds_what_another_note_tells_and_sees_no_finding_that_was_known_already():
    asked: list[list[str]] = []

    def same(increments: Sequence[Increment]) -> list[tuple[int, ...]]:
        asked.append([one.title for one in increments])
        return by_summary(increments)

    past = [
        a_digest(11, a_finding("a long passage of the first day", title="p", notes=(JAY,), summary="one finding")),
        a_digest(12, a_finding(SAID, title="q", summary="another")),
    ]
    today = [
        a_finding(SAID, title="q", summary="another"),
        a_finding("the same in other words, from spark", title="r", notes=(SPARK,), summary="one finding"),
    ]
    marked = mark_seen(today, past, same=same, language="en")

    assert [(day(12), "q"), (day(11), "p")] == [told(one.seen) for one in marked]
    assert [["p", "r"]] == asked


def test_the_matcher_is_shown_each_earlier_finding_once_as_it_was_last():
    def same(increments: Sequence[Increment]) -> list[tuple[int, ...]]:
        asked.extend(increments)
        return apart(increments)

    asked: list[Increment] = []
    days = [
        a_digest(number, a_finding("a long passage of the first day", stars=number % 5 + 1)) for number in (9, 11, 10)
    ]
    mark_seen([a_finding(SAID, title="new")], days, same=same, language="en")

    assert [2, 3] == [one.credibility.stars for one in asked]


def test_the_order_of_the_digests_changes_nothing():
    past = [
        a_digest(10, a_finding(SAID, title="a", stars=2)),
        a_digest(12, a_finding(SAID, title="b", stars=4)),
        a_digest(12, a_finding(SAID, title="c", stars=5), topic="inference"),
    ]
    marked = [mark_seen([a_finding(SAID)], order, same=apart, language="en") for order in permutations(past)]

    assert [marked[0]] * 6 == marked


# What has changed.


def test_nothing_that_was_there_is_a_change():
    before = a_finding(SAID, quoted(SAID, note=JAY), notes=(TOM, JAY), measures=(measured(40), measured(50, "TTFT")))

    assert () == changed(a_finding(SAID, measures=(measured(40),)), a_digest(12, before))


@pytest.mark.parametrize(
    ("expected", "now"),
    [
        (("latency 40 ms → 50 ms",), {"measures": (measured(50),)}),
        (("2 more notes", "now also reported by jay, spark"), {"notes": (TOM, JAY, SPARK)}),
        (("1 more note",), {"notes": (TOM, "inbox/tom/2026-09-13-more.md")}),
        (("rating 3★ → 4★",), {"stars": 4}),
        (("relation to the living documents: new → already there",), {"relation": "known"}),
        (("now also names arXiv:2609.00002",), {"arxiv_ids": ("2609.00001", "2609.00002")}),
        (
            ("arXiv:2609.00001 v1 → v3",),
            {"sources": (Source(label="arXiv:2609.00001v3", arxiv="2609.00001", resolved=True),)},
        ),
    ],
)
def test_a_change_is_named_in_a_short_phrase(expected, now):
    before: dict[str, Any] = {
        "measures": (measured(40),),
        "arxiv_ids": ("2609.00001",),
        "sources": (Source(label="arXiv:2609.00001v1", arxiv="2609.00001", resolved=True),),
    }

    assert expected == changed(a_finding(SAID, **(before | now)), a_digest(12, a_finding(SAID, **before)))


def test_changes_are_told_in_chinese():
    now = a_finding(
        SAID,
        "一段同一份笔记里的新内容，先前没有引用",
        notes=(TOM, JAY),
        stars=4,
        relation="known",
        measures=(measured(50),),
    )

    assert (
        "latency 40 ms → 50 ms",
        "新增 1 份笔记",
        "新有 jay 报告",
        "同一笔记另引 1 段",
        "评级 3★ → 4★",
        "与活文档的关系：未收录 → 已收录",
    ) == changed(now, a_digest(12, a_finding(SAID, measures=(measured(40),))), language="zh")


def test_a_passage_that_the_note_had_not_is_a_change():
    now = a_finding(SAID, "a paragraph that was added since", "and another one of them")

    assert ("2 more passages of notes it had",) == changed(now, a_digest(12, a_finding(SAID)))


@pytest.mark.parametrize(
    "now",
    [
        pytest.param(measured(50, "throughput"), id="another metric"),
        pytest.param(measured(50, unit="s"), id="another unit"),
        pytest.param(measured(50, subject="vLLM"), id="another subject"),
        pytest.param(measured(50, conditions={"gpu": "H100"}), id="another condition"),
        pytest.param(measured(50, metric=""), id="no metric"),
    ],
)
def test_what_cannot_be_held_against_another_figure_is_no_change_of_it(now):
    assert () == changed(a_finding(SAID, measures=(now,)), a_digest(12, a_finding(SAID, measures=(measured(40),))))


def test_a_figure_more_of_a_metric_is_no_other_figure():
    now = a_finding(SAID, measures=(measured(40), measured(50)))

    assert () == changed(now, a_digest(12, a_finding(SAID, measures=(measured(40),))))


@pytest.mark.parametrize(
    ("expected", "old", "new"),
    [
        ("hit rate 48% → 63.5%", measured(48, "hit rate", "%"), measured(63.5, "hit rate", "%")),
        ("price $1,200 → $1,500", measured(1200, "price", "$"), measured(1500, "price", "$")),
        ("vLLM speed 2× → 3×", measured(2, "speed", "×", subject="vLLM"), measured(3, "speed", "×", subject="vLLM")),
        ("users 10 → 11", measured(10, "users", ""), measured(11, "users", "")),
    ],
)
def test_a_figure_stands_with_its_unit_as_people_write_it(expected, old, new):
    assert (expected,) == changed(a_finding(SAID, measures=(new,)), a_digest(12, a_finding(SAID, measures=(old,))))


def test_what_a_digest_between_told_is_not_told_again():
    first = a_finding(SAID, stars=2, measures=(measured(40),))
    second = a_finding(SAID, notes=(TOM, JAY), stars=3, measures=(measured(50),))

    assert () == changed(second, a_digest(11, first), a_digest(12, second))


def test_only_some_figures_and_names_are_told():
    names = [f"inbox/agent{number}/2026-09-13.md" for number in range(9)]
    now = a_finding(SAID, notes=(TOM, *names), measures=tuple(measured(2, f"metric {n}") for n in range(9)))
    then = a_finding(SAID, measures=tuple(measured(1, f"metric {n}") for n in range(9)))
    said = changed(now, a_digest(12, then))

    assert 5 == len(said)
    assert "now also reported by agent0, agent1, agent2 +6" == said[-1]


# Contradictions.


def raised(identifier: str, since: dt.date | None = None) -> Contradiction:
    return Contradiction(
        id=identifier, kind="value", statement="", sides=(), found_by="value", severity="low", since=since
    )  # fmt: skip


def test_a_contradiction_is_open_since_the_first_digest_that_raised_it():
    past = [
        PastDigest(date=day(12), contradictions=(raised("a", day(2)), raised("b"))),
        PastDigest(date=day(11), contradictions=(raised("b"),)),
    ]

    assert (raised("a", day(2)), raised("b", day(11)), raised("c")) == open_since(map(raised, "abc"), past)


def test_many_findings_over_many_days_take_time_in_proportion():
    def run(number: int) -> float:
        today = [
            a_finding(f"passage {index} of this finding", title=f"t{index}", measures=(measured(index),))
            for index in range(number)
        ]
        past = [a_digest(days, *today) for days in range(1, 4)]
        started = time.process_time()
        mark_seen(today, past, same=apart, language="en")
        return time.process_time() - started

    run(100)
    assert 30 * run(200) > run(2000)


def test_a_finding_that_corrects_an_earlier_one_was_seen_and_says_what_changed():
    before = a_finding("TTFT is 600 ms", measures=(measured(600, "TTFT"),))
    now = a_finding(
        "TTFT is 700 ms",
        title="Page eviction",
        notes=("inbox/tom/2026-09-13-radar.md",),
        measures=(measured(700, "TTFT"),),
    )
    assert seen(now, a_digest(1, before)) is None
    now = now.model_copy(
        update={"corrected": (Correction(note=TOM, changed=("TTFT 600 ms → 700 ms",), evidence=before.evidence),)}
    )
    found = seen(now, a_digest(1, before))
    assert found is not None
    assert (day(1), "TTFT 600 ms → 700 ms") == (found.date, found.changed[0])

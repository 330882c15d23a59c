"""Scores do not depend on the order of what was found, and what says just what is wanted scores full marks."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from agent.evaluating.figures import summed
from agent.evaluating.gold import Gold
from agent.evaluating.scoring import ruled, score_note
from agent.records import Increment
from tests.answers import PATH, an_extraction, an_increment, cited, gold_of, perfect

LINES = 40
NOTE = ruled(PATH, "".join(f"第 {number} 行 of the note\n" for number in range(1, LINES + 1)))
IDS = st.lists(st.integers(0, 99_999).map(lambda number: f"2607.{number:05}"), unique=True, max_size=3)
SECTIONS = st.sampled_from(["1", "2.10", "9.2", "第四节", "Open questions"])


@st.composite
def golds(draw: st.DrawFn) -> Gold:
    """Gold answers whose passages lie apart."""
    cuts = sorted(draw(st.sets(st.integers(1, LINES + 1), min_size=2, max_size=10)))
    passages = [[first, last - 1] for first, last in pairwise(cuts)]
    kinds = draw(st.lists(st.sampled_from("iiwc "), min_size=len(passages), max_size=len(passages)))
    mentioned = draw(IDS)

    def of(kind: str) -> list[list[int]]:
        return [lines for lines, each in zip(passages, kinds, strict=True) if each == kind]

    increments = [
        {
            "id": f"i{number}",
            "lines": lines,
            "arxiv": draw(st.sampled_from([[], mentioned])),
            "stars": draw(st.none() | st.integers(1, 5)),
            "relation": draw(st.sampled_from([None, "new", "extends", "known"])),
            "placements": [{"doc": "inference.md", "section": draw(SECTIONS)}],
        }
        for number, lines in enumerate(of("i"))
    ]
    return gold_of(
        *increments,
        arxiv_all=mentioned,
        to_verify=[{"id": f"w{number}", "lines": lines} for number, lines in enumerate(of("w"))],
        inside_contradictions=[{"id": "c", "kind": "value", "lines": of("c")}] if of("c") else [],
    )


@st.composite
def increments(draw: st.DrawFn) -> list[Increment]:
    """Increments that quote lines here and there."""
    lines = draw(st.lists(st.lists(st.integers(1, LINES), max_size=4), max_size=6))
    return [
        an_increment(
            [quote for each in quoted for quote in cited(NOTE, (each, each))],
            relation=draw(st.sampled_from(["new", "extends"])),
        )
        for quoted in lines
    ]


@given(golds())
def test_an_extraction_made_from_the_gold_answers_is_perfect(gold):
    figures = score_note(gold, NOTE, perfect(gold, NOTE))

    assert {} == {name: one for name, one in figures.items() if one.whole is not None and one.value != 1.0}
    wrong = ("split", "spurious", "process_as_increment", "false_evidence", "dropped", "segments_failed")
    assert [0] * len(wrong) == [figures[name].part for name in wrong]


@given(golds(), increments(), st.randoms(use_true_random=False))
def test_the_order_of_increments_changes_no_figure(gold, found, random):
    shuffled = random.sample(found, len(found))

    assert score_note(gold, NOTE, an_extraction(*found)) == score_note(gold, NOTE, an_extraction(*shuffled))


@given(golds(), increments())
def test_every_reported_increment_is_counted_once_and_no_share_passes_one(gold, found):
    figures = score_note(gold, NOTE, an_extraction(*found))

    names = ("increments_recall", "split", "spurious", "process_as_increment")
    assert len(found) == sum(figures[name].part for name in names)
    assert all(0 <= one.part <= one.whole for one in figures.values() if one.whole is not None)


@given(st.lists(golds(), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_totals_do_not_depend_on_the_order_of_notes(many, random):
    figures = [score_note(gold, NOTE, perfect(gold, NOTE)) for gold in many]

    assert summed(figures) == summed(random.sample(figures, len(figures)))

"""Everything in a brief is held against the workspace: what holds stays quiet, what was altered is found."""

import re
from collections import Counter

import pytest

from agent.auditing.audit import Surroundings, audit
from agent.auditing.findings import Audit, Finding
from tests import briefs, retellings
from tests.briefs import BRIEF, CHINESE, DAY, ENGLISH, Desk, altered
from tests.noting import a_note

DESK = Desk()
FILTER = "inbox/jay/2026-09-14-1100-jay-engineering-filter.md"
READING = "inbox/flyp/2026-09-14-0950-adaptive-draft-critical-read.md"


def found(audited: Audit, *verdicts: str) -> list[Finding]:
    return [one for one in audited.findings if one.verdict in verdicts]


def told(source: str, said: str) -> list[tuple[str, str, str, str]]:
    return briefs.told(DESK, source, said)


@pytest.mark.parametrize("text", [retellings.CHINESE, retellings.ENGLISH])
def test_a_brief_in_words_of_its_own_has_no_finding_against_it(text):
    assert [] == found(DESK.audit(text), "false", "unsupported", "questionable")


@pytest.mark.parametrize(("text", "alterations"), [(retellings.CHINESE, 68), (retellings.ENGLISH, 49)])
def test_what_slips_in_retelling_is_found(text, alterations):
    """Of each kind of slip, how many were made and how many are found: false or unsupported, and false alone."""
    made, seen, false = Counter[str](), Counter[str](), Counter[str]()
    for kind, _, changed in retellings.altered(text):
        verdicts = {one.verdict for one in DESK.audit(changed).findings}
        made[kind] += 1
        seen[kind] += bool(verdicts & {"false", "unsupported"})
        false[kind] += "false" in verdicts

    counted = {kind: (made[kind], seen[kind], false[kind]) for kind in made}
    print(counted, sum(made.values()), sum(seen.values()), sum(false.values()))  # noqa: T201  the figures are to be read
    assert alterations == sum(made.values())
    assert 0.9 <= sum(seen.values()) / sum(made.values())
    assert 0.85 <= sum(false.values()) / sum(made.values())
    assert {kind for kind in made if seen[kind] < made[kind]} <= {"sides", "date", "unit"}


@pytest.mark.parametrize("text", [retellings.CHINESE, retellings.ENGLISH])
def test_another_source_turns_nothing_false_that_it_does_not_speak_of(text):
    """What a source says of other things is never held against the brief: only one figure of the same thing is."""
    rules = Counter[str]()
    for match in list(re.finditer(r"inbox/\S+?\.md", text))[::2]:
        for other in DESK.paths[::2]:
            audited = DESK.audit(text[: match.start()] + other + text[match.end() :])
            rules.update(f"{one.found_by} {one.says}" for one in found(audited, "false"))

    assert set(rules) <= {"other-value 4,120 tok/s"}


@pytest.mark.parametrize("text", [CHINESE, ENGLISH])
def test_a_brief_that_copied_rightly_has_no_finding_against_it(text):
    audited = DESK.audit(text)

    assert [] == found(audited, "false", "unsupported", "questionable")
    assert not audited.is_false
    assert {"figure", "statement", "identifier", "quote", "source"} == {one.kind for one in audited.findings}


@pytest.mark.parametrize(("text", "alterations"), [(CHINESE, 65), (ENGLISH, 39)])
def test_what_was_altered_in_one_place_is_found(text, alterations):
    """Of each kind of alteration, how many were made and how many are found: false or unsupported, and false alone."""
    made, seen, false = Counter[str](), Counter[str](), Counter[str]()
    for kind, _, changed in altered(text):
        verdicts = {one.verdict for one in DESK.audit(changed).findings}
        made[kind] += 1
        seen[kind] += bool(verdicts & {"false", "unsupported"})
        false[kind] += "false" in verdicts

    counted = {kind: (made[kind], seen[kind], false[kind]) for kind in made}
    print(counted, sum(made.values()), sum(seen.values()), sum(false.values()))  # noqa: T201  the figures are to be read
    assert alterations == sum(made.values())
    assert 0.9 <= sum(seen.values()) / sum(made.values())
    assert 0.85 <= sum(false.values()) / sum(made.values())
    assert {kind for kind in made if seen[kind] < made[kind]} <= {"comparison", "negation"}


@pytest.mark.parametrize(
    ("source", "said", "expected"),
    [
        (FILTER, "TTFT 2.4 s → 0.8 s", []),
        (FILTER, "The prefix hit rate must be at least 70%.", []),
        (FILTER, "TTFT fell to 800 ms.", []),
        (FILTER, "The prefix hit rate is at most 70%.", [("figure", "false", "opposite", "70%")]),
        (FILTER, "TTFT fell to 0.7 s.", [("figure", "unsupported", "not-in-source", "0.7 s")]),
        (FILTER, "On one A100 TTFT was 0.8 s.", [("figure", "false", "other-condition", "0.8 s · A100")]),
        (READING, "Decoding reaches 58.1 tokens.", [("figure", "false", "other-unit", "58.1 tokens")]),
        (READING, "Decoding rose to 41.5 tok/s.", []),
        (READING, "Decoding fell from 41.5 tok/s to 58.1 tok/s.", []),
        (READING, "Decoding 41.5 tok/s falls to 58.1 tok/s.", [("figure", "false", "against-direction", "41.5 tok/s falls to 58.1 tok/s")]),
        ("a blog post of the vendor", "It costs $9,321.", [("figure", "unsupported", "outside", "$9,321")]),
    ],
)  # fmt: skip
def test_a_figure_is_held_against_its_source(source, said, expected):
    assert expected == told(source, said)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("See arXiv:2609.90731.", []),
        ("See arXiv:2612.00001.", [("identifier", "false", "month-after-brief", "2612.00001")]),
        ("See arXiv:2613.00001.", [("identifier", "false", "form", "2613.00001")]),
        ("See arXiv:2609.90732.", [("identifier", "false", "one-slip", "2609.90732")]),
        ("See arXiv:2609.90713.", [("identifier", "false", "one-slip", "2609.90713")]),
        ("See arXiv:2401.11111.", [("identifier", "unsupported", "nowhere", "2401.11111")]),
    ],
)
def test_an_identifier_is_looked_up(said, expected):
    assert expected == told(READING, said)


def test_an_identifier_one_digit_away_from_another_paper_is_only_unsupported():
    assert [("identifier", "unsupported", "nowhere", "2609.90732")] == told("a mailing list", "See arXiv:2609.90732.")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (FILTER, []),
        ("inbox/jay/2026-09-14-1130-jay-engineering-filter.md", [("false", "missing")]),
        ("inbox/jay/2026-09-01-1130-jay-engineering-filter.md", [("unsupported", "out-of-reach")]),
        ("inbox/nobody/2026-09-14-1130-notes.md", [("unsupported", "out-of-reach")]),
        ("organized/knowledge/inference.md", []),
        ("organized/knowledge/inferences.md", [("false", "no-document")]),
        ("organized/knowledge/inference.md §99", [("questionable", "no-section")]),
    ],
)
def test_a_source_is_looked_up(source, expected):
    assert expected == [one[1:3] for one in told(source, "Nothing of note.") if one[0] == "source"]


def test_a_source_that_says_nothing_of_it_is_unsupported():
    rows = told(READING, "The GPU cloud asks $17.25 for 9,120 tok/s.")

    assert ("source", "unsupported", "says-nothing-of-it", READING) in rows


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("jay writes: “取回与计算重叠，命中后按层取回”。", [("unsupported", "no-such-words")]),
        ("jay writes: “命中后按层取回，取回与计算重叠”。", []),
        ("jay writes: “命中后按层取回……计算重叠”。", []),
        ("jay writes: “前缀命中率低于 70%；命中率低于 30% 时反而慢 5%”。", [("false", "altered")]),
        ("jay writes: “低于 70%；命中率低于 30% 时反而慢 5%”。", [("false", "cut")]),
        ("The term “前缀复用” is used.", []),
        ("The title “Something That Nobody Wrote Down Anywhere” is a title.", []),
        ('<img src="https://a.example/osdi18-lee.png" alt="">', []),
    ],
)
def test_a_quotation_is_judged(said, expected):
    assert expected == [one[1:3] for one in told(FILTER, said) if one[0] == "quote"]


def test_a_quotation_that_holds_says_how():
    audited = DESK.audit(BRIEF.format(source=FILTER, said="jay writes: “命中后按层取回……计算重叠”。"))

    (quote,) = [one for one in audited.findings if one.kind == "quote"]
    assert ("holds", "elided") == (quote.verdict, quote.found_by)
    assert [FILTER] == [place.note for place in quote.found]


def test_what_a_brief_reports_in_order_to_reject_is_not_held_against_it():
    assert [] == [
        one for one in told(FILTER, "The claim that the hit rate may be at most 70% is wrong.") if one[1] == "false"
    ]


def test_a_brief_is_not_held_against_itself():
    own = next(note for note in DESK.notes if note.path == FILTER)
    around = Surroundings(notes=DESK.notes, paths=DESK.paths, agents=DESK.agents)

    audited = audit(own, around, language="en")

    assert FILTER not in audited.notes
    assert all(place.note != FILTER for one in audited.findings for place in one.found)


def test_another_version_of_a_note_is_held_against_it():
    own = next(note for note in DESK.notes if note.path == READING)
    changed = own.text.replace("58.1", "59.1").replace("No model", "Any model")

    audited = DESK.audit(changed, path=f"/elsewhere/{READING.rpartition('/')[2]}")

    assert [("false", "altered-figure")] == [
        (one.verdict, one.found_by) for one in found(audited, "false", "unsupported") if one.kind == "statement"
    ]


@pytest.mark.parametrize("text", ["", "\n\n", "---\n", "```\n2613.12345 arXiv:2613.12345\n```\n", "\u202e\u200b\x07"])
def test_a_brief_that_says_nothing_has_no_finding(text):
    assert () == DESK.audit(text).findings


def test_evidence_cuts_out_its_quote():
    texts = {note.path: note.text for note in DESK.notes} | {"/elsewhere/2026-09-14-evening.md": CHINESE}
    texts |= {f"organized/knowledge/{document.name}": document.text for document in DESK.documents}

    audited = DESK.audit(CHINESE)

    places = [place for one in audited.findings for place in (one.place, *one.found)]
    assert places
    assert all(texts[place.note][place.start : place.end] == place.quote for place in places)


def test_tallies_count_the_findings():
    audited = DESK.audit(CHINESE.replace("3.0×", "4.0×"))

    assert len(audited.findings) == sum(
        one.holds + one.false + one.unsupported + one.questionable for one in audited.tallies
    )
    assert audited.is_false
    assert "false" == audited.findings[0].verdict


def test_the_same_brief_gives_the_same_audit():
    assert DESK.audit(ENGLISH) == DESK.audit(ENGLISH)


def test_an_empty_workspace_bears_nothing_out():
    note = a_note("# x\n\nSee arXiv:2607.12345, which is 3.5 times faster at 4,120 tok/s.\n", path="inbox/tom/x.md")

    audited = audit(note, Surroundings(), language="zh")

    assert {"unsupported"} == {one.verdict for one in audited.findings}
    assert DAY == audited.date

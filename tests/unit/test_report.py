import datetime as dt

import pytest
from markdown_it import MarkdownIt

from agent.auditing.findings import Audit, Finding, Verdict, in_order, tallied
from agent.auditing.report import render_audit
from agent.auditing.words import AUDIT_WORDS, reason, remark
from agent.records import Evidence, Language, Window

DAY = dt.date(2026, 9, 14)
BRIEF, NOTE = "inbox/tom/2026-09-14-brief.md", "inbox/jay/2026-09-14-1100-filter.md"


def place(quote: str, *, note: str = BRIEF, line: int = 3, start: int = 0) -> Evidence:
    return Evidence(note=note, start=start, end=start + len(quote), quote=quote, line=line)


def finding(verdict: Verdict = "false", **given: object) -> Finding:
    told = {
        "kind": "figure",
        "verdict": verdict,
        "says": "8×",
        "place": place("it is 8× faster"),
        "found": (place("it is 3× faster", note=NOTE, line=12),),
        "because": "It is 3× there.",
        "advice": "Correct it.",
        "found_by": "nowhere",
    }
    return Finding.model_validate(told | given)


def an_audit(*findings: Finding, language: Language = "en", **given: object) -> Audit:
    ordered = in_order(findings)
    told = {
        "brief": BRIEF,
        "agent": "tom",
        "date": DAY,
        "sha256": "0" * 64,
        "language": language,
        "window": Window(start=DAY, end=DAY),
        "notes": (NOTE,),
        "documents": ("organized/knowledge/inference.md",),
        "findings": ordered,
        "tallies": tallied(ordered),
    }
    return Audit.model_validate(told | given)


def test_what_is_false_shows_both_sides_with_links_to_their_lines():
    text = render_audit(an_audit(finding()))

    assert "**1 statement is false.**" in text
    assert f"the brief: it is 8× faster [{BRIEF}:3]({BRIEF}#L3)" in text
    assert f"the other side: it is 3× faster [{NOTE}:12]({NOTE}#L12)" in text
    assert "why: It is 3× there." in text


def test_false_comes_first_then_unsupported_then_questionable_then_what_holds():
    verdicts: tuple[Verdict, ...] = ("holds", "questionable", "unsupported", "false")
    text = render_audit(an_audit(*(finding(verdict) for verdict in verdicts)))

    places = [text.index(f"## {word}") for word in ("False", "Unsupported", "Questionable", "Holds")]
    assert sorted(places) == places
    assert "1 hold (figure 1)" in text


def test_findings_of_one_kind_and_reason_are_listed_together_and_the_rest_counted():
    many = [finding("unsupported", says=f"{number} ms", place=place("x", line=number)) for number in range(1, 21)]

    text = render_audit(an_audit(*many))

    assert 1 == text.count("nothing that was looked at says so")
    assert "- 8 more are in the JSON." in text


def test_what_stands_in_a_note_that_was_not_looked_at_is_linked():
    text = render_audit(
        an_audit(finding("unsupported", found_by="beyond-days", found=(place("8×", note=NOTE, line=7),)))
    )

    assert f"stands in a note that was not looked at\n  - 8× [{BRIEF}:3]({BRIEF}#L3) → [{NOTE}:7]({NOTE}#L7)" in text


def test_remarks_of_the_workspace_are_in_the_language_of_the_audit():
    said = "It was read as GB18030, not as UTF-8."

    assert said == remark(said, "en")
    assert "按 GB18030 读入，不是 UTF-8。" == remark(said, "zh")
    assert "Something else." == remark("Something else.", "zh")


def test_a_brief_without_anything_to_hold_says_so():
    text = render_audit(an_audit())

    assert "**Nothing in the brief can be held against anything.**" in text
    assert "Nothing in it could be found in the workspace." in text


@pytest.mark.parametrize("language", ["zh", "en"])
def test_hostile_words_do_nothing(language):
    hostile = "# x\n\n<script>alert(1)</script> [a](javascript:b) `c` | d | ![e](f) **g** \u202e\x1b[31m"
    text = render_audit(
        an_audit(
            *(
                finding(verdict, says=hostile, place=place(hostile), found=(place(hostile, note=NOTE),), because=hostile, advice=hostile)
                for verdict in ("false", "unsupported", "questionable", "holds")
            ),
            language=language,
            remarks=(hostile,),
        )
    )  # fmt: skip

    tokens = [inner for token in MarkdownIt().parse(text) for inner in (token, *(token.children or ()))]
    links = {token.attrGet("href") for token in tokens if token.type == "link_open"}
    assert not {token.type for token in tokens} & {"html_block", "html_inline", "image", "code_inline", "fence"} - {
        "code_inline"
    }
    assert links <= {f"{BRIEF}#L3", f"{NOTE}#L3", BRIEF}
    assert 1 == sum(token.type == "heading_open" and token.tag == "h1" for token in tokens)
    assert not set("\u202e\x1b") & set(text)


def test_both_languages_have_every_reason():
    assert set(AUDIT_WORDS["zh"].reasons) == set(AUDIT_WORDS["en"].reasons)
    assert set(AUDIT_WORDS["zh"].groups) == set(AUDIT_WORDS["en"].groups)


@pytest.mark.parametrize("rule", sorted(AUDIT_WORDS["en"].reasons))
def test_reasons_have_the_same_gaps_in_both_languages(rule):
    said = {name: f"<{name}>" for name in ("says", "stands", "date", "near", "turn", "quoted")}

    chinese, english = (reason(rule, language, **said) for language in ("zh", "en"))

    assert {gap for gap in said.values() if gap in chinese.because} == {
        gap for gap in said.values() if gap in english.because
    }
    assert chinese.advice
    assert english.advice


def test_the_same_finding_twice_is_one():
    assert 1 == len(in_order([finding(), finding()]))

"""A unit is cited at its place and shown in its own words; no figure is cut through."""

import pytest

from agent.reading.showing import as_evidence, breadth, cut, measures, plain
from agent.reading.units import split_units
from tests.noting import a_note


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("延迟下降", "- 延迟下降"),
        ("延迟 下降", "  •  延迟\n   下降 "),
        ("-40% 延迟", "- -40% 延迟"),  # the sign is the figure's
        ("+3.2 分", "* +3.2 分"),
        ("-40% 延迟", "-40% 延迟"),
        ("--cache-type q8_0", "--cache-type q8_0"),
        ("说明如下", "—— 说明如下"),
        ("延迟下降", "-延迟下降"),
        ("速度 提升三倍", "- **速度** 提升三倍"),
        ("2**3 是 8", "2**3 是 8"),
        ("a * b * c", "a * b * c"),
        ("", "- "),
    ],
)
def test_plain_takes_the_bullet_and_leaves_the_words(said, text):
    assert said == plain(text)


def test_breadth_counts_chinese_twice():
    assert (4, 8, 6) == (breadth("abcd"), breadth("吞吐翻倍"), breadth("ab吞吐"))


@pytest.mark.parametrize(
    ("kept", "text", "limit"),
    [
        ("short", "short", 5),
        ("latency fell to…", "latency fell to 1234.5 ms", 20),
        ("延迟降到…", "延迟降到1234.5毫秒", 8),
        ("一二三…", "一二三四五六", 4),
        ("a" * 49 + "…", "a" * 90, 50),  # one endless word has to be cut somewhere
    ],
)
def test_a_cut_keeps_to_the_limit_and_never_cuts_a_figure(kept, text, limit):
    assert kept == cut(text, limit)
    assert limit >= len(cut(text, limit))


def test_evidence_is_the_unit_at_its_place():
    text = "第一句。\n\n- 吞吐 12 tok/s\n"
    note = a_note(text)
    evidence = as_evidence(note, split_units(text)[-1])

    assert "- 吞吐 12 tok/s" == evidence.quote == text[evidence.start : evidence.end]
    assert (note.path, 3) == (evidence.note, evidence.line)


def test_measures_carry_the_unit_they_stand_in_and_code_has_none():
    text = "- 吞吐 12 tok/s\n\n```\ntimeout = 30 s\n```\n"
    found = measures(a_note(text), split_units(text))

    assert [(12.0, "tok/s", "- 吞吐 12 tok/s")] == [(one.value, one.unit, one.evidence.quote) for one in found]

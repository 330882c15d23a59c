"""Dates of a brief: its own day, weekdays that do not fit, and days that the source does not have."""

import datetime as dt

import pytest

from agent.auditing.dated import day_told, days_in
from tests.briefs import Desk, told

DESK = Desk()
JAY = "inbox/jay/2026-09-13-1620-jay-engineering-filter.md"
NEAR = dt.date(2026, 7, 30)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Brief of 2026-07-27\n\nx\n", "2026-07-27"),
        ("# 晚间简报（7月27日）\n\nx\n", "2026-07-27"),
        ("# 晚间简报 2026年7月27日\n\nx\n", "2026-07-27"),
        ("# Brief, 27 July 2026\n\nx\n", "2026-07-27"),
        ("# Brief, July 27, 2026\n\nx\n", "2026-07-27"),
        ("# Brief\n\nWritten on July 27th.\n", "2026-07-27"),
        ("---\ndate: 2026-07-27\n---\n# Brief\n\nSince 2026-07-01.\n", "2026-07-27"),
        ("---\ndate: 20260727\n---\n# Brief\n", "2026-07-27"),
        ("# 年终简报（12月31日）\n", "2025-12-31"),
        ("# Brief\n\nFrom 2026-07-01 to 2026-07-05.\n", None),
        ("# Brief\n\ninbox/jay/2026-07-26-notes.md, 6 SEP, v2026.07\n", None),
        ("# Brief of 2026-02-30\n", None),
        ("", None),
    ],
)
def test_a_brief_tells_its_own_day(text, expected):
    assert (dt.date.fromisoformat(expected) if expected else None) == day_told(text, near=NEAR)


def test_file_names_and_versions_are_no_dates():
    assert [] == list(days_in("inbox/jay/2026-07-26-notes.md 2026-07-26T1105-x.md v2026.07.26 3/4 6 SEP"))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("vLLM v0.31.0 came out on 2026-08-27 (Thursday).", []),
        ("vLLM v0.31.0 came out on 2026-08-27 (Friday).", [("false", "weekday", "2026-08-27 Friday")]),
        ("vLLM v0.31.0 发布于 2026-08-27（星期五）。", [("false", "weekday", "2026-08-27 星期五")]),
        ("vLLM v0.31.0 发布于 8 月 27 日，周四。", []),
        ("Released on Thursday, August 27, 2026: vLLM v0.31.0.", []),
        ("vLLM v0.31.0 came out on 2026-08-22.", [("false", "other-date", "2026-08-22")]),
        ("vLLM v0.31.0 于 8月22日 发布。", [("false", "other-date", "8月22日")]),
        ("Its authors met on 2026-03-02.", [("unsupported", "not-in-source", "2026-03-02")]),
        ("Is it true that vLLM v0.31.0 came out on 2026-08-22?", []),
    ],
)
def test_a_date_is_held_against_the_source(said, expected):
    rules = {"weekday", "other-date", "not-in-source"}

    assert expected == [one[1:] for one in told(DESK, JAY, said) if one[2] in rules]

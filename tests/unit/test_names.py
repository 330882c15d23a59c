"""What file names say, in the forms that people and programs write them."""

import datetime as dt

import pytest

from agent.reading.names import NoteName, card_identifier, is_conflict_copy, is_leftover, parse_note_name

DAY = dt.date(2026, 9, 14)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("2026-09-14-1100-ann-filter.md", NoteName(DAY, dt.time(11, 0), "ann-filter", None)),
        ("2026-09-14T1105-five-topics.md", NoteName(DAY, dt.time(11, 5), "five-topics", None)),
        ("2026-09-14_agents-lite.md", NoteName(DAY, None, "agents-lite", None)),
        ("2026-09-14-caching-brief.md", NoteName(DAY, None, "caching-brief", None)),
        ("2026-09-14-caching-brief-v29.md", NoteName(DAY, None, "caching-brief", 29)),
        ("2026-09-14-1100-brief (v2).md", NoteName(DAY, dt.time(11, 0), "brief", 2)),
        ("20260914-x.md", NoteName(DAY, None, "x", None)),
        ("202609141105-x.md", NoteName(DAY, dt.time(11, 5), "x", None)),
        ("20260914T110530Z-x.md", NoteName(DAY, dt.time(11, 5, 30), "x", None)),
        ("2026.09.14 x.md", NoteName(DAY, None, "x", None)),
        ("2026-9-14-x.md", NoteName(DAY, None, "x", None)),
        ("2026年9月14日-早报.md", NoteName(DAY, None, "早报", None)),
        ("2026年09月14日11时05分-x.md", NoteName(DAY, dt.time(11, 5), "x", None)),
        ("２０２６-０９-１４-x.md", NoteName(DAY, None, "x", None)),
        ("2026-09-14T11:05-x.md", NoteName(DAY, dt.time(11, 5), "x", None)),
        ("radar-2026-09-14.md", NoteName(DAY, None, "radar", None)),
        ("ann/2026-09-14-x.md", NoteName(DAY, None, "x", None)),
        ("2026-09-14.md", NoteName(DAY, None, "", None)),
        ("thoughts.md", NoteName(None, None, "thoughts", None)),
        ("", NoteName(None, None, "", None)),
    ],
)
def test_a_note_name_is_read(name, expected):
    assert expected == parse_note_name(name)


@pytest.mark.parametrize("name", ["2026-13-40-x.md", "2026-02-30-x.md", "12345678-x.md", "2026-09-144-x.md"])
def test_an_impossible_date_is_no_date(name):
    assert parse_note_name(name).date is None


@pytest.mark.parametrize("name", ["2026-09-14-9999-x.md", "2026-09-14-2607-90288.md", "2026-09-14-1100things.md"])
def test_digits_that_are_no_time_stay_in_the_slug(name):
    read = parse_note_name(name)

    assert (None, name.removeprefix("2026-09-14-").removesuffix(".md")) == (read.time, read.slug)


def test_the_date_at_the_front_counts_before_a_second_one():
    assert DAY == parse_note_name("2026-09-14-0900-daily-2026-09-07.md").date


def test_two_dates_of_which_none_is_at_the_front_are_no_date():
    assert parse_note_name("from-2026-09-07-to-2026-09-14.md").date is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("11-2607-90288.md", "2607.90288"),
        ("11-2607-90288", "2607.90288"),
        ("11-2607-90288v2.md", "2607.90288"),
        ("11-2607-90288-page-keep.md", "2607.90288"),
        ("3-1412-1234.md", "1412.1234"),
        ("11-2613-90288.md", None),
        ("11-2607-9028.md", None),
        ("11-2607-902881.md", None),
        ("11-0703-1234.md", None),
        ("11-2607-00000.md", None),
        ("2026-09-14-x.md", None),
    ],
)
def test_a_card_name_holds_an_identifier_of_valid_month_and_shape(name, expected):
    assert expected == card_identifier(name)


@pytest.mark.parametrize(
    "name",
    [
        ".x.md.swp", "x.md~", "#x.md#", ".#x.md", "4913", ".goutputstream-AB12", "x.md.part", "x.md.crdownload", "x.tmp", "._x.md",
        ".DS_Store", "Thumbs.db", "~$x.md", ".x.md.Ab12Cd", "x.sync-conflict-20260914-110500-AB.md", "x (conflicted copy).md",
        "x (Ann's conflicted copy 2026-09-14).md", "x_conflict-20260914-110500.md",
    ],
)  # fmt: skip
def test_leftovers_of_editors_and_synchronisers_are_known(name):
    assert is_leftover(name)


@pytest.mark.parametrize(
    "name",
    ["x.md", "2026-09-14-merge-conflict.md", "x (conflict of interest).md", "a.part.md", "conflict-free-types.md"],
)
def test_notes_are_no_leftovers(name):
    assert not is_leftover(name)


def test_a_conflict_copy_is_told_from_other_leftovers():
    assert [True, False] == [is_conflict_copy(name) for name in ("x.sync-conflict-20260914-1.md", "x.md~")]

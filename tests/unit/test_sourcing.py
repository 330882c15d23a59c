"""One file under two names, by the workspace and by the text's own list of what was read."""

import pytest

from agent.checking.dispute import Dispute, Hand
from agent.checking.sourcing import disputes
from tests.noting import a_note, segments_of

CHECKED = "## Sources checked\n\n"


def found(text: str, *note_paths: str) -> list[Dispute]:
    hand = Hand(note=a_note(text), segments=segments_of(text), agents=("jay", "tom"), note_paths=note_paths)
    return list(disputes(hand))


def says(text: str, *note_paths: str) -> list[list[str]]:
    return [sorted({side.says for side in one.sides}) for one in found(text, *note_paths) if not one.is_question]


def test_a_name_without_its_time_is_held_against_the_list_of_what_was_read():
    text = (
        "## Increment 1: a\n\nSource: inbox/jay/2026-09-14-cache-tiers-notes.md item 2\n\n"
        "## Increment 2: b\n\nSource: inbox/jay/2026-09-14-cache-tiers-notes.md item 3\n\n"
        f"{CHECKED}inbox/jay (1 file):\n\n- 2026-09-14-1225-cache-tiers-notes.md\n"
    )
    (dispute,) = found(text)
    assert ("source-name", "source") == (dispute.rule, dispute.kind)
    assert [3, 7, 13] == [side.evidence.line for side in dispute.sides]
    assert "2026-09-14-1225-cache-tiers-notes.md" == dispute.about
    assert not dispute.is_question


def test_the_workspace_decides_with_the_citing_units_alone():
    text = "## 增量 1：甲\n\n来源：inbox/jay/2026-09-14-cache-tiers-notes.md\n"
    (dispute,) = found(text, "inbox/jay/2026-09-14-1225-cache-tiers-notes.md")
    assert "inbox/jay/2026-09-14-1225-cache-tiers-notes.md" == dispute.about
    assert ["2026-09-14-cache-tiers-notes.md"] == [side.says for side in dispute.sides]


@pytest.mark.parametrize(
    "name",
    [
        "2026-09-14-1225-cahce-tiers-notes.md",
        "2026-09-14-1225-cachetiers-notes.md",
        "2026-09-14-1225-cache-tiers-ntoes.md",
    ],
)
def test_a_slip_of_the_pen_is_another_name(name):
    text = f"## Increment 1: a\n\nSource: inbox/jay/{name}\n"
    assert [[name]] == says(text, "inbox/jay/2026-09-14-1225-cache-tiers-notes.md")


@pytest.mark.parametrize(
    "name",
    [
        "2026-09-14-1225-cache-tiers-notes.md",  # it is there
        "2026-09-13-1225-cache-tiers-notes.md",  # of another day
        "2026-09-14-1225-cache-tiers-essay.md",  # another word
        "2026-09-14-1225-cache-tiers.md",  # fewer words
        "2026-09-14-1500-cache-tiers-notes.md",  # a slug may come several times a day
        "2026-09-14-1225-cache-layers-notes.md",
    ],
)
def test_another_file_is_no_other_name(name):
    text = f"## Increment 1: a\n\nSource: inbox/jay/{name}\n"
    assert [] == found(text, "inbox/jay/2026-09-14-1225-cache-tiers-notes.md")


def test_two_versions_are_two_files():
    text = "## Increment 1: a\n\nSource: inbox/jay/2026-09-14-engineering-e1prep-v3.md\n"
    assert [] == found(text, "inbox/jay/2026-09-14-engineering-e1prep-v4.md")


def test_two_slips_at_once_are_a_question():
    text = (
        "## Increment 1: a\n\nSource: inbox/jay/2026-09-14-engineering-e1prep.md\n\n"
        f"{CHECKED}inbox/jay:\n\n- 2026-09-14-1123-engineering-e1prep-v7.md\n"
    )
    assert [True] == [one.is_question for one in found(text)]


def test_names_in_one_unit_or_in_one_list_are_several_files():
    together = (
        "Source: inbox/jay/2026-09-14-cache-tiers-notes.md, later inbox/jay/2026-09-14-1225-cache-tiers-notes.md\n"
    )
    assert [] == found(f"## Increment 1: a\n\n{together}")
    both = "- 2026-09-14-cache-tiers-notes.md\n- 2026-09-14-1225-cache-tiers-notes.md\n"
    assert [] == found(f"## Increment 1: a\n\nx\n\n{CHECKED}inbox/jay:\n\n{both}")


def test_another_agents_file_of_that_name_is_another_file():
    text = (
        "## Increment 1: a\n\nSource: inbox/tom/2026-09-14-cache-tiers-notes.md\n\n"
        f"{CHECKED}inbox/jay:\n\n- 2026-09-14-1225-cache-tiers-notes.md\n"
    )
    assert [] == found(text)


def test_a_folder_whose_notes_are_not_there_proves_nothing():
    text = "## Increment 1: a\n\nSource: inbox/jay/2026-09-14-cache-tiers-notes.md\n"
    assert [] == found(text, "inbox/tom/2026-09-14-1225-other-notes.md")


def test_what_stands_for_a_name_may_leave_things_out():
    text = "## 增量 1：甲\n\n来源：jay 9-14 cache-tiers-notes 条目 2\n"
    assert [] == found(text, "inbox/jay/2026-09-14-1225-cache-tiers-notes.md")


def test_the_key_is_the_same_wherever_the_names_stand():
    first = "## Increment 1: a\n\nSource: inbox/jay/2026-09-14-cache-tiers-notes.md\n"
    paths = ("inbox/jay/2026-09-14-1225-cache-tiers-notes.md",)
    (one,), (other,) = found(first, *paths), found(f"# Brief\n\nmore\n\n{first}", *paths)
    assert one.key == other.key


def test_turned_digits_of_a_time_name_the_only_note_that_can_be_meant_whatever_the_slug():
    (dispute,) = found("- 来源：inbox/jay/2026-09-14-0953-gateway.md 增量 1\n", "inbox/jay/2026-09-14-0935-filter.md")
    assert ("inbox/jay/2026-09-14-0935-filter.md", False) == (dispute.about, dispute.is_question)


def test_another_time_of_another_slug_is_another_file():
    assert [] == found("- 来源：inbox/jay/2026-09-14-0812-gateway.md 增量 1\n", "inbox/jay/2026-09-14-0935-filter.md")

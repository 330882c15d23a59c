"""Running text files something under a section where a verb of filing stands right before the place."""

import pytest

from agent.reading.filing import filed_under


@pytest.mark.parametrize(
    ("document", "section", "text"),
    [
        ("inference.md", "§3.3", "goes to inference.md §3.3"),
        ("inference.md", "§3.3", "This belongs in inference.md §3.3."),
        ("inference.md", "§3.3", "The table fits best under inference.md §3.3, I think."),
        ("inference.md", "section 3.3", "Put it under the living document inference.md section 3.3."),
        ("inference.md", "§3.3", "延迟降到 0.8 s，归 inference.md §3.3。"),
        ("serving.md", "7.3", "吞吐 12 tok/s，归 serving.md 7.3"),
        ("inference.md", "§3.3", "建议补到活文档 inference.md §3.3（补充）"),
        ("inference.md", "§3.3", "已写进 inference §3.3"),
    ],
)
def test_a_verb_right_before_a_place_files_it_there(document, section, text):
    (found,) = filed_under(text, topics=["inference", "serving"])

    assert (document, section) == (found.document, found.section)


@pytest.mark.parametrize(
    "text",
    [
        "见 inference.md §3.3。",
        "See inference.md §3.3 for details.",
        "They add noise to the input; inference.md §3.3 covers it.",
        "写入内存后延迟下降，inference.md §3.3 也这样说。",
        "The request goes to the scheduler of §3.3.",  # of no document
        "It goes to inference.md.",  # no section
        "它归 3 个人管。",
        "inference.md §3.3 goes first.",
        "",
    ],
)
def test_a_place_that_is_only_referred_to_is_none(text):
    assert () == filed_under(text, topics=["inference", "serving"])


def test_offsets_are_those_of_the_text():
    text = "第一段。\n第二段，归 inference.md §3.3，另一句。它 goes to serving.md §2.1."

    found = filed_under(text, topics=["inference"])

    assert ["inference.md §3.3", "serving.md §2.1"] == [text[one.start : one.end].partition("，")[0] for one in found]


def test_several_places_behind_one_verb_are_several_and_the_same_place_is_one():
    text = "It goes to inference.md §3.3 and serving.md §2.1. Again: it goes to inference.md §3.3."

    assert [("inference.md", "§3.3"), ("serving.md", "§2.1")] == [
        (one.document, one.section) for one in filed_under(text)
    ]


def test_what_is_to_be_done_there_is_read_too():
    (found,) = filed_under("Put it under inference.md §3.3 as a new subsection.")

    assert "new_subsection" == found.action

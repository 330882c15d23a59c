"""The questions about a note's text: closed to what was shown, asked in parts where it was too much, checked for figures."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from agent.asking.model import Request
from agent.asking.prompts import canaries, load_prompt
from agent.asking.testing import Scripted, ScriptedModel
from agent.errors import DeadlinePassed, ModelUnavailable, PromptTooLong, ReplyInvalid, ReplyTruncated
from agent.extracting.ask import ask_boundaries, ask_fields, windows
from agent.extracting.ledger import Ledger
from agent.reading.units import split_units
from agent.replies import Boundary, ExtractReply
from agent.texts import Unit
from tests.noting import scripted

UNITS = tuple(split_units("- 首 token 延迟 2.4 s 降到 0.8 s\n- 命中率低于 30% 时没有收益\n- 代码已公开\n- 还在评审\n"))
PASSAGES = tuple((unit,) for unit in UNITS)
ENGLISH = tuple(split_units("- The cache cuts the first token from 2.4 s to 0.8 s.\n"))
FIELDS = {
    "summary": "首 token 延迟下降。",
    "points": [1],
    "source_kind": "paper",
    "measured_by": "author",
    "conditions_given": "partly",
    "primary_source": True,
    "commercial_interest": False,
    "reproducible": False,
    "reason": "作者自测。",
}
FOREIGN = {**FIELDS, "summary": "首 token 快了 97 倍。"}
TOO_MUCH = PromptTooLong("The prompt does not fit.")
HEADINGS = {1: "缓存", 2: "缓存", 3: "代码"}


def _fields(
    *replies: Scripted, units: tuple[Unit, ...] = UNITS
) -> tuple[Callable[[], ExtractReply], ScriptedModel, Ledger]:
    model = scripted({"extract_increment": list(replies)})
    ledger = Ledger(model)
    return lambda: ask_fields(ledger, title="缓存分层", units=units, language="zh"), model, ledger


def _boundaries(
    *replies: Scripted, passages: tuple[tuple[Unit, ...], ...] = PASSAGES
) -> tuple[Callable[[], tuple[Boundary, ...]], ScriptedModel, Ledger]:
    model = scripted({"find_increments": list(replies)})
    ledger = Ledger(model)
    return lambda: ask_boundaries(ledger, passages, headings=HEADINGS, language="en"), model, ledger


def _found(*findings: tuple[int, int, str]) -> dict[str, Any]:
    return {"findings": [{"first": first, "last": last, "title": title} for first, last, title in findings]}


def _shown(request: Request) -> str:
    return request.messages[-1].content


def _numbers(request: Request) -> list[int]:
    """Return the numbers of the units that a question shows."""
    return [int(number) for number in re.findall(r"^\[(\d+)\]", _shown(request), re.MULTILINE)]


# The fields of one finding.


def test_units_are_numbered_and_only_their_numbers_can_be_cited():
    ask, model, _ = _fields(FIELDS)

    reply = ask()

    (request,) = model.requests
    points = request.reply.model_json_schema()["properties"]["points"]["items"]
    assert "[1] - 首 token 延迟 2.4 s 降到 0.8 s\n[2] - 命中率" in _shown(request)
    assert "Finding: 缓存分层" in _shown(request)
    assert [1, 2, 3, 4] == points["enum"]
    assert [1] == reply.points


@pytest.mark.parametrize(
    ("said", "prompt", "language", "units"),
    [
        ("用中文写。", "extract_increment_zh", "zh", UNITS),
        ("用英文写。", "extract_increment_zh", "en", UNITS),
        ("in Chinese.", "extract_increment", "zh", ENGLISH),
        ("in English.", "extract_increment", "en", ENGLISH),
    ],
)
def test_it_is_asked_in_the_language_of_the_note_for_an_answer_in_that_of_the_digest(said, prompt, language, units):
    model = scripted({"extract_increment": FIELDS})

    ask_fields(Ledger(model), title="RingKV", units=units, language=language)

    (request,) = model.requests
    assert prompt == request.prompt.partition("@")[0]
    assert _shown(request).endswith(said)


def test_a_reason_that_is_not_wanted_costs_no_words():
    model = scripted({"extract_increment": {**FIELDS, "reason": ""}})

    reply = ask_fields(Ledger(model), title="RingKV", units=UNITS, language="zh", left_out=["reason"])

    assert "" == reply.reason
    assert "" == model.requests[0].reply.model_json_schema()["properties"]["reason"]["const"]


def test_a_number_that_was_not_shown_is_refused():
    ask, _, _ = _fields({**FIELDS, "points": [9]})

    with pytest.raises(ReplyInvalid):
        ask()


@pytest.mark.parametrize("too_much", [TOO_MUCH, ReplyTruncated("The reply was cut.")])
def test_what_is_too_much_is_asked_again_in_halves(too_much):
    ask, model, _ = _fields(too_much, too_much, FIELDS, {**FIELDS, "points": [2]}, {**FIELDS, "points": [3, 4]})

    assert [1, 2, 3, 4] == ask().points
    assert [[1, 2, 3, 4], [1, 2], [1], [2], [3, 4]] == [_numbers(request) for request in model.requests]


def test_what_is_longer_than_a_window_is_asked_in_parts_and_nothing_is_left_out():
    units = split_units("".join(f"- 第 {n} 条：{'缓存分层' * 60}\n" for n in range(40)))
    model = scripted({"extract_increment": lambda request: {**FIELDS, "points": _numbers(request)[:3]}})

    reply = ask_fields(Ledger(model), title="缓存分层", units=units, language="zh")

    asked = [number for request in model.requests for number in _numbers(request)]
    assert 1 < len(model.requests) < 40
    assert [unit.number for unit in units] == asked
    assert 8 == len(set(reply.points)) == len(reply.points)


def test_the_parts_of_a_finding_give_the_first_summary_and_every_telling_answer():
    mute = {
        **FIELDS,
        "summary": "快了 97 倍，没有根据。",
        "reason": "只测了 55 次。",
        "points": [2],
        "measured_by": "nobody",
    }
    telling = {**FIELDS, "points": [3], "measured_by": "vendor", "commercial_interest": True, "reproducible": True}
    ask, _, ledger = _fields(TOO_MUCH, mute, mute, telling)

    reply = ask()

    assert (FIELDS["summary"], FIELDS["reason"], [2, 3]) == (reply.summary, reply.reason, reply.points)
    assert ("vendor", True, True, True) == (
        reply.measured_by,
        reply.primary_source,
        reply.commercial_interest,
        reply.reproducible,
    )
    assert ["summary", "reason"] == [dropped.partition(":")[0] for dropped in ledger.dropped]


def test_a_part_that_is_lost_loses_the_whole():
    ask, _, _ = _fields(TOO_MUCH, FIELDS, DeadlinePassed("It took too long."))

    with pytest.raises(DeadlinePassed):
        ask()


def test_a_single_unit_is_not_halved():
    ask, model, _ = _fields(TOO_MUCH, units=UNITS[:1])

    with pytest.raises(PromptTooLong):
        ask()

    assert 1 == len(model.requests)


def test_other_lost_calls_are_not_asked_again():
    ask, model, _ = _fields(DeadlinePassed("It took too long."))

    with pytest.raises(DeadlinePassed):
        ask()

    assert 1 == len(model.requests)


def test_a_foreign_figure_is_sent_back_with_the_reason_and_a_better_reply_is_taken():
    ask, model, ledger = _fields(FOREIGN, FIELDS)

    assert FIELDS["summary"] == ask().summary
    _, assistant, user = model.requests[1].messages[-3:]
    assert ("assistant", "user") == (assistant.role, user.role)
    assert "97 倍" in assistant.content
    assert "stands in no unit: 97." in user.content
    assert ([], 2) == (ledger.dropped, ledger.usage.calls)


def test_a_figure_that_stays_foreign_is_dropped_and_listed():
    ask, model, ledger = _fields(FOREIGN, FOREIGN)

    assert "" == ask().summary
    assert 2 == len(model.requests)
    assert ["summary"] == [dropped.partition(":")[0] for dropped in ledger.dropped]


def test_a_lost_second_call_leaves_the_first_reply_without_its_summary():
    ask, _, ledger = _fields(FOREIGN, ReplyInvalid("The reply does not fit."))

    reply = ask()

    assert ("", FIELDS["reason"]) == (reply.summary, reply.reason)
    assert 1 == len(ledger.dropped)


def test_what_ends_the_run_ends_it_in_the_second_call_too():
    ask, _, _ = _fields(FOREIGN, ModelUnavailable("gone"))

    with pytest.raises(ModelUnavailable):
        ask()


def test_a_foreign_figure_in_the_reason_is_dropped_without_asking_again():
    ask, model, ledger = _fields({**FIELDS, "reason": "只测了 55 次。"})

    assert "" == ask().reason
    assert 1 == len(model.requests)
    assert ["reason"] == [dropped.partition(":")[0] for dropped in ledger.dropped]


def test_a_figure_of_the_title_is_no_foreign_one():
    model = scripted({"extract_increment": FOREIGN})

    reply = ask_fields(Ledger(model), title="快了 97 倍", units=UNITS, language="zh")

    assert FOREIGN["summary"] == reply.summary


@pytest.mark.parametrize(
    ("summary", "named"),
    [
        ("首 token 延迟升到 0.8 s。", "首 token 延迟升到 0.8 s"),
        ("首 token 延迟从 0.8 s 降到 2.4 s。", "0.8 → 2.4"),
        ("首 token 延迟降到 0.8 ms。", "0.8 ms"),
        ("Kestrel 的延迟降到 0.8 s。", "Kestrel"),
        (
            f"{load_prompt('extract_increment_zh').canaries[0]}的延迟降到 0.8 s。",
            load_prompt("extract_increment_zh").canaries[0],
        ),
    ],
    ids=["direction", "order", "unit", "name", "canary"],
)
def test_what_is_turned_round_or_copied_from_the_prompt_is_sent_back_then_dropped_and_listed(summary, named):
    ask, model, ledger = _fields(*[{**FIELDS, "summary": summary}] * 2)

    assert "" == ask().summary
    assert named in _shown(model.requests[1])
    assert [True] == [named in dropped for dropped in ledger.dropped]


def test_a_sentence_that_its_limit_cut_off_ends_with_its_last_whole_clause():
    cut_off = f"{'首 token 延迟降到 0.8 s，' * 12}命中率低于 30%"[:200]
    ask, _, _ = _fields({**FIELDS, "summary": cut_off})

    summary = ask().summary

    assert cut_off.startswith(summary)
    assert summary.endswith("降到 0.8 s")


# Boundaries.


def test_passages_are_shown_under_their_headings_with_their_numbers_and_language():
    ask, model, _ = _boundaries(_found((1, 2, "Latency falls")), passages=(UNITS[:2], UNITS[2:3]))

    (found,) = ask()

    (request,) = model.requests
    boundary = request.reply.model_json_schema()["$defs"]["Boundary"]["properties"]
    assert "# 缓存\n[1-2] - 首 token" in _shown(request)
    assert "# 代码\n[3] - 代码已公开" in _shown(request)
    assert _shown(request).endswith("用英文写。")
    assert ([1, 3], [2, 3]) == (boundary["first"]["enum"], boundary["last"]["enum"])
    assert (1, 2) == (found.first, found.last)


def test_boundaries_come_in_order_and_reversed_or_overlapping_ones_are_dropped_and_listed():
    ask, _, ledger = _boundaries(
        _found((3, 3, "third thing"), (1, 2, "first thing"), (2, 2, "overlaps"), (4, 3, "reversed"))
    )

    assert [(1, "first thing"), (3, "third thing")] == [(one.first, one.title) for one in ask()]
    assert ["boundary 2-2: reversed or overlapping", "boundary 4-3: reversed or overlapping"] == ledger.dropped


def test_a_title_that_is_given_twice_or_copied_from_an_example_is_dropped_and_its_boundary_stays():
    copied = f"{max(canaries())} is faster"
    ask, _, ledger = _boundaries(_found((1, 1, "a thing"), (2, 2, "a thing"), (3, 3, copied)))

    assert [(1, "a thing"), (2, ""), (3, "")] == [(one.first, one.title) for one in ask()]
    assert [True, True] == [
        title in dropped for title, dropped in zip(("a thing", copied), ledger.dropped, strict=True)
    ]


def test_too_many_passages_are_asked_in_halves():
    ask, model, _ = _boundaries(TOO_MUCH, _found((1, 1, "first thing")), _found((4, 4, "last thing")))

    assert [1, 4] == [one.first for one in ask()]
    assert [(True, True), (True, False), (False, True)] == [
        ("[1]" in _shown(request), "[4]" in _shown(request)) for request in model.requests
    ]


def test_a_single_passage_is_not_halved():
    ask, _, _ = _boundaries(TOO_MUCH, passages=PASSAGES[:1])

    with pytest.raises(PromptTooLong):
        ask()


# Windows.


def test_windows_leave_nothing_out_and_keep_the_order():
    passages = tuple((unit,) for unit in split_units("".join(f"- 第 {n} 条：{'缓存分层' * 60}\n" for n in range(40))))
    cut = windows(passages)

    assert 1 < len(cut) < 40
    assert passages == tuple(passage for window in cut for passage in window)


def test_a_passage_that_is_too_large_alone_has_a_window_of_its_own():
    small, large = UNITS[:1], split_units(f"- {'缓存分层 ' * 3000}\n")

    assert ((small,), (large,), (small,)) == windows([small, large, small])


def test_nothing_needs_no_window():
    assert () == windows([])

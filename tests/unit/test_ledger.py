"""The ledger keeps the account of one note: replies, what they cost, what was dropped, what failed."""

from dataclasses import replace

import pytest

from agent.asking.budget import charge, charged
from agent.asking.model import Request
from agent.asking.prompts import Message, canaries
from agent.asking.testing import ScriptedModel
from agent.errors import ModelUnavailable, ReplyInvalid, ReplyTruncated
from agent.extracting.ledger import Ledger
from agent.records import SegmentFailure, Usage
from agent.replies import FindReply, PlaceReply
from tests.noting import segment_of
from tests.shelving import FIELDS, ShelveReply

PLACED = {"section": "none", "line": "none", "relation": "new", "action": "append"}
REQUEST = Request(
    prompt="place_increment@7", messages=(Message("user", "where?"),), reply=PlaceReply, max_tokens=60, temperature=0.0
)


def test_a_reply_is_returned_and_its_cost_and_prompt_are_kept():
    ledger = Ledger(ScriptedModel({"place_increment": PLACED}, usage=Usage(calls=1, prompt_tokens=100)))

    replies = [ledger.ask(REQUEST, PlaceReply), ledger.ask(REQUEST, PlaceReply)]

    assert ["none", "none"] == [reply.section for reply in replies]
    assert Usage(calls=2, prompt_tokens=200) == ledger.usage
    assert {"place_increment": "7"} == ledger.prompts


def test_a_failed_call_goes_on_to_the_caller_and_costs_no_reply():
    ledger = Ledger(ScriptedModel({"place_increment": ReplyTruncated("The reply was cut.")}))

    with pytest.raises(ReplyTruncated):
        ledger.ask(REQUEST, PlaceReply)

    assert (Usage(), {}) == (ledger.usage, ledger.prompts)


def test_a_reply_of_another_class_is_invalid_but_paid():
    ledger = Ledger(ScriptedModel({"place_increment": PLACED}))

    with pytest.raises(ReplyInvalid, match="PlaceReply instead of FindReply"):
        ledger.ask(REQUEST, FindReply)

    assert 1 == ledger.usage.calls


def test_without_a_model_nothing_may_be_asked():
    with pytest.raises(AssertionError, match="none asks nothing"):
        Ledger(None).ask(REQUEST, PlaceReply)


def test_a_text_whose_figures_stand_in_the_note_is_supported():
    ledger = Ledger(None)

    assert "降到 0.8 s" == ledger.supported("降到 0.8 s", by="从 2.4 s 降到 0.8 s", what="summary")
    assert "没有数字" == ledger.supported("没有数字", by="", what="summary")
    assert [] == ledger.dropped


def test_a_text_with_a_foreign_figure_is_dropped_and_listed_with_the_figure():
    ledger = Ledger(None)

    assert "" == ledger.supported("快了 97 倍，到 0.8 s", by="降到 0.8 s", what="summary")
    (dropped,) = ledger.dropped
    assert dropped.startswith("summary: '快了 97 倍")
    assert dropped.endswith("(97)")


def test_a_text_with_a_name_from_an_example_is_dropped_and_listed_unless_the_note_has_it():
    ledger = Ledger(None)
    name = max(canaries())

    assert "" == ledger.supported(f"{name}更快", by="更快", what="reason")
    assert [f"reason: '{name}更快' ({name})"] == ledger.dropped
    assert f"{name}更快" == ledger.supported(f"{name}更快", by=f"{name}更快", what="reason")


def test_a_failure_names_the_place_and_the_reason():
    text = "# 简报\n\n## 增量 1：缓存分层\n\n要点：\n- 吞吐 12 tok/s\n"
    ledger = Ledger(None)

    ledger.fail(segment_of(text), ReplyTruncated("The reply was cut."))

    start = text.index("## ")
    assert [
        SegmentFailure(start=start, end=len(text) - 1, line=3, reason="truncated", detail="The reply was cut.")
    ] == ledger.failures


def test_an_error_that_ends_the_note_carries_what_its_calls_have_cost():
    spent = Usage(calls=1, prompt_tokens=100)
    gone = charge(ModelUnavailable("gone"), Usage(calls=1, prompt_tokens=7))
    request = replace(REQUEST, reply=ShelveReply)
    ledger = Ledger(ScriptedModel({"place_increment": [FIELDS, gone]}, usage=spent))
    ledger.ask(request, ShelveReply)

    with pytest.raises(ModelUnavailable) as caught:
        ledger.ask(request, ShelveReply)

    assert Usage(calls=2, prompt_tokens=107) == charged(caught.value) == ledger.usage

"""Where nothing bounds an increment a model marks passages, and code cuts the segments out of them."""

from typing import Any

from agent.asking.model import Request
from agent.asking.testing import ScriptedModel
from agent.errors import ReplyInvalid
from agent.extracting.ledger import Ledger
from agent.extracting.propose import propose, reporting
from agent.texts import Segment
from tests.noting import scripted, segments_of

TEXT = "# 随笔\n\n大家好。\n\n延迟降到 300 ms。\n\n## 吞吐\n\n吞吐升到 12 tok/s。\n\n没有别的。\n\n## 待核实\n\n显存 24 GB？\n"


def _texts(text: str, **more: Any) -> list[str]:
    return ["".join(unit.text for unit in passage) for passage in reporting(segments_of(text), **more)]


def _marked(request: Request) -> dict[str, Any]:
    """Mark every passage that is offered."""
    boundary = request.reply.model_json_schema()["$defs"]["Boundary"]["properties"]
    places = [part.get("enum") or [part["const"]] for part in (boundary["first"], boundary["last"])]
    return {
        "findings": [
            {"first": first, "last": last, "title": f"一条新的发现{'甲乙丙丁'[number]}"}
            for number, (first, last) in enumerate(zip(*places, strict=True))
        ]
    }


def _proposed(model: ScriptedModel, text: str = TEXT) -> tuple[list[Segment], Ledger]:
    segments, ledger = segments_of(text), Ledger(model)
    return propose(segments, reporting(segments), ledger=ledger, language="zh"), ledger


def test_only_passages_that_report_something_are_shown_and_none_that_is_a_finding_already():
    first = next(unit for segment in segments_of(TEXT) for unit in segment.units if "300 ms" in unit.text)

    assert ["延迟降到 300 ms。", "吞吐升到 12 tok/s。"] == _texts(TEXT)
    assert ["吞吐升到 12 tok/s。"] == _texts(TEXT, without={first.number})


def test_what_a_model_marks_becomes_a_segment_under_its_heading_with_the_notes_own_title_where_it_is_all_there():
    found, ledger = _proposed(scripted({"find_increments": _marked}))

    assert [("延迟降到 300 ms。",), ("吞吐升到 12 tok/s。",)] == [
        tuple(unit.text for unit in one.units) for one in found
    ]
    assert [("一条新的发现甲", "increment"), ("吞吐", "increment")] == [(one.title, one.role) for one in found]
    assert [] == ledger.failures


def test_a_lost_call_is_noted_with_the_passages_it_was_about():
    found, ledger = _proposed(scripted({"find_increments": ReplyInvalid("It does not fit.")}))

    (failure,) = ledger.failures
    assert [] == found
    assert ("invalid", TEXT.index("延迟"), 5) == (failure.reason, failure.start, failure.line)

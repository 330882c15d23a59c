"""Versions, devices and models that stand in the place of those of the source."""

import pytest

from tests.briefs import BRIEF, Desk, told

DESK = Desk()
JAY = "inbox/jay/2026-09-13-1620-jay-engineering-filter.md"
READING = "inbox/flyp/2026-09-14-0950-adaptive-draft-critical-read.md"


@pytest.mark.parametrize(
    ("source", "said", "expected"),
    [
        (JAY, "vLLM v0.35.0 允许给每个租户的前缀缓存设上限。", [("false", "other-name", "vLLM v0.35.0")]),
        (JAY, "vLLM v0.31.0 lets each tenant's prefix cache have a limit of its own.", []),
        (JAY, "SGLang v0.6.2 在 8×H200 上的解码吞吐是 4,120 tok/s。", [("false", "other-name", "8×H200")]),
        (JAY, "vLLM v0.32.0 已出，不在这份笔记里。", []),
        (JAY, "Foxglove v3.1.4 is out.", []),
        (READING, "Qwen3-14B on a single A100 at batch 1 is what they ran.", [("false", "other-name", "Qwen3-14B")]),
        (READING, "Is it Qwen3-14B on one A100 at batch 1, with 41.5 to 58.1 tok/s?", []),
        ("a mailing list", "vLLM v0.35.0 允许给每个租户的前缀缓存设上限。", []),
    ],
)  # fmt: skip
def test_another_one_in_the_place_of_that_of_the_source_is_false(source, said, expected):
    assert expected == [one[1:] for one in told(DESK, source, said) if one[2] == "other-name"]


def test_both_sides_are_shown():
    audited = DESK.audit(BRIEF.format(source=JAY, said="SGLang v0.6.2 在 8×H200 上的解码吞吐是 4,120 tok/s。"))

    (one,) = [one for one in audited.findings if one.found_by == "other-name"]
    assert "The source has 8×H100, not 8×H200." == one.because
    assert all("8×H100" in place.quote for place in one.found)

"""What is told as one agent's and stands in another's note."""

import pytest

from tests.briefs import Desk, told

DESK = Desk()
JAY = "inbox/jay/2026-09-13-1620-jay-engineering-filter.md"
TOM = "inbox/tom/2026-09-14-0840-paper-radar.md"
ESSAY = "inbox/flyp/2026-09-13-2140-agent-memory-essay.md"


@pytest.mark.parametrize(
    ("source", "said", "expected"),
    [
        (ESSAY, "flyp read arXiv:2608.91320.", []),
        (ESSAY, "jay read arXiv:2608.91320.", [("source", "false", "other-agent", "jay · 2608.91320")]),
        (ESSAY, "jay 的笔记收了 arXiv:2608.91320。", [("source", "false", "other-agent", "jay · 2608.91320")]),
        (ESSAY, "jay read nothing; flyp found arXiv:2608.91320.", []),
        (ESSAY, "It is wrong that jay read arXiv:2608.91320.", []),
        (JAY, "jay measured 4,120 tok/s with SGLang v0.6.2.", []),
        (JAY, "flyp measured 4,120 tok/s with SGLang v0.6.2.", [("source", "false", "other-agent", "flyp · 4,120 tok/s")]),
        (JAY, "jay gives SGLang v0.6.2 on 8×H100 3 stars.", []),
        (JAY, "jay rates it 1 star: vLLM v0.31.0, prefix cache.", [("statement", "false", "other-rating", "rates it 1 star")]),
        (TOM, "tom 给 PageKeep 打了 5 星，arXiv:2608.90417。", [("statement", "false", "other-rating", "给 PageKeep 打了 5 星")]),
        (TOM, "PageKeep 可信度 5 星。", []),
    ],
)  # fmt: skip
def test_an_agent_is_credited_with_what_stands_in_its_notes(source, said, expected):
    rules = {"other-agent", "other-rating"}

    assert expected == [one for one in told(DESK, source, said) if one[2] in rules]

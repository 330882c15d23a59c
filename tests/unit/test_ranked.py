"""Figures that were taken under conditions of their own are asked about where a text ranks by them."""

import pytest

from agent.checking.dispute import Dispute, Hand
from agent.checking.ranked import disputes
from tests.noting import a_note, segments_of

TABLE = "| rank | model | first token | measured with |\n|---|---|---|---|\n| 1 | Grebe-Mini | 180 ms | 256-token prompt |\n| 2 | Plover-Fast | 430 ms | 8,000-token prompt |\n"
ALIKE = TABLE.replace("8,000", "256")


def asked(text: str) -> list[Dispute]:
    return list(disputes(Hand(note=a_note(text), segments=segments_of(text))))


@pytest.mark.parametrize(
    ("text", "concluding"),
    [
        (
            "- Grebe 3,100 tok/s（H100，批量 64）；Plover 1,240 tok/s（A100，批量 16）\n- 据此排名：Grebe 第一\n",
            "据此排名",
        ),
        (
            "- Grebe 每月 4.0 美元（三副本）\n- Plover 每月 1.5 美元（单副本）\n- 结论：Plover 便宜六成多\n",
            "便宜六成多",
        ),
        ("- Grebe-8B 29.0 (pass@1), Plover-8B 37.5 (best of 8)\n- so Plover-8B is the best\n", "is the best"),
        ("- 新引擎 412 token/s（H100），旧引擎 158 token/s（A100）\n- 换引擎后提速 2.6 倍\n", "提速 2.6 倍"),
        (f"Ranking of this week\n\n{TABLE}", "Ranking of this week"),
    ],
)
def test_a_ranking_across_conditions_is_asked_about(text, concluding):
    (dispute,) = asked(text)
    assert dispute.is_question
    assert ("ranked-across", "conditions") == (dispute.rule, dispute.kind)
    assert any(concluding in side.evidence.quote for side in dispute.sides)


@pytest.mark.parametrize(
    "text",
    [
        "- Grebe 3,100 tok/s（H100，批量 64）；Plover 1,240 tok/s（H100，批量 64）\n- 据此排名：Grebe 第一\n",
        "- Grebe 3,100 tok/s（H100，批量 64）；Plover 1,240 tok/s（A100，批量 16）\n- 都在九月测得\n",
        "- Grebe 3,100 tok/s（批量 64）；Grebe 240 tok/s（批量 1）\n- 批量大时 Grebe 更快\n",
        "- Grebe 3,100 tok/s（H100）；Plover 1,240 tok/s（A100）\n- Grebe 第一，但硬件不同，不能直接比\n",
        "- Grebe-8B 29.0 (page 3), Plover-8B 37.5 (page 4)\n- Plover-8B is the best\n",
        f"Ranking of this week\n\n{ALIKE}",
    ],
)
def test_one_condition_no_conclusion_one_thing_or_a_caution_leave_nothing_to_ask(text):
    assert [] == asked(text)


def test_a_living_document_is_not_asked():
    text = f"Ranking of this week\n\n{TABLE}"
    assert [] == list(disputes(Hand(note=a_note(text), segments=segments_of(text), is_document=True)))

"""Findings of two notes that tell one thing, and one thing of it otherwise."""

from itertools import permutations

import pytest

from agent.checking.dispute import Dispute
from agent.reconciling.retold import disputes_retold, is_explained
from agent.records import Engine, Extraction, Increment
from tests.findings import JAY, PAPER, TOM, finding
from tests.noting import DAY

ENGINE: Engine = "none"


def extraction(increment: Increment) -> Extraction:
    note = increment.notes[0]
    return Extraction(
        note=note, agent=note.split("/")[1], date=DAY, sha256="0" * 64, engine=ENGINE, increments=(increment,)
    )


def retold(one: str, other: str, *, ids: tuple[str, ...] = ()) -> list[Dispute]:
    findings = [finding(one, one, note=TOM, ids=ids), finding(other, other, note=JAY, ids=ids)]
    orders = [list(disputes_retold([extraction(each) for each in order])) for order in permutations(findings)]
    assert [each.key for each in orders[0]] == [each.key for each in orders[1]]
    return orders[0]


@pytest.mark.parametrize(
    ("one", "other", "rule"),
    [
        ("Grebe 2.4 on two H100 with Osprey-8B: TTFT 300 ms", "Grebe 2.4 has a TTFT of 390 ms; two H100, Osprey-8B", "value"),
        ("云杉引擎 1.4：缓存命中率 62%，H100，批大小 8", "云杉引擎 1.4 在 H100、批大小 8 时缓存命中率 26%", "value"),
        ("A Grebe 2.4 node holds 128 idle sessions", "Grebe 2.4 holds 182 idle sessions on a node", "value"),
        ("The Grebe backup of 40 GB on L4 takes 15 minutes", "Grebe: on L4 the backup of 40 GB takes 15 hours", "unit"),
        ("Grebe leaks memory on cancelled streams, fixed in 3.1.2", "Grebe: memory leak on cancelled streams is fixed in 3.1.4", "which-version"),
        ("云杉数据库 3.2 维护到 2027-06-30 为止", "云杉数据库 3.2 停止维护的日子：2026-12-31", "value"),
        ("Grebe 0.9 is licensed under Apache-2.0, says the file", "Grebe 0.9: the file says that its licence is AGPL-3.0", "value"),
        ("云杉托管微调：每百万 token 0.7 美元", "云杉托管微调每千 token 0.7 美元", "unit"),
        ("云杉引擎 1.4 基准页：8×L40S，批大小 8，单卡 1,450 token/s", "云杉引擎 1.4 基准页：8×L40S，批大小 8，整机 1,450 token/s", "unit"),
        ("Grebe 完成 B 轮融资，3,500 万美元，9 月 3 日交割，领投 Plover 和 Lorikeet", "Grebe: 53 million dollars in its series B, closed 3 September, led by Plover and Lorikeet", "value"),
        ("《短尾》在 LoftQA-zh 上 nDCG@10 为 61.7，候选 100 条，批大小 8", "按《短尾》的模型卡，LoftQA-zh 上 nDCG@10 达到 67.1，候选 100 条，显存 9 GB", "value"),
        ("Osprey-8B: the licence of the model is MIT", "Osprey-8B, research only: the file says CC BY-NC 4.0 is its licence", "value"),
    ],
)  # fmt: skip
def test_one_thing_told_otherwise_is_disputed(one, other, rule):
    assert [rule] == [each.rule for each in retold(one, other)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Grebe 2.4 on H100 with Osprey-8B: TTFT 300 ms", "Grebe 2.4 on H100 with Osprey-8B: restart takes 900 ms"),
        ("Grebe 2.4 on H100 with Osprey-8B: TTFT 300 ms", "Grebe 2.4 on A100 with Osprey-8B: TTFT 390 ms"),
        ("云杉引擎 1.4 修复了调度器死锁", "云杉引擎 1.5 修复了缓存泄漏"),
        ("云杉托管：输入每百万 token 3 元", "云杉托管：输出每百万 token 12 元"),
        ("Grebe adds 300 legal questions", "Grebe adds 120 medical questions"),
        ("Grebe at 02:00: TTFT 300 ms with Osprey-8B on L4", "Grebe at 14:00: TTFT 900 ms with Osprey-8B on L4"),
        ("Grebe 2.4 on L4: batch 8, 512 tokens/s", "Grebe 2.4 on L4: batch 64, 2,410 tokens/s"),
        ("Grebe 2.4 on L4: the index is built in 5 min 20 s", "Grebe 2.4 on L4: the index is built in 5 seconds"),
        ("Osprey-8B: the licence of the weights is CC BY-NC 4.0", "Osprey-8B: the licence of its code is MIT"),
    ],
)
def test_two_attributes_versions_or_conditions_are_no_dispute(one, other):
    assert [] == [each.rule for each in retold(one, other) if not each.is_question]


def test_conditions_that_one_side_leaves_out_make_a_question():
    (dispute,) = retold(
        "Grebe 2.4 throughput: 4 cards, concurrency 32, 1,520 tokens/s",
        "Somebody says that the throughput of Grebe 2.4 is 2,600 tokens/s; the cards are not given",
    )
    assert ("value-conditions", True) == (dispute.rule, dispute.is_question)


def test_a_name_that_stands_out_in_one_text_binds_another_that_only_mentions_it():
    (dispute,) = retold(
        "“青鹭”检索器：召回率 92.4%，段落级，前 20 条",
        "走访记录：青鹭的宣传册写着召回率 71%，没有注明取前几条",
    )
    assert ("value-conditions", True) == (dispute.rule, dispute.is_question)


def test_other_sizes_of_a_model_are_no_question():
    assert [] == retold(
        "云杉引擎跑 70B：每秒 2,850 token，H100，批大小 8", "朋友用云杉跑 8B，每秒 1,900 token，没说用什么卡"
    )


def test_a_critic_who_does_not_believe_a_figure_disputes_it_with_his_own():
    (dispute,) = retold(
        "云杉缓存：公开回放集上延迟下降 60%（A10 单卡，官方博客）",
        "官方博客说云杉缓存让延迟下降 60%，评测人不信：同样是公开回放集、A10 单卡，他重跑三遍，延迟只降 14%",
    )
    assert "value" == dispute.rule


def test_a_critic_with_a_figure_of_his_own_disputes_the_one_that_he_rejects():
    (dispute,) = retold(
        "Osprey-8B on LoftQA: 55.1 with 2K tokens, 63.4 with 16K",
        "The paper says 55.1 with 2K and 63.4 with 16K tokens for Osprey-8B on LoftQA. I do not accept that: I get 55.7 on rerunning",
        ids=(PAPER,),
    )
    assert "value" == dispute.rule
    assert {TOM, JAY} == {side.evidence.note for side in dispute.sides}


def test_findings_of_one_note_are_not_held_against_each_other():
    text = "A Grebe 2.4 node holds 128 idle sessions"
    other = text.replace("128", "182")
    one = extraction(finding(text, text, note=TOM)).model_copy(
        update={"increments": (finding(text, text, note=TOM), finding(other, other, note=TOM, start=5000))}
    )
    assert [] == list(disputes_retold([one]))


def test_what_other_conditions_explain_is_no_dispute_of_a_tie():
    one, other = "Grebe on H100: 300 ms", "Grebe on A100: 390 ms"
    assert is_explained(finding(one, one, note=TOM), finding(other, other, note=JAY))
    assert not is_explained(
        finding(one, one, note=TOM), finding(one.replace("300", "390"), one.replace("300", "390"), note=JAY)
    )

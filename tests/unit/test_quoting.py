"""A quotation is exact, folded or elided only where the text bears it out; altered, it is never support."""

import time

import pytest

from agent.auditing.quoting import Held, judge

TEXT = """要点：
- 做法：显存放不下的前缀 KV 写进主机内存，命中后按层取回，取回与计算重叠
- 实测：单卡 H100、Llama-3.1-8B、32K 输入，TTFT 2.4 s → 0.8 s（3.0×）
- 前提：前缀命中率不低于 70%；命中率低于 30% 时反而慢 5%

The **gain** shrinks to 5%, which the abstract
leaves out. Copying is not permitted here; it is, of course, common.

吞吐提升了3倍，无缓存，见 arXiv:2407.08608；vLLM v0.31.0 起支持，另有 C++ (fast) 版本。
"""


@pytest.mark.parametrize(
    ("status", "quote"),
    [
        ("exact", "前缀命中率不低于 70%"),
        ("exact", "吞吐提升了3倍"),
        ("exact", "C++ (fast)"),
        ("exact", "The **gain** shrinks to 5%"),
        ("exact", "前缀命中率不低于 70%。"),
        ("folded", "The gain shrinks to 5%"),
        ("folded", "the gain shrinks to 5%"),
        ("folded", "which the abstract leaves out"),
        ("folded", "单卡Ｈ１００、Llama-3.1-8B，32K输入"),
        ("folded", "吞吐提升了３倍"),
        ("folded", "TTFT 2.4s->0.8s (3.0x)"),
        ("folded", "命中后按层取回；取回与计算重叠"),
        ("elided", "前缀 KV 写进主机内存…取回与计算重叠"),
        ("elided", "前缀 KV 写进主机内存 [...] 重叠"),
        ("elided", "The gain ... leaves out"),
        ("elided", "前缀命中率不低于 70%…"),
        ("altered", "吞吐提升了8倍"),
        ("altered", "有缓存"),
        ("altered", "见 arXiv:2407.08609"),
        ("altered", "vLLM v0.32.0 起支持"),
        ("altered", "SGLang v0.31.0 起支持"),
        ("altered", "前缀命中率低于 70%"),
        ("altered", "低于 70%；命中率低于 30%"),
        ("altered", "命中率低于 30% 时反而快 5%"),
        ("altered", "TTFT 2.4 ms → 0.8 s（3.0×）"),
        ("altered", "TTFT 2.4 s → 0.8 s（8.0×）"),
        ("altered", "The gain shrinks to 5"),
        ("altered", "The gain grows to 5%, which the abstract leaves out"),
        ("altered", "Copying is ... permitted here"),
        ("altered", "permitted here"),
        ("altered", "前缀命中率…低于 70%"),
        ("absent", "取回与计算重叠…前缀 KV 写进主机内存"),
        ("absent", "something else entirely, said by nobody"),
        ("absent", "写进显存，命中后按层取回"),
        ("absent", ""),
        ("absent", "…"),
        ("absent", "，。！"),
    ],
)
def test_a_quotation_is_judged(status, quote):
    assert status == judge(quote, TEXT).status


@pytest.mark.parametrize(
    ("quote", "turn", "quoted", "stands"),
    [
        ("吞吐提升了8倍", "figure", "8", "3"),
        ("前缀命中率低于 70%", "negation", "", "不"),
        ("见 arXiv:2407.08609", "identifier", "2407.08609", "2407.08608"),
        ("TTFT 2.4 ms → 0.8 s（3.0×）", "unit", "ms", "s"),
        ("The gain grows to 5%, which the abstract leaves out", "comparison", "grows", "shrinks"),
    ],
)
def test_what_was_altered_is_told(quote, turn, quoted, stands):
    difference = judge(quote, TEXT).difference

    assert difference is not None
    assert (turn, quoted, stands) == (difference.turn, difference.quoted, difference.stands)


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("the gain shrinks to 5%", "The **gain** shrinks to 5%"),
        ("the abstract leaves out", "the abstract\nleaves out"),
        ("前缀 KV 写进主机内存…取回与计算重叠", "前缀 KV 写进主机内存，命中后按层取回，取回与计算重叠"),
        ("吞吐提升了8倍", "吞吐提升了3倍"),
    ],
)
def test_the_place_is_in_the_text_as_given(quote, stands):
    judged = judge(quote, TEXT)

    assert stands == TEXT[judged.start : judged.end]


def test_an_uncut_place_is_preferred_to_a_cut_one():
    assert "exact" == judge("低于 30%", "不低于 30%；低于 30%").status


def test_what_an_ellipsis_leaves_out_may_not_be_long():
    assert "absent" == judge("one two … nine ten", f"one two {'word ' * 200}nine ten").status


def test_a_text_of_a_megabyte_and_200_quotations_take_seconds():
    text = "".join(
        f"第 {number} 条：吞吐提升到 {number * 7} tok/s，延迟降到 {number} ms。\n" for number in range(23_000)
    )
    held = Held(text)
    began = time.process_time()

    judged = [held.judge(text[at : at + 60].replace("升", "高")) for at in range(0, 200 * 4_500, 4_500)]

    assert 1_000_000 > len(text) > 900_000
    assert 200 == len(judged)
    assert 5 > time.process_time() - began

"""A sentence must not turn round what it rests on: the unit of a figure, its direction, the order of two, a name."""

import pytest

from agent.extracting.wording import turned_round

# Units.


@pytest.mark.parametrize(
    ("named", "text", "by"),
    [
        ("800 tokens/s", "It makes 800 tokens/s.", "It makes 800 tokens."),
        ("800 tokens", "一次给出 800 tokens。", "每秒给出 800 tokens/s。"),
        ("30 s", "延迟降到 30 s。", "延迟降到 30 ms。"),
        ("30 秒", "延迟降到 30 秒。", "Latency falls to 30 ms."),
        ("24 GB", "带宽 24 GB。", "带宽 24 GB/s。"),
        ("3 pp", "召回高出 3 pp。", "召回高出 3%。"),
        ("3%", "Recall is 3% better.", "召回高出 3 个百分点。"),
        ("2.4×", "The first token takes 2.4×.", "The first token takes 2.4 s."),
        ("5 min", "It runs for 5 min.", "它跑了 5 小时。"),
    ],
)
def test_a_figure_with_another_unit_is_named(named, text, by):
    assert (named,) == turned_round(text, by=by)


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("It makes 800 tok/s.", "每秒 800 tokens/s。"),
        ("2.4 倍", "2.4 times"),
        ("30 毫秒", "30 ms"),
        ("5 minutes", "5 分钟"),
        ("30 QPS", "30 requests/s"),
        ("读了 3 篇", "It reads 3 papers."),  # counted things are translated freely
        ("across 8 accelerators", "8 张卡"),
        ("latency of 30 ms", "延迟 30"),  # the unit stands elsewhere, in a table's head
        ("30 ms", "吞吐 12 tok/s"),  # no such figure at all: that is for others to say
        ("30 ms and 40 ms", "30 ms, 40 ms; 30 s"),
    ],
)
def test_a_unit_that_is_the_same_or_is_not_known_is_not(text, by):
    assert () == turned_round(text, by=by)


# Directions.


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("延迟升到 212 ms", "延迟降到 212 ms"),
        ("Latency rises to 212 ms", "Latency falls to 212 ms"),
        ("Latency rises to 212 ms", "延迟降到 212 ms"),
        ("吞吐下降 30%", "Throughput grows by 30%"),
        ("Throughput drops by 1,607 tok/s", "Throughput rose by 1,607 tok/s"),
        ("解码慢 3 倍，更慢了 3 倍", "解码更快了 3 倍"),
        ("Decoding is 3 times slower", "Decoding is 3 times faster"),
        ("It is 3 times faster", "拖慢了 3 times"),
    ],
)
def test_what_goes_up_here_and_down_there_is_named_by_its_clause(text, by):
    (named, *_) = turned_round(text, by=by)

    assert named in text


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("Latency drops to 212 ms", "延迟降到 212 ms"),
        ("延迟提升 30%", "延迟降低 30%"),  # better, not more
        ("Latency improves by 30%", "延迟降低 30%"),
        ("Throughput rises by 30%", "Throughput changes by 30%"),
        ("吞吐上升 30%", "吞吐上升 30%，显存下降 30%"),
        ("吞吐上升的同时显存下降 30%", "显存下降 30%"),  # both in one clause
        ("Throughput rose to 1,200", "Throughput of 1,200 was reached; memory fell by 1 GB"),
        ("It is 3 times faster", "延迟降低 3 倍"),
        ("延迟升了", "延迟降了"),  # no figure to tell which
    ],
)
def test_where_the_direction_does_not_show_nothing_is_named(text, by):
    assert () == turned_round(text, by=by)


# Order.


@pytest.mark.parametrize(
    ("named", "text", "by"),
    [
        ("212 → 348", "from 212 to 348 ms", "from 348 ms to 212 ms"),
        ("0.8 → 2.4", "从 0.8 s 变为 2.4 s", "2.4 s → 0.8 s"),
        ("900 → 1200", "900 -> 1,200 tok/s", "1,200 to 900 tok/s"),
    ],
)
def test_two_figures_in_the_other_order_are_named(named, text, by):
    assert named in turned_round(text, by=by)


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("348 ms 降到 212 ms", "from 348 to 212 ms"),
        ("212 到 348", "348 与 212"),
        ("from 1 to 2, then from 2 to 1", "from 2 to 1, then from 1 to 2"),
        ("from 5 to 5", "from 5 to 5"),
    ],
)
def test_the_same_order_or_none_is_not(text, by):
    assert () == turned_round(text, by=by)


# Names.


@pytest.mark.parametrize(
    ("named", "text", "by"),
    [
        ("Kestrel", "Kestrel 的延迟更低。", "延迟更低。"),
        ("Kestrel", "延迟更低的是Kestrel。", "延迟更低。"),
        ("Kestrel", "It is the Kestrel cache that is faster.", "The cache is faster."),
        ("RingKV", "RingKV is faster.", "The cache is faster."),
        ("v0.5.1", "It came with v0.5.1 of the engine.", "It came with v0.4.2 of the engine."),
        ("Ring-7B", "The cache of Ring-7B is faster.", "The cache is faster."),
        ("Kestrel-based", "The Kestrel-based cache is faster.", "The cache is faster."),
        ("CXL", "It uses CXL.", "It uses host memory."),
    ],
)
def test_a_name_that_does_not_stand_there_is_named(named, text, by):
    assert (named,) == turned_round(text, by=by)


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("Caching is cheap. Pages stay: Hosts keep them.", "缓存便宜，页留在主机。"),  # begins a sentence
        ("Hot Pages Stay on the Host", "热页留在主机"),  # a headline
        ("It serves RingKVs and the Kestrel's pages.", "RingKV, Kestrel"),
        ("a ring-KV cache", "RingKV"),
        ("the Ring KV cache", "RingKV"),
        ("the RingKV-based, GPU/CPU cache", "RingKV"),
        ("在 GPU 上用 KV 缓存，TTFT 与 P99 都更低，见 GitHub", "显卡上的键值缓存"),
        ("It came on Tuesday in September.", "九月，周二"),
        ("RELEASE of ringkv", "the release of RingKV"),
        ("It is v0.4.2.", "版本 0.4.2"),
        ("它用 I 表示", "它用一表示"),
    ],
)
def test_what_is_no_name_or_stands_there_in_another_form_is_not(text, by):
    assert () == turned_round(text, by=by)

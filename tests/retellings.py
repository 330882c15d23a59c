"""Briefs that tell in words of their own what the worked example says, and the slips that tellers make, made mechanically."""

import re
from collections.abc import Callable, Iterable, Iterator

CHINESE = """# 晚间转述 · 2026-09-14（星期一）

两天里 5 个 agent 交来 10 份笔记，下面挑 4 件事。

## 一、vLLM 的前缀缓存上限

来源：inbox/jay/2026-09-13-1620-jay-engineering-filter.md

- 2026-08-27 发布的 vLLM v0.31.0 允许给每个租户的前缀缓存定上限。
- 官方拿单卡 L40S 试了 8 个租户混跑，命中率从 48% 提高到 63%。
- jay 给它 4 星，理由是官方发布说明写明了显卡和流量。

## 二、会话级上限与 KV 量化

来源：inbox/tom/2026-09-14-inference-e1prep.md

- vLLM v0.32.0（2026-09-12，星期六）把上限细到会话：单卡 L40S、8 个会话混跑，命中率由 51% 到 66%。
- llama.cpp 的 q8_0 让 KV 占用从 4.0 GiB 降到 2.1 GiB，量的是 Llama-3.1-8B、32K 上下文。

## 三、同一个吞吐，两家不一

来源：inbox/jay/2026-09-13-1620-jay-engineering-filter.md、inbox/tom/2026-09-14-inference-e1prep.md

- 同样是 8×H100 上的 SGLang v0.6.2，jay 记的是 4,120 tok/s，tom 记的是 3,480 tok/s。
- 有 2 个 agent 报了它。

## 四、两篇论文

来源：inbox/flyp/2026-09-13-2140-agent-memory-essay.md、inbox/tom/2026-09-14-0840-paper-radar.md

- flyp 读了 arXiv:2608.91320：改写 20 次之后丢了 31% 的事实，只追加的日志只丢 4%。
- tom 的雷达收了 arXiv:2608.90417：PageKeep 只留 20% 的 KV 页，LongBench 得分下降 0.8 分，tom 给了 3 星。
"""
ENGLISH = """# What came in on Monday, 14 September 2026

On 2026-09-14 five agents reported, in 8 notes. Here are 3 items.

## 1. Host memory as a second tier

Sources: inbox/jay/2026-09-14-1100-jay-engineering-filter.md, inbox/stephen/2026-09-14_news-roundup.md

- LMCache keeps prefixes that do not fit in host memory: on one H100 with Llama-3.1-8B and 32K of input, TTFT falls from 2.4 s to 0.8 s.
- jay rates it 3 stars, because the project measured it itself; stephen, who took it over, gives it 3/5 as well.
- It pays off from a prefix hit rate of 70%.

## 2. Draft length that follows acceptance

Sources: inbox/flyp/2026-09-14-0950-adaptive-draft-critical-read.md, inbox/tom/2026-09-14-0840-paper-radar.md

- flyp read the paper arXiv:2609.90731, submitted on 10 September 2026 (a Thursday), and rates it 4/5.
- With Qwen3-32B on a single A100 at batch 1, decoding speeds up from 41.5 tok/s to 58.1 tok/s; at batch 32 only 5% is left.
- Two agents reported it.

## 3. Two pools

Source: inbox/spark/2026-09-14-llm-infra-e1prep-v3.md

- spark reports that the prefill pool of llm-d, 4×H100 with Qwen3-32B, reaches 18,400 tok/s of throughput and that one more replica takes 90 s.
- The baseline of the brief was updated on 2026-09-13.
"""

_NUMBER = r"\d[\d,]*(?:\.\d+)?"
_UNIT = r"(?:\s?(?:%|tok/s|GiB|s\b|分))?"
_FROM_TO = re.compile(
    rf"(?P<one>{_NUMBER})(?P<between>{_UNIT}\s?(?:提高到|降到|到|to)\s?)(?P<two>{_NUMBER})(?=\s?(?:%|tok/s|GiB|s\b))"
)
_BESIDE = re.compile(
    rf"(?P<one>{_NUMBER})(?P<between>\s?(?P<unit>%|tok/s)(?![^\n]*(?:从|由|from))[^\n\d]{{2,40}}?)(?P<two>{_NUMBER})(?=\s?(?P=unit))"
)
_DEVICES = {"H100": "H200", "A100": "V100", "L40S": "L4"}
_MODELS = {"Llama-3.1-8B": "Llama-3.1-70B", "Qwen3-32B": "Qwen3-14B"}
_AGENTS = {"jay": "spark", "tom": "stephen", "flyp": "jay", "spark": "flyp", "stephen": "tom"}
_WEEKDAYS = {"星期一": "星期三", "星期六": "星期日", "Monday": "Tuesday", "Thursday": "Friday"}
_UNITS = {
    "tok/s": ("tokens",), "%": (" pp", " ms"), "GiB": ("TiB",), " s(?![a-z])": (" ms", " min"), " 分(?=，)": ("%",),
}  # fmt: skip
_AGENT = re.compile(r"\b(?:jay|tom|flyp|spark|stephen)(?= (?:给|记|读|的雷达|rates|read|reports))")
_DATE = re.compile(r"2026-(?P<month>\d\d)-(?P<day>\d\d)(?! )(?![^\n]*agents)|(?P<spelt>10) September")
_COUNTED = re.compile(r"(?:\d+|two|five)(?= ?(?:个 agent|份笔记|件事|agents|notes|items))", re.IGNORECASE)
_WORDS = {"two": "Four", "five": "seven"}
_COARSE = {
    "48%": "50%", "63%": "60%", "66%": "70%", "31%": "30%", "4,120": "4,000", "3,480": "3,400", "58.1": "59", "41.5": "40", "2.1": "2.2",
    "18,400": "19,000", "0.8 s": "0.9 s", "2.4 s": "2 s",
}  # fmt: skip
_FIGURE = re.compile(rf"(?<![\w.:/-]){_NUMBER}(?=\s?(?:%|tok/s|GiB|s\b|分))")


def altered(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each alteration: its kind, what was done, and the altered brief."""
    for kind, start, end, new in _alterations(text):
        if "inbox/" not in text[text.rfind("\n", 0, start) + 1 : start]:
            yield kind, f"{text[start:end]} > {new}", text[:start] + new + text[end:]


def _alterations(text: str) -> Iterator[tuple[str, int, int, str]]:
    for kind, pattern, new_of in _RULES:
        for match in pattern.finditer(text):
            yield from ((kind, *match.span(), new) for new in new_of(match))


def _turned(match: re.Match[str]) -> tuple[str, ...]:
    return (match["two"] + match["between"] + match["one"],)


def _other_day(match: re.Match[str]) -> tuple[str, ...]:
    if match["spelt"]:
        return ("17 September",)
    return (f"2026-{match['month']}-{(int(match['day']) + 6) % 28 + 1:02}",)


def _other_count(match: re.Match[str]) -> tuple[str, ...]:
    word = match.group().casefold()
    return (_WORDS.get(word) or str(int(word) + (3 if int(word) < 10 else 5)),)


def _other_stars(match: re.Match[str]) -> tuple[str, ...]:
    return ("5" if match.group() == "3" else str(6 - int(match.group())),)


def _other_figure(match: re.Match[str]) -> tuple[str, ...]:
    return (match.group()[:-1] + str((int(match.group()[-1]) + 3) % 9 + 1),)


def _one_of(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, words)))


_Rule = tuple[str, re.Pattern[str], Callable[[re.Match[str]], tuple[str, ...]]]
_RULES: tuple[_Rule, ...] = (
    ("swapped", _FROM_TO, _turned),
    ("sides", _BESIDE, _turned),
    ("version", re.compile(r"v0\.(\d+)\.(\d+)"), lambda match: (f"v0.{int(match[1]) + 2}.{match[2]}",)),
    ("hardware", _one_of(_DEVICES), lambda match: (_DEVICES[match.group()],)),
    ("model", _one_of(_MODELS), lambda match: (_MODELS[match.group()],)),
    ("weekday", _one_of(_WEEKDAYS), lambda match: (_WEEKDAYS[match.group()],)),
    ("agent", _AGENT, lambda match: (_AGENTS[match.group()],)),
    ("stars", re.compile(r"\d(?= 星| stars|/5)"), _other_stars),
    ("date", _DATE, _other_day),
    ("count", _COUNTED, _other_count),
    *(
        ("unit", re.compile(rf"(?<=\d){old}|(?<=\d ){old}"), lambda _, units=units: units)
        for old, units in _UNITS.items()
    ),
    (
        "rounding",
        re.compile(rf"(?<!\d)(?:{'|'.join(map(re.escape, _COARSE))})"),
        lambda match: (_COARSE[match.group()],),
    ),
    ("figure", _FIGURE, _other_figure),
)

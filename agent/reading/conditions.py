"""Finds the conditions under which something was measured: hardware, precision, batch, concurrency, context, model, dataset.

Promises: works on folded text; spans of a kind are in order and do not overlap; time is linear in the text.
"""

import bisect
import functools
import re

from agent.reading.quantities import Bounds

_FAMILY = (
    "Llama|Qwen|DeepSeek|GLM|Kimi|Mistral|Mixtral|Gemma|Gemini|GPT|Claude|Phi|MiniMax|Grok|Yi|InternLM|Falcon|OPT|Hunyuan"
    "|ERNIE|Nemotron|MiMo"
)
_SIZED = (
    r"(?:-[A-Z]?|\s[VRKM]?)?[0-9]{1,3}(?:\.[0-9]{1,2})?(?:[BbMTo]|x[0-9]{1,3}[BbM])?(?:-A[0-9]{1,3}B)?"
    r"(?![0-9A-Za-z]|[.,][0-9]|\s?(?:[×%倍万亿个条篇次人]|x\b|m?s\b|tok|GB\b|[kKM]?\s?tokens))"
)
_DEVICE = (
    r"(?:GB?[123]00|[AHB][1238]00|A10G?|H20|L40S?|L4|T4|V100|MI[23][0-9]{2}[AX]|RTX\s?[0-9]{4}(?:\s?Ti)?|TPU\s?v[0-9]\w?"
    r"|M[1-5]\s(?:Max|Pro|Ultra)|(?:Ascend|昇腾)\s?9[0-9]{2}[A-Z]?)(?![A-Za-z0-9])"
)
_CONDITIONS = {
    "hardware": re.compile(
        r"(?=[0-9NAGHBLTVMR昇])(?:(?<![\w.,])[0-9][0-9,]{0,8}\s?(?:[×xX]|张|块|卡|台)?\s?)?(?:(?<![\w.,])[0-9]{1,3}\s?GB\s)?(?<![A-Za-z0-9])"
        rf"(?:(?:NVIDIA|AMD)\s)?{_DEVICE}(?:[- ]?[0-9]{{1,3}}\s?GB)?"
    ),
    "precision": re.compile(
        r"(?=[0-9NMFBTIWQ])(?:(?<![A-Za-z0-9])(?:NV|MX)?(?:FP|BF|TF|INT)[0-9]{1,2}(?![0-9])|(?<![\w.,])[0-9]{1,2}(?:\.[0-9]{1,2})?\s?-?(?:bits?\b|比特)"
        r"|\bW[0-9]{1,2}A[0-9]{1,2}\b|\bQ[0-9]_\w{1,6})"
    ),
    "batch": re.compile(
        r"(?:batch(?:[ _-]?size)?|\bbs|批大小|批次大小)\s?(?:of|为|:|=)?\s?[0-9]{1,6}(?![0-9.])", re.IGNORECASE
    ),
    "concurrency": re.compile(r"(?:concurrency|并发数?)\s?(?:of|为|:|=)?\s?[0-9]{1,7}(?![0-9.])", re.IGNORECASE),
    "context": re.compile(
        r"(?=[0-9cs上序输])(?:(?<![\w.,])[0-9]{1,7}(?:\.[0-9])?(?:\s?[km][\s-]?(?:tokens?\s)?|\s?tokens?\s)"
        r"(?:context|ctx|sequence|input|output|prompt|generation|上下文|序列|输入|输出|窗口)"
        r"|(?:context(?: length| window)?|sequence length|seq[_ ]?len|上下文(?:长度|窗口)?|序列长度|输入长度|输出长度)"
        r"\s?(?:of|为|:|=)?\s?[0-9]{1,7}(?:\.[0-9])?\s?[km]?(?![\w.,]))",
        re.IGNORECASE,
    ),
    "model": re.compile(
        rf"(?<![A-Za-z0-9])(?:{_FAMILY})(?:\s(?:Opus|Sonnet|Haiku|Flash|Pro|Large|Small|Mini|Nano))?(?:{_SIZED}|-[A-Z][A-Za-z]{{1,12}}){{1,4}}"
    ),
    "dataset": re.compile(
        r"\b(?:MMLU(?:-Pro)?|GSM8K|MATH(?:-500)?|HumanEval|MBPP|SWE-[Bb]ench(?: Verified)?|AIME(?: 20[0-9]{2})?"
        r"|GPQA(?: Diamond)?|LongBench|RULER|ShareGPT|HotpotQA|FinanceBench|LiveCodeBench|BrowseComp)\b"
    ),
}

_CONDITION_WORDS = {
    "hardware": (
        "100", "200", "300", "800", "a10", "h20", "l4", "t4", "mi2", "mi3", "rtx", "tpu", "max", "pro", "ultra", "ascend", "昇腾",
    ),
    "precision": ("fp", "bf", "tf", "int", "bit", "比特", "_", *(f"w{digit}" for digit in range(10))),
    "batch": ("batch", "bs", "批"),
    "concurrency": ("concurrency", "并发"),
    "context": (
        "context", "ctx", "sequence", "input", "output", "prompt", "generation", "seq", "上下文", "序列", "输入", "输出", "窗口",
    ),
    "model": tuple(_FAMILY.lower().split("|")),
    "dataset": (
        "mmlu", "gsm8k", "math", "humaneval", "mbpp", "swe-", "aime", "gpqa", "longbench", "ruler", "sharegpt", "hotpotqa", "financebench",
        "livecodebench", "browsecomp",
    ),
}  # fmt: skip

_COUNTED = re.compile(r"(?P<count>[0-9][0-9,]{0,8})\s?[×xX张块卡台]\s?")
_CAPACITY = re.compile(r"[0-9]{1,3}\s?gb", re.IGNORECASE)
_MAKER = re.compile(r"nvidia|amd", re.IGNORECASE)
_FIGURE = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_THOUSANDS = re.compile(r"[0-9]\s?(?P<scale>[km])(?![a-z])", re.IGNORECASE)
_JOINTS = re.compile(r"[\s_-]+")
_OF_INPUT = ("input", "prompt", "输入")
_OF_OUTPUT = ("output", "generation", "输出")

_DIRECTLY = re.compile(r"[\s(@]{0,2}(?:(?:on|at|in|with)\s|在\s?)?")

Conditions = dict[str, list[Bounds]]


def find_conditions(folded: str) -> Conditions:
    """Return the spans of the conditions of each kind; digits inside them are no measures."""
    lowered = folded.lower()  # a kind none of whose words occurs is not looked for
    return {
        kind: [match.span() for match in pattern.finditer(folded)]
        for kind, pattern in _CONDITIONS.items()
        if any(map(lowered.__contains__, _CONDITION_WORDS[kind]))
    }


def is_hardware_or_precision(word: str) -> bool:
    """Whether a word is the name of a device or of a number format, and so of no product."""
    return any(_CONDITIONS[kind].fullmatch(word) for kind in ("hardware", "precision"))


@functools.lru_cache(maxsize=1024)
def canonical_condition(kind: str, said: str) -> str:
    """One spelling for conditions that mean the same: `batch size 32` and `批大小 32` are `32`, `32K 输入` is `input 32000`.

    Hardware loses its maker and capacity, and keeps the number of devices where it is written.
    """
    text = said.lower()
    figure = _FIGURE.search(text.replace(",", ""))
    if kind in ("batch", "concurrency") and figure:
        return figure.group()
    if kind == "context" and figure:
        scale = _THOUSANDS.search(text)
        size = float(figure.group()) * ({"k": 1e3, "m": 1e6}[scale["scale"].lower()] if scale else 1)
        of = "input " if any(map(text.__contains__, _OF_INPUT)) else ""
        return f"{of or ('output ' if any(map(text.__contains__, _OF_OUTPUT)) else '')}{size:g}"
    if kind == "hardware":
        counted = _COUNTED.match(text)
        device = _JOINTS.sub("", _MAKER.sub("", _CAPACITY.sub("", text[counted.end() :] if counted else text)))
        return f"{counted['count']}×{device}" if counted and counted["count"] != "1" else device
    return _JOINTS.sub("", text).replace("bits", "bit").replace("比特", "bit")


def are_different(kind: str, one: str, other: str) -> bool:
    """Whether two conditions of a kind exclude each other; a number of devices that only one of them tells does not."""
    mine, theirs = canonical_condition(kind, one), canonical_condition(kind, other)
    if kind != "hardware" or ("×" in mine and "×" in theirs):
        return mine != theirs
    return mine.rpartition("×")[2] != theirs.rpartition("×")[2]


def nearest_conditions(folded: str, conditions: Conditions, start: int, end: int) -> tuple[tuple[str, str], ...]:
    """Of each kind of condition the one that follows the number directly, else the last before it, else the next."""
    found = []
    for kind, spans in conditions.items():
        place = bisect.bisect(spans, (start, 0))
        follows = place < len(spans) and _DIRECTLY.fullmatch(folded, end, spans[place][0])
        if spans:
            low, high = spans[place if follows or not place else place - 1]
            found.append((kind, folded[low:high].strip()))
    return tuple(found)

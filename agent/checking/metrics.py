"""What a number says: which metric, under one key for the words of both languages, which statistic, phase and kind of unit.

Promises: pure; every look-up sees the number's own clause or sentence; time is linear in the text.
"""

import re
from functools import lru_cache
from itertools import chain

from agent.reading.conditions import find_conditions
from agent.reading.measures import MeasureSpan, find_measures
from agent.reading.quantities import fold, in_base

CHANGE = "change"
# The first that matches a metric's words is its key.
CONCEPTS: dict[str, str] = {
    "ttft": r"ttft|首\s?(?:token|字|包)|time[ -]to[ -]first",
    "tpot": r"tpot|\bitl\b|inter-token",
    "hit rate": r"命中率|hit rate",
    "reuse rate": r"复用率|reuse rate",
    "success rate": r"成功率|通过率|(?:success|pass) rate",
    "win rate": r"胜率|win rate",
    "acceptance rate": r"接受率|acceptance rate",
    "error rate": r"错误率|error rate",
    "throughput": r"吞吐|throughput|goodput",
    "bandwidth": r"带宽|bandwidth",
    "vram": r"显存|vram|gpu memory",
    "memory": r"内存|memory|footprint|占用",
    "accuracy": r"准确率|正确率|accuracy",
    "recall": r"召回|recall",
    "f1": r"\bf1\b",
    "perplexity": r"困惑度|perplexity|\bppl\b",
    "score": r"得分|分数|评分|score|\bmmlu|gsm8k|humaneval|gpqa|swe-bench",
    "price": r"价格|单价|定价|price",
    "capex": r"capex",
    "opex": r"opex",
    "cost": r"成本|费用|花费|costs?\b",
    "power": r"功耗|power",
    "energy": r"能耗|energy",
    "speedup": r"加速|speed-?up",
    "compression": r"压缩|compression",
    "parameters": r"参数|param",
    "context": r"上下文|context",
    "revenue": r"营收|收入|revenue",
    "valuation": r"估值|valuation",
    "funding": r"融资|funding",
    "utilization": r"利用率|utili[sz]ation|\bmfu\b",
    "overhead": r"开销|overhead",
    "downloads": r"下载|download",
    "users": r"用户|users",
    "latency": r"延迟|时延|latency",
    "duration": r"耗时|用时",
    "speed": r"速度|速率|speed",
    "code size": r"代码规模|代码量",
}
CONCEPT = re.compile("|".join(f"(?P<c{place}>{words})" for place, words in enumerate(CONCEPTS.values())), re.IGNORECASE)
_BY_UNIT = {
    "tokens/s": "throughput",
    "requests/s": "throughput",
    "params": "parameters",
    "downloads": "downloads",
    "users": "users",
}
PROPERTIES = frozenset(
    {"parameters", "context", "price", "capex", "code size"}
)  # of a thing, whatever it is measured on
PASSING = frozenset({"downloads", "users", "revenue", "valuation", "funding"})  # true on one day
OF_A_MODEL = frozenset({"score", "accuracy", "recall", "f1", "success rate", "win rate", "error rate", "perplexity"})
_SPED = frozenset(
    {"throughput", "ttft", "tpot", "latency", "bandwidth", "power", "speed", "speedup", "duration", "energy"}
)
# What a number of a metric is more exactly; numbers with other facets are not held against each other.
_STATISTICS = {
    "mean": r"平均|均值|(?<![a-z])(?:mean|average|avg)",
    "median": r"中位|median",
    "peak": r"峰值|最大|最高|peak|(?<![a-z])max",
    "least": r"最小|最低|minim",
    "tail": r"尾部?延迟|(?<![a-z])tail",
    "sum": r"聚合|总吞吐|总带宽|aggregate|(?<![a-z])total (?:throughput|bandwidth)",
    "each device": r"单卡(?!\s?[A-Z0-9])|每卡|per[ -]gpu|单机(?!\s?[A-Z0-9])",
    "end to end": r"端到端|end-to-end|(?<![a-z])e2e",
}
_PHASES = {"decode": r"解码|decod", "prefill": r"预填充|prefill", "training": r"训练|(?<![a-z])training"}
_DIRECTIONS = {
    "input": r"输入|(?<![a-z])(?:input|prompt)",
    "output": r"输出|(?<![a-z])(?:output|completion)",
    "cached": r"缓存|cache",
}
_ACTIVE = re.compile(r"(?P<active>激活|activ)|总|total", re.IGNORECASE)
_PERCENTILE = re.compile(r"(?<![a-z0-9])p[0-9]{2}(?![0-9])", re.IGNORECASE)
_FACETS = {
    name: re.compile(words, re.IGNORECASE)
    for name, words in chain(_STATISTICS.items(), _PHASES.items(), _DIRECTIONS.items())
}
_CHANGED_BEFORE = re.compile(
    r"(?:提[升高]|提速|上升|增[加长]|下降|降低|减少|缩短|节省|升高|improv\w{1,6}|increas\w{1,4}|reduc\w{1,4}|decreas\w{1,4}|cuts?|drop(?:s|ped)?|sav(?:es|ed|ing)"
    r"|gain(?:s|ed)?|rais(?:es|ed)|[快慢多少高低])(?:了|约|近|达|超过|\s|by|of|about|[~≈+]){0,4}$",
    re.IGNORECASE,
)
_CHANGED_AFTER = re.compile(
    r"\s?(?:的)?(?:提升|提高|增长|增幅|下降|降幅|降低|faster|slower|higher|lower|improvement|increase|reduction|decrease|gain|drop|less|more|[↑↓])",
    re.IGNORECASE,
)
_CHANGED_BY = re.compile(
    r"(?:improv|increas|reduc|decreas|lower|rais|cut)[a-z]{0,4}\s[\w\s/-]{1,40}?\sby(?:\s(?:about|up to|over))?\s$",
    re.IGNORECASE,
)
_STOP = re.compile(r",(?![0-9]{3})|[。;!?\n·|、:()\[\]「」]|\s[-–—/]{1,2}\s|\. ")
_DIGIT_OR_STOP = re.compile(r"[0-9、,;。(]")
_SENTENCE_STOP = re.compile(r"[。;\n|]|\. ")
_LENGTH = r"(?P<size>[0-9]{1,7})\s?(?P<scale>[kKmM]?)"
_WINDOWS = (
    re.compile(
        rf"(?P<metric>上下文(?:长度|窗口)|context (?:length|window))\s?(?:可?[为是达到]{{1,2}}|扩展?[至到]|of|is|reaches|:|=)?\s?{_LENGTH}(?![\w.])",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:支持|supports|has|提供)\s?(?:an? )?{_LENGTH}(?:[ -]?tokens?)?\s?的?\s?(?P<metric>上下文|context)",
        re.IGNORECASE,
    ),
)


def attribute_of(measure: MeasureSpan, concept: str, folded: str) -> str:
    """The key of what a number says: metric, facets and kind of unit."""
    family, _ = in_base(measure.unit)
    clause = clause_of(folded, measure)
    looked_for = [*_STATISTICS]
    looked_for += [*_PHASES] if concept in _SPED else []
    looked_for += [*_DIRECTIONS] if concept in ("price", "cost", "throughput") else []
    facets = [name for name in looked_for if _FACETS[name].search(f"{clause} {measure.metric} {measure.unit}")]
    facets += ["active"] if concept == "parameters" and _is_active(measure, folded) else []
    facets += [found.lower() for found in _PERCENTILE.findall(clause)]
    facets += [CHANGE] if is_change(measure, folded) else []
    is_plain = concept in ("parameters", "context") and family in ("", "params", "tokens")
    return "|".join((concept, *facets, "" if is_plain else family))


def _is_active(measure: MeasureSpan, folded: str) -> bool:
    """Whether parameters are those that a token meets: the word right before the number says so, else that of its unit."""
    before = _DIGIT_OR_STOP.split(folded[max(0, measure.start - 24) : measure.start])[-1]
    words = (
        list(_ACTIVE.finditer(before))
        or list(_ACTIVE.finditer(f"{measure.unit} {folded[measure.end : measure.end + 12]}"))[:1]
    )
    return bool(words) and words[-1]["active"] is not None


def concept_of(measure: MeasureSpan, clause: str, folded: str) -> str:
    """Return the key of a number's metric, from its words or its unit; a metric without a key has its own words, nothing has "".

    Args:
        measure: the number.
        clause: what `clause_of` gives for it.
        folded: the text of its unit.
    """
    family, _ = in_base(measure.unit)
    match = CONCEPT.search(measure.metric)
    found = list(CONCEPTS)[int((match.lastgroup or "c0")[1:])] if match else ""
    if family in _BY_UNIT and found in ("", "speed"):
        return _BY_UNIT[family]
    if family.endswith("/tokens") and found in ("", "cost"):
        return "price"
    datasets = find_conditions(clause).get("dataset", ())
    if (found in ("", "accuracy") and family == "%" and len(datasets) == 1) or (
        found == "accuracy" and "dataset" in dict(measure.conditions)
    ):
        return "score"
    if not found and not family and measure.value >= 1e8 and _ACTIVE.search(clause):
        return "parameters"
    return found or (measure.metric.lower() if measure.metric and measure.metric in folded else "")


def is_change(measure: MeasureSpan, folded: str) -> bool:
    """Return whether a percentage or points tell how far something moved, and not where it stands."""
    family, _ = in_base(measure.unit)
    if family != "%":
        return family == "pp"
    return (
        folded[measure.start] in "+-−"
        or _CHANGED_BY.search(folded[max(0, measure.start - 60) : measure.start]) is not None
        or _CHANGED_BEFORE.search(folded[max(0, measure.start - 24) : measure.start]) is not None
        or _CHANGED_AFTER.match(folded, measure.end) is not None
    )


@lru_cache(maxsize=1024)
def measures_of(text: str) -> tuple[MeasureSpan, ...]:
    """The measures of a unit, or the context lengths that it states where it measures nothing."""
    return find_measures(text) or tuple(
        MeasureSpan(
            value=float(window["size"]) * {"k": 1e3, "m": 1e6}.get(window["scale"].lower(), 1.0),
            comparator="",
            unit="tokens",
            metric=window["metric"],
            subject="",
            version=None,
            baseline=None,
            conditions=(),
            start=window.start("size"),
            end=window.end("scale"),
        )
        for pattern in _WINDOWS
        for window in pattern.finditer(fold(text))
    )


@lru_cache(maxsize=256)  # one number is asked about in turn
def clause_of(folded: str, measure: MeasureSpan) -> str:
    """The words around a number, up to the next stops, without the conditions among them."""
    low = max(0, measure.start - 80)
    starts = [stop.end() for stop in _STOP.finditer(folded, low, measure.start)]
    after = _STOP.search(folded, measure.end, measure.end + 40)
    clause = folded[starts[-1] if starts else low : after.start() if after else measure.end + 40]
    for kind, spans in find_conditions(clause).items():
        for start, end in spans:
            if kind != "dataset":
                clause = clause[:start] + " " * (end - start) + clause[end:]
    return clause


def sentence_of(folded: str, start: int, end: int) -> tuple[int, int]:
    """Return the bounds of the sentence around a span."""
    starts = [stop.end() for stop in _SENTENCE_STOP.finditer(folded, 0, start)]
    after = _SENTENCE_STOP.search(folded, end)
    return (starts[-1] if starts else 0), (after.start() if after else len(folded))

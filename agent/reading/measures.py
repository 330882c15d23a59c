"""Finds numbers that measure something, with metric, subject, baseline and conditions, without asking a model.

Promises: works on the text of one unit (a sentence, list item, table row); spans are in order, inside the text, and do not
overlap; a field that plain rules cannot fill stays empty. No measures are years, dates, times, versions, identifiers, register
entries, section, item and page numbers, ordinals, file names, flags, code, fractions and digits inside a word, nor model sizes
(`Llama 3.3 70B`) and what a condition states (`8×H100`, `4-bit`, `batch 32`, `32K context`). Time is linear.
"""

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from agent.reading.conditions import find_conditions, is_hardware_or_precision, nearest_conditions
from agent.reading.identifiers import find_arxiv, find_dois, find_urls
from agent.reading.quantities import (
    HAN,
    Bounds,
    Comparator,
    Quantity,
    canonical_unit,
    find_quantities,
    fold,
    is_plain_year,
    numbers_in,
    outside,
    slack,
)

__all__ = ["MeasureSpan", "RatioLink", "canonical_unit", "find_measures", "linked_ratios", "numbers_in"]

_HAN = re.compile(f"[{HAN}]")
_DIGIT = re.compile(r"[0-9０-９]")
_CODE = re.compile(r"`[^`\n]{1,200}`")


def _begun(words: str) -> str:
    """Alternatives that are looked at only where one of them begins."""
    return f"(?=[{''.join(dict.fromkeys(word[0] for word in words.split('|')))}])(?:{words})"


_CHINESE_QUALIFIER = (
    r"聚合|总|平均|峰值|最大|最小|单卡|单机|端到端|首字|首\s?token|解码|预填充|训练|推理|输出|输入|显存|内存|缓存|激活"
)
_QUALIFIER = (
    rf"(?:(?:{_begun(_CHINESE_QUALIFIER)}"
    r"|(?=[a-z])(?:prefill|decode|peak|average|mean|median|total|aggregate|end-to-end|inference|training|output|input|tail|memory|cache|prefix"
    r"|(?<![a-z])p[0-9]{2})\s)\s?){0,2}"
)
_CHINESE_TERM = (
    "延迟|时延|吞吐量?|带宽|速度|速率|显存|内存|占用|准确率|正确率|精度|召回率?|命中率|复用率|利用率|成功率|胜率|得分|分数|评分"
    "|成本|价格|费用|单价|功耗|能耗|耗时|用时|加速比?|压缩率|压缩比?|参数量?|代码规模|代码量|规模|容量|营收|收入|估值|融资|困惑度"
    "|损失|误差|开销|上下文长度|上下文窗口|占比|比例|增速|增长率|下载量?|用户数"
)
_TERM = (
    rf"{_begun(_CHINESE_TERM)}|(?<![a-z])(?=[a-z])"
    r"(?:latency|throughput|goodput|bandwidth|speed-?up|speed|accuracy|precision|recall|f1|score|perplexity|ppl|loss|memory"
    r"|vram|costs?|price|capex|opex|power|energy|ttft|tpot|itl|mfu|utili[sz]ation|(?:hit |win |success |error )?rate|bleu"
    r"|rouge(?:-\w)?|auc|context (?:length|window)|downloads|revenue|valuation|overhead|compression|footprint|mmlu(?:-pro)?|gsm8k|humaneval|gpqa|swe-bench)"
    "(?![a-z-])"
)
_TERM_STARTS = "聚总平峰最单端首解预训推输显内缓激延时吞带速占准正精召命复利成胜得分评价费功能耗用加压参代规容营收估融困损误开上比增下a-z"
_METRIC = re.compile(rf"(?=[{_TERM_STARTS}]){_QUALIFIER}(?:{_TERM})", re.IGNORECASE)
_IS = r"[\s:=]{0,2}(?:[仅只]?(?:达到?|为|是|需要?)|仅|降至|升至|is|was|at|of|reach(?:es|ed)|achiev(?:es|ed))?\s?$"
_METRIC_BESIDE = re.compile(rf"(?:{_TERM}){_IS}", re.IGNORECASE)
# A term that runs on into another noun ("压缩级别") measures nothing by itself.
_ENDS = rf"(?![{HAN}])|(?=[达为是约从由比提升增下降减高低仅只在至到超近不可有已最均的]|压[到至低])"
_ENDS_TERM = re.compile(_ENDS)
_METRIC_AFTER = re.compile(
    rf"\s?(?:的|更|of\s)?\s?(?P<metric>(?:gpu\s)?{_QUALIFIER}(?:{_TERM}))(?:{_ENDS})", re.IGNORECASE
)
_LOWER_WORD = re.compile(r"(?<![A-Za-z])[a-z]{2,}(?![A-Za-z])")
_BETWEEN = re.compile(
    "of|is|was|are|were|at|to|by|from|one|about|only|just|nearly|around|over|under|below|above|up|down|vs|than|more|less|amounts|reach(?:es|ed)"
    "|drops|dropped|fell|rose|increased|decreased|improve[sd]|achieve[sd]|exceeds"
)
_LABEL = re.compile(rf"^\W*(?P<label>[{HAN}A-Za-z][{HAN}A-Za-z -]{{1,24}})\*{{0,2}}:\*{{0,2}}\s?$")
_NO_LABEL = re.compile(
    "要点|来源|问题|结论|数据|说明|建议|注意|优势|关键|核心|例如|比如|其中|背景|补充|主张|示例|摘要|标题|note|source|summary|example"
)
_CLAUSE = re.compile(r"[。；;·|│\n、！？!?]|,(?![0-9]{3})|\s[-–—]{1,2}\s|\s/\s")

_NAME = r"[A-Za-z][A-Za-z0-9.+_-]{0,40}"
_NAMES = rf"{_NAME}(?:\s{_NAME}){{0,2}}"
_NAMED = re.compile(rf"(?<![A-Za-z0-9.+_-]){_NAMES}")
_SUBJECT = re.compile(
    rf"(?<![A-Za-z0-9.+_-])(?P<names>{_NAMES})(?:\s?的)?[\s:]{{0,2}}(?:{_METRIC.pattern})?{_IS}", re.IGNORECASE
)
_THAN = re.compile(rf"(?:相?比|相对于?|较|compared (?:to|with))\s?(?P<names>{_NAMES})\s?[{HAN}]{{0,6}}\s?$")
_THAN_AFTER = re.compile(
    rf"[\s*]{{0,3}}(?:[a-z]{{2,12}}\s){{0,2}}(?:than|over|versus|vs\.?|compared (?:to|with)|相比|相对于?)\s(?P<names>{_NAMES})"
)
_WITHIN = re.compile(r"\s?[中上里内]")
_VERSION = re.compile(r"[vV][0-9]{1,4}(?:\.[0-9]{1,4}){0,3}[a-z0-9]{0,6}")
_NO_SUBJECT = re.compile(
    "(?:GPU|CPU|HBM|DRAM|SSD|NVMe|PCIe|NVLink|KV|API|LLM|MoE|RAG|Q?LoRA|RL|AI|JSON|GGUF|[TDPE]P|OK|PR|The|This|That|In|On|At|For|With|From|Day-0)s?"
)
_ROW = re.compile(rf"\s{{0,8}}[|│]\s{{0,8}}\*{{0,2}}(?P<subject>[A-Za-z{HAN}][^|│\n*]{{0,40}}?)\*{{0,2}}\s{{0,80}}[|│]")

_JOIN = re.compile(
    r"\bvs\b\.?|\bversus\b|→|⟶|⇒|[-=]>|对比|\s对\s|[降升增减缩提压][低少加高长短升缩]?[至到为]|变[为成到]|(?:^|\s)[到至](?:\s|$)"
    r"|(?:^|\s)to(?:\s|$)|compared (?:to|with)|against|\band (?:now |then |today )?(?:is|are|takes?|needs?|uses?|runs?|costs?)\s",
    re.IGNORECASE,
)
_VERSUS = re.compile(r"\bvs\b|versus|对比|\s对\s|compared|against", re.IGNORECASE)
_CHANGED = re.compile(
    "提[升高]|增[长加]|上升|下降|降低|减少|缩短|节省|下调|improv|increas|reduc|decreas|faster|slower|less|more|cut|drop|sav|gain|higher"
    "|lower|[↑↓]",
    re.IGNORECASE,
)
_GROWN = re.compile(r"(?:提[升高]|增[长加]|快)了?\s?[约近]?\s?$")
_STOP = re.compile(r"[。；;\n|]")
_OF_ITS_OWN = re.compile(r"[\s*)]{0,3}[^\s*)、,:(]{1,16}(?:\s[^\s、,]{1,12}){0,2}[、,]")  # "10 倍流量, TTFT 6 s → 2 s"


class MeasureSpan(NamedTuple):
    """A number with its meaning, as it stands in a text.

    Attributes:
        value: with scale words multiplied out: `57万` is 570000.0.
        comparator: what bounds the value. A range gives two measures, its ends, with `>=` and `<=`.
        unit: as written, empty for a bare count; of a pair such as `150.7 vs 63.7 TB/s` both have it. Money before the number
            comes first (`$/hr`).
        metric, subject, version: the nearest that plain rules name, else empty.
        baseline: what it is compared with, as written: a name, or the other number of a pair. A stated ratio or percentage
            of a pair has the value that it is measured against: the one after "vs", or the one that a change began with.
        conditions: hardware, precision, batch, concurrency, context, model, dataset; of several the nearest one.
        start, end: sign, currency, number, scale and unit.
    """

    value: float
    comparator: Comparator
    unit: str
    metric: str
    subject: str
    version: str | None
    baseline: str | None
    conditions: tuple[tuple[str, str], ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RatioLink:
    """Two measures and the ratio or percentage that the text states for them.

    Attributes:
        holds: whether the ratio follows from the two numbers, each taken as exact to half a unit of its last written digit.
        expected: the ratio, or the change in percent without sign, that the two numbers give.
    """

    left: MeasureSpan
    right: MeasureSpan
    ratio: MeasureSpan
    holds: bool
    expected: float


def find_measures(text: str) -> tuple[MeasureSpan, ...]:
    """The measures in the text of one unit, in order, with offsets into it.

    A number without unit counts only where it can be nothing else: beside a number of its pair that has the unit, right
    after a metric, with thousands separators, or with a Chinese or spelt-out scale word.

    Of `150.7 vs 63.7 TB/s, 2.4×` the first number and the ratio have the baseline `63.7 TB/s`; of `53s → 7.2s (7.4×)` the
    second number and the ratio have `53s`. `linked_ratios` says whether the ratio holds.
    """
    if not _DIGIT.search(text):
        return ()
    folded = _without_addresses(text)
    quantities = list(find_quantities(folded, _masked(text, folded)))
    if not any(_is_measure(folded, quantity, None) for quantity in quantities):
        return ()
    conditions = find_conditions(folded)
    quantities = outside(quantities, sorted(itertools.chain.from_iterable(conditions.values())))
    for left, right in itertools.pairwise(quantities):
        _share_unit(folded, left, right)
    row = _ROW.match(folded)
    row_subject = row["subject"].strip() if row else ""
    measures: list[MeasureSpan] = []
    for quantity in quantities:
        if _is_measure(folded, quantity, measures[-1] if measures else None):
            floor = measures[-1].end if measures else 0
            near = nearest_conditions(folded, conditions, quantity.start, quantity.end)
            measures.append(_described(folded, quantity, floor=floor, row_subject=row_subject, conditions=near))
    return _with_ratios(folded, _related(folded, measures))


def linked_ratios(measures: Sequence[MeasureSpan], text: str) -> tuple[RatioLink, ...]:
    """Pairs of `measures` (of this `text`) joined by vs, an arrow or words of change, with the ratio stated beside them.

    The ratio is a measure in × or 倍, or a percentage with a sign or a word of change; it follows within 40 characters
    without a stop between, or stands at most 24 before. `N 倍` after a word of growth may mean the ratio or the growth.
    """
    folded = fold(text)
    return tuple(
        _link(folded, measures[place], measures[place + 1], measures[ratio])
        for place, ratio in _ratios(folded, measures)
    )


def _ratios(folded: str, measures: Sequence[MeasureSpan]) -> Iterator[tuple[int, int]]:
    """Yield where the first of two measures stands that have a stated ratio, and where the ratio stands; each ratio once."""
    taken = -1
    for place, (left, right) in enumerate(itertools.pairwise(measures)):
        if not _is_pair(folded, left, right):
            continue
        after, before = place + 2, place - 1
        if (
            after < len(measures)
            and _is_ratio(folded, measures[after])
            and _is_near(folded, right.end, measures[after].start, reach=40)
        ):
            taken = after
            yield place, after
        elif (
            before > taken
            and _is_ratio(folded, measures[before])
            and _is_near(folded, measures[before].end, left.start, reach=24)
            and _OF_ITS_OWN.match(folded, measures[before].end, left.start) is None
        ):
            taken = before
            yield place, before


def _with_ratios(folded: str, measures: list[MeasureSpan]) -> tuple[MeasureSpan, ...]:
    """Name the value that each stated ratio is measured against."""
    for place, at in _ratios(folded, measures):
        left, right = measures[place : place + 2]
        is_versus = _VERSUS.search(folded[left.end : right.start]) is not None
        against = right if is_versus else left
        if measures[at].baseline is None:
            measures[at] = measures[at]._replace(baseline=folded[against.start : against.end])
    return tuple(measures)


def _masked(text: str, folded: str) -> list[Bounds]:
    """The spans whose digits are part of an identifier or of code, in order."""
    spans = [(span.start, span.end) for span in find_arxiv(text)]
    spans += [(span.start, span.end) for span in find_dois(text)] if "10." in text else []
    spans += [match.span() for match in _CODE.finditer(folded)] if "`" in folded else []
    return sorted(spans)


def _without_addresses(text: str) -> str:
    """The text folded, with blanks for addresses, whose words name nothing."""
    folded, parts, end = fold(text), [], 0
    if "://" not in text:
        return folded
    for span in find_urls(text):
        parts += [folded[end : span.start], " " * (span.end - span.start)]
        end = span.end
    return "".join([*parts, folded[end:]])


def _share_unit(folded: str, left: Quantity, right: Quantity) -> None:
    """Let the two numbers of a comparison share the unit that is written once."""
    gap = folded[left.end : right.lead]
    join = _JOIN.search(gap) if len(gap) <= 60 and not _STOP.search(gap) else None
    if not join or "×" in (canonical_unit(left.unit), canonical_unit(right.unit)):
        return
    if not left.unit and not gap[: join.start()].strip(" *)"):
        left.unit = right.unit
    elif (
        not right.unit
        and canonical_unit(left.unit) != "%"
        and not folded[right.end : right.end + 2].lstrip()[:1].isalnum()
    ):
        right.unit = left.unit
    elif right.unit.startswith(left.unit + "/") or left.unit.startswith(right.unit + "/"):
        left.unit = right.unit = max(left.unit, right.unit, key=len)


def _is_measure(folded: str, quantity: Quantity, previous: MeasureSpan | None) -> bool:
    if is_plain_year(quantity):
        return False
    if quantity.unit:
        return not (quantity.scale == 1e9 and quantity.unit in ("models", "model", "模型"))  # sizes
    after = folded[quantity.end : quantity.end + 2]
    if after[:1].isascii() and (after[:1].isalpha() or after[:1] == "_" or (after[:1] == "-" and after[1:].isalpha())):
        return False
    before = folded[max(0, quantity.lead - 32) : quantity.lead]
    if quantity.has_shape or (before.rstrip(" :=")[-1:].isalpha() and _METRIC_BESIDE.search(before)):
        return True
    gap = folded[previous.end : quantity.lead] if previous and not previous.unit else ""
    return len(gap) <= 24 and _JOIN.search(gap) is not None  # "85.2 vs 83.1" after a metric


def _described(
    folded: str, quantity: Quantity, *, floor: int, row_subject: str, conditions: tuple[tuple[str, str], ...]
) -> MeasureSpan:
    """The measure with what stands beside it in its clause, not before `floor`."""
    clause = _CLAUSE.split(folded[max(floor, quantity.lead - 80) : quantity.lead])[-1]
    than = _THAN.search(clause)
    subject, version = _subject(clause[: than.start()] if than else clause, is_beside=than is None)
    after = None if than else _THAN_AFTER.match(folded, quantity.end)
    compared = than or after
    is_metric_row = bool(row_subject) and _METRIC.search(row_subject) is not None
    return MeasureSpan(
        value=quantity.value,
        comparator=quantity.comparator,
        unit=quantity.unit,
        metric=_metric(folded, quantity, clause) or (row_subject if is_metric_row else "") or _label(clause, subject),
        subject=subject or ("" if is_metric_row else row_subject),
        version=version,
        baseline=_leading_name(compared["names"]) if compared else None,
        conditions=conditions,
        start=quantity.start,
        end=quantity.end,
    )


def _metric(folded: str, quantity: Quantity, clause: str) -> str:
    """The last metric before a number in its clause, with nothing but small words between, else the one after it."""
    named = list(_METRIC.finditer(clause))
    gap = clause[named[-1].end() :] if named else ""
    if (
        named
        and len(gap) <= 40
        and _ENDS_TERM.match(gap)
        and all(_BETWEEN.fullmatch(word) for word in _LOWER_WORD.findall(gap))
    ):
        return named[-1].group().strip()
    after = _METRIC_AFTER.match(folded, quantity.end)
    return after["metric"].strip() if after else ""


def _label(clause: str, subject: str) -> str:
    """What stands before a colon, from the clause's beginning up to the number, unless it is the subject."""
    label = _LABEL.search(clause)
    if not label or subject in label["label"].split() or _NO_LABEL.search(label["label"].lower()):
        return ""
    return label["label"].strip()


def _subject(clause: str, *, is_beside: bool) -> tuple[str, str | None]:
    """The name before a number and its version: right beside it (a metric may stand between), else the last in `clause`."""
    if not is_beside:
        phrases = (
            match.group() for match in reversed(list(_NAMED.finditer(clause))) if not _WITHIN.match(clause, match.end())
        )
        names = (_trailing_name(phrase) for phrase in phrases)
        return next((name for name in names if name[0]), ("", None))
    beside = _SUBJECT.search(clause)
    starts_sentence = beside and not _HAN.search(clause) and not any(map(str.isalnum, clause[: beside.start()]))
    if not beside or (starts_sentence and beside["names"].istitle()):
        return "", None  # an English sentence begins with a capital
    return _trailing_name(beside["names"])


def _trailing_name(phrase: str) -> tuple[str, str | None]:
    """The product that ends a phrase of Latin words, a metric after it ignored, and its version; empty where none is."""
    words = phrase.split()
    while words and _METRIC.fullmatch(words[-1]):
        words.pop()
    version = words.pop() if words and _VERSION.fullmatch(words[-1]) else None
    names = list(itertools.takewhile(_is_name, reversed(words)))
    return (" ".join(reversed(names)), version) if names else ("", None)


def _leading_name(phrase: str) -> str | None:
    """The product that begins a phrase of Latin words, an article before it ignored."""
    words = itertools.dropwhile(lambda word: word in ("the", "a", "an"), phrase.split())
    return " ".join(itertools.takewhile(_is_name, words)).rstrip(".-") or None


def _is_name(word: str) -> bool:
    """Whether a word looks like a product: a capital or a dot in it, and neither a common term nor a condition."""
    if not any(char.isupper() for char in word) and "." not in word.strip("."):
        return False
    return not (_NO_SUBJECT.fullmatch(word) or is_hardware_or_precision(word))


def _related(folded: str, measures: list[MeasureSpan]) -> list[MeasureSpan]:
    """Measures that belong together share what only one of them says."""
    for place in range(len(measures) - 1):
        left, right = measures[place : place + 2]
        metric = left.metric or right.metric
        if _is_range(left, right):
            baseline = left.baseline or right.baseline
            left = _with(left, metric=metric, baseline=baseline)
            right = _with(right, metric=metric, baseline=baseline, subject=left.subject, version=left.version)
        elif _is_pair(folded, left, right):
            is_change = not _VERSUS.search(folded[left.end : right.start])
            against = folded[left.start : left.end] if is_change else folded[right.start : right.end]
            comparator = "" if left.comparator == "from" else left.comparator
            left = _with(
                left, metric=metric, comparator=comparator, baseline=left.baseline or ("" if is_change else against)
            )
            right = _with(
                right, metric=right.metric or metric, baseline=right.baseline or (against if is_change else "")
            )
        elif place and not right.metric and _is_ratio(folded, right) and _is_pair(folded, measures[place - 1], left):
            right = _with(right, metric=metric if _is_near(folded, left.end, right.start, reach=40) else "")
        measures[place : place + 2] = [left, right]
    return measures


def _with(measure: MeasureSpan, **said: str | None) -> MeasureSpan:
    """The measure with what is said of it; nothing said changes nothing."""
    changed: dict[str, Any] = {
        name: value for name, value in said.items() if (value or name != "baseline") and getattr(measure, name) != value
    }
    return measure._replace(**changed) if changed else measure


def _is_range(left: MeasureSpan, right: MeasureSpan) -> bool:
    is_bounded = left.comparator == ">=" and right.comparator == "<=" and left.unit == right.unit
    return is_bounded and right.start - left.end <= 4


def _is_pair(folded: str, left: MeasureSpan, right: MeasureSpan) -> bool:
    """Whether two measures of one unit are set against each other."""
    gap, unit = folded[left.end : right.start], canonical_unit(left.unit)
    if len(gap) > 60 or unit == "×" or unit != canonical_unit(right.unit):
        return False
    return _JOIN.search(gap) is not None and not _STOP.search(gap)


def _is_ratio(folded: str, measure: MeasureSpan) -> bool:
    """Whether a measure can be the ratio of two others, or the change between them."""
    unit = canonical_unit(measure.unit)
    if unit != "%":
        return unit == "×"
    around = folded[max(0, measure.start - 10) : measure.start] + folded[measure.end : measure.end + 10]
    return folded[measure.start] in "+-−" or _CHANGED.search(around) is not None


def _is_near(folded: str, end: int, start: int, *, reach: int) -> bool:
    gap = folded[end:start]
    return len(gap) <= reach and not _STOP.search(gap) and not _JOIN.search(gap)


def _link(folded: str, left: MeasureSpan, right: MeasureSpan, ratio: MeasureSpan) -> RatioLink:
    """Hold the stated ratio against the two numbers; of several readings the one that comes nearest counts."""
    stated, margin = abs(ratio.value), slack(folded, ratio.value, ratio.start, ratio.end)
    if canonical_unit(ratio.unit) == "%":
        is_versus = _VERSUS.search(folded[left.end : right.start]) is not None
        readings = [_change(folded, base=left, other=right)]
        readings += [_change(folded, base=right, other=left)] if is_versus else []
    else:
        small, large = sorted((left, right), key=lambda measure: abs(measure.value))
        readings = [_quotient(folded, large, small) if stated >= 1 else _quotient(folded, small, large)]
        if ratio.unit == "倍" and _GROWN.search(folded[max(0, ratio.start - 8) : ratio.start]):
            readings += [tuple(value - 1 for value in readings[0])]
    expected, low, high = min(readings, key=lambda reading: abs(reading[0] - stated))
    margin = max(margin, 0.05 * stated if ratio.comparator == "~" else 1e-9 * stated)
    is_above = high < stated - margin and ratio.comparator not in ("<", "<=", "up to")
    is_below = low > stated + margin and ratio.comparator not in (">", ">=", "from")
    return RatioLink(left, right, ratio, holds=not (is_above or is_below), expected=expected)


def _quotient(folded: str, over: MeasureSpan, under: MeasureSpan) -> tuple[float, ...]:
    """The quotient of two measures with its bounds."""
    top, bottom = abs(over.value), abs(under.value)
    top_slack = slack(folded, over.value, over.start, over.end)
    bottom_slack = slack(folded, under.value, under.start, under.end)
    high = (top + top_slack) / (bottom - bottom_slack) if bottom > bottom_slack else math.inf
    return (top / bottom if bottom else math.inf, (top - top_slack) / (bottom + bottom_slack or math.inf), high)


def _change(folded: str, *, base: MeasureSpan, other: MeasureSpan) -> tuple[float, ...]:
    """The change from `base` to `other` in percent, without sign, with its bounds."""
    exact, low, high = (100 * (value - 1) for value in _quotient(folded, other, base))
    bounds = sorted((abs(low), abs(high)))
    return (abs(exact), 0.0 if low < 0 < high else bounds[0], bounds[1])

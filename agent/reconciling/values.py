"""Figures of a finding, each with its unit, with what it measures or counts, and with how exact it is.

Units that differ in size alone are brought together (0.8 s is 800 ms), units that are confused stay apart (GB/s and Gb/s, % and
percentage points). What is counted ("12 轮", "12 turns") has no unit. Addresses, identifiers, files with their section, versions
and dates give no figures.

Promises: pure; time is linear in the text.
"""

import functools
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from agent.reading.quantities import Quantity, canonical_unit, find_quantities, fold, is_plain_year
from agent.reading.terms import terms_in
from agent.reconciling.numerals import in_digits
from agent.reconciling.wordlists import any_of
from agent.records import Measure

Amount = tuple[str, float]
"""A unit in its basic size, empty for what is counted, and the number."""

_NOTHING: frozenset[str] = frozenset()
_REACH = 24  # code points before a number in which what it counts is looked for
_MOST = 24  # figures of a finding that are looked at
_ROUND_DIGITS = 6
_MODEL = 1e8  # parameters of the smallest model

_NO_FIGURES = re.compile(
    r"https?://[!-~]+|(?:arxiv\s?[:：]?\s?)?(?<![\d.])\d{4}\.\d{4,5}(?:v\d{1,2})?(?!\d)"
    r"|(?<![\w-])[\w-]{1,60}\.md[ ·,，]{0,3}(?:§\s?)?(?:\d+(?:\.\d+)*)?|(?<![\d.])[1-5](?:\.\d)?\s?(?:stars?\b|星(?![期球系]))|\bstars?:?\s[1-5](?![\d.])|(?<![\d.:-])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:])|`[^`\n]{0,80}`|§\s?\d+(?:\.\d+)*|(?<![\d.])\d{1,2}(?:\.\d)?\s?/\s?(?:5|10|100|\d\.0)(?![\d.])",
    re.IGNORECASE,
)
_DEVICE = re.compile(r"\b(?:RTX|GTX|MI|TPU)\s?v?\d{1,4}")
_MAY_BE_NONE = re.compile(r"http|\.md|`|§|\d\s?/\s?\d|\d{4}\.\d{4}|[Ss]tars?\b|星|\d:\d\d")
_PLAIN_FIGURE = re.compile(r"(\d[\d,]*)(?:\.(\d+))?")
_BECOMES = re.compile(r"\s?(?:→|->|⇒|vs\.?|to|[降升增减缩提变改]?[到至为成])\s?")
_WRITTEN = re.compile(
    r"(?<![\w.,:/-])(?<!约)(?<!近)(?<!约\s)(?<!近\s)(?<!about )(?<!around )(?<!roughly )(?<!nearly )(\d[\d,]*(?:\.\d+)?)(?![\d:]|[.,/-]\d|\s?[年月日])"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_LONG = 3  # characters of a number that two texts hardly share by chance but for one digit
_LINE = re.compile("\n")
_ROUNDED = frozenset({"~", ">", "<", ">=", "<=", "up to"})
_BITS = re.compile(r"\s?([kKMGT])(?:bit|b)(?:/s|ps)\b")
_DEVICE_NEXT = re.compile(r"\s?[A-Z0-9]")
_TIMES = re.compile(r"\s?times\s(?:as\s)?(?:\w{1,12}er|more|less|as|better)\b")
_LIKE_BITS = re.compile(r"([kKMGT])bps")
_BYTES = re.compile(r"([kKMGTPE])?(i)?B")
_PREFIXES = {prefix: power for power, prefix in enumerate("KMGTPE", 1)}
_ENERGIES = {"Wh": 1.0, "kWh": 1e3, "MWh": 1e6, "GWh": 1e9}
SECONDS = {"ns": 1e-9, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "week": 604800.0}
_PLAIN_UNITS = frozenset({"×", "%", "pp", "$", "CNY", "tokens", "params"})
_NOUNS = re.compile(r"[^\S\n]?(?:[A-Za-z][a-z-]{2,20}|[\u3400-\u9fff]{1,6})(?:\s[a-z][a-z-]{2,20}){0,3}")
_BEFORE = re.compile(r"([A-Za-z]{3,20}|[\u3400-\u9fff]{2})\s?$")
_EMPTY_NOUNS = frozenset(
    [
        "个",
        "条",
        "the",
        "and",
        "with",
        "for",
        "per",
        "per",
        "of",
        "in",
        "at",
        "to",
        "from",
        "than",
        "more",
        "less",
        "were",
        "was",
        "are",
        "is",
        "has",
        "have",
        "new",
        "only",
        "out",
        "each",
    ]
)  # a list of words reads as words
_RATINGS = frozenset({"star", "stars", "星", "★"})
_METRICS = {
    "ttft": r"TTFT|首字|首个?\s?(?:token|词元)|first[- ]token",
    "tpot": r"TPOT|\bITL\b|inter-token|between tokens|逐字",
    "latency": r"延迟|时延|latency|response time|响应时间|耗时",
    "throughput": r"吞吐|throughput|goodput|tokens?/s|tok/s|QPS",
    "hit": r"命中|\bhits?\b",
    "accuracy": r"准确率|正确率|accuracy|精度",
    "recall": r"召回|recall",
    "error": r"错误率?|误差|失败|误判|\berrors?\b|fail",
    "loss": r"损失|\bloss\b",
    "memory": r"显存|内存|memory|\bRAM\b|VRAM|footprint",
    "cost": r"成本|价格|费用|报价|\bcosts?\b|\bpric(?:e|es|ing)\b",
    "energy": r"能耗|功耗|energy|\bpower\b",
    "bandwidth": r"带宽|bandwidth",
    "speed": r"提速|加速|更快|快了?|speed-?up|faster",
    "win": r"胜率|win rate|preferred",
    "refusal": r"拒答|refus",
    "utilisation": r"利用率|utili[sz]ation|MFU",
    "size": r"体积|文件大小|download size|on disk",
    "p50": r"P50|中位|median",
    "p90": r"P9[05]",
    "p99": r"P99|99th|tail|尾",
    "mean": r"平均|average|\bmean\b",
    "each": r"每(?:一)?[张块台个]?(?:卡|GPU|节点|机)|\b(?:per|each|every|a)[ -](?:GPU|card|device|node|accelerator)\b|/GPU",
    "all": r"整机|全机|总计|合计|总吞吐|聚合|总共|整个集群|\b(?:in all|in total|total|aggregate|altogether|combined|cluster-wide)\b",
}  # fmt: skip
_METRIC = re.compile(any_of(_METRICS))
_SCOPES = frozenset({"each", "all"})


class Value(NamedTuple):
    """One figure of a finding.

    Attributes:
        amount: by which equal figures are equal.
        written: number and unit before units are brought together.
        low, high: ends of the range that it is an end of, else itself.
        is_rounded: the text says so, or a scale word does ("8.7 万").
        digits: the significant ones, as written ("43.0" has three).
        decimals: those behind the point.
        said: the clauses that give it.
        near: what stands right beside it there.
    """

    amount: Amount
    written: tuple[float, str]
    low: float
    high: float
    is_rounded: bool
    digits: int
    decimals: int
    said: str
    near: str

    @property
    def metrics(self) -> frozenset[str]:
        """What its clauses measure."""
        return _measured(self.said)[0]

    @property
    def scope(self) -> int:
        """1 for each device, -1 for all of them, 0 where nothing is said."""
        return _measured(self.said)[1]

    @property
    def counted(self) -> frozenset[str]:
        """Words for what is counted, the same in both languages where they are terms of the trade; none beside a unit."""
        return _NOTHING if self.amount[0] else _counted(self.near)

    @property
    def is_telling(self) -> bool:
        """Whether it is a result rather than a count: it has a unit or a fraction."""
        return bool(self.amount[0] or self.decimals)

    @property
    def is_model_size(self) -> bool:
        """Whether it reads like a model's number of parameters ("7B")."""
        return self.amount[0] in {"", "params"} and self.is_rounded and self.amount[1] >= _MODEL


def read_values(clauses: Sequence[str]) -> tuple[Value, ...]:
    """Return the figures of some clauses, each once, in order; at most 24."""
    found: dict[Amount, Value] = {}
    for value in _read(clauses):
        before = found.get(value.amount)
        found[value.amount] = value if before is None else _joined(before, value)
        if len(found) == _MOST:
            break
    return tuple(found.values())


def with_measures(values: tuple[Value, ...], measures: Iterable[Measure]) -> tuple[Value, ...]:
    """Add measures that no clause gave."""
    known = {value.written[0] for value in values}
    added = (measure for measure in measures if abs(measure.value) not in known and measure.unit not in _RATINGS)
    return (*values, *map(_of_measure, added))[:_MOST]


@functools.lru_cache(maxsize=4096)
def written_numbers(texts: tuple[str, ...]) -> frozenset[str]:
    """Return all numbers of three characters and more, whatever they are, but years and those told as rounded."""
    text = fold(_NO_FIGURES.sub(" ", "\n".join(texts)))
    return frozenset(
        found[1].replace(",", "")
        for found in _WRITTEN.finditer(text)
        if len(found[1]) >= _LONG and not _YEAR.fullmatch(found[1])
    )


def _of_measure(measure: Measure) -> Value:
    written = abs(measure.value), _LIKE_BITS.sub(r"\1b/s", canonical_unit(measure.unit))
    amount = _amount(*written)
    is_rounded = measure.comparator not in {"", "="}
    decimals = 0 if written[0].is_integer() else len(f"{written[0]:.6g}".partition(".")[2])
    return Value(
        amount, written, amount[1], amount[1], is_rounded, digits_of(written[0]), decimals, measure.metric, written[1]
    )


@functools.lru_cache(maxsize=16384)
def _measured(said: str) -> tuple[frozenset[str], int]:
    """What clauses measure, and whether for each device or for all of them."""
    found = frozenset(match.lastgroup or "" for match in _METRIC.finditer(said))
    return found - _SCOPES, ("each" in found) - ("all" in found)


def _joined(before: Value, again: Value) -> Value:
    """A figure that is given twice measures what either clause says."""
    said = before.said if again.said in before.said else f"{before.said}\n{again.said}"
    return before._replace(said=said, near=f"{before.near}\n{again.near}")


def _read(clauses: Sequence[str]) -> Iterator[Value]:
    """Read all clauses at once, one to a line."""
    text = "\n".join(clause.replace("\n", " ") for clause in clauses).replace("：", ":")
    if _MAY_BE_NONE.search(text):
        text = _NO_FIGURES.sub(" ", text)
    folded = fold(in_digits(_DEVICE.sub(" ", text)))
    lines = [0, *(match.end() for match in _LINE.finditer(folded))]
    quantities = [one for one in find_quantities(folded, []) if not is_plain_year(one)]
    for place, quantity in enumerate(quantities):
        after = quantities[place + 1] if place + 1 < len(quantities) else None
        written = abs(quantity.value), _unit(folded, quantity.end, quantity.unit)
        if after and after.unit and not written[1] and _BECOMES.fullmatch(folded, quantity.end, after.start):
            written = written[0], _unit(folded, after.end, after.unit)  # "880 → 410 ms"
        amount = _amount(*written)
        low = high = amount[1]
        if quantity.comparator == ">=" and after and after.comparator == "<=":
            high = _amount(abs(after.value), written[1])[1]
        elif quantity.comparator == "<=" and place and quantities[place - 1].comparator == ">=":
            low = _amount(abs(quantities[place - 1].value), written[1])[1]
        is_rounded = quantity.comparator in _ROUNDED or quantity.scale > 1
        figure = _PLAIN_FIGURE.search(folded, quantity.start, quantity.end)
        decimals = len(figure[2] or "") if figure else 0
        digits = _digits_written(figure) if figure and not is_rounded else digits_of(amount[1])
        said = clauses[bisect_right(lines, quantity.start) - 1]
        near = "" if amount[0] else _near(folded, quantity)
        yield Value(amount, written, low, high, is_rounded, digits, decimals, said, near)


def _digits_written(figure: "re.Match[str]") -> int:
    """Significant digits: "43.0" has three, "12,400" has five, but three noughts at the end are a rounding."""
    whole = figure[1].replace(",", "")
    if not figure[2] and whole.endswith("000"):
        whole = whole.rstrip("0")
    return max(1, len((whole + (figure[2] or "")).lstrip("0")))


def _unit(folded: str, end: int, unit: str) -> str:
    if not unit and _TIMES.match(folded, end):
        return "×"
    if not unit and (bits := _BITS.match(folded, end)):
        return f"{bits[1]}b/s"
    canonical = canonical_unit(unit)
    if canonical == "×" and _DEVICE_NEXT.match(folded, end):
        return ""  # "4×H100" counts
    if canonical[0:2] in {"%/", "×/"}:  # "1.1 % a result"
        return canonical[0]
    return _LIKE_BITS.sub(r"\1b/s", canonical)


@functools.lru_cache(maxsize=1024)
def _size(unit: str) -> tuple[str, float]:
    """The basic unit and the factor; no unit where something is counted."""
    first, slash, rest = unit.partition("/")
    if first in SECONDS:
        return f"s{slash}{rest}", SECONDS[first]
    if first in _ENERGIES:
        return f"Wh{slash}{rest}", _ENERGIES[first]
    if match := _BYTES.fullmatch(first):
        return f"B{slash}{rest}", (1024.0 if match[2] else 1000.0) ** _PREFIXES.get((match[1] or "").upper(), 0)
    if unit.endswith("b/s") and len(unit) == 4:
        return "b/s", 1000.0 ** _PREFIXES[unit[0].upper()]
    if first in _PLAIN_UNITS or slash or (first.isupper() and first.isascii()):
        return unit, 1.0
    return "", 1.0


def _amount(value: float, unit: str) -> Amount:
    basic, factor = _size(unit)
    return basic, float(f"{value * factor:.{_ROUND_DIGITS}g}")


def _near(folded: str, quantity: Quantity) -> str:
    """What follows a number, or the word before it where nothing does."""
    after = _NOUNS.match(folded, quantity.end)
    said = f"{quantity.unit} {after.group() if after else ''}"
    if said != " ":
        return said
    before = _BEFORE.search(folded[max(0, quantity.lead - _REACH) : quantity.lead].rstrip())
    return before[1] if before else ""


@functools.lru_cache(maxsize=16384)
def _counted(near: str) -> frozenset[str]:
    words: set[str] = set(terms_in(near))
    for word in near.lower().split():
        words.add(word.removesuffix("s"))
        words.update(word[place : place + 2] for place in range(len(word) - 1) if word[0] >= "\u3400")
    return frozenset(words - _EMPTY_NOUNS)


@functools.lru_cache(maxsize=8192)
def digits_of(value: float) -> int:
    """Significant digits of a number as it would be written."""
    if not value:
        return 1
    digits = f"{value:.{_ROUND_DIGITS}g}"
    mantissa = digits.partition("e")[0].replace(".", "").strip("0")
    return max(1, len(mantissa))

"""Reads numbers with sign, currency, scale word, unit and comparator: the grammar under `measures`.

Promises: quantities come in order and do not overlap; dates, times, versions, references, ordinals, fractions, file names,
flags and digits inside a word are none; nothing is guessed from words further away than the number's own neighbours.
Time is linear: every look-up is anchored at a number or sees a window of fixed size.
"""

import functools
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast

from agent.reading.identifiers import find_arxiv, fold_full_width

Comparator = Literal["", "=", ">", ">=", "<", "<=", "~", "up to", "from"]
Bounds = tuple[int, int]

HAN = "\u4e00-\u9fff"
_FURTHER_DIGITS = (
    r"(?:[0-9]{0,2}(?:,[0-9]{3}){1,5}(?:\.[0-9]{1,9})?|[0-9]{0,17}(?:\.[0-9]{1,9})?)"
    r"(?![0-9]|\.[0-9]|,[0-9]{3}(?![0-9]))"
)
# Begins with a set, so that the search for it is quick; what must not stand before is looked at afterwards.
_NUMBER = re.compile(
    r"[0-9](?<![A-Za-z0-9_.@#%§±^'’&][0-9])(?<![A-Za-z0-9][-–—/~][0-9])(?<![0-9],(?=[0-9]{3}(?![0-9]))[0-9])"
    rf"{_FURTHER_DIGITS}"
)
_NUMBER_AT = re.compile(rf"[0-9]{_FURTHER_DIGITS}")
_SCALE_WORDS = r"万亿|千亿|百亿|十亿|千万|百万|十万|亿|万|千(?![克瓦字米赫])|(?i:thousand|million|billion|trillion)\b"
_SCALES = {
    "k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "t": 1e12,
    "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12,
    "千": 1e3, "万": 1e4, "十万": 1e5, "百万": 1e6, "千万": 1e7,
    "亿": 1e8, "十亿": 1e9, "百亿": 1e10, "千亿": 1e11, "万亿": 1e12,
}  # fmt: skip

# Units by what they mean: a quantity keeps the spelling, `canonical_unit` brings spellings together.
_SPELLINGS = {
    "×": r"×|✕|\\times|[xX]|倍|fold",
    "%": r"\\?%|percent",
    "pp": "个?百分点|percentage points?|ppt|pp",
    "$": "美元|美金|USD|US\\$|dollars?",
    "CNY": "元(?!学|数据)|人民币|RMB|CNY|[¥￥]",
    "ms": "ms|毫秒|milliseconds?",
    "μs": "[μµu]s|微秒|microseconds?",
    "ns": "ns|纳秒",
    "s": "s|secs?|seconds?|秒钟?",
    "min": "mins?|minutes?|分钟",
    "h": "h|hrs?|hours?|小时",
    "d": "d|days?|天|日",
    "week": "weeks?|周",
    "month": "mo|months?|个月|月",
    "year": "yr|years?|年",
    "tokens": "tok|[tT]okens?|词元",
    "requests": "req|requests?|请求",
    "lines": "lines?|行(?![业动为])",
    "users": "users?|用户",
    "customers": "customers?|客户",
    "downloads": "downloads?|下载量?",
    "params": "(?:(?:total|active|activated) )?(?:params?|parameters?)|(?:总|激活)?参数",
    "files": "files?|文件",
}
_SIZES = "[kKMGTPE]i?[Bb]ps|[kKMGTPE]i?B|[MGT]b|bytes?|字节|[KMGTPEZ]?FLOPS?|TOPS|[kMG]?Hz|[kMG]?Wh?|℃|°C|QPS|RPS|TPS|FPS|fps|欧元|日元|EUR"
_NOUNS = (
    "iteration|step|sample|image|frame|call|GPU|node|layer|expert|head|model|agent|page|paper|star|point|task|run|test|question|document"
    "|turn|round|item|example|dataset|core"
)
_CHINESE_NOUNS = "节点|专家|模型|任务|样本|图像|图片|文档|查询|企业|开发者"
_CHINESE_COUNTS = (
    "条(?![目件])|个(?!百分点|月)|件(?!套)|篇|张|次(?![级日要])|名(?!称)|人(?![工机类])"
    "|家(?!庭)|台(?!阶)|层(?!级)|轮|页|份|款|种|项(?!目)|卡(?!片)|块|步(?!骤)|字(?![段符体])|分(?![钟支析布层类])|组(?![件合织])|场(?!景)"
)
_END = "(?:(?<![A-Za-z])|(?![A-Za-z0-9_]))"
_SPELLED = "|".join(_SPELLINGS.values())
_ANY_UNIT = rf"(?:{_SPELLED}|{_SIZES}|it|(?:{_NOUNS})s|queries|people|{_CHINESE_NOUNS}|{_CHINESE_COUNTS}){_END}"
_PER = (
    rf"(?:\s?/\s?(?:(?:1|10|100)?[kKM]?\s?|百万\s?)(?:input\s|output\s)?(?!%|\\|[×xX倍])(?:{_SPELLED}|{_NOUNS}|[次人卡]){_END}"
    r"|\sper\s(?:million|billion|thousand)\s(?:(?:input|output|cached)\s)?tokens?\b|\s(?:per|a)\s[a-z]{3,7}\b)"
)
_RATE = re.compile(_PER)
_ONLY_AFTER_SLASH = frozenset({"日", "d", "mo", "月", "yr"})
_ONLY_BEFORE_SLASH = frozenset({"it", "req", "line", "user", "customer", "download", "param", "file", "request"})
_CANONICAL = tuple((name, re.compile(spelled)) for name, spelled in _SPELLINGS.items())
_SLASH = re.compile(r"\s?/\s?|\s(?:per|a)\s")
_SECONDS = {
    "ns": 1e-9, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "week": 604800.0,
    "month": 2592000.0, "year": 31536000.0,
}  # fmt: skip
_SIZE = re.compile(r"(?P<scale>[kKMGTPEZ])?(?P<binary>i)?(?P<of>B|b|FLOPS|W|Wh|Hz)(?P<rate>ps)?")
_SCALED = re.compile(
    r"(?P<count>100|10|1)?(?P<scale>[kKM]|百万|(?:million|billion|thousand)(?=\s))\s?(?:(?:input|output|cached)\s)?(?=\S{3})"
)
_PLAIN_WORD = re.compile(
    rf"(?:{_NOUNS}|user|customer|download|file|line)s|people|queries|{_CHINESE_NOUNS}|用户|客户|文件|参数|请求"
)

# Read from the left, so "不超过" is found before "超过". Han words need no boundary, Latin ones do.
_COMPARATORS: dict[Comparator, str] = {
    ">=": "≥|⩾|>=|至少|不少于|不低于|最少|最低|起码|at least|no less than|no fewer than",
    "<=": "≤|⩽|<=|至多|最多|不超过|不多于|不高于|at most|no more than",
    ">": "(?<![-=])>|超过|超出|超|逾|多于|高于|大于|突破|over|more than|above|exceed(?:s|ing)|greater than",
    "<": "<|低于|小于|少于|不足|不到|under|below|less than|fewer than",
    "~": r"≈|~|∼|大约|约为?|将近|接近|(?<![最附])近|about|approximately|approx\.?|around|roughly|nearly|almost",
    "up to": "高达|最高达?|可达|多达|up to|as much as|as high as|as many as",
    "from": "起价|from|starting (?:at|from)",
    "=": "(?<![<>=])=|等于",
}
_SYMBOLS = tuple(_COMPARATORS)
_COMPARED = re.compile(
    rf"(?:(?<![A-Za-z])(?=[a-z])|(?![a-z]))(?:{'|'.join(f'({words})' for words in _COMPARATORS.values())})$",
    re.IGNORECASE,
)
_LONGEST_COMPARED = 16
# What they end with, so that the search is left out beside other words.
_COMPARED_ENDS = (
    *"少于低多超过高出逾破约近达足≥⩾=≤⩽<≈~∼>", "起码", "约为", "起价", "不到",
    "east", "than", "most", "over", "above", "exceeding", "exceeds", "under", "below", "about", "ly", "approx", "approx.", "around",
    "almost", "up to", "as", "from", "at",
)  # fmt: skip
_AFTERWARDS: dict[Comparator, str] = {
    ">=": rf"\s?及?或?以上|\sor more|\+(?=\s?(?:[{HAN}),。;]|$)|\s[A-Za-z])",
    "<=": r"\s?及?或?以下|\s?以内|\s?之内|\sor less",
    "~": r"\s?左右|\s?上下",
    ">": "余|多(?=[万亿个条行人次倍名篇件天年])",
}
_BOUND = rf"(?=\s?[及或以之左上余多o+])(?:{'|'.join(f'({words})' for words in _AFTERWARDS.values())})"
_BOUNDED = re.compile(_BOUND)
_BOUNDS = tuple(_AFTERWARDS)


def _behind(scale: str, unit: str) -> re.Pattern[str]:
    """What may stand right behind a number, in one look: a scale, a bound, a unit; each of them may be missing."""
    return re.compile(
        rf"(?:(?:\s(?=[MBT]\s?(?:tokens?|param|参数|词元)))?(?P<latin>{scale}|bn|mn)(?![A-Za-z0-9])|\s?(?P<word>{_SCALE_WORDS}))?(?P<bound>{_BOUND})?(?P<unit>{unit})?"
    )


_BEHIND_NUMBER = _behind(
    "[kKMBT]", rf"(?=[\s-]?[\w×✕\\%¥￥℃°])(?:\s?|-(?=[a-z]))(?P<base>{_ANY_UNIT})(?P<per>{_PER}{{0,2}})"
)
_BEHIND_MONEY = _behind("[kKmMbBtT]", _PER)
_TAG = re.compile(r"<[^<>]{1,80}>\s?$|^\s*>\s$")
_CURRENCY = re.compile(r"(?:US\$|HK\$|[$€£¥￥])\s?$")
_SIGN = re.compile(rf"(?:^|[\s(\[:,、{HAN}])([-−+])$")
_RANGE = re.compile(r"(?:[-–—~]|\s?–\s?|\s?至\s?|\s?到\s?|\sto\s)(?=[$€£¥]?[0-9])")
_CHANGE_BEFORE = re.compile(r"(?:从|由|\bfrom)\s?[约~≈]?\s?$", re.IGNORECASE)

# What a number is when it is no quantity.
_DATED = re.compile(
    r"(?=[0-9.,]{1,12}\s{0,2}[-–~至到/年HQ月日号:JFMASONDxsnrt⭐★☆星×X*])(?:(?:19|20)[0-9]{2}(?:\s?[-/](?:0?[1-9]|1[0-2])(?![0-9])|\s?(?:[-–~至到/]\s?(?:(?:19|20)[0-9]{2}|[0-9]{2}))?\s?(?:年|[HQ][1-4]))"
    r"|[0-9]{1,4}\s?年\s?[0-9]{1,2}\s?月|[0-9]{1,2}\s?月(?![均度活租费])|[0-9]{1,2}\s?[日号](?![均活])|[0-9]{1,2}:[0-9]{2}"
    r"|[0-9]{1,4}(?:-[0-9]{1,6}){2}|[0-9]{1,4}\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|[0-9]{1,4}\.x"
    r"|[0-9]{1,3}(?:st|nd|rd|th)\b|[0-9](?:\.[0-9])?\s?[⭐★☆星]|[0-9.,]{1,12}/[0-9]|[0-9]{1,6}[×xX*][0-9]|[0-9]{1,6}\s[×xX*]\s[0-9])"
)
_LINE_ORDINAL = re.compile(r"(?:^|\n|\s-\s)[\s*#>•-]{0,8}[(]?$")
_ORDINAL_END = re.compile(r"(?:\.[0-9]{1,3}){0,3}(?:[.):]\s|[、)])")
# "section 3", "Fig. 2", "增量 3" refer to something.
_REFERRED_WORDS = (
    "section", "sec", "fig", "figure", "table", "chapter", "appendix", "step", "phase", "stage", "part", "item", "issue", "pr", "page", "vol",
    "volume", "level", "tier", "wave", "class", "round", "version", "ver", "eq", "equation", "day", "type", "line", "top", "rank", "id", "no",
    "note", "algorithm", "jan", "january", "feb", "february", "mar", "march", "apr", "april", "may", "jun", "june", "jul", "july", "aug",
    "august", "sep", "sept", "september", "oct", "october", "nov", "november", "dec", "december",
)  # fmt: skip
_REFERRED_CHINESE = ("条目", "增量", "警示", "待核实", "附录", "步骤", "阶段", "版本", "编号", "序号", "方案")
_REFERRED = re.compile(
    rf"(?=[§#第a-z图表式条增警待附步阶版编序方章节])"
    rf"(?:[§#第]|\b(?:{'|'.join(_REFERRED_WORDS)})s?\.?|\bpp?\.|(?<![{HAN}])[图表式]|{'|'.join(_REFERRED_CHINESE)}|章节?|节)[\s:#]{{0,2}}$",
    re.IGNORECASE,
)
# What stands before the search for them is worth it.
_REFERRED_SIGNS = frozenset("§#第图表式章节")
_REFERRED_ENDS = frozenset(
    (word + ending)[-2:] for word in (*_REFERRED_WORDS, *_REFERRED_CHINESE, "p") for ending in ("", "s", ".", "s.")
)
_HOUR = re.compile(r"(?<![A-Za-z0-9,.])[0-9]{1,2}(?::[0-9]{2})?:$")
_FLAG = re.compile(r"-(?<!\S-)-?[a-z][\w-]{0,40}[= ]$")
_ASSIGNED = re.compile(r"[A-Za-z0-9_]=$")
_FILE_TAIL = re.compile(
    r"[A-Za-z0-9_.-]{0,120}\.(?:md|py|jsonl?|ya?ml|csv|tsv|pdf|txt|html?|ipynb|sh|toml|gguf|bin|safetensors|zip|gz|jpe?g|png)\b"
)
_FIGURE = re.compile(
    r"(?P<digits>[0-9]{1,18}(?:(?:,[0-9]{3}(?![0-9])){1,5})?(?:\.[0-9]{1,18}){0,4})"
    r"(?P<scale>[kKMBT](?![A-Za-z0-9])|\s[MBT](?=\s?(?:tokens?|param(?:eter)?s?|参数|词元)(?![a-z]))|\s?(?:万亿|千亿|百亿|十亿|千万|百万|十万|[万亿千]|(?i:thousand|million|billion|trillion)\b))?"
)


@dataclass(slots=True)
class Quantity:
    """A number with what is glued to it, offsets into the folded text.

    Attributes:
        value: with the scale word multiplied out.
        unit: as written; the currency before the number comes first.
        lead: where the comparator before the number begins.
        start, end: sign, currency, number, scale and unit.
        scale: what the scale word stands for, 1 without one.
        has_shape: thousands separators, or a scale word that is no mere letter, show that it counts something.
    """

    value: float
    unit: str
    comparator: Comparator
    lead: int
    start: int
    end: int
    scale: float
    has_shape: bool


def fold(text: str) -> str:
    """ASCII for full-width forms, offsets kept; the full-width comma separates and never groups thousands."""
    return fold_full_width(text.replace("，", "、"))


@functools.lru_cache(maxsize=1024)
def canonical_unit(unit: str) -> str:
    """One spelling for units that mean the same: `tok/s` is `tokens/s`, `x` and `倍` are `×`, `百分点` is `pp`, `美元` is `$`.

    What is not the same stays apart: `GB` and `GiB`, `%` and `pp`, `tokens` and `tokens/s`.
    """
    parts = _SLASH.split(fold_full_width(unit).strip())
    return "/".join(next((name for name, spelled in _CANONICAL if spelled.fullmatch(part)), part) for part in parts)


@functools.lru_cache(maxsize=1024)
def in_base(unit: str) -> tuple[str, float]:
    """Return what a unit measures, as a unit that others of its kind can be brought to, and how many of those it holds.

    `ms` is 0.001 `s`, `Gbps` is 1e9 `bit/s`, `$/M tokens` is 1e-6 `$/tokens`. Binary and decimal sizes are of one kind. What
    cannot be converted keeps its own name: `tokens` and `tokens/s`, `%` and `pp`, `B` and `bit`, `$` and `CNY`.
    """
    first, *below = canonical_unit(unit).split("/")
    name, factor = _base(first)
    for part in below:
        scaled = _SCALED.match(part)
        under, size = _base(part[scaled.end() :] if scaled else part)
        name += f"/{under}"
        factor /= size * (_SCALES[scaled["scale"].lower()] * float(scaled["count"] or 1) if scaled else 1)
    return name, factor


def _base(unit: str) -> tuple[str, float]:
    if unit in _SECONDS:
        return "s", _SECONDS[unit]
    if unit in ("QPS", "RPS"):
        return "requests/s", 1.0
    size = _SIZE.fullmatch(unit)
    if size:
        of = "bit" if size["of"] == "b" else size["of"]
        power = "kmgtpez".index(size["scale"].lower()) + 1 if size["scale"] else 0
        return of + ("/s" if size["rate"] else ""), float((1024 if size["binary"] else 1000) ** power)
    if unit in ("byte", "bytes", "字节"):
        return "B", 1.0
    return next((name for name, spelled in _CANONICAL if spelled.fullmatch(unit)), unit), 1.0


def is_plain_year(quantity: Quantity) -> bool:
    """Whether a number reads as a year: 1900 to 2099, written plainly, and no unit but a noun (`2026 models`, `2026 企业`)."""
    is_year = 1900 <= quantity.value < 2100 and quantity.value.is_integer() and quantity.scale == 1
    if not is_year or quantity.has_shape:
        return False
    return not quantity.unit or _PLAIN_WORD.fullmatch(quantity.unit) is not None


def numbers_in(text: str) -> frozenset[str]:
    """Every figure of `text` in canonical form, to check that the figures of one text stand in another.

    The rule: arXiv identifiers give themselves, without version. Elsewhere each run of digits is a figure, also inside
    words (`H100` gives `100`), after folding full-width forms; thousands separators go (`1,607` is `1607`), and so do zeros
    that mean nothing (`07` is `7`, `2.40` is `2.4`). Two dots or more make a version, which stays as it is (`v0.20.0` gives
    `0.20.0`). A scale word stays with its number, as written but without space and ignoring case (`87K`, `57万`,
    `2.5million`); signs, units and currencies go (`2.4×` is `2.4`).
    """
    folded = fold(text)
    identifiers = find_arxiv(text)
    starts = [0, *(span.end for span in identifiers)]
    ends = [*(span.start for span in identifiers), len(folded)]
    rest = "\n".join(folded[start:end] for start, end in zip(starts, ends, strict=True))
    figures = (
        _canonical_digits(match["digits"]) + _canonical_scale(match["scale"]) for match in _FIGURE.finditer(rest)
    )
    return frozenset((*(span.identifier for span in identifiers), *figures))


def _canonical_digits(digits: str) -> str:
    digits = digits.replace(",", "")
    if digits.count(".") > 1:
        return digits
    whole, _, fraction = digits.partition(".")
    fraction = fraction.rstrip("0")
    return (whole.lstrip("0") or "0") + ("." + fraction if fraction else "")


def _canonical_scale(scale: str | None) -> str:
    scale = (scale or "").strip()
    return scale.upper() if len(scale) == 1 else scale.lower()


def find_quantities(folded: str, masked: list[Bounds]) -> Iterator[Quantity]:
    """The quantities of a text folded by `fold`, those without unit included; a range gives its two ends, `>=` and `<=`.

    Numbers that begin inside `masked` (sorted spans) are passed over.
    """
    place = reach = 0
    for match in _NUMBER.finditer(folded):
        while place < len(masked) and masked[place][0] <= match.start():
            reach = max(reach, masked[place][1])
            place += 1
        if match.start() < reach:
            continue
        low = _quantity(folded, match)
        high = _range_end(folded, low)
        reach = max(reach, (high or low).end)
        if (high and not high.unit) or _is_excluded(folded, match.start(), match.end(), unit=low.unit):
            continue
        yield low
        if high:
            yield high


def outside(quantities: list[Quantity], spans: list[Bounds]) -> list[Quantity]:
    """The quantities that no span overlaps."""
    kept, place = [], 0
    for quantity in quantities:
        while place < len(spans) and spans[place][1] <= quantity.start:
            place += 1
        if place == len(spans) or spans[place][0] >= quantity.end:
            kept.append(quantity)
    return kept


def slack(folded: str, value: float, start: int, end: int) -> float:
    """Half a unit of the last digit written, in the scale of `value`, which stands from `start` to `end`."""
    written = _FIGURE.search(folded, start, end)
    digits = written["digits"].replace(",", "") if written else "0"
    number = float(digits)
    scale = abs(value) / number if number else 1.0
    return 0.5 * scale * math.pow(10, -len(digits.partition(".")[2]))


def _quantity(folded: str, match: re.Match[str]) -> Quantity:
    """The number of `match` with its neighbours."""
    digits = match.group()
    start, currency = _currency_before(folded, match.start(), match.end())
    sign = _SIGN.search(folded, max(0, start - 2), start) if start and folded[start - 1] in "-−+" else None
    start -= 1 if sign else 0
    behind = cast("re.Match[str]", (_BEHIND_MONEY if currency else _BEHIND_NUMBER).match(folded, match.end()))
    latin, word, bound = behind.group("latin", "word", "bound")
    scale = _SCALES[(latin or word).lower()] if latin or word else 1.0
    unit, end = _unit_behind(behind, currency)
    before, lead = _comparator_before(folded, start)
    if bound:
        after = _comparator_after(folded, behind.start("bound"))
    else:
        after = _comparator_after(folded, end) if unit else ""
    return Quantity(
        value=float(digits.replace(",", "")) * scale * (-1 if sign and sign[1] != "+" else 1),
        unit=unit,
        comparator=after or before,
        lead=lead,
        start=start,
        end=end,
        scale=scale,
        has_shape="," in digits or bool(word),
    )


def _currency_before(folded: str, start: int, end: int) -> tuple[int, str]:
    """The currency before the number from `start` to `end`, and where it begins."""
    near = folded[max(0, start - 4) : start]
    currency = _CURRENCY.search(near) if near.rstrip().endswith(("$", "€", "£", "¥", "￥")) else None
    if not currency or folded.startswith(("$", "\\", "_", "^", "{"), end):  # dollars that enclose a formula
        return start, ""
    return start - len(currency.group()), currency.group().strip()


def _unit_behind(behind: re.Match[str], currency: str) -> tuple[str, int]:
    """The unit as written, behind the currency that stood before the number, and where it ends."""
    unit, end = behind["unit"], behind.end()
    if currency:
        return currency + (unit or ""), end
    if not unit:
        return "", end
    base, per = behind.group("base", "per")
    if base in _ONLY_AFTER_SLASH or (not per and base in _ONLY_BEFORE_SLASH):
        return "", behind.start("unit")
    return unit.strip(" -"), end


def _comparator_before(folded: str, start: int) -> tuple[Comparator, int]:
    """The comparator that ends before `start`, and where it begins."""
    floor = max(0, start - 32)
    near = folded[floor:start].rstrip(" *_")
    is_possible = near.lower().endswith(_COMPARED_ENDS)
    match = _COMPARED.search(near, max(0, len(near) - _LONGEST_COMPARED)) if is_possible else None
    if not match or (near.endswith(">") and _TAG.search(folded[max(0, start - 84) : start])):
        return "", start
    return _SYMBOLS[(match.lastindex or 1) - 1], floor + match.start()


def _comparator_after(folded: str, end: int) -> Comparator:
    """The comparator written after a number or unit."""
    match = _BOUNDED.match(folded, end)
    return _BOUNDS[(match.lastindex or 1) - 1] if match else ""


def _range_end(folded: str, low: Quantity) -> Quantity | None:
    """The upper end where `low` begins a range; both ends then share scale and unit and bound the value."""
    dash = _RANGE.match(folded, low.end)
    if not dash:
        return None
    match = _NUMBER_AT.match(folded, dash.end() + (not folded[dash.end()].isdigit()))
    if not match:
        return None
    if dash.group().strip() in ("到", "to") and _CHANGE_BEFORE.search(folded[max(0, low.lead - 8) : low.lead]):
        return None
    high = _quantity(folded, match)
    if low.unit and low.unit[-1] in "$€£¥" and not high.unit:  # "$3-5/hr"
        rate = _RATE.match(folded, high.end)
        high.unit, high.end = (low.unit + rate.group(), rate.end()) if rate else (low.unit, high.end)
    value = low.value * high.scale if low.scale == 1 else low.value
    is_same = low.unit in ("", high.unit) or high.unit.startswith(low.unit + "/")
    if value >= high.value or not is_same:
        return None
    low.value, low.unit, low.comparator, high.comparator, high.lead = value, high.unit, ">=", "<=", high.start
    return high


def _is_excluded(folded: str, start: int, end: int, *, unit: str) -> bool:
    """Whether the number from `start` to `end` is a date, reference, ordinal, part of a file name or the value of a flag."""
    before = folded[max(0, start - 48) : start]
    last = before[-1:]
    if _DATED.match(folded, start) or _FILE_TAIL.match(folded, end):
        return True
    if last in ("=", " ") and _FLAG.search(before):
        return True
    if (last == "=" and _ASSIGNED.match(before, len(before) - 2)) or (last == ":" and _HOUR.search(before[-8:])):
        return True
    if _ORDINAL_END.match(folded, end) and _LINE_ORDINAL.search(before):
        return True
    tail = before.rstrip().rstrip(":").rstrip()[-2:].lower()
    may_refer = tail[-1:] in _REFERRED_SIGNS or tail in _REFERRED_ENDS
    if not (may_refer and _REFERRED.search(before[-16:])):
        return False
    is_counted = bool(unit) and not unit.isascii() and before.rstrip()[-1:] not in ("§", "#", "第")
    return not is_counted  # "增量 3 条" counts, "增量 3" and "第 3 条" refer

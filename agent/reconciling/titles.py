"""Reads what a title is about, and says what keeps two titles apart whatever their wording.

A title is taken apart by form, never by a list of products: Latin names, the numbers that belong to a name (versions,
model sizes, pull requests), quantities with their units, negation, direction, rank. The few word lists below hold
ordinary vocabulary in Chinese and English, not things.

Promises: pure, symmetric, and linear in the length of a title.
"""

import functools
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_LENGTH = 300  # code points of a title that are looked at
_SHORTEST_CLAUSE = 10  # code points before a dash that can stand for the whole title
_RUN = 3  # Latin words that may be written as one

_ARXIV = re.compile(r"(?:arxiv\s?[:：]?\s?)?(?<![\d.])\d{4}\.\d{4,5}(?!\d)(?:v\d{1,2})?", re.IGNORECASE)
_TAG = re.compile(r"^\s?[【\[][^【】\[\]§/]{0,60}[§/][^【】\[\]]{0,120}[】\]]")
_SECTION = re.compile(r"§\s?\d+(?:\.\d+)*")
_URL = re.compile(r"https?://[!-~]+", re.IGNORECASE)
_DATE = re.compile(
    r"(?<![\d.])(?:(?:19|20)\d\d[-/.年])?(?:0?[1-9]|1[0-2])[-/月](?:0?[1-9]|[12]\d|3[01])日?(?![\d.]|\s?[×xX倍%])"
    r"|(?<!\d)(?:19|20)\d\d[-/.年](?:0[1-9]|1[0-2])(?!\d)"
)
_SHORT_YEAR = re.compile(r"\s?['\u2019](\d\d)(?!\d)")
_NUMBERING = re.compile(
    r"^[#\s]{0,8}(?:(?:增量|finding)\s?\d{1,3}|[(（]?\d{1,2}[)）]|\d{1,2}[.、](?!\d)|[一二三四五六七八九十]{1,3}、)[\s:：.、]{0,4}",
    re.IGNORECASE,
)
_REMARK = re.compile(r"[(（【\[][^()（）【】\[\]]{0,40}(?:[★☆⭐]|必补|旁证|警示)[^()（）【】\[\]]{0,40}[)）】\]]")
_STAR = re.compile(r"[★☆⭐🌟]\ufe0f?")
_CLAUSE_END = re.compile(r"——|—|\s[–-]\s|[。；;]")

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*\+{0,2}")
_LAST_WORD = re.compile(r"[A-Za-z][A-Za-z0-9.]{0,30}$")
_STEM = re.compile(r"([a-z]+(?:\.[a-z]+)*)?\.?(\d+(?:\.\d+)*[a-z]{0,2})?")
_MIXED_CASE = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
_NUMBERED = re.compile(r"#\s?(\d{1,9})")
_CLASSIFIERS = "层类维种条个大项倍天节步阶级代轮版路套件强行篇款家人次元页张"
_FIGURE = re.compile(
    r"(?<![A-Za-z0-9.,#_-])(?P<sign>[$€¥])?(?P<first>\d+(?:,\d{3})*(?:\.\d+)*)"
    r"(?:\s?[-–—~～]\s?(?P<last>\d+(?:,\d{3})*(?:\.\d+)*))?"
    r"(?P<scale>[KkMBT](?![A-Za-z])|\s?[千万亿])?(?P<space>\s?)"
    rf"(?P<unit>[×%‰]|pp\b|[A-Za-z]{{1,12}}(?:/[A-Za-z]{{1,8}})?|美元|欧元|毫秒|小时|词元|[{_CLASSIFIERS}秒])?"
)
_CJK_FIGURE = re.compile(
    rf"(?<![第唯统单之])([二两三四五六七八九十百][一二三四五六七八九十百]{{0,3}})([{_CLASSIFIERS}])"
)
_CJK_DIGITS = {"两": 2} | {digit: value for value, digit in enumerate("一二三四五六七八九", 1)}
_SCALES = {"k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12, "千": 1e3, "万": 1e4, "亿": 1e8}
_UNITS = {
    "×": "times", "x": "times", "倍": "times", "fold": "times", "times": "times",
    "%": "percent", "percent": "percent", "pp": "points",
    "ms": "ms", "毫秒": "ms", "s": "s", "sec": "s", "seconds": "s", "秒": "s",
    "h": "h", "hours": "h", "小时": "h", "days": "d", "天": "d",
    "tokens": "tokens", "token": "tokens", "tok": "tokens", "词元": "tokens",
    "tok/s": "tokens/s", "tokens/s": "tokens/s", "toks/s": "tokens/s", "token/s": "tokens/s", "tok/sec": "tokens/s",
    "$": "usd", "usd": "usd", "美元": "usd", "¥": "cny", "元": "cny", "€": "eur", "欧元": "eur",
    "lines": "lines", "loc": "lines", "行": "lines",
}  # fmt: skip
_KNOWN_UNITS = frozenset(_UNITS.values())

# Capitalised or not, a word of the field's daily language names nothing.
_COMMON = frozenset(
    """a an and are as at by for from in into is it its of on or the their to towards under using via vs versus with
    without first full new open arxiv paper report release released benchmark benchmarks case study survey update
    ai ml llm llms gpu gpus cpu cpus api apis kv rag agent agents agentic attention architecture cache code context
    data engine framework inference language large learning memory model models performance prefill decode prompt
    scaling server serving source support system systems token tokens training workload""".split()  # noqa: SIM905  # a list of words reads as words
)
_ANNOUNCES = re.compile(
    r"发布|推出|提出|公布|上线"
    r"|\b(?:releases?|introduces?|unveils?|proposes?|presents?|announces?|launch(?:es)?|ships|open-sources)\b",
    re.IGNORECASE,
)
_RESTS_ON = re.compile(
    r"(?:基于|对标|类似|借鉴|沿用|based on|built on|on top of|powered by|case of|like)\s?$", re.IGNORECASE
)
_QUALIFIES = re.compile(r"\s?(?:的|式)|-?(?:based|style)\b|['\u2019]s\b", re.IGNORECASE)

_LEXICAL = re.compile(  # compounds with a negating part that deny nothing
    r"无状态|无损|无监督|无线|无限|无人|无关|无服务器|不仅|不同|不断|不少|不可变|未来|除非|并非仅|not only",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"[不未没沒無无]|并非|免训练|\b(?:not|no|never|without|cannot|fails? to|lacks?)\b|n['\u2019]t\b|[a-z]-free\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(  # what denies in every language, while "不稳定" may be told as "unstable"
    r"[未没沒]|并非|不能|无法|\b(?:not|never|cannot|fails? to)\b|n['\u2019]t\b", re.IGNORECASE
)
_OPPOSITES = tuple(
    (re.compile(up, re.IGNORECASE), re.compile(down, re.IGNORECASE))
    for up, down in (
        (
            r"提升|提高|上升|上涨|增长|增加|↑|\b(?:increas(?:es?|ed|ing)|ris(?:es?|ing)|improv(?:es?|ed|ing)|gains?)\b",
            r"下降|降低|下跌|减少|下滑|退化|↓|\b(?:decreas(?:es?|ed|ing)|drops|falls?|fell|declin(?:es?|ed)|degrad(?:es?|ed))\b",
        ),
        (r"更快|领先|优于|\b(?:faster|outperforms?|beats?)\b", r"更慢|落后|不如|\b(?:slower|underperforms?|trails)\b"),
        (
            r"支持|新增|启用|\b(?:adds?|supports?|enables?)\b",
            r"弃用|移除|停用|取消|\b(?:drops|removes?|deprecates?|disables?)\b",
        ),
        (r"开源|\bopen[- ]sourced?\b", r"闭源|\bclosed[- ]sourced?\b"),
    )
)
_RANKS = re.compile(
    r"(?<!对)比|优于|超过|胜过|取代|替代|快于|慢于|高于|低于|领先|落后"
    r"|\bthan\b|\b(?:beats?|outperforms?|replaces?|overtakes?|exceeds?|trails)\b",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"案例|工业实例|落地实践|部署实践|\bcase stud(?:y|ies)\b|\bindustrial case\b|\bin production at\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Subject:
    """What a title is about, as far as code can tell.

    Attributes:
        texts: the title in lower case without marks, numbering, identifiers and spaces: whole, then its first clause.
        names: keys of the named things, in the order of the title. A key is the name in lower case without joints and
            numbers, so that "FlashAttention-2" and "Flash Attention 3" name one thing with different labels.
        lead: the key of the thing that the title is about; empty where none is named.
        words: keys of all Latin words, and of neighbours run together.
        labels: numbers that are no quantities, by what they number ("vllm": 0.20.0, "flashattention": 2, "#": 480).
        figures: quantities, by unit.
        weight: how much the title says, in Chinese characters; a Latin word counts two.
        directions: per pair of opposites, 1, -1 or 0.
    """

    texts: tuple[str, ...]
    names: tuple[str, ...]
    lead: str
    words: frozenset[str]
    labels: Mapping[str, frozenset[str]]
    figures: Mapping[str, frozenset[float]]
    weight: int
    is_chinese: bool
    is_negated: bool
    is_denied: bool
    is_case: bool
    is_ranking: bool
    directions: tuple[int, ...]

    def lacks(self, other: "Subject") -> frozenset[str]:
        """Return the named things of `other` that this title does not name."""
        return frozenset(other.names) - self.words


@functools.lru_cache(maxsize=16384)
def read_subject(title: str) -> Subject:
    """Take a title apart; only its first 300 code points are looked at."""
    clean = _clean(title)
    clause = _first_clause(clean)
    words = [_name_key(match.group()) for match in _WORD.finditer(clean)]
    names = tuple(dict.fromkeys(_name_key(match.group()) for match in _named(clause)))
    plain = _LEXICAL.sub(" ", clean)
    return Subject(
        texts=tuple(dict.fromkeys(_squeeze(text) for text in (clean, clause))),
        names=names,
        lead=_lead(clause),
        words=frozenset(_run_together(words)),
        labels=_labels(clean),
        figures=_figures(clean),
        weight=2 * len(words) + _count_cjk(clean),
        is_chinese=_count_cjk(clean) > 0,
        is_negated=denies(clean),
        is_denied=bool(_DENIAL.search(plain)),
        is_case=bool(_CASE.search(clean)),
        is_ranking=bool(_RANKS.search(clean)),
        directions=tuple(bool(up.search(clean)) - bool(down.search(clean)) for up, down in _OPPOSITES),
    )


def same_unit(unit: str) -> str:
    """Return a unit as it is compared: one name for its spellings in both languages, else in lower case."""
    written = unit.strip().lower()
    return _UNITS.get(written, written)


def shared_figures(one: Subject, other: Subject) -> int:
    """Return how many quantities two titles both give."""
    return sum(len(one.figures[unit] & other.figures[unit]) for unit in one.figures.keys() & other.figures.keys())


def denies(text: str) -> bool:
    """Whether a text holds a negation; compounds such as "无状态" deny nothing."""
    return bool(_NEGATION.search(_LEXICAL.sub(" ", text)))


def difference(one: Subject, other: Subject) -> str | None:
    """Name what keeps two titles apart, or return None.

    One of: version, number, unit, negation, direction, role, case. What only one title mentions is no difference.
    """
    checks = (
        ("version", _disagree(one.labels, other.labels)),
        ("number", _disagree(one.figures, other.figures)),
        ("unit", _units_differ(one.figures, other.figures)),
        ("negation", _is_one_negated(one, other)),
        ("direction", any(a * b < 0 for a, b in zip(one.directions, other.directions, strict=True))),
        ("role", (one.is_ranking or other.is_ranking) and _is_order_swapped(one.names, other.names)),
        ("case", one.is_case != other.is_case),
    )
    return next((name for name, holds in checks if holds), None)


def _is_one_negated(one: Subject, other: Subject) -> bool:
    if one.is_chinese == other.is_chinese:
        return one.is_negated != other.is_negated
    return one.is_denied != other.is_denied and one.is_negated != other.is_negated


def _disagree(mine: Mapping[str, frozenset[object]], theirs: Mapping[str, frozenset[object]]) -> bool:
    """Whether both number the same thing, each with a number that the other does not give."""
    return any(mine[key] - theirs[key] and theirs[key] - mine[key] for key in mine.keys() & theirs.keys())


def _units_differ(mine: Mapping[str, frozenset[float]], theirs: Mapping[str, frozenset[float]]) -> bool:
    """Whether one number has one unit here and another there, both being well known."""
    here, there = _units_by_value(mine), _units_by_value(theirs)
    return any(here[value].isdisjoint(there[value]) for value in here.keys() & there.keys())


def _units_by_value(figures: Mapping[str, frozenset[float]]) -> dict[float, set[str]]:
    units: dict[float, set[str]] = defaultdict(set)
    for unit in figures.keys() & _KNOWN_UNITS:
        for value in figures[unit]:
            units[value].add(unit)
    return units


def _is_order_swapped(mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    shared = set(mine) & set(theirs)
    return [name for name in mine if name in shared] != [name for name in theirs if name in shared]


def _clean(title: str) -> str:
    text = unicodedata.normalize("NFKC", title[:_LENGTH])
    text = _SHORT_YEAR.sub(r" 20\1", text)
    for pattern in (_NUMBERING, _TAG, _URL, _ARXIV, _SECTION, _DATE, _REMARK, _STAR):
        text = pattern.sub(" ", text)
    return " ".join(text.split())


def _first_clause(clean: str) -> str:
    end = _CLAUSE_END.search(clean, _SHORTEST_CLAUSE)
    return clean[: end.start()] if end else clean


def _count_cjk(text: str) -> int:
    return sum(1 for char in text if "\u3400" <= char <= "\u9fff")


def _squeeze(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum() or char in "%$×+.")


def _run_together(words: list[str]) -> Iterator[str]:
    for length in range(1, _RUN + 1):
        for start in range(len(words) - length + 1):
            yield "".join(words[start : start + length])


def _name_key(word: str) -> str:
    key = ""
    for piece in word.lower().rstrip("+").replace("_", "-").split("-"):
        parts = _STEM.fullmatch(piece)
        stem = parts[1] if parts else piece
        if stem is None:
            continue
        key += (stem if len(stem) > 1 else piece).replace(".", "")
    return key


def _named(clause: str) -> list["re.Match[str]"]:
    """The Latin words of a title that name something."""
    words = list(_WORD.finditer(clause))
    is_title_case = len(words) > 2 and sum(word.group()[0].isupper() for word in words) > len(words) / 2
    has_cjk = _count_cjk(clause) > 0
    return [word for word in words if _is_name(word, is_capital_telling=has_cjk or not is_title_case)]


def _is_name(word: "re.Match[str]", *, is_capital_telling: bool) -> bool:
    text = word.group()
    if text.lower() in _COMMON or len(text) < 2 or (text[0] in "vV" and text[1].isdigit()):
        return False
    if _is_distinctive(text) or text.isupper():
        return True
    is_before_colon = word.string[word.end() : word.end() + 2].lstrip()[:1] in {":", "："}
    return text[0].isupper() and (is_before_colon or (is_capital_telling and word.start() > 0) or _has_cjk_after(word))


def _has_cjk_after(word: "re.Match[str]") -> bool:
    rest = word.string[word.end() : word.end() + 2].lstrip()
    return bool(rest) and "\u3400" <= rest[0] <= "\u9fff"


def _is_distinctive(text: str) -> bool:
    """Whether a word's form alone shows that it is a name: capitals inside, a digit, a dot."""
    return bool(_MIXED_CASE.search(text)) or any(char.isdigit() or char == "." for char in text)


def _lead(clause: str) -> str:
    """The name that a title is about: what is announced, else the first that is no mere qualifier of another."""
    named = _named(clause)
    announced = _ANNOUNCES.search(clause)
    if announced:
        named = [word for word in named if word.start() >= announced.end()] or named
    own = [word for word in named if not _is_qualifier(word)] or named
    distinctive = [word for word in own if _is_distinctive(word.group())]
    return next((_name_key(word.group()) for word in distinctive or own), "")


def _is_qualifier(word: "re.Match[str]") -> bool:
    return bool(
        _RESTS_ON.search(word.string[max(0, word.start() - 16) : word.start()])
        or _QUALIFIES.match(word.string, word.end())
        or word.group().lower().endswith(("-based", "-style"))
    )


def _labels(clean: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for match in _NUMBERED.finditer(clean):
        found["#"].add(match.group(1))
    before = ""
    for word in _WORD.finditer(clean):
        before = _label_word(word.group().lower(), before, found)
    for figure in _FIGURE.finditer(clean):
        if _unit(figure) is None:
            found[_word_before(clean, figure.start())].add(figure["first"])
    return {key: frozenset(numbers) for key, numbers in found.items()}


def _label_word(word: str, before: str, found: dict[str, set[str]]) -> str:
    """Note the numbers inside one word ("gpt-4o", "qwen2.5", "v0.20.0"), and return what a next one would number."""
    for piece in word.replace("_", "-").split("-"):
        parts = _STEM.fullmatch(piece)
        stem, number = parts.groups() if parts else (piece, None)
        if number is None:
            before = stem or before
        elif stem in {None, "v"}:
            found[before].add(number)
        else:
            before = stem
            found[stem].add(number)
    return before


def _word_before(clean: str, start: int) -> str:
    """The last part of the Latin word that ends right before a number, or nothing."""
    word = _LAST_WORD.search(clean[max(0, start - 40) : start].rstrip())
    return word.group().lower() if word else ""


def _figures(clean: str) -> dict[str, frozenset[float]]:
    found: dict[str, set[float]] = defaultdict(set)
    for figure in _FIGURE.finditer(clean):
        unit = _unit(figure)
        if unit is None:
            continue
        scale = _SCALES.get((figure["scale"] or "").strip().lower(), 1.0)
        for number in (figure["first"], figure["last"]):
            if number and number.count(".") < 2:
                found[unit].add(round(float(number.replace(",", "")) * scale, 6))
    for match in _CJK_FIGURE.finditer(clean):
        found[_UNITS.get(match[2], match[2])].add(float(_cjk_number(match[1])))
    return {unit: frozenset(values) for unit, values in found.items()}


def _unit(figure: "re.Match[str]") -> str | None:
    """The unit that makes a number a quantity, or None where the number is a label."""
    if figure["first"].count(".") > 1:
        return None
    unit = (figure["unit"] or "").lower()
    if figure["sign"]:
        return _UNITS[figure["sign"]]
    if unit in _UNITS:
        return _UNITS[unit]
    if unit and (unit in _CLASSIFIERS or not figure["space"]):
        return unit
    return "count" if figure["scale"] else None


def _cjk_number(digits: str) -> int:
    total, current = 0, 0
    for digit in digits:
        if digit in "十百":
            total += (current or 1) * (10 if digit == "十" else 100)
            current = 0
        else:
            current = _CJK_DIGITS.get(digit, 0)
    return total + current

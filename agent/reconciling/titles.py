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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from sys import intern

from agent.reading.naming import STEM, WORD, count_cjk, is_distinctive, name_key, named_in
from agent.reading.terms import is_term
from agent.reconciling.wordlists import any_of

_LENGTH = 300  # code points of a title that are looked at
_SHORTEST_CLAUSE = 10  # code points before a dash that can stand for the whole title
_SHORTEST_NAME = 2
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
    r"^[#\s]{0,8}(?:(?:增量|条目|新增|发现|finding|item|increment|entry)\s?(?:\d{1,3}|[a-z](?![a-z]))|(?:增量|条目|要闻|快讯|简讯|新增|发现|finding|item|increment|entry|news|new)(?=\s?:|\s*\Z)|增量(?=\s)|[(（]?\d{1,2}[)）]|\d{1,2}[.、](?!\d)|[一二三四五六七八九十]{1,3}、)[\s:：.、]{0,4}",
    re.IGNORECASE,
)
_REMARK = re.compile(r"[(（【\[][^()（）【】\[\]]{0,40}(?:[★☆⭐]|必补|旁证|警示)[^()（）【】\[\]]{0,40}[)）】\]]")
_STAR = re.compile(r"[★☆⭐🌟]\ufe0f?")
_CLEARED = tuple(  # what says nothing of the subject, and a sign without which there is none
    (pattern, re.compile(sign))
    for pattern, sign in (
        (_URL, "http"), (_ARXIV, r"\d\.\d{4}"), (_SECTION, "§"), (_DATE, r"\d[-/.年月]\d"), (_REMARK, r"[(（【\[]"), (_STAR, "[★☆⭐🌟]"),
    )
)  # fmt: skip
_CLAUSE_END = re.compile(r"——|—|\s[–-]\s|[。；;]")

# Capitalised like names, and none: units, precisions, months, and words that notes are made of.
_NO_NAMES = frozenset(
    """january february march april may june july august september october november december jan feb mar apr jun jul aug sep
    sept oct nov dec monday tuesday wednesday thursday friday saturday sunday finding findings increment increments item items
    entry source sources credibility rating ratings stars points placement note notes feed feeds they he she it we you this that
    these those there their its our my here what when while where who how why if so but not no one two three four five six seven
    eight nine ten goes proposed suggested home url http https www com org md pdf github blog post page section table figure
    appendix abstract todo faq ok ie eg yes also only price weights license critical reading read morning afternoon evening today
    yesterday own first second third some many most more all each every both either new old nothing nobody after before between
    during since until because although however results result method methods summary conclusion conditions limits code
    gb mb kb tb pb gib mib kib tib ghz mhz hz fp bf tf int uint nvfp mxfp bit bits rtx gtx mi tpu gpu cpu ssd nvme hbm
    usd eur cny rmb gbp jpy krw hkd p50 p90 p95 p99 qps rps tps ttft tpot itl am pm utc wh kwh mwh apache agpl gpl lgpl mpl bsl sspl""".split()  # noqa: SIM905  # a list of words reads as words
)
_DEVICE = re.compile(r"[a-z]{1,2}\d{2,4}[a-z]{0,2}")
_MAY_NAME = re.compile(
    r"[A-Z]|[a-z][\d.]|[\u3400-\u9fff]\s?[vV]?-?\d|库|框架|引擎|[译度]器|网关|模型|平台|智能体|助手|插件|工具"
)
_HAN = re.compile("[\u3400-\u9fff]")
_PLAIN_WORD = re.compile(
    r"\b(?!(?:with|from|over|into|than|that|this|under|about|after|before|between|without|toward|towards|against|through|using|upon|their|your)\b)[a-z]{4,}\b"
)
_CAPITAL = re.compile("[A-Z]")
_OPENING = re.compile(r"\W{0,4}(?P<name>[A-Z][A-Za-z0-9]{2,30}(?:-[A-Za-z0-9]+)*)(?![A-Za-z0-9])")
_AFTER_NAME = re.compile(r"['\u2019]s\b|\s\(|,\s(?:an?|the)\s|\sv?\d+(?:\.\d+)+(?!\s?[%×])|\sv\d|\s?[:：]")

_NOT_KEPT = re.compile(r"[^\w%$×+.]|_")
_LAST_WORD = re.compile(r"[A-Za-z][A-Za-z0-9.]{0,30}$")
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

_ANNOUNCES = re.compile(
    r"发布|推出|提出|公布|上线"
    r"|\b(?:releases?|introduces?|unveils?|proposes?|presents?|announces?|launch(?:es)?|ships|open-sources)\b",
    re.IGNORECASE,
)
_RESTS_ON = re.compile(
    r"(?:基于|对标|类似|借鉴|沿用|based on|built on|on top of|powered by|case of|like)\s?$", re.IGNORECASE
)
_BESIDE = re.compile(
    r"(?:在|相比|对比|优于|超过|胜过|快于|(?<![\w])(?:on|in|over|than|vs\.?|versus|from|with|for|at|to|against|beats|outperforms))\s?$",
    re.IGNORECASE,
)
_QUALIFIES = re.compile(r"\s?(?:的|式)|-?(?:based|style)\b|['\u2019]s\b", re.IGNORECASE)

_LEXICAL = re.compile(  # compounds with a negating part that deny nothing
    r"不(?:低于|高于|超过|少于|多于|大于|小于|足|到|止|光|妨|论|管)|[放装容塞跟赶看找]不[下上到]|来不及|差不多|不得不|no (?:less|more|fewer|later) than|no matter"
    r"|无状态|无损|无监督|无线|无限|无人|无关|无服务器|不仅|不同|不断|不少|不可变|未来|除非|并非仅|([\u4e00-\u9fff])不\1|有没有|是否|not only",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"[不未没沒無无]|并非|免训练|\b(?:not|no|never|without|cannot|fails? to|lacks?)\b|n['\u2019]t\b|[a-z]-free\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(  # what denies in every language, while "不稳定" may be told as "unstable"
    r"[未没沒]|并非|不能|无法|\b(?:not|never|cannot|fails? to)\b|n['\u2019]t\b", re.IGNORECASE
)
_OPPOSITES = (
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
_NO_DIRECTION = (0,) * len(_OPPOSITES)
_DIRECTION = re.compile(
    any_of(
        {f"{side}{number}": pair[side == "down"] for number, pair in enumerate(_OPPOSITES) for side in ("up", "down")}
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

_NO_LABELS: Mapping[str, tuple[str, ...]] = {}
_NO_FIGURES: Mapping[str, tuple[float, ...]] = {}


@dataclass(frozen=True, slots=True)
class Subject:
    """What a title is about, as far as code can tell.

    Attributes:
        texts: the title in lower case without marks, numbering, identifiers and spaces: whole, then its first clause.
        names: keys of the named things, in the order of the title. A key is the name in lower case without joints and
            numbers, so that "FlashAttention-2" and "Flash Attention 3" name one thing with different labels.
        lead: the key of the thing that the title is about; empty where none is named.
        words: keys of all Latin words, in order.
        run: the same, run together.
        labels: numbers that are no quantities, by what they number ("vllm": 0.20.0, "flashattention": 2, "#": 480).
        figures: quantities, by unit.
        weight: how much the title says, in Chinese characters; a Latin word counts two.
        directions: per pair of opposites, 1, -1 or 0.
    """

    texts: tuple[str, ...]
    names: tuple[str, ...]
    lead: str
    words: tuple[str, ...]
    run: str
    labels: Mapping[str, tuple[str, ...]]
    figures: Mapping[str, tuple[float, ...]]
    weight: int
    is_chinese: bool
    is_negated: bool
    is_denied: bool
    is_case: bool
    is_ranking: bool
    directions: tuple[int, ...]

    def lacks(self, other: "Subject") -> frozenset[str]:
        """Return the named things of `other` that this title does not name."""
        return frozenset(name for name in other.names if not self.has(name))

    def has(self, name: str) -> bool:
        """Whether a title has a name, be it written as up to three words."""
        if name in self.words or name in self.names:
            return True
        return name in (self.run if name.isascii() else self.texts[0]) and (not name.isascii() or self._spells(name))

    def _spells(self, name: str) -> bool:
        return any(
            name == "".join(self.words[start : start + length])
            for length in range(2, _RUN + 1)
            for start in range(len(self.words) - length + 1)
        )


@functools.lru_cache(maxsize=16384)
def read_subject(title: str) -> Subject:
    """Take a title apart; only its first 300 code points are looked at."""
    clean = _clean(title)
    clause = _first_clause(clean)
    found = list(_FIGURE.finditer(clean))
    han = count_cjk(clean)
    words = [key_of(match.group()) for match in WORD.finditer(clean)]
    named = names_in(clause)
    return Subject(
        texts=tuple(dict.fromkeys(_squeeze(text) for text in (clean, clause))),
        names=tuple(dict.fromkeys(key_of(match.group()) for match in named)),
        lead=_lead(clause, named),
        words=tuple(words),
        run="".join(words),
        labels=_labels(clean, found),
        figures=_figures(clean, found),
        weight=2 * len(words) + han,
        is_chinese=han > 0,
        is_negated=denies(clean),
        is_denied=deny_plainly(clean),
        is_case=bool(_CASE.search(clean)),
        is_ranking=bool(_RANKS.search(clean)),
        directions=directions(clean),
    )


def names_in(clause: str) -> list["re.Match[str]"]:
    """Return the words of a clause that name something, the first one as well where what follows shows that it does.

    Units, months, devices and such name nothing that a finding could be about.
    """
    return names_and_opening(clause)[1]


def names_and_opening(clause: str) -> tuple["re.Match[str] | None", list["re.Match[str]"]]:
    """Return the capitalised word that opens a clause, a name or not, and the words that name something."""
    if not _MAY_NAME.search(clause):
        return None, []
    named = [word for word in named_in(clause) if not is_no_name(key_of(word.group()))]
    if _PLAIN_WORD.search(clause) and not _HAN.search(clause):  # no headline in which every word has a capital
        starts = {word.start() for word in named}
        named = [word for word in WORD.finditer(clause) if word.start() in starts or _is_capitalised(word)]
    first = opening(clause)
    if (
        first
        and not any(word.start() == first.start() for word in named)
        and (_AFTER_NAME.match(clause, first.end()) or _CAPITAL.search(first.group(), 1))
    ):
        return first, [first, *named]
    return first, named


def _is_capitalised(word: "re.Match[str]") -> bool:
    return word.start() > 0 and word.group()[0].isupper() and may_name(word.group())


def opening(clause: str) -> "re.Match[str] | None":
    """Return the capitalised Latin word that opens a clause, a name or not, unless it is known to be none."""
    match = _OPENING.match(clause)
    if match is None:
        return None
    word = WORD.match(clause, match.start("name"))
    return word if word and may_name(word.group()) else None


@functools.lru_cache(maxsize=16384)
def may_name(word: str) -> bool:
    """Whether a capitalised word may be a name: it is none that is known to be something else."""
    return not is_no_name(key_of(word)) and not is_term(word)


@functools.lru_cache(maxsize=65536)
def key_of(word: str) -> str:
    """The key of a name, kept: notes name few things often."""
    return intern(name_key(word))


def is_device(key: str) -> bool:
    """Whether a key has the form of a device's name ("h100", "l40s")."""
    return bool(_DEVICE.fullmatch(key))


@functools.lru_cache(maxsize=65536)
def is_no_name(key: str) -> bool:
    """Whether a key is too short for a name, or one of a unit, month, device or word that notes are made of."""
    return len(key) < _SHORTEST_NAME or key in _NO_NAMES or is_device(key)


def same_unit(unit: str) -> str:
    """Return a unit as it is compared: one name for its spellings in both languages, else in lower case."""
    written = unit.strip().lower()
    return _UNITS.get(written, written)


def shared_figures(one: Subject, other: Subject) -> int:
    """Return how many quantities two titles both give."""
    return sum(len({*one.figures[unit]} & {*other.figures[unit]}) for unit in one.figures.keys() & other.figures.keys())


def denies(text: str) -> bool:
    """Whether a text holds a negation; compounds such as "无状态" deny nothing."""
    return bool(_NEGATION.search(text)) and bool(_NEGATION.search(_LEXICAL.sub(" ", text)))


def deny_plainly(text: str) -> bool:
    """Whether a text holds what denies in every language, such as "not" and "未"; "不稳定" may be told as "unstable"."""
    return bool(_DENIAL.search(text)) and bool(_DENIAL.search(_LEXICAL.sub(" ", text)))


def directions(text: str) -> tuple[int, ...]:
    """Return for each pair of opposites 1, -1, or 0 where neither or both stand in a text."""
    found = {match.lastgroup for match in _DIRECTION.finditer(text)}
    if not found:
        return _NO_DIRECTION
    return tuple((f"up{number}" in found) - (f"down{number}" in found) for number in range(len(_OPPOSITES)))


@functools.lru_cache(maxsize=4096)
def tells_a_case(texts: tuple[str, ...]) -> bool:
    """Whether texts tell of somebody's use of a thing."""
    return any(_CASE.search(text) for text in texts)


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


def _disagree(mine: Mapping[str, tuple[object, ...]], theirs: Mapping[str, tuple[object, ...]]) -> bool:
    """Whether both number the same thing, each with a number that the other does not give."""
    return any({*mine[key]} - {*theirs[key]} and {*theirs[key]} - {*mine[key]} for key in mine.keys() & theirs.keys())


def _units_differ(mine: Mapping[str, tuple[float, ...]], theirs: Mapping[str, tuple[float, ...]]) -> bool:
    """Whether one number has one unit here and another there, both being well known."""
    here, there = _units_by_value(mine), _units_by_value(theirs)
    return any(here[value].isdisjoint(there[value]) for value in here.keys() & there.keys())


def _units_by_value(figures: Mapping[str, tuple[float, ...]]) -> dict[float, set[str]]:
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
    for pattern in (_NUMBERING, _TAG):
        text = pattern.sub(" ", text)
    for pattern, sign in _CLEARED:
        if sign.search(text):
            text = pattern.sub(" ", text)
    return " ".join(text.split())


def _first_clause(clean: str) -> str:
    end = _CLAUSE_END.search(clean, _SHORTEST_CLAUSE)
    return clean[: end.start()] if end else clean


def _squeeze(text: str) -> str:
    return _NOT_KEPT.sub("", text.lower())


def _lead(clause: str, named: list["re.Match[str]"]) -> str:
    """The name that a title is about: what is announced, else the first that is no mere qualifier of another."""
    announced = _ANNOUNCES.search(clause)
    if announced:
        named = [word for word in named if word.start() >= announced.end()] or named
    own = [word for word in named if not _is_qualifier(word)] or named
    distinctive = [word for word in own if is_distinctive(word.group())]
    return next((key_of(word.group()) for word in distinctive or own), "")


def _is_qualifier(word: "re.Match[str]") -> bool:
    before = word.string[max(0, word.start() - 16) : word.start()]
    return bool(
        _RESTS_ON.search(before)
        or _BESIDE.search(before)
        or _QUALIFIES.match(word.string, word.end())
        or word.group().lower().endswith(("-based", "-style"))
    )


def _labels(clean: str, figures: Sequence["re.Match[str]"]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, set[str]] = defaultdict(set)
    for match in _NUMBERED.finditer(clean):
        found["#"].add(match.group(1))
    before = ""
    for match in WORD.finditer(clean):
        before = _label_word(match.group().lower(), before, found)
    for figure in figures:
        word = _word_before(clean, figure.start())
        if _unit(figure) is None and (_may_have_version(word) or figure["first"].count(".") > 1):
            found[word.lower()].add(figure["first"])
    return {intern(key): tuple(sorted(numbers)) for key, numbers in found.items()} if found else _NO_LABELS


def _label_word(word: str, before: str, found: dict[str, set[str]]) -> str:
    """Note the numbers inside one word ("gpt-4o", "qwen2.5", "v0.20.0"), and return what a next one would number."""
    for piece in word.replace("_", "-").split("-"):
        parts = STEM.fullmatch(piece)
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
    return word.group() if word else ""


def _may_have_version(word: str) -> bool:
    """Whether a number after a word is a version of it: "LampServe 0.20" has one, "scores 71.3" has none."""
    return bool(word) and (not word.islower() or is_distinctive(word) or word == "v")


def _figures(clean: str, figures: Sequence["re.Match[str]"]) -> Mapping[str, tuple[float, ...]]:
    found: dict[str, set[float]] = defaultdict(set)
    for figure in figures:
        unit = _unit(figure)
        if unit is None:
            word = _word_before(clean, figure.start())
            if not word or _may_have_version(word):
                continue
            unit = f"after {word}"
        scale = _SCALES.get((figure["scale"] or "").strip().lower(), 1.0)
        for number in (figure["first"], figure["last"]):
            if number and number.count(".") < 2:
                found[unit].add(round(float(number.replace(",", "")) * scale, 6))
    for match in _CJK_FIGURE.finditer(clean):
        found[_UNITS.get(match[2], match[2])].add(float(_cjk_number(match[1])))
    return {intern(unit): tuple(sorted(values)) for unit, values in found.items()} if found else _NO_FIGURES


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

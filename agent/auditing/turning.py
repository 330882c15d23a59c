"""What turns the meaning of a passage: a figure, a unit, a negation, a comparison, an identifier, a name.

Two wordings of one passage are told apart here by the few tokens in which they differ, and a passage by what stands right
beside it. Promises: works on folded text (`folding`); looks at windows of fixed size; nothing raises.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from agent.reading.measures import find_measures
from agent.reading.quantities import canonical_unit

Turn = Literal["figure", "unit", "negation", "comparison", "identifier", "version", "name", "wording"]

_NEGATIONS = frozenset("不没无未非勿莫否")
_NOT = frozenset(
    """not no never none neither nor without cannot cant can't don't doesn't didn't isn't aren't wasn't weren't won't wouldn't shouldn't couldn't hasn't haven't hadn't hardly barely scarcely lacks lacking fails failed except unless""".split()  # noqa: SIM905  # a list of words reads as words
)
_PREFIXES = ("un", "in", "im", "non", "dis", "ir")
_NUMERALS = frozenset("零〇一二两三四五六七八九十百千万亿半倍双")
_NUMBER_WORDS = frozenset(
    """zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty hundred thousand million billion half double doubled doubles triple tripled twice thrice once third quarter dozen""".split()  # noqa: SIM905  # a list of words reads as words
)
_MORE = frozenset("高大多升增上快超强长优涨加先前满")
_LESS = frozenset("低小少降减下慢弱短劣跌缩后欠")
_MORE_WORDS = frozenset(
    """more higher above over faster larger greater better longer stronger bigger up increase increases increased increasing rise rises rose risen grow grows grew gain gains exceed exceeds exceeded exceeding before first best most maximum max improves improved ahead upper wins""".split()  # noqa: SIM905  # a list of words reads as words
)
_LESS_WORDS = frozenset(
    """less lower below under slower smaller fewer worse shorter weaker down decrease decreases decreased decreasing fall falls fell fallen drop drops dropped shrink shrinks loss loses after last worst least minimum min degrades behind lower loses""".split()  # noqa: SIM905  # a list of words reads as words
)
_BOUNDS = frozenset(
    """about around nearly almost roughly approximately only just least most up to over under exceeding exceeds""".split()  # noqa: SIM905  # a list of words reads as words
)
_BOUND_WORDS = re.compile(
    "至少|至多|最多|最少|最高|最低|不超|不足|不到|超过|高达|大约|约|近|仅|只|以上|以下|以内|起码|将近|接近"
)
_SYMBOLS = frozenset("<>=~−±≠")
_UNIT_SIGNS = frozenset("%‰°℃$€£¥")
_UNIT_HAN = re.compile(
    "倍|百分点|毫秒|微秒|纳秒|秒|分钟|小时|天|周|月|年|字节|词元|万|亿|千|美元|元|条|个|篇|张|次|名|人|家|台|层|轮|页|份|款|种|项|卡|块|步|件|成|折|点|比特|位|瓦|度"
)
_UNIT_LATIN = re.compile(r"[A-Za-zµ]{1,10}")
_IDENTIFIER = re.compile(r"\d{4}\.\d{4,5}")
_VERSION = re.compile(r"\d{1,9}(?:\.\d{1,9}){2,5}")

_REACH = 24
# What right before a passage turns it. Some of these end other words: "特别", "区别" are left out for that.
_NEGATED = re.compile(
    r"(?:不(?:是|会|能|再|可|应|宜|该|曾|必)?|没有?|未(?:曾|能|必)?|无(?:法|需|须|从)?|勿|莫|(?:并|而|绝|决)非"
    r"|(?<![A-Za-z])(?:not|never|no|without|cannot|hardly|barely|neither|nor)|n't)(?: (?:be|been|yet|always|a|an|the))? ?\Z",
    re.IGNORECASE,
)
_COMPARED = re.compile(r"[<>=~±≠]=? ?\Z|[−$€£¥] ?\Z")
_SCALED = re.compile(r" ?(?:[%‰°]|倍|万|亿|千|百|x(?![A-Za-z])|[kKMBGT](?![A-Za-z])|pp(?![A-Za-z])|百分点)")
_AMOUNT = re.compile(r"[0-9] ?[A-Za-z$€£¥%\u4e00-\u9fff]{1,10}\Z")
_RATE = re.compile(r" ?(?:/|per )[A-Za-z\u4e00-\u9fff]{1,10}")
# What an ellipsis must not hide. Han characters that negate stand in many other words.
_NO_NEGATION = re.compile(
    "不(?:同|仅|断|但|只|过(?!滤)|少|妨|管|论|久|错)|无论|非常|未来|无疑|没准|莫过|否则|是否|能否"
)
_HIDDEN = re.compile(
    r"[不没无未非勿莫]|至少|至多|最多|最少|低于|高于|少于|多于|超过|除非|仅当|(?<![A-Za-z])(?:not|no|never|none|neither|nor|without|cannot|except|unless|only"
    r"|hardly|fails? to|less than|more than|at least|at most|fewer than|up to|below|above|under|over)(?![A-Za-z])|n't(?![A-Za-z])|[<>≠]",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;!?。;]|\.(?![0-9])")


def turn_between(quoted: Sequence[str], stands: Sequence[str], before: Sequence[str]) -> Turn:
    """Return what it is in which two wordings differ.

    Args:
        quoted: the tokens of one of them, perhaps none.
        stands: those of the other one, perhaps none.
        before: the last tokens that stand before both.
    """
    both = (*quoted, *stands)
    last = before[-1] if before else ""
    if any(token[0].isdigit() for token in both):
        return _kind_of_figure(both, last)
    is_case_alone = "".join(quoted).casefold() == "".join(stands).casefold()
    if is_case_alone and not last[:1].isdigit():
        return "wording"
    if _is_unit(quoted, stands, before):
        return "unit"
    if any(token in _NUMERALS or token.lower() in _NUMBER_WORDS for token in both):
        return "figure"
    return _kind_of_word(quoted, stands)


def _kind_of_word(quoted: Sequence[str], stands: Sequence[str]) -> Turn:
    if _is_negated(quoted, stands):
        return "negation"
    if _is_compared(quoted, stands):
        return "comparison"
    return "name" if any(_is_name(token) for token in (*quoted, *stands)) else "wording"


def _kind_of_figure(tokens: Sequence[str], before: str) -> Turn:
    if any(_IDENTIFIER.fullmatch(token) for token in tokens):
        return "identifier"
    if (
        any(_VERSION.fullmatch(token) for token in tokens)
        or before in {"v", "V"}
        or any(one in {"v", "V"} for one in tokens)
    ):
        return "version"
    is_glued = before.isascii() and before.isalpha() and before[-1:].isupper()
    return "name" if is_glued else "figure"


def _is_unit(quoted: Sequence[str], stands: Sequence[str], before: Sequence[str]) -> bool:
    """Whether what stands right behind a figure, or a sign of a unit anywhere, differs in more than its spelling."""
    both = (*quoted, *stands)
    mine, theirs = "".join(quoted), "".join(stands)
    is_rate = both[0] == "/" or (bool(stands) and stands[0] == "/")
    is_behind = any(token[:1].isdigit() for token in before[-2 if is_rate else -1 :])
    if canonical_unit(mine) == canonical_unit(theirs):
        return False
    if any(token in _UNIT_SIGNS for token in both):
        return True
    if not is_behind:
        return False
    if is_rate:
        return True
    return any(_is_unit_word(each) for each in (mine, theirs) if each)


@lru_cache(maxsize=1024)
def _is_unit_word(word: str) -> bool:
    """Whether a word is a unit behind a figure."""
    if _UNIT_HAN.match(word):
        return True
    return _UNIT_LATIN.fullmatch(word) is not None and any(found.unit for found in find_measures(f"12.5 {word}"))


def _is_negated(quoted: Sequence[str], stands: Sequence[str]) -> bool:
    for one, other in ((quoted, stands), (stands, quoted)):
        negations = [token for token in one if token in _NEGATIONS or token.lower() in _NOT or token.endswith("n't")]
        others = [token for token in other if token in _NEGATIONS or token.lower() in _NOT or token.endswith("n't")]
        if len(negations) > len(others) and not _is_harmless(one):
            return True
        if any(_is_prefixed(token, each) for token in one for each in other):
            return True
    return False


def _is_harmless(tokens: Sequence[str]) -> bool:
    return _HIDDEN.search(_NO_NEGATION.sub("", "".join(tokens))) is None and all(len(token) == 1 for token in tokens)


def _is_prefixed(token: str, other: str) -> bool:
    lowered, plain = token.lower(), other.lower()
    return len(plain) > 3 and any(lowered == prefix + plain for prefix in _PREFIXES)


def _is_compared(quoted: Sequence[str], stands: Sequence[str]) -> bool:
    if any(token in _SYMBOLS for token in (*quoted, *stands)):
        return True
    if any(_is_opposite(one, other) for one, other in ((quoted, stands), (stands, quoted))):
        return True
    bounds = [
        {*_BOUND_WORDS.findall("".join(side)), *(token.lower() for token in side if token.lower() in _BOUNDS)}
        for side in (quoted, stands)
    ]
    return bounds[0] != bounds[1]


def _is_opposite(one: Sequence[str], other: Sequence[str]) -> bool:
    more = any(token in _MORE or token.lower() in _MORE_WORDS for token in one)
    less = any(token in _LESS or token.lower() in _LESS_WORDS for token in other)
    both = any(token in _LESS or token.lower() in _LESS_WORDS for token in one)
    return more and less and not both


def _is_name(token: str) -> bool:
    return token.isascii() and token.isalpha() and any(letter.isupper() for letter in token) and (len(token) > 1)


def turns_behind(text: str, start: int) -> tuple[Turn, int] | None:
    """Return what right before a passage turns it, and where that begins; None where nothing does."""
    if start <= 0 or start >= len(text):
        return None
    near, first = text[max(0, start - _REACH) : start], text[start]
    if _is_joined(near[-1], first):
        return ("figure" if first.isdigit() else "wording"), _begin(text, start)
    if first.isdigit() and near[-1] in ".,:" and near[-2:-1].isdigit():
        return "figure", _begin(text, start)
    if first.isdigit() and (compared := _COMPARED.search(near)):
        return "comparison", start - len(near) + compared.start()
    negated = _NEGATED.search(near)
    return ("negation", start - len(near) + negated.start()) if negated else None


def turns_without(text: str, end: int) -> tuple[Turn, int] | None:
    """Return what right behind a passage turns it when it is left out, and where that ends; None where nothing does."""
    if end <= 0 or end >= len(text):
        return None
    last, rest = text[end - 1], text[end : end + _REACH]
    if _is_joined(last, rest[0]):
        return ("figure" if last.isdigit() else "wording"), _finish(text, end)
    if not last.isdigit():
        rate = _RATE.match(rest) if _AMOUNT.search(text, max(0, end - _REACH), end) else None
        return ("unit", end + rate.end()) if rate else None
    if rest[0] in ".,:" and rest[1:2].isdigit():
        return "figure", _finish(text, end)
    scaled = _SCALED.match(rest)
    return ("unit", end + scaled.end()) if scaled else None


def turns_within(gap: str) -> tuple[Turn, int, int] | None:
    """Return what in a stretch that was left out turns the clauses it was taken from: the turn, where it begins and ends.

    Whole clauses may go; what is looked at is the rest of the clause before, and the beginning of the clause behind.
    """
    stops = list(_CLAUSE.finditer(gap))
    heads = [(0, len(gap))] if not stops else [(0, stops[0].start()), (stops[-1].end(), len(gap))]
    for low, high in heads:
        part = _NO_NEGATION.sub(lambda match: "·" * len(match.group()), gap[low:high])
        found = _HIDDEN.search(part)
        if found:
            is_negation = (
                found.group()[0] in "不没无未非勿莫" or found.group().lower() in _NOT or "n't" in found.group()
            )
            return "negation" if is_negation else "comparison", low + found.start(), low + found.end()
    return None


def _is_joined(one: str, other: str) -> bool:
    return (one.isdigit() and other.isdigit()) or (
        one.isascii() and other.isascii() and one.isalpha() and other.isalpha()
    )


def _begin(text: str, start: int) -> int:
    low = start
    while (
        low > 0
        and start - low < _REACH
        and (text[low - 1].isascii() and (text[low - 1].isalnum() or text[low - 1] in ".,"))
    ):
        low -= 1
    return low


def _finish(text: str, end: int) -> int:
    high = end
    while (
        high < len(text)
        and high - end < _REACH
        and (text[high].isascii() and (text[high].isalnum() or text[high] in ".,"))
    ):
        high += 1
    return high

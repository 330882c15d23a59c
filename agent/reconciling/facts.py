"""Plain facts of which a text states one: its licence, what a price is for, a day to come, what rises, who stems from whom.

Two texts on one thing clash where each states one such fact and they are not the same. They are read last, where all else is alike.

Promises: pure and symmetric; time is linear in a text.
"""

import datetime as dt
import functools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from agent.reading.identifiers import fold_full_width
from agent.reconciling.clauses import Difference, clauses_in
from agent.reconciling.titles import key_of
from agent.reconciling.wordlists import any_of

_NAME = r"[A-Z][A-Za-z0-9]{1,30}(?:[.-][A-Za-z0-9]{1,12}){0,3}"
_STEMS = tuple(  # who stems from whom
    re.compile(words.format(one=rf"(?<![A-Za-z0-9.-])(?P<one>{_NAME})", other=rf"(?P<other>{_NAME})"))
    for words in (
        r"{one} (?:is|was|were|has been) (?:distilled|forked|derived|quantised|quantized|merged|split off|spun off|fine-tuned) from {other}",
        r"{one} ?(?:是|系|由)?(?:从|自|由) ?{other} ?(?:蒸馏|分叉|派生|量化|微调|拆分|演变|衍生)",
        r"{one} ?(?:蒸馏|分叉|派生|微调|拆分|衍生)自 ?{other}",
        r"{one} (?:is|was) (?:bought|acquired|taken over|replaced|superseded) by {other}",
        r"{one} ?被 ?{other} ?(?:收购|取代|替代|并购|买下)",
    )
)
_ORDERS = (  # what comes before what
    re.compile(r"(?<![A-Za-z])(?P<one>[a-z]{4,20}) (?:comes |runs |goes )?before (?:the )?(?P<other>[a-z]{4,20})"),
    re.compile(r"(?<![A-Za-z])(?P<other>[a-z]{4,20}) (?:comes |runs |goes )?after (?:the )?(?P<one>[a-z]{4,20})"),
    re.compile(r"先(?P<one>[\u3400-\u9fff]{2})[，,\s]?(?:再|后|然后)(?P<other>[\u3400-\u9fff]{2})"),
)
_ORDER_SIGN = re.compile("before|after|先")
_STEM_SIGN = re.compile(r"(?:ed|off|en|ought|tuned) (?:from|by) |[蒸分派量微拆演衍][馏叉生化调分变]|被")
_LICENCES = {
    "apache": r"Apache",
    "mit": r"MIT(?=[ -]?(?:licen|许可|协议))|MIT(?![A-Za-z-])",
    "agpl": r"AGPL",
    "lgpl": r"LGPL",
    "gpl": r"GPL",
    "bsd": r"BSD(?=-[234]|[ -]?(?:licen|许可|协议))",
    "mpl": r"MPL",
    "busl": r"BUSL|BSL",
    "sspl": r"SSPL",
    "ccbync": r"CC[- ]BY-NC",
    "ccby": r"CC[- ]BY(?!-NC)",
}
_LICENCE = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(f'(?P<{name}>{words})' for name, words in _LICENCES.items())})")
_LICENSED = re.compile(r"(?i:licen[cs])|许可|协议|授权|开源")
_SCALES = {
    "thousand": r"每(?:生成)?\s?[一1]?千\s?个?|每\s?1,?000\s?个?|\bper (?:thousand|1,?000|1?K)\b|\ba thousand(?= tokens)|/\s?1?K(?= tokens?)",
    "million": r"每(?:生成)?\s?[一1]?百万\s?个?|\bper (?:million|1?M)\b|\ba million(?= tokens)|/\s?1?M(?= tokens?)",
    "billion": r"每\s?[一1]?十亿|\bper (?:billion|1?B)\b",
}
_SCALE = re.compile(
    rf"(?=[每pa/])(?:{'|'.join(f'(?P<{name}>{words})' for name, words in _SCALES.items())})", re.IGNORECASE
)
_LANGUAGES = {
    "english": "英[语文]|English",
    "chinese": "[中汉][文语]|Chinese|Mandarin",
    "japanese": "日[语文]|Japanese",
    "korean": "韩[语文]|Korean",
    "french": "法[语文]|French",
    "german": "德[语文]|German",
    "spanish": "西班牙[语文]|Spanish",
    "portuguese": "葡萄牙[语文]|Portuguese",
    "italian": "意大利[语文]|Italian",
    "russian": "俄[语文]|Russian",
    "arabic": "阿拉伯[语文]|Arabic",
    "hindi": "印地[语文]|Hindi",
    "thai": "泰[语文]|Thai",
    "vietnamese": "越南[语文]|Vietnamese",
    "turkish": "土耳其[语文]|Turkish",
    "polish": "波兰[语文]|Polish",
    "dutch": "荷兰[语文]|Dutch",
    "welsh": "威尔士[语文]|Welsh",
    "ukrainian": "乌克兰[语文]|Ukrainian",
    "swahili": "斯瓦希里[语文]|Swahili",
}
_LANGUAGE = re.compile(
    "(?=[A-Z英中汉日韩法德西葡意俄阿印泰越土波荷威乌斯])(?<![A-Za-z])"
    f"(?:{'|'.join(f'(?P<{name}>{words})' for name, words in _LANGUAGES.items())})(?![a-z])"
)
_TREND = re.compile(
    any_of(
        {
            "up": r"上升|上涨|上调|走高|升高|变多|变高|\b(?:go(?:es)? up|went up|ris(?:e|es|ing)|rose|increas(?:es?|ed)|climb(?:s|ed)?)\b",
            "down": r"下降|下跌|下调|走低|降低|变少|变低|\b(?:go(?:es)? down|went down|fall(?:s|ing)?|fell|decreas(?:es?|ed)|declin(?:es?|ed)|drop(?:s|ped)?)\b",
        }
    )
)
_BEFORE_TREND = re.compile(
    r"(?:(?P<latin>[A-Za-z]{4,20}) |(?P<han>[\u3400-\u9fff]{2})率?(?:数|量|度|值|会|就|明显|显著|随之|反而|也)?)\Z"
)
_REACH = 24
_DAY = re.compile(r"(?<![\d.-])(20\d\d)\s?[-/.年]\s?(1[0-2]|0?[1-9])\s?[-/.月]\s?(3[01]|[12]\d|0?[1-9])(?![\d.]|-\d)")


class Facts(NamedTuple):
    """What a text states of which there is one.

    Attributes:
        stems: pairs of things of which the first stems from the second, or comes before it.
        licences: by their families.
        scales: what a price or rate is for: a thousand, a million.
        trends: what rises or falls, by the word right before.
        days: full dates.
        languages: those that it names, in which something was measured.
    """

    stems: frozenset[tuple[str, str]]
    licences: frozenset[str]
    scales: frozenset[str]
    trends: Mapping[str, frozenset[str]]
    days: frozenset[dt.date]
    languages: frozenset[str]


@functools.lru_cache(maxsize=4096)
def read_facts(texts: tuple[str, ...]) -> Facts:
    """Read what texts state; at most 24 clauses are looked at."""
    clauses = tuple(map(fold_full_width, clauses_in(texts)))
    said = "\n".join(clauses)
    trends: dict[str, set[str]] = defaultdict(set)
    for clause in clauses:
        for word, trend in _trends(clause):
            trends[word].add(trend)
    return Facts(
        stems=frozenset((*_stems(said), *_orders(said.lower()))),
        licences=frozenset(match.lastgroup or "" for match in _LICENCE.finditer(said))
        if _LICENSED.search(said)
        else frozenset(),
        scales=frozenset(match.lastgroup or "" for match in _SCALE.finditer(said)),
        trends={word: frozenset(found) for word, found in trends.items()},
        days=frozenset(_days(said)),
        languages=frozenset(match.lastgroup or "" for match in _LANGUAGE.finditer(said)),
    )


def facts_clash(mine: Facts, theirs: Facts, *, today: dt.date | None = None) -> Difference | None:
    """Name what one text states otherwise than another on the same thing: role, direction, unit or value.

    Args:
        mine: of one text.
        theirs: of the other.
        today: the day of the later text; days after it are days to come, of which a text plans one. Without it no days are held.
    """
    if not mine.stems.isdisjoint(stem[::-1] for stem in theirs.stems):
        return Difference("role", is_held=True)
    both = mine.trends.keys() & theirs.trends.keys()
    if both and all(
        len(mine.trends[word]) == len(theirs.trends[word]) == 1 and mine.trends[word] != theirs.trends[word]
        for word in both
    ):
        return Difference("direction", is_held=True)
    if mine.scales and theirs.scales and mine.scales.isdisjoint(theirs.scales):
        return Difference("unit", is_held=True)
    coming = [{day for day in side.days if today and day > today} for side in (mine, theirs)]
    plain = (mine.licences, theirs.licences), (coming[0], coming[1])
    if any(len(one) == len(other) == 1 and one != other for one, other in plain):
        return Difference("value", is_held=True)
    return None


def _stems(said: str) -> Iterator[tuple[str, str]]:
    if not _STEM_SIGN.search(said):
        return
    for pattern in _STEMS:
        for found in pattern.finditer(said):
            yield _whole_key(found["one"]), _whole_key(found["other"])


def _orders(said: str) -> Iterator[tuple[str, str]]:
    for pattern in _ORDERS if _ORDER_SIGN.search(said) else ():
        for found in pattern.finditer(said):
            yield found["one"], found["other"]


def _whole_key(name: str) -> str:
    return key_of(name) or name.lower()


def _trends(clause: str) -> Iterator[tuple[str, str]]:
    for trend in _TREND.finditer(clause):
        before = _BEFORE_TREND.search(clause[max(0, trend.start() - _REACH) : trend.start()])
        if before:
            yield (before["latin"] or before["han"]).lower().removesuffix("s"), trend.lastgroup or ""


def _days(said: str) -> Iterator[dt.date]:
    for found in _DAY.finditer(said):
        try:
            yield dt.date(*map(int, found.groups()))
        except ValueError:  # the thirtieth of February
            continue

"""Tells whether a statement repeats an earlier one of the same finding, in nearly the same words, in others or in another language.

Nearly the same words repeat where figures and denial agree. Other words repeat only where every figure with its unit and
metric, every name, denial and direction agree, and there are enough of them. A doubt keeps both: no figure is ever dropped.

Promises: what counts as repeated depends on the statements and their order alone.
"""

import re
from collections import defaultdict
from collections.abc import Hashable
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz, process

from agent.reading.measures import find_measures
from agent.reading.naming import count_cjk, named_in
from agent.reading.quantities import canonical_unit, fold
from agent.reading.terms import terms_in
from agent.reconciling.titles import denies

_NEARLY = 90.0  # likeness of statements in one language
_TERMS_SHARED = 0.5  # of the words of the trade in two statements of different languages
_REWORDED = 60.0  # the same, where figures, units, metrics and names agree as well
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WIDE_SHARE = 0.1  # Chinese characters from which a text is Chinese

# Words that say up or down whatever they are said of, each a stem.
_UP = re.compile(
    r"提升|提高|上升|上涨|增|升至|更快|加速|↑|\b(?:increas|rais|rose|ris(?:e|ing)|improv|gain|grow|grew|higher|faster|up\b|boost)",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"下降|降低|降至|减|缩短|节省|下跌|更慢|↓|\b(?:decreas|reduc|cut|lower|drop|fall|fell|declin|shrink|shrunk|sav(?:e|ing)|slower|down\b)",
    re.IGNORECASE,
)
_RANKS = re.compile(
    r"\b(?:than|vs\.?|versus|beats?|outperforms?|against|over|behind|trails|replaces?)\b|比|优于|超过|胜过|领先|落后|取代|替代|快于|慢于|高于|低于",
    re.IGNORECASE,
)
_MOST_COMPARED = 64  # statements with the same figures


class _Facts(NamedTuple):
    """What must agree where one statement is to stand for another; `order` gives the names where something is ranked."""

    values: frozenset[tuple[float, str, str]]
    names: frozenset[str]
    order: tuple[str, ...]
    is_up: bool
    is_down: bool


class _Said(NamedTuple):
    facts: _Facts
    terms: frozenset[str]
    is_wide: bool


class Sayings:
    """The statements of one finding, of which each is said once."""

    def __init__(self) -> None:
        self._alike: dict[Hashable, list[str]] = defaultdict(list)

    def add(self, text: str) -> bool:
        """Add a statement, unless it repeats an earlier one: then return False."""
        if self.repeated(text) is not None:
            return False
        self._alike[_bucket(text)].append(text)
        return True

    def repeated(self, text: str) -> str | None:
        """Return the earlier statement that this one repeats, or None."""
        alike = self._alike.get(_bucket(text), [])
        nearly = process.extract(text, alike, scorer=fuzz.ratio, score_cutoff=_NEARLY, limit=_MOST_COMPARED)
        found = next((other for other, _, _ in nearly if _says_nearly(text, other)), None)
        if found is None and _NUMBER.search(text):
            found = next((other for other in alike[:_MOST_COMPARED] if _says_in_other_words(text, other)), None)
        return found


def _bucket(text: str) -> Hashable:
    """What statements that repeat each other have in common: their numbers, and whether something is denied."""
    return tuple(sorted(number.replace(",", "") for number in _NUMBER.findall(fold(text)))), denies(text)


def _says_nearly(text: str, other: str) -> bool:
    return text == other or (_read(text).facts == _read(other).facts and _read(text).terms == _read(other).terms)


def _says_in_other_words(text: str, other: str) -> bool:
    """Whether two statements with the same numbers tell the same, though in other words or in another language."""
    one, two = _read(text), _read(other)
    if one.facts != two.facts or not one.facts.values or not one.facts.names:
        return False
    if one.is_wide == two.is_wide:
        return one.terms == two.terms and fuzz.token_sort_ratio(text, other) >= _REWORDED
    return len(one.terms & two.terms) >= _TERMS_SHARED * len(one.terms | two.terms)


@lru_cache(maxsize=4096)
def _read(text: str) -> _Said:
    names = [match.group().casefold() for match in named_in(text)]
    values = frozenset((one.value, canonical_unit(one.unit), one.comparator) for one in find_measures(text))
    is_ranked = _RANKS.search(text) is not None
    facts = _Facts(
        values=values,
        names=frozenset(names),
        order=tuple(dict.fromkeys(names)) if is_ranked else (),
        is_up=_UP.search(text) is not None,
        is_down=_DOWN.search(text) is not None,
    )
    return _Said(facts, terms_in(text), count_cjk(text) > _WIDE_SHARE * len(text))

"""Tells whether a statement repeats an earlier one of the same finding, in nearly the same words, in others or in another language.

Nearly the same words repeat where figures and denial agree. Other words repeat only where every figure with its unit and
metric, every name, denial and direction agree, and there are enough of them. A doubt keeps both: no figure is ever dropped.

Promises: what counts as repeated depends on the statements and their order alone.
"""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz, process

from agent.reading.measures import find_measures
from agent.reading.naming import count_cjk, named_in
from agent.reading.phrasing import language_of
from agent.reading.quantities import canonical_unit, fold
from agent.reading.terms import terms_in
from agent.reconciling.assertions import differ
from agent.reconciling.titles import denies
from agent.records import Language, Point

_NEARLY = 90.0  # likeness of statements in one language
_TERMS_SHARED = 0.5  # of the words of the trade in two statements of different languages
_REWORDED = 60.0  # the same, where figures, units, metrics and names agree as well
_TELLING = 2  # numbers, and words of the trade in common, that two statements in two languages have at least
_OPPOSED = dict.fromkeys((">", ">=", "from"), ("<", "<=", "up to")) | dict.fromkeys(
    ("<", "<=", "up to"), (">", ">=", "from")
)
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
    """The statements of one finding, of which each is said once.

    Args:
        is_one_finding: whether they are known to be, so that the same numbers with the same names are enough across languages.
    """

    def __init__(self, *, is_one_finding: bool = False) -> None:
        self._is_one_finding = is_one_finding
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
            alike = alike[:_MOST_COMPARED]
            found = next((other for other in alike if _says_in_other_words(text, other)), None)
            if found is None and self._is_one_finding:
                found = next((other for other in alike if _says_abroad(text, other)), None)
        return found


def said_once(points: Iterable[Point], *, language: Language | None = None) -> tuple[Point, ...]:
    """Return each statement of one finding once, with the places that repeat it; in a language, where one of them is in it."""
    sayings = Sayings(is_one_finding=True)
    first: dict[str, Point] = {}
    for point in points:
        said = sayings.repeated(point.text)
        if said is None:
            sayings.add(point.text)
            first[point.text] = point
        else:
            first[said] = _joined(first[said], point, language)
    return tuple(first.values())


def _joined(one: Point, other: Point, language: Language | None) -> Point:
    is_better = language is not None and language_of(other.text) == language != language_of(one.text)
    kept, also = (other, one) if is_better else (one, other)
    places = (*kept.also, also.evidence, *also.also)
    unique = {(place.note, place.start, place.end): place for place in places}
    unique.pop((kept.evidence.note, kept.evidence.start, kept.evidence.end), None)
    return kept.model_copy(update={"also": tuple(unique.values())})


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


def _says_abroad(text: str, other: str) -> bool:
    """Whether two statements of one finding, with the same numbers, tell the same in two languages."""
    one, two = _read(text), _read(other)
    mine, theirs = one.facts, two.facts
    if one.is_wide == two.is_wide or len(_NUMBER.findall(text)) + len(one.terms & two.terms) < _TELLING:
        return False
    if not (mine.names <= theirs.names or theirs.names <= mine.names):
        return False
    if {value[:2] for value in mine.values} != {value[:2] for value in theirs.values} or not mine.values:
        return False
    if any(
        (value, unit, bound) in theirs.values for value, unit, said in mine.values for bound in _OPPOSED.get(said, ())
    ):
        return False
    is_turned = mine.is_up != theirs.is_up and mine.is_down != theirs.is_down
    return not is_turned and differ((text,), (other,), is_abroad=True) is None


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

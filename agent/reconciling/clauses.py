"""Clauses of a finding's text, and what makes two clauses that say the same of the same say something else.

Two clauses are held against each other where most words of the shorter one stand in the other: then a negation, a direction, or
the order of two names that only one of them has is no matter of wording.

Promises: pure, symmetric; time is linear in a text, and bounded for two of them.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from agent.checking.stance import stance_of
from agent.reading.naming import WORD, count_cjk
from agent.reading.terms import terms_in
from agent.reconciling.titles import denies, deny_plainly, directions, is_device, key_of, names_and_opening

_MOST = 24  # clauses of a text that are looked at
_LONGEST = 400  # code points of a clause
_HELD = 0.75  # of the shorter clause's words, for two clauses to say the same of the same
_HELD_OF_LONGER = 0.5
_FEWEST = 4  # words below which a clause is held against nothing
_HELD_ABROAD = 0.6
_FEWEST_ABROAD = 3

_END = re.compile(r"[。！？；;\n，|]|[.!?,:](?=\s|$)|,(?=[\u3400-\u9fff])|(?<=[\u3400-\u9fff]),|\s[·•–—-]\s|——|：")
_DENIED = re.compile(
    r"(?:[不未没無无]|并非)\s?(?:[有能再会是可]|可以|能够)?([\u3400-\u9fff]{2,4}|[a-z][\w-]{1,30})|(?:\b(?:not|no|never|without|cannot)|n['\u2019]t)((?:\s[\w-]{1,30}){1,2})",
    re.IGNORECASE,
)
_OF_NONE = re.compile(
    r"\b(?:none|neither|nobody|no one|not (?:a single )?one)\b[\w\s-]{0,60}?\b(?:is|are|was|were|stays?|remains?)\s(?P<said>[a-z-]{3,30})"
    r"|(?:没有一|无一)[\u3400-\u9fff]{0,6}?(?=(?P<han>[\u3400-\u9fff]{2,4}))",
    re.IGNORECASE,
)
_NOTHING: frozenset[str] = frozenset()
_ASKS = frozenset("?？")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*")
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_EMPTY_HAN = re.compile(
    "[的了在是和与及将把被由从到为有也都就而并其这那该]|我们|他们|它们|可以|能够|进行|通过|以及|不|未|没|即可|用|能|可"
    "|(?:作者|团队|官方|论文|文中|他们)?(?:声?称|说明|表示|指出|认为|写道)"
)
_STOP = frozenset(
    """the a an and or of to in on at by for from with as is are was were be been it its this that these those they them their
    than then so but not no nor into over per up out off now new one also both each all any has have had do does did will would
    can could may might there here which who what when where while if only just more most less very too such about""".split()  # noqa: SIM905  # a list of words reads as words
)  # fmt: skip
_ENDING = re.compile(r"(?<=[a-z]{4})(?:ing|ed|es|e|s|ly)$")
_SETTING = re.compile(  # behind these stands where something was measured, and no part that a thing takes
    r"(?:\b(?:on|in|at|under|using|within)\s(?:an?\s|the\s|one\s|\d{1,4}\s?[×x]?\s?)?|在\s?)\Z", re.IGNORECASE
)
_SETTING_REACH = 16
_LISTED = re.compile(r"[\s、,，/和与及&+|]{1,3}|\s(?:and|or|vs\.?|versus)\s")


class Difference(NamedTuple):
    """What two texts say otherwise of the same, and whether both hold what they say."""

    kind: str
    is_held: bool


class Clause(NamedTuple):
    """A clause, as far as others can be held against it.

    Attributes:
        text: as it stands.
        words: what it says, without figures, negations and words that say nothing.
        negated: those of them that stand right behind a negation.
        none: what is said of none ("none of the runs is stable").
    """

    text: str
    words: frozenset[str]
    negated: frozenset[str]
    none: frozenset[str]
    is_negated: bool
    is_denied: bool
    directions: tuple[int, ...]


def split_clauses(text: str) -> Iterator[str]:
    """Yield the clauses of a text, each cut to 400 code points."""
    start = 0
    for end in _END.finditer(text):
        mark = end.end() if end.group() in _ASKS else end.start()
        if text[start : end.start()].strip():
            yield text[start : min(mark, start + _LONGEST)].strip()
        start = end.end()
    if text[start:].strip():
        yield text[start : start + _LONGEST].strip()


@functools.lru_cache(maxsize=4096)
def clauses_in(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the clauses of some texts, the first 24."""
    return tuple(islice((clause for text in texts for clause in split_clauses(text)), _MOST))


@functools.lru_cache(maxsize=4096)
def read_clauses(texts: tuple[str, ...]) -> tuple[Clause, ...]:
    """Take texts apart; at most 24 clauses are looked at."""
    return tuple(_read(clause) for clause in clauses_in(texts))


@functools.lru_cache(maxsize=16384)
def topics_in(clause: str) -> frozenset[str]:
    """Return the names and terms of the trade in a clause, the same in both languages."""
    return frozenset(key_of(word.group()) for word in named_with_opening(clause)) | terms_in(clause)


def named_with_opening(clause: str) -> list["re.Match[str]"]:
    """Return the words that name something, and the one that opens the clause where it may."""
    first, named = names_and_opening(clause)
    return [first, *named] if first and not any(word.start() == first.start() for word in named) else named


def words_in(text: str) -> frozenset[str]:
    """Return what a text says: Latin words without endings, pairs of Chinese characters, no figures."""
    words = {_stem(word) for word in _LATIN.findall(text)} - _STOP
    for run in _HAN_RUN.findall(_EMPTY_HAN.sub(" ", text)):
        words.update(run[place : place + 2] for place in range(max(1, len(run) - 1)))
    words.discard("")
    return frozenset(words)


def otherwise(mine: Sequence[Clause], theirs: Sequence[Clause], *, is_abroad: bool) -> Difference | None:
    """Name what two texts say otherwise of the same, or return None: negation, direction or role.

    Across two languages (`is_abroad`) only what denies in every language counts.
    """
    differ = _differ_abroad if is_abroad else _differ
    found = [
        Difference(kind, is_held=stances == {"held"})
        for one in mine
        for other in theirs
        if (kind := differ(one, other))
        and not (
            kind == "negation"
            and one.is_negated != other.is_negated
            and _say_both(one, other, mine=mine, theirs=theirs)
        )
        and "asked" not in (stances := {stance_of(one.text), stance_of(other.text)})
    ]
    return min(found, key=lambda one: (not one.is_held, one.kind), default=None)


def _say_both(one: Clause, other: Clause, *, mine: Sequence[Clause], theirs: Sequence[Clause]) -> bool:
    """Whether one of two texts says of the same both that it is and that it is not, such as of two cases."""
    return any(one.is_negated == another.is_negated and _are_on_one(one, another) for another in theirs) or any(
        other.is_negated == another.is_negated and _are_on_one(other, another) for another in mine
    )


def _differ_abroad(one: Clause, other: Clause) -> str | None:
    if one.is_denied == other.is_denied or one.is_negated == other.is_negated:
        return None
    mine, theirs = topics_in(one.text), topics_in(other.text)
    return "negation" if _meet(mine, theirs, fewest=_FEWEST_ABROAD, share=_HELD_ABROAD) else None


def _differ(one: Clause, other: Clause) -> str | None:
    if one.text == other.text or not _are_on_one(one, other):
        return None
    if one.is_negated != other.is_negated and (one.negated & other.words or other.negated & one.words):
        return "negation"
    if one.none & (other.words - other.negated - other.none) or other.none & (one.words - one.negated - one.none):
        return "negation"
    if any(a * b < 0 for a, b in zip(one.directions, other.directions, strict=True)):
        return "direction"
    names = _ordered(one.text), _ordered(other.text)
    both = set(names[0]) & set(names[1])
    order = [[name for name in side if name in both] for side in names]
    return "role" if len(both) > 1 and order[0] != order[1] else None


def _are_on_one(one: Clause, other: Clause) -> bool:
    """Whether two clauses of one language speak of the same: most words of the shorter one, and half of the longer one's."""
    shared = len(one.words & other.words)
    shorter, longer = sorted((len(one.words), len(other.words)))
    return shorter >= _FEWEST and shared >= max(_HELD * shorter, _HELD_OF_LONGER * longer)


def _meet(mine: frozenset[str], theirs: frozenset[str], *, fewest: int, share: float) -> bool:
    smaller = min(len(mine), len(theirs))
    return smaller >= fewest and len(mine & theirs) >= share * smaller


def _read(clause: str) -> Clause:
    is_negated = denies(clause)
    negated = words_in(" ".join(map(" ".join, _DENIED.findall(clause)))) if is_negated else _NOTHING
    none = _OF_NONE.search(clause) if is_negated else None
    said_of_none = words_in(none["said"] or none["han"]) if none else _NOTHING
    return Clause(
        clause,
        words_in(clause),
        negated,
        said_of_none,
        is_negated,
        is_negated and deny_plainly(clause),
        directions(clause),
    )


@functools.lru_cache(maxsize=16384)
def _ordered(clause: str) -> tuple[str, ...]:
    """Named things with their numbers, in order, each once; nothing where two of them stand in a list."""
    named = [word for word in WORD.finditer(clause) if is_device(key_of(word.group()))]
    named = sorted({*named_with_opening(clause), *named}, key=re.Match.start)
    for before, after in pairwise(named):
        if _LISTED.fullmatch(clause, before.end(), after.start()):
            return ()
    return tuple(
        dict.fromkeys(
            word.group().lower()
            for word in named
            if not _SETTING.search(clause[max(0, word.start() - _SETTING_REACH) : word.start()])
        )
    )


def _stem(word: str) -> str:
    lower = word.lower()
    return lower if count_cjk(lower) else _ENDING.sub("", lower)

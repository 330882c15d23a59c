"""How alike two increments are: their titles, their words, the things they name.

Promises: pure and symmetric, but for what says of which of them it speaks.
"""

import functools
import re

from rapidfuzz import fuzz

from agent.reading.terms import is_term
from agent.reconciling.clauses import read_clauses, topics_in
from agent.reconciling.titles import key_of
from agent.reconciling.traits import Traits

LEAST = 60.0  # likeness of titles below which it is none
MOST_WORDS = 4.0  # what words can add up to

_NEARLY = 80.0  # likeness of titles that name the same things
NEARLY_UNNAMED = 88.0  # likeness of titles that name nothing
_MIN_WEIGHT = 8  # a title that says less than eight Chinese characters says no finding ("Key results")
_MIN_BODY = 8  # words below which a text's words are no evidence
_MIN_SHARED = 0.1  # share of its words that a text has in common with another on the same thing, at least
_FEW_WORDS = 4  # a text of so few words has half of them in common by chance
_PER_TOPIC = 0.5  # what a name or term counts that texts of two languages have in common
_BARE = 4  # weight of a title that is a name with a version
_SHORTEST_PREFIX = 4
_SHORTEST_HAN = 3
_LATIN_WORD = 5
_OF_SOURCES = frozenset(  # what says whence a text has it
    """releas note blog post page doc docs document documentation announcement changelog star stars 发布 布说 说明 更新 新日 日志 公告
    博客 文档 来源 出处 布文 布页 状态 态页""".split()  # noqa: SIM905  # a list of words reads as words
)
_ABOUT_IT = re.compile(
    r"\.md(?![a-z])|[★☆⭐]|\A(?:[一二三四五]星半?|(?i:(?:one|two|three|four|five|[1-5]) stars?))\Z"
    r"|\A[^\w]{0,4}(?:可信度|星级?|建议归入|归入|credibility|rating|stars?|placement|file under)\b",
    re.IGNORECASE,
)


def alike(one: Traits, other: Traits) -> float:
    """Return the likeness of two titles, whole or by their first clause, up to 100; 0 below 60."""
    return max(fuzz.ratio(x, y, score_cutoff=LEAST) for x in one.subject.texts for y in other.subject.texts)


def words_in_common(one: Traits, other: Traits) -> float:
    """Return up to 4, the more words two texts share; across languages names and terms of the trade are counted."""
    if one.is_chinese != other.is_chinese:
        topics = _topics(one.texts) & _topics(other.texts)
        written = {word for word in _words(one.texts) & _words(other.texts) if _is_told_in_latin(word)}
        return min(MOST_WORDS, _PER_TOPIC * len(topics | {key for key in map(key_of, written) if key}))
    here, there = _words(one.texts), _words(other.texts)
    return MOST_WORDS * len(here & there) / (min(len(here), len(there)) + _FEW_WORDS)


def is_about(one: Traits, other: Traits) -> bool:
    """Whether another increment names what this one's title is about."""
    lead = one.subject.lead
    return bool(lead) and (lead in other.names or lead in other.openings or other.subject.has(lead))


def open_with_one_name(one: Traits, other: Traits) -> bool:
    """Whether a text opens with Chinese characters, three or more, that another one has as well: a name, most likely."""
    return _tells_of_opening(one.han, other.said) or _tells_of_opening(other.han, one.said)


def _tells_of_opening(opening: str, said: str) -> bool:
    return bool(opening) and opening[:_SHORTEST_HAN] in said


def have_one_subject(one: Traits, other: Traits) -> bool:
    """Whether both titles are about one named thing, or one is and the other, which names nothing, tells of it in its text."""
    mine, theirs = one.subject.lead, other.subject.lead
    if mine and theirs:
        return other.subject.has(mine) or one.subject.has(theirs)
    return is_about(one, other) or is_about(other, one)


def knows(traits: Traits, name: str) -> bool:
    """Whether an increment names a thing, if only by the beginning of its name, or by a longer one."""
    return traits.subject.has(name) or any(
        name == known
        or (min(len(name), len(known)) >= _SHORTEST_PREFIX and (name.startswith(known) or known.startswith(name)))
        for known in traits.names | traits.openings
    )


def are_siblings(one: str, other: str) -> bool:
    """Whether two names are two of one family ("osprey-instruct", "osprey-thinking")."""
    common = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return common >= _SHORTEST_PREFIX


def are_titles_telling(one: Traits, other: Traits) -> bool:
    """Whether the likeness of two titles says something: they are no mere headings ("Key results", "Papers of the week")."""
    a, b = one.subject, other.subject
    if min(a.weight, b.weight) < _MIN_WEIGHT:
        return False
    return bool(a.names or b.names) or not _speak_of_different_things(one, other)


def have_one_title(one: Traits, other: Traits) -> bool:
    """Whether two titles are nearly the same, or one product with one version and nothing else."""
    a, b = one.subject, other.subject
    is_bare = max(a.weight, b.weight) <= _BARE and len(a.names) == len(b.names) == 1
    if is_bare:
        return a.lead == b.lead and bool(a.labels.get(a.lead)) and a.labels == b.labels
    if alike(one, other) < (_NEARLY if a.names or b.names else NEARLY_UNNAMED) or (a.lacks(b) and b.lacks(a)):
        return False
    return are_titles_telling(one, other)


def _speak_of_different_things(one: Traits, other: Traits) -> bool:
    """Whether two texts under one unnamed title ("Weekly digest of papers") have hardly a word in common."""
    here, there = (_words(side.texts[1:]) for side in (one, other))
    smaller = min(len(here), len(there))
    return smaller >= _MIN_BODY and len(here & there) < _MIN_SHARED * smaller


@functools.lru_cache(maxsize=4096)
def _words(texts: tuple[str, ...]) -> frozenset[str]:
    """What texts say, but where they say whence they have it, how they rate it and where it goes."""
    said = (clause.words for clause in read_clauses(texts) if not _ABOUT_IT.search(clause.text))
    return frozenset().union(*said) - _OF_SOURCES


def _is_told_in_latin(word: str) -> bool:
    """Whether a word that a Chinese text has in Latin letters as well tells something: it is long or compound."""
    return word.isascii() and len(word) >= _LATIN_WORD and not is_term(word)


@functools.lru_cache(maxsize=4096)
def _topics(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*(topics_in(clause.text) for clause in read_clauses(texts)))

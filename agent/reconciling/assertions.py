"""Takes apart what a text asserts, where its words tell.

That is who is ahead, who takes which part, what holds since which version, which figure becomes which, what is so by default, and
whether it tells a view in order to reject it. Two texts clash where one asserts what the other denies, whatever the wording and the language.

Promises: pure, symmetric; time is linear in a text. A text without such words costs one look.
"""

import functools
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from agent.checking.stance import stance_of
from agent.reading.naming import WORD
from agent.reconciling.clauses import Difference, clauses_in, otherwise, read_clauses
from agent.reconciling.facts import facts_clash, read_facts
from agent.reconciling.titles import may_name
from agent.reconciling.wordlists import any_of

_ORDERS = {
    "behind": r"慢于|晚于|落后|不如|不及|逊于|弱于|\b(?:slower|worse|weaker|behind|after|later than|trails?|underperforms?|loses to)\b",
    "ahead": (
        r"优于|快于|早于|胜过|超过|超越|领先|强于|好于|击败"
        r"|\b(?:faster|better|stronger|quicker|ahead of|before|beats?|outperforms?|outpaces?|overtakes?|surpasses|leads|more)\b"
    ),
}
_ORDER = re.compile(any_of(_ORDERS))
_RANKED = re.compile(any_of({**_ORDERS, "than": "比"}))
_THAN = re.compile(r"(?<!对)比\s?")
_IS_AHEAD, _IS_BEHIND = re.compile("[快强好优多高早]"), re.compile("[慢差弱晚]")
_AFTER = 14  # code points after the second name in which "比" is completed
_COSTLY = re.compile(
    r"latency|memory|\bcost|error|loss|\btime\b|延迟|时延|显存|内存|成本|错误|误差|损失|耗|占用", re.IGNORECASE
)

# Parts that two things of one text take, by one name in both languages.
_PARTS = {
    "teacher": r"教师|老师|\bteachers?\b",
    "student": r"学生|\bstudents?\b",
    "planner": r"规划器?|规划者|\bplann(?:er|ing)\b",
    "executor": r"执行器?|执行者|\bexecut(?:or|es)\b",
    "draft": r"草稿|\bdraft(?:er)?\b",
    "target": r"目标模型|\btarget\b",
    "judge": r"裁判|评委|\bjudge\b",
    "writer": r"生成器|作答|\b(?:generator|writer|actor)\b",
    "critic": r"批评者|评审|校验器|\b(?:critic|reviewer|verifier)\b",
    "source": r"蒸馏自|输出蒸馏|的输出|\b(?:outputs? of)\b",
}
_PART = re.compile(any_of(_PARTS))
_THING = re.compile(
    r"(?<![\w.])(?:[A-Za-z][\w.]{0,30}-)?\d{1,4}(?:\.\d)?[BM](?![A-Za-z0-9])|(?<![\w.])[A-Z][a-z0-9]{0,20}[A-Z0-9][\w.+-]{0,30}"
)
_PART_REACH = 16  # code points between a part and who takes it
_DONE_IN = {  # what is said of a version, in both languages
    "fixed": r"修复|修正|修了|\bfix(?:ed|es)?\b",
    "latest": r"最新|\b(?:latest|newest|current)\b",
    "since": r"起支持|开始支持|从(?=[^，。；\n]{1,12}(?:开始|起))|\b(?:since|starting with|introduced in|added in|supported from)\b",
    "needed": r"要求|需要|至少|\b(?:requires?|needs?|at least)\b",
    "removed": r"移除|删除|删掉|去掉|废除|\bremov(?:es?|ed|al)\b",
}
_DOING = re.compile(any_of(_DONE_IN))
_VERSION = re.compile(r"(?<![\w.])v?(\d{1,4}(?:\.\d{1,4}){1,3})(?![\w.]*\d|\s?[%×xX倍])")

_STATES = {  # what something is or is not, in both languages: said, then denied
    "default": (
        r"默认(?:就)?(?:开启|打开|启用|开)|\b(?:on|enabled) by default|\benables (?:[\w-]{1,20} ){1,4}by default",
        r"默认(?:是)?(?:关闭|关|停用|不开)|\b(?:off|disabled) by default|\bopt-in\b",
    ),
    "commercial": (
        r"(?<!不)(?:允许|可以?|能)商(?:用|业)|\bcommercial use (?:is )?(?:allowed|permitted|free)|\b(?:allows?|permits?) commercial",
        (
            r"(?:不(?:允许|得|可以?|能)|禁止|不许)商|仅(?:限|供)?(?:研究|非商)|非商业|\bresearch[- ]only|\bresearch use only|\bnon-?commercial"
            r"|\bcommercial use (?:is )?(?:not|forbidden|prohibited|excluded)|\b(?:forbids|prohibits|excludes) commercial"
        ),
    ),
    "compatible": (
        r"(?<!不)兼容(?!性)|\bcompatible\b",
        r"不兼容|\bincompatible\b|\bnot compatible\b|\bbreak(?:s|ing)\b",
    ),
    "needed": (
        r"(?<!不)(?:需要?|必须)(?:重建|重启|重新|联网|升级)|\b(?:must|has to|have to|needs? to) be re|\brequires? a re",
        r"(?:不需要?|无需|不必|不用)(?:重建|重启|重新|联网|升级)|\bno re(?:build|start|training|index)|\bwithout re(?:build|start|train|index)",
    ),
    "telling": (  # whether one thing makes a difference to another
        r"(?<![没无不])有(?:明显|显著|很大)?影响|重要|\b(?:matters|affects|makes a difference|has an effect)\b",
        r"没有?(?:明显|显著|任何)?影响|无(?:明显|显著)?影响|不影响|不重要|无关紧要|\bno (?:\w{1,12} )?(?:effect|influence|impact|difference)\b|\b(?:not|never) (?:matter|affect)",
    ),
    "exact": (
        r"(?<!不)(?:无损|逐位一致|结果不变|完全一致)|\b(?:lossless|bit-?identical|unchanged outputs?|exact)\b",
        r"有损|不(?:完全)?一致|\blossy\b|\bnot (?:lossless|identical|exact)\b",
    ),
}
_STATE = tuple(
    (name, re.compile(said, re.IGNORECASE), re.compile(denied, re.IGNORECASE))
    for name, (said, denied) in _STATES.items()
)
_REJECTS = re.compile(  # somebody tells a view and does not take it
    r"(?=[我不经说站恰结观看反无没数传WwIdDorRnt])(?:我(?:并)?不(?:打算|认为|认同|赞同|同意|接受|信|买账|敢)|不敢苟同|经不起|说不通|站不住|恰恰相反|(?:说法|结论|观点|看法)(?:并)?不(?:对|成立|准确|属实)|反驳|(?:说法|结论|观点|看法|数字|传言)(?:是|属|纯属|就是|完全是)?(?:错|假|误|谣)"
    r"|(?:没有|无)(?:任何)?(?:证据|依据)(?:表明|支持|显示)|不是事实|并非事实"
    r"|\b(?:I|we) (?:do not|don't|cannot|can't|could not|did not) (?:think|accept|agree|believe|buy|see|confirm|reproduce)|\b(?:does|did) not follow\b"
    r"|\b(?:I|we) (?:reject|dispute|doubt|disagree)\b|\bno evidence (?:that|for|of)\b|\b(?:claim|statement|figure|number)s? (?:\w{1,12} ){0,3}(?:is|are|was|were) (?:wrong|false|untrue|incorrect|mistaken)\b"
    r"|\b(?:is|are|was) not (?:true|so|correct)\b|\bto the contrary\b"
    r"|\bon the contrary\b|\b(?:rebut|refut|debunk)(?:s|ed|al)?\b|\bnot convinced\b)",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"(?<![\d.,])(?P<first>\d[\d.,]{0,20})[^\S\n]?(?P<unit>[^\d\s，。；,;→]{0,8})[^\S\n]?(?:→|->|⇒|(?:[降升增减缩提压][低少加高长短升缩小]?|变|改)?[到至为成]|(?:增长|缩短|提升|下降|上升|降低|减少|增加)到?|to)[^\S\n]?(?P<last>\d[\d.,]{0,20})"
)

_NO_PAIRS: frozenset[tuple[str, str]] = frozenset()
_ANY_STATE = "默认|商用|商业|兼容|需|必|不用|无损|有损|一致|不变|default|opt-in|commercial|research|compatib|incompatib|non|break|must|ha[sv]e? to|requires|without|no re|lossless|lossy|bit|not|unchanged|exact|影响|重要|无关|matters|affect|effect|impact|influence|difference|makes"
_MAY_STATE = re.compile(any_of({"state": _ANY_STATE}))
_SIGN = re.compile(
    any_of(
        {
            **_ORDERS,
            "than": "比",
            "part": "|".join(_PARTS.values()),
            "version": "|".join(_DONE_IN.values()),
            "state": _ANY_STATE,
        }
    )
)


class Assertions(NamedTuple):
    """What a text asserts.

    Attributes:
        ranks: pairs of named things of which the first is said to be ahead.
        parts: who takes which part.
        versions: what is said of which version.
        changes: figures that one becomes the other, as written.
        states: what is said to be, or not to be.
        is_rejecting: it tells a view in order to reject it.
    """

    ranks: frozenset[tuple[str, str]]
    parts: frozenset[tuple[str, str]]
    versions: frozenset[tuple[str, str]]
    changes: frozenset[tuple[str, str]]
    states: frozenset[tuple[str, bool]]
    is_rejecting: bool


@functools.lru_cache(maxsize=4096)
def read_assertions(texts: tuple[str, ...]) -> Assertions:
    """Read what texts assert; at most 24 clauses are looked at."""
    clauses = clauses_in(texts)
    said = "\n".join(clauses)
    signs = {match.lastgroup for match in _SIGN.finditer(said)}
    return Assertions(
        ranks=_each(clauses, _ranks) if signs & {"ahead", "behind", "than"} else _NO_PAIRS,
        parts=_each(clauses, _parts) if "part" in signs else _NO_PAIRS,
        versions=_each(clauses, _versions) if "version" in signs else _NO_PAIRS,
        changes=frozenset((found["first"].strip(".,"), found["last"].strip(".,")) for found in _CHANGE.finditer(said)),
        states=frozenset(state for clause in clauses for state in _states(clause)) if "state" in signs else frozenset(),
        is_rejecting=bool(_REJECTS.search(said)),
    )


def differ(mine: tuple[str, ...], theirs: tuple[str, ...], *, is_abroad: bool) -> Difference | None:
    """Name what two texts say otherwise of the same, be they in one language or in two (`is_abroad`), or return None.

    One of: version, role, negation, direction, stance.
    """
    found = clash(read_assertions(mine), read_assertions(theirs)) or facts_clash(read_facts(mine), read_facts(theirs))
    return found or otherwise(read_clauses(mine), read_clauses(theirs), is_abroad=is_abroad)


def clash(mine: Assertions, theirs: Assertions) -> Difference | None:
    """Name what one text asserts and the other denies, or return None: version, role, negation, direction, or stance.

    A stance differs where one of them tells a view in order to reject it.
    """
    if _versions_clash(mine.versions, theirs.versions):
        return Difference("version", is_held=True)
    if _parts_clash(mine.parts, theirs.parts) or not mine.ranks.isdisjoint(rank[::-1] for rank in theirs.ranks):
        return Difference("role", is_held=True)
    if _states_clash(mine.states, theirs.states):
        return Difference("negation", is_held=True)
    if _changes_clash(mine.changes, theirs.changes):
        return Difference("direction", is_held=True)
    return Difference("stance", is_held=False) if mine.is_rejecting != theirs.is_rejecting else None


def _each(clauses: Sequence[str], read: Callable[[str], Iterable[tuple[str, str]]]) -> frozenset[tuple[str, str]]:
    return frozenset(pair for clause in clauses for pair in read(clause))


def _versions_clash(mine: Iterable[tuple[str, str]], theirs: Iterable[tuple[str, str]]) -> bool:
    one, other = _by_first(mine), _by_first(theirs)
    return any(one[kind].isdisjoint(other[kind]) for kind in one.keys() & other.keys())


def _states_clash(mine: frozenset[tuple[str, bool]], theirs: frozenset[tuple[str, bool]]) -> bool:
    return any(
        (name, not holds) in theirs and (name, not holds) not in mine and (name, holds) not in theirs
        for name, holds in mine
    )


def _changes_clash(mine: frozenset[tuple[str, str]], theirs: frozenset[tuple[str, str]]) -> bool:
    return any(change[::-1] in theirs and change not in theirs for change in mine if change[0] != change[1])


def _parts_clash(mine: Iterable[tuple[str, str]], theirs: Iterable[tuple[str, str]]) -> bool:
    """Whether two things take each other's part."""
    one, other = _by_first(mine), _by_first(theirs)
    return any(
        one[part] & other[turned]
        and one[turned] & other[part]
        and one[part].isdisjoint(other[part])
        and one[turned].isdisjoint(other[turned])
        for part, turned in combinations(sorted(one.keys() & other.keys()), 2)
    )


def _by_first(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for first, second in pairs:
        found[first].add(second)
    return found


def _ranks(clause: str) -> Iterator[tuple[str, str]]:
    if _COSTLY.search(clause):  # who costs more is not ahead
        return
    capitalised = [word for word in WORD.finditer(clause) if word.group()[0].isupper() and may_name(word.group())]
    for before, after in pairwise(capitalised):
        if rank := _rank(clause, before, after):
            yield rank


def _rank(clause: str, before: "re.Match[str]", after: "re.Match[str]") -> tuple[str, str] | None:
    between, rest = clause[before.end() : after.start()], clause[after.end() : after.end() + _AFTER]
    names = before.group().lower(), after.group().lower()
    if _THAN.fullmatch(between.strip()):
        return names if _IS_AHEAD.search(rest) else names[::-1] if _IS_BEHIND.search(rest) else None
    found = {match.lastgroup for match in _ORDER.finditer(between)}
    return names[::-1] if "behind" in found else names if found else None


def _versions(clause: str) -> Iterator[tuple[str, str]]:
    for done in _DOING.finditer(clause):
        for version in _VERSION.findall(clause):
            yield done.lastgroup or "", version


def _states(clause: str) -> Iterator[tuple[str, bool]]:
    if not _MAY_STATE.search(clause) or stance_of(clause) == "asked":
        return
    for name, said, denied in _STATE:
        if denied.search(clause):
            yield name, False
        elif said.search(clause):
            yield name, True


def _parts(clause: str) -> Iterator[tuple[str, str]]:
    """Who takes which part: the thing right before its word, else the nearest within reach."""
    things = list(_THING.finditer(clause))
    for part in _PART.finditer(clause):
        near = [
            (gap if thing.end() <= part.start() and gap <= 1 else gap + 1, thing.group().lower())
            for thing in things
            if (gap := max(part.start() - thing.end(), thing.start() - part.end())) <= _PART_REACH
        ]
        if near:
            yield part.lastgroup or "", min(near)[1]

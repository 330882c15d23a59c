"""What two texts on one thing say the other way round: who does what, what rises or falls, what is so or is not.

Parts are told by verbs of both languages ("A drafts, B verifies"; "由监督者撰写"); each must be played by one thing alone in each text,
and both things must stand in both. Whether two texts are on one thing at all is not decided here.

Promises: pure and symmetric; time is linear in the texts, a text of many clauses is looked at no further than 24.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from agent.checking.metrics import CONCEPT
from agent.checking.stance import stance_of
from agent.reading.identifiers import fold_full_width
from agent.reading.quantities import find_quantities, fold, in_base
from agent.reconciling.clauses import clauses_in
from agent.reconciling.wordlists import any_of

_HAN = "\u3400-\u9fff"
_ACTS = {
    "make": r"撰写|起草|编写|写出|写(?=摘要|测试|代码|草稿|计划|答案)|打草稿|\b(?:writes?|drafts?|authors)\b",
    "check": r"验证|校验|审核|确认|核对|接受或驳回|把关|\b(?:verif(?:y|ies)|checks|reviews|approves|accepts|confirms)\b",
    "fetch": r"检索取|检索出?|召回|取回|取(?= ?\d)|\b(?:fetch(?:es)?|retrieves?|recalls)\b",
    "rank": r"重排|精排|\bre-?ranks?\b",
    "plan": r"制定计划|做规划|拆解任务|\bplans\b",
    "execute": r"负责执行|来执行|\bexecutes\b",
    "judge": r"打分|评判|裁决|\b(?:judges|scores|grades)\b",
    "answer": r"作答|回答|生成答案|\b(?:answers|generates)\b",
    "compress": r"压缩(?!率|后)|做摘要|\b(?:compresses|summari[sz]es)\b",
    "acquire": r"收购|买下|并购|\b(?:acquires?|acquired|buys|bought)\b",
    "call": r"调用|\b(?:calls|invokes)\b",
}  # fmt: skip
_ACT = re.compile(any_of(_ACTS))
_ACTORS = {
    "worker": r"执行者|工作者|执行智能体|子智能体|\b(?:workers?|executors?|sub-?agents?)\b",
    "supervisor": r"监督者|主管|主智能体|协调者|\b(?:supervisors?|managers?|orchestrators?|lead agent)\b",
    "planner": r"规划器|规划者|规划智能体|\bplanners?\b",
    "graph": r"知识图谱|图谱|\b(?:knowledge )?graph\b",
    "vector": r"向量|\b(?:vectors?|embeddings?|dense)\b",
    "sparse": r"关键词|稀疏|\b(?:BM25|sparse|keyword)\b",
    "quantised": r"量化|INT[48]|FP[48]|\bquanti[sz]ed\b",
    "full": r"全精度|原模型|BF16|FP16|\b(?:full-precision|original|full model)\b",
    "small": r"小模型|\b(?:small(?:er)?|tiny) (?:model|one)\b",
    "large": r"大模型|\b(?:large[r]?|big(?:ger)?) (?:model|one)\b",
    "person": r"人工|人类|\b(?:humans?|people|person|annotators?)\b",
    "machine": r"模型自动|自动化|\b(?:the model|LLM|automat\w{2,6})\b",
    "client": r"客户端|\bclients?\b",
    "server": r"服务端|服务器|\bservers?\b",
    "generator": r"生成器|\bgenerators?\b",
    "critic": r"批评者|校验器|评审者?|\b(?:critics?|verifiers?|reviewers?)\b",
    "retriever": r"检索器|\bretrievers?\b",
    "reader": r"阅读器|\breaders?\b",
    "teacher": r"教师|\bteachers?\b",
    "student": r"学生|\bstudents?\b",
}
_ACTOR = re.compile(any_of(_ACTORS))
_NAMED_EN = re.compile(r"\b([A-Z][A-Za-z0-9]{2,20})(?= (?:has |have |will |now |only |then )?$)")
_NAMED_HAN = re.compile(rf"(?:^|[^{_HAN}])([{_HAN}]{{2,6}}?)(?:宣布|正式|已经?|将|拟|计划)?$")
_BY = re.compile(r"^(?:\w{0,3}) (?:by|from) (?:the )?([\w-]{2,20}(?: [\w-]{2,20})?)")
_NOT = re.compile(r"(?:不|未|没有?|无法|并非)$|\b(?:not|never|no|cannot|nor)(?: \w{1,8})? ?$", re.IGNORECASE)
_STOP = re.compile(r"[,.;:()、。]|(?<![a-z])(?:and|while|but|then|at|in|on)(?![a-z])")
_OBJECT = re.compile(
    r"(?!(?:the|its|each|all|one|out|them|this|that)(?![a-z]))(?<![a-z])[a-z]{3,20}(?=s?(?![a-z]))|[\u3400-\u9fff]{2}"
)
_OF_ANYTHING = frozenset({"acquire"})
_REACH = 44
_BEHIND = 28

_TRENDS = {
    "up": r"上升|上涨|上调|提高|提升|增加|增长|走高|涨价|\b(?:rises?|rose|increas(?:es?|ed)|goes up|went up|climbs?|grows?|improves?)\b",
    "down": r"下降|下调|下跌|降低|减少|走低|降价|回落|\b(?:falls?|fell|decreas(?:es?|ed)|goes down|went down|drops?|dropped|declines?|worsens?)\b",
}
_TREND = re.compile(any_of(_TRENDS))
_SIGNED = {
    "fast": r"更?快|提速|早|\b(?:faster|quicker|sooner|earlier)\b",
    "slow": r"更?慢|晚|\b(?:slower|later)\b",
    "more": r"更?[多高]|上升|增加|\b(?:higher|more|larger|above)\b",
    "less": r"更?[少低]|下降|减少|\b(?:lower|less|fewer|smaller|below)\b",
}
_SIGN = re.compile(any_of(_SIGNED))
_OPPOSITE = {"fast": "slow", "slow": "fast", "more": "less", "less": "more"}
_BESIDE = 12

_DENIED = re.compile(
    rf"(?P<before>[{_HAN}A-Za-z0-9]{{0,12}}?)(?P<no>不能|无法|不再|不会|不可|不支持|不需要?|不|未能?|没有?)(?P<after>[{_HAN}A-Za-z0-9]{{2,16}})"
)
_NEGATION = re.compile(r"[不未没无非]")

_LONG_OBJECT = 6  # code points of what is denied, that tell it alone
_SUBJECT, _GAP = 4, 3  # code points of who it is denied of, and of what may stand between

Kind = Literal["negation", "direction", "role"]


class Turned(NamedTuple):
    """What two texts say the other way round: of what kind, and the clauses that say so."""

    kind: Kind
    mine: tuple[str, ...]
    theirs: tuple[str, ...]


def turned(mine: tuple[str, ...], theirs: tuple[str, ...]) -> Turned | None:
    """Return what two texts on one thing say the other way round, or None."""
    for kind, read in _READERS:
        found = read(mine, theirs)
        if found and all(stance_of(clause) in {"held", "reported"} for side in found for clause in side):
            return Turned(kind, *found)
    return None


_Sides = tuple[tuple[str, ...], tuple[str, ...]]


# --- who does what ----------------------------------------------------------------------------------------------------


def _parts(mine: tuple[str, ...], theirs: tuple[str, ...]) -> _Sides | None:
    here, there = _played(mine), _played(theirs)
    for act in sorted(here.keys() & there.keys()):
        if len(here[act]) != 1 or len(there[act]) != 1:
            continue
        ((one, clause),), ((other, another),) = here[act].items(), there[act].items()
        if act not in _OF_ANYTHING and _are_apart(_object(act, clause), _object(act, another)):
            continue
        if one != other and all(_mentions(texts, actor) for texts in (mine, theirs) for actor in (one, other)):
            return tuple(clause.split("\n")), tuple(another.split("\n"))
    return None


@lru_cache(maxsize=4096)
def _played(texts: tuple[str, ...]) -> Mapping[str, Mapping[str, str]]:
    """Who does what: for each act its actors, each with the clauses that say so, one to a line."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for clause in clauses_in(texts):
        plainly = fold_full_width(clause)
        start = 0
        for act in _ACT.finditer(plainly):
            before = plainly[max(start, act.start() - _REACH) : act.start()]
            actor = _actor(before, plainly[act.end() : act.end() + _BEHIND])
            if actor and not _NOT.search(before):
                _add(found[act.lastgroup or ""], actor, clause)
            start = act.end()
    return found


def _object(act: str, clause: str) -> frozenset[str]:
    """The words right behind a verb, up to the next stop: what is written, what is checked."""
    plainly = fold_full_width(clause)
    verb = next((found for found in _ACT.finditer(plainly) if found.lastgroup == act), None)
    said = _STOP.split(plainly[verb.end() : verb.end() + _BEHIND], maxsplit=1)[0] if verb else ""
    return frozenset(_OBJECT.findall(said.casefold()))


def _are_apart(one: frozenset[str], other: frozenset[str]) -> bool:
    is_abroad = any(word[0] >= "\u3400" for word in one) != any(word[0] >= "\u3400" for word in other)
    return bool(one and other) and not is_abroad and one.isdisjoint(other)


def _add(said: dict[str, str], key: str, clause: str) -> None:
    said[key] = f"{said[key]}\n{clause}" if key in said else clause


def _actor(before: str, behind: str) -> str:
    """Who does it: what stands last before the verb, or behind "by"."""
    by = _BY.match(behind)
    known = [match.lastgroup or "" for match in _ACTOR.finditer(by[1] if by else before)]
    if known:
        return known[0] if by else known[-1]
    named = _NAMED_EN.search(before) or _NAMED_HAN.search(before)
    return named[1].casefold() if named else ""


def _mentions(texts: Sequence[str], actor: str) -> bool:
    said = "\n".join(texts)
    if actor in _ACTORS:
        return any(match.lastgroup == actor for match in _ACTOR.finditer(said))
    return actor in said.casefold()


# --- what rises and what falls ----------------------------------------------------------------------------------------


def _directions(mine: tuple[str, ...], theirs: tuple[str, ...]) -> _Sides | None:
    here, there = _signs(mine), _signs(theirs)
    both = here.keys() & there.keys()
    against = [key for key in sorted(both) if here[key].keys() == {_OPPOSITE[sign] for sign in there[key]}]
    if against and len(against) == len(both):
        return _clauses(here, against), _clauses(there, against)
    here, there = _trends(mine), _trends(theirs)
    for metric in sorted(here.keys() & there.keys()):
        if len(here[metric]) == 1 == len(there[metric]) and here[metric].keys() != there[metric].keys():
            return _clauses(here, [metric]), _clauses(there, [metric])
    return None


def _clauses(signs: Mapping[str, Mapping[str, str]], keys: Sequence[str]) -> tuple[str, ...]:
    said = "\n".join(clause for key in keys for clause in signs[key].values())
    return tuple(dict.fromkeys(said.split("\n")))


@lru_cache(maxsize=4096)
def _signs(texts: tuple[str, ...]) -> Mapping[str, Mapping[str, str]]:
    """Figures that say by how much something is faster or slower, more or less, with the clause."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for clause in clauses_in(texts):
        folded = fold(clause)
        quantities = [one for one in find_quantities(folded, []) if one.unit]
        for place, one in enumerate(quantities):
            limit = quantities[place + 1].start if place + 1 < len(quantities) else len(folded)
            sign = _SIGN.search(folded, one.end, min(limit, one.end + _BESIDE)) or _last(
                _SIGN.finditer(folded, quantities[place - 1].end if place else 0, one.start)
            )
            if sign and (sign.start() >= one.end or one.start - sign.end() <= len("了约")):
                base, factor = in_base(one.unit)
                _add(found[f"{one.value * factor:g} {base}"], sign.lastgroup or "", clause)
    return found


def _last(found: Iterator["re.Match[str]"]) -> "re.Match[str] | None":
    return next(reversed([*found]), None)


@lru_cache(maxsize=4096)
def _trends(texts: tuple[str, ...]) -> Mapping[str, Mapping[str, str]]:
    """Metrics that rise or fall, each with the clause; what both rises and falls in one clause says nothing."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for clause in clauses_in(texts):
        metrics = {match.lastgroup or "" for match in CONCEPT.finditer(clause)}
        trends = {match.lastgroup or "" for match in _TREND.finditer(clause)}
        if len(metrics) == 1 == len(trends):
            _add(found[metrics.pop()], trends.pop(), clause)
    return found


# --- what is so and is not --------------------------------------------------------------------------------------------


def _denials(mine: tuple[str, ...], theirs: tuple[str, ...]) -> _Sides | None:
    if found := _denied(mine, theirs):
        return found
    found = _denied(theirs, mine)
    return (found[1], found[0]) if found else None


def _denied(mine: tuple[str, ...], theirs: tuple[str, ...]) -> _Sides | None:
    """A clause in Chinese that denies what another one says in the same words."""
    for clause in clauses_in(mine):
        for denied in _DENIED.finditer(clause):
            verb = "支持" if denied["no"] == "不支持" else ""
            for other in clauses_in(theirs):
                if _says(other, denied["before"], f"{verb}{denied['after']}"):
                    return (clause,), (other,)
    return None


def _says(clause: str, before: str, after: str) -> bool:
    """Whether a clause says the same without a negation: a long object alone, or the subject right before a short one."""
    if _NEGATION.search(clause):
        return False
    if len(after) >= _LONG_OBJECT and after in clause:
        return True
    subject, verb = before[-_SUBJECT:], after[:2]
    at = clause.find(subject) if len(subject) == _SUBJECT else -1
    return at >= 0 and verb in clause[at + len(subject) : at + len(subject) + len(verb) + _GAP]


_READERS: tuple[tuple[Kind, Callable[[tuple[str, ...], tuple[str, ...]], _Sides | None]], ...] = (
    ("role", _parts),
    ("direction", _directions),
    ("negation", _denials),
)

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
from agent.reading.terms import terms_in
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
    "fast": r"快|更快|提速|早|\b(?:faster|quicker|sooner|earlier)\b",
    "slow": r"慢|更慢|晚|\b(?:slower|later)\b",
    "more": r"多|高|更多|更高|上升|增加|\b(?:higher|more|larger|above)\b",
    "less": r"少|低|更少|更低|下降|减少|\b(?:lower|less|fewer|smaller|below)\b",
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

_STATE = {
    "on": r"(?:默认|缺省|出厂)(?:就|是|即|为|设为|状态为)?(?:打开|开启|启用|开着|开(?![放源发销支])|允许)|\b(?:(?:enabled|switched on|turned on|on|allowed) (?:by default|out of the box)|(?:by default|default)(?: it)? (?:is |are |to )?(?:on|enabled)|defaults to (?:on|true|enabled))\b",
    "off": r"(?:默认|缺省|出厂)(?:就|是|即|为|设为|状态为)?(?:关闭|关着|禁用|停用|不(?:打开|开启|启用|开)|关(?!于|键|系|联)|禁止)|\b(?:(?:disabled|switched off|turned off|off|forbidden) (?:by default|out of the box)|(?:by default|default)(?: it)? (?:is |are |to )?(?:off|disabled)|defaults to (?:off|false|disabled))\b",
}
_STATED = re.compile("|".join(f"(?P<{name}>{words})" for name, words in _STATE.items()), re.IGNORECASE)
_NO_EFFECT = re.compile(
    r"(?:没有?|无|毫无|不产生|未见)(?:任何|明显|显著|可测的|可见的){0,2}(?:影响|差别|区别|差异|变化|帮助|作用|效果|改善|提升|收益)|(?:不|没有?)影响"
    r"|(?<![a-z])(?:(?:no|without|hardly any) (?:(?:measurable|significant|visible|clear|real|noticeable) )?(?:effect|impact|influence|difference|gain|improvement|benefit|change)|(?:does|do|did)(?: not|n't) (?:affect|change|help|improve|matter)|unaffected|makes no difference)(?![a-z])",
    re.IGNORECASE,
)
_TEST = re.compile(r"(?<![A-Za-z0-9])[A-Z][a-z]{1,15}[A-Z][A-Za-z0-9]{1,15}(?:-[A-Za-z0-9]{1,8})?(?![A-Za-z0-9])")
_LATIN_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z][a-z-]{3,20}(?![A-Za-z])")
_NO_OBJECT = frozenset(
    "default enabled disabled switched turned allowed forbidden says with that this reference settings".split()  # noqa: SIM905  # a list of words reads as words
)
_CAUSE_END = re.compile(r"对|(?<![a-z])(?:has|have|had|makes?|does|do|did|on)(?![a-z])", re.IGNORECASE)
_HAN_RUN = re.compile(rf"[{_HAN}]{{2,20}}")
_RUN_AT_END = re.compile(rf"[{_HAN}]{{2,12}}\Z")
_STILL = {
    "no": r"不再(?=需要|支持|要求|提供|收)|(?<![a-z])no longer (?=[a-z]+)",
    "yes": r"(?:仍然?|依旧|依然|还)(?:要|须)?(?=需要|支持|要求|提供|收)|(?<![a-z])still (?=[a-z]+)",
}
_STILL_OR_NOT = re.compile("|".join(f"(?P<{name}>{words})" for name, words in _STILL.items()), re.IGNORECASE)
_VERB = re.compile(r"需要|支持|要求|提供|收|[a-z]{3,12}?(?=e?s?(?![a-z]))", re.IGNORECASE)
_OBJECT_HAN = 4  # Chinese characters that name what is on or off

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
        if not _SIGN.search(clause):
            continue
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
        trends = {match.lastgroup or "" for match in _TREND.finditer(clause)}
        if len(trends) != 1:
            continue
        metrics = {match.lastgroup or "" for match in CONCEPT.finditer(clause)}
        if len(metrics) == 1:
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
    for clause, before, after in _denials_in(mine):
        for other in clauses_in(theirs):
            if _says(other, before, after):
                return (clause,), (other,)
    return None


@lru_cache(maxsize=4096)
def _denials_in(texts: tuple[str, ...]) -> tuple[tuple[str, str, str], ...]:
    """What clauses deny: the clause, what stands before the negation, and what it denies."""
    return tuple(
        (clause, denied["before"], f"{'支持' if denied['no'] == '不支持' else ''}{denied['after']}")
        for clause in clauses_in(texts)
        if _NEGATION.search(clause)
        for denied in _DENIED.finditer(clause)
    )


def _says(clause: str, before: str, after: str) -> bool:
    """Whether a clause says the same without a negation: a long object alone, or the subject right before a short one."""
    if _NEGATION.search(clause):
        return False
    if len(after) >= _LONG_OBJECT and after in clause:
        return True
    subject, verb = before[-_SUBJECT:], after[:2]
    at = clause.find(subject) if len(subject) == _SUBJECT else -1
    return at >= 0 and verb in clause[at + len(subject) : at + len(subject) + len(verb) + _GAP]


# --- what is on or off, and what has an effect or none ----------------------------------------------------------------


def _defaults(mine: tuple[str, ...], theirs: tuple[str, ...]) -> _Sides | None:
    """One setting that is on by default here, and off there."""
    for state, clause in _states(mine):
        for other, another in _states(theirs):
            if state != other and _set_alike(clause, another):
                return (clause,), (another,)
    return None


@lru_cache(maxsize=4096)
def _states(texts: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """What is on or off by default: the state, and the one clause that says so; clauses that say both tell nothing."""
    found = []
    for clause in clauses_in(texts):
        states = {match.lastgroup or "" for match in _STATED.finditer(fold_full_width(clause))}
        if len(states) == 1:
            found.append((states.pop(), clause))
    return tuple(found)


def _set_alike(one: str, other: str) -> bool:
    """Whether two clauses name one setting, by the words before its state, or by two words that they share."""
    objects = [_set(clause) for clause in (one, other)]
    if all(objects) and (objects[0].endswith(objects[1]) or objects[1].endswith(objects[0])):
        return True
    if any(objects) and not all(objects):  # of two languages
        return bool(terms_in(one) & terms_in(other))
    words = [{word.casefold() for word in _LATIN_WORD.findall(clause)} - _NO_OBJECT for clause in (one, other)]
    smaller = min(words, key=len)
    return bool(smaller) and len(words[0] & words[1]) >= min(2, len(smaller))


def _set(clause: str) -> str:
    """The Chinese characters right before a state."""
    state = _STATED.search(fold_full_width(clause))
    before = fold_full_width(clause)[: state.start()].rstrip(' :,"”」') if state else ""
    run = _RUN_AT_END.search(before)
    return run.group()[-_OBJECT_HAN:] if run else ""


def _lasting(mine: tuple[str, ...], theirs: tuple[str, ...]) -> _Sides | None:
    """What is no longer so here, and still is there."""
    for one in clauses_in(mine):
        for other in clauses_in(theirs):
            says = [_still(clause) for clause in (one, other)]
            if all(says) and says[0][0] != says[1][0] and says[0][1] == says[1][1] and _share_object(one, other):
                return (one,), (other,)
    return None


@lru_cache(maxsize=4096)
def _still(clause: str) -> tuple[str, str]:
    """Whether something still is so or no longer, and the verb that says it; nothing where a clause says neither."""
    found = list(_STILL_OR_NOT.finditer(fold_full_width(clause)))
    verb = _VERB.match(fold_full_width(clause), found[0].end()) if len(found) == 1 else None
    return (found[0].lastgroup or "", verb.group().casefold()) if verb else ("", "")


def _share_object(one: str, other: str) -> bool:
    """Whether two clauses have two words in common, or most of a Chinese object."""
    words = [{word.casefold() for word in _LATIN_WORD.findall(clause)} for clause in (one, other)]
    pairs = [
        {run[place : place + 2] for run in _HAN_RUN.findall(clause) for place in range(len(run) - 1)}
        for clause in (one, other)
    ]
    return len((words[0] & words[1]) - {"still", "longer"}) + len(pairs[0] & pairs[1]) > 2


def _effects(mine: tuple[str, ...], theirs: tuple[str, ...]) -> _Sides | None:
    """Something that moves a test's result here, and has no effect on it there."""
    for one, other, is_mine in ((mine, theirs, True), (theirs, mine, False)):
        for none in _effectless(one):
            for moved in _moved(other):
                is_on_one = _tests(none) & _tests(moved) and _are_of_one_cause(none, one, moved, other)
                if is_on_one and not any(_tests(no) & _tests(none) for no in _effectless(other)):
                    return ((none,), (moved,)) if is_mine else ((moved,), (none,))
    return None


def have_other_causes(mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Whether one text says of one thing that it has no effect, and the other one of another thing that it has one."""
    pairs = [
        (none, one, moved, other)
        for one, other in ((mine, theirs), (theirs, mine))
        for none in _effectless(one)
        for moved in _moved(other)
        if _tests(none) & _tests(moved)
    ]
    return bool(pairs) and not any(_are_of_one_cause(*pair) for pair in pairs)


def _are_of_one_cause(none: str, one: Sequence[str], moved: str, other: Sequence[str]) -> bool:
    """Whether what has no effect here stands in the sentence that tells of one there."""
    sentence = next((text for text in one if none in text), none)
    told = next((text for text in other if moved in text), moved)
    before = sentence[: sentence.find(none) + len(none)]
    end = _CAUSE_END.search(before, max(0, len(before) - len(none)))
    cause = before[: end.start()] if end else before
    words = {run[place : place + 2] for run in _HAN_RUN.findall(cause) for place in range(len(run) - 1)}
    words |= {word.casefold() for word in _LATIN_WORD.findall(cause)} - {"arxiv"}
    return any(word in told.casefold() for word in words - _tests(cause))


@lru_cache(maxsize=4096)
def _effectless(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(clause for clause in clauses_in(texts) if _NO_EFFECT.search(clause))


@lru_cache(maxsize=4096)
def _moved(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Clauses that say by how much something moves."""
    return tuple(
        clause
        for clause in clauses_in(texts)
        if not _NO_EFFECT.search(clause)
        and (_SIGN.search(clause) or _TREND.search(clause))
        and any(one.unit or one.value for one in find_quantities(fold(clause), []))
    )


def _tests(clause: str) -> frozenset[str]:
    return frozenset(match.group().casefold() for match in _TEST.finditer(fold_full_width(clause)))


_READERS: tuple[tuple[Kind, Callable[[tuple[str, ...], tuple[str, ...]], _Sides | None]], ...] = (
    ("role", _parts),
    ("direction", _directions),
    ("negation", _defaults),
    ("negation", _lasting),
    ("negation", _effects),
    ("negation", _denials),
)

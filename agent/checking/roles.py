"""What two named things are to each other: the part that each plays ("A is the framework, B the case"), and which is ahead.

Promises: two things are held against each other only where one sentence, or two neighbouring items, give a part to each; parts
are compared by a table of both languages, else by their own words; a comparison under other conditions is none. Nothing
raises; time is linear in the text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agent.checking.dispute import Dispute, Hand, as_stated
from agent.checking.stance import stance_in
from agent.reading.conditions import find_conditions, is_hardware_or_precision
from agent.reading.identifiers import find_arxiv
from agent.reading.naming import is_distinctive, name_key, named_in
from agent.reading.quotations import folded, masked, quoted
from agent.reading.showing import as_evidence, cut, plain
from agent.records import Claim
from agent.texts import Unit

# Opposite parts, one line each; what stands in no line is compared by its own words.
_PARTS = {
    "framework": r"框架(?:层面|抽象|级)|抽象层?|形式化|系统化表述|系统表述|理论框架|(?<![a-z])(?:framework|abstraction|formali[sz]ation|formal model)(?![a-z])",
    "case": r"工业(?:界)?(?:实现|案例|实践|实测|落地)|实现案例|落地案例|实测案例|工程实现|系统实现|(?<![a-z])(?:industrial|production|deployed) (?:case|example|implementation|system|deployment)|(?<![a-z])(?:implementation|case study|industrial case)(?![a-z])",
    "draft": r"草稿(?:模型|头)?|起草|(?<![a-z])(?:draft(?:er|ing)?|proposer|speculator)(?![a-z])",
    "target": r"目标模型|验证(?:模型|方|器)|(?<![a-z])(?:target(?: model)?|verifier)(?![a-z])",
    "teacher": r"教师(?:模型)?|(?<![a-z])teacher(?![a-z])",
    "student": r"学生(?:模型)?|(?<![a-z])student(?![a-z])",
    "client": r"客户端|(?<![a-z])client(?:-side)?(?![a-z])",
    "server": r"服务[端器](?:端)?|(?<![a-z])server(?:-side)?(?![a-z])",
    "upstream": r"上游|(?<![a-z])upstream(?![a-z])",
    "downstream": r"下游|(?<![a-z])downstream(?![a-z])",
    "open": r"开源|开放权重|(?<![a-z])open(?:[- ]source[d]?|[- ]weights?)(?![a-z])",
    "closed": r"闭源|专有|不开源|(?<![a-z])(?:closed(?:[- ]source[d]?)?|proprietary)(?![a-z])",
    "baseline": r"基线|对照组?|(?<![a-z])(?:baseline|control group)(?![a-z])",
    "proposed": r"新方法|提出的方法|本文方法|(?<![a-z])(?:proposed|our|new) (?:method|approach|system)(?![a-z])",
    "frontend": r"前端|(?<![a-z])front-?end(?![a-z])",
    "backend": r"后端|(?<![a-z])back-?end(?![a-z])",
    "prefill": r"负责? ?prefill|prefill (?:节点|实例|引擎|侧)|(?<![a-z])(?:the |does |runs |handles )prefill(?: node| engine| instance| side)?(?![a-z])",
    "decode": r"负责? ?decode|decode (?:节点|实例|引擎|侧)|(?<![a-z])(?:the |does |runs |handles )decod(?:e|ing)(?: node| engine| instance| side)?(?![a-z])",
    "attacker": r"攻击(?:者|方)|(?<![a-z])attack(?:er)?(?![a-z])",
    "defender": r"防御(?:者|方)?|防守方|(?<![a-z])defen[cs]e|(?<![a-z])defender(?![a-z])",
    "parent": r"母公司|收购方|(?<![a-z])(?:parent(?: company)?|acquirer)(?![a-z])",
    "subsidiary": r"子公司|被收购方?|(?<![a-z])(?:subsidiary|acquired company|acquiree)(?![a-z])",
    "predecessor": r"前身|前代|上一代|旧版|(?<![a-z])(?:predecessor|previous generation)(?![a-z])",
    "successor": r"后继|继任|新一代|下一代|(?<![a-z])(?:successor|next generation)(?![a-z])",
}  # fmt: skip
_OPPOSITES = tuple(tuple(pair) for pair in zip(list(_PARTS)[::2], list(_PARTS)[1::2], strict=True))
_PART = re.compile("|".join(f"(?P<{part}>{words})" for part, words in _PARTS.items()), re.IGNORECASE)

# A link behind a name, with nothing in between but more Latin words and brackets.
_LINKED = re.compile(
    r"(?P<more>[A-Za-z0-9 .'’&/+_-]{0,40}?)(?:\([^()\n]{0,120}\))?[ \t]{0,4}(?P<link>=|:|是(?!否)|为|作为|作|做|担任|充当|扮演|提供|属于|负责|(?:is|was|are|acts as|serves as|serves|provides|plays|as|does|runs|handles)(?![a-z])|(?=(?:the|an?) )) ?(?:(?:the|an?) )?",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"[\s\-*+•·>#\d.)|「\"]{0,16}(?:(?:而|其中|两者互补|二者互补|问题|关系):?|the |while |whereas |and )?[ :]{0,3}",
    re.IGNORECASE,
)
_FORMER = re.compile(
    r"前者 ?(?:则|才|就)?(?:=|:|是|为|作为|提供|属于)(?P<first>[^。；;\n]{1,60}?)[,，、;；] ?(?:而)?后者 ?(?:则|才|就)?(?:=|:|是|为|作为|提供|属于)(?P<second>[^。；;，,\n]{1,40})"
    r"|(?:the )?former (?:is|was|being|provides|as)(?P<first_en>[^.;\n]{1,80}?)[,;]? ?(?:and |while |whereas )?(?:the )?latter (?:is |was |being |provides |as |the |an? )?(?P<second_en>[^.;,\n]{1,60})",
    re.IGNORECASE,
)
_BRACKETS = re.compile(
    r"(?P<one>[A-Za-z][A-Za-z0-9+._'’-]{1,30}(?: '?\d{2,4})?) ?\((?P<first>[^()\n]{2,40})\) ?(?:与|和|及|跟|[+/]|vs\.?|and|versus) ?(?P<other>[A-Za-z][A-Za-z0-9+._'’-]{1,30}(?: '?\d{2,4})?) ?\((?P<second>[^()\n]{2,40})\)"
)
_JOINT = re.compile(r"(?<![参给])与|和|跟|以及|(?<![a-z])(?:and|vs\.?|versus|with)(?![a-z])", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[。；;！!？?，,\n]|——|\. (?=\S)| · |(?<![A-Z]) and (?=[A-Z])")
_SENTENCE_END = re.compile(r"[。；;！!？?\n]|\. (?=\S)")
_ROUND = re.compile(r"\([^()\n]{0,200}\)?")
_INSTEAD = re.compile(r"而非|而不是|(?<![a-z])(?:rather than|instead of|not)(?![a-z])", re.IGNORECASE)
_FOR = re.compile(r"提供|带来|构建|实现了|打造|设计|引入|服务")
_OPENING = 24
_NO_NAMES = frozenset(
    "it its this that these those the they we he she only all some both each our their here there what which if when where while as in on at for with average overall results figure table section note however first second our model models method methods framework system paper papers baseline agents llm llms gpu gpus rag api kv ai".split()  # noqa: SIM905  # a list of words reads as words
)
_DENIES = re.compile(r"[不非未否]|(?:not|no|neither)(?![a-z])", re.IGNORECASE)

_AHEAD = re.compile(
    r"比(?P<other_zh>[^。；;，,\n比]{1,40}?)(?:还|更|要|平均|大约|约)?(?P<how_zh>快|慢|高|低|好|差|强|弱|省|便宜|贵|准|少|多|早|晚)(?![度端效于级质期])"
    r"|(?P<verb_zh>优于|胜过|超过|超越|领先于?|击败|不如|不及|逊于|落后于?|弱于|慢于|快于|高于|低于)(?P<other_verb>[^。；;，,\n]{1,40})"
    r"|(?<![a-z])(?P<verb_en>outperforms?|outperformed|beats?|surpass(?:es|ed)?|exceeds?|leads|(?:is|was|are|were|gets|becomes) (?:ready|up|available|live|done) (?:[\w.]{1,12} ){0,3}(?:before|sooner than|earlier than|ahead of)|trails?|trailed|lags? behind|lagged behind|loses to|(?:is|was|are|runs|gets|ran) (?:[\d.,]{1,8} ?(?:%|x|×|times|percent)? )?(?P<how_en>faster|slower|better|worse|cheaper|costlier|smaller|larger|more accurate|less accurate|more efficient|less efficient) than|(?:handles|serves|processes|delivers|reaches|gets|has|uses|needs|takes|costs) (?:[\d.,]{1,8} ?(?:%|x|×|times|percent)? )?(?P<how_much>more|less|fewer|higher|lower) (?:\w{1,14} ){0,4}than) (?P<other_en>[^.;,\n]{1,60})",
    re.IGNORECASE,
)
_BEHIND = frozenset(
    {
        *("慢", "晚", "差", "弱", "贵", "不如", "不及", "逊于", "落后", "落后于", "弱于", "慢于", "trail", "trails", "trailed", "loses to"),
        *("slower", "worse", "costlier", "less accurate", "less efficient", "lag behind", "lags behind", "lagged behind"),
    }
)  # fmt: skip
_MORE = frozenset({"more", "higher", "高", "多", "高于", "超过", "larger", "exceed", "exceeds"})
_LESS = frozenset({"less", "fewer", "lower", "低", "少", "低于", "省", "smaller"})
_LESS_IS_BETTER = re.compile(
    r"延迟|时延|耗时|显存|内存|占用|成本|费用|开销|错误率|幻觉率|困惑度|TTFT|TPOT|ITL|latency|memory|cost|error rate|perplexity|overhead|footprint",
    re.IGNORECASE,
)
_DIMENSIONS = {
    "start": r"冷启动|启动|可用|就绪|(?:is|was|gets) (?:ready|up)|cold[- ]starts?|start-?up",
    "latency": r"延迟|时延|TTFT|TPOT|首 ?token|latency",
    "memory": r"显存|内存|省内存|memory|footprint",
    "cost": r"成本|费用|便宜|贵|价格|cost|cheaper|costlier|price",
    "throughput": r"吞吐|throughput|(?:requests?|tokens?|queries) (?:per|a) second|每秒|(?:tok(?:en)?s?|req)/s|QPS",
    "accuracy": r"准确率|精度|正确率|准(?!备)|accura(?:cy|te)|pass@1|F1",
    "energy": r"能耗|功耗|energy|power draw",
    "speed": r"快|慢|速度|加速|faster|slower|speed",
}  # fmt: skip
_DIMENSION = re.compile("|".join(f"(?P<{name}>{words})" for name, words in _DIMENSIONS.items()), re.IGNORECASE)
_THING = r"[A-Za-z][A-Za-z0-9]{0,30}(?:[._-][A-Za-z0-9]{1,20}){0,4}"
_LEFT, _RIGHT = rf"(?<![A-Za-z0-9._-])(?P<one>{_THING})", rf"(?P<other>{_THING})(?![A-Za-z0-9])"
# What one thing does to another, and who does it.
_DOES = tuple(
    (verb, re.compile(words.format(one=_LEFT, other=_RIGHT), re.IGNORECASE))
    for verb, words in (
        ("acquires", r"{one} ?(?:宣布|正式|已经?|完成)?(?:收购|并购|买下)了? ?{other}"),
        ("acquires", r"{one} (?:has |have )?(?:acquires?|acquired|buys|bought|takes over|took over) {other}"),
        ("distils", r"用 ?{one} ?(?:的(?:输出|数据|轨迹|答案))?(?:来|去)?蒸馏(?:出|到|给|成)? ?{other}"),
        ("distils", r"(?<![a-z])distill?(?:s|ed|ing)? (?:the outputs? of )?{one} into {other}"),
        ("distils", r"{one} (?:is|was|were) distilled into {other}"),
        ("replaces", r"{one} ?(?:已经?|正式)?(?:取代|替代|替换)了? ?{other}"),
        ("replaces", r"{one} (?:has )?(?:replaces|replaced|supersedes|superseded|succeeds|succeeded) {other}"),
        ("builds on", r"{one} ?(?:基于|构建于|建立在|依赖于?) ?{other}"),
        ("builds on", r"{one} (?:depends on|is built on|is based on|builds on) {other}"),
    )
)
_VERBS = frozenset(verb for verb, _ in _DOES)
_QUALIFIERS = re.compile(
    r"(?<![a-z])(?:prefill|decode|train(?:ing)?|inference)(?![a-z])|训练|推理|单卡|多卡", re.IGNORECASE
)
_SETTING = re.compile(
    r"场景|工作负载|条件下|情况下|时(?=[，,])|[<>≥≤]|复用率|请求|上下文|批大?小|(?<![a-z])(?:when|under|workloads?|for|if|with|without|batch|context|scenario|setting)(?![a-z])",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:不|没有?|未必|并未|未)\Z|(?<![a-z])(?:not|never|no longer|hardly)(?: \w{1,10})? ?\Z", re.IGNORECASE
)
_WHERE = re.compile(
    r"在[^,，。在]{1,30}?(?:上|中|下|里|时|场景)|[A-Za-z][A-Za-z0-9.-]{1,40} ?上|(?<![a-z])(?:on|at|in|under|with|using) [^,]{1,60}",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"[、/+]|和|与|及|或|(?<![a-z])(?:and|or|all|both)(?![a-z])", re.IGNORECASE)
_BY_MEANS = re.compile(r"通过|基于|利用|使用|借助|(?<![a-z])(?:via|based|trained|using)(?![a-z])", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?<![A-Za-z])[A-Za-z][A-Za-z.]{0,30}(?:-?\d[\w.]{0,20}| v?\d{1,3}\.\d[\w.]{0,12}(?! ?[%x×倍]))(?![A-Za-z])"
)
_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9]{0,40}(?:[._-][A-Za-z0-9]{1,40}){0,4}\+{0,2}")
_ARXIV_LABEL = re.compile(r"arxiv ?:", re.IGNORECASE)
_NOT_NAMES = re.compile(r"§[\d.]+|\.md\b")
_NEAR = 8
_ROLE = "role"
_OWN_WORDS = "~"
_LONGEST_PART, _LONGEST_OWN = 60, 28
_ALIKE, _UNLIKE = 0.5, 0.2
_REACH = 240
_SAYS = 110


@dataclass(frozen=True, slots=True)
class _Given:
    """A part that a thing is given, where it stands in its unit."""

    name: str
    part: str
    unit: Unit
    start: int
    end: int
    opens: bool  # the thing opens its item


def claims(hand: Hand) -> Iterator[Claim]:
    """Yield the parts that two named things are given, and which of two is ahead of the other."""
    if hand.is_document:
        segments = hand.segments
    else:
        segments = tuple(segment for segment in hand.segments if segment.role != "checked")
    for segment in segments:
        before: _Given | None = None
        for unit in segment.units:
            if unit.kind in ("code", "rule", "row", "front_matter", "comment"):
                before = None
                continue
            text = _readable(unit.text)
            given = list(_given(unit, text))
            together = [*([before] if before and given and given[0].opens else []), *given]
            yield from (_roles(hand, one, other) for one, other in pairwise(together) if _are_two(one, other))
            yield from (_roles(hand, *pair) for pair in _paired(unit, text) if _are_two(*pair))
            yield from _orders(hand, unit, text)
            yield from _deeds(hand, unit, text)
            before = given[-1] if len(given) == 1 and given[0].opens else None


def compare(one: Claim, other: Claim) -> Dispute | None:
    """Return the dispute where two things take each other's part, or the other one is ahead in the same respect."""
    if {one.stance, other.stance} != {"held"} or one.attribute != other.attribute or one.value == other.value:
        return None
    is_role, is_deed = one.attribute == _ROLE, one.attribute in _VERBS
    mine, theirs = one.value.split("|"), other.value.split("|")
    if (is_role and not _is_swapped(mine, theirs)) or (
        not is_role and not is_deed and _settings(one) != _settings(other)
    ):
        return None
    parts = sorted(mine) if is_role and not one.value.startswith(_OWN_WORDS) else ()
    first, second = sorted((one, other), key=lambda claim: (claim.value, claim.evidence.note, claim.evidence.start))
    return Dispute(
        rule="roles-swapped" if is_role or is_deed else "order-swapped",
        kind="role",
        about=_about(first, second),
        key=(one.subject, one.attribute, *parts),
        sides=(as_stated(first), as_stated(second)),
    )


def _readable(text: str) -> str:
    """A unit's text in half width, with quotations, section marks and identifiers blanked out; offsets stay."""
    text = folded(text)
    blanked = [*quoted(text), *(found.span() for found in _NOT_NAMES.finditer(text))]
    blanked += [(span.start, span.end) for span in find_arxiv(text)]
    return _ARXIV_LABEL.sub(lambda label: " " * len(label.group()), masked(text, sorted(blanked), mask=" "))


def _given(unit: Unit, text: str) -> Iterator[_Given]:
    """The parts that the clauses of a unit give to the things they open with."""
    for low, high in _clauses(text):
        clause = text[low:high]
        lead = _LEAD.match(clause)
        at = lead.end() if lead else 0
        name = _WORDS.match(clause, at)
        link = _LINKED.match(clause, name.end()) if name else None
        if name is None or link is None or _SEVERAL.search(link["more"]):
            continue
        kind, words = link["link"].strip().lower(), clause[link.end() :]
        is_plain = kind not in ("", ":", "为")  # a colon may open anything, and 为 may mean "for"
        part = "" if kind == "为" and _FOR.search(words) else _part(words, may_be_own_words=is_plain)
        is_sure = is_distinctive(name.group()) or name.group().isupper()
        is_name = is_sure or (name.group()[0].isupper() and name.group().lower() not in _NO_NAMES)
        is_fit = is_name and (is_sure or not part.startswith(_OWN_WORDS)) and bool(_key(name.group()))
        if is_fit and part:
            opens = low + at <= _OPENING and _LEAD.fullmatch(text, 0, low + at) is not None
            yield _Given(name.group(), part, unit, low + name.start(), high, opens=opens)


def _paired(unit: Unit, text: str) -> Iterator[tuple[_Given, _Given]]:
    """Two things given their parts by the brackets behind them, or as the former and the latter."""
    for found in _BRACKETS.finditer(text):
        words = [_WORDS.match(found[side]) for side in ("one", "other")]
        names = [word.group() if word and _key(word.group()) else "" for word in words]
        parts = [_part(found[side], may_be_own_words=False) for side in ("first", "second")]
        if all((*names, *parts)):
            yield _two(unit, names, parts, found.span())
    for found in _FORMER.finditer(text):
        names = _two_before(text, found.start())
        said = (found["first"] or found["first_en"], found["second"] or found["second_en"])
        parts = [_part(words.strip(), may_be_own_words=True) for words in said]
        if len(names) == 2 and all((*names, *parts)):
            yield _two(unit, names, parts, found.span())


def _two(unit: Unit, names: Sequence[str], parts: Sequence[str], span: tuple[int, int]) -> tuple[_Given, _Given]:
    one, other = (_Given(name, part, unit, *span, opens=False) for name, part in zip(names, parts, strict=True))
    return one, other


def _two_before(text: str, at: int) -> list[str]:
    """The two things that "the former" and "the latter" stand for: the last pair joined before them."""
    low = max(0, at - _REACH)
    for end in _SENTENCE_END.finditer(text, low, at):
        low = end.end()
    before = _ROUND.sub(lambda bracket: " " * len(bracket.group()), text[low:at])
    for joint in _JOINT.finditer(before):
        left = before[: joint.start()]
        left = left[max(map(left.rfind, ",:，、")) + 1 :]
        sides = [_names(left), _names(before[joint.end() :])]
        if all(sides) and "、" not in before:
            return [sides[0][0][2], sides[1][0][2]]
    return []


def _part(words: str, *, may_be_own_words: bool) -> str:
    """The part that words name, as it is compared; of words that no table holds, themselves where they are few."""
    words = _ROUND.split(_INSTEAD.split(words, maxsplit=1)[0], maxsplit=1)[0].strip(" *_-")
    if not words or _DENIES.match(words):
        return ""
    found = [match.lastgroup or "" for match in _PART.finditer(words[:_LONGEST_PART])]
    if found:
        return "" if any(set(pair) <= set(found) for pair in _OPPOSITES) else found[0]
    is_short = len(words) <= _LONGEST_OWN and len(words) >= 2
    return _OWN_WORDS + words.replace("|", " ").lower() if may_be_own_words and is_short else ""


def _are_two(one: _Given, other: _Given) -> bool:
    if one.name.lower() == other.name.lower() or one.part == other.part:
        return False
    are_own = [given.part.startswith(_OWN_WORDS) for given in (one, other)]
    return all(are_own) or (one.part, other.part) in _OPPOSITES or (other.part, one.part) in _OPPOSITES


def _roles(hand: Hand, one: _Given, other: _Given) -> Claim:
    keys = _told_apart(one.name, other.name)
    (first, first_part), (second, second_part) = sorted(zip(keys, (one.part, other.part), strict=True))
    if one.unit is other.unit:
        says = plain(one.unit.text[min(one.start, other.start) : max(one.end, other.end)])
    else:
        clauses = [_ROUND.sub("", folded(given.unit.text[given.start : given.end])) for given in (one, other)]
        says = "; ".join(plain(clause).rstrip(";。") for clause in clauses)
    stances = {stance_in(given.unit.text, given.start, given.end) for given in (one, other)} - {"held"}
    return Claim(
        kind="role",
        subject=f"{first}+{second}",
        attribute=_ROLE,
        value=f"{first_part}|{second_part}",
        stance=min(stances, default="held"),
        says=cut(says, _SAYS),
        evidence=as_evidence(hand.note, one.unit),
    )


def _orders(hand: Hand, unit: Unit, text: str) -> Iterator[Claim]:
    for low, high in _clauses(text):
        for found in _AHEAD.finditer(text, low, high):
            subject = text[max(low, found.start() - _REACH) : found.start()]
            other = found["other_zh"] or found["other_verb"] or found["other_en"] or ""
            one_name, other_name = _only_name(subject), _only_name(other, within=_NEAR)
            how = found["how_zh"] or found["verb_zh"] or found["how_en"] or found["how_much"] or found["verb_en"] or ""
            dimension, is_ahead = _direction(f"{subject} {found.group()}", how.lower())
            is_denied = _DENIED.search(text[max(0, found.start() - 16) : found.start()]) is not None
            if not one_name or not other_name or one_name.lower() == other_name.lower() or not dimension or is_denied:
                continue
            one_name, other_name = _told_apart(one_name, other_name)
            yield Claim(
                kind="role",
                subject="+".join(sorted((one_name, other_name))),
                attribute=dimension,
                value=one_name if is_ahead else other_name,
                stance=stance_in(unit.text, found.start(), found.end()),
                says=cut(plain(unit.text[low:high]).rstrip("；;。"), _SAYS),
                evidence=as_evidence(hand.note, unit),
            )


def _deeds(hand: Hand, unit: Unit, text: str) -> Iterator[Claim]:
    for verb, pattern in _DOES:
        for found in pattern.finditer(text):
            names = found["one"], found["other"]
            is_denied = _DENIED.search(text[max(0, found.start() - 16) : found.start()]) is not None
            is_sure = all(name[0].isupper() and name.lower() not in _NO_NAMES and _key(name) for name in names)
            if not is_sure or is_denied or names[0].lower() == names[1].lower():
                continue
            doer, other = _told_apart(*names)
            yield Claim(
                kind="role",
                subject="+".join(sorted((doer, other))),
                attribute=verb,
                value=doer,
                stance=stance_in(unit.text, found.start(), found.end()),
                says=cut(plain(unit.text[found.start() : found.end()]), _SAYS),
                evidence=as_evidence(hand.note, unit),
            )


def _direction(around: str, how: str) -> tuple[str, bool]:
    """In which respect two things are compared, empty where nobody can tell, and whether the first is ahead."""
    found = {match.lastgroup or "" for match in _DIMENSION.finditer(around)}
    name = next((dimension for dimension in _DIMENSIONS if dimension in found), "overall")
    qualifiers = sorted({word.group().lower() for word in _QUALIFIERS.finditer(around)})
    attribute = " ".join((name, *qualifiers))
    if how in _MORE | _LESS:
        is_less_better = bool(_LESS_IS_BETTER.search(around)) or how == "省"
        return ("" if name in ("overall", "speed") else attribute), (how in _LESS) == is_less_better
    return attribute, how not in _BEHIND


def _only_name(words: str, *, within: int = 1000) -> str:
    """The one thing that words name, without where it was measured; nothing where they name several, or it stands far off."""
    words = _WHERE.sub(" ", words.rpartition(":")[2])
    if _SEVERAL.search(words) or _BY_MEANS.search(words):
        return ""
    runs: list[tuple[int, str]] = []
    end = -1
    for start, stop, name in _names(words):
        if end < 0 or words[end:start].strip():
            runs.append((start, name))
        end = stop
    return runs[0][1] if len(runs) == 1 and runs[0][0] <= within else ""


def _names(words: str) -> list[tuple[int, int, str]]:
    """The named things with their spans: by form, and every capitalised word."""
    sure = {word.start() for word in named_in(words)}
    return [
        (*word.span(), word.group())
        for word in _WORDS.finditer(words)
        if (word.start() in sure or (word.group()[0].isupper() and word.group().lower() not in _NO_NAMES))
        and _key(word.group())
    ]


def _told_apart(one: str, other: str) -> tuple[str, str]:
    """The keys of two names; of two sizes or versions of one thing, the names as written."""
    keys = (_key(one), _key(other))
    return keys if keys[0] != keys[1] else (one.lower(), other.lower())


def _key(word: str) -> str:
    key = name_key(word)
    return key if len(key) > 1 and not is_hardware_or_precision(word) else ""


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in _CLAUSE_END.finditer(text):
        if end.start() > start:
            yield start, end.start()
        start = end.end()
    if start < len(text):
        yield start, len(text)


def _is_swapped(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    if not mine[0].startswith(_OWN_WORDS):
        return [*mine] == [*reversed(theirs)]
    across = (_likeness(mine[0], theirs[1]), _likeness(mine[1], theirs[0]))
    along = (_likeness(mine[0], theirs[0]), _likeness(mine[1], theirs[1]))
    return min(across) >= _ALIKE and max(along) <= _UNLIKE


def _likeness(one: str, other: str) -> float:
    """The share of the pairs of characters that two wordings have in common."""
    pairs = [{words[at : at + 2] for at in range(1, len(words) - 1)} for words in (one, other)]
    both = pairs[0] | pairs[1]
    return len(pairs[0] & pairs[1]) / len(both) if both else 0.0


def _settings(claim: Claim) -> frozenset[str]:
    """What a comparison holds under: devices, models, workloads, and the versions of the two."""
    text = folded(claim.evidence.quote)
    said = {text[low:high].lower() for spans in find_conditions(text).values() for low, high in spans}
    said |= {word.group().lower() for word in _NUMBERED.finditer(claim.says)}
    return frozenset(said | ({" ".join(text.split())} if _SETTING.search(text) else set()))


def _about(*claims: Claim) -> str:
    said = "\n".join(f"{claim.says}\n{claim.evidence.quote}" for claim in claims)
    words = {name_key(word.group()): word.group() for word in reversed(list(_WORDS.finditer(said)))}
    return " / ".join(words.get(key, key) for key in claims[0].subject.split("+"))

"""What a note says about its own findings: how they relate to what is known, what is to be checked, how many there are.

Ratings, placements and register entries have files of their own. Offsets are into the text given; nothing raises; time is
linear.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from agent.reading.labels import Label, labelled, values_of
from agent.reading.quotations import (
    MASK,
    Span,
    bracketed,
    folded,
    is_inside,
    masked,
    shielded,
)
from agent.reading.registers import stated_registers
from agent.reading.sections import numeral
from agent.records import Relation

_AROUND = " \t\r\n,，;；:：。.·•*_-—–|#>✅⚠️❗"

# Many alternatives are slow to tell that nothing begins here: the patterns below look at the first character before, and at a
# Latin letter only where it begins a word.
_BEGINS_WORD = r"(?<![a-z](?=[a-z]))"
# A clause ends at punctuation outside brackets and quotations, and before "but".
_CLAUSE_END = re.compile(
    rf"(?=[,;。!?\n. •◦但而却然不byhtaw]){_BEGINS_WORD}"
    r"(?:(?<!\d),|,(?!\d)|[;。!?\n]|\.(?=[ \n])| [-·] |[•◦]|(?=但|而未|却|然而|不过)|\b(?=(?:but|yet|however|though|although|while) ))"
)
_WHERE = r"(?:\.md`?|\b(?:document|base)|\bsection(?: \d[\d.]{0,8})?|§ ?[\d.]{1,9})"
# In `after` the thing stands behind the verb ("已有 X"), in `before` ahead of it ("X 已收").
_HAS = re.compile(
    rf"(?=[已含 .§adbs]){_BEGINS_WORD}"
    r"(?:(?P<after>(?<![未没])已(?:经)?(?:收录|收|有(?!的)|立|覆盖|包含|含|入位|记录|提及|列出)|(?<=[」\)\d]) ?含(?!有?量)"
    r"|\balready (?:has|have|had|lists?|covers?|contains?|includes?|mentions?|knows?|notes?)\b"
    rf"|{_WHERE} (?:has|lists|covers|contains|includes|mentions)\b)"
    r"|(?P<before>\balready (?:covered|listed|included|known|recorded|there|present|in)\b))",
    re.IGNORECASE,
)
_LACKS = re.compile(
    rf"(?=[尚还仍均也并未没缺无dlinhm]){_BEGINS_WORD}"
    r"(?:(?P<after>(?:尚|还|仍|均|也|并)?(?:未收录|未收|未覆盖|未提及|未包含|未记录|未列出|没有收录|没有提及|没有覆盖|缺少|缺失|无此|没有此)"
    r"|\b(?:does|do) not (?:yet )?(?:cover|list|include|mention|have|contain|record)\b"
    r"|\b(?:doesn't|don't) (?:yet )?(?:cover|list|include|mention|have|contain)\b"
    r"|\b(?:lacks|is missing|no entry (?:on|for)|nothing (?:on|about))\b)"
    r"|(?P<before>(?:尚|还|仍)?未(?:单独|完整|系统化?|作为|按|能|被|直接|充分)[^\n。;]{0,80}?(?:入位|收录|披露|覆盖|展开|分类|提及|节点|小节|成节)"
    r"|(?:尚|还|仍|均)?未入位"
    r"|\b(?:has |have )?not (?:yet |already |been ){0,2}(?:covered|listed|included|mentioned|recorded|present|there|in)\b"
    r"|\b(?:doesn't|hasn't|haven't) (?:yet )?(?:been )?(?:covered|listed|included|mentioned)\b|\bmissing\b))",
    re.IGNORECASE,
)
# Most sentences say nothing of the kind: one of these words stands in every one that does.
_SENTENCE = re.compile(r"[^\n。;]+")
_HAS_HINTS = ("已", "含", "already", " has", " lists", " covers", " contains", " includes", " mentions")
_LACKS_HINTS = ("未", "没有", "缺", "无此", "not ", "n't ", "lacks", "missing", "no entry", "nothing")
_AGAINST_HINTS = (
    "矛盾", "相反", "相悖", "相左", "冲突", "抵触", "不一致", "推翻", "contradict", "conflict", "at odds", "opposite", "inconsistent", "disagree",
)  # fmt: skip
_LEADING_BUT = re.compile(
    r"(?:但是?|而|却|然而|不过|but|yet|however|though|although|while|and)[ ,，]{0,2}", re.IGNORECASE
)
_TRAILING_BE = re.compile(r" (?:is|are|was|were)\Z", re.IGNORECASE)
_CONTRADICTS = re.compile(
    r"矛盾|相反|相悖|相左|冲突|抵触|不一致|推翻|\bcontradict(?:s|ed|ing|ion)?\b|\bconflicts? with\b|\bat odds with\b|\bopposite of\b"
    r"|\binconsistent with\b|\bdisagrees? with\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?:不|无|没有|并非|未见|未发现|非|\bno|\bnot|\bnot a|\bwithout|\bdoes not|\bnever) ?(?:明显|直接|任何|any |a )?\Z",
    re.IGNORECASE,
)
# What a knowledge base is called, and the verbs that are said of nothing else: other prose "already has" and "lacks" things too.
_SUBJECT = re.compile(
    r"活文档|知识库|主题页|现有脉络|§|\.md|第 ?[一二三四五六七八九十\d]{1,4} ?[节章]|\bliving document|\bknowledge base|\bsection \d",
    re.IGNORECASE,
)
_SAID_OF_IT = re.compile(r"收录|已收|未收|入位|\bcovered\b", re.IGNORECASE)
_TO_VERIFY = re.compile(r"(?:待核实|待核验|需核实|to verify|unverified) ?\d{0,3}[ :：]{0,3}", re.IGNORECASE)
_BULLETS = " \t\r\n•◦·*_#>-⚠️❗❓🔍"

NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), start=1
    )
}
_NOUN = r"(?:增量|线索|旁证|警示|矛盾|待核实|论文|来源|共识|争议|开放问题|试金石|趋势|候选|条目|卡片|发现|要点|主线|说法|笔记|简报|ar[Xx]iv ?号)"
# "2 趋势" may be a heading; these words are counted without a measure word.
_OWN_NOUN = r"(?:增量|主线|旁证|警示|候选|共识|争议|试金石|开放问题|待核实|次级线索)"
_KIND = r"(?:显著|核心|主要|次级|统一|独立|重要|关键|保留|新增|新|净)"
_COUNT_ZH = re.compile(
    r"(?=[0-9一二两三四五六七八九十])(?P<number>[0-9](?<![A-Za-z\d.,第\-–—~:/_][0-9])\d{0,3}(?![\d.,])|[一二两三四五六七八九十](?<![第一二两三四五六七八九十].)[一二两三四五六七八九十]{0,2}) ?"
    rf"(?:(?P<measure>[条个件项篇张则处份])(?!目)(?P<of> ?[一-鿿A-Za-z]{{0,4}}?{_NOUN}{{1,3}})?|(?P<direct>{_KIND}{{0,2}}{_OWN_NOUN}{{1,3}}))"
)
_NOUN_BEFORE = re.compile(
    rf"(?P<noun>{_KIND}{{0,2}}{_NOUN}{{1,3}})(?:条数|数量|数)? ?(?:共|共计|合计|:)? ?\Z", re.IGNORECASE
)
_IN_ALL = re.compile(r"(?:共|共计|合计|总共|总计) ?\Z")
_NOT_EXACT = ("约", "近", "前", "超", "超过", "至少", "最多", "不到", "第", "≥", "≤", "≈", "~")
_REACH = 48
_NEXT = 120
_YEARS = range(1900, 2100)
_NOUN_EN = re.compile(
    r" (?=[ilfpscwodILFPSCWOD])"
    r"(?i:increments?|leads?|findings?|papers?|sources?|claims?|contradictions?|warnings?|open questions?|disputes?|candidates?|cards?)\b"
)
_NUMBER_BEFORE = re.compile(
    rf"(?=[\dotfsen])(?<![\w.,\-–—/])(?P<number>\d{{1,4}}|{'|'.join(NUMBER_WORDS)})"
    r"(?P<kind>(?: (?:new|key|core|significant|secondary|main|further|supporting|registered|confirmed)){0,3})\Z",
    re.IGNORECASE,
)

# What is said of an agent, behind its name in the same clause; the first that stands there counts.
_AGENT_DID = re.compile(
    rf"(?=[尚还仍并均未没当今全本缺断漏无为是空识指认确提已曾也acdfhilnprsw]){_BEGINS_WORD}"
    r"(?:(?P<missing>(?:尚|还|仍|并|均)?(?:未|没有|没)(?:能|再|独立|单独|按时|如期){0,2}(?:发布|产出|提交|交付|更新|给出|发出|交)"
    r"|(?:当日|今日|今天|全天|本日)?(?:缺失|缺席|缺位|缺棒|缺稿|缺交|断更|漏发|漏交)|无独立[^,;。\n]{0,24}?(?:发布|产出)"
    r"|(?:无|没有|未见)(?:任何|新|当日|今日|当天){0,2}(?:文件|笔记|产出|简报|交付|稿件)|(?:没有?|未)(?:来|到)(?![过达])|(?:为|是)空(?![间格闲])"
    r"|\b(?:handed in|sent|dropped|left|delivered|filed|wrote|published|issued|submitted|has|had) nothing\b(?! (?:new|about|on|to do))"
    r"|\b(?:is|was|stayed|remained) empty\b|\bno (?:new )?(?:notes?|briefs?|files?|reports?)\b(?! (?:about|but|that|which|with|in|of|from)\b)"
    r"|\b(?:has|had|have|left|filed|issued|published|delivered|wrote|dropped) no\b"
    r"|\b(?:did|has|have|had|does)(?: not|n't) (?:yet )?(?:publish|issue|file|deliver|submit|drop|write|report|arrive|come|hand in|send)(?:e?d)?\b"
    r"|\b(?:is|was) (?:missing|absent|overdue|late)\b)"
    r"|(?P<noted>(?:识别|指出|认为|确认|提到|提及)(?!者|人)|(?:已经|已|曾|也|还)(?:报告|报道|核实|标注|警示|发现|判断)"
    r"|\b(?:has |had |already |also )?(?:noted|notes|found|finds|reported|reports|says|said|identified|identifies|confirmed|confirms|claims|claimed|flagged|flags|warns|warned)\b)"
    r"|(?P<delivered>已(?:经)?(?:发布|产出|提交|交付|更新|覆盖|收录)"
    r"|\b(?:has |had |already )?(?:published|issued|filed|delivered|submitted|covered)\b(?! no\b)))",
    re.IGNORECASE,
)
_NOTHING_FROM = re.compile(
    r"(?=[缺没未nw])(?:\b(?:no|without an?) (?:[\w-]{1,24} ){0,4}(?:briefs?|notes?|reports?|files?|E\d) (?:from|by|in) ?(?:inbox/)?\Z"
    r"|\bnothing (?:came |arrived |has come |has arrived )?(?:from|in) ?(?:inbox/)?\Z|(?:缺|没有|未见|未收到) ?\Z)",
    re.IGNORECASE,
)
_AGENT_STOP = re.compile(r"[;。!?\n·)]|(?<!\d),|,(?!\d)| - ")
_AGENT_REACH = 60
_IN_NAME = ("/", "-", "_", ".", "@")

_NOTHING_NEW = re.compile(
    r"(?=[无没未并暂n])(?:(?:无|没有|未有|未发现|未见|并无|暂无)(?: ?[A-Za-z0-9_-]{1,24} ?)?(?:任何|当日|今日|本日|本轮|本次|独立|专项|主题|明显|显著|实质性?|重要|核心|其他|其它){0,4}"
    r"(?:的)?(?:新增|新内容|新发现|新进展|新增量|更新)"
    r"(?= ?(?:[A-Za-z0-9_-]{1,24} ?)?(?:增量|内容|发现|条目|知识|信息|论文|要点|主线|线索|候选|专项|进展)|[ \t]{0,4}(?:[)\]】」。,;:、|·!✅\n]|\Z|- ))"
    r"|\b(?:nothing (?:significantly |really |substantially |notably )?new\b|no (?:significant(?:ly)? |notable |material |major |substantial |real )?"
    r"(?:new (?:[a-z-]{2,20} )?(?:findings?|increments?|items?|content|information|knowledge|developments?|papers?|results?|updates?|entries|material)"
    r"|updates?|increments?|news)\b)(?! (?:about|because|if|until|required)))",
    re.IGNORECASE,
)
_NEW_HINTS = ("新", "nothing", "no ")
_NOT_NOTHING = re.compile(r"(?:并非|不是|绝非|\bnot|\bisn't|n't) ?\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StatedRelation:
    """What a note says the knowledge base has of a finding, and what it lacks; both in the note's words, perhaps empty.

    `start` and `end` span the clauses that say so.
    """

    relation: Relation
    has: str
    lacks: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StatedVerification:
    """A claim that a note wants checked; a part that is not written is empty."""

    claim: str
    question: str
    suggestion: str


@dataclass(frozen=True, slots=True)
class AnnouncedCount:
    """A number of things that a note announces; `noun` is as written without its measure word, which stands in where no noun is."""

    number: int
    noun: str
    start: int
    end: int


Deed = Literal["missing", "noted", "delivered"]


@dataclass(frozen=True, slots=True)
class SaidOfAgent:
    """What a note says of a relay agent: that nothing came from it, that it noted something, or that it delivered.

    `start` and `end` span the name and the words that say so.
    """

    agent: str
    deed: Deed
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Clause:
    start: int
    end: int
    mark: Span
    says_before: bool


def stated_relation(text: str) -> StatedRelation | None:
    """Return how `text` relates its finding to the knowledge base, None when it does not say.

    Something there and something missing is `extends`; only missing is `new`; only there is `known`; a contradiction that is
    not denied is `contradicts`. Where a relation label stands, only its values count. Of several statements the first of each
    side is returned.
    """
    labelled_spans = values_of(text, "relation")
    for start, end in labelled_spans or ((0, len(text)),):
        found = _relation_in(text[start:end], is_labelled=bool(labelled_spans))
        if found:
            return replace(found, start=found.start + start, end=found.end + start)
    return None


def _clause_ends(visible: str) -> list[int]:
    inside = bracketed(visible)
    return [
        0,
        *(match.end() for match in _CLAUSE_END.finditer(visible) if not is_inside(inside, match.start())),
        len(visible),
    ]


def _relation_in(text: str, *, is_labelled: bool) -> StatedRelation | None:
    plain = folded(text)
    visible = masked(plain, shielded(plain), margin=1)
    having, lacking, opposing = _marks(visible)
    if not (having or lacking or opposing):
        return None
    ends = _clause_ends(visible)
    has = _first_clause(having, visible, ends, is_labelled=is_labelled)
    lacks = _first_clause(lacking, visible, ends, is_labelled=is_labelled, after=has)
    against = _contradiction(opposing, visible, ends, is_labelled=is_labelled)
    if has is None and lacks is not None:
        has = _before_but(visible, lacks, ends)
    clauses = [clause for clause in (against, has, lacks) if clause]
    if not clauses:
        return None
    relation: Relation = "contradicts" if against else "known" if not lacks else "extends" if has else "new"
    return StatedRelation(
        relation,
        _said(text, has or against),
        _said(text, lacks),
        min(clause.start for clause in clauses),
        max(clause.end for clause in clauses),
    )


_Marks = list[re.Match[str]]


def _marks(visible: str) -> tuple[_Marks, _Marks, _Marks]:
    """Return where something is said to be there, to be missing, and to stand against what is there."""
    found: tuple[_Marks, _Marks, _Marks] = ([], [], [])
    lowered = visible.lower()
    wanted = [
        (pattern, present, marks)
        for pattern, hints, marks in zip(
            (_HAS, _LACKS, _CONTRADICTS), (_HAS_HINTS, _LACKS_HINTS, _AGAINST_HINTS), found, strict=True
        )
        if (present := [hint for hint in hints if hint in lowered])
    ]
    for sentence in _SENTENCE.finditer(visible) if wanted else ():
        said = sentence.group().lower()
        for pattern, hints, marks in wanted:
            if any(map(said.__contains__, hints)):
                marks.extend(pattern.finditer(visible, *sentence.span()))
    return found


def _first_clause(
    marks: _Marks, visible: str, ends: Sequence[int], *, is_labelled: bool, after: _Clause | None = None
) -> _Clause | None:
    """Return the first clause that says so of the knowledge base; one that goes on from `after` does."""
    for match in marks:
        clause = _clause(match, ends)
        goes_on = (
            after is not None
            and 0 <= clause.start - after.end < _NEXT
            and "\n" not in visible[after.end : clause.start]
        )
        if is_labelled or goes_on or _is_about_it(visible, match, clause):
            return clause
    return None


def _is_about_it(visible: str, match: re.Match[str], clause: _Clause) -> bool:
    low, high = max(clause.start, match.start() - _NEXT), min(clause.end, match.end() + _NEXT)
    is_first = not visible[: match.start()].strip(_AROUND) if match.start() < _NEXT else False
    return is_first or _SAID_OF_IT.search(match.group()) is not None or _SUBJECT.search(visible, low, high) is not None


def _clause(match: re.Match[str], ends: Sequence[int]) -> _Clause:
    start, end = match.span()
    first = ends[max(0, bisect_right(ends, start) - 1)]
    after = bisect_right(ends, end - 1)
    last = ends[after] if after < len(ends) else ends[-1]
    return _Clause(first, max(last, end), (start, end), says_before=match.lastgroup == "before")


def _contradiction(marks: _Marks, visible: str, ends: Sequence[int], *, is_labelled: bool) -> _Clause | None:
    for match in marks:
        if _NEGATED.search(visible, max(0, match.start() - 16), match.start()):
            continue
        clause = _clause(match, ends)
        if is_labelled or _is_about_it(visible, match, clause):
            return clause
    return None


def _before_but(visible: str, lacks: _Clause, ends: Sequence[int]) -> _Clause | None:
    """Return the clause before "但 … 未收录" when it names a section: what stands there is had."""
    if not _LEADING_BUT.match(visible, lacks.start):
        return None
    for index in range(bisect_right(ends, lacks.start - 1) - 1, -1, -1):
        start = ends[index]
        if visible[start : lacks.start].strip(_AROUND):
            is_about_it = _SUBJECT.search(visible, start, lacks.start)
            return _Clause(start, lacks.start, (start, start), says_before=False) if is_about_it else None
    return None


def _said(text: str, clause: _Clause | None) -> str:
    """Return what a clause says beside its verb, on the side where it belongs, else on the other."""
    if clause is None:
        return ""
    start, end = clause.mark
    after = text[end : clause.end].strip(_AROUND)
    before = text[clause.start : start].strip(_AROUND)
    before = before[lead.end() :] if (lead := _LEADING_BUT.match(before)) else before
    before = _TRAILING_BE.sub("", before)
    first, second = (before, after) if clause.says_before else (after, before)
    return first or second or text[clause.start : clause.end].strip(_AROUND)


def stated_verification(text: str) -> StatedVerification:
    """Return claim, question and suggestion of a block that wants a claim checked.

    The claim is what stands behind 待核实 or "To verify", else the line before the first label, else the question.
    """
    labels = labelled(text)
    question = _value_of(text, labels, "question")
    suggestion = _value_of(text, labels, "suggestion")
    claim = _value_of(text, labels, "to_verify") or _value_of(text, labels, "claim") or _leading_line(text, labels)
    return StatedVerification(claim or question, question, suggestion)


def _value_of(text: str, labels: Sequence[Label], name: str) -> str:
    for label in labels:
        value = text[label.value_start : label.value_end]
        if label.name == name and value.strip(_AROUND):
            entries = stated_registers(value)
            return (value[: entries[0].start] if entries else value).strip(_BULLETS + ";；")
    return ""


def _leading_line(text: str, labels: Sequence[Label]) -> str:
    head = text[: labels[0].start] if labels else text
    line = head.strip(_BULLETS).split("\n", 1)[0]
    lead = _TO_VERIFY.match(line)
    return (line[lead.end() :] if lead else line).strip(_BULLETS)


def said_of_agents(text: str, *, agents: Sequence[str]) -> tuple[SaidOfAgent, ...]:
    """Return what `text` says that relay agents did or did not do, in order.

    Only an agent named as one, or by its folder, with a verb of its own in the same clause, counts: "stephen 已识别 …", "tom 未发布
    …", "tom has no brief today", "no brief from tom", "inbox/tom is empty". A name inside another path or a file name, or with
    other words for a verb, says nothing here.
    """
    plain = folded(text)
    names = _agents_named(plain, agents)
    if not names:
        return ()
    hidden = shielded(plain)
    outer = masked(plain, bracketed(plain))
    found: list[SaidOfAgent] = []
    for place, (start, end, agent) in enumerate(names):
        if is_inside(hidden, start):
            continue
        seen = plain if outer[start] == MASK else outer  # in a bracket the words of the bracket count
        following = names[place + 1][0] if place + 1 < len(names) else len(plain)
        stop = _AGENT_STOP.search(seen, end, end + _AGENT_REACH)
        limit = min(following, stop.start() if stop else end + _AGENT_REACH)
        before = _NOTHING_FROM.search(seen, max(0, start - _AGENT_REACH), start)
        verb = _AGENT_DID.search(seen, end, limit)
        if before:
            found.append(SaidOfAgent(agent, "missing", before.start(), end))
        elif verb:
            deed = cast("Deed", verb.lastgroup)
            found.append(SaidOfAgent(agent, deed, start, verb.end()))
    return tuple(found)


def _agents_named(plain: str, agents: Sequence[str]) -> list[tuple[int, int, str]]:
    """Return where agents are named, in order; a part of a path, of a file name or of a longer word names nobody."""
    lowered = plain.lower() if len(plain.lower()) == len(plain) else plain
    found: list[tuple[int, int, str]] = []
    for agent in filter(None, agents):
        name = agent.casefold()
        at = lowered.find(name)
        while at >= 0:
            end = at + len(name)
            before, after = plain[at - 1 : at], plain[end : end + 2]
            before = "" if lowered.endswith("inbox/", 0, at) else before  # the agent's folder, not a file in it
            is_part = before in _IN_NAME or (before.isascii() and before.isalnum())
            runs_on = bool(after) and (
                (after[0].isascii() and after[0].isalnum()) or (after[0] in _IN_NAME and after[1:].isalnum())
            )
            if not (before and is_part) and not runs_on:
                found.append((at, end, agent))
            at = lowered.find(name, end)
    return sorted(found)


def announced_counts(text: str) -> tuple[AnnouncedCount, ...]:
    """Return the numbers of increments, leads, papers and the like that `text` announces, in order.

    Chinese ("7 条增量", "显著增量 3 条", "共 3 条") and English ("4 increments", "three new findings"). Ordinals, ranges, dates
    and rounded numbers announce nothing, nor does what stands in a quotation.
    """
    plain = folded(text)
    hidden = shielded(plain)
    found = [count for count in (*_counts_zh(plain), *_counts_en(plain)) if not is_inside(hidden, count.start)]
    return tuple(sorted(found, key=lambda count: count.start))


def _counts_zh(plain: str) -> Iterator[AnnouncedCount]:
    for match in _COUNT_ZH.finditer(plain):
        number = numeral(match["number"])
        before = plain[max(0, match.start() - 16) : match.start()]
        if number is None or number in _YEARS or before.rstrip().endswith(_NOT_EXACT):
            continue
        named = _NOUN_BEFORE.search(before)
        noun = (match["of"] or "").strip()
        if not noun and named and match["measure"]:
            start = match.start() - len(before) + named.start()
            yield AnnouncedCount(number, named["noun"], start, match.end())
        elif noun or (match["direct"] and (not named or named["noun"].endswith("发现"))):
            # "增量 1 旁证" is a number and its remark, but "发现 7 主线" a count
            yield AnnouncedCount(number, noun or match["direct"], match.start(), match.end())
        elif match["measure"] and _IN_ALL.search(before):
            yield AnnouncedCount(number, match["measure"], match.start(), match.end())


def _counts_en(plain: str) -> Iterator[AnnouncedCount]:
    for noun in _NOUN_EN.finditer(plain):
        match = _NUMBER_BEFORE.search(plain, max(0, noun.start() - _REACH), noun.start())
        if match is None:
            continue
        word = match["number"].lower()
        number = NUMBER_WORDS.get(word) or (int(word) if word.isdecimal() else None)
        is_plural = noun.group().endswith(("s", "S"))
        if number is not None and number not in _YEARS and is_plural == (number != 1):
            yield AnnouncedCount(number, (match["kind"] + noun.group()).strip(), match.start(), noun.end())


def is_nothing_new(text: str) -> bool:
    """Say whether `text` states in so many words that it brings nothing new; ask it of a sentence or a segment, not of a whole note."""
    plain = folded(text)
    if not any(map(plain.lower().__contains__, _NEW_HINTS)):
        return False
    return any(
        not _NOT_NOTHING.search(plain, max(0, match.start() - 12), match.start())
        for match in _NOTHING_NEW.finditer(plain)
    )

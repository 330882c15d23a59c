"""Whether a paper is new to the relay or stock that the knowledge base has already.

Promises: an identifier is called new or stock only where its own clause, the line above its list or the heading of its section
says so, the nearest counting most; under both words, or neither, there is no claim. Nothing raises; time is linear.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.distance import OSA

from agent.checking.dispute import Dispute, Hand, as_stated
from agent.checking.stance import stance_in
from agent.reading.citations import cited_documents
from agent.reading.identifiers import ArxivSpan, find_arxiv
from agent.reading.names import parse_note_name
from agent.reading.naming import count_cjk
from agent.reading.parts import by_label
from agent.reading.quotations import folded
from agent.reading.showing import as_evidence, cut, plain
from agent.records import Claim
from agent.texts import Segment, Unit

_Status = Literal["new", "stock"]

_THINGS = r"(?:arxiv|论文|文献|编号|papers?|ids?|identifiers?|preprints?|entries|items)"
_WORDS = re.compile(
    rf"(?P<neither>(?:不是|并非|非|无|没有|未见|零)(?:本轮|今日|独立|显著|核心)?新增|not (?:really )?new(?![a-z])|(?<![a-z])no new(?![a-z])"
    r"|(?:新增|新建|补充)[^。；;\n]{0,6}[「《“\"]|新增 ?(?:小节|子节|一节|章节|一行|节点|[CDOT]\d)|非存量)"
    rf"|(?P<new>(?:本轮|本次|今日|本日|今天|核心|主要|纯|净|全)新增|新增 ?{_THINGS}|新增(?=[\s:|)]|\Z)|(?:为|是|均为|属于?|均属)新增|首次(?:披露|收录|出现|入库|提及|报道|记录|纳入|登记|入位)|新(?:收录?|入库|论文|编号)"
    rf"|(?<![a-z])(?:core|all|both|newly|entirely) (?:new|added|recorded|listed)(?![a-z-])|(?<![a-z])new (?:this|in this|for this|to (?:us|the|this)|today|here)(?![a-z])|(?<![a-z])new {_THINGS}(?![a-z])|(?<![a-z])(?:is|are) new(?=[\s]?(?:[,.;:)]|\Z))|\(new\)|\A\W{0, 4}new(?=\s?(?:\([^()\n]{0, 40}\)\s?)?:)|(?<![a-z])not (?:yet )?in (?:the|our) (?:library|knowledge base|base|collection|archive)(?![a-z])|(?:知识)?库[内中里]?(?:尚无|没有|未见|查无)"
    r"|(?<![a-z])first (?:seen|reported|recorded|mentioned) (?:here|today|this|now)(?![a-z]))"
    rf"|(?P<ahead>(?:活文档|知识库|文档|\.md|§ ?[\d.]+)(?:[^。；;，,\n]{{0,24}}?)(?:已有|已收录?|已含|已列)|已有 ?{_THINGS}|(?<![a-z])already (?:has|have|holds?|lists?|covers?|records?)(?![a-z])|(?<![a-z])(?:known|stock|existing) {_THINGS}|(?:存量|沿用)(?=[^。；;\nA-Za-z]{{0,24}}:))"
    r"|(?P<behind>(?:均|都|皆)?[为是]?(?:本轮)?(?:存量|沿用)(?:(?:已立|入位|条目|论文|沿用)|(?=[\s]?(?:[,，.。;；:：)|(]|\Z)))|已(?:收录|入库|入位|立卡|建卡|在库|立)(?!的)|已有(?:完整)?(?:小节|条目|卡片?|记录|节点)|已在[^，。；,;\n]{0,24}(?:收录|[中内里]|节|\.md)|(?<![未无])已收(?=[\s,，。;；)]|\Z)"
    r"|(?<![a-z])already (?:in|known|recorded|covered|listed|noted|there|on file|carded|present)(?![a-z])|(?<![a-z]not )(?<![a-z]yet )in (?:the|our) (?:library|knowledge base|base|collection|archive) (?:since|already|for)(?![a-z])|(?:早在|已?于)[^，。；,;\n]{1,14}?(?:已经?)?(?:入库|收录|建卡|立卡)|(?:早|早就|此前|之前|日起|日就|日便)(?:已经?)?(?:在库|入库|收录|在(?:知识)?库[里中内])|(?<![a-z])carried over(?![a-z])|(?<![a-z])(?:is|are) (?:stock|known)(?![a-z])|\((?:known|stock|existing)\)|\A(?:known|stock|existing)(?=:))",
    re.IGNORECASE,
)
_CELL = {
    "新": "new", "新增": "new", "新论文": "new", "new": "new", "存量": "stock", "已有": "stock", "已收": "stock", "已收录": "stock",
    "沿用": "stock", "stock": "stock", "known": "stock", "existing": "stock",
}  # fmt: skip
# What stands directly behind an identifier, in brackets or after a comma.
_MARKED = re.compile(
    r"(?:\.md)?[`*\s]{0,3}(?:[(【\[]|[,:] ?|[-–—] )\s?(?:"
    r"(?P<stock>存量|库存|在库|(?:知识)?库[内中里]?(?:早|早就)?已?有(?![望待])|(?:早|早就|此前|之前)已?(?:收过|收录|入库)|已(?:在库|入库|收录?|建卡|有卡|立卡|入位)|(?:已有|沿用)(?=[\s]?[,;:)】\]。])|旧[文闻]|不算新|并非新增|非新增"
    r"|(?:known|stock|existing|carded)(?=\s?[,;:)\]]|\Z)|(?:we )?(?:already|previously) (?:in|known|carded|recorded|listed|covered|there|filed|stored|noted|seen|kept|have|had)(?![a-z])|(?:has a card|in (?:the|our) (?:library|knowledge base|base|collection|archive) (?:since|already|for)|on file|filed (?:before|earlier|already|on )|in stock|not new|carried over)(?![a-z-]))"
    r"|(?P<new>新增|新收录?|新入[库卡]|库[内中里](?:无|没有|未收|未见|首次|尚无)|尚?未(?:入库|收录|建卡)|库外|全新(?=[,;。)】\]])|(?:知识)?库[内中里]?(?:查无|查不到|找不到|没收)|首次(?:出现|收录|披露|入库|登记|提及)|新(?=[,;)】\]])"
    r"|(?:not (?:yet )?(?:in (?:the|our)|carded|recorded|listed)|new(?= to (?:the|us|our) | this |[,.;)\]]|\Z)|first seen|core new|(?:brand|entirely|all|quite) new|(?:not|nowhere) (?:found )?in (?:the|our) (?:library|base|knowledge base)|unknown to (?:the|our))(?![a-z-])))",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"\s{0,3}(?:known: |already (?:in|known|recorded|covered|listed|noted) |已收|已有|存量)", re.IGNORECASE
)
_MIXED_HEADING = re.compile(
    r"涉及|全部|引用|汇总|总表|与|及|和|/|(?<![a-z])(?:all|cited|and|or|mentioned)(?![a-z])", re.IGNORECASE
)
_CLAUSE = re.compile(r"[。；;！？!?\n]|\. (?=\S)")
_PART = re.compile(r"[,，]|(?<!\d)[+]|(?<=\)) ?[·/]")
_BRIEF = re.compile(r"(?P<topic>[a-z][a-z0-9-]{1,40}?)-(?:e1|e1prep|pre-?digest)(?:-v\d{1,4})?", re.IGNORECASE)
_NOT_HERE = frozenset({"placement", "question", "suggestion", "to_verify", "source", "caution", "checked"})
_TITLED = re.compile(r"[《“\"「]([^》”\"」\n]{6,120})[》”\"」]")
_IDENTIFIER = "identifier"  # the attribute of a claim whose subject is a title
_SHORTEST_TITLE = 10  # letters, a Chinese character counting twice
_OPENING = 3  # units of a finding in which its title stands
_SLIPS = 2  # of the pen, in an identifier
_SAYS = 90


@dataclass(frozen=True, slots=True)
class _Stated:
    """What is said of one identifier, and the words that say it."""

    span: ArxivSpan
    status: _Status
    says: str


def claims(hand: Hand) -> Iterator[Claim]:
    """Yield for each identifier of a text whether it is new or stock there; in a living document all is stock."""
    for segment in hand.segments:
        if not hand.is_document and segment in hand.findings:
            yield from _identified(hand, segment)
        if hand.is_document:
            yield from _kept(hand, segment)
        elif segment.role not in ("to_verify", "checked", "warning"):
            yield from _said(hand, segment)


def compare(one: Claim, other: Claim) -> Dispute | None:
    """Return the dispute about a paper that is new in one place and stock in another.

    Within one text both places must say so in so many words. Where the two are about different living documents it weighs less.
    """
    if one.attribute != other.attribute:
        return None
    if one.attribute == _IDENTIFIER:
        return _two_identifiers(one, other)
    if one.value == other.value or {one.stance, other.stance} != {"held"}:
        return None
    is_one_text = one.evidence.note == other.evidence.note
    if is_one_text and not (_is_explicit(one) and _is_explicit(other)):
        return None
    mine, theirs = _documents(one), _documents(other)
    return Dispute(
        rule="novelty",
        kind="novelty",
        about=f"arXiv:{one.subject}",
        key=(one.subject,),
        sides=tuple(as_stated(claim) for claim in sorted((one, other), key=lambda claim: claim.value)),
        severity="low" if mine and theirs and not mine & theirs else "medium",
    )


def _identified(hand: Hand, segment: Segment) -> Iterator[Claim]:
    """The title of the work that a finding is about, with its identifier, where it has but one of each."""
    spans = [(unit, span) for unit in segment.units for span in find_arxiv(unit.text)]
    texts = [segment.title, *(unit.text for unit in segment.units[:_OPENING])]
    quoted = [match[1] for text in texts for match in _TITLED.finditer(text)]
    titles = {
        key for title in (*quoted, segment.title) if len(key := _letters(title)) + count_cjk(key) >= _SHORTEST_TITLE
    }
    if len({span.identifier for _, span in spans}) != 1:
        return
    unit, span = spans[0]
    for title in sorted(titles):
        yield Claim(
            kind="novelty",
            subject=title,
            attribute=_IDENTIFIER,
            value=span.identifier,
            stance=stance_in(unit.text, span.start, span.end),
            says=f"arXiv:{span.identifier}",
            evidence=as_evidence(hand.note, unit),
        )


def _two_identifiers(one: Claim, other: Claim) -> Dispute | None:
    """One title under two identifiers that are nearly the same."""
    is_slip = sorted(one.value) == sorted(other.value) or OSA.distance(one.value, other.value) <= _SLIPS
    if one.value == other.value or not is_slip or one.evidence.note == other.evidence.note:
        return None
    first, second = sorted((one, other), key=lambda claim: claim.value)
    return Dispute(
        rule="two-identifiers",
        kind="identifier",
        about=f"{first.says} / {second.value}",
        key=(first.value, second.value),
        sides=(as_stated(first), as_stated(second)),
    )


def _letters(text: str) -> str:
    return "".join(char for char in folded(text).casefold() if char.isalnum())


def _kept(hand: Hand, segment: Segment) -> Iterator[Claim]:
    heading = segment.heading_path[-1] if segment.heading_path else hand.note.path.rpartition("/")[2]
    for unit in segment.units:
        for span in find_arxiv(unit.text):
            clause = _around(unit.text, span)
            yield _claim(hand, unit, _Stated(span, "stock", cut(f"{heading}: {clause}", _SAYS)))


def _said(hand: Hand, segment: Segment) -> Iterator[Claim]:
    heading = _of_heading(segment)
    ruling: tuple[_Status, str] | None = None
    left_out = {unit.number for label, units in by_label(segment.units).items() if label in _NOT_HERE for unit in units}
    for unit in segment.units:
        if unit.kind in ("heading", "code"):
            continue
        spans = find_arxiv(unit.text)
        if not spans:
            ruling = _of_lead(unit) if unit.text.rstrip().endswith((":", "：")) else _still(ruling, unit)
            continue
        marked = [(span, _MARKED.match(folded(unit.text), span.end)) for span in spans]
        yield from (
            _claim(hand, unit, _Stated(span, _status({mark.lastgroup or ""}), _marked(unit.text, span, mark)))
            for span, mark in marked
            if mark
        )
        spans = tuple(span for span, mark in marked if mark is None)
        if unit.number in left_out:
            continue
        above = (ruling if unit.kind in ("item", "row") else None) or heading
        for stated in _in_unit(unit, spans, above=above):
            yield _claim(hand, unit, stated)


def _in_unit(unit: Unit, spans: Sequence[ArxivSpan], *, above: tuple[_Status, str] | None) -> Iterator[_Stated]:
    """What a unit says of its identifiers, by cells, clauses and the parts of a clause that says both."""
    text = folded(unit.text)
    cells = {_CELL[cell] for part in text.split("|") if (cell := part.strip().strip("*").lower()) in _CELL}
    if unit.kind == "row" and len(cells) == 1:
        yield from (_Stated(span, _status(cells), cut(plain(unit.text), _SAYS)) for span in spans)
        return
    before: Sequence[ArxivSpan] = ()
    for low, high in _cut(_CLAUSE, text, 0, len(text)):
        here = [span for span in spans if low <= span.start < high]
        words = list(_WORDS.finditer(text, low, high))
        if not here:
            opening = _REMARK.match(text, low, high)
            yield from (_Stated(span, "stock", _says_both(unit.text, span, opening)) for span in before if opening)
            before = ()
            continue
        before = () if words else here
        if not words:
            if above:
                yield from (_Stated(span, above[0], _says(above[1], unit.text, span)) for span in here)
            continue
        pieces = [(low, high)] if len(_kinds(words)) == 1 else list(_cut(_PART, text, low, high))
        for start, end in pieces:
            inside = [word for word in words if start <= word.start() < end]
            yield from _in_clause(unit.text, inside, [span for span in here if start <= span.start < end])


def _in_clause(text: str, words: "Sequence[re.Match[str]]", spans: Sequence[ArxivSpan]) -> Iterator[_Stated]:
    if len(_kinds(words)) != 1 or any(word.lastgroup == "neither" for word in words):
        return
    for span in spans:
        for word in words:
            status: _Status = "new" if word.lastgroup == "new" else "stock"
            is_fit = word.start() >= span.end if word.lastgroup == "behind" else True
            is_fit = word.end() <= span.start if word.lastgroup == "ahead" else is_fit
            if is_fit:
                yield _Stated(span, status, _says_both(text, span, word))
                break


def _kinds(words: "Sequence[re.Match[str]]") -> set[str]:
    return {{"ahead": "stock", "behind": "stock"}.get(word.lastgroup or "", word.lastgroup or "") for word in words}


def _status(cells: set[str]) -> _Status:
    return "new" if "new" in cells else "stock"


def _of_heading(segment: Segment) -> tuple[_Status, str] | None:
    """What the heading of a list of papers says of all of them; nothing where it names several sorts."""
    if segment.role != "arxiv_list" or segment.heading is None:
        return None
    text = folded(segment.heading.text)
    kinds = _kinds(list(_WORDS.finditer(text)))
    if len(kinds) != 1 or kinds == {"neither"} or _MIXED_HEADING.search(text):
        return None
    return _status(kinds), plain(segment.heading.text).lstrip("# ")


def _of_lead(unit: Unit) -> tuple[_Status, str] | None:
    kinds = _kinds(list(_WORDS.finditer(folded(unit.text))))
    return (_status(kinds), plain(unit.text)) if kinds in ({"new"}, {"stock"}) else None


def _still(ruling: tuple[_Status, str] | None, unit: Unit) -> tuple[_Status, str] | None:
    return ruling if unit.kind in ("item", "row", "rule") else None


def _says(above: str, text: str, span: ArxivSpan) -> str:
    return cut(f"{above.rstrip(':： ')}: {_around(text, span)}", _SAYS)


def _around(text: str, span: ArxivSpan) -> str:
    return plain(text[span.start : span.end + 30].partition("\n")[0])


def _says_both(text: str, span: ArxivSpan, word: "re.Match[str]") -> str:
    """The identifier and the words that say so, with what stands between them where that is short."""
    first, last = sorted([(span.start, span.end), word.span()])
    if last[1] - first[0] <= _SAYS:
        return plain(text[first[0] : last[1]])
    return f"{plain(text[slice(*first)])} … {plain(text[slice(*last)])}"


def _marked(text: str, span: ArxivSpan, mark: "re.Match[str]") -> str:
    """The identifier with the bracket, or the words, behind it."""
    ends = [end for close in ")]】;。\n" if (end := folded(text).find(close, mark.end(), mark.end() + _SAYS // 2)) >= 0]
    end = min(ends, default=mark.end())
    return plain(text[span.start : end + (text[end : end + 1] in tuple(")）]】"))])


def _cut(pattern: "re.Pattern[str]", text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for found in pattern.finditer(text, start, end):
        yield start, found.start()
        start = found.end()
    yield start, end


def _claim(hand: Hand, unit: Unit, stated: _Stated) -> Claim:
    span = stated.span
    return Claim(
        kind="novelty",
        subject=span.identifier,
        attribute="novelty",
        value=stated.status,
        stance="held" if hand.is_document else stance_in(unit.text, span.start, span.end),
        says=stated.says,
        evidence=as_evidence(hand.note, unit),
    )


def _is_explicit(claim: Claim) -> bool:
    kinds = _kinds(list(_WORDS.finditer(folded(claim.evidence.quote))))
    return claim.value in kinds


def _documents(claim: Claim) -> frozenset[str]:
    """The living documents that a claim is about, by their stems, as far as its place says."""
    path = claim.evidence.note
    if not path.startswith("inbox/"):
        return frozenset({path.rpartition("/")[2].removesuffix(".md")})
    said = f"{claim.says}\n{claim.evidence.quote}"
    cited = {one.name.removesuffix(".md") for one in cited_documents(said) if one.kind == "document"}
    brief = _BRIEF.fullmatch(parse_note_name(path).slug)
    return frozenset(cited or ({brief["topic"]} if brief else ()))

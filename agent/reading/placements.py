"""Where a note wants a finding to go: the sections of living documents that it names.

A section sign inside a quoted title or inside brackets is no placement, nor is a section that is only referred to. Offsets are
into the text given; nothing raises; time is linear.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agent.reading.labels import values_of
from agent.reading.quotations import (
    MASK,
    Span,
    addresses,
    bracket_at,
    bracketed,
    folded,
    is_inside,
    masked,
    outermost,
    quoted,
)
from agent.reading.registers import stated_registers
from agent.reading.sections import numeral, section_marks
from agent.records import Action

_DOCUMENT = re.compile(r"(?<![A-Za-z0-9_./-])[A-Za-z0-9_./-]{1,120}\.md(?![A-Za-z0-9_])")
_BARE_LABELS = ("建议归入", "建议放置", "建议归位", "归入", "suggested placement", "where it belongs")
_BARE_LABEL = re.compile("|".join(_BARE_LABELS), re.IGNORECASE)
_DOCUMENT_NAMES = r"(?:活文档|主题页?|living document)"
_BETWEEN = re.compile(rf"[ \t·・,:的>/#→—*_`-]{{0,6}}(?:{_DOCUMENT_NAMES}[ \t·,:的]{{0,3}})?", re.IGNORECASE)
_AFTER_TOPIC = re.compile(rf"[ \t·・,:的>/#`-]{{0,4}}(?:§|第|sections?\b|{_DOCUMENT_NAMES})", re.IGNORECASE)
_OF = re.compile(r" {0,2}(?:of|in|@|\() {0,2}", re.IGNORECASE)
_VERBS = r"新增|新建|新设|增设|补充|追加|补入|补上|增补|替换|改写|更新|append|add\b|new\b|replace|create|update"
_ANY_VERB = re.compile(_VERBS, re.IGNORECASE)
_HEADING = re.compile(rf"(?P<number>[一二三四五六七八九十]{{1,3}})、(?:[^\s;,。(+]| (?=\w)(?!{_VERBS})){{1,32}}")
_CONNECTORS = " \t\r\n;,、+/&|。.•·*_->:~–—`和与及或至到"
_AROUND = " \t\r\n;,、+/&|。.•·*_>:–—`"
_SEPARATORS = (*";,、+/&|。.\n•·>:-或及和并另", "或者", "以及", "同时", " or", " and", " also", " plus", " then")
_LEADS = (
    "在", "到", "于", "至", "归入", "放入", "并入", "加入", "置于", "补入", "可",
    " into", " in", " under", " to", " at", " the",
)  # fmt: skip
_ENDINGS = (
    "或者在", "或者", "以及在", "以及", "或在", "或", "并在", "并", "另在", "另", "和", "及", "同时在", "同时",
    " and in", " and", " or in", " or to", " or", " also",
)  # fmt: skip
_NOT_NAME = re.compile(r"[A-Za-z0-9_./-]")

_REPLACE = re.compile(
    r"替换|改写|改为|更新(?:该|此|这一|这|对应|原有|原)[^\n,;。]{0,10}?行|\breplac(?:e|es|ing)\b|\brewrit(?:e|es|ing)\b"
    r"|\bupdate (?:the|that|this)[^\n,;.]{0,24}? (?:row|line|entry)\b",
    re.IGNORECASE,
)
_NEW = re.compile(
    r"(?:新增|新建|新设|增设|新开|另立|增加)[^\n;。]{0,80}?(?:小节|子节|章节|节点|一节|专节)"
    rf"|\b(?:add|create|open|new)(?: (?!(?:to|in|into|under|of|from)\b)[\w\"“”「」'{MASK}-]{{1,40}}){{0,4}} (?:sub-?)?sections?\b(?! ?\d)"
    r"|(?:新增|新建|增设) ?[「『“\"《]",
    re.IGNORECASE,
)
_APPEND = re.compile(r"补充|追加|补入|补上|增补|补全|沿用|\bappend|\bextend|\bsupplement", re.IGNORECASE)
_ACTIONS: tuple[tuple[Action, re.Pattern[str]], ...] = (
    ("replace_row", _REPLACE),
    ("new_subsection", _NEW),
    ("append", _APPEND),
)
_CLAUSE = re.compile(r"[;。\n] ?| ?(?:\bor |\band |或者?)")
_TOWARDS = re.compile(r"(?:\b(?:to|in|into|under|of|after)(?: the)?|[至到在于]) ?[*_`]{0,2}\Z", re.IGNORECASE)
_MASKS = re.compile(f"{MASK}{{2,}}")
_LIST_MARK = re.compile(r"\n[ \t]{0,4}(?:[-*•+]|\d{1,2}[.)、])?\Z")
_ENTRY = "\1"
# "7.1 vLLM", "4 KV Cache": no quantity, date or version
_BARE_NUMBER = re.compile(
    r"(?P<number>\d{1,2}(?:\.\d{1,3}){0,3})(?![\d.%×xX]|[ \t]?[倍年月日条行个天项篇]|-\d)(?:[ \t]{1,3}[^\s,;:。(\[「『\"]{1,40}){0,4}"
)
_TITLE_REACH = 200
_LEAD_REACH = 60
_LONGEST_SECTION, _LONGEST_NAME = 40, 124
_TITLE_STARTS = tuple('一二三四五六七八九十「『“《«〈"`')


@dataclass(frozen=True, slots=True)
class StatedPlacement:
    """One place that a note names for a finding.

    Attributes:
        document: file name of the living document, None when the note does not say it.
        section: as written; the quoted title where there is no number, empty when only the document is named.
        number: its most specific number in digits, or None.
        text: what is to go there, in the note's words.
        start, end: span from the document or section, or from the verb before it, to the end of that text.
    """

    document: str | None
    section: str
    number: str | None
    action: Action
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Anchor:
    document: str | None
    section: str
    number: str | None
    start: int
    end: int
    since: int = 0


@dataclass(frozen=True, slots=True)
class _Passage:
    """A stretch to read: as written, and folded with all that is quoted hidden; `start` is its place in the whole text."""

    text: str
    visible: str
    start: int


def stated_placements(text: str, *, topics: Sequence[str] = ()) -> tuple[StatedPlacement, ...]:
    """Return the placements written in `text`, in order, alternatives ("或", "or") and additions ("+", "、") one by one.

    Args:
        text: a text that holds placement labels, of which only the values are read, or a text that is such a value: one that
            names no place at its beginning holds none.
        topics: stems of the living documents, so that "llm-infra §2.1" is understood without ".md".

    A document carries over to the sections after it. A section that is only referred to ("与 §2.3 呼应") is no placement.
    """
    found: list[StatedPlacement] = []
    values = values_of(text, "placement")
    for start, end in values or _unlabelled(text):
        found += _placements(_passage(text[start:end], start), topics, is_labelled=bool(values))
    return tuple(found)


def _passage(text: str, start: int) -> _Passage:
    plain = folded(text)
    hidden = outermost([*quoted(plain, with_code=False), *addresses(plain)])
    entries = [(entry.start, entry.end) for entry in stated_registers(text)]
    return _Passage(text, masked(masked(plain, hidden, margin=1), entries, mask=_ENTRY), start)


def _unlabelled(text: str) -> tuple[Span, ...]:
    lowered = text.lower()
    label = _BARE_LABEL.search(text) if any(word in lowered for word in _BARE_LABELS) else None
    return ((label.end() if label else 0, len(text)),)


def _placements(passage: _Passage, topics: Sequence[str], *, is_labelled: bool) -> list[StatedPlacement]:
    if not is_labelled and not _may_open_with_place(passage, topics):
        return []
    anchors = _anchors(passage, topics)
    if not is_labelled and anchors and not _opens_with(passage.visible, anchors[0]):
        return []
    anchors = _chosen(passage.visible, anchors)
    limit = len(passage.visible)
    found: list[StatedPlacement] = []
    words: tuple[str, Action] = ("", "append")
    for anchor in reversed(anchors):
        start, end = _added(passage.visible, anchor.end, limit)
        if anchor.since < anchor.start:  # its verb stands before it: "append … to §2.1"
            start, end = anchor.since, max(end, anchor.end)
        if start < end:  # an anchor that only lists its section takes the words of the next one
            words = passage.text[start:end], _action(passage.visible[start:end])
        last = max(anchor.end, end if start < end else anchor.end)
        span = passage.start + anchor.since, passage.start + last
        found.append(StatedPlacement(anchor.document, anchor.section, anchor.number, words[1], words[0], *span))
        limit = anchor.since
    return found[::-1]


def _may_open_with_place(passage: _Passage, topics: Sequence[str]) -> bool:
    """A look at the beginning: a text that only mentions places further on need not be read to its end."""
    near, far = passage.visible[: _LEAD_REACH + _LONGEST_SECTION], passage.visible[: _LEAD_REACH + _LONGEST_NAME]
    return (
        near.lstrip().startswith(_TITLE_STARTS)
        or ".md" in far
        or any(passage.visible.find(topic, 0, _LEAD_REACH + len(topic)) >= 0 for topic in filter(None, topics))
        or bool(section_marks(passage.text[: len(near)], visible=near))
    )


def _anchors(passage: _Passage, topics: Sequence[str]) -> list[_Anchor]:
    """Return documents and sections at the outer level, a document joined with the section beside it."""
    visible = passage.visible
    marks = [
        _Anchor(None, mark.written, mark.number, mark.start, mark.end)
        for mark in section_marks(passage.text, visible=visible)
    ]
    marks += [_Anchor(name, "", None, start, end) for name, start, end in _documents(visible, topics)]
    inside = bracketed(visible)
    joined: list[_Anchor] = []
    for mark in sorted(marks, key=lambda mark: mark.start):
        last = joined[-1] if joined else None
        if last and mark.start < last.end:
            continue
        both = _together(visible, last, mark) if last else None
        if both:
            joined[-1] = both
        elif not is_inside(inside, mark.start):
            joined.append(mark)
    titled = [_with_title(passage, anchor) if not anchor.section else anchor for anchor in joined]
    return _carried(titled or _leading_title(passage))


def _together(visible: str, last: _Anchor, mark: _Anchor) -> _Anchor | None:
    """Join "inference.md · 第九节" and "section 9 of inference.md"."""
    if last.document and not last.section and mark.section and _BETWEEN.fullmatch(visible, last.end, mark.start):
        return _Anchor(last.document, mark.section, mark.number, last.start, mark.end)
    if last.section and not last.document and mark.document and _OF.fullmatch(visible, last.end, mark.start):
        end = mark.end + (visible[mark.end : mark.end + 1] == ")" and visible[mark.start - 1 : mark.start] == "(")
        return _Anchor(mark.document, last.section, last.number, last.start, end)
    return None


def _carried(anchors: Sequence[_Anchor]) -> list[_Anchor]:
    """Give each section the document that was named last."""
    current: str | None = None
    carried: list[_Anchor] = []
    for anchor in anchors:
        current = anchor.document or current
        carried.append(replace(anchor, document=current))
    return carried


def _documents(visible: str, topics: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    for match in _DOCUMENT.finditer(visible) if ".md" in visible else ():
        yield match.group().rsplit("/", 1)[-1], match.start(), match.end()
    for topic in filter(None, topics):
        at = visible.find(topic)
        while at >= 0:
            end = at + len(topic)
            is_file = visible.startswith(".md", end)
            end += len(".md") if is_file else 0
            is_whole = not (_NOT_NAME.match(visible[at - 1 : at]) or _NOT_NAME.match(visible, end))
            if is_whole and (is_file or _AFTER_TOPIC.match(visible, end)):
                yield f"{topic}.md", at, end
            at = visible.find(topic, end)


def _with_title(passage: _Passage, anchor: _Anchor) -> _Anchor:
    """Take the quoted title or the numbered heading right after a document for its section."""
    gap = _BETWEEN.match(passage.visible, anchor.end)
    at = gap.end() if gap else anchor.end
    title = _title_at(passage, at) or _numbered_at(passage, at)
    return replace(title, document=anchor.document, start=anchor.start) if title else anchor


def _numbered_at(passage: _Passage, at: int) -> _Anchor | None:
    """Take a bare number, with the heading after it; only a document right before it makes it a section."""
    found = _BARE_NUMBER.match(passage.visible, at)
    if found is None:
        return None
    end = at + len(passage.visible[at : found.end()].rstrip())
    return _Anchor(None, passage.text[at:end], found["number"], at, end)


def _leading_title(passage: _Passage) -> list[_Anchor]:
    """Take the title that a text begins with for the section, where no document and no number is named."""
    title = _title_at(passage, len(passage.visible) - len(passage.visible.lstrip()))
    return [title] if title else []


def _title_at(passage: _Passage, at: int) -> _Anchor | None:
    heading = _HEADING.match(passage.visible, at)
    if heading:
        return _Anchor(None, passage.text[at : heading.end()], str(numeral(heading["number"])), at, heading.end())
    for start, end in quoted(passage.visible[at : at + _TITLE_REACH])[:1]:
        if start == 0:
            return _Anchor(None, passage.text[at + 1 : at + end - 1].strip(), None, at, at + end)
    return None


def _chosen(visible: str, anchors: Sequence[_Anchor]) -> list[_Anchor]:
    """Keep the first anchor and those that begin a clause of their own, perhaps with a verb, or go on with a list."""
    kept: list[_Anchor] = []
    for anchor in anchors:
        since = max(kept[-1].end if kept else 0, anchor.start - _LEAD_REACH)
        between = visible[since : anchor.start]
        verb = _leading_verb(between)
        if verb is not None:
            kept.append(replace(anchor, since=since + verb))
        elif not kept or _begins_clause(between) or (since == kept[-1].end and _goes_on(between)):
            kept.append(replace(anchor, since=anchor.start))
    return kept


def _opens_with(visible: str, anchor: _Anchor) -> bool:
    """Say whether nothing but a verb and little words stands before the first place: other text only mentions sections."""
    before = visible[: anchor.start] if anchor.start <= _LEAD_REACH else "…"
    return _leading_verb(before.lstrip(_AROUND)) == 0 or not _without_lead(before).strip(_AROUND)


def _goes_on(between: str) -> bool:
    """Tell "§2.1 与 §2.4" and "§2.1、§2.4" from "第四节，与 §2.3 呼应"."""
    bare = between.strip(" \t\n*_`")
    return not bare.strip(_CONNECTORS) and ("与" not in bare or bare == "与")


def _leading_verb(between: str) -> int | None:
    """Return where a clause such as "or append a note to" begins that leads up to a section."""
    clause = 0
    for match in _CLAUSE.finditer(between):
        clause = match.end()
    verb = _ANY_VERB.match(between, clause)
    return verb.start() if verb and _TOWARDS.search(between, verb.end()) else None


def _begins_clause(before: str) -> bool:
    lead = _without_lead(before)
    return not lead.strip() or lead.endswith(_SEPARATORS)


def _without_lead(before: str) -> str:
    """Return `before` without the little word that leads up to a section ("在", "in"); it begins with a space."""
    lead = " " + before.rstrip(" \t*_`").lower()
    for word in _LEADS:
        if lead.endswith(word):
            return lead[: -len(word)].rstrip(" \t*_`")
    return lead


def _added(visible: str, start: int, limit: int) -> Span:
    """Return the span of what is to be added: from the verb, or from behind the section's own title."""
    entry = visible.find(_ENTRY, start, limit)
    end = _trimmed(visible, start, entry if entry >= 0 else limit)
    start = _skipped(visible, start, end)
    title = quoted(visible[start : min(end, start + _TITLE_REACH)])[:1]
    if title and title[0][0] == 0:  # §2.79「title」
        start = _skipped(visible, start + title[0][1], end)
    verb = _ANY_VERB.search(visible, start, end)
    if verb and visible[max(start, verb.start() - 2) : verb.start()].strip().endswith("("):
        start = verb.start()
    bracket = bracket_at(visible, start, end) if visible.startswith("(", start) else None
    if bracket and bracket[1] == end:
        start, end = start + 1, end - 1
    if start < end and visible[end - 1] == ")" and visible.count("(", start, end) < visible.count(")", start, end):
        end -= 1
    return start, max(start, end)


def _trimmed(visible: str, start: int, end: int) -> int:
    """Return the end without the separators and joining words that lead on to the next placement."""
    end = start + len(visible[start:end].rstrip(_AROUND))
    mark = _LIST_MARK.search(visible[max(start, end - 8) : end])
    if mark:
        return start + len(visible[start : end - len(mark.group())].rstrip(_AROUND))
    tail = visible[max(start, end - 10) : end].lower()
    for ending in _ENDINGS:
        if tail.endswith(ending):
            return start + len(visible[start : end - len(ending)].rstrip(_AROUND))
    return end


def _skipped(visible: str, start: int, end: int) -> int:
    return start + len(visible[start:end]) - len(visible[start:end].lstrip(_AROUND))


def _action(visible: str) -> Action:
    """Return what is to be done; of several verbs the first one counts, and no verb at all appends."""
    words = _MASKS.sub(MASK, visible)
    found: list[tuple[int, int, Action]] = []
    for rank, (action, pattern) in enumerate(_ACTIONS):
        match = pattern.search(words)
        if match:
            found.append((match.start(), rank, action))
    return min(found)[2] if found else "append"

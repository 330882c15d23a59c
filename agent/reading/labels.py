"""Labels that stand in a note ("来源：", "**Credibility**:", "【要点】") and the spans of their values.

One table holds the words of both languages. A label inside a quotation, inline code or a URL is none, and neither is a word in
running text that happens to stand before a colon. Offsets are into the text given; nothing raises; time is linear.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from agent.reading.quotations import Span, addresses, bracket_pairs, folded, is_inside, shielded

LabelName = Literal[
    "source", "credibility", "arxiv", "points", "relation", "placement", "question", "suggestion", "priority", "value",
    "to_verify", "claim", "caution", "checked", "baseline", "author", "cutoff", "topic", "kind", "title", "summary", "conclusion",
]  # fmt: skip

_CREDIBLE = ("可信度", "置信度", "可靠度", "可靠性", "可信性", "可信程度", "可信", "置信")
_OF_WHAT = ("", "来源", "信源", "数据", "证据", "信息", "内容", "整体", "总体", "综合", "初步")
_GRADE = ("", "评级", "评分", "评估", "等级", "星级")

_TABLE: dict[LabelName, tuple[str, ...]] = {
    "source": (
        "来源", "信源", "出处", "数据来源", "信息来源", "原始来源", "论文来源", "参考来源", "引用来源", "主要来源",
        "source", "sources", "origin", "reported by", "reported in",
    ),
    "credibility": (
        *(what + word + grade for what in _OF_WHAT for word in _CREDIBLE for grade in _GRADE),
        "credibility", "confidence", "reliability", "credibility rating", "confidence rating", "confidence level",
        "reliability rating", "source credibility", "source reliability", "overall confidence", "overall credibility",
    ),
    "arxiv": (
        "arxiv号", "arxiv 号", "arxiv编号", "arxiv 编号", "涉及 arxiv 号", "论文编号", "arxiv", "arxiv id", "arxiv ids",
        "arxiv no.", "arxiv number", "arxiv numbers",
    ),
    "points": (
        "要点", "核心要点", "关键要点", "主要要点", "内容要点", "主要内容", "核心内容", "关键点",
        "points", "key points", "main points", "key takeaways", "takeaways", "details", "highlights",
    ),
    "relation": (
        "现有脉络", "既有脉络", "relation", "relationship", "already known", "relation to existing", "relation to what is known",
    ),
    "placement": (
        "建议归入", "归入", "建议归位", "归位", "归属", "建议归属", "建议放置", "放置建议", "建议落点", "落点", "建议入位", "入位建议",
        "建议归档", "归档建议", "建议位置",
        "suggested placement", "proposed placement", "placement", "where it belongs", "belongs in", "suggested section",
        "suggested location", "file under",
    ),
    "question": ("问题", "疑问", "疑点", "存疑", "question", "questions", "concern", "open question"),
    "suggestion": (
        "核实建议", "核验建议", "验证建议", "复核建议", "建议核实", "建议核验", "建议",
        "suggestion", "suggestions", "suggested check", "how to verify", "how to check", "verification",
    ),
    "priority": ("优先级", "优先度", "优先程度", "priority"),
    "value": ("价值", "意义", "价值判断", "value", "significance", "why it matters"),
    "to_verify": (
        "待核实", "待核验", "需核实", "需核验", "待验证", "待确认", "待查证", "to verify", "to be verified", "needs verification",
        "unverified", "verify",
    ),
    "claim": ("说法", "主张", "论断", "claim"),
    "caution": ("警示", "警告", "注意", "数据来源警示", "版本注意", "风险提示", "caution", "caveat", "caveats", "warning"),
    "checked": ("检查来源", "覆盖来源", "已查来源", "检查过的来源", "检查过的来源清单", "sources checked", "checked sources", "checked"),
    "baseline": ("活文档基准", "活文档基线", "基线", "living document baseline"),
    "author": ("执行人", "作者", "author", "authors"),
    "cutoff": ("数据截止", "截止", "覆盖时段", "时间窗口", "cutoff", "covered period"),
    "topic": ("主题", "topic"),
    "kind": ("类型",),
    "title": ("标题", "title"),
    "summary": ("摘要", "概要", "一句话总结", "一句话", "总结", "summary", "abstract", "tl;dr"),
    "conclusion": ("结论", "conclusion", "conclusions"),
}  # fmt: skip
_NAMES: dict[str, LabelName] = {word: name for name, words in _TABLE.items() for word in words}
_LONGEST = max(map(len, _NAMES))
_LAST_TWO = frozenset(word[-2:] for word in _NAMES)
# What a knowledge base is called in "与 … 的关系" and "Relation to …": a relation to anything else is a point, not a label.
_RELATION = re.compile(
    r"与 ?(?:现有|既有)?(?:活文档|知识库|主题页|脉络|知识|[A-Za-z0-9_./-]{1,60}\.md) ?(?:的|中)?(?:现有|既有)?(?:脉络|内容|条目|知识)?"
    r"(?:之间)?的?关系\Z"
    r"|(?:relation|relationship|compared) (?:to|with) (?:the )?(?:existing |current )?"
    r"(?:knowledge(?: base)?|living documents?|documents?|notes|[a-z0-9_./-]{1,60}\.md)\Z",
    re.IGNORECASE,
)
_RUNS_ON: frozenset[LabelName] = frozenset({"points", "checked", "summary"})
_NOT_SOURCE = frozenset({"open", "closed", "image", "photo", "code", "power", "heat", "light"})

_WINDOW = 80
_BRACKET_REACH = 400
_CANDIDATE = re.compile(r"[:】]")
_LINE_END = re.compile(r"\n")
_ORDINAL = re.compile(r"(?<=[^\d.\- ]) ?(?:no\. ?|#)?\d{1,3}\Z|(?<=[^\d.\- ]) ?[①-⑳]\Z", re.IGNORECASE)
_ITEM_MARK = re.compile(r"[ •◦▪●](?:(?<! )|- )")
_BLANKS = " \t*_"
_DECORATION = " \t\n\r*_•◦▪●·|>#-⚠️✅❗❓🔍📌🟢🟡🔴【["


@dataclass(frozen=True, slots=True)
class Label:
    """A label and the span of its value.

    Attributes:
        name: which of the known labels it is.
        start: offset of the label, its bold or bracket marks included.
        value_start, value_end: span of the value without surrounding white space; empty when nothing follows.
    """

    name: LabelName
    start: int
    value_start: int
    value_end: int


@dataclass(frozen=True, slots=True)
class _Found:
    name: LabelName
    start: int
    after: int
    runs_on: bool
    closing: int = 0  # where the bracket closes that the label opens


@lru_cache(maxsize=8)  # several readers ask about one text in turn
def labelled(text: str) -> tuple[Label, ...]:
    """Return the labels that stand in `text`, in order.

    A label is a known word before a colon (either width), in 【brackets】, or alone on a marked heading or bold line. It stands
    at the start of a line or item, after punctuation, or after a space; several may share a line. A value ends at the next
    label, at a heading, at a blank line, or at the next list item that is not indented deeper; the values of `points`,
    `checked` and `summary`, and those under a heading, run on over paragraphs. A label that opens a bracket ends with it and
    does not end the value around it.
    """
    plain = folded(text)
    found = sorted((*_before_colons(plain), *_on_own_lines(plain)), key=lambda item: item.start)
    labels: list[Label] = []
    following = outer = len(text)
    for item in reversed(found):
        limit = min(following, item.closing) if item.closing else outer
        following = item.start
        outer = outer if item.closing else item.start
        if item.after <= limit:
            labels.append(Label(item.name, item.start, *_value(plain, item, limit)))
    return tuple(reversed(labels))


def values_of(text: str, name: LabelName) -> tuple[Span, ...]:
    """Return the value spans of all labels called `name` in `text`."""
    return tuple((label.value_start, label.value_end) for label in labelled(text) if label.name == name)


def _before_colons(plain: str) -> Iterator[_Found]:
    hidden, urls = shielded(plain), addresses(plain)
    brackets = bracket_pairs(plain)
    line_start = last_label = last_mark = -1
    looked = marks_looked = 0
    for match in _CANDIDATE.finditer(plain):
        at = match.start()
        line_start = max(line_start, plain.rfind("\n", looked, at))
        looked = at
        low = max(line_start + 1, at - _WINDOW)
        word = _word_before(plain, low, at, mark=match.group())
        if word is None or is_inside(hidden, word[1]):
            continue
        name, start = word
        for item_mark in _ITEM_MARK.finditer(plain, marks_looked, start):
            last_mark = item_mark.start()
        marks_looked = start
        opening = _opening(plain, low, start)
        has_earlier = last_label > max(line_start, last_mark)
        if _may_stand(plain, opening, start, has_earlier=has_earlier) and not is_inside(urls, opening - 1):
            last_label = start
            closing = brackets.get(opening - 1, 0) - 1 if plain[opening - 1 : opening] == "(" else -1
            is_nested = opening <= closing <= opening + _BRACKET_REACH
            yield _Found(name, opening, at + 1, name in _RUNS_ON, closing if is_nested else 0)


def _word_before(plain: str, low: int, at: int, *, mark: str) -> tuple[LabelName, int] | None:
    """Return the label word that ends at the colon or bracket at `at`, with its offset."""
    head = plain[low:at].rstrip(_BLANKS)
    if mark == ":" and head.endswith(")") and (opened := head.rfind("(")) > 0:
        head = head[:opened].rstrip(_BLANKS)
    elif mark == ":" and head.endswith(("】", "]")):
        return None
    name_length = _known_ending(head)
    if name_length is None and head[-1:].isnumeric() and (ordinal := _ORDINAL.search(head[-12:])):
        head = head[: len(head) - (len(head[-12:]) - ordinal.start())]
        name_length = _known_ending(head)
    if name_length is None:
        return None
    name, length = name_length
    start = low + len(head) - length
    if mark == "】" and plain[start - 1 : start] != "【":
        return None
    if name == "arxiv" and length == len("arxiv") and not _is_arxiv_label(plain, low, start, at):
        return None
    return name, start


def _is_arxiv_label(plain: str, low: int, start: int, at: int) -> bool:
    """Tell `arXiv: 2607.18141` at the start of an item from the identifier `arXiv:2607.18141`."""
    return not plain[at + 1 : at + 2].isdigit() and not plain[low:start].strip(_DECORATION)


def _known_ending(head: str) -> tuple[LabelName, int] | None:
    """Return the label that `head` ends with and its length; the longest one counts."""
    lowered = head[-_LONGEST:].lower()
    if lowered[-2:] in _LAST_TWO:
        for length in range(min(_LONGEST, len(lowered)), 1, -1):
            name = _NAMES.get(lowered[-length:])
            if name is not None:
                return name, length
    if lowered.endswith(("关系", ".md", "knowledge", "base", "document", "documents", "notes")):
        match = _RELATION.search(head)
        if match:
            return "relation", len(head) - match.start()
    return None


def _opening(plain: str, low: int, start: int) -> int:
    """Return where the marks directly before a label begin."""
    return low + len(plain[low:start].rstrip("*_【["))


def _may_stand(plain: str, opening: int, start: int, *, has_earlier: bool) -> bool:
    """Say whether a label may begin here: not inside a word, and after a Latin word only where labels already share the item."""
    before = plain[max(0, opening - 24) : opening]
    if not before or before[-1] == "\n":
        return True
    if before[-1] not in " \t\r":
        return opening < start or not (before[-1].isalnum() or before[-1] in "/_-.")
    words = before.rstrip(" \t\r")
    previous = words[-1:]
    if not (previous.isascii() and previous.isalnum()):
        return True
    if words.lstrip().isdigit() and "\n" in f"\n{before}"[:2]:
        return True
    last_word = words.rsplit(None, 1)[-1].lower()
    is_compound = last_word in _NOT_SOURCE or plain[start].islower()
    return has_earlier and not is_compound


def _on_own_lines(plain: str) -> Iterator[_Found]:
    """Yield labels without a colon that fill a heading or a bold line."""
    start = 0
    for match in _LINE_END.finditer(plain + "\n"):
        end = match.start()
        if 2 < end - start <= _WINDOW and plain[start] in " #*_-" and ":" not in (line := plain[start:end]):
            bare = line.strip(_DECORATION + " ]】").lower()
            stripped = line.lstrip(" -")
            if bare in _NAMES and stripped.startswith(("#", "**", "__")):
                yield _Found(_NAMES[bare], start + len(line) - len(stripped), end, runs_on=stripped.startswith("#"))
        start = end + 1


def _value(plain: str, item: _Found, limit: int) -> Span:
    end = _value_end(plain, item, limit)
    start = item.after + len(plain[item.after : end]) - len(plain[item.after : end].lstrip())
    mark = plain[item.start : item.start + 2]
    if mark in ("**", "__") and plain.startswith(mark, start, end) and plain.count(mark, item.start, item.after) == 1:
        start += len(mark)  # **label:** with the colon inside the bold
        start += len(plain[start:end]) - len(plain[start:end].lstrip())
    value = plain[start:end]
    kept = value.rstrip(_DECORATION)
    # marks glued to the value close something in it; the others belong to what follows
    glued = value[len(kept) :].split(None, 1)
    if glued and not value[len(kept)].isspace():
        kept += glued[0]
    return start, start + len(kept)


def _value_end(plain: str, item: _Found, limit: int) -> int:
    """Return where the value stops at the latest: a heading always ends it, a blank line or a sibling item mostly."""
    before = plain[max(0, item.start - _WINDOW) : item.start].rsplit("\n", 1)[-1]
    indent = len(before) - len(before.lstrip(" \t")) if before.strip(" \t")[:1] in ("-", "*", "•", "+") else -1
    has_value = is_inline = False  # items after a label with nothing behind it are its value
    at = item.after
    while at < limit:
        newline = plain.find("\n", at, limit)
        end = limit if newline < 0 else newline
        line = plain[at:end]
        bare = line.lstrip(" \t")
        if at > item.after and bare.startswith("#") and bare.lstrip("#")[:1] in (" ", ""):
            return at
        if has_value and not item.runs_on:
            is_sibling = is_inline and bare.startswith(("- ", "* ", "+ ", "•")) and len(line) - len(bare) <= indent
            if not bare.strip("\r") or is_sibling:
                return at
        has_value = has_value or bool(bare.strip(_DECORATION))
        is_inline = is_inline or (has_value and at == item.after)
        at = end + 1
    return limit

"""What a heading says: the role of the text below it, its number, its title; whether or not its Markdown marks are left.

Every list of words stands at the top. Chinese and English are read alike, with or without numbering, emoji and bold. Nothing
raises; time is linear in the heading.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from agent.reading.sections import numeral
from agent.reading.units import heading_parts
from agent.texts import Role, Unit

# A word that, with a number, opens one increment.
INCREMENT_WORDS = (
    "新增增量", "新增量", "增量", "高价值发现", "高价值", "关键发现", "核心发现", "新发现", "发现", "新增", "条目", "候选", "亮点", "要闻",
    "收获", "观察",
    "Key finding", "New finding", "Finding", "Increment", "Discovery", "High value", "Candidate", "Item",
    "Takeaway", "Highlight", "Insight", "Observation", "Lesson",
)  # fmt: skip
# Those that need neither number nor colon to be sure.
SURE_WORDS = frozenset({"新增增量", "新增量", "增量", "increment"})
VERIFY_WORDS = (
    "待核实", "待核验", "待验证", "待确认", "待查证", "存疑", "To be verified", "To verify", "To check", "Needs verification", "Unverified",
)  # fmt: skip
WARNING_WORDS = ("接力警示", "流程警示", "警示", "警告", "预警", "提醒", "Relay warning", "Warning", "Alert", "Notice")

# Headings above increments. Below the first sort numbered headings, plain headings and numbered items are increments;
# below the second only numbered headings are.
SURE_ANNOUNCEMENTS = (
    "增量详情", "增量明细", "增量列表", "增量正文", "增量清单", "核心增量", "显著增量", "主要增量", "新增增量", "今日增量", "本轮增量",
    "本次增量", "本期增量", "增量", "新发现", "increments", "increment details", "new increments", "key increments", "new findings",
)  # fmt: skip
ANNOUNCEMENTS = (
    "高价值", "高价值条目", "高价值发现", "高价值内容", "核心发现", "关键发现", "主要发现", "重点条目", "重点发现", "保留条目",
    "key findings", "main findings", "top findings", "findings", "high value", "high-value items", "high value items", "items kept",
)  # fmt: skip

SECTIONS: dict[Role, tuple[str, ...]] = {
    "summary": (
        "增量摘要", "增量概要", "增量速览", "增量总览", "本期摘要", "本轮摘要", "今日摘要", "概要", "速览", "要点速览",
        "summary", "executive summary", "summary of increments", "increment summary", "tl;dr", "tldr", "at a glance", "in brief",
    ),
    "leads": (
        "次级线索", "次要线索", "其他线索", "其它线索", "备选线索", "线索", "线索归档", "leads", "secondary leads", "minor leads",
        "other leads", "further leads", "worth keeping",
    ),
    "arxiv_list": (
        "arxiv号列表", "arxiv列表", "arxiv编号列表", "arxiv清单", "arxiv号清单", "arxiv号", "arxiv编号", "arxivlist", "arxivids",
        "arxividentifiers", "arxividentifierlist", "arxividlist", "arxivnumbers",
    ),
    "checked": (
        "检查过的来源", "检查过的来源清单", "检查来源", "检查来源清单", "已检查来源", "已检查的来源", "来源清单", "来源检查", "已读来源",
        "已读来源清单", "覆盖来源", "检查清单", "sources checked", "checked sources", "sources read", "sources reviewed", "reviewed sources",
        "what was checked", "what was read", "list of sources checked",
    ),
    "conclusion": ("结论", "总结", "小结", "结语", "conclusion", "conclusions", "bottom line", "closing remarks", "wrap-up"),
}  # fmt: skip
# Summaries too, but only in a note that has increments: elsewhere they are what the note is about.
ABSTRACTS = ("摘要", "总览", "概览", "abstract", "overview")
VERIFY_SECTIONS = (
    "待核实", "待核验", "待验证", "待确认", "值得警惕", "存疑", "to verify", "to be verified", "claims to check", "needs verification",
    "needs checking", "unverified",
)  # fmt: skip
# Parts of an increment that some notes give a heading of their own.
INNER_WORDS = frozenset({
    "来源", "要点", "核心要点", "可信度", "置信度", "建议归入", "建议归位", "与现有脉络的关系", "关键数据", "复现命令", "arxiv 号", "arxiv号",
    "source", "sources", "points", "key points", "credibility", "suggested placement", "placement", "relation", "arxiv", "evidence",
    "details", "limitations", "caveats",
})  # fmt: skip
_OWN = (
    "本轮",
    "本期",
    "本次",
    "今日",
    "最终",
    "总体",
    "可引用的",
    "涉及的",
    "本轮新增",
    "the",
    "final",
    "overall",
    "our",
    "list of",
)
# What every section begins with: most headings are none.
_STARTS = (*_OWN, *SURE_ANNOUNCEMENTS, *ANNOUNCEMENTS, *chain.from_iterable(SECTIONS.values()), *ABSTRACTS)
_JOINTS = ("与", "和", "及", "、", "/", "&", " and ", " &", "·", " ·", "—", "|", " |")

# Whether a heading is about the relay itself: an alarm is not enough, the relay has to be named.
_ALARM = re.compile("警示|警告|预警|告警|提醒|缺棒|接力|流程|节奏|warning|alert|relay|process|coverage", re.IGNORECASE)
_RELAY = re.compile(
    r"(?<![A-Za-z0-9])E\d(?![A-Za-z0-9])|e\dprep|(?<![鲁冰棍])棒(?![性球子])|接力|预消化|活文档|协调检查|work-queue|\bbatons?\b|\bhand-?offs?\b"
    r"|living document|\bbriefs?\b(?= (?:is|was|are|were|missing|absent|not|never|of))|\brelay (?:note|brief|turn|slot)"
    r"|(?:当日|今日|今天|全天)[^，。；]{0,8}(?:缺|未)",
    re.IGNORECASE,
)
_RELAY_WORD = re.compile(r"\brelay\b|\binbox\b", re.IGNORECASE)  # enough beside an alarm only
_ABSENCE = re.compile(
    r"缺失|缺席|缺位|缺棒|缺稿|空缺|未发布|未产出|未更新|未提交|未交|未到|没有(?:产出|发布|更新)|断更|停更|漏发|掉棒|节奏|回落"
    r"|\bmissing\b|\babsent\b|\boverdue\b|\bstale\b|\brhythm\b|\bcadence\b|\bskipped\b|\bno-show\b"
    r"|\b(?:not|never) (?:delivered|published|filed|updated|arrive|arrived|come|came)\b",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"\d{4}\.\d{4,5}")

_NUMERALS = "〇零一二两三四五六七八九十百"
_DECORATION = re.compile(
    "\\A[\\s#*_>~•·\u2190-\u21ff\u2300-\u245f\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\U0001f000-\U0001faff]{1,24}"
)
_NUMBERING = re.compile(
    rf"\A(?:§{{1,2}} ?(?P<sign>\d{{1,3}}(?:\.\d{{1,3}}){{0,4}}|[{_NUMERALS}]{{1,4}})|第 ?(?P<part>\d{{1,3}}|[{_NUMERALS}]{{1,5}}) ?[章节節部篇讲](?:分)?"
    rf"|(?P<chinese>[{_NUMERALS}]{{1,4}})、|[（(](?P<inner>\d{{1,3}}|[{_NUMERALS}]{{1,4}})[)）]|(?P<keycap>\d)\ufe0f?\u20e3"
    r"|(?P<dotted>\d{1,3}(?:\.\d{1,3}){1,4})[.、:：]?(?=\s|[^\x00-\x7f]|\Z)"
    r"|(?P<plain>\d{1,3})[.、)）:：](?=\s|[^\x00-\x7f]|\Z)|(?:[Cc]hapter|[Ss]ection|[Pp]art|[Ss]ec\.) (?P<latin>\d{1,3}(?:\.\d{1,3}){0,4})(?![\w%])"
    r"|(?P<circled>[①-⑳]))[\s.、:：·—-]{0,4}"
)
_ENTRY = r"\A[【\[]?(?P<word>{words}) ?[#＃№]?[（(]?(?P<number>\d{{1,3}}|[{numerals}]{{1,4}}|(?-i:[A-Z])(?![A-Za-z]))?(?P<round>[)）])?(?P<close>[】\]])?(?P<rest>.*)\Z"
_SEPARATORS = "：:【[·—–-.、|｜（(,，"
_COUNTERS = "个个条项篇种件次张家类点年月日天周%倍页号"
_BRACKET = re.compile(r"\A[\s：:·—–\-.、|]{0,6}(?:【(?P<said>[^】]{0,120})】)?")
_STARRED = re.compile(r"\s?[（(][^（()）]{0,24}[★⭐☆][^（()）]{0,24}[)）]\s?\Z")
_ASIDE = re.compile(r"[（(\[【][^（()）\[\]【】]{0,200}[)）\]】]")


def _entry_pattern(words: Iterable[str]) -> re.Pattern[str]:
    alternatives = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    return re.compile(_ENTRY.format(words=alternatives, numerals=_NUMERALS), re.IGNORECASE | re.DOTALL)


Kind = Literal["increment", "warning", "to_verify", "section", "verify_section", "announcement", "plain"]
_ENTRIES: dict[Kind, re.Pattern[str]] = {
    "increment": _entry_pattern(INCREMENT_WORDS),
    "to_verify": _entry_pattern(VERIFY_WORDS),
    "warning": _entry_pattern(WARNING_WORDS),
}


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, read.

    Attributes:
        kind: what it opens: one entry (increment, warning, claim to verify), a section with a role, a section of claims,
            a section of increments, or nothing known.
        role: of a section.
        level: 1 to 6; where the marks are lost, 2 for sections, 3 for entries, 4 for the rest.
        words: what it says without marks, numbering included.
        title: the same without decoration, number and brackets.
        number: its own section number where that is a plain one.
        ordinal: the number of an entry.
        is_sure: whether an announcement makes its unnumbered headings increments, too.
        is_within: whether it begins in the middle of a line.
    """

    kind: Kind
    level: int
    is_marked: bool
    words: str
    title: str
    role: Role | None = None
    number: int | None = None
    ordinal: int | None = None
    word: str = ""
    is_sure: bool = False
    is_within: bool = False


def read_heading(unit: Unit) -> Heading:
    """Read a unit as a heading, whatever its kind."""
    level, words = heading_parts(unit.text)
    bare = without_decoration(words)
    number, said = split_number(bare)
    is_marked = level > 0
    entry = _entry(bare, is_marked=is_marked) or _entry(said, is_marked=is_marked)
    if entry:
        kind, title, ordinal, word = entry
        return Heading(kind, level or 3, is_marked, words, title, ordinal=ordinal, word=word)
    kind, role, is_sure = _section(said, is_marked=is_marked)
    is_top = kind != "plain" or bare.startswith(("§", "第", "【")) or "、" in bare[:4]
    value = numeral(number) if number else None
    return Heading(kind, level or (2 if is_top else 4), is_marked, words, said or words, role, value, is_sure=is_sure)


def without_decoration(words: str) -> str:
    """Return `words` without leading emoji, bullets and marks; a keycap number stays."""
    while match := _DECORATION.match(words):
        words = words[match.end() :]
    return words.strip()


def split_number(words: str) -> tuple[str, str]:
    """Return the section number at the front of a heading as it is written, and the rest; an empty number where there is none."""
    match = _NUMBERING.match(words)
    if match is None:
        return "", words
    rest = words[match.end() :].strip()
    name = match.lastgroup or ""
    if name == "part":
        return words[: match.end("part") + 1].strip() + words[match.end("part") + 1 : match.end("part") + 2].strip(
            " .、:：·—-"
        ), rest
    if name == "circled":
        return str(ord(match["circled"]) - ord("①") + 1), rest
    return match[name], rest


def _entry(said: str, *, is_marked: bool) -> tuple[Kind, str, int | None, str] | None:
    """Read "增量 3【…】…" and its like: what it opens, title, number and the word itself."""
    for kind, pattern in _ENTRIES.items():
        match = pattern.match(said)
        if match is None or not _stands_apart(match, is_marked=is_marked, is_section=kind != "increment"):
            continue
        bracket = _BRACKET.match(match["rest"])
        inside = (bracket["said"] or "") if bracket else ""
        title = _STARRED.sub("", match["rest"][bracket.end() if bracket else 0 :].strip(" ：:·—–-.、|"))
        is_relay = _is_about_relay(inside, title, is_alarm=kind == "warning")
        if kind == "warning" and not is_relay:
            return None
        opened: Kind = "warning" if kind == "increment" and is_relay else kind
        return opened, title, numeral(match["number"] or ""), match["word"].lower()
    return None


def _stands_apart(match: re.Match[str], *, is_marked: bool, is_section: bool) -> bool:
    """Whether word and number are the heading's mark and not the start of its sentence ("发现 3 个问题")."""
    rest, number = match["rest"], match["number"] or ""
    is_sure = match["word"].lower() in SURE_WORDS
    said = rest.strip(" ：:·—–-.、|")
    if not number:
        has_colon = rest.lstrip()[:1] in {"：", ":"} and bool(said)
        return has_colon and (is_section or (is_marked and is_sure and not said[0].isdigit()))
    if not rest.strip() or rest.lstrip()[0] in _SEPARATORS or match["close"] or match["round"]:
        return True
    return rest[0].isspace() and number.isdigit() and (is_sure or is_section) and rest.lstrip()[0] not in _COUNTERS


def _is_about_relay(bracket: str, title: str, *, is_alarm: bool) -> bool:
    asides = " ".join([bracket, *_ASIDE.findall(title)])
    is_alarm = is_alarm or _ALARM.search(asides) is not None or _ALARM.match(title) is not None
    if is_alarm:
        return _RELAY.search(title) is not None or _RELAY_WORD.search(title) is not None
    return _RELAY.search(title) is not None and _ABSENCE.search(title) is not None and not _IDENTIFIER.search(title)


def _section(said: str, *, is_marked: bool) -> tuple[Kind, Role | None, bool]:
    """Return what a section heading opens; without marks, a word before a colon and more words is a label and no heading."""
    key = said.casefold()
    head, colon, rest = key.replace("：", ":").partition(":")
    if colon and rest.strip():
        key = head if is_marked else ""
    while (shorter := _ASIDE.sub("", key)) != key:
        key = shorter
    key = key.strip(" ：:·—–-.、|*_，,。!！")
    if not key:
        return "plain", None, False
    if any(word in key for word in VERIFY_SECTIONS) and len(key) <= 40:
        return "verify_section", "to_verify", False
    if not (key.startswith(_STARTS) or key.replace(" ", "").startswith(_STARTS)):
        return "plain", None, False
    if _is_any(key, SURE_ANNOUNCEMENTS) or _is_any(key, ANNOUNCEMENTS):
        return "announcement", None, _is_any(key, SURE_ANNOUNCEMENTS)
    for role, names in SECTIONS.items():
        if _is_any(key.replace(" ", "") if role == "arxiv_list" else key, names):
            return "section", role, True
    return ("section", "summary", False) if _is_any(key, ABSTRACTS) else ("plain", None, False)


def _is_any(key: str, names: tuple[str, ...]) -> bool:
    """Whether the key is one of the names, alone, with a word of its own before it, or joined with something after it."""
    for own in _OWN if key.startswith(_OWN) else ():
        if key.startswith(own) and key.removeprefix(own).strip() in names:
            return True
    if key in names:
        return True
    return key.startswith(names) and any(
        key.startswith(name) and key[len(name) :].startswith(_JOINTS) for name in names
    )

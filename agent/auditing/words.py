"""Every fixed text of an audit, in Chinese and in English.

`{…}` is filled in by whoever uses it. Both languages have every text.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from agent.auditing.findings import FindingKind, Verdict
from agent.auditing.turning import Turn
from agent.records import Language

_LONGEST_REMARK = 2_000


class Count(NamedTuple):
    """A number with its noun; `{n}` is the number."""

    one: str
    many: str

    def __call__(self, number: int) -> str:
        """Return the text for this number."""
        return (self.one if number == 1 else self.many).format(n=number)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something does not hold, and what to do."""

    because: str
    advice: str


@dataclass(frozen=True, slots=True)
class AuditWords:
    """The fixed texts of one language."""

    colon: str
    comma: str
    semicolon: str
    in_brackets: str
    title: str
    verdict_false: Count
    verdict_true: str
    brief: str
    held_against: str
    notes: Count
    documents: Count
    days: str
    no_model: str
    sections: dict[Verdict, str]
    kinds: dict[FindingKind, str]
    turns: dict[Turn, str]
    says: str
    stands: str
    why: str
    advice: str
    holds: str
    nothing_holds: str
    more: str
    columns: tuple[str, str, str, str, str, str]
    remarks: str
    nothing: str
    groups: dict[str, str]
    reasons: dict[str, Reason]


_ZH = AuditWords(
    colon="：",
    comma="、",
    semicolon="；",
    in_brackets="（{text}）",
    title="简报核对：{name}",
    verdict_false=Count("有 {n} 处不符。", "有 {n} 处不符。"),
    verdict_true="没有发现不符之处。",
    brief="简报",
    held_against="对照",
    notes=Count("{n} 份笔记", "{n} 份笔记"),
    documents=Count("{n} 份活文档", "{n} 份活文档"),
    days="{start} 至 {end}",
    no_model="没有调用模型",
    sections={"false": "不符", "unsupported": "查无依据", "questionable": "需要人看", "holds": "相符"},
    kinds={
        "identifier": "编号", "figure": "数字", "statement": "语句", "quote": "引文", "source": "来源", "count": "计数", "ratio": "比值",
        "coverage": "覆盖", "contradiction": "矛盾",
    },
    turns={
        "figure": "数字", "unit": "单位", "negation": "否定", "comparison": "比较方向", "identifier": "编号", "version": "版本", "name": "名称",
        "wording": "措辞",
    },
    says="简报写",
    stands="另一处写",
    why="原因",
    advice="处理",
    holds="相符 {n} 项",
    nothing_holds="没有一项能在工作区中找到依据。",
    more="另有 {n} 项，见 JSON。",
    columns=("类别", "不符", "查无依据", "需要人看", "相符", "合计"),
    remarks="说明",
    nothing="简报里没有可以核对的内容。",
    groups={
        "nowhere": "查看过的文本里没有一处这样说",
        "beyond-days": "在没有查看的笔记里",
        "outside": "这一段的来源不在工作区里，工作区里别处也没有",
        "not-in-source": "引用的来源里没有",
        "no-such-words": "加了引号，工作区里找不到这段话",
        "out-of-reach": "来源不在工作区里，无法核对",
        "says-nothing-of-it": "引用了它，但这一段的数字和编号在其中一个都没有",
        "other-source": "这一段的内容在另一份笔记里",
    },
    reasons={
        "form": Reason("{says} 不是可能存在的 arXiv 编号。", "在一手来源中查出正确的编号。"),
        "month-after-brief": Reason("编号的月份晚于简报日期 {date}。", "在 arXiv 上核对编号与标题。"),
        "one-slip": Reason("工作区里没有 {says}，只有差一位的 {stands}。", "核对编号；多半是抄错了一位。"),
        "beyond-days": Reason("{says} 在查看的那些日子之外，见 {stands}。", "用更大的 --days 再核对一次，或引用那份笔记。"),
        "nowhere": Reason("查看过的文本里没有一处这样说到 {says}。", "回到一手来源核对，或补上来源。"),
        "outside": Reason("这一段的来源不在工作区里，工作区里也没有一处这样说到 {says}。", "回到一手来源核对。"),
        "not-in-source": Reason("引用的来源里没有 {says}。", "改正数字，或补上真正的来源。"),
        "other-unit": Reason("来源里这个数字的单位是 {stands}，不是 {says}。", "按来源改正单位。"),
        "other-value": Reason("来源里说的是 {stands}，不是 {says}。", "按来源改正数字。"),
        "swapped": Reason("两个数字在来源里正好相反：{says}。", "按来源把两个数字换回来。"),
        "other-name": Reason("来源里写的是 {stands}，不是 {says}。", "按来源改正名称或版本。"),
        "other-agent": Reason("{says} 不在 {quoted} 的笔记里，而在 {stands} 的笔记里。", "改成真正的作者。"),
        "other-rating": Reason("{quoted} 的笔记给的是 {stands} 星，不是 {says} 星。", "按笔记改正评级。"),
        "other-date": Reason("来源里的日期是 {stands}，不是 {says}。", "按来源改正日期。"),
        "weekday": Reason("{says} 是{stands}。", "改正日期或星期。"),
        "count-of-agents": Reason("说的是 {says}，实际是 {stands} 个。", "数一数收件箱和引用的笔记，改正数目。"),
        "count-of-notes": Reason("说的是 {says}，实际是 {stands} 份。", "数一数收件箱和引用的笔记，改正数目。"),
        "count-of-items": Reason("说的是 {says}，正文编了号的有 {stands} 项。", "改正数目，或补上缺的一项。"),
        "other-condition": Reason("来源里 {says} 是在 {stands} 上测的，不是 {quoted}。", "按来源改正条件。"),
        "against-direction": Reason("说的方向与两个数字相反：{says}。", "核对两个数字或升降的方向。"),
        "opposite": Reason("来源写的是 {stands}，方向相反。", "按来源改正“至少 / 至多”一类的措辞。"),
        "altered": Reason("与原文只差{turn}：写成了 {quoted}，原文是 {stands}。", "按原文改正。"),
        "cut": Reason("引文截断处改变了原意：旁边还有 {stands}。", "把截掉的部分补回来。"),
        "near": Reason("与另一份文本几乎相同，只差{turn}：这里是 {quoted}，那里是 {stands}。", "确认两处说的是不是同一件事，再决定以哪个为准。"),
        "reworded": Reason("加了引号，但原文不是这样写的。", "照抄原文，或去掉引号。"),
        "no-such-words": Reason("工作区里找不到这段话。", "给出出处，或去掉引号。"),
        "missing": Reason("工作区里没有这份笔记{near}。", "改正文件名，或补上缺的笔记。"),
        "out-of-reach": Reason("工作区里没有这个来源，无法核对{near}。", "把来源放进工作区，再核对一次。"),
        "ambiguous": Reason("符合的笔记不止一份{near}。", "写出完整文件名。"),
        "loose": Reason("没有一份笔记符合这个简写{near}。", "写出完整文件名。"),
        "says-nothing-of-it": Reason("引用了这份来源，但这里的数字和编号在其中一个都没有。", "核对是否引错了来源。"),
        "other-source": Reason("这一段的内容不在引用的来源里，而在 {stands}。", "改成真正的来源。"),
        "no-document": Reason("没有这份活文档{near}。", "改正文件名。"),
        "no-section": Reason("这份活文档里没有 §{stands}。", "核对节号。"),
    },
)  # fmt: skip

_EN = AuditWords(
    colon=": ",
    comma=", ",
    semicolon="; ",
    in_brackets=" ({text})",
    title="Audit of {name}",
    verdict_false=Count("{n} statement is false.", "{n} statements are false."),
    verdict_true="Nothing was found to be false.",
    brief="Brief",
    held_against="Held against",
    notes=Count("{n} note", "{n} notes"),
    documents=Count("{n} living document", "{n} living documents"),
    days="{start} to {end}",
    no_model="no model was called",
    sections={"false": "False", "unsupported": "Unsupported", "questionable": "Questionable", "holds": "Holds"},
    kinds={
        "identifier": "identifier", "figure": "figure", "statement": "statement", "quote": "quotation", "source": "source", "count": "count",
        "ratio": "ratio", "coverage": "coverage", "contradiction": "contradiction",
    },
    turns={
        "figure": "a figure", "unit": "a unit", "negation": "a negation", "comparison": "a comparison", "identifier": "an identifier",
        "version": "a version", "name": "a name", "wording": "its wording",
    },
    says="the brief",
    stands="the other side",
    why="why",
    advice="to do",
    holds="{n} hold",
    nothing_holds="Nothing in it could be found in the workspace.",
    more="{n} more are in the JSON.",
    columns=("kind", "false", "unsupported", "questionable", "holds", "all"),
    remarks="Remarks",
    nothing="Nothing in the brief can be held against anything.",
    groups={
        "nowhere": "nothing that was looked at says so",
        "beyond-days": "stands in a note that was not looked at",
        "outside": "the source is not in the workspace, and nothing else in it says so",
        "not-in-source": "does not stand in the source that is cited",
        "no-such-words": "in quotation marks, and these words stand nowhere",
        "out-of-reach": "the source is not in the workspace and cannot be looked up",
        "says-nothing-of-it": "cited, and none of the figures and identifiers beside it stands there",
        "other-source": "what is said beside it stands in another note",
    },
    reasons={
        "form": Reason("{says} cannot be an arXiv identifier.", "Look the right one up at the first source."),
        "month-after-brief": Reason("Its month lies after the brief's date, {date}.", "Check number and title on arXiv."),
        "one-slip": Reason("The workspace does not have {says}; one digit away it has {stands}.", "Check the identifier; it was probably copied wrongly."),
        "beyond-days": Reason("{says} is outside the days that were looked at: it stands in {stands}.", "Audit again with more --days, or cite that note."),
        "nowhere": Reason("Nothing that was looked at says {says} of it.", "Check it at the first source, or name the source."),
        "outside": Reason("The passage's source is not in the workspace, and nothing in it says {says} of this.", "Check it at the first source."),
        "not-in-source": Reason("{says} does not stand in the source that is cited.", "Correct it, or name the right source."),
        "other-unit": Reason("The source gives this number in {stands}, not in {says}.", "Correct the unit."),
        "other-value": Reason("The source says {stands}, not {says}.", "Correct the figure."),
        "swapped": Reason("The source has the two figures the other way round: {says}.", "Put them back by the source."),
        "other-name": Reason("The source has {stands}, not {says}.", "Correct the name or version."),
        "other-agent": Reason("No note of {quoted} has {says}; it stands in one of {stands}.", "Name the right agent."),
        "other-rating": Reason("The note of {quoted} gives {stands} of 5 stars, not {says}.", "Correct the rating."),
        "other-date": Reason("The source has {stands}, not {says}.", "Correct the date."),
        "weekday": Reason("{says} is a {stands}.", "Correct the date or the weekday."),
        "count-of-agents": Reason("It says {says}; there are {stands}.", "Count the inboxes and the notes that are cited, and correct it."),
        "count-of-notes": Reason("It says {says}; there are {stands}.", "Count the inboxes and the notes that are cited, and correct it."),
        "count-of-items": Reason("It says {says}; {stands} are numbered in the text.", "Correct the number, or add what is missing."),
        "other-condition": Reason("The source has {says} for {stands}, not for {quoted}.", "Correct the condition."),
        "against-direction": Reason("It tells of the other direction than its two numbers: {says}.", "Check the numbers, and which way they go."),
        "opposite": Reason("The source says {stands}, the other way round.", "Correct the comparison."),
        "altered": Reason("It differs from the text in {turn}: {quoted} here, {stands} there.", "Correct it by the text."),
        "cut": Reason("It is cut off where that turns its meaning: right beside stands {stands}.", "Put back what was cut off."),
        "near": Reason("It is nearly the same as another text, but for {turn}: {quoted} here, {stands} there.", "Find out whether both are about one thing, and which is right."),
        "reworded": Reason("It stands in quotation marks, and the text has other words.", "Copy the text, or take the marks away."),
        "no-such-words": Reason("These words stand nowhere in the workspace.", "Say where they come from, or take the marks away."),
        "missing": Reason("The workspace has no such note{near}.", "Correct the name, or add the note that is missing."),
        "out-of-reach": Reason("The source is not in the workspace and cannot be looked up{near}.", "Put it there and audit again."),
        "ambiguous": Reason("More than one note fits{near}.", "Write the whole file name."),
        "loose": Reason("No note fits these words{near}.", "Write the whole file name."),
        "says-nothing-of-it": Reason("It is cited here, and none of the figures and identifiers beside it stands in it.", "Check whether the right source is cited."),
        "other-source": Reason("What the passage says does not stand in the source that it cites, but in {stands}.", "Cite that one."),
        "no-document": Reason("There is no such living document{near}.", "Correct the name."),
        "no-section": Reason("The living document has no §{stands}.", "Check the section's number."),
    },
)  # fmt: skip

_REMARKS = tuple(  # of the workspace on a file, in Chinese
    (re.compile(rf"\A{said}"), told)
    for said, told in (
        (r"Its name tells no usable date: it counts for (\S+?), .*", r"文件名里没有可用的日期，按 \1 算。"),
        (r"It was read as ([\w-]+), not as UTF-8\.", r"按 \1 读入，不是 UTF-8。"),
        (r"The file has (\d+) names on this disk \(hard links\)\.", r"这个文件在磁盘上有 \1 个名字（硬链接）。"),
        (r"It holds (\d+) characters that nobody sees \(.*\)\.", r"其中有 \1 个看不见的字符。"),
        (r"Its front matter is read as text: .*", r"文首的元数据不合规范，当作正文读。"),
        (r"Its front matter is odd: .*", r"文首的元数据有异常。"),
        (r"Its front matter claims (.*): shown here, used nowhere\.", r"文首的元数据自称 \1；只在这里列出，没有采用。"),
        (r"It has the same content as (.*)\.", r"内容与 \1 相同。"),
        (
            r"Another file has the same name but for case or Unicode form\.",
            r"另有一个只差大小写或 Unicode 形式的同名文件。",
        ),
        (r"The folder (.*) cannot be listed \(.*\)\.", r"文件夹 \1 无法列出。"),
        (r"(.*) is a link or no regular file: .*", r"\1 是链接或不是普通文件，没有读。"),
        (r"(.*) is no text: .*", r"\1 不是文本，没有读。"),
        (r"(.*) is in no encoding that is understood .*", r"\1 的编码无法识别，没有读。"),
        (r"(.*) has ([\d,]+) (?:bytes|lines), more than .*", r"\1 太大，没有读。"),
        (r"(.*) (?:changed while it was read|is gone): .*", r"\1 在读取时变动或消失，没有读。"),
        (r"(.*) cannot be read \(.*\): .*", r"\1 无法读取。"),
    )
)
_SAID_OF_BRIEF = {
    "zh": {
        "own": "这是我们自己写的预消化简报：它列出的矛盾不算它的错。",
        "day": "文件名里没有日期，简报的日期取自正文：{day}。",
        "left-out": "有 {count} 份更早的笔记没有查看：只看 {room} 个字符的笔记；请用 --days 缩小范围。",
    },
    "en": {
        "own": "This is a digest of ours: the contradictions that it lists are none of its own.",
        "day": "The name has no date, so the brief's date is taken from its text: {day}.",
        "left-out": "{count} older notes were not looked at: {room} characters of notes are; narrow it with --days.",
    },
}


def said_of_brief(what: str, language: Language, **said: object) -> str:
    """Return a remark of ours on a brief, with its gaps filled in."""
    return _SAID_OF_BRIEF[language][what].format_map(said)


def remark(said: str, language: Language) -> str:
    """Return what the workspace says of a file, in the language of the audit; what is not known stays as it is."""
    if language == "zh" and len(said) <= _LONGEST_REMARK:
        for pattern, told in _REMARKS:
            if match := pattern.fullmatch(said):
                return match.expand(told)
    return said


AUDIT_WORDS: dict[Language, AuditWords] = {"zh": _ZH, "en": _EN}


def reason(rule: str, language: Language, **said: str) -> Reason:
    """Return why a rule says that something does not hold, with its gaps filled in, and what to do."""
    found = AUDIT_WORDS[language].reasons[rule]
    return Reason(found.because.format_map(said), found.advice)

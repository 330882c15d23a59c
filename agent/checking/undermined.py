"""A rating whose reason asserts what a caution of the same note, about the same thing, denies.

The reason may undermine the rating itself: five stars for what it calls unverified and without source. Promises: a caution counts only where it names what the finding is about, or stands in the finding; a question whether
something is so denies nothing; one dispute for each finding. Nothing raises; time is linear in the text.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from agent.checking.dispute import Dispute, Hand, Stated
from agent.reading.naming import name_key, named_in
from agent.reading.parts import by_label
from agent.reading.quotations import folded
from agent.reading.ratings import stated_stars
from agent.reading.showing import as_evidence, cut, plain
from agent.texts import Segment, Unit

# What a reason may assert, and what denies it.
_ASSERTED = {
    "independence": (
        r"(?:非|不是|并非)(?:厂商|商业|官方)?(?:软文|宣传|广告|通稿|自测|自报|营销|推广)稿?|(?:非|不是|并非)厂商|(?:无|没有|不含|未受)(?:任何)?(?:厂商|商业)[^。；;，,\n]{0,6}|第三方(?!库|依赖|插件)|独立(?:第三方|测试|评测|测评|复现|实测|验证|来源|团队|机构|基准)|中立|无(?:商业)?利益(?:关系|冲突)|不带货"
        r"|(?<![a-z])(?:independent(?:ly)?|third[- ]party|vendor[- ]neutral|unbiased|impartial|no (?:vendor|commercial|conflict)|not (?:from )?(?:a |the )?(?:vendor|sponsored|marketing)|non-?vendor|disinterested)(?![a-z])"
    ),
    "conditions": (
        r"(?:测试|实验|评测)?(?:条件|配置|环境|参数)(?:均|都|已|完整|全部|齐全|详细|明确|清楚|充分){1,3}(?:披露|给出|公开|写明|说明|列出|交代)?|(?:完整|详细|充分|全部)(?:披露|给出|公开|列出)了?(?:测试|实验)?(?:条件|配置|环境|参数)"
        r"|(?<![a-z])(?:(?:test |all |full )?(?:conditions|configuration|setup|settings) (?:are |is |was |were )?(?:all |fully |clearly |completely )?(?:given|disclosed|stated|described|documented|published)|full (?:conditions|configuration|disclosure|setup))(?![a-z])"
    ),
    "reproducible": (
        r"(?<!不)(?<!否)可(?:以)?复现|已(?:被|经|独立)?(?:成功)?复现|复现(?:成功|通过)|(?<![a-z])(?:(?<!not )(?<!ir)reproducible|(?<!not )(?<!never )(?:was|were|been|independently|successfully) (?:reproduced|replicated))(?![a-z])"
    ),
    "official": r"(?<!非)(?<!未经)(?<!无)(?<!不是)官方(?:博客|发布|文档|公告|数据|来源|渠道|仓库|博文|说明|release|blog|docs)|(?<![a-z])(?<!un)(?<!not )official (?:blog|docs?|documentation|release|source|announcement|post|repository)(?![a-z])",
    "reviewed": r"(?<!未经)(?<!无)(?<!尚未)同行评[审议]|顶会论文|(?:已被?|正式)(?:录用|发表|接收)|(?<![a-z])(?<!not )(?<!non-)(?:peer[- ]reviewed|published at|accepted (?:at|by|to))(?![a-z])",
}  # fmt: skip
_DENIED = {
    "independence": (
        r"(?:项目方|作者|公司|卖方|厂家)自(?:测|报|评|己)|商业(?:动机|公司|利益|目的|推广|背景|关系)|(?<!非)(?<!无)厂商(?:自测|自报|博客|软文|宣传|自己|数据|立场|发布|背景)|(?:是|为|系|属)厂商|软文|利益(?:相关|冲突)|带货|推广性质|赞助|营销|自家(?:产品|博客)|既得利益|出售|卖(?:的|产品|服务)|有(?:明显)?(?:销售|广告)"
        r"|(?<![a-z])(?:commercial (?:interests?|motives?|company|bias|stake|incentive)|(?:is|are|from|by) (?:a |the )?vendors?|vendor(?:'s)? (?:blog|benchmark|claim|numbers?|bias|marketing)|sponsor(?:ed|s|ship)?|paid (?:by|for)|marketing|advert(?:ising|isement|orial)|conflicts? of interest|vested interest|sells|(?:not|hardly) independent)(?![a-z])"
    ),
    "conditions": (
        r"(?:条件|配置|环境|参数|设置|硬件|批大小|batch size)[^。；;，,\n]{0,60}?(?:未|没有?|不)(?:完整|充分|全部|详细|曾|被|予)?(?:披露|公开|说明|给出|写明|交代|列出|明确|详|齐)|(?:未|没有?)(?:完整|充分|详细)?(?:披露|公开|说明|给出|写明|交代|列出)[^。；;，,\n]{0,20}?(?:条件|配置|环境|参数)"
        r"|(?<![a-z])(?:conditions?|configuration|setup|settings|hardware|batch size)[^.;\n]{0,60}?(?:not|never|nowhere) (?:\w{1,10} )?(?:given|disclosed|stated|described|documented|published)|undisclosed (?:conditions|configuration|setup|settings|hardware)|(?:does|do|did)(?: not|n't) (?:give|disclose|state|describe|publish) (?:\w{1,10} ){0,3}(?:conditions|configuration|setup|settings|hardware)"
    ),
    "reproducible": (
        r"(?:未|没有?|尚未|无法|不能|难以|不可|未能)(?:被|能|独立|成功)?复现|复现(?:失败|不了|不出)|无人复现"
        r"|(?<![a-z])(?:(?:not|never|yet to|cannot|could not|couldn't|can't|nobody|no one)(?: \w{1,12}){0,2} (?:reproduced?|replicated?)|(?:irreproducible|not reproducible)|failed to (?:reproduce|replicate)|unreproduced)(?![a-z])"
    ),
    "official": r"非官方|不是官方|并非官方|未经官方(?:确认|证实)|官方(?:未|没有?|尚未)(?:确认|证实|发布|公布)|(?<![a-z])(?:unofficial|not (?:an? |the )?official|not (?:officially )?confirmed by)(?![a-z])",
    "reviewed": r"预印本|未经(?:过)?同行评[审议]|尚未(?:发表|录用|评审)|(?<![a-z])(?:pre-?print|not (?:yet )?(?:been )?peer[- ]reviewed|unreviewed|without peer review)(?![a-z])",
}  # fmt: skip
_ASSERTS = {aspect: re.compile(words, re.IGNORECASE) for aspect, words in _ASSERTED.items()}
_DENIES = {aspect: re.compile(words, re.IGNORECASE) for aspect, words in _DENIED.items()}
_ASKED = re.compile(
    r"是否|能否|会不会|是不是|有没有|[?？]|(?<![a-z])(?:whether|if|is there|are there)(?![a-z])", re.IGNORECASE
)
# What leaves little of a rating: five stars bear one such reason, four bear two.
_WORTHLESS = re.compile(
    r"(?:仅|只)(?:凭|有|是|靠|为)?[^,，。;；、\n]{0,8}(?:自述|宣传|口头|一面之词|截图|转述|说法|幻灯片|帖子|推文|一句话)|(?:评审|评委|测试者?|标注者?|评分员)[^,，。;；、\n]{0,6}(?:员工|自己人|内部人员)|(?:来源|出处)(?:不明|不详|可疑|未知)|(?:无法|不能)(?:查证|核实|验证|复现)"
    r"|(?:未|没有?|尚未)(?:经|被|能)?(?:核实?|查证|验证|复现|公开(?:数据|代码))|真伪(?:未核|不明)|(?:没有?|无)人(?:复核|核实|复现|查证|验证)过?|(?:题目|题库|数据集?|代码|日志|方法|细节|样本|原文|脚本|配置)(?:都|也|均)?(?:不|未|没有?)(?:公开|公布|放出|开源|给出?)|无(?:原始)?(?:数据集?|代码|出处|来源|对照|基线|客户名)|(?:厂商|公司|项目方|卖方)自(?:测|述|报|称)"
    r"|(?<![a-z])(?:only (?:the )?(?:vendor|company|seller|maker|author|founder)s?(?:'s)? (?:own )?(?:word|claim)|(?:vendor|company|seller|maker)s?'s? own (?:test|numbers?|figures?|claims?|word|benchmark)"
    r"|not (?:checked|verified|reproduced|replicated|published|disclosed)|(?:nobody|no one) (?:else )?(?:has )?(?:checked|verified|reproduced|repeated|confirmed)|(?:only|just) (?:a |one |the )?(?:\w{1,12} )?(?:slides?|screenshots?|tweets?|posts?|press release)|(?:judges?|raters?|graders?|testers?) (?:are|were|is|was) (?:\w{1,12} )?(?:staff|employees?)|(?:data|code|prompts?|questions?|logs|tasks) (?:is|are|was|were) (?:not|un)[ -]?(?:public|open|released|published|disclosed)|unverified|unknown (?:source|origin)|no (?:\w{1,12} )?(?:code|data|dataset|baseline|source|customers?|logs|details)(?: named| given| published)?"
    r"|neither [^,;.\n]{1,40} (?:published|given|disclosed)|hearsay|rumou?r|cannot be (?:checked|verified))(?![a-z])",
    re.IGNORECASE,
)
_CAPITALISED = re.compile(r"\b[A-Z][A-Za-z0-9-]{1,40}")
_BORNE = {5: 1, 4: 2}
_NOT_SO = re.compile(
    r"(?:非|无|不是|并非|没有|不存在|(?<![a-z])(?:no|not|without|never)(?: an?| any| the)?) ?\Z", re.IGNORECASE
)
_LACKED = re.compile(
    r"(?:未见|未经|未|没有|缺[少乏]?|尚无|无|待|需要?|有待|建议|等|(?<![a-z])(?:no|not|without|lacks?|needs?|awaiting|pending|never)(?: an?| any| the)?) ?\Z",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,，。；;！!\n]|\. (?=\S)")
_ALARM = re.compile(r"[\s\-*+•>|]{0,12}(?:⚠|❗|🚩)")
_CAUTIONS = frozenset({"caution", "question", "to_verify", "claim"})
_TELLING = 2  # a name that more findings share tells none of them apart
_SAYS = 80
_REACH = 200


@dataclass(frozen=True, slots=True)
class _Caution:
    """A unit that denies something, the words that do, and the things it is about."""

    unit: Unit
    denied: dict[str, str]
    names: frozenset[str]


def disputes(hand: Hand) -> Iterator[Dispute]:
    """Yield for each finding whose rating is undermined one dispute: the rating's unit, and the units that deny its reason."""
    if hand.is_document:
        return
    cautions = list(_cautions(hand))
    findings = hand.findings or tuple(segment for segment in hand.segments if segment.role == "increment")
    named = [_names(finding) for finding in findings]
    often = Counter(name for names in named for name in names)
    for finding, names in zip(findings, named, strict=True):
        rated = next(((unit, stars) for unit in finding.units if (stars := stated_stars(unit.text))), None)
        if rated is None or not rated[1].basis:
            continue
        unit, basis = rated[0], rated[1].basis
        worthless = {found.group().lower() for found in _WORTHLESS.finditer(folded(basis))}
        if len(worthless) > _BORNE.get(rated[1].stars, len(worthless)):
            about = _about(finding)
            side = Stated(cut(plain(unit.text[rated[1].start : rated[1].end]), _SAYS), as_evidence(hand.note, unit))
            yield Dispute(
                rule="rating-undermined",
                kind="rating",
                about=about,
                key=(name_key(about) or about, "basis"),
                sides=(side,),
            )
            continue
        asserted = {aspect: words for aspect in _ASSERTS if (words := _asserted(basis, aspect))}
        inside = {one.number for one in finding.units}
        telling = {name for name in names if often[name] <= _TELLING}
        against = [
            caution
            for caution in cautions
            if (caution.unit.number in inside or caution.names & telling) and caution.unit is not unit
        ]
        denying = [(caution, aspect) for caution in against for aspect in asserted if aspect in caution.denied]
        if denying:
            yield _dispute(hand, finding, (unit, asserted), denying)


def _dispute(
    hand: Hand, finding: Segment, rated: tuple[Unit, dict[str, str]], denying: list[tuple[_Caution, str]]
) -> Dispute:
    unit, asserted = rated
    aspects = sorted({aspect for _, aspect in denying})
    about = _about(finding)
    sides = [Stated(cut(", ".join(asserted[aspect] for aspect in aspects), _SAYS), as_evidence(hand.note, unit))]
    sides += [
        Stated(cut(caution.denied[aspect], _SAYS), as_evidence(hand.note, caution.unit)) for caution, aspect in denying
    ]
    return Dispute(
        rule="rating-undermined",
        kind="rating",
        about=about,
        key=(name_key(about) or about, *aspects),
        sides=tuple(sides),
    )


def _cautions(hand: Hand) -> Iterator[_Caution]:
    for segment in hand.segments:
        is_caution = segment.role == "to_verify"
        for label, units in by_label(segment.units).items():
            above = frozenset([name_key(_about(segment))]) if is_caution else frozenset[str]()
            is_labelled = label in _CAUTIONS or (is_caution and label in ("", "points", "after"))
            for unit in units:
                if not is_labelled and not _ALARM.match(unit.text):
                    continue
                if denied := {aspect: words for aspect in _DENIES if (words := _denied(unit.text, aspect))}:
                    yield _Caution(unit, denied, _keys(unit.text) or above)


def _names(finding: Segment) -> frozenset[str]:
    """What a finding's heading, source and rating name."""
    parts = by_label(finding.units)
    return _keys(finding.title).union(
        *(_keys(unit.text) for label in ("source", "credibility") for unit in parts[label])
    )


def _asserted(basis: str, aspect: str) -> str:
    """The clause of a rating's reason that asserts something; nothing where the reason itself denies it."""
    plainly = folded(basis)
    for found in () if _denied(basis, aspect) else _ASSERTS[aspect].finditer(plainly):
        if not _LACKED.search(plainly[max(0, found.start() - 12) : found.start()]):
            return _clause(basis, found)
    return ""


def _denied(text: str, aspect: str) -> str:
    plainly = _ASSERTS[aspect].sub(lambda asserted: " " * len(asserted.group()), folded(text))
    for found in _DENIES[aspect].finditer(plainly):
        if not _NOT_SO.search(plainly[max(0, found.start() - 12) : found.start()]):
            clause = _clause(text, found)
            if not _ASKED.search(clause):
                return clause
    return ""


def _clause(text: str, found: "re.Match[str]") -> str:
    plainly, low, high = folded(text), max(0, found.start() - _REACH), min(len(text), found.end() + _REACH)
    low = max((end.end() for end in _CLAUSE_END.finditer(plainly, low, found.start())), default=low)
    after = _CLAUSE_END.search(plainly, found.end(), high)
    return plain(text[low : after.start() if after else high])


def _keys(text: str) -> frozenset[str]:
    return frozenset(key for word in named_in(folded(text)) if len(key := name_key(word.group())) > 1)


def _about(finding: Segment) -> str:
    named = named_in(finding.title) or list(_CAPITALISED.finditer(finding.title))
    return named[0].group() if named else cut(finding.title, 40) or "?"

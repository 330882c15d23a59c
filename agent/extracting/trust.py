"""The checkable parts of a finding's source: by code alone, and code's veto over what a model says of them."""

import re

from agent.extracting.observe import Observed
from agent.extracting.rate import KIND_WEIGHTS, RatingParts
from agent.reading.measures import find_measures
from agent.replies import Degree, ExtractReply, Measurer, SourceKind

_OFFICIAL = (
    r"官方(?:文档|博客|公告|(?:代码)?仓库|技术报告)|模型卡|\bmodel cards?\b"
    r"|\bofficial (?:docs|documentation|blog|announcement|repo(?:sitory)?|(?:technical )?report)\b"
)
_RELEASE = r"\brelease notes?\b|\bchangelog\b|\bgithub releases?\b|\breleases? page\b|发布说明|版本说明|更新日志|发布页"
# What the makers say of their own product is the first source of it; who tells of such a page is not.
_PRIMARY = re.compile(
    rf"{_OFFICIAL}|{_RELEASE}|(?:项目|作者|自家|自己的) ?(?:的 ?)?(?:(?:代码|GitHub) ?)?(?:仓库|主页)"
    r"|\b(?:project|authors?|makers?|its own)(?:['\u2019]s?)? (?:own )?(?:(?:github|code) )?(?:repo(?:sitory)?|page)\b",
    re.IGNORECASE,
)
_SECONDARY = re.compile(
    r"csdn|medium|知乎|zhihu|reddit|论坛|\bforums?\b|转[载述引自]|解读|翻译|搬运|二手|媒体|新闻|通稿|周报|日报|摘要自"
    r"|\brss\b|\bfeeds?\b|newsletter|round-?up|\bnews\b|\bpress\b|second[- ]hand|third[- ]party|第三方"
    r"|\b(?:summar|translat|quot|repost|retold|coverage|commentary|review of|according to)|据(?!.{0,4}实测)|(?:听|有人)说",
    re.IGNORECASE,
)
# In this order: the first that occurs in sources, rating and title decides, else the first that occurs in the points.
_KINDS: tuple[tuple[SourceKind, re.Pattern[str]], ...] = (
    ("official", re.compile(rf"{_OFFICIAL}|\bdocs\b", re.IGNORECASE)),
    ("release", re.compile(_RELEASE, re.IGNORECASE)),
    (
        "blog",
        re.compile(
            r"csdn|medium\.com|\bmedium (?:blog|post|article)|博客|知乎|zhihu|reddit|\bblogs?\b|\bforums?\b|论坛|substack",
            re.IGNORECASE,
        ),
    ),
    ("news", re.compile(r"\brss\b|通稿|新闻|newsletter|\bnews\b|\bpress\b", re.IGNORECASE)),
    ("benchmark", re.compile(r"benchmark|基准|实测|评测|横评", re.IGNORECASE)),
)
_CHECKED_ZH = r"(?:复现|复测|测试|测量|评测|验证|实测|基准)"
_CHECKED = r"(?:measur|reproduc|replicat|verif|validat|test|benchmark|evaluat|confirm)"
_INDEPENDENT = re.compile(
    rf"(?:独立|第三方)(?:第三方|独立)?的?(?:{_CHECKED_ZH}|机构|团队|实验室)"
    rf"|\b(?:independent(?:ly)?|third[- ]part(?:y|ies))[- ](?:\w{{1,20}} ){{0,2}}(?:{_CHECKED}|labs?\b)"
    rf"|\b{_CHECKED}\w{{1,6}} (?:independently\b|by (?:a |an )?(?:third|independent)\b)",
    re.IGNORECASE,
)
_VENDOR = re.compile(
    r"厂商(?:自测|自报|数据)|vendor[- ](?:reported|measured|supplied)|self[- ]reported|官方数据", re.IGNORECASE
)
_COMMERCIAL = re.compile(r"商业(?:动机|利益|公司)|软文|sponsored|commercial(?:ly)? (?:interest|motivat)", re.IGNORECASE)
_UNDISCLOSED = re.compile(
    r"(?:未|没有|无)(?:完整|明确|具体)?(?:披露|公开|写明|说明|给出|交代)|not (?:fully )?(?:disclosed|stated|given|specified)"
    r"|undisclosed",
    re.IGNORECASE,
)
_CONDITIONS = re.compile(r"条件|配置|batch|并发|序列长度|conditions?\b|setup|settings", re.IGNORECASE)
_REPRODUCIBLE = re.compile(r"github\.com|开源|可(?:以)?复现|复现命令|open[- ]sourced?|\breproducib", re.IGNORECASE)
# What takes such a claim back or only asks for it, before or behind it in its clause.
_DENIED = re.compile(
    r"(?:未|没|无(?![损论缝])|不(?![仅但只过断])|非(?!常)|缺|待|需|应(?!用)|若|是否)[^\n,，。.;；:：、已但]{0,8}\Z"
    r"|(?:\b(?:no|not(?! only)|never|without|lack(?:s|ing)?|await(?:s|ing)?|needs?|pending|until|if|nor|non)\b|n't\b)"
    r"[^\n,，。.;；:：]{0,24}\Z",
    re.IGNORECASE,
)
_DENIED_BEHIND = re.compile(
    r"(?:性|数据|结果)?(?:仍|还|尚|都|均|也)?(?:缺|未|不|没|存疑|待)"
    r"|(?: \w{1,20}){0,2} (?:is |are )?(?:missing|lacking|pending|unknown|needed|not\b)",
    re.IGNORECASE,
)
_DENIAL_REACH = 32


def parts_by_code(observed: Observed) -> RatingParts:
    """Say what plain code can say about a finding's source; what it cannot see is taken as absent."""
    text = _text(observed)
    has_figures = any(find_measures(unit.text) for unit in observed.points if unit.kind != "code")
    kind = _kind(observed)
    return RatingParts(
        source_kind=kind,
        measured_by=_measurer(text, kind, has_figures=has_figures),
        conditions_given="no" if _says_undisclosed(observed) else "partly",
        primary_source=_has_primary(observed),
        commercial_interest=_says(_COMMERCIAL, text),
        reproducible=_is_reproducible(observed, text),
    )


def parts_held(reply: ExtractReply, observed: Observed) -> RatingParts:
    """Take a model's answers where the note bears them out, and code's where it does not."""
    text = _text(observed)
    by_code = parts_by_code(observed)
    is_measured = by_code.measured_by != "nobody"
    measurer = reply.measured_by if is_measured else "nobody"
    if measurer == "independent" and not _says(_INDEPENDENT, text):
        measurer = by_code.measured_by  # the best grade needs the note's own word for it
    kind = reply.source_kind
    if KIND_WEIGHTS[kind] > KIND_WEIGHTS[by_code.source_kind]:
        kind = by_code.source_kind  # a better kind than code sees needs the note's own word for it
    if KIND_WEIGHTS[kind] == KIND_WEIGHTS[by_code.source_kind] and by_code.source_kind != "other":
        kind = by_code.source_kind  # of equals the one that the note names
    if kind == "paper" and measurer == "vendor":
        measurer = by_code.measured_by  # a paper's figures are its authors', unless the note says otherwise
    return RatingParts(
        source_kind=kind,
        measured_by=measurer if measurer != "nobody" or not is_measured else by_code.measured_by,
        conditions_given=_conditions_held(reply.conditions_given, by_code, text),
        primary_source=by_code.primary_source and reply.primary_source,
        commercial_interest=by_code.commercial_interest
        or (reply.commercial_interest and kind not in {"paper", "news"}),
        reproducible=by_code.reproducible and reply.reproducible,
    )


def _conditions_held(said: Degree, by_code: RatingParts, text: str) -> Degree:
    if by_code.conditions_given == "no":
        return "no"
    names_some = bool(_CONDITIONS.search(text)) or any(found.conditions for found in find_measures(text))
    return "partly" if said == "yes" and not names_some else said


def _text(observed: Observed) -> str:
    return "\n".join(unit.text for unit in observed.segment.units)


def _says(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a text claims something somewhere: a claim that it denies or only asks for is none."""
    return any(
        not _DENIED.search(text, max(0, found.start() - _DENIAL_REACH), found.start())
        and not _DENIED_BEHIND.match(text, found.end())
        for found in pattern.finditer(text)
    )


def _kind(observed: Observed) -> SourceKind:
    if observed.arxiv_ids:
        return "paper"
    said = "\n".join((observed.segment.title, *(unit.text for unit in observed.rested)))
    points = "\n".join(unit.text for unit in observed.points)
    return next((kind for text in (said, points) for kind, pattern in _KINDS if pattern.search(text)), "other")


def _measurer(text: str, kind: SourceKind, *, has_figures: bool) -> Measurer:
    if not has_figures:
        return "nobody"
    if _says(_INDEPENDENT, text):
        return "independent"
    return "vendor" if kind in {"official", "release"} or _says(_VENDOR, text) else "author"


def _says_undisclosed(observed: Observed) -> bool:
    """A sentence that says both "conditions" and "not disclosed"."""
    return any(_UNDISCLOSED.search(u.text) and _CONDITIONS.search(u.text) for u in observed.segment.units)


def _has_primary(observed: Observed) -> bool:
    """Whether a paper, an address, or what the makers of the thing say themselves is named."""
    if observed.arxiv_ids or observed.urls:
        return True
    named = observed.named or () if observed.cited else observed.named or tuple(unit.text for unit in observed.rested)
    return any(_says(_PRIMARY, one) and not _SECONDARY.search(one) for one in named)


def _is_reproducible(observed: Observed, text: str) -> bool:
    has_commands = any(unit.kind == "code" and "--" in unit.text for unit in observed.segment.units)
    return has_commands or _says(_REPRODUCIBLE, text)

"""The checkable parts of a finding's source: by code alone, and code's veto over what a model says of them."""

import re

from agent.extracting.observe import Observed
from agent.extracting.rate import RatingParts
from agent.reading.measures import find_measures
from agent.replies import ExtractReply, Measurer, SourceKind

# in this order: the first that occurs in sources, title or rating decides
_KINDS: tuple[tuple[SourceKind, re.Pattern[str]], ...] = (
    ("official", re.compile(r"官方文档|官方博客|official (?:docs|documentation|blog)|\bdocs\b", re.IGNORECASE)),
    ("release", re.compile(r"release notes?|changelog|发布说明|版本说明|更新日志", re.IGNORECASE)),
    ("blog", re.compile(r"csdn|medium|博客|知乎|zhihu|reddit|\bblog\b|forum|论坛|substack", re.IGNORECASE)),
    ("news", re.compile(r"\brss\b|通稿|新闻|newsletter|\bnews\b|press", re.IGNORECASE)),
    ("benchmark", re.compile(r"benchmark|基准|实测|评测|横评", re.IGNORECASE)),
)
_INDEPENDENT = re.compile(r"独立(?:复现|测试|测量|评测|验证)|第三方|independent(?:ly)?\b|third[- ]party", re.IGNORECASE)
_VENDOR = re.compile(
    r"厂商(?:自测|自报|数据)|vendor[- ](?:reported|measured|supplied)|self[- ]reported|官方数据", re.IGNORECASE
)
_COMMERCIAL = re.compile(r"商业(?:动机|利益|公司)|软文|sponsored|commercial(?:ly)? (?:interest|motivat)", re.IGNORECASE)
_CLEARED = re.compile(r"(?:非|不是|并非)(?:厂商)?软文|not sponsored", re.IGNORECASE)
_UNDISCLOSED = re.compile(
    r"(?:未|没有|无)(?:完整|明确|具体)?(?:披露|公开|写明|说明|给出|交代)|not (?:fully )?(?:disclosed|stated|given|specified)"
    r"|undisclosed",
    re.IGNORECASE,
)
_CONDITIONS = re.compile(r"条件|配置|batch|并发|序列长度|conditions?\b|setup|settings", re.IGNORECASE)
_REPRODUCIBLE = re.compile(r"github\.com|开源|可复现|复现命令|open[- ]source|reproducib", re.IGNORECASE)


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
        commercial_interest=_is_commercial(text),
        reproducible=_is_reproducible(observed, text),
    )


def parts_held(reply: ExtractReply, observed: Observed) -> RatingParts:
    """Take a model's answers where the note bears them out, and code's where it does not."""
    text = _text(observed)
    by_code = parts_by_code(observed)
    is_measured = by_code.measured_by != "nobody"
    measurer = reply.measured_by if is_measured else "nobody"
    if measurer == "independent" and not _INDEPENDENT.search(text):
        measurer = by_code.measured_by  # the best grade needs the note's own word for it
    kind = reply.source_kind
    if kind == "paper" and by_code.source_kind != "paper":
        kind = by_code.source_kind  # no paper without an identifier
    return RatingParts(
        source_kind=kind,
        measured_by=measurer if measurer != "nobody" or not is_measured else by_code.measured_by,
        conditions_given="no" if by_code.conditions_given == "no" else reply.conditions_given,
        primary_source=by_code.primary_source and reply.primary_source,
        commercial_interest=by_code.commercial_interest
        or (reply.commercial_interest and kind not in {"paper", "news"}),
        reproducible=by_code.reproducible and reply.reproducible,
    )


def _text(observed: Observed) -> str:
    return "\n".join(unit.text for unit in observed.segment.units)


def _kind(observed: Observed) -> SourceKind:
    if observed.arxiv_ids:
        return "paper"
    basis = observed.stars.basis if observed.stars else ""
    head = "\n".join((observed.segment.title, basis, *(unit.text for unit in observed.asked)))
    return next((kind for kind, pattern in _KINDS if pattern.search(head)), "other")


def _measurer(text: str, kind: SourceKind, *, has_figures: bool) -> Measurer:
    if not has_figures:
        return "nobody"
    if _INDEPENDENT.search(text):
        return "independent"
    return "vendor" if kind in {"official", "release"} or _VENDOR.search(text) else "author"


def _says_undisclosed(observed: Observed) -> bool:
    """A sentence that says both "conditions" and "not disclosed"."""
    return any(_UNDISCLOSED.search(u.text) and _CONDITIONS.search(u.text) for u in observed.segment.units)


def _has_primary(observed: Observed) -> bool:
    return bool(observed.arxiv_ids or observed.urls)


def _is_commercial(text: str) -> bool:
    return bool(_COMMERCIAL.search(_CLEARED.sub("", text)))


def _is_reproducible(observed: Observed, text: str) -> bool:
    has_commands = any(unit.kind == "code" and "--" in unit.text for unit in observed.segment.units)
    return has_commands or bool(_REPRODUCIBLE.search(text))

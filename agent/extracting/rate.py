"""The rubric: checkable parts in, stars out.

A model that is asked for stars answers with the middle; so it only says what can be checked, and this file turns that into
stars. The same parts always give the same stars. The sum starts with the kind of source and is rounded half up to 1–5:

=====================  ==========================================================================
part                   adds
=====================  ==========================================================================
source_kind            paper, official, release 3.0 · benchmark 2.5 · blog, news, other 2.0
measured_by            independent +1.0 · vendor −0.5 · author, nobody 0
conditions_given       yes +0.5 · partly 0 · no −0.5 (0 where nothing was measured)
primary_source         yes +0.5 · no −0.5
commercial_interest    yes −0.5
reproducible           yes +0.5
=====================  ==========================================================================

The result never lies more than one star above what the note itself states.
"""

import math
from dataclasses import dataclass

from agent.records import Credibility, Language
from agent.replies import Degree, Measurer, SourceKind

KIND_WEIGHTS = {"paper": 3.0, "official": 3.0, "release": 3.0, "benchmark": 2.5, "blog": 2.0, "news": 2.0, "other": 2.0}
_MEASURER = {"independent": 1.0, "vendor": -0.5, "author": 0.0, "nobody": 0.0}
_CONDITIONS = {"yes": 0.5, "partly": 0.0, "no": -0.5}

_WORDS: dict[Language, dict[str, str]] = {
    "zh": {
        "paper": "论文", "official": "官方文档", "release": "发布说明", "benchmark": "基准报告", "blog": "博客或论坛",
        "news": "新闻", "other": "其他来源",
        "independent": "独立测量", "vendor": "厂商自测", "author": "作者自测", "nobody": "无实测数字",
        "yes": "条件齐全", "partly": "条件部分给出", "no": "条件未给出",
        "primary": "有一手来源", "secondary": "无一手来源", "commercial": "有商业利益", "reproducible": "可复现",
        "caution:vendor": "数字来自厂商自己。",
        "caution:conditions": "测试条件没有写明。",
        "caution:secondary": "没有指向一手来源。",
        "caution:commercial": "来源有商业利益。",
        "caution:ceiling": "评级以笔记自己的评级加一星为限。",
        "caution:note": "笔记自己提醒：",
    },
    "en": {
        "paper": "paper", "official": "official documentation", "release": "release notes", "benchmark": "benchmark report",
        "blog": "blog or forum", "news": "news", "other": "other source",
        "independent": "measured independently", "vendor": "measured by the vendor", "author": "measured by its authors",
        "nobody": "no figures of its own",
        "yes": "conditions given", "partly": "conditions partly given", "no": "conditions not given",
        "primary": "primary source named", "secondary": "no primary source", "commercial": "commercial interest",
        "reproducible": "reproducible",
        "caution:vendor": "The figures are the vendor's own.",
        "caution:conditions": "The conditions of the measurement are not given.",
        "caution:secondary": "No primary source is named.",
        "caution:commercial": "The source has a commercial interest.",
        "caution:ceiling": "Held to one star above the note's own rating.",
        "caution:note": "The note itself warns: ",
    },
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RatingParts:
    """What can be checked about a finding's source."""

    source_kind: SourceKind
    measured_by: Measurer
    conditions_given: Degree
    primary_source: bool
    commercial_interest: bool
    reproducible: bool


def rate(
    parts: RatingParts, *, stated: int | None, reason: str, warnings: tuple[str, ...] = (), language: Language
) -> Credibility:
    """Turn parts into a credibility.

    Args:
        parts: what is known about the source.
        stated: the note's own rating, 1 to 5, or None.
        reason: why it can or cannot be trusted, one sentence.
        warnings: the note's own warnings about the finding, in its words.
        language: of basis and cautions.
    """
    measured = parts.measured_by != "nobody"
    total = (
        KIND_WEIGHTS[parts.source_kind]
        + _MEASURER[parts.measured_by]
        + (_CONDITIONS[parts.conditions_given] if measured else 0.0)
        + (0.5 if parts.primary_source else -0.5)
        - (0.5 if parts.commercial_interest else 0.0)
        + (0.5 if parts.reproducible else 0.0)
    )
    stars = min(5, max(1, math.floor(total + 0.5)))
    is_held = stated is not None and stars > stated + 1
    if stated is not None:
        stars = min(stars, stated + 1)
    words = _WORDS[language]
    cautions = [words[f"caution:{name}"] for name in _cautions(parts, measured=measured)]
    cautions += [words["caution:note"] + warning for warning in warnings]
    if is_held:
        cautions.append(words["caution:ceiling"])
    return Credibility(
        stars=stars,
        stated=stated,
        basis=_basis(parts, words, measured=measured),
        reason=reason,
        cautions=tuple(cautions),
    )


def _cautions(parts: RatingParts, *, measured: bool) -> list[str]:
    found = {
        "vendor": parts.measured_by == "vendor",
        "conditions": measured and parts.conditions_given == "no",
        "secondary": not parts.primary_source,
        "commercial": parts.commercial_interest and parts.measured_by != "vendor",
    }
    return [name for name, holds in found.items() if holds]


def _basis(parts: RatingParts, words: dict[str, str], *, measured: bool) -> str:
    said = [words[parts.source_kind], words[parts.measured_by]]
    if measured:
        said.append(words[parts.conditions_given])
    said.append(words["primary" if parts.primary_source else "secondary"])
    if parts.commercial_interest:
        said.append(words["commercial"])
    if parts.reproducible:
        said.append(words["reproducible"])
    return " · ".join(said)

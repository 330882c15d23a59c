"""The passages of a text without structure that could hold a finding at all.

A passage is a paragraph, a list item or the rows of one table. It can hold a finding when it reports something: a figure
with a unit, a paper, a version, or a word of announcing beside a name. The rest is not shown to a model, which would make
findings of greetings.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from agent.reading.identifiers import find_arxiv, find_dois
from agent.reading.measures import find_measures
from agent.reading.statements import is_nothing_new
from agent.records import Unit

_VERSION = re.compile(r"\bv\d{1,3}\.\d{1,3}|\b[A-Z][A-Za-z]{1,30}[- ]\d{1,3}(?:\.\d{1,3}){0,3}\b")
_NAME = re.compile(r"\b[A-Z][a-z]{0,20}[A-Z0-9][A-Za-z0-9]{0,20}\b")
_ANNOUNCED = re.compile(
    r"发布|开源|上线|推出|支持|新增|提出|修复|合并|弃用|收购|宣布|发现"
    r"|\b(?:releas|launch|introduc|announc|open-sourc|propos|support|deprecat|acquir|merg|ship)(?:e|es|ed|s|ing)?\b",
    re.IGNORECASE,
)
_COUNTERS = frozenset("个条篇件次款项家人种位")  # how many of something the note counts, itself included
_LEFT_OUT = frozenset({"rule", "comment", "front_matter", "heading"})


def passages(units: Sequence[Unit]) -> tuple[tuple[Unit, ...], ...]:
    """Group units into passages, in order; a text of one paragraph is taken apart into its sentences."""
    found: list[list[Unit]] = []
    kept = [unit for unit in units if unit.kind not in _LEFT_OUT]
    for before, unit in pairwise([None, *kept]):
        if unit is not None and before is not None and _belong_together(before, unit):
            found[-1].append(unit)
        elif unit is not None:
            found.append([unit])
    if len(found) == 1:
        found = [[unit] for unit in found[0]]
    return tuple(tuple(passage) for passage in found)


def reports_something(passage: Sequence[Unit]) -> bool:
    """Return whether a passage could hold a finding."""
    text = "\n".join(unit.text for unit in passage)
    if is_nothing_new(text):
        return False
    if find_arxiv(text) or find_dois(text) or _VERSION.search(text):
        return True
    if _ANNOUNCED.search(text) and _NAME.search(text):
        return True
    measured = (found.unit for unit in passage if unit.kind != "code" for found in find_measures(unit.text))
    return any(unit and unit not in _COUNTERS for unit in measured)


def _belong_together(before: Unit, unit: Unit) -> bool:
    if before.kind != unit.kind or unit.kind not in {"sentence", "row"}:
        return False
    return unit.line <= before.line + before.text.count("\n") + 1

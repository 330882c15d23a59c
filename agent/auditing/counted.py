"""Counts that a brief gives of its own ground: agents that reported, notes that came in, items that it tells.

Promises: a count holds where any reading of it does: the brief's day or some days up to it, with or without the brief itself,
the notes that it cites, or those that say the same. Rounded counts, parts of a count and counts of other things are left alone.
"""

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agent.auditing.brief import Brief, Passage
from agent.auditing.contrary import speaking
from agent.auditing.findings import Finding
from agent.auditing.matter import keys_of
from agent.auditing.words import reason
from agent.checking.stance import stance_of
from agent.reading.identifiers import find_arxiv
from agent.reading.names import parse_note_name
from agent.reading.quantities import fold
from agent.reading.sections import numeral
from agent.reading.showing import as_evidence
from agent.reading.statements import NUMBER_WORDS
from agent.records import Evidence, Language
from agent.texts import Segment, Unit

_NUMBER = rf"(?P<number>\d{{1,4}}|[一二两三四五六七八九十]{{1,3}}|(?<![A-Za-z])(?:{'|'.join(NUMBER_WORDS)}))"
_NOT_BEFORE = r"(?<![\d.,/:~–—§#第约近超逾余的其另中多-])"
_AGENTS = re.compile(
    rf"{_NOT_BEFORE}{_NUMBER}\s?(?:[个位名]\s?)?(?:relay |research |different )?(?:agents?(?![A-Za-z-])|智能体|接力棒手)",
    re.IGNORECASE,
)
_NOTES = re.compile(
    rf"{_NOT_BEFORE}{_NUMBER}\s?(?:[份篇个条件]\s?)?(?:new |fresh )?(?:notes?(?![A-Za-z-])|笔记)", re.IGNORECASE
)
_ROUNDED = re.compile(
    r"(?:约|大约|近|至少|至多|超过|不到|其中|另有?|还有|(?<![A-Za-z])(?:about|some|around|nearly|over|under|at least|at most|more than|fewer than|another|other|of which|of them|only))\s{0,2}\Z",
    re.IGNORECASE,
)
_IN_ALL = re.compile(
    r"今[天日]|昨[天日]|本[日轮期棒]|当[天日]|[两三四五\d]\s?天|近[两三\d]|过去|一?共|合计|总共|20\d\d-\d\d-\d\d|\d月\d{1,2}[日号]"
    r"|(?<![A-Za-z])(?:today|yesterday|in all|in total|altogether|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|this (?:evening|round|day)|the last \w+ days)",
    re.IGNORECASE,
)
_CAME = re.compile(
    r"[交收报产来读看写查发汇]|(?<![A-Za-z])(?:report|deliver|came|come|read|receiv|check|look|wrote|written|fil|hand|submit|brought|held)",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\s{0,2}(?:about|on|that|with|which|who|say|agree|from (?!\w+ agents)|关于|涉及|提到|都|均|一致|认为|里[有的]|中[有的])",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\s{0,2}(?:(?:independently|all|both|each|都|均|各自|分别|独立)\s?){0,2}(?:report|cover|tell|told|found|wrote|have it|had it|报|写|记|收|提到|讲)",
    re.IGNORECASE,
)
_ITEMS = re.compile(
    rf"(?:(?:以下|下面|下列|本[期轮文]|挑|选|共|收)[^，。,.\d]{{0,6}}?{_NOT_BEFORE}{_NUMBER.replace('number', 'a')}\s?(?:件事|[条件点项](?![\u4e00-\u9fff])|个(?:主题|话题|发现|故事))"
    rf"|(?:here are|below are|following|there are|picks?|selected)\s(?:the\s)?{_NUMBER.replace('number', 'b')}\s(?:items|things|stories|findings|points|topics)(?![a-z])"
    rf"|{_NUMBER.replace('number', 'c')}\s(?:items|things|stories|findings|points|topics)\s(?:below|follow|in all))",
    re.IGNORECASE,
)
_HEADED = re.compile(
    r"(?P<level>#{1,6})\s{1,4}(?:第\s?)?(?P<number>\d{1,2}|[一二三四五六七八九十]{1,3})\s?(?:[.、)）:：]|[条项](?![\u4e00-\u9fff]))(?!\d)"
)
_MOST_DAYS = 31
_SAME, _TELLING = 3.5, 3
_SHOWN = 6


class _Truth(NamedTuple):
    """What there is: of what, how many, and where that shows."""

    what: str
    number: int
    found: Sequence[Evidence]


def counts(brief: Brief, *, language: Language) -> Iterator[Finding]:
    """Yield each count of agents, notes or items that no reading of it bears out."""
    yield from _items(brief, language)
    for passage in brief.passages:
        if passage.segment.role in {"checked", "arxiv_list", "to_verify"} or passage.is_of_disputes:
            continue
        for unit in passage.told:
            folded = fold(unit.text)
            for what, pattern in (("agents", _AGENTS), ("notes", _NOTES)):
                match = pattern.search(folded)
                if match is None or _ROUNDED.search(folded[max(0, match.start() - 16) : match.start()]):
                    continue
                number = _value(match["number"])
                if number is None or stance_of(unit.text) in {"rejected", "asked"}:
                    continue
                yield from _judged(brief, passage, unit, (what, number, match), language)


def _judged(
    brief: Brief, passage: Passage, unit: Unit, told: tuple[str, int, re.Match[str]], language: Language
) -> Iterator[Finding]:
    what, number, match = told
    folded = match.string
    if passage.may_be_false and _REPORTED.match(folded, match.end()):
        cited = _cited(passage, what)
        same = _saying_same(brief, passage, what) | cited
        if not len(cited) <= number <= len(same):
            yield _finding(
                brief,
                unit,
                match,
                _Truth(what, len(cited), [text.evidence_at(0) for text in passage.notes if text.units]),
                language,
            )
        return
    is_whole = (
        not passage.cited and _IN_ALL.search(folded) and _CAME.search(folded) and not _PART.match(folded, match.end())
    )
    if is_whole and brief.paths and not brief.named_agents(folded):
        plausible = _plausible(brief, what)
        if number not in plausible:
            day = brief.note.date
            there = [path for path in brief.paths if parse_note_name(path).date == day]
            right = len({path.split("/")[1] for path in there} if what == "agents" else there)
            shown = [text.evidence_at(0) for path in there if (text := brief.shelf.at(path)) and text.units]
            yield _finding(brief, unit, match, _Truth(what, right, shown), language)


def _cited(passage: Passage, what: str) -> set[str]:
    return {text.note.agent if what == "agents" else text.path for text in passage.notes}


def _saying_same(brief: Brief, passage: Passage, what: str) -> set[str]:
    """Agents or notes that speak of what a passage does."""
    papers = {span.identifier for unit in passage.told for span in find_arxiv(unit.text)}
    keys = [keys_of(unit.text) for unit in passage.told]
    found = set()
    for text in brief.shelf.texts:
        if text.document is not None:
            continue
        is_same = bool(papers & set(text.identifiers)) or any(
            near.score >= _SAME and near.telling >= _TELLING for each in keys for _, near in speaking([text], each)
        )
        if is_same:
            found.add(text.note.agent if what == "agents" else text.path)
    return found


def _plausible(brief: Brief, what: str) -> set[int]:
    """Every number of agents or notes that some reading gives: of days up to the brief's, with and without it."""
    dated = [(parse_note_name(path).date, path) for path in brief.paths]
    windows: list[list[str]] = [[path for _, path in dated]]
    for last in (brief.note.date, brief.note.date - dt.timedelta(days=1)):
        for days in range(_MOST_DAYS):
            first = last - dt.timedelta(days=days)
            windows.append([path for day, path in dated if day is not None and first <= day <= last])
    windows.append(sorted({one.resolution.path for one in brief.citations if one.resolution.path}))
    windows.append(sorted({one.resolution.path or one.cited.name for one in brief.citations}))
    windows.append([text.path for text in brief.shelf.texts if text.document is None])
    found: set[int] = {len(brief.agents)} if what == "agents" else set()
    for paths in windows:
        for kept in (paths, [path for path in paths if path != brief.note.path]):
            if what == "notes":
                found |= {len(kept), len(kept) + 1} if brief.note.path in brief.paths else {len(kept)}
            else:
                found.add(len({path.split("/")[1] for path in kept if path.count("/") > 1}))
    return found


def _items(brief: Brief, language: Language) -> Iterator[Finding]:
    """Yield an announced number of items that are numbered headings, where those count otherwise."""
    headed = [(match, segment) for segment in brief.segments if (match := _heading(segment))]
    if len(headed) < 2:
        return
    level = headed[0][0]["level"]
    numbers = [_value(match["number"]) for match, _ in headed if match["level"] == level]
    if numbers != list(range(1, len(numbers) + 1)):
        return
    first, last = headed[0][1], [segment for match, segment in headed if match["level"] == level][-1]
    for segment in brief.segments:
        if segment.start >= first.start:
            return
        for unit in segment.units:
            match = _ITEMS.search(fold(unit.text))
            number = _value(match["a"] or match["b"] or match["c"]) if match else None
            if match and number is not None and number != len(numbers):
                yield _finding(
                    brief, unit, match, _Truth("items", len(numbers), [brief.evidence(last.start)]), language
                )


def _heading(segment: Segment) -> re.Match[str] | None:
    return _HEADED.match(segment.heading.text.lstrip()) if segment.heading else None


def _value(said: str) -> int | None:
    return NUMBER_WORDS.get(said.lower()) or numeral(said)


def _finding(brief: Brief, unit: Unit, match: re.Match[str], truth: _Truth, language: Language) -> Finding:
    said = unit.text[match.start() : match.end()].strip()
    rule = f"count-of-{truth.what}"
    told = reason(rule, language, says=said, stands=str(truth.number))
    return Finding(
        kind="count", verdict="false", says=said, place=as_evidence(brief.note, unit), found=tuple(truth.found[:_SHOWN]), because=told.because,
        advice=told.advice, found_by=rule,
    )  # fmt: skip

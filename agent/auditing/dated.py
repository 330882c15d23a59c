"""Dates of a brief: its own day, weekdays that do not fit, and days that the source does not have.

Promises: file names, paths and versions are no dates; a day that stands in a text which the passage rests on, in any spelling, or
in the name of a note that it cites, holds. Another day is said to stand in its place only where the source's statement about the
same has exactly one. Time is linear in the text; nothing raises.
"""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from agent.auditing.brief import Brief, Passage
from agent.auditing.contrary import speaking
from agent.auditing.findings import Finding
from agent.auditing.matter import keys_of, without_numbers
from agent.auditing.shelf import Shelved
from agent.auditing.words import reason
from agent.checking.stance import stance_of
from agent.reading.front_matter import read_front_matter
from agent.reading.measures import numbers_in
from agent.reading.names import parse_note_name
from agent.reading.quantities import fold
from agent.reading.showing import as_evidence
from agent.records import Language
from agent.texts import Unit

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
_FULL = re.compile(
    r"(?<![\w/.-])(?P<y1>20\d\d)(?P<mark>[-/.])(?P<m1>\d{1,2})(?P=mark)(?P<d1>\d{1,2})(?![\w]|[-_/.]\w)"
    r"|(?<!\d)(?:(?P<y2>20\d\d)\s?年\s?)?(?P<m2>\d{1,2})\s?月\s?(?P<d2>\d{1,2})\s?[日号]"
    rf"|(?<![\w-])(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m3>{_MONTH})\b\.?(?:,?\s(?P<y3>20\d\d))?"
    rf"|(?<![A-Za-z])(?P<m4>{_MONTH})\.?\s(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?!\w|\.\d|-\d)(?:,?\s(?P<y4>20\d\d))?"
)
_SHORT = re.compile(r"(?<![\d.])(?:20\d\d[-/._])?(?P<m>\d{1,2})[-/](?P<d>\d{1,2})(?!\d|[-/]\d)")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_HAN_DAYS = "一二三四五六日"
_WEEKDAY = r"(?:(?P<en>Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)|(?:星期|周|礼拜)(?P<han>[一二三四五六日天]))(?![A-Za-z])"
_BEHIND = re.compile(rf"\s{{0,2}}[,、(]?\s{{0,2}}(?:an?\s)?{_WEEKDAY}", re.IGNORECASE)
_BEFORE = re.compile(rf"(?<![A-Za-z]){_WEEKDAY}[,、(]?\s{{0,2}}(?:the\s)?\Z", re.IGNORECASE)
_LEFT_ALONE = frozenset(
    {"author", "cutoff", "kind", "topic", "checked", "baseline", "placement", "relation", "question", "suggestion"}
)
_NEAR_DAYS = 1
_TOP = 4_000  # characters at the beginning that may tell a brief's day
_SCORE, _BESIDE = 2.0, 0.6


@dataclass(frozen=True, slots=True)
class Day:
    """A date as it stands in a text; the year is None where it is not told."""

    year: int | None
    month: int
    day: int
    start: int
    end: int

    def of(self, year: int) -> dt.date | None:
        """Return the date, in the year that is told or else in this one."""
        try:
            return dt.date(self.year or year, self.month, self.day)
        except ValueError:
            return None


def days_in(text: str) -> Iterator[Day]:
    """Yield the dates of a text that are certainly dates."""
    for match in _FULL.finditer(fold(text)):
        place = next(number for number in "1234" if match[f"m{number}"])
        year, month, day = (match[f"{part}{place}"] for part in "ymd")
        number = int(month) if month.isdigit() else 1 + [name[:3] for name in _MONTHS].index(month[:3].lower())
        found = Day(int(year) if year else None, number, int(day), *match.span())
        if found.of(2000) is not None:
            yield found


def day_told(text: str, *, near: dt.date) -> dt.date | None:
    """Return the day that a text says of itself: in its front matter, in its first heading, or as the only one near its top.

    Args:
        text: of a brief.
        near: the day of its last change, by which a year that is left out is chosen.
    """
    front = read_front_matter(text)
    told = front.fields.get("date")
    if isinstance(told, str) and (day := _one_of(told, near)) is not None:
        return day
    lines = [line for line in text[front.end : front.end + _TOP].splitlines() if line.strip()]
    for line in lines[:1] + [line for line in lines[1:] if line.startswith("#")][:1]:
        if (day := _one_of(line, near)) is not None:
            return day
    return _one_of("\n".join(lines), near)


def _one_of(text: str, near: dt.date) -> dt.date | None:
    """The only day that a text names; of one without a year the last that is not after `near`."""
    named = parse_note_name(text.strip()).date if len(text) < len("2026-07-27T00:00:00+08:00") else None
    found = {named} if named else {_dated(one, near) for one in days_in(text)}
    found.discard(None)
    return found.pop() if len(found) == 1 else None


def _dated(one: Day, near: dt.date) -> dt.date | None:
    day = one.of(near.year)
    if day is not None and one.year is None and day > near + dt.timedelta(days=_NEAR_DAYS):
        return one.of(near.year - 1)
    return day


def dates(brief: Brief, *, language: Language) -> Iterator[Finding]:
    """Yield each weekday that is another one on its date, and each date that the source does not have."""
    for passage in brief.passages:
        for unit in passage.told:
            found = list(days_in(unit.text))
            for one in found:
                yield from _weekday(brief, unit, one, language)
            if (
                found
                and passage.may_be_false
                and not passage.labels_of(unit) & _LEFT_ALONE
                and stance_of(unit.text) not in {"rejected", "asked"}
            ):
                for one in found:
                    yield from _of_source(
                        brief, passage, unit, one, {(each.month, each.day) for each in found}, language
                    )


def _weekday(brief: Brief, unit: Unit, one: Day, language: Language) -> Iterator[Finding]:
    folded = fold(unit.text)
    match = _BEHIND.match(folded, one.end) or _BEFORE.search(folded[max(0, one.start - 16) : one.start])
    if match is None:
        return
    told = _DAYS.index(match["en"].lower()) if match["en"] else _HAN_DAYS.index(match["han"].replace("天", "日"))
    years = [one.year] if one.year else [brief.note.date.year + more for more in (-1, 0, 1)]
    days = [day for year in years if (day := one.of(year))]
    if not days or told in {day.weekday() for day in days}:
        return
    day = one.of(brief.note.date.year) or days[0]
    said = unit.text[one.start : one.end]
    right = _DAYS[day.weekday()].capitalize() if language == "en" else f"星期{_HAN_DAYS[day.weekday()]}"
    because = reason("weekday", language, says=said, stands=right)
    yield Finding(
        kind="statement", verdict="false", says=f"{said} {match['en'] or '星期' + match['han']}", place=as_evidence(brief.note, unit),
        because=because.because, advice=because.advice, found_by="weekday",
    )  # fmt: skip


@lru_cache(maxsize=64)
def _days_of(text: Shelved) -> frozenset[tuple[int, int]]:
    """Month and day of every date of a text, however it is written, and of its own name."""
    folded = text.lowered
    found = {(one.month, one.day) for one in days_in(folded)}
    found |= {(int(match["m"]), int(match["d"])) for match in _SHORT.finditer(folded)}
    found |= {(text.note.date.month, text.note.date.day)}
    return frozenset(found)


def _of_source(
    brief: Brief, passage: Passage, unit: Unit, one: Day, own: set[tuple[int, int]], language: Language
) -> Iterator[Finding]:
    """Yield a date that no text has which the passage rests on: with the one in its place, where there is one."""
    key, day = (one.month, one.day), one.of(brief.note.date.year)
    if day is None or any(key in _days_of(text) for text in (*passage.rests_on, *brief.rests_on)):
        return
    if abs((day - brief.note.date).days) <= _NEAR_DAYS or any(
        (each.month, each.day) == key for each in brief.cited_days
    ):
        return
    said, place = unit.text[one.start : one.end], as_evidence(brief.note, unit)
    keys = without_numbers(keys_of(unit.text), numbers_in(unit.text[one.start : one.end]))
    keys |= frozenset(each for each in keys_of(passage.segment.title) if each[0] in {"name", "paper"})
    instead: dict[tuple[int, int], tuple[Shelved, Unit, str]] = {}
    nears = speaking(passage.notes, keys, least=_SCORE)
    best = nears[0][1] if nears else None
    near_by = [
        (text, near)
        for text, near in nears
        if best and near.segment is best.segment and near.score >= _BESIDE * best.score
    ]
    for text, near in near_by:
        for each in days_in(near.unit.text):
            if (each.month, each.day) not in own:
                instead[each.month, each.day] = text, near.unit, near.unit.text[each.start : each.end]
    if len(instead) == 1:
        text, other, stands = next(iter(instead.values()))
        told = reason("other-date", language, says=said, stands=stands)
        yield Finding(
            kind="figure", verdict="false", says=said, place=place, found=(text.evidence_at(other.start),), because=told.because,
            advice=told.advice, found_by="other-date",
        )  # fmt: skip
    elif one.year and not any(key in _days_of(text) for text in brief.shelf.texts):
        told = reason("not-in-source", language, says=said)
        yield Finding(
            kind="figure", verdict="unsupported", says=said, place=place, because=told.because, advice=told.advice, found_by="not-in-source",
        )  # fmt: skip

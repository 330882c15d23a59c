"""What file names say: date, time, slug and version of a note, the identifier of a paper card, leftovers of other programs.

Names are read only, never trusted: an impossible date is no date, and nothing raises.
"""

import datetime as dt
import re
import unicodedata
from dataclasses import dataclass

_SUFFIX = re.compile(r"\.(?:md|markdown|mdx|txt)\Z", re.IGNORECASE)
_DATE = re.compile(
    r"(?<!\d)(?P<year>\d{4})"
    r"(?:(?P<mark>[-._/])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?!\d)"
    r"|年(?P<month2>\d{1,2})月(?P<day2>\d{1,2})(?:日|(?!\d))"
    r"|(?P<month3>\d{2})(?P<day3>\d{2})(?P<time3>\d{4}(?:\d{2})?)?(?!\d))",
    re.ASCII,
)
_YEARS = range(1900, 2200)  # eight digits outside are a number
# After a T the parts of a time may be parted by anything; without it only by what nobody puts between words.
_TIME = re.compile(
    r"(?:[-_ ]?[Tt](?P<hour>\d{2})(?P<mark>[-_:.：hH]?)(?P<minute>\d{2})(?:(?P=mark)(?P<second>\d{2}))?(?:[Zz]|[+-]\d{4})?"
    r"|[-_ .]{0,2}(?P<hour2>\d{2})(?:[:：.hH]|时|点)?(?P<minute2>\d{2})分?(?:[:：.]?(?P<second2>\d{2})秒?)?)(?![0-9A-Za-z])",
    re.ASCII,
)
_VERSION = re.compile(r"(?:\A|[-_. (])[vV]([0-9]{1,6})\)?\Z")
_EDGES = " -_."

_CARD = re.compile(r"[0-9]{1,9}[-_]([0-9]{2})(0[1-9]|1[0-2])[-_]([0-9]{4,5})(?:v[0-9]{1,3})?(?:[-_ ]|\Z)")
_FIRST_MONTH, _FIRST_LONG_MONTH = 704, 1501  # https://info.arxiv.org/help/arxiv_identifier.html

# What editors, browsers, desktops and synchronisers leave beside a file, in lower case.
_LEFT_NAMES = frozenset({"4913", ".ds_store", "thumbs.db", "desktop.ini"})
_LEFT_BEGINNINGS = (".goutputstream-", "._", ".#", "~$", ".~", ".nfs", ".fuse_hidden", ".syncthing.", "~syncthing~")
_LEFT_ENDINGS = (
    "~", ".part", ".partial", ".crdownload", ".download", ".filepart", ".tmp", ".temp", ".bak", ".orig", ".rej",
)  # fmt: skip
_SWAP = re.compile(r"\.(?:sw[a-z]|[a-z0-9]{6})\Z")  # of vim, and of rsync, on a hidden file
_CONFLICT = re.compile(
    r"\.sync-conflict-\d|\b(?:conflicted|case conflict|conflict copy)\b|\(conflict\)|[-_. ]conflict[-_ ]\d{8}|冲突副本|冲突的副本|衝突"
)


@dataclass(frozen=True, slots=True)
class NoteName:
    """What the name of a note says; `slug` is the rest of it, without date, time, version and suffix."""

    date: dt.date | None
    time: dt.time | None
    slug: str
    version: int | None


def parse_note_name(name: str) -> NoteName:
    """Read a note's file name (a path is cut to its last part).

    The date at the front counts; without one, the only date elsewhere in the name. Dates are understood as 2026-07-27,
    2026.07.27, 2026_7_27, 20260727 and 2026年7月27日, followed by a time such as 1105, T1105, T11:05:30 or 11时05分.
    """
    stem = _SUFFIX.sub("", unicodedata.normalize("NFKC", name).replace("\\", "/").rstrip("/").rpartition("/")[2])
    date, start, end, digits = _date_in(stem)
    time = None
    if date is not None:
        if digits:
            time = _time_of(digits[:2], digits[2:4], digits[4:])
        elif match := _TIME.match(stem, end):
            time = _time_of(
                match["hour"] or match["hour2"],
                match["minute"] or match["minute2"],
                match["second"] or match["second2"],
            )
            end = match.end() if time else end
        before, after = stem[:start].strip(_EDGES), stem[end:].strip(_EDGES)
        stem = f"{before}-{after}" if before and after else before or after
    version = _VERSION.search(stem)
    slug = (stem[: version.start()] if version else stem).strip(_EDGES)
    return NoteName(date, time, slug, int(version[1]) if version else None)


def card_identifier(name: str) -> str | None:
    """Return the arXiv identifier that a paper card's name holds ("606-2607-21848.md" gives "2607.21848"), or None."""
    stem = _SUFFIX.sub("", name.replace("\\", "/").rpartition("/")[2])
    match = _CARD.match(stem)
    if match is None:
        return None
    month, number = int(match[1] + match[2]), match[3]
    wanted = 5 if month >= _FIRST_LONG_MONTH else 4
    if month < _FIRST_MONTH or len(number) != wanted or not int(number):
        return None
    return f"{match[1]}{match[2]}.{number}"


def is_leftover(name: str) -> bool:
    """Whether a file of this name is an editor's, a browser's or a synchroniser's leftover and no note."""
    last = name.rpartition("/")[2].lower()
    return (
        last in _LEFT_NAMES
        or last.startswith(_LEFT_BEGINNINGS)
        or last.endswith(_LEFT_ENDINGS)
        or (last.startswith("#") and last.endswith("#"))
        or (last.startswith(".") and last.count(".") > 1 and _SWAP.search(last) is not None)
        or is_conflict_copy(last)
    )


def is_conflict_copy(name: str) -> bool:
    """Whether a leftover is a synchroniser's conflict copy: it holds somebody's text, so a digest has to name it."""
    return _CONFLICT.search(name.rpartition("/")[2].lower()) is not None


def _date_in(stem: str) -> tuple[dt.date | None, int, int, str]:
    """Return the date, its span, and the digits of a time glued to it; no date where two different ones compete."""
    found: list[tuple[dt.date | None, int, int, str]] = []
    for match in _DATE.finditer(stem):
        date = _date_of(match)
        if date is None and match.start() > 0:
            continue
        found.append((date, *match.span(), match["time3"] or ""))
        if match.start() == 0:
            break
    if not found or (found[0][1] > 0 and len({date for date, *_ in found}) > 1):
        return None, 0, 0, ""
    return found[0]


def _date_of(match: re.Match[str]) -> dt.date | None:
    year = int(match["year"])
    month, day = match["month"] or match["month2"] or match["month3"], match["day"] or match["day2"] or match["day3"]
    if year not in _YEARS:
        return None
    try:
        return dt.date(year, int(month), int(day))
    except ValueError:
        return None


def _time_of(hour: str, minute: str, second: str | None) -> dt.time | None:
    try:
        return dt.time(int(hour), int(minute), int(second or 0))
    except ValueError:
        return None

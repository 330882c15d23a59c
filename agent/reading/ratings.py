"""How far a note says that a finding can be trusted, and how pressing it says it is.

Both scales are fixed here. Credibility is 1 to 5 stars; priority is 0 (supporting evidence) to 3 (at once). What counts
popularity, relevance or recommendation is neither. Offsets are into the text given; nothing raises; time is linear.
"""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_DOWN, Decimal

from agent.reading.labels import labelled, values_of
from agent.reading.quotations import bracket_at, folded

CREDIBILITY_WORDS: dict[str, Decimal] = {
    word: Decimal(stars)
    for stars, words in {
        "5": ("极高", "很高", "非常高", "very high"),
        "4": ("高", "较高", "偏高", "high", "strong"),
        "3.5": ("中高", "中上", "中等偏高", "中等偏上"),
        "3": ("中", "中等", "一般", "medium", "moderate", "mid", "middling"),
        "2.5": ("中低", "中下", "中等偏低", "中等偏下"),
        "2": ("低", "较低", "偏低", "low", "weak"),
        "1": ("极低", "很低", "非常低", "very low"),
    }.items()
    for word in words
}
"""Stars for a credibility written as a word; two words ("中到高", "medium-high") mean the middle, halves are rounded down."""

PRIORITY_WORDS: dict[str, int] = {
    "紧急": 3, "最高": 3, "高": 3, "urgent": 3, "critical": 3, "high": 3,
    "中": 2, "中等": 2, "medium": 2, "normal": 2, "moderate": 2,
    "低": 1, "较低": 1, "low": 1,
}  # fmt: skip
"""Priority for a word; P0, P1, P2 and P3 are 3, 2, 1 and 0, and "★★ 必补" is the number of its stars."""

_STAR = "⭐🌟★"
_EMPTY = "☆✩✰"
_RUN_TEXT = rf"(?:[{_STAR}{_EMPTY}][\ufe0f\u20de]{{0,2}} ?)+"
_RUN = re.compile(_RUN_TEXT)
_FRACTION = re.compile(r"(?<![\d.])(\d{1,3}(?:\.\d{1,2})?) ?/ ?(5|10|100)(?![\d.])")
_COUNTED = re.compile(
    rf"(?<![\d.])(?:(\d(?:\.\d{{1,2}})?)|([一二两三四五])) ?颗?(?:星|[{_STAR}]\ufe0f?|stars?\b)", re.IGNORECASE
)
_WORD_TEXT = "|".join(sorted(CREDIBILITY_WORDS, key=len, reverse=True))
_WORD = re.compile(
    rf"(?:{_WORD_TEXT})(?:(?: ?[-/|~、] ?| ?[到至或] ?| to | or )(?:{_WORD_TEXT})){{0,4}}(?![\w/|~-])",
    re.IGNORECASE,
)
_WORD_ALONE = re.compile(_WORD_TEXT, re.IGNORECASE)
_CHINESE = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5}

_WITHOUT_COLON = re.compile(
    r"(?:可信[度性]|置信度|可信程度|可靠[度性]|(?<![\u4e00-\u9fff])(?:评分|评级|打分))(?:评级|评分)?[ \t|*_:]{0,8}"
    r"|(?<![A-Za-z])(?:credibility|confidence|reliability|(?<![A-Za-z] )(?:ratings?|rated))(?: rating| level)?[ \t|*_:]{1,8}",
    re.IGNORECASE,
)
_RATED = ("可信", "置信", "可靠", "评分", "评级", "打分", "credibility", "confidence", "reliability", "rating", "rated")
# Five stars, some of them empty, as one field of a line.
_FIELD = re.compile(
    rf"(?:^|[·|,;]|\s[-–—])\s?(?P<run>[{_STAR}]{{1,4}}[{_EMPTY}]{{1,4}}|[{_STAR}]{{5}})\s?(?=[·|,;(]|$)", re.MULTILINE
)
_LEAD = re.compile(r"[ \t>*_•◦+\-🟢🟡🔴🟠⚪✅⚠\ufe0f]{0,16}")
_LINE_LEAD = re.compile(
    rf"^[ \t>*_•◦+|\-]{{0,16}}(?:(?:评级|星级|ratings?|stars)[*_ ]{{0,4}}:[*_ ]{{0,4}})?(?=[{_STAR}{_EMPTY}])",
    re.IGNORECASE | re.MULTILINE,
)
_NO_CREDIBILITY = re.compile(
    r"必补|必读|必看|推荐|优先|下载|priority|must|recommend|download|github|likes?\b", re.IGNORECASE
)
_AGAIN = re.compile(r"[ \t*_]{0,4}\(? ?(?<!\d)\d{1,3}(?:\.\d{1,2})? ?/ ?(?:5|10|100)(?!\d) ?\)?(?![,;])")
_BLANK = re.compile(r"[ \t*_½]{0,8}")
_AROUND_BASIS = " \t\r\n*_,，;；:：—–-。("
_REACH = 600
_BASIS_END = re.compile(r"\n| - | · |[•。|]")

_MUST = r"(?:必补|必读|必看|必收|优先|重点|建议补|应补|可补|选补|must|priority|required)"
_PRIORITY = re.compile(
    rf"(?=[{_STAR}必(【\[ \t#>*_•+\-P])(?:(?P<stars>[{_STAR}](?:\ufe0f?[{_STAR}]){{0,4}})\ufe0f? ?{_MUST}"
    rf"|必补 ?\(? ?(?P<after>[{_STAR}](?:\ufe0f?[{_STAR}]){{0,4}})"
    r"|[(【\[]必补[)】\]](?P<must>)"
    r"|[(【\[] ?P(?P<level>[0-3]) ?[)】\]]"
    r"|^[ \t#>*_•+-]{0,12}P(?P<line_level>[0-3])(?=[ \t*_]{0,4}(?:[:|)\]、—–·]|$))"
    r"|[(【\[](?:旁证|佐证|supporting(?: evidence)?)[)】\]](?P<supporting>)"
    r"|[(【\[](?:(?P<zh>[高中低])优先级?|(?P<en>high|medium|low)[ -]priority)[)】\]])",
    re.IGNORECASE | re.MULTILINE,
)
_PRESSING = (*_STAR, "必补", "旁证", "佐证", "优先", "supporting", "priority", "p0", "p1", "p2", "p3")
_PRIORITY_VALUE = re.compile(
    rf"P(?P<level>[0-3])(?![\w.])|(?P<stars>[{_STAR}](?:\ufe0f?[{_STAR}]){{0,4}})(?![{_STAR}])"
    rf"|(?P<word>{'|'.join(sorted(PRIORITY_WORDS, key=len, reverse=True))})(?![\w-])(?! ?[/|] ?\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class StatedStars:
    """A credibility that a note states.

    Attributes:
        stars: 1 to 5; halves are rounded down ("3.5/5" is 3).
        basis: the reason given with it, usually in brackets; empty when none is.
        start, end: span of the rating with its label and its basis.
    """

    stars: int
    basis: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Rating:
    stars: int
    end: int


def stated_stars(text: str) -> StatedStars | None:
    """Return the first credibility rating written in `text`.

    It stands behind a label (可信度, 置信, credibility, confidence, reliability) as stars, "4/5", "8/10", "四星" or a word of
    `CREDIBILITY_WORDS`, as a line that holds nothing but stars and a bracketed reason, or as a field of five stars. A list of all words (高/中/低) is a
    form to be filled in, not a rating; a percentage is none either.
    """
    plain = folded(text)
    for label in labelled(text):
        if label.name != "credibility":
            continue
        lead = _LEAD.match(plain, label.value_start, label.value_end)
        rating = _rating_at(plain, lead.end() if lead else label.value_start, label.value_end)
        if rating:
            return _stated(text, plain, label.start, rating, label.value_end)
    return _rated_without_colon(text, plain) or _rating_line(text, plain) or _rating_field(text, plain)


def _stated(text: str, plain: str, start: int, rating: _Rating, limit: int) -> StatedStars:
    basis, end = _basis(text, plain, rating.end, limit)
    return StatedStars(rating.stars, basis, start, end)


def _rating_at(plain: str, at: int, end: int) -> _Rating | None:
    """Return the rating that begins exactly at `at`."""
    if match := _FRACTION.match(plain, at, end):
        return _rating(Decimal(match[1]) * 5 / Decimal(match[2]), match.end())
    if match := _COUNTED.match(plain, at, end):
        return _rating(Decimal(match[1] or _CHINESE[match[2]]), match.end())
    if match := _RUN.match(plain, at, end):
        return _rating_of_run(plain, match, end)
    if match := _WORD.match(plain, at, end):
        words = _WORD_ALONE.findall(match.group())
        values = [CREDIBILITY_WORDS[word.lower()] for word in words if word.lower() in CREDIBILITY_WORDS]
        if len(words) == len(values) <= 2:
            return _rating(sum(values, Decimal(0)) / len(values), match.end())
    return None


def _rating(value: Decimal, end: int) -> _Rating | None:
    if not 0 < value <= 5:
        return None
    return _Rating(max(1, int(value.quantize(Decimal(1), ROUND_HALF_DOWN))), end)


def _rating_of_run(plain: str, match: re.Match[str], end: int) -> _Rating | None:
    run = match.group()
    filled = sum(map(run.count, _STAR))
    if filled + sum(map(run.count, _EMPTY)) > 5:
        return None
    if filled == 1 and plain[match.end() : match.end() + 1].isdigit():  # "⭐4/5" is the mark of a figure
        fraction = _FRACTION.match(plain, match.end(), end)
        return _rating(Decimal(fraction[1]) * 5 / Decimal(fraction[2]), fraction.end()) if fraction else None
    return _rating(Decimal(filled), match.start() + len(run.rstrip()))


def _basis(text: str, plain: str, at: int, end: int) -> tuple[str, int]:
    """Return the reason behind a rating and where it ends: what is in brackets, else the rest of the phrase."""
    again = _AGAIN.match(plain, at, end)
    if again:
        at = again.end()
    blank = _BLANK.match(plain, at, end)
    start = blank.end() if blank else at
    bracket = bracket_at(plain, start, end) if plain.startswith("(", start) else None
    if bracket:
        return text[bracket[0] + 1 : bracket[1] - 1].strip(), bracket[1]
    stop = _BASIS_END.search(plain, start, end)
    last = stop.start() if stop else end
    basis = text[start:last].strip(_AROUND_BASIS)
    return (basis, last) if basis else ("", at)


def _rated_without_colon(text: str, plain: str) -> StatedStars | None:
    """Read "可信度 ⭐⭐⭐" and "confidence 4/5": without a colon only stars and fractions say enough."""
    lowered = plain.lower()
    for match in _WITHOUT_COLON.finditer(plain) if any(word in lowered for word in _RATED) else ():
        at = match.end()
        end = _line_end(plain, at)
        has_value = _RUN.match(plain, at, end) or _FRACTION.match(plain, at, end) or _COUNTED.match(plain, at, end)
        rating = _rating_at(plain, at, end) if has_value else None
        if rating:
            return _stated(text, plain, match.start(), rating, end)
    return None


def _line_end(plain: str, at: int) -> int:
    """Return the end of the line at `at`, or of what a rating and its reason may take of it."""
    end = plain.find("\n", at, at + _REACH)
    return end if end >= 0 else min(len(plain), at + _REACH)


def _rating_field(text: str, plain: str) -> StatedStars | None:
    """Read "code · ★★★☆☆ · 2026": five stars in all, between the marks that part a line's fields."""
    for found in _FIELD.finditer(plain) if any(star in plain for star in _STAR) else ():
        run, start = found["run"], found.start("run")
        end = _line_end(plain, start)
        if len(run) == 5 and not _NO_CREDIBILITY.search(plain, found.end("run"), end):
            return _stated(text, plain, start, _Rating(sum(map(run.count, _STAR)), found.end("run")), end)
    return None


def _rating_line(text: str, plain: str) -> StatedStars | None:
    """Read a line that is a rating: stars, perhaps a bracketed reason, and nothing else."""
    for lead in _LINE_LEAD.finditer(plain):
        run = _RUN.match(plain, lead.end())
        end = _line_end(plain, lead.end())
        rating = _rating_of_run(plain, run, end) if run else None
        if rating is None or plain[end : end + 1] not in ("", "\n"):
            continue
        rest = plain[rating.end : end].strip(" \t*_|½")
        is_bracketed = rest.startswith("(") and bracket_at(rest, 0, len(rest)) == (0, len(rest))
        if (not rest or is_bracketed) and not _NO_CREDIBILITY.search(rest):
            return _stated(text, plain, lead.end(), rating, end)
    return None


def stated_priority(text: str) -> int | None:
    """Return the first priority mark of `text`, 0 to 5; higher presses more.

    "★★ 必补" is the number of its stars and "(必补)" is 1; P0, P1, P2, P3 are 3, 2, 1, 0 where they stand in brackets, before a
    line's text or behind a priority label; 高, 中, 低 (high, medium, low) are 3, 2, 1; "(旁证)" and "(supporting)" are 0.
    """
    plain = folded(text)
    found: list[tuple[int, int]] = []
    for start, end in values_of(text, "priority"):
        lead = _LEAD.match(plain, start, end)
        match = _PRIORITY_VALUE.match(plain, lead.end() if lead else start, end)
        if match:
            found.append((start, _priority(match)))
            break
    lowered = plain.lower()
    mark = _PRIORITY.search(plain) if any(map(lowered.__contains__, _PRESSING)) else None
    if mark:
        found.append((mark.start(), _priority(mark)))
    return min(found)[1] if found else None


def _priority(match: re.Match[str]) -> int:
    parts = match.groupdict()
    stars = parts.get("stars") or parts.get("after")
    level = parts.get("level") or parts.get("line_level")
    word = parts.get("word") or parts.get("zh") or parts.get("en")
    if stars:
        return sum(map(stars.count, _STAR))
    if level:
        return 3 - int(level)
    if word:
        return PRIORITY_WORDS.get(word.lower(), 1)
    return 0 if parts.get("supporting") is not None else 1

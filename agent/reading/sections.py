"""Section references as people write them: "§2.79", "第九节（9.2 新趋势）", "section 4", "4.x 节", and the numerals in them.

Nothing raises; time is linear in the text. Offsets are into the text given.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.reading.quotations import bracket_at, folded

_DIGITS = {"〇": 0, "零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_NUMERAL = re.compile(r"[〇零一二两三四五六七八九十百]{1,7}")
_NUMBER = r"\d{1,3}(?:\.(?:\d{1,3}|[xX]))"
# Each branch begins with the character that it is found by; what must not stand before it is looked at afterwards.
_SECTION = re.compile(
    rf"(?=[§第SsCcPp0-9])(?<![A-Za-z](?=[A-Za-z]))(?:§§? ?(?:(?P<sign>{_NUMBER}{{0,4}}|[一二三四五六七八九十]{{1,4}}))(?![\d%])"
    r"|第 ?(?P<ordinal>\d{1,3}|[一二三四五六七八九十百]{1,5}) ?(?:大节|小节|节(?!点)|章节?|部分)"
    rf"|[SsCcPp](?i:(?<=s)ections?|(?<=s)ec\.|(?<=c)hapters?|(?<=p)art) ?(?P<word>{_NUMBER}{{0,4}})(?![\w%×])(?!\.\d)"
    rf"|(?P<bare>[0-9](?<![\w.][0-9])\d{{0,2}}(?:\.(?:\d{{1,3}}|[xX])){{1,4}}) ?(?:大节|小节|节(?!点)|章))"
)
_FURTHER = re.compile(
    rf" ?(?:[,/、+&~–—-]|和|与|及|至|到|and|or|或) ?(?P<number>{_NUMBER}{{1,4}})(?![\w%×])(?!\.\d)", re.IGNORECASE
)
_INNER = re.compile(rf"\( ?§? ?(?P<number>{_NUMBER}{{1,4}})(?![\w%×])")
_VERB = re.compile(
    r"\( ?(?:新增|补充|追加|替换|改写|更新|新建|建议|append|replace|(?:add|new|create) (?:an? |the )?(?:new )?(?:sub|section|row|paragraph))",
    re.IGNORECASE,
)
_BRACKET_REACH = 80


@dataclass(frozen=True, slots=True)
class SectionMark:
    """A reference to a section.

    Attributes:
        written: as the text has it, a bracket with its number and title included.
        number: the most specific number in digits ("2.79", "9.2", "4"); "4.x" counts as "4".
        start, end: its span.
    """

    written: str
    number: str
    start: int
    end: int


def numeral(text: str) -> int | None:
    """Return the value of a whole number below 1000 written in Chinese ("二十三") or in digits, else None."""
    if text.isascii() and text.isdigit() and len(text) <= 9:
        return int(text)
    if not _NUMERAL.fullmatch(text):
        return None
    if not ("十" in text or "百" in text):
        is_spelled = len(text) == 1 or "〇" in text or "零" in text  # "两三" is about two or three
        return int("".join(str(_DIGITS[digit]) for digit in text)) if is_spelled else None
    hundreds, _, rest = text.rpartition("百")
    tens, ten, ones = rest.rpartition("十")
    parts = (hundreds or ("一" if "百" in text else "零"), tens or ("一" if ten else "零"), ones or "零")
    values = [_DIGITS.get(part.lstrip("零〇") or "零") for part in parts]
    if None in values:
        return None
    return sum(value * unit for value, unit in zip(values, (100, 10, 1), strict=True) if value is not None)


def section_marks(text: str, *, visible: str | None = None) -> tuple[SectionMark, ...]:
    """Return the section references in `text`, in order.

    Numbers that only continue a list ("§2.1、2.4") count too. `visible` is a folded copy of the same length in which what must
    not be read is masked.
    """
    plain = folded(text) if visible is None else visible
    marks: list[SectionMark] = []
    for match in _SECTION.finditer(plain):
        if marks and match.start() < marks[-1].end:
            continue
        marks.append(_mark(text, plain, match))
        marks.extend(_further(text, plain, marks[-1].end))
    return tuple(marks)


def section_mark_at(text: str, plain: str, at: int) -> SectionMark | None:
    """Return the section reference that begins at `at`; `plain` is `text` folded."""
    match = _SECTION.match(plain, at)
    return _mark(text, plain, match) if match else None


def _mark(text: str, plain: str, match: re.Match[str]) -> SectionMark:
    written = next(group for group in match.groupdict().values() if group)
    number = _plain_number(written)
    start, end = match.span()
    opening = end + (plain[end : end + 1] == " ")
    bracket = bracket_at(plain, opening, opening + _BRACKET_REACH) if plain.startswith("(", opening) else None
    if bracket:
        inner = _INNER.match(plain, opening)
        is_finer = inner is not None and _plain_number(inner["number"]).split(".")[0] == number.split(".")[0]
        if inner is not None and is_finer:
            number, end = max(number, _plain_number(inner["number"]), key=lambda n: n.count(".")), bracket[1]
        elif (match["ordinal"] or match["word"]) and not _VERB.match(plain, opening):
            end = bracket[1]
    return SectionMark(text[start:end], number, start, end)


def _further(text: str, plain: str, at: int) -> Iterator[SectionMark]:
    while match := _FURTHER.match(plain, at):
        start, at = match.span("number")
        yield SectionMark(text[start:at], _plain_number(match["number"]), start, at)


def _plain_number(written: str) -> str:
    value = numeral(written)
    return str(value) if value is not None else written.lower().removesuffix(".x").replace(".x", "")

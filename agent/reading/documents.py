"""Takes a living document apart: sections with their numbers, the day of its last update, the register numbers in use.

A section is found again however a note names it. Headings inside code are none. Nothing raises; time is linear in the text.
"""

import datetime as dt
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import cast

from rapidfuzz import fuzz

from agent.reading.headings import split_number, without_decoration
from agent.reading.sections import numeral, section_marks
from agent.reading.units import heading_parts, split_units
from agent.texts import LivingDocument, RegisterKind, Section, Unit

UPDATE_WORDS = (
    "最后更新", "最近更新", "上次更新", "更新", "last[ _-]?updated?", "last[ _-]?modified", "date[ _-]?updated", "updated?",
)  # fmt: skip
REGISTER_WORDS: dict[RegisterKind, str] = {
    "C": "共识|consensus", "D": "争议|disputes?", "O": "开放问题|试金石|待解问题|open questions?", "T": "趋势|trends?",
}  # fmt: skip
_KIND_NAMES = {kind: re.compile(words, re.IGNORECASE) for kind, words in REGISTER_WORDS.items()}
_REGISTER_HEADING = re.compile(f"登记|{'|'.join(REGISTER_WORDS.values())}|registers?", re.IGNORECASE)

_TOP = 40  # an update line stands in the first or, signed off, in the last lines
_BOTTOM = 6
_FULL_DATE = (
    r"(?P<year>\d{4})(?:[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})|年 ?(?P<month2>\d{1,2}) ?月 ?(?P<day2>\d{1,2}) ?日?"
    r"|(?P<month3>\d{2})(?P<day3>\d{2}))(?!\d)"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMED_DATE = (
    rf"(?:(?P<name>{'|'.join(_MONTHS)})[a-z]{{0,6}}\.? (?P<day4>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year4>\d{{4}})"
    rf"|(?P<day5>\d{{1,2}})(?:st|nd|rd|th)? (?P<name5>{'|'.join(_MONTHS)})[a-z]{{0,6}}\.?,? (?P<year5>\d{{4}}))"
)
_UPDATED = re.compile(
    rf"(?:(?<![A-Za-z未待需不])(?:{'|'.join(UPDATE_WORDS)})(?:时间|日期|于| on| at)?[*_\s]{{0,4}}[：:]?[*_\s\"'（(]{{0,4}}(?:{_FULL_DATE}|{_NAMED_DATE}))",
    re.IGNORECASE,
)
_UPDATED_AFTER = re.compile(rf"(?<!\d){_FULL_DATE}(?: \d{{2}}:\d{{2}})? ?(?:最后)?更新", re.IGNORECASE)

_RANGE = re.compile(r"(?<![A-Za-z0-9_.-])([CDOT])(\d{1,4}) ?(?:[–—~～至到-]|to) ?(?:\1)?(\d{1,4})(?![A-Za-z0-9_.])")
_NUMBERED = re.compile(r"(?:\A|(?<=[\s*|•·（(：:。；;\-]))([CDOT])(\d{1,4})(?![A-Za-z0-9_-])(?!\.\d)")
_OTHER_ENTRY = re.compile(r"[\s*_|\[>•+-]{0,8}(?P<letter>[A-Z])(?P<number>\d{1,4})(?![A-Za-z0-9_.-]|\s?[%×])")
_BEFORE_ENTRY = re.compile(r"(?:\A|[。；;：:|\n]|[-•*+#])[\s*_|\[]{0,6}\Z")

_BARE = re.compile(r"\A(?P<number>\d{1,2}) (?=\S)")
_WANTED_NUMBER = re.compile(r"(?<![\w.])(\d{1,3}(?:\.\d{1,3}){1,4})(?![\w%×.]|\.\d)")
_WHOLE_NUMBER = re.compile(
    r"\A[\s§#第]{0,4}(\d{1,3}(?:\.(?:\d{1,3}|[xX])){0,4}|[一二三四五六七八九十百]{1,5})[\s.、节章]{0,4}(?=\Z|[（(「:：\s])"
)
_NUMERALS = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,4}|[一二三四五六七八九十百]{1,5}")
_PATH_MARK = re.compile(r" ?[>›»→] ?| / ")
_NOISE = re.compile(r"[\W_]{1,400}")
_QUOTED = re.compile(r"[「『“\"《]([^「」『』“”\"《》]{2,80})[」』”\"》]")
_MIN_WORDS = 2
_NEAR_ENOUGH = 45.0


def parse_document(name: str, text: str, *, sha256: str, modified: dt.date | None = None) -> LivingDocument:
    """Take a living document apart; `modified` is its date where no line of it tells one."""
    units = split_units(text)
    sections = tuple(_sections(text, units))
    registers, letters = _registers(text, sections), {}
    for kind, (letter, highest) in _other_letters(sections).items():
        if kind not in registers:
            registers[kind], letters[kind] = highest, letter
    return LivingDocument(
        name=name,
        topic=name.rpartition("/")[2].rsplit(".", 1)[0],
        text=text,
        sections=sections,
        updated=_updated(text) or modified,
        sha256=sha256,
        registers=dict(sorted(registers.items())),
        letters=letters,
    )


def find_section(document: LivingDocument, number_or_heading: str, *, under: Sequence[str] = ()) -> Section | None:
    """Return the section that a note names by number ("§2.79", "第四节", "9.2 新趋势"), heading or heading path, or None.

    Of several numbers the most specific one that exists counts. A number that occurs more than once means the section whose
    words stand beside it, else the one that writes its number the same way ("四" and "4"), else the highest, else the first.

    Args:
        document: where to look.
        number_or_heading: as a note writes it; "第二部分 > 3. Cache" names the headings above, outermost first.
        under: the same as a list: each names, by number or words, a heading above the section.
    """
    wanted = unicodedata.normalize("NFKC", number_or_heading).strip()
    *above, last = _PATH_MARK.split(wanted)
    if not above:
        return _find(document, wanted, under)
    whole = _normalised(wanted)  # a heading may hold such a mark itself
    as_written = (one for one in document.sections if _normalised(one.heading) == whole and _is_under(one, under))
    return next(as_written, None) or _find(document, last, [*under, *above])


def sections_numbered(document: LivingDocument, number: str) -> tuple[Section, ...]:
    """Return all sections that carry a number, in their order: more than one where a document repeats or mixes numbers."""
    wanted = _canonical(unicodedata.normalize("NFKC", number))
    return tuple(_by_number(document).get(wanted, ())) if wanted else ()


def next_free(document: LivingDocument, kind: RegisterKind) -> int:
    """Return the next free number of a register: one above the highest in use, since a gap was once an entry."""
    return document.registers.get(kind, 0) + 1


def _find(document: LivingDocument, wanted: str, under: Sequence[str]) -> Section | None:
    if not wanted:
        return None
    numbers = _wanted_numbers(wanted)
    by_number = _by_number(document)
    for number in sorted(numbers, key=lambda number: -len(number)):
        if found := [section for section in by_number.get(number, ()) if _is_under(section, under)]:
            return _best_named(found, wanted)
    if numbers and _WHOLE_NUMBER.fullmatch(wanted):
        return None
    return _by_heading([section for section in document.sections if _is_under(section, under)], wanted)


def _is_under(section: Section, under: Sequence[str]) -> bool:
    """Whether the headings above a section are, in this order, those that are named."""
    above = iter(section.path)
    return all(any(_is_named(heading, name) for heading in above) for name in under)


def _is_named(heading: str, name: str) -> bool:
    number, words = split_number(without_decoration(heading))
    wanted = unicodedata.normalize("NFKC", name).strip()
    if number and _WHOLE_NUMBER.fullmatch(wanted):
        return _canonical(number) in _wanted_numbers(wanted)
    key, full = _normalised(split_number(without_decoration(wanted))[1]), _normalised(wanted)
    return bool(key) and (
        _normalised(words) in (key, full) or _normalised(heading) == full or _holds(_normalised(words), key)
    )


def near_sections(document: LivingDocument, wanted: str, limit: int = 3) -> tuple[Section, ...]:
    """Return the sections that come nearest to what a note names, best first: by words, and by neighbouring numbers."""
    words, numbers = _normalised(wanted), _wanted_numbers(unicodedata.normalize("NFKC", wanted))
    scored: list[tuple[float, int, Section]] = []
    for position, (section, number) in enumerate(_numbered(document)):
        heading = _normalised(section.heading)
        score = max(
            fuzz.ratio(words, heading),
            0.9 * fuzz.partial_ratio(words, heading) if min(len(words), len(heading)) > 1 else 0,
        )
        kinship = max((_kinship(number, other) for other in numbers), default=0.0)
        scored.append((max(score, kinship) + min(score, kinship) / 4, position, section))
    scored.sort(key=lambda item: (-item[0], item[1]))
    return tuple(section for score, _, section in scored[:limit] if score >= _NEAR_ENOUGH)


# --- taking apart -----------------------------------------------------------------------------------------------------


def _sections(text: str, units: Sequence[Unit]) -> Iterator[Section]:
    headings = [(unit, *heading_parts(unit.text)) for unit in units if unit.kind == "heading"]
    if any(level for _, level, _ in headings):
        headings = [heading for heading in headings if heading[1]]
    path: list[tuple[int, str]] = []
    counts: dict[int, int] = {}
    for position, (unit, marked_level, words) in enumerate(headings):
        level = marked_level or _lost_level(words, is_first=position == 0)
        while path and path[-1][0] >= level:
            path.pop()
        counts = {known: count for known, count in counts.items() if known <= level}
        number, heading = _number_of(words, previous=counts.get(level, 0))
        if number.isascii() and number.isdigit():
            counts[level] = int(number)
        end = headings[position + 1][0].start if position + 1 < len(headings) else len(text)
        yield Section(
            number=number or None,
            heading=heading,
            path=tuple(above for _, above in path),
            content=text[unit.end : end].strip(),
            line=unit.line,
            level=level,
            start=unit.start,
            body=unit.end,
            end=end,
        )
        path.append((level, words))


def _lost_level(words: str, *, is_first: bool) -> int:
    """Return how deep a heading without marks stands: its number tells."""
    number, _ = split_number(without_decoration(words))
    if is_first and not number:
        return 1
    return 2 + number.count(".")


def _number_of(words: str, *, previous: int) -> tuple[str, str]:
    """Return a heading's number as written and the rest; a bare "3 …" is a number only where the count goes on."""
    bare = without_decoration(words)
    number, rest = split_number(bare)
    if number:
        return number, rest
    match = _BARE.match(bare)
    if match and 0 < int(match["number"]) - previous <= (1 if not previous else 3):
        return match["number"], bare[match.end() :]
    return "", words


def _updated(text: str) -> dt.date | None:
    lines = text.splitlines()
    for line in [*lines[:_TOP], *lines[max(_TOP, len(lines) - _BOTTOM) :]]:
        for match in (_UPDATED.search(line[:2_000]), _UPDATED_AFTER.search(line[:2_000])):
            date = _date_of(match.groupdict()) if match else None
            if date:
                return date
    return None


def _date_of(parts: dict[str, str | None]) -> dt.date | None:
    year = parts["year"] or parts.get("year4") or parts.get("year5")
    month = parts["month"] or parts["month2"] or parts["month3"]
    day = parts["day"] or parts["day2"] or parts["day3"] or parts.get("day4") or parts.get("day5")
    name = parts.get("name") or parts.get("name5")
    try:
        return dt.date(int(year or 0), _MONTHS.index(name.lower()) + 1 if name else int(month or 0), int(day or 0))
    except ValueError:
        return None


def _registers(text: str, sections: Sequence[Section]) -> dict[RegisterKind, int]:
    """Return the highest number in use per kind, from ranges and from entries; "T4" and "C4" elsewhere are other things."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        named: dict[str, int] = {
            kind: match.end() for kind, pattern in _KIND_NAMES.items() if (match := pattern.search(line))
        }
        found += [
            (m[1], m[3]) for m in _RANGE.finditer(line) if m[1] in named or (m[2] == "1" and m[0].count(m[1]) == 2)
        ]
        found += [entry for entry, start in _entries(line) if start >= named.get(entry[0], len(line))]
    for section in sections:
        if _REGISTER_HEADING.search(" ".join((*section.path, section.heading))):
            for line in (section.heading, *section.content.splitlines()):
                found += [entry for entry, _ in _entries(line)]
    highest: dict[RegisterKind, int] = {}
    for kind, number in found:
        register = cast("RegisterKind", kind)
        highest[register] = max(highest.get(register, 0), int(number))
    return dict(sorted(highest.items()))


def _other_letters(sections: Sequence[Section]) -> dict[RegisterKind, tuple[str, int]]:
    """The letter that a document writes in the list of a kind, with the highest number, where all entries have that one."""
    found: dict[RegisterKind, tuple[str, int]] = {}
    for section in sections:
        kinds = [kind for kind, pattern in _KIND_NAMES.items() if pattern.search(section.heading)]
        entries = [match for line in section.content.splitlines() if (match := _OTHER_ENTRY.match(line))]
        letters = {match["letter"] for match in entries}
        if len(kinds) == 1 and len(letters) == 1 and letters.isdisjoint(REGISTER_WORDS):
            found.setdefault(kinds[0], (letters.pop(), max(int(match["number"]) for match in entries)))
    return found


def register_entries(document: LivingDocument) -> tuple[tuple[RegisterKind, int, int], ...]:
    """Return the register entries that stand in a document: kind, number and offset, in their order; ranges are none."""
    inside = [one for one in document.sections if _REGISTER_HEADING.search(" ".join((*one.path, one.heading)))]
    spans = [(one.start, one.end) for one in inside]
    found: list[tuple[RegisterKind, int, int]] = []
    start = 0
    for line in document.text.splitlines(keepends=True):
        named = {kind: match.end() for kind, pattern in _KIND_NAMES.items() if (match := pattern.search(line))}
        is_inside = any(begin <= start < end for begin, end in spans)
        for (kind, number), at in _entries(line):
            if is_inside or at >= named.get(cast("RegisterKind", kind), len(line)):
                found.append((cast("RegisterKind", kind), int(number), start + at))
        start += len(line)
    return tuple(found)


def _entries(line: str) -> Iterator[tuple[tuple[str, str], int]]:
    """Yield kind and number of the register entries that a line holds, with their offsets: at its start, or after a stop."""
    for match in _NUMBERED.finditer(line):
        if _BEFORE_ENTRY.search(line[max(0, match.start() - 12) : match.start()]):
            yield (match[1], match[2]), match.start()


# --- finding again ----------------------------------------------------------------------------------------------------

_Number = tuple[int, ...]


def _canonical(number: str) -> _Number:
    """Return a section number as integers: "四", "第四节" and "4" are all (4,); an open end ("4.x") is left out."""
    bare = number.strip().lstrip("§第 ").rstrip("章节節部分篇讲 .、").lower().removesuffix(".x")
    value = numeral(bare)
    if value is not None:
        return (value,)
    parts = bare.split(".")
    return tuple(int(part) for part in parts) if all(part.isascii() and part.isdigit() for part in parts) else ()


def _numbered(document: LivingDocument) -> list[tuple[Section, _Number]]:
    """Return each section with its full number: below a numbered one, a plain number continues it."""
    found: list[tuple[Section, _Number]] = []
    above: list[tuple[int, _Number]] = []
    for section in document.sections:
        while above and above[-1][0] >= section.level:
            above.pop()
        own = _canonical(section.number) if section.number else ()
        prefix = next((number for _, number in reversed(above) if number), ())
        full = prefix + own if len(own) == 1 and prefix else own
        found.append((section, full))
        above.append((section.level, full))
    return found


def _by_number(document: LivingDocument) -> dict[_Number, list[Section]]:
    found: dict[_Number, list[Section]] = {}
    for section, full in _numbered(document):
        own = _canonical(section.number) if section.number else ()
        for number in {own, full} - {()}:
            found.setdefault(number, []).append(section)
    return found


def _wanted_numbers(wanted: str) -> set[_Number]:
    """Return every section number that the words may mean."""
    written = [mark.number for mark in section_marks(wanted)]
    written += [match[1] for match in _WANTED_NUMBER.finditer(wanted)]
    if whole := _WHOLE_NUMBER.match(wanted):
        written.append(whole[1])
    number, _ = split_number(without_decoration(wanted))
    return {_canonical(one) for one in [*written, number]} - {()}


def _best_named(sections: Sequence[Section], wanted: str) -> Section:
    """Return the highest of several sections with one number, or the one whose words are asked for."""
    words = _normalised(wanted)
    named = [
        section
        for section in sections
        if len(heading := _normalised(section.heading)) >= _MIN_WORDS and heading in words
    ]
    numbers = _NUMERALS.findall(wanted)
    alike = [section for section in sections if section.number and section.number.strip("第节章 ") in numbers]
    return min(named or alike or sections, key=lambda section: section.level)


def _normalised(words: str) -> str:
    return _NOISE.sub("", unicodedata.normalize("NFKC", words).casefold())


def _by_heading(sections: Sequence[Section], wanted: str) -> Section | None:
    _, rest = split_number(without_decoration(wanted))
    asked = [
        key
        for key in (_normalised(part) for part in (rest, wanted, *_QUOTED.findall(wanted)))
        if len(key) >= _MIN_WORDS
    ]
    keys = [(_normalised(section.heading), section) for section in sections]
    for key in asked:
        exact = [section for heading, section in keys if heading == key]
        if exact:
            return min(exact, key=lambda section: section.level)
    for key in asked:
        held = [
            (abs(len(heading) - len(key)), section.level, section) for heading, section in keys if _holds(heading, key)
        ]
        if held:
            nearest = min(held, key=lambda item: item[:2])
            rivals = [item for item in held if item[:2] == nearest[:2]]
            return nearest[2] if len(rivals) == 1 else None
    return None


def _holds(heading: str, key: str) -> bool:
    """Whether one of two headings clearly contains the other: at its beginning, or as a good part of it."""
    shorter, longer = sorted((heading, key), key=len)
    if len(shorter) < (4 if shorter.isascii() else _MIN_WORDS):
        return False
    return longer.startswith(shorter) or (shorter in longer and len(shorter) * 4 >= len(longer))


def _kinship(number: _Number, other: _Number) -> float:
    """How near two section numbers are: the same chapter, then the next number in it."""
    if not number or not other:
        return 0.0
    if number == other:
        return 100.0
    shared = next(
        (place for place, pair in enumerate(zip(number, other, strict=False)) if pair[0] != pair[1]),
        min(len(number), len(other)),
    )
    if shared == 0:
        return 50.0 if len(number) == len(other) == 1 and abs(number[0] - other[0]) == 1 else 0.0
    if len(number) == len(other) == shared + 1:
        return max(55.0, 75.0 - 5 * abs(number[shared] - other[shared]))
    return 65.0 if len(number) == shared else 50.0

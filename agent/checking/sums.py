"""Totals that are not the sum of their parts, and ranges of entries that are not as long as they are said to be.

Promises: parts count only where each of them counts what the total counts; time is linear in the text.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from agent.reading.quotations import bracketed, is_inside, shielded

_MIN_PARTS = 2
_BEFORE = 40  # characters before a bracket in which its total stands
_NEAR = 14

THINGS = (
    r"items?|points?|things|reasons?|questions?|steps?|stages?|phases?|takeaways?|lessons?|findings?|increments?|papers?|preprints?|notes?|files?|briefs?"
    r"|links?|leads?|warnings?|claims?|contradictions?|candidates?|sources?|entries|changes|problems?|issues?|conclusions?|conditions|rules?|principles?"
    r"|ways|options?|parts?|types|kinds|categories|features?|observations?|caveats?|tips|facts|ids|identifiers?|disputes?|cards?|limits|limitations|challenges"
)
ROUNDED = re.compile(
    r"(?:[约近前超第余每各另]|超过|至少|最多|不到|大概|其中|[≥≤≈~>]"
    r"|\b(?:about|around|some|over|nearly|almost|roughly|least|most|than|to|first|last|another|other|each|every|version|part|day|week|round|(?:of|in|from)(?: the| these| its| our)?))[\s(]{0,2}\Z",
    re.IGNORECASE,
)
CUT = re.compile(
    r"等(?=[\s)、,。;:\d个条件项种篇等]|\Z)|…|\.{3}|例如|比如|[如含](?= ?:)|包括|包含|代表|主要|部分|其余|另有|\betc\b|\bsuch as\b|\binclud|\be\.g"
    r"|\bfor example|\bamong\b|\bothers?\b|\bmore\b|\brest\b|\bselected\b|\bmain\b",
    re.IGNORECASE,
)
_SUM = re.compile(
    rf"(?P<number>\d{{1,4}}) ?(?P<measure>[个条项件篇份张则]|(?:[a-z-]{{2,14}} )?(?:{THINGS}))? ?\Z", re.IGNORECASE
)
_ADDEND = re.compile(r"[^\d]{0,40}?(?P<number>\d{1,4}) ?(?P<measure>[个条项件篇份张则])?(?P<word>[^\d]{0,40})")
_RANGE = re.compile(
    r"(?<![A-Za-z0-9_.])(?P<kind>[CDOT])(?P<first>\d{1,4}) ?[-–—~～至到] ?(?P=kind)(?P<last>\d{1,4}) ?[,(:]? ?(?:共|合计|计)? ?(?P<number>\d{1,4}) ?(?:[条个项]|entries|candidates|in all)"
)


class Sum(NamedTuple):
    """A total that its parts do not give, and where it stands with them."""

    start: int
    end: int
    announced: int
    counted: int


def sums(text: str) -> Iterator[Sum]:
    """Yield totals with their parts in the bracket behind ("12 (2 new + 9 cited)"), and ranges with their length ("C5-C9, 5 in all").

    Args:
        text: folded.
    """
    hidden = shielded(text)
    for start, end in bracketed(text):
        total = _SUM.search(text, max(0, start - _BEFORE), start)
        if (
            total is None
            or is_inside(hidden, start)
            or ROUNDED.search(text[max(0, total.start() - _NEAR) : total.start()])
        ):
            continue
        parts = [_ADDEND.fullmatch(part.strip()) for part in text[start + 1 : end - 1].split("+")]
        if len(parts) >= _MIN_PARTS and all(part and _is_part(part, total) for part in parts):
            counted = sum(int(part["number"]) for part in parts if part)
            if counted != int(total["number"]):
                yield Sum(total.start(), end, int(total["number"]), counted)
    for found in _RANGE.finditer(text):
        counted = int(found["last"]) - int(found["first"]) + 1
        if counted > 0 and counted != int(found["number"]) and not is_inside(hidden, found.start()):
            yield Sum(found.start(), found.end(), int(found["number"]), counted)


def _is_part(part: "re.Match[str]", total: "re.Match[str]") -> bool:
    """Whether an addend counts what the total counts: with its measure word, or before a word of what it is."""
    measure = total["measure"]
    if measure and len(measure) == len("个"):
        return part["measure"] == measure
    return not part["measure"] and part["word"].strip().replace(" ", "").isalpha() and not CUT.search(part.group())

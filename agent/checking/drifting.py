"""One distinctive number that stands with two units which cannot both be right: tokens and tokens/s, percent and points.

Promises: pure; a pair of numbers counts once; time is linear in the text.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from agent.checking.dispute import Dispute, as_stated
from agent.checking.metrics import is_change
from agent.checking.stance import stance_in
from agent.reading.measures import MeasureSpan, find_measures
from agent.reading.naming import WORD
from agent.reading.quantities import canonical_unit, fold, in_base
from agent.reading.showing import as_evidence
from agent.records import Claim
from agent.texts import Note, Unit

UNIT = "unit"  # the attribute of a claim whose subject is the number itself
_FIGURES = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?")
_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9.-]{2,}|[\u4e00-\u9fff]{2,}")
_NEAR = 60
_PER_SECOND_AHEAD = re.compile(r"(?:每秒|一秒|per second|a second)[^\d\n]{0,8}\Z", re.IGNORECASE)
_PER_SECOND_BEHIND = re.compile(
    r"[^\d\n,，;；。]{0,12}?(?:/\s?s(?![a-z])|每秒|(?:per|a|each|every) second)", re.IGNORECASE
)
_DRIFTING = (
    {"tokens", "tokens/s"}, {"requests", "requests/s"}, {"B", "B/s"}, {"bit", "bit/s"}, {"B", "bit"}, {"B/s", "bit/s"}, {"%", "pp"},
    {"%", "×"}, {"$", "CNY"},
)  # fmt: skip
_MAY_DRIFT = frozenset(chain.from_iterable(_DRIFTING)) | {"s"}


def unit_claims(note: Note, unit: Unit) -> Iterator[Claim]:
    """The numbers that two texts share hardly by chance, with a unit that is easily mistaken for another."""
    text = unit.text
    folded = fold(text)
    found = find_measures(text)
    for at, measure in enumerate(found):
        family, _ = in_base(measure.unit)
        figures = _FIGURES.search(folded, measure.start)
        if family not in _MAY_DRIFT or not figures or _is_smaller_of_pair(found, at, folded):
            continue
        digits = figures.group().replace(",", "")
        if not _is_distinctive(digits) or (family == "%" and not is_change(measure, folded)):
            continue
        said = text[measure.start : measure.end]
        yield Claim(
            kind="measure",
            subject=digits,
            attribute=UNIT,
            value=_unit_of(measure, folded),
            stance=stance_in(text, measure.start, measure.end),
            says=said if fold(measure.unit) in fold(said) else f"{said} {measure.unit}",
            evidence=as_evidence(note, unit),
        )


def _unit_of(measure: MeasureSpan, folded: str) -> str:
    """The unit of a number, with what stands around it: "2,400 tokens each second" is a rate."""
    unit = canonical_unit(measure.unit)
    is_rate = _PER_SECOND_AHEAD.search(folded[max(0, measure.start - 24) : measure.start]) or _PER_SECOND_BEHIND.match(
        folded, measure.end
    )
    return f"{unit}/s" if is_rate and f"{in_base(unit)[0]}/s" in _MAY_DRIFT else unit


def _is_smaller_of_pair(found: Sequence[MeasureSpan], at: int, folded: str) -> bool:
    """Whether a number is one of a pair whose other number is larger: a pair is disputed once."""
    near = [
        found[other] for other in (at - 1, at + 1) if 0 <= other < len(found) and found[other].unit == found[at].unit
    ]
    said = [folded[measure.start : measure.end] for measure in (found[at], *near)]
    are_pairs = [
        measure.baseline == said[0] or found[at].baseline == text or found[at].subject != measure.subject
        for measure, text in zip(near, said[1:], strict=True)
    ]
    return any(
        is_pair and abs(measure.value) > abs(found[at].value) for measure, is_pair in zip(near, are_pairs, strict=True)
    )


def _is_distinctive(digits: str) -> bool:
    """Whether a number has three significant digits or more, and is no power of two."""
    significant = digits.replace(".", "").strip("0")
    number = int(digits.replace(".", "") or 0)
    return len(significant) >= 3 and number & (number - 1) != 0


def unit_dispute(first: Claim, second: Claim) -> Dispute | None:
    """Return the dispute between two places of one number whose units are easily mistaken for each other."""
    if not _is_drifting(first.value, second.value) or not _share_words(first, second):
        return None
    return Dispute(
        rule="unit",
        kind="unit",
        about=_written(first.says),
        key=(first.subject, *sorted((first.value, second.value))),
        sides=(as_stated(first), as_stated(second)),
    )


def _written(said: str) -> str:
    """The number of a statement, without its unit."""
    figures = _FIGURES.search(fold(said))
    return figures.group() if figures else said


def _is_drifting(one: str, other: str) -> bool:
    mine, theirs = in_base(one), in_base(other)
    if mine[0] != theirs[0]:
        return {mine[0], theirs[0]} in _DRIFTING
    return max(mine[1], theirs[1]) >= 9 * min(mine[1], theirs[1])


def _share_words(first: Claim, second: Claim) -> bool:
    """Whether two numbers stand among the same names or words."""
    mine, theirs = (_words_near(claim) for claim in (first, second))
    shared = mine & theirs
    return any(word[0].isascii() for word in shared) or len(shared) > 1


def _words_near(claim: Claim) -> set[str]:
    folded, said = fold(claim.evidence.quote), fold(claim.says).split()[0]
    at = max(0, folded.find(said))
    near = folded[max(0, at - _NEAR) : at + len(said) + _NEAR].replace(said, " ")
    words = {word.group().casefold() for word in WORD.finditer(near) if len(word.group()) > 2}
    for run in _WORDS.findall(near):
        if not run[0].isascii():
            words |= {run[place : place + 2] for place in range(len(run) - 1)}
    return words - {"tok", "token", "tokens", "the", "and", "for", "with", "vs"}

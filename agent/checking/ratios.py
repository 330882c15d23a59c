"""Arithmetic that a text states and does not keep: a ratio and its two numbers, a sum and its terms, shares that make 100 %.

Promises: pure; rounding, truncation and bounds excuse a number; time is linear in the text.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from agent.checking.dispute import Dispute, Hand, Stated
from agent.checking.stance import stance_in
from agent.reading.measures import MeasureSpan, RatioLink, find_measures, linked_ratios
from agent.reading.quantities import canonical_unit, fold, in_base
from agent.reading.showing import as_evidence
from agent.texts import Note, Unit

_TRUNCATED = 0.04  # by this much of it a ratio may be off: 2.367 is told as 2.3
_NEARLY_TOLD = 0.08  # by this much a ratio told in a clause of its own may be off
_TOLD_APART = 40  # characters between what was and what is
_TOLD_REACH = 36  # characters behind them in which the ratio is told
_TIMES = {
    "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "seven": 7.0, "eight": 8.0, "nine": 9.0, "ten": 10.0, "half": 2.0,
    "doubl": 2.0, "halv": 2.0, "tripl": 3.0, "quadrupl": 4.0, "减半": 2.0, "翻倍": 2.0, "翻番": 2.0,
}  # fmt: skip
_WORDED = re.compile(
    r"(?<![A-Za-z0-9.])(?:(?P<number>two|three|four|five|six|seven|eight|nine|ten|[0-9]{1,3})(?:[ -]?fold|[ -]times(?= (?:less|fewer|faster|slower|smaller|larger|cheaper|more|lower|higher|better|quicker|shorter)))(?![a-z])"
    r"|(?P<word>doubl|halv|tripl|quadrupl)(?:es?|ed|ing)(?![a-z]))|(?P<han>减半|翻倍|翻番)",
    re.IGNORECASE,
)
_BECOMES = re.compile(
    r"→|->|[变改降减缩升增提压砍涨][至到为成]|(?<![a-z])(?:becomes?|became|to|down to|up to|in place of|instead of|rather than)(?![a-z])",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"(?P<before>(?:之|以|改|此|优化|升级)前|原来|原先|(?<![a-z])(?:before|previously|formerly|used to|was|were|drew|took|cost)(?![a-z]))"
    r"|(?P<after>(?:之|以|改|此|优化|升级)后|现在|如今|(?<![a-z])(?:after(?:wards)?|now|then)(?![a-z]))",
    re.IGNORECASE,
)
_SAVED = re.compile(
    r"[省减降少快慢提增升多缩涨翻]|(?<![a-z])(?:sav(?:es?|ed|ings?)|less|fewer|lower|smaller|shorter|cheaper|faster|slower|higher|larger|more|reductions?|reduced|cuts?|drops?|gains?|increases?|decreases?|improvements?|speed-?up)(?![a-z])",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[。;!?\n|]|\.\s|\s[-•·]\s")
_ITEM_JOINT = re.compile(r"\s[-•·]\s")  # begins another item of the line
_SILENT = frozenset({"code", "rule", "comment", "front_matter"})
_NUMBER = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,3}|[0-9]{1,9})(?:\.[0-9]{1,4})?"
_NOUN = r"(?:\s?[^\W\d_]{1,8})?\s?"
_TERMS = rf"{_NUMBER}{_NOUN}(?:\+\s?{_NUMBER}{_NOUN}){{1,9}}"
_SUMS = (
    re.compile(
        rf"(?<![\w.,/§#+*-])(?P<sum>{_NUMBER})(?P<noun>{_NOUN})[(=]\s?(?:=\s?)?(?P<terms>{_TERMS})(?=[),;。、]|\s?$)"
    ),
    re.compile(rf"(?<![\w.,/§#+*-])(?P<terms>{_TERMS})=\s?(?P<sum>{_NUMBER})(?P<noun>{_NOUN})(?![\w.+*/-])"),
)
_FIGURE = re.compile(_NUMBER)
_WORD = re.compile(r"[^\W\d_]+")
_NO_SUM = re.compile(r"第|平均|均值|average|mean|avg|max|版本|version|§", re.IGNORECASE)
_WHOLE = re.compile(
    r"(?:合计|总计|共计|总和|加起来|相加)(?:为|是|得|正好|恰好)?\s?[:=]?\s?100(?:\.0+)?\s?%"
    r"|(?:sums?|adds?|adding|summing|totals?|totall?ing)\s(?:up\s)?(?:to\s)?100(?:\.0+)?\s?(?:%|percent)",
    re.IGNORECASE,
)


def disputes(hand: Hand) -> Iterator[Dispute]:
    """Yield what a text's own numbers do not give."""
    for segment in hand.segments:
        for place, unit in enumerate(segment.units):
            if unit.kind in _SILENT:
                continue
            yield from _ratios(hand.note, unit)
            yield from _tellings(hand.note, unit)
            yield from _sums(hand.note, unit)
            yield from _shares(hand.note, unit, segment.units[place + 1 :])


def _ratios(note: Note, unit: Unit) -> Iterator[Dispute]:
    found = find_measures(unit.text)
    for link in linked_ratios(found, unit.text):
        if (
            link.holds
            or _is_nearly(link)
            or _ITEM_JOINT.search(unit.text, link.right.end, link.ratio.start)
            or stance_in(unit.text, link.ratio.start, link.ratio.end) == "rejected"
        ):
            continue
        spans = (link.left, link.right, link.ratio)
        said = unit.text[min(span.start for span in spans) : max(span.end for span in spans)]
        sign = "%" if canonical_unit(link.ratio.unit) == "%" else "×"
        yield _dispute(
            note,
            unit,
            said,
            about=_about(link, unit.text),
            stated=unit.text[link.ratio.start : link.ratio.end],
            expected=f"{_plainly(link.expected)}{sign}",
        )


def _tellings(note: Note, unit: Unit) -> Iterator[Dispute]:
    """Ratios told in words, or behind two numbers told in two clauses ("120 ms before, 40 ms after: four times faster")."""
    found, folded = find_measures(unit.text), fold(unit.text)
    linked = {(link.left.start, link.right.start) for link in linked_ratios(found, unit.text)}
    for left, right in pairwise(found):
        if (left.start, right.start) in linked or not _are_before_and_after(folded, left, right):
            continue
        following = next((one for one in found if one.start > right.start), None)
        told = _told_ratio(folded, right.end, following)
        if told is None or _fits(told, *(abs(one.value) * _factor(one) for one in (left, right))):
            continue
        if stance_in(unit.text, left.start, told.end) == "rejected":
            continue
        was, became = (abs(one.value) * _factor(one) for one in (left, right))
        ratio = max(was, became) / min(was, became)
        change = 100 * abs(became - was) / was
        yield _dispute(
            note,
            unit,
            unit.text[left.start : told.end],
            about=left.metric or right.metric or f"{_written(left, unit.text)} / {_written(right, unit.text)}",
            stated=unit.text[told.start : told.end],
            expected=f"{_plainly(change)}%" if told.is_change else f"{_plainly(ratio)}×",
        )


class _Told(NamedTuple):
    """A ratio as it is told; nobody means by an exact one ("threefold", "halved") that something grew by so much."""

    value: float
    start: int
    end: int
    is_change: bool = False
    is_exact: bool = False


def _factor(measure: MeasureSpan) -> float:
    return in_base(measure.unit)[1]


def _are_before_and_after(folded: str, left: MeasureSpan, right: MeasureSpan) -> bool:
    """Whether two numbers of one kind are what something was and what it became."""
    kinds = {in_base(one.unit)[0] for one in (left, right)}
    gap = folded[left.end : right.start]
    if len(kinds) != 1 or kinds & {"", "%", "×", "pp"} or len(gap) > _TOLD_APART or not (left.value and right.value):
        return False
    if any(one.comparator not in ("", "=") for one in (left, right)) or _SENTENCE_END.search(gap):
        return False
    around = f"{folded[max(0, left.start - 12) : left.start]} {gap} {folded[right.end : right.end + 10]}"
    return _BECOMES.search(gap) is not None or len({match.lastgroup for match in _WHEN.finditer(around)}) == len("ab")


def _told_ratio(folded: str, at: int, following: MeasureSpan | None) -> _Told | None:
    """The ratio that is told next, in words or in figures, where nothing else is told before."""
    stop = _SENTENCE_END.search(folded, at, at + _TOLD_REACH)
    limit = stop.start() if stop else min(len(folded), at + _TOLD_REACH)
    worded = _WORDED.search(folded, at, min(len(folded), limit + 12))
    until = worded.start() if worded and worded.start() < limit else limit
    if following is not None and following.start < until:
        kind = canonical_unit(following.unit)
        around = folded[at : following.start] + folded[following.end : following.end + 16]
        is_told = kind in {"%", "×"} and following.comparator in ("", "=") and _SAVED.search(around)
        return _Told(abs(following.value), following.start, following.end, is_change=kind == "%") if is_told else None
    if worded is None or until == limit or _FIGURE.search(folded, at, worded.start()):
        return None
    number = worded["number"]
    value = (
        float(number)
        if number and number.isdigit()
        else _TIMES.get((number or worded["word"] or worded["han"]).lower(), 0.0)
    )
    is_exact = not number or worded.group().lower().endswith("fold")
    return _Told(value, worded.start(), worded.end(), is_exact=is_exact) if value else None


def _fits(told: _Told, one: float, other: float) -> bool:
    """Whether a ratio is what two numbers give, in any of the ways in which people tell it."""
    high, low = max(one, other), min(one, other)
    ways = [100 * (high - low) / high, 100 * (high - low) / low] if told.is_change else [high / low]
    if not told.is_exact:
        ways += [100 * low / high] if told.is_change else [high / low - 1]
    return any(abs(way - told.value) <= max(_NEARLY_TOLD * way, 0.6 if told.is_change else 0.06) for way in ways)


def _is_nearly(link: RatioLink) -> bool:
    return abs(link.expected - abs(link.ratio.value)) <= _TRUNCATED * abs(link.ratio.value)


def _about(link: RatioLink, text: str) -> str:
    """What the numbers measure, else the numbers."""
    named = " ".join(filter(None, (link.left.subject or link.right.subject, link.left.metric or link.right.metric)))
    return named or f"{_written(link.left, text)} / {_written(link.right, text)}"


def _written(measure: MeasureSpan, text: str) -> str:
    return text[measure.start : measure.end]


def _sums(note: Note, unit: Unit) -> Iterator[Dispute]:
    folded = fold(unit.text)
    if "+" not in folded:
        return
    for pattern in _SUMS:
        for match in pattern.finditer(folded):
            terms = [_value(term) for term in _FIGURE.findall(match["terms"])]
            total, stated = sum(terms), _value(match["sum"])
            around = folded[max(0, match.start() - 12) : match.end() + 6]
            if _NO_SUM.search(around) or not _is_of_one_kind(match) or _is_even(total, stated, match.group()):
                continue
            if stated == len(terms) or stance_in(unit.text, match.start(), match.end()) == "rejected":
                continue  # "3 groups (7+5+8)" counts the terms
            end = match.end() + (folded[match.end() : match.end() + 1] == ")")
            yield _dispute(
                note,
                unit,
                unit.text[match.start() : end],
                about=unit.text[match.start("terms") : match.end("terms")].strip(),
                stated=match["sum"],
                expected=_plainly(total),
            )


def _is_of_one_kind(match: "re.Match[str]") -> bool:
    """Whether sum and terms count alike, as far as they say so: scale letters and units stand with all of them or none."""
    nouns = {word for word in _WORD.findall(f"{match['noun']} {match['terms']}") if word.isascii()}
    written = len(_WORD.findall(match["noun"])) + len(_WORD.findall(match["terms"]))
    is_once = written == 1 and len(next(iter(nouns), "")) > 2
    return not nouns or (len(nouns) == 1 and (is_once or written == len(_FIGURE.findall(match["terms"])) + 1))


def _is_even(total: float, stated: float, text: str) -> bool:
    """Whether a sum is right to half a unit of the last digit of each number."""
    figures = _FIGURE.findall(text)
    margin = sum(0.5 * 10.0 ** -len(figure.partition(".")[2]) for figure in figures) if "." in text else 0.0
    return abs(total - stated) <= margin + 1e-9 * abs(stated)


def _value(figure: str) -> float:
    return float(figure.replace(",", ""))


def _shares(note: Note, unit: Unit, following: Sequence[Unit]) -> Iterator[Dispute]:
    """A list of shares that is said to make 100 %: those of the sentence, else those of the items below it."""
    folded = fold(unit.text)
    whole = _WHOLE.search(folded)
    if not whole:
        return
    own = [share for share in _percentages(unit) if not whole.start() <= share.start < whole.end()]
    below = [] if own else _below(following)
    shares = own or below
    total = sum(share.value for share in shares)
    margin = 0.5 * len(shares) * (0.1 if any(not share.value.is_integer() for share in shares) else 1) + 0.1
    if len(shares) < 3 or any(share.comparator not in ("", "=") for share in shares) or abs(total - 100) <= margin:
        return
    said = unit.text if len(unit.text) <= 80 else unit.text[whole.start() : whole.end()]
    yield _dispute(note, unit, said, about=whole.group(), stated="100%", expected=f"{_plainly(total)}%")


def _below(following: Sequence[Unit]) -> list[MeasureSpan]:
    items = list(takewhile(lambda unit: unit.kind in ("item", "row", "rule"), following))
    found = [_percentages(unit) for unit in items if unit.kind != "rule"]
    return [shares[0] for shares in found] if all(len(shares) == 1 for shares in found) else []


def _percentages(unit: Unit) -> list[MeasureSpan]:
    return [measure for measure in find_measures(unit.text) if canonical_unit(measure.unit) == "%"]


def _plainly(value: float) -> str:
    """Two decimals at most, none where none is needed."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _dispute(note: Note, unit: Unit, said: str, *, about: str, stated: str, expected: str) -> Dispute:
    return Dispute(
        rule="ratio",
        kind="arithmetic",
        about=about,
        key=(*sorted(_FIGURE.findall(fold(said))), expected),  # a copy in other words carries the same slip
        sides=(Stated(said, as_evidence(note, unit)),),
        details={"stated": stated, "expected": expected},
    )

"""What should be asked where a text gives a figure without its conditions, and another one gives the same otherwise with them.

The text that lacks the conditions says so itself. Promises: pure and symmetric; a question at most; several figures of the text
that could be meant raise none.
"""

import re
from collections.abc import Iterator, Sequence

from agent.checking.dispute import Dispute
from agent.checking.metrics import CONCEPT
from agent.reading.identifiers import fold_full_width
from agent.reconciling.told import Told, are_of_other_times, disputed, share_lead
from agent.reconciling.values import Value

_APART = 0.1  # share by which two values differ, for it to matter
_FAR = 20.0  # times by which two figures differ that hardly measure one thing
_RATE = re.compile(r"每秒|/\s?s(?![a-z])|/\s?秒|(?<![a-z])(?:per|a|each|every) second(?![a-z])", re.IGNORECASE)
_TEST = re.compile(r"(?<![A-Za-z0-9])[A-Z][a-z]{1,15}[A-Z][A-Za-z0-9]{1,15}(?:-[A-Za-z0-9]{1,8})?(?![A-Za-z0-9])")
_MODEL = re.compile(r"(?<![A-Za-z0-9])[A-Z][A-Za-z]{2,20}-?\d{1,4}(?:\.\d)?[BM](?![A-Za-z])")


def unstated(one: Told, other: Told) -> Dispute | None:
    """Return the question about the figure of a text that leaves its conditions out, or None."""
    if one.is_lacking == other.is_lacking or one.is_rejecting or other.is_rejecting or are_of_other_times(one, other):
        return None
    bare, full = (one, other) if one.is_lacking else (other, one)
    lead = one.traits.subject.lead
    is_on_one = (
        bool(lead) and lead == other.traits.subject.lead and all(lead in told.traits.names for told in (one, other))
    )
    if not (is_on_one or share_lead(one, other) or _models(one) & _models(other)):
        return None
    found = [(value, rivals) for value in bare.values if value.is_telling and (rivals := _rivals(value, full))]
    if len(found) != 1:
        return None
    value, rivals = found[0]
    topics = _topics(value.said)
    said = [clause for rival in rivals for clause in rival.said.split("\n")]
    said += [text for text in full.traits.texts if _topics(text) & topics]
    sides = {bare is one: bare.where(value.said.split("\n")), bare is not one: full.where(said)}
    written = sorted(f"{number.amount[1]:g}{number.amount[0]}" for number in (value, rivals[0]))
    return disputed("value-conditions", "conditions", (one, other), (sides[True], sides[False]), written)


def _rivals(value: Value, full: Told) -> Sequence[Value]:
    """The figures of a text that measure the same and differ; none where it has the same figure too."""
    alike = list(_alike(value, full))
    number = value.amount[1]
    if any(abs(rival.amount[1] - number) <= _APART * max(rival.amount[1], number) for rival in alike):
        return ()
    return [rival for rival in alike if max(rival.amount[1], number) <= _FAR * min(rival.amount[1], number)]


def _alike(value: Value, full: Told) -> Iterator[Value]:
    topics = _topics(value.said)
    for rival in full.values:
        if _unit(rival) == _unit(value) and rival.is_telling and topics & _topics(f"{rival.said}\n{_above(full)}"):
            yield rival


def _above(told: Told) -> str:
    """What rules a whole finding: its title and the first lines below it."""
    return "\n".join(told.traits.texts[:3])


def _unit(value: Value) -> str:
    unit = value.amount[0]
    return f"{unit}/s" if unit == "tokens" and _RATE.search(value.said) else unit


def _topics(said: str) -> frozenset[str]:
    """What a text measures: metrics, so many a second, tests by their names."""
    folded = fold_full_width(said)
    found = {match.lastgroup or "" for match in CONCEPT.finditer(folded)}
    found.update(match.group().casefold() for match in _TEST.finditer(folded))
    return frozenset(found | ({"rate"} if _RATE.search(folded) else set()))


def _models(told: Told) -> frozenset[str]:
    return frozenset(match.group().casefold() for match in _MODEL.finditer(told.text))

"""Headings of findings that give a figure or name what the finding is about: what stands there alone is cited from there.

Such a claim is held against nothing itself. Promises: one claim for each finding at most; time is linear in the text.
"""

import re
from collections.abc import Iterator

from agent.checking.dispute import Hand
from agent.reading.showing import as_evidence, cut, plain
from agent.records import Claim

HEADING = "heading"  # the attribute of these claims
_FIGURE = re.compile(r"(?<![A-Za-z0-9])[0-9]")
_NAME = re.compile(r"(?<![A-Za-z0-9])[A-Z][A-Za-z]{2,20}-?[0-9]{1,4}|[《「“\"][\u3400-\u9fff]{2,12}[》」”\"]")
_SAYS = 120


def claims(hand: Hand) -> Iterator[Claim]:
    """Yield the headings of findings whose title has a figure, else the first one within a finding that names something."""
    for segment in hand.findings if not hand.is_document else ():
        heading = segment.heading if _FIGURE.search(segment.title) else None
        if heading is None:
            heading = next((unit for unit in segment.units if unit.kind == "heading" and _NAME.search(unit.text)), None)
        if heading is not None:
            yield Claim(
                kind="measure",
                subject=segment.title.casefold(),
                attribute=HEADING,
                value=segment.title.casefold(),
                says=cut(plain(heading.text), _SAYS),
                evidence=as_evidence(hand.note, heading),
            )

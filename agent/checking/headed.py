"""Headings of findings that give a figure: what stands there alone is cited from there.

Such a claim is held against nothing itself. Promises: one claim for each finding at most; time is linear in the text.
"""

import re
from collections.abc import Iterator

from agent.checking.dispute import Hand
from agent.reading.showing import as_evidence, cut, plain
from agent.records import Claim

HEADING = "heading"  # the attribute of these claims
_FIGURE = re.compile(r"(?<![A-Za-z0-9])[0-9]")
_SAYS = 120


def claims(hand: Hand) -> Iterator[Claim]:
    """Yield the headings of findings whose title has a figure."""
    for segment in hand.findings if not hand.is_document else ():
        if segment.heading is not None and _FIGURE.search(segment.title):
            yield Claim(
                kind="measure",
                subject=segment.title.casefold(),
                attribute=HEADING,
                value=segment.title.casefold(),
                says=cut(plain(segment.heading.text), _SAYS),
                evidence=as_evidence(hand.note, segment.heading),
            )

"""Placements in running text: "goes to inference.md §3.3", "归 serving.md 7.3", without a label before them.

A verb of filing has to stand right before the place, so a section that is only referred to is none. Time is linear.
"""

import re
from collections.abc import Sequence

from agent.reading.placements import StatedPlacement, stated_placements

_VERB = re.compile(
    r"(?:归入|归到|归在|归进|并入|放到|放进|放入|写进|写入|补到|补进|补入|收进|收入|加到|加进|记入|移到|挂到|归(?= ?[A-Za-z0-9§第]))"
    r"(?: ?(?:活文档|知识库|文档))?[ 「“]?"
    r"|\b(?:goes|go|belongs?|fits?|filed?|put|add(?:ed)?|append(?:ed)?|moved?|merged?|placed?)(?: (?:it|this|that))?"
    r"(?: (?:well|best|in|into|to|under|at|with|on)){0,3}(?: the)?(?: living document| knowledge base)? ",
    re.IGNORECASE,
)
_REACH = 120  # characters behind a verb


def filed_under(text: str, *, topics: Sequence[str] = ()) -> tuple[StatedPlacement, ...]:
    """Return the sections of documents that `text` files something under, in order; offsets are those of `text`.

    Args:
        text: a paragraph, an item, a sentence.
        topics: stems of the living documents.
    """
    found: dict[tuple[str | None, str], StatedPlacement] = {}
    for verb in _VERB.finditer(text):
        for one in stated_placements(text[verb.end() : verb.end() + _REACH], topics=topics):
            if one.section and one.document:
                placed = StatedPlacement(
                    one.document,
                    one.section,
                    one.number,
                    one.action,
                    one.text,
                    verb.end() + one.start,
                    verb.end() + one.end,
                )
                found.setdefault((one.document, one.section), placed)
    return tuple(found.values())

"""The figures of a score: each a count or a share, so that those of many notes add up.

Totals are sums of counts, never means of shares: a note with ten increments weighs ten times one with a single increment.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from agent.record import Record
from agent.records import Usage

Better = Literal["more", "fewer", "neither"]

_MOST = 10**15
_Count = Annotated[int, Field(ge=0, le=_MOST)]
_Amount = Annotated[float, Field(ge=0, le=_MOST, allow_inf_nan=False)]


class Figure(Record):
    """A count (`whole` is null) or a share: `value` is part by whole, and 1 where there was nothing to find."""

    value: _Amount
    part: _Count | _Amount
    whole: _Count | None = None

    @property
    def is_measured(self) -> bool:
        """There was something to find."""
        return self.whole != 0


Figures = Mapping[str, Figure]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a figure says, for people, and in which direction it gets better."""

    says: str
    better: Better = "more"
    is_cost: bool = False


NOTE_FIGURES: Mapping[str, Meaning] = {
    "f1": Meaning("increments, recall and precision in one"),
    "increments_recall": Meaning("gold increments found"),
    "increments_precision": Meaning("increments reported that are a gold one, each counted once"),
    "split": Meaning("increments that repeat a gold one", "fewer"),
    "spurious": Meaning("increments outside all gold ones", "fewer"),
    "process_as_increment": Meaning("increments about the relay itself", "fewer"),
    "notes_without_increments_kept_empty": Meaning("notes without increments that got none"),
    "false_evidence": Meaning("quotes that the note does not have there", "fewer"),
    "stars_exact": Meaning("ratings that are the note's own"),
    "placements": Meaning("gold increments with a right section"),
    "relation_exact": Meaning("relations to the living document that are right"),
    "increment_ids": Meaning("gold increments with all their arXiv IDs"),
    "arxiv_recall": Meaning("arXiv IDs of the note found"),
    "arxiv_precision": Meaning("arXiv IDs reported that the note has"),
    "to_verify_recall": Meaning("claims to verify found"),
    "inside_contradictions_recall": Meaning("contradictions of a note with itself found"),
    "inside_contradictions_reported": Meaning("contradictions of a note with itself reported", "neither"),
    "dropped": Meaning("statements of the model that the note does not bear out", "fewer"),
    "segments_failed": Meaning("segments without a usable reply", "fewer"),
    "notes_scored": Meaning("notes that could be read to the end"),
    "calls": Meaning("model calls", "fewer", is_cost=True),
    "prompt_tokens": Meaning("tokens in", "fewer", is_cost=True),
    "cached_tokens": Meaning("tokens in that the endpoint had seen before", "neither", is_cost=True),
    "completion_tokens": Meaning("tokens out", "fewer", is_cost=True),
    "seconds": Meaning("seconds, remembered replies taking none", "fewer", is_cost=True),
}
PAIR_FIGURES: Mapping[str, Meaning] = {
    "digest_recall": Meaning("gold increments found after merging"),
    "digest_increments": Meaning("increments after merging", "neither"),
    "merged_same": Meaning("pairs of one finding that were merged"),
    "wrongly_merged": Meaning("pairs of different findings that were merged", "fewer"),
    "origins_exact": Meaning("findings with the right number of origins"),
    "cross_contradictions_recall": Meaning("contradictions between notes found"),
    "digest_contradictions": Meaning("contradictions reported", "neither"),
    "digest_false_evidence": Meaning("quotes after merging that the note does not have there", "fewer"),
}
MEANINGS: Mapping[str, Meaning] = {**NOTE_FIGURES, **PAIR_FIGURES}


def share(part: int, whole: int) -> Figure:
    """Return part by whole, rounded to four places."""
    return Figure(value=round(part / whole, 4) if whole else 1.0, part=part, whole=whole)


def count(number: float) -> Figure:
    """Return a figure that is a plain number."""
    return Figure(value=number, part=number)


def spent(usage: Usage, *, seconds: float) -> dict[str, Figure]:
    """Return what reading a note has cost, as figures."""
    return {
        "calls": count(usage.calls),
        "prompt_tokens": count(usage.prompt_tokens),
        "cached_tokens": count(usage.cached_tokens),
        "completion_tokens": count(usage.completion_tokens),
        "seconds": count(round(seconds, 3)),
    }


def summed(many: Iterable[Figures]) -> dict[str, Figure]:
    """Add figures up by name; counts are added, and shares are taken of the added counts."""
    together: dict[str, Figure] = {}
    for figures in many:
        for name, figure in figures.items():
            together[name] = _added(together[name], figure) if name in together else figure
    return together


def _added(one: Figure, other: Figure) -> Figure:
    if one.whole is None or other.whole is None:
        return count(round(one.part + other.part, 3))
    return share(int(one.part + other.part), one.whole + other.whole)

"""Holds what an extraction points at against gold answers, by one rule for everybody.

A prediction is a list of spans of the note. It lies in a gold increment when more than half of the lines that its spans
touch are among that increment's lines; a prediction without a span lies nowhere. The first prediction in a gold increment
finds it. Any further one there is a split, and counts against precision like a prediction that lies in none.

    recall = gold increments found / gold increments        precision = gold increments found / predictions

Wording is never compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import yaml

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Gold:
    """The answer for one note: the first and last line of each increment, 1-based, both inside."""

    note: str
    ranges: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """How many there were, and what became of the predictions; `unplaced` have no span and are among the `false`."""

    gold: int = 0
    predicted: int = 0
    found: int = 0
    splits: int = 0
    unplaced: int = 0

    def __add__(self, other: Self) -> "Score":
        return Score(
            gold=self.gold + other.gold,
            predicted=self.predicted + other.predicted,
            found=self.found + other.found,
            splits=self.splits + other.splits,
            unplaced=self.unplaced + other.unplaced,
        )

    @property
    def false(self) -> int:
        return self.predicted - self.found - self.splits

    @property
    def recall(self) -> float:
        return self.found / self.gold if self.gold else 1.0

    @property
    def precision(self) -> float:
        """Of no prediction it is 0 where there was something to find, so that silence beats nobody."""
        return self.found / self.predicted if self.predicted else float(not self.gold)


def read_gold(folder: Path) -> list[Gold]:
    """Return the answers of a folder by file name; files about several notes are passed over."""
    read = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.yaml"))]
    return [
        Gold(
            note=str(one["note"]),
            ranges=tuple((first, last) for first, last in (i["lines"] for i in one["increments"])),
        )
        for one in read
        if "note" in one
    ]


def lines_of(text: str, spans: Sequence[Span]) -> set[int]:
    """Return the 1-based lines that half open spans touch."""
    return {
        line
        for start, end in spans
        if start < end
        for line in range(text.count("\n", 0, start) + 1, text.count("\n", 0, end - 1) + 2)
    }


def score(text: str, gold: Gold, predictions: Sequence[Sequence[Span]]) -> Score:
    """Return how well the predictions for one note fit its answer."""
    placed = [lines_of(text, spans) for spans in predictions]
    homes = [_home(lines, gold.ranges) for lines in placed]
    inside = [home for home in homes if home is not None]
    return Score(
        gold=len(gold.ranges),
        predicted=len(predictions),
        found=len(set(inside)),
        splits=len(inside) - len(set(inside)),
        unplaced=sum(not lines for lines in placed),
    )


def _home(lines: set[int], ranges: Sequence[Span]) -> Span | None:
    inside = (each for each in ranges if 2 * sum(each[0] <= line <= each[1] for line in lines) > len(lines))
    return next(inside, None)

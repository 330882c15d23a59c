"""Scores what was extracted from one note against its gold answers.

A reported increment belongs to the gold increment that holds most of its evidence, line by line; wording is never compared.
Promises: the order of what was reported changes nothing; what a failed note should have yielded counts as not found.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.evaluating.figures import Figure, count, share
from agent.evaluating.gold import Gold, GoldIncrement, GoldPassage, GoldPlacement, Lines
from agent.reading.sections import numeral
from agent.records import Contradiction, Evidence, Extraction, Increment, Language, Placement, Side, ToVerify

OUTSIDE = ""
"""Where evidence belongs that lies in no gold passage."""

_LINE_END = re.compile(r"\r\n|\n|\r")
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9}){0,9}")
_NUMERAL = re.compile(r"[〇零一二两三四五六七八九十百]{1,7}")
_IDEOGRAPH = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]{0,40}")


@dataclass(frozen=True, slots=True)
class Ruled:
    """A note with its lines, so that offsets can be held against the lines of gold answers."""

    path: str
    text: str
    starts: tuple[int, ...]

    def touches(self, span: Evidence, lines: Lines) -> bool:
        """Whether a quote from this note has a line in common with some lines of it."""
        if span.note != self.path:
            return False
        first = bisect_right(self.starts, span.start)
        last = bisect_right(self.starts, max(span.start, span.end - 1))
        return first <= lines[1] and last >= lines[0]


def ruled(path: str, text: str) -> Ruled:
    """Find the lines of a note."""
    return Ruled(path, text, (0, *(match.end() for match in _LINE_END.finditer(text))))


def score_note(gold: Gold, note: Ruled, extraction: Extraction) -> dict[str, Figure]:
    """Score one extraction; the figures that concern the note's content, by name."""
    reported = extraction.increments
    belongs = sort_out(gold, note, reported)
    found = belongs.found
    rated = [one for one in gold.increments if one.stars is not None]
    related = [one for one in gold.increments if one.relation is not None]
    mentioned = {one.id for one in extraction.arxiv}
    has_none = not gold.increments

    def right(wanted: Sequence[GoldIncrement], fits: Callable[[GoldIncrement, Increment], bool]) -> Figure:
        return share(sum(one.id in found and fits(one, found[one.id]) for one in wanted), len(wanted))

    return {
        "f1": share(2 * len(found), len(gold.increments) + len(reported)),
        "increments_recall": share(len(found), len(gold.increments)),
        "increments_precision": share(len(found), len(reported)),
        "split": count(belongs.split),
        "spurious": count(belongs.spurious),
        "process_as_increment": count(belongs.process),
        "notes_without_increments_kept_empty": share(int(has_none and not reported), int(has_none)),
        "false_evidence": count(false_evidence(note, reported)),
        "stars_exact": right(rated, lambda one, increment: _stars(increment) == one.stars),
        "placements": right(gold.increments, _is_placed),
        "relation_exact": right(related, lambda one, increment: increment.relation == one.relation),
        "increment_ids": right(gold.increments, lambda one, increment: set(one.arxiv) <= set(increment.arxiv_ids)),
        "arxiv_recall": share(len(mentioned & set(gold.arxiv_all)), len(set(gold.arxiv_all))),
        "arxiv_precision": share(len(mentioned & {*gold.arxiv_all, *gold.arxiv_from_paper_cards}), len(mentioned)),
        "to_verify_recall": share(_verified(gold, note, extraction.to_verify), len(gold.to_verify)),
        "inside_contradictions_recall": share(
            _contradicted(gold, note, extraction.contradictions), len(gold.inside_contradictions)
        ),
        "inside_contradictions_reported": count(len(extraction.contradictions)),
        "dropped": count(len(extraction.dropped)),
        "segments_failed": count(len(extraction.segments_failed)),
        "notes_scored": share(int(not extraction.segments_failed), 1),
    }


def score_failure(gold: Gold) -> dict[str, Figure]:
    """Score a note that could not be read: all that it has counts as not found, and it is not kept empty either."""
    figures = score_note(gold, ruled(gold.note, ""), nothing(gold))
    kept = share(0, int(not gold.increments))
    return figures | {"notes_without_increments_kept_empty": kept, "notes_scored": share(0, 1)}


def nothing(gold: Gold) -> Extraction:
    """Return an extraction of a note that found nothing."""
    return Extraction(note=gold.note, agent=gold.agent, date=gold.date, sha256="", engine="none")


@dataclass(frozen=True, slots=True)
class Sorted:
    """Where reported increments belong.

    Attributes:
        found: gold increments by id, each with the first reported increment that belongs to it.
        split: how many belong to one that another belongs to already.
        spurious: how many belong nowhere.
        process: how many belong to what a note says about the relay itself.
    """

    found: Mapping[str, Increment]
    split: int
    spurious: int
    process: int


def sort_out(gold: Gold, note: Ruled, reported: Iterable[Increment]) -> Sorted:
    """Give each reported increment to the gold passage that holds most of its evidence."""
    found: dict[str, Increment] = {}
    split = spurious = process = 0
    about_relay = {one.id for one in gold.process_notes}
    for increment in sorted(reported, key=_place):
        hits = passages_hit(gold, note, increment)
        best = max(hits, key=lambda name: hits[name], default=OUTSIDE)
        if best == OUTSIDE:
            spurious += 1
        elif best in about_relay:
            process += 1
        elif best in found:
            split += 1
        else:
            found[best] = increment
    return Sorted(found, split, spurious, process)


def passages_hit(gold: Gold, note: Ruled, increment: Increment) -> Counter[str]:
    """Count by gold passage how many quotes of an increment lie in it; those of other notes are left out."""
    spans = [span for span in increment.evidence if span.note == note.path]
    return Counter(_passage(gold.passages, note, span) for span in spans)


def false_evidence(note: Ruled, reported: Iterable[Increment]) -> int:
    """Count the quotes that are not what the note has at their offsets."""
    spans = (span for increment in reported for span in increment.evidence if span.note == note.path)
    return sum(note.text[span.start : span.end] != span.quote for span in spans)


def names_passages(note: Ruled, sides: Sequence[Side], passages: Sequence[Lines]) -> int:
    """Count the passages of a note that a contradiction quotes."""
    return sum(any(note.touches(side, lines) for side in sides) for lines in passages)


def language_of(text: str) -> Language:
    """Return the language that most of a note's words are in, an ideograph counting as half a word."""
    return "zh" if len(_IDEOGRAPH.findall(text)) >= 2 * len(_WORD.findall(text)) else "en"


def misfits(gold: Gold, note: Ruled) -> tuple[str, ...]:
    """Say which gold passages do not fit the note as it is now: lines it does not have, keys that are not in them."""
    return tuple(said for one in (*gold.passages, *gold.to_verify) if (said := _misfit(one, note)))


def _misfit(passage: GoldPassage, note: Ruled) -> str:
    first, last = passage.lines
    if last > len(note.starts):
        return f"{passage.id!r} ends in line {last}, and the note has {len(note.starts)}."
    if passage.key not in note.text[note.starts[first - 1] : (*note.starts, len(note.text))[last]]:
        return f"{passage.id!r} has the key {passage.key!r}, which does not stand in its lines."
    return ""


def _passage(passages: Iterable[GoldPassage], note: Ruled, span: Evidence) -> str:
    return next((one.id for one in passages if note.touches(span, one.lines)), OUTSIDE)


def _place(increment: Increment) -> tuple[int, str]:
    """What increments are ordered by: where they begin, then all that they say."""
    return min((span.start for span in increment.evidence), default=0), increment.model_dump_json()


def _stars(increment: Increment) -> int:
    stated = increment.credibility.stated
    return increment.credibility.stars if stated is None else stated


def _is_placed(gold: GoldIncrement, increment: Increment) -> bool:
    return any(_is_at(placement, one) for placement in increment.placements for one in gold.placements)


def _is_at(placement: Placement, wanted: GoldPlacement) -> bool:
    document = placement.document.rpartition("/")[2]
    return document == wanted.doc and _section(placement.section) == _section(wanted.section)


def _section(written: str) -> str:
    """Return the finest number in a section's name ("第九节（9.2 趋势）" is "9.2"), else the name itself."""
    numbers: list[str] = _NUMBER.findall(written)
    if numbers:
        return max(numbers, key=lambda number: number.count("."))
    spelled = _NUMERAL.search(written)
    value = numeral(spelled[0]) if spelled else None
    return " ".join(written.split()).casefold() if value is None else str(value)


def _verified(gold: Gold, note: Ruled, claims: Iterable[ToVerify]) -> int:
    spans = [span for claim in claims for span in claim.evidence]
    return sum(any(note.touches(span, one.lines) for span in spans) for one in gold.to_verify)


def _contradicted(gold: Gold, note: Ruled, reported: Sequence[Contradiction]) -> int:
    """Count the gold contradictions of which one reported contradiction quotes two passages, or the only one."""

    def is_found(passages: Sequence[Lines]) -> bool:
        needed = min(2, len(passages))
        return any(len(one.sides) >= needed and names_passages(note, one.sides, passages) >= needed for one in reported)

    return sum(is_found(one.lines) for one in gold.inside_contradictions)

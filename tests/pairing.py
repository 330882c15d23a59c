"""The constructed set of pairs: two notes each, read as the program reads them, and what a careful reader says of them.

Only rules decide. A note whose structure bounds no increment is read below a heading that does, as one finding: what is scored
here is reconciling, not extracting.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from agent.extracting.extract import Setup, extract
from agent.extracting.knowledge import Knowledge, know
from agent.reading.documents import parse_document
from agent.reading.names import parse_note_name
from agent.reconciling.reconcile import Around, reconcile
from agent.records import Contradiction, Evidence, Extraction, Reconciliation, ToVerify
from agent.texts import LivingDocument, Note

FOLDER = Path(__file__).parent / "gold" / "pairs"
_DOCUMENT = re.compile(r"(?<![\w./-])([a-z]{2,20}(?:-[a-z]{2,20})?)\.md\b")
_HEADING = "# Increment 1\n\n"
_OWN_HEADING = re.compile(r"^#{1,4}(?= )", re.MULTILINE)  # below that one
NEAR = ("near-number", "near-version", "near-negation")


@dataclass(frozen=True)
class Pair:
    """One pair as it stands in the set."""

    id: str
    group: str
    left: dict[str, str]
    right: dict[str, str]
    verdict: str
    origins: int | None = None
    contradictions: tuple[dict[str, str], ...] = ()
    questions: tuple[dict[str, str], ...] = ()
    why: str = ""

    @cached_property
    def texts(self) -> dict[str, str]:
        """Both notes' texts by their paths, as they are read."""
        return {side["note"]: _bounded(side["note"], side["text"]) for side in (self.left, self.right)}

    @cached_property
    def result(self) -> Reconciliation:
        """What the program makes of the two notes."""
        paths = list(self.texts)
        agents = sorted({path.split("/")[1] for path in paths})
        knowledge = know(_documents("\n".join(self.texts.values())), cards=frozenset(), note_paths=paths, agents=agents)
        return reconcile([_extracted(path, text, knowledge) for path, text in self.texts.items()], Around("en"))

    @property
    def is_merged(self) -> bool:
        """Whether some finding has both notes."""
        return any(len(one.notes) > 1 for one in self.result.increments)


@dataclass
class Count:
    """Right, missed and wrong answers."""

    right: int = 0
    missed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """Share of what is wanted that is found."""
        return self.right / ((self.right + len(self.missed)) or 1)

    @property
    def precision(self) -> float:
        """Share of what is found that is wanted."""
        return self.right / ((self.right + len(self.wrong)) or 1)

    @property
    def f1(self) -> float:
        """Harmonic mean of the two."""
        return 2 * self.right / ((2 * self.right + len(self.missed) + len(self.wrong)) or 1)


def pairs_of(half: str) -> tuple[Pair, ...]:
    """Return the pairs of one half of the set, "dev" or "held_out"."""
    loaded = (yaml.safe_load(path.read_text("utf-8")) for path in sorted((FOLDER / half).glob("*.yaml")))
    return tuple(_pair(item) for items in loaded for item in items)


def same_finding(pairs: Iterable[Pair]) -> Count:
    """Count pairs that are one finding against pairs that were merged."""
    count = Count()
    for pair in pairs:
        if pair.verdict == "same" and pair.is_merged:
            count.right += 1
        elif pair.verdict == "same":
            count.missed.append(pair.id)
        elif pair.is_merged:
            count.wrong.append(pair.id)
    return count


def contradictions(pairs: Iterable[Pair]) -> Count:
    """Count contradictions by their places: a side stands where each literal that is wanted stands."""
    count = Count()
    for pair in pairs:
        found = list(pair.result.contradictions)
        for wanted in pair.contradictions:
            hit = next((one for one in found if _is_at(one, wanted, pair)), None)
            if hit is None:
                count.missed.append(f"{pair.id} {wanted['kind']}")
            else:
                count.right += 1
                found = [one for one in found if not _is_at(one, wanted, pair)]
        count.wrong += [f"{pair.id} {one.kind}/{one.found_by}" for one in found]
    return count


def questions(pairs: Iterable[Pair]) -> Count:
    """Count the questions that nobody can answer yet, by their places."""
    count = Count()
    for pair in pairs:
        for wanted in pair.questions:
            if any(_is_at(one, wanted, pair) for one in pair.result.to_verify):
                count.right += 1
            else:
                count.missed.append(pair.id)
    return count


def origins(pairs: Iterable[Pair]) -> Count:
    """Count merged pairs whose number of origins is right."""
    count = Count()
    for pair in pairs:
        merged = [one for one in pair.result.increments if len(one.notes) > 1]
        if pair.origins is None or not merged:
            continue
        if merged[0].origins == pair.origins:
            count.right += 1
        else:
            count.wrong.append(f"{pair.id} {merged[0].origins} for {pair.origins}")
    return count


def literals(pair: Pair) -> list[tuple[str, str]]:
    """Return each literal that the answers name, with the text it should stand in."""
    sides = {"left": pair.left["text"], "right": pair.right["text"]}
    return [
        (item[side], text)
        for item in (*pair.contradictions, *pair.questions)
        for side, text in sides.items()
        if side in item
    ]


def _pair(item: dict[str, Any]) -> Pair:
    return Pair(
        **{
            **item,
            "contradictions": tuple(item.get("contradictions") or ()),
            "questions": tuple(item.get("questions") or ()),
        }
    )


def _is_at(found: Contradiction | ToVerify, wanted: dict[str, str], pair: Pair) -> bool:
    places: Sequence[Evidence] = (
        (*found.sides, *found.also_affects) if isinstance(found, Contradiction) else found.evidence
    )
    sides = {"left": pair.left, "right": pair.right}
    return all(
        any(place.note == note["note"] and _overlap(place, pair.texts[place.note], wanted[side]) for place in places)
        for side, note in sides.items()
        if side in wanted
    )


def _overlap(place: Evidence, text: str, literal: str) -> bool:
    start = text.find(literal)
    while start >= 0:
        if place.start < start + len(literal) and start < place.end:
            return True
        start = text.find(literal, start + 1)
    return False


def _documents(text: str) -> list[LivingDocument]:
    """The living documents that the texts name, with nothing in them yet."""
    return [parse_document(f"{topic}.md", f"# {topic}\n", sha256="") for topic in sorted(set(_DOCUMENT.findall(text)))]


def _bounded(path: str, text: str) -> str:
    """The text, below a heading where it bounds no increment itself."""
    return (
        text
        if _extracted(path, text, know((), cards=frozenset(), note_paths=(), agents=())).increments
        else _HEADING + _OWN_HEADING.sub("####", text)
    )


def _extracted(path: str, text: str, knowledge: Knowledge) -> Extraction:
    name = parse_note_name(path)
    assert name.date is not None
    note = Note(
        path=path, agent=path.split("/")[1], text=text, date=name.date, time=name.time, slug=name.slug, sha256="0" * 64
    )
    return extract(note, Setup(knowledge, "en", "none", None))

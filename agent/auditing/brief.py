"""The brief, taken apart for an audit: its passages, what each of them rests on, and what each unit is labelled as.

Promises: a passage rests on the texts of the workspace that it cites; one that names no source at all rests on those that the
brief cites anywhere; one that names a source elsewhere rests on nothing that can be looked up here.
"""

import datetime as dt
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.auditing.shelf import Judgement, Shelf, Shelved
from agent.reading.citations import CitedDocument, CitedNote, Resolution, cited_documents, cited_notes, resolve
from agent.reading.identifiers import find_urls
from agent.reading.labels import labelled
from agent.reading.names import parse_note_name
from agent.reading.parts import by_label
from agent.reading.segments import split_segments
from agent.reading.showing import as_evidence
from agent.reading.units import split_units
from agent.records import Evidence
from agent.texts import DOCUMENTS, Note, Segment, Unit

_SAID = re.compile(r"[^\W\d_]")
_INBOX = re.compile(r"(?<![\w/])inbox/(?P<agent>[A-Za-z0-9_.-]{1,40})")
_SILENT = frozenset({"code", "rule", "comment", "front_matter"})
_NAME = re.compile(r"(?<![A-Za-z0-9_/.-])[A-Za-z0-9_-]{1,64}(?![A-Za-z0-9_/-]|\.[A-Za-z0-9])")
_LINK_AT_END = re.compile(r"\]\([^()\s]{0,600}inbox/[^()\s]{1,400}#L\d{1,7}\)[\s)。.]{0,4}\Z")
_LONGEST_LINK = 1_200
_OF_DISPUTES = re.compile(
    r"矛盾|分歧|冲突|不一致|有出入|对不上|各执一词|说法不一|(?<![a-z])(?:contradict|disagree|conflict|discrepan|inconsisten|disput)",
    re.IGNORECASE,
)
_FEW = 2  # notes that may be missing from an inbox that is whole
_OUTSIDE = 6  # letters beside the citations from which a source label names something else as well


@dataclass(frozen=True, slots=True)
class Citation:
    """A note that the brief cites, which file of the workspace that is, and whose inbox it is said to lie in, if any."""

    cited: CitedNote
    resolution: Resolution
    owner: str | None


@dataclass(frozen=True)
class Passage:
    """What stands under one heading of the brief.

    Attributes:
        cited: texts of the workspace that it cites.
        rests_on: those it can be held against, its own citations or, where it names no source, those of the whole brief.
        has_outside: it names a source that is no text of the workspace.
        labels: of each unit, by its number, the label that rules it.
    """

    segment: Segment
    cited: tuple[Shelved, ...]
    rests_on: tuple[Shelved, ...]
    has_outside: bool
    labels: dict[int, frozenset[str]]

    @property
    def notes(self) -> tuple[Shelved, ...]:
        """The notes among what it cites: it may differ from a living document because that is out of date."""
        return tuple(text for text in self.cited if text.document is None)

    @cached_property
    def is_of_disputes(self) -> bool:
        """Whether its headings call it the place where statements that cannot all stand are told side by side."""
        headings = (*self.segment.heading_path, self.segment.title)
        return self.segment.role != "increment" and any(_OF_DISPUTES.search(heading) for heading in headings)

    @property
    def may_be_false(self) -> bool:
        """Whether all that it says must stand in the notes that it cites."""
        is_told = self.segment.role not in {"checked", "arxiv_list"} and not self.is_of_disputes
        return bool(self.notes) and not self.has_outside and is_told

    @property
    def told(self) -> Iterator[Unit]:
        """The units that say something."""
        return (unit for unit in self.segment.units if unit.kind not in _SILENT)

    def labels_of(self, unit: Unit) -> frozenset[str]:
        """The labels that rule a unit; empty where none does."""
        return self.labels.get(unit.number, frozenset())


class Brief:
    """A brief in hand, with the shelf that it is held against.

    Attributes:
        note: the brief.
        shelf: the texts of the workspace.
        paths: all notes of the workspace, the brief included where it is one of them.
        agents: names of the inbox folders.
    """

    def __init__(self, note: Note, shelf: Shelf, *, paths: Sequence[str], agents: Sequence[str]) -> None:
        self.note, self.shelf, self.paths, self.agents = note, shelf, tuple(paths), tuple(agents)
        self.units = split_units(note.text)
        self.segments = split_segments(self.units)

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        """The notes that the brief cites, in order."""
        inboxes = [(match.start(), match["agent"]) for match in _INBOX.finditer(self.note.text)]
        found = []
        for cited in cited_notes(self.note.text, agents=self.agents):
            if self.is_code(cited.start):
                continue
            resolution = resolve(cited, paths=self.paths, year=self.note.date.year, agents=self.agents)
            owner = cited.agent or self._owner(cited.start, inboxes)
            found.append(Citation(cited, resolution, owner))
        return tuple(found)

    @cached_property
    def documents(self) -> tuple[CitedDocument, ...]:
        """The living documents that the brief cites, in order."""
        found = cited_documents(self.note.text)
        return tuple(one for one in found if one.kind == "document" and not self.is_code(one.start))

    @cached_property
    def cited_days(self) -> frozenset[dt.date]:
        """The days of the files that it names."""
        days = (parse_note_name(one.cited.name.rpartition("/")[2]).date for one in self.citations)
        return frozenset(day for day in days if day is not None)

    @cached_property
    def excerpts(self) -> frozenset[str]:
        """Agents of whose notes that it cites so many are missing that the workspace is a part of another one."""
        missing: dict[str, dict[str, bool]] = {}
        for one in self.citations:
            if one.cited.name.casefold().endswith(".md"):
                name = one.resolution.path or one.cited.name.casefold()
                missing.setdefault((one.owner or "").casefold(), {})[name] = one.resolution.path is None
        return frozenset(owner for owner, each in missing.items() if sum(each.values()) > max(_FEW, len(each) // 2))

    @cached_property
    def rests_on(self) -> tuple[Shelved, ...]:
        """The texts that it cites anywhere, and all living documents."""
        whole = self._resolved(0, len(self.note.text))
        return (*whole, *(text for text in self.shelf.texts if text.document is not None and text not in whole))

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """The brief's passages, in order."""
        whole = self._resolved(0, len(self.note.text))
        return tuple(self._passage(segment, whole) for segment in self.segments)

    @cached_property
    def versions(self) -> tuple[Shelved, ...]:
        """Notes of the workspace that have the brief's file name: it is another version of them."""
        name = self.note.path.rpartition("/")[2]
        return tuple(one for one in self.shelf.texts if one.path.rpartition("/")[2] == name and one.document is None)

    def judge(self, said: str, passage: Passage) -> Judgement | None:
        """Judge what a passage says against the texts that it rests on, then against all; what bears it out comes first."""
        found = self.shelf.judge(said, passage.rests_on)
        if found is not None and found.judged.is_borne_out:
            return found
        other = self.shelf.judge(said, self.shelf.worded)
        return other if other is not None and other.judged.is_borne_out else found or other

    @cached_property
    def disputed(self) -> str:
        """What the brief itself sets against each other, as one text without white space."""
        return "".join(
            "".join(unit.text.split()) for passage in self.passages if passage.is_of_disputes for unit in passage.told
        )

    def is_report(self, start: int) -> bool:
        """Whether the unit at a place only tells what a note says: it ends with a link to that note's line."""
        unit = self.unit_at(start)
        return unit is not None and _LINK_AT_END.search(unit.text, max(0, len(unit.text) - _LONGEST_LINK)) is not None

    def named_agents(self, text: str) -> list[tuple[int, int, str]]:
        """Return where agents are named in a text, and which; a part of a path or of a longer name names nobody."""
        known = {agent.casefold(): agent for agent in self.agents}
        return [
            (*match.span(), known[match.group().casefold()])
            for match in _NAME.finditer(text)
            if match.group().casefold() in known
        ]

    def passage_at(self, start: int) -> Passage | None:
        """Return the passage that a place lies in."""
        index = bisect_right(self.passages, start, key=lambda one: one.segment.start) - 1
        return self.passages[index] if index >= 0 else None

    def unit_at(self, start: int) -> Unit | None:
        """Return the unit that a place lies in, or the next one before it."""
        index = bisect_right(self.units, start, key=lambda unit: unit.start) - 1
        return self.units[max(0, index)] if self.units else None

    def is_code(self, start: int) -> bool:
        """Whether a place lies in a block of code."""
        unit = self.unit_at(start)
        return unit is not None and unit.kind == "code" and unit.start <= start < unit.end

    def evidence(self, start: int) -> Evidence:
        """Cite the unit of the brief that a place lies in."""
        unit = self.unit_at(start)
        if unit is None:
            return Evidence(note=self.note.path, start=0, end=0, quote="", line=1)
        return as_evidence(self.note, unit)

    def _owner(self, start: int, inboxes: Sequence[tuple[int, str]]) -> str | None:
        """Whose inbox a list is about: the last one named before, in the same unit or at the head of the same list."""
        place = bisect_left(inboxes, start, key=lambda one: one[0]) - 1
        if place < 0:
            return None
        at, agent = inboxes[place]
        index = bisect_right(self.segments, start, key=lambda one: one.start) - 1
        segment = self.segments[index] if index >= 0 else None
        is_listed = segment is not None and segment.role == "checked" and segment.start <= at and start < segment.end
        unit = self.unit_at(start)
        return agent if is_listed or (unit is not None and unit.start <= at) else None

    def _passage(self, segment: Segment, whole: tuple[Shelved, ...]) -> Passage:
        cited = self._resolved(segment.start, segment.end)
        labels: dict[int, frozenset[str]] = {}
        for name, units in by_label(segment.units).items():
            for unit in units:
                labels[unit.number] = labels.get(unit.number, frozenset()) | {name}
        names_source = any("source" in each for each in labels.values())
        has_outside = self._names_outside(segment, labels)
        rests_on = cited or (() if has_outside or names_source else whole)
        rests_on = tuple(dict.fromkeys((*rests_on, *self.versions)))
        return Passage(segment, cited, rests_on, has_outside, labels)

    def _resolved(self, start: int, end: int) -> tuple[Shelved, ...]:
        """The texts that are cited between two places, each once."""
        low, high = (bisect_left(self.citations, at, key=lambda one: one.cited.start) for at in (start, end))
        paths = [one.resolution.path for one in self.citations[low:high] if one.resolution.path]
        low, high = (bisect_left(self.documents, at, key=lambda one: one.start) for at in (start, end))
        paths += [f"{DOCUMENTS}/{one.name}" for one in self.documents[low:high]]
        texts = (self.shelf.at(path) for path in dict.fromkeys(paths))
        return tuple(text for text in texts if text is not None)

    def _names_outside(self, segment: Segment, labels: dict[int, frozenset[str]]) -> bool:
        """Whether a source is named that is no text of the workspace: an address, or words beside the citations."""
        if find_urls(self.note.text[segment.start : segment.end]):
            return True
        for unit in segment.units:
            if "source" not in labels.get(unit.number, ()):
                continue
            for label in labelled(unit.text):
                if label.name != "source":
                    continue
                low, high = unit.start + label.value_start, unit.start + label.value_end
                said = self._without(low, high)
                if len(_SAID.findall(said)) >= _OUTSIDE:
                    return True
        return False

    @cached_property
    def _spans(self) -> tuple[tuple[int, int], ...]:
        """Where notes and living documents are cited."""
        cited = [(one.cited.start, one.cited.end) for one in self.citations]
        return tuple(sorted([*cited, *((one.start, one.end) for one in self.documents)]))

    def _without(self, low: int, high: int) -> str:
        """Return what stands between two places beside the citations."""
        parts, at = [], low
        for place in range(bisect_left(self._spans, (low, 0)), bisect_left(self._spans, (high, 0))):
            start, end = self._spans[place]
            parts.append(self.note.text[at : max(at, start)])
            at = max(at, end)
        return " ".join([*parts, self.note.text[at:high]])

"""The texts that a brief is held against, and what stands in them: units, identifiers, figures, wordings.

Promises: the brief itself is never among them; each text is taken apart when it is first asked for, and once; nothing raises.
"""

import datetime as dt
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from agent.auditing.matter import Spoken
from agent.auditing.quoting import Held, Judged
from agent.reading.identifiers import find_arxiv, fold_full_width
from agent.reading.measures import MeasureSpan, canonical_unit, find_measures, numbers_in
from agent.reading.naming import name_key, named_in
from agent.reading.quantities import fold, in_base
from agent.reading.segments import split_segments
from agent.reading.showing import as_evidence
from agent.reading.units import split_units
from agent.records import Evidence
from agent.texts import LivingDocument, Note, Segment, Unit

_NO_SEPARATORS = str.maketrans("", "", ",.")
_EXACT = frozenset({
    "×", "%", "pp", "$", "CNY", "ms", "μs", "ns", "s", "min", "h", "d", "week", "month", "year", "tokens", "params", "W", "Hz", "FLOPS", "B", "bit",
})  # fmt: skip
_EXACT_FORM = re.compile(r"/|[kKMGTPE]i?B\b|[kKMGTPE]i?[Bb]ps\b|FLOPS?\b|TOPS\b|Hz\b|Wh?\b|\b(?:[QRT]PS|fps)\b")
COUNT = "count"
_ALIKE = 60  # measures of one size that are looked at
_WORDED = 3_000_000  # characters of texts whose wording is looked through where no source is named


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit of text, as it stands in a text of the workspace."""

    measure: MeasureSpan
    unit: Unit
    segment: Segment


@dataclass(frozen=True, slots=True)
class Judgement:
    """What came of a passage in one text."""

    judged: Judged
    text: "Shelved"


class Shelved:
    """One text that a brief is held against.

    Attributes:
        note: the text; of a living document its path is that of the document.
        document: the living document that it is, or None for a note.
    """

    def __init__(self, note: Note, *, document: LivingDocument | None = None) -> None:
        self.note, self.document = note, document

    @property
    def path(self) -> str:
        """The text's path in the workspace."""
        return self.note.path

    @cached_property
    def held(self) -> Held:
        """The text prepared to be held against quotations."""
        return Held(self.note.text)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The text in units."""
        return split_units(self.note.text)

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """The text in segments."""
        return split_segments(self.units)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Every figure of the text, in canonical form."""
        return numbers_in(self.note.text)

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        """Every measure of the text."""
        return tuple(self.amounts_with(""))

    @cached_property
    def _by_value(self) -> Mapping[str, tuple[list[float], list[Amount]]]:
        """The measures by what they measure, in order of size."""
        found = defaultdict[str, list[tuple[float, int, Amount]]](list)
        for place, amount in enumerate(self.amounts):
            unit, value = measured(amount.measure)
            found[unit].append((abs(value), place, amount))
        return {
            unit: ([value for value, *_ in sorted(each)], [amount for *_, amount in sorted(each)])
            for unit, each in found.items()
        }

    def having(self, unit: str, value: float, margin: float) -> Iterator[Amount]:
        """Yield the measures of that kind and size, as far as the margin allows."""
        values, amounts = self._by_value.get(unit, ([], []))
        slack = max(margin, 1e-9 * abs(value))
        low, high = bisect_left(values, abs(value) - slack), bisect_right(values, abs(value) + slack)
        yield from sorted(amounts[low : min(high, low + _ALIKE)], key=lambda amount: amount.unit.start)

    @cached_property
    def lowered(self) -> str:
        """The text with narrow letters, all small."""
        return fold(self.note.text).lower()

    @cached_property
    def spoken(self) -> Spoken:
        """The text by what it speaks of."""
        return Spoken(self.segments)

    def amounts_with(self, digits: str) -> Iterator[Amount]:
        """Yield the measures of the units in which these digits stand in a row, separators aside."""
        for segment in self.segments:
            for unit in segment.units:
                if unit.kind != "code" and digits in fold_full_width(unit.text).translate(_NO_SEPARATORS):
                    yield from (Amount(measure, unit, segment) for measure in figures_in(unit.text))

    @cached_property
    def identifiers(self) -> Mapping[str, int]:
        """Every arXiv identifier of the text, with its first place."""
        first: dict[str, int] = {}
        for span in find_arxiv(self.note.text):
            first.setdefault(span.identifier, span.start)
        return first

    def evidence_at(self, start: int) -> Evidence:
        """Cite the unit that a place lies in, or the next one before it."""
        index = max(0, bisect_right(self.units, start, key=lambda unit: unit.start) - 1)
        return as_evidence(self.note, self.units[index])


class Shelf:
    """All texts that a brief is held against, the newest notes first, then the living documents."""

    def __init__(self, notes: Iterable[Note], documents: Iterable[LivingDocument], *, without: str) -> None:
        own = [note for note in notes if note.path != without]
        own.sort(key=lambda note: (note.date, note.path), reverse=True)
        self.texts = tuple(
            [Shelved(note) for note in own] + [Shelved(_as_note(document), document=document) for document in documents]
        )
        self._by_path = {one.path: one for one in self.texts}

    def at(self, path: str) -> Shelved | None:
        """Return the text of that path, if it is here."""
        return self._by_path.get(path)

    @cached_property
    def identifiers(self) -> Mapping[str, tuple[Shelved, ...]]:
        """The texts that each arXiv identifier stands in."""
        found = defaultdict[str, list[Shelved]](list)
        for one in self.texts:
            for identifier in one.identifiers:
                found[identifier].append(one)
        return {identifier: tuple(texts) for identifier, texts in found.items()}

    @cached_property
    def worded(self) -> tuple[Shelved, ...]:
        """The texts whose wording is looked through: the newest ones, as many as fit, and the living documents."""
        room, kept = _WORDED, []
        for one in sorted(self.texts, key=lambda one: one.document is None):
            room -= len(one.note.text)
            if room >= 0:
                kept.append(one)
        return tuple(kept)

    def with_numbers(self, numbers: Collection[str], *, without: Collection[str] = ()) -> Iterator[Shelved]:
        """Yield the texts that hold all these figures."""
        wanted = frozenset(numbers)
        for one in self.texts:
            if one.path not in without and wanted <= one.numbers:
                yield one

    def judge(self, passage: str, texts: Sequence[Shelved], *, most: int = 3) -> Judgement | None:
        """Judge a passage against those of some texts that share most of it; the best comes back, the first of equals."""
        shares = sorted(((one.held.shares(passage), -place) for place, one in enumerate(texts)), reverse=True)
        best: Judgement | None = None
        for shared, place in shares[:most]:
            if not shared and best is not None:
                break
            judged = texts[-place].held.judge(passage)
            if judged.is_borne_out:
                return Judgement(judged, texts[-place])
            if judged.end and (best is None or judged.likeness > best.judged.likeness):
                best = Judgement(judged, texts[-place])
        return best


@lru_cache(maxsize=8192)  # every figure of a unit asks for them
def figures_in(text: str) -> tuple[MeasureSpan, ...]:
    """Return the figures of a unit."""
    return find_measures(text)


@lru_cache(maxsize=4096)
def names_in(text: str) -> frozenset[str]:
    """Return the keys of all names in a text."""
    return frozenset(key for word in named_in(text) if len(key := name_key(word.group())) > 1)


def base_of(unit: str) -> tuple[str, float]:
    """Return what a unit measures, and how many of that it holds; whatever counts things is a count."""
    canonical = canonical_unit(unit)
    if not (canonical in _EXACT or _EXACT_FORM.search(canonical)):
        return COUNT, 1.0
    return in_base(unit)


def measured(measure: MeasureSpan) -> tuple[str, float]:
    """Return what a figure is known by: what its unit measures, and its value in that."""
    unit, factor = base_of(measure.unit)
    return unit, round(measure.value * factor, 9)


def names_of(*texts: str) -> frozenset[str]:
    """Return the keys of all names in some texts."""
    return frozenset[str]().union(*map(names_in, texts))


def neighbours(identifier: str, known: Iterable[str]) -> list[str]:
    """Return the known identifiers that one slip of the pen makes of this one, in order."""
    return sorted(one for one in known if one != identifier and is_one_slip(identifier, one))


def is_one_slip(one: str, other: str) -> bool:
    """Whether two identifiers of one form differ in one digit, or by two neighbouring ones changing places."""
    if len(one) != len(other):
        return False
    places = [place for place, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if len(places) == 1:
        return one[places[0]].isdigit() and other[places[0]].isdigit()
    if len(places) != 2 or places[1] != places[0] + 1:
        return False
    first, second = places
    return one[first] == other[second] and one[second] == other[first]


def _as_note(document: LivingDocument) -> Note:
    path, day = document.path, document.updated or dt.date.min
    return Note(path=path, agent="", text=document.text, date=day, sha256=document.sha256)

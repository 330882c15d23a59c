"""Numbers the register entries that findings propose, where two took one number or a living document uses it already.

The earliest finding keeps its number, the others get the next free one, and each entry that changes says which number its note
took. One entry that two notes propose has one number. An entry that belongs to no document that is known stays as it is, and so
does one that only repeats what stands in the document under its number.

Promises: the order of the increments changes nothing; where nothing has to change, the increments are the same objects; numbering
what is numbered changes nothing.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from agent.reading.documents import next_free
from agent.reading.names import parse_note_name
from agent.reconciling.lineage import Moment, earliest
from agent.reconciling.repeating import Sayings
from agent.records import Increment, Register
from agent.texts import LivingDocument, RegisterKind

_SAME = 85.0  # likeness from which an entry is the one that stands in the document
_REACH = 400  # characters of a document's entry that are looked at
_ENTRY = re.compile(r"(?<![A-Za-z0-9])[CDOT]\d{1,4}(?!\d)")
_NEXT_ENTRY = re.compile(r"[CDOT]\d{1,4}(?!\d)|\n")

_Place = tuple[int, int]  # an increment, and which of its registers


@dataclass(frozen=True, slots=True)
class _Proposal:
    moment: Moment
    notes: tuple[str, ...]
    place: _Place
    register: Register


@dataclass(slots=True)
class _Entry:
    """One entry, with all proposals of it, the earliest first: its number is theirs."""

    proposals: list[_Proposal] = field(default_factory=list)

    @property
    def number(self) -> int:
        return self.proposals[0].register.number

    @property
    def text(self) -> str:
        return next((one.register.text for one in self.proposals if one.register.text), "")


def renumbered(increments: Sequence[Increment], documents: Sequence[LivingDocument]) -> tuple[Increment, ...]:
    """Give each register entry a number of its own within its document.

    Args:
        increments: merged findings, in any order; they are returned in it.
        documents: the living documents, with the numbers that are in use.
    """
    proposed: dict[tuple[str, RegisterKind], list[_Proposal]] = defaultdict(list)
    for position, increment in enumerate(increments):
        for at, register in enumerate(increment.registers):
            document = _document_of(register, increment, documents)
            if document is not None:
                proposal = _Proposal(earliest(increment), increment.notes, (position, at), register)
                proposed[document.name, register.kind].append(proposal)
    by_name = {document.name: document for document in documents}
    changed: dict[int, dict[int, Register]] = defaultdict(dict)
    for (name, _), proposals in proposed.items():
        for (position, at), number in _new_numbers(proposals, by_name[name]):
            register = increments[position].registers[at]
            stated = register.number if register.stated is None else register.stated
            changes = {"number": number, "stated": stated if stated != number else None, "document": name}
            changed[position][at] = register.model_copy(update=changes)
    return tuple(_with(one, changed[at]) if at in changed else one for at, one in enumerate(increments))


def _with(increment: Increment, changed: dict[int, Register]) -> Increment:
    registers = tuple(changed.get(at, register) for at, register in enumerate(increment.registers))
    return increment.model_copy(update={"registers": registers})


def _document_of(
    register: Register, increment: Increment, documents: Sequence[LivingDocument]
) -> LivingDocument | None:
    """The document whose list an entry is for: named with it, else where the finding is placed, else what its note is about.

    Of several, for a finding of several notes, the one whose list the number goes on nearest.
    """
    if register.document is not None:
        return next((document for document in documents if document.name == register.document), None)
    placements = sorted(increment.placements, key=lambda placement: placement.action != "register")
    names = dict.fromkeys(placement.document for placement in placements)
    placed = [document for name in names for document in documents if document.name == name]
    about = [document for note in increment.notes if (document := _topic_of(note, documents))]
    if len(increment.notes) < 2:
        return next(iter((*placed, *about)), None)
    steps = [(register.number - next_free(document, register.kind), document) for document in (*placed, *about)]
    return min(steps, key=lambda step: (step[0] < 0, abs(step[0])))[1] if steps else None


def _topic_of(note: str, documents: Sequence[LivingDocument]) -> LivingDocument | None:
    slug = f"-{_joined(parse_note_name(note).slug)}-"
    named = [document for document in documents if f"-{_joined(document.topic)}-" in slug]
    return max(named, key=lambda document: (len(document.topic), document.topic), default=None)


def _joined(words: str) -> str:
    return words.lower().replace("_", "-")


def _new_numbers(proposals: Sequence[_Proposal], document: LivingDocument) -> Iterator[tuple[_Place, int]]:
    """Yield the proposals whose number changes, each with the new one."""
    entries = _entries(sorted(proposals, key=lambda one: (one.moment, one.place[1])))
    kind = proposals[0].register.kind
    first_free = next_free(document, kind)
    taken: set[int] = set()
    homeless: list[_Entry] = []
    for entry in entries:
        if entry.number in taken or (entry.number < first_free and not _stands_in(document, kind, entry)):
            homeless.append(entry)
        else:
            taken.add(entry.number)
            yield from _renumbering(entry, entry.number)
    taken |= {one.register.number for one in proposals}
    free = first_free
    for entry in homeless:
        while free in taken:
            free += 1
        taken.add(free)
        yield from _renumbering(entry, free)


def _renumbering(entry: _Entry, number: int) -> Iterator[tuple[_Place, int]]:
    return ((one.place, number) for one in entry.proposals if one.register.number != number)


def _entries(proposals: Iterable[_Proposal]) -> list[_Entry]:
    """Put proposals of one entry together: those that say the same, and a bare number with its note's own entry."""
    entries: list[_Entry] = []
    sayings = Sayings()
    by_text: dict[str, _Entry] = {}
    by_note: dict[tuple[str, int], _Entry] = {}
    for proposal in proposals:
        register = proposal.register
        keys = [(note, register.number) for note in proposal.notes]
        of_note = next((by_note[key] for key in keys if key in by_note), None)
        said = sayings.repeated(register.text) if register.text else None
        entry = by_text[said] if said is not None else None
        if entry is None and of_note is not None and not (register.text and of_note.text):
            entry = of_note
        if entry is None:
            entry = _Entry()
            entries.append(entry)
        entry.proposals.append(proposal)
        for key in keys:
            by_note.setdefault(key, entry)
        if register.text and said is None:
            sayings.add(register.text)
            by_text[register.text] = entry
    return entries


def _stands_in(document: LivingDocument, kind: RegisterKind, entry: _Entry) -> bool:
    """Whether a document has the entry under its number already, or the note gives nothing but the number."""
    if not entry.text:
        return True
    for match in _ENTRY.finditer(document.text):
        if match.group() != f"{kind}{entry.number}":
            continue
        end = _NEXT_ENTRY.search(document.text, match.end(), match.end() + _REACH)
        there = document.text[match.end() : end.start() if end else match.end() + _REACH]
        if fuzz.partial_ratio(entry.text, there) >= _SAME and len(there) * 2 >= len(entry.text):
            return True
    return False

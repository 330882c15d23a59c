"""Numbers the register entries that findings propose, where two took one number or a living document uses it already.

A number that an earlier digest gave an entry stays its, until the document has it for something else, and nobody else gets it.
Of the rest the earliest finding keeps its number, the others get the next free one, and each entry that changes says which number
its note took. One entry that two notes propose has one number. An entry that belongs to no document that is known stays as it is,
and so does one that only repeats what stands in the document under its number.

Promises: the order of increments and digests changes nothing; every entry names its document, where that is known; numbering what
is numbered changes nothing.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from agent.past import PastDigest
from agent.reading.documents import next_free
from agent.reading.names import parse_note_name
from agent.reconciling.lineage import Moment, earliest
from agent.reconciling.repeating import Sayings
from agent.records import Increment, Register
from agent.texts import LivingDocument, RegisterKind

_SAME = 85.0  # likeness from which an entry is the one that stands in the document
_REACH = 400  # characters of a document's entry that are looked at
_ENTRY = re.compile(r"(?<![A-Za-z0-9])[A-Z]\d{1,4}(?!\d)")
_NEXT_ENTRY = re.compile(r"(?<![A-Za-z0-9])[A-Z]\d{1,4}(?!\d)|\n")

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


@dataclass(frozen=True, slots=True)
class _Given:
    """A number that an earlier digest gave an entry."""

    number: int
    text: str
    said_by: frozenset[tuple[str, int]]  # notes, each with the number that it took


def renumbered(
    increments: Sequence[Increment], documents: Sequence[LivingDocument], past: Iterable[PastDigest] = ()
) -> tuple[Increment, ...]:
    """Give each register entry a number of its own within its document.

    Args:
        increments: merged findings, in any order; they are returned in it.
        documents: the living documents, with the numbers that are in use.
        past: earlier digests, whose numbers stand, in any order; of two that disagree the later one.
    """
    proposed: dict[tuple[str, RegisterKind], list[_Proposal]] = defaultdict(list)
    for position, increment in enumerate(increments):
        for at, register in enumerate(increment.registers):
            document = _document_of(register, increment, documents)
            if document is not None:
                proposal = _Proposal(earliest(increment), increment.notes, (position, at), register)
                proposed[document.name, register.kind].append(proposal)
    by_name = {document.name: document for document in documents}
    given = _given(past) if proposed else {}
    changed: dict[int, dict[int, Register]] = defaultdict(dict)
    for (name, kind), proposals in proposed.items():
        for (position, at), number in _new_numbers(proposals, by_name[name], given.get((name, kind), ())):
            register = increments[position].registers[at]
            stated = _stated(register)
            changes = {
                "number": number,
                "stated": stated if stated != number else None,
                "document": name,
                "letter": by_name[name].letters.get(kind)
                or (register.letter if kind not in by_name[name].registers else None),
            }
            if any(getattr(register, field) != value for field, value in changes.items()):
                changed[position][at] = register.model_copy(update=changes)
    return tuple(_with(one, changed[at]) if at in changed else one for at, one in enumerate(increments))


def _given(past: Iterable[PastDigest]) -> dict[tuple[str, RegisterKind], list[_Given]]:
    """The numbers that earlier digests gave, by document and kind: each number once and each entry once, as said last."""
    found: dict[tuple[str, RegisterKind], list[_Given]] = defaultdict(list)
    for digest in sorted(past, key=lambda one: (-one.date.toordinal(), one.topic)):
        for increment in digest.increments:
            for register in increment.registers:
                if register.document is None:
                    continue
                said_by = frozenset((note, _stated(register)) for note in increment.notes)
                known = found[register.document, register.kind]
                if not any(_is_known(one, register, said_by) for one in known):
                    known.append(_Given(register.number, register.text, said_by))
    return found


def _is_known(one: _Given, register: Register, said_by: frozenset[tuple[str, int]]) -> bool:
    """Whether a later digest gave the number to an entry, or the entry a number."""
    if one.number == register.number:
        return True
    if one.text and register.text:
        return one.text == register.text
    return not one.said_by.isdisjoint(said_by)


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


def _new_numbers(
    proposals: Sequence[_Proposal], document: LivingDocument, given: Sequence[_Given]
) -> Iterator[tuple[_Place, int]]:
    """Yield every proposal with its number."""
    entries = _entries(sorted(proposals, key=lambda one: (one.moment, one.place[1])))
    kind = proposals[0].register.kind
    first_free = next_free(document, kind)
    valid = [one for one in given if _is_free(document, kind, one)]
    numbers = _kept(entries, valid)
    taken = {one.number for one in valid}
    homeless: list[_Entry] = []
    for entry in entries:
        if id(entry) in numbers:
            continue
        is_used = entry.number < first_free and not _stands_in(document, kind, entry.number, entry.text)
        if entry.number in taken or is_used:
            homeless.append(entry)
        else:
            taken.add(entry.number)
            numbers[id(entry)] = entry.number
    taken |= {one.register.number for one in proposals}
    free = first_free
    for entry in homeless:
        while free in taken:
            free += 1
        taken.add(free)
        numbers[id(entry)] = free
    return ((one.place, numbers[id(entry)]) for entry in entries for one in entry.proposals)


def _is_free(document: LivingDocument, kind: RegisterKind, given: _Given) -> bool:
    """Whether a document has not taken a number, or has it for the entry that it was given to."""
    if given.number >= next_free(document, kind):
        return True
    is_mentioned = any(
        match.group() == f"{_letter(document, kind)}{given.number}" for match in _ENTRY.finditer(document.text)
    )
    return not is_mentioned or (bool(given.text) and _stands_in(document, kind, given.number, given.text))


def _kept(entries: Sequence[_Entry], given: Sequence[_Given]) -> dict[int, int]:
    """The numbers that entries have from earlier digests, by the entries' identity: by their text first, else by their notes."""
    numbers: dict[int, int] = {}
    open_numbers = {one.number: one for one in given}
    by_text = Sayings()
    having = {one.text: one.number for one in reversed(given) if one.text and by_text.add(one.text)}
    for entry in entries:
        said = by_text.repeated(entry.text) if entry.text else None
        if said is not None and having[said] in open_numbers:
            numbers[id(entry)] = having[said]
            del open_numbers[having[said]]
    for entry in entries:
        if id(entry) in numbers:
            continue
        said_by = {(note, _stated(one.register)) for one in entry.proposals for note in one.notes}
        number = next((n for n, one in open_numbers.items() if not one.said_by.isdisjoint(said_by)), None)
        if number is not None:
            numbers[id(entry)] = number
            del open_numbers[number]
    return numbers


def _letter(document: LivingDocument, kind: RegisterKind) -> str:
    return document.letters.get(kind, kind)


def _stated(register: Register) -> int:
    return register.number if register.stated is None else register.stated


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


def _stands_in(document: LivingDocument, kind: RegisterKind, number: int, text: str) -> bool:
    """Whether a document has an entry under that number already, or the note gives nothing but the number."""
    if not text:
        return True
    for match in _ENTRY.finditer(document.text):
        if match.group() != f"{_letter(document, kind)}{number}":
            continue
        end = _NEXT_ENTRY.search(document.text, match.end(), match.end() + _REACH)
        there = document.text[match.end() : end.start() if end else match.end() + _REACH]
        if fuzz.partial_ratio(text, there) >= _SAME and len(there) * 2 >= len(text):
            return True
    return False

"""Turns where findings belong into operations on living documents, each with what it changes and the sentence that justifies it.

Promises: pure; the same findings and documents give the same operations; text from notes is escaped and does nothing in
the document; a finding stands in full at one place, and elsewhere as a pointer to it.
"""

import datetime as dt
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from agent.handoffs import Operation
from agent.reading.documents import find_section, next_free, register_entries
from agent.reading.escaping import escape
from agent.reading.naming import name_key
from agent.reading.showing import plain
from agent.records import Action, Evidence, Increment, Language, Register
from agent.relaying.editing import (
    Edit,
    appended,
    diff,
    register_edit,
    row_edit,
    subsection_place,
)
from agent.texts import LivingDocument, Section

_TITLE = 120
_SUMMARY = 400
_POINT = 240
_ENTRY = 300
_POINTS = 4
_SOURCES = 4


@dataclass(frozen=True, slots=True)
class _Words:
    """What we say ourselves in a living document, in one language."""

    see: str
    entry: str
    sources: str
    no_document: str
    no_section: str
    in_code: str
    taken: str
    no_register: str
    no_home: str


_WORDS: Mapping[Language, _Words] = {
    "zh": _Words(
        see="见 {document}「{title}」",
        entry="{title}：{summary}",
        sources="来源：",
        no_document="没有活文档 {document}：先新建它。",
        no_section="{document} 没有小节 {section}：请改选一节。",
        in_code="{document} 的 {section} 以未关闭的代码块结尾：先关闭它。",
        taken="{document} 已有 {label}：下一个可用编号是 {next}。",
        no_register="{document} 没有 {kind} 类登记：先建立登记表。",
        no_home="没有指明登记到哪一份活文档：请选定一份。",
    ),
    "en": _Words(
        see="see {document}, “{title}”",
        entry="{title}: {summary}",
        sources="Sources: ",
        no_document="There is no living document {document}: make it first.",
        no_section="{document} has no section {section}: choose another one.",
        in_code="Section {section} of {document} ends inside open code: close it first.",
        taken="{document} has {label} already: the next free number is {next}.",
        no_register="{document} has no register of kind {kind}: begin one first.",
        no_home="No living document is named for this entry: choose one.",
    ),
}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an operation acts, and what it does there; `problem` says why it cannot."""

    action: Action
    document: str
    section: str
    heading: str | None = None
    edit: Edit | None = None
    text: str = ""
    number: str | None = None
    entry: Register | None = None
    reason: str = ""
    problem: str = ""


def operations_for(
    increments: Sequence[Increment], documents: Sequence[LivingDocument], *, language: Language, date: dt.date
) -> tuple[Operation, ...]:
    """Return an operation for each place where a finding belongs, and for each register entry that is proposed.

    Args:
        increments: findings, the most important first.
        documents: the living documents as they are now.
        language: of what we say ourselves.
        date: the day of the handoff.

    Returns:
        The operations in the order of the findings, behind them the register entries in the order of their numbers;
        those that cannot be applied say why.
    """
    shelf = {document.name: document for document in documents}
    made: dict[str, Operation] = {}
    for increment in increments:
        for place in _places(increment, shelf, language, date):
            operation = _operation(increment, place, shelf.get(place.document))
            made.setdefault(operation.id, operation)
    return tuple(sorted(made.values(), key=_by_number))


def _by_number(operation: Operation) -> tuple[bool, str, str, int]:
    entry = operation.register_entry
    return (False, "", "", 0) if entry is None else (True, operation.document, entry.kind, entry.number)


def place_again(operation: Operation, document: LivingDocument) -> Edit | None:
    """Return the edit of an operation in its document as it is now; None where its place is no longer there.

    What is put in is as the handoff has it: the operation's text is never made anew, only its place is found again.
    """
    entry = operation.register_entry
    if entry is not None:
        return None if _is_taken(document, entry) else register_edit(document, entry.kind, entry.number, operation.text)
    section = find_section(document, operation.section)
    if section is None:
        return None
    if operation.action == "append":
        return appended(document, section, operation.text.split("\n"))
    if operation.action == "new_subsection":
        return _subsection(document, section, operation.text)[0]
    at = document.text.find(operation.old, section.body, section.end) if operation.old else -1
    return Edit(at, at + len(operation.old), operation.new) if at >= 0 else None


# --- places -----------------------------------------------------------------------------------------------------------


def _places(
    increment: Increment, shelf: Mapping[str, LivingDocument], language: Language, date: dt.date
) -> Iterator[_Place]:
    words = _WORDS[language]
    full_at = ""
    for placement in increment.placements:
        document = shelf.get(placement.document)
        section = find_section(document, placement.section) if document else None
        at = _Place(placement.action, placement.document, placement.section, placement.heading, reason=placement.reason)
        shown = {"document": escape(placement.document), "section": escape(placement.section)}
        if document is None:
            yield _because(at, words.no_document.format(**shown))
        elif section is None:
            yield _because(at, words.no_section.format(**shown))
        elif full_at:
            lines = [f"- {words.see.format(document=escape(full_at), title=_title(increment))}"]
            yield _appending(at, document, section, lines, words)
        else:
            yield _full(at, increment, document, section, words, date)
            full_at = document.name
    home = next((one.document for one in increment.placements if one.document in shelf), "")
    for register in increment.registers:
        yield _registering(register, register.document or home, shelf, words)


def _full(
    at: _Place, increment: Increment, document: LivingDocument, section: Section, words: _Words, date: dt.date
) -> _Place:
    if at.action == "replace_row":
        edit = row_edit(document, section, _names(increment), _cells(increment))
        if edit is not None:
            return replace(at, heading=section.heading, edit=edit)
    if at.action == "new_subsection":
        text = "\n".join((_title(increment), "", *_body(increment, words, date)))
        edit, number = _subsection(document, section, text)
        return replace(at, heading=section.heading, edit=edit, text=text, number=number)
    title, summary = _title(increment), escape(increment.summary, limit=_SUMMARY)
    said = title if plain(summary) == plain(title) else words.entry.format(title=f"**{title}**", summary=summary)
    lines = [f"- {said} ({_credits(increment, date)})", *(f"  - {point}" for point in _points(increment))]
    return _appending(at, document, section, lines, words)


def _subsection(document: LivingDocument, section: Section, text: str) -> tuple[Edit, str | None]:
    """The edit that puts a subsection in, and its number; `text` is its title, and below that its body."""
    place = subsection_place(document, section)
    return Edit(place.at, place.at, f"\n\n{place.opening}{text}"), place.number


def _appending(at: _Place, document: LivingDocument, section: Section, lines: Sequence[str], words: _Words) -> _Place:
    edit = appended(document, section, lines)
    if edit is None:
        return _because(at, words.in_code.format(document=escape(document.name), section=escape(at.section)))
    return replace(at, action="append", heading=section.heading, edit=edit, text="\n".join(lines))


def _registering(register: Register, name: str, shelf: Mapping[str, LivingDocument], words: _Words) -> _Place:
    label = f"{register.kind}{register.number}"
    at = _Place("register", name, label, entry=register)
    document = shelf.get(name)
    if not name:
        return _because(at, words.no_home)
    if document is None:
        return _because(at, words.no_document.format(document=escape(name)))
    if _is_taken(document, register):
        free = f"{register.kind}{next_free(document, register.kind)}"
        return _because(at, words.taken.format(document=escape(name), label=label, next=free))
    text = escape(plain(register.text), limit=_ENTRY)
    edit = register_edit(document, register.kind, register.number, text)
    if edit is None:
        return _because(at, words.no_register.format(document=escape(name), kind=register.kind))
    return replace(at, edit=edit, text=text)


def _is_taken(document: LivingDocument, register: Register) -> bool:
    return any((kind, number) == (register.kind, register.number) for kind, number, _ in register_entries(document))


def _because(at: _Place, problem: str) -> _Place:
    return replace(at, problem=problem)


# --- what is written --------------------------------------------------------------------------------------------------


def _title(increment: Increment) -> str:
    return escape(plain(increment.title), limit=_TITLE)


def _body(increment: Increment, words: _Words, date: dt.date) -> list[str]:
    points = [f"- {point}" for point in _points(increment)]
    return [
        escape(increment.summary, limit=_SUMMARY),
        "",
        *([*points, ""] if points else []),
        f"{words.sources}{_credits(increment, date)}",
    ]


def _points(increment: Increment) -> list[str]:
    said = plain(increment.summary)
    points = [escape(plain(one.text), limit=_POINT) for one in increment.points if plain(one.text) not in said]
    return list(dict.fromkeys(points))[:_POINTS]


def _credits(increment: Increment, date: dt.date) -> str:
    """Day, rating, papers and notes behind a finding."""
    papers = [f"arXiv:{one}" for one in increment.arxiv_ids[:_SOURCES]]
    notes = [escape(note) for note in increment.notes[:_SOURCES]]
    stars = "⭐" * increment.credibility.stars
    return " · ".join((str(date), stars, *map(escape, papers), *notes))


def _names(increment: Increment) -> list[str]:
    return [key for key in {name_key(one.subject): None for one in increment.measures} if key]


def _cells(increment: Increment) -> dict[str, str]:
    """The figures of a finding by the words that a column may have."""
    cells: dict[str, str] = {}
    for one in increment.measures:
        figure = escape(f"{one.value:g} {one.unit}".strip())
        for column in (one.metric, one.unit):
            if column:
                cells.setdefault(column.casefold().strip(), figure)
    return cells


# --- operations -------------------------------------------------------------------------------------------------------


def _operation(increment: Increment, place: _Place, document: LivingDocument | None) -> Operation:
    key = f"{place.document}\n{place.section}\n{place.action}\n{increment.id}"
    edit = place.edit or Edit(0, 0, "")
    return Operation(
        id=f"op-{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}",
        increment=increment.id,
        title=increment.title,
        document=place.document,
        sha256=document.sha256 if document else "",
        action=place.action,
        section=place.section,
        heading=place.heading,
        start=edit.start,
        end=edit.end,
        old=document.text[edit.start : edit.end] if document else "",
        text=place.text,
        new=edit.new,
        register_entry=place.entry,
        number=place.number,
        reason=place.reason,
        because=_justifying(increment, place),
        diff=diff(document, place.edit) if document and place.edit else "",
        problem=place.problem,
    )


def _justifying(increment: Increment, place: _Place) -> Evidence:
    """The sentence of a note that names the document, section or register number, else the finding's first."""
    wanted = [place.section]
    if place.heading:
        wanted.append(place.heading)
    for evidence in increment.evidence:
        if any(re.search(rf"(?<![\w.]){re.escape(one)}(?![\w.]*\d)", evidence.quote) for one in wanted if one):
            return evidence
    return increment.evidence[0]

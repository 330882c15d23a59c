"""Turns where findings belong into operations on living documents, each with what it changes and the sentence that justifies it.

Promises: pure; the same findings and documents give the same operations; text from notes is escaped and does nothing in
the document; a finding stands in full at one place, and elsewhere as a pointer to it.
"""

import datetime as dt
import hashlib
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from agent.handoffs import Operation
from agent.reading.documents import find_section, next_free, parse_document, register_entries
from agent.reading.escaping import escape
from agent.reading.showing import plain
from agent.records import Action, Evidence, Increment, Language, Register
from agent.relaying.editing import appended, diff, row_again, row_edit, row_key, subsection_place
from agent.relaying.entries import register_edit
from agent.relaying.places import Edit, inserted
from agent.texts import LivingDocument, RegisterKind, Section

_TITLE = 120
_SUMMARY = 400
_POINT = 240
_ENTRY = 300
_POINTS = 4
_SOURCES = 4
_NO_CHANGE = re.compile(
    r"\A\W{0,4}(?:不改|不变|不动|不用改|无需(?:改动?|更新|修改|变更)|维持(?:现状|原文)|no changes?|unchanged|leave (?:it )?as (?:it )?is"
    r"|nothing to (?:add|change))\W{0,4}\Z",
    re.IGNORECASE,
)
_REGISTER, _REGISTERS = "登记", "共识 争议 开放问题 趋势："  # a place where everything is read as an entry


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
    miscounted: str


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
        miscounted="文字里写着尚不存在的登记编号 {labels}，会被当成登记：请手工写入。",
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
        miscounted="Its words hold register numbers that do not exist ({labels}) and would count as entries: write it by hand.",
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
    counts = _counts(increments, documents)
    made: dict[str, Operation] = {}
    for increment in increments:
        for found in _places(increment, shelf, language, date):
            place = _counted(found, counts.get(found.document, {}), _WORDS[language])
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
    return row_again(document, section, operation.old, operation.new) if operation.old else None


# --- places -----------------------------------------------------------------------------------------------------------


def _places(
    increment: Increment, shelf: Mapping[str, LivingDocument], language: Language, date: dt.date
) -> Iterator[_Place]:
    words = _WORDS[language]
    full_at = ""
    for placement in increment.placements:
        if _NO_CHANGE.match(placement.reason):
            continue
        document = shelf.get(placement.document)
        section = find_section(document, placement.section) if document else None
        at = _Place(placement.action, placement.document, placement.section, placement.heading, reason=placement.reason)
        shown = {"document": placement.document, "section": placement.section}
        if document is None:
            yield _because(at, words.no_document.format(**shown))
        elif section is None:
            yield _because(at, words.no_section.format(**shown))
        elif placement.action == "replace_row" and (edit := row_edit(document, section, _figures(increment))):
            yield replace(at, heading=section.heading, edit=edit)
        elif full_at:
            lines = [f"- {words.see.format(document=escape(full_at), title=_title(increment))}"]
            yield _appending(at, document, section, lines, words)
        else:
            place = _full(at, increment, document, section, words, date)
            full_at = "" if place.problem else document.name
            yield place
    home = _home(increment, shelf)
    for register in increment.registers:
        yield _registering(register, register.document or home, shelf, words)


def _full(
    at: _Place, increment: Increment, document: LivingDocument, section: Section, words: _Words, date: dt.date
) -> _Place:
    if at.action == "new_subsection":
        text = "\n".join((_title(increment), "", *_body(increment, words, date)))
        edit, number = _subsection(document, section, text)
        if edit is None:
            return _in_code(at, document, words)
        return replace(at, heading=section.heading, edit=edit, text=text, number=number)
    title, summary = _title(increment), escape(increment.summary, limit=_SUMMARY)
    said = title if plain(summary) == plain(title) else words.entry.format(title=f"**{title}**", summary=summary)
    lines = [f"- {said} ({_credits(increment, date)})", *(f"  - {point}" for point in _points(increment))]
    return _appending(at, document, section, lines, words)


def _subsection(document: LivingDocument, section: Section, text: str) -> tuple[Edit | None, str | None]:
    """The edit that puts a subsection in, and its number; `text` is its title, and below that its body."""
    place = subsection_place(document, section)
    if place.is_shut:
        return None, place.number
    title, parting, body = text.partition("\n")
    return inserted(place.at, f"\n\n{place.opening}{title}{place.closing}{parting}{body}{place.ending}"), place.number


def _appending(at: _Place, document: LivingDocument, section: Section, lines: Sequence[str], words: _Words) -> _Place:
    edit = appended(document, section, lines)
    if edit is None:
        return _in_code(at, document, words)
    return replace(at, action="append", heading=section.heading, edit=edit, text="\n".join(lines))


def _registering(register: Register, name: str, shelf: Mapping[str, LivingDocument], words: _Words) -> _Place:
    label = f"{register.kind}{register.number}"
    at = _Place("register", name, label, entry=register)
    document = shelf.get(name)
    if not name:
        return _because(at, words.no_home)
    if document is None:
        return _because(at, words.no_document.format(document=name))
    if register.number <= document.registers.get(register.kind, 0):
        free = f"{register.kind}{next_free(document, register.kind)}"
        return _because(at, words.taken.format(document=name, label=label, next=free))
    text = escape(plain(register.text), limit=_ENTRY)
    edit = register_edit(document, register.kind, register.number, text)
    if edit is None:
        return _because(at, words.no_register.format(document=name, kind=register.kind))
    return replace(at, edit=edit, text=text)


def _is_taken(document: LivingDocument, register: Register) -> bool:
    return any((kind, number) == (register.kind, register.number) for kind, number, _ in register_entries(document))


def _in_code(at: _Place, document: LivingDocument, words: _Words) -> _Place:
    return _because(at, words.in_code.format(document=document.name, section=at.section))


def _counts(increments: Sequence[Increment], documents: Sequence[LivingDocument]) -> dict[str, dict[RegisterKind, int]]:
    """The highest register numbers of each document, with those that are proposed now."""
    counts = {document.name: dict(document.registers) for document in documents}
    for increment in increments:
        home = _home(increment, counts)
        for register in increment.registers:
            count = counts.get(register.document or home, {})
            count[register.kind] = max(count.get(register.kind, 0), register.number)
    return counts


def _home(increment: Increment, names: Container[str]) -> str:
    """Where register entries of a finding go that name no document."""
    return next((one.document for one in increment.placements if one.document in names), "")


def _counted(place: _Place, counts: Mapping[RegisterKind, int], words: _Words) -> _Place:
    """Refuse what would be read as register entries of numbers that nobody gave."""
    entry = place.entry
    text = f"## {_REGISTER}\n\n{_REGISTERS}{entry.kind}{entry.number} {place.text}" if entry else place.text
    found = parse_document("", f"{text}\n", sha256="").registers if place.edit and text else {}
    wrong = [f"{kind}{number}" for kind, number in found.items() if number > counts.get(kind, 0)]
    return _because(place, words.miscounted.format(labels=", ".join(wrong))) if wrong else place


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


def _figures(increment: Increment) -> dict[tuple[str, ...], dict[str, str]]:
    """The figures of a finding by subject, and by the words that a column may have; those that compete are left out."""
    found: dict[tuple[str, ...], dict[str, set[str]]] = {}
    for one in increment.measures:
        names = {one.subject, f"{one.subject} {one.version}"} if one.version else {one.subject}
        figure = escape(f"{one.value:.15g} {one.unit}".strip())
        for key, column in product(map(row_key, names), {one.metric.casefold().strip(), one.unit.casefold().strip()}):
            if key[0] and column:
                found.setdefault(key, {}).setdefault(column, set()).add(figure)
    return {
        key: {column: next(iter(figures)) for column, figures in columns.items() if len(figures) == 1}
        for key, columns in found.items()
    }


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
    wanted = [one for one in (place.section, place.heading) if one]
    named = (one for one in increment.evidence if any(_is_named(name, one.quote) for name in wanted))
    return next(named, increment.evidence[0])


def _is_named(name: str, quote: str) -> bool:
    """Whether a number or word stands in a quote as a whole: "2.1" does not in "12.1" and "2.14"."""
    at = quote.find(name)
    while at >= 0:
        before, after = quote[at - 1 : at] if at else "", quote[at + len(name) : at + len(name) + 2]
        is_open = _is_latin(name[0]) and (_is_latin(before) or before == ".")
        goes_on = _is_latin(name[-1]) and (_is_latin(after[:1]) or (after[:1] == "." and after[1:].isdigit()))
        if not (is_open or goes_on):
            return True
        at = quote.find(name, at + 1)
    return False


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()

"""Tables that mix conditions: a column is headed by one device, model or setting, and a cell gives another with its number.

Promises: pure; works on rows that are units of their own and on a table that is all in one unit; time is linear in the text.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agent.checking.dispute import Dispute, Hand, Stated
from agent.reading.conditions import are_different, find_conditions
from agent.reading.measures import find_measures
from agent.reading.quantities import fold
from agent.reading.showing import as_evidence, plain
from agent.texts import Note, Segment, Unit

_BAR = re.compile(r"(?<!\\)\|")
_DELIMITER = re.compile(r"\|(?:[ \t]?:?-{2,60}:?[ \t]?\|){2,80}")
_BEFORE_CONDITION = re.compile(r"[\s(@,、*]{0,3}(?:(?:on|at|in|with|for|using)\s|在\s?|用\s?)?")
_AFTER_CONDITION = re.compile(r"[\s):、,*]{0,3}(?:上|下)?[\s:]{0,2}[~≈约>≥]?\s?")

_LAST_NUMBER = re.compile(
    r"[0-9][0-9.,]{0,15}\s?(?:[kKMB万亿]|[A-Za-z%]{1,8}(?:/[A-Za-z]{1,8}){0,2}|[倍个分])?(?=[^0-9]*$)"
)


class _Row(NamedTuple):
    unit: Unit
    cells: tuple[str, ...]


def disputes(hand: Hand) -> Iterator[Dispute]:
    """Yield the cells whose number was measured under another condition than their column says."""
    for segment in hand.segments:
        for header, rows in _tables(segment):
            for column, said in enumerate(header.cells[1:], start=1):
                for row in rows:
                    if column < len(row.cells):
                        yield from _mixed(hand.note, (header, said), (row, row.cells[column]))


def _tables(segment: Segment) -> Iterator[tuple[_Row, list[_Row]]]:
    """The tables of a segment: header and rows."""
    rows: list[_Row] = []
    header: _Row | None = None
    for unit in segment.units:
        delimiter = _DELIMITER.search(unit.text) if unit.kind != "code" else None
        if delimiter and unit.kind != "rule":
            yield from _in_one_unit(unit, delimiter)
        elif unit.kind == "rule" and delimiter and rows:
            if header and rows[:-1]:
                yield header, rows[:-1]
            header, rows = rows[-1], []
        elif unit.kind == "row":
            rows.append(_Row(unit, _cells(unit.text)))
        else:
            if header and rows:
                yield header, rows
            header, rows = None, []
    if header and rows:
        yield header, rows


def _in_one_unit(unit: Unit, delimiter: "re.Match[str]") -> Iterator[tuple[_Row, list[_Row]]]:
    """A table whose line ends are lost: every row has as many cells as the delimiter."""
    width = delimiter.group().count("|") - 1
    head, body = _cells(unit.text[: delimiter.start()])[-width:], _BAR.split(unit.text[delimiter.end() :])[1:]
    cells = [cell.strip() for cell in body]
    rows = [_Row(unit, tuple(cells[at : at + width])) for at in range(0, len(cells) - width + 1, width + 1)]
    if len(head) == width and rows:
        yield _Row(unit, head), rows


def _cells(text: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in _BAR.split(text.strip().strip("|")))


def _mixed(note: Note, headed: tuple[_Row, str], given: tuple[_Row, str]) -> Iterator[Dispute]:
    (header, said), (row, cell) = headed, given
    measures = find_measures(cell)
    if len(measures) > 1 or not any(character.isdigit() for character in cell):
        return
    wanted, found = find_conditions(fold(said)), find_conditions(fold(cell))
    for kind, spans in found.items():
        (mine, theirs) = _texts(said, wanted.get(kind, ())), _texts(cell, spans)
        if len(mine) != 1 or len(theirs) != 1 or not are_different(kind, mine[0], theirs[0]):
            continue
        if not _is_of_number(fold(cell), spans[0]):
            continue
        yield Dispute(
            rule="table-conditions",
            kind="conditions",
            about=" · ".join(filter(None, (plain(row.cells[0]), plain(said)))),
            key=(row.cells[0], mine[0], theirs[0], cell),
            sides=(
                Stated(plain(said), as_evidence(note, header.unit)),
                Stated(plain(cell), as_evidence(note, row.unit)),
            ),
            details={"header": mine[0], "cell": theirs[0]},
        )


def _texts(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    return list(dict.fromkeys(text[start:end].strip() for start, end in spans))


def _is_of_number(folded: str, condition: tuple[int, int]) -> bool:
    """Whether a condition stands right beside the cell's number, and is not what the number is compared with."""
    start, end = condition
    before, after = folded[:start], folded[end:]
    number = _LAST_NUMBER.search(before)
    if number and _BEFORE_CONDITION.fullmatch(before, number.end()):
        return True
    behind = _AFTER_CONDITION.match(after)
    return not any(map(str.isalnum, before)) and behind is not None and after[behind.end() : behind.end() + 1].isdigit()

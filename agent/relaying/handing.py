"""Writes the handoff for people: what is amiss, what to apply and why, what to settle first, what to check.

Promises: pure; the same handoff gives the same bytes; what a note says stands behind a quote mark and does nothing; a diff
cannot leave its fence; the last line is the marker by which our own files are known again.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from agent.batons import SaidMissing
from agent.handoffs import Handoff, Operation, Turn
from agent.reading.escaping import escape, marker_value, note_link, visible
from agent.reading.marking import marked
from agent.records import Contradiction, Evidence
from agent.relaying.queue import missed_batons
from agent.relaying.wording import WORDING, Wording
from agent.texts import DOCUMENTS

_QUOTE = 240
_TITLE = 120
_LINE = 400  # code points of a diff's line that are shown
_TICKS = re.compile(r"`{3,}")
_NAMED = 12


def render_handoff(handoff: Handoff, *, name: str = "handoff.json") -> str:
    """Return the handoff as Markdown; links are relative to the workspace.

    Args:
        handoff: what is handed over.
        name: of the JSON file that the commands name.
    """
    words = WORDING[handoff.language]
    before = _before(handoff)
    lines = [
        f"# {words.handoff}{words.opens}{handoff.date} {handoff.slot}{words.closes}",
        "",
        words.made_by.format(date=handoff.date, slot=handoff.slot, timezone=escape(handoff.timezone)),
        "",
        f"## {words.first}",
        "",
        *_first(handoff, before, words),
        "",
        *_operations(handoff, before, words, name),
        *_contradictions(handoff, before, words),
        *_to_verify(handoff, words),
        *_coverage(handoff, words),
        *_registers(handoff, words),
        *_written(handoff, words),
    ]
    fields = f"handoff date={handoff.date} slot={handoff.slot} agent={marker_value(handoff.agent)}"
    return marked("\n".join(lines), fields=fields)


def _before(handoff: Handoff) -> dict[str, list[str]]:
    """For each operation's id the contradictions that its finding is part of, as this text counts them."""
    found: dict[str, list[str]] = {}
    for number, contradiction in enumerate(handoff.contradictions, 1):
        for operation in handoff.operations:
            if operation.increment in contradiction.increments:
                found.setdefault(operation.id, []).append(str(number))
    return found


def _first(handoff: Handoff, before: Mapping[str, list[str]], words: Wording) -> list[str]:
    stale = [f"{escape(one.document)}" for one in handoff.coverage.stale]
    titles = {one.id: one.title for one in handoff.increments}
    lines = []
    if missed := list(missed_batons(handoff)):
        lines.append(words.missed.format(items=words.comma.join(missed)))
    if handoff.failed:
        lines.append(words.failed.format(items=_listed(handoff.failed, words)))
    if stale:
        lines.append(words.stale.format(items=words.comma.join(stale)))
    if before:
        lines.append(words.disputed.format(items=_listed(sorted(before), words)))
    if handoff.unplaced:
        lines.append(words.unplaced.format(items=_listed([titles[one] for one in handoff.unplaced], words)))
    lines += [escape(one) for one in handoff.remarks]
    return [f"- {line}" for line in lines or [words.nothing_amiss]]


def _operations(handoff: Handoff, before: Mapping[str, list[str]], words: Wording, name: str) -> Iterator[str]:
    yield from (f"## {words.documents}", "")
    if not handoff.operations:
        yield from (words.no_operations, "")
    for document, group in groupby(sorted(handoff.operations, key=lambda one: one.document), lambda one: one.document):
        yield from (f"### {escape(document)}", "")
        for one in group:
            yield from _operation(one, before.get(one.id, ()), words, name)


def _operation(operation: Operation, disputes: Sequence[str], words: Wording, name: str) -> Iterator[str]:
    what = words.operation.format(action=words.actions[operation.action], section=escape(operation.section))
    heading = f"{words.opens}{escape(operation.heading, limit=_TITLE)}{words.closes}" if operation.heading else ""
    yield from (f"#### {operation.id} · {what}{heading}", "", escape(operation.title, limit=_TITLE), "")
    yield from _quoted(operation.because, words)
    if operation.reason:
        yield f"> {escape(operation.reason, limit=_QUOTE)}"
    yield ""
    if disputes:
        yield from (f"⚠️ {words.depends.format(items=words.comma.join(f'#{one}' for one in disputes))}", "")
    if operation.problem:
        yield from (words.cannot.format(problem=operation.problem), "")
        return
    yield from _fenced(operation.diff)
    yield from (f"{words.to_apply} `agent apply {name} --operation {operation.id}`", "")


def _quoted(evidence: Evidence, words: Wording) -> Iterator[str]:
    link = note_link(evidence.note, evidence.line)
    yield f"> {words.because}{words.opens}{link}{words.closes}{words.colon}{escape(evidence.quote, limit=_QUOTE)}"


def _fenced(text: str) -> Iterator[str]:
    """A text as a code block that nothing in it can end."""
    fence = "`" * (max((len(found) for found in _TICKS.findall(text)), default=2) + 1)
    yield f"{fence}diff"
    for line in text.split("\n"):
        shown = line[:1] + visible(line[1:]) if line[:1] in "+- " else visible(line)
        yield shown if len(shown) <= _LINE else f"{shown[:_LINE]}…"
    yield from (fence, "")


def _contradictions(handoff: Handoff, before: Mapping[str, list[str]], words: Wording) -> Iterator[str]:
    if not handoff.contradictions:
        return
    yield from (f"## {words.contradictions}", "")
    for number, one in enumerate(handoff.contradictions, 1):
        yield from _contradiction(str(number), one, words)
        waiting = [name for name, numbers in before.items() if str(number) in numbers]
        if waiting:
            yield from (words.settle_before.format(items=words.comma.join(waiting)), "")


def _contradiction(number: str, contradiction: Contradiction, words: Wording) -> Iterator[str]:
    since = f"{words.opens}{words.since.format(date=contradiction.since)}{words.closes}" if contradiction.since else ""
    yield from (f"### #{number}{since}", "", escape(contradiction.statement, limit=_QUOTE), "")
    for side in contradiction.sides:
        yield f"> {note_link(side.note, side.line)} {words.says} {escape(side.says, limit=_QUOTE)}"
    yield ""
    if contradiction.settle:
        yield from (words.settle.format(settle=escape(contradiction.settle, limit=_QUOTE)), "")


def _to_verify(handoff: Handoff, words: Wording) -> Iterator[str]:
    if not handoff.to_verify:
        return
    yield from (f"## {words.to_verify}", "")
    for one in handoff.to_verify:
        where = words.comma.join(note_link(each.note, each.line) for each in one.evidence[:2])
        yield f"- {escape(one.claim, limit=_QUOTE)}{words.opens}{where}{words.closes}"
        if one.question:
            yield f"  - {escape(one.question, limit=_QUOTE)}"
    yield ""


def _coverage(handoff: Handoff, words: Wording) -> Iterator[str]:
    coverage = handoff.coverage
    lines = []
    for baton in coverage.batons:
        what = " · ".join(escape(part) for part in (baton.agent, baton.topic, baton.slot) if part)
        notes = words.comma.join(note_link(note) for note in (*baton.notes, *baton.duplicates))
        lines.append(
            f"- {what}{words.colon}{words.states[baton.state]}{f'{words.opens}{notes}{words.closes}' if notes else ''}"
        )
    lines += [
        f"- {escape(one.agent)}{words.colon}{words.states[one.state]}"
        for one in coverage.rhythm
        if one.state not in ("steady", "unknown")
    ]
    wrong: dict[tuple[str, str], SaidMissing] = {}
    for said in coverage.said_missing:
        if not said.is_true:
            wrong.setdefault((said.note, said.agent), said)
    for said in wrong.values():
        there = words.comma.join(map(note_link, said.notes))
        link = note_link(said.note, said.line)
        lines.append(f"- {words.wrongly_missing.format(said=link, agent=escape(said.agent), there=there)}")
    for one in coverage.stale:
        since = words.never if one.days is None else words.days.format(days=one.days)
        lines.append(f"- {escape(one.document)}{words.colon}{since}")
    if lines:
        yield from (f"## {words.coverage}", "", *lines, "")


def _registers(handoff: Handoff, words: Wording) -> Iterator[str]:
    if not handoff.next_registers:
        return
    yield from (f"## {words.registers}", "")
    yield f"| {' | '.join(words.register_columns)} |"
    yield f"|{'---|' * len(words.register_columns)}"
    for one in handoff.next_registers:
        offered = _runs(one.offered, one.kind) or "—"
        taken = f"{one.kind}{one.taken}" if one.taken else "—"
        yield f"| {escape(one.document)} | {one.kind} | {taken} | {offered} | {one.kind}{one.next} |"
    yield ""


def _runs(numbers: Sequence[int], kind: str) -> str:
    """Numbers in short: C59 to C67 as "C59–C67"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{kind}{run[0]}" + (f"–{kind}{run[-1]}" if len(run) > 1 else "") for run in runs)


def _written(handoff: Handoff, words: Wording) -> Iterator[str]:
    yield from (f"## {words.written}", "")
    yield from (f"- {words.brief}{words.colon}{note_link(one.note)}" for one in handoff.briefs)
    if handoff.queue:
        yield f"- {words.queue}{words.colon}{note_link(handoff.queue)}"
    if handoff.caught_up:
        yield f"- {words.caught_up.format(items=words.comma.join(map(_turn, handoff.caught_up)))}"
    changed = dict.fromkeys(one.document for one in handoff.operations if one.sha256)
    yield from (f"- {note_link(f'{DOCUMENTS}/{name}')}" for name in changed)
    yield ""


def _turn(turn: Turn) -> str:
    return f"{turn.date} {turn.slot}{f' {escape(turn.topic)}' if turn.topic else ''}"


def _listed(items: Sequence[str], words: Wording) -> str:
    named = words.comma.join(escape(one, limit=_TITLE) for one in items[:_NAMED])
    return named + (f" +{len(items) - _NAMED}" if len(items) > _NAMED else "")

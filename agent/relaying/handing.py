"""Writes the handoff for people: what is amiss, what to apply and why, what to settle first, what to check.

Promises: pure; the same handoff gives the same bytes; what a note says stands behind a quote mark or as a line that a diff
adds, and does nothing; a diff cannot leave its fence; the last line is the marker by which our own files are known again.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from agent.batons import SaidMissing
from agent.handoffs import Handoff, Operation, Turn
from agent.reading.escaping import escape, marker_value, note_link, visible
from agent.reading.marking import marked
from agent.reading.showing import plain
from agent.records import Contradiction, Evidence
from agent.relaying.queue import NAME, age_of, baton_name, missed_batons
from agent.relaying.wording import WORDING, Wording

_QUOTE = 240
_CONTEXT = 400  # code points that are shown of a diff's line that does not change
_TICKS = re.compile(r"`{3,}")
_SPACE = re.compile(r"[^\S \u3000]")
_SEEN = re.compile(r"\S+")
_NAMED = 12
_PLACES = 2  # of a claim or finding that are named
_ACTIONS = frozenset({"", *(name for words in WORDING.values() for one in words.actions.items() for name in one)})


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
        *_unplaced(handoff, words),
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
    stale = [one.document for one in handoff.coverage.stale]
    lines = []
    if missed := list(missed_batons(handoff)):
        lines.append(words.missed.format(items=_listed(missed, words)))
    if handoff.failed:
        lines.append(words.failed.format(items=_listed([note_link(note) for note in handoff.failed], words)))
    if stale:
        lines.append(words.stale.format(items=_listed([escape(name, limit=NAME) for name in stale], words)))
    if before:
        names = dict.fromkeys(one.id for one in handoff.operations if one.id in before)
        lines.append(words.disputed.format(items=_listed(list(names), words)))
    if handoff.unplaced:
        lines.append(words.unplaced.format(items=len(handoff.unplaced)))
    lines += [escape(one) for one in handoff.remarks]
    return [f"- {line}" for line in lines or [words.nothing_amiss]]


def _operations(handoff: Handoff, before: Mapping[str, list[str]], words: Wording, name: str) -> Iterator[str]:
    yield from (f"## {words.documents}", "")
    if not handoff.operations:
        yield from (words.no_operations, "")
    for (is_homeless, document), group in groupby(sorted(handoff.operations, key=_home), _home):
        yield from (f"### {words.homeless if is_homeless else escape(document, limit=NAME)}", "")
        for one in group:
            yield from _operation(one, before.get(one.id, ()), words, name)


def _operation(operation: Operation, disputes: Sequence[str], words: Wording, name: str) -> Iterator[str]:
    what = words.actions[operation.action]
    if not operation.problem:
        what = words.operation.format(action=what, section=escape(operation.section, limit=NAME))
    heading = f"{words.opens}{escape(operation.heading, limit=NAME)}{words.closes}" if operation.heading else ""
    yield from (f"#### {operation.id} · {what}{'' if operation.problem else heading}", "")
    yield _quoted(words.finding, operation.title, words, limit=NAME)
    link = note_link(operation.because.note, operation.because.line)
    yield _quoted(f"{words.because}{words.opens}{link}{words.closes}", operation.because.quote, words)
    if _says_more(operation.reason):
        yield _quoted(words.place, operation.reason, words)
    if operation.problem:
        yield f"> - {words.cannot.format(problem=escape(operation.problem, limit=_QUOTE))}"
    yield ""
    if disputes:
        yield from (f"⚠️ {words.depends.format(items=words.comma.join(f'#{one}' for one in disputes))}", "")
    if not operation.problem:
        yield from _fenced(operation.diff)
        yield from (f"{words.to_apply} `agent apply {name} --operation {operation.id}`", "")


def _home(operation: Operation) -> tuple[bool, str]:
    """The document under whose heading an operation stands; a name that only a note gives stands in no heading."""
    return (False, operation.document) if operation.sha256 else (True, "")


def _says_more(reason: str) -> bool:
    """Whether the reason for a place is more than the name of an action."""
    return plain(reason).casefold().replace(" ", "_") not in _ACTIONS


def _quoted(what: str, said: str, words: Wording, *, limit: int = _QUOTE) -> str:
    """What a note says, behind the quote mark and our word for it."""
    return f"> - {what}{words.colon}{escape(plain(said), limit=limit)}"


def _fenced(text: str) -> Iterator[str]:
    """A text as a code block that nothing in it can end."""
    fence = "`" * (max((len(found) for found in _TICKS.findall(text)), default=2) + 1)
    yield f"{fence}diff"
    for line in text.split("\n"):
        shown = _SEEN.sub(_visible, _SPACE.sub(_space, line))
        is_changed = line.startswith(("+", "-"))
        yield shown if is_changed or len(shown) <= _CONTEXT else f"{shown[:_CONTEXT]}…"
    yield from (fence, "")


def _visible(found: re.Match[str]) -> str:
    return visible(found[0])


def _space(found: re.Match[str]) -> str:
    return "    " if found[0] == "\t" else " "


def _unplaced(handoff: Handoff, words: Wording) -> Iterator[str]:
    increments = {one.id: one for one in handoff.increments}
    found = [increments[one] for one in handoff.unplaced if one in increments]
    if found:
        yield from (f"## {words.no_place}", "")
        yield from (f"> - {escape(plain(one.title), limit=NAME)}{_where(one.evidence, words)}" for one in found)
        yield ""


def _where(evidence: Sequence[Evidence], words: Wording) -> str:
    links = dict.fromkeys(note_link(one.note, one.line) for one in evidence)
    return f"{words.opens}{words.comma.join(list(links)[:_PLACES])}{words.closes}" if links else ""


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
    yield from (f"### #{number}{since}", "", f"> - {escape(plain(contradiction.statement), limit=_QUOTE)}")
    for side in contradiction.sides:
        yield _quoted(f"{note_link(side.note, side.line)} {words.says}", side.says, words)
    if contradiction.settle:
        yield f"> - {words.settle.format(settle=escape(contradiction.settle, limit=_QUOTE))}"
    yield ""


def _to_verify(handoff: Handoff, words: Wording) -> Iterator[str]:
    if not handoff.to_verify:
        return
    yield from (f"## {words.to_verify}", "")
    for one in handoff.to_verify:
        yield f"> - {escape(plain(one.claim), limit=_QUOTE)}{_where(one.evidence, words)}"
        if plain(one.question) not in ("", plain(one.claim)):
            yield f">   - {escape(plain(one.question), limit=_QUOTE)}"
    yield ""


def _coverage(handoff: Handoff, words: Wording) -> Iterator[str]:
    coverage = handoff.coverage
    lines = []
    for baton in coverage.batons:
        what = baton_name(baton.agent, baton.topic, baton.slot)
        parts = [note_link(note) for note in baton.notes]
        if baton.duplicates:
            parts.append(words.again.format(items=words.comma.join(map(note_link, baton.duplicates))))
        notes = f"{words.opens}{words.stop.join(parts)}{words.closes}" if parts else ""
        lines.append(f"- {what}{words.colon}{words.states[baton.state]}{notes}")
    lines += [
        f"- {escape(one.agent, limit=NAME)}{words.colon}{words.states[one.state]}"
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
        lines.append(f"- {words.wrongly_missing.format(said=link, agent=escape(said.agent, limit=NAME), there=there)}")
    lines += [f"- {escape(one.document, limit=NAME)}{words.colon}{age_of(one, words)}" for one in coverage.stale]
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
        yield f"| {escape(one.document, limit=NAME)} | {one.kind} | {taken} | {offered} | {one.kind}{one.next} |"
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
    yield ""


def _turn(turn: Turn) -> str:
    return f"{turn.date} {turn.slot}{f' {escape(turn.topic)}' if turn.topic else ''}"


def _listed(items: Sequence[str], words: Wording) -> str:
    """The first of some items, which are escaped already, and how many there are besides."""
    return words.comma.join(items[:_NAMED]) + (f" +{len(items) - _NAMED}" if len(items) > _NAMED else "")

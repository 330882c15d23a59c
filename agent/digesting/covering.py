"""The digest's section on coverage: only what is not as it should be, and who came where nothing was planned.

Promises: everything from notes and file names is escaped; the same coverage gives the same lines.
"""

from agent.batons import BatonOutcome, Coverage, SaidMissing
from agent.digesting.words import Words
from agent.reading.escaping import escape, note_link

_SAYING = 160  # code points of a note's words that are shown
_NAMED = 6  # notes that one line names


def coverage_lines(coverage: Coverage, words: Words) -> list[str]:
    """Return one line for each thing that is not as it should be; one line that says so where there is none."""
    lines = [*_batons(coverage, words), *_others(coverage, words), *_stale(coverage, words)]
    return lines or [words.nothing_missed if coverage.batons or coverage.plan == "given" else _no_plan(coverage, words)]


def _batons(coverage: Coverage, words: Words) -> list[str]:
    usually = words.usually if coverage.plan == "derived" else "{what}"
    told = {(one.agent, one.topic, one.slot) for one in coverage.batons}
    lines = [
        f"{words.missed}{words.colon}{_named(one.agent, one.topic, one.slot)}"
        for one in coverage.missed
        if (one.agent, one.topic, one.slot) not in told
    ]
    for one in coverage.batons:
        what = _named(one.agent, one.topic, one.slot)
        if one.state == "missing":
            lines.append(f"{words.missed}{words.colon}{usually.format(what=what)}")
        elif one.state in ("late", "empty", "unread"):
            lines.append(f"{words.baton_states[one.state]}{words.colon}{_with_notes(what, one, words)}")
        if one.duplicates:
            notes = _links(one.duplicates, words)
            lines.append(f"{words.baton_states['twice']}{words.colon}{what}{words.in_brackets.format(text=notes)}")
    return lines


def _others(coverage: Coverage, words: Words) -> list[str]:
    lines = [
        f"{words.rhythms[one.state]}{words.colon}{escape(one.agent)}"
        for one in coverage.rhythm
        if one.state not in ("steady", "unknown")
    ]
    wrong: dict[tuple[str, str], list[SaidMissing]] = {}
    for said in coverage.said_missing:
        if not said.is_true:
            wrong.setdefault((said.note, said.agent), []).append(said)
    return [*lines, *(_wrongly_missing(sayings, words) for sayings in wrong.values())]


def _wrongly_missing(sayings: list[SaidMissing], words: Words) -> str:
    """One line for all that a note says wrongly about one agent's absence; its first saying is quoted."""
    first = sayings[0]
    more = "".join(f"{words.comma}{note_link(one.note, one.line)}" for one in sayings[1:_NAMED])
    claim = words.wrongly_missing.format(agent=escape(first.agent), there=_links(first.notes, words))
    return f"{note_link(first.note, first.line)}{more}{words.colon}{claim} {escape(first.quote, limit=_SAYING)}"


def _stale(coverage: Coverage, words: Words) -> list[str]:
    lines = []
    for one in coverage.stale:
        since = words.not_dated
        if one.updated is not None:
            since = words.stale_since.format(date=one.updated, days=words.days(one.days or 0))
        lines.append(f"{words.stale}{words.colon}{escape(one.document)}{words.in_brackets.format(text=since)}")
    return lines


def _no_plan(coverage: Coverage, words: Words) -> str:
    came = words.comma.join(map(escape, coverage.agents)) or words.nobody
    return words.no_plan.format(agents=came)


def _with_notes(what: str, baton: BatonOutcome, words: Words) -> str:
    parts = [what]
    if baton.minutes_late:
        parts.append(words.minutes_late.format(minutes=baton.minutes_late))
    return words.clause.join([*parts, *([_links(baton.notes, words)] if baton.notes else [])])


def _links(notes: tuple[str, ...], words: Words) -> str:
    more = f" +{len(notes) - _NAMED}" if len(notes) > _NAMED else ""
    return words.comma.join(note_link(note) for note in notes[:_NAMED]) + more


def _named(agent: str, topic: str | None, slot: str | None) -> str:
    return " · ".join(escape(part) for part in (agent, topic, slot) if part)

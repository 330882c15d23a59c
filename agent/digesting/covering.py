"""The digest's section on coverage: only what is not as it should be, and who came where nothing was planned.

Promises: everything from notes and file names is escaped; what is only usual is not called planned; the same coverage gives
the same lines.
"""

import datetime as dt
from collections.abc import Iterator, Sequence
from itertools import islice

from agent.batons import BatonOutcome, Coverage, SaidMissing
from agent.digesting.words import Words
from agent.reading.escaping import escape, note_link
from agent.reading.names import parse_note_name

_SAYING = 160  # code points of a note's words that are shown
_NAMED = 6  # notes, or agents, that one line names
_LINES = 40  # of one sort; the others are counted


def coverage_lines(coverage: Coverage, words: Words) -> list[str]:
    """Return one line for each thing that is not as it should be; one line that says so where there is none."""
    sorts = (
        _batons(coverage, words),
        _rhythms(coverage, words),
        _wrong_sayings(coverage, words),
        _stale(coverage, words),
    )
    lines = [line for sort in sorts for line in _cut(list(sort))]
    if coverage.plan == "none":
        return [_no_plan(coverage, words), *(lines or [words.nothing_stale])]
    return lines or [words.nothing_missed]


def _cut(lines: Sequence[str]) -> list[str]:
    return [*lines[:_LINES], *([f"+{len(lines) - _LINES}"] if len(lines) > _LINES else [])]


def _batons(coverage: Coverage, words: Words) -> Iterator[str]:
    told = {(one.agent, one.topic, one.slot) for one in coverage.batons}
    for one in coverage.missed:
        if (one.agent, one.topic, one.slot) not in told:
            yield f"{words.missed}{words.colon}{_named(one.agent, one.topic, one.slot)}"
    for baton in coverage.batons:
        yield from _baton(baton, words, is_usual=coverage.plan == "derived")


def _baton(baton: BatonOutcome, words: Words, *, is_usual: bool) -> Iterator[str]:
    what = _named(baton.agent, baton.topic, None if is_usual else baton.slot)
    if is_usual:
        form = words.usually_at if baton.slot else words.usually
        what = form.format(what=what, slot=baton.slot)
    if baton.state == "missing":
        yield f"{words.missed}{words.colon}{what}"
    elif baton.state in ("late", "empty", "unread"):
        name = words.baton_states["later" if baton.state == "late" and is_usual else baton.state]
        late = [words.minutes_late.format(minutes=baton.minutes_late)] if baton.state == "late" and not is_usual else []
        yield f"{name}{words.colon}{words.clause.join([what, *late, _links(baton.notes, words)])}"
    if baton.duplicates:
        notes = _links((*baton.notes, *baton.duplicates), words)
        yield f"{words.baton_states['twice']}{words.colon}{what}{words.in_brackets.format(text=notes)}"


def _rhythms(coverage: Coverage, words: Words) -> Iterator[str]:
    for one in coverage.rhythm:
        if one.state in words.rhythms:
            yield f"{words.rhythms[one.state]}{words.colon}{escape(one.agent)}"


def _wrong_sayings(coverage: Coverage, words: Words) -> Iterator[str]:
    """One line for all that a note says wrongly about one agent's absence; its first saying is quoted."""
    wrong: dict[tuple[str, str, bool], list[SaidMissing]] = {}
    for said in coverage.said_missing:
        if not said.is_true:
            wrong.setdefault((said.note, said.agent, _came_after(said)), []).append(said)
    for (_, agent, came_after), sayings in wrong.items():
        first = sayings[0]
        notes = tuple(dict.fromkeys(note for one in sayings for note in one.notes))
        form = words.missing_then if came_after else words.wrongly_missing
        places = dict.fromkeys(note_link(one.note, one.line) for one in sayings)
        claim = form.format(agent=escape(agent), there=_links(notes, words))
        yield (
            f"{words.comma.join(islice(places, _NAMED))}{words.colon}{claim}{words.space}"
            f"{escape(first.quote, limit=_SAYING)}"
        )


def _came_after(said: SaidMissing) -> bool:
    """Whether all that is there came after the note that misses it, as far as the names tell."""
    then = _moment(said.note)
    return then is not None and all((came := _moment(note)) is not None and came > then for note in said.notes)


def _moment(note: str) -> dt.datetime | None:
    name = parse_note_name(note)
    return dt.datetime.combine(name.date, name.time) if name.date and name.time else None


def _stale(coverage: Coverage, words: Words) -> Iterator[str]:
    for one in coverage.stale:
        since = words.not_dated
        if one.updated is not None:
            since = words.stale_since.format(date=one.updated, days=words.days(one.days or 0))
        yield f"{words.stale}{words.colon}{escape(one.document)}{words.in_brackets.format(text=since)}"


def _no_plan(coverage: Coverage, words: Words) -> str:
    came = words.comma.join(map(escape, coverage.agents[:_NAMED])) or "—"
    more = f" +{len(coverage.agents) - _NAMED}" if len(coverage.agents) > _NAMED else ""
    return words.no_plan.format(agents=came + more)


def _links(notes: Sequence[str], words: Words) -> str:
    more = f" +{len(notes) - _NAMED}" if len(notes) > _NAMED else ""
    return words.comma.join(note_link(note) for note in notes[:_NAMED]) + more


def _named(agent: str, topic: str | None, slot: str | None) -> str:
    return " · ".join(escape(part) for part in (agent, topic, slot) if part)

"""Writes the work queue: what waits in the knowledge base, one line each, for whoever comes next.

Promises: pure; the same handoff gives the same bytes; everything from notes and file names is escaped, and what a note says
stands behind a quote mark; the last line is the marker by which it is known whether somebody changed it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from agent.batons import DocumentAge, StaleDocument
from agent.handoffs import Handoff
from agent.reading.escaping import escape, marker_value, note_link
from agent.reading.marking import marked
from agent.reading.showing import plain
from agent.relaying.wording import WORDING, Wording

_PAPERS = 40  # named; the whole list is in the digest
_CLAIM = 160
NAME = 120  # code points of a title or name that are shown


def render_queue(handoff: Handoff, *, uncarded: Sequence[str]) -> str:
    """Return the work queue as Markdown.

    Args:
        handoff: of the slot.
        uncarded: arXiv IDs that the digest found and no paper card has.
    """
    words = WORDING[handoff.language]
    claims = tuple(dict.fromkeys(escape(plain(one.claim), limit=_CLAIM) for one in handoff.to_verify))
    lines = [
        f"# {words.queue}{words.opens}{handoff.date} {handoff.slot}{words.closes}",
        "",
        f"## {words.updates}",
        "",
        *(_documents(handoff, words) or [f"- {words.none}"]),
        "",
        *_counted(words.cards, len(uncarded), _cards(uncarded), words),
        *_counted(words.contradictions, len(handoff.contradictions), _contradictions(handoff, words), words),
        *_counted(words.to_verify, len(claims), [f"> - {one}" for one in claims], words),
        f"## {words.coverage}",
        "",
        *(_missed(handoff, words) or [f"- {words.none_missed}"]),
        "",
    ]
    fields = f"queue date={handoff.date} slot={handoff.slot} agent={marker_value(handoff.agent)}"
    return marked("\n".join(lines), fields=fields)


def _counted(heading: str, number: int, lines: Sequence[str], words: Wording) -> list[str]:
    """A heading that says how many there are, and they below it."""
    return [f"## {heading}{words.colon}{number}", "", *(lines or [f"- {words.none}"]), ""]


def _documents(handoff: Handoff, words: Wording) -> list[str]:
    """Each living document with the days since its last update and the operations that wait for it."""
    waiting = Counter(one.document for one in handoff.operations if not one.problem)
    stale = {one.document for one in handoff.coverage.stale}
    known: tuple[DocumentAge | StaleDocument, ...] = (*handoff.coverage.stale, *handoff.coverage.documents)
    ages = {one.document: age_of(one, words) for one in known}
    days = {one.document: one.days for one in known}
    lines = []
    for name in sorted({*ages, *waiting}, key=lambda name: (name not in stale, -(days.get(name) or 0), name)):
        warning = "⚠️ " if name in stale else ""
        operations = f"{words.stop}{words.waiting.format(items=waiting[name])}" if waiting[name] else ""
        lines.append(f"- {warning}{escape(name, limit=NAME)}{words.colon}{ages.get(name, words.never)}{operations}")
    return lines


def age_of(document: DocumentAge | StaleDocument, words: Wording) -> str:
    """Return how long ago a living document was updated, in words."""
    if document.days is None or document.updated is None:
        return words.never
    if document.days <= 0:
        return words.fresh
    last = words.updated.format(date=document.updated)
    return f"{words.days.format(days=document.days)}{words.opens}{last}{words.closes}"


def _cards(uncarded: Sequence[str]) -> list[str]:
    shown = [f"- arXiv:{escape(one, limit=NAME)}" for one in uncarded[:_PAPERS]]
    return [*shown, *([f"- +{len(uncarded) - _PAPERS}"] if len(uncarded) > _PAPERS else [])]


def _contradictions(handoff: Handoff, words: Wording) -> list[str]:
    lines = []
    for one in handoff.contradictions:
        since = f"{words.opens}{words.since.format(date=one.since)}{words.closes}" if one.since else ""
        lines.append(f"> - {escape(plain(one.statement), limit=_CLAIM)}{since}")
    return lines


def _missed(handoff: Handoff, words: Wording) -> list[str]:
    return [f"- {words.missed.format(items=item)}" for item in missed_batons(handoff)] + [
        f"- {words.failed.format(items=note_link(note))}" for note in handoff.failed
    ]


def missed_batons(handoff: Handoff) -> Iterator[str]:
    """Yield what each missed baton is called, escaped."""
    for one in handoff.coverage.missed:
        yield baton_name(one.agent, one.topic, one.slot)


def baton_name(*parts: str | None) -> str:
    """Return what a baton is called: agent, topic and slot, those that it has, escaped."""
    return " · ".join(escape(part, limit=NAME) for part in parts if part)

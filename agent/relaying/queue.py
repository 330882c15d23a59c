"""Writes the work queue: what waits in the knowledge base, one line each, for whoever comes next.

Promises: pure; the same handoff gives the same bytes; everything from notes and file names is escaped; the last line is the
marker by which it is known whether somebody changed it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from agent.handoffs import Handoff
from agent.reading.escaping import escape, marker_value
from agent.reading.marking import marked
from agent.relaying.wording import WORDING, Wording

_PAPERS = 40  # named; the whole list is in the digest
_CLAIM = 160


def render_queue(handoff: Handoff, *, uncarded: Sequence[str]) -> str:
    """Return the work queue as Markdown.

    Args:
        handoff: of the slot.
        uncarded: arXiv IDs that the digest found and no paper card has.
    """
    words = WORDING[handoff.language]
    lines = [
        f"# {words.queue}{words.opens}{handoff.date} {handoff.slot}{words.closes}",
        "",
        f"## {words.updates}",
        "",
        *(_documents(handoff, words) or [f"- {words.none}"]),
        "",
        f"## {words.cards}",
        "",
        *_cards(uncarded, words),
        "",
        f"## {words.contradictions}",
        "",
        *(_contradictions(handoff, words) or [f"- {words.none}"]),
        "",
        f"## {words.to_verify}",
        "",
        *([f"- {escape(one.claim, limit=_CLAIM)}" for one in handoff.to_verify] or [f"- {words.none}"]),
        "",
        f"## {words.coverage}",
        "",
        *(_missed(handoff, words) or [f"- {words.none}"]),
        "",
    ]
    fields = f"queue date={handoff.date} slot={handoff.slot} agent={marker_value(handoff.agent)}"
    return marked("\n".join(lines), fields=fields)


def _documents(handoff: Handoff, words: Wording) -> list[str]:
    """Each living document with the days since its last update and the operations that wait for it."""
    waiting = Counter(one.document for one in handoff.operations if not one.problem)
    stale = {one.document for one in handoff.coverage.stale}
    ages = {one.document: one.days for one in handoff.coverage.documents or handoff.coverage.stale}
    lines = []
    for name in sorted({*ages, *waiting}, key=lambda name: (-(ages.get(name) or 0), name)):
        days = ages.get(name)
        since = words.days.format(days=days) if days is not None else words.never
        warning = "⚠️ " if name in stale else ""
        operations = f"{words.comma}{words.waiting.format(items=waiting[name])}" if waiting[name] else ""
        lines.append(f"- {warning}{escape(name)}{words.colon}{since}{operations}")
    return lines


def _cards(uncarded: Sequence[str], words: Wording) -> list[str]:
    if not uncarded:
        return [f"- {words.no_cards}"]
    shown = [f"- arXiv:{escape(one)}" for one in uncarded[:_PAPERS]]
    return [*shown, *([f"- +{len(uncarded) - _PAPERS}"] if len(uncarded) > _PAPERS else [])]


def _contradictions(handoff: Handoff, words: Wording) -> list[str]:
    lines = []
    for one in handoff.contradictions:
        since = f"{words.opens}{words.since.format(date=one.since)}{words.closes}" if one.since else ""
        lines.append(f"- {escape(one.statement, limit=_CLAIM)}{since}")
    return lines


def _missed(handoff: Handoff, words: Wording) -> list[str]:
    return [f"- {words.missed.format(items=item)}" for item in missed_batons(handoff)] + [
        f"- {words.failed.format(items=escape(note))}" for note in handoff.failed
    ]


def missed_batons(handoff: Handoff) -> Iterator[str]:
    """Yield what each missed baton is called, escaped."""
    for one in handoff.coverage.missed:
        yield " · ".join(escape(part) for part in (one.agent, one.topic, one.slot) if part)

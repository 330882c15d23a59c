"""What a brief says and the texts that were looked at do not have, but other notes of the workspace do: of other days, or left out.

Promises: only findings that nothing bore out are looked at again; what stands in such a note is never called false. The
look-up costs what the texts and the findings cost, each once.
"""

from collections.abc import Iterable, Iterator, Sequence

from agent.auditing.findings import Finding
from agent.auditing.shelf import Shelf, figures_in, measured
from agent.auditing.words import reason
from agent.records import Evidence, Language
from agent.texts import Note

_LOOKED_FOR = frozenset({"nowhere", "outside", "not-in-source", "no-such-words", "one-slip", "other-agent"})


def looked_beyond(
    findings: Iterable[Finding], notes: Sequence[Note], *, without: str, language: Language
) -> Iterator[Finding]:
    """Return the findings, those that another note bears out with the place where it stands.

    Args:
        findings: of an audit.
        notes: of the workspace that it did not look at.
        without: path of the brief.
        language: of the reasons.
    """
    shelf = Shelf(notes, (), without=without)
    for one in findings:
        place = _place(one, shelf) if shelf.texts and one.found_by in _LOOKED_FOR else None
        if place is None:
            yield one
            continue
        told = reason("beyond-days", language, says=one.says, stands=place.note)
        yield one.model_copy(
            update={
                "verdict": "unsupported", "found": (place,), "because": told.because, "advice": told.advice, "found_by": "beyond-days",
            }
        )  # fmt: skip


def _place(finding: Finding, shelf: Shelf) -> Evidence | None:
    said = finding.says.rpartition(" · ")[2]
    if finding.kind == "identifier" or (finding.kind == "source" and said[:4].isdigit()):
        texts = shelf.identifiers.get(said, ())
        return texts[0].evidence_at(texts[0].identifiers[said]) if texts else None
    if finding.kind == "quote":
        found = shelf.judge(finding.says, shelf.worded)
        return found.text.evidence_at(found.judged.start) if found and found.judged.is_borne_out else None
    if finding.kind == "figure":
        wanted = {
            measured(one)
            for one in figures_in(finding.place.quote)
            if finding.place.quote[one.start : one.end].strip() == said
        }
        for text in shelf.texts:
            for key in wanted:
                for amount in text.having(*key, 0.0):
                    return text.evidence_at(amount.unit.start)
    return None

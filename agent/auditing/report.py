"""Writes an audit as Markdown that is read in two minutes: what is false first, each with both sides and where they stand.

Promises: every text that comes from a brief or a note goes through `escaping`; headings, list items and table rows are ours
alone; the same audit gives the same bytes; whatever is left out of the page is counted there.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from agent.auditing.findings import KINDS, Audit, Finding, Verdict
from agent.auditing.words import AUDIT_WORDS, AuditWords
from agent.reading.escaping import escape, note_link
from agent.records import Evidence

_SAYS, _QUOTE, _WHY = 160, 240, 300  # code points shown; the whole text is in the JSON
_WHOLE: dict[Verdict, int] = {"false": 40, "questionable": 20}  # findings shown with both sides
_LISTED = 12  # findings of one kind and reason that are listed in one line each
_SIDES = 2  # places of the other side


def render_audit(audit: Audit) -> str:
    """Return the audit as Markdown, ending with a line break; links are relative to the workspace."""
    words = AUDIT_WORDS[audit.language]
    by_verdict = {verdict: [one for one in audit.findings if one.verdict == verdict] for verdict in words.sections}
    lines = [
        *_head(audit, by_verdict["false"], words),
        *_table(audit, words),
        *_contested("false", by_verdict["false"], words),
        *_unsupported(by_verdict["unsupported"], words),
        *_contested("questionable", by_verdict["questionable"], words),
        *_holding(by_verdict["holds"], words),
        *_remarks(audit, words),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def _head(audit: Audit, false: Sequence[Finding], words: AuditWords) -> list[str]:
    said = words.verdict_false(len(false)) if false else words.verdict_true
    window = audit.window
    held = words.comma.join((words.notes(len(audit.notes)), words.documents(len(audit.documents))))
    if window is not None:
        held += words.in_brackets.format(text=words.days.format(start=window.start, end=window.end))
    return [
        f"# {words.title.format(name=escape(audit.brief.rpartition('/')[2]))}",
        "",
        f"**{said if audit.findings else words.nothing}**",
        "",
        f"- **{words.brief}**{words.colon}{note_link(audit.brief)}",
        f"- **{words.held_against}**{words.colon}{held}{words.semicolon}{words.no_model}",
        "",
    ]


def _table(audit: Audit, words: AuditWords) -> list[str]:
    if not audit.tallies:
        return []
    rows = [_row(words.columns), _row("---" for _ in words.columns)]
    for one in audit.tallies:
        counts = (one.false, one.unsupported, one.questionable, one.holds)
        rows.append(_row((words.kinds[one.kind], *(str(count or "·") for count in counts), str(sum(counts)))))
    return [*rows, ""]


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _contested(verdict: Verdict, findings: Sequence[Finding], words: AuditWords) -> list[str]:
    """Findings with both sides."""
    if not findings:
        return []
    shown, rest = findings[: _WHOLE[verdict]], findings[_WHOLE[verdict] :]
    lines = [f"## {words.sections[verdict]}{words.in_brackets.format(text=len(findings))}", ""]
    for number, one in enumerate(shown, start=1):
        lines += [f"{number}. **{words.kinds[one.kind]}**{words.colon}{escape(one.says, limit=_SAYS)}"]
        lines += [f"   - {words.says}{words.colon}{_quoted(one.place)}"]
        lines += [f"   - {words.stands}{words.colon}{_quoted(each)}" for each in one.found[:_SIDES]]
        lines += [f"   - {words.why}{words.colon}{escape(one.because, limit=_WHY)}"]
        lines += [f"   - {words.advice}{words.colon}{escape(one.advice, limit=_WHY)}"] if one.advice else []
    return [*lines, *_more(len(rest), words), ""]


def _unsupported(findings: Sequence[Finding], words: AuditWords) -> list[str]:
    """Findings in one line each, by kind and reason."""
    if not findings:
        return []
    lines = [f"## {words.sections['unsupported']}{words.in_brackets.format(text=len(findings))}", ""]
    ordered = sorted(findings, key=_group)
    for (_, rule), group in groupby(ordered, key=_group):
        same = list(group)
        lines.append(f"- **{words.kinds[same[0].kind]}**{words.colon}{escape(words.groups[rule])}")
        lines += [_listed(one) for one in same[:_LISTED]]
        lines += [f"  {line}" for line in _more(len(same) - _LISTED, words)]
    return [*lines, ""]


def _listed(one: Finding) -> str:
    """One line, with the place where it stands outside what was looked at."""
    stands = f" → {_link(one.found[0])}" if one.found_by == "beyond-days" and one.found else ""
    return f"  - {escape(one.says, limit=_SAYS)} {_link(one.place)}{stands}"


def _group(finding: Finding) -> tuple[int, str]:
    return KINDS.index(finding.kind), finding.found_by


def _holding(findings: Sequence[Finding], words: AuditWords) -> list[str]:
    if not findings:
        return [words.nothing_holds, ""]
    counted = [(kind, sum(one.kind == kind for one in findings)) for kind in KINDS]
    parts = [f"{words.kinds[kind]} {number}" for kind, number in counted if number]
    said = words.holds.format(n=len(findings)) + words.in_brackets.format(text=words.comma.join(parts))
    return [f"## {words.sections['holds']}", "", said, ""]


def _remarks(audit: Audit, words: AuditWords) -> list[str]:
    if not audit.remarks:
        return []
    return [f"## {words.remarks}", "", *(f"- {escape(one, limit=_WHY)}" for one in audit.remarks[:_LISTED]), ""]


def _more(number: int, words: AuditWords) -> list[str]:
    return [f"- {words.more.format(n=number)}"] if number > 0 else []


def _quoted(evidence: Evidence) -> str:
    return f"{escape(evidence.quote, limit=_QUOTE)} {_link(evidence)}"


def _link(evidence: Evidence) -> str:
    return note_link(evidence.note, evidence.line)

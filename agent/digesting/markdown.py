"""Writes a digest as Markdown for people: in the shape of a pre-digest brief, each statement linked to note and line.

Promises: every text that comes from a note or a model goes through `escaping`; headings, list items and table rows are
ours alone; the last line is a comment by which our own digests are recognised; the same digest gives the same bytes.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from agent.costs import shown_cost
from agent.digesting.covering import coverage_lines
from agent.digesting.words import WORDS, Words
from agent.reading.escaping import address_code, escape, marker_value, note_link, visible
from agent.reading.marking import marked
from agent.reading.showing import plain
from agent.records import (
    ArxivMention,
    CheckedNote,
    Contradiction,
    Cost,
    Credibility,
    Digest,
    Evidence,
    Increment,
    Lead,
    Origin,
    Placement,
    Register,
    Side,
    Source,
    ToVerify,
    Usage,
)

_TITLE = 160  # code points shown; the whole text is in the JSON
_SUMMARY = 400
_QUOTE = 240
_REASON = 200
_QUOTES = 5  # shown of an increment that has no points
_LINKS = 3  # shown behind a lead, a claim or an arXiv identifier, of origins, and of places also affected
_NEAR = 5  # findings named that were kept apart from one
_SIDES = 6  # of a contradiction that are quoted
_CHANGES = 6  # named of a finding that was seen before
_BEFORE = 40  # code points of a long quote shown before what a side says in it

_Numbers = Mapping[str, str]  # of increments, by their ids: what they are called in this digest


def render_markdown(digest: Digest) -> str:
    """Return the digest as Markdown, ending with a line break; note links are relative to the workspace."""
    words = WORDS[digest.language]
    lines = [
        *_head(digest, words),
        *_summary(digest, words),
        *_details(digest, words),
        *_section(words.leads, [_lead(lead, words) for lead in digest.leads], words),
        *_open_questions(digest, words),
        *_arxiv_list(digest.arxiv, words),
        *_checked(digest.checked, words),
        *_section(words.coverage, _coverage(digest, words), words),
        f"## {words.conclusion}",
        "",
        escape(digest.conclusion),
        "",
        _cost(digest, words),
        "",
    ]
    return marked("\n".join(lines), fields=_marker_fields(digest))


def _head(digest: Digest, words: Words) -> list[str]:
    title = words.title_topic if digest.topic else words.title_all
    window = words.window_value.format(
        start=digest.window.start, end=digest.window.end, timezone=escape(digest.timezone)
    )
    agents = [escape(agent) for agent in dict.fromkeys(note.agent for note in digest.checked)]
    read = f"{words.agents_counted(len(agents))}{_bracketed(words, words.comma.join(agents))}" if agents else ""
    baseline = [
        escape(one.document)
        + _bracketed(words, words.updated.format(date=one.updated) if one.updated else words.not_dated)
        for one in digest.baseline
    ]
    engine = words.engines[digest.engine] + (_bracketed(words, escape(digest.model)) if digest.model else "")
    notes = words.notes(len(digest.checked))
    return [
        *([words.no_model, ""] if digest.engine == "none" else []),
        f"# {title.format(topic=escape(digest.topic or ''), date=digest.date)}",
        "",
        _item(words.window, window, words),
        _item(words.made_by, words.clause.join((escape(digest.agent), engine)), words),
        _item(words.agents, words.clause.join(filter(None, (read, notes))), words),
        _item(words.baseline, words.comma.join(baseline) or words.none, words),
        "",
    ]


def _summary(digest: Digest, words: Words) -> list[str]:
    rows = [f"{number}. {_at_a_glance(one, words)}" for number, one in enumerate(digest.increments, start=1)]
    return [f"## {words.summary}", "", *(rows or [words.none]), ""]


def _at_a_glance(increment: Increment, words: Words) -> str:
    """Stars, title and summary; of what an earlier digest had and that has not changed, no summary."""
    said = f"{_stars(increment.credibility.stars)} **{escape(increment.title, limit=_TITLE)}**"
    seen = increment.seen
    if seen:
        form = words.seen_changed if seen.changed else words.seen_same
        said += _bracketed(words, form.format(date=seen.date))
    if not increment.summary.strip() or (seen and not seen.changed):
        return said
    return f"{said} — {escape(increment.summary, limit=_SUMMARY)}"


def _details(digest: Digest, words: Words) -> list[str]:
    lines = [f"## {words.details}", ""]
    numbers = _numbers(digest.increments)
    for number, increment in enumerate(digest.increments, start=1):
        title = escape(increment.title, limit=_TITLE)
        lines += [f"### {number}. {title}", "", *_increment(increment, numbers, words), ""]
    return lines if digest.increments else [*lines, words.none, ""]


def _numbers(increments: Sequence[Increment]) -> _Numbers:
    """What each increment is called where another place names it: its number and title."""
    return {one.id: f"{number}. {one.title}" for number, one in enumerate(increments, start=1)}


def _increment(increment: Increment, numbers: _Numbers, words: Words) -> list[str]:
    relation = words.relations[increment.relation]
    if increment.relation_reason.strip():
        relation += words.colon + escape(increment.relation_reason, limit=_REASON)
    ids = words.comma.join(escape(identifier) for identifier in increment.arxiv_ids)
    return [
        *_seen(increment, words),
        *_credibility(increment.credibility, words),
        *_lineage(increment, words),
        *_sources(increment, words),
        *([_item(words.arxiv, ids, words)] if ids else []),
        *_points(increment, words),
        *_kept_apart(increment, numbers, words),
        _item(words.relation, relation, words),
        *_standing(increment, words),
        *_nested(words.placements, [_placement(one, words) for one in increment.placements], words),
        *_nested(words.registers, [_register(one, words) for one in increment.registers], words),
    ]


def _seen(increment: Increment, words: Words) -> list[str]:
    """When an earlier digest had it first, and what has changed since."""
    seen = increment.seen
    if seen is None:
        return []
    changes = [escape(change, limit=_REASON) for change in seen.changed[:_CHANGES]]
    if len(seen.changed) > _CHANGES:
        changes.append(f"+{len(seen.changed) - _CHANGES}")
    told = changes or [words.seen_unchanged]
    if visible(seen.title) != visible(increment.title):
        told.insert(0, words.seen_titled.format(title=escape(seen.title, limit=_TITLE)))
    return [_item(words.seen_on.format(date=seen.date), words.semicolon.join(told), words)]


def _lineage(increment: Increment, words: Words) -> list[str]:
    """How many notes and origins, and which, where several notes or a stated origin stand behind it."""
    origins = increment.lineage.origins if increment.lineage else ()
    if len(increment.notes) < 2 and all(one.kind == "note" for one in origins):
        return []
    counts = words.clause.join((words.notes(len(increment.notes)), words.origins(increment.origins)))
    named = [_origin(one) for one in origins[:_LINKS]]
    if len(origins) > _LINKS:
        named.append(f"+{len(origins) - _LINKS}")
    return [_item(words.lineage, words.colon.join(filter(None, (counts, words.comma.join(named)))), words)]


def _origin(origin: Origin) -> str:
    if origin.kind == "note":
        return note_link(origin.label)
    if origin.kind == "page":
        return address_code(origin.label)
    if origin.kind == "release":
        return escape(origin.label)
    return escape(origin.label if origin.label.lower().startswith("arxiv") else f"arXiv:{origin.label}")


def _kept_apart(increment: Increment, numbers: _Numbers, words: Words) -> list[str]:
    """Other findings of the digest on the same thing, and what keeps them apart."""
    links = [one for one in increment.links if one.increment in numbers]
    named = [
        escape(numbers[one.increment], limit=_TITLE)
        + _bracketed(words, words.ties[one.tie])
        + (words.colon + (words.apart_by.get(one.because) or escape(one.because, limit=_REASON)))
        for one in links[:_NEAR]
    ]
    if len(links) > _NEAR:
        named.append(f"+{len(links) - _NEAR}")
    return _nested(words.kept_apart, named, words)


def _register(register: Register, words: Words) -> str:
    number = f"{register.kind}{register.number}"
    document = f"{escape(register.document)} " if register.document else ""
    about = [words.register_kinds[register.kind]]
    if register.stated is not None and register.stated != register.number:
        about.append(words.register_stated.format(number=f"{register.kind}{register.stated}"))
    about_it = _bracketed(words, words.semicolon.join(about))
    return f"{document}{number}{about_it}{words.colon}{escape(register.text, limit=_QUOTE)}"


def _standing(increment: Increment, words: Words) -> list[str]:
    """The lines of the living documents that the finding touches, as they stand there now."""
    return [
        "  - "
        + words.standing.format(document=escape(one.document), line=one.line)
        + words.colon
        + escape(one.quote, limit=_QUOTE)
        for one in increment.standing
    ]


def _credibility(credibility: Credibility, words: Words) -> list[str]:
    value = _stars(credibility.stars)
    if credibility.stated is not None:
        value += _bracketed(words, words.stated.format(stars=_stars(credibility.stated)))
    parts = [(words.basis, credibility.basis), (words.reason, credibility.reason)]
    value += "".join(
        f"{words.semicolon}{name}{words.colon}{escape(text, limit=_REASON)}" for name, text in parts if text.strip()
    )
    cautions = [escape(caution, limit=_QUOTE) for caution in credibility.cautions]
    return [_item(words.stars, value, words), *_nested(words.cautions, cautions, words)]


def _sources(increment: Increment, words: Words) -> list[str]:
    links = [note_link(note) for note in increment.notes]
    origins = increment.lineage.origins[:_LINKS] if increment.lineage else ()
    said = {label for one in origins for label in (one.label, f"arXiv:{one.label}")}
    cited = [
        _source(source, words)
        for source in increment.sources
        if source.note not in increment.notes and source.label not in said
    ]
    return _nested(words.sources, [*links, *cited], words)


def _source(source: Source, words: Words) -> str:
    label = escape(source.label, limit=_REASON)
    if source.note:
        link = note_link(source.note)
        return link if source.note in source.label else f"{label}{words.colon}{link}"
    if source.url:
        code = address_code(source.url)
        return code if source.url in source.label else f"{label}{words.colon}{code}"
    if source.arxiv and source.arxiv not in source.label:
        label += _bracketed(words, f"arXiv {escape(source.arxiv)}")
    return label if source.resolved or source.arxiv else label + _bracketed(words, words.not_found)


def _points(increment: Increment, words: Words) -> list[str]:
    if increment.points:
        points = [f"{escape(one.text, limit=_QUOTE)} {_link(one.evidence)}" for one in increment.points]
        return _nested(words.points, points, words)
    quotes = [f"{escape(one.quote, limit=_QUOTE)} {_link(one)}" for one in increment.evidence[:_QUOTES]]
    return _nested(words.quotes, quotes, words)


def _placement(placement: Placement, words: Words) -> str:
    section = escape(placement.section, limit=_TITLE)
    number = f"§{section}" if section[:1].isdigit() else section
    heading = placement.heading if placement.heading and placement.heading != placement.section else ""
    place = " ".join(
        filter(None, (escape(placement.document), number, escape(heading, limit=_TITLE) if heading else ""))
    )
    how = [words.actions[placement.action], words.proposers[placement.proposed_by]]
    if not placement.exists:
        how.append(words.section_missing)
    reason = f"{words.colon}{escape(placement.reason, limit=_REASON)}" if placement.reason.strip() else ""
    return f"{place}{_bracketed(words, words.clause.join(how))}{reason}"


def _lead(lead: Lead, words: Words) -> str:
    source = _bracketed(words, escape(lead.source, limit=_REASON)) if lead.source.strip() else ""
    return f"{escape(lead.text, limit=_QUOTE)}{source} {_links(lead.evidence)}".rstrip()


def _open_questions(digest: Digest, words: Words) -> list[str]:
    lines = [f"## {words.open_questions}", ""]
    if not digest.contradictions and not digest.to_verify:
        return [*lines, words.none, ""]
    if digest.contradictions:
        lines += [f"### {words.contradictions}", ""]
        numbers = _numbers(digest.increments)
        lines += [line for one in digest.contradictions for line in _contradiction(one, numbers, words)]
        lines.append("")
    if digest.to_verify:
        lines += [f"### {words.to_verify}", ""]
        lines += [line for one in digest.to_verify for line in _claim(one, words)]
        lines.append("")
    return lines


def _contradiction(contradiction: Contradiction, numbers: _Numbers, words: Words) -> list[str]:
    """The statement, its sides with their numbers, and what helps to settle it."""
    about = [words.kinds[contradiction.kind], words.severities[contradiction.severity]]
    if contradiction.since is not None:
        about.append(words.open_since.format(date=contradiction.since))
    about.append(_found_by(contradiction.found_by, words))
    concerned = [numbers[one].partition(".")[0] for one in contradiction.increments if one in numbers]
    further: Iterable[Evidence] = (*contradiction.sides[_SIDES:], *contradiction.also_affects)
    also = dict.fromkeys(_link(one) for one in further)
    shown = [*list(also)[:_LINKS], *([f"+{len(also) - _LINKS}"] if len(also) > _LINKS else [])]
    helpful = [
        (words.settle, escape(contradiction.settle, limit=_SUMMARY) if contradiction.settle.strip() else ""),
        (words.also_affects, " ".join(shown)),
        (words.concerns, words.comma.join(concerned)),
    ]
    return [
        f"- {escape(contradiction.statement, limit=_SUMMARY)}{_bracketed(words, words.clause.join(about))}",
        *(f"  {number}. {_side(side, words)}" for number, side in enumerate(contradiction.sides[:_SIDES], start=1)),
        *(f"  - {name}{words.colon}{text}" for name, text in helpful if text),
    ]


def _side(side: Side, words: Words) -> str:
    """What a side says and its quote, from near that place on where the quote is long."""
    said, quoted = plain(visible(side.says)), plain(visible(side.quote))
    quote = escape(_from_near(quoted, said), limit=_QUOTE)
    says = "" if said in {"", quoted} else escape(said, limit=_REASON) + words.colon
    return f"{says}{quote} {_link(side)}"


def _from_near(quote: str, said: str) -> str:
    at = quote.find(said) if said else -1
    if at < 0 or at + len(said) <= _QUOTE:
        return quote
    return f"…{quote[at - _BEFORE :] if at > _BEFORE else quote}"


def _found_by(name: str, words: Words) -> str:
    return words.found_by_model if name == "model" else words.found_by_rule.format(name=escape(name))


def _claim(claim: ToVerify, words: Words) -> list[str]:
    found_by = _found_by(claim.found_by, words) if claim.found_by != "note" else ""
    asked = [(words.question, claim.question), (words.suggestion, claim.suggestion)]
    said = escape(claim.claim, limit=_QUOTE) + (_bracketed(words, found_by) if found_by else "")
    return [
        f"- {said} {_links(claim.evidence)}".rstrip(),
        *(f"  - {name}{words.colon}{escape(text, limit=_SUMMARY)}" for name, text in asked if text.strip()),
    ]


def _arxiv_list(mentions: Sequence[ArxivMention], words: Words) -> list[str]:
    if not mentions:
        return _section(words.arxiv_list, [], words)
    rows = [_row(words.arxiv_columns), _row("---" for _ in words.arxiv_columns)]
    rows += [_row(_cells(mention, words)) for mention in mentions]
    return [f"## {words.arxiv_list}", "", *rows, ""]


def _cells(mention: ArxivMention, words: Words) -> tuple[str, ...]:
    versions = words.comma.join(f"v{version}" for version in mention.versions)
    links = [note_link(note) for note in mention.notes[:_LINKS]]
    if len(mention.notes) > _LINKS:
        links.append(f"+{len(mention.notes) - _LINKS}")
    return (
        escape(mention.id) + (_bracketed(words, versions) if versions else ""),
        escape(mention.title or "", limit=_TITLE),
        words.statuses[mention.status],
        words.comma.join(links),
        words.semicolon.join(escape(remark, limit=_REASON) for remark in mention.remarks),
    )


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _checked(checked: Sequence[CheckedNote], words: Words) -> list[str]:
    lines = [f"## {words.checked}", ""]
    for agent, group in groupby(checked, key=lambda note: note.agent):
        notes = list(group)
        lines.append(f"- {escape(agent)}{_bracketed(words, words.notes(len(notes)))}")
        lines += [f"  - {_outcome(note, words)}" for note in notes]
    return [*lines, *([] if checked else [words.none]), ""]


def _outcome(note: CheckedNote, words: Words) -> str:
    said = [words.outcomes[note.outcome]] if note.no_increment_because != "nothing_bounded" else []
    if note.no_increment_because:
        said.append(words.because[note.no_increment_because])
    if note.increments:
        said.append(words.increments(note.increments))
    parts = [words.clause.join(said)]
    if note.usage.calls:
        parts.append(_spent(note.usage, note.cost, words))
    if note.detail.strip():
        parts.append(escape(note.detail, limit=_SUMMARY))
    return f"{note_link(note.note)}{words.colon}{words.semicolon.join(parts)}"


def _coverage(digest: Digest, words: Words) -> list[str]:
    remarks = [escape(remark, limit=_SUMMARY) for remark in digest.remarks]
    return [*coverage_lines(digest.coverage, words), *remarks]


def _cost(digest: Digest, words: Words) -> str:
    if not digest.usage.calls:
        return f"{words.cost}{words.colon}{words.cost_none}"
    prompts = words.comma.join(escape(f"{name}@{version}") for name, version in digest.prompts.items())
    spent = _spent(digest.usage, digest.cost, words)
    return f"{words.cost}{words.colon}{spent}{words.semicolon if prompts else ''}{prompts}"


def _spent(usage: Usage, cost: Cost | None, words: Words) -> str:
    cached = words.cost_cached.format(tokens=f"{usage.cached_tokens:,}") if usage.cached_tokens else ""
    value = words.cost_value.format(
        calls=words.calls(usage.calls),
        prompt=f"{usage.prompt_tokens:,}",
        cached=_bracketed(words, cached) if cached else "",
        completion=f"{usage.completion_tokens:,}",
    )
    money = f"{words.clause}{escape(shown_cost(cost))}" if cost else ""
    return f"{value}{money}{_bracketed(words, words.estimated) if usage.is_estimated else ''}"


def _marker_fields(digest: Digest) -> str:
    topic = f" topic={marker_value(digest.topic)}" if digest.topic else ""
    return f"schema={digest.schema_version}{topic} date={digest.date} engine={digest.engine}"


def _section(heading: str, items: Sequence[str], words: Words) -> list[str]:
    return [f"## {heading}", "", *(f"- {item}" for item in items), *([] if items else [words.none]), ""]


def _nested(name: str, items: Sequence[str], words: Words) -> list[str]:
    """A list item with a list below, on one line where there is only one; nothing without items."""
    if len(items) < 2:
        return [_item(name, item, words) for item in items]
    return [f"- **{name}**{words.colon.rstrip()}", *(f"  - {item}" for item in items)]


def _item(name: str, value: str, words: Words) -> str:
    return f"- **{name}**{words.colon}{value}"


def _bracketed(words: Words, text: str) -> str:
    return words.in_brackets.format(text=text)


def _stars(stars: int) -> str:
    return "★" * stars + "☆" * (5 - stars)


def _links(evidence: Iterable[Evidence]) -> str:
    links = dict.fromkeys(_link(one) for one in evidence)
    return " ".join(list(links)[:_LINKS])


def _link(evidence: Evidence) -> str:
    return note_link(evidence.note, evidence.line)

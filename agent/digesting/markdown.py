"""Writes a digest as Markdown for people: in the shape of a pre-digest brief, each statement linked to note and line.

Promises: every text that comes from a note or a model goes through `escaping`; headings, list items and table rows are
ours alone; the last line is a comment by which our own digests are recognised; the same digest gives the same bytes.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import quote

from agent.costs import shown_cost
from agent.digesting.covering import coverage_lines
from agent.digesting.lines import (
    LINKS,
    as_item,
    as_list,
    as_section,
    as_stars,
    bracketed,
    place_link,
    place_links,
)
from agent.digesting.opposing import claim_lines, contradiction_lines, dispute_links
from agent.digesting.words import WORDS, Words
from agent.reading.escaping import address_code, escape, marker_value, note_link, visible
from agent.reading.marking import marked
from agent.records import (
    ArxivMention,
    CheckedNote,
    Correction,
    Cost,
    Credibility,
    Digest,
    Evidence,
    Increment,
    Lead,
    Origin,
    Placement,
    Point,
    Register,
    Source,
    Usage,
)

_TITLE = 160  # code points shown; the whole text is in the JSON
_SUMMARY = 400
_QUOTE = 240
_REASON = 200
_QUOTES = 5  # shown of an increment that has no points
_NEAR = 5  # findings named that were kept apart from one
_CHANGES = 6  # named of a finding that was seen before

_LINK = re.compile(r"\\.|`[^`\n]{1,2000}`|(?P<link>\]\()(?!#)")  # code and what is escaped is no link

_Numbers = Mapping[str, str]  # of increments, by their ids: what they are called in this digest


@dataclass(frozen=True, slots=True)
class _Index:
    """What increments are called, and which contradictions each takes part in, by their ids."""

    numbers: _Numbers
    disputed: Mapping[str, Sequence[int]]


def render_markdown(digest: Digest, *, base: str = "") -> str:
    """Return the digest as Markdown, ending with a line break.

    Args:
        digest: what is written.
        base: the way from the folder of the written file to the workspace, such as "../.."; empty where it is the same.
    """
    words = WORDS[digest.language]
    index = _index(digest)
    lines = [
        *_head(digest, words),
        *_summary(digest, index, words),
        *contradiction_lines(digest, index.numbers, words),
        *_details(digest, index, words),
        *as_section(words.leads, [_lead(lead, words) for lead in digest.leads], words),
        *claim_lines(digest, words),
        *_arxiv_list(digest.arxiv, words),
        *_checked(digest.checked, words),
        *as_section(words.coverage, _coverage(digest, words), words),
        f"## {words.conclusion}",
        "",
        escape(digest.conclusion),
        "",
        _cost(digest, words),
        "",
    ]
    return marked(_rebased("\n".join(lines), base), fields=_marker_fields(digest))


def _rebased(text: str, base: str) -> str:
    """Let links lead to the workspace from elsewhere; those within the digest stay."""
    way = quote(base.replace("\\", "/").rstrip("/").encode("utf-8", "surrogateescape"), safe="/")
    if not way:
        return text
    return _LINK.sub(lambda found: f"{found.group()}{way}/" if found["link"] else found.group(), text)


def _index(digest: Digest) -> _Index:
    disputed: dict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(digest.contradictions, start=1):
        for increment in dict.fromkeys(one.increments):
            disputed[increment].append(number)
    return _Index(_numbers(digest.increments), disputed)


def _head(digest: Digest, words: Words) -> list[str]:
    title = words.title_topic if digest.topic else words.title_all
    window = words.window_value.format(
        start=digest.window.start, end=digest.window.end, timezone=escape(digest.timezone)
    )
    agents = [escape(agent) for agent in dict.fromkeys(note.agent for note in digest.checked)]
    read = f"{words.agents_counted(len(agents))}{bracketed(words, words.comma.join(agents))}" if agents else ""
    baseline = [
        escape(one.document)
        + bracketed(words, words.updated.format(date=one.updated) if one.updated else words.not_dated)
        for one in digest.baseline
    ]
    engine = words.engines[digest.engine] + (bracketed(words, escape(digest.model)) if digest.model else "")
    notes = words.notes(len(digest.checked))
    return [
        *([words.no_model, ""] if digest.engine == "none" else []),
        f"# {title.format(topic=escape(digest.topic or ''), date=digest.date)}",
        "",
        as_item(words.window, window, words),
        as_item(words.made_by, words.clause.join((escape(digest.agent), engine)), words),
        as_item(words.agents, words.clause.join(filter(None, (read, notes))), words),
        as_item(words.baseline, words.comma.join(baseline) or words.none, words),
        "",
    ]


def _summary(digest: Digest, index: _Index, words: Words) -> list[str]:
    rows = [f"{number}. {_at_a_glance(one, index, words)}" for number, one in enumerate(digest.increments, start=1)]
    return [f"## {words.summary}", "", *(rows or [words.none]), ""]


def _at_a_glance(increment: Increment, index: _Index, words: Words) -> str:
    """Stars, title, what contradicts it, and summary; of what an earlier digest had and that has not changed, no summary."""
    said = f"{as_stars(increment.credibility.stars)} **{escape(increment.title, limit=_TITLE)}**"
    seen = increment.seen
    if seen:
        form = words.seen_changed if seen.changed else words.seen_same
        said += bracketed(words, form.format(date=seen.date))
    elif increment.corrected:
        said += bracketed(words, words.corrected)
    disputed = index.disputed.get(increment.id, ())
    if disputed:
        said += f" ⚠ {dispute_links(disputed, words)}"
    if not increment.summary.strip() or (seen and not seen.changed):
        return said
    return f"{said} — {escape(increment.summary, limit=_SUMMARY)}"


def _details(digest: Digest, index: _Index, words: Words) -> list[str]:
    lines = [f"## {words.details}", ""]
    for number, increment in enumerate(digest.increments, start=1):
        title = escape(increment.title, limit=_TITLE)
        lines += [f"### {number}. {title}", "", *_increment(increment, index, words), ""]
    return lines if digest.increments else [*lines, words.none, ""]


def _numbers(increments: Sequence[Increment]) -> _Numbers:
    """What each increment is called where another place names it: its number and title."""
    return {one.id: f"{number}. {one.title}" for number, one in enumerate(increments, start=1)}


def _increment(increment: Increment, index: _Index, words: Words) -> list[str]:
    relation = words.relations[increment.relation]
    if increment.relation_reason.strip():
        relation += words.colon + escape(increment.relation_reason, limit=_REASON)
    ids = words.comma.join(escape(identifier) for identifier in increment.arxiv_ids)
    disputed = index.disputed.get(increment.id, ())
    return [
        *_seen(increment, words),
        *as_list(words.corrected, [_correction(one, words) for one in increment.corrected], words),
        *([as_item(f"⚠ {words.contradictions}", dispute_links(disputed, words), words)] if disputed else []),
        *_credibility(increment.credibility, words),
        *_lineage(increment, words),
        *_sources(increment, words),
        *([as_item(words.arxiv, ids, words)] if ids else []),
        *_points(increment, words),
        *_kept_apart(increment, index.numbers, words),
        as_item(words.relation, relation, words),
        *_standing(increment, words),
        *as_list(words.placements, [_placement(one, words) for one in increment.placements], words),
        *as_list(words.registers, [_register(one, words) for one in increment.registers], words),
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
    return [as_item(words.seen_on.format(date=seen.date), words.semicolon.join(told), words)]


def _correction(correction: Correction, words: Words) -> str:
    """What an agent says otherwise now, and where it said it before."""
    changes = [escape(change, limit=_REASON) for change in correction.changed[:_CHANGES]]
    links = place_links(correction.evidence) or note_link(correction.note)
    return f"{words.semicolon.join(changes)}{bracketed(words, words.said_before.format(links=links))}"


def _lineage(increment: Increment, words: Words) -> list[str]:
    """How many notes and origins, and which, where several notes or a stated origin stand behind it."""
    origins = increment.lineage.origins if increment.lineage else ()
    if len(increment.notes) < 2 and all(one.kind == "note" for one in origins):
        return []
    counts = words.clause.join((words.notes(len(increment.notes)), words.origins(increment.origins)))
    named = [_origin(one) for one in origins[:LINKS]]
    if len(origins) > LINKS:
        named.append(f"+{len(origins) - LINKS}")
    return [as_item(words.lineage, words.colon.join(filter(None, (counts, words.comma.join(named)))), words)]


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
        + bracketed(words, words.ties[one.tie])
        + (words.colon + (words.apart_by.get(one.because) or escape(one.because, limit=_REASON)))
        for one in links[:_NEAR]
    ]
    if len(links) > _NEAR:
        named.append(f"+{len(links) - _NEAR}")
    return as_list(words.kept_apart, named, words)


def _register(register: Register, words: Words) -> str:
    letter = escape(register.letter or register.kind)
    number = f"{letter}{register.number}"
    document = f"{escape(register.document)} " if register.document else ""
    about = [words.register_kinds[register.kind]]
    if register.stated is not None and register.stated != register.number:
        about.append(words.register_stated.format(number=f"{letter}{register.stated}"))
    about_it = bracketed(words, words.semicolon.join(about))
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
    value = as_stars(credibility.stars)
    if credibility.stated is not None:
        value += bracketed(words, words.stated.format(stars=as_stars(credibility.stated)))
    parts = [(words.basis, credibility.basis), (words.reason, credibility.reason)]
    value += "".join(
        f"{words.semicolon}{name}{words.colon}{escape(text, limit=_REASON)}" for name, text in parts if text.strip()
    )
    cautions = [escape(caution, limit=_QUOTE) for caution in credibility.cautions]
    return [as_item(words.stars, value, words), *as_list(words.cautions, cautions, words)]


def _sources(increment: Increment, words: Words) -> list[str]:
    links = [note_link(note) for note in increment.notes]
    origins = increment.lineage.origins[:LINKS] if increment.lineage else ()
    said = {label for one in origins for label in (one.label, f"arXiv:{one.label}")}
    cited = [
        _source(source, words)
        for source in increment.sources
        if source.note not in increment.notes and source.label not in said
    ]
    return as_list(words.sources, [*links, *cited], words)


def _source(source: Source, words: Words) -> str:
    label = escape(source.label, limit=_REASON)
    if source.note:
        link = note_link(source.note)
        return link if source.note in source.label else f"{label}{words.colon}{link}"
    if source.url:
        code = address_code(source.url)
        return code if source.url in source.label else f"{label}{words.colon}{code}"
    if source.arxiv and source.arxiv not in source.label:
        label += bracketed(words, f"arXiv {escape(source.arxiv)}")
    return label if source.resolved or source.arxiv else label + bracketed(words, words.not_found)


def _points(increment: Increment, words: Words) -> list[str]:
    if increment.points:
        points = [_point(one, words) for one in increment.points]
        return as_list(words.points, points, words)
    quotes = [f"{escape(one.quote, limit=_QUOTE)} {place_link(one)}" for one in increment.evidence[:_QUOTES]]
    return as_list(words.quotes, quotes, words)


def _point(point: Point, words: Words) -> str:
    """A statement with its place, and the places that say the same."""
    said = f"{escape(point.text, limit=_QUOTE)} {place_link(point.evidence)}"
    also = [note for note in dict.fromkeys(one.note for one in point.also) if note != point.evidence.note]
    if not also:
        return said
    return said + bracketed(words, words.also_said.format(links=words.comma.join(_links_of(point.also, also))))


def _links_of(places: Sequence[Evidence], notes: Sequence[str]) -> list[str]:
    """A link to the first place of each note; of many notes the others are counted."""
    first = [next(one for one in places if one.note == note) for note in notes[:LINKS]]
    return [*map(place_link, first), *([f"+{len(notes) - LINKS}"] if len(notes) > LINKS else [])]


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
    return f"{place}{bracketed(words, words.clause.join(how))}{reason}"


def _lead(lead: Lead, words: Words) -> str:
    source = bracketed(words, escape(lead.source, limit=_REASON)) if lead.source.strip() else ""
    return f"{escape(lead.text, limit=_QUOTE)}{source} {place_links(lead.evidence)}".rstrip()


def _arxiv_list(mentions: Sequence[ArxivMention], words: Words) -> list[str]:
    if not mentions:
        return as_section(words.arxiv_list, [], words)
    rows = [_row(words.arxiv_columns), _row("---" for _ in words.arxiv_columns)]
    rows += [_row(_cells(mention, words)) for mention in mentions]
    return [f"## {words.arxiv_list}", "", *rows, ""]


def _cells(mention: ArxivMention, words: Words) -> tuple[str, ...]:
    versions = words.comma.join(f"v{version}" for version in mention.versions)
    links = [note_link(note) for note in mention.notes[:LINKS]]
    if len(mention.notes) > LINKS:
        links.append(f"+{len(mention.notes) - LINKS}")
    return (
        escape(mention.id) + (bracketed(words, versions) if versions else ""),
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
        lines.append(f"- {escape(agent)}{bracketed(words, words.notes(len(notes)))}")
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
        cached=bracketed(words, cached) if cached else "",
        completion=f"{usage.completion_tokens:,}",
    )
    money = f"{words.clause}{escape(shown_cost(cost))}" if cost else ""
    return f"{value}{money}{bracketed(words, words.estimated) if usage.is_estimated else ''}"


def _marker_fields(digest: Digest) -> str:
    topic = f" topic={marker_value(digest.topic)}" if digest.topic else ""
    return f"schema={digest.schema_version}{topic} date={digest.date} engine={digest.engine}"

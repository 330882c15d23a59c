"""One note in, one extraction out: a pure function of note, knowledge, prompts and model.

Where the note bounds an increment, code sets the boundary and the model fills the fields; where nothing does, the model
proposes boundaries by unit numbers. The model cites unit numbers, and code cuts the quotes. A failed call costs one
segment its model-written part, never its plain-code findings.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz

from agent.asking.model import Model
from agent.checking.absences import opening
from agent.checking.check import claims_of, disputes_in
from agent.checking.dispute import Hand
from agent.checking.raising import raise_all
from agent.errors import CallFailed
from agent.extracting.ask import ask_fields
from agent.extracting.bounds import bounded, says_nothing_new
from agent.extracting.knowledge import Knowledge
from agent.extracting.ledger import Ledger
from agent.extracting.lists import arxiv_mentions, deeds, leads, sources_read, verifications
from agent.extracting.observe import Observed, observe
from agent.extracting.orders import left_out, orders_in, without_orders
from agent.extracting.place import Finding, place
from agent.extracting.propose import propose, reporting
from agent.extracting.rate import rate
from agent.extracting.sources import called, sources_of
from agent.extracting.trust import parts_by_code, parts_held
from agent.reading.measures import numbers_in
from agent.reading.phrasing import in_language, language_of
from agent.reading.segments import split_segments
from agent.reading.showing import as_evidence, cut, measures, plain
from agent.reading.units import split_units
from agent.records import Engine, Extraction, Increment, Language, NoIncrementReason, Point, Register, Source
from agent.replies import ExtractReply
from agent.texts import Note, Segment, Unit

_POINTS = 8
_MOST_INCREMENTS = 500  # of one note: more than anybody writes in a day
_TITLE = 90  # characters
_SUMMARY = 200
_SAME_WORDS = 85  # of 100, as rapidfuzz counts
_SHORT_LABEL = re.compile(r"\A(?:名称|标题|主题|事项|Name|Title|Topic)[：:] ?", re.IGNORECASE)
_LINK = re.compile(r"!?\[([^\[\]]{0,200})\]\([^()\s]{0,400}\)")


@dataclass(frozen=True, slots=True)
class Setup:
    """How notes are to be extracted; `model` is None with engine none."""

    knowledge: Knowledge
    language: Language
    engine: Engine
    model: Model | None

    @property
    def is_small(self) -> bool:
        """Whether the model is one of the small ones that run here: it is asked only for what it does well.

        Measured on gold answers: its choice of section is worse than retrieval's first, and its summaries join what does
        not belong together.
        """
        return self.engine == "local"


def extract(note: Note, setup: Setup) -> Extraction:
    """Read one note.

    Raises:
        ModelError: the run cannot go on (no access, endpoint gone, budget spent). Single lost calls are listed in
            `segments_failed` instead.
    """
    ledger = Ledger(setup.model)
    segments = split_segments(split_units(note.text))
    topic = topic_of(note, setup.knowledge.topics)
    orders = orders_in(segments)
    if orders:
        ledger.remarks.append(left_out(orders, setup.language))
    calm = without_orders(segments, orders)
    findings, because = _findings(note, segments, ledger, setup)
    findings = [one for one in findings if one.heading is None or one.heading not in orders]
    if len(findings) > _MOST_INCREMENTS:
        ledger.remarks.append(
            f"It bounds {len(findings)} increments: the first {_MOST_INCREMENTS} were taken, split the note."
        )
        findings = findings[:_MOST_INCREMENTS]
    increments = tuple(_increment(note, segment, topic, ledger, setup) for segment in findings)
    hand = _hand(note, segments, findings, topic, setup.knowledge)
    claims = claims_of(hand)
    raised = raise_all(disputes_in(hand, claims), language=setup.language)
    titles = {one.arxiv_ids[0]: one.title for one in reversed(increments) if one.arxiv_ids}
    return Extraction(
        note=note.path,
        agent=note.agent,
        date=note.date,
        topic=topic,
        sha256=note.sha256,
        engine=setup.engine,
        model=setup.model.name if setup.model else None,
        prompts=dict(sorted(ledger.prompts.items())),
        increments=increments,
        leads=leads(note, calm),
        to_verify=(*verifications(note, calm), *raised.to_verify),
        contradictions=raised.contradictions,
        claims=claims,
        opening=opening(hand),
        arxiv=arxiv_mentions(note, knowledge=setup.knowledge, titles=titles, language=setup.language),
        sources=sources_read(note, segments, setup.knowledge),
        said_of_agents=deeds(note, segments, setup.knowledge.agents),
        segments_failed=tuple(ledger.failures),
        dropped=tuple(ledger.dropped),
        remarks=(*note.remarks, *ledger.remarks),
        usage=ledger.usage,
        no_increment_because=because,
    )


def topic_of(note: Note, topics: Sequence[str]) -> str | None:
    """Return the longest topic whose words stand in the note's file name in order, or None."""
    slug = f"-{note.slug.lower().replace('_', '-')}-"
    named = [topic for topic in topics if f"-{topic.lower().replace('_', '-')}-" in slug]
    return max(named, key=lambda topic: (len(topic), topic), default=None)


def _hand(
    note: Note, segments: Sequence[Segment], findings: Sequence[Segment], topic: str | None, knowledge: Knowledge
) -> Hand:
    return Hand(
        note=note,
        segments=tuple(segments),
        findings=tuple(findings),
        topic=topic,
        agents=knowledge.agents,
        note_paths=knowledge.note_paths,
        documents=knowledge.documents,
    )


def _findings(
    note: Note, segments: Sequence[Segment], ledger: Ledger, setup: Setup
) -> tuple[list[Segment], NoIncrementReason | None]:
    """The increments' segments, bounded by the note or proposed by a model; where there are none, why."""
    found = list(bounded(segments, topics=setup.knowledge.topics))
    if any(segment.role == "increment" for segment in segments):
        return found, None
    if says_nothing_new(segments):
        return [], "says_so"
    taken = {unit.number for segment in found for unit in segment.units}
    if setup.model is None and found:
        return found, None
    shown = reporting(segments, without=taken, year=note.date.year)
    if setup.model is not None and shown:
        found += propose(segments, shown, ledger=ledger, language=setup.language)
    if found or ledger.failures:  # a lost call is told as such, and no reason
        return sorted(found, key=lambda segment: segment.start), None
    if not shown:
        is_process = any(segment.role == "warning" for segment in segments)
        return [], "about_the_relay" if is_process else "nothing_reported"
    return [], "nothing_marked" if setup.model is not None else "nothing_bounded"


def _increment(note: Note, segment: Segment, topic: str | None, ledger: Ledger, setup: Setup) -> Increment:
    observed = observe(segment, topics=setup.knowledge.topics, agents=setup.knowledge.agents)
    title = _title(observed)
    reply = _fields(observed, title, ledger, setup)
    points = _points(observed, reply)
    written = in_language(reply.summary, setup.language) if reply else ""
    telling = _telling_first(points, reply)
    told = written or _summary(telling[:1], title)
    placed = place(
        Finding(segment, title, told, observed.arxiv_ids, observed.placements, observed.relation),
        topic=topic,
        knowledge=setup.knowledge,
        ledger=ledger,
        language=setup.language,
        is_asked=not setup.is_small,
    )
    stated = observed.stars
    return Increment(
        id=increment_id(note.path, segment.start),
        title=title,
        summary=written if written and _says_more(written, title) else _summary(telling, title),
        points=tuple(Point(text=plain(unit.text), evidence=as_evidence(note, unit)) for unit in points),
        evidence=tuple(as_evidence(note, unit) for unit in points),
        arxiv_ids=observed.arxiv_ids,
        credibility=rate(
            parts_held(reply, observed) if reply else parts_by_code(observed),
            stated=stated.stars if stated else None,
            reason=(stated.basis if stated else "") or in_language(reply.reason if reply else "", setup.language),
            warnings=tuple(cut(warning, _SUMMARY) for warning in observed.warnings),
            language=setup.language,
        ),
        sources=_sources(note, observed, setup.knowledge),
        notes=(note.path,),
        agents=(note.agent,),
        placements=placed.placements,
        relation=placed.relation,
        relation_reason=placed.reason,
        standing=placed.standing,
        registers=tuple(
            Register(kind=r.kind, number=r.number, text=r.text, letter=r.letter or None) for r in observed.registers
        ),
        measures=measures(note, observed.points),
        priority=observed.priority,
    )


def _sources(note: Note, observed: Observed, knowledge: Knowledge) -> tuple[Source, ...]:
    found = sources_of(
        note,
        cited=observed.cited,
        arxiv_ids=observed.arxiv_ids,
        urls=observed.urls,
        named=observed.named,
        knowledge=knowledge,
    )
    return called(found, dict(observed.addressed))


def increment_id(note_path: str, start: int) -> str:
    """Return an identifier that stays the same as long as note name and position do."""
    return "inc-" + hashlib.sha256(f"{note_path}\n{start}".encode("utf-8", "surrogateescape")).hexdigest()[:12]


def _fields(observed: Observed, title: str, ledger: Ledger, setup: Setup) -> ExtractReply | None:
    if setup.model is None or not observed.asked:
        return None
    try:
        return ask_fields(
            ledger,
            title=title,
            units=observed.asked,
            language=setup.language,
            left_out=_left_out(observed, setup),
        )
    except CallFailed as error:
        ledger.fail(observed.segment, error)
        return None


def _left_out(observed: Observed, setup: Setup) -> list[Literal["summary", "reason"]]:
    """What a model is not asked to write, because the note's own words say it better.

    That is a reason which the note gives itself. A small local model joins figures that do not belong together, and copies
    reasons: it points at the telling unit instead, and writes only where it has to translate.
    """
    has_basis = observed.stars is not None and bool(observed.stars.basis)
    said = "\n".join(unit.text for unit in observed.asked)
    left_out: list[Literal["summary", "reason"]] = ["reason"] if setup.is_small or has_basis else []
    return [*left_out, "summary"] if setup.is_small and language_of(said) == setup.language else left_out


def _title(observed: Observed) -> str:
    """The note's own heading; where it is lost, the first words of the first point."""
    if observed.segment.title:
        return _LINK.sub(r"\1", observed.segment.title).strip()
    first = _SHORT_LABEL.sub("", plain((observed.points or observed.segment.units)[0].text))
    if observed.segment.units[0].kind == "row":
        return cut(" ".join(cell for cell in first.split(" · ")[:2] if ".md" not in cell), _TITLE)
    for mark in (" · ", "：", ":", "。", "; ", "；"):
        head, found, _ = first.partition(mark)
        if found and len(head) >= 8:
            first = head
            break
    return cut(first.rstrip(" ·"), _TITLE)


def _points(observed: Observed, reply: ExtractReply | None) -> tuple[Unit, ...]:
    """The units that carry the finding: the model's choice, completed by those that hold the summary's figures."""
    units = observed.segment.units
    content = observed.points or [
        unit for unit in units if unit.kind != "heading" and unit.number not in observed.orders
    ]
    content = content or units
    if reply is None:
        return tuple(content[:_POINTS])
    by_number = {unit.number: unit for unit in observed.segment.units}
    chosen = {number for number in reply.points if number in by_number}
    missing = numbers_in(reply.summary) - numbers_in("\n".join(by_number[number].text for number in sorted(chosen)))
    for unit in observed.asked:
        if missing & numbers_in(unit.text):
            chosen.add(unit.number)
            missing -= numbers_in(unit.text)
    carrying = {unit.number for unit in content}
    kept = sorted(chosen & carrying) or sorted(carrying)[:_POINTS]  # captions and labels alone say nothing
    return tuple(by_number[number] for number in kept)


def _telling_first(points: Sequence[Unit], reply: ExtractReply | None) -> list[Unit]:
    """The points with the one first that a model names first; with the rest in the note's order."""
    first = (
        next((number for number in reply.points if number in {unit.number for unit in points}), None) if reply else None
    )
    return sorted(points, key=lambda unit: (unit.number != first, unit.number))


def _summary(points: Sequence[Unit], title: str) -> str:
    """The first points in the note's words, as many as a summary holds."""
    said = ""
    for text in (plain(unit.text) for unit in points):
        if said and len(said) + len(text) >= _SUMMARY:
            break
        said = f"{said} · {text}" if said else text
    return cut(said or title, _SUMMARY)


def _says_more(summary: str, title: str) -> bool:
    """Return whether a summary is more than the title once again."""
    return fuzz.ratio(summary, title) < _SAME_WORDS

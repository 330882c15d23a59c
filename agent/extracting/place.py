"""Where an increment belongs: the placements that its note states, checked; else a choice among a few candidate sections.

The model never names a section: it picks the key of a candidate that code retrieved, the line there that the finding
touches, and how it relates to it; code holds the relation to what stands there. A section that a note names and that does
not exist is kept and said to be missing; a product of which the document has an older version is not new there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agent.asking.model import Request
from agent.asking.prompts import as_data, load_prompt
from agent.errors import CallFailed
from agent.extracting.knowledge import Knowledge
from agent.extracting.ledger import Ledger
from agent.extracting.standing import Stated, line_touched, lines_about, older_version, relation_held
from agent.reading.documents import find_section, near_sections
from agent.reading.phrasing import prompt_for
from agent.reading.placements import StatedPlacement
from agent.reading.statements import StatedRelation
from agent.records import Action, Language, Placement, Relation, Standing
from agent.replies import PlaceReply, closed
from agent.texts import LivingDocument, Section, Segment

_KEYS = "ABCDEF"
_CANDIDATES = 4
_CONTENT_SHOWN = 240  # characters of a section's present content, for people
_LINES_SHOWN = 3  # of a section's present content, to a model
_LINE_SHOWN = 110  # characters of each
_NONE = "none"
_MISSING: dict[Language, str] = {"zh": "该节不存在。", "en": "No such section."}
_UNNAMED: dict[Language, str] = {"zh": "没有读出是哪一节。", "en": "Which section of it is not read from the note."}
_NEAR: dict[Language, str] = {"zh": "相近：{near}。", "en": "Near: {near}."}
_HAS: dict[Language, str] = {"zh": "该节现有：{content}", "en": "The section has: {content}"}
_EMPTY: dict[Language, str] = {"zh": "该节还是空的。", "en": "The section is still empty."}
_NO_DOCUMENT: dict[Language, str] = {"zh": "没有这份活文档。", "en": "There is no such living document."}
_RETRIEVED: dict[Language, str] = {
    "zh": "与该节现有内容用词最接近。",
    "en": "Its words are nearest to this section's content.",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What placing needs to know of an increment; `stated` and `relation` are what the note itself says."""

    segment: Segment
    title: str
    summary: str
    arxiv_ids: tuple[str, ...]
    stated: tuple[StatedPlacement, ...]
    relation: StatedRelation | None


@dataclass(frozen=True, slots=True)
class Placed:
    """The outcome: where the finding belongs, and what the living document already has of it, with the lines that say so."""

    placements: tuple[Placement, ...]
    relation: Relation
    reason: str
    standing: tuple[Standing, ...] = ()


@dataclass(frozen=True, slots=True)
class _Candidate:
    document: LivingDocument
    section: Section

    @property
    def name(self) -> str:
        return self.section.number or self.section.heading


def place(
    finding: Finding,
    *,
    topic: str | None,
    knowledge: Knowledge,
    ledger: Ledger,
    language: Language,
    is_asked: bool = True,
) -> Placed:
    """Find the sections where a finding belongs, and its relation to what stands there.

    Args:
        finding: what is to be placed.
        topic: that of its note.
        knowledge: the living documents.
        ledger: who asks.
        language: of what is written for people.
        is_asked: whether the model chooses; else retrieval and what stands there decide.

    A placing call that fails is noted in the ledger; what code can say is returned all the same.
    """
    placed = _chosen(finding, topic=topic, knowledge=knowledge, ledger=ledger, language=language, is_asked=is_asked)
    if placed.relation != "new":
        return placed
    names = dict.fromkeys(one.document for one in placed.placements) or {f"{topic}.md": None}
    documents = (document for name in names for document in knowledge.documents if document.name == name)
    said = _said(finding)
    older = next((line for document in documents if (line := older_version(said, document))), None)
    return placed if older is None else replace(placed, relation="extends", standing=(older,))


def _chosen(
    finding: Finding,
    *,
    topic: str | None,
    knowledge: Knowledge,
    ledger: Ledger,
    language: Language,
    is_asked: bool,
) -> Placed:
    stated, named = _check_stated(finding.stated, topic=topic, knowledge=knowledge, language=language)
    text = "\n".join(unit.text for unit in finding.segment.units if unit.kind != "code")
    name = finding.title if finding.title in text else ""  # a model's own title may be translated amiss
    found = [_Candidate(c.document, c.section) for c in knowledge.index.search(text, title=name, limit=_CANDIDATES)]
    said = _said(finding)
    by_code = _by_code(finding, stated, named or found[:1], said=said, knowledge=knowledge)
    if is_asked and ledger.model is not None and (named or found):
        try:
            asked = _Question(finding, said, tuple(named or found), knowledge)
            return _ask(asked, by_code=by_code, ledger=ledger, language=language)
        except CallFailed as error:
            ledger.fail(finding.segment, error)
    if not stated and found:
        best = _placement(found[0], action="append", reason=_RETRIEVED[language], proposed_by="code")
        return replace(by_code, placements=(best,))
    return by_code


def _said(finding: Finding) -> Stated:
    body = "\n".join(unit.text for unit in finding.segment.units if unit.kind not in {"code", "heading"})
    return Stated(finding.title, finding.summary, body, finding.arxiv_ids)


def _by_code(
    finding: Finding,
    stated: tuple[Placement, ...],
    sections: Sequence[_Candidate],
    *,
    said: Stated,
    knowledge: Knowledge,
) -> Placed:
    """What the note says of placement and relation, else what the first section shows, with the line that is touched."""
    standing = _touched(said, sections[0], knowledge) if sections else ()
    if finding.relation is not None:
        relation = finding.relation.relation
    elif sections:
        relation = relation_held("known", said, sections[0].section, standing[0] if standing else None)
    else:
        relation = "extends" if set(finding.arxiv_ids[:1]) & knowledge.stock else "new"
    return Placed(stated, relation, _stated_reason(finding), standing if relation != "new" else ())


def _touched(
    said: Stated, candidate: _Candidate, knowledge: Knowledge, *, named: Standing | None = None
) -> tuple[Standing, ...]:
    lines = lines_about(said, candidate.document, candidate.section, knowledge.index, limit=_LINES_SHOWN)
    line = line_touched(said, lines, knowledge.index, named=named)
    return (line,) if line else ()


def _check_stated(
    stated: Sequence[StatedPlacement], *, topic: str | None, knowledge: Knowledge, language: Language
) -> tuple[tuple[Placement, ...], list[_Candidate]]:
    by_name = {document.name: document for document in knowledge.documents}
    placements: dict[tuple[str, str], Placement] = {}
    named: dict[tuple[str, str], _Candidate] = {}
    for one in stated:
        document = by_name.get(one.document) if one.document else _document_of(one, topic, by_name)
        name = one.document or (document.name if document else f"{topic}.md" if topic else "")
        section = find_section(document, one.section) if document else None
        if document and section:
            candidate = _Candidate(document, section)
            key = (name, candidate.name)
            named.setdefault(key, candidate)
            placements.setdefault(key, _placement(candidate, action=one.action, reason=one.text, proposed_by="note"))
            continue
        reason = f"{one.text} {_why_missing(document, one.section, language)}".strip()
        missing = Placement(
            document=name,
            section=one.number or one.section,
            action=one.action,
            reason=reason,
            proposed_by="note",
            exists=False,
        )
        placements.setdefault((name, missing.section), missing)
    return tuple(placements.values()), list(named.values())[: len(_KEYS)]


def _why_missing(document: LivingDocument | None, section: str, language: Language) -> str:
    if document is None:
        return _NO_DOCUMENT[language]
    if not section:
        return _UNNAMED[language]
    near = "、".join(_shown(one) for one in near_sections(document, section))
    return _MISSING[language] + (_NEAR[language].format(near=near) if near else "")


def _document_of(one: StatedPlacement, topic: str | None, by_name: dict[str, LivingDocument]) -> LivingDocument | None:
    """The document of a placement that names none: the note's topic, else the only one that has the section."""
    if topic and f"{topic}.md" in by_name:
        return by_name[f"{topic}.md"]
    having = [document for document in by_name.values() if find_section(document, one.section)]
    return having[0] if len(having) == 1 else None


def _shown(section: Section) -> str:
    return f"{section.number} {section.heading}".strip() if section.number else section.heading


def _placement(
    candidate: _Candidate, *, action: Action, reason: str, proposed_by: Literal["note", "model", "code"]
) -> Placement:
    return Placement(
        document=candidate.document.name,
        section=candidate.name,
        heading=candidate.section.heading,
        action=action,
        reason=reason,
        proposed_by=proposed_by,
        exists=True,
    )


@dataclass(frozen=True, slots=True)
class _Question:
    """What a model is asked: which of the candidates, and which of their lines."""

    finding: Finding
    said: Stated
    candidates: tuple[_Candidate, ...]
    knowledge: Knowledge

    def keyed(self) -> dict[str, _Candidate]:
        return dict(zip(_KEYS, self.candidates, strict=False))

    def lines(self) -> dict[str, Standing]:
        """The lines shown, by key: "A1" is the first one of section A."""
        return {
            f"{key}{number}": line
            for key, candidate in self.keyed().items()
            for number, line in enumerate(
                lines_about(self.said, candidate.document, candidate.section, self.knowledge.index, limit=_LINES_SHOWN),
                start=1,
            )
        }


def _ask(question: _Question, *, by_code: Placed, ledger: Ledger, language: Language) -> Placed:
    """Let the model choose among candidates, and add its choice to what code can say; "none" adds nothing."""
    finding, keyed, lines = question.finding, question.keyed(), question.lines()
    prompt = load_prompt(prompt_for("place_increment", question.said.text or question.said.name))
    request = Request(
        prompt=prompt.name,
        messages=prompt.render(
            candidates="\n".join(_listed(keyed, lines)), title=as_data(finding.title), summary=as_data(finding.summary)
        ),
        reply=closed(PlaceReply, {"section": [*keyed, _NONE], "line": [*lines, _NONE]}),
        max_tokens=prompt.max_tokens,
        temperature=prompt.temperature,
    )
    reply = ledger.ask(request, PlaceReply)
    chosen = keyed.get(reply.section)
    if chosen is None:
        return by_code
    placements, has = by_code.placements, _present(chosen, language)
    if not any((one.document, one.section) == (chosen.document.name, chosen.name) for one in placements):
        placements = (*placements, _placement(chosen, action=reply.action, reason=has, proposed_by="model"))
    named = lines.get(reply.line) if reply.line.startswith(reply.section) else None
    standing = _touched(question.said, chosen, question.knowledge, named=named)
    relation = finding.relation.relation if finding.relation else None  # what the note says stands
    if relation is None:
        relation = relation_held(reply.relation, question.said, chosen.section, standing[0] if standing else None)
    return Placed(placements, relation, by_code.reason or has, standing if relation != "new" else ())


def _listed(keyed: Mapping[str, _Candidate], lines: Mapping[str, Standing]) -> Iterator[str]:
    """Each section with its key, its document and heading, and the lines of it that may matter."""
    for key, candidate in keyed.items():
        yield f"{key} · {as_data(candidate.document.name)} {as_data(_shown(candidate.section))}"
        yield from (
            f"{name} {as_data(line.quote[:_LINE_SHOWN])}" for name, line in lines.items() if name.startswith(key)
        )


def _present(candidate: _Candidate, language: Language) -> str:
    """What stands in a section now: the ground on which the model chose it."""
    content = " ".join(candidate.section.content.split())
    return _HAS[language].format(content=content[:_CONTENT_SHOWN]) if content else _EMPTY[language]


def _stated_reason(finding: Finding) -> str:
    said = finding.relation
    return " / ".join(part for part in (said.has, said.lacks) if part) if said else ""

"""The story of reconciliation: all notes' extractions in, one list of findings and of what cannot all stand out.

Let corrections take the place of what they correct, match, ask about what rules cannot tell, merge, number the register entries,
link what was kept apart, hold claims against each other, look back at earlier digests. Each step is a file of this folder.

Promises: the order of the notes changes nothing; a note that occurs twice counts once; nothing is lost in a merge.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.checking.dispute import Dispute
from agent.checking.raising import raise_all
from agent.errors import AgentError
from agent.past import PastDigest
from agent.reconciling.contradict import (
    affecting,
    disputes_across,
    disputes_tied,
    document_claims,
    questions_tied,
    united,
    without_answered,
)
from agent.reconciling.correcting import corrected_since, settled, standing_claims, superseded_in
from agent.reconciling.earlier import mark_seen, open_since
from agent.reconciling.judge import Judged, Pair
from agent.reconciling.lineage import earliest
from agent.reconciling.match import Matched, match, same_finding, uncollected
from agent.reconciling.merge import kept, merge
from agent.reconciling.registering import renumbered
from agent.records import Claim, Extraction, Increment, Language, Link, Reconciliation
from agent.texts import LivingDocument

Judge = Callable[[Sequence[Pair]], Judged]


@dataclass(frozen=True, slots=True)
class Around:
    """What the notes are held against.

    Attributes:
        past: earlier digests, the newest first.
        judge: asked about pairs that rules cannot tell; None without a model.
    """

    language: Language
    documents: tuple[LivingDocument, ...] = ()
    past: tuple[PastDigest, ...] = ()
    judge: Judge | None = None


def reconcile(extractions: Sequence[Extraction], around: Around) -> Reconciliation:
    """Bring the extractions of many notes together.

    Raises:
        ModelError: the judge's model failed in a way that makes every further call fail alike.
    """
    by_note = {extraction.note: extraction for extraction in sorted(extractions, key=repr)}
    read = [by_note[note] for note in sorted(by_note)]
    notes = settled(read)
    found = [increment for note in notes for increment in note.increments]
    matched, judged = _matched(found, around.judge)
    told = {note.note: note.increments for note in read}
    merged = corrected_since(_merged(found, matched, told, around.language), around.past)
    merged = renumbered(merged, around.documents, around.past)
    superseded = superseded_in((*merged, *(one for past in around.past for one in past.increments)))
    earlier = standing_claims([claim for past in around.past for claim in past.claims], superseded)
    disputes = _disputes(notes, found, matched, judged, around, earlier)
    raised = raise_all(disputes, language=around.language)
    inside = (one for note in notes for one in note.contradictions)
    contradictions = affecting(united((*inside, *raised.contradictions)), merged)
    return Reconciliation(
        increments=mark_seen(merged, around.past, same=same_finding, language=around.language),
        contradictions=open_since(contradictions, around.past),
        to_verify=raised.to_verify,
        prompts=dict(judged.prompts),
        usage=judged.usage,
        remarks=judged.remarks,
    )


def _matched(found: Sequence[Increment], judge: Judge | None) -> tuple[Matched, Judged]:
    matched = match(found)
    if judge is None or not matched.unclear:
        return matched, Judged()
    judged = judge([(found[one], found[other]) for one, other in matched.unclear])
    return match(found, judged=judged.verdicts), judged


def _merged(
    found: Sequence[Increment], matched: Matched, told: Mapping[str, Sequence[Increment]], language: Language
) -> tuple[Increment, ...]:
    """Merge the clusters, and link those that are about one thing and were kept apart.

    Raises:
        AgentError: a merge would lose something; it is a fault of this program, and nothing is written.
    """
    with uncollected():
        merged = [
            merge([found[index] for index in cluster], told=told, language=language) for cluster in matched.clusters
        ]
    lost = kept(found, merged)
    if lost:
        raise AgentError(f"A merge would lose {lost[0]!r} and {len(lost) - 1} more: report it with the notes.")
    ids = {index: one.id for one, cluster in zip(merged, matched.clusters, strict=True) for index in cluster}
    links: dict[str, dict[str, Link]] = {}
    for one, other, tie, because in matched.ties:
        for mine, theirs in ((ids[one], ids[other]), (ids[other], ids[one])):
            link = Link(increment=theirs, tie=tie, because=because)
            before = links.setdefault(mine, {}).setdefault(theirs, link)
            if before.tie == "complements" and tie == "contradicts":
                links[mine][theirs] = link
    linked = [
        one.model_copy(update={"links": tuple(links[one.id][other] for other in sorted(links[one.id]))})
        if one.id in links
        else one
        for one in merged
    ]
    return tuple(sorted(linked, key=earliest))


def _disputes(
    notes: Sequence[Extraction],
    found: Sequence[Increment],
    matched: Matched,
    judged: Judged,
    around: Around,
    earlier: Sequence[Claim],
) -> Iterable[Dispute]:
    standing = document_claims(around.documents) if any(note.claims for note in notes) else ()
    across = disputes_across(notes, standing=standing, earlier=earlier)
    tied = [(tie, (found[one], found[other], because)) for one, other, tie, because in matched.ties]
    known = (*across, *judged.disputes)
    raised = disputes_tied((pair for tie, pair in tied if tie == "contradicts"), known=known)
    asked = questions_tied(pair for tie, pair in tied if tie == "complements")
    return without_answered((*known, *raised, *asked))

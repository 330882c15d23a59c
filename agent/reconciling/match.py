"""Finds increments that tell the same finding.

Two increments tell the same finding when

- both lead with one arXiv ID and their titles are about one named thing or give one quantity, in whatever language;
- their titles are nearly the same, and neither names a thing that the other lacks while it lacks one itself;
- one cites the other's note, their titles are about one named thing, and they give the same measured values.

What differs and cannot be wording keeps them apart: in the titles (see `titles`), in their leading identifiers, or in the
values of one metric. An increment without a clear partner stays alone.

Promises: the order of the increments changes nothing; two increments of one note never meet; no two that are kept apart
end in one cluster by way of a third.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from rapidfuzz import fuzz

from agent.reconciling.lineage import Moment, earliest
from agent.reconciling.titles import Subject, difference, read_subject, same_unit, shared_figures
from agent.records import Increment, Measure

_NEARLY = 80.0  # likeness of titles that name the same things
_NEARLY_UNNAMED = 88.0  # likeness of titles that name nothing
_NEARLY_REPEATED = 92.0  # likeness of titles by one agent
_SAME_PAPER = 60.0  # likeness of titles that lead with one arXiv ID, where one of them names nothing
_MIN_WEIGHT = 8  # a title that says less than eight Chinese characters says no finding ("Key results")
_MIN_BODY = 12  # words below which a text's words are no evidence
_MIN_SHARED = 0.1  # share of its words that a text has in common with another on the same thing, at least
_GRAM = 3
_RARE_GRAMS = 8  # of a title, by which its partners are looked up
_BLOCK = 60  # increments under one key that are all compared; in a larger block, neighbours of this distance
_COPIED_VALUES = 2  # measured values that whoever cites a note has in common with it when telling its finding
_SURE = 100.0  # what one arXiv ID and subject count more than any wording

_BODY_WORD = re.compile(r"[a-z][a-z0-9.\-]{2,}|[\u3400-\u9fff]{2,}")

_Key = tuple[str, Moment]  # orders increments by what they are, near titles together, never by where they stand


def same_finding(increments: Sequence[Increment]) -> tuple[tuple[int, ...], ...]:
    """Group increments that tell the same finding.

    Returns:
        Clusters of indexes into `increments`, each ascending, ordered by their first index. Every index is in exactly
        one cluster, alone where nothing matches.
    """
    subjects = [read_subject(increment.title) for increment in increments]
    keys = [(subject.texts[0], earliest(one)) for subject, one in zip(subjects, increments, strict=True)]
    links: list[tuple[float, list[_Key], tuple[int, int]]] = []
    for one, other in _candidates(increments, subjects, keys):
        score = _likeness(increments[one], increments[other])
        if score:
            links.append((-score, sorted((keys[one], keys[other])), (one, other)))
    links.sort(key=lambda link: link[:2])
    return _clusters(increments, [pair for _, _, pair in links])


def kept_apart_by(one: Increment, other: Increment) -> str | None:
    """Name what keeps two increments apart whatever their wording, in one word, or return None.

    One of: note, identifier, value, or what `titles.difference` names.
    """
    if not _notes(one).isdisjoint(_notes(other)):
        return "note"
    if _lead_with_different_papers(one, other):
        return "identifier"
    if _measure_differently(one, other):
        return "value"
    return difference(read_subject(one.title), read_subject(other.title))


class _Cluster:
    """Indexes that belong together, with what decides whether others may join."""

    def __init__(self, index: int, increment: Increment) -> None:
        self.indexes = [index]
        self.notes = set(_notes(increment))
        self.faces = {(increment.title, increment.arxiv_ids): increment}  # same title, same decision

    def may_take(self, other: "_Cluster") -> bool:
        return self.notes.isdisjoint(other.notes) and not any(
            kept_apart_by(mine, theirs) for mine in self.faces.values() for theirs in other.faces.values()
        )

    def take(self, other: "_Cluster") -> None:
        self.indexes += other.indexes
        self.notes |= other.notes
        self.faces |= other.faces


def _clusters(increments: Sequence[Increment], pairs: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Unite the pairs, best first, unless two members of the united cluster are kept apart."""
    cluster_of = {index: _Cluster(index, increment) for index, increment in enumerate(increments)}
    for one, other in pairs:
        cluster, joining = cluster_of[one], cluster_of[other]
        if cluster is joining or not cluster.may_take(joining):
            continue
        cluster.take(joining)
        cluster_of.update(dict.fromkeys(joining.indexes, cluster))
    return tuple(sorted({tuple(sorted(cluster.indexes)) for cluster in cluster_of.values()}))


def _candidates(
    increments: Sequence[Increment], subjects: Sequence[Subject], keys: Sequence[_Key]
) -> set[tuple[int, int]]:
    """Return the pairs worth comparing: those that share a leading arXiv ID, a cited note, or a rare piece of a title."""
    blocks: dict[str, list[int]] = defaultdict(list)
    having: dict[str, list[int]] = defaultdict(list)
    grams = [_grams(subject.texts[-1]) for subject in subjects]
    spread = Counter(gram for own in grams for gram in own)
    for index, increment in enumerate(increments):
        if increment.arxiv_ids:
            blocks[f"arxiv {increment.arxiv_ids[0]}"].append(index)
        for note in {*increment.notes, *(source.note for source in increment.sources if source.note)}:
            blocks[f"note {note} {subjects[index].lead}"].append(index)
        for gram in grams[index]:
            having[gram].append(index)
    chosen = {gram for own in grams for gram in sorted(own, key=lambda g: (spread[g] < 2, spread[g], g))[:_RARE_GRAMS]}
    blocks.update((gram, having[gram]) for gram in chosen)
    return {
        (min(pair), max(pair))
        for block in blocks.values()
        for pair in _pairs(sorted(block, key=keys.__getitem__))
        if _notes(increments[pair[0]]).isdisjoint(_notes(increments[pair[1]]))
    }


def _pairs(block: Sequence[int]) -> Iterator[tuple[int, int]]:
    if len(block) <= _BLOCK:
        yield from combinations(block, 2)
        return
    for position, index in enumerate(block):
        for neighbour in block[position + 1 : position + _BLOCK]:
            yield index, neighbour


def _grams(text: str) -> frozenset[str]:
    return frozenset(text[start : start + _GRAM] for start in range(max(1, len(text) - _GRAM + 1)))


def _notes(increment: Increment) -> frozenset[str]:
    return frozenset(increment.notes) | {evidence.note for evidence in increment.evidence}


def _lead_with_different_papers(one: Increment, other: Increment) -> bool:
    if not (one.arxiv_ids and other.arxiv_ids):
        return False
    return one.arxiv_ids[0] not in other.arxiv_ids and other.arxiv_ids[0] not in one.arxiv_ids


def _likeness(one: Increment, other: Increment) -> float:
    """Return how surely two increments tell one finding, 0 where they do not."""
    if kept_apart_by(one, other):
        return 0.0
    a, b = read_subject(one.title), read_subject(other.title)
    alike = max(fuzz.ratio(x, y, score_cutoff=_SAME_PAPER) for x in a.texts for y in b.texts)
    is_same_paper = bool(one.arxiv_ids) and one.arxiv_ids[:1] == other.arxiv_ids[:1]
    if not frozenset(one.agents).isdisjoint(other.agents):
        is_repeated = is_same_paper or (not one.arxiv_ids + other.arxiv_ids and _are_nearly_the_same(one, other, alike))
        return alike if is_repeated and alike >= _NEARLY_REPEATED else 0.0
    if is_same_paper and _are_about_one_thing(one, other, alike):
        return _SURE + alike
    if _is_one_retold(one, other):
        return _NEARLY
    return alike if _are_nearly_the_same(one, other, alike) else 0.0


def _are_about_one_thing(one: Increment, other: Increment, alike: float) -> bool:
    """Whether two increments on one paper are about one thing: a named one, else by their figures or wording."""
    a, b = read_subject(one.title), read_subject(other.title)
    if a.lead and b.lead:
        return _have_one_lead(a, b)
    has_lead = {a.lead, b.lead} & a.words & b.words
    return (
        bool(has_lead or shared_figures(a, b))
        or alike >= _SAME_PAPER
        or _values_in_common(one, other) >= _COPIED_VALUES
    )


def _have_one_lead(a: Subject, b: Subject) -> bool:
    return bool(a.lead and b.lead) and {a.lead, b.lead} <= a.words & b.words


def _is_one_retold(one: Increment, other: Increment) -> bool:
    """Whether one increment cites the other's note and tells its finding anew, in other words or another language."""
    cited = {source.note for source in one.sources}, {source.note for source in other.sources}
    is_cited = not cited[0].isdisjoint(other.notes) or not cited[1].isdisjoint(one.notes)
    return (
        is_cited
        and _have_one_lead(read_subject(one.title), read_subject(other.title))
        and _values_in_common(one, other) >= _COPIED_VALUES
    )


def _values_in_common(one: Increment, other: Increment) -> int:
    mine, theirs = ({(same_unit(measure.unit), measure.value) for measure in inc.measures} for inc in (one, other))
    return len(mine & theirs)


def _measure_differently(one: Increment, other: Increment) -> bool:
    """Whether both give values of one metric in one unit, under conditions that may be the same, and none in common."""
    mine, theirs = _by_metric(one.measures), _by_metric(other.measures)
    for metric in mine.keys() & theirs.keys():
        comparable = [(a, b) for a in mine[metric] for b in theirs[metric] if not _conditions_differ(a, b)]
        if comparable and all(a.value != b.value for a, b in comparable):
            return True
    return False


def _by_metric(measures: Sequence[Measure]) -> dict[tuple[str, str], list[Measure]]:
    found: dict[tuple[str, str], list[Measure]] = defaultdict(list)
    for measure in measures:
        if measure.metric:
            found[measure.metric.casefold(), same_unit(measure.unit)].append(measure)
    return found


def _conditions_differ(a: Measure, b: Measure) -> bool:
    """Whether two measures name different subjects or conditions; what one leaves out may be the same."""
    named = [(a.subject, b.subject), (a.version or "", b.version or "")]
    named += [(a.conditions[key], b.conditions[key]) for key in a.conditions.keys() & b.conditions.keys()]
    return any(x and y and x.casefold() != y.casefold() for x, y in named)


def _are_nearly_the_same(one: Increment, other: Increment, alike: float) -> bool:
    a, b = read_subject(one.title), read_subject(other.title)
    if min(a.weight, b.weight) < _MIN_WEIGHT or (a.lacks(b) and b.lacks(a)):
        return False
    if a.names or b.names:
        return alike >= _NEARLY
    return alike >= _NEARLY_UNNAMED and not _speak_of_different_things(one, other)


def _speak_of_different_things(one: Increment, other: Increment) -> bool:
    """Whether two texts under one unnamed title ("Weekly digest of papers") have hardly a word in common."""
    mine, theirs = _body_words(one), _body_words(other)
    smaller = min(len(mine), len(theirs))
    return smaller >= _MIN_BODY and len(mine & theirs) < _MIN_SHARED * smaller


def _body_words(increment: Increment) -> frozenset[str]:
    text = " ".join((increment.summary, *(point.text for point in increment.points))).lower()
    words: set[str] = set()
    for word in _BODY_WORD.findall(text):
        words.update((word,) if word.isascii() else (word[i : i + 2] for i in range(len(word) - 1)))
    return frozenset(words)

"""One exact figure that a text gives for several things at once: parameters, price, context length, size.

Promises: pure; words that share a figure out ("each", "respectively", "together") make it no dispute, and so does a figure that
things share easily, such as a round one; time is linear in the text.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from agent.checking.dispute import Dispute, Hand, Stated
from agent.checking.metrics import attribute_of, clause_of, concept_of, measures_of
from agent.checking.stance import stance_in
from agent.reading.measures import MeasureSpan
from agent.reading.naming import is_distinctive, name_key
from agent.reading.quantities import fold
from agent.reading.showing import as_evidence
from agent.texts import Note, Unit

_NAME = r"[A-Z][A-Za-z0-9.]{0,24}(?:-[A-Za-z0-9.]{1,16}){0,4}(?:\s(?:[A-Z][A-Za-z]{0,15}|[A-Z]?[0-9][0-9.]{0,6}[A-Za-z]?)(?![A-Za-z0-9])){0,3}"
_AND = r"\s?(?:[、,/]\s?(?:and\s|和)?|和|与|及|以及|\+|&|(?<=\s)and(?=\s))\s?"
_BETWEEN = re.compile(_AND)
_SEVERAL = re.compile(rf"(?<![A-Za-z0-9_./-]){_NAME}(?:{_AND}{_NAME}){{1,9}}")
_EACH = re.compile(
    r"每|均|各|分别|都|皆|同为|一样|相同|合计|总计|总共|合共|一共|共有|加起来|最大|最高|最多|不等|至多|之间|平均|蒸馏|基于|得到|组成|混合|"
    r"(?<![a-z])(?:each|both|all|respectively|average|averages|same|together|combined|in total|largest|max|ranging|up to|between|from|distill\w*|based)(?![a-z])",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"(?:相比|对比|比|不同于|优于|超过|除了?|除开|unlike|than|versus|vs\.?|over|beats|against|with|as|besides)\s?$",
    re.IGNORECASE,
)
_APART = re.compile(r"[\s`*)]{0,3}(?:不同|相比|之外|以外|外[,、])")
_SENTENCE_STOP = re.compile(r"[。;!?\n]|\.\s|\s-\s")
_SILENT = frozenset({"code", "rule", "comment", "front_matter"})
_OWN = frozenset({"parameters", "price", "context", "size"})
_LOOSE = frozenset({">", ">=", "<", "<=", "up to", "from"})
_PART_OF = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,3})?[BMT]\s(?:out\s)?of\s$")
_REACH = 80
_SIZE = re.compile(r"体积|大小|(?<![a-z])size", re.IGNORECASE)


def disputes(hand: Hand) -> Iterator[Dispute]:
    """Yield the figures that a text gives for several things; the same said in several places is one dispute."""
    found: dict[tuple[str, ...], Dispute] = {}
    for segment in hand.segments:
        for unit in segment.units:
            for dispute in _in_unit(hand.note, unit) if unit.kind not in _SILENT else ():
                first = found.get(dispute.key)
                found[dispute.key] = replace(first, sides=(*first.sides, *dispute.sides)) if first else dispute
    yield from found.values()


def _in_unit(note: Note, unit: Unit) -> Iterator[Dispute]:
    folded = fold(unit.text)
    for several in _SEVERAL.finditer(folded):
        names = _different_names(several.group())
        if len(names) < 2 or _is_set_apart(folded, several):
            continue
        figures = _figures_behind(unit.text, folded, several.end())
        if not _are_exact(figures) or _has_others(folded[several.end() : figures[0].start]):
            continue
        said = unit.text[several.start() : figures[-1].end]
        if (
            _EACH.search(fold(said[several.end() - several.start() :]))
            or stance_in(unit.text, figures[0].start, figures[0].end) == "rejected"
        ):
            continue
        yield Dispute(
            rule="figure-for-several",
            kind="value",
            about=unit.text[several.start() : several.end()],
            key=(*sorted(names), *(f"{figure.value:g}" for figure in figures)),
            sides=(Stated(said, as_evidence(note, unit)),),
        )


def _different_names(text: str) -> set[str]:
    """The keys of names that differ by more than a number; "DeepSeek V3 / R1" is a family with two members."""
    return {name_key(name.split()[0]) for name in _BETWEEN.split(text) if is_distinctive(name) or " " in name} - {""}


def _is_set_apart(folded: str, several: "re.Match[str]") -> bool:
    """Whether the things are named only to be compared with another."""
    return (
        _AGAINST.search(folded, max(0, several.start() - 12), several.start()) is not None
        or _APART.match(folded, several.end()) is not None
    )


def _figures_behind(text: str, folded: str, end: int) -> list[MeasureSpan]:
    """The figures of one property that stand behind the names in their sentence, before another thing is named."""
    stop = _SENTENCE_STOP.search(folded, end)
    limit = min(stop.start() if stop else len(folded), end + 2 * _REACH)
    other = _SEVERAL.search(folded, end, limit)
    limit = other.start() if other else limit
    found = [measure for measure in measures_of(text) if end <= measure.start and measure.end <= limit]
    own = [measure for measure in found if _property(measure, folded) in _OWN]
    kinds = [attribute_of(measure, _property(measure, folded), folded) for measure in own]
    if (
        not own
        or own[0].start - end > _REACH
        or len(set(kinds)) < len(kinds)
        or len({_property(measure, folded) for measure in own}) > 1
    ):
        return []
    return own


def _has_others(between: str) -> bool:
    """Whether further numbers stand between the names and the figure, one for each name perhaps; "37B of" belongs to it."""
    return any(map(str.isdigit, _PART_OF.sub("", between)))


def _property(measure: MeasureSpan, folded: str) -> str:
    clause = clause_of(folded, measure)
    concept = concept_of(measure, clause, folded)
    return "size" if _SIZE.search(measure.metric or clause) and measure.unit else concept


def _are_exact(figures: list[MeasureSpan]) -> bool:
    """Whether several things hardly share these figures by chance: a distinctive one, or two of them."""
    if not figures or any(figure.comparator in _LOOSE for figure in figures):
        return False
    return len(figures) > 1 or (figures[0].comparator in ("", "=") and _is_distinctive(figures[0].value))


def _is_distinctive(value: float) -> bool:
    digits = f"{value:.12g}".replace(".", "").partition("e")[0].strip("0")
    number = int(digits or 0)
    return len(digits) >= 3 and number & (number - 1) != 0

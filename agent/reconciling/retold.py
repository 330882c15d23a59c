"""Findings of two notes that tell one thing, and one thing of it otherwise: a figure, a unit, a version, a date, a licence.

Findings are held against each other where they share a paper, a page or a named thing; a Chinese name is known by its form. What
they give otherwise is disputed where nothing else explains it: the rest that both give is the same, and at most one of them gives
more. Where one text leaves the conditions out, it is a question.

Promises: pure and symmetric; a name that many findings share binds none, so time is linear in the findings.
"""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations, product

from agent.checking.dispute import Dispute, Rule, as_stated
from agent.checking.stance import stance_of
from agent.reading.identifiers import fold_full_width
from agent.reading.quantities import in_base
from agent.reading.statements import NUMBER_WORDS
from agent.reconciling.contrasts import are_contrasted, are_opposed, names_another
from agent.reconciling.likeness import words_in_common
from agent.reconciling.released import which_day, which_licence, which_version
from agent.reconciling.rivals import confused, rivals, shared, weight
from agent.reconciling.told import (
    Told,
    are_of_other_times,
    are_set_otherwise,
    disputed,
    is_one_matter,
    is_one_model,
    is_one_source,
    is_one_thing,
    told_of,
)
from agent.reconciling.traits import read_traits
from agent.reconciling.turned import turned
from agent.reconciling.unstated import unstated
from agent.reconciling.values import Amount, Value
from agent.records import ContradictionKind, Extraction, Increment

_BLOCK = 12  # findings that share a name, at most; more share it by chance
_MOST = 24  # findings that one is held against
_PER_SETTING = 0.6  # weight of a device or model in common
_LITTLE = 0.4
_FAR = 4.0  # times by which two figures differ that were hardly taken under the same conditions
_SOME = 0.6  # weight of one plain figure in common
_MUCH = 1.2  # weight of figures in common that shows one telling
_ALIKE_TOLD = 2.0  # the same, where they tell nearly the same
_HAN = "\u3400-\u9fff"
_FEW = 10
_OWN = re.compile(
    r"我(?:们)?[^。；;]{0,14}(?:跑|测|算|得|复现|重)|重跑|复跑|复测|自测|重新(?:跑|测|算|评)|(?<![a-z])(?:I (?:get|got|measure|measured|find|found|ran|rerun|reran|see)|(?:scored|measured|run|ran|tested|counted) (?:it |them )?again|re-?r[au]n|by me|in (?:my|our)(?: own)? (?:runs?|tests?|measurements?|set-?up)|my own|our own (?:run|test)s?)(?![a-z])",
    re.IGNORECASE,
)
_WORDS = {float(number): word for word, number in NUMBER_WORDS.items()} | {16.0: "sixteen", 32.0: "thirty-two"}
_RATE = re.compile(r"每秒|/\s?秒|/s(?![a-z])|(?<![a-z])(?:per|a) second(?![a-z])", re.IGNORECASE)
_FOR_MANY = re.compile(
    r"(?P<m>每(?:一)?百万|/\s?(?:1|一)?(?:百万|M(?![A-Za-z]))|(?<![a-z])(?:per|a|each) (?:1 )?(?:million|M(?![A-Za-z]))|/1?M(?![A-Za-z])|MTok)|(?P<k>每(?:一)?千|/\s?(?:1|一)?(?:千|[kK](?![A-Za-z]))|(?<![a-z])(?:per|a|each) (?:1 )?(?:thousand|1,?000|1?[kK](?![A-Za-z]))|/1[kK])|(?P<w>每(?:一)?万|/万)|(?P<b>每(?:一)?(?:十)?亿|(?<![a-z])per (?:1 )?billion)",
    re.IGNORECASE,
)
_COMPOUND = re.compile(
    r"\d{1,4} ?(?:d|h|hours?|hrs?|min|m|minutes?|小时|分钟?|天|时) ?(?:and )?\d{1,2} ?(?:min|m|minutes?|s|sec|seconds?|分钟?|秒)",
    re.IGNORECASE,
)
_SCOPE = re.compile(
    r"(?:(?P<each>单卡|单张卡?|每卡|单机|per card|per GPU|each card)|(?P<all>整机|整个集群|全机|合计|总(?:吞吐|输出|计)|in total|altogether))[^\d\n,，;；。]{0,8}\Z",
    re.IGNORECASE,
)
_METRIC_NAME = re.compile(
    r"([A-Za-z][A-Za-z0-9]{0,14}@\d{1,3}|[A-Z][A-Za-z0-9-]{1,14}|[\u3400-\u9fff]{2,4}?)\s?(?:[:=]|为|是|达到?|至|得|of|is|at|reaches|was)?\s?\Z"
)
_STATISTICS = frozenset({"p50", "p90", "p99", "mean"})
_RATES = frozenset({"per second"})
_NOUN = re.compile(rf"\s?([A-Za-z]{{1,12}}(?:\s[A-Za-z]{{3,12}})?|[{_HAN}]{{1,2}})")


def disputes_retold(extractions: Sequence[Extraction]) -> Iterator[Dispute]:
    """Yield what findings of different notes tell of one thing in two ways; at most one dispute of each pair."""
    told = sorted((one for extraction in extractions for one in told_of(extraction)), key=lambda one: one.traits.key)
    tried: dict[int, int] = defaultdict(int)
    for one, other in sorted(_pairs(told)):
        if max(tried[one], tried[other]) < _MOST:
            tried[one] += 1
            tried[other] += 1
            if found := _dispute(told[one], told[other]):
                yield found


def is_explained(one: Increment, other: Increment) -> bool:
    """Whether nothing shows that two findings give one figure otherwise: none stands for another, or conditions differ."""
    mine, theirs = Told(one, read_traits(one)), Told(other, read_traits(other))
    if are_of_other_times(mine, theirs):
        return True
    both = shared(mine.values, theirs.values)
    pairs = [pair for pair in _rivals(mine.values, theirs.values, both) if _is_telling(*pair)]
    pairs = [pair for pair in pairs if _is_turned(*pair) or not _is_of_another_attribute(mine, theirs, pair)]
    return all(_extra(mine, theirs, both, pair, 0) and _extra(theirs, mine, both, pair, 1) for pair in pairs)


def is_of_other_times(one: Increment, other: Increment) -> bool:
    """Whether what two findings state of versions, hours or devices excludes each other."""
    mine, theirs = Told(one, read_traits(one)), Told(other, read_traits(other))
    return are_of_other_times(mine, theirs) or are_set_otherwise(mine, theirs)


def _is_telling(one: Value, other: Value) -> bool:
    """Whether two numbers are more than round ones that may count different things."""
    return (
        bool(one.amount[0])
        or min(weight((value.amount,)) for value in (one, other)) >= _SOME
        or not one.counted.isdisjoint(other.counted)
    )


def _extra(one: Told, other: Told, both: frozenset[Amount], pair: tuple[Value, Value], side: int) -> list[Value]:
    """The figures that only one of two texts gives, beside those that are disputed."""
    return _rest(one.values, pair[side], both, other.values, other.text.casefold())


def _tell_other_conditions(one: Sequence[Value], other: Sequence[Value]) -> bool:
    """Whether two texts each give a figure of one kind that the other does not give, such as a batch size."""
    return any(
        mine.amount[0] == theirs.amount[0]
        and (bool(mine.amount[0]) or bool(mine.counted & theirs.counted or _noun(mine) & _noun(theirs)))
        for mine, theirs in product(one, other)
    )


def _pairs(told: Sequence[Told]) -> set[tuple[int, int]]:
    blocks: dict[Hashable, list[int]] = defaultdict(list)
    for at, one in enumerate(told):
        for key in (*one.traits.papers, *one.traits.pages, *one.names):
            blocks[key].append(at)
    for lead, holders in _holding(told).items():
        blocks["lead", lead].extend(holders)
    return {
        (one, other)
        for block in blocks.values()
        if len(block) <= _BLOCK
        for one, other in combinations(block, 2)
        if told[one].traits.notes.isdisjoint(told[other].traits.notes)
    }


def _holding(told: Sequence[Told]) -> Mapping[str, Sequence[int]]:
    """Which texts hold each name that stands out by its form in one of them."""
    leads: dict[str, set[str]] = defaultdict(set)
    for lead in {lead for one in told for lead in one.leads}:
        leads[lead[:2]].add(lead)
    found: dict[str, list[int]] = defaultdict(list)
    for at, one in enumerate(told) if leads else ():
        pairs = {one.text[place : place + 2] for place in range(len(one.text) - 1)} & leads.keys()
        for lead in {lead for pair in pairs for lead in leads[pair]}:
            if lead in one.text:
                found[lead].append(at)
    return found


def _dispute(one: Told, other: Told) -> Dispute | None:
    first, second = sorted((one, other), key=lambda told: told.traits.key)
    if first.traits.papers and second.traits.papers and first.traits.papers.isdisjoint(second.traits.papers):
        return None
    if not is_one_thing(first, second):
        licence = which_licence(first, second) if is_one_model(first, second) else None
        return licence or unstated(first, second)
    return (
        which_version(first, second)
        or which_day(first, second)
        or which_licence(first, second)
        or (None if are_of_other_times(first, second) else _units(first, second) or _values(first, second))
        or (None if are_of_other_times(first, second) else _orders(first, second) or _turned(first, second))
        or unstated(first, second)
    )


def _units(one: Told, other: Told) -> Dispute | None:
    mine, theirs = one.values, other.values
    pairs = [*confused(mine, theirs), *_scaled(mine, theirs), *_for_others(mine, theirs)]
    pairs = [pair for pair in pairs if not any(map(_is_compound, pair))]
    return _raised("unit", "unit", (one, other), pairs[0]) if pairs else None


def _scaled(mine: Sequence[Value], theirs: Sequence[Value]) -> Iterator[tuple[Value, Value]]:
    """One number with two units of one kind of which neither text gives the other's."""
    for one, other in product(mine, theirs):
        if one.written[0] != other.written[0]:
            continue
        scopes = [value.scope or _scope(value) for value in (one, other)]
        is_rate = one.amount[0].endswith("/s")
        if one.digits > 1 and (one.scope * other.scope < 0 or (is_rate and scopes[0] * scopes[1] < 0)):
            yield one, other
        if one.written[1] == other.written[1]:
            continue
        bases = in_base(one.written[1]), in_base(other.written[1])
        is_alone = all(value.written != other.written for value in mine) and all(
            value.written != one.written for value in theirs
        )
        if is_alone and bases[0][0] == bases[1][0] and bases[0][1] != bases[1][1]:
            yield one, other


def _for_others(mine: Sequence[Value], theirs: Sequence[Value]) -> Iterator[tuple[Value, Value]]:
    """One price for a thousand here and for a million there."""
    for one, other in product(mine, theirs):
        if one.written == other.written and one.amount[0].partition("/")[0] in {"$", "CNY"}:
            many = [{match.lastgroup for match in _FOR_MANY.finditer(value.said)} for value in (one, other)]
            if all(len(side) == 1 for side in many) and many[0] != many[1]:
                yield one, other


def _scope(value: Value) -> int:
    """1 for each device, -1 for all of them, by the word right before the number; 0 where there is none."""
    said = fold_full_width(value.said).replace(",", "")
    before = _SCOPE.search(said[: max(0, said.find(_written(value)))])
    return 0 if before is None else 1 if before["each"] else -1


def _is_compound(value: Value) -> bool:
    """Whether a number is a part of a length of time ("5 minutes 20 seconds")."""
    return value.amount[0] == "s" and any(
        _written(value) in match.group() for match in _COMPOUND.finditer(fold_full_width(value.said))
    )


def _values(one: Told, other: Told) -> Dispute | None:
    """The one figure that both give otherwise; a question where one of them leaves out what the other was measured under."""
    if one.is_rejecting != other.is_rejecting:
        return _rejected(one, other) if other.is_rejecting else _rejected(other, one)
    both = shared(one.values, other.values)
    pair = _only_rivals(one, other, both)
    if pair is None or not (_is_turned(*pair) or not _is_of_another_attribute(one, other, pair)):
        return None
    extra = (_extra(one, other, both, pair, 0), _extra(other, one, both, pair, 1))
    common = weight(amount for amount in both if amount[1] != 1) + _PER_SETTING * len(one.settings & other.settings)
    common += _PER_SETTING * bool(one.days & other.days)
    is_bare = common < _SOME and any(extra) and not _is_turned(*pair)
    if is_bare or ((one.is_lacking or other.is_lacking) and (any(extra) or common < _MUCH)):
        is_fit = pair[0].amount[0] == pair[1].amount[0] and pair[0].is_telling and min(map(len, extra)) <= 1
        is_fit = is_fit and not _tell_other_conditions(*extra)
        return _raised("value-conditions", "conditions", (one, other), pair) if is_fit else None
    is_dispute = (not all(extra) or _are_one_metric_turned(*pair)) and _is_one_measure(
        one, other, pair, common, is_more_told=any(extra)
    )
    return _raised("value", "value", (one, other), pair) if is_dispute else None


def _only_rivals(one: Told, other: Told, both: frozenset[Amount]) -> tuple[Value, Value] | None:
    """The two figures that stand for each other, where each text has but one of those."""
    pairs = [pair for pair in _rivals(one.values, other.values, both) if all(map(_is_held, pair))]
    telling = [pair for pair in pairs if all(value.is_telling for value in pair)] or pairs
    if any(len({pair[side].written[0] for pair in telling}) != 1 for side in (0, 1)):
        return None
    return telling[0]


def _is_one_measure(one: Told, other: Told, pair: tuple[Value, Value], common: float, *, is_more_told: bool) -> bool:
    """Whether two figures are of one metric, in texts that have enough in common for it to be one measurement."""
    if _is_turned(*pair):
        is_alike = common >= _MUCH or is_one_source(one, other) or _speak_alike(one, other)
        return is_alike or (common >= _SOME and is_one_matter(one, other))
    metrics = [value.metrics - _STATISTICS for value in pair]
    if bool(metrics[0]) != bool(metrics[1]) and weight(shared(one.values, other.values)) < _MUCH:
        return False
    if is_more_told and _is_far(*pair):  # what only one tells may be why
        return False
    return common >= _MUCH or (common >= _SOME and (is_one_source(one, other) or _speak_alike(one, other)))


def _rejected(one: Told, critic: Told) -> Dispute | None:
    """The figure that a critic holds against those of the text that he rejects, where he gives them and one of his own."""
    both = shared(one.values, critic.values)
    own = (
        [value for value in _rest(critic.values, critic.values[0], both, one.values) if value.is_telling]
        if both
        else []
    )
    if len(own) != 1 or not _OWN.search(critic.text):
        return None
    odd = own[0]
    theirs = [value for value in one.values if value.amount[0] == odd.amount[0] and value.decimals == odd.decimals]
    told = [value for value in theirs if value.amount in both]
    if not told or weight(both) < _LITTLE:
        return None
    sides = one.where(said for value in told for said in value.said.split("\n")), critic.where(odd.said.split("\n"))
    return disputed(
        "value",
        "value",
        (one, critic),
        sides,
        sorted((f"{odd.amount[1]:g}", *(f"{value.amount[1]:g}" for value in told))),
    )


def _rivals(mine: Sequence[Value], theirs: Sequence[Value], both: frozenset[Amount]) -> list[tuple[Value, Value]]:
    """Figures of one unit that stand for each other, and those of which each text has one that counts the same."""
    found = [pair for pair in rivals(mine, theirs) if pair[0].amount[0] == pair[1].amount[0]]
    if found:
        return found
    here, there = (
        [value for value in values if value.amount not in both and not value.amount[0]] for values in (mine, theirs)
    )
    return [(value, another) for value, another in product(here, there) if _noun(value) & _noun(another)]


def _is_of_another_attribute(one: Told, other: Told, pair: tuple[Value, Value]) -> bool:
    """Whether words beside two figures show that they are of two things, or of two sides of one."""
    texts = one.traits.texts, other.traits.texts
    is_abroad = one.traits.is_chinese != other.traits.is_chinese
    if not (is_abroad or one.is_lacking or other.is_lacking) and are_contrasted(*texts):
        return True
    if are_opposed(*("\n".join(side) for side in texts)) or are_opposed(pair[0].said, pair[1].said):
        return True
    if names_another("\n".join(texts[0]), other.text) and names_another("\n".join(texts[1]), one.text):
        return True
    nouns = [{noun for noun in _noun(value) if noun not in _RATES} for value in pair]
    said = [text.casefold() for text in (one.text, other.text)]
    return (
        not is_abroad
        and all(nouns)
        and all(noun.split()[0] not in said[1] for noun in nouns[0])
        and all(noun.split()[0] not in said[0] for noun in nouns[1])
    )


def _noun(value: Value) -> frozenset[str]:
    """What is counted, by the word right behind the number, or that it is so many a second."""
    found: set[str] = set()
    number = _written(value)
    for clause in value.said.split("\n"):
        plainly = fold_full_width(clause).replace(",", "")
        at = plainly.find(number)
        behind = _NOUN.match(plainly, at + len(number)) if at >= 0 else None
        if behind and len(behind[1]) > 1:
            found.add(behind[1].casefold().removesuffix("s"))
        if at >= 0 and value.digits > 1 and value.amount[1] >= _FEW and _RATE.search(clause):
            found.update(_RATES)
    return frozenset(found)


def _written(value: Value) -> str:
    return f"{value.written[0]:.{value.decimals}f}"


def _is_far(one: Value, other: Value) -> bool:
    return max(one.amount[1], other.amount[1]) > _FAR * min(one.amount[1], other.amount[1])


def _is_turned(one: Value, other: Value) -> bool:
    """Whether two numbers have the same digits in another order."""
    mine, theirs = (f"{value.written[0]:.{value.decimals}f}" for value in (one, other))
    return mine != theirs and sorted(mine) == sorted(theirs)


def _are_one_metric_turned(one: Value, other: Value) -> bool:
    """Whether two numbers of the same digits stand right behind one metric's name."""
    names = [_metric_names(value) for value in (one, other)]
    return _is_turned(one, other) and not names[0].isdisjoint(names[1])


def _metric_names(value: Value) -> frozenset[str]:
    said = [fold_full_width(clause).replace(",", "") for clause in value.said.split("\n")]
    found = [_METRIC_NAME.search(clause[: max(0, clause.find(_written(value)))]) for clause in said]
    return frozenset(match[1].casefold() for match in found if match)


def _speak_of_one(one: Told, other: Told) -> bool:
    return is_one_source(one, other) or words_in_common(one.traits, other.traits) >= _ALIKE_TOLD / 2


def _speak_alike(one: Told, other: Told) -> bool:
    return words_in_common(one.traits, other.traits) >= _ALIKE_TOLD


def _rest(
    values: Sequence[Value], odd: Value, both: frozenset[Amount], others: Sequence[Value], text: str = ""
) -> list[Value]:
    """Figures that the other text does not give, not even in words, but for the odd one."""
    numbers = {value.written[0] for value in others}
    return [
        value
        for value in values
        if value.amount not in both
        and value.amount != odd.amount
        and value.written[0] not in numbers
        and not (odd.low < odd.high and (value.low, value.high) == (odd.low, odd.high))
        and not (value.written[0] > len("ab") and _WORDS.get(value.written[0], "?") in text)
    ]


def _is_held(value: Value) -> bool:
    return all(stance_of(clause) in {"held", "reported"} for clause in value.said.split("\n"))


def _turned(one: Told, other: Told) -> Dispute | None:
    found = None if one.is_rejecting or other.is_rejecting else turned(one.traits.texts, other.traits.texts)
    is_on_one = is_one_matter(one, other) or (found and found.kind == "role" and _speak_of_one(one, other))
    if found is None or not is_on_one:
        return None
    rule: Rule = "roles-swapped" if found.kind == "role" else "denied"
    kind: ContradictionKind = "role" if found.kind == "role" else "value"
    return disputed(rule, kind, (one, other), (one.where(found.mine), other.where(found.theirs)), (found.kind,))


def _orders(one: Told, other: Told) -> Dispute | None:
    """Who is ahead of whom, told both ways of one source; its settings are the same."""
    for mine, theirs in product(one.orders, other.orders) if is_one_source(one, other) else ():
        if (mine.subject, mine.attribute) == (theirs.subject, theirs.attribute) and mine.value != theirs.value:
            sides = [
                [as_stated(claim) for claim in orders if (claim.subject, claim.value) == (stated.subject, stated.value)]
                for orders, stated in ((one.orders, mine), (other.orders, theirs))
            ]
            return disputed("order-swapped", "role", (one, other), (sides[0], sides[1]), (mine.subject, mine.attribute))
    return None


def _raised(rule: Rule, kind: ContradictionKind, told: tuple[Told, Told], pair: tuple[Value, Value]) -> Dispute | None:
    sides = tuple(one.where(value.said.split("\n"), [_written(value)]) for one, value in zip(told, pair, strict=True))
    written = sorted(f"{value.amount[1]:g}{value.amount[0]}" for value in pair)
    return disputed(rule, kind, told, (sides[0], sides[1]), written)

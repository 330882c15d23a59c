"""Says what keeps two increments apart whatever their wording.

Notes, leading identifiers, versions and sizes, what titles cannot both say, names, devices, figures of one unit and metric, units
that are confused, directions, negations, roles, a view that only one of them takes.

Promises: pure and symmetric; what only one side says is no difference.
"""

from agent.reconciling.assertions import differ, read_assertions
from agent.reconciling.clauses import Difference, topics_in
from agent.reconciling.contrasts import are_opposed
from agent.reconciling.deeds import deeds_in
from agent.reconciling.facts import facts_clash, read_facts
from agent.reconciling.likeness import alike, are_siblings, is_about, knows
from agent.reconciling.rivals import (
    are_numbers_miswritten,
    are_turned,
    confused,
    gives,
    measure_otherwise,
    rivals,
    tells,
    weight,
)
from agent.reconciling.titles import difference, tells_a_case
from agent.reconciling.traits import Traits
from agent.reconciling.turned import turned

_WORDED = frozenset({"negation", "direction"})
_TELLING = 0.6  # weight of a figure that two texts hardly share by chance
_ONE_EXPERIMENT = 2.0  # weight of figures in common that show that two texts tell of one experiment


def difference_of(one: Traits, other: Traits) -> Difference | None:
    """Say what keeps two increments apart, and whether both texts hold what they say there; None where nothing does.

    One of: note, identifier, number, unit, negation, direction, role, case, version, conditions, name, value, stance.
    """
    kind = _kind(one, other)
    if kind in _WORDED and read_assertions(one.texts).is_rejecting != read_assertions(other.texts).is_rejecting:
        return Difference("stance", is_held=False)
    if kind:
        return Difference(kind, is_held=True)
    if one.texts == other.texts:
        return None
    return differ(one.texts, other.texts, is_abroad=one.is_chinese != other.is_chinese)


def told_otherwise(one: Traits, other: Traits) -> Difference | None:
    """Say what two texts on one thing tell the other way round, or state otherwise; None where they tell the same.

    It takes longer than all else, and is for pairs that nothing else keeps apart.
    """
    if one.texts == other.texts:
        return None
    today = max(one.day, other.day) if one.day and other.day else None
    found = facts_clash(read_facts(one.texts), read_facts(other.texts), today=today)
    if found:
        return found
    turn = turned(one.texts, other.texts)
    if turn:
        return Difference(turn.kind, is_held=True)
    return Difference("conditions", is_held=False) if _are_of_two_attributes(one, other) else None


def _are_of_two_attributes(one: Traits, other: Traits) -> bool:
    """Whether all telling figures that both give measure other things, such as speed and memory, or input and output."""
    there = {value.amount: value for value in other.values}
    both = [
        (value, there[value.amount])
        for value in one.values
        if weight((value.amount,)) >= _TELLING and value.amount in there
    ]
    if len(both) == 1 and are_opposed(both[0][0].said, both[0][1].said):
        return True
    return bool(both) and all(measure_otherwise(one.values, other.values, mine.amount) for mine, _ in both)


def papers_differ(one: Traits, other: Traits) -> bool:
    """Whether they lead with two papers; an identifier of a month that is still to come is a slip of the same number."""
    if not (one.paper and other.paper) or one.paper in other.papers or other.paper in one.papers:
        return False
    is_slip = one.paper.partition(".")[2] == other.paper.partition(".")[2] != ""
    return not (is_slip and one.is_paper_to_come != other.is_paper_to_come)


def numbered_otherwise(one: Traits, other: Traits) -> str | None:
    """Name what it is that two increments give other versions or sizes of one named thing, and none in common.

    That is their version where they are about that thing, else their conditions, such as the model that was measured.
    """
    differing = [
        name
        for name in one.versions.keys() & other.versions.keys()
        if {*one.versions[name]}.isdisjoint(other.versions[name])
    ]
    if not differing:
        return None
    leads = {one.subject.lead, other.subject.lead} - {""}
    return "version" if not leads or not leads.isdisjoint(differing) or "" in differing else "conditions"


def _kind(one: Traits, other: Traits) -> str | None:
    if not one.notes.isdisjoint(other.notes):
        return "note"
    if papers_differ(one, other):
        return "identifier"
    return (
        ("name" if _leads_differ(one, other) else None)
        or _titles_differ(one, other)
        or numbered_otherwise(one, other)
        or ("conditions" if one.devices and other.devices and one.devices.isdisjoint(other.devices) else None)
        or _figures_differ(one, other)
    )


def _titles_differ(one: Traits, other: Traits) -> str | None:
    """What keeps the titles apart; a negation or a direction only does where they are about one thing."""
    kind = difference(one.subject, other.subject)
    if kind == "number" and _are_figures_told(one, other):
        return None
    if kind == "case" and all(map(tells_a_case, (one.texts, other.texts))):
        return None
    if kind not in {"negation", "direction"} or alike(one, other):
        return kind
    if kind == "negation" and is_about(one, other) and deeds_in(one.title) & deeds_in(other.title):
        return kind
    if kind == "negation" and _is_denied_title(one, other):
        return kind
    is_abroad = one.subject.is_chinese != other.subject.is_chinese
    has_one_lead = bool(one.subject.lead) and one.subject.lead == other.subject.lead
    is_short = len(one.subject.texts) == len(other.subject.texts) == 1
    is_one_matter = len(topics_in(one.title) & topics_in(other.title)) > 1
    return kind if is_abroad and has_one_lead and is_short and is_one_matter else None


def _is_denied_title(one: Traits, other: Traits) -> bool:
    """Whether one title denies outright what the other says of the same thing."""
    mine, theirs = one.subject, other.subject
    is_one_language = mine.is_chinese == theirs.is_chinese
    return bool(mine.lead) and mine.lead == theirs.lead and is_one_language and mine.is_denied != theirs.is_denied


def _are_figures_told(one: Traits, other: Traits) -> bool:
    """Whether one of two titles gives no figure but those that the other text gives as well."""
    mine, theirs = (
        {number for numbers in side.subject.figures.values() for number in numbers} for side in (one, other)
    )
    if tells(one.values, mine - theirs, other.values) or tells(other.values, theirs - mine, one.values):
        return True
    is_rest_told = weight(one.amounts & other.amounts) >= _ONE_EXPERIMENT
    return gives(one.values, theirs - mine, is_rest_told=is_rest_told) or gives(
        other.values, mine - theirs, is_rest_told=is_rest_told
    )


def _leads_differ(one: Traits, other: Traits) -> bool:
    """Whether each title is about a thing that the other text does not name, not even by a part of the name."""
    mine, theirs = one.subject.lead, other.subject.lead
    if not (mine and theirs) or knows(other, mine) or knows(one, theirs):
        return False
    return not (one.pages & other.pages or (one.paper and one.paper == other.paper)) or are_siblings(mine, theirs)


def _figures_differ(one: Traits, other: Traits) -> str | None:
    if next(confused(one.values, other.values), None):
        return "unit"
    rivalling = list(rivals(one.values, other.values))
    if rivalling:
        is_size = any(mine.is_model_size and theirs.is_model_size for mine, theirs in rivalling)
        return "conditions" if is_size or _conditions_differ(one, other) else "value"
    if are_turned(one.values, other.values):
        return "direction"
    return "value" if are_numbers_miswritten(one.texts, other.texts) else None


def _conditions_differ(one: Traits, other: Traits) -> bool:
    languages = read_facts(one.texts).languages, read_facts(other.texts).languages
    if all(languages) and languages[0].isdisjoint(languages[1]):
        return True
    return any(
        one.conditions[kind].isdisjoint(other.conditions[kind])
        for kind in one.conditions.keys() & other.conditions.keys()
    )

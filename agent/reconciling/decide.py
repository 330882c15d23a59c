"""Decides what two increments are to each other: the same finding, two sides of one thing, a contradiction, or neither.

First what keeps them apart whatever their wording (`apart`), then what binds them (`bonds`, `likeness`). Much of it makes one
finding, none of it none; where they are about one thing and no rule can tell, the pair is unclear, and somebody who reads both
sides may say.

A contradiction needs one subject, one attribute and conditions that go together: figures of one experiment, or clauses that say
the same but for a negation, a direction, a role. Where conditions are not known, two figures are two sides of one thing, and a
view that is told in order to reject it is neither the same finding nor a contradiction.

Promises: pure and symmetric; what only one side says is no difference; a doubt merges nothing.
"""

from dataclasses import dataclass
from typing import Literal

from agent.reconciling.agreeing import NONE, Agreement, agreement_of
from agent.reconciling.apart import difference_of, numbered_otherwise, papers_differ, told_otherwise
from agent.reconciling.assertions import read_assertions
from agent.reconciling.bonds import Bond, are_one_event, are_results_disjoint, bond_of, may_be_bound
from agent.reconciling.clauses import Difference
from agent.reconciling.contrasts import are_opposed
from agent.reconciling.likeness import (
    LEAST,
    NEARLY_UNNAMED,
    alike,
    are_siblings,
    are_titles_telling,
    have_one_subject,
    have_one_title,
    words_in_common,
)
from agent.reconciling.rivals import confused, rivals
from agent.reconciling.traits import Traits, read_traits
from agent.records import Increment

Verdict = Literal["same", "complementary", "contradicting", "unrelated", "unclear"]

_SAME = 6.0  # what binds two increments, for them to be one finding
_SAME_BY_FIGURES = 5.0  # where some of it are figures
_SAME_BY_PLACE = 5.2  # where both are about one named thing and filed in one section
_SAME_BY_ONE = 8.0  # of one agent, which seldom tells its own finding twice
_UNCLEAR = 4.0
_LEAST_AGREED = 0.6  # weight of figures and times that both give, for their agreement to count
_SURELY_AGREED = 2.0  # the same, from which on words need not say so
_ONE_STATE = 0.6  # what it counts that both say that something is so by default, allowed, compatible, or not
_TOGETHER = 2.1  # what figures and words add up to at least, for figures to be no chance
_LEAST_BY_SOURCE = 0.2  # the same, where both rest on one source and give nothing else
_AGREED_TOO_LITTLE = 0.9  # the same, where nothing else shows that two texts are worth a closer look
_AGREED, _AGREED_IN_FULL, _ONE_SECTION = (
    1.0,
    1.6,
    0.3,
)  # what it counts where only one text, or neither, gives any others
_MUCH = 3.5  # what words seldom add up to
_NO_RESULT_SHARED = 2.5  # taken off where both give results and none of them is the same
_NEARLY = 80.0  # likeness of titles on one paper that shows that they tell one thing of it
_NEARLY_REPEATED = 92.0  # likeness of titles by one agent
_ALIKE_FIGURES = 1.5  # weight of figures in common that show that two texts on one source tell one thing of it
_ALIKE_WORDS = 0.8  # what their words add up to, where figures do not show it
_ONE_EXPERIMENT = 2.0  # weight of figures in common that show one experiment where no subject does
_ONE_RESULT = 0.6  # weight of one figure in common beside an order
_ONE_NAME = 0.8
_ONE_SENTENCE = 1.6  # what their words add up to where two texts say nearly the same
_PER_LIKENESS = 10.0
# What cannot both stand where it is said of one thing.
_DISPUTED = frozenset({"value", "number", "unit", "negation", "direction", "role"})
_WORDED = frozenset({"negation", "direction", "role", "unit"})
# What makes one finding of a pair more surely than any sum.
_SURE = {"source": 10.0, "title": 8.0}


@dataclass(frozen=True, slots=True)
class Decision:
    """What two increments are to each other.

    Attributes:
        because: in one word what keeps them apart, or what binds them.
        score: how much binds them; of two pairs of one finding the higher one goes first.
    """

    verdict: Verdict
    because: str
    score: float = 0.0


def decide(one: Increment, other: Increment) -> Decision:
    """Decide on two increments."""
    return decide_traits(read_traits(one), read_traits(other))


def kept_apart_by(one: Increment, other: Increment) -> str | None:
    """Name what keeps two increments apart whatever their wording, in one word (see `apart`), or return None."""
    found = difference_of(read_traits(one), read_traits(other))
    return found.kind if found else None


def decide_traits(one: Traits, other: Traits) -> Decision:
    """Decide on two increments whose traits are read."""
    if not one.notes.isdisjoint(other.notes):
        return Decision("unrelated", "note")
    if not may_be_bound(one, other):
        return Decision("unrelated", "nothing in common")
    if papers_differ(one, other) or numbered_otherwise(one, other):
        return _decide_at_once(one, other)
    bond = bond_of(one, other)
    if _is_too_little(one, other, bond):
        return Decision("unrelated", "little in common")
    apart = difference_of(one, other)
    return _decide_apart(one, other, apart, bond) if apart else _decide_together(one, other, bond)


def _decide_at_once(one: Traits, other: Traits) -> Decision:
    """Decide on two increments of other papers or versions: no more need be read of them."""
    because = "identifier" if papers_differ(one, other) else numbered_otherwise(one, other) or ""
    has_no_lead = not (one.subject.lead or other.subject.lead)
    is_one_thing = have_one_subject(one, other) or not one.pages.isdisjoint(other.pages)
    return Decision("complementary" if is_one_thing or (because == "version" and has_no_lead) else "unrelated", because)


def _is_too_little(one: Traits, other: Traits, bond: Bond) -> bool:
    """Whether two increments cannot be one finding whatever their words: these are read last, being dear."""
    if not bond.sum:
        return alike(one, other) < NEARLY_UNNAMED and not are_siblings(one.subject.lead, other.subject.lead)
    is_weak = bond.sum + _MUCH < _SAME
    if not is_weak or bond.has_one_lead or bond.is_one_source or alike(one, other):
        return False
    return agreement_of(one, other, bond.amounts).weight < _AGREED_TOO_LITTLE


def _decide_apart(one: Traits, other: Traits, apart: Difference, bond: Bond) -> Decision:
    because = apart.kind
    has_two_subjects = bool(one.subject.lead and other.subject.lead)
    is_one_experiment = bond.figures >= _ONE_EXPERIMENT and bond.names >= _ONE_NAME and not has_two_subjects
    is_one = bond.is_one_thing or is_one_experiment or (because in _WORDED and _are_told_as_one(one, other, bond))
    is_dispute = because in _DISPUTED and apart.is_held and is_one
    if is_dispute and _is_one_attribute(one, other, because, bond):
        return Decision("contradicting", because, bond.sum)
    is_one_family = because == "name" and are_siblings(one.subject.lead, other.subject.lead)
    return Decision("complementary" if bond.is_one_thing or is_one_family else "unrelated", because, bond.sum)


def _are_told_as_one(one: Traits, other: Traits, bond: Bond) -> bool:
    """Whether two texts have so much in common that they would be one finding, did not a word keep them apart."""
    return bond.sum + words_in_common(one, other) >= (_SAME_BY_FIGURES if bond.figures >= _ONE_RESULT else _SAME)


def _is_one_attribute(one: Traits, other: Traits, because: str, bond: Bond) -> bool:
    """Whether what differs is said of one attribute, under conditions that go together."""
    if because in {"negation", "direction"}:
        return bool(alike(one, other)) or words_in_common(one, other) + bond.figures >= _ALIKE_WORDS
    if because == "role":
        return bond.figures >= _ONE_RESULT or not (one.values and other.values)
    if because == "unit":
        is_one_metric = any(mine.metrics & theirs.metrics for mine, theirs in confused(one.values, other.values))
        return is_one_metric or bond.is_one_source or bond.is_experiment
    kinds = {mine.amount[0] or mine.counted & theirs.counted for mine, theirs in rivals(one.values, other.values)}
    if len(kinds) > 1:  # one of them may be a condition of the other
        return False
    if bond.is_experiment:
        return True
    is_abroad = one.is_chinese != other.is_chinese
    return not is_abroad and words_in_common(one, other) >= _ONE_SENTENCE and not _is_more_told(one, other)


def _is_more_told(one: Traits, other: Traits) -> bool:
    """Whether a text has a figure that takes no part in the dispute and that the other lacks: a condition, perhaps."""
    disputed = {value for pair in rivals(one.values, other.values) for value in pair}
    amounts = one.amounts & other.amounts
    return any(value not in disputed and value.amount not in amounts for side in (one, other) for value in side.values)


def _decide_together(one: Traits, other: Traits, bond: Bond) -> Decision:
    """Decide on a pair that nothing keeps apart."""
    likeness = alike(one, other)
    is_disjoint = are_results_disjoint(one, other, bond)
    words = words_in_common(one, other)
    agreement = NONE if _is_sure(bond) and not is_disjoint else _agreement(one, other, bond, words)
    score = bond.sum + words - _NO_RESULT_SHARED * is_disjoint + _agreed(one, other, agreement)
    if not read_assertions(one.texts).states.isdisjoint(read_assertions(other.texts).states):
        score += _ONE_STATE
    if are_titles_telling(one, other):
        score += max(0.0, likeness - LEAST) / _PER_LIKENESS
    is_by_one = not one.agents.isdisjoint(other.agents)
    if is_by_one:
        because = _repeated(one, other, bond, score)
    else:
        score += agreement.times
        least = _LEAST_BY_SOURCE if bond.is_one_source and agreement.is_full else _LEAST_AGREED
        is_agreed = agreement.is_one_sided and agreement.weight >= least
        because = _one_finding(one, other, bond, score, is_disjoint=is_disjoint and not is_agreed, is_agreed=is_agreed)
    is_unclear = score >= _UNCLEAR and not is_disjoint and not is_by_one
    apart = told_otherwise(one, other) if because or is_unclear else None
    if apart and because:  # all else binds them
        return Decision("contradicting", apart.kind, score)
    if apart:
        return _decide_apart(one, other, apart, bond)
    if because:
        return Decision("same", because, score + _SURE.get(because, 0.0))
    if not bond.is_one_thing and not (is_unclear and bond.figures >= _ALIKE_FIGURES):
        return Decision("unrelated", "little in common", score)
    return Decision("unclear" if is_unclear else "complementary", "aspect", score)


def _is_sure(bond: Bond) -> bool:
    """Whether a source and figures in common make one finding, whatever else two texts give."""
    return bond.is_one_source and bond.figures >= _ALIKE_FIGURES


def _agreement(one: Traits, other: Traits, bond: Bond, words: float) -> Agreement:
    """How far two texts give the same; a figure alone, without words in common, may be another thing's."""
    found = agreement_of(one, other, bond.amounts)
    if found.weight and are_opposed(*("\n".join(side.texts) for side in (one, other))):
        return NONE
    if bond.is_one_source and found.is_full:
        return found
    is_alone = words < _ALIKE_WORDS or found.weight + words < _TOGETHER
    return NONE if found.weight < _SURELY_AGREED and is_alone else found


def _repeated(one: Traits, other: Traits, bond: Bond, score: float) -> str | None:
    """What makes one finding of two increments of one agent: its words again, or very much in common."""
    has_title_again = alike(one, other) >= _NEARLY_REPEATED and (bond.is_one_paper or have_one_title(one, other))
    return "repeated" if has_title_again or score >= _SAME_BY_ONE else None


def _agreed(one: Traits, other: Traits, agreement: Agreement) -> float:
    """What it counts that two texts give the same figures, the more where neither gives any others."""
    if agreement.weight < _LEAST_AGREED or not agreement.is_one_sided:
        return 0.0
    filed = 0.0 if one.sections.isdisjoint(other.sections) else _ONE_SECTION
    return filed + (_AGREED_IN_FULL if agreement.is_full else _AGREED)


def _one_finding(
    one: Traits, other: Traits, bond: Bond, score: float, *, is_disjoint: bool, is_agreed: bool
) -> str | None:
    """What makes one finding of increments of two agents, or None."""
    has_title = have_one_title(one, other)
    if is_disjoint and not has_title:
        return None
    if bond.is_one_source and _is_told_alike(one, other, bond, is_agreed=is_agreed):
        return "source"
    if has_title:
        return "title"
    is_one_place = bond.has_one_subject and not bond.is_one_source and not one.sections.isdisjoint(other.sections)
    if score >= _SAME_BY_PLACE and is_one_place:
        return "words"
    if score >= (_SAME_BY_FIGURES if is_agreed or bond.figures >= _ALIKE_FIGURES else _SAME):
        return "figures" if bond.figures else "words"
    return "event" if bond.has_one_subject and are_one_event(one, other) else None


def _is_told_alike(one: Traits, other: Traits, bond: Bond, *, is_agreed: bool) -> bool:
    """Whether two texts on one source tell one thing of it: figures, or the same thing in much the same words."""
    if bond.figures >= _ALIKE_FIGURES:
        return True
    if is_agreed and words_in_common(one, other) >= _ALIKE_WORDS:
        return True
    likeness = alike(one, other)
    if not bond.is_one_paper or not (bond.has_one_lead or bond.figures or likeness):
        return False
    is_title_alone = min(len(one.texts), len(other.texts)) == 1
    return is_title_alone or likeness >= _NEARLY or words_in_common(one, other) >= _ALIKE_WORDS

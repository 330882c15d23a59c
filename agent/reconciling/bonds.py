"""What binds two increments, in parts that add up: papers, pages, cited notes, named things, versions, figures, deeds.

The weights were chosen on pairs whose right answers are known (`tests/gold/pairs`).

Promises: pure and symmetric.
"""

from dataclasses import dataclass

from agent.reconciling.deeds import days_in, deeds_in, happen_once
from agent.reconciling.likeness import alike, have_one_subject, is_about, knows, open_with_one_name
from agent.reconciling.rivals import shared, weight
from agent.reconciling.traits import Traits
from agent.reconciling.values import Amount

_FEW = 2  # figures in common that show the same, together with one subject
_PAPER, _MENTIONED, _PAGE, _CITED, _LEAD = 3.0, 1.0, 2.5, 2.5, 2.0
_NAME, _OPENING, _ACRONYM, _VERSION, _DEED, _HAN_OPENING = 0.8, 1.0, 0.3, 0.5, 1.0, 1.5
_AGREEMENT = 1.5  # where two texts have the same results, all of them, and more than one
_MOST_NAMES, _MOST_FIGURES = 2.0, 6.0
_ONE_EXPERIMENT = 2.0  # weight of figures
_ONE_WEEK = 7  # days between notes that tell of one event
_FEW_RESULTS = 3


@dataclass(frozen=True, slots=True)
class Bond:
    """What two increments have in common.

    Attributes:
        has_one_subject: both titles are about one named thing.
        amounts: figures that both give.
        names, figures: what they count.
        sum: what everything counts.
    """

    is_one_paper: bool
    is_one_page: bool
    is_cited: bool
    has_one_lead: bool
    has_one_subject: bool
    amounts: frozenset[Amount]
    names: float
    figures: float
    sum: float

    @property
    def is_one_source(self) -> bool:
        """Whether both rest on one paper or page, or one on the other's note."""
        return self.is_one_paper or self.is_one_page or self.is_cited

    @property
    def is_one_thing(self) -> bool:
        """Whether both are about one named thing, paper or page; who cites a note may do so for something else."""
        return self.has_one_subject or self.is_one_page or self.is_one_paper

    @property
    def is_experiment(self) -> bool:
        """Whether they share so many figures that others belong to one experiment."""
        return self.figures >= _ONE_EXPERIMENT or len(self.amounts) >= _FEW


def bond_of(one: Traits, other: Traits) -> Bond:
    """Add up what two increments have in common."""
    is_one_paper = bool(one.paper) and one.paper == other.paper
    is_one_page = not one.pages.isdisjoint(other.pages)
    is_cited = not (one.cited.isdisjoint(other.notes) and other.cited.isdisjoint(one.notes))
    has_one_lead = is_about(one, other) or is_about(other, one)
    versions = _own_versions(one) & _own_versions(other) if has_one_lead else frozenset()
    amounts = frozenset(
        amount for amount in shared(one.values, other.values) if amount[0] or f"{amount[1]:g}" not in versions
    )
    names = _names(one, other)
    figures = min(_MOST_FIGURES, weight(amounts))
    parts = (
        _PAPER if is_one_paper else 0.0 if one.papers.isdisjoint(other.papers) else _MENTIONED,
        _PAGE * is_one_page,
        _CITED * is_cited,
        _LEAD * has_one_lead,
        _HAN_OPENING * (not has_one_lead and open_with_one_name(one, other)),
        _VERSION * bool(versions),
        _DEED * (has_one_lead and not deeds_in(one.title).isdisjoint(deeds_in(other.title))),
        _AGREEMENT * _agree_in_all(one, other, amounts),
    )
    return Bond(
        is_one_paper=is_one_paper,
        is_one_page=is_one_page,
        is_cited=is_cited,
        has_one_lead=has_one_lead,
        has_one_subject=have_one_subject(one, other),
        amounts=amounts,
        names=names,
        figures=figures,
        sum=sum(parts) + names + figures,
    )


def may_be_bound(one: Traits, other: Traits) -> bool:
    """Whether a closer look is worth it: they share a source, what they are about, telling figures, or most of a title."""
    return not (
        one.papers.isdisjoint(other.papers)
        and one.pages.isdisjoint(other.pages)
        and one.cited.isdisjoint(other.notes)
        and other.cited.isdisjoint(one.notes)
        and one.telling.isdisjoint(other.telling)
        and not (is_about(one, other) or is_about(other, one))
        and not alike(one, other)
        and not open_with_one_name(one, other)
    )


def are_results_disjoint(one: Traits, other: Traits, bond: Bond) -> bool:
    """Whether both texts give results, three at least, and share none of them."""
    mine, theirs = ([value for value in side.values if value.is_telling] for side in (one, other))
    if not mine or not theirs or len(mine) + len(theirs) < _FEW_RESULTS:
        return False
    return not any(value.amount in bond.amounts for value in (*mine, *theirs))


def are_one_event(one: Traits, other: Traits) -> bool:
    """Whether two texts on one thing tell of what happens once to it, and neither names somebody whom the other leaves out."""
    texts = ["\n".join(side.texts) for side in (one, other)]
    happened = happen_once(deeds_in(texts[0]) & deeds_in(texts[1])) & (deeds_in(one.title) | deeds_in(other.title))
    if not happened or one.subject.is_negated != other.subject.is_negated or _days_apart(one, other) > _ONE_WEEK:
        return False
    days = days_in(texts[0]), days_in(texts[1])
    is_one_day = not all(days) or not days[0].isdisjoint(days[1])
    return is_one_day and not (_names_a_stranger(one, other) and _names_a_stranger(other, one))


def _names(one: Traits, other: Traits) -> float:
    """What named things beside the subject count; a capitalised word that only opens a clause may be none."""
    leads = {one.subject.lead, other.subject.lead}
    names = (one.names & other.names) - leads
    acronyms = names & (one.acronyms | other.acronyms)
    opening = ((one.openings & (other.names | other.openings)) | (other.openings & one.names)) - names - leads
    counted = _NAME * (len(names) - len(acronyms)) + _ACRONYM * len(acronyms) + _OPENING * bool(opening)
    return min(_MOST_NAMES, counted)


def _own_versions(traits: Traits) -> frozenset[str]:
    """The versions of what a title is about, and those that stand alone."""
    return frozenset((*traits.versions.get(traits.subject.lead, ()), *traits.versions.get("", ())))


def _agree_in_all(one: Traits, other: Traits, amounts: frozenset[Amount]) -> bool:
    sides = [{value.amount for value in side.values if value.is_telling} for side in (one, other)]
    return min(map(len, sides)) >= _FEW and all(side <= amounts for side in sides)


def _names_a_stranger(one: Traits, other: Traits) -> bool:
    """Whether a title names a thing that another text does not."""
    return any(not knows(other, name) for name in one.subject.names)


def _days_apart(one: Traits, other: Traits) -> int:
    return abs((one.day - other.day).days) if one.day and other.day else 0

"""Holds every quote of the result against its text once more, after all merging: what is not there word for word is left out.

A quote of an earlier day may have been changed or deleted since; then the contradiction that rests on it is no longer one.
"""

from collections.abc import Callable, Iterable

from agent.records import Contradiction, Evidence, Increment, Reconciliation

TextOf = Callable[[str], str | None]


def verified(result: Reconciliation, text_of: TextOf) -> Reconciliation:
    """Return the result without what rests on a quote that its text does not hold; remarks name it.

    Args:
        result: what was reconciled.
        text_of: the text of a note or living document by its path, or None where there is none any more.
    """
    sound = {one.id for one in result.increments if all(_holds(place, text_of) for place in _cited(one))}
    contradictions = [one for one in result.contradictions if all(_holds(place, text_of) for place in one.sides)]
    remarks = [
        f"Left out, for a quote of it is not in its note: {one.title!r}. Report it with the note."
        for one in result.increments
        if one.id not in sound
    ]
    left_out = len(result.contradictions) - len(contradictions)
    if left_out:
        remarks.append(f"{left_out} contradictions were left out: a side's note has changed since or is gone.")
    return result.model_copy(
        update={
            "increments": tuple(one for one in result.increments if one.id in sound),
            "contradictions": tuple(_without_lost_places(one, text_of) for one in contradictions),
            "remarks": (*result.remarks, *remarks),
        }
    )


def _cited(increment: Increment) -> Iterable[Evidence]:
    yield from increment.evidence
    yield from (point.evidence for point in increment.points)
    yield from (measure.evidence for measure in increment.measures)


def _holds(place: Evidence, text_of: TextOf) -> bool:
    text = text_of(place.note)
    return text is not None and text[place.start : place.end] == place.quote


def _without_lost_places(contradiction: Contradiction, text_of: TextOf) -> Contradiction:
    affected = tuple(place for place in contradiction.also_affects if _holds(place, text_of))
    if len(affected) == len(contradiction.also_affects):
        return contradiction
    return contradiction.model_copy(update={"also_affects": affected})

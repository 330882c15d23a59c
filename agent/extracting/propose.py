"""Increments that a model sees where a note's structure bounds none: it marks passages, code cuts the segments.

Only passages that report something are shown, under the headings they stand under.
"""

from collections.abc import Collection, Sequence

from agent.errors import CallFailed
from agent.extracting.ask import ask_boundaries, windows
from agent.extracting.ledger import Ledger
from agent.extracting.passages import Passage, passages, reports_something
from agent.records import Language
from agent.replies import Boundary
from agent.texts import Segment, Unit

_UNBOUNDED = frozenset({"body", "head", "summary", "conclusion"})


def reporting(segments: Sequence[Segment], *, without: Collection[int] = (), year: int | None = None) -> list[Passage]:
    """Return the passages of a note of some year that could hold a finding, units of the given numbers left out."""
    units = [u for segment in segments if segment.role in _UNBOUNDED for u in segment.units if u.number not in without]
    return [passage for passage in passages(units) if reports_something(passage, year=year)]


def propose(
    segments: Sequence[Segment], shown: Sequence[Passage], *, ledger: Ledger, language: Language
) -> list[Segment]:
    """Return a segment for each finding that a model sees in the passages shown; a lost call is noted in the ledger."""
    homes = {unit.number: segment for segment in segments for unit in segment.units}
    headings = {number: segment.heading_path[-1] for number, segment in homes.items() if segment.heading_path}
    found: list[Segment] = []
    for window in windows(shown):
        try:
            boundaries = ask_boundaries(ledger, window, headings=headings, language=language)
        except CallFailed as error:
            units = tuple(unit for passage in window for unit in passage)
            ledger.fail(Segment(number=0, role="body", units=units), error)
            continue
        found += [_segment(one, window, shown, homes[one.first], ledger) for one in boundaries]
    return found


def _segment(
    boundary: Boundary, window: Sequence[Passage], shown: Sequence[Passage], home: Segment, ledger: Ledger
) -> Segment:
    inside = tuple(unit for passage in window for unit in passage if boundary.first <= unit.number <= boundary.last)
    title = ledger.supported(boundary.title, by="\n".join(unit.text for unit in inside), what="title")
    if _is_all_of(home, inside, shown):
        title = home.title or title  # the note's own heading
    return Segment(number=boundary.first, role="increment", units=inside, heading_path=home.heading_path, title=title)


def _is_all_of(home: Segment, inside: Sequence[Unit], shown: Sequence[Passage]) -> bool:
    """Whether a finding is all that a section below a heading of its own reports."""
    if home.heading is None or home.role != "body":
        return False
    numbers = {unit.number for unit in home.units}
    reported = {unit.number for passage in shown for unit in passage} & numbers
    return reported == {unit.number for unit in inside}

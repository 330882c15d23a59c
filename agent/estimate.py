"""The story of a dry run: what a digest would cost, note by note, before its first call.

Every note is read and extracted as in earnest, with a stand-in for the model: no call is made, and nothing is written.
"""

from agent.asking.estimating import EstimatingModel
from agent.costs import Estimate, NoteEstimate, cost_of
from agent.extracting.extract import Setup
from agent.pipeline import Plan, Reading, ReadNote, knowledge_of
from agent.records import CheckedNote, Engine, Outcome, Usage
from agent.settings import Settings
from agent.workspace import Workspace

# What comes of a note that a run would read: what it holds is not known before.
_TO_BE_READ: frozenset[Outcome] = frozenset({"extracted", "nothing_new", "partly_failed", "failed"})
_NO_HISTORY = (
    "No reply of this model was paid for here yet: tokens out are those of usual replies, and a model that thinks before it "
    "answers writes many more."
)


class Unwatched:
    """Progress that nobody follows."""

    def begin(self, notes: int) -> None:
        """So many notes will be read."""

    def started(self, path: str) -> None:
        """A note is being read."""

    def finished(self, checked: CheckedNote) -> None:
        """A note is done."""


def estimate(
    workspace: Workspace, settings: Settings, planned: Plan, *, engine: Engine, model: EstimatingModel | None
) -> Estimate:
    """Estimate what the digest of a plan costs; `model` is None with engine none."""
    setup = Setup(
        knowledge=knowledge_of(workspace, planned.documents), language=settings.language, engine=engine, model=model
    )
    reading = Reading(workspace, setup, Unwatched(), settings=settings)
    notes = []
    for listed in planned.listed:
        before = model.calls_remembered if model else 0
        read = reading.read(listed)
        notes.append(_foreseen(read, remembered=(model.calls_remembered if model else 0) - before))
    usage = sum((one.usage for one in notes), start=Usage())
    return Estimate(
        topic=planned.order.topic,
        date=planned.order.date,
        window=planned.order.window,
        engine=engine,
        model=model.name if model else None,
        notes=tuple(notes),
        calls_remembered=sum(one.calls_remembered for one in notes),
        usage=usage,
        cost=cost_of(usage, settings.prices),
        budget_tokens=settings.budget_tokens,
        budget_needed=model.budget_needed if model else 0,
        remarks=(_NO_HISTORY,) if model and usage.calls and not model.has_history else (),
    )


def _foreseen(read: ReadNote, *, remembered: int) -> NoteEstimate:
    checked = read.checked
    return NoteEstimate(
        note=checked.note,
        agent=checked.agent,
        date=checked.date,
        outcome=None if checked.outcome in _TO_BE_READ else checked.outcome,
        calls_remembered=remembered,
        usage=checked.usage,
        cost=checked.cost,
    )

"""What model calls cost: prices and amounts, replies that were paid for, and the estimate that a dry run makes.

Promises: amounts are exact decimal numbers, rounded for display alone; without prices there is no amount.
"""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal

from pydantic import Field

from agent.record import Record
from agent.records import SCHEMA_VERSION, Cost, Engine, Outcome, Usage, Window

_MILLION = 6  # prices are per so many powers of ten of tokens
_CENT = Decimal("0.01")
_SMALLEST_SHOWN = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost, by kind: read anew, read from the server's prefix cache, written."""

    input: Decimal
    cached: Decimal
    output: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class Remembered:
    """A checked reply as the store keeps it, with the prompt and endpoint it answers, for people who look into it.

    `counted_tokens` is our own count of the question; 0 where it is not known.
    """

    reply_json: str
    usage: Usage
    model: str
    prompt: str = ""
    endpoint: str = ""
    counted_tokens: int = 0


@dataclass(frozen=True, slots=True)
class PastCost:
    """What one question with a prompt has cost so far, on average over `replies`; `counted` is our own count of it."""

    replies: int
    calls: float
    prompt: float
    cached: float
    completion: float
    counted: float


class NoteEstimate(Record):
    """What one note will probably cost; `outcome` is set where it will not be read.

    `usage` holds the calls that are still to be made; `calls_remembered` were paid for before and cost nothing.
    """

    note: str
    agent: str
    date: dt.date | None = None
    outcome: Outcome | None = None
    calls_remembered: int = 0
    usage: Usage = Usage()
    cost: Cost | None = None


class Estimate(Record):
    """What a digest will probably cost; `budget_needed` is the smallest token budget that should see it through."""

    schema_version: int = SCHEMA_VERSION
    topic: str | None = None
    date: dt.date
    window: Window
    engine: Engine
    model: str | None = None
    notes: tuple[NoteEstimate, ...] = ()
    calls_remembered: int = 0
    usage: Usage = Usage()
    cost: Cost | None = None
    budget_tokens: int | None = None
    budget_needed: int = Field(default=0, ge=0)
    remarks: tuple[str, ...] = ()


def cost_of(usage: Usage, prices: Prices | None) -> Cost | None:
    """Return what a usage costs, exactly; None without prices."""
    if prices is None:
        return None
    amount = (
        (usage.prompt_tokens - usage.cached_tokens) * prices.input
        + usage.cached_tokens * prices.cached
        + usage.completion_tokens * prices.output
    )
    return Cost(amount=amount.scaleb(-_MILLION), currency=prices.currency)


def shown_cost(cost: Cost) -> str:
    """Return an amount for people: to the cent from one unit on, else to a hundredth of it; what is less says so."""
    if 0 < cost.amount < _SMALLEST_SHOWN:
        return f"<{_SMALLEST_SHOWN} {cost.currency}"
    return f"{cost.amount.quantize(_CENT if cost.amount >= 1 else _SMALLEST_SHOWN):,} {cost.currency}"

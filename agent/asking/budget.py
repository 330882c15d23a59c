"""What a run may spend: tokens are reserved before a call and settled after it.

Promises: the cap holds for any number of threads, because no call begins that could pass it. What a failed call did not
use is free again at once. A usage that no server can mean never reaches an account, and no usage is believed below our
own count.
"""

import math
import threading
from contextlib import AbstractContextManager
from types import TracebackType
from typing import NamedTuple, Self, TypeVar

from agent.asking.tokens import TokenCount
from agent.errors import BudgetExceeded, ModelError
from agent.records import Usage

AnyError = TypeVar("AnyError", bound=ModelError)

MOST_TOKENS = 10_000_000  # more than any context window: a report above it is nonsense
_ROOM_OVER_COUNT = 1.15  # other models' tokenizers make up to an eighth more tokens of Chinese than o200k_base
_ROOM_OVER_ESTIMATE = 1.25


class Reported(NamedTuple):
    """What a server says a reply has cost; anything may stand there."""

    prompt_tokens: object
    completion_tokens: object
    cached_tokens: object = 0


class Budget:
    """The tokens of one run, shared by its threads.

    Args:
        cap: most tokens that may be spent, or None for no limit.
    """

    def __init__(self, cap: int | None) -> None:
        self.cap = cap
        self._spent = 0
        self._open: set[Reservation] = set()
        self._changed = threading.Condition()

    @property
    def spent(self) -> int:
        """Tokens that are settled."""
        with self._changed:
            return self._spent

    @property
    def left(self) -> int | None:
        """Tokens that are neither spent nor reserved; None without a cap."""
        with self._changed:
            return None if self.cap is None else max(0, self.cap - self._spent - self._reserved())

    def reserve(self, tokens: int) -> "Reservation":
        """Set tokens aside for one call; use it as a context manager, and settle inside.

        Where other threads hold what is missing, this waits until they have settled.

        Raises:
            BudgetExceeded: the tokens are not there, whatever other calls give back.
        """
        reservation = Reservation(self)
        with self._changed:
            self._take(reservation, tokens)
        return reservation

    def _reserved(self) -> int:
        return sum(reservation.held for reservation in self._open)

    def _take(self, reservation: "Reservation", tokens: int) -> None:
        """Add tokens to a reservation; the lock is held."""
        while self.cap is not None and self._spent + self._reserved() + tokens > self.cap:
            if self._spent + reservation.held + tokens > self.cap or not self._can_wait(reservation):
                raise BudgetExceeded(
                    f"The next model call may need {tokens} tokens and the budget of {self.cap} has {self._spent} spent: "
                    "raise --budget and run again; what was answered is kept."
                )
            reservation.is_waiting = True
            self._changed.notify_all()  # who waits for this one must know
            self._changed.wait()
            reservation.is_waiting = False
        reservation.held += tokens
        self._open.add(reservation)

    def _can_wait(self, reservation: "Reservation") -> bool:
        """Whether another thread will give back what it holds: who holds nothing here can wait for any of them."""
        me = threading.get_ident()
        holds_nothing = not any(other.thread == me for other in self._open)
        return any(
            other is not reservation and other.thread != me and other.held and (holds_nothing or not other.is_waiting)
            for other in self._open
        )

    def _close(self, reservation: "Reservation", spent: int) -> None:
        with self._changed:
            self._open.discard(reservation)
            reservation.held = 0
            self._spent += spent
            for other in self._open:
                other.is_waiting = False  # each looks again, and may now find what it lacked
            self._changed.notify_all()


class Reservation(AbstractContextManager["Reservation", None]):
    """Tokens set aside for one call. Left without `settle`, they are free again, unless they were marked unknown."""

    def __init__(self, budget: Budget) -> None:
        self.held = 0
        self.is_waiting = False
        self.thread = threading.get_ident()
        self._budget = budget
        self._is_unknown = False
        self._is_closed = False

    def extend(self, tokens: int) -> None:
        """Set more tokens aside, for a further request of the same call.

        Raises:
            BudgetExceeded: they are not there.
        """
        with self._budget._changed:  # noqa: SLF001 - budget and reservation are one thing in two classes
            self._budget._take(self, tokens)  # noqa: SLF001 - as above

    def settle(self, tokens: int) -> None:
        """Say what the call has cost; what is left over is free again. Only the first time counts."""
        if not self._is_closed:
            self._is_closed = True
            self._budget._close(self, tokens)  # noqa: SLF001 - as above

    def mark_unknown(self) -> None:
        """Say that the call may have been paid for: without `settle`, all of the reservation counts as spent."""
        self._is_unknown = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.settle(self.held if self._is_unknown else 0)


def room_for(prompt: TokenCount, *, max_tokens: int) -> int:
    """Return how many tokens to reserve for one request: the prompt by another tokenizer, and the longest reply."""
    room = _ROOM_OVER_ESTIMATE if prompt.is_estimated else _ROOM_OVER_COUNT
    return math.ceil(prompt.tokens * room) + max_tokens


def trusted_usage(reported: Reported | None, own: Usage) -> Usage:
    """Return what to charge for one reply: what the server reports, never less than our own count.

    Args:
        reported: the server's figures, of any type; None where it gives none.
        own: our own count.

    Returns:
        The usage, marked as estimated where the report is missing, absurd, or less than half of our own count. Of its
        prompt tokens, as many as the server says, and it can have, came from its prefix cache.
    """
    prompt, completion, cached = (None, None, None) if reported is None else map(_tokens, reported)
    is_believable = (
        prompt is not None
        and completion is not None
        and 2 * prompt >= own.prompt_tokens
        and 2 * completion >= own.completion_tokens
    )
    return Usage(
        calls=own.calls,
        prompt_tokens=max(own.prompt_tokens, prompt or 0),
        cached_tokens=cached if cached and prompt and cached <= prompt else 0,
        completion_tokens=max(own.completion_tokens, completion or 0),
        is_estimated=not is_believable,
    )


def charge(error: AnyError, usage: Usage) -> AnyError:
    """Note on an error what the call behind it has cost, and return it."""
    vars(error)["usage"] = usage  # errors stand below records and cannot name the type
    return error


def charged(error: BaseException) -> Usage:
    """Return what the call behind an error has cost; nothing where nobody noted it."""
    usage = vars(error).get("usage")
    return usage if isinstance(usage, Usage) else Usage()


def _tokens(value: object) -> int | None:
    """Return a reported figure as a number of tokens, or None where it can be none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not value.is_integer():  # NaN and infinity neither
        return None
    return int(value) if 0 <= value <= MOST_TOKENS else None

"""Remembers which of our own batons ran, and what the days' coverage was: rows of the store.

Promises: a turn stands once, by agent, topic, day and slot; what was put is safe on disk when the call returns.
"""

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from agent import tables
from agent.batons import Coverage
from agent.handoffs import Turn
from agent.record import as_json
from agent.store import Store

Kept = Literal["running", "done", "caught_up", "failed"]
_DONE = frozenset({"done", "caught_up"})


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """A turn with what came of it, when that was, and why it failed."""

    turn: Turn
    state: Kept
    at: dt.datetime
    detail: str = ""

    @property
    def is_done(self) -> bool:
        """Whether it ran, or another one covers it."""
        return self.state in _DONE


class Ledger:
    """The turns and coverages of one workspace's own agent.

    Args:
        store: the open database.
        workspace: what the workspace is known by.
        agent: the own agent.
    """

    def __init__(self, store: Store, workspace: str, agent: str) -> None:
        self._store = store
        self._key = {"workspace": workspace, "agent": agent}

    def turns(self) -> tuple[KeptTurn, ...]:
        """Return all turns that are remembered, the earliest first.

        Raises:
            StoreError: the database cannot be read.
        """
        rows = self._store.rows(tables.TURNS, self._key, since=tables.TURNS_SINCE)
        return tuple(
            KeptTurn(
                Turn(topic=topic or None, date=dt.date.fromisoformat(day), slot=slot),
                cast("Kept", state),
                dt.datetime.fromisoformat(at),
                detail,
            )
            for topic, day, slot, state, at, detail in rows
        )

    def put(self, turns: Sequence[Turn], state: Kept, *, at: dt.datetime, detail: str = "") -> None:
        """Keep what came of turns, all of them or none; what is done stays done.

        Raises:
            StoreError: the database cannot be written.
        """
        self._store.write(
            tables.PUT_TURN,
            [
                {
                    **self._key,
                    "topic": turn.topic or "",
                    "day": turn.date.isoformat(),
                    "slot": turn.slot,
                    "state": state,
                    "at": at.astimezone(dt.UTC).isoformat(timespec="seconds"),
                    "detail": detail,
                }
                for turn in turns
            ],
        )

    def since(self, plan: str, today: dt.date) -> dt.date:
        """Return the day on which the relay began with a plan: today where it had another one, or was ahead of the clock.

        Args:
            plan: what tells the plan from another one.
            today: the day that it is.

        Raises:
            StoreError: the database cannot be read.
        """
        rows = self._store.rows(tables.PLAN, self._key, since=tables.PLANS_SINCE)
        return min([today, *(dt.date.fromisoformat(since) for kept, since in rows if kept == plan)])

    def begin(self, plan: str, today: dt.date) -> dt.date:
        """Return what `since` does, and keep it.

        Raises:
            StoreError: the database cannot be written.
        """
        since = self.since(plan, today)
        row = {"plan": plan, "since": since.isoformat()}
        rows = self._store.rows(tables.PLAN, self._key, since=tables.PLANS_SINCE)
        if [tuple(row.values())] != [tuple(one) for one in rows]:
            self._store.write(tables.PUT_PLAN, [{**self._key, **row}])
        return since

    def put_coverage(self, day: dt.date, coverage: Coverage, *, at: dt.datetime) -> None:
        """Keep what was expected on a day and what came; of one day the last one stays.

        Raises:
            StoreError: the database cannot be written.
        """
        row = {
            **self._key,
            "day": day.isoformat(),
            "content": as_json(coverage, indent=None),
            "at": at.astimezone(dt.UTC).isoformat(timespec="seconds"),
        }
        self._store.write(tables.PUT_COVERAGE, [row])

    def coverage(self, day: dt.date) -> Coverage | None:
        """Return what was kept of a day; None where nothing was, or it is of another version.

        Raises:
            StoreError: the database cannot be read.
        """
        given = {**self._key, "day": day.isoformat()}
        rows = self._store.rows(tables.COVERAGE, given, since=tables.TURNS_SINCE)
        try:
            return Coverage.model_validate(json.loads(rows[0][0])) if rows else None
        except ValueError:
            return None

"""A model that pays for each question once: it looks among the replies it has, and keeps each new one at once.

Promises: a question is the same when model, endpoint, prompt, schema, parameters and messages are; then it costs nothing,
and the model itself is not even started. No request is sent that could pass the budget. Two threads with one question
pay for it once. What is kept is checked again before it is used.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Protocol

from pydantic import ValidationError

from agent.asking.budget import Budget, charged
from agent.asking.completions import strict_schema
from agent.asking.model import Answer, Model, Request, prompt_tokens, room_of
from agent.costs import Remembered
from agent.errors import ModelError
from agent.records import Usage


class Memory(Protocol):
    """Where replies are kept; called from several threads."""

    def get(self, key: str) -> Remembered | None:
        """Return what is kept under a key."""

    def put(self, key: str, remembered: Remembered) -> None:
        """Keep a reply; it is safe when this returns. A key that is there is replaced."""


class Payer(Protocol):
    """Who is told what questions cost."""

    def called(self, answer: Answer) -> None:
        """A reply came, from the model or from memory."""

    def lost(self, usage: Usage) -> None:
        """A question failed, and cost this all the same."""


def request_key(request: Request, model_name: str, endpoint: str) -> str:
    """Return what a question is known by: a SHA-256 over everything that decides on its reply.

    Args:
        request: the question; its schema counts with the lists that close it.
        model_name: the model as it is asked for.
        endpoint: the endpoint's identity.
    """
    parts = {
        "model": model_name,
        "endpoint": endpoint,
        "prompt": request.prompt,
        "reply": request.reply.__name__,
        "schema": strict_schema(request.reply),
        "parameters": {"max_tokens": request.max_tokens, "temperature": request.temperature},
        "messages": [[message.role, message.content] for message in request.messages],
    }
    canonical = json.dumps(parts, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


class RememberingModel:
    """Asks another model, and remembers.

    Args:
        make: starts the other model; called once, when a question is met that is not remembered.
        name: the other model's name.
        endpoint: the other model's identity for the store.
        memory: where replies are kept.
        budget: what may be spent.
        payer: told each answer, remembered or new, and each loss; called from the thread that asked.
    """

    def __init__(
        self,
        make: Callable[[], Model],
        *,
        name: str,
        endpoint: str,
        memory: Memory,
        budget: Budget,
        payer: Payer | None = None,
    ) -> None:
        self.name = name
        self.endpoint = endpoint
        self._make = make
        self._memory = memory
        self._budget = budget
        self._payer = payer
        self._model: Model | None = None
        self._start = threading.Lock()
        self._lock = threading.Lock()
        self._calls_made = 0
        self._calls_remembered = 0
        self._asking: dict[str, _Turn] = {}

    @property
    def calls_made(self) -> int:
        """Questions that went to the other model, those that failed included."""
        with self._lock:
            return self._calls_made

    @property
    def calls_remembered(self) -> int:
        """Questions that cost nothing."""
        with self._lock:
            return self._calls_remembered

    def ask(self, request: Request) -> Answer:
        """Return the remembered reply, or ask for one and remember it; see `Model`.

        Raises:
            BudgetExceeded: the question may cost more than what is left.
            ModelError: as the other model raises.
            StoreError: as the memory raises.
        """
        key = request_key(request, self.name, self.endpoint)
        with self._turn(key):
            answer = self._recall(key, request) or self._pay(key, request)
        if self._payer is not None:
            self._payer.called(answer)
        return answer

    def close(self) -> None:
        """Close the other model, if it was started."""
        with self._start:
            if self._model is not None:
                self._model.close()
                self._model = None

    def _recall(self, key: str, request: Request) -> Answer | None:
        answer = recalled(self._memory.get(key), request)
        if answer is not None:
            with self._lock:
                self._calls_remembered += 1
        return answer

    def _pay(self, key: str, request: Request) -> Answer:
        with self._budget.reserve(room_of(request)) as reservation:
            model = self._started()
            with self._lock:
                self._calls_made += 1
            try:
                answer = model.ask(replace(request, allow=reservation.extend))
            except ModelError as error:
                lost = charged(error)
                reservation.settle(_tokens(lost))
                if self._payer is not None and lost.calls:
                    self._payer.lost(lost)
                raise
            except BaseException:
                reservation.mark_unknown()  # it may have been under way
                raise
            try:
                kept = Remembered(
                    answer.reply.model_dump_json(),
                    answer.usage,
                    answer.model,
                    request.prompt,
                    self.endpoint,
                    prompt_tokens(request.messages),
                )
                self._memory.put(key, kept)
            finally:
                reservation.settle(_tokens(answer.usage))
        return answer

    def _started(self) -> Model:
        with self._start:
            if self._model is None:
                self._model = self._make()
            return self._model

    @contextmanager
    def _turn(self, key: str) -> Iterator[None]:
        """Let one thread at a time work on a question; the next one finds the reply remembered."""
        with self._lock:
            turn = self._asking.setdefault(key, _Turn())
            turn.waiting += 1
        try:
            with turn.lock:
                yield
        finally:
            with self._lock:
                turn.waiting -= 1
                if not turn.waiting:
                    del self._asking[key]


class _Turn:
    """One question that is worked on."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.waiting = 0


def recalled(remembered: Remembered | None, request: Request) -> Answer | None:
    """Return a kept reply as the answer to a question, or None where there is none or it no longer fits."""
    if remembered is None:
        return None
    try:
        reply = request.reply.model_validate_json(remembered.reply_json, strict=True)
    except ValidationError:
        return None
    if request.check is not None and request.check(reply) is not None:
        return None
    return Answer(reply=reply, usage=remembered.usage, model=remembered.model, is_remembered=True)


def _tokens(usage: Usage) -> int:
    return usage.prompt_tokens + usage.completion_tokens

"""Doubles for tests of whatever asks a model: one that says what it is told to, and a memory without a disk.

    model = ScriptedModel({"place_increment": {"section": "A", "action": "append", "relation": "new", "reason": "fits"}})
    place(..., model=model)
    assert ["place_increment@1"] == [request.prompt for request in model.requests]

Promises: a scripted reply is held against the class, the lists and the check of its question like one of a real model, so
a test cannot pass on a reply that could never come.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any

from pydantic import ValidationError

from agent.asking.completions import complaint
from agent.asking.model import Answer, Request
from agent.costs import PastCost, Remembered
from agent.errors import ReplyInvalid
from agent.records import Usage
from agent.replies import Reply

# What may stand for a reply: the reply, its fields, its JSON, an error to raise, or a function of the request.
Scripted = Reply | Mapping[str, Any] | str | Exception | Callable[[Request], Any]


class ScriptedModel:
    """A model that answers from a script.

    Args:
        replies: by prompt id, one reply for every question or a list of replies used up in order; or one function for
            all questions. A second reply of a list serves as the repair of a first one that does not fit.
        name: the model's name.
        usage: what each reply is said to cost.

    Attributes:
        requests: every question so far, in order.
        is_closed: `close` was called.
    """

    endpoint = "scripted"

    def __init__(
        self,
        replies: Mapping[str, Scripted | Sequence[Scripted]] | Callable[[Request], Any],
        *,
        name: str = "scripted",
        usage: Usage | None = None,
    ) -> None:
        self.name = name
        self.requests: list[Request] = []
        self.is_closed = False
        self._usage = usage or Usage(calls=1, prompt_tokens=100, completion_tokens=10)
        self._script = replies if callable(replies) else dict(replies)
        self._used: dict[str, int] = {}
        self._lock = threading.Lock()

    def ask(self, request: Request) -> Answer:
        """Answer from the script.

        Raises:
            ReplyInvalid: the scripted reply does not fit the question.
            AssertionError: the script has no reply for the question, or none any more.
        """
        with self._lock:
            self.requests.append(request)
        reply, reason = self._next(request)
        usage = self._usage
        if reply is None and self._has_more(request):
            reply, reason = self._next(request)
            usage += self._usage
        if reply is None:
            raise ReplyInvalid(f"The scripted reply to {request.prompt!r} was not accepted: {reason}.")
        return Answer(reply=reply, usage=usage, model=self.name)

    def close(self) -> None:
        """Note that the model was closed."""
        self.is_closed = True

    def _next(self, request: Request) -> tuple[Reply | None, str]:
        scripted = self._take(request)
        while callable(scripted) and not isinstance(scripted, Reply):
            scripted = scripted(request)
        if isinstance(scripted, Exception):
            raise scripted
        try:
            reply = _as_reply(scripted, request.reply)
        except ValidationError as error:
            return None, complaint(error)
        reason = request.check(reply) if request.check else None
        return (reply, "") if reason is None else (None, reason)

    def _take(self, request: Request) -> Any:
        if not isinstance(self._script, dict):
            return self._script
        prompt = request.prompt.partition("@")[0]
        if prompt not in self._script:
            raise AssertionError(f"the script has no reply for {request.prompt!r}")
        scripted = self._script[prompt]
        if not isinstance(scripted, list | tuple):
            return scripted
        with self._lock:
            place = self._used.get(prompt, 0)
            self._used[prompt] = place + 1
        if place >= len(scripted):
            raise AssertionError(f"the script has {len(scripted)} replies for {request.prompt!r}, all used")
        return scripted[place]

    def _has_more(self, request: Request) -> bool:
        prompt = request.prompt.partition("@")[0]
        scripted = self._script.get(prompt) if isinstance(self._script, dict) else None
        return isinstance(scripted, list | tuple) and self._used.get(prompt, 0) < len(scripted)


class MemoryStore:
    """A memory in a dictionary.

    Attributes:
        kept: what is remembered, by key.
    """

    def __init__(self) -> None:
        self.kept: dict[str, Remembered] = {}

    def get(self, key: str) -> Remembered | None:
        """Return what is kept under a key."""
        return self.kept.get(key)

    def put(self, key: str, remembered: Remembered) -> None:
        """Keep a reply."""
        self.kept[key] = remembered

    def costs(self, *, model: str, endpoint: str) -> dict[str, PastCost]:
        """Return what each prompt has cost so far with a model at an endpoint, on average."""
        by_prompt: dict[str, list[Remembered]] = {}
        for one in self.kept.values():
            if (one.model, one.endpoint) == (model, endpoint) and one.counted_tokens:
                by_prompt.setdefault(one.prompt, []).append(one)
        return {prompt: _mean(replies) for prompt, replies in by_prompt.items()}


def _mean(replies: Sequence[Remembered]) -> PastCost:
    return PastCost(
        replies=len(replies),
        calls=fmean(one.usage.calls for one in replies),
        prompt=fmean(one.usage.prompt_tokens for one in replies),
        cached=fmean(one.usage.cached_tokens for one in replies),
        completion=fmean(one.usage.completion_tokens for one in replies),
        counted=fmean(one.counted_tokens for one in replies),
    )


def _as_reply(scripted: object, reply: type[Reply]) -> Reply:
    """Hold a scripted reply against the class of the question, as strictly as a real one."""
    if isinstance(scripted, Reply):
        scripted = scripted.model_dump_json()
    if isinstance(scripted, str):
        return reply.model_validate_json(scripted, strict=True)
    return reply.model_validate(scripted, strict=True)

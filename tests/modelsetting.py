"""A model pointed at the fault server, time that passes only when told to, and a question."""

import datetime as dt
import json
from collections.abc import Callable
from typing import Any

from agent.asking.model import OpenAIModel, Request
from agent.asking.prompts import Message
from agent.asking.retry import Retries, Waiting
from agent.asking.transport import Endpoint
from agent.replies import closed
from tests.faultserver import FaultServer
from tests.shelving import FIELDS, ShelveReply

KEY = "sk-canary-0123456789abcdefghij"
GOOD = json.dumps(FIELDS)
BRACES = "a note with {{ x }}, {% if y %}, {# gone #}, {{ ''.__class__ }} and\n   indented"
DEADLINE = 30.0  # a busy machine needs long for a little
SHORT = 1.0  # for what never ends
AT_LAST = 60.0  # far below what a test would last that does not end


class Time:
    """Time that passes only in sleep, for waits between requests."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept.append(seconds)

    @property
    def waiting(self) -> Waiting:
        moment = dt.datetime(2026, 3, 1, 12, 0, tzinfo=dt.UTC)
        return Waiting(sleep=self.sleep, clock=lambda: self.now, random=lambda: 0.5, now=lambda: moment)


def request(*, check: Callable[[Any], str | None] | None = None, allow: Callable[[int], None] | None = None) -> Request:
    return Request(
        prompt="place_increment@1",
        messages=(Message("system", "You choose a section."), Message("user", BRACES)),
        reply=closed(ShelveReply, {"section": ["A", "B"]}),
        max_tokens=90,
        check=check,
        allow=allow,
    )


def make(server: FaultServer, passing: Time, *, deadline_seconds: float = DEADLINE) -> OpenAIModel:
    endpoint = Endpoint(server.base_url, KEY)
    retries = Retries(waiting=passing.waiting)
    return OpenAIModel("asked-model", endpoint=endpoint, deadline_seconds=deadline_seconds, retries=retries)

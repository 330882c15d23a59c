"""A model that answers nothing: it says what a real one would probably cost, and makes up a reply so that the work goes on.

Promises: no request is sent and nothing is kept. A question whose reply is remembered gets that reply and costs nothing;
any other gets a reply that fits its class and lists, of usual size, and holds no figure, name or statement of its own.
What questions like it have cost before decides on the estimate; where nothing was paid yet, our own count of the tokens.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from pydantic import ValidationError

from agent.asking.completions import Schema, complaint, strict_schema
from agent.asking.model import Answer, Request, prompt_tokens, room_of
from agent.asking.remembering import recalled, request_key
from agent.asking.tokens import count_tokens
from agent.costs import PastCost, Remembered
from agent.errors import ReplyInvalid
from agent.records import Usage
from agent.replies import Reply

# Measured on the recorded replies of the local model: its tokenizer makes so many tokens of what we count as one.
_OF_OTHER_TOKENIZERS = 1.04
_LENGTH_USED = 0.36  # of the longest text that a field takes: what models write, in tokens, when it is Chinese
_SCALARS_OF = 3  # a list of numbers or words names one choice in so many
_OBJECTS_OF = 2  # a list of objects has one for so many choices: findings of passages, in gold answers and replies
_FEW = 3  # items of a list that is open
# Words that report nothing, so that no check finds a figure, name or statement in them that a note does not bear out.
_FILLER = "这里是一段用来估计长短的文字，它不说明任何事情，也不提到任何人或物，只是为了让篇幅与平常的回答相近。"


class Recall(Protocol):
    """Where replies are kept, to read from alone."""

    def get(self, key: str) -> Remembered | None:
        """Return what is kept under a key."""

    def costs(self, *, model: str, endpoint: str) -> Mapping[str, PastCost]:
        """Return what each prompt has cost so far with a model at an endpoint, by its `id@version`."""


class EstimatingModel:
    """Stands in for a model; for one thread.

    Args:
        name: the model's name.
        endpoint: the model's identity for the store.
        memory: where replies are kept, or None where none are.

    Attributes:
        calls_remembered: calls so far that were paid for before; the usage of their answers is empty.
        budget_needed: the smallest budget in tokens with which a run would have come this far.
        has_history: replies of this model were paid for before, so that the estimate rests on what they cost.
    """

    def __init__(self, *, name: str, endpoint: str, memory: Recall | None) -> None:
        self.name = name
        self.endpoint = endpoint
        self.calls_remembered = 0
        self.budget_needed = 0
        self._memory = memory
        self._history = memory.costs(model=name, endpoint=endpoint) if memory else {}
        self._rate = _rate(self._history.values())
        self.has_history = bool(self._history)
        self._known: dict[str, Answer] = {}  # what a run would remember by now
        self._exact = _Figures()
        self._spent = Usage()

    def ask(self, request: Request) -> Answer:
        """Return the remembered reply, or a made-up one with its probable usage; see `Model`.

        Raises:
            ReplyInvalid: no reply that fits can be made up.
        """
        key = request_key(request, self.name, self.endpoint)
        known = self._known.get(key) or (recalled(self._memory.get(key), request) if self._memory else None)
        if known is not None:
            self.calls_remembered += known.usage.calls
            return replace(known, usage=Usage(), is_remembered=True)
        reply = _made_up(request)
        spent = self._spent.prompt_tokens + self._spent.completion_tokens
        self.budget_needed = max(self.budget_needed, spent + room_of(request))
        answer = Answer(reply=reply, usage=self._pay(request, reply), model=self.name)
        self._known[key] = answer
        return answer

    def close(self) -> None:
        """Nothing was opened."""

    def _pay(self, request: Request, reply: Reply) -> Usage:
        """Return the usage of one question in whole tokens, so that what is cut off one is not lost to the sum."""
        self._exact = self._exact.plus(self._mean(request, reply))
        before, self._spent = self._spent, self._exact.usage
        return Usage(
            calls=self._spent.calls - before.calls,
            prompt_tokens=self._spent.prompt_tokens - before.prompt_tokens,
            cached_tokens=self._spent.cached_tokens - before.cached_tokens,
            completion_tokens=self._spent.completion_tokens - before.completion_tokens,
            is_estimated=True,
        )

    def _mean(self, request: Request, reply: Reply) -> "_Figures":
        """What one such question costs on average."""
        counted = prompt_tokens(request.messages)
        past = self._history.get(request.prompt)
        if past is None:
            written = count_tokens(_as_written(reply)) * _OF_OTHER_TOKENIZERS
            return _Figures(1.0, counted * self._rate, 0.0, written)
        share = counted / past.counted
        return _Figures(past.calls, past.prompt * share, past.cached * share, past.completion)


class _Figures(NamedTuple):
    """Usage with fractions, as averages have them."""

    calls: float = 0.0
    prompt: float = 0.0
    cached: float = 0.0
    completion: float = 0.0

    def plus(self, other: "_Figures") -> "_Figures":
        return _Figures(*(mine + others for mine, others in zip(self, other, strict=True)))

    @property
    def usage(self) -> Usage:
        calls, prompt, cached, completion = (round(figure) for figure in self)
        return Usage(
            calls=calls,
            prompt_tokens=prompt,
            cached_tokens=min(cached, prompt),
            completion_tokens=completion,
            is_estimated=True,
        )


def _rate(history: Iterable[PastCost]) -> float:
    """Return how many tokens the model's server counts where we count one."""
    known = list(history)
    counted = sum(past.replies * past.counted for past in known)
    return sum(past.replies * past.prompt for past in known) / counted if counted else _OF_OTHER_TOKENIZERS


def _as_written(reply: Reply) -> str:
    """Models write JSON in one line, as the prompts' worked examples do."""
    return reply.model_dump_json()


# Making up a reply from the schema of its class.


def _made_up(request: Request) -> Reply:
    value = _value(strict_schema(request.reply))
    try:
        reply = request.reply.model_validate(value, strict=True)
    except ValidationError as error:
        raise ReplyInvalid(f"No reply to {request.prompt!r} can be made up: {complaint(error)}.") from error
    reason = request.check(reply) if request.check else None
    if reason is not None:
        raise ReplyInvalid(f"No reply to {request.prompt!r} can be made up: {reason}.")
    return reply


def _value(schema: Schema, number: int = 0) -> Any:
    """Return the value of usual size for a schema; `number` chooses among its choices."""
    value: Any = None
    match schema:
        case {"const": value}:
            pass
        case {"enum": choices}:
            value = choices[number % len(choices)]
        case {"anyOf": [first, *_]}:
            value = _value(first, number)
        case {"type": "object"}:
            value = {name: _value(part, number) for name, part in schema.get("properties", {}).items()}
        case {"type": "array"}:
            value = _items(schema)
        case {"type": "string"}:
            value = _text(schema, number)
        case {"type": "integer" | "number"}:
            value = max(schema.get("minimum", 0), schema.get("exclusiveMinimum", -1) + 1)
        case {"type": "boolean"}:
            value = False
    return value


def _items(schema: Schema) -> list[Any]:
    """Return as many items as models usually name, spread over the choices that there are."""
    item = schema.get("items", {})
    choices = _choices(item)
    usual = math.ceil(choices / (_OBJECTS_OF if item.get("type") == "object" else _SCALARS_OF)) if choices else _FEW
    count = max(schema.get("minItems", 0), min(schema.get("maxItems", usual), choices or usual, usual))
    return [_value(item, place * choices // count if choices else place) for place in range(count)]


def _choices(schema: Schema) -> int:
    """Return how many different values a closed list allows, or the closed lists of an object's fields; 0 for an open one."""
    if "const" in schema:
        return 1
    if "enum" in schema:
        return len(schema["enum"])
    parts: Mapping[str, Schema] = schema.get("properties", {})
    return max((_choices(part) for part in parts.values()), default=0)


def _text(schema: Schema, number: int) -> str:
    """Return filler that begins elsewhere for each number, or two items would say the same."""
    longest: int = schema.get("maxLength", 2 * len(_FILLER))
    length: int = max(schema.get("minLength", 1), round(longest * _LENGTH_USED))
    start = number % len(_FILLER)
    turned = _FILLER[start:] + _FILLER[:start]
    return (turned * (length // len(turned) + 1))[:length]

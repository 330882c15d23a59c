"""The wire format of a chat completion: the schema that goes out, the body that comes back.

Promises: a schema is in the subset that strict servers accept. A body of any shape is read without an exception. Exactly
one JSON object is taken from a reply, whole and unambiguous, or none, with the reason in words a model understands.
Fields that nobody asked for and characters that no reader sees are dropped.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import ValidationError

from agent.asking.budget import Reported
from agent.asking.prompts import Message, visible
from agent.replies import Reply

Schema = dict[str, Any]

_DROPPED_KEYWORDS = frozenset({"title", "default", "discriminator", "examples"})
_LIMITS = frozenset(
    {
        "minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
        "multipleOf", "minItems", "maxItems", "uniqueItems",
    }
)  # fmt: skip
_ABOUT_LIMITS = re.compile(r"invalid schema|not permitted|(?:min|max)(?:length|items|imum)|unsupported keyword")
_FORMAT = "Reply with one JSON object and nothing else. It must fit this JSON Schema:\n{schema}"
_THINK_END = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_THINK_START = re.compile(r"\s*<(?:think|thinking|reasoning)>", re.IGNORECASE)
_REFUSAL = re.compile(
    r"\b(?:i(?:'|’)?m sorry|i am sorry|i apologi[sz]e|i (?:cannot|can(?:'|’)t|won(?:'|’)t|am unable to|am not able to))\b"
    r"|抱歉|对不起|无法(?:协助|提供|完成|回答|满足)|不能(?:协助|提供|回答)|我拒绝",
    re.IGNORECASE,
)
_ROOM_TO_THINK = 2048
_MOST_BRACES = 40  # opening braces tried in prose before giving up
_REASONS_SHOWN = 5
_REASON_CHARACTERS = 240


def strict_schema(reply: type[Reply], *, with_limits: bool = True) -> Schema:
    """Return the JSON Schema of a reply as strict servers want it: every field required, no other allowed, no `$ref`.

    Args:
        reply: the class, closed or not.
        with_limits: keep lengths and ranges, which llama.cpp's grammar enforces and some servers reject.
    """
    schema = reply.model_json_schema()
    definitions = schema.pop("$defs", {})
    return _strict(schema, definitions, _DROPPED_KEYWORDS if with_limits else _DROPPED_KEYWORDS | _LIMITS)


def _strict(schema: Schema, definitions: Schema, dropped: frozenset[str]) -> Schema:
    if "$ref" in schema:  # strict servers want nothing beside a reference, so what it points to takes its place
        schema = definitions[schema["$ref"].rpartition("/")[2]] | {k: v for k, v in schema.items() if k != "$ref"}
    if len(schema.get("allOf", ())) == 1:
        schema = schema["allOf"][0] | {k: v for k, v in schema.items() if k != "allOf"}
        return _strict(schema, definitions, dropped)
    strict: Schema = {}
    for keyword, value in schema.items():
        if keyword in dropped:
            continue
        if keyword == "properties":
            strict[keyword] = {name: _strict(part, definitions, dropped) for name, part in value.items()}
        elif keyword in {"anyOf", "oneOf"}:
            strict["anyOf"] = [_strict(part, definitions, dropped) for part in value]
        elif keyword == "items":
            strict[keyword] = _strict(value, definitions, dropped)
        else:
            strict[keyword] = value
    if "properties" in strict:
        strict |= {"required": list(strict["properties"]), "additionalProperties": False}
    return strict


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server is known to understand.

    Attributes:
        form: how the schema is told: enforced, enforced without lengths and ranges, or in the prompt, with or without
            the server's mode for JSON.
        length_name: how the longest reply is told.
        has_temperature: a temperature may be given.
    """

    form: Literal["schema", "bare schema", "object", "plain"] = "schema"
    length_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    has_temperature: bool = True

    @property
    def room_to_think(self) -> int:
        """Tokens that a reply may have beyond its longest length: models that want the newer name think unseen."""
        return _ROOM_TO_THINK if self.length_name == "max_completion_tokens" else 0

    def plainer(self, error: "ServerError") -> "Dialect | None":
        """Return what to try after a server did not know a parameter, or None when nothing is left to leave out."""
        said = f"{error.param} {error.message}".lower()
        if "max_completion_tokens" in said and self.length_name == "max_tokens":
            return replace(self, length_name="max_completion_tokens")
        if "temperature" in said and self.has_temperature:
            return replace(self, has_temperature=False)
        if self.form == "schema" and _ABOUT_LIMITS.search(said):
            return replace(self, form="bare schema")
        if self.form in {"schema", "bare schema"}:
            return replace(self, form="object")
        return replace(self, form="plain") if self.form == "object" else None

    def parameters(self, reply: type[Reply], *, max_tokens: int, temperature: float) -> Schema:
        """Return what is sent beside model and messages."""
        sent: Schema = {self.length_name: max_tokens + self.room_to_think}
        if self.has_temperature:
            sent["temperature"] = temperature
        if self.form in {"schema", "bare schema"}:
            schema = strict_schema(reply, with_limits=self.form == "schema")
            named = {"name": reply.__name__, "strict": True, "schema": schema}
            sent["response_format"] = {"type": "json_schema", "json_schema": named}
        elif self.form == "object":
            sent["response_format"] = {"type": "json_object"}
        return sent

    def messages(self, said: Sequence[Message], reply: type[Reply]) -> list[dict[str, str]]:
        """Return the messages to send, the schema in the first one where the server takes none."""
        sent = [{"role": message.role, "content": _encodable(message.content)} for message in said]
        if self.form in {"object", "plain"}:
            schema = json.dumps(strict_schema(reply), ensure_ascii=False)
            sent[0]["content"] += f"\n\n{_FORMAT.format(schema=schema)}"
        return sent


def _encodable(text: str) -> str:
    """Replace lone surrogates, which file names can hold and UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode("utf-8")


# What a server sends back.


@dataclass(frozen=True, slots=True)
class ServerError:
    """What a server says went wrong; everything but `status` may be empty."""

    status: int
    code: str = ""
    param: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    """The first choice of a chat completion; what is missing is empty."""

    content: str
    finish: str
    refusal: str
    reasoning: str
    model: str
    reported: Reported | None


def read_body(content: bytes) -> Completion | ServerError | str:
    """Read the body of a response that came with status 200.

    Returns:
        The completion; or the error that some servers send with status 200; or in a few words why it is neither.
    """
    try:
        body = json.loads(content)  # tells UTF-8, UTF-16 and UTF-32 apart, with and without a mark
    except UnicodeDecodeError:
        return "a body in no Unicode encoding"
    except (ValueError, RecursionError):
        return "no JSON" if content.strip() else "an empty body"
    if not isinstance(body, dict) or not body:
        return "an empty body" if not body else "no completion"
    if body.get("error") or body.get("object") == "error":
        return _server_error(body, status=0)
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return "no choice"
    usage = body.get("usage")
    return Completion(
        content=_text(message.get("content")),
        finish=_text(choice.get("finish_reason")),
        refusal=_text(message.get("refusal")),
        reasoning=_text(message.get("reasoning_content")) or _text(message.get("reasoning")),
        model=_text(body.get("model")),
        reported=Reported(usage.get("prompt_tokens"), usage.get("completion_tokens"))
        if isinstance(usage, dict)
        else None,
    )


def read_error(status: int, content: bytes) -> ServerError:
    """Read the body of a response with an error status: `error` as an object or a text, `detail`, or no JSON at all."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        return ServerError(status, message=content.decode("utf-8", "replace"))
    return _server_error(body, status=status)


def _server_error(body: Mapping[str, Any], *, status: int) -> ServerError:
    error = body.get("error", body)
    if not isinstance(error, dict):
        return ServerError(status, message=_text(error))
    code = error.get("code")
    if isinstance(code, int) and not status:
        status = code
    kind = _text(error.get("type"))
    return ServerError(
        status=status,
        code=code if isinstance(code, str) and not code.isdigit() else kind,
        param=_text(error.get("param")),
        message=_text(error.get("message")) or _text(error.get("detail")) or json.dumps(error, ensure_ascii=False),
    )


def _text(value: object) -> str:
    """Return a text, or the texts of a list of content parts, and nothing for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(_text(part.get("text")) for part in value if isinstance(part, dict))
    return ""


# What a model wrote.


@dataclass(frozen=True, slots=True)
class Found:
    """The one JSON object of a reply, or the reason why there is none."""

    value: dict[str, Any] | None = None
    reason: str = ""


class _Ambiguous(ValueError):
    """JSON that Python would read and that can mean several things."""


def one_object(text: str) -> Found:
    """Take the one JSON object out of a reply: prose, fences and reasoning around it are dropped, nothing is chosen."""
    try:
        found = _objects(_without_reasoning(text))
    except _Ambiguous as error:
        return Found(reason=str(error))
    except RecursionError:
        return Found(reason="it is nested too deeply")
    if isinstance(found, str):
        return Found(reason=found)
    if len(found) > 1:
        return Found(reason="it holds more than one JSON object")
    if not found:
        return Found(reason="it holds no JSON object")
    return Found(value=found[0])


def is_refusal(text: str) -> bool:
    """Return whether prose without any object reads like a refusal."""
    return "{" not in text and bool(_REFUSAL.search(text[:2000]))


def _without_reasoning(text: str) -> str:
    """Drop what a model thinks aloud before its reply; text inside the reply's own object is never touched."""
    start, end = _THINK_START.match(text), _THINK_END.search(text)
    if start and not end:
        return ""
    brace = text.find("{")
    return text[end.end() :] if end and (start or brace < 0 or end.start() < brace) else text


def _objects(text: str) -> list[dict[str, Any]] | str:
    """Return the objects that stand side by side in a text, or why that cannot be said."""
    found: list[dict[str, Any]] = []
    place, tried = text.find("{"), 0
    while place >= 0:
        tried += 1
        try:
            value, end = _DECODER.raw_decode(text, place)
        except json.JSONDecodeError:
            end = text.find("}", place) + 1  # braces in prose: skipped when they hold no other brace
            if not end or "{" in text[place + 1 : end] or tried > _MOST_BRACES:
                return "its JSON is broken or cut off"
        else:
            if text[:place].rstrip().endswith("[") and text[end:].lstrip()[:1] in {"]", ","}:
                return "it is a list instead of one JSON object"
            found.append(value)
            if len(found) > 1:
                return found
        place = text.find("{", end)
    return found


def _only_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _Ambiguous("it has a key twice")
    return value


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _Ambiguous("it has a number that is too large")
    return number


def _integer(text: str) -> int:
    if len(text) > 20:
        raise _Ambiguous("it has a number that is too large")
    return int(text)


def _no_constant(name: str) -> None:
    raise _Ambiguous(f"{name} is no JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_only_once, parse_float=_number, parse_int=_integer, parse_constant=_no_constant, strict=False
)


def fitted(value: dict[str, Any], schema: Schema) -> tuple[dict[str, Any], int]:
    """Return an object without the fields that its schema does not have, strings cleaned; and how many were dropped."""
    dropped: list[str] = []
    kept = _fit(value, schema, dropped)
    return kept, len(dropped)


def _fit(value: Any, schema: Schema, dropped: list[str]) -> Any:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, list):
        return [_fit(item, schema.get("items", {}), dropped) for item in value]
    if not isinstance(value, dict):
        return value
    properties = _properties(schema)
    if properties is None:
        return {visible(name): _fit(item, {}, dropped) for name, item in value.items()}
    dropped += [name for name in value if name not in properties]
    return {name: _fit(item, properties[name], dropped) for name, item in value.items() if name in properties}


def _properties(schema: Schema) -> Schema | None:
    """Return the fields of an object, or None where the schema leaves open which of several it is."""
    if "properties" in schema:
        found: Schema = schema["properties"]
        return found
    objects = [part["properties"] for part in schema.get("anyOf", ()) if "properties" in part]
    return objects[0] if len(objects) == 1 else None


def complaint(error: ValidationError) -> str:
    """Say in a few words what does not fit, for the model that has to repair it; nothing of the input is repeated."""
    lines = []
    for each in error.errors(include_url=False, include_context=False, include_input=False)[:_REASONS_SHOWN]:
        place = ".".join(str(part) for part in each["loc"]) or "the object"
        lines.append(f"{place}: {each['msg']}"[:_REASON_CHARACTERS])
    return "; ".join(lines)

"""The wire format of a chat completion: the schema that goes out, the body that comes back.

Promises: a schema is in the subset that strict servers accept. A body of any shape is read without an exception. Exactly
one JSON object is taken from a reply, whole and unambiguous, or none, with the reason in words a model understands; what
a model thinks aloud is no part of its reply. Fields that nobody asked for, list entries that nobody allowed and characters
that no reader sees are dropped.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from agent.asking.budget import Reported
from agent.asking.prompts import visible
from agent.asking.streams import read_stream
from agent.replies import Reply

Schema = dict[str, Any]

_DROPPED_KEYWORDS = frozenset({"title", "default", "discriminator", "examples"})
_LIMITS = frozenset(
    {
        "minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
        "multipleOf", "minItems", "maxItems", "uniqueItems",
    }
)  # fmt: skip
# How models mark what they think aloud, each with its end: tags (DeepSeek, Qwen, Seed), brackets (Mistral), lozenges (Kimi),
# tokens (Cohere), channels (gpt-oss, Gemma), and channels whose tokens a server has dropped.
_NAMES = r"(?:antml:|seed:)?(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis|scratchpad)"
_THOUGHTS = (
    (re.compile(rf"<{_NAMES}>", re.IGNORECASE), re.compile(rf"</{_NAMES}>", re.IGNORECASE)),
    (re.compile(r"\[THINK\]"), re.compile(r"\[/THINK\]")),
    (re.compile(r"◁think▷"), re.compile(r"◁/think▷")),
    (re.compile(r"<\|START_THINKING\|>"), re.compile(r"<\|END_THINKING\|>")),
    (re.compile(r"<\|begin_of_thought\|>"), re.compile(r"<\|end_of_thought\|>")),
    (
        re.compile(r"(?:<\|start\|>assistant)?<\|channel\|>\s?(?:analysis|commentary)"),
        re.compile(r"<\|channel\|>\s?final[^\n{]{0,60}<\|message\|>"),
    ),
    (re.compile(r"<\|channel>\s?thought"), re.compile(r"<channel\|>")),
    (re.compile(r"analysis(?=[A-Z])"), re.compile(r"assistantfinal")),
)
_THOUGHT_END = re.compile("|".join(end.pattern for _, end in _THOUGHTS), re.IGNORECASE)
_MOST_THOUGHTS = 8  # blocks one after the other, before the reply
_REFUSAL = re.compile(
    r"\b(?:i(?:'|’)?m sorry|i am sorry|i apologi[sz]e|i must decline|i (?:have|need) to decline"
    r"|(?:i|we) (?:cannot|can(?:'|’)t|can not|won(?:'|’)t|will not|could not|couldn(?:'|’)t|do not feel|don(?:'|’)t feel)"
    r"|i(?:'|’| a)m (?:unable|not able|not allowed|not permitted|not comfortable)"
    r"|as an? (?:ai|artificial|language)|(?:cannot|can(?:'|’)t|unable to) (?:assist|help|comply|fulfill?|process)"
    r"|against my (?:guidelines|policy|policies|programming))"
    r"|抱歉|对不起|(?:无法|不能|不便|不会|难以)(?:协助|帮助|提供|完成|回答|满足|处理|执行|参与|生成|给出|为您|为你|继续|讨论|回应)"
    r"|拒绝|作为(?:一个|一名)?\s?(?:人工智能|AI|语言模型|大模型|智能助手)|换个话题|违反.{0,12}(?:规定|政策|准则|原则)",
    re.IGNORECASE,
)
_SCHEMA_TOOLS = frozenset({"json_tool_call"})  # what gateways call the tool that they make of a schema
_FENCES = re.compile(r"```(?:json)?", re.IGNORECASE)
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
    """The first choice of a chat completion; what is missing is empty. `called` holds name and arguments of each tool call."""

    content: str
    finish: str
    refusal: str
    reasoning: str
    model: str
    reported: Reported | None
    called: tuple[tuple[str, str], ...] = ()


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
        streamed = read_stream(content)
        if not isinstance(streamed, dict):
            return streamed or ("no JSON" if content.strip() else "an empty body")
        body = streamed
    if not isinstance(body, dict) or not body:
        return "an empty body" if not body else "no completion"
    if body.get("error") or body.get("object") == "error":
        return _server_error(body, status=0)
    return _completion(body) or "no choice"


def _completion(body: Mapping[str, Any]) -> Completion | None:
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        return None
    message, finish = choice.get("message"), _text(choice.get("finish_reason"))
    if not isinstance(message, dict):
        if finish in {"", "stop"}:
            return None
        message = {}  # a filter or an error may leave nothing but its name
    usage = body.get("usage")
    return Completion(
        content=_text(message.get("content")),
        finish=finish,
        refusal=_text(message.get("refusal")) or _text(message.get("content"), kind="refusal"),
        reasoning=_text(message.get("reasoning_content")) or _text(message.get("reasoning")),
        model=_text(body.get("model")),
        reported=_reported(usage) if isinstance(usage, dict) else None,
        called=_called(message),
    )


def _called(message: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the tool calls of a message, those of the older form too."""
    calls = message.get("tool_calls")
    functions = [call.get("function") for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    return tuple(
        (_text(function.get("name")), given if isinstance(given, str) else json.dumps(given))
        for function in (*functions, message.get("function_call"))
        if isinstance(function, dict) and (given := function.get("arguments")) is not None
    )


def _reported(usage: Mapping[str, Any]) -> Reported:
    """Take the token figures out of `usage`: as OpenAI names them, which vLLM, SGLang and llama.cpp do too."""
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    return Reported(usage.get("prompt_tokens"), usage.get("completion_tokens"), cached)


def read_error(status: int, content: bytes) -> ServerError:
    """Read the body of a response with an error status: `error` as an object or a text, `detail`, or no JSON at all."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        body = None
    if isinstance(body, list) and len(body) == 1:  # Gemini's way
        body = body[0]
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
        message=_text(error.get("message")) or _detail(error.get("detail")) or json.dumps(error, ensure_ascii=False),
    )


def _detail(detail: object) -> str:
    """Return what FastAPI servers complain of: where and why, not the input that they repeat, which is our own prompt."""
    if not isinstance(detail, list):
        return _text(detail)
    told = (part for part in detail if isinstance(part, dict) and isinstance(part.get("msg"), str))
    return "; ".join(f"{'.'.join(map(str, part.get('loc') or ()))}: {part['msg']}" for part in told)


def _text(value: object, *, kind: str = "text") -> str:
    """Return a text, or the texts of a list of content parts of one kind, and nothing for anything else."""
    if isinstance(value, str):
        return value if kind == "text" else ""
    if isinstance(value, list):
        parts = (part for part in value if isinstance(part, dict))
        return "".join(_text(part.get(kind)) for part in parts if part.get("type", kind) in {kind, f"output_{kind}"})
    return ""


# What a model wrote.


@dataclass(frozen=True, slots=True)
class Found:
    """The one JSON object of a reply, or the reason why there is none."""

    value: dict[str, Any] | None = None
    reason: str = ""


class _Ambiguous(ValueError):
    """JSON that Python would read and that can mean several things."""


def reply_text(completion: Completion, *, name: str) -> str:
    """Return what of a completion is meant as the reply.

    That is its content. Where there is none, it is what was handed to the one tool called that has the schema's name, or
    the reasoning, if that is nothing but an object: some servers take the whole reply for it.
    """
    content = without_thoughts(completion.content)
    if content.strip():
        return content
    if completion.called:
        names = {each for each, _ in completion.called}
        return completion.called[0][1] if len(completion.called) == 1 and names <= {name, *_SCHEMA_TOOLS} else ""
    thought = _FENCES.sub("", completion.reasoning).strip()
    return thought if thought.startswith("{") and thought.endswith("}") else ""


def one_object(text: str) -> Found:
    """Take the one JSON object out of a reply: prose, fences and reasoning around it are dropped, nothing is chosen."""
    try:
        found = _objects(without_thoughts(text))
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
    return Found(value=found[0].value)


def is_refusal(text: str) -> bool:
    """Return whether prose without any object reads like a refusal."""
    return "{" not in text and bool(_REFUSAL.search(text[:2000]))


def without_thoughts(text: str) -> str:
    """Drop what a model thinks aloud before its reply; text inside the reply's own object is never touched."""
    text = text.lstrip()
    for _ in range(_MOST_THOUGHTS):
        end_mark = next((end for start, end in _THOUGHTS if start.match(text)), None)
        if end_mark is None:
            break
        end = end_mark.search(text)
        text = text[end.end() :].lstrip() if end else ""
    return _behind_last_end(text)


def _behind_last_end(text: str) -> str:
    """Drop thoughts whose beginning stands in the prompt already, as with some chat templates."""
    start, end = 0, 0
    for mark in _THOUGHT_END.finditer(text):
        start, end = mark.span()
    if not end:
        return text
    try:
        found = _objects(text)
    except (_Ambiguous, RecursionError):
        found = ""
    is_inside = not isinstance(found, str) and any(one.start < start < one.end for one in found)
    return text if is_inside else text[end:]


@dataclass(frozen=True, slots=True)
class _Object:
    """An object and the span of text it stands in."""

    value: dict[str, Any]
    start: int
    end: int


def _objects(text: str) -> list[_Object] | str:
    """Return the objects that stand side by side in a text, or why that cannot be said."""
    found: list[_Object] = []
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
            found.append(_Object(value, place, end))
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


def without_misfits(value: dict[str, Any], error: ValidationError, *, only_strangers: bool) -> dict[str, Any] | None:
    """Return an object without the list entries that do not fit, and its lists no longer than they may be.

    Args:
        value: the object; it is left as it is.
        error: what is wrong with it.
        only_strangers: drop nothing but entries outside a closed list, such as numbers of units that were not shown.

    Returns:
        What is left; None where something else is wrong, or nothing would be left of a list.
    """
    kept: dict[str, Any] = json.loads(json.dumps(value))
    unfit: set[tuple[int | str, ...]] = set()
    for each in error.errors(include_url=False, include_input=False):
        place = each["loc"]
        depth = next((number for number, part in enumerate(place) if isinstance(part, int)), None)
        if depth is None and each["type"] == "too_long":
            del _at(kept, place)[each["ctx"]["max_length"] :]
        elif depth is None or (only_strangers and each["type"] != "literal_error"):
            return None
        else:
            unfit.add(place[: depth + 1])
    for place in sorted(unfit, key=lambda place: -int(place[-1])):
        holder = _at(kept, place[:-1])
        del holder[place[-1]]
        if not holder:
            return None
    return kept


def _at(value: Any, place: tuple[int | str, ...]) -> Any:
    for part in place:
        value = value[part]
    return value


def complaint(error: ValidationError) -> str:
    """Say in a few words what does not fit, for the model that has to repair it; nothing of the input is repeated."""
    lines = []
    for each in error.errors(include_url=False, include_context=False, include_input=False)[:_REASONS_SHOWN]:
        place = ".".join(str(part) for part in each["loc"]) or "the object"
        lines.append(f"{place}: {each['msg']}"[:_REASON_CHARACTERS])
    return "; ".join(lines)

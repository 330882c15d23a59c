"""What a server understands of a request, and how the same is asked where it understands less.

Promises: each step leaves out or renames one thing that the server itself has named, and no step is taken back; where
nothing is left to leave out, that is said. Whatever a server takes, the model is told the schema.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agent.asking.completions import Schema, ServerError, strict_schema
from agent.asking.prompts import Message
from agent.replies import Reply

ROOMS_TO_THINK = (
    0,
    2048,
    8192,
)  # tokens that a reply may have beyond its longest length, for what a model thinks first

_FORMAT = "Reply with one JSON object and nothing else. It must fit this JSON Schema:\n{schema}"
_ABOUT_LIMITS = re.compile(
    r"invalid schema|not permitted|(?:min|max)(?:length|items|imum)|unsupported keyword|features? not supported"
    r"|too many states"
)
_ABOUT_ROLES = re.compile(
    r"system (?:role|message|prompt)|role\W{0,3}system|does not support\W{0,3}system|got\W{0,3}system|roles? must alternate"
)
_ABOUT_FORM = re.compile(r"response.?format|json.?schema|grammar|guided")
_FORM_UNKNOWN = re.compile(
    r"(?:unknown|unrecogni[sz]ed|unexpected|extra)\b[^\n]{0,60}\bresponse_format\b(?!\.)"
    r"|\bresponse_format\b(?!\.)[^\n]{0,60}(?:\bextra\b|unknown|unrecogni[sz]ed|unexpected)"
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server is known to understand.

    Attributes:
        form: how the schema is told: enforced, enforced without lengths and ranges, or in the prompt, with or without
            the server's mode for JSON.
        length_name: how the longest reply is told.
        has_temperature: a temperature may be given.
        has_system: a message may have the role "system".
        room_to_think: tokens that a reply may have beyond its longest length, because the model thinks before it replies.
    """

    form: Literal["schema", "bare schema", "object", "plain"] = "schema"
    length_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    has_temperature: bool = True
    has_system: bool = True
    room_to_think: int = 0

    @property
    def told(self) -> str:
        """The dialect in a few words, for people."""
        words = [f"schema as {self.form!r}", self.length_name, f"{'a' if self.has_temperature else 'no'} temperature"]
        words += [] if self.has_system else ["no system role"]
        words += [f"{self.room_to_think} tokens to think"] if self.room_to_think else []
        return ", ".join(words)

    def plainer(self, error: ServerError) -> "Dialect | None":
        """Return what to try after a server did not know a parameter, or None when nothing is left to leave out."""
        said = f"{error.param} {error.message}".lower()
        is_about_form = bool(_ABOUT_FORM.search(said))
        if self.length_name == "max_tokens" and _names_length(said) and not is_about_form:
            # Models that want the newer name think unseen.
            return replace(
                self,
                length_name="max_completion_tokens",
                room_to_think=max(self.room_to_think, ROOMS_TO_THINK[1]),
            )
        if self.has_temperature and "temperature" in said:
            return replace(self, has_temperature=False)
        if self.has_system and _ABOUT_ROLES.search(said) and not is_about_form:
            return replace(self, has_system=False)
        return self._with_plainer_form(said)

    def _with_plainer_form(self, said: str) -> "Dialect | None":
        if self.form == "plain":
            return None
        if self.form == "object" or _FORM_UNKNOWN.search(said):
            return replace(self, form="plain")
        if self.form == "schema" and _ABOUT_LIMITS.search(said):
            return replace(self, form="bare schema")
        return replace(self, form="object")

    def roomier(self, *, most: int) -> "Dialect | None":
        """Return the dialect with the next larger room to think, or None where `most` allows none."""
        larger = next((room for room in ROOMS_TO_THINK if room > self.room_to_think), most + 1)
        return replace(self, room_to_think=larger) if larger <= most else None

    def within(self, most: int) -> "Dialect":
        """Return the dialect with no more room to think than `most`."""
        return replace(self, room_to_think=min(self.room_to_think, most))

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
        if not self.has_system and len(sent) > 1 and [one["role"] for one in sent[:2]] == ["system", "user"]:
            first, second, *others = sent
            return [{"role": "user", "content": f"{first['content']}\n\n{second['content']}"}, *others]
        return sent


def _names_length(said: str) -> bool:
    return "max_tokens" in said or "max_completion_tokens" in said


def _encodable(text: str) -> str:
    """Replace lone surrogates, which file names can hold and UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode("utf-8")

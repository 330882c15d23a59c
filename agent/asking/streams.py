"""Puts a completion together that came in pieces: some gateways stream, though nobody asked them to.

Promises: a stream is recognised by its lines alone; one that ends before it says so is none; whatever it holds, there is
no exception.
"""

import json
from typing import Any

# The end is said by a finish reason, or by this (the mark of OpenAI, which most servers took over).
_DONE = "[DONE]"
_FIELD_NAMES = ("data:", "event:", "id:", "retry:", ":")
_JOINED = ("content", "reasoning_content", "reasoning", "refusal")


def read_stream(content: bytes) -> dict[str, Any] | str | None:
    """Return the body that a stream of server-sent events amounts to (HTML standard, section 9.2).

    Returns:
        A body as it would have come in one piece, its first choice alone; or in a few words why there is none; or None
        where the content is no stream.
    """
    text = content.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if not text.startswith(_FIELD_NAMES):
        return None
    chunks: list[dict[str, Any]] = []
    is_done = False
    for line in text.split("\n"):
        name, _, value = line.partition(":")
        value = value.strip()
        if name != "data" or not value:
            continue
        if value == _DONE:
            is_done = True
            break
        try:
            chunk = json.loads(value)
        except (ValueError, RecursionError):
            return "a broken stream"
        if isinstance(chunk, dict):
            chunks.append(chunk)
    return _joined(chunks, is_done=is_done)


def _joined(chunks: list[dict[str, Any]], *, is_done: bool) -> dict[str, Any] | str:
    parts: dict[str, list[str]] = {name: [] for name in _JOINED}
    finish: object = None
    body: dict[str, Any] = {}
    for chunk in chunks:
        choice = _first_choice(chunk)
        if chunk.get("error") or isinstance(choice.get("message"), dict):
            return chunk  # an error, or a whole completion in one event
        body |= {name: chunk[name] for name in ("model", "usage") if chunk.get(name)}
        finish = choice.get("finish_reason") or finish
        delta = choice.get("delta")
        if isinstance(delta, dict):
            for name in _JOINED:
                parts[name] += [delta[name]] if isinstance(delta.get(name), str) else []
    if not is_done and not finish:
        return "a stream that broke off"
    message = {name: "".join(pieces) for name, pieces in parts.items()}
    return body | {"choices": [{"finish_reason": finish, "message": message}]}


def _first_choice(chunk: dict[str, Any]) -> dict[str, Any]:
    choices = chunk.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    return choice if isinstance(choice, dict) else {}

"""What each failure of an endpoint means for the run, and in which words it is told.

Promises: every way in which a request can go wrong has one class (see `retry.Kind`) and one sentence. The sentence names
model and address, holds at most 200 characters of what the server said, and never a secret.
"""

import contextlib
import datetime as dt
import re
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal

import httpx2

from agent.asking.budget import Reported
from agent.asking.completions import Completion, ServerError, is_refusal
from agent.asking.retry import MOST_REQUESTS, Fault, Kind, Waiting, retry_after_seconds
from agent.asking.transport import Endpoint, Stopped, TooLarge, cleaned
from agent.errors import (
    CallFailed,
    DeadlinePassed,
    ModelError,
    ModelRefusedAccess,
    ModelUnavailable,
    PromptTooLong,
    ReplyInvalid,
    ReplyRefused,
    ReplyTruncated,
)

Verdict = Literal[
    "access", "quota", "missing", "redirect",  # stop
    "too_long", "refused", "rejected",  # final
    "unsupported",  # adapt
    "rate", "busy", "unmade",  # transient
]  # fmt: skip

_TRANSIENT = frozenset({408, 409, 425, 429})
_FINAL_SERVER_ERRORS = frozenset({501, 505})
_PARAMETER_STATUSES = frozenset({400, 404, 415, 422, 500, 501})
_FILTER_STATUSES = frozenset({0, 400, 422, 451, 500})
_QUOTA_CODES = frozenset(
    {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance"}
)
_TOO_LONG_CODES = frozenset({"context_length_exceeded", "exceed_context_size_error", "string_above_max_length"})
_FILTER_CODES = frozenset(
    {"content_filter", "content_policy_violation", "responsibleaipolicyviolation", "data_inspection_failed",
     "datainspectionfailed", "invalid_prompt"}
)  # fmt: skip
_UNMADE_CODES = frozenset({"json_validate_failed"})  # the server itself held the reply against the schema
_MODEL_CODES = frozenset({"model_not_found", "invalid_model"})
# The words of OpenAI, Azure, DeepSeek, Gemini, DashScope, Zhipu, Moonshot, Cohere, vLLM, SGLang, TGI, llama.cpp, Ollama and
# LM Studio, where codes say too little.
_QUOTA_WORDS = re.compile(r"insufficient.{0,3}(?:quota|balance|credits?|funds)", re.IGNORECASE)
_ACCESS_WORDS = re.compile(
    r"(?:invalid|incorrect|missing) api.?key|api.?key (?:is )?(?:not valid|invalid|expired|missing)", re.IGNORECASE
)
_MODEL_WORDS = re.compile(r"\bmodel\b.{0,120}\bnot (?:found|exist)|\bno models? (?:is |are )?loaded", re.IGNORECASE)
_TOO_LONG_WORDS = re.compile(
    r"context (?:length|size|window)|maximum (?:input|prompt|model) length|(?:prompt|inputs?|request) (?:is|was|are) too (?:long|large)"
    r"|request too large|longer than the model|max_tokens must be at least 1, got -|too many (?:input )?tokens(?: in|:)"
    r"|input tokens? (?:count|exceed)|input length.{0,40}(?:exceed|should be)|exceeds? (?:the )?max(?:imum)? (?:length|allowed length)"
    r"|(?:`inputs`|prompt).{0,40}(?:must be <=|must have less than)|token limit:|model token limit"
    r"|max_(?:completion_|new_)?tokens\W{0,3}(?: or .{0,30})?(?: is)? too large|at most \d+ completion tokens"
    r"|(?:输入|提示|prompt|tokens?).{0,12}(?:超长|过长|超过|超出)",
    re.IGNORECASE,
)
_TOO_LARGE_WORDS = re.compile(r"request (?:is )?too large", re.IGNORECASE)
_READ_CHARACTERS = 1000  # of what a server says: further on it may repeat the prompt, which may say anything
_FILTER_WORDS = re.compile(
    r"content (?:management|filter|polic)|responsibleai|content exists risk|inappropriate content|safety system|usage polic"
    r"|considered high risk|blocked due to|(?:不安全|敏感|违规)内容|内容.{0,6}(?:违规|敏感|不合规)",
    re.IGNORECASE,
)
_PARAMETER_WORDS = re.compile(
    r"response.?format|json.?schema|json.?object|json mode|structured.?output|guided|grammar|\bschema\b"
    r"|unsupported.{0,3}(?:parameter|value)"
    r"|\b(?:temperature|max_tokens|max_completion_tokens)\b.{0,80}(?:not |un|deprecated|only the default|must be|extra )"
    r"|(?:not |un|extra |deprecated).{0,80}\b(?:temperature|max_tokens|max_completion_tokens)\b"
    r"|system role|role\W{0,3}system|support\W{0,3}system|roles? must alternate",
    re.IGNORECASE,
)
_LENGTH_REASONS = frozenset(
    {"length", "max_tokens", "max_output_tokens", "max_new_tokens", "model_length", "model_context_window_exceeded"}
)
_FILTER_REASONS = frozenset(
    {"content_filter", "content_filtered", "safety", "sensitive", "prohibited_content", "blocklist", "recitation", "spii",
     "guardrail_intervened"}
)  # fmt: skip
_BROKEN_REASONS = frozenset({"error", "abort", "insufficient_system_resource"})
# A prompt that was cut has as many tokens as fit, which is a round number: all of the context, one less, or two more than half.
_ROUND_TOKENS = 1024
_LEAST_CONTEXT = 256  # a report below it means something else
_LOST_WORDS = ("disconnected", "closed connection")  # of a protocol error that is a lost connection


def classify(error: ServerError, headers: Mapping[str, str]) -> Verdict:
    """Say what an error of a server means, by status, code, and the words that servers use."""
    verdict = _by_words(error) or _by_status(error.status)
    hint = headers.get("x-should-retry", "").strip().lower()
    if hint == "false" and verdict in {"rate", "busy"}:
        return "rejected"
    if hint == "true" and verdict == "rejected":
        return "busy"
    return verdict


@dataclass(frozen=True, slots=True)
class Faults:
    """Makes the faults of one model at one endpoint.

    Attributes:
        model: the name that is asked for.
        at: where it is.
        waiting: tells the time.
        longest_pause_seconds: a server that wants to be left alone for longer ends the run.
    """

    model: str
    at: Endpoint
    waiting: Waiting
    longest_pause_seconds: float

    def of_server(self, prompt: str, error: ServerError, headers: Mapping[str, str]) -> Fault:
        """Return what an error of the server means for the request of a prompt."""
        verdict = classify(error, headers)
        where, said = f"The model endpoint {self.at.shown}", self._said(error)
        if verdict in {"rate", "busy"}:
            return self._to_wait_for(error, headers, is_rate=verdict == "rate")
        told: dict[Verdict, tuple[Kind, Callable[[str], ModelError], str]] = {
            "access": (  # what the server says here tends to repeat the key
                "stop",
                ModelRefusedAccess,
                f"{where} refuses the key or the account (HTTP {error.status}): check OPENAI_API_KEY, or run `agent doctor`.",
            ),
            "quota": ("stop", ModelRefusedAccess, f"{where} says that the account is used up ({said}): top it up."),
            "missing": (
                "stop",
                ModelRefusedAccess,
                f"{where} does not know the model {self.model!r}, or the address is wrong ({said}): run `agent doctor`.",
            ),
            "redirect": ("stop", ModelRefusedAccess, self._redirected(where, error.status, headers)),
            "too_long": (
                "final",
                PromptTooLong,
                f"The prompt {prompt!r} does not fit the context of {self.model!r} ({said}): ask with less text.",
            ),
            "refused": ("final", _filtered, f"A filter of {self.at.shown} refused the prompt {prompt!r} ({said})."),
            "unmade": ("transient", ReplyInvalid, f"{where} made no reply of the right form to {prompt!r} ({said})."),
            "rejected": ("final", CallFailed, f"{where} rejected the prompt {prompt!r} ({said})."),
            "unsupported": ("adapt", CallFailed, f"{where} cannot do what the prompt {prompt!r} needs ({said})."),
        }
        kind, family, sentence = told[verdict]
        label = f"HTTP {error.status}" if error.status >= 500 else verdict
        return Fault(kind, family(sentence), label=label, times=1 if verdict == "unmade" else MOST_REQUESTS)

    def of_connection(self, cause: BaseException | None, *, deadline_seconds: float) -> Fault:
        """Return what a request means that got no whole response."""
        where = f"The model endpoint {self.at.shown}"
        said = cleaned(str(cause or ""), secrets=self.at.secrets) or "no reason given"
        if isinstance(cause, Stopped):
            return Fault("stop", ModelUnavailable("The run was stopped while a reply was awaited: run again to go on."))
        if isinstance(cause, TooLarge):
            return Fault("final", CallFailed(f"{where} sent too much: {said}."))
        if is_unreached(cause):
            unreached = f"{where} cannot be reached ({said}): is it running, and is the address right?"
            return Fault("transient", ModelUnavailable(unreached), label="connection")
        if isinstance(cause, httpx2.TimeoutException):
            late = f"{where} did not answer within {deadline_seconds:g} seconds: a longer deadline may help."
            return Fault("transient", DeadlinePassed(late), label="deadline", times=1)
        is_lost = not isinstance(cause, httpx2.DecodingError | httpx2.ProtocolError) or any(
            word in said for word in _LOST_WORDS
        )
        lost = CallFailed(f"{where} broke off ({said}).")
        return Fault("transient", lost, label="lost") if is_lost else Fault("transient", lost, label="broken", times=1)

    def of_body(self, what: str, content: bytes) -> Fault:
        """Return what a response with status 200 means that is no completion: a gateway's page, an empty body."""
        shown = cleaned(content[:4096].decode("utf-8", "replace"), secrets=self.at.secrets)
        told = f"The model endpoint {self.at.shown} sent {what} instead of a completion"
        error = CallFailed(f"{told}: {shown!r}." if shown else f"{told}.")
        is_odd = what in {"no choice", "a body in no Unicode encoding"}
        return Fault("transient", error, label=what, times=1) if is_odd else Fault("transient", error, label="body")

    def of_completion(self, prompt: str, completion: Completion) -> Fault | None:
        """Return why a completion must not be used, or None when its text may be looked at."""
        who = f"The reply of {self.model!r} to {prompt!r}"
        finish = completion.finish.lower()
        if finish in _LENGTH_REASONS:
            error = ReplyTruncated(f"{who} was cut at the length limit: ask with less text.")
            return Fault("final", error, label="length")
        if finish in _FILTER_REASONS:
            return Fault("final", _filtered(f"{who} was stopped by a content filter."))
        if finish in _BROKEN_REASONS:
            return Fault("transient", CallFailed(f"{who} ended in an error of the server."), label="no choice", times=1)
        if completion.refusal or finish == "refusal":  # in words that no report repeats: a model may say anything there
            return Fault("final", ReplyRefused(f"{who} is a refusal."))
        return None

    def of_cut_prompt(self, prompt: str) -> Fault:
        """Return what it means that a server read less than it was sent, and said nothing."""
        return Fault(
            "final",
            PromptTooLong(
                f"{self.at.shown} read only a part of the prompt {prompt!r} and answered all the same: ask with less text, or "
                f"give {self.model!r} a larger context there."
            ),
        )

    def of_thoughts(self, prompt: str) -> Fault:
        """Return what it means that a model thinks, and comes to no reply however much room it has."""
        lost = (
            f"{self.model!r} thought about {prompt!r} up to the length limit and gave no reply: choose another model."
        )
        return Fault("final", ReplyInvalid(lost))

    def of_text(self, prompt: str, text: str, reason: str) -> Fault:
        """Return what a text means that holds no reply: one repair, then a refusal or an invalid reply."""
        if is_refusal(text):
            refused = ReplyRefused(f"The reply of {self.model!r} to {prompt!r} is a refusal, even after a repair.")
            return Fault("repair", refused, label="repair", times=1)
        return self.to_repair(prompt, reason)

    def to_repair(self, prompt: str, reason: str) -> Fault:
        """Return the fault of a reply that does not fit."""
        shown = cleaned(reason, secrets=self.at.secrets)
        error = ReplyInvalid(
            f"The reply of {self.model!r} to {prompt!r} was not accepted, even after a repair: {shown}."
        )
        return Fault("repair", error, label="repair", times=1)

    def gone(self, error: Exception, *, failures: int) -> ModelUnavailable:
        """Return the error that ends the run after several failures in a row."""
        return ModelUnavailable(f"{failures} calls in a row failed, the run ends here and can go on later. {error}")

    def _said(self, error: ServerError) -> str:
        said = cleaned(error.message, secrets=self.at.secrets)
        status = f"HTTP {error.status}" if error.status else "an error with HTTP 200"
        return f"{status}: {said}" if said else status

    def _redirected(self, where: str, status: int, headers: Mapping[str, str]) -> str:
        target = headers.get("location", "")
        with contextlib.suppress(ValueError):
            target = Endpoint(target).shown if "://" in target else target
        return (
            f"{where} redirects to {cleaned(target, secrets=self.at.secrets)!r} (HTTP {status}), and notes are sent to no "
            "other address: set OPENAI_BASE_URL to the right one."
        )

    def _to_wait_for(self, error: ServerError, headers: Mapping[str, str], *, is_rate: bool) -> Fault:
        where, said = f"The model endpoint {self.at.shown}", self._said(error)
        now = self.waiting.now()
        seconds = retry_after_seconds(headers, now=now)
        if seconds is not None and seconds > self.longest_pause_seconds:
            until = (now + dt.timedelta(seconds=seconds)).astimezone().strftime("%Y-%m-%d %H:%M %Z")
            asked = f"{where} asks to be left alone until {until} ({said}): run again then, what was answered is kept."
            return Fault("stop", ModelUnavailable(asked))
        return Fault(
            "transient",
            CallFailed(f"{where} did not answer after all retries ({said})."),
            label=f"HTTP {error.status}",
            retry_after=seconds,
            is_shared=is_rate or seconds is not None,
        )


def is_unreached(cause: BaseException | None) -> bool:
    """Whether a request failed before anything was sent."""
    return isinstance(
        cause, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.ProxyError | httpx2.UnsupportedProtocol
    )


def is_cut_short(reported: Reported | None, *, own_tokens: int, fresh_tokens: int) -> bool:
    """Whether a server seems to have read only a part of a prompt: by default Ollama cuts what its context does not hold.

    Args:
        reported: what the server says; only a sensible figure counts.
        own_tokens: our own count of the whole prompt, which other tokenizers rarely undercut.
        fresh_tokens: our own count of its last message, which no server can have in its cache.
    """
    figures = (reported.prompt_tokens, reported.cached_tokens) if reported else (None, None)
    prompt, cached = (value if isinstance(value, int) and value > 0 else 0 for value in figures)
    if prompt < _LEAST_CONTEXT:
        return False
    is_round = prompt + 1 >= _ROUND_TOKENS and (prompt + 1) % _ROUND_TOKENS <= 3
    return 2 * (prompt + cached) < fresh_tokens or (is_round and prompt < own_tokens)


def _filtered(sentence: str) -> ReplyRefused:
    """A filter is no refusal of the model's, and reports tell them apart."""
    error = ReplyRefused(sentence)
    error.reason = "filtered"
    return error


def _by_words(error: ServerError) -> Verdict | None:
    """Go by codes and words, the narrower before the wider."""
    status = error.status
    rules: tuple[tuple[Verdict, bool], ...] = (
        ("quota", status == 402 or error.code in _QUOTA_CODES or _says(_QUOTA_WORDS, error, {429})),
        ("access", status in {401, 403} or _says(_ACCESS_WORDS, error, {400})),
        ("too_long", error.code in _TOO_LONG_CODES or _is_too_long(error)),
        ("refused", error.code.lower() in _FILTER_CODES or _says(_FILTER_WORDS, error, _FILTER_STATUSES)),
        ("unmade", error.code in _UNMADE_CODES),
        ("missing", error.code in _MODEL_CODES or _says(_MODEL_WORDS, error, {400, 404, 422})),
        ("unsupported", _says(_PARAMETER_WORDS, error, _PARAMETER_STATUSES)),
    )
    return next((verdict for verdict, applies in rules if applies), None)


def _says(words: re.Pattern[str], error: ServerError, statuses: AbstractSet[int]) -> bool:
    said = f"{error.param} {error.code} {error.message[:_READ_CHARACTERS]}"
    return error.status in statuses and bool(words.search(said))


def _is_too_long(error: ServerError) -> bool:
    """Whether the words say so; a limit of tokens in a minute (429) is another thing, but for a request beyond all of it."""
    words = _TOO_LARGE_WORDS if error.status == 429 else _TOO_LONG_WORDS
    return bool(words.search(error.message[:_READ_CHARACTERS]))


def _by_status(status: int) -> Verdict:
    if 300 <= status < 400:
        return "redirect"
    if status in {404, 405}:
        return "missing"
    if status == 413:
        return "too_long"
    if status in _TRANSIENT:
        return "rate" if status == 429 else "busy"
    is_server_error = status >= 500 and status not in _FINAL_SERVER_ERRORS
    return "busy" if is_server_error or not status else "rejected"

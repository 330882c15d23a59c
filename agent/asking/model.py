"""The seam to a model: what is asked, what is answered, and the one way of asking, through openai and instructor.

Promises: a reply is exactly one object of the class asked for, checked, or an error that says what to do. Notes are never
read as templates, redirects never followed, hooks never relied upon, and only our own loop retries. A reply that was cut,
filtered or refused is never taken for one, nor one to a prompt that the server has cut. A server that knows less than was
sent is asked more plainly, a model that thinks is given room for it, and a remark says so. No message holds a secret, even
where a server echoes it. openai and instructor are imported with the first call.
"""

import functools
import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import httpx2
from pydantic import ValidationError

from agent.asking.budget import charge, room_for, trusted_usage
from agent.asking.completions import (
    Completion,
    ServerError,
    complaint,
    fitted,
    one_object,
    read_body,
    read_error,
    reply_text,
    strict_schema,
    without_misfits,
)
from agent.asking.dialects import ROOMS_TO_THINK, Dialect
from agent.asking.faults import Faults, is_cut_short
from agent.asking.prompts import Message, as_data
from agent.asking.retry import Fault, Retries
from agent.asking.tokens import TokenCount, measure_tokens
from agent.asking.transport import Endpoint, cleaned, make_client, within
from agent.errors import CallFailed, ModelError, ModelUnavailable, PromptTooLong
from agent.records import Usage
from agent.replies import Reply

DEADLINE_SECONDS = 300.0
_CONNECT_SECONDS = 15.0
_FAILURES_IN_A_ROW = 3  # asks, each after its retries: then the endpoint counts as gone
_TOKENS_OF_A_MESSAGE = 4  # what chat templates add
_MOST_ROUNDS = 3  # of dropping what does not fit; the end of one list may hide what is wrong in another
_BAD_REPLY_BYTES = 2000  # of a reply that is sent back for repair
_NOT_ACCEPTED = "Your reply was not accepted: {reason}. Reply again, with one JSON object and nothing else."
_NO_KEY = "no-key"  # the SDK wants one, and takes the environment's where it gets none
_TALKATIVE = ("openai", "instructor", "httpx2", "httpcore2")


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model.

    Attributes:
        prompt: `id@version` of the prompt that it comes from.
        messages: what is sent.
        reply: the class to fill in, closed to the lists of this question.
        max_tokens: longest reply.
        temperature: 0 for the most likely reply.
        check: returns what is wrong with a reply that fits the class, or None; the model is told once.
        allow: called with the tokens that a further request of this question may cost, before it is sent; raises
            BudgetExceeded.
    """

    prompt: str
    messages: tuple[Message, ...]
    reply: type[Reply]
    max_tokens: int
    temperature: float = 0.0
    check: Callable[[Any], str | None] | None = field(default=None, compare=False)
    allow: Callable[[int], None] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """A checked reply.

    Attributes:
        reply: an instance of the request's class.
        usage: what it has cost, every request of the question counted, whenever that was.
        model: who answered, in the server's words.
        is_remembered: it was paid for earlier.
    """

    reply: Reply
    usage: Usage
    model: str
    is_remembered: bool = False


class Model(Protocol):
    """Whatever can be asked.

    Attributes:
        name: the model as it is asked for.
        endpoint: where it is, for the store; never a secret.
    """

    name: str
    endpoint: str

    def ask(self, request: Request) -> Answer:
        """Return a checked reply.

        Raises:
            CallFailed: this reply is not to be had.
            ModelError: no reply is to be had any more.
        """

    def close(self) -> None:
        """Give back connections and processes; the model is not asked again."""


def room_of(request: Request) -> int:
    """Return the tokens to reserve for one request of a question: its prompt, its schema, its longest reply."""
    schema = measure_tokens(json.dumps(strict_schema(request.reply), ensure_ascii=False))
    asked = TokenCount(schema.tokens + prompt_tokens(request.messages), schema.is_estimated)
    return room_for(asked, max_tokens=request.max_tokens)


def prompt_tokens(messages: Sequence[Message]) -> int:
    """Return our own count of what is sent, without the schema, which most servers hold beside the prompt."""
    return sum(measure_tokens(message.content).tokens + _TOKENS_OF_A_MESSAGE for message in messages)


class _Failed(Exception):
    """Carries a fault through instructor, which knows nothing but exceptions."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault.error))
        self.fault = fault


@dataclass
class _Talk:
    """One question while it is asked: what was said so far, and what it has cost."""

    request: Request
    said: list[Message] = field(default_factory=list)
    requests: int = 0
    dialect: Dialect = field(default_factory=Dialect)  # of the next request
    usage: Usage = field(default_factory=Usage)
    written: str = ""  # what the model wrote last
    reason: str = ""  # why that is not accepted
    model: str = ""
    most_room: int = ROOMS_TO_THINK[-1]  # to think: less where the context holds no more

    @property
    def messages(self) -> tuple[Message, ...]:
        """What the model has been told so far, and its own words where they were sent back."""
        return (*self.request.messages, *self.said)

    def make_room(self, dialect: Dialect) -> None:
        """Ask whether the next request may be paid for; of the first one only what nobody could know beforehand.

        Args:
            dialect: how that request will speak.
        """
        self.dialect = dialect = dialect.within(self.most_room)
        further = room_of(replace(self.request, messages=self.messages)) if self.requests else 0
        if self.request.allow is not None and further + dialect.room_to_think:
            self.request.allow(further + dialect.room_to_think)

    def send_back(self) -> None:
        """Show the model what it wrote, and why that is not accepted."""
        bad = self.written.encode("utf-8", "ignore")[:_BAD_REPLY_BYTES].decode("utf-8", "ignore")
        self.said += [
            Message("assistant", as_data(bad, keep_lines=True) or "(nothing)"),
            Message("user", _NOT_ACCEPTED.format(reason=as_data(self.reason))),
        ]

    def pay(self, completion: Completion) -> None:
        """Count a reply that came."""
        written = measure_tokens(completion.content).tokens + measure_tokens(completion.reasoning).tokens
        own = Usage(calls=1, prompt_tokens=prompt_tokens(self.messages), completion_tokens=written)
        self.usage += trusted_usage(completion.reported, own)

    def pay_unknown(self) -> None:
        """Count a request whose reply never came whole: it may have been worked on to the end."""
        self.usage += Usage(
            calls=1,
            prompt_tokens=prompt_tokens(self.messages),
            completion_tokens=self.request.max_tokens + self.dialect.room_to_think,
            is_estimated=True,
        )


class OpenAIModel:
    """A model behind an OpenAI-compatible endpoint, for any number of threads.

    Args:
        name: the model to ask for.
        endpoint: where it is; the attribute of that name is its identity in the store.
        deadline_seconds: for each HTTP request, from name lookup to the last byte.
        retries: the loop, with its stop event; one for each endpoint.
    """

    def __init__(
        self,
        name: str,
        *,
        endpoint: Endpoint,
        deadline_seconds: float = DEADLINE_SECONDS,
        retries: Retries | None = None,
    ) -> None:
        self.name = name
        self.endpoint = endpoint.name
        self._at = endpoint
        self._deadline_seconds = deadline_seconds
        self._retries = retries or Retries()
        self._faults = Faults(name, endpoint, self._retries.waiting, self._retries.longest_pause_seconds)
        self._lock = threading.Lock()
        self._dialect = Dialect()
        self._remarks: list[str] = []
        self._failures = 0
        self._has_worked = False
        self._client: Any = None

    def __repr__(self) -> str:
        return f"OpenAIModel({self.name!r}, endpoint={self.endpoint!r})"

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader should know about how the endpoint was asked, one sentence each."""
        with self._lock:
            return tuple(self._remarks)

    def ask(self, request: Request) -> Answer:
        """Ask, and return the checked reply; see `Model`.

        Raises:
            CallFailed: this reply is not to be had; `budget.charged` says what it has cost.
            ModelError: no reply is to be had any more.
        """
        talk = _Talk(request)
        try:
            outcome = self._retries.run(lambda: self._attempt(talk), before=lambda: talk.make_room(self._dialect))
        except ModelError as error:
            charge(error, talk.usage)
            raise
        if isinstance(outcome, Fault):
            raise charge(self._judged(outcome), talk.usage)
        return Answer(reply=outcome, usage=talk.usage, model=talk.model or self.name)

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            if self._client is not None:
                self._client.close()

    def _attempt(self, talk: _Talk) -> Reply | Fault:
        """Send one request of a question, and prepare the next one where there may be one."""
        talk.requests += 1
        outcome = self._reply(talk)
        if isinstance(outcome, Reply) and talk.request.check is not None:
            talk.reason = talk.request.check(outcome) or ""
            if talk.reason:
                outcome = self._faults.to_repair(talk.request.prompt, talk.reason)
        if isinstance(outcome, Fault) and outcome.kind == "repair":
            talk.send_back()
        return outcome

    def _reply(self, talk: _Talk) -> Reply | Fault:
        """Send one request through instructor, and return its reply or what went wrong."""
        import instructor  # noqa: PLC0415 - with openai, nearly a second that only calls need
        from instructor.core.exceptions import InstructorRetryException as Gave  # noqa: PLC0415 - as above

        create = instructor.patch(create=functools.partial(self._create, talk), mode=instructor.Mode.JSON_SCHEMA)
        cause: BaseException | None = None
        try:
            create(
                response_model=talk.request.reply,
                messages=talk.dialect.messages(talk.messages, talk.request.reply),
                max_retries=0,
                strict=True,
            )
        except Gave as error:
            cause = error.__cause__
        if isinstance(cause, _Failed):
            return cause.fault
        if isinstance(cause, ValidationError):
            return self._without_misfits(talk, cause)
        if cause is not None:
            raise cause
        return talk.request.reply.model_validate_json(talk.written, strict=True)  # without the SDK's objects on it

    def _create(self, talk: _Talk, **given: Any) -> Any:
        """Stand in for the SDK's `create`: send what we want to send, and let through nothing but one whole object."""
        from openai.types.chat import ChatCompletion  # noqa: PLC0415 - as in _reply

        outcome = self._sent(talk, given["messages"])
        if isinstance(outcome, Fault):
            raise _Failed(outcome)
        self._note_success()
        talk.pay(outcome)
        talk.model = cleaned(outcome.model, secrets=self._at.secrets)
        talk.written = reply_text(outcome, name=talk.request.reply.__name__)
        fault = self._unusable(talk, outcome)
        if fault is not None:
            raise _Failed(fault)
        found = one_object(talk.written)
        if found.value is None:
            talk.reason = found.reason
            raise _Failed(self._faults.of_text(talk.request.prompt, talk.written, found.reason))
        kept, dropped = fitted(found.value, strict_schema(talk.request.reply))
        if dropped:
            self._remark(f"{self.name!r} filled in fields that nobody asked for; they were dropped.")
        talk.written = json.dumps(kept, ensure_ascii=False)
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": talk.written}}
        return ChatCompletion.model_validate(
            {"id": "", "object": "chat.completion", "created": 0, "model": talk.model, "choices": [choice]}
        )

    def _unusable(self, talk: _Talk, completion: Completion) -> Fault | None:
        """Return why the text of a completion must not be looked at, or None."""
        own, fresh = prompt_tokens(talk.messages), prompt_tokens(talk.messages[-1:])
        if not talk.said and is_cut_short(completion.reported, own_tokens=own, fresh_tokens=fresh):
            self._remark(f"{self._at.shown} cuts long prompts; they are split. A larger context there saves calls.")
            return self._faults.of_cut_prompt(talk.request.prompt)
        fault = self._faults.of_completion(talk.request.prompt, completion)
        if fault is None or fault.label != "length" or talk.written.lstrip().startswith(("{", "```")):
            return fault
        roomier = talk.dialect.roomier(most=talk.most_room)
        if roomier is None:
            return self._faults.of_thoughts(talk.request.prompt) if talk.most_room == ROOMS_TO_THINK[-1] else fault
        self._learn(talk.dialect, roomier)
        return replace(fault, kind="adapt")

    def _without_misfits(self, talk: _Talk, error: ValidationError) -> Reply | Fault:
        """Take a reply without the entries of its lists that were not allowed; after a repair, without any that do not fit."""
        problem, reply = error, talk.request.reply
        written: dict[str, Any] | None = json.loads(talk.written)
        for _ in range(_MOST_ROUNDS):
            written = without_misfits(written or {}, problem, only_strangers=not talk.said)
            if written is None:
                break
            try:
                fitting = reply.model_validate_json(json.dumps(written), strict=True)
            except ValidationError as still:
                problem = still
                continue
            self._remark(f"{self.name!r} filled in list entries that were not allowed; they were dropped.")
            return fitting
        talk.reason = complaint(error)
        return self._faults.to_repair(talk.request.prompt, talk.reason)

    def _sent(self, talk: _Talk, messages: Sequence[Mapping[str, str]]) -> Completion | Fault:
        """Send one HTTP request and read the response."""
        import openai  # noqa: PLC0415 - as in _reply

        request = talk.request
        parameters = talk.dialect.parameters(
            request.reply, max_tokens=request.max_tokens, temperature=request.temperature
        )
        create = self._opened().chat.completions.with_raw_response.create  # loads modules, so before the clock starts
        try:
            with within(self._deadline_seconds):
                response = create(model=self.name, messages=messages, **parameters).http_response
        except openai.APIStatusError as error:
            response = error.response
        except openai.APIConnectionError as error:  # a timeout is one of them
            return self._broken(talk, error.__cause__)
        return self._read(talk, response)

    def _read(self, talk: _Talk, response: httpx2.Response) -> Completion | Fault:
        status, content = response.status_code, response.content
        body = read_body(content) if status < 300 else read_error(status, content)
        if isinstance(body, Completion):
            return body
        if isinstance(body, str):
            return self._faults.of_body(body, content)
        fault = self._faults.of_server(talk.request.prompt, body, response.headers)
        if isinstance(fault.error, PromptTooLong) and talk.dialect.room_to_think:
            talk.most_room = max(room for room in ROOMS_TO_THINK if room < talk.dialect.room_to_think)
            return replace(fault, kind="adapt")  # perhaps it fits with less room to think
        return self._adapted(fault, talk.dialect, body) if fault.kind == "adapt" else fault

    def _broken(self, talk: _Talk, cause: BaseException | None) -> Fault:
        """Return the fault of a request without response; unless nothing was sent, it may have been paid for."""
        fault = self._faults.of_connection(cause, deadline_seconds=self._deadline_seconds)
        if isinstance(fault.error, ModelUnavailable) and fault.kind == "transient" and not self._has_worked:
            fault = replace(fault, times=1)  # most likely a wrong address: say so soon
        if fault.label != "connection":
            talk.pay_unknown()
        return fault

    def _adapted(self, fault: Fault, dialect: Dialect, error: ServerError) -> Fault:
        """Speak more plainly from now on, or give up where nothing is left to leave out."""
        plainer = dialect.plainer(error)
        if plainer is None:
            return replace(fault, kind="final")
        self._learn(dialect, plainer)
        return fault

    def _learn(self, dialect: Dialect, better: Dialect) -> None:
        """Remember for the run what a server understands; another thread may have learnt it meanwhile."""
        with self._lock:
            if self._dialect.within(0) == dialect.within(0):
                room = max(self._dialect.room_to_think, better.room_to_think)
                self._dialect = replace(better, room_to_think=room)
            told = self._dialect.told
        self._remark(f"{self._at.shown} does not take everything as it was sent; it is asked with {told}.")

    def _judged(self, fault: Fault) -> ModelError:
        """Return the error of a question that is given up; several in a row end the run."""
        if fault.kind != "transient" and not fault.label.startswith("HTTP"):
            return fault.error  # no sign that the endpoint is in trouble
        with self._lock:
            self._failures += 1
            failures, has_worked = self._failures, self._has_worked
        is_unreached = isinstance(fault.error, ModelUnavailable)
        if failures < _FAILURES_IN_A_ROW:
            return CallFailed(str(fault.error)) if is_unreached and has_worked else fault.error
        return fault.error if is_unreached else self._faults.gone(fault.error, failures=failures)

    def _note_success(self) -> None:
        with self._lock:
            self._failures, self._has_worked = 0, True

    def _remark(self, sentence: str) -> None:
        with self._lock:
            if sentence not in self._remarks:
                self._remarks.append(sentence)

    def _opened(self) -> Any:
        """Return the SDK's client, made when it is first needed."""
        import openai  # noqa: PLC0415 - as in _reply

        with self._lock:
            if self._client is None:
                for library in _TALKATIVE:  # they log addresses, notes and what servers say
                    logging.getLogger(library).setLevel(logging.CRITICAL + 1)
                self._client = openai.OpenAI(
                    api_key=self._at.api_key or _NO_KEY,
                    organization=self._at.organization,
                    project=self._at.project,
                    base_url=self._at.base_url,
                    max_retries=0,
                    timeout=httpx2.Timeout(
                        self._deadline_seconds, connect=min(_CONNECT_SECONDS, self._deadline_seconds)
                    ),
                    http_client=make_client(self._at, stop=self._retries.stop),
                )
            return self._client

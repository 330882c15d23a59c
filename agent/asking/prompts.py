"""Prompts as files: a strict header, a system part and a user part, filled in and sent as messages.

Promises: a prompt file with an unknown key, a missing part or an undeclared variable is refused when it is loaded, missing
or surplus values when it is rendered, each time by name. Values are inserted as data and never read as templates: whatever
a note holds arrives byte for byte. `as_data` makes the copy of foreign text that may stand in a prompt. A changed prompt
with its old version is found through `lock.toml`.

A prompt file is Markdown: a YAML header between `---` lines, then the lines `# system` and `# user`, each followed by its
part, a Jinja template. Between the two, any number of worked examples: the line `# example` with a user part as a note would
make it, and the line `# answer` with the reply to it; both stand as they are. Their names are invented, and the header
lists those under `canaries`: one that turns up in a reply was copied from an example.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from jinja2 import StrictUndefined, Template, TemplateError, meta
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent import replies, resources
from agent.errors import PromptError

LOCK_FILE = "lock.toml"
_SHORT = 8  # characters: what is shorter may come about by chance

_PROMPT_ID = re.compile(r"[a-z][a-z0-9_]{0,79}")
_FENCE = "---\n"
_PART_LINES = ("# system", "# example", "# answer", "# user")
_PARTS = re.compile(r"# system(?: # example # answer)* # user")
_PLAIN_NEWLINES = re.compile(r"\r\n?")

# What no reader sees: controls, soft hyphen, fillers, zero-width and bidi characters, lone surrogates, private use, tags.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ud800-\udfff\ue000-\uf8ff\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000f0000-\U0010ffff]"
)
# Joiners and selectors stay where they shape an emoji or an ideograph; elsewhere they can carry hidden text.
_EMOJI = "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
_IDEOGRAPHS = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_STRAY = re.compile(
    f"(?<![{_EMOJI}])\u200d[\u200d\ufe0e\ufe0f]*|\u200d+(?![{_EMOJI}\u200d])"
    f"|(?<![^\\s{_SELECTORS}])[\ufe0e\ufe0f]"
    f"|(?<![{_IDEOGRAPHS}])[\ufe00-\ufe0d\U000e0100-\U000e01ef]"
)
_LINE_ENDS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_LINE_END_RUNS = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
# The shapes of control tokens: <|im_start|>, </s>, <think>, <start_of_turn>, and [INST] or [gMASK].
_ANGLED_TOKEN = re.compile(r"<(?=[|｜]|[/!]?\w[\w.:-]{0,60}>)")
_BRACKETED_TOKEN = re.compile(r"\[(?=/?\w{2,40}\])(?=/?[a-z_]{0,40}[A-Z]{3})")

# Autoescape stays off: a prompt is no HTML, and a note's `<`, `&` and quotes have to arrive as they are.
_ENVIRONMENT = ImmutableSandboxedEnvironment(
    undefined=StrictUndefined,
    autoescape=False,
    trim_blocks=True,
    lstrip_blocks=True,
)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file, checked.

    Attributes:
        prompt_id: stem of its file.
        version: raised with every change of the text.
        reply: the class that the model fills in.
        max_tokens: room for the reply.
        temperature: 0 for the most likely reply.
        inputs: names of the values that `render` needs.
        system, user: the two templates.
        examples: user part and answer of each worked example.
        canaries: invented names of the examples.
    """

    prompt_id: str
    version: int
    reply: type[replies.Reply]
    max_tokens: int
    temperature: float
    inputs: tuple[str, ...]
    system: str = field(repr=False)
    user: str = field(repr=False)
    examples: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    canaries: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """`id@version`: what records and the store know a prompt by."""
        return f"{self.prompt_id}@{self.version}"

    def render(self, /, **inputs: Any) -> tuple[Message, ...]:
        """Fill in the values and return the messages to send.

        Args:
            inputs: exactly the values that the prompt declares.

        Raises:
            PromptError: a value is missing, is one too many, or does not go with the template.
        """
        missing = [name for name in self.inputs if name not in inputs]
        surplus = [name for name in inputs if name not in self.inputs]
        if missing or surplus:
            complaints = [f"lacks {', '.join(map(repr, missing))}"] if missing else []
            complaints += [f"was given {', '.join(map(repr, surplus))} besides"] if surplus else []
            raise PromptError(
                f"The prompt {self.name!r} {' and '.join(complaints)}: give it exactly {', '.join(self.inputs) or 'nothing'}."
            )
        shown = (
            message
            for user, answer in self.examples
            for message in (Message("user", user), Message("assistant", answer))
        )
        try:
            return (
                Message("system", _template(self.system).render(inputs)),
                *shown,
                Message("user", _template(self.user).render(inputs)),
            )
        except (TemplateError, TypeError, ValueError) as error:
            raise PromptError(
                f"The prompt {self.name!r} cannot be filled in ({error}): correct its template."
            ) from error


def load_prompt(prompt_id: str, *, folder: Path | None = None) -> Prompt:
    """Read and check one prompt.

    Args:
        prompt_id: stem of the file.
        folder: where the file is; the installation's own `prompts/` by default.

    Raises:
        PromptError: there is no such prompt, or its file is broken; the message names file and place.
    """
    return _own(prompt_id) if folder is None else _load(folder, prompt_id)


@cache
def example_sentences() -> tuple[str, ...]:
    """Return what the answers of all prompts' worked examples say in words: a reply that says the same has copied it."""
    folder = resources.folder("prompts")
    answers = (json.loads(answer) for path in sorted(folder.glob("*.md")) for _, answer in _own(path.stem).examples)
    return tuple(dict.fromkeys(text for answer in answers for text in _texts(answer) if len(text) > _SHORT))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(inner)


@cache
def canaries() -> frozenset[str]:
    """Return the invented names of the worked examples of all prompts: no reply may hold one that its note does not."""
    folder = resources.folder("prompts")
    return frozenset(name for path in folder.glob("*.md") for name in _own(path.stem).canaries)


def as_data(text: str, *, keep_lines: bool = False) -> str:
    """Return the copy of foreign text that may stand in a prompt: all of it is read, none of it can steer.

    What no reader sees is removed, a space breaks whatever a model's tokenizer could take for a control token, and line
    ends become spaces.

    Args:
        text: a unit of a note, a heading, a title.
        keep_lines: keep the lines, for code and the like.
    """
    shown = visible(text)
    shown = _LINE_ENDS.sub("\n", shown) if keep_lines else _LINE_END_RUNS.sub(" ", shown)
    return _BRACKETED_TOKEN.sub("[ ", _ANGLED_TOKEN.sub("< ", shown))


def visible(text: str) -> str:
    """Return `text` without the characters that no reader sees; white space and what shapes an emoji stay."""
    return _STRAY.sub("", _HIDDEN.sub("", text))


def prompt_text_hash(path: Path) -> str:
    """Return the SHA-256 of a prompt file, a byte-order mark and the kind of line ends aside."""
    return hashlib.sha256(_text_of(path).encode()).hexdigest()


def check_lock(folder: Path) -> tuple[str, ...]:
    """Return what is wrong between the prompts of a folder and its `lock.toml`, one sentence each.

    Raises:
        PromptError: a prompt or the lock cannot be read.
    """
    locked, found = _locked(folder), _versions(folder)
    problems = [f"Prompt {name!r} is locked and has no file." for name in sorted(locked.keys() - found.keys())]
    for name, (version, digest) in found.items():
        if name not in locked:
            problems.append(f"Prompt {name!r} is missing from {LOCK_FILE}: write the lock.")
            continue
        locked_version, locked_digest = locked[name]
        if digest != locked_digest and version <= locked_version:
            problems.append(
                f"Prompt {name!r} has changed and is still version {version}: raise it, then write the lock."
            )
        elif (version, digest) != (locked_version, locked_digest):
            problems.append(f"Prompt {name!r} is version {version}, {LOCK_FILE} says {locked_version}: write the lock.")
    return tuple(problems)


def write_lock(folder: Path) -> None:
    """Write `lock.toml` for the prompts of a folder.

    Raises:
        PromptError: a prompt is broken, or has changed without a new version.
    """
    locked, found = _locked(folder), _versions(folder)
    for name, (version, digest) in found.items():
        if name in locked and digest != locked[name][1] and version <= locked[name][0]:
            raise PromptError(
                f"The prompt {name!r} has changed and is still version {version}: raise its version first."
            )
    lines = [
        f'[{name}]\nversion = {version}\nsha256 = "{digest}"\n' for name, (version, digest) in sorted(found.items())
    ]
    head = "# Written by agent.asking.prompts.write_lock: which text each version of a prompt has.\n\n"
    (folder / LOCK_FILE).write_text(head + "\n".join(lines), encoding="utf-8", newline="\n")


# Reading a file.


class _Header(BaseModel):
    """What stands between the `---` lines."""

    model_config = ConfigDict(strict=True, extra="forbid")

    id: str
    version: Annotated[int, Field(ge=1)]
    reply: str
    max_tokens: Annotated[int, Field(ge=1)]
    temperature: Annotated[float, Field(ge=0, le=2)]
    inputs: list[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]]
    canaries: list[Annotated[str, Field(min_length=4)]] = []


class _HeaderLoader(yaml.SafeLoader):
    """Refuses a key that stands twice; YAML itself would take the last one."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002 - yaml's signature
        names = [key.value for key, _ in node.value]
        if twice := {name for name in names if names.count(name) > 1}:
            raise yaml.YAMLError(f"{', '.join(map(repr, twice))} stands twice")
        return super().construct_mapping(node, deep)


@cache
def _own(prompt_id: str) -> Prompt:
    return _load(resources.folder("prompts"), prompt_id)


def _load(folder: Path, prompt_id: str) -> Prompt:
    if not _PROMPT_ID.fullmatch(prompt_id):
        raise PromptError(f"{prompt_id!r} is no name for a prompt: use small letters, digits and underscores.")
    path = folder / f"{prompt_id}.md"
    text = _text_of(path)
    before, fence, body = text.removeprefix(_FENCE).partition(f"\n{_FENCE}")
    if not text.startswith(_FENCE) or not fence:
        raise PromptError(f"{_shown(path)} has no header: begin it with a `---` line, the keys, and a `---` line.")
    header = _header(path, before)
    system, *between, user = _parts(path, body)
    _check_inputs(path, header, system, user)
    reply, examples = _reply(path, header.reply), tuple(zip(between[::2], between[1::2], strict=True))
    _check_examples(path, header, reply, examples)
    return Prompt(
        prompt_id=header.id,
        version=header.version,
        reply=reply,
        max_tokens=header.max_tokens,
        temperature=header.temperature,
        inputs=tuple(header.inputs),
        system=system,
        user=user,
        examples=examples,
        canaries=tuple(header.canaries),
    )


def _text_of(path: Path) -> str:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise PromptError(f"There is no prompt {path.stem!r}: {_shown(path)} is missing.") from None
    except (OSError, ValueError) as error:
        raise PromptError(f"{_shown(path)} cannot be read ({error}): a prompt is a UTF-8 text.") from error
    return _PLAIN_NEWLINES.sub("\n", text)


def _header(path: Path, text: str) -> _Header:
    try:
        header = _Header.model_validate(yaml.load(text, Loader=_HeaderLoader))  # noqa: S506 - a safe loader
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"]) or "---"
        known = ", ".join(_Header.model_fields)
        raise PromptError(
            f"The header of {_shown(path)} is wrong at {key!r} ({first['msg']}): its keys are {known}."
        ) from None
    except (yaml.YAMLError, ValueError, TypeError) as error:
        raise PromptError(f"The header of {_shown(path)} is no YAML ({error}): correct it.") from error
    if header.id != path.stem:
        raise PromptError(f"{_shown(path)} calls itself {header.id!r}: a prompt's id is the stem of its file.")
    return header


def _reply(path: Path, name: str) -> type[replies.Reply]:
    found = getattr(replies, name, None)
    if not (isinstance(found, type) and issubclass(found, replies.Reply)):
        raise PromptError(f"The header of {_shown(path)} names the reply {name!r}, which agent.replies does not have.")
    return found


def _parts(path: Path, body: str) -> tuple[str, ...]:
    """Return the parts in their order, without the empty lines around them: system, examples with answers, user."""
    lines = body.split("\n")
    places = [(line.rstrip(), number) for number, line in enumerate(lines) if line.rstrip() in _PART_LINES]
    is_ordered = _PARTS.fullmatch(" ".join(name for name, _ in places)) is not None
    if not is_ordered or any(line.strip() for line in lines[: places[0][1]]):
        raise PromptError(
            f"{_shown(path)} needs the line `# system`, its part, the line `# user` and its part, in this order; "
            "between them each `# example` has its `# answer`."
        )
    starts = [number for _, number in places]
    parts = tuple(
        "\n".join(lines[start + 1 : end]).strip("\n")
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)
    )
    if not all(part.strip() for part in parts):
        raise PromptError(f"{_shown(path)} has an empty part: write something under each of its lines.")
    return parts


def _check_examples(
    path: Path, header: _Header, reply: type[replies.Reply], examples: Sequence[tuple[str, str]]
) -> None:
    """An answer that is no reply would teach a model to make mistakes; a canary that no example holds warns of nothing."""
    for number, (_, answer) in enumerate(examples, start=1):
        try:
            reply.model_validate_json(answer, strict=True)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "its JSON"
            raise PromptError(
                f"The answer to example {number} of {_shown(path)} is no {header.reply} (wrong at {place}: {first['msg']}): "
                "correct it."
            ) from None
    shown = "\n".join(part for example in examples for part in example)
    if unused := [name for name in header.canaries if name not in shown]:
        raise PromptError(f"{_shown(path)} has no example that names {unused[0]!r}: take it from `canaries`.")


def _check_inputs(path: Path, header: _Header, system: str, user: str) -> None:
    """Hold the declared inputs against the variables that the templates use."""
    try:
        used = {name for part in (system, user) for name in meta.find_undeclared_variables(_ENVIRONMENT.parse(part))}
    except TemplateError as error:
        raise PromptError(f"{_shown(path)} is no template ({error}): correct it.") from error
    declared = set(header.inputs)
    if len(declared) != len(header.inputs):
        raise PromptError(f"The header of {_shown(path)} is wrong at 'inputs' (a name stands twice): name each once.")
    if undeclared := sorted(used - declared):
        raise PromptError(f"{_shown(path)} uses {', '.join(map(repr, undeclared))} without declaring it in `inputs`.")
    if unused := sorted(declared - used):
        raise PromptError(
            f"{_shown(path)} declares {', '.join(map(repr, unused))} and does not use it: take it from `inputs`."
        )


@cache
def _template(source: str) -> Template:
    return _ENVIRONMENT.from_string(source)


def _versions(folder: Path) -> dict[str, tuple[int, str]]:
    """Return version and hash by id, of every prompt in a folder."""
    return {
        path.stem: (_load(folder, path.stem).version, prompt_text_hash(path)) for path in sorted(folder.glob("*.md"))
    }


def _locked(folder: Path) -> dict[str, tuple[int, str]]:
    path = folder / LOCK_FILE
    if not path.is_file():
        return {}
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))
        return {name: (int(entry["version"]), str(entry["sha256"])) for name, entry in entries.items()}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        raise PromptError(f"{_shown(path)} is broken ({error}): delete it and write the lock.") from error


def _shown(path: Path) -> str:
    return repr(str(path))

"""The one reader of the environment: flags, variables, `agent.toml` and the user's own file become one frozen record.

Promises: a flag beats a variable, a variable beats the workspace's `agent.toml`, that beats the user-level file, that the
default; `Settings.origins` says where each value came from. A workspace can never choose an endpoint, key, command or
path. No key stands in a `repr`, a message or an origin.
"""

import datetime as dt
import difflib
import errno
import os
import stat
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import SecretStr, ValidationError

from agent.costs import Prices
from agent.errors import EngineUnavailable, SettingsError
from agent.records import Engine, Language
from agent.setting_values import WEEKDAYS, BatonTable, GivenValues, PricesTable, UserFile, Values, WorkspaceFile

WORKSPACE_FILE = "agent.toml"
PROGRAM = "relay-digest"
MAX_FILE_BYTES = 256_000
MAX_LINE_BYTES = 4_000
PLACEHOLDER_KEY = "no-key"  # what endpoints without keys (Ollama, llama.cpp, vLLM) are sent

# Each value may be set by AGENT_ and its name; these are set by what every OpenAI-compatible program reads.
_VARIABLES: Mapping[str, tuple[str, ...]] = {
    "model": ("AGENT_MODEL", "OPENAI_MODEL"),
    "base_url": ("OPENAI_BASE_URL",),
    "api_key": ("OPENAI_API_KEY",),
}

# A key of `agent.toml` that holds one of these words would steer us out of the workspace.
_STEERING_WORDS = (
    "url", "endpoint", "host", "proxy", "header", "key", "token", "secret", "password", "credential", "command", "cmd",
    "hook", "exec", "shell", "script", "plugin", "path", "dir", "folder", "file",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Baton:
    """One planned turn of one agent, on the weekdays named, at a time of day in the workspace's zone (None: any)."""

    agent: str
    topic: str | None = None
    slot: dt.time | None = None
    days: tuple[str, ...] = WEEKDAYS  # in week order


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, checked."""

    own_agent: str = "digest"  # the inbox folder that our own briefs go to
    agents: tuple[str, ...] = ()  # expected relay agents; empty means whoever has an inbox
    batons: tuple[Baton, ...] = ()
    topics: tuple[str, ...] = ()  # living documents that should be there; one that is missing is said to be stale
    timezone: str = "Asia/Shanghai"
    language: Language = "zh"
    days: int = 2  # covered by a digest, its own day included
    stale_days: int = 3  # without an update, then a living document counts as stale
    stale_days_by_topic: Mapping[str, int] = field(default_factory=dict)  # where a topic has a limit of its own
    late_minutes: int = 60  # after its slot, then a baton counts as late
    budget_tokens: int | None = None  # most that one run may use; None means no limit
    model: str | None = None  # at the remote endpoint; None means the engine's own default
    workers: int = 4  # calls made side by side
    engine: Engine | None = None  # None means `choose_engine` decides
    base_url: str | None = None  # OpenAI-compatible; None means the vendor's own
    api_key: SecretStr | None = None  # masked wherever it is printed
    local_model: Path | None = None  # weights file; None means to look for it
    local_threads: int | None = None  # None means what the machine has free
    cache_dir: Path = Path("/.cache", PROGRAM)  # large files that can be had again
    state: Path | None = None  # database, logs, locks; None means the workspace's own folder
    user_state: Path = Path("/.local/state", PROGRAM)  # the same for workspaces that cannot be written
    deadline_seconds: float = 300.0  # for one HTTP request of a model call
    price_input: Decimal | None = None  # of a million tokens; None means that no money is stated
    price_cached: Decimal | None = None  # of those that the server's prefix cache holds; None means as all others
    price_output: Decimal | None = None
    currency: str = "USD"
    origins: Mapping[str, str] = field(default_factory=dict, compare=False)  # where each value came from
    remarks: tuple[str, ...] = field(default=(), compare=False)  # what the user should know, one sentence each

    @property
    def zone(self) -> ZoneInfo:
        """The zone of `timezone`."""
        return ZoneInfo(self.timezone)

    @property
    def prices(self) -> Prices | None:
        """What tokens cost; None where it is not configured both ways."""
        if self.price_input is None or self.price_output is None:
            return None
        cached = self.price_input if self.price_cached is None else self.price_cached
        return Prices(self.price_input, cached, self.price_output, self.currency)

    @property
    def remote_key(self) -> SecretStr:
        """The key to send to the endpoint; a placeholder where none is set, for endpoints that ask for none."""
        return self.api_key or SecretStr(PLACEHOLDER_KEY)


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """The engine to use, and in one sentence why."""

    engine: Engine
    reason: str


def load_settings(
    workspace: Path | None, *, flags: Mapping[str, object], environ: Mapping[str, str] | None = None
) -> Settings:
    """Gather the settings of one run.

    Args:
        workspace: folder whose `agent.toml` counts, or None for none.
        flags: values given on the command line by the names of `Settings`; None means not given.
        environ: the variables to read, the process's own by default.

    Raises:
        SettingsError: a value makes no sense; the message names file or variable, key, and line where there is one.
    """
    variables = os.environ if environ is None else environ
    user_file = _folder_of(variables, "XDG_CONFIG_HOME", ".config") / "config.toml"
    user_layer = _user_layer(user_file, home=_home(variables))
    layers = [_flag_layer(flags), _variable_layer(variables)]
    if workspace is not None:
        layers.append(_workspace_layer(workspace / WORKSPACE_FILE))
    layers += [user_layer, _default_layer(variables)]

    values: dict[str, Any] = {}
    origins = {setting.name: "default" for setting in fields(Settings)[:-2]}  # all but origins and remarks
    for layer in layers:
        for name, (value, origin) in layer.items():
            if name not in values:
                values[name], origins[name] = value, origin
    remarks = (*_remarks(user_file, user_layer), *_price_remarks(values))
    return Settings(**values, origins=origins, remarks=remarks)


def choose_engine(settings: Settings, *, has_local: bool) -> EngineChoice:
    """Choose the engine: the one asked for, else remote if a key is set, else local if installed, else none.

    Args:
        settings: the settings of the run.
        has_local: the local engine and its weights are installed.

    Raises:
        EngineUnavailable: the engine asked for is not configured or not installed.
    """
    asked = f"engine {settings.engine!r} was asked for by {settings.origins.get('engine', 'the caller')}"
    if settings.engine == "local" and not has_local:
        raise EngineUnavailable("Engine 'local' is not installed: run pip install 'relay-digest[local]'.")
    if settings.engine == "remote" and settings.api_key is None:
        if settings.base_url is None:
            raise EngineUnavailable(
                "Engine 'remote' has no key: set OPENAI_API_KEY, or OPENAI_BASE_URL for an endpoint that asks for none."
            )
        asked += "; no key is set, so the endpoint is sent a placeholder"
    if settings.engine is not None:
        return EngineChoice(settings.engine, asked)
    if settings.api_key is not None:
        return EngineChoice("remote", f"a key is set by {settings.origins.get('api_key', 'the caller')}")
    hint = "; an endpoint without a key is used with --engine remote alone" if settings.base_url else ""
    if has_local:
        return EngineChoice("local", f"no key is set and the local engine is installed{hint}")
    return EngineChoice("none", f"no key is set and the local engine is not installed{hint}")


def variables_of(name: str) -> tuple[str, ...]:
    """Return the names of the environment variables that may set a value; the first one that is set counts."""
    return _VARIABLES.get(name, (f"AGENT_{name.upper()}",))


_Layer = dict[str, tuple[object, str]]  # settings with their value and its origin


def _flag_layer(flags: Mapping[str, object]) -> _Layer:
    given = ((name, value) for name, value in flags.items() if value is not None)
    return _given_layer({name: (value, f"--{name.replace('_', '-')}") for name, value in given})


def _variable_layer(variables: Mapping[str, str]) -> _Layer:
    given: _Layer = {}
    for name in GivenValues.model_fields:
        for variable in variables_of(name):
            if variables.get(variable, "").strip():
                given[name] = (variables[variable].strip(), variable)
                break
    return _given_layer(given)


def _given_layer(given: _Layer) -> _Layer:
    try:
        checked = GivenValues.model_validate({name: value for name, (value, _) in given.items()}, strict=False)
    except ValidationError as error:
        name, reason = _first_complaint(error)
        raise SettingsError(f"{given[str(name[0])][1]}: {reason}.") from None
    return {name: (_frozen(getattr(checked, name)), origin) for name, (_, origin) in given.items()}


def _workspace_layer(path: Path) -> _Layer:
    text = _text_of(path, follow_links=False)
    table = _parsed(path, text)
    for keys in _all_keys(table):
        if not _is_topic(keys) and _is_steering(str(keys[-1])):
            raise SettingsError(
                f"{_place(path, text, keys)}: a workspace must never choose {keys[-1]!r}: endpoints, keys, commands and "
                "paths come from flags, the environment or the user-level file alone; remove the line."
            )
    return _file_layer(path, text, WorkspaceFile, table)


def _user_layer(path: Path, *, home: Path) -> _Layer:
    text = _text_of(path, follow_links=True)
    layer = _file_layer(path, text, UserFile, _parsed(path, text))
    for name, (value, origin) in layer.items():
        if isinstance(value, Path):
            whole = home.joinpath(*value.parts[1:]) if value.parts[0] == "~" else path.parent / value
            layer[name] = (whole, origin)
    return layer


def _default_layer(variables: Mapping[str, str]) -> _Layer:
    return {
        "cache_dir": (_folder_of(variables, "XDG_CACHE_HOME", ".cache"), "default"),
        "user_state": (_folder_of(variables, "XDG_STATE_HOME", ".local/state"), "default"),
    }


def _file_layer(path: Path, text: str, model: type[Values], table: dict[str, object]) -> _Layer:
    try:
        checked = model.model_validate(table)
    except ValidationError as error:
        keys, reason = _first_complaint(error, known=tuple(model.model_fields))
        raise SettingsError(f"{_place(path, text, keys)}: {reason}.") from None
    if isinstance(checked, WorkspaceFile):
        _refuse_double_batons(path, text, checked.batons or [])
    layer: _Layer = {}
    for name in table:
        value = getattr(checked, name)
        if isinstance(value, PricesTable):
            named = {key: key if key == "currency" else f"price_{key}" for key in value.model_fields_set}
            layer |= {named[key]: (getattr(value, key), _place(path, text, (name, key))) for key in named}
        else:
            layer[name] = (_frozen(value), _place(path, text, (name,)))
    return layer


def _refuse_double_batons(path: Path, text: str, batons: list[BatonTable]) -> None:
    seen: dict[tuple[object, ...], int] = {}
    for number, baton in enumerate(batons):
        for day in baton.days:
            first = seen.setdefault((baton.agent, baton.topic, baton.slot, day), number)
            if first != number:
                raise SettingsError(
                    f"{_place(path, text, ('batons', number, 'agent'))}: baton {number + 1} repeats baton {first + 1} "
                    f"(agent {baton.agent!r}, topic {baton.topic!r}, {day}): remove one of them."
                )


def _frozen(value: object) -> object:
    if not isinstance(value, list):
        return value
    if value and isinstance(value[0], BatonTable):
        return tuple(Baton(table.agent, table.topic, table.slot, table.days) for table in value)
    return tuple(dict.fromkeys(value))


def _is_topic(keys: tuple[int | str, ...]) -> bool:
    """Whether a key is a topic's name, which may hold any word."""
    return keys[0] == "stale_days_by_topic" and len(keys) == 3


def _is_steering(key: str) -> bool:
    name = key.lower().replace("-", "_")
    if name in WorkspaceFile.model_fields:
        return False
    return name in UserFile.model_fields or any(word in name for word in _STEERING_WORDS)


def _first_complaint(error: ValidationError, *, known: tuple[str, ...] = ()) -> tuple[tuple[int | str, ...], str]:
    """Return the keys and the reason of the first error; values are shown unless they may be secret."""
    first = error.errors(include_url=False)[0]
    keys = first["loc"][:-1] if first["loc"][-1:] == ("[key]",) else first["loc"]
    name = next((str(key) for key in reversed(keys) if isinstance(key, str)), "")
    if first["type"] == "extra_forbidden":
        table: type[BatonTable | PricesTable] = PricesTable if keys[0] == "prices" else BatonTable
        near = difflib.get_close_matches(name, known if len(keys) == 1 else table.model_fields, n=1)
        return keys, f"{name!r} is no setting" + (f"; perhaps {near[0]!r} is meant" if near else "")
    if first["type"] == "missing":
        return keys, f"{name!r} is missing"
    if first["type"] == "value_error":
        return keys, f"{name!r}: {first['ctx']['error']}"
    value = first["input"]
    is_shown = isinstance(value, str | float) or (isinstance(value, int) and value.bit_length() < 64)
    shown = f", not {str(value)[:60]!r}" if is_shown and name not in {"api_key", "base_url"} else ""
    return keys, f"{name!r} {first['msg'].replace('Input should', 'should')}{shown}"


def _text_of(path: Path, *, follow_links: bool) -> str:
    """Return a settings file's text, empty where there is no such file."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow_links else os.O_NOFOLLOW)
    try:
        descriptor = os.open(path, flags)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return ""
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise SettingsError(f"{str(path)!r} is a link: put the file itself there.") from None
        raise SettingsError(f"{str(path)!r} cannot be read ({error.strerror}): check its permissions.") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise SettingsError(f"{str(path)!r} is no regular file: move it away.")
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise SettingsError(f"{str(path)!r} is larger than {MAX_FILE_BYTES:,} bytes: settings are a few lines.")
    for number, raw in enumerate(content.split(b"\n"), 1):
        if len(raw) > MAX_LINE_BYTES:  # dotted keys of such a length would take tomllib minutes
            raise SettingsError(f"{str(path)!r} line {number} is longer than {MAX_LINE_BYTES:,} bytes: break it up.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SettingsError(f"{str(path)!r} line {line} is not UTF-8: save the file as UTF-8.") from None


def _parsed(path: Path, text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "a value is too deep or too large"
        raise SettingsError(f"{str(path)!r} is no valid TOML: {reason}.") from None


def _all_keys(table: dict[str, object], *, depth: int = 4) -> Iterator[tuple[int | str, ...]]:
    """Yield the path of each key, those of tables inside included; what lies deeper is no setting anyway."""
    for key, value in table.items():
        yield (key,)
        for number, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, dict) and depth:
                yield from ((key, number, *path) for path in _all_keys(child, depth=depth - 1))


def _place(path: Path, text: str, keys: tuple[int | str, ...]) -> str:
    line = _line_of(text, keys)
    return f"{str(path)!r}" + (f" line {line}" if line else "")


def _line_of(text: str, keys: tuple[int | str, ...]) -> int | None:
    """Return the 1-based line of a key, or of the innermost table or key around it that can be found."""
    names = [key for key in keys if isinstance(key, str)]
    skipped = next((key for key in keys if isinstance(key, int)), 0)
    found: int | None = None
    is_inside = len(names) == 1
    for number, line in enumerate(text.split("\n"), 1):
        head = line.strip()
        is_table = head.startswith("[")
        name = head.lstrip("[").partition("]")[0].partition("=")[0].partition(".")[0].strip(" \t\"'")
        if is_table and is_inside and found is not None:
            return found
        if name == names[0] and not is_inside:
            is_inside, found = skipped == 0 or not is_table, number
            skipped -= is_table
        elif name == names[-1] and is_inside:
            return number
        elif is_table:
            is_inside = False
    return found


def _home(variables: Mapping[str, str]) -> Path:
    return Path(variables.get("HOME") or "/")


def _folder_of(variables: Mapping[str, str], variable: str, below_home: str) -> Path:
    """Return our folder below an XDG base; relative values are ignored, as the XDG base directory specification asks."""
    base = Path(variables.get(variable, ""))
    return (base if base.is_absolute() else _home(variables) / below_home) / PROGRAM


def _remarks(user_file: Path, user_layer: _Layer) -> tuple[str, ...]:
    if "api_key" in user_layer and user_file.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
        return (f"{str(user_file)!r} holds a key and others may read it: run chmod 600 on it.",)
    return ()


def _price_remarks(values: Mapping[str, object]) -> tuple[str, ...]:
    known = {name for name in ("price_input", "price_cached", "price_output") if values.get(name) is not None}
    if not known or {"price_input", "price_output"} <= known:
        return ()
    missing = " and ".join(sorted({"price_input", "price_output"} - known))
    return (f"No money is stated: {' and '.join(sorted(known))} is set, and {missing} is not.",)

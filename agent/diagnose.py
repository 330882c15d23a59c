"""What is configured, reachable and missing, for `agent doctor`; never a secret.

Promises: what is broken becomes a finding, never an error; no model is asked, and nothing local is started.
"""

import dataclasses
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rapidfuzz import process

from agent.asking.reaching import served_models
from agent.asking.transport import cleaned
from agent.asking.weights import has_local, local_status
from agent.engine import remote_endpoint, remote_model
from agent.errors import AgentError, ModelRefusedAccess
from agent.settings import Settings, choose_engine, load_settings
from agent.workspace import Workspace

_UNSHOWN = frozenset({"origins", "remarks"})
_NEAR = 5  # models that are named where ours is not listed


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the diagnosis; `is_fine` is False where something asked for will not work."""

    what: str
    state: str
    detail: str
    is_fine: bool = True


def diagnose(folder: Path, flags: Mapping[str, object]) -> tuple[Finding, ...]:
    """Look at settings, engine and workspace; what is broken becomes a finding, never an error."""
    try:
        settings = load_settings(folder, flags=flags)
    except AgentError as error:
        return (Finding("settings", "broken", str(error), is_fine=False),)
    remarks = (Finding("remark", "", remark) for remark in settings.remarks)
    return (*remarks, *_engines(settings), *_workspace(folder, settings), *_values(settings))


def _engines(settings: Settings) -> Iterator[Finding]:
    local, is_installed = _local(settings)
    wanted = settings.engine
    try:
        choice = choose_engine(settings, has_local=is_installed)
    except AgentError as error:
        yield Finding("engine", "unavailable", str(error), is_fine=False)
    else:
        wanted = choice.engine
        yield Finding("engine", choice.engine, choice.reason)
        if choice.engine == "remote":
            yield _reached(settings)
    is_needed = wanted == "local" or settings.local_model is not None
    yield dataclasses.replace(local, is_fine=local.is_fine or not is_needed)
    yield _remote(settings)


def _local(settings: Settings) -> tuple[Finding, bool]:
    """Say how the local engine is, and whether a run would choose it, which takes a model file that is named on trust."""
    named = settings.local_model
    try:
        is_installed, detail = has_local(named, settings.cache_dir), local_status(named, settings.cache_dir)
        is_ready = is_installed and (named is None or named.is_file())
    except OSError as error:  # a name that is too long, a folder that may not be looked into
        is_installed, is_ready = named is not None, False
        detail = f"its model file cannot be looked for ({error.strerror}): correct AGENT_LOCAL_MODEL or AGENT_CACHE_DIR"
    return Finding("engine local", "ready" if is_ready else "missing", detail, is_fine=is_ready), is_installed


def _remote(settings: Settings) -> Finding:
    if settings.api_key is not None:
        return Finding("engine remote", "key set", "")
    if settings.base_url is not None:
        return Finding("engine remote", "no key", "--engine remote asks OPENAI_BASE_URL without one")
    return Finding("engine remote", "no key", "set OPENAI_API_KEY to use it")


def _reached(settings: Settings) -> Finding:
    endpoint, model = remote_endpoint(settings), remote_model(settings)
    try:
        served = served_models(endpoint)
    except AgentError as error:
        state = "refused" if isinstance(error, ModelRefusedAccess) else "unusable"
        return Finding("endpoint", state, str(error), is_fine=False)
    if served and not _is_served(model, served):
        near = ", ".join(cleaned(name) for name, _, _ in process.extract(model, sorted(served), limit=_NEAR))
        return Finding(
            "endpoint", "reached", f"{endpoint.shown} does not list model {model!r}; it lists {near}", is_fine=False
        )
    return Finding("endpoint", "reached", f"{endpoint.shown}, model {model!r}")


def _is_served(model: str, served: Collection[str]) -> bool:
    """Whether a model is listed: some servers list it with a tag behind its name, or with a folder before it."""
    return any(one == model or one.startswith(f"{model}:") or one.endswith(f"/{model}") for one in served)


def _workspace(folder: Path, settings: Settings) -> Iterator[Finding]:
    try:
        workspace = Workspace.open(folder, settings=settings)
        notes = [one for one in workspace.listing() if one.outcome is None]
        agents, documents = workspace.agents(), workspace.documents()
    except AgentError as error:
        yield Finding("workspace", "unusable", str(error), is_fine=False)
        return
    said = f"{len(notes)} notes of {len(agents)} agents, {len(documents)} living documents"
    yield Finding("workspace", "found", said)
    for problem in workspace.problems:
        yield Finding("living document", "unreadable", problem, is_fine=False)
    for remark in workspace.remarks:
        yield Finding("remark", "", remark)
    yield _state(workspace)


def _state(workspace: Workspace) -> Finding:
    try:
        return Finding("state", "usable", str(workspace.state_folder))
    except AgentError as error:
        return Finding("state", "unusable", str(error), is_fine=False)


def _values(settings: Settings) -> Iterator[Finding]:
    for field in dataclasses.fields(settings):
        if field.name not in _UNSHOWN:
            value = getattr(settings, field.name)
            yield Finding(f"setting {field.name}", _written(value), settings.origins.get(field.name, ""))


def _written(value: object) -> str:
    if isinstance(value, tuple):
        names = [one for one in value if isinstance(one, str)]
        return ", ".join(names) if len(names) == len(value) else f"{len(value)} planned"
    return "" if value is None else str(value)

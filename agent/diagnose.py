"""What is configured, reachable and missing, for `agent doctor`; never a secret."""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from agent.asking.reaching import served_models
from agent.asking.weights import has_local, local_status
from agent.engine import remote_endpoint, remote_model
from agent.errors import AgentError
from agent.settings import Settings, choose_engine, load_settings
from agent.workspace import Workspace

_UNSHOWN = frozenset({"origins", "remarks", "batons"})


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
    return (*_engine(settings), *_workspace(folder, settings), *_values(settings))


def _engine(settings: Settings) -> Iterator[Finding]:
    is_installed = has_local(settings.local_model, settings.cache_dir)
    try:
        choice = choose_engine(settings, has_local=is_installed)
    except AgentError as error:
        yield Finding("engine", "unavailable", str(error), is_fine=False)
    else:
        yield Finding("engine", choice.engine, choice.reason)
        if choice.engine == "remote":
            yield _reached(settings)
    yield Finding(
        "engine local", "ready" if is_installed else "missing", local_status(settings.local_model, settings.cache_dir)
    )
    is_keyed = settings.api_key is not None
    yield Finding(
        "engine remote", "key set" if is_keyed else "no key", "set OPENAI_API_KEY to use it" if not is_keyed else ""
    )


def _reached(settings: Settings) -> Finding:
    endpoint, model = remote_endpoint(settings), remote_model(settings)
    try:
        served = served_models(endpoint)
    except AgentError as error:
        return Finding("endpoint", "unreachable", str(error), is_fine=False)
    if served and model not in served:
        known = ", ".join(sorted(served)[:5])
        return Finding(
            "endpoint", "reached", f"{endpoint.shown} does not list model {model!r}; it lists {known}", is_fine=False
        )
    return Finding("endpoint", "reached", f"{endpoint.shown}, model {model!r}")


def _workspace(folder: Path, settings: Settings) -> Iterator[Finding]:
    try:
        workspace = Workspace.open(folder, settings=settings)
        listed, documents = workspace.listing(), workspace.documents()
    except AgentError as error:
        yield Finding("workspace", "unusable", str(error), is_fine=False)
        return
    yield Finding(
        "workspace",
        "found",
        f"{len(listed)} notes of {len(workspace.agents())} agents, {len(documents)} living documents",
    )
    yield Finding("state", "usable", str(workspace.state_folder))
    for remark in workspace.remarks:
        yield Finding("remark", "", remark)


def _values(settings: Settings) -> Iterator[Finding]:
    for field in dataclasses.fields(settings):
        if field.name in _UNSHOWN:
            continue
        value = getattr(settings, field.name)
        yield Finding(field.name, "" if value is None else str(value), settings.origins.get(field.name, ""))

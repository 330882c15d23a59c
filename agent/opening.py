"""What all commands begin with: settings and workspace from the flags, the engine chosen, its model opened."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from agent import console
from agent.asking.remembering import Memory, RememberingModel
from agent.asking.weights import has_local
from agent.engine import Watcher, opened
from agent.records import Engine
from agent.settings import Settings, choose_engine, load_settings
from agent.workspace import Workspace

Flags = Mapping[str, object]


def begin(folder: Path, flags: Flags) -> tuple[Settings, Workspace]:
    """Load the settings and open the workspace; what the user should know of them is said.

    Raises:
        AgentError: the settings make no sense, or there is no workspace.
    """
    settings = load_settings(folder, flags=flags)
    workspace = Workspace.open(folder, settings=settings)
    say_all(settings.remarks + workspace.remarks)
    return settings, workspace


def say_all(remarks: Iterable[str]) -> None:
    """Print each remark to standard error."""
    for remark in remarks:
        console.say(remark)


def choose(settings: Settings) -> Engine:
    """Choose the engine, and say which one and why.

    Raises:
        EngineUnavailable: the one asked for is not configured or not installed.
    """
    choice = choose_engine(settings, has_local=has_local(settings.local_model, settings.cache_dir))
    console.say(f"Engine {choice.engine}: {choice.reason}.")
    return choice.engine


@contextmanager
def model_of(
    engine: Engine, settings: Settings, workspace: Workspace, *, memory: Memory | None, watcher: Watcher
) -> Iterator[RememberingModel | None]:
    """Open the model of an engine, and close it at the end; None for engine none.

    Raises:
        EngineUnavailable: it cannot be had.
    """
    if engine == "none" or memory is None:
        yield None
        return
    with opened(engine, settings, workspace, memory=memory, watcher=watcher) as model:
        yield model

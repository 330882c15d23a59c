"""Opens the engine of a run: settings in, a remembering model out.

Promises: nothing is started before a first call needs it; what was started is closed, however the run ends, and nothing is
started after that. Calls that are under way then end within a second.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Protocol

from agent.asking.budget import Budget
from agent.asking.estimating import EstimatingModel, Recall
from agent.asking.local import LocalServer
from agent.asking.model import Model, OpenAIModel
from agent.asking.remembering import Memory, Payer, RememberingModel
from agent.asking.retry import Retries
from agent.asking.transport import Endpoint
from agent.asking.weights import OnBytes, find_weights, foreseen_weights
from agent.errors import EngineUnavailable
from agent.records import Engine
from agent.settings import Settings
from agent.workspace import Workspace

DEFAULT_BASE_URL = "https://api.openai.com/v1"
DEFAULT_REMOTE_MODEL = "gpt-5-mini"


class Watcher(Payer, Protocol):
    """Who is told what happens; called from several threads."""

    def joined(self, done: int, total: int) -> None:
        """So many bytes of the local model's weights are joined or checked."""

    def remarked(self, sentence: str) -> None:
        """Something that a reader should know about how the endpoint was asked; told at the end."""


@dataclass(frozen=True, slots=True)
class _Way:
    """How a model is reached: its name, what the store knows its endpoint by, and what opens that endpoint."""

    name: str
    identity: str
    find: Callable[[], Endpoint]


@contextmanager
def opened(
    engine: Engine, settings: Settings, workspace: Workspace, *, memory: Memory, watcher: Watcher
) -> Iterator[RememberingModel]:
    """Open engine remote or local, and close what was started; `watcher` is told each answer and how weights come along.

    Raises:
        EngineUnavailable: the local model's weights cannot be found or assembled.
    """
    stop = threading.Event()
    made: list[OpenAIModel] = []
    with ExitStack() as servers:
        way = _remote(settings) if engine == "remote" else _local(settings, workspace, servers, watcher.joined)

        def make() -> Model:
            if stop.is_set():
                raise EngineUnavailable("The run was stopped before the model was started: run again to go on.")
            deadline = settings.deadline_seconds
            made.append(
                OpenAIModel(way.name, endpoint=way.find(), deadline_seconds=deadline, retries=Retries(stop=stop))
            )
            return made[-1]

        model = RememberingModel(
            make,
            name=way.name,
            endpoint=way.identity,
            memory=memory,
            budget=Budget(settings.budget_tokens),
            payer=watcher,
        )
        try:
            yield model
        finally:
            stop.set()  # first: a call under way would take the end of its server for a fault
            model.close()
            for remark in (remark for one in made for remark in one.remarks):
                watcher.remarked(remark)


def foreseen(engine: Engine, settings: Settings, *, memory: Recall | None) -> EstimatingModel:
    """Return what stands in for engine remote or local while its cost is estimated; nothing is started or joined.

    Raises:
        EngineUnavailable: the local model's weights cannot be found.
    """
    if engine == "remote":
        name, identity = remote_model(settings), remote_endpoint(settings).name
    else:
        weights = foreseen_weights(settings.local_model, settings.cache_dir)
        name, identity = weights.name, weights.identity
    return EstimatingModel(name=name, endpoint=identity, memory=memory)


def remote_endpoint(settings: Settings) -> Endpoint:
    """Where remote calls go."""
    return Endpoint(base_url=settings.base_url or DEFAULT_BASE_URL, api_key=settings.remote_key.get_secret_value())


def remote_model(settings: Settings) -> str:
    """The model that remote calls ask for."""
    return settings.model or DEFAULT_REMOTE_MODEL


def _remote(settings: Settings) -> _Way:
    endpoint = remote_endpoint(settings)
    return _Way(remote_model(settings), endpoint.name, lambda: endpoint)


def _local(settings: Settings, workspace: Workspace, servers: ExitStack, joined: OnBytes) -> _Way:
    weights = find_weights(settings.local_model, settings.cache_dir, progress=joined)

    def serve() -> Endpoint:
        server = servers.enter_context(
            LocalServer(weights, threads=settings.local_threads, state_folder=workspace.state_folder)
        )
        return Endpoint(base_url=server.base_url, api_key=server.api_key, identity=weights.identity)

    return _Way(weights.name, weights.identity, serve)

"""Opens the engine of a run: settings in, a remembering model out. Nothing is started before a first call needs it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol

from agent.asking.budget import Budget
from agent.asking.local import LocalServer
from agent.asking.model import Answer, Model, OpenAIModel
from agent.asking.remembering import Memory, RememberingModel
from agent.asking.retry import Retries
from agent.asking.transport import Endpoint
from agent.asking.weights import Weights, find_weights
from agent.records import Engine
from agent.settings import Settings
from agent.workspace import Workspace

DEFAULT_BASE_URL = "https://api.openai.com/v1"
DEFAULT_REMOTE_MODEL = "gpt-5-mini"


class Watcher(Protocol):
    """Who is told what happens; called from several threads."""

    def called(self, answer: Answer) -> None:
        """A reply came, from the model or from memory."""

    def joined(self, done: int, total: int) -> None:
        """So many bytes of the local model's weights are joined or checked."""


@contextmanager
def opened(
    engine: Engine, settings: Settings, workspace: Workspace, *, memory: Memory, watcher: Watcher
) -> Iterator[RememberingModel]:
    """Open engine remote or local, and close what was started; `watcher` is told each answer and how weights come along.

    Raises:
        EngineUnavailable: the local model's weights cannot be found or assembled.
    """
    stop = threading.Event()
    with ExitStack() as stack:
        if engine == "remote":
            endpoint = remote_endpoint(settings)
            name, identity = remote_model(settings), endpoint.name
            make = _maker(name, lambda: endpoint, settings, stop)
        else:
            weights = find_weights(settings.local_model, settings.cache_dir, progress=watcher.joined)
            name, identity = weights.name, local_identity(weights)
            make = _maker(name, lambda: _serve(weights, settings, workspace, stack), settings, stop)
        model = RememberingModel(
            make,
            name=name,
            endpoint=identity,
            memory=memory,
            budget=Budget(settings.budget_tokens),
            on_answer=watcher.called,
        )
        stack.callback(model.close)
        stack.callback(stop.set)
        yield model


def remote_endpoint(settings: Settings) -> Endpoint:
    """Where remote calls go."""
    return Endpoint(base_url=settings.base_url or DEFAULT_BASE_URL, api_key=settings.remote_key.get_secret_value())


def remote_model(settings: Settings) -> str:
    """The model that remote calls ask for."""
    return settings.model or DEFAULT_REMOTE_MODEL


def local_identity(weights: Weights) -> str:
    """What the store knows the local engine by: its weights, whatever port it listens on."""
    return f"local:{weights.sha256[:12]}"


def _maker(name: str, find: Callable[[], Endpoint], settings: Settings, stop: threading.Event) -> Callable[[], Model]:
    def make() -> Model:
        return OpenAIModel(
            name, endpoint=find(), deadline_seconds=settings.deadline_seconds, retries=Retries(stop=stop)
        )

    return make


def _serve(weights: Weights, settings: Settings, workspace: Workspace, stack: ExitStack) -> Endpoint:
    server = stack.enter_context(
        LocalServer(weights, threads=settings.local_threads, state_folder=workspace.state_folder)
    )
    return Endpoint(base_url=server.base_url, api_key=server.api_key, identity=local_identity(weights))

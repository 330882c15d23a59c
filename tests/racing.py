"""Runs of the relay in processes of their own: many at one instant, and some that are killed on the way.

Workers come from a fork server that has loaded the program once, so that a trial costs milliseconds.
"""

import datetime as dt
import hashlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any, Self

from agent import files, relay
from agent.asking.budget import Budget
from agent.asking.model import Answer, Request
from agent.asking.remembering import RememberingModel
from agent.handoffs import RelaySummary
from agent.records import CheckedNote
from agent.relay import Means, run_relay
from agent.relay_running import run_once
from agent.settings import load_settings
from agent.store import Store
from agent.workspace import Workspace
from tests.noting import scripted

NOW = dt.datetime.fromisoformat("2026-09-14T19:30:00+08:00")
BRIEF = "inbox/digest/2026-09-14-1900-digest-all.md"
PLAN = 'timezone = "Asia/Shanghai"\n\n[[batons]]\nagent = "digest"\nslot = "19:00"\n'
NOTE = """# 简报

增量 1：分层缓存

来源：某博客
要点：
- 分层缓存，吞吐升到 120 tok/s

增量 2：前缀树

来源：某博客
要点：
- 首字延迟从 900 ms 降到 300 ms

建议归入：inference.md · §4.1（补充）
"""
DOCUMENT = "# inference\n\n更新：2026-09-13\n\n## 4 KV\n\n### 4.1 分层\n\n主机内存一行。\n"
_FIELDS = {
    "summary": "吞吐上升，没有别的。",
    "source_kind": "blog",
    "measured_by": "author",
    "conditions_given": "partly",
    "primary_source": False,
    "commercial_interest": False,
    "reproducible": False,
    "reason": "作者自测。",
}
_PLACED = {"section": "A", "line": "none", "relation": "extends", "action": "append"}


def a_workspace(root: Path, plan: str = PLAN) -> Path:
    """Make a small workspace with one note of the day."""
    for folder in ("inbox/tom", "organized/knowledge", "paper_cards"):
        (root / folder).mkdir(parents=True)
    (root / "agent.toml").write_text(plan)
    (root / "inbox/tom/2026-09-14-1100-radar.md").write_text(NOTE)
    (root / "organized/knowledge/inference.md").write_text(DOCUMENT)
    return root


def seen(root: Path) -> dict[str, tuple[bytes, int]]:
    """Everything in a workspace that is not the program's own, with content and time of change."""
    found = (path for path in root.rglob("*") if ".agent" not in path.relative_to(root).parts)
    return {
        str(path.relative_to(root)): (path.read_bytes() if path.is_file() else b"", path.stat().st_mtime_ns)
        for path in found
    }


class Silent:
    """Nobody is told of progress."""

    def begin(self, notes: int) -> None: ...
    def started(self, path: str) -> None: ...
    def finished(self, checked: CheckedNote) -> None: ...


class CountedModel:
    """A model that answers by a script, and notes in a file each question that it is paid for."""

    name, endpoint = "counted", "counted"

    def __init__(self, counted: Path) -> None:
        self._counted = counted
        self._scripted = scripted(
            {"extract_increment": _extracted, "place_increment": _PLACED, "find_increments": {"findings": []}}
        )

    def ask(self, request: Request) -> Answer:
        mark = hashlib.sha256(repr((request.prompt, request.messages)).encode()).hexdigest()
        with self._counted.open("a") as file:
            file.write(mark + "\n")
        return self._scripted.ask(request)

    def close(self) -> None: ...


def _extracted(request: Request) -> dict[str, Any]:
    points = request.reply.model_json_schema()["properties"]["points"]["items"]
    return {**_FIELDS, "points": [(points.get("enum") or [points["const"]])[-1]]}


def asked_run(root: Path, counted: Path, now: dt.datetime = NOW) -> RelaySummary:
    """Run the relay with a model whose questions are counted."""
    settings = load_settings(root, flags={}, environ={"HOME": str(root.parent)})
    workspace = Workspace.open(root, settings=settings)
    with Store.open(workspace.state_folder) as store:

        @contextmanager
        def open_model() -> Iterator[RememberingModel]:
            made = CountedModel(counted)
            yield RememberingModel(lambda: made, name="counted", endpoint="counted", memory=store, budget=Budget(None))

        means = Means(store=store, engine="remote", open_model=open_model, progress=Silent())
        return run_relay(workspace, settings, means, now=now, wait_seconds=30)


@dataclass
class Fuse:
    """Kills this process before, or right after, the n-th thing that is written; `burnt` names what was."""

    place: int
    burnt: list[str] = field(default_factory=list)

    def around(self, name: str, do: Callable[..., Any], *, is_lost_before: bool = True) -> Callable[..., Any]:
        """Wrap what writes; where `is_lost_before` is not said, only what comes after it counts."""

        def fused(*arguments: Any, **named: Any) -> Any:
            if is_lost_before:
                self._burn(f"before {name}")
            result = do(*arguments, **named)
            self._burn(f"after {name}")
            return result

        return fused

    def _burn(self, name: str) -> None:
        if len(self.burnt) == self.place:
            os.kill(os.getpid(), signal.SIGKILL)
        self.burnt.append(name)


def _fused_run(place: int, root: Path, counted: Path, told: Connection) -> None:
    fuse = Fuse(place)
    files.os = _Fused(os, replace=fuse.around("replace", os.replace))  # type: ignore[assignment, attr-defined]
    relay.forget = fuse.around("forget", relay.forget)  # type: ignore[attr-defined]
    Store.write = fuse.around("write", Store.write)  # type: ignore[method-assign]
    Store.put_digest = fuse.around("put_digest", Store.put_digest)  # type: ignore[method-assign]
    Store.put = fuse.around("put", Store.put, is_lost_before=False)  # type: ignore[method-assign]
    asked_run(root, counted)
    told.send(fuse.burnt)


class _Fused:
    """A module with some of its functions replaced."""

    def __init__(self, module: Any, **replaced: Any) -> None:
        self._module = module
        self.__dict__.update(replaced)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def servers() -> ForkServerContext:
    """Where processes come from that have the program loaded."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.racing"])
    return context


def killed_run(place: int, root: Path, counted: Path) -> list[str] | None:
    """Run in a process that is killed at a place; returns what is written on the way once no place is left."""
    context = servers()
    mine, its = context.Pipe(duplex=False)
    process = context.Process(target=_fused_run, args=(place, root, counted, its))
    process.start()
    its.close()
    process.join(60)
    assert process.exitcode in {0, -signal.SIGKILL}
    return mine.recv() if process.exitcode == 0 else None


def _work(told: Connection, together: Any) -> None:
    """Run the relay of each workspace that is named, at the same instant as all other workers."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    while (work := told.recv()) is not None:
        root, now, wait_seconds = work
        os.environ["HOME"] = str(root.parent)
        together.wait(60)
        try:
            told.send(run_once(root, {"engine": "none"}, now=now, wait_seconds=wait_seconds))
        except Exception as error:  # noqa: BLE001  told to the test
            told.send(repr(error))


class Crowd:
    """Several processes that run at one instant.

    Args:
        number: of them.
    """

    def __init__(self, number: int) -> None:
        context = servers()
        self._together = context.Barrier(number)  # kept, or its semaphores are gone before a worker looks
        self._pipes: list[Any] = []
        self._processes = []
        for _ in range(number):
            mine, its = context.Pipe()
            process = context.Process(target=_work, args=(its, self._together), daemon=True)
            process.start()
            its.close()
            self._pipes.append(mine)
            self._processes.append(process)

    def run(self, root: Path, now: dt.datetime, *, wait_seconds: float = 30.0) -> list[RelaySummary | str]:
        """Let all of them run; returns what each says, an error as text."""
        for pipe in self._pipes:
            pipe.send((root, now, wait_seconds))
        return [pipe.recv() for pipe in self._pipes]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in self._pipes:
            pipe.send(None)
        for process in self._processes:
            process.join(10)

"""A process that is killed while it applies or takes back leaves old or new bytes, and a log that the next one understands."""

from pathlib import Path
from typing import Any

import pytest

from agent import applying
from agent.applying import apply, offers, undo
from agent.errors import OutputUnwritable, SettingsError
from agent.files import write_atomic, write_below
from agent.workspace import Workspace
from tests.offering import NOW, TEXT, path_of, shelved, two


class _Killed(BaseException):
    """The process is killed here."""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A workspace with one living document."""
    return shelved(tmp_path)


def killed_at(monkeypatch: pytest.MonkeyPatch, step: int, *, before: bool) -> None:
    """Kill the process before or after a write; the first is step 1."""
    writes = iter(range(1, 100))

    def dying(write: Any) -> Any:
        def wrapped(*given: Any) -> None:
            number = next(writes)
            if number == step and before:
                raise _Killed
            write(*given)
            if number == step:
                raise _Killed

        return wrapped

    monkeypatch.setattr(applying, "write_below", dying(write_below))
    monkeypatch.setattr(applying, "write_atomic", dying(write_atomic))


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("step", [1, 2, 3, 4])
def test_a_kill_while_applying_leaves_old_or_new_bytes_and_a_log_that_knows(workspace, monkeypatch, step, before):
    handoff = two(workspace)
    with monkeypatch.context() as patch:
        killed_at(patch, step, before=before)
        with pytest.raises(_Killed):
            apply(workspace, handoff, [], now=NOW)
    is_new = path_of(workspace).read_bytes() != TEXT.encode()
    assert is_new == ((step, before) in {(3, False), (4, True), (4, False)})
    again = apply(workspace, handoff, [], now=NOW)
    assert is_new == (not again.changes)
    assert ["applied already" in one.why for one in again.refused] == [True] * 2 * is_new
    undo(workspace)
    assert TEXT.encode() == path_of(workspace).read_bytes()
    with pytest.raises(SettingsError, match="nothing to take back"):
        undo(workspace)


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_kill_while_taking_back_is_made_good_by_the_next_command(workspace, monkeypatch, step, before):
    handoff = two(workspace)
    first, second = (one.id for one in handoff.operations)
    apply(workspace, handoff, [first], now=NOW)
    apply(workspace, handoff, [second], now=NOW)
    with monkeypatch.context() as patch:
        killed_at(patch, step, before=before)
        with pytest.raises(_Killed):
            undo(workspace)
    is_undone = (step, before) in {(2, False), (3, True), (3, False)}
    left = 1 if is_undone else 2
    assert ["applied already" in one.why_not for one in offers(workspace, handoff)] == [True, not is_undone]
    for _ in range(left):
        undo(workspace)
    assert TEXT.encode() == path_of(workspace).read_bytes()


def test_a_disk_that_is_full_leaves_the_document_and_the_log_as_they_were(workspace, monkeypatch):
    handoff = two(workspace)
    with monkeypatch.context() as patch:
        patch.setattr(applying, "_replace", lambda *_: (_ for _ in ()).throw(OutputUnwritable("full")))
        with pytest.raises(OutputUnwritable, match="full"):
            apply(workspace, handoff, [], now=NOW)
    assert ["", ""] == [one.why_not for one in offers(workspace, handoff)]
    with pytest.raises(SettingsError, match="nothing to take back"):
        undo(workspace)

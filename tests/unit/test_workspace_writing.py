"""What a workspace writes: its own folder, and whole files; never where notes, documents and cards lie."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from agent.errors import OutputUnwritable
from agent.files import write_atomic
from agent.settings import Settings
from agent.workspace import Workspace


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "workspace"
    for name in ("inbox/jay", "organized/knowledge", "paper_cards"):
        (folder / name).mkdir(parents=True)
    return folder


# The program's own files.


def test_the_state_folder_is_made_when_asked_for_and_is_nobody_elses(root):
    workspace = Workspace.open(root)
    assert not (root / ".agent").exists()

    assert root / ".agent" == workspace.state_folder
    assert 0o700 == stat.S_IMODE(workspace.state_folder.stat().st_mode)
    assert () == workspace.remarks


def test_a_state_folder_that_was_asked_for_is_taken(root, tmp_path):
    settings = Settings(state=tmp_path / "set" / "deep")

    assert tmp_path / "set" / "deep" == Workspace.open(root, settings=settings).state_folder
    assert tmp_path / "given" == Workspace.open(root, settings=settings, state=tmp_path / "given").state_folder


def test_a_workspace_without_write_permission_is_left_alone(root, tmp_path):
    settings = Settings(user_state=tmp_path / "state")
    root.chmod(0o555)
    try:
        workspace = Workspace.open(root, settings=settings)
        folder = workspace.state_folder
    finally:
        root.chmod(0o755)

    assert tmp_path / "state" == folder.parent
    assert folder == Workspace.open(root, settings=settings, state=folder).state_folder
    assert "cannot be written" in workspace.remarks[0]
    assert not (root / ".agent").exists()


@pytest.mark.parametrize("plant", ["link", "file", "open to all"])
def test_a_planted_state_folder_is_not_used(root, tmp_path, plant):
    planted = root / ".agent"
    if plant == "link":
        planted.symlink_to(tmp_path)
    elif plant == "file":
        planted.write_text("")
    else:
        planted.mkdir()
        planted.chmod(0o777)

    workspace = Workspace.open(root, settings=Settings(user_state=tmp_path / "state"))

    assert tmp_path / "state" == workspace.state_folder.parent
    assert ".agent" in workspace.remarks[0]


def test_a_state_folder_that_cannot_be_made_is_named(root, tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(OutputUnwritable, match="--state"):
        _ = Workspace.open(root, state=tmp_path / "file" / "x").state_folder


# Writing.


def test_a_file_is_written_whole_and_leaves_nothing_beside_it(tmp_path):
    path = tmp_path / "digest.md"
    write_atomic(path, b"one")
    path.chmod(0o640)
    write_atomic(path, b"two")

    assert b"two" == path.read_bytes()
    assert 0o640 == stat.S_IMODE(path.stat().st_mode)
    assert [path] == list(tmp_path.iterdir())


@pytest.mark.parametrize("step", ["fsync", "replace", "open"])
def test_when_writing_fails_the_old_content_stays_and_nothing_is_left(tmp_path, monkeypatch, step):
    path = tmp_path / "digest.md"
    path.write_bytes(b"old")

    def fail(*arguments, **options):
        if step == "open" and arguments[0] == tmp_path:
            return real(*arguments, **options)
        raise OSError(28, "No space left on device")

    real = getattr(os, step)
    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OutputUnwritable, match=r"digest\.md' cannot be written \(No space left on device\)"):
        write_atomic(path, b"new")
    monkeypatch.undo()

    assert b"old" == path.read_bytes()
    assert [path] == list(tmp_path.iterdir())


def test_a_place_that_is_no_regular_file_is_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "target.md").write_text("old")
    (tmp_path / "link.md").symlink_to("target.md")
    for place in ("folder", "link.md", "missing/x.md", "folder/..", "target.md/x.md", "a\0b"):
        with pytest.raises(OutputUnwritable):
            write_atomic(tmp_path / place, b"new")

    assert "old" == (tmp_path / "target.md").read_text()
    with pytest.raises(OutputUnwritable, match="a device"):
        write_atomic(Path("/dev/null"), b"new")


def test_a_name_of_255_bytes_can_be_written(tmp_path):
    path = tmp_path / ("增" * 84 + ".md")

    write_atomic(path, b"x")

    assert path.exists()


def test_a_reader_never_sees_half_a_file_though_the_writer_is_killed(tmp_path):
    path = tmp_path / "digest.md"
    path.write_bytes(b"a" * 300_000)
    code = (
        "import sys; from pathlib import Path; from agent.files import write_atomic\n"
        "print('go', flush=True)\n"
        "while True:\n    for each in b'ab': write_atomic(Path(sys.argv[1]), bytes([each]) * 300_000)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE) as child:
        assert child.stdout
        child.stdout.readline()
        for _ in range(100):
            content = path.read_bytes()
            assert (300_000, 1) == (len(content), len(set(content)))
        child.kill()
    assert 300_000 == path.stat().st_size


@pytest.mark.parametrize(
    "place", ["inbox/jay/x.md", "organized/knowledge/x.md", "paper_cards/x.md", "inbox/jay/../x.md"]
)
def test_nothing_is_written_where_notes_documents_and_cards_lie(root, place):
    with pytest.raises(OutputUnwritable, match="no result is ever written"):
        Workspace.open(root).write(root / place, b"x")

    assert not (root / place).exists()


def test_a_result_is_written_elsewhere(root):
    Workspace.open(root).write(root / "digest.md", b"x")

    assert b"x" == (root / "digest.md").read_bytes()


@pytest.mark.parametrize(
    "name", [".agent/replies.db", "agent.toml", "work-queue.md", "organized/knowledge/x.md", "inbox"]
)
def test_a_result_never_replaces_what_is_not_one(root, name):
    workspace = Workspace.open(root)
    workspace.state_folder.mkdir(exist_ok=True)
    (root / "organized/knowledge").mkdir(parents=True, exist_ok=True)

    with pytest.raises(OutputUnwritable, match="name"):
        workspace.check_output(root / name)

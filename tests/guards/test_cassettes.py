"""Every cassette belongs to a test, names its origin and prompts that still exist, and holds no secret."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Collection
from pathlib import Path

import pytest
import yaml
from pytest_recording.plugin import get_default_cassette_name

from tests.recording import CASSETTES, secrets_in
from tests.sources import ROOT

_NODE = re.compile(r"(?P<path>[^:\[]+\.py)::(?:(?P<class>\w+)::)?(?P<test>.+)")


def collected(folder: Path) -> set[str]:
    """Return the cassettes that the tests in a folder ask for, as `<module>/<test>[<case>].yaml`."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "", "-p", "no:cacheprovider", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 5}, done.stdout + done.stderr  # 5: no test yet
    return {cassette_of(match) for match in map(_NODE.fullmatch, done.stdout.splitlines()) if match}


def cassette_of(node: re.Match[str]) -> str:
    """Return the cassette of one test, as pytest-recording names it."""
    test = f"{node['class']}.{node['test']}" if node["class"] else node["test"]
    return f"{Path(node['path']).stem}/{get_default_cassette_name(None, test)}.yaml"


def prompt_versions(lock: Path) -> set[str]:
    """Return the prompts of a lock file as `id@version`."""
    if not lock.is_file():
        return set()
    return {f"{name}@{entry['version']}" for name, entry in tomllib.loads(lock.read_text(encoding="utf-8")).items()}


def problems(folder: Path, tests: Collection[str], prompts: Collection[str]) -> list[str]:
    """Return what is wrong with the cassettes of a folder.

    Args:
        folder: holds `<module>/<test>[<case>].yaml`.
        tests: the cassettes that tests ask for, by the same names.
        prompts: the prompts that exist, as `id@version`.
    """
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} - {".gitkeep"}
    found = [f"{name} belongs to no test in tests/recorded" for name in sorted(names - set(tests))]
    found += [f"{name} is asked for by a test and not recorded" for name in sorted(set(tests) - names)]
    for name in sorted(names):
        text = (folder / name).read_text(encoding="utf-8")
        found += [f"{name} holds {secret!r}" for secret in secrets_in(text)]
        metadata = (yaml.safe_load(text) or {}).get("metadata", {})
        if not metadata.get("origin", {}).get("model"):
            found.append(f"{name} does not say which model it was recorded from")
        if not (rests_on := metadata.get("prompts")):
            found.append(f"{name} does not say which prompts it rests on")
        found += [f"{name} rests on {each}, which is gone" for each in rests_on or () if each not in prompts]
    return found


def test_cassettes_are_in_step_with_tests_and_prompts():
    found = problems(CASSETTES, collected(ROOT / "tests" / "recorded"), prompt_versions(ROOT / "prompts" / "lock.toml"))

    assert not found, "\n".join(found)


SOUND = """\
version: 1
metadata:
  origin:
    model:
    - tiny-1b
  prompts:
  - ask@1
interactions: []
"""
NAME = "test_extract/test_a_note[short].yaml"


def _folder(root: Path, text: str, name: str = NAME) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return root


def test_a_sound_cassette_has_no_problem(tmp_path):
    assert problems(_folder(tmp_path, SOUND), {NAME}, {"ask@1"}) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (SOUND.replace("interactions: []", "note: 'Bearer abcdefgh12345678'"), "holds 'Bearer abcdefgh'"),
        (SOUND.replace("  origin:\n    model:\n    - tiny-1b\n", ""), "which model it was recorded from"),
        (SOUND.replace("  prompts:\n  - ask@1\n", ""), "does not say which prompts"),
        (SOUND.replace("ask@1", "ask@0"), "rests on ask@0, which is gone"),
    ],
)
def test_a_spoilt_cassette_is_named(tmp_path, text, named):
    assert [named in problem for problem in problems(_folder(tmp_path, text), {NAME}, {"ask@1"})] == [True]


@pytest.mark.parametrize("name", ["test_extract/test_gone.yaml", "test_a_note.yaml", "test_extract/notes.txt"])
def test_an_orphan_and_a_cassette_that_is_missing_are_named(tmp_path, name):
    assert problems(_folder(tmp_path, SOUND, name), {NAME}, {"ask@1"}) == [
        f"{name} belongs to no test in tests/recorded",
        f"{NAME} is asked for by a test and not recorded",
    ]


def test_collected_tests_ask_for_cassettes_by_module_test_and_case(tmp_path):
    (tmp_path / "test_extract.py").write_text(
        "import pytest\n"
        "@pytest.mark.parametrize('case', ['a/b', 'c'])\n"
        "def test_note(case): ...\n"
        "class TestPlace:\n    def test_it(self): ...\n"
        "@pytest.mark.live\ndef test_live(): ...\n"
    )

    assert collected(tmp_path) == {
        "test_extract/test_note[a-b].yaml",
        "test_extract/test_note[c].yaml",
        "test_extract/TestPlace.test_it.yaml",
        "test_extract/test_live.yaml",
    }

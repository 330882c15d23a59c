"""The lock files answer to pyproject.toml: every requirement is pinned within its bounds, with hashes, the same in both."""

import re
import tomllib
from collections.abc import Iterable

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.sources import ROOT

LOCKS = {"requirements.lock": "dev", "requirements-local.lock": "local"}
_PIN = re.compile(r"^([a-z0-9][a-z0-9._-]{0,100})==([^\s;\\]{1,60})", re.MULTILINE)


def pins(lock: str) -> dict[str, str]:
    """Return the version of each package that a lock file pins."""
    return {canonicalize_name(name): version for name, version in _PIN.findall(lock)}


def problems(wanted: Iterable[str], lock: str) -> list[str]:
    """Compare requirements with the text of a lock file."""
    pinned = pins(lock)
    found = []
    for requirement in map(Requirement, wanted):
        version = pinned.get(canonicalize_name(requirement.name))
        if version is None:
            found.append(f"{requirement} is not pinned")
        elif not requirement.specifier.contains(version):
            found.append(f"{requirement} is pinned to {version}")
    blocks = re.split(r"(?m)^(?=[a-z0-9])", lock)  # one a package
    found += [
        f"{block.split()[0]} has no hash" for block in blocks if _PIN.match(block) and "--hash=sha256:" not in block
    ]
    return found


def _wanted(group: str) -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    more = project["dependency-groups"] | project["project"]["optional-dependencies"]
    return [*project["project"]["dependencies"], *more[group]]


@pytest.mark.parametrize("name", LOCKS)
def test_every_requirement_is_pinned_within_its_bounds(name):
    found = problems(_wanted(LOCKS[name]), (ROOT / name).read_text(encoding="utf-8"))

    assert not found, "\n".join([*found, "refresh the lock files, see CONTRIBUTING.md"])


def test_both_lock_files_pin_the_same_versions():
    first, second = (pins((ROOT / name).read_text(encoding="utf-8")) for name in LOCKS)
    different = {
        name: (first[name], second[name]) for name in first.keys() & second.keys() if first[name] != second[name]
    }

    assert different == {}


def test_what_builds_the_package_is_pinned_too():
    built_with = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]

    assert problems(built_with, (ROOT / "requirements.lock").read_text(encoding="utf-8")) == []


def test_a_missing_an_outdated_and_an_unhashed_pin_are_named():
    lock = "rich==15.0 \\\n    --hash=sha256:00\ntyper==0.29.2\n"

    assert problems(["rich>=14.3,<15", "jinja2>=3", "typer"], lock) == [
        "rich<15,>=14.3 is pinned to 15.0",
        "jinja2>=3 is not pinned",
        "typer==0.29.2 has no hash",
    ]

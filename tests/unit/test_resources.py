"""Where prompts and schemas are found."""

import pytest

from agent import resources
from agent.errors import AgentError


def test_a_checkout_finds_its_live_files(tmp_path):
    (tmp_path / "prompts").mkdir()

    assert tmp_path / "prompts" == resources.folder("prompts", package=tmp_path / "agent")


def test_an_installed_package_finds_what_its_wheel_brought(tmp_path):
    (tmp_path / "prompts").mkdir()
    inside = tmp_path / "agent" / "_data" / "prompts"
    inside.mkdir(parents=True)

    assert inside == resources.folder("prompts", package=tmp_path / "agent")


def test_a_broken_installation_says_what_is_missing(tmp_path):
    with pytest.raises(AgentError, match="'schemas' is missing"):
        resources.folder("schemas", package=tmp_path / "agent")


@pytest.mark.parametrize("kind", ["prompts", "schemas"])
def test_this_installation_has_both(kind):
    assert resources.folder(kind).is_dir()

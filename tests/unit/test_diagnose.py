"""The doctor's findings: what would be used and why, what is broken as a finding and never as an error, no secret."""

from pathlib import Path

import pytest

from agent import diagnose as module
from agent.diagnose import Finding, diagnose
from agent.errors import ModelRefusedAccess, ModelUnavailable
from agent.starting import start_workspace

KEY = "sk-canary-0123456789abcdef"


@pytest.fixture(autouse=True)
def _installed(monkeypatch):
    """The local engine is not installed unless a test says so, and no endpoint is reached."""
    monkeypatch.setattr("agent.asking.weights.find_spec", lambda name: None)
    monkeypatch.setattr(module, "served_models", lambda endpoint: pytest.fail("reached"))


@pytest.fixture
def has_library(monkeypatch):
    monkeypatch.setattr("agent.asking.weights.find_spec", lambda name: object())


@pytest.fixture
def demo(tmp_path):
    folder = tmp_path / "demo"
    start_workspace(folder, with_example=True)
    return folder


@pytest.fixture
def serves(monkeypatch):
    """An endpoint with a key, that lists these models or raises."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")

    def serving(*names, error=None):
        def served_models(endpoint):
            if error:
                raise error
            return frozenset(names)

        monkeypatch.setattr(module, "served_models", served_models)

    return serving


def _findings(folder: Path, **flags: object) -> dict[str, Finding]:
    return {finding.what: finding for finding in diagnose(folder, flags)}


def _broken(findings: dict[str, Finding]) -> list[str]:
    return sorted(name for name, finding in findings.items() if not finding.is_fine)


def test_an_example_without_key_and_library_is_fine_with_engine_none(demo):
    found = _findings(demo)

    assert [] == _broken(found)
    assert "none" == found["engine"].state
    assert "no key is set" in found["engine"].detail
    assert ("missing", "no key") == (found["engine local"].state, found["engine remote"].state)
    assert "10 notes of 5 agents, 3 living documents" == found["workspace"].detail
    assert str(demo / ".agent") == found["state"].detail
    assert "endpoint" not in found


def test_files_that_are_no_notes_are_not_counted(demo):
    (demo / "inbox/tom/picture.png").write_bytes(b"\x89PNG")
    (demo / "inbox/tom/draft.md.swp").write_bytes(b"")

    assert "10 notes of 5 agents, 3 living documents" == _findings(demo)["workspace"].detail


def test_each_value_is_shown_with_its_origin(demo, monkeypatch):
    monkeypatch.setenv("AGENT_WORKERS", "7")
    found = _findings(demo, days=5)

    assert ("5", "--days") == (found["setting days"].state, found["setting days"].detail)
    assert ("7", "AGENT_WORKERS") == (found["setting workers"].state, found["setting workers"].detail)
    assert ("300.0", "default") == (found["setting deadline_seconds"].state, found["setting deadline_seconds"].detail)
    assert "jay, tom, spark, flyp, stephen" == found["setting agents"].state
    assert "7 planned" == found["setting batons"].state
    assert "" == found["setting budget_tokens"].state


def test_no_secret_is_shown(demo, serves):
    serves("gpt-5-mini")
    shown = repr(_findings(demo))

    assert "canary" not in shown
    assert "key set" in shown


# Settings and workspace.


def test_broken_settings_are_the_only_finding(demo):
    (demo / "agent.toml").write_text("days = 0\n")
    (found,) = diagnose(demo, {})

    assert ("settings", "broken", False) == (found.what, found.state, found.is_fine)
    assert "agent.toml' line 1" in found.detail


def test_what_the_settings_remark_is_a_finding(demo, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "relay-digest").mkdir()
    (tmp_path / "relay-digest/config.toml").write_text(f'api_key = "{KEY}"\nengine = "none"\n')
    (tmp_path / "relay-digest/config.toml").chmod(0o644)

    assert "chmod 600" in _findings(demo)["remark"].detail


def test_a_missing_workspace_is_a_finding_beside_the_others(tmp_path):
    found = _findings(tmp_path / "nowhere")

    assert ["workspace"] == _broken(found)
    assert "nowhere" in found["workspace"].detail
    assert "state" not in found
    assert "setting days" in found


def test_a_living_document_that_cannot_be_read_is_named(demo):
    (demo / "organized/knowledge/bytes.md").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe")
    found = _findings(demo)

    assert ["living document"] == _broken(found)
    assert "bytes.md" in found["living document"].detail


def test_a_state_folder_that_cannot_be_made_is_a_finding_beside_the_others(demo):
    (demo / "file").touch()
    found = _findings(demo, state=demo / "file")

    assert ["state"] == _broken(found)
    assert "--state" in found["state"].detail
    assert "setting days" in found


# Engines.


def test_an_engine_that_is_asked_for_and_missing_is_not_fine(demo):
    found = _findings(demo, engine="local")

    assert ["engine", "engine local"] == _broken(found)
    assert "pip install" in found["engine local"].detail


def test_remote_without_key_and_address_is_not_fine(demo):
    found = _findings(demo, engine="remote")

    assert ["engine"] == _broken(found)
    assert "OPENAI_API_KEY" in found["engine"].detail


def test_an_address_without_a_key_is_said_to_need_a_flag(demo, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")

    assert "--engine remote" in _findings(demo)["engine remote"].detail


@pytest.mark.usefixtures("has_library")
def test_a_model_file_that_is_there_makes_the_local_engine_ready(demo, tmp_path):
    file = tmp_path / "small.gguf"
    file.write_bytes(b"GGUF")
    found = _findings(demo, local_model=str(file))

    assert [] == _broken(found)
    assert ("local", "ready") == (found["engine"].state, found["engine local"].state)


@pytest.mark.usefixtures("has_library")
@pytest.mark.parametrize("name", ["gone.gguf", "a" * 3000], ids=["gone", "too long"])
def test_a_model_file_that_is_named_and_missing_is_not_fine(demo, tmp_path, name):
    found = _findings(demo, local_model=str(tmp_path / name))

    assert ["engine local"] == _broken(found)
    assert "local" == found["engine"].state  # a run would try it, and fail
    assert "AGENT_LOCAL_MODEL" in found["engine local"].detail


# The endpoint.


@pytest.mark.parametrize("listed", ["gpt-5-mini", "gpt-5-mini:latest", "models/gpt-5-mini"])
def test_an_endpoint_that_lists_the_model_is_fine(demo, serves, listed):
    serves("other", listed)
    found = _findings(demo)

    assert [] == _broken(found)
    assert "http://127.0.0.1:9/v1, model 'gpt-5-mini'" == found["endpoint"].detail


def test_an_endpoint_that_lists_no_models_is_taken_on_trust(demo, serves):
    serves()

    assert [] == _broken(_findings(demo))


def test_an_endpoint_that_lists_others_is_not_fine_and_the_nearest_come_first(demo, serves):
    serves(*(f"embedding-{number}" for number in range(20)), "gpt-5-nano", "gpt\x1b[31m-5")
    found = _findings(demo)

    assert ["endpoint"] == _broken(found)
    assert "does not list model 'gpt-5-mini'" in found["endpoint"].detail
    assert found["endpoint"].detail.index("gpt-5-nano") < found["endpoint"].detail.index("embedding")
    assert found["endpoint"].detail.count(",") == 4
    assert "\x1b" not in found["endpoint"].detail


@pytest.mark.parametrize(
    ("state", "error"),
    [("refused", ModelRefusedAccess("The key is wrong.")), ("unusable", ModelUnavailable("It is down."))],
)
def test_an_endpoint_that_does_not_work_is_not_fine(demo, serves, state, error):
    serves(error=error)
    found = _findings(demo)

    assert ["endpoint"] == _broken(found)
    assert (state, str(error)) == (found["endpoint"].state, found["endpoint"].detail)


def test_an_endpoint_is_only_looked_at_when_it_would_be_used(demo, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    assert "endpoint" not in _findings(demo, engine="none")


def test_prices_are_shown_with_where_they_come_from(demo, monkeypatch):
    monkeypatch.setenv("AGENT_PRICE_INPUT", "0.25")

    found = _findings(demo)

    assert ("0.25", "AGENT_PRICE_INPUT") == (found["setting price_input"].state, found["setting price_input"].detail)
    assert ("USD", "default") == (found["setting currency"].state, found["setting currency"].detail)
    assert "price_output is not" in found["remark"].detail

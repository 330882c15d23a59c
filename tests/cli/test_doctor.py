"""`agent doctor` says what would be used and what will not work, at 80 columns, without a secret."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.faultserver import FaultServer, sends, status

KEY = "sk-canary-0123456789abcdef"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    """A model server, which the environment names with a key."""
    monkeypatch.setattr("tests.faultserver._Handler.do_GET", lambda handler: handler.do_POST(), raising=False)
    with FaultServer() as running:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", running.base_url)
        yield running


def _rows(out: str) -> dict[str, str]:
    """State and detail by what the row is about, folded lines joined."""
    rows: dict[str, str] = {}
    name = ""
    for line in out.splitlines():
        if line.startswith("│"):
            what, *cells = (cell.strip() for cell in line.strip("│").split("│"))
            name = what or name
            rows[name] = " ".join((rows.get(name, ""), *cells)).strip()
    return rows


def test_without_configuration_it_says_engine_and_reason(run: Run, example: Path) -> None:
    ran = run("doctor", "-w", example, "--engine", "none")

    rows = _rows(ran.out)
    assert (0, "") == (ran.status, ran.err)
    assert rows["engine"].startswith("none engine 'none' was asked")
    assert "10 notes of 5 agents" in rows["workspace"]
    assert "zh" in rows["setting language"]
    assert 80 >= max(map(len, ran.out.splitlines()))


def test_an_endpoint_that_answers_is_reached_with_one_request_and_no_model_is_asked(
    run: Run, example: Path, server: FaultServer
) -> None:
    server.will(sends({"data": [{"id": "big"}]}))

    ran = run("doctor", "-w", example, "--model", "big")

    assert 0 == ran.status
    assert "reached" in _rows(ran.out)["endpoint"]
    assert ["/v1/models"] == [seen.path for seen in server.requests]
    assert "canary" not in ran.out + ran.err


def test_a_wrong_key_changes_the_status_and_is_not_shown(run: Run, example: Path, server: FaultServer) -> None:
    server.will(status(401, {"message": f"bad key {KEY}"}))

    ran = run("doctor", "-w", example)

    assert 1 == ran.status
    assert "refused" in _rows(ran.out)["endpoint"]
    assert "canary" not in ran.out + ran.err


def test_what_is_broken_is_a_row_and_the_rest_is_there_all_the_same(run: Run, tmp_path: Path) -> None:
    ran = run("doctor", "-w", tmp_path / "nowhere", "--engine", "none")

    rows = _rows(ran.out)
    assert (1, "") == (ran.status, ran.err)
    assert "unusable" in rows["workspace"]
    assert "setting days" in rows


def test_settings_that_make_no_sense_are_a_row(run: Run, example: Path) -> None:
    (example / "agent.toml").write_text('api_key = "sk-canary"\n')

    ran = run("doctor", "-w", example)

    assert (1, {"what", "settings"}) == (ran.status, {"what", *_rows(ran.out)})
    assert "canary" not in ran.out


def test_a_hostile_value_is_shown_and_not_obeyed(run: Run, example: Path) -> None:
    (example / "organized/knowledge/[red]\x1b[31m.md").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe")

    ran = run("doctor", "-w", example, "--engine", "none")

    assert 1 == ran.status
    assert "\x1b" not in ran.out
    assert "[red]" in _rows(ran.out)["living document"].replace(" ", "")

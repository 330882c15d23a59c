"""`agent digest` writes a result or one sentence, and its exit status says which."""

import json
import os
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote

import pytest

from agent.costs import Estimate
from tests.cli.conftest import Run

DAY = ("--date", "2026-09-14")


def _files(folder: Path) -> dict[str, bytes]:
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {name: data for name, data in found.items() if not name.startswith(".agent")}


def test_engine_none_says_so_in_the_first_line(run: Run, example: Path) -> None:
    ran = run("digest", "-w", example, *DAY, "--engine", "none", "--language", "en")

    assert 0 == ran.status
    assert "no model" in ran.out.splitlines()[0].lower()


def test_standard_output_carries_the_result_alone(run: Run, example: Path) -> None:
    ran = run("digest", "-w", example, *DAY, "--engine", "none", "--format", "json")

    digest = json.loads(ran.out)
    assert 10 == len(digest["checked"])
    assert "Engine none" in ran.err


def test_a_second_run_gives_the_same_bytes_and_the_workspace_is_only_read(run: Run, example: Path) -> None:
    before = _files(example)

    first = run("digest", "-w", example, *DAY, "--engine", "none")
    second = run("digest", "-w", example, *DAY, "--engine", "none")

    assert first.out == second.out
    assert before == _files(example)


def test_a_topic_selects(run: Run, example: Path) -> None:
    everything = json.loads(run("digest", "-w", example, *DAY, "--engine", "none", "--format", "json").out)
    one = json.loads(
        run("digest", "-w", example, *DAY, "--engine", "none", "--format", "json", "--topic", "agents").out
    )

    assert "agents" == one["topic"]
    assert 0 < len(one["increments"]) < len(everything["increments"])


def test_output_goes_to_a_file(run: Run, example: Path, tmp_path: Path) -> None:
    target = tmp_path / "digest.md"

    ran = run("digest", "-w", example, *DAY, "--engine", "none", "-o", target)

    assert (0, "") == (ran.status, ran.out)
    assert target.read_text(encoding="utf-8").startswith("本简报")


def test_a_dry_run_lists_the_notes_and_stops(run: Run, example: Path) -> None:
    ran = run("digest", "-w", example, *DAY, "--engine", "none", "--dry-run")

    assert 0 == ran.status
    assert 10 == len(re.findall(r"to be read", ran.out))
    assert re.search(r"in all, about +0 +0 +0 +0\n", ran.out)


@pytest.fixture
def unreached(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key for an endpoint where nobody answers: a call would end the run with status 3."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789abcdef")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")


@pytest.mark.usefixtures("unreached")
def test_a_dry_run_estimates_each_note_and_all_without_a_call_and_writes_nothing(
    run: Run, example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_PRICE_INPUT", "0.25")
    monkeypatch.setenv("AGENT_PRICE_OUTPUT", "2")
    before = sorted(tmp_path.rglob("*"))

    ran = run("digest", "-w", example, *DAY, "--dry-run", "-o", tmp_path / "out.md", "--budget", "9000000")

    calls, remembered, asked, written, money = re.findall(r"in all, about +(.+) USD\n", ran.out)[0].split()
    assert 0 == ran.status
    assert int(calls) > 20
    assert int(remembered) < 5
    assert int(asked.replace(",", "")) > 3 * int(written.replace(",", "")) > 3000
    assert 0 < float(money) < 1
    assert "The budget is 9,000,000 tokens, which is enough." in ran.out
    assert "No reply of this model was paid for here yet" in ran.err
    assert before == sorted(tmp_path.rglob("*"))


@pytest.mark.usefixtures("unreached")
def test_a_dry_run_says_that_the_budget_is_too_little(run: Run, example: Path) -> None:
    ran = run("digest", "-w", example, *DAY, "--dry-run", "--budget", "900")

    assert 0 == ran.status
    assert re.search(r"The budget is 900 tokens, which is too little: about [0-9,]+ are needed\.", ran.out)


@pytest.mark.usefixtures("unreached")
def test_an_estimate_is_written_as_json_that_fits_its_schema(run: Run, example: Path) -> None:
    ran = run("digest", "-w", example, *DAY, "--dry-run", "--format", "json")

    estimate = json.loads(ran.out)
    assert (
        ran.out
        == json.dumps(Estimate.model_validate(estimate).model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"
    )
    assert (10, None, None) == (len(estimate["notes"]), estimate["cost"], estimate["budget_tokens"])
    assert estimate["usage"]["calls"] == sum(one["usage"]["calls"] for one in estimate["notes"]) > 20


@pytest.mark.usefixtures("unreached")
def test_a_dry_run_over_a_broken_database_says_so_and_leaves_it(run: Run, example: Path) -> None:
    (example / ".agent").mkdir()
    database = example / ".agent" / "replies.db"
    database.write_bytes(b"no database at all" * 100)

    ran = run("digest", "-w", example, *DAY, "--dry-run")

    assert (0, b"no database at all" * 100) == (ran.status, database.read_bytes())
    assert "is damaged" in ran.err


# What goes wrong: one sentence that names the thing and the next step, a status, and no half-written file.


@pytest.mark.parametrize(
    ("status", "arguments", "says"),
    [
        (2, ("digest", "-w", "nowhere"), "'nowhere'"),
        (2, ("digest", "-w", "{demo}", "--topic", "inferense", *DAY), "inference"),
        (2, ("digest", "-w", "{demo}", "--date", "2026-13-40"), "2026-13-40"),
        (2, ("digest", "-w", "{demo}", "--date", "2031-01-01"), "2026-09-13 to 2026-09-14"),
        (2, ("digest", "-w", "{demo}", "--engine", "huge"), "huge"),
        (2, ("digest", "-w", "{demo}", "--days", "0"), "--days"),
        (3, ("digest", "-w", "{demo}", "--engine", "remote", *DAY), "OPENAI_API_KEY"),
        (2, ("extract", "inbox/tom/none.md", "-w", "{demo}", "--engine", "none"), "inbox/tom/none.md"),
        (2, ("schema", "--name", "novel"), "novel"),
        (3, ("digest", "-w", "{demo}", *DAY, "--engine", "none", "-o", "{demo}/no/such/x.md"), "x.md"),
    ],
)
def test_wrong_use_is_one_sentence_and_a_status(
    run: Run, example: Path, tmp_path: Path, status: int, arguments: tuple[str, ...], says: str
) -> None:
    before = _files(tmp_path)

    ran = run(*(argument.format(demo=example) for argument in arguments))

    shown = " ".join(ran.err.split()).replace("│ ", "").replace(" │", "")
    assert (status, "") == (ran.status, ran.out)
    assert says in shown
    assert "Traceback" not in ran.err
    assert before == _files(tmp_path)


def test_an_empty_inbox_is_said_and_nothing_is_written(run: Run, tmp_path: Path) -> None:
    run("init", tmp_path / "new")

    ran = run("digest", "-w", tmp_path / "new", "--engine", "none", "-o", tmp_path / "out.md")

    assert (3, False) == (ran.status, (tmp_path / "out.md").exists())
    assert "inbox/<agent>/" in ran.err


def test_a_note_that_cannot_be_read_is_named_and_stops_nothing(run: Run, example: Path) -> None:
    (example / "inbox/tom/2026-09-14-bytes.md").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe")
    clean = json.loads(run("digest", "-w", example, *DAY, "--engine", "none", "--format", "json").out)

    ran = run("digest", "-w", example, *DAY, "--engine", "none", "--format", "json")

    digest = json.loads(ran.out)
    assert 1 == ran.status
    assert "inbox/tom/2026-09-14-bytes.md" in ran.err
    assert ["not_text"] == [one["outcome"] for one in digest["checked"] if one["note"].endswith("bytes.md")]
    assert clean["increments"] == digest["increments"]


def test_a_file_name_that_is_no_utf8_survives_into_json(run: Run, example: Path) -> None:
    name = os.fsencode(example / "inbox/tom") + b"/2026-09-14-\xff.md"
    with open(name, "wb") as file:  # noqa: PTH123  pathlib takes no bytes
        file.write("增量 1：一条\n\n要点：\n- 单卡吞吐 12 tok/s\n".encode())

    ran = run("digest", "-w", example, *DAY, "--engine", "none", "--format", "json")

    assert 0 == ran.status
    assert any(one["note"].endswith("\udcff.md") for one in json.loads(ran.out)["checked"])


# Endpoints that do not work.


@pytest.fixture
def refusing() -> Iterator[str]:
    """An endpoint that accepts no key and echoes the one it got."""

    class Refuse(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.dumps(
                {"error": {"message": f"bad key {self.headers['authorization']}", "code": "invalid_api_key"}}
            ).encode()
            self.send_response(401)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Refuse)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def test_a_wrong_key_stops_the_run_and_is_never_shown(
    run: Run, example: Path, tmp_path: Path, refusing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789abcdef")
    monkeypatch.setenv("OPENAI_BASE_URL", refusing)

    ran = run("digest", "-w", example, *DAY, "-o", tmp_path / "out.md")

    assert (3, False) == (ran.status, (tmp_path / "out.md").exists())
    assert "OPENAI_API_KEY" in ran.err
    assert "canary" not in ran.err
    assert all(b"canary" not in path.read_bytes() for path in (example / ".agent").rglob("*") if path.is_file())


def test_an_endpoint_that_is_down_is_named(run: Run, example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789abcdef")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")

    ran = run("digest", "-w", example, *DAY)

    assert 3 == ran.status
    assert "http://127.0.0.1:9/v1" in ran.err


def test_a_budget_that_is_too_small_stops_before_the_first_call(
    run: Run, example: Path, refusing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789abcdef")
    monkeypatch.setenv("OPENAI_BASE_URL", refusing)

    ran = run("digest", "-w", example, *DAY, "--budget", "10")

    assert 3 == ran.status
    assert "--budget" in ran.err


def test_links_lead_to_the_notes_from_where_the_digest_is_written(run: Run, example: Path, tmp_path: Path) -> None:
    folder = tmp_path / "written here"
    folder.mkdir()
    for target in (folder / "digest.md", example / "digest.md", tmp_path / "digest.md"):
        run("digest", "-w", example, *DAY, "--engine", "none", "-o", target)
        links = re.findall(r"\]\(([^)#]+\.md)(?:#L\d+)?\)", target.read_text(encoding="utf-8"))
        assert len(links) > 10
        assert all((target.parent / unquote(link)).is_file() for link in links if "1450-jay" not in link)

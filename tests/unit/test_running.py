"""Between flags and exit status: what is written where, what is said, and which status says it."""

import datetime as dt
import json
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from agent import contract, running
from agent.asking.testing import ScriptedModel
from agent.errors import (
    EngineUnavailable,
    ModelRefusedAccess,
    OutputUnwritable,
    ReplyInvalid,
    SettingsError,
    WindowEmpty,
)
from agent.record import as_json
from agent.records import Extraction
from agent.running import DONE, SOME_FAILED, WRONG_USE, Wanted
from agent.starting import start_workspace
from agent.store import DATABASE, Store

DAY = dt.date(2026, 9, 14)
NONE = {"engine": "none"}
JAY = "inbox/jay/2026-09-14-1100-jay-engineering-filter.md"
BYTES = b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe"


@pytest.fixture
def demo(tmp_path):
    folder = tmp_path / "demo"
    start_workspace(folder, with_example=True)
    return folder


@pytest.fixture
def uses(monkeypatch):
    """Let engine remote be a scripted model; returns what was opened."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789abcdef")
    opened = []

    def using(replies):
        @contextmanager
        def opening(engine, settings, workspace, *, memory, watcher):
            opened.append((engine, memory, watcher))
            yield ScriptedModel(replies)

        monkeypatch.setattr("agent.opening.opened", opening)
        return opened

    return using


def _wanted(**changes: Any) -> Wanted:
    return replace(Wanted(topic=None, date=DAY, form="json", output=None, is_dry_run=False), **changes)


def _half_lost(request):
    """Lose every form, and find no section that fits."""
    if "section" not in request.reply.model_fields:
        raise ReplyInvalid("It does not fit.")
    return {"section": "none", "line": "none", "relation": "new", "action": "append"}


# A digest.


def test_a_digest_goes_to_standard_output_and_what_is_said_to_standard_error(demo, capfd):
    assert DONE == running.digest(demo, NONE, _wanted())

    out, err = capfd.readouterr()
    made = json.loads(out)
    assert 10 == len(made["checked"])
    assert "Engine none: engine 'none' was asked for by --engine." == err.splitlines()[0]
    assert (
        f"{len(made['increments'])} increments; 0 calls, 0 tokens in (0 cached), 0 out, 0 remembered."
        == err.splitlines()[-1]
    )


def test_a_digest_is_markdown_or_json(demo, capfd):
    running.digest(demo, NONE, _wanted(form="md"))

    assert capfd.readouterr().out.splitlines()[0].startswith("本简报")


def test_a_digest_in_a_file_leaves_standard_output_empty(demo, tmp_path, capfd):
    target = tmp_path / "digest.json"

    running.digest(demo, NONE, _wanted(output=target))

    out, err = capfd.readouterr()
    assert "" == out
    assert f"Written to {str(target)!r}." in err
    assert "2026-09-14" == json.loads(target.read_text(encoding="utf-8"))["date"]


def test_a_note_that_failed_is_named_and_changes_the_status(demo, capfd):
    (demo / "inbox/tom/2026-09-14-bytes.md").write_bytes(BYTES)

    assert SOME_FAILED == running.digest(demo, NONE, _wanted())

    assert capfd.readouterr().err.splitlines()[-1].startswith("inbox/tom/2026-09-14-bytes.md: not_text. ")


def test_without_a_date_it_is_today_in_the_workspaces_zone(demo, monkeypatch):
    class Clock(dt.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(2031, 1, 1, 23, 30, tzinfo=dt.UTC).astimezone(tz)

    monkeypatch.setattr("agent.running.dt.datetime", Clock)

    with pytest.raises(WindowEmpty, match="between 2031-01-01 and 2031-01-02"):  # Shanghai is eight hours ahead
        running.digest(demo, NONE, _wanted(date=None))


def test_what_is_wrong_with_a_living_document_is_said(demo, capfd):
    (demo / "organized/knowledge/bytes.md").write_bytes(BYTES)

    running.digest(demo, NONE, _wanted())
    assert "organized/knowledge/bytes.md" in capfd.readouterr().err

    running.extract(demo, NONE, JAY, output=None)
    assert "organized/knowledge/bytes.md" in capfd.readouterr().err


def test_a_dry_run_lists_notes_and_opens_and_makes_nothing(demo, uses, capfd):
    opened = uses({})
    (demo / "inbox/tom/2026-09-14-x.txt").touch()

    assert DONE == running.digest(demo, {}, _wanted(form="md", is_dry_run=True))

    out, err = capfd.readouterr()
    assert (10, 1) == (out.count("to be read"), out.count("ignored"))
    assert "2026-09-13 to 2026-09-14" in out
    assert "Engine remote: a key is set by OPENAI_API_KEY." in err
    assert ([], False) == (opened, (demo / ".agent").exists())


def test_engine_none_keeps_the_digest_for_later_ones_and_needs_no_store_for_a_note(demo):
    running.extract(demo, NONE, JAY, output=None)
    assert not (demo / ".agent").exists()

    running.digest(demo, NONE, _wanted())
    assert (demo / ".agent" / DATABASE).is_file()


def test_a_digest_that_cannot_look_back_is_written_all_the_same(demo, tmp_path, capfd):
    (tmp_path / "state").write_text("a file where the folder should be")

    assert DONE == running.digest(demo, {**NONE, "state": tmp_path / "state"}, _wanted())

    out, err = capfd.readouterr()
    assert "What earlier digests had is not known: " in err
    assert json.loads(out)["increments"]


def test_what_an_earlier_digest_had_is_seen_and_a_second_run_on_one_day_writes_the_same(demo, capfd):
    written = []
    for day in (DAY, DAY, DAY + dt.timedelta(days=1)):
        running.digest(demo, NONE, _wanted(date=day))
        written.append(capfd.readouterr().out)

    assert written[0] == written[1]
    assert [None] == list({one["seen"] for one in json.loads(written[0])["increments"]})
    seen = [one["seen"] for one in json.loads(written[2])["increments"]]
    assert seen
    assert {(DAY.isoformat(), ())} == {(one["date"], tuple(one["changed"])) for one in seen}


def test_replies_are_kept_in_the_store_of_the_state_folder(demo, uses, tmp_path):
    opened = uses(_half_lost)

    running.digest(demo, {"state": tmp_path / "state"}, _wanted())

    ((engine, memory, _),) = opened
    assert ("remote", True) == (engine, isinstance(memory, Store))
    assert (tmp_path / "state" / DATABASE).is_file()


def test_what_the_store_remarks_is_said(demo, uses, capfd):
    uses(_half_lost)
    (demo / ".agent").mkdir(mode=0o700)
    (demo / ".agent" / DATABASE).write_bytes(b"no database" * 500)

    running.digest(demo, {}, _wanted())

    assert "was damaged" in capfd.readouterr().err


def test_what_ends_the_run_writes_nothing(demo, uses, tmp_path):
    def refuse(request):
        raise ModelRefusedAccess("The key is wrong.")

    uses(refuse)

    with pytest.raises(ModelRefusedAccess):
        running.digest(demo, {}, _wanted(output=tmp_path / "digest.json"))

    assert not (tmp_path / "digest.json").exists()


def test_an_engine_that_is_not_there_is_said_before_anything_is_read(demo):
    with pytest.raises(EngineUnavailable, match="OPENAI_API_KEY"):
        running.digest(demo, {"engine": "remote"}, _wanted(date=dt.date(2031, 1, 1)))


# One note.


def test_an_extraction_is_json_in_the_words_of_the_contract(demo, capfd):
    assert DONE == running.extract(demo, NONE, JAY, output=None)

    out, err = capfd.readouterr()
    (increment,) = json.loads(out)["increments"]
    assert "register" in increment  # and not its name in Python
    assert increment["id"] == Extraction.model_validate_json(out).increments[0].id
    assert ["Engine none: engine 'none' was asked for by --engine."] == err.splitlines()


def test_lost_calls_are_named_with_note_and_line(demo, uses, capfd):
    uses(_half_lost)

    assert SOME_FAILED == running.extract(demo, {}, JAY, output=None)

    out, err = capfd.readouterr()
    assert json.loads(out)["segments_failed"]
    assert f"{JAY} line 5: It does not fit." in err


def test_a_note_that_does_not_exist_is_wrong_use(demo, capfd):
    assert WRONG_USE == running.extract(demo, NONE, "inbox/tom/none.md", output=None)

    out, err = capfd.readouterr()
    assert ("", "error: ") == (out, err.splitlines()[-1][:7])


# The rest.


def test_a_new_workspace_is_followed_by_the_next_step(tmp_path, capfd):
    target = tmp_path / "two words"

    assert DONE == running.init(target, with_example=False)

    err = capfd.readouterr().err
    assert f"agent digest --workspace '{target}'" in err  # ready to be copied
    assert "<agent>/" in err


def test_doctor_says_by_its_status_whether_something_will_not_work(demo, capfd):
    assert DONE == running.doctor(demo, NONE)
    assert SOME_FAILED == running.doctor(demo, {"engine": "remote"})
    assert SOME_FAILED == running.doctor(demo / "nowhere", NONE)
    assert "" == capfd.readouterr().err


def test_one_schema_or_all_are_printed(capfd):
    assert DONE == running.schema(None, name="digest")
    assert contract.exported()["digest"] == json.loads(capfd.readouterr().out)

    assert DONE == running.schema(None, name=None)
    assert contract.exported() == json.loads(capfd.readouterr().out)


def test_all_schemas_are_written_and_again_only_what_differs(tmp_path, capfd):
    running.schema(tmp_path / "new", name=None)
    assert () == contract.differing(tmp_path / "new")

    (tmp_path / "new/digest.schema.json").unlink()
    running.schema(tmp_path / "new", name=None)
    assert f"1 of {len(contract.exported())} schema files" in capfd.readouterr().err.splitlines()[-1]


def test_schemas_that_cannot_be_written_or_chosen_are_an_error(tmp_path):
    (tmp_path / "file").touch()

    with pytest.raises(OutputUnwritable, match="file"):
        running.schema(tmp_path / "file", name=None)
    with pytest.raises(SettingsError, match="novel"):
        running.schema(None, name="novel")
    with pytest.raises(SettingsError, match="one of the two"):
        running.schema(tmp_path / "new", name="digest")
    assert not (tmp_path / "new").exists()


def test_a_record_with_a_name_that_is_no_utf8_becomes_json():
    record = Extraction(note="inbox/tom/\udcff.md", agent="tom", date=DAY, sha256="0" * 64, engine="none")

    assert "inbox/tom/\udcff.md" == json.loads(as_json(record))["note"]

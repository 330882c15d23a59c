"""`agent schema` prints or writes the JSON Schemas that the repository keeps."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

KEPT = Path(__file__).parents[2] / "schemas"


def test_all_schemas_are_one_object_by_name(run: Run) -> None:
    ran = run("schema")

    printed = json.loads(ran.out)
    assert (0, "") == (ran.status, ran.err)
    assert {path.name.removesuffix(".schema.json") for path in KEPT.glob("*.json")} == set(printed)


def test_one_is_printed_by_its_name_as_it_is_kept(run: Run) -> None:
    ran = run("schema", "--name", "extraction")

    assert (0, (KEPT / "extraction.schema.json").read_text(encoding="utf-8")) == (ran.status, ran.out)


def test_written_they_are_the_files_that_are_kept(run: Run, tmp_path: Path) -> None:
    ran = run("schema", "--write", tmp_path / "new")

    assert (0, "") == (ran.status, ran.out)
    assert {path.name: path.read_bytes() for path in KEPT.glob("*.json")} == {
        path.name: path.read_bytes() for path in (tmp_path / "new").iterdir()
    }


def test_written_again_nothing_changes(run: Run, tmp_path: Path) -> None:
    run("schema", "--write", tmp_path)

    ran = run("schema", "--write", tmp_path)

    assert ran.err.startswith("0 of ")


def test_a_file_that_belongs_to_no_schema_is_left_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "novel.schema.json").write_text("{}")

    run("schema", "--write", tmp_path)

    assert "{}" == (tmp_path / "novel.schema.json").read_text()


@pytest.mark.parametrize(
    ("status", "arguments", "says"),
    [
        (2, ("--name", "novel"), "There is no schema 'novel'; there are: "),
        (2, ("--name", "digest", "--write", "{there}/new"), "one of the two"),
        (3, ("--write", "{there}/file"), "cannot be written to"),
        (3, ("--write", "{there}/file/below"), "cannot be written to"),
    ],
)
def test_wrong_use_is_one_sentence_and_a_status(
    run: Run, tmp_path: Path, status: int, arguments: tuple[str, ...], says: str
) -> None:
    (tmp_path / "file").write_text("mine")

    ran = run("schema", *(argument.format(there=tmp_path) for argument in arguments))

    assert (status, "") == (ran.status, ran.out)
    assert says in ran.err
    assert "Traceback" not in ran.err
    assert ["file"] == [path.name for path in tmp_path.iterdir()]

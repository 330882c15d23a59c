"""The exported JSON Schemas."""

import json

from agent.contract import differing, exported, write_schemas


def test_each_record_and_reply_has_a_schema_by_its_snake_name():
    schemas = exported()

    assert {"extraction", "increment", "arxiv_mention", "digest", "extract_reply", "find_reply"} <= set(schemas)
    assert "record" not in schemas
    assert "reply" not in schemas


def test_a_record_is_described_as_it_is_written():
    increment = exported()["increment"]

    assert "register" in increment["properties"]
    assert set(increment["required"]) == set(increment["properties"])
    assert increment["additionalProperties"] is False


def test_a_reply_is_described_as_it_may_be_filled_in():
    reply = exported()["place_reply"]

    assert reply["properties"]["relation"]["enum"] == ["new", "extends", "known", "contradicts"]


def test_schemas_are_written_once_and_again_only_when_they_differ(tmp_path):
    folder = tmp_path / "deep" / "schemas"

    first = write_schemas(folder)
    (folder / "usage.schema.json").write_text("{}")
    second = write_schemas(folder)

    assert len(first) == len(exported())
    assert second == ("usage.schema.json",)
    assert write_schemas(folder) == ()
    assert differing(folder) == ()


def test_a_schema_file_is_json_with_one_line_end(tmp_path):
    write_schemas(tmp_path)

    content = (tmp_path / "digest.schema.json").read_bytes()

    assert json.loads(content)["title"] == "Digest"
    assert content.endswith(b"}\n")
    assert b"\r" not in content


def test_a_folder_that_is_not_there_lacks_every_schema(tmp_path):
    assert len(differing(tmp_path / "nowhere")) == len(exported())

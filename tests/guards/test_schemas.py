"""The schemas in `schemas/` are what the classes say."""

from agent.contract import differing, write_schemas
from tests.sources import ROOT


def test_schemas_are_in_step_with_the_classes():
    assert differing(ROOT / "schemas") == (), "run `agent schema --write` and read the diff: it is the contract"


def test_a_missing_a_changed_and_a_foreign_schema_are_named(tmp_path):
    write_schemas(tmp_path)
    (tmp_path / "digest.schema.json").unlink()
    (tmp_path / "extraction.schema.json").write_text("{}\n")
    (tmp_path / "verdict.schema.json").write_text("{}\n")

    assert differing(tmp_path) == ("digest.schema.json", "extraction.schema.json", "verdict.schema.json")

"""Writes the JSON contract down as JSON Schema, so that others can check our files without installing us.

Promises: the schemas follow from the classes alone, one file per record and reply, the same bytes each time.
"""

import json
import re
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from agent import batons, costs, handoffs, records, replies
from agent.auditing import findings
from agent.evaluating import evaluation
from agent.record import Record

SUFFIX = ".schema.json"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_WORD_START = re.compile(r"(?<!^)(?=[A-Z])")


class _AsWritten(GenerateJsonSchema):
    """Every field is required: what we write leaves none out, defaults included."""

    def field_is_required(self, field: Any, total: bool) -> bool:  # noqa: ARG002, FBT001 - pydantic's signature
        return True


def exported() -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each record and reply by its snake name.

    A record's schema describes what we write, with every field present; a reply's what a model may fill in.
    """
    schemas: dict[str, dict[str, Any]] = {}
    homes = ((module, Record) for module in (batons, records, handoffs, costs, evaluation, findings))
    for module, root in (*homes, (replies, replies.Reply)):
        for member in vars(module).values():
            if not (isinstance(member, type) and issubclass(member, root)) or member is root:
                continue
            name = _WORD_START.sub("_", member.__name__).lower()
            schemas[name] = {"$schema": _DIALECT, **_schema(member)}
    return dict(sorted(schemas.items()))


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    if issubclass(model, Record):
        return model.model_json_schema(mode="serialization", schema_generator=_AsWritten)
    return model.model_json_schema(mode="validation")


def write_schemas(folder: Path) -> tuple[str, ...]:
    """Write each schema that is missing or different to `folder`, and return the names of the files written.

    Files that belong to no class are left alone; `differing` names them.

    Raises:
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for file_name, content in _files().items():
        path = folder / file_name
        if not path.is_file() or path.read_bytes() != content:
            path.write_bytes(content)
            written.append(file_name)
    return tuple(written)


def differing(folder: Path) -> tuple[str, ...]:
    """Return the names of the files in `folder` that are missing, different, or belong to no class."""
    expected = _files()
    found = {path.name: path.read_bytes() for path in folder.glob(f"*{SUFFIX}")}
    return tuple(name for name in sorted(expected | found) if expected.get(name) != found.get(name))


def _files() -> dict[str, bytes]:
    return {
        f"{name}{SUFFIX}": (json.dumps(schema, indent=2, ensure_ascii=False) + "\n").encode()
        for name, schema in exported().items()
    }

"""What every record is: a frozen pydantic model whose unknown fields are errors, and how it is written as JSON."""

import datetime as dt
import json
import re

from pydantic import BaseModel, ConfigDict

# DEL, C1, format and bidi characters, surrogates, private use, tags: all stand inside strings, where JSON may escape them.
_UNSHOWN = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ue000-\uf8ff\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)


class Record(BaseModel):
    """What is written to JSON: frozen, and unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", serialize_by_alias=True, validate_by_name=True)


def as_json(record: Record, *, indent: int | None = 2) -> str:
    """Write a record as JSON; what no terminal should get, and bytes of a path that is no UTF-8, are written as escapes."""
    text = json.dumps(record.model_dump(by_alias=True), ensure_ascii=False, indent=indent, default=_written) + "\n"
    return _UNSHOWN.sub(_escaped, text)


def _written(value: object) -> str:
    """Days, times and moments as ISO 8601, other values as they name themselves."""
    return value.isoformat() if isinstance(value, dt.date | dt.time) else str(value)


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))

"""What every record is: a frozen pydantic model whose unknown fields are errors."""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """What is written to JSON: frozen, and unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", serialize_by_alias=True, validate_by_name=True)

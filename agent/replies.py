"""What a model fills in: one class for each prompt.

These classes are sent to the model as JSON Schema, docstrings and descriptions included: editing them edits a prompt.
`closed` narrows a class to the lists that one call allows, so that nothing outside them can be said.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar, cast, get_origin

from pydantic import BaseModel, ConfigDict, Field, create_model

SourceKind = Literal["paper", "official", "release", "benchmark", "blog", "news", "other"]
Measurer = Literal["independent", "author", "vendor", "nobody"]
Degree = Literal["yes", "partly", "no"]


class Reply(BaseModel):
    """A strict reply: unknown fields are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Boundary(Reply):
    """One finding and the units it stands in."""

    first: int = Field(description="number of its first unit")
    last: int = Field(description="number of its last unit")
    title: str = Field(min_length=4, max_length=60, description="what was found, as a short title")


class FindReply(Reply):
    """The findings of a text, in order; an empty list when nothing in it is new knowledge."""

    findings: list[Boundary] = Field(max_length=12)


class ExtractReply(Reply):
    """What one finding says and what can be checked about its sources."""

    summary: str = Field(min_length=8, max_length=200, description="one or two sentences, facts only")
    points: list[int] = Field(min_length=1, max_length=8, description="numbers of the units that carry the finding")
    source_kind: SourceKind
    measured_by: Measurer
    conditions_given: Degree
    primary_source: bool
    commercial_interest: bool
    reproducible: bool
    reason: str = Field(min_length=4, max_length=120, description="why it can or cannot be trusted, one sentence")


class PlaceReply(Reply):
    """Where one finding belongs in the knowledge base."""

    section: str = Field(description="key of a candidate section, or none")
    line: str = Field(description="key of the line in it that the finding touches, or none")
    relation: Literal["new", "extends", "known", "contradicts"]
    action: Literal["append", "new_subsection", "replace_row"]


class JudgeReply(Reply):
    """How two findings of two notes stand to each other."""

    left: str = Field(description="key of the unit of finding A that is most to the point")
    right: str = Field(description="key of the unit of finding B that is most to the point")
    verdict: Literal["same", "complementary", "contradicting", "unrelated"]


class HoldReply(Reply):
    """Whether a note holds a statement itself."""

    stance: Literal["held", "reported", "rejected", "asked"]


AnyReply = TypeVar("AnyReply", bound=Reply)


def closed(reply: type[AnyReply], lists: Mapping[str, Sequence[int | str] | type[Reply]]) -> type[AnyReply]:
    """Return `reply` with each named field limited to the given values.

    Args:
        reply: a reply class.
        lists: allowed values by field name, or an already closed class for a field that holds replies;
            a field that holds a list has its items limited.

    Raises:
        ValueError: a list is empty (JSON Schema knows no empty enumeration) or names no field.
    """
    fields: dict[str, Any] = {}
    for name, values in lists.items():
        if not values:
            raise ValueError(f"no allowed value for {name!r}")
        if name not in reply.model_fields:
            raise ValueError(f"{reply.__name__} has no field {name!r}")
        info = reply.model_fields[name]
        choice: Any = values if isinstance(values, type) else Literal[tuple(values)]
        if get_origin(info.annotation) is list:
            choice = list[choice]
            for constraint in info.metadata:  # of the list; a closed value has its own
                choice = Annotated[choice, constraint]
        fields[name] = (choice, Field(description=info.description))
    return cast("type[AnyReply]", create_model(reply.__name__, __base__=reply, __doc__=reply.__doc__, **fields))

"""A reply class of the tests' own, so that tests of the way to a model do not move with our prompts."""

from typing import Literal

from pydantic import Field

from agent.replies import Reply

FIELDS = {"section": "A", "action": "append", "relation": "new", "reason": "it fits there"}


class ShelveReply(Reply):
    """Where a thing goes."""

    section: str = Field(description="key of a shelf")
    action: Literal["append", "new_subsection", "replace_row"]
    relation: Literal["new", "extends", "known", "contradicts"]
    reason: str = Field(min_length=4, max_length=120, description="why it goes there")

"""A closed reply class can say nothing outside its lists."""

import pytest
from pydantic import ValidationError

from agent.replies import Boundary, ExtractReply, FindReply, PlaceReply, closed


def test_a_field_is_limited_to_the_values_given() -> None:
    place = closed(PlaceReply, {"section": ["A", "none"]})

    assert ["A", "none"] == place.model_json_schema()["properties"]["section"]["enum"]
    with pytest.raises(ValidationError):
        place.model_validate({"section": "B", "line": "none", "relation": "new", "action": "append"})


def test_the_items_of_a_list_are_limited_and_its_length_stays() -> None:
    schema = closed(ExtractReply, {"points": [3, 4]}).model_json_schema()["properties"]["points"]

    assert [3, 4] == schema["items"]["enum"]
    assert (1, 8) == (schema["minItems"], schema["maxItems"])


def test_a_list_of_replies_takes_a_closed_class() -> None:
    find = closed(FindReply, {"findings": closed(Boundary, {"first": [1, 2], "last": [1, 2]})})

    with pytest.raises(ValidationError):
        find.model_validate({"findings": [{"first": 1, "last": 9, "title": "out of range"}]})


def test_field_order_and_descriptions_survive_closing() -> None:
    plain, narrowed = PlaceReply.model_json_schema(), closed(PlaceReply, {"section": ["A"]}).model_json_schema()

    assert list(plain["properties"]) == list(narrowed["properties"])
    assert plain["description"] == narrowed["description"]


def test_an_empty_list_is_refused_because_json_schema_knows_none() -> None:
    with pytest.raises(ValueError, match="no allowed value for 'section'"):
        closed(PlaceReply, {"section": []})


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValueError, match="no field 'chapter'"):
        closed(PlaceReply, {"chapter": ["A"]})

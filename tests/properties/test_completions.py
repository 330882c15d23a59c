"""Replies and bodies of any shape."""

import json

from hypothesis import given
from hypothesis import strategies as st

from agent.asking.completions import Completion, ServerError, fitted, one_object, read_body, read_error, strict_schema
from agent.replies import FindReply

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(), JSON, max_size=4)
PROSE = st.text(st.characters(blacklist_characters="{}[]<"), max_size=40)


@given(OBJECTS, PROSE, PROSE)
def test_one_object_is_found_whatever_it_holds(value, before, after):
    assert value == one_object(f"{before}{json.dumps(value)}{after}").value


@given(OBJECTS, OBJECTS, PROSE)
def test_of_two_objects_none_is_chosen(first, second, between):
    assert one_object(json.dumps(first) + between + json.dumps(second)).value is None


@given(st.text() | st.text(st.sampled_from('{}[]",:<>/think\\ 1')))
def test_any_text_gives_an_object_or_a_reason(text):
    found = one_object(text)

    assert (found.value is None) == bool(found.reason)


@given(st.binary() | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_body_is_read(content):
    assert isinstance(read_body(content), Completion | ServerError | str)
    assert read_error(500, content).status == 500


@given(OBJECTS)
def test_what_fits_holds_only_fields_of_the_schema(value):
    kept, dropped = fitted(value, strict_schema(FindReply))

    assert set(kept) <= {"findings"}
    assert dropped >= len(value) - len(kept)
    assert json.dumps(kept, ensure_ascii=False).encode("utf-8")

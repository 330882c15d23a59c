"""What a server understands, and how it is asked where it understands less."""

import json

import pytest

from agent.asking.completions import ServerError, strict_schema
from agent.asking.dialects import ROOMS_TO_THINK, Dialect
from agent.asking.prompts import Message
from agent.replies import PlaceReply

SAID = (Message("system", "Choose."), Message("user", "{{ x }}"))
NEWER = Dialect(length_name="max_completion_tokens", room_to_think=ROOMS_TO_THINK[1])


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        (["'response_format.type' must be 'text'"], Dialect("object")),
        (["This response_format type is unavailable now"] * 2, Dialect("plain")),
        (["unknown field response_format"], Dialect("plain")),
        (["body.response_format: Extra inputs are not permitted"], Dialect("plain")),
        (["Unrecognized request argument supplied: response_format"], Dialect("plain")),
        (["Unknown parameter: 'response_format.json_schema.strict'."], Dialect("object")),
        (["Invalid schema for response_format: 'maxLength' is not permitted"], Dialect("bare schema")),
        (["The provided JSON schema contains features not supported by xgrammar."], Dialect("bare schema")),
        (["Invalid schema for response_format"] * 2, Dialect("object")),
        (["failed to parse grammar"], Dialect("object")),
        (["'max_tokens' is unsupported, use 'max_completion_tokens'"], NEWER),
        (["Unsupported parameter: max_tokens"], NEWER),
        (["Unsupported value: 'temperature'"], Dialect(has_temperature=False)),
        (["`temperature` is deprecated for this model."], Dialect(has_temperature=False)),
        (["System role not supported"], Dialect(has_system=False)),
        (["Conversation roles must alternate user/assistant/user/assistant/..."], Dialect(has_system=False)),
        (["messages[0].role does not support 'system' with this model"], Dialect(has_system=False)),
        (
            ["use 'max_completion_tokens'", "'temperature'", "response_format"],
            Dialect("object", "max_completion_tokens", has_temperature=False, room_to_think=ROOMS_TO_THINK[1]),
        ),
    ],
)
def test_a_server_is_asked_more_plainly_step_by_step(errors, expected):
    dialect: Dialect | None = Dialect()
    for error in errors:
        assert dialect is not None
        dialect = dialect.plainer(ServerError(400, message=error))

    assert expected == dialect


@pytest.mark.parametrize(
    "said", ["response_format", "max_tokens", "temperature", "system role not supported", "max_completion_tokens", "?"]
)
def test_every_server_comes_to_an_end(said):
    steps, dialect = 0, Dialect().plainer(ServerError(400, message=said))
    while dialect is not None:
        steps, dialect = steps + 1, dialect.plainer(ServerError(400, message=said))

    assert steps <= 6


def test_in_the_end_nothing_is_left_to_leave_out():
    assert Dialect("plain").plainer(ServerError(400, message="response_format")) is None


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        (Dialect(), {"max_tokens", "temperature", "response_format"}),
        (Dialect("plain", "max_completion_tokens", has_temperature=False), {"max_completion_tokens"}),
    ],
)
def test_only_what_is_understood_is_sent(dialect, expected):
    assert expected == set(dialect.parameters(PlaceReply, max_tokens=9, temperature=0.0))


def test_a_schema_is_sent_to_be_held_strictly():
    sent = Dialect().parameters(PlaceReply, max_tokens=9, temperature=0.0)["response_format"]["json_schema"]

    assert ("PlaceReply", True, strict_schema(PlaceReply)) == (sent["name"], sent["strict"], sent["schema"])


@pytest.mark.parametrize("form", ["object", "plain"])
def test_the_schema_is_told_where_it_cannot_be_enforced(form):
    first, second = Dialect(form).messages(SAID, PlaceReply)

    assert json.dumps(strict_schema(PlaceReply)) in first["content"]
    assert second == {"role": "user", "content": "{{ x }}"}


def test_messages_are_sent_as_they_are_where_the_schema_is_enforced():
    assert [{"role": "user", "content": "{{ x }}"}] == Dialect().messages(SAID[1:], PlaceReply)


def test_without_a_system_role_its_text_comes_first_in_the_users():
    repair = (Message("assistant", "?"), Message("user", "Again."))

    sent = Dialect(has_system=False).messages((*SAID, *repair), PlaceReply)

    assert ["user", "assistant", "user"] == [message["role"] for message in sent]
    assert sent[0]["content"] == "Choose.\n\n{{ x }}"


def test_room_to_think_comes_on_top_of_the_longest_reply_in_steps():
    rooms = []
    dialect: Dialect | None = Dialect()
    while dialect is not None:
        rooms.append(dialect.parameters(PlaceReply, max_tokens=9, temperature=0.0)["max_tokens"] - 9)
        dialect = dialect.roomier(most=ROOMS_TO_THINK[-1])

    assert list(ROOMS_TO_THINK) == rooms


def test_there_is_no_more_room_than_the_context_leaves():
    assert Dialect().roomier(most=0) is None
    assert Dialect(room_to_think=8192).within(2048) == Dialect(room_to_think=2048)


def test_a_dialect_is_told_in_words():
    assert Dialect("plain", has_temperature=False, has_system=False, room_to_think=2048).told == (
        "schema as 'plain', max_tokens, no temperature, no system role, 2048 tokens to think"
    )

"""Foreign text in prompts, whatever it is."""

from hypothesis import given
from hypothesis import strategies as st

from agent.asking.prompts import Prompt, as_data, visible
from agent.replies import PlaceReply

PROMPT = Prompt("any", 1, PlaceReply, 9, 0.0, ("text",), "Data follows.", "[1] {{ text }}!")
TRICKY = st.text(
    st.sampled_from("<>|[]/!_ INSTsthinkｕ｜\u200b\u200d\ufe0f\u202e\U000e0041\n\r\u2028{}%#é推👍"), max_size=60
)


@given(st.text() | TRICKY)
def test_values_arrive_byte_for_byte(text):
    _, user = PROMPT.render(text=text)

    assert f"[1] {text}!" == user.content


@given(st.text() | TRICKY)
def test_the_copy_is_one_line_and_stays_as_it_is(text):
    copy = as_data(text)

    assert len((copy + "x").splitlines()) == 1
    assert copy == as_data(copy)
    assert copy == copy.encode("utf-8").decode("utf-8")


@given(st.text() | TRICKY)
def test_the_copy_holds_no_control_token(text):
    copy = as_data(text)

    assert "<|" not in copy
    assert not any(token in copy for token in ("<s>", "</s>", "</think>", "<think>", "[INST]", "[/INST]"))


@given(st.text() | TRICKY)
def test_the_copy_keeps_every_visible_character_in_order(text):
    kept = [character for character in as_data(text) if not character.isspace()]

    assert [character for character in visible(text) if not character.isspace()] == kept

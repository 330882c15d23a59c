"""Whatever stands at the top of a note, it is read as text or not at all."""

from hypothesis import example, given
from hypothesis import strategies as st

from agent.reading.front_matter import read_front_matter
from agent.reading.hidden import hidden_characters
from agent.reading.units import says_nothing

PARTS = ("---", "...", "\n", "\r\n", "\r", "a: 1", "b: [c, d]", "- x", "  ", "&y ", "*y", "!!set ", "<<: ", "{", "}", "[", "'", '"', "|", "? ", "# ", "\0")  # fmt: skip
TEXTS = st.one_of(
    st.lists(st.sampled_from(PARTS), max_size=30).map(lambda parts: "---\n" + "".join(parts) + "\n---\nbody"),
    st.text(st.characters(exclude_categories=()), max_size=80).map(lambda text: f"---\na: {text}\n---\n"),
)


@given(TEXTS)
@example("---\na: 1\n---")
@example("---\na: \ud800\n---\n")
def test_front_matter_is_text_and_ends_in_the_note(text):
    front = read_front_matter(text)

    assert 0 <= front.end <= len(text)
    assert all(
        isinstance(part, str)
        for value in front.fields.values()
        for part in ([value] if isinstance(value, str) else value)
    )
    assert not front.fields or front.end
    assert says_nothing(text) in (True, False)


@given(st.text(st.characters(exclude_categories=())))
def test_no_more_characters_are_hidden_than_there_are(text):
    assert sum(hidden_characters(text).values()) <= len(text)

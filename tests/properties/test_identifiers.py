"""Whatever the text, spans lie inside it, in order, and cut out what they say."""

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from agent.reading.identifiers import find_arxiv, find_dois, find_urls, is_after, is_valid_identifier

PIECES = st.sampled_from(
    [
        "arXiv:", "arXiv ", "https://arxiv.org/abs/", "https://", "https%3A%2F%2Farxiv.org%2Fabs%2F", "10.48550/arXiv.", "10.1145/",
        "eprint = {", "2607.18141", "2607.18141v2", "1301.3781", "２６０７．１８１４１", "606-2607-18141", "math.AG/0309136", "hep-th/9901001v1",
        "cs.CL/2607.18141", "1234.56789", "v0.20.0", " / ", ",", "、", "(", ")", "[", "]", "](", ".", "\n", " ", "%", "-", "_", "的", "ms",
        "\u200b", "\u202e", "\u0301", "🙂", ".pdf", ".md", "x",
    ]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=80),
    st.lists(PIECES, max_size=12).map("".join),
    st.lists(st.one_of(PIECES, st.text(max_size=4))).map("".join),
)
NUMBERS = st.integers(1, 99999)
NEW = st.builds("{:02d}{:02d}.{:05d}".format, st.integers(15, 99), st.integers(1, 12), NUMBERS)
SHORT = st.builds("{:02d}{:02d}.{:04d}".format, st.integers(8, 14), st.integers(1, 12), st.integers(1, 9999))
OLD = st.builds(
    "{}/{:02d}{:02d}{:03d}".format,
    st.sampled_from(["hep-th", "math", "cs", "q-bio"]),
    st.integers(92, 99),
    st.integers(1, 12),
    st.integers(1, 999),
)


@given(TEXTS)
def test_identifiers_lie_in_the_text_in_order_and_parse_again(text: str) -> None:
    end = 0
    for span in find_arxiv(text):
        assert end <= span.start < span.end <= len(text)
        end = span.end
        assert is_valid_identifier(span.identifier)
        again = find_arxiv(text[span.start : span.end])
        assert [(span.identifier, span.version)] == [(one.identifier, one.version) for one in again]


@given(TEXTS)
def test_addresses_and_dois_lie_in_the_text_in_order(text: str) -> None:
    urls, dois = find_urls(text), find_dois(text)
    for spans in (urls, dois):
        bounds = [0, *(bound for span in spans for bound in (span.start, span.end)), len(text)]
        assert sorted(bounds) == bounds
    assert [text[span.start : span.end] for span in urls] == [span.url for span in urls]
    for url in urls:
        assert url.url in [one.url for one in find_urls(url.url)]


@given(
    st.one_of(NEW, SHORT, OLD),
    st.sampled_from(["arXiv:", "https://arxiv.org/abs/", "（arXiv：", "见https://arxiv.org/pdf/", "10.48550/arXiv."]),
)
def test_every_possible_identifier_is_found_where_arxiv_is_named(identifier: str, before: str) -> None:
    assert is_valid_identifier(identifier)
    assert [identifier] == [span.identifier for span in find_arxiv(f"据{before}{identifier}）所述")]


@given(st.text(max_size=12), st.dates())
def test_any_string_can_be_asked_about(identifier: str, date: dt.date) -> None:
    assert is_valid_identifier(identifier) or not is_after(identifier, date)

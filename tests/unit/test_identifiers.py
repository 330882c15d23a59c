"""Identifiers are found in every form in which people and tools write them, and nothing else is."""

import datetime as dt
import time

import pytest

from agent.reading.identifiers import (
    ArxivSpan,
    find_arxiv,
    find_dois,
    find_urls,
    is_after,
    is_valid_identifier,
)


def found(text: str) -> list[str]:
    return [span.identifier for span in find_arxiv(text)]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("https://arxiv.org/abs/2607.18141", "abs"),
        ("http://www.arxiv.org/abs/2607.18141?context=cs", "abs"),
        ("https://arxiv.org/abs//2607.18141", "abs"),
        ("arxiv.org/abs/2607.18141.", "abs"),
        ("https://export.arxiv.org/abs/arXiv:2607.18141", "abs"),
        ("[论文](https://arxiv.org/pdf/2607.18141.pdf)", "pdf"),
        ("<https://arxiv.org/pdf/2607.18141#page=3>", "pdf"),
        ('<a href="https://ar5iv.labs.arxiv.org/html/2607.18141">', "html"),
        ("https://www.alphaxiv.org/abs/2607.18141", "abs"),
        ("https://www.alphaxiv.org/overview/2607.18141", "page"),
        ("https://huggingface.co/papers/2607.18141", "page"),
        ("https://papers.cool/arxiv/2607.18141 ", "page"),
        ("https://scirate.com/arxiv/2607.18141", "page"),
        ("https://example.org/reader?id=2607.18141&page=2", "page"),
        ("https://t.example.org/r?u=https%3A%2F%2Farxiv.org%2Fabs%2F2607.18141&x=1", "abs"),
        ("https://t.example.org/r?u=https%3A%2F%2Fwww.example.com%2Fpapers%2F2607.18141", "page"),
        ("https://t.example.org/?u=https%253A%252F%252Farxiv.org%252Fabs%252F2607.18141", "abs"),
        ("https://example.org/files/paper-2607.18141.pdf", "page"),
        ('<guid isPermaLink="false">oai:arXiv.org:2607.18141v1</guid>', "label"),
        ("https://doi.org/10.48550/arXiv.2607.18141", "doi"),
        ("doi:10.48550/ARXIV.2607.18141", "doi"),
        ("https://doi.org/10.48550%2FarXiv.2607.18141", "doi"),
        ("  eprint = {2607.18141},", "bibtex"),
        ('eprint="2607.18141"', "bibtex"),
        ("arXiv:2607.18141", "label"),
        ("ARXIV: 2607.18141", "label"),
        ("arXiv：2607.18141", "label"),
        ("arXiv2607.18141", "label"),
        ("arXiv%3A2607.18141", "label"),
        ("arXiv preprint arXiv:2607.18141, 2026", "label"),
        ("- **arXiv ID**: 2607.18141", "label"),
        ("| arXiv 编号 | 2607.18141 |", "label"),
        ("arxiv_id: 2607.18141", "label"),
        ("论文见 arXiv\n2607.18141", "label"),
        ("2607.18141", "bare"),
        ("[2607.18141]", "bare"),
        ("论文2607.18141提出", "bare"),
        ("| Title | 2607.18141 | cs.CL |", "bare"),
        ("2607.18141.pdf", "bare"),
        ("_2607.18141_", "bare"),
        ("（2607.18141）", "bare"),
        ("<td>2607.18141</td>", "bare"),
        ("> 2607.18141 is quoted", "bare"),
        ("606-2607-18141.md", "card"),
        ("606-2607-18141 / next", "card"),
        ("cs.CL/2607.18141", "oldstyle"),
    ],
)
def test_new_identifier_is_found_with_its_form(text, form):
    assert [("2607.18141", form)] == [(span.identifier, span.form) for span in find_arxiv(text)]


@pytest.mark.parametrize(
    ("text", "identifier", "version"),
    [
        ("arXiv:2607.18141v2", "2607.18141", 2),
        ("2607.18141v12", "2607.18141", 12),
        ("https://arxiv.org/pdf/2607.18141v3.pdf", "2607.18141", 3),
        ("_https://arxiv.org/html/2607.18141v1_", "2607.18141", 1),
        ("quant-ph/9601001v1", "quant-ph/9601001", 1),
        ("solv-int/9701001v1", "solv-int/9701001", 1),
        ("2607.18141", "2607.18141", None),
    ],
)
def test_version_is_kept_apart(text, identifier, version):
    assert [(identifier, version)] == [(span.identifier, span.version) for span in find_arxiv(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hep-th/9901001", "hep-th/9901001"),
        ("见hep-th/9901001。", "hep-th/9901001"),
        ("arXiv:math.AG/0309136", "math/0309136"),
        ("https://arxiv.org/abs/cond-mat.str-el/0309136", "cond-mat/0309136"),
        ("https://arxiv.org/pdf/adap-org/9306005v1.pdf", "adap-org/9306005"),
        ("https://x.example/?u=https%3A%2F%2Farxiv.org%2Fabs%2Fquant-ph%2F9601001", "quant-ph/9601001"),
        ("10.48550/arXiv.quant-ph/9601001", "quant-ph/9601001"),
        ("CS/0501001", "cs/0501001"),
    ],
)
def test_old_identifier_needs_its_archive_and_loses_its_class(text, expected):
    assert [expected] == found(text)


@pytest.mark.parametrize(
    "text",
    [
        "0112019",
        "foo/0112019",
        "xmath/0309136",
        "hep-th/9913001",
        "hep-th/0704001",
        "hep-th/9901000",
        "hep-th/99010011",
        "https://example.org/cs/0501001",
    ],
)
def test_old_number_without_archive_or_month_is_none(text):
    assert [] == found(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("arXiv:2605.01280 / 2605.11733 / 2606.14589", ["2605.01280", "2605.11733", "2606.14589"]),
        ("2607.18141,2605.01280", ["2607.18141", "2605.01280"]),
        ("arXiv:1301.3781、1310.4546 和 1409.0473", ["1301.3781", "1310.4546", "1409.0473"]),
        ("[2607.18141](https://arxiv.org/abs/2607.18141)", ["2607.18141", "2607.18141"]),
        ("https://arxiv.org/abs/2509.11698https://arxiv.org/abs/2509.11699[题目", ["2509.11698", "2509.11699"]),
        ("596-2606-28560 / 597-2607-09172", ["2606.28560", "2607.09172"]),
        ("- 2605.01280\n- 2605.11733\n-2606.14589", ["2605.01280", "2605.11733", "2606.14589"]),
        ("arXiv:2605.01280/2605.11733", ["2605.01280", "2605.11733"]),
    ],
)
def test_each_identifier_of_an_enumeration_is_found(text, expected):
    assert expected == found(text)


@pytest.mark.parametrize(
    "text",
    [
        "arXiv:1301.3781",
        "https://arxiv.org/abs/1301.3781",
        "1301.3781",
        "[1301.3781]",
        "Mikolov et al. (1301.3781)",
        "1301.3781v3",
        "1301.3781 [cs.CL]",
        "| Work | arXiv |\n|---|---|\n| A | 1301.3781 |",
        "| A | 2110.14168 |\n| B | 1301.3781 |",
    ],
)
def test_short_number_is_read_where_something_marks_it(text):
    assert "1301.3781" in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "the mean was 1301.3781 over ten runs",
        "总计 1301.3781 与 1412.1234",
        "1301.3781 tok/s (arXiv)",
        "| arXiv run | 1301.3781 | 1455.1234 |",
        "https://example.org/1301.3781",
    ],
)
def test_short_number_without_a_mark_is_a_decimal(text):
    assert [] == found(text)


@pytest.mark.parametrize(
    "text",
    [
        "1234.56789",
        "arXiv:1234.56789",
        "arXiv:1300.1234",
        "2607.00000",
        "1501.1234",
        "1412.12345",
        "7282.25",
        "15075.9375",
        "19869.937519871.9375",
        "2026.06.29",
        "2026-07-27",
        "20250816_094011",
        "v2607.18141",
        "2607.181412",
        "12607.18141",
        "2607.18141.3",
        "10.2607.18141",
        "a2607.18141",
        "2607.18141f",
        "$2607.18141",
        "¥ 2607.18141",
        "约为 ≈2607.18141",
        "2607.18141 ms",
        "2607.18141 tokens/s",
        "2607.18141%",
        "2607.18141 秒",
        "2607.18141万",
        "loss: 2607.18141",
        "平均 2607.18141",
        "lr=1604.12345",
        "| 8719.93751 | 2604.12345 |",
        "about 9912.12345",
        "10.1101/2020.12.12345",
        "https://doi.org/10.1234/2607.18141",
        "10.1109/SC41406.2024.00089",
        "%2012.12345",
        "+1-202-555-0143",
        "2026-07-27-1100-1234",
        "010-1204-5678",
        "https://arxiv.org/list/cs.CL/recent",
        "https://papers.cool/arxiv/cs.CL",
        "https://arxiv.org/search/?searchtype=author&query=Some%20Body",
        "Arxiv 2024. ",
        "IP 2001.48606",
        "26О7.18141",  # a Cyrillic letter for the zero
        "2607\u202418141",  # one dot leader
        "х2607.18141",  # glued to a Cyrillic letter
        "٢٦٠٧.١٨١٤١",
        "2607.\n18141 rows",
        "",
    ],
)
def test_other_numbers_are_none(text):
    assert [] == found(text)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("２６０７．１８１４１", "２６０７．１８１４１"),
        ("ａｒＸｉｖ：２６０７．１８１４１ｖ２", "２６０７．１８１４１ｖ２"),
        ("arXiv:2607\\.18141", "2607\\.18141"),
        ("arXiv%3A2607%2E18141", "2607%2E18141"),
        ("arXiv:2607.\n18141", "2607.\n18141"),
        ("arXiv:hep-th/2607.18141", "hep-th/2607.18141"),
    ],
)
def test_odd_writing_is_read_and_said(text, cut):
    (span,) = find_arxiv(text)
    assert ("2607.18141", True) == (span.identifier, span.is_written_oddly)
    assert cut == text[span.start : span.end]


def test_full_width_label_alone_is_not_odd():
    assert [False] == [span.is_written_oddly for span in find_arxiv("arXiv：2607.18141（预印本）")]


def test_span_is_the_identifier_with_its_version():
    text = "见 https://arxiv.org/abs/2607.18141v2 一文"
    assert (ArxivSpan("2607.18141", 2, 24, 36, "abs"),) == find_arxiv(text)


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ("2607.18141", True),
        ("1412.6980", True),
        ("0704.0001", True),
        ("9912.12345", True),
        ("math/0309136", True),
        ("0703.0001", False),
        ("1412.69801", False),
        ("1501.0001", False),
        ("2613.18141", False),
        ("2607.00000", False),
        ("2607.18141v1", False),
        ("arXiv:2607.18141", False),
        ("math.AG/0309136", False),
        ("Math/0309136", False),
        ("foo/0309136", False),
        ("math/0704001", False),
        ("２６０７.18141", False),
        ("2607.18141.1", False),
        ("", False),
    ],
)
def test_only_canonical_and_possible_identifiers_are_valid(identifier, expected):
    assert expected is is_valid_identifier(identifier)


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ("2607.18141", False),
        ("2608.00001", True),
        ("2701.00001", True),
        ("2512.00001", False),
        ("0704.0001", False),
        ("hep-th/9901001", False),
        ("no identifier", False),
    ],
)
def test_month_is_compared_with_the_month_of_a_date(identifier, expected):
    assert expected is is_after(identifier, dt.date(2026, 7, 1))


def test_old_style_month_has_its_own_century():
    assert is_after("hep-th/9901001", dt.date(1998, 12, 31))
    assert not is_after("hep-th/9901001", dt.date(1999, 1, 1))
    assert is_after("math/0309136", dt.date(2003, 8, 31))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("见https://example.org/a。后面", ["https://example.org/a"]),
        ("(https://example.org/a_(b))", ["https://example.org/a_(b)"]),
        ("[x](https://example.org/a)后 [y](HTTP://example.org/b?c=d&e=f#g).", ["https://example.org/a", "HTTP://example.org/b?c=d&e=f#g"]),
        ("url = {https://example.org/a},", ["https://example.org/a"]),
        ('<a href="https://example.org/a">', ["https://example.org/a"]),
        ("https://example.org/a，https://example.org/b；", ["https://example.org/a", "https://example.org/b"]),
        ("_https://example.org/a_ **https://example.org/b**", ["https://example.org/a", "https://example.org/b"]),
        ("https://example.org/ahttps://example.org/b", ["https://example.org/a", "https://example.org/b"]),
        ("https://web.example.org/2020/https://example.org/b", ["https://web.example.org/2020/https://example.org/b"]),
        ("https://example.org/a[题目", ["https://example.org/a"]),
        ("https://example.org/a?q=中文", ["https://example.org/a?q="]),
        ("http://[::1]:8000/x", ["http://[::1]:8000/x"]),
        ("| https://example.org/a|", ["https://example.org/a"]),
        ("https://example.org/a … ftp://example.org https:// http://", ["https://example.org/a"]),
    ],
)  # fmt: skip
def test_addresses_end_where_they_end(text, expected):
    spans = find_urls(text)
    assert expected == [span.url for span in spans]
    assert expected == [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("doi:10.1145/3773772.", ["10.1145/3773772"]),
        ("https://doi.org/10.1109/SC41406.2024.00089)", ["10.1109/sc41406.2024.00089"]),
        ("10.1145%2F3773772", ["10.1145/3773772"]),
        ("见10.48550/arXiv.2607.18141，以及", ["10.48550/arxiv.2607.18141"]),
        ("10.1016/S0140-6736(20)30183-5", ["10.1016/s0140-6736(20)30183-5"]),
        ("https://example.org/10.1145/3773772.pdf", ["10.1145/3773772"]),
        ("version 10.1145/ and 110.1145/3 and 10.5/3", []),
    ],
)
def test_dois_are_cut_out_and_lower_cased(text, expected):
    assert expected == [span.doi for span in find_dois(text)]


@pytest.mark.parametrize("find", [find_arxiv, find_urls, find_dois])
@pytest.mark.parametrize(
    "pump",
    [
        "1", ".", " ", ",", "×", "-", "/", "a", "\n", "%2F", "2607.", "1301.3781 ", "2607.18141 ", "2607.18141,", "1-2607-18141/",
        "hep-th/9901001 ", "https://", "http://a.b/(", "http://[", "10.1234/", "arXiv ", "１．", "arxiv/abs/", "a.b/2607.18141/",
        "math", "(", "%20",
    ],
)  # fmt: skip
def test_pumped_strings_take_linear_time(find, pump):
    text = pump * (50_000 // len(pump))
    started = time.perf_counter()
    find(text)
    assert time.perf_counter() - started < 2

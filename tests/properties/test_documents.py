"""Whatever a living document holds, it can be taken apart and searched."""

from hypothesis import given
from hypothesis import strategies as st

from agent.reading.documents import find_section, near_sections, parse_document

LINES = (
    "# t", "## 一、全景", "### 4.3 混合内存", "## §2 别的", "### §2.79 CXL KV", "## 第九节 趋势", "更新：2026-09-13", "共识 C1–C58", "- C57 甲",
    "## 共识", "```", "# comment", "text", "", "---", "## 1️⃣ Cache", "3. item",
)  # fmt: skip
TEXTS = st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=16)), max_size=30).map("\n".join)


@given(TEXTS)
def test_what_is_found_by_a_heading_is_a_section_of_the_document(text):
    document = parse_document("x.md", text, sha256="")
    for section in document.sections:
        assert find_section(document, section.heading) in (None, *document.sections)
        assert len(near_sections(document, section.heading, limit=2)) <= 2


@given(TEXTS)
def test_a_section_starts_in_its_line_and_holds_text_of_the_document(text):
    document = parse_document("x.md", text, sha256="")
    lines = [section.line for section in document.sections]

    assert sorted(set(lines)) == lines
    assert all(section.content in text for section in document.sections)


@given(TEXTS, st.text(max_size=40))
def test_any_wish_can_be_looked_up(text, wanted):
    document = parse_document("x.md", text, sha256="")

    assert find_section(document, wanted) in (None, *document.sections)
    assert set(near_sections(document, wanted)) <= set(document.sections)

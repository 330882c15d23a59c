"""Whatever a living document looks like: an edit adds what it is to add, and moves, hides or renames nothing else."""

from collections import Counter

from hypothesis import assume, example, given
from hypothesis import strategies as st

from agent.reading.documents import parse_document, register_entries
from agent.reading.units import split_units
from agent.relaying.editing import appended, applied, diff, row_edit, row_key, subsection_place
from agent.relaying.entries import register_edit
from agent.relaying.places import Edit
from agent.texts import LivingDocument

FINDING = ["- a new finding of the day", "  - with a point"]
HEADINGS = (
    "# caching", "## 一、现状", "## 二、引擎", "## 3. Tiers", "### 2.1 分页", "### 2.2 radix", "### §2.79 disks", "### 2.80 links ##",
    "#### details", "  ## 4 late", "## 登记", "###### deep", "## 十、开放", "### 三、内里", "2.9 underlined\n---", "## **bold**",
    "## [linked](x.md)",
)  # fmt: skip
BLOCKS = (
    "A sentence. And one more.", "一句话。", "- an item\n- another one", "* star\n\n* loose", "- deep\n  - deeper\n    - deepest", "1. first\n2. second",
    "| engine | tok/s |\n|---|---|\n| vLLM | 120 |\n| SGLang | |", "```\n## no heading\n- C99 no entry\n```", "~~~~text\n```\n~~~~", "- item\n  ```\n  # code\n  ```",
    "    indented code", "> quoted\n> ```", "<!-- hidden\n## hidden\n-->", "共识：C57 甲。C58 乙。", "- **C59**：丙\n- D4 丁", "| C60 | 戊 | |\n| O7 | 己 | |",
    "C61 庚\n接着说。", "***", "text\twith tab  ", "\u3000\u3000缩进。", "* * *", "$$\nx\n$$", "trailing   ",
)  # fmt: skip
ENDINGS = ("```\nnever closed", "<!-- never closed", "- item", "", "---", "last word")
block = st.sampled_from(HEADINGS) | st.sampled_from(HEADINGS) | st.sampled_from(BLOCKS)
part = st.tuples(block, st.sampled_from(["\n", "\n\n", "\n\n\n", "\n \n"]))


@st.composite
def documents(draw: st.DrawFn) -> LivingDocument:
    """A document of headings and blocks in any order, with any line end, closed or not."""
    body = "".join(words + gap for words, gap in draw(st.lists(part, max_size=10)))
    text = (
        draw(st.sampled_from(HEADINGS))
        + "\n"
        + body
        + draw(st.sampled_from(ENDINGS))
        + draw(st.sampled_from(["", "\n"]))
    )
    return parsed(text.replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"]))))


def parsed(text: str) -> LivingDocument:
    return parse_document("x.md", text, sha256="")


def made(document: LivingDocument, edit: Edit) -> LivingDocument:
    return parsed(applied(document.text, edit))


def outline(document: LivingDocument) -> list[tuple[str | None, str, int]]:
    return [(one.number, one.heading, one.level) for one in document.sections]


def code(text: str) -> Counter[str]:
    return Counter(unit.text for unit in split_units(text) if unit.kind in {"code", "comment"})


def entries(document: LivingDocument) -> list[tuple[str, int]]:
    return [(kind, number) for kind, number, _ in register_entries(document)]


@given(documents(), st.data())
def test_lines_come_to_the_end_of_a_section_and_change_no_heading_code_or_entry(document, data):
    assume(document.sections)
    place = data.draw(st.integers(0, len(document.sections) - 1))
    section = document.sections[place]
    edit = appended(document, section, FINDING)
    if edit is None:
        assert any(mark in section.content for mark in ("```", "~~~", "<!--"))
        return
    after = made(document, edit)
    assert edit.start == edit.end
    assert section.body <= edit.start <= section.end
    assert outline(document) == outline(after)
    assert "a new finding of the day" in after.sections[place].content
    assert code(document.text) == code(after.text)
    assert entries(document) == entries(after)
    found = next(unit for unit in split_units(after.text) if "a new finding of the day" in unit.text)
    assert found.kind == ("sentence" if document.text[: section.end].endswith("  ") else "item")


@given(documents(), st.data())
def test_a_subsection_comes_below_its_place_with_a_number_that_nobody_has(document, data):
    assume(document.sections)
    assume(any(document.text[one.start : one.body].startswith("#") for one in document.sections))
    place = data.draw(st.integers(0, len(document.sections) - 1))
    section = document.sections[place]
    new = subsection_place(document, section)
    if new.is_shut:
        return
    after = made(
        document, Edit(new.at, new.at, f"\n\n{new.opening}Title of the day{new.closing}\n\nIts body.{new.ending}")
    )
    fresh = [one for one in after.sections if one.heading == "Title of the day"]
    assert 1 == len(fresh)
    where = after.sections.index(fresh[0])
    assert where > place
    assert outline(document) == [one for at, one in enumerate(outline(after)) if at != where]
    assert new.number == fresh[0].number
    siblings = [one for one in document.sections if one.path == fresh[0].path and one.level == fresh[0].level]
    assert new.number is None or new.number not in {one.number for one in siblings}
    assert code(document.text) == code(after.text)
    assert entries(document) == entries(after)


@given(documents(), st.sampled_from("CDO"))
def test_a_register_entry_is_added_and_every_other_one_stays(document, kind):
    edit = register_edit(document, kind, 777, "新的一条 of the day")
    if edit is None:
        return
    after = made(document, edit)
    assert Counter([*entries(document), (kind, 777)]) == Counter(entries(after))
    assert [one for one in entries(after) if one != (kind, 777)] == entries(document)
    assert 777 == after.registers[kind]
    assert {**document.registers, kind: 777} == after.registers
    assert code(document.text) == code(after.text)


@given(documents(), st.data())
def test_a_row_gets_the_figure_and_keeps_its_other_cells(document, data):
    assume(document.sections)
    section = data.draw(st.sampled_from(document.sections))
    edit = row_edit(document, section, {row_key("vLLM"): {"tok/s": "777"}})
    if edit is None:
        assert "| vLLM | 120 |" not in [unit.text for unit in split_units(section.content)]
        return
    assert "| vLLM | 120 |" == document.text[edit.start : edit.end]
    assert "| vLLM | 777 |" == edit.new
    assert code(document.text) == code(applied(document.text, edit))


@given(documents(), st.data())
def test_a_diff_of_an_edit_applies(document, data):
    assume(document.sections)
    edit = appended(document, data.draw(st.sampled_from(document.sections)), FINDING)
    if edit is None:
        return
    lines = document.text.splitlines(keepends=False)
    changed = patched(lines, diff(document, edit))
    assert applied(document.text, edit).splitlines() == changed


def patched(lines: list[str], unified: str) -> list[str]:
    """Apply a unified diff of one hunk, checking what it says about the old lines."""
    out, at = [], 0
    for line in unified.splitlines()[2:]:
        if line.startswith("@@"):
            start = int(line.split()[1].removeprefix("-").split(",")[0])
            length = line.split()[1].partition(",")[2]
            start -= 1 if length != "0" else 0
            out += lines[at:start]
            at = start
        elif line.startswith("+"):
            out.append(line[1:])
        else:
            assert lines[at] == line[1:]
            out += [lines[at]] if line.startswith(" ") else []
            at += 1
    return out + lines[at:]


@given(st.text(alphabet=st.sampled_from("# \t\r\n-*|`~><!C59§.三、共识：a\u2028\u3000\\[]"), max_size=120))
@example("## a\n" + "-" * 40 + "\n" + "- " * 40)
def test_nothing_raises_and_all_old_text_stays_on_any_text(text):
    document = parsed(text)
    edits = [register_edit(document, "C", 77, "x")]
    for section in document.sections:
        place = subsection_place(document, section)
        edits += [appended(document, section, FINDING), Edit(place.at, place.at, f"\n\n{place.opening}x\n\ny")]
    for edit in edits:
        if edit is not None:
            assert 0 <= edit.start == edit.end <= len(text)
            assert (
                text
                == applied(text, edit)[: edit.start]
                + applied(text, edit)[len(applied(text, edit)) - len(text) + edit.end :]
            )

"""A relation holds only as far as the section's own lines bear it out, and the line that a finding touches is quoted."""

import pytest

from agent.extracting.standing import Stated, line_touched, lines_about, older_version, relation_held
from agent.records import Relation, Standing
from agent.texts import LivingDocument, Section
from tests.noting import knowing

DOCUMENT = """serving.md
# serving

## 2 调度

### 2.1 请求顺序

> 三条都在用。

- Quellmark v0.4.1 按到达先后处理请求，首字延迟：348 ms，见 arXiv:2608.90417。
- 公平队列还在讨论。

---

| 引擎 | 吞吐 |
|---|---|
| Mora | 12 tok/s |

### 2.2 内存

显存满时把页移到主机。
"""
KNOWLEDGE = knowing(DOCUMENT)
(SERVING,) = KNOWLEDGE.documents
ORDER, MEMORY = (next(one for one in SERVING.sections if one.number == number) for number in ("2.1", "2.2"))


def _stated(name: str = "Quellmark 按前缀排序请求", text: str = "", papers: tuple[str, ...] = ()) -> Stated:
    return Stated(name, text, f"{name}\n{text}", papers)


def _lines(
    stated: Stated, *, document: LivingDocument = SERVING, section: Section = ORDER, limit: int = 3
) -> list[str]:
    found = lines_about(stated, document, section, KNOWLEDGE.index, limit=limit)
    return [f"{one.line} {one.quote}" for one in found]


def _held(said: Relation, stated: Stated, line: Standing | None = None, *, section: Section = ORDER) -> Relation:
    return relation_held(said, stated, section, line)


def _line(stated: Stated, *, limit: int = 9) -> Standing:
    """Return the line of 2.1 that a finding touches."""
    lines = lines_about(stated, SERVING, ORDER, KNOWLEDGE.index, limit=limit)
    line = line_touched(stated, lines, KNOWLEDGE.index)
    assert line is not None
    return line


# Lines.


def test_the_lines_that_share_rare_words_come_first_and_stand_in_their_order():
    stated = _stated(text="公平队列也用上了")

    assert [
        "9 - Quellmark v0.4.1 按到达先后处理请求，首字延迟：348 ms，见 arXiv:2608.90417。",
        "10 - 公平队列还在讨论。",
    ] == _lines(stated, limit=2)


def test_each_line_is_quoted_from_its_own_place_in_the_document():
    lines = SERVING.text.split("\n")

    found = lines_about(_stated(), SERVING, ORDER, KNOWLEDGE.index, limit=99)

    assert [lines[one.line - 1] for one in found] == [one.quote for one in found]
    assert {("serving.md", "2.1")} == {(one.document, one.section) for one in found}


def test_rules_of_tables_and_of_text_are_no_lines():
    assert ["7 > 三条都在用。", "14 | 引擎 | 吞吐 |", "16 | Mora | 12 tok/s |"] == [
        line for line in _lines(_stated(), limit=99) if "Quellmark" not in line and "公平" not in line
    ]


def test_a_long_line_is_quoted_from_its_beginning():
    long = "长" * 400
    knowledge = knowing(f"a.md\n# a\n\n## 1 节\n\n{long}\n")
    (document,) = knowledge.documents

    (line,) = lines_about(_stated(), document, document.sections[-1], knowledge.index, limit=3)

    assert long[:160] == line.quote


def test_an_empty_section_has_no_lines():
    (document,) = knowing("a.md\n# a\n\n## 1 节\n").documents

    assert [] == _lines(_stated(), document=document, section=document.sections[-1])


def test_a_section_without_a_number_is_named_by_its_heading():
    knowledge = knowing("a.md\n# a\n\n## 没有编号的一节\n\n一行字。\n")
    (document,) = knowledge.documents

    (line,) = lines_about(_stated(), document, document.sections[-1], knowledge.index, limit=3)

    assert "没有编号的一节" == line.section


# The line that a finding touches.


def test_the_nearest_line_is_touched_or_the_one_that_a_model_names_if_it_shares_rare_words_too():
    stated = _stated(text="Mora 也是")
    lines = lines_about(stated, SERVING, ORDER, KNOWLEDGE.index, limit=9)
    by_line = {one.line: one for one in lines}

    assert by_line[9] == line_touched(stated, lines, KNOWLEDGE.index)
    assert by_line[16] == line_touched(stated, lines, KNOWLEDGE.index, named=by_line[16])
    assert by_line[9] == line_touched(stated, lines, KNOWLEDGE.index, named=by_line[10])


def test_a_finding_that_shares_nothing_touches_no_line():
    stated = _stated("光刻机的交付")
    lines = lines_about(stated, SERVING, ORDER, KNOWLEDGE.index, limit=9)

    assert lines
    assert line_touched(stated, lines, KNOWLEDGE.index) is None
    assert line_touched(stated, lines, KNOWLEDGE.index, named=lines[0]) is None


# Relations.


@pytest.mark.parametrize(
    ("held", "stated"),
    [
        ("known", _stated(text="首字延迟 348 ms")),
        ("known", _stated(papers=("2608.90417",))),
        ("extends", _stated(text="没有数字")),  # nothing shows that it is the same
        ("extends", _stated(text="首字延迟 212 ms")),  # another figure
        ("extends", _stated("Quellmark v0.4.2 按前缀排序请求", "348 ms")),  # another version
        ("extends", _stated(papers=("2608.90417", "2609.00001"))),  # one paper more
        ("extends", _stated("Kestrel 与 Quellmark 比快慢", "348 ms", papers=("2608.90417",))),  # another thing
    ],
)
def test_a_finding_is_known_only_where_its_papers_figures_and_name_stand(held, stated):
    assert held == _held("known", stated, _line(stated))


@pytest.mark.parametrize(
    ("held", "text"),
    [
        ("contradicts", "首字延迟：212 ms"),
        ("extends", "首字延迟：348 ms"),
        ("extends", "首字延迟：从 348 ms 到 212 ms"),  # the line's own figure among them
        ("extends", "吞吐：212 ms"),  # of something else
        ("extends", "首字延迟：212 GB"),
        ("extends", "没有数字"),
    ],
)
def test_a_finding_contradicts_a_line_only_by_another_figure_for_the_same(held, text):
    stated = _stated(text=text)

    assert held == _held("contradicts", stated, _line(stated))


def test_what_no_line_and_no_name_bears_out_is_new():
    stated = _stated("光刻机的交付")

    assert ("new", "new", "new") == (
        _held("known", stated),
        _held("extends", stated),
        _held("contradicts", stated),
    )


def test_without_a_line_the_name_alone_makes_it_extend():
    assert "extends" == _held("extends", _stated("Quellmark 的新版本"))
    assert "new" == _held("extends", _stated("Quellmark 的新版本"), section=MEMORY)


def test_new_is_not_said_of_a_finding_whose_paper_stands_there():
    assert "extends" == _held("new", _stated("另一种做法", papers=("2608.90417",)))
    assert "new" == _held("new", _stated("另一种做法", papers=("2609.00001",)))
    assert "new" == _held("new", _stated())


def test_a_finding_with_a_figure_that_the_section_lacks_is_never_known():
    """A model could otherwise hide it by leaving the figure out of its summary."""
    stated = Stated("Quellmark 按前缀排序请求", "首字延迟 348 ms", "首字延迟 348 ms，但吞吐掉到 31 tok/s", ())

    assert "extends" == relation_held("known", stated, ORDER, _line(stated))


VERSIONS = knowing("""engines.md
# engines

## 7.1 Mora

- v0.30.0 (2026-08-06): nothing since.
- v0.29.1: first with tiers.

## 7.2 Others

Quellmark v0.4.1 orders requests; it takes 0.3 s.
""").documents[0]


@pytest.mark.parametrize(
    ("title", "line"),
    [
        ("Mora v0.32.0 发布", "- v0.30.0 (2026-08-06): nothing since."),  # the heading names it, the newest line counts
        ("Quellmark 0.5 orders by prefix", "Quellmark v0.4.1 orders requests; it takes 0.3 s."),
        ("Quellmark v0.4.0 orders by arrival", None),  # none is older
        ("Tarn v0.5 is faster than Quellmark v0.5.0", None),  # it is about another product
        ("Quellmark takes 0.2 s", None),  # no version
        ("缓存分层 v2.0", None),
    ],
)
def test_the_newest_older_version_of_a_findings_product_is_found(title, line):
    found = older_version(_stated(title), VERSIONS)
    assert line == (found.quote if found else None)

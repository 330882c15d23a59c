"""A paper is new or stock only where a text says so, and cannot be both."""

import pytest

from agent.checking.dispute import Hand
from agent.checking.novelty import claims, compare
from agent.records import Claim
from tests.noting import a_note, segments_of

A, B = "2608.90417", "2607.90288"


def stated(text: str, *, path: str = "inbox/tom/2026-09-14-1100-radar.md") -> list[Claim]:
    """Return what a text claims of the novelty of papers."""
    note = a_note(text, path=path)
    return list(claims(Hand(note=note, segments=segments_of(text), is_document=not path.startswith("inbox/"))))


def said(text: str) -> list[tuple[str, str]]:
    return [(claim.subject, claim.value) for claim in stated(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"本轮新增 arXiv 号 2 个（arXiv:{A} 与 arXiv:{B}）。", [(A, "new"), (B, "new")]),
        (f"arXiv:{A} 换页框架首次披露。", [(A, "new")]),
        (f"arXiv:{A} 为新增；arXiv:{B} 为存量沿用。", [(A, "new"), (B, "stock")]),
        (f"arXiv:{A} 为新增，arXiv:{B} 已收录。", [(A, "new"), (B, "stock")]),
        (f"arXiv:{A} / arXiv:{B} 均为本轮存量。", [(A, "stock"), (B, "stock")]),
        (f"活文档已有 arXiv:{A}。", [(A, "stock")]),
        (f"Core new papers: arXiv:{A}, arXiv:{B}.", [(A, "new"), (B, "new")]),
        (f"arXiv:{A} is already in serving.md.", [(A, "stock")]),
        (f"arXiv:{A} was carried over from yesterday.", [(A, "stock")]),
        (f"New (not in the library): arXiv:{A}", [(A, "new")]),
        (f"arXiv:{A} - in the library since 2 September.", [(A, "stock")]),
        (f"arXiv:{A} 早在 9 月 2 日入库。", [(A, "stock")]),
        (f"- Three retries are enough (arXiv:{A}). Known: agents.md 2.2.", [(A, "stock")]),
    ],
)
def test_a_clause_says_of_its_identifiers_whether_they_are_new(text, expected):
    assert expected == said(text)


@pytest.mark.parametrize(
    ("mark", "status"),
    [
        ("（新增，库内无）", "new"),
        ("（库内首次出现）", "new"),
        (" (not in the knowledge base yet)", "new"),
        (" (new to the knowledge base)", "new"),
        (", new", "new"),
        ("（库存，9 月 8 日已建卡）", "stock"),
        ("（已在库，不算新）", "stock"),
        (" 【存量】", "stock"),
        (" (known: carded on 2 September)", "stock"),
        (" (stock: has a card since August)", "stock"),
    ],
)
def test_what_stands_directly_behind_an_identifier_counts_everywhere(mark, status):
    text = f"# 雷达\n\n### 条目 1：换页\n\n• 来源：arXiv:{A}{mark}\n• 可信度：★★★\n• 要点：\n  • 换页快 3 倍\n"

    (found,) = stated(text)

    assert (A, status, f"{A}{mark}") == (found.subject, found.value, found.says)


@pytest.mark.parametrize(
    "mark", ["（新方法）", " (new method)", ", a new architecture", "（已有实现）", " (known as paging)"]
)
def test_a_remark_about_the_work_itself_is_none_about_its_novelty(mark):
    assert [] == said(f"来源：arXiv:{A}{mark}")


@pytest.mark.parametrize(
    "text",
    [
        f"arXiv:{A} 首次把强化学习用于换页。",
        f"arXiv:{A} proposes a new method that is well known by now.",
        f"新增「换页（arXiv:{A}）」小节。",
        f"arXiv:{A} 新增存量对照实验。",
        f"arXiv:{A} 并非新增。",
        f"arXiv:{A} 与活文档已有的那一行互补。",
        f"建议归入：serving.md 2.1（本轮新增 arXiv:{A}）",
        f"arXiv:{A} 沿用旋转位置编码。",
    ],
)
def test_other_words_and_both_words_at_once_say_nothing(text):
    assert [] == said(text)


def test_the_line_above_a_list_speaks_for_its_items_and_their_own_words_for_themselves():
    text = f"# 雷达\n\n存量 serving.md 已有 arXiv 号：\n- {A}（换页，serving.md 4.0 节）\n- {B}（驱逐，本轮新增）\n\n另见 {A}。\n"

    assert [(A, "stock"), (B, "new")] == said(text)


def test_the_heading_of_a_list_of_papers_speaks_for_its_rows():
    table = f"\n\n| arXiv | 标题 | 状态 |\n|---|---|---|\n| {A} | 换页 | |\n| {B} | 驱逐 | 存量 |\n"

    assert [(A, "new"), (B, "stock")] == said(f"# 雷达\n\n## arXiv 号列表（本轮新增）{table}")
    assert [(B, "stock")] == said(f"# 雷达\n\n## arXiv 号列表（本轮新增 / 涉及）{table}")


def test_in_a_living_document_every_identifier_is_stock():
    (found,) = stated(f"# 推理\n\n## 四、缓存\n\n综述 arXiv:{A}。\n", path="organized/knowledge/serving.md")

    assert (A, "stock", "held") == (found.subject, found.value, found.stance)
    assert found.says.startswith("四、缓存")


def test_new_here_and_stock_there_is_a_dispute_whatever_the_order():
    (one,) = stated(f"本轮新增 arXiv 号 1 个：arXiv:{A}。")
    (other,) = stated(f"arXiv:{A} 为存量。", path="inbox/jay/2026-09-14-radar.md")

    found, again = compare(one, other), compare(other, one)

    assert found == again
    assert found is not None
    assert ("novelty", "novelty", f"arXiv:{A}", (A,), "medium") == (
        found.rule,
        found.kind,
        found.about,
        found.key,
        found.severity,
    )
    assert compare(one, one) is None


def test_different_living_documents_weigh_less():
    (one,) = stated(f"本轮新增 arXiv 号 1 个：arXiv:{A}。", path="inbox/jay/2026-09-14-agents-e1prep.md")
    (other,) = stated(f"# 推理\n\n综述 arXiv:{A}。\n", path="organized/knowledge/serving.md")
    (same,) = stated(f"# 推理\n\n综述 arXiv:{A}。\n", path="organized/knowledge/agents.md")

    far, near = compare(one, other), compare(one, same)

    assert far is not None
    assert near is not None
    assert ("low", "medium") == (far.severity, near.severity)


def test_within_one_note_both_places_must_say_so_themselves():
    explicit = stated(f"# 雷达\n\narXiv:{A} 为新增。\n\narXiv:{A} 为存量。\n")
    heading = stated(f"# 雷达\n\n本轮新增：\n- {A}\n\narXiv:{A} 为存量。\n")

    assert compare(*explicit) is not None
    assert compare(*heading) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"arXiv {A}（全新，库里查无）", [(A, "new")]),
        (f"arXiv {A}（库中已有，9 月 11 日收过）", [(A, "stock")]),
        (f"arXiv:{A} (already filed on 11 September)", [(A, "stock")]),
        (f"arXiv:{A} (brand new)", [(A, "new")]),
    ],
)
def test_a_remark_in_the_bracket_behind_an_identifier_counts(text, expected):
    assert expected == said(text)


def _identified(identifier: str, path: str, *, title: str = "《把噪声写进梯度》") -> list[Claim]:
    text = f"## 增量 1：{title}\n\n来源：arXiv:{identifier}\n\n要点：\n\n- x\n"
    note, segments = a_note(text, path=path), segments_of(text)
    findings = tuple(segment for segment in segments if segment.role == "increment")
    return [
        claim
        for claim in claims(Hand(note=note, segments=segments, findings=findings))
        if claim.attribute == "identifier"
    ]


def test_one_title_under_two_identifiers_that_are_nearly_the_same_is_disputed():
    one = _identified("2608.13902", "inbox/tom/2026-09-14-1100-radar.md")
    other = _identified("2608.19302", "inbox/jay/2026-09-14-1200-filter.md")
    disputes = [
        dispute
        for mine in one
        for theirs in other
        if mine.subject == theirs.subject and (dispute := compare(mine, theirs))
    ]
    assert disputes
    assert {("two-identifiers", "identifier")} == {(dispute.rule, dispute.kind) for dispute in disputes}


def test_one_title_under_two_quite_different_identifiers_is_no_slip():
    (one, *_) = _identified("2608.13902", "inbox/tom/2026-09-14-1100-radar.md")
    (other, *_) = _identified("2507.00417", "inbox/jay/2026-09-14-1200-filter.md")
    assert compare(one, other) is None

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from agent.digesting.markdown import render_markdown
from agent.reading.marking import is_own_output
from agent.records import (
    Contradiction,
    Cost,
    Language,
    Lineage,
    Link,
    Origin,
    Point,
    Register,
    SeenBefore,
    Side,
    Source,
    ToVerify,
    Usage,
)
from tests.digests import DAY, EMPTY, FULL, INCREMENT, JAY, SPENT, TOM, evidence


def parsed(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(text)


def headings(text: str) -> list[str]:
    tokens = parsed(text)
    return [
        f"{tokens[i].markup} {tokens[i + 1].content}" for i in range(len(tokens)) if tokens[i].type == "heading_open"
    ]


def test_the_shape_is_that_of_a_brief() -> None:
    assert [
        "# inference · digest of 2026-07-27",
        "## Increments at a glance",
        "## Contradictions",
        "### Contradiction 1",
        "## Increments in detail",
        "### 1. TierKV 缓存框架",
        "## Leads",
        "## To verify",
        "## arXiv identifiers",
        "## Notes checked",
        "## Coverage",
        "## Conclusion",
    ] == headings(render_markdown(FULL))


def test_both_languages_have_the_same_shape() -> None:
    zh = FULL.model_copy(update={"language": "zh"})
    assert [(t.type, t.tag) for t in parsed(render_markdown(FULL))] == [
        (t.type, t.tag) for t in parsed(render_markdown(zh))
    ]


@pytest.mark.parametrize(
    "expected",
    [
        "- **Window**: 2026-07-26 to 2026-07-27 (Asia/Shanghai)",
        "- **Made by**: digest, local model (small-1.5b)",
        "- **Read**: 2 agents (jay, tom), 3 notes",
        "- **Baseline**: inference.md (updated 2026-07-27), rag.md (date of last update unknown)",
        "1. ★★★☆☆ **TierKV 缓存框架** — Three tiers.",
        "- **Credibility**: ★★★☆☆ (the note says ★★★★☆); basis: paper; reason: one preprint",
        "- **Caution**: no conditions",
        "- **Lineage**: 2 notes, 1 origin",
        "- **Sources**:",
        f"  - [{JAY}]({JAY})",
        "  - project page: a.example `https://a.example/p`",
        "  - someone's word (not found)",
        "  - spark 增量 1: [inbox/spark/2026-07-27.md](inbox/spark/2026-07-27.md)",
        f"  - three tiers [{TOM}:11]({TOM}#L11)",
        f"  - 2.4× faster [{JAY}:3]({JAY}#L3)",
        "- **Relation to the living documents**: extends what is there: has one line",
        "  - inference.md §9.2 Trends (append, proposed by the note): new tier",
        "  - inference.md §9.9 (append, proposed by the note, no such section): near: 9.2 Trends",
        "- **For the registers**: O136 (open question): which engines?",
        f"- worth a look (jay A) [{TOM}:40]({TOM}#L40)",
        "- one number, two units (unit, high, rule unit)",
        f"  1. amount: 89 tokens [{TOM}:12]({TOM}#L12)",
        f"  2. rate: 89 tok/s [{TOM}:44]({TOM}#L44)",
        f"- 3-5× [{TOM}:60]({TOM}#L60)",
        "  - Question: which GPU?",
        f"| 2607.18141 (v1) | Tiers \\| and more | new | [{TOM}]({TOM}), [{JAY}]({JAY}), [a](a), +1 |  |",
        f"| 2405.04437 | — | in stock | [{TOM}]({TOM}) | late |",
        "- jay (2 notes)",
        f"  - [{JAY}]({JAY}): extracted, 1 increment; {SPENT}; two remarks",
        "  - [inbox/jay/x.md](inbox/jay/x.md): unreadable; no permission",
        "- Batons missed: amy · rag · 18:30",
        "- Stale living documents: rag.md (not updated since 2026-07-20, 7 days)",
        "- Stale living documents: z.md (date of last update unknown)",
        f"Cost: {SPENT}; extract_increment@1",
    ],
)
def test_each_line_says_what_it_should(expected: str) -> None:
    assert expected in render_markdown(FULL).splitlines()


def test_money_stands_behind_the_tokens_where_prices_are_known() -> None:
    usage = Usage(calls=1, prompt_tokens=1500, completion_tokens=90)
    priced = FULL.model_copy(update={"usage": usage, "cost": Cost(amount=Decimal("0.0012345"), currency="<b>")})
    assert r"Cost: 1 call, 1,500 tokens in, 90 tokens out, 0.0012 \<b>; extract_increment@1" in render_markdown(priced)
    chinese = render_markdown(priced.model_copy(update={"language": "zh"}))
    assert r"用量：1 次调用，输入 1,500 tokens，输出 90 tokens，0.0012 \<b>；extract_increment@1" in chinese


def test_without_a_model_the_first_line_says_so() -> None:
    assert render_markdown(EMPTY).startswith("No model was called for this digest")
    assert render_markdown(EMPTY.model_copy(update={"language": "zh"})).startswith("本简报没有调用模型")
    assert render_markdown(FULL).startswith("# inference")


def test_an_empty_digest_keeps_its_shape() -> None:
    text = render_markdown(EMPTY)
    assert "# All topics · digest of 2026-07-27" in headings(text)
    assert {"## Leads", "## arXiv identifiers", "## Notes checked"} <= set(headings(text))
    assert 7 == text.splitlines().count("None.")


def test_an_increment_without_points_shows_its_first_quotes() -> None:
    bare = INCREMENT.model_copy(update={"points": (), "evidence": tuple(evidence(line) for line in range(1, 30))})
    lines = render_markdown(FULL.model_copy(update={"increments": (bare,)})).splitlines()
    assert 5 == sum(line.startswith("  - three tiers [") for line in lines)


def test_a_claim_links_each_line_once() -> None:
    claim = ToVerify(claim="c", question="", suggestion="", evidence=tuple(evidence(line) for line in (5, 5, 6, 6)))
    text = render_markdown(FULL.model_copy(update={"to_verify": (claim,)}))
    assert f"- c [{TOM}:5]({TOM}#L5) [{TOM}:6]({TOM}#L6)" in text.splitlines()


def test_a_long_quote_is_shortened() -> None:
    long = INCREMENT.model_copy(update={"points": (Point(text="缓存" * 1000, evidence=evidence(1)),)})
    text = render_markdown(FULL.model_copy(update={"increments": (long,)}))
    assert "缓… [" in text
    assert 300 > text.count("缓存")


def test_the_last_line_marks_it_as_ours_whatever_the_topic_is_called() -> None:
    hostile = render_markdown(FULL.model_copy(update={"topic": "a--> <b>"}))

    assert (
        render_markdown(FULL)
        .splitlines()[-1]
        .startswith("<!-- relay-digest schema=1 topic=inference date=2026-07-27 engine=local sha256=")
    )
    assert "topic=a%2D%2D%3E%20%3Cb%3E date=" in hostile.splitlines()[-1]
    assert is_own_output(hostile)


def test_only_the_marker_is_html() -> None:
    tokens = parsed(render_markdown(FULL))
    assert [tokens[-1]] == [token for token in tokens if token.type == "html_block"]


# What reconciliation says of a finding.


def lines_with(language: Language = "en", **changes: object) -> list[str]:
    """The lines of a digest of two findings, the first with these changes."""
    other = INCREMENT.model_copy(update={"id": "inc-2", "title": "TierKV 2.0", "points": (), "registers": ()})
    increments = (INCREMENT.model_copy(update=changes), other)
    return render_markdown(FULL.model_copy(update={"increments": increments, "language": language})).splitlines()


@pytest.mark.parametrize(
    ("zh", "en", "seen"),
    [
        (
            "1. ★★★☆☆ **TierKV 缓存框架**（2026-07-26 已见，无变化）",
            "1. ★★★☆☆ **TierKV 缓存框架** (seen on 2026-07-26, unchanged)",
            SeenBefore(date=dt.date(2026, 7, 26), title="TierKV 缓存框架"),
        ),
        (
            "1. ★★★☆☆ **TierKV 缓存框架**（2026-07-26 已见，有变化） — Three tiers.",
            "1. ★★★☆☆ **TierKV 缓存框架** (seen on 2026-07-26, changed since) — Three tiers.",
            SeenBefore(date=dt.date(2026, 7, 26), title="", changed=("rating 2★ → 3★",)),
        ),
        (
            "- **2026-07-26 已见**：此后无变化",
            "- **Seen on 2026-07-26**: unchanged since",
            SeenBefore(date=dt.date(2026, 7, 26), title="TierKV  缓存框架"),
        ),
        (
            "- **2026-07-26 已见**：当时题为「Tiers」；40 ms → 50 ms；新增 1 份笔记",
            "- **Seen on 2026-07-26**: then titled “Tiers”; 40 ms → 50 ms; 新增 1 份笔记",
            SeenBefore(date=dt.date(2026, 7, 26), title="Tiers", changed=("40 ms → 50 ms", "新增 1 份笔记")),
        ),
    ],
)
def test_what_was_seen_before_says_when_and_what_changed(zh: str, en: str, seen: SeenBefore) -> None:
    assert en in lines_with(seen=seen)
    assert zh in lines_with("zh", seen=seen)


def test_many_changes_are_cut() -> None:
    seen = SeenBefore(date=DAY, title=INCREMENT.title, changed=tuple(f"change {number}" for number in range(9)))
    (line,) = [line for line in lines_with(seen=seen) if line.startswith("- **Seen on")]
    assert line.endswith("change 5; +3")


@pytest.mark.parametrize(
    ("zh", "en", "origins"),
    [
        ("arXiv:2607.18141", "arXiv:2607.18141", [("paper", "2607.18141")]),
        ("arXiv:2607.18141", "arXiv:2607.18141", [("paper", "arXiv:2607.18141")]),
        ("a.example `https://a.example/p`", "a.example `https://a.example/p`", [("page", "https://a.example/p")]),
        (f"[{TOM}]({TOM})、[{JAY}]({JAY})", f"[{TOM}]({TOM}), [{JAY}]({JAY})", [("note", TOM), ("note", JAY)]),
        ("a、b、c、+2", "a, b, c, +2", [("page", label) for label in "abcde"]),
    ],
)
def test_the_lineage_names_its_origins(zh: str, en: str, origins: list[tuple[str, str]]) -> None:
    lineage = Lineage(
        origins=tuple(Origin.model_validate({"kind": kind, "label": label, "notes": ()}) for kind, label in origins)
    )
    changes: dict[str, Any] = {"lineage": lineage, "origins": len(origins)}
    plural = "s" if len(origins) > 1 else ""
    assert f"- **Lineage**: 2 notes, {len(origins)} origin{plural}: {en}" in lines_with(**changes)
    assert f"- **源流**：2 份笔记，{len(origins)} 个源头：{zh}" in lines_with("zh", **changes)


def test_a_source_that_the_lineage_names_is_not_named_again() -> None:
    lineage = Lineage(origins=(Origin(kind="paper", label="2607.18141", notes=(TOM,)),))
    sources = (
        Source(label="arXiv:2607.18141", arxiv="2607.18141", resolved=True),
        Source(label="project page", url="https://a.example/p", resolved=True),
    )
    lines = lines_with(notes=(TOM,), sources=sources, lineage=lineage)

    assert "- **Lineage**: 1 note, 1 origin: arXiv:2607.18141" in lines
    assert [f"  - [{TOM}]({TOM})", "  - project page: a.example `https://a.example/p`"] == lines[
        lines.index("- **Sources**:") + 1 :
    ][:2]
    assert "  - arXiv:2607.18141" not in lines
    assert "  - arXiv:2607.18141" in lines_with(notes=(TOM,), sources=sources)


def test_a_single_note_has_a_lineage_only_where_an_origin_is_stated() -> None:
    own = Lineage(origins=(Origin(kind="note", label=TOM, notes=(TOM,)),))
    paper = Lineage(origins=(Origin(kind="paper", label="2607.18141", notes=(TOM,)),))

    def lineages(lineage: Lineage) -> list[str]:
        lines = lines_with(notes=(TOM,), lineage=lineage)
        return [line for line in lines[: lines.index("### 2. TierKV 2.0")] if "Lineage" in line]

    assert [] == lineages(own)
    assert ["- **Lineage**: 1 note, 1 origin: arXiv:2607.18141"] == lineages(paper)


def test_findings_that_were_kept_apart_are_named_by_number_with_the_reason() -> None:
    links = (
        Link(increment="inc-2", tie="contradicts", because="version"),
        Link(increment="inc-2", tie="complements", because="the *scope* differs"),
        Link(increment="inc-9", tie="complements", because="unit"),
    )
    en, zh = lines_with(links=links), lines_with("zh", links=links)

    assert "- **Near, but kept apart**:" in en
    assert "  - 2\\. TierKV 2.0 (contradicts this): versions differ" in en
    assert "  - 2\\. TierKV 2.0 (complements this): the \\*scope\\* differs" in en
    assert "  - 2\\. TierKV 2.0（相矛盾）：版本不同" in zh
    assert not [line for line in en if "inc-9" in line or "units differ" in line]


def test_many_near_findings_are_cut() -> None:
    lines = lines_with(links=(Link(increment="inc-2", tie="complements", because="number"),) * 9)

    assert 5 == sum(line.endswith("numbers differ") for line in lines)
    assert "  - +4" in lines


def test_a_renumbered_register_entry_says_which_number_the_note_took() -> None:
    register = Register(kind="O", number=137, text="which engines?", stated=136, document="inference.md")

    assert (
        "- **For the registers**: inference.md O137 (open question; the note took O136): which engines?"
        in lines_with(registers=(register,))
    )
    assert "- **登记候选**：inference.md O137（开放问题；笔记用的是 O136）：which engines?" in lines_with(
        "zh", registers=(register,)
    )


def test_a_register_entry_that_kept_its_number_says_nothing_of_it() -> None:
    register = Register(kind="O", number=136, text="which engines?", stated=136)

    assert "- **For the registers**: O136 (open question): which engines?" in lines_with(registers=(register,))


def a_contradiction(**changes: object) -> Contradiction:
    return FULL.contradictions[0].model_copy(update=changes)


def contradiction_lines(language: Language = "en", **changes: object) -> list[str]:
    digest = FULL.model_copy(update={"contradictions": (a_contradiction(**changes),), "language": language})
    lines = render_markdown(digest).splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("- one number"))
    return lines[start : lines.index("", start)]


def test_a_contradiction_says_what_would_settle_it_and_what_it_touches() -> None:
    changes: dict[str, Any] = {
        "settle": "look *there*",
        "since": dt.date(2026, 7, 20),
        "increments": ("inc-9", "inc-1"),
        "also_affects": (*(evidence(line) for line in (70, 70, 71, 72, 73)),),
        "found_by": "newest-version",
    }
    links = " ".join(f"[{TOM}:{line}]({TOM}#L{line})" for line in (70, 71, 72))

    assert [
        "- one number, two units (unit, high, open since 2026-07-20, rule newest-version)",
        f"  1. amount: 89 tokens [{TOM}:12]({TOM}#L12)",
        f"  2. rate: 89 tok/s [{TOM}:44]({TOM}#L44)",
        "  - To settle it: look \\*there\\*",
        f"  - Also affects: {links} +1",
        "  - Increments concerned: 1",
    ] == contradiction_lines(**changes)
    zh = contradiction_lines("zh", **changes)
    assert "- one number, two units（单位，高，2026-07-20 起未决，规则 newest-version）" == zh[0]
    assert ["  - 如何判定：look \\*there\\*", f"  - 还涉及：{links} +1", "  - 涉及增量：1"] == zh[3:]


def test_what_a_model_saw_says_so() -> None:
    assert "- one number, two units (unit, high, found by the model)" == contradiction_lines(found_by="model")[0]
    assert "- one number, two units（单位，高，模型发现）" == contradiction_lines("zh", found_by="model")[0]


def test_of_many_sides_the_first_are_quoted_and_the_others_linked() -> None:
    sides = tuple(Side(**dict(evidence(line, f"{line} ms")), says=f"{line} ms") for line in range(1, 10))
    lines = contradiction_lines(sides=sides)

    assert [f"  {line}. {line} ms [{TOM}:{line}]({TOM}#L{line})" for line in range(1, 7)] == lines[1:7]
    assert [f"  - Also affects: [{TOM}:7]({TOM}#L7) [{TOM}:8]({TOM}#L8) [{TOM}:9]({TOM}#L9)"] == lines[7:]


def test_a_long_quote_begins_near_what_its_side_says() -> None:
    quote = f"{'before ' * 100}the newest is **v0.26.0** {'after ' * 100}"
    side = Side(**dict(evidence(5, quote)), says="v0.26.0")
    (line,) = [line for line in contradiction_lines(sides=(side,)) if line.startswith("  1.")]

    assert line.startswith("  1. v0.26.0: …")
    assert "the newest is v0.26.0 after" in line
    assert 400 > len(line)


def test_remarks_on_the_digest_stand_below_its_coverage() -> None:
    lines = render_markdown(FULL.model_copy(update={"remarks": ("7 pairs were *not* asked about.",)})).splitlines()

    assert "- 7 pairs were \\*not\\* asked about." in lines[lines.index("## Coverage") : lines.index("## Conclusion")]

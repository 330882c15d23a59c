"""Cited notes, living documents and cards, and which file a cited note is."""

import pytest

from agent.reading.citations import CitedNote, cited_documents, cited_notes, resolve

AGENTS = ("north", "south")
PATHS = (
    "inbox/north/2026-07-27-0900-north-engineering-filter.md",
    "inbox/north/2026-07-27-1500-north-engineering-filter.md",
    "inbox/north/2026-07-27-1030-cache-tiers-supplement.md",
    "inbox/north/2026-07-26-0900-north-engineering-filter.md",
    "inbox/south/2026-07-27-serving-e1prep.md",
    "inbox/south/2026-07-27T1105-briefing.md",
    "inbox/south/2026-07-27_radar-lite.md",
)


def citations(text: str, agents: tuple[str, ...] = ()) -> list[tuple[str | None, str, str | None]]:
    return [(note.agent, note.name, note.item) for note in cited_notes(text, agents=agents)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("inbox/north/2026-07-27-0900-filter.md（高价值 6）", ("north", "2026-07-27-0900-filter.md", "高价值 6")),
        (
            "North/inbox/north/2026-07-27-0900-filter.md 保留条目 6 + x",
            ("north", "2026-07-27-0900-filter.md", "条目 6"),
        ),
        ("见[笔记](../north/2026-07-27-0900-filter.md#L3)", ("north", "2026-07-27-0900-filter.md", None)),
        ("`2026-07-27T1105-briefing.md` item 3", (None, "2026-07-27T1105-briefing.md", "item 3")),
        ("来源2026-07-27_radar-lite.md", (None, "2026-07-27_radar-lite.md", None)),
        ("inbox/north/2026-07-27-缓存笔记.md 第 2 条", ("north", "2026-07-27-缓存笔记.md", "第 2 条")),
        ("inbox/north/2026-07-27-a.md 条目 3 + 条目 4", ("north", "2026-07-27-a.md", "条目 3 + 条目 4")),
        ("north 7-27-0900 engineering-filter 条目 H：甲", ("north", "7-27-0900 engineering-filter", "条目 H")),
        ("south 7-27 serving E1 增量 4", ("south", "7-27 serving E1", "增量 4")),
        ("south 7-27 serving-e1prep §增量 1", ("south", "7-27 serving-e1prep", "增量 1")),
        ("north 7月27日 cache-tiers", ("north", "7月27日 cache-tiers", None)),
        ("[[2026-07-27-0900-engineering-filter]]", (None, "2026-07-27-0900-engineering-filter", None)),
    ],
)
def test_a_note_is_cited_in_many_ways(text, found):
    assert [found] == citations(text)


@pytest.mark.parametrize(
    "text",
    [
        "engine 3-5 times faster",
        "about 2-3 percentage points",
        "north 7-27 全天 6 件",
        "https://example.org/inbox/north/2026-07-27-a.md",
        "serving.md §2",
        "606-2607-21848.md",
        "发布于 2026-07-28-RC",
        "north 13-45 engineering-filter",
        ".md",
    ],
)
def test_other_things_are_no_cited_notes(text):
    assert [] == citations(text)


def test_a_name_without_date_takes_that_of_the_name_before_it():
    text = "2026-07-27-0900-a.md / 0930-b.md\n1000-c.md"

    assert ["2026-07-27-0900-a.md", "2026-07-27-0930-b.md", "1000-c.md"] == [note.name for note in cited_notes(text)]


def test_known_agents_limit_loose_citations():
    text = "North 7-27 cache-tiers; engine 7-27 cache-tiers"

    assert [("North", "7-27 cache-tiers", None)] == citations(text, agents=AGENTS)


def test_spans_cover_citation_and_item():
    text = "见 inbox/north/2026-07-27-a.md（增量 1），与 south 7-27 serving E1。"

    assert ["inbox/north/2026-07-27-a.md（增量 1", "south 7-27 serving E1"] == [
        text[note.start : note.end] for note in cited_notes(text)
    ]


def test_living_documents_and_cards_are_recognised_apart():
    text = (
        "organized/knowledge/serving.md §2.79 已收；rag.md 第四节；606-2607-21848.md 与 607-2607-21653；work-queue.md"
    )

    assert [
        ("serving.md", "document", "2.79"),
        ("rag.md", "document", "4"),
        ("606-2607-21848.md", "card", None),
        ("607-2607-21653", "card", None),
    ] == [(cited.name, cited.kind, cited.section) for cited in cited_documents(text)]


def outcome(agent: str | None, name: str) -> tuple[str, str | None]:
    found = resolve(CitedNote(agent, name, None, 0, 0), paths=PATHS, year=2026, agents=AGENTS)
    return found.status, found.path


@pytest.mark.parametrize(
    ("agent", "name", "path"),
    [
        ("north", "2026-07-27-0900-north-engineering-filter.md", PATHS[0]),
        ("North", "2026-07-27-0900-North-engineering-filter.md", PATHS[0]),
        (None, "2026-07-27T1105-briefing.md", PATHS[5]),
        ("north", "7-27-1500 engineering-filter", PATHS[1]),
        ("north", "7-27 cache-tiers", PATHS[2]),
        ("north", "7月26日 engineering-filter", PATHS[3]),
        ("south", "7-27 serving E1", PATHS[4]),
        ("south", "7/27 radar-lite", PATHS[6]),
        (None, "2026-07-27-1030-cache-tiers-supplement", PATHS[2]),
    ],
)
def test_a_citation_that_fits_one_note_is_resolved(agent, name, path):
    assert ("resolved", path) == outcome(agent, name)


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("north", "2026-07-27-cache-tiers-supplement.md"),
        ("north", "7-27-0901 engineering-filter"),
        ("north", "7-27-0900 paper-filter"),
        ("south", "2026-07-27-0900-north-engineering-filter.md"),
        ("east", "2026-07-27-0900-north-engineering-filter.md"),
        ("east", "7-27 serving-e1prep"),
        ("north", "7-25 engineering-filter"),
        ("north", "12-27 engineering-filter"),
    ],
)
def test_another_time_slug_agent_or_day_is_another_note(agent, name):
    assert ("dangling", None) == outcome(agent, name)


def test_a_dangling_citation_names_what_comes_near():
    found = resolve(
        CitedNote("north", "2026-07-27-cache-tiers-supplement.md", None, 0, 0), paths=PATHS, year=2026, agents=AGENTS
    )

    assert (PATHS[2],) == found.near


def test_a_loose_citation_that_fits_two_notes_is_ambiguous():
    found = resolve(CitedNote("north", "7-27 engineering-filter", None, 0, 0), paths=PATHS, year=2026, agents=AGENTS)

    assert ("ambiguous", None, PATHS[:2]) == (found.status, found.path, found.near)


def test_a_bare_name_that_two_agents_have_is_ambiguous():
    paths = ("inbox/north/2026-07-27-a.md", "inbox/south/2026-07-27-a.md")
    found = resolve(CitedNote(None, "2026-07-27-a.md", None, 0, 0), paths=paths, year=2026, agents=AGENTS)

    assert ("ambiguous", paths) == (found.status, found.near)


def test_a_note_with_the_very_words_comes_before_one_with_more():
    paths = ("inbox/north/2026-07-27-cache.md", "inbox/north/2026-07-27-cache-extra.md")
    found = resolve(CitedNote("north", "7-27 cache", None, 0, 0), paths=paths, year=2026, agents=AGENTS)

    assert paths[0] == found.path


def test_an_empty_workspace_leaves_everything_dangling():
    found = resolve(CitedNote(None, "a.md", None, 0, 0), paths=(), year=2026, agents=())

    assert ("dangling", ()) == (found.status, found.near)

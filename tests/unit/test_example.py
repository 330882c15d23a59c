"""The example workspace: what its README says is planted stands where it says, and the gold answers fit the notes."""

import datetime as dt
import itertools
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import agent
from agent.settings import load_settings

EXAMPLE = Path(agent.__file__).parent / "example"
GOLD = Path(__file__).parents[1] / "gold" / "example"
DAY = dt.date(2026, 9, 14)
NOTES = sorted(EXAMPLE.glob("inbox/*/*.md"))
DOCUMENTS = sorted(EXAMPLE.glob("organized/knowledge/*.md"))
CARDS = sorted(EXAMPLE.glob("paper_cards/*.md"))

PLANTED = re.compile(r"^\| [^|]+ \| `([^`|]+)` \| (\d+) \| `([^`|]+)` \|$", re.MULTILINE)
ARXIV = re.compile(r"(?<![\d.])(\d{2})(\d{2})\.(\d{5})(?!\d)")
RATIO = re.compile(r"([\d.]+)(?: [a-zA-Z/]+)? (?:→|to) ([\d.]+) [a-zA-Z/]+ ?[（(]([\d.]+)×[）)]")
CITED_NOTE = re.compile(r"inbox/[a-z]+/[\w-]+\.md")


def name(path: Path) -> str:
    return path.relative_to(EXAMPLE).as_posix()


def read(path: Path) -> str:
    return path.read_bytes().decode()


def lines_of(note: str) -> list[str]:
    """The lines of a note as a reader counts them; the first one is number 1."""
    return ["", *read(EXAMPLE / note).split("\n")]


def block(note: str, span: list[int]) -> str:
    return "\n".join(lines_of(note)[span[0] : span[1] + 1])


def identifiers(text: str) -> set[str]:
    return {f"{year}{month}.{number}" for year, month, number in ARXIV.findall(text)}


def gold_of(note: Path) -> dict[str, Any]:
    gold: dict[str, Any] = yaml.safe_load((GOLD / f"{note.stem}.yaml").read_text("utf-8"))
    return gold


def pair_gold() -> dict[str, Any]:
    gold: dict[str, Any] = yaml.safe_load((GOLD / "pair-2026-09-14.yaml").read_text("utf-8"))
    return gold


def increments() -> dict[str, tuple[str, dict[str, Any]]]:
    """Each gold increment with its note, by its identifier."""
    return {item["id"]: (name(note), item) for note in NOTES for item in gold_of(note)["increments"]}


ROWS = PLANTED.findall(read(EXAMPLE / "README.md"))


@pytest.mark.parametrize(("file", "line", "words"), ROWS)
def test_what_the_readme_says_is_planted_stands_there(file: str, line: str, words: str) -> None:
    assert words in lines_of(file)[int(line)]


def test_every_table_row_of_the_readme_is_checked() -> None:
    rows = [row for row in read(EXAMPLE / "README.md").split("\n") if re.search(r"\| \d+ \|", row)]
    assert len(rows) == len(ROWS) >= 30


def test_five_agents_left_ten_short_notes() -> None:
    assert {note.parent.name for note in NOTES} == {"jay", "tom", "spark", "flyp", "stephen"}
    assert len(NOTES) == 10
    assert sum(len(read(note)) for note in NOTES) < 14_000
    assert [name(note) for note in NOTES if len(read(note)) > 2_500 or not 15 <= read(note).count("\n") <= 45] == []


def test_every_file_is_utf8_with_plain_line_ends() -> None:
    contents = {name(path): path.read_bytes() for path in EXAMPLE.rglob("*") if path.is_file()}
    odd = [path for path, content in contents.items() if b"\r" in content or not content.endswith(b"\n")]
    odd += [path for path, content in contents.items() if content.startswith(b"\xef\xbb\xbf")]
    assert odd == []
    assert all(content.decode() for content in contents.values())


def test_file_names_come_in_all_forms() -> None:
    stems = [note.stem for note in NOTES]
    for form in (
        r"2026-09-14-1100-[a-z-]+",
        r"2026-09-14T1105-[a-z-]+",
        r"2026-09-14_[a-z-]+",
        r"2026-09-14-[a-z].*-v3",
    ):
        assert any(re.fullmatch(form, stem) for stem in stems), form
    assert sum(stem.startswith("2026-09-13") for stem in stems) == 2


def test_one_arxiv_number_alone_lies_after_its_note() -> None:
    late = {
        (name(path), f"{year}{month}.{number}")
        for path in (*NOTES, *DOCUMENTS, *CARDS)
        for year, month, number in ARXIV.findall(read(path))
        if dt.date(2000 + int(year), int(month), 1) > DAY
    }
    assert late == {("inbox/tom/2026-09-14-0840-paper-radar.md", "2611.90245")}


def test_every_arxiv_number_is_beyond_what_a_month_has_reached() -> None:
    found = {number for path in (*NOTES, *DOCUMENTS, *CARDS) for number in identifiers(read(path))}
    assert len(found) == 6
    assert [number for number in found if int(number[5:]) <= 90_000] == []


def test_cards_are_named_after_their_arxiv_number() -> None:
    assert [card.stem for card in CARDS] == ["11-2607-90288", "12-2608-90417"]
    assert all(identifiers(read(card)) == {card.stem[3:].replace("-", ".")} for card in CARDS)


def test_one_finding_is_told_by_three_agents_of_whom_two_cite_the_first() -> None:
    first = "inbox/jay/2026-09-14-1100-jay-engineering-filter.md"
    telling = {name(note) for note in NOTES if "TTFT 2.4 s → 0.8 s" in read(note)}
    citing = {note for note in telling if re.search(rf"(来源|Source).*{re.escape(first)}", read(EXAMPLE / note))}
    assert {note.split("/")[1] for note in telling} == {"jay", "spark", "stephen"}
    assert telling - {first} == citing


def test_one_cited_note_alone_does_not_exist() -> None:
    cited = {path for note in NOTES for path in CITED_NOTE.findall(read(note))}
    missing = {path for path in cited if not (EXAMPLE / path).exists()}
    assert missing == {"inbox/jay/2026-09-14-1450-jay-engineering-filter.md"}


def test_stated_ratios_hold() -> None:
    stated = [found for note in NOTES for found in RATIO.findall(read(note))]
    assert len(stated) == 6
    for before, after, ratio in stated:
        larger, smaller = max(float(before), float(after)), min(float(before), float(after))
        assert float(ratio) == round(larger / smaller, 1)


def test_the_two_sides_of_the_contradiction_share_their_conditions() -> None:
    conditions = "条件：Llama-3.3-70B FP8、8×H100、并发 64、输入 1K、输出 256"
    telling = {name(note) for note in NOTES if conditions in read(note) and "SGLang v0.6.2" in read(note)}
    assert {note for note in telling if "4,120 tok/s" in read(EXAMPLE / note)} == {
        "inbox/jay/2026-09-13-1620-jay-engineering-filter.md"
    }
    assert {note for note in telling if "3,480 tok/s" in read(EXAMPLE / note)} == {
        "inbox/tom/2026-09-14-inference-e1prep.md"
    }


def test_one_planned_baton_alone_has_no_note() -> None:
    settings = load_settings(EXAMPLE, flags={}, environ={})
    written = [note for note in NOTES if note.name.startswith(DAY.isoformat())]
    unanswered = [
        (baton.agent, baton.topic, f"{baton.slot:%H:%M}")
        for baton in settings.batons
        if baton.slot is not None
        and not any(
            note.parent.name == baton.agent and (baton.topic or f"{baton.slot:%H%M}") in note.stem for note in written
        )
    ]
    assert unanswered == [("flyp", "agents", "15:00")]
    assert {note.parent.name for note in NOTES} == set(settings.agents)
    assert [document.stem for document in DOCUMENTS] == sorted(settings.topics)


def test_one_living_document_alone_is_stale() -> None:
    settings = load_settings(EXAMPLE, flags={}, environ={})
    ages = {}
    for document in DOCUMENTS:
        found = re.search(r"^(?:更新：|Updated: )(\d{4}-\d{2}-\d{2})", read(document), re.MULTILINE)
        assert found is not None
        ages[document.name] = (DAY - dt.date.fromisoformat(found[1])).days
    assert [document for document, days in ages.items() if days > settings.stale_days] == ["agents.md"]


def test_register_candidates_are_the_next_free_numbers() -> None:
    document = read(EXAMPLE / "organized/knowledge/llm-infra.md")
    brief = read(EXAMPLE / "inbox/spark/2026-09-14-llm-infra-e1prep-v3.md")
    for kind, number in re.findall(r"新增 ([CDOT])(\d+)", brief):
        assert f"{kind}1–{kind}{int(number) - 1}" in document
        assert f"- {kind}{int(number) - 1} " in document


@pytest.mark.parametrize("note", NOTES, ids=name)
def test_gold_answers_name_the_note_and_its_numbers(note: Path) -> None:
    gold = gold_of(note)
    assert (name(note), note.parent.name) == (gold["note"], gold["agent"])
    assert note.stem.startswith(gold["date"].isoformat())
    assert identifiers(read(note)) == set(gold["arxiv_all"])


@pytest.mark.parametrize("note", NOTES, ids=name)
def test_gold_lines_hold_what_they_are_said_to_hold(note: Path) -> None:
    gold = gold_of(note)
    parts = [*gold["increments"], *gold["to_verify"], *gold.get("process_notes", [])]
    for part in parts:
        text = block(name(note), part["lines"])
        assert part["key"] in text
        assert all(number in text for number in [*part.get("arxiv", []), *part.get("sources", [])])
        assert all(entry in text for entry in part.get("register", []))
        assert text == text.strip("\n")
    spans = sorted(part["lines"] for part in parts)
    assert all(before[1] < after[0] for before, after in itertools.pairwise(spans))


@pytest.mark.parametrize("note", NOTES, ids=name)
def test_gold_increments_start_at_their_heading(note: Path) -> None:
    without = {"tom-brief-3", "flyp-2140-1", "flyp-2140-2"}
    for part in gold_of(note)["increments"]:
        first = lines_of(name(note))[part["lines"][0]]
        assert bool(re.match(r"(#+ )?(增量|条目|Increment) \d", first)) is (part["id"] not in without)


def test_gold_stars_are_those_written_in_the_lines() -> None:
    forms = {2: r"★★☆☆☆", 3: r"(?<!⭐)⭐{3}(?!⭐)|★★★☆☆", 4: r"⭐{4}|★★★★☆|\b4/5"}
    for note, part in increments().values():
        text = block(note, part["lines"])
        written = [stars for stars, form in forms.items() if re.search(form, text)]
        assert written == ([part["stars"]] if "stars" in part else [])


def test_gold_leads_are_the_lists_that_the_notes_call_leads() -> None:
    for note in NOTES:
        gold = gold_of(note)
        text = block(name(note), gold["leads_lines"]) if "leads_lines" in gold else ""
        assert ("次级线索" in text.split("\n")[0]) is ("leads_lines" in gold)
        assert len(re.findall(r"^[-•] ", text, re.MULTILINE)) == gold.get("leads_count", 0)


def test_gold_placements_are_sections_of_the_living_documents() -> None:
    for _, part in increments().values():
        for placement in part["placements"]:
            document = read(EXAMPLE / "organized/knowledge" / placement["doc"])
            assert re.search(rf"^### §?{re.escape(placement['section'])} ", document, re.MULTILINE)


def test_gold_of_the_day_speaks_of_known_notes_and_increments() -> None:
    pair = pair_gold()
    known = increments()
    named = {item for both in (*pair["same"], *pair["apart"]) for item in both}
    assert set(pair["notes"]) == {f"{note.stem}.yaml" for note in NOTES}
    assert named | set(pair["single"]) | set(pair["independent_origins"]) == set(known)
    assert not set(pair["single"]) & {item for both in pair["same"] for item in both}


def test_gold_contradictions_point_at_their_figures() -> None:
    pair = pair_gold()
    first = {gold["agent"]: gold for gold in (gold_of(Path(file)) for file in reversed(pair["notes"]))}
    (contradiction,) = pair["contradictions"]
    figures = {agent: block(first[agent]["note"], spans[0]) for agent, spans in contradiction["lines"].items()}
    assert "4,120 tok/s" in figures["jay"]
    assert "3,480 tok/s" in figures["tom"]

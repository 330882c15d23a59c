"""The gold answers fit their notes: lines, keys, identifiers and sections stand where they are said to stand."""

import itertools
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.sources import ROOT

ANSWERED = ROOT / "tests" / "gold"
WORKSPACES = {"example": ROOT / "agent" / "example", "notes": ANSWERED / "notes", "held_out": ANSWERED / "held_out"}
GOLDS = {
    "example": ANSWERED / "example",
    "notes": ANSWERED / "notes" / "gold",
    "held_out": ANSWERED / "held_out" / "gold",
}
RELATIONS = frozenset({"new", "extends", "known"})
CHINESE = re.compile(r"[\u4e00-\u9fff]")
LATIN = re.compile(r"[A-Za-z]+")
ARXIV = re.compile(r"(?<![\d.])\d{4}\.\d{5}(?!\d)")
SECTION = re.compile(r"^#+ §?(\d+(?:\.\d+)*) ", re.MULTILINE)


def golds(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the answers of a folder, one per note, by file name; answers about several notes are left out."""
    paths = sorted(path for path in folder.glob("*.yaml") if not path.name.startswith("pair-"))
    return {path.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in paths}


def problems(folder: Path, workspace: Path) -> list[str]:
    """Return every way in which the answers of a folder do not fit the notes and documents of a workspace."""
    answers = golds(folder)
    notes = {path.relative_to(workspace).as_posix() for path in workspace.glob("inbox/*/*.md")}
    answered = [gold["note"] for gold in answers.values()]
    found = [f"{note} has no answer" for note in sorted(notes - set(answered))]
    ids = [part["id"] for gold in answers.values() for part in _parts(gold) if "id" in part]
    found += [f"{each} is given twice" for each in _twice([*answered, *ids])]
    sections = {path.name: set(SECTION.findall(_text(path))) for path in workspace.glob("organized/knowledge/*.md")}
    for name, gold in answers.items():
        if gold["note"] in notes:
            found += _misfits(name, gold, _text(workspace / gold["note"]), sections)
        else:
            found.append(f"{name}: there is no note {gold['note']}")
    return found


def _misfits(name: str, gold: dict[str, Any], text: str, sections: dict[str, set[str]]) -> list[str]:
    """Return what is wrong with the answers to one note that exists."""
    path = Path(gold["note"])
    found = [] if name == f"{path.stem}.yaml" else [f"{name} is not named after its note"]
    if gold["agent"] != path.parent.name:
        found.append(f"{name}: the agent is not {gold['agent']}")
    if not path.stem.startswith(gold["date"].isoformat()):
        found.append(f"{name}: the date is not {gold['date']}")
    if gold["topic"] is not None and not (f"{gold['topic']}.md" in sections and gold["topic"] in path.stem):
        found.append(f"{name}: the topic is not {gold['topic']}")
    if set(ARXIV.findall(text)) != set(gold["arxiv_all"]):
        found.append(f"{name}: arxiv_all is not what the note holds")
    for part in _parts(gold):
        found += [f"{name}: {part.get('id', 'leads')}: {each}" for each in _part_misfits(part, text.split("\n"))]
    found += [f"{name}: {each}" for each in _overlaps(_parts(gold))]
    for part in gold["increments"]:
        found += [f"{name}: {part['id']}: {each}" for each in _increment_misfits(part, text, sections)]
    return found


def _part_misfits(part: dict[str, Any], lines: list[str]) -> list[str]:
    """Return what is wrong with the lines of one part, and with what is said to stand in them."""
    first, last = part["lines"]
    if not 1 <= first <= last <= len(lines):
        return [f"lines {first} to {last} lie outside the note"]
    inside = lines[first - 1 : last]
    words = [part.get("key", ""), *part.get("sources", []), *part.get("register", [])]
    found = [f"{each!r} does not occur in its lines" for each in words if each not in "\n".join(inside)]
    if not (inside[0].strip() and inside[-1].strip()):
        found.append("its lines begin or end with an empty one")
    return found


def _increment_misfits(part: dict[str, Any], text: str, sections: dict[str, set[str]]) -> list[str]:
    """Return what is wrong with the identifiers, ratings and placements of one increment."""
    found = [] if part.get("key") else ["it has no key"]
    # Prose names its paper once, on top: the identifier may stand outside the increment's own lines.
    found += [f"{each} does not occur in the note" for each in part["arxiv"] if each not in text]
    if part.get("relation") not in RELATIONS:
        found.append(f"{part.get('relation')!r} is no relation")
    if part.get("stars", 1) not in range(1, 6):
        found.append(f"{part['stars']} is no number of stars")
    if not part["placements"]:
        found.append("it has no placement")
    named = [(each["doc"], each["section"]) for each in part["placements"]]
    return found + [f"{doc} has no section {number}" for doc, number in named if number not in sections.get(doc, ())]


def _parts(gold: dict[str, Any]) -> list[dict[str, Any]]:
    """Return everything in an answer that has lines of its own."""
    leads = [{"lines": gold["leads_lines"]}] if "leads_lines" in gold else []
    return [*gold["increments"], *gold.get("process_notes", []), *gold["to_verify"], *leads]


def _overlaps(parts: Iterable[dict[str, Any]]) -> list[str]:
    """Return a sentence for each line that belongs to two parts."""
    spans = sorted(part["lines"] for part in parts)
    pairs = itertools.pairwise(spans)
    return [f"lines {before} and {after} overlap" for before, after in pairs if before[1] >= after[0]]


def _twice(names: list[str]) -> list[str]:
    return sorted({each for each in names if names.count(each) > 1})


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8").rstrip("\n")


def language(text: str) -> str:
    """Return the main language of a note: `zh` where there are more Chinese characters than Latin words."""
    return "zh" if len(CHINESE.findall(text)) > len(LATIN.findall(text)) else "en"


def imbalances(folder: Path, workspace: Path) -> list[str]:
    """Return in what a set of answers is too small or one-sided to measure with."""
    answers = list(golds(folder).values())
    languages = [language(_text(workspace / gold["note"])) for gold in answers]
    counts = {
        "notes": (len(answers), 20),
        "notes in Chinese": (languages.count("zh"), 8),
        "notes in English": (languages.count("en"), 8),
        "notes without increments": (sum(not gold["increments"] for gold in answers), 6),
    }
    return [f"{count} {what}, at least {least} are needed" for what, (count, least) in counts.items() if count < least]


@pytest.mark.parametrize("name", WORKSPACES)
def test_the_answers_fit_the_notes(name):
    found = problems(GOLDS[name], WORKSPACES[name])

    assert not found, "\n".join(found)


def test_the_gold_notes_are_enough_to_measure_with():
    assert imbalances(GOLDS["notes"], WORKSPACES["notes"]) == []


NOTE = "inbox/jay/2026-09-09-1100-serving-filter.md"
NOTE_TEXT = """\
# Filter

### Increment 1: a new store
arXiv:2609.90001, 1.3 s instead of 5.2 s

### Increment 2: a new limit
Tollgate counts tokens

To verify: the 5.2 s
"""
DOCUMENT_TEXT = "# serving\n\n## 1 Stores\n\n### 1.1 Tiers\n\nTwo tiers.\n"
GOLD = "2026-09-09-1100-serving-filter.yaml"
GOLD_TEXT = f"""\
note: {NOTE}
agent: jay
topic: serving
date: 2026-09-09
increments:
  - id: jay-1
    lines: [3, 4]
    key: 1.3 s
    arxiv: ["2609.90001"]
    stars: 3
    relation: new
    placements: [{{doc: serving.md, section: "1.1"}}]
  - id: jay-2
    lines: [6, 7]
    key: Tollgate
    arxiv: []
    relation: extends
    placements: [{{doc: serving.md, section: "1"}}]
arxiv_all: ["2609.90001"]
to_verify:
  - {{id: jay-w1, lines: [9, 9], key: 5.2 s}}
"""


def _write(root: Path, gold: str = GOLD_TEXT, name: str = GOLD, note: str = NOTE_TEXT) -> Path:
    """Write a workspace of one note with its answer below it, and return the folder."""
    files = {NOTE: note, "organized/knowledge/serving.md": DOCUMENT_TEXT, f"gold/{name}": gold}
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def test_a_sound_answer_has_no_problem(tmp_path):
    assert problems(_write(tmp_path) / "gold", tmp_path) == []


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("agent: jay", "agent: tom", "the agent is not tom"),
        ("date: 2026-09-09", "date: 2026-09-10", "the date is not 2026-09-10"),
        ("topic: serving", "topic: agents", "the topic is not agents"),
        ("lines: [9, 9]", "lines: [9, 10]", "jay-w1: lines 9 to 10 lie outside"),
        ("lines: [3, 4]", "lines: [0, 4]", "jay-1: lines 0 to 4 lie outside"),
        ("lines: [6, 7]", "lines: [7, 6]", "jay-2: lines 7 to 6 lie outside"),
        ("lines: [6, 7]", "lines: [4, 7]", "lines [3, 4] and [4, 7] overlap"),
        ("lines: [6, 7]", "lines: [6, 8]", "jay-2: its lines begin or end with an empty one"),
        ("lines: [6, 7]", "lines: [5, 7]", "jay-2: its lines begin or end with an empty one"),
        ("key: 1.3 s", "key: 1.4 s", "jay-1: '1.4 s' does not occur"),
        ("key: Tollgate", "key: tollgate", "jay-2: 'tollgate' does not occur"),
        ("key: Tollgate", "key: ''", "jay-2: it has no key"),
        ("key: 5.2 s", "key: 5.3 s", "jay-w1: '5.3 s' does not occur"),
        ("arxiv: []", 'arxiv: ["2609.90002"]', "jay-2: 2609.90002 does not occur in the note"),
        ("arxiv: []", "arxiv: []\n    register: [C9]", "jay-2: 'C9' does not occur"),
        ("arxiv: []", "arxiv: []\n    sources: [inbox/tom/a.md]", "jay-2: 'inbox/tom/a.md' does not occur"),
        ('arxiv_all: ["2609.90001"]', "arxiv_all: []", "arxiv_all is not what the note holds"),
        (
            'arxiv_all: ["2609.90001"]',
            'arxiv_all: ["2609.90001", "2609.90002"]',
            "arxiv_all is not what the note holds",
        ),
        ("stars: 3", "stars: 6", "jay-1: 6 is no number of stars"),
        ("relation: new", "relation: fresh", "jay-1: 'fresh' is no relation"),
        ('section: "1.1"', 'section: "1.2"', "jay-1: serving.md has no section 1.2"),
        ('doc: serving.md, section: "1"', 'doc: agents.md, section: "1"', "jay-2: agents.md has no section 1"),
        ('[{doc: serving.md, section: "1.1"}]', "[]", "jay-1: it has no placement"),
        ("id: jay-2", "id: jay-1", "jay-1 is given twice"),
    ],
)
def test_an_answer_that_does_not_fit_is_named(tmp_path, old, new, named):
    assert GOLD_TEXT.count(old) == 1

    found = problems(_write(tmp_path, GOLD_TEXT.replace(old, new)) / "gold", tmp_path)

    assert [named in problem for problem in found] == [True]


def test_leads_and_process_notes_have_lines_of_their_own_too(tmp_path):
    gold = f"{GOLD_TEXT}leads_lines: [9, 9]\nprocess_notes:\n  - {{id: jay-p1, lines: [1, 1], key: Late}}\n"

    found = problems(_write(tmp_path, gold) / "gold", tmp_path)

    assert found == [
        f"{GOLD}: jay-p1: 'Late' does not occur in its lines",
        f"{GOLD}: lines [9, 9] and [9, 9] overlap",
    ]


def test_a_note_without_an_answer_and_an_answer_without_a_note_are_named(tmp_path):
    folder = _write(tmp_path, GOLD_TEXT.replace("1100", "1200")) / "gold"

    assert problems(folder, tmp_path) == [
        f"{NOTE} has no answer",
        f"{GOLD}: there is no note {NOTE.replace('1100', '1200')}",
    ]


def test_two_answers_to_one_note_and_an_odd_name_are_named(tmp_path):
    folder = _write(tmp_path) / "gold"
    other = _write(tmp_path, re.sub(r"jay-(?=\w+\b[,\n])", "second-", GOLD_TEXT), "other.yaml")

    assert problems(folder, other) == [f"{NOTE} is given twice", "other.yaml is not named after its note"]


def test_answers_about_several_notes_are_left_out(tmp_path):
    folder = _write(tmp_path) / "gold"
    (folder / "pair-2026-09-09.yaml").write_text("notes: []\n", encoding="utf-8")

    assert problems(folder, tmp_path) == []


def test_too_few_notes_and_a_single_language_are_named(tmp_path):
    folder = _write(tmp_path) / "gold"

    assert imbalances(folder, tmp_path) == [
        "1 notes, at least 20 are needed",
        "0 notes in Chinese, at least 8 are needed",
        "1 notes in English, at least 8 are needed",
        "0 notes without increments, at least 6 are needed",
    ]


@pytest.mark.parametrize(
    ("expected", "text"),
    [("zh", "单卡 H100 上 TTFT 降到三分之一"), ("en", "New first place, 开源, on the board of August"), ("en", "")],
)
def test_the_language_of_a_note_is_that_of_most_of_its_words(expected, text):
    assert language(text) == expected

"""The whole product against a model that lies in every reply: nothing that it made up is in any output.

The checker below shares no code with the product: it looks at what came out, at the notes and at the living documents.
"""

import datetime as dt
import json
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from agent.asking.budget import Budget
from agent.asking.prompts import load_prompt
from agent.asking.remembering import RememberingModel
from agent.asking.testing import MemoryStore
from agent.digesting.markdown import render_markdown
from agent.pipeline import Order, extract_note, make_digest, plan
from agent.records import CheckedNote
from agent.settings import Settings
from agent.starting import start_workspace
from agent.workspace import Workspace
from tests.lyingserver import Lie, LyingServer
from tests.modelsetting import Time, make

DAY = dt.date(2026, 9, 14)
PROMPTS = sorted(path.stem for path in (Path(__file__).parents[2] / "prompts").glob("*.md"))

# The independent checker.

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)*")
_ARXIV = re.compile(r"(?<![0-9.])[0-9]{4}\.[0-9]{4,5}(?![0-9])")
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s)>\]\"'，。；、]+|\b[a-z0-9-]+\.(?:example|com|org|io)\b", re.IGNORECASE)
_PATH = re.compile(r"inbox/[^\s)\]`]+\.md")
_REGISTER = re.compile(r"(?<![A-Za-z0-9])[CDOT]-?[0-9]{1,4}(?![0-9A-Za-z])")
_SECTION = re.compile(r"§\s?([0-9]+(?:\.[0-9]+)*)")
_KINDS = {
    "identifier": _ARXIV,
    "number": _NUMBER,
    "address": _ADDRESS,
    "note": _PATH,
    "register": _REGISTER,
    "section": _SECTION,
}
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\ud800-\udfff\U000e0000-\U000e007f]")
# Where a model has a say, of an increment.
_WRITTEN = ("title", "summary", "relation_reason")


@cache
def said(text: str, kind: str) -> frozenset[str]:
    """Return the figures, identifiers, … of a text, whatever script they stand in."""
    folded = unicodedata.normalize("NFKC", text)
    plain = "".join(str(unicodedata.decimal(c, c)) for c in folded)
    return frozenset(_KINDS[kind].findall(plain))


def invented(text: str, known: str) -> list[str]:
    """Return what a text says and the known text does not, by kind."""
    return [f"{kind} {piece}" for kind in _KINDS for piece in sorted(said(text, kind) - said(known, kind))]


@dataclass
class Outputs:
    """Everything that came of a run, with what it may rest on."""

    digest: dict[str, Any]
    markdown: str
    extractions: list[dict[str, Any]]
    notes: Mapping[str, str]
    documents: Mapping[str, str]
    lies: set[str]
    replies: int
    prompts: Counter[str]
    breaches: list[str] = field(default_factory=list)

    @property
    def increments(self) -> Iterator[dict[str, Any]]:
        for holder in (self.digest, *self.extractions):
            yield from holder["increments"]

    def check(self) -> list[str]:
        """Return everything that somebody made up."""
        for increment in self.increments:
            self._check_increment(increment)
        for extraction in self.extractions:
            self._check_lists(extraction)
        self._check_lists(self.digest)
        self._check_lies()
        self._check_text()
        self._check_markdown()
        return self.breaches

    def _check_increment(self, one: dict[str, Any]) -> None:
        at = one["id"]
        if not set(one["notes"]) <= set(self.notes):
            self.breaches.append(f"{at}: notes {one['notes']}")
            return
        for quote in (*one["evidence"], *(point["evidence"] for point in one["points"])):
            if self.notes[quote["note"]][quote["start"] : quote["end"]] != quote["quote"] or not quote["quote"]:
                self.breaches.append(f"{at}: quote {quote['quote']!r}")
        own = "\n".join(self.notes[note] for note in one["notes"])
        near = "\n".join(_around(self.notes[quote["note"]], quote) for quote in one["evidence"])
        sections = "\n".join(self._section(each) for each in one["placements"])
        for name in _WRITTEN:
            ground = f"{near}\n{sections}" if name == "relation_reason" else f"{near}\n{self._heading(one)}"
            self._compare(f"{at}.{name}", one[name], ground if name == "summary" else f"{own}\n{sections}")
        self._compare(f"{at}.reason", one["credibility"]["reason"], own)
        self._compare(f"{at}.cautions", "\n".join(one["credibility"]["cautions"]), own)
        self._compare(f"{at}.arxiv_ids", " ".join(one["arxiv_ids"]), own)
        for register in one["register"]:
            if not re.search(rf"{register['kind']}-?{register['number']}(?!\d)", own):
                self.breaches.append(f"{at}: register {register}")
        for source in one["sources"]:
            if source["note"] and source["note"] not in self.notes:
                self.breaches.append(f"{at}: source {source['note']}")
            self._compare(f"{at}.source", f"{source['label']} {source['url'] or ''} {source['arxiv'] or ''}", own)
        for placement in one["placements"]:
            self._check_placement(at, placement, own)

    def _check_placement(self, at: str, placement: dict[str, Any], own: str) -> None:
        section = self._section(placement)
        if placement["exists"] != bool(section):
            self.breaches.append(f"{at}: placement {placement}")
        if not section and (placement["proposed_by"] != "note" or placement["section"] not in own):
            self.breaches.append(f"{at}: placement {placement}")
        whole = "\n".join(self.documents.values())
        self._compare(f"{at}.placement", placement["reason"], f"{own}\n{section or whole}")

    def _section(self, placement: dict[str, Any]) -> str:
        """Return heading and text of a placement's section, or nothing where the document has none of that name."""
        document = self.documents.get(placement["document"], "")
        for part in re.split(r"(?m)^(?=#{1,6} )", document):
            heading = part.partition("\n")[0].lstrip("# ").removeprefix("§").strip()
            if heading.startswith(placement["section"]) and placement["section"]:
                return part
        return ""

    def _heading(self, one: dict[str, Any]) -> str:
        """Return an increment's title where it is words of a note, so that what follows may rest on it."""
        return one["title"] if any(_folded(one["title"].rstrip("…")) in _folded(n) for n in self.notes.values()) else ""

    def _check_lists(self, holder: dict[str, Any]) -> None:
        everything = "\n".join(self.notes.values())
        for name in ("leads", "to_verify", "arxiv", "contradictions"):
            for one in holder.get(name, ()):
                text = " ".join(_texts(one, without=("evidence", "id", "remarks", "increments")))
                self._compare(
                    name, text + (one["id"] if name == "arxiv" else ""), f"{everything} {' '.join(self.notes)}"
                )

    def _compare(self, at: str, text: str, known: str) -> None:
        self.breaches += [f"{at}: {piece} in {text!r}" for piece in invented(text, known)]

    def _check_lies(self) -> None:
        """Look for each thing that the server made up in all that came out; what was dropped is listed as such."""
        known = "\n".join((*self.notes.values(), *self.documents.values()))
        shown = {
            *_texts([self.digest, self.extractions], without=("dropped", "sha256", "id")),
            *self.markdown.split("\n"),
        }
        figures = {lie for lie in self.lies if _NUMBER.fullmatch(lie)}
        for lie in sorted(self.lies - figures):
            self.breaches += [f"lie {lie!r} in {text!r}" for text in shown if lie in text and lie not in known]
        for text in shown - set(self.markdown.split("\n")):  # Markdown has figures of its own: lines, tokens
            made_up = (said(text, "number") - said(known, "number")) & figures
            self.breaches += [f"lie {lie!r} in {text!r}" for lie in sorted(made_up)]

    def _check_text(self) -> None:
        for text in _texts([self.digest, self.extractions]):
            if _UNSEEN.search(text) and not any(text in note for note in self.notes.values()):
                self.breaches.append(f"unseen character in {text!r}")

    def _check_markdown(self) -> None:
        tokens = MarkdownIt("commonmark").enable("table").parse(self.markdown)
        flat = [inner for token in tokens for inner in (token, *(token.children or ()))]
        allowed = {"html_block"} if self.markdown.rstrip().endswith("-->") else set()
        for token in flat:
            if token.type in {"html_inline", "html_block", "image", "fence"} - allowed:
                self.breaches.append(f"markup {token.type}: {token.content!r}")
            if token.type == "link_open" and not str(token.attrs["href"]).startswith(
                (
                    "inbox/",
                    "organized/",
                    "paper_cards/",
                    "#contradiction-",
                    "#%E7%9F%9B%E7%9B%BE-",
                )  # the last two our own
            ):
                self.breaches.append(f"link {token.attrs['href']}")
        if sum(token.type == "html_block" for token in flat) > 1:
            self.breaches.append("more than our own mark")
        if _UNSEEN.search(self.markdown):
            self.breaches.append("unseen character in Markdown")


def _around(note: str, quote: dict[str, Any]) -> str:
    """Return what a finding may rest on around a quote: its own section of the note, or a long paragraph each way."""
    return note[max(0, quote["start"] - 1500) : quote["end"] + 1500]


def _folded(text: str) -> str:
    return re.sub(r"[\s*`_]+", "", text)


def _texts(value: object, *, without: Collection[str] = ()) -> Iterator[str]:
    """Yield every text of nested records, but for some fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts([part for name, part in value.items() if name not in without], without=without)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part, without=without)


# The run.


class _Silent:
    """Wants to know nothing."""

    def begin(self, notes: int) -> None: ...

    def started(self, path: str) -> None: ...

    def finished(self, checked: CheckedNote) -> None: ...


def canaries() -> list[str]:
    return [name for prompt in PROMPTS for name in load_prompt(prompt).canaries]


def outputs(root: Path, seed: int, *, lies: Sequence[Lie] = ()) -> Outputs:
    """Make a digest and every extraction with the lying server; what was asked for the digest is not asked again."""
    settings = Settings(workers=4)
    workspace = Workspace.open(root, settings=settings)
    planned = plan(workspace, Order(topic=None, date=DAY, days=3))
    with LyingServer(seed, canaries=canaries(), lies=lies) as server:
        model = RememberingModel(
            lambda: make(server, Time()), name="m", endpoint="e", memory=MemoryStore(), budget=Budget(None)
        )
        made = make_digest(workspace, settings, planned, engine="remote", model=model, progress=_Silent())
        read = [one.path for one in planned.listed if one.outcome is None]
        extractions = [extract_note(workspace, settings, path, engine="remote", model=model) for path in read]
        model.close()
        return Outputs(
            digest=json.loads(made.digest.model_dump_json(by_alias=True)),
            markdown=render_markdown(made.digest),
            extractions=[json.loads(one.model_dump_json(by_alias=True)) for one in extractions],
            notes={path: (root / path).read_text(encoding="utf-8") for path in read},
            documents={path.name: path.read_text() for path in (root / "organized/knowledge").glob("*.md")},
            lies=server.invented,
            replies=len(server.requests),
            prompts=server.prompts,
        )


# Notes without structure, so that the model is asked for findings too.

_THINGS = ("KestrelCache", "Mora-7B", "TideServe", "前缀缓存", "分块预填充", "投机解码", "Lintel", "权重量化")
_CHANGES = (
    "把首字延迟从 {a} ms 降到 {b} ms", "吞吐升到 {a} tokens/s，高出 {c}%", "cuts peak memory by {c}% on {n} GPUs",
    "was released as v0.{n}.{m} with {a} tests", "在 {n} 张卡上跑了 {a} 次，命中率 {c}%", "reaches {c}% on the long-context set",
)  # fmt: skip
_TALK = ("大家好，今天读得不多。", "The usual remarks apply here.", "以上只是个人看法。", "More on that another day.")


def write_notes(root: Path, number: int, seed: int) -> None:
    """Write a workspace of notes as people write them when nobody asks for a form."""
    chance = random.Random(seed)
    knowledge = root / "organized/knowledge"
    knowledge.mkdir(parents=True)
    parts = [f"## {place} {name}\n\n{name} 现有 {place * 10 + 1} 行。\n" for place, name in enumerate(_THINGS, start=1)]
    (knowledge / "inference.md").write_text("# inference\n\n更新：2026-09-13\n\n" + "\n".join(parts))
    for index in range(number):
        paragraphs = [chance.choice(_TALK)]
        for thing in chance.sample(_THINGS, k=chance.randint(2, 4)):
            figures = {"a": chance.randint(100, 990), "b": chance.randint(20, 99), "c": chance.randint(11, 60),
                       "n": chance.randint(2, 8), "m": chance.randint(1, 9)}  # fmt: skip
            change = chance.choice(_CHANGES).format(**figures)
            source = f"见 arXiv:2608.{chance.randint(10_000, 19_999)}。" if chance.random() < 0.4 else ""
            paragraphs.append(f"{thing} {change}。{source}{chance.choice(_TALK)}")
        inbox = root / "inbox" / ("tom", "jay")[index % 2]
        inbox.mkdir(parents=True, exist_ok=True)
        (inbox / f"2026-09-14-{index:02}-inference.md").write_text("\n\n".join(paragraphs) + "\n")


def examine(found: Iterable[Outputs]) -> Counter[str]:
    """Check outputs, and return how much there was to check."""
    counts: Counter[str] = Counter()
    for one in found:
        breaches = one.check()
        assert not breaches, "\n".join(breaches[:20])
        counts += one.prompts
        counts["replies"] += one.replies
        counts["lies"] += len(one.lies)
        counts["increments"] += sum(1 for _ in one.increments)
    return counts


def both(tmp_path: Path, *, seeds: range, notes: int) -> Iterator[Outputs]:
    example = tmp_path / "example"
    start_workspace(example, with_example=True)
    for seed in seeds:
        yield outputs(example, seed)
        write_notes(tmp_path / f"{seed}", notes, seed)
        yield outputs(tmp_path / f"{seed}", seed)


def test_nothing_that_a_model_makes_up_is_in_any_output(tmp_path):
    counts = examine(both(tmp_path, seeds=range(2), notes=5))

    assert {"FindReply", "ExtractReply", "PlaceReply"} <= set(counts), "every prompt has been lied to"
    assert counts["replies"] >= 100
    assert counts["lies"] >= 200
    assert counts["increments"] >= 40


@pytest.mark.scale
def test_nothing_is_made_up_in_a_thousand_replies_and_more(tmp_path):
    counts = examine(both(tmp_path, seeds=range(100, 112), notes=12))

    assert counts["replies"] >= 1000


# What is made of figures and names that do stand in the note.

_SWAPS = (("tokens/s", "tokens"), ("tok/s", "ms"), (" ms", " s"), ("%", "×"), ("GiB", "MiB"), (" µs", " ms"))
_TURNS = (
    ("降到", "升到"),
    ("降低", "提高"),
    ("升到", "降到"),
    ("increase", "decrease"),
    ("cuts ", "raises "),
    ("higher", "lower"),
)
_NAMES = ("Borvex-9", "Quillmark Labs", "TensorHarbor", "Zephyrine 7B")


def _swapped(pairs: Sequence[tuple[str, str]]) -> list[Lie]:
    def lie(said: str, before: str, after: str) -> str:
        return said.replace(before, after) if before in said and after not in said and _NUMBER.search(said) else ""

    return [partial(lie, before=before, after=after) for before, after in pairs]


TWISTS: dict[str, list[Lie]] = {
    "units": _swapped(_SWAPS),
    "directions": _swapped(_TURNS),
    "names": [f"{name}: {{}}".format for name in _NAMES],
}


# For how many of all twisted sentences a reader still has to look at the note: code judges wording only where it can tell.
MOST_SLIPS = {"units": 0.0, "directions": 0.0, "names": 0.0}


@pytest.mark.parametrize("twist", TWISTS)
def test_few_figures_get_another_direction_or_name_and_none_another_unit(tmp_path, twist):
    """Each reply is a sentence of the note with one thing turned round."""
    write_notes(tmp_path, 8, 5)
    found = outputs(tmp_path, 1, lies=TWISTS[twist])
    known = "\n".join((*found.notes.values(), *found.documents.values()))
    texts = {text for one in found.increments for text in (one["title"], one["summary"], one["credibility"]["reason"])}

    slipped = {text for text in texts for lie in found.lies if lie in text and lie not in known}

    assert len(found.lies) >= 10
    assert len(slipped) <= MOST_SLIPS[twist] * len(found.lies), "\n".join(sorted(slipped))


# The checker itself.

NOTE = "# 简报\n\n增量 1：缓存分层\n\n- 吞吐升到 1,800 tok/s（arXiv:2608.12345），见 C3\n"
QUOTE = "- 吞吐升到 1,800 tok/s（arXiv:2608.12345），见 C3"
EVIDENCE = {
    "note": "inbox/a.md",
    "start": NOTE.index(QUOTE),
    "end": NOTE.index(QUOTE) + len(QUOTE),
    "quote": QUOTE,
    "line": 5,
}


def clean() -> dict[str, Any]:
    """Return an increment that says nothing but what stands in the note."""
    placement = {"document": "inference.md", "section": "4.1", "reason": "该节现有：主机内存一行。", "exists": True}
    return {
        "id": "inc-1",
        "title": "缓存分层",
        "summary": "吞吐升到 1,800 tok/s",
        "points": [{"text": "吞吐", "evidence": EVIDENCE}],
        "evidence": [EVIDENCE],
        "arxiv_ids": ["2608.12345"],
        "credibility": {"reason": "作者自测。", "cautions": []},
        "sources": [{"label": "arXiv:2608.12345", "note": None, "url": None, "arxiv": "2608.12345"}],
        "notes": ["inbox/a.md"],
        "placements": [placement | {"proposed_by": "model"}],
        "relation_reason": "",
        "register": [{"kind": "C", "number": 3}],
    }


def checked(increment: dict[str, Any], *, markdown: str = "# 摘要\n", lies: Collection[str] = ()) -> list[str]:
    return Outputs(
        digest={"increments": [increment]},
        markdown=markdown,
        extractions=[],
        notes={"inbox/a.md": NOTE},
        documents={"inference.md": "# inference\n\n## 4 KV\n\n### 4.1 分层\n\n主机内存一行。\n"},
        lies=set(lies),
        replies=0,
        prompts=Counter(),
    ).check()


def test_what_stands_in_the_note_is_no_breach():
    assert checked(clean()) == []


@pytest.mark.parametrize(
    "change",
    [
        {"title": "缓存分层，快 6 倍"},
        {"summary": "吞吐升到 １８００.5 tok/s"},
        {"summary": "见 arXiv:2608.12346"},
        {"summary": "见 https://lie.example/x"},
        {"summary": "见 inbox/b.md"},
        {"summary": "见 C4"},
        {"summary": "见 §7.7"},
        {"summary": "缓存\x1b[1m分层"},
        {"arxiv_ids": ["2608.12346"]},
        {"notes": ["inbox/b.md"]},
        {"evidence": [EVIDENCE | {"quote": "吞吐"}]},
        {"credibility": {"reason": "两家实验室在 17 台机器上复测。", "cautions": []}},
        {"credibility": {"reason": "", "cautions": ["快 9 倍"]}},
        {"sources": [{"label": "x", "note": "inbox/b.md", "url": None, "arxiv": None}]},
        {"register": [{"kind": "C", "number": 4}]},
        {"relation_reason": "该节现有 12 行"},
        {"placements": [clean()["placements"][0] | {"section": "9.9"}]},
        {"placements": [clean()["placements"][0] | {"document": "made-up.md"}]},
        {"placements": [clean()["placements"][0] | {"exists": False}]},
        {"placements": [clean()["placements"][0] | {"reason": "该节现有 12 行"}]},
    ],
    ids=str,
)
def test_each_kind_of_invention_is_named(change):
    assert checked(clean() | change)


@pytest.mark.parametrize(
    "markdown", ["![x](http://a.example/p)", "<b>x</b>", "[x](https://a.example)", "x\x1b[1m", "```\nx\n```", "\u202ex"]
)
def test_markup_that_does_something_is_named(markdown):
    assert checked(clean(), markdown=f"# 摘要\n\n{markdown}\n")


def test_a_lie_is_named_wherever_it_stands():
    assert checked(clean(), markdown="又见 Borvex\n", lies={"Borvex"})
    assert checked(clean() | {"summary": "快 7.25 倍"}, lies={"7.25"})
    assert checked(clean(), lies={"缓存", "1,800"}) == [], "what stands in the note is none"

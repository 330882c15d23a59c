"""Which parts of a note its own structure bounds as increments, beyond those that it calls so.

A heading bounds an increment when what stands under it is rated, placed or related as one, or when it is one of several
like headings that each report figures from a paper or a release of their own. A paragraph, an item or a row bounds one
when it reports something and names the section where it belongs. Where none of this is written, nothing is bounded: a
model may propose, and plain code does not guess.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.extracting.passages import Passage, has_figures, passages, reports_something
from agent.reading.filing import filed_under
from agent.reading.headings import INNER_WORDS, without_decoration
from agent.reading.identifiers import find_arxiv, find_dois
from agent.reading.parts import by_label
from agent.reading.placements import stated_placements
from agent.reading.ratings import stated_stars
from agent.reading.statements import is_nothing_new
from agent.texts import Segment, Unit

_MOSTLY = 1 / 2  # of like headings, for their likeness to be no chance
_RELEASE = re.compile(r"[A-Za-z][\w.+-]{1,40} v?\d{1,4}(?:\.\d{1,4}){1,3}(?![\d.]*%)")
# A version alone is a release where it cannot be a section's number.
_VERSION = re.compile(
    r"\A\W{0,3}(?:v\d{1,4}(?:\.\d{1,4}){1,3}|(?<=\[)\d{1,4}(?:\.\d{1,4}){1,3}(?=\])|(?!20\d\d\.)\d{1,4}(?:\.\d{1,4}){1,3}(?=\W{1,6}20\d\d-))",
    re.IGNORECASE,
)
_KNOWN = re.compile(r"已有|已收|已写|收录过|重复|\b(?:known|already|repeat(?:s|ed)?|duplicates?)\b", re.IGNORECASE)
_PAPER_PARTS = (
    "motivation", "method", "approach", "results", "experiments", "limitations", "contributions", "findings", "evaluation", "研究问题", "动机",
    "方法", "实验", "结果", "局限", "贡献", "评估", "结论",
)  # fmt: skip
_FEW_PARTS, _FEW_PAPERS = 3, 3  # the paper may be held against some others
_PART_NUMBER = re.compile(r"\A(?:[A-Za-z]|\d{1,2}(?:\.\d{1,2})?|[一二三四五六七八九十]{1,2})[.)、．]\s?")
_CLAUSE = re.compile(r" [·|] |[。；;，]|, |\n")
_RULING = re.compile(r"活文档|知识库|归入|归位|living doc|knowledge base|placement|belongs", re.IGNORECASE)
_NOT_PLACED = re.compile(r"\A(?:无|否|不|没|待定|未定|暂|tbd|n/?a|none|no|\?)|跳过|skip", re.IGNORECASE)
_CELL = re.compile(r"(?<!\\)\|")
_Heading = tuple[str, int]  # with the number of times that it had been begun
_Path = tuple[_Heading, ...]


def bounded(segments: Sequence[Segment], *, topics: Sequence[str] = ()) -> tuple[Segment, ...]:
    """Return the increments that a note's structure bounds, in order.

    Those it calls so come first, alone; else sections that are rated, placed or related; else a whole note that reads one
    paper part by part; else sections about one paper or release each; else paragraphs, items and rows that name a section of a living document.

    Args:
        segments: of one note.
        topics: stems of the living documents.
    """
    called = tuple(segment for segment in segments if segment.role == "increment")
    if called or says_nothing_new(segments):
        return called
    trees = _trees(segments)
    rated = [tree for tree in trees.values() if _is_rated(tree) and not is_nothing_new(_text(tree))]
    found = rated or _paper_read(segments) or _of_one_thing_each(trees)
    return tuple(map(_merged, found)) or tuple(_placed(segments, topics))


def says_nothing_new(segments: Sequence[Segment]) -> bool:
    """Return whether a note says of itself, at its head or in its conclusion, that it brings nothing new."""
    said = [unit for segment in segments if segment.role in {"head", "summary", "conclusion"} for unit in segment.units]
    if not said and segments:
        said = list(segments[0].units[:2])  # a note without a single heading
    return any(is_nothing_new(unit.text) for unit in said)


# Sections.


def _trees(segments: Sequence[Segment]) -> dict[_Path, list[Segment]]:
    """Body segments by the heading they stand under; parts named like parts of an increment count to the one right above."""
    trees = defaultdict[_Path, list[Segment]](list)
    last: _Path = ()
    for segment, path in zip(segments, _paths(segments), strict=True):
        if segment.role == "body" and segment.heading is not None:
            root = _root(path)
            last = root if root == last or root not in trees else path
            trees[last].append(segment)
    return dict(trees)


def _paths(segments: Sequence[Segment]) -> Iterator[_Path]:
    """Yield the path of each segment, so that headings of the same words are told apart where they stand twice."""
    path: _Path = ()
    begun = Counter[_Path]()
    for segment in segments:
        names = segment.heading_path
        depth = next(
            (at for at, (name, (known, _)) in enumerate(zip(names, path, strict=False)) if name != known), len(path)
        )
        path = path[: min(depth, len(names) - (segment.heading is not None))]
        for name in names[len(path) :]:
            begun[*path, (name, 0)] += 1
            path = (*path, (name, begun[*path, (name, 0)]))
        yield path


def _root(path: _Path) -> _Path:
    while len(path) > 1 and without_decoration(path[-1][0]).casefold().strip("：: ") in INNER_WORDS:
        path = path[:-1]
    return path


def _is_rated(tree: Sequence[Segment]) -> bool:
    parts = by_label(unit for segment in tree for unit in segment.units)
    if parts["placement"] or parts["relation"]:
        return True
    rated = "\n".join(unit.text for unit in parts["credibility"])
    return bool(rated) and stated_stars(rated) is not None


def _paper_read(segments: Sequence[Segment]) -> list[list[Segment]]:
    """All of a note that goes through one paper under headings such as Method, Results and Limitations."""
    parts = {_PART_NUMBER.sub("", without_decoration(segment.title)).casefold().strip(" ：:") for segment in segments}
    if sum(any(name in part for name in _PAPER_PARTS) for part in parts) < _FEW_PARTS:
        return []
    tree = [segment for segment in segments if segment.role in {"head", "body", "summary", "conclusion"}]
    papers = {span.identifier for span in find_arxiv(_text(tree))}
    return [tree] if len(papers) <= _FEW_PAPERS and has_figures(_prose(tree)) else []


def _of_one_thing_each(trees: dict[_Path, list[Segment]]) -> list[list[Segment]]:
    """Of like headings side by side, those that report figures of one paper or release of their own; outermost first."""
    below = defaultdict[_Path, list[Segment]](list)
    children = defaultdict[_Path, dict[_Path, None]](dict)
    for path, tree in trees.items():
        for depth in range(1, len(path) + 1):
            below[path[:depth]] += tree
            children[path[: depth - 1]][path[:depth]] = None
    for _, siblings in sorted(children.items(), key=lambda item: len(item[0])):
        things = [(thing, below[path]) for path in siblings if (thing := _only_thing(path, below[path]))]
        if len({thing for thing, _ in things}) > 1 and len(things) >= _MOSTLY * len(siblings):
            found = [tree for _, tree in things if has_figures(_prose(tree)) or _is_release(tree)]
            return [tree for tree in found if not is_nothing_new(_text(tree))]
    return []


def _is_release(tree: Sequence[Segment]) -> bool:
    title = tree[0].heading_path[-1]
    return bool(_RELEASE.search(title) or _VERSION.match(title)) and reports_something(_prose(tree))


def _only_thing(path: _Path, tree: Sequence[Segment]) -> str:
    """Return the release that a heading names, or the one paper that its section names; nothing where there are several."""
    release = _RELEASE.search(path[-1][0]) or _VERSION.match(path[-1][0])
    if release:
        return release[0].casefold()
    text = _text(tree)
    papers = {span.identifier for span in find_arxiv(text)} or {doi.doi for doi in find_dois(text)}
    return papers.pop() if len(papers) == 1 else ""


def _prose(tree: Sequence[Segment]) -> list[Unit]:
    return [unit for segment in tree for unit in segment.units if unit.kind not in {"heading", "comment"}]


def _text(tree: Sequence[Segment]) -> str:
    return "\n".join(unit.text for segment in tree for unit in segment.units)


def _merged(tree: Sequence[Segment]) -> Segment:
    units = tuple(unit for segment in tree for unit in segment.units)
    return replace(tree[0], role="increment", units=units)


# Paragraphs, items, rows.


def _placed(segments: Sequence[Segment], topics: Sequence[str]) -> Iterator[Segment]:
    for segment in segments:
        if segment.role not in {"body", "head"}:
            continue
        ruled = _ruled_columns(segment.units)
        for passage in passages(segment.units):
            if (_is_filled(passage, ruled) or _names_section(passage, topics)) and reports_something(passage):
                yield Segment(number=0, role="increment", units=passage, heading_path=segment.heading_path)


def _names_section(passage: Passage, topics: Sequence[str]) -> bool:
    """Whether a passage says where it belongs, and not that it stands there already."""
    text = "\n".join(unit.text for unit in passage)
    if passage[0].kind == "row" or _KNOWN.search(text) or not any(topic in text for topic in topics):
        return False
    opening = (one for clause in _CLAUSE.split(text) for one in stated_placements(clause, topics=topics))
    return bool(filed_under(text, topics=topics)) or any(one.section and one.document for one in opening)


def _ruled_columns(units: Sequence[Unit]) -> frozenset[int]:
    """Return which columns of a table place or relate its rows, as its first row says."""
    header = next((unit for unit in units if unit.kind == "row"), None)
    if header is None:
        return frozenset()
    cells = _CELL.split(header.text)
    return frozenset(at for at, cell in enumerate(cells) if _RULING.search(cell))


def _is_filled(passage: Passage, ruled: frozenset[int]) -> bool:
    if passage[0].kind != "row" or len(passage) > 1 or not ruled:
        return False
    cells = _CELL.split(passage[0].text)
    placed = [cells[at].strip(" -—–/") for at in ruled if at < len(cells)]
    return any(cell and not _NOT_PLACED.search(cell) for cell in placed)

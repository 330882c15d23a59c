"""Which version of a product is the newest, for the world ("latest release") or in the knowledge base ("已有 vLLM 0.26.0").

Promises: a version that is only discussed, compared, planned or required is no claim, and neither are pre-releases, dates and
numbers that belong to a model's name; of each product a text states its highest version alone. Nothing raises; time is
linear in the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agent.checking.dispute import Dispute, Hand, as_stated
from agent.checking.stance import stance_in
from agent.reading.citations import cited_documents
from agent.reading.conditions import is_hardware_or_precision
from agent.reading.names import parse_note_name
from agent.reading.naming import is_distinctive, name_key
from agent.reading.parts import by_label
from agent.reading.quotations import folded
from agent.reading.showing import as_evidence, plain
from agent.records import Claim
from agent.texts import Segment, Unit

# "newest" of all; the newest that a note says the knowledge base has ("kept"); one that stands in a living document ("named").
_Scope = Literal["newest", "kept", "named"]

_VERSION = re.compile(
    r"(?<![A-Za-z0-9_.§])(?P<v>[vV]?)(?P<number>\d{1,3}(?:\.\d{1,4}){1,2})"
    r"(?![A-Za-z0-9%×~]|\.[A-Za-z0-9*]|\+(?![A-Za-z ])|[-_](?:rc|dev|alpha|beta|pre|post|nightly)| ?(?:rc\d|alpha|beta|preview|nightly))",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<!')[A-Za-z][A-Za-z0-9]{0,40}(?:[._-][A-Za-z][A-Za-z0-9]{0,40}){0,4}")
_MARK = re.compile(r"[vV]\d.{0,20}")
_FILLING = (
    r"[\s:()*_`\"'@=|-]|的|是|为|即|到|至|版本号?|版|发布|稳定|正式|发行|目前|当前|已经?|仍|更新|升级"
    r"|(?:is|are|was|the|of|as|now|at|still|remains|stands|versions?|releases?|stable|tag|tagged|currently|official)\b"
)
_FILLED = re.compile(f"(?:{_FILLING}){{0,16}}", re.IGNORECASE)
_BETWEEN = re.compile(r"[ \t]?[-@=]{0,2}[ \t]?|[ \t]?(?:\|[ \t]?|版本[ \t]?|version |release )", re.IGNORECASE)
_NEWEST_TEXT = r"最新|(?<![A-Za-z])(?:latest|newest|most recent|current (?:stable )?(?:release|version))(?![A-Za-z])|现行版|当前(?:稳定)?版"
_NEWEST = re.compile(_NEWEST_TEXT, re.IGNORECASE)
_APPOSED = re.compile(
    r",? ?(?:which is |is )?(?:the|its) (?:latest|newest|most recent) (?:\w{1,12} ){0,2}(?:release|version)\b",
    re.IGNORECASE,
)
_VERSION_WORD = re.compile(r"版|发行|(?<![A-Za-z])(?:version|release)(?![A-Za-z])", re.IGNORECASE)
_COMPARED_BEFORE = re.compile(
    r"(?:从|自|由|比|较|早于|低于|高于|旧版|历史版|基于|相比|对比|要求|需要?|至少|兼容|取代|[<>≥≤→~]|(?<![A-Za-z])(?:vs\.?|versus|from|since|than|before|until|requires?|needs?|older|prior|unlike|predates|supersedes))[\s=]{0,3}\Z",
    re.IGNORECASE,
)
_COMPARED_AFTER = re.compile(
    r"[\s)]{0,3}(?:及?以[上前下后]|之[前后]|起|开始|→|->|~|vs|时代|(?:and|or) (?:later|newer|older|above|below)|onwards?|之间)",
    re.IGNORECASE,
)
_ALONE_AFTER = re.compile(
    r"[\s*`]{0,3}(?:\Z|[+,、;:)·|/]|已|最新|(?:is|are|was) (?:already|there)|already|listed|recorded)", re.IGNORECASE
)
_LACKS = re.compile(
    r"但|[,，]而|未[收入作单提覆涉纳]|没有|缺|尚无|仍无|(?<![A-Za-z])(?:but|lacks?|missing|not|no|without|yet)(?![A-Za-z])",
    re.IGNORECASE,
)
_HAS = re.compile(
    r"已收|已有|已含|已记|已入|收录|含有?|现有|列有|[§]|(?<![A-Za-z])(?:has|have|already|holds?|contains?|covers?|lists?|records?)(?![A-Za-z])",
    re.IGNORECASE,
)
_NO_PRODUCT = frozenset(
    "increment finding item entry note section sec table figure fig chapter step level phase part version release latest newest stable current arxiv v rev equation eq appendix lemma theorem no".split()  # noqa: SIM905  # a list of words reads as words
)
_NOT_HERE = frozenset({"placement", "question", "suggestion", "to_verify", "checked", "caution"})
_REACH = 48


@dataclass(frozen=True, slots=True)
class _Named:
    """A product with a version, as it stands in a unit: span from the product's name to the version's end."""

    product: str
    number: tuple[int, ...]
    start: int
    end: int
    is_adjacent: bool
    has_mark: bool
    says_newest: bool


def claims(hand: Hand) -> Iterator[Claim]:
    """Yield the highest version of each product that a text states to be the newest, with every place that states it."""
    found: dict[tuple[str, _Scope], list[tuple[tuple[int, ...], Claim]]] = {}
    for segment in hand.segments:
        for scope, unit, named in _stated(hand, segment):
            claim = Claim(
                kind="version",
                subject=named.product,
                attribute="newest",
                value=f"{scope} {_written(named.number)}",
                stance=stance_in(unit.text, named.start, named.end),
                says=_says(unit.text, named),
                evidence=as_evidence(hand.note, unit),
            )
            found.setdefault((named.product, scope), []).append((named.number, claim))
    for stated in found.values():
        highest = max((number for number, claim in stated if claim.stance == "held"), default=None)
        yield from (claim for number, claim in stated if number == highest)


def compare(one: Claim, other: Claim) -> Dispute | None:
    """Return the dispute between two claims about the newest version of a product; None where both can be true.

    A version that the knowledge base has is no newer than the newest of all; one that stands in a living document is no newer
    than what the knowledge base is said to have. What a later note says of a newer version is news.
    """
    low, high = sorted((one, other), key=lambda claim: _numbered(claim.value))
    low_scope, high_scope = low.value.partition(" ")[0], high.value.partition(" ")[0]
    ranks = ("newest", "kept", "named")
    if {one.stance, other.stance} != {"held"} or _numbered(low.value) == _numbered(high.value):
        return None
    if (low_scope == high_scope == "named") or ranks.index(high_scope) < ranks.index(low_scope):
        return None
    low_day, high_day = (parse_note_name(claim.evidence.note).date for claim in (low, high))
    if low_day and high_day and low_day < high_day:
        return None
    about = next((name for claim in (high, low) if (name := _name_of(claim))), "")
    return Dispute(
        rule="newest-version",
        kind="version",
        about=about or one.subject,
        key=(one.subject, *sorted(claim.value.partition(" ")[2] for claim in (one, other))),
        sides=(as_stated(one), as_stated(other)),
    )


def _stated(hand: Hand, segment: Segment) -> Iterator[tuple[_Scope, Unit, _Named]]:
    if segment.role in ("to_verify", "checked"):
        return
    titled = _titled(segment.title)
    for label, units in by_label(segment.units).items():
        for unit in units if label not in _NOT_HERE else ():
            if unit.kind == "code" or not (all_named := list(_named(folded(unit.text), titled=titled))):
                continue
            until = _kept_until(unit.text, label) if not hand.is_document else 0
            for named in all_named:
                scope = _scope(named, text=unit.text, kept_until=until, is_document=hand.is_document)
                if scope:
                    yield scope, unit, named


def _scope(named: _Named, *, text: str, kept_until: int, is_document: bool) -> _Scope | None:
    is_full = named.is_adjacent and (len(named.number) > 2 or (named.has_mark and named.number[0] == 0))
    if is_document:
        return "named" if is_full else None
    if named.end <= kept_until:
        is_alone = named.says_newest or _ALONE_AFTER.match(folded(text), named.end)
        return "kept" if is_full and is_alone else None
    return "newest" if named.says_newest else None


def _kept_until(text: str, label: str) -> int:
    """Up to where a unit says what the knowledge base has: a relation or a baseline, or a document cited as having it."""
    lacks = _LACKS.search(text)
    end = lacks.start() if lacks else len(text)
    if label == "baseline":
        return end
    is_about_it = label == "relation" or (label in {"source", ""} and bool(cited_documents(text)))
    return end if is_about_it and _HAS.search(text, 0, end + 4) else 0


def _titled(title: str) -> str:
    """The one thing that a heading names, if it names one."""
    words = [
        word
        for word in _NAME.findall(folded(title))
        if (word[0].isupper() or is_distinctive(word)) and not _MARK.fullmatch(word)
    ]
    names = {key: word for word in words if word.lower() not in _NO_PRODUCT and (key := name_key(word))}
    return next(iter(names.values())) if len(names) == 1 else ""


def _named(text: str, *, titled: str) -> Iterator[_Named]:
    """Each version in a folded text with the product that it belongs to, named before it or in the heading above."""
    for version in _VERSION.finditer(text):
        number = tuple(map(int, version["number"].split(".")))
        name = _name_before(text, version.start())
        if name is None and titled and _says_newest(text, version.start(), "", version.end()):
            name = ("", version.start())
        if name is None or _is_other(version, number) or not (product := name_key(name[0] or titled)):
            continue
        start, end = name[1], version.end()
        gap = text[start + len(name[0]) : version.start()]
        if _COMPARED_BEFORE.search(text[max(0, start - 14) : start]) or _COMPARED_AFTER.match(text, end):
            continue
        yield _Named(
            product=product,
            number=number,
            start=start,
            end=end,
            is_adjacent=bool(name[0]) and _BETWEEN.fullmatch(gap) is not None,
            has_mark=bool(version["v"]),
            says_newest=_says_newest(text, start, gap, end) and _is_sure(text, version, number),
        )


def _name_before(text: str, at: int) -> tuple[str, int] | None:
    """The last word before a version that may name a product, where nothing but filling words parts them."""
    low = max(0, at - _REACH)
    for name in reversed(list(_NAME.finditer(text, low, at))):
        word = name.group()
        is_cut = name.start() == low and low > 0 and text[low - 1].isalnum()
        if not is_cut and word.lower() not in _NO_PRODUCT and not _FILLED.fullmatch(word):
            gap = _NEWEST.sub("", text[name.end() : at].removeprefix("'s"), count=1).replace(", ", " ", 1)
            is_fit = _FILLED.fullmatch(gap) and not is_hardware_or_precision(word)
            return (word, name.start()) if is_fit else None
    return None


def _is_other(version: "re.Match[str]", number: tuple[int, ...]) -> bool:
    """Whether a number is a date (24.04, 2026.07) or the like."""
    parts = version["number"].split(".")
    return any(len(part) > 1 and part[0] == "0" for part in parts) or (len(number) == 3 and 1990 < number[0] < 2100)


def _is_sure(text: str, version: "re.Match[str]", number: tuple[int, ...]) -> bool:
    """Whether the form or a word beside it says that a number is a version; 3.3 alone may belong to a model's name."""
    near = text[max(0, version.start() - 24) : version.end() + _REACH]
    return len(number) > 2 or bool(version["v"]) or _VERSION_WORD.search(near) is not None


def _says_newest(text: str, start: int, gap: str, end: int) -> bool:
    if _NEWEST.search(gap):
        return True
    before, after = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    if any(_FILLED.fullmatch(before, word.end()) for word in _NEWEST.finditer(before)):
        return True
    if _APPOSED.match(after):
        return True
    following = _NEWEST.search(after)
    return following is not None and _FILLED.fullmatch(after, 0, following.start()) is not None


def _says(text: str, named: _Named) -> str:
    """The product and its version in the text's words, with the word that says it is the newest where that stands beside."""
    low = max(0, named.start - _REACH)
    before = [
        word for word in _NEWEST.finditer(text, low, named.start) if _FILLED.fullmatch(text, word.end(), named.start)
    ]
    following = _NEWEST.match(text, named.end + 1) or _NEWEST.match(text, named.end)
    start, end = before[-1].start() if before else named.start, following.end() if following else named.end
    end += 2 if following and text.startswith(("发布", "版本"), end) else 0
    end += "(" in text[start:end] and text.startswith(")", end)
    return plain(text[start:end].replace("|", " "))


def _name_of(claim: Claim) -> str:
    return next((word for word in _NAME.findall(claim.says) if name_key(word) == claim.subject), "")


def _written(number: tuple[int, ...]) -> str:
    return ".".join(map(str, (*number, 0)[:3]))


def _numbered(value: str) -> tuple[int, ...]:
    return tuple(map(int, value.partition(" ")[2].split(".")))

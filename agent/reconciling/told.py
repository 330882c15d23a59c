"""A finding ready to be held against others on the same thing: its names, figures and places, and when two are on one thing.

Findings are on one thing where they share a paper or a page, or a named thing in words that they share; a Chinese name is known by
its form. Promises: pure and symmetric; time is linear in a finding.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from agent.checking.dispute import Dispute, Rule, Stated
from agent.checking.headed import HEADING
from agent.checking.metrics import CONCEPT
from agent.checking.stance import stance_of
from agent.reading.identifiers import fold_full_width
from agent.reading.showing import cut, plain
from agent.reconciling.apart import numbered_otherwise
from agent.reconciling.assertions import read_assertions
from agent.reconciling.clauses import clauses_in, topics_in
from agent.reconciling.contrasts import words_of
from agent.reconciling.likeness import knows, words_in_common
from agent.reconciling.telling import passages
from agent.reconciling.traits import Traits, read_traits
from agent.reconciling.values import Value
from agent.records import Claim, ContradictionKind, Evidence, Extraction, Increment

_TITLE = 60  # letters of a title, by which its heading is found
_SAYS = 90
_ALIKE = 0.9  # what words in common add up to where two texts speak of one matter
_MATTER, _MATTER_ABROAD = 1.2, 1.5  # the same, where they speak of one change of it
_SHARED, _PER_HAN = 2.0, 0.5  # words in common, at least, and what a Chinese character counts
_DONE = frozenset(
    [
        "fix",
        "remov",
        "drop",
        "add",
        "support",
        "need",
        "requir",
        "releas",
        "licens",
        *"修复掉移除删去需要求支持加旧新引擎框架",
    ]
)
_FEW_TOPICS = 2
_HAN = "\u3400-\u9fff"
_NAME_HAN = re.compile(
    rf"[《「“\"](?P<quoted>[{_HAN}]{{2,12}})[》」”\"]|(?<![{_HAN}])(?P<named>[{_HAN}]{{2,8}}?)(?:[{_HAN}]{{0,4}})(?=\s?-?[vV]?\d{{1,3}}(?:\.[\dx]{{1,3}}|[BM](?![a-z])))"
)
_KIND_HAN = re.compile(  # what a thing is, behind its name
    r"(?:服务|推理|训练|检索|托管|调度|管理|评测)?(?:框架|引擎|数据库|平台|模型|系统|网关|向量库|工具|云|库|版|公司|基准|编排|调度器|编译器|缓存|助手){1,3}\Z"
)
_NO_NAME_HAN = re.compile(
    r"版本|增量|条目|模型|数据|论文|图表|表|第|约|共|达|为|到|至|从|在|于|超过|平均|提升|下降|降低|减少|增加|步骤|附录|发布|支持|升级|更新|最低|最高|至少|驱动"
)
_OPENING_HAN = re.compile(rf"(?:[{_HAN}]{{2,3}}\s?\d{{0,3}}\s?[::]\s?)?(?:《)?([{_HAN}]{{2}})")
_VERSIONED_NAME = re.compile(r"(?<![A-Za-z])([A-Z][A-Za-z]{2,20})(?= [vV]?\d)|^([A-Z][A-Za-z]{2,20})(?= )")
_SETTING = re.compile(
    r"(?<![A-Za-z0-9.])(?:[A-Z][A-Za-z]{0,15}-?\d{1,4}(?:\.\d)?[A-Za-z]{0,3}|[A-Z][A-Za-z]{2,15} \d{1,2}\.\d{1,2})(?![A-Za-z0-9.]*\d)"
)
_DEVICE = re.compile(
    r"(?<![A-Za-z0-9])(?:[AHBVL]\d{1,3}0?[A-Z]?|L4|T4|L40S?|MI\d{3}X?|RTX ?\d{4}|TPU ?v\d)(?![A-Za-z0-9])"
)
_FIGURES = re.compile(r"(?<![\d.])\d{1,18}(?:\.\d{1,9})?(?![\d]|\.\d)")
_JOINTS = re.compile(r"\s")
_PHASE = re.compile(r"(?P<prefill>预填充|prefill)|(?P<decode>解码|(?<![a-z])decod)", re.IGNORECASE)
_BOUGHT = re.compile(rf"([{_HAN}]{{2,6}}?)(?:宣布|正式|已经?)?(?:收购|买下|并购)了?([{_HAN}]{{2,10}})")
_SMALL = re.compile(r"(?<![A-Za-z])[a-z]{4,20}(?![A-Za-z])")
_NO_OPENINGS = frozenset(
    "source points credibility placement rating stars increment finding item paper docs notes blog three four five with without their they read more less from cold same other after before under only also".split()  # noqa: SIM905  # a list of words reads as words
)
_NO_FIGURE = re.compile(r"(?<![a-z])(?:finding|increment|item|stars?)(?![a-z])|增量|条目|星", re.IGNORECASE)
_FEW = 10
_LACKS = re.compile(
    r"(?:没|未|不)(?:有)?(?:写|提|说|给|标|注|交代|记|披露|公布|列)(?!错)|不明|未知|不详|没有(?:配置|日志|条件|规模)|(?<![a-z])(?:not (?:given|stated|named|say|said|disclosed|specified|write|mentioned|recorded)|unknown|unstated|undisclosed|does(?: not|n't) say|did(?: not|n't) write|nothing about|no (?:benchmark|hardware|settings?|details?|configuration|conditions?) (?:named|given|stated)|nor whether)(?![a-z])",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?<!\d)(?:[01]?\d|2[0-3]):[0-5]\d(?!\d)")


@dataclass(frozen=True)
class Told:
    """A finding with what it shows at a glance."""

    increment: Increment
    traits: Traits
    heading: Evidence | None = None
    ordering: Mapping[int, Sequence[Claim]] = field(default_factory=dict)

    @cached_property
    def orders(self) -> tuple[Claim, ...]:
        """Its claims of who is ahead of whom."""
        return tuple(claim for place in self.places for claim in self.ordering.get(place.start, ()))[:_FEW]

    @cached_property
    def places(self) -> tuple[Evidence, ...]:
        """Its passages, the heading first where it gives figures."""
        return (*([self.heading] if self.heading else []), *passages(self.increment))

    @cached_property
    def text(self) -> str:
        """Title and passages, in half width."""
        return fold_full_width("\n".join((self.increment.title, *(place.quote for place in self.places))))

    @cached_property
    def names(self) -> frozenset[str]:
        """Keys of the things it names, in either script."""
        latin = (name for name in self.traits.names - self.traits.acronyms if len(name) > 2 and name.isascii())
        han = (name[:2] for name in self.traits.names if not name.isascii() and not _NO_NAME_HAN.search(name))
        texts = (self.increment.title, *(source.label for source in self.increment.sources))
        versioned = ((match[1] or match[2]).casefold() for text in texts for match in _VERSIONED_NAME.finditer(text))
        return frozenset((*latin, *han, *_han_names(self.text), *self._openings(), *versioned))

    @cached_property
    def settings(self) -> frozenset[str]:
        """What it was measured on and with: words of letters and digits, devices and models."""
        return frozenset(match.group().casefold() for match in _SETTING.finditer(self.text))

    def _openings(self) -> Iterator[str]:
        """What the title opens with, and every capitalised word that opens a clause and is never written small."""
        opening = _OPENING_HAN.match(fold_full_width(self.increment.title))
        if opening and not _NO_NAME_HAN.search(opening[1]):
            yield opening[1]
        for bought in _BOUGHT.finditer(self.text):
            yield from (bought[1][:2], bought[2][:2], bought[2][-2:])
        small = set(_SMALL.findall(self.text))
        yield from (word for word in self.traits.openings if len(word) > 3 and word not in small | _NO_OPENINGS)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """Its figures, without versions, sizes of models and the numbers of headings."""
        versions = {number for numbers in self.traits.versions.values() for number in numbers}
        return tuple(
            value
            for value in self.traits.values
            if not value.is_model_size
            and not (not value.written[1] and value.amount[1] < _FEW and f"{value.written[0]:g}" in versions)
            and not (
                not value.written[1] and value.amount[1] < _FEW and value.decimals == 1 and self._is_version(value)
            )
            and not _NO_FIGURE.search(value.near)
            and not (not value.written[1] and value.amount[1] < _FEW and _is_name(value.near))
        )

    def _is_version(self, value: Value) -> bool:
        """Whether a number stands right behind a Chinese name, with no metric between."""
        at = self.text.find(f"{value.written[0]:.{value.decimals}f}")
        before = self.text[max(0, at - _FEW) : at].rstrip()
        named = any(name in before for name in self.names if not name.isascii())
        return named and before[-1:] >= "\u3400" and not CONCEPT.search(before)

    @cached_property
    def is_rejecting(self) -> bool:
        """Whether it tells a view in order to reject it."""
        return read_assertions(self.traits.texts).is_rejecting or any(
            stance_of(clause) == "rejected" for clause in clauses_in(self.traits.texts)
        )

    @cached_property
    def clocks(self) -> frozenset[str]:
        """Hours of the day."""
        return frozenset(_CLOCK.findall(self.text))

    @cached_property
    def is_lacking(self) -> bool:
        """Whether it says that conditions are not known."""
        return _LACKS.search(self.text) is not None

    def where(self, said: Iterable[str], numbers: Iterable[str] = ()) -> list[Stated]:
        """The passages that hold one of some wordings or numbers."""
        wordings = {letters_of(one) for one in said} - {""}
        figures = frozenset(numbers)
        return [
            Stated(cut(plain(place.quote), _SAYS), place)
            for place in self.places
            if any(wording in letters_of(place.quote) for wording in wordings)
            or not figures.isdisjoint(_FIGURES.findall(place.quote.replace(",", "")))
        ]


def told_of(extraction: Extraction) -> Iterator[Told]:
    """The findings of a note, each with the heading that it has its title from, and with the orders that it states."""
    headed: dict[str, Evidence] = {}
    ordering: dict[int, list[Claim]] = defaultdict(list)
    for claim in extraction.claims:
        if claim.attribute == HEADING:
            headed.setdefault(letters_of(claim.subject)[:_TITLE], claim.evidence)
        elif claim.kind == "role" and claim.stance == "held" and claim.attribute != "role":
            ordering[claim.evidence.start].append(claim)
    for increment in extraction.increments:
        heading = headed.get(letters_of(increment.title)[:_TITLE])
        yield Told(increment, read_traits(increment), heading, ordering)


def is_one_thing(one: Told, other: Told) -> bool:
    """Whether both are about one source, or about one named thing in words that they share."""
    mine, theirs = one.traits, other.traits
    if is_one_source(one, other):
        return True
    if one.names.isdisjoint(other.names):
        return False
    if mine.is_chinese != theirs.is_chinese:
        topics = [frozenset().union(*map(topics_in, clauses_in(side.texts))) for side in (mine, theirs)]
        return len(topics[0] & topics[1]) >= _FEW_TOPICS
    return words_in_common(mine, theirs) >= _ALIKE


def are_of_other_times(one: Told, other: Told) -> bool:
    """Whether versions, hours or conditions differ that both state: then other figures are no wonder."""
    if one.clocks and other.clocks and one.clocks.isdisjoint(other.clocks):
        return True
    devices = [{_JOINTS.sub("", device.casefold()) for device in _DEVICE.findall(told.text)} for told in (one, other)]
    if all(devices) and devices[0].isdisjoint(devices[1]):
        return True
    phases = [{match.lastgroup for match in _PHASE.finditer(told.text)} for told in (one, other)]
    if all(phases) and phases[0].isdisjoint(phases[1]):
        return True
    leads = one.traits.subject.lead, other.traits.subject.lead
    if all(leads) and not knows(other.traits, leads[0]) and not knows(one.traits, leads[1]):
        return True
    return numbered_otherwise(one.traits, other.traits) is not None


def is_one_source(one: Told, other: Told) -> bool:
    """Whether both are about one paper or page."""
    mine, theirs = one.traits, other.traits
    return not mine.papers.isdisjoint(theirs.papers) or not mine.pages.isdisjoint(theirs.pages)


def _is_name(near: str) -> bool:
    return near[:1].isascii() and near[:1].isupper()


def is_one_matter(one: Told, other: Told) -> bool:
    """Whether two findings speak of one matter, by the words that they share beside names and what is done."""
    mine, theirs = one.traits, other.traits
    if mine.is_chinese != theirs.is_chinese:
        return words_in_common(mine, theirs) >= _MATTER_ABROAD
    names = "".join((*one.names, *other.names))
    both = (words_of(mine.texts) & words_of(theirs.texts)) - _DONE
    weight = sum(1.0 if word.isascii() else _PER_HAN for word in both if word not in names)
    return words_in_common(mine, theirs) >= _MATTER and weight >= _SHARED


def _han_names(text: str) -> Iterator[str]:
    """Names in Chinese, by their form: in quotation marks, or before a version or size."""
    for found in _NAME_HAN.finditer(text):
        name = found["quoted"] or _KIND_HAN.sub("", found["named"])
        if len(name) > 1 and not _NO_NAME_HAN.search(name):
            yield name[:2] if found["named"] else name


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, in half width and lower case."""
    return "".join(char for char in fold_full_width(text).casefold() if char.isalnum())


def disputed(
    rule: Rule,
    kind: ContradictionKind,
    told: tuple[Told, Told],
    sides: tuple[Sequence[Stated], Sequence[Stated]],
    key: Iterable[str],
) -> Dispute | None:
    """Return the dispute of two findings with all places of both sides; None where a side has no place."""
    if not all(sides):
        return None
    said = [Stated(side[0].says, place.evidence) for side in sides for place in side]
    title = min((one.increment.title for one in told), key=len)
    return Dispute(
        rule,
        kind,
        about=title,
        key=(*sorted(told[0].names & told[1].names), *key),
        sides=tuple(said),
        severity="medium" if kind == "conditions" else "high",
        is_question=kind == "conditions",
    )

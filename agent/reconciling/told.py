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
from agent.reading.conditions import canonical_condition, find_conditions
from agent.reading.identifiers import fold_full_width
from agent.reading.quantities import fold
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
    r"(?:服务|推理|训练|检索|托管|调度|管理|评测|重排|嵌入|语音)?(?:框架|引擎|数据库|平台|模型|系统|网关|向量库|工具|云|库|版|公司|基准|编排|调度器|编译器|检索器|缓存|助手){1,3}\Z"
)
_LEAD = re.compile(rf"(?:[{_HAN}]{{2,3}}\s?\d{{0,3}}\s?[::]\s?)?([{_HAN}]{{2,10}})(?=\s?(?:[::,]|[vV]?\d|[A-Z]))")
_LEAD_KIND = re.compile(
    rf"(?<![{_HAN}])([{_HAN}]{{2,4}}?)(?:推理|服务|训练|检索)?(?:框架|引擎|数据库|平台|网关|向量库|编译器|检索器|调度器)"
)
_FIRST_CELL = re.compile(
    rf"^\W{{0,4}}([{_HAN}]{{4,10}})[^·|\n]{{0,12}}[·|](?=[^\n]{{0,80}}[·|])", re.MULTILINE
)  # of a row
_NO_LEAD = re.compile(
    r"增量|条目|发现|来源|官方|厂商|团队|作者|模型|论文|本[周日轮次]|今[日天]|昨|上午|下午|一位|供应商|开源|推理|训练|检索|记录|速览|杂谈|评测|基准|报告|公告|融资|更新|分布式|向量|主流|自研|新一代|这|某|该|各|多"
)
_SIZED = re.compile(r"(?<![A-Za-z0-9])([A-Z][A-Za-z]{3,20})-?\d{1,4}(?:\.\d)?[BM](?![A-Za-z])")
_WEIGHTS, _CODE = (
    re.compile(r"权重|(?<![a-z])weights?(?![a-z])", re.IGNORECASE),
    re.compile(r"代码|(?<![a-z])code(?![a-z])", re.IGNORECASE),
)
_SIZE = re.compile(r"(?<![\d.])\d{1,4}(?:\.\d)?B(?![A-Za-z])")  # of a model, in billions
_TEMPERATURE = re.compile(r"(?:温度|temperature|temp\.)\D{0,6}?(\d(?:\.\d{1,2})?)(?!\d)", re.IGNORECASE)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905  # a list of words reads as words
_DAY = re.compile(
    r"(?<!\d)(?P<month>1[0-2]|0?[1-9]) ?月 ?(?P<day>3[01]|[12]\d|0?[1-9]) ?日|(?<!\d)(?P<first>3[01]|[12]\d|[1-9])(?:st|nd|rd|th)? (?P<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}(?![a-z])"
    r"|(?<![a-z])(?P<named>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? (?P<second>3[01]|[12]\d|[1-9])(?!\d)",
    re.IGNORECASE,
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
    r"(?:没|未|不)(?:有)?(?:写|提|说|给|标|注|交代|记|披露|公布|列|讲|附)(?!错)|回去(?:再)?查|不明|未知|不详|不清楚|没答上|答不上|(?:没有?|未)(?:回复|回答|答复)|没有(?:配置|日志|条件|规模)|(?<![a-z])(?:not (?:given|stated|named|say|said|disclosed|specified|write|mentioned|recorded)|unknown|unstated|undisclosed|(?:do|does|did)(?: not|n't) (?:say|write|know|mention|give|state|tell|remember)|could(?: not|n't) say|without (?:saying|naming|giving)|no word (?:on|about)|nothing about|no (?:benchmark|hardware|settings?|details?|configuration|conditions?) (?:named|given|stated)|nor whether)(?![a-z])",
    re.IGNORECASE,
)
_DISBELIEVES = re.compile(
    r"不认(?:同|账|可)?\Z|不(?:太|敢|能)?(?:相信|信)(?![息任号])|不买账|对不上|(?<![a-z])(?:(?:do|does|did|can|could)(?: not|n't|not) (?:believe|reproduce|confirm)|doubts?(?: it| that)?|disputes|not convinced)(?![a-z])",
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
        heading = (self.heading.quote,) if self.heading else ()
        texts = (self.increment.title, *heading, *(source.label for source in self.increment.sources))
        sized = (match[1].casefold() for text in texts for match in _SIZED.finditer(text))
        versioned = ((match[1] or match[2]).casefold() for text in texts for match in _VERSIONED_NAME.finditer(text))
        return frozenset((*latin, *han, *_han_names(self.text), *self._openings(), *versioned, *sized))

    @cached_property
    def leads(self) -> frozenset[str]:
        """Chinese names that stand out by their form, by which another text is known to be on the same thing."""
        title = fold_full_width(self.increment.title)
        found = [match["quoted"] for match in _NAME_HAN.finditer(self.text) if match["quoted"]]
        found += [_KIND_HAN.sub("", match["named"]) for match in _NAME_HAN.finditer(self.text) if match["named"]]
        opening = _LEAD.match(title)
        found += [_KIND_HAN.sub("", opening[1])] if opening else []
        found += [match[1] for match in _LEAD_KIND.finditer(title)]
        found += [match[1] for match in _FIRST_CELL.finditer(self.text)]
        return frozenset(
            name for name in found if len(name) > 1 and not _NO_LEAD.search(name) and not _NO_NAME_HAN.search(name)
        )

    @cached_property
    def days(self) -> frozenset[tuple[int, int]]:
        """Days that it tells of, as month and day."""
        return days_in(self.text)

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
        clauses = clauses_in(self.traits.texts)
        return read_assertions(self.traits.texts).is_rejecting or any(
            stance_of(clause) == "rejected" or _DISBELIEVES.search(clause) for clause in clauses
        )

    @cached_property
    def clocks(self) -> frozenset[str]:
        """Hours of the day."""
        return frozenset(_CLOCK.findall(self.text))

    @cached_property
    def is_lacking(self) -> bool:
        """Whether it says that conditions are not known."""
        return _LACKS.search(f"{self.text}\n{self.increment.credibility.reason}") is not None

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


def days_in(text: str) -> frozenset[tuple[int, int]]:
    """The days that a text names, as month and day."""
    return frozenset(
        (int(found["month"]), int(found["day"]))
        if found["month"]
        else (
            _MONTHS.index((found["name"] or found["named"])[:3].casefold()) + 1,
            int(found["first"] or found["second"]),
        )
        for found in _DAY.finditer(fold_full_width(text))
    )


def told_of(extraction: Extraction) -> Iterator[Told]:
    """The findings of a note, each with the heading that it has its title from, and with the orders that it states."""
    headed: dict[str, Evidence] = {}
    ordering: dict[int, list[Claim]] = defaultdict(list)
    for claim in extraction.claims:
        if claim.attribute == HEADING:
            if claim.subject:
                headed.setdefault(letters_of(claim.subject)[:_TITLE], claim.evidence)
        elif claim.kind == "role" and claim.stance == "held" and claim.attribute != "role":
            ordering[claim.evidence.start].append(claim)
    inner = [claim.evidence for claim in extraction.claims if claim.attribute == HEADING and not claim.subject]
    starts = [min((place.start for place in passages(one)), default=-1) for one in extraction.increments]
    for increment, start in zip(extraction.increments, starts, strict=True):
        heading = headed.get(letters_of(increment.title)[:_TITLE]) or _right_above(start, inner, starts)
        yield Told(increment, read_traits(increment), heading, ordering)


def _right_above(start: int, headings: Sequence[Evidence], starts: Sequence[int]) -> Evidence | None:
    """The last heading above a finding without a title of its own, where no other finding begins between."""
    above = [heading for heading in headings if heading.start < start]
    last = max(above, key=lambda heading: heading.start, default=None)
    return None if last is None or any(last.start < other < start for other in starts) else last


def is_one_thing(one: Told, other: Told) -> bool:
    """Whether both are about one source, or about one named thing in words that they share."""
    mine, theirs = one.traits, other.traits
    if is_one_source(one, other):
        return True
    if one.names.isdisjoint(other.names) and not share_lead(one, other):
        return False
    if mine.is_chinese != theirs.is_chinese:
        topics = [frozenset().union(*map(topics_in, clauses_in(side.texts))) for side in (mine, theirs)]
        both, lead = topics[0] & topics[1], mine.subject.lead
        return len(both) >= _FEW_TOPICS or (bool(both) and bool(lead) and lead == theirs.subject.lead)
    return words_in_common(mine, theirs) >= _ALIKE


def share_lead(one: Told, other: Told) -> bool:
    """Whether a text names what stands out in the other by its form."""
    return any(lead in other.text for lead in one.leads) or any(lead in one.text for lead in other.leads)


def is_one_model(one: Told, other: Told) -> bool:
    """Whether both name one model with its size, and one of them opens with it."""
    both = {match.group().casefold() for match in _SIZED.finditer(one.text)}
    both &= {match.group().casefold() for match in _SIZED.finditer(other.text)}
    return len(both) == 1 and any(told.text.casefold().startswith(tuple(both)) for told in (one, other))


def are_code_and_weights(one: Told, other: Told) -> bool:
    """Whether one text speaks of a model's weights alone and the other of its code."""
    sides = [(bool(_WEIGHTS.search(told.text)), bool(_CODE.search(told.text))) for told in (one, other)]
    return sides in ([(True, False), (False, True)], [(False, True), (True, False)])


def are_of_other_times(one: Told, other: Told) -> bool:
    """Whether versions, sizes of models, hours or conditions differ that both state: then other figures are no wonder."""
    if one.clocks and other.clocks and one.clocks.isdisjoint(other.clocks):
        return True
    devices = [{_JOINTS.sub("", device.casefold()) for device in _DEVICE.findall(told.text)} for told in (one, other)]
    if all(devices) and devices[0].isdisjoint(devices[1]):
        return True
    sizes = [set(_SIZE.findall(told.text)) for told in (one, other)]
    if all(sizes) and sizes[0].isdisjoint(sizes[1]):
        return True
    phases = [{match.lastgroup for match in _PHASE.finditer(told.text)} for told in (one, other)]
    if all(phases) and phases[0].isdisjoint(phases[1]):
        return True
    leads = one.traits.subject.lead, other.traits.subject.lead
    if all(leads) and not knows(other.traits, leads[0]) and not knows(one.traits, leads[1]):
        return True
    return numbered_otherwise(one.traits, other.traits) is not None


def are_set_otherwise(one: Told, other: Told) -> bool:
    """Whether both state how much at once, how hot, or how long the input was, and not the same."""
    settings = [_set_to(told.text) for told in (one, other)]
    return any(settings[0][kind].isdisjoint(settings[1][kind]) for kind in settings[0].keys() & settings[1].keys())


def _set_to(text: str) -> dict[str, set[str]]:
    folded, found = fold(text), defaultdict[str, set[str]](set)
    for kind, spans in find_conditions(folded).items():
        if kind in {"batch", "concurrency", "context"}:
            found[kind].update(canonical_condition(kind, folded[start:end]) for start, end in spans)
    for temperature in _TEMPERATURE.finditer(folded):
        found["temperature"].add(f"{float(temperature[1]):g}")
    return found


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

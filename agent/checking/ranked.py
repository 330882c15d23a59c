"""Rankings and comparisons of things of which each was measured under a condition of its own: a question, not a contradiction.

Promises: only figures of one unit, each of another thing and with its own condition beside it, under a conclusion that compares
them; where the text says itself that they cannot be compared there is nothing to ask. Pure; time is linear in the text.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agent.checking.dispute import Dispute, Hand, Stated
from agent.reading.quantities import fold
from agent.reading.showing import as_evidence, cut, plain
from agent.texts import Segment, Unit

_SAYS = 90
_FEWEST = 2
_SHOWN = 3  # places that conclude
_MOST = 40  # figures of one text that are looked at
_ENTRY = re.compile(
    r"(?P<name>[^\d\s|;:,、。()][^|;:,、。()\n]{0,40}?)\s?(?<![\w.,])(?P<number>\d[\d,]{0,12}(?:\.\d{1,6})?)(?P<unit>[^\d|;,、。()\n]{0,16})\((?P<given>[^()\n]{2,40})\)"
)
_CONDITION = re.compile(
    r"副本|批|pass@|best of|采样|温度|\d ?步|步上限|并发|输入|输出|上下文|[单双两三四八多\d] ?[卡机张路]|节点|量化|缓存|冷|热|工具|零样本|少样本|思考"
    r"|(?<![a-z])(?:fp|bf|int)\d{1,2}|(?<![a-z])(?:batch|shots?|tokens?|prompts?|steps?|concurren\w{1,3}|replicas?|nodes?|gpus?|cards?|cores?|threads?|cached?|warm|cold|thinking|tools?|greedy|temperature|quanti[sz]ed)(?![a-z])"
    r"|(?<![A-Za-z])(?:[AHBVL]\d{1,3}0?[A-Z]?|L40S?|T4|MI\d{3}X?|RTX ?\d{4}|TPU)(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"排名|名次|排行|第一(?![次轮步个条批])|最[快好佳优高低省强慢]|最便宜|便宜|更[快好省强优高低慢]|领先|胜出|优于|不如|提速|加速|[快慢高低多少省] ?(?:了|约|近)?\d"
    r"|(?<![a-z])(?:best|fastest|cheapest|slowest|strongest|ranks?|ranking|ranked|faster|slower|cheaper|better|beats|outperforms?|wins|winner|leads|ahead of)(?![a-z])",
    re.IGNORECASE,
)
_RANKS = re.compile(r"排名|名次|排行|(?<![a-z])(?:rank(?:s|ing|ed)?)(?![a-z])", re.IGNORECASE)
_AWARE = re.compile(
    r"(?:条件|环境|配置|硬件|设置|口径)(?:各?不同|不一|不统一|有别|各异)|(?:不能|不可|不宜|无法|难以)(?:直接)?(?:比|横比|对比|相比|类比)|仅供参考|不具可比性|同等条件|相同条件"
    r"|(?<![a-z])(?:not (?:directly )?comparable|cannot be compared|can't be compared|(?:different|other|differing|same) (?:hardware|settings?|conditions?|setups?))(?![a-z])",
    re.IGNORECASE,
)
_SETUP = re.compile(
    r"条件|环境|配置|硬件|设置|设定|测于|测试方式|(?<![a-z])(?:measured|setup|settings?|conditions?|hardware|environment|config\w{0,7}|tested|test bed)(?![a-z])",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\s?[~≈]?\$?\d[\d,]{0,12}(?:\.\d{1,6})?\s?(?P<unit>[^\d\s]{1,12})?\s?")
_LETTERS = re.compile(r"[\W_]+")
_HAN_PAIR = re.compile("[\u3400-\u9fff]{2}")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9-]{2,30}")
_BAR = re.compile(r"(?<!\\)\|")


class _Entry(NamedTuple):
    unit: Unit
    name: str
    measured: str
    given: str


def disputes(hand: Hand) -> Iterator[Dispute]:
    """Yield a question for each comparison of figures that were taken under conditions of their own."""
    for segment in hand.segments if not hand.is_document else ():
        if segment.role == "to_verify" or any(_AWARE.search(fold(unit.text)) for unit in segment.units):
            continue
        for entries, concluding in (*_listed(segment), *_tabled(segment)):
            yield _asked(hand, entries, concluding)


def _asked(hand: Hand, entries: Sequence[_Entry], concluding: Sequence[Unit]) -> Dispute:
    units = {unit.start: unit for unit in (*concluding, *(entry.unit for entry in entries))}
    names = sorted({_key(entry.name) for entry in entries})
    return Dispute(
        rule="ranked-across",
        kind="conditions",
        about=", ".join(plain(entry.name).strip(" *-•·") for entry in entries[:3]),
        key=(hand.note.agent, *names, *sorted({_key(entry.given) for entry in entries})),
        sides=tuple(Stated(cut(plain(unit.text), _SAYS), as_evidence(hand.note, unit)) for unit in units.values()),
        is_question=True,
    )


def _listed(segment: Segment) -> Iterator[tuple[Sequence[_Entry], Sequence[Unit]]]:
    """Figures with their conditions in brackets, and what concludes from them."""
    found: dict[str, list[_Entry]] = defaultdict(list)
    for unit in segment.units:
        if unit.kind in {"code", "row", "rule"}:
            continue
        for match in _ENTRY.finditer(fold(unit.text)):
            entry = _Entry(unit, match["name"], _key(match["unit"]), match["given"])
            found[entry.measured].append(entry)
    for entries in found.values():
        if not _FEWEST <= len(entries) <= _MOST or not _are_unlike(entries):
            continue
        own = {entry.unit.start for entry in entries}
        told = [unit for unit in segment.units if unit.start not in own]
        concluding = [unit for unit in told if _concludes(fold(unit.text), entries)][:_SHOWN]
        if concluding:
            yield entries, concluding


def _tabled(segment: Segment) -> Iterator[tuple[Sequence[_Entry], Sequence[Unit]]]:
    """Rows of a ranking whose conditions have a column of their own."""
    rows = [(unit, _cells(unit)) for unit in segment.units if unit.kind == "row"]
    header = next((cells for _, cells in rows if any(map(_SETUP.search, cells))), None)
    if header is None:
        return
    place = next(at for at, cell in enumerate(header) if _SETUP.search(cell))
    entries = [
        _Entry(unit, _named(cells), measured, cells[place])
        for unit, cells in rows
        if cells is not header and len(cells) == len(header) and (measured := _measured(cells, place))
    ]
    alike = [entry for entry in entries if entry.measured == entries[0].measured]
    if not _FEWEST <= len(alike) <= _MOST or not _are_unlike(alike):
        return
    own = {unit.start for unit, _ in rows}
    told = [unit for unit in segment.units if unit.start not in own and unit.kind != "code"]
    told = [segment.heading, *told] if segment.heading else told
    concluding = [unit for unit in told if _concludes(fold(unit.text), alike)][:_SHOWN]
    if not concluding and any(map(_RANKS.search, header)):
        concluding = [*told[:1], alike[0].unit]
    if concluding:
        yield alike, concluding


def _cells(unit: Unit) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in _BAR.split(fold(unit.text).strip().strip("|")))


def _named(cells: Sequence[str]) -> str:
    return next((cell for cell in cells if _LATIN.search(cell) or _HAN_PAIR.search(cell)), "")


def _measured(cells: Sequence[str], without: int) -> str:
    """The unit of the first cell that is a figure with a unit."""
    for at, cell in enumerate(cells):
        figure = _FIGURE.fullmatch(cell)
        if at != without and figure and figure["unit"]:
            return _key(figure["unit"]) or figure["unit"]
    return ""


def _are_unlike(entries: Sequence[_Entry]) -> bool:
    """Whether each figure is of another thing, and they were taken under conditions that are not all the same."""
    names = {_key(entry.name) for entry in entries}
    given = {_key(entry.given) for entry in entries}
    is_given = all(_CONDITION.search(entry.given) for entry in entries)
    return is_given and len(names) == len(entries) and "" not in names and len(given) > 1


def _concludes(folded: str, entries: Sequence[_Entry]) -> bool:
    """Whether a text compares, and speaks of the things that the figures are of."""
    if not _CONCLUDES.search(folded):
        return False
    names = [
        word for entry in entries for word in (*_LATIN.findall(entry.name), *_HAN_PAIR.findall(entry.name.strip()[-2:]))
    ]
    return _RANKS.search(folded) is not None or any(name in folded for name in names)


def _key(text: str) -> str:
    return _LETTERS.sub("", text.casefold())

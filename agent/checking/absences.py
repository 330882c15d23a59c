"""That a relay agent delivered nothing, or nothing on a topic, while its note of that day is there.

Promises: a note about something else refutes nothing, nor does a note that speaks of its own agent's other notes; the time of
day is left aside, since a note that came later makes the statement outdated all the same. Nothing raises; time is linear.
"""

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.checking.dispute import Dispute, Hand, Stated, as_stated
from agent.checking.stance import stance_in
from agent.reading.quotations import folded
from agent.reading.showing import as_evidence, cut
from agent.reading.statements import SaidOfAgent, said_of_agents
from agent.records import Claim, Evidence
from agent.texts import Role, Segment, Unit

_SAYS = 120
_REACH = 48  # characters behind the verb in which what is missing is named
_BEFORE = 16  # characters before the name in which the day is
_TOP = 12  # units at the top of a note in which it says who wrote it
_SIGNED = re.compile(
    r"(?:执行人|作者|撰写人?|署名|整理人?|记录人?|author|written by|compiled by|prepared by|\bagent|\bby)[*_ ]{0,3}[:：]?[*_ ]{0,3}"
    r"(?P<agent>[A-Za-z][A-Za-z0-9_-]{0,30})",
    re.IGNORECASE,
)
_BARE_HEADING = re.compile(
    r"[\s#*_>-]{0,12}(?:增量|条目|发现|increment|finding|item)?[ 第]{0,2}(?:\d{1,3}|[一二三四五六七八九十]{1,3})?[\s条:：.、*_]{0,6}",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"(?<![\d.:/-])(?:(?P<year>20\d{2})[-/.年])?(?P<month>\d{1,2})(?:[-/]| ?月 ?)(?P<day>\d{1,2})(?: ?日)?(?![\d.:%×xX]|[-/]\d)"
)
_MONTHS = "january february march april may june july august september october november december".split()  # noqa: SIM905  # as below
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_DAY_IN_WORDS = re.compile(
    rf"\b(?:(?P<first>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<after>{_MONTH})|(?P<before>{_MONTH}) (?P<last>\d{{1,2}})(?:st|nd|rd|th)?)\b(?:,? (?P<year>20\d{{2}}))?",
    re.IGNORECASE,
)
_YESTERDAY = re.compile(r"昨日|昨天|昨晚|\byesterday\b", re.IGNORECASE)
# Said of more than one day, or of the time after one.
_PERIOD = re.compile(
    r"[近最连][日几续近]|近 ?\d|[一二两三四五六七八九十几数\d] ?天|本周|上周|每[日天]|以来|之?后|(?<!一)起|再|\b(?:since|after|lately|again|anymore|any more|weeks?|days|ever|never)\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"[,;。!?\n()=:]|\.(?=\s|\Z)|[—–]|(?<=\s)[-·](?=\s)|延续|\b(?:due to|because|but|so|as|and)\b", re.IGNORECASE
)
_BRACKETED = re.compile(r"\([^()\n]{0,200}\)")
_OR = re.compile(r"[/、|]|\bor\b|\bnor\b|或", re.IGNORECASE)
_DOCUMENT = re.compile(r"[\w-]\.md\b|活文档|living document|knowledge base|知识库", re.IGNORECASE)
# Behind these words stands no object: what is missing was named before.
_VERB_LAST = re.compile(
    r"(?:缺失|缺席|缺位|缺棒|缺稿|断更|漏发|missing|absent|overdue|late|(?:无|没有|未见)[^,;。\n]{0,30}(?:发布|产出))\Z",
    re.IGNORECASE,
)
_UPDATED = re.compile(r"更新\Z")
_WORD = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9]{0,30}")
# What any baton is, and the words around it.
_PLAIN = frozenset(
    """a an the any no not t n has had have did does do was is were yet new own today tonight s of for on in its from by this that
    brief briefs note notes report reports file files baton delivery delivered output update missing absent late overdue
    independent published issued filed submitted wrote written publish issue file deliver submit write report drop dropped
    left inbox yesterday all at to with separate single standalone dedicated been it there still
    empty nothing handed hand sent send file files day folder came come arrived arrive stayed remained""".split()  # noqa: SIM905  # a list of words reads as words
)
_PLAIN_CHINESE = re.compile(
    r"当[日天]|为空|是空|今日|今天|今晚|全天|本日|昨日|昨天|独立|单独|任何|专项|主题|日间|预消化|简报|简讯|笔记|报告|文件|内容|产出|发布|提交|交付|更新|给出|发出|增量|收件箱"
    r"|没有|尚未|缺失|缺席|缺位|缺棒|缺稿|断更|漏发|按时|如期|未见|未收到|截至|目前|[的棒稿交未没缺无尚还仍并均能也都有新篇份件条一个这该其在与当年月日]"
)
_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_OVERVIEWS: frozenset[Role] = frozenset({"head", "summary", "conclusion"})

_Position = tuple[str, str, str]  # agent, what is missing, day


@dataclass(frozen=True, slots=True)
class Present:
    """A note that is there; `opening` is where it says who wrote it."""

    path: str
    agent: str
    day: dt.date
    topic: str | None
    slug: str
    opening: Evidence


def claims(hand: Hand) -> Iterator[Claim]:
    """Yield what the text says that agents did not deliver, one claim for each thing; "" stands for any note at all.

    What the head, the summary or the conclusion repeat is left out.
    """
    found: dict[_Position, list[tuple[Segment, Unit, SaidOfAgent]]] = defaultdict(list)
    spoken = ((part, unit) for part in hand.segments for unit in part.units if unit.kind != "code")
    for segment, unit in spoken:
        for said in said_of_agents(unit.text, agents=hand.agents):
            for missing, day in _missing(unit.text, said, hand.note.date) if said.deed == "missing" else ():
                places = found[said.agent.casefold(), missing, day.isoformat()]
                if not places or places[-1][1] is not unit:
                    places.append((segment, unit, said))
    for position, places in found.items():
        proper = [place for place in places if place[0].role not in _OVERVIEWS]
        for _, unit, said in proper or places:
            yield _claim(hand, unit, said, position)


def _claim(hand: Hand, unit: Unit, said: SaidOfAgent, position: _Position) -> Claim:
    subject, attribute, value = position
    says = unit.text[said.start : _end_of_clause(folded(unit.text), said)]
    return Claim(
        kind="absence",
        subject=subject,
        attribute=attribute,
        value=value,
        stance=stance_in(unit.text, said.start, said.end),
        says=cut(" ".join(says.split()), _SAYS),
        evidence=as_evidence(hand.note, unit),
    )


def refuted(claim: Claim, notes: Sequence[Present]) -> Dispute | None:
    """Return the dispute of a claim that something is missing with the agent's notes of that day which are just that.

    A note says of its own agent that nothing else came, or that it comes late: it does not refute itself.
    """
    if claim.kind != "absence" or claim.stance != "held":
        return None
    there = [note for note in notes if note.path != claim.evidence.note and _is_it(note, claim)]
    if not there:
        return None
    there.sort(key=lambda note: note.path)
    slugs = tuple(dict.fromkeys(note.slug.casefold() for note in there))
    return Dispute(
        rule="said-missing",
        kind="coverage",
        about=" ".join((claim.subject, *slugs, claim.value)),
        key=(claim.subject, claim.value, *slugs),
        sides=(as_stated(claim), *(Stated(note.path.rpartition("/")[2], note.opening) for note in there)),
        severity="high",
    )


def opening(hand: Hand) -> Evidence:
    """Return the unit in which a note says who wrote it, else its first one that says anything."""
    units = [unit for segment in hand.segments for unit in segment.units]
    if not units:
        return Evidence(note=hand.note.path, start=0, end=0, quote="", line=1)
    agent = hand.note.agent.casefold()
    top = [unit for unit in units[:_TOP] if unit.kind not in {"code", "rule"}]
    signed = (unit for unit in top if (by := _SIGNED.search(unit.text)) and by["agent"].casefold() == agent)
    named = (unit for unit in top if agent in {word.casefold() for word in _WORD.findall(unit.text)})
    telling = (unit for unit in top if not _BARE_HEADING.fullmatch(unit.text))
    return as_evidence(hand.note, next(signed, None) or next(named, None) or next(telling, units[0]))


# --- what is missing, and when ----------------------------------------------------------------------------------------


def _end_of_clause(plain: str, said: SaidOfAgent) -> int:
    """Return where the clause ends that names what is missing; directly behind the verb where that takes no object."""
    if _VERB_LAST.search(plain, said.start, said.end):
        return said.end
    end = _CLAUSE_END.search(plain, said.end, said.end + _REACH)
    return end.start() if end else min(len(plain), said.end + _REACH)


def _missing(text: str, said: SaidOfAgent, today: dt.date) -> list[tuple[str, dt.date]]:
    """Return what is said to be missing, with the day; nothing where it is said of a time longer than that, or of a document."""
    plain = folded(text)
    before = plain[max(0, said.start - _BEFORE) : said.start]
    before = before[max((end.end() for end in _CLAUSE_END.finditer(before)), default=0) :]
    clause = _BRACKETED.sub(" ", plain[said.start : _end_of_clause(plain, said)])
    day = _day_of(clause, before, today)
    if day is None or _PERIOD.search(before + clause) or _DOCUMENT.search(clause):
        return []
    things = [_key(piece, said.agent) for piece in _OR.split(clause)]
    things = [thing for thing in dict.fromkeys(things) if thing]
    if not things and _UPDATED.search(plain[said.start : said.end]):
        return []
    return [(thing, day) for thing in things or [""]]


def _day_of(clause: str, before: str, today: dt.date) -> dt.date | None:
    """Return the day that a clause, or what leads to it, names; the note's own where it names none, None for an impossible one."""
    match = _DAY.search(clause) or _DAY.search(before)
    worded = _DAY_IN_WORDS.search(clause) or _DAY_IN_WORDS.search(before)
    if match is None and worded is not None:
        return _day_in_words(worded, today)
    if match is None:
        return today - dt.timedelta(days=1) if _YESTERDAY.search(before + clause) else today
    try:
        return dt.date(int(match["year"] or today.year), int(match["month"]), int(match["day"]))
    except ValueError:
        return None


def _day_in_words(match: "re.Match[str]", today: dt.date) -> dt.date | None:
    name = (match["after"] or match["before"]).casefold()
    month = next(number for number, whole in enumerate(_MONTHS, 1) if whole.startswith(name[:3]))
    try:
        return dt.date(int(match["year"] or today.year), month, int(match["first"] or match["last"]))
    except ValueError:
        return None


def _key(piece: str, agent: str) -> str:
    """Return what a piece names as folded words: the Latin ones, and those Chinese ones that say more than that it is a note."""
    words = [word.casefold() for word in _WORD.findall(_DAY_IN_WORDS.sub(" ", piece))]
    chinese = "".join(_CHINESE.findall(_PLAIN_CHINESE.sub("", _DAY.sub(" ", piece))))
    named = [word for word in words if word not in _PLAIN and word != agent.casefold()]
    return " ".join([*dict.fromkeys(named), *([chinese] if chinese else [])])


def _is_it(note: Present, claim: Claim) -> bool:
    """Whether a note is what a claim says to be missing: of that agent and day, with all its words in slug or topic."""
    if note.agent.casefold() != claim.subject or note.day.isoformat() != claim.value:
        return False
    there = {word.casefold() for word in _WORD.findall(f"{note.slug} {note.topic or ''}".replace("_", " "))}
    return all(word in there or _begins_one(word, there) for word in claim.attribute.split())


def _begins_one(word: str, there: set[str]) -> bool:
    """Whether a word that ends in a digit begins another one, as "e1" does "e1prep"."""
    return word[-1].isdigit() and any(other.startswith(word) and other[len(word)].isalpha() for other in there - {word})

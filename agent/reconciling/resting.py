"""Reads what one increment says that it rests on: notes, papers, pages, releases, and files that nobody can find.

What a note's writer measured itself does not rest on the paper, page or release that it is about; what a third party measured
rests on where it stands. Who tells of a release that nobody measured rests on what its makers said: a release is a product's
name with a version, and no score, price, licence, or model that something ran with.

A measurement is what a note claims in its own words. What it denies ("没有复现"), could do ("可复现"), advises, asks or quotes is
none, and what the makers measured themselves is told. In doubt nobody measured: that makes origins fewer.

A paper that is only compared with ("2.4x faster than RowAttention, arXiv:...") is nothing to rest on, and the front page of a
product is a weak sign: whoever measures it names it.

Promises: one thing has one name in every spelling; time is linear in the increment.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

from agent.reading.conditions import find_conditions
from agent.reading.identifiers import find_arxiv
from agent.reading.naming import name_key, named_in
from agent.records import Descended, Increment

_FILE = re.compile(r"(?<![\w.-])[\w.-]{1,200}\.md\b")
_LOOSE = re.compile(  # "7-27-1100 engineering-filter": how notes name notes without their file's full name
    r"(?:\d{4}-)?\d{1,2}[-/月]\d{1,2}日?[-T _](?:\d{2}:?\d{2}[-_ ])?[a-z][a-z0-9]{0,40}(?:[-_.][a-z0-9]{1,40}){0,12}"
)
_TRACKING = re.compile(r"(?:utm_\w{1,40}|fbclid|gclid|spm)=")
_CODE_HOSTS = ("github.com", "gitlab.com", "gitee.com", "huggingface.co", "modelscope.cn")
_INDEX = re.compile(r"/(?:index\.(?:html?|php))?\Z")

_VERSION = r"[0-9]{1,3}\.[0-9]{1,3}(?:\.[0-9]{1,3})?(?![0-9.]|\s?(?:[×x%‰倍万亿个]|分(?![一二三四五六七八九十成为])|[kKMGT]?i?[Bb](?:ps|/s)?\b|m?s\b|points?\b|percent|tok|h\b))"
_RELEASE_WORD = r"(?:releas|version|put out|ships|发布|版本|新版|升级到)"
_TOLD_BY = re.compile(_RELEASE_WORD)
_RELEASED = re.compile(
    rf"(?<![A-Za-z0-9.-])(?P<name>[A-Z][A-Za-z0-9-]{{1,30}}|[a-z]{{1,12}}[A-Z][A-Za-z0-9-]{{1,20}})\s?(?P<marked>[vV]?)(?P<beside>{_VERSION})"
    rf"(?P<after>\s?{_RELEASE_WORD})?"
    rf"|{_RELEASE_WORD}[^0-9\n。；;]{{0,16}}(?P<told>{_VERSION})",
)
_SCORE = 20  # from which on two numbers with a point between them are a score sooner than a version, where nothing else tells
_NO_PRODUCTS = frozenset(  # what stands before such numbers and ships no release: metrics, currencies, licences, days
    """auc mrr map ndcg bleu rouge ppl mse rmse mae snr pue roi acc em iou usd eur cny rmb jpy gbp apache gpl agpl lgpl mpl bsd cc
    january february march april may june july august september october november december monday tuesday wednesday thursday
    friday saturday sunday one two three table figure section chapter appendix step part level""".split()  # noqa: SIM905  # a list of words reads as words
)

_OWN = re.compile(  # what says that somebody measured himself: the writer, unless somebody else is named before it
    r"自测|自跑|自己(?:实?测|跑|复现|复测)|(?:我们?|本机|亲自|亲手|自行)(?:又|也|再|都|先|另外)?(?:实测|测|跑|复测|复现)|(?:本地|本组)(?:实测|测得|复测|复现)"
    r"|\b(?:own|my|our) (?:\w{1,12} )?(?:re-?runs?|runs?|tests?|measurements?)\b(?! (?:suites?|sets?|data))"
    r"|\b(?:my|our) own (?:\w{1,12} )?(?:machines?|benchmarks?)\b"
    r"|\b(?:we|I)(?:'ve| have)? (?:also |then |just |later )?(?:ran|measured|tested|timed|re-?ran|reproduced|benchmarked|profiled)\b"
    r"|\bran it myself\b|\b(?:reproduced|measured) (?:it )?(?:here|locally)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"自己|本机|实测|亲测|在[^，。；;,\n]{1,16}(?:上|里)(?:实测|独立)"
)  # the writer's, behind the writer's name
_CHECKED = re.compile(  # by somebody, who is neither the makers nor surely the writer
    r"(?:独立|第三方)(?:第三方|独立|机构|团队)?的?(?:评测|测试|测量|验证|复现|复测|实测|跑)|复测"
    r"|复现(?:了|出|过|到|成功|一致|数字|结果|[:：])|(?:两|三|多|[0-9])(?:个|家|位)?(?:机构|团队|人|方|小组)(?:都|均|已)?(?:独立)?复现"
    r"|(?:社区|网友|用户|读者)(?:自测|自跑|实测)"
    r"|\b(?:independent(?:ly)?|third[- ]part(?:y|ies))[- ](?:\w{1,20} ){0,2}"
    r"(?:(?:measur|reproduc(?!ib)|replicat|verif|validat|test|benchmark|evaluat|confirm)\w{0,8}\b(?! (?:sets?|splits?|data\b))|re-?r[au]ns?\b|runs?\b|ran\b|labs?\b)"
    r"|\b(?:measured|replicated|confirmed|verified|tested) (?:independently\b|by (?:an? |the )?(?:third|independent|outside|other)\b)"
    r"|\breproduced\b(?! (?:from|with permission))|\bre-?ran\b|\b(?:a|the|one|second|two|another|community) re-?runs?\b|\bre-?run (?:by|on|at) ",
    re.IGNORECASE,
)
_MAY_CLAIM = re.compile(  # quick, so that most texts are looked at once and no further
    r"[测跑评验]|复现|独立|第三方|(?<![A-Za-z])(?:[Oo]wn|[Mm]y|[Oo]ur|[Ww]e|I|[Rr]an|[Rr]e-?r[au]n|[Rr]eprod|[Mm]easured|[Rr]eplic|[Cc]onfirmed|[Vv]erified|[Tt]ested"
    r"|[Ii]ndependent|[Tt]hird)|自己|本机|亲"
)
_CLAUSE_START = re.compile(r"[\n，,;。；:：!！?？()（）|]|\.\s")
_GOVERNED = 40  # characters before a claim in which its own clause denies it, or gives it to somebody else
_FIRST_PERSON = re.compile(r"我|(?:my|our|we|I)\b", re.IGNORECASE)
_AS_AUTHOR = re.compile(  # where "we" are the authors, copied
    r"\b(?:in )?this (?:paper|work|study|report)\b|\bwe (?:propose|introduce|present|show that|describe)\b|\babstract\b|本文|摘要",
    re.IGNORECASE,
)
_MAKERS = re.compile(
    r"(?<![按用照依同比与和对拿])(?:作者|项目方|厂商|厂家|官方|公司|卖方|开发商|维护者|原文|论文|他们|她们|对方|社区|网友|用户|读者|(?<!尤)其(?![实他中余]))(?:在|的|对|于|用)?[^的]{0,8}\Z"
    r"|(?:\b(?:their|its|his|her|the authors?|authors|vendors?|makers?|company|team|developers?|maintainers?|they)\b|['’]s?(?= ))[^.]{0,20}\Z",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:未|没|无(?![损论缝])|非(?!常)|不(?![仅但只过断同])|缺|尚|待|若|如果|是否|难以|需(?!求)|(?<![响对相反供])应(?![用答]))[^。]{0,10}\Z"
    r"|(?:可(?![信靠观])|(?<![性功智节效])能(?![力耗效])|请|想|拟|建议|计划|准备|打算)[^。]{0,4}\Z|(?:将|会|要)\Z"
    r"|(?:\b(?:no|not(?! only)|never|without|nobody|none|nor|neither|cannot|until|unless|if|whether|lack(?:s|ing)?|await(?:s|ing)?|pending|needs?"
    r"|can|could|may|might|should|must|will|would|hop(?:e|es|ing)|plan(?:s|ned)?)\b|n['’]t\b)[^.]{0,30}\Z"
    r"|\bto (?:be )?(?:\w{1,12}ly )?\Z",
    re.IGNORECASE,
)
_DENIED_BEHIND = re.compile(
    r"(?:仍|还|尚|都|均)(?:缺|未|没|待)|待(?:补|做|定)|未(?:做|完成)|没做|不(?:了|出|成)|性|(?:数据|结果)?缺失|(?:的)?(?:脚本|命令|步骤|代码|指南|包|门槛|难度|成本|条件|计划)"
    r"|[:：]\s?(?:无|没有|未|否|no\b|none\b)"
    r"|(?: \w{1,20}){0,2} (?:is |are |was )?(?:missing|lacking|pending|needed|planned|welcome|impossible|not (?:done|available|possible)|scripts?|commands?|guide|steps)\b",
    re.IGNORECASE,
)
_ADVISED = re.compile(
    r"[\s\-*+•·>#\d.)）⚠️❓【\[]{0,12}(?:(?:核实|核验|验证|复核)(?:建议|方法|方式)|建议(?!归入)|待(?:核实|验证)|下一步|to (?:verify|check|do)\s?[:：]|how to verify|open questions?|next\b)",
    re.IGNORECASE,
)
_ASKED = re.compile(r"[^。.!！\n?？]{0,60}[?？]")
_QUOTED = re.compile(r"“[^“”\n]{1,300}”|「[^「」\n]{1,300}」|\"[^\"\n]{1,300}\"|^\s{0,3}>[^\n]{0,2000}", re.MULTILINE)
_OTHERS = frozenset({"paper", "page", "release"})
_TELLING = 6  # passages of an increment that are looked at for releases
_NAMING = 2  # names that a version told apart from them can belong to
_SHORT = 300  # characters of each
_RAN_WITH = ("model", "hardware", "precision", "dataset")

_BEFORE = 60  # characters before an identifier that can say that it is compared with
_AFTER = 24
_COMPARED = re.compile(
    r"(?:\b(?:vs\.?|versus|than|against|unlike|baselines?|compared (?:to|with)|relative to|contrary to|in contrast to)"
    r"|对比|相比|相较|对照|不同于|区别于|优于|超过|胜过|快于|慢于|高于|低于|基线|(?<![占同环性对])比)(?:[^。；;!?！？\n.]|\.(?=\S)){0,60}\Z",
    re.IGNORECASE,
)
_AS_BASELINE = re.compile(
    r"[）)\]\s]{0,3}(?:as (?:a |the )?|作为|为|是)?(?:baseline|reference point|基线|对照)", re.IGNORECASE
)


class Basis(NamedTuple):
    """One thing that an increment rests on: `on` is a note's path, an arXiv ID, an address, a release or a file's name.

    It is empty where something is retold from nobody knows where.
    """

    how: Descended
    on: str


def bases(increment: Increment, *, with_releases: bool = True) -> tuple[Basis, ...]:
    """Return what an increment rests on, its leading paper first; nothing twice, and never one of its own notes.

    Of what its writer measured only the notes and files that it cites are left. Releases are read from all of its text, which
    takes most of the time; of an increment that nobody else tells of they need not be known.
    """
    found = dict.fromkeys(_named(increment, with_releases=with_releases))
    own = increment.notes
    is_own = any(one.how in _OTHERS for one in found) and _measured_itself(increment)
    return tuple(one for one in found if one.on not in own and not (is_own and one.how in _OTHERS))


def is_measured(increment: Increment) -> bool:
    """Whether somebody measured for this increment, its writer or a third party: then it is no mere telling.

    What the makers measured is told; what could, should or could not be repeated was not measured.
    """
    return _measured_itself(increment) or _is_checked(tuple(_told(increment)))


def is_front_page(address: str) -> bool:
    """Whether an address is a site's front page, or that of a project on a code host: it names a thing and tells no finding."""
    host, *path = address.partition("://")[2].partition("?")[0].split("/")
    return len(path) <= (2 if host in _CODE_HOSTS else 0)


@lru_cache(maxsize=4096)
def page(url: str) -> Basis:
    """Return a URL as what tells pages apart (no "www.", fragment, tracking or closing slash), or as the paper that it shows."""
    papers = find_arxiv(url)
    if papers:
        return Basis("paper", papers[0].identifier)
    try:
        parts = urlsplit(url)
    except ValueError:  # "http://[" is no URL but may stand in a note
        return Basis("page", url)
    host = parts.netloc.lower().removeprefix("www.")
    query = "&".join(part for part in parts.query.split("&") if part and not _TRACKING.match(part))
    return Basis("page", f"https://{host}{_INDEX.sub('', parts.path)}{'?' if query else ''}{query}")


def _named(increment: Increment, *, with_releases: bool) -> Iterator[Basis]:
    papers = increment.arxiv_ids[:1]
    yield from (Basis("paper", paper) for paper in papers if not _is_only_compared(paper, increment))
    for source in increment.sources:
        if source.note:
            yield Basis("cites", source.note)
        if source.arxiv and source.arxiv not in papers and not _is_only_compared(source.arxiv, increment):
            yield Basis("paper", source.arxiv)
        if source.url:
            basis = page(source.url)
            if basis.how == "page" or not _is_only_compared(basis.on, increment):
                yield basis
        if not source.resolved and not source.note:
            yield from (Basis("file", name) for name in _files(source.label.casefold()))
    if with_releases:
        yield from _releases(increment)


def _releases(increment: Increment) -> Iterator[Basis]:
    """The versions of named products that an increment tells of; none where somebody measured for it."""
    if is_measured(increment):
        return
    texts = _told(increment, _TELLING)
    found = [match for text in texts for match in _RELEASED.finditer(_without_conditions(text[:_SHORT]))]
    beside = [(name_key(match["name"]), match["beside"]) for match in found if match["name"] and _is_version(match)]
    leads = dict.fromkeys(_lead(word.group()) for text in texts for word in named_in(text[:_SHORT]))
    told = [(lead, match["told"]) for match in found if match["told"] for lead in [*filter(None, leads)][:_NAMING]]
    yield from (
        Basis("release", f"{name} {version}")
        for name, version in dict.fromkeys((*beside, *told[:_NAMING]))
        if name and name not in _NO_PRODUCTS
    )


def _is_version(match: "re.Match[str]") -> bool:
    """Whether numbers behind a name are surely no score: by a "v", a third number, a word beside them, or their size."""
    version = match["beside"]
    return bool(match["marked"] or match["after"]) or version.count(".") > 1 or int(version.partition(".")[0]) < _SCORE


def _lead(word: str) -> str:
    """The key of a name that a version can belong to, empty for a document's name, and for words that name no product."""
    key = "" if _FILE.fullmatch(word) or _TOLD_BY.match(word) else name_key(word)
    return "" if key in _NO_PRODUCTS else key


def _told(increment: Increment, most: int | None = None) -> list[str]:
    labels = [source.label for source in increment.sources if source.resolved and not (source.note or source.url)]
    return [increment.title, *labels, *(evidence.quote for evidence in increment.evidence[:most])]


def _measured_itself(increment: Increment) -> bool:
    """Whether an increment's writer measured: by a word for it that no maker stands before, or behind the writer's own name."""
    return _is_own(tuple(_told(increment)), tuple(name.casefold() for name in increment.agents if name))


@lru_cache(maxsize=2048)  # each of them is asked about several times in turn
def _is_own(texts: tuple[str, ...], names: tuple[str, ...]) -> bool:
    if any(not _is_of_others(found) and _holds(found) for found in _claims(_OWN, texts)):
        return True
    return bool(names) and any(
        found.string[: found.start()].rstrip(" *_").casefold().endswith(names) and _holds(found)
        for found in _claims(_NAMED, texts)
    )


@lru_cache(maxsize=2048)
def _is_checked(texts: tuple[str, ...]) -> bool:
    return any(map(_holds, _claims(_CHECKED, texts)))


def _claims(pattern: "re.Pattern[str]", texts: Iterable[str]) -> Iterator["re.Match[str]"]:
    """What a pattern finds in texts outside of what they quote and of what they advise to do."""
    for text in texts:
        if _MAY_CLAIM.search(text) and not _ADVISED.match(text):
            yield from pattern.finditer(_QUOTED.sub(lambda quoted: " " * len(quoted.group()), text))


def _is_of_others(found: "re.Match[str]") -> bool:
    """Whether a claim that somebody measured himself is made for the makers, or for others that the note tells of."""
    if _FIRST_PERSON.match(found.group()):
        return _AS_AUTHOR.search(found.string) is not None
    return _MAKERS.search(_clause_before(found)) is not None


def _holds(found: "re.Match[str]") -> bool:
    """Whether nothing around a claim denies it, wishes for it or asks about it."""
    if _DENIED_BEHIND.match(found.string, found.end()) or _ASKED.match(found.string, found.end()):
        return False
    return not _DENIED.search(_clause_before(found))


def _clause_before(found: "re.Match[str]") -> str:
    before = found.string[max(0, found.start() - _GOVERNED) : found.start()]
    return before[max((end.end() for end in _CLAUSE_START.finditer(before)), default=0) :]


def _without_conditions(text: str) -> str:
    """The text with blanks for what something ran with or on, whose numbers are no releases told of."""
    conditions = find_conditions(text)
    for start, end in (span for kind in _RAN_WITH for span in conditions.get(kind, ())):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _files(label: str) -> list[str]:
    names = _FILE.findall(label)
    loose = None if names else _LOOSE.match(label)
    return [loose.group()] if loose else names


def _is_only_compared(paper: str, increment: Increment) -> bool:
    """Whether the evidence names a paper, and wherever it does, something is compared with it."""
    verdicts = [
        _is_compared(evidence.quote, at, at + len(paper))
        for evidence in increment.evidence
        if (at := evidence.quote.find(paper)) >= 0
    ]
    return bool(verdicts) and all(verdicts)


def _is_compared(quote: str, start: int, end: int) -> bool:
    before = quote[max(0, start - _BEFORE) : start]
    return bool(_COMPARED.search(before) or _AS_BASELINE.match(quote[end : end + _AFTER]))

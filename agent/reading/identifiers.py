"""Finds arXiv identifiers, web addresses and DOIs in any text, without asking a model.

Promises: every span is in order, overlaps no other of its kind, and its offsets are code points of the text given.
Nothing is normalised before the search, so a homoglyph (a Cyrillic letter, U+2024) never becomes an identifier; only
full-width forms, which input methods produce, are folded. Time is linear in the length of the text: context is looked
up in windows of fixed size.
"""

import datetime as dt
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Form = Literal["abs", "pdf", "html", "page", "doi", "bibtex", "label", "list", "card", "oldstyle", "bare"]

# A number that stands alone is read as an identifier up to this year; later ones are decimals unless arXiv is named.
LAST_BARE_YEAR = 35
_WINDOW = 160  # how far context is looked for before an identifier
_COMPANY = 80  # how far decimals of the same shape are looked for
_BLOCK = 4000  # a paragraph or table longer than this is looked at in parts

_WIDE = re.compile("[\uff01-\uff5e\u3000]")
_CJK = "\u2e80-\u303f\u3040-\u30ff\u3100-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_D = "0-9０-９"

# https://info.arxiv.org/help/arxiv_identifier.html and the archives' own list, those closed since included.
_ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|cond-mat|cs|dg-ga|"
    "funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math-ph|math|mtrl-th|nlin|nucl-ex|nucl-th|patt-sol|physics|plasm-ph|"
    "q-alg|q-bio|q-fin|quant-ph|solv-int|stat|supr-con"
)

_CANDIDATE = re.compile(
    rf"(?=[/／%{_D}])(?:(?P<slash>[/／]|%2[Ff])(?P<old>[{_D}]{{7}})(?![{_D}])"
    rf"|(?<![{_D}])(?P<serial>[{_D}]{{1,6}})-(?P<card>[{_D}]{{4}}-[{_D}]{{4,5}})(?![{_D}])"
    rf"|(?:(?<![{_D}])|(?<=%[2357][0-9A-Fa-f]))(?P<month>[{_D}]{{4}})"
    rf"(?P<dot>[.．](?:\r?\n[ \t]{{0,8}})?|\\\.|%2[Ee])(?P<number>[{_D}]{{4,5}})(?![{_D}]))"
)
# What every candidate has in it; begins with a set, so that the search for it is quick.
_HINT = re.compile(rf"[{_D}][{_D}][{_D}][{_D}](?:[.．\\%-]|[{_D}][{_D}][{_D}])")
_CJK_CHAR = re.compile(f"[{_CJK}]")
_ESCAPED = re.compile(r"%(?:25)?[2357][0-9A-Fa-f]$")
_VERSION = re.compile(rf"[vVｖ]([{_D}]{{1,3}})(?![{_D}A-Za-z])")
_ARCHIVE_BEFORE = re.compile(
    rf"(?:(?<![A-Za-z0-9.\-])|(?<=%2F)|(?<=%3A)|(?<=%20)|(?<=arxiv\.)|(?<=arxiv))(?P<archive>{_ARCHIVES})"
    r"(?:\.[a-z]{2,7}(?:-[a-z]{2,7})?)?$",
    re.IGNORECASE,
)

# What names arXiv directly before an identifier: "arXiv:", "arXiv ID**: ", "arXiv 编号 ", "arxiv_id = ".
_LABEL = re.compile(
    r"ar[x5]iv(?:\.org)?(?:[\W_]|%3A|%20|&(?:nbsp|#160|#58|colon);){0,8}(?:(?:ids?|identifiers?|numbers?|nos?|preprints?|e-?prints?|papers?|abs|pdf|html|refs?|links?|url"
    r"|as|is|号|编号|號|編號|预印本|论文|链接|号码|地址|为|是|见)[\W_]{0,6}){0,3}$",
    re.IGNORECASE,
)
_EPRINT = re.compile(r"\beprint[\"'\s]{0,4}[=:][\s{\"']{0,6}$", re.IGNORECASE)
_LIST_GAP = re.compile(r"[\s`*\])）]{0,4}(?:[,，、;；/／·&+]|和|与|及|或|以及|and|or)[\s`*\[(（]{0,4}", re.IGNORECASE)
_RUN_STOP = re.compile(rf"[\s<>\"'`|{{}}\])，。；：（）“”{_CJK}]")
_HOST = re.compile(
    r"(?:://|%3a%2f%2f|^|[(\[@:])([a-z0-9-]{1,40}(?:\.[a-z0-9-]{1,40}){0,4}\.[a-z]{2,10})(?::\d{1,5})?(?=/|%2f)"
)
_ARXIV_DOI = re.compile(r"10\.48550(?:/|%2f)(?:arxiv[.:])?$")
_FOREIGN_DOI = re.compile(r"(?:^|[^0-9.])10\.(?!48550)\d{4,9}(?:/|%2f)[\w.;()/:%-]{0,160}$")
_PAPER_HOSTS = (
    "arxiv",
    "ar5iv",
    "alphaxiv",
    "lanl.gov",
    "huggingface.co",
    "hf.co",
    "papers.cool",
    "scirate.com",
    "emergentmind.com",
)
_STEP_END = re.compile(r"(?:[/=:]|%2f|%3[ad])$")
_PAGE_STEP = re.compile(r"(?:/|%2f)(abs|pdf|html)(?:/|%2f){1,3}(?:arxiv:)?$")
_ARXIV_STEP = re.compile(r"arxiv(?:[._:/=-]|%3a|%2f|%3d)?(?:abs|pdf|html|id|papers?)?[/=:_-]?$|papers?(?:[/=_-]|%2f)$")

# What a bare number of the same shape must not have around it.
_UNIT_AFTER = re.compile(
    r"\s?(?:%(?![0-9A-Fa-f]{2})|[％‰×℃°]"
    r"|(?:[munμ]s|secs?|seconds?|mins?|minutes?|hours?|[kmgt]?hz|[kmgtp]i?b(?:/s|ps)?|tok|tokens?|it|req|samples?|fps|[kmgtp]flops?|kwh?"
    r"|usd|cny|rmb|eur|points?|steps?)(?![A-Za-z0-9])"
    r"|(?:毫秒|微秒|秒|分钟|小时|字节|[万亿]|[万亿]?元|[万亿]?美元|倍|步)(?!\w))",
    re.IGNORECASE,
)
_VALUE_BEFORE = re.compile(
    r"(?:[$€£¥≈~±≤≥<=]\s?|[^\s\n][ \t]>[ \t]|[^\w\n][-−+]|(?=[a-z吞延耗用时平均损总合得分价成带数订工发序文电版])"
    r"(?:\b(?:loss|ppl|perplexity|latency|throughput|time|duration|elapsed|score|reward|avg|average|mean|std|total|sum|max|min|rate"
    r"|value|step|cost|price|bandwidth|order|invoice|ticket|serial|ip|version|ver|tel|phone)"
    r"|吞吐量?|延迟|耗时|用时|时间|平均|均值|损失|总计|合计|得分|分数|价格|成本|带宽|数值|订单号?|工单号?|发票号?|序列号|文件号|电话|版本号?)"
    r"[\s:=*|\"'`#]{0,6})$",
    re.IGNORECASE,
)
_NAMED_KEY = re.compile(
    r"(?:id|arxiv|paper|eprint|ref|cite|key|href|title|number|num|label|name|value)[\"'\s]{0,2}=[\"'\s]{0,2}$",
    re.IGNORECASE,
)
_DECIMAL = re.compile(r"(?<![\d.])([0-9]{1,9})\.([0-9]{4,9})(?!\d)")
_LONG_NUMBER = re.compile(r"(?<![\d.])([0-9]{4})\.([0-9]{5})(?![\d.])")
_STAMP = re.compile(rf"\s?\[(?:{_ARCHIVES})[.\]]")

_URL = re.compile(
    rf"https?://(?:\[[0-9A-Fa-f:.]{{2,45}}\])?[^\s<>\"`|\\\[\]{_CJK}\uff00-\uffef\u2010-\u2027\u2030-\u205e\u00b7\u2190-\u2bff"
    r"\U0001f000-\U0001faff]+",
    re.IGNORECASE,
)
_HOSTED_URL = re.compile(r"https?://[\w\[]", re.IGNORECASE)
_GLUED_URL = re.compile(r"(?<![/=?&:+%#,(])https?://", re.IGNORECASE)
_DOI = re.compile(r"(?:(?<![0-9A-Za-z.])|(?<=%2[Ff]))10\.\d{4,9}(?:\.\d{1,9}){0,3}(?:/|%2[Ff])[A-Za-z0-9._;()/:%-]+")
_CLOSING = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class ArxivSpan:
    """An arXiv identifier as it stands in a text.

    Attributes:
        identifier: canonical, without version: `2607.18141`, `quant-ph/9601001`. Old identifiers lose their subject
            class (`math.AG/0309136` is `math/0309136`), as arXiv prefers outside its own files.
        version: the number after `v`, or None.
        start, end: the identifier with its version, without label or address; of a card the whole name.
        form: what it was recognised by: the page of an address (`abs`, `pdf`, `html`, else `page`), a DOI, a BibTeX
            field, the word arXiv before it (`label`), its neighbour in an enumeration (`list`), a card name, or its own shape
            (`oldstyle`, `bare`).
        is_written_oddly: with full-width characters, an escaped or broken dot, or an archive before a new number.
    """

    identifier: str
    version: int | None
    start: int
    end: int
    form: Form
    is_written_oddly: bool = False


@dataclass(frozen=True, slots=True)
class UrlSpan:
    """A web address: `text[start:end] == url`."""

    url: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DoiSpan:
    """A DOI: `doi` is lower-cased (DOIs ignore case) and has `%2F` decoded."""

    doi: str
    start: int
    end: int


def fold_full_width(text: str) -> str:
    """Full-width letters, digits and signs as ASCII, one for one: offsets stay."""
    return text if text.isascii() else _WIDE.sub(_narrow, text)


def _narrow(wide: re.Match[str]) -> str:
    return " " if wide[0] == "\u3000" else chr(ord(wide[0]) - 0xFEE0)


def is_valid_identifier(identifier: str) -> bool:
    """Whether `identifier` is canonical (no label, no version) and its month and number are possible.

    New style is YYMM.NNNN from 0704 to 1412 and YYMM.NNNNN from 1501 on, old style archive/YYMMNNN from 9107 to 0703
    (https://info.arxiv.org/help/arxiv_identifier.html). No number is zero.
    """
    if not identifier.isascii():
        return False
    archive, slash, rest = identifier.rpartition("/")
    if slash:
        return archive in _ARCHIVES.split("|") and len(rest) == 7 and rest.isdigit() and _is_old_number(rest)
    yymm, _, number = identifier.partition(".")
    return yymm.isdigit() and number.isdigit() and _is_new_number(yymm, number)


def is_after(identifier: str, date: dt.date) -> bool:
    """Whether the month in `identifier` (canonical) lies after the month of `date`; False for what is no identifier."""
    if not is_valid_identifier(identifier):
        return False
    yymm = identifier.rpartition("/")[2][:4]
    is_old = "/" in identifier
    year = int(yymm[:2]) + (1900 if is_old and yymm[0] == "9" else 2000)
    return (year, int(yymm[2:])) > (date.year, date.month)


@lru_cache(maxsize=8)  # several readers ask about one text in turn
def find_arxiv(text: str) -> tuple[ArxivSpan, ...]:
    """Every arXiv identifier in `text`, with repetitions, in order.

    Where arXiv is named (label, address, DOI, BibTeX field, enumeration) every valid identifier counts. A bare number counts
    where nothing marks it as a quantity: no currency, sign, unit or metric beside it, no decimals of the same shape near
    it, a year not beyond `LAST_BARE_YEAR`. Bare numbers with four decimals, the style until 2014, also need brackets, a
    version, a leading zero, or papers named in their paragraph or table. A text that is nothing but an identifier is one.
    """
    spans: list[ArxivSpan] = []
    if not _HINT.search(text):
        return ()
    blocks = _Blocks(text)
    for match in _CANDIDATE.finditer(text):
        if spans and match.start() < spans[-1].end:
            continue
        previous = spans[-1] if spans else None
        if match["old"]:
            span = _old_span(text, match)
        elif match["card"]:
            span = _card_span(text, match)
        else:
            span = _new_span(text, match, previous=previous, blocks=blocks)
        if span and (previous is None or span.start >= previous.end):
            spans.append(span)
    return tuple(spans)


@lru_cache(maxsize=8)  # several readers ask about one text in turn
def find_urls(text: str) -> tuple[UrlSpan, ...]:
    """Every http and https address in `text`.

    An address ends before CJK text, quotes and square brackets, before a bracket that it did not open, and before punctuation
    that ends a sentence; balanced brackets within it are kept.
    """
    spans: list[UrlSpan] = []
    for match in _URL.finditer(text) if "://" in text else ():
        start, end = match.start(), match.end()
        while start < end:
            glued = _GLUED_URL.search(text, start + 8, end)
            stop = glued.start() if glued else end
            url = _trimmed(text[start:stop], "*_~'")
            if _HOSTED_URL.match(url):
                spans.append(UrlSpan(url, start, start + len(url)))
            start = stop
    return tuple(spans)


def find_dois(text: str) -> tuple[DoiSpan, ...]:
    """Every DOI in `text`, in prose or in an address, those of arXiv included."""
    spans: list[DoiSpan] = []
    for match in _DOI.finditer(text) if "10." in text else ():
        written = _trimmed(match.group().removesuffix(".pdf"), "_/%")
        doi = written.lower().replace("%2f", "/")
        if any(char.isalnum() for char in doi.partition("/")[2]):
            spans.append(DoiSpan(doi, match.start(), match.start() + len(written)))
    return tuple(spans)


def _trimmed(written: str, also: str) -> str:
    """Cut at the first bracket that nothing opened, and before punctuation that belongs to the sentence."""
    depth = {"(": 0, "{": 0, "[": 0}
    for position, char in enumerate(written):
        if char in depth:
            depth[char] += 1
        elif char in _CLOSING:
            depth[_CLOSING[char]] -= 1
            if depth[_CLOSING[char]] < 0:
                written = written[:position]
                break
    return written.rstrip(".,;:!?({[" + also)


def _is_new_number(yymm: str, number: str) -> bool:
    if len(yymm) != 4 or not "01" <= yymm[2:] <= "12" or not number.strip("0"):
        return False
    return "0704" <= yymm <= "1412" if len(number) == 4 else len(number) == 5 and yymm >= "1501"


def _is_old_number(digits: str) -> bool:
    yymm = digits[:4]
    return "01" <= yymm[2:] <= "12" and ("9107" <= yymm <= "9912" or yymm <= "0703") and digits[4:] != "000"


class _Place:
    """A place in a text where an identifier may begin, with what stands before it.

    Attributes:
        before: a window of the text, as written.
        run: the end of that window that could be one address with what follows, folded and in lower case.
    """

    __slots__ = ("before", "is_in_address", "run", "start", "text")

    def __init__(self, text: str, start: int) -> None:
        self.text, self.start = text, start
        self.before = text[max(0, start - _WINDOW) : start]
        is_cut_off = not self.before or self.before[-1].isspace()
        self.run = (
            ""
            if is_cut_off
            else fold_full_width(_RUN_STOP.split(self.before.rsplit(None, 1)[-1])[-1]).lower().replace("%25", "%")
        )
        self.is_in_address = ("/" in self.run and _HOST.search(self.run) is not None) or "%2f%2f" in self.run


class _Blocks:
    """Says of ascending positions whether their paragraph or table speaks of papers; looks at each part once."""

    def __init__(self, text: str) -> None:
        self.text, self.end, self.is_about_papers = text, 0, False

    def speaks_of_papers(self, start: int) -> bool:
        while start >= self.end:
            begin = self.end
            limit = min(len(self.text), begin + _BLOCK)
            blank = self.text.find("\n\n", begin, limit)
            self.end = blank + 2 if blank >= 0 else max(limit, begin + 1)
            block = self.text[begin : self.end]
            self.is_about_papers = "arxiv" in block.lower() or any(
                _is_new_number(*other.groups()) for other in _LONG_NUMBER.finditer(block)
            )
        return self.is_about_papers


def _old_span(text: str, match: re.Match[str]) -> ArxivSpan | None:
    """`archive/YYMMNNN`; `match` stands at the slash."""
    number = fold_full_width(match["old"])
    archive = _archive_before(text, match.start())
    end, version = _version(text, match.end())
    if archive is None or not _is_old_number(number) or not _ends_cleanly(text, end):
        return None
    start = match.start() - len(archive.group())
    place = _Place(text, start)
    form = _named_form(place, is_strict=True)
    if form is None and place.is_in_address:
        return None
    is_odd = not text[start:end].isascii()
    return ArxivSpan(f"{archive['archive'].lower()}/{number}", version, start, end, form or "oldstyle", is_odd)


def _card_span(text: str, match: re.Match[str]) -> ArxivSpan | None:
    """`<serial>-<yymm>-<number>` or the file of that name; without its ending, short numbers could be telephones."""
    yymm, _, number = fold_full_width(match["card"]).partition("-")
    start, end = match.span()
    if not _is_new_number(yymm, number) or not _starts_cleanly(text, start) or not _ends_cleanly(text, end):
        return None
    place = _Place(text, start)
    is_file = text.startswith(".md", end)
    if place.before.endswith("-") or (not is_file and (len(number) == 4 or place.is_in_address)):
        return None
    end += 3 * is_file
    return ArxivSpan(f"{yymm}.{number}", None, start, end, "card", not text[start:end].isascii())


def _new_span(text: str, match: re.Match[str], *, previous: ArxivSpan | None, blocks: _Blocks) -> ArxivSpan | None:
    """`YYMM.NNNNN`, after the rules that `find_arxiv` states."""
    yymm, number, start = fold_full_width(match["month"]), fold_full_width(match["number"]), match.start()
    end, version = _version(text, match.end())
    if not _is_new_number(yymm, number) or not _ends_cleanly(text, end):
        return None
    place = _Place(text, start)
    if "10." in place.run and _FOREIGN_DOI.search(place.run):
        return None
    form = _named_form(place, is_strict=len(number) == 4)
    if "\n" in match["dot"]:
        form = form if form in ("label", "abs", "pdf", "html") else None
    elif form is None:
        form = _unnamed_form(place, match, end=end, previous=previous, blocks=blocks)
    may_have_archive = form in ("bare", "page") and place.before.endswith("/")
    archive = _archive_before(text, start - 1) if may_have_archive else None
    if archive and not _Place(text, start - 1 - len(archive.group())).is_in_address:
        form, start = "oldstyle", start - 1 - len(archive.group())
    if form is None:
        return None
    is_odd = not text[start:end].isascii() or match["dot"] != "." or start < match.start()
    return ArxivSpan(f"{yymm}.{number}", version, start, end, form, is_odd)


def _archive_before(text: str, end: int) -> re.Match[str] | None:
    """The archive, perhaps with subject class, that ends at `end`."""
    return _ARCHIVE_BEFORE.search(fold_full_width(text[max(0, end - 32) : end]))


def _version(text: str, end: int) -> tuple[int, int | None]:
    """The end of the identifier with its version, and the version."""
    match = _VERSION.match(text, end)
    return (match.end(), int(fold_full_width(match[1]))) if match else (end, None)


def _is_word(char: str) -> bool:
    """Whether `char` glued to a number makes both one word; CJK text does not."""
    return char.isalnum() and not _CJK_CHAR.match(char)


def _starts_cleanly(text: str, start: int) -> bool:
    """Whether what begins at `start` is no tail of a longer word, number or dotted name."""
    before = text[max(0, start - 5) : start]
    if not before or _ESCAPED.search(before):
        return True
    last, rest = before[-1], before[:-1]
    if last in ".．":
        return not (rest and _is_word(rest[-1]))
    if last in "-_":
        return not (rest and rest[-1].isdigit())
    return not _is_word(last) and last != "%"


def _ends_cleanly(text: str, end: int) -> bool:
    """Whether what ends at `end` is no head of a longer word or dotted number."""
    after = text[end : end + 2]
    if not after or text.startswith(("http://", "https://"), end):
        return True
    return not (_is_word(after[0]) or (after[0] in ".．-" and after[1:].isdigit()))


def _named_form(place: _Place, *, is_strict: bool) -> Form | None:
    """What directly before an identifier says that it is arXiv's; None if nothing does."""
    if "48550" in place.run and _ARXIV_DOI.search(place.run):
        return "doi"
    if place.is_in_address:
        return _address_form(place.run, is_strict=is_strict)
    near = fold_full_width(place.before[-80:]).lower()
    if "eprint" in near and _EPRINT.search(near):
        return "bibtex"
    return "label" if "iv" in near and _LABEL.search(near) else None


def _address_form(run: str, *, is_strict: bool) -> Form | None:
    """The kind of page that the address `run` names up to an identifier; None where a number would be something else.

    On hosts that are not known for papers, a strict search asks for the word arXiv or papers just before.
    """
    if not _STEP_END.search(run):
        return "page" if _ARXIV_STEP.search(run) else None
    hosts = _HOST.findall(run)
    if not any(known in (hosts[-1] if hosts else run) for known in _PAPER_HOSTS):
        return "page" if not is_strict or _ARXIV_STEP.search(run) else None
    step = _PAGE_STEP.search(run)
    pages: dict[str, Form] = {"abs": "abs", "pdf": "pdf", "html": "html"}
    return pages[step[1]] if step else "page"


def _unnamed_form(
    place: _Place, match: re.Match[str], *, end: int, previous: ArxivSpan | None, blocks: _Blocks
) -> Form | None:
    """What tells a number from a quantity where nothing names arXiv: an enumeration, or its own shape."""
    text, start = place.text, place.start
    if not _starts_cleanly(text, start) or _UNIT_AFTER.match(text, end):
        return None
    if previous and start - previous.end <= 16 and _LIST_GAP.fullmatch(text, previous.end, start):
        return "list"
    if start < 16 and len(text) - end < 16 and text.strip() == text[start:end]:
        return "bare"
    if place.is_in_address or _is_quantity(place, match):
        return None
    is_long = len(match["number"]) == 5
    return "bare" if is_long or _is_marked(text, match, end=end) or blocks.speaks_of_papers(start) else None


def _is_quantity(place: _Place, match: re.Match[str]) -> bool:
    """Whether the year, what stands before a number, or its company says that it is a decimal."""
    if int(fold_full_width(match["month"][:2])) > LAST_BARE_YEAR:
        return True
    near = fold_full_width(place.before[-24:])
    if _VALUE_BEFORE.search(near) and not _NAMED_KEY.search(near):
        return True
    return _has_decimal_company(place.text, match, is_short=len(match["number"]) == 4)


def _has_decimal_company(text: str, match: re.Match[str], *, is_short: bool) -> bool:
    """Whether the same line holds decimals near by that look like the number but cannot be identifiers."""
    start, end = match.span()
    low = max(text.rfind("\n", max(0, start - _COMPANY), start) + 1, start - _COMPANY, 0)
    line_end = text.find("\n", end, end + _COMPANY)
    high = line_end if line_end >= 0 else min(len(text), end + _COMPANY)
    for other in _DECIMAL.finditer(text, low, high):
        is_cut = other.end() == high and text[high : high + 1].isdigit()
        if other.start() == start or is_cut:
            continue
        whole, fraction = other.groups()
        if (len(whole) >= 3 or (is_short and len(fraction) == 4)) and not _is_new_number(whole, fraction):
            return True
    return False


def _is_marked(text: str, match: re.Match[str], *, end: int) -> bool:
    """Whether something beside it tells a number of four and four digits from a decimal."""
    if fold_full_width(match["month"])[0] == "0" or match.end() < end:
        return True
    brackets = text[match.start() - 1 : match.start()] + text[end : end + 1]
    return brackets in ("[]", "()", "（）", "【】") or _STAMP.match(text, end) is not None

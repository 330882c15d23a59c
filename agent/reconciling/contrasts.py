"""Whether two texts speak of two sides of one thing: input and output, cold and warm, this test and that one.

Texts in nearly the same words, each with a word of its own, name two attributes by those words; texts in other words only do where
the words are known to be opposed. Promises: pure and symmetric; time is linear in the texts.
"""

import re
from functools import lru_cache

from agent.reading.identifiers import fold_full_width
from agent.reading.naming import is_distinctive

_ALIKE = 0.5  # share of the words of both texts that they have in common
_ALIKE_HAN = 0.55  # the same, of Chinese characters
_FEW = 4  # words or characters of its own that a text may have, to be nearly the same
_OPPOSED = tuple(
    (re.compile(one, re.IGNORECASE), re.compile(other, re.IGNORECASE))
    for one, other in (
        (r"输入|\b(?:input|prompt)\b", r"输出|\b(?:output|completion)\b"),
        (r"冷(?:启动|缓存)?|\bcold\b", r"热(?:启动|缓存|身)|预热|\bwarm(?:ed)?\b"),
        (r"\bwithout\b|不[用带开]|关闭|无(?=工具|缓存|量化|检索)", r"\bwith\b|使用|带|开启|用(?=工具|缓存|量化|检索)"),
        (r"学生|\bstudent", r"教师|\bteacher"),
        (r"训练集|\btraining (?:set|data)\b", r"测试集|\btest (?:set|data)\b"),
        (r"训练|\btrain(?:s|ed|ing)?\b", r"推理|\b(?:inference|serving)\b"),
        (r"写入|\bwrit(?:es?|ing)\b", r"读取|\bread(?:s|ing)?\b"),
        (r"上传|\bupload", r"下载|\bdownload"),
        (r"编码|\bencod", r"解码|\bdecod"),
        (r"预填充|\bprefill", r"解码|\bdecod"),
        (r"单轮|单卡|单机|\bsingle\b", r"多轮|多卡|多机|\bmulti"),
        (r"平均|均值|\b(?:mean|average)\b", r"最[长大高短小低]|峰值|\b(?:max\w*|min\w*|peak|longest|shortest)\b"),
        (r"P50|中位|\bmedian\b", r"P9\d|\btail\b"),
        (r"A 轮|\b(?:series A|A round)\b", r"B 轮|\b(?:series B|B round)\b"),
        (r"首次|第一|\bfirst\b", r"第二|\bsecond\b"),
        (r"中文|汉语|\bChinese\b", r"英文|英语|\bEnglish\b"),
        (r"周末|夜间|\b(?:night|weekend)\b", r"工作日|白天|\b(?:weekday|daytime)\b"),
    )
)
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*")
_PLACED = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,20}(?![A-Za-z])")  # within a sentence
_LETTER = re.compile(r"(?<![A-Za-z0-9.-])[B-HJ-Z](?![A-Za-z0-9.+-])|(?<![A-Za-z0-9.-])A(?= ?[\u3400-\u9fff])")
_HAN = re.compile("[\u3400-\u9fff]")
_NO_TEXT = re.compile(r"https?://\S{1,200}|[\w-]{1,40}\.md(?: ?§?\d[\d.]*)?|\d{4}\.\d{4,5}")
_STOP = frozenset(
    """a an the of in on at to for by per as is are was were be been has have had does do did it its this that these those and or but with from
    into than then when where which who says said say according reports report reported notes docs documentation page release changelog blog
    post paper table figure abstract under over only also just still now stars star arxiv md version one per each every they their takes take took
    reach reaches holds hold gets get gives give shows show costs cost runs run uses use about nearly up down out""".split()  # noqa: SIM905  # a list of words reads as words
)
_STOP_HAN = frozenset(
    "的了在是和与时写为有到从对个中上下每就都也还又其这那被把将可能会得达至由于以及约只仅要说称给页表官方文档公告日志更新变记录发布明来源见月日年三四五星出归入去处增量条目款最更很较才再先后已曾"
)


@lru_cache(maxsize=4096)
def words_of(texts: tuple[str, ...]) -> frozenset[str]:
    """Return what texts say, word by word: Latin words without their endings, single Chinese characters, no figures."""
    said = _NO_TEXT.sub(" ", fold_full_width("\n".join(texts)))
    latin = {_stem(word) for word in _LATIN.findall(said)}
    return frozenset((latin | set(_HAN.findall(said))) - _STOP - _STOP_HAN)


def are_contrasted(mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Whether two texts in nearly the same words each have a word of their own: it tells of what they speak."""
    here, there = words_of(mine), words_of(theirs)
    own = here - there, there - here
    if not all(own) or max(map(len, own)) > _FEW:
        return False
    is_han = any(word[0] >= "\u3400" for word in here & there)
    return len(here & there) >= (_ALIKE_HAN if is_han else _ALIKE) * len(here | there)


def are_opposed(mine: str, theirs: str) -> bool:
    """Whether two texts have words that are known to be opposed, each its own."""
    for first, second in _OPPOSED:
        sides = [(bool(first.search(text)), bool(second.search(text))) for text in (mine, theirs)]
        if sides in ([(True, False), (False, True)], [(False, True), (True, False)]):
            return True
    return False


def names_another(clause: str, text: str) -> bool:
    """Whether a clause names something, by the form of the name, that a text does not."""
    lowered = "".join(text.casefold().split())
    names = [word for word in _written((clause,)) if is_distinctive(word)] + _PLACED.findall(clause)
    return any(name.casefold() not in lowered for name in names) or not set(_LETTER.findall(clause)) <= set(
        _LETTER.findall(text)
    )


@lru_cache(maxsize=4096)
def _written(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(_LATIN.findall(_NO_TEXT.sub(" ", fold_full_width("\n".join(texts)))))


def _stem(word: str) -> str:
    lowered = word.casefold()
    for ending in ("ing", "ed", "es" if lowered.endswith(("xes", "ches", "shes", "sses")) else "s"):
        if lowered.endswith(ending) and len(lowered) - len(ending) >= len("abc"):
            return lowered.removesuffix(ending)
    return lowered

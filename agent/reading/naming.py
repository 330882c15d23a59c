"""Names of things in a text, recognised by form and never by a list of products, and the key that all their spellings share.

Promises: a key is the same for "FlashAttention-2" and "Flash Attention 3", which name one thing with different numbers; time is
linear in the text.
"""

import functools
import re

WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*\+{0,2}")

STEM = re.compile(r"([a-z]+(?:\.[a-z]+)*)?\.?(\d+(?:\.\d+)*[a-z]{0,2})?")

_DISTINCTIVE = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|[\d.]")
_HAN_RUN = re.compile("[\u3400-\u9fff]+")

# Capitalised or not, a word of the field's daily language names nothing.
_COMMON = frozenset(
    """a an and are as at by for from in into is it its of on or the their to towards under using via vs versus with
    without first full new open arxiv paper report release released benchmark benchmarks case study survey update
    ai ml llm llms gpu gpus cpu cpus api apis kv rag agent agents agentic attention architecture cache code context
    data engine framework inference language large learning memory model models performance prefill decode prompt
    scaling server serving source support system systems token tokens training workload""".split()  # noqa: SIM905  # a list of words reads as words
)


def name_key(word: str) -> str:
    """Return the key of a name: lower case, without joints and numbers; empty for a bare number."""
    key = ""
    for piece in word.lower().rstrip("+").replace("_", "-").split("-"):
        parts = STEM.fullmatch(piece)
        stem = parts[1] if parts else piece
        if stem is None:
            continue
        key += (stem if len(stem) > 1 else piece).replace(".", "")
    return key


_KINDS_OF_THINGS = "向量库|数据库|推理库|训练库|推理框架|训练框架|框架|推理引擎|引擎|编译器|调度器|网关|大模型|模型|平台|智能体|助手|插件|工具箱|工具包"
_HAN = r"[\u4e00-\u9fff]"
_HAN_NAME = re.compile(  # a Chinese name shows by what follows: a version, a size, or the kind of thing that it is
    rf"(?<!{_HAN}){_HAN}{{2,4}}?(?=(?:{_KINDS_OF_THINGS})?\s?[vV]?[0-9]{{1,3}}\.[0-9]{{1,3}}(?:\.[0-9]{{1,3}})?"
    rf"(?![0-9.]|\s?(?:[%‰×xX倍万亿个分秒]|m?s\b|[kKMGT]i?B\b|[kMG]?Wh?\b|tok))|-?[0-9]{{1,3}}[Bb](?![A-Za-z0-9])|{_KINDS_OF_THINGS})"
)
_NO_HAN_NAME = re.compile(
    r"开源|闭源|推理|训练|分布|大型|小型|语言|多模态|向量|检索|评测|基础|本地|通用|主流|中文|英文|视觉|嵌入|奖励|草稿|教师|学生|云端|端侧|自研|自家|国产"
    r"|召回|平均|最高|最低|中位|权重|阈值|系数|章节|附录|条目|增量|步骤|版本|大约|变为|只有|实测|最新|当前|其中|以及|对照|基线|来源|出处|依据|标题|结论|要点"
    r"|这个|那个|两个|三个|几个|各个|一个|该|同一|其他|现有|新版|旧版|官方|社区|商业|深度|机器|预训|微调|量化|对话|搜索|推荐|代码|数学|安全|流式|异步|统一|完整"
    r"|发布|更新|升级|推出|支持|新增|修复|降级|提到|参见|基于|采用|使用|安装|换成|改用"
)
_LEAST_OPENING = 3
_OPENING_RUN = re.compile(
    rf"(?:{_HAN}{{2}}[:：]|[^\w]|增量|条目|标题|公告|要闻){{0,4}}(?!我|他|她|它|这|那|有|在|本|对|从|把|用|让|为|与|和|不|再|一|两|多|新)({_HAN}{{3,6}})"
)
_NO_NAME_END = frozenset("率度分差失耗时速量价本比值数约到为至达是从由近于仅共超低高降升减增快慢版的了和与在对用把被")


def named_in(clause: str) -> list["re.Match[str]"]:
    """Return the words of a title or clause that name something: Latin ones by their form, Chinese ones by what follows."""
    latin = _latin_names(clause)
    chinese = [name for name in _HAN_NAME.finditer(clause) if _is_han_name(name.group())]
    return sorted((*latin, *chinese), key=lambda match: match.start()) if chinese else latin


def opens_with(text: str) -> str:
    """Return the Chinese characters that a text opens with, up to six, where they may begin with a name; else nothing.

    A Chinese name shows by nothing but that somebody else writes the same: which of the characters are the name, the caller finds.
    """
    run = _OPENING_RUN.match(text)
    return "" if run is None or _NO_HAN_NAME.search(run[1][:_LEAST_OPENING]) else run[1]


def _is_han_name(text: str) -> bool:
    return text[-1] not in _NO_NAME_END and _NO_HAN_NAME.search(text) is None


def _latin_names(clause: str) -> list["re.Match[str]"]:
    """Return the Latin words of a title or clause that name something."""
    words = list(WORD.finditer(clause))
    is_title_case = len(words) > 2 and sum(word.group()[0].isupper() for word in words) > len(words) / 2
    has_cjk = _HAN_RUN.search(clause) is not None
    return [word for word in words if _is_name(word, is_capital_telling=has_cjk or not is_title_case)]


def count_cjk(text: str) -> int:
    """Return how many Chinese characters a text holds."""
    return sum(map(len, _HAN_RUN.findall(text)))


def is_distinctive(text: str) -> bool:
    """Whether a word's form alone shows that it is a name: capitals inside, a digit, a dot."""
    return _DISTINCTIVE.search(text) is not None


def _is_name(word: "re.Match[str]", *, is_capital_telling: bool) -> bool:
    form = _form_of(word.group())
    if form is not None:
        return form
    is_before_colon = word.string[word.end() : word.end() + 2].lstrip()[:1] in {":", "："}
    return is_before_colon or (is_capital_telling and word.start() > 0) or _has_cjk_after(word)


@functools.lru_cache(maxsize=65536)
def _form_of(text: str) -> bool | None:
    """Whether a word's form shows that it is a name, or none; None where what stands around a capital decides."""
    if text.lower() in _COMMON or len(text) < 2 or (text[0] in "vV" and text[1].isdigit()):
        return False
    if is_distinctive(text) or text.isupper():
        return True
    return None if text[0].isupper() else False


def _has_cjk_after(word: "re.Match[str]") -> bool:
    rest = word.string[word.end() : word.end() + 2].lstrip()
    return bool(rest) and "\u3400" <= rest[0] <= "\u9fff"

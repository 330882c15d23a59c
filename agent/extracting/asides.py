"""Sentences that report nothing new, whatever figures they hold: plans, doubts, opinions, advice, offers, remarks on the note.

Each sort is recognised by its own words, in Chinese and English. A small model cannot be relied upon to tell them from
findings, so they are taken out before it looks.
"""

import re

_SORTS = {
    "plan": (
        r"\A[\s\-*+•\d.)]{0,8}\[ \]\s|待建|待补|待办|待读|打算|计划(?:在|于|下|本|明|读|做|测|跑)|下一?步(?:要|是|准备)|(?:明天|下周|改天)[：:，,]?.{0,6}(?:读|看|跑|测|做|补|试)"
        r"|\bto[- ]?do\b|\b(?:I|we|they) (?:plan|intend|want|hope|aim|will try|am going|are going|'ll) |\bnext (?:week|step|time)s?[:,]? (?:I|we)\b"
    ),
    "doubt": (
        r"不敢信|不太?信|存疑|先不要|别(?:急着)?(?:信|抄|写|引用)|不作数|作废了|没(?:测|跑|做)成|等于没|有待(?:核实|验证)|(?<![0-9条项] )(?<![0-9条项])待(?:核实|验证|确认)(?!警示|条|项|列表|清单)|值得怀疑|说不通|没(?:有)?依据"
        r"|\b(?:unverified|to verify|to be verified|needs? (?:checking|to be checked)|would (?:not trust|check)|(?:do|does|did|would)(?: not|n't) (?:trust|believe|buy)"
        r"|sceptical|skeptical|hard to believe|before (?:I|we|you) (?:believe|trust))\b"
    ),
    "opinion": (
        r"纯属估计|有人估计|要我说|我(?:个人)?(?:不?觉得|认为|不?喜欢|最不|猜|怀疑|宁愿|倾向)|个人(?:认为|看法|感觉)|在我看来|说实话|坦白说|(?:心得|感想|感慨)[：:]"
        r"|\b(?:I|we) (?:\w{1,10} )?(?:think|believe|guess|feel|wish|suspect|doubt|prefer|like|love|hate|expect|would give)\b|\bin my (?:view|opinion|experience)\b"
        r"|\bopinions? (?:ranged?|differ|from)\b|\bmy (?:guess|view|take|feeling|suspicion|opinion)\b|\b(?:frankly|honestly|personally),"
    ),
    "advice": (
        r"建议(?!归入|归位|落点|放置|位置|核实)[^。]{0,12}(?:先|不要|优先|改用|采用|尽快)|(?:应该|最好|不妨|务必|切记|以后遇到|与其)"
        r"|\b(?:you|we|teams?|one|people|everybody) (?:\w{1,8} )?(?:should|ought|had better|need to|must)\b|\b(?:my advice|rule of thumb|better to|do yourself)\b"
    ),
    "offer": (
        r"限时|重磅|颠覆|优惠码|立减|扫码|免费试用|早鸟|一站式|赋能|遥遥领先|让每一家"
        r"|\b(?:limited[- ](?:time )?offer|sign up (?:now|before|today)|free (?:credits?|trial)|discount|coupon|promo code|book (?:a|your) (?:\w{1,12} )?(?:demo|call)"
        r"|register now|early bird|blazing(?:ly)? fast|world-class|enterprise-grade|effortless(?:ly)?|loved by|your (?:business|competitors|customers))\b"
    ),
    "known": (
        r"活文档[^。；\n]{0,12}已有|重发[：:]|旧闻|去年的事|(?:跳过|略过)(?:[。；，,]|\Z)|已(?:收录|记录|写入)|重复(?:条目|转载|报道)|[两二三四五六七八九几]条重复|老生常谈|众所周知|和昨天一样|与上次一样"
        r"|\b(?:known|duplicates?|repeats?|already)(?: \w{1,12}){0,2}: |\balready (?:in|recorded|covered|noted|known|written)\b|\bknown to us\b|[·,;] skipped\b|\bno news\b"
        r"|\bas (?:everybody|everyone|we all) knows?\b|\b(?:same|unchanged) as (?:before|yesterday|last)\b"
    ),
    "note": (
        r"(?:读了|听了|看了|花了|写了|整理)[^。，]{0,10}(?:小时|分钟)|本文共|字数|阅读时间|轮值|值班|迟到|漏交|缺棒|执笔"
        r"|\b(?:listening|reading|viewing) time\b|\b(?:I|we) (?:read|listened|watched|spent)\b|\bworth keeping\b|\bone (?:item|line) (?:each|per|,)|\bnotes? while\b"
    ),
}
_ASIDE = re.compile("|".join(f"(?P<{sort}>{words})" for sort, words in _SORTS.items()), re.IGNORECASE)


def aside(text: str) -> str:
    """Return the sort of aside that a sentence or an item is, or nothing where it may report something."""
    found = _ASIDE.search(text)
    return (found.lastgroup or "") if found else ""

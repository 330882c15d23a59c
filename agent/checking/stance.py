"""How a text stands to what it says: it holds it, reports it, rejects it, or asks.

Promises: a sentence that reports a view in order to reject it is rejected; time is linear in the text (`stance_in` looks at
one sentence, and no further than a fixed reach); nothing raises.
"""

import re

from agent.records import Stance

_REJECTS_BEFORE = (  # what goes before is wrong, and what stands in the same clause
    r"并非如此|并不是这样|(?:这|那|此)(?:是|属于|纯属|其实是|只是)?(?:误读|误传|误解|谣言)|(?:是|属|系|为)(?:一个|一种|种|于)?(?:误读|误传|误解|谣言|错误的|错的)"
    r"|(?:其实|实际上|事实上|也|并|都)不(?:对|成立|准确|正确|属实|真实)|(?:说法|观点|看法|结论|断言|论断|传言|传闻|主张|猜测|数字|数据)(?:也|并|都|已|已经|其实|明显)?"
    r"(?:不(?:对|成立|准确|正确|属实|实|可信)|(?:没有?|毫无|缺乏)(?:依据|根据|道理)|被(?:否定|推翻|证伪)|(?:有|是)(?:误|错|错误))|不属实|不再成立|站不住脚?|与事实不符|不符合事实|已?(?:被|遭)(?:证伪|推翻|否认|否定|撤回|辟谣)"
    r"|已(?:撤回|作废|更正|订正)|(?:明确)?否认了"
    r"|\b(?:is|are|was|were|be|been|turned? out|proved?|proven) (?:\w{1,10} )?(?:wrong|false|incorrect|mistaken|inaccurate|untrue|unfounded|misleading)\b"
    r"|\b(?:is|are|was|were) (?:simply |just |only )?a (?:myth|misreading|rumou?r|misunderstanding|hoax)\b|\b(?:is|are|was)(?: not|n't) (?:\w{1,10} )?(?:true|correct|accurate|the case|so)\b"
    r"|\b(?:does|do|did)(?: not|n't) (?:hold(?: up)?|stand up)\b|\bno longer (?:true|holds|valid|applies)\b|\b(?:debunk|refut|disprov|retract)(?:ed|es|en)\b|\buntrue\b"
)
_REJECTS_HERE = (  # what stands in the same clause is wrong
    r"与[^，。；,;\n]{1,30}(?:相反|不同的是)|误以为|误认为|误传|误报|谣传|\bcontrary to\b|\b(?:mistakenly|wrongly|falsely|erroneously|incorrectly)\b|\b(?:denies|denied) (?:that|the|having)\b"
    r"|\b(?:it is|it's|it was) (?:not|un)(?: |-)?true that\b|\bnobody should believe\b"
)
_REJECTS_AFTER = r"辟谣|(?:谣言|传言|误区|误解)[：:]|\bmyths?:|\bit is (?:not true|untrue|false|wrong) that\b"  # what follows is wrong
_ASKS = (
    r"(?<![不无]论)(?<!不管)(?<!无关)是否|能否|可否|会不会|是不是|有没有可能|有无可能|待(?:核实|核验|验证|确认|查证|考证|证实|定)|尚?(?:未|没有?)(?:证实|核实|确认)|需(?:要)?(?:核实|核验|验证|确认)|存疑|(?<!不)可能(?!性)"
    r"|或许|也许|大概率|疑似|据?推测|猜测|假设|设想|计划(?:在|于|将|把|下|明|年|推出|发布|支持|开源|上线)|拟(?:于|在|将)|打算|预计|预期(?:将|会)|有望|有待|将会|即将"
    r"|(?<!regardless of )\bwhether\b(?! or not)|\b(?:might|perhaps|possibly|presumably|supposedly|unclear|unverified|unconfirmed|to be (?:verified|confirmed|checked)|needs? (?:checking|verification|to be (?:checked|verified|confirmed)))\b"
    r"|\bplan(?:s|ned|ning)? (?:to|for)\b|\b(?:expected|scheduled|slated|intend(?:s|ed)?|aims?|hopes?) to\b|\bto (?:verify|check|confirm)\b|\b(?:could|would|may) (?:be|have|become|also|not|soon)\b|\bsuppos(?:e|ing) (?:that|we)\b"
)
_REPORTS = (
    r"据称|据说|据悉|据传|据报道?|据[^，。；,;\n]{1,14}?(?:称|报道|介绍|说法|透露|表示|披露)|声称|宣称|自称|号称|传言|传闻|网传|坊间|(?:有|一些|部分|不少|许多|很多)(?:人|网友|用户|观点|声音|开发者|评论|报道|媒体)[^，。；,;\n]{0,4}?(?:认为|说|称|指出|表示|主张|声称)"
    r"|(?:官方|厂商|公司|作者|博客|团队|媒体|报道|文章|博主|创始人|发言人)(?:自己|均|都|也|曾|还)?(?:宣称|声称|称|自述|说|认为|表示|主张)(?![呼为号])|[A-Za-z0-9）)] ?(?:方面)?(?:称|认为|表示|声称|宣称|主张)(?![呼为号])"
    r"|\baccording to\b|\breportedly\b|\ballegedly\b|\bpurported(?:ly)?\b|\bit is (?:said|claimed|rumou?red|believed)\b|\b(?:is|are) said to\b|\brumou?rs?\b"
    r"|\bclaim(?:s|ed|ing)? (?:that|to|the|a|an|it|its|up|\d)|\b(?:some|many|others?|people|critics|users|vendors?) (?:say|claim|argue|believe|think|insist)s?\b"
    r"|\b(?:says?|said|asserts?|asserted|argues?|argued|insists?|insisted|boasts?|boasted|advertis(?:es|ed)|touts?|touted)\b"
)
_OPENS = re.compile(
    r"[\s\-*+•·>#\d.)⚠️❓🔍【\[]{0,12}(?:(?:待|需)(?:核实|核验|验证|确认|查证)|疑问|存疑|(?:核实|核验|验证|复核)建议|to (?:verify|be verified|check)|questions?\b|open questions?|unverified|how to verify)",
    re.IGNORECASE,
)
_CUES = re.compile(
    f"(?P<before>{_REJECTS_BEFORE})|(?P<after>{_REJECTS_AFTER})|(?P<here>{_REJECTS_HERE})|(?P<asks>{_ASKS})|(?P<reports>{_REPORTS})",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"(?:不是|并非|并不是|(?<!\w)not )(?P<denied>[^。；;！？!?\n]{1,80}?)(?:而是|而应是|(?<!\w)but )", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[。！？!?；;\n]|\. (?=\S)| [·-] ")
_CLAUSE_END = re.compile(r"[，,：:—]")
_ASKED_BY_SIGN = re.compile(r"[?？](?=[\s」”\"')）】*]{0,6}$)")
_REACH = 300


def stance_of(text: str) -> Stance:
    """Return how a sentence stands to what it says; ask `stance_in` for one statement of a longer text.

    A word that rejects counts for more than one that asks, and that for more than one that reports; a rejection that is itself
    only asked about ("是否有误") is a question.
    """
    cues = list(_CUES.finditer(text))
    asked = [cue for cue in cues if cue.lastgroup == "asks"]
    if any(_is_rejecting(cue) and not _is_asked_about(text, cue, asked) for cue in cues):
        return "rejected"
    if asked or _OPENS.match(text) or _ASKED_BY_SIGN.search(text):
        return "asked"
    return "reported" if cues else "held"


def stance_in(text: str, start: int, end: int) -> Stance:
    """Return how a text stands to what it says from `start` to `end`, judged by the words of that sentence which govern it.

    "据称 …" governs the rest of its sentence, "… 的说法不成立" what goes before it, "contrary to …" its own clause.
    """
    low, high = _sentence(text, start, end)
    sentence, at, until = text[low:high], start - low, end - low
    cues = list(_CUES.finditer(sentence))
    governing = [cue for cue in cues if _governs(sentence, cue, at, until)]
    asked = [cue for cue in governing if cue.lastgroup == "asks"]
    if any(_is_rejecting(cue) and not _is_asked_about(sentence, cue, asked) for cue in governing):
        return "rejected"
    if any(found.start("denied") <= at and until <= found.end("denied") for found in _INSTEAD.finditer(sentence)):
        return "rejected"
    if asked or _OPENS.match(text[:60]) or text[high : high + 1] in {"?", "？"}:
        return "asked"
    return "reported" if governing else "held"


def _is_rejecting(cue: "re.Match[str]") -> bool:
    return cue.lastgroup in {"before", "after", "here"}


def _is_asked_about(text: str, cue: "re.Match[str]", asked: "list[re.Match[str]]") -> bool:
    return any(one.end() <= cue.start() and not _CLAUSE_END.search(text, one.end(), cue.start()) for one in asked)


def _governs(sentence: str, cue: "re.Match[str]", start: int, end: int) -> bool:
    """Whether a cue says how a sentence stands to the words from `start` to `end`."""
    shares_clause = not _CLAUSE_END.search(sentence, min(cue.end(), end), max(cue.start(), start))
    if shares_clause:
        return True
    if cue.lastgroup == "before":
        return start < cue.start()
    if cue.lastgroup == "here":
        return False
    if cue.lastgroup == "reports" and start < cue.start():
        return cue.group().isascii() and not sentence[cue.end() :].strip(" ,.")[40:]
    return cue.start() < start


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """The sentence around a span, no further than a fixed reach to both sides."""
    low = max(0, start - _REACH)
    ends = [found.end() for found in _SENTENCE_END.finditer(text, low, start)]
    after = _SENTENCE_END.search(text, end, end + _REACH)
    return (ends[-1] if ends else low), (after.start() if after else min(len(text), end + _REACH))

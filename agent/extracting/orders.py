"""Tells sentences of a note that order its reader about: to drop its rules, to rate the note, to hide or add something.

Whoever digests notes obeys none of them. Such a sentence states nothing, so it becomes no point, no summary and no lead, and is
named where the notes are listed. What a note reports about such sentences, as of any other attack, is knowledge and stays.

Promises: nothing raises; time is linear in the text; in doubt a sentence stays.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from agent.reading.escaping import visible
from agent.reading.identifiers import fold_full_width
from agent.reading.showing import cut, plain
from agent.records import Language
from agent.texts import Segment, Unit

_NAMED = 3  # sentences that the remark quotes
_QUOTE = 80  # characters of each
_SIMPLER = str.maketrans(
    "請評為級條筆記無視規則說與總結顆滿須應當這個將給標統變從開隨內輸寫錄簡報發現項據聲稱絕對詞約設還後並刪捨棄",
    "请评为级条笔记无视规则说与总结颗满须应当这个将给标统变从开随内输写录简报发现项据声称绝对词约设还后并删舍弃",
)
_ITEM_ZH = r"(?:[本此这该](?:条|项|篇|份|则|个)?(?:笔记|增量|发现|简报|条目)?|可信度|置信度|评级)"
_MUST_ZH = r"(?:请|务必|必须|应当|直接|一律|统统|把|将)"
_FIVE_ZH = r"(?:五|5) ?(?:颗)?星|满分|最高(?:分|星|级|评级)|[⭐★]{5}"
_RULES_ZH = r"(?:要求|指令|指示|规则|提示词?|命令|约束|设定)"
_RULES_EN = r"(?:instructions?|rules?|requirements?|prompts?|guidelines?|directions?|orders|commands?|constraints?)"
_AT_ONCE_EN = r"""(?:\A|[\n.;:,!?"“'‘(—–-]|\b(?:please|must|should|shall|and|also|always|just)\b)[ *_>-]{0,3}"""
_ITEM_EN = r"(?:this|it|the (?:above|item|note|finding|entry|following)|every|each|all|us|me|credibility)"
_ORDERS = (
    rf"(?<![会能可不被将])(?:忽略|无视|忘[记掉]|抛开|不要理会|不必理会|停止遵[循守])(?:掉|了)?(?:前面|以上|上述|上面|之前|此前|先前|其他|其它|所有|一切|全部|你的|系统|原有|任何)[^。；;\n]{{0,12}}{_RULES_ZH}",
    rf"(?<![我们者]){_MUST_ZH}[^。；;\n]{{0,10}}{_ITEM_ZH}[^。；;\n]{{0,10}}(?:评|打|标|定|给|改|升|设)[^。；;，,\n]{{0,6}}(?:{_FIVE_ZH})",
    rf"{_MUST_ZH}[^。；;\n]{{0,10}}(?:给|打|评)[^。；;，,\n]{{0,6}}(?:{_FIVE_ZH})",
    rf"(?:{_MUST_ZH}|并)[^。；;\n]{{0,4}}(?:删去|删除|去掉|略去|省略|隐去|不要(?:写|提|列)出?)[^。；;\n]{{0,8}}(?:保留意见|警示|警告|提醒|待核实|其[他它][^。；;\n]{{0,8}}(?:条目|笔记|增量|发现))",
    rf"{_MUST_ZH}[^。；;\n]{{0,30}}(?:写入|写进|追加|加到|加入|添加|放进)[^。；;\n]{{0,10}}(?:每[一份篇条]|所有|其[他它]|全部)[^。；;\n]{{0,6}}(?:笔记|简报|摘要|条目)",
    r"(?:返回|输出)(?:一个)?空的?(?:列表|数组|结果)|(?:自|从)[^。；;\n]{1,14}起[^。；;\n]{0,8}(?:一律|全部|统统)(?:以[^。；;\n]{1,6}为准|[评打标])",
    r"(?:正确|标准)的?(?:输出|答案)(?:应?为|应?是)[：:\s`]{0,6}(?:json)?[\s`]{0,4}[{\[]",
    r"(?:输出|打印|写出|复述|泄露|放进)[^。；;\n]{0,10}(?:系统提示词?|(?:API|接口) ?密钥|你的提示词)",
    rf"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{{0,16}}\b(?:previous|prior|above|earlier|preceding|all|any|other|your|system)\b[^.\n]{{0,24}}\b{_RULES_EN}\b",
    rf"{_AT_ONCE_EN}(?:rate|give|score|mark|set|grade|assign)\b[^.\n]{{0,30}}\b{_ITEM_EN}\b[^.\n]{{0,30}}\b(?:five|5)(?:[ -]stars?\b|/5|\W{{0,2}}out of)",
    r"\brate(?: it)? (?:five stars|5 stars|5/5)\b[^.\n]{0,30}\b(?:omit|drop|remove|hide|delete)\b",
    rf"{_AT_ONCE_EN}(?:omit|drop|remove|hide|delete)\b[^.\n]{{0,16}}\b(?:cautions?|caveats?|warnings?|reservations?)\b",
    rf"{_AT_ONCE_EN}(?:delete|remove|drop|discard|mark)\b[^.\n]{{0,24}}\b(?:all|every|each|other)\b[^.\n]{{0,16}}\b(?:items?|notes?|findings?|entries|increments?) (?:of|from|by)\b",
    rf"{_AT_ONCE_EN}rate\b[^.\n]{{1,20}}\b(?:[1-5]|one|two|three|four|five)[ -]stars?\b",
    rf"{_AT_ONCE_EN}(?:append|add|write|insert|include|copy|repeat)\b[^.\n]{{0,8}}\b(?:this|the following) (?:line|sentence|text|caution|paragraph)\b",
    rf"{_AT_ONCE_EN}(?:return|output|reply with|answer with)\b[^.\n]{{0,6}}\b(?:an? empty|no) (?:list|array|result)|\bthe correct (?:output|answer|reply) is[:\s`]{{0,6}}(?:json)?[\s`]{{0,4}}[{{\[]",
    rf"{_AT_ONCE_EN}(?:put|print|reveal|output|show|include|leak|send)\b[^.\n]{{0,16}}\b(?:system prompt|api key|other notes)\b",
    r"\A\W{0,8}(?:系统消息|系统(?:提示|指令)更新|system message|system prompt update|role ?: ?[\"']?system\b)",
    r"\A\W{0,8}(?:系统(?:提示|指令)?|system(?: prompt)?) ?[】\])：:][^\n]{0,40}(?:\byou\b|\bobey|必须|以本文|遵[守循照]|一律)",
    rf"{_MUST_ZH}(?:[这那下本](?:一|面|列)?|以下|如下)[^。；;\n]{{0,2}}[句行段条话][^。；;\n]{{0,6}}(?:追加|写|加|插)(?:到|入|进)",
    r"\A\W{0,8}<\|(?:im_start|im_end|system|start_header_id|eot_id)\|>",
    r"\A[\s=*#<>—–-]{0,8}(?:(?:笔记|文档|正文)(?:到此)?结束|end of (?:the )?(?:notes?|document|input))[\s=*#<>—–.。-]{0,8}\Z",
)
# One of these stands in every order: what has none need not be searched.
_HINTS = (
    *"忽略 无视 忘记 忘掉 抛开 理会 停止遵 星 满分 最高 ⭐ ★ 删去 删除 去掉 略去 省略 隐去 不要 写到 写入 写进 追加 加到 加入 加进 添加".split(),  # noqa: SIM905  # a list of words reads as words
    *"放进 插到 插入 插进 空列 空的 空数 空结 一律 统统 全部 答案 输出 系统 密钥 提示词 结束".split(),  # noqa: SIM905  # a list of words reads as words
    *"ignore disregard forget override bypass five star /5 caution caveat warning reservation delete remove drop discard mark".split(),  # noqa: SIM905  # a list of words reads as words
    *("this", "the following", "empty", "no ", "correct", "system", "api key", "other notes", "end of", "<|"),
)
_ORDER = re.compile("|".join(_ORDERS), re.IGNORECASE)
# What tells of such sentences, as a finding about attacks does.
_ABOUT = re.compile(
    r"注入|攻击|越狱|红队|对抗|诱导|劫持|防御|护栏|检测|样本|载荷|投毒|恶意"
    r"|\b(?:prompt injection|inject\w{0,4}|attack\w{0,4}|jailbreak\w{0,4}|payloads?|red[- ]?team\w{0,4}|adversar\w{0,6}|guardrails?|defen[cs]es?|detect\w{0,4}"
    r"|exploit\w{0,4}|malicious|poison\w{0,4})\b",
    re.IGNORECASE,
)
_LEFT_OUT: dict[Language, tuple[str, str]] = {
    "zh": ("有 {n} 句是对读者发号施令，没有照办，也不算要点：{named}", "第 {line} 行「{quote}」"),
    "en": (
        "Sentences that order the reader about, neither obeyed nor taken as points: {n} ({named})",
        "line {line} “{quote}”",
    ),
}


def is_order(text: str, *, title: str = "") -> bool:
    """Whether a sentence orders its reader about; `title` is what it stands under, which may be a finding about just that."""
    said = fold_full_width(visible(text)).translate(_SIMPLER)
    lowered = said.lower()
    found = _ORDER.search(said) if any(hint in lowered for hint in _HINTS) else None
    if found is None:
        return False
    around = f"{said[: found.start()]} {said[found.end() :]}"
    return not _ABOUT.search(around) and not _ABOUT.search(title)


def orders_in(segments: Iterable[Segment]) -> tuple[Unit, ...]:
    """Return the units of a note that order its reader about."""
    return tuple(
        unit
        for segment in segments
        for unit in segment.units
        if unit.kind not in {"code", "front_matter"} and is_order(unit.text, title=segment.title)
    )


def without_orders(segments: Sequence[Segment], orders: Sequence[Unit]) -> tuple[Segment, ...]:
    """Return segments without some units; one of which nothing is left is left out."""
    numbers = {unit.number for unit in orders}
    if not numbers:
        return tuple(segments)
    left = ((one, tuple(unit for unit in one.units if unit.number not in numbers)) for one in segments)
    return tuple(
        replace(one, units=units, heading=one.heading if one.heading in units else None) for one, units in left if units
    )


def left_out(orders: Sequence[Unit], language: Language) -> str:
    """Say for the list of notes which sentences were left out."""
    form, quoted = _LEFT_OUT[language]
    named = [quoted.format(line=unit.line, quote=cut(plain(visible(unit.text)), _QUOTE)) for unit in orders[:_NAMED]]
    more = [f"+{len(orders) - _NAMED}"] if len(orders) > _NAMED else []
    return form.format(n=len(orders), named=("、" if language == "zh" else ", ").join([*named, *more]))

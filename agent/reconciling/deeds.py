"""What happened, by words of both languages: who told of one event in two headlines seldom chose the same words.

Some deeds happen once to a thing (it is bought, closed, renamed), some with every release.

Promises: pure; time is linear in the text.
"""

import functools
import re

from agent.reconciling.wordlists import any_of

_ONCE = {
    "buy": r"收购|并购|买下|\b(?:acquir(?:es?|ed|ing)|acquisition|buys|bought|buying|takes over)\b",
    "close": (
        r"关停|停服|下线|停止(?:服务|运营|供应)|退役|停运"
        r"|\b(?:shuts? down|shutting down|closes|closing|discontinu\w{1,4}|switch(?:es)? off|end of|sunset\w{0,4}|goes dark|retir(?:es?|ed|ing))\b"
    ),
    "open": r"开源|开放权重|权重(?:已|全部)?放出|\b(?:open[- ]sourc\w{1,3}|is open|open weights|opens up)\b",
    "license": r"许可证|改许可|换许可|\b(?:re)?licen[cs]\w{1,4}\b",
    "outage": r"故障|宕机|服务中断|事故|\b(?:outage|incident|unreachable|downtime|post-?mortem)\b",
    "fund": r"融资|\b(?:funding|series [a-e]|raises)\b",
    "join": r"合并|并入|\bmerges? with\b",
    "sue": r"起诉|诉讼|\b(?:sues?|lawsuit|court)\b",
    "rename": r"更名|改名|\brenam\w{1,3}\b",
    "retract": r"撤回|撤稿|更正|\b(?:retract|withdr[ae]w)\w{0,4}\b",
    "breach": r"泄露|入侵|被黑|\b(?:breach|hacked|leaked)\w{0,2}\b",
    "ban": r"封禁|禁用|\b(?:bans?|banned)\b",
    "delay": r"推迟|延期|跳票|\b(?:delay|postpon)\w{1,3}\b",
    "appoint": r"任命|出任|\b(?:appoint|hire)\w{1,3}\b",
    "leave": r"离职|辞任|卸任|\b(?:resigns?|steps down|departs)\b",
    "maintain": r"维护模式|停止维护|\b(?:maintenance mode|unmaintained)\b",
    "partner": r"合作|联手|\b(?:partners?|partnership|teams up)\b",
}
_OFTEN = {
    "release": r"发布|推出|上线|公布|\b(?:releas\w{1,3}|launch\w{0,3}|ships|is out|put out)\b",
    "support": r"支持|新增|加入|\b(?:supports?|adds?|added)\b",
    "fix": r"修复|修正|\b(?:fix(?:es|ed)?|no longer)\b",
    "price": r"降价|涨价|价格|定价|\b(?:pric(?:e|es|ing)|cheaper|charges)\b",
    "default": r"默认|\bdefault\b",
    "drop": r"弃用|移除|去掉|\b(?:deprecat\w{1,3}|drops|removes?|removed)\b",
}
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905  # a list of words reads as words
_MONTH = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_DAY = re.compile(
    rf"(?P<month>\d{{1,2}})\s?月\s?(?P<day>\d{{1,2}})\s?日|(?P<day_first>\d{{1,2}})\s(?P<name>{_MONTH})[a-z]{{0,6}}\b"
    rf"|\b(?P<named>{_MONTH})[a-z]{{0,6}}\s(?P<day_last>\d{{1,2}})(?!\d|[.,]\d)"
)
_CLOCK = re.compile(r"(?<![\d.:-])([01]?\d|2[0-3]):([0-5]\d)(?![\d:]|\.\d)")
_DEED = re.compile(any_of({**_ONCE, **_OFTEN}))


@functools.lru_cache(maxsize=16384)
def deeds_in(text: str) -> frozenset[str]:
    """Return what happened, by names."""
    return frozenset(match.lastgroup or "" for match in _DEED.finditer(text))


@functools.lru_cache(maxsize=4096)
def days_in(text: str) -> frozenset[tuple[int, int]]:
    """Return the days that a text names, as month and day."""
    found: set[tuple[int, int]] = set()
    for date in _DAY.finditer(text):
        name = (date["name"] or date["named"] or "").lower()
        if date["month"]:
            found.add((int(date["month"]), int(date["day"])))
        elif name in _MONTHS:
            found.add((_MONTHS.index(name) + 1, int(date["day_first"] or date["day_last"])))
    return frozenset(found)


@functools.lru_cache(maxsize=4096)
def clocks_in(texts: tuple[str, ...]) -> frozenset[tuple[int, int]]:
    """Return the times of the day that texts name ("21:40"), as hour and minute."""
    said = "\n".join(texts).replace("：", ":")
    return frozenset((int(hour), int(minute)) for hour, minute in _CLOCK.findall(said)) if ":" in said else frozenset()


def happen_once(deeds: frozenset[str]) -> frozenset[str]:
    """Return those of the deeds that happen once to a thing."""
    return deeds & _ONCE.keys()

"""Writes the numbers of a text in digits, so that both languages give the same figures.

Numbers of two characters and more are written so ("三万八千", "六千一", "百分之二十"), and single ones before a unit ("三小时"); where
they are vague ("一千多") they stay.

Promises: pure; lines stay lines; time is linear in the text.
"""

import re

_CHANGE = re.compile(r"(\bfrom [$€]?\d[\d.,]{0,12} ?[A-Za-z%/]{0,8}) to (?=[$€]?\d)")
_NUMERAL = re.compile(
    r"(?<![第一二三四五六七八九十百千万亿两零〇几数统])[一二三四五六七八九十两百][一二三四五六七八九十百千万亿两零〇]{1,8}(?![多余来几])"
)
_CHINESE_NUMBER = re.compile("[一二三四五六七八九两十百][一二三四五六七八九十百千万亿成]|百分之")
_PERCENT = re.compile(r"百分之(\d+|[一二三四五六七八九十百两零点]{1,7})")
_TENTHS = re.compile(r"([一二三四五六七八九两])成(?![立功本为员果熟长分就型都交])")
_ONE_NUMERAL = re.compile(
    r"(?<![第一二三四五六七八九十百千万亿两零〇几数统单唯])[一二两三四五六七八九十](?=\s?(?:小时|分钟|秒|天|周|个月|倍|个?节点|[张台]|个租户|个种子|轮)(?![多余来]))"
)
_NUMERALS = {"两": 2, "零": 0, "〇": 0} | {digit: value for value, digit in enumerate("一二三四五六七八九", 1)}
_MYRIADS = {"万": 10_000, "亿": 100_000_000}
_POWERS = {"十": 10, "百": 100, "千": 1000}


def in_digits(text: str) -> str:
    """Write the Chinese numbers of a text in digits, and "from 5 to 6" with an arrow, which is no range."""
    if _CHINESE_NUMBER.search(text):
        text = _PERCENT.sub(lambda match: f"{_numeral_of(match[1])}%", text)
        text = _TENTHS.sub(lambda match: f"{_NUMERALS[match[1]]}0%", text)
        text = _NUMERAL.sub(_numeral, text)
    text = _ONE_NUMERAL.sub(lambda match: "10" if match[0] == "十" else str(_NUMERALS[match[0]]), text)
    return _CHANGE.sub(r"\1 → ", text) if " to " in text else text


def _numeral(match: "re.Match[str]") -> str:
    """A Chinese number in digits ("三万八千", "六千一"); what is none stays ("一千多", "十一" does not)."""
    return _numeral_of(match[0]) if any(char in _POWERS or char in _MYRIADS for char in match[0]) else match[0]


def _numeral_of(digits: str) -> str:
    whole, _, fraction = digits.partition("点")
    if whole.isascii():
        return digits
    if fraction:
        return f"{_numeral_of(whole)}.{''.join(str(_NUMERALS.get(char, '')) for char in fraction)}"
    total = part = digit = 0
    power = 1
    for char in digits:
        if char in _NUMERALS:
            digit = _NUMERALS[char]
            power = 1 if char in "零〇" else power
        elif char in _MYRIADS:
            total, part, digit, power = (total + part + digit or 1) * _MYRIADS[char], 0, 0, _MYRIADS[char]
        else:
            part, digit, power = part + (digit or 1) * _POWERS[char], 0, _POWERS[char]
    return str(total + part + digit * max(1, power // 10))

"""Which version, day or licence: two findings on one thing that say it of different ones.

Promises: pure and symmetric; nothing is said of a version that a text only tells from the right one ("2.4.1 still has it").
"""

import re
from collections import defaultdict
from collections.abc import Mapping

from agent.checking.dispute import Dispute
from agent.checking.stance import stance_of
from agent.reading.identifiers import fold_full_width
from agent.reconciling.clauses import clauses_in
from agent.reconciling.contrasts import are_contrasted, names_another
from agent.reconciling.likeness import words_in_common
from agent.reconciling.told import Told, are_code_and_weights, are_of_other_times, days_in, disputed, is_one_matter

_ALIKE = 1.0  # what words in common add up to where two texts speak of one product
_FULL_DATE = re.compile(
    r"(?<![\d.-])(20\d\d)\s?[-/.年]\s?(1[0-2]|0?[1-9])\s?[-/.月]\s?(3[01]|[12]\d|0?[1-9])(?![\d.]|-\d)"
)
_LICENCE = re.compile(
    r"(?<![A-Za-z0-9-])(?:(?P<apache>Apache(?:[- ]?(?:License )?2(?:\.0)?)?)|(?P<mit>MIT)(?= licen|[- ]?许可|(?![A-Za-z-]))|(?P<agpl>AGPL(?:-?v?3(?:\.0)?)?)|(?P<lgpl>LGPL(?:-?v?[23](?:\.[01])?)?)|(?P<gpl>GPL(?:-?v?[23](?:\.0)?)?)|(?P<bsd>BSD(?:-[234]-Clause)?)|(?P<mpl>MPL(?:-2\.0)?)|(?P<bsl>BUSL|BSL(?:-?1\.1)?)|(?P<sspl>SSPL)|(?P<ccby>CC[- ]BY(?:-(?:NC|SA|ND)){0,2}))(?![A-Za-z])"
)
_LICENCE_NAME = re.compile(r"apache|mit|[al]?gpl|bsd|mpl|bu?sl|sspl|cc(?:by)?", re.IGNORECASE)
_LICENSED = re.compile(r"licen[cs]|许可|协议|开源|授权", re.IGNORECASE)
_DEEDS = {
    "fixed": r"(?:已?修复|修正|修掉|修好|解决|\bfix(?:ed|es)?\b)",
    "removed": r"(?:删除|移除|去掉|删掉|废除|\b(?:remov(?:es?|ed|al)|drops?|dropped|deletes?|deleted)\b)",
    "needed": r"(?:需要|要求|最低|至少|起支持|及以上|\b(?:requires?|needs?|at least|minimum|or (?:later|newer))\b)",
    "deprecated": r"(?:废弃|弃用|不推荐使用|\bdeprecat(?:es?|ed|ion)\b)",
    "newest": r"(?:最新(?:稳定)?版本?|\b(?:latest|newest)\b)",
    "added": r"(?:新增|加入|引入|开始支持|\b(?:adds?|added|introduc(?:es|ed)|since|first shipped)\b)",
    "supported": r"(?:支持(?:从|自|始于)|(?:起|后|开始)(?:才|就|便)?支持|(?:自|从)\s?[vV]?\d[\d.]{0,8}\s?(?:版本?)?(?:起|开始)|\bsupported (?:from|since|as of)\b|\bfrom (?:version )?[vV]?\d[\d.]{0,8} (?:on|onwards?)\b)",
}
_DEED = re.compile("|".join(f"(?P<{name}>{words})" for name, words in _DEEDS.items()), re.IGNORECASE)
_VERSIONED = re.compile(r"(?<![\w.,/-])[vV]?(\d{1,4}(?:\.\d{1,4}){1,3})(?![\w.]*\d|\s?[%×xX倍秒年月])")
_NEEDED_NUMBER = re.compile(
    r"(?:驱动|内核|版本|driver|kernel|version|CUDA|Python)\D{0,6}?(\d{2,4}(?:\.\d{1,4}){0,2})", re.IGNORECASE
)
_STILL = re.compile(
    r"仍|还(?:有|在|是)|依旧|最后一个|保留|(?<![a-z])(?:still|last|keeps?|until|below|before)(?![a-z])", re.IGNORECASE
)


def which_version(one: Told, other: Told) -> Dispute | None:
    """One deed that is said of two versions: what is fixed, removed, needed or new."""
    mine, theirs = _done(one), _done(other)
    for deed in sorted(mine.keys() & theirs.keys()):
        here, there = mine[deed], theirs[deed]
        texts = _settled(one.traits.texts), _settled(other.traits.texts)
        is_fit = (is_one_matter(one, other) or _is_one_change(one, other, (here, there))) and not are_contrasted(*texts)
        if deed == "newest":  # it moves on from day to day
            is_fit = one.traits.day == other.traits.day and words_in_common(one.traits, other.traits) >= _ALIKE
        if here.keys().isdisjoint(there) and is_fit:
            sides = one.where("\n".join(here.values()).split("\n")), other.where("\n".join(there.values()).split("\n"))
            return disputed("which-version", "version", (one, other), sides, (deed, *sorted((*here, *there))))
    return None


def _is_one_change(one: Told, other: Told, done: tuple[Mapping[str, str], Mapping[str, str]]) -> bool:
    """Whether texts of two languages are both about one thing, name a second one alike, and each one version of the change."""
    is_abroad = one.traits.is_chinese != other.traits.is_chinese
    is_one = is_abroad and bool(one.names & other.names) and all(len(side) == 1 for side in done)
    return is_one and words_in_common(one.traits, other.traits) >= _ALIKE


def _settled(texts: tuple[str, ...]) -> tuple[str, ...]:
    """The clauses but for those that tell how it was before."""
    return tuple(clause for clause in clauses_in(texts) if not _STILL.search(clause))


def _done(told: Told) -> Mapping[str, dict[str, str]]:
    """What is said of versions: the deed, and each version with its clause."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for clause in clauses_in(tuple(place.quote for place in told.places)):
        folded = fold_full_width(clause)
        deeds = list(_DEED.finditer(folded))
        for deed in deeds:
            kind = deed.lastgroup or ""
            numbers = list(_VERSIONED.finditer(folded)) or (
                list(_NEEDED_NUMBER.finditer(folded)) if kind == "needed" else []
            )
            numbers = [number for number in numbers if not _STILL.search(folded[number.end() : number.end() + 8])]
            if numbers and stance_of(clause) == "held":
                near = min(numbers, key=lambda number: abs(number.start(1) - deed.start()))
                before = found[kind].get(near[1])
                found[kind][near[1]] = f"{before}\n{clause}" if before else clause
    return found


def which_day(one: Told, other: Told) -> Dispute | None:
    """Two days to come of which each text gives one."""
    found = []
    for told in (one, other):
        days = {tuple(map(int, match.groups())): match.group() for match in _FULL_DATE.finditer(told.text)}
        today = told.traits.day
        coming = {day: said for day, said in days.items() if today and day > (today.year, today.month, today.day)}
        if not coming and not days:  # the year is left out
            coming = {day: _of_day(told, day) for day in told.days if today and day > (today.month, today.day)}
        if len(coming) != 1:
            return None
        found.append(next(iter(coming.items())))
    (day, said), (another, also) = found
    if len(day) != len(another):
        return None
    if day == another or are_of_other_times(one, other) or not is_one_matter(one, other):
        return None
    sides = one.where([said]), other.where([also])
    return disputed("value", "value", (one, other), sides, sorted((str(day), str(another))))


def _of_day(told: Told, day: tuple[int, int]) -> str:
    """The clause that names a day."""
    return next(
        (clause for place in told.places for clause in clauses_in((place.quote,)) if day in days_in(clause)), ""
    )


def which_licence(one: Told, other: Told) -> Dispute | None:
    """Two licences of one thing of which each text gives one."""
    found = [
        {match.lastgroup or "": match.group() for match in _LICENCE.finditer(told.text)}
        if _LICENSED.search(told.text)
        else {}
        for told in (one, other)
    ]
    if any(len(said) != 1 for said in found) or found[0].keys() == found[1].keys() or not _are_of_one_thing(one, other):
        return None
    if are_code_and_weights(one, other):
        return None
    sides = one.where(found[0].values()), other.where(found[1].values())
    return disputed("value", "value", (one, other), sides, sorted((*found[0], *found[1])))


def _are_of_one_thing(one: Told, other: Told) -> bool:
    """Whether two texts name the same things, licences aside, in the same versions."""
    said = [_LICENCE.sub(" ", told.text) for told in (one, other)]
    if names_another(said[0], other.text) or names_another(said[1], one.text):
        return False
    mine, theirs = one.traits.versions, other.traits.versions
    named = (name for name in mine.keys() & theirs.keys() if name and not _LICENCE_NAME.fullmatch(name))
    return not any(set(mine[name]).isdisjoint(theirs[name]) for name in named)

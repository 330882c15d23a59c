"""Finds what one text took over from another: long stretches of wording, also where a word or a number was changed, and slips.

Names, figures, addresses and identifiers are no wording: whoever writes about a thing has them. A slip is a word or a figure
that two texts share and that others, or both of them elsewhere, write otherwise: independent hands do not slip alike.

Promises: near-linear in the texts together, never all pairs; the same texts in the same order give the same pairs.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agent.reading.measures import find_measures, linked_ratios
from agent.reading.quantities import canonical_unit

_NO_WORDING = re.compile(r"https?://[!-~]+|[\w./-]{1,200}\.md\b|\b\d{4}\.\d{4,5}(?:v\d{1,2})?\b")
_TOKEN = re.compile(r"[A-Za-z]+|\d+(?:[.,]\d+)*|[^\W\d_]")
_MOST_TOKENS = 2000  # of one quote that are looked at

_SHINGLE = 4  # tokens
_OWNERS = 4  # quotes that are remembered as having one shingle
_WIDE_WEIGHT = 3  # letters that a Chinese character counts for
_SAME = 40  # weight from which all that two texts say is no coincidence where it is the same, names and figures counted
_REPEATED = 30  # weight of wording in a quote that is repeated to the letter; test conditions are often written alike
_STRETCH = 45  # weight of wording in one piece
_RUN = 15  # weight from which a piece counts at all
_ALTERED = 36  # weight of all pieces together, in a quote that was taken over with changes ...
_SHARE = 0.7  # ... and their share of the shorter quote

_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z]{7,40}(?![A-Za-z])")
_FIGURE = re.compile(r"(?<![\w.,-])\d[\d,]*(?:\.\d+)?(?![\w-])")
_DIGITS = 4  # of a figure from which two are not alike by chance
_ENDING = 2  # letters in which words of one stem differ
_VARIES = "ule"  # "behaviour", "labelled", "judgement": letters that one way to spell English has more


class Copied(NamedTuple):
    """The later of two texts has wording of the earlier: their positions, and the quotes that show it."""

    later: int
    earlier: int
    quote: str
    source: str


@dataclass(frozen=True, slots=True)
class _Quote:
    text: int
    said: str
    tokens: tuple[str, ...]
    weights: tuple[int, ...]  # as wording: names and figures weigh nothing

    @property
    def weight(self) -> int:
        return sum(self.weights)


class _Run(NamedTuple):
    """A piece that two quotes have in common: where it begins and ends in the later one, and what it weighs."""

    start: int
    end: int
    weight: int


def copied(texts: Sequence[Sequence[str]]) -> Iterator[Copied]:
    """Yield which texts carry wording of an earlier one.

    Args:
        texts: the quotes of each text, the earliest text first. For each quote that was taken over the text is named that has
            most of it, the earliest of equals.
    """
    whole: dict[str, int] = {}
    owners: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    quotes: list[_Quote] = []
    for position, said in enumerate(texts):
        everything = same_letters("".join(said))
        if _weighs(everything) >= _SAME and whole.setdefault(everything, position) != position:
            yield Copied(position, whole[everything], said[0], texts[whole[everything]][0])
        own = [_quote(position, one) for one in dict.fromkeys(said)]
        for quote in own:
            source = _source(quote, quotes, owners)
            if source is not None:
                yield Copied(position, source.text, quote.said, source.said)
        for quote in own:
            _remember(quote, len(quotes), owners)
            quotes.append(quote)


def same_letters(text: str) -> str:
    """Return a text without all that rewriting it would change first: case, spaces, punctuation."""
    return "".join(char for char in text.casefold() if char.isalnum())


def _weighs(letters: str) -> int:
    return len(letters) if letters.isascii() else sum(1 if char < "\u2e80" else _WIDE_WEIGHT for char in letters)


def _quote(position: int, said: str) -> _Quote:
    plain = unicodedata.normalize("NFKC", said) if not said.isascii() else said
    words = _TOKEN.findall(_NO_WORDING.sub(" ", plain))[:_MOST_TOKENS]
    return _Quote(position, said, tuple(map(_folded, words)), tuple(map(_weight, words)))


def _folded(word: str) -> str:
    return "0" if word[0].isdigit() else word.casefold()


def _weight(word: str) -> int:
    if not word.isascii():
        return _WIDE_WEIGHT if word >= "\u2e80" else 1
    return len(word) if word.islower() else 0


def _remember(quote: _Quote, number: int, owners: dict[tuple[str, ...], list[tuple[int, int]]]) -> None:
    for at in range(len(quote.tokens) - _SHINGLE + 1):
        known = owners.setdefault(quote.tokens[at : at + _SHINGLE], [])
        if len(known) < _OWNERS and not (known and known[-1][0] == number):
            known.append((number, at))


def _source(
    quote: _Quote, quotes: Sequence[_Quote], owners: Mapping[tuple[str, ...], Sequence[tuple[int, int]]]
) -> _Quote | None:
    """Return the quote of an earlier text that this one was taken from."""
    runs: dict[int, list[_Run]] = defaultdict(list)
    going: dict[tuple[int, int], int] = {}  # by quote and offset between the two: where the piece began
    ended: dict[tuple[int, int], int] = {}
    for at in range(len(quote.tokens) - _SHINGLE + 1):
        for number, other in owners.get(quote.tokens[at : at + _SHINGLE], ()):
            key = number, at - other
            if ended.get(key) != at - 1:
                if key in going:
                    runs[number].append(_run(quote, quotes[number], going[key], ended[key], key[1]))
                going[key] = at
            ended[key] = at
    for key, start in going.items():
        runs[key[0]].append(_run(quote, quotes[key[0]], start, ended[key], key[1]))
    taken = [(weight, -number) for number, own in runs.items() if (weight := _taken(quote, quotes[number], own))]
    return quotes[-max(taken)[1]] if taken else None


def _run(quote: _Quote, other: _Quote, start: int, last: int, offset: int) -> _Run:
    end = last + _SHINGLE
    pairs = zip(quote.weights[start:end], other.weights[start - offset : end - offset], strict=True)
    return _Run(start, end, sum(map(max, pairs)))


def _taken(quote: _Quote, other: _Quote, runs: Sequence[_Run]) -> int:
    """Return the weight of what a quote has of another, 0 where that is no more than chance."""
    telling = sorted(run for run in runs if run.weight >= _RUN)
    covered = end = 0
    for run in telling:
        width = run.end - max(run.start, end)
        covered += run.weight * max(0, width) // (run.end - run.start)
        end = max(end, run.end)
    longest = max((run.weight for run in telling), default=0)
    shorter = max(1, min(max(quote.weight, covered), max(other.weight, covered)))
    is_altered = covered >= _ALTERED and covered >= _SHARE * shorter
    is_same = covered >= _REPEATED and same_letters(quote.said) == same_letters(other.said)
    return covered if longest >= _STRETCH or is_altered or is_same else 0


def slips(texts: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of texts, given as their quotes, that share a slip, the later first: each with the earliest that has it.

    A slip is a word or a figure that others write otherwise, or a ratio that its own two numbers do not give.
    """
    words = _having(texts, lambda quote: (match.group().casefold() for match in _WORD.finditer(quote)))
    figures = _having(texts, lambda quote: (match.group().replace(",", "") for match in _FIGURE.finditer(quote)))
    ratios = _having(texts, _false_ratios)
    shared = [words[word] for word in _misspelt(words)]
    shared += [figures[figure] for figure in _miscopied(figures)]
    shared += ratios.values()
    pairs = {(other, first) for first, *others in shared for other in others}
    yield from sorted(pairs)


def _having(texts: Sequence[Sequence[str]], read: Callable[[str], Iterable[str]]) -> dict[str, list[int]]:
    """Return which texts have what is read out of their quotes."""
    having: dict[str, list[int]] = defaultdict(list)
    for position, quotes in enumerate(texts):
        for form in dict.fromkeys(form for quote in quotes for form in read(quote)):
            having[form].append(position)
    return having


def _misspelt(having: Mapping[str, Sequence[int]]) -> Iterator[str]:
    """Yield the words that at least two texts share where more have another spelling, or all of these have both.

    Then one of the two is a slip, whichever it is.
    """
    shared = [word for word, places in having.items() if len(places) > 1]
    alike: dict[str, list[str]] = defaultdict(list)
    for word in having if shared else ():
        for key in _word_keys(word):
            alike[key].append(word)
    for word in shared:
        places = frozenset(having[word])
        others = {other for key in _word_keys(word) for other in alike[key] if _is_misspelling(word, other)}
        if any(len(having[other]) > len(places) or places <= frozenset(having[other]) for other in others):
            yield word


def _word_keys(word: str) -> set[str]:
    """What two words share of which one has two letters swapped, or a letter more, but not at its ends."""
    return {word, *(word[:at] + word[at + 1 :] for at in range(1, len(word) - 2))}


def _is_misspelling(one: str, other: str) -> bool:
    """Whether one of two words is the other with a slip, and neither an inflection of it nor its British form."""
    if len(one) == len(other):
        at = [place for place, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]]
        return len(at) == 2 and at[1] == at[0] + 1 and one[at[0]] + one[at[1]] == other[at[1]] + other[at[0]]
    short, long = sorted((one, other), key=len)
    missing = next((place for place, char in enumerate(short) if char != long[place]), len(short))
    is_one_letter = short[missing:] == long[missing + 1 :]
    is_ending = missing >= len(short) - _ENDING
    return is_one_letter and not is_ending and long[missing] not in _VARIES


def _miscopied(having: Mapping[str, Sequence[int]]) -> Iterator[str]:
    """Yield the figures that at least two texts share where more have the same digits with two neighbours swapped."""
    alike: dict[str, list[str]] = defaultdict(list)
    for figure in having:
        if sum(map(str.isdigit, figure)) >= _DIGITS:
            alike["".join(sorted(figure))].append(figure)
    for figures in alike.values():
        for figure in figures:
            rivals = (other for other in figures if len(having[other]) > len(having[figure]) > 1)
            if any(_is_misspelling(figure, other) for other in rivals):
                yield figure


def _false_ratios(quote: str) -> Iterator[str]:
    """Yield the ratios that a quote states for two numbers that do not give them."""
    for link in linked_ratios(find_measures(quote), quote):
        if not link.holds:
            yield f"{link.left.value:g} {link.right.value:g} {link.ratio.value:g}{canonical_unit(link.ratio.unit)}"

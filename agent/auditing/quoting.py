"""Judges a quotation against the text that it is said to come from.

Promises: `exact`, `folded` and `elided` are said only where the text bears the quotation out: no digit, sign, unit, negation,
comparator, identifier, version or name differs, no word or figure is cut through, and nothing that turns the meaning was
left out or stands right before. Offsets are into the text as given. Nothing raises; time is near linear in the text, which is
prepared once and held against many quotations.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from rapidfuzz.distance import LCSseq

from agent.auditing.folding import Folded, fold
from agent.auditing.turning import Turn, turn_between, turns_behind, turns_within, turns_without

Status = Literal[
    "exact",  # letter by letter
    "folded",  # Unicode form, width, quotation marks, markup, punctuation, wraps or bullets differ
    "elided",  # parts of it in order and near each other, with nothing left out that turns the meaning
    "altered",  # near, but something differs that it stands or falls with
    "absent",  # not there in these words; where it comes near all the same, the place is given
]

_TOKEN = re.compile(
    r"[0-9]+(?:[.,:][0-9]+)*|[A-Za-z]+(?:'[a-z]{1,2}(?![a-z]))?|[\u3400-\u9fff]|(?<=[0-9])-(?=[0-9])|[^\sA-Za-z0-9\u3400-\u9fff,;:.!?()\[\]{}\"'、。《》〈〉【】〔〕-]"
)
_ELLIPSIS = re.compile(r"[\[(（【] ?(?:\.{3,6}|…{1,4}|⋯{1,4}|。{3,6}|略|snip) ?[\])）】]|\.{3,6}|…{1,4}|⋯{1,4}|。{6}")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_EDGES = ".,;:!?、。 -\"'"

_REACH = 320  # folded characters that an ellipsis may stand for
_PLACES = 400  # occurrences of a quotation, or of its first part, that are looked at
_HITS = 48  # places of a pair of tokens that are followed
_TRIED = 4  # places that are aligned
_LONGEST = 4_000  # characters of a quotation that are looked for one by one
_NEAR = 0.7  # share of tokens in common from which a passage counts as the same one, changed
_SHORT = 5  # tokens up to which one of them may differ all the same


@dataclass(frozen=True, slots=True)
class Difference:
    """What a quotation says, and what stands in its place; either may be empty, and both may stand at an edge of it."""

    turn: Turn
    quoted: str
    stands: str
    is_at_edge: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of a quotation.

    Attributes:
        start, end: where in the text it stands, or comes near; both 0 where it does not.
        difference: of an altered one what turns the meaning, else the first difference, if any.
        likeness: share of its tokens that stand there, from 0 to 1.
        differences: all places that differ, in order.
    """

    status: Status
    start: int = 0
    end: int = 0
    difference: Difference | None = None
    likeness: float = 0.0
    differences: tuple[Difference, ...] = ()

    @property
    def is_borne_out(self) -> bool:
        """Whether the quotation may count as support."""
        return self.status in {"exact", "folded", "elided"}


ABSENT = Judged("absent")


@dataclass(frozen=True, slots=True)
class _Tokens:
    """A folded text in tokens: what each says, and where it stands in the folded text."""

    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]


class Held:
    """A text prepared to be held against quotations."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded = fold(text)
        self._tokens: _Tokens | None = None
        self._pairs: dict[tuple[str, str], list[int]] = {}

    def judge(self, quote: str) -> Judged:
        """Judge a quotation against this text."""
        wanted = _wanted(quote[:_LONGEST])
        if wanted is None or len(quote) > _LONGEST:
            return ABSENT if wanted is None or quote.strip() not in self.text else self._whole(quote.strip())
        if wanted.is_cut and wanted.whole.text not in self._folded.text:
            return self._elided(wanted.parts) or self._near(wanted)
        return self._standing(wanted.folded, quote) or self._near(wanted)

    def shares(self, quote: str) -> int:
        """Return how many pairs of neighbouring tokens of a quotation stand here too."""
        wanted = _wanted(quote[:_LONGEST])
        self._index()
        return sum(pair in self._pairs for pair in set(pairwise(wanted.tokens.words))) if wanted else 0

    # --- letter by letter, and folded ---------------------------------------------------------------------------------

    def _whole(self, quote: str) -> Judged:
        start = self.text.index(quote)
        return Judged("exact", start, start + len(quote), likeness=1.0)

    def _standing(self, folded: str, quote: str) -> Judged | None:
        """The first place where a folded quotation stands uncut, else the first where something right beside turns it."""
        turned: Judged | None = None
        for start in _occurrences(self._folded.text, folded, 0, len(self._folded.text)):
            difference = self._cut(start, start + len(folded))
            place = self._folded.place(start, start + len(folded))
            if difference is None:
                return Judged(self._how(quote, *place), *place, likeness=1.0)
            turned = turned or Judged("altered", *place, difference, 1.0, (difference,))
        return turned

    def _how(self, quote: str, start: int, end: int) -> Status:
        """Whether a quotation stands there letter by letter; marks at its edges and white space around it do not count."""
        bare = quote.strip().strip(_EDGES + "，；：！？*_`“”‘’「」『』")
        return "exact" if bare in self.text[max(0, start - 8) : end + 8] else "folded"

    def _cut(self, start: int, end: int) -> Difference | None:
        """What stands right before or behind a stretch of the folded text and turns it."""
        text = self._folded.text
        before = turns_behind(text, start)
        after = None if before else turns_without(text, end)
        if before:
            turn, low = before
            return Difference(turn, "", self._original(low, start))
        if after:
            turn, high = after
            return Difference(turn, "", self._original(end, high))
        return None

    def _original(self, start: int, end: int) -> str:
        return self.text[slice(*self._folded.place(start, end))] if start < end else ""

    # --- with parts left out ------------------------------------------------------------------------------------------

    def _elided(self, parts: Sequence[str]) -> Judged | None:
        """The first place where all parts stand in order and near each other; where what is left out turns them, altered."""
        text, turned = self._folded.text, None
        for start in _occurrences(text, parts[0], 0, len(text)):
            spans = self._chain(parts, start)
            if spans is None:
                continue
            place = self._folded.place(spans[0][0], spans[-1][1])
            difference = self._turned_by_gap(spans) or self._cut_parts(spans)
            if difference is None:
                return Judged("elided", *place, likeness=1.0)
            turned = turned or Judged("altered", *place, difference, 1.0, (difference,))
        return turned

    def _chain(self, parts: Sequence[str], start: int) -> list[tuple[int, int]] | None:
        spans = [(start, start + len(parts[0]))]
        for part in parts[1:]:
            low = spans[-1][1]
            at = self._folded.text.find(part, low, low + _REACH + len(part))
            if at < 0:
                return None
            spans.append((at, at + len(part)))
        return spans

    def _cut_parts(self, spans: Sequence[tuple[int, int]]) -> Difference | None:
        return next(filter(None, (self._cut(*span) for span in spans)), None)

    def _turned_by_gap(self, spans: Sequence[tuple[int, int]]) -> Difference | None:
        for (_, end), (start, _) in pairwise(spans):
            found = turns_within(self._folded.text[end:start])
            if found:
                turn, low, high = found
                return Difference(turn, "", self._original(end + low, end + high))
        return None

    # --- near ---------------------------------------------------------------------------------------------------------

    def _near(self, wanted: "_Wanted") -> Judged:
        """The place that comes nearest, if one comes near enough."""
        here = self._index()
        best = ABSENT
        for diagonal in self._diagonals(wanted.tokens.words):
            found = _aligned(wanted, here, self, diagonal)
            if found is not None and (found.likeness, found.is_borne_out) > (best.likeness, best.is_borne_out):
                best = found
        return best

    def _index(self) -> _Tokens:
        if self._tokens is None:
            self._tokens = _tokens(self._folded.text)
            for place, pair in enumerate(pairwise(self._tokens.words)):
                places = self._pairs.setdefault(pair, [])
                if len(places) < _HITS:
                    places.append(place)
        return self._tokens

    def _diagonals(self, words: Sequence[str]) -> list[int]:
        """Where the quotation would begin, by the pairs of tokens that it shares; the best few."""
        width = max(2, len(words) // 8)
        votes = Counter[int]()
        first: dict[int, int] = {}
        for place, pair in enumerate(pairwise(words)):
            for hit in self._pairs.get(pair, ()):
                bucket = (hit - place) // width
                votes[bucket] += 2
                votes[bucket + 1] += 1
                votes[bucket - 1] += 1
                first[bucket] = min(first.get(bucket, hit - place), hit - place)
        return [first.get(bucket, bucket * width) for bucket, _ in votes.most_common(_TRIED)]


@lru_cache(maxsize=16)
def _held(text: str) -> Held:
    return Held(text)


def judge(quote: str, text: str) -> Judged:
    """Judge a quotation against a text."""
    return _held(text).judge(quote)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A quotation, folded: whole without marks at its edges, and its parts between ellipses."""

    whole: Folded
    source: str
    folded: str
    parts: tuple[str, ...]
    is_cut: bool
    tokens: _Tokens

    def original(self, start: int, end: int) -> str:
        return self.source[slice(*self.whole.place(start, end))] if start < end else ""


@lru_cache(maxsize=1024)  # a quotation is held against many texts
def _wanted(quote: str) -> _Wanted | None:
    whole = fold(quote)
    parts = [folded for part in _ELLIPSIS.split(quote) if (folded := fold(part).text.strip(_EDGES))]
    tokens = _tokens(whole.text)
    if not tokens.words or not parts:
        return None
    is_cut = _ELLIPSIS.search(quote) is not None
    return _Wanted(whole, quote, whole.text.strip(_EDGES) or whole.text, tuple(parts), is_cut, tokens)


def _tokens(folded: str) -> _Tokens:
    words, starts, ends = [], [], []
    for match in _TOKEN.finditer(folded):
        word = match.group()
        words.append(word.replace(",", "") if "," in word and _THOUSANDS.fullmatch(word) else word)
        starts.append(match.start())
        ends.append(match.end())
    return _Tokens(tuple(words), tuple(starts), tuple(ends))


def _occurrences(text: str, part: str, low: int, high: int) -> Iterator[int]:
    at, seen = text.find(part, low, high), 0
    while at >= 0 and seen < _PLACES:
        yield at
        seen += 1
        at = text.find(part, at + 1, high)


def _aligned(wanted: _Wanted, here: _Tokens, held: Held, diagonal: int) -> Judged | None:
    """Lay a quotation beside the tokens where it would begin, and judge what differs."""
    words = wanted.tokens.words
    slack = max(3, len(words) // 3)
    low, high = max(0, diagonal - slack), min(len(here.words), diagonal + len(words) + slack)
    window = here.words[low:high]
    words = _begun_as(window, words)
    blocks = [(b.a, b.b + low, b.size) for b in LCSseq.opcodes(words, window).as_matching_blocks() if b.size]
    blocks = _trimmed(blocks)
    if not blocks:
        return None
    matched = sum(size for _, _, size in blocks)
    first, last = blocks[0], blocks[-1]
    missing = first[0], len(words) - last[0] - last[2]  # tokens of the quotation before and behind all that matches
    begin, end = max(low, first[1] - missing[0]), min(high, last[1] + last[2] + missing[1])
    likeness = 2 * matched / (len(words) + end - begin)
    groups = list(_groups(blocks, begin, end, len(words)))
    is_near = likeness >= _NEAR or (len(words) <= _SHORT and matched >= len(words) - 1 and len(groups) == 1)
    if not is_near:
        return None
    differences = [_difference(group, wanted, here, held) for group in groups]
    turning = [one for one in differences if one.turn != "wording"]
    place = held._folded.place(here.starts[begin], here.ends[end - 1])  # noqa: SLF001  one unit with its class
    if not differences:
        cut = held._cut(here.starts[begin], here.ends[end - 1])  # noqa: SLF001  as above
        return Judged("altered" if cut else "folded", *place, cut, 1.0, (cut,) if cut else ())
    return Judged("altered" if turning else "absent", *place, (turning or differences)[0], likeness, tuple(differences))


def _trimmed(blocks: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Leave out matches at the edges that stand further from the rest than they are long."""
    while len(blocks) > 1 and _gap(blocks[0], blocks[1]) > blocks[0][2]:
        blocks = blocks[1:]
    while len(blocks) > 1 and _gap(blocks[-2], blocks[-1]) > blocks[-1][2]:
        blocks = blocks[:-1]
    return blocks


def _gap(one: tuple[int, int, int], other: tuple[int, int, int]) -> int:
    """How many tokens more stand between two matches here than in the quotation."""
    return other[1] - one[1] - one[2] - (other[0] - one[0] - one[2])


_Group = tuple[int, int, int, int]  # tokens of the quotation from, to; tokens of the text from, to


def _groups(blocks: Sequence[tuple[int, int, int]], begin: int, end: int, count: int) -> Iterator[_Group]:
    """Yield what lies between the matches."""
    at, there = 0, begin
    for a, b, size in (*blocks, (count, end, 0)):
        if a > at or b > there:
            yield at, a, there, b
        at, there = a + size, b + size


def _difference(group: _Group, wanted: _Wanted, here: _Tokens, held: Held) -> Difference:
    low, high, begin, end = group
    mine, theirs = wanted.tokens, here
    before = mine.words[max(0, low - 2) : low]
    turn = turn_between(mine.words[low:high], theirs.words[begin:end], before)
    quoted = wanted.original(mine.starts[low], mine.ends[high - 1]) if high > low else ""
    stands = held._original(theirs.starts[begin], theirs.ends[end - 1]) if end > begin else ""  # noqa: SLF001  as above
    return Difference(turn, quoted, stands, is_at_edge=low == 0 or high == len(mine.words))


def _begun_as(window: Sequence[str], words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tokens of a quotation with its first letter as the text has it: that goes with the place in a sentence."""
    first = words[0]
    if first in window or len(first) < 2 or not first[1:].islower():
        return words
    other = first[0].swapcase() + first[1:]
    return (other, *words[1:]) if other in window else words

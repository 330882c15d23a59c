"""Asks a model about pairs that rules cannot tell: the same finding, two sides of one thing, a contradiction, or neither.

The model sees the titles and units of both sides, with keys, and answers with keys: quotes are cut by code. A contradiction that
it sees passes two gates: both units must be what their notes hold, by rule and by a small question of its own for each.
Whatever the model says, rules that keep two findings apart are not overruled (see `match`).

Promises: a pair is asked about once, whatever its order; a lost call costs one pair, and what ends all calls ends the asking, never
the digest.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agent.asking.budget import charged
from agent.asking.model import Answer, Model, Request
from agent.asking.prompts import as_data, load_prompt
from agent.checking.dispute import Dispute, Stated
from agent.checking.stance import stance_of
from agent.errors import CallFailed, ModelError
from agent.reading.phrasing import prompt_for
from agent.reading.showing import cut, plain
from agent.reconciling.decide import Verdict
from agent.reconciling.lineage import earliest
from agent.records import Evidence, Increment, Usage
from agent.replies import HoldReply, JudgeReply, closed

Pair = tuple[Increment, Increment]

MOST_PAIRS = 40  # of one digest; a day has few, and a flood of them is no reason to pay
_UNITS = 6
_UNIT_SHOWN = 260  # characters
_WHITE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of asking.

    Attributes:
        verdicts: by the ids of the two increments.
        disputes: contradictions that passed both gates.
        remarks: what could not be asked about, one sentence each.
    """

    verdicts: Mapping[frozenset[str], Verdict] = field(default_factory=dict)
    disputes: tuple[Dispute, ...] = ()
    prompts: Mapping[str, str] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    remarks: tuple[str, ...] = ()


def judge(pairs: Sequence[Pair], model: Model) -> Judged:
    """Ask about each pair, the earliest findings first; at most 40 of them."""
    asking = _Asking(model)
    ordered = sorted((_in_order(pair) for pair in pairs), key=lambda pair: (earliest(pair[0]), earliest(pair[1])))
    for done, pair in enumerate(ordered[:MOST_PAIRS]):
        try:
            asking.judge(pair)
        except CallFailed as error:
            asking.remarks.append(f"Whether {pair[0].title!r} and {pair[1].title!r} are one is not known: {error}")
        except ModelError as error:
            asking.remarks.append(f"{len(ordered) - done} pairs of findings were not compared by the model: {error}")
            break
    else:
        if len(ordered) > MOST_PAIRS:
            asking.remarks.append(f"Of {len(ordered)} unclear pairs of findings the model compared {MOST_PAIRS}.")
    return asking.judged()


class _Asking:
    """The calls of one digest, and their account."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._usage = Usage()
        self._prompts: dict[str, str] = {}
        self._verdicts: dict[frozenset[str], Verdict] = {}
        self._disputes: list[Dispute] = []
        self.remarks: list[str] = []

    def judged(self) -> Judged:
        return Judged(self._verdicts, tuple(self._disputes), dict(self._prompts), self._usage, tuple(self.remarks))

    def judge(self, pair: Pair) -> None:
        units = [_units(side) for side in pair]
        if not all(units):
            return
        keyed = {
            f"{name}{place}": unit for name, side in zip("AB", units, strict=True) for place, unit in enumerate(side, 1)
        }
        sides = [_shown(name, side, keyed) for name, side in zip("AB", pair, strict=True)]
        prompt = load_prompt(prompt_for("judge_pair", "\n".join(sides)))
        lists = {field: [key for key in keyed if key[0] == name] for field, name in (("left", "A"), ("right", "B"))}
        request = Request(
            prompt=prompt.name,
            messages=prompt.render(left=sides[0], right=sides[1]),
            reply=closed(JudgeReply, lists),
            max_tokens=prompt.max_tokens,
            temperature=prompt.temperature,
        )
        reply = self._ask(request).reply
        if not isinstance(reply, JudgeReply):
            return
        named = (keyed[reply.left], keyed[reply.right])
        verdict: Verdict = reply.verdict
        if verdict == "contradicting" and not self._both_hold(units, named):
            verdict = "complementary"
        self._verdicts[frozenset(side.id for side in pair)] = verdict
        if verdict == "contradicting":
            self._disputes.append(_dispute(pair, named))

    def _both_hold(self, sides: Sequence[Sequence[Evidence]], named: Sequence[Evidence]) -> bool:
        """Whether each note holds what its unit says: by rule for both, then by a question of its own for each."""
        if any(stance_of(plain(unit.quote)) != "held" for unit in named):
            return False
        return all(self._holds(side, unit) for side, unit in zip(sides, named, strict=True))

    def _holds(self, units: Sequence[Evidence], unit: Evidence) -> bool:
        passage = "\n".join(as_data(cut(plain(one.quote), _UNIT_SHOWN)) for one in units)
        prompt = load_prompt(prompt_for("hold_claim", passage))
        request = Request(
            prompt=prompt.name,
            messages=prompt.render(passage=passage, statement=as_data(cut(plain(unit.quote), _UNIT_SHOWN))),
            reply=HoldReply,
            max_tokens=prompt.max_tokens,
            temperature=prompt.temperature,
        )
        reply = self._ask(request).reply
        return isinstance(reply, HoldReply) and reply.stance == "held"

    def _ask(self, request: Request) -> Answer:
        try:
            answer = self._model.ask(request)
        except ModelError as error:
            self._usage += charged(error)
            raise
        prompt, _, version = request.prompt.partition("@")
        self._prompts[prompt] = version
        self._usage += answer.usage
        return answer


def _in_order(pair: Pair) -> Pair:
    one, other = sorted(pair, key=earliest)
    return one, other


def _units(side: Increment) -> list[Evidence]:
    return list(side.evidence[:_UNITS])


def _shown(name: str, side: Increment, keyed: Mapping[str, Evidence]) -> str:
    lines = [as_data(cut(side.title, _UNIT_SHOWN))]
    lines += [f"{key} {as_data(cut(plain(unit.quote), _UNIT_SHOWN))}" for key, unit in keyed.items() if key[0] == name]
    return "\n".join(lines)


def _dispute(pair: Pair, units: tuple[Evidence, Evidence]) -> Dispute:
    said = tuple(plain(unit.quote) for unit in units)
    return Dispute(
        "model",
        "value",
        about=pair[0].title,
        key=tuple(sorted(_WHITE.sub(" ", text.casefold()) for text in said)),
        sides=tuple(Stated(text, unit) for text, unit in zip(said, units, strict=True)),
    )

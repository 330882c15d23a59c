"""Model servers on loopback that answer any question by its schema: one lies in every reply, one fails now and then.

What the liar invents it keeps in `invented`, so that a test can look for each piece of it in whatever comes out. What both
say depends on their seed and on the request alone, not on the order in which threads ask.
"""

import json
import random
import re
import threading
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any

from tests.faultserver import (
    FaultServer,
    Seen,
    Step,
    completion,
    cuts_short,
    resets,
    says,
    sends,
    sends_events,
    status,
)

Lie = Callable[[str], str]  # makes another sentence of one, or none

_UNIT = re.compile(r"\[[0-9]{1,4}(?:-[0-9]{1,4})?\] ([^\n]{4,400})")
_DIGITS = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_HUNDREDS = ("three hundred", "seven hundred", "nine hundred")
_CHINESE = ("三成五", "百分之八十七", "十二万", "七倍", "九折")
_WIDE = str.maketrans("0123456789.", "０１２３４５６７８９．")
# What must never stand in any output, whoever wrote it.
HOSTILE = ("<script>alert(1)</script>", "![x](http://lie.example/p.png)", "[y](javascript:alert(1))", "\x1b]52;c;bGll\x07",
           "\u202eevil", "\n# Forged heading\n", "| a | b |\n|---|---|", "<!-- hidden -->", "```\nfence", "\U000e0041\U000e0042")  # fmt: skip


class LyingServer(FaultServer):
    """The server.

    Args:
        seed: what it invents depends on it.
        canaries: invented names in our own prompts; it copies those that it has been shown.
        chance: what share of replies break the schema; a fifth of them fail as HTTP requests.
        lies: what it makes of a sentence of the prompt, instead of all that it can think of; then nothing else is wrong.

    Attributes:
        invented: every identifier, address, path and figure that it made up.
        prompts: how many requests asked for which reply.
    """

    def __init__(
        self, seed: int, *, canaries: Collection[str] = (), chance: float = 0.25, lies: Sequence[Lie] = ()
    ) -> None:
        self.seed = seed
        self._lies = lies
        self.invented: set[str] = set()
        self.prompts: Counter[str] = Counter()
        self._canaries = tuple(canaries)
        self._chance = chance
        self._guard = threading.Lock()
        super().__init__()

    def next_step(self, seen: Seen) -> Step:
        messages, asked = seen.json["messages"], seen.json["response_format"]["json_schema"]
        with self._guard:
            self.requests.append(seen)
            times = sum(1 for other in self.requests if other.body == seen.body)
            self.prompts[asked["name"]] += 1
        chance = random.Random(f"{self.seed} {times} {seen.body!r}")
        shown = "".join(message["content"] for message in messages)
        liar = _Liar(chance, _question(messages), tuple(name for name in self._canaries if name in shown), self._lies)
        step = liar.step(asked["schema"], 0.0 if self._lies else self._chance)
        with self._guard:
            self.invented |= liar.invented
        return step


class _Liar:
    """Makes up one reply; an honest one says what stands in the prompt, and no more."""

    def __init__(
        self,
        chance: random.Random,
        prompt: str,
        canaries: tuple[str, ...] = (),
        lies: Sequence[Lie] = (),
        *,
        is_honest: bool = False,
    ) -> None:
        self._is_honest = is_honest
        self._only_lies = lies
        self.invented: set[str] = set()
        self._chance = chance
        self._canaries = canaries
        self._units = _UNIT.findall(prompt) or [prompt[:200] or "?"]

    def step(self, schema: dict[str, Any], share: float) -> Step:
        value = self.value(schema)
        dice = self._chance.random()
        if dice < share / 5:
            return self._chance.choice((status(500), status(429), resets(), sends(b"<html>"), sends({"choices": []})))
        text = self._broken(value) if dice < share else json.dumps(value, ensure_ascii=self._chance.random() < 0.5)
        if self._only_lies:
            return self._says(text)
        wrapped = self._chance.choice((self._plain, self._plain, self._fenced, self._thought, self._streamed))
        return wrapped(text)

    def value(self, schema: dict[str, Any]) -> Any:
        """Return something that fits a schema, made of lies."""
        kind = schema.get("type")
        if allowed := schema.get("enum") or ([schema["const"]] if "const" in schema else []):
            return self._chance.choice(allowed)
        if kind == "object":
            return {name: self.value(part) for name, part in schema["properties"].items()}
        if kind == "array":
            most = min(schema.get("maxItems", 4), 6)
            return [self.value(schema["items"]) for _ in range(self._chance.randint(schema.get("minItems", 0), most))]
        if kind == "boolean":
            return self._chance.random() < 0.5
        if kind in {"integer", "number"}:
            return self._chance.randint(-3, 10_000)
        return self._sentence(schema.get("minLength", 0), schema.get("maxLength", 200))

    def _sentence(self, least: int, most: int) -> str:
        if self._only_lies:
            told = [lie(unit) for unit in self._units for lie in self._only_lies]
            twisted = [one[:most] for one in told if one and least <= len(one)]
            return self._made_up(self._chance.choice(twisted)) if twisted else self._units[0][:most].ljust(least, "x")
        said: str = self._chance.choice(self._units)
        lies = 0 if self._is_honest else self._chance.randint(0, 2)
        for lie in self._chance.sample(self._lies(), k=lies):
            said = lie(said)
        if not self._is_honest and self._chance.random() < 0.2:
            said += self._chance.choice(HOSTILE)
        return (said[:most] if len(said) > most else said).ljust(least, "x")

    def _lies(self) -> list[Lie]:
        return [self._identifier, self._figure, self._wide, self._worded, self._address, self._path, self._section,
                self._canary, self._swapped_figure, self._register]  # fmt: skip

    def _made_up(self, piece: str) -> str:
        self.invented.add(piece)
        return piece

    def _identifier(self, said: str) -> str:
        number = f"{self._chance.randint(2301, 2312)}.{self._chance.randint(30_000, 39_999)}"
        form = self._chance.choice(("arXiv:{}", "https://arxiv.org/abs/{}", "({})", "arXiv {}v9"))
        return f"{form.format(self._made_up(number))} {said}"

    def _figure(self, said: str) -> str:
        figure = self._made_up(f"{self._chance.randint(10_000, 99_999) / 1000:.3f}")
        return self._chance.choice((f"{figure}% {said}", f"{figure} tok/s: {said}", f"{said}，降到 {figure} ms"))

    def _wide(self, said: str) -> str:
        figure = f"{self._chance.randint(3001, 8999)}"
        self._made_up(figure)
        return f"{figure.translate(_WIDE)} {said}"

    def _worded(self, said: str) -> str:
        return f"{self._made_up(self._chance.choice((*_HUNDREDS, *_CHINESE)))} {said}"

    def _address(self, said: str) -> str:
        host = self._made_up(f"lie{self._chance.randint(100, 999)}.example")
        return f"{self._chance.choice(('https://', 'http://', ''))}{host}/a {said}"

    def _path(self, said: str) -> str:
        return f"{self._made_up(f'inbox/nobody/2031-01-{self._chance.randint(10, 28)}-made-up.md')} {said}"

    def _section(self, said: str) -> str:
        return f"{self._made_up(f'§{self._chance.randint(71, 99)}.{self._chance.randint(71, 99)}')} {said}"

    def _register(self, said: str) -> str:
        return f"{self._made_up(f'C{self._chance.randint(7001, 7999)}')} {said}"

    def _canary(self, said: str) -> str:
        return f"{self._made_up(self._chance.choice(self._canaries))} {said}" if self._canaries else said

    def _swapped_figure(self, said: str) -> str:
        """Put another figure in the place of one that stands there."""
        found = list(_DIGITS.finditer(said))
        if not found:
            return said
        one = self._chance.choice(found)
        other = self._made_up(f"{self._chance.randint(10_000, 99_999) / 100:.2f}")
        return said[: one.start()] + other + said[one.end() :]

    def _broken(self, value: Any) -> str:
        """Return what does not fit: beyond the lists, twice, cut, of another type, prose with lies in it."""
        whole = json.dumps(value, ensure_ascii=False)
        prose = f"I'm sorry, {self._sentence(0, 300)}"
        unfit = {name: self._stranger(part) for name, part in value.items()} if isinstance(value, dict) else {}
        return self._chance.choice((
            json.dumps(unfit), json.dumps(unfit), json.dumps(unfit), whole + whole, whole[:-9], f"[{whole}]", prose,
            json.dumps(value | {"stars": 5, "arxiv": self._identifier("")}), "", f'{whole[:-1]}, "section": "Z"' + "}",
        ))  # fmt: skip

    def _stranger(self, part: Any) -> Any:
        if isinstance(part, list):
            return [
                *part,
                *self._chance.sample((9999, -1, "2", None, 3.0, {"first": 9999, "last": 1, "title": "made up"}), k=2),
            ]
        return self._chance.choice((part, part, None, 7, self._sentence(0, 900)))

    def _plain(self, text: str) -> Step:
        return self._says(text, finish=self._chance.choice(("stop",) * 12 + ("length", "content_filter", "eos", None)))

    def _fenced(self, text: str) -> Step:
        return self._says(f"{self._sentence(0, 80).replace('{', '')}\n```json\n{text}\n```\n")

    def _thought(self, text: str) -> Step:
        return self._says(f"<think>{json.dumps({'made': self._sentence(0, 80)})}</think>{text}", reasoning_content=text)

    def _streamed(self, text: str) -> Step:
        head, tail = text[: len(text) // 2], text[len(text) // 2 :]
        return sends_events(*({"choices": [{"delta": {"content": part}}]} for part in (head, tail)), "[DONE]")

    def _says(self, text: str, *, finish: str | None = "stop", **message: str) -> Step:
        return sends(uncounted(completion(text, finish=finish, **message)))


def uncounted(body: dict[str, Any]) -> dict[str, Any]:
    """Return a completion without usage: a figure that does not fit the prompt would mean something."""
    return {name: part for name, part in body.items() if name != "usage"}


def _question(messages: list[dict[str, str]]) -> str:
    """Return the last message that asks something; one that sends a reply back asks what was asked before."""
    is_repair = messages[-1]["content"].startswith(("Your reply was not accepted", "summary says"))
    return (messages[-3] if is_repair else messages[-1])["content"]


class FlakyServer(FaultServer):
    """Answers each question always alike, and truly; a share of its responses goes wrong.

    Args:
        seed: which ones.
        share: how many of them.
    """

    def __init__(self, seed: int, *, share: float) -> None:
        self._seed = seed
        self._share = share
        self._guard = threading.Lock()
        super().__init__()

    def next_step(self, seen: Seen) -> Step:
        with self._guard:
            self.requests.append(seen)
            times = sum(1 for other in self.requests if other.body == seen.body)
        messages = seen.json["messages"]
        question = _question(messages)
        chance = random.Random(f"{self._seed} {times} {seen.body!r}")
        if chance.random() < self._share:
            return chance.choice(FAULTS)
        honest = _Liar(random.Random(question), question, is_honest=True)
        value = honest.value(seen.json["response_format"]["json_schema"]["schema"])
        return sends(uncounted(completion(json.dumps(value, ensure_ascii=False))))


FAULTS: tuple[Step, ...] = (
    status(429), status(429, headers={"Retry-After": "2"}), status(500), status(502), status(503), status(529), resets(),
    resets(b'{"choices"'), sends(b"<html>busy</html>"), sends(b""), sends({"error": {"code": 503, "message": "busy"}}),
    sends({"choices": []}), cuts_short(b"{"), says('{"cut": "of'), says("No JSON at all."), sends_events({"choices": []}),
)  # fmt: skip

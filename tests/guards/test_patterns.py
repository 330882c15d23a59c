"""No regular expression of ours can be made slow: each runs over pumped strings, and twice the text takes about twice the time."""

import ast
import importlib
import pkgutil
import re
import signal
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from time import thread_time
from typing import Any

import pytest

import agent
from tests.sources import ROOT, calls, modules, write_package

LENGTH = 25_000
OWN_LENGTH = 12_000  # for strings made from a pattern's own letters, of which there are many
AT_ONCE = 0.1  # seconds that need no second look: a quadratic pattern takes longer over LENGTH
PARTS = 12  # in which the patterns are tried, so that several processes share them
MOST_SECONDS = 1.0
MOST_RATIO = 2.8  # for twice the text: 2 is linear, 4 quadratic
PUMPS = (
    " ", "\t", "\n", " \n", "\u3000", "0", "1", "1,", "1.", ".", "2607.12345", "-", "--", "- ", "——", "_", "*", "**", "#", "|",
    "| ", "'", '"', "`", "“", "“”", "a", "A", "aA1", "a ", "a.", "Ab-", "a@", "增", "增量", "增 ", "，", "。", "1.增", "[", "]",
    "[]", "[[", "](", "(", ")", "()", "（", "）", "（）", "「", "【", "<", "<!--", "<a ", "{", "{{", "/", "//", "http://", "https://a.",
    "a/", "?a=", "&a", "%2F", "\\", "①", "⭐", "•", " · ", " - ", "\u200b", "\U0001f600",
)  # fmt: skip
_LITERALS = re.compile(r"[A-Za-z\u4e00-\u9fff]{2,20}")
_COMPILING = {"re.compile", "regex.compile"}
_INLINE = {f"re.{name}" for name in ("search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn")}


def patterns(package: Any) -> dict[re.Pattern[str], dict[str, str]]:
    """Return every compiled pattern that a module of a package holds, by itself or inside a value.

    To each belong the places it was found at, and the name of the variable there.
    """
    found: dict[re.Pattern[str], dict[str, str]] = {}
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            for name, value in vars(importlib.import_module(module.name)).items():
                for place, pattern in _inside(value, f"{module.name}.{name}"):
                    found.setdefault(pattern, {})[place] = name
    return found


def _inside(value: object, place: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield place, value
    elif isinstance(value, Mapping):
        for key, held in value.items():
            yield from _inside(held, f"{place}[{key!r}]")
    elif isinstance(value, list | tuple | set | frozenset):
        for number, held in enumerate(value):
            yield from _inside(held, f"{place}[{number}]")
    elif hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        for name in value.__dataclass_fields__:
            yield from _inside(getattr(value, name), f"{place}.{name}")


def pumped(pattern: re.Pattern[str]) -> Iterator[tuple[str, str, int]]:
    """Yield what is repeated, what follows at the end, and how long it gets."""
    source = pattern.pattern
    own = set(_LITERALS.findall(source)) | {each for each in source if not each.isalnum()}
    yield from ((pump, "\x00", LENGTH) for pump in PUMPS)
    yield from ((pump, "\x00", OWN_LENGTH) for pump in sorted(own - set(PUMPS)))


class _TooLong(BaseException):
    """The alarm clock rang."""


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Interrupt what takes longer; the regex engine looks for signals as it goes."""

    def ring(number: int, frame: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def seconds(pattern: re.Pattern[str], text: str, *, is_anchored: bool, limit: float, repeat: int = 1) -> float:
    """Return the shortest time of some that a pattern takes over a text, infinite if it takes longer than the limit.

    The processor's time counts, not the clock's: the machine may be busy.
    """
    times = [float("inf")]
    for _ in range(repeat):
        began = thread_time()
        with suppress(_TooLong), _alarm(limit):
            pattern.match(text)
            pattern.fullmatch(text)
            for _found in () if is_anchored else pattern.finditer(text):
                pass
            times.append(thread_time() - began)
    return min(times)


def problem(pattern: re.Pattern[str], *, is_anchored: bool = False, limit: float = MOST_SECONDS) -> str | None:
    """Say with which string a pattern gets slow, or None.

    Args:
        pattern: what is tried.
        is_anchored: it is only ever held against the beginning of a text, never searched for.
        limit: seconds that no string may take.
    """
    clock = partial(seconds, pattern, is_anchored=is_anchored, limit=limit)
    for pump, end, length in pumped(pattern):
        if clock(pump * (length // len(pump) // 10) + end) <= AT_ONCE / 200:
            continue  # even growing with the square it would stay below AT_ONCE, or little above
        text = pump * (length // len(pump)) + end
        if (first := clock(text)) <= AT_ONCE or (whole := min(first, clock(text, repeat=3))) <= AT_ONCE:
            continue
        half = clock(pump * (length // len(pump) // 2) + end, repeat=3)
        if whole > MOST_RATIO * half or whole == float("inf"):
            return f"{pump!r} repeated to {length} characters takes {whole:.2f} s, half of it {half:.2f} s"
    return None


def searched(known: Mapping[str, ast.Module]) -> set[str]:
    """Return the names of all patterns that are used otherwise than by `.match` and `.fullmatch`."""
    nodes = [node for tree in known.values() for node in ast.walk(tree)]
    anchored = {
        id(node.value) for node in nodes if isinstance(node, ast.Attribute) and node.attr in {"match", "fullmatch"}
    }
    used = [
        node
        for node in nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in anchored
    ]
    return {node.id for node in used}


def inline(known: Mapping[str, ast.Module]) -> list[str]:
    """Return every pattern that is compiled in a call or used without a name, and so escapes the clock.

    A function may compile if it is used while its module loads and nowhere else: then what it makes has a name.
    """
    found = []
    for name, tree in known.items():
        loading = set(_loading(tree))
        for called, call in calls(tree):
            if called in _INLINE or (called in _COMPILING and id(call) not in loading):
                found.append(f"{name} line {call.lineno}: {called} outside a pattern with a name of its own")
    return found


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _loading(tree: ast.Module) -> Iterator[int]:
    """Yield the identity of every node that runs while a module loads, functions used only then included."""
    top = [each for node in tree.body if not isinstance(node, _FUNCTIONS) for each in _outside_functions(node)]
    uses = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    at_load = Counter(node.id for node in top if isinstance(node, ast.Name))
    yield from map(id, top)
    for node in tree.body:
        if isinstance(node, _FUNCTIONS) and uses[node.name] == at_load[node.name] > 0:
            yield from map(id, ast.walk(node))


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (*_FUNCTIONS, ast.Lambda)):
            yield from _outside_functions(child)


@pytest.mark.parametrize("part", range(PARTS))
def test_every_pattern_of_ours_takes_linear_time(part):
    names, slow = searched(modules(ROOT)), {}
    ours = sorted(patterns(agent).items(), key=lambda item: min(item[1]))
    for pattern, held in ours[part::PARTS]:
        is_anchored = names.isdisjoint(held.values())
        told = problem(pattern, is_anchored=is_anchored)  # a busy machine may slow one try down, hardly two
        slow[min(held)] = told and problem(pattern, is_anchored=is_anchored)

    assert slow
    assert not any(slow.values()), "\n".join(f"{place}: {told}" for place, told in slow.items() if told)


def test_every_pattern_of_ours_has_a_name_at_the_top_of_its_module():
    found = inline(modules(ROOT))

    assert not found, "\n".join(found)


@pytest.mark.parametrize("slow", [r"\s+$", r"\[(.*?)\]\((.*?)\)", r"<!--.*?-->", r"(a+)+b", r"[^\n]*\n"])
def test_a_slow_pattern_is_named(slow):
    assert problem(re.compile(slow), limit=0.3) is not None


@pytest.mark.parametrize(
    "quick", [r"\d{4}\.\d{4,5}", r"(?<!\d)\d{1,40}(?:\.\d{1,20})?", r"\[[^\]\[]{0,200}\]", r"^ *x"]
)
def test_a_bounded_pattern_passes(quick):
    assert problem(re.compile(quick)) is None


def test_a_pattern_that_is_never_searched_for_may_run_to_the_end():
    assert problem(re.compile(r"[^\n]*\n"), is_anchored=True) is None


def test_a_pattern_is_searched_for_unless_all_its_uses_are_anchored(tmp_path):
    files = {
        "store.py": "_A.match(x)\n_A.fullmatch(x)\n_B.match(x)\n_B.sub('', x)\nB = [_C]\n",
        "cli.py": "from agent.store import D\nD.search(x)\n",
    }

    names = searched(modules(write_package(tmp_path, files)))

    assert {"_A", "_B", "_C", "D"} & names == {"_B", "_C", "D"}


@pytest.mark.parametrize(
    "text",
    [
        "import re\ndef late(text):\n    return re.compile('a+').search(text)\n",
        "import re\ndef late(text):\n    return re.sub('a+', '', text)\n",
        "from re import search\nFOUND = search('a', 'b')\n",
        "import re as patterns\ndef late(text):\n    return patterns.split('a', text)\n",
        "import re\nclass Late:\n    def find(self, word):\n        return re.compile(word)\n",
        "import re\ndef made(word):\n    return re.compile(word)\nA = made('a')\ndef late(word):\n    return made(word)\n",
    ],
)
def test_a_pattern_without_a_name_is_named(tmp_path, text):
    assert len(inline(modules(write_package(tmp_path, {"store.py": text})))) == 1


def test_named_patterns_pass(tmp_path):
    text = (
        "import re\n_ONE = re.compile('a')\nMANY = {'b': (re.compile('b'), re.escape('c'))}\n"
        "def made(word):\n    return re.compile(word)\nA, B = map(made, 'ab')\n"
    )

    assert inline(modules(write_package(tmp_path, {"store.py": text}))) == []


def test_patterns_are_found_inside_values():
    held = {"a": (re.compile("a"), [re.compile("b")]), "c": {"d": re.compile("d")}}

    assert [place for place, _ in _inside(held, "HELD")] == ["HELD['a'][0]", "HELD['a'][1][0]", "HELD['c']['d']"]

"""What a number is said of: the name beside it, else the one thing that its unit names, else the one that its heading names.

Promises: pure; of several names none is chosen; no list of products; time is linear in the text.
"""

import re
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from agent.checking.metrics import CONCEPT, sentence_of
from agent.reading.conditions import find_conditions, is_hardware_or_precision
from agent.reading.measures import MeasureSpan
from agent.reading.naming import WORD, is_distinctive, named_in
from agent.reading.quantities import fold

_VERSION = re.compile(
    r"\s?(?P<version>[vV][0-9]{1,4}(?:\.[0-9]{1,4}){0,3}[a-z0-9]{0,6}|[0-9]{1,3}(?:\.[0-9]{1,4}){1,3}(?![0-9%×]))"
)
_MARKED_VERSION = re.compile(r"(?<![A-Za-z0-9])[vV][0-9]{1,4}(?:\.[0-9]{1,4}){1,3}")
_NOT_NAMES = re.compile(
    r"(?:GPU|CPU|HBM|DRAM|SSD|NVMe|PCIe|NVLink|KV(?:-?Cache)?|API|LLM|MoE|RAG|Q?LoRA|RL|AI|JSON|GGUF|[TDPE]P|OK|PR|[KMGT]?i?[Bb]|QPS|RPS|TTFT|TPOT|ITL|MFU|P[0-9]{2}|SLO|OOM"
    r"|CapEx|OpEx|[KM]|Q[1-4]|H[12]|ar[Xx]iv|SOTA|NVIDIA|AMD|AWS|GCP|USD|CNY|EP|CXL|PIM|[TGP]?FLOPS|PM|VRAM|RAM|TL;DR)s?|\d.*",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[\W_]+")
BENCHMARK = re.compile(r"bench|eval$|qa$|(?<![a-z])(?:aime|mmlu|math|gsm|gpqa)", re.IGNORECASE)
_LONG = 300  # a unit of this length speaks of several things


class Named(NamedTuple):
    """A thing, as the text names it, and its version."""

    name: str
    version: str | None


def named_of(measure: MeasureSpan, folded: str, *, heading: str) -> Named | None:
    """What a number is said of: what stands before it, else the one thing that its unit names, else that of the heading."""
    said, above = said_with(folded, measure), fold(heading)
    if measure.subject and _is_said_name(measure.subject, folded):
        named: Named | None = Named(measure.subject, measure.version or _version_behind(measure.subject, folded))
    else:
        named = one_name(said, without=measure.baseline or "")
        if named is None and not names_of(said):
            named = one_name(above, without="")
    if named is None or named.version:
        return named
    return named._replace(version=_version_behind(named.name, above) or _only_version(said) or _only_version(above))


def said_with(folded: str, measure: MeasureSpan) -> str:
    """Return what is said together with a number: its unit, or its sentence where the unit speaks of several things."""
    start, end = sentence_of(folded, measure.start, measure.end) if len(folded) > _LONG else (0, len(folded))
    return folded[start:end]


def is_of_heading(named: Named, heading: str) -> bool:
    """Whether no other one thing rules what is said: of a score under a model's name the unit names the benchmark only."""
    ruling = one_name(fold(heading), without="")
    return ruling is None or key_of(named.name) in key_of(heading)


def _is_said_name(subject: str, folded: str) -> bool:
    words = set(subject.split())
    named = {word.group() for word in names_of(folded)}
    return bool(words & named) or bool(find_conditions(subject).get("model"))


def one_name(folded: str, *, without: str) -> Named | None:
    """The one thing that a text names, or the one model where it names nothing else."""
    left_out = key_of(without)
    names = {
        key_of(word.group()): word.group()
        for word in names_of(folded)
        if key_of(word.group()) not in left_out or not left_out
    }
    if not names:
        models = find_conditions(folded).get("model", ())
        names = {key_of(folded[start:end]): folded[start:end] for start, end in models}
        return Named(next(iter(names.values())), None) if len(names) == 1 else None
    if len(names) > 1:
        return None
    name = next(iter(names.values()))
    return Named(name, _version_behind(name, folded))


@lru_cache(maxsize=256)  # every number of a sentence asks for them
def names_of(folded: str) -> tuple["re.Match[str]", ...]:
    """The words that name something which is neither a condition nor a metric."""
    conditions = list(chain.from_iterable(find_conditions(folded).values()))
    versioned = [
        word for word in WORD.finditer(folded) if word.group()[0].isupper() and _VERSION.match(folded, word.end())
    ]
    return tuple(
        word
        for word in {word.start(): word for word in (*versioned, *named_in(folded))}.values()
        if not _NOT_NAMES.fullmatch(word.group())
        and not CONCEPT.fullmatch(word.group())
        and not is_hardware_or_precision(word.group())
        and (is_distinctive(word.group()) or not _is_label(word))
        and not any(start < word.end() and word.start() < end for start, end in conditions)
    )


def _is_label(word: "re.Match[str]") -> bool:
    """Whether a word with a capital only may be one of the daily language, which begins a sentence or stands before a colon."""
    text = word.string
    if text[word.end() : word.end() + 2].lstrip()[:1] == ":":
        return True
    begins = not text[: word.start()].rstrip(" *-#•·")[-1:].isalnum()
    follows = text[word.end() : word.end() + 2].lstrip()[:1]
    return begins and follows.isascii() and not _VERSION.match(text, word.end())


def _version_behind(name: str, folded: str) -> str | None:
    at = folded.find(name)
    version = _VERSION.match(folded, at + len(name)) if at >= 0 else None
    return version["version"] if version else None


def _only_version(folded: str) -> str | None:
    """The version that a text speaks of, where it is but one."""
    found = set(_MARKED_VERSION.findall(folded))
    return found.pop() if len(found) == 1 else None


def key_of(text: str) -> str:
    """Return a name without case and joints, digits kept."""
    return _LETTERS.sub("", text.casefold())

"""What a sentence of the model's turns round: a figure's unit, its direction, the order of two figures, a name.

Each check compares one sentence with the units it rests on. It is silent where it cannot tell, because wording is free;
what it names is written differently there.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from agent.reading.measures import find_measures, numbers_in
from agent.reading.quantities import canonical_unit
from agent.reading.terms import is_term

# Counted things ("papers", "篇") are translated freely; these are not.
_EXACT_UNITS = frozenset({
    "×", "%", "pp", "$", "CNY", "ms", "μs", "ns", "s", "min", "h", "d", "week", "month", "year", "tokens",
})  # fmt: skip
_EXACT_SPELLING = re.compile(r"/|[kKMGTPE]i?B\b|[kKMGTPE]i?[Bb]ps\b|FLOPS?\b|TOPS\b|Hz\b|W(?:h)?\b|\b(?:[QRT]PS|fps)\b")
_SAME_UNITS = {"TPS": "tokens/s", "QPS": "requests/s", "RPS": "requests/s"}

_CLAUSE_END = re.compile(r"[。；;，！？!?\n]|(?<![0-9]),|,(?![0-9]{3}(?![0-9]))|\.(?=\s|$)")  # "1,607" is one figure
_TURNS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (
        re.compile(
            r"增加|增长|增至|增到|增大|上升|升至|升到|升高|上涨|涨到|涨至|翻倍|翻番|提高|提升"
            r"|\b(?:increas|ris(?:e|es|ing)\b|rose\b|risen\b|grow|grew\b|higher\b|rais(?:e|es|ed|ing)\b|climb|doubl|up (?:to|by|from)\b)",
            re.IGNORECASE,
        ),
        re.compile(
            r"降低|下降|降至|降到|降为|降了|减少|减至|减到|缩短|缩小|缩减|下跌|跌至|下滑|节省|减半"
            r"|\b(?:reduc|decreas|drop|fell\b|fall(?:s|ing|en)?\b|cut(?:s|ting)?\b|lower|shrink|shrank\b|declin|halv|less\b|fewer\b"
            r"|sav(?:e|es|ed|ing)\b|shorten|down (?:to|by|from)\b)",
            re.IGNORECASE,
        ),
    ),
    (
        re.compile(
            r"更快|加快|加速|变快|提速|\b(?:faster|speeds?[ -]?ups?|sped up|speeding up|accelerat)", re.IGNORECASE
        ),
        re.compile(r"更慢|变慢|减速|拖慢|\b(?:slower|slow(?:s|ed|ing)? down|slowdown)", re.IGNORECASE),
    ),
)
# "提升" of something that had better be small says nothing of its direction.
_BETTERED = re.compile(r"提高|提升")
_BEST_SMALL = re.compile(
    r"延迟|时延|耗时|成本|显存|内存|开销|误差|能耗|latency|cost|memory|time|overhead|error|energy", re.IGNORECASE
)
_FROM_TO = re.compile(
    r"(?P<first>[0-9][0-9,.]{0,15})[^0-9\n。；;→]{0,12}(?:→|->|=>|降至|降到|降为|升至|升到|增至|增到|变为|变成|\bto\b|到)"
    r"[^0-9\n。；;→]{0,8}(?P<second>[0-9][0-9,.]{0,15})"
)

_WORD = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9]*(?:[.+_/'’-][A-Za-z0-9]+)*")
_SENTENCE_START = re.compile(r"(?:\A|[.!?:;。！？：；\n(（\"“])\s{0,3}\Z")
_FOLDED = re.compile(r"[\s_'’-]+")
_SHORTEST_HEADLINE = 3  # words; fewer may all be names
_NEXT_NAME = re.compile(r" (?:[A-Z]|[0-9]{1,4}[A-Z])")
_OPENERS = frozenset({
    "a", "an", "the", "this", "these", "that", "its", "it", "in", "on", "at", "for", "with", "by", "from", "to", "of", "as", "and", "but", "new",
    "when", "while", "if", "using", "under", "after", "before", "both", "each", "every", "all", "no", "only", "since", "unlike",
})  # fmt: skip
_PER = re.compile(r"每|\b(?:per|each|an?|every)\b", re.IGNORECASE)
_JOINT = re.compile(r"[/_'’-]")
_VERSION_MARK = re.compile(r"\Av(?=[0-9])")  # "v0.4.2" and "0.4.2" are one version
_CHINESE = re.compile("[\u3400-\u9fff]")
# Words of the trade, by which a translation may say what the note says in its own language.
_TRADE = frozenset({
    "ai", "llm", "llms", "gpu", "gpus", "cpu", "cpus", "npu", "tpu", "api", "apis", "kv", "ram", "vram", "dram", "hbm", "ssd", "ttft", "tpot",
    "qps", "rps", "tps", "ml", "nlp", "rl", "rag", "moe", "vlm", "sdk", "cli", "ui", "os", "id", "ids", "url", "json", "pr", "prs", "qa", "sla",
    "slo", "p50", "p90", "p95", "p99", "english", "chinese", "ocr", "cot", "sota", "oom", "io", "k8s", "arxiv", "github", "transformer",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
})  # fmt: skip


def turned_round(text: str, *, by: str) -> tuple[str, ...]:
    """Return what `text` says otherwise than `by`, each as a reader can find it in `text`; both in NFKC form."""
    return (*_other_units(text, by), *_other_directions(text, by), *_other_order(text, by), *_other_names(text, by))


def _other_units(text: str, by: str) -> Iterator[str]:
    """Figures that `by` has with another unit only."""
    known = defaultdict[float, set[str]](set)
    for found in find_measures(by):
        known[found.value].add(_unit(found.unit))
    for found in find_measures(text):
        unit, units = _unit(found.unit), known.get(found.value, set())
        if not units or "" in units or unit in units or not _is_exact(unit):
            continue
        base, per, _ = unit.partition("/")
        if per and base in units and _says_per(by, text[found.start : found.end]):
            continue  # "每 token 30 ms" is 30 ms/token
        yield text[found.start : found.end].strip()


def _says_per(text: str, figure: str) -> bool:
    """Whether a clause of `text` that holds the figure says what it is counted by."""
    numbers = numbers_in(figure)
    return any(numbers <= numbers_in(clause) and _PER.search(clause) for clause in _CLAUSE_END.split(text))


def _unit(written: str) -> str:
    unit = canonical_unit(written)
    return _SAME_UNITS.get(unit, unit)


def _is_exact(unit: str) -> bool:
    return unit in _EXACT_UNITS or _EXACT_SPELLING.search(unit) is not None


def _other_directions(text: str, by: str) -> Iterator[str]:
    """Figures that go up here and down there, or are faster here and slower there."""
    clauses = [(numbers_in(clause), _directions(clause)) for clause in _CLAUSE_END.split(by)]
    for clause in _CLAUSE_END.split(text):
        here = _directions(clause)
        for number in sorted(numbers_in(clause)) if any(here) else ():
            there = [directions for numbers, directions in clauses if number in numbers]
            if any(_is_opposite(way, [ways[axis] for ways in there]) for axis, way in enumerate(here)):
                yield clause.strip()
                break


def _directions(clause: str) -> tuple[int, ...]:
    """For each pair of words: 1 for the first, -1 for the second, 0 for neither or both."""
    found = []
    for ups, downs in _TURNS:
        goes_up = any(not (_BETTERED.match(up[0]) and _BEST_SMALL.search(clause)) for up in ups.finditer(clause))
        found.append(int(goes_up) - int(downs.search(clause) is not None))
    return tuple(found)


def _is_opposite(way: int, ways: list[int]) -> bool:
    return bool(way) and -way in ways and way not in ways


def _other_order(text: str, by: str) -> Iterator[str]:
    """Two figures, one becoming the other, that `by` has the other way round only."""
    known = set(_changes(by))
    for first, second in _changes(text):
        if first != second and (second, first) in known and (first, second) not in known:
            yield f"{first} → {second}"


def _changes(text: str) -> Iterator[tuple[str, str]]:
    for found in _FROM_TO.finditer(text):
        yield found["first"].rstrip(".,").replace(",", ""), found["second"].rstrip(".,").replace(",", "")


def _other_names(text: str, by: str) -> Iterator[str]:
    """Names that do not stand in `by`: capitals inside a word or digits, and capitalised words that begin no sentence."""
    known = _FOLDED.sub("", by.casefold())
    is_chinese = _CHINESE.search(text) is not None
    is_headline = not is_chinese and _is_headline(text)
    for found in _WORD.finditer(text):
        word = found[0]
        if not any(letter.isupper() or letter.isdigit() for letter in word[1:]):
            begins = not is_chinese and _begins_sentence(text, found)
            if not word[0].isupper() or len(word) < 2 or is_headline or begins:
                continue
        folded = _VERSION_MARK.sub("", _FOLDED.sub("", word.casefold()))
        if folded in _TRADE or is_term(word) or folded.removesuffix("s") in known or _is_joined_from(word, known):
            continue
        yield word


def _begins_sentence(text: str, word: re.Match[str]) -> bool:
    """Whether a capital may be due to the place alone: no further capital follows, or the word opens many sentences."""
    if not _SENTENCE_START.search(text, max(0, word.start() - 4), word.start()):
        return False
    return word[0].casefold() in _OPENERS or not _NEXT_NAME.match(text, word.end())


def _is_joined_from(word: str, known: str) -> bool:
    """Whether a word is put together from known ones and plain ones: "HBM-based", "GPU/CPU"."""
    parts = _JOINT.split(word)
    return len(parts) > 1 and all(
        part.islower() or part.casefold() in _TRADE or part.casefold() in known for part in parts
    )


def _is_headline(text: str) -> bool:
    """Whether most words are capitalised, as in English titles: then a capital marks no name."""
    words = [found[0] for found in _WORD.finditer(text)]
    return len(words) > _SHORTEST_HEADLINE and 2 * sum(word[0].isupper() for word in words) > len(words)

"""What a sentence of the model's says that the note does not: figures in any script, numbers in words, addresses, names.

It is strict on purpose: a rightly converted figure is sent back too. Units, directions and names are judged in `wording`.
"""

import re
import unicodedata
from collections.abc import Collection

from agent.extracting.wording import turned_round
from agent.reading.identifiers import find_arxiv, find_dois, find_urls
from agent.reading.measures import numbers_in

# "三倍", "九成五", "百分之五十", "十二万"
_CHINESE = re.compile(
    r"百分之[零〇一二两三四五六七八九十百]{1,6}"
    r"|[零〇一二两三四五六七八九十百千半数]{1,8}(?:倍|成(?![品本功为果员熟就立效长分因])|折(?![叠扣])|[万亿](?!能))"
)
_ENGLISH = re.compile(
    r"\b(?:half|halv(?:e|ed|es|ing)|doubl(?:e|ed|es|ing)|tripl(?:e|ed|es|ing)|quadrupl(?:e|ed)|twice|thrice|tenfold"
    r"|(?:two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand)"
    r"(?:[ -](?:times|fold|percent|per cent|hundred|thousand|million|billion|x)))\b|翻倍|减半|翻番",
    re.IGNORECASE,
)
# An address without its "https://", which `find_urls` leaves out.
_HOST = re.compile(
    r"\b(?:[a-z0-9][a-z0-9-]{0,62}\.){1,5}(?:com|org|net|io|ai|dev|cn|example|gov|edu|co|app|xyz)\b(?:/[^\s，。；、]{0,200})?",
    re.IGNORECASE,
)
_VULNERABILITY = re.compile(r"\bCVE-\d{4}-\d{4,7}", re.IGNORECASE)
_PATTERNS = (_CHINESE, _ENGLISH, _HOST, _VULNERABILITY)


def unsupported(text: str, *, by: str, canaries: Collection[str] = ()) -> tuple[str, ...]:
    """Return what `text` says in figures, worded numbers, addresses, identifiers, units and names, and `by` does not.

    Args:
        text: written by a model.
        by: what it rests on.
        canaries: invented names of the prompt's examples, which a model may copy.
    """
    said, known = unicodedata.normalize("NFKC", text), unicodedata.normalize("NFKC", by)
    lowered = known.lower()
    foreign = set(numbers_in(said) - numbers_in(by) - numbers_in(known))
    foreign |= {word for word in _worded(said) if word.lower() not in lowered}
    foreign |= {letter for letter in text if _is_other_figure(letter) and letter not in by}
    foreign |= {name for name in canaries if name.lower() in said.lower() and name.lower() not in lowered}
    return tuple(sorted(foreign | set(turned_round(said, by=known))))


def _worded(text: str) -> set[str]:
    """Numbers in words, addresses, and identifiers with their version, as written."""
    found = {match[0] for pattern in _PATTERNS for match in pattern.finditer(text)}
    found |= {url.url for url in find_urls(text)} | {doi.doi for doi in find_dois(text)}
    return found | {f"{one.identifier}v{one.version}" for one in find_arxiv(text) if one.version is not None}


def _is_other_figure(letter: str) -> bool:
    """A number that does not fold into ASCII digits or is more than digits: Arabic digits, fractions, circled, Roman."""
    category = unicodedata.category(letter)
    if category == "Nd":
        return not unicodedata.normalize("NFKC", letter).isascii()
    return category in {"Nl", "No"}

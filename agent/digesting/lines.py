"""The shapes that lines of a digest take: items, lists within them, brackets, stars, links to places in notes.

Promises: whatever comes from a note is escaped by the caller; links come from `escaping` alone.
"""

from collections.abc import Iterable, Sequence

from agent.digesting.words import Words
from agent.reading.escaping import note_link
from agent.records import Evidence

LINKS = 3  # shown behind a lead, a claim or an arXiv identifier, of origins, and of places also affected


def as_section(heading: str, items: Sequence[str], words: Words) -> list[str]:
    """Return a section with a list below its heading."""
    return [f"## {heading}", "", *(f"- {item}" for item in items), *([] if items else [words.none]), ""]


def as_list(name: str, items: Sequence[str], words: Words) -> list[str]:
    """A list item with a list below, on one line where there is only one; nothing without items."""
    if len(items) < 2:
        return [as_item(name, item, words) for item in items]
    return [f"- **{name}**{words.colon.rstrip()}", *(f"  - {item}" for item in items)]


def as_item(name: str, value: str, words: Words) -> str:
    """Return a list item that begins with a name."""
    return f"- **{name}**{words.colon}{value}"


def bracketed(words: Words, text: str) -> str:
    """Return a text in the language's brackets, with the space before them that it takes."""
    return words.in_brackets.format(text=text)


def as_stars(stars: int) -> str:
    """Return a rating of 1 to 5 as five stars."""
    return "★" * stars + "☆" * (5 - stars)


def place_links(evidence: Iterable[Evidence]) -> str:
    """Return links to the first places, each once."""
    links = dict.fromkeys(place_link(one) for one in evidence)
    return " ".join(list(links)[:LINKS])


def place_link(evidence: Evidence) -> str:
    """Return a link to a note and line."""
    return note_link(evidence.note, evidence.line)

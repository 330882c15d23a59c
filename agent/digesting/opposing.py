"""Writes the contradictions of a digest, each under a heading that the findings link to, and the claims to verify.

Promises: everything from notes is escaped; the same digest gives the same lines.
"""

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote

from agent.digesting.lines import LINKS, bracketed, place_link, place_links
from agent.digesting.words import Words
from agent.reading.escaping import escape, visible
from agent.reading.showing import plain
from agent.records import Contradiction, Digest, Evidence, Side, ToVerify

_TEXT = 400  # code points shown; the whole text is in the JSON
_QUOTE = 240
_SAYING = 200
_SIDES = 6  # of a contradiction that are quoted
_BEFORE = 40  # code points of a long quote shown before what a side says in it


def dispute_links(numbers: Sequence[int], words: Words) -> str:
    """Return links to the contradictions of these numbers, as a finding shows them."""
    links = [
        f"[{words.contradiction.format(n=number)}](#{quote(words.contradiction_anchor.format(n=number))})"
        for number in numbers[:LINKS]
    ]
    return words.comma.join([*links, *([f"+{len(numbers) - LINKS}"] if len(numbers) > LINKS else [])])


def contradiction_lines(digest: Digest, numbers: Mapping[str, str], words: Words) -> list[str]:
    """Return the section of contradictions; `numbers` is what increments are called, by their ids."""
    lines = [f"## {words.contradictions}", ""]
    for number, one in enumerate(digest.contradictions, start=1):
        lines += [f"### {words.contradiction.format(n=number)}", "", *_contradiction(one, numbers, words), ""]
    return lines if digest.contradictions else [*lines, words.none, ""]


def claim_lines(digest: Digest, words: Words) -> list[str]:
    """Return the section of claims to verify."""
    claims = [line for one in digest.to_verify for line in _claim(one, words)]
    return [f"## {words.to_verify}", "", *(claims or [words.none]), ""]


def _contradiction(contradiction: Contradiction, numbers: Mapping[str, str], words: Words) -> list[str]:
    """The statement, its sides with their numbers, and what helps to settle it."""
    about = [words.kinds[contradiction.kind], words.severities[contradiction.severity]]
    if contradiction.since is not None:
        about.append(words.open_since.format(date=contradiction.since))
    about.append(_found_by(contradiction.found_by, words))
    concerned = [numbers[one].partition(".")[0] for one in contradiction.increments if one in numbers]
    further: Iterable[Evidence] = (*contradiction.sides[_SIDES:], *contradiction.also_affects)
    also = dict.fromkeys(place_link(one) for one in further)
    shown = [*list(also)[:LINKS], *([f"+{len(also) - LINKS}"] if len(also) > LINKS else [])]
    helpful = [
        (words.settle, escape(contradiction.settle, limit=_TEXT) if contradiction.settle.strip() else ""),
        (words.also_affects, " ".join(shown)),
        (words.concerns, words.comma.join(concerned)),
    ]
    return [
        f"- {escape(contradiction.statement, limit=_TEXT)}{bracketed(words, words.clause.join(about))}",
        *(f"  {number}. {_side(side, words)}" for number, side in enumerate(contradiction.sides[:_SIDES], start=1)),
        *(f"  - {name}{words.colon}{text}" for name, text in helpful if text),
    ]


def _side(side: Side, words: Words) -> str:
    """What a side says and its quote, from near that place on where the quote is long."""
    said, quoted = plain(visible(side.says)), plain(visible(side.quote))
    quote = escape(_from_near(quoted, said), limit=_QUOTE)
    says = "" if said in {"", quoted} else escape(said, limit=_SAYING) + words.colon
    return f"{says}{quote} {place_link(side)}"


def _from_near(quote: str, said: str) -> str:
    at = quote.find(said) if said else -1
    if at < 0 or at + len(said) <= _QUOTE:
        return quote
    return f"…{quote[at - _BEFORE :] if at > _BEFORE else quote}"


def _found_by(name: str, words: Words) -> str:
    return words.found_by_model if name == "model" else words.found_by_rule.format(name=escape(name))


def _claim(claim: ToVerify, words: Words) -> list[str]:
    found_by = _found_by(claim.found_by, words) if claim.found_by != "note" else ""
    asked = [(words.question, claim.question), (words.suggestion, claim.suggestion)]
    said = escape(claim.claim, limit=_QUOTE) + (bracketed(words, found_by) if found_by else "")
    return [
        f"- {said} {place_links(claim.evidence)}".rstrip(),
        *(f"  - {name}{words.colon}{escape(text, limit=_TEXT)}" for name, text in asked if text.strip()),
    ]

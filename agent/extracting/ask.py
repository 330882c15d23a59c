"""The calls about one note's text: the fields of a bounded finding, and boundaries where the note sets none."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal

from agent.asking.model import Request
from agent.asking.prompts import Message, Prompt, as_data, canaries, load_prompt
from agent.asking.tokens import estimate_tokens
from agent.errors import CallFailed, PromptTooLong, ReplyTruncated
from agent.extracting.ledger import Ledger
from agent.extracting.passages import Passage
from agent.extracting.support import unsupported
from agent.reading.phrasing import named_in, prompt_for, whole
from agent.records import Language
from agent.replies import Boundary, ExtractReply, FindReply, closed
from agent.texts import Unit

_WINDOW_TOKENS = 2200  # of note text in one call: leaves a small model room for prompt and reply
_MOST_POINTS = 8
_LONGEST_SUMMARY, _LONGEST_REASON = 200, 120  # characters, as the reply's schema has it


def ask_fields(
    ledger: Ledger,
    *,
    title: str,
    units: Sequence[Unit],
    language: Language,
    left_out: Collection[Literal["summary", "reason"]] = (),
) -> ExtractReply:
    """Ask what one bounded finding says; cited numbers are numbers of `units`.

    What is too long for one call is asked about in parts, none left out. A figure, name or address in the summary that
    stands in none of the units is sent back once with the reason, then dropped and listed.

    Args:
        ledger: who asks, and keeps the account.
        title: the finding's.
        units: what it says.
        language: of summary and reason.
        left_out: what is not asked for, and stays empty.

    Raises:
        ModelError: the call failed.
    """
    form = _Form(title, language, tuple(left_out), load_prompt(prompt_for("extract_increment", _text(units))))
    parts = [[unit for (unit,) in window] for window in windows([(unit,) for unit in units])]
    replies: list[ExtractReply] = []
    lost: list[CallFailed] = []
    for part in parts:
        try:
            replies += _ask_part(ledger, form, part)
        except CallFailed as error:
            lost.append(error)
    if not replies:
        raise lost[0]
    if lost:
        ledger.remarks.append(f"Of {title!r} {len(lost)} of {len(parts)} parts got no reply: {lost[0]}")
    return _joined(replies)


@dataclass(frozen=True, slots=True)
class _Form:
    """What is the same in all calls about one finding."""

    title: str
    language: Language
    left_out: tuple[str, ...]
    prompt: Prompt

    def request(self, units: Sequence[Unit], text: str) -> Request:
        prompt = self.prompt
        lists: dict[str, Sequence[int | str]] = {"points": [unit.number for unit in units]}
        return Request(
            prompt=prompt.name,
            messages=prompt.render(title=as_data(self.title), units=text, language=named_in(self.language, text=text)),
            reply=closed(ExtractReply, lists | {name: [""] for name in self.left_out}),
            max_tokens=prompt.max_tokens,
            temperature=prompt.temperature,
        )


def _ask_part(ledger: Ledger, form: _Form, units: Sequence[Unit]) -> list[ExtractReply]:
    """Ask about some units; where they or the reply prove too long, about each half of them."""
    text = "\n".join(_numbered(units))
    request = form.request(units, text)
    try:
        reply = ledger.ask(request, ExtractReply)
    except (PromptTooLong, ReplyTruncated):
        if len(units) < 2:
            raise
        middle = len(units) // 2
        return [reply for half in (units[:middle], units[middle:]) for reply in _ask_part(ledger, form, half)]
    return [_checked(ledger, request, reply, known=f"{form.title}\n{text}")]


def _joined(replies: Sequence[ExtractReply]) -> ExtractReply:
    """Join the replies about the parts of one finding: the first summary, points from every part, the most telling answers."""
    first = replies[0]
    if len(replies) == 1:
        return first
    points = [number for several in zip_longest(*(reply.points for reply in replies)) for number in several if number]
    return first.model_copy(
        update={
            "summary": next((reply.summary for reply in replies if reply.summary), ""),
            "reason": next((reply.reason for reply in replies if reply.reason), ""),
            "points": sorted(dict.fromkeys(points[:_MOST_POINTS])),
            "measured_by": next((r.measured_by for r in replies if r.measured_by != "nobody"), "nobody"),
            "primary_source": any(reply.primary_source for reply in replies),
            "commercial_interest": any(reply.commercial_interest for reply in replies),
            "reproducible": any(reply.reproducible for reply in replies),
        }
    )


def ask_boundaries(
    ledger: Ledger, passages: Sequence[Passage], *, headings: Mapping[int, str], language: Language
) -> tuple[Boundary, ...]:
    """Ask which passages hold findings; returns non-overlapping boundaries in order, from first to last unit number.

    Args:
        ledger: who asks, and keeps the account.
        passages: what could hold one.
        headings: by the number of a unit, what it stands under.
        language: of titles.

    Raises:
        ModelError: the call failed, or a single passage is too long.
    """
    text = "\n".join(_under_headings(passages, headings))
    prompt = load_prompt(prompt_for("find_increments", text))
    starts, ends = [passage[0].number for passage in passages], [passage[-1].number for passage in passages]
    request = Request(
        prompt=prompt.name,
        messages=prompt.render(passages=text, language=named_in(language, text=text)),
        reply=closed(FindReply, {"findings": closed(Boundary, {"first": starts, "last": ends})}),
        max_tokens=prompt.max_tokens,
        temperature=prompt.temperature,
    )
    try:
        reply = ledger.ask(request, FindReply)
    except (PromptTooLong, ReplyTruncated):
        if len(passages) < 2:
            raise
        middle = len(passages) // 2
        halves = (passages[:middle], passages[middle:])
        return tuple(
            found for half in halves for found in ask_boundaries(ledger, half, headings=headings, language=language)
        )
    return _ordered(reply.findings, ledger)


def windows(passages: Sequence[Passage]) -> tuple[tuple[Passage, ...], ...]:
    """Cut passages into windows that fit one call; nothing is left out."""
    cut: list[list[Passage]] = []
    tokens = _WINDOW_TOKENS + 1
    for passage in passages:
        needed = sum(estimate_tokens(unit.text) for unit in passage)
        if tokens + needed > _WINDOW_TOKENS:
            cut.append([])
            tokens = 0
        cut[-1].append(passage)
        tokens += needed
    return tuple(tuple(window) for window in cut)


def _under_headings(passages: Sequence[Passage], headings: Mapping[int, str]) -> Iterator[str]:
    """Each passage with its numbers, below the heading that it stands under."""
    above = ""
    for passage in passages:
        heading = headings.get(passage[0].number, "")
        if heading and heading != above:
            yield f"# {as_data(heading)}"
        above = heading
        yield _shown(passage)


def _text(units: Sequence[Unit]) -> str:
    return "\n".join(unit.text for unit in units)


def _shown(passage: Passage) -> str:
    numbers = f"{passage[0].number}-{passage[-1].number}" if len(passage) > 1 else f"{passage[0].number}"
    return f"[{numbers}] {as_data(' '.join(unit.text for unit in passage))}"


def _numbered(units: Sequence[Unit]) -> list[str]:
    return [f"[{unit.number}] {as_data(unit.text)}" for unit in units]


def _checked(ledger: Ledger, request: Request, reply: ExtractReply, *, known: str) -> ExtractReply:
    """Send a summary back once that says what the units do not, with the reason; drop it when that does not help."""
    unknown = unsupported(reply.summary, by=known, canaries=canaries())
    if unknown:
        reason = f"summary says what stands in no unit: {', '.join(unknown)}. Write the form again without it."
        said = (
            Message("assistant", as_data(reply.model_dump_json(), keep_lines=True)),
            Message("user", as_data(reason)),
        )
        with suppress(CallFailed):  # the first reply still holds
            reply = ledger.ask(replace(request, messages=(*request.messages, *said)), ExtractReply)
    summary, reason = whole(reply.summary, _LONGEST_SUMMARY), whole(reply.reason, _LONGEST_REASON)
    return reply.model_copy(
        update={
            "summary": ledger.supported(summary, by=known, what="summary"),
            "reason": ledger.supported(reason, by=known, what="reason"),
        }
    )


def _ordered(findings: Sequence[Boundary], ledger: Ledger) -> tuple[Boundary, ...]:
    """Boundaries in order; a title that is copied from the prompt's examples, or given twice, is none."""
    kept: list[Boundary] = []
    titles: set[str] = set()
    for one in sorted(findings, key=lambda found: (found.first, found.last)):
        if one.last < one.first or (kept and one.first <= kept[-1].last):
            ledger.dropped.append(f"boundary {one.first}-{one.last}: reversed or overlapping")
            continue
        is_copied = ledger.is_title_copied(one.title)
        if is_copied or one.title in titles:
            why = "copied from the prompt's example" if is_copied else "given twice"
            ledger.dropped.append(f"title: {one.title!r} ({why})")
            kept.append(one.model_copy(update={"title": ""}))
            continue
        titles.add(one.title)
        kept.append(one)
    return tuple(kept)

"""The calls about one note's text: the fields of a bounded finding, and boundaries where the note sets none."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from agent.asking.model import Request
from agent.asking.prompts import Message, as_data, load_prompt
from agent.asking.tokens import estimate_tokens
from agent.errors import CallFailed, PromptTooLong, ReplyTruncated
from agent.extracting.ledger import Ledger
from agent.extracting.support import unsupported
from agent.records import Language, Unit
from agent.replies import Boundary, ExtractReply, FindReply, closed

LANGUAGE_NAMES: dict[Language, str] = {"zh": "Chinese", "en": "English"}
Passage = Sequence[Unit]

_WINDOW_TOKENS = 2200  # of note text in one call: leaves a small model room for prompt and reply
_HALVINGS = 3


def ask_fields(ledger: Ledger, *, title: str, units: Sequence[Unit], language: Language) -> ExtractReply:
    """Ask what one bounded finding says; cited numbers are numbers of `units`.

    A figure in the summary that stands in none of the units is sent back once with the reason, then dropped and listed.

    Raises:
        ModelError: the call failed, or the text stays too long after three halvings.
    """
    prompt = load_prompt("extract_increment")
    shown = list(_first_window(units))
    if len(shown) < len(units):
        ledger.remarks.append(
            f"Of {title!r} the model was shown {len(shown)} of {len(units)} units: it is too long for one call."
        )
    for halving in range(_HALVINGS + 1):
        text = "\n".join(_numbered(shown))
        request = Request(
            prompt=prompt.name,
            messages=prompt.render(title=as_data(title), units=text, language=LANGUAGE_NAMES[language]),
            reply=closed(ExtractReply, {"points": [unit.number for unit in shown]}),
            max_tokens=prompt.max_tokens,
            temperature=prompt.temperature,
        )
        try:
            reply = ledger.ask(request, ExtractReply)
        except (PromptTooLong, ReplyTruncated):
            if halving == _HALVINGS or len(shown) < 2:
                raise
            shown = shown[: (len(shown) + 1) // 2]
            continue
        return _with_figures_checked(ledger, request, reply, known=f"{title}\n{text}")
    raise AssertionError("unreachable: the last halving returns or raises")


def ask_boundaries(ledger: Ledger, passages: Sequence[Passage], *, language: Language) -> tuple[Boundary, ...]:
    """Ask which passages hold findings; returns non-overlapping boundaries in order, from first to last unit number.

    Raises:
        ModelError: the call failed, or a single passage is too long.
    """
    prompt = load_prompt("find_increments")
    starts, ends = [passage[0].number for passage in passages], [passage[-1].number for passage in passages]
    request = Request(
        prompt=prompt.name,
        messages=prompt.render(
            passages="\n".join(_shown(passage) for passage in passages), language=LANGUAGE_NAMES[language]
        ),
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
        return tuple(found for half in halves for found in ask_boundaries(ledger, half, language=language))
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


def _first_window(units: Sequence[Unit]) -> Sequence[Unit]:
    found = windows([(unit,) for unit in units])
    return [unit for (unit,) in found[0]] if found else ()


def _shown(passage: Passage) -> str:
    numbers = f"{passage[0].number}-{passage[-1].number}" if len(passage) > 1 else f"{passage[0].number}"
    return f"[{numbers}] {as_data(' '.join(unit.text for unit in passage))}"


def _numbered(units: Sequence[Unit]) -> list[str]:
    return [f"[{unit.number}] {as_data(unit.text)}" for unit in units]


def _with_figures_checked(ledger: Ledger, request: Request, reply: ExtractReply, *, known: str) -> ExtractReply:
    """Send a summary with foreign figures back once, with the reason; drop it when that does not help."""
    unknown = unsupported(reply.summary, by=known)
    if unknown:
        reason = (
            f"summary holds figures that stand in no unit: {', '.join(unknown)}. Write the form again without them."
        )
        said = (
            Message("assistant", as_data(reply.model_dump_json(), keep_lines=True)),
            Message("user", as_data(reason)),
        )
        with suppress(CallFailed):  # the first reply still holds
            reply = ledger.ask(replace(request, messages=(*request.messages, *said)), ExtractReply)
    return reply.model_copy(
        update={
            "summary": ledger.supported(reply.summary, by=known, what="summary"),
            "reason": ledger.supported(reply.reason, by=known, what="reason"),
        }
    )


def _ordered(findings: Sequence[Boundary], ledger: Ledger) -> tuple[Boundary, ...]:
    kept: list[Boundary] = []
    titles: set[str] = set()
    for one in sorted(findings, key=lambda found: (found.first, found.last)):
        if one.last < one.first or (kept and one.first <= kept[-1].last):
            ledger.dropped.append(f"boundary {one.first}-{one.last}: reversed or overlapping")
            continue
        if one.title in titles:
            ledger.dropped.append(f"boundary {one.first}-{one.last}: the same title again")
            continue
        titles.add(one.title)
        kept.append(one)
    return tuple(kept)

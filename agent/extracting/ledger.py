"""What happens while one note is asked about: the replies it rests on, what was dropped, which segments failed."""

from typing import TypeVar

from rapidfuzz import fuzz

from agent.asking.budget import charge, charged
from agent.asking.model import Model, Request
from agent.asking.prompts import canaries, example_sentences
from agent.errors import CallFailed, ModelError, ReplyInvalid
from agent.extracting.support import unsupported
from agent.records import SegmentFailure, Usage
from agent.replies import Reply
from agent.texts import Segment

_COPIED, _COPIED_TITLE = 80, 90  # of 100, as rapidfuzz counts; a title is held against every part of a sentence

AnyReply = TypeVar("AnyReply", bound=Reply)


class Ledger:
    """Asks a model on behalf of one note, and keeps the account.

    Attributes:
        usage: what the replies of this note cost, whenever they were paid for.
        prompts: version by prompt id, of the prompts that were used.
        replies: how many were had.
        dropped: what a model wrote and the note does not bear out, one sentence each.
        remarks: what a reader should know about how the note was asked about, one sentence each.
        failures: segments that no reply could be had for.
    """

    def __init__(self, model: Model | None) -> None:
        self.model = model
        self.usage = Usage()
        self.replies = 0
        self.prompts: dict[str, str] = {}
        self.dropped: list[str] = []
        self.remarks: list[str] = []
        self.failures: list[SegmentFailure] = []

    def ask(self, request: Request, reply: type[AnyReply]) -> AnyReply:
        """Ask, and return the reply as the class that was asked for.

        Raises:
            ModelError: the call failed; see agent.errors.
        """
        if self.model is None:
            raise AssertionError("engine none asks nothing")
        try:
            answer = self.model.ask(request)
        except ModelError as error:
            self.usage += charged(error)
            if not isinstance(error, CallFailed):  # this note ends here, and so does this ledger
                charge(error, self.usage)
            raise
        prompt, _, version = request.prompt.partition("@")
        self.usage += answer.usage
        self.replies += 1
        self.prompts[prompt] = version
        if not isinstance(answer.reply, reply):
            raise ReplyInvalid(f"the model answered {type(answer.reply).__name__} instead of {reply.__name__}.")
        return answer.reply

    def supported(self, text: str, *, by: str, what: str) -> str:
        """Return `text`, or nothing where it says more than `by`; then it is listed as dropped."""
        if text and any(fuzz.ratio(text, sentence) >= _COPIED for sentence in example_sentences()):
            self.dropped.append(f"{what}: {text!r} (copied from the prompt's example)")
            return ""
        unknown = unsupported(text, by=by, canaries=canaries())
        if not unknown:
            return text
        self.dropped.append(f"{what}: {text!r} ({', '.join(unknown)})")
        return ""

    def is_title_copied(self, title: str) -> bool:
        """Return whether a title stands in a prompt's worked examples, or holds an invented name of theirs."""
        return any(name.casefold() in title.casefold() for name in canaries()) or any(
            fuzz.partial_ratio(title, sentence) >= _COPIED_TITLE for sentence in example_sentences()
        )

    def fail(self, segment: Segment, error: CallFailed) -> None:
        """Note that a segment got no reply."""
        self.failures.append(
            SegmentFailure(
                start=segment.start, end=segment.end, line=segment.units[0].line, reason=error.reason, detail=str(error)
            )
        )

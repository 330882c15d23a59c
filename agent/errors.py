"""Every way in which the program can fail, as one tree.

AgentError                      exit 3  could not do it at all
├── SettingsError               exit 2  a flag, variable or agent.toml that makes no sense
├── WorkspaceError              exit 3  the workspace as a whole cannot be used
│   ├── WorkspaceMissing        exit 2  no such folder, or it is no workspace
│   ├── TopicUnknown            exit 2  no living document of that name
│   ├── WindowEmpty             exit 2  no note falls into the days asked for
│   ├── InboxEmpty              exit 3  there is no note at all
│   ├── NoteUnreadable          exit 1  one note cannot be read; the others go on
│   └── OutputUnwritable        exit 3  the result cannot be written where it was asked for
├── StoreError                  exit 3  the program's own database cannot be used
├── PromptError                 exit 3  a prompt file is broken or its variables do not fit
├── GoldError                   exit 2  gold answers, or a run to compare with, make no sense
└── ModelError                  exit 3  a model call went wrong
    ├── EngineUnavailable       exit 3  no engine, or the chosen one cannot start
    ├── ModelRefusedAccess      exit 3  wrong key, unknown model, quota used up: stop the run at once
    ├── ModelUnavailable        exit 3  the endpoint does not answer, after all retries
    ├── BudgetExceeded          exit 3  the next call would cost more than what is left
    └── CallFailed              exit 1  this one call is lost; its segment is reported
        ├── ReplyInvalid        exit 1  the reply does not fit, even after one repair
        ├── ReplyTruncated      exit 1  the reply was cut at the length limit
        ├── ReplyRefused        exit 1  the model refused, or a filter stopped it
        ├── PromptTooLong       exit 1  the segment does not fit the context: ask with less
        └── DeadlinePassed      exit 1  the call took longer than it may

A message is one sentence: what happened, to what, and what to do next. It never holds a secret.
"""


class AgentError(Exception):
    """The root: `exit_status` is what the process returns when this ends the run."""

    exit_status = 3


class SettingsError(AgentError):
    """A flag, environment variable or `agent.toml` entry is wrong."""

    exit_status = 2


class WorkspaceError(AgentError):
    """The workspace cannot be used."""


class WorkspaceMissing(WorkspaceError):
    """The folder does not exist, or holds no workspace."""

    exit_status = 2


class TopicUnknown(WorkspaceError):
    """No living document carries the topic's name."""

    exit_status = 2


class WindowEmpty(WorkspaceError):
    """The inbox has notes, but none in the days asked for."""

    exit_status = 2


class InboxEmpty(WorkspaceError):
    """No note in any inbox."""


class NoteUnreadable(WorkspaceError):
    """One note cannot be read; `outcome` is what `checked` says of it."""

    exit_status = 1

    def __init__(self, message: str, *, outcome: str = "unreadable") -> None:
        super().__init__(message)
        self.outcome = outcome


class OutputUnwritable(WorkspaceError):
    """The result cannot be written to its place."""


class StoreError(AgentError):
    """The program's own database cannot be opened or written."""


class PromptError(AgentError):
    """A prompt file is broken, or a variable is missing or too many."""


class GoldError(AgentError):
    """Gold answers, or an earlier run to compare with, cannot be read or make no sense."""

    exit_status = 2


class ModelError(AgentError):
    """A model call went wrong."""


class EngineUnavailable(ModelError):
    """The chosen engine is not configured or cannot start."""


class ModelRefusedAccess(ModelError):
    """The endpoint rejects our key, our model or our account; every further call would fail alike."""


class ModelUnavailable(ModelError):
    """The endpoint did not answer, after all retries."""


class BudgetExceeded(ModelError):
    """The next call would pass the token budget of the run."""


class CallFailed(ModelError):
    """One call is lost; the run goes on. `reason` is a short word for reports."""

    exit_status = 1
    reason = "failed"


class ReplyInvalid(CallFailed):
    """The reply does not fit its schema or its checks, even after one repair."""

    reason = "invalid"


class ReplyTruncated(CallFailed):
    """The reply ended at the length limit."""

    reason = "truncated"


class ReplyRefused(CallFailed):
    """The model refused, or a content filter stopped the reply."""

    reason = "refused"


class PromptTooLong(CallFailed):
    """The prompt does not fit the model's context."""

    reason = "too long"


class DeadlinePassed(CallFailed):
    """The call did not end within its deadline."""

    reason = "deadline"

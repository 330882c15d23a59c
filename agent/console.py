"""What the user sees on the terminal: results on standard output, everything else on standard error.

The only place that knows rich. Texts from notes go through `shown`, and never through rich's markup.
"""

import sys
import threading
from collections.abc import Sequence
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from agent.asking.model import Answer
from agent.records import CheckedNote, Usage
from agent.workspace import shown

_errors = Console(stderr=True, soft_wrap=True, highlight=False)


def say(message: str) -> None:
    """Print one message to standard error."""
    _errors.print(Text(shown(message)))


def fail(message: str) -> None:
    """Print an error to standard error."""
    _errors.print(Text.assemble(("error: ", "bold red"), shown(message)))


def write_out(text: str) -> None:
    """Write a result to standard output, byte for byte, as UTF-8."""
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def show_table(title: str, rows: Sequence[tuple[str, ...]], *, columns: tuple[str, ...]) -> None:
    """Print a table to standard output."""
    table = Table(title=title, title_justify="left", header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(shown(cell)) for cell in row))
    Console(soft_wrap=False, highlight=False).print(table)


class ProgressBar:
    """A bar per run on standard error: notes, the one being read, calls, tokens, time left.

    Where standard error is no terminal, one plain line for each finished note instead.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._usage = Usage()
        self._remembered = 0
        self._bar = Progress(
            TextColumn("{task.fields[note]}", markup=False, table_column=None),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[cost]}", markup=False),
            TimeRemainingColumn(compact=True),
            console=_errors,
            transient=True,
            disable=not _errors.is_terminal,
        )
        self._task = self._bar.add_task("", note="", cost="", total=None)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def begin(self, notes: int) -> None:
        """So many notes will be read."""
        self._bar.update(self._task, total=notes)

    def started(self, path: str) -> None:
        """A note is being read."""
        self._bar.update(self._task, note=shown(path)[-48:])

    def called(self, answer: Answer) -> None:
        """A reply came, from the model or from memory."""
        with self._lock:
            if answer.is_remembered:
                self._remembered += answer.usage.calls
            else:
                self._usage += answer.usage
            self._bar.update(self._task, cost=self.cost)

    def joined(self, done: int, total: int) -> None:
        """So many bytes of the local model's weights are joined or checked."""
        self._bar.update(self._task, note="local model", completed=done, total=total)
        if done >= total:
            self._bar.update(self._task, completed=0, total=None)

    def finished(self, checked: CheckedNote) -> None:
        """A note is done."""
        self._bar.advance(self._task)
        if not _errors.is_terminal:
            say(f"{checked.note}: {checked.outcome}, {checked.increments} increments; {self.cost}")

    @property
    def cost(self) -> str:
        """What this run has paid so far."""
        usage = self._usage
        tokens = usage.prompt_tokens + usage.completion_tokens
        return f"{usage.calls} calls, {tokens:,} tokens, {self._remembered} remembered"

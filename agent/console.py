"""What the user sees on the terminal: results on standard output, everything else on standard error.

The only place that knows rich. Texts from notes go through `shown`, and never through rich's markup.
"""

import contextlib
import errno
import os
import sys
import threading
from collections.abc import Sequence
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from agent.asking.model import Answer
from agent.costs import Prices, cost_of, shown_cost
from agent.errors import OutputUnwritable
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
    """Write a result to standard output, byte for byte, as UTF-8.

    Raises:
        OutputUnwritable: it cannot be written there.
        BrokenPipeError: whoever read it has gone.
    """
    if sys.stdout is None:  # it was closed before we began
        raise OutputUnwritable("Standard output is closed: send it somewhere, or name a file with --output.")
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        _drop_output()
        raise OutputUnwritable(
            f"Standard output cannot be written ({error.strerror}): free some space or send it elsewhere."
        ) from error


def show_table(
    title: str, rows: Sequence[tuple[str, ...]], *, columns: tuple[str, ...], figures: tuple[str, ...] = ()
) -> None:
    """Print a table to standard output; every cell is shown as it is.

    Args:
        title: what stands above it.
        rows: a cell for each column.
        columns: what stands above them.
        figures: the columns that hold figures: they are set to the right, and never broken; such a table has no lines.

    Raises:
        OutputUnwritable: it cannot be written there.
    """
    table = Table(title=Text(shown(title)), title_justify="left", header_style="bold")
    if figures:
        table.box, table.padding, table.pad_edge = None, (0, 1, 0, 0), False
    for column in columns:
        is_figure = column in figures
        table.add_column(Text(column), overflow="fold", no_wrap=is_figure, justify="right" if is_figure else "left")
    for row in rows:
        table.add_row(*(Text(shown(cell)) for cell in row))
    console = Console(highlight=False)
    with console.capture() as captured:
        console.print(table)
    write_out(captured.get())


def counted(number: int, what: str) -> str:
    """Return "1 note", "2 notes"."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _drop_output() -> None:
    """Let what is still unwritten go nowhere, or the interpreter tries once more at its end and complains."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


class ProgressBar:
    """A bar per run on standard error: notes, the one being read, calls, tokens, time left.

    Where standard error is no terminal, one plain line for each finished note instead.

    Args:
        prices: what tokens cost, or None where no money is to be stated.
    """

    def __init__(self, prices: Prices | None = None) -> None:
        self._lock = threading.Lock()
        self._prices = prices
        self._usage = Usage()
        self._remembered = 0
        self._bar = Progress(
            TextColumn("{task.fields[note]}", markup=False),
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

    def lost(self, usage: Usage) -> None:
        """A question failed, and cost this all the same."""
        with self._lock:
            self._usage += usage
            self._bar.update(self._task, cost=self.cost)

    def joined(self, done: int, total: int) -> None:
        """So many bytes of the local model's weights are joined or checked."""
        is_done = done >= total
        megabytes = (0, None) if is_done else (done // 10**6, total // 10**6)
        self._bar.update(self._task, note="MB of the local model", completed=megabytes[0], total=megabytes[1])

    def remarked(self, sentence: str) -> None:
        """The endpoint had to be asked in another way than planned."""
        say(sentence)

    def finished(self, checked: CheckedNote) -> None:
        """A note is done."""
        self._bar.advance(self._task)
        if not _errors.is_terminal:
            say(f"{checked.note}: {checked.outcome}, {counted(checked.increments, 'increment')}; {self.cost}")

    @property
    def cost(self) -> str:
        """What this run has paid so far."""
        usage, cost = self._usage, cost_of(self._usage, self._prices)
        money = f", {shown_cost(cost)}" if cost else ""
        return (
            f"{counted(usage.calls, 'call')}, {usage.prompt_tokens:,} tokens in ({usage.cached_tokens:,} cached), "
            f"{usage.completion_tokens:,} out{money}, {self._remembered} remembered"
        )

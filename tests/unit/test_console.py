"""The terminal shows foreign text as it is and never obeys it; results go out byte for byte, all else to standard error."""

import errno
import io
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest
from rich.console import Console

from agent import console
from agent.asking.model import Answer
from agent.costs import Prices
from agent.errors import OutputUnwritable
from agent.records import CheckedNote, Outcome, Usage
from agent.replies import FindReply

HOSTILE = "[/foo] [bold]x[/bold] \x1b]52;c;aGk=\x07 \u202egpj.exe\u202c {task} {{ x }} \x9b31m\nsecond"
SHOWN = r"[/foo] [bold]x[/bold] \x1b]52;c;aGk=\x07 \u202egpj.exe\u202c {task} {{ x }} \x9b31m\nsecond"


def _answer(calls: int = 1, tokens: int = 100, *, is_remembered: bool = False) -> Answer:
    usage = Usage(calls=calls, prompt_tokens=tokens)
    return Answer(reply=FindReply(findings=[]), usage=usage, model="small", is_remembered=is_remembered)


def _checked(note: str, outcome: Outcome = "extracted", increments: int = 2) -> CheckedNote:
    return CheckedNote(note=note, agent="tom", outcome=outcome, increments=increments)


@pytest.fixture
def terminal(monkeypatch):
    """A terminal of 100 columns on standard error; returns what it was sent."""
    sent = io.StringIO()
    monkeypatch.setattr(
        console, "_errors", Console(file=sent, force_terminal=True, width=100, soft_wrap=True, highlight=False)
    )
    return sent


# Messages.


@pytest.mark.parametrize(("lead", "tell"), [("", console.say), ("error: ", console.fail)])
def test_a_message_is_one_harmless_line_on_standard_error(capfd, lead, tell):
    tell(HOSTILE)

    assert ("", f"{lead}{SHOWN}\n") == tuple(capfd.readouterr())


def test_a_long_message_is_not_wrapped(capfd):
    console.say("word " * 100)

    assert 1 == capfd.readouterr().err.count("\n")


def test_only_our_own_word_is_coloured_on_a_terminal(terminal):
    console.fail(HOSTILE)

    assert f"\x1b[1;31merror: \x1b[0m{SHOWN}\n" == terminal.getvalue()


def test_a_lone_surrogate_of_a_file_name_is_shown_escaped(capfd):
    console.say("bad\udcff.md")

    assert "bad\\udcff.md\n" == capfd.readouterr().err


# Results.


def test_a_result_goes_out_byte_for_byte(capfdbinary):
    console.write_out("# 简报 [/foo]\r\n\tx\u202e\n")

    assert ("# 简报 [/foo]\r\n\tx\u202e\n".encode(), b"") == tuple(capfdbinary.readouterr())


def test_a_lone_surrogate_in_a_result_is_written_as_an_escape(capfdbinary):
    console.write_out('{"note": "bad\udcff.md"}')

    assert b'{"note": "bad\\udcff.md"}' == capfdbinary.readouterr().out


class _Broken(io.RawIOBase):
    def __init__(self, code: int) -> None:
        self.code = code

    def writable(self):
        return True

    def write(self, data):
        raise OSError(self.code, "as scripted")


def _stdout(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    monkeypatch.setattr(sys, "stdout", type("Stdout", (), {"buffer": _Broken(code), "fileno": lambda self: -1})())


def test_an_output_that_cannot_be_written_is_one_sentence(monkeypatch):
    _stdout(monkeypatch, errno.ENOSPC)

    with pytest.raises(OutputUnwritable, match=r"Standard output cannot be written \(as scripted\)"):
        console.write_out("x")


def test_a_reader_that_has_gone_stays_a_broken_pipe(monkeypatch):
    _stdout(monkeypatch, errno.EPIPE)

    with pytest.raises(BrokenPipeError):
        console.write_out("x")


def test_after_a_full_disk_the_interpreter_ends_without_a_complaint():
    code = "from agent import console, errors\ntry: console.write_out('x' * 100)\nexcept errors.OutputUnwritable: print('lost')"
    with open("/dev/full", "w") as full:  # noqa: PTH123  a device
        ended = subprocess.run([sys.executable, "-c", code], stdout=full, stderr=subprocess.PIPE, check=False)

    assert (0, b"") == (ended.returncode, ended.stderr)


# Tables.


def test_cells_and_title_of_a_table_are_shown_as_they_are(capfd):
    console.show_table("[/foo] notes", [("[/bar]", "\x1b[31m红")], columns=("note", "[red]"))

    shown = capfd.readouterr()
    assert "" == shown.err
    assert "[/foo] notes" in shown.out
    assert "[/bar]" in shown.out
    assert "\\x1b[31m红" in shown.out
    assert "[red]" in shown.out
    assert "\x1b" not in shown.out


def test_a_table_keeps_to_80_columns_and_loses_nothing(capfd):
    path = "inbox/tom/" + "很长的名字" * 20 + ".md"

    console.show_table("notes", [(path, "to be read")], columns=("note", "state"))

    lines = capfd.readouterr().out.splitlines()
    folded = "".join(line.split("│")[1].strip() for line in lines if "│" in line)
    assert path == folded
    assert 80 >= max(len(line) + sum(ord(c) >= 0x2E80 for c in line) for line in lines)


def test_columns_of_figures_stand_to_the_right_and_are_never_broken(capfd):
    path = "inbox/tom/" + "a-long-name-" * 8

    console.show_table(
        "notes", [(path, "1,234,567", "9/9")], columns=("note", "tokens", "found"), figures=("tokens", "found")
    )

    lines = capfd.readouterr().out.splitlines()
    assert "   tokens found" in lines[1]
    assert "1,234,567   9/9" in lines[2]
    assert path == "".join(line.split()[0] for line in lines[2:])


def test_a_table_with_chinese_goes_to_an_ascii_terminal_too(monkeypatch):
    sent = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(sent, encoding="ascii"))

    console.show_table("notes", [("简报.md",)], columns=("note",))

    assert "简报.md" in sent.getvalue().decode()


@pytest.mark.parametrize(("said", "number"), [("0 notes", 0), ("1 note", 1), ("2 notes", 2)])
def test_things_are_counted(said, number):
    assert said == console.counted(number, "note")


# Progress.


def test_without_a_terminal_each_finished_note_is_one_plain_line(capfd):
    with console.ProgressBar() as bar:
        bar.joined(1, 2)
        bar.begin(2)
        bar.started("inbox/tom/a.md")
        bar.called(_answer(2, 1500))
        bar.called(_answer(3, 9000, is_remembered=True))
        bar.finished(_checked("inbox/tom/a.md"))
        bar.started(f"inbox/tom/{HOSTILE}.md")
        bar.finished(_checked(f"inbox/tom/{HOSTILE}.md", "nothing_new", 0))

    assert [
        "inbox/tom/a.md: extracted, 2 increments; 2 calls, 1,500 tokens in (0 cached), 0 out, 3 remembered",
        f"inbox/tom/{SHOWN}.md: nothing_new, 0 increments; 2 calls, 1,500 tokens in (0 cached), 0 out, 3 remembered",
    ] == capfd.readouterr().err.splitlines()


def test_with_prices_the_cost_is_stated_in_money_too_and_a_failed_call_counts(capfd):
    with console.ProgressBar(Prices(Decimal(1), Decimal("0.1"), Decimal(10), "USD")) as bar:
        bar.called(_answer(2, 1500))
        bar.lost(Usage(calls=1, prompt_tokens=1000, cached_tokens=500, completion_tokens=200))

    assert "3 calls, 2,500 tokens in (500 cached), 200 out, 0.0040 USD, 0 remembered" == bar.cost


def test_a_remark_is_a_line(capfd):
    console.ProgressBar().remarked("It is asked more plainly.")

    assert "It is asked more plainly.\n" == capfd.readouterr().err


def test_on_a_terminal_the_bar_shows_note_count_and_cost_and_is_gone_at_the_end(terminal):
    with console.ProgressBar() as bar:
        bar.begin(2)
        bar.started("inbox/tom/[/foo].md")
        bar.called(_answer(2, 1500))
        bar.finished(_checked("inbox/tom/[/foo].md"))
        bar._bar.refresh()

    drawn, _, left = terminal.getvalue().rpartition("remembered")
    assert "inbox/tom/[/foo].md" in drawn
    assert "1/2" in drawn
    assert "2 calls, 1,500 tokens in (0 cached), 0 out, 0 " in drawn
    assert "inbox" not in left
    assert "extracted" not in terminal.getvalue()


def test_a_hostile_name_in_the_bar_steers_nothing(terminal):
    with console.ProgressBar() as bar:
        bar.begin(1)
        bar.started(HOSTILE)
        bar._bar.refresh()

    assert r"\x9b31m\nsecond" in terminal.getvalue()
    assert not [bad for bad in ("\x1b]52", "\x07", "\u202e", "\x9b") if bad in terminal.getvalue()]


def test_the_bar_counts_weights_in_megabytes_and_then_begins_anew(terminal):
    with console.ProgressBar() as bar:
        bar.joined(500_000_000, 1_117_320_768)
        bar._bar.refresh()
        bar.joined(1_117_320_768, 1_117_320_768)
        bar.begin(3)
        bar._bar.refresh()

    assert "500/1117" in terminal.getvalue()
    assert "0/3" in terminal.getvalue()


def test_calls_of_several_threads_are_all_counted():
    bar = console.ProgressBar()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: bar.called(_answer()), range(400)))

    assert "400 calls, 40,000 tokens in (0 cached), 0 out, 0 remembered" == bar.cost

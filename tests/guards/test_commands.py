"""Every command and option is documented and explains itself, and every command shown in the README exists."""

import importlib
import re
import shlex
from collections.abc import Iterator
from typing import Annotated, Any

import pytest
import typer
from typer.main import get_command

from tests.sources import ROOT

README = ROOT / "README.md"
_FENCE = re.compile(r"^[ ]{0,3}```[^\n]*\n(.*?)^[ ]{0,3}```", re.MULTILINE | re.DOTALL)
_CHAIN = re.compile(r"(?:^|\s)(?:&&|\|\||;)\s")
# `agent = "tom"` is a setting, and no command.
_PROMPT = re.compile(r"\s{0,8}(?:\$ )?(?:[A-Z_]{1,40}=\S{0,200} ){0,4}(?:\S{0,80}/|python -m )?(?=agent (?!=))")
_SEPARATORS = frozenset({"&&", "||", ";", "|", ">", ">>", "2>", "#"})
_BUILT_IN = frozenset({"--help", "--install-completion", "--show-completion"})

Command = Any  # click's classes come inside typer


def leaves(command: Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Command]]:
    """Yield every command that is not hidden with its full name: `relay run`. The root's name is empty."""
    yield " ".join(path), command
    for name, inner in sorted(getattr(command, "commands", {}).items()):
        if not inner.hidden:
            yield from leaves(inner, (*path, name))


def options(command: Command) -> Iterator[tuple[tuple[str, ...], str | None]]:
    """Yield the names and the help of every option that is not hidden and not built in."""
    for parameter in command.params:
        names = tuple(name for name in (*parameter.opts, *parameter.secondary_opts) if name.startswith("-"))
        if names and not getattr(parameter, "hidden", False) and not _BUILT_IN & set(names):
            yield names, getattr(parameter, "help", None)


def undocumented(root: Command, readme: str) -> list[str]:
    """Return every command and option that the README leaves out or that has no help."""
    found = []
    for name, command in leaves(root):
        if not (command.help or "").strip():
            found.append(f"agent {name}".strip() + " has no help")
        if name and f"agent {name}" not in readme:
            found.append(f"agent {name} is not in the README")
        for names, explained in options(command):
            if not (explained or "").strip():
                found.append(f"agent {name} {names[0]} has no help")
            if not any(re.search(rf"(?<![\w-]){re.escape(each)}(?![\w-])", readme) for each in names):
                found.append(f"agent {name} {names[0]} is not in the README")
    return found


def shown(readme: str) -> list[list[str]]:
    """Return the words of every `agent` command in the README's fenced blocks, up to a pipe or a comment."""
    lines = [line for block in _FENCE.findall(readme) for line in block.replace("\\\n", " ").splitlines()]
    parts = [part for line in lines for part in _CHAIN.split(line)]
    return [_words(part[match.end() :]) for part in parts if (match := _PROMPT.match(part))]


def _words(line: str) -> list[str]:
    words = shlex.split(line, comments=True)[1:]
    ends = [number for number, word in enumerate(words) if word in _SEPARATORS]
    return words[: ends[0]] if ends else words


def unknown(root: Command, words: list[str]) -> str | None:
    """Return the first word of a shown command that does not exist, or None."""
    command = root
    known = {name for names, _ in options(command) for name in names} | _BUILT_IN
    for word in words:
        if word.startswith("-") and word != "-":
            if word.partition("=")[0] not in known:
                return word
        elif (inner := getattr(command, "commands", {}).get(word)) is not None:
            command = inner
            known |= {name for names, _ in options(command) for name in names}
        elif getattr(command, "commands", None):
            return word
    return None


def misshown(root: Command, readme: str) -> list[str]:
    """Return every command shown in the README that would be refused."""
    wrong = [(" ".join(["agent", *words]), unknown(root, words)) for words in shown(readme)]
    return [f"{line!r}: there is no {word!r}" for line, word in wrong if word]


@pytest.fixture
def agent():
    return get_command(importlib.import_module("agent.cli").app)


def test_every_command_and_option_is_in_the_readme_and_has_help(agent):
    found = undocumented(agent, README.read_text(encoding="utf-8"))

    assert not found, "\n".join(found)


def test_every_command_in_the_readme_exists(agent):
    readme = README.read_text(encoding="utf-8")
    found = misshown(agent, readme)

    assert shown(readme), "the README shows no command"
    assert not found, "\n".join(found)


def test_ci_runs_the_tests_as_the_readme_says():
    last = (ROOT / ".ci" / "run").read_text(encoding="utf-8").strip().splitlines()[-1]

    assert last == "python -m pytest"
    assert last in (line.strip() for block in _FENCE.findall(README.read_text("utf-8")) for line in block.splitlines())


@pytest.fixture
def miniature():
    """A program with a command in a group, a flag with two names, and something hidden."""
    app, relay = typer.Typer(help="All of it."), typer.Typer(help="The relay.")
    app.add_typer(relay, name="relay")

    @app.command(help="Make a digest.")
    def digest(
        topic: Annotated[str, typer.Option(help="Which topic.")] = "",
        fresh: Annotated[bool, typer.Option("--fresh/--stored", help="Ask again.")] = False,  # noqa: FBT002 - a flag
    ) -> None: ...

    @relay.command(help="Run it.")
    def run() -> None: ...

    @app.command(hidden=True)
    def serve(port: int = 0) -> None: ...

    return get_command(app)


DOCUMENTED = "`agent digest --topic T --fresh` and `agent relay run`; `agent relay` alone explains."


def test_a_documented_program_has_no_problem(miniature):
    assert undocumented(miniature, DOCUMENTED) == []


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("agent relay run", "agent relay status", "agent relay run is not in the README"),
        ("--topic", "--topics", "agent digest --topic is not in the README"),
        ("--fresh", "", "agent digest --fresh is not in the README"),
    ],
)
def test_what_the_readme_leaves_out_is_named(miniature, old, new, named):
    assert undocumented(miniature, DOCUMENTED.replace(old, new)) == [named]


def test_what_does_not_explain_itself_is_named():
    app = typer.Typer(help="All of it.")

    @app.command()
    def digest(topic: Annotated[str, typer.Option()] = "") -> None: ...

    app.command(name="relay", help="The relay.")(lambda: None)

    assert undocumented(get_command(app), "agent digest --topic, agent relay") == [
        "agent digest has no help",
        "agent digest --topic has no help",
    ]


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("agent digests", "there is no 'digests'"),
        ("$ agent digest --topics x", "there is no '--topics'"),
        ("cd example && agent relay walk", "there is no 'walk'"),
        (".venv/bin/agent digest \\\n  --tropic x", "there is no '--tropic'"),
        ("agent digest --topic=x --fresh --stored > out.md  # agent nothing", ""),
        ("agent digest --topic x | jq .", ""),
        ("AGENT_ENGINE=none agent digest --tropic x", "there is no '--tropic'"),
        ("agent relay run", ""),
        ("pip install agent digest", ""),
    ],
)
def test_a_command_that_does_not_exist_is_named(miniature, line, named):
    found = misshown(miniature, f"Before `agent x`.\n\n```console\n{line}\n```\n")

    assert [named in problem for problem in found] == ([True] if named else [])

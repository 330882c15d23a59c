"""What may never reach a model client: templates in notes, redirects, a client of the SDK's own making."""

import ast
from collections.abc import Mapping

import pytest

from tests.sources import ROOT, calls, modules, write_package

CLIENTS = {"httpx2.Client", "httpx2.AsyncClient"}
SDK_CLIENTS = {"openai.OpenAI", "openai.AsyncOpenAI"}
RULES = {
    "context": "instructor renders every message as a template when context= is given",
    "follow_redirects": "a redirect would carry the notes elsewhere: follow_redirects=False must be written",
    "http_client": "the SDK's own client follows redirects and has no size cap: http_client= must be given",
}


def problems(known: Mapping[str, ast.Module]) -> list[str]:
    """Return every call in a package that breaks a rule of the wire."""
    found = []
    for name, tree in known.items():
        for called, call in calls(tree):
            given = {keyword.arg: keyword.value for keyword in call.keywords}
            redirects = given.get("follow_redirects")
            broken = []
            if name == "asking.model" and "context" in given:
                broken.append("context")
            if called in CLIENTS and not (isinstance(redirects, ast.Constant) and redirects.value is False):
                broken.append("follow_redirects")
            if called in SDK_CLIENTS and "http_client" not in given:
                broken.append("http_client")
            found += [f"{name} line {call.lineno}: {RULES[rule]}" for rule in broken]
    return found


def test_nothing_of_ours_breaks_the_rules_of_the_wire():
    found = problems(modules(ROOT))

    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("client.chat.completions.create(messages=[], context={'note': 1})\n", "context"),
        ("import httpx2\nhttpx2.Client()\n", "follow_redirects"),
        ("import httpx2\nhttpx2.Client(follow_redirects=True)\n", "follow_redirects"),
        ("import httpx2 as http\nhttp.AsyncClient()\n", "follow_redirects"),
        ("from httpx2 import Client as Door\nDoor()\n", "follow_redirects"),
        ("def late():\n    from openai import OpenAI\n    return OpenAI(api_key='x')\n", "http_client"),
    ],
)
def test_a_broken_rule_is_named(tmp_path, text, rule):
    found = problems(modules(write_package(tmp_path, {"asking/model.py": text})))

    assert [RULES[rule] in problem for problem in found] == [True]


def test_calls_within_the_rules_pass(tmp_path):
    text = "import httpx2, openai\nopenai.OpenAI(http_client=httpx2.Client(follow_redirects=False))\n"

    assert problems(modules(write_package(tmp_path, {"asking/model.py": text}))) == []

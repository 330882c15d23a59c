"""Names say what a thing is: no catch-all modules, no suffixes without meaning, families for errors and replies."""

import ast
import re
from collections.abc import Mapping

import pytest

from tests.sources import ROOT, modules, write_package

EMPTY_WORDS = frozenset({"Manager", "Helper", "Helpers", "Util", "Utils", "Data", "Info", "Base"})
CATCH_ALLS = frozenset({"utils", "util", "helpers", "helper", "common", "misc", "base", "core"})
_WORD = re.compile(r"[A-Z][a-z0-9]*")


def problems(known: Mapping[str, ast.Module]) -> list[str]:
    """Return every module and class whose name says nothing, and every exception outside the tree of errors."""
    found = [f"module {name} says nothing of what it is for" for name in known if name.split(".")[-1] in CATCH_ALLS]
    for name, tree in known.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.ClassDef):
                continue
            if empty := sorted(EMPTY_WORDS & set(_WORD.findall(node.name))):
                found.append(f"class {node.name} in {name}: {', '.join(empty)} says nothing")
            is_family = node.name == "AgentError" or node.name.startswith("_")  # private ones never leave their file
            parents = {ast.unparse(base) for base in node.bases}
            if parents & {"Exception", "BaseException", "RuntimeError", "ValueError"} and not is_family:
                found.append(f"class {node.name} in {name} is an error outside the tree of errors.py")
            if (
                name == "replies"
                and "Reply" in parents
                and not node.name.endswith("Reply")
                and not _is_part(node, tree)
            ):
                found.append(f"class {node.name} in replies is sent as a reply and does not end in Reply")
    return found


def _is_part(node: ast.ClassDef, tree: ast.Module) -> bool:
    """Whether another reply holds this class in one of its fields."""
    annotations = [each.annotation for each in ast.walk(tree) if isinstance(each, ast.AnnAssign)]
    return any(isinstance(part, ast.Name) and part.id == node.name for each in annotations for part in ast.walk(each))


def test_our_names_say_what_things_are():
    found = problems(modules(ROOT))

    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("file", "text", "named"),
    [
        ("utils.py", "", "module utils says nothing"),
        ("asking/helpers.py", "", "module asking.helpers says nothing"),
        ("store.py", "class StoreManager: ...\n", "Manager says nothing"),
        ("store.py", "class NoteInfo: ...\n", "Info says nothing"),
        ("store.py", "class Broken(Exception): ...\n", "outside the tree"),
        ("replies.py", "class Reply: ...\nclass Verdict(Reply): ...\n", "does not end in Reply"),
    ],
)
def test_an_empty_name_is_named(tmp_path, file, text, named):
    found = problems(modules(write_package(tmp_path, {file: text})))

    assert [named in problem for problem in found] == [True]


def test_words_inside_words_and_parts_of_replies_pass(tmp_path):
    files = {
        "records.py": "class Baseline: ...\nclass Database: ...\n",
        "replies.py": "class Reply: ...\nclass Boundary(Reply): ...\nclass FindReply(Reply):\n    all: list[Boundary]\n",
    }

    assert problems(modules(write_package(tmp_path, files))) == []

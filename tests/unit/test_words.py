import dataclasses
import string
from collections.abc import Iterator
from typing import get_args

import pytest

from agent.digesting.words import WORDS, Count, Words
from agent.records import Action, ContradictionKind, Engine, Language, Outcome, Relation
from agent.texts import RegisterKind


def braces(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def texts(value: object, name: str) -> Iterator[tuple[str, str]]:
    """Every text below a field, by its path."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Count):
        yield from ((f"{name}.one", value.one), (f"{name}.many", value.many))
    elif isinstance(value, dict):
        for key, text in value.items():
            yield from texts(text, f"{name}.{key}")
    elif isinstance(value, tuple):
        for position, text in enumerate(value):
            yield from texts(text, f"{name}.{position}")


def all_texts(words: Words) -> dict[str, str]:
    return {
        path: text
        for field in dataclasses.fields(words)
        for path, text in texts(getattr(words, field.name), field.name)
    }


def test_every_language_is_there() -> None:
    assert set(get_args(Language)) == set(WORDS)


def test_both_languages_have_the_same_texts_with_the_same_braces() -> None:
    zh, en = all_texts(WORDS["zh"]), all_texts(WORDS["en"])
    assert set(zh) == set(en)
    assert {path: braces(text) for path, text in zh.items()} == {path: braces(text) for path, text in en.items()}


@pytest.mark.parametrize("language", get_args(Language))
def test_no_text_is_empty_but_the_space(language: Language) -> None:
    assert {"space"} >= {path for path, text in all_texts(WORDS[language]).items() if not text}


@pytest.mark.parametrize("language", get_args(Language))
def test_every_value_of_the_contract_has_a_word(language: Language) -> None:
    words = WORDS[language]
    assert set(get_args(Outcome)) == set(words.outcomes)
    assert set(get_args(Relation)) == set(words.relations)
    assert set(get_args(Action)) == set(words.actions)
    assert set(get_args(Engine)) == set(words.engines)
    assert set(get_args(RegisterKind)) == set(words.register_kinds)
    assert set(get_args(ContradictionKind)) == set(words.kinds)


@pytest.mark.parametrize(("expected", "number"), [("0 notes", 0), ("1 note", 1), ("2 notes", 2)])
def test_a_count_takes_the_right_noun(expected: str, number: int) -> None:
    assert expected == WORDS["en"].notes(number)

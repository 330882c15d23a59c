"""Both languages say the same things: no word is missing, no brace is forgotten."""

import re
import string
from dataclasses import fields
from typing import get_args

from agent.batons import BatonState, RhythmState
from agent.records import Action, Language
from agent.relaying.wording import WORDING, Wording

CHINESE = re.compile("[\u3000-\u9fff\uff00-\uffef]")


def sentences(words: Wording) -> dict[str, str]:
    """Every sentence by its name, those in mappings and rows too."""
    found: dict[str, str] = {}
    for field in fields(words):
        value = getattr(words, field.name)
        if isinstance(value, str):
            found[field.name] = value
        elif isinstance(value, tuple):
            found |= {f"{field.name} {place}": text for place, text in enumerate(value)}
        else:
            found |= {f"{field.name} {key}": text for key, text in value.items()}
    return found


def braces(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_every_language_has_every_sentence_with_the_same_braces() -> None:
    assert set(get_args(Language)) == set(WORDING)
    chinese, english = sentences(WORDING["zh"]), sentences(WORDING["en"])
    assert chinese.keys() == english.keys()
    assert all(chinese.values())
    assert all(english.values())
    assert {name: braces(text) for name, text in chinese.items()} == {
        name: braces(text) for name, text in english.items()
    }


def test_every_state_and_action_has_a_word_of_its_own() -> None:
    states = {*get_args(BatonState), *get_args(RhythmState)}
    for words in WORDING.values():
        assert states == set(words.states)
        assert len(states) == len(set(words.states.values()))
        assert set(get_args(Action)) == set(words.actions)
        assert len(words.actions) == len(set(words.actions.values()))


def test_the_words_of_a_language_are_in_that_language() -> None:
    assert not [text for text in sentences(WORDING["en"]).values() if CHINESE.search(text)]

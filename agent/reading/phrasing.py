"""In which language a model is asked, and whether it answered in the one it was told to: small models slip."""

import re

from agent.records import Language

LANGUAGE_NAMES: dict[Language, dict[Language, str]] = {
    "zh": {"zh": "中文", "en": "英文"},
    "en": {"zh": "Chinese", "en": "English"},
}
_CLAUSE_END = re.compile(r"[。！？；!?;]|\.(?=\s)|[，,](?=\s|[\u3400-\u9fff])")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")


def language_of(text: str) -> Language:
    """Return the language of a text: Chinese where its characters outnumber the Latin words, which are names there."""
    return "zh" if len(_CHINESE.findall(text)) > len(_LATIN_WORD.findall(text)) else "en"


def prompt_for(name: str, text: str) -> str:
    """Return the id of the prompt that asks about a text in the text's own language."""
    return f"{name}_zh" if language_of(text) == "zh" else name


def named_in(language: Language, *, text: str) -> str:
    """Return what the output language is called in the prompt about a text."""
    return LANGUAGE_NAMES[language_of(text)][language]


def in_language(text: str, language: Language) -> str:
    """Return a model's sentence, or nothing where it is not in the digest's language."""
    fits = _CHINESE.search(text) is not None if language == "zh" else language_of(text) == "en"
    return text if fits else ""


def whole(text: str, limit: int) -> str:
    """Return a sentence that a limit of so many characters cut off, back to its last clause; what is shorter stays."""
    if len(text) < limit:
        return text
    ends = [found.end() for found in _CLAUSE_END.finditer(text)]
    kept = text[: ends[-1]].rstrip(" ，,；;") if ends else ""
    return kept if 2 * len(kept) > limit else text

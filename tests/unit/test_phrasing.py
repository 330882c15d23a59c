"""A model is asked in the language of the note and answers in that of the digest; what slips is left out."""

import pytest

from agent.reading.phrasing import in_language, language_of, named_in, prompt_for, whole
from agent.records import Language

ZH, EN = "首 token 延迟降到 0.8 s", "The first token takes 0.8 s"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("zh", ZH),
        ("zh", "vLLM 与 SGLang 都支持 RingKV 分层缓存"),  # names are Latin there
        ("en", EN),
        ("en", "The paper 推理优化综述 covers many caches and schedulers"),
        ("en", ""),
        ("en", "12 × 0.8"),
    ],
)
def test_a_text_is_chinese_where_its_characters_outnumber_the_latin_words(language: Language, text: str) -> None:
    assert language == language_of(text)


def test_the_prompt_is_the_one_in_the_language_of_the_text() -> None:
    assert ("ask_zh", "ask") == (prompt_for("ask", ZH), prompt_for("ask", EN))


@pytest.mark.parametrize(
    ("called", "language", "text"),
    [("中文", "zh", ZH), ("英文", "en", ZH), ("Chinese", "zh", EN), ("English", "en", EN)],
)
def test_the_output_language_is_called_by_its_name_in_the_language_of_the_text(
    called: str, language: Language, text: str
) -> None:
    assert called == named_in(language, text=text)


@pytest.mark.parametrize(
    ("language", "text"),
    [("zh", ZH), ("zh", "RingKV 快"), ("en", EN), ("en", "The paper 推理优化 covers caches"), ("en", "")],
)
def test_a_sentence_in_the_language_of_the_digest_stays(language: Language, text: str) -> None:
    assert text == in_language(text, language)


@pytest.mark.parametrize(
    ("language", "text"), [("zh", EN), ("en", ZH), ("en", "延迟降低"), ("en", "RingKV 的延迟降低")]
)
def test_a_sentence_in_another_language_is_left_out(language: Language, text: str) -> None:
    assert "" == in_language(text, language)


@pytest.mark.parametrize(
    ("kept", "text"),
    [
        ("延迟降到 0.8 s。", "延迟降到 0.8 s。命中率低于三成"),
        ("延迟降到 0.8 s", "延迟降到 0.8 s，命中率低于三成"),
        ("It takes 0.8 s now.", "It takes 0.8 s now. Hit ra"),
        ("It takes 1,607 ms", "It takes 1,607 ms, and hit"),
        ("甲。乙乙乙乙乙乙乙乙", "甲。乙乙乙乙乙乙乙乙"),  # too little would be left
        ("It takes 0.8000000", "It takes 0.8000000"),  # a figure is no end
    ],
)
def test_what_a_limit_cut_off_goes_back_to_its_last_clause(kept: str, text: str) -> None:
    assert kept == whole(text, len(text))
    assert text == whole(text, len(text) + 1)

"""Candidate sections are those that share rare words with a finding."""

from agent.extracting.candidates import SectionIndex, words
from agent.texts import LivingDocument, Section


def _document(name: str, *sections: tuple[str, str, str]) -> LivingDocument:
    made = tuple(
        Section(number, heading, (), content, line, 2) for line, (number, heading, content) in enumerate(sections, 1)
    )
    return LivingDocument(name=name, topic=name.removesuffix(".md"), text="", sections=made, updated=None, sha256="")


INDEX = SectionIndex(
    [
        _document(
            "inference.md",
            ("1", "现状全景", "引擎对比"),
            ("4", "KV Cache 管理", "LMCache 2601.00001"),
            ("7", "vLLM", "版本"),
        ),
        _document("agents.md", ("2", "Memory", "episodic memory stores"), ("3", "Planning", "tree search")),
    ]
)


def test_a_name_in_the_content_finds_its_section() -> None:
    found = INDEX.search("LMCache 支持新的后端", limit=3)

    assert "4" == found[0].section.number


def test_chinese_text_is_found_by_pairs_of_characters() -> None:
    assert "1" == INDEX.search("推理引擎的现状全景更新", limit=1)[0].section.number


def test_a_heading_counts_more_than_content() -> None:
    assert "7" == INDEX.search("vLLM release", limit=1)[0].section.number


def test_a_text_without_shared_words_finds_nothing() -> None:
    assert () == INDEX.search("protein folding", limit=3)


def test_no_more_than_the_limit_is_returned_best_first() -> None:
    found = INDEX.search("vLLM KV Cache 管理 memory LMCache", limit=2)

    assert 2 == len(found)
    assert found[0].score >= found[1].score


def test_words_are_names_identifiers_and_character_pairs() -> None:
    assert {"vllm", "v0.20.0", "2607.18141", "内存", "存层", "~ram"} == words("vLLM v0.20.0 的 2607.18141 内存层")

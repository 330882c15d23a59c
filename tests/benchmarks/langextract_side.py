"""Reads notes with langextract, in an environment of its own: its dependencies and ours exclude each other.

    python langextract_side.py RESULT < ORDER

ORDER is JSON: `base_url`, `api_key`, `model`, and `notes`, each with `text` and `language`. RESULT becomes a JSON list, one
entry for a note: `seconds`, `spans` (`[start, end]`, or null where nothing could be aligned) and `error`.

Its own defaults stand, but for what makes the two sides comparable: one request at a time, temperature 0, and for Chinese the
tokenizer it has for text without spaces: the default one would align next to nothing. A reply ends after 1,024 tokens, or a small model that repeats itself would fill
the server's whole context.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import langextract as lx
import yaml
from langextract.core.tokenizer import RegexTokenizer, UnicodeTokenizer
from langextract.factory import ModelConfig

LONGEST_REPLY = 1024  # tokens; a chunk has 1,000 characters
KIND = "increment"
TASKS = Path(__file__).with_name("langextract_task.yaml")


def examples_from(examples: list[dict[str, Any]]) -> list[Any]:
    """Return examples as langextract wants them."""
    return [
        lx.data.ExampleData(
            text=one["text"],
            extractions=[
                lx.data.Extraction(
                    extraction_class=KIND, extraction_text=finding["words"], attributes={"title": finding["title"]}
                )
                for finding in one["findings"]
            ],
        )
        for one in examples
    ]


def read(note: dict[str, str], order: dict[str, Any]) -> list[list[int] | None]:
    """Return the span of each extraction from one note."""
    asked = yaml.safe_load(TASKS.read_text(encoding="utf-8"))[note["language"]]
    config = ModelConfig(
        model_id=order["model"],
        provider="OpenAILanguageModel",
        provider_kwargs={
            "base_url": order["base_url"],
            "api_key": order["api_key"],
            "temperature": 0.0,
            "max_output_tokens": LONGEST_REPLY,
            "max_workers": 1,
        },
    )
    annotated = lx.extract(
        note["text"],
        prompt_description=asked["task"],
        examples=examples_from(asked["examples"]),
        config=config,
        tokenizer=UnicodeTokenizer() if note["language"] == "zh" else RegexTokenizer(),
        max_workers=1,
        show_progress=False,
    )
    return [_span(extraction.char_interval) for extraction in annotated.extractions or []]


def _span(interval: Any) -> list[int] | None:
    if interval is None or interval.start_pos is None or interval.end_pos is None:
        return None
    return [interval.start_pos, interval.end_pos]


def main() -> None:
    """Do what an order says."""
    order = json.load(sys.stdin)
    results = []
    for number, note in enumerate(order["notes"], 1):
        spans: list[list[int] | None] = []
        error = None
        begin = time.perf_counter()
        try:
            spans = read(note, order)
        except Exception as failure:  # noqa: BLE001 - whatever it raises, the note is lost to it and the others are read
            error = f"{type(failure).__name__}: {failure}"
        seconds = time.perf_counter() - begin
        results.append({"seconds": seconds, "spans": spans, "error": error})
        said = error or f"{len(spans)} extractions"
        print(f"langextract, note {number} of {len(order['notes'])}: {said}, {seconds:.0f} s", file=sys.stderr)  # noqa: T201 - it takes minutes
    Path(sys.argv[1]).write_text(json.dumps(results), encoding="utf-8")


if __name__ == "__main__":
    main()

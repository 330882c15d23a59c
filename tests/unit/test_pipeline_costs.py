"""What the calls about each note have cost is stated, also where the note was given up, and adds up to the digest's."""

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from agent.asking.budget import charge
from agent.asking.estimating import EstimatingModel
from agent.asking.model import Request
from agent.asking.testing import ScriptedModel
from agent.errors import ModelUnavailable
from agent.estimate import Unwatched
from agent.pipeline import Order, extract_note, make_digest, plan
from agent.records import Cost, Digest, Usage
from agent.settings import Settings
from agent.workspace import Workspace

DAY = dt.date(2026, 9, 14)
PRICES: dict[str, Any] = {"price_input": Decimal(1), "price_output": Decimal(10)}
FINDING = """# 简报

增量 1：{title}

要点：
- {title}，吞吐升到 12 tok/s

建议归入：inference.md · §4.1（补充）
"""


def _made_up(request: Request) -> object:
    """A reply that fits, whatever is asked."""
    return EstimatingModel(name="m", endpoint="e", memory=None).ask(request).reply


@pytest.fixture
def opened(tmp_path):
    """A workspace with one finding, one note that says nothing and one finding more."""
    (tmp_path / "organized/knowledge").mkdir(parents=True)
    (tmp_path / "organized/knowledge/inference.md").write_text(
        "# inference\n\n## 4 KV\n\n### 4.1 分层\n\n主机内存一行。\n", encoding="utf-8"
    )
    (tmp_path / "inbox/tom").mkdir(parents=True)
    texts = {"a": FINDING.format(title="缓存分层"), "b": "大家好。\n", "c": FINDING.format(title="量化加速")}
    for name, text in texts.items():
        (tmp_path / f"inbox/tom/2026-09-14-{name}.md").write_text(text, encoding="utf-8")

    def opening(settings: Settings) -> Workspace:
        return Workspace.open(tmp_path, settings=settings)

    return opening


@pytest.fixture
def digest(opened):
    """Make a digest of the workspace with a model that answers by a script."""

    def making(replies: Callable[[Request], object] = _made_up, **settings: Any) -> Digest:
        used = Settings(**settings, workers=1)
        workspace = opened(used)
        planned = plan(workspace, Order(topic=None, date=DAY, days=2))
        model = ScriptedModel(replies)
        return make_digest(workspace, used, planned, engine="remote", model=model, progress=Unwatched()).digest

    return making


def test_each_note_says_what_its_calls_have_cost_and_the_digest_what_all_have(digest):
    made = digest(**PRICES)

    first, empty, last = made.checked
    assert (2, 200, 20) == (first.usage.calls, first.usage.prompt_tokens, first.usage.completion_tokens)
    assert Usage() == empty.usage
    assert first.usage + last.usage == made.usage
    assert Cost(amount=Decimal("0.0004"), currency="USD") == first.cost
    assert Cost(amount=Decimal("0.0008"), currency="USD") == made.cost


def test_without_both_prices_no_money_is_stated(digest):
    made = digest(price_input=Decimal(1))

    assert [None] * 4 == [made.cost, *(one.cost for one in made.checked)]


def test_what_was_paid_for_a_note_that_was_then_given_up_is_counted(digest):
    def replies(request: Request) -> object:
        if request.prompt.startswith("place") and "量化" in request.messages[-1].content:
            return charge(ModelUnavailable("The endpoint is gone."), Usage(calls=1, prompt_tokens=7))
        return _made_up(request)

    made = digest(replies, **PRICES)

    assert ["extracted", "nothing_new", "not_tried"] == [one.outcome for one in made.checked]
    assert [(2, 200), (0, 0), (2, 107)] == [(one.usage.calls, one.usage.prompt_tokens) for one in made.checked]
    assert (4, 307) == (made.usage.calls, made.usage.prompt_tokens)
    assert Cost(amount=Decimal("0.000207"), currency="USD") == made.checked[2].cost


def test_one_note_alone_says_it_too(opened):
    settings = Settings(**PRICES)

    found = extract_note(
        opened(settings), settings, "inbox/tom/2026-09-14-a.md", engine="remote", model=ScriptedModel(_made_up)
    )

    assert (2, Cost(amount=Decimal("0.0004"), currency="USD")) == (found.usage.calls, found.cost)

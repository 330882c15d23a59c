"""A workspace with a living document, and handoffs that offer operations on it."""

import datetime as dt
from pathlib import Path
from typing import Any

from agent.batons import Coverage
from agent.handoffs import Handoff
from agent.records import Evidence, Increment, Placement
from agent.relaying.operations import operations_for
from agent.workspace import Workspace
from tests.answers import an_increment

DAY = dt.date(2026, 9, 14)
NOW = dt.datetime(2026, 9, 14, 19, 5, tzinfo=dt.UTC)
TEXT = """# caching · 活文档

更新：2026-09-13 · 共识 C1–C8

## 2. 引擎

| 引擎 | 吞吐 |
|---|---|
| vLLM | 120 tok/s |

### 2.1 分页

块表。

### 2.2 前缀

```
## no heading
```

## 3. 登记

共识：C7 甲。C8 乙。
"""
NAME = "caching.md"


def path_of(root: Path | Workspace, name: str = NAME) -> Path:
    """Return where a living document lies."""
    return (root if isinstance(root, Path) else root.root) / "organized" / "knowledge" / name


def placed(section: str, action: str = "append", name: str = NAME) -> Placement:
    """Return a place that a note names."""
    return Placement.model_validate(
        {"document": name, "section": section, "action": action, "reason": "", "proposed_by": "note", "exists": True}
    )


def finding(*placements: Placement, title: str = "Limits per session", **more: Any) -> Increment:
    """Return a finding that belongs there."""
    evidence = Evidence(note="inbox/tom/n.md", start=0, end=1, quote="x", line=1)
    return an_increment([evidence], title=title, placements=placements, **more)


def handed(workspace: Workspace, *increments: Increment, **more: Any) -> Handoff:
    """A handoff for the documents as they are."""
    operations = operations_for(increments, workspace.documents(), language="zh", date=DAY)
    known: dict[str, Any] = {
        "date": DAY, "slot": "19:00", "timezone": "UTC", "language": "zh", "agent": "digest", "engine": "none",
        "operations": operations, "coverage": Coverage(notes=1),
    }  # fmt: skip
    return Handoff.model_validate({**known, **more})


def two(workspace: Workspace) -> Handoff:
    """Return a handoff with an addition to one section and a subsection behind another."""
    return handed(workspace, finding(placed("2.1"), id="a"), finding(placed("2.2", "new_subsection"), id="b"))


def shelved(root: Path) -> Workspace:
    """Return a new workspace with one living document."""
    (root / "inbox").mkdir()
    (root / "organized" / "knowledge").mkdir(parents=True)
    path_of(root).write_bytes(TEXT.encode())
    return Workspace.open(root, state=root / "state")

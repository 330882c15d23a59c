"""Digests, operations and living documents from which a handoff is made."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from agent.batons import Coverage
from agent.handoffs import Handoff, Operation, Turn
from agent.reading.documents import parse_document
from agent.records import Baseline, Contradiction, Digest, Evidence, Increment, Register, Side, ToVerify, Usage, Window
from agent.relaying.handoff import HandoffInputs, build_handoff
from agent.texts import LivingDocument, RegisterKind

DAY = dt.date(2026, 9, 14)
NOTE = "inbox/tom/2026-09-14-0840-radar.md"
TURN = Turn(date=DAY, slot="19:00")


def cited(quote: str = "缓存命中率升到 70%。", *, note: str = NOTE, line: int = 7) -> Evidence:
    """Return a place in a note."""
    return Evidence(note=note, start=0, end=len(quote), quote=quote, line=line)


def digest(*increments: Increment, **more: Any) -> Digest:
    """Return the digest of a day with these findings."""
    known: dict[str, Any] = {
        "date": DAY,
        "window": Window(start=DAY, end=DAY),
        "timezone": "Asia/Shanghai",
        "language": "zh",
        "agent": "digest",
        "engine": "none",
        "increments": increments,
        "coverage": Coverage(notes=1),
        "conclusion": "",
        "usage": Usage(calls=1),
    }
    return Digest(**(known | more))


def operation(identifier: str, increment: str, **more: Any) -> Operation:
    """Return an operation that appends a line to a section."""
    known: dict[str, Any] = {
        "id": identifier,
        "increment": increment,
        "title": "A cache in host memory",
        "document": "caches.md",
        "sha256": "1" * 64,
        "action": "append",
        "section": "2.1",
        "heading": "Layers",
        "start": 0,
        "end": 0,
        "text": "- new",
        "new": "- new\n",
        "because": cited(),
        "diff": "--- a/organized/knowledge/caches.md\n+++ b/organized/knowledge/caches.md\n@@ -1 +1,2 @@\n # Caches\n+- new",
    }
    return Operation(**(known | more))


def entry(identifier: str, increment: str, number: int, *, kind: RegisterKind = "C", **more: Any) -> Operation:
    """Return an operation that takes a register number."""
    taken = Register(kind=kind, number=number, text="A claim.")
    return operation(identifier, increment, action="register", section=f"{kind}{number}", register_entry=taken, **more)


def contradiction(identifier: str, *increments: str, **more: Any) -> Contradiction:
    """Return two figures that cannot both hold."""
    sides = tuple(Side(**cited(line=line).model_dump(), says=says) for line, says in ((7, "70%"), (9, "80%")))
    known: dict[str, Any] = {
        "id": identifier,
        "kind": "value",
        "statement": "命中率：70% ↔ 80%",
        "sides": sides,
        "increments": increments,
        "found_by": "measured",
        "severity": "low",
    }
    return Contradiction(**(known | more))


def doubtful(claim: str, question: str = "") -> ToVerify:
    """Return a claim that somebody should check."""
    return ToVerify(claim=claim, question=question, suggestion="", evidence=(cited(),))


def document(text: str, *, name: str = "caches.md", sha256: str = "1" * 64) -> LivingDocument:
    """Return a living document with this text."""
    return parse_document(name, text, sha256=sha256)


def baseline(name: str, sha256: str) -> Baseline:
    """Return a living document as a digest saw it."""
    return Baseline(document=name, sha256=sha256)


def handoff(
    digests: Sequence[Digest],
    operations: Sequence[Operation] = (),
    documents: Sequence[LivingDocument] = (),
    **more: Any,
) -> Handoff:
    """Return the handoff of a slot."""
    return build_handoff(HandoffInputs(TURN, digests, operations, documents, **more))

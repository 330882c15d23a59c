"""Gathers what the evening baton gets into one handoff: from the digests of a slot, the operations and the documents.

Promises: pure; what several digests have is there once; a register number is offered once in each document.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from agent.handoffs import Brief, Handoff, NextRegister, Operation, Turn
from agent.records import Contradiction, Digest, Usage
from agent.relaying.wording import WORDING
from agent.texts import LivingDocument, RegisterKind

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class HandoffInputs:
    """Everything a handoff is made from.

    Attributes:
        turn: the last own baton of the run, whose day and slot the handoff carries.
        digests: one for each turn that ran, that turn's last.
        operations: on the documents as they are now.
        documents: all living documents as they are now.
        caught_up: turns that were missed before and are covered now.
        briefs: where the digests were written.
        queue: where the work queue is written; empty where it is not.
        failed: paths of notes that could not be read to the end.
    """

    turn: Turn
    digests: Sequence[Digest]
    operations: Sequence[Operation]
    documents: Sequence[LivingDocument]
    caught_up: Sequence[Turn] = ()
    briefs: Sequence[Brief] = ()
    queue: str = ""
    failed: Sequence[str] = ()


def build_handoff(inputs: HandoffInputs) -> Handoff:
    """Return the handoff of a slot."""
    last = inputs.digests[-1]
    increments = _once((one for digest in inputs.digests for one in digest.increments), lambda one: one.id)
    to_verify = _once(
        (one for digest in inputs.digests for one in digest.to_verify), lambda one: (one.claim, one.question)
    )
    operations = tuple(_numbered_once(inputs))
    placed = {one.increment for one in operations if one.document}
    return Handoff(
        date=inputs.turn.date,
        slot=inputs.turn.slot,
        timezone=last.timezone,
        language=last.language,
        agent=last.agent,
        engine=last.engine,
        model=last.model,
        caught_up=tuple(inputs.caught_up),
        briefs=tuple(inputs.briefs),
        queue=inputs.queue,
        increments=increments,
        operations=operations,
        unplaced=tuple(one.id for one in increments if one.id not in placed),
        contradictions=tuple(_contradictions(inputs.digests)),
        to_verify=to_verify,
        coverage=last.coverage,
        next_registers=tuple(_next_registers(operations, inputs.documents)),
        failed=tuple(inputs.failed),
        remarks=tuple(_remarks(inputs)),
        usage=sum((digest.usage for digest in inputs.digests), start=Usage()),
    )


def _once(items: Iterable[_Item], key: Callable[[_Item], object]) -> tuple[_Item, ...]:
    """The items without those whose key came before."""
    found: dict[object, _Item] = {}
    for one in items:
        found.setdefault(key(one), one)
    return tuple(found.values())


def _contradictions(digests: Sequence[Digest]) -> Iterable[Contradiction]:
    """Each contradiction once, with all findings and places that any digest knows to be part of it."""
    found: dict[str, list[Contradiction]] = {}
    for one in chain.from_iterable(digest.contradictions for digest in digests):
        found.setdefault(one.id, []).append(one)
    for same in found.values():
        yield same[0].model_copy(
            update={
                "increments": tuple(dict.fromkeys(chain.from_iterable(one.increments for one in same))),
                "also_affects": tuple(dict.fromkeys(chain.from_iterable(one.also_affects for one in same))),
                "since": min((one.since for one in same if one.since), default=None),
            }
        )


def _numbered_once(inputs: HandoffInputs) -> Iterable[Operation]:
    """The operations; of several that take one register number in one document, all but the first say why they cannot."""
    words = WORDING[inputs.digests[-1].language]
    free = {(one.document, one.kind): one.next for one in _next_registers(inputs.operations, inputs.documents)}
    first: dict[tuple[str, RegisterKind, int], Operation] = {}
    for one in inputs.operations:
        entry = one.register_entry
        if entry is None or one.problem:
            yield one
            continue
        taking = first.setdefault((one.document, entry.kind, entry.number), one)
        if taking.id == one.id:
            yield one
            continue
        label, following = f"{entry.kind}{entry.number}", f"{entry.kind}{free.get((one.document, entry.kind), '')}"
        problem = words.taken_twice.format(label=label, operation=taking.id, next=following)
        yield one.model_copy(update={"problem": problem})


def _next_registers(operations: Sequence[Operation], documents: Sequence[LivingDocument]) -> Iterable[NextRegister]:
    offered: dict[tuple[str, RegisterKind], set[int]] = {}
    for one in operations:
        if one.register_entry is not None and not one.problem:
            offered.setdefault((one.document, one.register_entry.kind), set()).add(one.register_entry.number)
    for document in documents:
        for kind in sorted({*document.registers, *(kind for name, kind in offered if name == document.name)}):
            numbers = sorted(offered.get((document.name, kind), ()))
            taken = document.registers.get(kind, 0)
            yield NextRegister(
                document=document.name,
                kind=kind,
                taken=taken,
                offered=tuple(numbers),
                next=max([taken, *numbers]) + 1,
            )


def _remarks(inputs: HandoffInputs) -> Iterable[str]:
    seen: dict[str, None] = {}
    now = {one.name: one.sha256 for one in inputs.documents}
    for digest in inputs.digests:
        seen.update(dict.fromkeys(digest.remarks))
        for one in digest.baseline:
            if one.document in now and now[one.document] != one.sha256:
                seen.setdefault(WORDING[digest.language].changed.format(document=one.document))
    return seen

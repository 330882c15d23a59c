import datetime as dt
import itertools

import pytest

from agent.past import PastDigest
from agent.reading.documents import parse_document
from agent.reconciling.registering import renumbered
from agent.records import Credibility, Evidence, Increment, Placement, Register

JAY, TOM, AMY = "inbox/jay/2026-07-27-1100-a.md", "inbox/tom/2026-07-27-1500-b.md", "inbox/amy/2026-07-28-c.md"
TIERS, ENGINES, MEMORY = "Caches keep three tiers", "Engines are chosen by workload", "Memory is what runs out first"
INFRA = parse_document(
    "llm-infra.md",
    "# infra\n\n## 3 Registers\n\n- C57 Versions differ more than engines do.\n- C58 Caches are objects of their own.\n",
    sha256="0",
)
INFERENCE = parse_document("inference.md", "# inference\n\n## 1 State\n\nNothing yet.\n", sha256="0")


def entry(number: int, text: str, kind: str = "C", document: str | None = None) -> Register:
    return Register.model_validate({"kind": kind, "number": number, "text": text, "document": document})


def increment(note: str, *registers: Register, documents: tuple[str, ...] = ("llm-infra.md",)) -> Increment:
    return Increment(
        id=f"inc-{note}",
        title="TierKV",
        summary="",
        points=(),
        evidence=(Evidence(note=note, start=0, end=1, quote="x", line=1),),
        credibility=Credibility(stars=3, basis="", reason=""),
        notes=(note,),
        agents=(note.split("/")[1],),
        placements=tuple(
            Placement(document=name, section="3", action="append", reason="", proposed_by="note", exists=True)
            for name in documents
        ),
        relation="new",
        registers=registers,
    )


def numbers(*increments: Increment) -> list[list[tuple[int, int | None]]]:
    """Number and the note's own number, for each register of each increment, whatever the order."""
    found = renumbered(increments, (INFERENCE, INFRA))
    for order in itertools.permutations(range(len(increments))):
        again = renumbered([increments[at] for at in order], (INFRA, INFERENCE))
        assert [found[at] for at in order] == list(again)
    assert found == renumbered(found, (INFRA, INFERENCE))
    return [[(register.number, register.stated) for register in one.registers] for one in found]


def test_the_earliest_keeps_its_number_and_the_others_get_the_next_that_nobody_proposes() -> None:
    found = numbers(
        increment(AMY, entry(59, MEMORY)),
        increment(TOM, entry(59, ENGINES), entry(60, "Kernels are written by models")),
        increment(JAY, entry(59, TIERS)),
    )
    assert [[(62, 59)], [(61, 59), (60, None)], [(59, None)]] == found


def test_what_changed_says_so_and_for_which_document() -> None:
    _, changed = renumbered((increment(JAY, entry(59, TIERS)), increment(TOM, entry(59, ENGINES))), (INFRA,))
    assert (Register(kind="C", number=60, text=ENGINES, stated=59, document="llm-infra.md"),) == changed.registers


def test_where_nothing_has_to_change_the_increments_are_the_same_objects() -> None:
    found = (
        increment(JAY, entry(59, TIERS, document="llm-infra.md"), entry(59, TIERS, "D", document="llm-infra.md")),
        increment(TOM, entry(60, ENGINES, document="llm-infra.md")),
        increment(AMY, entry(59, MEMORY, document="inference.md"), documents=("inference.md",)),
    )
    assert all(one is other for one, other in zip(found, renumbered(found, (INFERENCE, INFRA)), strict=True))


def test_a_number_that_the_document_uses_is_taken() -> None:
    assert [[(59, 58)]] == numbers(increment(JAY, entry(58, ENGINES)))


@pytest.mark.parametrize("proposed", [entry(58, "Caches are objects of their own"), entry(57, "")])
def test_an_entry_that_stands_in_the_document_or_is_only_named_keeps_its_number(proposed: Register) -> None:
    assert [[(proposed.number, None)]] == numbers(increment(JAY, proposed))


def test_one_entry_that_two_notes_propose_has_one_number() -> None:
    found = numbers(
        increment(JAY, entry(59, TIERS)), increment(TOM, entry(60, f"{TIERS}.")), increment(AMY, entry(61, ENGINES))
    )
    assert [[(59, None)], [(59, 60)], [(61, None)]] == found


def test_a_bare_number_belongs_to_its_notes_own_entry() -> None:
    assert [[(59, None)], [(59, None)]] == numbers(
        increment(JAY, entry(59, "")), increment(JAY, entry(59, TIERS)).model_copy(update={"id": "inc-2"})
    )


def test_the_notes_name_tells_the_document_where_no_section_does() -> None:
    note = "inbox/spark/2026-07-27-llm-infra-e1prep.md"
    found = numbers(increment(JAY, entry(59, TIERS)), increment(note, entry(59, ENGINES), documents=("",)))
    assert [[(59, None)], [(60, 59)]] == found


def test_an_entry_for_a_document_that_nobody_knows_stays() -> None:
    found = numbers(
        increment(JAY, entry(1, TIERS), documents=()),
        increment(TOM, entry(1, ENGINES), documents=("lost.md",)),
        increment(AMY, entry(1, ENGINES, document="lost.md")),
        Increment.model_validate(
            increment(AMY, entry(1, MEMORY), documents=()).model_dump(by_alias=True) | {"notes": ()}
        ),
    )
    assert [[(1, None)]] * 4 == found


def test_a_finding_of_several_notes_belongs_where_its_number_goes_on() -> None:
    merged = increment(TOM, entry(59, ENGINES), documents=("inference.md", "llm-infra.md"))
    merged = merged.model_copy(update={"notes": (TOM, AMY)})
    assert [[(59, None)], [(60, 59)]] == numbers(increment(JAY, entry(59, TIERS)), merged)


# Earlier digests.

DAY = dt.date(2026, 7, 27)
BOB = "inbox/bob/2026-07-26-0900-late.md"  # named before the others


def past(*increments: Increment, day: dt.date = DAY) -> PastDigest:
    return PastDigest(date=day, increments=renumbered(increments, (INFRA, INFERENCE)))


def kept(increments: tuple[Increment, ...], *earlier: PastDigest, documents: tuple = (INFRA, INFERENCE)) -> list[int]:  # type: ignore[type-arg]
    """The numbers of the first register of each increment, whatever the order."""
    found = renumbered(increments, documents, earlier)
    assert found == renumbered(increments, documents, earlier[::-1])
    assert tuple(reversed(found)) == renumbered(increments[::-1], documents, earlier)
    assert found == renumbered(found, documents, earlier)
    return [one.registers[0].number for one in found]


def test_a_number_that_an_earlier_digest_gave_stays_whoever_comes_late() -> None:
    first = past(increment(JAY, entry(59, TIERS)), increment(TOM, entry(59, ENGINES)))
    late = increment(BOB, entry(60, MEMORY)), increment(TOM, entry(59, ENGINES)), increment(JAY, entry(59, TIERS))
    assert [61, 60, 59] == kept(late, first)


def test_it_stays_when_the_one_that_took_it_first_is_out_of_the_window_and_no_other_gets_its() -> None:
    first = past(increment(JAY, entry(59, TIERS)), increment(TOM, entry(59, ENGINES)))
    assert [60, 61] == kept((increment(TOM, entry(59, ENGINES)), increment(AMY, entry(59, MEMORY))), first)


def test_an_entry_that_its_note_has_reworded_keeps_its_number() -> None:
    first = past(increment(JAY, entry(59, TIERS)), increment(TOM, entry(59, ENGINES)))
    assert [60] == kept((increment(TOM, entry(59, "Engines are a matter of the workload's shape")),), first)


def test_of_two_digests_that_disagree_the_later_one_holds() -> None:
    first = past(increment(TOM, entry(59, ENGINES)))
    second = past(increment(TOM, entry(62, ENGINES)), day=DAY + dt.timedelta(days=1))
    assert [62] == kept((increment(TOM, entry(59, ENGINES)),), first, second)


@pytest.mark.parametrize(
    ("expected", "line"),
    [
        (61, "- C60 Something else was settled."),  # taken for something else
        (60, f"- C60 {ENGINES}."),  # taken for this
        (60, "- C62 Something else was settled."),  # its own is not taken, though a later one is
    ],
)
def test_it_stays_until_the_document_has_it_for_something_else(expected: int, line: str) -> None:
    first = past(increment(JAY, entry(59, TIERS)), increment(TOM, entry(59, ENGINES)))
    document = parse_document("llm-infra.md", f"{INFRA.text}{line}\n", sha256="1")
    assert [expected] == kept((increment(TOM, entry(59, ENGINES)),), first, documents=(document,))


def test_numbers_have_the_letter_that_the_document_writes() -> None:
    document = parse_document(
        "llm-infra.md", "# infra\n\n## 3 Open questions\n\n- Q7 Who pays?\n- Q8 Who waits?\n", sha256="0"
    )
    found = renumbered((increment(JAY, entry(8, "Does it hold at batch 64?", "O")),), (document,))
    assert [(9, 8, "Q")] == [(one.number, one.stated, one.letter) for one in found[0].registers]

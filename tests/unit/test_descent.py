import pytest

from agent.reconciling.descent import Roots, Tree, is_surely_before, is_weak, moment
from agent.reconciling.resting import Basis


def tree(**cited: str) -> Tree:
    """Notes of one letter; each is given the letters of what it comes from, a number being something outside."""
    grown = Tree(tuple(sorted(cited)), {note: {} for note in cited})
    for note, others in cited.items():
        grown.outside[note] = {Basis("paper", other): None for other in others if other.isdigit()}
        for other in others:
            if not other.isdigit():
                grown.tie(note, Basis("cites", other))
    return grown


def classes(**cited: str) -> set[str]:
    return {"".join(notes) for notes in Roots(tree(**cited)).classes().values()}


@pytest.mark.parametrize(
    ("expected", "cited"),
    [
        ({"a", "b"}, {"a": "", "b": ""}),
        ({"abc"}, {"a": "", "b": "a", "c": "b"}),
        ({"abc"}, {"a": "b", "b": "c", "c": "a"}),
        ({"abcd"}, {"a": "b", "b": "a", "c": "a", "d": "c"}),
        ({"ac", "bc"}, {"a": "", "b": "", "c": "ab"}),
        ({"ab"}, {"a": "1", "b": "1"}),
        ({"abc"}, {"a": "1", "b": "12", "c": "2"}),
        ({"abc"}, {"a": "", "b": "a1", "c": "1"}),
        ({"ac", "bc"}, {"a": "1", "b": "2", "c": "ab12"}),
        ({"ac", "bc"}, {"a": "", "b": "", "c": "ab1"}),
        ({"acd", "bc"}, {"a": "", "b": "", "c": "ab1", "d": "1"}),
    ],
)
def test_the_notes_that_come_from_none_are_the_origins(expected: set[str], cited: dict[str, str]) -> None:
    assert expected == classes(**cited)


def test_a_ring_of_thousands_needs_no_stack() -> None:
    notes = [f"n{number:05}" for number in range(5000)]
    ring = Tree(tuple(notes), {note: {} for note in notes}, outside={note: {} for note in notes})
    for note, other in zip(notes, [*notes[1:], notes[0]], strict=True):
        ring.tie(note, Basis("cites", other))
    assert 1 == len(Roots(ring).classes())


def test_front_pages_unite_only_those_that_name_nothing_else() -> None:
    front, one, other = (Basis("page", f"https://{address}") for address in ("a.example", "b.example/1", "c.example/2"))
    grown = Tree(("a", "b", "c"), {note: {} for note in "abc"})
    grown.outside.update({"a": {front: None, one: None}, "b": {front: None, other: None}, "c": {front: None}})
    assert {("a", "c"), ("b",)} == set(Roots(grown).classes().values())
    assert (True, False) == (is_weak(front), is_weak(one))


def test_notes_that_are_alike_are_tied_to_the_earlier_one_or_the_cited_one() -> None:
    early, late, undated = "inbox/a/2026-07-26.md", "inbox/b/2026-07-27.md", "inbox/c/x.md"
    grown = Tree((early, late, undated), {note: {} for note in (early, late, undated)})
    grown.tie_alike(late, early, "wording")
    assert ({early}, set()) == (grown.ties[late], grown.ties[early])
    grown.tie_alike(undated, late, "wording")
    assert (late in grown.ties[undated], undated in grown.ties[late]) == (True, True)
    grown.tie(early, Basis("cites", undated))
    grown.tie_alike(undated, early, "slip")
    assert Basis("slip", undated) in grown.found[early]
    assert early not in grown.ties[undated]


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        (True, "2026-07-26-a.md", "2026-07-27-b.md"),
        (True, "2026-07-27-0900-a.md", "2026-07-27-1000-b.md"),
        (False, "2026-07-27-a.md", "2026-07-27-1000-b.md"),
        (False, "2026-07-27-1000-a.md", "2026-07-27-b.md"),
        (False, "a.md", "2026-07-27-b.md"),
        (False, "2026-07-27-a.md", "b.md"),
        (False, "2026-07-27-0900-a.md", "2026-07-27-0900-b.md"),
    ],
)
def test_who_was_surely_first(*, expected: bool, one: str, other: str) -> None:
    assert expected is is_surely_before(one, other)


def test_what_comes_from_a_note_is_found_through_others_and_rings() -> None:
    grown = tree(a="", b="a", c="b", d="ce", e="d", f="1")
    assert set("abcde") == grown.coming_from(["a"])
    assert (set("def"), set()) == (grown.coming_from(["d", "f"]), grown.coming_from([]))


def test_an_undated_note_comes_last() -> None:
    assert moment("2099-12-31-2359-z.md") < moment("a.md")

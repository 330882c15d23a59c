"""Whatever the text, citations lie in it, and a citation is never resolved to another time or agent."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.reading.citations import CitedNote, cited_documents, cited_notes, resolve

FRAGMENTS = ("inbox/", "north/", "2026-07-27", "-0900", "T1105", "-a", "-filter", ".md", "（", "）", "条目 6", "增量 1", "north ", "7-27", " cache-tiers", " E1", "606-2607-21848", "https://a.b/", "serving", " §2.1", "/", "缓存", " ", "\n", "、", "#")  # fmt: skip
TEXTS = st.one_of(st.text(max_size=120), st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join))
TIMES = st.sampled_from(["0900", "0930", "1500"])
SLUGS = st.sampled_from(["cache-tiers", "cache-e1prep", "engine-filter"])
NAMES = st.tuples(st.sampled_from(["26", "27"]), TIMES, SLUGS).map(
    lambda parts: f"2026-07-{parts[0]}-{parts[1]}-{parts[2]}.md"
)
PATHS = st.lists(
    st.tuples(st.sampled_from(["north", "south"]), NAMES).map(lambda pair: f"inbox/{pair[0]}/{pair[1]}"),
    unique=True,
    max_size=8,
)
QUICK = settings(deadline=None, max_examples=60)


@QUICK
@given(TEXTS)
def test_citations_lie_in_the_text_in_order(text):
    notes, documents = cited_notes(text), cited_documents(text)

    spans = [(note.start, note.end) for note in notes] + [(document.start, document.end) for document in documents]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(one.start <= two.start for one, two in pairwise(notes))
    assert all(note.agent is None or note.agent in text for note in notes)
    assert all(note.item is None or len(note.item) <= note.end - note.start for note in notes)


@QUICK
@given(TEXTS, PATHS)
def test_any_citation_can_be_resolved(text, paths):
    for note in cited_notes(text):
        found = resolve(note, paths=paths, year=2026, agents=("north", "south"))

        assert (found.status == "resolved") == (found.path is not None)
        assert set(found.near) <= set(paths)
        assert found.path is None or found.path in paths


@QUICK
@given(PATHS)
def test_every_note_is_found_by_its_path(paths):
    for path in paths:
        (note,) = cited_notes(f"来源：{path}（条目 1）")

        assert path == resolve(note, paths=paths, year=2026, agents=("north", "south")).path


@QUICK
@given(st.sampled_from(["north", "south"]), TIMES, SLUGS, PATHS)
def test_a_loose_citation_never_becomes_another_time_agent_or_slug(agent, time, slug, paths):
    found = resolve(
        CitedNote(agent, f"7-27-{time} {slug}", None, 0, 0), paths=paths, year=2026, agents=("north", "south")
    )

    assert found.path in (None, f"inbox/{agent}/2026-07-27-{time}-{slug}.md")

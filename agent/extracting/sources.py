"""What a finding or a note rests on: cited notes resolved in the workspace, papers, pages."""

from collections.abc import Iterable, Mapping, Sequence

from agent.extracting.knowledge import Knowledge
from agent.reading.citations import CitedNote, resolve
from agent.records import Source
from agent.texts import Note


def sources_of(
    note: Note,
    *,
    cited: Iterable[CitedNote],
    arxiv_ids: Sequence[str],
    urls: Sequence[str],
    knowledge: Knowledge,
    named: Sequence[str] = (),
) -> tuple[Source, ...]:
    """List cited notes, then papers, pages, and what is named in words alone; a cited note that the workspace lacks stays, unresolved."""
    found: list[Source] = []
    for one in cited:
        resolution = resolve(one, paths=knowledge.note_paths, year=note.date.year, agents=knowledge.agents)
        label = f"{one.name} {one.item}" if one.item else one.name
        found.append(Source(label=label, note=resolution.path, resolved=resolution.status == "resolved"))
    found += [Source(label=f"arXiv:{one}", arxiv=one, resolved=True) for one in arxiv_ids]
    found += [Source(label=one, url=one, resolved=True) for one in urls]
    found += [Source(label=one, resolved=True) for one in named]
    return tuple(dict.fromkeys(found))


def called(sources: Sequence[Source], words: Mapping[str, str]) -> tuple[Source, ...]:
    """Call pages by the words that the note has for them; `words` are by address."""
    return tuple(
        one.model_copy(update={"label": words[one.url]}) if one.url is not None and one.url in words else one
        for one in sources
    )

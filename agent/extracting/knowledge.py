"""What the workspace already holds, as far as extraction needs it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.extracting.candidates import SectionIndex
from agent.reading.identifiers import find_arxiv
from agent.texts import LivingDocument


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The living documents with an index over their sections, and what else notes may refer to.

    Attributes:
        cards: arXiv identifiers that have a paper card.
        note_paths: all notes of the workspace, relative to it.
        agents: names of the inbox folders.
        stock: arXiv identifiers that a living document or a card already has.
    """

    documents: tuple[LivingDocument, ...] = ()
    cards: frozenset[str] = frozenset()
    note_paths: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    index: SectionIndex = field(default_factory=lambda: SectionIndex(()))
    stock: frozenset[str] = frozenset()

    @property
    def topics(self) -> tuple[str, ...]:
        """Stems of the living documents."""
        return tuple(document.topic for document in self.documents)


def know(
    documents: Sequence[LivingDocument], *, cards: frozenset[str], note_paths: Sequence[str], agents: Sequence[str]
) -> Knowledge:
    """Index what the workspace holds."""
    written = {span.identifier for document in documents for span in find_arxiv(document.text)}
    return Knowledge(
        documents=tuple(documents),
        cards=cards,
        note_paths=tuple(note_paths),
        agents=tuple(agents),
        index=SectionIndex(documents),
        stock=frozenset(written) | cards,
    )

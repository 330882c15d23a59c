"""Reads the front matter of a note: what it claims about itself, as text and nothing but text.

A note is hostile until shown otherwise, and YAML is made for more than fields. Promises: values stay as written (`no`,
`2606.19980`, `2026-02-30` and `12:30:00` are text); no alias, anchor, tag or merge is followed; depth, size and number of
fields are bounded; nothing raises; what is not understood is body text, and the reason is said.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

LONGEST = 65_536
"""Front matter that is longer, in characters, is not read."""
DEEPEST = 8
MOST_FIELDS = 1_000
CLAIMS = (
    "agent", "author", "baton", "topic", "date", "path", "note", "engine", "model", "base_url", "endpoint", "budget", "command",
)  # fmt: skip
"""Fields that could be taken for facts or settings; they are shown as claims and never used."""

_OPENING = re.compile(r"\A\ufeff?---[ \t]{0,80}(?:\r\n|\n|\r)")
_CLOSING = re.compile(r"(?:---|\.\.\.)(?<=[\r\n]...)[ \t]{0,80}(?:\r\n|\n|\r|\Z)")
_FIELD = re.compile(r"[\w\"'][\w .\"'-]{0,80}:(?:[ \t\r\n]|\Z)|[#{\[\"'&!*<-]")
_LINE = re.compile(r"([A-Za-z_][\w .-]{0,80}):[ \t]{1,80}(\S[^\r\n]{0,2000})")
_LOADER: type = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # the C one, where it was built

Value = str | list[str]


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands between two `---` at the top of a note.

    Attributes:
        fields: by name; deeper levels are joined with a dot ("paper.id"). Of a name that stands twice the first counts.
        end: offset where the body begins, 0 where there is no front matter that is understood.
        problem: why it was not understood, or what is odd about it, as half a sentence; empty where nothing is.
    """

    fields: dict[str, Value] = field(default_factory=dict)
    end: int = 0
    problem: str = ""


class _Refused(Exception):
    """The front matter holds what is not followed."""


def read_front_matter(text: str) -> FrontMatter:
    """Read the front matter of a note, if it has any."""
    opening = _OPENING.match(text)
    if opening is None or not _FIELD.match(text, opening.end()):
        return FrontMatter()
    closing = _CLOSING.search(text, opening.end(), opening.end() + LONGEST)
    if closing is None:
        is_long = _CLOSING.search(text, opening.end()) is not None
        return FrontMatter(problem=f"it is longer than {LONGEST:,} characters" if is_long else "it is never closed")
    reader = _Reader(text[opening.end() : closing.start()])
    return FrontMatter(reader.fields, 0 if reader.is_refused else closing.end(), reader.problem)


class _Reader:
    """Goes through the events of one YAML document and keeps what is text."""

    def __init__(self, source: str) -> None:
        self.fields: dict[str, Value] = {}
        self.problem = ""
        self.is_refused = False
        self._count = 0
        self._twice: list[str] = []
        try:
            self._document(self._events(source))
        except _Refused as refused:
            self._refuse(str(refused))
        except (yaml.YAMLError, ValueError, RecursionError, OverflowError, MemoryError, UnicodeError):
            self._by_lines(source)
        if self._twice and not self.is_refused:
            self.problem = f"{', '.join(map(repr, self._twice[:5]))} stands twice"

    def _refuse(self, reason: str) -> None:
        self.fields, self.problem, self.is_refused = {}, reason, True

    def _by_lines(self, source: str) -> None:
        """Read the lines that are plain fields: people write "title: A: B" too."""
        lines = (match for line in source.splitlines() if (match := _LINE.match(line)))
        self.fields = {match[1].strip(): match[2].strip(" \t\"'") for match in itertools.islice(lines, MOST_FIELDS)}
        self._twice = []
        self.problem = "it is no valid YAML, so its lines are read one by one"

    def _events(self, source: str) -> Iterator[yaml.Event]:
        depth = 0
        for event in yaml.parse(source, Loader=_LOADER):
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise _Refused("it uses anchors or aliases")
            if getattr(event, "tag", None):
                raise _Refused("it uses tags")
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > DEEPEST:
                raise _Refused(f"it is nested more than {DEEPEST} levels deep")
            if isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent)):
                self._count += 1
                if self._count > 2 * MOST_FIELDS:
                    raise _Refused(f"it has more than {MOST_FIELDS:,} fields")
            yield event

    def _document(self, events: Iterator[yaml.Event]) -> None:
        for event in events:
            if isinstance(event, yaml.MappingStartEvent):
                self._mapping(events, "")
            elif isinstance(event, (yaml.ScalarEvent, yaml.SequenceStartEvent)):
                raise _Refused("it holds no fields")
            elif isinstance(event, yaml.DocumentEndEvent) and event.explicit:
                raise _Refused("it is more than one document")

    def _mapping(self, events: Iterator[yaml.Event], above: str) -> None:
        for event in events:
            if isinstance(event, yaml.MappingEndEvent):
                return
            if not isinstance(event, yaml.ScalarEvent):
                raise _Refused("it has a field whose name is no text")
            if event.value == "<<":
                raise _Refused("it uses merges")
            name = f"{above}.{event.value}" if above else event.value
            value = self._value(next(events), events, name)
            if name in self.fields and value is not None:
                self._twice.append(name)
            elif value is not None:
                self.fields[name] = value

    def _value(self, event: yaml.Event, events: Iterator[yaml.Event], name: str) -> Value | None:
        if isinstance(event, yaml.ScalarEvent):
            return str(event.value)
        if isinstance(event, yaml.MappingStartEvent):
            self._mapping(events, name)
            return None
        return self._sequence(events, name)

    def _sequence(self, events: Iterator[yaml.Event], name: str) -> list[str]:
        values: list[str] = []
        for event in events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            if isinstance(event, yaml.ScalarEvent):
                values.append(event.value)
            elif isinstance(event, yaml.MappingStartEvent):
                self._mapping(events, f"{name}.{len(values)}")
            else:
                values += self._sequence(events, name)
        return values

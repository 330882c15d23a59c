"""Reads gold answers: what one note, or several notes together, must yield.

Promises: a key that the format does not know, a value that makes no sense and a name that leads nowhere are each refused
with file, line and the nearest name that there is; values stay as written, so `2606.19980` and `2.10` keep their zeros; no
alias, anchor, tag or merge is followed.
"""

import datetime as dt
import difflib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Self, get_args

import yaml
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from agent.errors import GoldError
from agent.records import Relation, Stars

LONGEST = 200_000
"""Gold answers that are longer, in characters, are not read."""
PAIR_PREFIX = "pair-"
SUFFIX = ".yaml"

_DEEPEST = 8
_MOST_VALUES = 20_000
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_ARXIV = re.compile(r"(?:\d{4}\.\d{4,5}|[a-z-]{2,20}(?:\.[A-Z]{2})?/\d{7})")
_REGISTER = r"^[CDOT]\d{1,6}$"
_LOADER: type = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # leaves every value as text

Path = tuple[int | str, ...]  # keys and indexes that lead to a value


def _in_order(lines: tuple[int, int]) -> tuple[int, int]:
    if lines[0] > lines[1]:
        raise ValueError(f"ends before it begins: {list(lines)}")
    return lines


def _identifier(written: str) -> str:
    if not _ARXIV.fullmatch(written):
        raise ValueError(f"{written!r} is no arXiv identifier without version, such as '2607.18141'")
    return written


def _inside_workspace(path: str) -> str:
    if not path or path.startswith("/") or ".." in path.split("/") or "\0" in path:
        raise ValueError(f"{path!r} is no path inside the workspace, such as 'inbox/tom/2026-07-27-radar.md'")
    return path


def _beside(name: str) -> str:
    if not name or "/" in name or "\0" in name or name.startswith(PAIR_PREFIX):
        raise ValueError(f"{name!r} is not the name of a note's gold answers in the same folder")
    return name


def _or_none(value: object) -> object:
    return None if isinstance(value, str) and value in _NULLS else value


Line = Annotated[int, Field(ge=1)]
Lines = Annotated[tuple[Line, Line], AfterValidator(_in_order)]
Arxiv = Annotated[str, AfterValidator(_identifier)]
NotePath = Annotated[str, AfterValidator(_inside_workspace)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Text = Annotated[str, Field(max_length=2_000)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, validate_by_name=True)


class GoldPlacement(_Part):
    """A place that an increment may go to."""

    doc: Name
    section: Name


class GoldPassage(_Part):
    """Some lines of a note, first and last, 1-based; `key` is a word that stands in them."""

    id: Name
    lines: Lines
    key: Text = ""


class GoldIncrement(GoldPassage):
    """An increment that has to be found; what is left out is not scored."""

    arxiv: tuple[Arxiv, ...] = ()
    stars: Stars | None = None
    relation: Relation | None = None
    placements: tuple[GoldPlacement, ...] = ()
    registers: tuple[Annotated[str, Field(pattern=_REGISTER)], ...] = Field(default=(), alias="register")
    priority: int | None = None
    sources: tuple[NotePath, ...] = ()
    supporting: bool = False


class GoldContradiction(_Part):
    """A contradiction of a note with itself; it is found when two of the passages, or the only one, are named."""

    id: Name
    kind: Name
    what: Text = ""
    lines: Annotated[tuple[Lines, ...], Field(min_length=1)]


class Gold(_Part):
    """What one note must yield."""

    note: NotePath
    seed: Name | None = None
    agent: Name
    topic: Annotated[Name | None, BeforeValidator(_or_none)] = None
    date: dt.date
    increments: tuple[GoldIncrement, ...]
    process_notes: tuple[GoldPassage, ...] = ()
    leads_lines: Lines | None = None
    leads_count: Annotated[int, Field(ge=0)] | None = None
    arxiv_all: tuple[Arxiv, ...]
    arxiv_from_paper_cards: tuple[Arxiv, ...] = ()
    to_verify: tuple[GoldPassage, ...] = ()
    inside_contradictions: tuple[GoldContradiction, ...] = ()
    derived_numbers_ok: tuple[Text, ...] = ()

    @property
    def passages(self) -> tuple[GoldPassage, ...]:
        """Where an increment can be reported: the increments, then what is about the relay itself."""
        return (*self.increments, *self.process_notes)

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        ids = [one.id for one in (*self.passages, *self.to_verify)] + [one.id for one in self.inside_contradictions]
        if twice := _first_repeated(ids):
            raise ValueError(f"gives the id {twice!r} twice")
        folders = self.note.split("/")
        if folders[0] == "inbox" and len(folders) > 2 and folders[1] != self.agent:
            raise ValueError(f"says agent {self.agent!r}, but the note lies in the inbox of {folders[1]!r}")
        return self


class PairContradiction(_Part):
    """A contradiction between notes: for each agent the passages of which one must be named."""

    id: Name
    kind: Name
    what: Text = ""
    lines: Annotated[dict[Name, tuple[Lines, ...]], Field(min_length=1)]


class MissedTurn(_Part):
    """A baton that nothing came of."""

    agent: Name
    topic: Annotated[Name | None, BeforeValidator(_or_none)] = None
    slot: Annotated[Name | None, BeforeValidator(_or_none)] = None


class GoldCoverage(_Part):
    """What the relay did not bring."""

    missed: tuple[MissedTurn, ...] = ()
    stale: tuple[Name, ...] = ()
    nothing_new: tuple[NotePath, ...] = ()


class PairGold(_Part):
    """What several notes must yield together; the first listed note of an agent is the one its name means."""

    notes: Annotated[tuple[Annotated[str, AfterValidator(_beside)], ...], Field(min_length=1)]
    same: tuple[tuple[Name, Name], ...] = ()
    apart: tuple[tuple[Name, Name], ...] = ()
    single: tuple[Name, ...] = ()
    independent_origins: dict[Name, Annotated[int, Field(ge=1)]] = Field(default_factory=dict)
    contradictions: tuple[PairContradiction, ...] = ()
    coverage: GoldCoverage | None = None


def parse_gold(text: str, *, name: str) -> Gold:
    """Read the gold answers of one note; `name` is the file's, for messages.

    Raises:
        GoldError: they are no gold answers.
    """
    document = _Document(text, name)
    try:
        return Gold.model_validate(document.values)
    except ValidationError as error:
        raise GoldError(document.complaint(error, Gold)) from None


def parse_pair(text: str, *, name: str) -> PairGold:
    """Read the gold answers of several notes together; see `check_pair`.

    Raises:
        GoldError: they are no such answers.
    """
    document = _Document(text, name)
    try:
        return PairGold.model_validate(document.values)
    except ValidationError as error:
        raise GoldError(document.complaint(error, PairGold)) from None


def check_pair(pair: PairGold, golds: Sequence[Gold], *, name: str) -> None:
    """Refuse a pair that names increments or agents which its notes do not have.

    Raises:
        GoldError: the message names the nearest ones that there are.
    """
    every = [one.id for gold in golds for one in gold.passages]
    if twice := _first_repeated(every):
        raise GoldError(f"{name!r} lists notes that give the id {twice!r} twice: ids must tell increments apart.")
    ids = {one.id for gold in golds for one in gold.increments}
    named = [*(each for two in (*pair.same, *pair.apart) for each in two), *pair.single, *pair.independent_origins]
    for each in named:
        if each not in ids:
            raise GoldError(f"{name!r} names the increment {each!r}, which none of its notes has{near(each, ids)}.")
    agents = {gold.agent for gold in golds}
    for contradiction in pair.contradictions:
        for agent in contradiction.lines:
            if agent not in agents:
                raise GoldError(
                    f"{name!r}: contradiction {contradiction.id!r} names the agent {agent!r}, of whom no note is "
                    f"listed{near(agent, agents)}."
                )


def near(name: str, known: Collection[str]) -> str:
    """Return what to add after a name that is not known: the nearest ones that are, or nothing."""
    found = difflib.get_close_matches(name, list(known), n=3, cutoff=0.5)
    return f" (near: {', '.join(map(repr, found))})" if found else ""


class _Document:
    """One YAML document as plain values, and the line that each stands in."""

    def __init__(self, text: str, name: str) -> None:
        self._name = name
        self._lines: dict[Path, int] = {}
        if len(text) > LONGEST:
            raise GoldError(f"{name!r} is longer than {LONGEST:,} characters: gold answers are a few pages.")
        try:
            self._look_over(text)
            node = yaml.compose(text, Loader=_LOADER)
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            raise GoldError(f"{name!r} is no valid YAML ({_reason(error)}): mend it.") from None
        if not isinstance(node, yaml.MappingNode):
            raise GoldError(f"{name!r} holds no keys: write it as README.md says under 'Scoring an engine'.")
        self.values = self._value(node, ())

    def complaint(self, error: ValidationError, model: type[BaseModel]) -> str:
        """Say in one sentence what is wrong with the first value that is; a mistyped key before the one it should be."""
        found = error.errors(include_url=False)
        first = next((one for one in found if one["type"] == "extra_forbidden"), found[0])
        *above, last = first["loc"] or ("",)
        parent = _written(above) or "it"
        if first["type"] == "extra_forbidden":
            place, problem = first["loc"], f"{parent} knows no key {last!r}{near(str(last), _keys_at(model, above))}"
        elif first["type"] == "missing":
            place, problem = tuple(above), f"{parent} lacks the key {last!r}"
        elif not first["loc"]:
            place, problem = (), f"it {_said(first)}"
        else:
            place, problem = first["loc"], f"{_written(first['loc'])}: {_said(first)}"
        return f"{self._place(place)}: {problem}."

    def _place(self, path: Sequence[int | str]) -> str:
        keys = tuple(path)
        while keys and keys not in self._lines:
            keys = keys[:-1]
        return f"{self._name!r} line {self._lines[keys]}" if keys else repr(self._name)

    def _look_over(self, text: str) -> None:
        """Refuse what makes YAML expensive or surprising, before anything is built from it."""
        depth = values = 0
        for event in yaml.parse(text, Loader=_LOADER):
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) or getattr(event, "tag", None):
                raise GoldError(f"{self._name!r} uses an anchor, alias or tag: write the value itself.")
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            values += isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent))
            if depth > _DEEPEST or values > _MOST_VALUES:
                raise GoldError(
                    f"{self._name!r} is nested too deep or holds too much: gold answers are {_DEEPEST} levels deep and "
                    f"hold {_MOST_VALUES:,} values at most."
                )

    def _value(self, node: yaml.Node, path: Path) -> object:
        self._lines.setdefault(path, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            return dict(self._items(node, path))
        if isinstance(node, yaml.SequenceNode):
            return [self._value(child, (*path, number)) for number, child in enumerate(node.value)]
        return str(node.value)

    def _items(self, node: yaml.MappingNode, path: Path) -> Iterator[tuple[str, object]]:
        known = set()
        for key, child in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode) or key.value == "<<":
                raise GoldError(f"{self._name!r} line {line} has a key that is no text: write a word.")
            if key.value in known:
                raise GoldError(f"{self._name!r} line {line}: the key {key.value!r} stands twice: keep one of them.")
            known.add(key.value)
            self._lines[*path, key.value] = line
            yield str(key.value), self._value(child, (*path, key.value))


def _reason(error: Exception) -> str:
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    where = f"line {mark.line + 1}: " if mark is not None else ""
    return f"{where}{problem or str(error).partition(chr(10))[0][:120]}"


def _said(error: Mapping[str, Any]) -> str:
    reason = error.get("ctx", {}).get("error")
    if reason is not None:
        return str(reason)
    shown = f", not {error['input'][:60]!r}" if isinstance(error["input"], str) else ""
    return f"{error['msg'].replace('Input should', 'it should')}{shown}"


def _written(path: Iterable[int | str]) -> str:
    return "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def _keys_at(model: type[BaseModel], path: Iterable[int | str]) -> list[str]:
    """Return the keys that are known where a path leads to."""
    for part in path:
        if isinstance(part, str):
            info = next((one for name, one in model.model_fields.items() if part in {name, one.alias}), None)
            inner = _model_in(info.annotation) if info else None
            if inner is None:
                return []
            model = inner
    return [info.alias or name for name, info in model.model_fields.items()]


def _model_in(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _model_in(part))), None)


def _first_repeated(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None

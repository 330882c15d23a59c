"""The only door to a workspace's files: lists and reads notes, living documents and cards, and writes whole files.

Promises: nothing below `inbox/`, `organized/` and `paper_cards/` is ever changed; no link is followed, no FIFO waited for,
no file read past its limit; a file that changes while it is read is left for the next time. What is written is seen
whole or not at all, and the old content stays when writing fails.
"""

import contextlib
import datetime as dt
import hashlib
import os
import stat
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from agent.errors import NoteUnreadable, OutputUnwritable, WorkspaceError, WorkspaceMissing
from agent.files import cause, in_writing, is_fresh, opened, read_regular, unreadable, write_atomic
from agent.reading.decoding import decode
from agent.reading.documents import parse_document
from agent.reading.front_matter import CLAIMS, read_front_matter
from agent.reading.hidden import hidden_characters
from agent.reading.names import card_identifier, is_conflict_copy, is_leftover, parse_note_name
from agent.records import Outcome, Window
from agent.settings import Settings
from agent.texts import LivingDocument, Note

MAX_NOTE_BYTES = 2_000_000
MAX_NOTE_LINES = 60_000
MAX_DOCUMENT_BYTES = 8_000_000
STATE_NAME = ".agent"

_LONGEST_CLAIM = 80  # characters
_KEPT_FOLDERS = ("inbox", "organized", "paper_cards")
_KEPT_FILES = ("agent.toml", "work-queue.md")
_KNOWLEDGE = ("organized", "knowledge")
_OLDEST_DAY = dt.date(2000, 1, 1)  # what names and clocks say of earlier days is a mistake
_ONE_DAY = dt.timedelta(days=1)  # agents live in several time zones


@dataclass(frozen=True, slots=True)
class ListedNote:
    """A file that was found in an inbox, not read yet; `path` is absolute for a file outside the workspace."""

    path: str  # relative to the workspace, with forward slashes
    agent: str  # name of the inbox folder; empty for a file beside those
    date: dt.date | None = None  # None for a folder
    time: dt.time | None = None
    slug: str = ""
    date_source: Literal["name", "modified"] = "name"
    outcome: Outcome | None = None  # why it is not to be read, or None
    detail: str = ""  # the same as half a sentence
    size: int = field(
        default=0, compare=False
    )  # bytes, and time of the last change, when it was listed; 0 when not known
    changed_ns: int = field(default=0, compare=False)
    remarks: tuple[str, ...] = ()  # what a reader should know, one sentence each
    copy_of: str = ""  # path of the first note listed that has the same content


class Workspace:
    """One folder with notes and what is known already. Safe for several threads.

    Attributes:
        root: the folder as it was named.
        remarks: what the user should know about the workspace, one sentence each.
        problems: what was wrong with living documents when `documents` last looked, one sentence each.
    """

    def __init__(self, root: Path, *, zone: dt.tzinfo, state: Path, remarks: tuple[str, ...] = ()) -> None:
        self.root = root
        self.remarks = remarks
        self.problems: tuple[str, ...] = ()
        self._zone = zone
        self._state = state

    @classmethod
    def open(cls, root: Path, *, settings: Settings | None = None, state: Path | None = None) -> "Workspace":
        """Open a workspace; nothing is written yet.

        Args:
            root: the folder that holds `inbox/`.
            settings: time zone and places for the program's own files.
            state: folder for the program's own files, before what the settings say.

        Raises:
            WorkspaceMissing: there is no such folder, or it has no inbox.
        """
        settings = settings or Settings()
        for folder, advice in (
            (root, "name another folder with --workspace, or make one with agent init"),
            (root / "inbox", "name another folder with --workspace, or run agent init"),
        ):
            with contextlib.suppress(OSError):
                if folder.is_dir() and (folder == root or not folder.is_symlink()):
                    continue
            raise WorkspaceMissing(f"There is no folder {str(folder)!r}: {advice}.")
        place, remarks = _state_place(root, state or settings.state, settings.user_state)
        return cls(root, zone=settings.zone, state=place, remarks=remarks)

    @property
    def state_folder(self) -> Path:
        """The folder for database, logs and locks, made when it is first asked for; nobody else may look into it.

        Raises:
            OutputUnwritable: it cannot be made.
        """
        try:
            self._state.mkdir(mode=0o700, parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise OutputUnwritable(
                f"The state folder {str(self._state)!r} cannot be made ({cause(error)}): name another one with --state."
            ) from error
        return self._state

    @property
    def lock_folder(self) -> Path:
        """The folder for locks on what is written to the workspace: the same whatever folder the state is kept in.

        Raises:
            OutputUnwritable: it cannot be made.
        """
        if _why_no_state(self.root) is not None:
            return self.state_folder
        own = self.root / STATE_NAME
        try:
            own.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise OutputUnwritable(f"The folder {str(own)!r} cannot be made ({cause(error)}).") from error
        return own

    @property
    def state_path(self) -> Path:
        """Where `state_folder` is or will be; nothing is made."""
        return self._state

    def agents(self) -> tuple[str, ...]:
        """Return the names of the inbox folders, in order.

        Raises:
            WorkspaceError: the inbox cannot be listed.
        """
        try:
            with opened(self.root, ("inbox",)) as inbox, os.scandir(inbox) as entries:
                return tuple(sorted(one.name for one in entries if _is_folder(one) and not one.name.startswith(".")))
        except OSError as error:
            raise WorkspaceError(
                f"The folder {str(self.root / 'inbox')!r} cannot be listed ({cause(error)}): check its permissions."
            ) from error

    def listing(self, *, today: dt.date | None = None, window: Window | None = None) -> tuple[ListedNote, ...]:
        """List every file of every inbox, in order of paths; only notes of the same size are opened, to find copies.

        Args:
            today: names that tell a day after this one and after the present one are not believed; None believes all.
            window: days to keep, or None for all. Folders that cannot be listed are kept always.

        Raises:
            WorkspaceError: the inbox itself cannot be listed.
        """
        newest = max(today, self._day(time.time())) if today else None
        folders = ("", *self.agents())
        found = [one for agent in folders for one in self._files(agent, newest, window) if _is_inside(one, window)]
        names = Counter(_hint(one.path) for one in found)
        twin = "Another file has the same name but for case or Unicode form."
        hinted = (replace(one, remarks=(*one.remarks, twin)) if names[_hint(one.path)] > 1 else one for one in found)
        return tuple(self._with_copies(sorted(hinted, key=lambda one: one.path)))

    def find(self, note: str | Path) -> ListedNote:
        """Find one note by a path, or by a path relative to the workspace.

        Raises:
            NoteUnreadable: there is no such file.
        """
        for path in (Path(note), self.root / note):
            with contextlib.suppress(OSError, ValueError):
                status = path.lstat()
                folder, root = path.parent.resolve(strict=True), self.root.resolve(strict=True)
                whole = folder / path.name
                parts = whole.relative_to(root).parts if folder.is_relative_to(root) else ()
                agent = parts[1] if len(parts) == 3 and parts[0] == "inbox" else ""
                found = ListedNote(
                    path="/".join(parts) or str(whole),
                    agent=agent or folder.name,
                    size=status.st_size,
                    changed_ns=status.st_mtime_ns,
                )
                return self._dated(found, path.name, status, None)
        raise NoteUnreadable(
            f"There is no note {str(note)!r}, neither here nor in {str(self.root)!r}: check the path.",
            outcome="gone",
        )

    def read_note(self, listed: ListedNote) -> Note:
        """Read a note that was listed.

        Raises:
            NoteUnreadable: it cannot be read; `outcome` says why.
        """
        content, status = self._content(listed.path, MAX_NOTE_BYTES)
        has_moved = listed.changed_ns and (listed.size, listed.changed_ns) != (status.st_size, status.st_mtime_ns)
        if has_moved and is_fresh(status):
            raise in_writing(listed.path)
        text, encoding = decode(content, name=listed.path)
        lines = text.count("\n") + text.count("\r") - text.count("\r\n")
        if lines > MAX_NOTE_LINES:
            raise NoteUnreadable(
                f"{listed.path!r} has {lines:,} lines, more than the {MAX_NOTE_LINES:,} that are read: split it.",
                outcome="too_large",
            )
        dated = listed if listed.date else self._dated(listed, listed.path.rpartition("/")[2], status, None)
        remarks = list(dated.remarks)
        if encoding not in {"utf-8", "utf-8-sig"}:
            remarks.append(f"It was read as {encoding.upper()}, not as UTF-8.")
        if status.st_nlink > 1:
            remarks.append(f"The file has {status.st_nlink} names on this disk (hard links).")
        remarks += _said_of_text(text, agent=listed.agent, date=dated.date)
        return Note(
            path=listed.path,
            agent=listed.agent,
            text=text,
            date=dated.date or self._day(status.st_mtime),
            date_source=dated.date_source,
            time=dated.time,
            slug=dated.slug,
            sha256=hashlib.sha256(content).hexdigest(),
            encoding=encoding,
            remarks=tuple(remarks),
        )

    def documents(self) -> tuple[LivingDocument, ...]:
        """Read all living documents, in order of names; one that cannot be read is left out and named in `problems`."""
        found: list[LivingDocument] = []
        problems: list[str] = []
        for name in self._names(_KNOWLEDGE, problems):
            if not _is_markdown(name) or is_leftover(name):
                continue
            path = "/".join((*_KNOWLEDGE, name))
            try:
                content, status = self._content(path, MAX_DOCUMENT_BYTES)
                text, _ = decode(content, name=path)
            except NoteUnreadable as error:
                problems.append(str(error))
                continue
            sha256 = hashlib.sha256(content).hexdigest()
            found.append(parse_document(name, text, sha256=sha256, modified=self._day(status.st_mtime)))
        self.problems = tuple(problems)
        return tuple(found)

    def cards(self) -> frozenset[str]:
        """Return the arXiv identifiers that the names of paper cards hold; no card is opened."""
        names = self._names(("paper_cards",), [])
        return frozenset(found for name in names if _is_markdown(name) and (found := card_identifier(name)))

    def note_paths(self) -> tuple[str, ...]:
        """Return the paths of all notes of all days, in order, for resolving what notes cite."""
        paths = [
            f"inbox/{agent}/{name}"
            for agent in self.agents()
            for name in self._names(("inbox", agent), [])
            if _is_markdown(name) and not is_leftover(name)
        ]
        return tuple(sorted(paths))

    def check_output(self, path: Path) -> None:
        """Refuse a place where a result must not or cannot go, before anything was paid for.

        Raises:
            OutputUnwritable: it lies among notes, documents, cards or the program's own files, is the workspace's
                settings or queue, is a folder, or lies in none.
        """
        try:
            folder = path.parent.resolve(strict=True)
        except OSError as error:
            raise OutputUnwritable(f"There is no folder for {str(path)!r} ({cause(error)}): make it first.") from error
        if path.is_dir():
            raise OutputUnwritable(f"{str(path)!r} is a folder: name a file.")
        kept = [(self.root / name, name) for name in _KEPT_FOLDERS] + [(self._state, "the program's own files")]
        for place, name in kept:
            if folder.is_relative_to(place.resolve()):
                raise OutputUnwritable(
                    f"{str(path)!r} lies in {name!r}, where no result is ever written: name another place."
                )
        if folder == self.root.resolve() and path.name in _KEPT_FILES:
            raise OutputUnwritable(f"{str(path)!r} is the workspace's own {path.name!r}: name another file.")

    def write(self, path: Path, data: bytes) -> None:
        """Write a result as `write_atomic` does, after `check_output`.

        Raises:
            OutputUnwritable: the place is refused, or cannot be written.
        """
        self.check_output(path)
        write_atomic(path, data)

    def _files(self, agent: str, today: dt.date | None, window: Window | None) -> list[ListedNote]:
        """List an agent's inbox, or what lies beside the agents' folders."""
        parts = ("inbox", agent) if agent else ("inbox",)
        try:
            with opened(self.root, parts) as folder, os.scandir(folder) as entries:
                return [
                    self._listed(entry, agent, today)
                    for entry in entries
                    if not (_is_folder(entry) and (not agent or entry.name.startswith(".")))
                    and _may_be_inside(entry.name, window, today)
                ]
        except OSError as error:
            detail = f"the folder cannot be listed ({cause(error)})"
            return [ListedNote(path="/".join(parts), agent=agent, outcome="unreadable", detail=detail)]

    def _with_copies(self, listed: Sequence[ListedNote]) -> Iterator[ListedNote]:
        """Name the copies of a note: of one content under several paths all but the first say so."""
        sizes = Counter(one.size for one in listed if one.outcome is None)
        first: dict[str, str] = {}
        for one in listed:
            is_alone = one.outcome is not None or not 0 < one.size <= MAX_NOTE_BYTES or sizes[one.size] == 1
            sha256 = None if is_alone else self._hash(one.path)
            original = first.setdefault(sha256, one.path) if sha256 else one.path
            copy = f"It has the same content as {original!r}."
            is_copy = original != one.path
            yield replace(one, remarks=(*one.remarks, copy), copy_of=original) if is_copy else one

    def _hash(self, path: str) -> str | None:
        try:
            return hashlib.sha256(self._content(path, MAX_NOTE_BYTES)[0]).hexdigest()
        except NoteUnreadable:
            return None

    def _listed(self, entry: os.DirEntry[str], agent: str, today: dt.date | None) -> ListedNote:
        outcome, detail = _why_not(entry, agent)
        path = f"inbox/{agent}/{entry.name}" if agent else f"inbox/{entry.name}"
        found = ListedNote(path=path, agent=agent, outcome=outcome, detail=detail)
        if outcome == "not_followed" and not agent:
            return found  # it may stand for an agent's whole folder: to be named every day
        try:
            status = entry.stat(follow_symlinks=False)
            found = replace(found, size=status.st_size, changed_ns=status.st_mtime_ns)
            return self._dated(found, entry.name, status, today)
        except OSError:
            return replace(found, outcome="gone", detail="it was taken away in the meantime")

    def _dated(self, listed: ListedNote, name: str, status: os.stat_result, today: dt.date | None) -> ListedNote:
        """Add date, time and slug: from the name, else from the day of the last change."""
        read = parse_note_name(name)
        if _is_likely(read.date, today):
            return replace(listed, date=read.date, time=read.time, slug=read.slug)
        newest = max(today or dt.date.min, self._day(time.time()))
        changed = self._day(status.st_mtime)
        day = changed if _is_likely(changed, newest) else newest  # a clock gone wrong must not hide a note for ever
        why = "the day of its last change" if day == changed else "today, for its time of change cannot be right either"
        remark = f"Its name tells no usable date: it counts for {day}, {why}."
        return replace(listed, date=day, slug=read.slug, date_source="modified", remarks=(*listed.remarks, remark))

    def _day(self, timestamp: float) -> dt.date:
        try:
            return dt.datetime.fromtimestamp(timestamp, self._zone).date()
        except (OverflowError, ValueError, OSError):
            return dt.date.min

    def _names(self, parts: tuple[str, ...], problems: list[str]) -> list[str]:
        """Return the names of the regular files of a folder, in order; a folder that cannot be listed has none."""
        try:
            with opened(self.root, parts) as folder, os.scandir(folder) as entries:
                found = sorted((entry.name, entry.is_file(follow_symlinks=False)) for entry in entries)
        except OSError as error:
            problems.append(f"The folder {'/'.join(parts)!r} cannot be listed ({cause(error)}).")
            return []
        for name, is_regular in found:
            if not is_regular and _is_markdown(name):
                problems.append(f"{'/'.join((*parts, name))!r} is a link or no regular file: it was not followed.")
        return [name for name, is_regular in found if is_regular]

    def _content(self, path: str, limit: int) -> tuple[bytes, os.stat_result]:
        """Read a file of the workspace, or one outside that was named by its absolute path."""
        *folders, name = path.split("/")
        base, below = (Path("/".join(folders) or "/"), ()) if path.startswith("/") else (self.root, tuple(folders))
        try:
            with opened(base, below) as folder:
                return read_regular(folder, name, path, limit)
        except OSError as error:
            raise unreadable(path, error) from error


def _said_of_text(text: str, *, agent: str, date: dt.date | None) -> Iterator[str]:
    """Yield what a reader should know of a text: what nobody sees in it, and what its front matter claims."""
    hidden = hidden_characters(text)
    if hidden:
        kinds = ", ".join(f"{kind}: {number}" for kind, number in hidden.items())
        yield f"It holds {sum(hidden.values())} characters that nobody sees ({kinds})."
    front = read_front_matter(text)
    if front.problem:
        said = "is read as text" if not front.end else "is odd"
        yield f"Its front matter {said}: {front.problem}."
    known = {"agent": agent, "author": agent, "baton": agent, "date": str(date)}
    claims = [
        f"{name} {shown(value[:_LONGEST_CLAIM])!r}"
        for name, value in front.fields.items()
        if isinstance(value, str) and name.casefold() in CLAIMS and known.get(name.casefold()) != value.casefold()
    ]
    if claims:
        yield f"Its front matter claims {', '.join(claims)}: shown here, used nowhere."


def shown(name: str) -> str:
    """Return a name or path for output: one line, with everything that is invisible or steers a terminal escaped."""
    return "".join(
        character
        if character.isprintable() or unicodedata.category(character) == "Zs"
        else character.encode("unicode_escape", "surrogatepass").decode()
        for character in name
    )


def _state_place(root: Path, given: Path | None, user_state: Path) -> tuple[Path, tuple[str, ...]]:
    """Return where the program's own files go, and what to say about it."""
    if given is not None:
        return given, ()
    reason = _why_no_state(root)
    if reason is None:
        return root / STATE_NAME, ()
    place = user_state / hashlib.sha256(os.fsencode(root.resolve())).hexdigest()[:16]
    return place, (f"{reason}, so the program's own files are kept in {str(place)!r}.",)


def _why_no_state(root: Path) -> str | None:
    """Say why the program's own folder cannot lie in the workspace, or return None."""
    status = root.stat()
    if not os.access(root, os.W_OK | os.X_OK) or not status.st_mode & 0o222:
        return f"The workspace {str(root)!r} cannot be written"
    own = root / STATE_NAME
    try:
        found = own.lstat()
    except FileNotFoundError:
        return None
    if not stat.S_ISDIR(found.st_mode):
        return f"{str(own)!r} is no folder"
    if found.st_uid not in {os.geteuid(), status.st_uid} or found.st_mode & stat.S_IWOTH:
        return f"{str(own)!r} belongs to somebody else or may be written by everybody"
    return None if os.access(own, os.W_OK | os.X_OK) else f"{str(own)!r} cannot be written"


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False)


def _is_markdown(name: str) -> bool:
    return name.lower().endswith(".md")


def _why_not(entry: os.DirEntry[str], agent: str) -> tuple[Outcome | None, str]:
    """Say why a file is not to be read, or return None."""
    if is_conflict_copy(entry.name):
        return "ignored", "a conflict copy of a synchroniser: settle the conflict"
    if is_leftover(entry.name):
        return "ignored", "left behind by another program"
    if _is_folder(entry):
        return "ignored", "a folder: notes lie in the agent's own folder"
    if not entry.is_file(follow_symlinks=False):
        return "not_followed", "a link or no regular file"
    if not _is_markdown(entry.name):
        return "ignored", "no Markdown file"
    return (None, "") if agent else ("ignored", "not in the folder of an agent")


def _is_likely(date: dt.date | None, today: dt.date | None) -> bool:
    return date is not None and date >= _OLDEST_DAY and (today is None or date - _ONE_DAY <= today)


def _is_inside(listed: ListedNote, window: Window | None) -> bool:
    return window is None or listed.date is None or window.start <= listed.date <= window.end


def _may_be_inside(name: str, window: Window | None, today: dt.date | None) -> bool:
    """Tell by the name alone, before anything costs a look at the disk."""
    date = parse_note_name(name).date if window else None
    return window is None or not _is_likely(date, today) or date is None or window.start <= date <= window.end


def _hint(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()

"""What may be set, and where: the tables of the settings files, and what each value must be.

Promises: a value that passes is safe to use as it is meant; one that does not is refused with a reason in words, and a
secret never stands in one.
"""

import datetime as dt
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr

from agent.records import Engine, Language

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_FORBIDDEN_IN_NAMES = frozenset('/\\:*?"<>|')


def _folder_name(name: str) -> str:
    """Refuse what cannot be one folder's or file's name on every system."""
    if not name or name != name.strip() or name.startswith(".") or len(name.encode()) > 200:
        raise ValueError(f"{name!r} is no name for a folder")
    if _FORBIDDEN_IN_NAMES & set(name) or not name.isprintable():
        raise ValueError(f"{name!r} holds a character that no folder name should")
    return name


def _zone_name(name: str) -> str:
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"{name!r} is no known time zone; write it like 'Asia/Shanghai'") from None


def _printable(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise ValueError("must be plain text on one line")
    return text.strip()


def _base_url(url: str) -> str:
    """Accept an http(s) address that holds nothing secret: no user, query or fragment."""
    try:
        parts = urlsplit(url.strip())
        is_complete = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_complete = False
    if not is_complete or any(not character.isprintable() or character.isspace() for character in url.strip()):
        raise ValueError("must be an address like 'https://host/v1'")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("must hold no user, query or fragment; a key belongs in OPENAI_API_KEY")
    return url.strip().rstrip("/")


def _secret(key: object) -> SecretStr:
    text = key.get_secret_value() if isinstance(key, SecretStr) else key
    if not isinstance(text, str):
        raise ValueError("must be text")  # noqa: TRY004  pydantic turns a ValueError into its report
    text = text.strip()
    if not text or not all("!" <= character <= "~" for character in text):
        raise ValueError("holds a character that no key has, or is empty")
    return SecretStr(text)


def _as_path(path: object) -> object:
    if isinstance(path, str):
        if not path.strip() or "\0" in path:
            raise ValueError("must be a path")
        return Path(path)
    return path


def _slot(slot: object) -> object:
    try:
        time = dt.time.fromisoformat(slot) if isinstance(slot, str) else slot
    except ValueError:
        raise ValueError(f"{slot!r} is no time of day; write it like '18:30'") from None
    if isinstance(time, dt.time) and time.tzinfo is not None:
        raise ValueError("must have no zone of its own: slots are meant in the workspace's time zone")
    return time


def _weekdays(days: object) -> object:
    """Turn "mon-fri", "mon,wed" or a list of such into weekdays in week order."""
    parts = days.split(",") if isinstance(days, str) else days
    if not isinstance(parts, list) or not parts or not all(isinstance(part, str) for part in parts):
        raise ValueError("must be weekdays like 'mon-fri' or ['mon', 'wed']")
    chosen: set[int] = set()
    for part in parts:
        ends = [end.strip().lower() for end in part.split("-")]
        if len(ends) > 2 or not set(ends) <= set(WEEKDAYS):
            raise ValueError(
                f"{part!r} is no weekday; write mon, tue, wed, thu, fri, sat, sun, or a range like 'mon-fri'"
            )
        first, last = WEEKDAYS.index(ends[0]), WEEKDAYS.index(ends[-1])
        chosen.update((first + step) % 7 for step in range((last - first) % 7 + 1))
    return tuple(WEEKDAYS[number] for number in sorted(chosen))


def _price(price: object) -> object:
    """Turn 0.25 or "0.25" into the decimal number that is written there."""
    if isinstance(price, bool) or not isinstance(price, int | float | str):
        raise ValueError("must be a number like 0.25")  # noqa: TRY004  pydantic turns a ValueError into its report
    try:
        return Decimal(str(price).strip())
    except InvalidOperation:
        raise ValueError("must be a number like 0.25") from None


_Name = Annotated[str, AfterValidator(_folder_name)]
_Path = Annotated[Path, BeforeValidator(_as_path)]
_Price = Annotated[Decimal, Field(ge=0, le=10**6, decimal_places=9), BeforeValidator(_price)]
_Currency = Annotated[str, Field(max_length=12), AfterValidator(_printable)]


class Values(BaseModel):
    """What may be set anywhere."""

    model_config = ConfigDict(strict=True, extra="forbid")

    own_agent: _Name | None = None
    timezone: Annotated[str, AfterValidator(_zone_name)] | None = None
    language: Language | None = None
    days: Annotated[int, Field(ge=1, le=366)] | None = None
    stale_days: Annotated[int, Field(ge=1, le=3660)] | None = None
    late_minutes: Annotated[int, Field(ge=0, le=1439)] | None = None
    budget_tokens: Annotated[int, Field(ge=1, le=10**12)] | None = None
    model: Annotated[str, Field(max_length=200), AfterValidator(_printable)] | None = None
    workers: Annotated[int, Field(ge=1, le=64)] | None = None


class BatonTable(BaseModel):
    """One `[[batons]]` table."""

    model_config = ConfigDict(strict=True, extra="forbid")

    agent: _Name
    topic: _Name | None = None
    slot: Annotated[dt.time, BeforeValidator(_slot)] | None = None
    days: Annotated[tuple[str, ...], BeforeValidator(_weekdays)] = WEEKDAYS


class PricesTable(BaseModel):
    """The `[prices]` table: what a million tokens cost."""

    model_config = ConfigDict(strict=True, extra="forbid")

    input: _Price | None = None
    cached: _Price | None = None
    output: _Price | None = None
    currency: _Currency | None = None


class WorkspaceFile(Values):
    """What `agent.toml` may set."""

    agents: list[_Name] | None = None
    topics: list[_Name] | None = None
    stale_days_by_topic: dict[_Name, Annotated[int, Field(ge=1, le=3660)]] | None = None
    batons: list[BatonTable] | None = None
    prices: PricesTable | None = None


class _UserValues(Values):
    """What the user may set, and no workspace."""

    engine: Engine | None = None
    base_url: Annotated[str, AfterValidator(_base_url)] | None = None
    api_key: Annotated[SecretStr, BeforeValidator(_secret)] | None = None
    local_model: _Path | None = None
    local_threads: Annotated[int, Field(ge=1, le=512)] | None = None
    cache_dir: _Path | None = None
    state: _Path | None = None
    deadline_seconds: Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)] | None = None


class UserFile(_UserValues):
    """What the user's own file may set."""

    prices: PricesTable | None = None


class GivenValues(_UserValues):
    """What variables and flags may set."""

    price_input: _Price | None = None
    price_cached: _Price | None = None
    price_output: _Price | None = None
    currency: _Currency | None = None

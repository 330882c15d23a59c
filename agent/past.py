"""What an earlier digest said, as the store keeps it, so that a later one can tell what is new since.

Promises: what is packed comes back equal, lone surrogates included; a text that cannot be read is None and never raises,
whoever wrote it; neither side takes more room than the limits here say.
"""

import base64
import datetime as dt
import json
import zlib
from collections.abc import Iterable, Sequence

from agent.record import Record
from agent.records import Claim, Contradiction, Digest, Increment

LARGEST = 16_000_000  # characters of JSON that are kept of one digest
PLAIN = 64_000  # characters up to which the JSON stays legible in the database
_COMPRESSED = "zlib:"
_BESIDE = 10_000  # bytes of date, topic and brackets, beside at most 8 for each character of the records


class PastDigest(Record):
    """What the digest of a day said; `topic` is empty for one of all topics."""

    date: dt.date
    topic: str = ""
    increments: tuple[Increment, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    claims: tuple[Claim, ...] = ()


def past_of(digest: Digest, claims: Iterable[Claim] = ()) -> PastDigest:
    """Return what is to be remembered of a digest: by what its findings are known again, not where they belong.

    Args:
        digest: the digest of today.
        claims: what the notes behind it state.
    """
    forgotten = {
        "placements": (),
        "standing": (),
        "links": (),
        "lineage": None,
        "relation_reason": "",
        "priority": None,
    }
    return PastDigest(
        date=digest.date,
        topic=digest.topic or "",
        increments=tuple(one.model_copy(update=forgotten) for one in digest.increments),
        contradictions=digest.contradictions,
        claims=tuple(claims),
    )


def packed(past: PastDigest, *, largest: int = LARGEST) -> tuple[str, int]:
    """Return a text for the database, and how many records were left out because they did not fit.

    Contradictions come first, then findings in the digest's order, then claims. A short text is plain JSON, a long one
    compressed and in base64.
    """
    left_out, room = 0, largest
    lists = {}
    for name, records in (
        ("contradictions", past.contradictions),
        ("increments", past.increments),
        ("claims", past.claims),
    ):
        fitting, room = _fitting(records, room)
        left_out += len(records) - len(fitting)
        lists[name] = f'"{name}": [{", ".join(fitting)}]'
    head = f'"date": "{past.date}", "topic": {_json(past.topic)}'
    text = f"{{{head}, {', '.join(lists.values())}}}"
    if len(text) <= PLAIN:
        return text, left_out
    return _COMPRESSED + base64.b64encode(zlib.compress(text.encode())).decode("ascii"), left_out


def unpacked(text: str, *, largest: int = LARGEST) -> PastDigest | None:
    """Return what was packed; None where the text is damaged, too large, or of a version with other fields."""
    try:
        return PastDigest.model_validate(json.loads(_legible(text, largest)))
    except (ValueError, RecursionError, zlib.error):  # pydantic's errors are values' too
        return None


def records_in(past: PastDigest) -> int:
    """Return how many records a past digest holds."""
    return sum(map(len, (past.increments, past.contradictions, past.claims)))


def _fitting(records: Sequence[Record], room: int) -> tuple[list[str], int]:
    """The first records that fit into so many characters, as JSON, and the room that is left: none after a cut."""
    fitting: list[str] = []
    for record in records:
        text = _json(record.model_dump(exclude_defaults=True))
        if len(text) > room:
            return fitting, 0
        fitting.append(text)
        room -= len(text)
    return fitting, room


def _json(value: object) -> str:
    r"""Write JSON; lone surrogates, which no database keeps, as escapes: `\udc80`."""
    return json.dumps(value, ensure_ascii=False, default=str).encode("utf-8", "backslashreplace").decode()


def _legible(text: str, largest: int) -> str:
    """Undo the compression.

    Raises:
        ValueError: it is cut off or too large.
        zlib.error: it is damaged.
    """
    if not text.startswith(_COMPRESSED):
        return text
    unzip = zlib.decompressobj()
    content = unzip.decompress(base64.b64decode(text[len(_COMPRESSED) :], validate=True), 8 * largest + _BESIDE)
    if not unzip.eof:
        raise ValueError("cut off or too large")
    return content.decode()

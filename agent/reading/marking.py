"""The last line of what we write, by which it is known again: an HTML comment with a checksum of all that stands before.

A note that only quotes such a line, or adds one, is a note like any other.
"""

import hashlib

_OPENING = "<!-- relay-digest "
_CLOSING = " -->"
_CHECKSUM = " sha256="


def marked(body: str, *, fields: str) -> str:
    """Return `body` with its marker line; `fields` is what the marker says, without line break or `--`."""
    return f"{body}\n{_OPENING}{fields}{_CHECKSUM}{_checksum(body)}{_CLOSING}\n"


def is_own_output(text: str) -> bool:
    """Return whether a text is a digest of ours, as we wrote it; line ends and white space at the end aside."""
    body, _, last = text.replace("\r\n", "\n").rstrip().rpartition("\n")
    if not (last.startswith(_OPENING) and last.endswith(_CLOSING)):
        return False
    return last.removesuffix(_CLOSING).rpartition(_CHECKSUM)[2] == _checksum(body)


def bears_marker(text: str) -> bool:
    """Return whether a text holds a marker line of ours, as we wrote it or changed since: in our own folder it is ours."""
    return any(line.startswith(_OPENING) and _CHECKSUM in line for line in text.splitlines())


def _checksum(body: str) -> str:
    return hashlib.sha256(body.rstrip().encode("utf-8", "surrogatepass")).hexdigest()[:32]

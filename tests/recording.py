"""How cassettes are kept and compared: readable, without host or secret, and loud when a request has changed.

A cassette is one YAML file per test, `cassettes/<module>/<test>[<case>].yaml`. Bodies that are JSON are stored as YAML
mappings; a request matches by method, path, query and body, key order aside. What differs from one recording of the same
answer to the next (ids, clocks, timings) is evened out, so recording twice gives the same file.
"""

import copy
import difflib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import yaml

ROOT = Path(__file__).resolve().parents[1]
CASSETTES = ROOT / "cassettes"
REPLAY_URL = "https://llm.invalid/v1"  # nobody answers there: only the cassette does

_REQUEST_HEADERS = frozenset({"content-type"})
_RESPONSE_HEADERS = frozenset({"content-type", "retry-after"})
_SECRET_PARAMETERS = ("key", "api_key", "api-key", "access_token", "token", "sig", "signature")
# Forms in which secrets and accounts stand in requests and replies.
SECRETS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bsk-[a-z0-9_-]{12}",
        r"\bbearer [a-z0-9._~+/-]{8}",
        r"\b(?:authorization|set-cookie|cookie|x-api-key|api-key|api_key|openai-organization|openai-project)\b\W{0,3}:",
        r"\bx-request-id\b",
        r"\beyj[a-z0-9_-]{10,4000}\.[a-z0-9_-]{10}",
        r"\b(?:ghp|gho|github_pat|hf|glpat|xox[abp])[_-][a-z0-9_-]{12}",
        r"\bakia[a-z0-9]{16}\b",
        r"-----begin [a-z ]{0,30}private key",
        r"://[^/\s:@'\"]{1,200}:[^/\s@'\"]{1,200}@",
    )
)


class CassetteMiss(BaseException):
    """A request that the cassette does not hold; no client may take it for a broken connection."""

    def __init__(self, *, cassette: Any, failed_request: Any) -> None:
        from vcr.errors import CannotOverwriteExistingCassetteException as Told  # noqa: PLC0415 - see `configure`

        super().__init__(str(Told(cassette=cassette, failed_request=failed_request)))
        vars(cassette).setdefault("misses", []).append(self)  # for the case that somebody catches it


class _Dumper(yaml.SafeDumper):
    """Multi-line strings become blocks, so that a prompt reads like one."""


_MISREAD = frozenset("\x85\u2028\u2029\ufeff\r")  # line ends that PyYAML folds away wherever it does not escape them


def _readable_string(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = '"' if not _MISREAD.isdisjoint(text) else "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _readable_string)


def _yaml(value: object, *, sort_keys: bool = False) -> str:
    return yaml.dump(value, Dumper=_Dumper, allow_unicode=True, sort_keys=sort_keys, width=110)


def _only_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key occurs twice")
    return dict(pairs)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _parsed(body: object) -> Any:
    """Return a body's JSON value, or raise ValueError where only its text says all."""
    if not isinstance(body, str | bytes):
        raise ValueError("no text")  # noqa: TRY004 - one kind of failure for callers
    return json.loads(body, object_pairs_hook=_only_once, parse_constant=_no_constant)


class Serializer:
    """What vcrpy calls a serializer: a module with two functions."""

    @staticmethod
    def serialize(cassette: dict[str, Any]) -> str:
        """Return the cassette as YAML, interactions in the order of their requests."""
        kept = copy.deepcopy(cassette)
        for interaction in kept["interactions"]:
            request, response = interaction["request"], interaction["response"]
            request.update(_stored(request.pop("body")))
            response["body"] = _stored(response["body"].get("string"))
        kept["interactions"].sort(key=lambda each: json.dumps(each["request"], sort_keys=True, default=repr))
        order = ("version", "metadata", "interactions")
        return _yaml({name: kept[name] for name in order if name in kept})

    @staticmethod
    def deserialize(text: str) -> dict[str, Any]:
        """Return what `serialize` was given."""
        cassette: dict[str, Any] = yaml.safe_load(text)
        for interaction in cassette["interactions"]:
            request, response = interaction["request"], interaction["response"]
            request["body"] = _restored(request)
            response["body"] = {"string": _restored(response["body"])}
        return cassette


def _stored(body: object) -> dict[str, Any]:
    try:
        return {"json": _parsed(body)}
    except ValueError:
        return {"text": body}


def _restored(holder: dict[str, Any]) -> Any:
    if "json" in holder:
        return json.dumps(holder.pop("json"))
    return holder.pop("text", None)


def _without_host(request: Any) -> Any:
    parts = urlsplit(request.uri)
    _, version, rest = parts.path.rpartition("/v1/")  # what stands before is the server's own
    request.uri = urlunsplit(("https", "llm.invalid", version + rest, parts.query, ""))
    for name in list(request.headers):
        if name.lower() not in _REQUEST_HEADERS:
            del request.headers[name]
    return request


def _evened_out(response: Any) -> Any:
    headers = {name: values for name, values in response["headers"].items() if name.lower() in _RESPONSE_HEADERS}
    kept = {**response, "headers": headers}
    try:
        reply = _parsed(response["body"]["string"])
    except ValueError:
        return kept
    if isinstance(reply, dict) and "choices" in reply:
        reply = {name: value for name, value in reply.items() if name not in {"timings", "__verbose"}}
        reply |= {"id": "chatcmpl-0"} if "id" in reply else {}
        reply |= {"created": 0} if "created" in reply else {}
        kept["body"] = {"string": json.dumps(reply, ensure_ascii=False).encode()}
    return kept


def canonical_json(sent: Any, recorded: Any) -> None:
    """Match two requests by body, or raise AssertionError with what differs, line by line."""
    before, now = _comparable(recorded.body), _comparable(sent.body)
    if before != now:
        lines = difflib.unified_diff(before.splitlines(), now.splitlines(), "recorded", "sent", n=1, lineterm="")
        raise AssertionError("\n".join(lines))


def _comparable(body: object) -> str:
    try:
        return _yaml(_parsed(body), sort_keys=True)
    except ValueError:
        return repr(body)


CONFIG: dict[str, Any] = {
    "serializer": "yaml",
    "decode_compressed_response": True,
    "match_on": ["method", "path", "query", "canonical_json"],
    "filter_query_parameters": list(_SECRET_PARAMETERS),
    "before_record_request": _without_host,
    "before_record_response": _evened_out,
}


def configure(machine: Any) -> None:
    """Teach a `vcr.VCR` our format, and make every miss loud."""
    import vcr.stubs.httpx_stubs  # noqa: PLC0415 - vcr patches every HTTP library it finds, which takes a while
    from vcr.persisters.filesystem import FilesystemPersister  # noqa: PLC0415 - as above

    machine.register_serializer("yaml", Serializer)
    machine.register_matcher("canonical_json", canonical_json)
    machine.register_persister(FilesystemPersister)  # the one of pytest-recording cannot read metadata
    # httpx_stubs serves httpx2 too; the names are internal to vcrpy, hence its upper bound and a test of a miss.
    for stubs in (vcr.stubs, vcr.stubs.httpx_stubs):
        stubs.CannotOverwriteExistingCassetteException = CassetteMiss


@dataclass
class Recording:
    """What a recorded test works with.

    Attributes:
        cassette: vcrpy's own object.
        base_url: where the model client is to be pointed.
        api_key: what the server there wants to see; never stored.
        is_recording: answers come from a server now, and are kept.
        prompts: what `rests_on` was told.
    """

    cassette: Any
    base_url: str
    is_recording: bool
    api_key: str = field(default="", repr=False)
    prompts: tuple[str, ...] = ()

    def rests_on(self, *prompts: str) -> None:
        """Say which prompts, as `id@version`, the recorded requests come from; call it before the first request."""
        self.prompts = tuple(sorted(prompts))
        if not self.is_recording and (stored := self.cassette.get_metadata("prompts", [])) != list(self.prompts):
            raise AssertionError(
                f"{self.cassette.path} was recorded with {stored}, this test uses {list(self.prompts)}"
            )

    def close(self) -> None:
        """Store the origin of what was recorded, or raise AssertionError where the replay left the cassette."""
        if self.is_recording:
            self.cassette.get_metadata("origin", {"model": sorted(_models(self.cassette.responses))})
            self.cassette.get_metadata("prompts", list(self.prompts))
            return
        if misses := vars(self.cassette).get("misses"):
            raise AssertionError(f"{self.cassette.path} was missed {len(misses)} times:\n{misses[0]}")
        if not self.cassette.all_played:
            played, held = self.cassette.play_count, len(self.cassette)
            raise AssertionError(f"{self.cassette.path} is played half: {played} of its {held} interactions")


def _models(responses: list[Any]) -> set[str]:
    models = set()
    for response in responses:
        try:
            models.add(str(_parsed(response["body"]["string"])["model"]))
        except (ValueError, KeyError, TypeError):
            continue  # no answer of a model: a list, an error page
    return models


def secrets_in(text: str) -> list[str]:
    """Return everything in a cassette's text that looks like a secret or an account."""
    return sorted({match[0] for pattern in SECRETS for match in pattern.finditer(text)})

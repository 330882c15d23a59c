"""Looks whether an endpoint answers, without asking a model anything.

Promises: an answer within seconds; whatever stands at the address, one of our errors or a list of names; no message holds
the key, and none what the server says.
"""

import json
from typing import Any

import httpx2

from agent.asking.transport import Endpoint, cleaned, make_client, within
from agent.errors import ModelRefusedAccess, ModelUnavailable

_SECONDS = 10.0
_ADVICE = "check that OPENAI_BASE_URL ends with the version, such as /v1"


def served_models(endpoint: Endpoint) -> frozenset[str]:
    """Return the names of the models that an endpoint lists at `/models`; empty where it lists none.

    Raises:
        EngineUnavailable: the proxy that the environment names cannot be used.
        ModelRefusedAccess: it does not accept the key.
        ModelUnavailable: it does not answer, or not like an OpenAI-compatible server.
    """
    headers = {"authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
    try:
        with make_client(endpoint) as client, within(_SECONDS):
            response = client.get(f"{endpoint.base_url.rstrip('/')}/models", headers=headers, timeout=_SECONDS)
    except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:  # the last: no host can have such a name
        reason = cleaned(str(error) or type(error).__name__, secrets=endpoint.secrets)
        raise ModelUnavailable(
            f"{endpoint.shown} does not answer ({reason}): check OPENAI_BASE_URL and the network."
        ) from None
    if response.status_code in {401, 403}:
        raise ModelRefusedAccess(
            f"{endpoint.shown} does not accept the key (HTTP {response.status_code}): check OPENAI_API_KEY."
        )
    if response.status_code != 200:
        raise ModelUnavailable(f"{endpoint.shown} answers HTTP {response.status_code} at /models: {_ADVICE}.")
    listed = _listed(response.content)
    if listed is None:
        raise ModelUnavailable(f"{endpoint.shown} does not answer like a model server at /models: {_ADVICE}.")
    return frozenset(one["id"] for one in listed if isinstance(one, dict) and isinstance(one.get("id"), str))


def _listed(content: bytes) -> list[Any] | None:
    """Return the entries of a list of models, bare or under `data`; None where the body is none."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if isinstance(body, dict) and "data" in body:
        body = body["data"] or []
    return body if isinstance(body, list) else None

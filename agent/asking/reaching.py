"""Looks whether an endpoint answers, without asking a model anything."""

import json

import httpx2

from agent.asking.transport import Endpoint, cleaned, make_client, within
from agent.errors import ModelRefusedAccess, ModelUnavailable

_SECONDS = 10.0


def served_models(endpoint: Endpoint) -> frozenset[str]:
    """Return the names of the models that an endpoint lists at `/models`; empty where it lists none.

    Raises:
        ModelRefusedAccess: it does not accept the key.
        ModelUnavailable: it does not answer, or not like an OpenAI-compatible server.
    """
    headers = {"authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
    try:
        with make_client(endpoint) as client, within(_SECONDS):
            response = client.get(f"{endpoint.base_url.rstrip('/')}/models", headers=headers, timeout=_SECONDS)
    except httpx2.HTTPError as error:
        reason = cleaned(str(error) or type(error).__name__, secrets=endpoint.secrets)
        raise ModelUnavailable(
            f"{endpoint.shown} does not answer ({reason}): check OPENAI_BASE_URL and the network."
        ) from None
    if response.status_code in {401, 403}:
        raise ModelRefusedAccess(
            f"{endpoint.shown} does not accept the key (HTTP {response.status_code}): check OPENAI_API_KEY."
        )
    if response.status_code != 200:
        raise ModelUnavailable(
            f"{endpoint.shown} answers HTTP {response.status_code} at /models: check OPENAI_BASE_URL."
        )
    return _names(response.content)


def _names(content: bytes) -> frozenset[str]:
    try:
        listed = json.loads(content)["data"]
        return frozenset(str(one["id"]) for one in listed)
    except (ValueError, KeyError, TypeError):
        return frozenset()

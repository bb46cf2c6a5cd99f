"""What the SDKs of OpenAI and Anthropic have in common: how a client is made, and what their exceptions mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dalil.providers.hosting.address import Address
from dalil.providers.hosting.failures import Cause, Failure, status_failure

_CREDENTIALS = ("authorization", "x-api-key")
_ACCOUNT = ("openai-organization", "openai-project")


def http_client(sdk: Any, address: Address, timeout: float) -> Any:
    """The SDK's HTTP client: no redirect carries a key away, and no other address learns the account's names."""

    async def dress(request: Any) -> None:
        if address.basic is not None or address.api_key is None:
            for name in _CREDENTIALS:
                request.headers.pop(name, None)
            if address.authorization is not None:
                request.headers["authorization"] = address.authorization
        if not address.is_default:
            for name in _ACCOUNT:
                request.headers.pop(name, None)

    return sdk.DefaultAsyncHttpxClient(
        base_url=address.url, timeout=timeout, follow_redirects=False, event_hooks={"request": [dress]}
    )


def sdk_failure(sdk: Any, error: Exception, address: Address) -> Failure:
    """What an exception of the SDK means. An exception of another kind is an answer that made no sense to it."""
    if isinstance(error, Failure):
        return error
    if isinstance(error, sdk.APITimeoutError):
        return Failure(Cause.TIMEOUT, "the connection timed out", passing=True)
    if isinstance(error, sdk.APIConnectionError):
        return Failure(Cause.UNREACHABLE, address.url, passing=True)
    said, code = _what_it_said(error)
    if isinstance(error, sdk.APIStatusError) and error.status_code != 200:
        return status_failure(error.status_code, error.response.headers, address.without_secrets(said), code)
    if isinstance(error, sdk.APIError) and not isinstance(error, sdk.APIResponseValidationError):
        # an error inside a stream that had begun well
        busy = code is not None and ("rate_limit" in code or "overloaded" in code)
        passing = busy or code is None or "server" in code or code == "api_error"
        return Failure(Cause.RATE_LIMIT if busy else Cause.FAILED, address.without_secrets(said), passing=passing)
    if "timeout" in type(error).__name__.lower():
        return Failure(Cause.TIMEOUT, "the connection timed out", passing=True)
    if type(error).__module__.partition(".")[0].startswith("http"):
        return Failure(Cause.UNREACHABLE, "the connection broke", passing=True)
    return Failure(Cause.MALFORMED, type(error).__name__, passing=True)


def _what_it_said(error: Exception) -> tuple[str, str | None]:
    """The service's message and the code or type of the error, as far as there are any."""
    body = getattr(error, "body", None)
    if isinstance(body, Mapping):
        inner = body.get("error")
        body = inner if isinstance(inner, Mapping) else body
        code = body.get("code") or body.get("type")
        return str(body.get("message") or ""), str(code) if code else None
    return (body if isinstance(body, str) else ""), None

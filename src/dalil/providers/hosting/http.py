"""JSON over HTTP for services that are asked without an SDK."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dalil.providers.hosting.address import Address
from dalil.providers.hosting.clients import Clients, package
from dalil.providers.hosting.failures import Cause, Failure, status_failure


class JsonService:
    """Posts objects to one address and gives the objects that it answers."""

    def __init__(self, name: str, extra: str, address: Address, timeout: float):
        self._address = address
        self._httpx: Any = None

        def load() -> Any:
            self._httpx = package("httpx", extra, name)
            return self._httpx

        def make(httpx: Any) -> Any:
            headers = {"accept": "application/json", "user-agent": "dalil"}
            if address.authorization is not None:
                headers["authorization"] = address.authorization
            return httpx.AsyncClient(headers=headers, timeout=timeout, follow_redirects=False)

        async def close(client: Any) -> None:
            await client.aclose()

        self._clients = Clients[Any](load, make, close)

    async def ready(self) -> None:
        """Have a client for the running loop, which takes a moment the first time.

        Raises:
            MissingExtraError: if the package that speaks HTTP is not installed.
        """
        await self._clients.here()

    async def post(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer to `body`, once.

        Raises:
            Failure: if there is none.
        """
        client = await self._clients.here()
        try:
            response = await client.post(f"{self._address.url}/{path}", json=body)
            if response.is_success:
                answer = response.json()
                if isinstance(answer, dict):
                    return answer
                failure = Failure(Cause.MALFORMED, "it is not a JSON object", passing=True)
            else:
                said = self._address.without_secrets(_message(response))
                failure = status_failure(response.status_code, response.headers, said)
        except self._httpx.TimeoutException:
            failure = Failure(Cause.TIMEOUT, "the connection timed out", passing=True)
        except self._httpx.HTTPError:
            failure = Failure(Cause.UNREACHABLE, self._address.url, passing=True)
        except ValueError:
            failure = Failure(Cause.MALFORMED, "it is not JSON", passing=True)
        raise failure

    async def aclose(self) -> None:
        """Close the connections."""
        await self._clients.aclose()


def _message(response: Any) -> str:
    """What the service says of an error: Voyage under "detail", Cohere under "message"."""
    try:
        body = response.json()
    except ValueError:
        return ""
    said = (body.get("detail") or body.get("message") or "") if isinstance(body, dict) else ""
    return said if isinstance(said, str) else ""

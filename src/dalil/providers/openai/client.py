"""The SDK's client, with its own retries off, and the name that a model of this room goes by."""

from __future__ import annotations

from typing import Any

from dalil.providers.hosting.address import Address
from dalil.providers.hosting.clients import Clients, package
from dalil.providers.hosting.sdk import http_client

BASE_URL = "https://api.openai.com/v1"


def address_of(base_url: str | None, api_key: str | None, provider: str | None) -> Address:
    """Where and with which key; a server of one's own may need none."""
    return Address.of(provider or "openai", base_url, api_key, default=BASE_URL, needs_key=True)


def name_of(model: str, address: Address, provider: str | None) -> str:
    """PROVIDER:MODEL. The same model name at another address may be another model, so the provider is another."""
    return f"{provider or ('openai' if address.is_default else 'openai-compatible')}:{model}"


def clients_of(name: str, address: Address, timeout: float) -> Clients[Any]:
    """The clients of one adapter."""

    def make(sdk: Any) -> Any:
        return sdk.AsyncOpenAI(
            api_key=address.api_key or "none",
            base_url=address.url,
            max_retries=0,
            timeout=timeout,
            http_client=http_client(sdk, address, timeout),
        )

    async def close(client: Any) -> None:
        await client.close()

    return Clients(lambda: package("openai", "openai", name), make, close)

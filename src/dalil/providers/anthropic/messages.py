"""Messages by Anthropic, streamed."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from dalil.providers.hosting.address import Address
from dalil.providers.hosting.calling import Calling
from dalil.providers.hosting.checking import numbers
from dalil.providers.hosting.clients import Clients, package
from dalil.providers.hosting.failures import Cause, Failure
from dalil.providers.hosting.llm import HostedLLM
from dalil.providers.hosting.pictures import TRANSCRIBE, Picture
from dalil.providers.hosting.retrying import RetryPolicy
from dalil.providers.hosting.sdk import http_client, sdk_failure

BASE_URL = "https://api.anthropic.com"


class AnthropicLLM(HostedLLM):
    """An LLMClient over `POST {base_url}/v1/messages`, streamed.

    `max_tokens` bounds a reply and `vision_max_tokens` a transcription; `vision_model` is `model` by default.
    There is no temperature: the API takes none since its version of 2026-10-21.

    Raises:
        MissingAPIKeyError: if Anthropic itself is to be asked without a key.
        ConfigurationError: if the address or a number cannot be one.
    """

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        vision_model: str | None = None,
        max_tokens: int = 2048,
        vision_max_tokens: int = 4096,
        timeout_seconds: float = 60.0,
        retry: RetryPolicy | None = None,
        concurrency: int = 4,
    ):
        self._address = Address.of("anthropic", base_url, api_key, default=BASE_URL, needs_key=True)
        provider = "anthropic" if self._address.is_default else "anthropic-compatible"
        calling = Calling(timeout_seconds, retry or RetryPolicy(), concurrency)
        super().__init__(f"{provider}:{model}", calling, max_tokens, vision_max_tokens)
        self._models = {False: model, True: vision_model or model}
        self._longest = {False: max_tokens, True: vision_max_tokens}
        self._clients = self._make_clients(timeout_seconds)

    async def aclose(self) -> None:
        """Close the connections. The next call opens new ones."""
        await self._clients.aclose()

    def _make_clients(self, timeout: float) -> Clients[Any]:
        def make(sdk: Any) -> Any:
            return sdk.AsyncAnthropic(
                api_key=self._address.api_key or "none",
                base_url=self._address.url,
                max_retries=0,
                timeout=timeout,
                http_client=http_client(sdk, self._address, timeout),
            )

        async def close(client: Any) -> None:
            await client.close()

        return Clients(lambda: package("anthropic", "anthropic", self.name), make, close)

    async def _ready(self) -> None:
        await self._clients.here()

    def _body(self, prompt: str, picture: Picture | None) -> dict[str, Any]:
        content: Any = prompt
        if picture is not None:
            source = {"type": "base64", "media_type": picture.media_type, "data": picture.base64}
            content = [{"type": "image", "source": source}, {"type": "text", "text": TRANSCRIBE}]
        seeing = picture is not None
        return {
            "model": self._models[seeing],
            "max_tokens": self._longest[seeing],
            "messages": [{"role": "user", "content": content}],
        }

    async def _ask(self, prompt: str, picture: Picture | None) -> AsyncGenerator[str, None]:
        import anthropic

        client = await self._clients.here()
        stream, reply = None, _Reply()
        try:
            stream = await client.messages.create(**self._body(prompt, picture), stream=True)
            async for event in stream:
                if said := reply.take(event):
                    yield said
            failure = reply.failure
        except Exception as error:
            failure = sdk_failure(anthropic, error, self._address)
        finally:
            if stream is not None:
                await stream.close()
        if failure is not None:
            raise failure
        self._meter.add(input_tokens=reply.input_tokens, output_tokens=reply.output_tokens)


class _Reply:
    """What the events of one stream add up to."""

    def __init__(self) -> None:
        self.input_tokens: object = 0
        self.output_tokens: object = 0
        self._stopped: str | None = None
        self._complete = False

    def take(self, event: Any) -> str:
        """The text that the event brings, or ""."""
        if event.type == "message_start":
            usage = event.message.usage.to_dict() if event.message.usage else {}
            read = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
            self.input_tokens = sum(int(str(numbers(usage, name) or 0)) for name in read)
        elif event.type == "message_delta":
            self._stopped = event.delta.stop_reason or self._stopped
            self.output_tokens = getattr(event.usage, "output_tokens", 0) or self.output_tokens
        elif event.type == "message_stop":
            self._complete = True
        elif event.type == "content_block_delta" and event.delta.type == "text_delta":
            return str(event.delta.text)
        return ""

    @property
    def failure(self) -> Failure | None:
        """Why what came is no whole reply."""
        if not self._complete:
            return Failure(Cause.FAILED, "the stream ended before the reply did", passing=True)
        if self._stopped == "refusal":
            return Failure(Cause.REFUSED, "the model declined to reply")
        return None

"""Chat and vision by OpenAI or a server that speaks its protocol."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from dalil.providers.hosting.calling import Calling
from dalil.providers.hosting.failures import Cause, Failure
from dalil.providers.hosting.llm import HostedLLM
from dalil.providers.hosting.pictures import TRANSCRIBE, Picture
from dalil.providers.hosting.retrying import RetryPolicy
from dalil.providers.hosting.sdk import sdk_failure
from dalil.providers.openai.client import address_of, clients_of, name_of


class OpenAILLM(HostedLLM):
    """An LLMClient over `POST {base_url}/chat/completions`, streamed.

    `max_tokens` bounds a reply and `vision_max_tokens` a transcription; `vision_model` is `model` by default.
    `temperature` is sent only if it is given: some models refuse any.

    Raises:
        MissingAPIKeyError: if OpenAI itself is to be asked without a key.
        ConfigurationError: if the address or a number cannot be one.
    """

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        vision_model: str | None = None,
        max_tokens: int | None = None,
        vision_max_tokens: int | None = 4096,
        temperature: float | None = None,
        provider: str | None = None,
        timeout_seconds: float = 60.0,
        retry: RetryPolicy | None = None,
        concurrency: int = 4,
    ):
        self._address = address_of(base_url, api_key, provider)
        calling = Calling(timeout_seconds, retry or RetryPolicy(), concurrency)
        super().__init__(name_of(model, self._address, provider), calling, max_tokens, vision_max_tokens)
        self._model = model
        self._vision_model = vision_model or model
        self._max_tokens = max_tokens
        self._vision_max_tokens = vision_max_tokens
        self._temperature = temperature
        self._clients = clients_of(self.name, self._address, timeout_seconds)

    async def aclose(self) -> None:
        """Close the connections. The next call opens new ones."""
        await self._clients.aclose()

    async def _ready(self) -> None:
        await self._clients.here()

    def _body(self, prompt: str, picture: Picture | None) -> dict[str, Any]:
        content: Any = prompt
        model, longest = self._model, self._max_tokens
        if picture is not None:
            model, longest = self._vision_model, self._vision_max_tokens
            content = [
                {"type": "text", "text": TRANSCRIBE},
                {"type": "image_url", "image_url": {"url": picture.data_url}},
            ]
        body: dict[str, Any] = {"model": model, "messages": [{"role": "user", "content": content}]}
        if longest is not None:  # OpenAI's newer models refuse the old name, other servers do not know the new one
            body["max_completion_tokens" if self._address.is_default else "max_tokens"] = longest
        if self._temperature is not None:
            body["temperature"] = self._temperature
        return body

    async def _ask(self, prompt: str, picture: Picture | None) -> AsyncGenerator[str, None]:
        import openai

        client = await self._clients.here()
        stream, usage, ended = None, None, None
        try:
            stream = await client.chat.completions.create(
                **self._body(prompt, picture), stream=True, stream_options={"include_usage": True}
            )
            async for chunk in stream:
                usage = chunk.usage or usage
                for choice in chunk.choices or ():
                    ended = choice.finish_reason or ended
                    if choice.delta and choice.delta.content:
                        yield choice.delta.content
            failure = _unfinished(ended)
        except Exception as error:
            failure = sdk_failure(openai, error, self._address)
        finally:
            if stream is not None:
                await stream.close()
        if failure is not None:
            raise failure
        self._meter.add(
            input_tokens=getattr(usage, "prompt_tokens", 0), output_tokens=getattr(usage, "completion_tokens", 0)
        )


def _unfinished(ended: str | None) -> Failure | None:
    """Why a stream that came to its end is no whole reply."""
    if ended is None:
        return Failure(Cause.FAILED, "the stream ended before the reply did", passing=True)
    if ended == "content_filter":
        return Failure(Cause.REFUSED, "its content filter stopped the reply")
    return None

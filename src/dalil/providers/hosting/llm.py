"""What hosted language models do alike: stream, transcribe, count."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from dalil.errors import ConfigurationError
from dalil.models import PageImage
from dalil.providers.hosting.calling import Calling
from dalil.providers.hosting.errors import llm_error
from dalil.providers.hosting.failures import Failure
from dalil.providers.hosting.pictures import Picture, unfenced
from dalil.providers.hosting.usage import ProviderUsage, UsageMeter
from dalil.text import remove_unencodable

_LOG = logging.getLogger("dalil.providers")


class HostedLLM(ABC):
    """Text from a prompt as it is written, and text from a picture of a page. A broken stream is never begun anew."""

    def __init__(self, name: str, calling: Calling, *limits: int | None):
        if any(limit is not None and limit < 1 for limit in limits):
            raise ConfigurationError("The number of tokens that a model may write must be positive.")
        self.name = name
        self._line = calling.line(name)
        self._meter = UsageMeter()

    @property
    def identity(self) -> str:
        """The provider and the model."""
        return self.name

    @property
    def usage(self) -> ProviderUsage:
        """What all calls until now have cost."""
        return self._meter.total

    async def generate(self, prompt: str) -> AsyncGenerator[str, None]:
        """The reply in fragments, none of them empty. Closing the generator ends the call.

        Raises:
            LLMConnectionError: if the service cannot be reached.
            LLMTimeoutError: if nothing came in time.
            LLMRateLimitError: if the service takes no more requests for now.
            LLMGenerationError: if it refuses, fails, or breaks off.
            MissingExtraError: if the provider's package is not installed.
        """
        async with aclosing(self._streamed(lambda: self._ask(remove_unencodable(str(prompt)), None))) as fragments:
            async for fragment in fragments:
                yield fragment

    async def transcribe(self, image: PageImage) -> str:
        """The text of a page as Markdown; "" for a page without text, or whose picture is not at hand.

        Raises:
            LLMError: as `generate` does; LLMGenerationError too if the picture is of a kind that no service reads.
        """
        if not image.data:
            _LOG.warning("%s was not transcribed: its picture is not at hand.", image.ref)
            return ""
        picture = Picture.of(image)
        async with aclosing(self._streamed(lambda: self._ask("", picture))) as fragments:
            return unfenced("".join([fragment async for fragment in fragments]))

    async def _streamed(self, ask: Callable[[], AsyncGenerator[str, None]]) -> AsyncGenerator[str, None]:
        await self._ready()
        try:
            async with aclosing(self._line.stream(ask)) as fragments:
                async for fragment in fragments:
                    yield fragment
                return
        except Failure as failed:
            failure = failed
        raise llm_error(self.name, failure)

    @abstractmethod
    async def _ready(self) -> None:
        """Have a client."""

    @abstractmethod
    def _ask(self, prompt: str, picture: Picture | None) -> AsyncGenerator[str, None]:
        """One attempt at a reply to the prompt, or to the picture.

        Raises:
            Failure: if this attempt failed.
        """

    @property
    def provider(self) -> str:
        """Whose model it is, for traces."""
        return self.name.partition(":")[0]

    @property
    def model(self) -> str:
        """The model's name without its provider and address, for traces."""
        return self.name.partition(":")[2].partition("@")[0]

    @abstractmethod
    async def aclose(self) -> None:
        """Close the connections. The next call opens new ones."""

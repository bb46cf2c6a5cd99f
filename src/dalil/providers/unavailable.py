"""An embedder that is known, but cannot be had here."""

from __future__ import annotations

from collections.abc import Sequence

from dalil.errors import ConfigurationError
from dalil.models import Vector


class UnavailableEmbedder:
    """Stands for the embedder of a store, so that all that needs no vector still works."""

    def __init__(self, identity: str, reason: ConfigurationError):
        self.identity = identity
        self._reason = reason

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Never a vector.

        Raises:
            ConfigurationError: why the embedder cannot be had.
        """
        raise self._reason

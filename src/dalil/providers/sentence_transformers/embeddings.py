"""Embeddings by any SentenceTransformer: a hub model, or a folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dalil.providers.hosting.batching import Limits
from dalil.providers.machine.embedder import LIMITS, MachineEmbedder, Side
from dalil.providers.machine.place import ModelPlace
from dalil.providers.machine.prefixes import Prefixes
from dalil.providers.machine.thread import shared
from dalil.providers.sentence_transformers.package import PROVIDER, load


class SentenceTransformersEmbedder(MachineEmbedder):
    """An Embedder and QueryEmbedder: questions by `encode_query`, passages by `encode_document`.

    Prompts are the model's own unless `query_prefix` or `passage_prefix` is given. `device` is "cpu", "cuda", ...; None
    lets the package choose. With `local_files_only` nothing is fetched from the hub.

    Raises:
        ConfigurationError: if there is no such folder, or a number cannot be one.
    """

    def __init__(
        self,
        model: str,
        *,
        dimensions: int | None = None,
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        device: str | None = None,
        local_files_only: bool = False,
        limits: Limits = LIMITS,
    ):
        place = ModelPlace.of(PROVIDER, model, local_files_only=local_files_only)
        super().__init__(place, Prefixes.of(place.model, query_prefix, passage_prefix), dimensions, limits)
        self._device = device

    def _load(self) -> Any:
        key = ("SentenceTransformer", self._place.identity, self._device)
        return shared(key, lambda: load("SentenceTransformer", self._place, self._device))

    def _encode(self, model: Any, texts: list[str], side: Side) -> Sequence[Any]:
        encode = model.encode_query if side == "query" else model.encode_document
        prefix = self._prefixes.query if side == "query" else self._prefixes.passage
        found: Sequence[Any] = encode(texts, prompt=prefix, batch_size=len(texts), show_progress_bar=False)
        return found

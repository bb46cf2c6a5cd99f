"""Reranking by fastembed: one of the cross-encoders it knows, or a folder with an ONNX model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dalil.errors import ConfigurationError
from dalil.providers.fastembed.embeddings import PROVIDER
from dalil.providers.fastembed.folder import register_reranker
from dalil.providers.hosting.batching import Limits
from dalil.providers.hosting.clients import package
from dalil.providers.machine.embedder import LIMITS
from dalil.providers.machine.place import ModelPlace
from dalil.providers.machine.reranker import MachineReranker
from dalil.providers.machine.thread import shared


class FastembedReranker(MachineReranker):
    """A Reranker over an ONNX cross-encoder. `threads` and `local_files_only` as for embedding.

    Raises:
        ConfigurationError: if there is no such folder.
    """

    def __init__(
        self, model: str, *, threads: int | None = None, local_files_only: bool = False, limits: Limits = LIMITS
    ):
        place = ModelPlace.of(PROVIDER, model, local_files_only=local_files_only)
        super().__init__(place, limits)
        if place.revision is not None:
            raise ConfigurationError("fastembed chooses the revision itself.", advice="Leave out what follows the @.")
        self._threads = threads

    def _load(self) -> Any:
        encoder = package("fastembed.rerank.cross_encoder", PROVIDER, self.name).TextCrossEncoder
        return shared(("TextCrossEncoder", self._place.identity, self._threads), lambda: self._opened(encoder))

    def _opened(self, encoder: Any) -> Any:
        if self._place.folder is None:
            return encoder(self._place.model, threads=self._threads, local_files_only=not self._place.may_fetch)
        return encoder(
            register_reranker(encoder, self._place),
            threads=self._threads,
            specific_model_path=self._place.source,
            local_files_only=True,
        )

    def _score(self, model: Any, query: str, texts: list[str]) -> Sequence[Any]:
        return list(model.rerank(query, texts, batch_size=len(texts)))
